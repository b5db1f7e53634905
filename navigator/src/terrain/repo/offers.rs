//! The prices in a view: of the listed files at other levels, of single items, and of what the
//! items in focus use. They take a fixed part of the view.

use std::collections::{BTreeMap, BTreeSet};

use repo_map::{FileCosts, ItemCost, Level, callees, cost};

use super::Repository;
use super::standing::{FREES, FileStanding, IN_FULL, OF_ONE_NAME, items_text};
use super::wishes::Wishes;
use crate::run::pilot::Turn;
use crate::run::terrain::Terrain as _;

/// The number of items that a file may offer, by its rank in the list: up to the first number, at
/// most the second.
const ITEMS_A_FILE: [(usize, usize); 2] = [(3, 6), (10, 3)];
/// The same for a file further down, and for a test near a file in focus.
const FEW_ITEMS: usize = 2;
/// The maximum number of items in focus.
const MOST_FOCUS: usize = 60;
/// The number of files without a wish whose full items are in focus, and of items in each. With
/// these, in the order of their worth, the definitions offered for 72 goals have 21 bodies that an
/// expert wants and that the map lacks; of the four best items of three files, by the number of
/// their callers, it is 15.
const FOCUS_WITHOUT_WISH: (usize, usize) = (6, 20);
/// The maximum number of definitions that are offered because items in focus use them.
const MOST_CALLEES: usize = 6;
/// The maximum number of items of one file for which the view says what lowering them frees, and of
/// those that share a name.
const MOST_FREES: usize = 3;
const MOST_NUMBERED: usize = 4;
/// The least number of tokens that lowering an item frees, if the view says so.
const LEAST_FREED: u32 = 40;

/// The least cost of an item that is offered: a field or constant says little in full.
const LEAST_OFFER: u32 = 20;

/// A definition that items in focus use, by path and address, with its price in full.
pub type UsedDefinition = (String, String, u32);

/// The tokens for prices that remain.
struct PriceSpace<'a> {
    left: u32,
    count: &'a dyn Fn(&str) -> u32,
}

impl PriceSpace<'_> {
    /// Takes the tokens of a text if they remain.
    fn take(&mut self, text: &str) -> bool {
        let tokens = (self.count)(text);
        let does_fit = tokens <= self.left;
        self.left -= if does_fit { tokens } else { 0 };
        does_fit
    }

    /// Takes the items that fit.
    fn items<T: std::fmt::Display>(
        &mut self,
        head: &str,
        items: impl Iterator<Item = (String, T)>,
    ) -> Vec<(String, T)> {
        let mut taken = Vec::new();
        for item in items {
            let one = [item];
            if self.take(&items_text(if taken.is_empty() { head } else { "" }, &one)) {
                taken.extend(one);
            }
        }
        taken
    }
}

/// Adds prices to the listed files as long as there is room: levels of files, then the definitions
/// that items in focus use, which it returns, then items of the best files, of the tests near them,
/// of others.
///
/// # Errors
/// If the map is of another tree.
pub(super) fn offer(
    turn: &Turn<'_, Repository>,
    wishes: &Wishes,
    (files, near): (&mut [FileStanding], &BTreeSet<String>),
    tokens: u32,
    count: &dyn Fn(&str) -> u32,
) -> repo_map::Result<Vec<UsedDefinition>> {
    // Lines without a wish beyond the best files are themselves part of the prices.
    let is_near = |file: &&FileStanding| near.contains(&file.path);
    let of_near: u32 =
        files.iter().filter(is_near).map(|file| count(&file.text(turn.terrain.nouns()))).sum();
    let mut space = PriceSpace { left: tokens.saturating_sub(of_near), count };
    let mut costs: BTreeMap<String, FileCosts> = BTreeMap::new();
    for file in files.iter_mut() {
        let known = cost::file_costs(&turn.terrain.repo, &file.path, turn.map, 24)?;
        let Some(known) = known else { continue };
        file.prices = level_prices(file, &known, &mut space);
        costs.insert(file.path.clone(), known);
    }
    let used = used_definitions(turn, wishes, files, &mut space)?;
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|at| match near.contains(&files[*at].path) {
        false if *at < ITEMS_A_FILE[0].0 => 0,
        true => 1,
        false => 2,
    });
    for at in order {
        let file = &mut files[at];
        let is_near = near.contains(&file.path);
        let shown = cost::items_shown(&turn.terrain.repo, &file.path, turn.map)?;
        if file.shown.items.is_some() && at < ITEMS_A_FILE[1].0 && !is_near {
            file.frees = space.items(FREES, frees(file, &shown));
        }
        let most = ITEMS_A_FILE.iter().find(|(until, _)| at < *until && !is_near);
        let most = most.map_or(FEW_ITEMS, |(_, most)| *most);
        let open = offers(file, &costs, turn.map.budget, most).filter(|(name, _)| {
            !used.iter().any(|(path, item, _)| (path, item) == (&file.path, name))
        });
        file.offers = space.items(IN_FULL, open);
        if !is_near {
            file.numbered = space.items(OF_ONE_NAME, numbered(&shown));
        }
    }
    Ok(used)
}

fn level_prices(
    file: &FileStanding,
    known: &FileCosts,
    space: &mut PriceSpace<'_>,
) -> Vec<(Level, u32)> {
    let is_uniform = file.shown.items.is_none();
    let other = |(level, _): &(Level, u32)| {
        *level > Level::Path && !(is_uniform && *level == file.shown.level)
    };
    let prices: Vec<(Level, u32)> = known.prices.iter().copied().filter(other).collect();
    let text: String = prices.iter().map(|(level, n)| format!(", {level} {n}")).collect();
    if !prices.is_empty() && space.take(&text) { prices } else { Vec::new() }
}

