//! Where the programs are, for tests of both.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// One of our programs; `repo-map` is built where a run of this test alone did not build it.
pub(crate) fn program(name: &str) -> PathBuf {
    let navigator = PathBuf::from(env!("CARGO_BIN_EXE_navigator"));
    let program = navigator.with_file_name(name);
    static BUILD: std::sync::Once = std::sync::Once::new();
    if name == "repo-map" {
        BUILD.call_once(|| build_if_old(&program));
    }
    program
}

fn build_if_old(program: &Path) {
    let changed = |path: &Path| {
        fs::metadata(path).and_then(|found| found.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let sources =
        ["repo-map/src", "repo-map/queries"].map(|folder| newest(&root.join(folder), &changed));
    if sources.iter().all(|time| *time < changed(program)) {
        return;
    }
    let profile = program.parent().unwrap();
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["build", "-q", "--offline", "-p", "repo-map", "--bin", "repo-map", "--target-dir"])
        .arg(profile.parent().unwrap());
    if profile.ends_with("release") {
        command.arg("--release");
    }
    assert!(command.current_dir(root).status().unwrap().success(), "repo-map cannot be built");
}

fn newest(folder: &Path, changed: &impl Fn(&Path) -> SystemTime) -> SystemTime {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| if path.is_dir() { newest(&path, changed) } else { changed(&path) })
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH)
}
