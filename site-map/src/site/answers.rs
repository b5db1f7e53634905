//! The digest of a recording: of the pages in it, not of its bytes, so that a file that is
//! compressed again is the same. Answers that are no pages, dates and other headers that no page
//! depends on do not count: two recordings of a site that has not changed have one digest, and so
//! has a recording after a page that could not be read.

use std::collections::BTreeMap;

use rayon::prelude::*;
use repo_map::{Sanitized, SiteFacts, UnreadPages};
use url::Url;

use crate::address::{Scope, decoded};
use crate::source::response::Response;

/// The header that a page depends on.
const HEADER: &str = "content-type";
/// The scheme of addresses that no server answers.
const FILE: &str = "file";

/// The digests of answers by their addresses. The last answer of an address counts.
#[derive(Debug, Default)]
pub(super) struct AnswersDigest(BTreeMap<String, blake3::Hash>);

impl AnswersDigest {
    pub(super) fn add(&mut self, answers: &[Response]) {
        let from_servers =
            answers.par_iter().filter(|answer| answer.address.scheme() != FILE && answer.is_page());
        let digests: Vec<(String, blake3::Hash)> =
            from_servers.map(|answer| (answer.address.to_string(), digest(answer))).collect();
        self.0.extend(digests);
    }

    /// Returns the digest of all answers in the order of their addresses, with the address below
    /// which the pages of the scope lie; `None` for files.
    pub(super) fn facts(&self, scope: &Scope) -> Option<SiteFacts> {
        if self.0.is_empty() {
            return None;
        }
        let mut all = blake3::Hasher::new();
        for digest in self.0.values() {
            all.update(digest.as_bytes());
        }
        let mut below: Url = scope.start().clone();
        below.set_path(scope.prefix());
        below.set_query(None);
        Some(SiteFacts {
            address: Sanitized::line(&decoded(below.as_str())).into_string(),
            recording: all.finalize().to_hex().to_string(),
            unread: UnreadPages::default(),
        })
    }
}

/// Each part has its length before it, so that no two answers are the same bytes.
fn digest(answer: &Response) -> blake3::Hash {
    let header = answer.header(HEADER).unwrap_or_default();
    let mut hasher = blake3::Hasher::new();
    for part in [answer.address.as_str().as_bytes(), header.as_bytes(), &answer.body] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(path: &str, body: &str, date: &str) -> Response {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        Response {
            address: Url::parse("http://a/3/").unwrap().join(path).unwrap(),
            status: 200,
            headers: vec![header("date", date), header("content-type", "text/html")],
            body: body.into(),
        }
    }

    fn of(answers: &[Response]) -> Option<SiteFacts> {
        let scope = Scope::of(&Url::parse("http://a/3/index.html?x=1").unwrap(), None);
        let mut digest = AnswersDigest::default();
        digest.add(answers);
        digest.facts(&scope)
    }

    #[test]
    fn order_and_dates_do_not_count_and_the_last_answer_of_an_address_does() {
        let (one, other) = (answer("a", "x", "Mon"), answer("b", "y", "Mon"));
        let facts = of(&[one.clone(), other.clone()]).unwrap();
        assert_eq!((facts.address.as_str(), facts.recording.len()), ("http://a/3/", 64));
        let earlier = answer("b", "z", "Sun");
        let failed = Response { status: 404, ..answer("c", "gone", "Mon") };
        for same in [
            vec![other.clone(), one.clone()],
            vec![one.clone(), other.clone(), failed],
            vec![answer("a", "x", "Tue"), other.clone()],
            vec![earlier.clone(), one.clone(), other.clone()],
        ] {
            assert_eq!(of(&same), Some(facts.clone()));
        }
        for differs in [
            vec![one.clone()],
            vec![one.clone(), earlier],
            vec![other, one.clone(), answer("c", "", "")],
        ] {
            assert_ne!(of(&differs).unwrap().recording, facts.recording);
        }
    }

    #[test]
    fn files_have_no_recording() {
        let address = Url::parse("file:///index.html").unwrap();
        assert_eq!(of(&[Response { address, ..answer("a", "x", "") }]), None);
    }
}
