//! The result of a walk, for programs and people.

use std::fmt::Write as _;

use serde::Serialize;

use crate::money::effect::Resources;
use crate::money::pico_usd::PicoUsd;
use crate::run::stop::Stop;
use crate::shared::{Sanitized, n_of};
use crate::walk::confidence::Confidence;
use crate::walk::guarded::GuardRecord;
use crate::walk::outcome::StepOutcome;
use crate::walk::pilot::phrases::topic_of;
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
    /// How far the result holds, between 0 and 1: the share of the goal's words that stand together
    /// in one sentence, row or item of the content, with the headings and the names of its place.
    /// Those that stand in the same passage alone count half. 0 without content.
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
    /// The extracts that make the content, in its order.
    #[serde(skip)]
    parts: Vec<PageExtract>,
    /// The reason for the end, as a word for machines.
    pub stop: String,
    /// The reason for the end, for people.
    pub stop_line: String,
}

/// A step of a walk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepReport {
    /// What was done.
    pub action: String,
    /// What came of it.
    pub result: String,
    /// What came of it in a word.
    pub outcome: StepOutcome,
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
        // A search puts the best first; links lead to the best at last.
        let best =
            if state.has_searched() && citations.is_empty() { cited.first() } else { cited.last() };
        let url = best.map(|extract| extract.address.clone());
        let url = url.or_else(|| Some(state.path.last()?.address.clone())).unwrap_or_default();
        let place = best.map(|extract| extract.place.clone()).unwrap_or_default();
        let topic = topic_of(goal, state.path.iter().any(|step| step.is_of_goal));
        let Confidence { value: confidence, reasons, missing, .. } =
            Confidence::of(&topic, &cited, !citations.is_empty());
        let cost = end.map(|end| end.cost_pico_usd).unwrap_or_default();
        let steps = state.path.iter().map(|step| StepReport {
            action: step.action.to_string(),
            result: step.result.clone(),
            outcome: step.outcome,
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
            parts: cited.into_iter().cloned().collect(),
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
        for (part, at) in self.parts.iter().zip(0..) {
            let space = if at > 0 { "\n" } else { "" };
            line(&format!("{space}{}", part.text));
            line(&format!("\nFrom: {}\n{}", part.place.join(" › "), part.address));
        }
        if let Some(cut) = self.parts.iter().find(|extract| !extract.left_out.is_empty()) {
            line(&format!("Cut{}", cut.rest()));
        }
        Sanitized::text(&text)
    }

    /// Returns the summary of the walk as Markdown: how it ended, its path with the results, what
    /// was asked and answered, and what the guard stopped.
    pub fn summary(&self, goal: &str) -> Sanitized {
        let mut text = format!("# Summary\n\nGoal: {}\n\n", goal.lines().next().unwrap_or(""));
        let steps = n_of(self.steps_taken, "step");
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

/// Returns the extracts that citations stand in; without citations all of them, what a search found
/// before what links led to, each text once.
fn cited<'s>(state: &'s WalkState, citations: &[String]) -> Vec<&'s PageExtract> {
    let has_one = |extract: &&PageExtract| {
        citations.is_empty() || citations.iter().any(|words| extract.has(words))
    };
    let n_by_links = state.n_extracts_before_search().min(state.extracts.len());
    let (by_links, found) = state.extracts.split_at(n_by_links);
    let mut cited: Vec<&PageExtract> = Vec::new();
    for extract in found.iter().chain(by_links).filter(has_one) {
        if !cited
            .iter()
            .any(|one| one.address == extract.address && one.text.contains(&extract.text))
        {
            cited.push(extract);
        }
    }
    cited
}
