//! What each level shows, to the letter.
//!
//! Long: every level of one source, side by side.

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
    map(repo, &format!("context: {{tokens: 100000}}\nrules:\n{}", yaml(rules))).text.into_string()
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
    assert_snapshot!(text(&sessions(), "** path\n src exclude"), @"
    # Repository map
    - README.md
    - notes.txt
    - tools/report.py
    ## Left out
    Not shown: 2 files (src/ 2).
    ");
}

#[test]
fn a_repository_excluded_whole_is_no_conflict() {
    let map = map(&sessions(), "rules: [{path: '**', level: exclude}]");
    assert_eq!(map.conflict, None);
    assert_snapshot!(map.text, @"
    # Repository map
    ## Left out
    Not shown: 5 files (./ 2, src/ 2, tools/ 1).
    ");
}

#[test]
fn a_folded_repository_is_one_line() {
    assert_snapshot!(text(&sessions(), "** fold"), @"
    # Repository map
    - ./ (5 files: rs 2, md 1, py 1, …)
    ## Left out
    Folded: 5 files.
    ");
}

#[test]
fn a_folded_folder_is_one_line_beside_files_that_are_shown() {
    assert_snapshot!(text(&sessions(), "** path\n src fold"), @"
    # Repository map
    - README.md
    - notes.txt
    - src/ (2 files: rs 2)
    - tools/report.py
    ## Left out
    Folded: 2 files.
    ");
}

#[test]
fn the_rest_of_a_folder_beside_shown_files_is_one_line() {
    assert_snapshot!(text(&sessions(), "** fold\n /src/session.rs path"), @"
    # Repository map
    - ./ +2 files
    - src/ +1 file
    - src/session.rs
    - tools/ (1 file: py 1)
    ## Left out
    Folded: 4 files.
    ");
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
    assert_snapshot!(text(&sessions(), "** path"), @"
    # Repository map
    - README.md
    - notes.txt
    - src/session.rs
    - src/token.rs
    - tools/report.py
    ");
}

#[test]
fn level_outline_names_items_as_they_nest() {
    assert_snapshot!(text(&sessions(), "** outline"), @"
    # Repository map
    ## README.md
    ```markdown
    Sessions
        Refresh
    ```
    - notes.txt (no outline)
    ## src/session.rs
    ```rust
    struct Session
    impl Session
        fn refresh
        fn end
    ```
    ## src/token.rs
    ```rust
    const LENGTH
    ```
    ## tools/report.py
    ```python
    class Report
        fn total
    ```
    ");
}

#[test]
fn level_interface_shows_signatures_with_their_docs() {
    assert_snapshot!(text(&sessions(), "** interface"), @r#"
    # Repository map
    ## README.md
    ```markdown
    # Sessions
    How a session lives.
    ## Refresh
    Call it often.
    ```
    - notes.txt (no outline)
    ## src/session.rs
    ```rust
    ⋮
    //! Who is logged in, and for how long.
    ⋮
    /// A login.
    #[derive(Debug)]
    pub struct Session {
        /// Seconds left.
        pub seconds: u32,
    }
    impl Session {
        /// Makes the session young again.
        pub fn refresh(&mut self) -> bool { … }
        fn end(self) { … }
    }
    ```
    ## src/token.rs
    ```rust
    pub const LENGTH: usize = 32;
    ```
    ## tools/report.py
    ```python
    """Reports for people."""
    class Report:
        """One month."""
        def total(self, rows):
            """The sum of all rows.""" …
    ```
    "#);
}

#[test]
fn level_full_shows_the_text_as_it_stands() {
    assert_snapshot!(text(&sessions(), "** full"), @r#"
    # Repository map
    ## README.md (full)
    ```markdown
    # Sessions

    How a session lives.

    ## Refresh

    Call it often.
    ```
    ## notes.txt (full)
    ```
    plain words
    ```
    ## src/session.rs (full)
    ```rust
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
    ```
    ## src/token.rs (full)
    ```rust
    pub const LENGTH: usize = 32;
    ```
    ## tools/report.py (full)
    ```python
    """Reports for people."""

    class Report:
        """One month."""

        def total(self, rows):
            """The sum of all rows."""
            return sum(rows)
    ```
    "#);
}

#[test]
fn xml_says_the_same_in_elements() {
    let text = map(
        &sessions(),
        "context: {tokens: 100000, format: xml}\nrules:\n- {path: '**', \
        level: path}\n- {path: src, level: interface}\n- {path: tools, level: fold}\n- {path: \
        '*.txt', level: exclude}\n",
    )
    .text;
    assert_snapshot!(text, @r#"
    <map>
    <file path="README.md"/>
    <file path="src/session.rs"><![CDATA[
    ⋮
    //! Who is logged in, and for how long.
    ⋮
    /// A login.
    #[derive(Debug)]
    pub struct Session {
        /// Seconds left.
        pub seconds: u32,
    }
    impl Session {
        /// Makes the session young again.
        pub fn refresh(&mut self) -> bool { … }
        fn end(self) { … }
    }
    ]]></file>
    <file path="src/token.rs"><![CDATA[
    pub const LENGTH: usize = 32;
    ]]></file>
    <folder path="tools/" files="1" types="py 1"/>
    <left-out>
    Folded: 1 file.
    Not shown: 1 file (./ 1).
    </left-out>
    </map>
    "#);
}

#[test]
fn line_numbers_are_those_of_the_file() {
    let text = map(
        &sessions(),
        "context: {tokens: 100000, line_numbers: true}\nrules:\n- {path: \
        '**', level: fold}\n- {path: /src/session.rs, level: interface}\n- {path: tools, level: \
        outline}\n- {path: README.md, level: full}\n",
    )
    .text;
    assert_snapshot!(text, @"
    # Repository map
    - ./ +1 file
    ## README.md (full)
    ```markdown
    1: # Sessions
    2: 
    3: How a session lives.
    4: 
    5: ## Refresh
    6: 
    7: Call it often.
    ```
    - src/ +1 file
    ## src/session.rs
    ```rust
    1: //! Who is logged in, and for how long.
    3: /// A login.
    4: #[derive(Debug)]
    5: pub struct Session {
    6:     /// Seconds left.
    7:     pub seconds: u32,
    8: }
    10: impl Session {
    11:     /// Makes the session young again.
    12:     pub fn refresh(&mut self) -> bool { … }
    17:     fn end(self) { … }
    20: }
    ```
    ## tools/report.py
    ```python
    3: class Report
    6:     fn total
    ```
    ## Left out
    Folded: 2 files.
    ");
}

#[test]
fn an_item_can_be_shown_in_full_in_a_file_at_outline() {
    let text = map(
        &sessions(),
        "rules:\n- {path: '**', level: fold}\n- {path: /src/session.rs, \
        level: outline, items: [{name: 'Session::refresh', level: full}]}\n",
    )
    .text;
    assert_snapshot!(text, @"
    # Repository map
    - ./ +2 files
    - src/ +1 file
    ## src/session.rs
    ```rust
    struct Session
    impl Session {
        /// Makes the session young again.
        pub fn refresh(&mut self) -> bool {
            self.seconds = 600;
            true
        }
        fn end
    }
    ```
    - tools/ (1 file: py 1)
    ## Left out
    Folded: 4 files.
    ");
}

#[test]
fn a_file_whose_only_item_has_a_level_of_its_own_keeps_the_level_it_was_asked() {
    let repo = repo("=== a.rs\nfn add() {\n    1;\n}\n");
    let map =
        map(&repo, "rules: [{path: a.rs, level: outline, items: [{name: add, level: full}]}]");
    assert_eq!(
        map.files.iter().map(|file| (file.level, file.requested)).collect::<Vec<_>>(),
        [(Level::Outline, None)]
    );
    assert_snapshot!(map.text, @r"
    # Repository map
    ## a.rs
    ```rust
    fn add() {
        1;
    }
    ```
    ");
}

#[test]
fn a_comment_in_the_body_of_a_module_stands_behind_its_bracket() {
    let repo = repo("=== a.rs\nmod inner {\n    //! Inside.\n\n    pub fn a() {}\n}\n");
    assert_snapshot!(text(&repo, "** interface"), @"
    # Repository map
    ## a.rs
    ```rust
    mod inner {
        //! Inside.
        pub fn a() {}
    }
    ```
    ");
}

#[test]
fn a_comment_above_a_python_function_does_not_take_the_place_of_its_docstring() {
    let repo = repo(
        "=== a.py\n# Slow.\ndef total(rows):\n    \"\"\"The sum of all rows.\"\"\"\n    return \
         sum(rows)\n",
    );
    assert_snapshot!(text(&repo, "** interface"), @r#"
    # Repository map
    ## a.py
    ```python
    # Slow.
    def total(rows):
        """The sum of all rows.""" …
    ```
    "#);
}

#[test]
fn underlined_headings_nest_by_their_level_as_others_do() {
    let repo = repo("=== a.md\nOne\n===\n\nPart\n----\n\nText of the part.\n\nTwo\n===\n");
    assert_snapshot!(text(&repo, "** outline"), @r"
    # Repository map
    ## a.md
    ```markdown
    One
        Part
    Two
    ```
    ");
    let part =
        map(&repo, "rules: [{path: a.md, level: path, items: [{name: Part, level: full}]}]").text;
    assert!(part.contains("Text of the part."), "{part}");
}

#[test]
fn a_name_is_indented_as_the_items_around_it_are() {
    let repo = repo(
        "\
=== a.js
class Session {
  static Timer = class {
    stop() {
      return 1;
    }
    start() {}
  }
  refresh() {
    return 2;
  }
}
=== b.rb
module Shop
\tclass Order; def pay(sum)
\t\tsum
\tend end
end
",
    );
    let rules = "rules:\n- {path: '**', level: outline}\n- {path: /a.js, items: [{name: refresh, \
                 level: full}]}\n";
    assert_snapshot!(map(&repo, rules).text, @"
    # Repository map
    ## a.js
    ```js
    class Session {
        fn stop
        fn start
      refresh() {
        return 2;
      }
    }
    ```
    ## b.rb
    ```ruby
    mod Shop
    	class Order
    	    fn pay
    ```
    ");
}

#[test]
fn what_a_namespace_holds_unindented_stands_as_its_source() {
    let repo = repo(
        "=== a.hpp\nnamespace shop {\nclass Cart {\n public:\n  void add(int item);\n  int n;\n};\n\
         class List {\n  int last;\n};\nnamespace inner {\nvoid pay();\n}\n}\n",
    );
    let rules = "rules:\n- {path: a.hpp, level: outline, items: [{name: 'shop::Cart', level: \
                 interface}]}\n";
    assert_snapshot!(map(&repo, rules).text, @"
    # Repository map
    ## a.hpp
    ```cpp
    namespace shop
    class Cart {
      fn add
    }
    class List
    namespace inner
    fn pay
    ```
    ");
}

#[test]
fn a_bracket_does_not_stand_behind_a_directive() {
    let repo = repo(
        "=== a.cs\npublic class Token : IToken\n#if CLONES\n    , ICloneable\n#endif\n{\n    \
         public int Depth() { return 1; }\n}\n",
    );
    assert_snapshot!(text(&repo, "a.cs interface"), @"
    # Repository map
    ## a.cs
    ```csharp
    public class Token : IToken
    #if CLONES
        , ICloneable
    #endif
    {
        public int Depth() { … }
    }
    ```
    ");
}

#[test]
fn an_item_can_be_left_out_of_a_file_at_interface() {
    let text = map(
        &sessions(),
        "rules:\n- {path: '**', level: fold}\n- {path: /src/session.rs, level: interface, items: \
         [{name: end, level: exclude}]}\n",
    )
    .text;
    assert_snapshot!(text, @"
    # Repository map
    - ./ +2 files
    - src/ +1 file
    ## src/session.rs
    ```rust
    ⋮
    //! Who is logged in, and for how long.
    ⋮
    /// A login.
    #[derive(Debug)]
    pub struct Session {
        /// Seconds left.
        pub seconds: u32,
    }
    impl Session {
        /// Makes the session young again.
        pub fn refresh(&mut self) -> bool { … }
    }
    … 1 more
    ```
    - tools/ (1 file: py 1)
    ## Left out
    Folded: 4 files.
    ");
}

#[test]
fn an_item_shown_on_its_own_stands_in_the_items_around_it() {
    let text = map(
        &sessions(),
        "rules:\n- {path: '**', level: fold}\n- {path: /src/session.rs, level: path, items: \
         [{name: refresh, level: interface}]}\n",
    )
    .text;
    assert_snapshot!(text, @"
    # Repository map
    - ./ +2 files
    - src/ +1 file
    ## src/session.rs
    ```rust
    impl Session
        /// Makes the session young again.
        pub fn refresh(&mut self) -> bool { … }
    … 2 more
    ```
    - tools/ (1 file: py 1)
    ## Left out
    Folded: 4 files.
    ");
}

#[test]
fn the_second_item_of_a_name_has_an_address_of_its_own() {
    let repo = repo(
        "=== a.rs\nimpl A {\n    fn new() -> A {\n        A(1)\n    }\n}\nimpl A {\n    fn new() \
         -> A {\n        A(2)\n    }\n}\n",
    );
    let map = map(
        &repo,
        "rules: [{path: a.rs, level: outline, items: [{name: 'A::new@2', level: full}]}]",
    );
    assert_snapshot!(map.text, @"
    # Repository map
    ## a.rs
    ```rust
    impl A
        fn new
    impl A {
        fn new() -> A {
            A(2)
        }
    }
    ```
    ");
    let items: Vec<(&str, Level, (u32, u32))> = map.files[0]
        .items
        .iter()
        .map(|item| (item.name.as_str(), item.level, item.lines))
        .collect();
    // The head of the type comes with it.
    assert_eq!(items, [("A@2", Level::Interface, (6, 10)), ("A::new@2", Level::Full, (7, 9))]);
}

#[test]
fn a_name_that_ends_like_an_address_is_addressed_all_the_same() {
    let repo = repo("=== a.md\n# Room @2\n\nThe second.\n\n# Hall\n\nThe first.\n");
    let text = map(
        &repo,
        "rules: [{path: a.md, level: outline, items: [{name: 'Room @2', level: full}]}]",
    )
    .text;
    assert_snapshot!(text, @r"
    # Repository map
    ## a.md
    ```markdown
    # Room @2

    The second.
    Hall
    ```
    ");
}

#[test]
fn the_lines_whose_text_is_shown_are_said() {
    let repo = repo(concat!(
        "=== a.py\n",
        "class Lamp:\n    \"\"\"Gives light.\"\"\"\n\n",
        "    @property\n    def power(\n        self,\n    ):\n        \"\"\"In watts.\"\"\"\n        return 40\n\n",
        "    def name(self): return \"lamp\"\n",
        "=== b.rs\n",
        "/// Lights it.\npub fn light(on: bool)\nwhere\n{\n    drop(on);\n}\n\n",
        "pub fn dark() { light(false) }\n\npub fn nothing() {}\n\npub struct Lamp {\n    power: \
         u32,\n}\n",
        "=== c.txt\none\ntwo\n",
        "=== d.rs\nfn a() {\n    1;\n}\n\nfn b() {\n    2;\n}\n",
    ));
    let spans = |level: &str| {
        let items = "items: [{name: b, level: full}]";
        let map = map(
            &repo,
            &format!(
                "rules: [{{path: '*', level: {level}}}, {{path: d.rs, level: outline, {items}}}]"
            ),
        );
        map.files
            .iter()
            .map(|file| format!("{} {} {:?}\n", file.path, file.level, file.spans))
            .collect::<String>()
    };
    assert_snapshot!(spans("outline"), @"
    a.py outline []
    b.rs outline []
    c.txt path []
    d.rs outline [(5, 7)]
    ");
    assert_snapshot!(spans("interface"), @"
    a.py interface [(1, 2), (4, 8)]
    b.rs interface [(1, 4), (10, 10), (12, 14)]
    c.txt path []
    d.rs outline [(5, 7)]
    ");
    assert_snapshot!(spans("full"), @"
    a.py full [(1, 11)]
    b.rs full [(1, 14)]
    c.txt full [(1, 2)]
    d.rs outline [(5, 7)]
    ");
}

#[test]
fn headings_and_keys_are_items_too() {
    let repo = repo(
        "=== a.md\n# One\n\nfirst\n\n# Two\n\nsecond\n=== b.toml\n[package]\nname = \
         \"x\"\nversion = \"1\"\n",
    );
    let text = map(
        &repo,
        "rules:\n- {path: a.md, level: outline, items: [{name: Two, level: \
        full}]}\n- {path: b.toml, level: outline, items: [{name: package.version, level: \
        full}]}\n",
    )
    .text;
    assert_snapshot!(text, @r#"
    # Repository map
    ## a.md
    ```markdown
    One
    # Two

    second
    ```
    ## b.toml
    ```toml
    [package]
    name
    version = "1"
    ```
    "#);
}

#[test]
fn a_file_without_a_language_falls_down_to_path_and_says_so() {
    let repo = repo("=== a.txt\nplain words\n=== b.rs\n// only a comment\n");
    assert_snapshot!(text(&repo, "** interface"), @"
    # Repository map
    - a.txt (no outline)
    - b.rs (no outline)
    ");
    assert_snapshot!(text(&repo, "** path"), @"
    # Repository map
    - a.txt
    - b.rs
    ");
    assert_snapshot!(text(&repo, "** full"), @"
    # Repository map
    ## a.txt (full)
    ```
    plain words
    ```
    ## b.rs (full)
    ```rust
    // only a comment
    ```
    ");
}

#[test]
fn files_that_are_not_source_are_kept_at_path_and_say_why() {
    let repo = repo(
        "=== empty.rs\n=== gen.rs\n// @generated by a tool\nfn a() {}\n=== Cargo.lock\nversion = \
         4\n",
    );
    repo.write("binary.rs", b"\x7fELF\0\0\0");
    repo.write("min.js", format!("var a={};", "1+".repeat(4_000)).as_bytes());
    repo.write("big.txt", &vec![b'\n'; (2 << 20) + 1]);
    assert_snapshot!(text(&repo, "** path..full"), @"
    # Repository map
    - Cargo.lock (generated)
    - big.txt (oversized)
    - binary.rs (binary)
    ## empty.rs (full)
    ```rust
    ```
    - gen.rs (generated)
    - min.js (minified)
    ");
    // A rule that names the level gets it where there is text; never for bytes.
    let marks: Vec<(String, Level, Option<&str>)> =
        map(&repo, "context: {tokens: 100000}\nrules: [{path: '**', level: full}]")
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
    let repo =
        repo("=== a.md\n# Code\n\n```rust\nfn a() {}\n```\n\n````md\n```\n````\n## Left out\n");
    assert_snapshot!(text(&repo, "** full"), @"
    # Repository map
    ## a.md (full)
    `````markdown
    # Code

    ```rust
    fn a() {}
    ```

    ````md
    ```
    ````
    ## Left out
    `````
    ");
    assert_snapshot!(text(&repo, "** interface"), @"
    # Repository map
    ## a.md
    `````markdown
    # Code …
    ## Left out
    `````
    ");
}

#[test]
fn a_title_without_its_links_cannot_close_the_fence_either() {
    let repo = repo("=== a.md\n# [``](a)[``](b)\n\nText.\n");
    assert_snapshot!(text(&repo, "** outline"), @"
    # Repository map
    ## a.md
    `````markdown
    ````
    `````
    ");
}

#[test]
fn a_file_cannot_leave_its_cdata_section() {
    let repo = repo("=== a&<b>\".rs\n/// Ends ]]> here.\nfn a() { \"]]></file>\" }\n");
    let at = |level: &str| {
        map(&repo, &format!("context: {{format: xml}}\nrules: [{{path: '**', level: {level}}}]"))
            .text
    };
    assert_snapshot!(at("full"), @r#"
    <map>
    <file path="a&amp;&lt;b&gt;&quot;.rs" level="full"><![CDATA[
    /// Ends ]]]]><![CDATA[> here.
    fn a() { "]]]]><![CDATA[></file>" }
    ]]></file>
    </map>
    "#);
    assert_snapshot!(at("interface"), @r#"
    <map>
    <file path="a&amp;&lt;b&gt;&quot;.rs"><![CDATA[
    ⋮
    /// Ends ]]]]><![CDATA[> here.
    fn a() { … }
    ]]></file>
    </map>
    "#);
    assert_snapshot!(at("outline"), @r#"
    <map>
    <file path="a&amp;&lt;b&gt;&quot;.rs"><![CDATA[
    fn a
    ]]></file>
    </map>
    "#);
    assert_snapshot!(at("path"), @r#"
    <map>
    <file path="a&amp;&lt;b&gt;&quot;.rs"/>
    </map>
    "#);
}

#[test]
fn an_item_that_begins_with_a_slash_stands_behind_a_joint() {
    let repo = repo(
        "=== a.rs\nfn first() {}\n\n/// Documented.\nfn second() {}\n=== b.txt\n/ begins with a \
         slash\n",
    );
    assert_snapshot!(text(&repo, "** interface"), @"
    # Repository map
    ## a.rs
    ```rust
    fn first() {}
    ⋮
    /// Documented.
    fn second() {}
    ```
    - b.txt (no outline)
    ");
    assert_snapshot!(text(&repo, "** full"), @"
    # Repository map
    ## a.rs (full)
    ```rust
    fn first() {}

    /// Documented.
    fn second() {}
    ```
    ## b.txt (full)
    ```
    / begins with a slash
    ```
    ");
}

#[test]
fn a_level_reads_the_same_from_rust_and_from_yaml() {
    let plan = plan("rules: [{path: a, level: outline..full}]");
    let range = plan.rules[0].level.unwrap();
    assert_eq!((range.floor, range.ceiling), (Level::Outline, Level::Full));
}
