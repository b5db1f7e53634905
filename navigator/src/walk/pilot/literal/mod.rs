//! What a goal says literally about the controls of a live page: the floor of all pilots. It
//! understands names and quoted words, in the order of the goal, and nothing else.

use crate::walk::action::{ControlOperation, WalkAction};
use crate::walk::pilot::WalkTurn;
use crate::walk::pilot::equal_controls::{is_for, is_meant, words_in_rows};
use crate::walk::pilot::form::{given_files, is_last, is_search, lacks, values};
use crate::walk::pilot::orders::GoalOrders;
use crate::walk::pilot::phrases::{is_quoted, signs_in};
use crate::walk::screen::{EntryKind, Screen, ScreenEntry};
use crate::walk::session::GONE;
use crate::walk::state::WalkState;

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

impl NamedAction {
    /// Reports whether it puts something into a control.
    fn writes(&self) -> bool {
        matches!(&self.action, WalkAction::Operate { operation, .. } if operation.writes())
    }

    /// Reports whether it writes what is searched for.
    fn searches(&self, screen: &Screen) -> bool {
        let WalkAction::Operate { number, .. } = &self.action else { return false };
        screen.entry(*number).is_some_and(is_search)
    }

    fn clicked(&self, screen: &Screen) -> Option<EntryKind> {
        clicked(&self.action, screen)
    }
}

/// Returns the kind of the entry that an action clicks.
fn clicked(action: &WalkAction, screen: &Screen) -> Option<EntryKind> {
    match action {
        WalkAction::Click { number, .. } => Some(screen.entry(*number)?.kind),
        _ => None,
    }
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
    /// The goal says to press that button, or gave something for its form.
    pub(crate) is_asked: bool,
    /// The page has the control that the goal names in other rows than that of its thing.
    pub(crate) is_in_other_rows: bool,
}

/// Returns what the goal of a turn says of the controls of its page.
pub(crate) fn literal_step(goal: &GoalOrders<'_>, turn: &WalkTurn<'_>) -> LiteralStep {
    let WalkTurn { screen, state, secrets, files, .. } = turn;
    let mut named: Vec<NamedAction> = Vec::new();
    let values = values(goal, screen, secrets);
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
        let is_same = entry.label.eq_ignore_ascii_case(label)
            || [label, &entry.label].into_iter().all(signs_in);
        entry.kind == EntryKind::Button && is_same
    };
    let leads_here = |entry: &ScreenEntry| {
        entry.kind == EntryKind::Link
            && screen.entries.iter().any(|one| is_button(one, &entry.label))
    };
    let given = given_files(goal, screen, files).into_iter();
    named.extend(given.map(|(at, action)| NamedAction { at, action }));
    let in_rows = words_in_rows(&goal.lower, screen);
    for (entry, number) in screen.entries.iter().zip(1..).filter(|(entry, _)| !leads_here(entry)) {
        let found = of_entry(goal, screen, entry, number);
        named.extend(found.filter(|one| is_meant(goal, one.at, turn, &in_rows, number)));
    }
    if named.is_empty() {
        named.extend(only_button(goal, screen));
    }
    in_sequence(goal, screen, &mut named);
    let (new, taken): (Vec<NamedAction>, Vec<NamedAction>) =
        named.into_iter().partition(|one| is_new(&one.action, screen, state));
    let next = new.into_iter().next();
    let ends = match &next {
        Some(next) if is_later(goal, screen, &taken, next) => {
            form_before(goal, screen, state, &next.action)
        }
        Some(_) => None,
        None if is_ended(screen, &taken) => None,
        None => last_button(screen, state),
    };
    let is_named = ends.is_none();
    let action = ends.or(next.map(|next| next.action));
    let lacks = match &action {
        Some(WalkAction::Click { number, label }) if is_last(label) => {
            lacks(goal, screen, state, *number)
        }
        _ => Vec::new(),
    };
    let is_asked = match &action {
        Some(WalkAction::Click { label, .. }) => {
            goal.find_label(label).is_some_and(|at| goal.is_link_named(at, label))
                || taken.iter().any(|one| one.writes() && !one.searches(screen))
        }
        _ => false,
    };
    let is_in_other_rows = action.is_none() && is_in_rows(goal, screen);
    let why = if is_named { NAMED } else { ENDS_FORM };
    let action = action.filter(|_| lacks.is_empty());
    LiteralStep { action, why, lacks, is_asked, is_in_other_rows }
}

