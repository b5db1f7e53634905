//! The state of a walk: the path with the result of each step, and what was taken from pages. It
//! and a recording of the pages rebuild the walk.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::money::effect::Effect;
use crate::money::pico_usd::PicoUsd;
use crate::money::versioned;
use crate::run::state::boundary;
use crate::shared::Sanitized;
use crate::walk::action::{ControlOperation, WalkAction};
use crate::walk::guarded::GuardRecord;
use crate::walk::known::KnownPlace;
use crate::walk::outcome::StepOutcome;
use crate::walk::screen::Screen;
use crate::walk::session::{Move, NOTHING_CHANGED, Opened};

/// The format version of stored walks.
const VERSION: u32 = 1;
/// The largest number of refused steps that are kept.
const MAX_REFUSED: usize = 1_000;
/// The largest number of seen addresses that are kept; an index of a large manual has more.
const MAX_SEEN: usize = 50_000;

/// A walk between two steps. [`to_json`] and [`from_json`] store it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WalkState {
    /// The fence around text of pages in requests. Drawn at random for each walk, so that no page
    /// can contain it.
    pub boundary: String,
    /// The digest of the first screen; empty before it.
    pub start: String,
    /// The steps so far.
    pub path: Vec<PathStep>,
    /// What was taken from pages.
    pub extracts: Vec<PageExtract>,
    /// What was wrong with the last answer of the pilot.
    pub complaints: Vec<String>,
    /// The number of turns: decisions of the pilot, usable or not.
    pub turns: u32,
    /// The number of unusable decisions since the last usable one.
    pub n_unusable: u32,
    /// The tokens of all requests and replies.
    pub tokens: WalkTokens,
    /// What the person said, in order.
    pub feedback: Vec<String>,
    /// The hosts that the person allowed to read from.
    pub allowed: BTreeSet<String>,
    /// The steps that the person refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedStep>,
    /// The addresses that no step is to open: the pilot was guessing, and a link to them warns.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub left_out: BTreeSet<String>,
    /// What was asked and answered, and what the guard of a browser stopped.
    #[serde(default, skip_serializing_if = "GuardRecord::is_empty")]
    pub guarded: GuardRecord,
    /// What earlier walks saw of the site, for this goal: best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<KnownPlace>,
    /// The end; `None` while the walk goes on.
    pub ended: Option<WalkEnd>,
    /// The addresses of pages that were seen in links, with the places that lead there, and the
    /// known ones. Rebuilt from the pages.
    #[serde(skip)]
    pub seen: BTreeMap<String, Vec<String>>,
    /// The addresses of pages that a step did not reach, without fragments. Rebuilt from the path.
    #[serde(skip)]
    pub failed: BTreeSet<String>,
}

/// A step that the person refused, or a program for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedStep {
    /// The step, as the question named it.
    pub step: String,
    /// What it would have done.
    pub effect: Effect,
    /// The address that it leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// A step of the path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStep {
    /// What was done.
    #[serde(flatten)]
    pub action: WalkAction,
    /// What came of it.
    pub result: String,
    /// What came of it in a word. Walks that were stored without it get it from the rest.
    #[serde(default = "done")]
    pub outcome: StepOutcome,
    /// A screen was taken up, or a part of one: a recording has it.
    #[serde(alias = "is_done")]
    pub is_shown: bool,
    /// Where it opened a page or folder; `None` if it did more than that, or something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<Opened>,
    /// It clicked a link.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_link: bool,
    /// The places that a search found, best first. They are kept: a recording that grew after the
    /// search would give others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<KnownPlace>,
    /// It sent a request above reading, or one was stopped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sends: bool,
    /// What it would have done, and was refused: the person, or a program for them, said no.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Effect>,
    /// The pilot's reason.
    pub why: String,
    /// The goal says literally to do it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_goal: bool,
    /// The digest of the screen before, with the way to it if going back depends on that.
    pub before: String,
    /// The digest of the screen after.
    pub after: String,
    /// The address of the page after. An action that opens one has an `address` of its own.
    #[serde(default, rename = "url")]
    pub address: String,
}

