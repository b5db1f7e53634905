//! Maps for a newcomer: the start of a site comes first, and lines say what pages are about.

use std::fs;
use std::path::Path;
use std::sync::mpsc;

use insta::assert_snapshot;
use repo_map::plan::{Context, Rule};
use repo_map::{
    FlightPlan, Format, Level, LevelRange, Options, ProgressSink, Replay, ReplayOutcome, RepoMap,
    RuleLayers, Sanitized, Tokenizer,
};
use site_map::Site;
use site_map::site::open;
use test_support::sealed;

use crate::markup::text;
use crate::server::{PageServer, page, status};

/// A manual as DocBook writes it: chapters with numbers for names, which all link to the second.
fn manual(folder: &Path) {
    let entry = |at: usize, title: &str| {
        format!("<dt><span class=chapter><a href='ch{at}.html'>{title}</a></span></dt>")
    };
    let titles = ["1. Pumps", "2. Valves", "3. Hoses", "4. Licence"];
    let entries: Vec<String> = (1..).zip(titles).map(|(at, title)| entry(at, title)).collect();
    let toc = format!(
        "<div class=toc><p><b>Table of Contents</b></p><dl><dt><a href='ch1.html'>I. Parts</a></dt>\
         <dd><dl>{}</dl></dd>{}</dl></div>",
        entries[..3].concat(),
        entries[3],
    );
    let page = |name: &str, body: &str| {
        let html = format!("<meta name=generator content='DocBook XSL'>{body}");
        fs::write(folder.join(name), html).unwrap();
    };
    page("index.html", &format!("<div class=book><h1>The Machine</h1>{toc}</div>"));
    for (at, title) in (1..).zip(titles) {
        let menu = format!("<div class=toc><dl>{}</dl></div>", entries.concat());
        let words = format!("The pressure of {title} is high. ").repeat(12);
        let text = format!("<p>{words}See <a href='ch2.html'>here</a>.</p>");
        page(&format!("ch{at}.html"), &format!("<div class=chapter><h2>{title}</h2>{menu}{text}"));
    }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    manual(folder.path());
    folder
}

fn map(site: &Site, goal: Option<&str>, tokens: u32) -> RepoMap {
    let mut plan = FlightPlan { goal: goal.map(Sanitized::text), ..FlightPlan::default() };
    plan.context.tokens = tokens;
    let judged = site.judged(&plan, &Options::default()).unwrap();
    judged.map(RuleLayers::default()).unwrap()
}

