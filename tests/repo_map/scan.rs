//! Which files a repository has, and what is read of them.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use insta::assert_snapshot;
use repo_map::plan::Invisible;
use repo_map::scan::{self, Mark, ScanOptions};
use repo_map::{
    CancelToken, FlightPlan, Gate, Level, Options, Progress, ProgressSink, RuleLayers, Stage,
};
use test_support::{Repo, repo};

use crate::{map, plan, program, run};

fn sealed_options() -> ScanOptions {
    ScanOptions { outside: Some(Vec::new()), ..ScanOptions::default() }
}

fn paths_with(repo: &Repo, options: &ScanOptions) -> Vec<String> {
    scan::walk(repo.path(), options).unwrap().files.into_iter().map(|file| file.path).collect()
}

fn paths(repo: &Repo) -> Vec<String> {
    paths_with(repo, &sealed_options())
}

#[test]
fn gitignore_files_hold_at_their_depth_and_below_with_negation() {
    let repo = repo(
        "=== .gitignore\n*.log\n/build/\n!keep.log\n=== a.log\n=== keep.log\n=== build/x.rs\n=== \
         src/build/y.rs\n=== src/.gitignore\n*.rs\n!main.rs\n=== src/a.rs\n=== src/main.rs\n=== \
         src/deep/b.rs\n=== src/deep/main.rs\n=== c.rs\n",
    );
    assert_eq!(paths(&repo), ["c.rs", "keep.log", "src/deep/main.rs", "src/main.rs"]);
}

#[test]
fn a_file_is_binary_by_the_extension_of_its_name_or_by_its_content() {
    let text = ["a", "bin", "src/class", "src.bin/so", "tar", ".tgz", "Model.mo"];
    let binary = ["lib.a", "src/logo.bin", "x.tar"];
    let repo = repo(
        &text.iter().chain(&binary).map(|path| format!("=== {path}\ntext\n")).collect::<String>(),
    );
    repo.write("de.mo", b"\xde\x12\x04\x95\0\0\0\0");
    let tree = scan::walk(repo.path(), &ScanOptions { hidden: true, ..sealed_options() }).unwrap();
    for file in &tree.files {
        let mark =
            (binary.contains(&file.path.as_str()) || file.path == "de.mo").then_some(Mark::Binary);
        assert_eq!(scan::read(file, Gate::default()).mark, mark, "{}", file.path);
    }
    assert_eq!(tree.files.len(), text.len() + binary.len() + 1);
}

#[test]
fn ignore_and_repomapignore_files_are_honoured_too() {
    let repo = repo(
        "=== .ignore\na.rs\n=== .repomapignore\nb.rs\n=== a.rs\n=== b.rs\n=== c.rs\n=== \
         sub/.repomapignore\nc.rs\n!b.rs\n=== sub/b.rs\n=== sub/c.rs\n",
    );
    assert_eq!(paths(&repo), ["c.rs", "sub/b.rs"]);
}

#[test]
fn hidden_files_are_walked_only_on_request_and_git_never() {
    let repo = repo(
        "=== .git/HEAD\nref: refs/heads/main\n=== .github/ci.yaml\na: 1\n=== .env\nA=1\n=== a.rs\n",
    );
    assert_eq!(paths(&repo), ["a.rs"]);
    assert_eq!(
        paths_with(&repo, &ScanOptions { hidden: true, ..sealed_options() }),
        [".env", ".github/ci.yaml", "a.rs"]
    );
}

#[test]
fn files_stand_folder_by_folder() {
    assert_eq!(
        paths(&repo("=== a-b/c\n=== a/z\n=== a/b/c\n=== a.rs\n=== B\n")),
        ["B", "a/b/c", "a/z", "a-b/c", "a.rs"]
    );
}

#[test]
fn an_empty_repository_gives_an_empty_map_and_no_conflict() {
    let repo = repo("");
    let map = map(&repo, "");
    assert_eq!((map.text.as_str(), map.conflict), ("", None));
}

