//! A map is never larger than its budget, and its sizes are true.

use std::collections::BTreeMap;

use insta::assert_snapshot;
use proptest::prelude::*;
use proptest::sample::select;
use repo_map::plan::{Context, Rule};
use repo_map::{
    FileReport, FlightPlan, Format, Level, LevelRange, PartKind, RuleOrigin, Tokenizer,
};
use test_support::{Repo, random, repo};

use crate::maps::{self, cases};
use crate::{fly, map, open, plan};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { max_shrink_iters: 2_000, ..random::config(cases) }
}

const FORMS: [(Tokenizer, Format); 6] = [
    (Tokenizer::O200kBase, Format::Markdown),
    (Tokenizer::O200kBase, Format::Xml),
    (Tokenizer::Cl100kBase, Format::Markdown),
    (Tokenizer::Cl100kBase, Format::Xml),
    (Tokenizer::BytesDiv4, Format::Markdown),
    (Tokenizer::BytesDiv4, Format::Xml),
];

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn a_map_is_within_budget_and_its_size_is_the_count_of_its_text(case in cases()) {
        let repo = case.repo();
        for (tokenizer, format) in FORMS {
            let mut plan = case.plan.clone();
            plan.context.tokenizer = tokenizer;
            plan.context.format = format;
            maps::is_within_budget_and_its_size_is_the_count_of_its_text(&repo, &plan);
        }
    }

    #[test]
    fn the_same_bytes_come_from_any_number_of_threads(case in cases()) {
        maps::is_the_same_from_any_number_of_threads(&case.repo(), &case.plan);
    }

    #[test]
    fn a_flown_plan_written_out_and_read_back_replays_to_the_same_bytes(case in cases()) {
        maps::replays_to_the_same_bytes_once_its_plan_was_written_out_and_read_back(
            &case.repo(),
            &case.plan,
        );
    }

    #[test]
    fn a_floor_that_is_not_met_is_a_conflict_and_nothing_else_is(case in cases()) {
        let repo = case.repo();
        let mut plan = case.plan.clone();
        plan.rules.iter_mut().for_each(|rule| rule.items = None);
        let map = fly(&repo, &plan);
        let floor = |file: &FileReport| match file.rule {
            Some(RuleOrigin::Person(rule)) => {
                plan.rules[rule].level.map_or(Level::Exclude, |range| range.floor)
            }
            _ => Level::Exclude,
        };
        // A file without the level that its floor asks for is content with its path.
        let is_met = |file: &FileReport| {
            file.level >= floor(file) || file.level == Level::Path && file.mark.is_some()
        };
        let below: Vec<&String> =
            map.files.iter().filter(|file| !is_met(file)).map(|file| &file.path).collect();
        match &map.conflict {
            None => prop_assert_eq!(below, Vec::<&String>::new(), "{}", map.text),
            Some(conflict) if conflict.below_floor.is_empty() => {
                prop_assert_eq!(map.text, "", "{:?}", conflict)
            }
            Some(conflict) => {
                let named: Vec<_> = conflict.below_floor.iter().collect();
                prop_assert_eq!(named, below, "{}", map.text)
            }
        }
    }

    #[test]
    fn the_budget_a_conflict_names_ends_the_conflict(case in cases()) {
        let repo = case.repo();
        if let Some(conflict) = fly(&repo, &case.plan).conflict {
            let mut plan = case.plan.clone();
            plan.context.tokens = conflict.needed;
            let map = fly(&repo, &plan);
            prop_assert_eq!(map.conflict, None, "needed {}", conflict.needed);
        }
    }
}

/// The levels that a file is shown at.
const SHOWN: [Level; 5] = [Level::Path, Level::Outline, Level::Interface, Level::Body, Level::Full];

