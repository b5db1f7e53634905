//! `navigator mcp`: the tools for agents and editors, over standard input and output.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use repo_map::cli::{Exit, ReadArgs, add_languages, say};
use repo_map::{FlightPlan, Options, RepoMap, Sanitized};

use super::knowledge::sources::open_whole;
use super::listing::DocumentRun;
use super::outcome::{Findings, keep};
use super::task::{Setup, TIME_WITH_MODEL, Task};
use super::visits;
use crate::app::mcp::{
    CallFound, CallSite, CallSpend, Explorer, KnownSites, Offline, Sites, Tools, Watch, serve,
};
use crate::app::run_folder::RECORDING;
use crate::app::settings::{ModelArgs, Settings, usage};
use crate::app::source::documents::RunSource;
use crate::app::source::origins::AllowedOrigins;
use crate::app::source::reading::SiteReading;
use crate::app::source::site::SiteFlags;
use crate::app::source::site_report::section;
use crate::money::effect_ledger::EffectLedger;
use crate::money::pico_usd::PicoUsd;
use crate::money::shared_limit::SharedLimit;
use crate::navigator::Navigator;
use crate::pilot::model_pilot::{ModelLimits, ModelPilot};
use crate::pilot::offline::{OfflinePilot, offline_rules};
use crate::run::explore::{Exploration, Limits};
use crate::run::observer::{Checkpoint, Directive, Observer};
use crate::run::report::TurnReport;
use crate::run::state::State;
use crate::terrain::site::{DocumentPlan, DocumentTerrain};

/// Replaces the exit codes of a run for a server: the limit is the server's, and there is no code
/// for a result.
const OF_A_SERVER: &str = "\
With --model, --budget is the limit for the lifetime of the server; a call can only lower it.
The limits of a site hold for each call; a call can only lower --max-requests.
Without --model no model is used: a model in the settings is ignored.

Exit codes:
  0    standard input ended
  1    error
  2    usage, refused price";

#[derive(Debug, Args)]
#[command(after_help = OF_A_SERVER)]
pub(super) struct McpArgs {
    /// The repository's folder. Callers cannot read outside it.
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Set the default size of a result in tokens; `8k` is 8000. [default: 8000]
    #[arg(short, long, value_parser = repo_map::cli::tokens, value_name = "N")]
    tokens: Option<u32>,
    /// Allow callers to read a site: `reads:HOST`, or `reads:https://HOST` for one scheme.
    /// Repeatable.
    #[arg(long, value_name = "EFFECT")]
    allow: Vec<String>,
    /// Let callers ask a knowledge of a site (`navigator knowledge build` makes one). Repeatable.
    #[arg(long, value_name = "FILE")]
    knowledge: Vec<PathBuf>,
    #[command(flatten)]
    site: SiteFlags,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(super) model: ModelArgs,
}

/// Serves until standard input ends.
pub(super) fn run(args: &McpArgs) -> Result<Exit> {
    serve(opened(args)?)?;
    Ok(Exit::Finished)
}

