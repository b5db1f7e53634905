//! Prices of tokens: the exact cost of a usage, and the maximum cost of a call.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::money::pico_usd::{PicoUsd, decimal};

/// Token counts as a provider reports them. The four kinds of input do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Plain input: neither read from a cache nor written to one.
    pub input_tokens: u64,
    /// Input read from the provider's cache.
    pub cached_tokens: u64,
    /// Input written to the provider's cache for minutes.
    pub cache_write_tokens: u64,
    /// Input written to the provider's cache for an hour.
    pub cache_write_1h_tokens: u64,
    /// Output including hidden reasoning.
    pub output_tokens: u64,
    /// The part of the output that was reasoning.
    pub reasoning_tokens: u64,
}

impl Usage {
    /// Returns the sum of all kinds of input, in tokens.
    pub fn all_input(&self) -> u64 {
        let writes = self.cache_write_tokens.saturating_add(self.cache_write_1h_tokens);
        self.input_tokens.saturating_add(self.cached_tokens).saturating_add(writes)
    }
}

/// Prices per token of each kind, in pico-USD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Rates {
    /// The price of a token of plain input.
    pub input: PicoUsd,
    /// The price of a token read from the cache.
    pub cached: PicoUsd,
    /// The price of a token written to the cache for minutes.
    pub cache_write: PicoUsd,
    /// The price of a token written to the cache for an hour.
    pub cache_write_1h: PicoUsd,
    /// The price of a token of output.
    pub output: PicoUsd,
}

/// The price of a model. A tier applies to the whole of a request whose input exceeds the tier's
/// threshold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Price {
    /// The rates below every threshold.
    pub rates: Rates,
    /// The thresholds in tokens of input, ascending, each with its rates.
    pub tiers: Vec<(u64, Rates)>,
}

impl Price {
    /// Returns a price without tiers. Some providers cache without being asked: those that charge
    /// for it take a quarter more for a token written to a cache, and twice as much for an hour.
    pub fn flat(input: PicoUsd, output: PicoUsd) -> Price {
        let (cache_write, cache_write_1h) =
            (PicoUsd(input.0.saturating_mul(5).div_ceil(4)), PicoUsd(input.0.saturating_mul(2)));
        Price {
            rates: Rates { input, cached: input, cache_write, cache_write_1h, output },
            tiers: Vec::new(),
        }
    }

    /// Reports whether every rate is zero.
    pub fn is_free(&self) -> bool {
        *self == Price::default()
    }

    /// Returns the maximum cost of a call with at most this input and output: the highest rate of
    /// each kind that the call can reach. Cache writes for an hour are excluded, because no request
    /// asks for them.
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

    /// Returns the exact cost of a usage.
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

/// Converts a price in USD per million tokens to pico-USD per token: the number of micro-USD in the
/// first is the number of pico-USD in the second.
///
/// # Errors
/// [`Error::Rate`], if the text is no amount or finer than a pico-USD per token.
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
