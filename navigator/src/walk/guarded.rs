//! What a walk asked the person, what the answers were, and what the guard of its browser stopped.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::run::text::one_line;
use crate::shared::n_of;

/// The most questions that are kept; more are counted.
const MAX_KEPT_QUESTIONS: usize = 100;
/// The most kinds of stopped requests that are kept; more are counted.
const MAX_KEPT_STOPPED: usize = 200;
/// The most of them in one step: a page that sends with each key leaves room for later steps.
const MAX_STOPPED_IN_STEP: usize = 5;
/// The longest question, request or reason, in characters.
const MAX_LINE: usize = 300;

/// What a walk asked, and what was stopped, from its beginning on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GuardRecord {
    /// The questions with their answers, in order.
    pub questions: Vec<AnsweredQuestion>,
    /// The number of all questions.
    pub n_questions: usize,
    /// The number of those with the answer yes.
    pub n_yes: usize,
    /// The requests that were stopped, in the order of the first of each kind.
    pub stopped: Vec<StoppedInStep>,
    /// The number of all stopped requests.
    pub n_stopped: usize,
}

/// A question to the person, or to a program in their place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnsweredQuestion {
    /// The number of the step, from 1; 0 is the first page.
    pub step: u32,
    /// What the step would do, as a predicate, with the text that it types. Secrets are
    /// placeholders.
    pub question: String,
    /// The answer was yes.
    pub yes: bool,
}

/// Requests of one kind that were stopped in a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoppedInStep {
    /// The number of the step, from 1; 0 is the first page.
    pub step: u32,
    /// The requests.
    #[serde(flatten)]
    pub stopped: StoppedRequest,
}

/// Requests of one kind that were stopped. Secrets are masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoppedRequest {
    /// The host that they were for.
    pub host: String,
    /// The request, without values: `POST /orders (fields: item)`.
    pub request: String,
    /// The reason.
    pub reason: String,
    /// Their number.
    pub n: usize,
}

impl StoppedRequest {
    /// Requests of which only their number is known.
    #[cfg(feature = "browser")]
    pub(crate) fn unnamed(n: usize) -> StoppedRequest {
        let request = "further requests".to_owned();
        StoppedRequest { host: String::new(), request, reason: "too many to keep".to_owned(), n }
    }

    fn bounded(&self) -> StoppedRequest {
        let (host, request, reason) = (line(&self.host), line(&self.request), line(&self.reason));
        StoppedRequest { host, request, reason, n: self.n }
    }

    fn is_like(&self, other: &StoppedRequest) -> bool {
        self.host == other.host && self.request == other.request && self.reason == other.reason
    }
}

impl GuardRecord {
    /// Keeps a question with its answer.
    pub(crate) fn asked(&mut self, step: u32, question: &str, yes: bool) {
        self.n_questions = self.n_questions.saturating_add(1);
        self.n_yes = self.n_yes.saturating_add(usize::from(yes));
        if self.questions.len() < MAX_KEPT_QUESTIONS {
            self.questions.push(AnsweredQuestion { step, question: line(question), yes });
        }
    }

    /// Keeps what was stopped in a step; those that are alike as one, with their number.
    pub(crate) fn stopped(&mut self, step: u32, stopped: &[StoppedRequest]) {
        for one in stopped.iter().map(StoppedRequest::bounded) {
            self.n_stopped = self.n_stopped.saturating_add(one.n);
            let is_like =
                |known: &&mut StoppedInStep| known.step == step && known.stopped.is_like(&one);
            if let Some(known) = self.stopped.iter_mut().find(is_like) {
                known.stopped.n = known.stopped.n.saturating_add(one.n);
            } else if self.has_room(step) {
                self.stopped.push(StoppedInStep { step, stopped: one });
            }
        }
    }

    fn has_room(&self, step: u32) -> bool {
        let n_in_step = self.stopped.iter().filter(|known| known.step == step).count();
        n_in_step < MAX_STOPPED_IN_STEP && self.stopped.len() < MAX_KEPT_STOPPED
    }

    /// Reports whether nothing was asked and nothing stopped.
    pub(crate) fn is_empty(&self) -> bool {
        self.n_questions == 0 && self.n_stopped == 0
    }

    /// Says how much was asked and stopped: `2 questions (1 yes)`, `3 requests stopped`.
    pub(crate) fn counts(&self) -> Vec<String> {
        let asked = (self.n_questions > 0)
            .then(|| format!("{} ({} yes)", n_of(self.n_questions, "question"), self.n_yes));
        let stopped =
            (self.n_stopped > 0).then(|| format!("{} stopped", n_of(self.n_stopped, "request")));
        asked.into_iter().chain(stopped).collect()
    }

    /// Lists the questions after the first ones, and says how many more were not kept.
    pub(crate) fn asked_after(&self, n_before: usize) -> Vec<String> {
        let kept = self.questions.iter().skip(n_before).map(ToString::to_string);
        let mut asked: Vec<String> = kept.collect();
        let n_more = self.n_questions.saturating_sub(n_before).saturating_sub(asked.len());
        asked.extend((n_more > 0).then(|| n_of(n_more, "more question")));
        asked
    }

