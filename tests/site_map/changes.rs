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
