//! What tokens cost: exact sums, and the most that a call can come to.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::money::pico_usd::{PicoUsd, decimal};

/// Tokens as a provider reports them. The four kinds of input do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Input that was neither read from a cache nor written to one.
    pub input_tokens: u64,
    /// Input read from the provider's cache.
    pub cached_tokens: u64,
    /// Input written to the provider's cache, for minutes.
    pub cache_write_tokens: u64,
    /// Input written to the provider's cache, for an hour.
    pub cache_write_1h_tokens: u64,
    /// Output, hidden reasoning included.
    pub output_tokens: u64,
    /// How much of the output was reasoning.
    pub reasoning_tokens: u64,
}

impl Usage {
    /// All input, whatever its price.
    pub fn all_input(&self) -> u64 {
        let writes = self.cache_write_tokens.saturating_add(self.cache_write_1h_tokens);
        self.input_tokens.saturating_add(self.cached_tokens).saturating_add(writes)
    }
}

/// The price of a token of each kind, in pico-dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Rates {
    /// A token of plain input.
    pub input: PicoUsd,
    /// A token read from the cache.
    pub cached: PicoUsd,
    /// A token written to the cache for minutes.
    pub cache_write: PicoUsd,
    /// A token written to the cache for an hour.
    pub cache_write_1h: PicoUsd,
    /// A token of output.
    pub output: PicoUsd,
}

/// What a model costs. A tier holds for the whole of a request whose input is larger than the
/// tier's threshold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Price {
    /// The rates of a request of any size, where no tier holds.
    pub rates: Rates,
    /// Thresholds in tokens of input, ascending, each with its rates.
    pub tiers: Vec<(u64, Rates)>,
}

impl Price {
    /// A price without tiers. Some providers cache unasked: a token written to a cache costs a
    /// quarter more with those that charge for it, and one for an hour twice as much.
    pub fn flat(input: PicoUsd, output: PicoUsd) -> Price {
        let (cache_write, cache_write_1h) =
            (PicoUsd(input.0.saturating_mul(5).div_ceil(4)), PicoUsd(input.0.saturating_mul(2)));
        Price {
            rates: Rates { input, cached: input, cache_write, cache_write_1h, output },
            tiers: Vec::new(),
        }
    }

    /// Whether nothing costs anything.
    pub fn is_free(&self) -> bool {
        *self == Price::default()
    }

    /// The most that a call with at most so much input and output can cost: the dearest rate of
    /// each kind that it can reach. Writes for an hour are no part of it, because no request asks
    /// for them.
    pub fn at_most(&self, input_tokens: u64, output_tokens: u64) -> PicoUsd {
        let (mut input, mut output) = (0, 0);
        for rates in self.reachable(input_tokens) {
            input = input.max(rates.input.0).max(rates.cached.0).max(rates.cache_write.0);
            output = output.max(rates.output.0);
        }
        PicoUsd(
            input.saturating_mul(input_tokens).saturating_add(output.saturating_mul(output_tokens)),
        )
    }

    /// What a call with this usage costs, exactly.
    pub fn of(&self, usage: &Usage) -> PicoUsd {
        let rates = self.reachable(usage.all_input()).last().unwrap_or(&self.rates);
        let parts = [
            (rates.input, usage.input_tokens),
            (rates.cached, usage.cached_tokens),
            (rates.cache_write, usage.cache_write_tokens),
            (rates.cache_write_1h, usage.cache_write_1h_tokens),
            (rates.output, usage.output_tokens),
        ];
        PicoUsd(
            parts.iter().fold(0, |sum: u64, (rate, tokens)| {
                sum.saturating_add(rate.0.saturating_mul(*tokens))
            }),
        )
    }

    fn reachable(&self, input_tokens: u64) -> impl Iterator<Item = &Rates> {
        let tiers = self.tiers.iter().filter(move |(above, _)| input_tokens > *above);
        std::iter::once(&self.rates).chain(tiers.map(|(_, rates)| rates))
    }
}

/// A price in USD per million tokens as pico-dollars per token: the micro-dollars of the former are
/// the latter.
///
/// # Errors
/// [`Error::Rate`], when it is no amount or finer than a pico-dollar a token.
pub fn per_token(per_million: &str) -> Result<PicoUsd, Error> {
    const MILLION: u64 = 1_000_000;
    let exact = decimal(per_million).filter(|price| price.0 % MILLION == 0);
    exact
        .map(|price| PicoUsd(price.0 / MILLION))
        .ok_or_else(|| Error::Rate { text: per_million.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_exact() {
        assert_eq!(per_token("0.0028"), Ok(PicoUsd(2_800)));
        assert_eq!(per_token("3"), Ok(PicoUsd(3_000_000)));
        assert!(
            per_token("0.0000001").is_err()
                && per_token("").is_err()
                && per_token("-1").is_err()
                && per_token("1e3").is_err()
        );
    }
}
