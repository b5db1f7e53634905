//! `navigator knowledge`: what was walked becomes a knowledge, and other agents ask it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use test_support::{Repo, Sealed, repo, sealed};

use crate::service;
use crate::tools::Tools;
use crate::walks::{GOAL, manual};

pub(crate) fn navigator() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_navigator"))
}

/// A folder with a knowledge, `known.json`, of a walk and of the pages that it went through.
pub(crate) fn known(navigator: &Sealed, pages: &Repo) -> Repo {
    let at = repo("");
    let site = format!("file://{}", pages.path().display());
    let walk = ["browse", &site, "--goal", GOAL, "-q", "--out", "walk"];
    assert_eq!(navigator.run(at.path(), &walk).code, 0);
    let built =
        navigator.run(at.path(), &["knowledge", "build", "walk", &site, "-o", "known.json"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    assert!(built.stderr.contains("of 2 recordings"), "{}", built.stderr);
    at
}

fn json_of(navigator: &Sealed, at: &Path, args: &[&str]) -> Value {
    let ran = navigator.run(at, &[args, &["--format", "json"]].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr))
}

#[test]
fn the_same_recordings_give_the_same_bytes_and_a_damaged_file_is_made_again_of_them() {
    let (navigator, pages) = (navigator(), manual());
    let at = known(&navigator, &pages);
    let site = format!("file://{}", pages.path().display());
    let twice = ["knowledge", "build", &site, "walk", "walk", "-o", "again.json"];
    let built = navigator.run(at.path(), &[&twice[..], &["--quiet"]].concat());
    assert_eq!((built.code, built.stderr.as_str()), (0, ""));
    let whole = fs::read_to_string(at.path().join("known.json")).unwrap();
    let again = fs::read_to_string(at.path().join("again.json")).unwrap();
    assert!(whole == again, "{whole}\n{again}");

    let listed = |name: &str| navigator.run(at.path(), &["knowledge", "show", name]);
    let screens = listed("known.json").stdout;
    fs::write(at.path().join("cut.json"), &whole[..whole.len() / 2]).unwrap();
    fs::write(at.path().join("edited.json"), whole.replace("\"times_seen\":1", "\"times_seen\":9"))
        .unwrap();
    let at_byte = whole.find("\"places\":").unwrap() + 20;
    let mut bytes = whole.clone().into_bytes();
    bytes[at_byte] = 0xff;
    fs::write(at.path().join("byte.json"), bytes).unwrap();
    let proposed = whole.replace("\"inferred\":[]", "\"inferred\":[{}]");
    fs::write(at.path().join("proposed.json"), proposed).unwrap();
    for (damaged, says_proposals) in
        [("cut.json", true), ("edited.json", false), ("byte.json", false), ("proposed.json", true)]
    {
        let made_again = listed(damaged);
        let is_said = made_again.stderr.contains("its proposals, if it had any, are lost");
        assert_eq!(is_said, says_proposals, "{}", made_again.stderr);
        assert_eq!((made_again.code, &made_again.stdout), (0, &screens), "{}", made_again.stderr);
        assert!(made_again.stderr.contains("is damaged"), "{}", made_again.stderr);
        assert!(made_again.stderr.contains("made again of 2 recordings"), "{}", made_again.stderr);
    }
    fs::remove_dir_all(at.path().join("walk")).unwrap();
    let lost = listed("cut.json");
    assert_eq!((lost.code, lost.stdout.as_str()), (1, ""));
    assert!(lost.stderr.contains("`navigator knowledge build` makes it again"), "{}", lost.stderr);
}

#[test]
fn an_agent_asks_for_ways_and_tasks_and_is_told_what_is_not_known() {
    let (navigator, pages) = (navigator(), manual());
    let at = known(&navigator, &pages);
    let ask = |args: &[&str]| {
        json_of(&navigator, at.path(), &[&["knowledge", "ask", "known.json"], args].concat())
    };
    let task = ask(&["execute-task", GOAL, "--dialect", "playwright-mcp"]);
    assert_eq!(task["success"], true, "{task}");
    let clicked = "getByRole('link', { name: '2012 Averon', exact: true })";
    let calls = task["actions"].as_array().unwrap();
    assert_eq!(calls[0]["tool"], "browser_navigate", "{task}");
    assert_eq!(calls[1]["params"]["target"], clicked, "{task}");

    let page = ask(&["find-screen", "--url", "file:///c12.html"]);
    let screen = page["result"]["screen_id"].as_str().unwrap();
    let way = ask(&["navigate-to-screen", screen]);
    let opened = json!({ "target": "file:///c12.html" });
    assert_eq!(
        (&way["actions"][0]["tool"], &way["actions"][0]["params"]),
        (&json!("open"), &opened)
    );
    assert_eq!(way["expected_result"]["screen_id"], screen);

    let unknown = ["knowledge", "ask", "known.json", "navigate-to-screen", "the moon"];
    let ran = navigator.run(at.path(), &unknown);
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""));
    assert!(ran.stderr.contains("there is no screen `the moon`\n"), "{}", ran.stderr);
    let misspelt = ["knowledge", "ask", "known.json", "navigate-to-screen", "capasity"];
    let ran = navigator.run(at.path(), &misspelt);
    let said =
        "there is no screen `capasity` (did you mean `capacity`, `capacity_2`, `capacity_3`?)";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn an_agent_asks_over_mcp_and_gets_a_whole_answer_or_none() {
    let (navigator, pages) = (navigator(), manual());
    let at = known(&navigator, &pages);
    let file = at.path().join("known.json");
    let folder = service();
    let mut tools = Tools::of(folder.path(), &["--knowledge", file.to_str().unwrap()]);
    let listed = tools.ask("tools/list", &json!({}));
    let listed = listed["result"]["tools"].as_array().unwrap();
    assert_eq!(listed.last().unwrap()["name"], "ask_knowledge");
    let mut ask = |question: Value| tools.call("ask_knowledge", question);
    let page = json!({ "current_url": "file:///c12.html" });
    let found = ask(json!({ "instruction_type": "find_screen", "context": page }));
    let found: Value = serde_json::from_str(&found).unwrap();
    let screen = &found["result"]["screen_id"];
    let way = json!({ "instruction_type": "navigate_to_screen", "target": screen });
    let answer: Value = serde_json::from_str(&ask(way.clone())).unwrap();
    assert_eq!(answer["actions"][0]["params"]["target"], "file:///c12.html", "{answer}");
    let gaps = ask(json!({ "instruction_type": "fill_action_gaps" }));
    assert!(gaps.contains("link_never_followed"), "{gaps}");

    let mut small = way.clone();
    small["tokens"] = json!(20);
    assert!(ask(small).contains("raise `tokens`"));
    let dashed = json!({ "instruction_type": "find-screen", "context": page });
    assert!(ask(dashed).contains("screen_id"));
    for (wrong, told) in [
        (json!({}), "`ask_knowledge` needs `instruction_type`"),
        (
            json!({ "instruction_type": "navigate_to_scren" }),
            "get_screen_context, fill_action_gaps (did you mean `navigate_to_screen`?)",
        ),
        (
            json!({ "instruction_type": "find_screen", "context": "x" }),
            "context: invalid type: string \"x\", expected an object with what you know",
        ),
        (
            json!({ "instruction_type": "find_screen", "context": { "url": "file:///c" } }),
            "context.url: unknown field `url`, expected one of `current_url`",
        ),
        (
            json!({ "instruction_type": "find_screen", "dialect": "x" }),
            "dialect: unknown variant `x`, expected one of",
        ),
    ] {
        let answer = ask(wrong);
        assert!(answer.contains(told), "{answer}");
    }
}

