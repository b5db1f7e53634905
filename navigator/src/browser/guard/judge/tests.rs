//! The judgements of a guard without a browser.

use std::io::Read as _;

use super::*;

fn request(method: &str, url: &str, body: &str) -> WireRequest {
    WireRequest::new(method, url.parse().unwrap(), "", Some(body.as_bytes()))
}

fn guard() -> WireGuard {
    let start = "http://a.example/".parse().unwrap();
    WireGuard::new(WirePolicy::nothing().with_named(&start), None)
}

#[test]
fn a_permitted_request_leaves_once_through_both_layers() {
    let guard = guard();
    let buy = request("POST", "http://a.example/buy", "n=1");
    assert!(!guard.may_start(&buy));
    let tried = guard.tried().attempts;
    assert_eq!((tried.len(), tried[0].reason.as_str()), (1, "it was not permitted"));
    assert!(guard.permit(&tried[0].request));
    assert!(!guard.may_leave(&buy), "the browser did not let it go");
    assert!(guard.may_start(&buy) && guard.may_leave(&buy));
    assert!(!guard.may_start(&buy) && !guard.may_leave(&buy));
}

#[test]
fn a_step_that_is_taken_again_sends_what_it_sent_and_no_more() {
    let guard = guard();
    let rule = "POST:http://a.example/".parse().unwrap();
    guard.change_policy(|policy| policy.with_rule(rule));
    guard.take_again(Some([("POST".to_owned(), "http://a.example/sent".to_owned())].into()));
    assert!(guard.may_start(&request("POST", "http://a.example/sent", "n=2")));
    assert!(!guard.may_start(&request("POST", "http://a.example/new", "n=1")));
    assert!(guard.may_start(&request("GET", "http://a.example/new", "")));
    guard.take_again(None);
    assert!(guard.may_start(&request("POST", "http://a.example/new", "n=1")));
}

#[test]
fn nothing_leaves_through_a_closed_wire() {
    let guard = guard();
    let (read, buy) =
        (request("GET", "http://a.example/", ""), request("POST", "http://a.example/", "n"));
    guard.permit(&buy);
    guard.close_wire();
    assert!(!guard.may_start(&read) && !guard.may_start(&buy));
    assert_eq!(guard.tried().attempts.len(), 2);
}

#[test]
fn no_more_requests_leave_than_the_limit() {
    let guard = guard();
    guard.limit_requests(2);
    let read = request("GET", "http://a.example/", "");
    for _ in 0..2 {
        assert!(guard.may_start(&read) && guard.may_leave(&read));
    }
    assert!(!guard.may_start(&read) && !guard.may_leave(&read));
    assert_eq!(guard.n_requests(), 2);
    assert_eq!(guard.tried().attempts[0].reason, "the limit of requests is reached");
}

#[test]
fn private_addresses_are_for_hosts_that_a_person_named() {
    let guard = guard();
    let of_page = "https://b.example/".parse().unwrap();
    guard.change_policy(|policy| policy.with_origin(&of_page));
    let (private, public) = ("10.0.0.1".parse().unwrap(), "1.1.1.1".parse().unwrap());
    assert!(guard.may_connect("a.example", private));
    assert!(!guard.may_connect("b.example", private));
    assert!(guard.may_connect("b.example", public));
}

/// A GET that a script begins.
fn begun(url: &str) -> WaitingRequest {
    WaitingRequest {
        id: serde_json::Value::Null,
        is_navigation: false,
        tab: None,
        is_beacon: false,
        is_begun_here: true,
        network_id: None,
        request: request("GET", url, ""),
    }
}

#[test]
fn a_page_cannot_fill_the_memory_while_a_person_is_asked() {
    let guard = guard();
    guard.warn_of(WarnedAddresses::new(|_| true));
    guard.begin_asking();
    let long = format!("http://a.example/?a={}", "y".repeat(200_000));
    let verdicts = (0..100).map(|_| guard.judge_held(begun(&long)));
    let n_waiting = verdicts.filter(|verdict| *verdict == WireVerdict::Waits).count();
    assert_eq!(n_waiting, MAX_WAITING_BYTES / long.len());
    let tried = guard.tried().attempts;
    assert_eq!(tried.len(), 100 - n_waiting);
    assert!(tried.iter().all(|one| one.request.url.as_str().len() < 100), "{:?}", tried[0]);
}

#[test]
fn the_log_lists_so_many_stopped_requests_of_a_step_and_counts_the_others() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let log = SecurityLog::open(file.path()).unwrap();
    let guard = WireGuard::new(WirePolicy::nothing(), Some(log));
    let post = request("POST", "http://a.example/", "n");
    for n in [MOST_LISTED + 3, 1] {
        (0..n).for_each(|_| assert!(!guard.may_start(&post)));
        guard.write(&SecurityEvent::Step { step: 1, action: String::new() });
    }
    let mut log = String::new();
    file.read_to_string(&mut log).unwrap();
    let n_lines = |event: &str| log.matches(&format!("\"event\":\"{event}\"")).count() as u64;
    assert_eq!((n_lines("stopped"), n_lines("stopped_more")), (MOST_LISTED + 1, 1));
    assert!(log.contains("\"event\":\"stopped_more\",\"n\":3}"), "{}", &log[log.len() - 300..]);
}

// `/dev/full` is Linux's.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_stops_all_but_reading() {
    let start = "http://a.example/".parse().unwrap();
    let rule = "POST:http://a.example/".parse().unwrap();
    let policy = WirePolicy::nothing().with_named(&start).with_rule(rule);
    let guard = WireGuard::new(policy, Some(SecurityLog::full()));
    assert!(guard.may_start(&request("GET", "http://a.example/", "")));
    assert!(!guard.may_start(&request("POST", "http://a.example/", "")));
}
