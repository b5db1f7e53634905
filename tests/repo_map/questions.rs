//! What is known of a judged tree is asked through a shared reference, from any number of threads,
//! and only with maps of that tree.

use repo_map::html::PageInput;
use repo_map::report::json;
use repo_map::{Error, Judged, Level, LevelRange, RepoMap, RuleLayers, cost, explain, html};
use test_support::{Repo, repo, service};

use crate::{open, plan};

const GOAL: &str = "goal: where are sessions refreshed?";

fn judged(repo: &Repo) -> Judged {
    open(repo, &plan(GOAL))
}

#[test]
fn what_was_judged_and_its_maps_can_be_shared_by_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Judged>();
    is_shared::<RepoMap>();
    is_shared::<repo_map::Tree>();
}

/// Every question that has prices or outlines behind it, in one text.
fn answers(judged: &Judged) -> String {
    let map = judged.map(RuleLayers::default()).unwrap();
    let small = judged.map_within(RuleLayers::default(), 60).unwrap();
    let mut answers = format!("{}{}{:?}", map.text, small.text, map.flown);
    for file in &map.files {
        let explained = explain::explain(judged, &file.path, RuleLayers::default()).unwrap();
        answers += &serde_json::to_string(&explained).unwrap();
        answers += &format!("{:?}", cost::file_costs(judged, &file.path, &map, 3).unwrap());
    }
    answers += &format!("{:?}", cost::has_item(judged, "src/session.rs", "Session.refresh"));
    answers
        + &format!("{:?}", cost::shown(judged, "src/session.rs", Some("Session"), &map).unwrap())
}

#[test]
fn threads_that_ask_at_once_get_the_same_bytes() {
    let repo = service();
    let expected = answers(&judged(&repo));
    let shared = judged(&repo);
    std::thread::scope(|scope| {
        let askers: Vec<_> = (0..4).map(|_| scope.spawn(|| answers(&shared))).collect();
        for asker in askers {
            assert_eq!(asker.join().unwrap(), expected);
        }
    });
    // The tasks of a pool may run within each other.
    rayon::scope(|scope| {
        (0..4).for_each(|_| scope.spawn(|_| assert_eq!(answers(&shared), expected)));
    });
    assert_eq!(answers(&shared), expected);
}

#[test]
fn a_tree_judged_for_other_words_leaves_the_first_judgement_as_it_was() {
    let repo = service();
    let first = judged(&repo);
    let before = answers(&first);
    let other = first.for_goal("rates of retry").unwrap();
    assert_eq!(other.for_goal("where are sessions refreshed?").unwrap().ranking(), first.ranking());
    assert_eq!(answers(&first), before);
}

#[test]
fn a_map_of_another_repository_is_an_error() {
    let ours = judged(&service());
    // Files of the same names, and fewer of them.
    let smaller = judged(&repo("=== README.md\n# Numbers\n=== src/session.rs\nfn session() {}\n"));
    let theirs = smaller.map(RuleLayers::default()).unwrap();
    let path = "src/session.rs";
    fn is_refused<T>(answer: repo_map::Result<T>) -> bool {
        matches!(answer, Err(Error::OtherMap))
    }
    assert!(is_refused(cost::file_costs(&ours, path, &theirs, 3)));
    assert!(is_refused(cost::shown(&ours, path, None, &theirs)));
    assert!(is_refused(cost::shown(&ours, path, Some("Session"), &theirs)));
    assert!(is_refused(cost::items_shown(&ours, path, &theirs)));
    assert!(is_refused(json::map_report(&ours, &theirs)));
    assert!(is_refused(html::page(&ours, &theirs, RuleLayers::default(), &PageInput::default())));
    // A map of which the caller took files away is none of this tree either.
    let mut cut = ours.map(RuleLayers::default()).unwrap();
    cut.files.clear();
    assert!(is_refused(cost::shown(&ours, path, None, &cut)));
    assert!(is_refused(cost::items_shown(&ours, path, &cut)));
}

#[test]
fn an_edit_of_a_file_that_a_plan_keeps_low_is_judged_and_changes_nothing_else() {
    let repo = service();
    let plan = plan("goal: where are sessions refreshed?\nrules: [{path: '**', level: path}]");
    let judged = open(&repo, &plan);
    let layers = RuleLayers { person: &plan.rules, pilot: &[] };
    let before = judged.map(layers).unwrap();
    let explained = explain::explain(&judged, "src/session.rs", layers).unwrap().unwrap();
    assert_eq!(explained.edits.last().unwrap().level, Level::Full);
    assert_eq!(judged.map(layers).unwrap().text, before.text);
    assert_eq!(
        LevelRange::exactly(Level::Path),
        plan.rules[0].level.unwrap(),
        "the plan is as it was given"
    );
}

#[test]
fn an_item_in_one_shown_in_full_is_explained_as_full() {
    let repo =
        repo("=== a.rs\nstruct S;\n\nimpl S {\n    fn one(&self) -> u32 {\n        1\n    }\n}\n");
    let plan = plan("rules: [{path: a.rs, items: [{name: 'S@2', level: full}]}]");
    let judged = open(&repo, &plan);
    let layers = RuleLayers { person: &plan.rules, pilot: &[] };
    let of_item = explain::explain(&judged, "a.rs#S::one", layers).unwrap().unwrap();
    assert_eq!((of_item.level, of_item.edits.len()), (Level::Full, 0));
    let of_file = explain::explain(&judged, "a.rs", layers).unwrap().unwrap();
    let level = of_file.items.iter().find(|item| item.name == "S::one").map(|item| item.level);
    assert_eq!(level, Some(Level::Full));
}

#[test]
fn each_of_thousands_of_named_items_has_its_rule() {
    let repo = repo("");
    let keys: String = (0..4_900).map(|n| format!("# key@{n}\n\n")).collect();
    repo.write("a.md", keys.as_bytes());
    let names: String =
        (0..4_900).map(|n| format!("{{name: key@{n}, level: outline}}, ")).collect();
    let plan = plan(&format!("rules: [{{path: a.md, level: path, items: [{names}]}}]"));
    let judged = open(&repo, &plan);
    let layers = RuleLayers { person: &plan.rules, pilot: &[] };
    let of_item = explain::explain(&judged, "a.md#key@7", layers).unwrap().unwrap();
    assert_eq!(of_item.rule, "rules[0].items[7]");
}
