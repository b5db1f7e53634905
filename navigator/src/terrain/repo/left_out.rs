//! The omissions of a map of a repository, with reasons.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use repo_map::plan::{Rule, exact_path};
use repo_map::{FileReport, Level, RepoMap, RuleOrigin};

use crate::run::state::State;

/// The maximum number of reasons listed separately.
const MOST_REASONS: usize = 8;

/// The minimum score, in millionths, of a file listed as close to being shown: less is printed as
/// 0.00.
const LEAST_NEAR: u32 = 10_000;

/// Lists the files that are not shown, with reasons.
pub(super) fn left_out(map: &RepoMap, state: &State<Vec<Rule>>) -> String {
    let mut out = String::new();
    let noun = map.kind.noun();
    let count = |level: Level| map.files.iter().filter(|file| file.level == level).count();
    let (named, folded, excluded) = (count(Level::Path), count(Level::Fold), count(Level::Exclude));
    let _ =
        writeln!(out, "- {noun}s folded into lines for folders: {folded}; not shown: {excluded}");
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for file in map.files.iter().filter(|file| file.level < Level::Path) {
        *reasons.entry(reason(file, state)).or_default() += 1;
    }
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (reason, n) in reasons.iter().take(MOST_REASONS) {
        let _ = writeln!(out, "  - {n}: {reason}");
    }
    if reasons.len() > MOST_REASONS {
        let _ = writeln!(
            out,
            "  - {}: other rules",
            reasons[MOST_REASONS..].iter().map(|(_, n)| n).sum::<usize>()
        );
    }
    let shown = format!("{noun}s shown by path or by some of their {}s", map.kind.part());
    let _ = writeln!(out, "- {shown}: {named}{}", marks(map));
    let is_near = |file: &&FileReport| {
        file.level < Level::Path
            && file.worth >= LEAST_NEAR
            && kept_low(file, &state.bounds).is_none()
    };
    let mut near: Vec<_> = map.files.iter().filter(is_near).collect();
    near.sort_by(|a, b| b.worth.cmp(&a.worth).then_with(|| a.path.cmp(&b.path)));
    for file in near.iter().take(5) {
        let _ = writeln!(
            out,
            "- `{}` came nearest (worth {:.2})",
            file.path,
            f64::from(file.worth) / 1e6
        );
    }
    out
}

/// Returns the person's rule that keeps a file below its path for every pilot, if there is one.
pub(super) fn kept_low<'b>(file: &FileReport, bounds: &'b [Rule]) -> Option<&'b Rule> {
    bounds
        .get(file.bound?)
        .filter(|rule| rule.level.is_some_and(|range| range.ceiling < Level::Path))
}

/// Returns the reason why the file at a path is not shown.
pub(super) fn why_hidden(path: &str, map: &RepoMap, state: &State<Vec<Rule>>) -> String {
    let file = map.files.iter().find(|file| file.path == path);
    let none = || format!("there is no such {}", map.kind.noun());
    file.map_or_else(none, |file| reason(file, state))
}

/// Returns the reason why a file is not shown.
fn reason(file: &FileReport, state: &State<Vec<Rule>>) -> String {
    let by = |whose: &str, rule: &Rule| {
        let done = if rule.level.is_some_and(|range| range.ceiling == Level::Exclude) {
            "excluded"
        } else {
            "folded"
        };
        format!(
            "{done} by {whose} rule `{}`",
            exact_path(&rule.path).unwrap_or_else(|| rule.path.clone())
        )
    };
    let of_pilot = match file.rule {
        Some(RuleOrigin::Pilot(at)) => state
            .rules
            .get(at)
            .filter(|rule| rule.level.is_some_and(|range| range.ceiling < Level::Path)),
        _ => None,
    };
    match (kept_low(file, &state.bounds), of_pilot) {
        (Some(rule), _) => by("your", rule),
        (None, Some(rule)) => {
            by("the pilot's", rule)
                + &rule
                    .why
                    .as_ref()
                    .map(|why| format!(": {}", why.replace('\n', " ")))
                    .unwrap_or_default()
        }
        (None, None) if file.rule.is_none() => "folded, because no rule opens it".to_owned(),
        (None, None) if file.requested.is_some() => "asked for, and did not fit".to_owned(),
        (None, None) => match file.mark {
            Some(mark) => format!("{mark}, with no more than a path to show"),
            None if file.needs.is_some() => {
                "open, and too weak beside the best (`fill: all` shows more)".to_owned()
            }
            None => "open, and worth too little for its tokens".to_owned(),
        },
    }
}

/// Counts the files kept at their path, by their kind.
fn marks(map: &RepoMap) -> String {
    let mut marks: BTreeMap<&str, usize> = BTreeMap::new();
    for mark in
        map.files.iter().filter(|file| file.level == Level::Path).filter_map(|file| file.mark)
    {
        *marks.entry(mark).or_default() += 1;
    }
    let marks: Vec<String> = marks.into_iter().map(|(mark, n)| format!("{n} {mark}")).collect();
    if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) }
}
