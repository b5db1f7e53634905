//! A terrain: a world that can be mapped within a token budget. The loop knows no more of one than
//! what stands here; what a model reads and writes of it is apart
//! ([`Briefing`](crate::Briefing)).
//!
//! ```text
//! overview ─► map ─► candidates ─► pilot decides ─► Plan::take ─► map ─► …
//! ```
//!
//! A plan is data: what pilot and person chose. Taking changes into it is pure, so that the
//! decision log rebuilds it. A map is made of a plan and of what the terrain knows, and is pure
//! too.

use std::error::Error;
use std::fmt;

use crate::money::effect::{Effect, Resources};
use crate::run::action::Focus;
use crate::run::deadline::Deadline;
use crate::run::plan::Plan;
use crate::run::state::State;
use crate::shared::{Level, Sanitized};

/// A world that can be mapped.
pub trait Terrain: fmt::Debug {
    /// What a pilot changes, and in the same form the person's bounds.
    type Plan: Plan;
    /// A map.
    type Map: TerrainMap;
    /// Why there is no map.
    type Error: Error + Send + Sync + 'static;

    /// The nouns by which people are told of it.
    const NOUNS: Nouns;

    /// What the map is for.
    fn goal(&self) -> &str;

    /// The person's bounds, which no pilot passes.
    fn bounds(&self) -> Self::Plan;

    /// The plan of the first map: the whole from above.
    fn overview(&self) -> Self::Plan;

    /// The state before the first turn: the bounds, and the overview.
    ///
    /// # Panics
    /// When the system has no randomness for the boundary.
    fn first_state(&self) -> State<Self::Plan> {
        State::first(self.bounds(), self.overview())
    }

    /// The map of a plan within the bounds, of at most `tokens` or of the terrain's own budget. The
    /// same plan and the same knowledge give the same map.
    ///
    /// # Errors
    /// When the plan or the bounds cannot be used.
    fn map(
        &mut self,
        bounds: &Self::Plan,
        plan: &Self::Plan,
        tokens: Option<u32>,
    ) -> Result<Self::Map, Self::Error>;

    /// The map as it is delivered: with the reasons of its focus areas where it keeps them.
    fn deliver(&self, map: Self::Map, _focus: &[Focus]) -> Self::Map {
        map
    }

    /// What evidence says of the places that the bounds let be shown, best first.
    fn candidates(&self, map: &Self::Map, bounds: &Self::Plan) -> Vec<Candidate>;

    /// Whether any place that the bounds let be shown matches the goal.
    fn is_relevant(&self, bounds: &Self::Plan) -> bool;

    /// Judges by these words from now on: the goal, and what the person said since.
    ///
    /// # Errors
    /// When the terrain cannot be judged anew.
    fn set_goal(&mut self, words: &str) -> Result<(), Self::Error>;

    /// What a pilot without a model does with a candidate.
    fn open(&self, candidate: &Candidate, why: String) -> ChangeOf<Self>;

    /// What such a pilot does first with all that has no evidence.
    fn close_rest(&self) -> Option<ChangeOf<Self>> {
        None
    }

    /// What a change does to the world besides the map.
    fn effect(&self, _change: &ChangeOf<Self>) -> Effect {
        Effect::None
    }

    /// The most that the effect of a change can use up.
    fn needs(&self, _change: &ChangeOf<Self>) -> Resources {
        Resources::default()
    }

    /// Lets the effect of a change happen: the only thing here that may touch the world. It was
    /// approved and written down before.
    ///
    /// # Errors
    /// When the terrain cannot be used any more. An effect that fails is [`Applied`], and not done.
    fn apply(
        &mut self,
        _change: &ChangeOf<Self>,
        _deadline: &Deadline,
    ) -> Result<Applied, Self::Error> {
        Ok(Applied { is_done: true, ..Applied::default() })
    }

    /// What a map leaves out, and why: lines of Markdown.
    fn left_out(map: &Self::Map, state: &State<Self::Plan>) -> String;

    /// Why a place is not shown.
    fn why_hidden(name: &str, map: &Self::Map, state: &State<Self::Plan>) -> String;
}

/// What became of an effect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Applied {
    /// Whether it came out. If not, its change is not taken into the plan.
    pub is_done: bool,
    /// What it used up.
    pub used: Resources,
    /// What did not come out as it was asked.
    pub complaints: Vec<String>,
}

/// The changes of a terrain's plan.
pub type ChangeOf<T> = <<T as Terrain>::Plan as Plan>::Change;

/// What the loop, its pilots and its reports need of a map.
pub trait TerrainMap: Clone + fmt::Debug {
    /// The text.
    fn text(&self) -> &Sanitized;

    /// Its size in tokens.
    fn tokens(&self) -> u32;

    /// The budget it was fitted to.
    fn budget(&self) -> u32;

    /// What it is worth; comparable between maps of one terrain and goal.
    fn value(&self) -> u64;

    /// Every place it may show. A later map has the same places in the same order, and new ones
    /// after them.
    fn places(&self) -> impl Iterator<Item = Place<'_>>;

    /// Why not all that must be shown is.
    fn conflict(&self) -> Option<&str> {
        None
    }

    /// What else a summary says of it, one line each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A place of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'m> {
    /// Its name.
    pub name: &'m str,
    /// The level shown.
    pub level: Level,
    /// The level that was asked for and did not fit.
    pub requested: Option<Level>,
    /// How many of its parts are shown at a level of their own.
    pub n_apart: usize,
    /// Its size in tokens.
    pub tokens: u32,
}

impl Place<'_> {
    /// Whether it is shown, by name at least.
    pub fn is_shown(&self) -> bool {
        self.level >= Level::Path
    }
}

/// What evidence says of a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// Between 0 and 1.
    pub score: f64,
    /// Each kind of evidence that counts, between 0 and 1; what adds most to the score first.
    pub parts: Vec<(&'static str, f64)>,
}

/// The nouns by which people are told of a terrain; an `s` makes them many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nouns {
    /// The whole.
    pub world: &'static str,
    /// What a map shows many of.
    pub place: &'static str,
    /// What names such a place.
    pub address: &'static str,
    /// What a place has many of.
    pub part: &'static str,
    /// What a person may try where nothing matches the goal.
    pub way_out: &'static str,
}
