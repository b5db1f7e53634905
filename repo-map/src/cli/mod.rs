//! The command line: what the user typed becomes options, and results become text on the right
//! stream.
//!
//! Nothing else in the crate writes to standard output and standard error.

#![expect(clippy::disallowed_methods, reason = "the rim: reads goals, writes maps")]

mod clipboard;
mod diff;
mod explain;
mod install;
mod map;
mod tools;
mod tree;
mod watch;
mod whole;

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Parser, Subcommand, ValueEnum};

use crate::Drift;
use crate::Error;
use crate::Options;
use crate::Repo;
pub use crate::exit::Exit;
use crate::level::{LevelError, LevelRange};
use crate::outline::language_files;
use crate::outline::languages::{LanguageRule, Languages};
use crate::plan::{self, FlightPlan, Format, Invisible, Masking, Rule, exact_glob, exact_path};
use crate::source::cache::Cache;
use crate::source::scan::{self, FileId};
use crate::text::sanitize::{Gate, Sanitized};
use crate::text::tokens::Tokenizer;
pub use explain::explain_text;
pub use install::{CompletionsArgs, ManArgs, completions, long_version, man};
pub use watch::{paced, watcher};
pub use whole::{Access, replace_file, sync_folder, write_file};

/// The exit codes, for `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    finished, or the token budget is full
  1    error
  2    usage, bad plan, refused price
  3    constraint conflict; the best effort is delivered
  4    nothing relevant found; the satellite view is delivered
  5    spend limit; the best context so far is delivered
  6    turn or time limit; the best context so far is delivered
  7    stopped by the person; the best context so far is delivered
  8    drifted: the repository is not the one the plan was flown over
  9    impossible to replay
  10   the provider failed, billed beyond its maximum, or gave three unusable answers in a row
  11   no terminal for interactive mode
  130  interrupted; the best context so far is delivered";

/// Render a repository at a level of detail chosen per path, inside a hard token budget.
#[derive(Debug, Parser)]
#[command(
    name = "repo-map",
    version,
    long_version = long_version(),
    after_help = EXIT_CODES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
struct RepoMapArgs {
    #[command(subcommand)]
    command: Option<RepoMapCommand>,
    #[command(flatten)]
    map: MapArgs,
}

#[derive(Debug, Subcommand)]
enum RepoMapCommand {
    /// Rank the files of a repository for a goal, with every part of each score.
    Rank(RankArgs),
    /// Say why paths are where they are, and what would raise them.
    Explain(ExplainArgs),
    /// Show folders with their tokens at each level, for people who look rather than read.
    Tree(TreeArgs),
    /// Check a plan: is it valid, and what does each rule match?
    Check(CheckArgs),
    /// Say what differs between two plans: what was asked, and the level of each path.
    Diff(DiffArgs),
    /// Say what is kept of earlier runs, or remove it.
    Cache(CacheArgs),
    /// List the languages that have an outline, or try one on a file.
    Languages(LanguagesArgs),
    /// Print the JSON Schema of Flight Plans.
    Schema,
    /// Print the completions for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all commands.
    Man(ManArgs),
}

#[derive(Debug, Args)]
struct MapArgs {
    /// The repository's folder.
    #[arg(default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    request: RequestArgs,
    /// Print what each path costs at each level instead of a map (with --format json, one object a
    /// line).
    #[arg(long)]
    sizes: bool,
    /// Form of the output; json is the report for programs.
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,
    /// Fail, without output, where best effort would be delivered: a conflict, something demoted,
    /// an unreadable file.
    #[arg(long)]
    strict: bool,
    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Put the map on the clipboard instead of standard output.
    #[arg(long, conflicts_with_all = ["output", "sizes"])]
    copy: bool,
    /// Write the plan that rebuilds this map (`navigator replay`).
    #[arg(long, value_name = "FILE")]
    plan_out: Option<PathBuf>,
    /// Write a page for the browser: the map, the ranking and what was left out, in one file.
    #[arg(long, value_name = "FILE", conflicts_with = "sizes")]
    report: Option<PathBuf>,
}

