//! Templates of addresses: `https://shop.example/product/{}` for all products.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use url::Url;

use crate::knowledge::model::shared_text::SharedText;
use crate::shared::Sanitized;

/// What stands for a part of an address that varies.
const PARAMETER: &str = "{}";
/// The most parameters of a query that a pattern counts: each one more makes it longer.
const MAX_COUNTED: usize = 8;
/// How what stands in an address for a secret begins, as it is and as a URL has it.
const MASKS: [&str; 4] = ["[masked: ", "[masked:%20", "{{secret:", "%7B%7Bsecret:"];
/// The shortest run of hexadecimal digits that is an identifier and no word.
const MIN_HEX: usize = 8;

/// An address with the parts that vary left out: numbers, identifiers and masked secrets in the
/// path, and all values of the query.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, JsonSchema)]
#[schemars(transparent)]
pub struct AddressTemplate(SharedText);

impl AddressTemplate {
    /// Makes the template of an address; `None` if it is none.
    pub fn of(address: &str) -> Option<AddressTemplate> {
        let address = Url::parse(address).ok()?;
        let origin = match address.origin().is_tuple() {
            true => address.origin().ascii_serialization(),
            false => format!("{}:", address.scheme()),
        };
        let segments = address.path().split('/').map(segment);
        let mut text = format!("{origin}{}", segments.collect::<Vec<_>>().join("/"));
        // Decoded names may hold anything.
        let named = |name: &str| match Sanitized::line(name).into_string() {
            name if is_masked(&name) => PARAMETER.to_owned(),
            name => name,
        };
        let names = address.query_pairs().map(|(name, _)| named(&name));
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() {
            let pairs: Vec<String> =
                names.iter().map(|name| format!("{name}={PARAMETER}")).collect();
            text.push_str(&format!("?{}", pairs.join("&")));
        }
        // Applications that draw themselves keep their place there.
        if let Some(route) = address.fragment().filter(|one| one.starts_with(['/', '!'])) {
            let segments: Vec<String> = route.split('/').map(segment).collect();
            text.push_str(&format!("#{}", segments.join("/")));
        }
        Some(AddressTemplate(text.into()))
    }

    /// Returns the template with one part of the path left out, by its position; `None` if the part
    /// varies already or is none.
    pub(crate) fn without_part(&self, position: usize) -> Option<AddressTemplate> {
        let (origin, path, rest) = self.taken_apart();
        let mut parts: Vec<&str> = path.split('/').collect();
        let is_last = position + 1 == parts.len();
        let part = parts.get_mut(position).filter(|part| !part.is_empty())?;
        if part.contains(PARAMETER) {
            return None;
        }
        // A page of another kind has another extension; a folder has none.
        let extension = part.rsplit_once('.').map(|(_, extension)| extension);
        let is_one =
            |one: &&str| (1..=5).contains(&one.len()) && one.starts_with(char::is_alphabetic);
        let left_out = match extension.filter(is_one).filter(|_| is_last) {
            Some(extension) => format!("{PARAMETER}.{extension}"),
            None => PARAMETER.to_owned(),
        };
        *part = &left_out;
        Some(AddressTemplate(format!("{origin}{}{rest}", parts.join("/")).into()))
    }

    /// Returns the folder of the path.
    pub(crate) fn folder(&self) -> AddressTemplate {
        let (origin, path, _) = self.taken_apart();
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        AddressTemplate(format!("{origin}{folder}/").into())
    }

    /// Returns the first parts of the path, so many of them.
    pub(crate) fn up_to(&self, n_parts: usize) -> AddressTemplate {
        let (origin, path, _) = self.taken_apart();
        let parts: Vec<&str> = path.split('/').take(n_parts).collect();
        AddressTemplate(format!("{origin}{}", parts.join("/")).into())
    }

    /// Returns the parts of the path, with the empty ones at its ends.
    pub(crate) fn parts(&self) -> Vec<&str> {
        self.taken_apart().1.split('/').collect()
    }

    /// Returns the template without its query.
    pub(crate) fn without_query(&self) -> AddressTemplate {
        let (before, fragment) = self.0.split_at(self.0.find('#').unwrap_or(self.0.len()));
        let path = before.split('?').next().unwrap_or(before);
        AddressTemplate(format!("{path}{fragment}").into())
    }

    /// Returns the template with the path of another one, and its own query.
    pub(crate) fn with_path_of(&self, path: &AddressTemplate) -> AddressTemplate {
        let (_, _, rest) = self.taken_apart();
        let (origin, path, _) = path.taken_apart();
        AddressTemplate(format!("{origin}{path}{rest}").into())
    }

    /// Reports whether the addresses of another template are some of those of this one, which has
    /// more parts left out.
    pub fn covers(&self, other: &AddressTemplate) -> bool {
        let ((origin, path, rest), other) = (self.taken_apart(), other.taken_apart());
        let fits = |(part, of): (&str, &str)| match part.strip_prefix(PARAMETER) {
            Some(extension) => !of.is_empty() && of.ends_with(extension),
            None => part == of,
        };
        (origin, rest) == (other.0, other.2)
            && path.split('/').count() == other.1.split('/').count()
            && path.split('/').zip(other.1.split('/')).all(fits)
    }

