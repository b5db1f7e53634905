//! A request as it would go over the wire: method, address and the digest of its body, with the
//! names of its fields for people. Values of fields are not kept: secrets are among them.

use std::fmt;

use serde_json::Value;
use url::{Url, form_urlencoded};

use crate::browser::secrets::store::SecretStore;
use crate::money::effect::Effect;
use crate::shared::Sanitized;

/// The number of fields that are named.
const NAMED_FIELDS: usize = 20;
/// The longest name of a field that is shown, in characters.
const LONGEST_NAME: usize = 40;
/// The longest path that is shown, in characters.
const LONGEST_PATH: usize = 200;

/// The body of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WireBody {
    /// There is none.
    None,
    /// Bytes that were seen.
    Seen {
        /// Their digest.
        digest: String,
        /// Their number.
        n_bytes: u64,
    },
    /// A body that the browser does not show, for example with a file. It cannot be permitted.
    Unseen,
}

/// A request that a browser wants to send.
#[derive(Clone, PartialEq, Eq)]
pub struct WireRequest {
    /// The method, in upper case.
    pub method: String,
    /// The address, without its fragment.
    pub url: Url,
    /// The body.
    pub body: WireBody,
    /// The names of the fields in the address and the body, as far as they are known.
    pub fields: Vec<String>,
    /// The names of the secrets that it carries, in whatever form.
    pub secrets: Vec<String>,
    /// The method and the path as they are shown.
    shown: (String, String),
}

/// Values of an address are not written: secrets may be among them.
impl fmt::Debug for WireRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self}", self.url.scheme())
    }
}

impl WireRequest {
    /// Describes a request; `body` is `None` if the browser does not show it.
    pub(crate) fn new(
        method: &str,
        mut url: Url,
        content_type: &str,
        body: Option<&[u8]>,
    ) -> WireRequest {
        url.set_fragment(None);
        let fields = fields(&url, content_type, body.unwrap_or_default());
        let body = match body {
            None => WireBody::Unseen,
            Some([]) => WireBody::None,
            Some(bytes) => WireBody::Seen {
                digest: blake3::hash(bytes).to_hex().to_string(),
                n_bytes: bytes.len() as u64,
            },
        };
        let method = method.to_ascii_uppercase();
        let shown = (shown(&method, LONGEST_NAME), shown(url.path(), LONGEST_PATH));
        WireRequest { method, url, body, fields, secrets: Vec::new(), shown }
    }

    /// Takes note of the secrets that the request carries: in its method, its address, or in other
    /// parts of it.
    #[must_use]
    pub(crate) fn carrying(mut self, secrets: &SecretStore, parts: &[&[u8]]) -> WireRequest {
        let own = [self.method.as_bytes(), self.url.as_str().as_bytes()];
        self.secrets = secrets.carried_in(&[&own, parts].concat());
        self.shown = (
            shown(&secrets.masked(&self.method), LONGEST_NAME),
            shown(&secrets.masked(self.url.path()), LONGEST_PATH),
        );
        for field in &mut self.fields {
            *field = secrets.masked(field).into_owned();
        }
        self
    }

    /// Reports whether the request only reads, by its method and for lack of a body and of secrets.
    pub fn is_reading(&self) -> bool {
        self.has_reading_method() && self.body == WireBody::None && self.secrets.is_empty()
    }

    pub(crate) fn has_reading_method(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }

    /// Reports whether it is the same request: method, address, digest of the body. A request whose
    /// body was not seen equals no other.
    pub(crate) fn is_same(&self, other: &WireRequest) -> bool {
        self.method == other.method
            && self.url == other.url
            && self.body == other.body
            && self.secrets == other.secrets
            && self.body != WireBody::Unseen
    }

    /// Returns the path without the query, for people.
    pub fn path(&self) -> String {
        self.shown.1.clone()
    }

    /// Returns the effect on the world.
    pub fn effect(&self) -> Effect {
        let host = host_of(&self.url);
        if self.is_reading() {
            return Effect::Reads { host };
        }
        Effect::Sends { host, what: self.to_string() }
    }
}

