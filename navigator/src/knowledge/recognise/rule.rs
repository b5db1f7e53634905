//! The rule that agents used before: 0.40 for an address that matches, 0.60 for the share of the
//! indicators that are there, and a screen above 0.70. It is kept for those who rely on it, and as
//! what recognition by rarity is compared with.

use crate::knowledge::model::{Knowledge, KnownScreen};
use crate::knowledge::recognise::pattern::compiled;
use crate::knowledge::recognise::{Recognition, ScoredScreen, rounded};

/// The part of the address.
const ADDRESS: f64 = 0.4;
/// The part of the indicators.
const INDICATORS: f64 = 0.6;
/// What the score of a screen has to be above.
const THRESHOLD: f64 = 0.7;

/// Recognises a page by its address and a text of it.
pub fn recognise_by_rule(knowledge: &Knowledge, address: &str, text: &str) -> Recognition {
    let text = text.to_lowercase();
    let used = knowledge.screens.iter().filter(|screen| screen.is_used());
    let mut scored: Vec<(f64, &KnownScreen)> =
        used.map(|screen| (score(screen, address, &text), screen)).collect();
    // Of two with one score the first is taken, as the rule has it.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = scored.first().map_or(0.0, |one| one.0);
    let next = scored.get(1).map_or(0.0, |one| one.0);
    let fits = best > THRESHOLD;
    Recognition {
        screen_id: scored.first().filter(|_| fits).map(|one| one.1.screen_id.clone()),
        confidence: rounded(best),
        margin: rounded(best - next),
        candidates: scored
            .iter()
            .take(3)
            .map(|one| ScoredScreen { screen_id: one.1.screen_id.clone(), score: rounded(one.0) })
            .collect(),
        reason: match fits {
            true => format!("it scores more than {THRESHOLD:.2}"),
            false => format!("no screen scores more than {THRESHOLD:.2}"),
        },
    }
}

fn score(screen: &KnownScreen, address: &str, text: &str) -> f64 {
    let matches =
        |pattern: &str| compiled(pattern).is_ok_and(|pattern| pattern.is_match(address.as_bytes()));
    let of_address = screen.url_patterns.iter().any(|pattern| matches(pattern));
    let indicators = &screen.state_signature.required_indicators;
    let found = indicators.iter().filter(|one| match one.kind.as_str() {
        "dom_contains" => {
            one.value.as_ref().is_some_and(|value| text.contains(&value.to_lowercase()))
        }
        "url_matches" => one.pattern.as_deref().is_some_and(matches),
        _ => false,
    });
    let share = found.count() as f64 / indicators.len().max(1) as f64;
    ADDRESS * f64::from(u8::from(of_address)) + INDICATORS * share
}
