//! Checks of server addresses: validity, host, and whether a key would travel unencrypted.

use crate::error::Error;

/// Checks that an address is a valid server address.
///
/// # Errors
/// [`Error::Endpoint`] with the reason.
#[cfg(feature = "cli")]
pub(crate) fn check_address(url: &str) -> Result<(), Error> {
    host(url).map(|_| ())
}

/// Returns the host of an address, with its port if the address names one.
pub(super) fn host(url: &str) -> Result<String, Error> {
    let wrong = || {
        Error::endpoint(format!(
            "`{url}` is not the address of a server (`https://host/v1`, `http://127.0.0.1:8080`)"
        ))
    };
    let parsed = reqwest::Url::parse(url).map_err(|_| wrong())?;
    if !parsed.username().is_empty()
        || parsed.password().is_some()
        || parsed.query().is_some()
        || parsed.fragment().is_some()
    {
        // Addresses are printed and stored, so they must not contain keys.
        let message = "the address of a server must hold no user, password, query or fragment (a \
                       key comes from the environment)";
        return Err(Error::endpoint(message.to_owned()));
    }
    match (parsed.scheme(), parsed.host_str()) {
        ("http" | "https", Some(host)) => {
            Ok(format!("{host}{}", parsed.port().map_or(String::new(), |port| format!(":{port}"))))
        }
        _ => Err(wrong()),
    }
}

pub(super) fn is_loopback(host: &str) -> bool {
    let name = host
        .rsplit_once(':')
        .map_or(host, |(name, port)| if port.parse::<u16>().is_ok() { name } else { host });
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    name == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Reports whether a key sent to this address could be read on the network.
pub(crate) fn is_in_the_clear(base_url: &str) -> bool {
    base_url.starts_with("http://") && !host(base_url).is_ok_and(|host| is_loopback(&host))
}