/// Makes the tools of a server and says what it serves.
pub(super) fn opened(args: &McpArgs) -> Result<Tools> {
    let settings = Settings::read(&args.model, args.tokens, None)?;
    let mut base = FlightPlan::default();
    base.context.tokens = settings.tokens()?.unwrap_or(base.context.tokens);
    args.read.apply(&mut base);
    add_languages("navigator", &mut base, &args.path);
    let options =
        Options { cache: args.read.cache(), history: !args.read.no_history, ..Options::default() };
    let origins = AllowedOrigins::of(&args.allow)?;
    if let Some(flag) = args.site.given().filter(|_| origins.is_empty()) {
        let message = "no address is allowed, so no request is sent (`--allow reads:HOST` allows \
                       those of a host)";
        return Err(usage(flag, message.to_owned()));
    }
    args.site.check_headers(&origins)?;
    let (time, (own_time, _)) = (TIME_WITH_MODEL, settings.times()?);
    // A model needs a flag on the command line of the server: a model in the user's file is not
    // used.
    let (explorer, time): (Box<dyn Explorer<DocumentTerrain>>, Option<Duration>) =
        match &args.model.model {
            Some(_) => (Box::new(WithModel::new(args, settings)?), own_time.or(Some(time))),
            None => (Box::new(WithoutModel::new(args, settings)?), own_time),
        };
    let reads = match origins.is_empty() {
        true => String::new(),
        false => format!(", and sites at {}", origins.names()),
    };
    let path = args.path.display();
    match explorer.left() {
        Some(limit) => {
            say(format!("navigator: serving {path}{reads} with a model, at most {limit} in all"))
        }
        None => say(format!("navigator: serving {path}{reads} without a model, at no cost")),
    }
    let sites = Sites::new(origins, args.site.clone(), time);
    let tools = Tools::new(&args.path, base, options, explorer, sites)?;
    Ok(tools.with_knowledge(known_sites(&args.knowledge)?))
}

/// Opens the knowledges that callers may ask. Their names are those of the files.
fn known_sites(files: &[PathBuf]) -> Result<KnownSites> {
    let mut known = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy();
        known.push((Sanitized::line(&name).into_string(), open_whole(file)?));
    }
    KnownSites::new(known)
        .map_err(|name| usage("--knowledge", format!("two files are called `{name}`: rename one")))
}

/// Makes the run folders of calls.
#[derive(Clone)]
struct CallRuns {
    root: PathBuf,
    no_history: bool,
    settings: Settings,
}

impl CallRuns {
    fn new(args: &McpArgs, settings: Settings) -> CallRuns {
        CallRuns { root: args.path.clone(), no_history: args.read.no_history, settings }
    }

    /// Returns the same for a caller with a purse.
    fn of_purse(&self, purse: Option<String>) -> CallRuns {
        #[cfg(feature = "store")]
        let settings = self.settings.clone().with_purse(purse);
        // Without a store no caller has a purse.
        #[cfg(not(feature = "store"))]
        let (settings, _) = (self.settings.clone(), purse);
        CallRuns { settings, ..self.clone() }
    }

    /// Returns the task of a call.
    fn task(&self, terrain: &DocumentTerrain, site: Option<&SiteReading>) -> Task {
        let here = || RunSource::Folder(self.root.clone());
        Task {
            source: site.map_or_else(here, |site| site.source.clone()),
            site: site.map(|site| site.report.clone()),
            known: Vec::new(),
            server: site.map(|site| site.flags.clone()).unwrap_or_default(),
            plan: terrain.plan().clone(),
            no_history: self.no_history,
            diff: None,
            goal_is_synthetic: false,
            settings: self.settings.clone(),
            goes_on: false,
            state: None,
            first_rules: Vec::new(),
        }
    }

    /// Begins the run of a call: its request, its first state, and the recording of its site.
    fn begin(
        &self,
        task: &Task,
        state: &State<DocumentPlan>,
        site: Option<&SiteReading>,
    ) -> Result<DocumentRun> {
        let folder = DocumentRun::create()?;
        let recording = site.map(SiteReading::recording);
        let begun = task
            .asked(&state.rules.0)
            .and_then(|asked| folder.begin(&asked, state, recording.as_deref(), true));
        match begun {
            Ok(()) => Ok(folder),
            Err(error) => {
                folder.give_up();
                Err(error)
            }
        }
    }
}

/// Stores the outputs of a run. A failure is only reported: the result is returned anyway, because
/// it was paid for.
fn store(
    folder: &DocumentRun,
    terrain: &DocumentTerrain,
    found: &mut Exploration<DocumentTerrain>,
    site: Option<&SiteReading>,
) {
    let site = site.map(|site| &site.report);
    if let Some(site) = site {
        let left_out = terrain.site().and_then(|site| site.left_out());
        found.summary =
            format!("{}{}", found.summary, section(Some(site), left_out.as_deref())).into();
    }
    let findings = Findings { repo: terrain.repo(), found, site };
    if let Err(error) = keep(folder, &findings) {
        tell(&format!("{error:#}"));
    }
}

