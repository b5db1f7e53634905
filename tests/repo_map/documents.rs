//! Documents that never were on a disk are drawn, fitted, explained and replayed like files.

use insta::assert_snapshot;
use repo_map::cache::Cache;
use repo_map::html::PageInput;
use repo_map::{
    Document, Drift, Error, HiddenPaths, Judged, Level, Options, Refit, Replay, ReplayOutcome,
    RepoMap, RuleLayers, Tree, cost, explain, html, open_tree, report, unmatched,
};
use test_support::{Repo, repo};

use crate::{open, plan};

const MANUAL: &str = "\
=== guide/install.md
# Install

The program is one file.

## From source

Build it with `make`.
=== guide/timeouts.md
# Timeouts

A request ends after 30 seconds.

## Raise the timeout

Set `timeout` to a number of seconds.
=== index.md
# Manual

All pages.
=== reference/client.py
class Client:
    \"\"\"A connection to a server.\"\"\"

    def send(self, request, timeout=30):
        return self.wire.send(request, timeout)
=== reference/\u{202e}name.md
# A name that turns
=== reference/ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2.md
# A name that is a secret
";
const GOAL: &str = "goal: raise the timeout of a request\ncontext: {tokens: 150, fill: all}";

fn documents() -> Vec<Document> {
    let mut documents: Vec<Document> = Vec::new();
    for part in MANUAL.split("=== ").skip(1) {
        let (path, text) = part.split_once('\n').unwrap();
        documents.push(Document::new(path, text.as_bytes()));
    }
    // Any order will do.
    documents.reverse();
    documents
}

fn tree() -> Tree {
    Tree::of_documents(documents()).unwrap()
}

fn judged(yaml: &str, links: &[(&str, &str)]) -> Judged {
    let links: Vec<_> =
        links.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
    open_tree(tree(), &links, &plan(yaml), &Options::default()).unwrap()
}

fn mapped(judged: &Judged) -> RepoMap {
    judged.map(RuleLayers { person: &judged.plan().rules, pilot: &[] }).unwrap()
}

