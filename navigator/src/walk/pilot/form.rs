//! What a goal gives for the fields of a page, and what a form still needs before it is sent.

use std::ops::Range;

use crate::placeholder::placeholder;
use crate::walk::action::{ControlOperation, WalkAction};
use crate::walk::pilot::orders::GoalOrders;
use crate::walk::pilot::phrases::{LEAST_NAME, find_name, is_quoted, quoted, signs_in};
use crate::walk::pilot::verbs::OrderVerb;
use crate::walk::screen::{EntryKind, Screen, ScreenEntry};
use crate::walk::state::WalkState;

/// Names of buttons that end a task: they come last, named or not.
pub(crate) const LAST: [&str; 9] =
    ["apply", "submit", "ok", "save", "search", "send", "go", "order", "upload"];
/// Of these, the ones that need the field for a search alone.
const SEARCHES: [&str; 2] = ["search", "go"];
/// The longest value that is taken without quotes, in characters.
const MAX_VALUE: usize = 80;
/// Words between the name of a field and its value.
const BEFORE_VALUE: [&str; 6] = ["is", "to", "as", "with", "=", ":"];
/// Words after the name of a field that begin something else.
const NO_VALUE: [&str; 22] = [
    "and", "at", "by", "field", "fields", "for", "from", "in", "into", "must", "of", "on", "or",
    "should", "so", "that", "the", "then", "was", "which", "who", "with",
];
/// What ends a value before the end of its clause.
const ENDS: [&str; 4] = [",", " in the ", " on the ", " into "];
/// How a goal names a user: `log in as ada`.
const LOGINS: [&str; 5] = ["log in as ", "login as ", "sign in as ", "logged in as ", "log on as "];
/// The names of fields for a user.
const USERS: [&str; 5] = ["user", "login", "account", "mail", "name"];
/// How a goal names a thing: `an item named Sofa`.
const NAMED: [&str; 2] = [" named ", " called "];
/// The fields for the names of things.
const NAMES: [&str; 3] = ["name", "title", "label"];
/// How a goal names what to search for.
const SEARCHES_FOR: [&str; 3] = ["search for ", "look for ", "find "];

/// Words between a value and the name of its field: `enter 8:04 PM as the time`.
const BEFORE_NAME: [&str; 4] = [" as ", " into ", " in ", " to "];
/// Words that begin a description of a value, which is none: `enter the sum into the field`.
const DESCRIBES: [&str; 10] =
    ["a", "all", "an", "any", "each", "it", "some", "that", "the", "your"];

/// A value that a goal gives for a field.
pub(crate) struct FieldValue {
    /// Where in the goal.
    pub(crate) at: usize,
    pub(crate) number: usize,
    pub(crate) label: String,
    pub(crate) text: String,
}

impl FieldValue {
    pub(crate) fn action(self) -> WalkAction {
        let FieldValue { number, label, text, .. } = self;
        WalkAction::Operate { number, label, operation: ControlOperation::Fill { text } }
    }
}

/// A field that can be filled, with its number.
type FormField<'s> = (usize, &'s ScreenEntry);

fn fields(screen: &Screen) -> Vec<FormField<'_>> {
    fields_of(screen, &[EntryKind::Field])
}

/// Returns the fields of some kinds that are open.
fn fields_of<'s>(screen: &'s Screen, kinds: &[EntryKind]) -> Vec<FormField<'s>> {
    let is_open = |entry: &ScreenEntry| {
        kinds.contains(&entry.kind) && !entry.is("read only") && !entry.is("disabled")
    };
    (1..).zip(&screen.entries).filter(|(_, entry)| is_open(entry)).collect()
}

fn name_of(field: &ScreenEntry) -> String {
    field.label.to_lowercase().trim_matches([':', '*', ' ']).to_owned()
}

/// Reports whether a field takes what is searched for.
pub(crate) fn is_search(field: &ScreenEntry) -> bool {
    name_of(field).contains("search")
}

