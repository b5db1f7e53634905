//! `navigator browse`: walks a site page by page, and delivers what was extracted.

pub(super) mod args;
mod request;
mod resume;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, bail};
use repo_map::cli::{Exit, TableFormat, check_distinct, deliver, say, write_out};
use repo_map::{CancelToken, Sanitized};
use site_map::address::decoded;
use site_map::source::recording::RecordingWriter;
use site_map::source::response::way_in;
use tempfile::TempDir;

use crate::app::cli::advice::stop_line;
use crate::app::cli::browse::args::BrowseArgs;
use crate::app::cli::browse::request::{new_request, resumed_request};
use crate::app::cli::knowledge::sources::open;
use crate::app::cli::observer::watch_for_interrupt;
use crate::app::cli::progress::Tell;
use crate::app::cli::task::Setup;
use crate::app::cli::walk::asker::Asker;
use crate::app::cli::walk::live::LiveWalk;
use crate::app::cli::walk::observer::{BrowseObserver, LastEffect};
#[cfg(feature = "browser")]
use crate::app::cli::walk::retaken;
use crate::app::cli::walk::run::{WalkRequest, WalkRun, no_first_page, start_of, stored_start};
#[cfg(feature = "browser")]
use crate::app::cli::walk::sent_again;
use crate::app::cli::walk::world::WalkWorld;
use crate::app::run_folder::{self, CONTEXT, RECORDING, REPORT, SECURITY_LOG, SUMMARY};
use crate::app::source::documents::RunSource;
use crate::app::terminal;
use crate::knowledge::model::Knowledge;
use crate::knowledge::walks::gap_walker::GapWalker;
use crate::knowledge::walks::known_way::NamedWay;
use crate::money::effect::{Effect, ResourceLimits, Resources};
use crate::money::effect_ledger::{EffectLedger, EffectRefusal};
use crate::money::ledger::{Journal, LedgerLine};
use crate::run::deadline::Deadline;
use crate::run::stop::Stop;
use crate::walk::pilot::first_steps::FirstSteps;
use crate::walk::pilot::offline::OfflineWalker;
use crate::walk::pilot::{WalkDecision, WalkPilot, WalkTurn};
use crate::walk::report::WalkReport;
use crate::walk::rerun::Retaken;
use crate::walk::rerun::retrace::retrace;
use crate::walk::session::{Move, Moved, WalkSession as _};
use crate::walk::state::WalkState;
use crate::walk::steps::limits::WalkLimits;
use crate::walk::steps::{Walked, walk};

/// Walks, and returns the exit code.
pub(super) fn run(args: &BrowseArgs) -> Result<Exit> {
    if args.interactive && !terminal::is_there() {
        say("navigator: interactive mode needs a terminal; without `--interactive` the walk goes \
             by its limits alone");
        return Ok(Exit::NoTerminal);
    }
    let read = [&args.site, &args.knowledge, &args.goal_file].into_iter().flatten();
    let read = read.map(PathBuf::as_path).chain(args.server.files());
    #[cfg(feature = "browser")]
    let read = read.chain(args.pages.files());
    check_distinct(&[("--output", args.output.as_deref())], None, &read.collect::<Vec<_>>())?;
    let mut browse = Browse::open(args)?;
    #[cfg(feature = "browser")]
    if let (Some(folder), true) = (&browse.folder, browse.request.is_in_browser)
        && args.resume.is_some()
        && !args.send_again
        && let (state, _) = browse.goes_on_from()?
        && !sent_again::may(folder, (&browse.state, &state), args.interactive, &browse.cancel)?
    {
        return Ok(Exit::StoppedByPerson);
    }
    // A walk without a first page never begins.
    let first = match browse.first_page() {
        Ok(first) => first,
        Err(error) => {
            if let Some(folder) = browse.folder.take_if(|_| args.resume.is_none()) {
                folder.give_up();
            }
            return Err(error);
        }
    };
    match browse.walk(first)? {
        ControlFlow::Continue(walked) => browse.deliver(&walked),
        ControlFlow::Break(exit) => Ok(exit),
    }
}

/// A walk, settled before anything is read.
struct Browse<'a> {
    args: &'a BrowseArgs,
    request: WalkRequest,
    /// The address of the first page.
    start: String,
    state: WalkState,
    setup: Setup,
    tell: Tell,
    folder: Option<WalkRun>,
    /// A failure to store the walk is only reported.
    may_be_lost: bool,
    cancel: CancelToken,
    /// The place of the recording until the walk has begun, or is not kept.
    scratch: Option<TempDir>,
}

