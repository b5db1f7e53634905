//! What is kept of an instance, and the numbers made of it.
//!
//! Everything kept is a place or a count, so that figures read back from a file are the figures
//! that were written.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How much of a ranking counts: a file further down was not found.
pub(crate) const N_RANKED: usize = 200;

/// Where the gold stands in a ranking: for each name its place, counted from 1; `None` when it was
/// not found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GoldPlaces(Vec<Option<u32>>);

/// A part of a whole, both counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Share {
    pub(crate) part: u32,
    pub(crate) of: u32,
}

/// What was measured of an instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct InstanceOutcome {
    pub(crate) instance_id: String,
    pub(crate) with_history: bool,
    /// The gold files in our ranking.
    pub(crate) files: GoldPlaces,
    /// The gold functions in our ranking of functions.
    pub(crate) functions: GoldPlaces,
    /// The gold files in the ranking of BM25.
    pub(crate) bm25: GoldPlaces,
    /// Time until the files were ranked.
    pub(crate) ranking_ms: u32,
    /// Time until the largest map was made.
    pub(crate) map_ms: u32,
    pub(crate) budgets: Vec<AtBudget>,
}

/// What a budget holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AtBudget {
    pub(crate) tokens: u32,
    /// The size of the map.
    pub(crate) used: u32,
    /// Gold files whose items the map names, at least some of them.
    pub(crate) files: Share,
    /// Gold functions that the map shows whole.
    pub(crate) functions: Share,
    /// Ranges of lines to be changed that the map shows whole.
    pub(crate) edits: Share,
    /// Gold files among those of which the map shows at least a signature.
    pub(crate) precision: Share,
    /// Gold files and their neighbours among the same.
    pub(crate) nearness: Share,
    /// Whole files in the order of BM25 in place of the map.
    pub(crate) bm25: Packed,
    /// Whole gold files, the smallest first, in place of the map.
    pub(crate) oracle: Packed,
}

/// What a budget holds when it is filled with whole files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Packed {
    pub(crate) files: Share,
    pub(crate) functions: Share,
}

impl GoldPlaces {
    /// The places of `gold` in a ranking without its repetitions.
    pub(crate) fn of<'a>(
        gold: impl IntoIterator<Item = &'a str>,
        ranking: impl IntoIterator<Item = &'a str>,
    ) -> GoldPlaces {
        let mut places: BTreeMap<&str, u32> = BTreeMap::new();
        for name in ranking {
            let next = places.len() as u32 + 1;
            places.entry(name).or_insert(next);
        }
        GoldPlaces(gold.into_iter().map(|name| places.get(name).copied()).collect())
    }

    fn found(&self, k: u32) -> usize {
        self.0.iter().filter(|place| place.is_some_and(|place| place <= k)).count()
    }

    /// 1 when all gold is among the first `k`; `None` when there is no gold, as for the others.
    pub(crate) fn accuracy(&self, k: u32) -> Option<f64> {
        (!self.0.is_empty()).then(|| f64::from(u8::from(self.found(k) == self.0.len())))
    }

    /// 1 when any gold is among the first `k`.
    pub(crate) fn hit(&self, k: u32) -> Option<f64> {
        (!self.0.is_empty()).then(|| f64::from(u8::from(self.found(k) > 0)))
    }

    /// How much of the gold is among the first `k`.
    pub(crate) fn recall(&self, k: u32) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.found(k) as f64 / self.0.len() as f64)
    }

    /// One divided by the first place that is gold; 0 when none is.
    pub(crate) fn reciprocal_rank(&self) -> Option<f64> {
        let first = self.0.iter().flatten().min();
        (!self.0.is_empty()).then(|| first.map_or(0.0, |place| 1.0 / f64::from(*place)))
    }
}

impl Share {
    /// How many of these are so.
    pub(crate) fn of(all: impl IntoIterator<Item = bool>) -> Share {
        all.into_iter().fold(Share::default(), |share, is_so| Share {
            part: share.part + u32::from(is_so),
            of: share.of + 1,
        })
    }

