//! What an action changed on a page, in words for the path.

use std::collections::{BTreeMap, BTreeSet};

use crate::run::text::one_line;
use crate::walk::screen::marks;
use crate::walk::screen::{DIALOG, EntryKind, FOCUSED, Screen, ScreenEntry};
use crate::walk::session::GONE;

/// The most changes of one kind that are named.
const MAX_NAMED: usize = 3;
/// The longest text that is named, in characters.
const MAX_TEXT: usize = 80;

/// What a control is known by on both sides of an action: kind, label, text around it, and which
/// of those it is.
type EntryKey<'s> = (EntryKind, &'s str, &'s str, usize);

/// Reports whether two screens show pages of different addresses.
#[cfg(feature = "browser")]
pub(crate) fn is_other_page(before: &Screen, after: &Screen) -> bool {
    let page = |screen: &Screen| screen.address.split('#').next().unwrap_or_default().to_owned();
    page(before) != page(after)
}

/// Tells what differs between two screens; `None` if nothing does.
#[cfg(feature = "browser")]
pub(crate) fn changes(before: &Screen, after: &Screen) -> Option<String> {
    if is_other_page(before, after) {
        let place = after.place().last().map_or_else(String::new, |place| (*place).to_owned());
        return Some(format!("page '{}'", one_line(&place, MAX_TEXT)));
    }
    let mut told = dialogs(before, after);
    told.extend(controls(before, after));
    let (added, gone) = texts(before, after);
    told.extend(if added.is_some() { added } else { gone });
    if told.is_empty() && before.address != after.address {
        told.push(format!("address {}", one_line(&after.address, MAX_TEXT)));
    }
    // That a dialog was answered is told by itself.
    let without_notes =
        |screen: &Screen| Screen { notes: Vec::new(), has_asked: false, ..screen.clone() }.digest();
    if told.is_empty() && without_notes(before) != without_notes(after) {
        told.push(elsewhere(before, after).to_owned());
    }
    (!told.is_empty()).then(|| told.join("; "))
}

/// Tells how a screen differs from the one that was there when the walk was recorded.
pub(crate) fn differences(recorded: &Screen, now: &Screen) -> String {
    let named = |what: &str, then: &str, now: &str| {
        let (then, now) = (one_line(then, MAX_TEXT), one_line(now, MAX_TEXT));
        (then != now).then(|| format!("{what} '{now}', recorded '{then}'"))
    };
    let mut told: Vec<String> =
        named("address", &recorded.address, &now.address).into_iter().collect();
    told.extend(named("title", &recorded.title, &now.title));
    let notes = |screen: &Screen| -> BTreeSet<String> { screen.notes.iter().cloned().collect() };
    let (old, new) = (notes(recorded), notes(now));
    let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
        one.difference(other).cloned().collect()
    };
    told.extend(listed("new note", &only(&new, &old)));
    told.extend(listed("note gone", &only(&old, &new)));
    told.extend(dialogs(recorded, now));
    told.extend(controls(recorded, now));
    let (added, gone) = texts(recorded, now);
    told.extend(added.into_iter().chain(gone));
    if told.is_empty() {
        told.push(elsewhere(recorded, now).to_owned());
    }
    told.join("; ")
}

/// Says where screens differ that have the same texts and controls.
fn elsewhere(before: &Screen, after: &Screen) -> &'static str {
    let is_scrolled = placed(before, "off screen") != placed(after, "off screen");
    let is_covered = placed(before, "covered") != placed(after, "covered");
    match (is_covered, is_scrolled) {
        (true, _) => "something was laid over controls, or taken away",
        (_, true) => "scrolled",
        (false, false) => "the page changed",
    }
}

/// Tells of controls that changed, are new, or gone.
fn controls(before: &Screen, after: &Screen) -> Vec<String> {
    let mut told = Vec::new();
    let (old, new) = (keyed(before), keyed(after));
    let changed: Vec<String> =
        new.iter().filter_map(|(key, entry)| changed_control(old.get(key)?, entry)).collect();
    let n_more = changed.len().saturating_sub(MAX_NAMED);
    told.extend(changed.into_iter().take(MAX_NAMED));
    if n_more > 0 {
        told.push(format!("{n_more} more controls changed"));
    }
    let is_plain = |key: &EntryKey<'_>| !key.1.is_empty();
    let added: Vec<&str> = new
        .keys()
        .filter(|key| !old.contains_key(*key) && is_plain(key))
        .map(|key| key.1)
        .collect();
    let gone: Vec<&str> = old
        .keys()
        .filter(|key| !new.contains_key(*key) && is_plain(key))
        .map(|key| key.1)
        .collect();
    told.extend(listed("new control", &added));
    told.extend(listed(GONE, &gone));
    told
}

