//! A person's rules are bounds that no pilot passes.

use navigator::{
    Action, Decision, Exploration, Focus, Limits, OfflinePilot, Pilot, Repository, RuleChange,
    Stop, Terrain as _, Turn,
};
use repo_map::plan::Rule;
use repo_map::{FlightPlan, Level, LevelRange, Options};

use crate::{explore, service};

/// What the offline pilot finds under these rules.
fn offline(rules: &str) -> Exploration<Repository> {
    let folder = service();
    let yaml = format!(
        "version: 1\ngoal: where is a session refreshed?\ncontext: {{tokens: \
         2000}}\nrules:\n{rules}"
    );
    let plan = FlightPlan::from_yaml("bounds", &yaml).unwrap();
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let state = repo.first_state();
    explore(&mut repo, state, &mut OfflinePilot::default(), &Limits::default(), &mut ()).unwrap()
}

fn levels(rules: &str) -> Vec<(String, Level)> {
    offline(rules).map.files.into_iter().map(|file| (file.path, file.level)).collect()
}

fn level(levels: &[(String, Level)], path: &str) -> Level {
    levels.iter().find(|(one, _)| one == path).unwrap().1
}

#[test]
fn an_excluded_file_stays_excluded_however_well_it_fits_the_goal() {
    let levels = levels("- {path: src/session.rs, level: exclude}\n");
    assert_eq!(level(&levels, "src/session.rs"), Level::Exclude);
    assert!(level(&levels, "src/http.rs") > Level::Path);
}

#[test]
fn a_ceiling_and_a_floor_hold() {
    let levels =
        levels("- {path: src/session.rs, level: ..outline}\n- {path: src/color.rs, level: full}\n");
    assert!(level(&levels, "src/session.rs") <= Level::Outline);
    assert_eq!(level(&levels, "src/color.rs"), Level::Full);
}

/// A part of a summary, without its head.
fn section<'s>(summary: &'s str, head: &str) -> &'s str {
    let (_, after) = summary
        .split_once(&format!("\n## {head}\n\n"))
        .unwrap_or_else(|| panic!("no {head} in\n{summary}"));
    after.split("\n## ").next().unwrap()
}

#[test]
fn the_offline_pilot_does_not_open_what_the_rules_keep_below_its_path() {
    let found =
        offline("- {path: src/session.rs, level: exclude}\n- {path: README.md, level: ..fold}\n");
    assert_eq!(found.stop, Stop::Finished);
    for entry in &found.state.log {
        assert!(
            !entry.paths.iter().any(|path| path == "src/session.rs" || path == "README.md"),
            "{:?}",
            entry.paths
        );
        assert!(!entry.reasoning.contains("src/session.rs"), "{}", entry.reasoning);
    }
}

#[test]
fn where_nothing_relevant_may_be_shown_the_run_says_so() {
    let found = offline("- {path: '**', level: ..fold}\n- {path: assets, level: full}\n");
    assert_eq!(
        (found.stop.as_str(), found.stop.exit() as u8, found.state.turns),
        ("nothing_relevant", 4, 0)
    );
    let shown = offline("- {path: '**', level: ..fold}\n- {path: tests, level: ..path}\n");
    assert_eq!(shown.stop, Stop::Finished, "a path of a relevant file may be shown");
}

#[test]
fn the_summary_tells_apart_why_files_are_left_out() {
    let found = offline(
        "- {path: src/session.rs, level: exclude}\n- {path: 'src/h*', level: ..fold}\n- {path: \
         assets, level: full}\n- {path: src/color.rs, level: ..path}\n",
    );
    insta::assert_snapshot!(section(&found.summary, "Left out, and why"), @"
    - files folded into lines for folders: 3; not shown: 1
      - 2: open, and too weak beside the best (`fill: all` shows more)
      - 1: excluded by your rule `src/session.rs`
      - 1: folded by your rule `src/h*`
    - files shown by path or by some of their items: 0
    - `src/color.rs` came nearest (worth 0.32)
    - `README.md` came nearest (worth 0.10)
    ");
}

/// Excludes the tests, then names what the person excluded as the best of the context.
struct NamesWhatIsOut(u32);

impl Pilot<Repository> for NamesWhatIsOut {
    fn name(&self) -> &str {
        "names what is out"
    }

    fn decide(&mut self, turn: &mut Turn<'_, Repository>) -> Result<Decision<Vec<Rule>>, Stop> {
        self.0 += 1;
        let area = |path: &str| Focus { path: path.into(), why: "it refreshes".into() };
        let level =
            |path: &str, level, why: &str| RuleChange::paths(path, LevelRange::exactly(level), why);
        let changes = vec![
            level("/tests", Level::Exclude, "tests say nothing of it"),
            level("/src/http.rs", Level::Full, "it refreshes"),
            level("/src/color.rs", Level::Full, "for comparison"),
        ];
        assert!(
            !turn.candidates.iter().any(|one| one.name == "src/session.rs"),
            "what cannot be shown is no hint"
        );
        Ok(match self.0 {
            1 => Action::UpdateFlightPlan { changes, reasoning: String::new() }.into(),
            _ => Action::FinalizeContext {
                changes: Vec::new(),
                summary: String::new(),
                focus: ["src/http.rs", "src/session.rs"].map(area).to_vec(),
            }
            .into(),
        })
    }
}

#[test]
fn a_focus_area_that_is_not_shown_is_no_part_of_what_is_in() {
    let folder = service();
    folder.write("assets/logo.png", b"\x89PNG\0\0");
    let yaml = "version: 1\ngoal: where is a session refreshed?\ncontext: {tokens: 110}\nrules: \
        [{path: src/session.rs, level: exclude}]";
    let plan = FlightPlan::from_yaml("bounds", yaml).unwrap();
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let state = repo.first_state();
    let found =
        explore(&mut repo, state, &mut NamesWhatIsOut(0), &Limits::default(), &mut ()).unwrap();
    assert_eq!(section(&found.summary, "In, and why"), "- `src/http.rs`: it refreshes\n");
    insta::assert_snapshot!(section(&found.summary, "Left out, and why"), @"
    - files folded into lines for folders: 0; not shown: 6
      - 3: open, and too weak beside the best (`fill: all` shows more)
      - 1: binary, with no more than a path to show
      - 1: excluded by the pilot's rule `tests`: tests say nothing of it
      - 1: excluded by your rule `src/session.rs`
    - files shown by path or by some of their items: 0
    - `tests/session.rs` came nearest (worth 0.93)
    - `src/color.rs` came nearest (worth 0.31)
    - `README.md` came nearest (worth 0.11)
    ");
    let why = "excluded by your rule `src/session.rs`";
    let line =
        format!("- `src/session.rs` was asked for (it refreshes), and is not shown: {why}\n");
    assert!(section(&found.summary, "Trade-offs").contains(&line), "{}", found.summary);
    let reasons: Vec<_> = found
        .map
        .flown
        .rules
        .iter()
        .filter(|rule| rule.why.is_some())
        .map(|rule| rule.path.as_str())
        .collect();
    assert_eq!(reasons, ["/src/http.rs"], "the flown plan gives reasons for what it shows");
}