/// Returns the best items of a large file that are not there in full and that no wish keeps lower.
fn offers(
    file: &FileStanding,
    costs: &BTreeMap<String, FileCosts>,
    budget: u32,
    most: usize,
) -> impl Iterator<Item = (String, u32)> {
    let known = costs.get(&file.path);
    let is_large =
        |known: &&FileCosts| known.prices.last().is_some_and(|(_, full)| *full > budget / 16);
    let is_whole = file.shown.level == Level::Full && file.shown.items.is_none();
    let items = known.filter(is_large).filter(|_| !is_whole).into_iter();
    let is_lowered = |item: &ItemCost| {
        file.items.get(&item.name).is_some_and(|(_, wish)| wish.level < Level::Body)
    };
    let is_open = |item: &&ItemCost| {
        item.level < Level::Body && item.full >= LEAST_OFFER && !is_lowered(item)
    };
    let open = items.flat_map(|known| &known.items).filter(is_open);
    open.take(most).map(|item| (item.name.clone(), item.full)).collect::<Vec<_>>().into_iter()
}

/// Returns the items without a wish that free most if only their signatures stay.
fn frees(file: &FileStanding, shown: &[ItemCost]) -> impl Iterator<Item = (String, u32)> {
    let containers: BTreeSet<&str> =
        shown.iter().filter_map(|item| item.container.as_deref()).collect();
    let is_alone = |item: &&ItemCost| {
        let is_in_full = item.container.as_ref().is_some_and(|outer| {
            shown.iter().any(|one| one.name == *outer && one.level >= Level::Body)
        });
        item.level >= Level::Body && !is_in_full && !containers.contains(item.name.as_str())
    };
    let freed = shown.iter().filter(is_alone).filter(|item| !file.items.contains_key(&item.name));
    let mut freed: Vec<(String, u32)> = freed
        .map(|item| (item.name.clone(), item.with_body().saturating_sub(item.interface)))
        .filter(|(_, freed)| *freed >= LEAST_FREED)
        .collect();
    freed.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    freed.truncate(MOST_FREES);
    freed.into_iter()
}

/// Returns items whose name does not address them alone, where the context has less than all of
/// them.
fn numbered(shown: &[ItemCost]) -> impl Iterator<Item = (String, Level)> {
    let containers: BTreeSet<&str> =
        shown.iter().filter_map(|item| item.container.as_deref()).collect();
    let name_of = |item: &ItemCost| item.name.rsplit_once('@').map(|(name, _)| name.to_owned());
    let is_open = |item: &&ItemCost| {
        item.level >= Level::Outline
            && item.level < Level::Body
            && !containers.contains(item.name.as_str())
    };
    let names: BTreeSet<String> = shown.iter().filter(is_open).filter_map(name_of).collect();
    let has_name = |item: &&ItemCost| name_of(item).is_some_and(|name| names.contains(&name));
    let items: Vec<(String, Level)> =
        shown.iter().filter(has_name).map(|item| (item.name.clone(), item.level)).collect();
    items.into_iter().take(MOST_NUMBERED)
}

/// Returns definitions that the items in focus use and that the context does not have in full.
fn used_definitions(
    turn: &Turn<'_, Repository>,
    wishes: &Wishes,
    files: &[FileStanding],
    space: &mut PriceSpace<'_>,
) -> repo_map::Result<Vec<UsedDefinition>> {
    let focus = focus(turn, wishes, files)?;
    let callers: Vec<(&str, &str)> =
        focus.iter().map(|(path, item)| (path.as_str(), item.as_str())).collect();
    let open =
        callees::callees(&turn.terrain.repo, &callers, turn.map)?.into_iter().filter(|one| {
            let has_body = one.item.full >= one.item.interface + LEAST_OFFER;
            one.item.level < Level::Body && !one.has_parts && has_body
        });
    let mut used = Vec::new();
    for one in open.take(MOST_CALLEES) {
        if space.take(&format!(", {}#{} {}", one.path, one.item.name, one.item.full)) {
            used.push((one.path, one.item.name, one.item.full));
        }
    }
    Ok(used)
}

/// Returns the items in focus, by path and address: those in full by a wish, else the best that are
/// in full.
fn focus(
    turn: &Turn<'_, Repository>,
    wishes: &Wishes,
    files: &[FileStanding],
) -> repo_map::Result<Vec<(String, String)>> {
    let mut wished = Vec::new();
    let mut best = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let mut items = cost::items_shown(&turn.terrain.repo, &file.path, turn.map)?;
        items.retain(|item| item.level >= Level::Body);
        items.sort_by(|a, b| b.worth.cmp(&a.worth).then_with(|| a.name.cmp(&b.name)));
        let of_file = |item: &ItemCost| (file.path.clone(), item.name.clone());
        if wishes.wants_full(&file.path) {
            let is_file_wished = wishes.files.get(&file.path) >= Some(&Level::Body);
            let is_wished =
                |item: &&ItemCost| is_file_wished || wishes.is_item_in_full(&file.path, item);
            wished.extend(items.iter().filter(is_wished).map(of_file));
        }
        if at < FOCUS_WITHOUT_WISH.0 {
            best.extend(items.iter().take(FOCUS_WITHOUT_WISH.1).map(of_file));
        }
    }
    let mut focus = if wished.is_empty() { best } else { wished };
    focus.truncate(MOST_FOCUS);
    Ok(focus)
}
