//! Command-line arguments, one type for each command.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use repo_map::cache::Cache;
use repo_map::cli::{
    CompletionsArgs, EXIT_CODES, GoalArgs, ManArgs, OutputFormat, TableFormat, TextArgs, TreeShape,
    add_levels, first_given, level_rule, long_version, read_plan, user_cache,
};
use repo_map::plan::{Rule, check_glob};
use repo_map::{FlightPlan, Level, LevelRange};
use url::Url;

use crate::source::http::cookies::Cookies;
use crate::source::http::headers::{GivenHeaders, HeaderError, HeaderFlag};
use crate::source::http::options::FetchOptions;

/// Render a site of pages at a level of detail chosen per page, inside a hard token budget.
#[derive(Debug, Parser)]
#[command(
    name = "site-map",
    version,
    long_version = long_version(),
    after_help = EXIT_CODES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct SiteArgs {
    #[command(subcommand)]
    pub(super) command: Option<SiteCommand>,
    #[command(flatten)]
    pub(super) map: SiteMapArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum SiteCommand {
    /// Rank the pages of a site for a goal, with every part of each score.
    Rank(SiteRankArgs),
    /// Show the folders of a site with their tokens at each level, as a drawing.
    Tree(SiteTreeArgs),
    /// Explain why pages have their levels, and how to raise them.
    Explain(SiteExplainArgs),
    /// Print one page: its model as JSON, with links and what is hidden, or its text.
    Page(PageArgs),
    /// Compare two readings of one site: pages that changed, moved, went or came.
    Diff(SiteDiffArgs),
    /// Record all pages of a site in a file, politely, to map them without a network.
    Record(RecordArgs),
    /// Print the links between the pages of a site, or of one page.
    Links(LinksArgs),
    /// Print the completion script for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands.
    Man(ManArgs),
}

/// The request for a map of a site.
#[derive(Debug, Args)]
pub(super) struct SiteRequest {
    #[command(flatten)]
    goal: GoalArgs,
    /// Read a Flight Plan; other options win over it. A flown plan is replayed.
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<PathBuf>,
    /// Set a level, or a floor and a ceiling, for the pages of a glob (`library/**=outline..full`)
    /// or for a section (`library/json.html#json.dump=full`). Repeatable, the last match wins.
    #[arg(long = "level", value_name = "GLOB=LEVEL", value_parser = level_rule)]
    pub(super) levels: Vec<Rule>,
    /// Exclude the pages of a glob, wherever it matches; they are not asked for either. Repeatable.
    #[arg(long, value_name = "GLOB", value_parser = excluded)]
    pub(super) exclude: Vec<Rule>,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    pub(super) fetch: FetchArgs,
    /// Do not read or write a cache (`repo-map cache info`).
    #[arg(long)]
    no_cache: bool,
}

impl SiteRequest {
    /// Returns the plan with the given options applied. Options win over the plan, the plan over
    /// defaults.
    pub(super) fn plan(&self) -> Result<FlightPlan> {
        let mut plan = match &self.plan {
            Some(file) => read_plan(file, Path::new("."))?,
            None => FlightPlan::default(),
        };
        self.goal.apply(&mut plan)?;
        self.text.apply(&mut plan);
        add_levels(&mut plan, &[&self.levels[..], &self.exclude].concat());
        Ok(plan)
    }

    /// Returns the files that are read beside the plan.
    pub(super) fn read(&self) -> impl Iterator<Item = &Path> {
        self.goal.goal_file.as_deref().into_iter().chain(self.fetch.connection.files())
    }

    /// Returns the first option that was given and changes a plan, if any.
    pub(super) fn given(&self) -> Option<&'static str> {
        let rules = first_given(&[
            (!self.levels.is_empty(), "--level"),
            (!self.exclude.is_empty(), "--exclude"),
        ]);
        rules.or_else(|| self.goal.given()).or_else(|| self.text.given())
    }

    /// Returns the user's cache, unless `--no-cache` is given.
    pub(super) fn cache(&self) -> Option<Cache> {
        cache_unless(self.no_cache)
    }
}

