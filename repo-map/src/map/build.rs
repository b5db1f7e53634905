//! Builds a map from rules: the effective rule of each file, prices, the fit, the text, the report.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::error::Result;
use crate::fit::{self, FitCandidate, Fitted, Shown, Valuation};
use crate::level::{Level, LevelRange};
use crate::map::compose::{self, Canvas, Rendered, Selection};
use crate::map::corpus::Corpus;
use crate::map::effective::{EffectiveRule, RuleLayers};
use crate::map::entries::Entries;
use crate::map::exact::{held_at, shown_exactly, shows_items};
use crate::map::fill::{FillLimit, MapBudget};
use crate::map::flown;
use crate::map::items::{as_shown, differing_items, level_of, open_around_named, pinned};
use crate::map::requests::Requests;
use crate::map::surveyed::Surveyed;
use crate::map::{Conflict, FileReport, PartKind, RepoMap, RuleOrigin};
use crate::plan::{Fill, Rule, RuleSet, Verdict};
use crate::render::{self, NO_OUTLINE};
use crate::score::index::IndexEntry;
use crate::score::judge::{N_PRICED, TreeScores};
use crate::source::location::DocumentKind;
use crate::source::scan::{FileEntry, Mark, Tree};

/// The factor for the value of a body with a goal: at 1 signatures of further items displace the
/// bodies of the best ones. Of 192 development issues, 1.5 with the fourth power of the worth gives
/// two points more of the functions whole at 4 000 tokens, and as many at 8 000.
const BODY: f64 = 1.5;
/// The same for pages, whose answer stands in one section. Together with the eighth power of the
/// worth, 4 000 tokens show that section in full for 26.5 % of 223 questions on one manual and
/// 23.3 % of 30 on another (22.0 and 20.0 % with 1.5 and the fourth).
const BODY_OF_PAGE: f64 = 4.0;
/// The factor for the value of a body in an overview without a goal.
const BODY_OF_OVERVIEW: f64 = 0.1;

/// The inputs of a map besides rules and a budget.
#[derive(Clone, Copy)]
pub(crate) struct MapInput<'a> {
    pub(crate) surveyed: &'a Surveyed,
    pub(crate) entries: &'a Entries,
    pub(crate) scores: &'a TreeScores,
}

/// Makes the map for rules and a budget. Where much of that stays free, a second one shows weaker
/// files too.
///
/// # Errors
/// If a glob does not compile.
pub(crate) fn map(
    input: MapInput<'_>,
    layers: RuleLayers<'_>,
    budget: MapBudget,
) -> Result<RepoMap> {
    let MapInput { surveyed, scores, .. } = input;
    let tree = &surveyed.corpus.tree;
    let rules = effective_rules(tree, layers)?;
    let before = rules_before_lowerings(tree, layers)?;
    let before = before.as_deref().unwrap_or(&rules);
    let asked: Vec<bool> = rules.iter().map(EffectiveRule::asks_for_text).collect();
    let limit = FillLimit::of(surveyed, scores, &asked, before, budget.fill);
    let near = Fitting::of(input, rules, limit, budget);
    let map = near.map();
    Ok(match limit.where_free(map.tokens, budget.tokens) {
        Some(wider) => Fitting::of(input, near.rules, wider, budget).map(),
        None => map,
    })
}

/// Makes the map in which nothing rises above what an earlier map shows unless a rule asks for it;
/// `shown` are the exact rules of that map. Without one the plan says what is filled in.
///
/// # Errors
/// If a glob does not compile.
pub(crate) fn map_held(
    input: MapInput<'_>,
    layers: RuleLayers<'_>,
    tokens: u32,
    shown: Option<&[Rule]>,
) -> Result<RepoMap> {
    let MapInput { surveyed, scores, .. } = input;
    let Corpus { tree, plan, .. } = &*surveyed.corpus;
    let budget = MapBudget { tokens, fill: Fill::None };
    let rules = effective_rules(tree, layers)?;
    let before = rules_before_lowerings(tree, layers)?;
    let before = before.as_deref().unwrap_or(&rules);
    // What a pilot asks for is no reason to leave the rest out, whatever the plan fills in.
    let of_person = effective_rules(tree, RuleLayers { pilot: &[], ..layers })?;
    let asked: Vec<bool> = of_person.iter().map(EffectiveRule::asks_for_text).collect();
    let limit = FillLimit::of(surveyed, scores, &asked, before, plan.context.fill);
    let fitting = Fitting::of(input, rules, limit, budget);
    match shown {
        Some(shown) => Ok(fitting.held(shown)?.map()),
        None => Ok(fitting.map()),
    }
}

