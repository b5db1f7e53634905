//! The room that an item would need to be shown in full, and what it counts for it.

use serde::Serialize;

use crate::error::Result;
use crate::fit::divisor;
use crate::level::Level;
use crate::map::effective::{EffectiveRule, RuleLayers};
use crate::map::judged::Judged;
use crate::map::{FileReport, RepoMap};
use crate::plan::RuleSet;
use crate::score::index::IndexEntry;

/// The room that an item needs to be shown in full. The fit gives room first to what has more value
/// per token.
#[derive(Debug, Clone, Serialize)]
pub struct ItemRoom {
    /// The tokens of its text beyond what is shown of it.
    pub needed: u32,
    /// The free tokens of the map.
    pub free: u32,
    /// Its place by score among the items of its file, from 1.
    pub place: usize,
    /// The factor for its score in that place: each further item of a file counts less.
    pub factor: f64,
}

impl ItemRoom {
    /// Returns the room of an item that a map shows at a level. `None` where room decides nothing:
    /// a rule or the plan's `fill` does, the item is shown in full or is not judged, or the items
    /// in it are shown one by one.
    ///
    /// # Errors
    /// If a glob does not compile.
    pub(crate) fn of(
        judged: &Judged,
        layers: RuleLayers<'_>,
        map: &RepoMap,
        (file, entry): (usize, &IndexEntry),
        (item, level): (usize, Level),
    ) -> Result<Option<ItemRoom>> {
        let Some(worths) = judged.item_worth(file, entry) else { return Ok(None) };
        let price = entry.price().items[item];
        let needed = price.at(price.whole()).saturating_sub(price.at(level));
        let is_whole = level >= Level::Body || needed == 0;
        let has_items = entry.depth.outline.items[item].has_children;
        let is_weak = worths[item] < map.files[file].item_needs;
        if is_whole || has_items || is_weak || !is_left_to_the_fit(&map.files[file], layers)? {
            return Ok(None);
        }
        let outline = &entry.depth.outline;
        let is_better = |(at, worth): &(usize, &u32)| {
            (**worth, item) > (worths[item], *at) && outline.function_of_block(*at).is_none()
        };
        let place = worths.iter().enumerate().filter(is_better).count();
        // An overview counts all items of a file alike.
        let has_matches = judged.scores.has_evidence && !judged.goal().is_empty();
        let counted = divisor(if has_matches { place } else { 0 });
        Ok(Some(ItemRoom {
            needed,
            free: map.budget.saturating_sub(map.tokens),
            place: place + 1,
            factor: divisor(0) as f64 / counted as f64,
        }))
    }
}

/// Reports whether the fit may show all of a file, and no rule names items of it.
fn is_left_to_the_fit(file: &FileReport, layers: RuleLayers<'_>) -> Result<bool> {
    let person = RuleSet::new(layers.person)?.verdict(&file.path);
    let pilot = RuleSet::new(layers.pilot)?.verdict(&file.path);
    let without_rules = layers.person.is_empty() && layers.pilot.is_empty();
    let rule = EffectiveRule::of(person, pilot, without_rules);
    let is_open = rule.range.ceiling == Level::Full && rule.items.is_empty();
    Ok(is_open && file.needs.is_none() && file.mark.is_none())
}
