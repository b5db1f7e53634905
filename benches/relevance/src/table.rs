//! Outcomes → tables, plain text that is Markdown too.

use std::collections::BTreeSet;

use crate::instance::Instance;
use crate::score::{AtBudget, Mean, Outcome, Share, mean};

/// An instance and what was measured of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) outcome: &'a Outcome,
}

/// A column: its title, and its figure for one instance, if it has one.
struct Column<T> {
    title: &'static str,
    form: Form,
    of: fn(&T) -> Option<f64>,
}

#[derive(Clone, Copy)]
enum Form {
    /// A mean in percent, with its interval.
    Percent,
    /// A difference of percents, with its interval.
    Difference,
    /// A mean without an interval.
    Seconds,
}

const RANKING: &[Column<Outcome>] = &[
    Column { title: "Acc@1", form: Form::Percent, of: |outcome| outcome.files.accuracy(1) },
    Column { title: "Acc@3", form: Form::Percent, of: |outcome| outcome.files.accuracy(3) },
    Column { title: "Acc@5", form: Form::Percent, of: |outcome| outcome.files.accuracy(5) },
    Column { title: "Acc@10", form: Form::Percent, of: |outcome| outcome.files.accuracy(10) },
    Column { title: "Hit@1", form: Form::Percent, of: |outcome| outcome.files.hit(1) },
    Column { title: "Hit@5", form: Form::Percent, of: |outcome| outcome.files.hit(5) },
    Column { title: "Recall@5", form: Form::Percent, of: |outcome| outcome.files.recall(5) },
    Column { title: "Recall@10", form: Form::Percent, of: |outcome| outcome.files.recall(10) },
    Column { title: "MRR", form: Form::Percent, of: |outcome| outcome.files.reciprocal_rank() },
    Column { title: "functions Acc@1", form: Form::Percent, of: |outcome| outcome.functions.accuracy(1) },
    Column { title: "Acc@5", form: Form::Percent, of: |outcome| outcome.functions.accuracy(5) },
    Column { title: "Acc@10", form: Form::Percent, of: |outcome| outcome.functions.accuracy(10) },
    Column { title: "s", form: Form::Seconds, of: |outcome| Some(f64::from(outcome.map_ms) / 1_000.0) },
    Column { title: "s to rank", form: Form::Seconds, of: |outcome| Some(f64::from(outcome.ranking_ms) / 1_000.0) },
];

const BM25: &[Column<Outcome>] = &[
    Column { title: "Acc@1", form: Form::Percent, of: |outcome| outcome.bm25.accuracy(1) },
    Column { title: "Acc@3", form: Form::Percent, of: |outcome| outcome.bm25.accuracy(3) },
    Column { title: "Acc@5", form: Form::Percent, of: |outcome| outcome.bm25.accuracy(5) },
    Column { title: "Acc@10", form: Form::Percent, of: |outcome| outcome.bm25.accuracy(10) },
    Column { title: "Hit@1", form: Form::Percent, of: |outcome| outcome.bm25.hit(1) },
    Column { title: "Hit@5", form: Form::Percent, of: |outcome| outcome.bm25.hit(5) },
    Column { title: "Recall@5", form: Form::Percent, of: |outcome| outcome.bm25.recall(5) },
    Column { title: "Recall@10", form: Form::Percent, of: |outcome| outcome.bm25.recall(10) },
    Column { title: "MRR", form: Form::Percent, of: |outcome| outcome.bm25.reciprocal_rank() },
    Column {
        title: "ours − BM25, Recall@5",
        form: Form::Difference,
        of: |outcome| Some(outcome.files.recall(5)? - outcome.bm25.recall(5)?),
    },
];

const MAPS: &[Column<AtBudget>] = &[
    Column { title: "files", form: Form::Percent, of: |at| at.files.value() },
    Column { title: "functions", form: Form::Percent, of: |at| at.functions.value() },
    Column { title: "edits", form: Form::Percent, of: |at| at.edits.value() },
    Column { title: "precision", form: Form::Percent, of: |at| at.precision.value() },
    Column { title: "or near", form: Form::Percent, of: |at| at.nearness.value() },
    Column { title: "BM25 files", form: Form::Percent, of: |at| at.bm25.files.value() },
    Column { title: "functions", form: Form::Percent, of: |at| at.bm25.functions.value() },
    Column { title: "oracle files", form: Form::Percent, of: |at| at.oracle.files.value() },
    Column { title: "functions", form: Form::Percent, of: |at| at.oracle.functions.value() },
    Column { title: "used", form: Form::Percent, of: |at| Share { part: at.used, of: at.tokens }.value() },
];

