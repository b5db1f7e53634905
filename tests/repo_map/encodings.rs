//! Bytes of every kind through the program: encodings, line ends, long lines, and files that ignore
//! rules of every place take away.

use std::process::Command;

use insta::assert_snapshot;
use test_support::{Repo, repo};

use crate::{program, run};

/// The map with everything in full.
fn full(repo: &Repo) -> String {
    let ran = run(repo, &["--level", "**=full", "--tokens", "100k"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    ran.stdout
}

/// The paths that a map of paths names.
fn paths(repo: &Repo, more: &[&str]) -> String {
    let ran = run(repo, &[&["--level", "**=path"], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.lines().filter_map(|line| line.strip_prefix("- ")).collect::<Vec<_>>().join("\n")
}

/// Runs git in a folder, without the settings of the machine.
fn git(repo: &Repo, args: &[&str]) {
    let done = Command::new("git")
        .current_dir(repo.path())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"])
        .args(args)
        .output()
        .unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A text in sixteen bits a letter.
fn wide(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

#[test]
fn a_byte_order_mark_says_the_encoding_and_is_no_part_of_the_text() {
    let repo = repo("");
    repo.write("a.py", b"\xef\xbb\xbfdef eight(): pass\n");
    repo.write("b.py", &wide("\u{feff}def little(): pass\n", u16::to_le_bytes));
    repo.write("c.py", &wide("\u{feff}def big(): pass\n", u16::to_be_bytes));
    assert_snapshot!(full(&repo), @"
    # Repository map
    ## a.py (full)
    ```python
    def eight(): pass
    ```
    ## b.py (full)
    ```python
    def little(): pass
    ```
    ## c.py (full)
    ```python
    def big(): pass
    ```
    ");
}

#[test]
fn a_mark_in_the_middle_of_a_text_is_an_invisible_character() {
    let repo = repo("=== a.txt\nin the \u{feff}middle\n");
    let ran = run(&repo, &["--level", "**=full"]);
    assert_snapshot!(format!("{}{}", ran.stdout, ran.stderr), @r"
    # Repository map
    ## a.txt (full)
    ```
    in the \u{feff}middle
    ```
    repo-map: invisible characters written out: 1 (`--keep-invisible` leaves them as they are)
    ");
}

#[test]
fn a_wide_text_without_a_mark_or_with_an_odd_end() {
    let repo = repo("");
    repo.write("little.txt", &wide("no mark before this\n", u16::to_le_bytes));
    repo.write("odd.txt", &[&wide("\u{feff}odd\n", u16::to_le_bytes)[..], b"x"].concat());
    repo.write("half.txt", &[0xff, 0xfe, 0x00, 0xd8, b'a', 0]);
    repo.write("mark.txt", b"\xff\xfe");
    assert_snapshot!(full(&repo), @"
    # Repository map
    ## half.txt (full)
    ```
    �a
    ```
    - little.txt (binary)
    ## mark.txt (full)
    ```
    ```
    ## odd.txt (full)
    ```
    odd
    ```
    ");
}

#[test]
fn a_byte_that_is_zero_makes_a_file_binary_wherever_it_stands() {
    let repo = repo("");
    let late = [&b"text\n".repeat(3_000)[..], b"\0", b"text\n"].concat();
    repo.write("early.txt", b"a\0b\n");
    repo.write("late.txt", &late);
    repo.write("text.txt", b"a b\n");
    assert_snapshot!(full(&repo), @"
    # Repository map
    - early.txt (binary)
    - late.txt (binary)
    ## text.txt (full)
    ```
    a b
    ```
    ");
}

#[test]
fn letters_of_an_old_encoding_are_read_as_such() {
    let repo = repo("");
    repo.write("latin.py", b"# -*- coding: latin-1 -*-\nname = 'Andr\xe9'\n");
    // What Windows has in the place of Latin-1's control characters is not known.
    repo.write("windows.txt", b"\x93quoted\x94 \x96 50 \x80\n");
    repo.write("mixed.txt", "gültig".as_bytes());
    repo.write("one.txt", b"ok \xff\n");
    assert_snapshot!(full(&repo), @"
    # Repository map
    ## latin.py (full)
    ```python
    # -*- coding: latin-1 -*-
    name = 'André'
    ```
    ## mixed.txt (full)
    ```
    gültig
    ```
    ## one.txt (full)
    ```
    ok ÿ
    ```
    ## windows.txt (full)
    ```
    �quoted� � 50 �
    ```
    ");
}

#[test]
fn every_end_of_a_line_is_the_end_of_a_line() {
    let repo = repo("");
    repo.write("dos.py", b"def one():\r\n    return 1\r\n\r\ndef two(): pass\r\n");
    repo.write("mac.txt", b"one\rtwo\r");
    repo.write("mixed.txt", b"one\r\ntwo\nthree\rfour");
    repo.write("none.txt", b"no end");
    repo.write("blank.txt", b"\n\n\n");
    let ran = run(&repo, &["--level", "**=full", "--line-numbers"]);
    assert_snapshot!(ran.stdout, @"
    # Repository map
    ## blank.txt (full)
    ```
    ```
    ## dos.py (full)
    ```python
    1: def one():
    2:     return 1
    3: 
    4: def two(): pass
    ```
    ## mac.txt (full)
    ```
    1: one
    2: two
    ```
    ## mixed.txt (full)
    ```
    1: one
    2: two
    3: three
    4: four
    ```
    ## none.txt (full)
    ```
    1: no end
    ```
    ");
}

#[test]
fn a_change_of_line_ends_alone_changes_no_map() {
    let text = "/// One.\npub fn one() -> u32 {\n    1\n}\n\n/// Two.\npub fn two() {}\n";
    let unix = repo(&format!("=== a.rs\n{text}"));
    let dos = repo("");
    dos.write("a.rs", text.replace('\n', "\r\n").as_bytes());
    for level in ["outline", "interface", "full"] {
        let level = format!("**={level}");
        let map = |repo| run(repo, &["--level", &level]).stdout;
        assert_eq!(map(&unix), map(&dos), "{level}");
    }
}

#[test]
fn a_file_of_very_long_lines_is_minified_whatever_its_name() {
    let repo = repo("");
    let long = "x=1;".repeat(5_000);
    repo.write("app.min.js", b"var a = 1;\n");
    repo.write("bundle.js", format!("{long}\n").as_bytes());
    repo.write("wide.txt", format!("{}\n", "word ".repeat(4_000)).as_bytes());
    repo.write("small.js", b"var b = 2;\n");
    let sizes = run(&repo, &["--level", "**=..full", "--tokens", "200", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&sizes.stdout).unwrap();
    assert_snapshot!(report["map"].as_str().unwrap(), @"
    # Repository map
    - app.min.js (minified)
    - bundle.js (minified)
    ## small.js (full)
    ```js
    var b = 2;
    ```
    - wide.txt (minified)
    ");
}

#[test]
fn a_generated_file_is_opened_by_a_floor_and_by_nothing_else() {
    let repo = repo(
        "=== a.go\n// Code generated by protoc. DO NOT EDIT.\n\npackage a\n\nfunc Made() {}\n\
         === b.go\npackage a\n\n// It says: Code generated by hand.\nfunc Written() {}\n",
    );
    assert_snapshot!(run(&repo, &["--level", "**=..full"]).stdout, @"
    # Repository map
    - a.go (generated)
    ## b.go (full)
    ```go
    package a

    // It says: Code generated by hand.
    func Written() {}
    ```
    ");
    assert_snapshot!(run(&repo, &["--level", "**=outline..full"]).stdout, @"
    # Repository map
    ## a.go
    ```go
    ⋮
    // Code generated by protoc. DO NOT EDIT.
    package a
    func Made() {}
    ```
    ## b.go (full)
    ```go
    package a

    // It says: Code generated by hand.
    func Written() {}
    ```
    ");
}

#[test]
fn ignore_files_nest_and_the_nearest_decides() {
    let repo = repo(
        "=== .gitignore\n*.tmp\n/out\nlogs/\n\\#odd\n*.bak \n# a comment\n\n!keep.tmp\n\
         === a.tmp\n=== keep.tmp\n=== out/a\n=== sub/out/b\n=== logs/c\n=== sub/logs\nfile\n\
         === #odd\n=== d.bak\n=== sub/.gitignore\n!a.tmp\nkeep.tmp\n/deep/**/x\n\
         === sub/a.tmp\n=== sub/keep.tmp\n=== sub/deep/x\n=== sub/deep/er/x\n=== sub/x\n",
    );
    assert_snapshot!(paths(&repo, &[]), @"
    keep.tmp
    sub/a.tmp
    sub/logs
    sub/out/b
    sub/x
    ");
}

#[test]
fn a_folder_that_is_ignored_cannot_be_opened_again_from_within() {
    let repo = repo(
        "=== .gitignore\n/build/\n!/build/keep.txt\n/dist/*\n!/dist/keep.txt\n\
         === build/.gitignore\n!*\n=== build/keep.txt\n=== dist/keep.txt\n=== dist/other.txt\n",
    );
    assert_snapshot!(paths(&repo, &[]), @"dist/keep.txt");
    assert_snapshot!(paths(&repo, &["--no-ignore"]), @"
    build/keep.txt
    dist/keep.txt
    dist/other.txt
    ");
}

#[test]
fn each_kind_of_ignore_file_can_take_back_what_the_one_before_said() {
    let repo = repo(
        "=== .gitignore\n*.a\n=== .ignore\n!1.a\n*.b\n=== .repomapignore\n!1.b\n*.c\n\
         === 1.a\n=== 2.a\n=== 1.b\n=== 2.b\n=== 1.c\n=== 1.d\n",
    );
    assert_snapshot!(paths(&repo, &[]), @"
    1.a (binary)
    1.b
    1.d
    ");
}

#[test]
fn the_exclude_file_of_a_clone_and_the_users_own_file_hold_too() {
    let repo = repo("=== a.rs\n=== local/notes.txt\n=== b.swp\n=== sub/c.swp\n");
    git(&repo, &["init", "-q"]);
    repo.write(".git/info/exclude", b"/local/\n");
    let me = program();
    std::fs::create_dir_all(me.home().join(".config/git")).unwrap();
    std::fs::write(me.home().join(".config/git/ignore"), "*.swp\n").unwrap();
    let map = |more: &[&str]| me.run(repo.path(), &[&["--level", "**=path"], more].concat()).stdout;
    assert_snapshot!(map(&[]), @"
    # Repository map
    - a.rs
    ");
    assert_snapshot!(map(&["--no-ignore"]), @"
    # Repository map
    - a.rs
    - b.swp
    - local/notes.txt
    - sub/c.swp
    ");
}

#[test]
fn names_that_differ_by_case_alone_are_two_files() {
    let repo = repo("=== Readme.md\n# One\n=== README.md\n# Two\n=== src/A.rs\nfn upper() {}\n");
    assert_snapshot!(full(&repo), @"
    # Repository map
    ## README.md (full)
    ```markdown
    # Two
    ```
    ## Readme.md (full)
    ```markdown
    # One
    ```
    ## src/A.rs (full)
    ```rust
    fn upper() {}
    ```
    ");
    let wrong = run(&repo, &["--level", "src/a.rs=full"]);
    assert_eq!(wrong.code, 2);
    assert_snapshot!(wrong.stderr, @"repo-map: --level: no file matches `src/a.rs` (did you mean \
        `src/A.rs`?)");
    let ranked = run(&repo, &["--level", "readme.md=full"]);
    assert_eq!(ranked.code, 2, "globs know case: {}", ranked.stdout);
}

#[test]
fn the_files_of_a_submodule_are_files_of_the_repository() {
    let library = repo("=== lib.rs\npub fn from_the_library() {}\n=== .gitignore\n*.log\n");
    git(&library, &["init", "-q"]);
    git(&library, &["add", "."]);
    git(&library, &["commit", "-q", "-m", "Start"]);
    let app = repo("=== main.rs\nfn main() {}\n");
    git(&app, &["init", "-q"]);
    let from = library.path().to_str().unwrap().to_owned();
    git(&app, &["submodule", "--quiet", "add", &from, "library"]);
    app.write("library/noise.log", b"log\n");
    assert_snapshot!(full(&app), @"
    # Repository map
    ## library/lib.rs (full)
    ```rust
    pub fn from_the_library() {}
    ```
    ## main.rs (full)
    ```rust
    fn main() {}
    ```
    ");
}

#[test]
fn a_repository_inside_of_another_is_a_folder_like_any_other() {
    let outer = repo("=== a.rs\nfn a() {}\n=== inner/b.rs\nfn b() {}\n=== inner/c.log\nlog\n");
    git(&outer, &["init", "-q"]);
    outer.write(".gitignore", b"*.log\n");
    let folder = outer.path().join("inner");
    let done = Command::new("git").args(["init", "-q"]).current_dir(&folder).status().unwrap();
    assert!(done.success());
    assert_snapshot!(paths(&outer, &[]), @"
    a.rs
    inner/b.rs
    ");
}

#[test]
fn a_folder_of_a_repository_has_the_ignore_rules_from_above() {
    let outer = repo(
        "=== .gitignore\n*.log\n/sub/private/\n=== sub/a.rs\n=== sub/b.log\n=== sub/private/c.rs\n",
    );
    git(&outer, &["init", "-q"]);
    let ran = run(&outer, &["sub", "--level", "**=path"]);
    assert_snapshot!(ran.stdout, @"
    # Repository map
    - a.rs
    ");
}

#[test]
fn empty_files_and_folders_and_files_of_blanks() {
    let repo = repo("=== empty.rs\n=== blank.py\n \n\t\n=== a/keep\n");
    std::fs::create_dir(repo.path().join("hollow")).unwrap();
    repo.write("nothing.md", b"");
    assert_snapshot!(full(&repo), @"
    # Repository map
    ## a/keep (full)
    ```
    ```
    ## blank.py (full)
    ```python
     
    	
    ```
    ## empty.rs (full)
    ```rust
    ```
    ## nothing.md (full)
    ```markdown
    ```
    ");
    assert_snapshot!(run(&repo, &["--sizes"]).stdout, @"
    fold    path  outline interface      full
      20       -        -         -         -  ./
      11       -        -         -         -  a/
       -       5        8         8        11  a/keep
       -       4        7         7        12  blank.py
       -       4        7         7        11  empty.rs
       -       4        7         7        11  nothing.md
    ");
}
