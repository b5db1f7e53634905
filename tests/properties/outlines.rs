//! What holds of the outline of any text, in every language.

use std::fs;
use std::ops::Range;
use std::path::Path;

use repo_map::language::{self, Language};
use repo_map::outline::{Outline, Trouble, outline};
use repo_map::try_out;

/// Texts do not grow beyond this many bytes.
const LONGEST: usize = 20_000;

/// The first byte names a language, the second whether the others are a text or say what becomes of
/// the language's fixture, alone or with one of another.
pub(crate) fn hold(bytes: &[u8]) {
    let [language, kind, rest @ ..] = bytes else { return };
    let languages = language::all();
    let language = &languages[usize::from(*language) % languages.len()];
    let text = match kind % 4 {
        0 => String::from_utf8_lossy(rest).into_owned(),
        3 => joined(language, rest),
        _ => soup(&fixture(language), rest),
    };
    hold_of(language, &text);
}

fn hold_of(language: &'static Language, text: &str) {
    comes_back(language, text);
    assert_eq!(outline(language, text), outline(language, text), "{}: {text:?}", language.name);
    // Every price and every block is cut out of the text by what the outline says.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!(
        "{}.{}",
        language.name,
        language.extensions.first().unwrap_or(&language.name)
    ));
    fs::write(&file, text).unwrap();
    drop(try_out::outline_file(&file, &repo_map::FlightPlan::default(), None));
}

/// The fixture of a language breaks off at one token in `stride` and within it, alone and with a
/// piece of another fixture behind it: every parser comes back from every such text.
#[allow(dead_code, reason = "the fuzz target chooses its own cuts")]
pub(crate) fn hold_of_cuts(language: &'static Language, stride: usize) {
    let text = fixture(language);
    let others: Vec<String> = language::all().iter().map(fixture).collect();
    for (nth, at) in starts(&text).into_iter().step_by(stride).enumerate() {
        let within = (at + 1..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(at);
        for (nth, end) in [(2 * nth, at), (2 * nth + 1, within)] {
            let other = &others[nth % others.len()];
            let from = starts(other)[nth * 7 % starts(other).len()];
            let to = (from + 200..other.len())
                .find(|at| other.is_char_boundary(*at))
                .unwrap_or(other.len());
            for text in [text[..end].to_owned(), format!("{}{}", &text[..end], &other[from..to])] {
                comes_back(language, &text);
            }
        }
    }
}

/// The outline of a text is one that can be.
pub(crate) fn comes_back(language: &'static Language, text: &str) {
    let found = outline(language, text);
    let is_lost = matches!(found.trouble, Some(Trouble::Failed | Trouble::Hung | Trouble::Refused));
    assert!(!is_lost, "{}: {:?}\n{text:?}", language.name, found.trouble);
    if let Some(wrong) = wrong(&found, text) {
        panic!("{}: {wrong}\n{text:?}\n{found:#?}", language.name);
    }
}

/// What an outline says that cannot be.
fn wrong(outline: &Outline, text: &str) -> Option<String> {
    let n_lines = text.split('\n').count() as u32;
    let is_cut = |range: &Range<usize>| text.get(range.clone()).is_none();
    if outline.doc.iter().any(is_cut) {
        return Some("its doc comment is not in the text".to_owned());
    }
    for (at, item) in outline.items.iter().enumerate() {
        let ranges = [Some(&item.span), Some(&item.head), item.doc.as_ref(), item.body.as_ref()];
        let parent = item.parent.map(|parent| (parent, &outline.items[parent]));
        let wrong = if ranges.into_iter().flatten().any(is_cut) {
            "a range is not in the text"
        } else if item.span.is_empty() || item.name.is_empty() {
            "an item is empty"
        } else if !(1..=item.lines.1).contains(&item.lines.0) || item.lines.1 > n_lines {
            "its lines are not in the text"
        } else if parent.is_some_and(|(parent, item)| parent >= at || !item.has_children) {
            "its parent does not stand before it"
        } else if parent.is_some_and(|(_, parent)| {
            item.span.start < parent.span.start || item.span.end > parent.span.end
        }) {
            "it goes beyond its parent"
        } else if at > 0 && item.span.start < outline.items[at - 1].span.start {
            "it stands before the item before it"
        } else {
            continue;
        };
        return Some(format!("{}: {wrong}", item.address()));
    }
    None
}

#[allow(clippy::disallowed_methods, reason = "reads the fixtures")]
fn fixture(language: &Language) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/languages");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let file =
        files.into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == language.name));
    fs::read_to_string(file.unwrap()).unwrap()
}

