//! Effects: what a change does to the world besides the map. As money is, an effect is reserved,
//! written down, before it happens and settled after it, so that requests, bytes and steps cannot
//! pass their limits and a crash forgets none. A reservation without a settlement counts as
//! happened.

use std::fmt;
use std::io;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::money::ledger::{self, Journal, LedgerLine};

/// What a change does to the world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// Nothing.
    None,
    /// It reads from a host.
    Reads {
        /// The host.
        host: String,
    },
    /// It sends something to a host.
    Sends {
        /// The host.
        host: String,
        /// What it sends.
        what: String,
    },
    /// It destroys something.
    Destroys {
        /// What it destroys.
        what: String,
    },
}

impl Effect {
    /// What allows exactly this kind of effect on exactly this origin; none where nothing happens.
    pub fn permit(&self) -> Option<Permit> {
        let (kind, origin) = match self {
            Effect::None => return None,
            Effect::Reads { host } => (EffectKind::Reads, host),
            Effect::Sends { host, .. } => (EffectKind::Sends, host),
            Effect::Destroys { what } => (EffectKind::Destroys, what),
        };
        Some(Permit { kind, origin: origin.clone() })
    }
}

impl fmt::Display for Effect {
    /// What it does, as a sentence goes on.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::None => f.write_str("does nothing"),
            Effect::Reads { host } => write!(f, "reads from `{host}`"),
            Effect::Sends { host, what } => write!(f, "sends {what} to `{host}`"),
            Effect::Destroys { what } => write!(f, "destroys `{what}`"),
        }
    }
}

/// The kinds of effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectKind {
    /// Reading from a host.
    Reads,
    /// Sending to a host.
    Sends,
    /// Destroying something.
    Destroys,
}

/// Allows one kind of effect on one origin, without a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    /// The kind.
    pub kind: EffectKind,
    /// The host; of what is destroyed its name.
    pub origin: String,
}

impl FromStr for Permit {
    type Err = String;

    /// `reads:HOST`, `sends:HOST` or `destroys:NAME`.
    fn from_str(text: &str) -> Result<Permit, String> {
        let wrong =
            || format!("`{text}` allows nothing (`reads:HOST`, `sends:HOST`, `destroys:NAME`)");
        let (kind, origin) = text.split_once(':').ok_or_else(wrong)?;
        let kind = match kind {
            "reads" => EffectKind::Reads,
            "sends" => EffectKind::Sends,
            "destroys" => EffectKind::Destroys,
            _ => return Err(wrong()),
        };
        if origin.is_empty() {
            return Err(wrong());
        }
        Ok(Permit { kind, origin: origin.to_owned() })
    }
}

/// What effects use up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Resources {
    /// Requests.
    pub requests: u64,
    /// Bytes that are received.
    pub bytes: u64,
    /// Steps: things that are done one after the other.
    pub steps: u64,
}

impl Resources {
    fn plus(self, other: Resources) -> Resources {
        Resources {
            requests: self.requests.saturating_add(other.requests),
            bytes: self.bytes.saturating_add(other.bytes),
            steps: self.steps.saturating_add(other.steps),
        }
    }
}

/// The most that the effects of a run may use up; no limit where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ResourceLimits {
    /// The most requests.
    pub requests: Option<u64>,
    /// The most bytes.
    pub bytes: Option<u64>,
    /// The most steps.
    pub steps: Option<u64>,
}

impl ResourceLimits {
    /// What is left of them.
    pub(crate) fn left(&self, used: Resources) -> ResourceLimits {
        let left = |limit: Option<u64>, used: u64| limit.map(|limit| limit.saturating_sub(used));
        ResourceLimits {
            requests: left(self.requests, used.requests),
            bytes: left(self.bytes, used.bytes),
            steps: left(self.steps, used.steps),
        }
    }

    /// What is limited, in words: `2 of 5 requests`, when `self` is what is left.
    pub(crate) fn words(&self) -> Vec<String> {
        let word = |left: Option<u64>, one: &str| {
            left.map(|n| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") })
        };
        let words =
            [word(self.requests, "request"), word(self.bytes, "byte"), word(self.steps, "step")];
        words.into_iter().flatten().collect()
    }
}

/// Why an effect may not happen.
#[derive(Debug)]
pub enum EffectRefusal {
    /// It could pass the limit of requests.
    Requests(Shortage),
    /// It could pass the limit of bytes.
    Bytes(Shortage),
    /// It could pass the limit of steps.
    Steps(Shortage),
    /// The reservation cannot be written down.
    Journal(io::Error),
}

/// What an effect can need at most, and what is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
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
    /// A ledger in memory.
    fn default() -> Self {
        EffectLedger::new(&[], Box::new(Vec::new()))
    }
}

impl<'j> EffectLedger<'j> {
    /// A ledger that goes on after `lines`, the readable lines of an earlier one.
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

    /// What counts as used, a reservation that is open included.
    pub fn used(&self) -> Resources {
        self.open.map_or(self.used, |(_, at_most)| self.used.plus(at_most))
    }

    /// Reserves the most that an effect can use, and writes it down. Only then may it happen.
    ///
    /// # Errors
    /// When it could pass a limit, or the reservation cannot be written.
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
            left.filter(|left| needed > *left).map(|left| Shortage { needed, left })
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
        self.journal.write(&ledger::to_line(&line)).map_err(EffectRefusal::Journal)?;
        (self.n_effects, self.open) = (number, Some((number, at_most)));
        Ok(())
    }

    /// Settles the effect that was reserved for last.
    ///
    /// # Errors
    /// When the settlement cannot be written. It holds all the same.
    pub fn settle(&mut self, used: Resources, is_done: bool) -> io::Result<()> {
        let Some((effect, _)) = self.open.take() else { return Ok(()) };
        self.used = self.used.plus(used);
        self.journal.write(&ledger::to_line(&LedgerLine::EffectSettled { effect, used, is_done }))
    }
}
