//! Patterns of addresses in knowledge that others wrote.

use regex::Error;
use regex::bytes::{Regex, RegexBuilder};

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
pub(super) fn compiled(pattern: &str) -> Result<Regex, Error> {
    within(pattern, MAX_SIZE)
}

/// Returns the size of a compiled pattern in bytes, as the next power of two.
///
/// # Errors
/// If it is none, or is too large.
pub(super) fn size_of(pattern: &str) -> Result<usize, Error> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
