//! The request of a session, settled before anything is read.

use anyhow::{Result, anyhow};
use repo_map::scan::FileId;
use repo_map::{CancelToken, Options};
use site_map::source::http::fetcher::Fetcher;
use tempfile::TempDir;

use crate::app::cli::explore::args::ExploreArgs;
use crate::app::cli::first_reading::OpenKnowledge;
use crate::app::cli::listing::DocumentRun;
use crate::app::cli::observer::watch_for_interrupt;
use crate::app::cli::outcome::OutputPaths;
use crate::app::cli::progress::Tell;
use crate::app::cli::task::{Setup, Task};
use crate::app::cli::visits;
use crate::app::source::documents::RunSource;
use crate::app::source::site_report::SiteReport;
use crate::run::deadline::Deadline;
use crate::run::explore::Limits;

/// The request, settled before anything is read.
pub(in crate::app::cli) struct Session<'a> {
    pub(super) args: &'a ExploreArgs,
    pub(super) task: Task,
    pub(super) setup: Setup,
    pub(super) tell: Tell,
    /// The folder of the run.
    pub(super) folder: Option<DocumentRun>,
    /// A failure to store the run is only reported, and the context still delivered.
    pub(super) may_be_lost: bool,
    pub(super) cancel: CancelToken,
    pub(super) deadline: Deadline,
    pub(super) places: OutputPaths,
    /// The folder of the recording of a site that was read.
    pub(super) recording: Option<TempDir>,
    /// What read the site, for visits to more pages.
    pub(super) fetcher: Option<Fetcher>,
    /// The run is in its folder since its site was read.
    pub(super) has_begun: bool,
    /// What a site had that is not shown when it was opened.
    pub(super) left_out: Option<String>,
}

impl<'a> Session<'a> {
    /// Settles task, pilot, limits and run folder.
    pub(in crate::app::cli) fn open(
        args: &'a ExploreArgs,
        open: OpenKnowledge,
    ) -> Result<Session<'a>> {
        let resumed = args.resume.as_deref().map(DocumentRun::open).transpose()?;
        let mut task = match &resumed {
            Some(folder) => Task::resumed(args, folder)?,
            None => Task::new(args, open)?,
        };
        let setup = Setup::of(&task.settings, args.dry_run)?;
        task.reopen(setup.target.is_some());
        let tell = args.tell();
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

    /// Returns the options by which the documents are opened.
    pub(super) fn options(&self) -> Options {
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

    /// Returns the remaining limits of the run, and those of visits where there are any.
    pub(super) fn limits(&self, has_visits: bool) -> Limits {
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
