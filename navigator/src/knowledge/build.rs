//! From what was seen to a knowledge.

use std::collections::BTreeMap;

use crate::knowledge::actions::{done_on, sets_value};
use crate::knowledge::cluster::groups_of;
use crate::knowledge::model::{
    Knowledge, KnownRecord, KnownScreen, KnownTask, Preparation, TaskStep, Transition, VERSION,
};
use crate::knowledge::names::{ScreenNames, slug};
use crate::knowledge::places::SeenPlaces;
use crate::knowledge::screens::{cut, screen_of};
use crate::knowledge::sighting::{ScreenSighting, SeenStep, SeenTask};
use crate::knowledge::thresholds::thresholds_of;

/// All that was seen in recordings.
#[derive(Debug, Default)]
pub struct SeenSite {
    /// The recordings.
    pub records: Vec<KnownRecord>,
    /// The screens, in the order of recordings.
    pub sightings: Vec<ScreenSighting>,
    /// The steps between them.
    pub steps: Vec<SeenStep>,
    /// The walks that reached their goal.
    pub tasks: Vec<SeenTask>,
    /// What was seen of pages, visited or not.
    pub places: SeenPlaces,
}

/// A knowledge, and which of its screens was seen each time.
#[derive(Debug)]
pub struct BuiltKnowledge {
    /// The knowledge.
    pub knowledge: Knowledge,
    /// The identifier of the screen of each sighting.
    pub screen_ids: Vec<String>,
}

/// Makes a knowledge of what was seen.
pub fn build(seen: SeenSite) -> BuiltKnowledge {
    let groups = groups_of(&seen.sightings);
    let mut names = ScreenNames::new(&seen.sightings, &groups);
    let mut of_sighting: Vec<usize> = vec![0; seen.sightings.len()];
    let mut screens: Vec<KnownScreen> = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        group.iter().for_each(|sighting| of_sighting[*sighting] = at);
        screens.push(screen_of(&seen.sightings, group, names.next(group)));
    }
    let mut ways = SeenWays::new(&seen, of_sighting, screens);
    for position in 0..seen.steps.len() {
        ways.add(position);
    }
    let SeenWays { of_sighting, mut screens, transitions, steps, .. } = ways;
    let screen_ids: Vec<String> =
        of_sighting.iter().map(|at| screens[*at].screen_id.clone()).collect();
    let tasks =
        seen.tasks.iter().filter_map(|task| task_of(task, &seen, &steps, &screens)).collect();
    screens.iter_mut().for_each(cut);
    screens.sort_by(|a, b| a.screen_id.cmp(&b.screen_id));
    let mut knowledge = Knowledge {
        version: VERSION,
        screens,
        transitions: transitions.into_values().map(|way| way.transition).collect(),
        tasks,
        ..Knowledge::default()
    };
    knowledge.thresholds = thresholds_of(&knowledge, &seen.sightings, &screen_ids);
    knowledge.records = seen.records;
    knowledge.places = seen.places.into_places();
    BuiltKnowledge { knowledge, screen_ids }
}

/// A transition, and the step of a walk that it was seen in first.
struct FirstSeen {
    transition: Transition,
    number: u32,
}

/// The steps that were seen, as they become transitions.
struct SeenWays<'s> {
    seen: &'s SeenSite,
    of_sighting: Vec<usize>,
    screens: Vec<KnownScreen>,
    transitions: BTreeMap<TransitionKey, FirstSeen>,
    /// The step of a task that each step is.
    steps: BTreeMap<usize, TaskStep>,
    /// What was written and chosen on the current screen.
    prepared: Vec<Preparation>,
    last: Option<usize>,
}

