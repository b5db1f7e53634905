//! The flags of settings.

use std::collections::BTreeMap;

use clap::Args;

/// The flags for the model and for limits.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Model and limits")]
pub(crate) struct ModelArgs {
    /// Use the table `[profile.NAME]` of the settings file; it wins over the file's other settings.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Ask this model; without one the offline pilot decides, at no cost.
    #[arg(long, value_name = "PROVIDER/NAME")]
    pub model: Option<String>,
    /// Set the spend limit, in USD. [default: 0.50]
    #[arg(long, value_name = "USD", allow_hyphen_values = true)]
    pub budget: Option<String>,
    /// Spend from this purse too: a limit that runs on many machines share (`navigator purse`).
    #[cfg(feature = "store")]
    #[arg(long, value_name = "NAME")]
    pub purse: Option<String>,
    /// Use the store at this place: a file, or `postgres://USER@HOST/DATABASE`. [default: a file in
    /// the state directory]
    #[cfg(feature = "store")]
    #[arg(long, value_name = "PLACE")]
    pub store: Option<String>,
    /// Limit the number of turns. [default: 20]
    #[arg(long, value_name = "N")]
    pub max_turns: Option<String>,
    /// Limit the time of the run: `90s`, `5m`, `1h`. [default: 5m with a model]
    #[arg(long, value_name = "TIME")]
    pub max_time: Option<String>,
    /// Limit the time of each call. [default: 2m, 10m for a self-hosted server]
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
    /// Use another server; with `openai/NAME` any that supports Chat Completions.
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// Set the wire format: messages, responses, chat, gemini or ollama.
    #[arg(long, value_name = "FORMAT")]
    pub wire: Option<String>,
    /// Read the key from this environment variable.
    #[arg(long, value_name = "NAME")]
    pub key_env: Option<String>,
    /// Set the price of input in USD per million tokens, if it is not listed.
    #[arg(long, value_name = "USD")]
    pub price_in: Option<String>,
    /// Set the price of output in USD per million tokens, if it is not listed.
    #[arg(long, value_name = "USD")]
    pub price_out: Option<String>,
    /// Set the price to zero, for a self-hosted server.
    #[arg(long)]
    pub free: bool,
    /// Read this price list (TOML) instead of the bundled one.
    #[arg(long, value_name = "FILE")]
    pub prices: Option<String>,
    /// Set the model's window: the maximum of input and output together, in tokens.
    #[arg(long, value_name = "N")]
    pub window: Option<String>,
}

impl ModelArgs {
    /// Returns the flags that were given, by the names of settings.
    pub(super) fn layer(&self, tokens: Option<u32>) -> BTreeMap<&'static str, String> {
        let values = [
            ("model", self.model.clone()),
            ("base_url", self.base_url.clone()),
            ("wire", self.wire.clone()),
            ("key_env", self.key_env.clone()),
            ("price_in", self.price_in.clone()),
            ("price_out", self.price_out.clone()),
            ("free", self.free.then(|| "true".to_owned())),
            ("prices", self.prices.clone()),
            ("window", self.window.clone()),
            ("budget", self.budget.clone()),
            ("tokens", tokens.map(|tokens| tokens.to_string())),
            ("max_turns", self.max_turns.clone()),
            ("max_time", self.max_time.clone()),
            ("timeout", self.timeout.clone()),
            #[cfg(feature = "store")]
            ("purse", self.purse.clone()),
            #[cfg(feature = "store")]
            ("store", self.store.clone()),
        ];
        values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}