fn exact(files: &BTreeMap<String, String>, levels: &[Level], context: &Context) -> FlightPlan {
    let mut plan = plan("");
    plan.context = Context { tokens: 1_000_000, ..context.clone() };
    let rule = |(path, level): (&String, &Level)| {
        Rule::new(
            repo_map::plan::exact_glob(&path.replace('\\', "\\\\")),
            LevelRange::exactly(*level),
        )
    };
    plan.rules = files.keys().zip(levels.iter().cycle()).map(rule).collect();
    plan
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn lowering_a_level_never_grows_the_map(
        case in cases(),
        levels in prop::collection::vec(select(&SHOWN[..]), 14),
        which in any::<prop::sample::Index>(),
    ) {
        let mut context = case.plan.context.clone();
        if context.tokenizer == Tokenizer::BytesDiv4 {
            // The estimate rounds every block up, so that many small blocks can come out larger
            // than one of the same text.
            context.tokenizer = Tokenizer::O200kBase;
        }
        let repo = case.repo();
        let higher = fly(&repo, &exact(&case.files, &levels, &context));
        let which = which.index(case.files.len());
        for lower in SHOWN.into_iter().filter(|level| *level < levels[which]) {
            let mut levels = levels.clone();
            levels[which] = lower;
            let lowered = fly(&repo, &exact(&case.files, &levels, &context));
            prop_assert!(
                lowered.tokens <= higher.tokens,
                "{lower}: {} tokens, higher: {}\n{}\n{}",
                lowered.tokens,
                higher.tokens,
                lowered.text,
                higher.text
            );
        }
    }

    #[test]
    fn prices_are_the_sizes_that_files_have_in_a_map(case in cases()) {
        let repo = case.repo();
        for level in SHOWN {
            let plan = exact(&case.files, &[level], &case.plan.context);
            let map = fly(&repo, &plan);
            let files = map.parts.iter().filter(|part| part.kind == PartKind::File);
            let sizes: BTreeMap<&str, u32> =
                files.map(|part| (part.path.as_str(), part.tokens)).collect();
            let prices = repo_map::report::prices::prices(&open(&repo, &plan));
            for price in prices.iter().filter(|price| !price.path.ends_with('/')) {
                if let Some(tokens) = price.tokens.get(&level) {
                    let size = sizes.get(price.path.as_str());
                    prop_assert_eq!(Some(tokens), size, "{} at {}", &price.path, level);
                }
            }
        }
    }
}

const SMALL: &str = "\
=== src/a.rs
/// Adds.
pub fn add(a: u32, b: u32) -> u32 {
    a + b
}
=== src/b.rs
pub fn subtract(a: u32, b: u32) -> u32 {
    a - b
}
=== README.md
# Numbers
";

