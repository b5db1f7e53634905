//! What goals say literally of pages of controls.

use std::collections::BTreeSet;

use super::*;
use crate::money::effect::ResourceLimits;
use crate::run::deadline::Deadline;
use crate::shared::CancelToken;
use crate::walk::outcome::StepOutcome;
use crate::walk::screen::EntryControl;
use crate::walk::session::Opened;
use crate::walk::state::PathStep;

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
        outcome: StepOutcome::Done,
        is_shown: true,
        opened: None,
        by_link: false,
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

/// The controls that destroy something, as the tests name them.
fn destroying(screen: &Screen) -> BTreeSet<usize> {
    let entries = screen.entries.iter().zip(1..);
    let destroys = |entry: &ScreenEntry| ["Delete", "Archive"].contains(&entry.label.as_str());
    entries.filter(|(entry, _)| destroys(entry)).map(|(_, number)| number).collect()
}

fn steps(goal: &str, screen: &Screen, secrets: &[&str]) -> Vec<String> {
    steps_from(goal, screen, secrets, WalkState::first())
}

fn steps_from(goal: &str, screen: &Screen, secrets: &[&str], state: WalkState) -> Vec<String> {
    steps_with(goal, screen, secrets, &[], state)
}

fn steps_with(
    goal: &str,
    screen: &Screen,
    secrets: &[&str],
    files: &[&str],
    mut state: WalkState,
) -> Vec<String> {
    let mut screen = screen.clone();
    let mut steps = Vec::new();
    let deadline = Deadline::new(None, CancelToken::new());
    loop {
        let step = literal_step(
            &GoalOrders::of(goal),
            &WalkTurn {
                turn: 1,
                goal,
                screen: &screen,
                state: &state,
                steps_left: 9,
                resources_left: ResourceLimits::default(),
                view_tokens: 100,
                secrets: secrets.iter().map(|name| (*name).to_owned()).collect(),
                files: files.iter().map(|name| (*name).to_owned()).collect(),
                destroying: destroying(&screen),
                can_search: false,
                deadline: &deadline,
            },
        );
        if !step.lacks.is_empty() {
            steps.push(format!("lacks {}", step.lacks.join(", ")));
        }
        let Some(action) = step.action else { return steps };
        steps.push(action.to_string());
        if let WalkAction::Operate { number, operation: ControlOperation::Fill { text }, .. } =
            &action
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
    let tabs = [(EntryKind::Tab, "Tab #1", &[][..], &[][..]), (EntryKind::Tab, "Tab #2", &[], &[])];
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
    assert_eq!(steps("type Rome into the city field", &two, &[]), ["fill 2 'City' with 'Rome'"]);
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
    let list =
        [(EntryKind::Field, "New item", &[][..], &[][..]), (EntryKind::Button, "Add", &[], &[])];
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
    // The session says what destroys: a person may have added the word.
    let mut archive = rows.clone();
    archive.entries.iter_mut().for_each(|entry| entry.label = "Archive".to_owned());
    assert_eq!(steps("archive the cheese", &archive, &[]), [""; 0]);
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
    let mut status = login.clone();
    status.entries.insert(0, ScreenEntry::new(EntryKind::Link, "Status"));
    let opened: Vec<String> = steps("log in as ada and open Status", &status, &["pw"]);
    let with = ["fill 2 'User name' with 'ada'", "fill 3 'Password' with '{{secret:pw}}'"];
    assert_eq!(opened[..2], with);
    assert_eq!(opened[2..], ["click 4 'Log in'", "click 1 'Status'"]);
    let without = ["fill 1 'User name' with 'ada'", "lacks Password"];
    assert_eq!(steps(goal, &login, &[]), without);
}

#[test]
fn sites_and_goals_have_other_words_for_signing_in() {
    let home = screen(&[
        (EntryKind::Link, "Status", &[][..], &[][..]),
        (EntryKind::Link, "Sign in", &[], &[]),
    ]);
    let goal = "log in as ada, then open the Status page";
    assert_eq!(steps(goal, &home, &[]), ["click 2 'Sign in'", "click 1 'Status'"]);
    assert_eq!(steps("how do I log in?", &home, &[]), [""; 0]);
    let login = screen(&[
        (EntryKind::Link, "Sign in", &[][..], &[][..]),
        (EntryKind::Button, "Log in", &[], &[]),
    ]);
    assert_eq!(steps("sign in", &login, &[]), ["click 2 'Log in'"]);
}

#[test]
fn a_form_gets_the_file_before_it_is_sent() {
    let form = screen(&[
        (EntryKind::File, "Document", &[][..], &[][..]),
        (EntryKind::Button, "Upload", &[], &[]),
    ]);
    let with = |goal: &str, files: &[&str]| steps_with(goal, &form, &[], files, WalkState::first());
    let sent = ["upload 1 'Document' 'bill.pdf'", "click 2 'Upload'"];
    assert_eq!(with("upload the bill", &["bill.pdf"]), sent);
    assert_eq!(with("upload bill.pdf", &["a.txt", "bill.pdf"]), sent);
    assert_eq!(with("upload the bill", &["a.txt", "bill.pdf"]), ["lacks Document"]);
    assert_eq!(with("upload the bill", &[]), ["lacks Document"]);
    assert_eq!(with("how do I upload a bill?", &["bill.pdf"]), [""; 0]);
    assert_eq!(with("upload the bill, then press Back", &["bill.pdf"]), sent);
    // One field takes no two files, and a page that is only passed takes none.
    assert_eq!(with("upload a.txt and bill.pdf", &["a.txt", "bill.pdf"]), ["lacks Document"]);
    assert_eq!(with("open the start page", &["bill.pdf"]), [""; 0]);
    let two = screen(&[
        (EntryKind::File, "Picture", &[][..], &[][..]),
        (EntryKind::File, "Document", &[], &[]),
        (EntryKind::Checkbox, "News", &[], &["checked"]),
        (EntryKind::Button, "Save", &[], &[]),
    ]);
    let goal = "put old-bill.pdf in as the document and press save";
    let files = ["bill.pdf", "old-bill.pdf"];
    let chosen = ["upload 2 'Document' 'old-bill.pdf'", "click 4 'Save'"];
    assert_eq!(steps_with(goal, &two, &[], &files, WalkState::first()), chosen);
}

#[test]
fn a_form_is_filled_before_it_is_sent_and_sent_before_what_comes_later() {
    let page = screen(&[
        (EntryKind::Field, "Search", &[][..], &[][..]),
        (EntryKind::Button, "Search", &[], &[]),
        (EntryKind::Field, "Name", &[], &[]),
        (EntryKind::Field, "Quantity", &[], &[]),
        (EntryKind::Button, "Save", &[], &[]),
        (EntryKind::Link, "Status", &[], &[]),
    ]);
    let name = "fill 3 'Name' with 'Ada'";
    let both = [name, "fill 4 'Quantity' with '3'", "click 5 'Save'"];
    assert_eq!(steps("name Ada, then quantity 3, then press save", &page, &[]), both);
    let then_open = [name, "click 5 'Save'", "click 6 'Status'"];
    assert_eq!(steps("set the name to Ada, then open Status", &page, &[]), then_open);
    assert_eq!(steps("name Ada, then press save", &page, &[]), [name, "click 5 'Save'"]);
    let mut account = page.clone();
    account.entries.push(ScreenEntry::new(EntryKind::Button, "Delete account"));
    let then_delete = [name, "click 5 'Save'", "click 7 'Delete account'"];
    let goal = "set the name to Ada, then press delete account";
    assert_eq!(steps(goal, &account, &[]), then_delete);
    // What is written is kept before a link leads away from it, with `and` as with `then`.
    assert_eq!(steps("set the name to Ada and open Status", &page, &[]), then_open);
    let quoted = ["fill 3 'Name' with 'now, then'", "click 5 'Save'", "click 6 'Status'"];
    assert_eq!(steps("name \"now, then\" and open Status", &page, &[]), quoted);
    let opened = ["click 6 'Status'", name, "click 5 'Save'"];
    assert_eq!(steps("open Status, then set the name to Ada", &page, &[]), opened);
    // A button beside it may be one that takes nothing.
    let mut form = page.clone();
    form.entries.push(ScreenEntry::new(EntryKind::Button, "Cancel"));
    let cancelled = [name, "click 7 'Cancel'"];
    assert_eq!(steps("set the name to Ada and press cancel", &form, &[]), cancelled);
}

#[test]
fn to_sign_in_is_an_order_and_no_word_of_another_one() {
    let page = screen(&[
        (EntryKind::Link, "Sign in", &[][..], &[][..]),
        (EntryKind::Link, "Login settings", &[], &[]),
    ]);
    assert_eq!(steps("open the login settings", &page, &[]), ["click 2 'Login settings'"]);
    assert_eq!(steps("list failed log in attempts", &page, &[]), [""; 0]);
    assert_eq!(steps("log in", &page, &[]), ["click 1 'Sign in'"]);
}

#[test]
fn a_thing_is_searched_for_without_its_article() {
    let site = screen(&[(EntryKind::Field, "Search", &[][..], &[][..])]);
    assert_eq!(steps("find the Kettle", &site, &[]), ["fill 1 'Search' with 'Kettle'"]);
    assert_eq!(steps("find The", &site, &[]), ["fill 1 'Search' with 'The'"]);
}

#[test]
fn a_link_to_a_form_is_not_its_button() {
    let clicked = |number: usize| {
        let step = taken(WalkAction::Click { number, label: "Log in".to_owned() });
        PathStep { opened: Some(Opened::Here), by_link: number == 1, ..step }
    };
    let login = screen(&[
        (EntryKind::Link, "Log in", &[][..], &[][..]),
        (EntryKind::Button, "Log in", &[], &[]),
    ]);
    let mut state = WalkState::first();
    state.path.push(clicked(1));
    assert_eq!(steps_from("log in", &login, &[], state.clone()), ["click 2 'Log in'"]);
    // What was pressed is not pressed again, where that opened the page once more.
    state.path.push(clicked(2));
    assert_eq!(steps_from("log in", &login, &[], state), [""; 0]);
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

#[test]
fn a_page_of_a_list_is_opened_by_its_number() {
    let list =
        screen(&["1", "2", "3", "Next"].map(|label| (EntryKind::Link, label, &[][..], &[][..])));
    assert_eq!(steps("go to page 3 and list the lamps", &list, &[]), ["click 3 '3'"]);
    assert_eq!(steps("go to the next page and list the lamps", &list, &[]), ["click 4 'Next'"]);
    assert_eq!(steps("list the 3 lamps of page 2", &list, &[]), ["click 2 '2'"]);
    assert_eq!(steps("what is on page 3?", &list, &[]), [""; 0]);
}
