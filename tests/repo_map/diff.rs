//! `--diff REV`: what changed since a revision comes first, then what leans on it.

use std::process::Command;

use serde_json::Value;
use test_support::{Repo, repo};

use crate::run;

const SHOP: &str = "\
=== shop/prices.py
def rebate(order):
    return order.total * 0.1

def postage(order):
    if order.abroad:
        return max(15, order.weight * 3)
    return min(5, order.weight)
=== shop/invoice.py
from shop.prices import rebate

def invoice(order):
    return order.total - rebate(order)
=== shop/stock.py
def left(article):
    return 12
=== shop/news.py
def letter():
    return 'hello'
=== tests/test_prices.py
from shop.prices import rebate

def test_rebate():
    assert rebate
=== docs/rebates.md
# Rebates
`rebate` is a tenth.
";

pub(crate) fn git(repo: &Repo, args: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(repo.path())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    git.args([
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
        "-c",
        "init.defaultBranch=main",
        "-c",
        "commit.gpgSign=false",
    ]);
    let done = git.args(args).output().unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A shop of one commit on `main`, with a branch of which one function changed.
pub(crate) fn shop() -> Repo {
    let repo = repo(SHOP);
    git(&repo, &["init", "-q", "-b", "main"]);
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "Start"]);
    git(&repo, &["checkout", "-q", "-b", "branch"]);
    let prices = SHOP.split("=== ").nth(1).unwrap().split_once('\n').unwrap().1;
    repo.write("shop/prices.py", prices.replace("0.1", "0.2").as_bytes());
    repo
}

