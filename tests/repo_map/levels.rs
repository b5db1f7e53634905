//! What each level shows, to the letter.

use insta::assert_snapshot;
use repo_map::Level;
use test_support::{Repo, repo};

use crate::{map, plan};

const SESSIONS: &str = r#"=== README.md
# Sessions

How a session lives.

## Refresh

Call it often.
=== notes.txt
plain words
=== src/session.rs
//! Who is logged in, and for how long.

/// A login.
#[derive(Debug)]
pub struct Session {
    /// Seconds left.
    pub seconds: u32,
}

impl Session {
    /// Makes the session young again.
    pub fn refresh(&mut self) -> bool {
        self.seconds = 600;
        true
    }

    fn end(self) {
        drop(self);
    }
}
=== src/token.rs
pub const LENGTH: usize = 32;
=== tools/report.py
"""Reports for people."""

class Report:
    """One month."""

    def total(self, rows):
        """The sum of all rows."""
        return sum(rows)
"#;

fn sessions() -> Repo {
    repo(SESSIONS)
}

/// The map's text under these rules, one a line: `glob level`.
fn text(repo: &Repo, rules: &str) -> String {
    map(repo, &format!("context: {{tokens: 100000}}\nrules:\n{}", yaml(rules))).text
}

fn yaml(rules: &str) -> String {
    let rule = |line: &str| {
        let (glob, level) = line.trim().rsplit_once(' ').unwrap();
        format!("- {{path: '{glob}', level: '{level}'}}\n")
    };
    rules.lines().filter(|line| !line.trim().is_empty()).map(rule).collect()
}

#[test]
fn excluded_files_are_counted_and_not_named() {
    assert_snapshot!(text(&sessions(), "** path\n src exclude"), @"");
}

#[test]
fn a_repository_excluded_whole_is_no_conflict() {
    let map = map(&sessions(), "rules: [{path: '**', level: exclude}]");
    assert_eq!(map.conflict, None);
    assert_snapshot!(map.text, @"");
}

#[test]
fn a_folded_repository_is_one_line() {
    assert_snapshot!(text(&sessions(), "** fold"), @"");
}

#[test]
fn a_folded_folder_is_one_line_beside_files_that_are_shown() {
    assert_snapshot!(text(&sessions(), "** path\n src fold"), @"");
}

#[test]
fn folded_strays_beside_shown_files_are_one_line() {
    assert_snapshot!(text(&sessions(), "** fold\n /src/session.rs path"), @"");
}

#[test]
fn an_edit_inside_a_fold_does_not_change_the_map() {
    let repo = sessions();
    let before = text(&repo, "** fold");
    repo.write("src/session.rs", b"fn other() {}\n");
    assert_eq!(text(&repo, "** fold"), before);
}

#[test]
fn level_path_is_one_line_a_file() {
    assert_snapshot!(text(&sessions(), "** path"), @"");
}

#[test]
fn level_outline_names_items_as_they_nest() {
    assert_snapshot!(text(&sessions(), "** outline"), @"");
}

#[test]
fn level_interface_shows_signatures_with_their_docs() {
    assert_snapshot!(text(&sessions(), "** interface"), @"");
}

#[test]
fn level_full_shows_the_text_as_it_stands() {
    assert_snapshot!(text(&sessions(), "** full"), @"");
}

#[test]
fn xml_says_the_same_in_elements() {
    let text = map(&sessions(), "context: {tokens: 100000, format: xml}\nrules:\n- {path: '**', level: path}\n- {path: src, level: interface}\n- {path: tools, level: fold}\n- {path: '*.txt', level: exclude}\n").text;
    assert_snapshot!(text, @"");
}

#[test]
fn line_numbers_are_those_of_the_file() {
    let text = map(&sessions(), "context: {tokens: 100000, line_numbers: true}\nrules:\n- {path: '**', level: fold}\n- {path: /src/session.rs, level: interface}\n- {path: tools, level: outline}\n- {path: README.md, level: full}\n").text;
    assert_snapshot!(text, @"");
}

#[test]
fn an_item_can_be_shown_in_full_in_a_file_at_outline() {
    let text = map(&sessions(), "rules:\n- {path: '**', level: fold}\n- {path: /src/session.rs, level: outline, items: [{name: 'Session::refresh', level: full}]}\n").text;
    assert_snapshot!(text, @"");
}

#[test]
fn an_item_can_be_left_out_of_a_file_at_interface() {
    let text = map(&sessions(), "rules:\n- {path: '**', level: fold}\n- {path: /src/session.rs, level: interface, items: [{name: end, level: exclude}]}\n").text;
    assert_snapshot!(text, @"");
}

