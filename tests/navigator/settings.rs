//! Settings: flags over environment over file, each with its origin; prices that are refused; no
//! terminal.

use std::fs;

use test_support::{Ran, Sealed, ran, sealed};

use crate::service;

fn run_with(navigator: &Sealed, variables: &[(&str, &str)], args: &[&str]) -> Ran {
    let folder = service();
    ran(navigator
        .command(folder.path())
        .envs(variables.iter().copied())
        .args(args)
        .output()
        .unwrap())
}

fn write_file(navigator: &Sealed, text: &str) {
    let file = navigator.home().join(".config/navigator/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// The row of a setting, its columns joined by one space.
fn row(ran: &Ran, setting: &str) -> String {
    let line = ran
        .stdout
        .lines()
        .find(|line| line.split_whitespace().next() == Some(setting))
        .unwrap_or_default();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    write_file(&navigator, "model = \"ollama/a\"\nbudget = \"0.10\"\nmax_turns = 3\n");
    let file = navigator.home().join(".config/navigator/config.toml").display().to_string();
    let ran = run_with(
        &navigator,
        &[("NAVIGATOR_MODEL", "ollama/b"), ("NAVIGATOR_MAX_TIME", "90s")],
        &["config", "--model", "ollama/c"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(row(&ran, "model"), "model ollama/c --model");
    assert_eq!(row(&ran, "max_time"), "max_time 90s NAVIGATOR_MAX_TIME");
    assert_eq!(row(&ran, "budget"), format!("budget 0.10 {file}"));
    assert_eq!(row(&ran, "max_turns"), format!("max_turns 3 {file}"));
    assert_eq!(row(&ran, "free"), "free false default");
}

#[test]
fn what_a_file_says_of_its_model_does_not_hold_for_another() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    write_file(
        &navigator,
        "model = \"lmstudio/any\"\nfree = true\nbase_url = \"http://127.0.0.1:9\"\nbudget = \
         \"0.10\"\n",
    );
    let ran = run_with(&navigator, &[], &["config", "--model", "anthropic/claude-haiku-5-5"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(row(&ran, "free"), "free false default");
    assert!(row(&ran, "base_url").ends_with("default"));
    assert!(row(&ran, "budget").starts_with("budget 0.10 "));
    let free = run_with(
        &navigator,
        &[("NAVIGATOR_FREE", "true")],
        &["config", "--model", "anthropic/claude-haiku-5-5"],
    );
    assert_eq!(free.code, 2);
    assert!(free.stderr.contains("has a listed price and cannot be free"), "{}", free.stderr);
}

#[test]
fn an_error_names_where_the_value_came_from() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let said = |variables: &[(&str, &str)], args: &[&str]| {
        let ran = run_with(&navigator, variables, args);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        ran.stderr
    };
    assert!(
        said(&[("NAVIGATOR_BUDGET", "lots")], &["config"])
            .contains("navigator: NAVIGATOR_BUDGET: `lots` is not an amount in USD")
    );
    assert!(
        said(&[], &["explore", "-g", "x", "--max-time", "soon"])
            .contains("--max-time: `soon` is not a time")
    );
    assert!(
        said(&[("NAVIGATOR_CONFIG", "/nowhere.toml")], &["config"]).contains("/nowhere.toml: ")
    );
    write_file(&navigator, "modle = \"ollama/a\"\n");
    assert!(
        said(&[], &["config"])
            .contains("config.toml: `modle` is not a setting (did you mean `model`?)")
    );
    write_file(&navigator, "wire = \"telex\"\nmodel = \"ollama/a\"\n");
    assert!(said(&[], &["config"]).contains(
        "config.toml: wire: `telex` is not a wire format \
        (messages, responses, chat, gemini, ollama)"
    ));
}

#[test]
fn a_model_without_a_known_price_is_refused_with_the_way_out() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let refused = |args: &[&str]| {
        let ran = run_with(
            &navigator,
            &[("OPENAI_API_KEY", "k")],
            &[&["explore", "-g", "session"], args].concat(),
        );
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
        ran.stderr
    };
    assert!(refused(&["--model", "openai/gpt-none"]).contains(
        "no price is known for `openai/gpt-none` (give `--price-in USD --price-out USD`"
    ));
    assert!(
        refused(&["--model", "openai/gpt-5.4", "--base-url", "http://127.0.0.1:9/v1"])
            .contains("holds for the provider's own server only")
    );
    assert!(
        refused(&["--model", "openai/gpt-none", "--price-in", "1"])
            .contains("one of them is missing")
    );
    assert!(refused(&["--model", "nobody/x"]).contains("`nobody` is not a provider"));
    assert!(
        refused(&["--model", "anthropic/claude-haiku-5-5"])
            .contains("no key for anthropic/claude-haiku-5-5 (set ANTHROPIC_API_KEY)")
    );
}

#[test]
fn models_show_prices_with_their_day_and_which_have_a_key() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let ran = run_with(&navigator, &[("OPENAI_API_KEY", "sk-planted")], &["models"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        row(&ran, "anthropic/claude-haiku-5-5")
            .starts_with("anthropic/claude-haiku-5-5 $0.10 $0.50 1000000 no (ANTHROPIC_API_KEY)")
    );
    assert!(
        row(&ran, "openai/gpt-5.4-mini").starts_with("openai/gpt-5.4-mini $0.75 $4.50 272000 yes")
    );
    assert!(ran.stderr.contains("as listed on 20"), "{}", ran.stderr);
    assert!(!ran.stdout.contains("sk-planted") && !ran.stderr.contains("sk-planted"));
    let one = run_with(&navigator, &[], &["models", "haiku-4-5", "--format", "json"]);
    assert_eq!(one.stdout.lines().count(), 1, "{}", one.stdout);
}

#[test]
fn what_could_not_come_out_right_is_said_before_anything_is_done() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    for (args, said) in [
        (&["--output", "nowhere/x.md"][..], "--output: nowhere/x.md cannot be written"),
        (&["--include", "nothing/**"], "--include: no file matches `nothing/**`"),
        (
            &["--include", "src/**", "--include", "srcc/**"],
            "--include: no file matches `srcc/**` (did you mean `src/**`?)",
        ),
        (&["--exclude", "asets/"], "--exclude: no file matches `asets/` (did you mean `assets/`?)"),
        (
            &["--exclude", "src/http.rs#answer"],
            "--exclude: no file matches `src/http.rs#answer` (no item can be named here: ",
        ),
        (&["--dry-run"], "--dry-run: the offline pilot sends nothing"),
        (
            &["--model", "openai/x", "--base-url", "host", "--free"],
            "--base-url: `host` is not the address of a server",
        ),
        (&["--budget", "-1"], "--budget: `-1` is not an amount"),
    ] {
        let ran = run_with(&navigator, &[], &[&["explore", "-g", "session"], args].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    assert!(
        !navigator.home().join(".local/state/navigator/runs/00001").exists(),
        "a run that never began is kept"
    );
    let none = run_with(&navigator, &[], &["models", "nobody"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, ""), "{}", none.stderr);
}

#[test]
fn what_is_kept_out_already_may_be_excluded() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    folder.write(".gitignore", b"/target/\n");
    folder.write("target/debug/session.rs", b"fn session() {}\n");
    let ran = navigator.run(
        folder.path(),
        &[
            "explore",
            "-g",
            "session",
            "-o",
            "ctx.md",
            "--exclude",
            "target/",
            "--exclude",
            "ctx.md",
        ],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("--exclude: `target/` is no part of the repository as it was scanned"),
        "{}",
        ran.stderr
    );
}

#[test]
fn interactive_mode_without_a_terminal_says_so_and_spends_nothing() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let ran = run_with(&navigator, &[], &["explore", "-g", "session", "--interactive"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (11, ""));
    assert!(ran.stderr.contains("needs a terminal"), "{}", ran.stderr);
    assert!(!navigator.home().join(".local").exists());
}

#[cfg(unix)]
#[test]
fn a_person_at_a_terminal_goes_on_tells_the_pilot_something_and_takes_the_context() {
    use test_support::person::{DOWN, Person};
    let (folder, navigator) = (service(), sealed(env!("CARGO_BIN_EXE_navigator")));
    let mut command = navigator.command(folder.path());
    command.args(["explore", "-g", "how is a session refreshed", "--interactive"]);
    let mut person = Person::before(command);
    person.sees("Go on?");
    person.types("\r");
    person.sees("The pilot has finalized. Take it?");
    person.types(&format!("{DOWN}\r"));
    person.sees("Feedback:");
    person.types("tests too\r");
    person.sees("Go on?");
    person.types("\r");
    person.sees("Take it?");
    person.types("\r");
    let ran = person.leaves();
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("fn refresh"), "{}", ran.stdout);
}

#[test]
fn a_profile_wins_over_the_rest_of_its_file_and_is_one_decision_with_its_model() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let text = "model = \"lmstudio/any\"\nfree = true\nbudget = \"0.10\"\nmax_turns = \
        3\n\n[profile.cheap]\nmodel = \"anthropic/claude-haiku-5-5\"\nbudget = \
        0.02\n\n[profile.offline]\ntokens = \"2k\"\n";
    write_file(&navigator, text);
    let file = navigator.home().join(".config/navigator/config.toml").display().to_string();
    let cheap = run_with(&navigator, &[], &["config", "--profile", "cheap"]);
    assert_eq!(cheap.code, 0, "{}", cheap.stderr);
    assert_eq!(row(&cheap, "budget"), format!("budget 0.02 {file}: profile.cheap"));
    assert_eq!(row(&cheap, "max_turns"), format!("max_turns 3 {file}"));
    assert_eq!(row(&cheap, "free"), "free false default");
    let by_variable = run_with(&navigator, &[("NAVIGATOR_PROFILE", "offline")], &["config"]);
    assert_eq!(row(&by_variable, "tokens"), format!("tokens 2k {file}: profile.offline"));
    assert_eq!(row(&by_variable, "free"), format!("free true {file}"));
    let flag = run_with(&navigator, &[], &["config", "--profile", "cheap", "--budget", "0.01"]);
    assert_eq!(row(&flag, "budget"), "budget 0.01 --budget");
    let none = run_with(&navigator, &[], &["config", "--profile", "chaep"]);
    assert_eq!(none.code, 2);
    assert!(
        none.stderr.contains("there is no profile `chaep`")
            && none.stderr.contains("has cheap, offline"),
        "{}",
        none.stderr
    );
    write_file(&navigator, "[profile.cheap]\nbugdet = 1\n");
    let wrong = run_with(&navigator, &[], &["config", "--profile", "cheap"]);
    assert!(
        wrong.stderr.contains(
            "config.toml: profile.cheap: `bugdet` is not a setting (did you mean `budget`?)"
        ),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_profile_can_name_a_plan_that_the_repository_keeps() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    write_file(&navigator, "[profile.docs]\nplan = \"docs-only\"\ntokens = 300\n");
    let folder = service();
    folder.write(
        ".repo-map/plans/docs-only.yaml",
        b"version: 1\nrules:\n- path: '**'\n  level: exclude\n- path: '*.md'\n  level: ..full\n",
    );
    let explore = |args: &[&str]| {
        navigator
            .run(folder.path(), &[&["explore", "-g", "how is a session refreshed"], args].concat())
    };
    let found = explore(&["--profile", "docs"]);
    assert!(
        found.stdout.contains("README.md") && !found.stdout.contains(".rs"),
        "{}{}",
        found.stdout,
        found.stderr
    );
    assert!(found.stderr.contains("of 300 tokens"), "{}", found.stderr);
    assert_eq!(explore(&["--plan", "docs-only", "--tokens", "300"]).stdout, found.stdout);
    let none = explore(&["--plan", "docs-onyl"]);
    assert_eq!(none.code, 2);
    assert!(
        none.stderr.contains("docs-onyl: no plan of this name (looked for ")
            && none.stderr.contains(".repo-map/plans/docs-onyl.yaml"),
        "{}",
        none.stderr
    );
    // A plan that came with the repository cannot turn masking off under a name that the user gave
    // to another.
    folder.write(".repo-map/plans/docs-only.yaml", b"version: 1\nscan: { mask: off }\n");
    let refused = explore(&["--profile", "docs"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
    assert!(
        refused.stderr.contains("reads more of the repository than the defaults"),
        "{}",
        refused.stderr
    );
    let own = navigator.home().join(".config/repo-map/plans");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("docs-only.yaml"), "version: 1\nrules: [{ path: '*.md', level: ..full }]\n")
        .unwrap();
    assert_eq!(explore(&["--profile", "docs"]).code, 0);
}
