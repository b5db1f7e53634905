//! One `navigator explore` as a sequence of values: the request, the scanned repository, the
//! result.

use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Result, anyhow, bail};
use repo_map::cli::{Exit, changed_since, nothing_found, say, write_out};
use repo_map::scan::FileId;
use repo_map::{CancelToken, Options, RuleLayers, html};
use site_map::source::http::crawl_report::CrawlStep;
use site_map::source::http::fetcher::Fetcher;
use tempfile::TempDir;

use crate::app::cli::ExploreArgs;
use crate::app::cli::advice::stop_line;
use crate::app::cli::first_reading::{FirstReading, OpenKnowledge};
use crate::app::cli::listing::DocumentRun;
use crate::app::cli::observer::{CliObserver, watch_for_interrupt};
use crate::app::cli::outcome::{Findings, OutputPaths, finish, first_error, write_to};
use crate::app::cli::progress::{Tell, TurnDetail};
use crate::app::cli::recording::{Bounds, Story};
use crate::app::cli::task::{Setup, Task, check_globs};
use crate::app::cli::visits;
use crate::app::run_folder::RECORDING;
use crate::app::source::documents::{Documents, RunSource};
use crate::app::source::site::ReadingRequest;
use crate::app::source::site_report::{SiteReport, section};
use crate::model::remote::Remote;
use crate::money::effect_ledger::EffectLedger;
use crate::money::ledger::{Journal, LedgerLine};
use crate::navigator::Navigator;
use crate::pilot::offline::{OfflinePilot, offline_rules};
use crate::run::deadline::{Deadline, POLL};
use crate::run::explore::{Exploration, Limits};
use crate::run::pilot::Pilot;
use crate::run::state::State;
use crate::run::stop::Stop;
use crate::run::terrain::Terrain as _;
use crate::terrain::repo::{Repository, path_rules};
use crate::terrain::site::{DocumentPlan, DocumentTerrain};

/// The request, settled before anything is read.
pub(super) struct Session<'a> {
    args: &'a ExploreArgs,
    task: Task,
    setup: Setup,
    tell: Tell,
    /// The folder of the run.
    folder: Option<DocumentRun>,
    /// A failure to store the run is only reported, and the context still delivered.
    may_be_lost: bool,
    cancel: CancelToken,
    deadline: Deadline,
    places: OutputPaths,
    /// The folder of the recording of a site that was read.
    recording: Option<TempDir>,
    /// What read the site, for visits to more pages.
    fetcher: Option<Fetcher>,
    /// The run is in its folder since its site was read.
    has_begun: bool,
    /// What a site had that is not shown when it was opened.
    left_out: Option<String>,
}

