//! Command-line arguments, one type for each command.

use std::convert::Infallible;
use std::path::PathBuf;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::cli::input::{read_goal, user_cache};
use crate::cli::install::{CompletionsArgs, ManArgs, long_version};
use crate::level::LevelRange;
use crate::plan::{self, Fill, FlightPlan, Invisible, Masking, Rule};
use crate::source::cache::Cache;
use crate::text::tokens::{Tokenizer, parse_tokens};

/// The exit codes, for `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    finished, or the token budget is full
  1    error
  2    usage, bad plan, refused price, a file, folder, run or name that is not there
  3    constraint conflict; the best effort is delivered
  4    nothing matches the goal; the overview is delivered
  5    spend limit; the best context so far is delivered
  6    limit of turns, time, requests, bytes or steps; the best context so far is delivered
  7    stopped by the person; the best context so far is delivered
  8    drifted: the repository differs from the one the plan was flown over
  9    impossible to replay
  10   the provider failed, billed more than its maximum, or gave three unusable replies in a row
  11   no terminal for interactive mode
  12   an effect was refused that the goal needs; the best context so far is delivered
  13   needed pages could not be read, or the browser ended; what could be read is delivered
  130  interrupted; the best context so far is delivered";

/// Examples, for `--help`.
const EXAMPLES: &str = "\
Examples:
  repo-map --tokens 8k                                  an overview of this folder
  repo-map --goal \"where are sessions refreshed?\" -t 4k
  repo-map --level 'src/**=..interface' --level 'docs=exclude'
  repo-map rank --goal \"where are sessions refreshed?\"   why these files";

