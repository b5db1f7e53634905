//! Blocks with parts: code, lists, tables, quotes.

use scraper::ElementRef;

use super::BlockWriter;
use crate::page::element::language_of;
use crate::page::markdown;
use crate::page::model::{BlockKind, PageLink};
use crate::page::read_tree::{self, ListPlace};
use crate::page::table::CellTable;

/// The deepest item or cell that is more than words.
const MAX_PARTS: usize = 50;

impl BlockWriter<'_> {
    pub(super) fn code(&mut self, element: ElementRef<'_>) {
        self.flush();
        let text: String = element.text().collect();
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        if !text.trim().is_empty() {
            self.flush_leads();
            self.push(BlockKind::Code, markdown::fenced(&text, &language_of(element)));
        }
    }

    pub(super) fn list(&mut self, list: ElementRef<'_>) {
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
    pub(super) fn tree(&mut self, list: ElementRef<'_>) {
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

    pub(super) fn table(&mut self, table: ElementRef<'_>) {
        self.flush();
        let read = CellTable::of(table, |cell| self.part(cell).replace('\n', " "));
        if !read.rows.is_empty() {
            self.flush_leads();
            self.push(BlockKind::Table, read.markdown());
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
}
