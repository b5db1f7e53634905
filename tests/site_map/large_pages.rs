//! Pages of megabytes: every section is found, and a page beyond the limit is named.

use repo_map::{Document, FlightPlan, Options, RuleLayers, Tree, open_tree};
use site_map::site::open;
use tempfile::TempDir;

fn plan(yaml: &str) -> FlightPlan {
    FlightPlan::from_yaml("plan.yaml", &format!("version: 1\n{yaml}")).unwrap()
}

#[test]
fn the_last_section_of_a_large_page_is_found() {
    let folder = TempDir::new().unwrap();
    let text = "A server has many options, and a chapter of its manual is long. ".repeat(700);
    let chapter = |nth: usize| format!("<h2>Chapter {nth}</h2><p>{text}</p><pre># no title</pre>");
    let chapters: String = (0..60).map(chapter).collect();
    let last = "<h2>Format of the log</h2><p>Each request is a line of the log.</p>";
    let html = format!("<title>Manual</title><main><h1>Manual</h1>{chapters}{last}</main>");
    std::fs::write(folder.path().join("manual.html"), html).unwrap();
    let site = open::folder(folder.path()).unwrap();
    let plan = plan("goal: format of the log\ncontext: {tokens: 200}");
    let judged = site.judged(&plan, &Options::default()).unwrap();
    let map = judged.map(RuleLayers { person: &plan.rules, pilot: &[] }).unwrap();
    assert!(map.text.contains("Each request is a line of the log."), "{}", map.text);
    assert_eq!(judged.problems(), []);
}

#[test]
fn a_page_beyond_the_limit_is_named() {
    let pages = [("large.html", (32 << 20) + 1), ("small.html", 10)];
    let documents =
        pages.map(|(name, size)| Document::page(name, &"a ".repeat(size).as_bytes()[..size]));
    let tree = Tree::of_documents(documents.into()).unwrap();
    let judged = open_tree(tree, &[], &plan("goal: a"), &Options::default()).unwrap();
    let problems: Vec<String> = judged.problems().iter().map(ToString::to_string).collect();
    assert_eq!(problems, ["large.html: is larger than 32 MiB; kept at level path"]);
}

#[test]
fn a_manual_in_one_page_is_left_out_beside_its_chapters() {
    let folder = TempDir::new().unwrap();
    let chapter = |nth: usize| {
        let paragraph = |at: usize| format!("<p>Option {at} of part {nth} sets a limit.");
        format!("<h2>Part {nth}</h2>{}", (0..400).map(paragraph).collect::<String>())
    };
    let write = |name: &str, html: &str| std::fs::write(folder.path().join(name), html).unwrap();
    let all: String = (0..5).map(chapter).collect();
    write("all.html", &format!("<h1>Manual</h1><p>All of it in one page.{all}"));
    let left_out = || {
        let site = open::folder(folder.path()).unwrap();
        let names: Vec<String> = site.pages.iter().map(|page| page.name.clone()).collect();
        let why = site.left_out_page("all.html");
        assert_eq!(why.is_some(), !site.gathered.is_empty());
        assert!(why.is_none_or(|why| why == "`all.html` is left out: gathers others"));
        (site.gathered.iter().map(|page| page.address.to_string()).collect::<Vec<_>>(), names.len())
    };
    // One other page that is nearly the same is an edition of it.
    write("edition.html", &format!("<h1>Manual</h1><p>Second edition.{all}"));
    assert_eq!(left_out(), (vec![], 2));
    std::fs::remove_file(folder.path().join("edition.html")).unwrap();
    for nth in 0..4 {
        write(&format!("part{nth}.html"), &chapter(nth));
    }
    assert_eq!(left_out(), (vec![], 5), "the last part stands nowhere else");
    write("part4.html", &chapter(4));
    assert_eq!(left_out(), (vec!["file:///all.html".to_owned()], 5));
}
