//! The command line: what the user typed becomes options, and results become text on the right stream.
//!
//! This is the only file of the crate that writes to standard output and standard error.

#![expect(clippy::disallowed_methods, reason = "the rim: reads goals, writes maps")]

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::cache::Cache;
use crate::level::{Level, LevelRange};
use crate::plan::{FlightPlan, Format, Masking, Rule};
use crate::progress::{Progress, Stage, Watcher};
use crate::report::{self, Price};
use crate::scan::FileId;
use crate::tokens::Tokenizer;
use crate::{Drift, Error, Layers, Options, Replay, Repo, RepoMap};
use crate::{language, scan};

/// What a program that runs this one can rely on. The codes are the same for `navigator`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Exit {
    Finished = 0,
    Error = 1,
    Usage = 2,
    Conflict = 3,
    NothingRelevant = 4,
    SpendLimit = 5,
    TurnOrTimeLimit = 6,
    StoppedByPerson = 7,
    Drifted = 8,
    Impossible = 9,
    ProviderFailed = 10,
    NoTerminal = 11,
    Interrupted = 130,
}

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
  10   the provider failed or billed beyond its maximum
  11   no terminal for interactive mode
  130  interrupted; the best context so far is delivered";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Render a repository at a level of detail chosen per path, inside a hard token budget.
#[derive(Debug, Parser)]
#[command(name = "repo-map", version, after_help = EXIT_CODES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    map: MapArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Rank the files of a repository for a goal, with every part of each score.
    Rank(RankArgs),
    /// Say why paths are where they are, and what would raise them.
    Explain(ExplainArgs),
    /// Check a plan: is it valid, and what does each rule match?
    Check(CheckArgs),
    /// Say what is kept of earlier runs, or remove it.
    Cache(CacheArgs),
    /// List the languages that have an outline, or try one on a file.
    Languages(LanguagesArgs),
    /// Print the JSON Schema of Flight Plans.
    Schema,
}

#[derive(Debug, Args)]
struct MapArgs {
    /// The repository's folder.
    #[arg(default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    asked: Asked,
    /// Print what each path costs at each level instead of a map (with --format json, one object a line).
    #[arg(long)]
    sizes: bool,
    /// Form of the output; json is the map's machine twin.
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,
    /// Fail, without output, where best effort would be delivered: a conflict, something demoted, an unreadable file.
    #[arg(long)]
    strict: bool,
    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the plan that rebuilds this map (`navigator replay`).
    #[arg(long, value_name = "FILE")]
    plan_out: Option<PathBuf>,
}

/// What is asked of a map, shared by all commands of this program that make one.
#[derive(Debug, Args)]
struct Asked {
    #[command(flatten)]
    shared: SharedArgs,
    /// A Flight Plan; other flags win over it.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// A level, or a floor and a ceiling, for the paths a glob matches: `src/**=outline..full`. Repeatable, the last match wins.
    #[arg(long = "level", value_name = "GLOB=LEVEL", value_parser = level_rule)]
    levels: Vec<Rule>,
    /// Attend to these paths first. Repeatable.
    #[arg(long, value_name = "GLOB")]
    focus: Vec<String>,
}

/// What both programs ask in the same words: goal, budget, and what counts as part of the repository.
#[derive(Debug, Args)]
pub struct SharedArgs {
    /// The budget in tokens; `8k` is 8000. [default: the plan's, else 8000]
    #[arg(short, long, value_parser = tokens, value_name = "N")]
    pub tokens: Option<u32>,
    /// What the map is for, in words.
    #[arg(short, long, value_name = "TEXT")]
    pub goal: Option<String>,
    /// Read the goal from a file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "goal")]
    pub goal_file: Option<PathBuf>,
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
            plan.goal = Some(goal);
        }
        plan.context.tokens = self.tokens.unwrap_or(plan.context.tokens);
        self.read.apply(plan);
        Ok(())
    }
}

impl ReadArgs {
    /// The cache that the flags allow.
    pub fn cache(&self) -> Option<Cache> {
        if self.no_cache { None } else { cache() }
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
    }
}

