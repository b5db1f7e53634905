//! The model of one page, computed from its bytes and its address alone.

mod blocks;
mod decode;
mod definition;
mod element;
mod generator;
mod links;
mod markdown;
mod model;
mod parse;
mod read;
mod table;

pub use model::{BlockKind, PageBlock, PageHeading, PageLink, WebPage};
pub use read::targets;
