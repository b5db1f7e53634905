//! Runs and knowledges in a store, and the whole store as an export.

use std::fs;

use navigator::store::{Store, StoredFile, StoredKind, StoredPurse};
use navigator::{PicoUsd, Purse as _, PurseAccount};
use test_support::{sealed, service};

use crate::engines::{as_flag, on_each_store};

fn file(name: &str, bytes: &[u8]) -> StoredFile {
    StoredFile { name: name.to_owned(), bytes: bytes.to_vec() }
}

#[test]
fn a_run_comes_out_as_it_went_in_and_replays_on_another_machine() {
    on_each_store(|store| {
        let (here, there) =
            (sealed(env!("CARGO_BIN_EXE_navigator")), sealed(env!("CARGO_BIN_EXE_navigator")));
        let folder = service();
        let explored = here.run(
            folder.path(),
            &["explore", "--goal", "where is a session refreshed?", "--tokens", "600"],
        );
        assert_eq!(explored.code, 0, "{}", explored.stderr);
        let place = as_flag(store.place());
        let added = here.run(
            folder.path(),
            &["store", "add", "run", "1", "--name", "refresh", "--store", &place],
        );
        assert_eq!(added.code, 0, "{}", added.stderr);
        let again = here.run(
            folder.path(),
            &["store", "add", "run", "1", "--name", "refresh", "--store", &place],
        );
        assert!(again.stderr.contains("there is a run `refresh` (`--replace`"), "{}", again.stderr);

        let out = there.home().join("refresh");
        let out = out.to_str().unwrap();
        let got = there
            .run(folder.path(), &["store", "get", "run", "refresh", "-o", out, "--store", &place]);
        assert_eq!(got.code, 0, "{}", got.stderr);
        let replayed = there.run(folder.path(), &["replay", out, "."]);
        assert_eq!((replayed.code, replayed.stdout), (0, explored.stdout));
        let twice = there
            .run(folder.path(), &["store", "get", "run", "refresh", "-o", out, "--store", &place]);
        assert_eq!(twice.code, 2, "{}", twice.stderr);
        assert!(twice.stderr.contains("is there already (name a new folder)"), "{}", twice.stderr);
    });
}

#[test]
fn what_is_stored_is_listed_replaced_and_removed() {
    on_each_store(|store| {
        let bytes: Vec<u8> = (0..=255).collect();
        let files = [file("a.bin", &bytes), file("b", b"")];
        store.add_files(StoredKind::Run, "one", &files, false).unwrap();
        assert_eq!(store.files(StoredKind::Run, "one").unwrap(), files);
        let folders = store.folders().unwrap();
        assert_eq!((folders[0].n_files, folders[0].n_bytes), (2, 256));
        store.add_files(StoredKind::Run, "one", &[file("c", b"x")], true).unwrap();
        assert_eq!(store.files(StoredKind::Run, "one").unwrap(), [file("c", b"x")]);
        assert!(store.files(StoredKind::Knowledge, "one").is_err());
        store.remove_files(StoredKind::Run, "one").unwrap();
        assert_eq!(
            store.remove_files(StoredKind::Run, "one").unwrap_err().to_string(),
            "there is no run `one` in the store (`navigator store add` puts one there)"
        );
        let wrong = store.add_files(StoredKind::Run, "..", &files, false).unwrap_err();
        assert!(wrong.to_string().starts_with("`..` is not a name for the store"), "{wrong}");
        let wrong = [file("../../etc/passwd", b"")];
        assert!(store.add_files(StoredKind::Run, "one", &wrong, false).is_err());
        assert!(store.folders().unwrap().is_empty());
    });
}

/// The lines of an export.
fn exported(store: &mut Store) -> Vec<String> {
    let mut lines = Vec::new();
    store
        .export(&mut |line| {
            lines.push(line.to_string());
            Ok(())
        })
        .unwrap();
    lines
}

#[test]
fn an_export_makes_the_same_store_on_either_engine() {
    on_each_store(|store| {
        store.create_purse("team", PicoUsd(100)).unwrap();
        let account = PurseAccount { purse: "team".into(), run: "r".into() };
        let mut purse =
            StoredPurse::open(Store::at(store.place().clone()), account, "here".into()).unwrap();
        purse.reserve(1, PicoUsd(30)).unwrap();
        purse.settle(1, PicoUsd(11));
        purse.reserve(2, PicoUsd(40)).unwrap();
        store.add_files(StoredKind::Run, "one", &[file("a", b"\x00\xff")], false).unwrap();
        let lines = exported(store);
        assert_eq!(lines.len(), 5, "{lines:#?}");

        on_each_store(|other| {
            assert_eq!(other.import(&lines.join("\n")).unwrap(), 5);
            assert_eq!(exported(other), lines);
            assert_eq!(other.purse("team").unwrap().left(), PicoUsd(49));
            let error = other.import(&lines.join("\n")).unwrap_err().to_string();
            assert!(error.contains("is not empty"), "{error}");
        });
    });
}

#[test]
fn an_export_that_is_damaged_leaves_the_store_empty() {
    on_each_store(|store| {
        let head = r#"{"is":"store","version":1}"#;
        let purse =
            r#"{"is":"purse","name":"t","limit_pico_usd":1,"held_pico_usd":0,"spent_pico_usd":0}"#;
        for (wrong, message) in [
            ("", "the export is empty"),
            (purse, "line 1 of the export: an export begins with the format of the store"),
            (r#"{"is":"store","version":9}"#, "line 1 of the export: an export begins with"),
            (&format!("{head}\n{purse}\n{{\"is\":\"purse\""), "line 3 of the export: EOF"),
            (&format!("{head}\n{purse}\n{purse}"), "line 3 of the export: "),
            (
                &format!(
                    "{head}\n{{\"is\":\"file\",\"kind\":\"run\",\"name\":\"..\",\"file\":\"a\",\"bytes\":\"\"}}"
                ),
                "line 2 of the export: `..` is not a name for the store",
            ),
        ] {
            let error = store.import(wrong).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
            assert!(store.purses().unwrap().is_empty(), "{wrong}");
        }
    });
}

#[test]
fn a_knowledge_that_is_damaged_is_not_added() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("site.json"), "{}").unwrap();
    on_each_store(|store| {
        let place = as_flag(store.place());
        let args = ["store", "add", "knowledge", "site.json", "--store", &place];
        let ran = navigator.run(folder.path(), &args);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains("`site.json`"), "{}", ran.stderr);
        assert!(store.folders().unwrap().is_empty());
    });
}
