//! The crate site-map: pages, fetching, recordings and crawls against servers on this machine.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests run servers and write recordings"
)]

mod any_bytes;
mod bold_lines;
mod bounded;
mod changes;
mod crawl;
mod definitions;
mod documentation_tools;
mod faults;
mod fetch;
mod foreign;
mod forms;
mod frontier;
mod generators;
mod headers;
mod inline;
mod kept;
mod large_pages;
mod left_out;
mod lists;
mod manual_pages;
mod markup;
mod meaning;
mod mirrors;
mod missing;
mod newcomers;
mod oracle;
mod outputs;
mod pages;
mod platform;
mod preformatted;
mod program;
mod recording;
mod redirect_pages;
mod reference_manuals;
mod repeated;
mod server;
mod start;
mod tables;
mod trees;

#[path = "../properties/pages.rs"]
mod any_page;
#[path = "../properties/recordings.rs"]
mod any_recording;
#[path = "../properties/site_plans.rs"]
mod any_site_plan;
