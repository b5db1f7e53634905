//! Pages with their links packed: a site of many pages has millions of links.

use std::collections::{BTreeSet, HashMap};

use url::Url;

use crate::page::{BlockKind, PageBlock, PageHeading, PageTree, WebPage};
use crate::site::repeated::Repeated;

/// The share of a page's text that stands in links, from which a page is an index.
const INDEX_SHARE: f64 = 0.8;
/// The share of a page's text that stands in sentences, from which they are what it says: an index
/// may say what it is, and when it was made.
const SENTENCES_SHARE: f64 = 0.01;
/// What an index of few links says of itself, in bytes: `Here is a list of all modules:`
const TITLE_LENGTH: usize = 40;
/// The fewest links of an index.
const INDEX_LINKS: usize = 50;

/// A page with its links packed.
pub(super) struct ParsedPage {
    pub(super) address: Url,
    pub(super) canonical: Option<Url>,
    pub(super) title: String,
    pub(super) breadcrumb: Vec<String>,
    pub(super) blocks: Vec<PageBlock>,
    pub(super) trees: Vec<PageTree>,
    pub(super) n_images: usize,
    pub(super) n_hidden: usize,
    pub(super) n_hidden_parts: usize,
    pub(super) links: Vec<u32>,
    /// Whether it has as many links as an index.
    pub(super) has_many_links: bool,
    pub(super) is_whole: bool,
}

/// Numbers for addresses.
#[derive(Default)]
pub(super) struct AddressNumbers(pub(super) HashMap<Url, u32>);

impl AddressNumbers {
    pub(super) fn number(&mut self, address: &Url) -> u32 {
        if let Some(number) = self.0.get(address) {
            return *number;
        }
        let number = self.0.len() as u32;
        self.0.insert(address.clone(), number);
        number
    }
}

impl ParsedPage {
    pub(super) fn of(page: WebPage, addresses: &mut AddressNumbers) -> ParsedPage {
        addresses.number(&page.address);
        let content = page.links.iter().filter(|link| link.is_content);
        let has_many_links = content.clone().count() >= INDEX_LINKS;
        let links: BTreeSet<u32> = content.map(|link| addresses.number(&link.target)).collect();
        ParsedPage {
            address: page.address,
            canonical: page.canonical,
            title: page.title,
            breadcrumb: page.breadcrumb,
            blocks: page.blocks,
            trees: page.trees,
            n_images: page.n_images,
            n_hidden: page.n_hidden,
            n_hidden_parts: page.n_hidden_parts,
            links: links.into_iter().collect(),
            has_many_links,
            is_whole: page.is_whole,
        }
    }

    /// Reports whether nearly all that it says are links, and nothing is its own: sentences, code,
    /// a definition. Folders in folders are an order that the page gives them; the entries of an
    /// index have no more than a list each.
    pub(super) fn is_index(&self, repeated: &Repeated) -> bool {
        if !self.has_many_links || self.trees.iter().any(PageTree::is_nested) {
            return false;
        }
        let dropped = repeated.dropped(&self.blocks);
        let kept = self.blocks.iter().zip(dropped).filter(|(_, dropped)| !dropped);
        let mut kept = kept.map(|(block, _)| block).peekable();
        // Terms with links alone below them define nothing, nor do those with terms of their own.
        let is_term = |term: &PageHeading, below: Option<&&PageBlock>| {
            below.is_some_and(|block| match &block.kind {
                BlockKind::Heading(one) => one.is_definition && one.level > term.level,
                _ => block.only_lists_links(),
            })
        };
        let (mut n_linked, mut n_sentences, mut n_all) = (0, 0, 0);
        while let Some(block) = kept.next() {
            if block.only_lists_links() {
                n_linked += length(block);
                n_all += length(block);
                continue;
            }
            match &block.kind {
                BlockKind::Code => return false,
                BlockKind::Heading(one) if one.is_definition => match is_term(one, kept.peek()) {
                    true => continue,
                    false => return false,
                },
                BlockKind::Paragraph if block.is_data => {
                    n_sentences += block.text.len() - block.n_linked;
                }
                _ => {}
            }
            n_linked += block.n_linked;
            n_all += length(block);
        }
        n_linked as f64 > INDEX_SHARE * n_all as f64
            && (n_sentences as f64) < (SENTENCES_SHARE * n_all as f64).max(TITLE_LENGTH as f64)
    }
}

/// Returns how long a block is without the marks of a table, in bytes.
fn length(block: &PageBlock) -> usize {
    let cells = block.text.split('|').map(str::trim).filter(|cell| *cell != "---");
    match block.kind {
        BlockKind::Table => cells.map(str::len).sum(),
        _ => block.text.len(),
    }
}
