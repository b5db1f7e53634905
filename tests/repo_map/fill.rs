//! `context.fill`: how much of the budget a map uses, and what gets a share of it first.

use insta::assert_snapshot;
use repo_map::plan::{ItemRule, Rule};
use repo_map::{
    Fill, FlightPlan, Level, LevelRange, Options, Replay, ReplayOutcome, RepoMap, RuleLayers,
    Sanitized,
};
use test_support::{Repo, repo};

use crate::{map, open, plan, run};

/// Two files about the goal, three that share a word with it, and one that shares none.
fn sessions() -> Repo {
    repo(concat!(
        "=== src/session.rs\n/// Refreshes an expired session.\n",
        "pub fn refresh_session(expired: bool) -> bool {\n    expired\n}\n",
        "=== src/refresh.rs\n/// Decides when an expired session is refreshed.\n",
        "pub fn session_refresh_due(expired: bool) -> bool {\n    !expired\n}\n",
        "=== src/paint.rs\n/// Paints again.\npub fn paint() -> u32 {\n    let refresh = 60;\n",
        "    refresh\n}\n",
        "=== src/clock.rs\n/// Ticks.\npub fn tick() -> u32 {\n    let expired = 1;\n",
        "    expired\n}\n",
        "=== src/log.rs\n/// Logs.\npub fn log(line: &str) -> usize {\n    // once a session\n",
        "    line.len()\n}\n",
        "=== src/math.rs\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n",
    ))
}

const GOAL: &str = "goal: refresh an expired session\n";

fn filled(repo: &Repo, fill: &str, rules: &str) -> RepoMap {
    map(repo, &format!("{GOAL}context: {{tokens: 2000, fill: {fill}}}\n{rules}"))
}

/// The paths with a block or line of their own.
fn shown(map: &RepoMap) -> Vec<&str> {
    let is_shown = |level: Level| level >= Level::Path;
    let files = map.files.iter().filter(|file| is_shown(file.level) || !file.items.is_empty());
    files.map(|file| file.path.as_str()).collect()
}

#[test]
fn near_leaves_out_what_needs_a_better_score_and_says_what_stays_free() {
    let repo = sessions();
    let near = filled(&repo, "near", "");
    for file in &near.files {
        let is_near = file.level >= Level::Path;
        assert_eq!(file.needs.is_some(), file.worth > 0 && !is_near, "{}", file.path);
        assert!(file.needs.is_none_or(|needs| needs > file.worth), "{} {}", file.path, file.worth);
    }
    assert_eq!(shown(&near), ["src/refresh.rs", "src/session.rs"]);
    let free = 2_000 - near.tokens;
    assert_eq!(
        near.unused().unwrap(),
        format!(
            "{free} of 2000 tokens stay free: `fill: near` leaves out 3 files with weaker \
             evidence (`fill: all` adds them)"
        )
    );
    assert_eq!(map(&repo, &format!("{GOAL}context: {{tokens: 2000}}")).text, near.text);
}

#[test]
fn a_file_of_middling_score_is_near_for_one_strong_item() {
    let repo = repo(concat!(
        "=== src/session.rs\n/// Refreshes an expired session.\n",
        "pub fn refresh_session(expired: bool) -> bool {\n    expired\n}\n",
        "=== src/expired_a.rs\n/// Refresh a session when the session has expired.\n",
        "pub fn keep(at: u64) -> u64 {\n    at\n}\n\npub fn size() -> u32 {\n    3\n}\n\n",
        "pub fn wide() -> u32 {\n    4\n}\n",
        "=== src/expired_b.rs\n/// When it is a session.\n",
        "pub fn keep(at: u64) -> u64 {\n    at\n}\n\n/// It is expired.\n",
        "pub fn size() -> u32 {\n    3\n}\n\n/// To refresh.\n",
        "pub fn wide() -> u32 {\n    4\n}\n",
        "=== src/math.rs\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n",
        "=== src/notes\nA session expired.\n",
    ));
    let at = |tokens: u32| map(&repo, &format!("{GOAL}context: {{tokens: {tokens}}}"));
    let two = ["src/expired_a.rs", "src/session.rs"];
    let near = (50..400).map(at).find(|map| shown(map) == two).unwrap();
    let of = |path: &str| near.files.iter().find(|file| file.path == path).unwrap();
    // Both have more than half of the best score.
    assert!(of("src/expired_b.rs").worth > Fill::Near.threshold(None));
    assert!(of("src/expired_b.rs").needs > Some(of("src/expired_b.rs").worth));
    // What has no items is measured by itself.
    assert_eq!(of("src/notes").needs, Some(Fill::Near.threshold(None)));
    // Where much of the budget is free, weaker files are shown too.
    assert_eq!(shown(&at(2000)), [two[0], "src/expired_b.rs", two[1]]);
}

