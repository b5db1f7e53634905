//! Templates of addresses: `https://shop.example/product/{}` for all products.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use url::Url;

/// What stands for a part of an address that varies.
const PARAMETER: &str = "{}";
/// The shortest run of hexadecimal digits that is an identifier and no word.
const MIN_HEX: usize = 8;

/// An address with the parts that vary left out: numbers and identifiers in the path, and all
/// values of the query.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(transparent)]
pub struct AddressTemplate(String);

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
        let mut names: Vec<String> =
            address.query_pairs().map(|(name, _)| name.into_owned()).collect();
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
        Some(AddressTemplate(text))
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

    /// Returns the last part of the path that does not vary; empty for the root.
    pub fn last_name(&self) -> &str {
        let path = self.0.split(['?', '#']).next().unwrap_or_default();
        let path = path.split_once("://").map_or(path, |(_, rest)| rest);
        let named = |part: &&str| !part.is_empty() && !part.contains(PARAMETER);
        path.split('/').skip(1).filter(named).last().unwrap_or_default()
    }

    /// Returns a regular expression for the addresses of the template.
    pub fn pattern(&self) -> String {
        let parts: Vec<String> = self.0.split(PARAMETER).map(regex::escape).collect();
        format!("^{}$", parts.join("[^/?#&]*"))
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
        Ok(AddressTemplate(text.to_owned()))
    }
}

impl Serialize for AddressTemplate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for AddressTemplate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AddressTemplate, D::Error> {
        String::deserialize(deserializer).map(AddressTemplate)
    }
}

/// Returns a part of a path, or what stands for it if it varies.
fn segment(part: &str) -> String {
    let (stem, extension) = match part.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 5 => {
            (stem, format!(".{extension}"))
        }
        _ => (part, String::new()),
    };
    if is_identifier(stem) { format!("{PARAMETER}{extension}") } else { part.to_owned() }
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
    use super::*;

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
    }

    #[test]
    fn a_pattern_fits_the_addresses_of_its_template_alone() {
        let template = AddressTemplate::of("http://a.example/product/17?page=2").unwrap();
        let pattern = regex::Regex::new(&template.pattern()).unwrap();
        assert!(pattern.is_match("http://a.example/product/4?page=9"));
        assert!(!pattern.is_match("http://a.example/product/4/edit?page=9"));
        assert!(!pattern.is_match("http://axexample/product/4?page=9"));
        assert_eq!(template.last_name(), "product");
    }
}
