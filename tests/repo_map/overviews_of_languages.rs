//! Maps without a goal of code whose language says little of itself: without outlines, with classes
//! of its own that others share a name with, with functions that a header forbids.

use std::collections::BTreeMap;

use serde_json::Value;
use test_support::{Repo, repo};

use crate::run;

/// The paths of a repository, best first.
fn ranked(repo: &Repo) -> Vec<String> {
    let ranked = run(repo, &["rank", "--no-history"]).stdout;
    ranked.lines().map(|line| line.split("  ").nth(1).unwrap().to_owned()).collect()
}

/// Returns what the items of a file are worth, by the last part of their names.
fn worths(repo: &Repo, path: &str) -> BTreeMap<String, f64> {
    let explained = run(repo, &["explain", path, "--format", "json"]).stdout;
    let explained: Value = serde_json::from_str(&explained).unwrap();
    let items = explained["items"].as_array().unwrap().iter();
    let worth = |item: &Value| {
        let name = item["name"].as_str().unwrap().rsplit(['.', ':']).next().unwrap();
        (name.to_owned(), item["worth"].as_f64().unwrap())
    };
    items.map(worth).collect()
}

#[test]
fn a_few_scripts_come_after_the_code_of_the_project() {
    let code: String = (0..8)
        .map(|at| {
            format!(
                "=== src/part{at}.cc\n#include \"tide.h\"\nint part{at}() {{ return tide({at}); }}\n"
            )
        })
        .collect();
    let scripts = "=== misc/syntax.py\ndef write(text): return text\n\
        === misc/a.py\nfrom syntax import write\ndef a(): return write('a')\n\
        === misc/b.py\nfrom syntax import write\ndef b(): return write('b')\n";
    let files = format!("=== src/tide.h\nint tide(int at);\n{code}{scripts}");
    let ranked = ranked(&repo(&files));
    let at = |path: &str| ranked.iter().position(|one| one == path).unwrap();
    assert!(at("src/tide.h") < at("misc/syntax.py"), "{ranked:?}");
}

#[test]
fn an_earlier_version_comes_after_the_one_beside_it() {
    let version = |n: u32, users: usize| -> String {
        let user = |at: usize| {
            format!(
                "=== src/v{n}/user{at}.ts\nimport {{ parse{n} }} from './parse';\n\
                 export const user{at} = () => parse{n}('a');\n"
            )
        };
        let users: String = (0..users).map(user).collect();
        format!("=== src/v{n}/parse.ts\nexport function parse{n}(a: string) {{}}\n{users}")
    };
    let ranked = ranked(&repo(&format!("{}{}", version(3, 5), version(4, 4))));
    let at = |path: &str| ranked.iter().position(|one| one == path).unwrap();
    assert!(at("src/v4/parse.ts") < at("src/v3/parse.ts"), "{ranked:?}");
}

#[test]
fn a_name_that_several_modules_define_is_used_by_those_that_import_them() {
    let visitor = |folder: &str| {
        format!("=== src/{folder}/Fragment.js\nexport function Fragment(node) {{ return node; }}\n")
    };
    let user = |at: usize| {
        format!(
            "=== src/user{at}.js\nimport {{ Literal }} from './literal.js';\n\
             export function user{at}(node) {{ return node.Fragment ?? Literal(node); }}\n"
        )
    };
    let users: String = (0..12).map(user).collect();
    let repo = repo(&format!(
        "=== src/literal.js\nexport function Literal(node) {{ return node; }}\n\
         === src/index.js\nimport {{ Fragment }} from './analyze/Fragment.js';\n\
         import {{ Fragment as transformed }} from './transform/Fragment.js';\n\
         export const all = {{ Fragment, transformed }};\n{}{}{users}",
        visitor("analyze"),
        visitor("transform")
    ));
    let score = |what: &str| -> f64 {
        let said = run(&repo, &["explain", what]).stdout;
        let (_, score) = said.split_once("score ").unwrap();
        score.split(',').next().unwrap().parse().unwrap()
    };
    // What an item has of the score of its file.
    let share = |path: &str, item: &str| score(&format!("{path}#{item}")) / score(path);
    let (shared, own) =
        (share("src/analyze/Fragment.js", "Fragment"), share("src/literal.js", "Literal"));
    assert!(shared < 0.8 * own, "{shared} and {own}");
}

