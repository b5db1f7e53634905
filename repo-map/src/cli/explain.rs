//! `repo-map rank` and `repo-map explain`: the ranking of files, and the reasons for the level of a
//! path.

use anyhow::Result;
use serde::Serialize;

use crate::Error;
use crate::Judged;
use crate::RuleLayers;
use crate::cli::args::{ExplainArgs, RankArgs, TableFormat};
use crate::cli::output::{relevance, say, write_out};
use crate::exit::Exit;
use crate::level::Level;
use crate::plan::Rule;
use crate::report::explain::{self, Edit, ExplainedCause, Explanation};
use crate::report::item_room::ItemRoom;
use crate::report::{json, unmatched};
use crate::text::counts::n_of;
use crate::text::sanitize::Sanitized;
use crate::text::suggest::did_you_mean;

/// Prints the ranking.
pub(super) fn rank(args: RankArgs) -> Result<Exit> {
    let (plan, options) = args.request.plan(&args.path, None)?;
    let repo = args.request.open(&args.path, &plan, &options)?;
    let ranking = repo.ranking().into_iter().take(args.limit.unwrap_or(usize::MAX));
    let ranking = ranking.map(|(path, worth)| json::ranked(path, worth));
    let out = match args.format {
        TableFormat::Json => Sanitized::json_lines(ranking)?,
        TableFormat::Text => {
            let line = |ranked: json::Ranked<'_>| {
                let parts: Vec<String> = ranked
                    .parts
                    .iter()
                    .map(|(signal, part)| format!("{signal} {part:.2}"))
                    .collect();
                format!("{:.3}  {}  {}\n", ranked.score, ranked.path, parts.join(", "))
            };
            ranking.map(line).collect::<String>().into()
        }
    };
    write_out(None, &out)?;
    repo.save_cache();
    Ok(relevance(&repo, &plan, "files are ranked without it"))
}

/// Prints the explanation of each path.
pub(super) fn explain(args: ExplainArgs) -> Result<Exit> {
    let (plan, options) = args.request.plan(&args.root, None)?;
    let repo = args.request.open(&args.root, &plan, &options)?;
    let not_there = |repo: &Judged, target: &str| Absence::Unknown(not_there(repo, target));
    explain_all("repo-map", &repo, &args.targets, (&plan.rules, args.format), not_there)?;
    repo.save_cache();
    Ok(relevance(&repo, &plan, "scores come without it"))
}

/// Why a path or an item has no explanation, in words for people.
#[derive(Debug)]
pub enum Absence {
    /// It is known, and stands on no map: that is what there is to say of it.
    Reason(String),
    /// It does not exist.
    Unknown(String),
}

/// What is said of one path or item.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum TargetAnswer {
    Explanation(Box<Explanation>),
    Reason { target: Sanitized, reason: Sanitized },
}

/// Prints what is said of each path and item, as text or as JSON, one a line.
///
/// # Errors
/// With the message of `absence` for what does not exist, after the others are printed; when a
/// glob does not compile, or the operation was cancelled.
pub fn explain_all(
    program: &str,
    repo: &Judged,
    targets: &[String],
    (rules, format): (&[Rule], TableFormat),
    absence: impl Fn(&Judged, &str) -> Absence,
) -> Result<()> {
    let layers = RuleLayers { person: rules, pilot: &[] };
    let (mut answers, mut unknown) = (Vec::new(), Vec::new());
    for target in targets {
        match explain::explain(repo, target, layers)? {
            Some(explanation) => answers.push(TargetAnswer::Explanation(explanation.into())),
            None => match absence(repo, target) {
                Absence::Reason(reason) => {
                    let [target, reason] = [target, &reason].map(|text| Sanitized::line(text));
                    answers.push(TargetAnswer::Reason { target, reason });
                }
                Absence::Unknown(message) => unknown.push(message),
            },
        }
    }
    if !answers.is_empty() {
        write_out(None, &answers_as(&answers, format)?)?;
    }
    let Some(last) = unknown.pop() else { return Ok(()) };
    unknown.iter().for_each(|message| say(format!("{program}: explain: {message}")));
    Err(Error::rule("explain", last).into())
}

