//! The page of a map: what it holds is what the map is, no text of a repository can leave its place
//! in it, and it has a bound.

use std::fs;

use repo_map::html::{Amount, MAX_PAGE_BYTES, PageInput, PageTurn};
use repo_map::{Level, RepoMap, RuleLayers, Sanitized};
use serde_json::{Value, json};
use test_support::{Dice, Repo, repo, service};

use crate::{open, plan, program, run};

const HOSTILE: &str = "</script><img src=x onerror=alert(1)><!--<script>\u{2028}&amp;";

/// The document of a page.
fn document(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"document\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// A map by the plan's rules, and its page.
fn paged(repo: &Repo, yaml: &str, told: &PageInput) -> (RepoMap, String) {
    let plan = plan(yaml);
    let layers = RuleLayers { person: &plan.rules, pilot: &[] };
    let open = open(repo, &plan);
    let map = open.map(layers).unwrap();
    let page = repo_map::html::page(&open, &map, layers, told).unwrap();
    (map, page.into_string())
}

fn told() -> PageInput {
    PageInput { command: "repo-map".to_owned(), ..PageInput::default() }
}

/// Every path of a document with its level and what it takes in the map, in the order of the
/// columns.
fn files(document: &Value) -> Vec<(String, Level, u64)> {
    let tree = &document["tree"];
    let numbers = |name: &str| -> Vec<usize> {
        tree[name].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
    };
    let (parents, counts) = (numbers("folder_parents"), numbers("folder_files"));
    let mut folders: Vec<String> = Vec::new();
    for (at, name) in tree["folder_names"].as_str().unwrap().split('/').enumerate() {
        folders.push(if at == 0 {
            String::new()
        } else {
            format!("{}{name}/", folders[parents[at]])
        });
    }
    let homes = counts.iter().enumerate().flat_map(|(at, n)| std::iter::repeat_n(at, *n));
    let tokens = |at: usize| -> u64 {
        let rows = tree["tokens"].as_array().unwrap();
        rows.iter().find(|row| row[0] == json!(at)).map_or(0, |row| row[1].as_u64().unwrap())
    };
    let names =
        tree["names"].as_str().unwrap().split('/').zip(tree["levels"].as_str().unwrap().chars());
    homes
        .zip(names)
        .enumerate()
        .map(|(at, (home, (name, level)))| {
            (
                format!("{}{name}", folders[home]),
                Level::ALL[level.to_digit(10).unwrap() as usize],
                tokens(at),
            )
        })
        .collect()
}

/// A repository whose names, goal and texts would be markup, were they not text.
fn hostile() -> Repo {
    let repo = service();
    repo.write(
        "<b onclick=alert(1)>&/'\"<!--.rs",
        format!("/// {HOSTILE}\npub fn refresh() {{}}\n").as_bytes(),
    );
    // A slash ends a name: folder and file make the tag together.
    repo.write("src/<", b"");
    fs::remove_file(repo.path().join("src/<")).unwrap();
    repo.write("src/</script><img src=x onerror=alert(1)>.rs", b"pub fn refresh_session() {}\n");
    repo
}

#[test]
fn a_page_says_what_the_map_says() {
    let (map, page) = paged(&service(), "goal: refresh a session\ncontext: {tokens: 300}", &told());
    let document = document(&page);
    let mut said = files(&document);
    said.sort();
    let mut expected: Vec<(String, Level, u64)> = map
        .files
        .iter()
        .map(|file| (file.path.clone(), file.level, u64::from(file.tokens)))
        .collect();
    expected.sort();
    assert_eq!(said, expected);
    assert_eq!(
        (document["tokens"].as_u64(), document["budget"].as_u64()),
        (Some(map.tokens.into()), Some(300))
    );
    assert_eq!(document["map"], json!(map.text));
    assert_eq!(document["ranking"].as_array().unwrap().len(), map.files.len());
}

#[test]
fn areas_are_what_can_be_shown_and_add_up_to_what_the_tree_counts() {
    let repo = service();
    repo.write("assets/photo.png", &[0; 90_000]);
    repo.write("assets/raw", &[0; 50_000]);
    repo.write(
        "assets/drawing.svg",
        format!("<svg>{}</svg>\n", "<path d='M 1 2'/>".repeat(900)).as_bytes(),
    );
    repo.write("src/tables.rs", "const X: u8 = 0;\n".repeat(200_000).as_bytes());
    let tree = run(&repo, &["tree", "--format", "json"]).stdout;
    let root: Value = serde_json::from_str(tree.lines().next().unwrap()).unwrap();
    let data = ["assets/drawing.svg", "assets/photo.png", "assets/raw"];
    for (yaml, data) in [
        ("goal: refresh a session\ncontext: {fill: all}", &data[..]),
        ("context: {tokens: 20000}\nrules: [{path: '**', level: full}]", &data[1..]),
    ] {
        let document = document(&paged(&repo, yaml, &told()).1);
        let sizes =
            document["tree"]["sizes"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap());
        assert_eq!(Some(sizes.sum()), root["tokens"]["full"].as_u64(), "{yaml}");
        assert_eq!(document["tree"]["estimated"], json!([]));
        assert_eq!(document["textless"], json!([["binary", 2], ["oversized", 1]]));
        // What the map shows is no data that could be left out.
        let places = document["tree"]["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|place| place.as_u64().unwrap() as usize);
        let files = files(&document);
        assert_eq!(places.map(|place| files[place].0.as_str()).collect::<Vec<_>>(), data, "{yaml}");
    }
}

#[test]
fn the_parts_of_a_score_on_a_page_add_up_to_it() {
    let (_, page) = paged(&service(), "goal: refresh a session", &told());
    let document = document(&page);
    let sum = |row: &Value| -> f64 {
        let parts: Vec<f64> =
            row[4].as_array().unwrap().iter().map(|part| part.as_f64().unwrap()).collect();
        let adds = |part: &[f64]| {
            document["signals"][part[0] as usize][1].as_f64().unwrap() * part[1] / 1e6
        };
        parts.chunks(2).map(adds).sum::<f64>() * row[2].as_f64().unwrap() / 1e6
    };
    let rows = document["ranking"].as_array().unwrap();
    let best = sum(&rows[0]);
    for row in rows {
        assert!((sum(row) / best - row[1].as_f64().unwrap() / 1e6).abs() < 1e-4, "{row}");
    }
}

#[test]
fn sizes_and_texts_on_a_page_are_those_of_the_map() {
    let (map, page) =
        paged(&service(), "goal: refresh a session\nrules: [{path: '**', level: full}]", &told());
    let document = document(&page);
    let all = files(&document);
    for row in document["prices"].as_array().unwrap() {
        let file = row[0].as_u64().unwrap() as usize;
        let (path, _, tokens) = &all[file];
        let levels = row[2].as_array().unwrap();
        let at = levels.iter().position(|level| level[0] == "full").unwrap();
        assert_eq!(levels[at][1].as_u64(), Some(*tokens), "{path}");
        assert!(
            map.text.contains(document["texts"][file.to_string()][at].as_str().unwrap()),
            "{path}"
        );
    }
    assert!(document["prices"].as_array().unwrap().len() > 3);
}

#[test]
fn items_of_their_own_level_are_on_the_page_as_in_the_map() {
    let rules = "rules: [{path: src/session.rs, level: outline, items: [{name: \
        'Session::refresh', level: full}]}]";
    let (map, page) = paged(&service(), rules, &told());
    let document = document(&page);
    let file = files(&document).iter().position(|(path, ..)| path == "src/session.rs").unwrap();
    let row =
        document["prices"].as_array().unwrap().iter().find(|row| row[0] == json!(file)).unwrap();
    let (at, size) = row[2]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .find(|(_, level)| level[0] == "as in the map")
        .unwrap();
    assert_eq!(
        size[1],
        json!(map.files.iter().find(|file| file.path == "src/session.rs").unwrap().tokens)
    );
    assert!(map.text.contains(document["texts"][file.to_string()][at].as_str().unwrap()));
}

#[test]
fn no_name_goal_or_text_can_leave_its_place() {
    let told = PageInput {
        facts: vec![(HOSTILE.into(), HOSTILE.into())],
        notes: vec![HOSTILE.into()],
        ..told()
    };
    let (_, page) = paged(
        &hostile(),
        &format!(
            "goal: {}\nrules: [{{path: '**', level: full}}]",
            json!(format!("refresh {HOSTILE}"))
        ),
        &told,
    );
    assert_eq!(page.matches("<script").count(), 2, "the document and our own script");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<img") && !page.contains('\u{2028}'));
    let document = document(&page);
    assert!(document["goal"].as_str().unwrap().contains(&*Sanitized::line(HOSTILE)));
    assert!(document["map"].as_str().unwrap().contains("</script><img src=x onerror=alert(1)>.rs"));
    assert!(
        files(&document)
            .iter()
            .any(|(path, ..)| path == "src/</script><img src=x onerror=alert(1)>.rs")
    );
}

#[test]
fn a_page_loads_nothing_and_runs_nothing_but_its_own_script() {
    let (_, page) = paged(&service(), "", &told());
    let (shell, rest) = page.split_once("<script type=\"application/json\"").unwrap();
    let (_, script) = rest.split_once("</script>").unwrap();
    for part in [shell, script] {
        assert!(
            !part.contains("http:") && !part.contains("https:") && !part.contains("//www"),
            "an address in the page"
        );
        assert!(!part.contains(" src=") && !part.contains("@import") && !part.contains("url("));
    }
    for unsafe_word in
        ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function("]
    {
        assert!(!script.contains(unsafe_word), "{unsafe_word}");
    }
    let policy = shell
        .split("Content-Security-Policy\" content=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
}

#[test]
fn what_a_persons_rules_keep_out_is_not_on_the_page() {
    let repo = service();
    repo.write(
        "src/private.rs",
        b"/// refresh a session\npub fn refresh_secretly() { hidden_body() }\n",
    );
    let rules = "goal: refresh a session\nrules: [{path: '**', level: exclude..full}, {path: \
        src/private.rs, level: RULE}]";
    let (_, page) = paged(&repo, &rules.replace("RULE", "exclude"), &told());
    assert!(!page.contains("refresh_secretly"));
    let (_, page) = paged(&repo, &rules.replace("RULE", "exclude..interface"), &told());
    assert!(page.contains("refresh_secretly") && !page.contains("hidden_body"));
}

#[test]
fn secrets_are_masked_and_counted() {
    let repo = service();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    repo.write("src/key.rs", format!("pub const SESSION_KEY: &str = \"{secret}\";\n").as_bytes());
    let (map, page) =
        paged(&repo, "goal: session key\nrules: [{path: '**', level: full}]", &told());
    assert!(!page.contains(&secret));
    assert_eq!(document(&page)["n_masked"].as_u64(), Some(u64::from(map.n_masked)));
    assert_eq!(document(&page)["masked"][0][1], json!(1));
}

#[test]
fn steps_are_told_with_the_levels_they_changed() {
    let levels =
        |level: Level, n: u32| -> Vec<(u32, Level)> { (0..n).map(|file| (file, level)).collect() };
    let step = |changes| PageTurn {
        title: "Turn".into(),
        tokens: 7,
        amounts: vec![Amount { value: u64::MAX, text: "$".into() }],
        changes,
        ..PageTurn::default()
    };
    let told = PageInput {
        start: Some(vec![Level::Fold; 6]),
        steps: vec![
            step(Some(levels(Level::Path, 2))),
            step(Some(Vec::new())),
            step(None),
            step(Some(Vec::new())),
        ],
        ..told()
    };
    let (_, page) = paged(&service(), "", &told);
    let document = document(&page);
    assert_eq!(document["start"], json!([[6, 1]]));
    // The first files of the tree are an asset and a source file; in the columns each stands with
    // its folder.
    let n: u64 =
        document["changes"][0].as_array().unwrap().iter().map(|run| run[1].as_u64().unwrap()).sum();
    assert_eq!(n, 2);
    assert_eq!(
        document["changes"].as_array().unwrap().len(),
        2,
        "what is unknown ends what is shown"
    );
    assert_eq!(
        document["steps"][0]["amounts"][0][0],
        json!(u64::MAX.to_string()),
        "no number that a browser would round"
    );
}

#[test]
fn the_same_page_for_any_number_of_threads_and_from_anywhere() {
    let page = |threads: &str| {
        let repo = hostile();
        let mut command = program().command(repo.path());
        let args = ["--goal", "refresh", "-t", "500", "--report", "page.html", "--no-history"];
        assert!(
            command.env("RAYON_NUM_THREADS", threads).args(args).output().unwrap().status.success()
        );
        fs::read_to_string(repo.path().join("page.html")).unwrap()
    };
    let one = page("1");
    assert_eq!(one, page("8"));
    assert!(!one.contains(std::env::temp_dir().to_str().unwrap()), "a path of this machine");
}

#[test]
fn the_page_is_the_same_with_a_cold_cache_a_warm_one_and_none() {
    let (repo, program) = (service(), program());
    let page = |more: &[&str]| {
        let ran = program.run(
            repo.path(),
            &[&["--goal", "refresh", "-t", "500", "--report", "page.html"], more].concat(),
        );
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        fs::read_to_string(repo.path().join("page.html")).unwrap()
    };
    let cold = page(&[]);
    assert_eq!(cold, page(&[]), "warm");
    assert_eq!(cold, page(&["--no-cache"]), "none");
}

#[test]
fn a_page_in_the_tree_changes_no_map() {
    let repo = service();
    let args = ["--goal", "refresh", "-t", "500"];
    let without = run(&repo, &args);
    let report = [&args[..], &["--report", "src/page.html"]].concat();
    for _ in 0..2 {
        assert_eq!(run(&repo, &report).stdout, without.stdout);
    }
    assert!(repo.path().join("src/page.html").is_file());
}

#[test]
fn a_flown_plan_has_a_page_without_a_ranking() {
    let repo = service();
    let flown = run(&repo, &["--goal", "refresh", "-t", "500", "--plan-out", "plan.yaml"]);
    let ran = run(&repo, &["--plan", "plan.yaml", "--report", "page.html"]);
    assert_eq!((ran.code, &ran.stdout), (0, &flown.stdout));
    let document = document(&fs::read_to_string(repo.path().join("page.html")).unwrap());
    assert_eq!((&document["map"], &document["ranking"]), (&json!(flown.stdout), &Value::Null));
}

#[test]
fn a_page_has_its_bound_however_large_the_tree() {
    let repo = repo("=== src/lib.rs\npub fn refresh() {}\n");
    let mut dice = Dice(7);
    // Texts of nothing but what is escaped, and names as long as a file system allows: all bounds
    // at once.
    for folder in 0..60 {
        for file in 0..50 {
            let name = format!(
                "{}/{}{file}.txt",
                "<".repeat(60 + dice.roll(60) as usize),
                "&".repeat(100 + dice.roll(100) as usize)
            );
            let text = if dice.roll(40) == 0 {
                "refresh <<<<>>>>&&&&\n".repeat(2_000)
            } else {
                String::new()
            };
            repo.write(&format!("{folder}/{name}"), text.as_bytes());
        }
    }
    let step = |_| PageTurn {
        title: HOSTILE.into(),
        text: HOSTILE.repeat(200),
        changes: Some(vec![(0, Level::Full)]),
        ..PageTurn::default()
    };
    let told = PageInput {
        start: Some(vec![Level::Fold; 3_001]),
        steps: (0..200).map(step).collect(),
        ..told()
    };
    let (map, page) = paged(&repo, "goal: refresh\ncontext: {tokens: 100000}", &told);
    assert!(page.len() <= MAX_PAGE_BYTES, "{} bytes", page.len());
    let document = document(&page);
    let n = |name: &str| {
        document["tree"][name].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(
        n("folder_files") + n("folder_rest"),
        map.files.len() as u64,
        "what is not named is counted"
    );
    assert!(n("folder_rest") > 0, "this tree is too large to be named whole");
    assert!(document["steps_left_out"].as_u64().unwrap() > 0);
    assert!(
        files(&document).iter().any(|(path, ..)| path == "src/lib.rs"),
        "what the map shows is named first"
    );
}