fn dialogs(before: &Screen, after: &Screen) -> Vec<String> {
    let names = |screen: &Screen| -> BTreeSet<String> {
        let titles = screen.sections.iter().filter_map(|one| one.title.strip_prefix(DIALOG));
        titles.map(|name| one_line(name, MAX_TEXT)).collect()
    };
    let (old, new) = (names(before), names(after));
    let opened = new.difference(&old).map(|name| format!("opened dialog '{name}'"));
    let closed = old.difference(&new).map(|name| format!("closed dialog '{name}'"));
    opened.chain(closed).collect()
}

fn keyed(screen: &Screen) -> BTreeMap<EntryKey<'_>, &ScreenEntry> {
    let mut seen: BTreeMap<(EntryKind, &str, &str), usize> = BTreeMap::new();
    let mut keyed = BTreeMap::new();
    for entry in &screen.entries {
        let beside = entry.control.as_ref().and_then(|control| control.beside.as_deref());
        let key = (entry.kind, entry.label.as_str(), beside.unwrap_or_default());
        let n = seen.entry(key).or_default();
        keyed.insert((key.0, key.1, key.2, *n), entry);
        *n += 1;
    }
    keyed
}

fn changed_control(before: &ScreenEntry, after: &ScreenEntry) -> Option<String> {
    let (Some(old), Some(new)) = (&before.control, &after.control) else { return None };
    let name = format!("{} '{}'", after.kind.as_str(), one_line(&after.label, MAX_TEXT));
    if old.value != new.value {
        return Some(match &new.value {
            Some(value) => format!("{name} is now '{}'", one_line(value, MAX_TEXT)),
            None => format!("{name} is now empty"),
        });
    }
    // Where the page is scrolled to, what was laid over it, and where the cursor is says nothing of
    // a control.
    let is_own = |state: &&String| !matches!(state.as_str(), "off screen" | "covered" | FOCUSED);
    let states =
        |list: &[String]| -> BTreeSet<String> { list.iter().filter(is_own).cloned().collect() };
    let (old, new) = (states(&old.states), states(&new.states));
    let mut words: Vec<String> = new.difference(&old).cloned().collect();
    if words.is_empty() {
        words = old.difference(&new).map(|word| format!("not {word}")).collect();
    }
    (!words.is_empty()).then(|| format!("{name} is now {}", words.join(", ")))
}

fn listed<S: AsRef<str>>(what: &str, labels: &[S]) -> Option<String> {
    if labels.is_empty() {
        return None;
    }
    let named: Vec<String> = labels
        .iter()
        .take(MAX_NAMED)
        .map(|label| format!("'{}'", one_line(label.as_ref(), MAX_TEXT)))
        .collect();
    let more = match labels.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Some(format!("{what}: {}{more}", named.join(", ")))
}

/// Tells of lines of text that are new, and of those that are gone.
fn texts(before: &Screen, after: &Screen) -> (Option<String>, Option<String>) {
    let lines = |screen: &Screen| -> Vec<String> {
        let titles = screen.sections.iter().map(|section| section.title.clone());
        let texts = screen.sections.iter().flat_map(|section| section.text.lines());
        let all = titles.chain(texts.map(str::to_owned));
        let all = all.filter(|line| !line.starts_with(DIALOG)).map(|line| without_controls(&line));
        all.filter(|line| line.chars().any(char::is_alphanumeric)).collect()
    };
    let (old, new) = (lines(before), lines(after));
    let (in_old, in_new): (BTreeSet<&str>, BTreeSet<&str>) =
        (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
    let added = new.iter().map(String::as_str).filter(|line| !in_old.contains(line));
    // A clock counts without a step: what else is new comes first.
    // (What it showed before is gone: another item of a list stands beside the first ones.)
    let counts: BTreeSet<String> =
        in_old.difference(&in_new).map(|line| without_digits(line)).collect();
    let (counted, mut added): (Vec<&str>, Vec<&str>) =
        added.partition(|line| counts.contains(&without_digits(line)));
    let is_count = added.is_empty() && !counted.is_empty();
    added.extend(counted);
    let gone: Vec<&str> =
        old.iter().map(String::as_str).filter(|line| !in_new.contains(line)).collect();
    let new = if is_count { "only numbers changed" } else { "new text" };
    (listed(new, &added), listed("text gone", &gone))
}

/// Returns the text of a line outside of controls, whose changes are told by themselves.
fn without_controls(line: &str) -> String {
    marks::text_between(line).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn without_digits(line: &str) -> String {
    line.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Returns which controls have a state.
fn placed(screen: &Screen, state: &str) -> Vec<bool> {
    screen.entries.iter().map(|entry| entry.is(state)).collect()
}
