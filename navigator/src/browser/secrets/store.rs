//! The secrets of a walk: each has a name, a value that is never shown, and the origins where it
//! may be typed.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex};

use url::{Origin, Url};

use super::form::{FieldForm, form_of};
use super::needle::{Needle, needles};
use crate::browser::protocol::locked;
use crate::placeholder::{is_name, placeholder};

/// The fewest characters of a value: a shorter one stands in too many texts to be masked.
const LEAST: usize = 4;
/// The most characters of a value.
const MOST: usize = 4_096;

/// The reason why a secret is refused. It says nothing of the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// The name has other characters.
    #[error("`{name}` is not a name (letters, digits, `_` and `-`)")]
    Name {
        /// The name.
        name: String,
    },
    /// There is one of that name.
    #[error("there are two secrets `{name}` (give each its own name)")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// The value is empty.
    #[error("the value of the secret `{name}` is empty")]
    Empty {
        /// The name.
        name: String,
    },
    /// The value is too short to be masked.
    #[error(
        "the value of the secret `{name}` has fewer than {LEAST} characters: to mask it would \
         mask other text, too"
    )]
    Short {
        /// The name.
        name: String,
    },
    /// The value is too long.
    #[error("the value of the secret `{name}` has more than {MOST} characters")]
    Long {
        /// The name.
        name: String,
    },
    /// The value has control characters.
    #[error(
        "the value of the secret `{name}` has a line break or another control character, which \
         cannot be typed"
    )]
    Control {
        /// The name.
        name: String,
    },
    /// An address is not an origin.
    #[error("`{text}` is not an origin (`https://login.example`)")]
    Origin {
        /// The text.
        text: String,
    },
}

/// The secrets of a walk. Clones are the same store. `Debug` shows names alone.
#[derive(Clone, Default)]
pub struct SecretStore {
    secrets: Arc<Mutex<Vec<NamedSecret>>>,
}

/// A secret. It has no `Debug` and no `Serialize`, so that its value is never written.
struct NamedSecret {
    name: String,
    value: String,
    needles: Vec<Needle>,
    origins: Vec<Origin>,
}

impl fmt::Debug for SecretStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

impl SecretStore {
    /// Adds a secret that may be typed at some origins.
    ///
    /// # Errors
    /// If the name is wrong or known, or the value cannot be typed or masked.
    pub fn add(&self, name: &str, value: &str, origins: &[Url]) -> Result<(), SecretError> {
        let owned = || name.to_owned();
        let shown = value.trim();
        let n_chars = shown.chars().count();
        if !is_name(name) {
            return Err(SecretError::Name { name: owned() });
        }
        let mut secrets = locked(&self.secrets);
        if secrets.iter().any(|one| one.name == name) {
            return Err(SecretError::Duplicate { name: owned() });
        }
        match n_chars {
            0 => return Err(SecretError::Empty { name: owned() }),
            1..LEAST => return Err(SecretError::Short { name: owned() }),
            n if n > MOST => return Err(SecretError::Long { name: owned() }),
            _ if value.contains(char::is_control) => {
                return Err(SecretError::Control { name: owned() });
            }
            _ => {}
        }
        if let Some(wrong) = origins.iter().find(|one| !is_origin(one)) {
            return Err(SecretError::Origin { text: wrong.to_string() });
        }
        secrets.push(NamedSecret {
            name: owned(),
            value: value.to_owned(),
            // A page may leave out the space around it.
            needles: needles(shown),
            origins: origins.iter().map(Url::origin).collect(),
        });
        Ok(())
    }

    /// Returns the names.
    pub fn names(&self) -> Vec<String> {
        locked(&self.secrets).iter().map(|one| one.name.clone()).collect()
    }

    /// Returns a text in which each value has its placeholder in its place.
    pub fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let spans = spans(&locked(&self.secrets), text.as_bytes());
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut masked = String::with_capacity(text.len());
        let mut done = 0;
        for (begin, end, name) in spans {
            // A byte of another encoding can be the first one of a character.
            let end = (end..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
            masked.push_str(text.get(done..begin).unwrap_or_default());
            masked.push_str(&placeholder(&name));
            done = end;
        }
        masked.push_str(text.get(done..).unwrap_or_default());
        Cow::Owned(masked)
    }

    /// Returns an address with masks in all but its host, which a person allowed.
    pub(crate) fn masked_address(&self, address: &str) -> String {
        let at = Url::parse(address).ok().filter(Url::has_host).map(|url| {
            let before = url[..url::Position::BeforeHost].len();
            (url.to_string(), before, url[..url::Position::AfterPort].len())
        });
        match at {
            Some((url, host, path)) => {
                let (before, after) = (self.masked(&url[..host]), self.masked(&url[path..]));
                format!("{before}{}{after}", &url[host..path])
            }
            None => self.masked(address).into_owned(),
        }
    }

