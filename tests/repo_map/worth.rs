//! What the ranking goes by: each kind of evidence on a repository made for it, and what is noise.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;
use test_support::{Repo, repo};

use crate::{program, run};

/// Files that share most of their words, so that one kind of evidence decides.
const SHOP: &str = "\
=== shop/cart.py
class Cart:
    def add_line(self, product, amount):
        price = compute_discount(product, amount)
        self.lines.append((product, price))
=== shop/prices.py
def compute_discount(product, amount):
    if amount > 10:
        raise ValueError('a discount needs fewer than ten pieces')
    return product.price
=== shop/stock.py
def reserve(product, amount):
    product.stock -= amount
=== shop/invoice.py
def render_invoice(order):
    return 'E0417: ' + str(order)
=== tests/test_checkout.py
def test_voucher_is_redeemed_at_checkout():
    checkout_with_voucher()
=== docs/manual.md
# Manual
How a voucher is redeemed.
";

fn ranked(repo: &Repo, goal: &str, more: &[&str]) -> Vec<(String, BTreeMap<String, f64>)> {
    let ran = run(repo, &[&["rank", "--goal", goal, "--format", "json"], more].concat());
    let file = |line: &str| {
        let file: Value = serde_json::from_str(line).unwrap();
        let parts = file["parts"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| (name.clone(), value.as_f64().unwrap()));
        (file["path"].as_str().unwrap().to_owned(), parts.collect())
    };
    ran.stdout.lines().map(file).collect()
}

fn first(repo: &Repo, goal: &str) -> String {
    ranked(repo, goal, &[]).remove(0).0
}

/// The value of one signal for one file; 0 where it says nothing.
fn part(repo: &Repo, goal: &str, path: &str, signal: &str) -> f64 {
    let files = ranked(repo, goal, &[]);
    files
        .iter()
        .find(|(one, _)| one == path)
        .and_then(|(_, parts)| parts.get(signal).copied())
        .unwrap_or(0.0)
}

/// Commits these paths with a message, in a repository of its own.
fn commit(repo: &Repo, message: &str, paths: &[&str]) {
    let git = |args: &[&str]| {
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
        ]);
        let done = git.args(args).output().unwrap();
        assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q"]);
    git(&[&["add"], paths].concat());
    git(&["commit", "-q", "-m", message]);
}

#[test]
fn each_kind_of_evidence_finds_the_file_it_speaks_for() {
    let shop = repo(SHOP);
    for (goal, path, signal) in [
        ("the stock is wrong after reserve", "shop/stock.py", "words"),
        ("wrong total\nCalling `compute_discount` is slow", "shop/prices.py", "definitions"),
        ("see shop/invoice.py", "shop/invoice.py", "path"),
        (
            "crash\n  File \"/srv/app/shop/stock.py\", line 2, in reserve\nKeyError",
            "shop/stock.py",
            "trace",
        ),
        ("crash\nValueError: a discount needs fewer than ten pieces", "shop/prices.py", "phrase"),
        ("E0417 shown to customers", "shop/invoice.py", "rare"),
        ("the cart is empty", "shop/cart.py", "name"),
        ("add line to it", "shop/cart.py", "pairs"),
    ] {
        assert_eq!(first(&shop, goal), path, "{goal}");
        assert!(part(&shop, goal, path, signal) > 0.5, "{signal} of {path} for {goal:?}");
    }
}

#[test]
fn commits_that_read_like_the_goal_vote_for_what_they_changed() {
    let shop = repo(SHOP);
    commit(&shop, "Start", &["docs"]);
    commit(&shop, "Round rebates down, not up", &["shop/prices.py"]);
    commit(&shop, "Print the order's number", &["shop/invoice.py"]);
    let goal = "rebates are rounded up";
    assert_eq!(first(&shop, goal), "shop/prices.py");
    assert!(part(&shop, goal, "shop/prices.py", "history") > 0.99);
    let without = run(&shop, &["rank", "--goal", goal, "--no-history"]);
    assert_eq!(without.code, 4, "nothing else speaks of it: {}", without.stdout);
}