fn is_password(field: &ScreenEntry) -> bool {
    let name = name_of(field);
    name.contains("password") || name.contains("passphrase")
}

fn is_empty(field: &ScreenEntry) -> bool {
    let value = field.control.as_ref().and_then(|control| control.value.as_deref());
    value.unwrap_or_default().trim().is_empty() && !field.is("filled")
}

/// Returns what a goal gives for the fields of a page: quoted words; for other fields the words
/// after their names; and the only secret, for a password.
pub(crate) fn values(
    goal: &GoalOrders<'_>,
    screen: &Screen,
    secrets: &[String],
) -> Vec<FieldValue> {
    let mut values = of_quotes(goal, screen);
    if !goal.is_question {
        let mut of_words = of_words(goal, screen);
        let is_other = |one: &FieldValue| values.iter().all(|known| known.number != one.number);
        of_words.retain(|one| is_other(one) && !one.text.contains('"'));
        values.extend(of_words);
    }
    if let [secret] = secrets {
        // After the name of the user, and before what follows the login.
        let of_login = goal.find_sign_in().map(|at| {
            let same = |value: &&FieldValue| goal.n_orders(value.at) == goal.n_orders(at);
            values.iter().filter(same).map(|value| value.at).fold(at, usize::max)
        });
        let of_secret = |(number, field): &FormField<'_>| FieldValue {
            at: of_login.unwrap_or(goal.lower.len()),
            number: *number,
            label: field.label.clone(),
            text: placeholder(secret),
        };
        let has_value = |number: usize| values.iter().any(|value| value.number == number);
        let open = fields(screen);
        let mut open = open
            .iter()
            .filter(|(number, field)| is_password(field) && is_empty(field) && !has_value(*number));
        let found = open.next().map(of_secret);
        values.extend(found);
    }
    values
}

/// Pairs quoted words with the fields that stand before them in the goal, or in their order.
fn of_quotes(goal: &GoalOrders<'_>, screen: &Screen) -> Vec<FieldValue> {
    let lower = &goal.lower;
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
    // `click "Apply"`, of a button that is on another page.
    let is_text = |(at, words): &(usize, String)| {
        !is_control_name(words) && !is_field_name(*at, words) && !goal.is_pressed_at(*at)
    };
    let quotes: Vec<(usize, String)> = quoted(goal.text).into_iter().filter(is_text).collect();
    let fields: Vec<FormField<'_>> = fields(screen);
    let fill = |at: usize, (number, entry): &FormField<'_>, text: &str| FieldValue {
        at,
        number: *number,
        label: entry.label.clone(),
        text: text.to_owned(),
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

/// Pairs the fields for files with the files that a goal names, with their places in it: the field
/// that it names nearest to the file, or the next one. A goal that says to upload something, or
/// names the only field, means the only file. Nothing is given where files are left over.
pub(crate) fn given_files(
    goal: &GoalOrders<'_>,
    screen: &Screen,
    files: &[String],
) -> Vec<(usize, WalkAction)> {
    let mut open = fields_of(screen, &[EntryKind::File]);
    if open.is_empty() || goal.is_question {
        return Vec::new();
    }
    let place = |file: &String| goal.find(file).map(|at| at..at + file.len());
    let named = files.iter().filter_map(|file| Some((place(file)?, file)));
    let mut named: Vec<(Range<usize>, &String)> = named.collect();
    // `report.pdf` stands in `old report.pdf`, too.
    let all = named.clone();
    named.retain(|(own, _)| {
        !all.iter().any(|(one, _)| one != own && one.start <= own.start && own.end <= one.end)
    });
    named.sort_by_key(|(place, _)| place.start);
    if let ([], [file], [(_, field)]) = (&named[..], files, &open[..]) {
        let gives = OrderVerb::Give.words().iter().filter_map(|verb| goal.find(verb)).min();
        let at = gives.or_else(|| goal.find(&name_of(field)));
        named.extend(at.map(|at| (at..at, file)));
    }
    if named.len() > open.len() {
        return Vec::new();
    }
    let mut given = Vec::new();
    for (place, file) in named {
        let distance = |(_, field): &FormField<'_>| {
            goal.find(&name_of(field)).map(|at| at.abs_diff(place.start))
        };
        let by_name = (0..open.len()).filter_map(|one| Some((distance(&open[one])?, one))).min();
        let (number, field) = open.remove(by_name.map_or(0, |(_, one)| one));
        let operation = ControlOperation::Upload { file: file.clone() };
        let label = field.label.clone();
        given.push((place.start, WalkAction::Operate { number, label, operation }));
    }
    given
}

