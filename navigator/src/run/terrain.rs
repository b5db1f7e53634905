//! The interface of terrains. A terrain is a world that can be mapped within a token budget. The
//! loop uses this trait only; the parts for models are in [`Briefing`](crate::Briefing).
//!
//! ```text
//! overview ─► map ─► candidates ─► pilot decides ─► Plan::take ─► map ─► …
//! ```
//!
//! A plan is data: the choices of pilot and person. Taking changes into it is a pure function, so
//! that the decision log rebuilds it. A map is a pure function of a plan and of the knowledge of
//! the terrain.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;

use crate::money::effect::{Effect, Resources};
use crate::run::action::{Focus, FreeTokens};
use crate::run::admission::{Admission, Fall, MOST_FALLS};
use crate::run::deadline::Deadline;
use crate::run::plan::{Change as _, Plan};
use crate::run::state::State;
use crate::shared::{Level, Sanitized};

/// A world that can be mapped.
pub trait Terrain: fmt::Debug {
    /// The plan of a pilot; the person's bounds have the same type.
    type Plan: Plan;
    /// A map.
    type Map: TerrainMap;
    /// The reason why there is no map.
    type Error: Error + Send + Sync + 'static;

    /// The nouns of this terrain in messages.
    const NOUNS: Nouns;

    /// Returns the nouns for this world, where a terrain has several kinds of worlds.
    fn nouns(&self) -> Nouns {
        Self::NOUNS
    }

    /// Returns the goal of the map.
    fn goal(&self) -> &str;

    /// Returns the person's bounds, which limit every pilot.
    fn bounds(&self) -> Self::Plan;

    /// Returns the plan of the first map: an overview.
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
    /// If the plan or the bounds cannot be used.
    fn map(
        &mut self,
        bounds: &Self::Plan,
        plan: &Self::Plan,
        tokens: Option<u32>,
    ) -> Result<Self::Map, Self::Error>;

    /// Prepares the final map, with the reasons of its focus areas if the terrain stores them.
    fn deliver(&self, map: Self::Map, _focus: &[Focus]) -> Self::Map {
        map
    }

    /// Returns the places that the bounds allow, with their evidence, best first.
    fn candidates(&self, map: &Self::Map, bounds: &Self::Plan) -> Vec<Candidate>;

    /// Reports whether any place that the bounds allow matches the goal.
    fn is_relevant(&self, bounds: &Self::Plan) -> bool;

    /// Sets the words to score by: the goal and the person's feedback.
    ///
    /// # Errors
    /// If the terrain cannot be scored again.
    fn set_goal(&mut self, words: &str) -> Result<(), Self::Error>;

    /// Returns the change with which a pilot without a model opens a candidate.
    fn open(&self, candidate: &Candidate, why: String) -> ChangeOf<Self>;

    /// Returns the change with which such a pilot first closes all places without evidence.
    fn close_rest(&self) -> Option<ChangeOf<Self>> {
        None
    }

    /// Returns the effect of a change.
    fn effect(&self, _change: &ChangeOf<Self>) -> Effect {
        Effect::None
    }

    /// Returns the maximum use of resources by the effect of a change.
    fn needs(&self, _change: &ChangeOf<Self>) -> Resources {
        Resources::default()
    }

    /// Reports whether the run can go on without the effect of a change. If so, an effect that
    /// could pass a limit is refused alone; otherwise it ends the run.
    fn can_do_without(&self, _change: &ChangeOf<Self>) -> bool {
        false
    }

    /// Applies the effect of a change. This is the only method that may affect the world, and it is
    /// called only after the effect was approved and reserved in writing. It may add to the change
    /// what its effect showed, and the plan takes the change with that.
    ///
    /// # Errors
    /// If the terrain cannot be used any more. For an effect that merely fails, [`Applied`] has
    /// `is_done: false`.
    fn apply(
        &mut self,
        _change: &mut ChangeOf<Self>,
        _deadline: &Deadline,
    ) -> Result<Applied, Self::Error> {
        Ok(Applied { is_done: true, ..Applied::default() })
    }

    /// Sorts the changes of a decision by whether they fit: a change is refused alone, and neither
    /// another of the decision nor an earlier one loses its level to it. By default all fit.
    ///
    /// # Errors
    /// If the plan or the bounds cannot be used.
    fn admit(
        &mut self,
        _bounds: &Self::Plan,
        _plan: &Self::Plan,
        changes: Vec<ChangeOf<Self>>,
    ) -> Result<Admission<Self::Plan>, Self::Error> {
        Ok(Admission { changes, refused: Vec::new() })
    }