/// What is asked of a map, shared by all commands of this program that make one.
#[derive(Debug, Args)]
struct RequestArgs {
    #[command(flatten)]
    shared: SharedArgs,
    /// A Flight Plan; other flags win over it. `-` is standard input, a word alone a plan in
    /// .repo-map/plans or the user's folder.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// A level, or a floor and a ceiling, for the paths a glob matches: `src/**=outline..full`, or
    /// for an item: `src/a.rs#main=full`. Repeatable, the last match wins.
    #[arg(long = "level", value_name = "GLOB=LEVEL", value_parser = level_rule)]
    levels: Vec<Rule>,
    /// Attend to these paths first. Repeatable.
    #[arg(long, value_name = "GLOB")]
    focus: Vec<String>,
    /// The same for each line of a file, taken as a path; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    focus_from: Option<PathBuf>,
}

/// What both programs ask in the same words: goal, budget, and what counts as part of the
/// repository.
#[derive(Debug, Args)]
pub struct SharedArgs {
    /// The budget in tokens; `8k` is 8000. [default: the plan's, else 8000]
    #[arg(short, long, value_parser = tokens, value_name = "N")]
    pub tokens: Option<u32>,
    /// What the map is for, in words.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub goal: Option<String>,
    /// Read the goal from a file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "goal")]
    pub goal_file: Option<PathBuf>,
    /// Show first what changed since a revision, committed or not, and what that leans on or is
    /// used by.
    #[arg(long, value_name = "REV")]
    pub diff: Option<String>,
    /// How the repository is read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// How a repository is read and its maps are counted, whatever they are for.
#[derive(Debug, Clone, Args)]
pub struct ReadArgs {
    /// What a token is: o200k_base, cl100k_base, or the estimate bytes/4.
    #[arg(long, value_name = "NAME")]
    pub tokenizer: Option<Tokenizer>,
    /// Print the source's line numbers.
    #[arg(long)]
    pub line_numbers: bool,
    /// Look into hidden files and folders too.
    #[arg(long)]
    pub hidden: bool,
    /// Look into what ignore rules hide too.
    #[arg(long)]
    pub no_ignore: bool,
    /// Do not mask secrets.
    #[arg(long)]
    pub no_mask: bool,
    /// Leave invisible characters as they are, instead of writing them out (`\u{202e}`).
    #[arg(long)]
    pub keep_invisible: bool,
    /// Do not ask git what earlier commits say.
    #[arg(long)]
    pub no_history: bool,
    /// Neither use nor keep a cache (`repo-map cache info`).
    #[arg(long)]
    pub no_cache: bool,
}

impl SharedArgs {
    /// Puts what the flags say into a plan; what they do not say stays.
    ///
    /// # Errors
    /// When the goal's file cannot be read.
    pub fn apply(&self, plan: &mut FlightPlan) -> Result<()> {
        if let Some(goal) = read_goal(self.goal.as_deref(), self.goal_file.as_deref())? {
            plan.goal = Some(goal.into());
        }
        plan.context.tokens = self.tokens.unwrap_or(plan.context.tokens);
        self.read.apply(plan);
        Ok(())
    }
}

impl ReadArgs {
    /// The cache that the flags allow.
    pub fn cache(&self) -> Option<Cache> {
        if self.no_cache { None } else { tools::user_cache() }
    }

