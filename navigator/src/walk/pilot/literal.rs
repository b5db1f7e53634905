//! What a goal says literally about the controls of a live page: the floor of all pilots. It
//! understands names and quoted words, in the order of the goal, and nothing else.

use crate::walk::action::{ControlOperation, WalkAction};
use crate::walk::pilot::WalkTurn;
use crate::walk::pilot::equal_controls::{is_for, is_meant, words_in_rows};
use crate::walk::pilot::form::{is_last, lacks, values};
use crate::walk::pilot::phrases::{
    find_name, is_link_named, is_pressed, is_question, is_quoted, spread_name,
};
use crate::walk::screen::{EntryKind, Screen, ScreenEntry};
use crate::walk::session::{GONE, Opened};
use crate::walk::state::{PathStep, WalkState};

/// The reason for a step that the goal states.
const NAMED: &str = "the goal names it";
/// The reason for pressing a button that the goal does not name.
const ENDS_FORM: &str = "it ends the form that was filled in";

/// Something that the goal names.
struct NamedAction {
    /// Where in the goal.
    at: usize,
    action: WalkAction,
}

/// What a goal says literally of a page.
#[derive(Debug, Default)]
pub(crate) struct LiteralStep {
    /// The next action that the goal names and the walk has not taken; `None` if there is none.
    pub(crate) action: Option<WalkAction>,
    /// The reason for it.
    pub(crate) why: &'static str,
    /// The fields that the button which ends the form waits for: the goal has nothing for them.
    pub(crate) lacks: Vec<String>,
    /// The goal says to press that button.
    pub(crate) is_asked: bool,
}

/// Reads the goal of a turn for the controls of its page.
pub(crate) fn literal_step(turn: &WalkTurn<'_>) -> LiteralStep {
    let WalkTurn { goal, screen, state, secrets, .. } = turn;
    let lower = goal.to_lowercase();
    let mut named: Vec<NamedAction> = Vec::new();
    let values = values(goal, &lower, screen, secrets);
    let values =
        values.into_iter().map(|value| NamedAction { at: value.at, action: value.action() });
    named.extend(values.filter(|one| match &one.action {
        WalkAction::Operate { operation: ControlOperation::Fill { text }, .. } => {
            !is_gone(state, text)
        }
        _ => true,
    }));
    // Of a link and a button `Log in` on one page the button goes on.
    let is_button = |entry: &ScreenEntry, label: &str| {
        entry.kind == EntryKind::Button && entry.label.eq_ignore_ascii_case(label)
    };
    let leads_here = |entry: &ScreenEntry| {
        entry.kind == EntryKind::Link
            && screen.entries.iter().any(|one| is_button(one, &entry.label))
    };
    let in_rows = words_in_rows(&lower, screen);
    for (entry, number) in screen.entries.iter().zip(1..).filter(|(entry, _)| !leads_here(entry)) {
        let found = of_entry(&lower, screen, entry, number);
        named.extend(found.filter(|one| is_meant(&lower, one.at, screen, &in_rows, number)));
    }
    if named.is_empty() {
        named.extend(only_button(&lower, screen));
    }
    let is_fill = |action: &WalkAction| {
        matches!(action, WalkAction::Operate { operation: ControlOperation::Fill { .. }, .. })
    };
    let fills = named.iter().any(|one| is_fill(&one.action));
    // What is written is written before a button takes it, `Add` for example.
    let comes_last = |action: &WalkAction| match action {
        WalkAction::Click { number, .. } if fills => {
            screen.entry(*number).is_some_and(|entry| entry.kind == EntryKind::Button)
        }
        action => ends_form(action),
    };
    named.sort_by_key(|one| (comes_last(&one.action), one.at));
    let mut actions = named.into_iter().map(|one| one.action);
    let action = actions.find(|action| is_new(action, screen, state));
    let is_named = action.is_some();
    let action = action.or_else(|| last_button(screen, state));
    let lacks = match &action {
        Some(WalkAction::Click { number, label }) if is_last(label) => {
            lacks(&lower, screen, state, *number)
        }
        _ => Vec::new(),
    };
    let is_asked = match &action {
        Some(WalkAction::Click { label, .. }) => {
            find_name(&lower, label).is_some_and(|at| is_link_named(&lower, at, label))
        }
        _ => false,
    };
    let why = if is_named { NAMED } else { ENDS_FORM };
    LiteralStep { action: action.filter(|_| lacks.is_empty()), why, lacks, is_asked }
}