#[test]
fn documents_are_drawn_and_fitted() {
    let map = mapped(&judged(GOAL, &[]));
    assert!(map.tokens <= 150);
    assert_snapshot!(map.text, @r#"
    # Repository map
    - guide/install.md
    ## guide/timeouts.md (full)
    ```markdown
    # Timeouts

    A request ends after 30 seconds.

    ## Raise the timeout

    Set `timeout` to a number of seconds.
    ```
    - index.md
    ## reference/[masked: github-token].md (full)
    ```markdown
    # A name that is a secret
    ```
    ## reference/\u{202e}name.md (full)
    ```markdown
    # A name that turns
    ```
    ## reference/client.py (full)
    ```python
    class Client:
        """A connection to a server."""

        def send(self, request, timeout=30):
            return self.wire.send(request, timeout)
    ```
    "#);
}

#[test]
fn the_same_documents_on_disk_give_the_same_bytes() {
    let on_disk: Repo = repo(MANUAL);
    for yaml in [GOAL, "goal: a client", "", "rules: [{path: '**', level: path}]"] {
        let (here, there) = (judged(yaml, &[]), open(&on_disk, &plan(yaml)));
        let (map, expected) = (mapped(&here), mapped(&there));
        assert_eq!(map.text, expected.text);
        assert_eq!(map.flown.to_yaml(), expected.flown.to_yaml());
        let json = |judged, map| {
            serde_json::to_string(&report::json::map_report(judged, map).unwrap()).unwrap()
        };
        assert_eq!(json(&here, &map), json(&there, &expected));
        for file in &map.files {
            let explained = |judged| {
                let one = explain::explain(judged, &file.path, RuleLayers::default()).unwrap();
                serde_json::to_string(&one).unwrap()
            };
            assert_eq!(explained(&here), explained(&there));
            let costs = |judged, map| cost::file_costs(judged, &file.path, map, 3).unwrap();
            assert_eq!(costs(&here, &map), costs(&there, &expected));
        }
        let page = |judged, map| {
            html::page(judged, map, RuleLayers::default(), &PageInput::default()).unwrap()
        };
        assert_eq!(page(&here, &map), page(&there, &expected));
        let replay = |replay: Replay<'_>| format!("{:?}", replay.run().unwrap().outcome);
        let in_memory = tree();
        assert_eq!(
            replay(Replay::of(&expected.flown).over(&in_memory)),
            replay(Replay::of(&map.flown).at(on_disk.path()))
        );
    }
}

#[test]
fn a_flown_plan_gives_the_same_bytes_over_the_same_documents() {
    let map = mapped(&judged(GOAL, &[("index.md", "guide/timeouts.md")]));
    let tree = tree();
    let replayed = Replay::of(&map.flown).over(&tree).run().unwrap();
    let ReplayOutcome::Identical { text, tokens } = &replayed.outcome else {
        panic!("{:?}", replayed.outcome)
    };
    assert_eq!((text, *tokens), (&map.text, map.tokens));
    let page = html::page_of_replay(&replayed, &PageInput::default()).unwrap().unwrap();
    assert!(page.contains("Raise the timeout"));
}

#[test]
fn a_document_that_changed_is_drift_and_the_plan_can_be_fitted_again() {
    let map = mapped(&judged("rules: [{path: '**', level: full}]", &[]));
    let mut others = documents();
    others.retain(|one| one.path != "guide/install.md");
    let index = others.iter_mut().find(|one| one.path == "index.md").unwrap();
    index.bytes = b"# Another manual\n"[..].into();
    let tree = Tree::of_documents(others).unwrap();
    let replay = Replay::of(&map.flown).over(&tree);
    let outcome = replay.run().unwrap().outcome;
    let ReplayOutcome::Drifted(Drift { changed, gone, .. }) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!((changed, gone), (vec!["index.md".to_owned()], vec!["guide/install.md".to_owned()]));
    let Refit { map, .. } = replay.refit().unwrap();
    assert!(map.text.contains("Another manual"));
}

#[test]
fn a_page_that_went_and_was_not_shown_leaves_the_map_as_it_is() {
    let pages = ["a/a.html", "b.html", "c.html"].map(|name| Document::page(name, &b"# Page\n"[..]));
    let rules = "rules: [{path: '**', level: fold}, {path: 'b.html', level: full}]";
    let tree = Tree::of_documents(pages.to_vec()).unwrap();
    let judged = open_tree(tree, &[], &plan(rules), &Options::default()).unwrap();
    let map = mapped(&judged);
    let tree = Tree::of_documents(pages[1..].to_vec()).unwrap();
    let outcome = Replay::of(&map.flown).over(&tree).run().unwrap().outcome;
    assert!(matches!(outcome, ReplayOutcome::ShownIdentical(_)), "{outcome:?}");
}

#[test]
fn links_raise_what_they_lead_to_and_explain_names_them() {
    let rank = |judged: &Judged| {
        let explained =
            explain::explain(judged, "guide/timeouts.md", RuleLayers::default()).unwrap().unwrap();
        let rank = explained.parts.into_iter().find(|part| part.signal == "rank").unwrap();
        let causes: Vec<String> = rank.causes.into_iter().map(|cause| cause.what).collect();
        (explained.score, causes)
    };
    let (without, causes) = rank(&judged("", &[]));
    assert_eq!(causes, [""; 0]);
    let (with, causes) = rank(&judged(
        "",
        &[("guide/install.md", "guide/timeouts.md"), ("index.md", "guide/timeouts.md")],
    ));
    assert!(with > without, "{with} {without}");
    assert_eq!(causes, ["guide/install.md", "index.md"]);
    assert_eq!(
        judged("", &[("index.md", "guide/timeouts.md")]).neighbours("index.md"),
        ["guide/timeouts.md"]
    );
}

#[test]
fn names_pass_the_gate_and_are_found_as_they_were_given() {
    let judged = judged("", &[("reference/\u{202e}name.md", "index.md")]);
    let paths: Vec<&str> = judged.tree().files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths[3..],
        [
            "reference/[masked: github-token].md",
            "reference/\\u{202e}name.md",
            "reference/client.py",
        ]
    );
    assert!(judged.has_path("reference/\u{202e}name.md"));
}

