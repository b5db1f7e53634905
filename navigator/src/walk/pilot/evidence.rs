//! How much of a goal a text has: its words, by their rarity on the page.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::shared::{TopicTerm, findable_words, idf, topic_terms};
use crate::walk::pilot::goal_names::{has_numbered, joined, names_of_code, numbered_in, years_in};
use crate::walk::pilot::kinds::{headings, kinds_of};
use crate::walk::statements::prose;

/// What a word of the same stem counts beside the word itself.
const OF_STEM: f64 = 0.7;
/// The shortest stem.
const LEAST_STEM: usize = 4;
/// What two words of one stem end with after what they have in common: `coolant` and `cooling`, and
/// not `contact` and `control`. The families of words of `repo-map` have fewer endings, since it
/// counts each possible word in all files.
const ENDINGS: [&str; 47] = [
    "", "able", "age", "al", "ally", "ance", "ant", "ary", "ate", "ated", "ation", "d", "e", "ed",
    "en", "ence", "ent", "er", "ers", "es", "ful", "ible", "ic", "ied", "ies", "ing", "ion",
    "ions", "ism", "ist", "ity", "ive", "ize", "less", "ly", "ment", "ness", "nt", "or", "ors",
    "ory", "r", "s", "tion", "tions", "ure", "y",
];

/// What the weight of a word is beside the largest one, that it is one of the rarest.
const RAREST: f64 = 0.7;
/// What a kind of question counts beside a word of the goal.
const OF_KIND: f64 = 1.0;

/// A word that texts are searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct GoalWord {
    /// The word of the goal that it is, or that it is a part of, as it stands.
    typed: String,
    /// The identifiers that it is a part of, as texts without capitals have them.
    wholes: BTreeSet<String>,
}

impl GoalWord {
    /// Returns how much of the word a text has; `word` is its normal form.
    fn share(&self, word: &str, text: &BTreeSet<String>) -> f64 {
        let has_whole = self.wholes.iter().any(|whole| text.contains(whole));
        if has_whole { 1.0 } else { share(word, text) }
    }
}

/// The words of a goal, and the kinds of question that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WalkGoal {
    words: BTreeMap<String, GoalWord>,
    /// The names of code in it, as they stand.
    names: Vec<String>,
    /// What it tells apart by a number, as its noun (empty for `#17`) and the number.
    numbered: BTreeSet<(String, String)>,
    /// The years in it.
    years: BTreeSet<String>,
    kinds: Vec<&'static [&'static str]>,
}

impl WalkGoal {
    pub(crate) fn of(goal: &str) -> WalkGoal {
        let kinds = kinds_of(goal);
        let (words, names) = (goal_words(goal), names_of_code(goal));
        let years = years_in(goal).map(str::to_owned).collect();
        WalkGoal { words, names, numbered: numbered_in(goal), years, kinds }
    }

