//! What a file is for, as `explain` says it of a path, and what that does to its score.

use serde_json::Value;
use test_support::{Repo, repo};

use crate::run;

/// Paths with the role that each has.
const ROLES: &[(&str, &str)] = &[
    // Code of the project.
    ("src/session.rs", "source"),
    ("lib/shop/cart.rb", "source"),
    ("lib/contest/mocker.rb", "source"),
    ("cmd/serve/main.go", "source"),
    ("index.html", "source"),
    ("scripts/release.sh", "source"),
    ("latest.rs", "source"),
    ("latest/fetch.go", "source"),
    ("proptest/src/strategy.rs", "source"),
    ("src/contest.rs", "source"),
    ("src/testable.rs", "source"),
    ("django/test/client.py", "source"),
    ("actionpack/test/abstract_unit.rb", "test"),
    ("googletest/test/gtest_unit.cc", "test"),
    ("googletest/include/gtest/gtest-death-test.h", "source"),
    ("numpy/testing/utils.py", "source"),
    ("src/docs/render.rs", "source"),
    ("src/i18n/plural.rs", "source"),
    ("src/license.rs", "source"),
    ("app/notice.py", "source"),
    ("schema.sql", "source"),
    // Tests, by folder and by name.
    ("tests/auth.rs", "test"),
    ("test/auth.rb", "test"),
    ("testing/harness.py", "test"),
    ("pkg/tests/auth.py", "test"),
    ("spec/models/cart_spec.rb", "test"),
    ("web/__tests__/cart.js", "test"),
    ("web/__mocks__/fs.js", "test"),
    ("web/e2e/login.ts", "test"),
    ("a/fixtures/b.json", "test"),
    ("a/b/testdata/c.txt", "test"),
    ("pkg/server_test.go", "test"),
    ("web/cart.test.tsx", "test"),
    ("web/cart.spec.ts", "test"),
    ("src/CartTest.java", "test"),
    ("src/CartTests.cs", "test"),
    ("src/tests.rs", "test"),
    ("app/test_views.py", "test"),
    ("conftest.py", "test"),
    ("Tests/Upper.swift", "test"),
    ("packages/dts-test/ref.ts", "test"),
    ("types/ref.test-d.ts", "test"),
    ("server/mock/store.go", "test"),
    ("shoptest/shop.go", "test"),
    ("src/testutil.rs", "test"),
    ("crates/test_utils/src/lib.rs", "test"),
    ("packages/test-helpers/render.tsx", "test"),
    ("crates/uv-test/src/lib.rs", "test"),
    ("exposed-tests/src/main/Base.kt", "test"),
    // Types of code that stands elsewhere.
    ("lib/shop/cart.rbi", "declaration"),
    // Prose.
    ("README.md", "docs"),
    ("CHANGELOG.rst", "docs"),
    ("docs/conf.py", "docs"),
    ("doc/api/index.html", "docs"),
    ("man/tool.1", "docs"),
    ("website/theme.js", "docs"),
    ("src/notes.adoc", "docs"),
    ("a/b/LICENSE.md", "docs"),
    // Examples and benchmarks.
    ("examples/hello.rs", "example"),
    ("example/hello.py", "example"),
    ("crate/benches/speed.rs", "example"),
    ("demo/app.js", "example"),
    ("samples/one.c", "example"),
    ("playground/nested/index.js", "example"),
    ("examples/README.md", "example"),
    // A test among the examples is a test.
    ("examples/tests/hello.rs", "test"),
    // Build, packaging, tools.
    ("Cargo.toml", "config"),
    ("package.json", "config"),
    ("go.lock", "config"),
    ("Makefile", "config"),
    ("Dockerfile", "config"),
    ("build.gradle", "config"),
    ("rules/defs.bzl", "config"),
    ("pom.xml", "config"),
    (".github/workflows/ci.yml", "config"),
    (".eslintrc.js", "config"),
    // Code of others wins over what it is for.
    ("vendor/zlib/inflate.c", "vendored"),
    ("third_party/gtest/tests/a.cc", "vendored"),
    ("web/node_modules/left-pad/index.js", "vendored"),
    ("deps/lua/README.md", "vendored"),
    ("dist/app.js", "vendored"),
    ("single_include/json.hpp", "vendored"),
    // Data, translations, assets, licences at the top and in its folders.
    ("locale/de/messages.po", "data"),
    ("app/static/site.js", "data"),
    ("assets/logo.svg", "data"),
    ("data.csv", "data"),
    ("out.log", "data"),
    ("LICENSE", "data"),
    ("LICENSE-MIT", "data"),
    ("src/LICENSE.md", "data"),
    ("COPYING.txt", "data"),
    ("AUTHORS", "data"),
    ("app.js.map", "data"),
];

fn of_roles() -> Repo {
    let repo = repo("");
    for (path, _) in ROLES {
        repo.write(path, b"text\n");
    }
    repo
}

