//! The repository as a terrain: its plan consists of rules, its places are files, and its evidence
//! comes from words, imports and history. Changes only read, so none has an effect.

mod admit;
mod answer;
mod balance;
mod briefing;
mod change;
mod cut;
mod fallen;
mod left_out;
mod offers;
mod rules;
mod shifted_items;
mod shifts;
mod shifts_text;
mod shown;
mod standing;
mod view;
mod wishes;

use std::collections::BTreeSet;
use std::path::Path;

use repo_map::plan::{Context, Rule, exact_glob};
use repo_map::worth::{ONE, Signal};
use repo_map::{
    DocumentKind, Fill, FlightPlan, Judged, Level, LevelRange, Options, RepoMap, RuleLayers,
    Sanitized,
};

pub use balance::LeftFree;
pub use change::{RuleChange, RuleTarget};
pub use offers::UsedDefinition;
pub use rules::{is_exclusion, overview_rules};
pub use shifts::{ItemShift, LevelShift, ShiftCause};
pub use shown::FileShown;
pub use standing::{FileStanding, Fillers, GlobStanding};
pub use view::RepoView;
pub use wishes::{WishOutcome, WishStanding};

use crate::run::action::{Focus, FreeTokens};
use crate::run::admission::{Admission, Fall};
use crate::run::state::State;
use crate::run::terrain::{Candidate, Nouns, Place, Terrain, TerrainMap};

/// A repository opened by a plan: the plan has the goal of the map, and its rules are the person's
/// bounds.
#[derive(Debug)]
pub struct Repository {
    repo: Judged,
    plan: FlightPlan,
    drawn: view::DrawnBodies,
    /// What an earlier map shows, where later ones are held to it.
    held: Option<Vec<Rule>>,
    /// The words to score by are the goal and a person's feedback.
    has_feedback: bool,
}

impl Repository {
    /// Scans the repository at `root` and scores its files for the plan's goal.
    ///
    /// # Errors
    /// As [`repo_map::open`].
    pub fn open(root: &Path, plan: FlightPlan, options: &Options) -> repo_map::Result<Repository> {
        Ok(Repository::over(repo_map::open(root, &plan, options)?, plan))
    }

    /// Makes a terrain of documents that the caller opened by this plan: a site of pages.
    pub fn over(repo: Judged, plan: FlightPlan) -> Repository {
        let drawn = view::DrawnBodies::default();
        Repository { repo, plan, drawn, held: None, has_feedback: false }
    }

    /// Opens the repository at `root` by its paths alone: no file is read, and the map is an
    /// overview.
    ///
    /// # Errors
    /// As [`repo_map::open`].
    pub fn open_unread(
        root: &Path,
        plan: FlightPlan,
        options: &Options,
    ) -> repo_map::Result<Repository> {
        let (paths, options) = by_paths(&plan, options);
        Ok(Repository::over(repo_map::open(root, &paths, &options)?, plan))
    }

    /// Takes other documents in the place of those that it has: a site of which more was read.
    #[cfg(feature = "sites")]
    pub(in crate::terrain) fn replace(&mut self, repo: Judged) {
        self.repo = repo;
    }

    /// Returns the plan by which it was opened.
    pub fn plan(&self) -> &FlightPlan {
        &self.plan
    }

    /// Returns the repository itself.
    pub fn repo(&self) -> &Judged {
        &self.repo
    }
}

/// Returns a plan and options with which documents are opened by their paths alone.
pub(crate) fn by_paths(plan: &FlightPlan, options: &Options) -> (FlightPlan, Options) {
    let paths = FlightPlan { rules: path_rules(), ..plan.clone() };
    (paths, Options { without_goal: true, diff: None, ..options.clone() })
}

/// Returns the rules of a map for which no file is read.
pub(crate) fn path_rules() -> Vec<Rule> {
    let paths = LevelRange { floor: Level::Exclude, ceiling: Level::Path };
    vec![Rule::new("**", paths)]
}

impl Terrain for Repository {
    type Plan = Vec<Rule>;
    type Map = RepoMap;
    type Error = repo_map::Error;

    const NOUNS: Nouns = Nouns {
        world: "repository",
        place: "file",
        address: "path",
        part: "item",
        way_out: "identifiers from the code, a path, or lift a rule",
    };

    fn nouns(&self) -> Nouns {
        match self.repo().tree().kind() {
            DocumentKind::File => Self::NOUNS,
            DocumentKind::Page => Nouns {
                world: "site",
                place: "page",
                address: "page",
                part: "section",
                way_out: "words of its pages, a path, or lift a rule",
            },
        }
    }

    fn goal(&self) -> &str {
        self.plan.goal.as_deref().unwrap_or_default()
    }

    fn bounds(&self) -> Vec<Rule> {
        self.plan.rules.clone()
    }

    fn overview(&self) -> Vec<Rule> {
        overview_rules()
    }

    fn map(
        &mut self,
        bounds: &Vec<Rule>,
        plan: &Vec<Rule>,
        tokens: Option<u32>,
    ) -> repo_map::Result<RepoMap> {
        let Context { tokens: of_plan, fill, .. } = self.plan.context;
        let fill = match fill {
            // A person who says what is missing wants more than what is near the goal.
            Fill::Near if self.has_feedback => Fill::All,
            fill => fill,
        };
        let layers = RuleLayers { person: bounds, pilot: plan };
        let tokens = tokens.unwrap_or(of_plan);
        match fill {
            Fill::None => self.repo.map_held(layers, tokens, self.held.as_deref()),
            fill => self.repo.map_filled(layers, tokens, fill),
        }
    }

