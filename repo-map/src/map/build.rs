//! Rules in, map out: what is asked of each file, its prices, the fit, the text, the report.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::error::Result;
use crate::fit::folders::Low;
use crate::fit::{self, Candidate, Shortage, Shown};
use crate::level::{Level, LevelRange};
use crate::map::compose::{self, Canvas, Rendered, Selection};
use crate::map::effective::{EffectiveRule, RuleLayers};
use crate::map::flown;
use crate::map::items::{differing_items, level_of, pinned};
use crate::map::repo::Repo;
use crate::map::{Conflict, FileReport, Lack, PartKind, RepoMap, RuleOrigin};
use crate::plan::RuleSet;
use crate::render::{self, NO_OUTLINE};
use crate::score::judge::N_PRICED;
use crate::source::scan::Mark;

impl Repo {
    /// The map that these rules and the plan's budget give.
    ///
    /// # Errors
    /// When a glob does not compile.
    pub fn map(&mut self, layers: RuleLayers<'_>) -> Result<RepoMap> {
        self.map_within(layers, self.plan.context.tokens)
    }

    /// The same for another budget: how a view is made smaller than the map.
    ///
    /// # Errors
    /// When a glob does not compile.
    pub fn map_within(&mut self, layers: RuleLayers<'_>, tokens: u32) -> Result<RepoMap> {
        let person = RuleSet::new(layers.person)?;
        let pilot = RuleSet::new(layers.pilot)?;
        let without_rules = layers.person.is_empty() && layers.pilot.is_empty();
        let asks: Vec<EffectiveRule> = self
            .tree
            .files
            .par_iter()
            .map(|file| {
                EffectiveRule::of(
                    person.verdict(&file.path),
                    pilot.verdict(&file.path),
                    without_rules,
                )
            })
            .collect();
        let due: Vec<usize> = (0..asks.len())
            .filter(|file| {
                asks[*file].range.floor >= Level::Outline || !asks[*file].items.is_empty()
            })
            .collect();
        let allowed = |file: usize| asks[file].range.ceiling >= Level::Outline;
        let promising = self.most_promising(&self.worth.files, N_PRICED, tokens, allowed);
        self.price(&due);
        self.price(&promising);
        // What an earlier call priced must not change this one.
        let seen: BTreeSet<usize> = due.into_iter().chain(promising).collect();

        let candidates: Vec<Candidate<'_>> = asks
            .iter()
            .enumerate()
            .map(|(file, ask)| self.candidate(file, ask, seen.contains(&file)))
            .collect();
        let marks: Vec<Option<&'static str>> =
            candidates.iter().map(|candidate| candidate.mark).collect();
        let style = self.style();
        let footer = |shown: &[Shown]| {
            let was = self.demoted(shown, &asks);
            style.tokenizer.count(&render::footer(
                &compose::footer_lines(&self.tree, shown, &was, tokens),
                style,
            ))
        };
        let problem = fit::FitProblem {
            tree: &self.tree,
            folders: &self.folders,
            candidates,
            tokens,
            style,
            body_value: if self.goal.is_empty() { 0.3 } else { 1.0 },
            footer: &footer,
        };
        let fitted = fit::fit(&problem);
        let was = self.demoted(&fitted.shown, &asks);
        let selection = Selection { shown: fitted.shown, marks, was };
        let rendered = compose::draw(self.canvas(), &selection, tokens);
        let conflict = self.conflict(&rendered, fitted.shortage, &asks, tokens);
        Ok(self.report(rendered, fitted.value, conflict, &asks, tokens))
    }

