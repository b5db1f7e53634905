//! What is taken of files that others wrote, and what is not.

use std::net::IpAddr;

use serde_json::json;

use super::*;
use crate::knowledge::evidence::Evidence;
use crate::knowledge::model::EffectClass;
use crate::knowledge::recognise::Recogniser;

fn read(screens: Value) -> Result<Knowledge, String> {
    Ok(import("agent.json", "d".to_owned(), &screens.to_string(), |_| false)?.knowledge)
}

fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !(ip.is_private() || ip.is_loopback() || ip.is_link_local()),
        IpAddr::V6(ip) => !ip.is_loopback(),
    }
}

/// What agents had before: a paragraph of instructions, and a pattern made of markup.
fn prose() -> Value {
    json!({
        "screen_id": "1_goal_5545",
        "name": "1. Goal<br />Speak with the caller",
        "state_signature": { "required_indicators": [
            { "value": "Your first goal is to learn how the caller feels about the visit" },
        ] },
        "url_patterns": [".*/div.*"],
    })
}

fn dashboard() -> Value {
    json!({
        "screen_id": "dashboard",
        "name": "Dashboard",
        "content_type": "web_ui",
        "is_actionable": true,
        "url_patterns": ["^https://app\\.a\\.example/dashboard$"],
        "state_signature": { "required_indicators": [
            { "type": "dom_contains", "value": "Calls of today", "selector": "h1" },
            { "type": "url_matches", "pattern": ".*/dashboard.*" },
        ] },
        "available_actions": [{ "tool": "scroll" }],
    })
}

#[test]
fn screens_of_prose_are_kept_as_text_and_match_no_page() {
    let knowledge = read(json!([prose(), dashboard()])).unwrap();
    let [text, screen] = &knowledge.screens[..] else { panic!("{knowledge:?}") };
    assert_eq!((text.content_type, text.is_actionable), (ContentType::Documentation, false));
    assert_eq!(text.state_signature.required_indicators.len(), 1, "it keeps what it says");
    assert_eq!((screen.content_type, screen.is_actionable), (ContentType::WebUi, true));

    let recogniser = Recogniser::new(&knowledge);
    let recognised = |address: &str, text: &str| {
        recogniser.recognise(&Evidence::of_text(Some(address), Some(text))).screen_id
    };
    let page = "# Calls of today\n17 calls";
    let found = recognised("https://app.a.example/dashboard", page);
    assert_eq!(found.as_deref(), Some("dashboard"));
    // What others wrote says nothing of menus.
    let page = "- heading \"Calls of today\"\n- menuitem \"Sign out\"\n";
    let page = Evidence::of_text(Some("https://app.a.example/dashboard"), Some(page));
    assert!(recogniser.explain("dashboard", &page).unwrap().address > 0.0);
    let words = "Your first goal is to learn how the caller feels about the visit";
    assert_eq!(recognised("https://app.a.example/div/1", words), None);
}

#[test]
fn a_hostile_file_is_refused_by_the_name_of_its_screen() {
    let with = |pattern: &str| {
        let mut screen = dashboard();
        screen["url_patterns"] = json!([pattern]);
        read(json!({ "screens": [screen] })).unwrap_err()
    };
    for (pattern, why) in [
        ("^http://10\\.0\\.0\\.7/admin", "`10.0.0.7` is an address of this machine"),
        ("^http://localhost:8080/.*", "`localhost` is an address of this machine"),
        ("(((a{1,900}){1,900}){1,900})", "the pattern"),
        ("^https://a.example/(", "the pattern"),
        (&"a".repeat(600), "longer than 500 bytes"),
    ] {
        let error = with(pattern);
        assert!(error.starts_with("screen `dashboard`") && error.contains(why), "{error}");
    }
    let many: Vec<Value> = (0..20_001).map(|n| json!({ "screen_id": n.to_string() })).collect();
    assert_eq!(read(json!(many)).unwrap_err(), "it has 20001 screens, more than 20000");
    let twice = read(json!([dashboard(), dashboard()])).unwrap_err();
    assert_eq!(twice, "two screens are called `dashboard`");
    assert_eq!(read(json!({ "pages": [] })).unwrap_err(), "it has no `screens`");
}

