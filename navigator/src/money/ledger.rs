//! The ledger: an upper bound is reserved before a call and settled after it, so that what is spent
//! cannot pass the limit.
//!
//! Each step is written down before the next one is taken. A reservation that was never settled (a
//! crash, a cut connection) counts as spent.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::money::effect::{Effect, Resources};
use crate::money::pico_usd::PicoUsd;
use crate::money::price::{Price, Usage};
use crate::money::versioned;
use crate::shared::Sanitized;

/// The version of the format of lines about money.
const VERSION: u32 = 1;

/// The version of the format of lines about effects. A navigator that knows none refuses a ledger
/// that has them, and reads any other as ever.
const VERSION_OF_EFFECTS: u32 = 2;

/// Where the ledger is written, line by line. A line is kept for good when `write` returns.
pub trait Journal: Send {
    /// Writes one line, without its line break.
    ///
    /// # Errors
    /// When it cannot be written; then nothing is sent.
    fn write(&mut self, line: &str) -> io::Result<()>;
}

impl<J: Journal + ?Sized> Journal for Box<J> {
    fn write(&mut self, line: &str) -> io::Result<()> {
        (**self).write(line)
    }
}

/// A journal that money and effects share.
impl<J: Journal + ?Sized> Journal for Arc<Mutex<J>> {
    fn write(&mut self, line: &str) -> io::Result<()> {
        // A line is whole or not there, whoever panicked beside it.
        self.lock().unwrap_or_else(PoisonError::into_inner).write(line)
    }
}

/// A journal in memory, for runs that are not kept.
impl Journal for Vec<String> {
    fn write(&mut self, line: &str) -> io::Result<()> {
        self.push(line.to_owned());
        Ok(())
    }
}

/// The most a call can need, and what it probably costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bound {
    /// An upper bound of the input, in tokens.
    pub input_tokens: u64,
    /// The most output, reasoning included, in tokens.
    pub output_tokens: u64,
    /// The most the call can cost.
    pub reserved_pico_usd: PicoUsd,
    /// What it probably costs.
    pub projected_pico_usd: PicoUsd,
}

/// What became of a call, as far as money is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallOutcome {
    /// The provider reported what it used.
    Reported(Usage),
    /// The provider reported usage under terms that differ from those the price was taken for.
    ReportedElsewise {
        /// What it used.
        usage: Usage,
        /// The price under those terms, where it is known.
        price: Option<Price>,
        /// How they differ.
        why: String,
    },
    /// The call was turned away before any work.
    NotBilled(String),
    /// No one knows what it cost.
    Unknown(String),
}

/// A line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum LedgerLine {
    /// A run begins, or goes on.
    Opened {
        /// Who decides.
        pilot: String,
        /// The most that may be spent.
        limit_pico_usd: PicoUsd,
        /// The day of the price list; none for a price given by hand.
        prices_as_of: Option<String>,
        /// The prices of a token.
        price: Price,
        /// Whether the limit rests on more than the provider's promise: `hard`, or `soft` with the
        /// reason.
        hold: String,
    },
    /// A call is about to be sent.
    Reserved {
        /// Counted from 1 over the whole run.
        call: u32,
        /// The turn it is for.
        turn: u32,
        /// Counted from 1 for each request of the turn.
        attempt: u32,
        /// What it can come to.
        #[serde(flatten)]
        bound: Bound,
    },
    /// A call has ended.
    Settled {
        /// The call.
        call: u32,
        /// What the provider reported.
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
        /// The price of what was reported.
        #[serde(skip_serializing_if = "Option::is_none")]
        reported_pico_usd: Option<PicoUsd>,
        /// What counts as spent.
        spent_pico_usd: PicoUsd,
        /// Where that figure comes from.
        basis: Basis,
        /// Whether the provider billed more than the maximum it was given.
        breach: bool,
        /// The model that answered, by its own account.
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// What happened, where that is not plain.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A change is about to have an effect on the world.
    EffectReserved {
        /// Counted from 1 over the whole run.
        effect: u32,
        /// The turn it is for.
        turn: u32,
        /// The change.
        change: String,
        /// What it does.
        does: Effect,
        /// The most it can use.
        at_most: Resources,
    },
    /// An effect has happened, or failed.
    EffectSettled {
        /// The effect.
        effect: u32,
        /// What it used.
        used: Resources,
        /// Whether it came out.
        is_done: bool,
    },
}

