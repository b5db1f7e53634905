//! What a goal names exactly: names of code, things by their numbers, years.

use std::collections::BTreeSet;

/// What stands beside the number of anything.
const OF_ANYTHING: [&str; 4] = ["id", "no", "nr", "number"];
/// What is told apart by its number: `item 240` is no other item.
const NUMBERED: [&str; 25] = [
    "article", "bug", "case", "comment", "entry", "error", "id", "invoice", "issue", "item", "job",
    "lot", "message", "no", "nr", "number", "order", "part", "product", "question", "record",
    "row", "step", "task", "ticket",
];

/// Returns the names of code in a goal: words in backticks, with a sign that only code has within
/// them, or with several capitals (`KeepAliveTimeout`, `querySelector`). Names of products often
/// have two (`JavaScript`), and stand everywhere or nowhere.
pub(super) fn names_of_code(goal: &str) -> Vec<String> {
    let marked =
        goal.split('`').skip(1).step_by(2).filter(|name| !name.contains(char::is_whitespace));
    let plain = goal.split(|c: char| c.is_whitespace() || "`'\",;?!()[]{}".contains(c));
    let plain =
        plain.map(|word| word.trim_matches(['.', ':'])).filter(|word| is_name_of_code(word));
    let mut names: Vec<String> = Vec::new();
    for name in marked.chain(plain).filter(|name| name.contains(char::is_alphanumeric)) {
        if !names.iter().any(|one| one == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Returns what a goal tells apart by a number: `item 240`, `#17`.
pub(super) fn numbered_in(goal: &str) -> BTreeSet<(String, String)> {
    let mut numbered = BTreeSet::new();
    let mut before = String::new();
    for word in goal.split_whitespace() {
        let number = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && word.contains(&format!("#{number}")) {
            numbered.insert((String::new(), number.to_owned()));
        } else if is_number && NUMBERED.contains(&before.as_str()) {
            numbered.insert((before, number.to_owned()));
        }
        before = number.to_lowercase();
    }
    numbered
}

/// Returns the years of a text: numbers from 1900 to 2099 that stand alone.
pub(super) fn years_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !"._".contains(c));
    let words = words.map(|word| word.trim_matches(['.', '_']));
    words.filter(|word| {
        let is_number = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        is_number && (word.starts_with("19") || word.starts_with("20"))
    })
}

/// Reports whether a text has what is told apart by a number: the number stands after the noun or
/// after `no.`, or begins a line or a row. `Item 80 costs 240` has no item 240.
pub(super) fn has_numbered(text: &str, noun: &str, number: &str) -> bool {
    let is_any = noun.is_empty() || OF_ANYTHING.contains(&noun);
    let tells = |word: &str| match is_any {
        true => NUMBERED.contains(&word),
        false => word == noun || OF_ANYTHING.contains(&word),
    };
    text.lines().any(|line| {
        let line = line.to_lowercase();
        line.match_indices(number).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + number.len()..]);
            let is_whole = !before.ends_with(char::is_alphanumeric)
                && !before.ends_with(['.', ','])
                && !after.starts_with(char::is_alphanumeric);
            let mut words = before.split(|c: char| !c.is_alphanumeric());
            let last = words.rfind(|word| !word.is_empty());
            is_whole && (before.ends_with('#') || last.is_none_or(tells))
        })
    })
}

fn is_name_of_code(word: &str) -> bool {
    if word.contains("://") {
        return false;
    }
    let letters: Vec<char> = word.chars().collect();
    let n_humps = letters.windows(2).filter(|two| two[0].is_lowercase() && two[1].is_uppercase());
    let begins_small = letters.iter().take_while(|c| c.is_lowercase()).count() > 1
        && letters.last().is_some_and(|last| last.is_lowercase());
    let is_option =
        word.strip_prefix("--").is_some_and(|name| name.starts_with(char::is_alphabetic));
    let has_sign = is_option || word.trim_matches('_').contains('_') || word.contains("::");
    has_sign || n_humps.count() >= if begins_small { 1 } else { 2 }
}

/// Returns the letters and digits of a text in lower case, as if it were one name.
pub(super) fn joined(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::pilot::evidence::WalkGoal;

    #[test]
    fn names_of_code_are_looked_for_whole_or_in_parts() {
        for (goal, names) in [
            ("the default value of KeepAliveTimeout?", &["KeepAliveTimeout"][..]),
            ("what is `git-rebase` for, and what `git rebase -i`", &["git-rebase"]),
            (
                "querySelector() of max_connections in Vec::new.",
                &["querySelector", "max_connections", "Vec::new"],
            ),
            ("JavaScript on macOS, an iPhone, PostgreSQL, see https://a_b.example/", &[]),
            ("coolant capacity of the 2012 Liberty 3.7", &[]),
            ("follow children with --trace-children -- as a rule", &["--trace-children"]),
        ] {
            assert_eq!(names_of_code(goal), names, "{goal}");
        }
        let goal = WalkGoal::of("the default value of KeepAliveTimeout");
        assert!(!goal.is_unnamed_in("Keep-Alive Timeout: 5") && goal.is_unnamed_in("Timeout: 5"));
        assert_eq!(goal.missing_names("Timeout: 5"), ["KeepAliveTimeout"]);
        assert!(!WalkGoal::of("the timeout").is_unnamed_in(""));
    }

    #[test]
    fn a_number_tells_apart_what_it_stands_beside() {
        for (goal, numbered) in [
            ("what is the price of item 240?", &[("item", "240")][..]),
            ("Order no. 17, and #8", &[("", "8"), ("no", "17")]),
            ("coolant of the 2012 Liberty with 4 doors", &[]),
            ("the 3 items that cost most", &[]),
        ] {
            let numbered = numbered.iter().map(|(noun, one)| (noun.to_string(), one.to_string()));
            assert_eq!(numbered_in(goal), numbered.collect(), "{goal}");
        }
        let goal = WalkGoal::of("the price of item 240");
        for text in ["It is Item 240.", "item no. 240", "| 240 | Lamp |", "new:\n- #240, a lamp"] {
            assert!(!goal.is_unnamed_in(text), "{text}");
        }
        for text in ["Item 2401, item 24", "Item 80 costs 240 EUR", "| Lamp | 240 |"] {
            assert!(goal.is_unnamed_in(text), "{text}");
        }
        assert_eq!(goal.missing_numbers("item 24"), ["240"]);
    }

    #[test]
    fn another_year_is_another_thing() {
        let goal = WalkGoal::of("coolant capacity of the 2012 Averon");
        assert!(goal.is_unnamed_in("Coolant of the 2011 Averon: 7.1 L"));
        for text in ["Coolant of the Averon", "2011 and 2012: 9.5 L", "Part 20113, v2.2011"] {
            assert!(!goal.is_unnamed_in(text), "{text}");
        }
        assert!(goal.is_named_in("2012 Averon") && !goal.is_named_in("Averon"));
        assert_eq!(goal.missing_numbers("of 2011"), ["2012"]);
    }
}
