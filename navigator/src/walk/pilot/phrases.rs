//! Where a goal says something: names, quoted words, and whether they are asked for or only stand
//! in it. All places are those of the goal in lower case.

use crate::shared::lower_words;

/// The shortest name that a goal can mean without quotes, in characters.
pub(crate) const LEAST_NAME: usize = 2;
/// What a goal says before the name of something that it wants opened.
const OPENS: [&str; 16] = [
    "click", "open", "press", "hit", "tap", "follow", "go", "visit", "choose", "select", "show",
    "navigate", "find", "list", "view", "see",
];
/// Those of them that say so of a button alone.
const PRESSES: [&str; 4] = ["click", "hit", "press", "tap"];
/// What such a thing is called by its kind.
const OBJECTS: [&str; 8] = ["box", "button", "checkbox", "field", "form", "link", "page", "tab"];
/// How far before a name such a word may stand, in words: `click on the link`.
const MAX_BETWEEN: usize = 4;
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

/// What ends a part of a goal that says to do something.
const CLAUSE_ENDS: [&str; 8] =
    [", and ", ", then ", " and then ", " and ", " then ", ", ", "; ", ". "];
/// Words that tell nothing of a thing.
const SMALL_WORDS: [&str; 16] = [
    "a", "all", "an", "at", "for", "from", "in", "into", "my", "of", "on", "that", "the", "this",
    "to", "with",
];
/// What a goal says that wants to know something, and not to have it done.
const READS: [&str; 10] =
    ["find", "get", "list", "look", "read", "search", "see", "show", "tell", "view"];
/// Words before a `then` that is a time.
const OF_TIMES: [&str; 4] = ["by", "from", "since", "until"];
/// Names for the way into an account.
const SIGN_INS: [&str; 6] = ["log in", "login", "log on", "sign in", "signin", "sign on"];
/// What several equal controls are for.
const THINGS: [&str; 6] = ["one", "item", "row", "entry", "line", "thing"];
/// Numbers of places, as words.
const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

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
        OPENS.contains(&word) || OBJECTS.contains(&word)
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

/// Reports whether a name is one of those for signing in: sites have one, and goals another.
pub(crate) fn signs_in(name: &str) -> bool {
    SIGN_INS.contains(&name.trim().to_lowercase().as_str())
}

/// Returns where a goal says to sign in, whatever it calls that: where that begins what it says to
/// do, or is to be pressed. `list failed sign in attempts` is about something else.
pub(crate) fn find_sign_in(lower: &str) -> Option<usize> {
    let is_order = |at: &usize| {
        is_pressed_at(lower, *at) || clauses(lower).iter().any(|(begin, _)| begin == at)
    };
    SIGN_INS.iter().filter_map(|name| find_name(lower, name)).filter(is_order).min()
}

/// A name whose words stand in a goal in their order, with others between them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SpreadName {
    /// Where its first word stands.
    pub(crate) at: usize,
    /// The words between: `lamp`, of `add the lamp to the cart` and the name `Add to cart`.
    pub(crate) between: Vec<String>,
}

/// Returns where a goal says to do what a name of several words says, with the thing that it is
/// done to between them. Its first word begins a clause, and the others stand in the same one.
pub(crate) fn spread_name(lower: &str, name: &str) -> Option<SpreadName> {
    let name: Vec<String> = lower_words(name).collect();
    if name.len() < 2 || is_question(lower) {
        return None;
    }
    let mut clauses = clauses(lower).into_iter();
    clauses.find_map(|(at, clause)| {
        let mut wanted = name.iter().peekable();
        let mut between = Vec::new();
        let mut all = lower_words(clause);
        wanted.next_if(|first| all.next().as_ref() == Some(*first))?;
        for word in all {
            let is_named = wanted.next_if(|next| **next == word).is_some();
            if !is_named && !SMALL_WORDS.contains(&word.as_str()) {
                // `close the account tab` closes no account.
                wanted.peek()?;
                between.push(word);
            }
        }
        let is_whole = wanted.peek().is_none() && between.len() <= MAX_BETWEEN;
        is_whole.then_some(SpreadName { at, between })
    })
}

