//! Verbatim search: phrases of the goal, in the files that contain all their words.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

use crate::score::bag_of_words;
use crate::score::first_pass::facts::FileFacts;
use crate::score::first_pass::record::Record;
use crate::score::goal::Goal;
use crate::score::role::Role;
use crate::score::words;
use crate::source::scan::Tree;

/// The hashes to look up in records, sorted: the goal's terms, identifiers, and the words of its
/// phrases; without a goal, the types that files are called by.
pub(super) struct Wanted {
    pub(super) words: Vec<(u64, Want)>,
    phrases: Phrases,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Want {
    Term(u16),
    Identifier(u16),
    /// A word of a phrase, by its position among all of them.
    OfPhrase(u16),
    /// A type that a file is called by.
    Type,
}

impl Wanted {
    pub(super) fn of(goal: &Goal, tree: &Tree) -> Wanted {
        let phrases = Phrases::of(goal);
        let terms = goal
            .terms
            .iter()
            .zip(0..)
            .map(|(term, at)| (bag_of_words::hash(term.word.as_bytes()), Want::Term(at)));
        let identifiers = goal
            .identifiers
            .iter()
            .zip(0..)
            .map(|(one, at)| (bag_of_words::hash(one.word.as_bytes()), Want::Identifier(at)));
        let of_phrases =
            phrases.words.iter().zip(0..).map(|(word, at)| (*word, Want::OfPhrase(at)));
        let files = tree.files.iter().filter(|_| goal.is_empty());
        let types = files.filter_map(|file| Some((hash_of_type(&file.path)?, Want::Type)));
        let mut words: Vec<(u64, Want)> =
            terms.chain(identifiers).chain(of_phrases).chain(types).collect();
        words.sort_unstable();
        words.dedup();
        Wanted { words, phrases }
    }

    pub(super) fn look_up(
        &self,
        record: &Record<'_>,
        text: impl FnOnce() -> Option<Vec<u8>>,
    ) -> FileFacts {
        let mut facts = FileFacts {
            mark: record.mark,
            n_words: record.n_words,
            imports: record.imports.clone().into_owned(),
            package: record.package.clone().into_owned(),
            ..FileFacts::default()
        };
        let mut has_word = vec![false; self.phrases.words.len()];
        let mut wanted = &self.words[..];
        for word in bag_of_words::unpacked(&record.bag) {
            while let [(hash, want), rest @ ..] = wanted
                && *hash <= word.hash
            {
                wanted = rest;
                if *hash < word.hash {
                    continue;
                }
                match want {
                    Want::Term(at) => {
                        facts.terms.push((*at, word.n));
                        facts.named.extend((word.named > 0).then_some((*at, word.named)));
                    }
                    Want::Identifier(at) => {
                        facts.mentions.extend(word.is_verbatim.then_some(*at));
                        facts.defines.extend(word.is_defined.then_some(*at));
                    }
                    Want::OfPhrase(at) => has_word[usize::from(*at)] = word.is_verbatim,
                    Want::Type if word.is_defined => facts.defines_types.push(word.hash),
                    Want::Type if word.is_verbatim => facts.names_types.push(word.hash),
                    Want::Type => {}
                }
            }
            if wanted.is_empty() {
                break;
            }
        }
        facts.terms.sort_unstable();
        facts.named.sort_unstable();
        facts.mentions.sort_unstable();
        facts.defines.sort_unstable();
        if self.phrases.may_stand(&has_word) {
            facts.phrases = text().map(|text| self.phrases.find(&text)).unwrap_or_default();
        }
        facts
    }
}

/// Returns the hash of the type that a file is called by, if its name is that of a type:
/// `JsonConvert.cs`.
pub(crate) fn hash_of_type(path: &str) -> Option<u64> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let is_type = stem.starts_with(char::is_uppercase) && Role::of(path) == Role::Source;
    is_type.then(|| bag_of_words::hash(stem.as_bytes()))
}

/// The goal's phrases. A phrase matches a text only between whole words.
#[derive(Default)]
pub(crate) struct Phrases {
    automaton: Option<AhoCorasick>,
    /// The words of all phrases by their hashes, sorted; and for each phrase the positions of its
    /// words among them.
    words: Vec<u64>,
    of_phrase: Vec<Vec<u16>>,
}

impl Phrases {
    pub(crate) fn of(goal: &Goal) -> Phrases {
        let words_of = |phrase: &String| {
            let mut words = Vec::new();
            words::for_each_word(phrase.as_bytes(), |word, _| words.push(bag_of_words::hash(word)));
            words
        };
        let of_phrase: Vec<Vec<u64>> = goal.phrases.iter().map(words_of).collect();
        let mut words = of_phrase.concat();
        words.sort_unstable();
        words.dedup();
        let position = |word: &u64| words.binary_search(word).ok().map(|at| at as u16);
        let of_phrase =
            of_phrase.iter().map(|words| words.iter().filter_map(position).collect()).collect();
        let automaton =
            AhoCorasickBuilder::new().match_kind(MatchKind::Standard).build(&goal.phrases).ok();
        Phrases { automaton, words, of_phrase }
    }

    /// Reports whether all words of one of the phrases occur. A phrase without a word is never
    /// searched for.
    fn may_stand(&self, has_word: &[bool]) -> bool {
        self.of_phrase
            .iter()
            .any(|words| !words.is_empty() && words.iter().all(|word| has_word[usize::from(*word)]))
    }

    /// Returns the phrases that occur in the text, sorted.
    pub(crate) fn find(&self, text: &[u8]) -> Vec<u16> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let is_cut = |at: usize| {
            let is_word = |at: usize| text.get(at).is_some_and(|byte| words::is_word_byte(*byte));
            at > 0 && is_word(at - 1) && is_word(at)
        };
        let whole = automaton
            .find_overlapping_iter(text)
            .filter(|found| !is_cut(found.start()) && !is_cut(found.end()));
        let mut found: Vec<u16> = whole.map(|found| found.pattern().as_u32() as u16).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|phrase| !self.of_phrase[usize::from(*phrase)].is_empty());
        found
    }
}
