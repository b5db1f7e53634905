//! The examples of the library do what they say.

use std::fs;

use test_support::repo;

use crate::diff::{git, shop};

#[allow(dead_code, reason = "its main is the example's")]
#[path = "../../repo-map/examples/commit_message.rs"]
mod commit_message;
#[allow(dead_code, reason = "its main is the example's")]
#[path = "../../repo-map/examples/review.rs"]
mod review;

#[test]
fn a_commit_message_has_what_is_not_committed_yet_in_its_context() {
    let repo = shop();
    repo.write("shop/gifts.py", b"def card():\n    return 1\n");
    let map = commit_message::context(repo.path()).unwrap();
    assert!(map.tokens <= 600);
    let mut by_worth: Vec<_> = map.files.iter().collect();
    by_worth.sort_by_key(|file| std::cmp::Reverse(file.worth));
    let mut first: Vec<&str> = by_worth.iter().take(2).map(|file| file.path.as_str()).collect();
    first.sort_unstable();
    assert_eq!(first, ["shop/gifts.py", "shop/prices.py"]);
    assert!(
        map.text.contains("return order.total * 0.2") && map.text.contains("def card():"),
        "{}",
        map.text
    );
}

#[test]
fn a_review_names_what_is_gone_and_what_was_left_out() {
    let repo = shop();
    fs::remove_file(repo.path().join("shop/news.py")).unwrap();
    let (map, notes) = review::context(repo.path(), "main", 60).unwrap();
    assert!(map.text.contains("return order.total * 0.2"), "{}", map.text);
    insta::assert_snapshot!(notes.join("\n"), @"
    changed: 1, tokens: 56 of 60
    gone: shop/news.py
    left out: docs/rebates.md (outline)
    left out: shop/invoice.py (path)
    left out: tests/test_prices.py (exclude)
    left out: shop/stock.py (exclude)
    ");
}

#[test]
fn a_review_of_what_git_does_not_know_says_so() {
    let outside = repo("=== a.py\nx = 1\n");
    let error = review::context(outside.path(), "HEAD", 60).unwrap_err().to_string();
    assert!(error.starts_with("revision `HEAD` "), "{error}");
    git(&outside, &["init", "-q"]);
    let error = review::context(outside.path(), "no-such-branch", 60).unwrap_err().to_string();
    assert!(error.starts_with("revision `no-such-branch` "), "{error}");
}
