//! What is known of applications that were walked: screens are recognised, and the ways that a
//! knowledge gives lead where it says.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Write as _, stderr};
use std::thread;

use navigator::knowledge::ask::query::KnowledgeBase;
use navigator::knowledge::build::{BuiltKnowledge, build};
use navigator::knowledge::model::Knowledge;
use navigator::knowledge::walks::known_way::NamedWay;
use navigator::walk::pilot::WalkTurn;
use navigator::walk::state::WalkState;
use navigator::{CancelToken, Deadline, ResourceLimits};
use test_support::apps::{App, AppKind};

use super::app_tours::{move_of, open, toured};
use super::gaps::{FilledGaps, Filling, SEEDS, filled};
use super::recognition::{AnswerCounts, called, each_left_out, sum};

#[test]
fn screens_are_recognised_in_walks_that_were_never_seen_and_unknown_ones_are_not_invented() {
    // Each walk waits for its browser most of the time, so the applications are walked together.
    let walked = thread::scope(|scope| {
        let threads = AppKind::ALL.map(|kind| scope.spawn(move || walked(kind)));
        threads.map(|thread| thread.join().unwrap())
    });
    let mut all = [AnswerCounts::default(); 3];
    let mut filled_gaps = BTreeMap::new();
    let mut n_ways = 0;
    for (kind, walked) in AppKind::ALL.into_iter().zip(walked) {
        let Some(WalkedApp { counts, filled, n_ways: n }) = walked else { return };
        sum(&mut all, &counts);
        filled_gaps.extend(filled.map(|filled| (kind.name(), filled)));
        n_ways += n;
    }
    assert!(n_ways > 6, "{n_ways}");
    let n_found: usize = filled_gaps.values().map(|filled| filled.n_found).sum();
    let n_false: usize = filled_gaps.values().map(|filled| filled.n_false).sum();
    assert!(n_found >= 4 && n_false == 0, "{filled_gaps:?}");
    let [ours, text, rule] = all;
    assert_eq!(ours.invented, 0, "a screen that was never seen is unknown");
    assert!(ours.f1() > rule.f1() && text.f1() > rule.f1(), "{all:?}");
    assert_eq!((ours.wrong, text.wrong, text.invented), (0, 0, 0), "{all:?}");
    assert!(ours.f1() >= 0.97 && text.f1() >= 0.97, "{all:?}");
}

/// What the walks through one application gave.
struct WalkedApp {
    counts: [AnswerCounts; 3],
    filled: Option<FilledGaps>,
    n_ways: usize,
}

/// Walks through an application. `None` without a browser.
fn walked(kind: AppKind) -> Option<WalkedApp> {
    let app = App::start(kind);
    let (seen, truth, snapshots) = toured(&app, kind)?;
    let counts = each_left_out(&seen, &truth, &snapshots);
    let filled = match kind {
        AppKind::Wizard => None,
        _ => filled(&app, kind, (&seen, &truth), (Filling::Alone, SEEDS[0])),
    };
    let built = build(seen);
    if kind == AppKind::Tracker {
        goals_are_gone_to(&app, &built.knowledge);
    }
    Some(WalkedApp { counts, filled, n_ways: ways_lead_where_they_say(&app, &built, &truth) })
}

/// Goes the known way for goals of screens that have no address of their own.
fn goals_are_gone_to(app: &App, knowledge: &Knowledge) {
    for (goal, screen) in [
        ("Which events do I get a mail notification for?", "settings-notifications"),
        ("Add the label `docs` in the settings", "settings-labels"),
        ("Change the time zone of my profile", "settings-profile"),
        ("Report a new issue with a title and a description", "dialog-new"),
        // No way leads to the dialog of an issue that nobody went to it for.
        ("Assign the issue Rename accounts in place to Jun Watanabe", "issues"),
        ("Sign out", "issues"),
    ] {
        app.begin_anew();
        let Some(mut live) = open(app) else { return };
        let mut way = NamedWay::new(knowledge);
        let state = WalkState::first();
        let deadline = Deadline::new(None, CancelToken::new());
        let mut taken = Vec::new();
        loop {
            let turn = WalkTurn {
                turn: 1,
                goal,
                screen: live.screen(),
                state: &state,
                steps_left: 9,
                resources_left: ResourceLimits::default(),
                view_tokens: 1_500,
                secrets: Vec::new(),
                files: Vec::new(),
                destroying: BTreeSet::new(),
                can_search: false,
                deadline: &deadline,
            };
            let Some((action, _)) = way.next(&turn) else { break };
            taken.push(action.to_string());
            assert!(live.go(&move_of(&action)).0, "{goal}: {taken:?}");
        }
        assert!(live.is_at(screen), "{goal}: {taken:?} leads to {}", app.at());
    }
}

/// Asks for ways between screens, chosen at random, and goes them in the browser. A way that begins
/// anew opens its address. The application says where a way ends. Returns how many were gone.
fn ways_lead_where_they_say(app: &App, built: &BuiltKnowledge, truth: &[String]) -> usize {
    let (knowledge, called) = (&built.knowledge, called(&built.screen_ids, truth));
    let base = KnowledgeBase::new(knowledge);
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
        app.begin_anew();
        let Some(mut live) = open(app) else { break };
        let Ok(()) = live.follow(&base, None, from) else { continue };
        n_asked += 1;
        match live.follow(&base, Some(from), to) {
            Ok(()) if live.is_at(called[to]) => n_right += 1,
            Ok(()) => missed.push(format!("{from} -> {to}: the application is at {}", app.at())),
            Err(why) => missed.push(format!("{from} -> {to}: {why}")),
        }
    }
    let told = format!("{n_right} of {n_asked} ways lead where they say: {missed:#?}");
    if std::env::var_os("KNOWLEDGE_PAIRS").is_some() {
        let _ = writeln!(stderr(), "{told}");
    }
    assert!(n_asked > 0 && 10 * n_right >= 8 * n_asked, "{told}");
    n_asked
}
