//! `replay --live`: what changed on the site of a plan since it was recorded.

use std::fs;
use std::sync::{Arc, Mutex};

use test_support::{Ran, Repo, Sealed, repo, sealed};

use crate::page_server::{PageAnswer, PageServer, redirect, status};

const N_PAGES: usize = 8;

/// How a site differs from the one that was recorded.
#[derive(Debug, Clone, Default)]
struct SiteNow {
    /// The number of pages beyond the first ones.
    n_more: usize,
    /// The banner on all pages, with a number used once in each answer.
    banner: u32,
    /// Pages with another text.
    changed: Vec<usize>,
    /// Pages that are at another address; those of odd numbers redirect there.
    moved: Vec<usize>,
    gone: Vec<usize>,
    /// Pages that were not there.
    new: Vec<usize>,
    /// Pages that the server keeps for itself.
    forbidden: Vec<usize>,
    /// The server says so of pages that have not changed.
    says_not_modified: bool,
}

impl SiteNow {
    fn answer(&self, path: &str) -> PageAnswer {
        let n_pages = N_PAGES + self.n_more;
        let names = (0..n_pages).chain(self.new.iter().copied()).filter(|n| !self.gone.contains(n));
        let names = names.map(|n| match self.moved.contains(&n) {
            true => (n, format!("moved-{n}.html")),
            false => (n, format!("p{n}.html")),
        });
        let links: String =
            names.clone().map(|(n, name)| format!("<li><a href={name}>page {n}</a>")).collect();
        let html = |title: &str, text: &str| {
            let nonce = self.banner * 7;
            let body = format!(
                "<title>{title}</title><script nonce={nonce}></script><div>Manuals of {}</div>\
                 <nav><ul>{links}</ul></nav><h1>{title}</h1><p>{text}</p><footer>{nonce}</footer>",
                self.banner
            );
            let headers =
                vec![("Content-Type", "text/html".to_owned()), ("ETag", format!("\"{title}\""))];
            PageAnswer::Whole(200, headers, body.into())
        };
        if path == "/m/" {
            return html("Manual", "All pages of the manual.");
        }
        let name = path.trim_start_matches("/m/");
        let old = (0..n_pages).find(|n| self.moved.contains(n) && name == format!("p{n}.html"));
        if let Some(n) = old.filter(|n| n % 2 == 1) {
            return redirect(&format!("moved-{n}.html"));
        }
        match names.clone().find(|(_, one)| one == name) {
            None => status(404),
            Some((n, _)) if self.forbidden.contains(&n) => status(403),
            Some((n, _)) if self.changed.contains(&n) => {
                html(&format!("Page {n}"), &format!("What page {n} says now."))
            }
            Some((n, _)) if self.says_not_modified && name.starts_with('p') && n < n_pages => {
                PageAnswer::Whole(304, Vec::new(), Vec::new())
            }
            Some((n, _)) => html(&format!("Page {n}"), &format!("What page {n} says.")),
        }
    }
}

/// A site that was explored whole, and can be changed.
struct Explored {
    navigator: Sealed,
    at: Repo,
    server: PageServer,
    now: Arc<Mutex<SiteNow>>,
}

impl Explored {
    fn new() -> Explored {
        Explored::with_more(0)
    }

    /// Explores a site of so many more pages, all of them.
    fn with_more(n_more: usize) -> Explored {
        let explored = Explored::with(n_more, &[]);
        // And `robots.txt`, and the first page.
        assert_eq!(explored.server.received().len(), N_PAGES + n_more + 2);
        explored
    }

    /// Explores a site of so many more pages, with further flags.
    fn with(n_more: usize, more: &[&str]) -> Explored {
        let (navigator, at) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
        let now = Arc::new(Mutex::new(SiteNow { n_more, ..SiteNow::default() }));
        let answers = Arc::clone(&now);
        let server = PageServer::start(move |path| answers.lock().unwrap().answer(path));
        let site = server.url("/m/").to_string();
        let most = (40 + n_more).to_string();
        let flags = ["--delay", "0", "--out", "run", "--max-requests", &most];
        let args = [&["explore", &site, "--goal", "pages"], &flags[..], more].concat();
        let ran = navigator.run(at.path(), &args);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        Explored { navigator, at, server, now }
    }

    /// Asks the site, which differs now, again; the port is scrubbed.
    fn live(&self, now: SiteNow, args: &[&str]) -> Ran {
        *self.now.lock().unwrap() = now;
        let args = [&["replay", "--live", "--delay", "0"], args].concat();
        let mut ran = self.navigator.run(self.at.path(), &args);
        ran.stdout = ran.stdout.replace(&self.server.url("").to_string(), "SITE/");
        ran
    }
}

