//! Knowledge that others wrote: JSON with screens, as agents of before kept it. It is foreign: it
//! is bounded, and what cannot be told from prose never matches a page.

use std::mem;

use serde::Deserialize;
use serde_json::Value;

use crate::knowledge::dialect;
use crate::knowledge::feature::{Feature, FeatureKind, words_of};
use crate::knowledge::foreign::{
    MAX_ID, MAX_OF_A_SCREEN, MAX_TEXT, check_address, check_pattern, checked_transition, cut,
    runs_script, unseen,
};
use crate::knowledge::model::{
    ContentType, Indicator, Knowledge, KnownFeature, KnownRecord, KnownScreen, Transition, VERSION,
};
use crate::knowledge::private::IsPublic;
use crate::knowledge::template::AddressTemplate;
use crate::run::text::one_line;
use crate::shared::Sanitized;
use crate::walk::words::WarningWords;

/// The largest number of screens of a file.
const MAX_SCREENS: usize = 20_000;
/// The largest number of transitions of a file.
const MAX_TRANSITIONS: usize = 200_000;
/// The longest error of a field, in characters.
const MAX_ERROR: usize = 300;
/// The largest size of all patterns of a file when they are compiled, in bytes. To hold and match
/// them takes up to ten times as much.
const MAX_PATTERNS: usize = 1 << 26;
/// The longest text that is the name of a control, in characters and words; a longer one is prose.
const MAX_NAME: (usize, usize) = (50, 8);
/// The fewest letters that a pattern names of an address beside its scheme.
const MIN_LITERALS: usize = 4;
/// Names of elements; as paths they stand in patterns that were made of markup.
const ELEMENTS: [&str; 9] = ["div", "span", "p", "a", "button", "input", "form", "br", "li"];
/// Words of instructions to people and to models.
const INSTRUCTIONS: [&str; 6] =
    ["instruction", "protocol", "guideline", "conversational", "phone call", "voice assistant"];

/// What a file of others has. Fields that are not known are not read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ForeignKnowledge {
    screens: Vec<KnownScreen>,
    transitions: Vec<Transition>,
}

/// Reads a file of others: an object with `screens`, a list of screens, or one screen.
///
/// # Errors
/// What is wrong with it, with the name of the screen.
pub fn import(
    name: &str,
    digest: String,
    text: &str,
    is_public: IsPublic,
) -> Result<Knowledge, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
    let value = gated(value);
    let value = match value {
        Value::Array(screens) => serde_json::json!({ "screens": screens }),
        Value::Object(fields) if fields.contains_key("screens") => Value::Object(fields),
        Value::Object(fields) if fields.contains_key("screen_id") => {
            serde_json::json!({ "screens": [fields] })
        }
        _ => return Err("it has no `screens`".to_owned()),
    };
    let n = value["screens"].as_array().map_or(0, Vec::len);
    if n > MAX_SCREENS {
        return Err(format!("it has {n} screens, more than {MAX_SCREENS}"));
    }
    let n = value["transitions"].as_array().map_or(0, Vec::len);
    if n > MAX_TRANSITIONS {
        return Err(format!("it has {n} transitions, more than {MAX_TRANSITIONS}"));
    }
    let foreign: ForeignKnowledge = serde_json::from_value(value).map_err(|error| {
        // It repeats the value that it did not expect, however long that is.
        format!("field by field: {}", one_line(&error.to_string(), MAX_ERROR))
    })?;
    let mut screens = Vec::with_capacity(foreign.screens.len());
    let mut size = 0;
    let words = WarningWords::default();
    for screen in foreign.screens {
        screens.push(checked(screen, is_public, &words, &mut size)?);
    }
    screens.sort_by(|a, b| a.screen_id.cmp(&b.screen_id));
    let same = screens.windows(2).find(|two| two[0].screen_id == two[1].screen_id);
    if let Some([screen, _]) = same {
        return Err(format!("two screens are called `{}`", screen.screen_id));
    }
    let transitions = foreign.transitions.into_iter();
    let transitions = transitions
        .map(|one| checked_transition(one, &screens, is_public))
        .collect::<Result<Vec<_>, String>>()?;
    let n_screens = screens.len();
    Ok(Knowledge {
        version: VERSION,
        records: vec![KnownRecord { name: name.to_owned(), digest, n_screens, source: None }],
        screens,
        transitions,
        ..Knowledge::default()
    })
}

/// Passes all texts of a value through the gate.
fn gated(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(Sanitized::line(&text).into_string()),
        Value::Array(list) => list.into_iter().map(gated).collect(),
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(name, value)| (Sanitized::line(&name).into_string(), gated(value)))
                .collect(),
        ),
        other => other,
    }
}

