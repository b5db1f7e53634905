//! What a model proposes about the gaps of a knowledge: it is checked, kept apart, tried first, and
//! a fact only when it was seen.

use std::fs;

use serde_json::{Value, json};
use test_support::{Ran, Repo, Sealed, repo, sealed};

use crate::runs::{flags, says};
use crate::server::Server;

const SITE: &str = r#"
=== index.html
<title>Start</title><h1>Start</h1><p>Two ways.</p>
<a href="alpha.html">Alpha</a> <a href="beta.html">Beta</a>
=== alpha.html
<title>Alpha</title><h1>Alpha</h1><p>The first page.</p>
<a href="beta.html">Onward</a> <a href="index.html">Up</a> <a href="gamma.html">Aside</a>
=== beta.html
<title>Beta</title><h1>Beta</h1><p>The second page.</p><a href="index.html">Up</a>
=== gamma.html
<title>Gamma</title><h1>Gamma</h1><p>The third page.</p><a href="index.html">Up</a>
"#;

struct Proposing {
    navigator: Sealed,
    at: Repo,
    site: String,
    _pages: Repo,
}

impl Proposing {
    /// A folder with a knowledge, `known.json`, of walks that took few of the ways of a site.
    fn new() -> Proposing {
        let (navigator, at, pages) =
            (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""), repo(SITE));
        let site = format!("file://{}", pages.path().display());
        let proposing = Proposing { navigator, at, site, _pages: pages };
        let act = |action: &str, target: &str| {
            says(&json!({ "reasoning": "r", "action": action, "target": target }), 9, 9)
        };
        let steps =
            [act("click", "Alpha"), act("back", ""), act("click", "Beta"), act("give_up", "")];
        proposing.walk(&Server::start(steps.into()), "one", "index.html");
        proposing.walk(&Server::start(vec![act("give_up", "")]), "two", "gamma.html");
        proposing.run(&["knowledge", "build", "one", "two", "-o", "known.json"]);
        proposing
    }

    fn walk(&self, model: &Server, out: &str, start: &str) {
        let walk = ["browse", &self.site, "--goal", "look", "--out", out, "--start", start];
        let flags = flags(model);
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let ran = self.run(&[&walk[..], &flags].concat());
        assert!(ran.stderr.contains("given up"), "{}", ran.stderr);
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.navigator.run(self.at.path(), args)
    }

    fn json(&self, file: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.at.path().join(file)).unwrap()).unwrap()
    }

    fn propose(&self, model: &Server, more: &[&str]) -> Ran {
        let flags = flags(model);
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        self.run(&[&["knowledge", "propose", "known.json"], more, &flags].concat())
    }
}

/// The identifiers of the screen with a heading, and of what a link of it does.
fn ids<'k>(known: &'k Value, heading: &str, link: &str) -> (&'k str, &'k str) {
    let screens = known["screens"].as_array().unwrap();
    let has = |screen: &&Value| screen["business_words"].to_string().contains(heading);
    let screen = screens.iter().find(has).unwrap();
    let actions = screen["actions"].as_array().unwrap();
    let action = actions.iter().find(|action| action["name"] == link);
    let id = action.map_or("", |action| action["action_id"].as_str().unwrap());
    (screen["screen_id"].as_str().unwrap(), id)
}

fn proposal(from: (&str, &str), to: &str, confidence: f64) -> Value {
    json!({
        "from_screen_id": from.0, "action_id": from.1, "to_screen_id": to,
        "confidence": confidence, "reasoning": "its \u{1b}[31mname says so\n", "values": [],
    })
}

fn transitions(known: &Value) -> Vec<(&str, &str, &str)> {
    let all = known["transitions"].as_array().unwrap().iter();
    all.map(|one| {
        let part = |name: &str| one[name].as_str().unwrap_or_default();
        (part("from_screen_id"), part("action_id"), part("to_screen_id"))
    })
    .collect()
}