/// Returns the effective rules as they were before the pilot lowered anything; `None` if it lowered
/// nothing.
fn rules_before_lowerings(
    tree: &Tree,
    layers: RuleLayers<'_>,
) -> Result<Option<Vec<EffectiveRule>>> {
    let before = layers.before_lowerings(tree);
    before.map(|pilot| effective_rules(tree, RuleLayers { pilot: &pilot, ..layers })).transpose()
}

fn effective_rules(tree: &Tree, layers: RuleLayers<'_>) -> Result<Vec<EffectiveRule>> {
    let (person, pilot) = (RuleSet::new(layers.person)?, RuleSet::new(layers.pilot)?);
    let without_rules = layers.person.is_empty() && layers.pilot.is_empty();
    let one = |file: &FileEntry| {
        let (person, pilot) = (person.verdict(&file.path), pilot.verdict(&file.path));
        EffectiveRule::of(person, pilot, without_rules)
    };
    Ok(tree.files.par_iter().map(one).collect())
}

/// Returns the files that need a price: those that rules raise above their path, and the most
/// promising.
fn in_map(
    input: MapInput<'_>,
    rules: &[EffectiveRule],
    limit: &FillLimit<'_>,
    tokens: u32,
) -> Vec<usize> {
    let is_due =
        |rule: &EffectiveRule| rule.range.floor >= Level::Outline || !rule.items.is_empty();
    let allowed = |file: usize| limit.range(file, &rules[file]).ceiling >= Level::Outline;
    let due = (0..rules.len()).filter(|file| is_due(&rules[*file]));
    due.chain(input.surveyed.most_promising(&input.scores.files, N_PRICED, tokens, allowed))
        .collect()
}

/// A map being built: the effective rule of each file of a tree, and its entry.
struct Fitting<'a> {
    input: MapInput<'a>,
    rules: Vec<EffectiveRule>,
    limit: FillLimit<'a>,
    budget: MapBudget,
    /// The files that were priced for this map. Prices from other maps must not change it.
    seen: BTreeSet<usize>,
    /// The index entry of each file that has one.
    entries: Vec<Option<&'a IndexEntry>>,
    /// What the map may show at most of each file, if it follows another map.
    held: Option<Vec<Shown>>,
}