#[derive(Debug, Args)]
struct RankArgs {
    /// The repository's folder.
    #[arg(default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    asked: Asked,
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
    asked: Asked,
    /// Form of the output: text, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// The plan.
    plan: PathBuf,
    /// The repository's folder.
    #[arg(default_value = ".")]
    path: PathBuf,
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
    let number: f64 = digits.parse().map_err(|_| format!("`{text}` is not a number of tokens (`8000`, `8k`)"))?;
    let tokens = number * factor;
    if tokens.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&tokens) {
        Ok(tokens as u32)
    } else {
        Err(format!("`{text}` is not a whole number of tokens"))
    }
}

fn level_rule(text: &str) -> std::result::Result<Rule, String> {
    let (glob, level) = text.rsplit_once('=').ok_or_else(|| format!("`{text}` has no `=` (write GLOB=LEVEL, as in `src/**=interface`)"))?;
    let yaml = serde_json::json!({ "version": 1, "rules": [{ "path": glob, "level": level.parse::<LevelRange>()?.to_string() }] });
    match FlightPlan::from_yaml("--level", &yaml.to_string()) {
        Ok(plan) => plan.rules.into_iter().next().ok_or_else(|| "no rule".to_owned()),
        Err(Error::Plan { message, .. }) => Err(message.trim_start_matches("rules[0].path: ").to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The whole program: parses the arguments, runs, and says how it went.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(exit) => exit.into(),
        Err(error) => fail("repo-map", &error),
    }
}

/// Prints an error as every program of ours does, and gives its exit code. A closed pipe is success.
pub fn fail(program: &str, error: &anyhow::Error) -> ExitCode {
    if error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)) {
        return Exit::Finished.into();
    }
    say(&format!("{program}: {error:#}"));
    let is_usage = error.chain().any(|cause| matches!(cause.downcast_ref(), Some(Error::Plan { .. } | Error::NotFlown { .. })));
    if is_usage { Exit::Usage.into() } else { Exit::Error.into() }
}

/// A line on standard error. A reader that went away does not end the run.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn run(cli: Cli) -> Result<Exit> {
    match cli.command {
        None => map(cli.map),
        Some(Command::Rank(args)) => rank(args),
        Some(Command::Explain(args)) => explain(args),
        Some(Command::Check(args)) => check(&args),
        Some(Command::Cache(args)) => tell_cache(&args.command),
        Some(Command::Languages(args)) => languages(&args),
        Some(Command::Schema) => schema(),
    }
}

/// A goal larger than this is no goal.
const MAX_GOAL_BYTES: u64 = 1 << 20;

/// A goal from a flag, a file, or standard input.
fn read_goal(goal: Option<&str>, file: Option<&Path>) -> Result<Option<String>> {
    let mut text = Vec::new();
    let most = MAX_GOAL_BYTES + 1;
    match file {
        None => return Ok(goal.map(str::to_owned)),
        Some(path) if path == Path::new("-") => {
            io::stdin().take(most).read_to_end(&mut text).context("reading the goal from standard input")?;
        }
        Some(path) => {
            let read = fs::File::open(path).and_then(|goal| goal.take(most).read_to_end(&mut text));
            read.with_context(|| format!("reading the goal from {}", path.display()))?;
        }
    }
    if text.len() as u64 >= most {
        bail!("the goal is too large (the most is {MAX_GOAL_BYTES} bytes)");
    }
    Ok(Some(String::from_utf8_lossy(&text).trim().to_owned()))
}

impl Asked {
    /// The plan with what the flags say, and the options. Flags win over the plan, the plan over defaults.
    fn plan(self, format: Option<Format>) -> Result<(FlightPlan, Options)> {
        let mut plan = match &self.plan {
            Some(path) => FlightPlan::read(path)?,
            None => FlightPlan::default(),
        };
        self.shared.apply(&mut plan)?;
        plan.context.format = format.unwrap_or(plan.context.format);
        if plan.rules.is_empty() && !self.levels.is_empty() {
            // Where no plan says otherwise, the fit decides about paths that no --level names.
            plan.rules.push(Rule::new("**", LevelRange::ANY));
        }
        plan.rules.extend(self.levels);
        let options = Options {
            cache: self.shared.read.cache(),
            watcher: watcher(),
            focus: self.focus,
            without_history: self.shared.read.no_history,
            stdout: FileId::of_stdout(),
            ..Options::default()
        };
        Ok((plan, options))
    }
}

