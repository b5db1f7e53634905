//! Folders as mirrors and packages leave them: compressed pages, and pages without an extension.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use test_support::sealed;

#[test]
fn a_folder_has_compressed_pages_and_those_that_mirrors_leave() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| fs::write(place.path().join(name), content).unwrap();
    let links = ["guide.html", "view?id=3&utm_source=x", "run.php", "about", "both.html", "plain"];
    let links: String = links.iter().map(|to| format!("<li><a href='{to}'>{to}</a>")).collect();
    write("index.html", format!("<h1>Manual</h1><p>What there is.<ul>{links}</ul>").as_bytes());
    let page = |title: &str| format!("<!doctype html><h1>{title}</h1><p>Text of {title}.");
    let gzip = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    write("guide.html.gz", &gzip(&page("Guide")));
    write("both.html.gz", &gzip(&page("Both, old")));
    write("both.html", page("Both").as_bytes());
    write("broken.html.gz", b"\x1f\x8b no page");
    for name in ["view?id=3", "run.php", "about", "release-1.2"] {
        write(name, page(name).as_bytes());
    }
    write("plain", b"text\n");
    write("source.php", b"<?php echo '<html>' ?>");
    write("data.json", b"<html>");
    let program = sealed(env!("CARGO_BIN_EXE_site-map"));
    let linked = program.run(place.path(), &["links", "."]);
    let mut linked_from: Vec<&str> = linked.stdout.lines().collect();
    linked_from.sort_unstable();
    let targets = ["about", "both.html", "guide.html.gz", "run.php", "view?id=3"];
    assert_eq!(linked_from, targets.map(|to| format!("index.html -> {to}")));
    let left_out = "8 pages; left out: 1 compressed page damaged or too large";
    assert!(linked.stderr.contains(left_out), "{}", linked.stderr);
    let map = program.run(place.path(), &[".", "--level", "**=full"]);
    assert!(map.stdout.contains("Text of Guide."), "{}", map.stdout);
    let why = program.run(place.path(), &["explain", ".", "guide.html"]);
    let redirect = "`guide.html` is left out: redirects to `guide.html.gz`";
    assert!(why.stdout.contains(redirect), "{} {}", why.stdout, why.stderr);
    let read = program.run(place.path(), &["page", "guide.html.gz", "--format", "markdown"]);
    assert!(read.stdout.starts_with("# Guide\n\nText of Guide."), "{}", read.stdout);
}

#[test]
fn hidden_files_are_no_pages_and_a_page_without_text_is_its_path() {
    let place = tempfile::tempdir().unwrap();
    // The folder that was given may be hidden itself.
    let root = place.path().join(".docs");
    fs::create_dir_all(root.join(".tmpFQABEI")).unwrap();
    let write = |name: &str, content: &str| fs::write(root.join(name), content).unwrap();
    write("index.html", "<h1>Pump</h1><p>What moves oil.");
    write("blank.html", "<!doctype html><html><body></body></html>");
    write(".tmpFQABEI/copy.html", "<h1>Copy</h1><p>What an editor left.");
    write(".draft.html", "<h1>Draft</h1><p>What is not done.");
    let program = sealed(env!("CARGO_BIN_EXE_site-map"));
    let map = program.run(&root, &["."]);
    let expected = "# Site map\n## index.html (full)\n```markdown\n# Pump\n\nWhat moves oil.\n```\n\
                    - blank.html\n";
    assert_eq!(map.stdout, expected);
    // What is asked for is shown as it is.
    let asked = program.run(&root, &[".", "--level", "blank.html=full"]);
    assert!(asked.stdout.contains("## blank.html (full)\n```markdown\n```\n"), "{}", asked.stdout);
}
