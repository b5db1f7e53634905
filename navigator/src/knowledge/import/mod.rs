//! Knowledge that others wrote: JSON with screens, as agents of before kept it. It is foreign: it
//! is bounded, and what cannot be told from prose never matches a page.

mod foreign;
pub mod not_taken;
mod offered;
mod private;

use std::mem;

use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde_json::Value;

use crate::knowledge::build::forms::keep_known;
use crate::knowledge::build::screens::address_indicator;
use crate::knowledge::dialect;
use crate::knowledge::import::foreign::{
    MAX_ID, MAX_OF_A_SCREEN, MAX_TEXT, check_address, check_pattern, check_value,
    checked_transition, cut, runs_script, unseen,
};
use crate::knowledge::import::not_taken::{NotTaken, NotTakenParts};
use crate::knowledge::import::offered::add_offered;
use crate::knowledge::import::private::IsPublic;
use crate::knowledge::model::feature::{Feature, FeatureKind, feature_words};
use crate::knowledge::model::template::AddressTemplate;
use crate::knowledge::model::{
    ContentType, EffectClass, Indicator, Knowledge, KnownAction, KnownFeature, KnownRecord,
    KnownScreen, Transition, VERSION,
};
use crate::run::text::one_line;
use crate::shared::Sanitized;
use crate::walk::words::WarningWords;

/// The largest number of screens of a file.
const MAX_SCREENS: usize = 20_000;
/// The largest number of transitions of a file.
const MAX_TRANSITIONS: usize = 200_000;
/// The longest error of a field, in characters.
const MAX_ERROR: usize = 300;
/// The largest size of all patterns of a file when they are compiled, in bytes. To match them takes
/// as much again.
const MAX_PATTERNS: usize = 1 << 26;
/// The longest text that is the name of a control, in characters and words; a longer one is prose.
const MAX_NAME: (usize, usize) = (50, 8);
/// The fewest letters that a pattern names of an address beside its scheme.
const MIN_LITERALS: usize = 4;
/// Names of elements; as paths they stand in patterns that were made of markup.
const ELEMENTS: [&str; 9] = ["div", "span", "p", "a", "button", "input", "form", "br", "li"];
/// Why counts and effects of others are not taken.
const NOT_BELIEVED: &str = "what a file says that somebody saw is not believed";
/// Why the end of a text is not taken.
const TOO_LONG: &str = "they are longer than 200 characters";
/// Words of instructions to people and to models.
const INSTRUCTIONS: [&str; 6] =
    ["instruction", "protocol", "guideline", "conversational", "phone call", "voice assistant"];

/// What a file of others has. Fields that are not known are not read, and said.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
struct ForeignKnowledge {
    screens: Vec<KnownScreen>,
    transitions: Vec<Transition>,
}

/// A knowledge that others wrote, and what of its file is not in it.
#[derive(Debug)]
pub struct ImportedKnowledge {
    /// The knowledge.
    pub knowledge: Knowledge,
    /// What was not taken, one entry a kind.
    pub not_taken: Vec<NotTaken>,
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
) -> Result<ImportedKnowledge, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
    let mut value = with_screens(gated(value))?;
    let offered = take_offered(&mut value);
    let mut parts = NotTakenParts::default();
    parts.add_unknown_fields(&value, schema_for!(ForeignKnowledge).as_value());
    let foreign: ForeignKnowledge = serde_json::from_value(value).map_err(|error| {
        // It repeats the value that it did not expect, however long that is.
        format!("invalid field: {}", one_line(&error.to_string(), MAX_ERROR))
    })?;
    let mut screens = foreign.screens;
    for (screen, offered) in screens.iter_mut().zip(offered) {
        if let Some(calls) = offered {
            add_offered(screen, calls, &mut parts)?;
        }
    }
    let mut check =
        ScreenCheck { is_public, words: WarningWords::default(), size_of_patterns: 0, parts };
    let mut screens =
        screens.into_iter().map(|one| check.checked(one)).collect::<Result<Vec<_>, String>>()?;
    let mut parts = check.parts;
    screens.sort_by(|a, b| a.screen_id.cmp(&b.screen_id));
    let same = screens.windows(2).find(|two| two[0].screen_id == two[1].screen_id);
    if let Some([screen, _]) = same {
        return Err(format!("two screens are called `{}`", screen.screen_id));
    }
    let is_counted = |one: &&Transition| one.times_seen > 0;
    parts.add(
        "counts of `transitions`",
        NOT_BELIEVED,
        foreign.transitions.iter().filter(is_counted).count(),
    );
    let is_long = |one: &&Transition| one.label.as_ref().is_some_and(|one| is_cut(one));
    parts.add("ends of long labels", TOO_LONG, foreign.transitions.iter().filter(is_long).count());
    let transitions = foreign.transitions.into_iter();
    let transitions = transitions
        .map(|one| checked_transition(one, &screens, is_public))
        .collect::<Result<Vec<_>, String>>()?;
    let n_screens = screens.len();
    let knowledge = Knowledge {
        version: VERSION,
        records: vec![KnownRecord { name: name.to_owned(), digest, n_screens, source: None }],
        screens,
        transitions,
        ..Knowledge::default()
    };
    Ok(ImportedKnowledge { knowledge, not_taken: parts.into_list() })
}

