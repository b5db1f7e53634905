//! The commands for plans, caches and languages: `check`, `cache`, `languages`, `schema`.

#![expect(clippy::disallowed_methods, reason = "the rim: finds the cache, reads queries")]

use std::fs;

use anyhow::{Context as _, Result};

use crate::cli::args::{CacheCommand, CheckArgs, LanguagesArgs};
use crate::cli::input::{add_languages, plan_name, plan_within, read_plan, user_cache};
use crate::cli::output::write_out;
use crate::exit::Exit;
use crate::outline::language;
use crate::plan::FlightPlan;
use crate::text::counts::{counted, n_of};
use crate::text::sanitize::Sanitized;
use crate::text::suggest::did_you_mean;

/// Prints the matches of each rule of a plan.
pub(super) fn check(args: &CheckArgs) -> Result<Exit> {
    let mut plan = read_plan(&args.plan, &args.path)?;
    add_languages("repo-map", &mut plan, &args.path);
    let own: Vec<String> = plan_within(&args.path, &args.plan).into_iter().collect();
    let checked = crate::report::plan_check::check(&args.path, &plan, &own)?;
    let mut out = format!(
        "{}: valid, {} over {}\n",
        plan_name(&args.plan),
        n_of(plan.rules.len(), "rule"),
        n_of(checked.n_files, "file")
    );
    for (at, rule) in checked.rules.iter().enumerate() {
        let level = plan.rules[at].level.map_or("items".to_owned(), |level| level.to_string());
        let warning = match (rule.matches, rule.wins) {
            (0, _) => format!("  matches nothing{}", did_you_mean(&rule.similar)),
            (_, 0) => "  later rules win everywhere".to_owned(),
            _ => String::new(),
        };
        out.push_str(&format!(
            "  rules[{at}] {} {level}: matches {}, wins {}{warning}\n",
            plan.rules[at].path, rule.matches, rule.wins
        ));
        for item in &rule.missing_items {
            out.push_str(&format!("    item `{item}` is in none of them\n"));
        }
        for item in &rule.closed_items {
            out.push_str(&format!(
                "    item `{item}` is only in files that rules fold or exclude\n"
            ));
        }
    }
    // Without any rule every level is open; with one, what no rule matches is hidden or folded.
    let level = if plan.rules.is_empty() { "the fit decides" } else { "at most fold" };
    out.push_str(&format!("  no rule: {} ({level})\n", n_of(checked.unmatched, "file")));
    write_out(None, &out.into())?;
    Ok(Exit::Finished)
}

/// Prints the cache's folder and contents, or clears it.
pub(super) fn cache(command: &CacheCommand) -> Result<Exit> {
    let cache = user_cache()
        .context("no home directory for the cache (set `REPO_MAP_CACHE` to a folder)")?;
    let context = || format!("the cache in {}", cache.folder().display());
    match command {
        CacheCommand::Info => {
            let usage = cache.usage().with_context(context)?;
            let total: u64 = usage.iter().map(|one| one.bytes).sum();
            let mut out = format!(
                "{}: {}, {}\n",
                cache.folder().display(),
                counted(usage.len(), "repository", "repositories"),
                megabytes(total)
            );
            for one in usage {
                out.push_str(&format!("{:>10}  {}\n", megabytes(one.bytes), one.root));
            }
            write_out(None, &out.into())?;
        }
        CacheCommand::Clear => {
            let cleared = cache.clear().with_context(context)?;
            let mut out = format!("removed {}\n", megabytes(cleared.bytes));
            for path in cleared.foreign {
                out.push_str(&format!("kept {}: the cache did not write it\n", path.display()));
            }
            write_out(None, &out.into())?;
        }
    }
    Ok(Exit::Finished)
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// Lists the languages, or prints what a query captures.
pub(super) fn languages(args: &LanguagesArgs) -> Result<Exit> {
    let mut plan = match &args.plan {
        Some(file) => read_plan(file, &args.root)?,
        None => FlightPlan::default(),
    };
    add_languages("repo-map", &mut plan, &args.root);
    let Some(file) = &args.test else {
        let mut out = String::new();
        for language in language::all() {
            let names: Vec<String> = language
                .extensions
                .iter()
                .map(|one| format!(".{one}"))
                .chain(language.file_names.iter().map(|one| (*one).to_owned()))
                .collect();
            out.push_str(&format!("{:<16} {}\n", language.name, names.join(" ")));
        }
        for rule in &plan.languages {
            let names: Vec<String> = rule
                .extensions
                .iter()
                .map(|one| format!(".{one}"))
                .chain(rule.file_names.iter().cloned())
                .collect();
            let what = match (&rule.grammar, rule.replaces) {
                (Some(grammar), _) => format!("read as {grammar}"),
                (None, true) => "outlined by another query".to_owned(),
                (None, false) => "refined".to_owned(),
            };
            out.push_str(format!("{:<16} {what} {}", rule.name, names.join(" ")).trim_end());
            out.push('\n');
        }
        write_out(None, &out.into())?;
        return Ok(Exit::Finished);
    };
    let query = match &args.query {
        Some(query) => Some(
            fs::read_to_string(query).with_context(|| format!("reading {}", query.display()))?,
        ),
        None => None,
    };
    let outline = crate::report::query_test::outline_file(file, &plan, query.as_deref())?;
    write_out(None, &outline.into())?;
    Ok(Exit::Finished)
}

/// Prints the JSON Schema of plans.
pub(super) fn schema() -> Result<Exit> {
    write_out(None, &Sanitized::json_pretty(&schemars::schema_for!(FlightPlan))?)?;
    Ok(Exit::Finished)
}
