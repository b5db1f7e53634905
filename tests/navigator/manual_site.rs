//! A vehicle of the generated manual, and other small sites, explored by their address within
//! limits.

use manual::{Manual, ManualTree, TreeForm, Vehicle};
use test_support::{Ran, repo, sealed};

use crate::page_server::{PageServer, page, status};

fn vehicle(manual: &Manual) -> (Vehicle, ManualTree) {
    let vehicle = manual.vehicles().swap_remove(50);
    let tree = manual.tree(&vehicle);
    (vehicle, tree)
}

/// Explores a vehicle, and returns how many requests the server saw.
fn explored(form: TreeForm, goal: &str) -> (Ran, usize) {
    let manual = Manual::new(1, form);
    let start = manual.vehicle_address(&vehicle(&manual).0);
    let server = PageServer::start(move |path| {
        manual.page(path).map_or_else(|| status(404), |html| page(&html))
    });
    let (navigator, at) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
    let site = server.url(&start).to_string();
    let limits = ["--delay", "0", "--max-requests", "25", "-t", "1500"];
    let args = [&["explore", &site, "--goal", goal, "-q"], &limits[..]].concat();
    (navigator.run(at.path(), &args), server.received().len())
}

#[test]
fn a_vehicle_is_explored_within_its_limits() {
    for form in [TreeForm::Tree, TreeForm::Folders] {
        let manual = Manual::new(1, form);
        let (vehicle, tree) = vehicle(&manual);
        let is_wanted =
            |path: &[String]| path.ends_with(&["Thermostat".into(), "Adjustments".into()]);
        let (at, _, _) = tree.leaves().find(|(_, node, _)| is_wanted(&node.path)).unwrap();
        let value = manual.value(&vehicle, &tree, at).unwrap();
        let (run, n_requests) =
            explored(form, "adjustment of the thermostat in the engine cooling system");
        assert_eq!(run.code, 6, "pages are left unread: {}", run.stderr);
        assert!(n_requests <= 25, "{n_requests}");
        assert!(run.stdout.contains(&value), "{form:?}: no {value} in {}", run.stdout);
        assert!(!run.stdout.contains("Look at the reading room"), "{}", run.stdout);
    }
}

#[test]
fn a_site_that_javascript_builds_is_told_as_one() {
    let server = PageServer::start(|path| match path {
        "/" => page("<title>App</title><body><div id=root></div><script src=a.js></script>"),
        _ => status(404),
    });
    let (navigator, at) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
    let site = server.url("/").to_string();
    let ran = navigator.run(at.path(), &["explore", &site, "--goal", "a hub", "--delay", "0"]);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    let said = "navigator: no page has content over HTTP (`navigator browse URL --browser` reads";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn the_list_of_runs_says_at_which_limit_pages_were_left_unread() {
    let server = PageServer::start(|path| match path {
        "/" => page("<h1>A hub</h1><p>A hub and <a href=b.html>a wheel</a>."),
        _ => page("<h1>A wheel</h1><p>It is round."),
    });
    let (navigator, at) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
    let site = server.url("/").to_string();
    let explore = |most| {
        let args = ["explore", &site, "--goal", "a hub", "--delay", "0", "--max-requests", most];
        navigator.run(at.path(), &args).code
    };
    assert_eq!((explore("2"), explore("9")), (6, 0));
    let listed = navigator.run(at.path(), &["runs"]).stdout;
    let of_run = |number| listed.lines().find(|line| line.contains(number)).unwrap();
    assert!(of_run("00001").contains(" finished at --max-requests "), "{listed}");
    assert!(!of_run("00002").contains(" at --max"), "{listed}");
    let listed = navigator.run(at.path(), &["runs", "--format", "json"]).stdout;
    assert!(listed.contains("\"stop\":\"finished\",\"limit\":\"--max-requests\""), "{listed}");
}