    /// Returns the names of the secrets that some bytes carry.
    pub(crate) fn carried_in(&self, parts: &[&[u8]]) -> Vec<String> {
        let secrets = locked(&self.secrets);
        let carries = |one: &&NamedSecret| parts.iter().any(|part| one.is_in(part));
        secrets.iter().filter(carries).map(|one| one.name.clone()).collect()
    }

    /// Reports whether a secret may be typed at an origin.
    pub(crate) fn is_for(&self, name: &str, origin: &Origin) -> bool {
        let secrets = locked(&self.secrets);
        secrets.iter().any(|one| one.name == name && one.origins.contains(origin))
    }

    /// Returns a value, for the call that types it and for nothing else.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        let secrets = locked(&self.secrets);
        secrets.iter().find(|one| one.name == name).map(|one| one.value.clone())
    }

    /// Takes up the form that a field gave to a secret that was typed into it: `4111 1111 …`. One
    /// that is too short, or is no form of it, is not masked.
    pub(crate) fn add_form(&self, name: &str, text: &str) -> FieldForm {
        let text = text.trim();
        let mut secrets = locked(&self.secrets);
        let Some(secret) = secrets.iter_mut().find(|one| one.name == name) else {
            return FieldForm::Other;
        };
        let form = form_of(secret.value.trim(), text);
        let is_long = text.chars().count() >= LEAST;
        if form != FieldForm::Other && is_long && !secret.is_in(text.as_bytes()) {
            secret.needles.extend(needles(text));
        }
        form
    }
}

impl NamedSecret {
    fn is_in(&self, text: &[u8]) -> bool {
        let starts = starts(std::slice::from_ref(self));
        let mut places = (0..text.len()).filter(|at| starts[usize::from(text[*at])]);
        places.any(|at| self.span_at(text, at).is_some())
    }

    /// Returns the longest form of the secret at a place of a text.
    fn span_at(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let byte = text[at];
        let likely = self.needles.iter().filter(|needle| needle.can_begin_with(byte));
        likely.filter_map(|needle| needle.span_at(text, at)).max_by_key(|(_, end)| *end)
    }
}

fn is_origin(url: &Url) -> bool {
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    is_web && is_bare && url.username().is_empty() && url.password().is_none()
}

/// Returns for each byte whether a secret can begin with it: texts are long, and few bytes do.
fn starts(secrets: &[NamedSecret]) -> Vec<bool> {
    let all = || secrets.iter().flat_map(|one| &one.needles);
    (0..=u8::MAX).map(|byte| all().any(|needle| needle.can_begin_with(byte))).collect()
}

