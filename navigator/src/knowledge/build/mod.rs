//! From what was seen to a knowledge.

pub(crate) mod actions;
mod cluster;
mod families;
pub(crate) mod forms;
pub(crate) mod names;
pub mod reading;
pub(crate) mod screens;
pub mod sighting;
mod thresholds;

use std::collections::{BTreeMap, BTreeSet};

use crate::knowledge::build::actions::{ActionDone, action_of, done_on, sets_value};
use crate::knowledge::build::cluster::groups_of;
use crate::knowledge::build::names::{ScreenNames, slug};
use crate::knowledge::build::screens::{cut, screen_of, share_counts};
use crate::knowledge::build::sighting::{ScreenSighting, SeenStep, SeenTask};
use crate::knowledge::build::thresholds::{BY_FEATURES, BY_TEXT, thresholds_of};
use crate::knowledge::model::places::SeenPlaces;
use crate::knowledge::model::shared_text::SharedText;
use crate::knowledge::model::transition_key::TransitionKey;
use crate::knowledge::model::{
    Knowledge, KnownAction, KnownRecord, KnownScreen, KnownTask, Preparation, TaskStep, Transition,
    VERSION,
};
use crate::walk::action::{ControlOperation, WalkAction};
use crate::walk::screen::Screen;

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
        group.members.iter().for_each(|sighting| of_sighting[*sighting] = at);
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
    share_counts(&mut screens);
    screens.sort_by(|a, b| a.screen_id.cmp(&b.screen_id));
    let mut knowledge = Knowledge {
        version: VERSION,
        screens,
        transitions: transitions.into_values().map(|way| way.transition).collect(),
        tasks,
        ..Knowledge::default()
    };
    cut(&mut knowledge, |_| true);
    let trials = |evidence| thresholds_of(&knowledge, &seen.sightings, &screen_ids, evidence);
    let (thresholds, text_thresholds) = (trials(BY_FEATURES), trials(BY_TEXT));
    (knowledge.thresholds, knowledge.text_thresholds) = (thresholds, text_thresholds);
    knowledge.records = seen.records;
    knowledge.places = seen.places.into_places();
    BuiltKnowledge { knowledge, screen_ids }
}

/// A transition, and the step of a walk that it was seen in first.
struct FirstSeen {
    transition: Transition,
    number: u32,
    /// What it needs made its control appear.
    appeared: bool,
}

/// The steps that were seen, as they become transitions.
struct SeenWays<'s> {
    seen: &'s SeenSite,
    of_sighting: Vec<usize>,
    screens: Vec<KnownScreen>,
    /// The positions of the actions of each screen, by their identifiers.
    positions: Vec<BTreeMap<SharedText, usize>>,
    transitions: BTreeMap<TransitionKey, FirstSeen>,
    /// The step of a task that each step is.
    steps: BTreeMap<usize, TaskStep>,
    /// What was done on the current screen without leaving it.
    prepared: Vec<SeenPreparation>,
    /// What each recording has written into fields so far, in lower case.
    written: BTreeMap<usize, BTreeSet<String>>,
    last: Option<usize>,
    /// The screens that lie under the current one: those that it was entered through, and not
    /// returned to yet.
    under: Vec<usize>,
}

