//! Which requests may leave without a question: those that only read, to allowed origins, and those
//! of rules that a person gave.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use site_map::address::host_of;
use url::{Origin, Url};

use crate::browser::error::BrowserError;
use crate::browser::guard::request::{WireBody, WireRequest};
use crate::browser::secrets::store::SecretStore;
use crate::money::effect::Effect;
use crate::shared::Sanitized;

/// A rule of a person: requests of one method to one address, or below one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowRule {
    method: String,
    url: Url,
}

impl fmt::Display for AllowRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.method, Sanitized::line(self.url.as_str()))
    }
}

impl FromStr for AllowRule {
    type Err = BrowserError;

    /// `METHOD:ORIGIN/PATH`. A path that ends with a slash allows all below it.
    fn from_str(text: &str) -> Result<AllowRule, BrowserError> {
        let wrong = || BrowserError::Rule { text: text.to_owned() };
        let (method, url) = text.split_once(':').ok_or_else(wrong)?;
        let url = Url::parse(url).map_err(|_| wrong())?;
        let is_method = !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_place = url.query().is_none() && url.fragment().is_none();
        if !is_method || !is_place || !matches!(url.scheme(), "http" | "https") {
            return Err(wrong());
        }
        Ok(AllowRule { method: method.to_owned(), url })
    }
}

impl AllowRule {
    /// Returns the narrowest rule that allows a request above reading; `None` if it would have to
    /// show a secret, or more than is shown of an address.
    pub(crate) fn only(request: &WireRequest) -> Option<AllowRule> {
        let mut url = request.url.clone();
        url.set_query(None);
        // Names and passwords are no part of an origin.
        let is_place = url.username().is_empty() && url.password().is_none();
        let is_whole = request.path() == url.path();
        let rule = AllowRule { method: request.method.clone(), url };
        let is_rule = rule.to_string().parse::<AllowRule>().is_ok_and(|read| read == rule);
        (is_place && is_whole && is_rule && !request.is_reading()).then_some(rule)
    }

    fn allows(&self, request: &WireRequest) -> bool {
        let path = request.url.path();
        // Who allows reading below a folder allows no secret in an address there.
        let is_wide = request.secrets.is_empty() || !request.has_reading_method();
        request.method == self.method
            && request.url.origin() == self.url.origin()
            && (path == self.url.path() || is_wide && self.is_above(path))
    }

    /// Reports whether the rule can allow what a walk keeps of a request that was refused.
    pub(crate) fn may_allow(&self, effect: &Effect) -> bool {
        let Effect::Sends { host, what } = effect else { return false };
        let place = what.split(" (").next().unwrap_or(what);
        let Some((method, path)) = place.split_once(' ') else { return false };
        method == self.method
            && *host == host_of(&self.url)
            && (path == self.url.path() || self.is_above(path))
    }

    fn is_above(&self, path: &str) -> bool {
        // A server may read an escaped slash as one, and so leave the folder.
        let is_plain = !["%2f", "%5c", "%2e", "//"]
            .iter()
            .any(|escape| path.to_ascii_lowercase().contains(escape));
        self.url.path().ends_with('/') && path.starts_with(self.url.path()) && is_plain
    }
}

/// What may leave a browser without a question.
#[derive(Debug, Clone, Default)]
pub struct WirePolicy {
    origins: Vec<Origin>,
    /// Hosts that may be read from: with their port, or at any.
    hosts: BTreeSet<String>,
    rules: Vec<AllowRule>,
    /// Hosts that a person named. They may lie in a private network.
    named_hosts: BTreeSet<String>,
    secrets: SecretStore,
}

impl WirePolicy {
    /// Allows nothing.
    pub fn nothing() -> WirePolicy {
        WirePolicy::default()
    }

    /// Allows reading from the origin of an address that a person named, with TLS too.
    #[must_use]
    pub fn with_named(mut self, address: &Url) -> WirePolicy {
        self.named_hosts.extend(address.host_str().map(str::to_owned));
        let mut secure = address.clone();
        let is_plain = address.scheme() == "http" && address.port().is_none();
        let policy = self.with_origin(address);
        match is_plain && secure.set_scheme("https").is_ok() {
            true => policy.with_origin(&secure),
            false => policy,
        }
    }