#[test]
fn a_later_walk_goes_straight_to_what_an_earlier_one_saw_and_not_to_that_of_another_name() {
    let (navigator, pages) = (navigator(), manual());
    let at = repo("");
    let site = format!("file://{}", pages.path().display());
    let walk = |goal: &str, out: &str, more: &[&str]| {
        let args = [&["browse", &site, "--goal", goal, "-q", "--out", out], more].concat();
        json_of(&navigator, at.path(), &args)
    };
    let opened = |walked: &Value| walked["path_taken"].to_string().contains("open ");
    walk(GOAL, "first", &[]);
    let built = ["knowledge", "build", "first", "-o", "known.json"];
    assert_eq!(navigator.run(at.path(), &built).code, 0);
    let known = ["--knowledge", "known.json"];

    let other = "brake fluid capacity of the 2012 Averon";
    let (without, with) = (walk(other, "without", &[]), walk(other, "with", &known));
    assert!(with["content"].to_string().contains("Brake fluid: 0.8 L"), "{with}");
    assert_eq!(with["content"], without["content"]);
    let steps = |walked: &Value| walked["steps_taken"].as_u64().unwrap();
    assert!(opened(&with) && steps(&with) < steps(&without), "{with}\n{without}");
    let replayed = navigator.run(at.path(), &["replay", "with", "--check"]);
    assert_eq!(replayed.stdout, "identical\n", "{}", replayed.stderr);

    // The first walk saw the capacity of 2012 alone.
    let of_2011 = "coolant capacity of the 2011 Averon";
    let found = walk(of_2011, "other", &known);
    assert!(found["content"].to_string().contains("7.1 L"), "{found}");
}

