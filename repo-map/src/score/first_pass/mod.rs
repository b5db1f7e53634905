//! Stage one: what every file of the tree says of the goal, counted over its raw bytes. Nothing is
//! parsed.
//!
//! What a file is and says whatever the goal is its `Record`; a goal is then looked up in the
//! records. So a goal never seen before reads no file again whose record is known. Lines that look
//! like imports are kept for the graph of files.

mod facts;
mod imports;
mod phrases;
mod record;
mod survey;

pub(crate) use facts::{FileFacts, Lexicon};
pub(crate) use record::WORDS;
pub(crate) use survey::{from_above, survey};
