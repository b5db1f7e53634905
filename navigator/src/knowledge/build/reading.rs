//! From recordings to what was seen: the steps of a walk, or all pages of a site.

use crate::knowledge::build::SeenSite;
use crate::knowledge::build::sighting::{ScreenSighting, SeenStep, SeenTask};
use crate::knowledge::model::{EffectClass, KnownRecord};
use crate::run::deadline::Deadline;
use crate::walk::action::WalkAction;
use crate::walk::screen::{EntryKind, Screen, ScreenEntry};
use crate::walk::session::{Move, WalkSession};
use crate::walk::state::{PathStep, WalkState};

/// The largest number of links of a page that count as ways to other pages.
const MAX_WAYS: usize = 40;

impl SeenSite {
    /// Takes note of a recorded walk: the session shows its screens, step by step.
    ///
    /// # Errors
    /// If the recording cannot be read.
    pub fn walk<S: WalkSession>(
        &mut self,
        record: KnownRecord,
        session: &mut S,
        state: &WalkState,
        goal: &str,
        deadline: &Deadline,
    ) -> Result<(), S::Error> {
        let number = self.begin(record);
        let first_step = self.steps.len();
        session.go(&Move::Start, deadline)?;
        let mut at = self.add(number, session.screen(), true);
        for (step, count) in state.path.iter().zip(1..) {
            let Some(to) = Move::of(&step.action).filter(|_| step.is_shown) else { continue };
            session.go(&to, deadline)?;
            let screen = session.screen();
            // Over HTTP each page is opened by its address; a folder of a page opens in place.
            let is_opened =
                matches!(to, Move::Open(_)) || !screen.is_live && screen.folders.is_empty();
            let after = self.add(number, screen, is_opened);
            self.steps.push(SeenStep {
                from: at,
                to: after,
                action: step.action.clone(),
                number: count,
                effect: effect_seen(step),
            });
            at = after;
        }
        let is_whole = state.ended.as_ref().is_some_and(|end| end.answer.is_some());
        if is_whole && self.steps.len() > first_step {
            let steps = first_step..self.steps.len();
            self.tasks.push(SeenTask { record: number, goal: goal.to_owned(), steps });
        }
        self.end(number);
        Ok(())
    }

    /// Takes note of the pages of a site, each of which its address opens. Links between them are
    /// ways.
    pub fn pages(&mut self, record: KnownRecord, screens: impl IntoIterator<Item = Screen>) {
        let number = self.begin(record);
        let first = self.sightings.len();
        for mut screen in screens {
            self.places.look(&screen, number);
            // Features and actions need no text, and a large manual has much of it.
            screen.sections.iter_mut().for_each(|section| section.text.clear());
            self.sightings.push(ScreenSighting::new(number, screen, true));
        }
        let mut places: Vec<(String, usize)> = self.sightings[first..]
            .iter()
            .zip(first..)
            .map(|(sighting, at)| (sighting.screen.address.clone(), at))
            .collect();
        places.sort();
        for from in first..self.sightings.len() {
            let ways = ways(&self.sightings[from].screen, &places);
            self.steps.extend(ways.into_iter().filter(|(_, to)| *to != from).map(
                |(action, to)| SeenStep { from, to, action, number: 0, effect: EffectClass::Reads },
            ));
        }
        self.end(number);
    }

    fn begin(&mut self, record: KnownRecord) -> usize {
        self.records.push(record);
        self.records.len() - 1
    }

    fn end(&mut self, record: usize) {
        let n = self.sightings.iter().filter(|sighting| sighting.record == record).count();
        self.records[record].n_screens = n;
    }

    fn add(&mut self, record: usize, screen: &Screen, is_opened: bool) -> usize {
        self.places.look(screen, record);
        self.sightings.push(ScreenSighting::new(record, screen.clone(), is_opened));
        self.sightings.len() - 1
    }
}

/// Returns the links of a page that lead to known pages: those of the content first.
fn ways(screen: &Screen, places: &[(String, usize)]) -> Vec<(WalkAction, usize)> {
    let mut entries: Vec<(usize, &ScreenEntry)> = (1..)
        .zip(&screen.entries)
        .filter(|(_, entry)| entry.kind == EntryKind::Link && entry.folders.is_empty())
        .collect();
    entries.sort_by_key(|(number, entry)| (!entry.is_content, *number));
    let known = entries.into_iter().filter_map(|(number, entry)| {
        let target = entry.target.as_deref()?;
        let page = target.split('#').next().unwrap_or(target);
        let found = places.binary_search_by(|(address, _)| address.as_str().cmp(page)).ok()?;
        Some((WalkAction::Click { number, label: entry.label.clone() }, places[found].1))
    });
    known.take(MAX_WAYS).collect()
}

/// Returns what a step did to the world.
fn effect_seen(step: &PathStep) -> EffectClass {
    let sends = step.sends || !step.refused.is_empty();
    match (&step.action, sends) {
        (_, true) => EffectClass::Sends,
        (WalkAction::Click { .. } | WalkAction::Open { .. } | WalkAction::Back, false) => {
            EffectClass::Reads
        }
        _ => EffectClass::None,
    }
}
