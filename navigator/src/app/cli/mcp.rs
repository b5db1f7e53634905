//! `navigator mcp`: the tools for agents and editors, over standard input and output.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use anyhow::{Result, anyhow, bail};
use repo_map::cli::{Exit, add_languages, say};
use repo_map::plan::Rule;
use repo_map::{FlightPlan, Options, RepoMap};

use super::McpArgs;
use super::listing::RepoRun;
use super::outcome::keep;
use super::task::{Setup, Task};
use crate::app::mcp::{Explorer, Offline, Tools, Watch, serve};
use crate::app::settings::Settings;
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
    // Whoever started the server said so on its command line: a model that is only in the user's
    // file is not asked.
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

/// Asks a model, out of one purse for the whole life of the server. Each exploration is a run of
/// its own, with its ledger on disk, as it would be without a server.
struct WithModel {
    root: std::path::PathBuf,
    no_history: bool,
    settings: Settings,
    limit: PicoUsd,
    /// Held by the exploration that runs.
    turn: Mutex<()>,
    /// What counts as spent.
    spent: Mutex<PicoUsd>,
}

impl WithModel {
    fn new(args: &McpArgs, settings: Settings) -> Result<WithModel> {
        // A model without a price, a key or an address is refused here, not in a call.
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
        // An amount is whole, whoever panicked beside it.
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other exploration runs, or until nobody waits for this one.
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
        // One exploration at a time: what is left for the next is known when this one ends.
        let Some(_turn) = self.wait_for_turn(watch) else {
            bail!("cancelled while another exploration ran")
        };
        let before = *self.spent();
        let left = PicoUsd(self.limit.0.saturating_sub(before.0));
        let limit = budget.map_or(left, |budget| budget.min(left));
        let task = Task {
            root: self.root.clone(),
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
        if let Err(error) = task.asked(&state).and_then(|asked| folder.begin(&asked, &state, true))
        {
            folder.give_up();
            return Err(error);
        }
        let (lines, mut journal) = folder.ledger()?;
        let ledger = setup.ledger(limit, &lines, journal.as_mut())?;
        let tell = |line: &str| say(format!("navigator: {line}"));
        let mut pilot =
            ModelPilot::new(Box::new(remote), ledger, ModelLimits::of(&target), Box::new(tell));
        let limits = Limits {
            turns: setup.turns,
            time: setup.time,
            cancel: watch.cancel.clone(),
            ..Limits::default()
        };
        let mut observer = CallObserver { watch: watch.clone(), folder: &folder };
        // A run that breaks off has spent all that it might have.
        *self.spent() = before.plus(limit);
        let found = Navigator::new(terrain)
            .from_state(state)
            .limits(limits)
            .observer(&mut observer)
            .explore(&mut pilot)?;
        *self.spent() = match found.stop {
            // What billed beyond its maximum, or cannot be written down, is asked no more.
            Stop::ProviderBreach { .. } | Stop::LedgerFailed(_) => {
                self.limit.max(before.plus(found.purse.spent_pico_usd))
            }
            _ => before.plus(found.purse.spent_pico_usd),
        };
        // What was paid for is given back, whatever becomes of the run.
        if let Err(error) = keep(&folder, terrain.repo(), &found) {
            tell(&format!("{error:#}"));
        }
        Ok(found)
    }
}

/// Keeps the run, and tells the client of it.
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
