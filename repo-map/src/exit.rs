//! How a program that makes maps ends: one set of exit codes for `repo-map`, `navigator` and
//! whoever wraps them.

use std::process::ExitCode;

/// What a program that runs one of ours can rely on. `exit as i32` is the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// There is a map, or the token budget is full.
    Finished = 0,
    /// Something failed that is nobody's request: a folder that cannot be read, a file that cannot
    /// be written.
    Error = 1,
    /// The request cannot be met as it was put: a flag, a plan, a price.
    Usage = 2,
    /// A plan's floors need more tokens than its budget; the best effort is there.
    Conflict = 3,
    /// Nothing speaks of the goal; the view from above is there.
    NothingRelevant = 4,
    /// The next call could pass the limit in USD; the best context so far is there.
    SpendLimit = 5,
    /// Turns or time are used up; the best context so far is there.
    TurnOrTimeLimit = 6,
    /// The person had enough.
    StoppedByPerson = 7,
    /// The repository is not the one the plan was flown over.
    Drifted = 8,
    /// The map of a plan cannot be rebuilt.
    Impossible = 9,
    /// The provider failed, billed beyond its maximum, or gave three unusable answers in a row; the
    /// best context so far is there.
    ProviderFailed = 10,
    /// A person was to be asked and there is no terminal.
    NoTerminal = 11,
    /// An effect was refused that the goal needs; the best context so far is there.
    EffectRefused = 12,
    /// Someone ended the run; the best context so far is there.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