/// What `explain` says of paths, in their order.
fn explained(repo: &Repo, paths: &[&str], goal: &str) -> Vec<Value> {
    let args =
        [&["explain", "--hidden", "--no-ignore", "--format", "json", "--goal", goal][..], paths]
            .concat();
    let ran = run(repo, &args);
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_path_says_what_a_file_is_for() {
    let paths: Vec<&str> = ROLES.iter().map(|(path, _)| *path).collect();
    let explained = explained(&of_roles(), &paths, "text");
    let roles: Vec<(&str, &str)> = explained
        .iter()
        .map(|one| (one["path"].as_str().unwrap(), one["role"].as_str().unwrap()))
        .collect();
    assert_eq!(roles, ROLES);
}

/// One file of each role, in which the same words stand.
const SAME: &str = "\
=== src/cart.py
def cart(): pass
=== tests/cart.py
def cart(): pass
=== docs/cart.py
def cart(): pass
=== examples/cart.py
def cart(): pass
=== cart.toml
def = 'cart'
=== vendor/cart.py
def cart(): pass
=== locale/cart.po
def cart(): pass
";
const PATHS: [&str; 7] = [
    "src/cart.py",
    "tests/cart.py",
    "docs/cart.py",
    "examples/cart.py",
    "cart.toml",
    "vendor/cart.py",
    "locale/cart.po",
];

/// What the score of each of `PATHS` is multiplied with for a goal.
fn factors(goal: &str) -> Vec<f64> {
    let repo = repo(SAME);
    explained(&repo, &PATHS, goal).iter().map(|one| one["factor"].as_f64().unwrap()).collect()
}

#[test]
fn source_counts_most_and_code_of_others_least() {
    assert_eq!(factors("the cart is empty"), [1.0, 0.25, 0.3, 0.25, 0.4, 0.1, 0.1]);
    let repo = repo(SAME);
    let ranked = run(&repo, &["rank", "--goal", "the cart is empty", "-n", "1"]).stdout;
    assert!(ranked.contains("src/cart.py"), "{ranked}");
}

#[test]
fn a_title_that_asks_for_a_role_lifts_it() {
    for (goal, expected) in [
        ("the cart test is flaky", [1.0, 0.8, 0.3, 0.25, 0.4, 0.1, 0.1]),
        ("add a spec for the cart", [1.0, 0.8, 0.3, 0.25, 0.4, 0.1, 0.1]),
        ("typo in the cart", [1.0, 0.25, 0.8, 0.25, 0.4, 0.1, 0.1]),
        ("documentation of the cart", [1.0, 0.25, 0.8, 0.25, 0.4, 0.1, 0.1]),
        ("a benchmark for the cart", [1.0, 0.25, 0.3, 0.8, 0.4, 0.1, 0.1]),
        ("packaging of the cart", [1.0, 0.25, 0.3, 0.25, 0.8, 0.1, 0.1]),
        ("missing translations of the cart", [1.0, 0.25, 0.3, 0.25, 0.4, 0.1, 0.6]),
        ("fixtures of the cart", [1.0, 0.8, 0.3, 0.25, 0.4, 0.1, 0.6]),
    ] {
        assert_eq!(factors(goal), expected, "{goal}");
    }
}

#[test]
fn below_the_title_the_same_words_lift_nothing() {
    for below in ["I ran the tests", "The documentation says so", "see the examples"] {
        let goal = format!("the cart is empty\n{below}");
        assert_eq!(factors(&goal), [1.0, 0.25, 0.3, 0.25, 0.4, 0.1, 0.1], "{below}");
    }
}

#[test]
fn replaced_code_and_migrations_count_less_unless_the_title_is_about_them() {
    let [old, step, both] = ["an old cart", "a migration of the cart", "the old schema of carts"];
    for (path, wanted_by) in [
        ("legacy-api/cart.rb", &[old, both][..]),
        ("app/deprecated_v1/cart.rb", &[old, both]),
        ("db/migrate/20240501120000_add_cart.rb", &[step, both]),
        ("shop/migrations/0001_cart.py", &[step, both]),
        ("migration/V2__cart.sql", &[step, both]),
        ("prisma/migrations/20240501_cart/up.sql", &[step, both]),
        ("db/old_migrations/20140501120000_cart.rb", &[both]),
        ("database/migrations/cart.php", &[old, step, both, "a cart"]),
        ("app/legacy_cart.rb", &[old, step, both, "a cart"]),
        ("golden/cart.rb", &[old, step, both, "a cart"]),
    ] {
        let repo = repo(&format!("=== {path}\ncart\n"));
        for goal in [old, step, both, "a cart"] {
            let factor = explained(&repo, &[path], goal)[0]["factor"].as_f64();
            let expected = if wanted_by.contains(&goal) { 1.0 } else { 0.4 };
            assert_eq!(factor, Some(expected), "{path} for {goal:?}");
        }
    }
}

#[test]
fn a_function_that_only_hands_on_to_one_that_is_defined_counts_less() {
    let handed = |name: &str| {
        format!("func {name}(path string) Routes {{\n\treturn engine().{name}(path)\n}}\n\n")
    };
    let repo = repo(&format!(
        "=== s.go\npackage s\n\n{}{}=== group.go\npackage g\n\n\
         func (g *Group) Cut(path string) Routes {{\n\treturn g.handle(path, \"cut\")\n}}\n",
        handed("Cut"),
        handed("Put"),
    ));
    let args = ["explain", "s.go", "--goal", "Cut or Put a path", "--format", "json"];
    let explained: Value = serde_json::from_str(&run(&repo, &args).stdout).unwrap();
    let worth = |name: &str| {
        let items = explained["items"].as_array().unwrap();
        let item = items.iter().find(|item| item["name"] == name).unwrap();
        item["worth"].as_f64().unwrap()
    };
    assert!(worth("Cut") < 0.8 * worth("Put"), "{explained}");
}
