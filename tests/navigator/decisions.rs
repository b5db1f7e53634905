//! What a model decides and what comes of it: wishes and the budget, the end in one call, searches,
//! the use of free tokens, and what falls without being named.

use std::sync::{Arc, Mutex};

use navigator::decision_log::ActionKind;
use navigator::{
    Briefing as _, Decision, Exploration, FreeTokens, Ledger, Limits, ModelLimits, ModelPilot,
    Navigator, PicoUsd, Pilot, Price, Reply, Repository, Request, State, Stop, Turn, answer, state,
};
use repo_map::plan::Rule;
use repo_map::{FileReport, Fill, FlightPlan, Level, Options, RepoMap, cost};
use serde_json::{Value, json};

use crate::numbers::{Events, NumberTree};
use crate::scripted_model::Scripted;
use crate::{explore, service};

/// Answers with texts from a list.
struct Says(Vec<Value>);

impl Pilot<Repository> for Says {
    fn name(&self) -> &str {
        "says"
    }

    fn decide(&mut self, turn: &mut Turn<'_, Repository>) -> Result<Decision<Vec<Rule>>, Stop> {
        let text = self.0.remove(0).to_string();
        Ok(answer::read(&Reply { text, ..Reply::default() }, turn.terrain, turn.state))
    }
}

/// A change for each `path level`, and a search for each `find name`.
fn changes(said: &[&str]) -> Vec<Value> {
    let change = |said: &&str| match said.rsplit_once(' ').unwrap() {
        ("find", name) => json!({ "find": name }),
        (path, level) => json!({ "path": path, "level": level, "why": "w" }),
    };
    said.iter().map(change).collect()
}

pub(crate) fn update(said: &[&str]) -> Value {
    json!({ "reasoning": "r", "action": "update_flight_plan", "changes": changes(said) })
}

pub(crate) fn finalize(said: &[&str]) -> Value {
    let focus = json!([{ "path": "src/session.rs", "why": "here" }]);
    json!({
        "reasoning": "r", "action": "finalize_context", "changes": changes(said),
        "summary": "all there", "focus": focus,
    })
}

pub(crate) fn open(folder: &test_support::Repo, tokens: u32) -> (Repository, State<Vec<Rule>>) {
    let mut plan =
        FlightPlan { goal: Some("where is a session refreshed?".into()), ..FlightPlan::default() };
    plan.context.tokens = tokens;
    let repo = Repository::open(folder.path(), plan, &Options::default()).unwrap();
    let rules = "{path: '**', level: ..fold}, {path: /src/session.rs, level: ..full}, \
        {path: /src/http.rs, level: ..full}, {path: /tests/session.rs, level: ..full}";
    let yaml = format!("version: 1\nrules: [{rules}]");
    let draft = FlightPlan::from_yaml("draft", &yaml).unwrap();
    (repo, State::new("boundary".into(), Vec::new(), draft.rules))
}

pub(crate) fn fly_over(
    folder: &test_support::Repo,
    tokens: u32,
    answers: Vec<Value>,
) -> Exploration<Repository> {
    let (mut repo, state) = open(folder, tokens);
    let limits = Limits { turns: answers.len() as u32, ..Limits::default() };
    explore(&mut repo, state, &mut Says(answers), &limits, &mut ()).unwrap()
}

pub(crate) fn fly(tokens: u32, answers: Vec<Value>) -> Exploration<Repository> {
    fly_over(&service(), tokens, answers)
}

pub(crate) fn level(found: &Exploration<Repository>, path: &str) -> Level {
    found.map.files.iter().find(|file| file.path == path).unwrap().level
}

#[test]
fn changes_that_fit_and_the_end_are_one_turn() {
    let found = fly(800, vec![finalize(&["src/color.rs full", "tests/ fold"])]);
    assert_eq!((&found.stop, found.state.turns), (&Stop::Finished, 1));
    let [entry] = &found.state.log[..] else { panic!("one entry") };
    assert_eq!(entry.action, ActionKind::FinalizeContext);
    assert_eq!(entry.paths, ["src/color.rs", "tests/", "src/session.rs"]);
    assert_eq!((entry.changes.len(), entry.focus.len()), (2, 1));
    assert_eq!(level(&found, "src/color.rs"), Level::Full);
    assert_eq!(level(&found, "tests/session.rs"), Level::Fold);
    assert_eq!(entry.tokens_after, found.map.tokens);
    let idle = fly(800, vec![update(&["src/color.rs full"]), finalize(&["src/color.rs full"])]);
    assert_eq!((idle.stop, idle.state.turns), (Stop::Finished, 2), "it is in force already");
}