#[test]
fn each_fact_names_the_record_that_it_came_from() {
    let (navigator, pages) = (navigator(), manual());
    let at = known(&navigator, &pages);
    let run = |args: &[&str]| {
        let ran = navigator.run(at.path(), args);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let site = format!("file://{}", pages.path().display());
    run(&["knowledge", "build", "walk", "-o", "walk.json"]);
    run(&["knowledge", "build", &site, "-o", "pages.json"]);
    run(&["knowledge", "merge", "walk.json", "pages.json", "-o", "merged.json"]);
    for (file, n_used) in [("walk.json", 1), ("merged.json", 2)] {
        let known: Value = serde_json::from_str(&run(&["knowledge", "export", file])).unwrap();
        let mut from = [0, 0];
        let mut count = |facts: &Value| {
            let records = facts.as_array().unwrap().iter().map(|fact| fact["record"].as_u64());
            records.for_each(|record| from[usize::try_from(record.unwrap()).unwrap()] += 1);
        };
        for screen in known["screens"].as_array().unwrap() {
            count(&screen["actions"]);
            count(&screen["addresses"]);
        }
        count(&known["places"]);
        let used = from.iter().filter(|n| **n > 0).count();
        assert_eq!(used, n_used, "{file}: {from:?}");
    }
    let page = json_of(
        &navigator,
        at.path(),
        &["knowledge", "explain", "walk.json", "--url", "file:///c12.html"],
    );
    assert_eq!(page["seen_in"], json!(["walk"]), "{page}");
    let screen = page["recognition"]["screen_id"].as_str().unwrap();
    let shown = run(&["knowledge", "show", "walk.json", screen]);
    assert!(shown.contains(" in walk\n") && shown.contains("(opens it)  [walk]"), "{shown}");
    let explained =
        run(&["knowledge", "explain", "walk.json", screen, "--url", "file:///c12.html"]);
    assert!(explained.contains("seen 1 time in walk\n"), "{explained}");
}

/// Says where a value departs from a JSON schema, as far as ours have words for it.
fn departure(value: &Value, schema: &Value, root: &Value, at: &str) -> Option<String> {
    let within = |schema: &Value, value: &Value, at: &str| departure(value, schema, root, at);
    if let Some(name) = schema["$ref"].as_str() {
        let of_name = &root["$defs"][name.strip_prefix("#/$defs/").unwrap()];
        return within(of_name, value, at);
    }
    for choices in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[choices].as_array() {
            let is_one = choices.iter().any(|one| within(one, value, at).is_none());
            return (!is_one).then(|| format!("{at} is no choice: {value}"));
        }
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        Value::Null => Vec::new(),
        kind => vec![kind.clone()],
    };
    let is_kind = |kind: &Value| match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        kind => panic!("{kind}"),
    };
    let has_word = |words: &Vec<Value>| words.contains(value);
    let is_wrong = !kinds.is_empty() && !kinds.iter().any(is_kind)
        || !schema["enum"].as_array().is_none_or(has_word)
        || schema.get("const").is_some_and(|word| word != value);
    if is_wrong {
        return Some(format!("{at} is {value}"));
    }
    if let Some(list) = value.as_array() {
        return list.iter().find_map(|one| within(&schema["items"], one, at));
    }
    let (fields, known) = (value.as_object()?, schema["properties"].as_object()?);
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing = required.clone().find(|name| !fields.contains_key(*name));
    missing.map(|name| format!("{at}.{name} is missing")).or_else(|| {
        fields.iter().find_map(|(name, value)| match known.get(name) {
            Some(schema) => within(schema, value, &format!("{at}.{name}")),
            None => Some(format!("{at}.{name} is no field")),
        })
    })
}

