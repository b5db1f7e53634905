//! Types that are too long to be shown whole, of which a map shows the members that matter.

use insta::assert_snapshot;
use test_support::repo;

use crate::map;

/// A type with many documented members.
struct LongType {
    path: &'static str,
    /// The line that opens it.
    head: &'static str,
    /// A member by its name, with what follows that.
    member: (&'static str, &'static str),
    /// The line that closes it.
    end: &'static str,
    /// How the path of an item joins names.
    separator: &'static str,
}

impl LongType {
    fn text(&self, n_members: usize) -> String {
        let (before, after) = self.member;
        let member = |name: &str| {
            let words = "which is said here in a whole sentence, so that it has some length";
            format!("    // Says what {name} is for, {words}.\n    {before}{name}{after}\n")
        };
        let members: String = (0..n_members).map(|n| member(&format!("other{n}"))).collect();
        format!("{}\n{members}{}{}\n", self.head, member("patience"), self.end)
    }
}

const TYPES: &[LongType] = &[
    LongType {
        path: "a.c",
        head: "struct Options {",
        member: ("const char *", "[4];"),
        end: "};",
        separator: ".",
    },
    LongType { path: "b.c", head: "enum Options {", member: ("", ","), end: "};", separator: "." },
    LongType {
        path: "c.cpp",
        head: "enum class Options {",
        member: ("", " = 1,"),
        end: "};",
        separator: "::",
    },
    LongType {
        path: "d.go",
        head: "package d\n\ntype Options struct {",
        member: ("", " []string `json:\"x\"`"),
        end: "}",
        separator: ".",
    },
    LongType {
        path: "e.go",
        head: "package e\n\ntype Options interface {",
        member: ("", "(n int) error"),
        end: "}",
        separator: ".",
    },
    LongType {
        path: "f.rs",
        head: "pub struct Options {",
        member: ("pub ", ": Vec<u8>,"),
        end: "}",
        separator: "::",
    },
    LongType {
        path: "g.rs",
        head: "pub enum Options {",
        member: ("", "(u8),"),
        end: "}",
        separator: "::",
    },
    LongType {
        path: "h.ts",
        head: "export interface Options {",
        member: ("readonly ", "?: string[];"),
        end: "}",
        separator: ".",
    },
    LongType {
        path: "i.ts",
        head: "export type Options = {",
        member: ("", "(n: number): void;"),
        end: "};",
        separator: ".",
    },
    LongType {
        path: "k.ts",
        head: "export interface Options extends Readonly<Omit<Base, 'a'> & {",
        member: ("", ": string[]"),
        end: "} & Hooks> {}",
        separator: ".",
    },
    LongType {
        path: "l.ts",
        head: "export type Options = Base & {",
        member: ("", "?: string"),
        end: "} & Hooks;",
        separator: ".",
    },
    LongType {
        path: "j.ts",
        head: "export enum Options {",
        member: ("", " = 1,"),
        end: "}",
        separator: ".",
    },
];

#[test]
fn members_of_a_long_type_are_items() {
    for long in TYPES {
        let repo = repo("");
        repo.write(long.path, long.text(40).as_bytes());
        let (path, separator) = (long.path, long.separator);
        let rules = format!(
            "rules: [{{path: {path}, items: [{{name: 'Options{separator}patience', level: full}}]}}]"
        );
        let text = map(&repo, &rules).text;
        let (before, after) = long.member;
        let member = format!("    {before}patience{}", after.trim_end_matches([',', ';']));
        assert!(text.contains(&member), "{path}: {text}");
        assert!(!text.contains("other"), "{path}: {text}");
    }
}

