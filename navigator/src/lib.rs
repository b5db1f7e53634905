//! Find the best context for a goal: scan, look, decide, refine, within a token budget and a limit in USD.
//!
//! A [`Pilot`] sees the goal, the current map, the decision log and what is left of the budgets, and answers with an
//! [`Action`]; [`explore()`] applies it and looks again, until the pilot finalizes or a limit is reached. The
//! [`OfflinePilot`] decides by the evidence alone, without a model, at no cost.
//!
//! ```
//! use navigator::{Limits, OfflinePilot, explore};
//! use repo_map::{FlightPlan, Options, Repo};
//!
//! # fn main() -> repo_map::Result<()> {
//! # let folder = tempfile::tempdir().expect("a temporary folder");
//! # std::fs::write(folder.path().join("lib.rs"), "/// Adds.\npub fn add(a: u32, b: u32) -> u32 { a + b }\n").expect("written");
//! # let path = folder.path();
//! let mut plan = FlightPlan { goal: Some("where are numbers added?".into()), ..FlightPlan::default() };
//! plan.context.tokens = 300;
//! let mut repo = Repo::open(path, &plan, &Options::default())?;
//! let found = explore(&mut repo, &plan, &mut OfflinePilot::default(), &Limits::default(), &mut |_| ())?;
//! assert!(found.map.tokens <= 300);
//! println!("{}", found.summary);
//! # Ok(())
//! # }
//! ```

pub mod action;
pub mod cli;
pub mod decision_log;
pub mod explore;
pub mod money;
pub mod offline;
pub mod pilot;
pub mod report;
pub mod run_folder;
pub mod state;
pub mod stop;

pub use action::{Action, Focus, RuleChange};
pub use decision_log::LogEntry;
pub use explore::{Exploration, Limits, explore};
pub use offline::OfflinePilot;
pub use pilot::{Hint, Pilot, Turn};
pub use report::TurnReport;
pub use stop::Stop;
