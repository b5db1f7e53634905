//! The model of a page: what it says, and where it leads.

use serde::Serialize;
use url::Url;

use crate::page::form::PageForm;
use crate::page::tree::PageTree;

/// The share of links in a text that has links alone; between them are commas.
const LINKED_SHARE: f64 = 0.8;

/// A page: what it says, and where it leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WebPage {
    /// The address of the response.
    pub address: Url,
    /// The address that the page names as its own.
    pub canonical: Option<Url>,
    /// The first heading of rank 1, else the title of the document, else the first heading.
    pub title: String,
    /// The names of the places above the page, outermost first.
    pub breadcrumb: Vec<String>,
    /// The language that the document declares: `en`, `pt-BR`.
    pub language: Option<String>,
    /// The tool that made the page: `Sphinx`, `rustdoc`, …, or `plain`.
    pub generator: &'static str,
    /// The content in the order of the text.
    pub blocks: Vec<PageBlock>,
    /// The links of the whole document: those of the content first, in the order of the text.
    pub links: Vec<PageLink>,
    /// The trees in the content, in the order of the text.
    pub trees: Vec<PageTree>,
    /// The number of forms of the whole document.
    pub n_forms: usize,
    /// The forms in the content that ask for something, in the order of the text.
    pub forms: Vec<PageForm>,
    /// The number of images in the content.
    pub n_images: usize,
    /// The number of characters in elements that a reader of the page does not see.
    pub n_hidden: usize,
    /// The number of those elements.
    pub n_hidden_parts: usize,
    /// Whether it declares another charset than it is in.
    pub has_wrong_charset: bool,
    /// Whether it says that it does not exist, whatever the status of the response.
    pub says_not_found: bool,
    /// Whether all of the document was parsed; one that is nested too deeply is cut.
    pub is_whole: bool,
}

/// A block of the content, as Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageBlock {
    /// The kind of block, with what a heading leads to.
    pub kind: BlockKind,
    /// The Markdown, without a line break at its end.
    pub text: String,
    /// Whether it says anything outside of links: a value, a sentence.
    pub is_data: bool,
    /// How much of the text stands in links, in bytes.
    #[serde(skip)]
    pub n_linked: usize,
    /// After a list of definitions, where the section around it goes on: the level of the
    /// definitions.
    pub resumes: Option<u8>,
}

impl PageBlock {
    /// Reports whether it has links alone, or is an entry of an index: terms, on lines of their
    /// own, and links alone below them. A term that is a link has as many linked bytes as the text
    /// below it by chance alone.
    pub fn only_lists_links(&self) -> bool {
        let lines = self.text.lines().map(str::trim).filter(|line| !line.ends_with(':'));
        let n_below: usize = lines.map(str::len).sum();
        let (n_linked, n_below) = (self.n_linked as f64, n_below as f64);
        matches!(self.kind, BlockKind::Paragraph | BlockKind::List)
            && n_linked > LINKED_SHARE * n_below
            && n_linked <= n_below
    }
}

/// The kind of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// A heading of a section, or the name of something that the page defines.
    Heading(PageHeading),
    /// A paragraph.
    Paragraph,
    /// Code, fenced.
    Code,
    /// A list, with the lists in it.
    List,
    /// A table.
    Table,
}

/// The rank of the title of a page, or of the name of a site above all of them.
pub(crate) const TITLE_RANK: u8 = 1;
/// What is known of a heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageHeading {
    /// 1 to 6.
    pub level: u8,
    /// The text alone.
    pub title: String,
    /// The fragments that lead here; the first is the section's own.
    pub anchors: Vec<String>,
    /// Whether something is defined here: a function, a class, an option, a term.
    pub is_definition: bool,
}

/// A link of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageLink {
    /// The words of the link.
    pub text: String,
    /// What describes it: the rest of its row of a table, the definition of its term, or the rest
    /// of its item of a list; the first 200 characters. Empty for all but the first link there, and
    /// outside of the content.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub beside: String,
    /// The address it leads to, without its fragment.
    pub target: Url,
    /// The fragment.
    pub fragment: Option<String>,
    /// The heading it stands under, as a position among the blocks.
    pub under: Option<usize>,
    /// Whether it stands in the content, and not in a menu, a header or a footer.
    pub is_content: bool,
    /// Whether it may lead to a page: neither its address nor its declared type is that of an
    /// image, an archive or a document of another kind.
    #[serde(skip)]
    pub is_page: bool,
}

impl WebPage {
    /// Reports whether the page says anything beside links and headings.
    pub fn has_data(&self) -> bool {
        self.blocks.iter().any(|block| block.is_data)
    }
}
