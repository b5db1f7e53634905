//! Walks without a model that do several things in their order, over a login, tabs, a file and a
//! page that loads late.

use std::fs;

use serde_json::Value;
use test_support::{Repo, Sealed, repo, sealed};

use super::wire_server::{WireServer, html};
use super::{guard, launched};

const MENU: &str = "<nav><a href=/status>Status</a> <a href=/help>Help</a> <a href=/file>Bills</a>
    <a href=/login>Sign in</a></nav>";
const TABS: &str = "<div role=tablist>
    <button role=tab aria-selected=true onclick='show(0)'>Shipping</button>
    <button role=tab aria-selected=false onclick='show(1)'>Returns</button></div>
    <p>Shipping takes three days, and is free of charge.</p>
    <p hidden>You may send all of it back within 30 days.</p>
    <script>function show(n) {
        document.querySelectorAll('p').forEach((one, at) => one.hidden = at != n);
        document.querySelectorAll('[role=tab]').forEach(
            (one, at) => one.setAttribute('aria-selected', at == n));
    }</script>";
const LATE: &str = "<p id=out>Jobs: loading</p>
    <script>setTimeout(() => out.textContent = 'Jobs done: 7', 2500)</script>";
const LOGIN: &str =
    "<form method=post action=/in><label>User name <input name=user required></label>
    <label>Password <input type=password name=password required></label>
    <button>Log in</button></form>";
const FILE: &str = "<form method=post action=/sent enctype=multipart/form-data>
    <label>Bill <input type=file name=bill></label><button>Upload</button></form>";

const ITEMS: &str = "<table><tr><td>Lamp<td><form method=post action=/gone><button>Delete</button>
    </form><tr><td>Chair<td><form method=post action=/gone><button>Delete</button></form></table>
    <p><a href='/items?page=2'>Next</a> <a href=/new>New item</a>";
const MORE_ITEMS: &str = "<table><tr><td>Rug<td><form method=post action=/gone>
    <button>Delete</button></form><tr><td>Vase<td><form method=post action=/gone>
    <button>Delete</button></form></table><p><a href=/items>Previous</a>
    <form method=post action=/made><label>Name <input name=name required></label>
    <label>Code <input name=code required></label><button>Save</button></form>";

/// A site with a menu on each page.
struct Office {
    server: WireServer,
    navigator: Sealed,
    at: Repo,
}

fn office() -> Option<Office> {
    drop(launched(guard(&[]))?);
    let server = WireServer::start(|_| {
        Box::new(|path| {
            let (title, body) = match path {
                "/" => ("Office", "<p>Welcome."),
                "/help" => ("Help", TABS),
                "/status" => ("Status", LATE),
                "/login" => ("Sign in", LOGIN),
                "/in" => ("Office", "<p>Welcome, Ada."),
                "/file" => ("Bills", FILE),
                "/sent" => ("Bills", "<p>Thank you."),
                "/items" => ("Items", ITEMS),
                "/items?page=2" => ("Items", MORE_ITEMS),
                "/gone" => ("Items", "<p>Removed."),
                _ => return None,
            };
            Some(html(&format!("<title>{title}</title>{MENU}<h1>{title}</h1>{body}")))
        })
    });
    Some(Office { server, navigator: sealed(env!("CARGO_BIN_EXE_navigator")), at: repo("") })
}

impl Office {
    /// Walks, and returns the exit code, the actions and the report.
    fn walk(&self, page: &str, goal: &str, flags: &[&str]) -> (i32, Vec<String>, Value) {
        let url = self.server.url(page);
        let args = ["browse", &url, "--browser", "--goal", goal, "--format", "json"];
        let walked = self.navigator.run(self.at.path(), &[&args[..], flags].concat());
        let report: Value = serde_json::from_str(&walked.stdout).unwrap();
        let steps = report["path_taken"].as_array().unwrap().iter();
        let steps = steps.map(|step| step["action"].as_str().unwrap().to_owned()).collect();
        (walked.code, steps, report)
    }
}

