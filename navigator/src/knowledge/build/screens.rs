//! From the sightings of a screen to what is known of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::knowledge::build::actions::action_of;
use crate::knowledge::build::cluster::SightingGroup;
use crate::knowledge::build::forms::{add_form, forms_on, keep_known};
use crate::knowledge::build::sighting::ScreenSighting;
use crate::knowledge::model::feature::{Feature, FeatureKind};
use crate::knowledge::model::shared_text::SharedText;
use crate::knowledge::model::template::AddressTemplate;
use crate::knowledge::model::{
    ContentType, Indicator, Knowledge, KnownAction, KnownAddress, KnownFeature, KnownForm,
    KnownScreen, StateSignature,
};
use crate::walk::screen::{EntryKind, Screen};

/// The largest number of actions of a screen, where no more are used.
const MAX_ACTIONS: usize = 80;
/// The largest number of features of a screen that are kept.
const MAX_FEATURES: usize = 120;
/// The largest number of addresses of a screen that are kept.
const MAX_ADDRESSES: usize = 20;
/// The same where the addresses differ by words, which people ask for.
const MAX_WORDS_OF_ADDRESSES: usize = 200;
/// The largest number of indicators that other agents are given.
const MAX_INDICATORS: usize = 8;
/// The largest number of business words of a screen.
const MAX_BUSINESS_WORDS: usize = 30;
/// Returns what is known of a screen.
pub(super) fn screen_of(
    sightings: &[ScreenSighting],
    group: &SightingGroup,
    (screen_id, name): (String, String),
) -> KnownScreen {
    let n = group.members.len() as f64;
    let mut n_with: BTreeMap<&Feature, usize> = BTreeMap::new();
    let mut addresses: Vec<KnownAddress> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut actions: BTreeMap<SharedText, (usize, KnownAction)> = BTreeMap::new();
    let mut forms: Vec<KnownForm> = Vec::new();
    let mut business_words: Vec<String> = Vec::new();
    let mut seen_in = BTreeSet::new();
    for at in &group.members {
        let sighting = &sightings[*at];
        let screen = &sighting.screen;
        seen_in.insert(sighting.record);
        sighting.features.iter().for_each(|feature| *n_with.entry(feature).or_default() += 1);
        let place = *places.entry(&screen.address).or_insert(addresses.len());
        if place == addresses.len() {
            addresses.push(KnownAddress {
                address: screen.address.as_str().into(),
                title: screen.title.as_str().into(),
                opens: false,
                record: Some(sighting.record),
            });
        }
        addresses[place].opens |= sighting.is_opened;
        let mut there = BTreeSet::new();
        let of_forms = screen.plain_forms.iter().flat_map(|form| &form.fields);
        for (order, entry) in screen.entries.iter().chain(of_forms).enumerate() {
            if let Some(action) = action_of(screen, entry) {
                let (id, has_count) = (action.action_id.clone(), action.has_count);
                let rules = action.rules.clone();
                let action = KnownAction { record: Some(sighting.record), ..action };
                let (_, known) = actions.entry(id.clone()).or_insert((order, action));
                known.has_count |= has_count;
                known.agree(rules);
                known.times_there += u32::from(there.insert(id));
            }
        }
        forms_on(screen, sighting.record).for_each(|form| add_form(&mut forms, form));
        for words in business(screen) {
            if business_words.len() < MAX_BUSINESS_WORDS && !business_words.contains(&words) {
                business_words.push(words);
            }
        }
    }
    let mut actions: Vec<(usize, KnownAction)> = actions.into_values().collect();
    actions.sort_by_key(|(order, _)| *order);
    let templates = group.templates.clone();
    let url_patterns: Vec<String> = templates.iter().map(AddressTemplate::pattern).collect();
    let features: Vec<KnownFeature> = n_with
        .into_iter()
        .map(|(feature, n_with)| KnownFeature {
            feature: feature.clone(),
            share: (n_with as f64 / n * 1000.0).round() / 1000.0,
        })
        .collect();
    KnownScreen {
        screen_id,
        name,
        content_type: ContentType::WebUi,
        is_actionable: true,
        state_signature: signature(&features, &url_patterns),
        url_patterns,
        templates,
        addresses,
        features,
        actions: actions.into_iter().map(|(_, action)| action).collect(),
        forms,
        n_more_actions: 0,
        business_words,
        times_seen: u32::try_from(group.members.len()).unwrap_or(u32::MAX),
        seen_in: seen_in.into_iter().collect(),
    }
}