impl<'a> Fitting<'a> {
    fn of(
        input: MapInput<'a>,
        rules: Vec<EffectiveRule>,
        limit: FillLimit<'a>,
        budget: MapBudget,
    ) -> Fitting<'a> {
        let wanted = in_map(input, &rules, &limit, budget.tokens);
        input.entries.price(&wanted, &input.surveyed.corpus);
        let (seen, entries) = (wanted.into_iter().collect(), input.entries.now());
        Fitting { input, rules, limit, budget, seen, entries, held: None }
    }

    /// Follows the map that these exact rules rebuild.
    fn held(mut self, shown: &[Rule]) -> Result<Fitting<'a>> {
        let (corpus, rules) = (self.corpus(), RuleSet::new(shown)?);
        let verdicts: Vec<Verdict<'_>> =
            corpus.tree.files.iter().map(|file| rules.verdict(&file.path)).collect();
        let with_items: Vec<usize> =
            (0..verdicts.len()).filter(|file| shows_items(&verdicts[*file])).collect();
        self.input.entries.price(&with_items, corpus);
        self.seen.extend(with_items);
        self.entries = self.input.entries.now();
        let of_file = |(file, verdict): (usize, &Verdict<'_>)| {
            shown_exactly(verdict, || {
                let entry = self.entries[file].expect("a file that was priced has an entry");
                Cow::Borrowed(&entry.depth.outline)
            })
        };
        self.held = Some(verdicts.iter().enumerate().map(of_file).collect());
        Ok(self)
    }

    fn candidates(&self) -> Vec<FitCandidate<'a>> {
        self.rules.iter().enumerate().map(|(file, rule)| self.candidate(file, rule)).collect()
    }

    fn fit(&self, candidates: Vec<FitCandidate<'_>>) -> Fitted {
        let Corpus { tree, folders, .. } = self.corpus();
        let style = self.corpus().style();
        let footer = |shown: &[Shown]| {
            let lines = compose::footer_lines(
                tree,
                shown,
                &self.requests().demoted(shown),
                self.budget.tokens,
            );
            style.tokenizer.count(&render::footer(&lines, style))
        };
        fit::fit(&fit::FitProblem {
            tree,
            folders,
            candidates,
            tokens: self.budget.tokens,
            style,
            valuation: self.valuation(),
            footer: &footer,
        })
    }

    fn map(&self) -> RepoMap {
        let candidates = self.candidates();
        let marks: Vec<Option<&'static str>> =
            candidates.iter().map(|candidate| candidate.mark).collect();
        let fitted = self.fit(candidates);
        let requested = self.requests().demoted(&fitted.shown);
        let selection = Selection { shown: fitted.shown, marks, requested };
        let rendered = compose::draw(self.canvas(), selection, self.budget.tokens);
        let conflict = self.requests().conflict(&rendered, fitted.shortage, self.budget.tokens);
        self.report(rendered, fitted.value, conflict)
    }

    fn requests(&self) -> Requests<'_> {
        Requests {
            surveyed: self.input.surveyed,
            rules: &self.rules,
            limit: &self.limit,
            entries: &self.entries,
        }
    }

    fn valuation(&self) -> Valuation {
        let has_evidence = !self.input.surveyed.goal.is_empty() && self.input.scores.has_evidence;
        let kind = self.corpus().tree.kind();
        let body = match kind {
            _ if self.input.surveyed.goal.is_empty() => BODY_OF_OVERVIEW,
            _ if !has_evidence => 1.0,
            DocumentKind::File => BODY,
            DocumentKind::Page => BODY_OF_PAGE,
        };
        Valuation { body, has_evidence, kind }
    }

    fn corpus(&self) -> &'a Corpus {
        &self.input.surveyed.corpus
    }

    fn canvas(&self) -> Canvas<'_> {
        let corpus = self.corpus();
        let Corpus { tree, folders, languages, .. } = corpus;
        let (style, gate) = (corpus.style(), corpus.gate());
        Canvas { tree, folders, languages, entries: &self.entries, style, gate }
    }

    fn candidate(&self, file: usize, rule: &EffectiveRule) -> FitCandidate<'a> {
        let entry = self.entries[file].filter(|_| self.seen.contains(&file));
        let mark = entry.map_or(self.input.surveyed.facts[file].mark, |entry| entry.depth.mark);
        let mut range = match self.held {
            Some(_) => rule.range,
            None => self.limit.range(file, rule),
        };
        let mut said = mark.map(Mark::as_str);
        match mark {
            Some(mark) if !mark.has_text() => {
                range = range.within(LevelRange { floor: Level::Exclude, ceiling: Level::Path })
            }
            // Generated and minified files rise above their path only if a rule demands it.
            Some(_) if range.floor <= Level::Path => range.ceiling = range.ceiling.min(Level::Path),
            Some(_) | None => {}
        }
        let has_outline = entry.is_some_and(|entry| !entry.depth.outline.items.is_empty());
        if !has_outline && range.floor.needs_outline() {
            range.floor = Level::Path;
            said = said.or(Some(NO_OUTLINE));
        }
        if !has_outline && range.ceiling.needs_outline() {
            range.ceiling = Level::Path;
            said = said.or((rule.is_explicit && entry.is_some()).then_some(NO_OUTLINE));
        }
        let mut pinned = match entry {
            Some(entry) => {
                let outline = &entry.depth.outline;
                open_around_named(outline, pinned(outline, &rule.items))
            }
            None => Vec::new(),
        };
        if range.floor == Level::Full {
            // Items in full are already part of the whole file.
            pinned.retain(|(_, level)| *level != Level::Full);
        }
        let tree = &self.corpus().tree;
        let candidate = FitCandidate {
            floor: range.floor,
            ceiling: range.ceiling,
            is_due: matches!(rule.rule, Some(RuleOrigin::Person(_))) || rule.is_bounded,
            worth: self.input.scores.files[file].score,
            is_named: self.input.scores.files[file].is_named(),
            is_start: self.input.surveyed.goal.is_empty() && tree.is_start(&tree.files[file].path),
            mark: said,
            entry,
            item_worth: entry
                .and_then(|entry| self.input.entries.item_worth(self.input.scores, file, entry)),
            least_item: self.limit.least_item(file, rule),
            needs_body: self.limit.needs_body(file, rule, entry.map(|one| &one.depth.outline)),
            needs_items: self.limit.needs_items(file) && range.floor < Level::Path,
            pinned,
            most: None,
        };
        match &self.held {
            Some(held) => held_at(candidate, &held[file]),
            None => candidate,
        }
    }

    /// Returns the number of items with evidence that are too weak to be shown, in a file of which
    /// something is.
    fn n_weak_items(&self, file: usize, shown: &Shown) -> usize {
        let Shown::Items(choice) = shown else { return 0 };
        let Some(entry) = self.entries[file] else { return 0 };
        let needs = self.limit.least_item(file, &self.rules[file]);
        let levels = as_shown(&entry.depth.outline, choice.items.clone());
        let worths = self.input.entries.item_worth(self.input.scores, file, entry);
        let is_weak = |(worth, level): &(&u32, Level)| {
            **worth > 0 && **worth < needs && *level < Level::Outline
        };
        worths.into_iter().flatten().zip(levels).filter(is_weak).count()
    }

    fn report(&self, rendered: Rendered, value: u64, conflict: Option<Conflict>) -> RepoMap {
        let files = self.file_reports(&rendered);
        let corpus = self.corpus();
        RepoMap {
            flown: flown::plan_of(corpus, &files, &rendered, self.budget),
            text: rendered.text,
            tokens: rendered.tokens,
            budget: self.budget.tokens,
            parts: rendered.parts,
            files,
            conflict,
            value,
            n_masked: rendered.n_masked,
            n_invisible: rendered.n_invisible,
            tree_digest: corpus.tree_facts().digest.clone(),
            kind: corpus.tree.kind(),
        }
    }

    fn file_reports(&self, rendered: &Rendered) -> Vec<FileReport> {
        let blocks = rendered.parts.iter().filter(|part| part.kind == PartKind::File);
        let sizes: BTreeMap<&str, u32> =
            blocks.map(|part| (part.path.as_str(), part.tokens)).collect();
        let report = |(at, file): (usize, &FileEntry)| {
            let entry = self.entries[at];
            let (outline, rule) = (entry.map(|entry| &entry.depth.outline), &self.rules[at]);
            let shown = &rendered.selection.shown[at];
            let level = level_of(shown, outline, rule.range.floor);
            let items = match (shown, outline) {
                (Shown::Items(choice), Some(outline)) => differing_items(outline, choice, level),
                _ => Vec::new(),
            };
            FileReport {
                path: file.path.clone(),
                level,
                requested: rendered.selection.requested[at],
                items,
                lacking: self.requests().lacking(at, shown),
                spans: rendered.spans.get(&at).cloned().unwrap_or_default(),
                tokens: sizes.get(file.path.as_str()).copied().unwrap_or(0),
                worth: self.input.scores.files[at].score,
                has_evidence: self.input.scores.files[at].has_evidence(),
                needs: self.limit.needs(at, rule),
                needs_body: self.limit.needs_body(at, rule, outline),
                item_needs: self.limit.least_item(at, rule),
                n_weak_items: self.n_weak_items(at, shown),
                rule: rule.rule,
                bound: rule.bound,
                mark: rendered.selection.marks[at],
            }
        };
        self.corpus().tree.files.iter().enumerate().map(report).collect()
    }
}