impl<'s> SeenWays<'s> {
    fn new(seen: &'s SeenSite, of_sighting: Vec<usize>, screens: Vec<KnownScreen>) -> SeenWays<'s> {
        let ids = |screen: &KnownScreen| {
            screen.actions.iter().map(|one| one.action_id.clone()).zip(0..).collect()
        };
        SeenWays {
            seen,
            of_sighting,
            positions: screens.iter().map(ids).collect(),
            screens,
            transitions: BTreeMap::new(),
            steps: BTreeMap::new(),
            prepared: Vec::new(),
            written: BTreeMap::new(),
            last: None,
            under: Vec::new(),
        }
    }

    /// Adds a step, by its position.
    fn add(&mut self, position: usize) {
        let step = &self.seen.steps[position];
        let (from, to) = (self.of_sighting[step.from], self.of_sighting[step.to]);
        if self.last.replace(step.to) != Some(step.from) {
            self.prepared.clear();
            self.under.clear();
        }
        let returns = self.step_between(from, to);
        let (before, after) = (&self.seen.sightings[step.from], &self.seen.sightings[step.to]);
        let Some(done) = done_on(before, &step.action) else { return };
        let to_screen_id = self.screens[to].screen_id.clone();
        let (screen, positions) = (&mut self.screens[from], &mut self.positions[from]);
        // What is seldom done with a control, such as a double click, is known once it was done.
        if let Some(action) = &done.action
            && !positions.contains_key(&done.action_id)
        {
            positions.insert(done.action_id.clone(), screen.actions.len());
            screen.actions.push(KnownAction { record: Some(before.record), ..action.clone() });
        }
        if let Some(at) = positions.get(&done.action_id) {
            let action = &mut screen.actions[*at];
            action.times_done += 1;
            action.effect = action.effect.max(step.effect);
        }
        let from_screen_id = screen.screen_id.clone();
        self.steps.insert(
            position,
            TaskStep {
                screen_id: from_screen_id.clone(),
                action_id: done.action_id.to_string(),
                value: done.value.clone(),
                parameter: None,
                label: done.label.as_deref().map(str::to_owned),
                to_screen_id: to_screen_id.clone(),
            },
        );
        let is_same = from == to;
        let (prepared, appeared) = match is_same {
            true => (Vec::new(), false),
            false => needed(std::mem::take(&mut self.prepared), &done.action_id),
        };
        let is_of_own_data = self.is_of_own_data(before.record, &step.action);
        if is_same {
            let is_kept = self.screens[from].keeps(&done.action_id);
            self.prepare(&done, sets_value(before, &step.action), is_kept, (before, after));
        }
        // What stands for many controls is another one on each page.
        let page = done.label.is_some().then(|| before.screen.address.as_str().into());
        let transition = Transition {
            from_address: page,
            from_screen_id: from_screen_id.into(),
            to_screen_id: to_screen_id.into(),
            action_id: Some(done.action_id),
            value: done.value,
            label: done.label,
            prepared,
            address: after.screen.address.as_str().into(),
            times_seen: 0,
            last_seen: (0, 0),
            is_of_own_data,
            returns,
        };
        self.count(transition, step.number, after.record, appeared);
    }

    /// Takes note of a step, and reports whether it leads back to the screen before.
    fn step_between(&mut self, from: usize, to: usize) -> bool {
        if from == to {
            return false;
        }
        let returns = self.under.last() == Some(&to);
        if returns {
            self.under.pop();
        } else {
            self.under.push(from);
        }
        returns
    }

    /// Takes note of what was done on a screen without leaving it: a value, or what made controls
    /// appear.
    fn prepare(
        &mut self,
        done: &ActionDone,
        sets_value: bool,
        is_kept: bool,
        (before, after): (&ScreenSighting, &ScreenSighting),
    ) {
        let (action_id, value) = (done.action_id.to_string(), done.value.clone());
        let appeared = match sets_value {
            // A field that only some pages of the screen have is data.
            true if !is_kept => return,
            true => None,
            false => {
                let (old, new) = (actions_on(&before.screen), actions_on(&after.screen));
                Some(new.difference(&old).cloned().collect())
            }
        };
        self.prepared.retain(|one| one.preparation.action_id != action_id);
        self.prepared
            .push(SeenPreparation { preparation: Preparation { action_id, value }, appeared });
    }

    /// Reports whether a control is called what the recording wrote before, and keeps what a step
    /// writes.
    fn is_of_own_data(&mut self, record: usize, action: &WalkAction) -> bool {
        let written = self.written.entry(record).or_default();
        match action {
            WalkAction::Operate { operation: ControlOperation::Fill { text }, .. }
                if text.len() >= LEAST_WRITTEN =>
            {
                written.insert(text.to_lowercase());
                false
            }
            WalkAction::Click { label, .. } => {
                let label = label.to_lowercase();
                written.iter().any(|text| label.contains(text.as_str()))
            }
            _ => false,
        }
    }

    fn count(&mut self, transition: Transition, number: u32, record: usize, appeared: bool) {
        let key = transition.key();
        let first = FirstSeen { transition: transition.clone(), number, appeared };
        let known = self.transitions.entry(key).or_insert(first);
        // Early in a walk a form is empty, and all that it needs is done. What made the control
        // appear says more than that it was there already.
        if (!appeared, number) < (!known.appeared, known.number) {
            (known.appeared, known.number) = (appeared, number);
            known.transition.prepared.clone_from(&transition.prepared);
        }
        known.transition.times_seen += 1;
        known.transition.returns &= transition.returns;
        known.transition.last_seen = known.transition.last_seen.max((record, number));
    }
}

/// The shortest text of a field that can name something, in bytes.
const LEAST_WRITTEN: usize = 4;

/// What was done on a screen without leaving it.
struct SeenPreparation {
    preparation: Preparation,
    /// The actions that appeared with it; `None` for a value, which any step may need.
    appeared: Option<BTreeSet<String>>,
}

/// Returns what has to be done before an action, all values and what made it appear, and whether
/// something did.
fn needed(seen: Vec<SeenPreparation>, action_id: &str) -> (Vec<Preparation>, bool) {
    let mut has_appeared = false;
    let mut wanted = BTreeSet::from([action_id.to_owned()]);
    let mut needed = Vec::new();
    for one in seen.into_iter().rev() {
        let is_needed = one.appeared.as_ref().is_none_or(|appeared| !appeared.is_disjoint(&wanted));
        if is_needed {
            has_appeared |= one.appeared.is_some();
            wanted.insert(one.preparation.action_id.clone());
            needed.push(one.preparation);
        }
    }
    needed.reverse();
    (needed, has_appeared)
}

/// Returns the identifiers of what can be done on a screen.
fn actions_on(screen: &Screen) -> BTreeSet<String> {
    screen
        .entries
        .iter()
        .filter_map(|entry| action_of(screen, entry))
        .map(|action| action.action_id.to_string())
        .collect()
}

fn task_of(
    task: &SeenTask,
    seen: &SeenSite,
    steps: &BTreeMap<usize, TaskStep>,
    screens: &[KnownScreen],
) -> Option<KnownTask> {
    let mut taken: Vec<TaskStep> =
        task.steps.clone().filter_map(|at| steps.get(&at).cloned()).collect();
    let mut parameters = BTreeMap::new();
    // The field that each parameter is for: two fields may have one name.
    let mut fields: BTreeMap<String, _> = BTreeMap::new();
    for step in &mut taken {
        let screen = screens.iter().find(|one| one.screen_id == step.screen_id)?;
        let action = screen.action(&step.action_id);
        let takes_value = action
            .is_some_and(|one| matches!(one.action_type.as_str(), "input" | "select_dropdown"));
        if let (true, Some(action), Some(value)) = (takes_value, action, &step.value) {
            let field = (step.screen_id.clone(), step.action_id.clone());
            let name = slug(&action.name, 30);
            let is_other = |name: &String| fields.get(name).is_some_and(|other| *other != field);
            let numbered = (2..).map(|n| format!("{name}_{n}"));
            let mut names = std::iter::once(name.clone()).chain(numbered);
            let parameter = names.find(|name| !is_other(name))?;
            fields.insert(parameter.clone(), field);
            parameters.insert(parameter.clone(), value.clone());
            step.parameter = Some(parameter);
        }
    }
    let record = seen.records.get(task.record)?;
    Some(KnownTask {
        task_id: format!("{}_{:.6}", slug(&task.goal, 40), record.digest),
        name: task.goal.clone(),
        start_screen_id: taken.first().map(|step| step.screen_id.clone()),
        end_screen_id: taken.last().map(|step| step.to_screen_id.clone()),
        steps: taken,
        parameters,
        seen_in: task.record,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::build::screens::address_indicator;
    use crate::knowledge::model::EffectClass;
    use crate::walk::screen::{EntryKind, ScreenEntry};

    /// A screen of an application under one address, with buttons.
    fn screen(title: &str, buttons: &[&str]) -> ScreenSighting {
        let entry = |label: &&str| ScreenEntry::new(EntryKind::Button, *label);
        let screen = Screen {
            address: "http://a.example/".to_owned(),
            title: title.to_owned(),
            entries: buttons.iter().map(entry).collect(),
            is_live: true,
            ..Screen::default()
        };
        ScreenSighting::new(0, screen, false)
    }

    #[test]
    fn what_leads_on_is_no_return_though_it_once_led_back() {
        let page = |title: &str| screen(title, &["Menu", title, "Sort", "Filter"]);
        let form = || screen("Form", &["Name", "Next", "Town", "Help"]);
        let end = || screen("End", &["Back", "Send", "Total", "Terms"]);
        let menu = || screen("Menu", &["Close", "Profile", "Log out", "Theme"]);
        let sightings = vec![page("List"), menu(), page("List"), form(), end(), form(), end()];
        let clicks =
            [(1, "Menu"), (1, "Close"), (2, "List"), (2, "Next"), (1, "Back"), (2, "Next")];
        let steps = clicks.iter().enumerate().map(|(at, (number, label))| SeenStep {
            from: at,
            to: at + 1,
            action: WalkAction::Click { number: *number, label: (*label).to_owned() },
            number: at as u32 + 1,
            effect: EffectClass::Reads,
        });
        let seen = SeenSite { sightings, steps: steps.collect(), ..SeenSite::default() };
        let built = build(seen).knowledge;
        let returns = built.transitions.iter().filter(|way| way.returns);
        let ids: Vec<&str> = returns.filter_map(|way| way.action_id.as_deref()).collect();
        assert_eq!(built.screens.len(), 4);
        assert!(ids.len() == 2 && ids.iter().any(|id| id.contains("close")), "{ids:?}");
        assert!(ids.iter().any(|id| id.contains("back")), "{ids:?}");
    }

    #[test]
    fn no_two_screens_have_one_identifier() {
        let results = |buttons: &[&str]| screen("Results", buttons);
        let sightings = vec![
            results(&["Buy", "Sell", "Hold"]),
            results(&["Print", "Fax", "Copy"]),
            screen("Results 2", &["Red", "Green", "Blue"]),
        ];
        let built = build(SeenSite { sightings, ..SeenSite::default() }).knowledge;
        let ids: BTreeSet<&str> = built.screens.iter().map(|one| one.screen_id.as_str()).collect();
        assert_eq!((built.screens.len(), ids.len()), (3, 3), "{ids:?}");
    }

    #[test]
    fn an_action_that_nobody_did_has_the_warning_of_its_name() {
        let mut page = screen("Items", &["Delete", "Sort", "🗑️ Milk"]);
        let link = |label: &str, target: &str| ScreenEntry {
            target: Some(format!("http://a.example/{target}")),
            ..ScreenEntry::new(EntryKind::Link, label)
        };
        let links = [link("Next", "delete?id=2"), link("Sort order", "sort"), link("Trash", "bin")];
        page.screen.entries.extend(links);
        page.screen.entries.push(ScreenEntry::new(EntryKind::Field, "Delete reason"));
        let page = ScreenSighting::new(0, page.screen, true);
        let seen = SeenSite { sightings: vec![page], ..SeenSite::default() };
        let knowledge = build(seen).knowledge;
        let actions = &knowledge.screens[0].actions;
        let warned = actions.iter().filter(|action| action.effect == EffectClass::Destroys);
        let warned: BTreeSet<&str> =
            warned.map(|action| action.example.as_ref().unwrap_or(&action.name).as_str()).collect();
        assert_eq!(warned, BTreeSet::from(["Delete", "Next", "🗑️ Milk"]));
        assert!(actions.len() >= 7, "{actions:?}");
    }

    #[test]
    fn a_count_on_one_screen_is_known_on_all_and_several_addresses_are_one_indicator() {
        let page = |path: &str, title: &str, buttons: &[&str]| {
            let mut seen = screen(title, buttons);
            seen.screen.address = format!("http://a.example/{path}");
            ScreenSighting::new(0, seen.screen, true)
        };
        let sightings = vec![
            page("", "Home", &["Search", "Cart", "News", "Map"]),
            page("tools", "Goods", &["Sort", "Cart 2", "Filter", "Compare"]),
        ];
        let knowledge = build(SeenSite { sightings, ..SeenSite::default() }).knowledge;
        let carts = knowledge.screens.iter().flat_map(|screen| &screen.actions);
        let carts: Vec<bool> =
            carts.filter(|action| action.name == "Cart").map(|action| action.has_count).collect();
        assert!(carts.len() >= 2 && carts.iter().all(|has_count| *has_count), "{carts:?}");
        let patterns = ["^a$".to_owned(), "^b$".to_owned()];
        assert_eq!(address_indicator(&patterns).unwrap().pattern.unwrap(), "(?:^a$)|(?:^b$)");
    }

    #[test]
    fn an_address_with_a_masked_secret_opens_nothing() {
        let mut seen = screen("Reset", &["Save", "Cancel"]);
        seen.screen.address = "http://a.example/reset/[masked: github-token]".to_owned();
        let sightings = vec![ScreenSighting::new(0, seen.screen, true)];
        let knowledge = build(SeenSite { sightings, ..SeenSite::default() }).knowledge;
        let screen = &knowledge.screens[0];
        assert!(!screen.addresses[0].opens);
        assert_eq!(screen.templates[0].as_str(), "http://a.example/reset/{}");
    }
}