/// Reports whether a step made a text go away: then it was what the goal is about, and no value.
fn is_gone(state: &WalkState, text: &str) -> bool {
    let (gone, text) = (format!("{GONE}: "), format!("'{text}'"));
    let results = state.path.iter().map(|step| step.result.as_str());
    results.filter_map(|result| result.split_once(&gone)).any(|(_, after)| after.contains(&text))
}

/// Returns the only button of a page, if the goal says to press `the button`.
fn only_button(lower: &str, screen: &Screen) -> Option<NamedAction> {
    let at = find_name(lower, "the button").filter(|at| is_pressed(lower, *at))?;
    let mut buttons =
        screen.entries.iter().zip(1..).filter(|(entry, _)| entry.kind == EntryKind::Button);
    let (entry, number) = buttons.next().filter(|_| buttons.next().is_none())?;
    let action = WalkAction::Click { number, label: entry.label.clone() };
    Some(NamedAction { at, action })
}

fn ends_form(action: &WalkAction) -> bool {
    matches!(action, WalkAction::Click { label, .. } if is_last(label))
}

/// Reports whether the walk has not taken an action.
fn is_new(action: &WalkAction, screen: &Screen, state: &WalkState) -> bool {
    // A link `Log in` leads to the page with the button `Log in`.
    let led_here =
        |step: &PathStep| step.opened == Some(Opened::Here) && step.address == screen.address;
    let is_same = |other: &WalkAction| match (action, other) {
        // The numbers of a page change with it.
        (WalkAction::Click { label, .. }, WalkAction::Click { label: other, .. }) => label == other,
        _ => action == other,
    };
    let is_button = ends_form(action);
    !state.path.iter().any(|step| is_same(&step.action) && !(is_button && led_here(step)))
}

/// Returns the button that ends a form, if something was filled in, chosen or checked on its page.
fn last_button(screen: &Screen, state: &WalkState) -> Option<WalkAction> {
    let ends = |(entry, _): &(&ScreenEntry, usize)| {
        entry.kind == EntryKind::Button && !entry.is("disabled") && is_last(&entry.label)
    };
    let found =
        screen.entries.iter().zip(1..).find(ends).filter(|_| state.has_filled(&screen.address));
    let action =
        found.map(|(entry, number)| WalkAction::Click { number, label: entry.label.clone() });
    action.filter(|action| is_new(action, screen, state))
}