/// The path of a file in the notation of a repository's maps, when it lies in that repository.
pub fn path_within(root: &Path, file: &Path) -> Option<String> {
    let root = root.canonicalize().ok()?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = folder.canonicalize().ok()?.join(file.file_name()?);
    Some(scan::notation(file.strip_prefix(&root).ok()?, false))
}

fn map(args: MapArgs) -> Result<Exit> {
    let own: Vec<&Path> = [&args.output, &args.plan_out, &args.asked.plan].into_iter().flatten().map(PathBuf::as_path).collect();
    let ignored: Vec<String> = own.iter().filter_map(|file| path_within(&args.path, file)).collect();
    let format = match args.format {
        Some(OutputFormat::Markdown) => Some(Format::Markdown),
        Some(OutputFormat::Xml) => Some(Format::Xml),
        Some(OutputFormat::Json) | None => None,
    };
    let as_json = args.format == Some(OutputFormat::Json);
    let plan_path = args.asked.plan.clone();
    let (plan, mut options) = args.asked.plan(format)?;
    if let (true, Some(file)) = (plan.is_flown(), plan_path) {
        return replay_flown(&args.path, &file, &plan, &ignored, args.output.as_deref());
    }
    options.ignored = ignored;
    let mut repo = Repo::open(&args.path, &plan, &options)?;
    if args.sizes {
        let table = sizes(&repo.prices(), as_json)?;
        write_out(args.output.as_deref(), &table)?;
        repo.remember();
        return Ok(Exit::Finished);
    }
    let map = repo.map(Layers { person: &plan.rules, pilot: &[] })?;
    if repo.n_files() == 0 {
        say(&nothing_found(&args.path));
    }
    let problems = repo.problems();
    for problem in &problems {
        say(&format!("repo-map: {problem}"));
    }
    if let Some(conflict) = &map.conflict {
        say(&format!("repo-map: {}", conflict.message));
    }
    if args.strict {
        let demoted = map.files.iter().filter(|file| file.was.is_some()).count();
        if demoted > 0 || !problems.is_empty() || map.conflict.is_some() {
            say(&format!("repo-map: --strict: {demoted} files demoted, {} unreadable; nothing written", problems.len()));
            return Ok(Exit::Conflict);
        }
    }
    if let Some(path) = &args.plan_out {
        fs::write(path, map.flown.to_yaml()).with_context(|| format!("writing {}", path.display()))?;
    }
    if as_json {
        let twin = serde_json::to_string_pretty(&report::twin(&repo, &map))?;
        write_out(args.output.as_deref(), &format!("{twin}\n"))?;
    } else {
        write_out(args.output.as_deref(), &map.text)?;
    }
    repo.remember();
    summarise(&repo, &map, plan.goal.is_some());
    if map.conflict.is_some() {
        return Ok(Exit::Conflict);
    }
    Ok(if repo.has_evidence() { Exit::Finished } else { Exit::NothingRelevant })
}

/// What to say of a repository without files.
pub fn nothing_found(path: &Path) -> String {
    format!("no files found in {} (ignore rules may hide them: `--no-ignore`, `--hidden`)", path.display())
}

/// One line about the map, for people at a terminal.
fn summarise(repo: &Repo, map: &RepoMap, has_goal: bool) {
    use std::io::IsTerminal;
    if has_goal && !repo.has_evidence() {
        say("repo-map: nothing in this repository speaks of the goal; the map shows it from above");
    }
    if map.n_masked > 0 {
        say(&format!("repo-map: secrets masked: {} (`--no-mask` shows them)", map.n_masked));
    }
    if io::stderr().is_terminal() && !io::stdout().is_terminal() {
        let shown = map.files.iter().filter(|file| file.level >= Level::Path).count();
        say(&format!("repo-map: {} of {} tokens, {shown} of {} files shown", map.tokens, map.budget, repo.n_files()));
    }
}

/// A flown plan is replayed: the same bytes or a reason.
fn replay_flown(root: &Path, file: &Path, plan: &FlightPlan, ignored: &[String], output: Option<&Path>) -> Result<Exit> {
    match crate::replay(root, &file.display().to_string(), plan, ignored, FileId::of_stdout())? {
        Replay::Identical { text, .. } => {
            write_out(output, &text)?;
            Ok(Exit::Finished)
        }
        Replay::Drifted(drift) => {
            say_drift("repo-map", &drift);
            Ok(Exit::Drifted)
        }
        Replay::Impossible(why) => {
            say(&format!("repo-map: impossible: {why}"));
            Ok(Exit::Impossible)
        }
    }
}

