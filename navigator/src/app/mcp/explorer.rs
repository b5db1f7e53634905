//! Who explores for a server's callers, and on whose money.

use std::time::Duration;

use anyhow::Result;

use super::Watch;
use crate::money::pico_usd::PicoUsd;
use crate::navigator::Navigator;
use crate::pilot::offline::OfflinePilot;
use crate::run::explore::{Exploration, Limits};
use crate::run::state::State;
use crate::run::terrain::Terrain;

/// Explores a terrain, call after call.
pub trait Explorer<T: Terrain>: Send + Sync {
    /// What is left of the limit in USD for the whole life of the server; none when nothing is ever
    /// spent.
    fn left(&self) -> Option<PicoUsd>;

    /// Explores from a state on. `budget` can lower what may be spent, never raise it.
    ///
    /// # Errors
    /// When the state cannot be used, or what a run leaves cannot be kept.
    fn explore(
        &self,
        terrain: &mut T,
        state: State<T::Plan>,
        budget: Option<PicoUsd>,
        watch: &Watch,
    ) -> Result<Exploration<T>>;
}

/// Explores by evidence alone.
#[derive(Debug)]
pub struct Offline {
    /// The most turns of an exploration.
    pub turns: u32,
    /// The most time of an exploration.
    pub time: Option<Duration>,
}

impl<T: Terrain> Explorer<T> for Offline {
    fn left(&self) -> Option<PicoUsd> {
        None
    }

    fn explore(
        &self,
        terrain: &mut T,
        state: State<T::Plan>,
        _budget: Option<PicoUsd>,
        watch: &Watch,
    ) -> Result<Exploration<T>> {
        let limits = Limits {
            turns: self.turns,
            time: self.time,
            cancel: watch.cancel.clone(),
            ..Limits::default()
        };
        Ok(Navigator::new(terrain)
            .from_state(state)
            .limits(limits)
            .observer(&mut watch.clone())
            .explore(&mut OfflinePilot::default())?)
    }
}
