//! Reads a model's reply into actions of a walk, or into complaints that go back to the model.

use serde_json::{Value, json};

use crate::model::request::Reply;
use crate::pilot::answer::{object_with, text};
use crate::pilot::prompt::object;
use crate::placeholder::unknown_name;
use crate::run::text::one_line;
use crate::walk::action::{ControlOperation, WalkAction};
use crate::walk::pilot::operate;
use crate::walk::pilot::{WalkDecision, WalkTurn};
use crate::walk::screen::Screen;
use crate::walk::state::before;

/// The longest complaint, in characters: it goes into the next request.
const LONGEST_COMPLAINT: usize = 500;
/// The largest number of sections and of citations in a reply.
const MAX_LISTED: usize = 20;
/// The words of actions.
const ACTIONS: [&str; 6] = ["click", "back", "open", "extract", "finish", "give_up"];

/// Returns the words of the actions that can do something on this page. Small models take the first
/// one that is offered, so those that would be refused are not.
pub(crate) fn possible(turn: &WalkTurn<'_>) -> Vec<&'static str> {
    let WalkTurn { screen, state, .. } = turn;
    let back = WalkAction::Back;
    let can = |action: &&&str| match **action {
        "click" => !screen.entries.is_empty(),
        "back" => !screen.trail.is_empty() && !state.has_tried(&before(screen, &back), &back),
        "open" => !screen.trail.is_empty(),
        "extract" => !screen.sections.is_empty(),
        "finish" => !state.extracts.is_empty() || screen.is_live && state.has_operated(),
        _ => true,
    };
    let operations = operate::possible(screen);
    let (act, end) = ACTIONS.split_at(1);
    let first = act.iter().filter(can).copied();
    first.chain(operations).chain(end.iter().filter(can).copied()).collect()
}

/// Returns the JSON schema of a reply with one of some actions; operations have a value. Strict
/// schemas require every field; the reason comes first, so that the model reasons before it
/// decides, and the lists last, so that a model that continues them without end has said the rest.
pub(crate) fn schema(actions: &[&str]) -> Value {
    let text = json!({ "type": "string" });
    let list =
        |item: &str| json!({ "type": "array", "items": { "type": item }, "maxItems": MAX_LISTED });
    let mut fields = json!({
        "reasoning": text,
        "action": { "type": "string", "enum": actions },
        "target": text,
    });
    if operate::words().any(|word| actions.contains(&word)) {
        fields["value"] = text.clone();
    }
    fields["sections"] = list("integer");
    fields["answer"] = text;
    fields["citations"] = list("string");
    object(fields)
}

/// Reads a reply: a JSON object of the schema, or a call such as `click(5)`.
pub(crate) fn read(reply: &Reply, turn: &WalkTurn<'_>) -> WalkDecision {
    let mut decision = WalkDecision::default();
    let said = match (&reply.refusal, object_with(&reply.text, &["action"])) {
        (Some(refusal), _) => Err(format!("there was no answer: {refusal}")),
        (None, Some(said)) => Ok(said),
        (None, None) => call_in(&reply.text).ok_or_else(|| match reply.is_cut {
            true => "the answer was cut before its JSON ended: answer in fewer words".to_owned(),
            false => "the answer holds no JSON object of the form asked for".to_owned(),
        }),
    };
    let actions = said.and_then(|said| {
        decision.why = text(&said, "reasoning");
        actions(&said, turn)
    });
    match actions {
        Ok(actions) => decision.actions = actions,
        Err(complaint) => decision.complaints.push(one_line(&complaint, LONGEST_COMPLAINT)),
    }
    decision
}

fn actions(said: &Value, turn: &WalkTurn<'_>) -> Result<Vec<WalkAction>, String> {
    let target = target_of(said);
    let answer = text(said, "answer");
    let citations = said["citations"].as_array().map(Vec::as_slice).unwrap_or_default();
    let citations = citations.iter().take(MAX_LISTED).filter_map(Value::as_str);
    let citations: Vec<String> =
        citations.map(|words| words.trim().to_owned()).filter(|words| !words.is_empty()).collect();
    Ok(match said["action"].as_str().unwrap_or_default() {
        "click" => vec![click(&target, &text(said, "value"), turn)?],
        "back" => vec![WalkAction::Back],
        "open" => vec![open(&target, turn)?],
        "extract" => {
            let extract = WalkAction::Extract { sections: sections(said, &target, turn)? };
            let finish = (!answer.is_empty()).then_some(WalkAction::Finish { answer, citations });
            [extract].into_iter().chain(finish).collect()
        }
        "finish" if answer.is_empty() => return Err("`finish` needs an `answer`".to_owned()),
        "finish" => vec![WalkAction::Finish { answer, citations }],
        "give_up" => {
            let reason = if answer.is_empty() { text(said, "reasoning") } else { answer };
            vec![WalkAction::GiveUp { reason }]
        }
        other if turn.screen.is_live && operate::words().any(|word| word == other) => {
            let action = operate::action(other, &target, &text(said, "value"), turn.screen)?;
            if let WalkAction::Operate { operation, .. } = &action
                && let Some(complaint) = wrong_value(operation, turn)
            {
                return Err(complaint);
            }
            vec![action]
        }
        other => {
            let operations = operate::words().filter(|_| turn.screen.is_live);
            let words: Vec<&str> = ACTIONS.into_iter().chain(operations).collect();
            return Err(format!("`action` is \"{other}\": it must be one of {}", words.join(", ")));
        }
    })
}

/// Returns what is wrong with the secrets of an operation, or with its file.
fn wrong_value(operation: &ControlOperation, turn: &WalkTurn<'_>) -> Option<String> {
    match operation {
        ControlOperation::Fill { text } => unknown_name(text, &turn.secrets),
        ControlOperation::Upload { file } if !is_given(file, &turn.files) => {
            Some(match &turn.files[..] {
                [] => format!("there is no file `{file}`: the person named none"),
                all => {
                    format!("there is no file `{file}`: the person named `{}`", all.join("`, `"))
                }
            })
        }
        operation => operation.misplaced_secret(),
    }
}

/// Reports whether a person gave a file, which may be named with its folder.
fn is_given(file: &str, files: &[String]) -> bool {
    files.iter().any(|name| file == name || file.ends_with(&format!("/{name}")))
}

/// Returns the target as text: models write numbers both ways.
fn target_of(said: &Value) -> String {
    match &said["target"] {
        Value::Number(number) => number.to_string(),
        _ => text(said, "target"),
    }
}

fn click(target: &str, value: &str, turn: &WalkTurn<'_>) -> Result<WalkAction, String> {
    let screen = turn.screen;
    let number = operate::number_of(screen, "click", target)?;
    let entry = screen.entry(number);
    let label = entry.map(|entry| entry.label.clone()).unwrap_or_default();
    if entry.is_some_and(|entry| entry.is("disabled")) {
        return Err(format!("entry {number} `{label}` is disabled: it cannot be clicked yet"));
    }
    Ok(match operate::parse_point(value).filter(|_| screen.is_live) {
        Some((right, down)) => {
            let operation = ControlOperation::ClickAt { right, down };
            WalkAction::Operate { number, label, operation }
        }
        None => WalkAction::Click { number, label },
    })
}

fn open(target: &str, turn: &WalkTurn<'_>) -> Result<WalkAction, String> {
    let is_known = turn.state.seen.contains_key(target)
        || turn.state.path.iter().any(|step| step.address == target);
    if is_known {
        return Ok(WalkAction::Open { address: target.to_owned() });
    }
    Err(format!("`{target}` was not seen in a link: only addresses of links are opened"))
}

fn sections(said: &Value, target: &str, turn: &WalkTurn<'_>) -> Result<Vec<usize>, String> {
    let listed = said["sections"].as_array().map(Vec::as_slice).unwrap_or_default();
    let named = listed.iter().filter_map(|one| match one {
        Value::Number(number) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
        Value::String(name) => {
            name.trim_start_matches(['S', '[']).trim_end_matches(']').parse().ok()
        }
        _ => None,
    });
    let mut numbers: Vec<usize> = named.collect();
    if numbers.is_empty() && target.chars().any(char::is_alphabetic) {
        numbers = titled(target, turn.screen);
    }
    if numbers.is_empty() {
        let of_target = target.split([',', ' ']).map(|one| one.trim_matches(['S', '[', ']']));
        numbers = of_target.filter_map(|one| one.parse().ok()).collect();
    }
    numbers.sort_unstable();
    numbers.dedup();
    let n_sections = turn.screen.sections.len();
    match numbers.iter().find(|number| turn.screen.section(**number).is_none()) {
        Some(wrong) => Err(format!("there is no section {wrong}: this page has 1 to {n_sections}")),
        None => Ok(numbers),
    }
}

/// The largest number of sections that the words of a title mean.
const MAX_TITLED: usize = 5;

/// Returns the numbers of the sections that are called so, else of those with the words in their
/// titles.
fn titled(words: &str, screen: &Screen) -> Vec<usize> {
    let words = words.to_lowercase();
    let titles = screen.sections.iter().map(|section| section.title.to_lowercase()).zip(1..);
    let (called, others): (Vec<_>, Vec<_>) =
        titles.filter(|(title, _)| title.contains(&words)).partition(|(title, _)| *title == words);
    let found = if called.is_empty() { others } else { called };
    found.into_iter().map(|(_, number)| number).take(MAX_TITLED).collect()
}

/// Returns the words of all actions.
pub(crate) fn words() -> impl Iterator<Item = &'static str> {
    ACTIONS.into_iter().chain(operate::words())
}

