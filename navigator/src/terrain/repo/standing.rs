//! The list of files in a view: what the context has of each, what the pilot asked for, and the
//! prices of other levels. Wishes and the files of most worth are always in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};

use repo_map::role::Role;
use repo_map::{FileReport, ItemCost, Level, RepoMap, cost, tests_of};

use super::Repository;
use super::shown::FileShown;
use super::wishes::{WishOutcome, WishStanding, Wishes};
use crate::run::pilot::Turn;
use crate::run::terrain::{Candidate, Nouns};
use crate::shared::n_of;

/// The number of files of most worth that are always listed.
const N_BEST: usize = 10;
/// The number of files, wished in full or strongest, whose nearest tests and data are listed.
const N_STRONGEST: usize = 3;
/// The maximum number of tests and data files listed for each of those.
const N_NEAR: usize = 2;
/// The heads of lists of items: what each would cost in full, what its signature alone would free,
/// and what has a number behind its name.
pub(super) const IN_FULL: &str = "in full";
pub(super) const FREES: &str = "interface frees";
pub(super) const OF_ONE_NAME: &str = "of one name";
/// The maximum number of files listed without a wish.
const MOST_FILLERS: usize = 8;

/// What a view says of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileStanding {
    /// The path.
    pub path: String,
    /// What the context has of it.
    pub shown: FileShown,
    /// The wish for the file.
    pub wish: Option<WishStanding>,
    /// The wishes for its items, by address, with the level in the context.
    pub items: BTreeMap<String, (Level, WishStanding)>,
    /// The prices of the file at other levels, in tokens.
    pub prices: Vec<(Level, u32)>,
    /// Items that the context does not have in full, with their prices in full, best first.
    pub offers: Vec<(String, u32)>,
    /// Items that it has in full, with the tokens that their signatures alone would free.
    pub frees: Vec<(String, u32)>,
    /// Items that share their name with another: their addresses and levels.
    pub numbered: Vec<(String, Level)>,
    /// The score, between 0 and 1, and the kinds of evidence that count most.
    pub evidence: (f64, Vec<&'static str>),
}

/// What a view says of a glob or folder that the pilot named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobStanding {
    /// The glob.
    pub glob: String,
    /// The level asked for.
    pub level: Level,
    /// The number of files that this change covers, by their level in the context.
    pub n: BTreeMap<Level, usize>,
}

impl FileStanding {
    /// Formats the lines of the file.
    pub fn text(&self, nouns: Nouns) -> String {
        let mut parts = vec![format!("now {}", self.shown.text(nouns.part))];
        parts.extend(self.wish.as_ref().map(|wish| wish.text(nouns.part)));
        if !self.prices.is_empty() {
            let price = |(level, tokens): &(Level, u32)| format!("{level} {tokens}");
            let prices: Vec<String> = self.prices.iter().map(price).collect();
            parts.push(format!("or {}", prices.join(", ")));
        }
        if self.evidence.0 > 0.0 {
            let (score, kinds) = &self.evidence;
            parts.push(format!("{score:.2} {}", kinds.join(" ")).trim_end().to_owned());
        }
        let mut out = format!("{}: {}\n", self.path, parts.join("; "));
        let is_met = |wish: &WishStanding| wish.outcome == WishOutcome::Met;
        let met: Vec<String> = self
            .items
            .iter()
            .filter(|(_, (_, wish))| is_met(wish))
            .map(|(name, (level, _))| format!("#{name} {level}"))
            .collect();
        if !met.is_empty() {
            let _ = writeln!(out, "  as asked: {}", met.join(", "));
        }
        for (name, (level, wish)) in self.items.iter().filter(|(_, (_, wish))| !is_met(wish)) {
            let _ = writeln!(out, "  #{name}: now {level}; {}", wish.text(nouns.part));
        }
        for list in [
            items_text(IN_FULL, &self.offers),
            items_text(FREES, &self.frees),
            items_text(OF_ONE_NAME, &self.numbered),
        ] {
            out += &list;
        }
        out
    }
}

