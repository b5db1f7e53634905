//! Every setting from every place it can come from: flag over environment over profile over file
//! over default.

use std::fs;

use serde_json::{Value, json};
use test_support::{Ran, Sealed, ran, sealed};

use crate::service;

/// A setting with the values that a flag, the environment, a profile and the file give it.
const SETTINGS: &[(&str, [&str; 4])] = &[
    ("model", ["ollama/flag", "ollama/env", "ollama/profile", "ollama/file"]),
    (
        "base_url",
        ["http://127.0.0.1:1", "http://127.0.0.1:2", "http://127.0.0.1:3", "http://[::1]"],
    ),
    ("wire", ["chat", "messages", "gemini", "ollama"]),
    ("key_env", ["KEY_1", "KEY_2", "KEY_3", "KEY_4"]),
    ("window", ["10000", "20000", "30000", "40000"]),
    ("budget", ["0.01", "0.02", "0.03", "0.04"]),
    ("max_turns", ["1", "2", "3", "4"]),
    ("max_time", ["1m", "2m", "3m", "4m"]),
    ("timeout", ["10s", "20s", "30s", "40s"]),
];

/// What is in force where nothing is said.
const DEFAULTS: &[(&str, &str)] = &[
    ("model", "none: the offline pilot"),
    ("base_url", "the provider's own"),
    ("wire", "the provider's own"),
    ("key_env", "the provider's own"),
    ("price_in", "the price list's"),
    ("price_out", "the price list's"),
    ("free", "false"),
    ("prices", "the bundled list"),
    ("window", "the price list's, else 8192"),
    ("budget", "0.50"),
    ("tokens", "the plan's, else 8000"),
    ("plan", "none: every path may be shown"),
    ("max_turns", "20"),
    ("max_time", "5m with a model, none without"),
    ("timeout", "2m, 10m for a self-hosted server"),
    #[cfg(feature = "store")]
    ("purse", "none: the budget alone"),
    #[cfg(feature = "store")]
    ("store", "store.db in the state directory"),
];

fn navigator() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_navigator"))
}

/// Writes the user's file of settings and says where it is.
fn write_file(navigator: &Sealed, text: &str) -> String {
    let file = navigator.home().join(".config/navigator/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    file.display().to_string()
}

fn config(navigator: &Sealed, variables: &[(String, &str)], flags: &[&str]) -> Ran {
    let mut command = navigator.command(navigator.home());
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    ran(command.args(["config", "--format", "json"]).args(flags).output().unwrap())
}

/// Value and origin of a setting in what `config` prints.
fn in_force(ran: &Ran, setting: &str) -> (String, String) {
    assert_eq!(ran.code, 0, "{setting}: {}", ran.stderr);
    let row: Value = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|row| row["setting"] == setting)
        .unwrap_or_else(|| panic!("no `{setting}` in {}", ran.stdout));
    let text = |key: &str| row[key].as_str().unwrap_or_else(|| panic!("{key} in {row}")).to_owned();
    (text("value"), text("from"))
}

#[test]
fn a_setting_comes_from_the_nearest_place_that_has_it() {
    for (setting, [by_flag, by_variable, by_profile, by_file]) in SETTINGS {
        let navigator = navigator();
        let profile = format!("[profile.near]\n{setting} = \"{by_profile}\"\n");
        let file = write_file(&navigator, &format!("{setting} = \"{by_file}\"\n{profile}"));
        let flag = format!("--{}", setting.replace('_', "-"));
        let variable = format!("NAVIGATOR_{}", setting.to_uppercase());
        let variables = [(variable.clone(), *by_variable)];
        let of = |variables: &[(String, &str)], flags: &[&str]| {
            in_force(&config(&navigator, variables, flags), setting)
        };
        let is = |value: &str, origin: &str| (value.to_owned(), origin.to_owned());
        assert_eq!(of(&variables, &[&flag, by_flag, "--profile", "near"]), is(by_flag, &flag));
        assert_eq!(of(&variables, &["--profile", "near"]), is(by_variable, &variable));
        let from_profile = format!("{file}: profile.near");
        assert_eq!(of(&[], &["--profile", "near"]), is(by_profile, &from_profile));
        assert_eq!(of(&[], &[]), is(by_file, &file));
        write_file(&navigator, &profile);
        let (_, default) = DEFAULTS.iter().find(|(name, _)| name == setting).unwrap();
        assert_eq!(of(&[], &[]), is(default, "default"));
        // A variable without a value says nothing.
        assert_eq!(of(&[(variable, "")], &[]), is(default, "default"));
    }
}

