//! The flags of settings.

use std::collections::BTreeMap;

use clap::Args;

/// Which model decides, and what it may cost.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Model and limits")]
pub(crate) struct ModelArgs {
    /// Settings of this name in the user's file: a table `[profile.NAME]`. They win over the file's
    /// other settings.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Ask this model; without one the offline pilot decides, at no cost.
    #[arg(long, value_name = "PROVIDER/NAME")]
    pub model: Option<String>,
    /// The most that may be spent, in USD. [default: 0.50]
    #[arg(long, value_name = "USD", allow_hyphen_values = true)]
    pub budget: Option<String>,
    /// The most turns. [default: 20]
    #[arg(long, value_name = "N")]
    pub max_turns: Option<String>,
    /// The most time: `90s`, `5m`, `1h`. [default: 5m with a model]
    #[arg(long, value_name = "TIME")]
    pub max_time: Option<String>,
    /// The most time one call may take. [default: 2m, 10m with a server of one's own]
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
    /// Another server than the provider's own; with `openai/NAME` any that speaks Chat Completions.
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// How the server is spoken to: messages, responses, chat, gemini or ollama.
    #[arg(long, value_name = "FORMAT")]
    pub wire: Option<String>,
    /// The environment variable that holds the key.
    #[arg(long, value_name = "NAME")]
    pub key_env: Option<String>,
    /// The price of input in USD per million tokens, where none is listed.
    #[arg(long, value_name = "USD")]
    pub price_in: Option<String>,
    /// The price of output in USD per million tokens, where none is listed.
    #[arg(long, value_name = "USD")]
    pub price_out: Option<String>,
    /// The model costs nothing: a server of your own.
    #[arg(long)]
    pub free: bool,
    /// Another price list (TOML).
    #[arg(long, value_name = "FILE")]
    pub prices: Option<String>,
    /// The model's window: the most tokens of input and output together.
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
        ];
        values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}
