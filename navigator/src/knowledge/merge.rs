//! Several knowledges of a site as one.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};

use crate::knowledge::build::forms::add_form;
use crate::knowledge::build::screens::{cut, share_counts, signature};
use crate::knowledge::evidence::Evidence;
use crate::knowledge::gaps::proposal::keep_untried;
use crate::knowledge::model::feature::Feature;
use crate::knowledge::model::transition_key::TransitionKey;
use crate::knowledge::model::{
    Knowledge, KnownFeature, KnownScreen, Thresholds, Transition, VERSION,
};
use crate::knowledge::recognise::Recogniser;
use crate::knowledge::recognise::pattern::compiled;
use crate::walk::known::KnownPlace;

/// Merges knowledges, in order. A screen of a later one that the earlier ones recognise is the same
/// screen. One whose recordings are all known already adds nothing.
///
/// # Errors
/// The name of a recording that two of them have, where one has more: what was seen once would
/// count twice.
pub fn merge(parts: impl IntoIterator<Item = Knowledge>) -> Result<Knowledge, String> {
    let mut all = Knowledge { version: VERSION, ..Knowledge::default() };
    let mut thresholds: Vec<(Thresholds, Thresholds)> = Vec::new();
    let mut joined = BTreeSet::new();
    for part in parts {
        let shared = part.records.iter().filter(|record| all.has_record(&record.digest));
        let shared: Vec<&str> = shared.map(|record| record.name.as_str()).collect();
        match shared.first() {
            Some(_) if shared.len() == part.records.len() => continue,
            Some(name) => return Err((*name).to_owned()),
            None => {}
        }
        thresholds.push((part.thresholds, part.text_thresholds));
        add(&mut all, part, &mut joined);
    }
    let stricter = |a: Thresholds, b: Thresholds| Thresholds {
        score: a.score.max(b.score),
        margin: a.margin.max(b.margin),
    };
    let strictest = thresholds.into_iter().reduce(|a, b| (stricter(a.0, b.0), stricter(a.1, b.1)));
    if let Some(strictest) = strictest {
        (all.thresholds, all.text_thresholds) = strictest;
    }
    let proposed = std::mem::take(&mut all.inferred);
    keep_untried(&mut all, proposed);
    cut(&mut all, |screen| joined.contains(&screen.screen_id));
    all.screens.sort_by(|a, b| a.screen_id.cmp(&b.screen_id));
    all.transitions.sort();
    all.places.sort_by(|a, b| a.address.cmp(&b.address));
    Ok(all)
}

/// Adds a knowledge, and names the screens that both have.
fn add(all: &mut Knowledge, part: Knowledge, joined: &mut BTreeSet<String>) {
    let n_records = all.records.len();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let matched: Vec<Option<String>> = {
        let recogniser = Recogniser::new(all);
        part.screens.iter().map(|screen| same_screen(&recogniser, all, screen)).collect()
    };
    let mut taken: BTreeSet<String> =
        all.screens.iter().map(|screen| screen.screen_id.clone()).collect();
    for (mut screen, same) in part.screens.into_iter().zip(matched) {
        let of_addresses = screen.addresses.iter_mut().filter_map(|one| one.record.as_mut());
        let of_actions = screen.actions.iter_mut().filter_map(|one| one.record.as_mut());
        let of_forms = screen.forms.iter_mut().filter_map(|one| one.record.as_mut());
        let seen_in = screen.seen_in.iter_mut();
        let records = seen_in.chain(of_addresses).chain(of_actions).chain(of_forms);
        records.for_each(|record| *record = record.saturating_add(n_records));
        let old = screen.screen_id.clone();
        if let Some(known) =
            same.and_then(|id| all.screens.iter_mut().find(|one| one.screen_id == id))
        {
            names.insert(old, known.screen_id.clone());
            joined.insert(known.screen_id.clone());
            join(known, screen);
            continue;
        }
        let mut n = 2;
        while taken.contains(&screen.screen_id) {
            screen.screen_id = format!("{old}_{n}");
            n += 1;
        }
        taken.insert(screen.screen_id.clone());
        names.insert(old, screen.screen_id.clone());
        all.screens.push(screen);
    }
    share_counts(&mut all.screens);
    let mut known: BTreeMap<TransitionKey, usize> =
        all.transitions.iter().map(Transition::key).zip(0..).collect();
    for mut transition in part.transitions {
        rename(&names, &mut transition.from_screen_id);
        rename(&names, &mut transition.to_screen_id);
        transition.last_seen.0 = transition.last_seen.0.saturating_add(n_records);
        match known.get(&transition.key()) {
            Some(at) => {
                let known = &mut all.transitions[*at];
                known.times_seen = known.times_seen.saturating_add(transition.times_seen);
                known.last_seen = transition.last_seen;
                known.returns &= transition.returns;
            }
            None => {
                known.insert(transition.key(), all.transitions.len());
                all.transitions.push(transition);
            }
        }
    }
    for mut task in part.tasks {
        task.seen_in = task.seen_in.saturating_add(n_records);
        let ends = task.start_screen_id.iter_mut().chain(&mut task.end_screen_id);
        ends.for_each(|id| rename(&names, id));
        for step in &mut task.steps {
            rename(&names, &mut step.screen_id);
            rename(&names, &mut step.to_screen_id);
        }
        all.tasks.push(task);
    }
    for mut inferred in part.inferred {
        rename(&names, &mut inferred.from_screen_id);
        rename(&names, &mut inferred.to_screen_id);
        all.inferred.push(inferred);
    }
    let known: BTreeSet<&str> = all.places.iter().map(|one| one.address.as_str()).collect();
    let new = part.places.into_iter().filter(|one| !known.contains(one.address.as_str()));
    let new: Vec<KnownPlace> = new
        .map(|one| KnownPlace { record: one.record.map(|n| n.saturating_add(n_records)), ..one })
        .collect();
    all.places.extend(new);
    all.records.extend(part.records);
}