impl<'a> Session<'a> {
    /// Settles task, pilot, limits and run folder.
    pub(super) fn open(args: &'a ExploreArgs, open: OpenKnowledge) -> Result<Session<'a>> {
        let resumed = args.resume.as_deref().map(DocumentRun::open).transpose()?;
        let mut task = match &resumed {
            Some(folder) => Task::resumed(args, folder)?,
            None => Task::new(args, open)?,
        };
        let setup = Setup::of(&task.settings, args.dry_run)?;
        task.reopen(setup.target.is_some());
        let tell = Tell { quiet: args.quiet, events: args.events };
        // Without a model nothing is spent. If the user did not ask for storage, a failure to store
        // is reported and the context still delivered.
        let may_be_lost = setup.target.is_none() && args.out.is_none() && args.resume.is_none();
        let folder = match (resumed, &args.out) {
            (Some(folder), _) => Some(folder),
            (None, _) if args.dry_run => None,
            (None, Some(path)) => Some(DocumentRun::at(path)?),
            (None, None) if may_be_lost => tell.kept(true, DocumentRun::create())?,
            (None, None) => Some(DocumentRun::create().map_err(|error| {
                anyhow!(
                    "there is no place for the ledger, and a model is not asked without one: \
                    {error:#} (`--out DIR` names a place)"
                )
            })?),
        };
        let cancel = CancelToken::new();
        watch_for_interrupt(&cancel, tell);
        let is_local = task.state.is_some() || !matches!(task.source, RunSource::Address(_));
        tell.started(setup.target.as_ref(), setup.limit, setup.purse(), is_local);
        let deadline = Deadline::new(setup.time, cancel.clone());
        let places = OutputPaths::of(args);
        Ok(Session {
            args,
            task,
            setup,
            tell,
            folder,
            may_be_lost,
            cancel,
            deadline,
            places,
            recording: None,
            fetcher: None,
            has_begun: false,
            left_out: None,
        })
    }

    /// Scans the repository. A scan that is cancelled gives the overview or, if there is to be no
    /// run, the exit code.
    pub(super) fn scan(mut self) -> Result<ControlFlow<Exit, Scanned<'a>>> {
        let opened = self.open_repository();
        // Without a repository the run never began.
        let is_open = matches!(opened, Ok(Ok(_))) || self.task.state.is_some();
        if let Some(folder) = self.folder.take_if(|_| !is_open && !self.has_begun) {
            folder.give_up();
        }
        let (terrain, is_unread) = match opened? {
            Ok(opened) => opened,
            Err(stop) => {
                self.tell.waiting(&format!(
                    "{} during the scan: there is no context yet",
                    stop.as_str().replace('_', " ")
                ));
                return Ok(ControlFlow::Break(stop.exit()));
            }
        };
        let repo = terrain.repo();
        self.tell.scanned(repo, &self.task.source);
        if repo.n_files() == 0 {
            self.tell.line(&nothing_found(self.task.source.place()));
        }
        if let (Some(revision), Some(changed)) = (&self.task.diff, repo.changed()) {
            self.tell.line(&changed_since(revision, changed));
        }
        let remote = self.setup.remote.take().filter(|_| !is_unread);
        let terrain = DocumentTerrain::over(terrain);
        Ok(ControlFlow::Continue(Scanned { session: self, terrain, is_unread, remote }))
    }

    /// Returns the documents of the run. A site behind an address is read once, into a recording.
    fn documents(&mut self) -> Result<Documents> {
        let RunSource::Address(address) = &self.task.source else {
            return self.task.source.documents(self.args.shared.read.cache().as_ref());
        };
        if let Some(folder) = self.folder.as_ref().filter(|_| self.task.state.is_some()) {
            if self.task.goes_on && self.setup.target.is_none() {
                self.task.read_on(folder, &self.deadline, self.tell)?;
            }
            return self.task.source.clone().of_run(&folder.path).documents(None);
        }
        let (flags, address) = (&self.task.server, address.display().to_string());
        let (name, most) = (self.task.source.name(), flags.max_requests());
        self.tell.waiting(&format!("reading {name}: at most {most} requests"));
        let kept = tempfile::tempdir()?;
        let file = kept.path().join(RECORDING);
        let mut reading = FirstReading::of(
            self.folder.as_ref(),
            (self.task.asked(&[])?, self.task.plan.rules.clone()),
            (self.args.resume.is_some(), self.may_be_lost),
        )?;
        let before = reading.before();
        let request = ReadingRequest {
            address: &address,
            goal: self.task.plan.goal.as_deref().unwrap_or_default(),
            rules: &self.task.plan.rules,
            known: &self.task.known,
            is_confined: false,
            keeps_back: self.setup.target.is_some(),
            before: before.as_deref(),
        };
        let keep = |step: &CrawlStep<'_>| reading.keep(step, self.tell);
        let (report, fetcher) = flags.record(&request, &self.deadline, &file, keep)?;
        self.has_begun = reading.has_begun();
        self.tell.read(&report);
        (self.task.site, self.fetcher) = (Some(report), Some(fetcher));
        self.recording = Some(kept);
        RunSource::Recording(file).documents(None)
    }

