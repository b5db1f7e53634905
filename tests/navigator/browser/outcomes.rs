//! What a press reaches, and what came of it: what it is for, nothing, a stop, or a failure.

use navigator::walk::action::{ControlOperation, DragEnd};
use navigator::walk::outcome::StepOutcome;
use navigator::walk::session::{Move, Opened, WalkSession as _};

use super::asking::asking;

#[test]
fn a_press_that_fails_is_not_done_by_a_clock_that_ticks() {
    let Some(mut page) = asking(
        "<title>Shop</title><button onclick='said.textContent = `bought`'>Buy</button>
        <p id=said></p><p id=clock>0</p>
        <div style='position: fixed; inset: 0; background: white; opacity: 0.9'>
        <button>OK</button></div>
        <script>setInterval(() => clock.textContent = Date.now(), 40)</script>",
    ) else {
        return;
    };
    let moved = page.click("Buy");
    assert_eq!(moved.outcome, StepOutcome::Failed, "{moved:?}");
    assert!(moved.is_shown && moved.result.starts_with("it is covered by"), "{moved:?}");
}

#[test]
fn what_other_hosts_would_have_shown_is_beside_what_a_step_opens() {
    let Some(mut page) = asking(
        "<title>Home</title><a href=/pixels>Pixels</a>
        <button onclick=\"new Image().src = 'http://elsewhere.test/dead'\">Dead</button>
        <label><input type=checkbox id=news onclick='event.preventDefault()'>News</label>",
    ) else {
        return;
    };
    let moved = page.click("Dead");
    assert_eq!(moved.outcome, StepOutcome::Nothing, "{moved:?}");
    assert_eq!(moved.result, "nothing changed; not read, other hosts: elsewhere.test");
    let check = ControlOperation::Check { on: true };
    let moved = page.go(&Move::Operate(page.number("News"), check));
    assert_eq!((moved.outcome, moved.result.as_str()), (StepOutcome::Nothing, "nothing changed"));
    let moved = page.click("Pixels");
    assert_eq!((moved.outcome, moved.opened), (StepOutcome::Done, Some(Opened::Here)), "{moved:?}");
    assert!(!moved.sends && moved.result.contains("other hosts: elsewhere.test"), "{moved:?}");
    assert!(page.session.screen().place().contains(&"Pixels"));
}

#[test]
fn a_control_of_a_page_that_was_replaced_is_pressed_only_if_it_is_there() {
    let Some(mut page) = asking(
        "<title>Board</title><p id=out>-</p>
        <button onclick='out.textContent = `kept`'>Keep</button><script>
        if (!location.hash) setTimeout(() => { location.hash = 'x'; location.reload() }, 900)
        </script>",
    ) else {
        return;
    };
    let reloaded = || std::thread::sleep(std::time::Duration::from_millis(1_500));
    reloaded();
    let moved = page.click("Keep");
    assert!(moved.is_done() && moved.result.contains("'kept'"), "{moved:?}");
    let Some(mut page) = asking(
        "<title>Board</title>
        <button onclick='setTimeout(() => location = `/done`, 900)'>Keep</button>",
    ) else {
        return;
    };
    page.click("Keep");
    reloaded();
    let moved = page.click("Keep");
    assert_eq!(moved.outcome, StepOutcome::Failed, "{moved:?}");
    assert!(moved.result.starts_with("the page was replaced by another one"), "{moved:?}");
    assert!(moved.is_shown && moved.result.ends_with("page 'Done'"), "{moved:?}");
}

#[test]
fn a_control_is_not_pressed_where_another_one_in_it_warns() {
    let Some(mut page) = asking(
        "<title>Rows</title><style>td { width: 5em } button { width: 100% }</style>
        <div id=said></div><table style='width: 30em'>
        <tr id=bread onclick='said.textContent += ` row`'><td>Bread
        <td><button onclick='said.textContent += ` gone`'>Delete</button><td>2 EUR</table>
        <div onclick='said.textContent += ` all`' style='width: 8em; cursor: pointer'>
        <button style='height: 4em' onclick='said.textContent += ` purged`'>Purge</button></div>",
    ) else {
        return;
    };
    let row = page.number("Bread 2 EUR");
    let moved = page.go(&Move::Click(row));
    assert!(moved.question.is_none() && moved.result.contains("new text: 'row'"), "{moved:?}");
    // The middle of the row is the button in it.
    let at = ControlOperation::ClickAt { right: 220, down: 8 };
    let moved = page.go(&Move::Operate(row, at));
    assert!(moved.result.contains("place is on 'Delete'"), "{moved:?}");
    let drag = ControlOperation::Drag { to: DragEnd::By(150, 0) };
    let moved = page.go(&Move::Operate(row, drag));
    assert!(moved.result.contains("dropped on 'Delete'"), "{moved:?}");
}
