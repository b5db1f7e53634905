//! Blocks with parts: code, lists, tables, quotes.

use scraper::{ElementRef, Node};

use super::BlockWriter;
use crate::page::element::{is_heading, language_of, plain_text};
use crate::page::markdown;
use crate::page::model::{BlockKind, PageBlock, PageLink};
use crate::page::parse::MAX_DEPTH;
use crate::page::read_tree::{self, ListPlace};
use crate::page::table::{self, CellTable};

/// The deepest item or cell that is more than words.
const MAX_PARTS: usize = 50;

impl BlockWriter<'_> {
    pub(super) fn code(&mut self, element: ElementRef<'_>) {
        self.flush();
        let mut text = String::new();
        self.lines(element, &mut text);
        let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\u{a0}', " ");
        if !text.trim().is_empty() {
            self.flush_leads();
            self.push(BlockKind::Code, markdown::fenced(&text, &language_of(element)));
        }
    }

    /// Writes code whose lines only `br` and the ends of these elements end.
    pub(super) fn code_with_breaks(&mut self, elements: &[ElementRef<'_>]) {
        self.flush_leads();
        let mut text = String::new();
        for element in elements {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            self.lines_with_breaks(*element, &mut text);
            self.links_in(*element);
        }
        if !text.trim().is_empty() {
            self.push(BlockKind::Code, markdown::fenced(&text, ""));
        }
    }

    /// Adds the text of an element whose lines only `br` ends. Spaces that do not break indent.
    fn lines_with_breaks(&mut self, element: ElementRef<'_>, text: &mut String) {
        if self.depth == MAX_DEPTH {
            text.push_str(&plain_text(element));
            return;
        }
        self.depth += 1;
        for child in element.children() {
            if let Node::Text(part) = child.value() {
                for c in part.chars() {
                    match c {
                        '\u{a0}' => text.push(' '),
                        _ if !c.is_ascii_whitespace() => text.push(c),
                        _ if text.ends_with(['\n', ' ']) => {}
                        _ => text.push(' '),
                    }
                }
            }
            let Some(element) = ElementRef::wrap(child) else { continue };
            match element.value().name() {
                "br" => text.push('\n'),
                _ if self.shows(element) => self.lines_with_breaks(element, text),
                _ => {}
            }
        }
        self.depth -= 1;
    }

    pub(super) fn list(&mut self, list: ElementRef<'_>) {
        self.flush();
        let items = list.child_elements().filter(|item| item.value().name() != "script");
        // Items with headings are the sections of the page: Javadoc lists its methods.
        if self.n_parts_around == 0 && list.descendent_elements().any(is_heading) {
            items.for_each(|item| self.element(item));
            return;
        }
        let number = |element: ElementRef<'_>, name| element.attr(name)?.parse::<u32>().ok();
        let is_numbered = list.value().name() == "ol";
        let mut next = number(list, "start").unwrap_or(1);
        let mut lines: Vec<String> = Vec::new();
        for item in items {
            if !self.shows(item) {
                continue;
            }
            let text = self.part(item);
            if text.is_empty() {
                continue;
            }
            next = number(item, "value").unwrap_or(next);
            let marker = if is_numbered { format!("{next}. ") } else { "- ".to_owned() };
            next = next.saturating_add(1);
            let indent = " ".repeat(marker.len());
            lines.push(marker + &markdown::hanging(&text, &indent));
        }
        if !lines.is_empty() {
            self.flush_leads();
            self.push(BlockKind::List, lines.join("\n"));
            self.tree(list);
        }
    }

    /// Keeps the tree that the list draws, if it draws one.
    pub(super) fn tree(&mut self, list: ElementRef<'_>) {
        let block = self.written.blocks.len() - 1;
        let place = ListPlace {
            generator: self.generator,
            page: self.base,
            links: &self.written.links,
            linked: &self.written.linked,
            block,
            under: self.last_heading,
        };
        let tree = if self.n_parts_around > 0 { None } else { read_tree::read(list, &place) };
        if let Some(tree) = tree {
            self.written.blocks[block].is_data = false;
            self.written.trees.push(tree);
        }
    }

    pub(super) fn table(&mut self, table: ElementRef<'_>) {
        self.flush();
        let is_caption = |one: &ElementRef<'_>| one.value().name() == "caption";
        table.child_elements().filter(is_caption).for_each(|caption| self.element(caption));
        let rows = table::rows_of(table, |one| self.shows(one));
        let is_heading = |row: &Vec<ElementRef<'_>>| table::heading_of(row).is_some();
        let cells: Vec<_> = rows.iter().filter(|row| !is_heading(row)).cloned().collect();
        if table::is_layout(table, &cells, self.generator) {
            rows.into_iter().flatten().for_each(|cell| self.element(cell));
            return;
        }
        // A row that is a heading begins a section.
        for rows in rows.chunk_by(|_, row| !is_heading(row)) {
            let heading = rows.first().and_then(|row| table::heading_of(row));
            heading.into_iter().for_each(|heading| self.element(heading));
            self.rows(&rows[usize::from(heading.is_some())..]);
        }
    }

    /// Writes a table that is drawn by a style, from left to right.
    pub(super) fn grid(&mut self, grid: ElementRef<'_>) {
        self.flush();
        let table = CellTable::of_grid(grid, |cell| self.cell(cell));
        self.cells(&table);
    }

    /// Returns the text of a cell on one line. Lines of code stay apart.
    fn cell(&mut self, cell: ElementRef<'_>) -> String {
        let blocks = self.blocks_of(cell).into_iter();
        let texts = blocks.map(|block| match block.kind {
            BlockKind::Code => {
                let lines: Vec<&str> = block.text.lines().collect();
                let code = lines[1..lines.len() - 1].iter().map(|line| markdown::code(line));
                code.collect::<Vec<_>>().join(" ")
            }
            _ => block.text,
        });
        let text = texts.collect::<Vec<_>>().join(" ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn rows(&mut self, rows: &[Vec<ElementRef<'_>>]) {
        if let Some(lines) = table::lines_of_code(rows) {
            self.code_with_breaks(&lines);
            return;
        }
        let table = CellTable::of(rows, |cell| self.cell(cell));
        self.cells(&table);
    }

    fn cells(&mut self, table: &CellTable) {
        if !table.rows.is_empty() {
            self.flush_leads();
            self.push(BlockKind::Table, table.markdown());
        }
    }

    pub(super) fn quote(&mut self, quote: ElementRef<'_>) {
        self.flush_leads();
        let text = self.part(quote);
        if !text.is_empty() {
            self.push(BlockKind::Paragraph, format!("> {}", markdown::hanging(&text, "> ")));
        }
    }

    /// Returns the text of a part that is one block with what stands around it.
    pub(super) fn part(&mut self, element: ElementRef<'_>) -> String {
        let mut text = String::new();
        let mut is_after_code = false;
        for block in self.blocks_of(element) {
            // Without an empty line, other blocks would run into one.
            let is_code = matches!(block.kind, BlockKind::Code);
            let is_apart = is_after_code || is_code || matches!(block.kind, BlockKind::List);
            let between = if is_apart { "\n" } else { "\n\n" };
            text.push_str(if text.is_empty() { "" } else { between });
            text.push_str(&block.text);
            is_after_code = is_code;
        }
        text
    }

    /// Returns the blocks of a part.
    pub(super) fn blocks_of(&mut self, element: ElementRef<'_>) -> Vec<PageBlock> {
        if self.n_parts_around >= MAX_PARTS {
            self.links_in(element);
            let text = self.words(element);
            let kind = BlockKind::Paragraph;
            return vec![PageBlock { kind, text, is_data: true, n_linked: 0, resumes: None }];
        }
        let mut writer = BlockWriter {
            n_parts_around: self.n_parts_around + 1,
            n_links_around: self.n_links_around,
            depth: self.depth,
            ..BlockWriter::new(self.generator, self.page, self.base)
        };
        writer.written.forms = std::mem::take(&mut self.written.forms);
        writer.write(element);
        writer.flush_leads();
        let part = writer.finish();
        self.written.forms = part.forms;
        let (under, n_before) = (self.last_heading, self.written.links.len());
        self.written.links.extend(part.links.into_iter().map(|link| PageLink { under, ..link }));
        let linked = part.linked.into_iter();
        self.written.linked.extend(linked.map(|(id, at)| (id, at.map(|at| n_before + at))));
        self.written.n_hidden += part.n_hidden;
        self.written.n_hidden_parts += part.n_hidden_parts;
        self.written.n_images += part.n_images;
        part.blocks.iter().for_each(|block| self.plain.add_part(block.is_data, block.n_linked));
        part.blocks
    }
}
