//! Words that warn: a control with one of them, or a link with a GET behind it, is worth a
//! question. They ask and never decide.

use percent_encoding::percent_decode_str;

use crate::walk::letters::{composed, readings};
use crate::walk::noun_words::{LinkText, TextWord, is_told};

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

/// Words for `delete` and `remove` in other languages.
const FOREIGN: [&str; 22] = [
    "apagar",
    "borrar",
    "cancella",
    "effacer",
    "elimina",
    "eliminar",
    "eliminare",
    "entfernen",
    "excluir",
    // Of `KALDIR` in lower case, which has no dotless letter outside of Turkish.
    "kaldir",
    "kaldır",
    "löschen",
    "odstranit",
    "poista",
    "slet",
    "smazat",
    "supprimer",
    "ta bort",
    "usuń",
    "verwijder",
    "verwijderen",
    "удалить",
];
/// Words in scripts that have no spaces between words, and signs.
const ANYWHERE: [&str; 7] = ["删除", "刪除", "削除", "삭제", "🗑", "⌫", "🚮"];
/// Words that warn on what can be pressed; as a link, `Trash` opens a folder of mail.
const OF_BUTTONS: [&str; 1] = ["trash"];

/// The longest address that is read, in bytes.
const LONGEST_ADDRESS: usize = 16_384;

/// The words that warn; a person can add some.
#[derive(Debug, Clone)]
pub struct WarningWords {
    words: Vec<String>,
    /// Those that warn on buttons, and on no links.
    of_buttons: Vec<String>,
    /// Those that warn within words.
    anywhere: Vec<String>,
    /// Those of the person, which warn wherever they stand.
    added: Vec<String>,
}

impl Default for WarningWords {
    fn default() -> WarningWords {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        WarningWords {
            words: owned(&[&WORDS[..], &FOREIGN].concat()),
            of_buttons: owned(&OF_BUTTONS),
            anywhere: owned(&ANYWHERE),
            added: Vec::new(),
        }
    }
}

impl WarningWords {
    /// No words: nothing is asked about because of its name.
    pub fn none() -> WarningWords {
        let [words, of_buttons, anywhere, added] = [const { Vec::new() }; 4];
        WarningWords { words, of_buttons, anywhere, added }
    }

    /// Adds words, or several words in a row.
    #[must_use]
    pub fn with(mut self, more: impl IntoIterator<Item = String>) -> WarningWords {
        self.added.extend(more.into_iter().map(|word| words_of(&composed(&word)).join(" ")));
        self.added.retain(|word| !word.is_empty());
        self
    }

    /// Returns the words that a label has, or the path of an address.
    pub fn found_in(&self, text: &str) -> Vec<&str> {
        let readings = readings(text);
        let texts = readings.iter().map(|text| format!(" {} ", words_of(text).join(" ")));
        let texts: Vec<String> = texts.collect();
        let is_word = |word: &&String| {
            let word = format!(" {word} ");
            texts.iter().any(|text| text.contains(&word))
        };
        let whole = [&self.words, &self.of_buttons, &self.added].into_iter().flatten();
        let anywhere = self.found_anywhere(&readings);
        whole.filter(is_word).chain(anywhere).map(String::as_str).collect()
    }

