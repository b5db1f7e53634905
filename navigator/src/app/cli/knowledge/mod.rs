//! `navigator knowledge`: what was explored becomes a knowledge that other agents ask.

#![expect(clippy::disallowed_methods, reason = "the rim: reads what is asked and merged")]

pub(super) mod args;
pub(in crate::app::cli) mod file;
mod page;
mod pieces;
pub(super) mod proposal_run;
mod propose;
mod schema;
pub(super) mod sources;
mod text;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use repo_map::Sanitized;
use repo_map::cli::{Exit, TableFormat, check_distinct, say, write_file, write_out};
use site_map::source::http::public_address::is_public;

use crate::app::cli::knowledge::args::{
    AskArgs, BuildArgs, ExplainKnowledgeArgs, ExportArgs, FilesArgs, KnowledgeArgs,
    KnowledgeCommand, KnownPageArgs, MergeArgs, SchemaWord, ShowArgs,
};
use crate::app::cli::knowledge::file::{text, text_of, write};
use crate::app::cli::knowledge::page::page_of_knowledge;
use crate::app::cli::knowledge::propose::propose;
use crate::app::cli::knowledge::schema::schema_of;
use crate::app::cli::knowledge::sources::{is_knowledge, of_sources, open};
use crate::app::cli::knowledge::text::{answer_text, explained_json, explained_text, screen_text};
use crate::app::cli::lists::print_rows;
use crate::app::settings::usage;
use crate::knowledge::ask::query::KnowledgeBase;
use crate::knowledge::ask::question::{AgentContext, AgentInstruction, InstructionType};
use crate::knowledge::evidence::Evidence;
use crate::knowledge::gaps::gaps_of;
use crate::knowledge::import::import;
use crate::knowledge::import::not_taken::NotTaken;
use crate::knowledge::merge::merge;
use crate::knowledge::model::Knowledge;
use crate::knowledge::recognise::rule::recognise_by_rule;
use crate::shared::n_of;

/// The largest text of a page, in bytes.
const MAX_TEXT: u64 = 64 << 20;
/// The largest file of others, in bytes. As values it takes some ten times as much.
const MAX_FOREIGN: u64 = 32 << 20;

/// Runs a command, and returns the exit code.
pub(super) fn run(args: &KnowledgeArgs) -> Result<Exit> {
    match &args.command {
        KnowledgeCommand::Build(args) => build_from(args),
        KnowledgeCommand::List(args) => list(args),
        KnowledgeCommand::Show(args) => show(args),
        KnowledgeCommand::Ask(args) => ask(args),
        KnowledgeCommand::Explain(args) => explain(args),
        KnowledgeCommand::Propose(args) => propose(args, open(&args.file)?),
        KnowledgeCommand::Merge(args) => merged(args),
        KnowledgeCommand::Export(args) => export(args),
        KnowledgeCommand::Import(args) => imported(args),
    }
}

fn build_from(args: &BuildArgs) -> Result<Exit> {
    // A knowledge may be built anew in its place: it names what it is made of.
    let read = args.sources.iter().filter(|source| !is_knowledge(source));
    check_output("--output", Some(&args.output), read)?;
    let knowledge = of_sources(&args.sources)?;
    if !args.quiet {
        say(format!("navigator: {}", counts(&knowledge)));
    }
    write(&args.output, knowledge)?;
    Ok(Exit::Finished)
}

/// Checks that an output replaces nothing that the command reads.
fn check_output<'a>(
    flag: &str,
    output: Option<&Path>,
    read: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<()> {
    let read: Vec<&Path> = read.into_iter().map(PathBuf::as_path).collect();
    check_distinct(&[(flag, output)], None, &read)
}

fn counts(knowledge: &Knowledge) -> String {
    format!(
        "{} of {}, {}, {}, {}",
        n_of(knowledge.screens.len(), "screen"),
        n_of(knowledge.records.len(), "recording"),
        n_of(knowledge.transitions.len(), "transition"),
        n_of(knowledge.tasks.len(), "task"),
        n_of(gaps_of(knowledge).len(), "gap")
    ) + &match knowledge.inferred.len() {
        0 => String::new(),
        n => format!(", {}", n_of(n, "proposal")),
    }
}

