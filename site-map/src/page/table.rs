//! Tables, as rows of cells.

use scraper::ElementRef;

use crate::page::element::{is_all_code, is_heading, is_of_lines, n_signs};
use crate::page::generator::Generator;
use crate::page::generator_rows::Structure;
use crate::page::markdown;

/// The most columns or rows that one cell is said to span. The HTML standard allows 1 000 columns
/// and 65 534 rows.
const MAX_SPAN: usize = 50;

/// The most columns that are read; the text of further cells stands in the last one.
const MAX_COLUMNS: usize = 1_000;
/// The most cells of a table whose short rows are filled up with empty ones. Markdown needs none.
const MAX_FILLED: usize = 100_000;

/// The most cells of a table of which some span others: a few bytes could ask for many.
const MAX_SPANNED: usize = 1_000_000;

/// The longest term in a table, in characters without white space.
const MAX_TERM: usize = 80;
/// The most lines of code in a cell that are a value each.
const MAX_ENUMERATION: usize = 8;

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
        // How many rows the last cell of each column still takes, within its part of the table.
        let mut down: Vec<usize> = Vec::new();
        let mut part = None;
        let mut n_cells = 0;
        for cells in rows {
            let may_span = n_cells < MAX_SPANNED;
            if !may_span {
                down.clear();
            }
            let of_row = cells.first().and_then(|cell| cell.parent()?.parent()).map(|one| one.id());
            if of_row.is_some() && of_row != part {
                down.clear();
                part = of_row;
            }
            if read.rows.is_empty() {
                read.has_header =
                    !cells.is_empty() && cells.iter().all(|cell| cell.value().name() == "th");
            }
            let mut texts = Vec::new();
            for &cell in cells {
                if texts.len() >= MAX_COLUMNS {
                    add_to_last(&mut texts, &text(cell));
                    continue;
                }
                // Cells above that reach down to this row.
                while down.get(texts.len()).is_some_and(|n_rows| *n_rows > 0) {
                    texts.push(String::new());
                }
                let (n_rows, n_columns) = match may_span {
                    true => (span(cell, "rowspan"), n_columns(&cell)),
                    false => (1, 1),
                };
                down.resize(down.len().max(texts.len() + n_columns), 0);
                down[texts.len()..texts.len() + n_columns].fill(n_rows);
                texts.push(text(cell));
                texts.extend(vec![String::new(); n_columns - 1]);
            }
            down.iter_mut().for_each(|n_rows| *n_rows = n_rows.saturating_sub(1));
            let n_filled = texts.iter().rposition(|cell| !cell.is_empty()).map_or(0, |at| at + 1);
            n_cells += texts.len();
            texts.truncate(n_filled);
            if !texts.is_empty() {
                read.rows.push(texts);
            }
        }
        read.without_empty_columns()
    }

    /// Drops the columns without any text, which only keep others apart.
    fn without_empty_columns(mut self) -> Self {
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut is_filled = vec![false; width];
        for row in &self.rows {
            row.iter().zip(&mut is_filled).for_each(|(cell, filled)| *filled |= !cell.is_empty());
        }
        for row in &mut self.rows {
            let mut filled = is_filled.iter();
            row.retain(|_| *filled.next().expect("no row is wider than the widest"));
        }
        self
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
        let is_filled = width.saturating_mul(self.rows.len()) <= MAX_FILLED;
        let mut lines: Vec<String> = Vec::new();
        if !self.has_header && width > 1 {
            lines.push(format!("|{}", "  |".repeat(width)));
            lines.push(format!("|{}", "---|".repeat(width)));
        }
        for (at, row) in self.rows.iter().enumerate() {
            let own = filled(row).map_or(0, |last| last + 1);
            // Markdown counts the columns in the first row.
            let n_cells = if is_filled || at == 0 { width } else { own };
            let cells = row.iter().map(|cell| cell.replace('|', "\\|"));
            let cells: Vec<String> =
                cells.chain(std::iter::repeat_n(String::new(), n_cells)).take(n_cells).collect();
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

/// Adds a text to the last of some cells.
fn add_to_last(texts: &mut [String], text: &str) {
    if let Some(last) = texts.last_mut().filter(|_| !text.is_empty()) {
        if !last.is_empty() {
            last.push(' ');
        }
        last.push_str(text);
    }
}

/// Returns how many columns or rows a cell takes.
fn span(cell: ElementRef<'_>, name: &str) -> usize {
    let span = cell.attr(name).and_then(|span| span.parse().ok()).unwrap_or(1);
    usize::clamp(span, 1, MAX_SPAN)
}

/// Reports whether a table only places what is in it: it says so, or a cell has what cannot stand
/// in a line. `rows` are its cells that are shown, without rows that are a heading.
pub(super) fn is_layout(
    table: ElementRef<'_>,
    rows: &[Vec<ElementRef<'_>>],
    generator: &Generator,
) -> bool {
    let is_whole = |one: ElementRef<'_>| {
        let is_code = generator.structure(one) == Some(Structure::Code);
        one.value().name() == "table" || is_code && has_lines(one)
    };
    let mut cells = rows.iter().flatten().copied();
    let mut inside = cells.clone().flat_map(|cell| cell.descendent_elements().skip(1));
    let n_rows = rows.iter().filter(|row| n_filled(row) > 0).count();
    // Without rows or without columns, nothing is lost when cells are blocks.
    let is_column = rows.iter().all(|row| n_filled(row) < 2);
    let is_line = n_rows == 1 || is_column;
    says_layout(table)
        || n_rows == 1 && is_column
        || table.descendent_elements().skip(1).any(is_whole)
        || cells.any(has_section)
        || inside.any(|one| match one.value().name() {
            "pre" => is_of_lines(one) && (is_line || n_rows < 3 || !is_enumeration(one)),
            "ul" | "ol" | "dl" => is_line && one.child_elements().nth(1).is_some(),
            _ => is_line && is_heading(one),
        })
}

/// A table that cannot be one in text, and whose rows can be told apart.
pub(super) struct ApartRows<'r, 'h> {
    /// What the columns are called; empty without a header.
    pub(super) header: &'r [ElementRef<'h>],
    pub(super) rows: &'r [Vec<ElementRef<'h>>],
    /// The first cell of each row says what its row is about.
    pub(super) have_terms: bool,
}