impl<'s> SeenWays<'s> {
    fn new(seen: &'s SeenSite, of_sighting: Vec<usize>, screens: Vec<KnownScreen>) -> SeenWays<'s> {
        SeenWays {
            seen,
            of_sighting,
            screens,
            transitions: BTreeMap::new(),
            steps: BTreeMap::new(),
            prepared: Vec::new(),
            last: None,
        }
    }

    /// Adds a step, by its position.
    fn add(&mut self, position: usize) {
        let step = &self.seen.steps[position];
        let (from, to) = (self.of_sighting[step.from], self.of_sighting[step.to]);
        if self.last.replace(step.to) != Some(step.from) {
            self.prepared.clear();
        }
        let (before, after) = (&self.seen.sightings[step.from], &self.seen.sightings[step.to]);
        let Some(done) = done_on(before, &step.action) else { return };
        let to_screen_id = self.screens[to].screen_id.clone();
        let screen = &mut self.screens[from];
        // What is seldom done with a control, such as a double click, is known once it was done.
        if screen.action(&done.action_id).is_none() {
            screen.actions.extend(done.action);
        }
        let mut known = screen.actions.iter_mut();
        if let Some(action) = known.find(|one| one.action_id == done.action_id) {
            action.times_done += 1;
            action.effect = action.effect.max(step.effect);
        }
        let from_screen_id = screen.screen_id.clone();
        self.steps.insert(
            position,
            TaskStep {
                screen_id: from_screen_id.clone(),
                action_id: done.action_id.clone(),
                value: done.value.clone(),
                parameter: None,
                label: done.label.clone(),
                to_screen_id: to_screen_id.clone(),
            },
        );
        let is_same = from == to;
        let prepared = if is_same { Vec::new() } else { std::mem::take(&mut self.prepared) };
        // A field that only some pages of the screen have is data.
        let is_kept = self.screens[from].keeps(&done.action_id);
        if is_same && is_kept && sets_value(before, &step.action) {
            let (action_id, value) = (done.action_id.clone(), done.value.clone());
            self.prepared.retain(|one| one.action_id != action_id);
            self.prepared.push(Preparation { action_id, value });
        }
        let transition = Transition {
            from_screen_id,
            to_screen_id,
            action_id: Some(done.action_id),
            value: done.value,
            label: done.label,
            prepared,
            address: after.screen.address.clone(),
            times_seen: 0,
            last_seen: (0, 0),
        };
        self.count(transition, step.number, after.record);
    }

    fn count(&mut self, transition: Transition, number: u32, record: usize) {
        let key = (
            transition.from_screen_id.clone(),
            transition.action_id.clone(),
            transition.label.clone(),
            transition.to_screen_id.clone(),
        );
        let first = FirstSeen { transition: transition.clone(), number };
        let known = self.transitions.entry(key).or_insert(first);
        // Early in a walk a form is empty, and all that it needs is done.
        if number < known.number {
            known.number = number;
            known.transition.prepared = transition.prepared;
        }
        known.transition.times_seen += 1;
        known.transition.last_seen = known.transition.last_seen.max((record, number));
    }
}

/// What makes two transitions one: where, what, on which of many, and where to.
type TransitionKey = (String, Option<String>, Option<String>, String);

fn task_of(
    task: &SeenTask,
    seen: &SeenSite,
    steps: &BTreeMap<usize, TaskStep>,
    screens: &[KnownScreen],
) -> Option<KnownTask> {
    let mut taken: Vec<TaskStep> =
        task.steps.clone().filter_map(|at| steps.get(&at).cloned()).collect();
    let mut parameters = BTreeMap::new();
    for step in &mut taken {
        let screen = screens.iter().find(|one| one.screen_id == step.screen_id)?;
        let action = screen.action(&step.action_id);
        let takes_value = action
            .is_some_and(|one| matches!(one.action_type.as_str(), "input" | "select_dropdown"));
        if let (true, Some(action), Some(value)) = (takes_value, action, &step.value) {
            let parameter = slug(&action.name, 30);
            parameters.insert(parameter.clone(), value.clone());
            step.parameter = Some(parameter);
        }
    }
    let record = seen.records.get(task.record)?;
    Some(KnownTask {
        task_id: format!(
            "{}_{}",
            slug(&task.goal, 40),
            &record.digest[..record.digest.len().min(6)]
        ),
        name: task.goal.clone(),
        start_screen_id: taken.first().map(|step| step.screen_id.clone()),
        end_screen_id: taken.last().map(|step| step.to_screen_id.clone()),
        steps: taken,
        parameters,
        seen_in: task.record,
    })
}
