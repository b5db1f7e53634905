//! The ledger: it reserves an upper bound before each call and settles it after the call, so that
//! spend cannot pass the limit.
//!
//! Each step is written before the next one is taken. A reservation that was never settled (a
//! crash, a lost connection) counts as spent.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::money::ledger_line::to_line;
pub use crate::money::ledger_line::{Basis, Bound, LedgerLine, lines};
use crate::money::pico_usd::PicoUsd;
use crate::money::price::{Price, Usage};
use crate::money::purse::{Purse, PurseAccount, PurseRefusal};
use crate::money::shared_limit::SharedLimit;

/// The destination of ledger lines. A line is durable when `write` returns.
pub trait Journal: Send {
    /// Writes one line, given without its line break.
    ///
    /// # Errors
    /// If the line cannot be written; then the caller sends nothing.
    fn write(&mut self, line: &str) -> io::Result<()>;
}

impl<J: Journal + ?Sized> Journal for Box<J> {
    fn write(&mut self, line: &str) -> io::Result<()> {
        (**self).write(line)
    }
}

/// A journal shared by money and effects.
impl<J: Journal + ?Sized> Journal for Arc<Mutex<J>> {
    fn write(&mut self, line: &str) -> io::Result<()> {
        // Each line is written whole, so a lock poisoned by a panic is still usable.
        self.lock().unwrap_or_else(PoisonError::into_inner).write(line)
    }
}

/// A journal in memory, for runs without files.
impl Journal for Vec<String> {
    fn write(&mut self, line: &str) -> io::Result<()> {
        self.push(line.to_owned());
        Ok(())
    }
}

/// The result of a call with regard to money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallOutcome {
    /// The provider reported usage.
    Reported(Usage),
    /// The provider reported usage under terms other than those of the known price.
    ReportedElsewise {
        /// The reported usage.
        usage: Usage,
        /// The price under the other terms, if known.
        price: Option<Price>,
        /// The difference of the terms, in words.
        why: String,
    },
    /// The server rejected the call before any work; the reason.
    NotBilled(String),
    /// The cost is unknown; the reason.
    Unknown(String),
}

/// The settlement of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// The amount reserved.
    pub reserved: PicoUsd,
    /// The cost of the call.
    pub spent: PicoUsd,
    /// The provider billed more than the maximum it was given.
    pub breach: bool,
}

/// The reason why a call may not be sent.
#[derive(Debug)]
pub enum Refused {
    /// The call could pass the limit.
    Limit {
        /// The maximum cost of the call.
        needed: PicoUsd,
        /// The remainder of the limit.
        left: PicoUsd,
    },
    /// The call could pass the limit of the purse.
    PurseLimit {
        /// The name of the purse.
        purse: String,
        /// The maximum cost of the call.
        needed: PicoUsd,
        /// The remainder of the purse.
        left: PicoUsd,
    },
    /// The purse does not answer; the reason.
    PurseAway(String),
    /// The provider billed more than the maximum it was given; no further call is sent.
    Breach(Settled),
    /// The reservation cannot be written.
    Journal(io::Error),
}

