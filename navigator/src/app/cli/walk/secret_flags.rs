//! The secrets of `--secret`: their names, where their values are, and where they may go.

use std::path::Path;

use anyhow::Result;
use site_map::source::http::given_value::ValuePlace;
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

/// Returns the file that has the value of a secret, if one has.
pub(in crate::app::cli) fn file_of(flag: &str) -> Option<&Path> {
    SecretSpec::of(flag).ok()?.place.file()
}

/// A secret as the person names it.
struct SecretSpec<'f> {
    name: &'f str,
    place: ValuePlace<'f>,
    origins: Vec<Url>,
}

impl<'f> SecretSpec<'f> {
    fn of(flag: &'f str) -> Result<SecretSpec<'f>> {
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
        let place = ValuePlace::of(place).ok_or_else(|| wrong(name))?;
        Ok(SecretSpec { name, place, origins: origins? })
    }

    fn value(&self) -> Result<String> {
        let of = format!("of the secret `{}`", self.name);
        self.place.read().map_err(|error| usage(FLAG, error.message(&of)))
    }
}