/// Reports whether a page has the control that a goal names in rows, each of another thing.
fn is_in_rows(goal: &GoalOrders<'_>, screen: &Screen) -> bool {
    let is_named = |entry: &ScreenEntry| {
        entry.kind == EntryKind::Button
            && entry.control.as_ref().is_some_and(|control| control.beside.is_some())
            && (goal.find_label(&entry.label).is_some() || goal.spread_name(&entry.label).is_some())
    };
    !goal.is_question && screen.entries.iter().any(is_named)
}

/// Puts what a goal names into its sequence. Between two `then`s, what is written is written before
/// a button takes it, `Add` for example, and before a link of a later order leads away from it.
fn in_sequence(goal: &GoalOrders<'_>, screen: &Screen, named: &mut [NamedAction]) {
    let writes = named.iter().filter(|one| one.writes());
    let first = writes.map(|one| goal.n_orders(one.at)).min();
    let comes_last = |one: &NamedAction| match one.clicked(screen) {
        Some(EntryKind::Button) => first.is_some() || ends_form(&one.action),
        Some(EntryKind::Link) => first.is_some_and(|first| first < goal.n_orders(one.at)),
        _ => false,
    };
    named.sort_by_cached_key(|one| (goal.n_thens(one.at), comes_last(one), one.at));
}

/// Reports whether something comes after what was written: behind a `then`, or by a link of a later
/// order.
fn is_later(
    goal: &GoalOrders<'_>,
    screen: &Screen,
    taken: &[NamedAction],
    next: &NamedAction,
) -> bool {
    let leaves = next.clicked(screen) == Some(EntryKind::Link);
    last_written(taken).is_some_and(|last| {
        goal.n_thens(last) < goal.n_thens(next.at)
            || leaves && goal.n_orders(last) < goal.n_orders(next.at)
    })
}

/// Reports whether a button that the goal names was pressed behind what was written: the goal says
/// how the form ends.
fn is_ended(screen: &Screen, taken: &[NamedAction]) -> bool {
    let is_button = |one: &&NamedAction| one.clicked(screen) == Some(EntryKind::Button);
    let pressed = taken.iter().filter(is_button).map(|one| one.at).max();
    pressed > last_written(taken)
}

/// Returns where the goal has the last thing that was written.
fn last_written(taken: &[NamedAction]) -> Option<usize> {
    taken.iter().filter(|one| one.writes()).map(|one| one.at).max()
}

/// Reports whether a step made a text go away: then it was what the goal is about, and no value.
fn is_gone(state: &WalkState, text: &str) -> bool {
    let (gone, text) = (format!("{GONE}: "), format!("'{text}'"));
    let results = state.path.iter().map(|step| step.result.as_str());
    results.filter_map(|result| result.split_once(&gone)).any(|(_, after)| after.contains(&text))
}

/// Returns the only button of a page, if the goal says to press `the button`.
fn only_button(goal: &GoalOrders<'_>, screen: &Screen) -> Option<NamedAction> {
    let at = goal.find("the button").filter(|at| goal.is_pressed(*at))?;
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
    let is_same = |other: &WalkAction| match (action, other) {
        // The numbers of a page change with it.
        (WalkAction::Click { label, .. }, WalkAction::Click { label: other, .. }) => label == other,
        (
            WalkAction::Operate { operation: operation @ ControlOperation::Upload { .. }, .. },
            WalkAction::Operate { operation: other, .. },
        ) => operation == other,
        _ => action == other,
    };
    // A link `Log in` leads to the page with the button `Log in`.
    let is_button = ends_form(action) && clicked(action, screen) == Some(EntryKind::Button);
    !state.path.iter().any(|step| is_same(&step.action) && !(is_button && step.by_link))
}

