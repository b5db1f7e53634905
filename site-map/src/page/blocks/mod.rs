//! From elements to blocks of Markdown: headings, definitions, paragraphs, code, lists, tables.

mod bold_headings;
mod contents_list;
mod headings;
mod parts;
mod preformatted;
mod terms;

use std::collections::HashMap;

use ego_tree::{NodeId, NodeRef};
use scraper::{ElementRef, Node};
use url::Url;

use self::bold_headings::BoldHeadings;
use self::contents_list::is_contents_list;
use crate::address::decoded;
use crate::page::element::{
    is_block, is_classifier, is_in_line, is_mark, is_separator, is_tag, plain_text, script_marks,
};
use crate::page::form::PageForm;
use crate::page::generator::Generator;
use crate::page::generator_rows::Structure;
use crate::page::model::{BlockKind, PageBlock, PageLink};
use crate::page::parse::MAX_DEPTH;
use crate::page::plain_text::PlainText;
use crate::page::tree::PageTree;
use crate::page::{links, markdown, math};

/// The most forms of a page whose fields are named.
const MAX_FORMS: usize = 50;
/// The most characters of a drawing that are kept.
const MAX_DRAWING: usize = 2_000;

/// What was written of a page.
#[derive(Default)]
pub(super) struct WrittenBlocks {
    pub(super) blocks: Vec<PageBlock>,
    pub(super) links: Vec<PageLink>,
    pub(super) trees: Vec<PageTree>,
    /// The elements that are links, with their positions among the links.
    pub(super) linked: HashMap<NodeId, Option<usize>>,
    pub(super) forms: Vec<PageForm>,
    pub(super) n_hidden: usize,
    pub(super) n_hidden_parts: usize,
    pub(super) n_images: usize,
}

/// Writes blocks from the elements of the content.
pub(super) struct BlockWriter<'p> {
    generator: &'p Generator,
    page: &'p Url,
    base: &'p Url,
    written: WrittenBlocks,
    /// The paragraph so far.
    run: String,
    /// The lines that the next paragraph begins with: signatures, `Note:`.
    leads: Vec<String>,
    bold_headings: BoldHeadings,
    /// What the end of the section has, though it stands before.
    postscript: Vec<PageBlock>,
    /// The level of the last heading that is no definition.
    section: u8,
    /// The position of the last heading of any kind among the blocks.
    last_heading: Option<usize>,
    /// How many definitions stand around this place.
    n_around: u8,
    /// The level of the definition around this place; 0 without one.
    below: u8,
    /// By how many levels headings are lowered, so that they stand below that definition.
    lowered: u8,
    /// The level of the definitions that ended here: what follows belongs to the section around
    /// them.
    ended: Option<u8>,
    /// Fragments of empty elements before a heading.
    waiting: Vec<String>,
    /// How many items and cells stand around this place. In those, headings are words.
    n_parts_around: usize,
    /// How many links stand around this place.
    n_links_around: usize,
    /// What the block so far says outside of links.
    plain: PlainText,
    /// How deep this place lies in what is written.
    depth: usize,
}

