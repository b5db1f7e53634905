//! What a goal says to do, read once: its clauses, the orders that they begin, and their sequence.
//! All places are those of the goal in lower case.

use std::ops::Range;

use crate::shared::lower_words;
use crate::walk::pilot::phrases::{
    find_name, is_boilerplate, is_question, is_quoted, sign_ins, signs_in,
};
use crate::walk::pilot::verbs::OrderVerb;

/// How far before a name the word that says to open it may stand, in words: `click on the link`.
const MAX_BETWEEN: usize = 4;
/// Words that tell nothing of a thing.
const SMALL_WORDS: [&str; 16] = [
    "a", "all", "an", "at", "for", "from", "in", "into", "my", "of", "on", "that", "the", "this",
    "to", "with",
];
/// Words between a verb and its object.
const BEFORE_OBJECT: [&str; 5] = ["the", "on", "a", "button", "link"];
/// Words that stand before an order and are none of it.
const COURTESIES: [&str; 5] = ["also", "finally", "afterwards", "now", "please"];
/// Words for what was named before.
const PRONOUNS: [&str; 3] = ["it", "that", "them"];
/// Words before a `then` that is a time.
const OF_TIMES: [&str; 4] = ["by", "from", "since", "until"];
/// What ends a clause, behind a word.
const ENDS: [char; 3] = [',', ';', '.'];
/// Numbers of places, as words.
const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
/// What several equal controls are for.
const THINGS: [&str; 6] = ["one", "item", "row", "entry", "line", "thing"];

/// A goal and what it says to do.
#[derive(Debug)]
pub(crate) struct GoalOrders<'g> {
    /// The goal.
    pub(crate) text: &'g str,
    /// The goal in lower case.
    pub(crate) lower: String,
    /// It asks something, and does not say what to do.
    pub(crate) is_question: bool,
    clauses: Vec<Clause>,
}

/// A part of a goal between commas, full stops, `and` and `then`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Clause {
    begin: usize,
    end: usize,
    /// The number of `then` before it.
    n_thens: usize,
    /// The number of orders before its own. An order begins with a verb, and goes on through the
    /// clauses that have none: `enter the name Ada, quantity 3` is one.
    n_orders: usize,
}

/// A name whose words stand in a goal in their order, with others between them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SpreadName {
    /// Where its first word stands.
    pub(crate) at: usize,
    /// The words between: `lamp`, of `add the lamp to the cart` and the name `Add to cart`.
    pub(crate) between: Vec<String>,
}

impl<'g> GoalOrders<'g> {
    /// Reads a goal.
    pub(crate) fn of(text: &'g str) -> GoalOrders<'g> {
        let lower = text.to_lowercase();
        let clauses = clauses(&lower);
        GoalOrders { text, is_question: is_question(text), lower, clauses }
    }

    /// Returns the words of the goal as they are written. A goal whose small letters have another
    /// number of bytes has none.
    pub(crate) fn written(&self, begin: usize, end: usize) -> Option<&'g str> {
        self.text.get(begin..end).filter(|_| self.text.len() == self.lower.len())
    }