#[test]
fn a_private_address_is_refused_wherever_a_file_has_it() {
    let public = |name: &str, value: Value| {
        let mut screen = dashboard();
        screen["actions"] = json!([
            { "action_id": "go", "action_type": "click", "name": "Go" },
            { "action_id": "open", "action_type": "navigate", "name": "Open" },
            { "action_id": "fill", "action_type": "input", "name": "Note" },
        ]);
        let mut way = json!({
            "from_screen_id": "dashboard", "to_screen_id": "dashboard", "action_id": "go",
            "address": "https://app.a.example/dashboard", "times_seen": 3, "last_seen": [7, 7],
        });
        match name {
            "leads_to" => screen["actions"][0][name] = value,
            "address" | "from_address" | "value" | "prepared" | "action_id" => way[name] = value,
            "open" => {
                way["action_id"] = json!("open");
                way["value"] = value;
            }
            _ => screen[name] = value,
        }
        let text = json!({ "screens": [screen], "transitions": [way] }).to_string();
        import("agent.json", "d".to_owned(), &text, is_public)
    };
    let at = |address: &str| json!([{ "address": address, "title": "T", "opens": true }]);
    for (name, value, why) in [
        ("url_patterns", json!(["^(http|https)://127\\.0\\.0\\.1/x"]), "`127.0.0.1` is"),
        ("templates", json!(["http://10.0.0.7/{}"]), "`10.0.0.7` is"),
        ("addresses", at("http://0x7f.1/x"), "`127.0.0.1` is"),
        ("addresses", at("javascript:fetch('/x')"), "`javascript:` is no page"),
        ("addresses", at("file:///etc/passwd"), "`file:` is no page"),
        ("leads_to", json!("http://nas.local/{}"), "`nas.local` is"),
        ("address", json!("http://[::1]:80/x"), "`[::1]` is"),
        ("from_address", json!("http://localhost/x"), "`localhost` is"),
        ("value", json!("//169.254.169.254/x"), "`169.254.169.254` is"),
        ("open", json!("10.0.0.7/x"), "`10.0.0.7` is"),
        ("open", json!("javascript:fetch('/x')"), "`javascript:` is no page"),
        ("prepared", json!([{ "action_id": "navigate", "value": "10.0.0.7" }]), "`10.0.0.7` is"),
    ] {
        let error = public(name, value).unwrap_err();
        assert!(error.starts_with("screen `dashboard`: ") && error.contains(why), "{error}");
    }
    for (name, value) in [
        ("url_patterns", json!(["^https://app\\.a\\.example/v1\\.2\\.3\\.4/x$"])),
        ("addresses", at("https://app.a.example/dashboard?of=10.0.0.7")),
        ("prepared", json!([{ "action_id": "fill", "value": "data: the router is 10.0.0.7" }])),
    ] {
        public(name, value).unwrap();
    }
}