/// Returns the words that stand after the names of fields: `name Ada, quantity 3`.
fn of_words(goal: &GoalOrders<'_>, screen: &Screen) -> Vec<FieldValue> {
    let fields = fields(screen);
    let names: Vec<String> = fields.iter().map(|(_, field)| name_of(field)).collect();
    let mut values = Vec::new();
    for ((number, field), name) in fields.iter().zip(&names) {
        let after_name = || {
            let at = goal.find(name).filter(|_| name.len() > LEAST_NAME)?;
            Some((at, value_after(goal, at + name.len(), &names)?))
        };
        let after = |phrases: &[&str]| {
            let ends = phrases.iter().filter_map(|one| Some(goal.lower.find(one)? + one.len()));
            let at = ends.min()?;
            Some((at, value_at(goal, at, goal.clause_end(at), &names)?))
        };
        let is_user = USERS.iter().any(|user| name.contains(user));
        let is_name = NAMES.contains(&name.as_str());
        let of_phrase = || after(&LOGINS).filter(|_| is_user);
        let of_name = || after(&NAMED).filter(|_| is_name);
        let found = after_name().or_else(of_phrase).or_else(of_name).or_else(|| {
            let (at, text) = after(&SEARCHES_FOR).filter(|_| is_search(field))?;
            Some((at, without_article(&text).to_owned()))
        });
        if let Some((at, text)) = found {
            let (number, label) = (*number, field.label.clone());
            values.push(FieldValue { at, number, label, text });
        }
    }
    values.extend(written(goal, &fields, &values));
    values
}

/// Returns what a goal names with an article: `find the kettle`.
fn without_article(text: &str) -> &str {
    let article = |word: &str| ["the", "a", "an"].iter().any(|one| word.eq_ignore_ascii_case(one));
    match text.split_once(' ') {
        Some((first, rest)) if article(first) => rest.trim_start(),
        _ => text,
    }
}

