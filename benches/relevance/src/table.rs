//! Outcomes → tables, plain text that is Markdown too.

use std::collections::BTreeSet;

use crate::instance::Instance;
use crate::score::{AtBudget, GoldPlaces, InstanceOutcome, Mean, Share, mean};

/// An instance and what was measured of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResultRow<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) outcome: &'a InstanceOutcome,
}

/// A column: its title, and its figure for one instance, if it has one.
struct Column<T> {
    title: &'static str,
    form: ColumnForm,
    of: fn(&T) -> Option<f64>,
}

#[derive(Debug, Clone, Copy)]
enum ColumnForm {
    /// In percent, with an interval.
    Percent,
    /// A difference of percents, with an interval.
    Difference,
    /// In percent, without an interval.
    Use,
    /// Without an interval.
    Seconds,
}

const FILES: &[Column<GoldPlaces>] = &[
    Column { title: "Acc@1", form: ColumnForm::Percent, of: |files| files.accuracy(1) },
    Column { title: "Acc@3", form: ColumnForm::Percent, of: |files| files.accuracy(3) },
    Column { title: "Acc@5", form: ColumnForm::Percent, of: |files| files.accuracy(5) },
    Column { title: "Acc@10", form: ColumnForm::Percent, of: |files| files.accuracy(10) },
    Column { title: "Hit@1", form: ColumnForm::Percent, of: |files| files.hit(1) },
    Column { title: "Hit@5", form: ColumnForm::Percent, of: |files| files.hit(5) },
    Column { title: "Recall@5", form: ColumnForm::Percent, of: |files| files.recall(5) },
    Column { title: "Recall@10", form: ColumnForm::Percent, of: |files| files.recall(10) },
    Column { title: "MRR", form: ColumnForm::Percent, of: GoldPlaces::reciprocal_rank },
];

const FUNCTIONS: &[Column<InstanceOutcome>] = &[
    Column {
        title: "Acc@1",
        form: ColumnForm::Percent,
        of: |outcome| outcome.functions.accuracy(1),
    },
    Column {
        title: "Acc@5",
        form: ColumnForm::Percent,
        of: |outcome| outcome.functions.accuracy(5),
    },
    Column {
        title: "Acc@10",
        form: ColumnForm::Percent,
        of: |outcome| outcome.functions.accuracy(10),
    },
];

const SECONDS: &[Column<InstanceOutcome>] = &[
    Column {
        title: "to rank",
        form: ColumnForm::Seconds,
        of: |outcome| Some(f64::from(outcome.ranking_ms) / 1_000.0),
    },
    Column {
        title: "to rank and map",
        form: ColumnForm::Seconds,
        of: |outcome| Some(f64::from(outcome.map_ms) / 1_000.0),
    },
];

const MAPS: &[Column<AtBudget>] = &[
    Column { title: "files", form: ColumnForm::Percent, of: |at| at.files.value() },
    Column { title: "functions", form: ColumnForm::Percent, of: |at| at.functions.value() },
    Column { title: "edits", form: ColumnForm::Percent, of: |at| at.edits.value() },
    Column { title: "precision", form: ColumnForm::Percent, of: |at| at.precision.value() },
    Column { title: "or near", form: ColumnForm::Percent, of: |at| at.nearness.value() },
    Column {
        title: "used",
        form: ColumnForm::Use,
        of: |at| Share { part: at.used, of: at.tokens }.value(),
    },
    Column { title: "BM25 files", form: ColumnForm::Percent, of: |at| at.bm25.files.value() },
    Column {
        title: "difference",
        form: ColumnForm::Difference,
        of: |at| Some(at.files.value()? - at.bm25.files.value()?),
    },
    Column {
        title: "BM25 functions",
        form: ColumnForm::Percent,
        of: |at| at.bm25.functions.value(),
    },
    Column {
        title: "difference",
        form: ColumnForm::Difference,
        of: |at| Some(at.functions.value()? - at.bm25.functions.value()?),
    },
    Column { title: "oracle files", form: ColumnForm::Percent, of: |at| at.oracle.files.value() },
    Column {
        title: "oracle functions",
        form: ColumnForm::Percent,
        of: |at| at.oracle.functions.value(),
    },
];

