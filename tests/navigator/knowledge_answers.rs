//! What a knowledge answers, as the library gives it.

use navigator::knowledge::ask::query::KnowledgeBase;
use navigator::knowledge::ask::question::AgentResponse;
use navigator::knowledge::import::import;
use navigator::knowledge::merge::merge;
use navigator::knowledge::model::Knowledge;
use serde_json::{Value, json};

/// A screen with pages that open it.
fn screen(id: &str, templates: &[&str], addresses: &[&str], actions: &[&str]) -> Value {
    let address = |one: &&str| json!({ "address": one, "title": id, "opens": true });
    let action = |one: &&str| json!({ "action_id": one, "action_type": "click", "name": one });
    let feature = |kind: &str| json!({ "kind": kind, "words": id, "share": 1.0 });
    let features = ["button", "field", "heading", "select", "tab"].map(feature);
    json!({
        "features": features,
        "screen_id": id, "name": id, "content_type": "web_ui", "is_actionable": true,
        "templates": templates, "addresses": addresses.iter().map(address).collect::<Vec<_>>(),
        "actions": actions.iter().map(action).collect::<Vec<_>>(), "times_seen": 3,
    })
}

fn knowledge(screens: &[Value], transitions: &[Value]) -> Knowledge {
    let known = json!({ "version": 1, "screens": screens, "transitions": transitions });
    serde_json::from_value(known).unwrap()
}

fn ask(knowledge: &Knowledge, question: Value) -> AgentResponse {
    KnowledgeBase::new(knowledge).ask(&serde_json::from_value(question).unwrap())
}

/// The actions of a way in a line each, or why there is none.
fn way(knowledge: &Knowledge, from: Option<&str>, to: &str) -> String {
    let question = json!({
        "instruction_type": "navigate_to_screen", "target": to,
        "context": { "current_screen_id": from },
    });
    let answer = ask(knowledge, question);
    let actions = answer.actions.iter();
    let lines = actions.map(|one| format!("{:.2} {}\n", one.confidence, one.description));
    lines.collect::<String>() + answer.error.as_deref().unwrap_or_default()
}

