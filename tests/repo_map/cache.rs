//! What is kept between runs changes nothing but the time a run takes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use repo_map::cache::{Cache, Cleared, MAX_CACHE_BYTES};
use repo_map::{FlightPlan, Options, RuleLayers};
use test_support::{Dice, Repo, repo};

use crate::{plan, program};

const GOAL: &str =
    "Session.refresh fails with \"token has expired\" when\nthe clock of `HTTPSession` is late";

/// A repository in which every kind of evidence has something to say.
fn sessions() -> Repo {
    repo(
        r#"
=== src/session.py
from src.clock import Clock

class HTTPSession:
    def refresh(self):
        if self.late():
            raise ValueError("token has expired")

class Session(HTTPSession):
    sessions = []
=== src/clock.py
class Clock:
    """Late or not."""
    def late(self): return False
=== tests/test_session.py
from src.session import HTTPSession

def test_refresh(): HTTPSession().refresh()
=== docs/tokens.md
# Tokens
A token has expired when the clock says so.
=== yarn.lock
session
"#,
    )
}

/// The map for a goal, by a cache or by none.
fn mapped(repo: &Repo, goal: &str, cache: Option<&Path>) -> String {
    mapped_by(
        repo,
        &FlightPlan { goal: Some(goal.into()), ..plan("context: { tokens: 300 }") },
        cache,
    )
}

fn mapped_by(repo: &Repo, plan: &FlightPlan, cache: Option<&Path>) -> String {
    let options = Options { cache: cache.map(Cache::at), ..Options::default() };
    let opened = repo_map::open(repo.path(), plan, &options).unwrap();
    let map = opened.map(RuleLayers { person: &plan.rules, pilot: &[] }).unwrap();
    let ranking: Vec<String> =
        opened.ranking().into_iter().map(|(path, worth)| format!("{path} {worth:?}")).collect();
    opened.save_cache();
    format!("{}\n{}\n{}", map.text, map.flown.to_yaml(), ranking.join("\n"))
}

/// The packs of the only repository in a cache.
fn packs(cache: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(cache)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir());
    let mut packs: Vec<PathBuf> = folders
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    packs.retain(|path| {
        ["words", "imports", "outlines", "history"].iter().any(|name| path.ends_with(name))
    });
    packs.sort();
    packs
}

/// Until a change of a file is surely told by its stamp.
fn let_stamps_settle() {
    thread::sleep(Duration::from_millis(3_300));
}

#[test]
fn a_cold_cache_a_warm_one_and_none_give_the_same_bytes() {
    let repo = sessions();
    let cache = tempfile::tempdir().unwrap();
    let_stamps_settle();
    let goals = [GOAL, "clock", "", "docs of tokens"];
    let without: Vec<String> = goals.iter().map(|goal| mapped(&repo, goal, None)).collect();
    for _ in 0..2 {
        for (goal, without) in goals.iter().zip(&without) {
            assert_eq!(&mapped(&repo, goal, Some(cache.path())), without, "{goal}");
        }
    }
    assert_eq!(packs(cache.path()).len(), 3, "words, imports, outlines");
}

#[test]
fn prices_of_files_are_kept_and_are_those_of_no_cache() {
    let (repo, cache) = (sessions(), tempfile::tempdir().unwrap());
    let priced = |cache: Option<&Path>, tokenizer: &str| {
        let options = Options { cache: cache.map(Cache::at), ..Options::default() };
        let plan = plan(&format!("context: {{tokenizer: {tokenizer}}}"));
        let opened = repo_map::open(repo.path(), &plan, &options).unwrap();
        let prices = repo_map::report::prices::prices(&opened);
        opened.save_cache();
        prices
    };
    for tokenizer in ["o200k_base", "bytes/4", "bytes/4"] {
        assert_eq!(priced(Some(cache.path()), tokenizer), priced(None, tokenizer));
    }
    assert!(folder_of(cache.path()).join("levels").is_file());
    repo.write("src/clock.py", b"def late(): return True\n");
    let changed = priced(Some(cache.path()), "bytes/4");
    assert_eq!(changed, priced(None, "bytes/4"));
}

#[test]
fn a_warm_cache_opens_no_file_that_it_need_not() {
    let repo = sessions();
    let cache = tempfile::tempdir().unwrap();
    let_stamps_settle();
    let first = mapped(&repo, "", Some(cache.path()));
    // The stamps are those of last time, so nobody can know that the lock file would say something
    // else now.
    let counted = |trace: &Path| fs::read_to_string(trace).unwrap().matches("yarn.lock").count();
    let trace = cache.path().join("trace");
    let strace = Command::new("strace").arg("-V").stdout(Stdio::null()).status();
    if strace.is_ok_and(|status| status.success()) {
        let mut run = Command::new("strace");
        run.args(["-f", "-e", "openat", "-o"]).arg(&trace).arg(env!("CARGO_BIN_EXE_repo-map"));
        run.arg(repo.path())
            .env("REPO_MAP_CACHE", cache.path())
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(counted(&trace), 0);
    }
    assert_eq!(mapped(&repo, "", Some(cache.path())), first);
}