    /// Puts what the flags say into a plan; what they do not say stays.
    pub fn apply(&self, plan: &mut FlightPlan) {
        plan.context.tokenizer = self.tokenizer.unwrap_or(plan.context.tokenizer);
        plan.context.line_numbers |= self.line_numbers;
        plan.scan.hidden |= self.hidden;
        plan.scan.no_ignore |= self.no_ignore;
        if self.no_mask {
            plan.scan.mask = Masking::Off;
        }
        if self.keep_invisible {
            plan.scan.invisible = Invisible::Kept;
        }
    }
}

#[derive(Debug, Args)]
struct RankArgs {
    /// The repository's folder.
    #[arg(default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    request: RequestArgs,
    /// How many files to print. [default: all]
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<usize>,
    /// Form of the output: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Debug, Args)]
struct ExplainArgs {
    /// Paths in the repository, or `PATH#ITEM`.
    #[arg(required = true, value_name = "PATH[#ITEM]")]
    targets: Vec<String>,
    /// The repository's folder.
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    root: PathBuf,
    #[command(flatten)]
    request: RequestArgs,
    /// Form of the output: text, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Debug, Args)]
struct TreeArgs {
    /// The repository's folder.
    #[arg(default_value = ".")]
    path: PathBuf,
    /// How many levels of folders are shown.
    #[arg(long, short, value_name = "N", default_value_t = 2)]
    depth: usize,
    /// Show files too.
    #[arg(long, short)]
    files: bool,
    /// Show also what is less than a hundredth of the repository.
    #[arg(long, short)]
    all: bool,
    #[command(flatten)]
    request: RequestArgs,
    /// Form of the output: a drawing, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// The plan; `-` is standard input.
    plan: PathBuf,
    /// The repository's folder.
    #[arg(default_value = ".")]
    path: PathBuf,
}

#[derive(Debug, Args)]
struct DiffArgs {
    /// A plan; `-` is standard input.
    before: PathBuf,
    /// Another plan.
    after: PathBuf,
    /// Exit with 8 when they differ.
    #[arg(long)]
    exit_code: bool,
    /// Form of the output: text, or one JSON object.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Debug, Args)]
struct CacheArgs {
    #[command(subcommand)]
    command: CacheCommand,
}

#[derive(Debug, Subcommand)]
enum CacheCommand {
    /// Say where the cache is, and what each repository takes in it.
    Info,
    /// Remove all of it. Nothing is lost but time.
    Clear,
}

#[derive(Debug, Args)]
struct LanguagesArgs {
    /// Show what the language's query captures in this file.
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// With --test: try this query instead of the built-in one.
    #[arg(long, value_name = "FILE", requires = "test")]
    query: Option<PathBuf>,
    /// A plan whose languages count too.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// The repository whose query files count.
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    root: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    Markdown,
    Xml,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    Text,
    Json,
}

/// A number of tokens: `8000`, `8k`, `8_000`.
///
/// # Errors
/// A sentence, when it is not a whole number.
pub fn tokens(text: &str) -> std::result::Result<u32, String> {
    let plain: String = text.chars().filter(|c| *c != '_' && *c != ',').collect();
    let (digits, factor) = match plain.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000.0),
        None => match plain.strip_suffix(['m', 'M']) {
            Some(digits) => (digits, 1_000_000.0),
            None => (plain.as_str(), 1.0),
        },
    };
    let number: f64 =
        digits.parse().map_err(|_| format!("`{text}` is not a number of tokens (`8000`, `8k`)"))?;
    let tokens = number * factor;
    if tokens.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&tokens) {
        Ok(tokens as u32)
    } else {
        Err(format!("`{text}` is not a whole number of tokens"))
    }
}

fn level_rule(text: &str) -> std::result::Result<Rule, String> {
    let (glob, level) = text.rsplit_once('=').ok_or_else(|| {
        format!("`{text}` has no `=` (write GLOB=LEVEL, as in `src/**=interface`)")
    })?;
    plan::typed_rule(glob, level.parse().map_err(|error: LevelError| error.to_string())?)
}

/// The whole program: parses the arguments, runs, and says how it went.
pub fn main() -> ExitCode {
    match run(parsed()) {
        Ok(exit) => exit.into(),
        Err(error) => fail("repo-map", &error),
    }
}

/// The arguments, parsed. A wrong one is quoted as all foreign text is. A goal may begin with a
/// dash, so it would swallow a flag that follows a forgotten goal.
pub fn parsed<C: Parser>() -> C {
    let mut command = C::command();
    let parsed = command.try_get_matches_from_mut(std::env::args_os()).and_then(|matches| {
        if let Some(flag) = goal_that_is_a_flag(&command, &matches) {
            let message = format!(
                "a value is required for '--goal <TEXT>', and `{flag}` is a \
                flag (`--goal-file` reads a goal like this)"
            );
            return Err(command.error(ErrorKind::InvalidValue, message));
        }
        C::from_arg_matches(&matches)
    });
    parsed.unwrap_or_else(|error| {
        let plain = error.render().to_string();
        if Sanitized::text(&plain) == plain.as_str() {
            // With its colours.
            error.exit();
        }
        say(plain.trim_end());
        std::process::exit(error.exit_code());
    })
}

fn goal_that_is_a_flag(command: &clap::Command, matches: &ArgMatches) -> Option<String> {
    if let Some((name, of_subcommand)) = matches.subcommand() {
        return goal_that_is_a_flag(command.find_subcommand(name)?, of_subcommand);
    }
    let goal = matches.try_get_one::<String>("goal").ok()??;
    let long = |flag: &str| command.get_arguments().any(|arg| arg.get_long() == Some(flag));
    let short = |flag: char| command.get_arguments().any(|arg| arg.get_short() == Some(flag));
    // With its value too: `--tokens=5000`, `-t5000`.
    let is_flag = match goal.strip_prefix("--") {
        Some(flag) => long(flag.split_once('=').map_or(flag, |(flag, _)| flag)),
        None => {
            !goal.contains(' ')
                && goal.strip_prefix('-').and_then(|flag| flag.chars().next()).is_some_and(short)
        }
    };
    is_flag.then(|| goal.clone())
}

/// Prints an error as every program of ours does, and gives its exit code. A closed pipe is
/// success.
pub fn fail(program: &str, error: &anyhow::Error) -> ExitCode {
    if error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
    }) {
        return Exit::Finished.into();
    }
    say(format!("{program}: {error:#}"));
    let is_usage = error.chain().any(|cause| {
        matches!(
            cause.downcast_ref(),
            Some(Error::Plan { .. } | Error::NotFlown { .. } | Error::Diff { .. })
        )
    });
    if is_usage { Exit::Usage.into() } else { Exit::Error.into() }
}