    /// Returns where a name stands.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        find_name(&self.lower, name)
    }

    fn clause_at(&self, at: usize) -> Clause {
        let n_begun = self.clauses.partition_point(|clause| clause.begin <= at);
        self.clauses[n_begun.saturating_sub(1)]
    }

    fn begins_clause(&self, at: usize) -> bool {
        self.clauses.iter().any(|clause| clause.begin == at)
    }

    fn words(&self, clause: &Clause) -> &str {
        &self.lower[clause.begin..clause.end]
    }

    /// Returns where the clause ends that has a place.
    pub(crate) fn clause_end(&self, at: usize) -> usize {
        self.clause_at(at).end.max(at)
    }

    /// Returns how many `then` come before what stands at a place.
    pub(crate) fn n_thens(&self, at: usize) -> usize {
        self.clause_at(at).n_thens
    }

    /// Returns how many orders come before the one of what stands at a place.
    pub(crate) fn n_orders(&self, at: usize) -> usize {
        self.clause_at(at).n_orders
    }

    /// Reports whether what stands at a place belongs to the last order, and that is to be done and
    /// not to be read.
    pub(crate) fn is_last(&self, at: usize) -> bool {
        let last = self.clause_at(usize::MAX);
        let first = self.clauses.iter().find(|clause| clause.n_orders == last.n_orders);
        let verb = first.and_then(|first| lower_words(self.words(first)).next());
        let reads = verb.and_then(|verb| OrderVerb::of(&verb)).is_some_and(OrderVerb::reads);
        self.n_orders(at) == last.n_orders && !reads && !self.is_question
    }

    /// Returns where the goal says to sign in, whatever it calls that: where that begins a clause,
    /// or is to be pressed. `list failed sign in attempts` is about something else.
    pub(crate) fn find_sign_in(&self) -> Option<usize> {
        let is_order = |at: &usize| self.is_pressed_at(*at) || self.begins_clause(*at);
        sign_ins().filter_map(|name| self.find(name)).filter(is_order).min()
    }

    /// Returns where the goal has the name of a control: as it is, as the number of a page, or as
    /// another name for signing in.
    pub(crate) fn find_label(&self, label: &str) -> Option<usize> {
        let page = is_number(label).then(|| self.find(&format!("page {label}"))).flatten();
        let signs = || signs_in(label).then(|| self.find_sign_in()).flatten();
        page.or_else(|| self.find(label)).or_else(signs)
    }

    /// Returns where the goal says to do what a name of several words says, with the thing that it
    /// is done to between them. Its first word begins a clause, and the others stand in the same
    /// one.
    pub(crate) fn spread_name(&self, name: &str) -> Option<SpreadName> {
        let name: Vec<String> = lower_words(name).collect();
        if name.len() < 2 || self.is_question {
            return None;
        }
        self.clauses.iter().find_map(|clause| {
            let mut wanted = name.iter().peekable();
            let mut between = Vec::new();
            let mut all = lower_words(self.words(clause));
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
            is_whole.then_some(SpreadName { at: clause.begin, between })
        })
    }

    /// Reports whether the goal wants pressed or opened what stands at a place: a word for that is
    /// before it, in the same order.
    pub(crate) fn is_pressed(&self, at: usize) -> bool {
        let order = self.n_orders(at);
        let first = self.clauses.iter().find(|clause| clause.n_orders == order);
        let begin = first.map_or(at, |first| first.begin).min(at);
        let mut before = lower_words(&self.lower[begin..at]).collect::<Vec<_>>().into_iter().rev();
        before
            .by_ref()
            .take(MAX_BETWEEN)
            .any(|word| OrderVerb::of(&word).is_some_and(OrderVerb::opens))
    }

    /// Reports whether the words right before a place say to press it: `click the "Apply"`.
    pub(crate) fn is_pressed_at(&self, at: usize) -> bool {
        let before = self.lower.get(..at).unwrap_or_default().trim_end_matches(['"', ' ']);
        let mut words = before.split_whitespace().rev();
        let last = words.find(|word| !BEFORE_OBJECT.contains(word));
        last.and_then(OrderVerb::of) == Some(OrderVerb::Press)
    }

    /// Reports whether the goal wants a link opened whose name stands at a place. The words of a
    /// goal stand in many links: only those count that are quoted, that a word for opening is
    /// before, or that begin a clause; and numbers of pages.
    pub(crate) fn is_link_named(&self, at: usize, name: &str) -> bool {
        let is_page = is_number(name) && self.lower[at..].starts_with("page ");
        let begins = || self.begins_clause(at) && !is_boilerplate(name);
        is_quoted(&self.lower, at)
            || !self.is_question
                && (is_page || self.is_pressed(at) || begins() || self.is_opened_next(at))
    }

    /// Reports whether the order after that of a place says to open what it was about: `find the
    /// lamp and open it`.
    fn is_opened_next(&self, at: usize) -> bool {
        let order = self.n_orders(at) + 1;
        let next = self.clauses.iter().find(|clause| clause.n_orders == order);
        next.is_some_and(|next| {
            let mut words = lower_words(self.words(next));
            let verb = words.next().and_then(|verb| OrderVerb::of(&verb));
            verb.is_some_and(OrderVerb::opens)
                && words.next().is_some_and(|word| PRONOUNS.contains(&word.as_str()))
        })
    }

    /// Returns which of several things the goal means, by the word before a place (`the 2nd
    /// "Delete"`) or after one that ends there: `delete the second one`.
    pub(crate) fn ordinal(&self, at: usize, end: usize) -> Option<usize> {
        let before = self.lower[..at].trim_end_matches(['"', '\'']).split_whitespace().next_back();
        let mut after =
            lower_words(self.lower.get(end..).unwrap_or_default()).skip_while(|word| word == "the");
        let (number, thing) = (after.next(), after.next());
        // `press delete first and then save` means no first one.
        let is_thing = thing.is_none_or(|thing| THINGS.contains(&thing.as_str()));
        let after = number.filter(|_| is_thing).as_deref().and_then(nth);
        before.and_then(nth).or(after)
    }
}

