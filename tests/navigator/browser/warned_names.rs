//! Which words of a control warn: those that a person reads on it, however a page makes them, and
//! whatever key presses it.

use navigator::Effect;
use navigator::walk::action::ControlOperation;
use navigator::walk::session::{Move, WalkSession as _};

use super::asking::asking;
use super::wire_server::{WireServer, html};

#[test]
fn what_is_drawn_on_a_button_warns_however_the_page_makes_it() {
    let Some(page) = asking(
        "<title>Drawn</title><style>span { display: inline-block }</style>
        <button aria-label=More>More: delete all</button>
        <form><input type=submit value=Delete aria-label=Go></form>
        <button><span>D</span><span>r</span><span>o</span><span>p</span></button>
        <button>Delete<span>3</span></button>",
    ) else {
        return;
    };
    for (label, what) in
        [("More", "More: delete all"), ("Go", "Delete"), ("Drop", "Drop"), ("Delete 3", "Delete 3")]
    {
        let step = Move::Click(page.number(label));
        let asked = Effect::Destroys { what: what.to_owned() };
        assert_eq!(page.session.effect(&step), asked, "{label}");
    }
}

#[test]
fn a_key_that_presses_or_chooses_what_warns_is_refused() {
    let Some(mut page) = asking(
        "<title>Keys</title><button accesskey=d>Remove</button>
        <select aria-label=What><option>None<option>Delete all</select>
        <label><input type=checkbox id=e>Erase it</label><input aria-label=Word>
        <label><input type=radio name=r checked>Keep</label>
        <label><input type=radio name=r>Discard</label>",
    ) else {
        return;
    };
    for (label, keys, what) in [
        ("Word", "Alt+d", "Remove"),
        ("What", "ArrowDown", "Delete all"),
        ("What", "d", "Delete all"),
        ("What", "Tab Space", "Erase it"),
        ("Keep", "ArrowDown", "Discard"),
    ] {
        let moved = page.press(label, keys);
        let told = format!("the key would press '{what}'");
        assert!(moved.result.starts_with(&told), "{label} {keys}: {moved:?}");
    }
    let moved = page.press("Word", "d");
    assert!(moved.result.starts_with("field 'Word' is now 'd'"), "{moved:?}");
}

#[test]
fn a_key_is_asked_about_where_it_goes_and_not_where_the_step_began() {
    let frame = WireServer::start(|_| Box::new(|_| Some(html("<button>Inner</button>"))));
    let address = format!("http://localhost:{}/", frame.port);
    let outer = format!(
        "<title>Outer</title><p id=out></p><iframe src='{address}'></iframe>
        <button onclick=\"out.textContent = 'gone'\">Delete</button>"
    );
    let Some(mut page) = asking(Box::leak(outer.into_boxed_str())) else { return };
    let frame_of_page = address.parse().unwrap();
    page.session.browser().guard().change_policy(|policy| policy.with_named(&frame_of_page));
    assert!(page.go(&Move::Open(page.server.url("/"))).is_done());
    // The frame may have lost the focus before the page has it.
    let moved = page.press("Inner", "Tab Enter");
    let is_refused = ["the key would press 'Delete'", "the cursor is in a frame of another site"]
        .iter()
        .any(|told| moved.result.starts_with(told));
    assert!(is_refused && !moved.result.contains("gone"), "{moved:?}");
    let enter = ControlOperation::Press { keys: "Enter".to_owned() };
    let moved = page.go(&Move::Operate(0, enter));
    assert!(moved.result.starts_with("the key would press 'Delete'"), "{moved:?}");
}
