//! The arguments of `navigator knowledge`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use repo_map::cli::{EXIT_CODES, TableFormat};

use crate::app::settings::ModelArgs;
use crate::knowledge::ask::question::InstructionType;
use crate::knowledge::dialect::AgentDialect;

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(in crate::app::cli) struct KnowledgeArgs {
    #[command(subcommand)]
    pub(in crate::app::cli) command: KnowledgeCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::app::cli) enum KnowledgeCommand {
    /// Make a knowledge of recordings: walks, explored sites, or files of `site-map record`.
    Build(BuildArgs),
    /// List knowledges with the numbers of their screens, transitions, tasks and gaps.
    List(FilesArgs),
    /// Show the screens of a knowledge, or one screen or task.
    Show(ShowArgs),
    /// Ask for a way, a task, a screen, or what can be done on it. Nothing is done.
    Ask(AskArgs),
    /// Say which screen a page is, and why: the sum of the score, feature by feature.
    Explain(ExplainKnowledgeArgs),
    /// Ask a model where the actions may lead that nobody has taken. What it says is kept apart
    /// until `navigator browse --fill-gaps` has tried it.
    Propose(Box<ProposeArgs>),
    /// Merge knowledges into one.
    Merge(MergeArgs),
    /// Write a knowledge without what is only of this machine, or a JSON schema.
    Export(ExportArgs),
    /// Make a knowledge of JSON that others wrote: screens with `state_signature` and
    /// `url_patterns`.
    Import(MergeArgs),
}

#[derive(Debug, Args)]
pub(in crate::app::cli) struct BuildArgs {
    /// Runs by their numbers or folders, recordings of sites, `file://FOLDER` with HTML pages, or
    /// a knowledge (`.json`), whose recordings are taken.
    #[arg(required = true)]
    pub(in crate::app::cli) sources: Vec<PathBuf>,
    /// Write the knowledge to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::app::cli) output: PathBuf,
    /// Print only errors on standard error.
    #[arg(short, long)]
    pub(in crate::app::cli) quiet: bool,
}

#[derive(Debug, Args)]
pub(in crate::app::cli) struct FilesArgs {
    /// Files of knowledges.
    #[arg(required = true)]
    pub(in crate::app::cli) files: Vec<PathBuf>,
    /// Output format: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(in crate::app::cli) format: TableFormat,
}

#[derive(Debug, Args)]
pub(in crate::app::cli) struct ShowArgs {
    /// The file of a knowledge.
    pub(in crate::app::cli) file: PathBuf,
    /// A screen or a task, by its identifier. [default: all screens and tasks]
    pub(in crate::app::cli) name: Option<String>,
    /// List the gaps: links never followed, controls never tried.
    #[arg(long, conflicts_with = "name")]
    pub(in crate::app::cli) gaps: bool,
    /// Write the screens and the ways between them as a page that a browser opens from disk.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "gaps", "format"])]
    pub(in crate::app::cli) report: Option<PathBuf>,
    /// Output format: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(in crate::app::cli) format: TableFormat,
}

/// What is known of the page that a question is about.
#[derive(Debug, Args)]
pub(in crate::app::cli) struct KnownPageArgs {
    /// The address of the current page.
    #[arg(long, value_name = "URL")]
    pub(in crate::app::cli) url: Option<String>,
    /// A file with a text of the current page: an accessibility snapshot, a list of elements, or
    /// its words. `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(in crate::app::cli) text: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::app::cli) struct AskArgs {
    /// The file of a knowledge.
    pub(in crate::app::cli) file: PathBuf,
    /// What is asked.
    #[arg(value_enum)]
    pub(in crate::app::cli) instruction: InstructionWord,
    /// A screen, a task or an address; words of a name do, too.
    #[arg(default_value = "")]
    pub(in crate::app::cli) target: String,
    #[command(flatten)]
    pub(in crate::app::cli) page: KnownPageArgs,
    /// The current screen, by its identifier.
    #[arg(long, value_name = "SCREEN")]
    pub(in crate::app::cli) screen: Option<String>,
    /// Set a value of a field or a parameter of a task. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    pub(in crate::app::cli) param: Vec<(String, String)>,
    /// The agent that the actions are written for.
    #[arg(long, value_enum, default_value_t = DialectWord::Walk)]
    pub(in crate::app::cli) dialect: DialectWord,
    /// Output format: lines, or JSON.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(in crate::app::cli) format: TableFormat,
}