#[test]
fn without_a_word_every_setting_has_its_default() {
    let ran = config(&navigator(), &[], &[]);
    let expected: Vec<Value> = DEFAULTS
        .iter()
        .map(|(name, value)| json!({ "setting": name, "value": value, "from": "default" }))
        .collect();
    let printed: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(printed, expected);
}

#[test]
fn a_price_is_one_decision_with_what_goes_with_it() {
    let navigator = navigator();
    let file = write_file(&navigator, "model = \"openai/own\"\nprice_in = 1\nprice_out = 2\n");
    let by_file = config(&navigator, &[], &[]);
    assert_eq!(in_force(&by_file, "price_in"), ("1".to_owned(), file.clone()));
    assert_eq!(in_force(&by_file, "price_out"), ("2".to_owned(), file.clone()));
    let free = config(&navigator, &[], &["--free"]);
    for setting in ["price_in", "price_out"] {
        assert_eq!(in_force(&free, setting).1, "default", "{setting}");
    }
    assert_eq!(in_force(&free, "free"), ("true".to_owned(), "--free".to_owned()));
    let half = [("NAVIGATOR_PRICE_IN".to_owned(), "3")];
    let half = config(&navigator, &half, &["--price-out", "4"]);
    assert_eq!(half.code, 2, "a flag and a variable make no price: {}", half.stdout);
}