#[test]
fn a_change_is_seen_whatever_the_clock_of_the_file_says() {
    let repo = sessions();
    let cache = tempfile::tempdir().unwrap();
    let_stamps_settle();
    let before = mapped(&repo, "token expired", Some(cache.path()));
    let path = repo.path().join("src/session.py");
    let (text, modified) =
        (fs::read_to_string(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
    // As long as before, and as old as before by its own account.
    fs::write(&path, text.replace("has expired", "was revoked")).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let after = mapped(&repo, "token expired", Some(cache.path()));
    assert_ne!(after, before);
    assert_eq!(after, mapped(&repo, "token expired", None));
    // And back: a branch that comes and goes.
    fs::write(&path, text).unwrap();
    assert_eq!(mapped(&repo, "token expired", Some(cache.path())), before);
}

#[test]
fn a_file_changed_right_after_it_was_read_is_read_again() {
    let repo = sessions();
    let cache = tempfile::tempdir().unwrap();
    for version in 0..20 {
        repo.write("src/clock.py", format!("def late_{version:02}(): pass\n").as_bytes());
        let with = mapped(&repo, "late", Some(cache.path()));
        assert!(with.contains(&format!("late_{version:02}")), "{version}");
    }
}

#[test]
fn files_come_go_and_move() {
    let repo = sessions();
    let cache = tempfile::tempdir().unwrap();
    let_stamps_settle();
    mapped(&repo, GOAL, Some(cache.path()));
    fs::remove_file(repo.path().join("docs/tokens.md")).unwrap();
    fs::rename(repo.path().join("src/clock.py"), repo.path().join("src/session.py")).unwrap();
    repo.write("src/late.rs", b"pub fn late() {}\n");
    assert_eq!(mapped(&repo, GOAL, Some(cache.path())), mapped(&repo, GOAL, None));
}

#[test]
fn what_is_masked_and_what_is_not_are_kept_apart() {
    let repo = sessions();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    repo.write("src/secret.py", format!("TOKEN = \"{token}\"\ndef late(): pass\n").as_bytes());
    let cache = tempfile::tempdir().unwrap();
    let goal = |yaml: &str| FlightPlan {
        goal: Some("late TOKEN".into()),
        ..plan(&format!("context: {{ tokens: 400 }}\n{yaml}"))
    };
    for _ in 0..2 {
        for yaml in [
            "",
            "scan: { mask: 'off' }",
            "context: { tokens: 400, format: xml, line_numbers: true }",
        ] {
            let yaml = if yaml.starts_with("context") { plan(yaml) } else { goal(yaml) };
            assert_eq!(mapped_by(&repo, &yaml, Some(cache.path())), mapped_by(&repo, &yaml, None));
        }
    }
}

#[test]
fn a_pack_that_is_not_whole_is_none() {
    let repo = sessions();
    let cache = tempfile::tempdir().unwrap();
    let_stamps_settle();
    let right = mapped(&repo, GOAL, Some(cache.path()));
    let mut dice = Dice(7);
    for round in 0..30 {
        for pack in packs(cache.path()) {
            let mut bytes = fs::read(&pack).unwrap();
            let at = dice.roll(bytes.len() as u64) as usize;
            match round % 3 {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1 << dice.roll(8),
                _ => bytes.insert(at, dice.roll(256) as u8),
            }
            fs::write(&pack, bytes).unwrap();
        }
        assert_eq!(mapped(&repo, GOAL, Some(cache.path())), right, "round {round}");
    }
    // Neither is a folder in its place, nor a cache that cannot be written.
    for pack in packs(cache.path()) {
        fs::remove_file(&pack).unwrap();
        fs::create_dir(&pack).unwrap();
    }
    assert_eq!(mapped(&repo, GOAL, Some(cache.path())), right);
    assert_eq!(mapped(&repo, GOAL, Some(&repo.path().join("src/clock.py/cache"))), right);
}

#[test]
fn a_run_killed_at_any_point_leaves_the_cache_usable() {
    let repo = sessions();
    for at in 0..400 {
        repo.write(
            &format!("lib/m{at}.py"),
            format!("def late_{at}(clock): return clock.late() + {at}\n").repeat(40).as_bytes(),
        );
    }
    let cache = tempfile::tempdir().unwrap();
    let right = mapped(&repo, GOAL, None);
    for delay in (0..24).map(|step| Duration::from_millis(8 * step)) {
        let mut run = Command::new(env!("CARGO_BIN_EXE_repo-map"));
        run.arg(repo.path())
            .args(["--goal", GOAL])
            .env("REPO_MAP_CACHE", cache.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut run = run.spawn().unwrap();
        thread::sleep(delay);
        run.kill().unwrap();
        run.wait().unwrap();
        assert_eq!(mapped(&repo, GOAL, Some(cache.path())), right, "killed after {delay:?}");
    }
}

#[test]
fn several_processes_at_once_get_along() {
    let repo = sessions();
    let cache = tempfile::tempdir().unwrap();
    let right = mapped(&repo, GOAL, None);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                (0..6).for_each(|_| assert_eq!(mapped(&repo, GOAL, Some(cache.path())), right))
            });
        }
    });
    let folder = packs(cache.path())[0].parent().unwrap().to_path_buf();
    let left =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(
        left.filter(|name| name.ends_with(".new")).count(),
        0,
        "nothing half written is left"
    );
}