fn list(args: &FilesArgs) -> Result<Exit> {
    #[derive(serde::Serialize)]
    struct KnowledgeRow {
        file: String,
        sites: Vec<String>,
        records: usize,
        screens: usize,
        actionable: usize,
        transitions: usize,
        tasks: usize,
        gaps: usize,
    }
    let mut rows = Vec::new();
    for file in &args.files {
        let knowledge = open(file)?;
        rows.push(KnowledgeRow {
            file: Sanitized::line(&file.to_string_lossy()).into_string(),
            sites: knowledge.sites(),
            records: knowledge.records.len(),
            screens: knowledge.screens.len(),
            actionable: knowledge.screens.iter().filter(|screen| screen.is_used()).count(),
            transitions: knowledge.transitions.len(),
            tasks: knowledge.tasks.len(),
            gaps: gaps_of(&knowledge).len(),
        });
    }
    let cells = |row: &KnowledgeRow| {
        let numbers =
            [row.records, row.screens, row.actionable, row.transitions, row.tasks, row.gaps];
        let texts = [row.file.clone(), row.sites.join(" ")];
        texts.into_iter().chain(numbers.map(|n| n.to_string())).collect()
    };
    print_rows(
        args.format,
        &["file", "site", "recordings", "screens", "actionable", "transitions", "tasks", "gaps"],
        rows.iter().map(cells).collect(),
        &rows,
    )
}

fn show(args: &ShowArgs) -> Result<Exit> {
    check_output("--report", args.report.as_deref(), [&args.file])?;
    let knowledge = open(&args.file)?;
    if let Some(file) = &args.report {
        let name = args.file.file_name().unwrap_or(args.file.as_os_str()).to_string_lossy();
        write_file(file, &page_of_knowledge(&knowledge, &name))?;
        return Ok(Exit::Finished);
    }
    if args.gaps {
        let gaps = gaps_of(&knowledge);
        let row = |gap: &crate::knowledge::gaps::KnowledgeGap| {
            vec![gap.kind.as_str().to_owned(), gap.screen_id.clone(), gap.name.clone()]
        };
        let rows = gaps.iter().map(row).collect();
        return print_rows(args.format, &["gap", "screen", "name"], rows, &gaps);
    }
    let Some(name) = &args.name else {
        let row = |screen: &crate::knowledge::model::KnownScreen| {
            vec![
                screen.screen_id.clone(),
                screen.times_seen.to_string(),
                screen.actions.len().to_string(),
                screen.addresses.first().map(|one| one.address.to_string()).unwrap_or_default(),
            ]
        };
        let rows = knowledge.screens.iter().map(row).collect();
        return print_rows(
            args.format,
            &["screen", "seen", "actions", "address"],
            rows,
            &knowledge.screens,
        );
    };
    let text = match (knowledge.screen(name), knowledge.task(name), args.format) {
        (Some(screen), _, TableFormat::Json) => Sanitized::json_pretty(screen)?,
        (Some(screen), _, TableFormat::Text) => screen_text(&knowledge, screen),
        (None, Some(task), _) => Sanitized::json_pretty(task)?,
        (None, None, _) => {
            bail!("`{}` has no screen or task `{name}` (`show` lists them)", args.file.display())
        }
    };
    write_out(None, &text)?;
    Ok(Exit::Finished)
}

/// Returns what is known of the page that a question is about.
fn context_of(page: &KnownPageArgs) -> Result<AgentContext> {
    let dom_summary = match &page.text {
        Some(file) if file.as_os_str() == "-" => {
            let mut text = String::new();
            std::io::stdin().take(MAX_TEXT).read_to_string(&mut text)?;
            Some(text)
        }
        Some(file) => Some(text_of(file, MAX_TEXT)?),
        None => None,
    };
    Ok(AgentContext { current_url: page.url.clone(), dom_summary, ..AgentContext::default() })
}

fn ask(args: &AskArgs) -> Result<Exit> {
    let knowledge = open(&args.file)?;
    let context = context_of(&args.page)?;
    let instruction_type: InstructionType = args.instruction.into();
    let has_page = context.current_url.is_some() || context.dom_summary.is_some();
    if instruction_type == InstructionType::FindScreen && args.target.is_empty() && !has_page {
        let message = "`find-screen` needs a page or a name (give `--url`, `--text` or words of \
                       the screen's name)";
        return Err(usage("ask", message.to_owned()));
    }
    let question = AgentInstruction {
        instruction_type,
        target: args.target.clone(),
        context: AgentContext {
            current_screen_id: args.screen.clone(),
            parameters: args.param.iter().cloned().collect(),
            ..context
        },
        dialect: args.dialect.into(),
    };
    let answer = KnowledgeBase::new(&knowledge).ask(&question);
    let text = match args.format {
        TableFormat::Json => Sanitized::json_pretty(&answer)?,
        TableFormat::Text => answer_text(&answer),
    };
    write_out(None, &text)?;
    if let Some(error) = answer.error.filter(|_| args.format == TableFormat::Text) {
        say(format!("navigator: {error}"));
    }
    Ok(if answer.success { Exit::Finished } else { Exit::NothingRelevant })
}

