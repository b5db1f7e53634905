//! Where the programs are, for tests of all of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::time::SystemTime;

/// Where the sources of `repo-map` are, and those of `site-map`.
const REPO_MAP: &[&str] = &["repo-map/src", "repo-map/queries"];
const SITE_MAP: &[&str] = &["repo-map/src", "repo-map/queries", "site-map/src"];

/// One of our programs. The others than `navigator` are built where a run of this test alone did
/// not build them.
pub(crate) fn program(name: &str) -> PathBuf {
    let navigator = PathBuf::from(env!("CARGO_BIN_EXE_navigator"));
    let program = navigator.with_file_name(name);
    static BUILDS: [Once; 2] = [const { Once::new() }; 2];
    match name {
        "repo-map" => BUILDS[0].call_once(|| build_if_old(name, &program, REPO_MAP)),
        "site-map" => BUILDS[1].call_once(|| build_if_old(name, &program, SITE_MAP)),
        _ => {}
    }
    program
}

fn build_if_old(name: &str, program: &Path, sources: &[&str]) {
    let changed = |path: &Path| {
        fs::metadata(path).and_then(|found| found.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut sources = sources.iter().map(|folder| newest(&root.join(folder), &changed));
    if sources.all(|time| time < changed(program)) {
        return;
    }
    let profile = program.parent().unwrap();
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["build", "-q", "--offline", "-p", name, "--bin", name, "--target-dir"])
        .arg(profile.parent().unwrap());
    if profile.ends_with("release") {
        command.arg("--release");
    }
    assert!(command.current_dir(root).status().unwrap().success(), "{name} cannot be built");
}

fn newest(folder: &Path, changed: &impl Fn(&Path) -> SystemTime) -> SystemTime {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| if path.is_dir() { newest(&path, changed) } else { changed(&path) })
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH)
}
