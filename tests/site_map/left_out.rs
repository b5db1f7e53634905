//! Pages that are left out: which ones, why, and that this is said of them.

use std::fs;

use site_map::Response;
use site_map::site::open;
use tempfile::TempDir;
use test_support::sealed;

/// More links than an index has at least.
const N_LINKS: usize = 120;

fn links(link: impl Fn(usize) -> String) -> String {
    let items: String = (0..N_LINKS).map(|n| format!("<li>{}", link(n))).collect();
    format!("<ul>{items}</ul>")
}

fn plain_links(of: &str) -> String {
    links(|n| format!("<a href=listener{n}.html>A {of} of events {n}</a>"))
}

fn folder(pages: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, html) in pages {
        fs::write(folder.path().join(name), html).unwrap();
    }
    folder
}

fn names(folder: &TempDir) -> Vec<String> {
    let site = open::folder(folder.path()).unwrap();
    site.pages.into_iter().map(|page| page.name).collect()
}

#[test]
fn a_list_of_links_with_something_of_its_own_stays() {
    let with = |of: &str, own: &str| format!("<h1>Each {of}</h1>{own}{}", plain_links(of));
    let tooltips = links(|n| {
        let tooltip = "Waits for events of all kinds and never returns";
        format!("<a href=t{n}.html>T{n}<span style='display: none'>{tooltip}</span></a> is a type")
    });
    let letters = "<dl><dt id=w>W<dd><a href=w.html>wait</a><dt id=x>X<dd><a href=x>x</a></dl>";
    let folder = folder(&[
        ("all.html", &with("listener", "")),
        ("code.html", &with("adapter", "<pre>interface EventListener</pre>")),
        ("definition.html", &with("stream", "<dl><dt id=wait>wait(event)<dd></dl>")),
        (
            "menu.html",
            &with("menu", "<p><a href=a.html>Classes</a> | <a href=b.html>Packages</a></p>"),
        ),
        ("letters.html", &with("letter", letters)),
        ("dated.html", &with("date", "<p>All of them, 2024-05-31.</p>")),
        (
            "sentences.html",
            &with("reader", "<p>All readers extend this one, as do all adapters.</p>"),
        ),
        ("tooltips.html", &format!("<h1>Types</h1>{tooltips}")),
    ]);
    assert_eq!(names(&folder), ["code.html", "definition.html", "sentences.html", "tooltips.html"]);
}

#[test]
fn a_table_of_links_only_lists_them() {
    let table = |n: usize, said: &str| {
        let row = |n| format!("<tr><td><a href=m{n}.html>Part {n}</a></td><td></td></tr>");
        let rows: String = (0..n).map(row).collect();
        let last = "<tr><td><a href=z.html>Last</a></td><td>It ends.</td></tr>";
        format!("<h1>Parts</h1><p>{said}</p><table>{rows}{last}</table>")
    };
    let folder = folder(&[
        ("few.html", &table(20, "Here is a list of all parts:")),
        ("modules.html", &table(60, "Here is a list of all parts:")),
        ("said.html", &table(60, "Here is a list of all parts, of which you need two.")),
    ]);
    assert_eq!(names(&folder), ["few.html", "said.html"]);
}

#[test]
fn an_index_of_docbook_only_lists_links() {
    let entries: String = (0..N_LINKS)
        .map(|n| {
            format!(
                "<dt id=ientry-{n}>word {n}, <a href=p{n}.html>Chapter {n}</a></dt><dd><dl><dt>more, \
                 <a href=q{n}.html>Part {n}</a></dt></dl></dd>"
            )
        })
        .collect();
    let index = format!("<h1>Index</h1><h3>W</h3><dl>{entries}</dl>");
    let folder = folder(&[("bookindex.html", &index), ("a.html", "<h1>A</h1><p>Text.")]);
    assert_eq!(names(&folder), ["a.html"]);
}

#[test]
fn an_index_whose_terms_are_no_links_only_lists_links() {
    let page = |below: &dyn Fn(usize) -> String| {
        let entry = |n: usize| format!("<dt>what is done with queue {n}</dt><dd>{}</dd>", below(n));
        format!("<h1>Index</h1><dl>{}</dl>", (0..N_LINKS).map(entry).collect::<String>())
    };
    let link = |n: usize| format!("<a href=p{n}.html>The queue [{n}]</a>");
    let within = |term: &str, n| format!("<dl><dt>{term}</dt><dd><p>{}</p></dd></dl>", link(n));
    let folder = folder(&[
        ("index1.html", &page(&|n| format!("<p>{}, {}</p>", link(n), link(n + 1)))),
        ("nested.html", &page(&|n| within("in short", n))),
        ("options.html", &page(&|n| within("-N option", n))),
        ("terms.html", &page(&|n| format!("<p>See {} before it is emptied.</p>", link(n)))),
    ]);
    assert_eq!(names(&folder), ["terms.html"]);
}

