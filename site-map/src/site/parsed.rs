//! Pages with their links packed: a site of many pages has millions of links.

use std::collections::{BTreeSet, HashMap};

use url::Url;

use crate::page::{PageBlock, PageTree, WebPage};

/// The share of a page's text that stands in links, from which a page is an index.
const INDEX_SHARE: f64 = 0.8;
/// The fewest links of an index.
const INDEX_LINKS: usize = 100;

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
    pub(super) is_index: bool,
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
        let is_index = is_index(&page);
        let content = page.links.iter().filter(|link| link.is_content);
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
            is_index,
            is_whole: page.is_whole,
        }
    }
}

/// Reports whether nearly all that a page says are links. Folders in folders are an order that the
/// page gives them; the entries of an index have no more than a list each.
fn is_index(page: &WebPage) -> bool {
    if page.trees.iter().any(PageTree::is_nested) {
        return false;
    }
    let content = page.links.iter().filter(|link| link.is_content);
    let (n_links, in_links) =
        content.fold((0, 0), |(n, length), link| (n + 1, length + link.text.len()));
    let length: usize = page.blocks.iter().map(|block| block.text.len()).sum();
    n_links >= INDEX_LINKS && in_links as f64 > INDEX_SHARE * length as f64
}
