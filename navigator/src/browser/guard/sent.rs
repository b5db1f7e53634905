//! What a walk has sent, step by step, as its security log tells. A request above reading is in the
//! log before it leaves, so that a walk that was killed has no other.

use std::collections::BTreeSet;

use serde::Deserialize;

/// A step that let requests above reading go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentStep {
    /// The number of the step; 0 is the first page.
    pub step: u32,
    /// What was done; empty for the first page.
    pub action: String,
    /// The requests, without values: `POST /buy (fields: item; 9 bytes) to https://shop.example`.
    pub requests: Vec<String>,
}

impl SentStep {
    /// Returns the method and the address of each request, as the guard names them.
    fn places(&self) -> impl Iterator<Item = (String, String)> {
        self.requests.iter().filter_map(|sent| {
            let (request, origin) = sent.rsplit_once(" to ")?;
            let request = request.split(" (").next().unwrap_or(request);
            let (method, path) = request.split_once(' ')?;
            Some((method.to_owned(), format!("{origin}{path}")))
        })
    }
}

/// Returns the method and the address of each request that a step has sent.
pub(crate) fn places_of(sent: &[SentStep], step: u32, action: &str) -> BTreeSet<(String, String)> {
    let is_step = |one: &&SentStep| one.step == step && (step == 0 || one.action == action);
    sent.iter().filter(is_step).flat_map(SentStep::places).collect()
}

/// A line of the log, as far as it counts here.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum LoggedEvent {
    Began {
        walk: String,
        is_rerun: bool,
    },
    Step {
        step: u32,
        action: String,
    },
    Released {
        origin: String,
        request: String,
    },
    #[serde(other)]
    Other,
}

/// Lists what a walk has sent, from the text of its security log. What was sent while it was taken
/// again for comparison is not its own. A log that does not know the walk is of an earlier version:
/// then all of it counts, as sent by the first page.
pub fn sent_steps(log: &str, walk: &str) -> Vec<SentStep> {
    let mut sent: Vec<SentStep> = Vec::new();
    let mut unnamed: Vec<String> = Vec::new();
    let (mut is_own, mut is_known) = (false, false);
    let (mut step, mut action) = (0, String::new());
    for line in log.lines() {
        let request = match serde_json::from_str(line) {
            Ok(LoggedEvent::Began { walk: began, is_rerun }) => {
                is_own = began == walk && !is_rerun;
                is_known |= began == walk;
                (step, action) = (0, String::new());
                continue;
            }
            Ok(LoggedEvent::Step { step: number, action: does }) => {
                (step, action) = (number, does);
                continue;
            }
            Ok(LoggedEvent::Other) => continue,
            Ok(LoggedEvent::Released { origin, request }) => format!("{request} to {origin}"),
            // A line that was cut may have been followed by another: it could say anything.
            Err(_) => "something (a line of the security log cannot be read)".to_owned(),
        };
        if !is_own {
            unnamed.push(request);
            continue;
        }
        match sent.iter_mut().find(|one| one.step == step && one.action == action) {
            Some(known) if known.requests.contains(&request) => {}
            Some(known) => known.requests.push(request),
            None => sent.push(SentStep { step, action: action.clone(), requests: vec![request] }),
        }
    }
    if !is_known && !unnamed.is_empty() {
        return vec![SentStep { step: 0, action: String::new(), requests: unnamed }];
    }
    sent
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"time":"t","event":"began","walk":"other","is_rerun":false}
{"time":"t","event":"released","origin":"http://a","request":"POST /other","by":"rule"}
{"time":"t","event":"began","walk":"w","is_rerun":false}
{"time":"t","event":"step","step":1,"action":"click 1 'Add'"}
{"time":"t","event":"stopped","origin":"http://a","request":"POST /no","reason":"r"}
{"time":"t","event":"step","step":2,"action":"click 2 'Buy'"}
{"time":"t","event":"released","origin":"http://a","request":"POST /buy","by":"rule"}
{"time":"t","event":"began","walk":"w","is_rerun":true}
{"time":"t","event":"step","step":1,"action":"click 1 'Add'"}
{"time":"t","event":"released","origin":"http://a","request":"POST /no","by":"rule"}
{"time":"t","event":"began","walk":"w","is_rerun":false}
{"time":"t","event":"step","step":2,"action":"click 2 'Buy'"}
{"time":"t","event":"released","origin":"http://a","request":"POST /buy","by":"rule"}
"#;

    fn told(log: &str, walk: &str) -> Vec<String> {
        let line =
            |one: SentStep| format!("{} {}: {}", one.step, one.action, one.requests.join(", "));
        sent_steps(log, walk).into_iter().map(line).collect()
    }

    #[test]
    fn what_a_walk_has_sent_is_known_by_step() {
        assert_eq!(told(LOG, "w"), ["2 click 2 'Buy': POST /buy to http://a"]);
        assert_eq!(told(LOG, "other"), ["0 : POST /other to http://a"]);
    }

    #[test]
    fn a_step_has_sent_its_methods_and_addresses() {
        let log = LOG.replace("POST /buy", "POST /buy (fields: from to; 9 bytes)");
        let sent = sent_steps(&log, "w");
        let buy = ("POST".to_owned(), "http://a/buy".to_owned());
        assert_eq!(places_of(&sent, 2, "click 2 'Buy'"), [buy].into());
        assert_eq!(places_of(&sent, 2, "click 3 'Other'"), BTreeSet::new());
        assert_eq!(places_of(&sent, 1, "click 1 'Add'"), BTreeSet::new());
    }

    #[test]
    fn what_cannot_be_known_counts_as_sent() {
        let released = r#"{"event":"released","origin":"http://a","request":"POST /x"}"#;
        assert_eq!(told(released, "w"), ["0 : POST /x to http://a"]);
        let torn = told(&format!("{LOG}{{\"eve"), "w");
        assert!(torn.iter().any(|one| one.contains("cannot be read")), "{torn:?}");
        assert_eq!(told("", "w"), Vec::<String>::new());
    }
}
