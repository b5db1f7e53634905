//! The task, pilot and limits of a run, settled before anything is read or written.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use repo_map::cli::{OutputFormat, add_languages, check_flag, check_stdin, plan_name, read_plan};
use repo_map::plan::Rule;
use repo_map::{FlightPlan, Format, HiddenPaths, Judged, LevelRange, Sanitized, unmatched};
use site_map::address::decoded;

use super::first_reading::{self, OpenKnowledge};
use super::listing::{DocumentRun, RunRequest};
use super::progress::Tell;
use crate::app::cli::explore::args::ExploreArgs;
use crate::app::run_folder::{RECORDING, ledger_in};
#[cfg(feature = "store")]
use crate::app::run_purse::RunPurse;
use crate::app::settings::{self, Settings, usage};
use crate::app::source::documents::RunSource;
use crate::app::source::site::SiteFlags;
use crate::app::source::site_report::SiteReport;
use crate::model::endpoint::ModelEndpoint;
use crate::model::remote::Remote;
use crate::money::effect::Resources;
use crate::money::effect_ledger::EffectLedger;
use crate::money::ledger::{Journal, Ledger, LedgerLine};
use crate::money::pico_usd::PicoUsd;
use crate::money::price::Price;
use crate::money::purse::PurseAccount;
use crate::pilot::model_pilot::{ModelLimits, ModelPilot};
use crate::run::deadline::Deadline;
use crate::run::state::State;
use crate::run::stop::Stop;
use crate::terrain::repo;
use crate::terrain::site::DocumentPlan;
use crate::walk::known::KnownPlace;
use crate::walk::pilot::asked::ModelWalker;

/// The task of a run, from flags or from the resumed run.
pub(super) struct Task {
    pub(super) source: RunSource,
    /// What came of reading the site, before the first turn.
    pub(super) site: Option<SiteReport>,
    /// What was known of the site before it was read.
    pub(super) known: Vec<KnownPlace>,
    /// The limits of the site's server.
    pub(super) server: SiteFlags,
    pub(super) plan: FlightPlan,
    pub(super) no_history: bool,
    pub(super) diff: Option<String>,
    /// The goal was generated: its words are no evidence about the repository.
    pub(super) goal_is_synthetic: bool,
    pub(super) settings: Settings,
    /// Limits were given that let a resumed run read more of its site.
    pub(super) goes_on: bool,
    /// The state of a resumed run.
    pub(super) state: Option<State<DocumentPlan>>,
    /// The initial rules of the pilot in the resumed run.
    pub(super) first_rules: Vec<Rule>,
}

impl Task {
    pub(super) fn new(args: &ExploreArgs, open: OpenKnowledge) -> Result<Task> {
        let settings = Settings::read(&args.model, args.shared.goal.tokens, None)?;
        let source = RunSource::of(args.path.as_deref().unwrap_or(Path::new(".")))?;
        args.site.check(&source)?;
        let root = source.place();
        let plan_file = args.plan.clone().or_else(|| settings.text("plan").map(PathBuf::from));
        check_stdin(&[plan_file.as_ref(), args.shared.goal.goal_file.as_ref()])?;
        let mut plan = match &plan_file {
            Some(path) => read_plan(path, root)?,
            None => FlightPlan::default(),
        };
        // A flown plan is flown again: its provenance does not apply.
        plan.provenance = None;
        plan.scan.outside = None;
        if let Some(tokens) =
            settings.tokens()?.filter(|_| plan_file.is_none() || settings.is_chosen("tokens"))
        {
            plan.context.tokens = tokens;
        }
        args.shared.apply(&mut plan)?;
        if let RunSource::Folder(root) = &source {
            add_languages("navigator", &mut plan, root);
        }
        let goal_is_synthetic = plan.goal.is_none() && args.shared.diff.is_some();
        if let (None, Some(revision)) = (&plan.goal, &args.shared.diff) {
            plan.goal = Some(format!("review what changed since {revision}").into());
        }
        if plan.goal.as_deref().is_none_or(|goal| goal.trim().is_empty()) {
            return Err(usage(
                "explore",
                "no goal (give `--goal TEXT` or `--goal-file FILE`; `repo-map` makes a map \
                 without one)"
                    .to_owned(),
            ));
        }
        set_format(args, &mut plan);
        for glob in args.include.iter().chain(&args.exclude) {
            repo_map::plan::check_glob(glob)
                .map_err(|error| usage("--include/--exclude", error.to_string()))?;
        }
        plan.rules =
            repo_map::plan::bounds(std::mem::take(&mut plan.rules), &args.include, &args.exclude);
        Ok(Task {
            known: args.known.places((&source, plan.goal.as_deref().unwrap_or_default()), open)?,
            source,
            site: None,
            server: args.site.clone(),
            plan,
            no_history: args.shared.read.no_history,
            diff: args.shared.diff.clone(),
            goal_is_synthetic,
            settings,
            goes_on: false,
            state: None,
            first_rules: Vec::new(),
        })
    }