/// What the tables say, in words.
const LEGEND: &str = "\
Means over instances, in percent, each above the interval that holds 95 % of the means of \
resampled instances.
Acc@k: all files of the fix are among the first k. Hit@k: any is. Recall@k: how many of them are. \
MRR: one divided by the first
place that is right. A difference is taken instance by instance. We rank every file; BM25 is \
given source of the issue's language
alone.
";
const MAP_LEGEND: &str = "\
files: of the fix, at level outline or above. functions, edits: functions of the fix, and ranges \
of lines it changes, shown whole.
precision: files of the fix among those shown at level interface or above; or near: those and \
what one edge joins with them.
BM25 and oracle: whole files that fit, in the order of BM25, or of the fix alone with the \
smallest first.
";

/// Every table of these outcomes, in the order of the instances.
pub(crate) fn report(rows: &[ResultRow<'_>]) -> String {
    let groups = groups(rows);
    let mut report = format!("{LEGEND}\n## Files\n\n{}", file_table(&groups));
    report.push_str(&format!("\n## Functions\n\n{}", outcome_table(&groups, FUNCTIONS)));
    report.push_str(&format!("\n## Seconds\n\n{}", outcome_table(&groups, SECONDS)));
    let n_budgets = rows.iter().map(|row| row.outcome.budgets.len()).min().unwrap_or(0);
    if n_budgets > 0 {
        report.push_str(&format!("\n## Maps\n\n{MAP_LEGEND}\n{}", map_table(&groups, n_budgets)));
    }
    report
}

type Group<'a> = (String, Vec<ResultRow<'a>>);

/// All instances, then those of each language, source and subset; how many there are is part of the
/// name.
fn groups<'a>(rows: &[ResultRow<'a>]) -> Vec<Group<'a>> {
    let group = |name: &str, rows: Vec<ResultRow<'a>>| (format!("{name} ({})", rows.len()), rows);
    let mut groups = vec![group("all", rows.to_vec())];
    let kinds: [fn(&Instance) -> BTreeSet<&str>; 3] = [
        |instance| BTreeSet::from([instance.language.as_str()]),
        |instance| BTreeSet::from([instance.source.as_str()]),
        |instance| instance.subsets.iter().map(String::as_str).collect(),
    ];
    for of in kinds {
        let names: BTreeSet<&str> = rows.iter().flat_map(|row| of(row.instance)).collect();
        let members = |name: &str| {
            rows.iter().filter(|row| of(row.instance).contains(name)).copied().collect()
        };
        groups.extend(names.into_iter().map(|name| group(name, members(name))));
    }
    groups
}

/// For each group our ranking, that of BM25, and what lies between.
fn file_table(groups: &[Group<'_>]) -> String {
    let mut table = TableText::new("ranking", FILES);
    for (name, rows) in groups {
        table.push(
            [name, "ours"],
            FILES,
            |column| column.form,
            |column| figures(rows, |row| (column.of)(&row.outcome.files)),
        );
        table.push(
            ["", "BM25"],
            FILES,
            |column| column.form,
            |column| figures(rows, |row| (column.of)(&row.outcome.bm25)),
        );
        let between = |column: &Column<GoldPlaces>, row: &ResultRow<'_>| {
            Some((column.of)(&row.outcome.files)? - (column.of)(&row.outcome.bm25)?)
        };
        table.push(
            ["", "difference"],
            FILES,
            |_| ColumnForm::Difference,
            |column| figures(rows, |row| between(column, row)),
        );
    }
    table.markdown()
}

