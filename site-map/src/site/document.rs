//! A page as a document: its Markdown, and where its headings stand.

use serde::Serialize;
use url::Url;

use crate::page::BlockKind;
use crate::site::parsed::ParsedPage;
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
    /// The headings, in the order of the text.
    pub sections: Vec<SiteSection>,
}

/// A heading of a page, and where it leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SiteSection {
    /// The text of the heading.
    pub title: String,
    /// The fragments that lead here; the first is the section's own.
    pub anchors: Vec<String>,
    /// The line of the Markdown, from 1.
    pub line: u32,
}

/// Returns the Markdown of a page, its sections, and how many blocks repeat and were dropped.
pub(super) fn markdown(
    page: &ParsedPage,
    repeated: &Repeated,
) -> (String, Vec<SiteSection>, usize) {
    let mut text = String::new();
    let mut sections = Vec::new();
    let mut n_dropped = 0;
    let mut line = 1;
    // A title of the document alone is shown, unless the first heading says the same.
    let has_title = page.blocks.iter().any(|block| {
        matches!(&block.kind, BlockKind::Heading(heading)
            if heading.level == 1 || heading.title == page.title)
    });
    let title = (!has_title && !page.title.is_empty()).then(|| format!("# {}", page.title));
    let mut push = |block: &str| {
        if !text.is_empty() {
            text.push('\n');
            line += 1;
        }
        let at = line;
        text.push_str(block);
        text.push('\n');
        line += block.matches('\n').count() as u32 + 1;
        at
    };
    if let Some(title_line) = &title {
        let line = push(title_line);
        sections.push(SiteSection { title: page.title.clone(), anchors: Vec::new(), line });
    }
    for block in &page.blocks {
        if repeated.has(block) {
            n_dropped += 1;
            continue;
        }
        let line = push(&block.text);
        if let BlockKind::Heading(heading) = &block.kind {
            let (title, anchors) = (heading.title.clone(), heading.anchors.clone());
            sections.push(SiteSection { title, anchors, line });
        }
    }
    (text, sections, n_dropped)
}
