//! The endpoint of a run: model, server and terms.

use crate::error::Error;
use crate::model::address::{host, is_loopback};
use crate::model::provider::{OWN_KEY, Provider};
use crate::model::request::UNKNOWN_WINDOW;
use crate::model::wire::{SchemaForm, Wire};
use crate::money::price::Price;
use crate::money::prices::{ModelInfo, Prices};

/// Model, server and terms, settled before anything is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelEndpoint {
    /// `provider/name`.
    pub name: String,
    /// The name in requests.
    pub model: String,
    /// The base address.
    pub base_url: String,
    /// The wire format.
    pub wire: Wire,
    /// The server is the vendor's: the listed prices, parameters and keys hold only there.
    pub is_vendor: bool,
    /// The provider name denotes a self-hosted server.
    pub is_local: bool,
    /// The form of JSON output in the first body.
    pub(crate) form: SchemaForm,
    /// The row of the price list; only for the vendor's server.
    pub listed: Option<ModelInfo>,
    /// The vendor's other listed models, one of which may answer.
    pub(crate) others: Vec<ModelInfo>,
    /// The price per token.
    pub price: Price,
    /// The date of the price list; `None` for a price given by hand.
    pub prices_as_of: Option<String>,
    /// The environment variables that may hold its key.
    pub keys: Vec<String>,
    /// The maximum of input and output together, in tokens.
    pub window: u32,
    /// The window is assumed: neither the user nor the price list gives it.
    pub is_window_assumed: bool,
}

/// The user's options for a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndpointRequest {
    /// `provider/name`.
    pub model: String,
    /// A base address other than the provider's.
    pub base_url: Option<String>,
    /// A wire format other than the provider's.
    pub wire: Option<Wire>,
    /// A price given by hand.
    pub price: Option<Price>,
    /// The variable that holds the key, instead of the provider's.
    pub key_env: Option<String>,
    /// The model's window in tokens.
    pub window: Option<u32>,
}

impl ModelEndpoint {
    /// Settles the user's options with the table of providers and the price list.
    ///
    /// # Errors
    /// [`Error::UnknownModel`], [`Error::NoPrice`], [`Error::ListedPrice`], or
    /// [`Error::Endpoint`] for an invalid address.
    pub fn new(asked: &EndpointRequest, prices: &Prices) -> Result<ModelEndpoint, Error> {
        let (provider, model) = provider_and_model(&asked.model)?;
        let base_url = asked.base_url.clone().unwrap_or_else(|| provider.base_url.to_owned());
        let host = host(&base_url)?;
        let is_vendor = if provider.is_local() {
            is_loopback(&host)
        } else {
            Ok(&host) == self::host(provider.base_url).as_ref()
        };
        let listed = prices.find(provider.name, model).filter(|_| is_vendor).cloned();
        let mut listed = listed;
        let (price, prices_as_of) = match (&asked.price, &mut listed) {
            (Some(price), Some(listed)) if price.is_free() && !listed.price.is_free() => {
                return Err(Error::ListedPrice { model: asked.model.clone() });
            }
            (Some(price), listed) => {
                // A price given by hand has no cache rates, so the request does not ask for
                // caching.
                if let Some(listed) = listed {
                    listed.cache_from = None;
                }
                (price.clone(), None)
            }
            (None, Some(listed)) => (listed.price.clone(), Some(prices.as_of.clone())),
            (None, None) => {
                return Err(no_price(provider, model, is_vendor, &base_url, prices));
            }
        };
        // Other servers that imitate OpenAI support Chat Completions first.
        let default_wire =
            if provider.wire == Wire::Responses && !is_vendor { Wire::Chat } else { provider.wire };
        let keys = match &asked.key_env {
            Some(name) => vec![name.clone()],
            None if is_vendor && !provider.is_local() => {
                provider.keys.iter().map(|key| (*key).to_owned()).collect()
            }
            None => vec![OWN_KEY.to_owned()],
        };
        let form = match &listed {
            Some(listed) if !listed.json_schema && !provider.is_local() => SchemaForm::Object,
            _ => provider.form,
        };
        let known_window =
            asked.window.or(listed.as_ref().and_then(|listed| listed.context_window));
        Ok(ModelEndpoint {
            name: asked.model.clone(),
            model: model.to_owned(),
            wire: asked.wire.unwrap_or(default_wire),
            is_vendor,
            is_local: provider.is_local(),
            form,
            others: prices
                .models
                .iter()
                .filter(|row| row.provider == provider.name)
                .cloned()
                .collect(),
            price,
            prices_as_of,
            keys,
            window: known_window.unwrap_or(UNKNOWN_WINDOW),
            is_window_assumed: known_window.is_none(),
            listed,
            base_url,
        })
    }