/// Where the figure of what was spent comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The provider's report.
    Provider,
    /// The reservation, because nothing better is known.
    Bound,
    /// The call was turned away.
    NotBilled,
}

/// How a call was settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// What it was reserved for.
    pub reserved: PicoUsd,
    /// What the call cost.
    pub spent: PicoUsd,
    /// The provider billed more than the maximum it was given.
    pub breach: bool,
}

/// Why a call may not be sent.
#[derive(Debug)]
pub enum Refused {
    /// It could pass the limit.
    Limit {
        /// What the call can come to.
        needed: PicoUsd,
        /// What is left.
        left: PicoUsd,
    },
    /// The provider billed more than the maximum it was given; that is not to be repeated.
    Breach(Settled),
    /// The reservation cannot be written down.
    Journal(io::Error),
}

/// Money of one run.
pub struct Ledger<'j> {
    price: Price,
    limit: PicoUsd,
    spent: PicoUsd,
    open: Option<(u32, Bound)>,
    n_calls: u32,
    breach: Option<Settled>,
    journal: &'j mut dyn Journal,
}

impl fmt::Debug for Ledger<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ledger")
            .field("limit", &self.limit)
            .field("spent", &self.spent)
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

impl<'j> Ledger<'j> {
    /// A ledger that goes on after `lines`, the readable lines of an earlier one (none for a new
    /// run).
    pub fn new(
        limit: PicoUsd,
        price: Price,
        lines: &[LedgerLine],
        journal: &'j mut dyn Journal,
    ) -> Ledger<'j> {
        let mut ledger = Ledger {
            price,
            limit,
            spent: PicoUsd::default(),
            open: None,
            n_calls: 0,
            breach: None,
            journal,
        };
        for line in lines {
            match line {
                LedgerLine::Opened { .. }
                | LedgerLine::EffectReserved { .. }
                | LedgerLine::EffectSettled { .. } => {}
                LedgerLine::Reserved { call, bound, .. } => {
                    // A call that was never settled keeps its reservation.
                    ledger.close_open();
                    (ledger.n_calls, ledger.open) = (*call, Some((*call, *bound)));
                }
                LedgerLine::Settled { spent_pico_usd, breach, .. } => {
                    let reserved = ledger
                        .open
                        .take()
                        .map(|(_, bound)| bound.reserved_pico_usd)
                        .unwrap_or_default();
                    if *breach {
                        ledger.breach =
                            Some(Settled { reserved, spent: *spent_pico_usd, breach: true });
                    }
                    ledger.spent = ledger.spent.plus(*spent_pico_usd);
                }
            }
        }
        ledger.close_open();
        ledger
    }

    fn close_open(&mut self) {
        if let Some((_, bound)) = self.open.take() {
            self.spent = self.spent.plus(bound.reserved_pico_usd);
        }
    }

    /// Writes a line that is about the run and not about a call.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&mut self, line: &LedgerLine) -> io::Result<()> {
        self.write(line)
    }

    /// The most that may be spent.
    pub fn limit(&self) -> PicoUsd {
        self.limit
    }

    /// What the prices of this run's tokens are.
    pub fn price(&self) -> &Price {
        &self.price
    }

    /// What counts as spent, a reservation in flight included.
    pub fn spent(&self) -> PicoUsd {
        let open = self.open.map_or(PicoUsd::default(), |(_, bound)| bound.reserved_pico_usd);
        self.spent.plus(open)
    }

    /// What may still be reserved.
    pub fn left(&self) -> PicoUsd {
        PicoUsd(self.limit.0.saturating_sub(self.spent().0))
    }

    /// How many calls were reserved for so far.
    pub fn n_calls(&self) -> u32 {
        self.n_calls
    }

    /// Reserves the most that a call can cost, and writes it down. Only then may it be sent.
    ///
    /// # Errors
    /// When it could pass the limit, or the reservation cannot be written.
    pub fn reserve(&mut self, turn: u32, attempt: u32, bound: Bound) -> Result<(), Refused> {
        self.close_open();
        if let Some(breach) = self.breach {
            return Err(Refused::Breach(breach));
        }
        if bound.reserved_pico_usd > self.left() {
            return Err(Refused::Limit { needed: bound.reserved_pico_usd, left: self.left() });
        }
        let call = self.n_calls + 1;
        self.write(&LedgerLine::Reserved { call, turn, attempt, bound })
            .map_err(Refused::Journal)?;
        (self.n_calls, self.open) = (call, Some((call, bound)));
        Ok(())
    }

    /// Settles the call that was reserved for last. A second report of the same call changes
    /// nothing.
    ///
    /// # Errors
    /// When the settlement cannot be written. It holds all the same.
    pub fn settle(&mut self, outcome: &CallOutcome, model: Option<&str>) -> io::Result<Settled> {
        let Some((call, bound)) = self.open.take() else {
            return Ok(Settled {
                reserved: PicoUsd::default(),
                spent: PicoUsd::default(),
                breach: false,
            });
        };
        let reserved = bound.reserved_pico_usd;
        let (usage, reported, spent, basis, why) = match outcome {
            CallOutcome::Reported(usage) => {
                let cost = self.price.of(usage);
                (Some(*usage), Some(cost), cost, Basis::Provider, None)
            }
            CallOutcome::ReportedElsewise { usage, price, why } => {
                let cost = price.as_ref().unwrap_or(&self.price).of(usage);
                (Some(*usage), Some(cost), cost.max(reserved), Basis::Bound, Some(why.clone()))
            }
            CallOutcome::NotBilled(why) => {
                (None, None, PicoUsd::default(), Basis::NotBilled, Some(why.clone()))
            }
            CallOutcome::Unknown(why) => (None, None, reserved, Basis::Bound, Some(why.clone())),
        };
        self.spent = self.spent.plus(spent);
        // More tokens than the maximum are a broken promise even where other tokens were cheaper
        // than reserved for.
        let too_many = |usage: &Usage| {
            usage.all_input() > bound.input_tokens || usage.output_tokens > bound.output_tokens
        };
        let breach =
            !self.price.is_free() && (spent > reserved || usage.as_ref().is_some_and(too_many));
        let model = model.map(str::to_owned);
        self.write(&LedgerLine::Settled {
            call,
            usage,
            reported_pico_usd: reported,
            spent_pico_usd: spent,
            basis,
            breach,
            model,
            why,
        })?;
        let settled = Settled { reserved, spent, breach };
        if breach {
            self.breach = Some(settled);
        }
        Ok(settled)
    }

    fn write(&mut self, line: &LedgerLine) -> io::Result<()> {
        self.journal.write(&to_line(line))
    }
}