/// Names every path that stands against a replay.
pub fn say_drift(program: &str, drift: &Drift) {
    say(&format!("{program}: drifted"));
    for (word, paths) in [("changed", &drift.changed), ("appeared", &drift.appeared), ("gone", &drift.gone)] {
        for path in paths {
            say(&format!("  {word}: {path}"));
        }
    }
}

/// Writes to the file, or to standard output where there is none.
///
/// # Errors
/// When it cannot be written.
pub fn write_out(output: Option<&Path>, text: &str) -> Result<()> {
    match output {
        Some(path) if path != Path::new("-") => fs::write(path, text).with_context(|| format!("writing {}", path.display())),
        _ => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(text.as_bytes())?;
            Ok(stdout.flush()?)
        }
    }
}

fn sizes(prices: &[Price], as_json: bool) -> Result<String> {
    let mut out = String::new();
    if as_json {
        for price in prices {
            out.push_str(&serde_json::to_string(price)?);
            out.push('\n');
        }
        return Ok(out);
    }
    let cell = |size: Option<u32>| size.map_or("-".to_owned(), |size| size.to_string());
    out.push_str(&format!("{:>7} {:>7} {:>8} {:>9} {:>9}  path\n", "fold", "path", "outline", "interface", "full"));
    for price in prices {
        out.push_str(&format!(
            "{:>7} {:>7} {:>8} {:>9} {:>9}  {}\n",
            cell(price.fold),
            cell(price.path_level),
            cell(price.outline),
            cell(price.interface),
            cell(price.full),
            price.path
        ));
    }
    Ok(out)
}

fn rank(args: RankArgs) -> Result<Exit> {
    let (plan, options) = args.asked.plan(None)?;
    let mut repo = Repo::open(&args.path, &plan, &options)?;
    let mut out = String::new();
    for (path, worth) in repo.ranking().into_iter().take(args.limit.unwrap_or(usize::MAX)) {
        let ranked = report::ranked(path, worth);
        match args.format {
            TableFormat::Json => out.push_str(&serde_json::to_string(&ranked)?),
            TableFormat::Text => {
                let parts: Vec<String> = ranked.parts.iter().map(|(signal, part)| format!("{signal} {part:.2}")).collect();
                out.push_str(&format!("{:.3}  {path}  {}", ranked.score, parts.join(", ")));
            }
        }
        out.push('\n');
    }
    write_out(None, &out)?;
    repo.remember();
    Ok(if repo.has_evidence() { Exit::Finished } else { Exit::NothingRelevant })
}

fn explain(args: ExplainArgs) -> Result<Exit> {
    let (plan, options) = args.asked.plan(None)?;
    let mut repo = Repo::open(&args.root, &plan, &options)?;
    let mut out = String::new();
    for target in &args.targets {
        let Some(explanation) = repo.explain(target, Layers { person: &plan.rules, pilot: &[] })? else {
            let (path, item) = target.split_once('#').map_or((target.as_str(), None), |(path, item)| (path, Some(item)));
            let similar = repo.similar_paths(path);
            match item {
                Some(item) if similar.first() == Some(&path) => {
                    bail!("`{path}` has no item `{item}` (`repo-map explain {path}` lists them)")
                }
                _ if similar.is_empty() => bail!("`{path}` is no file of this repository, or ignore rules hide it"),
                _ => bail!("`{path}` is no file of this repository (did you mean `{}`?)", similar.join("`, `")),
            }
        };
        match args.format {
            TableFormat::Json => {
                out.push_str(&serde_json::to_string(&explanation)?);
                out.push('\n');
            }
            TableFormat::Text => explain_text(&explanation, &mut out),
        }
    }
    write_out(None, &out)?;
    repo.remember();
    Ok(Exit::Finished)
}