    /// Returns the number of different words that can be evidence.
    pub(crate) fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Returns what of a text can be evidence. In code words meet by chance: it can be evidence for
    /// a goal that has names of code.
    pub(crate) fn evidence_of<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.names.is_empty() { prose(text) } else { Cow::Borrowed(text) }
    }

    /// Returns the names of code in the goal that a text lacks, as they stand.
    pub(crate) fn missing_names(&self, text: &str) -> Vec<&str> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let text = joined(text);
        let lacks = |name: &&String| !text.contains(&joined(name));
        self.names.iter().filter(lacks).map(String::as_str).collect()
    }

    /// Returns the numbers that tell apart what the goal is about, and that a text lacks.
    pub(crate) fn missing_numbers(&self, text: &str) -> Vec<&str> {
        let lacks = |(noun, number): &&(String, String)| !has_numbered(text, noun, number);
        let numbered = self.numbered.iter().filter(lacks).map(|(_, number)| number.as_str());
        let years = self.years.iter().map(String::as_str).filter(|_| self.is_of_other_year(text));
        numbered.chain(years).collect()
    }

    /// Reports whether a text is not about what the goal names: it has none of the names of code in
    /// the goal, of which there are some, none of the numbers, or another year.
    pub(crate) fn is_unnamed_in(&self, text: &str) -> bool {
        self.lacks_names(text) || self.is_of_other_year(text)
    }

    /// Reports whether the name of a place has names of code, numbers and years of the goal, of
    /// each kind that the goal has.
    pub(crate) fn is_named_in(&self, name: &str) -> bool {
        let has_year = || years_in(name).any(|year| self.years.contains(year));
        !self.lacks_names(name) && (self.years.is_empty() || has_year())
    }

    fn lacks_names(&self, text: &str) -> bool {
        let lacks = |(noun, number): &(String, String)| !has_numbered(text, noun, number);
        !self.names.is_empty() && self.missing_names(text).len() == self.names.len()
            || !self.numbered.is_empty() && self.numbered.iter().all(lacks)
    }

    /// Reports whether a text has years, and none of those in the goal.
    fn is_of_other_year(&self, text: &str) -> bool {
        let mut years = years_in(text).peekable();
        !self.years.is_empty()
            && years.peek().is_some()
            && !years.any(|year| self.years.contains(year))
    }

    /// Returns the share of the goal that a text has where it has `share` of the words: each name
    /// of code that it lacks counts as a word, and each number that tells something apart.
    pub(crate) fn share_with_names(&self, share: f64, text: &str) -> f64 {
        let n_lacking = self.missing_names(text).len() + self.missing_numbers(text).len();
        let (n_words, n_lacking) = (self.words.len() as f64, n_lacking as f64);
        if n_lacking > 0.0 { share * n_words / (n_words + n_lacking) } else { share }
    }

    /// Reports whether the goal is a question of known kinds, and a text has no word of their
    /// headings.
    pub(crate) fn lacks_kinds(&self, text: &BTreeSet<String>) -> bool {
        let lacks = |kind: &&[&str]| kind.iter().all(|word| share(word, text) == 0.0);
        !self.kinds.is_empty() && self.kinds.iter().all(lacks)
    }

    /// Weighs the words by their rarity among texts.
    pub(crate) fn weighed(&self, texts: &[BTreeSet<String>]) -> GoalWeights {
        let n = texts.len() as f64;
        let weighed = |(form, word): (&String, &GoalWord)| {
            let n_with = texts.iter().filter(|text| word.share(form, text) > 0.0).count();
            let (weight, is_seen) = (idf(n, n_with as u32), n_with > 0);
            (form.clone(), WeighedWord { word: word.clone(), weight, is_seen })
        };
        GoalWeights { words: self.words.iter().map(weighed).collect(), kinds: self.kinds.clone() }
    }

    /// Weighs all words the same.
    pub(crate) fn equal(&self) -> GoalWeights {
        let equal = |(form, word): (&String, &GoalWord)| {
            (form.clone(), WeighedWord { word: word.clone(), weight: 1.0, is_seen: false })
        };
        GoalWeights { words: self.words.iter().map(equal).collect(), kinds: self.kinds.clone() }
    }
}

/// The words of a goal with their weights.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GoalWeights {
    /// The words by their normal form.
    words: BTreeMap<String, WeighedWord>,
    kinds: Vec<&'static [&'static str]>,
}

/// A word of a goal with its weight.
#[derive(Debug, Clone, PartialEq)]
struct WeighedWord {
    word: GoalWord,
    weight: f64,
    /// Whether one of the texts has it by whose rarity it is weighed, if there are such.
    is_seen: bool,
}

impl GoalWeights {
    /// Returns the share of the goal's words that a text has, between 0 and 1.
    pub(crate) fn share(&self, text: &BTreeSet<String>) -> f64 {
        let all: f64 = self.words.values().map(|one| one.weight).sum();
        let has = |(form, one): (&String, &WeighedWord)| one.weight * one.word.share(form, text);
        let has: f64 = self.words.iter().map(has).sum();
        if all > 0.0 { has / all } else { 0.0 }
    }

    /// Returns the share of the goal that a place has, between 0 and 1: its words, and the kind of
    /// question, which its last name alone decides.
    pub(crate) fn share_of_place(&self, place: &BTreeSet<String>, last: &str) -> f64 {
        let of_words = self.share(place);
        // The heading of a kind alone is that of any topic.
        let n_of_kind = if of_words > 0.0 { self.n_of_kind(last) } else { 0.0 };
        self.share_with_kinds(of_words, n_of_kind)
    }