    fn canvas(&self) -> Canvas<'_> {
        let Repo { tree, folders, languages, entries, .. } = self;
        Canvas { tree, folders, languages, entries, style: self.style(), gate: self.gate() }
    }

    fn candidate<'s>(&'s self, file: usize, ask: &EffectiveRule, is_seen: bool) -> Candidate<'s> {
        let entry = self.entries.get(&file).filter(|_| is_seen);
        let mark = entry.map_or(self.facts[file].mark, |entry| entry.depth.mark);
        let mut range = ask.range;
        let mut said = mark.map(Mark::as_str);
        match mark {
            Some(mark) if !mark.has_text() => {
                range = range.within(LevelRange { floor: Level::Exclude, ceiling: Level::Path })
            }
            // Generated and minified files are shown in depth only where a rule insists.
            Some(_) if range.floor <= Level::Path => range.ceiling = range.ceiling.min(Level::Path),
            Some(_) | None => {}
        }
        let has_outline = entry.is_some_and(|entry| !entry.depth.outline.items.is_empty());
        if !has_outline && matches!(range.floor, Level::Outline | Level::Interface) {
            range.floor = Level::Path;
            said = said.or(Some(NO_OUTLINE));
        }
        if !has_outline && matches!(range.ceiling, Level::Outline | Level::Interface) {
            range.ceiling = Level::Path;
            said = said.or((ask.is_explicit && entry.is_some()).then_some(NO_OUTLINE));
        }
        let mut pinned = match entry {
            Some(entry) => pinned(&entry.depth.outline, &ask.items),
            None => Vec::new(),
        };
        if range.floor == Level::Full {
            // The whole file has them in full.
            pinned.retain(|(_, level)| *level != Level::Full);
        }
        Candidate {
            floor: range.floor,
            ceiling: range.ceiling,
            is_due: matches!(ask.rule, Some(RuleOrigin::Person(_))) || ask.is_bounded,
            worth: self.worth.files[file].score,
            mark: said,
            entry,
            item_worth: self.worth.items.get(&file).map(Vec::as_slice),
            pinned,
        }
    }

    /// For each file shown below what a rule asked for, that level.
    fn demoted(&self, shown: &[Shown], asks: &[EffectiveRule]) -> Vec<Option<Level>> {
        shown
            .iter()
            .zip(asks)
            .enumerate()
            .map(|(file, (shown, ask))| {
                let outline = self.entries.get(&file).map(|entry| &entry.depth.outline);
                let level = level_of(shown, outline, ask.range.floor);
                let wanted = ask.wanted()?;
                let reachable = match self.facts[file].mark {
                    Some(mark) if !mark.has_text() || ask.range.floor <= Level::Path => {
                        wanted.min(Level::Path)
                    }
                    _ if matches!(wanted, Level::Outline | Level::Interface)
                        && outline.is_some_and(|outline| outline.items.is_empty()) =>
                    {
                        Level::Path
                    }
                    _ => wanted,
                };
                (level < reachable).then_some(wanted)
            })
            .collect()
    }

    fn conflict(
        &self,
        rendered: &Rendered,
        shortage: Option<Shortage>,
        asks: &[EffectiveRule],
        tokens: u32,
    ) -> Option<Conflict> {
        if let Some(shortage) = shortage {
            let below: Vec<String> = shortage
                .below_floor
                .iter()
                .map(|file| self.tree.files[*file].path.clone())
                .collect();
            let dearest = shortage.dearest.map(|(file, cost)| {
                (self.tree.files[file].path.clone(), asks[file].range.floor, cost)
            });
            return Some(Conflict::new(Lack::Floors { dearest }, tokens, shortage.needed, below));
        }
        let has_body = rendered
            .parts
            .iter()
            .any(|part| !matches!(part.kind, PartKind::Header | PartKind::Footer));
        if has_body {
            return None;
        }
        Some(Conflict::new(Lack::Line, tokens, self.least_line(asks)?, Vec::new()))
    }

    /// The price of the cheapest line that the rules allow; `None` when they allow none.
    fn least_line(&self, asks: &[EffectiveRule]) -> Option<u32> {
        let style = self.style();
        let may = |file: &usize, level: Level| asks[*file].range.ceiling >= level;
        let paths = (0..asks.len()).filter(|file| may(file, Level::Path)).map(|file| {
            style.tokenizer.count(&render::path_line(&self.tree.files[file].path, None, style))
        });
        let low: Vec<Low> = (0..asks.len())
            .map(|file| if may(&file, Level::Fold) { Low::Fold } else { Low::Exclude })
            .collect();
        let folds = self.folders.lines(&low).into_iter().map(|line| {
            style.tokenizer.count(&fit::fold_text(&self.tree, &self.folders, line, &low, style))
        });
        paths.chain(folds).min()
    }

    fn report(
        &self,
        rendered: Rendered,
        value: u64,
        conflict: Option<Conflict>,
        asks: &[EffectiveRule],
        budget: u32,
    ) -> RepoMap {
        let Rendered { text, parts, tokens, selection, digests, n_masked, n_invisible, mut spans } =
            rendered;
        let mut sizes: BTreeMap<&str, u32> = BTreeMap::new();
        for part in parts.iter().filter(|part| part.kind == PartKind::File) {
            sizes.insert(&part.path, part.tokens);
        }
        let files: Vec<FileReport> = self
            .tree
            .files
            .iter()
            .enumerate()
            .map(|(at, file)| {
                let outline = self.entries.get(&at).map(|entry| &entry.depth.outline);
                let shown = &selection.shown[at];
                let level = level_of(shown, outline, asks[at].range.floor);
                let items = match (shown, outline) {
                    (Shown::Items(choice), Some(outline)) => {
                        differing_items(outline, choice, level)
                    }
                    _ => Vec::new(),
                };
                FileReport {
                    path: file.path.clone(),
                    level,
                    was: selection.was[at],
                    items,
                    spans: spans.remove(&at).unwrap_or_default(),
                    tokens: sizes.get(file.path.as_str()).copied().unwrap_or(0),
                    worth: self.worth.files[at].score,
                    rule: asks[at].rule,
                    bound: asks[at].bound,
                    mark: selection.marks[at],
                }
            })
            .collect();
        let flown = flown::plan_of(self, &files, &digests, &text, tokens, budget);
        RepoMap {
            text,
            tokens,
            budget,
            parts,
            files,
            conflict,
            value,
            n_masked,
            n_invisible,
            flown,
        }
    }
}
