//! What a step would send or press is held, asked about, and then happens as it was shown, once.

use std::collections::BTreeSet;
use std::fs;

use navigator::walk::action::{ControlOperation, DragEnd};
use navigator::walk::session::{EffectAnswer, Move, Moved, WalkSession as _};
use navigator::walk::words::WarningWords;
use navigator::{BrowserSession, BrowserWalk, CancelToken, Deadline, Effect};

use test_support::{ran, repo, sealed};

use super::wire_server::{WireServer, html};
use super::{guard, launched};

/// A page that is open in a browser.
pub(super) struct AskingPage {
    pub(super) session: BrowserSession,
    pub(super) server: WireServer,
}

pub(super) fn asking(page: &'static str) -> Option<AskingPage> {
    let server = WireServer::start(move |_| {
        Box::new(move |path| match path {
            "/" => Some(html(page)),
            "/done" | "/delete/moved" => Some(html("<title>Done</title><h1>Done</h1>")),
            "/reads" => Some(html(
                "<title>Done</title><script>fetch('/api/jobs/delete')</script><h1>Done</h1>
                <iframe src=/jobs/purge></iframe>",
            )),
            "/polls" => Some(html(
                "<title>Polls</title><p id=n></p>
                <button onclick='n.textContent = `counted`'>Count</button>
                <button onclick='n.textContent = `others`; fetch(`/api/order/8`)'>Other</button>
                <script>setInterval(() => fetch('/api/order/7'), 600)</script>",
            )),
            "/pixels" => Some(html(
                "<title>Pixels</title><h1>Pixels</h1><img src=http://elsewhere.test/p.gif>",
            )),
            "/moved" => {
                let head = "HTTP/1.1 302 Found\r\nLocation: /delete/moved\r\n";
                Some((head.to_owned(), String::new()))
            }
            _ => Some(html("")),
        })
    });
    let start: url::Url = server.url("/").parse().unwrap();
    let browser = launched(guard(&[start.as_str()]))?;
    let (named_hosts, words) = (BTreeSet::new(), WarningWords::default());
    let walk = BrowserWalk { start, named_hosts, words, files: Vec::new(), recording: None };
    let mut page = AskingPage { session: BrowserSession::new(browser, walk), server };
    assert!(page.go(&Move::Start).is_done());
    Some(page)
}

impl AskingPage {
    pub(super) fn go(&mut self, step: &Move) -> Moved {
        self.session.go(step, &Deadline::new(None, CancelToken::new())).unwrap()
    }

    pub(super) fn answer(&mut self, answer: EffectAnswer) -> Moved {
        self.session.answer(answer, &Deadline::new(None, CancelToken::new())).unwrap()
    }

    pub(super) fn number(&self, label: &str) -> usize {
        let entries = &self.session.screen().entries;
        entries.iter().position(|entry| entry.label == label).unwrap() + 1
    }

    pub(super) fn click(&mut self, label: &str) -> Moved {
        self.go(&Move::Click(self.number(label)))
    }

    pub(super) fn press(&mut self, label: &str, keys: &str) -> Moved {
        let step =
            Move::Operate(self.number(label), ControlOperation::Press { keys: keys.to_owned() });
        self.go(&step)
    }
}

/// What a question says is sent.
pub(super) fn sends(moved: &Moved) -> &str {
    match &moved.question {
        Some(Effect::Sends { what, .. }) => what,
        other => panic!("{other:?} in {moved:?}"),
    }
}

#[test]
fn the_request_that_was_shown_leaves_after_a_yes_though_it_is_never_the_same_twice() {
    let Some(mut page) = asking(
        "<title>Shop</title><form method=post action=/done enctype=multipart/form-data
        onsubmit='n.value = Math.random()'><input name=item value=book aria-label=Item>
        <input type=hidden name=nonce id=n><button>Send</button></form>",
    ) else {
        return;
    };
    let moved = page.click("Send");
    assert!(sends(&moved).starts_with("POST /done (fields: item, nonce; "), "{moved:?}");
    assert_eq!(page.server.sent(), []);
    let moved = page.answer(EffectAnswer::Yes);
    let told = format!("sent to 127.0.0.1:{}: POST /done", page.server.port);
    assert!(moved.result.starts_with(&told), "{moved:?}");
    assert!(moved.result.ends_with("; page 'Done'"), "{moved:?}");
    assert_eq!(page.server.sent().len(), 1);
}