/// Leaves out what is too much of some screens of a knowledge, and no action that a way, a task or
/// a proposal takes.
pub(in crate::knowledge) fn cut(knowledge: &mut Knowledge, is_cut: impl Fn(&KnownScreen) -> bool) {
    let Knowledge { screens, transitions, tasks, inferred, .. } = knowledge;
    let mut used: BTreeSet<(&str, &str)> = BTreeSet::new();
    for way in transitions.iter() {
        used.extend(way.actions().map(|id| (way.from_screen_id.as_str(), id)));
    }
    for step in tasks.iter().flat_map(|task| &task.steps) {
        used.insert((&step.screen_id, &step.action_id));
    }
    for one in inferred.iter() {
        let prepared = one.prepared.iter().map(|one| &one.action_id);
        used.extend(prepared.chain([&one.action_id]).map(|id| (&*one.from_screen_id, &**id)));
    }
    for screen in screens.iter_mut().filter(|screen| is_cut(screen)) {
        let id = screen.screen_id.clone();
        cut_screen(screen, |one| used.contains(&(id.as_str(), one.action_id.as_str())));
    }
}

/// Leaves out what is too much of a screen, the things that were used last.
fn cut_screen(screen: &mut KnownScreen, is_used: impl Fn(&KnownAction) -> bool) {
    if screen.actions.len() > MAX_ACTIONS {
        let n_used = screen.actions.iter().filter(|action| is_used(action)).count();
        let n_kept = n_used.max(MAX_ACTIONS);
        screen.n_more_actions += screen.actions.len() - n_kept;
        let mut kept: Vec<(usize, KnownAction)> =
            std::mem::take(&mut screen.actions).into_iter().enumerate().collect();
        kept.sort_by_key(|(order, one)| (!is_used(one), one.times_done == 0, *order));
        kept.truncate(n_kept);
        kept.sort_by_key(|(order, _)| *order);
        screen.actions = kept.into_iter().map(|(_, action)| action).collect();
    }
    keep_known(screen);
    screen.business_words.truncate(MAX_BUSINESS_WORDS);
    // Addresses that open the screen are those that are needed.
    screen.addresses.sort_by_key(|one| !one.opens);
    // Pages whose addresses differ by a word are asked for by their titles.
    let is_of_words = |one: &KnownAddress| {
        AddressTemplate::of(&one.address).is_some_and(|own| !screen.templates.contains(&own))
    };
    let has_words = screen.addresses.iter().any(is_of_words);
    screen.addresses.truncate(if has_words { MAX_WORDS_OF_ADDRESSES } else { MAX_ADDRESSES });
    if screen.features.len() > MAX_FEATURES {
        let worth = |one: &KnownFeature| one.share * one.feature.kind.weight();
        screen
            .features
            .sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.feature.cmp(&b.feature)));
        screen.features.truncate(MAX_FEATURES);
        screen.features.sort_by(|a, b| a.feature.cmp(&b.feature));
    }
}

/// The kind of an indicator of an address.
const ADDRESS_MATCHES: &str = "url_matches";

/// Says of a control on all screens that its label may end with a count, where it did on one.
pub(crate) fn share_counts(screens: &mut [KnownScreen]) {
    let counted = |action: &&KnownAction| action.has_count;
    let actions = screens.iter().flat_map(|screen| &screen.actions);
    let counted: BTreeSet<SharedText> =
        actions.filter(counted).map(|action| action.action_id.clone()).collect();
    for action in screens.iter_mut().flat_map(|screen| &mut screen.actions) {
        action.has_count |= counted.contains(&action.action_id);
    }
}