fn cache_unless(no_cache: bool) -> Option<Cache> {
    if no_cache { None } else { user_cache() }
}

/// Reads a glob of pages that are excluded.
fn excluded(glob: &str) -> Result<Rule, String> {
    check_glob(glob).map_err(|error| error.to_string())?;
    Ok(Rule::new(glob, LevelRange::exactly(Level::Exclude)))
}

/// Manners, and the way to a server.
#[derive(Debug, Args)]
pub(super) struct ConnectionArgs {
    /// Time between two requests, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 250)]
    delay: u64,
    /// Send the cookies of this file (Netscape's format) to their hosts.
    #[arg(long, value_name = "FILE")]
    cookies: Option<PathBuf>,
    /// Send a header to the scheme, host and port of the address, and nowhere else: `Name: value`,
    /// `Name=env:VAR`, `Name=file:PATH`, or `@FILE` with one a line. Nothing keeps it. Repeatable.
    #[arg(long = "header", value_name = "HEADER")]
    headers: Vec<HeaderFlag>,
    /// Send all requests through this proxy, which then resolves the names of hosts.
    #[arg(long, value_name = "URL")]
    proxy: Option<Url>,
}

impl ConnectionArgs {
    /// Returns the files that are read for requests.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.cookies.as_deref().into_iter().chain(self.headers.iter().filter_map(HeaderFlag::file))
    }

    /// Returns the options of a fetcher for an address that the person gave.
    pub(super) fn options(&self, start: &Url) -> Result<FetchOptions> {
        Ok(FetchOptions {
            delay: Duration::from_millis(self.delay),
            cookies: self.cookies.as_deref().map(Cookies::read).transpose()?.unwrap_or_default(),
            headers: self.given_headers(start)?,
            proxy: self.proxy.clone(),
            ..FetchOptions::of(start)
        })
    }

    fn given_headers(&self, start: &Url) -> Result<GivenHeaders> {
        let wrong = |error: HeaderError| {
            let message = error.to_string();
            repo_map::Error::Rule { place: "--header", message }
        };
        Ok(GivenHeaders::read(&self.headers, start).map_err(wrong)?)
    }
}