#[test]
fn a_login_is_done_whole_before_what_comes_after_it() {
    let Some(office) = office() else { return };
    fs::write(office.at.path().join("word"), "hunter2hunter2").unwrap();
    let rule = format!("POST:{}", office.server.url("/in"));
    let flags = ["--secret", "pw=file:word", "--allow", &rule];
    let goal = "log in as ada, then open the Status page";
    let (code, steps, report) = office.walk("/", goal, &flags);
    let done = [
        "click 4 'Sign in'",
        "fill 5 'User name' with 'ada'",
        "fill 6 'Password' with '{{secret:pw}}'",
        "click 7 'Log in'",
        "click 1 'Status'",
    ];
    assert_eq!((code, &steps[..done.len()]), (0, &done.map(str::to_owned)[..]), "{report}");
    // What was opened is delivered.
    assert!(report["content"].as_str().unwrap().contains("Jobs done: 7"), "{report:#}");
}

#[test]
fn a_file_is_given_before_its_form_is_sent_and_a_rule_alone_lets_it_go() {
    let Some(office) = office() else { return };
    fs::write(office.at.path().join("may.pdf"), "%PDF").unwrap();
    let (code, steps, report) = office.walk("/file", "upload the bill", &["--upload", "may.pdf"]);
    let done = ["upload 5 'Bill' 'may.pdf'", "click 6 'Upload'"];
    assert_eq!((code, steps), (4, done.map(str::to_owned).to_vec()), "{report}");
    let rule = format!("POST:{}", office.server.url("/sent"));
    assert!(report["error"].as_str().unwrap().contains(&format!("the rule `{rule}` lets it go")));
    let flags = ["--upload", "may.pdf", "--allow", &rule];
    let (code, _, report) = office.walk("/file", "upload the bill", &flags);
    assert_eq!((code, office.server.sent().len()), (0, 1), "{report}");
    let (code, steps, report) = office.walk("/file", "upload the bill", &[]);
    assert_eq!((code, steps.len()), (4, 0), "{report}");
    assert!(report["error"].as_str().unwrap().contains("the form needs `Bill`"), "{report}");
}

#[test]
fn a_tab_is_pressed_and_a_page_that_loads_is_waited_for() {
    let Some(office) = office() else { return };
    let (code, steps, report) = office.walk("/help", "how do returns work?", &[]);
    assert_eq!((code, &steps[0][..]), (0, "click 6 'Returns'"), "{report}");
    assert!(report["content"].as_str().unwrap().contains("within 30 days"), "{report}");
    let (code, steps, report) = office.walk("/status", "how many jobs are done?", &[]);
    assert_eq!((code, &steps[0][..]), (0, "wait"), "{report}");
    assert!(report["content"].as_str().unwrap().contains("Jobs done: 7"), "{report}");
}

#[test]
fn a_row_is_looked_for_in_the_next_part_of_its_list() {
    let Some(office) = office() else { return };
    let rule = format!("POST:{}", office.server.url("/gone"));
    let flags = ["--allow", &rule, "--allow", "destroys:Delete beside Rug"];
    let (code, steps, report) = office.walk("/items", "delete the Rug", &flags);
    assert_eq!(steps, ["click 7 'Next'", "click 5 'Delete'"], "{report:#}");
    assert_eq!(code, 0, "{report:#}");
    let (code, steps, _) = office.walk("/items", "delete the Sofa", &flags);
    assert!(code == 4 && !steps.iter().any(|step| step.contains("Delete")), "{steps:?}");
}

#[test]
fn a_form_that_the_goal_fills_in_part_is_named_with_what_it_lacks() {
    let Some(office) = office() else { return };
    let goal = "save a new item named Sofa";
    let (code, steps, report) = office.walk("/items?page=2", goal, &[]);
    assert_eq!((code, &steps[0]), (4, &"fill 8 'Name' with 'Sofa'".to_owned()), "{report:#}");
    let error = report["error"].as_str().unwrap();
    assert!(error.contains("the form needs `Code`"), "{report:#}");
}
