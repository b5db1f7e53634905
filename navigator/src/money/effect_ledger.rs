//! Effects: the consequences of a change outside the map. Effects are accounted like money: an
//! effect is reserved in writing before it happens and settled after it, so that requests, bytes
//! and steps cannot pass their limits and a crash loses none. A reservation without a settlement
//! counts as happened.

use std::fmt;
use std::io;

use crate::money::effect::{Effect, ResourceLimits, Resources};
use crate::money::ledger::{Journal, LedgerLine};
use crate::money::ledger_line::to_line;

/// Why an effect may not happen.
#[derive(Debug)]
#[non_exhaustive]
pub enum EffectRefusal {
    /// It could pass the limit of requests.
    Requests(ResourceShortage),
    /// It could pass the limit of bytes.
    Bytes(ResourceShortage),
    /// It could pass the limit of steps.
    Steps(ResourceShortage),
    /// The reservation cannot be written down.
    Journal(io::Error),
}

/// What an effect can need at most, and what is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceShortage {
    /// The most it can need.
    pub needed: u64,
    /// What is left.
    pub left: u64,
}

/// The effects of one run.
pub struct EffectLedger<'j> {
    used: Resources,
    open: Option<(u32, Resources)>,
    n_effects: u32,
    journal: Box<dyn Journal + 'j>,
}

impl fmt::Debug for EffectLedger<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EffectLedger")
            .field("used", &self.used)
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

impl Default for EffectLedger<'_> {
    /// Returns a ledger in memory.
    fn default() -> Self {
        EffectLedger::new(&[], Box::new(Vec::new()))
    }
}

impl<'j> EffectLedger<'j> {
    /// Continues from `lines`, the readable lines of an earlier ledger.
    pub fn new(lines: &[LedgerLine], journal: Box<dyn Journal + 'j>) -> EffectLedger<'j> {
        let mut effects =
            EffectLedger { used: Resources::default(), open: None, n_effects: 0, journal };
        for line in lines {
            match line {
                LedgerLine::EffectReserved { effect, at_most, .. } => {
                    effects.close_open();
                    (effects.n_effects, effects.open) = (*effect, Some((*effect, *at_most)));
                }
                LedgerLine::EffectSettled { used, .. } => {
                    effects.open = None;
                    effects.used = effects.used.plus(*used);
                }
                LedgerLine::Opened { .. }
                | LedgerLine::Reserved { .. }
                | LedgerLine::Settled { .. } => {}
            }
        }
        effects.close_open();
        effects
    }

    fn close_open(&mut self) {
        if let Some((_, at_most)) = self.open.take() {
            self.used = self.used.plus(at_most);
        }
    }

    /// Returns the resources that count as used, including an open reservation.
    pub fn used(&self) -> Resources {
        self.open.map_or(self.used, |(_, at_most)| self.used.plus(at_most))
    }

    /// Reserves the maximum use of an effect and writes it to the journal. The effect may happen
    /// only after this succeeds.
    ///
    /// # Errors
    /// If the effect could pass a limit, or the reservation cannot be written.
    pub fn reserve(
        &mut self,
        turn: u32,
        change: &str,
        effect: &Effect,
        at_most: Resources,
        limits: &ResourceLimits,
    ) -> Result<(), EffectRefusal> {
        self.close_open();
        let left = limits.left(self.used);
        let short = |needed: u64, left: Option<u64>| {
            left.filter(|left| needed > *left).map(|left| ResourceShortage { needed, left })
        };
        if let Some(shortage) = short(at_most.requests, left.requests) {
            return Err(EffectRefusal::Requests(shortage));
        }
        if let Some(shortage) = short(at_most.bytes, left.bytes) {
            return Err(EffectRefusal::Bytes(shortage));
        }
        if let Some(shortage) = short(at_most.steps, left.steps) {
            return Err(EffectRefusal::Steps(shortage));
        }
        let number = self.n_effects + 1;
        let line = LedgerLine::EffectReserved {
            effect: number,
            turn,
            change: change.to_owned(),
            does: effect.clone(),
            at_most,
        };
        self.journal.write(&to_line(&line)).map_err(EffectRefusal::Journal)?;
        (self.n_effects, self.open) = (number, Some((number, at_most)));
        Ok(())
    }

    /// Settles the last reserved effect.
    ///
    /// # Errors
    /// If the settlement cannot be written. The settlement counts nevertheless.
    pub fn settle(&mut self, used: Resources, is_done: bool) -> io::Result<()> {
        let Some((effect, _)) = self.open.take() else { return Ok(()) };
        self.used = self.used.plus(used);
        self.journal.write(&to_line(&LedgerLine::EffectSettled { effect, used, is_done }))
    }
}
