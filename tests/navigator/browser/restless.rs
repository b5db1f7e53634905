//! Walks over pages that give no rest: each ends within its limits, and says what happened.

use serde_json::Value;
use test_support::{repo, sealed};

use super::wire_server::{WireServer, html};
use super::{guard, launched};

fn page(path: &str) -> Option<(String, String)> {
    Some(html(match path {
        "/timers" => {
            "<button>Go</button><p id=out></p><script>
            setInterval(() => out.textContent = 'tick ' + Math.random(), 5)</script>"
        }
        "/endless" => "<button onclick=\"while (true) alert('endless')\">Go</button>",
        "/many" => "<button onclick=\"for (let i = 0; i < 9; i++) alert('a' + i)\">Go</button>",
        "/storm" => "<button>Go</button><script>setInterval(() => alert('storm'), 1)</script>",
        "/away" => "<button onclick=\"location = '/next?1'\">Go</button>",
        path if path.starts_with("/next") => {
            "<script>location = '/next?' + (+location.search.slice(1) + 1)</script>"
        }
        _ => return None,
    }))
}

/// Walks without anybody to ask: the report.
fn walked(server: &WireServer, path: &str) -> Value {
    let (at, navigator) = (repo(""), sealed(env!("CARGO_BIN_EXE_navigator")));
    let url = server.url(path);
    let goal = "Click on the \"Go\" button.";
    let args = ["browse", &url, "--browser", "--goal", goal, "--format", "json", "--out", "run"];
    // So few are made before the longest wait for a page to settle is over, on a busy machine too.
    let limits = ["--max-steps", "3", "--max-requests", "8"];
    let ran = navigator.run(at.path(), &[&args[..], &limits].concat());
    let report = serde_json::from_str(&ran.stdout);
    let report: Value = report.unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert!(report["steps_taken"].as_u64().unwrap() <= 3, "{report:#}");
    report
}

/// What the path of a walk says of its first step.
fn told(report: &Value) -> &str {
    report["path_taken"][0]["result"].as_str().unwrap()
}

#[test]
fn a_page_that_never_settles_is_walked_and_said_to_go_on() {
    if launched(guard(&[])).is_none() {
        return;
    }
    let server = WireServer::start(|_| Box::new(page));
    let report = walked(&server, "/timers");
    assert!(told(&report).ends_with("; the page goes on changing or loading"), "{report:#}");
    assert_eq!(server.arrived().len(), 1);
}

#[test]
fn a_loop_of_alerts_costs_a_step_and_a_storm_of_them_is_told_in_a_line() {
    if launched(guard(&[])).is_none() {
        return;
    }
    let server = WireServer::start(|_| Box::new(page));
    let endless = walked(&server, "/endless");
    let endless = told(&endless);
    assert!(endless.contains("had no answer within"), "{endless}");
    assert!(endless.contains("the page said 'endless' (50 times); "), "{endless}");
    assert!(endless.contains(" more dialogs"), "{endless}");
    let many = walked(&server, "/many");
    assert!(told(&many).contains("'a3'; the page said 'a4'; 4 more dialogs"), "{many:#}");
    let storm = walked(&server, "/storm");
    assert!(told(&storm).contains("the page said 'storm' ("), "{storm:#}");
}

#[test]
fn an_endless_navigation_ends_with_the_limit_of_requests() {
    if launched(guard(&[])).is_none() {
        return;
    }
    let server = WireServer::start(|_| Box::new(page));
    let report = walked(&server, "/away");
    assert!(told(&report).starts_with("not read: the limit of requests is reached"), "{report:#}");
    assert_eq!((&report["resources"]["requests"], server.arrived().len()), (&8.into(), 8));
    assert_eq!(report["guard"]["stopped"][0]["reason"], "the limit of requests is reached");
}
