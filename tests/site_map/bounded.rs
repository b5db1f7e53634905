//! Pages that repeat one thing so often that memory or time would grow without bound.

use site_map::WebPage;
use site_map::source::folder;

use crate::pages::page;

fn longest_line(page: &WebPage) -> usize {
    let lines = page.blocks.iter().flat_map(|block| block.text.lines());
    lines.map(str::len).max().unwrap_or_default()
}

#[test]
fn the_links_of_a_long_entry_of_an_index_have_its_beginning() {
    let links = "<a href=b.html>b</a> ".repeat(2);
    let page = page(&format!("<dl><dt>{},{links}</dl>", "word ".repeat(5_000)));
    let lengths: Vec<usize> = page.links.iter().map(|link| link.text.len()).collect();
    assert_eq!(lengths, [303, 303]);
}

#[test]
fn lines_in_many_numbered_lists_are_indented_within_a_bound() {
    let lists = "<ol start=4294967295><li>".repeat(49);
    let page = page(&format!("{lists}<pre>one\ntwo</pre>"));
    assert!(longest_line(&page) < 700, "{}", longest_line(&page));
    let last = page.blocks[0].text.lines().rev().find(|line| line.contains("two")).unwrap();
    assert_eq!(last.len() - last.trim_start().len(), 10 * 12 + 39 * 2);
}

#[test]
fn many_lists_in_each_other_are_read() {
    let page = page(&format!("{}<dt id=a>a<dd>one", "<dl>".repeat(400)));
    assert_eq!(page.blocks.last().map(|block| block.text.as_str()), Some("one"));
}

#[test]
fn a_heading_of_any_number_is_above_bold_lines() {
    let line = |name: &str| format!("<p><b>{name}</b><br>text of {name}</p>");
    let head = "<div class=header><div class=headertitle><h255 class=title>T</h255></div></div>";
    let lines = ["A", "B", "C"].map(line).concat();
    let tool = "<meta name=generator content=Doxygen>";
    let page = page(&format!("{tool}{head}<div class=contents>{lines}</div>"));
    assert_eq!(page.generator, "Doxygen");
    assert!(page.blocks.iter().any(|block| block.text == "###### A"), "{:?}", page.blocks);
}

#[test]
fn a_file_that_is_too_large_for_an_answer_is_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.html");
    std::fs::write(&file, "<p>Text</p>").unwrap();
    let read = || folder::read(folder.path(), &file).unwrap();
    assert!(read().is_page());
    std::fs::File::options().write(true).open(&file).unwrap().set_len((128 << 20) + 1).unwrap();
    let large = read();
    assert_eq!((large.is_page(), large.body.len()), (false, 0));
    assert_eq!(large.damaged_encoding(), Some("identity"));
}
