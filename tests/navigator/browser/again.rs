//! Walks in a browser that are taken again: to compare, or to go on. What was sent is not sent
//! again without a yes.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;
#[cfg(unix)]
use std::process::Command;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

#[cfg(unix)]
use navigator::browser::process::find_browser;
use serde_json::{Value, json};
use site_map::source::recording::{Recording, RecordingWriter};
use test_support::{Ran, Repo, Sealed, repo, sealed};

use super::wire_server::{WireServer, html, within};
use super::{LONG, guard, launched};
use crate::runs::{flags, says};
use crate::server::{Answer, Server};

/// A shop whose second page changes when it is told to.
struct Shop {
    server: WireServer,
    has_changed: Arc<AtomicBool>,
    navigator: Sealed,
    at: Repo,
}

/// Opens the shop; `None` if this machine has no browser.
fn shop() -> Option<Shop> {
    drop(launched(guard(&[]))?);
    let has_changed = Arc::<AtomicBool>::default();
    let changes = Arc::clone(&has_changed);
    let server = WireServer::start(|_| {
        Box::new(move |path| {
            let cart = match changes.load(Ordering::SeqCst) {
                true => "<p>3 books</p><a href=/>Home</a>",
                false => "<p>2 books</p>",
            };
            Some(match path {
                "/" => html(
                    "<h1>Shop</h1><label>Name <input id=n></label><p id=out></p>
                    <button onclick=\"out.textContent = 'Hello ' + n.value\">Greet</button>
                    <a href=/cart>Cart</a>
                    <button onclick=\"out.textContent = 'empty'\">Delete</button>",
                ),
                "/cart" => html(&format!(
                    "<h1>Cart</h1>{cart}<form method=post action=/sent><input type=hidden \
                     name=item value=book><button>Send</button></form><form method=post \
                     action=/slow><button>Wait</button></form>"
                )),
                "/sent" => html("<h1>Sent</h1><p>Your number is 7"),
                "/slow" => {
                    thread::sleep(LONG);
                    html("late")
                }
                _ => return None,
            })
        })
    });
    Some(Shop {
        server,
        has_changed,
        navigator: sealed(env!("CARGO_BIN_EXE_navigator")),
        at: repo(""),
    })
}

impl Shop {
    fn run(&self, args: &[&str]) -> Ran {
        self.navigator.run(self.at.path(), args)
    }

    /// Walks with a model, into a folder.
    fn browse(&self, model: &Server, folder: &str, more: &[&str]) -> Ran {
        let (site, model) = (self.server.url("/"), flags(model));
        let mut args = vec!["browse", &site, "-q", "--browser", "--goal", "g", "--out", folder];
        args.extend(model.iter().map(String::as_str));
        self.run(&[&args, more].concat())
    }

    fn resume(&self, model: &Server, folder: &str, more: &[&str]) -> Ran {
        let model = flags(model);
        let mut args = vec!["browse", "-q", "--resume", folder];
        args.extend(model.iter().map(String::as_str));
        self.run(&[&args, more].concat())
    }

    /// A walk that is under way.
    fn walking(&self, model: &Server, folder: &str, more: &[&str]) -> Child {
        let mut command = self.navigator.command(self.at.path());
        command
            .args(["browse", &self.server.url("/"), "--browser", "--goal", "g", "--out", folder])
            .args(flags(model))
            .args(more);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn change(&self) {
        self.has_changed.store(true, Ordering::SeqCst);
    }

    fn rule(&self, path: &str) -> String {
        format!("POST:{}", self.server.url(path))
    }

    fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.at.path().join(name)).unwrap()
    }

    /// How the pages of a walk differ that does not go on, without the port.
    fn difference(&self, ran: &Ran) -> String {
        // A browser of root says so first.
        let is_of_root = |line: &&str| line.contains("without its own sandbox");
        let said: Vec<&str> = ran.stderr.lines().filter(|line| !is_of_root(line)).collect();
        let (first, rest) = (said[0], said[1..].join("\n"));
        assert!(rest.contains("the walk cannot go on from there, and stays as it was"), "{rest}");
        self.shown(first.trim_start_matches("navigator: "))
    }

    /// A text without the port.
    fn shown(&self, text: &str) -> String {
        text.replace(&self.server.port.to_string(), "PORT")
    }
}

