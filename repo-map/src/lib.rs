//! Render a repository at a level of detail chosen per path, inside a hard token budget.
//!
//! A map is a pure function of the repository's files and a [`FlightPlan`]: no model, no network, no clock.
//!
//! ```
//! use repo_map::{FlightPlan, Layers, Options, Repo};
//!
//! # fn main() -> repo_map::Result<()> {
//! # let folder = tempfile::tempdir().expect("a temporary folder");
//! # std::fs::write(folder.path().join("lib.rs"), "/// Adds.\npub fn add(a: u32, b: u32) -> u32 { a + b }\n").expect("written");
//! # let path = folder.path();
//! let mut plan = FlightPlan { goal: Some("where are numbers added?".into()), ..FlightPlan::default() };
//! plan.context.tokens = 200;
//! let mut repo = Repo::open(path, &plan, &Options::default())?;
//! let map = repo.map(Layers::default())?;
//! assert!(map.tokens <= 200);
//! assert!(map.text.contains("pub fn add"));
//! # Ok(())
//! # }
//! ```
//!
//! The pipeline, one type a stage: `FlightPlan` (what is asked) → `Tree` (paths) → facts of every file, counted over raw
//! bytes → entries (outlines and prices of the files that can matter) → worth → selection (a level for every file and
//! item, fitted to the budget) → [`RepoMap`] (text, sizes, and the flown plan that rebuilds it).

mod ask;
mod assemble;
mod bag;
pub mod cache;
mod caught;
mod changes;
#[cfg(feature = "cli")]
pub mod cli;
mod draw;
pub mod error;
mod evidence;
pub mod explain;
mod fit;
mod flown;
mod folders;
mod git;
mod goal;
mod graph;
mod guard;
mod history;
pub mod html;
mod index;
mod items;
pub mod language;
pub mod language_files;
mod languages;
pub mod level;
mod map;
pub mod mask;
pub mod offer;
pub mod outline;
pub mod plan;
pub mod plan_check;
pub mod plan_diff;
pub mod progress;
mod render;
mod replay;
mod repo;
pub mod report;
pub mod role;
pub mod scan;
mod survey;
pub mod tokens;
pub mod try_out;
mod words;
pub mod worth;

pub use ask::Layers;
pub use error::{Error, Result};
pub use languages::LanguageRule;
pub use level::{Level, LevelRange};
pub use map::{Conflict, FileReport, ItemReport, Part, PartKind, RepoMap, RuleOrigin};
pub use offer::{FileOffer, FolderOffer, ItemOffer, Reach};
pub use plan::{FlightPlan, Format};
pub use progress::{Progress, Stage, Watcher};
pub use replay::{Drift, Replay, refit, refit_repo, replay};
pub use repo::{Options, RankedItem, Repo};
pub use tokens::Tokenizer;