#[test]
fn the_start_stays_of_pages_that_say_the_same() {
    let same = "<h1>Manual</h1><p>All pages.</p>";
    let files = [("aaa.html", same), ("index.html", same), ("b.html", "<p>Another.</p>")];
    assert_eq!(names(&folder(&files)), ["b.html", "index.html"]);
    let own = "<link rel=canonical href=aaa.html><h1>Manual</h1><p>All pages.</p>";
    assert_eq!(names(&folder(&[files[0], ("index.html", own)])), ["aaa.html"]);
    assert_eq!(names(&folder(&[files[0], ("ab.html", same), ("ac.html", same)])), ["ab.html"]);
    let linking = ("b.html", "<p>Another: <a href=longer.html>the manual</a>.</p>");
    let twins = [("short.html", same), ("longer.html", same), linking];
    assert_eq!(names(&folder(&twins)), ["b.html", "longer.html"], "the one that pages link to");

    let answer = |path: &str| Response {
        address: format!("http://a.example/m/{path}").parse().unwrap(),
        status: 200,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        body: same.as_bytes().to_vec(),
    };
    let site = open::responses(vec![answer("welcome.html"), answer("a.html")], "here").unwrap();
    assert_eq!(site.pages[0].name, "welcome.html");
}

#[test]
fn why_a_page_is_left_out_is_said_where_it_is_named() {
    let same = "<h1>Format</h1><p>A file has pages.</p>";
    let folder = folder(&[
        ("format.html", same),
        ("format2.html", same),
        ("index.html", "<h1>Manual</h1><p>All pages.</p>"),
        ("list.html", &format!("<h1>List</h1>{}", plain_links("part"))),
        ("old.html", "<meta http-equiv=refresh content='0; url=format.html'>"),
    ]);
    fs::write(
        folder.path().join("p.yaml"),
        "version: 1\nrules:\n- {path: list.html, level: full}\n- {path: fromat.html, level: full}",
    )
    .unwrap();
    let program = sealed(env!("CARGO_BIN_EXE_site-map"));
    let run = |args: &[&str]| program.run(folder.path(), args);
    for (page, why) in [
        ("format2.html", "says the same as `format.html`"),
        ("list.html", "only lists links"),
        ("old.html", "redirects to `format.html`"),
    ] {
        let why = format!("`{page}` is left out: {why}");
        for said in [run(&["links", ".", page]), run(&[".", "--level", &format!("{page}=full")])] {
            assert_eq!(said.code, 2, "{}", said.stderr);
            assert!(said.stderr.contains(&why), "{}", said.stderr);
        }
        // Where it is asked for, the reason is the answer.
        for target in [page, &format!("{page}#part")] {
            let said = run(&["explain", ".", target]);
            assert!(said.stdout.starts_with(&why), "{}{}", said.stdout, said.stderr);
        }
    }
    let glob = run(&[".", "--level", "list*=full"]);
    assert!(glob.stderr.contains("--level: `list.html` is left out"), "{}", glob.stderr);
    let several = ["index.html", "old.html", "lost.html", "format.html", "gone.html"];
    let explain = |more: &[&str]| run(&[&["explain", "."], &several[..], more].concat());
    let said = explain(&[]);
    let says = |text: &str| said.stdout.find(text).unwrap_or_else(|| panic!("{}", said.stdout));
    assert!(says("index.html\n") < says("`old.html` is left out: redirects to `format.html`"));
    assert!(says("`old.html`") < says("\nformat.html\n"));
    assert_eq!(said.code, 2);
    for lost in ["lost.html", "gone.html"] {
        assert!(
            said.stderr.contains(&format!("explain: `{lost}` is not a page")),
            "{}",
            said.stderr
        );
    }
    let json = explain(&["--format", "json"]).stdout;
    let line: serde_json::Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    let reason = "`old.html` is left out: redirects to `format.html`";
    assert_eq!(line, serde_json::json!({"target": "old.html", "reason": reason}));
    let unknown = run(&["explain", ".", "lost.html"]);
    assert!(
        unknown.stderr.contains("`lost.html` is not a page of this site"),
        "{}",
        unknown.stderr
    );
    let planned = run(&[".", "--plan", "p.yaml"]);
    assert_eq!(planned.code, 0, "{}", planned.stderr);
    let said = "p.yaml: `list.html` is left out: only lists links";
    assert!(planned.stderr.contains(said), "{}", planned.stderr);
    let idle = "p.yaml: `fromat.html` matches nothing (did you mean `format.html`?)\n";
    assert!(planned.stderr.contains(idle), "{}", planned.stderr);
}