#[test]
fn an_address_that_was_not_seen_is_opened_itself_and_no_other_one() {
    let product =
        screen("product", &["http://a.example/product/{}"], &["http://a.example/product/17"], &[]);
    let mut known = knowledge(&[product], &[]);
    let mut said = way(&known, None, "http://a.example/product/17");
    said += &way(&known, None, "http://a.example/product/99");
    known.screens[0].addresses[0].opens = false;
    said += &way(&known, None, "http://a.example/product/99");
    insta::assert_snapshot!(said, @r"
    0.93 Open http://a.example/product/17, which shows product
    0.50 Open http://a.example/product/99, which was not seen; pages like it show product
    the knowledge does not have `http://a.example/product/99`, and no address was seen to open `product`
    ");
}

fn leads(from: &str, action: &str, to: &str) -> Value {
    json!({
        "from_screen_id": from, "action_id": action, "to_screen_id": to,
        "address": format!("http://a.example/{to}"), "times_seen": 1, "last_seen": [0, 1],
    })
}

#[test]
fn a_way_takes_no_action_that_its_screen_has_lost() {
    let screens = [
        screen("home", &["http://a.example/"], &["http://a.example/"], &["menu"]),
        screen("menu", &[], &[], &["settings"]),
        screen("settings", &[], &[], &[]),
    ];
    let lost = knowledge(&screens, &[leads("home", "gone", "settings")]);
    assert!(way(&lost, None, "settings").starts_with("no way from an address that opens"));
    let ways = [
        leads("home", "gone", "settings"),
        leads("home", "menu", "menu"),
        leads("menu", "settings", "settings"),
        leads("menu", "send_keys", "home"),
    ];
    let known = knowledge(&screens, &ways);
    insta::assert_snapshot!(way(&known, None, "settings"), @r"
    0.93 Open http://a.example/, which shows home
    0.80 click
    0.80 click
    ");
    insta::assert_snapshot!(way(&known, Some("menu"), "home"), @"0.80 send_keys");
}

#[test]
fn a_link_of_one_page_stays_one_of_it_when_another_knowledge_has_more_pages() {
    let list = |page: &str| {
        let address = format!("http://a.example/list?page={page}");
        screen("list", &["http://a.example/list?page={}"], &[&address], &["open"])
    };
    let item = screen("item", &["http://a.example/item/{}"], &[], &[]);
    let mut way = leads("list", "open", "item");
    (way["label"], way["from_address"]) = (json!("Lamp"), json!("http://a.example/list?page=2"));
    let second = knowledge(&[list("2"), item], &[way]);
    let alone = self::way(&second, None, "item");
    let both = merge([knowledge(&[list("1")], &[]), second]).unwrap();
    assert_eq!(self::way(&both, None, "item").replace("0.97", "0.93"), alone);
    insta::assert_snapshot!(self::way(&both, Some("list"), "item"), @r"
    0.97 Open http://a.example/list?page=2, which shows list
    0.80 click
    ");
}

#[test]
fn proposals_of_several_knowledges_are_in_one_order_and_one_an_action() {
    let part = |inferred: &[(&str, &str, f64)], ways: &[Value]| {
        let screens = [
            screen("a", &["http://a.example/a"], &["http://a.example/a"], &["x", "y"]),
            screen("b", &["http://a.example/b"], &["http://a.example/b"], &["x"]),
        ];
        let mut known = knowledge(&screens, ways);
        let proposal = |(action, reasoning, confidence): &(&str, &str, f64)| {
            json!({
                "from_screen_id": "a", "to_screen_id": "b", "action_id": action,
                "reasoning": reasoning, "confidence": confidence,
            })
        };
        known.inferred =
            inferred.iter().map(|one| serde_json::from_value(proposal(one)).unwrap()).collect();
        known
    };
    let parts = [
        part(&[("y", "maybe", 0.7), ("x", "named so", 0.8)], &[]),
        part(&[("x", "it says so", 0.9), ("gone", "lost", 0.9)], &[]),
        part(&[("y", "surely", 0.9)], &[]),
    ];
    let inferred = |parts: Vec<Knowledge>| {
        let merged = merge(parts).unwrap().inferred.into_iter();
        let said =
            merged.map(|one| format!("{} {:.1} {}", one.action_id, one.confidence, one.reasoning));
        said.collect::<Vec<_>>()
    };
    let expected = ["x 0.9 it says so", "y 0.9 surely"];
    assert_eq!(inferred(parts.to_vec()), expected);
    assert_eq!(inferred(parts.iter().rev().cloned().collect()), expected);
    let tried = part(&[], &[leads("a", "y", "b")]);
    assert_eq!(inferred(parts.into_iter().chain([tried]).collect()), expected[..1]);
}

#[test]
fn a_merged_screen_is_shown_by_what_all_parts_saw_and_keeps_what_opens_it() {
    let part = |words: &str, first: usize, opens: bool| {
        let addresses: Vec<String> =
            (first..first + 20).map(|n| format!("http://a.example/list/{n}")).collect();
        let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
        let mut list = screen("list", &["http://a.example/list/{}"], &addresses, &[]);
        list["features"].as_array_mut().unwrap().push(json!({
            "kind": "button", "words": words, "share": 1.0,
        }));
        let mut known = knowledge(&[list], &[]);
        known.screens[0].addresses.iter_mut().for_each(|one| one.opens = opens);
        known
    };
    let merged = merge([part("old", 0, false), part("new", 20, true)]).unwrap();
    let [screen] = merged.screens.as_slice() else { panic!("{:?}", merged.screens) };
    assert!(screen.addresses.len() == 20 && screen.addresses.iter().all(|one| one.opens));
    let shown = screen.state_signature.required_indicators.iter();
    let shown: Vec<&str> = shown.filter_map(|one| one.value.as_deref()).collect();
    assert_eq!(shown, ["list"]);
}

/// What another agent wrote of one screen.
fn described(digest: &str, id: &str, headings: &[&str]) -> Knowledge {
    let indicator = |one: &&str| json!({ "type": "dom_contains", "value": one, "selector": "h1" });
    let text = json!({
        "screen_id": id, "name": "Dashboard",
        "url_patterns": ["^https://app\\.example\\.com/dashboard$"],
        "state_signature": {
            "required_indicators": headings.iter().map(indicator).collect::<Vec<_>>(),
        },
    });
    import(id, digest.to_owned(), &text.to_string(), |_| true).unwrap().knowledge
}

#[test]
fn a_screen_that_others_described_twice_is_one_and_is_recognised() {
    let headings = ["Calls of today", "Open calls"];
    let ids = |merged: &Knowledge| {
        merged.screens.iter().map(|one| one.screen_id.clone()).collect::<Vec<_>>()
    };
    let first = || described("1", "dashboard", &headings);
    let merged = merge([first(), described("2", "board", &headings)]).unwrap();
    assert_eq!(ids(&merged), ["dashboard"]);
    let page = json!({
        "current_url": "https://app.example.com/dashboard",
        "dom_summary": "Calls of today\nOpen calls\n",
    });
    let found = ask(&merged, json!({ "instruction_type": "find_screen", "context": page }));
    assert!(found.success, "{found:?}");
    assert_eq!(found.result.unwrap()["screen_id"], "dashboard");
    // A dialog at the same address is another screen.
    let dialog = described("2", "dashboard", &["Hang up?", "The caller is told"]);
    assert_eq!(ids(&merge([first(), dialog]).unwrap()), ["dashboard", "dashboard_2"]);
}
