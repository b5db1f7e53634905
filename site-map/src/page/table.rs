//! Tables, as rows of cells.

use scraper::ElementRef;

/// The most columns that one cell is said to span; the HTML standard allows 1 000.
const MAX_SPAN: usize = 50;

/// A table of texts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CellTable {
    pub(super) rows: Vec<Vec<String>>,
    pub(super) has_header: bool,
}

impl CellTable {
    /// Reads a table; `text` gives the text of a cell.
    pub(super) fn of(
        table: ElementRef<'_>,
        mut text: impl FnMut(ElementRef<'_>) -> String,
    ) -> Self {
        let mut read = CellTable::default();
        for row in rows_of(table) {
            let cells: Vec<ElementRef<'_>> = row
                .child_elements()
                .filter(|cell| matches!(cell.value().name(), "td" | "th"))
                .collect();
            if read.rows.is_empty() {
                read.has_header =
                    !cells.is_empty() && cells.iter().all(|cell| cell.value().name() == "th");
            }
            let mut texts = Vec::new();
            for cell in cells {
                let span = cell.attr("colspan").and_then(|span| span.parse().ok()).unwrap_or(1);
                texts.push(text(cell));
                texts.extend(vec![String::new(); usize::min(span, MAX_SPAN).saturating_sub(1)]);
            }
            if !texts.iter().all(String::is_empty) {
                read.rows.push(texts);
            }
        }
        read
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

/// Returns the rows of a table, without those of tables in it.
fn rows_of(table: ElementRef<'_>) -> Vec<ElementRef<'_>> {
    let mut rows = Vec::new();
    for child in table.child_elements() {
        match child.value().name() {
            "tr" => rows.push(child),
            "thead" | "tbody" | "tfoot" => {
                rows.extend(child.child_elements().filter(|row| row.value().name() == "tr"));
            }
            _ => {}
        }
    }
    rows
}
