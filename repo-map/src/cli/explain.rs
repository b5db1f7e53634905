//! `repo-map rank` and `repo-map explain`: why paths are where they are.

use anyhow::{Result, bail};

use super::{Exit, ExplainArgs, RankArgs, TableFormat, write_out};
use crate::explain::{ExplainedCause, Explanation};
use crate::level::Level;
use crate::{Layers, Repo, report};

/// Prints the ranking.
pub(super) fn rank(args: RankArgs) -> Result<Exit> {
    let (plan, options) = args.asked.plan(&args.path, None)?;
    let mut repo = args.asked.open(&args.path, &plan, &options)?;
    let mut out = String::new();
    for (path, worth) in repo.ranking().into_iter().take(args.limit.unwrap_or(usize::MAX)) {
        let ranked = report::ranked(path, worth);
        match args.format {
            TableFormat::Json => out.push_str(&serde_json::to_string(&ranked)?),
            TableFormat::Text => {
                let parts: Vec<String> = ranked.parts.iter().map(|(signal, part)| format!("{signal} {part:.2}")).collect();
                out.push_str(&format!("{:.3}  {path}  {}", ranked.score, parts.join(", ")));
            }
        }
        out.push('\n');
    }
    write_out(None, &out)?;
    repo.remember();
    Ok(if repo.has_evidence() { Exit::Finished } else { Exit::NothingRelevant })
}

/// Prints what is to be said of each path.
pub(super) fn explain(args: ExplainArgs) -> Result<Exit> {
    let (plan, options) = args.asked.plan(&args.root, None)?;
    let mut repo = args.asked.open(&args.root, &plan, &options)?;
    let mut out = String::new();
    for target in &args.targets {
        let Some(explanation) = repo.explain(target, Layers { person: &plan.rules, pilot: &[] })? else {
            let (path, item) = target.split_once('#').map_or((target.as_str(), None), |(path, item)| (path, Some(item)));
            let similar = repo.similar_paths(path);
            match item {
                Some(item) if similar.first() == Some(&path) => {
                    bail!("`{path}` has no item `{item}` (`repo-map explain {path}` lists them)")
                }
                _ if similar.is_empty() => bail!("`{path}` is no file of this repository, or ignore rules hide it"),
                _ => bail!("`{path}` is no file of this repository (did you mean `{}`?)", similar.join("`, `")),
            }
        };
        match args.format {
            TableFormat::Json => {
                out.push_str(&serde_json::to_string(&explanation)?);
                out.push('\n');
            }
            TableFormat::Text => explain_text(&explanation, &mut out),
        }
    }
    write_out(None, &out)?;
    repo.remember();
    Ok(Exit::Finished)
}

/// An explanation for people: one line a fact.
pub fn explain_text(one: &Explanation, out: &mut String) {
    let item = one.item.as_ref().map_or(String::new(), |item| format!("#{item}"));
    let mark = one.mark.map_or(String::new(), |mark| format!(", {mark}"));
    out.push_str(&format!("{}{item}\n", one.path));
    // The level of most of a file's items may be `path` while others are shown.
    let apart = one.items.iter().filter(|item| one.level <= Level::Path && item.level > Level::Exclude).count();
    let apart = if apart > 0 { format!(" and {apart} items") } else { String::new() };
    out.push_str(&format!("  level   {}{apart}{mark} ({})\n", one.level, one.rule));
    out.push_str(&format!("  rank    {} of {}, score {:.3}, role {}\n", one.rank, one.of, one.score, one.role));
    let tokens: Vec<String> = Level::ALL.iter().filter_map(|level| Some(format!("{level} {}", one.tokens.get(level.as_str())?))).collect();
    out.push_str(&format!("  tokens  {}\n", tokens.join(", ")));
    for part in &one.parts {
        let named = |cause: &ExplainedCause| match cause.share {
            0.0 => cause.what.clone(),
            share => format!("{} {share:.2}", cause.what),
        };
        let more = part.causes.len().saturating_sub(MOST_CAUSES);
        let mut causes: Vec<String> = part.causes.iter().take(MOST_CAUSES).map(named).collect();
        causes.extend((more > 0).then(|| format!("{more} more")));
        out.push_str(
            &format!("  {:<11} {:.3} × {:.2}  {}\n", part.signal, part.value, part.weight, causes.join(", ")).replace("  \n", "\n"),
        );
    }
    if !one.parts.is_empty() {
        let sum: f64 = one.parts.iter().map(|part| part.value * part.weight).sum();
        let score = sum * one.factor / one.best;
        out.push_str(&format!("  sum         {sum:.3} × {:.2} for its role, over {:.3} of the best = {score:.3}\n", one.factor, one.best));
    }
    if !one.judged {
        out.push_str("  not judged in depth: the first look found others more promising\n");
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
        out.push_str(&format!("  and {} items more\n", one.items.len() - 12));
    }
    for edit in &one.edits {
        let lowered = edit.lowers.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        let effect = match (edit.needed, edit.lowers.len()) {
            (Some(needed), _) => format!("needs a budget of {needed} tokens"),
            (None, 0) => format!("a map of {} tokens, nothing else is lowered", edit.tokens),
            (None, 1) => format!("a map of {} tokens, lowers {lowered}", edit.tokens),
            (None, n) => format!("a map of {} tokens, lowers {n} files: {lowered}", edit.tokens),
        };
        out.push_str(&format!("  raise   to {} with the rule {}: {effect}\n", edit.to.max(edit.level), edit.rule));
    }
}

/// How many causes of a part are named; JSON has all.
const MOST_CAUSES: usize = 5;
