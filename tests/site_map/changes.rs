//! What changed on a site: of fifty edits each is named rightly, and the banner not at all.

use std::fs;

use site_map::site::changes::{PageChangeKind, changes};
use site_map::site::open;
use tempfile::TempDir;

const N_PAGES: usize = 60;

fn html(n: usize, text: &str, banner: &str) -> String {
    let links: String =
        (0..N_PAGES).map(|to| format!("<li><a href='p{to}.html'>{to}</a>")).collect();
    format!(
        "<title>Page {n}</title><body><div class=ad>{banner}</div><nav><ul>{links}</ul></nav>\
         <h1>Page {n}</h1><p>What page {n} says: {text}.</p>"
    )
}

fn site(pages: impl Iterator<Item = (String, String)>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in pages {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn a_banner_on_a_few_pages_is_no_change() {
    let few = |banner: &str, pages: [(&str, &str); 4]| {
        site(
            pages
                .into_iter()
                .zip(0..)
                .map(|((name, text), n)| (format!("{name}.html"), html(n, text, banner))),
        )
    };
    let before = few("Manuals of 2024", [("a", "a"), ("b", "b"), ("c", "c"), ("d", "d")]);
    let found = |pages: [(&str, &str); 4]| {
        let after = few("Manuals of 2025, printed today", pages);
        let (before, after) = (open::folder(before.path()), open::folder(after.path()));
        let found = changes(&before.unwrap(), &after.unwrap());
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(found([("a", "a"), ("b", "b"), ("c", "c"), ("d", "d")]), [""; 0]);
    assert_eq!(
        found([("a", "other"), ("b", "b"), ("e", "c"), ("f", "new")]),
        [
            "changed  file:///a.html",
            "moved    file:///c.html to file:///e.html",
            "gone     file:///d.html",
            "new      file:///f.html"
        ]
    );
}

#[test]
fn each_of_two_pages_with_one_text_has_moved() {
    let pages = |folder: &str| {
        let page = |n: usize| (format!("{folder}{n}.html"), html(1, "stub", "Manuals"));
        let (before, other) = ((1..3).map(page), ("z.html".to_owned(), html(9, "z", "Manuals")));
        open::folder(site(before.chain([other])).path()).unwrap()
    };
    let found = changes(&pages("old"), &pages("new"));
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "moved    file:///old1.html to file:///new1.html",
            "moved    file:///old2.html to file:///new2.html",
        ]
    );
}

#[test]
fn fifty_edits_are_named_and_a_banner_is_not() {
    let name = |n: usize| format!("p{n}.html");
    let before = site((0..N_PAGES).map(|n| (name(n), html(n, "a", "Manuals of 2024"))));
    // Ten each: changed, moved, removed, added; and another banner with a date on every page.
    let pages = (0..N_PAGES + 10).filter(|n| !(20..30).contains(n)).map(|n| match n {
        0..10 => (name(n), html(n, "b", "Manuals of 2025")),
        10..20 => (format!("moved-{n}.html"), html(n, "a", "Manuals of 2025")),
        _ => (name(n), html(n, "a", "Manuals of 2025")),
    });
    let after = site(pages);
    let (before, after) = (open::folder(before.path()), open::folder(after.path()));
    let found = changes(&before.unwrap(), &after.unwrap());
    let of = |wanted: fn(&PageChangeKind) -> bool| {
        found
            .iter()
            .filter(|one| wanted(&one.kind))
            .map(|one| one.address.path())
            .collect::<Vec<_>>()
    };
    let paths = |range: std::ops::Range<usize>| range.map(|n| format!("/{}", name(n)));
    assert_eq!(of(|kind| *kind == PageChangeKind::Changed), paths(0..10).collect::<Vec<_>>());
    assert_eq!(of(|kind| *kind == PageChangeKind::Gone), paths(20..30).collect::<Vec<_>>());
    assert_eq!(of(|kind| *kind == PageChangeKind::New), paths(60..70).collect::<Vec<_>>());
    let moved = of(|kind| matches!(kind, PageChangeKind::Moved { .. }));
    assert_eq!(moved, paths(10..20).collect::<Vec<_>>());
    for one in &found {
        if let PageChangeKind::Moved { to } = &one.kind {
            assert_eq!(to.path(), one.address.path().replace("/p", "/moved-"));
        }
    }
    assert_eq!(found.len(), 40);
}

#[test]
fn pages_that_are_not_shown_are_compared() {
    let list = |last: &str| {
        let links: String = (0..120)
            .map(|to| format!("<li><a href=p{to}.html>The wheels of vehicle {to}</a>"))
            .collect();
        format!("<h1>Parts</h1><ul>{links}<li><a href=last.html>{last}</a></ul>")
    };
    let pages = |last| {
        site(
            [("a.html".to_owned(), html(1, "a", "b")), ("l.html".to_owned(), list(last))]
                .into_iter(),
        )
    };
    let (before, after) = (pages("Wheels"), pages("Brakes"));
    let before = open::folder(before.path()).unwrap();
    assert_eq!(before.indexes.len(), 1);
    let found = changes(&before, &open::folder(after.path()).unwrap());
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["changed  file:///l.html"]);
}

#[test]
fn numbers_at_the_edges_that_differ_on_most_pages_are_no_change() {
    // The last sentence of each page has a number, too; that is content.
    let page = |n: usize, torque: usize, seed: usize| {
        let key = format!("{:032x}", (n + seed) as u128 * 0x9e37_79b9_7f4a_7c15_9e37);
        let html =
            format!("<p>Session {key}</p><h1>Page {n}</h1><p>It is fast.</p><p>{torque} Nm.</p>");
        let seconds = (n * 7 + seed) % 1_000;
        format!("{html}<p>Page generated in 0.{seconds:03} seconds. {} visitors.</p>", n + seed)
    };
    let read = |seed: usize, torque: fn(usize) -> usize| {
        let folder = site((0..9).map(|n| (format!("p{n}.html"), page(n, torque(n), seed))));
        open::folder(folder.path()).unwrap()
    };
    let before = read(1, |n| n);
    let found = |torque: fn(usize) -> usize| {
        let found = changes(&before, &read(500, torque));
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(found(|n| n), [""; 0]);
    assert_eq!(found(|n| if n == 4 { 110 } else { n }), ["changed  file:///p4.html"]);
}