/// Formats the items of one file in one line; empty if there are none.
pub(super) fn items_text(head: &str, items: &[(String, impl Display)]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: Vec<String> = items.iter().map(|(name, what)| format!("#{name} {what}")).collect();
    format!("  {head}: {}\n", items.join(", "))
}

impl GlobStanding {
    /// Formats the wish and the levels of the files that it covers.
    pub fn text(&self, place: &str) -> String {
        let n_files: usize = self.n.values().sum();
        if n_files == 0 {
            return format!("{} {}: later changes cover all of it", self.glob, self.level);
        }
        let counts: Vec<String> = self.n.iter().map(|(level, n)| format!("{n} {level}")).collect();
        format!("{} {}: {} now {}", self.glob, self.level, n_of(n_files, place), counts.join(", "))
    }
}

/// Returns what became of the wishes for globs.
pub(super) fn globs(wishes: &Wishes, turn: &Turn<'_, Repository>) -> Vec<GlobStanding> {
    let rules = &turn.state.rules;
    let standing = |(glob, level): &(String, Level)| {
        let mut n = BTreeMap::new();
        let is_covered = |file: &&FileReport| match file.rule {
            Some(repo_map::RuleOrigin::Pilot(at)) => {
                rules.get(at).is_some_and(|rule| rule.path == *glob)
            }
            _ => false,
        };
        for file in turn.map.files.iter().filter(is_covered) {
            *n.entry(file.level).or_default() += 1;
        }
        GlobStanding { glob: glob.clone(), level: *level, n }
    };
    wishes.globs.iter().map(standing).collect()
}

/// Returns the listed files, best evidence first, without prices; and the paths of those listed for
/// the tests and data near others alone.
///
/// # Errors
/// If the map is of another tree.
pub(super) fn files(
    turn: &Turn<'_, Repository>,
    wishes: &Wishes,
) -> repo_map::Result<(Vec<FileStanding>, BTreeSet<String>)> {
    let listed = Listed::of(turn, wishes);
    let mut files = Vec::new();
    for path in &listed.order {
        let Some(file) = turn.map.files.iter().find(|file| file.path == *path) else { continue };
        let evidence = turn.candidates.iter().find(|one| one.name == *path).map(evidence);
        let repo = &turn.terrain.repo;
        let costs = cost::file_costs(repo, path, turn.map, 0)?;
        let levels: Vec<Level> =
            costs.iter().flat_map(|costs| &costs.prices).map(|(level, _)| *level).collect();
        files.push(FileStanding {
            path: file.path.clone(),
            shown: FileShown::in_report(repo, file, turn.map)?,
            wish: wishes.of_file(file, &levels, &turn.state.rules, &turn.state.bounds),
            items: wished_items(turn, wishes, file)?,
            prices: Vec::new(),
            offers: Vec::new(),
            frees: Vec::new(),
            numbered: Vec::new(),
            evidence: evidence.unwrap_or_default(),
        });
    }
    Ok((files, listed.near.into_iter().map(str::to_owned).collect()))
}

/// The files of the list.
struct Listed<'t> {
    /// In the order of the list.
    order: Vec<&'t str>,
    /// The tests and data near the strongest files that are listed for that alone.
    near: BTreeSet<&'t str>,
}

