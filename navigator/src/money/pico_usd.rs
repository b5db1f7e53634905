//! Money as whole pico-USD. A price in micro-USD per million tokens is the same number in pico-USD
//! per token.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// An amount in pico-USD (10⁻¹² USD).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PicoUsd(pub u64);

impl PicoUsd {
    /// The limit of spend without `--budget`: 0.50 USD.
    pub const DEFAULT_LIMIT: PicoUsd = PicoUsd(500_000_000_000);

    /// Adds two amounts; saturates at the maximum of the type.
    #[must_use]
    pub fn plus(self, other: PicoUsd) -> PicoUsd {
        PicoUsd(self.0.saturating_add(other.0))
    }

    /// Formats the amount in USD rounded down to four decimals. For amounts that remain.
    pub fn rounded_down(self) -> String {
        PicoUsd(self.0 - self.0 % 100_000_000).to_string()
    }

    /// Formats the amount in USD rounded up to four decimals, or to its first two digits if it is
    /// smaller.
    pub fn rounded(self) -> String {
        let mut unit = 100_000_000;
        while unit > 1 && self.0 < unit * 10 {
            unit /= 10;
        }
        PicoUsd(self.0.div_ceil(unit).saturating_mul(unit)).to_string()
    }
}

/// The amount from which a number without `$` looks like a number of tokens: 100 USD.
const LOOKS_LIKE_TOKENS: PicoUsd = PicoUsd(100_000_000_000_000);

impl FromStr for PicoUsd {
    type Err = Error;

    /// Reads `2`, `0.50` or `$100`. An amount of 100 or more needs the `$`, because it looks like a
    /// number of tokens.
    fn from_str(text: &str) -> Result<PicoUsd, Error> {
        let amount = text.strip_prefix('$').unwrap_or(text);
        let amount = decimal(amount).ok_or_else(|| Error::Amount { text: text.to_owned() })?;
        if amount.0 >= LOOKS_LIKE_TOKENS.0 && !text.starts_with('$') {
            return Err(Error::LargeAmount { text: text.to_owned() });
        }
        Ok(amount)
    }
}

/// Reads a decimal number of USD exactly. Returns `None` for text that is no number, an amount
/// finer than a pico-USD, or one larger than the type holds.
pub(crate) fn decimal(text: &str) -> Option<PicoUsd> {
    const DECIMALS: usize = 12;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction:0<DECIMALS$}");
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && fraction.len() <= DECIMALS && !(whole.is_empty() && fraction.is_empty()))
        .then_some(())?;
    digits.parse().ok().map(PicoUsd)
}

impl fmt::Display for PicoUsd {
    /// Formats the amount in USD with all its decimals, at least two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = (self.0 / 1_000_000_000_000, self.0 % 1_000_000_000_000);
        let decimals = format!("{fraction:012}");
        let decimals = decimals.trim_end_matches('0');
        write!(f, "${whole}.{decimals:0<2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact() {
        let read = |text: &str| text.parse::<PicoUsd>();
        assert_eq!(read("0.50"), Ok(PicoUsd::DEFAULT_LIMIT));
        assert_eq!(read("$100"), Ok(PicoUsd(100_000_000_000_000)));
        assert_eq!(read(".000000000001"), Ok(PicoUsd(1)));
        assert_eq!(PicoUsd(1).to_string(), "$0.000000000001");
        assert_eq!(PicoUsd::DEFAULT_LIMIT.to_string(), "$0.50");
        assert_eq!(PicoUsd(123_456_789_012).rounded(), "$0.1235");
        assert_eq!(PicoUsd(1_234_567).rounded(), "$0.0000013");
        assert_eq!(PicoUsd(0).rounded(), "$0.00");
        assert!(
            read("0.0000000000001").is_err()
                && read("1e3").is_err()
                && read("-1").is_err()
                && read("").is_err()
        );
    }

    #[test]
    fn an_amount_that_looks_like_tokens_is_asked_about() {
        assert_eq!(
            "8000".parse::<PicoUsd>().unwrap_err().to_string(),
            "8000 USD is a lot for one run: is it a number of tokens? (write `$8000` for USD)"
        );
    }
}
