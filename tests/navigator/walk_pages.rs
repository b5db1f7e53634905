//! The pages of walks: redirects that are followed and that are not, and what a page shows.

use navigator::walk::limits::WalkLimits;
use navigator::walk::session::WalkSession;
use navigator::walk::state::WalkState;
use navigator::walk::steps::walk;
use navigator::{EffectLedger, SiteSession};
use test_support::repo;

use crate::page_server::{PageServer, page, redirect};
use crate::walks::{Listed, click, live_session, results, session};

/// Clicks entries of pages, and returns what came of each click.
fn clicked(session: &mut SiteSession, numbers: &[usize]) -> Vec<String> {
    let steps = numbers.iter().map(|number| click(*number)).collect();
    let (state, limits) = (WalkState::first(), WalkLimits::default());
    let (mut pilot, effects) = (Listed(steps), EffectLedger::default());
    let walked = walk(session, "coolant", state, &mut pilot, &limits, effects, &mut ()).unwrap();
    results(&walked).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_circle_of_redirects_ends_where_it_closes() {
    let server = PageServer::of(vec![
        ("/", page("<h1>Start</h1><a href=a>A</a> <a href=c>C</a>")),
        ("/a", redirect("/b")),
        ("/b", redirect("/a")),
        ("/c", redirect("/d")),
        ("/d", page("<h1>D</h1><p>Coolant: 9.5 L")),
    ]);
    let folder = repo("");
    let mut session = live_session(&server.url("/"), &folder);
    let came = clicked(&mut session, &[1, 2]);
    assert_eq!(came, ["the redirects lead in a circle", "page 'D'"]);
    assert_eq!(server.paths(), ["/", "/a", "/b", "/c", "/d"]);
}

#[test]
fn a_scope_holds_over_redirects() {
    let server = PageServer::of(vec![
        ("/docs/", page("<h1>Docs</h1><a href=out>Out</a> <a href=in>In</a>")),
        ("/docs/out", redirect("/else/x.html")),
        ("/docs/in", redirect("/docs/a.html")),
        ("/docs/a.html", page("<h1>A</h1><p>Coolant: 9.5 L")),
        ("/else/x.html", page("<h1>Else</h1><p>Coolant: 7.1 L")),
    ]);
    let folder = repo("");
    let mut session = live_session(&server.url("/docs/"), &folder).within(Some("/docs/"));
    let came = clicked(&mut session, &[1, 2]);
    let refused = format!("it redirects out of the scope, to {}", server.url("/else/x.html"));
    assert_eq!(came, [refused.as_str(), "page 'A'"]);
    assert_eq!(server.paths(), ["/docs/", "/docs/out", "/docs/in", "/docs/a.html"]);
}

#[test]
fn a_folder_has_pages_of_text_and_none_of_other_files() {
    let folder = repo("");
    let files: [(&str, &[u8]); 3] = [
        ("index.html", b"<h1>Start</h1><a href=pump.bin>Pump</a> <a href=pump.txt>Notes</a>"),
        ("pump.bin", b"\x7fELF\x02\x01\0\0coolant"),
        ("pump.txt", b"if a <b and c> d\n\npump  rate 3"),
    ];
    files.iter().for_each(|(name, body)| std::fs::write(folder.path().join(name), body).unwrap());
    let mut session = session(folder.path());
    let came = clicked(&mut session, &[1, 2]);
    assert_eq!(came, ["it is no page (`pump.bin` is a binary file)", "page 'pump.txt'"]);
    let text = &session.screen().sections[0].text;
    assert_eq!(text, "```\nif a <b and c> d\n\npump  rate 3\n```");
}
