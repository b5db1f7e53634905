//! The report of a turn, for people and scripts.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::money::effect::{ResourceLimits, Resources};
use crate::money::pico_usd::PicoUsd;
use crate::run::action::Focus;
use crate::run::admission::{Fall, Refusal};
use crate::run::decision_log::{ActionKind, LogEntry, LoggedEffect};
use crate::run::pilot::{Projection, Spend};
use crate::run::terrain::{Nouns, Terrain, TerrainMap};
use crate::shared::n_of;

/// The report of a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnReport {
    /// Always `turn`.
    pub event: &'static str,
    /// The turn, from 1.
    pub step: u32,
    /// The kind of decision.
    pub action: ActionKind,
    /// The reason for the decision.
    pub reasoning: String,
    /// Errors in the reply, and results that differ from the request.
    pub complaints: Vec<String>,
    /// The cost of the turn.
    pub cost_pico_usd: PicoUsd,
    /// The projected cost of the turn.
    pub projection: Projection,
    /// The whole spend so far, and the limit.
    #[serde(flatten)]
    pub purse: Spend,
    /// The map's size after the turn, in tokens.
    pub tokens: u32,
    /// The map's budget, in tokens.
    pub budget: u32,
    /// The number of places that the map shows.
    #[serde(flatten)]
    pub shown: ShownCount,
    /// The effects of the turn, including those that did not happen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<LoggedEffect>,
    /// The resources that effects have used; `None` if nothing is used or limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<ResourceReport>,
    /// The changes that did not fit, each with its price.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// What fell though no change names it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fell: Vec<Fall>,
    /// Places that show more than before, largest first.
    pub raised: Vec<String>,
    /// Places that show less than before.
    pub lowered: Vec<String>,
    /// The focus areas, if the pilot finalized.
    pub focus: Vec<Focus>,
}

/// The resources that the effects of a run used, and their limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ResourceReport {
    /// The resources used.
    pub used: Resources,
    /// The limits.
    pub limits: ResourceLimits,
}

impl ResourceReport {
    /// Formats the resources: `2 requests of 5, 80 bytes`.
    #[cfg(feature = "cli")]
    pub(crate) fn line(&self) -> String {
        let rows = [
            (self.used.requests, self.limits.requests, "request"),
            (self.used.bytes, self.limits.bytes, "byte"),
            (self.used.steps, self.limits.steps, "step"),
        ];
        let words = rows.into_iter().filter(|(used, limit, _)| *used > 0 || limit.is_some()).map(
            |(used, limit, one)| {
                let of = limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
                format!("{}{of}", n_of(used, one))
            },
        );
        words.collect::<Vec<_>>().join(", ")
    }
}

/// The number of places that a map shows, with the terrain's noun for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownCount {
    /// The noun.
    pub place: &'static str,
    /// The number.
    pub n: usize,
}

impl ShownCount {
    /// Counts the places that a map shows.
    pub(crate) fn of(map: &impl TerrainMap, place: &'static str) -> ShownCount {
        let n = map.places().filter(|place| place.is_shown()).count();
        ShownCount { place, n }
    }
}

impl Serialize for ShownCount {
    /// Serializes as a field of the report: `files_shown`, if the places are files.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut field = serializer.serialize_map(Some(1))?;
        field.serialize_entry(&format!("{}s_shown", self.place), &self.n)?;
        field.end()
    }
}

/// The maximum number of places in each list of a report.
const MOST_PLACES: usize = 50;

impl TurnReport {
    /// Makes the report of a turn from its log entry and the maps before and after.
    pub(crate) fn of<T: Terrain>(
        entry: &LogEntry<T::Plan>,
        before: &T::Map,
        after: &T::Map,
        projection: Projection,
        purse: Spend,
        nouns: Nouns,
        (used, limits): (Resources, ResourceLimits),
    ) -> TurnReport {
        let is_worth_a_word = used != Resources::default() || limits != ResourceLimits::default();
        let sizes: BTreeMap<&str, u32> =
            before.places().map(|place| (place.name, place.tokens)).collect();
        let moved = |is_so: fn(u32, u32) -> bool| -> Vec<String> {
            let mut names: Vec<(u32, &str)> = after
                .places()
                .map(|after| (sizes.get(after.name).copied().unwrap_or_default(), after))
                .filter(|(before, after)| is_so(*before, after.tokens))
                .map(|(before, after)| (before.max(after.tokens), after.name))
                .collect();
            names.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
            names.into_iter().take(MOST_PLACES).map(|(_, name)| name.to_owned()).collect()
        };
        TurnReport {
            event: "turn",
            step: entry.step,
            action: entry.action,
            reasoning: entry.reasoning.clone(),
            complaints: entry.complaints.clone(),
            cost_pico_usd: entry.cost_pico_usd,
            projection,
            purse,
            tokens: after.tokens(),
            budget: after.budget(),
            shown: ShownCount::of(after, nouns.place),
            effects: entry.effects.clone(),
            resources: is_worth_a_word.then_some(ResourceReport { used, limits }),
            refused: entry.refused.iter().map(Refusal::line).collect(),
            fell: entry.fell.clone(),
            raised: moved(|before, after| after > before),
            lowered: moved(|before, after| after < before),
            focus: entry.focus.clone(),
        }
    }