#[test]
fn the_programs_say_what_they_keep_and_forget_it_when_asked() {
    let repo = sessions();
    let program = program();
    let kept = |program: &test_support::Sealed| program.run(repo.path(), &["cache", "info"]).stdout;
    assert!(kept(&program).ends_with(": 0 repositories, 0.0 MB\n"));
    program.run(repo.path(), &["--no-cache"]);
    assert!(kept(&program).ends_with(": 0 repositories, 0.0 MB\n"));
    let first = program.run(repo.path(), &["--goal", GOAL]);
    assert_eq!(program.run(repo.path(), &["--goal", GOAL]).stdout, first.stdout);
    assert_eq!(program.run(repo.path(), &["--goal", GOAL, "--no-cache"]).stdout, first.stdout);
    let root = repo.path().canonicalize().unwrap();
    assert!(kept(&program).ends_with(&format!("  {}\n", root.display())), "{}", kept(&program));
    // What lies beside is not ours to remove.
    let folder = program.home().join(".cache/repo-map");
    fs::create_dir(folder.join("theirs")).unwrap();
    fs::write(folder.join("theirs/root"), "theirs").unwrap();
    let inside = packs(&folder)[0].with_file_name("theirs");
    fs::write(&inside, "theirs").unwrap();
    let cleared = program.run(repo.path(), &["cache", "clear"]).stdout;
    let left = format!("kept {}: the cache did not write it\n", inside.display());
    assert!(cleared.starts_with("removed ") && cleared.ends_with(&left), "{cleared}");
    assert!(kept(&program).ends_with(": 0 repositories, 0.0 MB\n"));
    assert!(folder.join("theirs/root").exists());
}

#[test]
fn any_number_of_threads_gives_the_same_bytes_by_any_cache() {
    let repo = sessions();
    for at in 0..60 {
        repo.write(
            &format!("lib/m{at}.py"),
            format!("import src.clock\ndef late_{at}(clock): return clock.late()\n").as_bytes(),
        );
    }
    let_stamps_settle();
    let program = program();
    let with = |threads: &str, args: &[&str]| {
        let mut command = program.command(repo.path());
        let ran = command
            .env("RAYON_NUM_THREADS", threads)
            .args(["--goal", GOAL, "--format", "json", "--fill", "all"])
            .args(args)
            .output()
            .unwrap();
        test_support::ran(ran).stdout
    };
    let right = with("1", &["--no-cache"]);
    assert!(right.contains("late_7"), "{right}");
    for threads in ["8", "1", "3"] {
        assert_eq!(with(threads, &[]), right, "{threads} threads, the first cold");
        assert_eq!(with(threads, &["--no-cache"]), right, "{threads} threads");
    }
}

#[test]
fn a_cache_inside_the_repository_is_no_part_of_it() {
    let repo = sessions();
    let right = mapped(&repo, GOAL, None);
    let inside = repo.path().join("cache");
    for _ in 0..2 {
        assert_eq!(mapped(&repo, GOAL, Some(&inside)), right);
    }
}

