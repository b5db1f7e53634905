//! Find the best context for a goal: scan, look, decide, refine, within a token budget and a limit
//! in USD.
//!
//! A [`Terrain`] is a world that can be mapped; a [`Repository`] is one. A [`Pilot`] receives the
//! goal, the current map, the decision log and the remaining budgets, and returns an [`Action`]. A
//! [`Navigator`] applies it and takes the next turn, until the pilot finalizes or a limit is
//! reached. The [`OfflinePilot`] decides by evidence alone, without a model, at no cost. The
//! [`ModelPilot`] asks a [`Model`] and pays from a [`Ledger`], which reserves the maximum cost of a
//! call before it is sent. The consequence of a change outside the map is an [`Effect`]: it is
//! approved, and reserved in writing, before it happens.
//!
//! ```
//! use navigator::{Navigator, OfflinePilot, Repository, Stop};
//! use repo_map::{FlightPlan, Options};
//!
//! # fn main() -> repo_map::Result<()> {
//! # let folder = tempfile::tempdir().expect("a temporary folder");
//! # let text = "/// Adds.\npub fn add(a: u32, b: u32) -> u32 { a + b }\n";
//! # std::fs::write(folder.path().join("lib.rs"), text).expect("written");
//! # let path = folder.path();
//! let goal = Some("what does `add` do?".into());
//! let mut plan = FlightPlan { goal, ..FlightPlan::default() };
//! plan.context.tokens = 300;
//! let mut repository = Repository::open(path, plan, &Options::default())?;
//! let found = Navigator::new(&mut repository).explore(&mut OfflinePilot::default())?;
//! assert_eq!(found.stop, Stop::Finished);
//! assert!(found.map.tokens <= 300);
//! println!("{}", found.summary);
//! # Ok(())
//! # }
//! ```
//!
//! # Progress and cancellation
//!
//! An [`Observer`] receives each turn and may end the run. A [`CancelToken`], used from another
//! thread, and the time limit end it too. Every end delivers a context. (Opening the repository
//! comes before: see [`repo_map`].) This library prints nothing.
//!
//! ```
//! use navigator::{
//!     CancelToken, Limits, Navigator, Observer, OfflinePilot, Repository, Stop, TurnReport,
//! };
//! use repo_map::{FlightPlan, Options, RepoMap};
//!
//! struct UntilFirstTurn(CancelToken);
//!
//! impl Observer<Repository> for UntilFirstTurn {
//!     fn turn(&mut self, report: &TurnReport, map: &RepoMap) {
//!         println!("turn {}: {} of {} tokens", report.step, map.tokens, map.budget);
//!         self.0.cancel();
//!     }
//! }
//!
//! # fn main() -> repo_map::Result<()> {
//! # let folder = tempfile::tempdir().expect("a temporary folder");
//! # let text = "/// Adds.\npub fn add(a: u32, b: u32) -> u32 { a + b }\n";
//! # std::fs::write(folder.path().join("lib.rs"), text).expect("written");
//! # let path = folder.path();
//! let goal = Some("what does `add` do?".into());
//! let plan = FlightPlan { goal, ..FlightPlan::default() };
//! let mut repository = Repository::open(path, plan, &Options::default())?;
//! let cancel = CancelToken::new();
//! let limits = Limits { cancel: cancel.clone(), ..Limits::default() };
//! let mut observer = UntilFirstTurn(cancel);
//! let found = Navigator::new(&mut repository)
//!     .limits(limits)
//!     .observer(&mut observer)
//!     .explore(&mut OfflinePilot::default())?;
//! assert_eq!((found.stop, found.state.turns), (Stop::Interrupted, 1));
//! # Ok(())
//! # }
//! ```
//!
//! # Walks
//!
//! A [walk](walk::steps::walk) sees one page at a time and remembers its path only. A
//! [session](walk::session::WalkSession) is its world; its pilots decide
//! [without a model](walk::pilot::offline::OfflineWalker) or
//! [with one](walk::pilot::asked::ModelWalker).
//!
//! # Features
//!
//! `cli`: the `navigator` program, includes `models` and `sites`. `mcp`: the server for agents,
//! part of the program; `serve`: the same over HTTP. `models`: models behind servers
//! (`ModelEndpoint`, `Remote`, `Prices`). `sites`: walks over sites (`SiteSession`), and sites of
//! which more can be read (`DocumentTerrain`). `browser`: a [browser] behind a guard, on Unix.
//! `all-languages`, or one feature per language: outlines. All these but `serve` are on by default;
//! all are optional. `store`: purses, runs and knowledges that many runs share; `postgres`: the
//! same on a server.