#[test]
fn a_file_is_no_repository() {
    let repo = repo("=== a.rs\n");
    let ran = run(&repo, &["a.rs"]);
    assert_snapshot!(format!("{} {}", ran.code, ran.stderr), @"2 repo-map: a.rs is not a folder \
        (give the repository's folder; `--focus` or `--level` select files in it)");
    let ran = run(&repo, &["nowhere"]);
    assert_snapshot!(format!("{} {}", ran.code, ran.stderr), @"2 repo-map: cannot open nowhere: \
        No such file or directory (os error 2)");
}

#[cfg(unix)]
#[test]
fn links_are_named_and_never_followed() {
    use std::os::unix::fs::symlink;
    let outside = repo("=== secret.rs\npub fn secret() {}\n");
    let repo = repo("=== a/real.rs\npub fn real() {}\n");
    symlink(outside.path().join("secret.rs"), repo.path().join("file.rs")).unwrap();
    symlink(outside.path(), repo.path().join("folder")).unwrap();
    symlink("..", repo.path().join("a/loop")).unwrap();
    symlink("nowhere", repo.path().join("dangling")).unwrap();
    let map = map(&repo, "rules: [{path: '**', level: full}]");
    assert_snapshot!(map.text, @"
    # Repository map
    - a/loop (link)
    ## a/real.rs (full)
    ```rust
    pub fn real() {}
    ```
    - dangling (link)
    - file.rs (link)
    - folder (link)
    ");
}

#[cfg(unix)]
#[test]
fn names_are_printable_and_still_addressed() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let repo = repo("=== a b/ü.rs\npub fn a() {}\n=== back\\slash.rs\npub fn b() {}\n");
    for name in [
        &b"new\nline.rs"[..],
        b"\x1b[31mred.rs",
        b"latin-\xe9.rs",
        "right\u{202e}sr.rs".as_bytes(),
        b"- dash.rs",
        b"`tick`.rs",
    ] {
        std::fs::write(repo.path().join(OsStr::from_bytes(name)), "pub fn odd() {}\n").unwrap();
    }
    assert_snapshot!(map(&repo, "rules: [{path: '**', level: path}]").text, @r"
    # Repository map
    - - dash.rs
    - \u{1b}[31mred.rs
    - `tick`.rs
    - a b/ü.rs
    - back\\slash.rs
    - latin-\xe9.rs
    - new\u{a}line.rs
    - right\u{202e}sr.rs
    ");
    // The flown plan addresses each of them by what the map prints.
    let flown = map(&repo, "rules: [{path: '**', level: full}]").flown;
    let shown = match repo_map::Replay::of(&flown)
        .at(repo.path())
        .named("flown.yaml")
        .run()
        .unwrap()
        .outcome
    {
        repo_map::ReplayOutcome::Identical { text, .. } => text.matches("pub fn").count(),
        other => panic!("{other:?}"),
    };
    assert_eq!(shown, 8);
}

#[test]
fn text_is_read_in_its_encoding() {
    let repo = repo("");
    repo.write("bom.rs", b"\xef\xbb\xbfpub fn bom() {}\n");
    repo.write("crlf.rs", b"pub fn crlf() {\r\n    1\r\n}\r\n");
    repo.write("cr.txt", b"one\rtwo");
    repo.write("latin.txt", b"caf\xe9 au lait, s'il vous pla\xeet\n");
    repo.write(
        "utf16.rs",
        &"\u{feff}pub fn wide() {}\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>(),
    );
    repo.write(
        "utf16be.rs",
        &"\u{feff}pub fn big() {}\n".encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>(),
    );
    assert_snapshot!(map(&repo, "rules: [{path: '**', level: full}]").text, @"
    # Repository map
    ## bom.rs (full)
    ```rust
    pub fn bom() {}
    ```
    ## cr.txt (full)
    ```
    one
    two
    ```
    ## crlf.rs (full)
    ```rust
    pub fn crlf() {
        1
    }
    ```
    ## latin.txt (full)
    ```
    café au lait, s'il vous plaît
    ```
    ## utf16.rs (full)
    ```rust
    pub fn wide() {}
    ```
    ## utf16be.rs (full)
    ```rust
    pub fn big() {}
    ```
    ");
}

#[test]
fn control_characters_are_shown_as_their_pictures() {
    let repo = repo("");
    repo.write("ansi.txt", b"\x1b[31mred\x1b[0m \x07\x7f\x0c \xc2\x85|\n");
    let text = map(&repo, "rules: [{path: '**', level: full}]").text;
    assert_eq!(
        text,
        "# Repository map\n## ansi.txt (full)\n```\n␛[31mred␛[0m ␇␡␌ \u{fffd}|\n```\n"
    );
}

#[test]
fn invisible_characters_in_a_text_are_written_out_counted_and_may_be_kept() {
    let repo = repo("=== a.txt\nright\u{202e}left \u{e0041}\n");
    let shown = map(&repo, "rules: [{path: '**', level: full}]");
    assert_eq!(
        shown.text,
        "# Repository map\n## a.txt (full)\n```\nright\\u{202e}left \\u{e0041}\n```\n"
    );
    assert_eq!(shown.n_invisible, 2);
    let kept = map(&repo, "scan: {invisible: kept}\nrules: [{path: '**', level: full}]");
    assert_eq!(
        kept.text,
        "# Repository map\n## a.txt (full)\n```\nright\u{202e}left \u{e0041}\n```\n"
    );
    assert_eq!((kept.n_invisible, kept.flown.scan.invisible), (0, Invisible::Kept));
}

#[test]
fn a_file_that_went_between_walk_and_read_is_unreadable_and_does_not_end_the_run() {
    // Everything is readable to root, so a file that is gone stands for one that may not be read.
    let repo = repo("=== a.rs\npub fn a() {}\n=== b.rs\npub fn b() {}\n");
    let tree = scan::walk(repo.path(), &sealed_options()).unwrap();
    std::fs::remove_file(repo.path().join("a.rs")).unwrap();
    let marks: Vec<Option<Mark>> =
        tree.files.iter().map(|file| scan::read(file, Gate::default()).mark).collect();
    assert_eq!(marks, [Some(Mark::Unreadable), None]);
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_reported_beside_the_map() {
    use std::os::unix::fs::PermissionsExt;
    let repo =
        repo("=== a.rs\npub fn a() {}\n=== locked/b.rs\npub fn b() {}\n=== c.rs\npub fn c() {}\n");
    let set = |path: &str, mode| {
        std::fs::set_permissions(repo.path().join(path), std::fs::Permissions::from_mode(mode))
            .unwrap()
    };
    set("locked", 0o000);
    set("c.rs", 0o000);
    let is_root = std::fs::read_dir(repo.path().join("locked")).is_ok();
    let ran = run(&repo, &["--level", "**=path"]);
    set("locked", 0o755);
    assert_eq!(ran.code, 0);
    if is_root {
        // Root reads everything.
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str()),
            ("# Repository map\n- a.rs\n- c.rs\n- locked/b.rs\n", "")
        );
    } else {
        assert_eq!(ran.stdout, "# Repository map\n- a.rs\n- c.rs (unreadable)\n");
        assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_tree_does_not_hang_the_run() {
    let repo = repo("=== a.rs\npub fn a() {}\n");
    for name in ["pipe.rs", "sub.rs"] {
        assert!(Command::new("mkfifo").arg(repo.path().join(name)).status().unwrap().success());
    }
    let (done, result) = mpsc::channel();
    thread::spawn(move || done.send(map(&repo, "rules: [{path: '**', level: full}]").text));
    let text = result.recv_timeout(Duration::from_secs(60)).expect("the run ends");
    assert_snapshot!(text, @"
    # Repository map
    ## a.rs (full)
    ```rust
    pub fn a() {}
    ```
    ");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_an_ignore_file_does_not_hang_the_run() {
    let repo = repo("=== a.rs\npub fn a() {}\n");
    assert!(Command::new("mkfifo").arg(repo.path().join(".gitignore")).status().unwrap().success());
    let (done, result) = mpsc::channel();
    thread::spawn(move || done.send(map(&repo, "rules: [{path: '**', level: path}]").text));
    assert_eq!(
        result.recv_timeout(Duration::from_secs(10)).as_deref(),
        Ok("# Repository map\n- a.rs\n")
    );
}

#[test]
fn rules_from_outside_the_tree_are_honoured_and_travel_with_the_flown_plan() {
    let mine = repo(
        "=== .git/HEAD\nref: refs/heads/main\n=== .git/info/exclude\n/private/\n=== a.rs\npub fn \
         a() {}\n=== b.log\nlog\n=== private/c.rs\npub fn c() {}\n=== sub/d.log\nlog\n",
    );
    let me = program();
    std::fs::create_dir_all(me.home().join(".config/git")).unwrap();
    std::fs::write(me.home().join(".config/git/ignore"), "*.log\n").unwrap();
    let plans = repo("");
    let plan_out = plans.path().join("flown.yaml");
    let ran =
        me.run(mine.path(), &["--level", "**=path", "--plan-out", plan_out.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_snapshot!(ran.stdout, @"
    # Repository map
    - a.rs
    ");
    let flown = FlightPlan::read(&plan_out).unwrap();
    assert_eq!(
        flown.scan.outside,
        Some(vec!["b.log".to_owned(), "private/".to_owned(), "sub/d.log".to_owned()])
    );

    // Elsewhere: no such rules, but the same files.
    let elsewhere = repo(
        "=== a.rs\npub fn a() {}\n=== b.log\nlog\n=== private/c.rs\npub fn c() {}\n=== \
         sub/d.log\nlog\n",
    );
    let again = program().run(elsewhere.path(), &["--plan", plan_out.to_str().unwrap()]);
    assert_eq!((again.code, again.stdout, again.stderr.as_str()), (0, ran.stdout, ""));

    // And where what was ignored is not even there: a fresh clone.
    let clone = repo("=== a.rs\npub fn a() {}\n");
    let again = program().run(clone.path(), &["--plan", plan_out.to_str().unwrap()]);
    assert_eq!((again.code, again.stderr.as_str()), (0, ""));
}

#[test]
fn rules_of_folders_above_the_repository_are_honoured_and_recorded() {
    let above =
        repo("=== .gitignore\n*.log\n=== inner/a.rs\npub fn a() {}\n=== inner/b.log\nlog\n");
    let mut plan = plan("rules: [{path: '**', level: path}]");
    plan.scan.outside = None;
    let options = repo_map::Options { history: false, ..repo_map::Options::default() };
    let inner = repo_map::open(&above.path().join("inner"), &plan, &options).unwrap();
    let map = inner.map(repo_map::RuleLayers { person: &plan.rules, pilot: &[] }).unwrap();
    assert_eq!(
        map.files.iter().map(|file| (file.path.as_str(), file.level)).collect::<Vec<_>>(),
        [("a.rs", Level::Path)]
    );
    assert_eq!(map.flown.scan.outside, Some(vec!["b.log".to_owned()]));
}

#[test]
fn a_map_of_paths_without_a_goal_reads_nothing() {
    let repo = repo("=== a.py\ndef late(): pass\n=== lib/yarn.lock\nversion\n");
    let paths = "rules: [{ path: '**', level: 'full' }, { path: '**', level: exclude..path }]";
    // What only a content tells is not said.
    assert_snapshot!(map(&repo, paths).text, @"
    # Repository map
    - a.py
    - lib/yarn.lock
    ");
    assert_snapshot!(map(&repo, &format!("goal: version\ncontext: {{fill: all}}\n{paths}")).text, @"
    # Repository map
    - a.py
    - lib/yarn.lock (generated)
    ");
}

#[test]
fn a_watcher_is_told_of_every_stage_and_its_end() {
    let text: String = (0..200)
        .map(|at| format!("=== part{}/m{at}.py\ndef late_{at}(): pass\n", at % 7))
        .collect();
    let repo = repo(&text);
    let told: Arc<Mutex<Vec<Progress>>> = Arc::default();
    let tell = Arc::clone(&told);
    let watcher = ProgressSink::new(move |progress| tell.lock().unwrap().push(progress));
    let options = Options { history: false, watcher: Some(watcher), ..Options::default() };
    repo_map::open(repo.path(), &plan("goal: late"), &options).unwrap();
    let told = told.lock().unwrap();
    for stage in [Stage::Walk, Stage::Read, Stage::Outline] {
        let of_stage: Vec<&Progress> =
            told.iter().filter(|progress| progress.stage == stage).collect();
        assert_eq!(
            of_stage.last().map(|last| (last.done, last.of)),
            Some((200, Some(200))),
            "{stage:?}"
        );
        assert!(
            of_stage.iter().rev().skip(1).all(|progress| progress.of != Some(progress.done)),
            "a stage ends once: {stage:?}"
        );
    }
}

#[test]
fn a_watcher_is_told_of_the_commits() {
    let repo = repo("=== a.py\ndef late(): pass\n");
    let commit = "commit refs/heads/main\ncommitter A <a@b> 0 +0000\ndata 4\nlate\n";
    let commits = format!("{}\ndone\n", commit.repeat(200));
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(args).current_dir(repo.path()).stdin(Stdio::piped()).spawn().unwrap()
    };
    assert!(git(&["init", "--quiet", "--initial-branch=main"]).wait().unwrap().success());
    let mut import = git(&["fast-import", "--quiet"]);
    import.stdin.take().unwrap().write_all(commits.as_bytes()).unwrap();
    assert!(import.wait().unwrap().success());
    let told: Arc<Mutex<Vec<Progress>>> = Arc::default();
    let tell = Arc::clone(&told);
    let watcher = ProgressSink::new(move |progress| {
        if progress.stage == Stage::History {
            tell.lock().unwrap().push(progress);
        }
    });
    let options = Options { watcher: Some(watcher), ..Options::default() };
    repo_map::open(repo.path(), &plan("goal: late"), &options).unwrap();
    let told: Vec<_> = told.lock().unwrap().iter().map(|one| (one.done, one.of)).collect();
    assert_eq!(told, [(64, None), (128, None), (192, None), (200, Some(200))]);
}

#[test]
fn a_repository_that_is_wanted_no_more_is_not_opened() {
    let repo = repo("=== a.py\ndef late(): pass\n");
    let cancel = CancelToken::new();
    cancel.cancel();
    let opened =
        repo_map::open(repo.path(), &plan("goal: late"), &Options { cancel, ..Options::default() });
    assert!(matches!(opened, Err(repo_map::Error::Cancelled)));
}

#[test]
fn opening_ends_when_it_is_cancelled_while_files_are_outlined() {
    let repo = repo("=== a.py\ndef late(): pass\n");
    let cancel = CancelToken::new();
    let set = cancel.clone();
    let watcher = ProgressSink::new(move |progress| {
        if progress.stage == Stage::Outline {
            set.cancel();
        }
    });
    let options = Options { watcher: Some(watcher), cancel, history: false, ..Options::default() };
    let opened = repo_map::open(repo.path(), &plan("goal: late"), &options);
    assert!(matches!(opened, Err(repo_map::Error::Cancelled)));
}

#[test]
fn a_file_that_changes_after_it_was_judged_is_read_anew() {
    let shop = repo("=== shop/cart.py\ndef add_line():\n    return 1\n");
    let plan = plan("goal: add_line of the cart\ncontext: {tokens: 400}");
    let open = crate::open(&shop, &plan);
    shop.write("shop/cart.py", b"def one():\n    pass\n\ndef two():\n    pass\n\nclass Three:\n    def four(self):\n        pass\n");
    let explained =
        repo_map::explain::explain(&open, "shop/cart.py", RuleLayers::default()).unwrap().unwrap();
    let names: Vec<&str> = explained.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["one", "two", "Three", "Three.four"]);
    let map = open.map(RuleLayers::default()).unwrap();
    assert!(map.text.contains("one") && !map.text.contains("add_line"), "{}", map.text);
}
