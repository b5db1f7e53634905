//! Tests a language's query on one file: prints its captures in the form of a map.

#![expect(clippy::disallowed_methods, reason = "the rim: reads the file that is tried")]

use std::path::Path;

use crate::error::{Error, Result};
use crate::level::Level;
use crate::map::corpus::in_force;
use crate::outline::language;
use crate::outline::{self, Outline};
use crate::plan::{Context, FlightPlan};
use crate::render::{Choice, Page, Style};
use crate::source::location::Location;
use crate::source::scan::{self, FileEntry};
use crate::text::sanitize::Gate;

/// Returns the outline, the interface and the items of a file as text, by the languages that `plan`
/// has in force. `query` replaces the language's own query, if given.
///
/// # Errors
/// If the file's language has no outline, or a query does not fit its grammar.
pub fn outline_file(file: &Path, plan: &FlightPlan, query: Option<&str>) -> Result<String> {
    let path = scan::notation(file, false);
    let error = |message: String| Error::Plan { file: path.clone(), line: None, message };
    let bytes = std::fs::metadata(file).map_err(|source| Error::io(file, source))?.len();
    let source = scan::read(
        &FileEntry {
            path: path.clone(),
            location: Location::Disk(file.canonicalize().unwrap_or_else(|_| file.to_path_buf())),
            bytes,
            is_link: false,
            leads_to: None,
            id: None,
            stamp: None,
        },
        Gate::default(),
    );
    if let Some(mark) = source.mark.filter(|mark| !mark.has_text()) {
        return Err(error(format!("the file is {}", mark.as_str())));
    }
    let (language, mut outline) = in_force(plan)?.outline_of(&path, &source);
    let Some(language) = language else {
        let names: Vec<&str> = language::all().iter().map(|language| language.name).collect();
        return Err(error(format!(
            "no language for this file name (there are {})",
            names.join(", ")
        )));
    };
    if let Some(query) = query {
        let query = outline::checked_query(language, query).map_err(error)?;
        outline = outline::outline_with(language, &query, &source.text);
    }
    Ok(show(&path, language, &source.text, &outline))
}

fn show(
    path: &str,
    language: &'static language::Language,
    text: &str,
    outline: &Outline,
) -> String {
    let style = Style::from(&Context::default());
    let page = Page::new(path, Some(language), text, outline);
    let mut out = String::new();
    for level in [Level::Outline, Level::Interface] {
        out.push_str(&format!("=== {level}\n"));
        let blocks = page.partial(&Choice::uniform(outline, level), style);
        // The header and footer are the same for every file and independent of the language.
        blocks[1..blocks.len() - 1].iter().for_each(|block| out.push_str(block));
    }
    out.push_str("=== items\n");
    for item in &outline.items {
        let doc = if item.doc.is_some() { ", documented" } else { "" };
        out.push_str(&format!(
            "{} {} ({}, lines {}-{}{doc})\n",
            item.kind,
            item.address(),
            item.visibility.as_str(),
            item.lines.0,
            item.lines.1
        ));
    }
    if let Some(trouble) = outline.trouble {
        out.push_str(&format!("=== incomplete: {}\n", trouble.as_str()));
    }
    out
}
