//! What is asked: the Flight Plan, its YAML and its rules.
//!
//! A plan is checked when it is read; which files its rules reach is asked of it later, path by
//! path.

mod flight_plan;

pub use flight_plan::{
    Context, DEFAULT_TOKENS, FlightPlan, Format, Invisible, ItemRule, MapFacts, Masking,
    Provenance, Rule, Scan, TreeFacts, VERSION, check_glob, exact_glob, exact_path, typed_rule,
    typed_rules,
};
pub(crate) use flight_plan::{Globs, MAX_PLAN_BYTES, RuleSet, Verdict, as_typed};