#[test]
fn an_item_of_a_folded_folder_is_shown_alone_in_any_order() {
    for said in [
        ["src/ fold", "src/session.rs#Session::refresh full"],
        ["src/session.rs#Session::refresh full", "src/ fold"],
        ["src/session.rs fold", "src/session.rs#Session::refresh full"],
    ] {
        let found = fly(2_000, vec![update(&said)]);
        let text = &found.map.text;
        assert!(text.contains("self.expires = now + 3600;"), "{text}");
        assert!(!text.contains("is_expired") && !text.contains("struct Expired"), "{text}");
    }
    let named = update(&["src/session.rs#Session::refresh full", "src/http.rs interface"]);
    let found = fly(2_000, vec![named, update(&["src/ fold"])]);
    assert!(found.map.text.contains("self.expires = now + 3600;"), "{}", found.map.text);
    assert_eq!(level(&found, "src/http.rs"), Level::Interface, "it was named before");
    assert_eq!(level(&found, "src/color.rs"), Level::Fold);
}

#[test]
fn a_file_s_own_change_is_for_all_its_items_and_outline_leaves_those_that_were_named() {
    let says = "A file's own change is for all its items, also those in full now; with outline or \
        interface, those that you named keep their level.";
    let folder = service();
    assert!(open(&folder, 2_000).0.instructions().contains(says));
    let (named, other) = ("self.expires = now + 3600;", "now > self.expires\n    }\n}");
    let draft = fly_over(&folder, 2_000, vec![finalize(&[])]).map.text;
    assert!(draft.contains(named) && draft.contains(other), "{draft}");
    let name = update(&["src/session.rs#Session::refresh full"]);
    for level in ["exclude", "fold", "path", "outline", "interface"] {
        let change = format!("src/session.rs {level}");
        let alone = fly_over(&folder, 2_000, vec![update(&[&change])]).map.text;
        assert!(!alone.contains(named) && !alone.contains(other), "{level}\n{alone}");
        let after = fly_over(&folder, 2_000, vec![name.clone(), update(&[&change])]).map.text;
        let keeps = ["outline", "interface"].contains(&level);
        assert_eq!(after.contains(named), keeps, "{level}\n{after}");
        assert!(!after.contains(other), "{level}\n{after}");
    }
}

#[test]
fn a_named_item_wins_over_its_type() {
    for said in [
        ["src/session.rs#Session full", "src/session.rs#Session::is_expired interface"],
        ["src/session.rs#Session::is_expired interface", "src/session.rs#Session full"],
    ] {
        let found = fly(2_000, vec![update(&said)]);
        let text = &found.map.text;
        assert!(text.contains("self.expires = now + 3600;"), "{text}");
        assert!(text.contains("fn is_expired(&self, now: u64) -> bool"), "{text}");
        assert!(!text.contains("now > self.expires\n    }\n}"), "its body is left out:\n{text}");
    }
}

#[test]
fn an_item_inside_one_in_full_is_shown_in_full() {
    let folder = service();
    let found = fly_over(&folder, 2_000, vec![update(&["src/session.rs#Session@2 full"])]);
    let (repo, _) = open(&folder, 2_000);
    let shown = |item| cost::shown(repo.repo(), "src/session.rs", Some(item), &found.map).unwrap();
    assert_eq!(shown("Session@2"), Some(Level::Full));
    assert_eq!(shown("Session::is_expired"), Some(Level::Full));
}

