//! Which operations the controls of a live page allow, and how a reply names them.

use crate::shared::suggest;
use crate::walk::action::{ControlOperation, DragEnd, ScrollTo, WalkAction};
use crate::walk::screen::label::entry_of;
use crate::walk::screen::{EntryKind, Screen, ScreenEntry};

/// The test whether an entry allows an operation.
type EntryTest = fn(&ScreenEntry) -> bool;

/// The words of operations, with the kinds of entries that allow them.
const OPERATIONS: [(&str, EntryTest); 12] = [
    ("fill", is_field),
    ("select", |entry| entry.kind == EntryKind::Select),
    ("check", is_box),
    ("uncheck", |entry| entry.kind == EntryKind::Checkbox && entry.is("checked")),
    ("hover", is_any),
    ("double_click", is_any),
    ("right_click", is_any),
    ("drag", is_any),
    ("select_text", is_any),
    ("upload", |entry| entry.kind == EntryKind::File),
    ("press", is_any),
    ("scroll", is_any),
];
/// The operations that a page allows without a control.
const OF_PAGES: [&str; 5] = ["press", "scroll", "select_text", "wait", "dialog"];

fn is_any(_entry: &ScreenEntry) -> bool {
    true
}

fn is_field(entry: &ScreenEntry) -> bool {
    matches!(entry.kind, EntryKind::Field | EntryKind::Slider) && !entry.is("read only")
}

fn is_box(entry: &ScreenEntry) -> bool {
    matches!(entry.kind, EntryKind::Checkbox | EntryKind::Radio) && !entry.is("checked")
}

/// Returns the words of all operations.
pub(crate) fn words() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|(word, _)| *word).chain(["wait", "dialog"])
}

/// Returns the words of the operations that a screen allows.
pub(crate) fn possible(screen: &Screen) -> Vec<&'static str> {
    let allows = |(word, test): &&(&'static str, EntryTest)| {
        OF_PAGES.contains(word)
            || screen.entries.iter().any(|entry| test(entry) && is_usable(entry))
    };
    if !screen.is_live {
        return Vec::new();
    }
    let of_page = ["wait"].into_iter().chain(screen.has_asked.then_some("dialog"));
    OPERATIONS.iter().filter(allows).map(|(word, _)| *word).chain(of_page).collect()
}

fn is_usable(entry: &ScreenEntry) -> bool {
    !entry.is("disabled")
}

/// Reads an operation: its word, the control that it is done to, and its value.
///
/// # Errors
/// The complaint.
pub(crate) fn action(
    word: &str,
    target: &str,
    value: &str,
    screen: &Screen,
) -> Result<WalkAction, String> {
    // A page has keys, a place and time; some replies name them as the target.
    if OF_PAGES.contains(&word)
        && (target.is_empty() || value.is_empty() || matches!(word, "wait" | "dialog"))
    {
        let value = if value.is_empty() { target } else { value };
        let is_entry = !matches!(word, "wait" | "dialog") && value.parse::<usize>().is_ok();
        if word == "select_text" && value.is_empty() {
            return Err("`select_text` needs a `value`: words that stand on the page".to_owned());
        }
        if !is_entry {
            let operation = of_page(word, value)?;
            return Ok(WalkAction::Operate { number: 0, label: String::new(), operation });
        }
    }
    let number = number_of(screen, word, target)?;
    let Some(entry) = screen.entry(number) else { return Err(no_target(word)) };
    let name = format!("entry {number} `{}` is a {}", entry.label, entry.kind.as_str());
    if entry.is("disabled") {
        return Err(format!("{name} that is disabled: something else has to be done first"));
    }
    let allowed = OPERATIONS.iter().find(|(one, _)| *one == word);
    let may = |test: EntryTest| test(entry);
    let operation = match word {
        "fill" if !is_field(entry) => return Err(format!("{name}: it cannot be filled")),
        "fill" => ControlOperation::Fill { text: value.to_owned() },
        "select" if entry.kind != EntryKind::Select => {
            return Err(format!("{name}: click it, and then the option"));
        }
        "select" => ControlOperation::Select { options: options(entry, value)? },
        "check" | "uncheck" if !matches!(entry.kind, EntryKind::Checkbox | EntryKind::Radio) => {
            return Err(format!("{name}: it cannot be checked"));
        }
        "check" | "uncheck" if !allowed.is_some_and(|(_, test)| may(*test)) => {
            return Err(format!("{name}, which is so already"));
        }
        "check" | "uncheck" => ControlOperation::Check { on: word == "check" },
        "hover" => ControlOperation::Hover,
        "double_click" => ControlOperation::DoubleClick,
        "right_click" => ControlOperation::RightClick,
        "drag" => ControlOperation::Drag { to: drag_end(value, screen)? },
        "upload" if entry.kind != EntryKind::File => {
            return Err(format!("{name}: it takes no file"));
        }
        "upload" => ControlOperation::Upload { file: value.to_owned() },
        _ => of_page(word, value)?,
    };
    Ok(WalkAction::Operate { number, label: entry.label.clone(), operation })
}

