//! Blocks of text and their prices: what a file, an item or a folder looks like at each level.
//!
//! A price is the token count of the very text that is printed, so that sizes add up.

mod blocks;

pub(crate) use blocks::{
    Choice, FilePrice, NO_OUTLINE, Page, Style, fold_line, footer, header, path_line, strays_line,
};