#[test]
fn an_error_in_a_change_or_a_search_keeps_the_run_going() {
    let found = fly(
        800,
        vec![
            finalize(&["src/pigment.rs full", "src/color.rs full"]),
            finalize(&["find refresh"]),
            finalize(&["src/pigment.rs full"]),
            finalize(&[]),
        ],
    );
    let actions: Vec<&str> = found.state.log.iter().map(|entry| entry.action.as_str()).collect();
    let update = "update_flight_plan";
    assert_eq!(actions, [update, update, "no_usable_answer", "finalize_context"]);
    assert_eq!(found.state.log[0].paths, ["src/color.rs"]);
    assert_eq!(found.state.log[1].find, ["refresh"]);
}

#[test]
fn a_search_that_is_repeated_ends_a_run() {
    let [again, other] = [update(&["find refresh"]), update(&["find is_expired"])];
    let kinds = |answers: Vec<Value>| {
        let found = fly(800, answers);
        let kinds = found.state.log.iter().map(|entry| entry.action.as_str());
        kinds.map(str::to_owned).collect::<Vec<_>>()
    };
    let (counts, fails) = ("update_flight_plan", "no_usable_answer");
    assert_eq!(kinds(vec![again.clone(); 9]), [counts, fails, fails, fails]);
    let turns = (0..5).flat_map(|_| [again.clone(), other.clone()]);
    assert_eq!(kinds(turns.collect()), [counts, counts, counts, counts, fails, fails, fails]);
}

#[test]
fn what_falls_without_being_named_is_told() {
    // Bodies that the fit had chosen give way to a file that is named.
    let found = fly(330, vec![update(&["README.md full", "src/color.rs full"])]);
    let entry = &found.state.log[0];
    assert!(!entry.fell.is_empty());
    assert_eq!(found.state.fell, entry.fell);
    for fall in &entry.fell {
        assert!(fall.to < fall.from, "{fall:?}");
    }
    let named = fly(2_000, vec![update(&["src/session.rs outline", "tests/ fold"])]);
    assert_eq!(named.state.log[0].fell, []);
}

#[test]
fn at_most_five_focus_areas_count() {
    let area = json!({ "path": "src/session.rs", "why": "here" });
    let mut last = finalize(&[]);
    last["focus"] = json!(vec![area; 9]);
    assert_eq!(fly(800, vec![last]).state.log[0].focus.len(), 5);
}

pub(crate) fn asked(
    (mut repo, state): (Repository, State<Vec<Rule>>),
    answers: Vec<Value>,
) -> (Vec<Request>, State<Vec<Rule>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let limits = Limits { turns: state.turns + answers.len() as u32, ..Limits::default() };
    let model = Scripted { answers, asked: Arc::clone(&asked) };
    let mut journal = Vec::new();
    let free = Price::flat(PicoUsd(0), PicoUsd(0));
    let ledger = Ledger::new(PicoUsd::DEFAULT_LIMIT, free, &[], &mut journal);
    let mut pilot =
        ModelPilot::new(Box::new(model), ledger, ModelLimits::default(), Box::new(|_| ()));
    let found = explore(&mut repo, state, &mut pilot, &limits, &mut ()).unwrap();
    drop(pilot);
    let asked = asked.lock().unwrap().clone();
    (asked, found.state)
}

/// The lines of a section of a request.
pub(crate) fn section<'r>(request: &'r Request, head: &str) -> Vec<&'r str> {
    let after = request.turn.split_once(&format!("{head}\n")).map_or("", |(_, after)| after);
    after.lines().take_while(|line| line.starts_with("- ")).collect()
}

#[test]
fn a_search_is_answered_in_the_next_view_and_after_a_resume() {
    let folder = service();
    let find = update(&["find ISEXPIRED", "find mixx", "find qwertyuiop"]);
    let (first, stopped) = asked(open(&folder, 800), vec![find.clone()]);
    assert_eq!(stopped.find, ["ISEXPIRED", "mixx", "qwertyuiop"]);
    assert_eq!(section(&first[0], "Found by the name `ISEXPIRED`:"), [""; 0]);
    let resumed = state::from_json(&state::to_json(&stopped)).unwrap();
    let (second, last) = asked((open(&folder, 800).0, resumed), vec![update(&["README.md full"])]);
    let found = section(&second[0], "Found by the name `ISEXPIRED`:");
    assert_eq!(found.len(), 1, "{}", second[0].turn);
    assert!(found[0].starts_with("- src/session.rs#Session::is_expired: now "), "{found:?}");
    assert!(found[0].contains("; interface ") && found[0].contains(", full "), "{found:?}");
    let near = section(&second[0], "Found by the name `mixx`:");
    assert_eq!(near, ["- nothing has this name; the nearest are mix"]);
    let nothing = section(&second[0], "Found by the name `qwertyuiop`:");
    assert_eq!(nothing, ["- nothing has this name"]);
    assert_eq!(last.find, [""; 0], "an answer to the next view ends the search");
}