#[test]
fn a_main_language_without_outlines_leads_the_overview_and_is_said() {
    let mut text = String::new();
    for part in ["cart", "list", "price", "shop"] {
        text.push_str(&format!(
            "=== packages/shop/lib/src/{part}.dart\nimport 'package:shop/src/order.dart';\n\
             class {part} extends Order {{}}\n"
        ));
    }
    for part in ["Menu", "Panel", "Helper"] {
        text.push_str(&format!(
            "=== extensions/ide/src/{part}.java\nclass {part} {{\n  Helper helper;\n  \
             Panel panel;\n}}\n"
        ));
    }
    let repo = repo(&format!("{text}=== packages/shop/lib/src/order.dart\nclass Order {{}}\n"));
    assert_eq!(ranked(&repo)[0], "packages/shop/lib/src/order.dart");
    let said = "repo-map: most of the code has no outline (.dart: 5 of 8 files) and is shown by \
                path or in full\n";
    assert_eq!(run(&repo, &["--no-history"]).stderr, said);
    // With a rule that gives them a language there is nothing to say.
    repo.write("plan.yaml", b"version: 1\nlanguages:\n- name: java\n  extensions: [dart]\n");
    assert_eq!(run(&repo, &["--no-history", "--plan", "plan.yaml"]).stderr, "");
}

#[test]
fn a_class_of_php_itself_is_no_use_of_one_in_a_namespace() {
    let mut text = "=== src/Render/Exception.php\n<?php\nnamespace Shop\\Render;\n\
                    class Exception {\n    public function title() { return ''; }\n}\n\
                    === src/Cart.php\n<?php\nnamespace Shop;\n\
                    class Cart {\n    public function total() { return 1; }\n}\n"
        .to_owned();
    for (user, body) in [
        (
            "A",
            "use Exception;\nuse Shop\\Cart;\nclass A { function f(Cart $c) { throw new Exception(); } }",
        ),
        ("B", "use \\Exception as Base;\nuse Shop\\Cart;\nclass B { function f(Cart $c) {} }"),
        ("C", "class C { function f(Cart $c) { throw new \\Exception(); } }"),
    ] {
        text.push_str(&format!("=== src/Use/{user}.php\n<?php\nnamespace Shop\\Use;\n{body}\n"));
    }
    let repo = repo(&text);
    assert_eq!(ranked(&repo)[0], "src/Cart.php");
    let explained = run(&repo, &["explain", "src/Render/Exception.php", "--no-history"]).stdout;
    assert!(!explained.contains("src/Use/"), "{explained}");
}

#[test]
fn a_function_that_a_header_forbids_has_no_users() {
    let header = "void free(void *ptr) __attribute__ ((deprecated));\nvoid stop(void);\n";
    let mut text = format!("=== src/server.h\n{header}=== src/list.h\nvoid list_add(int item);\n");
    for user in ["a", "b", "c"] {
        text.push_str(&format!(
            "=== src/{user}.c\nvoid {user}(void) {{\n  list_add(1);\n  free(0);\n}}\n"
        ));
    }
    let repo = repo(&text);
    assert_eq!(ranked(&repo)[0], "src/list.h");
    let explained = run(&repo, &["explain", "src/server.h", "--no-history"]).stdout;
    assert!(!explained.contains("src/a.c"), "{explained}");
}

#[test]
fn code_of_c_uses_the_headers_that_it_includes() {
    let mut text = "=== lib/big.h\nint format(int a);\nint policy(int a);\n\
                    === src/list.h\n#include \"base.h\"\n\
                    === src/base.h\nint list_add(int item);\n\
                    === src/big.c\n#include \"../lib/big.h\"\nint big(void) { return format(1); }\n"
        .to_owned();
    for user in ["a", "b", "c"] {
        text.push_str(&format!(
            "=== src/{user}.c\n#include \"list.h\"\nint {user}(int format) {{\n  \
             int policy = format;\n  return list_add(policy);\n}}\n"
        ));
    }
    let repo = repo(&text);
    assert_eq!(ranked(&repo)[0], "src/base.h");
    let explained = run(&repo, &["explain", "lib/big.h", "--no-history"]).stdout;
    assert!(explained.contains("src/big.c") && !explained.contains("src/a.c"), "{explained}");
}

#[test]
fn headers_in_include_come_before_those_of_the_sources() {
    let header = "int list_add(int item);\n";
    let mut text =
        format!("=== include/tide/list.h\n{header}=== src/alpha.h\nint alpha_add(int item);\n");
    for user in ["a", "b", "c"] {
        text.push_str(&format!(
            "=== src/{user}.c\n#include \"tide/list.h\"\n#include \"alpha.h\"\nint {user}(void) \
             {{ return list_add(1) + alpha_add(1) + alpha_add(2); }}\n"
        ));
    }
    assert_eq!(ranked(&repo(&text))[0], "include/tide/list.h");
}

