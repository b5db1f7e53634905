//! Knowledge that others wrote: JSON with screens, as agents of before kept it. It is foreign: it
//! is bounded, and what cannot be told from prose never matches a page.

use std::net::IpAddr;

use regex::RegexBuilder;
use serde::Deserialize;
use serde_json::Value;
use url::{Host, Url};

use crate::knowledge::feature::{Feature, FeatureKind, words_of};
use crate::knowledge::model::{
    ContentType, Indicator, Knowledge, KnownFeature, KnownRecord, KnownScreen, Transition, VERSION,
};
use crate::shared::Sanitized;

/// The largest number of screens of a file.
const MAX_SCREENS: usize = 20_000;
/// The largest number of indicators or patterns of a screen.
const MAX_OF_A_SCREEN: usize = 200;
/// The longest text, in bytes.
const MAX_TEXT: usize = 20_000;
/// The longest pattern, in bytes, and its largest size when it is compiled.
const MAX_PATTERN: (usize, usize) = (500, 1 << 16);
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

/// Decides whether an address lies in the public Internet.
type IsPublic = fn(IpAddr) -> bool;

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
    let foreign: ForeignKnowledge =
        serde_json::from_value(value).map_err(|error| format!("field by field: {error}"))?;
    let mut screens = Vec::with_capacity(foreign.screens.len());
    for screen in foreign.screens {
        screens.push(checked(screen, is_public)?);
    }
    screens.sort_by(|a, b| a.screen_id.cmp(&b.screen_id));
    let same = screens.windows(2).find(|two| two[0].screen_id == two[1].screen_id);
    if let Some([screen, _]) = same {
        return Err(format!("two screens are called `{}`", screen.screen_id));
    }
    let n_screens = screens.len();
    Ok(Knowledge {
        version: VERSION,
        records: vec![KnownRecord { name: name.to_owned(), digest, n_screens, source: None }],
        screens,
        // Nobody has seen them.
        transitions: foreign
            .transitions
            .into_iter()
            .map(|one| Transition { times_seen: 0, ..one })
            .collect(),
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

/// Checks a screen, and tells an application's from a text.
fn checked(mut screen: KnownScreen, is_public: IsPublic) -> Result<KnownScreen, String> {
    let name = screen.screen_id.clone();
    if name.is_empty() || name.len() > MAX_NAME.0 * 4 {
        return Err("a screen has no `screen_id`, or one that is too long".to_owned());
    }
    let indicators = std::mem::take(&mut screen.state_signature.required_indicators);
    if indicators.len() > MAX_OF_A_SCREEN || screen.url_patterns.len() > MAX_OF_A_SCREEN {
        return Err(format!(
            "screen `{name}` has more than {MAX_OF_A_SCREEN} indicators or patterns"
        ));
    }
    for pattern in
        screen.url_patterns.iter().chain(indicators.iter().filter_map(|one| one.pattern.as_ref()))
    {
        check_pattern(&name, pattern, is_public)?;
    }
    for address in screen.addresses.iter().map(|one| one.address.as_str()) {
        check_host(&name, address, is_public)?;
    }
    let n = indicators.len();
    let (texts, rest): (Vec<Indicator>, Vec<Indicator>) =
        indicators.into_iter().partition(|one| one.value.is_some());
    let real: Vec<Indicator> = texts.into_iter().filter(|one| !is_prose(one)).collect();
    let patterns: Vec<String> =
        screen.url_patterns.iter().filter(|one| !is_generic(one)).cloned().collect();
    let is_text = real.is_empty() && (n > 0 || patterns.is_empty())
        || patterns.is_empty() && !screen.url_patterns.is_empty() && real.len() < 2;
    screen.features = real.iter().filter_map(feature).collect();
    if is_text
        || matches!(
            screen.content_type,
            ContentType::Documentation | ContentType::VideoTranscript | ContentType::ApiDocs
        )
    {
        screen.is_actionable = false;
        screen.features.clear();
        screen.url_patterns.clear();
        if matches!(screen.content_type, ContentType::WebUi | ContentType::Unknown) {
            screen.content_type = ContentType::Documentation;
        }
        screen.name = cut(&screen.name);
        return Ok(screen);
    }
    screen.content_type = ContentType::WebUi;
    screen.is_actionable = true;
    screen.url_patterns = patterns;
    screen.name = if screen.name.is_empty() { name } else { cut(&screen.name) };
    screen.times_seen = screen.times_seen.max(1);
    screen.state_signature.required_indicators = real.into_iter().chain(rest).collect();
    Ok(screen)
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_NAME.0 * 4).collect()
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

fn check_pattern(screen: &str, pattern: &str, is_public: IsPublic) -> Result<(), String> {
    if pattern.len() > MAX_PATTERN.0 {
        return Err(format!("screen `{screen}`: a pattern is longer than {} bytes", MAX_PATTERN.0));
    }
    let compiled = RegexBuilder::new(pattern).size_limit(MAX_PATTERN.1).nest_limit(20).build();
    compiled.map_err(|error| format!("screen `{screen}`: the pattern `{pattern}`: {error}"))?;
    let plain = pattern.trim_start_matches('^').replace('\\', "").replace("https?", "https");
    check_host(screen, &plain, is_public)
}

/// Refuses addresses of this machine and of private networks.
fn check_host(screen: &str, address: &str, is_public: IsPublic) -> Result<(), String> {
    // A pattern ends where it varies.
    let end = address.find(['*', '(', '[', '$', '+', '|']).unwrap_or(address.len());
    let Ok(url) = Url::parse(address[..end].trim_end_matches('.')) else { return Ok(()) };
    let is_private = match url.host() {
        Some(Host::Ipv4(ip)) => !is_public(IpAddr::V4(ip)),
        Some(Host::Ipv6(ip)) => !is_public(IpAddr::V6(ip)),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    };
    match is_private {
        true => Err(format!(
            "screen `{screen}`: `{}` is an address of this machine or of a private network",
            url.host_str().unwrap_or_default()
        )),
        false => Ok(()),
    }
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
