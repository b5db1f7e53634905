//! Which bodies have the room of a map, where not all fit.

use insta::assert_snapshot;
use test_support::repo;

use crate::map;

#[test]
fn a_body_that_does_not_fit_hides_no_smaller_one_behind_it() {
    let long: String =
        (0..80).map(|n| format!("    let session_{n} = refresh(session, {n});\n")).collect();
    let repo = repo("");
    let text = format!(
        "pub fn refresh_session(session: u32) {{\n{long}}}\n\n\
         pub fn left(session: u32) -> u32 {{\n    session - 60\n}}\n"
    );
    repo.write("src/session.rs", text.as_bytes());
    let map = map(&repo, "goal: refresh the session\ncontext: {tokens: 120}");
    assert_snapshot!(map.text, @"
    # Repository map
    ## src/session.rs
    ```rust
    pub fn refresh_session(session: u32) { … }
    pub fn left(session: u32) -> u32 {
        session - 60
    }
    ```
    ");
}

#[test]
fn short_bodies_give_way_to_a_long_one_that_is_worth_more_than_they_are() {
    let refresh = |n: usize| "    session.refresh(session.token);\n".repeat(n);
    let short = |n| format!("pub fn refresh_session_{n}(session: Session) {{\n{}}}\n", refresh(5));
    let short: Vec<String> = (0..6).map(short).collect();
    let repo = repo("");
    repo.write("src/session.rs", short.join("\n").as_bytes());
    let long = format!("pub fn renew(session: Session) {{\n{}}}\n", refresh(60));
    repo.write("src/token.rs", long.as_bytes());
    for n in 0..20 {
        let wait = "    wait(9);\n".repeat(20);
        let text = format!("pub fn close_{n}(session: u32) {{\n{wait}}}\n");
        repo.write(&format!("src/close_{n}.rs"), text.as_bytes());
    }
    // The six short bodies have more worth per token, and leave too little room for the long one.
    let map = map(&repo, "goal: refresh the session\ncontext: {fill: all, tokens: 600}");
    assert!(map.text.contains(&refresh(60)), "{}", map.text);
    assert!(map.text.contains("fn refresh_session_0"), "{}", map.text);
    assert!(!map.text.contains("wait(9)"), "{}", map.text);
}
