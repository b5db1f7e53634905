//! Headers that a person gives: the token or the cookie of a site that asks who reads it.
//!
//! They go to the origin of the address that the person named, and are kept nowhere. What a server
//! sends is scrubbed of their values before anything else sees it.

#![expect(clippy::disallowed_methods, reason = "the rim: reads files of headers")]

use std::path::Path;
use std::{fmt, fs};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use repo_map::Sanitized;
use reqwest::header::{COOKIE, HeaderName, HeaderValue};
use url::Url;

use crate::address::is_same_origin;
use crate::source::http::given_value::ValuePlace;

/// How a header is given.
const FORM: &str = "`Name: value`, `Name=env:VAR`, `Name=file:PATH`, or `@FILE` with one a line";
/// Headers of the connection, and those that make another request of one.
const REFUSED: [(&str, &[&str]); 3] = [
    (
        "it belongs to the connection, which the program makes",
        &[
            "connection",
            "content-length",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
        ],
    ),
    (
        "the program sends its own",
        &[
            "accept",
            "accept-encoding",
            "if-match",
            "if-modified-since",
            "if-none-match",
            "if-range",
            "if-unmodified-since",
            "range",
            "user-agent",
        ],
    ),
    ("nothing but GET is sent", &["x-http-method", "x-http-method-override", "x-method-override"]),
];
/// Headers whose values are no secrets: words of them stand in pages too.
const PUBLIC: [&str; 8] = [
    "accept-language",
    "cache-control",
    "content-type",
    "dnt",
    "origin",
    "pragma",
    "referer",
    "x-requested-with",
];
/// The fewest bytes of a value that is scrubbed: a shorter one is part of other words.
const LEAST_SECRET: usize = 8;
/// What stands in the place of a value.
const MASK: &[u8] = b"[masked: header]";

/// A header as the command line has it: `Name: value`, `Name=env:VAR`, `Name=file:PATH` or
/// `@FILE`. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct HeaderFlag(String);

impl From<String> for HeaderFlag {
    fn from(text: String) -> HeaderFlag {
        HeaderFlag(text)
    }
}

impl HeaderFlag {
    /// Returns the file that is read for it, if one is.
    pub fn file(&self) -> Option<&Path> {
        match self.0.strip_prefix('@') {
            Some(file) => Some(Path::new(file)),
            // A value after `:` is the value itself.
            None => {
                let (name, place) = self.0.split_once('=')?;
                ValuePlace::of(place.trim()).filter(|_| !name.contains(':'))?.file()
            }
        }
    }
}

impl fmt::Debug for HeaderFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[header]")
    }
}

/// Why a header is not sent, with the way out. It says nothing of the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", Sanitized::line(message))]
pub struct HeaderError {
    message: String,
}

/// Headers with the only origin that they go to. `Debug` shows their names.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct GivenHeaders {
    origin: Option<Url>,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// The forms in which servers repeat the values, longest first.
    secrets: Vec<Vec<u8>>,
}

impl GivenHeaders {
    /// Reads the headers for the origin of an address that the person named.
    ///
    /// # Errors
    /// If one is no header, cannot be sent, or its value cannot be read.
    pub fn read(flags: &[HeaderFlag], start: &Url) -> Result<GivenHeaders, HeaderError> {
        let mut given = GivenHeaders::default();
        for HeaderFlag(flag) in flags {
            match flag.strip_prefix('@') {
                Some(file) => {
                    let text = read_file(file)?;
                    let lines = text.lines().filter(|line| !line.trim().is_empty());
                    lines.map(header).try_for_each(|header| given.add(header?))?;
                }
                None => given.add(header(flag)?)?,
            }
        }
        given.origin = (!given.headers.is_empty()).then(|| start.clone());
        Ok(given.hiding([]))
    }