    /// Returns what warns within words. Pages put spaces between letters of such scripts.
    fn found_anywhere<'w>(&'w self, readings: &[String]) -> impl Iterator<Item = &'w String> {
        let close: Vec<String> = match readings {
            [ascii] if ascii.is_ascii() => Vec::new(),
            all => all.iter().map(|text| text.split_whitespace().collect()).collect(),
        };
        let is_in = move |sign: &&String| close.iter().any(|text| text.contains(sign.as_str()));
        self.anywhere.iter().filter(is_in)
    }

    /// Reports whether the name of a link warns that only reads: a word in it commands. `Place
    /// order` does, `Sort order` and `How to order` do not.
    pub fn warn_in_name(&self, name: &str) -> bool {
        self.command_in(name, LinkText::Name)
    }

    /// Reports whether the address of such a link warns: what follows its host. A fragment is a
    /// name on the page. One that is too long to be read warns, too.
    pub fn warn_in_address(&self, address: &str) -> bool {
        if address.len() > LONGEST_ADDRESS {
            return true;
        }
        let (address, fragment) = address.split_once('#').unwrap_or((address, ""));
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let path = rest.find(['/', '?']).map_or("", |at| &rest[at..]);
        let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        self.command_in(&plain(path), LinkText::Address)
            || self.command_in(&plain(fragment), LinkText::Name)
    }

    fn command_in(&self, text: &str, kind: LinkText) -> bool {
        let found = self.found_in(text);
        if found.is_empty() {
            return false;
        }
        let readings = readings(text);
        self.found_anywhere(&readings).next().is_some()
            || readings.iter().any(|text| self.one_commands(&found, text, kind))
    }

    /// Reports whether one of the words that were found commands in a reading of the text.
    fn one_commands(&self, found: &[&str], text: &str, kind: LinkText) -> bool {
        let text = text_words(text);
        let is_at = |phrase: &str, at: usize| {
            let words = text[at..].iter().map(|one| one.word.as_str());
            phrase.split(' ').eq(words.take(phrase.split(' ').count()))
        };
        let stands = |phrase: &String| (0..text.len()).any(|at| is_at(phrase, at));
        let commands = |phrase: &String| {
            let n_words = phrase.split(' ').count();
            let mut places = (0..text.len()).filter(|at| is_at(phrase, *at));
            places.any(|at| !is_told(&text, at, n_words, kind))
        };
        // An address may be long, and most words are not in it.
        let is_found = |word: &&String| found.contains(&word.as_str());
        self.words.iter().filter(is_found).any(commands) || self.added.iter().any(stands)
    }
}

/// The words of a text in lower case, also those of `deleteAccount` and `/delete_account`.
fn words_of(text: &str) -> Vec<String> {
    let words = text_words(text).into_iter().map(|one| one.word);
    words.filter(|word| !word.is_empty()).collect()
}

