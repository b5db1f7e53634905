//! Maps without a goal: what a newcomer reads first, and what stands in the map once.

use std::fs;
use std::path::Path;

use repo_map::{FlightPlan, Options, RepoMap, RuleLayers, Sanitized};
use site_map::site::open;
use tempfile::TempDir;

fn write(folder: &Path, name: &str, html: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, html).unwrap();
}

fn map(folder: &Path, goal: Option<&str>, tokens: u32) -> RepoMap {
    let mut plan = FlightPlan { goal: goal.map(Sanitized::text), ..FlightPlan::default() };
    plan.context.tokens = tokens;
    let judged = open::folder(folder).unwrap().judged(&plan, &Options::default()).unwrap();
    judged.map(RuleLayers::default()).unwrap()
}

fn worth(map: &RepoMap, path: &str) -> u32 {
    map.files.iter().find(|file| file.path == path).unwrap().worth
}

#[test]
fn a_tutorial_comes_before_the_reference_that_every_page_links_to() {
    let folder = TempDir::new().unwrap();
    let links = "See <a href=/settings.html>settings</a>, <a href=/fields.html>fields</a>.";
    let page = |name: &str, title: &str, more: &str| {
        let words = format!("{title} is about the pump. ").repeat(4);
        write(folder.path(), name, &format!("<h1>{title}</h1><p>{words}{links}</p>{more}"));
    };
    let start = "<a href=/learn/tutorial1.html>First</a> <a href=/learn/tutorial2.html>Second</a>";
    page("index.html", "The pump", start);
    page("learn/tutorial1.html", "A first pump", "<p><a href=tutorial2.html>Next</a></p>");
    page("learn/tutorial2.html", "A second pump", "");
    for name in ["settings", "fields", "tables", "hoses", "valves", "style-guide"] {
        page(&format!("{name}.html"), name, "");
    }
    let map = map(folder.path(), None, 1_000);
    let reference = worth(&map, "settings.html");
    for name in ["index.html", "learn/tutorial1.html", "learn/tutorial2.html"] {
        assert!(worth(&map, name) > reference, "{name}");
    }
    assert!(worth(&map, "style-guide.html") < worth(&map, "fields.html"));
}

/// Writes pages with more to say than a map has room for.
fn hoses(folder: &Path) {
    for page in 0..8 {
        let section = |at| {
            let words = "carries water or oil, and bends as it must, beside the valve";
            format!("<h2>Hose {page}{at}</h2><p>One with {at} rings, which {words}, for {page}.")
        };
        let sections: String = (0..4).map(section).collect();
        let title = format!("<h1>Hose {page}</h1><p>It is a part of the pump, with springs.");
        write(folder, &format!("hose{page}.html"), &(title + &sections));
    }
}

#[test]
fn chapters_about_releases_are_not_what_a_site_begins_with() {
    let folder = TempDir::new().unwrap();
    let list = |title: &str, of: &str, n: usize| {
        let items: String = (0..n).map(|at| format!("<li><a href=x.html>{of} {at}</a>")).collect();
        format!("<li><a href=x.html>{title}</a><ul>{items}</ul>")
    };
    let lists = [list("Use", "Pump", 9), list("Change Log", "Version", 120)].concat();
    write(folder.path(), "index.html", &format!("<h1>The pump</h1><ul>{lists}</ul>"));
    hoses(folder.path());
    let text = map(folder.path(), None, 800).text;
    assert!(text.contains("- Pump 8\n") && text.contains("## Change Log …\n"), "{text}");
    assert!(!text.contains("Version 3"), "{text}");
}

#[test]
fn a_section_that_two_pages_have_is_shown_once() {
    let folder = TempDir::new().unwrap();
    let terms = |level: usize| -> String {
        let term = |at| {
            let words = "which a pump of this kind has below its lid, beside the hose to the tank";
            format!("<h{level}>Valve {at}</h{level}><p>A part with {at} springs, {words} of oil.")
        };
        (0..6).map(term).collect()
    };
    let glossary = format!("<h1>Glossary of parts</h1><p>All words.</p>{}", terms(2));
    write(folder.path(), "glossary-of-parts.html", &glossary);
    let manual = "<h1>Manual</h1><p>See the <a href=glossary-of-parts.html>words</a>.</p>";
    let manual = format!("{manual}<h2>Glossary</h2>{}<h2>Use</h2><p>Turn it on.", terms(3));
    write(folder.path(), "manual.html", &manual);
    hoses(folder.path());
    for (goal, tokens) in [(None, 600), (Some("a part with springs of the valve"), 400)] {
        let text = map(folder.path(), goal, tokens).text;
        assert_eq!(text.matches("A part with 3 springs").count(), 1, "{text}");
    }
}
