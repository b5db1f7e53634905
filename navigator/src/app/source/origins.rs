//! The origins that the operator of a server allows its callers to read.

use anyhow::Result;
use url::{Origin, Url};

use super::documents::RunSource;
use crate::app::settings::usage;
use crate::money::effect::{EffectKind, Permit};

/// The flag that allows an origin.
const FLAG: &str = "--allow";

/// The origins of a server's flags.
#[derive(Debug, Clone, Default)]
pub(crate) struct AllowedOrigins(Vec<AllowedOrigin>);

/// One value of the flag.
#[derive(Debug, Clone)]
struct AllowedOrigin {
    text: String,
    /// A host without a scheme stands for two.
    origins: Vec<Origin>,
}

impl AllowedOrigins {
    /// Reads the values of the flag: `reads:HOST`, or `reads:ORIGIN` for one scheme alone.
    ///
    /// # Errors
    /// If one is neither.
    pub(crate) fn of(allowed: &[String]) -> Result<AllowedOrigins> {
        allowed
            .iter()
            .map(|text| AllowedOrigin::of(text))
            .collect::<Result<_>>()
            .map(AllowedOrigins)
    }

    /// Reports whether no origin is allowed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the address of the origin that is allowed, if it is the only one.
    pub(crate) fn only(&self) -> Option<Url> {
        let [allowed] = &self.0[..] else { return None };
        let [origin] = &allowed.origins[..] else { return None };
        Url::parse(&origin.ascii_serialization()).ok()
    }

    /// Returns the allowed origins, as they were given.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|one| one.text.as_str()).collect();
        names.join(", ")
    }

    /// Returns the source of an address.
    ///
    /// # Errors
    /// A sentence, if it is no address, or its origin is not allowed.
    pub(crate) fn source(&self, address: &str) -> Result<RunSource, String> {
        let url = Url::parse(address.trim());
        let Some(url) = url.ok().filter(|url| matches!(url.scheme(), "http" | "https")) else {
            return Err(format!("`{address}` is no address of http or https"));
        };
        let origin = url.origin();
        if !self.0.iter().any(|allowed| allowed.origins.contains(&origin)) {
            let origin = origin.ascii_serialization();
            return Err(format!(
                "`{origin}` is not allowed here (it takes a server started with `{FLAG} \
                 reads:{origin}`)"
            ));
        }
        RunSource::of(url.as_str().as_ref()).map_err(|error| error.to_string())
    }
}

impl AllowedOrigin {
    fn of(text: &str) -> Result<AllowedOrigin> {
        let wrong = || {
            let message = format!(
                "`{text}` allows nothing that a caller may do (`reads:HOST`, or \
                 `reads:https://HOST` for one scheme)"
            );
            usage(FLAG, message)
        };
        let permit: Permit = text.parse().map_err(|_| wrong())?;
        if permit.kind != EffectKind::Reads {
            return Err(wrong());
        }
        let place = permit.origin.trim_end_matches('/');
        let addresses = match place.contains("://") {
            true => vec![place.to_owned()],
            false => ["https", "http"].map(|scheme| format!("{scheme}://{place}")).into(),
        };
        let origins: Option<Vec<Origin>> = addresses.iter().map(|one| origin(one)).collect();
        Ok(AllowedOrigin { text: place.to_owned(), origins: origins.ok_or_else(wrong)? })
    }
}

/// Returns the origin of an address without a path.
fn origin(address: &str) -> Option<Origin> {
    let url = Url::parse(address).ok()?;
    let is_plain = matches!(url.scheme(), "http" | "https")
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty();
    is_plain.then(|| url.origin())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(allow: &[&str], address: &str) -> String {
        let allow: Vec<String> = allow.iter().map(|one| (*one).to_owned()).collect();
        match AllowedOrigins::of(&allow).map(|origins| origins.source(address)) {
            Ok(Ok(source)) => source.name(),
            Ok(Err(refused)) => refused,
            Err(wrong) => wrong.to_string(),
        }
    }

    #[test]
    fn a_host_is_both_schemes_and_an_origin_is_one() {
        for (allow, address, is_allowed) in [
            ("reads:docs.example", "https://docs.example/3/#x", true),
            ("reads:docs.example", "http://docs.example/", true),
            ("reads:docs.example", "https://docs.example:8443/", false),
            ("reads:docs.example", "https://docs.example.evil/", false),
            ("reads:docs.example", "https://docs.example@evil/", false),
            ("reads:127.0.0.1:8000", "http://127.0.0.1:8000/m/", true),
            ("reads:127.0.0.1:8000", "http://127.0.0.1:8001/m/", false),
            ("reads:https://docs.example/", "https://DOCS.example:443/a", true),
            ("reads:https://docs.example", "http://docs.example/a", false),
        ] {
            let said = said(&[allow], address);
            assert_eq!(!said.contains("not allowed"), is_allowed, "{allow} {address}: {said}");
        }
    }

    #[test]
    fn what_is_no_origin_says_how_one_is_given() {
        for wrong in ["docs.example", "sends:docs.example", "reads:", "reads:https://a/3/"] {
            assert!(said(&[wrong], "https://a/").contains("(`reads:HOST`, or "), "{wrong}");
        }
        assert_eq!(
            said(&["reads:b"], "https://a/x"),
            "`https://a` is not allowed here (it takes a server started with `--allow \
             reads:https://a`)"
        );
        assert_eq!(said(&[], "file:///etc"), "`file:///etc` is no address of http or https");
    }
}