/// Render a repository at a level of detail chosen per path, inside a hard token budget.
#[derive(Debug, Parser)]
#[command(
    name = "repo-map",
    version,
    long_version = long_version(),
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct RepoMapArgs {
    #[command(subcommand)]
    pub(super) command: Option<RepoMapCommand>,
    #[command(flatten)]
    pub(super) map: MapArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum RepoMapCommand {
    /// Rank the files of a repository for a goal, with every part of each score.
    Rank(RankArgs),
    /// Explain why paths have their levels, and how to raise them.
    Explain(ExplainArgs),
    /// Show folders with their tokens at each level, as a drawing.
    Tree(TreeArgs),
    /// Validate a plan, and count the files that each rule matches.
    Check(CheckArgs),
    /// Compare two plans: their requests, and the level of each path.
    Diff(DiffArgs),
    /// Show or clear the cache of earlier runs.
    Cache(CacheArgs),
    /// List the languages with outlines, or test a query on a file.
    Languages(LanguagesArgs),
    /// Print the JSON Schema of Flight Plans.
    Schema,
    /// Print the completion script for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands.
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub(super) struct MapArgs {
    /// The repository's folder.
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) request: RequestArgs,
    /// Print the tokens of each path at each level instead of a map (with --format json, one object
    /// a line).
    #[arg(long)]
    pub(super) sizes: bool,
    /// Output format; json is the report for programs.
    #[arg(long, value_enum)]
    pub(super) format: Option<OutputFormat>,
    /// Fail without output instead of delivering best effort: on a conflict, a demotion, or an
    /// unreadable file.
    #[arg(long)]
    pub(super) strict: bool,
    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Copy the map to the clipboard instead of printing it.
    #[arg(long, conflicts_with_all = ["output", "sizes"])]
    pub(super) copy: bool,
    /// Write the plan that rebuilds this map (`navigator replay`).
    #[arg(long, value_name = "FILE")]
    pub(super) plan_out: Option<PathBuf>,
    /// Write an HTML page with the map, the ranking, and the files left out.
    #[arg(long, value_name = "FILE", conflicts_with = "sizes")]
    pub(super) report: Option<PathBuf>,
}

/// The request for a map, shared by all commands of this program that make one.
#[derive(Debug, Args)]
pub(super) struct RequestArgs {
    #[command(flatten)]
    pub(super) shared: SharedArgs,
    /// Read a Flight Plan; other options win over it. A flown plan is replayed as it is, without
    /// them. `-` is standard input, a single word a plan in .repo-map/plans or the user's folder.
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<PathBuf>,
    /// Set a level, or a floor and a ceiling, for the paths of a glob (`src/**=outline..full`) or
    /// for an item (`src/a.rs#main=full`). Repeatable, the last match wins.
    #[arg(long = "level", value_name = "GLOB=LEVEL", value_parser = level_rule)]
    pub(super) levels: Vec<Rule>,
    /// Consider only paths that this glob matches. Repeatable. Rules of --plan and --level win over
    /// it.
    #[arg(long, value_name = "GLOB", value_parser = typed_glob)]
    pub(super) include: Vec<String>,
    /// Never show paths that this glob matches. Repeatable.
    #[arg(long, value_name = "GLOB", value_parser = typed_glob)]
    pub(super) exclude: Vec<String>,
    /// Prefer the paths that this glob matches. Repeatable.
    #[arg(long, value_name = "GLOB", value_parser = typed_glob)]
    pub(super) focus: Vec<String>,
    /// Prefer the paths listed in a file, one a line; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(super) focus_from: Option<PathBuf>,
}

/// The goal of a map, and the tokens for it.
#[derive(Debug, Args)]
pub struct GoalArgs {
    /// Set the token budget; `8k` is 8000. [default: the plan's, else 8000]
    #[arg(short, long, value_parser = tokens, value_name = "N", allow_negative_numbers = true)]
    pub tokens: Option<u32>,
    /// Choose how much of the budget to use: `none` shows only what you asked for, `near` adds
    /// files that match the goal almost as well as the best one, `all` adds every file that
    /// matches. [default: the plan's, else near]
    #[arg(long, value_name = "HOW", value_parser = fills())]
    pub fill: Option<Fill>,
    /// Set the goal: the purpose of the map, in words.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub goal: Option<String>,
    /// Read the goal from a file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "goal")]
    pub goal_file: Option<PathBuf>,
}

/// How text is counted and shown.
#[derive(Debug, Clone, Args)]
pub struct TextArgs {
    /// Set the tokenizer: o200k_base, cl100k_base, or the estimate bytes/4.
    #[arg(long, value_name = "NAME")]
    pub tokenizer: Option<Tokenizer>,
    /// Do not mask secrets.
    #[arg(long)]
    pub no_mask: bool,
    /// Keep invisible characters instead of escaping them (`\u{202e}`).
    #[arg(long)]
    pub keep_invisible: bool,
}

/// Options that `repo-map` and `navigator` share: goal, budget, and the extent of the repository.
#[derive(Debug, Args)]
pub struct SharedArgs {
    #[command(flatten)]
    pub goal: GoalArgs,
    /// Prefer files changed since a revision, committed or not, and files that use them or that
    /// they use.
    #[arg(long, value_name = "REV")]
    pub diff: Option<String>,
    /// Options for reading the repository.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Options for reading a repository and counting tokens, independent of a goal.
#[derive(Debug, Clone, Args)]
pub struct ReadArgs {
    #[command(flatten)]
    pub text: TextArgs,
    /// Print the source's line numbers.
    #[arg(long)]
    pub line_numbers: bool,
    /// Include hidden files and folders.
    #[arg(long)]
    pub hidden: bool,
    /// Include files that ignore rules hide.
    #[arg(long)]
    pub no_ignore: bool,
    /// Do not read git history.
    #[arg(long)]
    pub no_history: bool,
    /// Do not read or write a cache (`repo-map cache info`).
    #[arg(long)]
    pub no_cache: bool,
}

impl GoalArgs {
    /// Applies the given options to a plan; the rest of the plan is unchanged.
    ///
    /// # Errors
    /// When the goal's file cannot be read.
    pub fn apply(&self, plan: &mut FlightPlan) -> Result<()> {
        if let Some(goal) = read_goal(self.goal.as_deref(), self.goal_file.as_deref())? {
            plan.goal = Some(goal.into());
        }
        plan.context.tokens = self.tokens.unwrap_or(plan.context.tokens);
        plan.context.fill = self.fill.unwrap_or(plan.context.fill);
        Ok(())
    }

    /// Returns the first of these options that was given, if any.
    pub fn given(&self) -> Option<&'static str> {
        first_given(&[
            (self.tokens.is_some(), "--tokens"),
            (self.fill.is_some(), "--fill"),
            (self.goal.is_some() || self.goal_file.is_some(), "--goal"),
        ])
    }
}

/// Returns the first flag that was given, if any.
pub fn first_given(flags: &[(bool, &'static str)]) -> Option<&'static str> {
    flags.iter().find(|(is_given, _)| *is_given).map(|(_, flag)| *flag)
}

impl TextArgs {
    /// Applies the given options to a plan; the rest of the plan is unchanged.
    pub fn apply(&self, plan: &mut FlightPlan) {
        plan.context.tokenizer = self.tokenizer.unwrap_or(plan.context.tokenizer);
        if self.no_mask {
            plan.scan.mask = Masking::Off;
        }
        if self.keep_invisible {
            plan.scan.invisible = Invisible::Kept;
        }
    }

    /// Returns the first of these options that was given, if any.
    pub fn given(&self) -> Option<&'static str> {
        first_given(&[
            (self.tokenizer.is_some(), "--tokenizer"),
            (self.no_mask, "--no-mask"),
            (self.keep_invisible, "--keep-invisible"),
        ])
    }
}

impl SharedArgs {
    /// Applies the given options to a plan; the rest of the plan is unchanged.
    ///
    /// # Errors
    /// When the goal's file cannot be read.
    pub fn apply(&self, plan: &mut FlightPlan) -> Result<()> {
        self.goal.apply(plan)?;
        self.read.apply(plan);
        Ok(())
    }
}

impl ReadArgs {
    /// Returns the user's cache, unless `--no-cache` is given.
    pub fn cache(&self) -> Option<Cache> {
        if self.no_cache { None } else { user_cache() }
    }

    /// Applies the given options to a plan; the rest of the plan is unchanged.
    pub fn apply(&self, plan: &mut FlightPlan) {
        self.text.apply(plan);
        plan.context.line_numbers |= self.line_numbers;
        plan.scan.hidden |= self.hidden;
        plan.scan.no_ignore |= self.no_ignore;
    }
}

#[derive(Debug, Args)]
pub(super) struct RankArgs {
    /// The repository's folder.
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) request: RequestArgs,
    /// Maximum number of files to print. [default: all]
    #[arg(short = 'n', long, value_name = "N")]
    pub(super) limit: Option<usize>,
    /// Output format: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(super) format: TableFormat,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// Paths in the repository, or `PATH#ITEM`.
    #[arg(required = true, value_name = "PATH[#ITEM]")]
    pub(super) targets: Vec<String>,
    /// The repository's folder.
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    pub(super) root: PathBuf,
    #[command(flatten)]
    pub(super) request: RequestArgs,
    /// Output format: text, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(super) format: TableFormat,
}

#[derive(Debug, Args)]
pub(super) struct TreeArgs {
    /// The repository's folder.
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) shape: TreeShape,
    #[command(flatten)]
    pub(super) request: RequestArgs,
}

/// The extent of a drawing of folders.
#[derive(Debug, Args)]
pub struct TreeShape {
    /// Maximum depth of folders to show.
    #[arg(long, short, value_name = "N", default_value_t = 2)]
    pub depth: usize,
    /// Show files too.
    #[arg(long, short)]
    pub files: bool,
    /// Show entries smaller than 1% of the whole too.
    #[arg(long, short)]
    pub all: bool,
    /// Output format: a drawing, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The plan; `-` is standard input.
    pub(super) plan: PathBuf,
    /// The repository's folder.
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The first plan; `-` is standard input.
    pub(super) before: PathBuf,
    /// The second plan.
    pub(super) after: PathBuf,
    /// Exit with code 8 when the plans differ.
    #[arg(long)]
    pub(super) exit_code: bool,
    /// Output format: text, or one JSON object.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(super) format: TableFormat,
}

#[derive(Debug, Args)]
pub(super) struct CacheArgs {
    #[command(subcommand)]
    pub(super) command: CacheCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum CacheCommand {
    /// Show the cache's folder, and the size of each repository in it.
    Info,
    /// Delete the cache; the next run rebuilds it.
    Clear,
}

#[derive(Debug, Args)]
pub(super) struct LanguagesArgs {
    /// Print what the language's query captures in this file.
    #[arg(long, value_name = "FILE")]
    pub(super) test: Option<PathBuf>,
    /// Use this query instead of the built-in one (with --test).
    #[arg(long, value_name = "FILE", requires = "test")]
    pub(super) query: Option<PathBuf>,
    /// Include the languages of a plan.
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<PathBuf>,
    /// The repository whose query files are used.
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    pub(super) root: PathBuf,
}

/// The form of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    Markdown,
    Xml,
    Json,
}

/// The form of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    Text,
    Json,
}