    /// Returns the template of an address as it is seen from a page: a tilde stands for each part
    /// that the path begins with like the page's, since these name where both are.
    pub(super) fn seen_from(page: &Url, address: &Url) -> Option<String> {
        let template = AddressTemplate::of(address.as_str())?;
        if page.origin() != address.origin() && page.scheme() != "file" {
            return Some(template.to_string());
        }
        let (origin, path, rest) = template.taken_apart();
        let same = page.path().split('/').zip(address.path().split('/')).skip(1);
        let n_same = same.take_while(|(a, b)| a == b && !a.is_empty()).count();
        let parts = path.split('/').enumerate();
        let parts = parts.map(|(at, part)| if (1..=n_same).contains(&at) { "~" } else { part });
        Some(format!("{origin}{}{rest}", parts.collect::<Vec<_>>().join("/")))
    }

    /// Returns the origin, the path, and the query with the fragment.
    fn taken_apart(&self) -> (&str, &str, &str) {
        let path = self.0.find("://").map_or(0, |at| at + 3);
        let path = self.0[path..].find('/').map_or(self.0.len(), |at| path + at);
        let rest = self.0[path..].find(['?', '#']).map_or(self.0.len(), |at| path + at);
        (&self.0[..path], &self.0[path..rest], &self.0[rest..])
    }

    /// Reports whether a part varies.
    pub fn has_parameters(&self) -> bool {
        self.0.contains(PARAMETER)
    }

    /// Reports whether the addresses lie on one of some origins, as [`Knowledge::sites`] has them.
    ///
    /// [`Knowledge::sites`]: crate::knowledge::model::Knowledge::sites
    pub fn is_of(&self, sites: &[String]) -> bool {
        let rest = |site: &String| self.0.strip_prefix(site.as_str()).map(str::to_owned);
        sites.iter().filter_map(rest).any(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Returns the template.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the last part of the path that does not vary and names more than a folder's page;
    /// empty for the root.
    pub fn last_name(&self) -> &str {
        let path = self.0.split(['?', '#']).next().unwrap_or_default();
        let path = path.split_once("://").map_or(path, |(_, rest)| rest);
        let named = |part: &&str| {
            !part.is_empty() && !part.contains(PARAMETER) && !part.starts_with("index.")
        };
        path.split('/').skip(1).filter(named).last().unwrap_or_default()
    }

    /// Returns a regular expression for the addresses of the template, with the parameters of the
    /// query in any order.
    pub fn pattern(&self) -> String {
        let (origin, path, rest) = self.taken_apart();
        // An address without a host has an empty one.
        let origin = if origin == "file:" { "file://" } else { origin };
        let (query, route) = match rest.strip_prefix('?').map(|rest| rest.split_once("={}#")) {
            Some(Some((query, route))) => (query, Some(route)),
            Some(None) => (rest[1..].strip_suffix("={}").unwrap_or(&rest[1..]), None),
            None => ("", rest.strip_prefix('#')),
        };
        let query = match rest.starts_with('?') {
            true => query_pattern(&query.split("={}&").collect::<Vec<_>>()),
            false => r"(\?&*)?".to_owned(),
        };
        // Only a fragment that is a place of an application tells pages apart.
        let fragment = match route {
            Some(route) => format!("#{}", with_parameters(route)),
            None => "(#([^/!].*)?)?".to_owned(),
        };
        format!("^{}{}{query}{fragment}$", regex::escape(origin), with_parameters(path))
    }
}

impl fmt::Display for AddressTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for AddressTemplate {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<AddressTemplate, Self::Err> {
        Ok(AddressTemplate(text.into()))
    }
}

impl Serialize for AddressTemplate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for AddressTemplate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AddressTemplate, D::Error> {
        SharedText::deserialize(deserializer).map(AddressTemplate)
    }
}

/// Reports whether an address has a masked secret: what is left of it opens no page.
pub(in crate::knowledge) fn is_masked(address: &str) -> bool {
    MASKS.iter().any(|mask| address.contains(mask))
}

/// Returns a pattern for a path, with anything in the place of what varies.
fn with_parameters(path: &str) -> String {
    path.split(PARAMETER).map(regex::escape).collect::<Vec<_>>().join("[^/?#]*")
}

/// Returns a pattern for a query that has parameters of these names.
fn query_pattern(names: &[&str]) -> String {
    // Others are written with escapes, in one of several ways.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name = |name: &&str| match name.chars().all(is_plain) {
        true => regex::escape(name),
        false => "[^&=#]*".to_owned(),
    };
    let name = match names {
        [only] => name(only),
        names => format!("({})", names.iter().map(name).collect::<Vec<_>>().join("|")),
    };
    let pair = format!("{name}(=[^&#]*)?");
    let n_more = names.len().min(MAX_COUNTED) - 1;
    let times = if n_more == 0 { "*".to_owned() } else { format!("{{{n_more},}}") };
    format!(r"\?&*{pair}(&+{pair}){times}&*")
}

