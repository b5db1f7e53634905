//! Words of a text as they are compared: in lower case, without what stands between them.

/// Returns the words of a text in lower case: its runs of letters and digits.
pub fn lower_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}

/// Returns the words of a text in lower case, with single spaces between them.
pub fn spaced_words(text: &str) -> String {
    lower_words(text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        let words: Vec<String> = lower_words(" 3.1 «Größe»: a-B_c ").collect();
        assert_eq!(words, ["3", "1", "größe", "a", "b", "c"]);
        assert_eq!(spaced_words("404 — Page not Found!"), "404 page not found");
        assert_eq!(spaced_words(" … "), "");
    }
}
