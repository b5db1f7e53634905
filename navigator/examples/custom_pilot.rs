//! A pilot of one's own: opens one file a turn, the one with most evidence, and stops at the third
//! or when the budget is full.
//!
//! `cargo run -p repo-navigator --example custom_pilot -- FOLDER GOAL`

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example takes arguments and prints what it made"
)]

use std::path::Path;

use navigator::{
    Action, Decision, Exploration, Focus, Navigator, Pilot, Repository, Stop, Terrain, TerrainMap,
    Turn,
};
use repo_map::{FlightPlan, Options, Result};

/// The files that were opened so far. What a pilot keeps to itself is lost when a run is continued;
/// what it decided is not.
#[derive(Default)]
struct OneByOne(Vec<String>);

impl<T: Terrain> Pilot<T> for OneByOne {
    fn name(&self) -> &str {
        "one by one"
    }

    fn decide(&mut self, turn: &mut Turn<'_, T>) -> std::result::Result<Decision<T::Plan>, Stop> {
        let is_full = turn.map.tokens() * 10 > turn.map.budget() * 9;
        let next =
            turn.candidates.iter().find(|one| one.score > 0.0 && !self.0.contains(&one.name));
        let Some(candidate) = next.filter(|_| self.0.len() < 3 && !is_full) else {
            let focus = self
                .0
                .iter()
                .map(|path| Focus { path: path.clone(), why: "it was opened".into() })
                .collect();
            return Ok(Action::FinalizeContext {
                changes: Vec::new(),
                summary: format!("{} files are open", self.0.len()),
                focus,
            }
            .into());
        };
        let why = format!("a score of {:.2}", candidate.score);
        self.0.push(candidate.name.clone());
        let change = turn.terrain.open(candidate, why);
        Ok(Action::UpdateFlightPlan {
            changes: vec![change],
            reasoning: format!("open {}", candidate.name),
        }
        .into())
    }
}

/// What the pilot finds for a goal.
pub(crate) fn find(folder: &Path, goal: &str, tokens: u32) -> Result<Exploration<Repository>> {
    let mut plan = FlightPlan { goal: Some(goal.into()), ..FlightPlan::default() };
    plan.context.tokens = tokens;
    let mut repository = Repository::open(folder, plan, &Options::default())?;
    Navigator::new(&mut repository).explore(&mut OneByOne::default())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, goal] = args.as_slice() else { panic!("give a folder and a goal") };
    let found = find(Path::new(folder), goal, 4_000)?;
    println!("{}\n{}", found.map.text, found.summary);
    Ok(())
}
