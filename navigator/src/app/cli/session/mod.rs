//! One `navigator explore` as a sequence of values: the request, the scanned repository, the
//! result.

mod explored;
mod scanned;

use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use anyhow::{Result, anyhow, bail};
use repo_map::cli::{Exit, changed_since, nothing_found};
use repo_map::scan::FileId;
use repo_map::{CancelToken, Options};
use site_map::source::http::crawl_report::CrawlStep;
use site_map::source::http::fetcher::Fetcher;
use tempfile::TempDir;

use crate::app::cli::first_reading::{FirstReading, OpenKnowledge};
use crate::app::cli::listing::DocumentRun;
use crate::app::cli::observer::watch_for_interrupt;
use crate::app::cli::outcome::OutputPaths;
use crate::app::cli::progress::Tell;
use crate::app::cli::session::scanned::Scanned;
use crate::app::cli::task::{Setup, Task, check_globs};
use crate::app::cli::{ExploreArgs, visits};
use crate::app::run_folder::RECORDING;
use crate::app::source::documents::{Documents, RunSource};
use crate::app::source::site::ReadingRequest;
use crate::app::source::site_report::SiteReport;
use crate::run::deadline::{Deadline, POLL};
use crate::run::explore::Limits;
use crate::run::stop::Stop;
use crate::terrain::repo::Repository;
use crate::terrain::site::DocumentTerrain;

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
