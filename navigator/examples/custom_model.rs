//! A model of one's own, driven as any other: with a ledger, retries and the same prompts. This one
//! is a function; one that asks a program or a library of yours looks the same.
//!
//! `cargo run -p repo-navigator --example custom_model -- FOLDER GOAL`

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example takes arguments and prints what it made"
)]

use std::path::Path;

use navigator::{
    Deadline, Exploration, Failure, Ledger, Model, ModelLimits, ModelPilot, Navigator, PicoUsd,
    Price, Reply, Repository,
};
use repo_map::{FlightPlan, Options, Result};
use serde_json::json;

/// Folds the folder of the tests away, then is content.
#[derive(Default)]
struct Canned {
    n_asked: u32,
}

impl Model for Canned {
    fn name(&self) -> &str {
        "example/canned"
    }

    fn send(&mut self, body: &str, _deadline: &Deadline) -> std::result::Result<Reply, Failure> {
        self.n_asked += 1;
        let has_tests = body.contains("tests/");
        // The form of an answer is in `Request::schema`, and in words in the body.
        let answer = match self.n_asked {
            1 if has_tests => json!({
                "reasoning": "tests do not explain the code",
                "action": "update_flight_plan",
                "changes": [{ "path": "tests/**", "level": "exclude", "why": "not asked about" }],
            }),
            _ => {
                json!({ "action": "finalize_context", "summary": "the code, without its tests", "focus": [] })
            }
        };
        Ok(Reply { text: answer.to_string(), ..Reply::default() })
    }
}

/// What the model makes of the offline pilot's map, and what was written down of its calls.
pub(crate) fn find(
    folder: &Path,
    goal: &str,
    tokens: u32,
) -> Result<(Exploration<Repository>, Vec<String>)> {
    let mut plan = FlightPlan { goal: Some(goal.into()), ..FlightPlan::default() };
    plan.context.tokens = tokens;
    let mut repository = Repository::open(folder, plan, &Options::default())?;
    let mut journal = Vec::new();
    // Its tokens cost nothing, so that no limit is needed; `Price::flat` is the price of one that
    // bills.
    let ledger = Ledger::new(PicoUsd::default(), Price::default(), &[], &mut journal);
    let terms = ModelLimits { window: 32_000, ..ModelLimits::default() };
    let mut pilot =
        ModelPilot::new(Box::new(Canned::default()), ledger, terms, Box::new(|_waiting| ()));
    let found = Navigator::new(&mut repository).from_offline().explore(&mut pilot)?;
    drop(pilot);
    Ok((found, journal))
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, goal] = args.as_slice() else { panic!("give a folder and a goal") };
    let (found, journal) = find(Path::new(folder), goal, 4_000)?;
    println!("{}\n{}\n{}", found.map.text, found.summary, journal.join("\n"));
    Ok(())
}
