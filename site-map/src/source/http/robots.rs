//! The rules for robots of one origin (RFC 9309). The crate `robotxt` parses and matches them; here
//! is what their absence means.

use std::time::Duration;

use robotxt::{AccessResult, Robots};
use url::Url;

use crate::source::http::error::FetchError;
use crate::source::response::Response;

/// The name that groups of rules are for.
const AGENT: &str = "site-map";
/// The part of the file that is read, by the RFC.
pub(crate) const MAX_ROBOTS: u64 = robotxt::BYTE_LIMIT as u64 + 1;

/// The rules of one origin.
#[derive(Debug, Clone)]
pub(crate) struct RobotRules {
    rules: Robots,
    /// Why nothing is allowed, where the file cannot be read.
    unreadable: Option<FetchError>,
}

impl RobotRules {
    /// Takes the rules from the last response for `/robots.txt`, or from its absence: a file that
    /// is not there allows all, one that a failing server keeps allows nothing.
    pub(crate) fn of(answer: Result<&Response, &FetchError>) -> RobotRules {
        let why = match answer {
            Ok(response) => match response.status {
                200..=299 => {
                    let access = AccessResult::Successful(&response.body);
                    return RobotRules::from_access(access, None);
                }
                // A server that asks for fewer requests does not say that there is no file.
                status @ (429 | 500..) => format!("its server answers {status}"),
                _ => return RobotRules::from_access(AccessResult::Unavailable, None),
            },
            Err(FetchError::Redirects { .. } | FetchError::RedirectLoop) => {
                return RobotRules::from_access(AccessResult::TooManyRedirects, None);
            }
            // A server that is not there says nothing of what is allowed.
            Err(error @ (FetchError::Unreachable { .. } | FetchError::Resolve { .. })) => {
                return RobotRules::from_access(AccessResult::Unreachable, Some(error.clone()));
            }
            Err(error) => error.to_string(),
        };
        RobotRules::forbidding(format!("robots.txt cannot be read, so all is forbidden: {why}"))
    }

    /// Rules that allow nothing, for a reason.
    pub(crate) fn forbidding(reason: String) -> RobotRules {
        RobotRules::from_access(AccessResult::Unreachable, Some(FetchError::Robots { reason }))
    }

    fn from_access(access: AccessResult<'_>, unreadable: Option<FetchError>) -> RobotRules {
        RobotRules { rules: Robots::from_access(access, AGENT), unreadable }
    }

    /// Checks an address.
    pub(crate) fn check(&self, address: &Url) -> Result<(), FetchError> {
        if self.rules.is_url_allowed(address) {
            return Ok(());
        }
        let forbidden = || FetchError::Robots { reason: "robots.txt forbids it".to_owned() };
        Err(self.unreadable.clone().unwrap_or_else(forbidden))
    }

    /// Returns the sitemaps that the rules name.
    pub(crate) fn sitemaps(&self) -> &[Url] {
        self.rules.sitemaps()
    }

    /// Returns the delay that the rules ask for between requests.
    pub(crate) fn delay(&self) -> Duration {
        self.rules.crawl_delay().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(status: u16, text: &str) -> RobotRules {
        let address = Url::parse("http://a/robots.txt").unwrap();
        let body = text.as_bytes().to_vec();
        RobotRules::of(Ok(&Response { address, status, headers: Vec::new(), body }))
    }

    fn allowed<'a>(rules: &RobotRules, paths: &[&'a str]) -> Vec<&'a str> {
        let is_allowed = |path: &&&str| {
            rules.check(&Url::parse("http://a/").unwrap().join(path).unwrap()).is_ok()
        };
        paths.iter().filter(is_allowed).copied().collect()
    }

    #[test]
    fn our_own_group_goes_before_the_group_for_all() {
        // RFC 9309, 5.1: groups with several agents, comments, and an end-of-line anchor.
        let text = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\n\
                    Allow: /publications/\n\nUser-Agent: foobot\nDisallow:/\n\
                    Allow:/example/page.html\nAllow:/example/allowed.gif\n\n\
                    User-Agent: barbot\nUser-Agent: SITE-MAP # us\nDisallow: /example/page.html\n\n\
                    User-Agent: quxbot\n";
        let paths = ["/example/page.html", "/example/x.gif", "/publications/", "/"];
        assert_eq!(allowed(&rules(200, text), &paths), &paths[1..]);
        let for_all = text.replace("SITE-MAP", "other");
        assert_eq!(allowed(&rules(200, &for_all), &paths), &paths[2..]);
    }

    #[test]
    fn the_longest_match_decides() {
        // RFC 9309, 5.2.
        let text = "User-Agent: *\nAllow: /example/page/\n\
                    Disallow: /example/page/disallowed.gif\n";
        let paths = ["/example/page/", "/example/page/disallowed.gif", "/example/page/a.gif"];
        assert_eq!(allowed(&rules(200, text), &paths), [paths[0], paths[2]]);
        let equal = "User-agent: *\nDisallow: /a\nAllow: /a\n";
        assert_eq!(allowed(&rules(200, equal), &["/a"]), ["/a"]);
    }

    #[test]
    fn special_characters_match_by_the_rfc() {
        // RFC 9309, 2.2.2 and 2.2.3.
        for (rule, path, is_match) in [
            ("/this/path/exactly$", "/this/path/exactly", true),
            ("/this/path/exactly$", "/this/path/exactly/", false),
            ("/this/*/exactly", "/this/a/b/exactly/c", true),
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz", true),
            ("/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http://foo.bar", true),
            ("/foo/bar/ツ", "/foo/bar/%E3%83%84", true),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz", true),
            ("/%2A", "/x", false),
        ] {
            let text = format!("user-agent: *\ndisallow: {rule}\n");
            assert_eq!(allowed(&rules(200, &text), &[path]).is_empty(), is_match, "{rule} {path}");
        }
    }

    #[test]
    fn no_file_allows_all_and_a_failing_server_nothing() {
        let forbid = "User-agent: *\nDisallow: /\n";
        for (status, n) in [(200, 0), (404, 1), (403, 1), (429, 0), (500, 0), (503, 0)] {
            assert_eq!(allowed(&rules(status, forbid), &["/a"]).len(), n, "{status}");
        }
        let broken = FetchError::Broken { message: "no response: reset".to_owned() };
        let error = RobotRules::of(Err(&broken)).check(&Url::parse("http://a/").unwrap());
        assert_eq!(
            error.unwrap_err().to_string(),
            "robots.txt cannot be read, so all is forbidden: no response: reset"
        );
        let (server, message) = ("http://a".to_owned(), "Connection refused".to_owned());
        let down = FetchError::Unreachable { server, message };
        let error = RobotRules::of(Err(&down)).check(&Url::parse("http://a/").unwrap());
        assert_eq!(error.unwrap_err(), down);
        let circle = RobotRules::of(Err(&FetchError::RedirectLoop));
        assert!(circle.check(&Url::parse("http://a/").unwrap()).is_ok());
    }

    #[test]
    fn a_delay_is_read_and_the_file_ends_at_its_limit() {
        assert_eq!(rules(200, "User-agent: *\nCrawl-delay: 1.5").delay().as_millis(), 1_500);
        let long = format!("User-agent: *\n{}\nDisallow: /\n", "#".repeat(500 << 10));
        assert_eq!(allowed(&rules(200, &long), &["/a"]), ["/a"]);
    }
}