/// A line on standard error. A reader that went away does not end the run.
pub fn say(line: impl Into<Sanitized>) {
    let _ = writeln!(io::stderr(), "{}", line.into());
}

fn run(cli: RepoMapArgs) -> Result<Exit> {
    match cli.command {
        None => map::run(cli.map),
        Some(RepoMapCommand::Rank(args)) => explain::rank(args),
        Some(RepoMapCommand::Explain(args)) => explain::explain(args),
        Some(RepoMapCommand::Tree(args)) => tree::run(args),
        Some(RepoMapCommand::Check(args)) => tools::check(&args),
        Some(RepoMapCommand::Diff(args)) => diff::run(&args),
        Some(RepoMapCommand::Cache(args)) => tools::cache(&args.command),
        Some(RepoMapCommand::Languages(args)) => tools::languages(&args),
        Some(RepoMapCommand::Schema) => tools::schema(),
        Some(RepoMapCommand::Completions(args)) => completions::<RepoMapArgs>(&args),
        Some(RepoMapCommand::Man(args)) => man::<RepoMapArgs>(&args),
    }
}

/// A goal larger than this is no goal.
const MAX_GOAL_BYTES: u64 = 1 << 20;
/// A list of paths larger than this is no list of what to attend to first.
const MAX_PATHS_BYTES: u64 = 1 << 20;

/// A text from a file, or from standard input where that is `-`. `what` names it in errors.
fn read_text(what: &str, file: &Path, most: u64) -> Result<String> {
    let mut text = Vec::new();
    if file == Path::new("-") {
        io::stdin()
            .take(most + 1)
            .read_to_end(&mut text)
            .with_context(|| format!("reading {what} from standard input"))?;
    } else {
        let read = fs::File::open(file).and_then(|open| open.take(most + 1).read_to_end(&mut text));
        read.with_context(|| format!("reading {what} from {}", file.display()))?;
    }
    if text.len() as u64 > most {
        bail!("{what} is too large (the most is {most} bytes)");
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// A plan from a file, from standard input where that is `-`, or by its name: a word alone is a
/// plan that the user or the repository at `root` keeps, else a file. What is not the user's own
/// cannot let more be read than is read without it.
///
/// # Errors
/// As [`FlightPlan::read`].
pub fn read_plan(file: &Path, root: &Path) -> Result<FlightPlan> {
    if file == Path::new("-") {
        return Ok(FlightPlan::from_yaml(
            "standard input",
            &read_text("the plan", file, plan::MAX_PLAN_BYTES)?,
        )?);
    }
    if file.components().count() > 1 || file.extension().is_some() {
        return Ok(FlightPlan::read(file)?);
    }
    let name = file.display();
    let error = |message: String| Error::Plan { file: name.to_string(), line: None, message };
    let own = user_folder().map(|folder| folder.join(format!("plans/{name}.yaml")));
    if let Some(own) = own.as_ref().filter(|plan| plan.is_file()) {
        return Ok(FlightPlan::read(own)?);
    }
    let kept = root.join(format!(".repo-map/plans/{name}.yaml"));
    let Some(found) = [kept.as_path(), file].into_iter().find(|plan| plan.is_file()) else {
        let places: Vec<String> =
            own.iter().chain([&kept]).map(|plan| plan.display().to_string()).collect();
        return Err(
            error(format!("there is no such plan, and neither {}", places.join(" nor "))).into()
        );
    };
    let plan = FlightPlan::read(found)?;
    if plan.scan.hidden || plan.scan.no_ignore || plan.scan.gate() != Gate::default() {
        let message = format!(
            "scan: {} lets more be read than without it, which a plan that is not yours may not \
             by its name alone (`--plan {}` takes it as it is)",
            found.display(),
            Path::new(".").join(found).display()
        );
        return Err(error(message).into());
    }
    Ok(plan)
}

/// Where a user keeps plans and query files.
fn user_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("repo-map"))
}

