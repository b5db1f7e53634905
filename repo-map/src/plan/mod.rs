//! The Flight Plan: the request for a map, its YAML and its rules.
//!
//! A plan is checked when it is read. Its rules are matched later, path by path.

mod flight_plan;
mod globs;
mod rule;
mod typed;
mod verdict;
mod yaml;

pub use flight_plan::{
    Context, DEFAULT_TOKENS, Fill, FlightPlan, Format, Invisible, MapFacts, Masking, Provenance,
    Scan, TreeFacts, VERSION,
};
pub(crate) use globs::Globs;
pub use globs::{RuleError, check_glob, exact_glob, exact_path};
pub use rule::{ItemRule, Rule};
pub(crate) use typed::as_typed;
pub use typed::{bounds, typed_rule, typed_rules};
pub use verdict::{ExcludedPaths, range_of};
pub(crate) use verdict::{RuleSet, Verdict};
#[cfg(feature = "cli")]
pub(crate) use yaml::MAX_PLAN_BYTES;
