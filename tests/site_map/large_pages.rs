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
    assert_eq!(problems, ["large.html: is larger than 32 MB; kept at level path"]);
}
