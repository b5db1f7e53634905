//! The exit codes of the programs, one set for all and for the scripts that call
//! them.

use std::process::ExitCode;

/// An exit code. Scripts may rely on it; `exit as i32` is the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// The map was made, or the token budget is full.
    Finished = 0,
    /// An I/O or internal failure: a file that is there and cannot be read, a full disk.
    Error = 1,
    /// An invalid request: a flag, a plan or a price, or something named that is not there.
    Usage = 2,
    /// A plan's floors need more tokens than its budget; the best effort was delivered.
    Conflict = 3,
    /// Nothing matches the goal; the overview was delivered.
    NothingRelevant = 4,
    /// The next call could exceed the limit in USD; the best context so far was delivered.
    SpendLimit = 5,
    /// A limit of turns, time, requests, bytes or steps is reached; the best context so far was
    /// delivered.
    LimitReached = 6,
    /// The person stopped the run.
    StoppedByPerson = 7,
    /// The repository differs from the one the plan was flown over.
    Drifted = 8,
    /// The map of a flown plan cannot be rebuilt.
    Impossible = 9,
    /// The provider failed, billed more than its maximum, or gave three unusable replies in a row;
    /// the best context so far was delivered.
    ProviderFailed = 10,
    /// A person had to be asked and there is no terminal.
    NoTerminal = 11,
    /// An effect was refused that the goal needed; the best context so far was delivered.
    EffectRefused = 12,
    /// Pages that were needed could not be read; what could be read was delivered.
    PagesFailed = 13,
    /// A signal ended the run; the best context so far was delivered.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
