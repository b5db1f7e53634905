//! The lines of a ledger: what is written before and after each call and each effect.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::money::effect::{Effect, Resources};
use crate::money::pico_usd::PicoUsd;
use crate::money::price::{Price, Usage};
use crate::money::purse::PurseAccount;
use crate::money::versioned;
use crate::shared::Sanitized;

/// The format version of lines about money.
const VERSION: u32 = 1;

/// The format version of lines about effects. A navigator without support for effects refuses a
/// ledger that has such lines, and reads any other ledger as before.
const VERSION_OF_EFFECTS: u32 = 2;

/// The format version of lines about a purse. A navigator without support for purses refuses such a
/// ledger, because it would spend beside the purse.
const VERSION_OF_PURSES: u32 = 3;

/// The upper bound and the projected cost of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bound {
    /// The upper bound of the input, in tokens.
    pub input_tokens: u64,
    /// The maximum output including reasoning, in tokens.
    pub output_tokens: u64,
    /// The maximum cost of the call, in pico-USD.
    pub reserved_pico_usd: PicoUsd,
    /// The projected cost of the call, in pico-USD.
    pub projected_pico_usd: PicoUsd,
}

/// A line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum LedgerLine {
    /// A run begins or resumes.
    Opened {
        /// The name of the pilot.
        pilot: String,
        /// The limit of spend, in pico-USD.
        limit_pico_usd: PicoUsd,
        /// The date of the price list; `None` for a price given by hand.
        prices_as_of: Option<String>,
        /// The price per token, in pico-USD.
        price: Price,
        /// The strength of the limit: `hard`, or `soft` with the reason if it rests only on the
        /// provider's promise.
        hold: String,
        /// The account of the run in a purse, if it spends from one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        purse: Option<PurseAccount>,
    },
    /// A call is about to be sent.
    Reserved {
        /// The number of the call, from 1 over the whole run.
        call: u32,
        /// The turn of the call.
        turn: u32,
        /// The number of the attempt, from 1 within each request of the turn.
        attempt: u32,
        /// The upper bound of the call.
        #[serde(flatten)]
        bound: Bound,
    },
    /// A call has ended.
    Settled {
        /// The number of the call.
        call: u32,
        /// The usage that the provider reported.
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
        /// The cost of the reported usage, in pico-USD.
        #[serde(skip_serializing_if = "Option::is_none")]
        reported_pico_usd: Option<PicoUsd>,
        /// The amount that counts as spent, in pico-USD.
        spent_pico_usd: PicoUsd,
        /// The source of that amount.
        basis: Basis,
        /// The provider billed more than the maximum it was given.
        breach: bool,
        /// The name of the model in its reply.
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// The explanation of an unusual settlement.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A change is about to have an effect.
    EffectReserved {
        /// The number of the effect, from 1 over the whole run.
        effect: u32,
        /// The turn of the effect.
        turn: u32,
        /// The change.
        change: String,
        /// The effect of the change.
        does: Effect,
        /// The maximum use of the effect.
        at_most: Resources,
    },
    /// An effect has happened, or failed.
    EffectSettled {
        /// The number of the effect.
        effect: u32,
        /// The resources used.
        used: Resources,
        /// The effect succeeded.
        is_done: bool,
    },
}

/// The source of an amount spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The provider's report.
    Provider,
    /// The reservation, because nothing better is known.
    Bound,
    /// The server rejected the call before any work.
    NotBilled,
}

/// Returns a line in the format of the journal.
pub(crate) fn to_line(line: &LedgerLine) -> Sanitized {
    let version = match line {
        LedgerLine::Opened { purse: Some(_), .. } => VERSION_OF_PURSES,
        LedgerLine::Opened { .. } | LedgerLine::Reserved { .. } | LedgerLine::Settled { .. } => {
            VERSION
        }
        LedgerLine::EffectReserved { .. } | LedgerLine::EffectSettled { .. } => VERSION_OF_EFFECTS,
    };
    versioned::to_json(version, line)
}

/// Returns the readable lines of a ledger file. A partial last line, left by a crash, is dropped: a
/// reservation is written whole before its call is sent, and counts as spent without its
/// settlement.
///
/// # Errors
/// [`Error::Format`], when a line before the last cannot be read: the spending is unknown then.
pub fn lines(text: &str) -> Result<Vec<LedgerLine>, Error> {
    let mut lines = Vec::new();
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    for (at, line) in all.iter().enumerate() {
        match versioned::from_json(VERSION_OF_PURSES, line) {
            Ok(line) => lines.push(line),
            Err(_) if at + 1 == all.len() && !line.ends_with('\n') => {}
            Err(message) => return Err(Error::Format { line: Some(at + 1), message }),
        }
    }
    Ok(lines)
}
