//! Settings from flags, environment and the user's file, in that order of precedence, each with its
//! origin.
//!
//! A repository cannot change settings: it could name a server that reads the requests.

#![expect(
    clippy::disallowed_methods,
    reason = "the rim: reads the environment and the user's file"
)]

mod args;
#[cfg(feature = "store")]
mod place;

use std::collections::BTreeMap;
use std::env;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use etcetera::BaseStrategy;

pub(crate) use args::ModelArgs;
#[cfg(feature = "store")]
pub(crate) use place::store_place;

use crate::error::Error;
use crate::model::address::check_address;
use crate::model::endpoint::{EndpointRequest, ModelEndpoint};
use crate::model::secret::Secret;
use crate::model::wire::Wire;
use crate::money::pico_usd::PicoUsd;
use crate::money::price::{Price, per_token};
use crate::money::prices::Prices;
use crate::run::explore::DEFAULT_TURNS;
use crate::shared::suggest::{did_you_mean, similar};
use crate::shared::{UsageError, tokens};

/// Every setting: its name in the file, and its default in words. The flag is `--` and the name
/// with dashes, the variable `NAVIGATOR_` and the name in capitals.
const SETTINGS: &[(&str, &str)] = &[
    ("model", "none: the offline pilot"),
    ("base_url", "the provider's own"),
    ("wire", "the provider's own"),
    ("key_env", "the provider's own"),
    ("price_in", "the price list's"),
    ("price_out", "the price list's"),
    ("free", "false"),
    ("prices", "the bundled list"),
    ("window", "the price list's, else 8192"),
    ("budget", "0.50"),
    ("tokens", "the plan's, else 8000"),
    ("plan", "none: every path may be shown"),
    ("max_turns", "20"),
    ("max_time", "5m with a model, none without"),
    ("timeout", "2m, 10m for a self-hosted server"),
    #[cfg(feature = "store")]
    ("purse", "none: the budget alone"),
    #[cfg(feature = "store")]
    ("store", "store.db in the state directory"),
];

/// The variable that names another settings file. If it is empty, no file is read.
const FILE_VARIABLE: &str = "NAVIGATOR_CONFIG";
/// The variable that names a profile.
const PROFILE_VARIABLE: &str = "NAVIGATOR_PROFILE";

/// A setting in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The value as the user wrote it.
    pub value: String,
    /// The origin: `--budget`, `NAVIGATOR_BUDGET`, a file, or the resumed run.
    pub origin: String,
}

/// The settings in force.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    values: BTreeMap<&'static str, Setting>,
    /// The user's file, even if it does not exist.
    pub file: Option<PathBuf>,
}

impl Settings {
    /// Reads settings from flags, environment and file; the first value wins. For a resumed run,
    /// its settings replace environment and file.
    ///
    /// # Errors
    /// If the file cannot be read or contains an unknown setting.
    pub(crate) fn read(
        args: &ModelArgs,
        tokens: Option<u32>,
        run: Option<&BTreeMap<String, String>>,
    ) -> anyhow::Result<Settings> {
        let mut settings = Settings::default();
        for (name, value) in args.layer(tokens) {
            settings.put(name, value, format!("--{}", name.replace('_', "-")));
        }
        if let Some(run) = run {
            for (name, _) in SETTINGS {
                if let Some(value) = run.get(*name) {
                    settings.put(name, value.clone(), "the run".to_owned());
                }
            }
            // An address with a password is not kept with the run.
            #[cfg(feature = "store")]
            settings.put_variable("store");
            settings.settle();
            return Ok(settings);
        }
        for (name, _) in SETTINGS {
            settings.put_variable(name);
        }
        settings.read_file(args.profile.as_deref())?;
        settings.settle();
        Ok(settings)
    }

    /// Adds the value of a setting's variable, unless the setting has a value.
    fn put_variable(&mut self, name: &'static str) {
        let variable = format!("NAVIGATOR_{}", name.to_uppercase());
        if let Ok(value) = env::var(&variable)
            && !value.is_empty()
        {
            self.put(name, value, variable);
        }
    }

    fn put(&mut self, name: &'static str, value: String, origin: String) {
        self.values.entry(name).or_insert(Setting { value, origin });
    }