/// Returns the object with `screens` that a file is, or stands for.
fn with_screens(value: Value) -> Result<Value, String> {
    let value = match value {
        Value::Array(screens) => serde_json::json!({ "screens": screens }),
        Value::Object(fields) if fields.contains_key("screens") => Value::Object(fields),
        Value::Object(fields) if fields.contains_key("screen_id") => {
            serde_json::json!({ "screens": [fields] })
        }
        _ => return Err("it has no `screens`".to_owned()),
    };
    for (field, most) in [("screens", MAX_SCREENS), ("transitions", MAX_TRANSITIONS)] {
        let n = value[field].as_array().map_or(0, Vec::len);
        if n > most {
            return Err(format!("it has {n} {field}, more than {most}"));
        }
    }
    Ok(value)
}

/// Takes the calls for browser-use from the screens, in the order of the screens.
fn take_offered(value: &mut Value) -> Vec<Option<Value>> {
    let screens = value["screens"].as_array_mut().into_iter().flatten();
    screens.map(|screen| screen.as_object_mut()?.remove(offered::FIELD)).collect()
}

fn is_cut(text: &str) -> bool {
    text.chars().nth(MAX_ID).is_some()
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

/// What screens of others are checked with, and what is not taken of them.
struct ScreenCheck {
    is_public: IsPublic,
    words: WarningWords,
    /// The size of all patterns so far when they are compiled, in bytes.
    size_of_patterns: usize,
    parts: NotTakenParts,
}

impl ScreenCheck {
    /// Checks a screen, and tells an application's from a text. A text keeps what it says, and has
    /// no feature that a page could match.
    fn checked(&mut self, mut screen: KnownScreen) -> Result<KnownScreen, String> {
        let name = screen.screen_id.clone();
        self.check_bounds(&name, &screen)?;
        self.note_counts(&screen);
        screen.addresses.iter_mut().for_each(|one| one.record = Some(0));
        for action in &mut screen.actions {
            if dialect::runs_code(&action.action_type) {
                return Err(runs_script(&name, &action.action_id));
            }
            let value = action.value.as_deref().unwrap_or_default();
            check_value(&name, dialect::opens(&action.action_type), value, self.is_public)?;
            *action = unseen(mem::take(action), &self.words);
        }
        for form in &mut screen.forms {
            (form.name, form.record) = (cut(&form.name), Some(0));
        }
        keep_known(&mut screen);
        (screen.times_seen, screen.seen_in) = (0, Vec::new());
        screen.name = if screen.name.is_empty() { name } else { cut(&screen.name) };
        let indicators = &screen.state_signature.required_indicators;
        let n_texts = indicators.iter().filter(|one| one.value.is_some()).count();
        let real = indicators.iter().filter(|one| one.value.is_some() && !is_prose(one));
        screen.features = real.filter_map(feature).collect();
        let is_specific = |pattern: &String| !is_generic(pattern);
        let n_specific = screen.url_patterns.iter().filter(|one| is_specific(one)).count();
        // Sentences alone, or a single word on any page, tell nothing from anything.
        let is_named = !screen.features.is_empty() && (n_specific > 0 || screen.features.len() > 1);
        let is_screen = is_named || n_specific > 0 && n_texts == 0;
        let is_text = matches!(
            screen.content_type,
            ContentType::Documentation | ContentType::VideoTranscript | ContentType::ApiDocs
        );
        screen.is_actionable = is_screen && !is_text;
        if screen.is_actionable {
            screen.content_type = ContentType::WebUi;
            let n_prose = n_texts - screen.features.len();
            self.parts.add(
                "sentences in `required_indicators`",
                "they do not identify a page",
                n_prose,
            );
            let n_generic = screen.url_patterns.len() - n_specific;
            self.parts.add("generic `url_patterns`", "they fit pages of any kind", n_generic);
            screen.url_patterns.retain(is_specific);
        } else {
            screen.features.clear();
            if !is_text {
                screen.content_type = ContentType::Documentation;
            }
        }
        Ok(screen)
    }

    fn check_bounds(&mut self, name: &str, screen: &KnownScreen) -> Result<(), String> {
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
            screen.forms.len(),
        ];
        if sizes.iter().any(|size| *size > MAX_OF_A_SCREEN) {
            return Err(format!(
                "screen `{name}` has more than {MAX_OF_A_SCREEN} indicators, patterns, addresses, \
                 actions or forms"
            ));
        }
        // That of the address is the patterns below together.
        let address = address_indicator(&screen.url_patterns).and_then(|one| one.pattern);
        let of_indicators = indicators
            .iter()
            .filter_map(|one| one.pattern.as_ref())
            .filter(|pattern| Some(*pattern) != address.as_ref());
        for pattern in screen.url_patterns.iter().chain(of_indicators) {
            self.size_of_patterns += check_pattern(name, pattern, self.is_public)?;
            if self.size_of_patterns > MAX_PATTERNS {
                return Err(format!(
                    "screen `{name}`: with its patterns, those of the file take more than {} MiB \
                     (import the file in parts)",
                    MAX_PATTERNS >> 20
                ));
            }
        }
        let of_actions = screen.actions.iter().filter_map(|one| one.leads_to.as_ref());
        let templates = screen.templates.iter().chain(of_actions);
        let addresses = screen.addresses.iter().map(|one| one.address.as_str());
        for address in addresses.chain(templates.map(AddressTemplate::as_str)) {
            check_address(name, address, self.is_public)?;
        }
        Ok(())
    }

    /// Takes note of what a screen says that nobody can have seen.
    fn note_counts(&mut self, screen: &KnownScreen) {
        let is_claimed = |one: &&KnownAction| {
            one.times_there > 0
                || one.times_done > 0
                || !matches!(one.effect, EffectClass::Unknown | EffectClass::Destroys)
        };
        let n_claimed = screen.actions.iter().filter(is_claimed).count();
        self.parts.add("counts and effects of `actions`", NOT_BELIEVED, n_claimed);
        let rules = screen.actions.iter().filter_map(|one| one.rules.as_ref());
        let n_cut = rules.filter(|rules| (*rules).clone().gated() != **rules).count();
        self.parts.add("texts in `rules` of `actions`", "they are empty or too long", n_cut);
        let is_counted = screen.times_seen > 0 || !screen.seen_in.is_empty();
        self.parts.add("counts of `screens`", NOT_BELIEVED, usize::from(is_counted));
        let why = "screens are recognised by indicators and patterns of others alone";
        self.parts.add("`features` of `screens`", why, screen.features.len());
        self.parts.add(
            "ends of long names of `screens`",
            TOO_LONG,
            usize::from(is_cut(&screen.name)),
        );
    }
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
    let words = feature_words(indicator.value.as_deref()?);
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
mod tests;