#[test]
fn a_yes_is_for_one_of_two_requests_and_a_no_leaves_the_page_as_it_is() {
    let Some(mut page) = asking(
        "<title>Two</title><button onclick=\"fetch('/like', { method: 'POST' });
        fetch('/steal', { method: 'POST', body: 'all' })\">Like</button>
        <button onclick=\"fetch('/beat', { method: 'POST', body: Math.random() })\">Beat</button>",
    ) else {
        return;
    };
    let moved = page.click("Like");
    assert_eq!(sends(&moved), "POST /like");
    let moved = page.answer(EffectAnswer::Yes);
    assert_eq!(sends(&moved), "POST /steal (3 bytes)");
    let moved = page.answer(EffectAnswer::No);
    assert_eq!(moved.question, None);
    let host = format!("127.0.0.1:{}", page.server.port);
    let told = format!("stopped before it was sent to {host}: POST /steal (3 bytes)");
    assert_eq!(moved.result, format!("sent to {host}: POST /like; {told}"));
    assert_eq!(page.server.sent().len(), 1);
    // What was asked about and is never wanted is stopped without a question.
    assert!(sends(&page.click("Beat")).starts_with("POST /beat"));
    page.answer(EffectAnswer::Never);
    let moved = page.click("Beat");
    assert_eq!(moved.question, None);
    assert!(moved.result.starts_with("stopped before it was sent"), "{moved:?}");
    assert_eq!(page.server.sent().len(), 1);
}

#[test]
fn a_yes_is_for_one_request_though_timers_and_history_ask_for_it_again() {
    let Some(mut page) = asking(
        "<title>Again</title><button onclick=\"const send = () => fetch('/like', { method: 'POST',
        body: 'a' }).catch(() => 1); send(); setTimeout(send, 30); let n = 0;
        const timer = setInterval(() => ++n < 5 ? send() : clearInterval(timer), 40)\">Like
        </button><form method=post action=/done><button>Send</button></form>",
    ) else {
        return;
    };
    let mut moved = page.click("Like");
    assert_eq!(sends(&moved), "POST /like (1 bytes)");
    moved = page.answer(EffectAnswer::Yes);
    // The same request once more is another question.
    let mut n_again = 0;
    while moved.question.is_some() {
        assert_eq!(sends(&moved), "POST /like (1 bytes)");
        n_again += 1;
        moved = page.answer(EffectAnswer::No);
    }
    assert!(n_again > 0, "the timers ask again: {moved:?}");
    let told = format!("sent to 127.0.0.1:{}: POST /like", page.server.port);
    assert!(moved.result.contains(&told), "{moved:?}");
    assert_eq!(page.server.sent().len(), 1, "{:?}", page.server.sent());

    let mut moved = page.click("Send");
    let mut answers = 0;
    while let Some(Effect::Sends { what, .. }) = &moved.question {
        let is_form = what.starts_with("POST /done");
        answers += usize::from(is_form);
        let yes = is_form && answers == 1;
        moved = page.answer(if yes { EffectAnswer::Yes } else { EffectAnswer::No });
    }
    assert!(moved.result.ends_with("page 'Done'"), "{moved:?}");
    assert_eq!(moved.opened, None, "it did more than open a page: {moved:?}");
    let n_sent = page.server.sent().len();
    assert_eq!(n_sent, 2, "{:?}", page.server.sent());
    for step in [Move::Back, Move::Operate(0, keys("Alt+Right")), Move::Operate(0, keys("F5"))] {
        let mut moved = page.go(&step);
        while moved.question.is_some() {
            moved = page.answer(EffectAnswer::No);
        }
        assert_eq!(page.server.sent().len(), n_sent, "{step:?}: {moved:?}");
    }
}

fn keys(keys: &str) -> ControlOperation {
    ControlOperation::Press { keys: keys.to_owned() }
}