#[test]
fn a_file_of_middling_score_is_shown_with_a_body_or_not_at_all() {
    let repo = repo(concat!(
        "=== src/session.rs\n/// Refreshes an expired session.\n",
        "pub fn refresh_session(expired: bool) -> bool {\n    expired\n}\n",
        "=== src/expired.rs\n/// Refresh a session when the session has expired.\n",
        "pub fn keep(at: u64) -> u64 {\n",
        "    let at = at + 1;\n    let at = at * 2;\n    let at = at - 3;\n    at\n}\n\n",
        "pub fn size(high: u32, wide: u32) -> u32 {\n    high * wide\n}\n",
    ));
    let of = |tokens: u32, more: &str| {
        let map = map(&repo, &format!("{GOAL}context: {{tokens: {tokens}{more}}}"));
        let file = map.files.iter().find(|file| file.path == "src/expired.rs").unwrap();
        (map.text.contains("fn keep"), map.text.contains("at - 3"), file.needs_body)
    };
    let narrow = (1..200).find(|tokens| of(*tokens, ", fill: all").0).unwrap();
    assert_eq!(of(narrow, ", fill: all"), (true, false, false), "its signature alone");
    for tokens in narrow..200 {
        let (is_named, has_body, needs_body) = of(tokens, "");
        assert!(needs_body && is_named == has_body, "{tokens}");
    }
    assert!(of(200, "").1);
    let args = ["explain", "src/expired.rs", "--goal", "refresh an expired session", "--tokens"];
    let said = run(&repo, &[&args[..], &["60"]].concat()).stdout;
    assert!(said.contains("of this score only with the body of an item"), "{said}");
}

#[test]
fn a_file_of_middling_score_without_any_body_is_shown_by_its_constants() {
    let repo = repo(concat!(
        "=== src/session.rs\n/// Refreshes an expired session.\n",
        "pub fn refresh_session(expired: bool) -> bool {\n    expired\n}\n",
        "=== src/limits.rs\n/// Refresh a session when the session has expired.\n",
        "pub const EXPIRED: u64 = 4;\n\npub const HIGH: u32 = 3;\n\npub const WIDE: u32 = 5;\n",
    ));
    let near = filled(&repo, "near", "");
    let file = near.files.iter().find(|file| file.path == "src/limits.rs").unwrap();
    assert!(file.worth < 600_000 && file.needs.is_none(), "{} {:?}", file.worth, file.needs);
    assert!(!file.needs_body && near.text.contains("EXPIRED: u64"), "{}", near.text);
}

/// A file near the goal, of which one function is.
fn long_file() -> Repo {
    let paint = |n| format!("pub fn paint_{n}(at: u32) -> u32 {{\n    at + {n}\n}}\n\n");
    repo(&format!(
        "=== src/session.rs\n/// Refreshes an expired session.\n{}{}{}",
        "pub fn refresh_expired_session(session: u32) -> u32 {\n    session\n}\n\n",
        (0..8).map(paint).collect::<String>(),
        "=== src/math.rs\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n",
    ))
}