    /// Allows reading from the origin of an address that a page named. Its host must be public.
    #[must_use]
    pub fn with_origin(mut self, address: &Url) -> WirePolicy {
        let origin = address.origin();
        if matches!(address.scheme(), "http" | "https") && !self.origins.contains(&origin) {
            self.origins.push(origin);
        }
        self
    }

    /// Allows reading from a host that a person named, at any port, or at the one that they named
    /// with it (`localhost:8080`).
    #[must_use]
    pub fn with_host(mut self, host: &str) -> WirePolicy {
        let address = Url::parse(&format!("http://{host}/"));
        let name = address.ok().and_then(|address| address.host_str().map(str::to_owned));
        self.named_hosts.insert(name.unwrap_or_else(|| host.to_owned()));
        self.hosts.insert(host.to_owned());
        self
    }

    /// Allows what a rule of a person allows.
    #[must_use]
    pub fn with_rule(mut self, rule: AllowRule) -> WirePolicy {
        self.named_hosts.extend(rule.url.host_str().map(str::to_owned));
        self.rules.push(rule);
        self
    }

    /// Lets the secrets of a walk go where they belong alone, and never without a question.
    #[must_use]
    pub fn with_secrets(mut self, secrets: SecretStore) -> WirePolicy {
        self.secrets = secrets;
        self
    }

    pub(crate) fn secrets(&self) -> &SecretStore {
        &self.secrets
    }

    /// Returns why no rule and no permit lets a request go: it would take a secret elsewhere.
    pub(crate) fn forbids(&self, request: &WireRequest) -> Option<&'static str> {
        let origin = request.url.origin();
        let is_for = |name: &String| self.secrets.is_for(name, &origin);
        if !request.secrets.iter().all(is_for) {
            return Some("it carries a secret that is not for this origin");
        }
        let is_unseen = request.body == WireBody::Unseen;
        (is_unseen && !self.secrets.names().iter().all(is_for)).then_some(
            "its body cannot be seen, and may carry a secret that is not for this origin",
        )
    }

    /// Reports whether a request may leave.
    pub fn allows(&self, request: &WireRequest) -> bool {
        self.reads(request) || self.rules.iter().any(|rule| rule.allows(request))
    }

    /// Reports whether an address may be read.
    pub(crate) fn reads_from(&self, address: &Url) -> bool {
        let is_host = address.host_str().is_some_and(|host| self.hosts.contains(host));
        is_host
            || self.hosts.contains(&host_of(address))
            || self.origins.contains(&address.origin())
    }

    fn reads(&self, request: &WireRequest) -> bool {
        request.is_reading() && self.reads_from(&request.url)
    }

    /// Reports whether a tunnel to a host may be opened: only TLS is carried by one.
    pub(crate) fn allows_tunnel(&self, host: &str, port: u16) -> bool {
        // The usual port of a tunnel is no part of the name.
        if self.hosts.contains(host) || self.hosts.contains(&format!("{host}:{port}")) {
            return true;
        }
        let of_rules = self.rules.iter().map(|rule| rule.url.origin());
        let mut all = self.origins.iter().cloned().chain(of_rules);
        all.any(|origin| is_tls_at(&origin, host, port))
    }

    /// Reports whether a person named a host.
    pub(crate) fn is_named(&self, host: &str) -> bool {
        self.named_hosts.contains(host)
    }
}