#[test]
fn without_a_goal_the_start_of_a_site_comes_first_with_its_contents() {
    let folder = folder();
    let site = open::folder(folder.path()).unwrap();
    assert_snapshot!(map(&site, None, 110).text.as_str(), @r"
    # Site map
    ## index.html
    ```markdown
    # The Machine

    - 4\. Licence

    ## I. Parts

    - 1\. Pumps
    - 2\. Valves
    - 3\. Hoses
    ```
    - ./ +1 page
    ## ch1.html
    ```markdown
    1. Pumps
    ```
    ## ch2.html
    ```markdown
    2. Valves
    ```
    ## ch4.html
    ```markdown
    4. Licence
    ```
    ## Left out
    Folded: 1 page.
    ");
}

#[test]
fn a_line_has_the_title_of_its_page_where_the_name_says_nothing_of_it() {
    let folder = folder();
    let site = open::folder(folder.path()).unwrap();
    let rules = vec![Rule::new("**", LevelRange::exactly(Level::Path))];
    let judged = |format| {
        let context = Context { format, ..Context::default() };
        let plan = FlightPlan { rules: rules.clone(), context, ..FlightPlan::default() };
        site.judged(&plan, &Options::default()).unwrap()
    };
    let drawn = |format| {
        let layers = RuleLayers { person: &rules, pilot: &[] };
        judged(format).map(layers).unwrap().text
    };
    assert_snapshot!(drawn(Format::Markdown).as_str(), @"
    # Site map
    - index.html: The Machine
    - ch1.html: 1. Pumps
    - ch2.html: 2. Valves
    - ch3.html: 3. Hoses
    - ch4.html: 4. Licence
    ");
    assert_snapshot!(drawn(Format::Xml).as_str(), @r#"
    <map>
    <file path="index.html" title="The Machine"/>
    <file path="ch1.html" title="1. Pumps"/>
    <file path="ch2.html" title="2. Valves"/>
    <file path="ch3.html" title="3. Hoses"/>
    <file path="ch4.html" title="4. Licence"/>
    </map>
    "#);
}

#[test]
fn a_plan_has_the_titles_of_lines_and_the_start() {
    let folder = folder();
    let site = open::folder(folder.path()).unwrap();
    let map = map(&site, None, 110);
    // A page that is shown by its line alone may change: the line is that of the plan.
    let third = folder.path().join("ch3.html");
    fs::write(&third, fs::read_to_string(&third).unwrap().replace("3. Hoses", "3. Pipes")).unwrap();
    let flown = FlightPlan::from_yaml("flown.yaml", &map.flown.to_yaml()).unwrap();
    let tree = open::folder(folder.path()).unwrap().tree(&flown.rules).unwrap();
    let report = Replay::of(&flown).over(&tree).run().unwrap();
    let ReplayOutcome::Identical { text, .. } = report.outcome else {
        panic!("{:?}", report.outcome)
    };
    assert_eq!(text, map.text);
}

#[test]
fn a_map_with_titles_is_never_over_its_budget() {
    let folder = folder();
    let site = open::folder(folder.path()).unwrap();
    for (tokens, goal) in (0..200).flat_map(|tokens| [(tokens, None), (tokens, Some("licence"))]) {
        let map = map(&site, goal, tokens);
        assert!(map.tokens <= tokens, "{} of {tokens}: {}", map.tokens, map.text);
        assert_eq!(map.tokens, Tokenizer::default().count(&map.text));
    }
}

#[test]
fn with_a_goal_a_table_of_contents_is_a_list_of_the_other_pages() {
    let folder = tempfile::tempdir().unwrap();
    let entry = |at| format!("<li><a href='p{at}.html'>Valve {at} of the pump</a>");
    let entries: String = (0..40).map(entry).collect();
    fs::write(folder.path().join("index.html"), format!("<h1>Parts</h1><ul>{entries}</ul>"))
        .unwrap();
    for at in 0..40 {
        let html = format!("<h1>Part {at}</h1><p>This is about the valve {at}, which is red.");
        fs::write(folder.path().join(format!("p{at}.html")), html).unwrap();
    }
    let goal = ["explain", ".", "index.html", "--goal", "valve of the pump"];
    let start = sealed(env!("CARGO_BIN_EXE_site-map")).run(folder.path(), &goal);
    assert!(start.stdout.contains("listing"), "{}", start.stdout);
}

#[test]
fn a_reading_tells_how_far_it_is() {
    let folder = folder();
    let (told, tell) = mpsc::channel();
    let watcher = ProgressSink::new(move |progress| {
        let _ = told.send((progress.done, progress.of));
    });
    open::folder_watched(folder.path(), Some(&watcher)).unwrap();
    drop(watcher);
    let counts: Vec<(usize, Option<usize>)> = tell.iter().collect();
    assert_eq!(counts, [1, 2, 3, 4, 5].map(|done| (done, Some(5))));
}

#[test]
fn a_table_of_contents_of_terms_is_a_nested_list() {
    let html = "<h1>Guide</h1><dl><dt>1. <a href=a.html>Pumps</a></dt><dd><dl>\
        <dt><a href=a.html#x>1.1. Oil</a> — how much</dt></dl></dd>\
        <dt><a href=b.html>2. Valves</a></dt></dl>";
    assert_snapshot!(text(html), @r"
    # Guide

    - 1\. Pumps
      - 1.1. Oil — how much
    - 2\. Valves
    ");
    // What explains a term is no contents.
    let html = "<dl><dt><a href=a.html>Pump</a></dt><dd>Moves oil.</dd></dl>";
    assert_snapshot!(text(html), @"
    Pump:
    Moves oil.
    ");
}

#[test]
fn the_start_and_the_index_that_it_is_are_one_page() {
    let chapter = |n: usize| {
        let sections: String = (0..6)
            .map(|k| format!("<li><a href=b.html#s{n}{k}>Section {n} {k}</a></li>"))
            .collect();
        format!("<li><a href=b.html>Chapter {n}</a><ul>{sections}</ul></li>")
    };
    let chapters: String = (0..8).map(chapter).collect();
    let start = format!("<h1>A</h1><p>Welcome.</p><a href=index.html>Home</a><ul>{chapters}</ul>");
    let other = "<h1>B</h1><p>The chapters of the manual, each with its sections.</p>";
    let text = start.clone();
    let server = PageServer::start(move |path| match path {
        "/" | "/index.html" => page(&text),
        "/b.html" => page(other),
        _ => status(404),
    });
    let program = sealed(env!("CARGO_BIN_EXE_site-map"));
    let place = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| program.run(place.path(), args);
    let address = server.url("/").to_string();
    let recorded = run(&["record", &address, "-o", "m.warc.gz", "--delay", "0"]);
    assert_eq!(recorded.code, 0, "{}", recorded.stderr);
    let ranked = run(&["rank", "m.warc.gz", "--goal", "chapter"]);
    assert_eq!(ranked.stdout.matches("index.html").count(), 1, "{}", ranked.stdout);
    fs::create_dir(place.path().join("copy")).unwrap();
    for (name, text) in [("index.html", start.as_str()), ("b.html", other)] {
        fs::write(place.path().join("copy").join(name), text).unwrap();
    }
    let copied = run(&["diff", "m.warc.gz", "copy"]);
    assert_eq!((copied.code, copied.stdout.as_str()), (0, ""), "{}", copied.stderr);
}
