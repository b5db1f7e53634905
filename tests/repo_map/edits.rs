//! What `explain` offers: the flag and the plan it prints, run as they are printed, do what it says
//! of them.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};
use test_support::{Ran, Repo, ran, repo, sealed};

use crate::run;

/// Files that share a budget, so that what is raised in one is taken from another.
const SHARED: &str = "\
=== add.rs
/// Adds two numbers.
pub fn add(a: u32, b: u32) -> u32 { a + b }
/// Adds three numbers.
pub fn add_three(a: u32, b: u32, c: u32) -> u32 { a + b + c }
/// Adds many numbers, one by one.
pub fn sum(all: &[u32]) -> u32 { let mut sum = 0; for one in all { sum += one; } sum }
=== multiply.rs
/// Multiplies two numbers.
pub fn times(a: u32, b: u32) -> u32 { a * b }
/// Multiplies many numbers.
pub fn product(all: &[u32]) -> u32 { all.iter().product() }
=== README.md
# Numbers
How to add numbers.
";

/// Runs the program by a shell, with a text as standard input.
fn in_shell(repo: &Repo, arguments: &str, input: &str) -> Ran {
    let mut shell = sealed("sh").command(repo.path());
    shell.args(["-c", &format!("exec \"$0\" {arguments}"), env!("CARGO_BIN_EXE_repo-map")]);
    let mut child =
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program may end before it reads a plan that no flag names.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    ran(child.wait_with_output().unwrap())
}

fn json_of(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", ran.stdout, ran.stderr))
}

const LEVELS: [&str; 6] = ["exclude", "fold", "path", "outline", "interface", "full"];

fn rank(level: &Value) -> usize {
    LEVELS.iter().position(|one| level == one).unwrap()
}

/// The level of each file, and of each item by its name; the file itself has none.
type Levels = BTreeMap<(String, String), usize>;

/// Those of a map, by its JSON report.
fn levels(map_report: &Value, items: &BTreeMap<String, Vec<String>>) -> Levels {
    let mut levels = BTreeMap::new();
    for file in map_report["files"].as_array().unwrap() {
        let (path, level) = (file["path"].as_str().unwrap(), rank(&file["level"]));
        levels.insert((path.to_owned(), String::new()), level);
        for name in &items[path] {
            let own = file["items"]
                .as_array()
                .into_iter()
                .flatten()
                .find(|item| item["name"] == name.as_str());
            let as_file = if level <= rank(&json!("path")) { 0 } else { level };
            levels.insert(
                (path.to_owned(), name.clone()),
                own.map_or(as_file, |item| rank(&item["level"])),
            );
        }
    }
    levels
}

/// A repository, and the names of the items of each of its files.
struct Subject {
    repo: Repo,
    items: BTreeMap<String, Vec<String>>,
}

impl Subject {
    fn new(text: &str) -> Subject {
        let repo = repo(text);
        let lines = |ran: Ran| {
            ran.stdout
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect::<Vec<Value>>()
        };
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let paths: Vec<String> = lines(run(&repo, &["rank", "--format", "json"]))
            .iter()
            .map(|file| text(&file["path"]))
            .collect();
        let names = |one: Value| {
            one["items"].as_array().into_iter().flatten().map(|item| text(&item["name"])).collect()
        };
        let explain: Vec<&str> = ["explain", "--format", "json", "--"]
            .into_iter()
            .chain(paths.iter().map(String::as_str))
            .collect();
        let items = lines(run(&repo, &explain)).into_iter().map(names);
        Subject { items: paths.iter().cloned().zip(items).collect(), repo }
    }