fn step(action: &str, target: &str, value: &str) -> Answer {
    let answer = json!({ "reasoning": "r", "action": action, "target": target, "value": value });
    says(&answer, 100, 10)
}

fn greeted() -> Vec<Answer> {
    vec![step("fill", "Name", "Ada"), step("click", "Greet", ""), step("click", "Cart", "")]
}

/// Takes the page and ends.
fn done(answer: &str) -> Answer {
    says(
        &json!({ "reasoning": "r", "action": "extract", "sections": [], "answer": answer }),
        100,
        10,
    )
}

#[test]
fn a_walk_that_is_taken_again_is_the_same_or_says_at_which_step_it_is_not() {
    let Some(shop) = shop() else { return };
    let script = greeted().into_iter().chain([step("click", "Send", ""), done("2 books")]);
    let walked = shop.browse(&Server::start(script.collect()), "run", &[]);
    assert_eq!(walked.code, 0, "{}", walked.stderr);
    let kept = [shop.file("run/recording.warc.gz"), shop.file("run/state.json")];
    let ledger = shop.file("run/ledger.jsonl");
    let again = shop.run(&["replay", "run", "--rerun"]);
    assert_eq!((again.code, again.stdout.as_str()), (0, ""), "{}", again.stderr);
    let same = "navigator: the first page and 5 steps lead where they led\n";
    assert!(again.stderr.ends_with(same), "{}", again.stderr);
    assert_eq!(shop.server.sent(), [], "what was stopped is stopped again");
    // A rule that the walk did not have lets nothing go that was stopped then.
    let allowed = shop.run(&["replay", "run", "--rerun", "--allow", &shop.rule("/sent")]);
    assert_eq!((allowed.code, allowed.stdout.as_str()), (0, ""), "{}", allowed.stderr);
    assert_eq!(shop.server.sent(), []);
    let hint = "navigator: step 4 (`click 1 'Send'`) was refused in the walk, so it is stopped \
        here too (`navigator browse --resume run` with this `--allow` takes it now)\n";
    assert!(allowed.stderr.ends_with(hint), "{}", allowed.stderr);
    shop.change();
    let drifted = shop.run(&["replay", "run", "--rerun"]);
    assert_eq!(drifted.code, 8, "{}", drifted.stderr);
    insta::assert_snapshot!(shop.shown(&drifted.stdout), @"step 3 (`click 3 'Cart'`) differs: new control: 'Home'; only numbers changed: '3 books'; text gone: '2 books'");
    // The run is as it was, but for its security log, which tells the steps taken again.
    assert_eq!([shop.file("run/recording.warc.gz"), shop.file("run/state.json")], kept);
    assert_eq!(shop.file("run/ledger.jsonl"), ledger);
    let log = String::from_utf8(shop.file("run/security.jsonl")).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let reruns: Vec<bool> = lines.filter_map(|line| line["is_rerun"].as_bool()).collect();
    assert_eq!(reruns, [false, true, true, true]);
    let replayed = shop.run(&["replay", "run"]);
    assert_eq!((replayed.code, replayed.stdout), (0, walked.stdout), "{}", replayed.stderr);
}

