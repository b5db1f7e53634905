//! What repeats on most pages: menus, banners and footers are dropped, content stays.

use std::fs;

use site_map::site::open;
use tempfile::TempDir;

fn check(pages: impl Fn(usize) -> String, first: &str) {
    let folder = TempDir::new().unwrap();
    for nth in 0..8 {
        let html = format!("<title>f{nth}</title><body>{}", pages(nth));
        fs::write(folder.path().join(format!("f{nth}.html")), html).unwrap();
    }
    let site = open::folder(folder.path()).unwrap();
    assert_eq!(site.pages[0].markdown, first);
}

#[test]
fn headings_that_pages_have_in_common_stay() {
    let page = |nth| {
        format!(
            "<h1>f{nth}</h1><p>Does thing {nth}.</p><h2>Parameters</h2><p>A number below {nth}.</p>\
             <h2>Return value</h2><p>Never NULL.</p><h2>Errors</h2><p>EINVAL if it is {nth}.</p>"
        )
    };
    let first = "# f0\n\nDoes thing 0.\n\n## Parameters\n\nA number below 0.\n\n\
                 ## Return value\n\nNever NULL.\n\n## Errors\n\nEINVAL if it is 0.\n";
    check(page, first);
}

#[test]
fn what_stands_at_the_edges_is_dropped() {
    let page = |nth| {
        format!(
            "<h1>The manual</h1><p>Read the news of today.</p><h1>f{nth}</h1>\
             <p>A new edition is out.</p><p>Does thing {nth}.</p>\
             <h2>About</h2><p>Printed in 2024.</p>"
        )
    };
    check(page, "# f0\n\nDoes thing 0.\n");
}

#[test]
fn a_menu_above_a_page_without_a_heading_is_dropped() {
    let page = |nth| format!("<h2>News</h2><p>Read them today.</p><p>This is thing {nth}.</p>");
    check(page, "# f0\n\nThis is thing 0.\n");
}

#[test]
fn menus_and_notices_amid_the_content_are_dropped() {
    let page = |nth| {
        format!(
            "<h1>f{nth}</h1><p>Does thing {nth}.</p>\
             <h2>More</h2><ul><li><a href=a>News</a><li><a href=b>Forum</a></ul>\
             <h2>Uses</h2><p>See g{nth}.</p>\
             <h2>Training</h2><p>There are courses.</p><p>Each takes a day.</p>\
             <h2>Errors</h2><p>EINVAL if it is {nth}.</p>"
        )
    };
    let first = "# f0\n\nDoes thing 0.\n\n## Uses\n\nSee g0.\n\n## Errors\n\nEINVAL if it is 0.\n";
    check(page, first);
}

#[test]
fn members_that_all_pages_inherit_stay_on_the_page_that_most_link_to() {
    let folder = TempDir::new().unwrap();
    let wait = "<h4 id=wait>def wait(): Unit</h4><p>Waits for another thread.</p>\
                <p>Definition Classes</p>";
    for nth in 0..8 {
        let own = format!("<h1>Class{nth}</h1><p>Is class {nth} of <a href=f5.html>all</a>.</p>");
        let html = format!("<title>f{nth}</title><body>{own}<h2>Members</h2>{wait}");
        fs::write(folder.path().join(format!("f{nth}.html")), html).unwrap();
    }
    let site = open::folder(folder.path()).unwrap();
    let having = site.pages.iter().filter(|page| page.markdown.contains("Waits for another"));
    assert_eq!(having.map(|page| page.name.as_str()).collect::<Vec<_>>(), ["f5.html"]);
}