    /// Holds the first edits of a target against the maps that their flags and their plans give.
    /// `flags` are those of the map that is asked about, `rules` its levels as lines of a plan;
    /// gives how many edits there were, and how many items they lowered.
    fn check(&self, target: &str, most: usize, flags: &str, rules: &str) -> (usize, usize) {
        let Subject { repo, items } = self;
        let before =
            levels(&json_of(&in_shell(repo, &format!("--format json {flags}"), "")), items);
        let target = format!("'{}'", target.replace('\'', r"'\''"));
        let edits = json_of(&in_shell(
            repo,
            &format!("explain --format json {flags} -- {target}"),
            "",
        ))["edits"]
            .clone();
        let text = in_shell(repo, &format!("explain {flags} -- {target}"), "").stdout;
        let lines =
            |label: &'static str| text.lines().filter_map(move |line| line.strip_prefix(label));
        let plans = lines("    plan  ").map(str::to_owned).chain(lines("    rule  ").map(|line| {
            let rule = line.split(" (last of the plan in force").next().unwrap();
            format!("version: 1\nrules:\n{rules}- {rule}\n")
        }));
        let without_levels = flags.split(" --level").next().unwrap();
        let (mut n_edits, mut n_items) = (0, 0);
        for ((edit, flag), plan) in
            edits.as_array().unwrap().iter().zip(lines("    flag  ")).zip(plans).take(most)
        {
            let by_flag = json_of(&in_shell(repo, &format!("--format json {flags} {flag}"), ""));
            let by_plan = json_of(&in_shell(
                repo,
                &format!("--format json {without_levels} --plan -"),
                &plan,
            ));
            assert_eq!(by_flag["map"], by_plan["map"], "{flag}\n{plan}");
            assert_eq!(by_flag["tokens"], edit["tokens"], "{flag}");
            n_edits += 1;
            n_items += check_lowered(edit, &before, &levels(&by_flag, items));
        }
        (n_edits, n_items)
    }
}

/// Whether an edit names the files and items that are lowered, and no others; gives how many items
/// it names.
fn check_lowered(edit: &Value, before: &Levels, after: &Levels) -> usize {
    let mut n_items = 0;
    for ((path, item), level) in before {
        let of_file = edit["lowers"].as_array().unwrap().contains(&json!(path));
        let of_items =
            edit["lowers_items"][path].as_array().is_some_and(|names| names.contains(&json!(item)));
        let is_lower = after[&(path.clone(), item.clone())] < *level;
        let what = format!("{path}#{item}: {is_lower}, {edit}");
        match item.as_str() {
            "" => assert!(is_lower || !of_file, "{what}"),
            _ => assert_eq!(is_lower && !of_file, of_items, "{what}"),
        }
        // The level of a file that shows items is that of most of them.
        let shows_items = *level > rank(&json!("path"))
            || before
                .iter()
                .any(|((of, item), level)| of == path && !item.is_empty() && *level > 0);
        assert!(!is_lower || of_file || of_items || shows_items, "{what}");
        n_items += usize::from(of_items);
    }
    n_items
}

#[test]
fn an_edit_does_what_explain_says_of_it_by_its_flag_and_by_its_plan() {
    let subject = Subject::new(SHARED);
    let checked = ["add.rs", "add.rs#sum", "multiply.rs#product", "README.md"]
        .map(|target| subject.check(target, 9, "--goal 'add numbers' --tokens 80", ""));
    assert!(
        checked.iter().any(|(_, n_items)| *n_items > 0),
        "no edit takes from the items of another file: {checked:?}"
    );
}

#[test]
fn an_edit_of_a_plan_in_force_goes_after_its_rules() {
    let subject = Subject::new(SHARED);
    for (levels, rules) in [
        (
            "--level '**=..path'",
            "- {path: '**', level: exclude..full}\n- {path: '**', level: ..path}\n",
        ),
        (
            "--level '*.rs=exclude'",
            "- {path: '**', level: exclude..full}\n- {path: '*.rs', level: exclude}\n",
        ),
        (
            "--level 'add.rs#add=full'",
            "- {path: '**', level: exclude..full}\n- {path: add.rs, items: [{name: add, level: \
             full}]}\n",
        ),
    ] {
        let (n_edits, _) = subject.check(
            "add.rs#sum",
            9,
            &format!("--goal 'add numbers' --tokens 90 {levels}"),
            rules,
        );
        assert!(n_edits > 0, "{levels}");
    }
}

#[test]
fn an_edit_of_a_file_of_any_name_can_be_pasted() {
    let names = ["it's $HOME `id`.rs", "c#=1.rs", "- x[1].rs", "\"q\": y.rs", "back\\slash!n.rs"];
    let file = |name: &&str| {
        format!("=== {name}\npub fn of(a: u32) -> u32 {{ a }}\npub fn it(a: u32) -> u32 {{ a }}\n")
    };
    let subject = Subject::new(&names.iter().map(file).collect::<String>());
    for name in names {
        let target = format!("{}#it", name.replace('\\', "\\\\"));
        assert_eq!(subject.check(&target, 1, "--tokens 60", "").0, 1, "{target}");
    }
}