impl<'p> BlockWriter<'p> {
    /// Begins to write a page, whose links are relative to `base`.
    pub(super) fn new(generator: &'p Generator, page: &'p Url, base: &'p Url) -> BlockWriter<'p> {
        BlockWriter {
            generator,
            page,
            base,
            written: WrittenBlocks::default(),
            run: String::new(),
            leads: Vec::new(),
            bold_headings: BoldHeadings::default(),
            postscript: Vec::new(),
            section: 0,
            last_heading: None,
            n_around: 0,
            below: 0,
            lowered: 0,
            ended: None,
            waiting: Vec::new(),
            n_parts_around: 0,
            n_links_around: 0,
            plain: PlainText::default(),
            depth: 0,
        }
    }

    /// Writes the whole content of a page.
    pub(super) fn write_page(&mut self, content: ElementRef<'_>) {
        self.bold_headings = BoldHeadings::of(content, self.generator);
        self.write(content);
    }

    pub(super) fn finish(mut self) -> WrittenBlocks {
        self.flush_leads();
        self.flush_postscript();
        self.written
    }

    /// Writes the children of an element.
    fn write(&mut self, element: ElementRef<'_>) {
        if self.depth == MAX_DEPTH {
            self.text(&plain_text(element));
            return;
        }
        self.depth += 1;
        for child in element.children() {
            match child.value() {
                Node::Text(text) => self.text(text),
                Node::Element(_) => {
                    if let Some(element) = ElementRef::wrap(child) {
                        self.element(element);
                    }
                }
                _ => {}
            }
        }
        self.depth -= 1;
    }

    fn element(&mut self, element: ElementRef<'_>) {
        if !self.shows(element) {
            return;
        }
        match self.generator.structure(element) {
            Some(Structure::Heading) => return self.heading_of(element, 1),
            Some(Structure::Subheading) => return self.subheading(element),
            Some(Structure::Definition) => return self.definition(element),
            Some(Structure::Signature) => return self.signature(element),
            Some(Structure::Code) => return self.code(element),
            Some(Structure::CodeWithBreaks) => return self.code_with_breaks(&[element]),
            Some(Structure::Grid) => return self.grid(element),
            Some(Structure::Layout) => return self.layout(element),
            Some(Structure::Lead) => return self.lead(element),
            Some(Structure::Postscript) => return self.postscript(element),
            Some(Structure::Name) | None => {}
        }
        match element.value().name() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(element),
            "pre" if self.preformatted(element) => {}
            "pre" | "listing" | "xmp" => self.code(element),
            "ul" | "ol" | "menu" | "dir" => self.list(element),
            "dl" if is_contents_list(element) => self.contents_list(element),
            "dl" => self.definitions(element),
            "table" => self.table(element),
            "blockquote" => self.quote(element),
            "form" => self.form(element),
            "code" | "tt" | "kbd" | "samp" => self.inline_code(element),
            "a" => self.link(element),
            "img" => self.image(element.attr("alt").unwrap_or_default()),
            "svg" => self.drawing(element),
            "math" => self.text(&math::formula(element)),
            "b" | "strong" if self.bold_headings.has(element) => {
                self.heading_of(element, self.bold_headings.level);
            }
            "br" => self.run.push('\n'),
            "input" => self.input(element),
            "select" | "textarea" | "option" | "head" | "title" | "datalist" => {}
            "sup" | "sub" if self.run.ends_with(|c: char| !c.is_whitespace()) => {
                let [before, after] = script_marks(element);
                self.run.push_str(before);
                self.write(element);
                self.run.push_str(after);
            }
            "q" | "del" | "s" | "strike" if is_in_line(element) => {
                let mark = if element.value().name() == "q" { "\"" } else { "~~" };
                self.run.push_str(mark);
                self.write(element);
                self.run.push_str(mark);
            }
            name if is_block(name) => self.block(element),
            _ => {
                if !element.has_children() {
                    self.anchor_of(element);
                }
                self.write(element);
                if is_tag(element) || is_separator(element) {
                    self.text(" ");
                }
            }
        }
    }

    /// Writes an element that is a paragraph or more.
    fn block(&mut self, element: ElementRef<'_>) {
        self.flush();
        self.anchor_of(element);
        self.write(element);
        self.flush();
    }

    /// Reports whether an element is content that a reader sees, and counts what nobody sees.
    fn shows(&mut self, element: ElementRef<'_>) -> bool {
        if self.generator.is_hidden(element) {
            let n_hidden = plain_text(element).chars().count();
            self.written.n_hidden += n_hidden;
            self.written.n_hidden_parts += usize::from(n_hidden > 0);
            return false;
        }
        !self.generator.is_noise(element) && !is_mark(element)
    }

    fn text(&mut self, text: &str) {
        match self.n_links_around {
            0 => self.plain.add(text),
            _ => self.plain.add_linked(text),
        }
        for c in text.chars() {
            if is_break_hint(c) {
                continue;
            }
            if !c.is_whitespace() {
                self.run.push(c);
            } else if !self.run.is_empty() && !self.run.ends_with([' ', '\n']) {
                self.run.push(' ');
            }
        }
    }

