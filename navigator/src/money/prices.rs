//! The price list: a dated table of models with their prices and windows.

use std::collections::BTreeMap;

use crate::shared::suggest;
use serde::Deserialize;

use crate::error::Error;
use crate::money::price::{Price, Rates, per_token};

/// The bundled table.
const BUNDLED: &str = include_str!("../../prices.toml");

/// The data of one model in the price list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInfo {
    /// The name of the provider.
    pub provider: String,
    /// The name in requests; `*` matches every model of the provider.
    pub name: String,
    /// The price per token.
    pub price: Price,
    /// The maximum of input and output together, in tokens.
    pub context_window: Option<u32>,
    /// The maximum output, in tokens.
    pub max_output: Option<u32>,
    /// The model may reason before it answers.
    pub reasons: bool,
    /// The provider can hold the model to a JSON schema.
    pub json_schema: bool,
    /// The shortest prefix that the provider caches on request, in tokens.
    pub cache_from: Option<u32>,
    /// The provider may serve the model from a more expensive region unless the request forbids it.
    pub regions: bool,
    /// The date after which the provider stops serving the model.
    pub ends: Option<String>,
    /// A remark about the price.
    pub note: Option<String>,
}

/// A price list with its date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// The date of the prices, as `YYYY-MM-DD`.
    pub as_of: String,
    /// Every model, in the order of the file.
    pub models: Vec<ModelInfo>,
}

impl Prices {
    /// Returns the bundled table.
    ///
    /// # Panics
    /// Never: a test reads the table.
    pub fn bundled() -> Prices {
        Prices::from_toml("prices.toml", BUNDLED).expect("the bundled table is read by a test")
    }

    /// Reads a table.
    ///
    /// # Errors
    /// [`Error::Prices`], which names the file and the field.
    pub fn from_toml(file: &str, text: &str) -> Result<Prices, Error> {
        let wrong = |message: String| Error::Prices { file: file.to_owned(), message };
        let table: PriceTable =
            toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        let models = table.model.into_iter().map(|row| row.listed().map_err(wrong));
        Ok(Prices { as_of: table.as_of, models: models.collect::<Result<_, _>>()? })
    }

    /// Finds the row of a model. A date at the end of the name (`-20260131`, `-2026-01-31`) is
    /// ignored.
    pub fn find(&self, provider: &str, name: &str) -> Option<&ModelInfo> {
        self.models
            .iter()
            .filter(|row| row.provider == provider)
            .find(|row| row.name == "*" || is_model(&row.name, name))
    }

    /// Returns the names of the provider's models similar to an unknown name, nearest first.
    pub fn similar(&self, provider: &str, name: &str) -> Vec<String> {
        let of_provider = self.models.iter().filter(|row| row.provider == provider);
        suggest::similar(name, of_provider.map(|row| row.name.as_str()))
            .into_iter()
            .map(|name| format!("{provider}/{name}"))
            .collect()
    }
}

/// Reports whether a name equals the listed one, with or without a date at its end.
fn is_model(listed: &str, name: &str) -> bool {
    let is_date = |end: &str| {
        let shape: String = end.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        matches!(shape.as_str(), "-00000000" | "-0000-00-00")
    };
    name.strip_prefix(listed).is_some_and(|end| end.is_empty() || is_date(end))
}

impl ModelInfo {
    /// Reports whether a reply under this name came from this model. A server may omit folders of
    /// the name, or add some.
    pub(crate) fn is_answering(&self, name: &str) -> bool {
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        is_model(&last(&self.name), &last(name))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceTable {
    as_of: String,
    #[serde(default)]
    model: Vec<PriceRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceRow {
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

impl PriceRow {
    fn listed(self) -> Result<ModelInfo, String> {
        let model = format!("{}/{}", self.provider, self.name);
        let amounts = [
            &Some(self.input),
            &self.cached,
            &self.cache_write,
            &self.cache_write_1h,
            &Some(self.output),
        ];
        let rates = rates(&model, amounts)?;
        let mut tiers = BTreeMap::new();
        for tier in self.tier {
            let amounts = [
                &Some(tier.input),
                &tier.cached,
                &tier.cache_write,
                &tier.cache_write_1h,
                &Some(tier.output),
            ];
            tiers.insert(tier.above, self::rates(&model, amounts)?);
        }
        Ok(ModelInfo {
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

/// Returns the rates for input, cached input, cache write, cache write for an hour, and output. An
/// unlisted price equals that of plain input; an unlisted price for an hour equals the higher
/// write.
fn rates(model: &str, amounts: [&Option<String>; 5]) -> Result<Rates, String> {
    const NAMES: [&str; 5] = ["input", "cached", "cache_write", "cache_write_1h", "output"];
    let mut read = [None; 5];
    for ((amount, name), read) in amounts.into_iter().zip(NAMES).zip(&mut read) {
        if let Some(amount) = amount {
            *read =
                Some(per_token(amount).map_err(|message| format!("{model}: {name}: {message}"))?);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::pico_usd::PicoUsd;
    use crate::money::price::Usage;

    #[test]
    fn every_bundled_price_is_read() {
        let prices = Prices::bundled();
        assert!(prices.models.len() > 50);
        let haiku = prices.find("anthropic", "claude-haiku-5-5").unwrap();
        assert_eq!(haiku.price.rates.input, PicoUsd(100_000));
        assert_eq!(
            prices.find("anthropic", "claude-haiku-4-5-20251001").unwrap().name,
            "claude-haiku-4-5"
        );
        assert!(prices.find("openai", "claude-haiku-4-5").is_none());
        assert!(prices.find("ollama", "anything").unwrap().price.is_free());
        assert_eq!(prices.similar("openai", "gpt-5.4-micro")[0], "openai/gpt-5.4-mini");
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
            format!(
                "as_of = \"2026-01-01\"\n[[model]]\nprovider = \"p\"\nname = \"m\"\ninput = \
                 \"{input}\"\noutput = \"1\"\n"
            )
        };
        assert_eq!(
            Prices::from_toml("mine.toml", &row("cheap")).unwrap_err().to_string(),
            "mine.toml: p/m: input: `cheap` is not a price in USD per million tokens (`0.25`, `3`)"
        );
        assert!(
            Prices::from_toml("mine.toml", &row("1").replace("name", "nmae"))
                .unwrap_err()
                .to_string()
                .contains("unknown field `nmae`")
        );
    }
}