#[test]
fn a_goal_shows_the_members_that_match_and_a_short_type_whole() {
    let repo = repo("");
    let go = TYPES.iter().find(|long| long.path == "d.go").unwrap();
    repo.write("long.go", go.text(40).as_bytes());
    repo.write("short.go", go.text(2).replace("Options", "Few").as_bytes());
    assert_snapshot!(map(&repo, "goal: patience\ncontext: {tokens: 250}").text, @r#"
    # Repository map
    ## long.go
    ```go
    struct Options
        // Says what other0 is for, which is said here in a whole sentence, so that it has some length.
        other0 []string `json:"x"`
        // Says what other1 is for, which is said here in a whole sentence, so that it has some length.
        other1 []string `json:"x"`
        // Says what patience is for, which is said here in a whole sentence, so that it has some length.
        patience []string `json:"x"`
    … 38 more
    ```
    ## short.go (full)
    ```go
    package d

    type Few struct {
        // Says what other0 is for, which is said here in a whole sentence, so that it has some length.
        other0 []string `json:"x"`
        // Says what other1 is for, which is said here in a whole sentence, so that it has some length.
        other1 []string `json:"x"`
        // Says what patience is for, which is said here in a whole sentence, so that it has some length.
        patience []string `json:"x"`
    }
    ```
    "#);
}

#[test]
fn a_short_type_within_a_long_one_is_whole() {
    let repo = repo("");
    let filler = "    int other_number_with_a_long_name(int first, int second);\n".repeat(60);
    let text =
        format!("class Store {{\npublic:\n    enum Kind {{ patience, haste }};\n{filler}}};\n");
    repo.write("a.cpp", text.as_bytes());
    let rules = "rules: [{path: a.cpp, items: [{name: 'Store::Kind', level: outline}]}]";
    assert_snapshot!(map(&repo, rules).text, @"
    # Repository map
    ## a.cpp
    ```cpp
    class Store
        enum Kind
    … 60 more
    ```
    ");
}

#[test]
fn members_keep_the_comment_behind_them_and_the_type_its_name() {
    let filler = "    int other; /* one of many that are here for the length alone */\n".repeat(60);
    let repo = repo("");
    let text = format!(
        "typedef struct {{\n{filler}\
         #ifdef LOG\n    char *patience_log; // a path\n#endif\n    \
         union {{ int patience; float haste; }};\n    \
         int patience_max; /* in seconds */\n}} options_t;\n"
    );
    repo.write("a.c", text.as_bytes());
    let rules = "rules: [{path: a.c, items: [{name: options_t, level: interface}, \
                 {name: options_t.patience_log, level: full}, {name: options_t.patience, level: \
                 full}, {name: options_t.patience_max, level: full}]}]";
    assert_snapshot!(map(&repo, rules).text, @"
    # Repository map
    ## a.c
    ```c
    typedef struct {
        char *patience_log; // a path
        union { int patience; float haste; };
        int patience_max; /* in seconds */
    } options_t
    … 60 more
    ```
    ");
}

#[test]
fn a_type_ends_with_what_stands_behind_its_members() {
    let repo = repo("");
    let filler =
        "    other: number; // one of many that are here for the length alone\n".repeat(60);
    let head = "export interface Options extends Readonly<\n  Omit<Base, 'a'> & {\n";
    let text = format!("{head}    patience: number\n{filler}  }} & Hooks\n> {{}}\n");
    repo.write("a.ts", text.as_bytes());
    let rules = "rules: [{path: a.ts, items: [{name: Options, level: interface}, \
                 {name: Options.patience, level: full}]}]";
    assert_snapshot!(map(&repo, rules).text, @"
    # Repository map
    ## a.ts
    ```ts
    export interface Options extends Readonly<
      Omit<Base, 'a'> & {
        patience: number
    } & Hooks > {}
    … 60 more
    ```
    ");
}

#[test]
fn variants_that_macros_make_are_no_items() {
    let repo = repo("");
    let variant =
        |n: usize| format!("    OPTION(PATIENCE_{n}, KIND, {n}, 7.12.1, \"Use the other one\"),\n");
    let variants: String = (0..60).map(variant).collect();
    repo.write(
        "a.h",
        format!("typedef enum {{\n{variants}    LAST_OPTION\n}} option_t;\n").as_bytes(),
    );
    let text = map(&repo, "rules: [{path: a.h, level: full}]").text;
    assert!(text.contains("PATIENCE_59"), "{text}");
    let report = crate::run(&repo, &["explain", "a.h"]).stdout;
    assert!(!report.contains("variant"), "{report}");
}
