//! What a module exports: in Haskell its header lists it, not the definitions themselves.

use crate::outline::item::{ItemKind, Outline, Visibility};

/// Marks the top-level items of a module with a list of exports as public or private by that list.
pub(super) fn mark_exports(outline: &mut Outline, text: &str) {
    let header = outline.items.iter().find(|item| item.kind == ItemKind::Module);
    let Some(header) = header else { return };
    let Some(exported) = exported_names(&text[header.span.clone()], &header.name) else { return };
    for item in outline.items.iter_mut().filter(|item| item.parent.is_none()) {
        let has_name = matches!(
            item.kind,
            ItemKind::Class | ItemKind::Constructor | ItemKind::Function | ItemKind::Type
        );
        if has_name {
            item.visibility = match exported.contains(&item.name.as_str()) {
                true => Visibility::Public,
                false => Visibility::Private,
            };
        }
    }
}

/// Returns the names in the list of exports of a module's header; `None` without one, and where the
/// module exports itself.
fn exported_names<'a>(header: &'a str, module: &str) -> Option<Vec<&'a str>> {
    let list = header.split_once(module)?.1.trim_start().strip_prefix('(')?;
    let mut names = Vec::new();
    for line in list.lines() {
        let code = line.split_once("--").map_or(line, |(code, _)| code);
        let mut words = code.split(|c: char| c.is_whitespace() || ",()".contains(c));
        while let Some(word) = words.next() {
            match word {
                "module" if words.next() == Some(module) => return None,
                "where" => return Some(names),
                _ => names.push(word.rsplit_once('.').map_or(word, |(_, name)| name)),
            }
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_a_module_says_what_is_public() {
        let language = crate::outline::language::named("haskell").unwrap();
        let visible = |header: &str| {
            let text = format!("{header}\n\nf :: Int\nf = 1\n\ng' = 2\n\ndata T = A\n\nh = 3\n");
            let outline = crate::outline::outline(language, &text);
            let is_shown = |visibility: &Visibility| *visibility != Visibility::Private;
            let items = outline.items.iter().filter(|item| is_shown(&item.visibility));
            items.map(|item| item.name.as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(visible("module M.A (f, T(..)) where"), "M.A f T");
        assert_eq!(
            visible("module M\n  ( -- * All, h\n    M.g'\n  , type T\n  )\n  where"),
            "M g' T"
        );
        assert_eq!(visible("module M (module M, f) where"), "M f g' T h");
        assert_eq!(visible("module M where"), "M f g' T h");
        assert_eq!(visible(""), "f g' T h");
    }
}
