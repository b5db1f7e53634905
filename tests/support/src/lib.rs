//! What the test roots share: a repository from text, a sealed run of a binary, web applications.

#![allow(clippy::disallowed_methods, reason = "tests write repositories and run programs")]

pub mod apps;
pub mod foreign;
#[cfg(unix)]
pub mod person;
pub mod random;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A repository in a temporary folder, gone when dropped.
#[derive(Debug)]
pub struct Repo {
    folder: TempDir,
}

/// Makes a repository of a text in which a line `=== path` begins each file.
///
/// # Panics
/// When the temporary folder cannot be written.
pub fn repo(text: &str) -> Repo {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let repo = Repo { folder };
    let mut path = None;
    let mut content = String::new();
    for line in text.lines().chain(["=== "]) {
        match line.strip_prefix("=== ") {
            Some(next) => {
                if let Some(path) = path.replace(next.trim().to_owned()) {
                    repo.write(&path, std::mem::take(&mut content).as_bytes());
                }
            }
            None => {
                content.push_str(line);
                content.push('\n');
            }
        }
    }
    repo
}

/// A small service with a goal that has an answer: where sessions are refreshed.
pub fn service() -> Repo {
    repo(
        "\
=== README.md
# Service

Sessions for a web service.
=== src/session.rs
//! Sessions and their life.

/// A session of one user.
pub struct Session {
    /// The token the client keeps.
    pub token: String,
    expires: u64,
}

impl Session {
    /// Makes the session live longer; fails when it has expired.
    pub fn refresh(&mut self, now: u64) -> Result<(), Expired> {
        if now > self.expires {
            return Err(Expired);
        }
        self.expires = now + 3600;
        Ok(())
    }

    fn is_expired(&self, now: u64) -> bool {
        now > self.expires
    }
}

/// The session is over.
pub struct Expired;
=== src/http.rs
use crate::session::Session;

/// Answers a request with the session's token.
pub fn answer(session: &mut Session, now: u64) -> String {
    match session.refresh(now) {
        Ok(()) => session.token.clone(),
        Err(_) => String::new(),
    }
}
=== src/color.rs
/// Mixes two colors.
pub fn mix(a: u32, b: u32) -> u32 {
    (a + b) / 2
}
=== tests/session.rs
fn a_session_can_be_refreshed() {}
=== assets/logo.svg
<svg/>
",
    )
}

impl Repo {
    /// The folder of the repository.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, with the folders it needs.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, path: &str, content: &[u8]) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a file stands in a folder"))
            .expect("the folder can be made");
        fs::write(&path, content).expect("the file can be written");
        path
    }
}

/// A sealed run of a binary: empty environment but for the path of programs, its own home, no
/// network needed.
pub struct Sealed {
    program: PathBuf,
    home: TempDir,
}

/// What a run gave.
#[derive(Debug)]
pub struct Ran {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// A sealed place to run a program in.
///
/// # Panics
/// When the temporary home cannot be made.
pub fn sealed(program: impl Into<PathBuf>) -> Sealed {
    Sealed { program: program.into(), home: tempfile::tempdir().expect("a temporary home") }
}

impl Sealed {
    /// The home folder of the runs.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// A command in `folder`, not yet run: for tests that need an environment of their own.
    pub fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().current_dir(folder).env("HOME", self.home()).env("COLUMNS", "100");
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }

    /// A command in `folder` as on a disk that is full, not yet run: no file becomes larger than so
    /// many blocks of 512 bytes. A program that it starts may lift the limit for itself.
    pub fn command_on_full_disk(&self, folder: &Path, blocks: u32) -> Command {
        let sealed = self.command(folder);
        let mut command = Command::new("sh");
        // Without a handler the signal would end the program before it sees the error.
        command
            .args(["-c", &format!("trap '' XFSZ; ulimit -S -f {blocks}; exec \"$0\" \"$@\"")])
            .arg(&self.program);
        command
            .env_clear()
            .current_dir(folder)
            .envs(sealed.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command
    }

    /// Runs in `folder`.
    ///
    /// # Panics
    /// When the program cannot be started.
    pub fn run(&self, folder: &Path, args: &[&str]) -> Ran {
        ran(self.command(folder).args(args).output().expect("the program starts"))
    }
}

/// A finished run, read.
pub fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The packages of the workspace at `root` and those it depends on, as `cargo metadata` lists them:
/// on this platform, for which `cargo test` has fetched them. For all platforms cargo may have to
/// fetch more.
///
/// # Panics
/// When cargo does not know them.
pub fn packages(root: &Path, of_all_platforms: bool) -> Vec<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--locked", "--format-version", "1"]).current_dir(root);
    if !of_all_platforms {
        command.args(["--offline", "--filter-platform", &platform()]);
    }
    let listed = ran(command.output().expect("cargo starts"));
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    let mut listed: Value = serde_json::from_str(&listed.stdout).expect("metadata is JSON");
    match listed["packages"].take() {
        Value::Array(packages) => packages,
        other => panic!("packages are a list: {other}"),
    }
}

/// The platform that the compiler builds for, as it names it.
fn platform() -> String {
    let compiler = ran(Command::new("rustc").arg("-vV").output().expect("rustc starts")).stdout;
    compiler
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("rustc says its host")
        .to_owned()
}

/// Numbers from a seed, the same on every machine (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Dice(pub u64);

impl Dice {
    /// The next number, less than `below`.
    pub fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    }
}