impl<'r, 'h> ApartRows<'r, 'h> {
    /// Finds out what a table has beside its cells: a header, or terms.
    pub(super) fn of(
        table: ElementRef<'_>,
        rows: &'r [Vec<ElementRef<'h>>],
        generator: &Generator,
    ) -> Option<Self> {
        let is_named = |cell: &ElementRef<'_>| cell.value().name() == "th" && n_signs(*cell) > 0;
        let is_header = |row: &Vec<ElementRef<'_>>| {
            row.len() > 1 && row[1..].iter().all(is_named) && row[0].value().name() == "th"
        };
        let (header, rows) = match rows {
            [first, below @ ..] if is_header(first) => (first.as_slice(), below),
            _ => (&[][..], rows),
        };
        let have_terms = rows.iter().all(|row| row.len() > 1 && is_term(row[0], generator));
        let width = |row: &[ElementRef<'_>]| row.iter().map(n_columns).sum::<usize>();
        let are_apart = match header {
            [] => rows.len() > 1 && have_terms && rows.iter().all(|row| n_filled(row) > 1),
            header => {
                let reaches_down = |cell: &ElementRef<'_>| span(*cell, "rowspan") > 1;
                width(header) == header.len()
                    && rows.iter().all(|row| width(row) <= header.len())
                    && !rows.iter().flatten().any(reaches_down)
            }
        };
        let has_sections = || rows.iter().flatten().any(|cell| has_section(*cell));
        (!rows.is_empty() && are_apart && !has_sections() && !says_layout(table))
            .then_some(ApartRows { header, rows, have_terms })
    }

    /// Returns the name of a column, where the terms do not say enough.
    pub(super) fn label(&self, column: usize) -> Option<ElementRef<'h>> {
        let is_labelled = !self.have_terms || self.header.len() > 2;
        self.header.get(column).copied().filter(|cell| is_labelled && n_signs(*cell) > 0)
    }
}

/// Returns how many columns a cell takes.
pub(super) fn n_columns(cell: &ElementRef<'_>) -> usize {
    span(*cell, "colspan")
}

fn is_term(cell: ElementRef<'_>, generator: &Generator) -> bool {
    let is_part = |one: ElementRef<'_>| {
        matches!(one.value().name(), "table" | "ul" | "ol" | "dl" | "pre")
            || is_heading(one)
            || generator.structure(one) == Some(Structure::Code)
    };
    (1..=MAX_TERM).contains(&n_signs(cell)) && !cell.descendent_elements().any(is_part)
}