#[test]
fn a_list_of_the_headings_of_its_page_is_dropped() {
    let page = |contents: &str| {
        format!(
            "<h1>Wraps</h1>{contents}<p>It wraps.</p><h2 id=a>1.1 Member functions</h2><p>One.</p>\
             <h2 id=b>1.2 Templates</h2><p>Two.</p><h2 id=c>1.3 Smart pointers</h2><p>Three.</p>"
        )
    };
    let list = "<ul><li><a href='#a'>Member functions</a><ul><li><a href='#b'>Templates</a></ul>
        <li><a href='#c'>Smart pointers</a></ul>";
    let other = "<ul><li><a href=x.html>Templates</a><li><a href=y.html>Typemaps</a></ul>";
    let folder = TempDir::new().unwrap();
    let of = |contents: &str| {
        fs::write(folder.path().join("a.html"), page(contents)).unwrap();
        open::folder(folder.path()).unwrap().pages.remove(0).markdown
    };
    let bare = of("");
    assert!(bare.starts_with("# Wraps\n\nIt wraps.\n\n## 1.1 Member functions\n"), "{bare}");
    assert_eq!(of(list), bare);
    assert_eq!(of(&format!("<p>Contents</p>{list}")), bare);
    // The paragraph is below the heading then, which stays.
    assert!(of(&format!("<h2>Overview</h2>{list}")).contains("## Overview\n\nIt wraps."));
    assert!(of(other).contains("- Typemaps"));
    let last = format!("{}<h2>Index</h2>{list}", page(""));
    fs::write(folder.path().join("a.html"), last).unwrap();
    assert_eq!(open::folder(folder.path()).unwrap().pages[0].markdown, bare);
}

#[test]
fn a_heading_with_sections_of_its_own_stays_where_its_list_of_them_is_dropped() {
    let folder = TempDir::new().unwrap();
    let sections = "<h3 id=a>1.1 Addition</h3><p>One.</p><h3 id=b>1.2 Multiplication</h3><p>Two.</p>\
                    <h3 id=c>1.3 Division</h3><p>Three.</p>";
    let names = [("a", "Addition"), ("b", "Multiplication"), ("c", "Division")];
    let entry =
        |(at, name): (&str, &str), tag: &str| format!("<{tag}><a href='#{at}'>{name}</a></{tag}>");
    let entries = |tag: &str| names.map(|one| entry(one, tag)).concat();
    let of = |contents: &str| {
        let html = format!("<h1>Sums</h1><h2>1 Arithmetic</h2>{contents}{sections}");
        fs::write(folder.path().join("a.html"), html).unwrap();
        open::folder(folder.path()).unwrap().pages.remove(0).markdown
    };
    let bare = of("");
    assert!(bare.starts_with("# Sums\n\n## 1 Arithmetic\n\n### 1.1 Addition\n"), "{bare}");
    assert_eq!(of(&format!("<ul>{}</ul>", entries("li"))), bare);
    // Entries that are paragraphs, as in SQLite's manual, and a heading of the contents alone.
    assert_eq!(of(&format!("<div>Table of Contents</div>{}", entries("div"))), bare);
    assert_eq!(of(&format!("<h2>Contents</h2>{}", entries("p"))), bare);
}

#[test]
fn the_search_form_of_every_page_is_on_none() {
    let folder = TempDir::new().unwrap();
    for nth in 0..8 {
        let html = format!(
            "<title>f{nth}</title><body><form action=/search id=s><input name=q></form>\
             <h1>Page {nth}</h1><p>Is page {nth} of <a href=f5.html>all</a>.</p>"
        );
        fs::write(folder.path().join(format!("f{nth}.html")), html).unwrap();
    }
    let site = open::folder(folder.path()).unwrap();
    for page in &site.pages {
        assert!(page.markdown.starts_with("# Page"), "{}", page.markdown);
    }
}

#[test]
fn a_form_of_every_page_amid_its_content_is_on_none() {
    let page = |nth| {
        format!(
            "<h1>f{nth}</h1><p>Does thing {nth}.</p><form action=/search><input name=q></form>\
             <p>It is never NULL for {nth}.</p><h2>Form</h2><p>See {nth}.</p>"
        )
    };
    check(page, "# f0\n\nDoes thing 0.\n\nIt is never NULL for 0.\n\n## Form\n\nSee 0.\n");
}
