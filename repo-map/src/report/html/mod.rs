//! A map as one page that a browser opens from disk: shown and omitted files, scores, and the steps
//! that led to the map.
//!
//! The page is a function of a document, and the document a function of the repository, the map and
//! the caller's input: the same inputs give the same bytes. Text of the repository is only in the
//! document, as JSON that cannot end its element; the page's script displays it as text. Each part
//! of the document has a maximum size, and so has the page.

mod json_budget;
mod left_out;
mod page_input;
mod page_source;
mod shell;
mod sizes;
mod steps;
mod texts;
mod tree;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use crate::error::Result;
use crate::fit::folders::Folders;
use crate::level::Level;
use crate::map::corpus::Corpus;
use crate::map::effective::RuleLayers;
use crate::map::flown::TOOL;
use crate::map::judged::Judged;
use crate::map::replay::{ReplayOutcome, ReplayReport};
use crate::map::{FileReport, RepoMap, RuleOrigin};
use crate::plan::{FlightPlan, Format, Rule, RuleSet};
use crate::score::judge::{FileScore, Signal};
use crate::score::role::Role;
use crate::text::sanitize::Sanitized;
use json_budget::{
    LIST_BYTES, LONGEST, Object, RANKING_BYTES, RULES_BYTES, TEXTS_BYTES, TREE_BYTES, cut,
};
use page_source::PageSource;
use sizes::Size;
use tree::Leaf;

pub use json_budget::MAX_PAGE_BYTES;
pub use page_input::{Amount, PageInput, PageTurn};

/// Makes the page of a map. `layers` are those of the map: the page contains no text above the
/// level that the person's rules allow.
///
/// # Errors
/// If the map is of another tree, or a glob does not compile.
pub fn page(
    judged: &Judged,
    map: &RepoMap,
    layers: RuleLayers<'_>,
    told: &PageInput,
) -> Result<Sanitized> {
    judged.check_map(map)?;
    let Corpus { plan, tree, folders, languages, .. } = judged.corpus();
    let judge = judged.judge();
    let score = |(file, score)| (score, judge.factor_by(file, score));
    let source = PageSource {
        plan,
        tree,
        folders: Cow::Borrowed(folders),
        files: Cow::Borrowed(&map.files),
        worth: Some(judged.scores.files.iter().enumerate().map(score).collect()),
        roles: judged.facts().iter().map(|facts| facts.role().as_str()).collect(),
        languages,
        entries: judged.entries.now(),
        text: &map.text,
        tokens: map.tokens,
        n_masked: Some(map.n_masked),
        conflict: map.conflict.as_ref(),
        problems: judged.problems(),
        layers,
    };
    source.page(told)
}

/// Makes the page of a replayed map; `None` if the map is not identical.
///
/// # Errors
/// If a glob of the plan does not compile.
pub fn page_of_replay(replayed: &ReplayReport<'_>, told: &PageInput) -> Result<Option<Sanitized>> {
    let ReplayReport { outcome, plan, rebuilt } = replayed;
    let (ReplayOutcome::Identical { text, tokens }, Some(rebuilt)) = (outcome, rebuilt) else {
        return Ok(None);
    };
    let source = PageSource {
        plan,
        folders: Cow::Owned(Folders::of(&rebuilt.tree)),
        files: Cow::Owned(rebuilt.files(plan)?),
        tree: &rebuilt.tree,
        worth: None,
        roles: Vec::new(),
        languages: &rebuilt.languages,
        entries: Vec::new(),
        text,
        tokens: *tokens,
        n_masked: None,
        conflict: None,
        problems: rebuilt.tree.problems.clone(),
        layers: RuleLayers { person: &plan.rules, pilot: &[] },
    };
    source.page(told).map(Some)
}

/// Makes a page of another document in the style of a map's page. `markup` has the marks
/// `@POLICY@`, `@STYLE@`, `@DOCUMENT@` and `@SCRIPT@` in this order; the script finds the document
/// in `doc`.
#[doc(hidden)]
pub fn page_of(markup: &str, style: &str, script: &str, document: &impl Serialize) -> Sanitized {
    let document = json_budget::json(document);
    Sanitized::made_of_documents(shell::other(markup, style, script, &document))
}