    /// Returns what fell between two maps though none of the changes names it, largest first. By
    /// default these are places.
    fn fallen(before: &Self::Map, after: &Self::Map, changes: &[ChangeOf<Self>]) -> Vec<Fall> {
        fallen_places::<Self::Map, Self::Plan>(before, after, changes)
    }

    /// Sets the use of free tokens in the maps to come. By default the terrain has one use only.
    fn use_free_tokens(&mut self, _free: FreeTokens) {}

    /// Returns what a map shows, as a plan that later maps can be held to, if tokens that no change
    /// takes stay free. By default no map is held.
    fn shown(&self, _map: &Self::Map) -> Option<Self::Plan> {
        None
    }

    /// Holds the maps to come to what an earlier one shows: nothing rises above it that their plan
    /// does not ask for.
    fn hold(&mut self, _shown: Option<Self::Plan>) {}

    /// Returns the omissions of a map and their reasons, as lines of Markdown.
    fn left_out(map: &Self::Map, state: &State<Self::Plan>) -> String;

    /// Returns the reason why a place is not shown.
    fn why_hidden(name: &str, map: &Self::Map, state: &State<Self::Plan>) -> String;
}

/// Returns the places whose level fell though no change has their name, largest first.
fn fallen_places<M: TerrainMap, P: Plan>(
    before: &M,
    after: &M,
    changes: &[P::Change],
) -> Vec<Fall> {
    let named: BTreeSet<String> = changes.iter().map(|change| change.name()).collect();
    let earlier: BTreeMap<&str, (Level, u32)> =
        before.places().map(|place| (place.name, (place.level, place.tokens))).collect();
    let fell = |name: &str, to: Level| {
        let (from, tokens) = *earlier.get(name)?;
        let is_unasked = to < from && !named.contains(name);
        is_unasked.then(|| (tokens, Fall { name: name.to_owned(), from, to }))
    };
    let mut falls: Vec<(u32, Fall)> =
        after.places().filter_map(|place| fell(place.name, place.level)).collect();
    falls.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
    falls.into_iter().map(|(_, fall)| fall).take(MOST_FALLS).collect()
}

/// The result of an effect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Applied {
    /// The effect succeeded. If not, its change is not taken into the plan.
    pub is_done: bool,
    /// The resources used.
    pub used: Resources,
    /// What came of it, for the log and the person; may be empty.
    pub result: String,
    /// Results that differ from the request.
    pub complaints: Vec<String>,
}

/// The changes of a terrain's plan.
pub type ChangeOf<T> = <<T as Terrain>::Plan as Plan>::Change;

/// What the loop, its pilots and its reports need of a map.
pub trait TerrainMap: Clone + fmt::Debug {
    /// Returns the text.
    fn text(&self) -> &Sanitized;

    /// Returns the size in tokens.
    fn tokens(&self) -> u32;

    /// Returns the budget in tokens.
    fn budget(&self) -> u32;

    /// Returns the value of the map; comparable between maps of one terrain and goal.
    fn value(&self) -> u64;

    /// Returns every place that it may show. A later map has the same places, and those that an
    /// effect added.
    fn places(&self) -> impl Iterator<Item = Place<'_>>;

    /// Returns the reason why some required places are not shown.
    fn conflict(&self) -> Option<&str> {
        None
    }

    /// Reports whether tokens may stay free although more places have evidence.
    fn may_stay_free(&self) -> bool {
        false
    }

    /// Returns further lines for the summary.
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
    /// The level that was requested and did not fit.
    pub requested: Option<Level>,
    /// The number of its parts that are shown at other levels.
    pub n_apart: usize,
    /// The size in tokens.
    pub tokens: u32,
}

impl Place<'_> {
    /// Reports whether the place is shown, at least by name.
    pub fn is_shown(&self) -> bool {
        self.level >= Level::Path
    }
}

/// A place with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// The score, between 0 and 1.
    pub score: f64,
    /// The kinds of evidence that count, each between 0 and 1, largest contribution first.
    pub parts: Vec<(&'static str, f64)>,
}

/// The nouns of a terrain in messages; an `s` makes the plural.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nouns {
    /// The noun for the whole.
    pub world: &'static str,
    /// The noun for a place on a map.
    pub place: &'static str,
    /// The noun for the name of a place.
    pub address: &'static str,
    /// The noun for a part of a place.
    pub part: &'static str,
    /// Advice for a goal that matches nothing.
    pub way_out: &'static str,
}