/// Options for reading a site from its server.
#[derive(Debug, Args)]
pub(super) struct FetchArgs {
    /// Maximum number of requests: pages, redirects, retries and robots.txt.
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(super) max_requests: u64,
    /// Maximum number of bytes received.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub(super) max_bytes: u64,
    /// Maximum number of links between the address and a page.
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(super) max_depth: usize,
    #[command(flatten)]
    pub(super) connection: ConnectionArgs,
    /// Read only addresses whose path begins with this. [default: the folder of the address]
    #[arg(long, value_name = "PATH")]
    pub(super) scope: Option<String>,
    /// Keep what the server answered in a recording, so that the map can be made again.
    #[arg(long, value_name = "FILE")]
    pub(super) recording: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct RecordArgs {
    /// The address to start from.
    pub(super) address: String,
    /// The recording: WARC 1.1.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Go on with a recording that was not finished.
    #[arg(long)]
    pub(super) resume: bool,
    /// Maximum number of requests of this call. [default: no limit]
    #[arg(long, value_name = "N")]
    pub(super) max_requests: Option<u64>,
    /// Maximum number of bytes that this call receives. [default: no limit]
    #[arg(long, value_name = "N")]
    pub(super) max_bytes: Option<u64>,
    /// Maximum number of pages.
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    pub(super) max_pages: usize,
    /// Maximum number of links between the start and a page.
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(super) max_depth: usize,
    #[command(flatten)]
    pub(super) connection: ConnectionArgs,
    /// Maximum number of connections to the server; requests still begin `--delay` apart.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = value_parser!(u8).range(1..=16))]
    pub(super) concurrency: u8,
    /// Read only addresses whose path begins with this. [default: the folder of the address]
    #[arg(long, value_name = "PATH")]
    pub(super) scope: Option<String>,
    /// Leave out the pages of a glob, below the folder of the address. Repeatable.
    #[arg(long, value_name = "GLOB", value_parser = excluded)]
    pub(super) exclude: Vec<Rule>,
}

#[derive(Debug, Args)]
pub(super) struct SiteMapArgs {
    /// The site: an address, a recording, or a folder of HTML files.
    #[arg(required = true)]
    pub(super) source: Option<String>,
    #[command(flatten)]
    pub(super) request: SiteRequest,
    /// Print the tokens of each page at each level instead of a map.
    #[arg(long)]
    pub(super) sizes: bool,
    /// Output format; json is the report for programs.
    #[arg(long, value_enum)]
    pub(super) format: Option<OutputFormat>,
    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Copy the map to the clipboard instead of printing it.
    #[arg(long, conflicts_with_all = ["output", "sizes"])]
    pub(super) copy: bool,
    /// Write the plan that rebuilds this map.
    #[arg(long, value_name = "FILE")]
    pub(super) plan_out: Option<PathBuf>,
    /// Write an HTML page with the map, the ranking, and the pages left out.
    #[arg(long, value_name = "FILE", conflicts_with = "sizes")]
    pub(super) report: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct SiteRankArgs {
    /// The site: an address, a recording, or a folder of HTML files.
    pub(super) source: String,
    #[command(flatten)]
    pub(super) request: SiteRequest,
    /// Maximum number of pages to print. [default: all]
    #[arg(short = 'n', long, value_name = "N")]
    pub(super) limit: Option<usize>,
    /// Output format: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(super) format: TableFormat,
}

#[derive(Debug, Args)]
pub(super) struct SiteTreeArgs {
    /// The site: an address, a recording, or a folder of HTML files.
    pub(super) source: String,
    #[command(flatten)]
    pub(super) shape: TreeShape,
    #[command(flatten)]
    pub(super) request: SiteRequest,
}

#[derive(Debug, Args)]
pub(super) struct SiteExplainArgs {
    /// The site: an address, a recording, or a folder of HTML files.
    pub(super) source: String,
    /// Pages of the site, or `PAGE#SECTION`.
    #[arg(required = true, value_name = "PAGE[#SECTION]")]
    pub(super) targets: Vec<String>,
    #[command(flatten)]
    pub(super) request: SiteRequest,
    /// Output format: text, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(super) format: TableFormat,
}

#[derive(Debug, Args)]
pub(super) struct SiteDiffArgs {
    /// The first reading: a recording, or a folder of HTML files.
    pub(super) before: String,
    /// The second reading.
    #[arg(required_unless_present = "live", conflicts_with = "live")]
    pub(super) after: Option<String>,
    /// Ask the server for the pages of the recording, instead of a second reading.
    #[arg(long)]
    pub(super) live: bool,
    /// Maximum number of requests of --live.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(super) max_requests: u64,
    /// With --live: exclude the pages of a glob; they are neither asked for nor compared.
    /// Repeatable.
    #[arg(long, requires = "live", value_name = "GLOB", value_parser = excluded)]
    pub(super) exclude: Vec<Rule>,
    #[command(flatten)]
    pub(super) connection: ConnectionArgs,
    /// Output format: text, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(super) format: TableFormat,
}

#[derive(Debug, Args)]
pub(super) struct PageArgs {
    /// The page: an HTML file, or an address.
    pub(super) page: String,
    /// Output format: the model of the page, or its text as a map shows it.
    #[arg(long, value_enum, default_value_t = PageFormat::Json)]
    pub(super) format: PageFormat,
    #[command(flatten)]
    pub(super) connection: ConnectionArgs,
}

/// The form of one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PageFormat {
    Json,
    Markdown,
}

#[derive(Debug, Args)]
pub(super) struct LinksArgs {
    /// The site: an address, a recording, or a folder of HTML files.
    pub(super) source: String,
    /// Only links of this page.
    pub(super) page: Option<String>,
    #[command(flatten)]
    pub(super) fetch: FetchArgs,
    /// Do not read or write a cache (`repo-map cache info`).
    #[arg(long)]
    no_cache: bool,
    /// Output format: text, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(super) format: TableFormat,
}

impl LinksArgs {
    /// Returns the user's cache, unless `--no-cache` is given.
    pub(super) fn cache(&self) -> Option<Cache> {
        cache_unless(self.no_cache)
    }
}