fn outcome_table(groups: &[Group<'_>], columns: &[Column<InstanceOutcome>]) -> String {
    let mut table = TableText::new("n", columns);
    for (name, rows) in groups {
        // As many as have the figure: some instances have no function.
        let n = figures(rows, |row| (columns[0].of)(row.outcome)).len().to_string();
        table.push(
            [name, &n],
            columns,
            |column| column.form,
            |column| figures(rows, |row| (column.of)(row.outcome)),
        );
    }
    table.markdown()
}

fn map_table(groups: &[Group<'_>], n_budgets: usize) -> String {
    let mut table = TableText::new("tokens", MAPS);
    for (name, rows) in groups {
        for budget in 0..n_budgets {
            let tokens = rows[0].outcome.budgets[budget].tokens.to_string();
            let name = if budget == 0 { name } else { "" };
            let at = |column: &Column<AtBudget>| {
                figures(rows, |row| (column.of)(&row.outcome.budgets[budget]))
            };
            table.push([name, &tokens], MAPS, |column| column.form, at);
        }
    }
    table.markdown()
}

fn figures<'a>(rows: &[ResultRow<'a>], of: impl Fn(&ResultRow<'a>) -> Option<f64>) -> Vec<f64> {
    rows.iter().filter_map(of).collect()
}

/// Cells, row by row, the titles first.
struct TableText(Vec<Vec<String>>);

impl TableText {
    fn new<T>(second: &str, columns: &[Column<T>]) -> TableText {
        TableText(vec![
            ["", second]
                .into_iter()
                .chain(columns.iter().map(|column| column.title))
                .map(str::to_owned)
                .collect(),
        ])
    }

    /// Two rows: the means, and below them their intervals.
    fn push<T>(
        &mut self,
        titles: [&str; 2],
        columns: &[Column<T>],
        form: impl Fn(&Column<T>) -> ColumnForm,
        figures: impl Fn(&Column<T>) -> Vec<f64>,
    ) {
        let cells: Vec<[String; 2]> =
            columns.iter().map(|column| cells(form(column), mean(&figures(column)))).collect();
        let mut row = |titles: [&str; 2], at: usize| {
            let cells = cells.iter().map(|cell| cell[at].clone());
            self.0.push(titles.map(str::to_owned).into_iter().chain(cells).collect());
        };
        row(titles, 0);
        if cells.iter().any(|cell| !cell[1].is_empty()) {
            row(["", ""], 1);
        }
    }

    /// The columns are aligned in plain text too.
    fn markdown(&self) -> String {
        let width =
            |column: usize| self.0.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.0[0].len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(at, (cell, width))| {
                if at < 2 { format!(" {cell:<width$} |") } else { format!(" {cell:>width$} |") }
            });
            format!("|{}\n", cells.collect::<String>())
        };
        let rule = widths.iter().enumerate().map(|(at, width)| {
            format!("{}{}|", "-".repeat(width + 1), if at < 2 { "-" } else { ":" })
        });
        let rule = format!("|{}\n", rule.collect::<String>());
        format!("{}{rule}{}", line(&self.0[0]), self.0[1..].iter().map(line).collect::<String>())
    }
}

/// A mean and its interval.
fn cells(form: ColumnForm, mean: Option<Mean>) -> [String; 2] {
    let Some(Mean { mean, low, high }) = mean else { return ["-".to_owned(), String::new()] };
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let signed = |share: f64| format!("{:+.1}", 100.0 * share);
    match form {
        ColumnForm::Percent => [percent(mean), format!("{}…{}", percent(low), percent(high))],
        ColumnForm::Difference => [signed(mean), format!("{}…{}", signed(low), signed(high))],
        ColumnForm::Use => [percent(mean), String::new()],
        ColumnForm::Seconds => [format!("{mean:.2}"), String::new()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_aligned_and_leaves_out_what_there_is_none_of() {
        let columns = [
            Column::<u8> { title: "share", form: ColumnForm::Percent, of: |_| None },
            Column { title: "s", form: ColumnForm::Seconds, of: |_| None },
        ];
        let mut table = TableText::new("n", &columns);
        table.push(["all", "2"], &columns, |column| column.form, |_| vec![0.25, 0.25]);
        table.push(["none", "0"], &columns, |column| column.form, |_| Vec::new());
        let expected = "\
|      | n |     share |    s |
|------|---|----------:|-----:|
| all  | 2 |      25.0 | 0.25 |
|      |   | 25.0…25.0 |      |
| none | 0 |         - |    - |
";
        assert_eq!(table.markdown(), expected);
    }
}