#[derive(Debug, Args)]
pub(in crate::app::cli) struct ExplainKnowledgeArgs {
    /// The file of a knowledge.
    pub(in crate::app::cli) file: PathBuf,
    /// Explain the score of this screen. [default: the best one]
    pub(in crate::app::cli) screen: Option<String>,
    #[command(flatten)]
    pub(in crate::app::cli) page: KnownPageArgs,
    /// Use the rule of older agents: 0.40 for the address, 0.60 for indicators, above 0.70.
    #[arg(long, requires = "url", conflicts_with = "screen")]
    pub(in crate::app::cli) rule: bool,
    /// Output format: lines, or JSON.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(in crate::app::cli) format: TableFormat,
}

#[derive(Debug, Args)]
#[command(
    mut_arg("model", |arg| arg.help("Ask this model.")),
    mut_arg("max_turns", |arg| arg.help("Limit the number of requests. [default: 20]")),
)]
pub(in crate::app::cli) struct ProposeArgs {
    /// The file of a knowledge.
    pub(in crate::app::cli) file: PathBuf,
    /// Write the knowledge with the proposals to this file.
    #[arg(short, long, value_name = "FILE", required_unless_present = "dry_run")]
    pub(in crate::app::cli) output: Option<PathBuf>,
    /// Print the first request and its maximum cost, and send nothing.
    #[arg(long, conflicts_with_all = ["output", "out"])]
    pub(in crate::app::cli) dry_run: bool,
    /// Store the run, with its ledger, in this folder instead of the state directory.
    #[arg(long, value_name = "DIR")]
    pub(in crate::app::cli) out: Option<PathBuf>,
    /// Print only the result and errors on standard error.
    #[arg(short, long)]
    pub(in crate::app::cli) quiet: bool,
    #[command(flatten)]
    pub(in crate::app::cli) model: ModelArgs,
}

#[derive(Debug, Args)]
pub(in crate::app::cli) struct MergeArgs {
    /// The files.
    #[arg(required = true)]
    pub(in crate::app::cli) files: Vec<PathBuf>,
    /// Write the knowledge to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::app::cli) output: PathBuf,
}

#[derive(Debug, Args)]
pub(in crate::app::cli) struct ExportArgs {
    /// The file of a knowledge.
    #[arg(required_unless_present = "schema")]
    pub(in crate::app::cli) file: Option<PathBuf>,
    /// Print the JSON Schema of a knowledge file, a question or an answer.
    #[arg(
        long,
        value_enum,
        value_name = "KIND",
        num_args = 0..=1,
        default_missing_value = "knowledge",
        conflicts_with = "file"
    )]
    pub(in crate::app::cli) schema: Option<SchemaWord>,
    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::app::cli) output: Option<PathBuf>,
}

/// What has a JSON schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::app::cli) enum SchemaWord {
    /// A file of a knowledge.
    Knowledge,
    /// A question to a knowledge.
    Question,
    /// The answer to it.
    Answer,
}

/// What is asked, as a word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::app::cli) enum InstructionWord {
    /// The way to a screen.
    NavigateToScreen,
    /// The steps of a task.
    ExecuteTask,
    /// Which screen the page is.
    FindScreen,
    /// What can be done on a screen.
    GetActions,
    /// What a screen is for, its fields, and where it leads.
    GetScreenContext,
    /// What nobody has tried yet, on a screen or anywhere.
    FillActionGaps,
}

impl From<InstructionWord> for InstructionType {
    fn from(word: InstructionWord) -> InstructionType {
        match word {
            InstructionWord::NavigateToScreen => InstructionType::NavigateToScreen,
            InstructionWord::ExecuteTask => InstructionType::ExecuteTask,
            InstructionWord::FindScreen => InstructionType::FindScreen,
            InstructionWord::GetActions => InstructionType::GetActions,
            InstructionWord::GetScreenContext => InstructionType::GetScreenContext,
            InstructionWord::FillActionGaps => InstructionType::FillActionGaps,
        }
    }
}

/// A dialect, as a word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::app::cli) enum DialectWord {
    /// Answers of a model to `navigator browse`.
    Walk,
    /// browser-use.
    BrowserUse,
    /// Playwright MCP.
    PlaywrightMcp,
}

impl From<DialectWord> for AgentDialect {
    fn from(word: DialectWord) -> AgentDialect {
        match word {
            DialectWord::Walk => AgentDialect::Walk,
            DialectWord::BrowserUse => AgentDialect::BrowserUse,
            DialectWord::PlaywrightMcp => AgentDialect::PlaywrightMcp,
        }
    }
}

fn parameter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it has no `=` (`NAME=VALUE`)")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}
