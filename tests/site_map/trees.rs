//! Trees inside a page: known by their structure, and items of the page's document.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;
use site_map::address::page_address;
use site_map::{Response, Scope, Site, WebPage};
use test_support::sealed;

use crate::server::{PageServer, page, status};

/// A part of a manual as its pages write it: folders with a name and no address, unclosed items.
const MANUAL: &str = "<title>Manual</title><body><div class=main><h1>Repair</h1>
<button id=expand-all>Expand</button><ul>
<li class='li-folder'><a name='Relays%20and%20Modules/'>Relays and Modules</a><ul>
<li class='li-folder'><a name='Relays%20and%20Modules/Horn/'>Horn</a><ul>
<li><a href='2.html' name='Relays%20and%20Modules/Horn/Locations/'><img class='folder-icon' \
src='l.svg'>Locations</a>
<li><a href='3.html'>Diagrams</a>
</ul>
<li class='li-folder'><a name='Relays%20and%20Modules/Fan/'>Fan</a><ul>
<li><a href='4.html'>Locations</a>
</ul></ul>
<li class='li-folder'><a name='Engine/'>Engine</a><ul><li><a href='5.html'>Torque</a></ul>
<li><a href='6.html'>Warnings</a>
</ul></div>";

fn response(name: &str, html: &str) -> Response {
    let address = page_address(&format!("http://manual.example/car/{name}")).unwrap();
    let headers = vec![("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
    Response { address, status: 200, headers, body: html.as_bytes().to_vec() }
}

/// The trees of a page, a node a line: its name, its fragment, and where it leads.
fn drawn(html: &str) -> String {
    let page = WebPage::of(&response("0.html", html));
    let mut lines = Vec::new();
    for tree in &page.trees {
        lines.push(format!("under {:?}", tree.under));
        for node in &tree.nodes {
            let indent = "  ".repeat(usize::from(node.depth) + 1);
            let anchor = node.anchor.iter().map(|anchor| format!(" #{anchor}")).next();
            let link = node.link.map(|link| format!(" -> {}", page.links[link].target.path()));
            let (anchor, link) = (anchor.unwrap_or_default(), link.unwrap_or_default());
            lines.push(format!("{indent}{}{anchor}{link}", node.label));
        }
    }
    lines.join("\n")
}

/// The document of the first of some pages.
fn document(pages: &[(&str, &str)]) -> site_map::SitePage {
    let responses = pages.iter().map(|(name, html)| Ok(response(name, html)));
    let start = page_address("http://manual.example/car/").unwrap();
    let site = Site::of(&Scope::of(&start, None), responses).unwrap();
    site.page(pages[0].0).unwrap().clone()
}

#[test]
fn folders_without_an_address_and_unclosed_items_are_a_tree() {
    assert_snapshot!(drawn(MANUAL), @"
    under Some(0)
      Relays and Modules #Relays and Modules/
        Horn #Relays and Modules/Horn/
          Locations #Relays and Modules/Horn/Locations/ -> /car/2.html
          Diagrams -> /car/3.html
        Fan #Relays and Modules/Fan/
          Locations -> /car/4.html
      Engine #Engine/
        Torque -> /car/5.html
      Warnings -> /car/6.html
    ");
    let page = WebPage::of(&response("0.html", MANUAL));
    assert!(!page.has_data(), "names of folders are no data");
    assert_eq!((page.n_images, page.trees[0].find(&["Relays and Modules", "Fan"])), (1, vec![4]));
}

#[test]
fn plain_text_details_and_links_to_the_page_itself_are_folders_too() {
    assert_snapshot!(drawn(
        "<h1>A</h1><ul><li>Guides<ul><li><a href=a.html>Install</a></li></ul></li></ul>
        <h2>B</h2><ul><li><details><summary>Closed</summary><ul><li><a href=b.html>Use</a></ul>
        </details><li><a href='#' id=x>Toggle</a><ol><li><a href=c.html>Remove</a></ol></ul>
        <menu><li><b>Old</b></li><ul><li><a href=d.html>HTML</a></li></ul></menu>"
    ), @"
    under Some(0)
      Guides
        Install -> /car/a.html
    under Some(2)
      Closed
        Use -> /car/b.html
      Toggle #x
        Remove -> /car/c.html
    under Some(2)
      Old
        HTML -> /car/d.html
    ");
}

#[test]
fn prose_contents_and_menus_of_links_are_no_trees() {
    for html in [
        "<ul><li><a href=a.html>A</a><ul><li><a href=b.html>B</a></ul></ul>",
        "<ul><li>Contents<ul><li><a href='#a'>A</a><li><a href='#b'>B</a></ul></ul>",
        "<ul><li>Set it:<ul><li>in the file, see <a href=a.html>A</a><li>or here</ul></ul>",
        "<ul><li>Code<pre>x</pre><ul><li><a href=a.html>A</a></ul></ul>",
        "<ul><li>One<li>Two</ul>",
        "<ul><li><ul><li><a href=a.html>A</a></ul></ul>",
    ] {
        assert_eq!(drawn(html), "", "{html}");
    }
    let prose = format!("<ul><li>{}<ul><li><a href=a>A</a></ul></ul>", "word ".repeat(41));
    assert_eq!(drawn(&prose), "");
}

#[test]
fn a_long_and_a_deep_tree_are_bounded() {
    let leaves: String = (0..30_000).map(|n| format!("<li><a href={n}.html>Leaf</a>")).collect();
    let page = WebPage::of(&response("0.html", &format!("<ul><li>All<ul>{leaves}</ul></ul>")));
    let tree = &page.trees[0];
    assert_eq!((tree.nodes.len(), tree.is_whole, page.links.len()), (20_000, false, 30_000));
    let deep = "<ul><li>Down".repeat(100_000) + "<ul><li><a href=a.html>A</a>";
    assert!(WebPage::of(&response("0.html", &deep)).trees.len() <= 1);
}

#[test]
fn folders_are_sections_of_the_document_and_their_leaves_lists() {
    let page = document(&[("0.html", MANUAL)]);
    assert_snapshot!(page.markdown, @"
    # Repair

    - Warnings

    ## Relays and Modules

    ### Horn

    - Locations
    - Diagrams

    ### Fan

    - Locations

    ## Engine

    - Torque
    ");
    assert_eq!(page.sections[3].anchors, ["Relays and Modules/Fan/"]);
    let lines = page.markdown.lines().collect::<Vec<_>>();
    for section in &page.sections {
        assert!(lines[section.line as usize - 1].ends_with(&section.title), "{section:?}");
    }
    assert!(!page.has_data);
}

#[test]
fn a_tree_with_text_after_it_stays_a_list() {
    let after = document(&[("0.html", &MANUAL.replace("</div>", "<p>After all folders."))]);
    assert!(after.markdown.contains("\n- Engine\n  - Torque\n- Warnings\n"), "{}", after.markdown);
    let heading = MANUAL.replace("</div>", "<h2>Notes</h2><p>After all folders.");
    let before = document(&[("0.html", &heading)]);
    assert!(before.markdown.ends_with("## Engine\n\n- Torque\n\n## Notes\n\nAfter all folders.\n"));
}

#[test]
fn the_program_prints_trees_and_maps_their_folders() {
    let (folder, program) = (tempfile::tempdir().unwrap(), sealed(env!("CARGO_BIN_EXE_site-map")));
    fs::write(folder.path().join("0.html"), MANUAL).unwrap();
    let model = program.run(folder.path(), &["page", "0.html"]);
    let model: Value = serde_json::from_str(&model.stdout).unwrap();
    assert_eq!(model["trees"][0]["nodes"][1]["label"], "Horn");
    assert_eq!(model["trees"][0]["nodes"][2]["link"], 0);
    let map = program
        .run(folder.path(), &[".", "--level", "*=outline", "--level", "0.html#Repair.Engine=full"]);
    assert_snapshot!(map.stdout, @"
    # Site map
    ## 0.html
    ```markdown
    Repair
        Relays and Modules
            Horn
            Fan
    ## Engine

    - Torque
    ```
    ");
}

#[test]
fn the_folders_around_a_link_say_what_it_leads_to() {
    let server = PageServer::start(|path| match path {
        "/car/0.html" => page(MANUAL),
        "/robots.txt" => status(404),
        path => page(&format!("<h1>Page {path}</h1><p>It says nothing of its place.")),
    });
    let (program, at) = (sealed(env!("CARGO_BIN_EXE_site-map")), tempfile::tempdir().unwrap());
    let goal = ["--goal", "fan", "--max-requests", "3", "--delay", "0"];
    program.run(at.path(), &[&[server.url("/car/0.html").as_str()], &goal[..]].concat());
    let read: Vec<String> = server.received().into_iter().map(|one| one.path).collect();
    assert_eq!(read, ["/robots.txt", "/car/0.html", "/car/4.html"]);
}