/// Reports whether an origin is the TLS server at a host and port.
pub(crate) fn is_tls_at(origin: &Origin, host: &str, port: u16) -> bool {
    match origin {
        Origin::Tuple(scheme, of_origin, port_of_origin) => {
            scheme == "https" && *port_of_origin == port && of_origin.to_string() == host
        }
        Origin::Opaque(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, url: &str, body: &str) -> WireRequest {
        WireRequest::new(method, url.parse().unwrap(), "", Some(body.as_bytes()))
    }

    fn policy(rules: &[&str]) -> WirePolicy {
        let start = "https://a.example/docs/".parse().unwrap();
        let policy = WirePolicy::nothing().with_named(&start);
        rules.iter().fold(policy, |policy, rule| policy.with_rule(rule.parse().unwrap()))
    }

    #[test]
    fn reading_from_allowed_origins_leaves_and_nothing_else() {
        let policy = policy(&[]);
        for (method, url, body, leaves) in [
            ("GET", "https://a.example/x?y=1", "", true),
            ("HEAD", "https://a.example/", "", true),
            ("OPTIONS", "https://a.example/", "", true),
            ("GET", "https://a.example/", "body", false),
            ("POST", "https://a.example/", "", false),
            ("GET", "http://a.example/", "", false),
            ("GET", "https://a.example:8443/", "", false),
            ("GET", "https://b.a.example/", "", false),
        ] {
            assert_eq!(policy.allows(&request(method, url, body)), leaves, "{method} {url}");
        }
        assert!(policy.allows_tunnel("a.example", 443));
        assert!(!policy.allows_tunnel("a.example", 80));
        assert!(!policy.allows_tunnel("b.example", 443));
    }

    #[test]
    fn a_host_that_a_person_names_may_move_to_tls_and_not_away_from_it() {
        let named = |address: &str| WirePolicy::nothing().with_named(&address.parse().unwrap());
        let reads = |policy: &WirePolicy, url: &str| policy.allows(&request("GET", url, ""));
        let plain = named("http://a.example/");
        assert!(reads(&plain, "https://a.example/") && !reads(&plain, "https://b.example/"));
        assert!(!reads(&named("https://a.example/"), "http://a.example/"));
        assert!(!reads(&named("http://a.example:8080/"), "https://a.example/"));
        let host = WirePolicy::nothing().with_host("cdn.example");
        assert!(reads(&host, "https://cdn.example/x.js") && host.allows_tunnel("cdn.example", 443));
        assert!(!host.allows(&request("POST", "https://cdn.example/", "x")));
        // As effects name it, so that the name of a refusal can be given.
        let port = WirePolicy::nothing().with_host("cdn.example:8443");
        assert!(reads(&port, "https://cdn.example:8443/") && port.is_named("cdn.example"));
        assert!(port.allows_tunnel("cdn.example", 8443) && !port.allows_tunnel("cdn.example", 443));
        assert!(!reads(&port, "https://cdn.example/") && !reads(&port, "http://cdn.example/"));
    }

    #[test]
    fn a_rule_allows_one_method_at_one_place_or_below_one_folder() {
        let policy = policy(&["POST:https://a.example/search", "PUT:https://a.example/box/"]);
        for (method, url, leaves) in [
            ("POST", "https://a.example/search", true),
            ("POST", "https://a.example/search?q=1", true),
            ("POST", "https://a.example/search/all", false),
            ("POST", "https://a.example/searches", false),
            ("PUT", "https://a.example/search", false),
            ("PUT", "https://a.example/box/1", true),
            ("PUT", "https://a.example/box/../admin", false),
            ("PUT", "https://a.example/box/%2e%2e/admin", false),
            ("PUT", "https://a.example/box/..%2fadmin", false),
            ("PUT", "https://b.example/box/1", false),
        ] {
            assert_eq!(policy.allows(&request(method, url, "x")), leaves, "{method} {url}");
        }
    }

    #[test]
    fn the_rule_for_one_request_allows_it_and_nothing_beside_it() {
        let of = |method: &str, url: &str| {
            AllowRule::only(&request(method, url, "x")).map(|rule| rule.to_string())
        };
        for (method, url, rule) in [
            ("POST", "http://a.example:8080/cart?n=1", Some("POST:http://a.example:8080/cart")),
            ("PUT", "https://a.example/box%202/", Some("PUT:https://a.example/box%202/")),
            ("GET", "https://a.example/read", Some("GET:https://a.example/read")),
            ("POST", "https://ada:pw@a.example/cart", None),
            ("M-SEARCH", "https://a.example/", None),
        ] {
            assert_eq!(of(method, url).as_deref(), rule, "{method} {url}");
        }
        let long = format!("https://a.example/{}", "x".repeat(300));
        assert_eq!(of("POST", &long), None);
        let read = WireRequest::new("GET", "https://a.example/".parse().unwrap(), "", Some(&[]));
        assert_eq!(AllowRule::only(&read), None);
        let cart = request("POST", "http://a.example:8080/cart?n=1", "x");
        let rule = AllowRule::only(&cart).unwrap();
        assert!(rule.allows(&cart));
        assert!(!rule.allows(&request("POST", "http://a.example:8080/pay", "x")));
        assert!(!rule.allows(&request("PUT", "http://a.example:8080/cart", "x")));
    }

    #[test]
    fn a_rule_that_says_too_little_is_refused() {
        for text in ["POST", "https://a.example/", "post:https://a.example/", "*:https://a/", ":x"]
        {
            assert!(text.parse::<AllowRule>().is_err(), "{text}");
        }
    }
}
