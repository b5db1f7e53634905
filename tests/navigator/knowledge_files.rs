//! The files of knowledges: what a damaged one may have read, and what a command may replace.

use std::fs;

use serde_json::json;
use test_support::repo;

use crate::knowledge::{known, navigator};
use crate::service;
use crate::tools::Tools;
use crate::walks::manual;

#[test]
fn a_damaged_file_has_nothing_read_that_it_was_not_made_of() {
    let (navigator, at) = (navigator(), repo("=== notes/index.html\n<title>My diary</title>\n"));
    let made_of = |name: &str, source: &str| {
        let source = fs::canonicalize(at.path()).unwrap().join(source);
        let record = json!({ "name": "a", "digest": "d", "n_screens": 1, "source": source });
        let text = json!({ "version": 1, "records": [record], "screens": [] });
        fs::write(at.path().join(name), text.to_string()).unwrap();
    };
    made_of("itself.json", "itself.json");
    made_of("one.json", "other.json");
    made_of("other.json", "one.json");
    made_of("folder.json", "notes");
    let mut said = String::new();
    for file in ["itself.json", "one.json", "folder.json"] {
        let shown = navigator.run(at.path(), &["knowledge", "show", file]);
        let built = navigator.run(at.path(), &["knowledge", "build", file, "-o", "built.json"]);
        assert_eq!((&built.stderr, built.code), (&shown.stderr, shown.code));
        said += &format!("{}: {}{}", shown.code, shown.stdout, shown.stderr);
    }
    insta::assert_snapshot!(said, @r"
    1: navigator: `itself.json` is damaged: its digest is another one (`import` reads what others wrote); its recordings are not named, not there, or changed (`navigator knowledge build` makes it again)
    1: navigator: `one.json` is damaged: its digest is another one (`import` reads what others wrote); its recordings are not named, not there, or changed (`navigator knowledge build` makes it again)
    1: navigator: `folder.json` is damaged: its digest is another one (`import` reads what others wrote); its recordings are not named, not there, or changed (`navigator knowledge build` makes it again)
    ");
}

#[test]
fn a_server_makes_no_damaged_knowledge_again() {
    let (navigator, pages) = (navigator(), manual());
    let at = known(&navigator, &pages);
    let whole = fs::read_to_string(at.path().join("known.json")).unwrap();
    fs::write(at.path().join("cut.json"), &whole[..whole.len() / 2]).unwrap();
    assert_eq!(navigator.run(at.path(), &["knowledge", "show", "cut.json"]).code, 0);
    let folder = service();
    let file = at.path().join("cut.json");
    let mcp = ["mcp", "--knowledge", file.to_str().unwrap()];
    let ran = navigator.run(folder.path(), &mcp);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("cut.json` is damaged: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("`navigator knowledge build` makes it again"), "{}", ran.stderr);
}

#[test]
fn a_question_to_one_of_several_knowledges_names_it() {
    let (navigator, pages) = (navigator(), manual());
    let at = known(&navigator, &pages);
    fs::copy(at.path().join("known.json"), at.path().join("other.json")).unwrap();
    let folder = service();
    let files = ["known.json", "other.json"].map(|name| at.path().join(name));
    let flags: Vec<&str> =
        files.iter().flat_map(|file| ["--knowledge", file.to_str().unwrap()]).collect();
    let mut tools = Tools::of(folder.path(), &flags);
    let mut ask = |knowledge: Option<&str>| {
        let page = json!({ "current_url": "file:///c12.html" });
        let mut question = json!({ "instruction_type": "find_screen", "context": page });
        if let Some(name) = knowledge {
            question["knowledge"] = json!(name);
        }
        tools.call("ask_knowledge", question)
    };
    assert!(ask(Some("other")).contains("screen_id"));
    let said = [ask(None), ask(Some("third"))].join("\n");
    insta::assert_snapshot!(said, @r"
    error: knowledge: name one of the knowledges (known, other)
    error: knowledge: there is no such knowledge (known, other)
    ");
}

#[test]
fn what_a_command_on_a_knowledge_reads_is_not_replaced() {
    let (navigator, pages) = (navigator(), manual());
    let at = known(&navigator, &pages);
    let file = at.path().join("known.json");
    let before = fs::read_to_string(&file).unwrap();
    fs::copy(&file, at.path().join("other.json")).unwrap();
    let mut said = String::new();
    for args in [
        &["show", "known.json", "--report", "./known.json"][..],
        &["merge", "other.json", "known.json", "-o", "known.json"],
        &["export", "known.json", "-o", "known.json"],
    ] {
        let ran = navigator.run(at.path(), &[&["knowledge"], args].concat());
        said += &format!("{}: {}", ran.code, ran.stderr);
    }
    insta::assert_snapshot!(said, @r"
    2: navigator: --report: ./known.json is read by this command; name another file
    2: navigator: --output: known.json is read by this command; name another file
    2: navigator: --output: known.json is read by this command; name another file
    ");
    assert!(fs::read_to_string(&file).unwrap() == before);
}
