//! The program: maps, rankings, recordings, replay and what changed, with their exit codes.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use test_support::{Sealed, sealed};
use url::Url;

use crate::server::{PageAnswer, PageServer, page, redirect, status, text};

const GOAL: &str = "how do I raise the timeout of a request?";

pub(crate) fn program() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_site-map"))
}

fn html(path: &str) -> Option<String> {
    let menu = "<nav><a href='/m/index.html'>Start</a> <a href='/m/other.html'>Other</a></nav>";
    let body = match path {
        "/m/index.html" | "/m/" => {
            "<h1>Manual</h1><p>All pages.</p><ul><li><a href='timeouts.html'>Timeouts of requests</a>\
             <li><a href='colors.html'>Colors</a><li><a href='broken.html'>Broken</a></ul>"
        }
        "/m/timeouts.html" => {
            "<h1>Timeouts</h1><p>A request ends after 30 seconds.</p>\
             <h2 id='raise'>Raise the timeout</h2><p>Set <code>timeout</code> to seconds.</p>"
        }
        "/m/colors.html" => "<h1>Colors</h1><p>Red, green and blue.</p>",
        "/m/other.html" => "<h1>Other</h1><p>Nothing of interest here.</p>",
        _ => return None,
    };
    Some(format!("<html><title>x</title>{menu}{body}"))
}

pub(crate) fn answer(path: &str) -> PageAnswer {
    match path {
        "/robots.txt" => status(404),
        "/m/broken.html" => status(410),
        _ => html(path).map_or_else(|| status(404), |text| page(&text)),
    }
}

pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["index.html", "timeouts.html", "colors.html", "other.html"] {
        fs::write(folder.path().join(name), html(&format!("/m/{name}")).unwrap()).unwrap();
    }
    folder
}

#[test]
fn a_folder_is_mapped_ranked_and_explained() {
    let (folder, program) = (folder(), program());
    let map = program.run(folder.path(), &[".", "--goal", GOAL, "--tokens", "120"]);
    assert_eq!(map.code, 0, "{}", map.stderr);
    assert!(map.stdout.contains("Set `timeout` to seconds."), "{}", map.stdout);
    assert!(map.stdout.starts_with("# Site map\n"), "{}", map.stdout);
    let report = program.run(folder.path(), &[".", "--format", "json"]);
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(report["tool"], format!("site-map {}", env!("CARGO_PKG_VERSION")));
    let folded =
        program.run(folder.path(), &[".", "--tokens", "60", "--level", "**=exclude..fold"]);
    insta::assert_snapshot!(folded.stdout, @"
    # Site map
    - ./ (4 pages)
    ## Left out
    Folded: 4 pages.
    ");
    let closed = program
        .run(folder.path(), &[".", "--level", "timeouts.html#Timeouts=full", "--exclude", "time*"]);
    insta::assert_snapshot!(closed.stderr, @"site-map: `timeouts.html#Timeouts` shows nothing, \
        `time*=exclude` wins for its file (drop that rule, or give the file `path` after it)");
    let ranked = program.run(folder.path(), &["rank", ".", "--goal", GOAL, "--format", "json"]);
    let first: Value = serde_json::from_str(ranked.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&first["path"], &first["title"]), (&"timeouts.html".into(), &"Timeouts".into()));
    let why = program.run(folder.path(), &["explain", ".", "timeouts.html", "--goal", GOAL]);
    assert!(why.code == 0 && why.stdout.contains("timeouts.html"), "{}", why.stderr);
    let unknown = program.run(folder.path(), &["explain", ".", "timeout.html", "--goal", GOAL]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("did you mean `timeouts.html`?"), "{}", unknown.stderr);
    let said = |target: &str| {
        let unknown = program.run(folder.path(), &["explain", ".", target]);
        assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
        unknown.stderr
    };
    insta::assert_snapshot!(
        said("timeouts.html#Timeout") + &said("timeouts.html#x") + &said("none.html#x"),
        @"
    site-map: explain: `timeouts.html` has no section `Timeout` (did you mean `Timeouts`?)
    site-map: explain: `timeouts.html` has no section `x` (`site-map explain SITE timeouts.html` \
    lists them)
    site-map: explain: `none.html` is not a page of this site
    "
    );
    let model = program.run(folder.path(), &["page", "timeouts.html"]);
    let model: Value = serde_json::from_str(&model.stdout).unwrap();
    assert_eq!(model["title"], "Timeouts");
    let nothing = program.run(folder.path(), &["/nowhere"]);
    assert_eq!(nothing.code, 2, "{}", nothing.stderr);
}