/// Returns the parser of `--fill`.
fn fills() -> impl TypedValueParser<Value = Fill> {
    let fill = |word: String| Fill::ALL.into_iter().find(|fill| fill.as_str() == word);
    PossibleValuesParser::new(Fill::ALL.map(Fill::as_str))
        .map(move |word| fill(word).unwrap_or_default())
}

/// Parses a number of tokens: `8000`, `8k`, `8_000`.
///
/// # Errors
/// A sentence, when it is not a whole number.
pub fn tokens(text: &str) -> std::result::Result<u32, String> {
    parse_tokens(text)
}

/// Reads a glob without the `./` with which shells complete paths.
///
/// # Errors
/// None: it is checked against the repository later.
pub fn typed_glob(text: &str) -> std::result::Result<String, Infallible> {
    Ok(without_dot(text).to_owned())
}

/// Returns a path or a glob without the `./` before it.
pub(super) fn without_dot(text: &str) -> &str {
    text.trim_start_matches("./")
}

/// Parses a rule: `GLOB=LEVEL`, `PATH#ITEM=LEVEL`, `GLOB=FLOOR..CEILING`.
///
/// # Errors
/// A sentence, when it is none.
pub fn level_rule(text: &str) -> std::result::Result<Rule, String> {
    let (glob, level) = text.rsplit_once('=').ok_or_else(|| {
        format!("`{text}` has no `=` (write GLOB=LEVEL, as in `src/**=interface`)")
    })?;
    let range = level.parse().map_err(|error: crate::LevelError| error.to_string())?;
    plan::typed_rule(without_dot(glob), range).map_err(|error| error.to_string())
}

/// Adds the rules of `--level` to a plan. Without other rules, the fit decides about the paths that
/// none of them names.
pub fn add_levels(plan: &mut FlightPlan, levels: &[Rule]) {
    if plan.rules.is_empty() && !levels.is_empty() {
        plan.rules.push(Rule::new("**", LevelRange::ANY));
    }
    plan.rules.extend(plan::typed_rules(levels.to_vec()));
}