impl PathStep {
    /// Reports whether the step was a search.
    pub(crate) fn searches(&self) -> bool {
        matches!(self.action, WalkAction::Search { .. })
    }

    /// Reports whether the step took a part of a page.
    pub(crate) fn takes(&self) -> bool {
        self.outcome.is_done() && matches!(self.action, WalkAction::Extract { .. })
    }

    /// Reports whether the step did something to a page: one that only looks, opens another page or
    /// changes nothing does not.
    pub(crate) fn operates(&self) -> bool {
        let acts = match &self.action {
            WalkAction::Click { .. } => self.opened.is_none(),
            WalkAction::Operate { operation, .. } => !operation.only_looks(),
            _ => false,
        };
        self.outcome == StepOutcome::Done && acts
    }
}

/// A part of a page, as it stands there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageExtract {
    /// The address of the page.
    pub address: String,
    /// The names of the places from the outermost one to the section.
    pub place: Vec<String>,
    /// The text, sanitized.
    pub text: String,
    /// The numbers of the sections that had no room, the first of which may be there in part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<usize>,
}

impl PageExtract {
    /// Says which sections had no room, and how they are taken; empty if there are none.
    pub fn rest(&self) -> String {
        let sections: Vec<String> = self.left_out.iter().map(|n| format!("S{n}")).collect();
        match sections.as_slice() {
            [] => String::new(),
            [only] => format!("; {only} is cut, because an extract has a limit of tokens"),
            [first, .., last] => format!(
                "; {first} to {last} had no room in one extract: `extract` takes them by their \
                 numbers"
            ),
        }
    }

    /// Reports whether words stand in the text. Case and spaces do not count.
    pub fn has(&self, words: &str) -> bool {
        let words = plain(words);
        !words.is_empty() && plain(&self.text).contains(&words)
    }
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The tokens of the requests and replies of a walk, as the provider counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WalkTokens {
    /// The tokens of all requests.
    pub input: u64,
    /// The tokens of all replies.
    pub output: u64,
}

impl WalkTokens {
    /// Adds others: providers may report any number.
    pub(crate) fn plus(self, other: WalkTokens) -> WalkTokens {
        let input = self.input.saturating_add(other.input);
        WalkTokens { input, output: self.output.saturating_add(other.output) }
    }
}

/// How a walk ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkEnd {
    /// The reason, as a word for machines.
    pub stop: String,
    /// The reason for people.
    pub line: String,
    /// The answer; `None` if the walk has none.
    pub answer: Option<String>,
    /// Words of the extracts that the answer rests on; each was checked.
    pub citations: Vec<String>,
    /// The spend of the whole walk.
    pub cost_pico_usd: PicoUsd,
}

impl WalkState {
    /// Returns the state before the first step.
    ///
    /// # Panics
    /// If the system provides no randomness.
    pub fn first() -> WalkState {
        WalkState {
            boundary: boundary(),
            start: String::new(),
            path: Vec::new(),
            extracts: Vec::new(),
            complaints: Vec::new(),
            turns: 0,
            n_unusable: 0,
            tokens: WalkTokens::default(),
            feedback: Vec::new(),
            allowed: BTreeSet::new(),
            refused: Vec::new(),
            left_out: BTreeSet::new(),
            guarded: GuardRecord::default(),
            known: Vec::new(),
            ended: None,
            seen: BTreeMap::new(),
            failed: BTreeSet::new(),
        }
    }

    /// Returns what tells this walk from others in a log that several share.
    pub fn id(&self) -> String {
        blake3::hash(self.boundary.as_bytes()).to_hex()[..16].to_owned()
    }

    /// Returns the number of steps taken.
    pub fn n_steps(&self) -> u32 {
        u32::try_from(self.path.len()).unwrap_or(u32::MAX)
    }

