//! Where the cursor is, which text is selected, and what is drawn.

use std::collections::BTreeSet;

use navigator::walk::action::{ControlOperation, DragEnd};
use navigator::walk::session::{Move, WalkSession as _};
use navigator::walk::words::WarningWords;
use navigator::{BrowserSession, BrowserWalk, CancelToken, Deadline, Effect};

use super::walks::{OpenPage, open, open_one};
use super::wire_server::{WireServer, html};
use super::{guard, launched};

fn press(keys: &str) -> Move {
    Move::Operate(0, ControlOperation::Press { keys: keys.to_owned() })
}

fn select(text: &str) -> ControlOperation {
    ControlOperation::SelectText { text: text.to_owned() }
}

/// Selects a text of the page.
fn selected(page: &mut OpenPage, text: &str) -> String {
    page.go(Move::Operate(0, select(text)))
}

#[test]
fn the_control_that_has_the_focus_is_told() {
    let frame = "<label>Inside <input></label>";
    let Some(mut page) = open(vec![
        (
            "/",
            "<title>Focus</title><label>Name <input autofocus></label> <label>Mail <input></label>
            <button>Dead</button> <iframe src=/frame></iframe>
            <div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML =
            '<label>Shadow <input></label>'</script>"
                .to_owned(),
        ),
        ("/frame", frame.to_owned()),
    ]) else {
        return;
    };
    let name = page.number("Name");
    assert_eq!(page.screen().focused(), Some(name));
    assert!(page.text().contains("[1 field \"Name\", focused]"), "{}", page.text());
    let json = serde_json::to_value(page.screen()).unwrap();
    assert_eq!(json["entries"][0]["control"]["states"], serde_json::json!(["focused"]));
    // The same page, wherever the cursor is: it would hide that a step changes nothing.
    let digest = page.screen().digest();
    assert_eq!(page.go(press("Tab")), "the cursor is in field 'Mail'");
    assert_eq!(page.screen().digest(), digest);
    assert_eq!(page.click("Dead"), "nothing changed");
    assert_eq!((page.screen().focused(), page.screen().digest()), (Some(3), digest));
    assert_eq!(page.go(press("Tab")), "the cursor is in field 'Inside'");
    assert_eq!(page.go(press("Tab")), "the cursor is in field 'Shadow'");
    assert!(page.text().contains("[5 field \"Shadow\", focused]"), "{}", page.text());
}

#[test]
fn a_text_is_selected_as_a_mouse_does() {
    let text = "To be, or not to be, that is the question";
    let Some(mut page) = open(vec![
        (
            "/",
            format!(
                "<title>Text</title><p>{text}.</p><p>To be is <b>to d</b>o.</p>
                <div style='height:2000px'></div><p>Far away</p>
                <iframe src=/frame></iframe>
                <div id=host></div><script>host.attachShadow({{ mode: 'open' }}).innerHTML =
                '<p>In the shadow</p>'</script>
                <div onclick=\"document.title='pressed'\">Delete account</div>"
            ),
        ),
        ("/frame", "<p>Within a frame</p>".to_owned()),
    ]) else {
        return;
    };
    assert_eq!(selected(&mut page, "not to be"), "selected 'not to be'");
    assert!(page.text().contains("(selected: 'not to be')"), "{}", page.text());
    // One text after the other, also over the one that is selected.
    assert_eq!(selected(&mut page, "or not to be, that"), "selected 'or not to be, that'");
    assert_eq!(selected(&mut page, "is to\n do"), "selected 'is to do'");
    assert_eq!(
        selected(&mut page, "or not … question"),
        "selected 'or not to be, that is the question'"
    );
    assert_eq!(selected(&mut page, "Far away"), "scrolled; selected 'Far away'");
    assert_eq!(selected(&mut page, "a frame"), "selected 'a frame'");
    let shadow = selected(&mut page, "the shadow");
    assert!(shadow.ends_with("selected 'the shadow'"), "{shadow}");
    let twice = "no: the text `To be` is there 2 times: take more of it, or name the control";
    assert_eq!(selected(&mut page, "To be"), twice);
    assert_eq!(selected(&mut page, "To see"), "no: the text `To see` is not there");
    assert_eq!(page.go(press("Control+a")).split(' ').next(), Some("selected"));
}