#[test]
fn tests_that_read_like_the_goal_vote_for_what_they_were_changed_with() {
    let shop = repo(SHOP);
    commit(&shop, "Start", &["docs", "shop/invoice.py", "shop/prices.py"]);
    commit(&shop, "Wip", &["shop/stock.py", "tests/test_checkout.py"]);
    commit(&shop, "Wip", &["shop/cart.py"]);
    let goal = "voucher not redeemed at checkout";
    let order: Vec<String> = ranked(&shop, goal, &[]).into_iter().map(|(path, _)| path).collect();
    assert_eq!(order[..2], ["tests/test_checkout.py", "shop/stock.py"]);
    assert!(part(&shop, goal, "shop/stock.py", "tests") > 0.99);
    assert_eq!(part(&shop, goal, "shop/cart.py", "tests"), 0.0);
    let explained = run(&shop, &["explain", "shop/stock.py", "--goal", goal]).stdout;
    assert!(
        explained.contains("tests       1.000 × 0.50  tests/test_checkout.py 1.00"),
        "{explained}"
    );
}

#[test]
fn what_an_item_of_the_goal_uses_is_worth_more_than_what_it_does_not() {
    let shop = repo(SHOP);
    let goal = "Cart.add_line computes the wrong price for a product";
    let explained =
        run(&shop, &["explain", "shop/prices.py#compute_discount", "--goal", goal]).stdout;
    assert!(explained.contains("shop/cart.py#Cart.add_line"), "{explained}");
    let worth = |target: &str| {
        let one = run(&shop, &["explain", target, "--goal", goal, "--format", "json"]).stdout;
        serde_json::from_str::<Value>(&one).unwrap()["score"].as_f64().unwrap()
    };
    assert!(worth("shop/prices.py#compute_discount") > worth("shop/stock.py#reserve"));
}

