//! Names and quoted words in a goal, and what it is about. All places are those of the goal in
//! lower case.

use crate::shared::lower_words;
use crate::walk::pilot::verbs::OrderVerb;

/// The shortest name that a goal can mean without quotes, in characters.
pub(crate) const LEAST_NAME: usize = 2;
/// What a thing that is opened is called by its kind.
const OBJECTS: [&str; 8] = ["box", "button", "checkbox", "field", "form", "link", "page", "tab"];
/// What a question begins with.
const QUESTIONS: [&str; 16] = [
    "how", "what", "where", "which", "why", "when", "who", "whose", "is", "are", "can", "could",
    "do", "does", "should", "will",
];
/// The words of names that say where a page stands among others, and nothing of what is on it.
const BOILERPLATE: [&str; 30] = [
    "about",
    "author",
    "authors",
    "back",
    "chapter",
    "contact",
    "contents",
    "copyright",
    "first",
    "forward",
    "go",
    "home",
    "imprint",
    "index",
    "last",
    "licence",
    "license",
    "modules",
    "next",
    "page",
    "prev",
    "previous",
    "privacy",
    "section",
    "sitemap",
    "the",
    "to",
    "top",
    "up",
    "us",
];

/// Names for the way into an account.
const SIGN_INS: [&str; 6] = ["log in", "login", "log on", "sign in", "signin", "sign on"];
/// Reports whether a name is one that pages of any site have: `Next`, `Up`, `About us`. It is
/// little evidence of anything.
pub(crate) fn is_boilerplate(name: &str) -> bool {
    lower_words(name).all(|word| BOILERPLATE.contains(&word.as_str()))
}

/// Reports whether a goal asks something, and does not say what to do.
pub(crate) fn is_question(goal: &str) -> bool {
    let first = lower_words(goal).next().unwrap_or_default();
    goal.trim_end().ends_with('?') || QUESTIONS.contains(&first.as_str())
}

/// Returns what a goal is about; of one that may be carried out, without the words that say what to
/// do.
pub(crate) fn topic_of(goal: &str, may_be_done: bool) -> String {
    if may_be_done && !is_question(goal) { without_orders(goal) } else { goal.to_owned() }
}

/// Returns a goal without the words that say what to do with something, and what it is: they are no
/// topic. `click the link "Prices"` is about prices.
fn without_orders(goal: &str) -> String {
    let is_order = |word: &&str| {
        let word = word.to_lowercase();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        OrderVerb::of(word).is_some_and(OrderVerb::opens) || OBJECTS.contains(&word)
    };
    goal.split_whitespace().filter(|word| !is_order(word)).collect::<Vec<_>>().join(" ")
}

/// Returns the quoted words of a goal, with their places.
pub(crate) fn quoted(goal: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(begin) = goal[rest..].find('"') {
        let begin = rest + begin + 1;
        let Some(length) = goal[begin..].find('"') else { break };
        found.push((begin, goal[begin..begin + length].to_owned()));
        rest = begin + length + 1;
    }
    found
}

/// Returns where a goal has a name, as whole words.
pub(crate) fn find_name(lower: &str, name: &str) -> Option<usize> {
    let name = name.trim().to_lowercase();
    if name.chars().count() < LEAST_NAME {
        let quoted = format!("\"{name}\"");
        return lower.find(&quoted).filter(|_| !name.is_empty());
    }
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    lower.match_indices(&name).map(|(at, _)| at).find(|at| {
        !is_letter(lower[..*at].chars().next_back())
            && !is_letter(lower[at + name.len()..].chars().next())
    })
}

/// Returns the names for signing in.
pub(crate) fn sign_ins() -> impl Iterator<Item = &'static str> {
    SIGN_INS.into_iter()
}

/// Reports whether a name is one of those for signing in: sites have one, and goals another.
pub(crate) fn signs_in(name: &str) -> bool {
    SIGN_INS.contains(&name.trim().to_lowercase().as_str())
}

/// Reports whether what stands at a place is quoted.
pub(crate) fn is_quoted(lower: &str, at: usize) -> bool {
    lower[..at].ends_with(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_about_its_object() {
        assert_eq!(
            without_orders("Click the link \"Prices\", then list my orders"),
            "the \"Prices\", then my orders"
        );
    }

    #[test]
    fn names_that_any_site_has_are_boilerplate() {
        for name in ["Next", "« Prev", "Up", "About us", "Authors", "Index", "Go to the top"] {
            assert!(is_boilerplate(name), "{name}");
        }
        for name in ["Next release", "Cart", "Index of parts"] {
            assert!(!is_boilerplate(name), "{name}");
        }
    }
}
