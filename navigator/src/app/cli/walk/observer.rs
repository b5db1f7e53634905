//! The command line as an observer of a walk: it stores the state, reports steps, and asks the
//! person if there is one.

use std::fmt;
use std::io;

use inquire::InquireError;
use repo_map::CancelToken;
use repo_map::cli::say;

use crate::app::cli::progress::{StepQuestion, Tell};
use crate::app::cli::walk::asker::Asker;
use crate::app::cli::walk::run::WalkRun;
use crate::app::terminal;
use crate::model::retry::Retries;
use crate::money::effect::{Effect, Resources, SentField};
use crate::run::report::next_line;
use crate::run::text::one_line;
use crate::shared::n_of;
use crate::walk::pilot::view::view;
use crate::walk::screen::Screen;
use crate::walk::session::EffectAnswer;
use crate::walk::state::{PathStep, WalkState};
use crate::walk::steps::observer::{WalkCheckpoint, WalkDirective, WalkObserver};
use crate::walk::steps::turn_report::WalkTurnReport;

/// The longest text around a control in a question, in characters.
const MAX_BESIDE: usize = 80;

/// The observer of `navigator browse`.
pub(in crate::app::cli) struct BrowseObserver<'a> {
    pub(in crate::app::cli) tell: Tell,
    pub(in crate::app::cli) folder: Option<&'a WalkRun>,
    pub(in crate::app::cli) interactive: bool,
    /// The program that is asked, in place of a person at the terminal.
    pub(in crate::app::cli) asker: Option<Asker>,
    /// Each step has a line.
    pub(in crate::app::cli) is_verbose: bool,
    /// The walk cannot spend money.
    pub(in crate::app::cli) is_free: bool,
    pub(in crate::app::cli) interrupted: &'a CancelToken,
    pub(in crate::app::cli) view_tokens: u32,
    pub(in crate::app::cli) goal: &'a str,
    pub(in crate::app::cli) last: LastEffect,
}

/// What is known of the effect that is asked about, or was asked about last.
#[derive(Debug, Default)]
pub(in crate::app::cli) struct LastEffect {
    /// The fields of its request.
    fields: Vec<SentField>,
    /// The text around its control, where others have the same name.
    beside: Option<String>,
    /// The narrowest rule that would allow its request.
    rule: Option<String>,
    /// What was said of its refusal, which the complaint about it would say again.
    told: Option<String>,
}

/// The choices before an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EffectChoice {
    No,
    Yes,
    Never,
}

impl fmt::Display for EffectChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EffectChoice::No => "no",
            EffectChoice::Yes => "yes",
            EffectChoice::Never => "no, and do not ask again in this walk",
        })
    }
}

/// The choices before a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepChoice {
    Continue,
    StopHere,
    Feedback,
    ShowPage,
    Quit,
}

impl fmt::Display for StepChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StepChoice::Continue => "continue",
            StepChoice::StopHere => "stop here: print what was extracted and end",
            StepChoice::Feedback => "feedback: tell the pilot something",
            StepChoice::ShowPage => "show page",
            StepChoice::Quit => "quit without output",
        })
    }
}

impl WalkObserver for BrowseObserver<'_> {
    fn keep(&mut self, state: &WalkState) -> io::Result<()> {
        let kept = self.folder.map_or(Ok(()), |folder| folder.keep(state));
        // Without money at stake the walk goes on: its end writes the state again.
        if self.is_free { Ok(()) } else { kept }
    }

    fn searching(&mut self, needs: Resources) {
        let within = match needs.requests {
            0 => "among the pages that are known".to_owned(),
            requests => format!("with at most {}", n_of(requests, "request")),
        };
        self.tell.waiting(&format!("searching the site, {within}"));
    }

    fn step(&mut self, step: &PathStep, screen: &Screen) {
        // The report of the turn has it.
        self.tell.step(step, screen, self.is_verbose && !self.interactive);
    }

    fn turn(&mut self, report: &WalkTurnReport) {
        if self.interactive {
            say(report.text(textwrap::termwidth()));
        }
    }

    fn complaint(&mut self, complaint: &str) {
        let is_told = self.last.told.take().is_some_and(|told| told.starts_with(complaint));
        if !self.interactive && !is_told {
            self.tell.waiting(complaint);
        }
    }

    fn fields(&mut self, fields: &[SentField]) {
        self.last.fields = fields.to_vec();
    }

    fn rule(&mut self, rule: Option<&str>) {
        self.last.rule = rule.map(str::to_owned);
    }

    fn beside(&mut self, beside: Option<&str>) {
        self.last.beside = beside.map(|beside| one_line(beside, MAX_BESIDE));
    }

    fn approve(&mut self, step: &str, effect: &Effect) -> EffectAnswer {
        let fields = std::mem::take(&mut self.last.fields);
        let beside = self.last.beside.take();
        let rule = self.last.rule.take();
        if let Some(asker) = &mut self.asker {
            let asked = StepQuestion { step, effect, beside: beside.as_deref(), fields: &fields };
            return asker.ask(asked, self.interrupted);
        }
        let row = beside.map_or_else(String::new, |text| format!(" beside '{text}'"));
        if !self.interactive {
            let told = format!(
                "`{step}` was refused: it {effect}{row}, and there is no terminal to ask at{}",
                way_out(effect, rule.as_deref())
            );
            self.tell.waiting(&told);
            self.last.told = Some(told);
            return EffectAnswer::Never;
        }
        let (question, choices) = match effect {
            Effect::Reads { .. } => ("Allow it for this walk?", vec![]),
            Effect::Sends { .. } => ("Allow it once?", vec![EffectChoice::Never]),
            Effect::None | Effect::Destroys { .. } => ("Allow it once?", vec![]),
        };
        let values = values(&fields);
        let question = format!("`{step}` {effect}{row}{values}. {question}");
        let choices = [EffectChoice::No, EffectChoice::Yes].into_iter().chain(choices).collect();
        match terminal::choose_effect(question, choices, self.interrupted) {
            Ok(EffectChoice::Yes) => EffectAnswer::Yes,
            Ok(EffectChoice::Never) => EffectAnswer::Never,
            Ok(EffectChoice::No) | Err(_) => EffectAnswer::No,
        }
    }

    fn next(&mut self, checkpoint: &WalkCheckpoint<'_>) -> WalkDirective {
        if !self.interactive {
            self.tell.next_step(checkpoint);
            return WalkDirective::GoOn;
        }
        let place = checkpoint.screen.place().join(" › ");
        let attempts = Retries::default().attempts;
        let next = next_line(checkpoint.projection, checkpoint.purse, attempts);
        let line = format!("On `{place}`. {} left. {next}", n_of(checkpoint.steps_left, "step"));
        let choices = vec![
            StepChoice::Continue,
            StepChoice::StopHere,
            StepChoice::Feedback,
            StepChoice::ShowPage,
            StepChoice::Quit,
        ];
        loop {
            say(textwrap::fill(&line, textwrap::termwidth()));
            let chosen = terminal::choose("Go on?".to_owned(), choices.clone(), self.interrupted);
            match chosen {
                Ok(StepChoice::Continue) => return WalkDirective::GoOn,
                Ok(StepChoice::StopHere) => return WalkDirective::StopHere,
                Ok(StepChoice::Quit) => return WalkDirective::Quit,
                Ok(StepChoice::ShowPage) => {
                    terminal::show(&view(checkpoint.screen, self.goal, self.view_tokens));
                }
                Ok(StepChoice::Feedback) => match terminal::feedback(self.interrupted) {
                    Ok(Some(words)) => return WalkDirective::Say(words),
                    Ok(None) => {}
                    Err(_) => return WalkDirective::Interrupt,
                },
                // Esc does not undo earlier answers.
                Err(InquireError::OperationCanceled) => {}
                Err(_) => return WalkDirective::Interrupt,
            }
        }
    }
}

