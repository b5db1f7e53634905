//! The secrets of `--secret`: their names, where their values are, and where they may go.

use std::env;
use std::fs;

use anyhow::Result;
use url::Url;

use crate::app::settings::usage;
use crate::browser::secrets::store::SecretStore;

const FLAG: &str = "--secret";
const FORM: &str = "`NAME=env:VAR` or `NAME=file:PATH`, with `@https://login.example` after it \
    for another origin than the first page's";

/// Reads the secrets of a walk that begins at an address.
///
/// # Errors
/// If one is wrong, or its value cannot be read. No message has a value.
pub(in crate::app::cli) fn secrets(flags: &[String], start: &Url) -> Result<SecretStore> {
    let store = SecretStore::default();
    for flag in flags {
        let spec = SecretSpec::of(flag)?;
        let value = spec.value()?;
        let mut home = start.clone();
        home.set_path("");
        home.set_query(None);
        home.set_fragment(None);
        // A user and a password in the address belong to no origin. These exist for each address.
        let _ = home.set_username("");
        let _ = home.set_password(None);
        let origins = if spec.origins.is_empty() { vec![home] } else { spec.origins };
        store.add(spec.name, &value, &origins).map_err(|error| usage(FLAG, error.to_string()))?;
    }
    Ok(store)
}

/// A secret as the person names it.
struct SecretSpec<'f> {
    name: &'f str,
    source: SecretSource<'f>,
    origins: Vec<Url>,
}

/// Where a value is.
enum SecretSource<'f> {
    Variable(&'f str),
    File(&'f str),
}

impl SecretSpec<'_> {
    fn of(flag: &str) -> Result<SecretSpec<'_>> {
        // The rest may be the value itself, written here by mistake.
        let wrong = |name: &str| usage(FLAG, format!("`{name}=…` is not a secret ({FORM})"));
        let Some((name, rest)) = flag.split_once('=') else {
            return Err(usage(FLAG, format!("this is not a secret ({FORM})")));
        };
        let at = [rest.find("@http://"), rest.find("@https://")].into_iter().flatten().min();
        let (place, origins) = rest.split_at(at.unwrap_or(rest.len()));
        let origins = origins.split('@').filter(|origin| !origin.is_empty());
        let origins: Result<Vec<Url>> = origins
            .map(|text| {
                let wrong = || usage(FLAG, format!("`{text}` is not an origin"));
                Url::parse(text).map_err(|_| wrong())
            })
            .collect();
        let source = match place.split_once(':') {
            Some(("env", name)) if !name.is_empty() => SecretSource::Variable(name),
            Some(("file", path)) if !path.is_empty() => SecretSource::File(path),
            _ => return Err(wrong(name)),
        };
        Ok(SecretSpec { name, source, origins: origins? })
    }

    fn value(&self) -> Result<String> {
        let name = self.name;
        match self.source {
            SecretSource::Variable(variable) => env::var(variable).map_err(|error| match error {
                env::VarError::NotPresent => usage(
                    FLAG,
                    format!("the variable `{variable}` of the secret `{name}` is not set"),
                ),
                env::VarError::NotUnicode(_) => usage(
                    FLAG,
                    format!("the variable `{variable}` of the secret `{name}` is not UTF-8"),
                ),
            }),
            SecretSource::File(path) => {
                let text = fs::read_to_string(path).map_err(|error| {
                    let message = format!("the file `{path}` of the secret `{name}`: {error}");
                    usage(FLAG, message)
                })?;
                Ok(text.lines().next().unwrap_or_default().to_owned())
            }
        }
    }
}