/// The money of one run.
pub struct Ledger<'j> {
    price: Price,
    limit: PicoUsd,
    /// The limit of all runs of this process.
    shared: Option<SharedLimit>,
    spent: PicoUsd,
    open: Option<(u32, Bound)>,
    n_calls: u32,
    breach: Option<Settled>,
    /// The last call that counts as spent, and its amount.
    last: Option<(u32, PicoUsd)>,
    purse: Option<Box<dyn Purse + 'j>>,
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
    /// Continues from `lines`, the readable lines of an earlier ledger; a new run has none.
    pub fn new(
        limit: PicoUsd,
        price: Price,
        lines: &[LedgerLine],
        journal: &'j mut dyn Journal,
    ) -> Ledger<'j> {
        let mut ledger = Ledger {
            price,
            limit,
            shared: None,
            spent: PicoUsd::default(),
            open: None,
            n_calls: 0,
            breach: None,
            last: None,
            purse: None,
            journal,
        };
        for line in lines {
            match line {
                LedgerLine::Opened { .. }
                | LedgerLine::EffectReserved { .. }
                | LedgerLine::EffectSettled { .. } => {}
                LedgerLine::Reserved { call, bound, .. } => {
                    // A call without a settlement keeps its reservation.
                    ledger.close_open();
                    (ledger.n_calls, ledger.open) = (*call, Some((*call, *bound)));
                }
                LedgerLine::Settled { call, spent_pico_usd, breach, .. } => {
                    let reserved = ledger
                        .open
                        .take()
                        .map(|(_, bound)| bound.reserved_pico_usd)
                        .unwrap_or_default();
                    if *breach {
                        ledger.breach =
                            Some(Settled { reserved, spent: *spent_pico_usd, breach: true });
                    }
                    ledger.count(*call, *spent_pico_usd);
                }
            }
        }
        ledger.close_open();
        ledger
    }

    /// Makes each call from now on reserve in a limit of this process too. A provider that bills
    /// more than its maximum, or a ledger that cannot be written, closes it for all runs.
    #[must_use]
    pub fn within(mut self, shared: SharedLimit) -> Ledger<'j> {
        self.shared = Some(shared);
        self
    }

    /// Makes each call reserve in a purse too. The purse is told the last settlement: a crash may
    /// have come before it was.
    #[must_use]
    pub fn with_purse(mut self, mut purse: Box<dyn Purse + 'j>) -> Ledger<'j> {
        if let Some((call, spent)) = self.last {
            purse.settle(call, spent);
        }
        self.purse = Some(purse);
        self
    }

    /// Returns the account of the run in its purse, if it has one.
    pub fn account(&self) -> Option<&PurseAccount> {
        self.purse.as_ref().map(|purse| purse.account())
    }

    fn close_open(&mut self) {
        if let Some((call, bound)) = self.open.take() {
            self.count(call, bound.reserved_pico_usd);
        }
    }

    fn count(&mut self, call: u32, spent: PicoUsd) {
        self.spent = self.spent.plus(spent);
        self.last = Some((call, spent));
        if let Some(purse) = &mut self.purse {
            purse.settle(call, spent);
        }
    }

    /// Writes a line about the run as a whole.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn note(&mut self, line: &LedgerLine) -> io::Result<()> {
        self.write(line)
    }

    /// Returns the limit of spend.
    pub fn limit(&self) -> PicoUsd {
        self.limit
    }

    /// Returns the price of the tokens of this run.
    pub fn price(&self) -> &Price {
        &self.price
    }

    /// Returns the amount that counts as spent, including an open reservation.
    pub fn spent(&self) -> PicoUsd {
        let open = self.open.map_or(PicoUsd::default(), |(_, bound)| bound.reserved_pico_usd);
        self.spent.plus(open)
    }

    /// Returns the amount that may still be reserved: the lesser remainder of limits and purse.
    pub fn left(&self) -> PicoUsd {
        self.left_of_limit().min(self.purse_left().unwrap_or(PicoUsd(u64::MAX)))
    }

    /// Returns what was left of the purse when it last answered; `None` without a purse.
    pub fn purse_left(&self) -> Option<PicoUsd> {
        self.purse.as_ref().map(|purse| purse.left())
    }

    fn left_of_limit(&self) -> PicoUsd {
        let own = PicoUsd(self.limit.0.saturating_sub(self.spent().0));
        self.shared.as_ref().map_or(own, |shared| own.min(shared.left()))
    }

    /// Returns why a call that could cost `needed` would be refused, whatever a purse says when it
    /// is asked.
    pub(crate) fn shortage(&self, needed: PicoUsd) -> Refused {
        let left = self.left_of_limit();
        match &self.purse {
            Some(purse) if needed <= left || purse.left() < left => Refused::PurseLimit {
                purse: purse.account().purse.clone(),
                needed,
                left: purse.left(),
            },
            _ => Refused::Limit { needed, left },
        }
    }

    /// Returns the number of calls reserved so far.
    pub fn n_calls(&self) -> u32 {
        self.n_calls
    }

    /// Reserves the maximum cost of a call and writes it to the journal. The call may be sent only
    /// after this succeeds.
    ///
    /// # Errors
    /// If the call could pass the limit or the purse, or the reservation cannot be written.
    pub fn reserve(&mut self, turn: u32, attempt: u32, bound: Bound) -> Result<(), Refused> {
        self.close_open();
        if let Some(breach) = self.breach {
            return Err(Refused::Breach(breach));
        }
        let needed = bound.reserved_pico_usd;
        if needed > self.left_of_limit() {
            return Err(Refused::Limit { needed, left: self.left_of_limit() });
        }
        // Another run may have reserved since the comparison above.
        if let Some(shared) = &self.shared {
            shared.reserve(needed).map_err(|left| Refused::Limit { needed, left })?;
        }
        let call = self.n_calls + 1;
        let written = self.reserve_in_purse(call, needed).and_then(|()| {
            let line = LedgerLine::Reserved { call, turn, attempt, bound };
            self.write(&line).map_err(Refused::Journal)
        });
        if let (Err(_), Some(shared)) = (&written, &self.shared) {
            // The call is not sent.
            shared.settle(needed, PicoUsd::default());
        }
        written?;
        (self.n_calls, self.open) = (call, Some((call, bound)));
        Ok(())
    }

    /// The purse comes before the journal: a reservation there without a line here costs nothing,
    /// since its call is not sent, and the next try replaces it.
    fn reserve_in_purse(&mut self, call: u32, needed: PicoUsd) -> Result<(), Refused> {
        let Some(purse) = &mut self.purse else { return Ok(()) };
        purse.reserve(call, needed).map_err(|refusal| match refusal {
            PurseRefusal::Limit { left } => {
                Refused::PurseLimit { purse: purse.account().purse.clone(), needed, left }
            }
            PurseRefusal::Away(why) => Refused::PurseAway(why),
        })
    }

    /// Settles the last reserved call. A second report of the same call changes nothing.
    ///
    /// # Errors
    /// If the settlement cannot be written. The settlement counts nevertheless.
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
        // More tokens than the maximum are a breach, even if other tokens were cheaper than
        // reserved.
        let too_many = |usage: &Usage| {
            usage.all_input() > bound.input_tokens || usage.output_tokens > bound.output_tokens
        };
        let breach =
            !self.price.is_free() && (spent > reserved || usage.as_ref().is_some_and(too_many));
        let model = model.map(str::to_owned);
        let written = self.write(&LedgerLine::Settled {
            call,
            usage,
            reported_pico_usd: reported,
            spent_pico_usd: spent,
            basis,
            breach,
            model,
            why,
        });
        self.count(call, spent);
        if let Some(shared) = &self.shared {
            shared.settle(reserved, spent);
        }
        let settled = Settled { reserved, spent, breach };
        if breach {
            self.breach = Some(settled);
            self.close();
        }
        written.map(|()| settled)
    }

    fn write(&mut self, line: &LedgerLine) -> io::Result<()> {
        self.journal.write(&to_line(line)).inspect_err(|_| self.close())
    }

    /// Ends the spending of all runs of this process.
    fn close(&self) {
        if let Some(shared) = &self.shared {
            shared.close();
        }
    }
}

/// Returns the spend of a ledger with these lines, including reservations without a settlement.
pub fn spent(lines: &[LedgerLine]) -> PicoUsd {
    Ledger::new(PicoUsd::default(), Price::default(), lines, &mut Vec::new()).spent()
}