#[test]
fn a_search_lists_exact_names_first_and_nothing_that_the_person_keeps_out() {
    let folder = service();
    folder.write("src/names.py", b"def Mix(): pass\ndef mixed(): pass\ndef m_ix(): pass\n");
    let (repo, mut state) = open(&folder, 800);
    let found = |state: &State<Vec<Rule>>| {
        let map = repo
            .repo()
            .map(repo_map::RuleLayers { person: &state.bounds, pilot: &state.rules })
            .unwrap();
        let found = repo_map::find::find(repo.repo(), "mix", &map, &state.bounds).unwrap();
        let names = found.definitions.iter().map(|one| format!("{}#{}", one.path, one.item));
        names.collect::<Vec<_>>()
    };
    assert_eq!(
        found(&state),
        ["src/color.rs#mix", "src/names.py#Mix", "src/names.py#m_ix", "src/names.py#mixed"]
    );
    state.bounds = vec![Rule::new("src/color.rs", repo_map::LevelRange::exactly(Level::Exclude))];
    assert_eq!(found(&state), ["src/names.py#Mix", "src/names.py#m_ix", "src/names.py#mixed"]);
}

#[test]
fn with_none_a_change_that_lowers_frees_its_tokens_and_raises_nothing() {
    const TESTS: &str = "tests/session.rs";
    let rest = |map: &RepoMap| -> Vec<(String, Level, u32)> {
        let is_text = |file: &&FileReport| file.level >= Level::Path && file.path != TESTS;
        let rest = map.files.iter().filter(is_text);
        rest.map(|file| (file.path.clone(), file.level, file.tokens)).collect()
    };
    let mut n_padded = 0;
    for tokens in (100..300).step_by(10) {
        let lowered = |fill: &str| {
            let mut last = finalize(&["tests/ exclude"]);
            last["fill"] = json!(fill);
            fly(tokens, vec![last]).map
        };
        let draft = fly(tokens, vec![finalize(&[])]).map;
        let (padded, freed) = (lowered("keep"), lowered("none"));
        assert_eq!(rest(&freed), rest(&draft), "{}\n{}", freed.text, draft.text);
        n_padded += usize::from(rest(&padded) != rest(&draft));
    }
    assert!(n_padded > 0);
}

#[test]
fn a_person_s_none_leaves_the_rest_of_the_context_as_a_pilot_s_does() {
    let folder = service();
    let flown = |answers: Vec<Value>| {
        let mut plan = open(&folder, 2_000).0.plan().clone();
        plan.context.fill = Fill::None;
        let mut repo = Repository::open(folder.path(), plan, &Options::default()).unwrap();
        let limits = Limits { turns: answers.len() as u32, ..Limits::default() };
        let state = open(&folder, 2_000).1;
        explore(&mut repo, state, &mut Says(answers), &limits, &mut ()).unwrap().map
    };
    let rest = |map: &RepoMap, named: &str| -> Vec<(String, Level, u32)> {
        let is_text = |file: &&FileReport| file.level >= Level::Path && file.path != named;
        let rest = map.files.iter().filter(is_text);
        rest.map(|file| (file.path.clone(), file.level, file.tokens)).collect()
    };
    let draft = flown(vec![finalize(&[])]);
    assert!(draft.text.contains("self.expires = now + 3600;"), "{}", draft.text);
    for fill in ["keep", "none"] {
        let mut last = finalize(&["README.md full", "src/color.rs#mix full"]);
        last["fill"] = json!(fill);
        let after = flown(vec![last]);
        assert!(after.text.contains("fn mix(") && after.text.contains("## README.md (full)"));
        let mut others = rest(&after, "README.md");
        others.retain(|(path, ..)| path != "src/color.rs");
        assert_eq!(others, rest(&draft, "README.md"), "{fill}\n{}\n{}", after.text, draft.text);
    }
    // An item of a file that is shown takes nothing of the file away.
    let after = flown(vec![finalize(&["src/session.rs#Session::refresh full"])]).text;
    assert!(after.contains("now > self.expires\n    }\n}"), "{after}");
    assert!(after.contains("struct Session {") && after.contains("struct Expired;"), "{after}");
}