    /// Masks further values in answers, those of cookies that are sent beside the headers.
    pub(super) fn hiding<'v>(mut self, values: impl IntoIterator<Item = &'v str>) -> GivenHeaders {
        let long = values.into_iter().filter(|value| value.len() >= LEAST_SECRET);
        self.secrets.extend(long.flat_map(spellings));
        self.secrets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        self.secrets.dedup();
        self
    }

    /// Returns the only origin that the headers go to; `None` without headers.
    pub fn origin(&self) -> Option<String> {
        self.origin.as_ref().map(|origin| origin.origin().ascii_serialization())
    }

    fn add(&mut self, (name, value): (HeaderName, String)) -> Result<(), HeaderError> {
        let mut sent = HeaderValue::from_bytes(value.as_bytes())
            .map_err(|_| refused(&name, "its value has a line break or a control character"))?;
        sent.set_sensitive(true);
        if !PUBLIC.contains(&name.as_str()) && !name.as_str().starts_with("sec-") {
            self.secrets.extend(secrets_of(&name, &value).into_iter().flat_map(spellings));
        }
        self.headers.push((name, sent));
        Ok(())
    }

    /// Returns the headers of a request to an address, but for cookies.
    pub(super) fn of(&self, address: &Url) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
        self.all_of(address).filter(|(name, _)| *name != COOKIE)
    }

    /// Returns the cookies of a request to an address.
    pub(super) fn cookies_of(&self, address: &Url) -> impl Iterator<Item = &HeaderValue> {
        self.all_of(address).filter(|(name, _)| *name == COOKIE).map(|(_, value)| value)
    }

    fn all_of(&self, address: &Url) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
        let is_named = self.origin.as_ref().is_some_and(|origin| is_same_origin(origin, address));
        self.headers.iter().filter(move |_| is_named).map(|(name, value)| (name, value))
    }

    /// Puts a mask in the place of each secret value.
    pub(super) fn scrub(&self, bytes: Vec<u8>) -> Vec<u8> {
        self.secrets.iter().fold(bytes, |bytes, secret| replaced(bytes, secret))
    }

    /// Does the same in a text.
    pub(super) fn scrub_text(&self, text: String) -> String {
        match self.secrets.is_empty() {
            true => text,
            false => String::from_utf8_lossy(&self.scrub(text.into_bytes())).into_owned(),
        }
    }
}

impl fmt::Debug for GivenHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.headers.iter().map(|(name, _)| name.as_str())).finish()
    }
}

/// Reads a header. What is no name may be a value, so no message has it.
fn header(flag: &str) -> Result<(HeaderName, String), HeaderError> {
    let at = flag.find([':', '=']).or_else(|| flag.strip_suffix(';').map(str::len));
    let name = at.and_then(|at| HeaderName::from_bytes(&flag.as_bytes()[..at]).ok());
    let (Some(at), Some(name)) = (at, name) else {
        return Err(HeaderError { message: format!("this is no header ({FORM})") });
    };
    for (why, names) in REFUSED {
        if names.contains(&name.as_str()) {
            return Err(refused(&name, why));
        }
    }
    let rest = flag[at + 1..].trim();
    let value = match (&flag[at..=at], ValuePlace::of(rest)) {
        (":", _) if rest.is_empty() => {
            let why = format!("it has no value (`{name};` sends it without one)");
            return Err(refused(&name, &why));
        }
        (":" | ";", _) => rest.to_owned(),
        (_, Some(place)) => {
            let value = place.read().map_err(|error| refused(&name, &error.message("")))?;
            value.trim().to_owned()
        }
        _ => return Err(refused(&name, &format!("this is no value ({FORM})"))),
    };
    Ok((name, value))
}

fn read_file(file: &str) -> Result<String, HeaderError> {
    fs::read_to_string(file)
        .map_err(|error| HeaderError { message: format!("the file `{file}`: {error}") })
}

fn refused(name: &HeaderName, why: &str) -> HeaderError {
    HeaderError { message: format!("`{name}`: {why}") }
}

/// Returns the parts of a value that nobody may see: all of it, what follows the scheme of an
/// authorization, and each cookie.
fn secrets_of<'v>(name: &HeaderName, value: &'v str) -> Vec<&'v str> {
    let mut parts = vec![value];
    if *name == COOKIE {
        let cookies = value.split(';').filter_map(|cookie| cookie.split_once('='));
        parts.extend(cookies.map(|(_, value)| value.trim().trim_matches('"')));
    } else if let Some((_, credentials)) = value.split_once(' ') {
        parts.push(credentials.trim());
    }
    parts.retain(|part| part.len() >= LEAST_SECRET);
    parts
}

/// Returns a value as it stands, and as addresses, forms, HTML and JSON write it.
fn spellings(value: &str) -> Vec<Vec<u8>> {
    let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let json = serde_json::Value::from(value).to_string();
    let form: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
    let spellings = [
        value.to_owned(),
        html.replace('"', "&quot;"),
        html,
        json[1..json.len() - 1].to_owned(),
        utf8_percent_encode(value, NON_ALPHANUMERIC).to_string(),
        form.replace('+', "%20"),
        form,
    ];
    spellings.into_iter().map(String::into_bytes).collect()
}

