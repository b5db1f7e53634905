//! Each language is a fixture in `tests/languages/` and the outline expected of it.

use std::path::{Path, PathBuf};

use insta::{Settings, assert_snapshot};
use repo_map::try_out::outline_file;
use repo_map::{FlightPlan, language};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/languages");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

fn name(file: &Path) -> String {
    file.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn every_fixture_has_the_outline_that_is_expected_of_it() {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        // All of them, so that one run names every difference.
        let is_wrong = |file: &&PathBuf| std::panic::catch_unwind(|| check(file)).is_err();
        let wrong: Vec<String> =
            fixtures().iter().filter(is_wrong).map(|file| name(file)).collect();
        assert_eq!(wrong, Vec::<String>::new());
    });
}

fn check(file: &Path) {
    assert_snapshot!(name(file), outline_file(file, &FlightPlan::default(), None).unwrap());
}

#[test]
fn every_language_has_a_fixture() {
    let names: Vec<String> = fixtures().iter().map(|file| name(file)).collect();
    let has_fixture =
        |language: &str| names.iter().any(|name| name.starts_with(&format!("{language}.")));
    let without: Vec<&str> = language::all()
        .iter()
        .map(|language| language.name)
        .filter(|language| !has_fixture(language))
        .collect();
    assert_eq!(without, Vec::<&str>::new());
}

#[test]
fn every_fixture_is_read_without_trouble_and_in_its_own_language() {
    for file in fixtures() {
        let stem = name(&file).split('.').next().unwrap().to_owned();
        let language = language::of_path(&name(&file)).unwrap().name;
        assert!(
            stem == language || stem.starts_with(&format!("{language}-")),
            "{stem} is read as {language}"
        );
        let outline = outline_file(&file, &FlightPlan::default(), None).unwrap();
        assert!(!outline.contains("=== incomplete"), "{outline}");
    }
}
