//! A page is looked at once it is quiet, whatever part of it changes.

use std::collections::BTreeSet;

use navigator::walk::session::Move;
use navigator::walk::words::WarningWords;
use navigator::{BrowserSession, BrowserWalk};

use super::walks::{OpenPage, open};
use super::{guard, launched};
use crate::page_server::{PageServer, page};

/// Changes the text of an element again and again, for longer than a page that is quiet takes.
const CHANGES: &str = "<script>
    const change = (out, n) => {
        out.textContent = n < 30 ? 'step ' + n : out.title + 'ready';
        if (n < 30) setTimeout(change, 20, out, n + 1);
    };
    </script>";

#[test]
fn changes_in_open_shadow_roots_are_waited_for() {
    let html = format!(
        "<title>Shadows</title>{CHANGES}<div id=early></div><div id=late></div>
        <button onclick='change(inEarly, 0)'>Early</button>
        <button onclick='attach()'>Late</button>
        <script>
        const rooted = host => {{
            const out = document.createElement('p');
            out.title = host.id + ' ';
            host.attachShadow({{ mode: 'open' }}).append(out);
            return out;
        }};
        const inEarly = rooted(early);
        // Nothing of the document changes, nor of a root that was there before.
        const attach = () => setTimeout(() => change(rooted(late), 0), 20);
        </script>"
    );
    let Some(mut page) = open(vec![("/", html)]) else { return };
    assert_eq!(page.click("Early"), "new text: 'early ready'");
    assert_eq!(page.click("Late"), "new text: 'late ready'");
}

#[test]
fn changes_in_a_frame_of_another_origin_are_waited_for() {
    let inner = PageServer::start(|_| {
        page(&format!(
            "{CHANGES}<p id=out>first</p><button onclick='change(out, 0)'>Change</button>
            <script>change(out, 0)</script>"
        ))
    });
    let address = format!("http://localhost:{}/", inner.port());
    let html = format!(
        "<title>Outer</title><p>top</p><button onclick='add()'>Add</button><div id=place></div>
        <script>const add = () => {{
            const frame = document.createElement('iframe');
            frame.src = '{address}';
            place.append(frame);
        }}</script>"
    );
    let server = PageServer::start(move |_| page(&html));
    let start = server.url("/");
    let Some(browser) = launched(guard(&[start.as_str(), &address])) else { return };
    let (named_hosts, words) = (BTreeSet::new(), WarningWords::none());
    let walk = BrowserWalk { start, named_hosts, words, files: Vec::new(), recording: None };
    let mut page = OpenPage { session: BrowserSession::new(browser, walk), server };
    page.go(Move::Start);
    let added = page.click("Add");
    assert!(added.contains("ready"), "{added}");
    assert!(page.click("Change").contains("nothing changed"));
}
