//! From elements to blocks of Markdown: headings, definitions, paragraphs, code, lists, tables.

use std::collections::{HashMap, HashSet};

use ego_tree::NodeId;
use scraper::{ElementRef, Node};
use url::Url;

use crate::address::decoded;
use crate::page::element::{NEAR, is_mark, language_of, plain_text};
use crate::page::form::PageForm;
use crate::page::generator::Generator;
use crate::page::model::{BlockKind, PageBlock, PageHeading, PageLink};
use crate::page::plain_text::PlainText;
use crate::page::read_tree::{self, ListPlace};
use crate::page::table::CellTable;
use crate::page::tree::PageTree;
use crate::page::{definition, links, markdown};

/// The deepest item or cell that is more than words.
const MAX_PARTS: usize = 50;
/// The most forms of a page whose fields are named.
const MAX_FORMS: usize = 50;

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
    /// The level of the last heading that is no definition.
    section: u8,
    /// How many definitions stand around this place.
    n_around: u8,
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
            section: 0,
            n_around: 0,
            ended: None,
            waiting: Vec::new(),
            n_parts_around: 0,
            n_links_around: 0,
            plain: PlainText::default(),
        }
    }

    pub(super) fn finish(mut self) -> WrittenBlocks {
        self.flush();
        self.written
    }

    /// Writes the children of an element.
    pub(super) fn write(&mut self, element: ElementRef<'_>) {
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
    }

    fn element(&mut self, element: ElementRef<'_>) {
        if self.generator.is_hidden(element) {
            let n_hidden = plain_text(element).chars().count();
            self.written.n_hidden += n_hidden;
            self.written.n_hidden_parts += usize::from(n_hidden > 0);
            return;
        }
        if self.generator.is_noise(element) || is_mark(element) {
            return;
        }
        if element.value().classes().any(|class| class == "admonition-title") {
            self.flush_leads();
            let title = self.words(element);
            self.leads.push(format!("{}:", title.trim_end_matches(':')));
            return;
        }
        match element.value().name() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(element),
            "pre" => self.code(element),
            "ul" | "ol" | "menu" => self.list(element),
            "dl" => self.definitions(element),
            "table" => self.table(element),
            "blockquote" => self.quote(element),
            "form" => self.form(element),
            "code" | "tt" | "kbd" | "samp" => self.inline_code(element),
            "a" => self.link(element),
            "img" => self.image(element),
            "br" => self.run.push('\n'),
            "input" | "select" | "textarea" | "option" | "head" | "title" => {}
            "sub" | "sup" | "span" | "b" | "strong" | "i" | "em" | "u" | "s" | "small" | "mark"
            | "abbr" | "cite" | "q" | "var" | "time" | "font" | "label" | "bdi" | "bdo" | "wbr"
            | "ins" | "del" | "dfn" | "data" | "big" | "nobr" => {
                if !element.has_children() {
                    self.anchor_of(element);
                }
                self.write(element);
            }
            _ => {
                self.flush();
                self.anchor_of(element);
                self.write(element);
                self.flush();
            }
        }
    }

    fn text(&mut self, text: &str) {
        match self.n_links_around {
            0 => self.plain.add(text),
            _ => self.plain.add_linked(text),
        }
        for c in text.chars() {
            if !c.is_whitespace() {
                self.run.push(c);
            } else if !self.run.is_empty() && !self.run.ends_with([' ', '\n']) {
                self.run.push(' ');
            }
        }
    }

    /// Ends the paragraph.
    fn flush(&mut self) {
        let text = markdown::paragraph(std::mem::take(&mut self.run).trim());
        if text.is_empty() {
            return;
        }
        let mut lines: Vec<String> = self.leads.drain(..).collect();
        lines.iter().for_each(|lead| self.plain.add(lead));
        lines.push(text);
        self.push(BlockKind::Paragraph, lines.join("\n"));
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
        let ended = self.ended.take();
        let resumes = ended.filter(|_| !matches!(kind, BlockKind::Heading(_)));
        let plain = std::mem::take(&mut self.plain);
        let is_data = match kind {
            BlockKind::Heading(_) => false,
            BlockKind::Code => true,
            BlockKind::Paragraph | BlockKind::List | BlockKind::Table => plain.is_data(),
        };
        self.written.blocks.push(PageBlock { kind, text, is_data, resumes });
    }

    /// Keeps the fragment of an element, for the heading that begins it.
    fn anchor_of(&mut self, element: ElementRef<'_>) {
        let named = element.attr("id").or_else(|| element.attr("name"));
        if let Some(anchor) = named.filter(|anchor| !anchor.is_empty()) {
            self.waiting.push(decoded(anchor));
        }
    }

    fn heading(&mut self, element: ElementRef<'_>) {
        self.flush_leads();
        let title = self.words(element);
        if title.is_empty() {
            return;
        }
        let mut anchors: Vec<String> = element.attr("id").map(decoded).into_iter().collect();
        anchors.extend(self.waiting.drain(..).rev().take(NEAR));
        let inside = element.descendent_elements().skip(1);
        anchors.extend(
            inside.filter_map(|one| one.attr("id").or_else(|| one.attr("name"))).map(decoded),
        );
        let level = element.value().name().as_bytes()[1] - b'0';
        self.section = level;
        let is_definition =
            element.value().classes().any(|class| class == "code-header" || class == "memtitle");
        if is_definition {
            self.define(&title, anchors, level);
        } else {
            self.title(title, anchors, level, false);
        }
    }

    fn title(&mut self, title: String, mut anchors: Vec<String>, level: u8, is_definition: bool) {
        if self.n_parts_around > 0 {
            self.push(BlockKind::Paragraph, format!("**{title}**"));
            return;
        }
        let mut seen = HashSet::new();
        anchors.retain(|anchor| seen.insert(anchor.clone()));
        let text = format!("{} {title}", "#".repeat(usize::from(level)));
        let heading = PageHeading { level, title, anchors, is_definition };
        self.push(BlockKind::Heading(heading), text);
    }

    /// Writes the name of a definition; its signature begins the paragraph after it.
    fn define(&mut self, signature: &str, anchors: Vec<String>, level: u8) {
        let name = definition::name_of(signature, anchors.first().map(String::as_str));
        if name != signature {
            self.leads.push(markdown::code(signature));
        }
        self.title(name, anchors, level, true);
    }

    fn definitions(&mut self, list: ElementRef<'_>) {
        self.flush_leads();
        let level = (self.section + 1 + self.n_around).min(6);
        let n_blocks = self.written.blocks.len();
        let mut is_after_name = false;
        let wrapped = |child: ElementRef<'_>| child.value().name() == "div";
        let children: Vec<ElementRef<'_>> = list
            .child_elements()
            .flat_map(|one| if wrapped(one) { one.child_elements().collect() } else { vec![one] })
            .collect();
        for child in children {
            if child.value().name() != "dt" {
                self.n_around += 1;
                self.write(child);
                self.flush();
                self.n_around -= 1;
                is_after_name = false;
                continue;
            }
            let mut anchors: Vec<String> = child.attr("id").map(decoded).into_iter().collect();
            let inside = child.descendent_elements().skip(1);
            let named = inside.filter_map(|one| one.attr("id").or_else(|| one.attr("name")));
            anchors.extend(named.map(decoded));
            let signature = self.words(child);
            if anchors.is_empty() || signature.is_empty() || self.n_parts_around > 0 {
                self.flush_leads();
                if !signature.is_empty() {
                    self.leads.push(format!("{}:", signature.trim_end_matches(':')));
                }
                continue;
            }
            if is_after_name && self.join_definition(&signature, &anchors) {
                continue;
            }
            self.flush_leads();
            self.define(&signature, anchors, level);
            is_after_name = true;
        }
        self.flush_leads();
        let is_definition = |block: &PageBlock| match &block.kind {
            BlockKind::Heading(heading) => heading.level == level && heading.is_definition,
            _ => false,
        };
        if self.written.blocks[n_blocks..].iter().any(is_definition) {
            self.ended = Some(level);
        }
    }

    /// Adds one more signature to the definition that was just written.
    fn join_definition(&mut self, signature: &str, anchors: &[String]) -> bool {
        let Some(PageBlock { kind: BlockKind::Heading(heading), .. }) =
            self.written.blocks.last_mut()
        else {
            return false;
        };
        heading.anchors.extend(anchors.iter().cloned());
        // A name that is its own signature has no line of its own yet.
        if self.leads.is_empty() {
            self.leads.push(markdown::code(&heading.title));
        }
        self.leads.push(markdown::code(signature));
        true
    }

    fn code(&mut self, element: ElementRef<'_>) {
        self.flush();
        let text: String = element.text().collect();
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        if !text.trim().is_empty() {
            self.flush_leads();
            self.push(BlockKind::Code, markdown::fenced(&text, &language_of(element)));
        }
    }

    fn list(&mut self, list: ElementRef<'_>) {
        self.flush();
        let is_numbered = list.value().name() == "ol";
        let start = list.attr("start").and_then(|start| start.parse::<u32>().ok()).unwrap_or(1);
        let items = list.child_elements().filter(|item| item.value().name() != "script");
        let mut lines: Vec<String> = Vec::new();
        for item in items {
            let text = self.part(item);
            if text.is_empty() {
                continue;
            }
            let marker = match is_numbered {
                true => format!("{}. ", start.saturating_add(lines.len() as u32)),
                false => "- ".to_owned(),
            };
            lines.push(marker + &markdown::hanging(&text, "  "));
        }
        if !lines.is_empty() {
            self.flush_leads();
            self.push(BlockKind::List, lines.join("\n"));
            self.tree(list);
        }
    }

    /// Keeps the tree that the list draws, if it draws one.
    fn tree(&mut self, list: ElementRef<'_>) {
        let block = self.written.blocks.len() - 1;
        let place = ListPlace {
            generator: self.generator,
            page: self.base,
            links: &self.written.links,
            linked: &self.written.linked,
            block,
            under: self.under(),
        };
        let tree = if self.n_parts_around > 0 { None } else { read_tree::read(list, &place) };
        if let Some(tree) = tree {
            self.written.blocks[block].is_data = false;
            self.written.trees.push(tree);
        }
    }

    fn table(&mut self, table: ElementRef<'_>) {
        self.flush();
        let read = CellTable::of(table, |cell| self.part(cell).replace('\n', " "));
        if !read.rows.is_empty() {
            self.flush_leads();
            self.push(BlockKind::Table, read.markdown());
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
        let Some(form) = PageForm::of(element, self.base, self.generator) else { return };
        let level = (self.section + 1 + self.n_around).clamp(2, 6);
        let anchors = element.attr("id").map(decoded).into_iter().collect();
        self.title(form.title(), anchors, level, true);
        let lines = form.lines(self.page);
        self.plain.add(&lines);
        self.push(BlockKind::Paragraph, lines);
        self.ended = Some(level);
        self.written.forms.push(form);
    }

    fn quote(&mut self, quote: ElementRef<'_>) {
        self.flush_leads();
        let text = self.part(quote);
        if !text.is_empty() {
            self.push(BlockKind::Paragraph, format!("> {}", markdown::hanging(&text, "> ")));
        }
    }

    /// Returns the text of a part that is one block with what stands around it.
    fn part(&mut self, element: ElementRef<'_>) -> String {
        if self.n_parts_around >= MAX_PARTS {
            self.links_in(element);
            return self.words(element);
        }
        let mut writer = BlockWriter {
            n_parts_around: self.n_parts_around + 1,
            n_links_around: self.n_links_around,
            ..BlockWriter::new(self.generator, self.page, self.base)
        };
        writer.written.forms = std::mem::take(&mut self.written.forms);
        writer.write(element);
        writer.flush_leads();
        let part = writer.finish();
        self.written.forms = part.forms;
        let (under, n_before) = (self.under(), self.written.links.len());
        self.written.links.extend(part.links.into_iter().map(|link| PageLink { under, ..link }));
        let linked = part.linked.into_iter();
        self.written.linked.extend(linked.map(|(id, at)| (id, at.map(|at| n_before + at))));
        self.written.n_hidden += part.n_hidden;
        self.written.n_hidden_parts += part.n_hidden_parts;
        self.written.n_images += part.n_images;
        part.blocks.iter().for_each(|block| self.plain.add_part(block.is_data));
        part.blocks.into_iter().map(|block| block.text).collect::<Vec<_>>().join("\n")
    }

    /// Returns the words of an element on one line, without marks for links to itself.
    fn words(&mut self, element: ElementRef<'_>) -> String {
        let mut writer = BlockWriter::new(self.generator, self.page, self.base);
        for node in element.descendants() {
            if let Node::Text(text) = node.value() {
                let around = node.ancestors().take_while(|one| one.id() != element.id());
                let is_noise = around
                    .filter_map(ElementRef::wrap)
                    .any(|one| self.generator.is_noise(one) || is_mark(one));
                if !is_noise {
                    writer.text(text);
                }
            }
        }
        writer.run.trim().trim_end_matches(['¶', '§']).trim().to_owned()
    }

    fn inline_code(&mut self, element: ElementRef<'_>) {
        self.links_in(element);
        let text: String = element.text().collect();
        let is_spaced = self.run.is_empty() || self.run.ends_with(|c: char| !c.is_alphanumeric());
        match is_spaced && !self.run.ends_with('`') {
            true => {
                self.plain.add(&text);
                self.run.push_str(&markdown::code(&text));
            }
            false => self.text(&text),
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
        for link in element.descendent_elements().filter(|one| one.value().name() == "a") {
            self.keep_link(link);
        }
    }

    fn keep_link(&mut self, element: ElementRef<'_>) {
        let link = links::of_element(element, self.base, self.under(), true);
        let at = link.is_some().then_some(self.written.links.len());
        self.written.linked.insert(element.id(), at);
        self.written.links.extend(link);
    }

    fn image(&mut self, element: ElementRef<'_>) {
        self.written.n_images += 1;
        let alt = element.attr("alt").unwrap_or_default().trim();
        if !alt.is_empty() {
            self.n_links_around += 1;
            self.text(&format!("[image: {alt}]"));
            self.n_links_around -= 1;
        }
    }

    /// Returns the position of the last heading.
    fn under(&self) -> Option<usize> {
        let is_heading = |block: &PageBlock| matches!(block.kind, BlockKind::Heading(_));
        self.written.blocks.iter().rposition(is_heading)
    }
}
