//! What holds of the map of any repository, and random repositories and plans to show it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use rayon::{ThreadPool, ThreadPoolBuilder};
use repo_map::plan::{Context, ItemRule, Rule, Scan};
use repo_map::{
    Fill, FlightPlan, Format, Level, LevelRange, Options, Replay, ReplayOutcome, RepoMap,
    RuleLayers, Tokenizer,
};
use test_support::{Repo, repo};

/// Pieces of files; a random file is some of them in a row, of its own language or not.
const PIECES: &[(&str, &[&str])] = &[
    (
        "rs",
        &[
            "/// A login.\n#[derive(Debug)]\npub struct Session {\n    /// Seconds left.\n    pub \
             seconds: u32,\n}\n",
            "impl Session {\n    /// Young again.\n    pub fn refresh(&mut self) -> bool {\n        true\n    }\n\n    fn end(self) {}\n}\n",
            "//! A module.\n\n",
            "/* block */ fn one() {} fn two() {}\n",
            "mod inner {\n    /// Deep.\n    pub fn deep(\n        a: u32,\n        b: &str,\n    \
             ) -> Vec<u8> {\n        vec![]\n    }\n}\n",
            "pub enum Color { Red, Green(u8) }\nconst TABLE: [u8; 3] = [1, 2, 3];\n",
        ],
    ),
    (
        "py",
        &[
            "\"\"\"A module.\"\"\"\n\nimport os\n\n",
            "class Report(Base):\n    \"\"\"One month.\"\"\"\n\n    total = 0\n\n    @property\n    def rows(self):\n        \"\"\"All rows.\n\n        Many.\n        \"\"\"\n        return []\n\n\n",
            "def refresh(session, *, force=False):\n    # why\n    return session\n",
            "X = 1\nNAMES = {\n    'a': 1,\n}\n",
            "def broken(:\n",
        ],
    ),
    (
        "md",
        &[
            "# Sessions\n\nHow a session lives.\n\n",
            "## Refresh\n\n```rust\nfn a() {}\n```\n\n",
            "### \n\n",
            "/path at the start\n\n",
            "- a\n- b\n\n",
        ],
    ),
    (
        "ts",
        &[
            "export interface Session { seconds: number }\n",
            "// why\nexport function refresh(s: Session): boolean {\n  return true;\n}\n",
            "/** Docs. */\nclass A {\n  x = 1;\n  /** M. */\n  m() {}\n}\n",
        ],
    ),
    ("json", &["{\"a\": {\"b\": [1, 2], \"\": {\" \": 1}}, \"/c\": \"/d\"}\n", "[1, 2]\n"]),
    ("yaml", &["a:\n  b: 1\n  /c: 2\n", "- x\n- y: 1\n", "\"\": 1\n"]),
    (
        "go",
        &[
            "package a\n\n// Refresh it.\nfunc (s *Session) Refresh() bool {\n\treturn true\n}\n",
            "type Session struct {\n\tseconds int // left\n}\n",
        ],
    ),
    ("txt", &["plain words\n", "\n\n/begins with a slash\n\n\n"]),
    (
        "",
        &[
            "/",
            "\n",
            "\n\n\n",
            "  \n",
            "\t\n",
            "// @generated\n",
            "ünï 漢字 🦀\n",
            "<|endoftext|>\n",
            "]]>\n",
            "```\n",
            "a\r\nb\r",
            "\u{85}\u{2028}\n",
            "'ll 's\n",
            "1234567\n",
            "x",
        ],
    ),
];

const GLOBS: &[&str] =
    &["**", "*.rs", "*.py", "*.md", "/a/**", "a b/", "/ü", "*.{ts,json}", "/a/**/*.go", "s*"];
const NAMES: &[&str] =
    &["refresh", "Session", "Session::refresh", "Refresh", "deep", "A.m@1", "a.b", "b@2"];
const GOALS: &[&str] =
    &["refresh the session", "", "`Session::refresh` panics at src/a.rs:3", "nothing of the kind"];

/// A repository and a plan for it.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) plan: FlightPlan,
}

impl Case {
    pub(crate) fn repo(&self) -> Repo {
        let repo = repo("");
        for (path, content) in &self.files {
            repo.write(path, content.as_bytes());
        }
        repo
    }
}

/// Nothing is drawn by what was drawn before: so a case can be made of the bytes of a fuzzer, too,
/// one after the other.
fn file() -> impl Strategy<Value = (String, String)> {
    let own = PIECES.len() - 1;
    let folders = &["", "a/", "a/b/", "a b/", "ü/", "s/x-y/", "s/x/"][..];
    let pieces = prop::collection::vec((0..4_u8, any::<Index>()), 0..6);
    (select(folders), "[a-d!#\\[\\]{}*? ü\\\\]{0,3}[a-d]", 0..own, pieces).prop_map(
        move |(folder, name, language, pieces)| {
            let (extension, its) = PIECES[language];
            let piece = |(of, at): (u8, Index)| *at.get(if of == 0 { PIECES[own].1 } else { its });
            (format!("{folder}{name}.{extension}"), pieces.into_iter().map(piece).collect())
        },
    )
}