fn ranked(repo: &Repo, args: &[&str]) -> Vec<String> {
    let ran = run(repo, &[&["rank", "--format", "json"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["path"].as_str().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn what_changed_comes_first_then_its_callers_tests_and_documents() {
    let repo = shop();
    let check = |order: Vec<String>| {
        assert_eq!(order[0], "shop/prices.py");
        let mut near = order[1..4].to_vec();
        near.sort();
        assert_eq!(near, ["docs/rebates.md", "shop/invoice.py", "tests/test_prices.py"]);
    };
    // Not committed yet, committed, and with main gone on meanwhile.
    check(ranked(&repo, &["--diff", "main"]));
    git(&repo, &["commit", "-q", "-a", "-m", "Double it"]);
    check(ranked(&repo, &["--diff", "main"]));
    git(&repo, &["checkout", "-q", "main"]);
    repo.write("shop/news.py", b"def letter():\n    return 'bye'\n");
    git(&repo, &["commit", "-q", "-a", "-m", "Say bye"]);
    git(&repo, &["checkout", "-q", "branch"]);
    check(ranked(&repo, &["--diff", "main"]));
}

#[test]
fn unchanged_files_are_shown_by_what_they_have_or_folded() {
    let repo = shop();
    let is_path =
        |line: &&str| line.starts_with("- ") && line.contains('.') && !line.contains("files");
    let paths = |args: &[&str]| {
        let map = run(&repo, args).stdout;
        let paths: Vec<String> = map.lines().filter(is_path).map(str::to_owned).collect();
        (paths, map)
    };
    let (without, map) = paths(&["--diff", "main", "--tokens", "400"]);
    assert!(without.is_empty() && map.contains("## shop/invoice.py"), "{map}");
    let (with_rule, _) =
        paths(&["--diff", "main", "--level", "**=exclude..full", "--level", "shop/news.py=path"]);
    assert_eq!(with_rule, ["- shop/news.py"]);
}

#[test]
fn a_change_in_a_submodule_is_a_change() {
    let shop = shop();
    git(&shop, &["commit", "-q", "-a", "-m", "Double it"]);
    shop.write("coins/coins.py", b"def coins(): pass\n");
    shop.write("coins/notes.py", b"def notes(): pass\n");
    let inside = |args: &[&str]| git(&shop, &[&["-C", "coins"], args].concat());
    inside(&["init", "-q"]);
    inside(&["add", "."]);
    inside(&["commit", "-q", "-m", "Coins"]);
    git(&shop, &["add", "coins"]);
    git(&shop, &["commit", "-q", "-m", "With coins"]);
    assert!(run(&shop, &["--diff", "HEAD"]).stderr.contains("nothing changed since HEAD"));
    // Not committed, committed inside, and with the submodule taken in.
    shop.write("coins/coins.py", b"def coins(): return 3\n");
    assert_eq!(ranked(&shop, &["--diff", "HEAD"])[0], "coins/coins.py");
    inside(&["commit", "-q", "-a", "-m", "Count"]);
    assert_eq!(ranked(&shop, &["--diff", "HEAD"])[0], "coins/coins.py");
    git(&shop, &["commit", "-q", "-a", "-m", "Newer coins"]);
    assert_eq!(ranked(&shop, &["--diff", "HEAD^"])[0], "coins/coins.py");
    assert!(run(&shop, &["--diff", "HEAD"]).stderr.contains("nothing changed since HEAD"));
}

#[test]
fn a_deleted_file_is_a_change() {
    let shop = shop();
    git(&shop, &["commit", "-q", "-a", "-m", "Double it"]);
    std::fs::remove_file(shop.path().join("shop/news.py")).unwrap();
    let told = run(&shop, &["--diff", "HEAD"]);
    assert!(told.stderr.contains("1 file deleted since HEAD: shop/news.py\n"), "{}", told.stderr);
    assert!(!told.stderr.contains("nothing changed"), "{}", told.stderr);
    assert_eq!(told.code, 4, "no file that is left changed");
    shop.write("shop/invoice.py", b"def total(): return 4\n");
    let told = run(&shop, &["--diff", "HEAD"]).stderr;
    let line = "1 file changed since HEAD; 1 file deleted: shop/news.py\n";
    assert!(told.contains(line), "{told}");
}

#[test]
fn a_change_that_the_scan_leaves_out_is_told() {
    let shop = shop();
    shop.write(".ci.yml", b"on: push\n");
    git(&shop, &["add", "-f", ".ci.yml"]);
    git(&shop, &["commit", "-q", "-m", "CI"]);
    shop.write(".ci.yml", b"on: pull\n");
    let told = run(&shop, &["--diff", "HEAD"]).stderr;
    let line = "1 file changed since HEAD; 1 changed file is hidden or ignored (`--hidden`, \
                `--no-ignore`)\n";
    assert!(told.contains(line), "{told}");
    let hidden = run(&shop, &["--diff", "HEAD", "--hidden"]).stderr;
    assert!(hidden.contains("2 files changed since HEAD\n"), "{hidden}");
    git(&shop, &["commit", "-q", "-m", "All but CI", "--", "*.py"]);
    let told = run(&shop, &["--diff", "HEAD"]).stderr;
    assert!(told.contains("no file of the map changed since HEAD; 1 changed file is"), "{told}");
}

#[test]
fn of_a_file_the_items_that_changed_are_shown_first() {
    let repo = shop();
    let text = run(&repo, &["--diff", "main", "--tokens", "60"]).stdout;
    assert!(text.contains("return order.total * 0.2") && !text.contains("abroad"), "{text}");
    let why = run(&repo, &["explain", "shop/prices.py", "--diff", "main"]).stdout;
    assert!(why.contains("changed     1.000 × 2.00  lines 2-2"), "{why}");
    let why = run(&repo, &["explain", "shop/invoice.py", "--diff", "main"]).stdout;
    assert!(why.contains("near") && why.contains("shop/prices.py"), "{why}");
    let why = run(&repo, &["explain", "shop/prices.py#rebate", "--diff", "main"]).stdout;
    assert!(why.contains("changed     1.000 × 2.00  lines 2-2"), "{why}");
}

#[test]
fn a_function_around_others_is_shown_for_its_own_code() {
    let body = "    total = total + 1;\n".repeat(160);
    let source = |own: &str| {
        format!(
            "function build(options) {{\n  let total = 0;{own}\n  return {{ route }};\n\n\
             \u{20} function route(path) {{\n{body}  }}\n\n  function close() {{\n{body}{body}\
             \u{20} }}\n}}\n\nfunction rest() {{\n{body}{body}{body}{body}}}\n"
        )
    };
    let repo = repo("");
    repo.write("build.js", source("").as_bytes());
    git(&repo, &["init", "-q"]);
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "Start"]);
    repo.write("build.js", source(" // later").as_bytes());
    let map = run(&repo, &["--diff", "HEAD", "--tokens", "5000"]).stdout;
    assert!(map.contains("let total = 0; // later"), "{map}");
    let has = |item: &str, args: &[&str], signal: &str| {
        let explained = run(&repo, &[&["explain", item], args].concat()).stdout;
        explained.lines().any(|line| line.trim().starts_with(signal))
    };
    let diff = ["--diff", "HEAD"];
    assert!(has("build.js#build", &diff, "changed     1.000"));
    assert!(!has("build.js#build.route", &diff, "changed"));
    let (own, nested) =
        (["--goal", "TypeError at build.js:2"], ["--goal", "TypeError at build.js:9"]);
    assert!(has("build.js#build", &own, "trace") && !has("build.js#build.route", &own, "trace"));
    assert!(
        !has("build.js#build", &nested, "trace") && has("build.js#build.route", &nested, "trace")
    );
}

#[test]
fn new_files_count_whether_git_knows_them_or_not() {
    let repo = shop();
    repo.write("shop/gift cards.py", b"def card():\n    return 1\n");
    repo.write("shop/bücher.py", b"def book():\n    return 1\n");
    let order = ranked(&repo, &["--diff", "main"]);
    assert!(order[..3].iter().any(|path| path == "shop/gift cards.py"), "{order:?}");
    git(&repo, &["add", "."]);
    assert!(
        ranked(&repo, &["--diff", "main"])[..3].iter().any(|path| path == "shop/gift cards.py")
    );
}

#[test]
fn a_folder_inside_a_repository_has_changes_of_its_own() {
    let repo = shop();
    let order = ranked(&repo, &["shop", "--diff", "main"]);
    assert_eq!(order[0], "prices.py");
}

#[test]
fn nothing_changed_and_no_such_revision_are_said() {
    let repo = shop();
    git(&repo, &["commit", "-q", "-a", "-m", "Double it"]);
    let same = run(&repo, &["--diff", "HEAD"]);
    assert_eq!(same.code, 4, "{}", same.stderr);
    assert!(same.stderr.contains("nothing changed since HEAD"), "{}", same.stderr);
    for revision in ["nowhere", "main..branch", "--output=x", ""] {
        let none = run(&repo, &[&format!("--diff={revision}")]);
        assert_eq!((none.code, none.stdout.as_str()), (2, ""), "{revision}");
        assert!(
            none.stderr.contains("is no revision of this repository"),
            "{revision}: {}",
            none.stderr
        );
    }
    let without = test_support::repo("=== a\n");
    assert_eq!(run(&without, &["--diff", "HEAD"]).code, 2);
}

#[test]
fn a_filter_of_the_repository_is_not_run() {
    let repo = shop();
    let marker = repo.path().join("marker");
    git(&repo, &["config", "filter.evil.clean", &format!("touch '{}'; cat", marker.display())]);
    git(&repo, &["config", "filter.evil.process", &format!("touch '{}'", marker.display())]);
    git(&repo, &["config", "filter.evil.required", "true"]);
    git(&repo, &["config", "core.fsmonitor", &format!("touch '{}'", marker.display())]);
    repo.write(".gitattributes", b"*.py filter=evil\n");
    assert_eq!(ranked(&repo, &["--diff", "main"])[0], "shop/prices.py");
    assert!(!marker.exists());

    // A name that is no text.
    let config = repo.path().join(".git/config");
    let mut text = std::fs::read(&config).unwrap();
    text.extend_from_slice(b"[filter \"\xff\"]\n\tclean = touch '");
    text.extend_from_slice(marker.display().to_string().as_bytes());
    text.extend_from_slice(b"'; cat\n");
    std::fs::write(&config, text).unwrap();
    repo.write(".gitattributes", b"*.py filter=\xff\n");
    let refused = run(&repo, &["--diff", "main"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(!marker.exists());
}

#[test]
fn what_counts_as_changed_does_not_depend_on_the_configuration() {
    let repo = shop();
    let explained = |repo: &Repo| {
        run(repo, &["explain", "shop/prices.py", "shop/stock.py", "--diff", "main"]).stdout
    };
    let prices = std::fs::read_to_string(repo.path().join("shop/prices.py")).unwrap();
    repo.write("shop/prices.py", prices.replace("order.weight * 3", "order.weight * 4").as_bytes());
    repo.write("shop/stock.py", b"def left(article):\n    return 13");
    let before = explained(&repo);
    assert!(before.contains("lines 2-6") && before.contains("lines 2-2"), "{before}");
    git(&repo, &["config", "diff.interHunkContext", "100"]);
    git(&repo, &["config", "diff.context", "9"]);
    assert_eq!(explained(&repo), before);
}

#[test]
fn names_that_maps_write_otherwise_than_git_are_known_to_it() {
    let repo = shop();
    let names: [&[u8]; 3] = [b"shop/a\\b.py", b"shop/c\x1bd.py", b"shop/\xff.py"];
    for name in names {
        let path = repo.path().join(std::path::Path::new(
            <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name),
        ));
        std::fs::write(path, "def voucher():\n    return 1\n").unwrap();
    }
    let untracked = run(&repo, &["--diff", "main"]);
    assert!(untracked.stderr.contains("4 files changed since main"), "{}", untracked.stderr);
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "Vouchers for customers"]);
    let order = ranked(&repo, &["--diff", "main"]);
    for path in ["shop/a\\\\b.py", "shop/c\\u{1b}d.py", "shop/\\xff.py"] {
        assert!(order[..5].iter().any(|one| one == path), "{path} in {order:?}");
        let why = run(&repo, &["explain", path, "--goal", "vouchers for customers"]).stdout;
        assert!(why.contains("history") && why.contains("“Vouchers for customers”"), "{why}");
    }
    // On the command line a name may be written as it is on disk.
    assert_eq!(run(&repo, &["explain", "shop/a\\b.py"]).code, 0);
}