#[test]
fn an_item_shown_on_its_own_stands_in_the_items_around_it() {
    let text = map(&sessions(), "rules:\n- {path: '**', level: fold}\n- {path: /src/session.rs, level: path, items: [{name: refresh, level: interface}]}\n").text;
    assert_snapshot!(text, @"");
}

#[test]
fn the_second_item_of_a_name_has_an_address_of_its_own() {
    let repo = repo("=== a.rs\nimpl A {\n    fn new() -> A {\n        A(1)\n    }\n}\nimpl A {\n    fn new() -> A {\n        A(2)\n    }\n}\n");
    let map = map(&repo, "rules: [{path: a.rs, level: outline, items: [{name: 'A::new@2', level: full}]}]");
    assert_snapshot!(map.text, @"");
    let items: Vec<(&str, Level, (u32, u32))> = map.files[0].items.iter().map(|item| (item.name.as_str(), item.level, item.lines)).collect();
    assert_eq!(items, [("A::new@2", Level::Full, (8, 10))]);
}

#[test]
fn headings_and_keys_are_items_too() {
    let repo = repo("=== a.md\n# One\n\nfirst\n\n# Two\n\nsecond\n=== b.toml\n[package]\nname = \"x\"\nversion = \"1\"\n");
    let text = map(&repo, "rules:\n- {path: a.md, level: outline, items: [{name: Two, level: full}]}\n- {path: b.toml, level: outline, items: [{name: package.version, level: full}]}\n").text;
    assert_snapshot!(text, @"");
}

#[test]
fn a_file_without_a_language_falls_down_to_path_and_says_so() {
    let repo = repo("=== a.txt\nplain words\n=== b.rs\n// only a comment\n");
    assert_snapshot!(text(&repo, "** interface"), @"");
    assert_snapshot!(text(&repo, "** path"), @"");
    assert_snapshot!(text(&repo, "** full"), @"");
}

#[test]
fn files_that_are_not_source_are_kept_at_path_and_say_why() {
    let repo = repo("=== empty.rs\n=== gen.rs\n// @generated by a tool\nfn a() {}\n=== Cargo.lock\nversion = 4\n");
    repo.write("binary.rs", b"\x7fELF\0\0\0");
    repo.write("min.js", format!("var a={};", "1+".repeat(4_000)).as_bytes());
    repo.write("big.txt", &vec![b'\n'; (2 << 20) + 1]);
    assert_snapshot!(text(&repo, "** path..full"), @"");
    // A rule that names the level gets it where there is text; never for bytes.
    let marks: Vec<(String, Level, Option<&str>)> = map(&repo, "context: {tokens: 100000}\nrules: [{path: '**', level: full}]")
        .files
        .into_iter()
        .map(|file| (file.path, file.level, file.mark))
        .collect();
    let expected = [
        ("Cargo.lock", Level::Full, Some("generated")),
        ("big.txt", Level::Path, Some("oversized")),
        ("binary.rs", Level::Path, Some("binary")),
        ("empty.rs", Level::Full, None),
        ("gen.rs", Level::Full, Some("generated")),
        ("min.js", Level::Full, Some("minified")),
    ];
    assert_eq!(marks, expected.map(|(path, level, mark)| (path.to_owned(), level, mark)));
}

#[test]
fn fences_in_a_file_cannot_close_the_fence_around_it() {
    let repo = repo("=== a.md\n# Code\n\n```rust\nfn a() {}\n```\n\n````md\n```\n````\n## Left out\n");
    assert_snapshot!(text(&repo, "** full"), @"");
    assert_snapshot!(text(&repo, "** interface"), @"");
}

#[test]
fn a_file_cannot_leave_its_cdata_section() {
    let repo = repo("=== a&<b>\".rs\n/// Ends ]]> here.\nfn a() { \"]]></file>\" }\n");
    let at = |level: &str| map(&repo, &format!("context: {{format: xml}}\nrules: [{{path: '**', level: {level}}}]")).text;
    assert_snapshot!(at("full"), @"");
    assert_snapshot!(at("interface"), @"");
    assert_snapshot!(at("outline"), @"");
    assert_snapshot!(at("path"), @"");
}

#[test]
fn an_item_that_begins_with_a_slash_stands_behind_a_joint() {
    let repo = repo("=== a.rs\nfn first() {}\n\n/// Documented.\nfn second() {}\n=== b.txt\n/ begins with a slash\n");
    assert_snapshot!(text(&repo, "** interface"), @"");
    assert_snapshot!(text(&repo, "** full"), @"");
}

#[test]
fn a_level_reads_the_same_from_rust_and_from_yaml() {
    let plan = plan("rules: [{path: a, level: outline..full}]");
    let range = plan.rules[0].level.unwrap();
    assert_eq!((range.floor, range.ceiling), (Level::Outline, Level::Full));
}
