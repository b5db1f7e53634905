//! Names of items as they are stored, and the visibility that a name and a marker give.

use crate::outline::item::{ItemKind, Visibility};
use crate::outline::language::Language;
use crate::text::cut::cut;

/// The maximum length of a stored name, in characters: selectors and headings can be of any length.
const LONG_NAME: usize = 160;

pub(super) fn visibility(language: &Language, name: &str, marker: Option<&str>) -> Visibility {
    match marker {
        // In C# these are what users of a class override (`OnModelCreating`); what is for the class
        // alone is unmarked there or `private`.
        Some("protected") if language.name == "csharp" => Visibility::Unmarked,
        // What stands below these is as without a marker: C++ and Ruby mark no function that stands
        // in no type.
        Some("public") if matches!(language.name, "cpp" | "ruby") => Visibility::Unmarked,
        // Members of a C++ class that no marker stands above.
        Some("class") => Visibility::Private,
        Some(marker) => {
            let private = [
                "private",
                "protected",
                "internal",
                "fileprivate",
                "local",
                "static",
                "defp",
                "defmacrop",
                "defguardp",
                "typep",
            ];
            let mut words = marker.split(|c: char| !c.is_alphanumeric());
            let is_private =
                marker.starts_with("pub(") || words.clone().any(|word| private.contains(&word));
            if is_private && !words.any(|word| word == "public") {
                Visibility::Private
            } else {
                Visibility::Public
            }
        }
        None if name.starts_with('_') && !(name.starts_with("__") && name.ends_with("__"))
            || name.starts_with('#') =>
        {
            Visibility::Private
        }
        None => Visibility::Unmarked,
    }
}

/// Returns the name on one line: white space folded, quotes around keys and marks around headings
/// dropped, cut at [`LONG_NAME`].
pub(super) fn tidy_name(kind: ItemKind, name: &str) -> String {
    let bare = ['"', '\'', '`']
        .iter()
        .find_map(|quote| {
            name.strip_prefix(*quote)?.strip_suffix(*quote).filter(|inner| !inner.contains(*quote))
        })
        .unwrap_or(name);
    let bare = match kind {
        ItemKind::Heading => bare.trim_end().trim_end_matches('#'),
        ItemKind::Variable => bare.trim_end_matches(['+', '?', '!', ':']),
        // `alias_method :open?, :is_open` of Ruby.
        ItemKind::Method => bare.strip_prefix(':').unwrap_or(bare),
        _ => bare,
    };
    let mut words = String::new();
    for word in bare.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    cut(&words, LONG_NAME).into_owned()
}