#[test]
fn near_shows_no_weak_items_of_a_file_that_is_near() {
    let repo = long_file();
    let near = filled(&repo, "near", "");
    assert!(near.text.contains("fn refresh_expired_session"), "{}", near.text);
    assert!(!near.text.contains("fn paint_"), "{}", near.text);
    let said = near.unused().unwrap();
    assert!(said.contains("leaves out 8 items with weaker evidence"), "{said}");
    assert!(filled(&repo, "all", "").text.contains("fn paint_7"));
    // What a rule asks for is shown, whatever its score.
    let rules = "rules:\n- {path: src/session.rs, items: [{name: paint_3, level: full}]}\n";
    let asked = filled(&repo, "near", rules);
    assert!(asked.text.contains("at + 3") && !asked.text.contains("at + 4"), "{}", asked.text);
    let explain = |item: &str| {
        let args = ["explain", item, "--goal", "refresh an expired session", "--tokens", "2000"];
        run(&repo, &args).stdout
    };
    let weak = explain("src/session.rs#paint_3");
    assert!(weak.contains("`fill: near` asks this item for a score of 0.30"), "{weak}");
    assert!(!explain("src/session.rs#refresh_expired_session").contains("asks this"));
}

#[test]
fn a_file_that_the_goal_quotes_is_shown_whatever_its_score() {
    let repo = sessions();
    let goal = |more: &str| format!("goal: 'refresh an expired session{more}'\n");
    let of = |more: &str| map(&repo, &format!("{}context: {{tokens: 2000}}\n", goal(more)));
    assert!(!shown(&of("")).contains(&"src/paint.rs"));
    assert!(shown(&of(", as src/paint.rs does")).contains(&"src/paint.rs"));
    assert!(shown(&of(" at src/clock.rs:3")).contains(&"src/clock.rs"));
}

#[test]
fn what_a_rule_keeps_out_is_not_left_out_for_its_evidence() {
    let rules = "rules:\n- {path: '**', level: exclude..full}\n- {path: src/paint.rs, level: \
                 exclude}\n- {path: src/clock.rs, level: ..fold}\n";
    let near = filled(&sessions(), "near", rules);
    let left_out = near.files.iter().filter(|file| file.needs.is_some());
    let left_out: Vec<&str> = left_out.map(|file| file.path.as_str()).collect();
    assert_eq!(left_out, ["src/log.rs", "src/math.rs"]);
    assert!(near.unused().unwrap().contains("leaves out 1 file with"), "{:?}", near.unused());
}

#[test]
fn all_shows_everything_with_evidence() {
    let all = filled(&sessions(), "all", "");
    assert_eq!(shown(&all).len(), 6, "{}", all.text);
    assert_eq!(all.unused(), None);
}

