//! Cookies that a person gives, in the format of Netscape that browsers and `curl` write.
//!
//! They are sent to their hosts and kept nowhere; what a server sets is ignored. The time at which
//! a cookie ends is not read: no clock decides what is sent, and the server refuses old ones.

#![expect(clippy::disallowed_methods, reason = "the rim: reads a file of cookies")]

use std::fs;
use std::path::Path;

use reqwest::header::HeaderValue;
use url::Url;

use crate::error::{Error, Result};

/// What stands before the host of a cookie that scripts cannot read.
const HTTP_ONLY: &str = "#HttpOnly_";

/// Cookies with the addresses they are for. `Debug` does not show them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Cookies(Vec<GivenCookie>);

#[derive(Clone, PartialEq, Eq)]
struct GivenCookie {
    host: String,
    has_subdomains: bool,
    path: String,
    is_secure: bool,
    /// `NAME=VALUE`.
    pair: String,
}

impl Cookies {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or a line is no cookie.
    pub fn read(file: &Path) -> Result<Cookies> {
        let path = file.to_owned();
        let text = fs::read_to_string(file).map_err(|source| Error::Io { path, source })?;
        let lines = text.lines().enumerate().filter_map(|(at, line)| {
            let line = line.strip_prefix(HTTP_ONLY).unwrap_or(line);
            let is_cookie = !line.trim().is_empty() && !line.starts_with('#');
            is_cookie.then_some((at + 1, line))
        });
        let cookies = lines.map(|(number, line)| {
            cookie(line).ok_or_else(|| Error::Cookies { path: file.to_owned(), line: number })
        });
        Ok(Cookies(cookies.collect::<Result<_>>()?))
    }

    /// Returns the values, without the quotes around them.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        let values = self.0.iter().filter_map(|cookie| cookie.pair.split_once('='));
        values.map(|(_, value)| value.trim().trim_matches('"'))
    }

    /// Returns the header `Cookie` of a request, if any cookie is for its address.
    pub(crate) fn header(&self, address: &Url) -> Option<HeaderValue> {
        let pairs = self.0.iter().filter(|cookie| cookie.is_for(address));
        let pairs: Vec<&str> = pairs.map(|cookie| cookie.pair.as_str()).collect();
        let mut value = HeaderValue::from_str(&pairs.join("; ")).ok()?;
        value.set_sensitive(true);
        (!pairs.is_empty()).then_some(value)
    }
}

impl std::fmt::Debug for Cookies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{} cookies]", self.0.len())
    }
}

impl GivenCookie {
    fn is_for(&self, address: &Url) -> bool {
        let host = address.host_str().unwrap_or_default();
        let is_below = |rest: &str| self.has_subdomains && rest.ends_with('.');
        let is_host = host.strip_suffix(self.host.as_str());
        let is_host = is_host.is_some_and(|rest| rest.is_empty() || is_below(rest));
        let is_path = address.path().strip_prefix(self.path.as_str()).is_some_and(|rest| {
            rest.is_empty() || self.path.ends_with('/') || rest.starts_with('/')
        });
        is_host && is_path && (!self.is_secure || address.scheme() == "https")
    }
}

/// Reads a line: host, subdomains, path, secure, end, name, value, separated by tabs.
fn cookie(line: &str) -> Option<GivenCookie> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [host, subdomains, path, secure, _, name, value] = fields[..] else { return None };
    let is_text = |text: &str| text.chars().all(|c| c.is_ascii_graphic() && c != ';' || c == ' ');
    let is_true = |word: &str| word.eq_ignore_ascii_case("true");
    let host = host.strip_prefix('.').unwrap_or(host).to_ascii_lowercase();
    let is_whole = !host.is_empty() && path.starts_with('/') && is_text(name) && is_text(value);
    is_whole.then(|| GivenCookie {
        host,
        has_subdomains: is_true(subdomains),
        path: path.to_owned(),
        is_secure: is_true(secure),
        pair: format!("{name}={value}"),
    })
}
