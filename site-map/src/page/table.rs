//! Tables, as rows of cells.

use scraper::ElementRef;

use crate::page::generator::{Generator, Structure};
use crate::page::markdown;

/// The most columns or rows that one cell is said to span. The HTML standard allows 1 000 columns
/// and 65 534 rows.
const MAX_SPAN: usize = 50;

/// A table of texts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CellTable {
    pub(super) rows: Vec<Vec<String>>,
    pub(super) has_header: bool,
}

impl CellTable {
    /// Reads the cells of a table; `text` gives the text of one.
    pub(super) fn of<'h>(
        rows: &[Vec<ElementRef<'h>>],
        mut text: impl FnMut(ElementRef<'h>) -> String,
    ) -> Self {
        let mut read = CellTable::default();
        // How many rows the last cell of each column still takes.
        let mut down: Vec<usize> = Vec::new();
        for cells in rows {
            if read.rows.is_empty() {
                read.has_header =
                    !cells.is_empty() && cells.iter().all(|cell| cell.value().name() == "th");
            }
            let mut texts = Vec::new();
            for &cell in cells {
                // Cells above that reach down to this row.
                while down.get(texts.len()).is_some_and(|n_rows| *n_rows > 0) {
                    texts.push(String::new());
                }
                let n_rows = span(cell, "rowspan");
                let n_columns = span(cell, "colspan");
                down.resize(down.len().max(texts.len() + n_columns), 0);
                down[texts.len()..texts.len() + n_columns].fill(n_rows);
                texts.push(text(cell));
                texts.extend(vec![String::new(); n_columns - 1]);
            }
            down.iter_mut().for_each(|n_rows| *n_rows = n_rows.saturating_sub(1));
            if !texts.iter().all(String::is_empty) {
                read.rows.push(texts);
            }
        }
        read
    }

    /// Reads a table that is drawn by a style: its cells in a row, those of the header first.
    pub(super) fn of_grid(
        grid: ElementRef<'_>,
        text: impl FnMut(ElementRef<'_>) -> String,
    ) -> Self {
        let is_head =
            |cell: &ElementRef<'_>| cell.value().classes().any(|one| one == "table-header");
        let n_columns = grid.child_elements().take_while(is_head).count();
        let cells: Vec<String> = grid.child_elements().map(text).collect();
        let rows = cells.chunks(n_columns.max(1)).map(<[String]>::to_vec).collect();
        CellTable { rows, has_header: n_columns > 0 }
    }

    /// Formats the table as Markdown; a table of one column is a line each. A table without a
    /// header has an empty one, since a reader of Markdown sees no table without.
    pub(super) fn markdown(&self) -> String {
        let filled = |row: &Vec<String>| row.iter().rposition(|cell| !cell.is_empty());
        let width = self.rows.iter().filter_map(filled).max().map_or(0, |last| last + 1);
        let mut lines: Vec<String> = Vec::new();
        if !self.has_header && width > 1 {
            lines.push(format!("|{}", "  |".repeat(width)));
            lines.push(format!("|{}", "---|".repeat(width)));
        }
        for (at, row) in self.rows.iter().enumerate() {
            let cells = row.iter().map(|cell| cell.replace('|', "\\|"));
            let cells: Vec<String> =
                cells.chain(std::iter::repeat_n(String::new(), width)).take(width).collect();
            lines.push(match width {
                1 if markdown::is_rule(&cells.concat()) => format!("\\{}", cells.concat()),
                1 => cells.concat(),
                _ => format!("| {} |", cells.join(" | ")),
            });
            if at == 0 && self.has_header && width > 1 {
                lines.push(format!("|{}", "---|".repeat(width)));
            }
        }
        lines.join("\n")
    }
}

/// Returns how many columns or rows a cell takes.
fn span(cell: ElementRef<'_>, name: &str) -> usize {
    let span = cell.attr(name).and_then(|span| span.parse().ok()).unwrap_or(1);
    usize::clamp(span, 1, MAX_SPAN)
}

/// Reports whether a table only places what is in it: it says so, or a cell has what cannot stand
/// in a line, code of several lines or a table.
pub(super) fn is_layout(table: ElementRef<'_>, generator: &Generator) -> bool {
    let is_tall = |one: ElementRef<'_>| match one.value().name() {
        "table" => true,
        "pre" => one.text().collect::<String>().trim().contains('\n'),
        _ => generator.structure(one) == Some(Structure::Code),
    };
    // A note of DocBook is a table with a picture.
    let around = table.parent().and_then(ElementRef::wrap);
    let mut around = around.into_iter().flat_map(|one| one.value().classes());
    let notes = ["note", "tip", "warning", "caution", "important", "admonitionblock"];
    matches!(table.attr("role"), Some("presentation" | "none"))
        || around.any(|one| notes.contains(&one))
        || table.descendent_elements().skip(1).any(is_tall)
}

/// Returns the cells of a table that are shown, by rows, without those of tables in it.
pub(super) fn rows_of<'h>(
    table: ElementRef<'h>,
    mut shows: impl FnMut(ElementRef<'h>) -> bool,
) -> Vec<Vec<ElementRef<'h>>> {
    let mut shown = |around: ElementRef<'h>, names: &[&str]| -> Vec<ElementRef<'h>> {
        let is_named = |one: &ElementRef<'h>| names.contains(&one.value().name());
        around.child_elements().filter(is_named).filter(|one| shows(*one)).collect()
    };
    let mut rows = Vec::new();
    for part in shown(table, &["tr", "thead", "tbody", "tfoot"]) {
        match part.value().name() {
            "tr" => rows.push(part),
            _ => rows.extend(shown(part, &["tr"])),
        }
    }
    rows.into_iter().map(|row| shown(row, &["td", "th"])).collect()
}
