//! One `navigator explore` as a sequence of values: the request, the scanned repository, the
//! result.

mod explored;
mod scanned;
pub(super) mod settled;

use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use anyhow::{Result, bail};
use repo_map::cli::{Exit, changed_since, nothing_found};
use repo_map::{CancelToken, Options};
use site_map::source::http::crawl_report::CrawlStep;

use crate::app::cli::explore::session::scanned::Scanned;
use crate::app::cli::explore::session::settled::Session;
use crate::app::cli::first_reading::FirstReading;
use crate::app::cli::task::{Task, check_globs};
use crate::app::run_folder::RECORDING;
use crate::app::source::documents::{Documents, RunSource};
use crate::app::source::site::ReadingRequest;
use crate::run::deadline::{Deadline, POLL};
use crate::run::stop::Stop;
use crate::terrain::repo::Repository;
use crate::terrain::site::DocumentTerrain;

impl<'a> Session<'a> {
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
            self.tell.line(&changed_since(revision, &changed));
        }
        let remote = self.setup.remote.take().filter(|_| !is_unread);
        let terrain = DocumentTerrain::over(terrain);
        Ok(ControlFlow::Continue(Scanned { session: self, terrain, is_unread, remote }))
    }

    /// Returns the documents of the run. A site behind an address is read once, into a recording.
    fn documents(&mut self) -> Result<Documents> {
        let watcher = self.tell.reader_watcher();
        let RunSource::Address(address) = &self.task.source else {
            let cache = self.args.shared.read.cache();
            return self.task.source.documents(cache.as_ref(), watcher.as_ref());
        };
        if let Some(folder) = self.folder.as_ref().filter(|_| self.task.state.is_some()) {
            if self.task.goes_on && self.setup.target.is_none() {
                self.task.read_on(folder, &self.deadline, self.tell)?;
            }
            let recorded = self.task.source.clone().of_run(&folder.path);
            return recorded.documents(None, watcher.as_ref());
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
        RunSource::Recording(file).documents(None, watcher.as_ref())
    }

    /// Opens the repository; the flag is set if no file was read.
    fn open_repository(&mut self) -> Result<Result<(Repository, bool), Stop>> {
        let documents = self.documents()?;
        let options = Options { watcher: self.tell.watcher(), ..self.options() };
        self.left_out = documents.left_out();
        let Session { args, task, tell, left_out, .. } = &*self;
        left_out.iter().for_each(|note| tell.line(note));
        if task.site.is_some() && documents.are_empty() {
            tell.line(
                "no page has content over HTTP (`navigator browse URL --browser` reads pages that \
                 JavaScript builds)",
            );
        }
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
