//! Paths of data: pictures, translations, certificates, and folders that are named for them.

const DATA_FOLDERS: &[&str] = &["static", "media", "images"];
const FOLDERS_OF_TRANSLATIONS: &[&str] = &["locale", "locales", "translations"];
const FOLDERS_ABOUT_LANGUAGES: &[&str] = &["i18n", "l10n"];
const DATA_EXTENSIONS: &[&str] = &[
    "po", "pot", "mo", "csv", "tsv", "svg", "png", "jpg", "jpeg", "gif", "ico", "woff", "woff2",
    "ttf", "eot", "pdf", "zip", "gz", "bin", "dat", "db", "sqlite", "geojson", "snap", "out",
    "log", "patch", "diff", "map", "crt", "cer", "pem", "key", "csr", "p8", "p12",
];
/// Code that is no data wherever it stands. The table of languages is not asked: a role does not
/// depend on the grammars of a build.
const CODE: &[&str] = &[
    "c", "cc", "clj", "cljs", "cpp", "cs", "cxx", "d", "dart", "elm", "erl", "ex", "exs", "f90",
    "fs", "go", "groovy", "h", "hh", "hpp", "hs", "java", "jl", "kt", "lua", "m", "ml", "mli",
    "mm", "nim", "php", "pl", "pm", "py", "r", "rb", "rs", "scala", "sh", "swift", "zig",
];
/// Code of pages: with pictures and texts it is often what somebody else wrote or a tool built.
const CODE_OF_PAGES: &[&str] = &["js", "mjs", "cjs", "jsx", "ts", "tsx", "vue", "svelte"];

/// Reports whether an extension in lower case is that of code, with or without a grammar.
pub(crate) fn is_code(extension: &str) -> bool {
    CODE.contains(&extension) || CODE_OF_PAGES.contains(&extension)
}

/// Reports whether a path is that of data. `folders`, `stem` and `extension` are the parts of
/// `path` in lower case.
pub(super) fn is_data(path: &str, folders: &[String], stem: &str, extension: &str) -> bool {
    if DATA_EXTENSIONS.contains(&extension) || is_translated(path) {
        return true;
    }
    let within = |names: &[&str]| folders.iter().any(|folder| names.contains(&folder.as_str()));
    let is_of_pages = CODE_OF_PAGES.contains(&extension);
    if CODE.contains(&extension) {
        false
    } else if within(DATA_FOLDERS) || within(FOLDERS_OF_TRANSLATIONS) {
        true
    } else if within(FOLDERS_ABOUT_LANGUAGES) {
        // `i18n/index.ts` looks words up, `i18n/en-us.ts` has them.
        !is_of_pages || is_language_tag(stem)
    } else {
        within(&["assets"]) && !is_of_pages
    }
}

/// Reports whether a path leads through the folder of a language other than English: `it_IT`,
/// `pt-BR`, and `de` in a folder of translations. Capitals tell `it_IT` from `to_do`.
fn is_translated(path: &str) -> bool {
    let (folders, _) = path.rsplit_once('/').unwrap_or(("", path));
    let is_english = |folder: &str| folder.split(['-', '_']).next() == Some("en");
    let is_of_region = |folder: &str| {
        folder.split_once(['-', '_']).is_some_and(|(language, region)| {
            matches!(language.len(), 2 | 3)
                && language.bytes().all(|byte| byte.is_ascii_lowercase())
                && region.len() == 2
                && region.bytes().all(|byte| byte.is_ascii_uppercase())
        })
    };
    // `locale/api` is no language, and three letters alone are no sign of one.
    let is_language = |folder: &str| folder.len() != 3 && is_language_tag(folder);
    let mut above = "";
    folders.split('/').any(|folder| {
        let of_translations = FOLDERS_OF_TRANSLATIONS.contains(&above);
        above = folder;
        (is_of_region(folder) || of_translations && is_language(folder)) && !is_english(folder)
    })
}

/// Reports whether a name in lower case is that of a language: `en`, `pt-br`, `zh_hans`.
fn is_language_tag(stem: &str) -> bool {
    let mut parts = stem.split(['-', '_']);
    let is_word = |part: &str, most: usize| {
        (2..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    parts.next().is_some_and(|part| is_word(part, 3)) && parts.all(|part| is_word(part, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_below_another_language_is_translated() {
        for path in
            ["src/Provider/it_IT/Person.php", "site/zh-CN/guide.html", "conf/locale/de/formats.py"]
        {
            assert!(is_translated(path), "{path}");
        }
        for path in [
            "src/Provider/en_US/Person.php",
            "conf/locale/en/formats.py",
            "locale/api/find.rs",
            "app/to_do/list.rb",
            "lang/js/parser.rs",
        ] {
            assert!(!is_translated(path), "{path}");
        }
    }
}