/// Returns the parts of a goal that each say to do something, with their places.
fn clauses(lower: &str) -> Vec<(usize, &str)> {
    let mut clauses = Vec::new();
    let mut begin = 0;
    let mut add = |begin: usize, end: usize| {
        let clause = &lower[begin..end];
        let trimmed = clause.trim_start_matches(|c: char| !c.is_alphanumeric());
        clauses.push((begin + clause.len() - trimmed.len(), trimmed));
    };
    while let Some((at, length)) = CLAUSE_ENDS
        .iter()
        .filter_map(|end| Some((begin + lower[begin..].find(end)?, end.len())))
        .min_by_key(|(at, length)| (*at, usize::MAX - length))
    {
        add(begin, at);
        begin = at + length;
    }
    add(begin, lower.len());
    clauses
}

/// The order in which a goal wants things done: first this, then that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GoalOrder {
    /// Where each further thing begins.
    thens: Vec<usize>,
}

impl GoalOrder {
    /// Reads a goal in lower case. A `then` in quotes is no order, nor is `since then`.
    pub(crate) fn of(lower: &str) -> GoalOrder {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let mut is_quoted = false;
        let mut from = 0;
        let mut thens = Vec::new();
        for (at, then) in lower.match_indices("then") {
            let (before, after) = (&lower[..at], &lower[at + then.len()..]);
            is_quoted ^= lower[from..at].matches('"').count() % 2 == 1;
            from = at;
            let is_word =
                !is_letter(before.chars().next_back()) && !is_letter(after.chars().next());
            let last = before.split_whitespace().next_back().unwrap_or_default();
            if is_word && !is_quoted && !OF_TIMES.contains(&last) {
                thens.push(at);
            }
        }
        GoalOrder { thens }
    }

    /// Returns how many things come before what stands at a place.
    pub(crate) fn n_before(&self, at: usize) -> usize {
        self.thens.partition_point(|then| *then < at)
    }
}

/// Reports whether what stands at a place is the last thing that a goal says to do.
pub(crate) fn is_last_clause(lower: &str, at: usize) -> bool {
    clauses(lower).last().is_some_and(|(begin, clause)| {
        let reads = lower_words(clause).next().is_some_and(|verb| READS.contains(&verb.as_str()));
        *begin <= at && !reads && !is_question(lower)
    })
}

/// Returns which of several things a goal means, by the word before a place (`the 2nd "Delete"`) or
/// after one that ends there: `delete the second one`.
pub(crate) fn ordinal(lower: &str, at: usize, end: usize) -> Option<usize> {
    let before = lower[..at].trim_end_matches(['"', '\'']).split_whitespace().next_back();
    let mut after =
        lower_words(lower.get(end..).unwrap_or_default()).skip_while(|word| word == "the");
    let (number, thing) = (after.next(), after.next());
    // `press delete first and then save` means no first one.
    let is_thing = thing.is_none_or(|thing| THINGS.contains(&thing.as_str()));
    let after = number.filter(|_| is_thing).as_deref().and_then(nth);
    before.and_then(nth).or(after)
}

fn nth(word: &str) -> Option<usize> {
    if let Some(at) = ORDINALS.iter().position(|ordinal| *ordinal == word) {
        return Some(at + 1);
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))?;
    digits.parse().ok().filter(|nth| *nth > 0)
}

/// Reports whether what stands at a place is quoted.
pub(crate) fn is_quoted(lower: &str, at: usize) -> bool {
    lower[..at].ends_with(['"', '\''])
}

/// Reports whether a goal wants pressed or opened what stands at a place: a word for that is before
/// it.
pub(crate) fn is_pressed(lower: &str, at: usize) -> bool {
    let before: Vec<&str> = lower[..at].split_whitespace().rev().take(MAX_BETWEEN).collect();
    // What is pressed before the last comma is something else.
    let same = before.iter().take_while(|word| !word.ends_with([',', ';', '.']));
    same.into_iter().any(|word| OPENS.contains(word))
}