    /// Reports whether a step of the path was a search.
    pub(crate) fn has_searched(&self) -> bool {
        self.path.iter().any(PathStep::searches)
    }

    /// Returns the number of extracts that were taken before the last search; 0 without one.
    pub(crate) fn n_extracts_before_search(&self) -> usize {
        let at = self.path.iter().rposition(PathStep::searches).unwrap_or(0);
        self.path[..at].iter().filter(|step| step.takes()).count()
    }

    /// Keeps a yes of the person, where it is for the whole walk: that to read from a host.
    pub(crate) fn allow(&mut self, effect: Effect) {
        if let Effect::Reads { host } = effect {
            self.allowed.insert(host);
        }
    }

    /// Keeps a step that was refused on a screen.
    pub(crate) fn refuse(&mut self, screen: &Screen, step: &Move, name: &str, effect: &Effect) {
        let target = target_of(screen, step).map(str::to_owned);
        let refused = RefusedStep { step: name.to_owned(), effect: effect.clone(), target };
        if self.refused.len() < MAX_REFUSED && !self.refused.contains(&refused) {
            self.refused.push(refused);
        }
    }

    /// Reports whether an action was refused.
    pub(crate) fn has_refused(&self, action: &WalkAction) -> bool {
        !self.refused.is_empty() && {
            let name = action.to_string();
            self.refused.iter().any(|one| one.step == name)
        }
    }

    /// Reports whether a step of the path did something to a page.
    pub(crate) fn has_operated(&self) -> bool {
        self.path.iter().any(PathStep::operates)
    }

    /// Reports whether words stand in an extract, or in what a control did.
    pub(crate) fn stands(&self, words: &str) -> bool {
        let is_told = |step: &PathStep| {
            matches!(step.action, WalkAction::Operate { .. })
                && step.outcome.is_done()
                && plain(&step.result).contains(&plain(words))
        };
        self.extracts.iter().any(|extract| extract.has(words))
            || !words.trim().is_empty() && self.path.iter().any(is_told)
    }

    /// Reports whether the same action was taken on the same screen before.
    pub(crate) fn has_tried(&self, screen: &str, action: &WalkAction) -> bool {
        self.path.iter().any(|step| step.before == screen && step.action == *action)
    }

    /// Keeps the page that a step from a screen did not reach.
    pub(crate) fn fail(&mut self, screen: &Screen, step: &Move) {
        let page = target_of(screen, step).and_then(|target| target.split('#').next());
        self.failed.extend(page.map(str::to_owned));
    }

    /// Keeps the address that a step from a screen would open, and is not to: other links may lead
    /// to the same page. One that opens none is kept as refused.
    pub(crate) fn leave_out(&mut self, screen: &Screen, step: &Move, name: &str, effect: &Effect) {
        match target_of(screen, step).map(str::to_owned) {
            Some(target) => drop(self.left_out.insert(target)),
            None => self.refuse(screen, step, name, effect),
        }
    }

    /// Keeps the places that a search found, by the names that were seen first.
    pub(crate) fn know(&mut self, found: &[KnownPlace]) {
        for place in found {
            self.seen.entry(place.address.clone()).or_insert_with(|| place.way.clone());
        }
    }

    /// Keeps what a screen shows of other pages.
    pub(crate) fn look(&mut self, screen: &Screen) {
        if self.seen.is_empty() {
            let known = self.known.iter().map(|place| (place.address.clone(), place.way.clone()));
            self.seen.extend(known);
        }
        let way = screen.ways();
        for entry in screen.entries.iter().filter(|entry| entry.is_page) {
            let Some(target) = &entry.target else { continue };
            if self.seen.len() >= MAX_SEEN {
                break;
            }
            self.seen.entry(target.clone()).or_insert_with(|| way(entry));
        }
    }
}