#[test]
fn functions_that_a_package_hands_on_are_its_front_door() {
    let names = ["buy", "give", "keep", "lend", "pack", "sell", "send", "take"];
    let functions = names.map(|name| format!("def {name}(a):\n    return a\n\n")).concat();
    let user = |n: usize| {
        let head = format!("=== shop/_user{n}.py\nfrom ._tools import trim\n\n");
        format!("{head}def use{n}(a):\n    return trim(a)\n")
    };
    let users: String = (0..6).map(user).collect();
    let repo = repo(&format!(
        "=== shop/__init__.py\nfrom ._api import {}\n=== shop/_api.py\n{functions}\
         === shop/_tools.py\ndef trim(a):\n    return a.strip()\n{users}",
        names.join(", ")
    ));
    let explained = run(&repo, &["explain", "shop/_api.py", "--format", "json"]).stdout;
    let explained: Value = serde_json::from_str(&explained).unwrap();
    let rank = explained["parts"][0]["value"].as_f64().unwrap();
    assert!((rank - 0.6).abs() < 1e-6, "{explained}");
}

#[test]
fn a_type_in_many_parts_is_used_by_its_main_part() {
    let mut text = "=== src/Stock.cs\n/// <summary>Holds.</summary>\npublic class Stock { }\n\
                    === src/Till.cs\n/// <summary>Sells.</summary>\npublic sealed partial class \
                    Till\n{\n    public void Open() { }\n}\n"
        .to_owned();
    for part in ["Async", "Coins", "Notes", "Sync", "Taxes", "Units"] {
        text.push_str(&format!(
            "=== src/Till.{part}.cs\npublic partial class Till\n{{\n    public void {part}() \
             {{ }}\n}}\n"
        ));
    }
    for user in ["A", "B", "C", "D"] {
        let stock = if user == "A" { "Stock" } else { "Till" };
        text.push_str(&format!(
            "=== src/{user}.cs\npublic class {user}\n{{\n    void Run({stock} a, Till b) {{ }}\n}}\n"
        ));
    }
    let repo = repo(&text);
    assert_eq!(ranked(&repo)[0], "src/Till.cs");
    // What is in the other parts is no repetition.
    let explained = run(&repo, &["explain", "src/Till.Coins.cs", "--format", "json"]).stdout;
    let explained: Value = serde_json::from_str(&explained).unwrap();
    let coins = &explained["items"][1];
    assert_eq!(coins["name"], "Till.Coins");
    let of_file = coins["worth"].as_f64().unwrap() / explained["score"].as_f64().unwrap();
    assert!(of_file > 0.35, "{explained}");
}

#[test]
fn headers_for_users_come_before_helpers() {
    let mut text = "=== include/shop.h\nint shop_open(void);\n=== core/bits.h\nint bits(int a);\n\
                    === shop.md\nThe shop.\n"
        .to_owned();
    for user in ["cart", "coin", "note", "tax", "till", "unit"] {
        text.push_str(&format!("=== core/{user}.h\n#include \"bits.h\"\nint {user}(void);\n"));
    }
    for user in 1..=12 {
        text.push_str(&format!(
            "=== examples/{user}.c\n#include \"shop.h\"\nint main(void) {{ return shop_open(); }}\n"
        ));
    }
    let ranked = ranked(&repo(&text));
    let place = |path: &str| ranked.iter().position(|one| one == path).unwrap();
    assert!(place("core/bits.h") < place("core/cart.h"), "{ranked:?}");
    assert!(place("include/shop.h") < place("core/cart.h"), "{ranked:?}");
}

#[test]
fn a_header_of_c_begins_with_what_most_programs_call() {
    let header = |around: (&str, &str)| {
        let functions: String =
            (0..6).map(|n| format!("/* Does {n}. */\nint shop_f{n}(void);\n\n")).collect();
        repo(&format!("=== shop.h\n{}{functions}{}=== a.c\nint a;\n", around.0, around.1))
    };
    let of_c = worths(&header(("", "")), "shop.h");
    // Each counts a little less than the one before it, as a further item of its file.
    let further = (1.0_f64 + 5.0 / 8.0).sqrt();
    assert!(of_c["shop_f5"] * further < 0.7 * of_c["shop_f0"], "{of_c:?}");
    let of_cpp = worths(&header(("namespace shop {\n", "}\n")), "shop.h");
    assert!(of_cpp["shop_f5"] * further > 0.99 * of_cpp["shop_f0"], "{of_cpp:?}");
}

