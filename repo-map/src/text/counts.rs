//! Numbers with what they count.

use std::fmt::Display;

/// Returns a number with its noun: `1 page`, `2 pages`.
pub fn n_of<N: Display + PartialEq + From<u8>>(n: N, thing: &str) -> String {
    let ending = if n == N::from(1) { "" } else { "s" };
    format!("{n} {thing}{ending}")
}

/// Returns a number with words that differ in more than an ending: `1 body`, `2 bodies`.
pub fn counted<N: Display + PartialEq + From<u8>>(n: N, one: &str, many: &str) -> String {
    format!("{n} {}", if n == N::from(1) { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_thing_is_singular() {
        assert_eq!([0, 1, 2].map(|n| n_of(n, "page")), ["0 pages", "1 page", "2 pages"]);
        assert_eq!(n_of(1_u64, "more section"), "1 more section");
        assert_eq!([0, 1, 21].map(|n| counted(n, "is", "are")), ["0 are", "1 is", "21 are"]);
    }
}