/// The score of a file or an item for a goal.
fn worth(repo: &Repo, goal: &str, target: &str) -> f64 {
    let ran = run(repo, &["explain", target, "--goal", goal, "--format", "json"]);
    let explained: Value = serde_json::from_str(&ran.stdout).unwrap();
    let sum: f64 = explained["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["value"].as_f64().unwrap() * part["weight"].as_f64().unwrap())
        .sum();
    let score = explained["score"].as_f64().unwrap();
    let factor = explained["factor"].as_f64().unwrap();
    let best = explained["best"].as_f64().unwrap();
    assert!((sum * factor / best - score).abs() < 1e-5, "{target}: {explained}");
    score
}

const ITEMS: &str = "\
=== shop/voucher.py
class VoucherStore:
    def drop(self, key):
        del self.rows[key]

    def redeem(self, code):
        row = self.rows[code]
        self._settle(row)
        return row

    def _settle(self, row):
        row.open = False
        row.left = 0

    def _forget(self, row):
        row.open = False
        row.left = 0

def expire_all(store):
    for voucher in store.every():
        store.drop(voucher.key)
=== shop/printer.rs
pub fn print_receipt(lines: &[Line]) -> String {
    let total = sum(lines);
    format!(\"receipt {total}\")
}

#[cfg(test)]
mod tests {
    fn helper(lines: &[Line]) -> String {
        let total = sum(lines);
        format!(\"receipt {total}\")
    }
}
=== shop/scale.h
int weigh_parcel(int grams);
=== shop/scale.c
int weigh_parcel(int grams)
{
    return grams * 2;
}
=== shop/legacy/label.py
def print_label(parcel):
    return parcel.label
=== shop/modern/label.py
def print_label(parcel):
    return parcel.label
";

#[test]
fn an_item_scores_by_its_own_name_more_than_by_its_containers() {
    let shop = repo(ITEMS);
    let goal = "voucher expires too late";
    let [method, function] = ["VoucherStore.drop", "expire_all"]
        .map(|item| worth(&shop, goal, &format!("shop/voucher.py#{item}")));
    assert!(function > method, "{function} {method}");
}

#[test]
fn a_goal_that_is_the_name_of_an_item_raises_that_item() {
    let shop = repo(ITEMS);
    let named = |goal: &str, item: &str| {
        let target = format!("shop/voucher.py#{item}");
        let said = run(&shop, &["explain", &target, "--goal", goal]).stdout;
        let line = said.lines().map(str::trim).find(|line| line.starts_with("named"));
        line.map(|line| line.split_whitespace().nth(1).unwrap().to_owned())
    };
    let drop = "VoucherStore.drop";
    assert_eq!(named("VoucherStore.drop()", drop).as_deref(), Some("1.000"));
    assert_eq!(named("`drop` of a voucher at midnight", drop).as_deref(), Some("0.444"));
    assert_eq!(named("drop of a voucher at midnight", drop), None);
    assert_eq!(named("drop", drop).as_deref(), Some("1.000"));
    assert_eq!(named("VoucherStore.drop()", "VoucherStore.redeem"), None);
    assert_eq!(named("VoucherStore.drop()", "expire_all"), None);
}

#[test]
fn what_a_strong_item_calls_rises_in_the_same_file_too() {
    let shop = repo(ITEMS);
    let [called, other] = ["_settle", "_forget"].map(|item| {
        worth(&shop, "redeem a code twice", &format!("shop/voucher.py#VoucherStore.{item}"))
    });
    assert!(called > other, "{called} {other}");
}

#[test]
fn tests_inside_a_file_of_sources_and_declarations_count_less() {
    let shop = repo(ITEMS);
    let goal = "the receipt has the wrong total of lines";
    let [code, test] = ["print_receipt", "tests::helper"]
        .map(|item| worth(&shop, goal, &format!("shop/printer.rs#{item}")));
    assert!(test < 0.7 * code, "{code} {test}");
    let asked = "the tests of the receipt have the wrong total";
    assert!(worth(&shop, asked, "shop/printer.rs#tests::helper") > 0.7 * code);
    for module in ["totals_tests", "test_totals"] {
        let shop = repo(&ITEMS.replace("mod tests", &format!("mod {module}")));
        let test = worth(&shop, goal, &format!("shop/printer.rs#{module}::helper"));
        assert!(test < 0.7 * code, "{module}: {code} {test}");
    }
    let [declared, defined] = ["shop/scale.h", "shop/scale.c"]
        .map(|path| worth(&shop, "weigh_parcel doubles", &format!("{path}#weigh_parcel")));
    assert!(declared < 0.9 * defined, "{declared} {defined}");
}

#[test]
fn an_overload_in_python_counts_as_a_declaration() {
    let text = |body: &str| {
        format!(
            "=== scale.py\n@overload\ndef weigh(parcel: Box) -> int: {body}\n\n\ndef \
             weigh(parcel):\n    return parcel.grams * 2\n"
        )
    };
    let goal = "how are parcels weighed";
    let [stub, whole] =
        ["...", "None"].map(|body| worth(&repo(&text(body)), goal, "scale.py#weigh@1"));
    assert!(stub < 0.8 * whole, "{stub} {whole}");
}

#[test]
fn a_field_that_matches_best_in_its_file_is_shown() {
    let colour =
        |n| format!("  COLOUR_{n} {{\n    int paint() {{\n      return {n};\n    }}\n  }},\n");
    let shop = repo(&format!(
        "=== Voucher.java\n/** How a voucher is redeemed. */\nenum Voucher {{\n{}\
         REDEEMED_ONCE {{\n\
         int redeem() {{\nreturn 1;\n}}\n  }};\n}}\n\
         === Till.java\n/** The till redeems a voucher. */\nclass Till {{\n\
         int redeem(int voucher) {{\nreturn voucher;\n}}\n}}\n",
        (0..9).map(colour).collect::<String>()
    ));
    let map = run(&shop, &["--goal", "which voucher is redeemed once", "--tokens", "130"]).stdout;
    assert!(map.contains("REDEEMED_ONCE"), "{map}");
}

/// However much better the functions of other files are.
#[test]
fn a_file_that_the_goal_names_is_not_only_a_path() {
    // Apart, so that no tool takes the text for a function of this file.
    let function = "fn";
    let refund = |n| {
        format!(
            "/// Refunds voucher {n} at the till.\n\
             pub {function} refund_voucher_{n}(voucher: u32) {{\n    voucher.refund()\n}}\n"
        )
    };
    let steps = "    let colour = mix(colour, 7);\n".repeat(9);
    let paint = |n| format!("pub fn paint_{n}(colour: u32) {{\n{steps}}}\n");
    let shop = repo(&format!(
        "=== src/till.rs\n{}=== src/paint.rs\n{}",
        (0..100).map(refund).collect::<String>(),
        (0..9).map(paint).collect::<String>()
    ));
    let goal = "refund a voucher at the till; src/paint.rs";
    for tokens in ["400", "700", "1000", "2000"] {
        let map = run(&shop, &["--goal", goal, "--tokens", tokens]).stdout;
        assert!(map.contains("pub fn paint_0(colour: u32)"), "{map}");
    }
}

#[test]
fn a_namespace_without_a_block_is_not_worth_a_line() {
    let class = |name: &str| format!("<?php\nnamespace Shop\\Till;\n\nclass {name} {{\n}}\n");
    let shop = repo(&format!(
        "=== src/Till/Voucher.php\n{}=== src/Till/Paint.php\n{}",
        class("Voucher"),
        class("Paint")
    ));
    let goal = "redeem at Shop\\Till";
    assert_eq!(worth(&shop, goal, "src/Till/Paint.php#Shop\\Till"), 0.0);
}

#[test]
fn tests_inside_a_file_say_less_of_it_than_its_code() {
    let redeem = "/// Redeems a voucher.\npub fn redeem_voucher(n: u32) -> u32 {\n    n\n}\n";
    let in_tests = redeem.replace("redeem_voucher", "redeems_voucher");
    let shop = repo(&format!(
        "=== a.rs\npub fn a() -> u32 {{\n    1\n}}\n\n#[cfg(test)]\nmod tests {{\n{in_tests}}}\n\
         === b.rs\npub fn b() -> u32 {{\n    1\n}}\n\n{redeem}"
    ));
    let goal = "redeem a voucher";
    for signal in ["items", "title"] {
        let of = |path: &str| part(&shop, goal, path, signal);
        assert!(of("a.rs") > 0.0 && of("a.rs") < 0.5 * of("b.rs"), "{signal}");
    }
    // Then they are what the goal is about.
    let about_tests = "the test of redeem_voucher is flaky";
    assert!(part(&shop, about_tests, "a.rs", "items") > 0.5);
}

#[test]
fn legacy_code_is_low_unless_the_title_is_about_it() {
    let shop = repo(ITEMS);
    let files = |goal: &str| {
        ["shop/legacy/label.py", "shop/modern/label.py"].map(|path| worth(&shop, goal, path))
    };
    let [legacy, modern] = files("label of the parcel");
    assert!(legacy < 0.6 * modern, "{legacy} {modern}");
    let [legacy, modern] = files("legacy label of the parcel");
    assert!(legacy > modern, "{legacy} {modern}");
}

#[test]
fn a_frame_opens_its_function_though_the_lines_have_moved() {
    let shop = repo(ITEMS);
    let frame = |line: u32| {
        format!("crash\n  File \"/srv/shop/voucher.py\", line {line}, in _forget\nKeyError")
    };
    for line in [15, 3] {
        let goal = frame(line);
        let [named, other] = ["VoucherStore._forget", "VoucherStore.drop"]
            .map(|item| worth(&shop, &goal, &format!("shop/voucher.py#{item}")));
        assert!(named > other, "{line}: {named} {other}");
    }
}

#[test]
fn a_quoted_line_outside_of_functions_opens_what_is_there_or_nearest() {
    let shop = repo(
        "\
=== shop/cart.py
import os
import sys

LIMIT = 3
\"\"\"The most items.\"\"\"


class Cart:
    def add(self, item):
        return item

    def drop(self, item):
        return None
",
    );
    for (line, opened) in [(2, "(imports)"), (5, "LIMIT"), (11, "Cart.drop"), (90, "Cart.drop")] {
        let goal = format!("see shop/cart.py:{line}");
        let of = |item: &str| worth(&shop, &goal, &format!("shop/cart.py#{item}"));
        let others = ["Cart.add", "Cart.drop", "LIMIT"].into_iter().filter(|one| *one != opened);
        for other in others {
            assert!(
                of(opened) > of(other),
                "{line}: {opened} {} {other} {}",
                of(opened),
                of(other)
            );
        }
    }
}

#[test]
fn a_message_opens_the_function_that_writes_it() {
    let shop = repo(SHOP);
    let goal = "crash\nERROR a discount needs fewer than 12 pieces";
    let target = "shop/prices.py#compute_discount";
    let explained = run(&shop, &["explain", target, "--goal", goal]).stdout;
    assert!(explained.contains("phrase") && explained.contains("discount needs"), "{explained}");
    worth(&shop, goal, target);
}

#[test]
fn templates_and_environments_are_noise() {
    let shop = repo(SHOP);
    let bare = "discount is wrong\n\n\nten pieces cost the same\n";
    let dressed = "discount is wrong\n### Describe the bug\n<!-- please look for duplicates of \
        this invoice -->\nten pieces cost the same\n\
                   - [x] I have read the manual\n### What did you expect to happen?\n**Additional \
                   context**\n\
                   ### Environment\nstock: 1.2.3\nreserve machine\n";
    let scores = |goal: &str| -> Vec<(String, BTreeMap<String, f64>)> { ranked(&shop, goal, &[]) };
    assert_eq!(scores(bare), scores(dressed));
}

#[test]
fn goals_in_other_languages_find_identifiers() {
    assert_eq!(first(&repo(SHOP), "调用 compute_discount 时价格错误，请修复"), "shop/prices.py");
}

#[test]
fn tests_come_first_when_the_title_asks_for_them_and_only_then() {
    let shop = repo(SHOP);
    assert_eq!(
        first(&shop, "tests of the voucher at checkout are flaky"),
        "tests/test_checkout.py"
    );
    let body =
        ranked(&shop, "reserve takes stock twice\nI ran the tests of the voucher at checkout", &[]);
    assert_eq!(body[0].0, "shop/stock.py");
}

#[test]
fn what_a_person_points_at_rises_whatever_its_role() {
    let shop = repo(SHOP);
    let place = |more: &[&str]| {
        ranked(&shop, "compute_discount is slow", more)
            .iter()
            .position(|(path, _)| path == "docs/manual.md")
            .unwrap()
    };
    assert_eq!((place(&[]), place(&["--focus", "docs/**"])), (4, 1));
}

#[test]
fn rankings_and_reasons_are_the_same_for_any_number_of_threads() {
    let shop = repo(SHOP);
    commit(&shop, "All of the shop", &["."]);
    for args in [
        &["rank", "--goal", "redeem a voucher in shop/cart.py"][..],
        &["explain", "shop/cart.py", "--goal", "redeem a voucher"],
    ] {
        let ran = |threads: &str| {
            program()
                .command(shop.path())
                .args(args)
                .env("RAYON_NUM_THREADS", threads)
                .output()
                .unwrap()
                .stdout
        };
        assert_eq!(ran("1"), ran("7"), "{args:?}");
    }
}