#[test]
fn what_others_say_of_effects_and_counts_is_not_believed() {
    let action = |id: &str, kind: &str, more: Value| {
        let mut action = json!({
            "action_id": id, "action_type": kind, "name": id, "effect": "none",
            "times_there": 4_000_000_000_u32, "times_done": 4_000_000_000_u32,
        });
        action.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        action
    };
    let way = |id: &str, value: &str| {
        json!({
            "from_screen_id": "dashboard", "to_screen_id": "dashboard", "action_id": id,
            "value": value, "label": "l".repeat(900), "address": "", "times_seen": 9,
            "last_seen": [usize::MAX, 9],
        })
    };
    let file = |actions: Value, ways: Value| {
        let mut screen = dashboard();
        (screen["actions"], screen["times_seen"]) = (actions, json!(u32::MAX));
        screen["seen_in"] = json!([usize::MAX]);
        read(json!({ "screens": [screen], "transitions": ways }))
    };
    let actions = json!([
        action("Open", "click", json!({})),
        action("Delete", "click", json!({})),
        action("Account", "click", json!({ "leads_to": "https://app.ex/account/remove" })),
        action("Post", "click", json!({ "effect": "destroys" })),
    ]);
    let knowledge = file(actions, json!([way("Open", "x")])).unwrap();
    let [screen] = &knowledge.screens[..] else { panic!("{knowledge:?}") };
    let effects: Vec<EffectClass> = screen.actions.iter().map(|one| one.effect).collect();
    let (unknown, destroys) = (EffectClass::Unknown, EffectClass::Destroys);
    assert_eq!(effects, [unknown, destroys, destroys, destroys]);
    let counts = screen.actions.iter().map(|one| one.times_there + one.times_done).sum::<u32>();
    assert_eq!((screen.times_seen, screen.seen_in.len(), counts), (0, 0, 0));
    assert!(screen.actions.iter().all(|one| knowledge.record_name(one.record).is_some()));
    let [seen] = &knowledge.transitions[..] else { panic!("{knowledge:?}") };
    assert_eq!((seen.times_seen, seen.last_seen), (0, (0, 0)));
    assert_eq!(seen.label.as_deref().map(str::len), Some(MAX_ID));

    let script = action("run", "evaluate", json!({}));
    for (actions, ways, why) in [
        (json!([script]), json!([]), "the action `run` runs a script"),
        (json!([]), json!([way("evaluate", "fetch(1)")]), "`evaluate` runs a script"),
        (json!([]), json!([way("Open", &"v".repeat(30_000))]), "is longer than 20000 bytes"),
        (json!([]), json!([way(&"i".repeat(300), "")]), "an identifier that is too long"),
    ] {
        let error = file(actions, ways).unwrap_err();
        assert!(error.starts_with("screen `dashboard`: ") && error.contains(why), "{error}");
    }
}

