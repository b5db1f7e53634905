//! Pages found by what they say, where they share no word with the goal.

use repo_map::worth::Signal;
use repo_map::{FlightPlan, Options};
use site_map::site::open;
use tempfile::TempDir;

const PAGES: [(&str, &str); 3] = [
    ("Rows", "Delete a row. Delete every folder row with everything inside a table."),
    ("Mail", "The colour of the inside pages of a newsletter, and everything about its paper."),
    ("Trees", "Remove an entire directory tree, its files and its subdirectories."),
];

fn site() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (title, text) in PAGES {
        let html = format!("<title>{title}</title><main><h1>{title}</h1><p>{text}</p></main>");
        std::fs::write(folder.path().join(format!("{title}.html")), html).unwrap();
    }
    folder
}

#[test]
fn a_page_that_says_the_same_in_other_words_is_found() {
    let folder = site();
    let goal = Some("delete a folder with everything inside".into());
    let plan = FlightPlan { goal, ..FlightPlan::default() };
    let site = open::folder(folder.path()).unwrap();
    let judged = site.judged(&plan, &Options::default()).unwrap();
    let ranking = judged.ranking();
    // The page with the most words of the goal stays first.
    let order: Vec<&str> = ranking.iter().map(|(path, _)| *path).collect();
    assert_eq!(order, ["Rows.html", "Trees.html", "Mail.html"]);
    let meaning = |page: usize| ranking[page].1.parts.get(&Signal::Meaning).copied().unwrap_or(0);
    assert_eq!(ranking[1].1.parts.get(&Signal::Words), None, "it shares no word");
    assert!(meaning(1) > meaning(2), "{ranking:?}");
    assert!(meaning(0) >= meaning(1), "the first page has the largest value");
}
