//! The names that a request may have the server under, and the pages that may call. A page that
//! makes an address of this machine one of its own name (DNS rebinding) is refused by both.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri, header};

use super::refusal::RequestRefusal;

/// The names of this machine for itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Names of the server, and origins of pages that may call.
#[derive(Debug, Clone)]
pub(crate) struct HostNames {
    pub(super) names: Vec<String>,
    pub(super) origins: Vec<String>,
}

impl HostNames {
    /// Makes the names of a server: those of the loopback, its address, and those given.
    pub(crate) fn new(address: IpAddr, names: &[String], origins: &[String]) -> HostNames {
        let lower = |names: &[String]| -> Vec<String> {
            names.iter().map(|name| name.to_ascii_lowercase()).collect()
        };
        let mut all: Vec<String> = LOOPBACK.map(str::to_owned).into();
        all.push(address.to_string());
        all.extend(lower(names));
        HostNames { names: all, origins: lower(origins) }
    }

    /// Checks the headers of a request.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), RequestRefusal> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let host = match text(header::HOST) {
            Some(host) => Authority::try_from(host).ok(),
            None => uri.authority().cloned(),
        };
        let host = host.ok_or(RequestRefusal::Host)?;
        let name = host.host().trim_matches(['[', ']']).to_ascii_lowercase();
        if !self.names.contains(&name) {
            return Err(RequestRefusal::Host);
        }
        match text(header::ORIGIN) {
            Some(origin) if !self.origins.contains(&origin.to_ascii_lowercase()) => {
                Err(RequestRefusal::Origin)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_known_names_and_origins_pass() {
        let origin = "https://chat.example".to_owned();
        let names = HostNames::new([10, 0, 0, 5].into(), &["Maps.Example".to_owned()], &[origin]);
        let passes = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
            }
            names.check(&Uri::from_static("/mcp"), &headers).is_ok()
        };
        for host in ["localhost:7878", "127.0.0.1", "[::1]:80", "10.0.0.5:7878", "maps.EXAMPLE"] {
            assert!(passes(host, None) && passes(host, Some("https://chat.example")), "{host}");
            for origin in ["null", "", "http://chat.example", "https://chat.example:444"] {
                assert!(!passes(host, Some(origin)), "{host} {origin}");
            }
        }
        for host in ["evil.example", "localhost.evil.example", "10.0.0.6", "", "a b", "0x7f.1"] {
            assert!(!passes(host, None), "{host}");
        }
        assert!(names.check(&Uri::from_static("/mcp"), &HeaderMap::new()).is_err());
    }
}