/// Every table of these outcomes, in the order of the instances.
pub(crate) fn report(rows: &[Row<'_>]) -> String {
    let groups = groups(rows);
    let mut report = format!("## Ranking\n\n{}", ranking_table(&groups, RANKING));
    report.push_str(&format!("\n## BM25 over whole files\n\n{}", ranking_table(&groups, BM25)));
    let n_budgets = rows.iter().map(|row| row.outcome.budgets.len()).min().unwrap_or(0);
    if n_budgets > 0 {
        report.push_str(&format!("\n## Maps\n\n{}", map_table(&groups, n_budgets)));
    }
    report
}

type Group<'a> = (String, Vec<Row<'a>>);

/// All instances, then those of each language, source and subset.
fn groups<'a>(rows: &[Row<'a>]) -> Vec<Group<'a>> {
    let mut groups = vec![("all".to_owned(), rows.to_vec())];
    let kinds: [fn(&Instance) -> BTreeSet<&str>; 3] = [
        |instance| BTreeSet::from([instance.language.as_str()]),
        |instance| BTreeSet::from([instance.source.as_str()]),
        |instance| instance.subsets.iter().map(String::as_str).collect(),
    ];
    for of in kinds {
        let names: BTreeSet<&str> = rows.iter().flat_map(|row| of(row.instance)).collect();
        let members = |name: &str| rows.iter().filter(|row| of(row.instance).contains(name)).copied().collect();
        groups.extend(names.into_iter().map(|name| (name.to_owned(), members(name))));
    }
    groups
}

fn ranking_table(groups: &[Group<'_>], columns: &[Column<Outcome>]) -> String {
    let head = ["", "n"].into_iter().chain(columns.iter().map(|column| column.title));
    let mut table = vec![head.map(str::to_owned).collect()];
    for (name, rows) in groups {
        let values = |column: &Column<Outcome>| rows.iter().filter_map(|row| (column.of)(row.outcome)).collect();
        push(&mut table, [name.clone(), rows.len().to_string()], columns, values);
    }
    markdown(&table)
}

fn map_table(groups: &[Group<'_>], n_budgets: usize) -> String {
    let head = ["", "tokens"].into_iter().chain(MAPS.iter().map(|column| column.title));
    let mut table = vec![head.map(str::to_owned).collect()];
    for (name, rows) in groups {
        for budget in 0..n_budgets {
            let values = |column: &Column<AtBudget>| rows.iter().filter_map(|row| (column.of)(&row.outcome.budgets[budget])).collect();
            let tokens = rows[0].outcome.budgets[budget].tokens;
            push(&mut table, [name.clone(), tokens.to_string()], MAPS, values);
        }
    }
    markdown(&table)
}

/// Two lines of a table: the figures, and below them their intervals.
fn push<T>(table: &mut Vec<Vec<String>>, title: [String; 2], columns: &[Column<T>], values: impl Fn(&Column<T>) -> Vec<f64>) {
    let means: Vec<(Form, Option<Mean>)> = columns.iter().map(|column| (column.form, mean(&values(column)))).collect();
    table.push(title.into_iter().chain(means.iter().map(|(form, mean)| figure(*form, *mean))).collect());
    let blank = [String::new(), String::new()];
    table.push(blank.into_iter().chain(means.iter().map(|(form, mean)| interval(*form, *mean))).collect());
}

fn figure(form: Form, mean: Option<Mean>) -> String {
    match (form, mean) {
        (_, None) => "-".to_owned(),
        (Form::Percent, Some(mean)) => format!("{:.1}", 100.0 * mean.mean),
        (Form::Difference, Some(mean)) => format!("{:+.1}", 100.0 * mean.mean),
        (Form::Seconds, Some(mean)) => format!("{:.2}", mean.mean),
    }
}

fn interval(form: Form, mean: Option<Mean>) -> String {
    match (form, mean) {
        (_, None) | (Form::Seconds, _) => String::new(),
        (Form::Percent, Some(mean)) => format!("{:.1}…{:.1}", 100.0 * mean.low, 100.0 * mean.high),
        (Form::Difference, Some(mean)) => format!("{:+.1}…{:+.1}", 100.0 * mean.low, 100.0 * mean.high),
    }
}

/// Cells as a table whose columns are aligned in plain text.
fn markdown(table: &[Vec<String>]) -> String {
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table[0].len()).map(width).collect();
    let line = |row: &[String]| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(at, (cell, width))| if at == 0 { format!(" {cell:<width$} |") } else { format!(" {cell:>width$} |") });
        format!("|{}\n", cells.collect::<String>())
    };
    let rule = widths.iter().enumerate().map(|(at, width)| format!("{}{}|", "-".repeat(width + 1), if at == 0 { "-" } else { ":" }));
    let rule = format!("|{}\n", rule.collect::<String>());
    let lines: Vec<String> = table.iter().map(|row| line(row)).collect();
    format!("{}{rule}{}", lines[0], lines[1..].concat())
}
