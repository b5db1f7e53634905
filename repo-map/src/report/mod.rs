//! What people, programs and pilots are told of a map: sizes, reasons, costs of a change, the page;
//! and of a plan: what it matches, and how two of them differ.

pub mod cost;
pub mod explain;
pub mod html;
pub mod json;
pub mod plan_check;
pub mod plan_diff;
pub mod query_test;
pub mod unmatched;