/// Returns the button that ends a form, if something was filled in, chosen or checked on its page:
/// the first one behind that, or the first one of the page.
fn last_button(screen: &Screen, state: &WalkState) -> Option<WalkAction> {
    let last = last_operated(screen, state)?;
    let buttons = || ending_buttons(screen);
    let found = buttons().find(|(_, number)| *number > last).or_else(|| buttons().next());
    let action =
        found.map(|(entry, number)| WalkAction::Click { number, label: entry.label.clone() });
    action.filter(|action| is_new(action, screen, state))
}

/// Returns the button that ends the form that was filled in before something later is done. None
/// does if that belongs to the form, or if the form waits for more.
fn form_before(
    goal: &GoalOrders<'_>,
    screen: &Screen,
    state: &WalkState,
    later: &WalkAction,
) -> Option<WalkAction> {
    let last = last_operated(screen, state)?;
    let (entry, button) = ending_buttons(screen).find(|(_, number)| *number > last)?;
    let is_of_form = match later {
        WalkAction::Operate { number, .. } => *number < button,
        // What stands behind that button is of no form that it ends.
        WalkAction::Click { number, .. } => {
            let entry = screen.entry(*number).filter(|_| (last..=button).contains(number));
            entry.is_some_and(|entry| entry.kind == EntryKind::Button)
        }
        _ => false,
    };
    let action = WalkAction::Click { number: button, label: entry.label.clone() };
    let can_be = !is_of_form && is_new(&action, screen, state);
    (can_be && lacks(goal, screen, state, button).is_empty()).then_some(action)
}

/// Returns the buttons of a page that end a form.
fn ending_buttons(screen: &Screen) -> impl Iterator<Item = (&ScreenEntry, usize)> {
    screen.entries.iter().zip(1..).filter(|(entry, _)| {
        entry.kind == EntryKind::Button && !entry.is("disabled") && is_last(&entry.label)
    })
}

/// Returns the last control of a page that the walk has put something into.
fn last_operated(screen: &Screen, state: &WalkState) -> Option<usize> {
    let steps = state.path.iter().filter(|step| step.operates() && step.address == screen.address);
    let numbers = steps.filter_map(|step| match step.action {
        WalkAction::Operate { number, .. } => Some(number),
        _ => None,
    });
    numbers.max()
}

/// Returns what the goal says of one entry.
fn of_entry(
    goal: &GoalOrders<'_>,
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
        let chosen = control.options.iter().filter_map(|option| Some((goal.find(option)?, option)));
        let (at, option) = chosen.max_by_key(|(_, option)| option.len())?;
        let operation = ControlOperation::Select { options: vec![option.clone()] };
        return Some(NamedAction { at, action: WalkAction::Operate { number, label, operation } });
    }
    let spread = || {
        let is_button = matches!(
            entry.kind,
            EntryKind::Button | EntryKind::Tab | EntryKind::MenuItem | EntryKind::Item
        );
        let name = goal.spread_name(&entry.label).filter(|_| is_button)?;
        is_for(&name.between, screen, entry).then_some(name.at)
    };
    let at = goal.find_label(&entry.label).or_else(spread)?;
    match entry.kind {
        EntryKind::Checkbox | EntryKind::Radio if entry.is("checked") => None,
        EntryKind::Checkbox | EntryKind::Radio => {
            let operation = ControlOperation::Check { on: true };
            Some(NamedAction { at, action: WalkAction::Operate { number, label, operation } })
        }
        EntryKind::Field | EntryKind::File | EntryKind::Canvas | EntryKind::Slider => None,
        EntryKind::Link if !goal.is_link_named(at, &entry.label) => None,
        // Who asks how something is sent does not send it.
        EntryKind::Button
            if is_last(&entry.label) && goal.is_question && !is_quoted(&goal.lower, at) =>
        {
            None
        }
        _ => Some(NamedAction { at, action: WalkAction::Click { number, label } }),
    }
}

#[cfg(test)]
mod tests;