#[test]
fn what_is_no_site_and_no_page_is_refused() {
    let (folder, program) = (folder(), program());
    fs::write(folder.path().join("pump.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    fs::write(folder.path().join("notes.TXT"), "Notes\n=====\n").unwrap();
    fs::write(folder.path().join("read.md"), "# Read\n").unwrap();
    fs::write(folder.path().join("data.xml"), "<data>1</data>").unwrap();
    fs::write(folder.path().join("page.xml"), "<?xml version='1.0'?><html><h1>A</h1>").unwrap();
    let mut said = String::new();
    for args in [
        &["page", "pump.png"][..],
        &["page", "notes.TXT"],
        &["page", "read.md"],
        &["page", "data.xml"],
        &["ftp://docs.example/3/"],
        &[".", "other"],
        &[".", "--level", "zz=full", "--tokens", "9000"],
    ] {
        let refused = program.run(folder.path(), args);
        let first = refused.stderr.lines().next().unwrap_or_default();
        said += &format!("{}: {first}\n", refused.code);
    }
    insta::assert_snapshot!(said, @r"
    1: site-map: `pump.png` is no page of HTML
    1: site-map: `notes.TXT` is no page of HTML, but `text/plain` (`navigator browse` reads text)
    1: site-map: `read.md` is no page of HTML, but `text/markdown` (`navigator browse` reads text)
    1: site-map: `data.xml` is no page of HTML, but `application/xml` (`navigator browse` reads text)
    2: site-map: address: `ftp://docs.example/3/`: only `http://`, `https://` and `file://` can be read
    2: error: `other` is one source too many, a map has one
    2: site-map: --level: no page matches `zz` (paths begin at the start of the site)
    ");
    let named_otherwise = program.run(folder.path(), &["page", "page.xml"]);
    assert_eq!(named_otherwise.code, 0, "{}", named_otherwise.stderr);
}

#[test]
fn elements_of_xhtml_may_close_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let html = "<html><head><title/><script src='x.js'/></head><body><h1><a id='x'/>Pumps</h1>\
                <p>It is 3 bar.</p></body></html>";
    fs::write(folder.path().join("pumps.xhtml"), html).unwrap();
    let shown = program().run(folder.path(), &[".", "--tokens", "100"]);
    assert!(shown.stdout.contains("# Pumps\n\nIt is 3 bar."), "{}", shown.stdout);
}

#[test]
fn a_page_that_is_nested_too_deeply_is_cut_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let deep = format!("<h1>Deep</h1><p>Seen.</p>{}lost", "<div class=x>".repeat(20_000));
    fs::write(folder.path().join("index.html"), deep).unwrap();
    let shown = program().run(folder.path(), &[".", "--tokens", "200"]);
    assert!(shown.stdout.contains("Seen.") && !shown.stdout.contains("lost"), "{}", shown.stdout);
    assert!(!shown.stdout.contains('<'), "no half of a tag is text: {}", shown.stdout);
    assert!(
        shown.stderr.contains("left out: 1 end of a page nested too deeply"),
        "{}",
        shown.stderr
    );
}

#[test]
fn a_site_is_recorded_mapped_replayed_and_asked_again() {
    let changed = Arc::new(Mutex::new(false));
    let is_changed = Arc::clone(&changed);
    let server = PageServer::start(move |path| match path {
        "/m/timeouts.html" if *is_changed.lock().unwrap() => {
            page("<html><h1>Timeouts</h1><p>A request ends after 60 seconds.</p>")
        }
        _ => answer(path),
    });
    let (program, place) = (program(), tempfile::tempdir().unwrap());
    let start = server.url("/m/").to_string();
    let run = |args: &[&str]| program.run(place.path(), args);
    let recorded = run(&["record", &start, "-o", "m.warc.gz", "--delay", "0"]);
    assert_eq!(recorded.code, 13, "{}", recorded.stderr);
    assert!(recorded.stderr.contains("1 of 6 pages failed"), "{}", recorded.stderr);
    let args = ["m.warc.gz", "--goal", GOAL, "--tokens", "120", "--plan-out", "p.yaml"];
    let map = run(&args);
    assert_eq!(map.code, 0, "{}", map.stderr);
    let replayed = run(&["m.warc.gz", "--plan", "p.yaml"]);
    assert_eq!((replayed.code, &replayed.stdout), (0, &map.stdout), "{}", replayed.stderr);
    let same = run(&["diff", "m.warc.gz", "--live", "--delay", "0"]);
    assert_eq!((same.code, same.stdout.as_str()), (0, ""), "{}", same.stderr);
    *changed.lock().unwrap() = true;
    let other = run(&["diff", "m.warc.gz", "--live", "--delay", "0"]);
    assert_eq!(other.code, 8, "{}", other.stderr);
    assert_eq!(other.stdout, format!("changed  {start}timeouts.html\n"));
    // The pages of a recording and those of a folder have names in common.
    for name in ["colors.html", "index.html", "other.html", "timeouts.html"] {
        let text = html(&format!("/m/{name}")).unwrap();
        fs::create_dir_all(place.path().join("copy")).unwrap();
        fs::write(place.path().join("copy").join(name), text).unwrap();
    }
    let copied = run(&["diff", "m.warc.gz", "copy"]);
    assert_eq!((copied.code, copied.stdout.as_str()), (0, ""), "{}", copied.stderr);
    fs::write(place.path().join("copy/other.html"), "<h1>Other</h1><p>New.").unwrap();
    let edited = run(&["diff", "m.warc.gz", "copy"]);
    assert_eq!((edited.code, edited.stdout), (8, format!("changed  {start}other.html\n")));
    let refused = run(&["record", &start, "-o", "m.warc.gz"]);
    assert_eq!(refused.code, 1, "a recording is not written over: {}", refused.stderr);
}

#[test]
fn a_plan_of_an_explored_address_holds_for_its_recording() {
    let server = PageServer::start(answer);
    let (program, place) = (program(), tempfile::tempdir().unwrap());
    // All pages lie below a folder of the scope.
    let start = server.url("/m/").to_string();
    let map = ["--goal", GOAL, "--tokens", "120", "--delay", "0", "--scope", "/"];
    let kept = ["--recording", "m.warc.gz", "--plan-out", "p.yaml"];
    let explored = program.run(place.path(), &[&[start.as_str()], &map[..], &kept[..]].concat());
    assert!(explored.stdout.contains("Set `timeout` to seconds."), "{}", explored.stderr);
    let replayed = program.run(place.path(), &["m.warc.gz", "--plan", "p.yaml"]);
    assert_eq!((replayed.code, &replayed.stdout), (0, &explored.stdout), "{}", replayed.stderr);
}

#[test]
fn redirects_out_of_the_scope_are_not_followed() {
    let server = PageServer::start(|path| match path {
        "/m/timeouts.html" => redirect("/m/moved.html"),
        "/m/moved.html" => page(&html("/m/timeouts.html").unwrap()),
        "/m/colors.html" => redirect("/secret.html"),
        _ => answer(path),
    });
    let (program, start) = (program(), server.url("/m/").to_string());
    let args = [&start, "--goal", GOAL, "--tokens", "120", "--delay", "0"];
    let map = program.run(Path::new("/"), &args);
    assert!(map.stdout.contains("Set `timeout` to seconds."), "{}", map.stderr);
    let said = "1 of 5 pages failed; redirects out of the scope: 1";
    assert!(map.stderr.contains(said), "{}", map.stderr);
    assert!(!server.paths().contains(&"/secret.html".to_owned()));
}

#[test]
fn an_address_is_explored_within_its_requests() {
    let server = PageServer::start(answer);
    let (program, start) = (program(), server.url("/m/").to_string());
    let map = program.run(
        Path::new("/"),
        &[&start, "--goal", GOAL, "--tokens", "120", "--max-requests", "3", "--delay", "0"],
    );
    assert!(map.stdout.contains("Set `timeout` to seconds."), "{}\n{}", map.stdout, map.stderr);
    assert!(map.stderr.contains("3 of 3 requests"), "{}", map.stderr);
    assert_eq!(server.received().len(), 3);
    let wrong = program.run(Path::new("/"), &["http://", "--goal", GOAL]);
    assert_eq!(wrong.code, 1, "{}", wrong.stderr);
}

#[test]
fn a_site_that_scripts_build_names_the_browser() {
    let server =
        PageServer::of(vec![("/", page("<h1>App</h1><div id=app></div><script></script>"))]);
    let args = [server.url("/").to_string(), "--delay".to_owned(), "0".to_owned()];
    let map = program().run(Path::new("/"), &[args[0].as_str(), &args[1], &args[2]]);
    assert!(map.stderr.contains("`navigator browse URL --browser`"), "{}", map.stderr);
}

#[test]
fn a_start_that_is_no_page_says_what_it_is() {
    let server = PageServer::start(|path| match path {
        "/readme.txt" => text("Read me."),
        _ => status(404),
    });
    let start = server.url("/readme.txt").to_string();
    let refused = program().run(Path::new("/"), &[start.as_str(), "--delay", "0"]);
    assert_eq!(refused.code, 13, "{}", refused.stderr);
    let why = "has no page of HTML, but `text/plain` (`navigator browse` reads text)";
    assert!(refused.stderr.contains(why), "{}", refused.stderr);
    let refused = program().run(Path::new("/"), &["docs.example/3/"]);
    assert!(refused.stderr.contains("(an address begins with `https://`)"), "{}", refused.stderr);
}

#[test]
fn a_recording_without_an_answer_is_not_left() {
    let (program, place) = (program(), tempfile::tempdir().unwrap());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let start = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let args = ["record", &start, "-o", "m.warc.gz", "--delay", "0", "--max-requests", "1"];
    let failed = program.run(place.path(), &args);
    assert_eq!(failed.code, 13, "{}", failed.stderr);
    assert!(!place.path().join("m.warc.gz").exists(), "{}", failed.stderr);
}

#[test]
fn a_folder_of_pages_that_send_their_readers_elsewhere_is_named() {
    let place = tempfile::tempdir().unwrap();
    let html = "<meta http-equiv=refresh content='0; url=https://a.example/'>";
    fs::write(place.path().join("index.html"), html).unwrap();
    let refused = program().run(place.path(), &["."]);
    let why = ".: has no page but those that send their reader elsewhere: 1\n";
    assert!(refused.stderr.ends_with(why), "{}", refused.stderr);
}

#[test]
fn pages_too_many_links_away_are_not_read() {
    let server = PageServer::of(vec![
        ("/", page("<h1>Start</h1><a href=a>About the colors</a>")),
        ("/a", page("<h1>Colors</h1><a href=b>More colors</a> <a href=c>All colors</a>")),
        ("/b", page("<h1>More colors</h1><p>Red.<a href=c>All</a>")),
        ("/c", page("<h1>All colors</h1><p>Blue.")),
    ]);
    let (program, start) = (program(), server.url("/").to_string());
    let near = ["--goal", "colors", "--delay", "0", "--max-depth", "1"];
    let map = program.run(Path::new("/"), &[&[start.as_str()], &near[..]].concat());
    assert_eq!(map.code, 6, "{}", map.stderr);
    assert_eq!(server.paths(), ["/", "/a"]);
    assert!(map.stderr.contains("not read, too many links from the start: 2"), "{}", map.stderr);
    assert!(map.stderr.contains("`--max-depth` reads more"), "{}", map.stderr);
}

#[test]
fn the_page_of_an_address_is_read_by_one_polite_request() {
    let server = PageServer::start(|path| match path {
        "/robots.txt" => text("User-agent: *\nDisallow: /m/colors.html\n"),
        "/m/old.html" => redirect("/m/timeouts.html"),
        "/m/plain" => text("no page"),
        _ => answer(path),
    });
    let program = program();
    let run = |path: &str| program.run(Path::new("/"), &["page", server.url(path).as_str()]);
    let model: Value = serde_json::from_str(&run("/m/old.html").stdout).unwrap();
    assert_eq!(model["title"], "Timeouts");
    assert_eq!(model["address"], server.url("/m/timeouts.html").as_str());
    assert_eq!(server.received().len(), 3);
    for (path, message) in [
        ("/m/colors.html", "robots.txt forbids it"),
        ("/m/nowhere.html", "status 404"),
        ("/m/plain", "has no page of HTML"),
    ] {
        let refused = run(path);
        assert_eq!((refused.code, refused.stdout.as_str()), (13, ""));
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
    assert!(!server.paths().contains(&"/m/colors.html".to_owned()));
    let proxy = server.url("/").to_string();
    program.run(Path::new("/"), &["page", "http://docs.example/3/", "--proxy", &proxy]);
    assert_eq!(server.paths().last().unwrap(), "http://docs.example/3/");
    let cookies = ["page", proxy.as_str(), "--cookies", "/nowhere/cookies.txt"];
    let refused = program.run(Path::new("/"), &cookies);
    assert!(refused.stderr.contains("cannot open /nowhere/cookies.txt"), "{}", refused.stderr);
}

#[test]
fn a_ranking_has_the_pages_that_only_links_promise() {
    let server = PageServer::start(answer);
    let (program, start) = (program(), server.url("/m/").to_string());
    let args = ["rank", &start, "--goal", "timeouts of colors", "--delay", "0"];
    let run = |more: &[&str]| program.run(Path::new("/"), &[&args[..], more].concat());
    // Robots, the start, and one of the two pages that are named by the goal.
    let ranked = run(&["--format", "json", "--max-requests", "3"]);
    assert_eq!(ranked.code, 6, "{}", ranked.stderr);
    let pages: Vec<Value> =
        ranked.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let unread: Vec<&Value> = pages.iter().filter(|page| page["known"] == false).collect();
    assert_eq!((pages.len(), unread.len()), (6, 4), "{}", ranked.stdout);
    let promised = unread[0];
    assert_eq!(promised["path"], "timeouts.html");
    assert_eq!(promised["title"], "Timeouts of requests");
    assert_eq!(promised["address"], format!("{start}timeouts.html"));
    let score = |page: &Value| page["score"].as_f64().unwrap();
    assert!(score(promised) > 0.0 && promised["parts"]["links"].as_f64() > Some(0.0), "{promised}");
    assert!(pages.is_sorted_by(|one, other| score(one) >= score(other)), "{}", ranked.stdout);
    let text = run(&["--max-requests", "3", "-n", "3"]).stdout;
    assert_eq!(text.lines().count(), 3);
    assert!(text.contains("  timeouts.html  Timeouts of requests (not read)\n"), "{text}");
    let whole = run(&["--format", "json"]).stdout;
    assert!(!whole.contains("\"known\":false"), "{whole}");
    // Of a start alone nothing was promised: the page of which links promise most is the measure.
    let first = run(&["--max-requests", "2", "-n", "3"]).stdout;
    let unread: Vec<&str> = first.lines().filter(|line| line.ends_with("(not read)")).collect();
    assert!(unread[0].starts_with("1.000  ") && !unread[1].starts_with("0.000"), "{first}");
}

#[test]
fn a_page_that_only_links_promise_is_told_where_it_is_named() {
    let server = PageServer::start(answer);
    let (program, start) = (program(), server.url("/m/").to_string());
    let flags = ["--goal", "timeouts of requests", "--delay", "0", "--max-requests", "3"];
    let run = |args: &[&str], more: &[&str]| {
        program.run(Path::new("/"), &[args, &[start.as_str()], more].concat())
    };
    let known = "`colors.html` was not read: it is known from 1 link, which promises";
    let explained = run(&["explain"], &[&["colors.html"], &flags[..]].concat());
    assert_eq!(explained.code, 6, "the limit of requests: {}", explained.stderr);
    assert!(explained.stdout.starts_with(known), "{}", explained.stdout);
    for (args, more) in [
        (&["links"][..], vec!["colors.html", "--max-requests", "2", "--delay", "0"]),
        (&[], [&["--level", "colors.html=full"], &flags[..]].concat()),
    ] {
        let refused = run(args, &more);
        assert_eq!(refused.code, 2, "{args:?}: {}", refused.stderr);
        assert!(refused.stderr.contains(known), "{args:?}: {}", refused.stderr);
    }
}

#[cfg(unix)]
#[test]
fn links_to_pages_and_encoded_addresses_of_files_are_read() {
    let (program, place) = (program(), tempfile::tempdir().unwrap());
    let [folder, elsewhere] = ["a b", "elsewhere"].map(|name| place.path().join(name));
    fs::create_dir(&folder).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    fs::write(folder.join("ch03-pump.html"), "<h1>Pump</h1><p>3 bar.</p>").unwrap();
    fs::write(folder.join("key"), "a secret").unwrap();
    fs::write(elsewhere.join("notes.html"), "<h1>Notes</h1><p>Of a person.</p>").unwrap();
    for (link, target) in [
        ("pump.html", "ch03-pump.html"),
        ("lost.html", "none.html"),
        ("key.html", "key"),
        ("notes.html", "../elsewhere/notes.html"),
        ("more", "../elsewhere"),
    ] {
        symlink(target, folder.join(link)).unwrap();
    }
    let address = Url::from_file_path(&folder).unwrap();
    let map = program.run(place.path(), &[address.as_str()]);
    assert!(map.stdout.contains("3 bar.") && !map.stdout.contains("lost"), "{}", map.stderr);
    assert!(!map.stdout.contains("key") && !map.stdout.contains("otes"), "{}", map.stdout);
    assert_eq!((map.code, map.stdout.matches("3 bar.").count()), (0, 1), "{}", map.stdout);
    let page = program.run(place.path(), &["page", &format!("{address}/pump.html")]);
    assert_eq!(page.code, 0, "{}", page.stderr);
}

#[test]
fn a_server_that_is_down_is_told_once() {
    let (program, place) = (program(), tempfile::tempdir().unwrap());
    let links: String = (0..30).map(|n| format!("<a href=p{n}>{n}</a> ")).collect();
    let server = PageServer::start(move |path| match path {
        "/robots.txt" => status(404),
        _ => page(&format!("<h1>Page {path}</h1><p>{links}")),
    });
    let start = server.url("/").to_string();
    let recorded =
        program.run(place.path(), &["record", &start, "-o", "m.warc.gz", "--delay", "0"]);
    assert_eq!(recorded.code, 0, "{}", recorded.stderr);
    drop(server);
    let live = program.run(place.path(), &["diff", "m.warc.gz", "--live", "--delay", "0"]);
    assert!(live.stderr.contains("10 of 10 pages failed; not read, the server"), "{}", live.stderr);
    assert_eq!(live.stderr.matches("cannot be reached").count(), 1, "{}", live.stderr);
    assert_eq!(live.code, 13, "{}", live.stderr);
}

#[test]
fn the_program_has_completions_and_pages_like_its_neighbours() {
    let (folder, program) = (tempfile::tempdir().unwrap(), program());
    let run = |args: &[&str]| program.run(folder.path(), args).stdout;
    assert!(run(&["completions", "bash"]).contains("max-requests"));
    run(&["man", "pages"]);
    assert!(folder.path().join("pages/site-map-record.1").is_file());
    assert!(run(&["--version"]).contains("plans of version 1"));
}

#[test]
fn a_page_is_printed_as_a_map_shows_it() {
    let (folder, program) = (folder(), program());
    let page = program.run(folder.path(), &["page", "timeouts.html", "--format", "markdown"]);
    assert_eq!((page.code, page.stderr.as_str()), (0, ""));
    let fenced = format!("## timeouts.html (full)\n```markdown\n{}```\n", page.stdout);
    let map = program.run(folder.path(), &[".", "--level", "timeouts.html=full"]);
    assert!(map.stdout.contains(&fenced), "{fenced}\n{}", map.stdout);
    let secret = "<p>token ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2";
    fs::write(folder.path().join("other.html"), secret).unwrap();
    let page = program.run(folder.path(), &["page", "other.html", "--format", "markdown"]);
    assert_eq!(page.stdout, "token [masked: github-token]\n");
}

#[test]
fn names_of_languages_with_signs_are_words() {
    let (folder, program) = (tempfile::tempdir().unwrap(), program());
    for (name, words) in [("a", "C++17 is the default"), ("b", "C is not"), ("c", "F# and C#")] {
        let html = format!("<h1>{name}</h1><p>The language {words}.</p>");
        fs::write(folder.path().join(format!("{name}.html")), html).unwrap();
    }
    for (goal, first) in [("C++", "a.html"), ("how to write c#", "c.html"), ("F#", "c.html")] {
        let rank = program.run(folder.path(), &["rank", ".", "--goal", goal, "-n", "1"]);
        assert!(rank.code == 0 && rank.stdout.contains(first), "{goal}: {}", rank.stdout);
    }
    assert_eq!(program.run(folder.path(), &["rank", ".", "--goal", "g++"]).code, 4);
}

#[test]
fn a_site_without_a_name_is_said_to_have_none() {
    let folder = folder();
    let ran = program().run(folder.path(), &[""]);
    let message = "site-map: site: it is empty (`.` is the folder here)\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, message));
}