/// Returns the value that stands before the name of its field. A field without a name takes it if
/// there is no other field.
fn written(
    goal: &GoalOrders<'_>,
    fields: &[FormField<'_>],
    known: &[FieldValue],
) -> Option<FieldValue> {
    let verb = |verb: &&str| Some(goal.find(verb)? + verb.len());
    let begin = OrderVerb::Write.words().iter().filter_map(verb).min()?;
    let rest = &goal.lower[begin..goal.clause_end(begin)];
    let ends = BEFORE_NAME.iter().filter_map(|word| Some((rest.find(word)?, word.len())));
    let (end, length) = ends.min()?;
    let between = begin + end;
    let text = value_at(goal, begin, between, &[])?;
    // A value that ends earlier is not the one before the name.
    let is_whole = text == goal.written(begin, between)?.trim();
    let first = rest.split_whitespace().next().unwrap_or_default();
    let after = &rest[end + length..];
    let is_named = |(_, field): &&FormField<'_>| find_name(after, &name_of(field)).is_some();
    let is_nameless = |(_, field): &&FormField<'_>| fields.len() == 1 && name_of(field).is_empty();
    let mut found = fields.iter().filter(|field| is_named(field) || is_nameless(field));
    let (number, field) = found.next()?;
    let is_known = known.iter().any(|value| value.number == *number);
    let value = FieldValue { at: begin, number: *number, label: field.label.clone(), text };
    (is_whole && !DESCRIBES.contains(&first) && !is_known).then_some(value)
}

/// Returns the value that stands after the name of a field, which ends at a place.
fn value_after(goal: &GoalOrders<'_>, at: usize, names: &[String]) -> Option<String> {
    let lower = &goal.lower;
    let end = goal.clause_end(at);
    let rest = &lower[at..end];
    let begin = at + (rest.len() - rest.trim_start_matches([' ', ':', '=']).len());
    let word = lower[begin..end].split_whitespace().next()?;
    let begin = match BEFORE_VALUE.contains(&word) {
        true => begin + word.len() + 1,
        false if NO_VALUE.contains(&word) => return None,
        false => begin,
    };
    value_at(goal, begin, end, names)
}

/// Returns the value that begins at a place: up to what ends it, the name of another field, or
/// another place.
fn value_at(goal: &GoalOrders<'_>, begin: usize, end: usize, names: &[String]) -> Option<String> {
    let rest = goal.lower.get(begin..end)?;
    let of_ends = ENDS.iter().filter_map(|end| rest.find(end));
    let of_names = names.iter().filter_map(|name| find_name(rest, name).filter(|at| *at > 0));
    let end = of_ends.chain(of_names).min().unwrap_or(rest.len());
    let value = goal.written(begin, begin + end)?.trim().trim_end_matches('.').trim();
    let is_value = !value.is_empty() && value.chars().count() <= MAX_VALUE;
    is_value.then(|| value.to_owned())
}

/// Reports whether a button ends a form.
pub(crate) fn is_last(label: &str) -> bool {
    signs_in(label) || LAST.contains(&label.trim().to_lowercase().as_str())
}

/// Returns the names of the fields that a form needs before a button ends it: those that it says
/// are required, passwords, and all of them if there is nothing in any. Its fields are those
/// between the button and the one before that ends a form. A button that the goal names in quotes
/// is pressed nevertheless; so is one that it says to press, if only nothing is filled.
pub(crate) fn lacks(
    goal: &GoalOrders<'_>,
    screen: &Screen,
    state: &WalkState,
    button: usize,
) -> Vec<String> {
    let entry = screen.entry(button).filter(|entry| entry.kind == EntryKind::Button);
    let Some(label) = entry.map(|entry| entry.label.as_str()) else { return Vec::new() };
    let named = goal.find(label);
    if named.is_some_and(|at| is_quoted(&goal.lower, at)) {
        return Vec::new();
    }
    let ends = |number: &usize| {
        screen
            .entry(*number)
            .is_some_and(|one| one.kind == EntryKind::Button && is_last(&one.label))
    };
    let begin = (1..button).rfind(ends).unwrap_or_default();
    let searches = SEARCHES.contains(&label.to_lowercase().as_str());
    let mut of_form = fields_of(screen, &[EntryKind::Field, EntryKind::File]);
    of_form.retain(|(number, field)| {
        (begin..button).contains(number) && (searches || !is_search(field))
    });
    let acts = |action: &WalkAction| matches!(action, WalkAction::Operate { .. });
    let is_operated = state
        .path
        .iter()
        .any(|step| step.outcome.is_done() && acts(&step.action) && step.address == screen.address);
    let is_blank = of_form.iter().all(|(_, field)| is_empty(field))
        && !is_operated
        && !named.is_some_and(|at| goal.is_pressed(at));
    let has_others = of_form.iter().any(|(_, field)| field.kind != EntryKind::File);
    let needs = |field: &ScreenEntry| {
        let may_be_blank = field.kind == EntryKind::File && has_others;
        field.is("required") || is_password(field) || is_blank && !may_be_blank
    };
    let lacking = of_form.iter().filter(|(_, field)| is_empty(field) && needs(field));
    lacking.map(|(_, field)| field.label.clone()).collect()
}