impl<'t> Listed<'t> {
    fn of(turn: &'t Turn<'_, Repository>, wishes: &'t Wishes) -> Listed<'t> {
        let best = turn.candidates.iter().filter(|one| one.score > 0.0).take(N_BEST);
        let mut paths: BTreeSet<&str> = best.map(|one| one.name.as_str()).collect();
        paths.extend(wishes.paths());
        let mut near = BTreeSet::new();
        let evident = || turn.candidates.iter().filter(|one| one.score > 0.0);
        let in_full = evident().filter(|one| wishes.wants_full(&one.name));
        let others = evident().filter(|one| !wishes.wants_full(&one.name)).take(N_STRONGEST);
        let names: BTreeSet<&str> = turn.candidates.iter().map(|one| one.name.as_str()).collect();
        for strong in in_full.chain(others).take(N_STRONGEST) {
            let repo = &turn.terrain.repo;
            let tests = tests_of::tests_of(repo, &strong.name).into_iter();
            let neighbours: BTreeSet<&str> = repo.neighbours(&strong.name).into_iter().collect();
            let is_data = |one: &&Candidate| {
                neighbours.contains(one.name.as_str()) && Role::of(&one.name) == Role::Data
            };
            let data = turn.candidates.iter().filter(is_data).map(|one| one.name.as_str());
            near.extend(tests.filter(|test| names.contains(test)).chain(data).take(N_NEAR));
        }
        near.retain(|path| !paths.contains(path));
        paths.extend(&near);
        let ranked = turn.candidates.iter().map(|one| one.name.as_str());
        let mut order: Vec<&str> = ranked.filter(|path| paths.remove(path)).collect();
        // The rest are files that the person's rules keep low.
        order.extend(paths);
        Listed { order, near }
    }
}

fn evidence(candidate: &Candidate) -> (f64, Vec<&'static str>) {
    (candidate.score, candidate.parts.iter().take(2).map(|(kind, _)| *kind).collect())
}

fn wished_items(
    turn: &Turn<'_, Repository>,
    wishes: &Wishes,
    file: &FileReport,
) -> repo_map::Result<BTreeMap<String, (Level, WishStanding)>> {
    if !wishes.items.contains_key(&file.path) {
        return Ok(BTreeMap::new());
    }
    let items = cost::items_shown(&turn.terrain.repo, &file.path, turn.map)?;
    let (rules, bounds) = (&turn.state.rules, &turn.state.bounds);
    let inside = |item: &ItemCost| -> Vec<&ItemCost> {
        let mut inside: Vec<&ItemCost> = Vec::new();
        // An item comes before those nested in it.
        for one in &items {
            let is_outer = |outer: &String| {
                *outer == item.name || inside.iter().any(|inner| inner.name == *outer)
            };
            if one.container.as_ref().is_some_and(is_outer) {
                inside.push(one);
            }
        }
        inside
    };
    let standing = |item: &ItemCost| {
        let shown = (item.name.as_str(), item.level);
        let wish = wishes.of_item(file, shown, &inside(item), rules, bounds)?;
        Some((item.name.clone(), (item.level, wish)))
    };
    Ok(items.iter().filter_map(standing).collect())
}

/// Files of the context without a wish that are not listed, with their tokens, largest
/// first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fillers {
    /// The files.
    pub files: Vec<(String, u32)>,
}

impl Fillers {
    pub(super) fn of(
        map: &RepoMap,
        wishes: &Wishes,
        listed: &[FileStanding],
        turn: &Turn<'_, Repository>,
    ) -> Fillers {
        let listed: BTreeSet<&str> = listed.iter().map(|file| file.path.as_str()).collect();
        let is_filler = |file: &&FileReport| {
            file.level >= Level::Path
                && !listed.contains(file.path.as_str())
                && !wishes.has(file, &turn.state.rules)
        };
        let mut files: Vec<(String, u32)> = map
            .files
            .iter()
            .filter(is_filler)
            .map(|file| (file.path.clone(), file.tokens))
            .collect();
        files.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Fillers { files }
    }

    /// Formats them in one line; empty if there are none.
    pub fn text(&self, has_wishes: bool, place: &str) -> String {
        if self.files.is_empty() {
            return String::new();
        }
        let (first, rest) = self.files.split_at(self.files.len().min(MOST_FILLERS));
        let mut parts: Vec<String> =
            first.iter().map(|(path, tokens)| format!("{path} {tokens}")).collect();
        if !rest.is_empty() {
            let tokens: u32 = rest.iter().map(|(_, tokens)| tokens).sum();
            parts.push(format!("{} {tokens}", n_of(rest.len(), &format!("more {place}"))));
        }
        let without = if has_wishes { ", without a wish" } else { "" };
        format!("Also in the context{without}: {}\n", parts.join(", "))
    }
}
