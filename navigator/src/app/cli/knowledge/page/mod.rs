//! A knowledge as a page: its screens in layers, the ways between them, and what nobody has tried.

use std::collections::{BTreeMap, BTreeSet};

use repo_map::{Sanitized, html};
use serde_json::{Value, json};

use crate::knowledge::ask::graph::{PlacedScreen, placed_screens};
use crate::knowledge::gaps::{KnowledgeGap, gaps_of};
use crate::knowledge::model::Knowledge;
use crate::run::text::one_line;

/// The largest number of screens on a page.
const MAX_SCREENS: usize = 2_000;
/// The largest number of ways on a page.
const MAX_WAYS: usize = 20_000;
/// The largest number of actions of a screen on a page.
const MAX_ACTIONS: usize = 24;
/// The largest number of gaps in the list.
const MAX_GAPS: usize = 2_000;
/// The longest text, in characters.
const MAX_TEXT: usize = 120;

/// Returns the page of a knowledge, by the name of its file.
pub(super) fn page_of_knowledge(knowledge: &Knowledge, name: &str) -> Sanitized {
    let gaps = gaps_of(knowledge);
    let mut placed = placed_screens(knowledge);
    let n_left_out = placed.len().saturating_sub(MAX_SCREENS);
    placed.truncate(MAX_SCREENS);
    let places: BTreeMap<&str, usize> =
        placed.iter().enumerate().map(|(at, one)| (one.screen.screen_id.as_str(), at)).collect();
    let untried: BTreeSet<(&str, &str)> = gaps
        .iter()
        .filter_map(|gap| Some((gap.screen_id.as_str(), gap.action_id.as_deref()?)))
        .collect();
    let screens: Vec<Value> = placed.iter().map(|one| screen(one, &untried)).collect();
    let ways = knowledge.transitions.iter().filter_map(|way| {
        let from = places.get(way.from_screen_id.as_str())?;
        let to = places.get(way.to_screen_id.as_str())?;
        let id = way.action_id.as_deref();
        let action = id.and_then(|id| placed[*from].screen.action(id));
        let words = way.label.as_deref().or(action.map(|one| one.name.as_str())).or(id);
        Some(json!([from, to, short(words.unwrap_or("?")), way.times_seen]))
    });
    let listed = |gap: &KnowledgeGap| {
        Some(json!([places.get(gap.screen_id.as_str())?, gap.kind.as_str(), short(&gap.name)]))
    };
    let document = json!({
        "name": short(name),
        "sites": knowledge.sites().iter().map(|site| short(site)).collect::<Vec<_>>(),
        "n_records": knowledge.records.len(),
        "n_tasks": knowledge.tasks.len(),
        "n_gaps": gaps.len(),
        "n_left_out": n_left_out,
        "screens": screens,
        "ways": ways.take(MAX_WAYS).collect::<Vec<_>>(),
        "gaps": gaps.iter().filter_map(listed).take(MAX_GAPS).collect::<Vec<_>>(),
    });
    html::page_of(
        include_str!("graph.html"),
        include_str!("graph.css"),
        include_str!("graph.js"),
        &document,
    )
}

fn screen(placed: &PlacedScreen<'_>, untried: &BTreeSet<(&str, &str)>) -> Value {
    let screen = placed.screen;
    let is_gap = |id: &str| untried.contains(&(screen.screen_id.as_str(), id));
    // What was done and what nobody tried come before the rest.
    let mut actions: Vec<_> = screen.actions.iter().collect();
    actions.sort_by_key(|one| (one.times_done == 0, !is_gap(&one.action_id)));
    let rows = actions.iter().take(MAX_ACTIONS).map(|one| {
        let name = one.example.as_deref().unwrap_or(&one.name);
        json!([short(name), one.role, one.times_done, is_gap(&one.action_id)])
    });
    let templates = screen.templates.iter().take(4).map(|one| short(one.as_str()));
    json!({
        "id": screen.screen_id,
        "name": short(&screen.name),
        "kind": screen.content_type,
        "is_used": screen.is_used(),
        "layer": placed.layer,
        "parent": placed.parent,
        "seen": screen.times_seen,
        "address": screen.addresses.first().map(|one| short(&one.address)),
        "templates": templates.collect::<Vec<_>>(),
        "words": screen.business_words.iter().take(8).map(|words| short(words)).collect::<Vec<_>>(),
        "actions": rows.collect::<Vec<_>>(),
        "n_actions": screen.actions.len() + screen.n_more_actions,
        "n_gaps": screen.actions.iter().filter(|one| is_gap(&one.action_id)).count(),
    })
}

fn short(text: &str) -> String {
    one_line(text, MAX_TEXT)
}