/// Standard input can be read once.
///
/// # Errors
/// When more than one of these files is `-`.
pub fn check_stdin(files: &[Option<&PathBuf>]) -> Result<()> {
    if files.iter().flatten().filter(|file| file.as_path() == Path::new("-")).count() > 1 {
        let message = "standard input can be read once (`-` stands more than one time)".to_owned();
        return Err(Error::Plan { file: "command line".to_owned(), line: None, message }.into());
    }
    Ok(())
}

/// A goal from a flag, a file, or standard input.
fn read_goal(goal: Option<&str>, file: Option<&Path>) -> Result<Option<String>> {
    match file {
        None => Ok(goal.map(str::to_owned)),
        Some(file) => Ok(Some(read_text("the goal", file, MAX_GOAL_BYTES)?.trim().to_owned())),
    }
}

impl RequestArgs {
    /// The plan with what the flags say, and the options. Flags win over the plan, the plan over
    /// defaults.
    fn plan(&self, root: &Path, format: Option<Format>) -> Result<(FlightPlan, Options)> {
        check_stdin(&[
            self.plan.as_ref(),
            self.shared.goal_file.as_ref(),
            self.focus_from.as_ref(),
        ])?;
        let mut focus = self.focus.clone();
        if let Some(file) = &self.focus_from {
            let text = read_text("the paths", file, MAX_PATHS_BYTES)?;
            focus.extend(
                text.lines()
                    .map(str::trim)
                    .filter(|path| !path.is_empty())
                    .map(|path| exact_glob(path.trim_start_matches("./"))),
            );
        }
        let mut plan = match &self.plan {
            Some(path) => read_plan(path, root)?,
            None => FlightPlan::default(),
        };
        add_languages("repo-map", &mut plan, root);
        self.shared.apply(&mut plan)?;
        plan.context.format = format.unwrap_or(plan.context.format);
        if plan.rules.is_empty() && !self.levels.is_empty() {
            // Where no plan says otherwise, the fit decides about paths that no --level names.
            plan.rules.push(Rule::new("**", LevelRange::ANY));
        }
        plan.rules.extend(plan::typed_rules(self.levels.clone()));
        let options = Options {
            cache: self.shared.read.cache(),
            watcher: watcher(),
            focus,
            diff: self.shared.diff.clone(),
            without_history: self.shared.read.no_history,
            stdout: FileId::of_stdout(),
            ..Options::default()
        };
        Ok((plan, options))
    }

    /// Opens the repository that flags of [`MapArgs::plan`] speak of, and holds them against it.
    fn open(&self, root: &Path, plan: &FlightPlan, options: &Options) -> Result<Repo> {
        let mut repo = Repo::open(root, plan, options)?;
        for rule in &self.levels {
            check_flag(&mut repo, "--level", rule)?;
        }
        for glob in &self.focus {
            check_flag(&mut repo, "--focus", &Rule::new(glob, LevelRange::ANY))?;
        }
        // A list of what changed has files that are gone.
        let listed = &options.focus[self.focus.len()..];
        let missing: Vec<String> =
            repo.without_match(listed)?.into_iter().filter_map(exact_path).collect();
        if !missing.is_empty() {
            let n = n_of(listed.len(), "path is", "paths are");
            say(format!(
                "repo-map: --focus-from: {} of {n} not in the repository: {}",
                missing.len(),
                first_of(&missing)
            ));
        }
        Ok(repo)
    }
}

/// Holds the rule of a flag against a repository: one that does nothing is a slip.
///
/// # Errors
/// When it matches nothing, with what may have been meant.
pub fn check_flag(repo: &mut Repo, flag: &str, rule: &Rule) -> Result<()> {
    match repo.unmatched(rule)? {
        Some(unmatched) => {
            Err(Error::Plan { file: flag.to_owned(), line: None, message: unmatched.message }
                .into())
        }
        None => Ok(()),
    }
}

