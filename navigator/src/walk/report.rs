//! The result of a walk, for programs and people.

use std::fmt::Write as _;

use serde::Serialize;

use crate::money::effect::Resources;
use crate::money::pico_usd::PicoUsd;
use crate::run::stop::Stop;
use crate::run::text::n_of;
use crate::shared::Sanitized;
use crate::walk::guarded::GuardRecord;
use crate::walk::pilot::evidence::{WalkGoal, words_of};
use crate::walk::state::{PageExtract, WalkState, WalkTokens};
use crate::walk::steps::Walked;

/// The result of a walk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkReport {
    /// The walk ended with an answer that rests on extracts.
    pub success: bool,
    /// The answer of the pilot; `None` without one.
    pub answer: Option<String>,
    /// What was extracted: the parts that the answer cites, else all of it.
    pub content: String,
    /// The address of the page that the content is from; the last page without content.
    pub url: String,
    /// The names of the places from the outermost one to the content.
    pub breadcrumb: Vec<String>,
    /// Why there is no answer; empty if there is one.
    pub error: String,
    /// Each step with its result.
    pub path_taken: Vec<StepReport>,
    /// What was asked and answered, and what the guard of a browser stopped.
    pub guard: GuardRecord,
    /// The tokens of all requests and replies.
    pub tokens_used: WalkTokens,
    /// The number of steps.
    pub steps_taken: u32,
    /// The requests and bytes used.
    pub resources: Resources,
    /// The spend, in USD.
    pub cost_usd: f64,
    /// The spend, in pico-USD.
    pub cost_pico_usd: PicoUsd,
    /// How far the result holds, between 0 and 1: the share of the goal's words in the content and
    /// the names of its place; 0 without content.
    pub confidence: f64,
    /// What the confidence rests on.
    pub reasons: Vec<String>,
    /// The words of the goal that neither the content nor the names of its place have; empty
    /// without content.
    pub missing: Vec<String>,
    /// Words that the answer rests on; each stands in the content.
    pub citations: Vec<String>,
    /// All extracts.
    pub extracts: Vec<PageExtract>,
    /// The reason for the end, as a word for machines.
    pub stop: String,
    /// The reason for the end, for people.
    pub stop_line: String,
}

/// The longest passage that is read at once where its paragraphs are shorter, in bytes.
const MAX_PASSAGE: usize = 1_200;

/// A step of a walk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepReport {
    /// What was done.
    pub action: String,
    /// What came of it.
    pub result: String,
    /// The address after it.
    pub url: String,
    /// The pilot's reason.
    pub why: String,
}

impl WalkReport {
    /// Reports a walk.
    pub fn of(walked: &Walked, goal: &str) -> WalkReport {
        WalkReport::of_state(&walked.state, goal, walked.used)
    }

    /// Reports an ended walk from its state.
    pub fn of_state(state: &WalkState, goal: &str, resources: Resources) -> WalkReport {
        let end = state.ended.as_ref();
        let answer = end.and_then(|end| end.answer.clone());
        let citations = end.map(|end| end.citations.clone()).unwrap_or_default();
        let cited = cited(state, &citations);
        let content: Vec<&str> = cited.iter().map(|extract| extract.text.as_str()).collect();
        let content = content.join("\n\n");
        let last = cited.last();
        let url = last.map(|extract| extract.address.clone());
        let url = url.or_else(|| Some(state.path.last()?.address.clone())).unwrap_or_default();
        let place = last.map(|extract| extract.place.clone()).unwrap_or_default();
        let (confidence, reasons, missing) = confidence(goal, &place, &content, &citations);
        let cost = end.map(|end| end.cost_pico_usd).unwrap_or_default();
        let steps = state.path.iter().map(|step| StepReport {
            action: step.action.to_string(),
            result: step.result.clone(),
            url: step.address.clone(),
            why: step.why.clone(),
        });
        WalkReport {
            success: answer.is_some(),
            error: match &answer {
                Some(_) => String::new(),
                None => end.map(|end| end.line.clone()).unwrap_or_default(),
            },
            answer,
            content,
            url,
            breadcrumb: place,
            path_taken: steps.collect(),
            guard: state.guarded.clone(),
            tokens_used: state.tokens,
            steps_taken: state.n_steps(),
            resources,
            cost_usd: cost.0 as f64 / 1e12,
            cost_pico_usd: cost,
            confidence,
            reasons,
            missing,
            citations,
            extracts: state.extracts.clone(),
            stop: end.map_or_else(|| Stop::Interrupted.as_str().to_owned(), |end| end.stop.clone()),
            stop_line: end.map(|end| end.line.clone()).unwrap_or_default(),
        }
    }