#[test]
fn what_a_page_wants_in_any_other_way_is_reported_with_its_address() {
    let Some(mut page) = asking(
        "<title>Ways</title><button onclick=\"new WebSocket('/chat?key=1');
        new EventSource('http://elsewhere.test/news'); navigator.sendBeacon('/track', 'x');
        new Worker(window.URL.createObjectURL(new Blob([`fetch('http://other.test/data')
        .catch(() => 1).finally(() => postMessage(1))`]))).onmessage =
        () => out.textContent = 'worked'\">Go</button><p id=out></p>",
    ) else {
        return;
    };
    let mut moved = page.click("Go");
    while moved.question.is_some() {
        moved = page.answer(EffectAnswer::No);
    }
    // The worker goes on after the page is quiet.
    let wait = ControlOperation::Wait { text: "worked".to_owned() };
    let waited = page.go(&Move::Operate(0, wait));
    let host = format!("127.0.0.1:{}", page.server.port);
    let stopped = moved.stopped.iter().chain(&waited.stopped);
    let stopped = stopped.map(|one| format!("{} {}", one.host, one.request));
    let expected = [
        format!("{host} POST /track (1 bytes)"),
        format!("{host} WEBSOCKET /chat"),
        "elsewhere.test GET /news".to_owned(),
        "other.test GET /data".to_owned(),
    ];
    assert_eq!(stopped.collect::<BTreeSet<_>>(), expected.into(), "{moved:?}");
    assert!(moved.result.contains(&format!("no WebSocket to {host}/chat")), "{moved:?}");
}

#[test]
fn a_page_that_waits_for_its_own_request_is_asked_about_too() {
    let Some(mut page) = asking(
        "<title>Sync</title><p id=out></p><button onclick=\"const r = new XMLHttpRequest();
        r.open('POST', '/done', false); r.send('x'); out.textContent = 'got ' + r.status\">Go</button>",
    ) else {
        return;
    };
    assert_eq!(sends(&page.click("Go")), "POST /done (1 bytes)");
    let moved = page.answer(EffectAnswer::Yes);
    assert!(moved.result.contains("got 200"), "{moved:?}");
}

#[test]
fn a_page_elsewhere_that_a_press_leads_to_is_asked_about() {
    let Some(mut page) = asking(
        "<title>Here</title><button onclick=\"location = 'http://elsewhere.test/'\">Go on</button>",
    ) else {
        return;
    };
    let moved = page.click("Go on");
    assert_eq!(moved.question, Some(Effect::Reads { host: "elsewhere.test".to_owned() }));
    let moved = page.answer(EffectAnswer::No);
    assert_eq!(moved.result, "nothing changed; not read, other hosts: elsewhere.test");
    assert!(page.session.screen().address.starts_with("http://127.0.0.1"));
}

#[test]
fn what_warns_is_asked_about_however_it_is_pressed() {
    let Some(mut page) = asking(
        "<title>Keys</title><form action=/done><input aria-label=Name><button>Delete all</button>
        </form><a href=/done?delete role=tab>Gone</a><button>Fine</button>",
    ) else {
        return;
    };
    let before = page.server.arrived().len();
    for keys in ["Enter", "Tab Enter", "Tab Space"] {
        let moved = page.press("Name", keys);
        let told = "the key would press 'Delete all': press that by its number, which asks";
        assert!(moved.result.starts_with(told), "{keys}: {moved:?}");
    }
    let moved = page.go(&Move::Operate(0, ControlOperation::Press { keys: "Enter".to_owned() }));
    assert!(moved.result.starts_with("the key would press 'Delete all'"), "{moved:?}");
    // A line break in a text is no key.
    let lines = ControlOperation::Fill { text: "Ada\n".to_owned() };
    let moved = page.go(&Move::Operate(page.number("Name"), lines));
    assert!(moved.question.is_none() && moved.result.contains("Ada"), "{moved:?}");
    let fine = page.number("Fine");
    let beside = ControlOperation::ClickAt { right: -90, down: 5 };
    let moved = page.go(&Move::Operate(fine, beside));
    assert!(moved.result.starts_with("the place is outside of it"), "{moved:?}");
    assert_eq!(page.server.arrived().len(), before);
    let gone = Move::Click(page.number("Gone"));
    assert!(matches!(page.session.effect(&gone), Effect::Destroys { .. }));
    assert_eq!(page.press("Fine", "Enter").result, "nothing changed");
}

#[test]
fn where_a_form_asks_and_what_stands_on_a_button_warn_too() {
    let Some(mut page) = asking(
        "<title>Forms</title><form action=/delete><button>Show</button></form>
        <form action=/find><button>Find</button><button formaction=/remove>Open</button></form>
        <form action=/purge><input aria-label=Word></form>
        <form action=/delete method=post><button>Post</button></form>
        <button aria-label=Details>Delete account</button><label for=b>Notes</label>
        <button id=b>Delete notes</button>",
    ) else {
        return;
    };
    let before = page.server.arrived().len();
    let host = format!("http://127.0.0.1:{}", page.server.port);
    for (label, what) in [
        ("Show", format!("{host}/delete")),
        ("Open", format!("{host}/remove")),
        ("Details", "Delete account".to_owned()),
        ("Notes", "Delete notes".to_owned()),
    ] {
        let step = Move::Click(page.number(label));
        assert_eq!(page.session.effect(&step), Effect::Destroys { what }, "{label}");
    }
    // What a POST sends is asked about when it is sent.
    for label in ["Find", "Post"] {
        assert_eq!(page.session.effect(&Move::Click(page.number(label))), Effect::None, "{label}");
    }
    let moved = page.press("Word", "Enter");
    assert!(moved.result.starts_with("the key would press '/purge'"), "{moved:?}");
    assert_eq!(page.server.arrived().len(), before);
}