/// A number and the noun for it.
pub(crate) fn n_of(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Paths on one line, not all of many.
fn first_of(paths: &[String]) -> String {
    const MOST: usize = 10;
    let more =
        if paths.len() > MOST { format!(", {} more", paths.len() - MOST) } else { String::new() };
    format!("{}{more}", paths[..paths.len().min(MOST)].join(", "))
}

/// Puts the query files of the user and of the repository at `root` before what a plan says of
/// languages. A flown plan has them already.
pub fn add_languages(program: &str, plan: &mut FlightPlan, root: &Path) {
    if plan.is_flown() {
        return;
    }
    let own = user_folder().map(|folder| folder.join("languages"));
    let of_repository = root.join(language_files::IN_REPOSITORY);
    let folders: Vec<&Path> = own.iter().chain([&of_repository]).map(PathBuf::as_path).collect();
    let (mut found, problems) = language_files::read(&folders);
    problems.iter().for_each(|problem| say(format!("{program}: {problem}")));
    found.retain(|rule| !plan.languages.contains(rule));
    let all: Vec<LanguageRule> = found.iter().chain(&plan.languages).cloned().collect();
    if !plan.languages.is_empty()
        && let Err((_, message)) = Languages::new(&all)
    {
        say(format!("{program}: no query file counts beside the plan's languages: {message}"));
        return;
    }
    plan.languages.splice(0..0, found);
}

/// The path of a file in the notation of a repository's maps, when it lies in that repository.
pub fn path_within(root: &Path, file: &Path) -> Option<String> {
    let root = root.canonicalize().ok()?;
    let folder =
        file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = folder.canonicalize().ok()?.join(file.file_name()?);
    Some(scan::notation(file.strip_prefix(&root).ok()?, false))
}

/// What to say of what changed since a revision: how many files, and the paths that are gone.
pub fn changed_since(revision: &str, (n, gone): (usize, &[String])) -> String {
    let changed = match n {
        0 => format!("nothing changed since {revision}"),
        n => format!("{} changed since {revision}", n_of(n, "file", "files")),
    };
    if gone.is_empty() { changed } else { format!("{changed}; gone: {}", first_of(gone)) }
}

/// What to say of a repository without files.
pub fn nothing_found(path: &Path) -> String {
    format!(
        "no files found in {} (ignore rules may hide them: `--no-ignore`, `--hidden`)",
        path.display()
    )
}

/// What to say of a goal that nothing matches. `instead` is what is shown all the same.
fn nothing_matches(instead: &str) -> String {
    format!("nothing matches the goal; {instead} (try identifiers from the code, or a path)")
}

/// How a command ends that judges files by the goal of `plan`, with a line where nothing matches
/// it.
fn relevance(repo: &Repo, plan: &FlightPlan, instead: &str) -> Exit {
    if repo.has_evidence() {
        return Exit::Finished;
    }
    if plan.goal.is_some() {
        say(format!("repo-map: {}", nothing_matches(instead)));
    }
    Exit::NothingRelevant
}

/// Names every path that stands against a replay.
pub fn say_drift(program: &str, drift: &Drift, root: &Path) {
    say(format!("{program}: drifted"));
    for (word, paths) in drift.groups() {
        for path in paths {
            say(format!("  {word}: {path}"));
        }
    }
    if let Some(hint) = drift.hint() {
        say(format!("{program}: {hint}"));
    }
    if let Some(folder) = &drift.folder {
        let folder = if root == Path::new(".") { PathBuf::from(folder) } else { root.join(folder) };
        say(format!(
            "{program}: the plan was flown over another folder (did you mean `{}`?)",
            folder.display()
        ));
    }
}

/// Puts a text where it was asked to go: on the clipboard, in a file, or on standard output.
///
/// # Errors
/// When it cannot be written there.
pub fn deliver(
    program: &str,
    output: Option<&Path>,
    to_clipboard: bool,
    text: &Sanitized,
) -> Result<()> {
    if to_clipboard {
        let way = clipboard::copy(text)?;
        say(format!("{program}: on the clipboard, by {way}"));
        return Ok(());
    }
    write_out(output, text)
}

/// Writes to the file, or to standard output where there is none.
///
/// # Errors
/// When it cannot be written.
pub fn write_out(output: Option<&Path>, text: &Sanitized) -> Result<()> {
    match output {
        Some(path) if path != Path::new("-") => write_file(path, text),
        _ => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(text.as_bytes())?;
            Ok(stdout.flush()?)
        }
    }
}
