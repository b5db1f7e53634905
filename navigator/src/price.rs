//! What tokens cost: a dated table, exact sums, and the most that a call can come to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::money::{PicoUsd, decimal};

/// The table that the program carries.
const BUNDLED: &str = include_str!("../prices.toml");

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

/// What a model costs. A tier holds for the whole of a request whose input is larger than the tier's threshold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Price {
    /// The rates of a request of any size, where no tier holds.
    pub rates: Rates,
    /// Thresholds in tokens of input, ascending, each with its rates.
    pub tiers: Vec<(u64, Rates)>,
}

impl Price {
    /// A price without tiers. Some providers cache unasked: a token written to a cache costs a quarter more with those that
    /// charge for it, and one for an hour twice as much.
    pub fn flat(input: PicoUsd, output: PicoUsd) -> Price {
        let (cache_write, cache_write_1h) = (PicoUsd(input.0.saturating_mul(5).div_ceil(4)), PicoUsd(input.0.saturating_mul(2)));
        Price { rates: Rates { input, cached: input, cache_write, cache_write_1h, output }, tiers: Vec::new() }
    }

    /// Whether nothing costs anything.
    pub fn is_free(&self) -> bool {
        *self == Price::default()
    }

    /// The most that a call with at most so much input and output can cost: the dearest rate of each kind that it can reach.
    /// Writes for an hour are no part of it, because no request asks for them.
    pub fn at_most(&self, input_tokens: u64, output_tokens: u64) -> PicoUsd {
        let (mut input, mut output) = (0, 0);
        for rates in self.reachable(input_tokens) {
            input = input.max(rates.input.0).max(rates.cached.0).max(rates.cache_write.0);
            output = output.max(rates.output.0);
        }
        PicoUsd(input.saturating_mul(input_tokens).saturating_add(output.saturating_mul(output_tokens)))
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
        PicoUsd(parts.iter().fold(0, |sum: u64, (rate, tokens)| sum.saturating_add(rate.0.saturating_mul(*tokens))))
    }

    fn reachable(&self, input_tokens: u64) -> impl Iterator<Item = &Rates> {
        let tiers = self.tiers.iter().filter(move |(above, _)| input_tokens > *above);
        std::iter::once(&self.rates).chain(tiers.map(|(_, rates)| rates))
    }
}

/// What is known of a model before it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Who serves it.
    pub provider: String,
    /// The name in requests; `*` stands for every model of the provider.
    pub name: String,
    /// What it costs.
    pub price: Price,
    /// The most tokens of input and output together.
    pub context_window: Option<u32>,
    /// The most tokens of output.
    pub max_output: Option<u32>,
    /// Whether it may think before it answers.
    pub reasons: bool,
    /// Whether it can be held to a JSON schema.
    pub json_schema: bool,
    /// The shortest prefix, in tokens, that the provider caches on request.
    pub cache_from: Option<u32>,
    /// Whether it may be served from a dearer region unless the request says otherwise.
    pub regions: bool,
    /// The day after which the provider stops serving it.
    pub ends: Option<String>,
    /// What a reader of the price should know.
    pub note: Option<String>,
}

/// Prices with the day they were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// The day, as `YYYY-MM-DD`.
    pub as_of: String,
    /// Every model, in the order of the file.
    pub models: Vec<Listed>,
}

impl Prices {
    /// The table that the program carries.
    ///
    /// # Panics
    /// Never: a test reads the table.
    pub fn bundled() -> Prices {
        Prices::from_toml("prices.toml", BUNDLED).expect("the bundled table is read by a test")
    }

    /// Reads a table.
    ///
    /// # Errors
    /// A sentence that names the file and the field.
    pub fn from_toml(file: &str, text: &str) -> Result<Prices, String> {
        let table: Table = toml::from_str(text).map_err(|error| format!("{file}: {}", error.to_string().trim_end()))?;
        let models = table.model.into_iter().map(|row| row.listed().map_err(|message| format!("{file}: {message}")));
        Ok(Prices { as_of: table.as_of, models: models.collect::<Result<_, _>>()? })
    }

    /// The row of a model. A date at the end of a name (`-20260131`) is no part of it.
    pub fn find(&self, provider: &str, name: &str) -> Option<&Listed> {
        let is_date = |end: &str| end.len() == 9 && end.starts_with('-') && end[1..].bytes().all(|byte| byte.is_ascii_digit());
        let is_it =
            |row: &&Listed| row.name == "*" || name.strip_prefix(row.name.as_str()).is_some_and(|end| end.is_empty() || is_date(end));
        self.models.iter().filter(|row| row.provider == provider).find(is_it)
    }