    /// Returns the report for people: the answer, where it stands, and the path.
    pub fn text(&self) -> Sanitized {
        let mut text = String::new();
        let mut line = |line: &str| {
            text.push_str(line);
            text.push('\n');
        };
        match &self.answer {
            Some(answer) if *answer != self.content => line(&format!("{answer}\n")),
            _ => {}
        }
        if !self.content.is_empty() {
            line(&self.content);
            line(&format!("\nFrom: {}\n{}", self.breadcrumb.join(" › "), self.url));
            if let Some(cut) = self.extracts.iter().find(|extract| !extract.left_out.is_empty()) {
                line(&format!("Cut{}", cut.rest()));
            }
        }
        Sanitized::text(&text)
    }

    /// Returns the summary of the walk as Markdown: how it ended, its path with the results, what
    /// was asked and answered, and what the guard stopped.
    pub fn summary(&self, goal: &str) -> Sanitized {
        let mut text = format!("# Summary\n\nGoal: {}\n\n", goal.lines().next().unwrap_or(""));
        let steps = n_of(self.steps_taken as usize, "step");
        let _ = writeln!(text, "- Ended: {}", self.stop_line);
        let _ = writeln!(text, "- Walk: {steps}, {} spent", self.cost_pico_usd);
        if !self.guard.is_empty() {
            let _ = writeln!(text, "- Guard: {}", self.guard.counts().join(", "));
        }
        text.push_str("\n## Path\n\n");
        for (step, number) in self.path_taken.iter().zip(1..) {
            let _ = writeln!(text, "{number}. {} → {}", step.action, step.result);
        }
        text.push_str(&self.guard.listed());
        text.as_str().into()
    }
}

/// Returns the extracts that citations stand in; all of them without citations.
fn cited<'s>(state: &'s WalkState, citations: &[String]) -> Vec<&'s PageExtract> {
    let has_one = |extract: &&PageExtract| {
        citations.is_empty() || citations.iter().any(|words| extract.has(words))
    };
    state.extracts.iter().filter(has_one).collect()
}

/// Returns the confidence, its reasons, and the words of the goal that are missing.
fn confidence(
    goal: &str,
    place: &[String],
    content: &str,
    citations: &[String],
) -> (f64, Vec<String>, Vec<String>) {
    if content.is_empty() {
        return (0.0, vec!["nothing was extracted".to_owned()], Vec::new());
    }
    let goal = WalkGoal::of(goal);
    let weights = goal.equal();
    let place = place.join(" ");
    let text = format!("{place} {content}");
    let words = words_of(&text);
    let together =
        passages(content).map(|passage| weights.share(&words_of(&format!("{place} {passage}"))));
    let together = together.fold(0.0, f64::max);
    let share = goal.share_with_names(together, &text);
    let mut reasons = vec![format!(
        "{:.0} % of the goal's words stand together in the content or in the names of its place",
        100.0 * share
    )];
    if together < weights.share(&words) {
        reasons.push("others stand apart from them".to_owned());
    }
    if !citations.is_empty() {
        reasons.push("each citation stands in the content".to_owned());
    }
    let mut missing = weights.missing(&words);
    missing.extend(goal.missing_names(&text));
    let missing = missing.into_iter().map(str::to_owned).collect();
    ((100.0 * share).round() / 100.0, reasons, missing)
}

/// Returns the passages of a content that are read at once: paragraphs in a row, as many as fit. In
/// a long content the words of a goal stand somewhere.
fn passages(content: &str) -> impl Iterator<Item = String> {
    let paragraphs: Vec<&str> = content.split("\n\n").collect();
    (0..paragraphs.len()).map(move |first| {
        let mut passage = paragraphs[first].to_owned();
        for next in &paragraphs[first + 1..] {
            if passage.len() + next.len() > MAX_PASSAGE {
                break;
            }
            passage = format!("{passage}\n\n{next}");
        }
        passage
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_stand_apart_are_less_sure_than_words_together() {
        let filler = "It goes on about other things. ".repeat(50);
        let of = |content: &str| confidence("drain the coolant pump", &[], content, &[]).0;
        let together =
            format!("{filler}\n\nDrain the coolant.\n\nThen remove the pump.\n\n{filler}");
        let apart = format!("Drain it.\n\n{filler}\n\nThe coolant is red.\n\n{filler}\n\nA pump.");
        assert_eq!((of(&together), of(&apart)), (1.0, 0.33));
    }
}
