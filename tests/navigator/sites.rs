//! Sites as what is explored: folders of pages, recordings, servers on this machine.

use std::fs;

use test_support::{Ran, Repo, Sealed, repo, sealed};

const GOAL: &str = "how is the timeout of a request raised?";

fn navigator() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_navigator"))
}

/// A manual of three pages, of which one answers the goal.
fn manual() -> Repo {
    repo("=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1>
<p><a href=\"guide/timeouts.html\">Timeouts of requests</a> <a href=\"guide/colours.html\">Colours</a>
=== guide/timeouts.html
<!doctype html><title>Timeouts</title><h1>Timeouts</h1>
<p>Each request has a timeout.</p><h2>Raise the timeout</h2><p>Set <code>timeout = 90</code>.</p>
=== guide/colours.html
<!doctype html><title>Colours</title><h1>Colours</h1><p>Set <code>colour = blue</code>.</p>
")
}

fn explore(navigator: &Sealed, at: &Repo, args: &[&str]) -> Ran {
    navigator.run(at.path(), &[&["explore", "--goal", GOAL, "-t", "400"], args].concat())
}

#[test]
fn a_folder_of_pages_is_explored_and_replayed_and_a_changed_page_is_drift() {
    let (navigator, manual, elsewhere) = (navigator(), manual(), repo(""));
    let site = format!("file://{}", manual.path().display());
    let explored = explore(&navigator, &elsewhere, &[&site, "--plan-out", "plan.yaml"]);
    assert_eq!(explored.code, 0, "{}", explored.stderr);
    assert!(explored.stdout.contains("## Raise the timeout\n"), "{}", explored.stdout);
    assert!(explored.stdout.contains("Set `timeout = 90`."), "{}", explored.stdout);
    assert!(explored.stdout.contains("guide/timeouts.html"), "{}", explored.stdout);

    for args in [&["replay", "1"][..], &["replay", "plan.yaml", &site]] {
        let replayed = navigator.run(elsewhere.path(), args);
        assert_eq!((replayed.code, &replayed.stdout), (0, &explored.stdout), "{}", replayed.stderr);
    }
    // The same folder by another path.
    let by_dot = navigator.run(&manual.path().join("guide"), &["replay", "1", "file://.."]);
    assert_eq!((by_dot.code, &by_dot.stdout), (0, &explored.stdout), "{}", by_dot.stderr);

    let page = manual.path().join("guide/timeouts.html");
    let text = fs::read_to_string(&page).unwrap();
    fs::write(&page, text.replace("90", "120")).unwrap();
    let drifted = navigator.run(elsewhere.path(), &["replay", "1"]);
    assert_eq!((drifted.code, drifted.stdout.as_str()), (8, ""));
    assert!(drifted.stderr.contains("changed: guide/timeouts.html"), "{}", drifted.stderr);
    let fitted = navigator.run(elsewhere.path(), &["replay", "1", "--allow-drift"]);
    assert_eq!(fitted.code, 0, "{}", fitted.stderr);
    assert!(fitted.stdout.contains("timeout = 120"), "{}", fitted.stdout);
}

#[test]
fn outputs_in_a_folder_of_pages_are_no_pages() {
    let (navigator, manual) = (navigator(), manual());
    let explored = explore(&navigator, &manual, &["file://.", "--report", "report.html"]);
    assert_eq!(explored.code, 0, "{}", explored.stderr);
    let replayed = navigator.run(manual.path(), &["replay", "1"]);
    assert_eq!((replayed.code, &replayed.stdout), (0, &explored.stdout), "{}", replayed.stderr);
}

#[test]
fn what_is_no_site_is_refused_with_a_way_out() {
    let (navigator, folder) = (navigator(), repo("=== notes.txt\nno recording\n"));
    let mut said = String::new();
    for site in ["ftp://a/", "notes.txt", "file://.", "file://nowhere", "file://notes.txt"] {
        let refused = explore(&navigator, &folder, &["-q", site]);
        said += &format!("{}: {}", refused.code, refused.stderr);
        assert_eq!(refused.stdout, "");
    }
    insta::assert_snapshot!(said, @"");
    assert_eq!(navigator.run(folder.path(), &["runs"]).stdout.lines().count(), 1, "none is kept");
}