/// Returns a part of a path, or what stands for it if it varies.
fn segment(part: &str) -> String {
    let (stem, extension) = match part.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 5 => {
            (stem, format!(".{extension}"))
        }
        _ => (part, String::new()),
    };
    match is_identifier(stem) {
        _ if is_masked(part) => PARAMETER.to_owned(),
        true => format!("{PARAMETER}{extension}"),
        false => part.to_owned(),
    }
}

/// Reports whether a part of a path is a number, a date, a UUID or another identifier. A word with
/// a number in it, as `python3` or `v2`, is none.
fn is_identifier(part: &str) -> bool {
    let n_digits = part.chars().filter(char::is_ascii_digit).count();
    let is_number = n_digits > 0
        && part.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '_' | '.' | ','));
    let bare: String = part.chars().filter(|c| *c != '-').collect();
    let is_hex =
        bare.len() >= MIN_HEX && n_digits > 0 && bare.chars().all(|c| c.is_ascii_hexdigit());
    let is_token = bare.len() >= 16
        && n_digits >= 2
        && bare.chars().any(|c| c.is_ascii_alphabetic())
        && part.chars().all(|c| c.is_ascii_alphanumeric());
    is_number || is_hex || is_token
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use test_support::random::config;

    use super::*;

    proptest! {
        #![proptest_config(config(1_000))]

        #[test]
        fn each_address_fits_the_pattern_of_its_template(
            path in "(/(orders|v2|a&b|%C3%A9|[0-9]{1,4}|[a-f0-9]{8}|[0-9]{2}\\.html)){0,3}/?",
            query in "(\\?(&{0,2}(a|page|a-b|q\\[\\]|%5B|a b)?(=([a-z0-9/:?+]|%26){0,4})?){0,12})?",
            fragment in "(#(part|!/x|/orders/[0-9]{1,3}|/a=[0-9])?)?",
        ) {
            let address = format!("https://a.example{path}{query}{fragment}");
            let address = Url::parse(&address).unwrap().to_string();
            let pattern = AddressTemplate::of(&address).unwrap().pattern();
            let fits = regex::Regex::new(&pattern).unwrap().is_match(&address);
            prop_assert!(fits, "{address} {pattern}");
        }
    }

    #[test]
    fn what_varies_is_left_out() {
        let template = |address: &str| AddressTemplate::of(address).unwrap().to_string();
        assert_eq!(template("http://a.example/product/17"), "http://a.example/product/{}");
        assert_eq!(
            template("http://a.example/p/17.html?b=1&a=x"),
            "http://a.example/p/{}.html?a={}&b={}"
        );
        assert_eq!(template("http://a.example/python3/v2/"), "http://a.example/python3/v2/");
        assert_eq!(
            template("http://a.example/o/0b5c7a60-6f9e-4c55-9d0a-1f0c2a5c9b11"),
            "http://a.example/o/{}"
        );
        assert_eq!(template("http://a.example/#/orders/7"), "http://a.example/#/orders/{}");
        assert_eq!(template("http://a.example/x#part"), "http://a.example/x");
        let escaped = "http://a.example/x?a\\u{1b}[31m={}";
        assert_eq!(template("http://a.example/x?a%1B%5B31m=1"), escaped);
    }

    #[test]
    fn what_stands_for_a_secret_varies() {
        let token = format!("ghp_{}", "a1B2".repeat(9));
        for secret in [token.as_str(), "{{secret:pw}}"] {
            for address in [
                format!("https://a.example/reset/{secret}?x=1"),
                format!("https://a.example/{secret}.html"),
            ] {
                let address = Sanitized::line(&address).into_string();
                let template = AddressTemplate::of(&address).unwrap();
                assert!(is_masked(&address) && !is_masked(template.as_str()), "{template}");
                let pattern = regex::Regex::new(&template.pattern()).unwrap();
                assert!(pattern.is_match(&address), "{pattern} {address}");
            }
        }
    }

    #[test]
    fn a_pattern_fits_the_addresses_of_its_template_alone() {
        let template = AddressTemplate::of("http://a.example/product/17?page=2").unwrap();
        let pattern = regex::Regex::new(&template.pattern()).unwrap();
        assert!(pattern.is_match("http://a.example/product/4?page=9"));
        assert!(pattern.is_match("http://a.example/product/4?page=a/b#reviews"));
        assert!(!pattern.is_match("http://a.example/product/4?sort=9"));
        assert!(!pattern.is_match("http://a.example/product/4#/reviews"));
        assert!(!pattern.is_match("http://a.example/product/4/edit?page=9"));
        assert!(!pattern.is_match("http://axexample/product/4?page=9"));
        assert_eq!(template.last_name(), "product");
        // That of a folder or a recording has no host.
        let address = "file:///manual/care.html";
        let pattern = AddressTemplate::of(address).unwrap().pattern();
        assert!(regex::Regex::new(&pattern).unwrap().is_match(address), "{pattern}");
    }
}