    pub(super) fn resumed(args: &ExploreArgs, folder: &DocumentRun) -> Result<Task> {
        let (mut asked, mut state) = folder.resume()?;
        let source = match RunSource::of_stored(&asked.root)? {
            RunSource::Address(_) => {
                RunSource::Address(first_reading::start_of(&asked, &folder.path))
            }
            source => source,
        };
        // Without its pages a run has not taken its first look.
        let is_cut_off = source.address().is_some() && asked.site.is_none();
        let used = match is_cut_off {
            true => first_reading::used_before(&folder.path)?,
            false => used_before(folder, asked.site.as_ref())?,
        };
        args.site.check_resumed(&source, used)?;
        let server = args.site.over(&asked.server);
        asked.site = asked.site.map(|site| site.within(server.limits()));
        let goes_on =
            args.site.has_limit() && asked.site.as_ref().is_some_and(|site| site.can_go_on(used));
        let has_finished = state.finalized.is_some()
            && state.ended.as_deref().is_some_and(|ended| ended != Stop::Quit.as_str());
        if has_finished && !args.interactive && !goes_on {
            return Err(usage("--resume", finished(folder, asked.site.as_ref())));
        }
        // The run is open again: if it is killed, it must not appear as ended.
        state.ended = None;
        let settings = Settings::read(&args.model, args.shared.goal.tokens, Some(&asked.settings))?;
        let mut plan = FlightPlan::from_yaml("asked.json: plan", &asked.plan)?;
        plan.context.tokens = args.shared.goal.tokens.unwrap_or(plan.context.tokens);
        plan.context.fill = args.shared.goal.fill.unwrap_or(plan.context.fill);
        set_format(args, &mut plan);
        Ok(Task {
            source,
            site: asked.site,
            known: asked.known,
            server,
            plan,
            no_history: asked.no_history,
            goal_is_synthetic: asked.goal_is_synthetic,
            diff: asked.diff,
            settings,
            goes_on,
            state: (!is_cut_off).then_some(state),
            first_rules: asked.rules,
        })
    }

    /// Opens the state of a run again that goes on with more of its site. Without a model the pages
    /// that are read now are a new choice; a model visits them from where it was.
    pub(super) fn reopen(&mut self, has_model: bool) {
        let most = self.server.max_requests();
        let Some(state) = self.state.as_mut().filter(|_| self.goes_on) else { return };
        let rules = match has_model {
            true if state.finalized.is_none() => return,
            true => state.rules.clone(),
            false => DocumentPlan(repo::overview_rules()),
        };
        state.reopen(rules, format!("the limits of the site changed: {most} requests in all"));
    }

