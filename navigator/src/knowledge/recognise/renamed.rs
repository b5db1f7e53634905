//! What stands on a page where a screen had other words at other times: these are data.

use std::collections::BTreeMap;

use crate::knowledge::model::feature::FeatureKind;

/// For each kind: how many a screen has at other times that the page lacks, and how many
/// the page has that the screen never had. As many of both are taken for the same ones with other
/// names, which speak neither for the screen nor against it.
#[derive(Debug, Default)]
pub(super) struct RenamedControls(BTreeMap<FeatureKind, (f64, f64)>);

impl RenamedControls {
    /// Adds one that the screen has at this share of the times, and the page lacks.
    pub(super) fn add_missing(&mut self, kind: FeatureKind, share: f64) {
        self.0.entry(kind).or_default().0 += share;
    }

    /// Adds some that the page has, and the screen never had.
    pub(super) fn add_new(&mut self, kind: FeatureKind, n: f64) {
        self.0.entry(kind).or_default().1 += n;
    }

    /// Returns what is left of the weight of a missing one.
    pub(super) fn of_missing(&self, kind: FeatureKind) -> f64 {
        let (missing, new) = self.0.get(&kind).copied().unwrap_or_default();
        1.0 - new.min(missing) / missing.max(f64::MIN_POSITIVE)
    }

    /// Returns what is left of the weight of one that the screen never had.
    pub(super) fn of_new(&self, kind: FeatureKind) -> f64 {
        let (missing, new) = self.0.get(&kind).copied().unwrap_or_default();
        1.0 - new.min(missing) / new.max(f64::MIN_POSITIVE)
    }
}
