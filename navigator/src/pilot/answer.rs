//! What a model said becomes an action, or complaints that go back to it.

use repo_map::plan::{Rule, check_glob, exact_glob};
use repo_map::{Level, LevelRange, Repo, Sanitized};
use serde_json::Value;

use crate::model::request::Reply;
use crate::pilot::view::one_line;
use crate::run::action::{Action, Change, Focus, RuleChange};
use crate::run::pilot::Decision;
use crate::run::state::State;

/// The most changes that one answer can make.
const MOST_CHANGES: usize = 50;
/// The longest complaint, in characters: it goes into the next request, and may quote anything.
const LONGEST_COMPLAINT: usize = 500;

/// Reads an answer. What cannot be used of it is a complaint; the rest counts.
pub fn read(reply: &Reply, repo: &mut Repo, state: &State) -> Decision {
    let mut decision = decision(reply, repo, state);
    for complaint in &mut decision.complaints {
        *complaint = one_line(complaint, LONGEST_COMPLAINT);
    }
    decision
}

fn decision(reply: &Reply, repo: &mut Repo, state: &State) -> Decision {
    if let Some(refusal) = &reply.refusal {
        return nothing(format!("there was no answer: {refusal}"));
    }
    let Some(answer) = object_in(&reply.text) else {
        return nothing(match (reply.text.trim().is_empty(), reply.is_cut) {
            (true, true) => "the answer was empty: all of the output allowed was used up before \
                it"
            .to_owned(),
            (true, false) => "the answer was empty".to_owned(),
            (false, true) => "the answer was cut before its JSON ended: answer in fewer words, \
                with fewer changes"
                .to_owned(),
            (false, false) => "the answer holds no JSON object of the form asked for".to_owned(),
        });
    };
    let changes = answer["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
    match answer["action"].as_str() {
        Some("finalize_context") => finalize(&answer, repo),
        Some("update_flight_plan") => update(&answer, changes, repo, state),
        // What it wants is plain without the word.
        None if !changes.is_empty() => update(&answer, changes, repo, state),
        other => nothing(format!(
            "`action` is {}: it must be \"update_flight_plan\" or \"finalize_context\"",
            other.map_or_else(|| answer["action"].to_string(), |word| format!("\"{word}\""))
        )),
    }
}

fn nothing(complaint: String) -> Decision {
    Decision { complaints: vec![complaint], ..Decision::default() }
}

/// The JSON object in a text: the whole of it, or the first in prose or fences that has a field of
/// an answer.
fn object_in(text: &str) -> Option<Value> {
    let is_answer = |value: &Value| {
        value.is_object() && (value.get("action").is_some() || value.get("changes").is_some())
    };
    for (open, _) in text.match_indices('{') {
        let mut values = serde_json::Deserializer::from_str(&text[open..]).into_iter::<Value>();
        if let Some(Ok(value)) = values.next()
            && is_answer(&value)
        {
            return Some(value);
        }
        // An answer starts near the beginning; a text of nothing but braces is none.
        if open > 100_000 {
            break;
        }
    }
    None
}

fn finalize(answer: &Value, repo: &mut Repo) -> Decision {
    let mut complaints = Vec::new();
    let mut focus = Vec::new();
    for area in
        answer["focus"].as_array().map(Vec::as_slice).unwrap_or_default().iter().take(MOST_CHANGES)
    {
        let path = text(area, "path");
        let file = path.split('#').next().unwrap_or_default().trim_start_matches("./");
        if repo.has_path(file) {
            focus.push(Focus { path: file.to_owned(), why: text(area, "why") });
        } else {
            complaints.push(format!("the focus area `{path}` is no file of the repository"));
        }
    }
    let summary = [text(answer, "summary"), text(answer, "reasoning")]
        .into_iter()
        .find(|text| !text.is_empty())
        .unwrap_or_default();
    Decision { action: Some(Action::FinalizeContext { summary, focus }), complaints, traffic: None }
}

fn update(answer: &Value, changes: &[Value], repo: &mut Repo, state: &State) -> Decision {
    let mut complaints = Vec::new();
    let mut read = Vec::new();
    for change in changes.iter().take(MOST_CHANGES) {
        match read_change(change, repo, &state.bounds) {
            Ok(change) => add(change, &mut read, &mut complaints),
            Err(complaint) => complaints.push(complaint),
        }
    }
    // What is in force already still counts where the rest of the answer would take it back.
    let mut rest = state.clone();
    rest.apply(
        &read.iter().filter(|change| !state.is_in_force(change)).cloned().collect::<Vec<_>>(),
    );
    let (idle, good): (Vec<_>, Vec<_>) =
        read.into_iter().partition(|change| state.is_in_force(change) && rest.is_in_force(change));
    complaints.extend(idle.iter().map(|change| {
        format!("`{}` is in force already: change something else, or finalize", change.name())
    }));
    complaints.extend(good.iter().filter_map(|change| beyond(change, repo, &state.bounds)));
    if changes.len() > MOST_CHANGES {
        complaints.push(format!(
            "{} changes are too many: the first {MOST_CHANGES} counted",
            changes.len()
        ));
    }
    if changes.is_empty() {
        complaints.push("`changes` is empty: change something, or finalize".to_owned());
    }
    let reasoning = text(answer, "reasoning");
    let action =
        (!good.is_empty()).then_some(Action::UpdateFlightPlan { changes: good, reasoning });
    Decision { action, complaints, traffic: None }
}

/// Adds a change to those of an answer. Of two for the same paths or item the last counts.
fn add(change: RuleChange, changes: &mut Vec<RuleChange>, complaints: &mut Vec<String>) {
    let is_repeated = |one: &RuleChange| match (&one.target, &change.target) {
        (Change::Paths(one, _), Change::Paths(other, _)) => one == other,
        (Change::Item(one, item), Change::Item(other, same)) => {
            one == other && item.name == same.name
        }
        _ => false,
    };
    if let Some(at) = changes.iter().position(is_repeated)
        && changes.remove(at).target != change.target
    {
        complaints.push(format!("`{}` is changed twice: the last change counts", change.name()));
    }
    changes.push(change);
}

/// A change, once what it names was found.
fn read_change(change: &Value, repo: &mut Repo, bounds: &[Rule]) -> Result<RuleChange, String> {
    let named = text(change, "path");
    let path = path_of_line(named.trim(), repo).trim_start_matches("./");
    if path.is_empty() {
        return Err(format!("a change has no `path`: {}", short(&change.to_string())));
    }
    let said = text(change, "level");
    let level: Level = said.trim().to_lowercase().parse().map_err(|_| {
        format!(
            "`{}` for `{}` is not a level (exclude, fold, path, outline, interface, full)",
            short(&said),
            short(path)
        )
    })?;
    let why = text(change, "why");
    if let Some((file, item)) = path.split_once('#') {
        return item_change(file.trim_start_matches('/'), item, level, &why, repo, bounds);
    }
    let glob = glob_of(path, repo);
    check_glob(&glob)?;
    let rule = Rule::new(&glob, LevelRange::exactly(level));
    if repo.reach(&rule, &[]).map_err(|error| error.to_string())?.n_files == 0 {
        return Err(format!(
            "`{}` matches no file{}",
            short(path),
            did_you_mean(&similar_paths(path, repo, bounds))
        ));
    }
    Ok(RuleChange::paths(glob, LevelRange::exactly(level), why))
}

/// Models copy whole lines of the map (`- tests/ (42 files: py 15)`, `- src/ +14 files`): they
/// stand for their paths.
fn path_of_line<'l>(line: &'l str, repo: &Repo) -> &'l str {
    if repo.has_path(line) {
        return line;
    }
    let line = line.strip_prefix("- ").unwrap_or(line);
    let end =
        [" (", " +", ": now"].iter().filter_map(|end| line.find(end)).min().unwrap_or(line.len());
    line[..end].trim_end()
}