fn tell(line: &str) {
    say(format!("navigator: {line}"));
}

/// Explores without a model. Only explorations of sites are runs: what a server answered is kept.
struct WithoutModel {
    runs: CallRuns,
    offline: Offline,
}

impl WithoutModel {
    fn new(args: &McpArgs, settings: Settings) -> Result<WithoutModel> {
        let offline = Offline { turns: settings.max_turns()?, time: settings.times()?.0 };
        Ok(WithoutModel { runs: CallRuns::new(args, settings), offline })
    }
}

impl Explorer<DocumentTerrain> for WithoutModel {
    fn left(&self) -> Option<PicoUsd> {
        None
    }

    fn explore(
        &self,
        terrain: &mut DocumentTerrain,
        state: State<DocumentPlan>,
        spend: CallSpend,
        site: Option<CallSite<'_>>,
        watch: &Watch,
    ) -> Result<CallFound<DocumentTerrain>> {
        let Some(CallSite { reading, .. }) = site else {
            return self.offline.explore(terrain, state, spend, None, watch);
        };
        let limits = Limits {
            turns: self.offline.turns,
            time: reading.time_left(),
            cancel: watch.cancel.clone(),
            ..Limits::default()
        };
        let task = self.runs.task(terrain, Some(reading));
        let begun = self.runs.begin(&task, &state, Some(reading)).and_then(|folder| {
            let (lines, mut journal) = folder.ledger()?;
            let setup = Setup::offline(limits.turns, limits.time);
            setup.ledger(setup.limit(), &lines, journal.as_mut(), None)?;
            Ok(folder)
        });
        // Nothing is spent, so the context is delivered also where it cannot be stored.
        let folder = begun.inspect_err(|error| tell(&format!("{error:#}"))).ok();
        let mut observer = CallObserver { watch: watch.clone(), folder: folder.as_ref() };
        let mut found = Navigator::new(terrain)
            .from_state(state)
            .limits(limits)
            .observer(&mut observer)
            .explore(&mut OfflinePilot::default())?;
        if let Some(folder) = &folder {
            store(folder, terrain, &mut found, Some(reading));
        }
        Ok(CallFound { found, purse_left: None })
    }
}

/// Explores with a model, with one limit of spend for the lifetime of the server. Each exploration
/// is a run with its own ledger on disk, as without a server. Explorations go on at the same time:
/// each of their calls reserves in the limit of the server before it is sent.
struct WithModel {
    runs: CallRuns,
    limit: SharedLimit,
}

impl WithModel {
    fn new(args: &McpArgs, settings: Settings) -> Result<WithModel> {
        // Check price, key and address of the model now, so that no call has to fail.
        let limit = SharedLimit::new(Setup::of(&settings, false)?.limit());
        Ok(WithModel { runs: CallRuns::new(args, settings), limit })
    }
}

impl Explorer<DocumentTerrain> for WithModel {
    fn left(&self) -> Option<PicoUsd> {
        Some(self.limit.left())
    }