/// Returns the clauses of a goal in lower case, at least one. What is quoted has no ends of
/// clauses, and `since then` is no `then`.
fn clauses(lower: &str) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let (mut is_open, mut is_quoted, mut is_then) = (false, false, false);
    let (mut at, mut before) = (0, "");
    for piece in lower.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let inner = word.trim_start_matches(is_sign);
        let (begin, end) = (at + word.len() - inner.len(), at + word.trim_end_matches(ENDS).len());
        let name = inner.trim_end_matches(is_sign);
        let joins = match name {
            "and" => true,
            "then" => !OF_TIMES.contains(&before),
            _ => !is_open && (name.is_empty() || COURTESIES.contains(&name)),
        };
        if joins && !is_quoted {
            is_then |= name == "then";
            is_open = false;
        } else if !is_open {
            clauses.push(next_clause(clauses.last(), is_then, name, begin..end.max(begin)));
            (is_open, is_then) = (true, false);
        } else if let Some(last) = clauses.last_mut() {
            last.end = end.max(last.end);
        }
        is_quoted ^= word.matches('"').count() % 2 == 1;
        is_open &= is_quoted || !word.ends_with(ENDS) && !piece.ends_with('\n');
        at += piece.len();
        before = if name.is_empty() { before } else { name };
    }
    if clauses.is_empty() {
        clauses.push(next_clause(None, false, "", 0..lower.len()));
    }
    clauses
}