#[test]
fn tables_of_benchmarks_come_after_what_a_project_is() {
    let sections = ["Benchmarks", "Compilation speed", "Colours"]
        .map(|title| format!("## {title}\n\nThis says something of it.\n\n"));
    let readme = sections.concat().replace("## Compilation", "### Compilation");
    let repo = repo(&format!("=== README.md\n# Till\n\n{readme}=== src/till.rs\nfn sum() {{}}\n"));
    let worths = worths(&repo, "README.md");
    assert!(worths["Benchmarks"] < 0.6 * worths["Colours"], "{worths:?}");
    assert!(worths["Compilation speed"] < 0.6 * worths["Colours"], "{worths:?}");
}

#[test]
fn many_sponsors_above_the_first_section_take_nothing_from_it() {
    let worth = |head: &str, n_sponsors: usize| {
        let sponsors = "<a href='https://a.example/'>A sponsor</a>\n".repeat(n_sponsors);
        let sections = "## Contents\n\n## Features\n\nIt counts coins.\n";
        let readme = format!("{head}{sponsors}\n{sections}");
        let repo = repo(&format!("=== README.md\n{readme}=== src/till.rs\npub fn sum() {{}}\n"));
        worths(&repo, "README.md")["Features"]
    };
    for head in ["### Sponsors\n\n", ""] {
        assert_eq!(worth(head, 300), worth(head, 2));
    }
}

#[test]
fn types_that_tests_name_come_before_helpers() {
    let mut text = "=== src/Till.cs\nclass Till { int Sum() => Helpers.Twice(1); }\n\
                    === src/Helpers.cs\nstatic class Helpers { static int Twice(int a) => a; }\n"
        .to_owned();
    for user in ["Cart", "Coin", "Note", "Tax", "Unit"] {
        text.push_str(&format!(
            "=== src/{user}.cs\nclass {user} {{ int Of() => Helpers.Twice(2); }}\n"
        ));
    }
    let without_tests = ranked(&repo(&text));
    assert_eq!(without_tests[0], "src/Helpers.cs");
    for nth in 1..=12 {
        text.push_str(&format!("=== tests/Sum{nth}.cs\nclass Sum{nth} {{ Till till; }}\n"));
    }
    let repo = repo(&text);
    assert_eq!(ranked(&repo)[..2], ["src/Till.cs", "src/Helpers.cs"]);
    let [cached, read] = [&["rank"][..], &["rank", "--no-cache"]].map(|flags| run(&repo, flags));
    assert_eq!(cached.stdout, read.stdout);
}

#[test]
fn code_uses_no_heading_and_no_function_of_a_build() {
    let mut text = "=== docs/checkout.md\n# CheckoutTill\n\nSells.\n\
                    === settings.gradle.kts\nfun openTills() {\n    include(1)\n}\n\
                    === src/Stock.kt\nclass StockKeeper {\n    fun keep() {}\n}\n"
        .to_owned();
    for user in ["A", "B", "C", "D"] {
        text.push_str(&format!(
            "=== src/{user}.kt\nclass {user} {{\n    fun run(a: CheckoutTill, b: StockKeeper) {{\n        \
             openTills()\n    }}\n}}\n"
        ));
    }
    let ranked = run(&repo(&text), &["rank", "--no-history"]).stdout;
    let rank = |path: &str| {
        let line = ranked.lines().find(|line| line.contains(path)).unwrap();
        let (_, rank) = line.split_once("rank ").unwrap();
        rank.parse::<f64>().unwrap()
    };
    assert_eq!(rank("src/Stock.kt"), 1.0);
    assert!(rank("docs/checkout.md") < 0.3 && rank("settings.gradle.kts") < 0.3, "{ranked}");
}