/// The words of a text with the signs before each; the last one may be empty, with what follows.
fn text_words(text: &str) -> Vec<TextWord> {
    let mut words = vec![TextWord::default()];
    let mut before = ' ';
    for c in text.chars() {
        let is_sign = !c.is_alphanumeric();
        let begins = is_sign || (c.is_uppercase() && before.is_lowercase());
        if begins && words.last().is_some_and(|last| !last.word.is_empty()) {
            words.push(TextWord::default());
        }
        if let Some(last) = words.last_mut() {
            match is_sign {
                true => last.gap.push(c),
                false => last.word.extend(c.to_lowercase()),
            }
        }
        before = c;
    }
    let mut begin = 0;
    for (at, word) in words.iter_mut().enumerate() {
        if !word.is_joined() {
            begin = at;
        }
        word.begin = begin;
    }
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
            ("Konto löschen", vec!["löschen"]),
            ("icon trash grey #888", vec!["trash"]),
            ("🗑️", vec!["🗑"]),
            ("文件删除", vec!["删除"]),
        ] {
            assert_eq!(words.found_in(text), expected, "{text}");
        }
        let more = words.with(["Konto auflösen".to_owned(), "!".to_owned()]);
        assert_eq!(more.found_in("Mein KONTO AUFLÖSEN"), ["konto auflösen"]);
    }

    #[test]
    fn words_warn_however_a_page_writes_their_letters() {
        let words = WarningWords::default().with(["lo\u{308}sch mich".to_owned()]);
        for (text, expected) in [
            ("删 除", "删除"),
            ("删\u{200b}除", "删除"),
            ("Ent\u{ad}fernen", "entfernen"),
            ("Unsub\u{200b}scribe", "unsubscribe"),
            ("Delete\u{200b}account", "delete"),
            ("lo\u{308}schen", "löschen"),
            ("LÖSCH MICH", "lösch mich"),
            ("KALDIR", "kaldir"),
            ("Ｄｅｌｅｔｅ", "delete"),
            ("D\u{435}l\u{435}te", "delete"),
            ("\u{420}\u{430}y now", "pay"),
            ("Удалить", "удалить"),
        ] {
            assert_eq!(words.found_in(text), [expected], "{text:?}");
            assert!(words.warn_in_name(text), "{text:?}");
        }
        assert!(words.warn_in_address("https://a.example/d%D0%B5lete"));
        // The letters of another script are no word of this one, and `order` is told of.
        for text in ["Пау", "Sort \u{43e}rder", "Sort or\u{ad}der"] {
            assert!(!words.warn_in_name(text), "{text:?}");
        }
    }

    /// Names of links in manuals and shops that only read.
    const READS: [&str; 36] = [
        "Stain remover",
        "Trash",
        "Order form",
        "Order history",
        "Order status & tracking",
        "ORDER BY",
        "Order of evaluation",
        "Sort order",
        "7.5. Sorting Rows (ORDER BY)",
        "Byte order, size, and alignment",
        "Method Resolution Order and resolution order",
        "Where to order",
        "Date format",
        "Format string syntax",
        "Format Specification Mini-Language",
        "The JSON format",
        "image-format",
        "str.format()",
        "DataFrame.drop",
        "Drop shadows",
        "Drop-down menus",
        "Drop Shadow Effect",
        "Drag and drop",
        "HTML Drag & Drop API",
        "Hypertext Transfer Protocol",
        "Transfer case: fluid level",
        "Heat transfer",
        "git reset",
        "Reset procedure",
        "Purchase history",
        "Checkout process",
        "How to delete a branch",
        "How do I remove the oil filter?",
        "os.remove()",
        "What to do before you format",
        "Blog post",
    ];
    /// Names of those that do something, or may.
    const COMMANDS: [&str; 35] = [
        "Supprimer",
        "Order",
        "Order now",
        "Order book",
        "Order a table",
        "Order: form",
        "Place order",
        "Cancel order",
        "Cancel my order form order",
        "1-click order",
        "Pre-order",
        "1.Order now",
        "Sign in to order",
        "Sort order. Order now",
        "How it works | Order now",
        "Delete item",
        "Delete (3)",
        "DELETE",
        "Remove from list",
        "Format",
        "Format disk",
        "Quick format",
        "Drop table users",
        "Drop database",
        "Click and drop",
        "Transfer money",
        "Bank transfer",
        "Reset password",
        "Factory reset",
        "Reset PIN",
        "Checkout",
        "Proceed to checkout",
        "Purchase credits",
        "Log out",
        "Pay now",
    ];

    #[test]
    fn a_link_that_only_reads_warns_where_a_word_commands() {
        let words = WarningWords::default();
        for name in READS {
            assert!(!words.warn_in_name(name), "{name}");
        }
        for name in COMMANDS {
            assert!(words.warn_in_name(name), "{name}");
            assert!(!words.found_in(name).is_empty(), "{name}");
        }
        // A word that the person adds warns wherever it stands.
        let more = words.with(["order".to_owned(), "blog post".to_owned()]);
        assert!(more.warn_in_name("Sort order") && more.warn_in_name("Blog post"));
    }

    #[test]
    fn the_address_of_a_link_warns_where_a_word_commands() {
        let words = WarningWords::default();
        for (address, warns) in [
            ("https://a.example/order-form.html", false),
            ("https://a.example/docs/sort_order/", false),
            ("https://a.example/list?order=asc&dateFormat=iso", false),
            ("https://a.example/list?order_by=price&format=json", false),
            ("https://a.example/css#drop-shadow", false),
            ("https://a.example/os.html#os.remove", false),
            ("https://order.example/", false),
            ("https://a.example/how-to-order", false),
            ("https://a.example/order", true),
            ("https://a.example/artikel/l%C3%B6schen", true),
            ("https://a.example/order/7", true),
            ("https://a.example/order.html", true),
            ("https://a.example/?order=7", true),
            ("https://a.example?delete=7", true),
            ("https://a.example/orders/7/cancel-order", true),
            ("https://a.example/item.delete", true),
            ("https://a.example/app#/delete/7", true),
            ("https://a.example/disk?format=yes", true),
            ("https://a.example/list?order=asc&action=drop", true),
        ] {
            assert_eq!(words.warn_in_address(address), warns, "{address}");
        }
    }
}
