//! The format of a store: made once, changed by its own program alone.

use std::thread;

use navigator::PicoUsd;
use navigator::store::{Store, StoreError, StorePlace};
use test_support::sealed;

use crate::engines::{as_flag, on_each_engine, on_each_store};

#[test]
fn a_store_is_made_once_by_many_programs_at_the_same_time() {
    on_each_engine(|place| {
        let made: Vec<Option<i64>> = thread::scope(|scope| {
            let one = || Store::at(place.clone()).init().unwrap();
            let all: Vec<_> = (0..8).map(|_| scope.spawn(one)).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert_eq!(made.iter().filter(|found| found.is_none()).count(), 1, "{made:?}");
        let mut store = Store::at(place.clone());
        store.create_purse("team", PicoUsd(1)).unwrap();
        assert_eq!(store.version().unwrap().found, 1);
    });
}

#[test]
fn without_a_store_each_request_says_how_to_make_one() {
    on_each_engine(|place| {
        let error = Store::at(place.clone()).purses().unwrap_err();
        assert_eq!(error, StoreError::Missing { place: place.to_string() });
        let error = Store::at(place.clone()).migrate().unwrap_err();
        assert_eq!(error, StoreError::Missing { place: place.to_string() });
    });
}

/// Sets the version of a store behind its back.
fn set_version(place: &StorePlace, version: i64) {
    let sql = format!("UPDATE navigator_store SET version = {version}");
    match place {
        StorePlace::File(path) => {
            let connection = rusqlite::Connection::open(path).unwrap();
            connection.execute(&sql, []).unwrap();
        }
        StorePlace::Server(address) => {
            let mut client = postgres::Client::connect(address, postgres::NoTls).unwrap();
            client.batch_execute(&sql).unwrap();
        }
    }
}

#[test]
fn another_version_is_refused_also_by_a_program_that_has_the_store_open() {
    on_each_store(|store| {
        store.create_purse("team", PicoUsd(7)).unwrap();
        let place = store.place().clone();
        // A later program changes the store while this one has it open.
        set_version(&place, 2);
        let newer = StoreError::Newer { place: place.to_string(), found: 2, known: 1 };
        assert_eq!(store.purses().unwrap_err(), newer);
        assert_eq!(store.create_purse("other", PicoUsd(7)).unwrap_err(), newer);
        assert_eq!(store.migrate().unwrap_err(), newer);
        assert_eq!(store.init().unwrap_err(), newer);
        assert_eq!(store.version().unwrap().found, 2);
        set_version(&place, 1);
        assert_eq!(store.purse("team").unwrap().limit, PicoUsd(7));
        assert!(store.purse("other").is_err());
        // One of an earlier program is not used before it is changed.
        set_version(&place, 0);
        let older = StoreError::Older { place: place.to_string(), found: 0, needed: 1 };
        assert_eq!(store.purses().unwrap_err(), older);
    });
}

#[test]
fn the_commands_make_and_describe_a_store() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = tempfile::tempdir().unwrap();
    on_each_engine(|place| {
        let store = as_flag(place);
        let run =
            |args: &[&str]| navigator.run(folder.path(), &[args, &["--store", &store]].concat());
        let early = run(&["store", "status"]);
        assert_eq!(early.code, 2);
        assert_eq!(
            early.stderr,
            format!("navigator: there is no store at {place} (`navigator store init` makes one)\n")
        );
        let made = run(&["store", "init"]);
        assert_eq!(
            (made.code, made.stderr),
            (0, format!("navigator: made the store {place}, format 1\n"))
        );
        let again = run(&["store", "init"]);
        assert_eq!(again.stderr, format!("navigator: the store {place} is there, format 1\n"));
        let status = run(&["store", "status", "--format", "json"]);
        let shown = serde_json::json!({
            "store": place.to_string(), "format": 1, "known": 1, "purses": 0, "runs": 0,
            "knowledges": 0, "bytes": 0,
        });
        assert_eq!(status.stdout, format!("{shown}\n"));
    });
}

#[test]
fn a_file_that_is_no_store_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "a text of somebody, long enough to be no empty database".repeat(40))
        .unwrap();
    let before = std::fs::read(&file).unwrap();
    let error = Store::at(StorePlace::File(file.clone())).init().unwrap_err().to_string();
    assert!(error.contains("is no store: the file is not of SQLite"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}
