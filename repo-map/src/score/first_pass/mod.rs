//! Stage one: the facts of every file about the goal, counted over its raw bytes without parsing.
//!
//! A `Record` holds the facts of a file that do not depend on a goal. A goal is looked up in the
//! records, so a new goal reads no file whose record is known. Lines that look like imports are
//! kept for the graph of files.

mod facts;
mod imports;
mod packages;
mod phrases;
mod record;
mod survey;

pub(crate) use facts::{FileFacts, Lexicon};
pub(crate) use imports::global_name;
pub(crate) use packages::{imports_by_name, is_go_module, is_own_name};
pub(crate) use phrases::{Phrases, hash_of_type};
pub(crate) use record::WORDS;
pub(crate) use survey::{from_above, survey};
