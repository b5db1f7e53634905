//! The scan: a folder on disk becomes a tree of files, and a file its text. The only reader of a
//! repository.

mod decode;
mod file_id;
mod notation;
mod read;
mod tree;
mod walk;

pub(crate) use decode::{MARK_RULES, mark_of};
pub use file_id::FileId;
pub(crate) use file_id::Stamp;
pub use notation::{map_order, notation};
pub(crate) use notation::{notation_of_git, sort_entries};
pub(crate) use read::MAX_PAGE_BYTES;
pub use read::{MAX_FILE_BYTES, read};
pub(crate) use read::{mark_of_entry, open, read_bytes};
pub use tree::{
    FileEntry, Mark, PageFacts, Problem, ScanOptions, SiteFacts, Source, Tree, UnreadPages,
};
pub(crate) use walk::walk_watched;
pub use walk::{IGNORE_FILE, walk};