fn answers_as(answers: &[TargetAnswer], format: TableFormat) -> Result<Sanitized> {
    Ok(match format {
        TableFormat::Json => Sanitized::json_lines(answers)?,
        TableFormat::Text => {
            let mut out = String::new();
            for answer in answers {
                match answer {
                    TargetAnswer::Explanation(explanation) => explain_text(explanation, &mut out),
                    TargetAnswer::Reason { reason, .. } => out.push_str(&format!("{reason}\n")),
                }
            }
            out.into()
        }
    })
}

fn is_folder(repo: &Judged, path: &str) -> bool {
    let folder = format!("{}/", path.trim_end_matches('/'));
    repo.tree().files.iter().any(|file| file.path.starts_with(&folder))
}

fn not_there(repo: &Judged, target: &str) -> String {
    match explain::split_target(repo, target) {
        (path, Some(item)) if repo.has_path(path) => {
            let near = unmatched::similar_items(repo, path, item);
            let hint = if near.is_empty() {
                format!(" (`repo-map explain {path}` lists them)")
            } else {
                did_you_mean(&near)
            };
            // An outline that is cut may lack it.
            let problem = repo.problems().into_iter().find(|problem| problem.path == path);
            let problem = problem.map(|problem| format!("; {problem}")).unwrap_or_default();
            format!("`{path}` has no item `{item}`{hint}{problem}")
        }
        (path, _) if is_folder(repo, path) => {
            let path = path.trim_end_matches('/');
            format!(
                "`{path}` is a folder: name a file or an item of it (`repo-map tree` lists its \
                 files)"
            )
        }
        (path, _) => {
            let near = unmatched::paths_like(repo.tree(), path);
            let is_hidden = |part: &str| part.starts_with('.') && part != "." && part != "..";
            let hint = if !near.is_empty() {
                did_you_mean(&near)
            } else if path.split('/').any(is_hidden) {
                ", or it is hidden (`--hidden`)".to_owned()
            } else {
                ", or ignore rules hide it".to_owned()
            };
            format!("`{path}` is not a file of this repository{hint}")
        }
    }
}

/// Appends an explanation for people: one line a fact.
pub fn explain_text(one: &Explanation, out: &mut String) {
    let item = one.item.as_ref().map_or(String::new(), |item| format!("#{item}"));
    let mark = one.mark.map_or(String::new(), |mark| format!(", {mark}"));
    out.push_str(&format!("{}{item}\n", one.path));
    // The level of most of a file's items may be `path` while others are shown.
    let apart = one
        .items
        .iter()
        .filter(|item| one.level <= Level::Path && item.level > Level::Exclude)
        .count();
    let apart = if apart > 0 { format!(" and {}", n_of(apart, "item")) } else { String::new() };
    out.push_str(&format!("  level   {}{apart}{mark} ({})\n", one.level, one.rule));
    let of_file = if one.item.is_some() { " (its file)" } else { "" };
    out.push_str(&format!(
        "  rank    {} of {}{of_file}, score {:.3}, role {}\n",
        one.rank, one.of, one.score, one.role
    ));
    let tokens: Vec<String> = Level::ALL
        .iter()
        .filter_map(|level| Some(format!("{level} {}", one.tokens.get(level.as_str())?)))
        .collect();
    out.push_str(&format!("  tokens  {}\n", tokens.join(", ")));
    out.extend(one.room.as_ref().map(room_text));
    for part in &one.parts {
        let named = |cause: &ExplainedCause| match cause.share {
            0.0 => cause.what.clone(),
            share => format!("{} {share:.2}", cause.what),
        };
        let more = part.causes.len().saturating_sub(MOST_CAUSES);
        let mut causes: Vec<String> = part.causes.iter().take(MOST_CAUSES).map(named).collect();
        causes.extend((more > 0).then(|| format!("{more} more")));
        out.push_str(
            &format!(
                "  {:<11} {:.3} × {:.2}  {}\n",
                part.signal,
                part.value,
                part.weight,
                causes.join(", ")
            )
            .replace("  \n", "\n"),
        );
    }
    if !one.parts.is_empty() {
        let sum: f64 = one.parts.iter().map(|part| part.value * part.weight).sum();
        let score = sum * one.factor / one.best;
        out.push_str(&format!(
            "  sum         {sum:.3} × {:.2} for its role, over {:.3} of the best = {score:.3}\n",
            one.factor, one.best
        ));
    }
    if !one.judged {
        out.push_str("  not judged in depth: the first pass ranked other files higher\n");
    }
    for item in one.items.iter().take(12) {
        out.push_str(&format!(
            "  item    {:.3} {:<9} {} {} (lines {}-{})\n",
            item.worth,
            item.level.as_str(),
            item.kind,
            item.name,
            item.lines.0,
            item.lines.1
        ));
    }
    if one.items.len() > 12 {
        out.push_str(&format!("  and {} more\n", n_of(one.items.len() - 12, "item")));
    }
    for edit in &one.edits {
        let effect = match edit.needed {
            Some(needed) => format!("needs a budget of {needed} tokens"),
            None => format!("a map of {} tokens, {}", edit.tokens, lowered(edit)),
        };
        let flags: Vec<String> =
            edit.levels.iter().map(|level| format!("--level {}", in_shell(level))).collect();
        out.push_str(&format!("  raise   to {}: {effect}\n", edit.to.max(edit.level)));
        out.push_str(&format!("    flag  {}\n", flags.join(" ")));
        out.push_str(&format!("    {}\n", in_plan(edit)));
    }
}

