//! A flown plan rebuilds its map byte for byte, or says what stands against it.

use std::fs::File;

use insta::assert_snapshot;
use repo_map::plan::Masking;
use repo_map::{Drift, Elsewhere, Error, FlightPlan, Level, Replay, ReplayOutcome};
use test_support::{Repo, repo};

use crate::{map, program, run};

const SMALL: &str = "\
=== README.md
# Numbers
=== src/a.rs
/// Adds.
pub fn add(a: u32, b: u32) -> u32 {
    a + b
}
=== src/b.rs
pub fn subtract() {}
";

const RULES: &str = "rules:\n- {path: '**', level: path}\n- {path: src/a.rs, level: full}\n- \
    {path: src/b.rs, level: outline}\n";

fn replayed(repo: &Repo, flown: &FlightPlan) -> ReplayOutcome {
    Replay::of(flown).at(repo.path()).named("flown.yaml").run().unwrap().outcome
}

fn identical(replay: ReplayOutcome) -> String {
    match replay {
        ReplayOutcome::Identical { text, .. } => text.into_string(),
        other => panic!("{other:?}"),
    }
}

fn drift(replay: ReplayOutcome) -> Drift {
    match replay {
        ReplayOutcome::Drifted(drift) => drift,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_copy_in_another_folder_gives_the_same_bytes() {
    let map = map(&repo(SMALL), RULES);
    assert_eq!(identical(replayed(&repo(SMALL), &map.flown)), map.text);
}

#[test]
fn a_flown_plan_has_exact_levels_and_says_over_what_it_was_flown() {
    let map = map(
        &repo(SMALL),
        "context: {tokens: 58}\nrules:\n- {path: '**', level: fold}\n- {path: src/a.rs, level: \
         full}\n- {path: src/b.rs, level: interface}\n",
    );
    let provenance = map.flown.provenance.clone().unwrap();
    assert_eq!(provenance.map.tokens, map.tokens);
    assert_eq!(provenance.map.digest, blake3::hash(map.text.as_bytes()).to_hex().to_string());
    assert_eq!(provenance.files.keys().collect::<Vec<_>>(), ["src/b.rs"]);
    let mut flown = map.flown;
    flown.provenance = None;
    assert_snapshot!(format!("{}---\n{}", flown.to_yaml(), map.text), @"
    version: 1
    context:
      tokens: 58
      tokenizer: o200k_base
      format: markdown
      fill: near
    scan:
      outside: []
    rules:
    - path: '**'
      level: fold
    - path: /src/a.rs
      level: path
      was: full
    - path: /src/b.rs
      level: interface
    ---
    # Repository map
    - ./ +1 file
    - src/a.rs
    ## src/b.rs
    ```rust
    pub fn subtract() {}
    ```
    ## Left out
    Demoted: src/a.rs (asked full).
    Folded: 1 file.
    ");
}

#[test]
fn what_changed_appeared_and_went_is_named() {
    let flown = map(&repo(SMALL), RULES).flown;
    let other = repo(SMALL);
    other.write("src/a.rs", b"pub fn add() {}\n");
    other.write("src/new.rs", b"");
    std::fs::remove_file(other.path().join("README.md")).unwrap();
    let expected = Drift {
        changed: vec!["src/a.rs".to_owned()],
        gone: vec!["README.md".to_owned()],
        elsewhere: Elsewhere { appeared: vec!["src/new.rs".to_owned()], gone: Vec::new() },
        in_line_ends_only: false,
        has_nothing: false,
        folder: None,
        other_recording: None,
    };
    assert_eq!(drift(replayed(&other, &flown)), expected);
}

#[test]
fn another_repository_is_said_to_be_one_and_its_files_are_not_all_listed() {
    let home = repo(SMALL);
    let plan = map(&home, RULES).flown.to_yaml();
    let files: String = (0..50).map(|n| format!("=== more/{n}.txt\n")).collect();
    let other = repo(&files);
    other.write("plan.yaml", plan.as_bytes());
    let ran = run(&other, &["--plan", "plan.yaml"]);
    assert_eq!(ran.code, 8, "{}", ran.stderr);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.contains("appeared elsewhere: more/")).count(), 20);
    assert!(lines.contains(&"  appeared elsewhere: 30 more"), "{lines:?}");
    let said =
        "repo-map: none of the files that the plan shows is here: is this another repository?";
    assert!(lines.contains(&said), "{lines:?}");
}

#[test]
fn what_came_and_went_where_nothing_is_shown_is_elsewhere() {
    let rules = "rules: [{path: '**', level: fold}, {path: src/a.rs, level: full}, {path: \
        README.md, level: path}]";
    let map = map(&repo(SMALL), rules);
    assert!(map.text.contains("- src/ +1 file\n"), "{}", map.text);
    let other = repo(SMALL);
    other.write("src/new.rs", b"");
    other.write("src/newer.rs", b"");
    std::fs::remove_file(other.path().join("src/b.rs")).unwrap();
    let elsewhere = Elsewhere {
        appeared: vec!["src/new.rs".to_owned(), "src/newer.rs".to_owned()],
        gone: vec!["src/b.rs".to_owned()],
    };
    let expected = Drift { elsewhere, ..Drift::default() };
    let ReplayOutcome::ShownIdentical(found) = replayed(&other, &map.flown) else {
        panic!("what is shown is the same")
    };
    assert_eq!(found, expected);

    // An edited plan is none the better for it.
    let mut edited = map.flown.clone();
    edited.rules.last_mut().unwrap().level = Some(repo_map::LevelRange::exactly(Level::Path));
    assert!(matches!(replayed(&other, &edited), ReplayOutcome::Impossible(_)));

    // A file of which the map has the path alone is shown.
    std::fs::rename(other.path().join("README.md"), other.path().join("READ.md")).unwrap();
    assert_eq!(drift(replayed(&other, &map.flown)).gone, ["README.md"]);
}

#[test]
fn other_line_ends_are_told_from_other_contents() {
    let flown = map(&repo(SMALL), RULES).flown;
    let windows = |text: &str| text.replace('\n', "\r\n");
    let all = SMALL.split("=== ").skip(1).map(|file| file.split_once('\n').unwrap());
    let other = repo("");
    for (path, text) in all {
        other.write(path, windows(text).as_bytes());
    }
    let drift_of = |repo: &Repo, flown| drift(replayed(repo, flown));
    let flown_on_windows = map(&other, RULES).flown;
    assert!(
        drift_of(&other, &flown).in_line_ends_only
            && drift_of(&repo(SMALL), &flown_on_windows).in_line_ends_only
    );
    other.write("src/a.rs", b"pub fn add() {}\r\n");
    assert!(!drift_of(&other, &flown).in_line_ends_only);
}

#[test]
fn a_file_shown_above_path_that_went_is_gone_and_not_changed_too() {
    let flown = map(&repo(SMALL), RULES).flown;
    let other = repo(SMALL);
    std::fs::remove_file(other.path().join("src/a.rs")).unwrap();
    assert_eq!(
        drift(replayed(&other, &flown)),
        Drift { gone: vec!["src/a.rs".to_owned()], ..Drift::default() }
    );
}

#[test]
fn an_edit_of_a_file_shown_by_its_path_alone_is_no_drift() {
    let map = map(&repo(SMALL), RULES);
    let other = repo(SMALL);
    other.write("README.md", b"# Something else\n");
    assert_eq!(identical(replayed(&other, &map.flown)), map.text);
}

#[test]
fn the_first_of_two_items_of_a_name_is_told_from_the_second() {
    let here = repo("=== a.py\ndef twice():\n    return 1\n\ndef twice():\n    return 2\n");
    let map = map(
        &here,
        "rules: [{path: a.py, level: outline, items: [{name: 'twice@1', level: full}]}]",
    );
    assert_snapshot!(map.text, @r"
    # Repository map
    ## a.py
    ```python
    def twice():
        return 1
    fn twice
    ```
    ");
    assert_eq!(identical(replayed(&here, &map.flown)), map.text);
}

#[test]
fn items_of_odd_names_are_addressed_one_by_one() {
    let here = repo(
        "=== a.md\n# Room @2\n\none\n\n# Room\n\ntwo\n\n# a::b\n\nthree\n\n# a\n\nfour\n\n## \
         b\n\nfive\n\n# Room\n\nsix\n\n# a.b\n\nseven\n\n# @1\n\neight\n\n# .\n\nnine\n",
    );
    for goal in [
        "",
        "goal: one four\n",
        "goal: two seven\n",
        "goal: three nine\n",
        "goal: five six eight\n",
    ] {
        for tokens in 20..90 {
            let map = map(
                &here,
                &format!(
                    "{goal}context: {{tokens: {tokens}}}\nrules: [{{path: a.md, level: \
                     path..interface}}]"
                ),
            );
            match replayed(&here, &map.flown) {
                ReplayOutcome::Identical { text, .. } => assert_eq!(text, map.text),
                other => panic!("{other:?}\n{}\n{}", map.flown.to_yaml(), map.text),
            }
        }
    }
}

#[test]
fn a_touched_file_is_no_drift() {
    let here = repo(SMALL);
    let map = map(&here, RULES);
    let file = File::options().write(true).open(here.path().join("src/a.rs")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(identical(replayed(&here, &map.flown)), map.text);
}

#[test]
fn a_plan_edited_after_its_flight_is_impossible_to_replay() {
    let here = repo(SMALL);
    let flown = map(&here, RULES).flown;
    let why = |edit: fn(&mut FlightPlan)| {
        let mut plan = flown.clone();
        edit(&mut plan);
        match replayed(&here, &plan) {
            ReplayOutcome::Impossible(why) => why,
            other => panic!("{other:?}"),
        }
    };
    let folded = why(|plan| {
        plan.rules[1].level = Some(repo_map::LevelRange::exactly(Level::Fold));
    });
    assert_snapshot!(folded, @"flown.yaml: the files shown are the same but the plan is not: its rules or context were edited since it was flown (fly it again: `navigator explore --plan flown.yaml`)");
    assert_snapshot!(why(|plan| plan.context.format = repo_map::Format::Xml), @"flown.yaml: the \
        files shown are the same but the plan is not: its rules or context were edited since it \
        was flown (fly it again: `navigator explore --plan flown.yaml`)");
    assert_snapshot!(why(|plan| { plan.rules.pop(); }), @"flown.yaml: the files shown are the \
        same but the plan is not: its rules or context were edited since it was flown (fly it \
        again: `navigator explore --plan flown.yaml`)");
    assert_snapshot!(why(|plan| {
        plan.rules.pop();
        plan.provenance.as_mut().unwrap().tool = "repo-map 9.0.0".to_owned();
    }), @"flown.yaml: needs repo-map 9.0.0, this is repo-map 0.2.0, whose maps differ");
}

#[test]
fn a_plan_of_the_version_before_is_reported_as_that_where_its_map_differs() {
    let here = repo(SMALL);
    let mut flown = map(&here, RULES).flown;
    let provenance = flown.provenance.as_mut().unwrap();
    provenance.tool = "repo-map 0.1.0".to_owned();
    provenance.map.digest = "0".repeat(64);
    let outcome = replayed(&here, &flown);
    let ReplayOutcome::Impossible(why) = outcome else { panic!("{outcome:?}") };
    assert_snapshot!(why, @"flown.yaml: needs repo-map 0.1.0, this is repo-map 0.2.0, whose maps differ");
}

#[test]
fn another_tool_version_is_no_obstacle_while_the_map_is_the_same() {
    let here = repo(SMALL);
    let mut map = map(&here, RULES);
    map.flown.provenance.as_mut().unwrap().tool = "repo-map 9.0.0".to_owned();
    assert_eq!(identical(replayed(&here, &map.flown)), map.text);
}

#[test]
fn a_plan_that_was_never_flown_cannot_be_replayed() {
    let (here, plan) = (repo(SMALL), FlightPlan::default());
    let error = Replay::of(&plan).at(here.path()).named("plan.yaml").run().unwrap_err();
    assert!(matches!(error, Error::NotFlown { .. }));
    assert_snapshot!(error, @"plan.yaml: not a flown plan: it has no provenance");
}

#[test]
fn a_drifted_replay_prints_no_context_and_names_the_paths() {
    let here = repo(SMALL);
    let ran = run(&here, &["--level", "**=full", "--plan-out", "flown.yaml", "-o", "map.md"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    here.write("src/a.rs", b"pub fn add() {}\n");
    let ran = run(&here, &["--plan", "flown.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (8, ""));
    assert_snapshot!(ran.stderr, @"
    repo-map: drifted
      changed: src/a.rs
    repo-map: `navigator replay flown.yaml . --allow-drift` draws the map all the same
    ");
}

#[test]
fn an_edited_plan_has_its_own_exit_code() {
    let here = repo(SMALL);
    run(&here, &["--level", "**=full", "--plan-out", "flown.yaml"]);
    let yaml = std::fs::read_to_string(here.path().join("flown.yaml")).unwrap();
    here.write("flown.yaml", yaml.replace("level: full", "level: path").as_bytes());
    let ran = run(&here, &["--plan", "flown.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (9, ""));
    assert_snapshot!(ran.stderr, @"repo-map: impossible: flown.yaml: the files shown are the same \
        but the plan is not: its rules or context were edited since it was flown (fly it again: \
        `navigator explore --plan flown.yaml`)");
}

#[test]
fn plan_and_map_saved_inside_the_repository_do_not_disturb_its_replay() {
    let here = repo(SMALL);
    let ran = run(&here, &["--plan-out", "out/flown.yaml", "-o", "map.md"]);
    // The folder of the plan is not made up.
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let ran = run(&here, &["--plan-out", "flown.yaml", "-o", "src/map.md"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    let text = std::fs::read_to_string(here.path().join("src/map.md")).unwrap();
    let again = run(&here, &["--plan", "flown.yaml"]);
    assert_eq!((again.code, again.stdout.as_str(), again.stderr.as_str()), (0, text.as_str(), ""));
    // Written over itself, or to a new file, it is still the same.
    for output in ["src/map.md", "new.md"] {
        let again = run(&here, &["--plan", "flown.yaml", "-o", output]);
        assert_eq!((again.code, again.stdout.as_str(), again.stderr.as_str()), (0, "", ""));
        assert_eq!(std::fs::read_to_string(here.path().join(output)).unwrap(), text);
    }
}

#[test]
fn a_failed_run_leaves_no_output_behind() {
    let here = repo(SMALL);
    let ran = run(&here, &["--plan-out", "nowhere/flown.yaml", "-o", "map.md"]);
    assert_eq!((ran.code, here.path().join("map.md").exists()), (2, false));
    assert_snapshot!(ran.stderr, @"repo-map: writing nowhere/flown.yaml: No such file or \
        directory (os error 2)");
}

#[test]
fn a_plan_saved_under_another_name_in_the_repository_still_replays() {
    let here = repo(SMALL);
    let elsewhere = repo("");
    let out = elsewhere.path().join("flown.yaml");
    let ran = run(&here, &["--plan-out", out.to_str().unwrap()]);
    std::fs::copy(&out, here.path().join("kept.yaml")).unwrap();
    let again = run(&here, &["--plan", "kept.yaml"]);
    assert_eq!((again.code, again.stdout, again.stderr.as_str()), (0, ran.stdout, ""));
}

#[cfg(unix)]
#[test]
fn standard_output_sent_to_a_file_in_the_repository_is_no_part_of_it() {
    let here = repo(SMALL);
    let map_file = here.path().join("src/map.md");
    let redirected = |args: &[&str]| {
        program()
            .command(here.path())
            .args(args)
            .stdout(File::create(&map_file).unwrap())
            .status()
            .unwrap()
            .code()
    };
    assert_eq!(redirected(&["--level", "**=path", "--plan-out", "flown.yaml"]), Some(0));
    let text = std::fs::read_to_string(&map_file).unwrap();
    assert_snapshot!(text, @"
    # Repository map
    - README.md
    - src/a.rs
    - src/b.rs
    ");
    assert_eq!(run(&here, &["--plan", "flown.yaml"]).stdout, text);
    assert_eq!(redirected(&["--plan", "flown.yaml"]), Some(0));
    assert_eq!(std::fs::read_to_string(&map_file).unwrap(), text);
}

/// Secrets, made up here so that this file holds none.
fn secrets() -> String {
    let aws = format!("AKIA{}", "Q2T7".repeat(4));
    let github = format!("ghp_{}", "a1B2".repeat(9));
    let key = format!("-----BEGIN {0}-----\nMIIEvQIBADAN\n-----END {0}-----", "PRIVATE KEY");
    format!(
        "const AWS: &str = \"{aws}\";\nconst GITHUB: &str = \"{github}\";\nconst KEY: &str = \
         \"{key}\";\nfn after() {{}}\n"
    )
}

#[test]
fn secrets_are_masked_before_anything_is_counted() {
    let here = repo("");
    here.write("a.rs", secrets().as_bytes());
    let full = map(&here, "rules: [{path: '**', level: full}]");
    assert_eq!(full.n_masked, 3);
    assert_snapshot!(full.text, @r#"
    # Repository map
    ## a.rs (full)
    ```rust
    const AWS: &str = "[masked: aws-access-key]";
    const GITHUB: &str = "[masked: github-token]";
    const KEY: &str = "[masked: private-key]

    ";
    fn after() {}
    ```
    "#);
    assert_eq!(identical(replayed(&here, &full.flown)), full.text);
    let interface = map(&here, "rules: [{path: '**', level: interface}]");
    assert!(
        !interface.text.contains("AKIA") && !interface.text.contains("ghp_"),
        "{}",
        interface.text
    );
}

#[test]
fn the_number_of_masked_secrets_counts_those_in_what_is_shown() {
    let here = repo("=== b.rs\nfn b() {}\n");
    here.write("a.rs", secrets().as_bytes());
    assert_eq!(map(&here, "rules: [{path: '**', level: path}]").n_masked, 0);
    assert_eq!(
        map(&here, "rules: [{path: a.rs, level: path, items: [{name: after, level: full}]}]")
            .n_masked,
        0
    );
}

#[test]
fn no_mask_shows_secrets_and_the_plan_says_so() {
    let here = repo("");
    here.write("a.rs", secrets().as_bytes());
    let ran = run(&here, &["--no-mask", "--level", "**=full", "--plan-out", "flown.yaml"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains(&secrets()), "{}", ran.stdout);
    let flown = FlightPlan::read(&here.path().join("flown.yaml")).unwrap();
    assert_eq!(flown.scan.mask, Masking::Off);
    assert_eq!(run(&here, &["--plan", "flown.yaml"]).stdout, ran.stdout);
}

#[test]
fn names_with_joiners_are_addressed_as_they_are_written() {
    let repo = repo("=== ❤️.md\n# Love\n=== می‌خواهم.txt\nwant\n=== a.md\n# A\n");
    let map = map(&repo, "rules: [{path: '**', level: full}, {path: '/❤️.md', level: exclude}]");
    assert!(map.text.contains("want") && !map.text.contains("Love"), "{}", map.text);
    assert_eq!(identical(replayed(&repo, &map.flown)), map.text);
}

#[test]
fn a_plan_keeps_what_is_invisible_and_reads_back_the_same() {
    let repo = repo("=== a.md\n# foo\u{200b}bar\u{e0041}\ntext\n# other\nmore\n");
    let rules = "scan: {invisible: kept}\nrules: [{path: '/a.md', level: outline, items: [{name: \
        \"foo\\u200bbar\\U000e0041\", level: full}]}]";
    let map = map(&repo, rules);
    assert!(map.text.contains("text") && !map.text.contains("more"), "{}", map.text);
    let yaml = map.flown.to_yaml();
    assert!(!yaml.contains(['\u{200b}', '\u{e0041}']), "{yaml}");
    let read = repo_map::FlightPlan::from_yaml("plan.yaml", &yaml).unwrap();
    assert_eq!(read, map.flown);
    assert_eq!(identical(replayed(&repo, &read)), map.text);
}
