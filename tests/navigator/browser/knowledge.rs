//! What is known of applications that were walked: screens are recognised, and the ways that a
//! knowledge gives lead where it says.

use std::collections::BTreeMap;

use navigator::knowledge::build::{BuiltKnowledge, SeenSite, build};
use navigator::knowledge::feature::features_of;
use navigator::knowledge::recognise::{Evidence, Recogniser};
use navigator::knowledge::rule::recognise_by_rule;
use test_support::apps::AppKind;

use super::app_tours::{snapshot, toured};

/// Right, wrong and missing answers.
#[derive(Debug, Default, Clone, Copy)]
struct AnswerCounts {
    right: usize,
    wrong: usize,
    missing: usize,
    /// Answers where there is none: the screen was never seen before.
    invented: usize,
    unknown: usize,
}

impl AnswerCounts {
    fn add(&mut self, answer: Option<&str>, right: Option<&str>) {
        match (answer, right) {
            (Some(answer), Some(right)) if answer == right => self.right += 1,
            (Some(_), Some(_)) => self.wrong += 1,
            (None, Some(_)) => self.missing += 1,
            (Some(_), None) => self.invented += 1,
            (None, None) => self.unknown += 1,
        }
    }

    fn f1(&self) -> f64 {
        let n_answers = (self.right + self.wrong + self.invented) as f64;
        let precision = self.right as f64 / n_answers.max(1.0);
        let recall = self.right as f64 / (self.right + self.wrong + self.missing) as f64;
        2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE)
    }
}

/// Leaves one tour out, makes a knowledge of the others, and asks it for each screen of the one
/// that was left out: by what our browser sees, by a text as another agent has it, and by the rule
/// of older agents.
fn leave_out(seen: &SeenSite, truth: &[String], out: usize, counts: &mut [AnswerCounts; 3]) {
    let mut known = SeenSite { records: seen.records.clone(), ..SeenSite::default() };
    let mut names = Vec::new();
    for (sighting, name) in seen.sightings.iter().zip(truth) {
        if sighting.record != out {
            known.sightings.push(sighting.clone());
            names.push(name.as_str());
        }
    }
    let BuiltKnowledge { knowledge, screen_ids } = build(known);
    let recogniser = Recogniser::new(&knowledge);
    // A screen of the knowledge is called what most of its sightings are called.
    let mut called: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (id, name) in screen_ids.iter().zip(&names) {
        *called.entry(id).or_default().entry(name).or_default() += 1;
    }
    let called: BTreeMap<&str, &str> = called
        .into_iter()
        .filter_map(|(id, names)| Some((id, names.into_iter().max_by_key(|(_, n)| *n)?.0)))
        .collect();
    for (sighting, name) in seen.sightings.iter().zip(truth) {
        if sighting.record != out {
            continue;
        }
        let right = names.contains(&name.as_str()).then_some(name.as_str());
        let screen = &sighting.screen;
        let by_features = Evidence::of_features(&screen.address, features_of(screen));
        let text = snapshot(screen);
        let by_text = Evidence::of_text(Some(&screen.address), Some(&text));
        let found = [
            recogniser.recognise(&by_features),
            recogniser.recognise(&by_text),
            recognise_by_rule(&knowledge, &screen.address, &text),
        ];
        for (counts, found) in counts.iter_mut().zip(&found) {
            let answer = found.screen_id.as_deref().map(|id| called[id]);
            counts.add(answer, right);
        }
        let answer = found[0].screen_id.as_deref().map(|id| called[id]);
        if answer != right {
            eprintln!("{name}: {:?} {:?} {}", answer, found[0].candidates, found[0].reason);
        }
    }
}

#[test]
fn screens_of_applications_are_recognised_in_a_walk_that_was_never_seen() {
    for kind in AppKind::ALL {
        let Some((seen, truth)) = toured(kind) else { return };
        if let Some(dump) = std::env::var_os("KNOWLEDGE_DUMP") {
            let seen_lines: Vec<String> = seen.sightings.iter().zip(&truth).map(|(one, at)| serde_json::json!({"kind": kind.name(), "record": one.record, "at": at, "opened": one.is_opened, "screen": one.screen}).to_string()).collect();
            let steps: Vec<String> = seen.steps.iter().map(|one| serde_json::json!({"from": one.from, "to": one.to, "action": one.action, "number": one.number}).to_string()).collect();
            std::fs::write(std::path::Path::new(&dump).join(format!("{}.jsonl", kind.name())), seen_lines.join("\n")).unwrap();
            std::fs::write(std::path::Path::new(&dump).join(format!("{}.steps", kind.name())), steps.join("\n")).unwrap();
        }
        let mut counts = [AnswerCounts::default(); 3];
        for out in 0..seen.records.len() {
            leave_out(&seen, &truth, out, &mut counts);
        }
        eprintln!("{}: ours {:?} {:.3}", kind.name(), counts[0], counts[0].f1());
        eprintln!("{}: text {:?} {:.3}", kind.name(), counts[1], counts[1].f1());
        eprintln!("{}: rule {:?} {:.3}", kind.name(), counts[2], counts[2].f1());
    }
}
