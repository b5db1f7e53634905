//! What a script asks for with a GET when a control is pressed: an address that warns is asked
//! about.

use navigator::walk::action::ControlOperation;
use navigator::walk::session::{EffectAnswer, Move};

use super::asking::{AskingPage, asking, sends};
use super::evaluated;

/// Ways of a script to an address with a GET.
const READING_WAYS: &str = "<title>Ways</title><script>
    const found = text => fetch('/api/find?q=' + encodeURIComponent(text))</script>
    <button onclick=\"location = '/delete?id=3'\">Go</button>
    <button onclick=\"window.open('/api?delete=1')\">Open</button>
    <button onclick=\"fetch('/api/purge')\">Fetch</button>
    <button onclick=\"location = '/l%C3%B6schen'\">Other</button>
    <button onclick=\"fetch('/api/list?order=asc').then(() => out.textContent = 'listed')\">
    List</button>
    <p id=out></p>
    <button onclick=\"location = '/moved'\">Moved</button>
    <button onclick=\"location = '/reads'\">Reads</button>
    <input aria-label=Find oninput='found(this.value)'>";

#[test]
fn a_script_that_gets_what_warns_is_asked_about() {
    let Some(mut page) = asking(READING_WAYS) else { return };
    let before = page.server.arrived().len();
    for (label, what) in [
        ("Go", "GET /delete (fields: id)"),
        ("Fetch", "GET /api/purge"),
        ("Other", "GET /l%C3%B6schen"),
        ("Open", "GET /api (fields: delete)"),
    ] {
        let moved = page.click(label);
        assert_eq!(sends(&moved), what, "{label}");
        let moved = page.answer(EffectAnswer::No);
        assert!(moved.question.is_none(), "{moved:?}");
        let told = format!("stopped before it was sent to 127.0.0.1:{}: {what}", page.server.port);
        assert!(moved.result.contains(&told), "{label}: {moved:?}");
    }
    assert_eq!(page.server.arrived().len(), before, "{:?}", page.server.arrived());
    // The tab of what did not leave does not stay.
    assert_eq!(page.session.browser().tabs().len(), 1);
    // What the walk typed commands nothing, and no more does what tells of something.
    let fill = ControlOperation::Fill { text: "delete a branch".to_owned() };
    let moved = page.go(&Move::Operate(page.number("Find"), fill));
    assert_eq!(moved.question, None, "{moved:?}");
    page.server.wait_for("GET /api/find?q=delete%20a%20branch");
    let moved = page.click("List");
    assert!(moved.question.is_none() && moved.result.contains("listed"), "{moved:?}");
    assert_eq!(sends(&page.click("Go")), "GET /delete (fields: id)");
    let moved = page.answer(EffectAnswer::Yes);
    assert!(moved.question.is_none() && moved.result.starts_with("sent to"), "{moved:?}");
    assert!(page.server.arrived().iter().any(|(line, _)| line == "GET /delete?id=3"));
}

#[test]
fn what_a_new_page_reads_and_where_a_server_leads_on_to_is_not_asked_about() {
    let Some(mut page) = asking(READING_WAYS) else { return };
    for label in ["Moved", "Reads"] {
        let moved = page.click(label);
        assert_eq!(moved.question, None, "{label}: {moved:?}");
        assert!(moved.result.contains("Done"), "{label}: {moved:?}");
        assert!(page.go(&Move::Back).is_done());
    }
    let arrived = page.server.arrived();
    for path in ["/api/jobs/delete", "/jobs/purge"] {
        let line = format!("GET {path}");
        assert!(arrived.iter().any(|(one, _)| *one == line), "{path}: {arrived:?}");
    }
}

#[test]
fn what_a_page_reads_by_itself_again_and_again_is_no_effect_of_a_press() {
    let Some(mut page) = asking(READING_WAYS) else { return };
    let polls = Move::Open(page.server.url("/polls"));
    let moved = page.go(&polls);
    assert_eq!(moved.question, None, "{moved:?}");
    page.server.wait_for("GET /api/order/7");
    let moved = page.click("Count");
    assert!(moved.question.is_none() && moved.result.contains("new text: 'counted'"), "{moved:?}");
    // Other data is asked about; without it the step is done, if it did something else.
    assert_eq!(sends(&page.click("Other")), "GET /api/order/8");
    let moved = page.answer(EffectAnswer::No);
    assert!(moved.result.contains("GET /api/order/8, by the page itself"), "{moved:?}");
    assert!(moved.result.contains("new text: 'others'") && moved.beside.len() == 1, "{moved:?}");
}

#[test]
fn a_word_that_was_typed_elsewhere_is_no_leave_to_do_it() {
    let Some(mut page) = asking(
        "<title>Confirm</title><input aria-label=Confirm>
        <button onclick=\"location = '/account?action=delete'\">Go</button>
        <button onclick=\"new EventSource('/api/purge')\">News</button>",
    ) else {
        return;
    };
    let fill = ControlOperation::Fill { text: "delete".to_owned() };
    assert!(page.go(&Move::Operate(page.number("Confirm"), fill)).is_done());
    assert_eq!(sends(&page.click("Go")), "GET /account (fields: action)");
    page.answer(EffectAnswer::No);
    assert_eq!(sends(&page.click("News")), "GET /api/purge");
    page.answer(EffectAnswer::No);
}

/// Lets a script of the page ask for an address after the step, and tells whether it got it.
fn gets_later(page: &AskingPage, path: &str) -> bool {
    let tab = &page.session.browser().tabs()[0];
    evaluated(tab, &format!("fetch('{path}').then(() => true, () => false)")).unwrap() == true
}

#[test]
fn a_page_that_was_pressed_gets_nothing_that_warns_after_the_step() {
    let Some(mut page) = asking("<title>Later</title><button>Press</button>") else { return };
    // Nothing was pressed yet: the page reads it by itself, and may do so again.
    assert!(gets_later(&page, "/api/purge?id=1"));
    page.click("Press");
    assert!(gets_later(&page, "/api/purge?id=1") && gets_later(&page, "/api/list"));
    assert!(!gets_later(&page, "/api/purge?id=2"));
    // It was not taken for what the page reads by itself.
    assert!(!gets_later(&page, "/api/purge?id=2"));
    let moved = page.click("Press");
    assert!(moved.result.contains("GET /api/purge (fields: id)"), "{moved:?}");
    assert!(page.go(&Move::Open(page.server.url("/done"))).is_done());
    assert!(gets_later(&page, "/api/purge?id=2"), "another page was opened");
}

#[test]
fn a_wait_ends_when_a_request_has_to_wait_for_an_answer() {
    let Some(mut page) = asking(
        "<title>Saves</title><p id=out></p><script>
        let isBusy = false;
        const save = () => {
            if (isBusy || out.textContent) return;
            isBusy = true;
            fetch('/save', { method: 'POST' }).then(() => out.textContent = 'Saved', () => 0)
                .finally(() => isBusy = false);
        };
        setInterval(save, 200)</script>",
    ) else {
        return;
    };
    let wait = Move::Operate(0, ControlOperation::Wait { text: "Saved".to_owned() });
    assert_eq!(sends(&page.go(&wait)), "POST /save");
    let moved = page.answer(EffectAnswer::Yes);
    let told = "`Saved` was not there when a request had to be asked about; sent to";
    assert!(moved.result.starts_with(told) && moved.result.contains("'Saved'"), "{moved:?}");
}