    /// Opens the repository; the flag is set if no file was read.
    fn open_repository(&mut self) -> Result<Result<(Repository, bool), Stop>> {
        let documents = self.documents()?;
        let options = Options { watcher: self.tell.watcher(), ..self.options() };
        self.left_out = documents.left_out();
        let Session { args, task, tell, left_out, .. } = &*self;
        left_out.iter().for_each(|note| tell.line(note));
        let mut opened = match scan(&documents, task, options.clone(), &self.deadline)? {
            Err(stop) if task.state.is_none() && !args.dry_run => {
                tell.waiting(&format!(
                    "{} during the scan: the context shows the {} from above",
                    stop.as_str().replace('_', " "),
                    documents.noun()
                ));
                let options = Options { watcher: None, ..options };
                Ok((documents.open_unread(task.plan.clone(), &options)?, true))
            }
            scanned => scanned.map(|terrain| (terrain, false)),
        };
        if let Ok((terrain, _)) = &mut opened {
            let checked = check_globs(args, task, terrain.repo(), tell);
            if checked.is_err() && args.resume.is_none() && self.has_begun {
                // A request that is refused is no run.
                self.has_begun = self.folder.as_ref().is_some_and(|one| one.empty().is_err());
            }
            checked?;
        }
        Ok(opened)
    }

    /// Returns the options by which the documents are opened.
    fn options(&self) -> Options {
        let Session { args, task, .. } = self;
        let own = task
            .source
            .folder()
            .map(|folder| self.places.within(folder, args, self.folder.as_ref()));
        Options {
            cache: args.shared.read.cache(),
            ignored: own.unwrap_or_default(),
            diff: task.diff.clone(),
            without_goal: task.goal_is_synthetic,
            history: !task.no_history,
            stdout: if args.output.is_none() { FileId::of_stdout() } else { None },
            ..Options::default()
        }
    }
}

/// Scans the documents in a thread of its own, so that a cancellation or the deadline ends the wait
/// for a huge tree.
fn scan(
    documents: &Documents,
    task: &Task,
    options: Options,
    deadline: &Deadline,
) -> Result<Result<Repository, Stop>> {
    let (send, receive) = mpsc::channel();
    let (documents, plan) = (documents.clone(), task.plan.clone());
    let cancel = CancelToken::new();
    let options = Options { cancel: cancel.clone(), ..options };
    // If the run ended first, the receiver is gone.
    thread::spawn(move || drop(send.send(documents.open(plan, &options))));
    loop {
        match receive.recv_timeout(POLL) {
            Ok(opened) => return Ok(Ok(opened?)),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(stop) = deadline.expired() {
                    cancel.cancel();
                    return Ok(Err(stop));
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                bail!("the scan of {} broke off", task.source.place().display())
            }
        }
    }
}

/// A scanned repository with the session.
pub(super) struct Scanned<'a> {
    session: Session<'a>,
    terrain: DocumentTerrain,
    /// No file was read: the map is the overview.
    is_unread: bool,
    remote: Option<Remote>,
}

