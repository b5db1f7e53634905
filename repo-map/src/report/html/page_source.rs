//! The source of a page: a map, either just made or replayed, with its data.

use std::borrow::Cow;

use crate::fit::folders::Folders;
use crate::map::effective::RuleLayers;
use crate::map::{Conflict, FileReport};
use crate::outline::languages::Languages;
use crate::plan::FlightPlan;
use crate::render::Style;
use crate::score::index::IndexEntry;
use crate::score::judge::FileScore;
use crate::source::scan::{Problem, Tree};

/// A map with the data for its page.
pub(super) struct PageSource<'a> {
    pub(super) plan: &'a FlightPlan,
    pub(super) tree: &'a Tree,
    pub(super) folders: Cow<'a, Folders>,
    pub(super) files: Cow<'a, [FileReport]>,
    /// The score of each file and the factor for its role; `None` if nothing was ranked.
    pub(super) worth: Option<Vec<(&'a FileScore, f64)>>,
    pub(super) roles: Vec<&'static str>,
    pub(super) languages: &'a Languages,
    pub(super) entries: Vec<Option<&'a IndexEntry>>,
    pub(super) text: &'a str,
    pub(super) tokens: u32,
    /// The number of secrets masked in the map, if counted.
    pub(super) n_masked: Option<u32>,
    pub(super) conflict: Option<&'a Conflict>,
    pub(super) problems: Vec<Problem>,
    pub(super) layers: RuleLayers<'a>,
}

impl PageSource<'_> {
    pub(super) fn style(&self) -> Style {
        Style::from(&self.plan.context)
    }

    /// Returns the files by score, or in map order if nothing was ranked.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.tree.files.len()).collect();
        if let Some(worth) = &self.worth {
            order.sort_by(|a, b| worth[*b].0.score.cmp(&worth[*a].0.score).then(a.cmp(b)));
        }
        order
    }
}
