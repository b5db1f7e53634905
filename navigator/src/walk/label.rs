//! From words to the entry that they mean: the same words, the same words in another spelling, or
//! the only similar ones.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::shared::suggest;
use crate::walk::screen::{Screen, ScreenEntry};

/// The largest number of entries that a complaint names.
const MAX_NAMED: usize = 3;

/// Returns the number of the entry that a label means.
///
/// # Errors
/// The complaint: what is nearest, or why the label is ambiguous.
pub(crate) fn entry_of(screen: &Screen, label: &str) -> Result<usize, String> {
    let wanted = normal(label);
    let is_exact = |entry: &ScreenEntry| entry.label == label || entry.path() == label;
    // `Folder › Entry` may leave out the folders above.
    let ends_so =
        |entry: &ScreenEntry| label.contains('›') && normal(&entry.path()).ends_with(&wanted);
    let is_same = |entry: &ScreenEntry| normal(&entry.label) == wanted || ends_so(entry);
    let is_near =
        |entry: &ScreenEntry| suggest::nearest(&wanted, [normal(&entry.label).as_str()]).is_some();
    let has_words = |entry: &ScreenEntry| {
        let words = normal(&entry.label);
        !wanted.is_empty() && format!(" {words} ").contains(&format!(" {wanted} "))
    };
    // Of a path, the names of folders may be cut short: `Ignition Switch › Service and Repair`.
    let has_path_words = |entry: &ScreenEntry| {
        let path = normal(&entry.path());
        let is_word = |word: &str| path.split(' ').any(|other| other == word);
        let last = label.rsplit('›').next().unwrap_or_default();
        label.contains('›')
            && normal(&entry.label) == normal(last)
            && wanted.split(' ').all(is_word)
    };
    let tests: [&dyn Fn(&ScreenEntry) -> bool; 5] =
        [&is_exact, &is_same, &is_near, &has_words, &has_path_words];
    for test in tests {
        let found = numbers(screen, test);
        match found[..] {
            [] => {}
            [only] => return Ok(only),
            _ => return the_one(screen, &found).ok_or_else(|| ambiguous(screen, label, &found)),
        }
    }
    let labels = screen.entries.iter().map(|entry| entry.label.as_str());
    let similar = suggest::similar(label, labels);
    let near = match similar.is_empty() {
        true => suggest::did_you_mean(&with_most_words(screen, label)),
        false => suggest::did_you_mean(&similar),
    };
    Err(format!("nothing on this page is called `{label}`{near}"))
}

/// Returns the labels with most of the words, without repetition; for a path, the paths with most.
fn with_most_words(screen: &Screen, label: &str) -> Vec<String> {
    let is_path = label.contains('›');
    let wanted = normal(label);
    let wanted: BTreeSet<&str> = wanted.split(' ').filter(|word| word.len() > 3).collect();
    let scored = screen.entries.iter().filter_map(|entry| {
        let name = if is_path { entry.path() } else { entry.label.clone() };
        let words = normal(&name);
        let words: BTreeSet<&str> = words.split(' ').collect();
        let n_shared = words.intersection(&wanted).count();
        (n_shared > 0).then_some((Reverse(n_shared), name))
    });
    let mut scored: Vec<(Reverse<usize>, String)> = scored.collect();
    scored.sort_by_key(|(n_shared, _)| *n_shared);
    let mut best: Vec<String> = Vec::new();
    for (_, name) in scored {
        if best.len() == MAX_NAMED {
            break;
        }
        if !best.contains(&name) {
            best.push(name);
        }
    }
    best
}

/// Of several entries with one label, returns the one in sight, or the one that all are.
fn the_one(screen: &Screen, found: &[usize]) -> Option<usize> {
    let entry = |number: &usize| screen.entry(*number);
    let in_sight: Vec<usize> = found
        .iter()
        .copied()
        .filter(|number| entry(number).is_some_and(|entry| entry.folders.is_empty()))
        .collect();
    let candidates = if in_sight.is_empty() { found } else { &in_sight };
    let target = |number: &usize| entry(number).and_then(|entry| entry.target.as_ref());
    let first = candidates.first()?;
    let is_one = candidates.len() == 1
        || target(first).is_some() && candidates.iter().all(|one| target(one) == target(first));
    is_one.then_some(*first)
}

fn ambiguous(screen: &Screen, label: &str, found: &[usize]) -> String {
    let named = found.iter().take(MAX_NAMED).filter_map(|number| {
        let entry = screen.entry(*number)?;
        Some(format!("{number} `{}`", entry.path()))
    });
    format!(
        "`{label}` fits {} entries: name one by its number ({}{})",
        found.len(),
        named.collect::<Vec<_>>().join(", "),
        if found.len() > MAX_NAMED { ", …" } else { "" }
    )
}

fn numbers(screen: &Screen, test: &dyn Fn(&ScreenEntry) -> bool) -> Vec<usize> {
    let numbered = screen.entries.iter().zip(1..);
    numbered.filter(|(entry, _)| test(entry)).map(|(_, number)| number).collect()
}

/// Returns words in lower case, without what separates them.
fn normal(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::screen::EntryKind;

    fn screen(labels: &[(&str, &[&str], &str)]) -> Screen {
        let entry = |(label, folders, target): &(&str, &[&str], &str)| ScreenEntry {
            folders: folders.iter().map(|name| (*name).to_owned()).collect(),
            target: Some((*target).to_owned()),
            ..ScreenEntry::new(EntryKind::Link, *label)
        };
        Screen { entries: labels.iter().map(entry).collect(), ..Screen::default() }
    }

    #[test]
    fn a_label_is_found_in_any_spelling_that_is_unique() {
        let screen = screen(&[
            ("Engine, Cooling and Exhaust", &[], "a"),
            ("Specifications", &[], "b"),
            ("Specifications", &["Brakes"], "c"),
            ("Relays & Modules", &[], "d"),
            ("Locations", &["Brakes"], "e"),
            ("Locations", &["Engine"], "f"),
            ("Service", &["Ignition System", "Ignition Lock Switch"], "g"),
            ("Service", &["Ignition System", "Distributor"], "h"),
        ]);
        assert_eq!(entry_of(&screen, "engine cooling and exhaust"), Ok(1));
        assert_eq!(entry_of(&screen, "Specifications"), Ok(2));
        assert_eq!(entry_of(&screen, "Brakes › Specifications"), Ok(3));
        assert_eq!(entry_of(&screen, "Relais & Modules"), Ok(4));
        assert_eq!(entry_of(&screen, "exhaust"), Ok(1));
        assert_eq!(entry_of(&screen, "Switch › Service"), Ok(7));
        let missing = entry_of(&screen, "Ignition Coil › Service").unwrap_err();
        let (lock, distributor) = ("Ignition Lock Switch", "Distributor");
        let paths = [lock, distributor].map(|one| format!("`Ignition System › {one} › Service`"));
        assert!(missing.contains(&paths.join(", ")), "{missing}");
        let ambiguous = entry_of(&screen, "Locations").unwrap_err();
        assert!(ambiguous.contains("5 `Brakes › Locations`, 6 `Engine › Locations`"));
        let unknown = entry_of(&screen, "Torque").unwrap_err();
        assert_eq!(unknown, "nothing on this page is called `Torque`");
    }
}