#[test]
fn a_context_held_to_the_one_before_is_the_same_from_a_stored_state() {
    let folder = service();
    let mut n_held = 0;
    for tokens in (120..400).step_by(20) {
        let draft = fly(tokens, vec![finalize(&[])]).map;
        let mut answer = update(&["src/session.rs fold", "src/session.rs#Session::refresh full"]);
        answer["fill"] = json!("none");
        let limits = Limits { turns: 1, ..Limits::default() };
        let (mut repo, first) = open(&folder, tokens);
        let found = explore(&mut repo, first, &mut Says(vec![answer]), &limits, &mut ()).unwrap();
        for (was, is) in draft.files.iter().zip(&found.map.files) {
            let is_same = (was.level, &was.items) == (is.level, &is.items);
            let is_named = is.path == "src/session.rs";
            let has_fallen = is.level <= was.level && is.tokens <= was.tokens;
            assert!(is_named || is_same || has_fallen, "{tokens} {}", found.map.text);
        }
        n_held += usize::from(found.map.tokens < draft.tokens);
        let stored = state::from_json(&state::to_json(&found.state)).unwrap();
        let mut repo = open(&folder, tokens).0;
        let again = explore(&mut repo, stored, &mut Says(Vec::new()), &limits, &mut ()).unwrap();
        assert_eq!(again.map.text, found.map.text, "{tokens}");
    }
    assert!(n_held > 0);
}

#[test]
fn the_schema_bounds_the_lists_and_offers_a_search() {
    let (requests, _) = asked(open(&service(), 800), vec![finalize(&[])]);
    let fields = &requests[0].schema["properties"];
    assert_eq!(
        (&fields["changes"]["maxItems"], &fields["focus"]["maxItems"]),
        (&json!(20), &json!(5))
    );
    assert_eq!(fields["fill"]["enum"], json!(["keep", "none", "near", "all"]));
    let kinds = fields["changes"]["items"]["anyOf"].as_array().unwrap();
    assert_eq!(kinds[1]["required"], json!(["find"]));
}

#[test]
fn the_use_of_free_tokens_reaches_the_terrain_and_a_resumed_one() {
    let events = Events::default();
    let mut tree = NumberTree::new(13, &events);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let answers = vec![json!({ "action": "update_flight_plan", "changes": [], "fill": "none" })];
    let limits = Limits { turns: 1, ..Limits::default() };
    let free = Price::flat(PicoUsd(0), PicoUsd(0));
    let mut journal = Vec::new();
    let ledger = Ledger::new(PicoUsd::DEFAULT_LIMIT, free, &[], &mut journal);
    let model = Scripted { answers, asked };
    let mut pilot =
        ModelPilot::new(Box::new(model), ledger, ModelLimits::default(), Box::new(|_| ()));
    let found = Navigator::new(&mut tree).limits(limits.clone()).explore(&mut pilot).unwrap();
    drop(pilot);
    assert_eq!(found.state.free, Some(FreeTokens::None));
    assert_eq!(found.state.log[0].free, Some(FreeTokens::None));
    assert_eq!(events.read(), ["free tokens: none"]);
    let resumed = state::from_json(&state::to_json(&found.state)).unwrap();
    Navigator::new(&mut tree)
        .from_state(resumed)
        .limits(limits)
        .explore(&mut navigator::OfflinePilot::default())
        .unwrap();
    assert_eq!(events.read()[1], "free tokens: none");
}
