//! The project's benchmark for sites: how well rankings and maps find the page and the section that
//! answer real questions.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;
use rayon::prelude::*;
use repo_map::cli::{say, write_out};
use repo_map::{FlightPlan, Judged, Level, Options, RuleLayers, Sanitized};
use serde::{Deserialize, Serialize};
use site_map::Site;
use site_map::site::open;

/// Rank the pages of a folder for questions and print an answer a line: the pages best first, what
/// a map shows of them, and the sections it has in full.
#[derive(Debug, Parser)]
struct SitesArgs {
    /// The folder with the pages.
    folder: PathBuf,
    /// The questions, one JSON object a line, with `question`, `source` and `package`.
    questions: PathBuf,
    /// Only questions of this package.
    #[arg(long)]
    package: Option<String>,
    /// Rank only: fit no maps.
    #[arg(long)]
    rank_only: bool,
    /// The budget of the map whose pages count as shown, in tokens.
    #[arg(long, default_value_t = 8_000)]
    shown_tokens: u32,
    /// The budget of the map whose sections count, in tokens.
    #[arg(long, default_value_t = 4_000)]
    section_tokens: u32,
}

/// A question whose answer is known.
#[derive(Debug, Deserialize)]
struct Question {
    question: String,
    source: String,
    package: String,
}

/// What was found for a question.
#[derive(Debug, Serialize)]
struct PageAnswer {
    source: String,
    pages: Vec<String>,
    shown: Vec<String>,
    sections: Vec<String>,
}

fn main() -> ExitCode {
    match run(&SitesArgs::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(format!("sites: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the rim: reads the questions")]
fn run(args: &SitesArgs) -> Result<()> {
    let text = std::fs::read_to_string(&args.questions)
        .with_context(|| format!("reading {}", args.questions.display()))?;
    let questions: Vec<Question> =
        text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let site = open::folder(&args.folder)?;
    say(format!(
        "sites: {} pages, {} twins, {} indexes, {} repeated blocks dropped",
        site.pages.len(),
        site.twins.len(),
        site.indexes.len(),
        site.n_repeated
    ));
    let plan = FlightPlan { goal: Some(Sanitized::text("documentation")), ..FlightPlan::default() };
    let judged = site.judged(&plan, &Options::default())?;
    let wanted: Vec<&Question> = questions
        .iter()
        .filter(|one| args.package.as_ref().is_none_or(|package| *package == one.package))
        .collect();
    let found: Vec<PageAnswer> = wanted
        .par_iter()
        .map(|question| find(&site, &judged, question, args))
        .collect::<Result<_>>()?;
    write_out(None, &Sanitized::json_lines(&found)?)
}

fn find(site: &Site, judged: &Judged, question: &Question, args: &SitesArgs) -> Result<PageAnswer> {
    let judged = judged.for_goal(&question.question)?;
    let ranking = judged.ranking();
    let pages = ranking.iter().filter(|(_, score)| score.score > 0).take(30);
    let pages = pages.map(|(path, _)| (*path).to_owned()).collect();
    let source = question.source.clone();
    if args.rank_only {
        return Ok(PageAnswer { source, pages, shown: Vec::new(), sections: Vec::new() });
    }
    let map = judged.map_within(RuleLayers::default(), args.shown_tokens)?;
    let is_shown = |level: Level| level >= Level::Outline;
    let shown = map
        .files
        .iter()
        .filter(|file| is_shown(file.level) || file.items.iter().any(|item| is_shown(item.level)));
    let map_of_sections = judged.map_within(RuleLayers::default(), args.section_tokens)?;
    let mut sections = Vec::new();
    for file in &map_of_sections.files {
        let Some(page) = site.page(&file.path) else { continue };
        let full: Vec<(u32, u32)> = file
            .items
            .iter()
            .filter(|item| item.level == Level::Full)
            .map(|item| item.lines)
            .collect();
        for section in &page.sections {
            let is_in = |(first, last): &(u32, u32)| (*first..=*last).contains(&section.line);
            if file.level == Level::Full || full.iter().any(is_in) {
                sections.extend(section.anchors.iter().map(|one| format!("{}#{one}", page.name)));
            }
        }
    }
    Ok(PageAnswer { source, pages, shown: shown.map(|file| file.path.clone()).collect(), sections })
}
