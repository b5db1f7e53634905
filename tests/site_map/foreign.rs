//! Text of pages through every command of the program: titles, headings, links, code, forms,
//! tables and names of files, each with what a terminal obeys, what nobody sees, and a secret.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use test_support::foreign::{raw_in, texts};
use test_support::{Sealed, sealed};

use crate::server::{PageServer, page, status};

const SECRET: &str = "ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2";

fn planted() -> String {
    format!("timeout \u{1b}[31m\u{1b}]0;PWN\u{7}\u{9b}2J\u{202e}\u{200b}\u{e0041} {SECRET}")
}

fn html() -> String {
    let text = planted();
    format!(
        "<title>{text}</title><h1 id='a'>{text}</h1><p>{text} <a href='b.html#{text}'>{text}</a>
        <pre>{text}</pre><dl><dt id='{text}'>{text}<dd>{text}</dl>
        <form action='{text}'><label>{text}<input name='{text}' value='{text}'></label></form>
        <table><tr><th>{text}<th>b<tr><td>{text}<td>c</table><img alt='{text}' src=a.png>
        <ul><li>{text}<ul><li><a href='{text}'>{text}</a></ul></ul>"
    )
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let name = format!("{}.html", planted());
    for name in ["index.html", "b.html", &name] {
        fs::write(folder.path().join(name), html().replace("<h1", &format!("<p>{name}<h1")))
            .unwrap();
    }
    folder
}

/// What is wrong with a text that was put out.
fn wrong_with(text: &str) -> Option<String> {
    raw_in(text).or_else(|| text.contains(SECRET).then(|| "the secret".to_owned()))
}

/// Runs a command, and returns what is wrong with what it puts out.
fn walked(program: &Sealed, at: &Path, args: &[&str]) -> Vec<String> {
    let ran = program.run(at, args);
    assert_ne!(ran.code, 101, "{args:?}: {}", ran.stderr);
    let lines = ran.stdout.lines().chain([ran.stdout.as_str()]);
    let values: Vec<Value> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut put_out = vec![ran.stdout.clone(), ran.stderr];
    values.iter().for_each(|value| texts(value, &mut put_out));
    let wrong = put_out.iter().filter_map(|text| wrong_with(text));
    wrong.map(|wrong| format!("{args:?}: {wrong}")).collect()
}

#[test]
fn nothing_of_a_page_leaves_raw_or_with_a_secret() {
    let (folder, program) = (folder(), sealed(env!("CARGO_BIN_EXE_site-map")));
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("b.html"), "<h1>Other</h1><p>Nothing.").unwrap();
    let other = other.path().display().to_string();
    let server = PageServer::start(|path| match path {
        "/robots.txt" => status(404),
        _ => page(&html()),
    });
    let address = server.url("/").to_string();
    let named = format!("{}.html", planted());
    let mut wrong = Vec::new();
    let mut commands = BTreeSet::new();
    for args in [
        &[".", "--level", "**=full", "--tokens", "20k"][..],
        &[".", "--goal", "timeout", "--format", "json"],
        &[".", "--goal", "timeout", "--format", "xml"],
        &[".", "--level", &named, "--goal", &planted()],
        &[&address, "--goal", "timeout", "--delay", "0", "--max-requests", "6"],
        &["rank", ".", "--goal", "timeout"],
        &["rank", ".", "--goal", "timeout", "--format", "json"],
        &["tree", "."],
        &["explain", ".", &named, "--goal", "timeout"],
        &["explain", ".", "index.html#a", "--goal", "timeout", "--format", "json"],
        &["explain", ".", &planted()],
        &["page", &named],
        &["page", "index.html"],
        &["diff", ".", &other],
        &["diff", ".", &other, "--format", "json"],
        &["record", &address, "-o", "kept.warc.gz", "--delay", "0", "--max-requests", "6"],
        &["links", "."],
        &["links", ".", &named, "--format", "json"],
        &["completions", "bash"],
        &["man"],
    ] {
        wrong.extend(walked(&program, folder.path(), args));
        commands.insert(args[0].to_owned());
    }
    let help = program.run(folder.path(), &["--help"]).stdout;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let listed = list.lines().filter_map(|line| line.split_whitespace().next());
    let missing: Vec<&str> =
        listed.filter(|one| *one != "help" && !commands.contains(*one)).collect();
    assert_eq!(missing, [""; 0], "commands that were not walked");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
