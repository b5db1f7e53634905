//! What a page is about: a map with all that is known of it, whether it was just made or replayed.

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

/// A map and what is known about it, wherever it came from.
pub(super) struct PageSource<'a> {
    pub(super) plan: &'a FlightPlan,
    pub(super) tree: &'a Tree,
    pub(super) folders: Cow<'a, Folders>,
    pub(super) files: Cow<'a, [FileReport]>,
    /// What each file is worth, and what its sum was multiplied with; none where nothing was
    /// ranked.
    pub(super) worth: Option<Vec<(&'a FileScore, f64)>>,
    pub(super) roles: Vec<&'static str>,
    pub(super) languages: &'a Languages,
    pub(super) entries: Vec<Option<&'a IndexEntry>>,
    pub(super) text: &'a str,
    pub(super) tokens: u32,
    /// How many secrets are masked in the map, where that was counted.
    pub(super) n_masked: Option<u32>,
    pub(super) conflict: Option<&'a Conflict>,
    pub(super) problems: Vec<Problem>,
    pub(super) layers: RuleLayers<'a>,
}

impl PageSource<'_> {
    pub(super) fn style(&self) -> Style {
        Style::from(&self.plan.context)
    }

    /// The files by their worth, or as they stand where nothing was ranked.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.tree.files.len()).collect();
        if let Some(worth) = &self.worth {
            order.sort_by(|a, b| worth[*b].0.score.cmp(&worth[*a].0.score).then(a.cmp(b)));
        }
        order
    }
}
