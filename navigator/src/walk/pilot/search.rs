//! The search of a walk without a model: the pages that it found, one after the other.

use crate::walk::action::WalkAction;
use crate::walk::known::KnownPlace;
use crate::walk::pilot::WalkTurn;
use crate::walk::pilot::worth::{Measure, answer_of};
use crate::walk::state::{PageExtract, PathStep, before};

/// The last search of a walk.
pub(super) struct WalkSearch<'t> {
    /// What it found, best first.
    found: &'t [KnownPlace],
    /// The extracts of the walk, with the positions of their steps.
    extracts: Vec<(usize, &'t PageExtract)>,
    path: &'t [PathStep],
    /// The position of its step.
    at: usize,
}

/// A page that a search found, and what the walk has of it.
pub(super) enum FoundPage<'t> {
    /// It is opened next, or its sections are taken.
    Ahead(WalkAction, String),
    /// Its sections were taken.
    Taken(&'t PageExtract),
}

impl<'t> WalkSearch<'t> {
    /// Returns the last search of a walk; `None` without one.
    pub(super) fn of(turn: &WalkTurn<'t>) -> Option<WalkSearch<'t>> {
        let path = &turn.state.path;
        let at = path.iter().rposition(PathStep::searches)?;
        let steps = path.iter().enumerate().filter(|(_, step)| step.takes());
        let extracts = steps.map(|(at, _)| at).zip(&turn.state.extracts).collect();
        Some(WalkSearch { found: &path[at].found, extracts, path, at })
    }

    /// Reports whether it found something.
    pub(super) fn has_found(&self) -> bool {
        !self.found.is_empty()
    }

    /// Returns the pages that can be had, best first.
    pub(super) fn pages(
        &self,
        turn: &WalkTurn<'_>,
        measure: &Measure,
    ) -> impl Iterator<Item = FoundPage<'t>> {
        let mut been: Vec<&str> = Vec::new();
        self.found.iter().filter_map(move |place| {
            let page = page_of(&place.address);
            if been.contains(&page) {
                return None;
            }
            been.push(page);
            self.page(turn, measure, place)
        })
    }

    /// Reports whether links led the walk to the page of an extract, and it took a part, before the
    /// search found it.
    pub(super) fn agrees(&self, extract: &PageExtract) -> bool {
        self.extracts.iter().any(|(at, own)| *at < self.at && own.address == extract.address)
    }

    /// Returns what the walk has of the page of a place; `None` if it cannot be had.
    fn page(
        &self,
        turn: &WalkTurn<'_>,
        measure: &Measure,
        place: &KnownPlace,
    ) -> Option<FoundPage<'t>> {
        let page = page_of(&place.address);
        let is_since = |(at, extract): &&(usize, &PageExtract)| {
            *at > self.at && page_of(&extract.address) == page
        };
        if let Some((_, extract)) = self.extracts.iter().find(is_since) {
            return Some(FoundPage::Taken(extract));
        }
        if page_of(&turn.screen.address) == page {
            return self.sections(turn, measure, page);
        }
        let action = WalkAction::Open { address: place.address.clone() };
        let is_opened = |step: &PathStep| match &step.action {
            WalkAction::Open { address } => page_of(address) == page,
            _ => false,
        };
        let was_opened = self.path[self.at..].iter().any(is_opened)
            || turn.state.has_tried(&before(turn.screen, &action), &action);
        // To open and to take it.
        if was_opened || turn.steps_left < 2 {
            return None;
        }
        let why = format!("the search found `{}`", place.way.join(" › "));
        Some(FoundPage::Ahead(action, why))
    }

    /// Takes the sections of the page that were found, unless the walk took them before.
    fn sections(
        &self,
        turn: &WalkTurn<'_>,
        measure: &Measure,
        page: &str,
    ) -> Option<FoundPage<'t>> {
        let of_page = self.found.iter().filter(|place| page_of(&place.address) == page);
        let mut titles: Vec<&String> = of_page.filter_map(|place| place.way.last()).collect();
        // Others only mention what one is about.
        if let Some(named) = titles.iter().position(|title| measure.is_called(title)) {
            titles = vec![titles[named]];
        }
        let number = |title: &String| {
            turn.screen.sections.iter().position(|section| section.title == *title)
        };
        let mut sections: Vec<usize> =
            titles.into_iter().filter_map(number).map(|at| at + 1).collect();
        sections.sort_unstable();
        sections.dedup();
        if sections.is_empty() {
            sections.push(answer_of(turn.screen, measure)?.1);
        }
        let action = WalkAction::Extract { sections };
        let screen = before(turn.screen, &action);
        let is_same = |step: &PathStep| step.before == screen && step.action == action;
        match self.path.iter().position(is_same) {
            Some(same) => {
                let taken = self.extracts.iter().find(|(at, _)| *at == same);
                taken.map(|(_, extract)| FoundPage::Taken(extract))
            }
            None => Some(FoundPage::Ahead(action, "the search found these sections".to_owned())),
        }
    }
}

/// Returns the address of the page of a place.
fn page_of(address: &str) -> &str {
    address.split('#').next().unwrap_or(address)
}