/// Returns the clause after another one, which begins with a word.
fn next_clause(last: Option<&Clause>, is_then: bool, first: &str, place: Range<usize>) -> Clause {
    let Range { start: begin, end } = place;
    let Some(last) = last else { return Clause { begin, end, n_thens: 0, n_orders: 0 } };
    let is_order = is_then || OrderVerb::of(first).is_some();
    let n_thens = last.n_thens + usize::from(is_then);
    Clause { begin, end, n_thens, n_orders: last.n_orders + usize::from(is_order) }
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_sign(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Reads the number of a place: `second`, `2nd`.
fn nth(word: &str) -> Option<usize> {
    if let Some(at) = ORDINALS.iter().position(|ordinal| *ordinal == word) {
        return Some(at + 1);
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))?;
    digits.parse().ok().filter(|nth| *nth > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(goal: &GoalOrders<'_>, word: &str) -> usize {
        goal.lower.rfind(word).unwrap()
    }

    #[test]
    fn what_comes_then_comes_later() {
        let n_thens = |text: &str, word: &str| {
            let goal = GoalOrders::of(text);
            goal.n_thens(place(&goal, word))
        };
        let goal = "log in, then open status. Then press save";
        assert_eq!(["log", "open", "save"].map(|word| n_thens(goal, word)), [0, 1, 2]);
        assert_eq!(n_thens("name \"now, then\", press save", "save"), 0);
        assert_eq!(n_thens("show orders since then, press save", "save"), 0);
        assert_eq!(n_thens("strengthen it, press save", "save"), 0);
    }

    #[test]
    fn an_order_begins_with_a_verb_and_goes_on_without() {
        let orders = |text: &str| {
            let goal = GoalOrders::of(text);
            let clauses = goal.clauses.iter();
            let said = clauses.map(|one| (one.n_orders, goal.words(one).to_owned()));
            said.collect::<Vec<_>>()
        };
        let own = |all: &[(usize, &str)]| {
            all.iter().map(|(order, words)| (*order, (*words).to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(
            orders("Enter the name Ada, quantity 3 and please press \"Save, now\"."),
            own(&[(0, "enter the name ada"), (0, "quantity 3"), (1, "press \"save, now\"")])
        );
        assert_eq!(
            orders("log in as ada and open Status\nlist all jobs"),
            own(&[(0, "log in as ada"), (1, "open status"), (2, "list all jobs")])
        );
        assert_eq!(orders("what has 3.7 and 4 L?"), own(&[(0, "what has 3.7"), (0, "4 l?")]));
        assert_eq!(orders(" and then "), own(&[(0, " and then ")]));
        assert_eq!(orders(""), own(&[(0, "")]));
    }

    #[test]
    fn what_is_to_be_pressed_is_no_text() {
        let is_pressed = |text: &str| {
            let goal = GoalOrders::of(text);
            goal.is_pressed_at(place(&goal, "now"))
        };
        assert!(is_pressed("choose german and click \"now\""));
        assert!(is_pressed("press the button \"now\""));
        assert!(!is_pressed("click \"search\" and type \"now\""));
        assert!(!is_pressed("find \"now\""));
    }

    #[test]
    fn the_name_of_a_link_stands_in_many_goals_and_few_name_it() {
        let named = |text: &str, name: &str| {
            let goal = GoalOrders::of(text);
            goal.find(name).is_some_and(|at| goal.is_link_named(at, name))
        };
        assert!(named("Open the cart", "Cart"));
        assert!(named("open the cart, orders", "Orders"));
        assert!(named("Click on the link \"Up\"", "Up"));
        assert!(named("log in as ada, then list my orders", "Orders"));
        assert!(named("log in as ada", "Log in"));
        assert!(named("search for the lamp and open it", "Lamp"));
        assert!(!named("search for the lamp and open the cart", "Lamp"));
        assert!(!named("how do I set up a server?", "Up"));
        assert!(!named("set up a server", "Up"));
        assert!(!named("how do I open the cart?", "Cart"));
        assert!(!named("what comes next", "Next"));
        assert!(!named("about the authors", "About"));
    }

    #[test]
    fn a_name_may_have_its_thing_between_its_words() {
        let spread = |text: &str, name: &str| GoalOrders::of(text).spread_name(name);
        let between = |text: &str, name: &str| spread(text, name).map(|one| one.between);
        assert_eq!(between("open the dialog", "Open dialog"), Some(vec![]));
        let lamp = Some(vec!["lamp".to_owned()]);
        assert_eq!(between("add the lamp to the cart", "Add to cart"), lamp);
        assert_eq!(spread("log in, add the lamp to the cart", "Add to cart").unwrap().at, 8);
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
    fn the_last_order_ends_what_is_to_be_done() {
        let is_last = |text: &str, at: usize| GoalOrders::of(text).is_last(at);
        assert!(is_last("open the dialog", 0));
        assert!(is_last("log in as ada, then press save", 20));
        assert!(is_last("log in as ada and press the button, save", 36));
        assert!(!is_last("log in as ada, then press save", 0));
        assert!(!is_last("log in as ada and list my orders", 18));
        assert!(!is_last("how do i save?", 9));
    }
}