fn item_change(
    file: &str,
    item: &str,
    level: Level,
    why: &str,
    repo: &mut Repo,
    bounds: &[Rule],
) -> Result<RuleChange, String> {
    if !repo.has_path(file) {
        return Err(format!(
            "`{}` is no file of the repository{}",
            short(file),
            did_you_mean(&similar_paths(file, repo, bounds))
        ));
    }
    if !repo.has_item(file, item) {
        let similar = repo.similar_items(file, item);
        let similar: Vec<&str> = similar.iter().map(String::as_str).collect();
        return Err(format!("`{file}` has no item `{}`{}", short(item), did_you_mean(&similar)));
    }
    // An item is named, shown by signature or shown whole; less than its name is nothing.
    let level = match level {
        Level::Fold | Level::Path => Level::Exclude,
        level => level,
    };
    Ok(RuleChange::item(file, item, level, why))
}

/// A path that a model names, as a glob: files and folders of the tree stand for themselves.
fn glob_of(path: &str, repo: &Repo) -> String {
    let plain = path.trim_start_matches('/');
    if repo.has_path(plain) || !plain.contains(['*', '?', '[', '{']) {
        return exact_glob(plain);
    }
    path.to_owned()
}

/// The complaint about what a person's rules do not let through.
fn beyond(change: &RuleChange, repo: &Repo, bounds: &[Rule]) -> Option<String> {
    let reach = repo.reach(&change.rule(), bounds).ok()?;
    let (path, range) = reach.beyond.first()?;
    let more = if reach.beyond.len() > 1 {
        format!(" and {} more files", reach.beyond.len() - 1)
    } else {
        String::new()
    };
    Some(format!(
        "the person's rules keep `{path}`{more} at {range}: `{}` was clamped to that",
        change.name()
    ))
}

/// A field's text; empty where it is missing or no text.
fn text(value: &Value, field: &str) -> String {
    let text = value[field].as_str().unwrap_or_default();
    Sanitized::text(text).trim().chars().take(2_000).collect()
}

fn short(text: &str) -> String {
    one_line(text, 120)
}

/// Paths that resemble one that is not there; not those that the person keeps out.
fn similar_paths<'r>(path: &str, repo: &'r Repo, bounds: &[Rule]) -> Vec<&'r str> {
    let kept_out = repo.kept_out(bounds).unwrap_or_default();
    repo.similar_paths(path).into_iter().filter(|similar| !kept_out.contains(similar)).collect()
}

fn did_you_mean(similar: &[&str]) -> String {
    if similar.is_empty() {
        String::new()
    } else {
        format!(" (did you mean `{}`?)", similar.join("`, `"))
    }
}