#[test]
fn all_patterns_of_a_file_have_one_bound() {
    let screen = |n: usize, pattern: &str| {
        let mut screen = dashboard();
        screen["screen_id"] = json!(format!("s{n}"));
        screen["url_patterns"] = json!(vec![pattern; MAX_OF_A_SCREEN]);
        screen
    };
    let of = |pattern: &str, n: usize| {
        read(json!((0..n).map(|at| screen(at, pattern)).collect::<Vec<Value>>()))
    };
    let large = "^https://app\\.ex/([a-z]{1,9}){9}/J/K";
    let error = of(large, 2_500).unwrap_err();
    assert!(error.starts_with("screen `s20`: with its patterns"), "{error}");
    let kept = of("^https://app\\.ex/\\w+/\\w+/edit$", 20).unwrap();
    let page = Evidence::of_text(Some("https://app.ex/orders/17/edit"), Some("# Calls of today"));
    let found = Recogniser::new(&kept).recognise(&page);
    assert_eq!(found.candidates.len(), 3, "{found:?}");
}
#[test]
fn what_is_offered_to_browser_use_is_taken_unless_its_control_has_a_number_alone() {
    let mut screen = dashboard();
    screen["website_id"] = json!("w");
    screen["state_signature"]["required_indicators"][0]["weight"] = json!(2);
    screen["available_browser_use_actions"] = json!([
        { "tool": "click", "params": { "index": 5 }, "description": "Click the link" },
        { "tool": "click", "params": { "index": 6 } },
        { "tool": "scroll", "params": { "direction": "down" }, "description": "Scroll to calls" },
        { "tool": "click", "params": { "element": { "role": "button", "name": "Delete calls" } } },
        {
            "tool_name": "input",
            "parameters": { "text": "Ada", "element": { "role": "field", "name": "Name" } },
        },
        { "tool": "navigate", "params": { "url": "https://app.a.example/calls" } },
        { "tool": "navigate", "params": { "url": "https://app.a.example/account/delete" } },
        { "tool": "write_file", "params": {} },
        5,
    ]);
    let mut other = dashboard();
    (other["screen_id"], other["times_seen"]) = (json!("other"), json!(9));
    other["url_patterns"] = json!([".*/div.*", "^https://app\\.a\\.example/other$"]);
    let tasks = json!([{ "task_id": "t" }, { "task_id": "u" }]);
    let file = json!({ "screens": [screen, other], "tasks": tasks, "version": 1 }).to_string();
    let imported = import("agent.json", "d".to_owned(), &file, |_| true).unwrap();

    let screen = imported.knowledge.screen("dashboard").unwrap();
    let taken: Vec<(&str, &str, Option<&str>, EffectClass, u32)> = screen
        .actions
        .iter()
        .map(|one| {
            let kind = one.action_type.as_str();
            (kind, one.name.as_str(), one.value.as_deref(), one.effect, one.times_done)
        })
        .collect();
    let unknown = EffectClass::Unknown;
    assert_eq!(
        taken,
        [
            ("scroll", "", Some("down"), unknown, 0),
            ("click", "Delete calls", None, EffectClass::Destroys, 0),
            ("input", "Name", Some("Ada"), unknown, 0),
            ("navigate", "", Some("https://app.a.example/calls"), unknown, 0),
            (
                "navigate",
                "",
                Some("https://app.a.example/account/delete"),
                EffectClass::Destroys,
                0
            ),
        ]
    );
    let said = imported.not_taken.iter().map(|one| {
        let why = one.why.split(':').next().unwrap();
        format!("{} x {}: {why}", one.n, one.what)
    });
    let said: Vec<String> = said.collect();
    insta::assert_snapshot!(said.join("\n"), @"
    2 x `available_actions` of `screens`: unknown field
    2 x `click` in `available_browser_use_actions`: they name no control
    1 x `description` in `available_browser_use_actions`: it is made of kind and name
    2 x `tasks` of the file: unknown field
    1 x `version` of the file: unknown field
    1 x `website_id` of `screens`: unknown field
    1 x `weight` of `required_indicators`: unknown field
    1 x `write_file` in `available_browser_use_actions`: unknown tool
    1 x counts of `screens`: what a file says that somebody saw is not believed
    1 x entries of `available_browser_use_actions`: they are not tool calls
    1 x generic `url_patterns`: they fit pages of any kind
    ");

    let mut many = dashboard();
    many["available_browser_use_actions"] = json!(vec![json!({ "tool": "go_back" }); 201]);
    let error = read(json!([many])).unwrap_err();
    assert_eq!(error, "screen `dashboard` has more than 200 of `available_browser_use_actions`");
    for (call, why) in [
        (json!({ "tool": "evaluate", "params": { "code": "fetch(1)" } }), "runs a script"),
        (json!({ "tool": "navigate", "params": { "url": "http://10.0.0.7/" } }), "`10.0.0.7` is"),
    ] {
        let mut screen = dashboard();
        screen["available_browser_use_actions"] = json!([call]);
        let error = import("a", "d".to_owned(), &json!([screen]).to_string(), is_public);
        let error = error.unwrap_err();
        assert!(error.starts_with("screen `dashboard`: ") && error.contains(why), "{error}");
    }
}

#[test]
fn what_a_field_takes_is_taken_where_it_is_whole() {
    let mut screen = dashboard();
    screen["actions"] = json!([{
        "action_id": "code", "action_type": "input", "role": "field", "name": "Code",
        "rules": { "type": "text", "max_length": 8, "pattern": "a".repeat(501) },
    }]);
    screen["forms"] = json!([{ "name": "Code", "fields": ["code"], "sent_by": [] }]);
    let file = json!([screen]).to_string();
    let imported = import("agent.json", "d".to_owned(), &file, |_| true).unwrap();
    let screen = imported.knowledge.screen("dashboard").unwrap();
    let rules = json!(screen.action("code").unwrap().rules);
    assert_eq!(rules, json!({ "type": "text", "max_length": 8 }));
    let said = imported.not_taken.iter().any(|one| one.what == "texts in `rules` of `actions`");
    assert!(said, "{:?}", imported.not_taken);
}