/// Returns what shows a screen, for agents that look for texts: what it always has, what names a
/// state first.
pub(in crate::knowledge) fn signature(
    features: &[KnownFeature],
    patterns: &[String],
) -> StateSignature {
    let mut stable: Vec<&KnownFeature> = features
        .iter()
        .filter(|one| one.share >= 0.9 && one.feature.kind.is_text())
        .filter(|one| one.feature.kind.prior() >= 0.5 && !one.feature.words.contains('#'))
        .filter(|one| !matches!(one.feature.kind, FeatureKind::SelectedTab | FeatureKind::Expanded))
        .collect();
    let rank = |one: &KnownFeature| one.feature.kind.weight();
    stable.sort_by(|a, b| rank(b).total_cmp(&rank(a)).then(a.feature.cmp(&b.feature)));
    // A title is often the heading, too.
    let mut said = BTreeSet::new();
    stable.retain(|one| said.insert(one.feature.words.as_str()));
    let texts = stable.into_iter().take(MAX_INDICATORS).map(|one| Indicator {
        kind: "dom_contains".to_owned(),
        value: Some(one.feature.words.clone()),
        selector: Some(selector(one.feature.kind).to_owned()),
        reason: Some(one.feature.kind.as_str().to_owned()),
        pattern: None,
    });
    StateSignature { required_indicators: texts.chain(address_indicator(patterns)).collect() }
}

/// Returns what shows a screen by its address. All indicators are required, and a page has one
/// address.
pub(crate) fn address_indicator(patterns: &[String]) -> Option<Indicator> {
    (!patterns.is_empty()).then(|| Indicator {
        kind: ADDRESS_MATCHES.to_owned(),
        pattern: Some(match patterns {
            [only] => only.clone(),
            some => some.iter().map(|one| format!("(?:{one})")).collect::<Vec<_>>().join("|"),
        }),
        reason: Some("address".to_owned()),
        ..Indicator::default()
    })
}

/// Returns where a text of a feature stands.
fn selector(kind: FeatureKind) -> &'static str {
    match kind {
        FeatureKind::Title => "title",
        FeatureKind::Heading => "h1, h2, h3, h4, h5, h6",
        FeatureKind::Dialog => "dialog, [role=dialog]",
        FeatureKind::Link | FeatureKind::MenuLink => "a, [role=link]",
        FeatureKind::Button => "button, [role=button]",
        FeatureKind::Field => "input, textarea, label, [role=textbox]",
        FeatureKind::Choice => "input, label, [role=checkbox], [role=radio]",
        FeatureKind::Select => "select, label, [role=combobox], [role=listbox]",
        FeatureKind::Tab | FeatureKind::SelectedTab => "[role=tab]",
        FeatureKind::MenuItem => "[role=menuitem]",
        FeatureKind::LeadsTo | FeatureKind::Expanded | FeatureKind::Item | FeatureKind::State => {
            "body"
        }
    }
}

/// Returns the words that say what a screen is for.
fn business(screen: &Screen) -> Vec<String> {
    let headings = screen.sections.iter().map(|section| screen.without_marks(&section.title));
    let controls = screen.entries.iter().filter(|entry| {
        !matches!(entry.kind, EntryKind::Link | EntryKind::Folder | EntryKind::Item)
    });
    let names = controls.map(|entry| entry.label.clone());
    headings.chain(names).filter(|words| !words.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_way_a_task_or_a_proposal_takes_is_never_too_much() {
        let action = |n: usize| {
            let id = format!("a{n}");
            json!({ "action_id": id, "action_type": "click", "name": id, "times_done": n / 100 })
        };
        let way = json!({
            "from_screen_id": "list", "action_id": "a85", "to_screen_id": "end", "address": "",
            "prepared": [{ "action_id": "a86" }], "times_seen": 1, "last_seen": [0, 1],
        });
        let step = json!({ "screen_id": "list", "action_id": "a87", "to_screen_id": "end" });
        let inferred = json!({
            "from_screen_id": "list", "action_id": "a88", "to_screen_id": "end",
            "prepared": [{ "action_id": "a89" }], "confidence": 0.9, "reasoning": "",
        });
        let actions: Vec<_> = (0..200).map(action).collect();
        let screen = json!({ "screen_id": "list", "name": "list", "actions": actions });
        let mut known: Knowledge = serde_json::from_value(json!({
            "version": 1, "screens": [screen], "transitions": [way], "inferred": [inferred],
            "tasks": [{ "task_id": "t", "name": "t", "steps": [step] }],
        }))
        .unwrap();
        cut(&mut known, |_| true);
        let ids = known.screens[0].actions.iter().map(|one| one.action_id.to_string());
        let expected = (85..90).chain(100..175).map(|n| format!("a{n}"));
        assert_eq!(ids.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        assert_eq!(known.screens[0].n_more_actions, 120);
    }
}
