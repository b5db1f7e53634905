//! `navigator mcp`: the tools for agents and editors, over standard input and output.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use anyhow::{Result, anyhow, bail};
use repo_map::cli::{Exit, add_languages, say};
use repo_map::plan::Rule;
use repo_map::{FlightPlan, Options, RepoMap};

use super::McpArgs;
use super::listing::RepoRun;
use super::outcome::{Findings, keep};
use super::task::{Setup, Task};
use crate::app::mcp::{Explorer, Offline, Tools, Watch, serve};
use crate::app::settings::Settings;
use crate::app::source::documents::RunSource;
use crate::money::pico_usd::PicoUsd;
use crate::navigator::Navigator;
use crate::pilot::model_pilot::{ModelLimits, ModelPilot};
use crate::pilot::offline::offline_rules;
use crate::run::deadline::POLL;
use crate::run::explore::{Exploration, Limits};
use crate::run::observer::{Checkpoint, Directive, Observer};
use crate::run::report::TurnReport;
use crate::run::state::State;
use crate::run::stop::Stop;
use crate::terrain::repo::Repository;

/// Serves until standard input ends.
pub(super) fn run(args: &McpArgs) -> Result<Exit> {
    let settings = Settings::read(&args.model, args.tokens, None)?;
    let mut base = FlightPlan::default();
    base.context.tokens = settings.tokens()?.unwrap_or(base.context.tokens);
    args.read.apply(&mut base);
    add_languages("navigator", &mut base, &args.path);
    let options =
        Options { cache: args.read.cache(), history: !args.read.no_history, ..Options::default() };
    // A model needs a flag on the command line of the server: a model in the user's file is not
    // used.
    let explorer: Box<dyn Explorer<Repository>> = match &args.model.model {
        Some(_) => Box::new(WithModel::new(args, settings)?),
        None => Box::new(Offline { turns: settings.max_turns()?, time: settings.times()?.0 }),
    };
    match explorer.left() {
        Some(limit) => say(format!(
            "navigator: serving {} with a model, at most {limit} in all",
            args.path.display()
        )),
        None => {
            say(format!("navigator: serving {} without a model, at no cost", args.path.display()))
        }
    }
    serve(Tools::new(&args.path, base, options, explorer)?)?;
    Ok(Exit::Finished)
}

/// Explores with a model, with one limit of spend for the lifetime of the server. Each exploration
/// is a run with its own ledger on disk, as without a server.
struct WithModel {
    root: std::path::PathBuf,
    no_history: bool,
    settings: Settings,
    limit: PicoUsd,
    /// Locked by the running exploration.
    turn: Mutex<()>,
    /// The amount that counts as spent, in pico-USD.
    spent: Mutex<PicoUsd>,
}

impl WithModel {
    fn new(args: &McpArgs, settings: Settings) -> Result<WithModel> {
        // Check price, key and address of the model now, so that no call has to fail.
        let limit = Setup::of(&settings, false)?.limit();
        Ok(WithModel {
            root: args.path.clone(),
            no_history: args.read.no_history,
            settings,
            limit,
            turn: Mutex::default(),
            spent: Mutex::default(),
        })
    }
}

impl WithModel {
    fn spent(&self) -> MutexGuard<'_, PicoUsd> {
        // A panic elsewhere leaves the amount valid.
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other exploration runs; returns `None` if the call is cancelled meanwhile.
    fn wait_for_turn(&self, watch: &Watch) -> Option<MutexGuard<'_, ()>> {
        loop {
            match self.turn.try_lock() {
                Ok(turn) => return Some(turn),
                Err(TryLockError::Poisoned(turn)) => return Some(turn.into_inner()),
                Err(TryLockError::WouldBlock) if watch.is_cancelled() => return None,
                Err(TryLockError::WouldBlock) => std::thread::sleep(POLL),
            }
        }
    }
}

impl Explorer<Repository> for WithModel {
    fn left(&self) -> Option<PicoUsd> {
        let spent = *self.spent();
        Some(PicoUsd(self.limit.0.saturating_sub(spent.0)))
    }

    fn explore(
        &self,
        terrain: &mut Repository,
        state: State<Vec<Rule>>,
        budget: Option<PicoUsd>,
        watch: &Watch,
    ) -> Result<Exploration<Repository>> {
        let mut setup = Setup::of(&self.settings, false)?;
        let (Some(remote), Some(target)) = (setup.remote.take(), setup.target.clone()) else {
            bail!("there is no model to ask");
        };
        // One exploration at a time: its end determines the remainder for the next one.
        let Some(_turn) = self.wait_for_turn(watch) else {
            bail!("cancelled while another exploration ran")
        };
        let before = *self.spent();
        let left = PicoUsd(self.limit.0.saturating_sub(before.0));
        let limit = budget.map_or(left, |budget| budget.min(left));
        let task = Task {
            source: RunSource::Folder(self.root.clone()),
            site: None,
            plan: terrain.plan().clone(),
            no_history: self.no_history,
            diff: None,
            goal_is_synthetic: false,
            settings: self.settings.clone(),
            state: None,
            first_rules: Vec::new(),
        };
        let limits = Limits {
            turns: setup.turns,
            time: setup.time,
            cancel: watch.cancel.clone(),
            ..Limits::default()
        };
        let state = State { rules: offline_rules(terrain, &limits)?, ..state };
        let folder = RepoRun::create().map_err(|error| {
            anyhow!(
                "there is no place for the ledger: {error:#} \
                (`XDG_STATE_HOME` names another for all runs)"
            )
        })?;
        if let Err(error) =
            task.asked(&state).and_then(|asked| folder.begin(&asked, &state, None, true))
        {
            folder.give_up();
            return Err(error);
        }
        let (lines, mut journal) = folder.ledger()?;
        let ledger = setup.ledger(limit, &lines, journal.as_mut())?;
        let tell = |line: &str| say(format!("navigator: {line}"));
        let mut pilot =
            ModelPilot::new(Box::new(remote), ledger, ModelLimits::of(&target), Box::new(tell));
        let mut observer = CallObserver { watch: watch.clone(), folder: &folder };
        // Until the run ends, its whole limit counts as spent.
        *self.spent() = before.plus(limit);
        let found = Navigator::new(terrain)
            .from_state(state)
            .limits(limits)
            .observer(&mut observer)
            .explore(&mut pilot)?;
        *self.spent() = match found.stop {
            // After a breach or a failure to write the ledger, the model is not called again.
            Stop::ProviderBreach { .. } | Stop::LedgerFailed(_) => {
                self.limit.max(before.plus(found.purse.spent_pico_usd))
            }
            _ => before.plus(found.purse.spent_pico_usd),
        };
        // The result is returned even if it cannot be stored, because it was paid for.
        let findings = Findings { repo: terrain.repo(), found: &found, site: None };
        if let Err(error) = keep(&folder, findings) {
            tell(&format!("{error:#}"));
        }
        Ok(found)
    }
}

/// Stores the state of the run and reports progress to the client.
struct CallObserver<'a> {
    watch: Watch,
    folder: &'a RepoRun,
}

impl Observer<Repository> for CallObserver<'_> {
    fn keep(&mut self, state: &State<Vec<Rule>>) -> io::Result<()> {
        self.folder.keep(state)
    }

    fn turn(&mut self, report: &TurnReport, map: &RepoMap) {
        Observer::<Repository>::turn(&mut self.watch, report, map);
    }

    fn next(&mut self, checkpoint: &Checkpoint<'_, Repository>) -> Directive<Vec<Rule>> {
        self.watch.next(checkpoint)
    }
}