#[test]
fn none_shows_what_was_asked_for_and_for_a_goal_alone_the_best() {
    let repo = sessions();
    let best = filled(&repo, "none", "");
    let is_best = |path: &&str| {
        best.files
            .iter()
            .any(|file| file.path == **path && file.worth >= Fill::None.threshold(None))
    };
    assert!(!shown(&best).is_empty() && shown(&best).iter().all(is_best), "{}", best.text);
    let rules = "rules:\n- {path: '**', level: exclude..full}\n- {path: src/math.rs, level: \
                 outline..full}\n- {path: src/log.rs, items: [{name: log, level: full}]}\n";
    assert_snapshot!(filled(&repo, "none", rules).text, @"
    # Repository map
    ## src/log.rs
    ```rust
    ⋮
    /// Logs.
    pub fn log(line: &str) -> usize {
        // once a session
        line.len()
    }
    ```
    ## src/math.rs
    ```rust
    fn add
    ```
    ## Left out
    Not shown: 4 files (src/ 4).
    ");
}

#[test]
fn near_shows_whatever_was_asked_for() {
    let repo = sessions();
    let rules = "rules:\n- {path: '**', level: exclude..full}\n- {path: src/math.rs, level: \
                 outline..full}\n";
    let asked = filled(&repo, "near", rules);
    assert_eq!(shown(&asked), ["src/math.rs", "src/refresh.rs", "src/session.rs"]);

    let plan = plan(&format!("{GOAL}context: {{tokens: 2000}}"));
    let focus = vec!["src/math.rs".to_owned()];
    let options = Options { focus, history: false, ..Options::default() };
    let judged = repo_map::open(repo.path(), &plan, &options).unwrap();
    // What matches the goal is measured by its own best, not by the file in focus.
    let focused = judged.map(RuleLayers::default()).unwrap();
    assert_eq!(shown(&focused), ["src/math.rs", "src/refresh.rs", "src/session.rs"]);
}

#[test]
fn without_a_goal_or_evidence_near_fills_the_budget() {
    let repo = sessions();
    for goal in ["", "goal: xylophone\n"] {
        let by = |fill: &str| {
            map(&repo, &format!("{goal}context: {{tokens: 2000, fill: {fill}}}")).text.to_string()
        };
        assert_eq!(by("near"), by("all"), "{goal}");
    }
}

#[test]
fn a_flown_plan_keeps_its_fill_and_replays_whatever_it_is() {
    let repo = sessions();
    let again = |plan: &FlightPlan| -> Sanitized {
        match Replay::of(plan).at(repo.path()).run().unwrap().outcome {
            ReplayOutcome::Identical { text, .. } => text,
            other => panic!("{other:?}"),
        }
    };
    for fill in Fill::ALL {
        let map = filled(&repo, fill.as_str(), "");
        assert_eq!(map.flown.context.fill, fill);
        let mut flown = FlightPlan::from_yaml("flown", &map.flown.to_yaml()).unwrap();
        assert_eq!(again(&flown), map.text);
        // The levels of a flown plan are exact: nothing is left to fill.
        flown.context.fill = Fill::All;
        assert_eq!(again(&flown), map.text);
    }
}

#[test]
fn the_fill_of_one_map_may_differ_from_the_plan() {
    let repo = sessions();
    let plan = plan(&format!("{GOAL}context: {{tokens: 2000}}"));
    let judged = open(&repo, &plan);
    let all = judged.map_filled(RuleLayers::default(), 2_000, Fill::All).unwrap();
    assert_eq!(all.text, filled(&repo, "all", "").text);
    assert_eq!(all.flown.context.fill, Fill::All);
}

/// Three files about the goal whose items compete for a small budget.
fn wide_sessions() -> Repo {
    let file = |name: &str, n: usize| {
        let of = |at: usize| {
            let body = format!("    let expired = {at};\n").repeat(3 + at % 4);
            format!(
                "/// Refreshes an expired session.\npub fn refresh_{name}_{at}() {{\n{body}}}\n"
            )
        };
        let items: String = (0..n).map(of).collect();
        format!("=== src/{name}/session.rs\n//! Sessions that expire.\n{items}")
    };
    repo(&[file("web", 6), file("user", 5), file("cookie", 4)].concat())
}

/// Rules as a pilot has them: some files open, the rest folded, then `more`.
fn draft(more: &[Rule]) -> Vec<Rule> {
    let to = |ceiling: Level| LevelRange { floor: Level::Exclude, ceiling };
    let open = |name: &str| Rule::new(format!("/src/{name}/session.rs"), to(Level::Full));
    let opened = ["web", "user", "cookie"].map(open);
    let opened = opened.into_iter().filter(|rule| more.iter().all(|one| one.path != rule.path));
    let mut rules = vec![Rule::new("**", to(Level::Fold))];
    rules.extend(opened);
    rules.extend_from_slice(more);
    rules
}

#[test]
fn with_none_what_a_pilot_lowers_leaves_its_tokens_free() {
    let repo = wide_sessions();
    let judged = open(&repo, &plan(GOAL));
    let exactly = |path: &str, level: Level| Rule::new(path, LevelRange::exactly(level));
    let item = ItemRule { name: "refresh_web_0".to_owned(), level: Level::Exclude };
    let of_item = Rule {
        level: Some(LevelRange { floor: Level::Exclude, ceiling: Level::Full }),
        items: Some(vec![item]),
        ..exactly("/src/web/session.rs", Level::Full)
    };
    let lowerings = [
        exactly("/src/web/session.rs", Level::Exclude),
        exactly("/src/web/session.rs", Level::Fold),
        exactly("/src/web/", Level::Fold),
        of_item,
    ];
    let mut n_freed = 0;
    for tokens in (60..900).step_by(20) {
        let before = judged.map_within(RuleLayers { person: &[], pilot: &draft(&[]) }, tokens);
        let before = before.unwrap();
        for lowering in &lowerings {
            let rules = draft(std::slice::from_ref(lowering));
            let layers = RuleLayers { person: &[], pilot: &rules };
            let after = judged.map_held(layers, tokens, Some(&before.flown.rules)).unwrap();
            for (was, is) in before.files.iter().zip(&after.files) {
                let said = format!("{tokens} {lowering:?}\n{}\n{}", before.text, after.text);
                if !is.path.starts_with("src/web") {
                    // In the least budgets a folder's line takes more than the file's path gave.
                    let is_same = (was.level, &was.items) == (is.level, &is.items);
                    assert!(is_same || tokens < 300 && is.tokens <= was.tokens, "{said}");
                    continue;
                }
                let had =
                    |of: &(u32, u32)| was.spans.iter().any(|span| span.0 <= of.0 && of.1 <= span.1);
                assert!(is.spans.iter().all(had), "{said}");
                assert!(is.tokens <= was.tokens, "{said}");
                n_freed += usize::from(is.tokens < was.tokens);
            }
            assert_eq!((after.conflict, after.flown.context.fill), (None, Fill::None));
        }
    }
    assert!(n_freed > 40, "{n_freed}");
}

#[test]
fn with_none_a_wish_takes_away_no_more_than_the_room_it_needs() {
    let repo = wide_sessions();
    let judged = open(&repo, &plan(GOAL));
    let any = LevelRange { floor: Level::Exclude, ceiling: Level::Full };
    let with_item = |path: &str, name: &str, level: Level| Rule {
        items: Some(vec![ItemRule { name: name.to_owned(), level }]),
        ..Rule::new(path, any)
    };
    let wish = with_item("/src/cookie/session.rs", "refresh_cookie_3", Level::Full);
    let lowering = with_item("/src/web/session.rs", "refresh_web_0", Level::Exclude);
    let map = |more: &[Rule], tokens: u32, shown: Option<&RepoMap>| {
        let (pilot, shown) = (draft(more), shown.map(|map| map.flown.rules.as_slice()));
        judged.map_held(RuleLayers { person: &[], pilot: &pilot }, tokens, shown).unwrap()
    };
    for tokens in (300..900).step_by(20) {
        let before = map(&[], tokens, None);
        let after = map(&[wish.clone(), lowering.clone()], tokens, Some(&before));
        assert!(after.text.contains("fn refresh_cookie_3() {\n"), "{tokens} {}", after.text);
        assert!(after.tokens <= tokens && !after.text.contains("refresh_web_0"), "{}", after.text);
        // What is left falls for the room that the wish takes, and by one body at most beyond it.
        let of_user = |map: &RepoMap| map.files[1].tokens;
        let fell = of_user(&before).saturating_sub(of_user(&after));
        assert!(fell <= 120 && of_user(&after) <= of_user(&before), "{tokens} {}", after.text);
    }
}

#[test]
fn with_none_a_file_that_is_lowered_around_a_wish_gives_nothing_to_others() {
    let repo = wide_sessions();
    let judged = open(&repo, &plan(GOAL));
    let exactly = LevelRange::exactly;
    let of_web = |name: &str, level: LevelRange| Rule {
        items: Some(vec![ItemRule { name: name.to_owned(), level: Level::Full }]),
        ..Rule::new("/src/web/session.rs", level)
    };
    let alone = LevelRange { floor: Level::Exclude, ceiling: Level::Path };
    let map = |more: &[Rule], tokens: u32, shown: Option<&RepoMap>| {
        let (pilot, shown) = (draft(more), shown.map(|map| map.flown.rules.as_slice()));
        judged.map_held(RuleLayers { person: &[], pilot: &pilot }, tokens, shown).unwrap()
    };
    let levels = |map: &RepoMap, of: &str| {
        let file = map.files.iter().find(|file| file.path.starts_with(of)).unwrap();
        (file.level, file.items.clone())
    };
    let mut n_freed = 0;
    for (tokens, level) in (300..900).step_by(20).flat_map(|tokens| {
        [alone, exactly(Level::Path), exactly(Level::Outline)].map(|level| (tokens, level))
    }) {
        let before = map(&[], tokens, None);
        let first = [of_web("refresh_web_1", level)];
        let after = map(&first, tokens, Some(&before));
        let said = format!("{tokens} {level}\n{}\n{}", before.text, after.text);
        assert!(after.text.contains("fn refresh_web_1() {\n"), "{said}");
        assert_eq!(
            after.text.matches("fn refresh_web_").count() > 1,
            level.floor >= Level::Outline
        );
        for (was, is) in before
            .files
            .iter()
            .zip(&after.files)
            .filter(|(was, _)| was.path != "src/web/session.rs")
        {
            let is_same = (was.level, &was.items) == (is.level, &is.items);
            let lost = was.tokens.saturating_sub(is.tokens);
            assert!(is_same || is.tokens < was.tokens && tokens - after.tokens < lost, "{said}");
        }
        n_freed += usize::from(after.tokens < before.tokens);
        // What fell for the wish does not come back when something else is lowered.
        let user = Rule::new("/src/user/session.rs", exactly(Level::Fold));
        let next = map(&[first[0].clone(), user], tokens, Some(&after));
        for path in ["src/web", "src/cookie"] {
            assert_eq!(levels(&next, path), levels(&after, path), "{said}\n{}", next.text);
        }
    }
    assert!(n_freed > 40, "{n_freed}");
}

#[test]
fn what_a_pilot_lowers_is_still_what_near_measures_by() {
    let repo = sessions();
    let judged = open(&repo, &plan(&format!("{GOAL}context: {{tokens: 2000}}")));
    let folded = |path: &str| Rule::new(path, LevelRange::exactly(Level::Fold));
    let rules =
        [Rule::new("**", LevelRange::ANY), folded("/src/session.rs"), folded("/src/refresh.rs")];
    let left = judged.map(RuleLayers { person: &[], pilot: &rules }).unwrap();
    assert!(shown(&left).is_empty(), "{}", left.text);
    // The person's rules say what there is to measure by.
    let person = judged.map(RuleLayers { person: &rules, pilot: &[] }).unwrap();
    assert!(!shown(&person).is_empty(), "{}", person.text);
}

#[test]
fn the_flag_wins_over_the_plan() {
    let repo = sessions();
    repo.write("p.yaml", format!("version: 1\n{GOAL}context: {{fill: all}}").as_bytes());
    let plan = &["--plan", "p.yaml", "--tokens", "2000"][..];
    let near = run(&repo, &[plan, &["--fill", "near"]].concat());
    let all = run(&repo, plan);
    assert!(!near.stdout.contains("src/math.rs") && all.stdout.contains("src/math.rs"));
    let wrong = run(&repo, &["--fill", "some"]);
    assert!(wrong.stderr.contains("[possible values: none, near, all]"), "{}", wrong.stderr);
}

#[test]
fn a_full_item_comes_with_the_head_of_its_type_and_the_rest_is_counted() {
    let repo = repo(concat!(
        "=== session.py\nclass Session(Base):\n    \"\"\"A login.\"\"\"\n\n",
        "    def refresh(self):\n        return self.token\n\n    def end(self):\n        pass\n\n",
        "    def start(self):\n        pass\n\n\ndef other():\n    pass\n",
        "=== session.rs\npub struct Session;\n\nimpl<T> Refresh<T> for Session {\n",
        "    fn refresh(&self) -> bool {\n        true\n    }\n\n    fn end(self) {}\n}\n",
    ));
    let rules = |class: &str| {
        let named = "{name: refresh, level: full}";
        format!(
            "rules:\n- {{path: session.py, level: path, items: [{named}{class}]}}\n\
             - {{path: session.rs, level: path, items: [{named}]}}\n"
        )
    };
    assert_snapshot!(map(&repo, &rules("")).text, @r#"
    # Repository map
    ## session.py
    ```python
    class Session(Base):
        """A login."""
        def refresh(self):
            return self.token
    … 3 more
    ```
    ## session.rs
    ```rust
    impl<T> Refresh<T> for Session {
        fn refresh(&self) -> bool {
            true
        }
    }
    … 2 more
    ```
    "#);
    // A rule for the type itself wins.
    let named = map(&repo, &rules(", {name: Session, level: outline}"));
    assert!(named.text.contains("class Session\n    def refresh"), "{}", named.text);
}