#[test]
fn what_was_sent_is_not_sent_again_without_a_yes() {
    let Some(shop) = shop() else { return };
    let rule = shop.rule("/sent");
    let end = || done("number is 7");
    let script = vec![step("click", "Cart", ""), step("click", "Send", ""), end(), end()];
    let model = Server::start(script);
    let begun = shop.browse(&model, "run", &["--max-steps", "2", "--allow", &rule]);
    assert_eq!(begun.code, 6, "{}", begun.stderr);
    assert_eq!(shop.server.sent().len(), 1);
    let n_arrived = shop.server.arrived().len();
    let refused = shop.resume(&model, "run", &["--max-steps", "9", "--allow", &rule]);
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{}", refused.stderr);
    insta::assert_snapshot!(shop.shown(&refused.stderr), @"navigator: --resume: step 2 (`click 1 'Send'`) sent POST /sent (fields: item; 9 bytes) to http://127.0.0.1:PORT: this is not sent again without a yes (`--send-again` or `--interactive`, with what `--allow` allowed; `navigator replay run` prints what the walk has)");
    assert_eq!(shop.server.arrived().len(), n_arrived, "nothing is asked of the server at all");
    // A yes to take the step again is none to what it sends.
    let stopped = shop.resume(&model, "run", &["--max-steps", "9", "--send-again"]);
    assert_eq!((stopped.code, stopped.stdout.as_str()), (12, ""), "{}", stopped.stderr);
    let rerun = shop.run(&["replay", "run", "--rerun"]);
    assert_eq!((rerun.code, rerun.stdout.as_str()), (12, ""), "{}", rerun.stderr);
    insta::assert_snapshot!(shop.shown(rerun.stderr.lines().last().unwrap()), @"navigator: step 2 (`click 1 'Send'`) was not taken: stopped because the goal needs what was refused (`click 1 'Send'` sends POST /sent (fields: item; 9 bytes) to `127.0.0.1:PORT`); the steps before it lead where they led");
    assert_eq!(shop.server.sent().len(), 1);
    let allowed = shop.run(&["replay", "run", "--rerun", "--allow", &rule]);
    assert_eq!(allowed.code, 0, "{}", allowed.stderr);
    let told =
        "9 bytes) to http://127.0.0.1:PORT; what `--allow` permits of it may be sent again\n";
    assert!(shop.shown(&allowed.stderr).contains(told), "{}", allowed.stderr);
    assert_eq!(shop.server.sent().len(), 2);
    let more = ["--max-steps", "9", "--send-again", "--allow", &rule];
    let resumed = shop.resume(&model, "run", &more);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert_eq!(shop.server.sent().len(), 3);
    let replayed = shop.run(&["replay", "run"]);
    assert_eq!((replayed.code, replayed.stdout), (0, resumed.stdout), "{}", replayed.stderr);
}

#[test]
fn a_model_whose_last_step_was_refused_has_not_finished() {
    let Some(shop) = shop() else { return };
    for (labels, effect) in
        [(&["Delete"][..], "destroys `Delete`"), (&["Cart", "Send"], "sends POST /sent")]
    {
        let clicks = labels.iter().map(|label| step("click", label, ""));
        let finish = json!({ "reasoning": "r", "action": "finish", "answer": "done" });
        let script = clicks.chain([says(&finish, 100, 10)]).collect();
        let walked = shop.browse(&Server::start(script), labels[0], &["--max-steps", "5"]);
        let why = "stopped because the goal needs what was refused";
        assert!(walked.stderr.contains(why), "{}", walked.stderr);
        assert!(walked.stderr.contains(effect), "{}", walked.stderr);
        assert_eq!(walked.code, 12, "{}", walked.stderr);
    }
    assert_eq!(shop.server.sent().len(), 0);
}

