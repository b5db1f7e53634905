//! Render a repository at a level of detail chosen per path, inside a hard token budget.
//!
//! A map is a pure function of the repository's files and a [`FlightPlan`]: no model, no network,
//! no clock.
//!
//! ```
//! use repo_map::{FlightPlan, RuleLayers, Options};
//!
//! # fn main() -> repo_map::Result<()> {
//! # let folder = tempfile::tempdir().expect("a temporary folder");
//! # let text = "/// Adds.\npub fn add(a: u32, b: u32) -> u32 { a + b }\n";
//! # std::fs::write(folder.path().join("lib.rs"), text).expect("written");
//! # let path = folder.path();
//! let goal = Some("where are numbers added?".into());
//! let mut plan = FlightPlan { goal, ..FlightPlan::default() };
//! plan.context.tokens = 200;
//! let judged = repo_map::open(path, &plan, &Options::default())?;
//! let map = judged.map(RuleLayers::default())?;
//! assert!(map.tokens <= 200);
//! assert!(map.text.contains("pub fn add"));
//! # Ok(())
//! # }
//! ```
//!
//! # Progress and cancellation
//!
//! Opening a repository reads it. It reports progress to a [`ProgressSink`], from any thread; a
//! [`CancelToken`] ends it with [`Error::Cancelled`]. The library does not print, and only a
//! [`cache::Cache`] keeps state after a [`Judged`] is dropped.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicUsize, Ordering};
//!
//! use repo_map::{CancelToken, Error, FlightPlan, Options, ProgressSink, Stage};
//!
//! # fn main() -> repo_map::Result<()> {
//! # let folder = tempfile::tempdir().expect("a temporary folder");
//! # let text = "pub fn add(a: u32, b: u32) -> u32 { a + b }\n";
//! # std::fs::write(folder.path().join("lib.rs"), text).expect("written");
//! # let path = folder.path();
//! let n_read = Arc::new(AtomicUsize::new(0));
//! let seen = Arc::clone(&n_read);
//! let watcher = ProgressSink::new(move |progress| {
//!     if progress.stage == Stage::Read {
//!         seen.store(progress.done, Ordering::Relaxed);
//!     }
//! });
//! let cancel = CancelToken::new();
//! let options = Options {
//!     watcher: Some(watcher),
//!     cancel: cancel.clone(),
//!     ..Options::default()
//! };
//! let goal = Some("where are numbers added?".into());
//! let plan = FlightPlan { goal, ..FlightPlan::default() };
//! let judged = repo_map::open(path, &plan, &options)?;
//! assert_eq!(n_read.load(Ordering::Relaxed), judged.n_files());
//!
//! // From any thread, at any time: here before it starts.
//! cancel.cancel();
//! assert!(matches!(repo_map::open(path, &plan, &options), Err(Error::Cancelled)));
//! # Ok(())
//! # }
//! ```
//!
//! # The pipeline
//!
//! One value a stage, each made from the one before: [`FlightPlan`] (the request) → [`Tree`]
//! (paths) → the survey (what every file has for the goal, counted over raw bytes, and which files
//! depend on which) → [`Judged`] (outlines of the files that can matter, scores of files and items)
//! → selection (a level for every file and item, fitted to the budget) → [`RepoMap`] (text, sizes,
//! and the flown plan that rebuilds it).
//!
//! Questions about a value are functions of it: [`explain`](explain::explain()), prices
//! ([`cost`]), pages ([`html`]), rules that match nothing ([`unmatched`](mod@unmatched)), the one
//! thing that a wrong name can mean ([`meant`]).

// For the two programs of this repository; not part of the stable API.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod error;
mod exit;
mod fit;
mod level;
mod map;
pub mod outline;
pub mod plan;
mod render;
pub mod report;
mod score;
mod source;
mod text;

pub use error::{Error, Result};
pub use exit::Exit;
pub use level::{Level, LevelError, LevelRange};
pub use map::drift::{Drift, Elsewhere};
pub use map::effective::RuleLayers;
pub use map::judged::{ChangedFiles, Judged, RankedItem};
pub use map::open::{open, open_tree};
pub use map::options::Options;
pub use map::replay::{PlanToReplay, Refit, Replay, ReplayOutcome, ReplayReport};
pub use map::{Conflict, FileReport, ItemReport, Part, PartKind, RepoMap, RuleOrigin};
pub use outline::languages::LanguageRule;
pub use outline::{language, language_files};
pub use plan::{Fill, FlightPlan, Format};
pub use report::callees::Callee;
pub use report::cost::{FileCosts, ItemCost, Reach};
pub use report::excerpt::{ExcerptBody, ExcerptOf, ExcerptSizes};
pub use report::unmatched::{HiddenPaths, Unmatched};
pub use report::{
    callees, cost, excerpt, explain, find, html, meant, plan_check, plan_diff, rule_cost, tests_of,
    unmatched,
};
pub use score::judge as worth;
pub use source::cache;
pub use source::document::Document;
pub use source::location::{DocumentKind, Location};
pub use source::progress::{CancelToken, Progress, ProgressSink, Stage};
pub use source::scan::{FileEntry, FileId, PageFacts, Problem, SiteFacts, Tree, UnreadPages};
pub use text::sanitize::{Gate, Sanitized};
pub use text::tokens::{Tokenizer, UnknownTokenizer};

// For tests and benchmarks that walk and read without making a map.
#[doc(hidden)]
pub use source::scan;
// For navigator, so that both programs suggest the same names.
#[doc(hidden)]
pub use text::suggest;
// For site-map and navigator, so that all of them count, cut texts and compare words alike.
#[doc(hidden)]
pub use text::counts::{counted, n_of};
#[doc(hidden)]
pub use text::cut::{cut, cut_trimmed};
#[doc(hidden)]
pub use text::words::{lower_words, spaced_words};
// For tests that run queries on fixtures as `repo-map languages --test` does.
#[doc(hidden)]
pub use report::query_test as try_out;
// For the relevance benchmark and the walks of navigator, which classify paths as this crate does.
#[doc(hidden)]
pub use score::role;
// For site-map and navigator, so that links are read with the words of goals and what they mean.
#[cfg(feature = "word-vectors")]
#[doc(hidden)]
pub use score::word_vectors::TextVector;
#[doc(hidden)]
pub use score::words::{TopicTerm, findable_words, idf, topic_terms, topic_words};