    fn explore(
        &self,
        terrain: &mut DocumentTerrain,
        state: State<DocumentPlan>,
        spend: CallSpend,
        mut site: Option<CallSite<'_>>,
        watch: &Watch,
    ) -> Result<CallFound<DocumentTerrain>> {
        let CallSpend { budget, purse } = spend;
        let runs = self.runs.of_purse(purse);
        let mut setup = Setup::of(&runs.settings, false)?;
        let (Some(remote), Some(target)) = (setup.remote.take(), setup.target.clone()) else {
            bail!("there is no model to ask");
        };
        let of_server = self.limit.limit();
        let limit = budget.map_or(of_server, |budget| budget.min(of_server));
        let reading = site.as_ref().map(|site| &*site.reading);
        let limits = Limits {
            turns: setup.turns,
            time: reading.map_or(setup.time, SiteReading::time_left),
            cancel: watch.cancel.clone(),
            ..Limits::default()
        };
        let state = State { rules: offline_rules(terrain, &limits)?, ..state };
        let task = runs.task(terrain, reading);
        let folder = runs.begin(&task, &state, reading).map_err(|error| {
            anyhow!(
                "there is no place for the ledger: {error:#} \
                (`XDG_STATE_HOME` names another for all runs)"
            )
        })?;
        let (lines, journal) = folder.ledger()?;
        // Money and effects share one journal.
        let journal = Arc::new(Mutex::new(journal));
        let mut effects = EffectLedger::new(&lines, Box::new(Arc::clone(&journal)));
        let limits = match &mut site {
            Some(site) => {
                let_visit(site, terrain, &task, &folder, &mut effects)?;
                let resources = site.reading.report.limits();
                Limits { resources, allow: Vec::from_iter(visits::allowed(&task)), ..limits }
            }
            None => limits,
        };
        let mut for_money = Arc::clone(&journal);
        let ledger = setup.ledger(limit, &lines, &mut for_money, Some(&folder.name()))?;
        let ledger = ledger.within(self.limit.clone());
        let mut pilot =
            ModelPilot::new(Box::new(remote), ledger, ModelLimits::of(&target), Box::new(tell));
        let mut observer = CallObserver { watch: watch.clone(), folder: Some(&folder) };
        let mut found = Navigator::new(terrain)
            .from_state(state)
            .limits(limits)
            .effects(effects)
            .observer(&mut observer)
            .explore(&mut pilot)?;
        let purse_left = pilot.purse_left();
        let reading = site.map(|site| with_visits(site, terrain, &found, &folder));
        store(&folder, terrain, &mut found, reading);
        Ok(CallFound { found, purse_left })
    }
}

/// Lets the model visit pages of a site, into the recording of the run.
fn let_visit(
    site: &mut CallSite<'_>,
    terrain: &mut DocumentTerrain,
    task: &Task,
    folder: &DocumentRun,
    effects: &mut EffectLedger<'_>,
) -> Result<()> {
    let CallSite { reading, options } = site;
    let (fetcher, recording) = (reading.fetcher.take(), folder.path.join(RECORDING));
    let site = (task, &reading.report);
    visits::connect(terrain, site, fetcher, &recording, effects, options.clone())?;
    folder.own_recording()
}

/// Adds what visits read to the site of a call. A failure is only reported, because the context was
/// paid for.
fn with_visits<'a>(
    site: CallSite<'a>,
    terrain: &DocumentTerrain,
    found: &Exploration<DocumentTerrain>,
    folder: &DocumentRun,
) -> &'a SiteReading {
    let CallSite { reading, .. } = site;
    let report = reading.report.after(&found.state.log, found.used, terrain.n_unread());
    if let Err(error) = reading.take_visits(&folder.path.join(RECORDING), report) {
        tell(&format!("{error:#}"));
    }
    reading
}

/// Stores the state of the run and reports progress to the client.
struct CallObserver<'a> {
    watch: Watch,
    /// `None` if the run cannot be stored.
    folder: Option<&'a DocumentRun>,
}

impl Observer<DocumentTerrain> for CallObserver<'_> {
    fn keep(&mut self, state: &State<DocumentPlan>) -> io::Result<()> {
        self.folder.map_or(Ok(()), |folder| folder.keep(state))
    }

    fn turn(&mut self, report: &TurnReport, map: &RepoMap) {
        Observer::<DocumentTerrain>::turn(&mut self.watch, report, map);
    }

    fn next(&mut self, checkpoint: &Checkpoint<'_, DocumentTerrain>) -> Directive<DocumentPlan> {
        self.watch.next(checkpoint)
    }
}