    /// Between 0 and 1; `None` for a part of nothing.
    pub(crate) fn value(self) -> Option<f64> {
        (self.of > 0).then(|| f64::from(self.part) / f64::from(self.of))
    }
}

/// The name a function is compared by: a constructor of Python counts as its class.
pub(crate) fn function_name(name: &str) -> &str {
    name.strip_suffix(".__init__").unwrap_or(name)
}

/// A mean over instances, and the interval that holds 95 % of the means of resampled instances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

const N_RESAMPLES: usize = 2_000;
/// As good as any other; the same for every run.
const SEED: u64 = 2025;

/// The mean with its interval; `None` of nothing.
pub(crate) fn mean(values: &[f64]) -> Option<Mean> {
    if values.is_empty() {
        return None;
    }
    let n = values.len() as f64;
    let mut dice = Bootstrap(SEED);
    let mut resample =
        || (0..values.len()).map(|_| values[dice.roll(values.len())]).sum::<f64>() / n;
    let mut means: Vec<f64> = (0..N_RESAMPLES).map(|_| resample()).collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[(share * N_RESAMPLES as f64) as usize];
    Some(Mean { mean: values.iter().sum::<f64>() / n, low: at(0.025), high: at(0.975) })
}

/// Numbers from a seed, the same on every machine (SplitMix64).
struct Bootstrap(u64);

impl Bootstrap {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % below as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_wants_all_of_the_gold_and_a_hit_any() {
        let places = GoldPlaces::of(["b", "d", "x"], ["a", "b", "c", "d", "b"]);
        assert_eq!(places, GoldPlaces(vec![Some(2), Some(4), None]));
        assert_eq!([1, 2, 4].map(|k| places.hit(k)), [Some(0.0), Some(1.0), Some(1.0)]);
        assert_eq!(
            [1, 2, 4].map(|k| places.recall(k)),
            [Some(0.0), Some(1.0 / 3.0), Some(2.0 / 3.0)]
        );
        assert_eq!(places.accuracy(10), Some(0.0));
        assert_eq!(places.reciprocal_rank(), Some(0.5));
        let both = GoldPlaces::of(["a", "d"], ["a", "b", "c", "d"]);
        assert_eq!([1, 3, 4].map(|k| both.accuracy(k)), [Some(0.0), Some(0.0), Some(1.0)]);
    }

    #[test]
    fn a_ranking_has_no_repetitions() {
        assert_eq!(GoldPlaces::of(["b"], ["a", "a", "b"]), GoldPlaces(vec![Some(2)]));
    }

    #[test]
    fn without_gold_there_is_no_figure() {
        let places = GoldPlaces::of([], ["a"]);
        assert_eq!(
            [places.accuracy(1), places.hit(1), places.recall(1), places.reciprocal_rank()],
            [None; 4]
        );
        assert_eq!(Share::of([]).value(), None);
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn a_constructor_counts_as_its_class() {
        assert_eq!(function_name("a.py:Lamp.__init__"), "a.py:Lamp");
        assert_eq!(function_name("a.py:Lamp.light"), "a.py:Lamp.light");
    }

    #[test]
    fn the_interval_is_around_the_mean_and_the_same_each_time() {
        let values: Vec<f64> = (0..100).map(|n| f64::from(n % 4 == 0)).collect();
        let once = mean(&values).unwrap();
        assert_eq!(Some(once), mean(&values));
        assert_eq!(once.mean, 0.25);
        // The interval of a share of 0.25 of 100: 1.96 times the square root of 0.25 · 0.75 / 100
        // to each side.
        assert!((once.low - 0.165).abs() < 0.02 && (once.high - 0.335).abs() < 0.02, "{once:?}");
        assert_eq!(mean(&[0.5]), Some(Mean { mean: 0.5, low: 0.5, high: 0.5 }));
    }
}