#[test]
fn a_tiny_budget_gives_up_the_footer_then_the_header_then_the_text() {
    let repo = repo(SMALL);
    let mut out = String::new();
    for tokens in [0, 1, 2, 3, 4, 5, 10, 20, 40] {
        let map = map(&repo, &format!("context: {{tokens: {tokens}}}"));
        assert!(map.tokens <= tokens);
        let conflict =
            map.conflict.map_or(String::new(), |conflict| format!("{}\n", conflict.message));
        out.push_str(&format!("--- {tokens}: {}\n{conflict}{}", map.tokens, map.text));
    }
    assert_snapshot!(out, @"
    --- 0: 0
    constraint conflict: a budget of 0 tokens holds no line of a map; the least is 4, better are \
    some thousands
    --- 1: 0
    constraint conflict: a budget of 1 tokens holds no line of a map; the least is 4, better are \
    some thousands
    --- 2: 0
    constraint conflict: a budget of 2 tokens holds no line of a map; the least is 4, better are \
    some thousands
    --- 3: 0
    constraint conflict: a budget of 3 tokens holds no line of a map; the least is 4, better are \
    some thousands
    --- 4: 4
    - README.md
    --- 5: 4
    - README.md
    --- 10: 8
    # Repository map
    - README.md
    --- 20: 18
    # Repository map
    ## README.md (full)
    ```markdown
    # Numbers
    ```
    --- 40: 36
    # Repository map
    ## README.md (full)
    ```markdown
    # Numbers
    ```
    ## src/a.rs
    ```rust
    fn add
    ```
    - src/b.rs
    ");
}

#[test]
fn an_xml_map_closes_what_it_opens_at_any_budget() {
    let repo = repo(SMALL);
    for tokens in 0..120 {
        let text = map(&repo, &format!("context: {{tokens: {tokens}, format: xml}}")).text;
        assert_eq!(
            text.matches("<map>").count(),
            text.matches("</map>").count(),
            "{tokens} tokens:\n{text}"
        );
    }
}

#[test]
fn a_budget_large_enough_shows_everything_and_leaves_nothing_out() {
    assert_snapshot!(map(&repo(SMALL), "context: {tokens: 10000}").text, @"
    # Repository map
    ## README.md (full)
    ```markdown
    # Numbers
    ```
    ## src/a.rs (full)
    ```rust
    /// Adds.
    pub fn add(a: u32, b: u32) -> u32 {
        a + b
    }
    ```
    ## src/b.rs (full)
    ```rust
    pub fn subtract(a: u32, b: u32) -> u32 {
        a - b
    }
    ```
    ");
}

#[test]
fn a_range_climbs_to_its_ceiling_when_there_is_room() {
    let repo = repo(
        "=== a.rs\nfn a() {}\n=== b.py\nx = 1\n=== c.md\n# Title\n=== d.txt\nwords\n=== \
         e.json\n{\"a\": 1}\n",
    );
    for goal in ["", "goal: title words a b c d e\n"] {
        let map = map(
            &repo,
            &format!(
                "{goal}context: {{tokens: 10000}}\nrules: [{{path: '**', level: path..full}}]"
            ),
        );
        let levels: Vec<(&str, Level)> =
            map.files.iter().map(|file| (file.path.as_str(), file.level)).collect();
        assert_eq!(
            levels,
            ["a.rs", "b.py", "c.md", "d.txt", "e.json"].map(|path| (path, Level::Full)),
            "{goal}"
        );
    }
}

#[test]
fn prices_are_those_of_the_map_for_text_under_a_binary_extension_too() {
    let repo = repo("=== a.bin\nplain text\n");
    let plan = plan("context: {tokens: 10000}");
    let price = repo_map::report::prices::prices(&open(&repo, &plan))
        .into_iter()
        .find(|price| price.path == "a.bin")
        .unwrap();
    let map = map(&repo, "context: {tokens: 10000}\nrules: [{path: '**', level: path}]");
    let part = map.parts.iter().find(|part| part.kind == PartKind::File).unwrap();
    assert_eq!(price.tokens.get(&Level::Path), Some(&part.tokens), "{}", map.text);
}

#[test]
fn lowering_functions_without_a_body_never_grows_the_map() {
    let repo = repo("=== a.rs\nfn a() {}\nfn b() {}\nfn c() {}\nfn d() {}\nfn e() {}\nfn f() {}\n");
    let at = |level: Level| map(&repo, &format!("rules: [{{path: '**', level: {level}}}]"));
    let (interface, full) = (at(Level::Interface), at(Level::Full));
    assert!(
        interface.tokens <= full.tokens,
        "{} > {}\n{}{}",
        interface.tokens,
        full.tokens,
        interface.text,
        full.text
    );
}

#[test]
fn lowering_documented_items_that_hide_nothing_grows_the_map_by_no_more_than_its_joints() {
    let repo = repo(&format!("=== a.rs\n{}", "/// One.\nconst A: u8 = 1;\n".repeat(6)));
    let at = |level: Level| map(&repo, &format!("rules: [{{path: '**', level: {level}}}]"));
    let (interface, full) = (at(Level::Interface), at(Level::Full));
    // A block that would begin with a slash begins with `⋮` instead; where nothing is elided that
    // is the dearer form.
    let joints = 2 * interface.text.matches("⋮\n").count() as u32;
    assert!(
        interface.tokens <= full.tokens + joints,
        "{} > {}\n{}{}",
        interface.tokens,
        full.tokens,
        interface.text,
        full.text
    );
}

#[test]
fn a_fold_that_does_not_fit_is_a_conflict_too() {
    let repo = repo("=== a/x.rs\n=== b/y.rs\n=== c.rs\nfn c() {}\n");
    for tokens in 0..80 {
        let map = map(
            &repo,
            &format!(
                "context: {{tokens: {tokens}}}\nrules:\n- {{path: '**', level: fold}}\n- {{path: \
                 c.rs, level: ..full}}\n"
            ),
        );
        let is_met = map.files.iter().all(|file| file.path == "c.rs" || file.level == Level::Fold);
        assert_eq!(
            map.conflict.is_none(),
            is_met,
            "{tokens} tokens: {:?}\n{}",
            map.conflict,
            map.text
        );
    }
}

#[test]
fn floors_that_do_not_fit_are_a_conflict_with_the_budget_that_ends_it() {
    let repo = repo(SMALL);
    let at = |tokens: u32| {
        map(&repo, &format!("context: {{tokens: {tokens}}}\nrules: [{{path: src, level: full}}]"))
    };
    let conflict = at(30).conflict.unwrap();
    assert_snapshot!(format!("{}\n{:?}\n{}", conflict.message, conflict.below_floor, at(30).text), @r#"
    constraint conflict: what must be shown needs 73 tokens, the budget is 30; raise it to 73, or lower a floor (the dearest: `src/a.rs` at full costs 38)
    ["src/a.rs", "src/b.rs"]
    # Repository map
    - ./ +1 file
    - src/a.rs
    - src/b.rs
    "#);
    assert_eq!(at(conflict.needed).conflict, None);
}

#[test]
fn the_budget_a_conflict_names_is_the_least_that_ends_it() {
    let repo = repo(SMALL);
    let at = |tokens: u32| {
        map(&repo, &format!("context: {{tokens: {tokens}}}\nrules: [{{path: src, level: full}}]"))
    };
    let least = (0..).find(|tokens| at(*tokens).conflict.is_none()).unwrap();
    assert_eq!(at(30).conflict.unwrap().needed, least);
}

#[test]
fn of_items_that_rules_ask_for_some_are_shown_where_not_all_fit() {
    let body = |name: &str| {
        let lines: String = (0..15).map(|n| format!("    let {name}_{n} = {n};\n")).collect();
        format!("pub fn {name}() {{\n{lines}}}\n\n")
    };
    let names = ["one", "two", "three"];
    let repo = repo("");
    repo.write("a.rs", names.map(body).concat().as_bytes());
    let items = names.map(|name| format!("{{name: {name}, level: full}}")).join(", ");
    let at = |tokens: u32| {
        let rule = format!("{{path: a.rs, items: [{items}]}}");
        let rules = format!("rules: [{{path: '**', level: exclude..full}}, {rule}]");
        map(&repo, &format!("context: {{tokens: {tokens}}}\n{rules}"))
    };
    let needed = at(30).conflict.unwrap().needed;
    let shown = |tokens: u32| {
        let map = at(tokens);
        assert_eq!(map.conflict.is_none(), tokens >= needed);
        let n_signatures = names.iter().filter(|name| map.text.contains(&format!("fn {name}()")));
        let n_bodies = names.iter().filter(|name| map.text.contains(&format!("{name}_14")));
        (n_signatures.count(), n_bodies.count())
    };
    assert_eq!(shown(needed), (3, 3));
    assert_eq!(shown(needed - 1), (3, 2));
    assert_eq!(shown(needed / 2), (3, 1));
}

/// 300 files in 20 folders, a few functions each.
fn many() -> Repo {
    let repo = repo("");
    for n in 0..300 {
        let functions: String = (0..1 + n % 7)
            .map(|f| {
                format!(
                    "/// Refreshes session {f} of part {n}.\n\
                     pub fn refresh_session_{n}_{f}(seconds: u32) -> u32 {{\n    \
                     let left = seconds + {f};\n    left * {n}\n}}\n\n"
                )
            })
            .collect();
        repo.write(&format!("part{}/file{n}.rs", n % 20), functions.as_bytes());
    }
    repo
}

#[test]
fn while_something_is_worth_showing_nearly_all_of_the_budget_is_used() {
    let repo = many();
    let mut used = Vec::new();
    for goal in ["", "goal: refresh the session\n"] {
        for tokens in [500, 2_000, 8_000] {
            let map = map(&repo, &format!("{goal}context: {{tokens: {tokens}}}"));
            assert!(map.tokens <= tokens);
            assert_eq!(Tokenizer::O200kBase.count(&map.text), map.tokens);
            used.push((tokens, map.tokens));
        }
    }
    let too_few: Vec<_> = used.iter().filter(|(budget, used)| used * 100 < budget * 95).collect();
    assert_eq!(too_few, Vec::<&(u32, u32)>::new(), "all: {used:?}");
}

#[test]
fn the_named_budget_holds_lines_that_count_more_files_than_rules_ask_for() {
    let repo = repo("");
    for n in 0..1_200 {
        repo.write(&format!("parts/of/the/engine/{n}.rs"), b"fn part() {}\n");
    }
    repo.write("other/notes/b.rs", b"fn b() { todo!() }\n");
    repo.write("other/notes/c.txt", b"c\n");
    let rules = "rules:\n- {path: '**', level: ..fold}\n- {path: /parts/of/the/engine/7.rs, \
                 level: fold}\n- {path: other/notes/b.rs, level: full}\n- {path: c.txt, level: \
                 fold}\n";
    let at = |tokens: u32| map(&repo, &format!("context: {{tokens: {tokens}}}\n{rules}")).conflict;
    let least = (0..).find(|tokens| at(*tokens).is_none()).unwrap();
    let named: Vec<u32> = (0..least).filter_map(|tokens| Some(at(tokens)?.needed)).collect();
    assert_eq!(named, vec![least; least as usize]);
}

#[test]
fn a_conflict_of_an_item_names_the_item() {
    let repo = repo(concat!(
        "=== a.rs\nfn small() {\n    1;\n}\n\n",
        "fn large() {\n    first();\n    second();\n    third();\n    fourth();\n}\n",
    ));
    let rules = "rules: [{path: a.rs, level: ..full, items: [{name: small, level: full}, {name: \
                 large, level: full}]}]";
    let conflict = map(&repo, &format!("context: {{tokens: 20}}\n{rules}")).conflict.unwrap();
    assert_snapshot!(
        conflict.message,
        @"constraint conflict: what must be shown needs 35 tokens, the budget is 20; raise it to \
        35, or lower a floor (the dearest: `a.rs#large` at full costs 17)"
    );
}