#[test]
fn questions_answers_and_knowledges_keep_to_the_schemas_that_are_published() {
    let (navigator, pages) = (navigator(), manual());
    let at = known(&navigator, &pages);
    let schema_of = |of: &str| {
        let ran = navigator.run(at.path(), &["knowledge", "export", "--schema", of]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/schemas/{of}.schema.json"));
        let published = fs::read_to_string(&file).unwrap_or_default();
        assert!(ran.stdout == published, "`knowledge export --schema {of} -o {}`", file.display());
        serde_json::from_str::<Value>(&ran.stdout).unwrap()
    };
    let (knowledge, answer) = (schema_of("knowledge"), schema_of("answer"));
    let question = schema_of("question");
    let check = |value: &Value, schema: &Value| {
        assert_eq!(departure(value, schema, schema, "it"), None, "{value}");
    };
    let known = fs::read_to_string(at.path().join("known.json")).unwrap();
    check(&serde_json::from_str(&known).unwrap(), &knowledge);
    let here = json!({ "current_url": "file:///c12.html" });
    check(&json!({ "instruction_type": "find_screen", "context": here }), &question);
    let ask = |args: &[&str]| {
        let answered =
            json_of(&navigator, at.path(), &[&["knowledge", "ask", "known.json"], args].concat());
        check(&answered, &answer);
        answered
    };
    let page = ["--url", "file:///c12.html"];
    let found = ask(&["find-screen", page[0], page[1]]);
    let screen = found["result"]["screen_id"].as_str().unwrap();
    for dialect in ["walk", "browser-use", "playwright-mcp"] {
        for (kind, target) in [
            ("navigate-to-screen", screen),
            ("execute-task", GOAL),
            ("get-actions", screen),
            ("get-screen-context", screen),
            ("fill-action-gaps", ""),
        ] {
            let answered = ask(&[kind, target, "--dialect", dialect]);
            assert_eq!(answered["success"], true, "{kind}: {answered}");
        }
    }
    assert_eq!(ask(&["navigate-to-screen", "the moon"])["success"], false);
    let broken = json!({ "success": true, "actions": [{ "tool": 5 }] });
    assert!(departure(&broken, &answer, &answer, "it").is_some());
}

#[test]
fn what_two_knowledges_share_does_not_count_twice() {
    let (navigator, pages) = (navigator(), manual());
    let at = known(&navigator, &pages);
    let run = |args: &[&str]| navigator.run(at.path(), args);
    let site = format!("file://{}", pages.path().display());
    assert_eq!(run(&["knowledge", "build", &site, "-o", "pages.json"]).code, 0);
    let merge = |a: &str, b: &str| run(&["knowledge", "merge", a, b, "-o", "all.json"]);
    // All that the second has is in the first.
    assert_eq!(merge("known.json", "pages.json").code, 0);
    let seen = |name: &str| run(&["knowledge", "show", name]).stdout;
    assert_eq!(seen("all.json"), seen("known.json"));
    let shared = merge("pages.json", "known.json");
    assert_eq!(shared.code, 1);
    assert!(shared.stderr.contains("make one knowledge of all recordings"), "{}", shared.stderr);
}

#[test]
fn a_task_is_found_by_some_of_its_words_and_takes_no_value_that_it_does_not_know() {
    let (navigator, pages) = (navigator(), manual());
    let at = known(&navigator, &pages);
    let site = format!("file://{}", pages.path().display());
    let brake = "brake fluid capacity of the 2012 Averon";
    let walk = ["browse", &site, "--goal", brake, "-q", "--out", "brake"];
    assert_eq!(navigator.run(at.path(), &walk).code, 0);
    let build = ["knowledge", "build", "walk", "brake", "-o", "both.json"];
    assert_eq!(navigator.run(at.path(), &build).code, 0);
    let ask = |args: &[&str]| {
        let ran = navigator.run(at.path(), &[&["knowledge", "ask", "both.json"], args].concat());
        assert_eq!(ran.stdout.is_empty(), ran.code != 0, "{}", ran.stdout);
        (ran.code, ran.stderr)
    };
    assert_eq!(ask(&["execute-task", "coolant"]).0, 0);
    assert_eq!(ask(&["execute-task", "Brake capac"]).0, 0);
    let mut said = String::new();
    for args in [
        &["execute-task", "capacity averon"][..],
        &["execute-task", "moon"],
        &["execute-task", "coolant", "--param", "colour=red"],
        &["find-screen"],
    ] {
        let (code, stderr) = ask(args);
        said += &format!("{code}: {stderr}");
    }
    // What follows the words of an identifier differs from walk to walk.
    let mut parts = said.split("_averon_");
    let first = parts.next().unwrap_or_default().to_owned();
    let said = parts.fold(first, |said, part| format!("{said}_averon_ID{}", &part[6..]));
    insta::assert_snapshot!(said, @r"
    4: navigator: `capacity averon` fits several tasks: `brake_fluid_capacity_of_the_2012_averon_ID` (brake fluid capacity of the 2012 Averon), `coolant_capacity_of_the_2012_averon_ID` (coolant capacity of the 2012 Averon)
    4: navigator: there is no task `moon` (known: `brake_fluid_capacity_of_the_2012_averon_ID` (brake fluid capacity of the 2012 Averon), `coolant_capacity_of_the_2012_averon_ID` (coolant capacity of the 2012 Averon))
    4: navigator: the task `coolant_capacity_of_the_2012_averon_ID` has no parameter `colour` (known: none)
    2: navigator: ask: `find-screen` needs a page or a name (give `--url`, `--text` or words of the screen's name)
    ");
}

#[test]
fn a_run_on_a_repository_has_no_pages() {
    let (navigator, at) = (navigator(), repo("=== a.md\n# Coolant\n"));
    let explored = navigator.run(at.path(), &["explore", "--goal", "coolant", "-q"]);
    assert_eq!(explored.code, 0, "{}", explored.stderr);
    let built = navigator.run(at.path(), &["knowledge", "build", "1", "-o", "known.json"]);
    let why = "run `1` is one on the repository `";
    assert_eq!(built.code, 1, "{}", built.stderr);
    assert!(
        built.stderr.contains(why) && built.stderr.contains("has no pages"),
        "{}",
        built.stderr
    );
}

/// Makes the knowledge of a folder with one page of a form.
fn order(navigator: &Sealed, at: &Path, name: &str, most: &str) {
    fs::create_dir(at.join(name)).unwrap();
    let page = format!(
        "<title>Order</title><h1>Order</h1><form aria-label=Order>\
         <label>Amount <input type=number name=n min=1 max={most} step=2 required></label>\
         <label>Code <input minlength=3 maxlength=8 pattern='[A-Z]+' placeholder=ABC></label>\
         <label>Colour <select><option>red<option>blue</select></label>\
         <label>Plan <input type=file accept=.pdf multiple></label>\
         <input type=radio name=size value=small><input type=radio name=size value=large></form>"
    );
    fs::write(at.join(name).join("index.html"), page).unwrap();
    let (site, file) = (format!("file://{name}"), format!("{name}.json"));
    let built = navigator.run(at, &["knowledge", "build", &site, "-o", &file]);
    assert_eq!(built.code, 0, "{}", built.stderr);
}

#[test]
fn the_forms_of_a_page_say_what_each_field_takes_as_far_as_its_sightings_agree() {
    let (navigator, at) = (navigator(), repo(""));
    order(&navigator, at.path(), "old", "9");
    let context = |file: &str| {
        let asked = ["knowledge", "ask", file, "get-screen-context", "order"];
        json_of(&navigator, at.path(), &asked)["result"].take()
    };
    let fields = context("old.json")["forms"][0]["fields"].take();
    let told: Vec<Value> = fields
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["name"], one["role"], one["constraints"], one["options"]]))
        .collect();
    let expected = json!([
        ["Amount", "field", ["required"], []],
        ["Code", "field", [], []],
        ["Colour", "select", [], ["red", "blue"]],
        ["Plan", "file", ["multiple"], []],
        ["small", "radio", [], []],
        ["large", "radio", [], []],
    ]);
    assert_eq!(json!(told), expected);
    let rules =
        |fields: &Value| json!([fields[0]["rules"], fields[1]["rules"], fields[3]["rules"]]);
    let code = json!({
        "type": "text", "min_length": 3, "max_length": 8, "pattern": "[A-Z]+", "placeholder": "ABC",
    });
    let plan = json!({ "type": "file", "accept": ".pdf" });
    let amount = json!({ "type": "number", "min": "1", "max": "9", "step": "2" });
    assert_eq!(rules(&fields), json!([amount, code, plan]));

    order(&navigator, at.path(), "new", "12");
    let merged = ["knowledge", "merge", "old.json", "new.json", "-o", "both.json"];
    assert_eq!(navigator.run(at.path(), &merged).code, 0);
    let amount = json!({ "type": "number", "min": "1", "step": "2" });
    assert_eq!(rules(&context("both.json")["forms"][0]["fields"]), json!([amount, code, plan]));
}

