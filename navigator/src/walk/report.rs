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
use crate::walk::pilot::literal::is_of_goal;
use crate::walk::pilot::phrases::{is_question, without_orders};
use crate::walk::state::{PageExtract, WalkState, WalkTokens};
use crate::walk::statements::statements;
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
    /// The reason for the end, as a word for machines.
    pub stop: String,
    /// The reason for the end, for people.
    pub stop_line: String,
}

/// The longest passage where its paragraphs are shorter, in bytes.
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
        let topic = topic_of(goal, state);
        let Confidence { value: confidence, reasons, missing } =
            Confidence::of(&topic, &cited, !citations.is_empty());
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

/// How far the content of a walk holds.
struct Confidence {
    value: f64,
    reasons: Vec<String>,
    missing: Vec<String>,
}

impl Confidence {
    /// Measures extracts, each with the names of its own place. All of the goal is in one statement
    /// of them, or the value is lower: what stands in one passage and not in one statement counts
    /// half.
    fn of(goal: &str, extracts: &[&PageExtract], is_cited: bool) -> Confidence {
        if extracts.iter().all(|extract| extract.text.is_empty()) {
            let reasons = vec!["nothing was extracted".to_owned()];
            return Confidence { value: 0.0, reasons, missing: Vec::new() };
        }
        let goal = WalkGoal::of(goal);
        let weights = goal.equal();
        let place = |extract: &PageExtract| extract.place.join(" ");
        let best = |parts: &dyn Fn(&str) -> Vec<String>| {
            let shares = extracts.iter().flat_map(|extract| {
                let place = place(extract);
                let with_place = move |part: String| words_of(&format!("{place} {part}"));
                parts(&extract.text).into_iter().map(with_place)
            });
            shares.map(|words| weights.share(&words)).fold(0.0, f64::max)
        };
        let stated = best(&statements);
        let together = best(&passages).max(stated);
        let texts = extracts.iter().map(|extract| format!("{}\n{}", place(extract), extract.text));
        let text = texts.collect::<Vec<_>>().join("\n");
        let words = words_of(&text);
        let value = goal.share_with_names((stated + together) / 2.0, &text);
        let mut reasons = vec![format!(
            "{:.0} % of the goal's words stand in one sentence, row or item, with the headings \
             and names of its place",
            100.0 * goal.share_with_names(stated, &text)
        )];
        if stated < together {
            let together = 100.0 * goal.share_with_names(together, &text);
            reasons.push(format!("{together:.0} % stand in one passage, and count half"));
        }
        if together < weights.share(&words) {
            reasons.push("others stand apart from them".to_owned());
        }
        if is_cited {
            reasons.push("each citation stands in the content".to_owned());
        }
        let mut missing = weights.missing(&words);
        missing.extend(goal.missing_names(&text));
        missing.extend(goal.missing_numbers(&text));
        let missing = missing.into_iter().map(str::to_owned).collect();
        let rounded = (100.0 * value).round() / 100.0;
        // What is nearly all is not all.
        let value = if value < 1.0 - f64::EPSILON { rounded.min(0.99) } else { rounded };
        Confidence { value, reasons, missing }
    }
}

/// Returns what a goal is about: where a walk did what the goal says to do, without the words for
/// that.
fn topic_of(goal: &str, state: &WalkState) -> String {
    let is_order = !is_question(goal) && state.path.iter().any(|step| is_of_goal(&step.why));
    if is_order { without_orders(goal) } else { goal.to_owned() }
}

/// Returns the passages of a text: paragraphs in a row, as many as fit. In a long text the words of
/// a goal stand somewhere.
fn passages(text: &str) -> Vec<String> {
    let paragraphs: Vec<&str> = text.split("\n\n").collect();
    let passage = |first: usize| {
        let mut passage = paragraphs[first].to_owned();
        for next in &paragraphs[first + 1..] {
            if passage.len() + next.len() > MAX_PASSAGE {
                break;
            }
            passage = format!("{passage}\n\n{next}");
        }
        passage
    };
    (0..paragraphs.len()).map(passage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extract(place: &[&str], text: &str) -> PageExtract {
        PageExtract {
            address: String::new(),
            place: place.iter().map(|name| (*name).to_owned()).collect(),
            text: text.to_owned(),
            left_out: Vec::new(),
        }
    }

    fn confidence(goal: &str, extracts: &[PageExtract]) -> f64 {
        Confidence::of(goal, &extracts.iter().collect::<Vec<_>>(), false).value
    }

    #[test]
    fn words_that_stand_apart_are_less_sure_than_words_together() {
        let filler = "It goes on about other things. ".repeat(50);
        let of = |text: &str| confidence("drain the coolant pump", &[extract(&[], text)]);
        let stated = format!("{filler}\n\nDrain the coolant from the pump. {filler}");
        let passage =
            format!("{filler}\n\nDrain the coolant.\n\nThen remove the pump.\n\n{filler}");
        let apart = format!("Drain it.\n\n{filler}\n\nThe coolant is red.\n\n{filler}\n\nA pump.");
        assert_eq!((of(&stated), of(&passage), of(&apart)), (1.0, 0.83, 0.33));
    }

    #[test]
    fn words_that_meet_by_chance_are_not_sure() {
        let table = "| Year | Coolant | Oil |\n|---|---|---|\n| 2011 | 5 l | 4 l |";
        let rows = format!("{table}\n| 2012 | 6 l | 4 l |");
        let of = |goal: &str, extracts: &[PageExtract]| confidence(goal, extracts);
        // The header of a table belongs to each row, and another row does not.
        assert_eq!(of("coolant 2012", &[extract(&["Capacities"], &rows)]), 1.0);
        let list = "The rear lamp has 5 watts.\n\n- Rear window: heated\n- Front lamp: see below";
        assert!(of("rear window lamp", &[extract(&["Parts"], list)]) < 1.0);
        let two = [extract(&["Prices", "Rome"], "Apples: 3"), extract(&["Fruit"], "Pears: sweet")];
        assert!(of("price of pears in Rome", &two) < 0.7);
        // A number is that of the thing, and no other one beside it.
        assert!(of("what does item 240 cost", &[extract(&[], "Item 80 costs 240.")]) < 1.0);
        assert!(of("what does item 240 cost", &[extract(&[], "Item 240 costs 720.")]) > 0.8);
        // What is named by its place needs no word for it.
        let named = [extract(&["Prices", "Rome"], "Fruit:\n\n- Pears: 2")];
        assert_eq!(of("price of pears in Rome", &named), 1.0);
    }
}
