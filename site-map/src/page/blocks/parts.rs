//! Blocks with parts: code, lists, tables, quotes.

use ego_tree::NodeRef;
use scraper::{ElementRef, Node};

use super::BlockWriter;
use super::terms::is_list_of_names;
use crate::page::element::{is_block, is_heading, language_of, n_signs, plain_text};
use crate::page::generator_rows::Structure;
use crate::page::markdown;
use crate::page::model::{BlockKind, PageBlock, PageLink};
use crate::page::parse::MAX_DEPTH;
use crate::page::read_tree::{self, ListPlace};
use crate::page::table::{self, ApartRows, CellTable};

/// The fewest cells of a link each that are a list.
const MIN_LINKS: usize = 3;
/// The deepest item or cell that is more than words.
const MAX_PARTS: usize = 50;
/// The deepest item whose lines are indented by all of its marker: each line of code in it has the
/// indentations of all items around it.
const MAX_INDENTED: usize = 10;
/// The width of the marker `- `, by which deeper items are indented.
const BULLET: usize = 2;

impl<'p> BlockWriter<'p> {
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
            self.push(BlockKind::Code, markdown::fenced(&text.replace('\u{a0}', " "), ""));
        }
    }

    /// Adds the text of an element whose lines only `br` ends.
    pub(super) fn lines_with_breaks(&mut self, element: ElementRef<'_>, text: &mut String) {
        if self.depth == MAX_DEPTH {
            text.push_str(&plain_text(element));
            return;
        }
        self.depth += 1;
        for child in element.children() {
            if let Node::Text(part) = child.value() {
                for c in part.chars() {
                    match c {
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
        // Items with headings are the sections of the page: Javadoc lists its methods.
        let begins =
            |one| is_heading(one) || self.generator.structure(one) == Some(Structure::Definition);
        if self.n_parts_around == 0 && list.descendent_elements().any(begins) {
            self.write(list);
            return;
        }
        if self.n_parts_around == 0 && is_list_of_names(list) {
            self.list_of_names(list);
            return;
        }
        let number = |element: ElementRef<'_>, name| element.attr(name)?.parse::<u32>().ok();
        let is_numbered = list.value().name() == "ol";
        let mut next = number(list, "start").unwrap_or(1);
        let mut lines: Vec<String> = Vec::new();
        let mut indent = String::new();
        let mut is_one_block = true;
        // Browsers show what is no item too, and some tools put code or a table straight in a list.
        for child in self.items_in(list) {
            let Some(item) = ElementRef::wrap(child) else {
                let Some(text) = child.value().as_text() else { continue };
                if !text.trim().is_empty() {
                    is_one_block = false;
                    self.items(&mut lines);
                }
                self.text(text);
                continue;
            };
            if !self.shows(item) {
                continue;
            }
            match (item.value().name(), lines.last_mut()) {
                ("li", _) => {
                    self.flush();
                    let text = self.part(item);
                    if text.is_empty() {
                        continue;
                    }
                    next = number(item, "value").unwrap_or(next);
                    let marker = if is_numbered { format!("{next}. ") } else { "- ".to_owned() };
                    next = next.saturating_add(1);
                    let is_deep = self.n_parts_around >= MAX_INDENTED;
                    indent = " ".repeat(if is_deep { BULLET } else { marker.len() });
                    lines.push(marker + &markdown::hanging(&text, &indent));
                }
                // Between two items: it belongs to the one before it.
                ("ul" | "ol" | "menu" | "dir", Some(last)) => {
                    for block in self.blocks_by(item, BlockWriter::element) {
                        let text = format!("\n{}", block.text);
                        last.push_str(&markdown::hanging(&text, &indent));
                    }
                }
                _ => {
                    is_one_block = false;
                    self.items(&mut lines);
                    self.element(item);
                }
            }
        }
        self.flush();
        let has_items = !lines.is_empty();
        self.items(&mut lines);
        if has_items && is_one_block {
            self.tree(list);
        }
    }

    /// Returns what stands in a list, and in the groups of its items.
    fn items_in<'h>(&mut self, around: ElementRef<'h>) -> Vec<NodeRef<'h, Node>> {
        let mut items = Vec::new();
        for child in around.children() {
            match ElementRef::wrap(child).filter(|one| is_group(*one)) {
                Some(group) if self.shows(group) => items.extend(self.items_in(group)),
                Some(_) => {}
                None => items.push(child),
            }
        }
        items
    }

    /// Writes the items of a list so far.
    fn items(&mut self, lines: &mut Vec<String>) {
        if !lines.is_empty() {
            self.flush_leads();
            self.push(BlockKind::List, std::mem::take(lines).join("\n"));
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
        if table::is_field_list(table) {
            rows.into_iter().flatten().for_each(|cell| self.field(cell));
            self.flush_leads();
            return;
        }
        let is_heading = |row: &Vec<ElementRef<'_>>| table::heading_of(row).is_some();
        let cells: Vec<_> = rows.iter().filter(|row| !is_heading(row)).cloned().collect();
        if table::is_layout(table, &cells, self.generator) {
            match ApartRows::of(table, &rows, self.generator) {
                Some(rows) => self.rows_apart(&rows),
                None => self.cells_apart(&rows.concat()),
            }
            return;
        }
        // A row that is a heading begins a section.
        for rows in rows.chunk_by(|_, row| !is_heading(row)) {
            let heading = rows.first().and_then(|row| table::heading_of(row));
            heading.into_iter().for_each(|heading| self.element(heading));
            self.rows(&rows[usize::from(heading.is_some())..]);
        }
    }

    /// Writes cells one below the other, as what they are alone. Cells of a link alone are a list:
    /// the menu of a manual.
    fn cells_apart(&mut self, cells: &[ElementRef<'_>]) {
        let is_link = |cell: &ElementRef<'_>| {
            let mut links = cell.descendent_elements().filter(|one| one.value().name() == "a");
            links.next().is_some_and(|link| n_signs(link) > 0 && n_signs(link) == n_signs(*cell))
        };
        let says = |cell: &&ElementRef<'_>| {
            cell.descendent_elements().nth(1).is_some() || n_signs(**cell) > 0
        };
        let is_menu = cells.iter().filter(|cell| is_link(cell)).count() >= MIN_LINKS;
        let cells: Vec<ElementRef<'_>> = cells.iter().filter(says).copied().collect();
        for run in cells.chunk_by(|one, next| is_link(one) == is_link(next)) {
            if !is_menu || !is_link(&run[0]) || self.n_parts_around > 0 {
                run.iter().for_each(|cell| self.element(*cell));
                continue;
            }
            let items = run.iter().map(|cell| format!("- {}", self.part(*cell)));
            let mut lines: Vec<String> = items.collect();
            self.items(&mut lines);
        }
    }

    /// Writes the rows of a table whose cells cannot stand in a line: each cell with the name of
    /// its column, or below the term that its row is about.
    fn rows_apart(&mut self, table: &ApartRows<'_, '_>) {
        for (column, cell) in table.header.iter().enumerate() {
            if table.have_terms && (column == 0 || table.label(column).is_none()) {
                self.element(*cell);
            }
        }
        for row in table.rows {
            let mut column = 0;
            for cell in row {
                if column == 0 && table.have_terms {
                    self.lead(*cell);
                    self.links_in(*cell);
                } else {
                    let label = table.label(column).filter(|_| n_signs(*cell) > 0);
                    label.into_iter().for_each(|label| self.lead(label));
                    self.element(*cell);
                }
                column += table::n_columns(cell);
            }
            self.flush_leads();
        }
    }

    /// Writes the name of a field, or what it is.
    fn field(&mut self, cell: ElementRef<'_>) {
        match cell.value().name() {
            "th" => self.lead(cell),
            _ => self.block(cell),
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
        let text = texts.collect::<Vec<_>>().join("\n");
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(" ")
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
        joined(&self.blocks_of(element))
    }

    /// Returns the blocks in a part.
    pub(super) fn blocks_of(&mut self, element: ElementRef<'_>) -> Vec<PageBlock> {
        self.blocks_by(element, BlockWriter::write)
    }

    /// Returns the blocks that a way to write an element gives for a part.
    fn blocks_by(
        &mut self,
        element: ElementRef<'_>,
        write: impl Fn(&mut BlockWriter<'p>, ElementRef<'_>),
    ) -> Vec<PageBlock> {
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
        write(&mut writer, element);
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

/// Reports whether an element within a list only stands around items. An element that is not closed
/// before the list goes on within it.
fn is_group(element: ElementRef<'_>) -> bool {
    let name = element.value().name();
    let is_item = |one: ElementRef<'_>| one.value().name() == "li" || is_group(one);
    (name == "div" || !is_block(name)) && element.child_elements().any(is_item)
}

/// Returns blocks as one text.
fn joined(blocks: &[PageBlock]) -> String {
    let mut text = String::new();
    let mut is_after_code = false;
    for block in blocks {
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