/// The fixture of a language up to a token, and behind it that of another from one token to
/// another.
fn joined(language: &Language, rest: &[u8]) -> String {
    let [other, a, b, c, d, e, f, ..] = *rest else { return fixture(language) };
    let cut = |text: &str, high, low| {
        starts(text)[usize::from(u16::from_be_bytes([high, low])) % starts(text).len()]
    };
    let (text, other) =
        (fixture(language), fixture(&language::all()[usize::from(other) % language::all().len()]));
    let (from, to) = (cut(&other, c, d), cut(&other, e, f));
    format!("{}{}", &text[..cut(&text, a, b)], &other[from.min(to)..from.max(to)])
}

/// Where the tokens of a text begin.
fn starts(text: &str) -> Vec<usize> {
    tokens(text).map(|token| token.as_ptr() as usize - text.as_ptr() as usize).collect()
}

/// A text taken apart into lines and tokens and put together otherwise: five bytes say what happens
/// next, and where.
fn soup(text: &str, steps: &[u8]) -> String {
    let mut tokens: Vec<String> = tokens(text).map(str::to_owned).collect();
    for step in steps.chunks_exact(5) {
        let [what, high, low, n, times] = step else { continue };
        let from = usize::from(u16::from_be_bytes([*high, *low])) % (tokens.len() + 1);
        let line = |at: usize| {
            tokens[at..]
                .iter()
                .position(|token| token == "\n")
                .map_or(tokens.len(), |line| at + line + 1)
        };
        let to = if n % 2 == 0 { line(from) } else { tokens.len().min(from + usize::from(n / 2)) };
        let some: Vec<String> = tokens[from..to].to_vec();
        let size: usize = some.iter().map(String::len).sum();
        let other = usize::from(*times) * 7 % (tokens.len() + 1);
        match what % 8 {
            0 => drop(tokens.drain(from..to)),
            1 => drop(tokens.splice(other..other, some)),
            2 => drop(tokens.splice(from..to, some.into_iter().rev())),
            3 => drop(tokens.drain(..from)),
            4 => tokens.truncate(from),
            5 => tokens.insert(from, char::from(*times).to_string()),
            6 => tokens.insert(
                from,
                ["\"", "'", "`", "/*", "\\\n", "\u{feff}", "é", "\r\n", "\t", "🦀"]
                    [usize::from(*times) % 10]
                    .to_owned(),
            ),
            _ => {
                let times = (1 + usize::from(*times) * 4).min(LONGEST / (size + 1));
                let many: Vec<String> =
                    some.iter().cycle().take(some.len() * times).cloned().collect();
                tokens.splice(from..from, many);
            }
        }
        if tokens.iter().map(String::len).sum::<usize>() > LONGEST {
            break;
        }
    }
    tokens.concat()
}

/// Words, white space within a line, and single characters.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let goes_on: fn(char) -> bool = match first {
            ' ' | '\t' => |c| matches!(c, ' ' | '\t'),
            c if c.is_alphanumeric() || c == '_' => |c| c.is_alphanumeric() || c == '_',
            _ => |_| false,
        };
        let end = rest
            .char_indices()
            .skip(1)
            .find(|(_, c)| !goes_on(*c))
            .map_or(rest.len(), |(at, _)| at);
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}
