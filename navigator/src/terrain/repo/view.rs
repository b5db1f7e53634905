//! The view of a repository for a model in one turn: the map of the current plan within its own
//! budget, and prices.

use std::collections::BTreeSet;

use repo_map::{FileCosts, Level, RepoMap, cost};

use super::Repository;
use crate::pilot::briefing::View;
use crate::run::pilot::Turn;
use crate::run::terrain::Terrain;
use crate::run::text::n_of;

/// The maximum size of the price list, in tokens.
const MOST_PRICES: u32 = 3_000;
/// The number of items per file in the price list, by the rank of the file: up to the first number,
/// at most the second. Lower ranks have little evidence.
const ITEMS_A_FILE: [(usize, usize); 2] = [(3, 8), (8, 3)];
/// The maximum number of files outside the map in the price list.
const MOST_OUTSIDE: usize = 24;
/// The maximum number of folders in the price list.
const MOST_FOLDERS: usize = 12;

/// Returns a view of at most about `budget` tokens, in which the map has at most its share.
///
/// # Errors
/// If a glob of the plan does not compile.
pub(super) fn view(turn: &mut Turn<'_, Repository>, budget: u32) -> repo_map::Result<View> {
    let tokenizer = repo_map::Tokenizer::default();
    let (prices, prices_tokens) =
        prices(turn, (budget * 3 / 10).min(MOST_PRICES), &|text| tokenizer.count(text))?;
    let share = budget.saturating_sub(prices_tokens);
    let (text, cut_to) = if turn.map.tokens <= share {
        (turn.map.text.clone(), None)
    } else {
        let small = turn.terrain.map(&turn.state.bounds, &turn.state.rules, Some(share))?;
        (small.text, Some(small.tokens))
    };
    let tokens = cut_to.unwrap_or(turn.map.tokens) + prices_tokens;
    Ok(View { map: text, prices: prices.into(), tokens, cut_to })
}

/// Returns the price list and its size in tokens: files of the map and files outside it, each by
/// evidence, then folders.
fn prices(
    turn: &mut Turn<'_, Repository>,
    budget: u32,
    count: &dyn Fn(&str) -> u32,
) -> repo_map::Result<(String, u32)> {
    let Turn { map, candidates, terrain, .. } = turn;
    let repo = &terrain.repo;
    let shown: BTreeSet<&str> = map
        .files
        .iter()
        .filter(|file| file.level >= Level::Path)
        .map(|file| file.path.as_str())
        .collect();
    let (inside, mut outside): (Vec<_>, Vec<_>) = candidates
        .iter()
        .filter(|one| one.score > 0.0 || shown.contains(one.name.as_str()))
        .partition(|one| shown.contains(one.name.as_str()));
    outside.truncate(MOST_OUTSIDE);
    let mut list = List { text: String::new(), left: budget, count };
    // Half of the list is for files outside the map.
    for (group, keep) in [(inside, budget / 2), (outside, 0)] {
        for (at, candidate) in group.into_iter().enumerate() {
            let n_items = ITEMS_A_FILE.iter().find(|(until, _)| at < *until).map_or(0, |(_, n)| *n);
            let Some(offer) = cost::file_costs(repo, &candidate.name, map, n_items)? else {
                continue;
            };
            let evidence: Vec<String> = candidate
                .parts
                .iter()
                .take(3)
                .map(|(name, part)| format!("{name} {part:.2}"))
                .collect();
            if !list.add(&file_lines(&offer, &evidence.join(" "), map), keep) {
                break;
            }
        }
    }
    for folder in cost::folder_costs(repo, map)?.iter().take(MOST_FOLDERS) {
        if !list
            .add(&format!("{} {} files: path {}\n", folder.path, folder.n_files, folder.paths), 0)
        {
            break;
        }
    }
    Ok((list.text, budget - list.left))
}

/// Lines within a budget.
struct List<'c> {
    text: String,
    left: u32,
    count: &'c dyn Fn(&str) -> u32,
}

impl List<'_> {
    /// Adds lines unless less than `keep` tokens would remain.
    fn add(&mut self, lines: &str, keep: u32) -> bool {
        let tokens = (self.count)(lines);
        if self.left < tokens + keep {
            return false;
        }
        self.left -= tokens;
        self.text.push_str(lines);
        true
    }
}

fn file_lines(offer: &FileCosts, evidence: &str, map: &RepoMap) -> String {
    let now = match (offer.level, offer.items_apart) {
        (Level::Exclude | Level::Fold, _) => offer.level.to_string(),
        (Level::Path, 0) => "path".to_owned(),
        (Level::Path, n) => format!("{} {}", n_of(n, "item"), offer.tokens),
        (level, 0) => format!("{level} {}", offer.tokens),
        (level, n) => format!("{level} and {} apart {}", n_of(n, "item"), offer.tokens),
    };
    let prices: Vec<String> =
        offer.prices.iter().map(|(level, tokens)| format!("{level} {tokens}")).collect();
    let mut lines = format!("{}: now {now}", offer.path);
    if let Some(was) = offer.requested {
        lines.push_str(&format!(" (asked {was})"));
    }
    lines.push_str(&format!("; {}", prices.join(", ")));
    if !evidence.is_empty() {
        lines.push_str(&format!("; {evidence}"));
    }
    lines.push('\n');
    let is_large = offer.prices.last().is_some_and(|(_, full)| *full > map.budget / 16);
    for item in offer
        .items
        .iter()
        .filter(|item| is_large && item.level < Level::Full && offer.level < Level::Full)
    {
        lines.push_str(&format!("  #{} full {}\n", item.name, item.full));
    }
    lines
}