/// Returns the address that a step from a screen leads to.
fn target_of<'s>(screen: &'s Screen, step: &'s Move) -> Option<&'s str> {
    match step {
        Move::Click(number) => screen.entry(*number)?.target.as_deref(),
        Move::Open(address) => Some(address),
        _ => None,
    }
}

/// Returns the JSON of a state.
pub fn to_json(state: &WalkState) -> Sanitized {
    versioned::to_json(VERSION, state)
}

/// Reads a stored state.
///
/// # Errors
/// If it is damaged, or of a newer version.
pub fn from_json(text: &str) -> Result<WalkState, Error> {
    let state = versioned::from_json(VERSION, text);
    let mut state: WalkState = state.map_err(|message| Error::Format { line: None, message })?;
    for step in state.path.iter_mut().filter(|step| step.outcome == StepOutcome::Done) {
        step.outcome = match step.is_shown {
            true if step.result == NOTHING_CHANGED => StepOutcome::Nothing,
            true => StepOutcome::Done,
            false => StepOutcome::Failed,
        };
    }
    Ok(state)
}

fn done() -> StepOutcome {
    StepOutcome::Done
}

/// Returns what identifies a step's beginning: going back depends on the way, keys on the cursor,
/// all else on the screen alone.
pub(crate) fn before(screen: &Screen, action: &WalkAction) -> String {
    match action {
        WalkAction::Back => format!("{} {}", screen.digest(), screen.trail.join(" ")),
        // Keys go to what has the focus.
        WalkAction::Operate { number: 0, operation: ControlOperation::Press { .. }, .. }
            if screen.focused().is_some() || !screen.selected.is_empty() =>
        {
            let focused = screen.focused().unwrap_or_default();
            format!("{} {focused} {}", screen.digest(), screen.selected)
        }
        _ => screen.digest(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_step_is_known_however_long_its_name_is() {
        let click = |label: &str| WalkAction::Click { number: 1, label: label.to_owned() };
        let (long, other) = (click(&"Delete ".repeat(60)), click("Delete"));
        let mut state = WalkState::first();
        let effect = crate::walk::session::destroys(&"Delete ".repeat(60));
        state.refuse(&Screen::default(), &Move::Click(1), &long.to_string(), &effect);
        assert!(state.has_refused(&long) && !state.has_refused(&other));
        let read = from_json(to_json(&state).as_ref()).unwrap();
        assert!(read.has_refused(&long) && !read.has_refused(&other));
    }

    #[test]
    fn a_walk_that_was_stored_without_outcomes_gets_them() {
        let state = to_json(&WalkState::first());
        let step = |is_done: bool, result: &str| {
            serde_json::json!({ "action": "back", "result": result, "is_done": is_done, "why": "",
                "before": "", "after": "", "url": "" })
        };
        let path = [step(true, "back"), step(true, NOTHING_CHANGED), step(false, "no page")];
        let mut stored: serde_json::Value = serde_json::from_str(&state).unwrap();
        stored["path"] = path.into_iter().collect();
        let read = from_json(&stored.to_string()).unwrap();
        let outcomes: Vec<StepOutcome> = read.path.iter().map(|step| step.outcome).collect();
        assert_eq!(outcomes, [StepOutcome::Done, StepOutcome::Nothing, StepOutcome::Failed]);
    }

    #[test]
    fn a_step_that_opens_an_address_is_written_and_read_back() {
        let mut state = WalkState::first();
        state.path.push(PathStep {
            action: WalkAction::Open { address: "http://a.example/asked".to_owned() },
            result: String::new(),
            outcome: StepOutcome::Done,
            is_shown: true,
            opened: Some(Opened::Here),
            by_link: true,
            found: Vec::new(),
            sends: false,
            refused: vec![Effect::Reads { host: "b.example".to_owned() }],
            why: String::new(),
            is_of_goal: false,
            before: String::new(),
            after: String::new(),
            address: "http://a.example/shown".to_owned(),
        });
        let read = from_json(&to_json(&state)).unwrap();
        assert_eq!(read, state);
    }
}
