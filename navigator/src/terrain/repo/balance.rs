//! The tokens of a context in a view: what the pilot's wishes cost, and what stays free and why.

use std::cmp::Reverse;

use repo_map::{Fill, RuleLayers, explain};

use super::Repository;
use super::wishes::Wishes;
use crate::run::pilot::Turn;
use crate::shared::n_of;

/// The tokens that stay free because of the `fill`, and the file that would come next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftFree {
    /// The number of tokens that stay free.
    pub tokens: u32,
    /// The use of tokens that no change takes.
    pub fill: Fill,
    /// The best of the files that it leaves out.
    pub next: String,
    /// The score of that file, in millionths.
    pub score: u32,
    /// The score that it needs, in millionths.
    pub needs: u32,
    /// The number of other files that it leaves out.
    pub n_more: usize,
}

impl LeftFree {
    pub(super) fn of(turn: &Turn<'_, Repository>) -> Option<LeftFree> {
        let map = turn.map;
        map.unused()?;
        let weaker = || map.files.iter().filter(|file| file.is_weaker());
        let weak = || weaker().filter_map(|file| Some((file, file.needs?)));
        let (next, needs) = weak().min_by_key(|(file, _)| (Reverse(file.worth), &file.path))?;
        Some(LeftFree {
            tokens: map.budget.saturating_sub(map.tokens),
            fill: map.flown.context.fill,
            next: next.path.clone(),
            score: next.worth,
            needs,
            n_more: weak().count() - 1,
        })
    }

    /// Formats it in one line.
    pub fn text(&self, place: &str) -> String {
        let LeftFree { tokens, fill, next, .. } = self;
        let more = match self.n_more {
            0 => String::new(),
            n => format!("; {} with less", n_of(n, &format!("more {place}"))),
        };
        let (score, needs) = explain::told_apart(self.score, self.needs);
        let wants = match fill {
            Fill::Near => format!(", and `near` wants {needs}"),
            Fill::None | Fill::All => String::new(),
        };
        format!(
            "{tokens} tokens stay free by `fill: {}`: next is {next}, evidence \
             {score}{wants}{more}\n",
            fill.as_str()
        )
    }
}

/// Returns the tokens of what the wishes ask for, in a map that fills nothing else in; `None`
/// without wishes.
///
/// # Errors
/// If a glob does not compile.
pub(super) fn wish_tokens(
    turn: &Turn<'_, Repository>,
    wishes: &Wishes,
) -> repo_map::Result<Option<u32>> {
    if wishes.is_empty() {
        return Ok(None);
    }
    if !wishes.ask_for_text() {
        return Ok(Some(0));
    }
    let rules = &turn.state.rules;
    let layers = RuleLayers { person: &turn.state.bounds, pilot: rules };
    let alone = turn.terrain.repo.map_filled(layers, turn.map.budget, Fill::None)?;
    let wished = alone.files.iter().filter(|file| wishes.has(file, rules));
    Ok(Some(wished.map(|file| file.tokens).sum()))
}