    /// Reads more of the site of a run that goes on, into its recording, and keeps what it used.
    pub(super) fn read_on(
        &mut self,
        folder: &DocumentRun,
        deadline: &Deadline,
        tell: Tell,
    ) -> Result<()> {
        let (Some(before), Some(start)) = (&self.site, self.source.address()) else {
            return Ok(());
        };
        let (n, most) = (before.used().requests, self.server.max_requests());
        let name = self.source.name();
        tell.waiting(&format!("reading more of {name}: {n} of at most {most} requests were sent"));
        let goal = self.plan.goal.as_deref().unwrap_or_default();
        let recording = folder.path.join(RECORDING);
        let rules = &self.plan.rules;
        let report = self.server.record_on(&start, (before, goal, rules), deadline, &recording)?;
        tell.read(&report);
        self.site = Some(report);
        folder.own_recording()?;
        match &self.state {
            Some(state) => folder.begin(&self.asked(&state.rules.0)?, state, None, false),
            None => Ok(()),
        }
    }

    /// Returns the request to store for a run that begins with a pilot's rules, or resumes.
    pub(super) fn asked(&self, rules: &[Rule]) -> Result<RunRequest> {
        let root = self.source.absolute()?;
        let mut settings = self.settings.values();
        if let Some(prices) = settings.get_mut("prices") {
            // The run may be resumed from another folder.
            *prices = fs::canonicalize(&*prices)
                .map_or_else(|_| prices.clone(), |path| path.display().to_string());
        }
        // The recording alone has an address with a secret.
        let is_shown = |name: String| Sanitized::line(&name).into_string() == name;
        let start = self.source.address().map(String::from);
        Ok(RunRequest {
            root,
            start: start.filter(|start| is_shown(decoded(start))),
            site: self.site.clone(),
            known: self.known.clone(),
            server: self.server.clone(),
            plan: self.plan.to_yaml().into_string(),
            rules: if self.state.is_some() { self.first_rules.clone() } else { rules.to_vec() },
            no_history: self.no_history,
            diff: self.diff.clone(),
            goal_is_synthetic: self.goal_is_synthetic,
            settings,
        })
    }
}

/// Checks that the globs of flags match something: a misspelled `--exclude` would show files that
/// should be hidden. A first reading that goes on has them in its rules.
pub(super) fn check_globs(
    args: &ExploreArgs,
    task: &Task,
    repo: &Judged,
    tell: &Tell,
) -> Result<()> {
    let site = task.site.as_ref();
    for glob in &args.include {
        check_flag(repo, "--include", &Rule::new(glob, LevelRange::ANY))?;
    }
    // Pages that were not read for a glob are on no map.
    let is_left_out = |glob: &&str| site.is_some_and(|site| site.has_left_out(glob));
    let goes_on = args.resume.is_some() && task.state.is_none();
    let stored = task.plan.rules.iter().filter(|rule| goes_on && repo::is_exclusion(rule));
    let asked = args.exclude.iter().map(String::as_str);
    let excluded = asked.chain(stored.map(|rule| rule.path.as_str()));
    let hidden = HiddenPaths::default();
    for glob in excluded.filter(|glob| !is_left_out(glob)) {
        match unmatched::unmatched(repo, &Rule::new(glob, LevelRange::ANY), &hidden)? {
            // The scan hides it already.
            Some(unmatched) if unmatched.is_hidden => {
                tell.line(&format!("--exclude: {}", unmatched.message))
            }
            Some(unmatched) => return Err(usage("--exclude", unmatched.message)),
            None => {}
        }
    }
    let of_plan = task
        .plan
        .rules
        .iter()
        .filter(|rule| !args.exclude.contains(&rule.path) && !is_left_out(&rule.path.as_str()));
    if let (Some(file), Some(idle)) = (&args.plan, unmatched::idle_rules(repo, of_plan)?) {
        tell.line(&format!("{}: {idle}", plan_name(file)));
    }
    Ok(())
}