/// Reads a call within prose, as small models answer: `click(5)`, `fill(3, "Ada")`, `back()`.
fn call_in(reply: &str) -> Option<Value> {
    let calls = words().filter_map(|action| {
        let at = reply.find(&format!("{action}("))?;
        // `click(` is the end of `double_click(`, too.
        if reply[..at].ends_with(|c: char| c == '_' || c.is_alphanumeric()) {
            return None;
        }
        let inside = &reply[at + action.len() + 1..];
        let (target, value) = match ACTIONS.contains(&action) {
            true => (argument(inside), String::new()),
            false => target_and_value(inside),
        };
        let answer = if matches!(action, "finish" | "give_up") { target.as_str() } else { "" };
        let call = json!({ "action": action, "target": target, "value": value, "answer": answer });
        Some((at, call))
    });
    calls.min_by_key(|(at, _)| *at).map(|(_, call)| call)
}

/// Reads the arguments of an operation: the control, and a value if there is one.
fn target_and_value(inside: &str) -> (String, String) {
    let inside = inside.trim_start();
    let quoted = quoted(inside, |after| after.starts_with([',', ')']));
    let (target, rest) = quoted.unwrap_or_else(|| {
        let target = balanced(inside);
        let target = target.split_once(',').map_or(target, |(target, _)| target);
        (target, &inside[target.len()..])
    });
    let value = rest.trim_start().strip_prefix(',').map(argument);
    (unquoted(target), value.unwrap_or_default())
}