#[test]
fn history_is_kept_by_its_newest_commit() {
    let repo = sessions();
    let cache = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(repo.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        let who = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
        assert!(git.args(who).args(args).stdout(Stdio::null()).status().unwrap().success());
    };
    git(&["init", "-q"]);
    for message in ["clock: tell late from later", "tokens: say when they expire"] {
        repo.write("src/clock.py", format!("def late(): return '{message}'\n").as_bytes());
        git(&["add", "-A"]);
        git(&["commit", "-qm", message]);
        for _ in 0..2 {
            let with = mapped(&repo, "tell late from later", Some(cache.path()));
            assert_eq!(with, mapped(&repo, "tell late from later", None));
        }
    }
    assert_eq!(packs(cache.path()).len(), 4, "history too");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Any bytes at all in the place of a pack.
    #[test]
    fn any_bytes_are_no_pack(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let repo = repo("=== a.py\ndef late(): pass\n");
        let cache = tempfile::tempdir().unwrap();
        let right = mapped(&repo, "late", Some(cache.path()));
        for pack in packs(cache.path()) {
            fs::write(pack, &bytes).unwrap();
        }
        prop_assert_eq!(mapped(&repo, "late", Some(cache.path())), right);
    }
}

/// The folder of the only repository in a cache.
fn folder_of(cache: &Path) -> PathBuf {
    packs(cache)[0].parent().unwrap().to_path_buf()
}

#[cfg(unix)]
#[test]
fn links_and_pipes_in_a_cache_lead_nowhere() {
    let repo = sessions();
    let cache = tempfile::tempdir().unwrap();
    let right = mapped(&repo, GOAL, Some(cache.path()));
    let theirs = repo.path().join("docs/tokens.md");
    let text = fs::read(&theirs).unwrap();
    let folder = folder_of(cache.path());
    for name in ["words", "root", ".gitignore"] {
        fs::remove_file(folder.join(name)).unwrap();
        std::os::unix::fs::symlink(&theirs, folder.join(name)).unwrap();
    }
    fs::remove_file(folder.join("imports")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("imports")).status().unwrap().success());
    assert_eq!(mapped(&repo, GOAL, Some(cache.path())), right);
    assert_eq!(fs::read(&theirs).unwrap(), text);
    // Nor is a folder that is a link to elsewhere ours to fill or to empty.
    fs::rename(&folder, repo.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(repo.path().join("elsewhere"), &folder).unwrap();
    let n = || fs::read_dir(repo.path().join("elsewhere")).unwrap().count();
    let before = n();
    assert_eq!(Cache::at(cache.path()).clear().unwrap(), Cleared::default());
    assert_eq!(n(), before);
}

#[test]
fn neither_the_bound_nor_a_clearing_stops_at_what_is_not_the_caches() {
    let repo = sessions();
    let cache = tempfile::tempdir().unwrap();
    let theirs: Vec<PathBuf> =
        ["a", "b", "c"].map(|digit| cache.path().join(digit.repeat(32)).join("notes.new")).to_vec();
    for notes in &theirs {
        fs::create_dir(notes.parent().unwrap()).unwrap();
        fs::write(notes, "theirs").unwrap();
    }
    // Two old repositories, each beyond the bound (on no disk: the files are holes).
    let old: Vec<PathBuf> = theirs[..2].iter().map(|notes| notes.with_file_name("words")).collect();
    for words in &old {
        fs::File::create(words).unwrap().set_len(MAX_CACHE_BYTES + 1).unwrap();
    }
    mapped(&repo, GOAL, Some(cache.path()));
    assert!(!old.iter().any(|words| words.exists()), "both are gone");
    let beside = folder_of(cache.path()).join("README");
    fs::write(&beside, "theirs").unwrap();
    let kept = Cache::at(cache.path());
    let bytes = kept.usage().unwrap().iter().map(|one| one.bytes).sum();
    assert_eq!(kept.clear().unwrap(), Cleared { bytes, foreign: vec![beside.clone()] });
    assert!(bytes > 0 && kept.usage().unwrap().is_empty());
    for path in theirs.iter().chain([&beside]) {
        assert_eq!(fs::read_to_string(path).unwrap(), "theirs", "{}", path.display());
    }
}

#[test]
fn a_file_that_is_not_read_is_not_an_empty_one() {
    let repo = sessions();
    repo.write("empty.py", b"");
    let cache = tempfile::tempdir().unwrap();
    let plan = plan("rules: [{ path: '**', level: path }, { path: empty.py, level: full }]");
    mapped_by(&repo, &plan, Some(cache.path()));
    fs::remove_file(repo.path().join("empty.py")).unwrap();
    repo.write("empty.py", &[b'a'; 3 << 20]);
    for _ in 0..2 {
        assert_eq!(mapped_by(&repo, &plan, Some(cache.path())), mapped_by(&repo, &plan, None));
    }
    repo.write("empty.py", b"");
    assert_eq!(mapped_by(&repo, &plan, Some(cache.path())), mapped_by(&repo, &plan, None));
}