#[test]
fn what_a_person_allowed_once_needs_it_again() {
    let Some(shop) = shop() else { return };
    let script = vec![step("click", "Delete", ""), done("empty"), done("empty")];
    let (model, allow) = (Server::start(script), ["--allow", "destroys:Delete"]);
    let begun = shop.browse(&model, "run", &[&allow[..], &["--max-steps", "1"]].concat());
    assert_eq!(begun.code, 6, "{}", begun.stderr);
    let refused = shop.run(&["replay", "run", "--rerun"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (12, ""));
    insta::assert_snapshot!(refused.stderr.lines().last().unwrap(), @"navigator: step 1 (`click 4 'Delete'`) was not taken: stopped because the goal needs what was refused (`click 4 'Delete'` destroys `Delete`); the steps before it lead where they led");
    let allowed = shop.run(&[&["replay", "run", "--rerun"], &allow[..]].concat());
    assert_eq!(allowed.code, 0, "{}", allowed.stderr);
    let refused = shop.resume(&model, "run", &["--max-steps", "9"]);
    assert_eq!(refused.code, 12, "{}", refused.stderr);
    let resumed = shop.resume(&model, "run", &[&allow[..], &["--max-steps", "9"]].concat());
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
}

#[test]
fn the_requests_of_all_resumptions_stay_within_the_limit() {
    let Some(shop) = shop() else { return };
    let model = Server::start(greeted().into_iter().chain([done("2 books")]).collect());
    let begun = shop.browse(&model, "run", &["--max-steps", "3", "--max-requests", "3"]);
    assert_eq!(begun.code, 6, "{}", begun.stderr);
    assert_eq!(shop.server.arrived().len(), 2);
    let resumed = shop.resume(&model, "run", &["--max-steps", "9"]);
    assert_ne!(resumed.code, 0, "{}", resumed.stderr);
    assert_eq!(shop.server.arrived().len(), 3);
    let resumed = shop.resume(&model, "run", &["--max-steps", "9", "--max-requests", "9"]);
    assert_eq!(resumed.code, 10, "the script has ended: {}", resumed.stderr);
    assert_eq!(shop.server.arrived().len(), 5);
}

#[test]
fn a_walk_that_was_killed_ends_as_one_that_was_not() {
    let Some(shop) = shop() else { return };
    let whole: Vec<Answer> = greeted().into_iter().chain([done("2 books")]).collect();
    let walked = shop.browse(&Server::start(whole), "whole", &["--format", "json"]);
    assert_eq!(walked.code, 0, "{}", walked.stderr);
    let silent = Server::start(greeted().into_iter().chain([Answer::Silence]).collect());
    let mut killed = shop.walking(&silent, "run", &[]);
    assert!(within(LONG, || silent.received().len() == 4), "{:?}", silent.received().len());
    killed.kill().unwrap();
    killed.wait().unwrap();
    // As if it was killed between the screen of a step and the state.
    let recording = shop.at.path().join("run/recording.warc.gz");
    let orphan = {
        let recording = Recording::open(&recording).unwrap();
        let last = recording.responses().last().unwrap().unwrap();
        let address = format!("{}?navigator-screen=5", shop.server.url("/elsewhere"));
        site_map::Response { address: address.parse().unwrap(), ..last }
    };
    RecordingWriter::resume(&recording).unwrap().append(&orphan).unwrap();
    let model = Server::start(vec![done("2 books")]);
    let resumed = shop.resume(&model, "run", &["--format", "json"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    let report = |text: &str| {
        let mut report: Value = serde_json::from_str(text).unwrap();
        // The pages were asked for twice, and the call that was killed counts.
        for field in ["resources", "cost_usd", "cost_pico_usd"] {
            report.as_object_mut().unwrap().remove(field);
        }
        report
    };
    assert_eq!(report(&resumed.stdout), report(&walked.stdout));
    let shown = [shop.run(&["replay", "run"]), shop.run(&["replay", "whole"])];
    assert_eq!(shown[0].code, 0, "{}", shown[0].stderr);
    assert_eq!(shown[0].stdout, shown[1].stdout);
    let finished = shop.resume(&model, "run", &[]);
    assert_eq!(finished.code, 2, "{}", finished.stderr);
}

#[test]
fn a_step_that_was_cut_short_while_it_sent_counts_as_sent() {
    let Some(shop) = shop() else { return };
    let model = Server::start(vec![step("click", "Cart", ""), step("click", "Wait", "")]);
    let mut killed = shop.walking(&model, "run", &["--allow", &shop.rule("/slow")]);
    shop.server.wait_for("POST /slow");
    killed.kill().unwrap();
    killed.wait().unwrap();
    let refused = shop.resume(&model, "run", &["--allow", &shop.rule("/slow")]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    insta::assert_snapshot!(shop.shown(&refused.stderr), @"navigator: --resume: step 2 (`click 2 'Wait'`), which was cut short, sent POST /slow to http://127.0.0.1:PORT: this is not sent again without a yes (`--send-again` or `--interactive`, with what `--allow` allowed; `navigator replay run` prints what the walk has)");
    thread::sleep(Duration::from_millis(50));
    assert_eq!(shop.server.sent().len(), 1);
}

/// A program that writes down its id, and is the browser then.
#[cfg(unix)]
fn known_browser(shop: &Shop) -> String {
    let (program, chromium) = (shop.at.path().join("browser.sh"), find_browser(None).unwrap());
    let script =
        format!("echo $$ > '{}.id'; exec '{}' \"$@\"", program.display(), chromium.display());
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program.to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn a_browser_that_dies_ends_a_walk_with_what_it_has_and_a_new_one_goes_on() {
    let Some(shop) = shop() else { return };
    let take = json!({ "reasoning": "r", "action": "extract", "sections": [] });
    let finish = json!({ "reasoning": "r", "action": "finish", "answer": "2 books" });
    for signal in ["-KILL", "-TERM"] {
        let (run, browser) = (signal.trim_start_matches('-'), known_browser(&shop));
        let script =
            vec![step("click", "Cart", ""), says(&take, 100, 10), step("click", "Wait", "")];
        let n_sent = shop.server.sent().len();
        let rule = shop.rule("/slow");
        let more = ["-q", "--format", "json", "--chromium", &browser, "--allow", &rule];
        let model = Server::start(script);
        let walking = shop.walking(&model, run, &more);
        assert!(within(LONG, || shop.server.sent().len() > n_sent));
        let id = shop.file("browser.sh.id");
        let id = str::from_utf8(&id).unwrap().trim();
        assert!(Command::new("kill").args([signal, id]).status().unwrap().success());
        let ended = test_support::ran(walking.wait_with_output().unwrap());
        assert_eq!(ended.code, 13, "{}", ended.stderr);
        let line = "navigator: the browser has ended: its pipe closed; this is what was extracted \
            so far (`--resume` goes on with a new browser)\n";
        assert!(ended.stderr.ends_with(line), "{}", ended.stderr);
        let report: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(report["stop"], "browser_ended");
        assert!(report["content"].as_str().unwrap().contains("2 books"), "{report}");
        let actions = |report: &Value| -> Vec<String> {
            let steps = report["path_taken"].as_array().unwrap();
            steps.iter().map(|one| one["action"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(actions(&report), ["click 3 'Cart'", "extract"]);
        let kept = |name: &str| -> Value {
            serde_json::from_slice(&shop.file(&format!("{run}/{name}"))).unwrap()
        };
        assert_eq!(kept("report.json"), report);
        assert_eq!(kept("state.json")["ended"]["stop"], "browser_ended");
        // What the step has used is not known: all that was reserved for it is.
        let ledger = String::from_utf8(shop.file(&format!("{run}/ledger.jsonl"))).unwrap();
        let last: Value = serde_json::from_str(ledger.lines().last().unwrap()).unwrap();
        assert_eq!(last["change"], "click 2 'Wait'", "{last}");

        let model = Server::start(vec![says(&finish, 100, 10)]);
        let refused = shop.resume(&model, run, &["--allow", &rule]);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        let told = "step 3 (`click 2 'Wait'`), which was cut short, sent POST /slow";
        assert!(refused.stderr.contains(told), "{}", refused.stderr);
        let resumed = shop.resume(&model, run, &["--send-again", "--format", "json"]);
        assert_eq!(resumed.code, 0, "{}", resumed.stderr);
        let report: Value = serde_json::from_str(&resumed.stdout).unwrap();
        assert_eq!(actions(&report), ["click 3 'Cart'", "extract"]);
        assert_eq!(shop.server.sent().len(), n_sent + 1);
    }
}

#[test]
fn a_walk_whose_pages_have_changed_does_not_go_on_and_keeps_what_it_has() {
    let Some(shop) = shop() else { return };
    let script = greeted().into_iter().chain([done("2 books"), done("2 books")]).collect();
    let model = Server::start(script);
    let begun = shop.browse(&model, "run", &["--max-steps", "3"]);
    assert_eq!(begun.code, 6, "{}", begun.stderr);
    let state = shop.file("run/state.json");
    shop.change();
    let drifted = shop.resume(&model, "run", &["--max-steps", "9"]);
    assert_eq!((drifted.code, drifted.stdout.as_str()), (8, ""), "{}", drifted.stderr);
    insta::assert_snapshot!(shop.difference(&drifted), @"step 3 (`click 3 'Cart'`) differs: new control: 'Home'; only numbers changed: '3 books'; text gone: '2 books'");
    assert_eq!(shop.file("run/state.json"), state);
    shop.has_changed.store(false, Ordering::SeqCst);
    let resumed = shop.resume(&model, "run", &["--max-steps", "9"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(resumed.stdout.contains("2 books"), "{}", resumed.stdout);
}

/// Walks without a model to a step that is refused.
fn refused(shop: &Shop, folder: &str) {
    let site = shop.server.url("/");
    let goal = ["--goal", "open cart and send", "--out", folder];
    let begun = shop.run(&[&["browse", &site, "-q", "--browser"], &goal[..]].concat());
    assert_eq!(begun.code, 12, "{}", begun.stderr);
    assert_eq!(shop.server.sent(), []);
}

#[test]
fn a_step_that_was_refused_is_taken_once_when_the_walk_goes_on_with_a_permit() {
    let Some(shop) = shop() else { return };
    refused(&shop, "run");
    let still = shop.run(&["browse", "-q", "--resume", "run"]);
    assert_eq!(still.code, 12, "{}", still.stderr);
    let other = shop.run(&["browse", "-q", "--resume", "run", "--allow", &shop.rule("/other")]);
    assert_eq!(other.code, 12, "{}", other.stderr);
    assert_eq!(shop.server.sent(), []);
    let resumed = shop.run(&["browse", "--resume", "run", "--allow", &shop.rule("/sent")]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    let told = "step 2 (`click 1 'Send'`) was refused, and is taken now";
    assert!(resumed.stderr.contains(told), "{}", resumed.stderr);
    assert_eq!(shop.server.sent().len(), 1);
    let state = String::from_utf8(shop.file("run/state.json")).unwrap();
    let state: Value = serde_json::from_str(&state).unwrap();
    assert_eq!(state["path"][1]["label"], "Send");
    let host = format!("127.0.0.1:{}", shop.server.port);
    let result = format!("sent to {host}: POST /sent (fields: item; 9 bytes); page 'Sent'");
    assert_eq!(state["path"][1]["result"], result);
    let replayed = shop.run(&["replay", "run"]);
    assert_eq!((replayed.code, replayed.stdout), (0, resumed.stdout), "{}", replayed.stderr);
    let rerun = shop.run(&["replay", "run", "--rerun"]);
    assert_eq!((rerun.code, shop.server.sent().len()), (12, 1), "{}", rerun.stderr);
}

#[test]
fn a_step_that_was_refused_can_be_asked_about_again() {
    let Some(shop) = shop() else { return };
    refused(&shop, "run");
    fs::write(shop.at.path().join("answers"), "{\"id\": 1, \"answer\": \"yes\"}\n").unwrap();
    let answers = fs::File::open(shop.at.path().join("answers")).unwrap();
    let mut command = shop.navigator.command(shop.at.path());
    command.args(["browse", "--resume", "run", "--ask-on-stdin"]).stdin(answers);
    let resumed = test_support::ran(command.output().unwrap());
    assert_eq!((resumed.code, shop.server.sent().len()), (0, 1), "{}", resumed.stderr);
}

#[test]
fn what_followed_a_refused_step_is_walked_anew_and_stays_if_the_pages_have_changed() {
    let Some(shop) = shop() else { return };
    let tail = [step("click", "Cart", ""), step("click", "Send", ""), step("back", "", "")];
    let end = [done("number is 7"), done("number is 7")];
    let model = Server::start(tail.into_iter().chain(end).collect());
    let begun = shop.browse(&model, "run", &["--max-steps", "3"]);
    assert_eq!(begun.code, 6, "{}", begun.stderr);
    let kept = [shop.file("run/recording.warc.gz"), shop.file("run/state.json")];
    let more = ["--max-steps", "9", "--allow", &shop.rule("/sent")];
    shop.change();
    let drifted = shop.resume(&model, "run", &more);
    assert_eq!((drifted.code, drifted.stdout.as_str()), (8, ""), "{}", drifted.stderr);
    assert_eq!(shop.server.sent(), []);
    assert_eq!([shop.file("run/recording.warc.gz"), shop.file("run/state.json")], kept);
    shop.has_changed.store(false, Ordering::SeqCst);
    let resumed = shop.resume(&model, "run", &[&more[..], &["--format", "json"]].concat());
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert_eq!(shop.server.sent().len(), 1);
    let report: Value = serde_json::from_str(&resumed.stdout).unwrap();
    let steps = report["path_taken"].as_array().unwrap();
    let actions: Vec<&str> = steps.iter().filter_map(|one| one["action"].as_str()).collect();
    assert_eq!(actions, ["click 3 'Cart'", "click 1 'Send'", "extract"]);
    let replayed = shop.run(&["replay", "run", "--check"]);
    assert_eq!(replayed.stdout, "identical\n", "{}", replayed.stderr);
}