impl PageSource<'_> {
    fn page(&self, told: &PageInput) -> Result<Sanitized> {
        let order = self.order();
        let bounds = RuleSet::new(self.layers.person)?;
        let ceiling = |file: usize| {
            bounds
                .verdict(&self.tree.files[file].path)
                .level
                .map_or(Level::Full, |range| range.ceiling)
        };
        let details = texts::details(self, &order, ceiling);
        let sizes = sizes::sizes(self, &order, &details);
        let columns = tree::columns(&self.folders, &self.leaves(&sizes), TREE_BYTES);
        let place = |file: usize| columns.places.get(file).copied().flatten();

        let mut document = Object::new();
        self.put_head(&mut document, told);
        document.put_json("tree", &columns.json);
        document.put("textless", &sizes::textless(&sizes));
        self.put_rules(&mut document);
        if let Some(worth) = &self.worth {
            put_ranking(&mut document, worth, &self.roles, &order, &place);
        }
        steps::put(&mut document, told, &place);
        left_out::put(&mut document, self, &details, &place);
        let room = MAX_PAGE_BYTES.saturating_sub(shell::bytes() + document.len()).min(TEXTS_BYTES);
        texts::put(&mut document, self.text, &details, &place, room);
        Ok(Sanitized::made_of_documents(shell::filled(&document.done())))
    }

    fn leaves(&self, sizes: &[Size]) -> Vec<Leaf<'_>> {
        let leaf = |((at, report), size): ((usize, &FileReport), &Size)| Leaf {
            path: &self.tree.files[at].path,
            level: report.level,
            size: size.tokens,
            is_exact: size.is_exact,
            // Data is drawn only if the user asks for it, or the map shows it.
            is_data: report.level <= Level::Path
                && report.items.is_empty()
                && Role::of(&report.path) == Role::Data,
            tokens: report.tokens,
            rule: report.rule.map(|origin| self.rule_position(origin)),
            mark: report.mark,
            priority: (
                report.level >= Level::Path,
                self.worth.as_ref().map_or(0, |worth| worth[at].0.score),
                size.tokens,
            ),
        };
        self.files.iter().enumerate().zip(sizes).map(leaf).collect()
    }

    fn rule_position(&self, origin: RuleOrigin) -> usize {
        match origin {
            RuleOrigin::Person(at) => at,
            RuleOrigin::Pilot(at) => self.layers.person.len() + at,
        }
    }

    fn put_head(&self, document: &mut Object, told: &PageInput) {
        let context = &self.plan.context;
        document.put("tool", &TOOL);
        document.put("command", &cut(&told.command, LONGEST));
        document.put("goal", &self.plan.goal.as_deref().map(|goal| cut(goal, LONGEST)));
        document.put("tokens", &self.tokens);
        document.put("budget", &context.tokens);
        document.put("tokenizer", &context.tokenizer.as_str());
        document.put("flags", &self.flags());
        document.put("levels", &Level::ALL.map(Level::as_str));
        let kind = self.tree.kind();
        let nouns = [("world", kind.world()), ("place", kind.noun()), ("part", kind.part())];
        document.put("nouns", &BTreeMap::from(nouns));
        document.put("n_files", &self.tree.files.len());
        document.put_rows(
            "facts",
            told.facts.iter().map(|(name, what)| (cut(name, LONGEST), cut(what, LONGEST))),
            LIST_BYTES,
        );
        document.put_rows("notes", told.notes.iter().map(|note| cut(note, LONGEST)), LIST_BYTES);
    }

    /// Returns the flags with which `repo-map` counts and shows a file in the same way as this
    /// page.
    fn flags(&self) -> Vec<String> {
        let FlightPlan { context, scan, .. } = self.plan;
        let mut flags = Vec::new();
        let mut when = |is_so: bool, flag: &str| flags.extend(is_so.then(|| flag.to_owned()));
        when(
            context.tokenizer != Default::default(),
            &format!("--tokenizer {}", context.tokenizer),
        );
        when(context.format == Format::Xml, "--format xml");
        when(context.line_numbers, "--line-numbers");
        when(scan.hidden, "--hidden");
        when(scan.no_ignore, "--no-ignore");
        flags
    }

    fn put_rules(&self, document: &mut Object) {
        let row = |who: &'static str| {
            move |(at, rule): (usize, &Rule)| {
                let level = rule.level.map(|level| level.to_string());
                let items = rule
                    .items
                    .iter()
                    .flatten()
                    .map(|item| format!("{} {}", item.name, item.level))
                    .collect::<Vec<_>>()
                    .join(", ");
                (
                    who,
                    at,
                    cut(&rule.path, LONGEST),
                    level,
                    cut(&items, LONGEST),
                    rule.why.as_deref().map(|why| cut(why, LONGEST)),
                )
            }
        };
        let person = self.layers.person.iter().enumerate().map(row("rules"));
        document.put_rows(
            "rules",
            person.chain(self.layers.pilot.iter().enumerate().map(row("pilot"))),
            RULES_BYTES,
        );
    }
}

/// Adds the ranking, best file first: place, score and factor in millionths, role, and signals with
/// their values.
fn put_ranking(
    document: &mut Object,
    worth: &[(&FileScore, f64)],
    roles: &[&'static str],
    order: &[usize],
    place: &impl Fn(usize) -> Option<u32>,
) {
    #[derive(Serialize)]
    struct RankingRow(u32, u32, u32, &'static str, Vec<u32>);
    let weight = |signal: Signal| json!([signal.as_str(), signal.weight()]);
    document.put("signals", &Signal::ALL.map(weight));
    let row = |file: &usize| {
        let (worth, factor) = worth[*file];
        let parts =
            worth.parts.iter().flat_map(|(signal, value)| [*signal as u32, *value]).collect();
        Some(RankingRow(place(*file)?, worth.score, millionths(factor), roles[*file], parts))
    };
    // A file without a name has no row; both are counted together.
    document.put_rows("ranking", order.iter().filter_map(row), RANKING_BYTES);
}

fn millionths(of_one: f64) -> u32 {
    libm::round(of_one * f64::from(crate::score::judge::ONE)) as u32
}