/// An explanation for people: one line a fact.
pub fn explain_text(one: &crate::explain::Explanation, out: &mut String) {
    let item = one.item.as_ref().map_or(String::new(), |item| format!("#{item}"));
    let mark = one.mark.map_or(String::new(), |mark| format!(", {mark}"));
    out.push_str(&format!("{}{item}\n", one.path));
    // The level of most of a file's items may be `path` while others are shown.
    let apart = one.items.iter().filter(|item| one.level <= Level::Path && item.level > Level::Exclude).count();
    let apart = if apart > 0 { format!(" and {apart} items") } else { String::new() };
    out.push_str(&format!("  level   {}{apart}{mark} ({})\n", one.level, one.rule));
    out.push_str(&format!("  rank    {} of {}, score {:.3}, role {}\n", one.rank, one.of, one.score, one.role));
    let tokens: Vec<String> = Level::ALL.iter().filter_map(|level| Some(format!("{level} {}", one.tokens.get(level.as_str())?))).collect();
    out.push_str(&format!("  tokens  {}\n", tokens.join(", ")));
    for part in &one.parts {
        let named = |cause: &crate::explain::ExplainedCause| match cause.share {
            0.0 => cause.what.clone(),
            share => format!("{} {share:.2}", cause.what),
        };
        let more = part.causes.len().saturating_sub(MOST_CAUSES);
        let mut causes: Vec<String> = part.causes.iter().take(MOST_CAUSES).map(named).collect();
        causes.extend((more > 0).then(|| format!("{more} more")));
        out.push_str(
            &format!("  {:<11} {:.3} × {:.2}  {}\n", part.signal, part.value, part.weight, causes.join(", ")).replace("  \n", "\n"),
        );
    }
    if !one.parts.is_empty() {
        let sum: f64 = one.parts.iter().map(|part| part.value * part.weight).sum();
        let score = sum * one.factor / one.best;
        out.push_str(&format!("  sum         {sum:.3} × {:.2} for its role, over {:.3} of the best = {score:.3}\n", one.factor, one.best));
    }
    if !one.judged {
        out.push_str("  not judged in depth: the first look found others more promising\n");
    }
    for item in one.items.iter().take(12) {
        out.push_str(&format!(
            "  item    {:.3} {:<9} {} {} (lines {}-{})\n",
            item.worth,
            item.level.as_str(),
            item.kind,
            item.name,
            item.lines.0,
            item.lines.1
        ));
    }
    if one.items.len() > 12 {
        out.push_str(&format!("  and {} items more\n", one.items.len() - 12));
    }
    for edit in &one.edits {
        let lowered = edit.lowers.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        let effect = match (edit.needed, edit.lowers.len()) {
            (Some(needed), _) => format!("needs a budget of {needed} tokens"),
            (None, 0) => format!("a map of {} tokens, nothing else is lowered", edit.tokens),
            (None, 1) => format!("a map of {} tokens, lowers {lowered}", edit.tokens),
            (None, n) => format!("a map of {} tokens, lowers {n} files: {lowered}", edit.tokens),
        };
        out.push_str(&format!("  raise   to {} with the rule {}: {effect}\n", edit.to.max(edit.level), edit.rule));
    }
}

/// How many causes of a part are named; JSON has all.
const MOST_CAUSES: usize = 5;

fn check(args: &CheckArgs) -> Result<Exit> {
    let plan = FlightPlan::read(&args.plan)?;
    let own: Vec<String> = path_within(&args.path, &args.plan).into_iter().collect();
    let checked = crate::plan_check::check(&args.path, &plan, &own)?;
    let mut out = format!("{}: valid, {} rules over {} files\n", args.plan.display(), plan.rules.len(), checked.n_files);
    for (at, rule) in checked.rules.iter().enumerate() {
        let level = plan.rules[at].level.map_or("items".to_owned(), |level| level.to_string());
        let warning = match (rule.matches, rule.wins) {
            (0, _) => "  matches nothing",
            (_, 0) => "  later rules win everywhere",
            _ => "",
        };
        out.push_str(&format!("  rules[{at}] {} {level}: matches {}, wins {}{warning}\n", plan.rules[at].path, rule.matches, rule.wins));
        for item in &rule.missing_items {
            out.push_str(&format!("    item `{item}` is in none of them\n"));
        }
    }
    out.push_str(&format!("  no rule: {} files (at most fold)\n", checked.unmatched));
    write_out(None, &out)?;
    Ok(Exit::Finished)
}

