//! The view of a repository for a model in one turn. Every statement of it holds of the context:
//! it is made as a value, and the text is rendered from that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use repo_map::{ExcerptOf, Level, RepoMap, Sanitized, Tokenizer, excerpt};

use super::Repository;
use super::balance::{self, LeftFree};
use super::cut::{Attention, Cut, Excerptible, choose};
use super::offers::{self, UsedDefinition};
use super::shifts::{self, LevelShift, ShiftCause};
use super::shifts_text;
use super::standing::{self, FileStanding, Fillers, GlobStanding};
use super::wishes::Wishes;
use crate::pilot::briefing::View;
use crate::run::pilot::Turn;
use crate::run::terrain::{Nouns, Terrain as _};

/// The part of a view for prices, in percent.
const PRICE_SHARE: u32 = 8;
/// The least space for an excerpt, in tokens: lists give way to it.
const LEAST_EXCERPT: u32 = 300;

/// What a view says of the context.
#[derive(Debug, Clone, PartialEq)]
pub struct RepoView {
    /// The differences from the context of the turn before; `None` in the first turn.
    pub shifts: Option<Vec<LevelShift>>,
    /// The files with a wish, the files of most worth, and what is near them; best evidence first.
    pub files: Vec<FileStanding>,
    /// The wishes for globs and folders.
    pub globs: Vec<GlobStanding>,
    /// Definitions that the items in focus use and the context does not have in full.
    pub used: Vec<UsedDefinition>,
    /// The tokens that the wishes cost; `None` without wishes.
    pub wish_tokens: Option<u32>,
    /// The other files of the context, without a wish.
    pub fillers: Fillers,
    /// The tokens that stay free, if there are files that could take them.
    pub left_free: Option<LeftFree>,
    /// The nouns for the documents.
    pub nouns: Nouns,
    /// The budget of the context in tokens.
    pub budget: u32,
    /// The part of the budget that is free.
    pub free: u32,
    /// What the view draws of each file, if it does not draw the whole context.
    pub excerpt: Option<BTreeMap<String, ExcerptOf>>,
    /// The text of the context, or of its excerpt.
    pub map: Sanitized,
    /// The size of that text in tokens.
    pub map_tokens: u32,
}

impl RepoView {
    /// Makes the view of a turn, of about `tokens` tokens at most.
    ///
    /// # Errors
    /// If the map of the turn is of another tree.
    pub fn of(turn: &mut Turn<'_, Repository>, tokens: u32) -> repo_map::Result<RepoView> {
        let tokenizer = Tokenizer::default();
        let count = |text: &str| tokenizer.count(text);
        let wishes = Wishes::of(&turn.state.rules, &turn.terrain.repo);
        let (mut files, near) = standing::files(turn, &wishes)?;
        let for_prices = tokens * PRICE_SHARE / 100;
        let used = offers::offer(turn, &wishes, (&mut files, &near), for_prices, &count)?;
        let fillers = Fillers::of(turn.map, &wishes, &files, turn);
        let rules = &turn.state.rules;
        let shifts = match turn.map_before {
            Some(before) => Some(shifts::shifts(&turn.terrain.repo, before, turn.map, rules)?),
            None => None,
        };
        let mut view = RepoView {
            shifts,
            globs: standing::globs(&wishes, turn),
            files,
            used,
            wish_tokens: balance::wish_tokens(turn, &wishes)?,
            fillers,
            left_free: LeftFree::of(turn),
            nouns: turn.terrain.nouns(),
            budget: turn.map.budget,
            free: turn.map.budget.saturating_sub(turn.map.tokens),
            excerpt: None,
            map: turn.map.text.clone(),
            map_tokens: turn.map.tokens,
        };
        let lists = count(&view.list_text()) + count(&view.shifts_text(&turn.state.boundary));
        let share = tokens.saturating_sub(lists).max(LEAST_EXCERPT);
        if turn.map.tokens > share {
            view.cut(turn, share)?;
        }
        Ok(view)
    }

    /// Formats the list of files, and lines about the whole context.
    pub fn list_text(&self) -> String {
        let place = self.nouns.place;
        let mut out: String = self.files.iter().map(|file| file.text(self.nouns)).collect();
        if !self.used.is_empty() {
            let one = |(path, item, full): &UsedDefinition| format!("{path}#{item} {full}");
            let used: Vec<String> = self.used.iter().map(one).collect();
            let _ = writeln!(out, "Used by what is in full: {}", used.join(", "));
        }
        if let Some(tokens) = self.wish_tokens {
            let _ = writeln!(out, "Your wishes cost {tokens} of {} tokens.", self.budget);
        }
        out += &self.fillers.text(self.wish_tokens.is_some(), place);
        out + &self.left_free.as_ref().map(|left| left.text(place)).unwrap_or_default()
    }

