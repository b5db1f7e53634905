//! Gaps of a knowledge are filled by looking, and by nothing else.

use std::collections::BTreeSet;
use std::io::{Write as _, stderr};
use std::thread;
use std::time::Duration;

use navigator::knowledge::build::sighting::{ScreenSighting, SeenStep};
use navigator::knowledge::build::{BuiltKnowledge, SeenSite, build};
use navigator::knowledge::gaps::proposal::{add_proposals, keep_untried, read_proposals};
use navigator::knowledge::gaps::proposer::GapProposer;
use navigator::knowledge::gaps::untried_actions;
use navigator::knowledge::model::{EffectClass, InferredTransition, KnownRecord};
use navigator::knowledge::walks::gap_walker::GapWalker;
use navigator::walk::action::WalkAction;
use navigator::walk::screen::Screen;
use navigator::walk::session::EffectAnswer;
use navigator::walk::state::{PathStep, WalkState};
use navigator::walk::steps::limits::WalkLimits;
use navigator::walk::steps::observer::WalkObserver;
use navigator::walk::steps::walk;
use navigator::{
    CancelToken, Deadline, Effect, EffectLedger, EndpointRequest, Ledger, ModelEndpoint,
    ModelLimits, PicoUsd, Price, Prices, Remote, Reply, Stop,
};
use serde_json::{Value, json};
use test_support::apps::{App, AppKind};

use super::app_tours::{open, toured};
use super::recognition::called;

/// How long a page may take to say where it is.
const PATIENCE: Duration = Duration::from_millis(150);
/// The number of transitions that are taken from a knowledge, at most a quarter of them.
const N_REMOVED: usize = 8;
/// The seeds of the choices.
pub(super) const SEEDS: [usize; 3] = [1, 2, 3];
/// The number of steps that may be taken.
const MAX_STEPS: u32 = 60;

/// Takes note of each step, and of what the application says it shows.
struct Looking<'a> {
    app: &'a App,
    seen: SeenSite,
    truth: Vec<String>,
}

impl WalkObserver for Looking<'_> {
    fn step(&mut self, step: &PathStep, screen: &Screen) {
        if !step.outcome.is_done() {
            return;
        }
        thread::sleep(PATIENCE);
        let is_opened = matches!(step.action, WalkAction::Open { .. });
        let record = self.seen.records.len() - 1;
        let to = self.seen.sightings.len();
        self.seen.sightings.push(ScreenSighting::new(record, screen.clone(), is_opened));
        self.truth.push(self.app.at());
        let (action, number) = (step.action.clone(), u32::try_from(to).unwrap());
        let effect = EffectClass::Reads;
        self.seen.steps.push(SeenStep { from: to - 1, to, action, number, effect });
    }

    fn approve(&mut self, _step: &str, _effect: &Effect) -> EffectAnswer {
        EffectAnswer::Yes
    }
}

/// A transition by the names that the application has for its screens.
type TrueWay = (String, String, String);

/// Returns the way of a click; what does not lead on is none.
fn clicked(truth: &[String], step: &SeenStep) -> Option<TrueWay> {
    let WalkAction::Click { label, .. } = &step.action else { return None };
    let (from, to) = (&truth[step.from], &truth[step.to]);
    (from != to).then(|| (from.clone(), label.clone(), to.clone()))
}

/// The ways that a knowledge has, those of one recording or of all.
fn ways(
    built: &BuiltKnowledge,
    truth: &[String],
    record: Option<usize>,
) -> BTreeSet<(String, String)> {
    let called = called(&built.screen_ids, truth);
    let name = |id: &str| called[id].to_owned();
    let is_asked = |seen: (usize, u32)| record.is_none_or(|record| record == seen.0);
    let known = built.knowledge.transitions.iter().filter(|one| is_asked(one.last_seen));
    known.map(|one| (name(&one.from_screen_id), name(&one.to_screen_id))).collect()
}