#[test]
fn programs_that_keep_a_project_up_come_last() {
    let python = "def sync():\n    pass\n\n\nif __name__ == '__main__':\n    sync()\n";
    let repo = repo(&format!(
        "=== charts/db/Chart.yaml\nname: db\n=== charts/db/values.yaml\nport: 1\n\
         === charts/web/Chart.yaml\nname: web\n=== charts/web/values.yaml\nport: 2\n\
         === hack/sync.py\n{python}=== scripts/main.py\n{python}=== tool/sync.py\n{python}"
    ));
    let ranked = ranked(&repo);
    let place = |path: &str| ranked.iter().position(|one| one == path).unwrap();
    for chart in ["charts/db/Chart.yaml", "charts/web/Chart.yaml", "tool/sync.py"] {
        assert!(place(chart) < place("hack/sync.py"), "{chart}: {ranked:?}");
        assert!(place(chart) < place("scripts/main.py"), "{chart}: {ranked:?}");
    }
    let goal = run(&repo, &["rank", "--no-history", "--goal", "sync of hack"]).stdout;
    assert!(goal.starts_with("1.000  hack/sync.py"), "{goal}");
}

#[test]
fn a_file_is_whole_where_its_items_would_cost_more() {
    let repo = repo(
        "=== src/redirect.rs\n//! Redirects.\n/// Follows a redirect.\n\
         pub fn follow(url: &str) -> String { remove_headers(url); url.to_owned() }\n\
         /// Removes headers.\npub fn remove_headers(url: &str) { let _ = url; }\n\
         pub struct Policy { max: usize }\n\
         impl Policy { pub fn check(&self, n: usize) -> bool { n < self.max } }\n\
         === src/lib.rs\npub mod redirect;\n",
    );
    let map = run(&repo, &["--no-history"]).stdout;
    assert!(map.contains("## src/redirect.rs (full)\n"), "{map}");
}

#[test]
fn what_is_private_or_internal_counts_less_than_the_public_surface() {
    let cpp = "namespace api {\nnamespace detail {\nint inner(int a) { return a; }\n}\nclass Reader {\n  \
               int held(int a) { return a; }\n public:\n  int open(int a) { return a; }\n};\n}\n";
    let ruby = "class Reader\n  def open(a)\n    a\n  end\n\n  private\n\n  def held(a)\n    a\n  \
                end\nend\n";
    let given = "class Reader {\n public:\n  Reader() = default;\n  Reader(const Reader&) = delete;\n  \
                 virtual ~Reader();\n  int open(int a);\n};\n";
    for (path, text, inside) in [
        ("reader.h", cpp, &["held", "inner"][..]),
        ("reader.rb", ruby, &["held"]),
        ("given.h", given, &["Reader::Reader@1", "Reader::Reader@2", "~Reader"]),
    ] {
        let repo = repo(&format!("=== {path}\n{text}"));
        let explained = run(&repo, &["explain", path, "--format", "json"]).stdout;
        let explained: Value = serde_json::from_str(&explained).unwrap();
        let worth = |name: &str| {
            let items = explained["items"].as_array().unwrap();
            let is_it = |item: &&Value| item["name"].as_str().unwrap().ends_with(name);
            items.iter().find(is_it).unwrap()["worth"].as_f64().unwrap()
        };
        for name in inside {
            assert!(worth(name) < 0.7 * worth("open"), "{name}: {explained}");
        }
    }
}

#[test]
fn of_functions_that_say_the_same_two_count_whole() {
    let wrapper = |name: &str| {
        let names = "address, headers, cookies, redirects, seconds, content, proxies";
        format!("    def {name}(self, {names}):\n        return self.request({names})\n\n")
    };
    let wrappers: String = ["copy", "lock", "move", "post", "trace"].map(wrapper).concat();
    let repo = repo(&format!("=== client.py\nclass Client:\n{wrappers}=== b.py\nx = 1\n"));
    let mut worths = worths(&repo, "client.py");
    worths.remove("Client");
    let most = worths.values().copied().fold(0.0, f64::max);
    let n_whole = worths.values().filter(|worth| **worth > 0.7 * most).count();
    assert_eq!((worths.len(), n_whole), (5, 2), "{worths:?}");
}

#[test]
fn a_build_script_takes_no_large_part_of_an_overview() {
    let script = "add_library(tides src/tides.cc src/harbours.cc)\n".repeat(120);
    let function = |at: usize| format!("int tide_{at}(int at) {{\n  return at + {at};\n}}\n");
    let file = |at: usize| {
        let functions: String = (0..10).map(|n| function(10 * at + n)).collect();
        format!("=== src/part{at}.cc\n{functions}")
    };
    let files: String = (0..12).map(file).collect();
    let repo = repo(&format!("=== CMakeLists.txt\n{script}{files}"));
    let map = run(&repo, &["-t", "2000"]).stdout;
    assert!(map.contains("tide_119") && !map.contains("add_library"), "{map}");
}
