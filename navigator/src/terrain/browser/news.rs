//! What came of a move, in words for the path.

use site_map::Response;

use super::refused::StoppedNews;
use crate::browser::guard::dialogs::{PageDialog, PageDialogs};
use crate::browser::snapshot::ScreenPage;
use crate::run::text::one_line;
use crate::shared::{Sanitized, n_of};
use crate::walk::action::ControlOperation;
use crate::walk::outcome::StepOutcome;
use crate::walk::rerun::changes::{changes, is_other_page};
use crate::walk::screen::Screen;
use crate::walk::session::{Move, NOTHING_CHANGED, Opened};

/// The longest name in a result, in characters.
pub(super) const MAX_NAME: usize = 120;

/// The most dialogs that are told one by one.
const MAX_DIALOGS: usize = 5;

/// What is noted of a page that was not quiet when it was looked at.
pub(super) const UNSETTLED: &str = "the page goes on changing or loading";

/// What is noted of a page that had more after it was scrolled.
pub(super) const LOADS_MORE: &str = "more loads on scrolling";

/// What came of a move, beside the new screen.
pub(super) struct ScreenNews {
    pub(super) screen: Screen,
    pub(super) response: Response,
    pub(super) dialogs: PageDialogs,
    /// What was sent, in words.
    pub(super) sent: Vec<String>,
    pub(super) has_sent: bool,
    /// What the guard stopped.
    pub(super) stopped: StoppedNews,
    pub(super) n_new_tabs: usize,
}

impl ScreenNews {
    /// Reports whether the step did something beside what it tried to send.
    pub(super) fn has_changed(&self, step: &Move, before: &Screen) -> bool {
        !self.dialogs.dialogs.is_empty()
            || self.n_new_tabs > 0
            || matches!(step, Move::Start | Move::Back)
            || changes(before, &self.screen).is_some()
            || self.cursor(step, before).is_some()
            || self.has_more(before)
    }

    /// Returns what came of a step that was done. `is_refused` if a question of it was answered
    /// with no.
    pub(super) fn outcome(&self, step: &Move, has_changed: bool, is_refused: bool) -> StepOutcome {
        if self.has_sent || has_changed || is_set(step) {
            StepOutcome::Done
        } else if self.stopped.is_own && !is_refused {
            StepOutcome::Stopped
        } else {
            StepOutcome::Nothing
        }
    }

    /// Returns where a page was opened, if nothing was said or sent beside that. What was stopped
    /// did nothing: pages of any kind have counters of other hosts.
    pub(super) fn opened(&self, before: &Screen) -> Option<Opened> {
        if !self.dialogs.dialogs.is_empty() || !self.sent.is_empty() {
            return None;
        }
        match self.n_new_tabs {
            0 => is_other_page(before, &self.screen).then_some(Opened::Here),
            _ => Some(Opened::NewTab),
        }
    }

    /// Tells what happened, for the path; `None` if nothing did.
    pub(super) fn told(
        &self,
        step: &Move,
        before: &Screen,
        (is_done, has_changed): (bool, bool),
    ) -> Option<String> {
        let after = &self.screen;
        let mut told = dialogs(&self.dialogs);
        told.extend(self.sent.iter().chain(&self.stopped.told).cloned());
        let n_own = told.len();
        told.extend(self.stopped.unread.iter().cloned());
        if self.n_new_tabs > 0 {
            told.push("opened a new tab".to_owned());
        }
        let place = one_line(after.place().last().unwrap_or(&"a page"), MAX_NAME);
        told.extend(match step {
            _ if !is_done => changes(before, after),
            Move::Start => Some(format!("page '{place}'")),
            Move::Back => Some(format!("back on '{place}'")),
            _ => changes(before, after),
        });
        told.extend(self.cursor(step, before).filter(|_| is_done));
        told.extend(self.has_more(before).then(|| LOADS_MORE.to_owned()));
        if is_done && n_own == 0 && !has_changed {
            let quiet = if is_set(step) { "the next answer is yes" } else { NOTHING_CHANGED };
            told.insert(0, quiet.to_owned());
        }
        let is_restless = is_done && after.notes.iter().any(|note| note == UNSETTLED);
        told.extend(is_restless.then(|| UNSETTLED.to_owned()));
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// Reports whether the page has shown for the first time that it has more.
    fn has_more(&self, before: &Screen) -> bool {
        let grows = |screen: &Screen| screen.notes.iter().any(|note| note == LOADS_MORE);
        grows(&self.screen) && !grows(before)
    }

    /// Tells where keys have led the cursor, and which text was selected.
    fn cursor(&self, step: &Move, before: &Screen) -> Option<String> {
        let Move::Operate(number, operation) = step else { return None };
        let is_press = matches!(operation, ControlOperation::Press { .. });
        let is_selecting = matches!(operation, ControlOperation::SelectText { .. });
        let selected = &self.screen.selected;
        if (is_press || is_selecting) && !selected.is_empty() && *selected != before.selected {
            return Some(format!("selected '{}'", one_line(selected, MAX_NAME)));
        }
        let focused = self.screen.focused().filter(|focused| is_press && focused != number);
        let entry = self.screen.entry(focused.filter(|one| Some(*one) != before.focused())?)?;
        let label = one_line(&entry.label, MAX_NAME);
        Some(format!("the cursor is in {} '{label}'", entry.kind.as_str()))
    }
}

/// Reports whether a step sets the answer to the next dialog of the page.
fn is_set(step: &Move) -> bool {
    matches!(step, Move::Operate(_, ControlOperation::Dialog { .. }))
}

/// Reports whether a page loads more on scrolling: a step that scrolled has shown it, now or on the
/// same page before.
pub(super) fn loads_more(
    step: &Move,
    before: &ScreenPage,
    after: &ScreenPage,
    was_seen: bool,
) -> bool {
    let is_scroll = matches!(step, Move::Operate(_, ControlOperation::Scroll { .. }));
    after.is_same_page(before) && (was_seen || is_scroll && after.has_grown(before))
}

/// Tells of the first dialogs; of those that are alike once, with their number.
fn dialogs(dialogs: &PageDialogs) -> Vec<String> {
    let mut told: Vec<(String, usize)> = Vec::new();
    for line in dialogs.dialogs.iter().map(dialog) {
        match told.iter_mut().find(|(known, _)| *known == line) {
            Some((_, n)) => *n += 1,
            None => told.push((line, 1)),
        }
    }
    let n_others: usize = told.iter().skip(MAX_DIALOGS).map(|(_, n)| n).sum();
    told.truncate(MAX_DIALOGS);
    let line = |(line, n)| if n == 1 { line } else { format!("{line} ({n} times)") };
    let n_more = dialogs.n_more + n_others;
    let more = (n_more > 0).then(|| n_of(n_more, "more dialog"));
    told.into_iter().map(line).chain(more).collect()
}

fn dialog(dialog: &PageDialog) -> String {
    let message = Sanitized::line(&dialog.message);
    let message = one_line(message.as_ref(), MAX_NAME);
    match (dialog.kind.as_str(), dialog.accepted) {
        ("alert", _) => format!("the page said '{message}'"),
        ("beforeunload", _) => "left the page".to_owned(),
        (_, true) => format!("the page asked '{message}', the answer was yes"),
        (_, false) => format!("the page asked '{message}', the answer was no"),
    }
}
