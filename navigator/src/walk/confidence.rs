//! How far the content of a walk holds: the words of the goal that stand together in it.

use crate::walk::pilot::evidence::{WalkGoal, evidence_words};
use crate::walk::state::PageExtract;
use crate::walk::statements::statements;

/// The longest passage where its paragraphs are shorter, in bytes.
const MAX_PASSAGE: usize = 1_200;

/// How far the content of a walk holds.
pub(crate) struct Confidence {
    pub(crate) value: f64,
    /// The share of the goal that stands in one statement.
    pub(crate) stated: f64,
    pub(crate) reasons: Vec<String>,
    pub(crate) missing: Vec<String>,
}

impl Confidence {
    /// Measures extracts, each with the names of its own place. All of the goal is in one statement
    /// of them, or the value is lower: what stands in one passage and not in one statement counts
    /// half, and code counts for a goal with names of code alone.
    pub(crate) fn of(goal: &str, extracts: &[&PageExtract], is_cited: bool) -> Confidence {
        if extracts.iter().all(|extract| extract.text.is_empty()) {
            let reasons = vec!["nothing was extracted".to_owned()];
            return Confidence { value: 0.0, stated: 0.0, reasons, missing: Vec::new() };
        }
        let goal = WalkGoal::of(goal);
        let weights = goal.equal();
        let place = |extract: &PageExtract| extract.place.join(" ");
        let best = |parts: &dyn Fn(&str) -> Vec<String>| {
            let shares = extracts.iter().flat_map(|extract| {
                let place = place(extract);
                let with_place = move |part: String| evidence_words(&format!("{place} {part}"));
                parts(&goal.evidence_of(&extract.text)).into_iter().map(with_place)
            });
            shares.map(|words| weights.share(&words)).fold(0.0, f64::max)
        };
        let stated = best(&statements);
        let together = best(&passages).max(stated);
        let texts = extracts.iter().map(|extract| format!("{}\n{}", place(extract), extract.text));
        let text = texts.collect::<Vec<_>>().join("\n");
        let words = evidence_words(&text);
        let value = goal.share_with_names((stated + together) / 2.0, &text);
        let stated_with_names = goal.share_with_names(stated, &text);
        let mut reasons = vec![format!(
            "{:.0} % of the goal's words stand in one sentence, row or item, with the headings \
             and names of its place",
            100.0 * stated_with_names
        )];
        if stated < together {
            let together = 100.0 * goal.share_with_names(together, &text);
            reasons.push(format!("{together:.0} % stand in one passage, and count half"));
        }
        if together < weights.share(&words) {
            reasons.push("others stand apart from them, or in code alone".to_owned());
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
        Confidence { value, stated: stated_with_names, reasons, missing }
    }
}

/// Returns how much of a goal an extract has by itself, between 0 and 1: of what the outermost
/// names with words of the goal leave open, since they hold for each page below them. A page of the
/// right car has half of a question about a part of it.
pub(crate) fn share_by_itself(goal: &WalkGoal, extract: &PageExtract) -> f64 {
    let weights = goal.equal();
    let (heading, around) = match extract.place.split_last() {
        Some((heading, around)) => (heading.as_str(), around),
        None => ("", &[][..]),
    };
    let has_words = |name: &String| weights.share(&evidence_words(name)) > 0.0;
    let first = around.iter().position(has_words).unwrap_or(around.len());
    let n_more = around[first..].iter().take_while(|name| has_words(name)).count();
    let n_above = first + n_more;
    let above = around[..n_above].join(" ");
    let own = extract.place[n_above..].join(" ");
    let own = format!("{own}\n{}", goal.evidence_of(&extract.text));
    weights.share_beside(&above, heading, &evidence_words(&own))
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

    #[test]
    fn words_that_meet_in_code_are_no_answer_to_a_question_in_prose() {
        let script = "# Daily\n\nIt makes a backup.\n\n```\necho Backup interrupted\n```";
        let of = |goal: &str| confidence(goal, &[extract(&[], script)]);
        assert_eq!(of("interrupted backup"), 0.5);
        assert_eq!(of("interrupted backup with `echo`"), 1.0);
        // A page may have nothing but code.
        let text = "# Notes\n\n```\nAn interrupted backup goes on.\n```";
        assert_eq!(confidence("interrupted backup", &[extract(&[], text)]), 1.0);
    }

    #[test]
    fn names_that_hold_for_each_page_are_no_answer_by_themselves() {
        let goal = "how hard do I tighten the door striker on a 2005 Averon Kestin";
        let of = |place: &[&str], text: &str| {
            (100.0 * share_by_itself(&WalkGoal::of(goal), &extract(place, text))).round()
        };
        let car = ["Home", "Averon", "2005", "Kestin", "Repair"];
        let at = |names: &[&'static str]| [&car[..], names].concat();
        assert_eq!(of(&at(&["Horn", "Horn: Specifications"]), "Bolts: 9 Nm"), 20.0);
        assert_eq!(of(&at(&["Door", "Striker", "Striker: Specifications"]), "9 Nm"), 60.0);
        // What a heading repeats of the names above it is its own.
        assert_eq!(of(&["Door", "Door Striker", "Door Striker: Torque"], "9 Nm"), 38.0);
        assert_eq!(of(&[], "The door striker of a 2005 Averon Kestin: 9 Nm"), 63.0);
        assert_eq!(
            share_by_itself(&WalkGoal::of("Kestin"), &extract(&["Kestin", "Horn"], "")),
            1.0
        );
    }
}