    /// Formats the report as one line.
    pub fn line(&self) -> String {
        let cost = if self.purse.calls == 0 {
            String::new()
        } else {
            format!(", {}", self.cost_pico_usd.rounded())
        };
        let said = match self.action {
            ActionKind::NoUsableAnswer => {
                format!("no use of the answer: {}", self.complaints.join("; "))
            }
            _ => self.reasoning.clone(),
        };
        let said = said.replace('\n', " ");
        let effects = self.effects.iter().map(|effect| format!("; {}", effect.line()));
        let effects: String = effects.collect();
        format!("turn {}: {}{cost}; {said}{effects}", self.step, self.size())
    }

    /// Formats the size of the map.
    pub(crate) fn size(&self) -> String {
        format!(
            "{} of {} tokens, {} shown",
            self.tokens,
            self.budget,
            n_of(self.shown.n, self.shown.place)
        )
    }

    /// Formats the report for a person who chooses the next step, in lines of at most `width`
    /// columns and never more than 100.
    #[cfg(feature = "cli")]
    pub fn text(&self, width: usize) -> String {
        const NAMED: usize = 6;
        let mut rows = Vec::new();
        if !self.reasoning.is_empty() {
            rows.push(("why", self.reasoning.replace('\n', " ")));
        }
        rows.extend(self.complaints.iter().map(|complaint| ("problem", complaint.clone())));
        rows.extend(self.refused.iter().map(|refusal| ("refused", refusal.clone())));
        let fell: Vec<String> = self.fell.iter().map(Fall::line).collect();
        let lists = [("more of", &self.raised), ("less of", &self.lowered), ("fell", &fell)];
        for (head, paths) in lists {
            if !paths.is_empty() {
                let more = if paths.len() > NAMED {
                    format!(", {} more", paths.len() - NAMED)
                } else {
                    String::new()
                };
                rows.push((head, format!("{}{more}", paths[..paths.len().min(NAMED)].join(", "))));
            }
        }
        rows.extend(
            self.focus.iter().map(|area| ("focus", format!("{}: {}", area.path, area.why))),
        );
        rows.extend(self.effects.iter().map(|effect| ("effect", effect.line())));
        rows.push(("map", self.size()));
        rows.extend(self.resources.map(|resources| ("used", resources.line())));
        let (cost, projection) = (self.cost_pico_usd, self.projection);
        rows.extend(cost_line(cost, projection, self.purse).map(|cost| ("cost", cost)));
        rows_text(&format!("Turn {}: {}", self.step, self.action.as_str()), rows, width)
    }
}

/// Formats the cost of a turn and the whole spend; `None` where nothing was asked for money.
#[cfg(feature = "cli")]
pub(crate) fn cost_line(cost: PicoUsd, projection: Projection, purse: Spend) -> Option<String> {
    let line = || {
        format!(
            "{} (projected {}); {} of {} spent, {} left",
            cost.rounded(),
            projection.projected_pico_usd.rounded(),
            purse.spent_pico_usd.rounded(),
            purse.limit_pico_usd,
            purse.left().rounded_down(),
        )
    };
    (purse.calls > 0).then(line)
}

/// Formats the cost of the next turn for the person who decides on it; `attempts` is the most
/// calls of one question.
#[cfg(feature = "cli")]
pub(crate) fn next_line(next: Projection, purse: Spend, attempts: u32) -> String {
    match (next.at_most_pico_usd.0, next.request_tokens) {
        (1.., tokens) => format!(
            "Next turn: {tokens} tokens, about {}, at most {} a call ({attempts} calls if they \
             fail); {} left.",
            next.projected_pico_usd.rounded(),
            next.at_most_pico_usd.rounded(),
            purse.left().rounded_down()
        ),
        (0, 1..) => format!("Next turn: {} tokens, no cost.", next.request_tokens),
        (0, 0) => "Next turn: no cost.".to_owned(),
    }
}

/// Formats a report below its heading, in lines of at most `width` columns and never more than 100.
#[cfg(feature = "cli")]
pub(crate) fn rows_text(head: &str, rows: Vec<(&str, String)>, width: usize) -> String {
    let width = width.min(100);
    let mut out = format!("{head}\n");
    for (name, text) in rows {
        let first = format!("  {name:<9}");
        let options =
            textwrap::Options::new(width).initial_indent(&first).subsequent_indent("           ");
        out.push_str(&textwrap::fill(&text, options));
        out.push('\n');
    }
    out
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_no_wider_than_the_terminal() {
        let report = TurnReport {
            event: "turn",
            step: 1,
            action: ActionKind::UpdateFlightPlan,
            reasoning: "zoom in on the 8 paths with most evidence, first src/session.rs".to_owned(),
            complaints: Vec::new(),
            cost_pico_usd: PicoUsd(0),
            projection: Projection::default(),
            purse: Spend::default(),
            tokens: 571,
            budget: 600,
            shown: ShownCount { place: "file", n: 4 },
            effects: Vec::new(),
            resources: None,
            refused: Vec::new(),
            fell: Vec::new(),
            raised: Vec::new(),
            lowered: Vec::new(),
            focus: Vec::new(),
        };
        insta::assert_snapshot!(report.text(38), @r"
        Turn 1: update_flight_plan
          why      zoom in on the 8 paths with
                   most evidence, first
                   src/session.rs
          map      571 of 600 tokens, 4 files
                   shown
        ");
    }
}