    /// Drops settings of another model. Settings of a file or a run hold for its model alone, and
    /// the price is one decision, so neither is mixed with a flag or a variable.
    fn settle(&mut self) {
        const OF_MODEL: [&str; 7] =
            ["base_url", "wire", "key_env", "window", "price_in", "price_out", "free"];
        const PRICE: [&str; 3] = ["price_in", "price_out", "free"];
        let level = |settings: &Settings, name: &str| {
            settings.values.get(name).map(|setting| layer(&setting.origin))
        };
        if let Some(of_model) = level(self, "model") {
            let may_stay = |layer: u8| layer < PROFILE || layer <= of_model;
            self.values.retain(|name, setting| {
                !OF_MODEL.contains(name) || may_stay(layer(&setting.origin))
            });
        }
        let first = PRICE.iter().filter_map(|name| level(self, name)).min();
        self.values
            .retain(|name, setting| !PRICE.contains(name) || Some(layer(&setting.origin)) == first);
    }

    fn read_file(&mut self, profile: Option<&str>) -> anyhow::Result<()> {
        let of_variable = env::var(PROFILE_VARIABLE).ok().filter(|name| !name.is_empty());
        let profile = profile.map(str::to_owned).or(of_variable);
        let none = |why: &str| {
            usage(
                "--profile",
                format!("there is no profile `{}`: {why}", profile.as_deref().unwrap_or_default()),
            )
        };
        self.file = match env::var(FILE_VARIABLE) {
            Ok(path) if path.is_empty() => None,
            Ok(path) => Some(PathBuf::from(path)),
            Err(_) => etcetera::choose_base_strategy()
                .ok()
                .map(|base| base.config_dir().join("navigator").join("config.toml")),
        };
        let Some(path) = self.file.clone() else {
            return if profile.is_some() {
                Err(none("there is no file of settings"))
            } else {
                Ok(())
            };
        };
        let name = path.display().to_string();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    && env::var_os(FILE_VARIABLE).is_none() =>
            {
                return if profile.is_some() {
                    Err(none(&format!("there is no {name}")))
                } else {
                    Ok(())
                };
            }
            Err(error) => return Err(usage(&name, error.to_string())),
        };
        let table: toml::Table = toml::from_str(&text)
            .map_err(|error| usage(&name, error.to_string().trim_end().to_owned()))?;
        let mut table = table;
        let mut profiles = match table.remove("profile") {
            Some(toml::Value::Table(profiles)) => profiles,
            Some(_) => {
                return Err(usage(
                    &name,
                    "profile: not a table (`[profile.review]`, and settings below it)".to_owned(),
                ));
            }
            None => toml::Table::new(),
        };
        if let Some(chosen) = &profile {
            let names: Vec<&str> = profiles.keys().map(String::as_str).collect();
            let known = format!(
                "{name} has {}{}",
                if names.is_empty() { "none".to_owned() } else { names.join(", ") },
                did_you_mean(&similar(chosen, names.iter().copied()))
            );
            match profiles.remove(chosen) {
                Some(toml::Value::Table(settings)) => {
                    self.take(&format!("{name}: profile.{chosen}"), settings)?
                }
                Some(_) => {
                    return Err(usage(
                        &name,
                        format!(
                            "profile.{chosen}: not a table (`[profile.{chosen}]`, and settings \
                             below it)"
                        ),
                    ));
                }
                None => return Err(none(&known)),
            }
        }
        self.take(&name, table)
    }

    /// Adds the settings of a table that have no value yet.
    fn take(&mut self, origin: &str, table: toml::Table) -> anyhow::Result<()> {
        for (key, value) in table {
            let Some((known, _)) = SETTINGS.iter().find(|(known, _)| *known == key) else {
                if key.contains("key") && key != "key_env" {
                    return Err(usage(
                        origin,
                        format!(
                            "`{key}`: keys come from the environment, not from files (`key_env` \
                             names the variable)"
                        ),
                    ));
                }
                let near = similar(&key, SETTINGS.iter().map(|(known, _)| *known));
                let hint = if near.is_empty() {
                    " (`navigator config` lists them)".to_owned()
                } else {
                    did_you_mean(&near)
                };
                return Err(usage(origin, format!("`{key}` is not a setting{hint}")));
            };
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Float(number) => number.to_string(),
                toml::Value::Boolean(is_so) => is_so.to_string(),
                other => {
                    return Err(usage(
                        origin,
                        format!("{key}: `{other}` is not a value for a setting"),
                    ));
                }
            };
            self.put(known, value, origin.to_owned());
        }
        Ok(())
    }

    fn get<T, E: Display>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> anyhow::Result<Option<T>> {
        let Some(setting) = self.values.get(name) else { return Ok(None) };
        let origin = if setting.origin.starts_with("--") || setting.origin.starts_with("NAVIGATOR_")
        {
            setting.origin.clone()
        } else {
            format!("{}: {name}", setting.origin)
        };
        parse(&setting.value).map(Some).map_err(|error| usage(&origin, error.to_string()))
    }

    /// Reports whether a setting was chosen for this run: by a flag, a variable or a profile.
    pub(crate) fn is_chosen(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(|setting| layer(&setting.origin) < FILE)
    }

    /// Returns the text of a setting.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|setting| setting.value.as_str())
    }

    /// Returns the values in force, for resuming the run. An address with a password is none of
    /// them.
    pub(crate) fn values(&self) -> BTreeMap<String, String> {
        self.values
            .iter()
            .filter(|(name, setting)| shown(name, &setting.value) == setting.value)
            .map(|(name, setting)| ((*name).to_owned(), setting.value.clone()))
            .collect()
    }

    /// Returns the limit of spend, if it is set.
    ///
    /// # Errors
    /// If it is no amount.
    pub(crate) fn budget(&self) -> anyhow::Result<Option<PicoUsd>> {
        self.get("budget", PicoUsd::from_str)
    }

    /// Returns the name of the purse that the run spends from, if there is one.
    #[cfg(feature = "store")]
    pub(crate) fn purse(&self) -> Option<&str> {
        self.text("purse")
    }

    /// Returns the settings with the purse of a caller.
    #[cfg(all(feature = "store", feature = "mcp"))]
    pub(crate) fn with_purse(mut self, purse: Option<String>) -> Settings {
        if let Some(value) = purse {
            self.values.insert("purse", Setting { value, origin: "the caller".to_owned() });
        }
        self
    }

    /// Returns the budget of the map in tokens.
    ///
    /// # Errors
    /// If it is no number of tokens.
    pub(crate) fn tokens(&self) -> anyhow::Result<Option<u32>> {
        self.get("tokens", tokens)
    }

    /// Returns the maximum number of turns.
    ///
    /// # Errors
    /// If it is no number.
    pub(crate) fn max_turns(&self) -> anyhow::Result<u32> {
        let number =
            |text: &str| text.parse().map_err(|_| format!("`{text}` is not a number of turns"));
        Ok(self.get("max_turns", number)?.unwrap_or(DEFAULT_TURNS))
    }

    /// Returns the maximum times of the run and of a call; `None` if not set.
    ///
    /// # Errors
    /// If one is no time.
    pub(crate) fn times(&self) -> anyhow::Result<(Option<Duration>, Option<Duration>)> {
        Ok((self.get("max_time", duration)?, self.get("timeout", duration)?))
    }

    /// Returns the price list in force.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn prices(&self) -> anyhow::Result<Prices> {
        let read = |path: &str| {
            let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            Prices::from_toml(path, &text).map_err(|error| error.to_string())
        };
        Ok(self.get("prices", read)?.unwrap_or_else(Prices::bundled))
    }

    /// Returns the endpoint of the model, if a model is set.
    ///
    /// # Errors
    /// For an unknown provider, an unknown price or an invalid address.
    pub(crate) fn target(&self) -> anyhow::Result<Option<ModelEndpoint>> {
        let Some(model) = self.text("model") else { return Ok(None) };
        let wire = |text: &str| {
            let names: Vec<&str> = Wire::ALL.iter().map(|wire| wire.as_str()).collect();
            let found = Wire::ALL.into_iter().find(|wire| wire.as_str() == text);
            found.ok_or_else(|| format!("`{text}` is not a wire format ({})", names.join(", ")))
        };
        let asked = EndpointRequest {
            model: model.to_owned(),
            base_url: self.get("base_url", |url| check_address(url).map(|()| url.to_owned()))?,
            wire: self.get("wire", wire)?,
            price: self.price()?,
            key_env: self.text("key_env").map(str::to_owned),
            window: self.get("window", tokens)?,
        };
        let target = ModelEndpoint::new(&asked, &self.prices()?);
        target.map(Some).map_err(|error| usage(&self.values["model"].origin, with_flags(&error)))
    }

    fn price(&self) -> anyhow::Result<Option<Price>> {
        let is_free = self
            .get("free", |text| {
                text.parse().map_err(|_| format!("`{text}` is neither `true` nor `false`"))
            })?
            .unwrap_or(false);
        match (is_free, self.get("price_in", per_token)?, self.get("price_out", per_token)?) {
            (true, None, None) => Ok(Some(Price::default())),
            (true, ..) => Err(usage(
                "--free",
                "a price stands beside it (`--price-in`, `--price-out`)".to_owned(),
            )),
            (false, Some(input), Some(output)) => Ok(Some(Price::flat(input, output))),
            (false, None, None) => Ok(None),
            (false, ..) => Err(usage(
                "--price-in, --price-out",
                "one of them is missing: a price has both".to_owned(),
            )),
        }
    }

    /// Returns every setting with its value or default, and its origin.
    pub(crate) fn table(&self) -> Vec<(&'static str, String, String)> {
        let row = |&(name, default): &(&'static str, &'static str)| match self.values.get(name) {
            Some(setting) => (name, shown(name, &setting.value), setting.origin.clone()),
            None => (name, default.to_owned(), "default".to_owned()),
        };
        SETTINGS.iter().map(row).collect()
    }
}