/// The first page of a walk, read before the walk begins.
struct FirstPage {
    session: WalkWorld,
    /// The effect of reading it.
    effect: Effect,
    moved: Moved,
    deadline: Deadline,
}

impl<'a> Browse<'a> {
    fn open(args: &'a BrowseArgs) -> Result<Browse<'a>> {
        let resumed = args.resume.as_deref().map(WalkRun::open).transpose()?;
        let (request, state, settings) = match &resumed {
            Some(folder) => resumed_request(args, folder)?,
            None => new_request(args)?,
        };
        let start = match (&resumed, &args.site) {
            (Some(folder), _) => stored_start(&request, &folder.path)?,
            (None, site) => {
                start_of(&RunSource::of(site.as_deref().unwrap_or(Path::new(".")))?, &request)?
            }
        };
        let mut setup = Setup::of(&settings, false)?;
        if !settings.values().contains_key("max_turns") {
            setup.turns = setup.turns.max(2 * request.max_steps);
        }
        let tell = args.tell();
        let may_be_lost = setup.target.is_none() && args.out.is_none() && args.resume.is_none();
        let folder = match (resumed, &args.out) {
            (Some(folder), _) => Some(folder),
            (None, Some(path)) => Some(WalkRun::at(path)?),
            (None, None) => tell.kept(may_be_lost, WalkRun::create())?,
        };
        let cancel = CancelToken::new();
        watch_for_interrupt(&cancel, tell);
        let is_local = !matches!(RunSource::of(&request.site)?, RunSource::Address(_));
        tell.started(setup.target.as_ref(), setup.limit, setup.purse(), is_local);
        Ok(Browse {
            args,
            request,
            start,
            state,
            setup,
            tell,
            folder,
            may_be_lost,
            cancel,
            scratch: None,
        })
    }

    /// Reads the first page of a new walk, before its folder takes the place of an earlier one. A
    /// walk that goes on has it.
    fn first_page(&mut self) -> Result<Option<FirstPage>> {
        // What `--allow` says is wrong before anything is read.
        self.live().permits()?;
        if self.args.resume.is_some() {
            return Ok(None);
        }
        let deadline = Deadline::new(self.setup.time, self.cancel.clone());
        let scratch = self.scratch.insert(tempfile::tempdir()?).path().join(RECORDING);
        let live = self.live();
        let mut session = match self.request.is_in_browser {
            true => {
                let log = scratch.with_file_name(SECURITY_LOG);
                live.in_browser(&scratch, &log, &self.state, Resources::default())?
            }
            false => live.over_http(&scratch, Resources::default())?,
        };
        let effect = session.effect(&Move::Start);
        let moved = session.go(&Move::Start, &deadline)?;
        let limit = self.request.server.max_requests();
        if !moved.is_done() && !self.request.is_in_browser && moved.used.requests >= limit {
            return Err(site_map::Error::limit_of_requests(&self.start, limit).into());
        }
        if !moved.is_done() {
            return Err(no_first_page(&self.request, &self.start, &moved.result).into());
        }
        Ok(Some(FirstPage { session, effect, moved, deadline }))
    }

    /// Walks; or returns the exit code if the walk cannot go on where it was.
    fn walk(&mut self, first: Option<FirstPage>) -> Result<ControlFlow<Exit, Walked>> {
        let is_new = self.args.resume.is_none();
        let recording = self.first_screens()?;
        let begun = self.folder.as_ref().map(|folder| {
            folder.begin(&self.request, &self.state, recording.as_deref(), is_new)?;
            folder.ledger()
        });
        let begun = self.tell.kept(self.may_be_lost, begun.transpose())?.flatten();
        let (lines, journal) = begun.unwrap_or_else(|| (Vec::new(), Box::new(Vec::new())));
        // Money and effects share one journal.
        let journal: Arc<Mutex<Box<dyn Journal>>> = Arc::new(Mutex::new(journal));
        let mut effects = EffectLedger::new(&lines, Box::new(Arc::clone(&journal)));
        let mut limits = self.limits()?;
        let mut for_money = Arc::clone(&journal);
        let known = self.knowledge()?;
        let pilot = self.pilot(known.as_ref(), &lines, &mut for_money)?;
        let mut observer = BrowseObserver {
            tell: self.tell,
            folder: self.folder.as_ref(),
            interactive: self.args.interactive,
            asker: self.args.ask_on_stdin.then(|| Asker::new(self.tell)),
            is_verbose: self.args.verbose || self.setup.target.is_some(),
            is_free: self.setup.target.is_none(),
            interrupted: &self.cancel,
            view_tokens: self.request.view_tokens,
            goal: &self.request.goal,
            last: LastEffect::default(),
        };
        let (mut state, refused) = self.goes_on_from()?;
        let mut pilot = self.taking_first(refused, &state, pilot);
        let mut session = match first {
            Some(first) => {
                limits.time = first.deadline.left();
                state.guarded.stopped(0, &first.moved.stopped);
                self.go_on(first, &mut effects, &limits.resources)?
            }
            None if !self.request.is_in_browser => self.resume(&mut state, effects.used())?,
            None => {
                let deadline = Deadline::new(limits.time, self.cancel.clone());
                let again = (&mut effects, &deadline);
                match self.resume_in_browser(&mut state, &limits, again, &mut observer)? {
                    ControlFlow::Continue(session) => {
                        limits.time = deadline.left();
                        session
                    }
                    ControlFlow::Break(Retaken::Stopped { stop, .. }) => {
                        let state = WalkState { ended: None, ..self.state.clone() };
                        let (purse, used) = (pilot.purse(), effects.used());
                        return Ok(ControlFlow::Continue(Walked::ended(state, stop, purse, used)));
                    }
                    ControlFlow::Break(_) => return Ok(ControlFlow::Break(self.stays())),
                }
            }
        };
        if let (Some(folder), false) = (&self.folder, is_new) {
            self.tell.kept(self.may_be_lost, folder.keep(&state).map_err(Into::into))?;
        }
        let walked = walk(
            &mut session,
            &self.request.goal,
            state,
            pilot.as_mut(),
            &limits,
            effects,
            &mut observer,
        )?;
        if walked.state.start.is_empty() {
            let why = match &walked.stop {
                Stop::ProviderFailed(why) => why.clone(),
                stop => stop_line(stop),
            };
            bail!("{}: {why}", Sanitized::line(&decoded(&self.start)));
        }
        Ok(ControlFlow::Continue(walked))
    }

    /// Goes on from the first page: what it used counts, and the folder has its recording.
    fn go_on(
        &self,
        first: FirstPage,
        effects: &mut EffectLedger<'_>,
        limits: &ResourceLimits,
    ) -> Result<WalkWorld> {
        let FirstPage { mut session, effect, moved: Moved { used, .. }, .. } = first;
        if effect == Effect::None {
            return Ok(session);
        }
        let reserved = effects.reserve(0, "start", &effect, used, limits);
        if let Err(EffectRefusal::Journal(error)) = reserved {
            return Err(error).context("writing the ledger");
        }
        effects.settle(used, true).context("writing the ledger")?;
        if let Some(folder) = &self.folder {
            session.record_in(RecordingWriter::resume(&folder.path.join(RECORDING))?);
            #[cfg(feature = "browser")]
            session.log_in(&folder.path.join(SECURITY_LOG)).context("moving the security log")?;
        }
        Ok(session)
    }

    /// Returns the recording that the folder begins with: of a new walk its first page; of one that
    /// goes on in a browser, its screens without those of a step that was cut short.
    fn first_screens(&mut self) -> Result<Option<PathBuf>> {
        #[cfg(feature = "browser")]
        if let (Some(folder), Some(_), true) =
            (&self.folder, &self.args.resume, self.request.is_in_browser)
        {
            self.scratch = retaken::whole_steps(&folder.path, &self.state)?;
        }
        let scratch = self.scratch.as_ref().map(|scratch| scratch.path().join(RECORDING));
        Ok(scratch.filter(|file| file.exists()))
    }

    fn live(&self) -> LiveWalk<'_> {
        LiveWalk {
            request: &self.request,
            start: &self.start,
            allow: &self.args.allow,
            #[cfg(feature = "browser")]
            tell: self.tell,
            #[cfg(feature = "browser")]
            is_rerun: false,
            #[cfg(feature = "browser")]
            flags: &self.args.pages,
        }
    }

