//! The errors of the store.

/// The reason why the store does not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store cannot be reached, or broke off; the same request may succeed later.
    #[error("the store {place} does not answer: {message}")]
    Away {
        /// The place, without a password.
        place: String,
        /// The message of the engine.
        message: String,
    },
    /// There is no store at the place.
    #[error("there is no store at {place} (`navigator store init` makes one)")]
    Missing {
        /// The place, without a password.
        place: String,
    },
    /// The store has the format of an earlier program.
    #[error(
        "the store {place} has format {found}, and this program needs {needed} (`navigator store \
         migrate` changes it)"
    )]
    Older {
        /// The place, without a password.
        place: String,
        /// The format of the store.
        found: i64,
        /// The format of this program.
        needed: i64,
    },
    /// The store has the format of a later program.
    #[error(
        "the store {place} has format {found}, and this program knows {known}: use a newer one"
    )]
    Newer {
        /// The place, without a password.
        place: String,
        /// The format of the store.
        found: i64,
        /// The format of this program.
        known: i64,
    },
    /// A place cannot be used.
    #[error("`{place}` is no store: {message}")]
    Place {
        /// The place, without a password.
        place: String,
        /// What is wrong, and the way out.
        message: String,
    },
    /// There is no such purse, run or knowledge.
    #[error("there is no {kind} `{name}` in the store{hint}")]
    Unknown {
        /// What was looked for: `purse`, `run` or `knowledge`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        hint: String,
    },
    /// The request cannot be met; the reason and the way out.
    #[error("{0}")]
    Refused(String),
    /// The engine reports an error that another try would not mend.
    #[error("the store {place} failed: {message}")]
    Engine {
        /// The place, without a password.
        place: String,
        /// The message of the engine.
        message: String,
    },
}

impl StoreError {
    /// Reports whether the same request may succeed later.
    pub fn is_away(&self) -> bool {
        matches!(self, StoreError::Away { .. })
    }
}