impl<'a> Scanned<'a> {
    /// Runs until the pilot finalizes, a limit is reached or the person ends the run.
    pub(super) fn run(mut self) -> Result<Explored<'a>> {
        let state = self.first_state()?;
        let (lines, journal) = self.begin(&state)?;
        // Money and effects share one journal.
        let journal: Arc<Mutex<Box<dyn Journal>>> = Arc::new(Mutex::new(journal));
        let mut effects = EffectLedger::new(&lines, Box::new(Arc::clone(&journal)));
        self.connect(&mut effects)?;
        let Scanned { mut session, mut terrain, remote, .. } = self;
        let Session { args, setup, tell, .. } = &session;
        let limit = setup.limit();
        let mut for_money = Arc::clone(&journal);
        let run = session.folder.as_ref().map(DocumentRun::name);
        let ledger = setup.ledger(limit, &lines, &mut for_money, run.as_deref());
        let mut pilot: Box<dyn Pilot<DocumentTerrain> + '_> = match remote {
            Some(remote) => Box::new(setup.pilot(remote, ledger?, *tell)?),
            None => {
                tell.kept(session.may_be_lost, ledger)?;
                Box::new(OfflinePilot::new(limit))
            }
        };
        let limits = session.limits(terrain.n_unread().is_some());
        let mut observer = CliObserver {
            tell,
            folder: session.folder.as_ref(),
            is_free: setup.target.is_none(),
            plan: &session.task.plan,
            interactive: args.interactive,
            detail: match setup.target {
                _ if args.interactive => TurnDetail::Full,
                None if !args.verbose => TurnDetail::Together,
                _ => TurnDetail::Line,
            },
            turns: Vec::new(),
            asked_before: false,
            interrupted: &session.cancel,
            story: args.report.as_ref().map(|_| Story::default()),
        };
        let mut found = Navigator::new(&mut terrain)
            .from_state(state)
            .limits(limits)
            .effects(effects)
            .observer(&mut observer)
            .explore(pilot.as_mut())?;
        tell.turns(&observer.turns);
        let (story, pilot) = (observer.story, pilot.name().to_owned());
        if let Some(site) = &session.task.site {
            let after = site.after(&found.state.log, found.used, terrain.n_unread());
            if after != *site {
                tell.read(&after);
            }
            session.task.site = Some(after);
        }
        let left_out = terrain.site().map_or(session.left_out.take(), |site| site.left_out());
        let about = section(session.task.site.as_ref(), left_out.as_deref());
        found.summary = format!("{}{about}", found.summary).into();
        Ok(Explored { session, terrain, found, story, pilot, lines })
    }

    /// Returns the state before the first turn.
    fn first_state(&mut self) -> Result<State<DocumentPlan>> {
        Ok(match &self.session.task.state {
            Some(state) => state.clone(),
            None if self.is_unread => {
                State { rules: DocumentPlan(path_rules()), ..self.terrain.first_state() }
            }
            None if self.remote.is_some() => {
                let limits =
                    Limits { turns: Limits::default().turns, ..self.session.limits(false) };
                let rules = offline_rules(&mut self.terrain, &limits)?;
                State { rules, ..self.terrain.first_state() }
            }
            None => self.terrain.first_state(),
        })
    }

    /// Writes the request and the initial state of the run, and opens its ledger. A run without a
    /// folder cannot spend money.
    fn begin(
        &mut self,
        state: &State<DocumentPlan>,
    ) -> Result<(Vec<LedgerLine>, Box<dyn Journal>)> {
        let Session { task, tell, folder, may_be_lost, recording, has_begun, .. } =
            &mut self.session;
        let begun = folder.as_ref().map(|folder| {
            let recording = recording.as_ref().map(|kept| kept.path().join(RECORDING));
            let is_new = task.state.is_none() && !*has_begun;
            folder.begin(&task.asked(&state.rules.0)?, state, recording.as_deref(), is_new)?;
            folder.ledger()
        });
        let begun = begun.transpose();
        if let Some(folder) = folder.take_if(|_| begun.is_err()) {
            folder.give_up();
        }
        let kept = tell.kept(*may_be_lost, begun)?.flatten();
        Ok(kept.unwrap_or_else(|| (Vec::new(), Box::new(Vec::new()))))
    }

    /// Lets the model visit pages of a site behind an address, if there is one.
    fn connect(&mut self, effects: &mut EffectLedger<'_>) -> Result<()> {
        let Scanned { session, terrain, remote, .. } = self;
        let (options, fetcher) = (session.options(), session.fetcher.take());
        let Session { task, folder, recording, .. } = session;
        let place = match (&*folder, &*recording) {
            (Some(folder), _) => folder.path.join(RECORDING),
            (None, Some(kept)) => kept.path().join(RECORDING),
            (None, None) => return Ok(()),
        };
        let (Some(_), Some(site)) = (&remote, &task.site) else { return Ok(()) };
        visits::connect(terrain, (task, site), fetcher, &place, effects, options)?;
        folder.as_ref().map_or(Ok(()), DocumentRun::own_recording)
    }

    /// Prints the first request for a person. Sends nothing.
    pub(super) fn dry_run(mut self) -> Result<Exit> {
        let state = self.first_state()?;
        let mut effects = EffectLedger::default();
        self.connect(&mut effects)?;
        let Scanned { session, mut terrain, remote, .. } = self;
        let mut journal = Vec::new();
        let ledger = session.setup.ledger(session.setup.limit(), &[], &mut journal, None)?;
        let Some(remote) = remote else { bail!("there is no model to ask") };
        let mut pilot = session.setup.pilot(remote, ledger, session.tell)?;
        let resources = session.limits(terrain.n_unread().is_some()).resources;
        let limits = Limits {
            turns: session.setup.turns,
            resources: resources.left(effects.used()),
            ..Limits::default()
        };
        let seen = Navigator::new(&mut terrain)
            .from_state(state)
            .limits(limits)
            .preview(|turn| pilot.first_request(turn))?;
        terrain.repo().save_cache();
        match seen {
            Ok((request, body, bound)) => {
                write_out(None, &request.stable)?;
                write_out(None, &"\n".into())?;
                write_out(None, &request.turn)?;
                say(format!(
                    "navigator: nothing was sent to {}: a request of {} bytes, about {}, at most \
                     {} ({} tokens of input and {} of output)",
                    Pilot::<DocumentTerrain>::name(&pilot),
                    body.len(),
                    bound.projected_pico_usd.rounded(),
                    bound.reserved_pico_usd.rounded(),
                    bound.input_tokens,
                    bound.output_tokens
                ));
                Ok(Exit::Finished)
            }
            Err(Stop::SpendLimit { needed, left }) => {
                let (needed, left) = (needed.rounded(), left.rounded_down());
                say(format!(
                    "navigator: no request would be sent: it could cost {needed}, the limit is \
                     {left} (raise `--budget`)"
                ));
                Ok(Exit::SpendLimit)
            }
            Err(stop) => {
                say(format!("navigator: no request would be sent: {}", stop_line(&stop)));
                Ok(stop.exit())
            }
        }
    }
}