    /// Returns the provider of the model, or the provider whose API the server implements.
    pub fn provider(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// Returns the reason why the limit is soft, if it is. Anthropic, OpenAI and DeepSeek promise
    /// for their own servers that hidden reasoning stays within the maximum output; a model that
    /// does not reason has nothing to hide.
    pub fn soft_hold(&self) -> Option<&'static str> {
        let provider = self.provider();
        let is_promised = self.is_vendor && matches!(provider, "anthropic" | "openai" | "deepseek");
        let has_none = self.listed.as_ref().is_some_and(|listed| !listed.reasons);
        match provider {
            _ if self.price.is_free() || is_promised || has_none => None,
            "google" => {
                Some("that hidden thinking stays within the most output was observed, not promised")
            }
            _ => Some(
                "that hidden reasoning stays within the most output is not promised for this \
                 server",
            ),
        }
    }

    /// Returns `Some` if another model answered than the one the listed price is for, with the
    /// price of that model if it is listed. A price given by hand holds for any model.
    pub(crate) fn other_model(&self, answered: &str) -> Option<Option<Price>> {
        let listed = self
            .listed
            .as_ref()
            .filter(|listed| listed.name != "*" && self.prices_as_of.is_some())?;
        // The vendor decides which model an alias denotes; the price was listed with the alias.
        if listed.name.ends_with("-latest") || listed.is_answering(answered) {
            return None;
        }
        Some(
            self.others
                .iter()
                .find(|other| other.is_answering(answered))
                .map(|other| other.price.clone()),
        )
    }

    /// Returns the variables that may hold the key, joined for a message.
    pub fn key_names(&self) -> String {
        self.keys.join(" or ")
    }
}

/// Splits `PROVIDER/NAME`.
fn provider_and_model(name: &str) -> Result<(&'static Provider, &str), Error> {
    match name.split_once('/') {
        Some((provider, model)) if !model.is_empty() => Ok((Provider::named(provider)?, model)),
        _ => Err(Error::UnknownModel {
            message: format!(
                "`{name}` is not a model (write PROVIDER/NAME, as in `anthropic/claude-haiku-5-5`)"
            ),
        }),
    }
}