#[test]
fn every_way_to_what_warns_is_asked_about() {
    let Some(mut page) = asking(
        "<title>Ways</title><a href=#>Delete this</a><a href=/done?7>Delete item 7</a><a href=/done>Fine</a>
        <label><input type=checkbox>Erase the disk</label><select aria-label=\"What to delete\">
        <option>None<option>Wipe everything</select><button title=Remove>x</button>
        <p draggable=true onclick=''>File</p><button>Discard</button>",
    ) else {
        return;
    };
    let operate = |label: &str, operation| Move::Operate(page.number(label), operation);
    let select = |option: &str| {
        let options = vec![option.to_owned()];
        operate("What to delete", ControlOperation::Select { options })
    };
    let drop = ControlOperation::Drag { to: DragEnd::Entry(page.number("Discard")) };
    let open = |path: &str| Move::Open(page.server.url(path));
    let warned = [
        (open("/done?7"), "Delete item 7"),
        (open("/done?7#end"), "Delete item 7"),
        (operate("Erase the disk", ControlOperation::Check { on: true }), "Erase the disk"),
        (select("Wipe everything"), "Wipe everything"),
        (Move::Click(page.number("x")), "Remove"),
        (operate("File", drop), "Discard"),
    ];
    for (step, what) in &warned {
        let asked = Effect::Destroys { what: (*what).to_owned() };
        assert_eq!(page.session.effect(step), asked, "{step:?}");
    }
    // A link that stays on its page asks no server.
    for step in [open("/done"), open("/"), select("None")] {
        assert_eq!(page.session.effect(&step), Effect::None, "{step:?}");
    }
    // A link is known on later pages.
    let [(item, _), ..] = warned;
    let address = open("/api/delete_item?id=8");
    assert!(page.click("Fine").is_done());
    for step in [item, address] {
        assert!(matches!(page.session.effect(&step), Effect::Destroys { .. }), "{step:?}");
    }
    // No browser follows a link from the web to a file.
    let file = Move::Open("file:///etc/hostname".to_owned());
    assert_eq!(page.session.effect(&file), Effect::None);
    let moved = page.go(&file);
    assert!(!moved.is_done() && moved.result.starts_with("it is no web address"), "{moved:?}");
}

#[test]
fn a_link_that_only_reads_warns_where_its_name_commands() {
    let Some(page) = asking(
        "<title>Nouns</title><a href=/order-form>Order form</a><a href=#sort>Sort order</a>
        <a href=/place>Place order</a><a href=#>Order history</a><a href=#/x>Date format</a>
        <a href=/order>Order status</a><a href=/7 onclick=f()>Drop shadows</a>
        <a href=/8 data-method=delete>Order list</a><a href=/9 role=tab>Order of things</a>
        <button>Order forms</button>",
    ) else {
        return;
    };
    let effect = |label: &str| page.session.effect(&Move::Click(page.number(label)));
    for label in ["Order form", "Sort order"] {
        assert_eq!(effect(label), Effect::None, "{label}");
    }
    for label in [
        "Place order",
        "Order history",
        "Date format",
        "Order status",
        "Drop shadows",
        "Order list",
        "Order of things",
        "Order forms",
    ] {
        assert!(matches!(effect(label), Effect::Destroys { .. }), "{label}");
    }
    // What such a link leads to can be opened, and an address alone is one to read.
    for (path, asks) in [("/order-form", false), ("/place", true), ("/7", true), ("/order", true)] {
        let effect = page.session.effect(&Move::Open(page.server.url(path)));
        assert_eq!(matches!(effect, Effect::Destroys { .. }), asks, "{path}: {effect:?}");
    }
}