    fn limits(&self) -> Result<WalkLimits> {
        let live = self.live();
        Ok(WalkLimits {
            steps: self.request.max_steps,
            turns: self.setup.turns,
            view_tokens: self.request.view_tokens,
            time: self.setup.time,
            cancel: self.cancel.clone(),
            resources: live.resources(),
            allow: live.permits()?,
        })
    }

    fn pilot<'j>(
        &mut self,
        known: Option<&'j Knowledge>,
        lines: &[LedgerLine],
        journal: &'j mut dyn Journal,
    ) -> Result<Box<dyn WalkPilot + 'j>> {
        let limit = self.setup.limit();
        if let (Some(known), Some(_)) = (known, &self.request.gaps_of) {
            return Ok(Box::new(GapWalker::new(known, limit)));
        }
        let run = self.folder.as_ref().map(WalkRun::name);
        let ledger = self.setup.ledger(limit, lines, journal, run.as_deref());
        let pilot: Box<dyn WalkPilot + 'j> = match self.setup.remote.take() {
            Some(remote) => Box::new(self.setup.walker(remote, ledger?, self.tell)?),
            None => {
                self.tell.kept(self.may_be_lost, ledger)?;
                Box::new(OfflineWalker::new(limit))
            }
        };
        let Some(mut way) = known.map(NamedWay::new) else { return Ok(pilot) };
        let next = move |turn: &WalkTurn<'_>| {
            let (action, why) = way.next(turn)?;
            Some(WalkDecision { actions: vec![action], why, ..WalkDecision::default() })
        };
        Ok(Box::new(FirstSteps::new(Box::new(next), pilot)))
    }

    /// Returns the knowledge whose gaps are filled, or whose ways a new walk in a browser goes.
    fn knowledge(&self) -> Result<Option<Knowledge>> {
        let goes_way = self.args.resume.is_none() && self.request.is_in_browser;
        let of_ways = self.args.knowledge.as_deref().filter(|_| goes_way);
        self.request.gaps_of.as_deref().or(of_ways).map(open).transpose()
    }

    /// Writes the outputs of the walk, and returns the exit code.
    fn deliver(self, walked: &Walked) -> Result<Exit> {
        let report = WalkReport::of(walked, &self.request.goal);
        let json = Sanitized::json_pretty(&report)?;
        let content = report.text();
        if walked.stop != Stop::Quit {
            let text = if self.args.format == TableFormat::Json { &json } else { &content };
            deliver("navigator", self.args.output.as_deref(), false, text)?;
        }
        let summary = report.summary(&self.request.goal);
        let files = [(CONTEXT, &content), (SUMMARY, &summary), (REPORT, &json)];
        let kept = self.folder.as_ref().map_or(Ok(()), |folder| {
            folder.own_recording()?;
            folder.leave(&files, &walked.state)
        });
        self.tell.kept(self.may_be_lost, kept)?;
        self.tell.walked(&report, &walked.stop, self.folder.as_ref().map(WalkRun::name));
        if let Some(way) = report.path_taken.iter().find_map(|step| way_in(&step.result)) {
            self.tell.line(way);
        }
        Ok(walked.stop.exit())
    }
}