/// Reads the place of a click within a control: `40,12`.
pub(crate) fn parse_point(value: &str) -> Option<(i32, i32)> {
    let (right, down) = value.trim().trim_matches(['(', ')']).split_once(',')?;
    Some((right.trim().parse().ok()?, down.trim().parse().ok()?))
}

/// Returns the number of the entry that a target means.
///
/// # Errors
/// The complaint.
pub(crate) fn number_of(screen: &Screen, word: &str, target: &str) -> Result<usize, String> {
    let bare = target.trim_start_matches('[').split([']', ' ']).next().unwrap_or_default();
    // `3 Installing the server` is the whole label of one entry, or the number of another.
    let is_label = |entry: &ScreenEntry| entry.label.eq_ignore_ascii_case(target);
    let begins_with_number = bare != target && bare.parse::<usize>().is_ok();
    if begins_with_number && screen.entries.iter().any(is_label) {
        return entry_of(screen, target);
    }
    match bare.parse::<usize>() {
        Ok(number) if screen.entry(number).is_some() => Ok(number),
        // A year is both a number and a label.
        Ok(number) => entry_of(screen, target).map_err(|_| {
            format!("there is no entry {number}: this page has 1 to {}", screen.entries.len())
        }),
        Err(_) if target.is_empty() => Err(no_target(word)),
        Err(_) => entry_of(screen, target).or_else(|complaint| {
            let named = quoted(target).and_then(|name| entry_of(screen, name).ok());
            named.ok_or_else(|| match is_section(bare) {
                true => format!("`{bare}` is a section, which only `extract` takes"),
                false => complaint,
            })
        }),
    }
}

/// Returns the name in a target that is written as the page is: `button "Save"`.
fn quoted(target: &str) -> Option<&str> {
    let open = target.find(['"', '\''])?;
    let (quote, rest) = target[open..].split_at(1);
    rest.rfind(quote).map(|close| rest[..close].trim()).filter(|name| !name.is_empty())
}

fn is_section(word: &str) -> bool {
    word.strip_prefix('S').is_some_and(|number| number.parse::<usize>().is_ok())
}

fn no_target(word: &str) -> String {
    format!("`{word}` needs a `target`: the number or the words of an entry")
}

fn of_page(word: &str, value: &str) -> Result<ControlOperation, String> {
    Ok(match word {
        "press" if value.is_empty() => {
            return Err("`press` needs a `value`: keys, such as Enter or Control+a".to_owned());
        }
        "press" => ControlOperation::Press { keys: value.to_owned() },
        "select_text" => ControlOperation::SelectText { text: value.to_owned() },
        "scroll" if value.is_empty() => ControlOperation::Scroll { to: ScrollTo::Down },
        "scroll" => ControlOperation::Scroll {
            to: ScrollTo::of(value).ok_or("`scroll` takes up, down, top or bottom")?,
        },
        "dialog" => ControlOperation::Dialog { text: value.to_owned() },
        _ => ControlOperation::Wait { text: value.to_owned() },
    })
}

fn drag_end(value: &str, screen: &Screen) -> Result<DragEnd, String> {
    if let Some((right, down)) = parse_point(value) {
        return Ok(DragEnd::By(right, down));
    }
    let value_of_places = value.replace(", ", ",");
    let places = value_of_places.split([' ', ';', '\n']).filter(|one| !one.is_empty());
    let places: Option<Vec<(i32, i32)>> = places.map(parse_point).collect();
    if let Some(places) = places.filter(|places| places.len() > 1) {
        return Ok(DragEnd::Path(places));
    }
    let number = number_of(screen, "drag", value).map_err(|_| {
        "`drag` needs a `value`: the number of the entry to drop it on, pixels such as 40,-12, or \
         a path of places such as 5,5 40,5 40,30"
            .to_owned()
    })?;
    Ok(DragEnd::Entry(number))
}