#[test]
fn a_first_page_that_is_not_there_is_no_first_page() {
    let start: url::Url = "http://127.0.0.1:1/".parse().unwrap();
    let Some(browser) = launched(guard(&[start.as_str()])) else { return };
    let (named_hosts, words) = (BTreeSet::new(), WarningWords::default());
    let walk = BrowserWalk { start, named_hosts, words, files: Vec::new(), recording: None };
    let mut session = BrowserSession::new(browser, walk);
    let moved = session.go(&Move::Start, &Deadline::new(None, CancelToken::new())).unwrap();
    assert!(!moved.is_done() && moved.result.contains("ERR_"), "{moved:?}");
}

#[test]
fn a_question_of_the_page_is_answered_with_a_yes_of_the_person_alone() {
    let Some(mut page) = asking(
        "<title>Sure</title><p id=out></p><button onclick=\"out.textContent = confirm('Delete all \
        files?') ? 'gone' : 'kept'\">Continue</button>",
    ) else {
        return;
    };
    let yes = Move::Operate(0, ControlOperation::Dialog { text: String::new() });
    assert_eq!(page.session.effect(&yes), Effect::None);
    page.click("Continue");
    let asked = Effect::Destroys { what: "Delete all files?".to_owned() };
    assert_eq!(page.session.effect(&yes), asked);
    // The answer is for the next step and no later one.
    page.go(&yes);
    page.go(&Move::Operate(0, ControlOperation::Press { keys: "Escape".to_owned() }));
    assert!(page.click("Continue").result.contains("the answer was no"));
    page.go(&yes);
    assert!(page.click("Continue").result.ends_with("the answer was yes; new text: 'gone'"));
}

#[test]
fn another_program_is_asked_on_standard_input() {
    if launched(guard(&[])).is_none() {
        return;
    }
    let server = WireServer::start(|_| {
        Box::new(|path| match path {
            "/" => Some(html("<form method=post action=/done><button>Send</button></form>")),
            "/done" => Some(html("<h1>Done</h1>")),
            _ => None,
        })
    });
    let (at, navigator) = (repo(""), sealed(env!("CARGO_BIN_EXE_navigator")));
    let walk = |answers: &str| {
        fs::write(at.path().join("answers"), answers).unwrap();
        let url = server.url("/");
        let args = ["browse", &url, "--browser", "--goal", "Click on the \"Send\" button."];
        let mut command = navigator.command(at.path());
        command.args(args).arg("--ask-on-stdin");
        ran(command.stdin(fs::File::open(at.path().join("answers")).unwrap()).output().unwrap())
    };
    let asked = "\"event\":\"question\",\"id\":1";
    let no = walk("");
    assert!(no.stderr.contains(asked) && no.stderr.contains("POST /done"), "{}", no.stderr);
    assert_eq!((server.sent().len(), no.code), (0, 12), "{}", no.stderr);
    let unclear = walk("yes\n{\"id\": 1, \"answer\": \"yes\"}\n");
    assert!(unclear.stderr.contains("an answer is a line like"), "{}", unclear.stderr);
    let told = format!("sent to 127.0.0.1:{}: POST /done", server.port);
    assert!(unclear.stderr.contains(&told), "{}", unclear.stderr);
    assert_eq!(unclear.code, 0, "what the goal names was done: {}", unclear.stderr);
    assert_eq!(server.sent().len(), 1);
}

#[allow(dead_code, reason = "its main is the example's")]
#[path = "../../../navigator/examples/guarded_walk.rs"]
mod guarded_walk;

#[test]
fn a_program_that_embeds_the_walk_answers_by_a_rule_of_its_own() {
    if launched(guard(&[])).is_none() {
        return;
    }
    let server = WireServer::start(|_| {
        Box::new(|path| match path {
            "/" => Some(html(
                "<form method=post action=/orders><input name=n value=1 aria-label=Number>
                <button onclick=\"fetch('/spy', { method: 'POST' })\">Send</button></form>",
            )),
            _ => Some(html("<h1>Done</h1>")),
        })
    });
    let mut answers = guarded_walk::OneAddress {
        host: format!("127.0.0.1:{}", server.port),
        path: "/orders".to_owned(),
        refused: Vec::new(),
    };
    let start = server.url("/").parse().unwrap();
    guarded_walk::operate(start, "Click on the \"Send\" button.", &mut answers).unwrap();
    assert_eq!(server.sent().len(), 1, "{:?}", server.sent());
    assert!(server.sent()[0].0.starts_with("POST /orders"), "{:?}", server.sent());
    let refused = format!("click 2 'Send' sends POST /spy to `127.0.0.1:{}`", server.port);
    assert_eq!(answers.refused, [refused]);
}