    /// Lists the questions and what was stopped, as Markdown; empty without any.
    pub(crate) fn listed(&self) -> String {
        let asked: Vec<String> = self.questions.iter().map(ToString::to_string).collect();
        let stopped: Vec<String> = self.stopped.iter().map(ToString::to_string).collect();
        // The numbers may be of a file that somebody changed.
        let n_more = self.n_questions.saturating_sub(self.questions.len());
        let kinds = self.stopped.iter().map(|one| one.stopped.n);
        let n_more_stopped = kinds.fold(self.n_stopped, usize::saturating_sub);
        list("Asked", asked, n_more) + &list("Stopped by the guard", stopped, n_more_stopped)
    }
}

impl fmt::Display for AnsweredQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = if self.yes { "yes" } else { "no" };
        write!(f, "{}: {}: {answer}", StepPlace(self.step), self.question)
    }
}

impl fmt::Display for StoppedInStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StoppedRequest { host, request, reason, n } = &self.stopped;
        write!(f, "{}: {request}", StepPlace(self.step))?;
        if !host.is_empty() {
            write!(f, " to `{host}`")?;
        }
        if *n > 1 {
            write!(f, ", {n} times")?;
        }
        write!(f, ": {reason}")
    }
}

/// The name of a step by its number.
struct StepPlace(u32);

impl fmt::Display for StepPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("first page"),
            step => write!(f, "step {step}"),
        }
    }
}

/// Returns a heading with lines below it, and how many more there are.
fn list(head: &str, lines: Vec<String>, n_more: usize) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let more = (n_more > 0).then(|| format!("{n_more} more"));
    let lines = lines.into_iter().chain(more).map(|line| format!("- {line}\n"));
    format!("\n## {head}\n\n{}", lines.collect::<String>())
}

fn line(text: &str) -> String {
    one_line(text, MAX_LINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_bounded_and_counts_what_it_leaves_out() {
        let mut record = GuardRecord::default();
        let request = |path: usize| StoppedRequest {
            host: "a.example".to_owned(),
            request: format!("POST /{path}{}", "x".repeat(1_000)),
            reason: "a line\u{1b}[2J\nof a page".to_owned(),
            n: 2,
        };
        for step in 0..150 {
            record.asked(step, &format!("question {step}"), step % 2 == 0);
            for path in 0..7 {
                record.stopped(step, &[request(path), request(0)]);
            }
        }
        assert_eq!((record.questions.len(), record.n_questions, record.n_yes), (100, 150, 75));
        assert_eq!((record.stopped.len(), record.n_stopped), (200, 150 * 7 * 4));
        assert_eq!(record.counts(), ["150 questions (75 yes)", "4200 requests stopped"]);
        let listed = record.listed();
        assert!(listed.len() < 90_000 && !listed.contains('\u{1b}'), "{listed}");
        assert!(listed.contains("- first page: question 0: yes\n"), "{listed}");
        assert!(listed.contains("- step 39: POST /4"), "{listed}");
        assert!(listed.contains(" to `a.example`, 16 times: a line"), "{listed}");
        assert!(listed.contains("\n- 50 more\n"), "{listed}");
        assert!(listed.ends_with(&format!("\n- {} more\n", 4200 - 40 * (16 + 4 * 2))), "{listed}");
    }

    #[test]
    fn the_questions_of_a_turn_are_told_though_they_are_not_kept() {
        let mut record = GuardRecord::default();
        for step in 1..=150 {
            record.asked(step, "sends POST /", false);
        }
        let told = ["step 100: sends POST /: no", "50 more questions"];
        assert_eq!(record.asked_after(99), told);
        assert_eq!(record.asked_after(149), ["1 more question"]);
        assert!(record.asked_after(150).is_empty());
        // A file of the run may have been edited.
        let most = usize::MAX;
        let mut record = GuardRecord { n_questions: most, n_stopped: most, ..record };
        record.asked(1, "sends POST /", false);
        record.stopped(1, &[StoppedRequest::unnamed(1)]);
        assert_eq!((record.n_questions, record.n_stopped), (most, most));
    }

    #[test]
    fn numbers_of_a_changed_file_are_listed_without_a_fault() {
        let record = r#"{
            "questions": [{ "step": 1, "question": "q", "yes": true }], "n_questions": 0,
            "n_yes": 9, "n_stopped": 1, "stopped": [
                { "step": 1, "host": "", "request": "r", "reason": "w", "n": 18446744073709551615 },
                { "step": 2, "host": "", "request": "r", "reason": "w", "n": 7 }
            ]
        }"#;
        let record: GuardRecord = serde_json::from_str(record).unwrap();
        let listed = record.listed();
        assert!(listed.contains("- step 1: q: yes\n") && !listed.contains("more"), "{listed}");
        assert_eq!(record.asked_after(5), [""; 0]);
    }
}