#[test]
fn a_walk_on_a_known_site_goes_on_to_equal_pages_only_while_they_are_better() {
    let (navigator, at) = (navigator(), repo(""));
    fs::create_dir(at.path().join("pumps")).unwrap();
    let page = |name: &str, html: &str| {
        let html = format!("<title>{name}</title><h1>{name}</h1>{html}");
        fs::write(at.path().join("pumps").join(format!("{name}.html")), html).unwrap();
    };
    let links = ["Front", "Rear", "Side", "Upper"].map(|side| {
        let name = format!("{side} pump specifications");
        page(&name, &format!("<p>{}</p>", format!("It weighs {side} kilos. ").repeat(9)));
        format!("<li><a href='{name}.html'>{name}</a>")
    });
    page("index", &format!("<ul>{}</ul>", links.concat()));
    let built = ["knowledge", "build", "file://pumps", "-o", "known.json"];
    assert_eq!(navigator.run(at.path(), &built).code, 0);
    let opened = |more: &[&str]| {
        let goal = "which reading is normal for the pump at the gate?";
        let walk = ["browse", "file://pumps", "--start", "index.html", "--goal", goal];
        let walked = json_of(&navigator, at.path(), &[&walk[..], more].concat());
        assert!(walked["content"].to_string().contains("kilos"), "{walked}");
        walked["steps_taken"].as_u64().unwrap()
    };
    let steps = (opened(&["--no-search"]), opened(&["--knowledge", "known.json"]));
    assert_eq!(steps, (8, 3));
}