#[test]
fn names_that_no_files_could_have_are_refused() {
    let refused = |paths: &[&str]| {
        let documents = paths.iter().map(|path| Document::new(*path, &b"text"[..])).collect();
        let error = Tree::of_documents(documents).unwrap_err();
        assert!(matches!(error, Error::Document { .. }));
        error.to_string()
    };
    let lines = [
        &["a.md", "b.md", "a.md"][..],
        &["/etc/passwd"],
        &["a/../b"],
        &["./a"],
        &["a//b"],
        &[""],
        &["a", "a/b"],
    ];
    let lines: Vec<String> = lines.into_iter().map(refused).collect();
    assert_snapshot!(lines.join("\n"), @"
    document `a.md`: is given twice
    document `/etc/passwd`: is absolute (names are relative: `guide/install.md`)
    document `a/../b`: has a part that is no name (`.`, `..` or nothing)
    document `./a`: has a part that is no name (`.`, `..` or nothing)
    document `a//b`: has a part that is no name (`.`, `..` or nothing)
    document ``: has a part that is no name (`.`, `..` or nothing)
    document `a/b`: stands in `a`, which is a document and no folder
    ");
}

#[test]
fn what_needs_a_folder_says_so_or_does_nothing() {
    let (plan, tree) = (plan(GOAL), tree());
    let options = Options { diff: Some("HEAD".to_owned()), ..Options::default() };
    let error = open_tree(tree.clone(), &[], &plan, &options).unwrap_err();
    assert_snapshot!(error, @"revision `HEAD` needs a folder, and these documents have none");
    let link = ("index.md".to_owned(), "nowhere.md".to_owned());
    let error = open_tree(tree.clone(), &[link], &plan, &Options::default()).unwrap_err();
    assert_snapshot!(error, @"document `nowhere.md`: a link names it, and it is not in the tree");
    // A cache finds what it keeps by the folder.
    let folder = tempfile::tempdir().unwrap();
    let cache = Some(Cache::at(folder.path()));
    let judged = open_tree(tree, &[], &plan, &Options { cache, ..Options::default() }).unwrap();
    mapped(&judged);
    judged.save_cache();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let rule = repo_map::plan::Rule::new("gide/**", repo_map::LevelRange::exactly(Level::Full));
    let unmatched = unmatched::unmatched(&judged, &rule, &HiddenPaths::default()).unwrap().unwrap();
    assert_snapshot!(unmatched.message, @"no file matches `gide/**` (did you mean `guide/**`?)");
}

/// A page with a section whose text goes on after a picture and has a section in it.
fn pump(is_page: bool) -> RepoMap {
    let filler = "Paint it in any shade that the weather of the place allows. ".repeat(30);
    let text = format!(
        "# Pump\n\nA machine.\n\n## Pressure\n\nThe pressure of a pump is the work of its seal.\n\n\
         ![A seal](seal.png)\n\nA pump has a pressure of 3 bar.\n\n### Pressure at start\n\n\
         A pump starts with a pressure of 2 bar.\n\n## Colour\n\n{filler}\n"
    );
    let document = match is_page {
        true => Document::page("pump.html", text.into_bytes()),
        false => Document::new("pump.md", text.into_bytes()),
    };
    let tree = Tree::of_documents(vec![document]).unwrap();
    let plan = plan("goal: what is the pressure of a pump?\ncontext: {tokens: 140}");
    mapped(&open_tree(tree, &[], &plan, &Options::default()).unwrap())
}

#[test]
fn a_section_of_a_page_is_shown_with_all_its_text_and_sections() {
    let level = |map: &RepoMap, name: &str| {
        let item = map.files[0].items.iter().find(|item| item.name.ends_with(name));
        item.map(|item| item.level)
    };
    let page = pump(true);
    assert_eq!(level(&page, "Pressure"), Some(Level::Full), "{}", page.text);
    assert!(page.text.contains("of 3 bar") && page.text.contains("of 2 bar"), "{}", page.text);
    assert!(!page.text.contains("Paint it in any shade"), "{}", page.text);
    // A file of a repository keeps to its outline.
    let file = pump(false);
    assert!(!file.text.contains("of 3 bar"), "{}", file.text);
}
