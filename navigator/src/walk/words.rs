//! Words that warn: a control with one of them, or a link with a GET behind it, is worth a
//! question. They ask and never decide.

/// Words of controls whose effect is hard to take back.
const WORDS: [&str; 40] = [
    "approve",
    "authorize",
    "book now",
    "buy",
    "cancel subscription",
    "checkout",
    "close account",
    "confirm order",
    "confirm payment",
    "deactivate",
    "delete",
    "deploy",
    "destroy",
    "disable",
    "discard",
    "donate",
    "drop",
    "empty trash",
    "erase",
    "format",
    "log out",
    "logout",
    "order",
    "pay",
    "place order",
    "publish",
    "purchase",
    "purge",
    "remove",
    "reset",
    "revoke",
    "shut down",
    "sign out",
    "submit order",
    "subscribe",
    "terminate",
    "transfer",
    "uninstall",
    "unsubscribe",
    "wipe",
];

/// The words that warn; a person can add some.
#[derive(Debug, Clone)]
pub struct WarningWords {
    words: Vec<String>,
}

impl Default for WarningWords {
    fn default() -> WarningWords {
        WarningWords { words: WORDS.map(str::to_owned).to_vec() }
    }
}

impl WarningWords {
    /// No words: nothing is asked about because of its name.
    pub fn none() -> WarningWords {
        WarningWords { words: Vec::new() }
    }

    /// Adds words, or several words in a row.
    #[must_use]
    pub fn with(mut self, more: impl IntoIterator<Item = String>) -> WarningWords {
        self.words.extend(more.into_iter().map(|word| words_of(&word).join(" ")));
        self.words.retain(|word| !word.is_empty());
        self
    }

    /// Returns the words that a label has, or the path of an address.
    pub fn found_in(&self, text: &str) -> Vec<&str> {
        let text = format!(" {} ", words_of(text).join(" "));
        let is_in = |word: &&String| text.contains(&format!(" {word} "));
        self.words.iter().filter(is_in).map(String::as_str).collect()
    }
}

/// The words of a text in lower case, also those of `deleteAccount` and `/delete_account`.
fn words_of(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_warn_in_labels_and_addresses() {
        let words = WarningWords::default();
        for (text, expected) in [
            ("Delete account?", vec!["delete"]),
            ("LOG  OUT", vec!["log out"]),
            ("/api/deleteUser/7", vec!["delete"]),
            ("/session/sign_out", vec!["sign out"]),
            ("Place order", vec!["order", "place order"]),
            ("Border colours, payload, undeleted", vec![]),
        ] {
            assert_eq!(words.found_in(text), expected, "{text}");
        }
        let more = words.with(["Konto löschen".to_owned(), "!".to_owned()]);
        assert_eq!(more.found_in("Mein KONTO LÖSCHEN"), ["konto löschen"]);
    }
}
