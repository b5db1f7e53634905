//! `navigator explore --knowledge`: a second question on a site begins with the pages that an
//! earlier run knows, and needs the knowledge no more once it has begun.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use test_support::{Ran, Repo, Sealed, repo, sealed};

use crate::page_server::{PageAnswer, PageServer, page, status};

const FIRST: &str = "where are failed uploads shown?";
const SECOND: &str = "how often is a failed upload repeated?";

/// A manual of nine chapters, whose names say nothing of their pages. A page can move.
fn manual(path: &str, has_moved: bool) -> PageAnswer {
    let link = |href: &str, text: &str| format!("<li><a href={href}>{text}</a>");
    match path {
        "/m/" => {
            let chapters = (1..10).map(|n| link(&format!("{n}.html"), &format!("Chapter {n}")));
            let chapters: String = chapters.collect();
            page(&format!("<title>Manual</title><h1>Manual</h1><p>Nine parts.<ul>{chapters}</ul>"))
        }
        "/m/8.html" => page(&format!(
            "<title>Chapter 8</title><h1>Chapter 8</h1><p>What comes eighth.<ul>{}{}</ul>",
            link("upload.html", "Repeating a failed upload"),
            link("new.html", "Failed uploads"),
        )),
        "/m/upload.html" if !has_moved => page(
            "<title>Repeating a failed upload</title><h1>Repeating</h1>\
             <p>A failed upload is repeated five times a day.",
        ),
        "/m/new.html" => {
            page("<title>Failed uploads</title><h1>Uploads</h1><p>They are shown in red.")
        }
        _ if path.len() == "/m/1.html".len() => {
            page(&format!("<title>Part</title><h1>Chapter</h1><p>Prose of {path}."))
        }
        _ => status(404),
    }
}

/// A server of the manual, and a folder with a knowledge of a first question, `known.json`.
struct KnownManual {
    navigator: Sealed,
    at: Repo,
    server: PageServer,
    has_moved: Arc<AtomicBool>,
}

impl KnownManual {
    fn new() -> KnownManual {
        let has_moved = Arc::new(AtomicBool::new(false));
        let moved = Arc::clone(&has_moved);
        let server = PageServer::start(move |path| manual(path, moved.load(Ordering::SeqCst)));
        let (navigator, at) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
        let known = KnownManual { navigator, at, server, has_moved };
        let first = known.explore(FIRST, &["--out", "first"]);
        assert_eq!(first.0.code, 0, "{}", first.0.stderr);
        let built = known.run(&["knowledge", "build", "first", "-o", "known.json"]);
        assert_eq!(built.code, 0, "{}", built.stderr);
        known
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.navigator.run(self.at.path(), args)
    }

    /// Explores for a goal; returns the paths that were asked for too.
    fn explore(&self, goal: &str, more: &[&str]) -> (Ran, Vec<String>) {
        let (site, n_before) = (self.server.url("/m/").to_string(), self.server.paths().len());
        let args = ["explore", &site, "--goal", goal, "-t", "600", "--delay", "0"];
        let ran = self.run(&[&args, more].concat());
        (ran, self.server.paths().split_off(n_before))
    }
}

#[test]
fn a_second_question_reads_what_is_known_first_and_replays_without_the_knowledge() {
    let manual = KnownManual::new();
    let (without, all) = manual.explore(SECOND, &["--out", "without"]);
    let with = ["--knowledge", "known.json", "--out", "with"];
    let (with, mut few) = manual.explore(SECOND, &with);
    few.sort_unstable();
    for ran in [&without, &with] {
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("repeated five times a day."), "{}", ran.stdout);
    }
    assert_eq!(few, ["/m/", "/m/new.html", "/m/upload.html"]);
    assert!(all.len() > 2 * few.len(), "{all:?}");

    fs::remove_file(manual.at.path().join("known.json")).unwrap();
    let replayed = manual.run(&["replay", "with"]);
    assert_eq!((replayed.code, &replayed.stdout), (0, &with.stdout), "{}", replayed.stderr);
    let plan = manual.run(&["replay", "with/plan.yaml", "with/recording.warc.gz"]);
    assert_eq!((plan.code, &plan.stdout), (0, &with.stdout), "{}", plan.stderr);
}

#[test]
fn a_known_page_that_is_gone_or_excluded_ends_nothing() {
    let manual = KnownManual::new();
    let with = ["--knowledge", "known.json"];
    let (ran, asked) = manual.explore(SECOND, &[&with[..], &["--exclude", "upload.html"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(asked, ["/m/", "/m/new.html"]);

    manual.has_moved.store(true, Ordering::SeqCst);
    let (ran, asked) = manual.explore(SECOND, &with);
    assert_eq!(ran.code, 13, "{}", ran.stderr);
    assert!(ran.stderr.contains("status 404"), "{}", ran.stderr);
    assert!(ran.stdout.contains("They are shown in red."), "{}", ran.stdout);
    assert!(asked.contains(&"/m/upload.html".to_owned()), "{asked:?}");
}

#[test]
fn a_knowledge_of_another_site_is_said_and_one_that_is_damaged_is_an_error() {
    let manual = KnownManual::new();
    let (without, all) = manual.explore(SECOND, &[]);
    let known = fs::read_to_string(manual.at.path().join("known.json")).unwrap();
    fs::create_dir(manual.at.path().join("other")).unwrap();
    let other = "<title>Repeating a failed upload</title><h1>Repeating</h1><p>Never.";
    fs::write(manual.at.path().join("other/index.html"), other).unwrap();
    let built = manual.run(&["knowledge", "build", "file://other", "-o", "other.json"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let (with, asked) = manual.explore(SECOND, &["--knowledge", "other.json"]);
    assert_eq!((with.stdout, asked), (without.stdout, all));
    let said =
        "navigator: --knowledge: no page of this site in `other.json` has a word of the goal";
    assert!(with.stderr.contains(said), "{}", with.stderr);

    let lost = known.replace("\"source\":\"", "\"source\":\"/gone");
    fs::write(manual.at.path().join("cut.json"), &lost[..lost.len() - 9]).unwrap();
    let (cut, asked) = manual.explore(SECOND, &["--knowledge", "cut.json"]);
    assert_eq!((cut.code, asked), (1, Vec::new()), "{}", cut.stderr);
    assert!(cut.stderr.contains("`cut.json` is damaged: "), "{}", cut.stderr);

    let folder = ["explore", "file://other", "--goal", SECOND, "--knowledge", "known.json"];
    let refused = manual.run(&folder);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    let why = "--knowledge: `other` is no address";
    assert!(refused.stderr.contains(why), "{}", refused.stderr);
}
