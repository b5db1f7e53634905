//! The model of one page, computed from its bytes and its address alone.

mod blocks;
mod decode;
mod definition;
mod element;
mod form;
mod generator;
mod generator_rows;
mod links;
pub(crate) mod markdown;
mod math;
mod missing;
mod model;
mod parse;
mod plain_text;
mod read;
mod read_tree;
mod table;
mod tree;
mod xhtml;

pub use decode::text_of;
pub use form::{PageField, PageForm};
pub(crate) use model::TITLE_RANK;
pub use model::{BlockKind, PageBlock, PageHeading, PageLink, WebPage};
pub use read::targets;
pub use tree::{PageTree, TreeNode};