/// Returns what a run used of its site before it goes on.
fn used_before(folder: &DocumentRun, site: Option<&SiteReport>) -> Result<Resources> {
    let Some(site) = site else { return Ok(Resources::default()) };
    let lines = ledger_in(&folder.path)?.lines;
    let (visits, read) = (EffectLedger::new(&lines, Box::new(Vec::new())).used(), site.used());
    let (requests, bytes) = (visits.requests.max(read.requests), visits.bytes.max(read.bytes));
    Ok(Resources { requests, bytes, ..visits })
}

/// Says that a run has finished, and what it can still be asked for.
fn finished(folder: &DocumentRun, site: Option<&SiteReport>) -> String {
    let name = folder.name();
    let name = name.display();
    let more = site
        .and_then(SiteReport::way_out)
        .map_or_else(String::new, |flag| format!("; a larger `{flag}` reads more of the site"));
    format!("run {name} has finished (`navigator replay {name}` prints its context{more})")
}

/// The default time limit of a call: most replies of a provider take less than half a minute.
const CALL_TIME: Duration = Duration::from_secs(120);

/// The default time limit of a call to a self-hosted server, which may run on a CPU alone.
const OWN_CALL_TIME: Duration = Duration::from_secs(600);

/// The default time limit of a run with a model.
pub(super) const TIME_WITH_MODEL: Duration = Duration::from_secs(300);

fn set_format(args: &ExploreArgs, plan: &mut FlightPlan) {
    match args.format {
        Some(OutputFormat::Markdown) => plan.context.format = Format::Markdown,
        Some(OutputFormat::Xml) => plan.context.format = Format::Xml,
        Some(OutputFormat::Json) | None => {}
    }
}

/// The pilot and the limits of a run, settled before anything is read or written.
pub(super) struct Setup {
    pub(super) target: Option<ModelEndpoint>,
    pub(super) remote: Option<Remote>,
    pub(super) limit: Option<PicoUsd>,
    pub(super) turns: u32,
    pub(super) time: Option<Duration>,
    /// The purse that a model with a price is paid from too.
    #[cfg(feature = "store")]
    purse: Option<RunPurse>,
}

impl Setup {
    pub(super) fn of(settings: &Settings, is_dry_run: bool) -> Result<Setup> {
        let target = settings.target()?;
        let (time, call_time) = settings.times()?;
        let key = target.as_ref().and_then(|target| settings::key(&target.keys));
        match &target {
            Some(target)
                if target.is_vendor && !target.is_local && key.is_none() && !is_dry_run =>
            {
                return Err(usage(
                    "--model",
                    format!("no key for {} (set {})", target.name, target.key_names()),
                ));
            }
            None if is_dry_run => {
                return Err(usage(
                    "--dry-run",
                    "the offline pilot sends nothing (`--model PROVIDER/NAME` asks a model)"
                        .to_owned(),
                ));
            }
            _ => {}
        }
        let is_own = target.as_ref().is_some_and(|target| !target.is_vendor || target.is_local);
        let call_time = call_time.unwrap_or(if is_own { OWN_CALL_TIME } else { CALL_TIME });
        let remote = target.clone().map(|target| Remote::new(target, key, call_time)).transpose();
        Ok(Setup {
            remote: remote.map_err(|error| usage("--model", error.to_string()))?,
            limit: settings.budget()?,
            turns: settings.max_turns()?,
            time: time.or(target.is_some().then_some(TIME_WITH_MODEL)),
            #[cfg(feature = "store")]
            purse: match &target {
                Some(target) if !target.price.is_free() => RunPurse::of(settings)?,
                _ => None,
            },
            target,
        })
    }

    /// Makes the setup of a run without a model, whatever the settings say.
    #[cfg(feature = "mcp")]
    pub(super) fn offline(turns: u32, time: Option<Duration>) -> Setup {
        Setup {
            target: None,
            remote: None,
            limit: None,
            turns,
            time,
            #[cfg(feature = "store")]
            purse: None,
        }
    }

