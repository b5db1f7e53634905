//! Purses by their transactions: no order of requests passes a limit, and the same request twice is
//! one.

use std::thread;

use navigator::store::{Store, StoredPurse};
use navigator::{PicoUsd, Purse as _, PurseAccount, PurseRefusal};
use test_support::sealed;

use crate::engines::{as_flag, on_each_store};

fn account(run: &str) -> PurseAccount {
    PurseAccount { purse: "team".to_owned(), run: run.to_owned() }
}

/// The purse `team` as one run uses it.
fn opened(store: &Store, run: &str) -> StoredPurse {
    StoredPurse::open(Store::at(store.place().clone()), account(run), format!("run {run}")).unwrap()
}

/// What the purse has: spent, held, left.
fn sums(store: &mut Store) -> (u64, u64, u64) {
    let purse = store.purse("team").unwrap();
    (purse.spent.0, purse.held.0, purse.left().0)
}

#[test]
fn eight_runs_take_a_purse_to_the_last_pico_usd_and_no_further() {
    on_each_store(|store| {
        // 61 reservations of 7 fit into 431, and 4 are left.
        store.create_purse("team", PicoUsd(431)).unwrap();
        let place = store.place().clone();
        let one = |run: usize| {
            let mut purse = StoredPurse::open(
                Store::at(place.clone()),
                account(&format!("r{run}")),
                String::new(),
            )
            .unwrap();
            (1..=20).filter(|call| purse.reserve(*call, PicoUsd(7)).is_ok()).count()
        };
        let n: usize = thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|run| scope.spawn(move || one(run))).collect();
            all.into_iter().map(|one| one.join().unwrap()).sum()
        });
        assert_eq!(n, 61);
        assert_eq!(sums(store), (0, 427, 4));
        assert_eq!(store.held("team").unwrap().len(), 61);
    });
}

#[test]
fn the_same_request_twice_is_one_and_another_amount_takes_its_place() {
    on_each_store(|store| {
        store.create_purse("team", PicoUsd(100)).unwrap();
        let mut purse = opened(store, "a");
        purse.reserve(1, PicoUsd(60)).unwrap();
        // The answer was lost, and the program asks again.
        opened(store, "a").reserve(1, PicoUsd(60)).unwrap();
        assert_eq!(sums(store), (0, 60, 40));
        // The program died before its own line; the call was never sent.
        opened(store, "a").reserve(1, PicoUsd(90)).unwrap();
        assert_eq!(sums(store), (0, 90, 10));
        let refused = opened(store, "a").reserve(1, PicoUsd(101)).unwrap_err();
        assert_eq!(refused, PurseRefusal::Limit { left: PicoUsd(100) }, "without its own 90");
        assert_eq!(sums(store), (0, 0, 100), "what was never sent holds nothing");
        purse.reserve(1, PicoUsd(90)).unwrap();
        opened(store, "b").reserve(1, PicoUsd(10)).unwrap();
        purse.settle(1, PicoUsd(25));
        purse.settle(1, PicoUsd(25));
        assert_eq!(sums(store), (25, 10, 65));
        let refused = purse.reserve(1, PicoUsd(1)).unwrap_err();
        assert!(matches!(&refused, PurseRefusal::Away(why) if why.contains("settled already")));
    });
}

#[test]
fn what_a_person_released_and_the_run_settles_after_all_counts_as_the_run_says() {
    on_each_store(|store| {
        store.create_purse("team", PicoUsd(100)).unwrap();
        let mut purse = opened(store, "a");
        purse.reserve(1, PicoUsd(60)).unwrap();
        assert_eq!(store.release("team", "a", false).unwrap(), PicoUsd(60));
        assert_eq!(sums(store), (0, 0, 100));
        purse.settle(1, PicoUsd(25));
        assert_eq!(sums(store), (25, 0, 75));
        purse.reserve(2, PicoUsd(70)).unwrap();
        assert_eq!(store.release("team", "a", true).unwrap(), PicoUsd(70));
        assert_eq!(sums(store), (95, 0, 5));
        purse.settle(2, PicoUsd(1));
        assert_eq!(sums(store), (26, 0, 74));
        let error = store.release("team", "a", false).unwrap_err().to_string();
        assert!(error.starts_with("nothing of the purse `team` is held under"), "{error}");
    });
}

#[test]
fn a_provider_that_bills_more_than_its_maximum_leaves_nothing_to_others() {
    on_each_store(|store| {
        store.create_purse("team", PicoUsd(100)).unwrap();
        let mut purse = opened(store, "a");
        purse.reserve(1, PicoUsd(60)).unwrap();
        purse.settle(1, PicoUsd(130));
        assert_eq!(sums(store), (130, 0, 0));
        let refused = opened(store, "b").reserve(1, PicoUsd(1)).unwrap_err();
        assert_eq!(refused, PurseRefusal::Limit { left: PicoUsd(0) });
        let refused = opened(store, "b").reserve(1, PicoUsd(u64::MAX)).unwrap_err();
        assert_eq!(refused, PurseRefusal::Limit { left: PicoUsd(0) });
    });
}

#[test]
fn purses_have_plain_names_and_limits_that_fit() {
    on_each_store(|store| {
        let refused =
            |done: Result<(), navigator::store::StoreError>| done.unwrap_err().to_string();
        assert_eq!(
            refused(store.create_purse("a b", PicoUsd(1))),
            "the name of a purse has letters, digits, `-`, `_` and `.` (at most 100)"
        );
        assert!(refused(store.create_purse("a", PicoUsd(u64::MAX))).contains("can hold"));
        store.create_purse("team", PicoUsd(1)).unwrap();
        assert!(
            refused(store.create_purse("team", PicoUsd(2))).starts_with("there is a purse `team`")
        );
        assert_eq!(
            refused(store.change_purse("taem", PicoUsd(2))),
            "there is no purse `taem` in the store (it has team)"
        );
        store.change_purse("team", PicoUsd(5)).unwrap();
        assert_eq!(sums(store), (0, 0, 5));
    });
}

#[test]
fn the_commands_create_show_change_and_release() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = tempfile::tempdir().unwrap();
    on_each_store(|store| {
        let place = as_flag(store.place());
        let run = |args: &[&str]| {
            let ran = navigator.run(folder.path(), &[args, &["--store", &place]].concat());
            assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
            format!("{}{}", ran.stdout, ran.stderr)
        };
        assert_eq!(
            run(&["purse", "create", "team", "--limit", "2.50"]),
            format!(
                "navigator: created the purse team of $2.50 in {} (`--purse team` spends from it)\n",
                store.place()
            )
        );
        opened(store, "0a1b").reserve(1, PicoUsd(500_000_000_000)).unwrap();
        assert_eq!(
            run(&["purse", "show"]),
            "purse  limit  spent  held   left\nteam   $2.50  $0.00  $0.50  $2.00\n"
        );
        let shown = run(&["purse", "show", "team"]);
        let held = shown.lines().nth(3).unwrap();
        assert!(
            held.starts_with("0a1b  1     $0.50  20") && held.ends_with("UTC  run 0a1b"),
            "{shown}"
        );
        assert_eq!(
            run(&["purse", "change", "team", "--limit", "3"]),
            "navigator: the purse team has a limit of $3.00, $2.50 is left\n"
        );
        assert_eq!(
            run(&["purse", "release", "team", "0a1b"]),
            "navigator: $0.50 is given back; $3.00 of the purse team is left\n"
        );
    });
}
