//! A request as it would go over the wire: method, address and the digest of its body, with its
//! fields for people. Values are for the person who is asked alone: no log and no result has them.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;
use site_map::address::host_of;
use url::{Url, form_urlencoded};

use crate::browser::secrets::store::SecretStore;
use crate::money::effect::{Effect, SentField};
use crate::shared::{Sanitized, cut};

/// The number of fields that are named.
const NAMED_FIELDS: usize = 20;
/// The longest name of a field that is shown, in characters.
const LONGEST_NAME: usize = 40;
/// The longest value of a field that is shown, in characters.
const LONGEST_VALUE: usize = 60;
/// The most fields whose values are shown.
const SHOWN_VALUES: usize = 12;
/// What names of fields contain whose values are not shown.
const SECRET_NAMES: [&str; 16] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passkey",
    "pwd",
    "secret",
    "token",
    "csrf",
    "nonce",
    "session",
    "authoriz",
    "apikey",
    "api_key",
    "cvv",
    "cvc",
];
/// How words of such names end, which other words contain: `card_pin`, and not `shipping`.
const SECRET_ENDS: [&str; 4] = ["pass", "auth", "pin", "pincode"];
/// What stands for such a value.
const HIDDEN: &str = "…";
/// The longest path that is shown, in characters.
const LONGEST_PATH: usize = 200;
/// The longest address that is kept of a request that was judged, in bytes.
const LONGEST_KEPT: usize = 2_048;

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
    /// Its address warns, so that it counts as more than reading.
    warns: bool,
    /// The method and the path as they are shown.
    shown: (String, String),
    /// The digest of the address: a long one is cut once the request is judged.
    address: blake3::Hash,
    /// The first fields with their values.
    values: Vec<(String, String)>,
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
        let mut values = fields(&url, content_type, body.unwrap_or_default());
        let fields = names_of(&values);
        values.truncate(SHOWN_VALUES);
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
        let address = blake3::hash(url.as_str().as_bytes());
        let (secrets, warns) = (Vec::new(), false);
        WireRequest { method, url, body, fields, secrets, warns, shown, address, values }
    }

    /// Takes note of whether the address warns.
    #[must_use]
    pub(crate) fn warning(mut self, warns: bool) -> WireRequest {
        self.warns = warns;
        self
    }

    /// Reports whether the request would be one that only reads if its address did not warn.
    pub(crate) fn warns(&self) -> bool {
        self.warns && self.reads_by_form()
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
        for (name, value) in &mut self.values {
            // No more is kept than is shown: a request may wait for long.
            let field = shown_field(&secrets.masked(name), &secrets.masked(value));
            (*name, *value) = (field.name, field.value);
        }
        self
    }

    /// Returns what is kept of the request once it is judged: no values, and the beginning of a
    /// long address, of which it has the digest. A page can make many of any size.
    pub(crate) fn judged(&self) -> WireRequest {
        let mut kept = WireRequest { values: Vec::new(), ..self.clone() };
        kept.method = cut(&self.method, LONGEST_NAME).into_owned();
        if kept.url.as_str().len() > LONGEST_KEPT {
            kept.url.set_query(None);
        }
        if kept.url.as_str().len() > LONGEST_KEPT {
            kept.url.set_path(&cut(self.url.path(), LONGEST_KEPT));
        }
        kept
    }

    /// Returns the digest of the address.
    pub(crate) fn address(&self) -> blake3::Hash {
        self.address
    }

    /// Returns the fields with their values, for the person who is asked: cut, and without those
    /// that are secret by their name.
    pub(crate) fn values(&self) -> Vec<SentField> {
        self.values.iter().map(|(name, value)| shown_field(name, value)).collect()
    }

    /// Reports whether the request only reads: by its method, for lack of a body and of secrets,
    /// and as its address does not warn.
    pub fn is_reading(&self) -> bool {
        self.reads_by_form() && !self.warns
    }

    fn reads_by_form(&self) -> bool {
        self.has_reading_method() && self.body == WireBody::None && self.secrets.is_empty()
    }

    /// Reports whether a page wanted a WebSocket.
    pub(crate) fn is_web_socket(&self) -> bool {
        matches!(self.url.scheme(), "ws" | "wss")
    }

    pub(crate) fn has_reading_method(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }

    /// Reports whether it is the same request: method, address, digest of the body. A request whose
    /// body was not seen equals no other.
    pub(crate) fn is_same(&self, other: &WireRequest) -> bool {
        self.method == other.method
            && self.address == other.address
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

/// A field for the person who is asked.
fn shown_field(name: &str, value: &str) -> SentField {
    let is_secret = is_secret_name(name);
    let value = if is_secret { HIDDEN.to_owned() } else { shown(value, LONGEST_VALUE) };
    SentField { name: shown(name, LONGEST_NAME), value }
}

/// Text of a page: on one line, known formats of secrets masked, cut.
pub(crate) fn shown(foreign: &str, longest: usize) -> String {
    cut(&Sanitized::line(foreign), longest).into_owned()
}

/// The fields of a query and of a body, in their order.
fn fields(url: &Url, content_type: &str, body: &[u8]) -> Vec<(String, String)> {
    let owned =
        |(name, value): (Cow<'_, str>, Cow<'_, str>)| (name.into_owned(), value.into_owned());
    let mut fields: Vec<(String, String)> = url.query_pairs().map(owned).collect();
    let content_type = content_type.to_ascii_lowercase();
    if content_type.starts_with("application/x-www-form-urlencoded") {
        fields.extend(form_urlencoded::parse(body).map(owned));
    } else if content_type.starts_with("multipart/form-data") {
        fields.extend(parts_of(&String::from_utf8_lossy(body)));
    } else if let Ok(Value::Object(all)) = serde_json::from_slice(body) {
        fields.extend(all.into_iter().map(|(name, value)| match value {
            Value::String(text) => (name, text),
            other => (name, other.to_string()),
        }));
    }
    fields
}

/// Reports whether a field is secret by its name.
fn is_secret_name(name: &str) -> bool {
    let mut words = String::new();
    for c in name.chars() {
        // A capital begins a word: `pinOfCard`.
        if c.is_uppercase() && words.ends_with(char::is_lowercase) {
            words.push(' ');
        }
        words.push(if c.is_alphanumeric() { c } else { ' ' });
    }
    let words = words.to_lowercase();
    let name = name.to_lowercase();
    SECRET_NAMES.iter().any(|secret| name.contains(secret))
        || words.split(' ').any(|word| SECRET_ENDS.iter().any(|end| word.ends_with(end)))
}

/// The names of fields, each once.
fn names_of(fields: &[(String, String)]) -> Vec<String> {
    let mut named = Vec::new();
    for (name, _) in fields {
        let name = shown(name, LONGEST_NAME);
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

/// The parts of a form: the name in the header of each, and the text after it, up to the next line
/// that begins as a boundary does.
fn parts_of(body: &str) -> Vec<(String, String)> {
    let is_header = |line: &str| {
        let start = "content-disposition:";
        line.get(..start.len()).is_some_and(|word| word.eq_ignore_ascii_case(start))
    };
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut is_value = false;
    for line in body.lines() {
        if line.starts_with("--") {
            is_value = false;
        } else if is_value {
            let Some((_, value)) = parts.last_mut() else { continue };
            let break_before = if value.is_empty() { "" } else { "\n" };
            *value += &format!("{break_before}{line}");
        } else if is_header(line) {
            let name = line.split_once(" name=\"").and_then(|(_, rest)| rest.split('"').next());
            parts.extend(name.map(|name| (name.to_owned(), String::new())));
        } else if line.trim().is_empty() {
            is_value = true;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(content_type: &str, body: &str) -> WireRequest {
        let url = "https://shop.example/orders?id=7#top".parse().unwrap();
        WireRequest::new("post", url, content_type, Some(body.as_bytes()))
    }

    #[test]
    fn a_field_is_secret_by_a_word_of_its_name() {
        for name in [
            "cardPIN",
            "pinOfCard",
            "cardpin",
            "userPassword",
            "PASS",
            "x-auth-id",
            "csrfmiddleware",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["shipping", "shippingAddress", "author", "passenger", "opinion"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn fields_are_named_and_values_are_for_the_person_who_is_asked_alone() {
        let form = "application/x-www-form-urlencoded";
        let text = request(form, "item=3&card=4111&item=4").to_string();
        assert_eq!(text, "POST /orders (fields: id, item, card; 23 bytes)");
        let values: Vec<String> =
            request(form, "item=3&cardPIN=4111").values().iter().map(ToString::to_string).collect();
        assert_eq!(values, ["id = '7'", "item = '3'", "cardPIN = '…'"]);
        let json = request("application/json", r#"{"name":"Ann","to":{"a":1}}"#);
        assert_eq!(json.values()[2].to_string(), "to = '{\"a\":1}'");
        assert_eq!(json.fields, ["id", "name", "to"]);
        let part = "--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nsecret\r\n--x--";
        let parts = request("multipart/form-data; boundary=x", part);
        assert_eq!(parts.fields, ["id", "file"]);
        assert_eq!(parts.values()[1].to_string(), "file = 'secret'");
        let escaped = request("application/json", "{\"a\\nb\\u001b\":1}");
        assert!(!escaped.to_string().contains(['\n', '\u{1b}']), "{escaped}");
    }

    #[test]
    fn of_a_request_that_was_judged_the_beginning_and_the_digests_are_kept() {
        let address = format!("http://a.example/{}?a={}", "p".repeat(9_000), "v".repeat(90_000));
        let sent = WireRequest::new("POST", address.parse().unwrap(), "", Some(b"b=2"));
        let sent = sent.carrying(&SecretStore::default(), &[]);
        let kept = sent.judged();
        assert!(kept.url.as_str().len() < 3_000 && kept.values().is_empty());
        assert!(kept.is_same(&sent) && kept.to_string() == sent.to_string());
        assert_eq!(sent.values()[0].value.chars().count(), LONGEST_VALUE + 1, "{sent:?}");
        let short = request("", "a=1");
        assert_eq!(short.judged().url, short.url);
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
