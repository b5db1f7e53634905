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

#[test]
fn a_section_that_two_pages_have_is_shown_once() {
    let folder = TempDir::new().unwrap();
    let terms = |level: usize| -> String {
        let term = |at| {
            let words = "which a pump of this kind has below its lid, beside the hose";
            format!("<h{level}>Valve {at}</h{level}><p>A part with {at} springs, {words}.")
        };
        (0..6).map(term).collect()
    };
    let glossary = format!("<h1>Glossary of parts</h1><p>All words.</p>{}", terms(2));
    write(folder.path(), "glossary-of-parts.html", &glossary);
    let manual = "<h1>Manual</h1><p>See the <a href=glossary-of-parts.html>words</a>.</p>";
    let manual = format!("{manual}<h2>Glossary</h2>{}<h2>Use</h2><p>Turn it on.", terms(3));
    write(folder.path(), "manual.html", &manual);
    write(folder.path(), "index.html", "<h1>Pump</h1><a href=glossary-of-parts.html>Words</a>");
    for goal in [None, Some("a part with springs of the valve")] {
        let text = map(folder.path(), goal, 330).text;
        assert_eq!(text.matches("A part with 3 springs").count(), 1, "{text}");
    }
}