/// Returns the options of a list that a value names: one, or several with line breaks or
/// semicolons between them.
fn options(entry: &ScreenEntry, value: &str) -> Result<Vec<String>, String> {
    let all = entry.control.as_ref().map(|control| control.options.as_slice()).unwrap_or_default();
    let one = |name: &str| -> Result<String, String> {
        let is_same = |option: &&String| option.trim().eq_ignore_ascii_case(name);
        let exact = all.iter().find(|option| *option == name).or_else(|| all.iter().find(is_same));
        exact.cloned().ok_or_else(|| {
            let near = suggest::similar(name, all.iter().map(String::as_str));
            let near = suggest::did_you_mean(&near);
            format!("`{}` has no option `{name}`{near}", entry.label)
        })
    };
    if let Ok(only) = one(value.trim()) {
        return Ok(vec![only]);
    }
    let names = value.split(['\n', ';', '|']).map(str::trim).filter(|name| !name.is_empty());
    let names: Vec<&str> = names.collect();
    match names.as_slice() {
        [] => Err("`select` needs a `value`: the name of an option".to_owned()),
        names => names.iter().map(|name| one(name)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::screen::EntryControl;

    fn screen() -> Screen {
        let entry = |(kind, label, states, options): (EntryKind, &str, &[&str], &[&str])| {
            let texts = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect();
            ScreenEntry {
                control: Some(EntryControl {
                    states: texts(states),
                    options: texts(options),
                    ..EntryControl::default()
                }),
                ..ScreenEntry::new(kind, label)
            }
        };
        let entries = [
            (EntryKind::Field, "Name", &[][..], &[][..]),
            (EntryKind::Select, "Country", &[], &["France", "Peru"]),
            (EntryKind::Checkbox, "News", &["checked"], &[]),
            (EntryKind::Button, "Save", &["disabled"], &[]),
        ];
        Screen { is_live: true, entries: entries.map(entry).to_vec(), ..Screen::default() }
    }

    #[test]
    fn a_reply_is_an_operation_or_a_complaint_that_says_what_to_do() {
        let said = |word: &str, target: &str, value: &str| {
            action(word, target, value, &screen())
                .map_or_else(|complaint| format!("no: {complaint}"), |action| action.to_string())
        };
        assert_eq!(said("fill", "1", "Ada"), "fill 1 'Name' with 'Ada'");
        assert_eq!(said("fill", "[1] Name", ""), "clear 1 'Name'");
        assert_eq!(said("fill", "field 'Name'", "Ada"), "fill 1 'Name' with 'Ada'");
        assert!(said("fill", "S2", "Ada").contains("which only `extract` takes"));
        assert_eq!(said("select", "country", "peru"), "select 2 'Country' 'Peru'");
        assert_eq!(said("press", "Enter", ""), "press Enter");
        assert_eq!(said("press", "1", "Control+a"), "press 1 'Name' Control+a");
        assert_eq!(said("drag", "1", "3"), "drag 1 'Name' to 3");
        assert_eq!(said("drag", "1", "-4, 9"), "drag 1 'Name' by -4,9");
        assert_eq!(said("drag", "1", "5,5 (40,5); 40, 9"), "drag 1 'Name' through 5,5 40,5 40,9");
        assert_eq!(said("select_text", "", "to be … not"), "select_text 'to be … not'");
        assert_eq!(said("select_text", "1", ""), "select_text 1 'Name'");
        assert_eq!(said("select_text", "1", "Ada"), "select_text 1 'Name' 'Ada'");
        assert_eq!(
            said("select_text", "", ""),
            "no: `select_text` needs a `value`: words that stand on the page"
        );
        assert_eq!(said("wait", "", "Saved"), "wait for 'Saved'");
        assert_eq!(said("scroll", "", ""), "scroll down");
        assert_eq!(said("scroll", "", "top"), "scroll top");
        assert!(said("scroll", "", "left").starts_with("no: `scroll` takes up, down, top"));
        assert_eq!(
            said("select", "2", "Perru"),
            "no: `Country` has no option `Perru` (did you mean `Peru`?)"
        );
        assert_eq!(
            said("fill", "2", "x"),
            "no: entry 2 `Country` is a select: it cannot be filled"
        );
        assert_eq!(said("check", "3", ""), "no: entry 3 `News` is a checkbox, which is so already");
        assert!(said("hover", "4", "").starts_with("no: entry 4 `Save` is a button that is dis"));
        assert!(
            said("fill", "9", "x").starts_with("no: there is no entry 9: this page has 1 to 4")
        );
    }

    #[test]
    fn a_label_that_begins_with_a_number_is_no_number() {
        let entry = |label: &str| ScreenEntry::new(EntryKind::Link, label);
        let entries =
            ["Home", "2 Installing", "1 Overview", "Buy it", "Buy it"].map(entry).to_vec();
        let screen = Screen { entries, ..Screen::default() };
        let number = |target: &str| number_of(&screen, "click", target);
        assert_eq!(number("1 Overview"), Ok(3));
        assert_eq!(number("1 Home"), Ok(1));
        assert!(number("Buy it").unwrap_err().contains("fits 2 entries"));
        assert_eq!(number("[2] 1 Overview"), Ok(2));
    }

    #[test]
    fn only_operations_that_a_control_allows_are_possible() {
        let words = possible(&screen());
        assert!(words.contains(&"select") && words.contains(&"uncheck"));
        assert!(!words.contains(&"check") && !words.contains(&"upload"));
        assert!(possible(&Screen::default()).is_empty());
    }
}
