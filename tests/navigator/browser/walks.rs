//! Live pages: what is seen of them, and what each action tells.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use navigator::browser::error::BrowserError;
use navigator::walk::action::{ControlOperation, DragEnd, ScrollTo};
use navigator::walk::pilot::view::view;
use navigator::walk::screen::Screen;
use navigator::walk::session::{Move, WalkSession as _};
use navigator::walk::words::WarningWords;
use navigator::{BrowserSession, BrowserWalk, CancelToken, Deadline, RecordedScreens};
use serde_json::json;
use site_map::source::recording::{Recording, RecordingWriter};
use test_support::repo;
use url::Url;

use super::wire_server::WireServer;
use super::{LONG, guard, launched};
use crate::page_server::{PageServer, page, status};

/// A page that is open in a browser.
pub(super) struct OpenPage {
    pub(super) session: BrowserSession,
    /// Ends with the test.
    pub(super) server: PageServer,
}

/// Opens the first of some pages; `None` if this machine has no browser.
pub(super) fn open(pages: Vec<(&'static str, String)>) -> Option<OpenPage> {
    open_with(pages, Vec::new(), None)
}

pub(super) fn open_with(
    pages: Vec<(&'static str, String)>,
    files: Vec<PathBuf>,
    recording: Option<RecordingWriter>,
) -> Option<OpenPage> {
    let server = PageServer::start(move |path| {
        let found = pages.iter().find(|(one, _)| *one == path);
        found.map_or_else(|| status(404), |(_, html)| page(html))
    });
    let start = server.url("/");
    let browser = launched(guard(&[start.as_str()]))?;
    let (named_hosts, words) = (BTreeSet::new(), WarningWords::none());
    let walk = BrowserWalk { start, named_hosts, words, files, recording };
    let mut open = OpenPage { session: BrowserSession::new(browser, walk), server };
    let first = open.go(Move::Start);
    assert!(first.starts_with("page "), "{first}");
    Some(open)
}

pub(super) fn open_one(html: &str) -> Option<OpenPage> {
    open(vec![("/", html.to_owned())])
}

impl OpenPage {
    pub(super) fn go(&mut self, step: Move) -> String {
        self.go_within(step, None)
    }

    pub(super) fn go_within(&mut self, step: Move, time: Option<Duration>) -> String {
        let deadline = Deadline::new(time, CancelToken::new());
        let moved = self.session.go(&step, &deadline).unwrap();
        format!("{}{}", if moved.is_done() { "" } else { "no: " }, moved.result)
    }

    pub(super) fn number(&self, label: &str) -> usize {
        let screen = self.screen();
        let at = screen.entries.iter().position(|entry| entry.label == label);
        at.unwrap_or_else(|| panic!("{label} in {:#?}", self.text())) + 1
    }

    pub(super) fn click(&mut self, label: &str) -> String {
        let number = self.number(label);
        self.go(Move::Click(number))
    }

    pub(super) fn operate(&mut self, label: &str, operation: ControlOperation) -> String {
        let number = self.number(label);
        self.go(Move::Operate(number, operation))
    }

    pub(super) fn screen(&self) -> &Screen {
        self.session.screen()
    }

    pub(super) fn text(&self) -> String {
        view(self.screen(), "", 1_500).to_string()
    }
}

fn fill(text: &str) -> ControlOperation {
    ControlOperation::Fill { text: text.to_owned() }
}

fn select(option: &str) -> ControlOperation {
    ControlOperation::Select { options: vec![option.to_owned()] }
}

fn press(keys: &str) -> ControlOperation {
    ControlOperation::Press { keys: keys.to_owned() }
}

#[test]
fn each_action_tells_what_it_changed() {
    let Some(mut page) = open_one(
        "<title>Form</title><body><h1>Form</h1>
        <label>Name <input id=n></label> <label>Notes <textarea>old</textarea></label>
        <label>Born <input type=date></label> <label>Loud <input type=range max=9 value=2></label>
        <label>Land <select><option>France<option disabled>Mars<option>Peru</select></label>
        <label>Many <select multiple><option>a<option>b<option>c</select></label>
        <label><input type=checkbox> News</label> <button id=b>Save</button>
        <p id=out></p><div onmouseover=\"out.textContent='hovered'\" tabindex=0>Hover me</div>
        <button ondblclick=\"out.textContent='twice'\">Twice</button>
        <button oncontextmenu=\"out.textContent='menu';return false\">Right</button>
        <button id=d>Delete</button><button>Idle</button>
        <dialog id=q><h2>Delete account?</h2><button onclick=\"q.close()\">No</button></dialog>
        <script>
        b.onclick = () => setTimeout(() => { out.textContent = 'Saved ' + n.value }, 50);
        d.onclick = () => q.showModal();
        n.onkeydown = e => { if (e.key == 'Enter') out.textContent = 'entered' };
        </script>",
    ) else {
        return;
    };
    assert_eq!(page.operate("Name", fill("Ada L.")), "field 'Name' is now 'Ada L.'");
    assert_eq!(page.operate("Name", fill("Bob")), "field 'Name' is now 'Bob'");
    assert_eq!(page.operate("Notes", fill("")), "field 'Notes' is now empty");
    assert_eq!(page.operate("Born", fill("1815-12-10")), "field 'Born' is now '1815-12-10'");
    assert_eq!(page.operate("Loud", fill("7")), "slider 'Loud' is now '7'");
    assert_eq!(page.operate("Land", select("Peru")), "select 'Land' is now 'Peru'");
    let both = ControlOperation::Select { options: vec!["a".to_owned(), "c".to_owned()] };
    assert_eq!(page.operate("Many", both), "select 'Many' is now 'a, c'");
    let on = ControlOperation::Check { on: true };
    assert_eq!(page.operate("News", on), "checkbox 'News' is now checked");
    assert_eq!(page.operate("Name", press("Enter")), "new text: 'entered'");
    assert_eq!(page.click("Save"), "new text: 'Saved Bob'");
    assert_eq!(page.operate("Hover me", ControlOperation::Hover), "new text: 'hovered'");
    assert_eq!(page.operate("Twice", ControlOperation::DoubleClick), "new text: 'twice'");
    assert_eq!(page.operate("Right", ControlOperation::RightClick), "new text: 'menu'");
    assert_eq!(page.click("Idle"), "nothing changed");
    let opened = page.click("Delete");
    assert!(opened.starts_with("opened dialog 'Delete account?'"), "{opened}");
    let covered = page.click("Save");
    assert_eq!(covered, "no: it is covered by 'Delete account?': that has to go first");
    let closed = page.click("No");
    assert!(closed.starts_with("closed dialog 'Delete account?'"), "{closed}");
}

#[test]
fn what_stands_in_shadows_and_frames_is_one_page() {
    let Some(mut page) = open(vec![
        (
            "/",
            "<title>Parts</title><p id=out></p><div id=host></div>
            <iframe src=/inner width=400 height=100></iframe>
            <script>
            const button = document.createElement('button');
            button.textContent = 'Deep';
            button.onclick = () => out.textContent = 'deep pressed';
            host.attachShadow({ mode: 'open' }).append(button);
            </script>"
                .to_owned(),
        ),
        (
            "/inner",
            "<p id=in>frame</p><button onclick=\"document.querySelector('p').textContent='in'\">\
             Inner</button>"
                .to_owned(),
        ),
    ]) else {
        return;
    };
    assert_eq!(page.click("Deep"), "new text: 'deep pressed'");
    assert_eq!(page.click("Inner"), "new text: 'in'");
}

#[test]
fn a_frame_of_another_origin_is_operated_too() {
    let inner = PageServer::start(|_| {
        page("<button onclick=\"this.textContent='Pressed'\">Other</button>")
    });
    let address = format!("http://localhost:{}/", inner.port());
    let html = format!(
        "<title>Outer</title><p>top</p><div style='height:300px'></div>
        <iframe src='{address}' style='margin:37px' width=300 height=90></iframe>"
    );
    let server = PageServer::start(move |_| page(&html));
    let start = server.url("/");
    let Some(browser) = launched(guard(&[start.as_str(), &address])) else { return };
    let named_hosts = ["localhost".to_owned()].into();
    let words = WarningWords::none();
    let walk = BrowserWalk { start, named_hosts, words, files: Vec::new(), recording: None };
    let mut page = OpenPage { session: BrowserSession::new(browser, walk), server };
    page.go(Move::Start);
    assert_eq!(page.click("Other"), "new control: 'Pressed'; gone: 'Other'");
}

#[test]
fn dialogs_of_scripts_are_told_and_answered_when_asked() {
    let Some(mut page) = open_one(
        "<title>Ask</title><p id=out></p>
        <button onclick=\"alert('Hello')\">Greet</button>
        <button onclick=\"out.textContent = confirm('Really?') ? 'yes' : 'no'\">Delete</button>
        <button onclick=\"out.textContent = prompt('Name?') || 'none'\">Rename</button>",
    ) else {
        return;
    };
    assert_eq!(page.click("Greet"), "the page said 'Hello'");
    assert!(!page.screen().has_asked);
    let no = page.click("Delete");
    assert_eq!(no, "the page asked 'Really?', the answer was no; new text: 'no'");
    assert!(page.screen().has_asked);
    let answer = |text: &str| ControlOperation::Dialog { text: text.to_owned() };
    page.go(Move::Operate(0, answer("")));
    let yes = page.click("Delete");
    assert_eq!(yes, "the page asked 'Really?', the answer was yes; new text: 'yes'");
    assert_eq!(page.go(Move::Operate(0, answer("Ada"))), "no: the page has not asked anything");
    page.click("Rename");
    page.go(Move::Operate(0, answer("Ada")));
    let named = page.click("Rename");
    assert_eq!(named, "the page asked 'Name?', the answer was yes; new text: 'Ada'");
}

#[test]
fn things_are_dragged_scrolled_uploaded_and_waited_for() {
    let files = repo("=== cv.txt\nhello");
    let html = "<title>Things</title><p id=out>-</p>
        <div id=a style='position:absolute;left:50px;top:60px;width:40px;height:40px;cursor:move'
            onmousedown='down=true'>Box</div>
        <div draggable=true ondragstart=\"event.dataTransfer.setData('text/plain','x')\">Card</div>
        <div onclick=1 ondragover='event.preventDefault()'
            ondrop=\"event.preventDefault();out.textContent='dropped'\">Basket</div>
        <label>CV <input type=file onchange=\"out.textContent=this.files[0].name\"></label>
        <button onclick=\"setTimeout(() => out.textContent='it is so', 900)\">Later</button>
        <button onclick=\"setTimeout(() => out.textContent='and more', 900)\">More</button>
        <div style='height:120px;overflow:auto'><div style='height:900px'>tall</div>
        <button>Low</button></div><div style='height:3000px'></div><button>Far</button>
        <script>
        let down = false;
        onmouseup = e => {
            if (down) out.textContent = `at ${e.clientX},${e.clientY}`;
            down = false;
        };
        </script>";
    let pages = vec![("/", html.to_owned())];
    let Some(mut page) = open_with(pages, vec![files.path().join("cv.txt")], None) else { return };
    let by = ControlOperation::Drag { to: DragEnd::By(100, 30) };
    assert_eq!(page.operate("Box", by), "new text: 'at 170,110'");
    let to = ControlOperation::Drag { to: DragEnd::Entry(page.number("Basket")) };
    assert_eq!(page.operate("Card", to), "new text: 'dropped'");
    let upload = |file: &str| ControlOperation::Upload { file: file.to_owned() };
    assert_eq!(
        page.operate("CV", upload("/etc/passwd")),
        "no: the person named no file `/etc/passwd`"
    );
    let uploaded = page.operate("CV", upload("cv.txt"));
    assert!(uploaded.contains("'cv.txt'"), "{uploaded}");
    assert_eq!(page.click("Later"), "nothing changed");
    let late = ControlOperation::Wait { text: "it is so".to_owned() };
    assert_eq!(page.go(Move::Operate(0, late)), "new text: 'it is so'");
    assert_eq!(page.click("More"), "nothing changed");
    let any = Move::Operate(0, ControlOperation::Wait { text: String::new() });
    assert_eq!(page.go(any.clone()), "new text: 'and more'");
    let none = page.go_within(any, Some(Duration::from_secs(2)));
    assert!(none.starts_with("no: nothing changed within "), "{none}");
    assert_eq!(page.click("Low"), "scrolled");
    let bottom = ControlOperation::Scroll { to: ScrollTo::Bottom };
    assert_eq!(page.go(Move::Operate(0, bottom)), "scrolled");
    assert_eq!(page.go(Move::Operate(0, press("Escape"))), "nothing changed");
}

#[test]
fn a_page_that_hangs_or_crashes_costs_no_more_than_its_step() {
    let html = "<title>Bad</title><p id=out>-</p><button onclick='while(1);'>Hang</button>
        <button onclick=\"out.textContent='well'\">Go on</button>";
    let next = "<title>Next</title><h1>Next</h1>";
    let pages = vec![("/", html.to_owned()), ("/next", next.to_owned())];
    let Some(mut page) = open(pages) else { return };
    let start = Instant::now();
    let hang = Move::Click(page.number("Hang"));
    let hung = page.go_within(hang, Some(Duration::from_secs(3)));
    assert!(hung.starts_with("no: `Input.dispatchMouseEvent` had no answer"), "{hung}");
    assert!(start.elapsed() < LONG / 2);
    assert_eq!(page.click("Go on"), "new text: 'well'");

    let crash = page.session.browser().tabs()[0].call("Page.crash", json!({}), LONG);
    assert_eq!(crash, Err(BrowserError::Crashed));
    assert_eq!(page.click("Go on"), "no: the page has crashed");
    let next = Move::Open(page.server.url("/next").to_string());
    assert_eq!(page.go(next), "page 'Next'");
    page.session.browser().tabs()[0].call("Page.crash", json!({}), LONG).unwrap_err();
    assert_eq!(page.go(Move::Back), "back on 'Bad'");
}

#[test]
fn a_download_is_refused_and_the_step_says_so() {
    let html = "<a href='/file?token=1'>File</a>
        <a href=/other download>Other</a> <a href=/slow>Slow</a>
        <a href='data:text/csv,a' download=a.csv>Table</a>";
    let server = WireServer::start(|_| {
        Box::new(move |path| {
            let (head, body) = super::wire_server::html(html);
            let attached = "Content-Disposition: attachment; filename=a.bin\r\n";
            if path == "/slow" {
                std::thread::sleep(Duration::from_millis(900));
            }
            Some(if path == "/" { (head, body) } else { (head + attached, body) })
        })
    });
    let start: Url = server.url("/").parse().unwrap();
    let Some(browser) = launched(guard(&[start.as_str()])) else { return };
    let (named_hosts, words) = (BTreeSet::new(), WarningWords::none());
    let walk = BrowserWalk { start, named_hosts, words, files: Vec::new(), recording: None };
    let mut session = BrowserSession::new(browser, walk);
    let mut told = |step: Move| {
        let moved = session.go(&step, &Deadline::new(None, CancelToken::new())).unwrap();
        (moved.is_done(), moved.result.replace(&server.url(""), ""))
    };
    let refused = |what: &str| (false, format!("the download of {what} was refused"));
    assert_eq!(told(Move::Start), (true, "page 't'".to_owned()));
    assert_eq!(told(Move::Click(1)), refused("/file"));
    assert_eq!(told(Move::Click(2)), refused("/other"));
    assert_eq!(told(Move::Click(3)), refused("/slow"));
    assert_eq!(told(Move::Click(4)), refused("a `data:` address"));
    let (_, escaped) = told(Move::Operate(0, press("Escape")));
    assert_eq!(escaped, "the cursor is in link 'Table'");
}

#[test]
fn pages_tabs_and_the_way_back() {
    let Some(mut page) = open(vec![
        (
            "/",
            "<title>One</title><h1>One</h1><a href=/two>Two</a> <a href=/two target=_blank>\
            New</a>"
                .to_owned(),
        ),
        ("/two", "<title>Two</title><h1>Two</h1><p>second".to_owned()),
    ]) else {
        return;
    };
    assert_eq!(page.click("Two"), "page 'Two'");
    assert_eq!(page.screen().trail.len(), 1);
    assert_eq!(page.go(Move::Back), "back on 'One'");
    assert_eq!(page.go(Move::Back), "no: this is the first page");
    assert_eq!(page.click("New"), "opened a new tab; page 'Two'");
    let one = page.screen().entries.last().unwrap().label.clone();
    assert!(one.starts_with("other tab: http"), "{one}");
    assert_eq!(page.click(&one), "page 'One'");
    let two = page.screen().entries.last().unwrap().label.clone();
    page.click(&two);
    assert_eq!(page.go(Move::Back), "back on 'One'");
    assert!(page.screen().entries.iter().all(|entry| !entry.label.starts_with("other tab")));
}

#[test]
fn fifty_tabs_are_held_and_the_view_stays_within_its_limit() {
    let again = "<title>T</title><a href=/ target=_blank>New</a><button onclick=\"for (let n = 0; \
        n < 50; n++) window.open('/')\">Storm</button>";
    let Some(mut page) = open_one(again) else { return };
    // The browser lets a click open one.
    let storm = page.click("Storm");
    assert!(storm.starts_with("opened a new tab; "), "{storm}");
    assert_eq!(page.session.browser().tabs().len(), 2);
    while page.session.browser().tabs().len() < 50 {
        let opened = page.click("New");
        assert!(opened.starts_with("opened a new tab"), "{opened}");
    }
    let others = page.screen().entries.iter().filter(|one| one.label.starts_with("other tab"));
    assert_eq!(others.count(), 49);
    let tokens = repo_map::Tokenizer::default().count(&page.text());
    assert!(tokens <= 1_500, "{tokens}");
    assert!(page.go(Move::Back).starts_with("back on 'T'"));
    assert_eq!(page.session.browser().tabs().len(), 49);
}

#[test]
fn a_page_of_thirteen_thousand_nodes_fits_its_view_and_is_the_same_twice() {
    let rows: String = (0..2_200)
        .map(|n| format!("<tr><td>Order {n}<td>{}<td><button>Open</button>", n * 7 % 100))
        .collect();
    let orders = format!("<title>Orders</title><h1>Orders</h1><table>{rows}</table>");
    let pages = || vec![("/", orders.clone())];
    let seen = || {
        let page = open(pages())?;
        let digest = page.screen().entries.len();
        let text = view(page.screen(), "open order 1234", 1_500).to_string();
        let tokens = repo_map::Tokenizer::default().count(&text);
        assert!(tokens <= 1_500, "{tokens}");
        assert!(text.contains("Order 1234"), "{text}");
        assert!(text.contains("more; click one by its words"), "{text}");
        Some((digest, text.replace(&page.server.port().to_string(), "PORT")))
    };
    let Some(first) = seen() else { return };
    assert_eq!(Some(&first), seen().as_ref());
    assert_eq!(first.0, 2_200);
}

#[test]
fn a_recorded_walk_shows_the_same_screens_without_a_browser() {
    let folder = repo("");
    let file = folder.path().join("walk.warc.gz");
    let recording = RecordingWriter::create(&file).unwrap();
    let html = "<title>R</title><label>A <input></label><button \
        onclick=\"document.title='S';this.textContent='Done'\">Do</button>";
    let pages = vec![("/", html.to_owned())];
    let Some(mut page) = open_with(pages, Vec::new(), Some(recording)) else { return };
    let mut digests = vec![page.screen().digest()];
    page.operate("A", fill("x"));
    digests.push(page.screen().digest());
    page.click("Do");
    digests.push(page.screen().digest());
    drop(page);
    let mut recorded = RecordedScreens::new(Recording::open(&file).unwrap()).unwrap();
    let deadline = Deadline::new(None, CancelToken::new());
    let again: Vec<String> = (0..3)
        .map(|_| {
            assert!(recorded.go(&Move::Back, &deadline).unwrap().is_done());
            recorded.screen().digest()
        })
        .collect();
    assert_eq!(again, digests);
    assert!(!recorded.go(&Move::Back, &deadline).unwrap().is_done());
}
