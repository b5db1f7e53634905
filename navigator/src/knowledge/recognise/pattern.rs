//! Patterns of addresses in knowledge that others wrote.

use regex::Error;
use regex::bytes::{Regex, RegexBuilder};
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{NFA, WhichCaptures};
use regex_automata::{Input, MatchKind, PatternSet};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::Hir;

/// The largest size of a compiled pattern, in bytes.
const MAX_SIZE: usize = 1 << 16;
/// The smallest size that is told apart.
const MIN_SIZE: usize = 1 << 11;
/// How deep groups can lie in each other.
const MAX_DEPTH: u32 = 20;

/// Compiles a pattern.
///
/// # Errors
/// If it is none, or is too large.
pub(in crate::knowledge) fn compiled(pattern: &str) -> Result<Regex, Error> {
    within(pattern, MAX_SIZE)
}

/// Returns the size of a compiled pattern in bytes, as the next power of two.
///
/// # Errors
/// If it is none, or is too large.
pub(crate) fn size_of(pattern: &str) -> Result<usize, Error> {
    let mut size = MIN_SIZE;
    loop {
        match within(pattern, size) {
            Err(Error::CompiledTooBig(_)) if size < MAX_SIZE => size *= 2,
            compiled => return compiled.map(|_| size),
        }
    }
}

/// Addresses are ASCII, and a class of ASCII is a hundred times smaller than one of Unicode. A
/// pattern that has to name other letters is compiled with all of them.
fn within(pattern: &str, size: usize) -> Result<Regex, Error> {
    let mut builder = RegexBuilder::new(pattern);
    builder.size_limit(size).nest_limit(MAX_DEPTH);
    match builder.unicode(false).build() {
        Err(Error::Syntax(_)) => builder.unicode(true).build(),
        compiled => compiled,
    }
}

/// Patterns that are matched together. One automaton takes a tenth of the memory and the time
/// that one for each takes.
#[derive(Debug, Default)]
pub(super) struct JoinedPatterns {
    parsed: Vec<Hir>,
    automaton: Option<PikeVM>,
}

impl JoinedPatterns {
    /// Adds a pattern, and returns its number; `None` if it is no pattern.
    pub(super) fn add(&mut self, pattern: &str) -> Option<usize> {
        let mut parser = ParserBuilder::new();
        parser.utf8(false).nest_limit(MAX_DEPTH);
        let mut parsed = |unicode| parser.unicode(unicode).build().parse(pattern).ok();
        self.parsed.push(parsed(false).or_else(|| parsed(true))?);
        Some(self.parsed.len() - 1)
    }

    /// Joins the patterns that were added. Where they are too large together, one that is too
    /// large alone fits nothing.
    pub(super) fn join(&mut self) {
        let mut parsed = std::mem::take(&mut self.parsed);
        let size = MAX_SIZE.saturating_mul(parsed.len());
        self.automaton = automaton_of(&parsed, size).or_else(|| {
            let too_large =
                parsed.iter_mut().filter(|one| automaton_of(&[(*one).clone()], MAX_SIZE).is_none());
            too_large.for_each(|one| *one = Hir::fail());
            automaton_of(&parsed, size)
        });
    }

    /// Returns the numbers of the patterns that fit an address.
    pub(super) fn fitting(&self, address: &str) -> PatternSet {
        let Some(automaton) = &self.automaton else { return PatternSet::new(0) };
        let mut fitting = PatternSet::new(automaton.pattern_len());
        let mut cache = automaton.create_cache();
        automaton.which_overlapping_matches(&mut cache, &Input::new(address), &mut fitting);
        fitting
    }
}

/// Returns the automaton of patterns; `None` if it is too large.
fn automaton_of(patterns: &[Hir], size: usize) -> Option<PikeVM> {
    let config = NFA::config().utf8(false).which_captures(WhichCaptures::None);
    let config = config.nfa_size_limit(Some(size));
    let nfa = NFA::compiler().configure(config).build_many_from_hir(patterns).ok()?;
    let all = PikeVM::config().match_kind(MatchKind::All);
    PikeVM::builder().configure(all).build_from_nfa(nfa).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_patterns_fit_what_each_fits_alone() {
        let patterns = [
            "^https://app\\.ex/orders/\\d+$",
            "([a-z]{1,99}){99}",
            "/orders/.*",
            "(?i)APP",
            "^https://app\\.ex/[äö]\\p{L}*$",
            "x{0}",
        ];
        let mut joined = JoinedPatterns::default();
        let numbers: Vec<_> = patterns.iter().filter_map(|one| joined.add(one)).collect();
        assert_eq!((numbers, joined.add("(")), ((0..6).collect(), None));
        joined.join();
        for address in ["https://app.ex/orders/17", "https://app.ex/öl", "file:///x", ""] {
            let fitting: Vec<usize> =
                joined.fitting(address).iter().map(|number| number.as_usize()).collect();
            let alone = |number: &usize| {
                compiled(patterns[*number]).is_ok_and(|one| one.is_match(address.as_bytes()))
            };
            assert_eq!(fitting, (0..6).filter(alone).collect::<Vec<usize>>(), "{address}");
        }
    }

    #[test]
    fn a_pattern_has_the_size_of_its_classes_in_ascii() {
        assert_eq!(size_of("^https://app\\.ex/\\w+/\\w+/edit$").unwrap(), MIN_SIZE);
        assert!(size_of("^https://app\\.ex/([a-z]{1,9}){9}/J/K").unwrap() > MIN_SIZE);
        assert!(matches!(size_of("([a-z]{1,99}){99}"), Err(Error::CompiledTooBig(_))));
        assert!(
            compiled("^https://app\\.ex/[äö]\\p{L}*$")
                .unwrap()
                .is_match("https://app.ex/öl".as_bytes())
        );
        assert!(matches!(compiled("("), Err(Error::Syntax(_))));
    }
}
