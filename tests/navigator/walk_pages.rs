//! The pages of walks: redirects that are followed and that are not, and what a page shows.

use navigator::walk::pilot::offline::OfflineWalker;
use navigator::walk::pilot::view::view;
use navigator::walk::screen::ScreenSection;
use navigator::walk::session::{Move, WalkSession};
use navigator::walk::state::WalkState;
use navigator::walk::steps::limits::WalkLimits;
use navigator::walk::steps::walk;
use navigator::{CancelToken, Deadline, Effect, EffectLedger, SiteSession};
use test_support::repo;

use crate::page_server::{PageAnswer, PageServer, page, redirect, text};
use crate::walks::{Listed, click, live_session, results, session};

/// `<h1>Pump</h1><p>Coolant: 9.5 L`, compressed.
const COMPRESSED: &[u8] =
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xb3\xc90\xb4\x0b(\xcd-\xb0\xd1\x072l\x0a\
    \xec\x9c\xf3\xf3s\x12\xf3J\xac\x14,\xf5L\x15|\x00K\xd2T\xaf\x1e\x00\x00\x00";

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
    assert_eq!(came, ["redirect loop", "page 'D'"]);
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
fn without_a_model_no_step_is_taken_to_an_archive() {
    let server = PageServer::of(vec![
        ("/", page("<h1>Manual</h1><a href=coolant.zip>Coolant of all cars</a> <a href=a>A</a>")),
        ("/a", page("<h1>A</h1><p>Coolant: 9.5 L")),
    ]);
    let folder = repo("");
    let mut session = live_session(&server.url("/"), &folder);
    let (mut pilot, effects) = (OfflineWalker::default(), EffectLedger::default());
    let (state, limits) = (WalkState::first(), WalkLimits::default());
    walk(&mut session, "coolant", state, &mut pilot, &limits, effects, &mut ()).unwrap();
    assert_eq!(server.paths(), ["/", "/a"]);
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

#[test]
fn a_folder_has_compressed_pages_and_those_of_mirrors() {
    let folder = repo("");
    let links = "<a href=pump.html>1</a> <a href='view?id=3'>2</a> <a href=sub/>3</a> \
                 <a href=broken.html>4</a> <a href=pump.html.gz>5</a>";
    folder.write("index.html", format!("<h1>Start</h1>{links}").as_bytes());
    folder.write("pump.html.gz", COMPRESSED);
    folder.write("view?id=3", b"<!doctype html><h1>View</h1><p>Coolant: 9.5 L");
    folder.write("sub/index.html.gz", COMPRESSED);
    folder.write("broken.html.gz", &COMPRESSED[..20]);
    let came = |number: usize| clicked(&mut session(folder.path()), &[number]).remove(0);
    assert_eq!(
        [1, 2, 3, 5].map(came),
        [1, 2, 3, 5].map(|at| match at {
            2 => "page 'View'".to_owned(),
            _ => "page 'Pump'".to_owned(),
        })
    );
    let broken = came(4);
    assert!(broken.starts_with("it cannot be read: the body is not valid gzip"), "{broken}");
}

#[test]
fn a_link_to_a_file_that_is_no_page_costs_no_request() {
    let server = PageServer::of(vec![
        (
            "/",
            page(
                "<h1>Start</h1><a href=pump.png>Pump</a> <a href=plan type=image/svg+xml>Plan</a> \
                 <a href=a type='text/html; charset=utf-8'>A</a>",
            ),
        ),
        ("/a", page("<h1>A</h1><p>Coolant: 9.5 L")),
    ]);
    let folder = repo("");
    let mut session = live_session(&server.url("/"), &folder);
    session.go(&Move::Start, &Deadline::new(None, CancelToken::new())).unwrap();
    let shown = view(session.screen(), "coolant", 300);
    for line in ["[1] Pump (a file, no page)", "[2] Plan (a file, no page)", "[3] A"] {
        assert!(shown.contains(line), "{shown}");
    }
    assert!(!shown.contains("[3] A (a file"), "{shown}");
    assert_eq!(session.effect(&Move::Click(1)), Effect::None);
    let came = clicked(&mut session, &[1, 2, 3]);
    let no_page = "it is a link to a file that is no page; nothing was asked for";
    assert_eq!(came, [no_page, no_page, "page 'A'"]);
    assert_eq!(server.paths(), ["/", "/a"]);
}

#[test]
fn a_link_of_a_page_to_itself_is_no_entry() {
    let folder = repo(
        "=== index.html
<h1>Start</h1><a href='#a'>A</a> <a href=index.html>Start</a> <a href=./>Home</a> <a href=b>B</a>
",
    );
    let mut session = session(folder.path());
    clicked(&mut session, &[]);
    let labels = session.screen().entries.iter().map(|entry| entry.label.as_str());
    assert_eq!(labels.collect::<Vec<_>>(), ["B"]);
}

#[test]
fn a_text_that_a_server_sends_is_a_page() {
    let json = vec![("Content-Type", "application/json".to_owned())];
    let server = PageServer::of(vec![
        ("/", page("<h1>Start</h1><a href=notes.md>Notes</a> <a href=pump.json>Pump</a>")),
        ("/notes.md", text("# Notes\n\nGr\u{f6}\u{df}e: 9.5 L <b>")),
        ("/pump.json", PageAnswer::Whole(200, json, b"{}".to_vec())),
    ]);
    let folder = repo("");
    let mut session = live_session(&server.url("/"), &folder);
    let came = clicked(&mut session, &[2, 1]);
    assert_eq!(came, ["it is no page (application/json)", "page 'notes.md'"]);
    let text = &session.screen().sections[0].text;
    assert_eq!(text, "```\n# Notes\n\nGr\u{f6}\u{df}e: 9.5 L <b>\n```");
}

/// Returns the sections of a page as a walk sees them: title and text of each.
fn sections_of(html: &str) -> Vec<(String, String)> {
    let folder = repo("");
    std::fs::write(folder.path().join("index.html"), html).unwrap();
    let mut session = session(folder.path());
    clicked(&mut session, &[]);
    let sections = session.screen().sections.iter();
    sections.map(|section| (section.title.clone(), section.text.clone())).collect()
}

fn text_of(html: &str) -> String {
    sections_of(&format!("<h1>Part</h1>{html}")).remove(0).1
}

#[test]
fn values_beside_links_stay() {
    let row = |n: usize| format!("<tr><td><a href={n}>Crankshaft bearing cap {n}</a><td>2{n} Nm");
    let rows: String = (0..9).map(row).collect();
    let text = text_of(&format!("<table><tr><th>Part<th>Nm{rows}</table>"));
    assert!(text.starts_with("| Part | Nm |\n"), "{text}");
    assert!(text.ends_with("\n| Crankshaft bearing cap 8 | 28 Nm |"), "{text}");
    let list = "<ul><li><a href=a>Fuel of this engine</a>: Diesel<li><a href=b>Oil</a> ✓</ul>";
    assert_eq!(text_of(list), "- Fuel of this engine: Diesel\n- Oil ✓");
    let table = "<table><tr><th>Part<th><tr><td><a href=a>Instrument lamp</a><td>✓</table>";
    assert!(text_of(table).contains("| Instrument lamp | ✓ |"));
    // The page numbers are links, the cylinders are not.
    let pager = "<table><tr><th>Model<th>Cylinders<tr><td><a href=a>Averon</a><td>4\
                 <tr><td><a href=b>Belmont</a><td>4</table><p><a href=4>4</a>";
    assert!(text_of(pager).contains("| Belmont | 4 |"));
}

#[test]
fn a_text_is_no_link_because_another_place_has_one_of_that_name() {
    let sections = sections_of(
        "<nav><a href=fuel.html>Diesel</a></nav><h1>Fuel type</h1><p>Diesel</p>\
         <h2>Cylinders</h2><p>4</p><h2>Notes</h2><p>Of the sensor.</p>\
         <h2>Notes</h2><ul><li><a href=a>Of the sensor.</a></ul>",
    );
    let sections: Vec<(&str, &str)> =
        sections.iter().map(|(title, text)| (title.as_str(), text.as_str())).collect();
    assert_eq!(
        sections,
        [("Fuel type", "Diesel"), ("Cylinders", "4"), ("Notes", "Of the sensor."), ("Notes", "")]
    );
}

#[test]
fn what_only_lists_links_is_left_to_the_entries() {
    for html in [
        "<ol><li><a href=a>Oil</a><li><a href=b>2012 Averon</a> | <a href=c><code>f</code> x</a></ol>",
        "<p><a href=a>Oil</a> · <a href=b>Oil pump</a>, <a href=c>Pump</a>",
        "<table><tr><th>Page<th>Next<tr><td><a href=a>1</a><td><a href=b>2</a></table>",
        "<ul><li><a href=a><img src=i alt=Folder> Oil</a><li><a href=b><img src=i alt=Pump></a></ul>",
    ] {
        assert_eq!(text_of(html), "", "{html}");
    }
    assert_eq!(text_of("<p>See <a href=a>Oil</a>"), "See Oil");
}

#[test]
fn what_pages_have_in_common_is_left_out_above_their_titles_alone() {
    let banner = "<div>New manuals are added every week.</div>";
    let folder = repo("");
    let write = |name: &str, html: String| {
        std::fs::write(folder.path().join(name), format!("{banner}{html}")).unwrap();
    };
    for name in ["front", "rear"] {
        write(&format!("{name}.html"), format!("<h1>{name}</h1><p>110 Nm</p>"));
    }
    write("same.html", "<h1>Same</h1>".to_owned());
    write(
        "index.html",
        "<h1>Wheels</h1><p>Pick one.</p><a href=front.html>Front</a> <a href=rear.html>Rear</a>\
         <a href=same.html>Same</a>"
            .to_owned(),
    );
    for order in [["front", "rear"], ["rear", "front"]] {
        let mut session = session(folder.path());
        let mut text_at = |step: &Move| {
            let deadline = Deadline::new(None, CancelToken::new());
            assert!(session.go(step, &deadline).unwrap().is_done(), "{step:?}");
            let text = |one: &ScreenSection| format!("{}: {}", one.title, one.text);
            session.screen().sections.iter().map(text).collect::<Vec<_>>().join("; ")
        };
        let open = |name: &str| Move::Open(format!("file:///{name}.html"));
        assert_eq!(text_at(&Move::Start), ": New manuals are added every week.; Wheels: Pick one.");
        for name in order {
            assert_eq!(text_at(&open(name)), format!("{name}: 110 Nm"));
        }
        // Nothing else stands on this page: it has no answer.
        assert_eq!(text_at(&open("same")), "Same: ");
        assert!(!session.screen().has_data);
    }
}
