//! A page as a document: its Markdown, and where its headings stand.

use serde::Serialize;
use url::Url;

use crate::page::markdown::paragraph;
use crate::page::{BlockKind, PageBlock, PageTree, TITLE_RANK, WebPage};
use crate::site::contents;
use crate::site::parsed::{AddressNumbers, ParsedPage};
use crate::site::repeated::Repeated;

/// A page as a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SitePage {
    /// The path of the address below the start, which is unique: `library/json.html`.
    pub name: String,
    /// The address.
    pub address: Url,
    /// The title.
    pub title: String,
    /// The content.
    #[serde(skip)]
    pub markdown: String,
    /// The headings and the folders of trees, in the order of the document.
    pub sections: Vec<SiteSection>,
    /// Whether it says anything beside links, headings and what repeats on most pages.
    pub has_data: bool,
    /// The number of images in the content.
    pub n_images: usize,
}

/// A page that is left out, with its content: two readings of a site are compared by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutPage {
    /// The address.
    pub address: Url,
    /// The content.
    pub markdown: String,
}

/// A heading of a page or a folder of a tree in it, and where it leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SiteSection {
    /// The text of the heading, or the name of the folder.
    pub title: String,
    /// The fragments that lead here; the first is the section's own.
    pub anchors: Vec<String>,
    /// The line of the Markdown, from 1.
    pub line: u32,
    /// The rank of the heading, from 1.
    #[serde(skip)]
    pub rank: u8,
}

/// A page as Markdown, block by block.
#[derive(Default)]
struct DocumentWriter {
    text: String,
    sections: Vec<SiteSection>,
    /// The number of lines so far.
    n_lines: u32,
    /// The rank of the last heading.
    rank: u8,
}

/// What was written of a page.
pub(super) struct WrittenPage {
    pub(super) markdown: String,
    pub(super) sections: Vec<SiteSection>,
    /// The number of blocks that repeat and were dropped.
    pub(super) n_dropped: usize,
    pub(super) has_data: bool,
}

/// Returns the digest of a page as pages are written that are not the start: only there are nested
/// lists sections, so that a twin of the start has another text.
pub(super) fn digest(
    page: &ParsedPage,
    repeated: &Repeated,
    written: &str,
    is_start: bool,
) -> blake3::Hash {
    match is_start {
        true => blake3::hash(write(page, repeated, false).markdown.as_bytes()),
        false => blake3::hash(written.as_bytes()),
    }
}

/// Writes a page without the blocks that repeat. Of the page that its site begins with, the nested
/// lists of links are sections: a map can show the chapters without their sections.
pub(super) fn write(page: &ParsedPage, repeated: &Repeated, is_start: bool) -> WrittenPage {
    let mut writer = DocumentWriter { rank: TITLE_RANK, ..DocumentWriter::default() };
    let above: Vec<&str> = page.breadcrumb.iter().map(String::as_str).collect();
    let above: Vec<&str> = above.into_iter().filter(|name| *name != page.title).collect();
    if !above.is_empty() {
        writer.block(&paragraph(&above.join(" › ")));
    }
    // A title of the document alone is shown, unless the first heading says the same.
    let has_title = page.blocks.iter().any(|block| {
        matches!(&block.kind, BlockKind::Heading(heading)
            if heading.level == TITLE_RANK || heading.title == page.title)
    });
    if !has_title && !page.title.is_empty() {
        writer.heading(TITLE_RANK, &page.title, Vec::new());
    }
    let mut dropped = repeated.dropped(&page.blocks);
    let n_dropped = dropped.iter().filter(|dropped| **dropped).count();
    contents::drop_contents(&page.blocks, &mut dropped);
    let kept: Vec<(usize, &PageBlock)> =
        page.blocks.iter().enumerate().filter(|(at, _)| !dropped[*at]).collect();
    for (nth, (at, block)) in kept.iter().enumerate() {
        if let Some(level) = block.resumes {
            writer.resume(level);
        }
        let next = kept.get(nth + 1).map(|(_, block)| *block);
        let tree = page.trees.binary_search_by_key(at, |tree| tree.block);
        let tree = tree.ok().map(|nth| &page.trees[nth]);
        let contents = if is_start { contents::tree_of(block) } else { None };
        match (&block.kind, tree.or(contents.as_ref())) {
            (BlockKind::Heading(heading), _) => {
                writer.rank = heading.level;
                writer.section(heading.level, &block.text, &heading.title, heading.anchors.clone());
            }
            (_, Some(tree)) if writer.can_hold(tree, next) => writer.tree(tree),
            _ => {
                writer.block(&block.text);
            }
        }
    }
    WrittenPage {
        has_data: kept.iter().any(|(_, block)| block.is_data),
        n_dropped,
        markdown: writer.text,
        sections: writer.sections,
    }
}

/// Returns a page as the Markdown that a map shows of all of it, where its site has no other page.
pub fn markdown(page: WebPage) -> String {
    let page = ParsedPage::of(page, &mut AddressNumbers::default());
    let repeated = Repeated::of(std::iter::once((page.blocks.as_slice(), 0)));
    write(&page, &repeated, false).markdown
}

/// Writes pages that are left out.
pub(super) fn left_out(pages: Vec<ParsedPage>, repeated: &Repeated) -> Vec<LeftOutPage> {
    let written = pages.into_iter().map(|page| {
        let markdown = write(&page, repeated, false).markdown;
        LeftOutPage { address: page.address, markdown }
    });
    written.collect()
}

impl DocumentWriter {
    /// Writes a block and returns its first line.
    fn block(&mut self, block: &str) -> u32 {
        if !self.text.is_empty() {
            self.text.push('\n');
            self.n_lines += 1;
        }
        let first = self.n_lines + 1;
        self.text.push_str(block);
        self.text.push('\n');
        self.n_lines += block.matches('\n').count() as u32 + 1;
        first
    }

    fn section(&mut self, rank: u8, block: &str, title: &str, anchors: Vec<String>) {
        let line = self.block(block);
        self.sections.push(SiteSection { title: title.to_owned(), anchors, line, rank });
    }

    fn heading(&mut self, rank: u8, title: &str, anchors: Vec<String>) {
        let text = format!("{} {title}", "#".repeat(usize::from(rank)));
        self.section(rank, &text, title, anchors);
    }

    /// Begins a part for what a section says after definitions of this rank: below the heading of
    /// the last one it would be taken for a part of it. Where those were dropped, the section goes
    /// on.
    fn resume(&mut self, rank: u8) {
        if self.sections.last().is_none_or(|last| last.rank < rank) {
            return;
        }
        let around = self.sections.iter().rev().find(|section| section.rank < rank);
        if let Some(around) = around {
            let title = format!("{} (continued)", around.title);
            self.rank = rank;
            self.heading(rank, &title, Vec::new());
        }
    }

    /// Reports whether the folders of a tree can be sections: what follows the tree must not become
    /// a part of the last one.
    fn can_hold(&self, tree: &PageTree, next: Option<&PageBlock>) -> bool {
        let ends_folders = next.is_none_or(|block| match &block.kind {
            BlockKind::Heading(heading) => heading.level <= self.rank + 1,
            _ => false,
        });
        tree.is_whole && ends_folders
    }

    /// Writes the folders of a tree as sections of the document.
    fn tree(&mut self, tree: &PageTree) {
        for part in tree.sections(self.rank) {
            if let Some(folder) = part.folder {
                let anchors = folder.anchor.iter().cloned().collect();
                self.heading(part.rank, &folder.label, anchors);
            }
            if !part.list.is_empty() {
                self.block(&part.list);
            }
        }
    }
}
