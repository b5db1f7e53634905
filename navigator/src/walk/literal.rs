//! What a goal says literally about the controls of a live page: the floor of all pilots. It
//! understands names and quoted words, in the order of the goal, and nothing else.

use crate::walk::action::{ControlOperation, WalkAction};
use crate::walk::screen::{EntryKind, Screen, ScreenEntry};
use crate::walk::state::WalkState;

/// The shortest name that a goal can mean without quotes, in characters.
const LEAST_NAME: usize = 2;
/// Names of buttons that end a task: they come last, named or not.
const LAST: [&str; 8] = ["submit", "ok", "save", "login", "search", "send", "go", "order"];

/// Something that the goal names.
struct NamedAction {
    /// Where in the goal.
    at: usize,
    action: WalkAction,
}

/// Returns the next action that the goal names and the walk has not taken; `None` if there is none.
pub(crate) fn next_action(goal: &str, screen: &Screen, state: &WalkState) -> Option<WalkAction> {
    let lower = goal.to_lowercase();
    let mut named: Vec<NamedAction> = Vec::new();
    named.extend(fills(goal, &lower, screen));
    for (entry, number) in screen.entries.iter().zip(1..) {
        named.extend(of_entry(&lower, entry, number));
    }
    let is_last = |action: &WalkAction| match action {
        WalkAction::Click { label, .. } => LAST.contains(&label.to_lowercase().as_str()),
        _ => false,
    };
    named.sort_by_key(|one| (is_last(&one.action), one.at));
    let is_new = |action: &WalkAction| {
        let is_same = |other: &WalkAction| match (action, other) {
            // The numbers of a page change with it.
            (WalkAction::Click { label, .. }, WalkAction::Click { label: other, .. }) => {
                label == other
            }
            _ => action == other,
        };
        !state.path.iter().any(|step| is_same(&step.action))
    };
    let mut actions = named.into_iter().map(|one| one.action);
    actions.find(is_new).or_else(|| last_button(screen).filter(is_new))
}

/// Returns the button that ends a form, if something was filled or chosen.
fn last_button(screen: &Screen) -> Option<WalkAction> {
    let is_last = |(entry, _): &(&ScreenEntry, usize)| {
        entry.kind == EntryKind::Button
            && !entry.is("disabled")
            && LAST.contains(&entry.label.to_lowercase().as_str())
    };
    let found = screen.entries.iter().zip(1..).find(is_last);
    found.map(|(entry, number)| WalkAction::Click { number, label: entry.label.clone() })
}

/// Returns the quoted words of a goal, with their places.
fn quoted(goal: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(begin) = goal[rest..].find('"') {
        let begin = rest + begin + 1;
        let Some(length) = goal[begin..].find('"') else { break };
        found.push((begin, goal[begin..begin + length].to_owned()));
        rest = begin + length + 1;
    }
    found
}

/// Pairs quoted words with the fields that stand before them in the goal, or in their order.
fn fills(goal: &str, lower: &str, screen: &Screen) -> Vec<NamedAction> {
    let is_control_name = |words: &str| {
        screen
            .entries
            .iter()
            .any(|entry| entry.kind != EntryKind::Field && entry.label.eq_ignore_ascii_case(words))
    };
    // `into the field "Name"`: no text.
    let is_field_name = |at: usize, words: &str| {
        let before = lower.get(..at).unwrap_or_default().trim_end_matches(['"', ' ']);
        before.ends_with("field")
            && screen.entries.iter().any(|entry| entry.label.eq_ignore_ascii_case(words))
    };
    let is_text =
        |(at, words): &(usize, String)| !is_control_name(words) && !is_field_name(*at, words);
    let quotes: Vec<(usize, String)> = quoted(goal).into_iter().filter(is_text).collect();
    let fields: Vec<(usize, &ScreenEntry)> = (1..)
        .zip(&screen.entries)
        .filter(|(_, entry)| entry.kind == EntryKind::Field && !entry.is("read only"))
        .collect();
    let fill = |at: usize, (number, entry): &(usize, &ScreenEntry), text: &str| NamedAction {
        at,
        action: WalkAction::Operate {
            number: *number,
            label: entry.label.clone(),
            operation: ControlOperation::Fill { text: text.to_owned() },
        },
    };
    let mut named = Vec::new();
    let both = lower.contains("both");
    for (n, (at, text)) in quotes.iter().enumerate() {
        let nearest = fields.iter().filter_map(|field| {
            let label = field.1.label.to_lowercase();
            let label = label.trim_end_matches([':', ' ']);
            let before = lower.get(..*at)?.rfind(label).filter(|_| label.len() > LEAST_NAME)?;
            Some((before, field))
        });
        let by_name = nearest.max_by_key(|(before, _)| *before).map(|(_, field)| field);
        if both {
            named.extend(fields.iter().map(|field| fill(*at, field, text)));
        } else if let Some(field) = by_name.or_else(|| fields.get(n)) {
            named.push(fill(*at, field, text));
        }
    }
    named
}