/// Answers as a model that knows the removed ways, and lies about as many other actions: they lead
/// to the first screen.
fn proposed(
    rest: &BuiltKnowledge,
    truth: &[String],
    seen: &SeenSite,
    removed: &BTreeSet<TrueWay>,
) -> Vec<InferredTransition> {
    let whole = build(SeenSite {
        records: seen.records.clone(),
        sightings: seen.sightings.clone(),
        steps: seen.steps.clone(),
        ..SeenSite::default()
    });
    let called = |id: &str| {
        let at = rest.screen_ids.iter().position(|one| one == id);
        at.map_or("", |at| truth[at].as_str())
    };
    let asked = untried_actions(&rest.knowledge);
    let every = (asked.len() / removed.len()).max(1);
    let proposals: Vec<Value> = asked
        .iter()
        .enumerate()
        .filter_map(|(number, one)| {
            let from = called(&one.screen_id);
            let name = one.action.example.as_ref().unwrap_or(&one.action.name);
            let way = removed.iter().find(|(start, label, _)| start == from && name == label);
            let end = way.and_then(|(_, _, end)| {
                let at = truth.iter().position(|screen| screen == end)?;
                Some(rest.screen_ids[at].as_str())
            });
            if end.is_none() && number % every > 0 {
                return None;
            }
            let known = whole.knowledge.transitions.iter().find(|known| {
                known.action_id.as_ref() == Some(&one.action.action_id)
                    && known.from_screen_id == one.screen_id
            });
            let values: Vec<Value> = known
                .into_iter()
                .flat_map(|known| &known.prepared)
                .map(|field| json!({ "action_id": field.action_id, "value": field.value }))
                .collect();
            Some(json!({
                "from_screen_id": one.screen_id, "action_id": one.action.action_id,
                "to_screen_id": end.unwrap_or(&rest.screen_ids[0]), "confidence": 0.9,
                "reasoning": "r", "values": values,
            }))
        })
        .collect();
    let text = json!({ "proposals": proposals }).to_string();
    let reply = Reply { text, ..Reply::default() };
    read_proposals(&reply, &rest.knowledge, &asked).taken
}

/// Asks a model behind `KNOWLEDGE_MODEL`, the address of a server that speaks Chat Completions.
fn asked(rest: &BuiltKnowledge, base_url: String) -> Vec<InferredTransition> {
    let wanted = EndpointRequest {
        model: "openai/reader".to_owned(),
        base_url: Some(base_url),
        wire: None,
        price: Some(Price::default()),
        key_env: None,
        window: Some(32_768),
    };
    let endpoint = ModelEndpoint::new(&wanted, &Prices::bundled()).unwrap();
    let limits = ModelLimits::of(&endpoint);
    let patience = Duration::from_secs(1_800);
    let remote = Remote::new(endpoint, None, patience).unwrap();
    let mut journal = Vec::new();
    let ledger = Ledger::new(PicoUsd::default(), Price::default(), &[], &mut journal);
    let tell = Box::new(|line: &str| drop(writeln!(stderr(), "{line}")));
    let mut proposer = GapProposer::new(Box::new(remote), ledger, limits, tell);
    let deadline = Deadline::new(Some(patience), CancelToken::default());
    let found = proposer.propose(&rest.knowledge, "measured", 20, &deadline);
    let (taken, refused) = (found.taken.len(), &found.refused);
    let _ = writeln!(
        stderr(),
        "{} asked in {} requests, {taken} taken, refused: {refused:#?}, stop: {:?}",
        found.n_asked,
        found.n_requests,
        found.stop
    );
    found.taken
}

/// How a gap is filled: by what the knowledge has alone, or with proposals: of a model that lies in
/// half of what it says, or of a real one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filling {
    Alone,
    Proposed,
    Asked,
}

/// What came of filling the gaps of a knowledge that ways were removed from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FilledGaps {
    /// The number of removed ways.
    pub(super) n_removed: usize,
    /// How many of them are known again.
    pub(super) n_found: usize,
    /// The number of ways that were stored, and the application did not show.
    pub(super) n_false: usize,
    n_steps: usize,
    n_requests: u64,
}

/// Chooses ways at random, the same ones for the same seed.
fn chosen(mut all: Vec<TrueWay>, seed: usize) -> BTreeSet<TrueWay> {
    // A linear congruential generator: the choice depends on nothing that a pilot sees.
    let mut random = seed;
    for at in (1..all.len()).rev() {
        random = random.wrapping_mul(1_103_515_245).wrapping_add(12_345) % (1 << 31);
        all.swap(at, (random >> 8) % (at + 1));
    }
    // A form of five steps has few ways: where most are gone, no way leads to the others.
    let n_removed = N_REMOVED.min(all.len() / 4);
    all.into_iter().take(n_removed).collect()
}