    /// Returns the share that a text has of what names above its heading leave open; 1 if that is
    /// nothing. What the heading repeats is open.
    pub(crate) fn share_beside(&self, above: &str, heading: &str, text: &BTreeSet<String>) -> f64 {
        let (above, own) = (evidence_words(above), evidence_words(heading));
        let is_open = |form: &String, one: &WeighedWord| {
            one.word.share(form, &above) == 0.0 || one.word.share(form, &own) > 0.0
        };
        let words = self.words.iter().filter(|(form, one)| is_open(form, one));
        let words = words.map(|(form, one)| (form.clone(), one.clone())).collect();
        let open = GoalWeights { words, kinds: self.kinds.clone() };
        if open.words.is_empty() && open.kinds.is_empty() {
            return 1.0;
        }
        open.share_with_kinds(open.share(text), open.n_of_kind(heading))
    }

    /// Returns the number of kinds of question that a heading answers.
    fn n_of_kind(&self, heading: &str) -> f64 {
        let heading = evidence_words(heading);
        let is_of = |kind: &&&[&str]| kind.iter().any(|word| heading.contains(*word));
        self.kinds.iter().filter(is_of).count() as f64
    }

    /// A word counts by its weight, a kind of question as a word does on the average.
    fn share_with_kinds(&self, of_words: f64, n_of_kind: f64) -> f64 {
        let n_words = self.words.len() as f64;
        let all = n_words + OF_KIND * self.kinds.len() as f64;
        let has = n_words * of_words + OF_KIND * n_of_kind;
        let share = if all > 0.0 { has / all } else { 0.0 };
        // In millionths, so that no last digit of a logarithm decides an order.
        (share * 1e6).round() / 1e6
    }

    /// Returns the words of the goal that a text lacks, as they stand in the goal, sorted.
    pub(crate) fn missing(&self, text: &BTreeSet<String>) -> BTreeSet<&str> {
        let lacking = self.words.iter().filter(|(form, one)| one.word.share(form, text) == 0.0);
        lacking.map(|(_, one)| one.word.typed.as_str()).collect()
    }

    /// Reports whether a text lacks one of the rarest words of the goal.
    pub(crate) fn lacks_rarest(&self, text: &BTreeSet<String>) -> bool {
        self.lacks_rarest_of(text, |_| true)
    }

    /// Reports whether a text lacks one of the rarest words of the goal that places are called by.
    pub(crate) fn lacks_rarest_seen(&self, text: &BTreeSet<String>) -> bool {
        self.lacks_rarest_of(text, |word| word.is_seen)
    }

    fn lacks_rarest_of(&self, text: &BTreeSet<String>, counts: fn(&WeighedWord) -> bool) -> bool {
        let words = || self.words.iter().filter(|(_, one)| counts(one));
        let most = words().map(|(_, one)| one.weight).fold(0.0, f64::max);
        let mut rarest = words().filter(|(_, one)| one.weight >= RAREST * most);
        rarest.any(|(form, one)| one.word.share(form, text) == 0.0)
    }
}

/// What a question has for a time that its answer tells: `how often`.
const OF_QUESTIONS: [&str; 1] = ["often"];

/// How a question asks for an amount: its answer has the number.
const OF_AMOUNT: [&str; 2] = ["how many ", "how much "];

/// Returns a goal without the words by which it begins to ask for an amount.
fn without_amount(goal: &str) -> &str {
    let asks = |words: &&&str| {
        goal.get(..words.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(words))
    };
    OF_AMOUNT.iter().find(asks).map_or(goal, |words| &goal[words.len()..])
}

/// Returns the words of a goal that can be evidence, by their normal form.
fn goal_words(goal: &str) -> BTreeMap<String, GoalWord> {
    let mut words: BTreeMap<String, GoalWord> = BTreeMap::new();
    let mut add = |form: String, typed: &str, whole: Option<String>| {
        let new = || GoalWord { typed: typed.to_owned(), wholes: BTreeSet::new() };
        words.entry(form).or_insert_with(new).wholes.extend(whole);
    };
    let goal = without_amount(goal);
    let topic = topic_terms(goal).into_iter().filter(|term| !OF_QUESTIONS.contains(&&*term.typed));
    for TopicTerm { typed, words, whole } in topic {
        for form in words {
            add(form, &typed, whole.clone());
        }
    }
    for word in plain_words(goal) {
        add(word.clone(), &word, None);
    }
    words
}

