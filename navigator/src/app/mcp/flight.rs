//! Who explores for a server's callers, and on whose money.

use std::time::Duration;

use anyhow::Result;
use repo_map::{FlightPlan, Repo};

use super::Watch;
use crate::money::pico_usd::PicoUsd;
use crate::pilot::offline::OfflinePilot;
use crate::run::explore::{Exploration, Limits, explore};
use crate::run::state::State;

/// Explores opened repositories, call after call.
pub(crate) trait Explorer: Send + Sync {
    /// What is left of the limit in USD for the whole life of the server; none when nothing is ever
    /// spent.
    fn left(&self) -> Option<PicoUsd>;

    /// Explores from a state on. `budget` can lower what may be spent, never raise it.
    ///
    /// # Errors
    /// When a glob does not compile, or what a run leaves cannot be kept.
    fn fly(
        &self,
        repo: &mut Repo,
        plan: &FlightPlan,
        state: State,
        budget: Option<PicoUsd>,
        watch: &Watch,
    ) -> Result<Exploration>;
}

/// Explores by evidence alone.
#[derive(Debug)]
pub(crate) struct Offline {
    /// The most turns of an exploration.
    pub turns: u32,
    /// The most time of an exploration.
    pub time: Option<Duration>,
}

impl Explorer for Offline {
    fn left(&self) -> Option<PicoUsd> {
        None
    }

    fn fly(
        &self,
        repo: &mut Repo,
        plan: &FlightPlan,
        state: State,
        _budget: Option<PicoUsd>,
        watch: &Watch,
    ) -> Result<Exploration> {
        let limits = Limits { turns: self.turns, time: self.time, cancel: watch.cancel.clone() };
        Ok(explore(repo, plan, state, &mut OfflinePilot::default(), &limits, &mut watch.clone())?)
    }
}