/// Returns what the goal says of one entry.
fn of_entry(lower: &str, entry: &ScreenEntry, number: usize) -> Option<NamedAction> {
    if entry.is("disabled") || entry.is("covered") {
        return None;
    }
    let label = entry.label.clone();
    if entry.kind == EntryKind::Select {
        let control = entry.control.as_ref()?;
        let chosen =
            control.options.iter().filter_map(|option| Some((place(lower, option)?, option)));
        let (at, option) = chosen.max_by_key(|(_, option)| option.len())?;
        let operation = ControlOperation::Select { options: vec![option.clone()] };
        return Some(NamedAction { at, action: WalkAction::Operate { number, label, operation } });
    }
    let at = place(lower, &entry.label)?;
    match entry.kind {
        EntryKind::Checkbox | EntryKind::Radio if entry.is("checked") => None,
        EntryKind::Checkbox | EntryKind::Radio => {
            let operation = ControlOperation::Check { on: true };
            Some(NamedAction { at, action: WalkAction::Operate { number, label, operation } })
        }
        EntryKind::Field | EntryKind::File | EntryKind::Canvas | EntryKind::Slider => None,
        _ => Some(NamedAction { at, action: WalkAction::Click { number, label } }),
    }
}

/// Returns where a goal has a name, as whole words.
fn place(lower: &str, name: &str) -> Option<usize> {
    let name = name.trim().to_lowercase();
    if name.chars().count() < LEAST_NAME {
        let quoted = format!("\"{name}\"");
        return lower.find(&quoted).filter(|_| !name.is_empty());
    }
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    lower.match_indices(&name).map(|(at, _)| at).find(|at| {
        !is_letter(lower[..*at].chars().next_back())
            && !is_letter(lower[at + name.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::screen::EntryControl;

    fn screen(entries: &[(EntryKind, &str, &[&str])]) -> Screen {
        let entry = |(kind, label, options): &(EntryKind, &str, &[&str])| ScreenEntry {
            kind: *kind,
            label: (*label).to_owned(),
            folders: Vec::new(),
            under: None,
            target: None,
            is_content: true,
            control: Some(EntryControl {
                options: options.iter().map(|one| (*one).to_owned()).collect(),
                ..EntryControl::default()
            }),
        };
        let entries = entries.iter().map(entry).collect();
        Screen { is_live: true, entries, ..Screen::default() }
    }

    #[test]
    fn the_goal_is_taken_by_its_words() {
        let first = |goal: &str, entries: &[(EntryKind, &str, &[&str])]| {
            let action = next_action(goal, &screen(entries), &WalkState::first());
            action.map_or_else(String::new, |action| action.to_string())
        };
        let form = [
            (EntryKind::Field, "Username", &[][..]),
            (EntryKind::Field, "Password", &[]),
            (EntryKind::Button, "Login", &[]),
        ];
        let goal = "Enter the username \"vina\" and the password \"US\" and press login.";
        assert_eq!(first(goal, &form), "fill 1 'Username' with 'vina'");
        let goal = "Enter \"Ada\" into the field \"Username\" and press login.";
        let two = [form[0], (EntryKind::Field, "Number", &[]), form[2]];
        assert_eq!(first(goal, &two), "fill 1 'Username' with 'Ada'");
        let filled = fills(goal, &goal.to_lowercase(), &screen(&two));
        assert_eq!(filled.len(), 1, "the name of a field is no text");
        let list =
            [(EntryKind::Select, "", &["Lorri", "Bobine"][..]), (EntryKind::Button, "Submit", &[])];
        assert_eq!(first("Select Bobine and click Submit.", &list), "select 1 '' 'Bobine'");
        let tabs = [(EntryKind::Tab, "Tab #1", &[][..]), (EntryKind::Tab, "Tab #2", &[])];
        assert_eq!(first("Click on Tab #2.", &tabs), "click 2 'Tab #2'");
        assert_eq!(first("Dance", &tabs), "");
    }
}