/// Gives a screen the name that it has in the other knowledge.
fn rename<T: Borrow<str> + for<'n> From<&'n str>>(names: &BTreeMap<String, String>, id: &mut T) {
    if let Some(name) = names.get((*id).borrow()) {
        *id = T::from(name);
    }
}

/// Returns the screen that another knowledge has for this one.
fn same_screen(
    recogniser: &Recogniser<'_>,
    all: &Knowledge,
    screen: &KnownScreen,
) -> Option<String> {
    if !screen.is_used() {
        let same = all.screens.iter().find(|one| one.name == screen.name && !one.is_used())?;
        return Some(same.screen_id.clone());
    }
    let features: BTreeSet<Feature> = screen
        .features
        .iter()
        .filter(|one| one.share >= 0.5)
        .map(|one| one.feature.clone())
        .collect();
    match screen.addresses.first() {
        Some(one) => recogniser.recognise(&Evidence::of_features(&one.address, features)).screen_id,
        None => same_description(recogniser, all, screen, features),
    }
}

/// Returns the screen that another knowledge has for one that others described, without an address:
/// one of the same description, or one that its features show where its patterns fit.
fn same_description(
    recogniser: &Recogniser<'_>,
    all: &Knowledge,
    screen: &KnownScreen,
    features: BTreeSet<Feature>,
) -> Option<String> {
    let is_same = |one: &&KnownScreen| {
        one.is_used()
            && one.url_patterns == screen.url_patterns
            && (one.features == screen.features
                || (&one.screen_id, &one.state_signature)
                    == (&screen.screen_id, &screen.state_signature))
    };
    if let Some(same) = all.screens.iter().find(is_same) {
        return Some(same.screen_id.clone());
    }
    let evidence = Evidence::of_features_alone(features);
    let found = all.screen(&recogniser.recognise(&evidence).screen_id?)?;
    may_be_at_one_address(found, screen).then(|| found.screen_id.clone())
}

/// Reports whether a screen may have an address of one that others described.
fn may_be_at_one_address(known: &KnownScreen, described: &KnownScreen) -> bool {
    let patterns = &described.url_patterns;
    let fits = |pattern: &String| {
        let is_seen = |fit: regex::bytes::Regex| {
            known.addresses.iter().any(|one| fit.is_match(one.address.as_bytes()))
        };
        known.url_patterns.contains(pattern) || compiled(pattern).is_ok_and(is_seen)
    };
    known.url_patterns.is_empty() || patterns.is_empty() || patterns.iter().any(fits)
}

/// Adds what was seen of a screen elsewhere.
fn join(known: &mut KnownScreen, other: KnownScreen) {
    // What nobody saw counts as if it was there once.
    let (n, m) = (f64::from(known.times_seen.max(1)), f64::from(other.times_seen.max(1)));
    let mut shares: BTreeMap<Feature, f64> = BTreeMap::new();
    for (features, times) in [(&known.features, n), (&other.features, m)] {
        for one in features {
            *shares.entry(one.feature.clone()).or_default() += one.share * times / (n + m);
        }
    }
    known.features = shares
        .into_iter()
        .map(|(feature, share)| KnownFeature { feature, share: (share * 1000.0).round() / 1000.0 })
        .collect();
    // A file may hold any numbers.
    known.times_seen = known.times_seen.saturating_add(other.times_seen);
    known.seen_in.extend(other.seen_in);
    for action in other.actions {
        match known.actions.iter_mut().find(|one| one.action_id == action.action_id) {
            Some(same) => {
                same.has_count |= action.has_count;
                same.times_there = same.times_there.saturating_add(action.times_there);
                same.times_done = same.times_done.saturating_add(action.times_done);
                same.effect = same.effect.max(action.effect);
                same.agree(action.rules);
            }
            None => known.actions.push(action),
        }
    }
    other.forms.into_iter().for_each(|form| add_form(&mut known.forms, form));
    for address in other.addresses {
        match known.addresses.iter_mut().find(|one| one.address == address.address) {
            Some(same) => same.opens |= address.opens,
            None => known.addresses.push(address),
        }
    }
    for template in other.templates {
        if !known.templates.contains(&template) {
            known.url_patterns.push(template.pattern());
            known.templates.push(template);
        }
    }
    for pattern in other.url_patterns {
        if known.templates.is_empty() && !known.url_patterns.contains(&pattern) {
            known.url_patterns.push(pattern);
        }
    }
    // What others wrote has their own indicators, and no template.
    if !known.templates.is_empty() {
        known.state_signature = signature(&known.features, &known.url_patterns);
    }
    for words in other.business_words {
        if !known.business_words.contains(&words) {
            known.business_words.push(words);
        }
    }
    // Some of what each leaves out may be the same.
    known.n_more_actions = known.n_more_actions.max(other.n_more_actions);
}
