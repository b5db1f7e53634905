//! `repo-map diff`: compares two plans.

use std::path::Path;

use anyhow::Result;

use crate::cli::args::{DiffArgs, TableFormat};
use crate::cli::input::{check_stdin, read_plan};
use crate::cli::output::write_out;
use crate::exit::Exit;
use crate::level::Level;
use crate::plan::Rule;
use crate::report::plan_diff::{LevelChange, PlanDiff, diff};
use crate::text::sanitize::Sanitized;

/// Prints the differences.
pub(super) fn run(args: &DiffArgs) -> Result<Exit> {
    check_stdin(&[Some(&args.before), Some(&args.after)])?;
    let found =
        diff(&read_plan(&args.before, Path::new("."))?, &read_plan(&args.after, Path::new("."))?)?;
    let out = match args.format {
        TableFormat::Json => Sanitized::json_lines([&found])?,
        TableFormat::Text => text(&found).into(),
    };
    write_out(None, &out)?;
    Ok(if args.exit_code && !found.is_none() { Exit::Drifted } else { Exit::Finished })
}

fn text(diff: &PlanDiff) -> String {
    let mut out = String::new();
    for (name, (before, after)) in &diff.asked {
        let word = |value: &str| {
            if value.is_empty() { "none".to_owned() } else { value.replace('\n', "\\n") }
        };
        out.push_str(&format!("{name}: {} → {}\n", word(before), word(after)));
    }
    if let Some((before, after)) = diff.tokens.filter(|(before, after)| before != after) {
        out.push_str(&format!("map: {before} → {after} tokens\n"));
    }
    let is_shown = |change: &&LevelChange| change.from.max(change.to) >= Level::Path;
    let part = |title: &str, of: &dyn Fn(&LevelChange) -> bool| {
        let changes: Vec<&LevelChange> =
            diff.levels.iter().filter(is_shown).filter(|change| of(change)).collect();
        list(title, changes.into_iter().map(level_change))
    };
    out.push_str(&part("raised", &|change| change.to > change.from));
    out.push_str(&part("lowered", &|change| change.to < change.from));
    out.push_str(&part("other items", &|change| change.to == change.from));
    // Another goal can move thousands of paths between levels fold and exclude, which show neither.
    let n_low = diff.levels.len() - diff.levels.iter().filter(is_shown).count();
    if n_low > 0 {
        out.push_str(&format!("folded instead of excluded, or the other way: {n_low}\n"));
    }
    out.push_str(&list("only the first has the rule", diff.removed.iter().map(rule)));
    out.push_str(&list("only the second has the rule", diff.added.iter().map(rule)));
    for (title, paths) in
        [("changed", &diff.changed), ("appeared", &diff.appeared), ("gone", &diff.gone)]
    {
        out.push_str(&list(title, paths.iter().cloned()));
    }
    if out.is_empty() && diff.other_bytes {
        out.push_str(
            "the maps differ, and the plans do not show why (another version of the tool?)\n",
        );
    }
    if out.is_empty() {
        "the plans have the same request and the same result\n".to_owned()
    } else {
        out
    }
}

fn list(title: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.map(|line| format!("  {line}\n")).collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("{title}: {}\n{}", lines.len(), lines.concat())
    }
}

fn level_change(change: &LevelChange) -> String {
    let word = |level: Option<Level>| level.map_or("as the file", Level::as_str);
    let item = |(name, from, to): &(String, Option<Level>, Option<Level>)| {
        format!("{name} {} → {}", word(*from), word(*to))
    };
    let items: Vec<String> = change.items.iter().map(item).collect();
    let levels = if change.from == change.to {
        change.to.to_string()
    } else {
        format!("{} → {}", change.from, change.to)
    };
    let items = if items.is_empty() { String::new() } else { format!(" ({})", items.join(", ")) };
    format!("{}  {levels}{items}", change.path)
}

fn rule(rule: &Rule) -> String {
    let level = rule.level.map_or(String::new(), |level| format!("  {level}"));
    let items: Vec<String> =
        rule.items.iter().flatten().map(|item| format!("{} {}", item.name, item.level)).collect();
    let items = if items.is_empty() { String::new() } else { format!(" ({})", items.join(", ")) };
    format!("{}{level}{items}", rule.path)
}