/// Takes random ways from what tours saw, and fills the gaps of the rest.
pub(super) fn filled(
    app: &App,
    kind: AppKind,
    (seen, truth): (&SeenSite, &[String]),
    (filling, seed): (Filling, usize),
) -> Option<FilledGaps> {
    let mut all: Vec<TrueWay> = seen.steps.iter().filter_map(|step| clicked(truth, step)).collect();
    all.sort();
    all.dedup();
    let removed = chosen(all, seed);
    let ends: BTreeSet<(String, String)> =
        removed.iter().map(|(from, _, to)| (from.clone(), to.clone())).collect();
    // All that leads from one to the other is removed, whatever it is called.
    let stays =
        |step: &&SeenStep| !ends.contains(&(truth[step.from].clone(), truth[step.to].clone()));
    let kept: Vec<SeenStep> = seen.steps.iter().filter(stays).cloned().collect();
    let n_before = kept.len();
    let rest = || SeenSite {
        records: seen.records.clone(),
        sightings: seen.sightings.clone(),
        steps: kept.clone(),
        ..SeenSite::default()
    };
    let mut built = build(rest());
    let inferred = match filling {
        Filling::Alone => Vec::new(),
        Filling::Proposed => proposed(&built, truth, seen, &removed),
        Filling::Asked => asked(&built, std::env::var("KNOWLEDGE_MODEL").ok()?),
    };
    add_proposals(&mut built.knowledge, inferred);
    let knowledge = built.knowledge;

    let n_requests_before = app.n_requests();
    let mut live = open(app)?;
    let first = live.screen().clone();
    let state = WalkState { start: first.digest(), ..WalkState::first() };
    let mut looking = Looking { app, seen: rest(), truth: truth.to_vec() };
    looking.seen.records.push(KnownRecord {
        name: "gaps".to_owned(),
        digest: "gaps".to_owned(),
        n_screens: 0,
        source: None,
    });
    let record = looking.seen.records.len() - 1;
    looking.seen.sightings.push(ScreenSighting::new(record, first, true));
    looking.truth.push(kind.start_screen().to_owned());
    let limits = WalkLimits { steps: MAX_STEPS, turns: 2 * MAX_STEPS, ..WalkLimits::default() };
    let mut pilot = GapWalker::new(&knowledge, PicoUsd::default());
    let effects = EffectLedger::new(&[], Box::new(Vec::new()));
    let session = &mut live.session;
    let walked = walk(session, "gaps", state, &mut pilot, &limits, effects, &mut looking).unwrap();
    assert!(matches!(walked.stop, Stop::Finished | Stop::StepLimit(_)), "{:?}", walked.stop);

    let Looking { seen, truth, .. } = looking;
    let n_steps = seen.steps.len() - n_before;
    let taken: BTreeSet<(String, String)> = seen.steps[n_before..]
        .iter()
        .map(|step| (truth[step.from].clone(), truth[step.to].clone()))
        .collect();
    let mut built = build(seen);
    keep_untried(&mut built.knowledge, knowledge.inferred.clone());
    let n_false = ways(&built, &truth, Some(record)).difference(&taken).count();
    let known = ways(&built, &truth, None);
    Some(FilledGaps {
        n_removed: ends.len(),
        n_found: ends.intersection(&known).count(),
        n_false,
        n_steps,
        n_requests: app.n_requests() - n_requests_before,
    })
}

/// A model that lies in half of what it says makes no false way.
#[test]
#[ignore = "measures: minutes in a browser"]
fn removed_ways_are_found_again_with_proposals_and_lies_are_not_stored() {
    for kind in AppKind::ALL {
        let app = App::start(kind);
        let Some((seen, truth, _)) = toured(&app, kind) else { return };
        for filling in [Filling::Alone, Filling::Proposed, Filling::Asked] {
            for seed in SEEDS {
                app.begin_anew();
                let ways = (&seen, truth.as_slice());
                let Some(found) = filled(&app, kind, ways, (filling, seed)) else { continue };
                let FilledGaps { n_removed, n_found, n_false, n_steps, n_requests } = found;
                let _ = writeln!(
                    stderr(),
                    "{} {filling:?} seed {seed}: {n_found} of {n_removed} in {n_steps} steps and \
                     {n_requests} requests, {n_false} false",
                    kind.name()
                );
                assert_eq!(n_false, 0);
            }
        }
    }
}