/// Reports whether a table is a list of fields, as Docutils writes them for HTML 4: a long name has
/// a row of its own.
pub(super) fn is_field_list(table: ElementRef<'_>) -> bool {
    table.value().classes().any(|class| matches!(class, "field-list" | "docinfo"))
}

/// Returns the cells of a table that has one column, of several lines, all of which are code.
pub(super) fn lines_of_code<'h>(rows: &[Vec<ElementRef<'h>>]) -> Option<Vec<ElementRef<'h>>> {
    let cells = rows.iter().map(|row| match row[..] {
        [cell] if is_all_code(cell) => Some(cell),
        _ => None,
    });
    cells.collect::<Option<Vec<_>>>().filter(|lines| lines.len() > 1)
}

/// Returns the heading that is all of a row.
pub(super) fn heading_of<'h>(row: &[ElementRef<'h>]) -> Option<ElementRef<'h>> {
    let mut filled = row.iter().filter(|cell| n_signs(**cell) > 0);
    let (cell, None) = (filled.next()?, filled.next()) else { return None };
    let mut headings = cell.descendent_elements().filter(|one| is_heading(*one));
    headings.find(|heading| n_signs(*heading) == n_signs(*cell))
}

/// Reports whether a table or what is around it says that it is none.
fn says_layout(table: ElementRef<'_>) -> bool {
    // A note of DocBook is a table with a picture.
    let notes = ["note", "tip", "warning", "caution", "important", "admonitionblock"];
    let around = table.parent().and_then(ElementRef::wrap);
    let mut around = around.into_iter().flat_map(|one| one.value().classes());
    matches!(table.attr("role"), Some("presentation" | "none"))
        || around.any(|one| notes.contains(&one))
}

/// Returns how many cells of a row say or show something.
fn n_filled(row: &[ElementRef<'_>]) -> usize {
    let shows = |cell: &ElementRef<'_>| {
        cell.descendent_elements().any(|one| matches!(one.value().name(), "img" | "input"))
    };
    row.iter().filter(|cell| n_signs(**cell) > 0 || shows(cell)).count()
}

/// Reports whether a cell has a heading, and more than headings.
fn has_section(cell: ElementRef<'_>) -> bool {
    let headings = cell.descendent_elements().filter(|one| is_heading(*one));
    let n_signs_of_headings: usize = headings.map(n_signs).sum();
    n_signs_of_headings > 0 && n_signs_of_headings < n_signs(cell)
}

/// Reports whether the text of an element has more than one line.
fn has_lines(element: ElementRef<'_>) -> bool {
    element.text().collect::<String>().trim().contains('\n')
}

/// Reports whether code is all of its cell, and its lines are a few values, and no program.
fn is_enumeration(code: ElementRef<'_>) -> bool {
    let mut above = code.ancestors().filter_map(ElementRef::wrap);
    let cell = above.find(|one| matches!(one.value().name(), "td" | "th"));
    let text: String = code.text().collect();
    let lines: Vec<&str> = text.trim_matches('\n').lines().collect();
    cell.is_some_and(|cell| n_signs(cell) == n_signs(code))
        && lines.len() <= MAX_ENUMERATION
        && !lines.iter().any(|one| one.trim_start() != *one)
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

#[cfg(test)]
mod tests {
    use scraper::{Html, Selector};

    use super::*;

    #[test]
    fn cells_that_span_others_make_a_bounded_number() {
        let wide = "<td colspan=50 rowspan=50>a".repeat(19);
        let part = format!("<tr>{wide}{}", "<tr><td>b".repeat(49));
        let html = Html::parse_document(&format!("<table>{}</table>", part.repeat(30)));
        let table = html.select(&Selector::parse("table").unwrap()).next().unwrap();
        let rows = rows_of(table, |_| true);
        let read = CellTable::of(&rows, |cell| cell.text().collect());
        let n_cells: usize = read.rows.iter().map(Vec::len).sum();
        assert_eq!(read.rows.len(), 1_500);
        assert!(n_cells < MAX_SPANNED + MAX_COLUMNS + read.rows.len(), "{n_cells}");
    }
}
