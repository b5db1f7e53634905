//! Walks without a model over forms and over the links between pages: what a goal gives is filled
//! in, and what it does not give is neither sent nor called done.

use std::fs;

use serde_json::{Value, json};
use test_support::{Ran, Repo, Sealed, ran, repo, sealed};

use super::wire_server::{WireServer, html};
use super::{guard, launched};

/// A site with a form for notes, and pages of a manual that lead to each other.
struct Notes {
    server: WireServer,
    navigator: Sealed,
    at: Repo,
}

fn notes() -> Option<Notes> {
    drop(launched(guard(&[]))?);
    let server = WireServer::start(|_| {
        Box::new(|path| {
            Some(match path {
                "/" => html(
                    "<title>Notes</title><h1>Notes</h1><form method=post action=/sent>
                    <input type=hidden name=csrf_token value=hidden-value>
                    <label>Name <input name=name required></label>
                    <label>Text <input name=text maxlength=80 pattern='[A-Za-z ]+'></label>
                    <button>Send</button></form>",
                ),
                "/admin" => html(
                    "<title>Admin</title><h1>Admin</h1><a href=/api/delete>Delete the item</a>
                    <a href=mailto:a@b.test>Mail</a> <a href=/file.zip download>Get the file</a>
                    <button onclick=\"out.textContent = 'fresh'\">Refresh</button>
                    <button onclick=\"fetch('/api/save', { method: 'POST' })\">Save</button>
                    <p id=out></p>",
                ),
                "/sent" => html("<title>Sent</title><h1>Sent</h1><p>Thank you"),
                "/authors" => html(
                    "<title>AUTHORS</title><h1>AUTHORS</h1><p>Ada and Ben wrote it.</p>
                    <a href=/index>Index</a> <a href=/above>Up</a> <a href=/before>Prev</a>",
                ),
                "/index" | "/above" | "/before" => html(
                    "<title>Other</title><h1>Other</h1><p>Nothing of interest.</p>
                    <a href=/authors>Authors</a> <a href=/above>Up</a>",
                ),
                _ => return None,
            })
        })
    });
    Some(Notes { server, navigator: sealed(env!("CARGO_BIN_EXE_navigator")), at: repo("") })
}

impl Notes {
    fn browse(&self, page: &str, goal: &str, answers: &str, folder: &str) -> Ran {
        fs::write(self.at.path().join("answers"), answers).unwrap();
        let (url, answers) =
            (self.server.url(page), fs::File::open(self.at.path().join("answers")).unwrap());
        let mut command = self.navigator.command(self.at.path());
        command.args(["browse", &url, "--browser", "--goal", goal, "--ask-on-stdin"]);
        command.args(["--format", "json", "--out", folder]);
        ran(command.stdin(answers).output().unwrap())
    }

    fn knowledge(&self, args: &[&str]) -> Ran {
        self.navigator.run(self.at.path(), &[&["knowledge"], args].concat())
    }
}