/// Returns the value of a setting as people may see it.
fn shown(name: &str, value: &str) -> String {
    match name {
        #[cfg(feature = "store")]
        "store" => place::shown(value),
        _ => value.to_owned(),
    }
}

/// The layer of a profile.
const PROFILE: u8 = 2;
/// The layer of the file, or of the resumed run.
const FILE: u8 = 3;

/// Returns the layer of an origin: flags, environment, profile or file.
fn layer(origin: &str) -> u8 {
    if origin.starts_with("--") {
        0
    } else if origin.starts_with("NAVIGATOR_") {
        1
    } else if origin.contains(": profile.") {
        PROFILE
    } else {
        FILE
    }
}

/// Returns the key from the first of these variables that has one.
pub(crate) fn key(variables: &[String]) -> Option<Secret> {
    variables
        .iter()
        .filter_map(|name| env::var(name).ok())
        .find(|key| !key.trim().is_empty())
        .map(|key| Secret::new(&key))
}

/// Makes an error for a mistake of the user.
pub(crate) fn usage(origin: &str, message: String) -> anyhow::Error {
    UsageError::Plan { file: origin.to_owned(), line: None, message }.into()
}

/// Makes an error for something that the user named and that is not there.
pub(crate) fn not_there(message: String) -> anyhow::Error {
    std::io::Error::new(std::io::ErrorKind::NotFound, message).into()
}

/// Reads a time: `90s`, `5m`, `1h`.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time (`90s`, `5m`, `1h`)");
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..split].parse().map_err(|_| wrong())?;
    let seconds = match &text[split..] {
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3_600,
        _ => return Err(wrong()),
    };
    Ok(Duration::from_secs(number.saturating_mul(seconds)))
}

/// Returns the message of a refused model, with the flags that mend the request.
fn with_flags(error: &Error) -> String {
    let flags = match error {
        Error::UnknownModel { .. } => {
            "`navigator models` lists them; another server: `--base-url URL`"
        }
        Error::NoPrice { .. } => {
            "give `--price-in USD --price-out USD` per million tokens, or `--free` for a \
             self-hosted server"
        }
        Error::ListedPrice { .. } => "`--free` is for a server of your own",
        _ => return error.to_string(),
    };
    format!("{error} ({flags})")
}