/// Reads an argument to its closing quote, else to the parenthesis that closes the call. What is
/// in quotes may have both.
fn argument(inside: &str) -> String {
    let is_end = |after: &str| {
        let next = after.strip_prefix(',').map(str::trim_start);
        after.starts_with(')') || next.is_some_and(|next| next.starts_with(['"', '\'', '[']))
    };
    let inside = inside.trim_start();
    unquoted(quoted(inside, is_end).map_or_else(|| balanced(inside), |(argument, _)| argument))
}

/// Splits a text behind the quote that closes the one it begins with, if `is_end` takes the rest.
fn quoted(text: &str, is_end: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut closing = text.match_indices(quote).skip(1).map(|(at, _)| text.split_at(at + 1));
    closing.find(|(before, after)| {
        !before[..before.len() - 1].ends_with('\\') && is_end(after.trim_start())
    })
}

/// Returns a text up to the parenthesis that was opened before it; to the first one that closes if
/// that is not there.
fn balanced(text: &str) -> &str {
    let mut depth = 1;
    let closing = text.char_indices().find(|(_, c)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    });
    let closing = closing.map(|(at, _)| at).or_else(|| text.find(')'));
    &text[..closing.unwrap_or(text.len())]
}

fn unquoted(text: &str) -> String {
    let text = text.trim().trim_matches(['"', '\'']);
    text.replace("\\\"", "\"").replace("\\'", "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_within_prose_is_read_to_its_end() {
        let check = |reply: &str, target: &str, value: &str| {
            let call = call_in(reply).unwrap();
            let read = (text(&call, "target"), text(&call, "value"));
            assert_eq!(read, (target.to_owned(), value.to_owned()), "{reply}");
        };
        check("I click(5) (the part).", "5", "");
        check("back()", "", "");
        check(
            "open(https://a.example/Pump_(fuel)) now (soon)",
            "https://a.example/Pump_(fuel)",
            "",
        );
        check("click(Valve (intake) and then", "Valve (intake", "");
        check(
            "finish(\"25 Nm (cold engine), or 30 Nm (warm engine).\")",
            "25 Nm (cold engine), or 30 Nm (warm engine).",
            "",
        );
        check("finish('the engine\'s (cold)', [\"cold\"])", "the engine's (cold)", "");
        check("finish(\"say \\\"(25\\\" Nm\")", "say \"(25\" Nm", "");
        check("fill(3, \"Ada, :)\") done", "3", "Ada, :)");
        check("fill(\"Name, first\", Ada (X))", "Name, first", "Ada (X)");
        check("hover(Valve (intake))", "Valve (intake)", "");
        check("select(\"Size\", \"S\"), then click(4)", "Size", "S");
    }
}