/// Replaces what is not empty, wherever it stands.
fn replaced(bytes: Vec<u8>, secret: &[u8]) -> Vec<u8> {
    let mut done: Vec<u8> = Vec::new();
    let mut rest = bytes.as_slice();
    let mut from = 0;
    while let Some(at) = rest[from..].iter().position(|byte| *byte == secret[0]) {
        let at = from + at;
        if rest[at..].starts_with(secret) {
            done.extend_from_slice(&rest[..at]);
            done.extend_from_slice(MASK);
            (rest, from) = (&rest[at + secret.len()..], 0);
        } else {
            from = at + 1;
        }
    }
    if done.is_empty() {
        return bytes;
    }
    done.extend_from_slice(rest);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(flags: &[&str]) -> Result<GivenHeaders, HeaderError> {
        let flags: Vec<HeaderFlag> = flags.iter().map(|one| (*one).to_owned().into()).collect();
        GivenHeaders::read(&flags, &Url::parse("https://docs.example/3/").unwrap())
    }

    fn sent(flags: &[&str], address: &str) -> Vec<String> {
        let headers = read(flags).unwrap();
        let address = Url::parse(address).unwrap();
        let text = |(name, value): (&HeaderName, &HeaderValue)| {
            format!("{name}: {}", String::from_utf8_lossy(value.as_bytes()))
        };
        headers.all_of(&address).map(text).collect()
    }

    #[test]
    fn a_header_goes_to_its_origin_alone() {
        let flags = ["X-Token:  a b ", "x-empty;", "X-Token: second"];
        let all = ["x-token: a b", "x-empty: ", "x-token: second"];
        assert_eq!(sent(&flags, "https://DOCS.example:443/other"), all);
        for other in [
            "http://docs.example/3/",
            "https://docs.example:8443/3/",
            "https://api.docs.example/3/",
            "https://docs.example.evil/3/",
        ] {
            assert_eq!(sent(&flags, other), [""; 0], "{other}");
        }
    }

    #[test]
    fn values_are_read_from_files_and_no_message_has_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("header");
        fs::write(&file, "Authorization: Bearer one\r\n\nX-Two: 2\n").unwrap();
        let named = format!("@{}", file.display());
        let address = "https://docs.example/";
        assert_eq!(sent(&[&named], address), ["authorization: Bearer one", "x-two: 2"]);
        fs::write(&file, " only the first line \nno more\n").unwrap();
        let value = format!("X-Key=file:{}", file.display());
        assert_eq!(sent(&[&value], address), ["x-key: only the first line"]);
        for (flag, message) in [
            ("sekret-value", "this is no header (`Name: value`"),
            ("Authorization Bearer sekret: x", "this is no header (`Name: value`"),
            ("X-Key=sekret", "`x-key`: this is no value (`Name: value`"),
            ("X-Key:", "`x-key`: it has no value (`x-key;` sends it without one)"),
            ("X-Key: sekret\r\nHost: evil", "`x-key`: its value has a line break or a control"),
            ("Host: sekret", "`host`: it belongs to the connection, which the program makes"),
            ("content-length: 5", "`content-length`: it belongs to the connection"),
            ("User-Agent: sekret", "`user-agent`: the program sends its own"),
            ("X-HTTP-Method-Override: PUT", "nothing but GET is sent"),
            ("X-Key=env:NO_SUCH_VARIABLE", "`x-key`: the variable `NO_SUCH_VARIABLE` is not set"),
            ("@/nowhere/headers", "the file `/nowhere/headers`: "),
        ] {
            let refused = read(&[flag]).unwrap_err().to_string();
            assert!(refused.contains(message), "{refused}");
            assert!(!refused.contains("sekret"), "{refused}");
        }
    }

    #[test]
    fn what_a_server_repeats_is_scrubbed_in_every_spelling() {
        let headers = read(&[
            "Authorization: Bearer to\"k&n/+==",
            "Cookie: session=0123456789; theme=dark",
            "Accept-Language: de-DE,de;q=0.9",
            "X-Short: 1234567",
        ])
        .unwrap();
        let scrub = |text: &str| headers.scrub_text(text.to_owned());
        for repeated in [
            "to\"k&n/+==",
            "Bearer to\"k&n/+==",
            "to&quot;k&amp;n/+==",
            "to\\\"k&n/+==",
            "to%22k%26n%2F%2B%3D%3D",
            "0123456789",
        ] {
            assert_eq!(scrub(&format!("<{repeated}>")), "<[masked: header]>", "{repeated}");
        }
        let other = "theme=dark, 1234567, de-DE,de;q=0.9, Bearer";
        assert_eq!(scrub(other), other);
        assert_eq!(headers.scrub(b"\xff0123456789\xfe".to_vec()), b"\xff[masked: header]\xfe");
        let shown = format!("{headers:?} {:?}", HeaderFlag("X-Key: sekret".to_owned()));
        assert_eq!(
            shown,
            "{\"authorization\", \"cookie\", \"accept-language\", \"x-short\"} [header]"
        );
    }
}