#[test]
fn pages_that_changed_moved_went_and_came_are_named() {
    let explored = Explored::new();
    let before = fs::read(explored.at.path().join("run/context.md")).unwrap();
    let now = SiteNow {
        changed: vec![1],
        moved: vec![2, 3],
        gone: vec![4],
        new: vec![20],
        says_not_modified: true,
        ..SiteNow::default()
    };
    let n_before = explored.server.received().len();
    let live = explored.live(now.clone(), &["run"]);
    assert_eq!(live.code, 8, "{}", live.stderr);
    insta::assert_snapshot!(live.stdout, @"
    changed  SITE/m/p1.html
    moved    SITE/m/p2.html to SITE/m/moved-2.html
    new      SITE/m/p20.html
    moved    SITE/m/p3.html to SITE/m/moved-3.html
    gone     SITE/m/p4.html
    ");
    assert!(
        live.stderr.contains("13 of 50 requests; 9 pages; recorded before: 4; redirects: 1\n"),
        "{}",
        live.stderr
    );
    // Each page is asked once, and on the condition that it has changed.
    let asked = explored.server.received().split_off(n_before);
    let of_p5: Vec<_> = asked.iter().filter(|one| one.path == "/m/p5.html").collect();
    assert_eq!(of_p5.len(), 1);
    assert!(of_p5[0].head.contains("if-none-match: \"Page 5\"\r\n"), "{}", of_p5[0].head);
    // Only recorded pages are asked, if no link may be followed.
    let near = explored.live(now.clone(), &["run", "--max-depth", "0"]);
    assert!(!near.stdout.contains("new ") && near.stdout.contains("gone     SITE/m/p2.html\n"));
    // The plan and its recording say the same as the run, and a replay still needs no server.
    for args in [&["run/plan.yaml"][..], &["run/plan.yaml", "run/recording.warc.gz"]] {
        let same = explored.live(now.clone(), args);
        assert_eq!((same.code, &same.stdout), (8, &live.stdout), "{}", same.stderr);
    }
    let written = explored.live(now, &["run", "-o", "changes.txt"]);
    assert_eq!((written.code, written.stdout.as_str()), (8, ""));
    assert!(fs::read_to_string(explored.at.path().join("changes.txt")).unwrap().contains("gone "));
    drop(explored.server);
    let replayed = explored.navigator.run(explored.at.path(), &["replay", "run"]);
    assert_eq!((replayed.code, replayed.stdout.as_bytes()), (0, &*before));
}

#[test]
fn another_banner_is_no_drift() {
    let explored = Explored::new();
    let same = explored.live(SiteNow { banner: 2, ..SiteNow::default() }, &["run"]);
    assert_eq!((same.code, same.stdout.as_str()), (0, ""), "{}", same.stderr);
    assert!(same.stderr.ends_with("navigator: identical\n"), "{}", same.stderr);
    // Nor is it where some pages cannot be asked.
    let now = SiteNow { banner: 3, ..SiteNow::default() };
    let few = explored.live(now, &["run", "--max-requests", "6"]);
    assert_eq!((few.code, few.stdout.as_str()), (13, ""), "{}", few.stderr);
    assert!(
        few.stderr
            .contains("6 of 6 requests; 5 pages; not read, beyond the limit of requests: 4\n"),
        "{}",
        few.stderr
    );
}

#[test]
fn pages_that_cannot_be_asked_are_said_and_a_check_prints_the_outcome() {
    let explored = Explored::new();
    let failing = SiteNow { forbidden: vec![6], ..SiteNow::default() };
    let failed = explored.live(failing, &["run"]);
    assert_eq!((failed.code, failed.stdout.as_str()), (13, ""));
    assert!(failed.stderr.contains("/m/p6.html: status 403\n"), "{}", failed.stderr);
    // A change is known all the same.
    let both = SiteNow { forbidden: vec![6], changed: vec![5], ..SiteNow::default() };
    let both = explored.live(both, &["run"]);
    assert_eq!((both.code, both.stdout.as_str()), (8, "changed  SITE/m/p5.html\n"));
    for (now, code, outcome) in [
        (SiteNow::default(), 0, "identical\n"),
        (SiteNow { changed: vec![5], ..SiteNow::default() }, 8, "drifted\n"),
        (SiteNow { forbidden: vec![6], ..SiteNow::default() }, 13, "identical in what was asked\n"),
    ] {
        let checked = explored.live(now, &["run", "--check"]);
        assert_eq!((checked.code, checked.stdout.as_str()), (code, outcome), "{}", checked.stderr);
    }
    // No page is left.
    let gone = SiteNow { gone: (0..N_PAGES).collect(), ..SiteNow::default() };
    assert_eq!(explored.live(gone, &["run"]).stdout.matches("gone ").count(), N_PAGES);
}

#[test]
fn a_walk_is_asked_again_too() {
    let explored = Explored::new();
    let site = explored.server.url("/m/p1.html").to_string();
    let walked = explored.navigator.run(
        explored.at.path(),
        &["browse", &site, "--goal", "what does page 1 say?", "--delay", "0", "--out", "walk"],
    );
    assert_eq!(walked.code, 0, "{}", walked.stderr);
    let same = explored.live(SiteNow::default(), &["walk", "--max-depth", "0"]);
    assert_eq!((same.code, same.stdout.as_str()), (0, ""), "{}", same.stderr);
    let now = SiteNow { changed: vec![1], ..SiteNow::default() };
    let changed = explored.live(now, &["walk", "--max-depth", "0"]);
    assert_eq!((changed.code, changed.stdout.as_str()), (8, "changed  SITE/m/p1.html\n"));
}

#[test]
fn what_has_no_recording_is_refused() {
    let (navigator, at) = (sealed(env!("CARGO_BIN_EXE_navigator")), test_support::service());
    let explored = navigator.run(
        at.path(),
        &["explore", "--goal", "session", "--plan-out", "plan.yaml", "--out", "run"],
    );
    assert_eq!(explored.code, 0, "{}", explored.stderr);
    let mut said = String::new();
    for args in [
        &["run", "--live"][..],
        &["plan.yaml", "--live"],
        &["run", "--max-requests", "3"],
        &["run", "--live", "--copy"],
    ] {
        let refused = navigator.run(at.path(), &[&["replay"], args].concat());
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
        let first = refused.stderr.lines().next().unwrap_or_default();
        said += &format!("{}\n", first.replace(&at.path().display().to_string(), "HERE"));
    }
    insta::assert_snapshot!(said, @"
    navigator: --live: `HERE` is no recording of a site (`navigator replay PLAN RECORDING --live`)
    navigator: --live: `.` is no recording of a site (`navigator replay PLAN RECORDING --live`)
    navigator: --max-requests: a replay sends no request (`--live` asks the site)
    error: the argument '--live' cannot be used with '--copy'
    ");
}

#[test]
fn of_fifty_edits_each_is_named_and_the_banner_is_not() {
    let explored = Explored::with_more(52);
    // Pages of every remainder by six have one edit each: eleven have another banner alone, as all
    // pages have. The remainder 5 is not touched but for that.
    let of =
        |remainder: usize| (0..N_PAGES + 52).filter(|n| n % 6 == remainder).collect::<Vec<_>>();
    let (changed, moved, gone, banner) = (of(0), of(1), of(2), of(3));
    let new: Vec<usize> = (100..110).collect();
    let ten = |pages: &[usize]| pages[..10].to_vec();
    let now = SiteNow {
        n_more: 52,
        banner: 2,
        changed: ten(&changed),
        moved: ten(&moved),
        gone: ten(&gone),
        new: new.clone(),
        ..SiteNow::default()
    };
    let live = explored.live(now, &["run"]);
    assert_eq!(live.code, 8, "{}", live.stderr);
    let mut named: Vec<&str> = live.stdout.lines().collect();
    let mut is_named = |line: String| {
        let at = named.iter().position(|one| *one == line);
        named.remove(at.unwrap_or_else(|| panic!("{line} is not in\n{}", live.stdout)));
    };
    for n in ten(&changed) {
        is_named(format!("changed  SITE/m/p{n}.html"));
    }
    for n in ten(&moved) {
        is_named(format!("moved    SITE/m/p{n}.html to SITE/m/moved-{n}.html"));
    }
    for n in ten(&gone) {
        is_named(format!("gone     SITE/m/p{n}.html"));
    }
    for n in new {
        is_named(format!("new      SITE/m/p{n}.html"));
    }
    for n in ten(&banner) {
        assert!(!live.stdout.contains(&format!("/p{n}.html")), "{n} has another banner alone");
    }
    assert_eq!(named, [""; 0], "nothing else is named");
}

#[test]
fn pages_that_were_left_out_are_not_asked_for() {
    let explored = Explored::with(0, &["--exclude", "p2*"]);
    let n_before = explored.server.received().len();
    let now = || SiteNow { changed: vec![1, 2], new: vec![20, 30], ..SiteNow::default() };
    let live = explored.live(now(), &["run"]);
    assert_eq!(live.stdout, "changed  SITE/m/p1.html\nnew      SITE/m/p30.html\n");
    assert!(live.stderr.contains("excluded: 1\n"), "{}", live.stderr);
    let less = explored.live(now(), &["run", "--exclude", "p3*", "--exclude", "p1*"]);
    assert_eq!((less.code, less.stdout.as_str()), (0, ""), "{}", less.stderr);
    let misspelt = explored.live(now(), &["run", "--exclude", "q*"]);
    assert!(misspelt.stderr.ends_with("--exclude: no link leads to `q*`\n"), "{}", misspelt.stderr);
    let wrong = explored.live(now(), &["run", "--exclude", "["]);
    assert!(wrong.stderr.starts_with("navigator: --exclude: `[` is not a valid glob"));
    let asked = explored.server.received();
    let asked: Vec<&str> = asked[n_before..].iter().map(|one| one.path.as_str()).collect();
    assert!(!asked.iter().any(|path| path.starts_with("/m/p2")), "{asked:?}");
    let of_one = |path: &str| asked.iter().filter(|one| **one == path).count();
    assert_eq!((of_one("/m/p1.html"), of_one("/m/p30.html")), (2, 2));
}
