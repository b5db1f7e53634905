//! Find the best context for a goal: scan, look, decide, refine, within a token budget and a limit in USD.
//!
//! A [`Pilot`] sees the goal, the current map, the decision log and what is left of the budgets, and answers with an
//! [`Action`]; a [`Navigator`] applies it and looks again, until the pilot finalizes or a limit is reached. The
//! [`OfflinePilot`] decides by the evidence alone, without a model, at no cost; the [`ModelPilot`] asks a [`Model`], and pays
//! from a [`Ledger`] that reserves the most a call can cost before it is sent.
//!
//! ```
//! use navigator::{Navigator, OfflinePilot, Stop};
//! use repo_map::{FlightPlan, Options, Repo};
//!
//! # fn main() -> repo_map::Result<()> {
//! # let folder = tempfile::tempdir().expect("a temporary folder");
//! # std::fs::write(folder.path().join("lib.rs"), "/// Adds.\npub fn add(a: u32, b: u32) -> u32 { a + b }\n").expect("written");
//! # let path = folder.path();
//! let mut plan = FlightPlan { goal: Some("what does `add` do?".into()), ..FlightPlan::default() };
//! plan.context.tokens = 300;
//! let mut repo = Repo::open(path, &plan, &Options::default())?;
//! let found = Navigator::new(&plan).explore(&mut repo, &mut OfflinePilot::default())?;
//! assert_eq!(found.stop, Stop::Finished);
//! assert!(found.map.tokens <= 300);
//! println!("{}", found.summary);
//! # Ok(())
//! # }
//! ```
//!
//! # Progress and cancellation
//!
//! An [`Observer`] is told of each turn, and may end the run; so may a flag, from another thread, and the clock. Whatever ends
//! it, there is a context. (Opening the repository comes before: see [`repo_map`].) Nothing here prints.
//!
//! ```
//! use std::sync::atomic::{AtomicBool, Ordering};
//!
//! use navigator::{Limits, Navigator, Observer, OfflinePilot, Stop, TurnReport};
//! use repo_map::{FlightPlan, Options, Repo, RepoMap};
//!
//! struct UntilFirstTurn<'a>(&'a AtomicBool);
//!
//! impl Observer for UntilFirstTurn<'_> {
//!     fn turn(&mut self, report: &TurnReport, map: &RepoMap) {
//!         println!("turn {}: {} of {} tokens", report.step, map.tokens, map.budget);
//!         self.0.store(true, Ordering::Relaxed);
//!     }
//! }
//!
//! # fn main() -> repo_map::Result<()> {
//! # let folder = tempfile::tempdir().expect("a temporary folder");
//! # std::fs::write(folder.path().join("lib.rs"), "/// Adds.\npub fn add(a: u32, b: u32) -> u32 { a + b }\n").expect("written");
//! # let path = folder.path();
//! let plan = FlightPlan { goal: Some("what does `add` do?".into()), ..FlightPlan::default() };
//! let mut repo = Repo::open(path, &plan, &Options::default())?;
//! let interrupted = AtomicBool::new(false);
//! let limits = Limits { interrupted: Some(&interrupted), ..Limits::default() };
//! let mut observer = UntilFirstTurn(&interrupted);
//! let found = Navigator::new(&plan).limits(limits).observer(&mut observer).explore(&mut repo, &mut OfflinePilot::default())?;
//! assert_eq!((found.stop, found.state.turns), (Stop::Interrupted, 1));
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! `cli`: the `navigator` program, with `models`. `mcp`: the server for agents, in it. `models`: models behind servers
//! (`Target`, `Remote`, `Prices`). `all-languages`, or one a language: outlines. All are on by default; none is needed.

mod action;
// For tests, which read whatever a model may say.
#[doc(hidden)]
pub mod answer;
mod ask;
// For the program of this crate: no promise is made about it.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod decision_log;
mod explore;
pub mod ledger;
#[cfg(feature = "mcp")]
mod mcp;
mod model;
mod model_pilot;
mod money;
mod navigator;
mod offline;
mod patience;
mod pilot;
pub mod price;
#[cfg(feature = "models")]
mod prices;
mod prompt;
#[cfg(feature = "models")]
pub mod provider;
#[cfg(feature = "models")]
mod remote;
mod report;
#[cfg(feature = "cli")]
mod run_folder;
#[cfg(feature = "models")]
mod secret;
#[cfg(feature = "cli")]
mod settings;
pub mod state;
mod stop;
#[cfg(feature = "cli")]
mod story;
#[cfg(feature = "cli")]
mod terminal;
mod versioned;
mod view;
#[cfg(feature = "models")]
mod wire;

pub use action::{Action, Change, Focus, RuleChange};
pub use ask::Retries;
pub use decision_log::LogEntry;
pub use explore::{Exploration, Limits, Observer, Standing, Wish, draft, explore, peek};
pub use ledger::{Journal, Ledger};
pub use model::{Failure, Model, Reply, Request};
pub use model_pilot::{ModelPilot, Terms};
pub use money::PicoUsd;
pub use navigator::Navigator;
pub use offline::OfflinePilot;
pub use patience::Patience;
pub use pilot::{Decision, Hint, Pilot, Projection, Purse, Turn};
pub use price::{Price, Usage};
#[cfg(feature = "models")]
pub use prices::{Listed, Prices};
#[cfg(feature = "models")]
pub use provider::Target;
#[cfg(feature = "models")]
pub use remote::Remote;
pub use report::TurnReport;
#[cfg(feature = "models")]
pub use secret::Secret;
pub use state::State;
pub use stop::Stop;
#[cfg(feature = "models")]
pub use wire::Wire;
