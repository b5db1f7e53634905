//! The list of files in a view: what the context has of each, what the pilot asked for, and the
//! prices of other levels. Wishes and the files of most worth are always in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use repo_map::role::Role;
use repo_map::{FileReport, Level, RepoMap, cost};

use super::Repository;
use super::shown::FileShown;
use super::wishes::{WishOutcome, WishStanding, Wishes};
use crate::run::pilot::Turn;
use crate::run::terrain::Candidate;
use crate::run::text::n_of;

/// The number of files of most worth that are always listed.
const N_BEST: usize = 10;
/// The number of strongest files whose nearest tests and data are listed.
const N_STRONGEST: usize = 3;
/// The maximum number of tests and data files listed for each of those.
const N_NEAR: usize = 2;
/// The number of items that a file may offer, by its rank in the list: up to the first number, at
/// most the second.
const ITEMS_A_FILE: [(usize, usize); 2] = [(N_STRONGEST, 6), (N_BEST, 3)];
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
    pub fn text(&self) -> String {
        let mut parts = vec![format!("now {}", self.shown.text())];
        parts.extend(self.wish.as_ref().map(WishStanding::text));
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
            let _ = writeln!(out, "  #{name}: now {level}; {}", wish.text());
        }
        if !self.offers.is_empty() {
            let offers: Vec<String> =
                self.offers.iter().map(|(name, full)| format!("#{name} {full}")).collect();
            let _ = writeln!(out, "  in full: {}", offers.join(", "));
        }
        out
    }
}

impl GlobStanding {
    /// Formats the wish and the levels of the files that it covers.
    pub fn text(&self) -> String {
        let n_files: usize = self.n.values().sum();
        if n_files == 0 {
            return format!("{} {}: later changes cover all of it", self.glob, self.level);
        }
        let counts: Vec<String> = self.n.iter().map(|(level, n)| format!("{n} {level}")).collect();
        format!("{} {}: {} now {}", self.glob, self.level, n_of(n_files, "file"), counts.join(", "))
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

/// Returns the listed files, best evidence first. Prices and offers take at most about `tokens`.
///
/// # Errors
/// If the map is of another tree.
pub(super) fn files(
    turn: &Turn<'_, Repository>,
    wishes: &Wishes,
    tokens: u32,
    count: &dyn Fn(&str) -> u32,
) -> repo_map::Result<Vec<FileStanding>> {
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
            evidence: evidence.unwrap_or_default(),
        });
    }
    // Lines without a wish beyond the best files are themselves part of the prices.
    let near: u32 = files
        .iter()
        .filter(|file| listed.near.contains(file.path.as_str()))
        .map(|file| count(&file.text()))
        .sum();
    let left = tokens.saturating_sub(near);
    offer(turn, &mut files, left, count)?;
    Ok(files)
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
        for strong in turn.candidates.iter().take(N_STRONGEST).filter(|one| one.score > 0.0) {
            let neighbours: BTreeSet<&str> =
                turn.terrain.repo.neighbours(&strong.name).into_iter().collect();
            let is_near = |one: &&Candidate| {
                neighbours.contains(one.name.as_str())
                    && matches!(Role::of(&one.name), Role::Test | Role::Data)
            };
            near.extend(
                turn.candidates.iter().filter(is_near).take(N_NEAR).map(|one| one.name.as_str()),
            );
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
    let items = cost::items_shown(&turn.terrain.repo, &file.path, turn.map)?.into_iter();
    let (rules, bounds) = (&turn.state.rules, &turn.state.bounds);
    Ok(items
        .filter_map(|item| {
            let wish = wishes.of_item(file, (&item.name, item.level), rules, bounds)?;
            Some((item.name, (item.level, wish)))
        })
        .collect())
}

/// Adds prices of levels to every file, then items, as long as there is room.
fn offer(
    turn: &Turn<'_, Repository>,
    files: &mut [FileStanding],
    tokens: u32,
    count: &dyn Fn(&str) -> u32,
) -> repo_map::Result<()> {
    let mut left = tokens;
    let mut fits = |text: &str| {
        let tokens = count(text);
        let does_fit = tokens <= left;
        left -= if does_fit { tokens } else { 0 };
        does_fit
    };
    let mut costs = Vec::new();
    for file in files.iter_mut() {
        let known = cost::file_costs(&turn.terrain.repo, &file.path, turn.map, 24)?;
        let Some(known) = known else { continue };
        let is_uniform = file.shown.items.is_none();
        let other = |(level, _): &(Level, u32)| {
            *level > Level::Path && !(is_uniform && *level == file.shown.level)
        };
        let prices: Vec<(Level, u32)> = known.prices.iter().copied().filter(other).collect();
        let text: String = prices.iter().map(|(level, n)| format!(", {level} {n}")).collect();
        if !prices.is_empty() && fits(&text) {
            file.prices = prices;
        }
        costs.push((file.path.clone(), known));
    }
    for (at, (path, known)) in costs.into_iter().enumerate() {
        let Some(file) = files.iter_mut().find(|file| file.path == path) else { continue };
        let n_items = ITEMS_A_FILE.iter().find(|(until, _)| at < *until).map_or(2, |(_, n)| *n);
        let is_large = known.prices.last().is_some_and(|(_, full)| *full > turn.map.budget / 16);
        let is_closed = file.shown.level == Level::Full && file.shown.items.is_none();
        if !is_large || is_closed {
            continue;
        }
        let open = known.items.into_iter().filter(|item| item.level < Level::Full);
        for item in open.take(n_items) {
            if fits(&format!(", #{} {}", item.name, item.full)) {
                file.offers.push((item.name, item.full));
            }
        }
    }
    Ok(())
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
    pub fn text(&self) -> String {
        if self.files.is_empty() {
            return String::new();
        }
        let (first, rest) = self.files.split_at(self.files.len().min(MOST_FILLERS));
        let mut parts: Vec<String> =
            first.iter().map(|(path, tokens)| format!("{path} {tokens}")).collect();
        if !rest.is_empty() {
            let tokens: u32 = rest.iter().map(|(_, tokens)| tokens).sum();
            parts.push(format!("{} {tokens}", n_of(rest.len(), "more file")));
        }
        format!("Also in the context, without a wish: {}\n", parts.join(", "))
    }
}