    /// Formats the differences from the turn before, between lines with the boundary; empty in the
    /// first turn.
    pub fn shifts_text(&self, boundary: &str) -> String {
        let Some(shifts) = &self.shifts else { return String::new() };
        let lines = shifts_text::text(shifts, self.free, self.nouns);
        if lines.is_empty() {
            return "The context did not change since your last answer.\n\n".to_owned();
        }
        format!("What changed since your last answer:\n{boundary}\n{lines}{boundary}\n\n")
    }

    /// Replaces the map by an excerpt of at most about `tokens`.
    fn cut(&mut self, turn: &mut Turn<'_, Repository>, tokens: u32) -> repo_map::Result<()> {
        let changed = self.changed();
        let drawn = turn.terrain.drawn.before(turn.step);
        let attention = Attention { changed: &changed, drawn: &drawn };
        let order = self.order(turn);
        let repo = &turn.terrain.repo;
        let Cut { files, for_folders } = choose(repo, turn.map, &order, &attention, tokens)?;
        (self.map, self.map_tokens) = excerpt::excerpt(repo, turn.map, &files, for_folders)?;
        turn.terrain.drawn.add(turn.step, &files);
        self.excerpt = Some(files);
        Ok(())
    }

    /// Returns what rose since the turn before, by file and item.
    fn changed(&self) -> BTreeSet<(String, String)> {
        let mut changed = BTreeSet::new();
        for shift in self.shifts.iter().flatten() {
            let rose = shift.items.iter().filter(|(_, item)| item.cause == ShiftCause::RoseAsAsked);
            changed.extend(rose.map(|(item, _)| (shift.path.clone(), item.clone())));
            if shift.items.is_empty() && shift.cause == ShiftCause::RoseAsAsked {
                changed.insert((shift.path.clone(), String::new()));
            }
        }
        changed
    }

    /// Returns the files of the context in the order in which they matter: changed ones, listed
    /// ones, others. From the second turn on the others are fillers.
    fn order<'t>(&self, turn: &'t Turn<'_, Repository>) -> Vec<Excerptible<'t>> {
        let shifted: BTreeSet<&str> = self
            .shifts
            .iter()
            .flatten()
            .filter(|shift| shift.cause.is_about_wish())
            .map(|shift| shift.path.as_str())
            .collect();
        let listed: BTreeSet<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        let fillers: BTreeSet<&str> =
            self.fillers.files.iter().map(|(path, _)| path.as_str()).collect();
        let ranks: BTreeMap<&str, usize> = turn
            .candidates
            .iter()
            .enumerate()
            .map(|(at, candidate)| (candidate.name.as_str(), at))
            .collect();
        let map: &'t RepoMap = turn.map;
        let shown = map.files.iter().filter(|file| file.level >= Level::Path);
        let mut order: Vec<_> = shown
            .map(|file| {
                let path = file.path.as_str();
                let is_filler = self.shifts.is_some() && fillers.contains(path);
                let rank = ranks.get(path).copied().unwrap_or(usize::MAX);
                let key = (is_filler, !shifted.contains(path), !listed.contains(path), rank);
                (key, Excerptible { path, is_filler })
            })
            .collect();
        order.sort_by_key(|(key, _)| *key);
        order.into_iter().map(|(_, file)| file).collect()
    }
}

/// The bodies that views drew, each with its first turn. The item is empty for a whole file.
#[derive(Debug, Default)]
pub(super) struct DrawnBodies(BTreeMap<(String, String), u32>);

impl DrawnBodies {
    fn before(&self, turn: u32) -> BTreeSet<(String, String)> {
        let earlier = self.0.iter().filter(|(_, first)| **first < turn);
        earlier.map(|(body, _)| body.clone()).collect()
    }

    /// Adds what the view of a turn draws; an earlier attempt at that turn's view does not count.
    fn add(&mut self, turn: u32, files: &BTreeMap<String, ExcerptOf>) {
        self.0.retain(|_, first| *first < turn);
        for (path, cut) in files {
            let items: Vec<String> = match cut {
                ExcerptOf::Line => continue,
                ExcerptOf::Items(bodies) => bodies.iter().cloned().collect(),
                ExcerptOf::Whole => vec![String::new()],
            };
            for item in items {
                self.0.entry((path.clone(), item)).or_insert(turn);
            }
        }
    }
}

/// Returns the view of a turn in the form of a request.
///
/// # Errors
/// If the map of the turn is of another tree.
pub(super) fn view(turn: &mut Turn<'_, Repository>, tokens: u32) -> repo_map::Result<View> {
    let view = RepoView::of(turn, tokens)?;
    let (list, changed) = (view.list_text(), view.shifts_text(&turn.state.boundary));
    let tokenizer = Tokenizer::default();
    let tokens = view.map_tokens + tokenizer.count(&list) + tokenizer.count(&changed);
    Ok(View {
        changed: changed.into(),
        cut_to: view.excerpt.as_ref().map(|_| view.map_tokens),
        map: view.map,
        prices: list.into(),
        more: Sanitized::default(),
        asked: view.globs.iter().map(|glob| glob.text(view.nouns.place)).collect(),
        tokens,
    })
}