/// Returns the line about the room that an item needs to be shown in full.
fn room_text(room: &ItemRoom) -> String {
    let ItemRoom { needed, free, place, factor } = room;
    let is_set_aside = needed <= free;
    let needed = n_of(*needed, "token");
    let why = match is_set_aside {
        // The fit did not know the length of the last lines before it had chosen all others.
        true => format!("the {free} that are left were set aside for the last lines of the map"),
        false => format!("{free} free: what has more value per token comes first"),
    };
    format!(
        "  room    full needs {needed} more, {why}; place {place} in its file counts {factor:.2}\n"
    )
}

/// Describes the files and items that an edit lowers, the first few by name.
fn lowered(edit: &Edit) -> String {
    const MOST: usize = 5;
    let items: Vec<String> = edit
        .lowers_items
        .iter()
        .flat_map(|(path, names)| names.iter().map(move |name| format!("{path}#{name}")))
        .collect();
    let names: Vec<&str> = edit.lowers.iter().chain(&items).map(String::as_str).collect();
    let of_files = n_of(edit.lowers.len(), "file");
    let of_items =
        format!("{} in {}", n_of(items.len(), "item"), n_of(edit.lowers_items.len(), "file"));
    let count = match (edit.lowers.is_empty(), items.is_empty()) {
        _ if names.len() < 2 => {
            return names
                .first()
                .map_or("nothing else is lowered".to_owned(), |name| format!("lowers {name}"));
        }
        (_, true) => of_files,
        (true, false) => of_items,
        (false, false) => format!("{of_files} and {of_items}"),
    };
    let more = if names.len() > MOST { ", …" } else { "" };
    format!("lowers {count}: {}{more}", names[..names.len().min(MOST)].join(", "))
}

/// Returns an edit as a complete plan, or as one rule for the current plan. It is JSON, which is
/// YAML on one line.
fn in_plan(edit: &Edit) -> String {
    let rules = serde_json::to_string(&edit.rules).expect("rules are plain data");
    match edit.is_plan {
        true => format!("plan  {{\"version\":1,\"rules\":{rules}}}"),
        false => format!(
            "rule  {} (last of the plan in force; alone it folds all else)",
            &rules[1..rules.len() - 1]
        ),
    }
}

/// Quotes a text as one word of a shell.
fn in_shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The maximum number of causes printed for a part; JSON has all.
const MOST_CAUSES: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_that_would_suffice_are_said_to_be_set_aside() {
        let text = |needed, free| room_text(&ItemRoom { needed, free, place: 3, factor: 0.96 });
        assert_eq!(
            text(15, 26),
            "  room    full needs 15 tokens more, the 26 that are left were set aside for the last \
             lines of the map; place 3 in its file counts 0.96\n"
        );
        assert!(text(27, 26).contains("27 tokens more, 26 free: what has more value"));
    }
}