/// Reports whether the words right before a place say to press it: `click the "Apply"`.
pub(crate) fn is_pressed_at(lower: &str, at: usize) -> bool {
    let before = lower.get(..at).unwrap_or_default().trim_end_matches(['"', ' ']);
    let mut words = before.split_whitespace().rev();
    let last = words.find(|word| !matches!(*word, "the" | "on" | "a" | "button" | "link"));
    last.is_some_and(|word| PRESSES.contains(&word))
}

/// Reports whether a goal wants a link opened whose name stands at a place. The words of a goal
/// stand in many links: only those count that are quoted, that a word for opening is before, or
/// that begin what the goal says to do.
pub(crate) fn is_link_named(lower: &str, at: usize, name: &str) -> bool {
    if is_quoted(lower, at) {
        return true;
    }
    let before = lower[..at].trim_end();
    let begins = before.is_empty()
        || before.ends_with([',', ';', '.', ':'])
        || before.split_whitespace().next_back().is_some_and(|word| matches!(word, "and" | "then"));
    !is_question(lower) && (is_pressed(lower, at) || begins && !is_boilerplate(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_then_comes_later() {
        let n_before =
            |lower: &str, word: &str| GoalOrder::of(lower).n_before(lower.find(word).unwrap());
        let goal = "log in, then open status and then press save";
        assert_eq!(["log", "open", "save"].map(|word| n_before(goal, word)), [0, 1, 2]);
        assert_eq!(n_before("name \"now, then\", press save", "save"), 0);
        assert_eq!(n_before("show orders since then, press save", "save"), 0);
        assert_eq!(n_before("strengthen it, press save", "save"), 0);
    }

    #[test]
    fn what_is_to_be_pressed_is_no_text() {
        let is_pressed = |goal: &str| is_pressed_at(goal, goal.rfind('"').unwrap() - 3);
        assert!(is_pressed("choose german and click \"now\""));
        assert!(is_pressed("press the button \"now\""));
        assert!(!is_pressed("click \"search\" and type \"now\""));
        assert!(!is_pressed("find \"now\""));
    }

    #[test]
    fn the_name_of_a_link_stands_in_many_goals_and_few_name_it() {
        let named = |goal: &str, name: &str| {
            let lower = goal.to_lowercase();
            find_name(&lower, name).is_some_and(|at| is_link_named(&lower, at, name))
        };
        assert!(named("Open the cart", "Cart"));
        assert!(named("Click on the link \"Up\"", "Up"));
        assert!(named("log in as ada, then list my orders", "Orders"));
        assert!(named("log in as ada", "Log in"));
        assert!(!named("how do I set up a server?", "Up"));
        assert!(!named("set up a server", "Up"));
        assert!(!named("how do I open the cart?", "Cart"));
        assert!(!named("what comes next", "Next"));
        assert!(!named("about the authors", "About"));
    }

    #[test]
    fn a_name_may_have_its_thing_between_its_words() {
        let between = |goal: &str, name: &str| spread_name(goal, name).map(|one| one.between);
        assert_eq!(between("open the dialog", "Open dialog"), Some(vec![]));
        let lamp = Some(vec!["lamp".to_owned()]);
        assert_eq!(between("add the lamp to the cart", "Add to cart"), lamp);
        assert_eq!(spread_name("log in, add the lamp to the cart", "Add to cart").unwrap().at, 8);
        for goal in [
            "how do i add a lamp to the cart?",
            "who can add to the cart",
            "add a lamp, then go to the cart",
            "the cart to add to",
            "add the lamp to the cart page",
        ] {
            assert_eq!(between(goal, "Add to cart"), None, "{goal}");
        }
        assert_eq!(between("open the dialog", "Dialog"), None);
    }

    #[test]
    fn the_last_clause_ends_what_is_to_be_done() {
        assert!(is_last_clause("open the dialog", 0));
        assert!(is_last_clause("log in as ada, then press save", 20));
        assert!(!is_last_clause("log in as ada, then press save", 0));
        assert!(!is_last_clause("log in as ada and list my orders", 18));
        assert!(!is_last_clause("how do i save?", 9));
    }

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
