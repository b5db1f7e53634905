//! A person's rules are bounds that no pilot passes.

use navigator::{Limits, OfflinePilot, State, explore};
use repo_map::{FlightPlan, Level, Options, Repo};

use crate::service;

fn levels(rules: &str) -> Vec<(String, Level)> {
    let folder = service();
    let yaml = format!("version: 1\ngoal: where is a session refreshed?\ncontext: {{tokens: 2000}}\nrules:\n{rules}");
    let plan = FlightPlan::from_yaml("bounds", &yaml).unwrap();
    let mut repo = Repo::open(folder.path(), &plan, &Options::default()).unwrap();
    let start = State::new("boundary".into(), plan.rules.clone(), State::from_above());
    let found = explore(&mut repo, &plan, start, &mut OfflinePilot::default(), &Limits::default(), &mut ()).unwrap();
    found.map.files.into_iter().map(|file| (file.path, file.level)).collect()
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
    let levels = levels("- {path: src/session.rs, level: ..outline}\n- {path: src/color.rs, level: full}\n");
    assert!(level(&levels, "src/session.rs") <= Level::Outline);
    assert_eq!(level(&levels, "src/color.rs"), Level::Full);
}