/// Returns what the goal says of one entry.
fn of_entry(
    lower: &str,
    screen: &Screen,
    entry: &ScreenEntry,
    number: usize,
) -> Option<NamedAction> {
    if entry.is("disabled") || entry.is("covered") {
        return None;
    }
    let label = entry.label.clone();
    if entry.kind == EntryKind::Select {
        let control = entry.control.as_ref()?;
        let chosen =
            control.options.iter().filter_map(|option| Some((find_name(lower, option)?, option)));
        let (at, option) = chosen.max_by_key(|(_, option)| option.len())?;
        let operation = ControlOperation::Select { options: vec![option.clone()] };
        return Some(NamedAction { at, action: WalkAction::Operate { number, label, operation } });
    }
    let spread = || {
        let is_button = matches!(
            entry.kind,
            EntryKind::Button | EntryKind::Tab | EntryKind::MenuItem | EntryKind::Item
        );
        let name = spread_name(lower, &entry.label).filter(|_| is_button)?;
        is_for(&name.between, screen, entry).then_some(name.at)
    };
    let at = find_name(lower, &entry.label).or_else(spread)?;
    match entry.kind {
        EntryKind::Checkbox | EntryKind::Radio if entry.is("checked") => None,
        EntryKind::Checkbox | EntryKind::Radio => {
            let operation = ControlOperation::Check { on: true };
            Some(NamedAction { at, action: WalkAction::Operate { number, label, operation } })
        }
        EntryKind::Field | EntryKind::File | EntryKind::Canvas | EntryKind::Slider => None,
        EntryKind::Link if !is_link_named(lower, at, &entry.label) => None,
        // Who asks how something is sent does not send it.
        EntryKind::Button
            if is_last(&entry.label) && is_question(lower) && !is_quoted(lower, at) =>
        {
            None
        }
        _ => Some(NamedAction { at, action: WalkAction::Click { number, label } }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::effect::ResourceLimits;
    use crate::run::deadline::Deadline;
    use crate::shared::CancelToken;
    use crate::walk::screen::EntryControl;

    /// A screen of controls: kind, label, options, states.
    fn screen(entries: &[(EntryKind, &str, &[&str], &[&str])]) -> Screen {
        let owned = |words: &[&str]| words.iter().map(|one| (*one).to_owned()).collect();
        let entry =
            |(kind, label, options, states): &(EntryKind, &str, &[&str], &[&str])| ScreenEntry {
                control: Some(EntryControl {
                    options: owned(options),
                    states: owned(states),
                    ..EntryControl::default()
                }),
                ..ScreenEntry::new(*kind, *label)
            };
        let entries = entries.iter().map(entry).collect();
        Screen { is_live: true, entries, ..Screen::default() }
    }

    /// A step that was taken, and changed nothing.
    fn taken(action: WalkAction) -> PathStep {
        PathStep {
            action,
            result: String::new(),
            is_done: true,
            opened: None,
            found: Vec::new(),
            sends: false,
            refused: Vec::new(),
            why: String::new(),
            is_of_goal: false,
            before: String::new(),
            after: String::new(),
            address: String::new(),
        }
    }

    fn steps(goal: &str, screen: &Screen, secrets: &[&str]) -> Vec<String> {
        steps_from(goal, screen, secrets, WalkState::first())
    }

    fn steps_from(
        goal: &str,
        screen: &Screen,
        secrets: &[&str],
        mut state: WalkState,
    ) -> Vec<String> {
        let mut screen = screen.clone();
        let mut steps = Vec::new();
        let deadline = Deadline::new(None, CancelToken::new());
        loop {
            let step = literal_step(&WalkTurn {
                turn: 1,
                goal,
                screen: &screen,
                state: &state,
                steps_left: 9,
                resources_left: ResourceLimits::default(),
                view_tokens: 100,
                secrets: secrets.iter().map(|name| (*name).to_owned()).collect(),
                can_search: false,
                deadline: &deadline,
            });
            if !step.lacks.is_empty() {
                steps.push(format!("lacks {}", step.lacks.join(", ")));
            }
            let Some(action) = step.action else { return steps };
            steps.push(action.to_string());
            if let WalkAction::Operate {
                number, operation: ControlOperation::Fill { text }, ..
            } = &action
            {
                screen.entries[*number - 1].control.as_mut().unwrap().value = Some(text.clone());
            }
            state.path.push(taken(action));
        }
    }

    #[test]
    fn the_goal_is_taken_by_its_words() {
        let form = [
            (EntryKind::Field, "Username", &[][..], &[][..]),
            (EntryKind::Field, "Password", &[], &[]),
            (EntryKind::Button, "Login", &[], &[]),
        ];
        let goal = "Enter the username \"vina\" and the password \"US\" and press login.";
        let filled =
            ["fill 1 'Username' with 'vina'", "fill 2 'Password' with 'US'", "click 3 'Login'"];
        assert_eq!(steps(goal, &screen(&form), &[]), filled);
        let goal = "Enter \"Ada\" into the field \"Username\" and press login.";
        let two = [form[0], (EntryKind::Field, "Number", &[], &[]), form[2]];
        // The name of a field is no text.
        let filled = ["fill 1 'Username' with 'Ada'", "click 3 'Login'"];
        assert_eq!(steps(goal, &screen(&two), &[]), filled);
        let list = [
            (EntryKind::Select, "", &["Lorri", "Bobine"][..], &[][..]),
            (EntryKind::Button, "Submit", &[], &[]),
        ];
        let chosen = ["select 1 '' 'Bobine'", "click 2 'Submit'"];
        assert_eq!(steps("Select Bobine and click Submit.", &screen(&list), &[]), chosen);
        let tabs =
            [(EntryKind::Tab, "Tab #1", &[][..], &[][..]), (EntryKind::Tab, "Tab #2", &[], &[])];
        assert_eq!(steps("Click on Tab #2.", &screen(&tabs), &[]), ["click 2 'Tab #2'"]);
        assert_eq!(steps("Dance", &screen(&tabs), &[]), [""; 0]);
    }

    #[test]
    fn values_without_quotes_are_filled_and_a_form_without_them_is_not_sent() {
        let order = screen(&[
            (EntryKind::Field, "Search", &[][..], &[][..]),
            (EntryKind::Field, "Name", &[], &["required"]),
            (EntryKind::Field, "Quantity", &[], &[]),
            (EntryKind::Button, "Order", &[], &[]),
        ]);
        let goal = "order a book with name Ada Lovelace and quantity 3";
        let filled =
            ["fill 2 'Name' with 'Ada Lovelace'", "fill 3 'Quantity' with '3'", "click 4 'Order'"];
        assert_eq!(steps(goal, &order, &[]), filled);
        assert_eq!(steps("order a book", &order, &[]), ["lacks Name, Quantity"]);
        let goal = "name Ada, quantity 3, click \"Order\"";
        let filled = ["fill 2 'Name' with 'Ada'", "fill 3 'Quantity' with '3'", "click 4 'Order'"];
        assert_eq!(steps(goal, &order, &[]), filled);
        assert_eq!(steps("order with name \"Ada\" and quantity 3", &order, &[]), filled);
        let goal = "order a book, quantity 3";
        assert_eq!(steps(goal, &order, &[]), ["fill 3 'Quantity' with '3'", "lacks Name"]);
        assert_eq!(steps("click \"Order\"", &order, &[]), ["click 4 'Order'"]);
        assert_eq!(steps("how is the name shortened?", &order, &[]), [""; 0]);
        assert_eq!(steps("how do I order a book?", &order, &[]), [""; 0]);
        let goal = "search for coolant";
        assert_eq!(steps(goal, &order, &[]), ["fill 1 'Search' with 'coolant'", "lacks Name"]);
    }

    #[test]
    fn a_value_before_the_name_of_its_field_is_filled() {
        let one = screen(&[
            (EntryKind::Field, "", &[][..], &[][..]),
            (EntryKind::Button, "Submit", &[], &[]),
        ]);
        let goal = "Enter 8:04 PM as the time and press submit.";
        assert_eq!(steps(goal, &one, &[]), ["fill 1 '' with '8:04 PM'", "click 2 'Submit'"]);
        // What is only described is no value.
        let goal = "Enter the value of Color into the text field and press Submit.";
        assert!(!steps(goal, &one, &[]).iter().any(|step| step.starts_with("fill")));
        let two = screen(&[
            (EntryKind::Field, "Name", &[][..], &[][..]),
            (EntryKind::Field, "City", &[], &[]),
        ]);
        assert_eq!(
            steps("type Rome into the city field", &two, &[]),
            ["fill 2 'City' with 'Rome'"]
        );
        assert_eq!(steps("type Rome into the street field", &two, &[]), [""; 0]);
        assert_eq!(steps("type Rome, then look in the city field", &two, &[]), [""; 0]);
        // Small letters of as many bytes as the large ones, of which none has as many as before.
        assert_eq!(steps("type İẞ as ẞİ", &two, &[]), [""; 0]);
        let shop = screen(&[(EntryKind::Field, "Search", &[][..], &[][..])]);
        assert_eq!(steps("put 2 mugs in the cart", &shop, &[]), [""; 0]);
    }

    #[test]
    fn a_button_that_the_goal_does_not_name_ends_only_what_was_filled_in() {
        let admin = [
            (EntryKind::Button, "Refresh", &[][..], &[][..]),
            (EntryKind::Checkbox, "News", &[], &[]),
            (EntryKind::Button, "Save", &[], &[]),
        ];
        assert_eq!(steps("click \"Refresh\"", &screen(&admin), &[]), ["click 1 'Refresh'"]);
        let checked = ["check 2 'News'", "click 3 'Save'"];
        assert_eq!(steps("check \"News\"", &screen(&admin), &[]), checked);
    }

    #[test]
    fn a_field_is_filled_before_a_button_takes_what_is_in_it() {
        let list = [
            (EntryKind::Field, "New item", &[][..], &[][..]),
            (EntryKind::Button, "Add", &[], &[]),
        ];
        assert_eq!(
            steps("add a new item \"Butter\"", &screen(&list), &[]),
            ["fill 1 'New item' with 'Butter'", "click 2 'Add'"]
        );
    }

    #[test]
    fn what_a_step_made_go_away_is_no_value_of_a_field() {
        let list = screen(&[
            (EntryKind::Button, "Delete", &[][..], &[][..]),
            (EntryKind::Field, "New item", &[], &[]),
        ]);
        let mut state = WalkState::first();
        state.path.push(PathStep {
            action: WalkAction::Click { number: 1, label: "Delete".to_owned() },
            result: "new text: 'removed'; gone: 'Delete', 'Bread'".to_owned(),
            ..taken(WalkAction::Back)
        });
        assert_eq!(steps_from("delete \"Bread\"", &list, &[], state), [""; 0]);
        let filled = ["fill 2 'New item' with 'Bread'", "click 1 'Delete'"];
        assert_eq!(steps("delete \"Bread\"", &list, &[]), filled);
    }

    #[test]
    fn of_controls_with_one_name_the_goal_says_which() {
        let radios = screen(&[
            (EntryKind::Radio, "radio", &[][..], &[][..]),
            (EntryKind::Radio, "radio", &[], &[]),
            (EntryKind::Button, "Reply", &[], &[]),
            (EntryKind::Button, "Reply", &[], &[]),
        ]);
        assert_eq!(steps("check the 2nd radio", &radios, &[]), ["check 2 'radio'"]);
        assert_eq!(steps("check the radio", &radios, &[]), ["check 1 'radio'"]);
        assert_eq!(steps("click the second reply button", &radios, &[]), ["click 4 'Reply'"]);
        assert_eq!(steps("click the 3rd reply button", &radios, &[]), [""; 0]);
        let mut rows = screen(&[(EntryKind::Button, "Delete", &[][..], &[][..]); 3]);
        for (entry, row) in rows.entries.iter_mut().zip(["Milk", "Bread", "Brown bread"]) {
            entry.control.as_mut().unwrap().beside = Some(row.to_owned());
        }
        assert_eq!(steps("delete \"Bread\"", &rows, &[]), ["click 2 'Delete'"]);
        assert_eq!(steps("delete the brown bread", &rows, &[]), ["click 3 'Delete'"]);
        assert_eq!(steps("delete the second one", &rows, &[]), ["click 2 'Delete'"]);
        // What stands in no row is not deleted, and neither is the first row in its place.
        assert_eq!(steps("delete the cheese", &rows, &[]), [""; 0]);
        assert_eq!(steps("press delete", &rows, &[]), ["click 1 'Delete'"]);
        for (entry, row) in rows.entries.iter_mut().zip(["a.txt 1", "b.txt 1", "c.txt 1"]) {
            entry.control.as_mut().unwrap().beside = Some(row.to_owned());
        }
        assert_eq!(steps("delete b.txt", &rows, &[]), ["click 2 'Delete'"]);
        let mut shop = screen(&[(EntryKind::Button, "Add to cart", &[][..], &[][..]); 2]);
        for (entry, row) in shop.entries.iter_mut().zip(["Kettle 30 EUR", "Red lamp 12 EUR"]) {
            entry.control.as_mut().unwrap().beside = Some(row.to_owned());
        }
        let add = |goal: &str| steps(goal, &shop, &[]);
        assert_eq!(add("add the red lamp to the cart"), ["click 2 'Add to cart'"]);
        assert_eq!(add("add the green lamp to the cart"), [""; 0]);
        let one = screen(&[(EntryKind::Button, "Click Me!", &[][..], &[][..])]);
        assert_eq!(steps("Click the button.", &one, &[]), ["click 1 'Click Me!'"]);
        assert_eq!(steps("Click the button.", &radios, &[]), [""; 0]);
    }

    #[test]
    fn a_login_takes_the_only_secret_for_its_password() {
        let login = screen(&[
            (EntryKind::Field, "User name", &[][..], &[][..]),
            (EntryKind::Field, "Password", &[], &[]),
            (EntryKind::Button, "Log in", &[], &[]),
        ]);
        let goal = "log in as ada, then list my orders";
        let with = [
            "fill 1 'User name' with 'ada'",
            "fill 2 'Password' with '{{secret:pw}}'",
            "click 3 'Log in'",
        ];
        assert_eq!(steps(goal, &login, &["pw"]), with);
        let without = ["fill 1 'User name' with 'ada'", "lacks Password"];
        assert_eq!(steps(goal, &login, &[]), without);
    }

    #[test]
    fn a_link_to_a_form_is_not_its_button() {
        let step = PathStep {
            action: WalkAction::Click { number: 1, label: "Log in".to_owned() },
            result: "page 'Log in'".to_owned(),
            is_done: true,
            opened: Some(Opened::Here),
            found: Vec::new(),
            sends: false,
            refused: Vec::new(),
            why: String::new(),
            is_of_goal: false,
            before: String::new(),
            after: String::new(),
            address: "http://a/login".to_owned(),
        };
        let login = Screen {
            address: "http://a/login".to_owned(),
            ..screen(&[
                (EntryKind::Link, "Log in", &[][..], &[][..]),
                (EntryKind::Button, "Log in", &[], &[]),
            ])
        };
        let mut state = WalkState::first();
        state.path.push(step);
        let steps = steps_from("log in", &login, &[], state);
        assert_eq!(steps, ["click 2 'Log in'"]);
    }

    #[test]
    fn the_words_of_links_are_no_orders() {
        let docs = screen(&[
            (EntryKind::Link, "Prev", &[][..], &[][..]),
            (EntryKind::Link, "Up", &[], &[]),
            (EntryKind::Link, "Server", &[], &[]),
        ]);
        assert_eq!(steps("how do I set up a server?", &docs, &[]), [""; 0]);
        assert_eq!(steps("click on \"Up\"", &docs, &[]), ["click 2 'Up'"]);
        assert_eq!(steps("open the server", &docs, &[]), ["click 3 'Server'"]);
    }
}