    /// Returns the name of the purse that pays too.
    pub(super) fn purse(&self) -> Option<&str> {
        #[cfg(feature = "store")]
        let purse = self.purse.as_ref().map(RunPurse::name);
        #[cfg(not(feature = "store"))]
        let purse = None;
        purse
    }

    /// Returns the limit of spend.
    pub(super) fn limit(&self) -> PicoUsd {
        self.limit.unwrap_or(PicoUsd::DEFAULT_LIMIT)
    }

    /// Returns the ledger of a run, after a line with its prices and its account in a purse. `run`
    /// names the run for those who look at the purse.
    pub(super) fn ledger<'j>(
        &self,
        limit: PicoUsd,
        lines: &[LedgerLine],
        journal: &'j mut dyn Journal,
        run: Option<&Path>,
    ) -> Result<Ledger<'j>> {
        let price = self.target.as_ref().map(|target| target.price.clone()).unwrap_or_default();
        let ledger = Ledger::new(limit, price, lines, journal);
        let mut ledger = self.with_purse(ledger, lines, run)?;
        let line = opened(self.target.as_ref(), limit, ledger.account().cloned());
        ledger.note(&line).context("writing the ledger")?;
        Ok(ledger)
    }

    #[cfg(feature = "store")]
    fn with_purse<'j>(
        &self,
        ledger: Ledger<'j>,
        lines: &[LedgerLine],
        run: Option<&Path>,
    ) -> Result<Ledger<'j>> {
        let Some(purse) = &self.purse else { return Ok(ledger) };
        let run = run.map_or_else(
            || "a run without a folder".to_owned(),
            |run| format!("run {}", run.display()),
        );
        Ok(ledger.with_purse(Box::new(purse.open(lines, &run)?)))
    }

    #[cfg(not(feature = "store"))]
    fn with_purse<'j>(
        &self,
        ledger: Ledger<'j>,
        lines: &[LedgerLine],
        _run: Option<&Path>,
    ) -> Result<Ledger<'j>> {
        let spends_from =
            |line: &LedgerLine| matches!(line, LedgerLine::Opened { purse: Some(_), .. });
        if lines.iter().any(spends_from) {
            bail!(
                "the run spends from a purse, and this program was built without the feature \
                 `store`"
            );
        }
        Ok(ledger)
    }

    /// Returns the pilot that asks the model.
    pub(super) fn pilot<'j>(
        &self,
        remote: Remote,
        ledger: Ledger<'j>,
        tell: Tell,
    ) -> Result<ModelPilot<'j>> {
        let Some(target) = &self.target else { bail!("there is no model to ask") };
        let waiting = Box::new(move |line: &str| tell.waiting(line));
        Ok(ModelPilot::new(Box::new(remote), ledger, ModelLimits::of(target), waiting))
    }

    /// Returns the pilot of a walk that asks the model.
    pub(super) fn walker<'j>(
        &self,
        remote: Remote,
        ledger: Ledger<'j>,
        tell: Tell,
    ) -> Result<ModelWalker<'j>> {
        let Some(target) = &self.target else { bail!("there is no model to ask") };
        let waiting = Box::new(move |line: &str| tell.waiting(line));
        Ok(ModelWalker::new(Box::new(remote), ledger, ModelLimits::of(target), waiting))
    }
}

/// Returns the first line of a ledger, or of the part of a resumed run.
fn opened(
    target: Option<&ModelEndpoint>,
    limit: PicoUsd,
    purse: Option<PurseAccount>,
) -> LedgerLine {
    let soft = target.and_then(ModelEndpoint::soft_hold);
    LedgerLine::Opened {
        pilot: target.map_or("offline", |target| target.name.as_str()).to_owned(),
        limit_pico_usd: limit,
        prices_as_of: target.and_then(|target| target.prices_as_of.clone()),
        price: target.map_or_else(Price::default, |target| target.price.clone()),
        hold: soft.map_or_else(|| "hard".to_owned(), |why| format!("soft: {why}")),
        purse,
    }
}
