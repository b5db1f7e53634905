//! From what was seen to a knowledge.

use std::collections::BTreeMap;

use crate::knowledge::actions::{done_on, sets_value};
use crate::knowledge::cluster::groups_of;
use crate::knowledge::model::{
    Knowledge, KnownRecord, KnownScreen, KnownTask, Preparation, TaskStep, Transition, VERSION,
};
use crate::knowledge::names::{ScreenNames, slug};
use crate::knowledge::screens::{cut, screen_of};
use crate::knowledge::sighting::{SeenStep, SeenTask, Sighting};
use crate::knowledge::thresholds::thresholds_of;

/// All that was seen in recordings.
#[derive(Debug, Default)]
pub struct SeenSite {
    /// The recordings.
    pub records: Vec<KnownRecord>,
    /// The screens, in the order of recordings.
    pub sightings: Vec<Sighting>,
    /// The steps between them.
    pub steps: Vec<SeenStep>,
    /// The walks that reached their goal.
    pub tasks: Vec<SeenTask>,
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
    let mut ids = ScreenNames::new(&seen.sightings, &groups);
    let mut of_sighting: Vec<usize> = vec![0; seen.sightings.len()];
    let mut screens: Vec<KnownScreen> = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        group.iter().for_each(|sighting| of_sighting[*sighting] = at);
        screens.push(screen_of(&seen.sightings, group, ids.next(group)));
    }
    let mut transitions: BTreeMap<TransitionKey, Transition> = BTreeMap::new();
    let mut steps_of_task: BTreeMap<usize, Vec<TaskStep>> = BTreeMap::new();
    let mut prepared: Vec<Preparation> = Vec::new();
    let mut last: Option<usize> = None;
    for (position, step) in seen.steps.iter().enumerate() {
        let (from, to) = (of_sighting[step.from], of_sighting[step.to]);
        if last.replace(step.to) != Some(step.from) {
            prepared.clear();
        }
        let before = &seen.sightings[step.from];
        let Some(done) = done_on(before, &step.action) else { continue };
        let to_id = screens[to].screen_id.clone();
        let from_screen = &mut screens[from];
        if let Some(action) =
            from_screen.actions.iter_mut().find(|one| one.action_id == done.action_id)
        {
            action.times_done += 1;
            action.effect = action.effect.max(step.effect);
        }
        let after = &seen.sightings[step.to];
        let transition = Transition {
            from_screen_id: from_screen.screen_id.clone(),
            to_screen_id: to_id.clone(),
            action_id: Some(done.action_id.clone()),
            value: done.value.clone(),
            label: done.label.clone(),
            prepared: if from == to { Vec::new() } else { std::mem::take(&mut prepared) },
            address: after.screen.address.clone(),
            times_seen: 0,
            last_seen: (0, 0),
        };
        if from == to && sets_value(before, &step.action) {
            let (action_id, value) = (done.action_id.clone(), done.value.clone());
            prepared.retain(|one| one.action_id != action_id);
            prepared.push(Preparation { action_id, value });
        }
        steps_of_task.entry(position).or_default().push(TaskStep {
            screen_id: transition.from_screen_id.clone(),
            action_id: done.action_id,
            value: done.value,
            parameter: None,
            label: done.label,
            to_screen_id: to_id,
        });
        let key = (
            transition.from_screen_id.clone(),
            transition.action_id.clone(),
            transition.label.clone(),
            transition.to_screen_id.clone(),
        );
        let known = transitions.entry(key).or_insert_with(|| transition.clone());
        // The least that was needed.
        if transition.prepared.len() < known.prepared.len() {
            known.prepared = transition.prepared;
        }
        known.times_seen += 1;
        known.last_seen = known.last_seen.max((after.record, step.number));
    }
    let screen_ids: Vec<String> =
        of_sighting.iter().map(|at| screens[*at].screen_id.clone()).collect();
    let tasks = seen
        .tasks
        .iter()
        .filter_map(|task| task_of(task, &seen, &steps_of_task, &screens))
        .collect();
    screens.iter_mut().for_each(cut);
    screens.sort_by(|a, b| a.screen_id.cmp(&b.screen_id));
    let mut knowledge = Knowledge {
        version: VERSION,
        records: seen.records,
        screens,
        transitions: transitions.into_values().collect(),
        tasks,
        ..Knowledge::default()
    };
    knowledge.thresholds = thresholds_of(&knowledge, &seen.sightings, &screen_ids);
    BuiltKnowledge { knowledge, screen_ids }
}

/// What makes two transitions one: where, what, on which of many, and where to.
type TransitionKey = (String, Option<String>, Option<String>, String);

fn task_of(
    task: &SeenTask,
    seen: &SeenSite,
    steps: &BTreeMap<usize, Vec<TaskStep>>,
    screens: &[KnownScreen],
) -> Option<KnownTask> {
    let mut taken: Vec<TaskStep> =
        task.steps.clone().filter_map(|at| steps.get(&at)).flatten().cloned().collect();
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