/// Returns the words of a text by which a goal finds it: those of a topic, its identifiers as a
/// whole, and what [`plain_words`] returns.
pub(crate) fn evidence_words(text: &str) -> BTreeSet<String> {
    findable_words(text).chain(plain_words(text)).collect()
}

/// Returns the words of a text with a digit, and those that head the answers to a kind of question,
/// some of which say nothing elsewhere.
fn plain_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-'));
    let words = words.map(|word| word.trim_matches(['.', '-']).to_lowercase());
    words.filter_map(|word| {
        let singular = word.strip_suffix('s').unwrap_or(&word);
        let is_heading = |heading: &&str| *heading == word || *heading == singular;
        let heading = headings().find(is_heading).map(str::to_owned);
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        heading.or_else(|| has_digit.then(|| word.clone()))
    })
}

/// Returns how much of a word a text has: all of it, or one with the same stem.
fn share(word: &str, text: &BTreeSet<String>) -> f64 {
    if text.contains(word) {
        return 1.0;
    }
    let Some(stem) = word.get(..LEAST_STEM).filter(|_| !word.contains(|c: char| c.is_numeric()))
    else {
        return 0.0;
    };
    let has_stem = |other: &String| {
        let same = word.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        let is_ending = |one: &str| one.get(same..).is_some_and(|end| ENDINGS.contains(&end));
        is_ending(word) && is_ending(other)
    };
    let similar = text.range(stem.to_owned()..).take_while(|other| other.starts_with(stem));
    if similar.into_iter().any(has_stem) { OF_STEM } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_whole_and_words_by_their_stem() {
        let goal = WalkGoal::of("coolant capacity of the 2012 Liberty 3.7");
        let weights = goal.equal();
        assert_eq!(weights.share(&evidence_words("2012 Liberty 3.7: coolant, capacity")), 1.0);
        let how_many = WalkGoal::of("How many jobs are done?");
        assert_eq!(how_many.equal().missing(&evidence_words("jobs")), BTreeSet::from(["done"]));
        assert!(weights.share(&evidence_words("Cooling System")) > 0.0);
        let of = |goal: &str, text: &str| WalkGoal::of(goal).equal().share(&evidence_words(text));
        assert_eq!(of("change the contact", "Window Channel, Engine Control"), 0.0);
        assert!(of("adjust the pressure", "Pressing: adjustment") > 0.5);
        assert_eq!(weights.share(&evidence_words("2013 Librarian 3.8")), 0.0);
        assert_eq!(
            weights.missing(&evidence_words("the coolant of a Liberty, 2012")),
            BTreeSet::from(["3.7", "capacity"])
        );
    }

    #[test]
    fn identifiers_are_found_in_any_capitals_and_missed_as_they_stand() {
        let goal = WalkGoal::of("openssl");
        assert_eq!(goal.equal().share(&evidence_words("Set up OpenSSL")), 1.0);
        let goal = WalkGoal::of("versions of OpenSSL");
        assert_eq!(goal.equal().share(&evidence_words("openssl: its versions")), 1.0);
        assert_eq!(goal.equal().missing(&evidence_words("versions")), BTreeSet::from(["OpenSSL"]));
    }

    #[test]
    fn what_names_no_place_may_be_a_word_of_the_question_alone() {
        let names = ["Full text", "Full tables", "Tables"].map(evidence_words);
        let weights = WalkGoal::of("vacuum full table").weighed(&names);
        assert!(weights.lacks_rarest(&evidence_words("full tables")));
        assert!(!weights.lacks_rarest(&evidence_words("vacuuming")));
        assert!(weights.lacks_rarest_seen(&evidence_words("vacuum")));
        assert!(!weights.lacks_rarest_seen(&evidence_words("full tables")));
    }
}