/// Rebuilds a walk from its folder: the steps are taken again from the recording, and what they
/// extract is compared.
pub(super) fn replay(folder: &Path, is_check: bool, output: Option<&Path>) -> Result<Exit> {
    let (request, mut state) = run_folder::stored::<WalkRequest, WalkState>(folder)?;
    let start = stored_start(&request, folder)?;
    let source = RunSource::of(&request.site)?.of_run(folder);
    let Some(mut session) = WalkWorld::recorded(&source, &start, request.is_in_browser)? else {
        bail!("the walk has no recording");
    };
    let deadline = Deadline::new(None, CancelToken::new());
    let Some(step) = retrace(&mut session, &mut state, &deadline)? else {
        match is_check {
            true => write_out(None, &"identical\n".into())?,
            false => {
                let report = WalkReport::of_state(&state, &request.goal, Resources::default());
                deliver("navigator", output, false, &report.text())?;
            }
        }
        return Ok(Exit::Finished);
    };
    say(match (step, state.path.get(step.saturating_sub(1))) {
        (1.., Some(at)) => {
            format!("navigator: step {step} (`{}`) has another result now", at.action)
        }
        _ => "navigator: the first page is another one now".to_owned(),
    });
    if is_check {
        write_out(None, &"drifted\n".into())?;
    }
    Ok(Exit::Drifted)
}