fn explain(args: &ExplainKnowledgeArgs) -> Result<Exit> {
    let knowledge = open(&args.file)?;
    let context = context_of(&args.page)?;
    let url = context.current_url.as_deref();
    let text = context.dom_summary.as_deref();
    if url.is_none() && text.is_none() {
        return Err(usage(
            "--url",
            "the page is needed: its address, its text, or both".to_owned(),
        ));
    }
    if args.rule {
        let found =
            recognise_by_rule(&knowledge, url.unwrap_or_default(), text.unwrap_or_default());
        write_out(None, &Sanitized::json_pretty(&found)?)?;
        return Ok(if found.screen_id.is_some() { Exit::Finished } else { Exit::NothingRelevant });
    }
    let base = KnowledgeBase::new(&knowledge);
    let evidence = Evidence::of_text(url, text);
    let found = base.recogniser().recognise(&evidence);
    let best = found.candidates.first().map(|one| one.screen_id.clone());
    let asked = args.screen.clone().or(best);
    let score = match asked {
        Some(id) => match base.recogniser().explain(&id, &evidence) {
            Some(score) => Some(score),
            None => bail!("`{}` has no screen `{id}` that can be recognised", args.file.display()),
        },
        None => None,
    };
    let text = match args.format {
        TableFormat::Json => explained_json(&knowledge, &found, score.as_ref())?,
        TableFormat::Text => explained_text(&knowledge, &found, score.as_ref()),
    };
    write_out(None, &text)?;
    Ok(if found.screen_id.is_some() { Exit::Finished } else { Exit::NothingRelevant })
}

fn merged(args: &MergeArgs) -> Result<Exit> {
    check_output("--output", Some(&args.output), &args.files)?;
    let parts = args.files.iter().map(|file| open(file)).collect::<Result<Vec<_>>>()?;
    let knowledge = merged_of(parts)?;
    say(format!("navigator: {}", counts(&knowledge)));
    write(&args.output, knowledge)?;
    Ok(Exit::Finished)
}

fn merged_of(parts: Vec<Knowledge>) -> Result<Knowledge> {
    merge(parts).map_err(|record| {
        anyhow::anyhow!(
            "the recording `{record}` is in two of them, and one has others too: make one \
             knowledge of all recordings (`navigator knowledge build`)"
        )
    })
}

fn imported(args: &MergeArgs) -> Result<Exit> {
    check_output("--output", Some(&args.output), &args.files)?;
    let mut parts = Vec::new();
    for file in &args.files {
        let text = text_of(file, MAX_FOREIGN)?;
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        let digest = blake3::hash(text.as_bytes()).to_hex()[..32].to_owned();
        let part = import(&Sanitized::line(&name).into_string(), digest, &text, is_public);
        let part = part.map_err(|why| anyhow::anyhow!("`{}`: {why}", file.display()))?;
        for NotTaken { what, why, n } in &part.not_taken {
            say(format!("navigator: `{}`: skipped {n} × {what}: {why}", file.display()));
        }
        parts.push(part.knowledge);
    }
    let knowledge = merged_of(parts)?;
    let n_used = knowledge.screens.iter().filter(|screen| screen.is_used()).count();
    say(format!(
        "navigator: {}, of which {n_used} can be recognised; the others are kept as text",
        n_of(knowledge.screens.len(), "screen")
    ));
    write(&args.output, knowledge)?;
    Ok(Exit::Finished)
}

fn export(args: &ExportArgs) -> Result<Exit> {
    check_output("--output", args.output.as_deref(), &args.file)?;
    let text = match &args.file {
        None => Sanitized::json_pretty(&schema_of(args.schema.unwrap_or(SchemaWord::Knowledge)))?,
        Some(file) => {
            let mut knowledge = open(file)?;
            knowledge.records.iter_mut().for_each(|record| record.source = None);
            text(knowledge)?
        }
    };
    match &args.output {
        Some(file) => write_file(file, &text)?,
        None => write_out(None, &text)?,
    }
    Ok(Exit::Finished)
}
