//! The notation of paths in maps, and the order of maps.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use crate::source::scan::tree::FileEntry;
use crate::text::mask;
use crate::text::sanitize::visible;

/// Returns a path in the notation of maps and plans: sanitized parts joined by `/`. Control and
/// invisible characters and bytes that are not UTF-8 are escaped as `\u{…}` or `\x…`, backslashes
/// are doubled, and secrets are masked, so that a path is one readable line. Different names have
/// different notations, except for names that differ only in a secret.
pub fn notation(path: &Path, is_folder: bool) -> String {
    notation_of(path.components().map(|part| part.as_os_str().as_encoded_bytes()), is_folder)
}

/// Returns the notation of a path from git.
pub(crate) fn notation_of_git(path: &[u8]) -> String {
    notation_of(path.split(|byte| *byte == b'/'), false)
}

fn notation_of<'a>(parts: impl Iterator<Item = &'a [u8]>, is_folder: bool) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() {
            out.push('/');
        }
        for chunk in part.utf8_chunks() {
            let (masked, _) = mask::mask(chunk.valid());
            let doubled = if masked.contains('\\') {
                Cow::Owned(masked.replace('\\', "\\\\"))
            } else {
                masked
            };
            out.push_str(&visible(&doubled, |_| false).0);
            for byte in chunk.invalid() {
                out.push_str(&format!("\\x{byte:02x}"));
            }
        }
    }
    if is_folder {
        out.push('/');
    }
    out
}

/// Sorts files into the order of maps.
pub(crate) fn sort_entries(files: &mut [FileEntry]) {
    files.sort_by(|a, b| map_order(&a.path, &b.path));
    number_masked_names(files);
}

/// Numbers the names that differ only in a masked secret, in the order of the names on disk, or in
/// the order given.
fn number_masked_names(files: &mut [FileEntry]) {
    let is_double = |pair: &[FileEntry]| pair[0].path == pair[1].path;
    if !files.windows(2).any(is_double) {
        return;
    }
    files.sort_by(|a, b| map_order(&a.path, &b.path).then_with(|| a.location.order(&b.location)));
    let mut taken: HashSet<String> = files.iter().map(|file| file.path.clone()).collect();
    let (mut before, mut number) = (String::new(), 1);
    for file in files.iter_mut() {
        if file.path != before {
            before.clone_from(&file.path);
            number = 1;
            continue;
        }
        file.path = loop {
            number += 1;
            let numbered = format!("{before} ({number})");
            if taken.insert(numbered.clone()) {
                break numbered;
            }
        };
    }
    files.sort_by(|a, b| map_order(&a.path, &b.path));
}

/// Compares paths in the order of maps: folder by folder, so that `a/b` comes next to `a/c` and not
/// after `a-b/c`.
pub fn map_order(a: &str, b: &str) -> std::cmp::Ordering {
    // The slash becomes the smallest byte; no path contains a zero.
    let key = |byte: &u8| if *byte == b'/' { 0 } else { *byte };
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let n_common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    a[n_common..].first().map(key).cmp(&b[n_common..].first().map(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_is_printable_and_keeps_different_names_apart() {
        let of = |name: &str| notation(Path::new(name), false);
        assert_eq!(of("a b/ü.rs"), "a b/ü.rs");
        assert_eq!(of("a\nb\u{1b}[31m"), "a\\u{a}b\\u{1b}[31m");
        assert_eq!(of("a\\u{a}b"), "a\\\\u{a}b");
        assert_eq!(of("x\u{202e}gpj"), "x\\u{202e}gpj");
        assert_eq!(notation(Path::new("src"), true), "src/");
        assert_eq!(notation_of_git(b"a\\b/\xff.rs"), "a\\\\b/\\xff.rs");
        assert_eq!(of(&format!("a/ghp_{}.txt", "a1B2".repeat(9))), "a/[masked: github-token].txt");
    }
}