impl fmt::Display for WireRequest {
    /// `POST /orders (fields: item, card; 31 bytes)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.shown.0, self.shown.1)?;
        let mut facts = Vec::new();
        if !self.fields.is_empty() {
            facts.push(format!("fields: {}", self.fields.join(", ")));
        }
        match &self.body {
            WireBody::None => {}
            WireBody::Seen { n_bytes, .. } => facts.push(format!("{n_bytes} bytes")),
            WireBody::Unseen => facts.push("a body that cannot be seen".to_owned()),
        }
        facts.extend(self.secrets.iter().map(|name| format!("with the secret `{name}`")));
        if facts.is_empty() { Ok(()) } else { write!(f, " ({})", facts.join("; ")) }
    }
}

/// Returns the host of an address, with a port that is not the usual one: another port is another
/// server.
pub(crate) fn host_of(address: &Url) -> String {
    let host = address.host_str().unwrap_or_default();
    address.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Text of a page: on one line, known formats of secrets masked, cut.
pub(crate) fn shown(foreign: &str, longest: usize) -> String {
    let line = Sanitized::line(foreign).to_string();
    match line.char_indices().nth(longest) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// The names of the fields of a query and of a body, in their order, each once.
fn fields(url: &Url, content_type: &str, body: &[u8]) -> Vec<String> {
    let mut names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    let content_type = content_type.to_ascii_lowercase();
    if content_type.starts_with("application/x-www-form-urlencoded") {
        names.extend(form_urlencoded::parse(body).map(|(name, _)| name.into_owned()));
    } else if content_type.starts_with("multipart/form-data") {
        names.extend(names_of_parts(&String::from_utf8_lossy(body)));
    } else if let Ok(Value::Object(fields)) = serde_json::from_slice(body) {
        names.extend(fields.into_iter().map(|(name, _)| name));
    }
    let mut named = Vec::new();
    for name in names {
        let name = shown(&name, LONGEST_NAME);
        if named.len() == NAMED_FIELDS {
            named.push("…".to_owned());
            break;
        }
        if !named.contains(&name) {
            named.push(name);
        }
    }
    named
}

/// The names in the headers of the parts of a form.
fn names_of_parts(body: &str) -> impl Iterator<Item = String> {
    let headers = body.lines().filter(|line| {
        let start = "content-disposition:";
        line.get(..start.len()).is_some_and(|word| word.eq_ignore_ascii_case(start))
    });
    headers.filter_map(|line| {
        let (_, rest) = line.split_once(" name=\"")?;
        rest.split('"').next().map(str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(content_type: &str, body: &str) -> WireRequest {
        let url = "https://shop.example/orders?id=7#top".parse().unwrap();
        WireRequest::new("post", url, content_type, Some(body.as_bytes()))
    }

    #[test]
    fn fields_are_named_and_values_are_not() {
        let form = "application/x-www-form-urlencoded";
        let text = request(form, "item=3&card=4111&item=4").to_string();
        assert_eq!(text, "POST /orders (fields: id, item, card; 23 bytes)");
        let json = request("application/json", r#"{"name":"Ann","to":{"a":1}}"#);
        assert_eq!(json.fields, ["id", "name", "to"]);
        let part = "--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nsecret\r\n--x--";
        let parts = request("multipart/form-data; boundary=x", part);
        assert_eq!(parts.fields, ["id", "file"]);
        let escaped = request("application/json", "{\"a\\nb\\u001b\":1}");
        assert!(!escaped.to_string().contains(['\n', '\u{1b}']), "{escaped}");
    }

    #[test]
    fn another_byte_is_another_request_and_one_with_an_unseen_body_equals_no_other() {
        let one = request("", "a=1");
        assert!(one.is_same(&request("text/plain", "a=1")));
        assert!(!one.is_same(&request("", "a=2")));
        let url: Url = "https://shop.example/orders".parse().unwrap();
        let unseen = WireRequest::new("POST", url.clone(), "", None);
        assert!(!unseen.is_same(&unseen));
        assert!(WireRequest::new("GET", url.clone(), "", Some(b"")).is_reading());
        assert!(!WireRequest::new("GET", url.clone(), "", None).is_reading());
        assert!(!WireRequest::new("POST", url, "", Some(b"")).is_reading());
    }
}
