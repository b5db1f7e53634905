//! Answers of a knowledge as lines for people.

use std::fmt::Write as _;

use anyhow::Result;
use repo_map::Sanitized;

use crate::knowledge::ask::question::AgentResponse;
use crate::knowledge::model::{EffectClass, Knowledge, KnownScreen, Transition};
use crate::knowledge::recognise::{Recognition, ScreenScore};
use crate::shared::n_of;

/// The number of features that are named.
const MAX_FEATURES: usize = 20;
/// The number of records that are named.
const MAX_RECORDS: usize = 5;

/// Returns an answer as lines: one an action.
pub(in crate::app::cli) fn answer_text(answer: &AgentResponse) -> Sanitized {
    let mut text = String::new();
    for (number, action) in (1..).zip(&answer.actions) {
        let _ = writeln!(
            text,
            "{number}. {}{}{}  [{} {}]  {:.2}",
            action.description,
            warning(action.effect),
            other_ends(&action.may_lead_to),
            action.tool,
            action.params,
            action.confidence
        );
    }
    for left_out in &answer.left_out {
        let names = left_out.action_ids.join(", ");
        let more = left_out.n_actions - left_out.action_ids.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(text, "left out: {names}{more}: {}", left_out.reason);
    }
    if let Some(expected) = &answer.expected_result {
        let _ = writeln!(text, "then: {}", expected.screen_id);
        for indicator in &expected.verification.required_indicators {
            let value = indicator.value.as_deref().or(indicator.pattern.as_deref());
            let _ = writeln!(text, "  {} {}", indicator.kind, value.unwrap_or_default());
        }
    }
    if let Some(result) = &answer.result {
        // A value of JSON is always written.
        let _ = writeln!(text, "{}", serde_json::to_string_pretty(result).unwrap_or_default());
    }
    Sanitized::text(&text)
}

/// Says what an action does beyond reading.
fn warning(effect: EffectClass) -> &'static str {
    match effect {
        EffectClass::Sends => " (sends something)",
        EffectClass::Destroys => " (its name warns)",
        EffectClass::Unknown | EffectClass::None | EffectClass::Reads => "",
    }
}

/// Says where else an action may lead.
fn other_ends(screens: &[String]) -> String {
    match screens.is_empty() {
        true => String::new(),
        false => format!(" (may lead to {} instead)", screens.join(" or ")),
    }
}

/// Returns a screen as lines: what it is recognised by, what can be done, where that leads.
pub(in crate::app::cli) fn screen_text(knowledge: &Knowledge, screen: &KnownScreen) -> Sanitized {
    let mut text = format!(
        "{}\n{}, seen {}{}\n",
        screen.screen_id,
        screen.name,
        n_of(screen.times_seen, "time"),
        in_records(knowledge, screen)
    );
    for address in &screen.addresses {
        let opens = if address.opens { " (opens it)" } else { "" };
        let from = from_record(knowledge, address.record);
        let _ = writeln!(text, "  {}{opens}{from}", address.address);
    }
    let mut features: Vec<_> = screen.features.iter().collect();
    features.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.feature.cmp(&b.feature)));
    let _ = writeln!(text, "recognised by:");
    for known in features.iter().take(MAX_FEATURES) {
        let feature = &known.feature;
        let _ =
            writeln!(text, "  {:.2} {} '{}'", known.share, feature.kind.as_str(), feature.words);
    }
    let _ = writeln!(text, "actions:");
    for action in &screen.actions {
        let ends = knowledge.transitions.iter().filter(|one| {
            one.from_screen_id == screen.screen_id
                && one.action_id.as_ref() == Some(&action.action_id)
        });
        let end = |one: &Transition| {
            format!("{}{}", one.to_screen_id, from_record(knowledge, Some(one.last_seen.0)))
        };
        let ends: Vec<String> = ends.map(end).collect();
        let ends = if ends.is_empty() { String::new() } else { format!(" -> {}", ends.join(", ")) };
        let _ = writeln!(
            text,
            "  {} {} '{}'{}{ends}",
            action.action_type,
            action.role,
            action.name,
            from_record(knowledge, action.record)
        );
    }
    for form in &screen.forms {
        let names = |ids: &[String]| {
            let names = ids.iter().filter_map(|id| screen.action(id)).map(|one| one.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        let (fields, sent_by) = (names(&form.fields), names(&form.sent_by));
        let from = from_record(knowledge, form.record);
        let _ = writeln!(text, "form '{}': {fields}; sent by: {sent_by}{from}", form.name);
    }
    if screen.n_more_actions > 0 {
        let _ = writeln!(text, "  and {} more", screen.n_more_actions);
    }
    Sanitized::text(&text)
}

/// Names the record that something came from.
fn from_record(knowledge: &Knowledge, record: Option<usize>) -> String {
    let name = knowledge.record_name(record);
    name.map(|name| format!("  [{name}]")).unwrap_or_default()
}

/// Names the first records that a screen was seen in.
fn in_records(knowledge: &Knowledge, screen: &KnownScreen) -> String {
    let names = screen.seen_in.iter().filter_map(|at| knowledge.record_name(Some(*at)));
    let names: Vec<&str> = names.take(MAX_RECORDS).collect();
    match (names.is_empty(), screen.seen_in.len().saturating_sub(MAX_RECORDS)) {
        (true, _) => String::new(),
        (false, 0) => format!(" in {}", names.join(", ")),
        (false, n_more) => format!(" in {} and {n_more} more", names.join(", ")),
    }
}

/// Returns a recognition as JSON, with the sum of the score, and where the screen was seen.
pub(in crate::app::cli) fn explained_json(
    knowledge: &Knowledge,
    found: &Recognition,
    score: Option<&ScreenScore>,
) -> Result<Sanitized> {
    let screen = score.and_then(|score| knowledge.screen(&score.screen_id));
    let seen_in = screen.into_iter().flat_map(|screen| &screen.seen_in);
    let seen_in: Vec<&str> = seen_in.filter_map(|at| knowledge.record_name(Some(*at))).collect();
    let json = serde_json::json!({ "recognition": found, "score": score, "seen_in": seen_in });
    Ok(Sanitized::json_pretty(&json)?)
}

/// Returns a recognition as lines, with the sum of the score, and where the screen was seen.
pub(in crate::app::cli) fn explained_text(
    knowledge: &Knowledge,
    found: &Recognition,
    score: Option<&ScreenScore>,
) -> Sanitized {
    let mut text = match &found.screen_id {
        Some(id) => format!(
            "{id}  {:.3}, {:.3} before the next: {}\n",
            found.confidence, found.margin, found.reason
        ),
        None => format!("unknown: {}\n", found.reason),
    };
    for one in &found.candidates {
        let _ = writeln!(text, "  {:.3} {}", one.score, one.screen_id);
    }
    if let Some(score) = score {
        let all = score.present + score.missing + score.foreign;
        let _ = writeln!(
            text,
            "{}: {:.3} = {:.3} address + {:.3} features ({:.3} present of {all:.3})",
            score.screen_id, score.score, score.address, score.features, score.present
        );
        if let Some(screen) = knowledge.screen(&score.screen_id) {
            let _ = writeln!(
                text,
                "  seen {}{}",
                n_of(screen.times_seen, "time"),
                in_records(knowledge, screen)
            );
        }
        for part in &score.parts {
            let feature = &part.feature;
            let _ = writeln!(
                text,
                "  {:>7} {:.3} {} '{}'",
                part.role.as_str(),
                part.weight,
                feature.kind.as_str(),
                feature.words
            );
        }
    }
    Sanitized::text(&text)
}
