//! What is known of applications that were walked: screens are recognised, and the ways that a
//! knowledge gives lead where it says.

use std::collections::BTreeMap;

use navigator::knowledge::build::{BuiltKnowledge, SeenSite, build};
use navigator::knowledge::evidence::Evidence;
use navigator::knowledge::feature::features_of;
use navigator::knowledge::query::KnowledgeBase;
use navigator::knowledge::recognise::Recogniser;
use navigator::knowledge::rule::recognise_by_rule;
use test_support::apps::{App, AppKind};

use super::app_tours::{open, snapshot, toured};
use super::gaps::filled;

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
    }
}

/// Adds counts up.
fn sum(all: &mut [AnswerCounts; 3], more: &[AnswerCounts; 3]) {
    for (all, more) in all.iter_mut().zip(more) {
        all.right += more.right;
        all.wrong += more.wrong;
        all.missing += more.missing;
        all.invented += more.invented;
        all.unknown += more.unknown;
    }
}

#[test]
fn screens_are_recognised_in_walks_that_were_never_seen_and_unknown_ones_are_not_invented() {
    let mut all = [AnswerCounts::default(); 3];
    let mut filled_gaps = BTreeMap::new();
    let mut n_ways = 0;
    for kind in AppKind::ALL {
        let app = App::start(kind);
        let Some((seen, truth)) = toured(&app, kind) else { return };
        let mut counts = [AnswerCounts::default(); 3];
        for out in 0..seen.records.len() {
            leave_out(&seen, &truth, out, &mut counts);
        }
        sum(&mut all, &counts);
        if let (true, Some(filled)) = (kind != AppKind::Wizard, filled(&app, kind, &seen, &truth)) {
            filled_gaps.insert(kind.name(), filled);
        }
        n_ways += ways_lead_where_they_say(&app, seen);
    }
    assert!(n_ways > 6, "{n_ways}");
    let n_found: usize = filled_gaps.values().map(|(found, ..)| found).sum();
    assert!(n_found >= 4, "{filled_gaps:?}");
    let [ours, text, rule] = all;
    assert_eq!(ours.invented, 0, "a screen that was never seen is unknown");
    assert!(ours.f1() > rule.f1() && text.f1() > rule.f1(), "{all:?}");
    assert!(ours.f1() > 0.93, "{all:?}");
}

/// Asks for ways between screens, chosen at random, and goes them in the browser. A way that begins
/// anew opens its address. Returns how many were gone.
fn ways_lead_where_they_say(app: &App, seen: SeenSite) -> usize {
    let knowledge = build(seen).knowledge;
    let base = KnowledgeBase::new(&knowledge);
    let screens: Vec<&str> = knowledge.screens.iter().map(|one| one.screen_id.as_str()).collect();
    // The numbers of a linear congruential generator: the same pairs each time.
    let mut random = 7_usize;
    let mut next = |n: usize| {
        random = random.wrapping_mul(1_103_515_245).wrapping_add(12_345) % (1 << 31);
        (random >> 8) % n
    };
    let n_pairs = std::env::var("KNOWLEDGE_PAIRS").map_or(6, |n| n.parse().unwrap());
    let (mut n_right, mut n_asked, mut missed) = (0, 0, Vec::new());
    for _ in 0..n_pairs {
        let (from, to) = (screens[next(screens.len())], screens[next(screens.len())]);
        let Some(mut live) = open(app) else { break };
        let Ok(()) = live.follow(&base, None, from) else { continue };
        n_asked += 1;
        match live.follow(&base, Some(from), to) {
            Ok(()) => n_right += 1,
            Err(why) => missed.push(format!("{from} -> {to}: {why}")),
        }
    }
    assert!(n_asked > 0 && 10 * n_right >= 8 * n_asked, "{n_right} of {n_asked}: {missed:#?}");
    n_asked
}
