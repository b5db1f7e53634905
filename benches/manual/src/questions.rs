//! Questions with answers that stand on one page of a vehicle alone.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::components::{COMPONENTS, Component};
use crate::kind::LeafKind;
use crate::pages::Manual;
use crate::random::{number, one_of};
use crate::tree::{LeafContent, ManualTree};
use crate::vehicle::Vehicle;

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ManualQuestion {
    /// The position among the questions of a manual, from 1.
    pub id: usize,
    /// The type: `torque`, `location`, …
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The question in words of a person.
    pub question: String,
    /// Where the walk begins: the first page of the manual, or the page of the vehicle.
    pub start: String,
    /// The vehicle.
    pub vehicle: String,
    /// The text that answers.
    pub answer: String,
    /// The page that has it.
    pub address: String,
    /// The folders around that page below the vehicle, and its name.
    pub path: Vec<String>,
    /// The same page of the same model in another year.
    pub distractor: Distractor,
}

/// What the same page of another year says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Distractor {
    /// The vehicle.
    pub vehicle: String,
    /// What an answer from there would be.
    pub answer: String,
    /// The page that has it.
    pub address: String,
}

/// Returns some questions about a manual: each type as often as the others, half of them from the
/// first page, and half of them in other words than the manual's.
pub fn of(manual: &Manual, n: usize) -> Vec<ManualQuestion> {
    let vehicles = manual.vehicles();
    let mut trees: BTreeMap<&Vehicle, ManualTree> = BTreeMap::new();
    let mut questions = Vec::new();
    let mut asked: BTreeSet<(usize, usize)> = BTreeSet::new();
    for id in 1..=n {
        let nth = id - 1;
        let wanted = WantedQuestion {
            id,
            kind: LeafKind::ASKED[nth % LeafKind::ASKED.len()],
            has_alias: nth / 10 % 2 == 0,
            is_from_root: nth / 20 % 2 == 0,
        };
        // Not every vehicle has every kind, or was sold in another year.
        for attempt in 0..10_000 {
            let chance = number(manual.seed, &["question", &id.to_string(), &attempt.to_string()]);
            let at = (chance % vehicles.len() as u64) as usize;
            let vehicle = &vehicles[at];
            let Some(other) = vehicle.neighbour(&vehicles) else { continue };
            let tree = trees.entry(vehicle).or_insert_with(|| manual.tree(vehicle));
            let found = wanted.leaf(tree, chance / 1_000).filter(|leaf| asked.insert((at, *leaf)));
            if let Some(leaf) = found {
                questions.extend(wanted.question(manual, tree, vehicle, &other, leaf));
                break;
            }
        }
    }
    questions
}

/// What a question is to be like.
struct WantedQuestion {
    id: usize,
    kind: LeafKind,
    has_alias: bool,
    is_from_root: bool,
}

impl WantedQuestion {
    /// Chooses a leaf that no other leaf can be mistaken for.
    fn leaf(&self, tree: &ManualTree, chance: u64) -> Option<usize> {
        let mut leaves: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, _, leaf) in tree.leaves().filter(|(_, _, leaf)| leaf.kind == self.kind) {
            if COMPONENTS[leaf.component].alias.is_some() || !self.has_alias {
                leaves.entry(leaf.component).or_default().push(at);
            }
        }
        let is_fact =
            |at: &usize| tree.nodes[*at].leaf.is_some_and(|leaf| leaf.content == LeafContent::Fact);
        let alone = leaves.into_values().filter(|places| places.len() == 1).flatten();
        let alone: Vec<usize> = alone.filter(is_fact).collect();
        alone.get((chance % alone.len().max(1) as u64) as usize).copied()
    }

    fn question(
        &self,
        manual: &Manual,
        tree: &ManualTree,
        vehicle: &Vehicle,
        other: &Vehicle,
        at: usize,
    ) -> Option<ManualQuestion> {
        let component = &COMPONENTS[tree.nodes[at].leaf?.component];
        let on = match self.is_from_root {
            true => format!(" on a {}", vehicle.name()),
            false => String::new(),
        };
        let template = one_of(templates(self.kind), manual.seed, &["words", &self.id.to_string()]);
        let question = template.replace("{x}", &self.thing(component)).replace("{v}", &on);
        Some(ManualQuestion {
            id: self.id,
            kind: self.kind.question_type(),
            question,
            start: match self.is_from_root {
                true => "/".to_owned(),
                false => manual.vehicle_address(vehicle),
            },
            vehicle: vehicle.name(),
            answer: manual.value(vehicle, tree, at)?,
            address: manual.address(vehicle, tree, at),
            path: tree.nodes[at].path.clone(),
            distractor: Distractor {
                vehicle: other.name(),
                answer: manual.value(other, tree, at)?,
                address: manual.address(other, tree, at),
            },
        })
    }

    /// Returns the component in words of a person.
    fn thing(&self, component: &Component) -> String {
        let is_fluid = matches!(self.kind, LeafKind::Capacity | LeafKind::FluidType);
        match component.alias.filter(|_| self.has_alias) {
            Some(alias) => alias.to_owned(),
            None if is_fluid => component.label().to_lowercase(),
            None => format!("the {}", component.label().to_lowercase()),
        }
    }
}

/// Returns ways to ask for a kind of value.
fn templates(kind: LeafKind) -> &'static [&'static str] {
    match kind {
        LeafKind::Torque => {
            &["How hard do I tighten {x}{v}?", "What do I set the wrench to for {x}{v}?"]
        }
        LeafKind::Specification => {
            &["Which reading is normal for {x}{v}?", "What does the maker specify for {x}{v}?"]
        }
        LeafKind::Capacity => {
            &["How much {x} do I need{v}?", "How many liters of {x} does it take{v}?"]
        }
        LeafKind::FluidType => {
            &["Which {x} should I buy{v}?", "What sort of {x} is the right one{v}?"]
        }
        LeafKind::Location => &["Where do I find {x}{v}?", "In which place is {x}{v}?"],
        LeafKind::Procedure => {
            &["How do I change {x}{v}?", "What are the steps when I work on {x}{v}?"]
        }
        LeafKind::Bulletin => &[
            "Did the maker publish a notice about {x}{v}? I need its number.",
            "Is there a known trouble with {x}{v}, and which number has the notice?",
        ],
        LeafKind::Connector => {
            &["Which plug goes to {x}{v}?", "How is the plug of {x} numbered{v}?"]
        }
        LeafKind::TestValue => &[
            "What should my meter show at {x}{v} if it is good?",
            "Which value do I measure at {x}{v} when it works?",
        ],
        LeafKind::Adjustment => &["Which gap do I set for {x}{v}?", "How far do I adjust {x}{v}?"],
        LeafKind::Description => &["How does {x} work{v}?"],
    }
}