#[cfg(feature = "cli")]
mod app;
#[cfg(feature = "browser")]
pub mod browser;
mod error;
#[cfg(feature = "sites")]
pub mod knowledge;
mod model;
mod money;
mod navigator;
mod pilot;
mod placeholder;
mod run;
mod shared;
#[cfg(feature = "store")]
pub mod store;
mod terrain;
pub mod walk;

// For the program of this crate; not part of the stable API.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use app::cli;
pub use error::Error;
#[cfg(feature = "models")]
pub use model::endpoint::{EndpointRequest, ModelEndpoint};
#[cfg(feature = "models")]
pub use model::provider;
#[cfg(feature = "models")]
pub use model::remote::Remote;
pub use model::request::{Failure, Model, Reply, Request};
pub use model::retry::Retries;
#[cfg(feature = "models")]
pub use model::secret::Secret;
#[cfg(feature = "models")]
pub use model::wire::Wire;
pub use money::effect::{Effect, EffectKind, Permit, ResourceLimits, Resources, SentField};
pub use money::effect_ledger::{EffectLedger, EffectRefusal, ResourceShortage};
pub use money::ledger::{self, Journal, Ledger};
pub use money::pico_usd::PicoUsd;
pub use money::price::{self, Price, Usage};
#[cfg(feature = "models")]
pub use money::prices::{ModelInfo, Prices};
pub use money::purse::{Purse, PurseAccount, PurseRefusal};
pub use money::shared_limit::SharedLimit;
// For tests that serve their own terrain.
#[cfg(feature = "mcp")]
#[doc(hidden)]
pub use app::mcp::{CallFound, CallSpend, Explorer, Offline, Watch};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use app::run_folder::RunFolder;
// For tests that read arbitrary replies.
pub use navigator::Navigator;
#[doc(hidden)]
pub use pilot::answer;
pub use pilot::briefing::{Briefing, Complaint, ReadChange, View};
pub use pilot::model_pilot::{ModelLimits, ModelPilot};
pub use pilot::offline::{OfflinePilot, offline_rules};
pub use repo_map::CancelToken;
pub use run::action::{Action, Focus, FreeTokens};
pub use run::admission::{Admission, Fall, Refusal};
pub use run::deadline::Deadline;
pub use run::decision_log::{self, LogEntry};
pub use run::explore::{Exploration, Limits};
pub use run::observer::{Checkpoint, Directive, EffectQuestion, Observer};
pub use run::pilot::{Decision, Pilot, Projection, Spend, Turn};
pub use run::plan::{Change, Plan};
pub use run::report::{ResourceReport, ShownCount, TurnReport};
pub use run::state::{self, State};
pub use run::stop::Stop;
pub use run::terrain::{Applied, Candidate, ChangeOf, Nouns, Place, Terrain, TerrainMap};
#[cfg(feature = "browser")]
pub use terrain::browser::{BrowserSession, BrowserWalk, BrowserWalkError, RecordedScreens};
pub use terrain::repo::{self, Repository, RuleChange, RuleTarget};
#[cfg(feature = "sites")]
pub use terrain::site::{
    DocumentChange, DocumentPlan, DocumentTerrain, PageVisit, SitePages, SiteServer, SiteSession,
};