fn files() -> impl Strategy<Value = BTreeMap<String, String>> {
    prop::collection::vec(file(), 1..14).prop_map(|files| files.into_iter().collect())
}

fn range() -> impl Strategy<Value = LevelRange> {
    (select(&Level::ALL[..]), select(&Level::ALL[..]))
        .prop_map(|(a, b)| LevelRange { floor: a.min(b), ceiling: a.max(b) })
}

fn rule() -> impl Strategy<Value = Rule> {
    let item_levels = select(&[Level::Exclude, Level::Outline, Level::Interface, Level::Full][..]);
    let items = prop::collection::vec((select(NAMES), item_levels), 1..3);
    (select(GLOBS), range(), prop::option::weighted(0.3, items)).prop_map(|(glob, range, items)| {
        let mut rule = Rule::new(glob, range);
        rule.items = items.map(|items| {
            items
                .into_iter()
                .map(|(name, level)| ItemRule { name: name.to_owned(), level })
                .collect()
        });
        rule
    })
}

fn plans() -> impl Strategy<Value = FlightPlan> {
    let context = (
        1..3_000_u32,
        select(&Tokenizer::ALL[..]),
        select(&[Format::Markdown, Format::Xml][..]),
        select(&Fill::ALL[..]),
        any::<bool>(),
    );
    (context, prop::collection::vec(rule(), 0..4), prop::option::of(select(GOALS))).prop_map(
        |((tokens, tokenizer, format, fill, line_numbers), rules, goal)| {
            let scan = Scan { outside: Some(Vec::new()), ..Scan::default() };
            let context = Context { tokens, tokenizer, format, fill, line_numbers };
            FlightPlan { goal: goal.map(Into::into), context, scan, rules, ..FlightPlan::default() }
        },
    )
}

pub(crate) fn cases() -> impl Strategy<Value = Case> {
    (files(), plans()).prop_map(|(files, plan)| Case { files, plan })
}

/// The whole text counted at once; the estimate is defined as the sum of its parts.
fn counted(tokenizer: Tokenizer, map: &RepoMap) -> u32 {
    match tokenizer {
        Tokenizer::O200kBase | Tokenizer::Cl100kBase => tokenizer.count(&map.text),
        Tokenizer::BytesDiv4 => sum_of_parts(map),
    }
}

fn sum_of_parts(map: &RepoMap) -> u32 {
    map.parts.iter().map(|part| part.tokens).sum()
}

fn fly(repo: &Repo, plan: &FlightPlan) -> RepoMap {
    let options = Options { history: false, ..Options::default() };
    repo_map::open(repo.path(), plan, &options)
        .unwrap()
        .map(RuleLayers { person: &plan.rules, pilot: &[] })
        .unwrap()
}

pub(crate) fn is_within_budget_and_its_size_is_the_count_of_its_text(
    repo: &Repo,
    plan: &FlightPlan,
) {
    let map = fly(repo, plan);
    assert!(map.tokens <= plan.context.tokens, "{} of {}", map.tokens, plan.context.tokens);
    assert_eq!(sum_of_parts(&map), map.tokens);
    assert_eq!(
        counted(plan.context.tokenizer, &map),
        map.tokens,
        "{:?}: {:?}",
        plan.context,
        map.text
    );
}

static ONE_THREAD: LazyLock<ThreadPool> =
    LazyLock::new(|| ThreadPoolBuilder::new().num_threads(1).build().unwrap());
static EIGHT_THREADS: LazyLock<ThreadPool> =
    LazyLock::new(|| ThreadPoolBuilder::new().num_threads(8).build().unwrap());

pub(crate) fn is_the_same_from_any_number_of_threads(repo: &Repo, plan: &FlightPlan) {
    let first = fly(repo, plan);
    for pool in [&*ONE_THREAD, &*EIGHT_THREADS] {
        let again = pool.install(|| fly(repo, plan));
        assert_eq!(again.text, first.text);
        assert_eq!(again.flown.to_yaml(), first.flown.to_yaml());
    }
}

pub(crate) fn replays_to_the_same_bytes_once_its_plan_was_written_out_and_read_back(
    repo: &Repo,
    plan: &FlightPlan,
) {
    let map = fly(repo, plan);
    let flown = FlightPlan::from_yaml("flown.yaml", &map.flown.to_yaml()).unwrap();
    assert_eq!(flown, map.flown);
    match Replay::of(&flown).at(repo.path()).named("flown.yaml").run().unwrap().outcome {
        ReplayOutcome::Identical { text, tokens } => {
            assert_eq!(text, map.text);
            assert_eq!(tokens, map.tokens);
        }
        other => panic!("{other:?}\n{}\n{}", map.flown.to_yaml(), map.text),
    }
}