    fn use_free_tokens(&mut self, free: FreeTokens) {
        self.has_feedback = false;
        self.plan.context.fill = match free {
            FreeTokens::None => Fill::None,
            FreeTokens::Near => Fill::Near,
            FreeTokens::All => Fill::All,
        };
    }

    fn shown(&self, map: &RepoMap) -> Option<Vec<Rule>> {
        (self.plan.context.fill == Fill::None).then(|| map.flown.rules.clone())
    }

    fn hold(&mut self, shown: Option<Vec<Rule>>) {
        self.held = shown;
    }

    /// Adds the reasons of the focus areas to the flown plan.
    fn deliver(&self, mut map: RepoMap, focus: &[Focus]) -> RepoMap {
        let with_reason = |rule: Rule| {
            let is_shown = rule.level.is_some_and(|level| level.ceiling >= Level::Path);
            let area = focus.iter().find(|area| is_shown && exact_glob(&area.path) == rule.path);
            Rule { why: area.map(|area| area.why.clone()), ..rule }
        };
        map.flown.rules = map.flown.rules.into_iter().map(with_reason).collect();
        map
    }

    fn candidates(&self, map: &RepoMap, bounds: &Vec<Rule>) -> Vec<Candidate> {
        let kept_below: BTreeSet<&str> = map
            .files
            .iter()
            .filter(|file| left_out::kept_low(file, bounds).is_some())
            .map(|file| file.path.as_str())
            .collect();
        let ranking = self.repo.ranking().into_iter();
        ranking
            .filter(|(path, _)| !kept_below.contains(path))
            .map(|(path, worth)| Candidate {
                name: path.to_owned(),
                score: of_one(worth.score),
                parts: evidence(worth.parts.iter().map(|(signal, part)| (*signal, *part))),
            })
            .collect()
    }

    fn is_relevant(&self, bounds: &Vec<Rule>) -> bool {
        // The bounds have already made a map, so their globs compile.
        self.repo.has_evidence_within(bounds).unwrap_or(true)
    }

    fn set_goal(&mut self, words: &str) -> repo_map::Result<()> {
        self.repo = self.repo.for_goal(words)?;
        self.has_feedback = words != self.goal();
        Ok(())
    }

    fn open(&self, candidate: &Candidate, why: String) -> RuleChange {
        let level = LevelRange { floor: Level::Exclude, ceiling: Level::Full };
        RuleChange::paths(exact_glob(&candidate.name), level, why)
    }

    fn close_rest(&self) -> Option<RuleChange> {
        let level = LevelRange { floor: Level::Exclude, ceiling: Level::Fold };
        Some(RuleChange::paths("**", level, "no evidence: one line a folder at most"))
    }

    fn admit(
        &mut self,
        bounds: &Vec<Rule>,
        plan: &Vec<Rule>,
        changes: Vec<RuleChange>,
    ) -> repo_map::Result<Admission<Vec<Rule>>> {
        admit::admit(&self.repo, self.plan.context.tokens, bounds, plan, changes)
    }

    fn fallen(before: &RepoMap, after: &RepoMap, changes: &[RuleChange]) -> Vec<Fall> {
        fallen::fallen(before, after, changes)
    }

    fn left_out(map: &RepoMap, state: &State<Vec<Rule>>) -> String {
        left_out::left_out(map, state)
    }

    fn why_hidden(name: &str, map: &RepoMap, state: &State<Vec<Rule>>) -> String {
        left_out::why_hidden(name, map, state)
    }
}

/// Converts millionths to a fraction.
fn of_one(millionths: u32) -> f64 {
    f64::from(millionths) / f64::from(ONE)
}

/// Returns the kinds of evidence that count, largest contribution to the score first.
fn evidence(parts: impl Iterator<Item = (Signal, u32)>) -> Vec<(&'static str, f64)> {
    let mut parts: Vec<(Signal, f64)> =
        parts.map(|(signal, part)| (signal, of_one(part))).collect();
    parts.sort_by(|a, b| (b.1 * b.0.weight()).total_cmp(&(a.1 * a.0.weight())).then(a.0.cmp(&b.0)));
    let counts = |(signal, part): &(Signal, f64)| signal.weight() * part >= 0.02;
    parts.into_iter().filter(counts).map(|(signal, part)| (signal.as_str(), part)).collect()
}

impl TerrainMap for RepoMap {
    fn text(&self) -> &Sanitized {
        &self.text
    }

    fn tokens(&self) -> u32 {
        self.tokens
    }

    fn budget(&self) -> u32 {
        self.budget
    }

    fn value(&self) -> u64 {
        self.value
    }

    fn places(&self) -> impl Iterator<Item = Place<'_>> {
        self.files.iter().map(|file| Place {
            name: &file.path,
            level: file.level,
            requested: file.requested,
            n_apart: file.items.len(),
            tokens: file.tokens,
        })
    }

    fn conflict(&self) -> Option<&str> {
        self.conflict.as_ref().map(|conflict| conflict.message.as_str())
    }

    fn notes(&self) -> Vec<String> {
        let notes = [
            ("Secrets masked", self.n_masked),
            ("Invisible characters written out", self.n_invisible),
        ];
        let notes =
            notes.into_iter().filter(|(_, n)| *n > 0).map(|(what, n)| format!("{what}: {n}"));
        notes.chain(self.unused()).collect()
    }

    fn may_stay_free(&self) -> bool {
        self.flown.context.fill != Fill::All
    }
}