#[test]
fn what_is_no_value_of_a_setting_is_refused_with_the_place_it_stands_in() {
    let navigator = navigator();
    write_file(&navigator, "");
    let mut page = String::new();
    for (setting, value) in [
        ("budget", "free"),
        ("budget", "0.0000000000001"),
        ("max_turns", "0.5"),
        ("max_turns", "-1"),
        ("max_time", "5d"),
        ("timeout", "-1s"),
        ("window", "lots"),
        ("wire", "soap"),
        ("model", "gpt"),
        ("base_url", "localhost:80"),
        ("free", "maybe"),
    ] {
        let variable = format!("NAVIGATOR_{}", setting.to_uppercase());
        let model = ("NAVIGATOR_MODEL".to_owned(), "ollama/own");
        let refused = config(&navigator, &[model, (variable, value)], &[]);
        let said = refused.stderr.lines().last().unwrap();
        page.push_str(&format!("{value}: exit {} {said}\n", refused.code));
    }
    insta::assert_snapshot!(page, @"
    free: exit 2 navigator: NAVIGATOR_BUDGET: `free` is not an amount in USD (`0.50`, `$2`)
    0.0000000000001: exit 2 navigator: NAVIGATOR_BUDGET: `0.0000000000001` is not an amount in \
    USD (`0.50`, `$2`)
    0.5: exit 2 navigator: NAVIGATOR_MAX_TURNS: `0.5` is not a number of turns
    -1: exit 2 navigator: NAVIGATOR_MAX_TURNS: `-1` is not a number of turns
    5d: exit 2 navigator: NAVIGATOR_MAX_TIME: `5d` is not a time (`90s`, `5m`, `1h`)
    -1s: exit 2 navigator: NAVIGATOR_TIMEOUT: `-1s` is not a time (`90s`, `5m`, `1h`)
    lots: exit 2 navigator: NAVIGATOR_WINDOW: `lots` is not a number of tokens (`8000`, `8k`)
    soap: exit 2 navigator: NAVIGATOR_WIRE: `soap` is not a wire format (messages, responses, \
    chat, gemini, ollama)
    gpt: exit 2 navigator: NAVIGATOR_MODEL: `gpt` is not a model (write PROVIDER/NAME, as in \
    `anthropic/claude-haiku-5-5`) (`navigator models` lists them; another server: `--base-url URL`)
    localhost:80: exit 2 navigator: NAVIGATOR_BASE_URL: `localhost:80` is not the address of a \
    server (`https://host/v1`, `http://127.0.0.1:8080`)
    maybe: exit 2 navigator: NAVIGATOR_FREE: `maybe` is neither `true` nor `false`
    ");
}

#[test]
fn what_is_no_setting_is_refused_with_the_file_it_stands_in() {
    let mut page = String::new();
    for text in [
        "api_key = \"x\"\n",
        "openai_api_key = \"x\"\n",
        "budgte = 1\n",
        "zzz = 1\n",
        "budget = [1]\n",
        "budget = \n",
        "[profiles.a]\nbudget = 1\n",
        "profile = \"a\"\n",
    ] {
        let navigator = navigator();
        write_file(&navigator, text);
        let refused = config(&navigator, &[], &[]);
        let said = refused.stderr.replace(&navigator.home().display().to_string(), "HOME");
        page.push_str(&format!("{text}exit {} {said}", refused.code));
    }
    insta::assert_snapshot!(page, @r#"
    api_key = "x"
    exit 2 navigator: HOME/.config/navigator/config.toml: `api_key`: keys come from the environment, not from files (`key_env` names the variable)
    openai_api_key = "x"
    exit 2 navigator: HOME/.config/navigator/config.toml: `openai_api_key`: keys come from the environment, not from files (`key_env` names the variable)
    budgte = 1
    exit 2 navigator: HOME/.config/navigator/config.toml: `budgte` is not a setting (did you mean `budget`?)
    zzz = 1
    exit 2 navigator: HOME/.config/navigator/config.toml: `zzz` is not a setting (`navigator config` lists them)
    budget = [1]
    exit 2 navigator: HOME/.config/navigator/config.toml: budget: `[1]` is not a value for a setting
    budget = 
    exit 2 navigator: HOME/.config/navigator/config.toml: TOML parse error at line 1, column 10
      |
    1 | budget = 
      |          ^
    string values must be quoted, expected literal string
    [profiles.a]
    budget = 1
    exit 2 navigator: HOME/.config/navigator/config.toml: `profiles` is not a setting (`navigator config` lists them)
    profile = "a"
    exit 2 navigator: HOME/.config/navigator/config.toml: profile: not a table (`[profile.review]`, and settings below it)
    "#);
}

#[test]
fn another_file_can_be_named_or_none() {
    let navigator = navigator();
    write_file(&navigator, "budget = \"0.04\"\n");
    let other = navigator.home().join("other.toml");
    fs::write(&other, "budget = \"0.07\"\n").unwrap();
    let other = other.display().to_string();
    let named = [("NAVIGATOR_CONFIG".to_owned(), other.as_str())];
    let named = config(&navigator, &named, &[]);
    assert_eq!(in_force(&named, "budget"), ("0.07".to_owned(), other.clone()));
    let none = config(&navigator, &[("NAVIGATOR_CONFIG".to_owned(), "")], &[]);
    assert_eq!(in_force(&none, "budget"), ("0.50".to_owned(), "default".to_owned()));
    let variables = [("NAVIGATOR_CONFIG".to_owned(), "")];
    let profile = config(&navigator, &variables, &["--profile", "any"]);
    assert_eq!(profile.code, 2);
    insta::assert_snapshot!(profile.stderr, @"navigator: --profile: there is no profile `any`: \
        there is no file of settings");
}

/// A list of two models, the second without a price for a cache.
const PRICES: &str = "as_of = \"2026-01-31\"\n\n[[model]]\nprovider = \"openai\"\nname = \"big\"\n\
    input = \"2\"\ncached = \"0.5\"\ncache_write = \"2\"\noutput = \"8\"\n\
    context_window = 100000\nmax_output = 4000\n\n[[model]]\nprovider = \"mistral\"\n\
    name = \"small\"\ninput = \"0.1\"\noutput = \"0.3\"\ncontext_window = 32000\n\
    max_output = 2000\n";

#[test]
fn models_are_those_of_the_list_that_is_named() {
    let navigator = navigator();
    let folder = service();
    folder.write("prices.toml", PRICES.as_bytes());
    let models = |args: &[&str]| {
        let args = [&["models", "--prices", "prices.toml"], args].concat();
        let ran = navigator.run(folder.path(), &args);
        format!("exit {}\n{}{}", ran.code, ran.stdout, ran.stderr)
    };
    insta::assert_snapshot!(models(&[]), @"
    exit 0
    model          input  output  window  key                   notes
    openai/big     $2.00  $8.00   100000  no (OPENAI_API_KEY)
    mistral/small  $0.10  $0.30   32000   no (MISTRAL_API_KEY)
    navigator: USD per million tokens, as listed on 2026-01-31; other models with `--price-in` \
    and `--price-out`, own servers with `--free`
    ");
    insta::assert_snapshot!(models(&["--format", "json"]), @r#"
    exit 0
    {"model":"openai/big","price_in_usd":"$2.00","price_out_usd":"$8.00","tiers":"","context_window":100000,"key":"no (OPENAI_API_KEY)","note":""}
    {"model":"mistral/small","price_in_usd":"$0.10","price_out_usd":"$0.30","tiers":"","context_window":32000,"key":"no (MISTRAL_API_KEY)","note":""}
    navigator: USD per million tokens, as listed on 2026-01-31; other models with `--price-in` and `--price-out`, own servers with `--free`
    "#);
    insta::assert_snapshot!(models(&["mistral"]), @"
    exit 0
    model          input  output  window  key                   notes
    mistral/small  $0.10  $0.30   32000   no (MISTRAL_API_KEY)
    navigator: USD per million tokens, as listed on 2026-01-31; other models with `--price-in` \
    and `--price-out`, own servers with `--free`
    ");
    insta::assert_snapshot!(models(&["none"]), @"
    exit 1
    navigator: no listed model has `none` in its name (`--price-in`, `--price-out` and `--free` \
    price others)
    ");
}

#[test]
fn a_list_of_prices_that_does_not_hold_is_refused() {
    let navigator = navigator();
    let folder = service();
    let mut page = String::new();
    for (before, after) in [
        ("as_of = \"2026-01-31\"\n", ""),
        ("input = \"2\"", "input = 2.0"),
        ("input = \"2\"", "input = \"-2\""),
        ("input = \"2\"", "inptu = \"2\""),
        ("output = \"8\"\n", ""),
        ("context_window = 100000", "context_window = \"many\""),
    ] {
        folder.write("prices.toml", PRICES.replacen(before, after, 1).as_bytes());
        let ran = navigator.run(folder.path(), &["models", "--prices", "prices.toml"]);
        page.push_str(&format!("{after:?} for {before:?}\n  exit {} {}", ran.code, ran.stderr));
    }
    insta::assert_snapshot!(page, @r#"
    "" for "as_of = \"2026-01-31\"\n"
      exit 2 navigator: --prices: prices.toml: TOML parse error at line 1, column 1
      |
    1 | 
      | ^
    missing field `as_of`
    "input = 2.0" for "input = \"2\""
      exit 2 navigator: --prices: prices.toml: TOML parse error at line 6, column 9
      |
    6 | input = 2.0
      |         ^^^
    invalid type: floating point `2.0`, expected a string
    "input = \"-2\"" for "input = \"2\""
      exit 2 navigator: --prices: prices.toml: openai/big: input: `-2` is not a price in USD per million tokens (`0.25`, `3`)
    "inptu = \"2\"" for "input = \"2\""
      exit 2 navigator: --prices: prices.toml: TOML parse error at line 6, column 1
      |
    6 | inptu = "2"
      | ^^^^^
    unknown field `inptu`, expected one of `provider`, `name`, `input`, `cached`, `cache_write`, `cache_write_1h`, `output`, `context_window`, `max_output`, `reasons`, `json_schema`, `cache_from`, `regions`, `ends`, `note`, `tier`
    "" for "output = \"8\"\n"
      exit 2 navigator: --prices: prices.toml: TOML parse error at line 3, column 1
      |
    3 | [[model]]
      | ^^^^^^^^^
    missing field `output`
    "context_window = \"many\"" for "context_window = 100000"
      exit 2 navigator: --prices: prices.toml: TOML parse error at line 10, column 18
       |
    10 | context_window = "many"
       |                  ^^^^^^
    invalid type: string "many", expected u32
    "#);
    let none = navigator.run(folder.path(), &["models", "--prices", "nowhere.toml"]);
    insta::assert_snapshot!(format!("exit {} {}", none.code, none.stderr), @"exit 2 navigator: \
        --prices: nowhere.toml: No such file or directory (os error 2)");
}