    /// The names of a provider's models that resemble one that is not there, nearest first.
    pub fn similar(&self, provider: &str, name: &str) -> Vec<String> {
        let of_provider = self.models.iter().filter(|row| row.provider == provider);
        let mut scored: Vec<(usize, String)> =
            of_provider.map(|row| (strsim::damerau_levenshtein(&row.name, name), format!("{provider}/{}", row.name))).collect();
        scored.sort();
        scored.into_iter().take(3).map(|(_, name)| name).collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    as_of: String,
    #[serde(default)]
    model: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    provider: String,
    name: String,
    input: String,
    cached: Option<String>,
    cache_write: Option<String>,
    cache_write_1h: Option<String>,
    output: String,
    context_window: Option<u32>,
    max_output: Option<u32>,
    #[serde(default)]
    reasons: bool,
    #[serde(default)]
    json_schema: bool,
    cache_from: Option<u32>,
    #[serde(default)]
    regions: bool,
    ends: Option<String>,
    note: Option<String>,
    #[serde(default)]
    tier: Vec<TierRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TierRow {
    above: u64,
    input: String,
    cached: Option<String>,
    cache_write: Option<String>,
    cache_write_1h: Option<String>,
    output: String,
}

impl Row {
    fn listed(self) -> Result<Listed, String> {
        let model = format!("{}/{}", self.provider, self.name);
        let amounts = [&Some(self.input), &self.cached, &self.cache_write, &self.cache_write_1h, &Some(self.output)];
        let rates = rates(&model, amounts)?;
        let mut tiers = BTreeMap::new();
        for tier in self.tier {
            let amounts = [&Some(tier.input), &tier.cached, &tier.cache_write, &tier.cache_write_1h, &Some(tier.output)];
            tiers.insert(tier.above, self::rates(&model, amounts)?);
        }
        Ok(Listed {
            provider: self.provider,
            name: self.name,
            price: Price { rates, tiers: tiers.into_iter().collect() },
            context_window: self.context_window,
            max_output: self.max_output,
            reasons: self.reasons,
            json_schema: self.json_schema,
            cache_from: self.cache_from,
            regions: self.regions,
            ends: self.ends,
            note: self.note,
        })
    }
}

/// Input, cached, cache write, cache write for an hour, output. A price that is not listed is that of plain input; that of
/// an hour is the dearer write.
fn rates(model: &str, amounts: [&Option<String>; 5]) -> Result<Rates, String> {
    const NAMES: [&str; 5] = ["input", "cached", "cache_write", "cache_write_1h", "output"];
    let mut read = [None; 5];
    for ((amount, name), read) in amounts.into_iter().zip(NAMES).zip(&mut read) {
        if let Some(amount) = amount {
            *read = Some(per_token(amount).map_err(|message| format!("{model}: {name}: {message}"))?);
        }
    }
    let [input, cached, cache_write, cache_write_1h, output] = read;
    let input = input.unwrap_or_default();
    let cache_write = cache_write.unwrap_or(input);
    Ok(Rates {
        input,
        cached: cached.unwrap_or(input),
        cache_write,
        cache_write_1h: cache_write_1h.unwrap_or(cache_write),
        output: output.unwrap_or_default(),
    })
}

/// A price in USD per million tokens as pico-dollars per token: the micro-dollars of the former are the latter.
///
/// # Errors
/// A sentence, when it is no amount or finer than a pico-dollar a token.
pub fn per_token(per_million: &str) -> Result<PicoUsd, String> {
    const MILLION: u64 = 1_000_000;
    let exact = decimal(per_million).filter(|price| price.0 % MILLION == 0);
    exact
        .map(|price| PicoUsd(price.0 / MILLION))
        .ok_or_else(|| format!("`{per_million}` is not a price in USD per million tokens (`0.25`, `3`)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_price_is_read() {
        let prices = Prices::bundled();
        assert!(prices.models.len() > 50);
        let haiku = prices.find("anthropic", "claude-haiku-5-5").unwrap();
        assert_eq!(haiku.price.rates.input, PicoUsd(100_000));
        assert_eq!(prices.find("anthropic", "claude-haiku-4-5-20251001").unwrap().name, "claude-haiku-4-5");
        assert!(prices.find("openai", "claude-haiku-4-5").is_none());
        assert!(prices.find("ollama", "anything").unwrap().price.is_free());
        assert_eq!(prices.similar("openai", "gpt-5.4-micro")[0], "openai/gpt-5.4-mini");
    }

    #[test]
    fn prices_are_exact() {
        assert_eq!(per_token("0.0028"), Ok(PicoUsd(2_800)));
        assert_eq!(per_token("3"), Ok(PicoUsd(3_000_000)));
        assert!(per_token("0.0000001").is_err() && per_token("").is_err() && per_token("-1").is_err() && per_token("1e3").is_err());
    }

    #[test]
    fn a_tier_holds_for_the_whole_request() {
        let haiku = Prices::bundled().find("anthropic", "claude-haiku-5-5").unwrap().price.clone();
        let usage = |input_tokens| Usage { input_tokens, output_tokens: 10, ..Usage::default() };
        assert_eq!(haiku.of(&usage(100_000)), PicoUsd(100_000 * 100_000 + 10 * 500_000));
        assert_eq!(haiku.of(&usage(100_001)), PicoUsd(100_001 * 500_000 + 10 * 2_500_000));
        assert_eq!(haiku.at_most(100_000, 10), PicoUsd(100_000 * 125_000 + 10 * 500_000));
        assert_eq!(haiku.at_most(100_001, 10), PicoUsd(100_001 * 625_000 + 10 * 2_500_000));
    }

    #[test]
    fn a_wrong_table_names_the_model_and_the_field() {
        let row = |input: &str| {
            format!("as_of = \"2026-01-01\"\n[[model]]\nprovider = \"p\"\nname = \"m\"\ninput = \"{input}\"\noutput = \"1\"\n")
        };
        assert_eq!(
            Prices::from_toml("mine.toml", &row("cheap")).unwrap_err(),
            "mine.toml: p/m: input: `cheap` is not a price in USD per million tokens (`0.25`, `3`)"
        );
        assert!(Prices::from_toml("mine.toml", &row("1").replace("name", "nmae")).unwrap_err().contains("unknown field `nmae`"));
    }
}