/// Returns what a request would send, in words: `: item = '3', size = 'L'`.
pub(in crate::app::cli) fn values(fields: &[SentField]) -> String {
    let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
    if fields.is_empty() { String::new() } else { format!(": {}", fields.join(", ")) }
}

/// Says how an effect is allowed: by the rule for its request or its control alone, if there is
/// one. A page chose the name, which a person may copy into a shell: one with signs that end quotes
/// is not repeated.
fn way_out(effect: &Effect, rule: Option<&str>) -> String {
    let (kind, name, other) = match effect {
        Effect::None => return String::new(),
        Effect::Reads { host } => ("reads", host, "HOST"),
        Effect::Sends { host, .. } => ("sends", host, "HOST"),
        Effect::Destroys { what } => ("destroys", what, "NAME"),
    };
    let permit = quoted(&format!("{kind}:{name}"));
    let permit = permit.unwrap_or_else(|| format!("{kind}:{other}"));
    let all = match effect {
        Effect::Sends { .. } => "all that is sent there",
        _ => "all of that name",
    };
    match rule.and_then(quoted) {
        Some(rule) => format!(" (`--allow {rule}` allows it, `--allow {permit}` {all})"),
        None => format!(" (`--allow {permit}` allows it)"),
    }
}

/// Returns a word for a shell; `None` if it has signs that end quotes.
fn quoted(word: &str) -> Option<String> {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || ".:-_/%~".contains(c);
    match word {
        word if word.chars().all(is_bare) => Some(word.to_owned()),
        word if word.contains(['\'', '`', '\\']) || word.contains(char::is_control) => None,
        word => Some(format!("'{word}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_out_can_be_copied_into_a_shell() {
        let of = |what: &str| way_out(&Effect::Destroys { what: what.to_owned() }, None);
        assert_eq!(of("Delete"), " (`--allow destroys:Delete` allows it)");
        assert_eq!(of("Delete $all"), " (`--allow 'destroys:Delete $all'` allows it)");
        assert_eq!(of("Delete'; reboot; '"), " (`--allow destroys:NAME` allows it)");
        let reads = way_out(&Effect::Reads { host: "a.example;reboot".to_owned() }, None);
        assert_eq!(reads, " (`--allow 'reads:a.example;reboot'` allows it)");
        let delete = Effect::Destroys { what: "Delete".to_owned() };
        let all = "`--allow destroys:Delete` all of that name";
        assert_eq!(
            way_out(&delete, Some("destroys:Delete beside Bread")),
            format!(" (`--allow 'destroys:Delete beside Bread'` allows it, {all})")
        );
        let told = " (`--allow destroys:Delete` allows it)";
        assert_eq!(way_out(&delete, Some("destroys:Delete beside Bread's")), told);
    }

    #[test]
    fn the_way_out_of_sending_is_the_request_before_the_host() {
        let what = "POST /cart (fields: n)".to_owned();
        let sends = Effect::Sends { host: "a.example:8080".to_owned(), what };
        let all = "`--allow sends:a.example:8080`";
        for (rule, told) in [
            ("POST:http://a.example:8080/cart", "POST:http://a.example:8080/cart"),
            ("POST:http://a.example:8080/a;b", "'POST:http://a.example:8080/a;b'"),
        ] {
            let expected = format!(" (`--allow {told}` allows it, {all} all that is sent there)");
            assert_eq!(way_out(&sends, Some(rule)), expected);
        }
        for rule in [None, Some("POST:http://a.example:8080/it's")] {
            assert_eq!(way_out(&sends, rule), format!(" ({all} allows it)"));
        }
    }
}