/// A line as the journal has it.
pub(crate) fn to_line(line: &LedgerLine) -> Sanitized {
    let version = match line {
        LedgerLine::Opened { .. } | LedgerLine::Reserved { .. } | LedgerLine::Settled { .. } => {
            VERSION
        }
        LedgerLine::EffectReserved { .. } | LedgerLine::EffectSettled { .. } => VERSION_OF_EFFECTS,
    };
    versioned::to_json(version, line)
}

/// What a ledger of these lines has spent, reservations that were never settled included.
pub fn spent(lines: &[LedgerLine]) -> PicoUsd {
    Ledger::new(PicoUsd::default(), Price::default(), lines, &mut Vec::new()).spent()
}

/// The readable lines of a ledger's file. What a crash left of a last line is not one: a
/// reservation is whole before its call is sent, and without its settlement it counts as spent.
///
/// # Errors
/// [`Error::Format`], when a line before the last cannot be read: the spending is unknown then.
pub fn lines(text: &str) -> Result<Vec<LedgerLine>, Error> {
    let mut lines = Vec::new();
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    for (at, line) in all.iter().enumerate() {
        match versioned::from_json(VERSION_OF_EFFECTS, line) {
            Ok(line) => lines.push(line),
            Err(_) if at + 1 == all.len() && !line.ends_with('\n') => {}
            Err(message) => return Err(Error::Format { line: Some(at + 1), message }),
        }
    }
    Ok(lines)
}
