//! From words to the entry that they mean: the same words, the same words in another spelling, or
//! the only similar ones.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::shared::{spaced_words, suggest};
use crate::walk::screen::{Screen, ScreenEntry};

/// The largest number of entries that a complaint names.
const MAX_NAMED: usize = 3;

/// Returns the number of the entry that a label means.
///
/// # Errors
/// The complaint: what is nearest, or why the label is ambiguous.
pub(crate) fn entry_of(screen: &Screen, label: &str) -> Result<usize, String> {
    let wanted = spaced_words(label);
    let is_exact = |entry: &ScreenEntry| entry.label == label || entry.path() == label;
    // `Folder › Entry` may leave out the folders above.
    let ends_so =
        |entry: &ScreenEntry| label.contains('›') && spaced_words(&entry.path()).ends_with(&wanted);
    let is_same = |entry: &ScreenEntry| spaced_words(&entry.label) == wanted || ends_so(entry);
    let nearest = LazyCell::new(|| nearest(screen, &wanted));
    let is_near = |entry: &ScreenEntry| nearest.contains(&spaced_words(&entry.label));
    let has_words = |entry: &ScreenEntry| {
        let words = spaced_words(&entry.label);
        !wanted.is_empty() && format!(" {words} ").contains(&format!(" {wanted} "))
    };
    // Of a path, the names of folders may be cut short: `Ignition Switch › Service and Repair`.
    let has_path_words = |entry: &ScreenEntry| {
        let path = spaced_words(&entry.path());
        let is_word = |word: &str| path.split(' ').any(|other| other == word);
        let last = label.rsplit('›').next().unwrap_or_default();
        label.contains('›')
            && spaced_words(&entry.label) == spaced_words(last)
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
    let place = match screen.folders.last() {
        Some(folder) => format!("in the open folder `{folder}`"),
        None => "on this page".to_owned(),
    };
    Err(format!("nothing {place} is called `{label}`{near}"))
}

/// Returns the labels that are nearest to the words, in normal form.
fn nearest(screen: &Screen, wanted: &str) -> BTreeSet<String> {
    let labels: Vec<String> =
        screen.entries.iter().map(|entry| spaced_words(&entry.label)).collect();
    let nearest = suggest::nearest_of_all(wanted, labels.iter().map(String::as_str));
    nearest.into_iter().map(str::to_owned).collect()
}

/// Returns the labels with most of the words, without repetition; for a path, the paths with most.
/// A word counts less the more of them have it.
fn with_most_words(screen: &Screen, label: &str) -> Vec<String> {
    let is_path = label.contains('›');
    let name = |entry: &ScreenEntry| if is_path { entry.path() } else { entry.label.clone() };
    let names: BTreeSet<String> = screen.entries.iter().map(name).collect();
    let wanted = spaced_words(label);
    let wanted: BTreeSet<&str> = wanted.split(' ').filter(|word| word.len() > 3).collect();
    let shared = |name: &String| -> Vec<String> {
        let words = spaced_words(name);
        let words: BTreeSet<&str> = words.split(' ').collect();
        words.intersection(&wanted).map(|word| (*word).to_owned()).collect()
    };
    let shared: Vec<Vec<String>> = names.iter().map(shared).collect();
    let mut n_with: BTreeMap<&String, u32> = BTreeMap::new();
    shared.iter().flatten().for_each(|word| *n_with.entry(word).or_default() += 1);
    let worth = |words: &Vec<String>| words.iter().map(|word| 1.0 / f64::from(n_with[word])).sum();
    let mut scored: Vec<(f64, String)> = shared.iter().map(worth).zip(names).collect();
    scored.retain(|(worth, _)| *worth > 0.0);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(MAX_NAMED).map(|(_, name)| name).collect()
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
            ("git-rebase(1)", &[], "i"),
            ("git-reset(1)", &[], "j"),
            ("git-relase(1)", &[], "k"),
        ]);
        assert_eq!(entry_of(&screen, "engine cooling and exhaust"), Ok(1));
        assert_eq!(entry_of(&screen, "Specifications"), Ok(2));
        assert_eq!(entry_of(&screen, "Brakes › Specifications"), Ok(3));
        assert_eq!(entry_of(&screen, "Relais & Modules"), Ok(4));
        assert_eq!(entry_of(&screen, "exhaust"), Ok(1));
        assert_eq!(entry_of(&screen, "git rebas(1)"), Ok(9));
        assert!(entry_of(&screen, "git re_ase(1)").unwrap_err().contains("fits 2 entries"));
        assert_eq!(entry_of(&screen, "Switch › Service"), Ok(7));
        let missing = entry_of(&screen, "Ignition Coil › Service").unwrap_err();
        let (lock, distributor) = ("Ignition Lock Switch", "Distributor");
        let paths = [distributor, lock].map(|one| format!("`Ignition System › {one} › Service`"));
        assert!(missing.contains(&paths.join(", ")), "{missing}");
        let ambiguous = entry_of(&screen, "Locations").unwrap_err();
        assert!(ambiguous.contains("5 `Brakes › Locations`, 6 `Engine › Locations`"));
        let unknown = entry_of(&screen, "Torque").unwrap_err();
        assert_eq!(unknown, "nothing on this page is called `Torque`");
    }
}