    /// Ends the paragraph.
    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run.trim().is_empty() {
            return;
        }
        let mut lines: Vec<String> = self.leads.drain(..).collect();
        lines.iter().for_each(|lead| self.plain.add(lead));
        lines.push(run.trim().to_owned());
        self.push(BlockKind::Paragraph, markdown::paragraph(&lines.join("\n")));
    }

    /// Writes the lines that no paragraph follows.
    fn flush_leads(&mut self) {
        self.flush();
        if !self.leads.is_empty() {
            let lines = self.leads.drain(..).collect::<Vec<String>>().join("\n");
            self.plain.add(&lines);
            self.push(BlockKind::Paragraph, lines);
        }
    }

    fn push(&mut self, kind: BlockKind, text: String) {
        self.waiting.clear();
        if matches!(kind, BlockKind::Heading(_)) {
            self.flush_postscript();
        }
        let ended = self.ended.take();
        let resumes = ended.filter(|_| !matches!(kind, BlockKind::Heading(_)));
        let plain = std::mem::take(&mut self.plain);
        let is_data = match kind {
            BlockKind::Heading(_) => false,
            BlockKind::Code => true,
            BlockKind::Paragraph | BlockKind::List | BlockKind::Table => plain.is_data(),
        };
        if let BlockKind::Heading(_) = kind {
            self.last_heading = Some(self.written.blocks.len());
        }
        let n_linked = plain.n_linked.min(text.len());
        self.written.blocks.push(PageBlock { kind, text, is_data, n_linked, resumes });
    }

    /// Keeps what the section ends with, though it stands before.
    fn postscript(&mut self, element: ElementRef<'_>) {
        self.flush();
        let plain = std::mem::take(&mut self.plain);
        let blocks = self.blocks_of(element);
        self.postscript.extend(blocks);
        self.plain = plain;
    }

    fn flush_postscript(&mut self) {
        self.written.blocks.append(&mut self.postscript);
    }

    /// Keeps the fragment of an element, for the heading that begins it.
    fn anchor_of(&mut self, element: ElementRef<'_>) {
        let named = element.attr("id").or_else(|| element.attr("name"));
        if let Some(anchor) = named.filter(|anchor| !anchor.is_empty()) {
            self.waiting.push(decoded(anchor));
        }
    }

    /// Writes what a form says, and then its fields as a section: a whole page may be one form.
    fn form(&mut self, element: ElementRef<'_>) {
        self.flush_leads();
        self.anchor_of(element);
        self.write(element);
        self.flush_leads();
        if self.written.forms.len() == MAX_FORMS {
            return;
        }
        let places = (self.page, self.base);
        let Some(form) = PageForm::of(element, places, self.generator) else { return };
        let level = self.level_below().clamp(2, 6);
        let anchors = element.attr("id").map(decoded).into_iter().collect();
        self.title(form.title(), anchors, level, true);
        let lines = form.lines(self.page);
        self.plain.add(&lines);
        self.push(BlockKind::Paragraph, lines);
        self.ended = Some(level);
        self.written.forms.push(form);
    }

    /// Returns the words of an element on one line, without marks for links to itself.
    fn words(&mut self, element: ElementRef<'_>) -> String {
        let mut text = String::new();
        self.lines(element, &mut text);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        words.trim_end_matches(['¶', '§']).trim().to_owned()
    }

    /// Adds the text of an element with its lines as they stand.
    fn lines(&mut self, element: ElementRef<'_>, text: &mut String) {
        if self.depth == MAX_DEPTH {
            text.push_str(&plain_text(element));
            return;
        }
        self.depth += 1;
        for child in element.children() {
            match child.value() {
                // Beside a line, a break is the end of that line, and further ones are empty lines.
                Node::Text(part) if is_blank(part) && is_beside_block(child) => {
                    let breaks = part.bytes().all(|byte| byte == b'\n');
                    text.push_str(if breaks { &part[1..] } else { "" });
                }
                Node::Text(part) => text.extend(part.chars().filter(|c| !is_break_hint(*c))),
                Node::Element(_) => {
                    if let Some(element) = ElementRef::wrap(child) {
                        self.line(element, text);
                    }
                }
                _ => {}
            }
        }
        self.depth -= 1;
    }

    /// Adds the text of an element, which may be a line or a cell of one.
    fn line(&mut self, element: ElementRef<'_>, text: &mut String) {
        let name = element.value().name();
        if !self.shows(element) {
            return;
        }
        if name == "math" {
            text.push_str(&math::formula(element));
            return;
        }
        let is_cell = matches!(name, "td" | "th");
        let is_line = is_block(name) && !is_cell;
        if name == "br" || is_line && !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let [before, after] = match name {
            "sup" | "sub" => script_marks(element),
            // A style sheet of Docutils writes the colon before the type of a parameter.
            "span" if is_classifier(element) && !text.trim_end().ends_with(':') => [" : ", ""],
            "span" if is_tag(element) || is_separator(element) => ["", " "],
            _ => ["", ""],
        };
        text.push_str(before);
        let start = text.len();
        self.lines(element, text);
        text.push_str(after);
        if is_cell {
            text.truncate(start + text[start..].trim_end().len());
            text.push_str(if text.len() > start { " " } else { "" });
        }
        if is_line && !text.ends_with('\n') {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
    }

    fn inline_code(&mut self, element: ElementRef<'_>) {
        self.links_in(element);
        let mut text = String::new();
        let has_lines = element.descendent_elements().any(|one| one.value().name() == "br");
        match has_lines {
            true => self.lines_with_breaks(element, &mut text),
            false => self.lines(element, &mut text),
        }
        let is_spaced = self.run.is_empty() || self.run.ends_with(|c: char| !c.is_alphanumeric());
        match is_spaced && !self.run.ends_with('`') {
            true => {
                match self.n_links_around {
                    0 => self.plain.add(&text),
                    _ => self.plain.add_linked(&text),
                }
                let lines: Vec<&str> = if has_lines { text.lines().collect() } else { vec![&text] };
                let lines = lines.into_iter().map(markdown::code);
                self.run.push_str(&lines.collect::<Vec<_>>().join("\n"));
            }
            false => self.text(&text),
        }
    }

    /// Writes a box of a list of tasks. Those of forms are fields.
    fn input(&mut self, element: ElementRef<'_>) {
        let is_box = element.attr("type") == Some("checkbox") && element.attr("disabled").is_some();
        if is_box && self.n_parts_around > 0 {
            self.run.push_str(if element.attr("checked").is_some() { "[x] " } else { "[ ] " });
        }
    }

    fn link(&mut self, element: ElementRef<'_>) {
        self.anchor_of(element);
        self.keep_link(element);
        self.n_links_around += 1;
        self.write(element);
        self.n_links_around -= 1;
    }

    fn links_in(&mut self, element: ElementRef<'_>) {
        let is_link = |one: &ElementRef<'_>| one.value().name() == "a" && !is_mark(*one);
        for link in element.descendent_elements().filter(is_link) {
            self.keep_link(link);
            self.plain.n_linked += plain_text(link).len();
        }
    }

    fn keep_link(&mut self, element: ElementRef<'_>) {
        let link = links::of_element(element, self.base, self.last_heading, true);
        let at = link.is_some().then_some(self.written.links.len());
        self.written.linked.insert(element.id(), at);
        self.written.links.extend(link);
    }

    /// Writes the words of a drawing, such as a railroad diagram, in the order of its source.
    fn drawing(&mut self, element: ElementRef<'_>) {
        let texts = element.descendent_elements().filter(|one| one.value().name() == "text");
        let words: Vec<String> = texts.map(plain_text).collect();
        let words: String = words.join(" ").chars().take(MAX_DRAWING).collect();
        self.image(&words);
    }

    fn image(&mut self, alt: &str) {
        self.written.n_images += 1;
        let alt = alt.trim().trim_matches(['[', ']']);
        // These two open and close what is below.
        if !matches!(alt, "" | "+" | "-") {
            self.n_links_around += 1;
            self.text(&format!("[image: {alt}]"));
            self.n_links_around -= 1;
        }
    }
}

/// Reports whether a node stands before or after a block.
fn is_beside_block(node: NodeRef<'_, Node>) -> bool {
    let is_block = |node: NodeRef<'_, Node>| {
        node.value().as_element().is_some_and(|element| is_block(element.name()))
    };
    node.prev_sibling().is_some_and(is_block) || node.next_sibling().is_some_and(is_block)
}

/// Reports whether a text has only white space as HTML has it: a space that does not break is none.
fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

/// Reports whether a character only says where a word may be broken.
fn is_break_hint(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}')
}