fn no_price(
    provider: &Provider,
    model: &str,
    is_vendor: bool,
    base_url: &str,
    prices: &Prices,
) -> Error {
    if !is_vendor {
        return Error::NoPrice {
            model: base_url.to_owned(),
            similar: ": a listed price holds for the provider's own server only".to_owned(),
        };
    }
    let similar = prices.similar(provider.name, model);
    let similar = if similar.is_empty() {
        String::new()
    } else {
        format!("; did you mean `{}`?", similar.join("`, `"))
    };
    Error::NoPrice { model: format!("`{}/{model}`", provider.name), similar }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::model::address::is_in_the_clear;

    fn target(model: &str, base_url: Option<&str>) -> Result<ModelEndpoint, Error> {
        let asked = EndpointRequest {
            model: model.to_owned(),
            base_url: base_url.map(str::to_owned),
            ..EndpointRequest::default()
        };
        ModelEndpoint::new(&asked, &Prices::bundled())
    }

    #[test]
    fn a_listed_price_holds_for_the_vendors_own_host() {
        let haiku = target("anthropic/claude-haiku-5-5", None).unwrap();
        assert!(
            haiku.is_vendor && haiku.keys == ["ANTHROPIC_API_KEY"] && haiku.window == 1_000_000
        );
        let elsewhere =
            target("anthropic/claude-haiku-5-5", Some("https://proxy.example/v1")).unwrap_err();
        assert_eq!(
            elsewhere.to_string(),
            "no price is known for https://proxy.example/v1: a listed price holds for the \
             provider's own server only"
        );
        assert!(target("ollama/qwen", None).unwrap().price.is_free());
        assert!(target("ollama/qwen", Some("http://localhost:9")).unwrap().is_vendor);
        assert!(target("ollama/qwen", Some("https://ollama.example")).is_err());
        assert!(matches!(target("lmstudio/any", None), Err(Error::NoPrice { .. })));
        assert!(
            target("openai/gpt-5.4-micro", None)
                .unwrap_err()
                .to_string()
                .contains("openai/gpt-5.4-mini")
        );
    }

    #[test]
    fn another_model_than_the_one_asked_has_its_own_price_and_a_date_or_a_folder_makes_none() {
        let row = |name: &str, output: &str| {
            format!(
                "[[model]]\nprovider = \"openai\"\nname = \"{name}\"\ninput = \"1\"\noutput = \
                 \"{output}\"\n"
            )
        };
        let table = format!(
            "as_of = \"2026-01-01\"\n{}{}",
            row("gpt-5.5", "30"),
            row("gpt-5.5-pro", "180")
        );
        let prices = Prices::from_toml("prices.toml", &table).unwrap();
        let asked = |price: Option<Price>| EndpointRequest {
            model: "openai/gpt-5.5".to_owned(),
            price,
            ..EndpointRequest::default()
        };
        let listed = ModelEndpoint::new(&asked(None), &prices).unwrap();
        for same in ["gpt-5.5", "gpt-5.5-20260131", "gpt-5.5-2026-01-31", "models/gpt-5.5"] {
            assert_eq!(listed.other_model(same), None, "{same}");
        }
        let pro = prices.find("openai", "gpt-5.5-pro").unwrap().price.clone();
        assert_eq!(listed.other_model("gpt-5.5-pro-2026-01-31"), Some(Some(pro)));
        assert_eq!(listed.other_model("gpt-5.5-turbo"), Some(None));
        let price = Price::flat(crate::PicoUsd(1), crate::PicoUsd(1));
        let by_hand = ModelEndpoint::new(&asked(Some(price)), &prices).unwrap();
        assert_eq!(
            by_hand.other_model("gpt-5.5-pro"),
            None,
            "a price by hand holds for whatever answers"
        );
    }

    #[test]
    fn another_server_speaks_chat_and_gets_no_vendors_key() {
        let asked = EndpointRequest {
            model: "openai/qwen".to_owned(),
            base_url: Some("http://127.0.0.1:8099".to_owned()),
            price: Some(Price::default()),
            ..EndpointRequest::default()
        };
        let own = ModelEndpoint::new(&asked, &Prices::bundled()).unwrap();
        assert_eq!(
            (own.wire, own.keys, own.window, own.is_vendor),
            (Wire::Chat, vec![OWN_KEY.to_owned()], UNKNOWN_WINDOW, false)
        );
    }

    #[test]
    fn an_address_with_a_key_in_it_is_refused() {
        for url in ["https://u:p@host/v1", "https://host/v1?key=k", "ftp://host", "host"] {
            assert!(host(url).is_err(), "{url}");
        }
        assert!(
            is_in_the_clear("http://10.0.0.1:8000/v1")
                && !is_in_the_clear("http://[::1]:8000")
                && !is_in_the_clear("https://h")
        );
    }
}
