//! The order of the rooms: a file uses its own room and the rooms before it, and no two files of a
//! room use each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::{Source, paths_after, production_code, sources, trees_of_uses};

/// The rooms of each crate in the order that data takes them.
const ORDER: [(&str, &[&str]); 3] = [
    (
        "repo-map",
        &[
            "text", "level", "exit", "error", "source", "outline", "plan", "render", "score",
            "fit", "map", "report", "cli", "lib", "main",
        ],
    ),
    (
        "site-map",
        &["error", "address", "source", "page", "explore", "site", "live", "cli", "lib", "main"],
    ),
    (
        "navigator",
        &[
            "error",
            "shared",
            "placeholder",
            "money",
            "store",
            "browser",
            "run",
            "model",
            "pilot",
            "walk",
            "knowledge",
            "navigator",
            "terrain",
            "app",
            "lib",
            "main",
        ],
    ),
];

/// What `crate::` paths lead to: for each file of a crate, the files that it uses.
fn uses(files: &[Source]) -> BTreeMap<&str, BTreeSet<&str>> {
    let by_module: BTreeMap<Vec<&str>, &Source> =
        files.iter().map(|file| (file.module(), file)).collect();
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in files {
        let code = production_code(&file.text);
        let own = file.module();
        let above = &own[..own.len().saturating_sub(1)];
        let absolute = paths_after(&code, "crate::").into_iter();
        let relative = paths_after(&code, "super::")
            .into_iter()
            .map(|path| above.iter().map(|one| (*one).to_owned()).chain(path).collect());
        for path in absolute.chain(relative) {
            if let Some(used) = resolved(&by_module, &path, 0)
                && used != file.path
            {
                uses.entry(&file.path).or_default().insert(used);
            }
        }
    }
    uses
}

/// The file that a path of modules and a name leads to, through what fronts hand on.
fn resolved<'a>(
    by_module: &BTreeMap<Vec<&str>, &'a Source>,
    path: &[String],
    depth: usize,
) -> Option<&'a str> {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    let n = (0..=words.len()).rev().find(|n| by_module.contains_key(&words[..*n]))?;
    let file = by_module[&words[..n]];
    let Some(name) = words.get(n).filter(|_| file.is_front() && depth < 8) else {
        return Some(&file.path);
    };
    for tree in trees_of_uses(&file.text) {
        if tree.last().map(String::as_str) != Some(*name) {
            continue;
        }
        let target: Vec<String> = match tree[0].as_str() {
            "crate" => tree[1..].to_vec(),
            _ => words[..n].iter().map(|one| (*one).to_owned()).chain(tree).collect(),
        };
        if target[..] != *path {
            return resolved(by_module, &target, depth + 1);
        }
    }
    Some(&file.path)
}

fn room(path: &str) -> &str {
    let inside = path.split_once("/src/").map_or(path, |(_, inside)| inside);
    inside.split(['/', '.']).next().unwrap_or(inside)
}

/// Every use of a later room, and every file whose room is not in the list.
fn out_of_order(files: &[Source], order: &[&str]) -> Vec<String> {
    let place = |path: &str| order.iter().position(|one| *one == room(path));
    let mut wrong: Vec<String> = files
        .iter()
        .filter(|file| place(&file.path).is_none())
        .map(|file| format!("{}: the room `{}` has no place", file.path, room(&file.path)))
        .collect();
    for (user, used) in uses(files) {
        let later = used.into_iter().filter(|used| place(used) > place(user));
        wrong.extend(later.map(|used| format!("{user} uses {used}, of a later room")));
    }
    wrong
}

/// A way from a file back to itself, for each file that has one.
fn cycles(files: &[Source]) -> Vec<String> {
    let uses = uses(files);
    let none = BTreeSet::new();
    let mut found = Vec::new();
    for start in uses.keys() {
        let mut todo = vec![vec![*start]];
        let mut seen = BTreeSet::new();
        while let Some(way) = todo.pop() {
            let last = way[way.len() - 1];
            for next in uses.get(last).unwrap_or(&none) {
                if next == start {
                    found.push(format!("{} -> {start}", way.join(" -> ")));
                    todo.clear();
                    break;
                }
                if room(next) == room(start) && seen.insert(*next) {
                    todo.push([&way[..], &[*next]].concat());
                }
            }
        }
    }
    found
}

#[test]
fn a_file_uses_its_own_room_and_rooms_before_it() {
    for (name, order) in ORDER {
        let wrong = out_of_order(&sources(&format!("{name}/src")), order);
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

#[test]
fn no_two_files_of_a_room_use_each_other() {
    for (name, _) in ORDER {
        let cycles = cycles(&sources(&format!("{name}/src")));
        assert!(cycles.is_empty(), "{cycles:#?}");
    }
}

#[test]
fn a_room_says_what_it_is_for_in_at_most_ten_lines() {
    for file in ORDER.iter().flat_map(|(name, _)| sources(&format!("{name}/src"))) {
        let n = file.text.lines().take_while(|line| line.starts_with("//!")).count();
        let is_room = file.path.ends_with("/mod.rs");
        assert!(!is_room || (1..=10).contains(&n), "{}: {n} lines", file.path);
    }
}

#[test]
fn a_use_of_a_later_room_and_a_cycle_are_found() {
    let house = |low: &str, front: &str, one: &str, two: &str| {
        [
            ("c/src/low.rs", low),
            ("c/src/high/mod.rs", front),
            ("c/src/high/one.rs", one),
            ("c/src/high/two.rs", two),
        ]
        .map(|(path, text)| Source { path: path.to_owned(), text: text.to_owned() })
    };
    let order = ["low", "high"];
    let front = "mod one;\nmod two;\npub use one::One;\n";
    let fine = house("struct Low;", front, "use crate::low::Low;\nstruct One;", "use super::One;");
    assert_eq!(out_of_order(&fine, &order), [""; 0]);
    assert_eq!(cycles(&fine), [""; 0]);

    let upward = house("use crate::{\n    high::One,\n};", front, "struct One;", "");
    assert_eq!(
        out_of_order(&upward, &order),
        ["c/src/low.rs uses c/src/high/one.rs, of a later room"]
    );
    assert_eq!(out_of_order(&fine, &["high"])[0], "c/src/low.rs: the room `low` has no place");

    let in_a_circle = house("", front, "fn f() { crate::high::two::g() }", "use crate::high::One;");
    assert_eq!(
        cycles(&in_a_circle)[0],
        "c/src/high/one.rs -> c/src/high/two.rs -> c/src/high/one.rs"
    );
}
