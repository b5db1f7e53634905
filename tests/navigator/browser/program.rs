//! The program walks in a browser.

use std::fs;

use navigator::browser::process::find_browser;
use serde_json::Value;
use test_support::{repo, sealed};

use super::wire_server::{WireServer, html};
use super::{guard, launched};

#[test]
fn what_a_browser_does_not_use_is_refused() {
    let (navigator, at) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
    for (flag, value) in [("--proxy", "http://p/"), ("--scope", "/a"), ("--delay", "9")] {
        let args = ["browse", "http://127.0.0.1:1/", "--goal", "x", "--browser", flag, value];
        let refused = navigator.run(at.path(), &args);
        let why = "it has no effect on a browser (leave it out, or leave out `--browser`)";
        assert_eq!(refused.code, 2);
        assert_eq!(
            refused.stderr,
            format!(
                "navigator: {flag}: {why}
"
            )
        );
    }
}

#[test]
fn a_walk_keeps_its_security_log_and_a_later_one_takes_its_place() {
    let Some(browser) = launched(guard(&[])) else { return };
    drop(browser);
    let chromium = find_browser(None).unwrap();
    let page = "<h1>Shop</h1><script>fetch('/x', { method: 'POST', body: 'a=1' })</script>";
    let server = WireServer::start(|_| Box::new(move |_| Some(html(page))));
    let (navigator, at) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
    let walk = |page: &str| {
        let (url, chromium) = (server.url(page), chromium.to_str().unwrap());
        let flags = ["--goal", "shop", "--out", "run", "--max-steps", "1", "--max-requests", "9"];
        let args = ["browse", &url, "--browser", "--chromium", chromium];
        let ran = navigator.run(at.path(), &[&args[..], &flags].concat());
        let log = fs::read_to_string(at.path().join("run/security.jsonl"));
        let log = log.unwrap_or_else(|error| panic!("{error}: {}", ran.stderr));
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let is_of_page = |line: &Value| line["request"] == "POST /x (3 bytes)";
        (lines.filter(is_of_page).count(), ran.stderr)
    };
    let (n_stopped, said) = walk("/");
    assert_eq!(n_stopped, 1, "{said}");
    let (n_stopped, said) = walk("/again");
    assert_eq!(n_stopped, 1, "{said}");
    assert!(!said.contains("no run has written"), "{said}");
}
