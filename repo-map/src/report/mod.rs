//! Reports for people, programs and pilots: on a map its sizes, scores, costs of changes and page;
//! on plans their matches and differences.

pub mod callees;
pub mod cost;
pub mod excerpt;
pub mod explain;
pub mod find;
pub mod html;
pub mod item_room;
pub mod json;
pub mod meant;
pub mod plan_check;
pub mod plan_diff;
pub mod prices;
pub mod query_test;
pub mod rule_cost;
pub mod tests_of;
pub mod unmatched;