#[test]
fn a_proposal_is_tried_first_and_becomes_a_fact_only_when_it_was_seen() {
    let proposing = Proposing::new();
    let known = proposing.json("known.json");
    let (aside, onward) = (ids(&known, "Alpha", "Aside"), ids(&known, "Alpha", "Onward"));
    let (up, gamma) = (ids(&known, "Beta", "Up"), ids(&known, "Gamma", "").0);
    let answer = json!({ "proposals": [
        // The truth, a lie, and what does not count.
        proposal(aside, gamma, 0.9),
        proposal(onward, gamma, 0.95),
        proposal(up, gamma, 0.6),
        proposal((up.0, "click_nothing_000000"), gamma, 0.9),
        proposal(up, "the_moon", 0.9),
        proposal(up, up.0, 0.9),
        proposal(up, gamma, 7.0),
    ] });
    let model = Server::start(vec![says(&answer, 900, 300)]);
    let ran = proposing.propose(&model, &["-o", "proposed.json", "--out", "run"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let asked = model.received()[0].body.clone();
    assert!(asked.contains(aside.1) && asked.contains("Gamma"), "{asked}");
    assert!(ran.stderr.contains("2 proposals kept, 5 refused"), "{}", ran.stderr);
    assert!(ran.stderr.contains("leads to `the_moon`, which is no other known"), "{}", ran.stderr);
    // Reserved before the call, settled after it.
    let ledger = fs::read_to_string(proposing.at.path().join("run/ledger.jsonl")).unwrap();
    let at = |word: &str| ledger.find(word).unwrap_or_else(|| panic!("no {word} in {ledger}"));
    assert!(at("\"reserved\"") < at("\"settled\""));

    let proposed = proposing.json("proposed.json");
    let inferred = proposed["inferred"].as_array().unwrap();
    assert_eq!(inferred.len(), 2, "{inferred:?}");
    assert_eq!(inferred[0]["reasoning"], "its \\u{1b}[31mname says so", "{inferred:?}");
    assert_eq!(transitions(&proposed), transitions(&known));
    // No way goes over a proposal.
    let ask = ["knowledge", "ask", "proposed.json", "navigate-to-screen", gamma, "--screen"];
    let way = proposing.run(&[&ask[..], &[aside.0, "--format", "json"]].concat());
    assert!(way.stdout.contains("\"open\"") && !way.stdout.contains("click"), "{}", way.stdout);

    let fill = ["browse", &proposing.site, "--knowledge", "proposed.json", "--fill-gaps"];
    let filled = proposing.run(&[&fill[..], &["--out", "gaps", "-v"]].concat());
    let said = |what: &str| filled.stderr.find(what).unwrap_or_else(|| panic!("{}", filled.stderr));
    assert!(said("Onward") < said("Aside") && said("Aside") < said("Up"), "{}", filled.stderr);
    let build = ["knowledge", "build", "proposed.json", "gaps", "-o", "after.json"];
    let built = proposing.run(&build);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let after = proposing.json("after.json");
    let beta = ids(&after, "Beta", "").0;
    let ways = transitions(&after);
    assert!(ways.contains(&(aside.0, aside.1, gamma)), "{ways:?}");
    assert!(ways.contains(&(onward.0, onward.1, beta)), "{ways:?}");
    assert!(!ways.contains(&(onward.0, onward.1, gamma)), "{ways:?}");
    assert_eq!(after["inferred"], json!([]), "what was tried is no proposal any more");
}

#[test]
fn a_dry_run_of_proposals_sends_nothing_and_one_without_money_does_not_either() {
    let proposing = Proposing::new();
    let model = Server::start(Vec::new());
    let dry = proposing.propose(&model, &["--dry-run"]);
    assert_eq!(dry.code, 0, "{}", dry.stderr);
    assert!(dry.stdout.contains("The actions that nobody has taken"), "{}", dry.stdout);
    assert!(dry.stderr.contains("nothing was sent to openai/own"), "{}", dry.stderr);
    let poor = proposing.propose(&model, &["-o", "none.json", "--budget", "0.000001"]);
    assert_eq!(poor.code, 5, "{}", poor.stderr);
    assert!(model.received().is_empty());
    let unasked = proposing.run(&["knowledge", "propose", "known.json", "-o", "none.json"]);
    assert_eq!(unasked.code, 2, "{}", unasked.stderr);
    assert!(unasked.stderr.contains("there is no model to ask"), "{}", unasked.stderr);
    assert!(!proposing.at.path().join("none.json").exists());
}
