//! The errors of this library.

/// The reason why a price, a model or a file of a run cannot be used. Messages name the thing and
/// the way out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text is no amount of money.
    #[error("`{text}` is not an amount in USD (`0.50`, `$2`)")]
    Amount {
        /// The text.
        text: String,
    },
    /// An amount is so large that it probably means tokens.
    #[error("{text} USD is a lot for one run: is it a number of tokens? (write `${text}` for USD)")]
    LargeAmount {
        /// The text.
        text: String,
    },
    /// A text is no price in USD per million tokens, or finer than a pico-USD per token.
    #[error("`{text}` is not a price in USD per million tokens (`0.25`, `3`)")]
    Rate {
        /// The text.
        text: String,
    },
    /// A table of prices is invalid.
    #[error("{file}: {message}")]
    Prices {
        /// The file's name.
        file: String,
        /// The field and the error.
        message: String,
    },
    /// A name is not `PROVIDER/NAME` with a known provider.
    #[error("{message}")]
    UnknownModel {
        /// The name, and the known ones.
        message: String,
    },
    /// No price is known for a model, so nothing can be reserved for its calls.
    #[error("no price is known for {model}{similar}")]
    NoPrice {
        /// The model, or the server that is not its provider's.
        model: String,
        /// Models with a price and a similar name, or the reason for having none.
        similar: String,
    },
    /// A model with a listed price was declared free.
    #[error("`{model}` has a listed price and cannot be free")]
    ListedPrice {
        /// The model.
        model: String,
    },
    /// A model cannot be called: an invalid address, no client.
    #[error("{message}")]
    Endpoint {
        /// What is wrong, and the way out.
        message: String,
    },
    /// A kept file cannot be read: it is damaged, or of a newer version.
    #[error("{}{message}", line.map_or(String::new(), |line| format!("line {line}: ")))]
    Format {
        /// The line, counted from 1, of a file of lines.
        line: Option<usize>,
        /// What is wrong with it.
        message: String,
    },
    /// A text allows no kind of effect.
    #[error("`{text}` allows nothing (`reads:HOST`, `sends:HOST`, `destroys:NAME`)")]
    Permit {
        /// The text.
        text: String,
    },
}

#[cfg(feature = "models")]
impl Error {
    pub(crate) fn endpoint(message: String) -> Error {
        Error::Endpoint { message }
    }
}
