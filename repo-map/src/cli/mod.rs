//! The command line: arguments become options, and results become text on the right stream.
//!
//! `args` defines the arguments, `input` and `request` turn them into a plan, a file for each
//! command does the work, `output` prints.

mod args;
mod clipboard;
mod diff;
mod explain;
mod input;
mod install;
mod map;
mod output;
mod request;
mod run;
mod tools;
mod tree;
mod watch;
mod whole;

pub use crate::exit::Exit;
pub use args::{
    EXIT_CODES, GoalArgs, OutputFormat, ReadArgs, SharedArgs, TableFormat, TextArgs, TreeShape,
    add_levels, first_given, level_rule, tokens, typed_glob,
};
pub use explain::{Absence, explain_all, explain_text};
pub use input::{
    add_languages, check_stdin, path_within, plan_name, plan_within, read_goal, read_plan,
    user_cache,
};
pub use install::{CompletionsArgs, ManArgs, completions, long_version, man};
pub use map::sizes;
pub use output::{
    CommandFailure, changed_since, deliver, fail, nothing_found, say, say_drift, write_out,
};
pub use request::check_flag;
pub use run::{main, parsed};
pub use tree::tree_text;
pub use watch::{paced, watcher};
pub use whole::{Access, check_distinct, replace_file, sync_folder, write_file};
