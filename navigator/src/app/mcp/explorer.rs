//! Explorers: they run the explorations of a server's callers, with or without a model.

use std::time::Duration;

use anyhow::Result;
use repo_map::Options;

use super::Watch;
use crate::app::source::reading::SiteReading;
use crate::money::pico_usd::PicoUsd;
use crate::navigator::Navigator;
use crate::pilot::offline::OfflinePilot;
use crate::run::explore::{Exploration, Limits};
use crate::run::state::State;
use crate::run::terrain::Terrain;

/// The site of a call, which was read from its server.
#[derive(Debug)]
pub struct CallSite<'a> {
    /// What was read; visits add to it.
    pub(crate) reading: &'a mut SiteReading,
    /// The options by which its pages are opened again after a visit.
    pub(crate) options: Options,
}

/// What pays for a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallSpend {
    /// The limit that the call names, in pico-USD. It can lower that of the server, not raise it.
    pub budget: Option<PicoUsd>,
    /// The purse of the caller, in place of the server's.
    pub purse: Option<String>,
}

/// What an exploration for a caller gave.
#[derive(Debug)]
pub struct CallFound<T: Terrain> {
    /// The exploration.
    pub found: Exploration<T>,
    /// What is left of the purse that paid, in pico-USD; `None` if none did.
    pub purse_left: Option<PicoUsd>,
}

/// Explores a terrain, call after call; several calls may explore at once.
pub trait Explorer<T: Terrain>: Send + Sync {
    /// Returns the remainder of the limit in USD for the lifetime of the server; `None` if nothing
    /// is ever spent.
    fn left(&self) -> Option<PicoUsd>;

    /// Explores from a state, paid by `spend`. `site` is what was read for the call, if its terrain
    /// is a site behind an address.
    ///
    /// # Errors
    /// If the state cannot be used, or the outputs of a run cannot be stored.
    fn explore(
        &self,
        terrain: &mut T,
        state: State<T::Plan>,
        spend: CallSpend,
        site: Option<CallSite<'_>>,
        watch: &Watch,
    ) -> Result<CallFound<T>>;
}

/// Explores by evidence alone, without a model.
#[derive(Debug)]
pub struct Offline {
    /// The maximum number of turns of an exploration.
    pub turns: u32,
    /// The maximum time of an exploration.
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
        _spend: CallSpend,
        _site: Option<CallSite<'_>>,
        watch: &Watch,
    ) -> Result<CallFound<T>> {
        let limits = Limits {
            turns: self.turns,
            time: self.time,
            cancel: watch.cancel.clone(),
            ..Limits::default()
        };
        let found = Navigator::new(terrain)
            .from_state(state)
            .limits(limits)
            .observer(&mut watch.clone())
            .explore(&mut OfflinePilot::default())?;
        Ok(CallFound { found, purse_left: None })
    }
}
