//! What a person at a terminal is asked during a walk, and what the answers do.

use test_support::person::{DOWN, Person};
use test_support::{Ran, Repo, Sealed, repo, sealed};

use super::wire_server::{WireServer, html};
use super::{guard, launched};

/// A page with one button that sends, and a place to walk from.
struct Walked {
    server: WireServer,
    folder: Repo,
    navigator: Sealed,
}

fn walked() -> Option<Walked> {
    launched(guard(&[]))?;
    let server = WireServer::start(|_| {
        Box::new(|path| match path {
            "/" => Some(html("<form method=post action=/done><button>Send</button></form>")),
            "/done" => Some(html("<h1>Done</h1>")),
            _ => None,
        })
    });
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    Some(Walked { server, folder: repo(""), navigator })
}

impl Walked {
    /// Starts the walk, and goes on until the button was pressed.
    fn until_it_asks(&self) -> Person {
        let mut command = self.navigator.command(self.folder.path());
        command.args(["browse", &self.server.url("/"), "--browser", "--interactive"]);
        command.args(["--goal", "Click on the \"Send\" button."]);
        let mut person = Person::before(command);
        person.sees("Go on?");
        person.sees("continue");
        assert_eq!(self.server.sent().len(), 0);
        person.types("\r");
        person.sees("`click 1 'Send'` sends POST /done to `127.0.0.1");
        person.sees("Allow it once?");
        assert_eq!(self.server.sent().len(), 0, "it waits");
        person
    }

    /// Ends the walk at its next question.
    fn stopped(mut person: Person) -> Ran {
        person.sees("Go on?");
        person.types(&format!("{DOWN}\r"));
        person.leaves()
    }
}

#[test]
fn a_yes_at_the_terminal_lets_one_request_go() {
    let Some(walked) = walked() else { return };
    let mut person = walked.until_it_asks();
    person.types(&format!("{DOWN}\r"));
    person.sees("Turn 1");
    person.sees("why      the goal names it");
    person.sees("did      click 1 'Send' → sent to 127.0.0.1:");
    person.sees("asked    step 1: `click 1 'Send'` sends POST /done to");
    person.sees("page     ");
    person.sees("used     2 requests of 40");
    person.sees("steps left. Next turn: no cost.");
    let ran = Walked::stopped(person);
    assert_eq!(walked.server.sent().len(), 1, "{}", ran.stderr);
}

#[test]
fn a_question_says_in_which_row_a_control_stands() {
    let Some(_) = launched(guard(&[])) else { return };
    let server = WireServer::start(|_| {
        Box::new(|_| {
            Some(html("<ul><li>Milk <button>Delete</button><li>Bread <button>Delete</button></ul>"))
        })
    });
    let (navigator, folder) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
    let args = ["browse", &server.url("/"), "--browser", "--goal", "delete \"Bread\""];
    let ran = navigator.run(folder.path(), &args);
    let told =
        "`click 2 'Delete'` was refused: it destroys `Delete` beside 'Bread', and there is no";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    for (row, is_refused) in [("Milk", true), ("Bread", false)] {
        let rule = format!("destroys:Delete beside {row}");
        let ran = navigator.run(folder.path(), &[&args[..], &["--allow", &rule]].concat());
        assert_eq!(ran.stderr.contains(told), is_refused, "{row}: {}", ran.stderr);
    }
    let mut command = navigator.command(folder.path());
    command.args(args).arg("--interactive");
    let mut person = Person::before(command);
    person.sees("Go on?");
    person.types("\r");
    person.sees("`click 2 'Delete'` destroys `Delete` beside 'Bread'. Allow it once?");
    person.types("\x03");
    assert_eq!(person.leaves().code, 130);
}

#[test]
fn a_row_is_known_by_a_link_in_it_and_no_other_row_is_taken() {
    let Some(_) = launched(guard(&[])) else { return };
    let edit = "<a href=/edit>Edit</a> <button>Delete</button>";
    let row = |name: &str, price: &str| {
        format!("<tr><td><a href=/{name}>{name}</a><td>{price}<td><div>{edit}</div></tr>")
    };
    let table = format!("<table>{}{}</table>", row("Lamp", "11 EUR"), row("Chair", "44 EUR"));
    let item = |name: &str| format!("<li><a href=/{name}>{name}</a> <button>Delete</button>");
    let list = format!("<h2>Items</h2><ul>{}{}</ul>", item("Lamp"), item("Chair"));
    let field = |name: &str| format!("<p><input aria-label=Name value={name}> {edit}");
    let fields = format!("{}{}", field("Lamp"), field("Chair"));
    let twice = "<li>Lamp <button>Delete</button>".repeat(2);
    for (page, goal, told) in [
        (twice.clone(), "press Delete", Some("Lamp")),
        (table.clone(), "delete the Chair", Some("Chair 44 EUR")),
        (list, "delete the Chair", Some("Chair")),
        // What stands in fields changes, and tells no row.
        (fields, "delete the Chair", None),
        (table.clone(), "delete the Sofa", None),
        (table, "press Delete", Some("Lamp 11 EUR")),
    ] {
        let is_alone = page != twice;
        let page = html(&page);
        let server = WireServer::start(move |_| {
            let page = page.clone();
            Box::new(move |path| (path == "/").then(|| page.clone()))
        });
        let (navigator, folder) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
        let args = ["browse", &server.url("/"), "--browser", "--goal", goal];
        let ran = navigator.run(folder.path(), &args);
        match told {
            Some(row) => {
                let told = format!("destroys `Delete` beside '{row}'");
                assert!(ran.stderr.contains(&told), "{goal}: {}", ran.stderr);
                // A rule for the row is named only where no other row is like it.
                let rule = format!("`--allow 'destroys:Delete beside {row}'` allows it");
                assert_eq!(ran.stderr.contains(&rule), is_alone, "{goal}: {}", ran.stderr);
            }
            None => assert!(!ran.stderr.contains("destroys"), "{goal}: {}", ran.stderr),
        }
    }
}

#[test]
fn what_a_dialog_refused_was_not_done() {
    let Some(_) = launched(guard(&[])) else { return };
    let clear = "if (confirm('Remove all?')) document.body.innerHTML = ''";
    let page = format!("<p>One<p>Two<p><button onclick=\"{clear}\">Clear view</button>");
    let server = WireServer::start(move |_| Box::new(move |_| Some(html(&page))));
    let (navigator, folder) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
    let args = ["browse", &server.url("/"), "--browser", "--goal", "click \"Clear view\""];
    let ran = navigator.run(folder.path(), &args);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert!(ran.stderr.contains("the answer to a dialog is no"), "{}", ran.stderr);
}

#[test]
fn enter_at_the_terminal_is_a_no() {
    let Some(walked) = walked() else { return };
    let mut person = walked.until_it_asks();
    person.types("\r");
    let ran = Walked::stopped(person);
    assert_eq!(walked.server.sent().len(), 0, "{}", ran.stderr);
}

#[test]
fn ctrl_c_while_the_person_is_asked_ends_the_walk_and_sends_nothing() {
    let Some(walked) = walked() else { return };
    let mut person = walked.until_it_asks();
    person.types("\x03");
    let ran = person.leaves();
    assert_eq!((ran.code, walked.server.sent().len()), (130, 0), "{}", ran.stderr);
}