#[test]
fn a_text_of_a_field_is_selected_with_keys() {
    let Some(mut page) = open_one(
        "<title>Fields</title><label>Name <input value='Ada Augusta King'></label>
        <label>Notes <textarea>one two\nthree</textarea></label>
        <label>Code <input type=password value=abc></label>
        <div contenteditable role=textbox aria-label=Letter>Dear Ada, thanks</div>",
    ) else {
        return;
    };
    assert_eq!(page.operate("Name", select("Augusta")), "selected 'Augusta'");
    assert_eq!(page.go(press("x")), "field 'Name' is now 'Ada x King'");
    assert_eq!(page.operate("Notes", select("two three")), "selected 'two three'");
    assert_eq!(page.operate("Notes", select("")), "selected 'one two three'");
    assert_eq!(page.operate("Letter", select("Ada, … thanks")), "selected 'Ada, thanks'");
    assert_eq!(page.operate("Code", select("abc")), "no: the text `abc` is not there");
    page.click("Code");
    assert_eq!(page.go(press("Control+a")), "nothing changed");
    assert!(page.screen().selected.is_empty());
}

#[test]
fn a_path_is_drawn_through_its_places() {
    let Some(mut page) = open_one(
        "<title>Draw</title><p id=out>-</p><canvas id=c width=100 height=80></canvas><script>
        let path = [], down = false;
        c.onmousedown = e => { down = true; path = []; add(e) };
        const add = e => path.push([e.offsetX, e.offsetY]);
        c.onmousemove = e => down && add(e);
        c.onmouseup = () => {
            down = false;
            const at = (x, y) => path.some(p => Math.hypot(p[0] - x, p[1] - y) < 1.5);
            const longest = Math.max(...path.slice(1).map((p, i) =>
                Math.hypot(p[0] - path[i][0], p[1] - path[i][1])));
            out.textContent = `${path[0]} ${path.at(-1)} ${at(60, 10)} ${longest < 6}`;
        };</script>",
    ) else {
        return;
    };
    let number = page.screen().entries.len();
    let draw =
        |places: &[(i32, i32)]| ControlOperation::Drag { to: DragEnd::Path(places.to_vec()) };
    let drawn = page.go(Move::Operate(number, draw(&[(10, 10), (60, 10), (60, 50)])));
    assert_eq!(drawn, "new text: '10,10 60,50 true true'");
    let far = page.go(Move::Operate(number, draw(&[(10, 10), (9_000, 10)])));
    let why = "not all of the path is in sight (the control has 100 by 80 pixels)";
    assert_eq!(far, format!("no: {why}: nothing was drawn"));
}

#[test]
fn nothing_that_warns_is_pressed_by_drawing_or_selecting() {
    let server = WireServer::start(|_| {
        Box::new(|_| {
            Some(html(
                "<p>Some text</p><div onclick=\"document.title='gone'\" style='width:200px'>Delete
                all of it</div><button>Fine</button>",
            ))
        })
    });
    let start: url::Url = server.url("/").parse().unwrap();
    let Some(browser) = launched(guard(&[start.as_str()])) else { return };
    let (named_hosts, words) = (BTreeSet::new(), WarningWords::default());
    let walk = BrowserWalk { start, named_hosts, words, files: Vec::new(), recording: None };
    let mut session = BrowserSession::new(browser, walk);
    let deadline = Deadline::new(None, CancelToken::new());
    session.go(&Move::Start, &deadline).unwrap();
    let number = |session: &BrowserSession, label: &str| {
        session.screen().entries.iter().position(|entry| entry.label == label).unwrap() + 1
    };
    let (gone, fine) = (number(&session, "Delete all of it"), number(&session, "Fine"));
    let named = Move::Operate(gone, select("all of"));
    assert!(matches!(session.effect(&named), Effect::Destroys { .. }));
    for step in [
        Move::Operate(0, select("all of")),
        Move::Operate(fine, ControlOperation::Drag { to: DragEnd::Path(vec![(5, -9), (6, -9)]) }),
    ] {
        let moved = session.go(&step, &deadline).unwrap();
        assert!(moved.result.contains("'Delete all of it': name that control"), "{moved:?}");
    }
    assert_eq!(session.screen().title, "t");
    let moved = session.go(&Move::Operate(0, select("Some text")), &deadline).unwrap();
    assert_eq!(moved.result, "selected 'Some text'");
}