/// Returns where secrets stand in a text. Those that lie over each other are one.
fn spans(secrets: &[NamedSecret], text: &[u8]) -> Vec<(usize, usize, String)> {
    let mut spans: Vec<(usize, usize, String)> = Vec::new();
    if secrets.is_empty() {
        return spans;
    }
    let placeholders: Vec<String> = secrets.iter().map(|one| placeholder(&one.name)).collect();
    let starts = starts(secrets);
    let mut at = 0;
    while at < text.len() {
        // A placeholder may have the words of a value.
        let is_here = |one: &&String| text[at..].starts_with(one.as_bytes());
        if text[at] == b'{'
            && let Some(here) = placeholders.iter().find(is_here)
        {
            at += here.len();
            continue;
        }
        for secret in secrets.iter().filter(|_| starts[usize::from(text[at])]) {
            let Some((begin, end)) = secret.span_at(text, at) else { continue };
            match spans.last_mut() {
                Some(last) if last.1 > begin => last.1 = last.1.max(end),
                _ => spans.push((begin, end, secret.name.clone())),
            }
        }
        at += 1;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(values: &[(&str, &str)]) -> SecretStore {
        let store = SecretStore::default();
        let origin = "https://a.example".parse().unwrap();
        for (name, value) in values {
            store.add(name, value, std::slice::from_ref(&origin)).unwrap();
        }
        store
    }

    #[test]
    fn a_value_is_masked_in_every_form() {
        let store = store(&[("pw", "h&nter\"2 é+/🔑")]);
        for text in [
            "h&nter\"2 é+/🔑",
            "H&NTER\"2 é+/🔑",
            "h%26nter%222%20%C3%A9%2B%2F%F0%9F%94%91",
            "h%26nter%222+%c3%a9%2b/%f0%9f%94%91",
            "h%2526nter%25222%2520%25C3%25A9%252B%252F%25F0%259F%2594%2591",
            "%68%26%6eter%222%20é+/🔑",
            "h&amp;nter&quot;2 é+/🔑",
            "h&#38;nter&#x22;2 &#233;+/&#128273;",
            "h&nter\\\"2 \\u00e9+\\/\\ud83d\\udd11",
            "h%26nter%222 %E9%2B/%26%23128273%3B",
            "%22h%26nter%5C%222%20%C3%A9%2B%2F%F0%9F%94%91".trim_start_matches("%22"),
            "h%26amp%3bnter%26quot%3b2 é+/🔑",
            "h\\u0026nter\\u00222 é+/🔑",
            "68266e7465722232 20c3a92b2ff09f9491".replace(' ', "").as_str(),
        ] {
            assert_eq!(store.masked(text), "{{secret:pw}}", "{text}");
            assert_eq!(store.masked(&format!("a {text}, b")), "a {{secret:pw}}, b");
            assert_eq!(store.carried_in(&[b"x", text.as_bytes()]), ["pw"], "{text}");
        }
        assert_eq!(
            self::store(&[("pw", "café")]).masked("a caf適, café"),
            "a {{secret:pw}}, {{secret:pw}}"
        );
        for text in ["h&nter\"2", "h nter", "", "%", "&", "\\", "%2", "&#;", "\\u12"] {
            assert_eq!(store.masked(text), text);
        }
    }

    #[test]
    fn base64_is_found_at_every_place_of_what_it_holds() {
        use base64::Engine as _;
        use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
        for value in ["four", "hunter2", "p?>~ÿÿ??>", "correct horse battery staple"] {
            let store = store(&[("pw", value)]);
            for around in ["", "a", "ab", "abc", "user:"] {
                let text = format!("{around}{value}{around}");
                for encoded in [STANDARD.encode(&text), URL_SAFE_NO_PAD.encode(&text)] {
                    let masked = store.masked(&encoded);
                    assert!(masked.contains("{{secret:pw}}"), "{value} in {encoded}: {masked}");
                    let in_address = encoded.replace('+', "%2B").replace('/', "%2F");
                    assert_eq!(store.carried_in(&[in_address.as_bytes()]), ["pw"]);
                }
            }
            let whole = STANDARD.encode(value);
            assert_eq!(store.masked(&whole).trim_end_matches('='), "{{secret:pw}}");
        }
    }

    #[test]
    fn masks_are_masked_once_and_values_that_meet_leave_nothing() {
        let store = store(&[("a", "secret"), ("b", "retina"), ("c", "abcd"), ("d", "abcdefgh")]);
        let once = store.masked("a secretina, secret").into_owned();
        assert_eq!(once, "a {{secret:a}}, {{secret:a}}");
        assert_eq!(store.masked(&once), once);
        assert_eq!(store.masked("abcdefgh"), "{{secret:c}}");
        assert_eq!(store.masked("it was abcdef…"), "it was {{secret:c}}…");
        assert_eq!(store.masked("xretinax"), "x{{secret:b}}x");
    }

    #[test]
    fn a_form_that_a_field_gives_to_a_value_is_masked_too() {
        let store = store(&[("card", "4111111111111111")]);
        assert_eq!(store.add_form("card", "411"), FieldForm::Beginning);
        assert_eq!(store.add_form("card", "4111 1111 1111 1111"), FieldForm::Whole);
        assert_eq!(store.masked("paid with 4111 1111 1111 1111."), "paid with {{secret:card}}.");
        assert_eq!(store.add_form("card", "Delete account"), FieldForm::Other);
        assert_eq!(store.masked("Delete account 411"), "Delete account 411");
    }

    #[test]
    fn a_text_with_many_readings_is_read_once() {
        // Each pair of backslashes can be one of them, and each escape was a call within a call.
        let signs = store(&[("pw", &"\\".repeat(60))]);
        assert_eq!(signs.masked(&"\\".repeat(59)), "\\".repeat(59));
        let long = store(&[("pw", &"🔑".repeat(MOST))]);
        let escaped = "%F0%9F%94%91".repeat(MOST);
        assert_eq!(long.carried_in(&[escaped.as_bytes()]), ["pw"]);
    }

    #[test]
    fn an_address_keeps_its_host() {
        let store = store(&[("pw", "test")]);
        let masked = store.masked_address("https://test.example:81/test?a=t%65st#test");
        let mask = "{{secret:pw}}";
        assert_eq!(masked, format!("https://test.example:81/{mask}?a={mask}#{mask}"));
        assert_eq!(store.masked_address("test"), mask);
    }

    #[test]
    fn a_wrong_secret_is_refused_and_no_message_has_a_value() {
        let origin = |text: &str| [text.parse::<Url>().unwrap()];
        let store = store(&[("pw", "hunter2")]);
        let add = |name: &str, value: &str, at: &str| store.add(name, value, &origin(at));
        let home = "https://a.example";
        assert!(matches!(add("a b", "hunter2", home), Err(SecretError::Name { .. })));
        assert!(matches!(add("pw", "hunter2", home), Err(SecretError::Duplicate { .. })));
        assert!(matches!(add("x", " ", home), Err(SecretError::Empty { .. })));
        assert!(matches!(add("x", " abc ", home), Err(SecretError::Short { .. })));
        assert!(matches!(add("x", "abc\ndef", home), Err(SecretError::Control { .. })));
        assert!(matches!(
            add("x", "hunter2", "https://a.example/in"),
            Err(SecretError::Origin { .. })
        ));
        assert_eq!(format!("{store:?}"), "{\"pw\"}");
    }
}