/// Checks a screen, and tells an application's from a text. A text keeps what it says, and has no
/// feature that a page could match.
fn checked(
    mut screen: KnownScreen,
    is_public: IsPublic,
    words: &WarningWords,
    size: &mut usize,
) -> Result<KnownScreen, String> {
    let name = screen.screen_id.clone();
    if name.is_empty() || name.len() > MAX_ID {
        return Err("a screen has no `screen_id`, or one that is too long".to_owned());
    }
    let indicators = &screen.state_signature.required_indicators;
    let sizes = [
        indicators.len(),
        screen.url_patterns.len(),
        screen.addresses.len(),
        screen.actions.len(),
        screen.templates.len(),
    ];
    if sizes.iter().any(|size| *size > MAX_OF_A_SCREEN) {
        return Err(format!(
            "screen `{name}` has more than {MAX_OF_A_SCREEN} indicators, patterns, addresses or \
             actions"
        ));
    }
    let of_indicators = indicators.iter().filter_map(|one| one.pattern.as_ref());
    for pattern in screen.url_patterns.iter().chain(of_indicators) {
        *size += check_pattern(&name, pattern, is_public)?;
        if *size > MAX_PATTERNS {
            return Err(format!(
                "screen `{name}`: with its patterns, those of the file take more than {} MB \
                 (import the file in parts)",
                MAX_PATTERNS >> 20
            ));
        }
    }
    let templates = screen.templates.iter();
    let templates = templates.chain(screen.actions.iter().filter_map(|one| one.leads_to.as_ref()));
    let addresses = screen.addresses.iter().map(|one| one.address.as_str());
    for address in addresses.chain(templates.map(AddressTemplate::as_str)) {
        check_address(&name, address, is_public)?;
    }
    screen.addresses.iter_mut().for_each(|one| one.record = Some(0));
    for action in &mut screen.actions {
        if dialect::runs_code(&action.action_type) {
            return Err(runs_script(&name, &action.action_id));
        }
        *action = unseen(mem::take(action), words);
    }
    (screen.times_seen, screen.seen_in) = (0, Vec::new());
    screen.name = if screen.name.is_empty() { name } else { cut(&screen.name) };
    let n_texts = indicators.iter().filter(|one| one.value.is_some()).count();
    let real = indicators.iter().filter(|one| one.value.is_some() && !is_prose(one));
    screen.features = real.filter_map(feature).collect();
    let is_specific = |pattern: &String| !is_generic(pattern);
    let has_pattern = screen.url_patterns.iter().any(is_specific);
    // Sentences alone, or a single word on any page, tell nothing from anything.
    let is_named = !screen.features.is_empty() && (has_pattern || screen.features.len() > 1);
    let is_screen = is_named || has_pattern && n_texts == 0;
    let is_text = matches!(
        screen.content_type,
        ContentType::Documentation | ContentType::VideoTranscript | ContentType::ApiDocs
    );
    screen.is_actionable = is_screen && !is_text;
    if screen.is_actionable {
        screen.content_type = ContentType::WebUi;
        screen.url_patterns.retain(is_specific);
    } else {
        screen.features.clear();
        if !is_text {
            screen.content_type = ContentType::Documentation;
        }
    }
    Ok(screen)
}

/// Reports whether an indicator is a sentence, and no name of a control or a heading.
fn is_prose(indicator: &Indicator) -> bool {
    let text = indicator.value.as_deref().unwrap_or_default();
    let lower = text.to_lowercase();
    text.len() > MAX_TEXT
        || text.chars().count() > MAX_NAME.0
        || text.split_whitespace().count() > MAX_NAME.1
        || text.contains('<')
        || lower.starts_with("your ")
        || INSTRUCTIONS.iter().any(|word| lower.contains(word))
}

/// Reports whether a pattern names so little of an address that it fits pages of any kind.
fn is_generic(pattern: &str) -> bool {
    let bare = pattern.replace("https?", "").replace("https", "").replace("http", "");
    let mut literals = String::new();
    let mut is_escaped = false;
    for c in bare.chars() {
        match c {
            '\\' if !is_escaped => {
                is_escaped = true;
                continue;
            }
            c if c.is_alphanumeric() && !(is_escaped && "dwsbDWSB".contains(c)) => literals.push(c),
            _ => literals.push(' '),
        }
        is_escaped = false;
    }
    let words: Vec<&str> =
        literals.split_whitespace().filter(|word| !ELEMENTS.contains(word)).collect();
    words.concat().chars().count() < MIN_LITERALS
}

/// Returns the feature that an indicator stands for, by where its text stands.
fn feature(indicator: &Indicator) -> Option<KnownFeature> {
    let words = words_of(indicator.value.as_deref()?);
    let selector = indicator.selector.as_deref().unwrap_or_default();
    let has = |part: &str| selector.split([',', ' ']).any(|one| one.trim().starts_with(part));
    let kind = if has("button") {
        FeatureKind::Button
    } else if has("input") || has("textarea") || has("label") {
        FeatureKind::Field
    } else if has("a") && !has("article") {
        FeatureKind::Link
    } else {
        FeatureKind::Heading
    };
    (!words.is_empty()).then_some(KnownFeature { feature: Feature { kind, words }, share: 1.0 })
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use serde_json::json;

    use super::*;
    use crate::knowledge::evidence::Evidence;
    use crate::knowledge::model::EffectClass;
    use crate::knowledge::recognise::Recogniser;

    fn read(screens: Value) -> Result<Knowledge, String> {
        import("agent.json", "d".to_owned(), &screens.to_string(), |_| false)
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
                "address" | "from_address" | "value" | "prepared" | "action_id" => {
                    way[name] = value
                }
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
            (
                "prepared",
                json!([{ "action_id": "navigate", "value": "10.0.0.7" }]),
                "`10.0.0.7` is",
            ),
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
        assert_eq!(seen.label.as_ref().map(String::len), Some(MAX_ID));

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
        let page =
            Evidence::of_text(Some("https://app.ex/orders/17/edit"), Some("# Calls of today"));
        let found = Recogniser::new(&kept).recognise(&page);
        assert_eq!(found.candidates.len(), 3, "{found:?}");
    }
}