impl Session<'_> {
    /// Returns the remaining limits of the run, and those of visits where there are any.
    fn limits(&self, has_visits: bool) -> Limits {
        let site = self.task.site.as_ref().filter(|_| has_visits);
        Limits {
            turns: self.setup.turns,
            time: self.deadline.left(),
            cancel: self.cancel.clone(),
            resources: site.map(SiteReport::limits).unwrap_or_default(),
            allow: site.and_then(|_| visits::allowed(&self.task)).into_iter().collect(),
        }
    }
}

/// The result of a session.
pub(super) struct Explored<'a> {
    session: Session<'a>,
    terrain: DocumentTerrain,
    found: Exploration<DocumentTerrain>,
    /// The recording for the page; `None` if no page was requested.
    story: Option<Story>,
    pilot: String,
    /// The lines of the ledger when this process began.
    lines: Vec<LedgerLine>,
}

impl Explored<'_> {
    /// Writes all outputs of the run and returns the exit code. A failure to write the page is
    /// reported and does not affect other outputs.
    pub(super) fn deliver(self) -> Result<Exit> {
        let Session { args, task, tell, folder, places, may_be_lost, .. } = &self.session;
        let (repo, site) = (self.terrain.repo(), task.site.as_ref());
        let found = Findings { repo, found: &self.found, site };
        let (exit, written) = finish(args, &found, places, folder.as_ref(), *may_be_lost, *tell);
        if let Err(error) = self.write_page() {
            say(format!("navigator: {error:#}"));
        }
        self.terrain.repo().save_cache();
        first_error(written)?;
        Ok(site.map_or(exit, |site| site.exit(exit)))
    }

    fn write_page(&self) -> Result<()> {
        let Explored { session, found, .. } = self;
        let Some(story) = self.story.as_ref().filter(|_| found.stop != Stop::Quit) else {
            return Ok(());
        };
        let bounds = Bounds { turns: session.setup.turns, time: session.setup.time };
        let mut told = story.told(found, &self.pilot, bounds, &self.lines);
        told.facts.extend(session.task.site.iter().flat_map(SiteReport::facts));
        let layers = RuleLayers { person: &found.state.bounds.0, pilot: &found.state.rules.0 };
        write_to(session.places.page.as_ref(), || {
            Ok(html::page(self.terrain.repo(), &found.map, layers, &told)?)
        })
    }
}