/// Nothing is said of what takes less than this.
const SOON: Duration = Duration::from_secs(1);
/// How often a line about progress changes.
const REFRESH: Duration = Duration::from_millis(100);

/// Tells a person at the terminal how far a run is, on one line that goes away. `None` without a terminal.
pub fn watcher() -> Option<Watcher> {
    use std::io::IsTerminal;
    io::stderr().is_terminal().then(|| paced(REFRESH, |progress, left| eprint(&progress_line(progress, left)), || eprint("")))
}

/// Calls `tell` no more often than each `pace` and not within the first second of a stage, with the time the stage has left
/// where that can be known, and `end` when a stage ends of which something was told.
pub fn paced(
    pace: Duration,
    tell: impl Fn(Progress, Option<Duration>) + Send + Sync + 'static,
    end: impl Fn() + Send + Sync + 'static,
) -> Watcher {
    struct Told {
        stage: Option<Stage>,
        since: Instant,
        last: Option<Instant>,
    }
    let told = Mutex::new(Told { stage: None, since: Instant::now(), last: None });
    Watcher::new(move |progress| {
        // Whoever comes while another tells has nothing to add.
        let Ok(mut told) = told.try_lock() else { return };
        if told.stage.replace(progress.stage) != Some(progress.stage) {
            told.since = Instant::now();
        }
        if progress.of == Some(progress.done) {
            if told.last.take().is_some() {
                end();
            }
            told.stage = None;
            return;
        }
        let passed = told.since.elapsed();
        if passed >= SOON && told.last.is_none_or(|last| last.elapsed() >= pace) {
            told.last = Some(Instant::now());
            let left = progress.of.map(|of| passed.mul_f64(of.saturating_sub(progress.done) as f64 / progress.done.max(1) as f64));
            tell(progress, left);
        }
    })
}

fn progress_line(progress: Progress, left: Option<Duration>) -> String {
    let Progress { stage, done, known, of } = progress;
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    let known = if known > 0 { format!(", {known} known") } else { String::new() };
    let left = left.map_or_else(String::new, |left| format!(", {} s left", left.as_secs() + 1));
    format!("{}: {done}{of} files{known}{left}", stage.as_str())
}

/// The last line of the terminal, in place of what stood there.
fn eprint(line: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush());
}

/// The cache of this user: where `REPO_MAP_CACHE` says, else among those of all programs. `None` without a home.
fn cache() -> Option<Cache> {
    use etcetera::BaseStrategy;
    let named = std::env::var_os("REPO_MAP_CACHE").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let folder = named.or_else(|| Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("repo-map")))?;
    Some(Cache::at(folder))
}

fn tell_cache(command: &CacheCommand) -> Result<Exit> {
    let cache = cache().context("there is no home directory to keep a cache in (`REPO_MAP_CACHE` names a folder)")?;
    let context = || format!("the cache in {}", cache.folder().display());
    match command {
        CacheCommand::Info => {
            let usage = cache.usage().with_context(context)?;
            let total: u64 = usage.iter().map(|one| one.bytes).sum();
            let mut out =
                format!("{}: {}, {}\n", cache.folder().display(), n_of(usage.len(), "repository", "repositories"), megabytes(total));
            for one in usage {
                out.push_str(&format!("{:>10}  {}\n", megabytes(one.bytes), one.root.escape_debug()));
            }
            write_out(None, &out)?;
        }
        CacheCommand::Clear => {
            let bytes = cache.clear().with_context(context)?;
            write_out(None, &format!("removed {}\n", megabytes(bytes)))?;
        }
    }
    Ok(Exit::Finished)
}

fn n_of(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn languages(args: &LanguagesArgs) -> Result<Exit> {
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
        write_out(None, &out)?;
        return Ok(Exit::Finished);
    };
    let query = match &args.query {
        Some(query) => Some(fs::read_to_string(query).with_context(|| format!("reading {}", query.display()))?),
        None => None,
    };
    let outline = crate::try_out::outline_file(file, query.as_deref())?;
    write_out(None, &outline)?;
    Ok(Exit::Finished)
}

fn schema() -> Result<Exit> {
    let schema = serde_json::to_string_pretty(&schemars::schema_for!(FlightPlan))?;
    write_out(None, &format!("{schema}\n"))?;
    Ok(Exit::Finished)
}