#[test]
fn values_that_a_goal_gives_are_filled_and_the_person_sees_what_is_sent() {
    let Some(notes) = notes() else { return };
    let goal = "send a note with name Ada Lovelace and text Hello there";
    let yes = "{\"id\": 1, \"answer\": \"yes\"}\n";
    let sent = notes.browse("/", goal, yes, "run");
    assert_eq!((sent.code, notes.server.sent().len()), (0, 1), "{}", sent.stderr);
    let events = sent.stderr.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let question = events.into_iter().find(|event| event["event"] == "question").unwrap();
    let field = |name: &str, value: &str| json!({ "name": name, "value": value });
    let fields =
        [field("csrf_token", "…"), field("name", "Ada Lovelace"), field("text", "Hello there")];
    assert_eq!(question["fields"], json!(fields));
    // Nothing that is kept of the request has its values.
    let log = fs::read_to_string(notes.at.path().join("run/security.jsonl")).unwrap();
    let asked: Vec<&str> = log.lines().filter(|line| line.contains("POST /sent")).collect();
    assert!(asked.len() > 2 && !asked.concat().contains("hidden-value"), "{log}");
    assert!(!asked.concat().contains("Hello"), "{log}");

    let built = notes.knowledge(&["build", "run", "-o", "known.json"]);
    assert!(built.stderr.contains("1 task"), "{}", built.stderr);
    let task =
        notes.knowledge(&["ask", "known.json", "execute-task", "note", "--param", "name=Ben"]);
    assert_eq!(task.code, 0, "{}", task.stderr);
    let warned: Vec<&str> =
        task.stdout.lines().filter(|line| line.contains("(sends something)")).collect();
    assert_eq!(warned.len(), 1, "{}", task.stdout);
    assert!(warned[0].contains("click button 'Send'"), "{}", task.stdout);
    assert!(task.stdout.contains("with 'Ben'"), "{}", task.stdout);
    let asked = ["ask", "known.json", "get-screen-context", "notes", "--format", "json"];
    let context: Value = serde_json::from_str(&notes.knowledge(&asked).stdout).unwrap();
    let forms = context["result"]["forms"].as_array().unwrap();
    let [form] = &forms[..] else { panic!("{context}") };
    let names = |of: &str| {
        let all = form[of].as_array().unwrap().iter();
        all.map(|one| one["name"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((&form["name"], names("fields")), (&json!("Notes"), vec!["Name", "Text"]));
    assert_eq!(names("sent_by"), ["Send"]);
    assert_eq!(form["fields"][0]["constraints"], json!(["required"]));
    let rules = json!({ "type": "text", "max_length": 80, "pattern": "[A-Za-z ]+" });
    assert_eq!(form["fields"][1]["rules"], rules);
    assert_eq!(form["sent_by"][0]["effect"], "sends");
    let unknown =
        notes.knowledge(&["ask", "known.json", "execute-task", "note", "--param", "colour=red"]);
    assert_eq!(unknown.code, 4, "{}", unknown.stderr);
    let why = "has no parameter `colour` (known: `name`, `text`)";
    assert!(unknown.stderr.contains(why), "{}", unknown.stderr);
}

#[test]
fn a_walk_does_what_the_goal_names_and_no_more_and_says_what_came_of_it() {
    let Some(notes) = notes() else { return };
    let walked = |goal: &str, folder: &str| {
        let walked = notes.browse("/admin", goal, "", folder);
        let report: Value = serde_json::from_str(&walked.stdout).unwrap();
        let steps = report["path_taken"].as_array().unwrap().iter();
        let steps: Vec<String> = steps
            .map(|step| step["result"].as_str().unwrap().replace(&notes.server.url(""), ""))
            .filter(|result| !result.starts_with("extracted "))
            .collect();
        (walked.code, report["guard"]["n_questions"].as_u64().unwrap(), steps)
    };
    let fresh = walked("click \"Refresh\"", "1");
    assert_eq!(fresh, (0, 0, vec!["new text: 'fresh'".to_owned()]));
    let mail = walked("click \"Mail\"", "2");
    assert_eq!(mail, (4, 0, vec!["nothing changed".to_owned()]));
    let refused = "the download of /file.zip was refused".to_owned();
    assert_eq!(walked("click \"Get the file\"", "3"), (4, 0, vec![refused]));
    let wrong = walked("click \"Nothing like it\"", "5");
    assert_eq!((wrong.0, wrong.1), (4, 0), "{wrong:?}");
    // What was refused once is not asked about under its address.
    let deleted = walked("delete the item", "4");
    assert_eq!((deleted.0, deleted.1), (12, 1), "{deleted:?}");
    let arrived = notes.server.arrived();
    assert!(!arrived.iter().any(|one| format!("{one:?}").contains("/api/")), "{arrived:?}");
}

#[test]
fn a_form_that_the_goal_gives_nothing_for_is_not_sent() {
    let Some(notes) = notes() else { return };
    let walked = notes.browse("/", "send a note", "{\"id\": 1, \"answer\": \"yes\"}\n", "run");
    assert_eq!((walked.code, notes.server.sent()), (4, Vec::new()), "{}", walked.stderr);
    let report: Value = serde_json::from_str(&walked.stdout).unwrap();
    let why = "given up: the form needs `Name`, `Text`, and the goal gives nothing for it (`name \
               Ada`, or words in quotes)";
    assert_eq!((&report["success"], &report["error"]), (&json!(false), &json!(why)));
}

#[test]
fn links_whose_words_any_goal_has_lead_to_no_answer_and_to_no_task() {
    let Some(notes) = notes() else { return };
    let walked = notes.browse("/authors", "how do I set up a purse?", "", "run");
    let report: Value = serde_json::from_str(&walked.stdout).unwrap();
    assert_eq!((walked.code, &report["success"]), (4, &json!(false)), "{}", walked.stdout);
    assert_eq!(report["stop"], "given_up");
    let built = notes.knowledge(&["build", "run", "-o", "known.json"]);
    assert!(built.stderr.contains("0 tasks"), "{}", built.stderr);
}

#[test]
fn a_page_that_the_goal_names_is_opened_and_taken() {
    let Some(notes) = notes() else { return };
    let walked = notes.browse("/index", "open the authors", "", "run");
    let report: Value = serde_json::from_str(&walked.stdout).unwrap();
    assert_eq!((walked.code, &report["success"]), (0, &json!(true)), "{}", walked.stdout);
    assert!(report["content"].as_str().unwrap().contains("Ada and Ben"), "{}", walked.stdout);
}
