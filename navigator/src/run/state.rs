//! All that a turn needs to know: rules, decision log, complaints, feedback. A few kilobytes,
//! whatever the repository.

use repo_map::plan::{ItemRule, Rule, exact_glob};
use repo_map::{FlightPlan, Level, LevelRange, Sanitized};
use serde::{Deserialize, Serialize};

use crate::money::versioned;
use crate::run::action::{Change, Focus, RuleChange};
use crate::run::decision_log::{ActionKind, LogEntry, LoggedChange};

/// The version of the format in which states are kept.
const VERSION: u32 = 2;

/// The state of an exploration between two turns. [`to_json`] and [`from_json`] keep it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Fences text of the repository in requests; drawn once a run, so that no file can know it.
    pub boundary: String,
    /// How many turns were taken.
    pub turns: u32,
    /// The person's rules: bounds that no pilot passes.
    pub bounds: Vec<Rule>,
    /// The pilot's rules, clamped to the bounds when they are applied.
    pub rules: Vec<Rule>,
    /// What was decided so far.
    pub log: Vec<LogEntry>,
    /// What was wrong with the last reply, or did not come out as it was asked.
    pub complaints: Vec<String>,
    /// What the person said.
    pub feedback: Vec<Feedback>,
    /// What each turn sent and got.
    pub traffic: Vec<TurnTokens>,
    /// Set when the pilot finalized: what it said, and its focus areas.
    pub finalized: Option<(String, Vec<Focus>)>,
    /// Why the run ended, in the word for machines; none while it goes on.
    pub ended: Option<String>,
}

/// What a person said, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// The turn it followed; 0 before the first.
    pub after: u32,
    /// The words.
    pub text: Sanitized,
}

/// The size of what a turn sent and got, in tokens by the map's tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnTokens {
    /// The turn.
    pub turn: u32,
    /// What is the same in each turn.
    pub stable: u32,
    /// What the turn added.
    pub own: u32,
    /// The answer.
    pub reply: u32,
}

/// What the requests of a run came to, and what they would have with the whole history in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Saving {
    /// What was sent from the third turn on, in tokens.
    pub sent: u64,
    /// What full history would have sent from the third turn on.
    pub with_history: u64,
}

impl State {
    /// The state before the first turn: a person's rules, and rules to start from.
    pub fn new(boundary: String, bounds: Vec<Rule>, rules: Vec<Rule>) -> State {
        State {
            boundary,
            turns: 0,
            bounds,
            rules,
            log: Vec::new(),
            complaints: Vec::new(),
            feedback: Vec::new(),
            traffic: Vec::new(),
            finalized: None,
            ended: None,
        }
    }

    /// The state before the first turn of a run for a plan: its rules are the bounds, the first
    /// look is from above.
    ///
    /// # Panics
    /// When the system has no randomness to give.
    pub fn of(plan: &FlightPlan) -> State {
        State::new(boundary(), plan.rules.clone(), State::from_above())
    }

    /// The first look from above: folders as lines, and the names in the files that matter most.
    pub fn from_above() -> Vec<Rule> {
        vec![Rule::new("**", LevelRange { floor: Level::Exclude, ceiling: Level::Outline })]
    }

    /// The state that a log leads to, from the bounds and rules that its run began with: all that
    /// is decided, not what was sent.
    pub fn replay(bounds: Vec<Rule>, rules: Vec<Rule>, log: &[LogEntry]) -> State {
        let mut state = State::new(String::new(), bounds, rules);
        for entry in log {
            state.take(entry);
            state.log.push(entry.clone());
        }
        state
    }

    /// Takes in what an entry of the log says. This alone changes bounds and rules, so that the log
    /// rebuilds them.
    pub(crate) fn take(&mut self, entry: &LogEntry) {
        if entry.action.is_turn() {
            self.turns = entry.step;
        }
        match entry.action {
            ActionKind::UpdateFlightPlan => self.apply(&entry.changes),
            ActionKind::FinalizeContext => {
                self.finalized = Some((entry.reasoning.clone(), entry.focus.clone()))
            }
            ActionKind::NoUsableAnswer | ActionKind::Stopped => {}
            ActionKind::PersonEdit => {
                self.finalized = None;
                if let Some(LoggedChange { bounds, rules }) = entry.edit.clone() {
                    (self.bounds, self.rules) = (bounds, rules);
                }
            }
            ActionKind::PersonFeedback => {
                self.finalized = None;
                self.feedback
                    .push(Feedback { after: entry.step, text: entry.reasoning.as_str().into() });
            }
        }
    }

    /// Takes the changes of one answer in. A rule for the same paths replaces an earlier one, of
    /// this answer too; a level for a file takes back what earlier answers said of its items. An
    /// item that the answer names wins over its file, whatever their order.
    pub fn apply(&mut self, changes: &[RuleChange]) {
        for change in changes {
            if let Change::Paths(glob, _) = &change.target {
                self.rules.retain(|rule| rule.path != *glob);
                self.rules.push(change.rule());
            }
        }
        for change in changes {
            if let Change::Item(path, item) = &change.target {
                self.apply_to_item(exact_glob(path), item, change);
            }
        }
    }

    /// One rule holds what is said of a file and of its items, and it is the latest: an item shows
    /// only where its file may.
    fn apply_to_item(&mut self, glob: String, item: &ItemRule, change: &RuleChange) {
        let (of_file, others): (Vec<Rule>, Vec<Rule>) =
            std::mem::take(&mut self.rules).into_iter().partition(|rule| rule.path == glob);
        self.rules = others;
        let level = of_file
            .iter()
            .rev()
            .find_map(|rule| rule.level)
            .filter(|level| level.ceiling >= Level::Path);
        let level = level.unwrap_or(LevelRange { floor: Level::Exclude, ceiling: Level::Full });
        let mut items: Vec<ItemRule> =
            of_file.into_iter().filter_map(|rule| rule.items).next_back().unwrap_or_default();
        items.retain(|one| one.name != item.name);
        items.push(item.clone());
        self.rules.push(Rule { level: Some(level), items: Some(items), ..change.rule() });
    }

    /// Whether a change would change no rule, nor the order of those that matter: only the latest
    /// rule is surely in force.
    pub(crate) fn is_in_force(&self, change: &RuleChange) -> bool {
        let path = match &change.target {
            Change::Paths(glob, _) => glob.clone(),
            Change::Item(path, _) => exact_glob(path),
        };
        let covers = |rule: &Rule| {
            rule.path.contains(['*', '?', '[']) || path.starts_with(rule.path.trim_end_matches('/'))
        };
        let after = |at: usize| !self.rules[at + 1..].iter().any(covers);
        match &change.target {
            Change::Paths(glob, level) => {
                let same = self
                    .rules
                    .iter()
                    .position(|rule| rule.path == *glob && rule.level == Some(*level));
                same.is_some_and(after)
            }
            Change::Item(path, item) => {
                let has_it = |rule: &Rule| {
                    rule.path == exact_glob(path)
                        && rule.items.iter().flatten().any(|one| one == item)
                };
                self.rules.iter().position(has_it).is_some_and(after)
            }
        }
    }

    /// What the pilot asked for by name, each a path or glob, an item of it, and a level: not what
    /// it left to the fit.
    pub(crate) fn asked_for(&self) -> Vec<(&str, Option<&str>, Level)> {
        let mut asked = Vec::new();
        for rule in &self.rules {
            if let Some(level) = rule.level.filter(|level| level.floor == level.ceiling) {
                asked.push((rule.path.as_str(), None, level.floor));
            }
            asked.extend(
                rule.items
                    .iter()
                    .flatten()
                    .map(|item| (rule.path.as_str(), Some(item.name.as_str()), item.level)),
            );
        }
        asked
    }

    /// What was sent, against what a conversation would have sent: each turn all that was said
    /// before it.
    pub fn saving(&self) -> Saving {
        let mut saving = Saving::default();
        let mut history = 0;
        for (at, traffic) in self.traffic.iter().enumerate() {
            let sent = u64::from(traffic.stable) + u64::from(traffic.own);
            if at >= 2 {
                saving.sent += sent;
                saving.with_history += history + sent;
            }
            history += u64::from(traffic.own) + u64::from(traffic.reply);
        }
        saving
    }
}

/// A state as it is kept on disk: one line, with the version of its format.
pub fn to_json(state: &State) -> Sanitized {
    versioned::to_json(VERSION, state)
}

/// Reads a state that was kept on disk.
///
/// # Errors
/// A sentence, when it cannot be read or a newer navigator has written it.
pub fn from_json(text: &str) -> Result<State, String> {
    versioned::from_json(VERSION, text)
}

/// A boundary that no text can have been written to imitate.
///
/// # Panics
/// When the system has no randomness to give.
pub fn boundary() -> String {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A person's rules, with the globs that are to be considered before them and those that are never
/// to be shown after them.
pub fn bounds(rules: Vec<Rule>, include: &[String], exclude: &[String]) -> Vec<Rule> {
    let mut bounds = Vec::new();
    if !include.is_empty() {
        bounds.push(Rule::new("**", LevelRange::exactly(Level::Exclude)));
        bounds.extend(include.iter().map(|glob| Rule::new(glob, LevelRange::ANY)));
    }
    bounds.extend(rules);
    bounds.extend(exclude.iter().map(|glob| Rule::new(glob, LevelRange::exactly(Level::Exclude))));
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_rule_replaces_an_earlier_one() {
        let mut state = State::new(String::new(), Vec::new(), Vec::new());
        let exactly = LevelRange::exactly;
        state.apply(&[
            RuleChange::paths("/a.rs", exactly(Level::Full), ""),
            RuleChange::item("a.rs", "f", Level::Full, ""),
        ]);
        state.apply(&[
            RuleChange::item("a.rs", "g", Level::Outline, ""),
            RuleChange::item("a.rs", "f", Level::Exclude, ""),
        ]);
        let items = |state: &State| -> Vec<String> {
            let rules = state.rules.iter().filter_map(|rule| rule.items.as_ref()).flatten();
            rules.map(|item| format!("{} {}", item.name, item.level)).collect()
        };
        assert_eq!(items(&state), ["g outline", "f exclude"]);
        assert_eq!(state.rules[0].level, Some(exactly(Level::Full)), "the file keeps its level");
        state.apply(&[RuleChange::paths("/a.rs", exactly(Level::Path), "")]);
        assert_eq!(state.rules.len(), 1, "{:?}", state.rules);
        assert!(items(&state).is_empty());
    }

    #[test]
    fn in_one_answer_an_item_wins_over_its_file_and_the_last_of_two_levels_holds() {
        let level = |glob: &str, level| RuleChange::paths(glob, LevelRange::exactly(level), "");
        let file = level("/a.rs", Level::Path);
        let item = RuleChange::item("a.rs", "f", Level::Full, "");
        let fold = level("src/**", Level::Fold);
        let rules = |changes: &[&RuleChange]| {
            let mut state = State::new(
                String::new(),
                Vec::new(),
                vec![Rule::new("/a.rs", LevelRange::exactly(Level::Full))],
            );
            state.apply(&changes.iter().copied().cloned().collect::<Vec<_>>());
            let items = |rule: &Rule| {
                rule.items
                    .iter()
                    .flatten()
                    .map(|item| format!(" #{} {}", item.name, item.level))
                    .collect::<String>()
            };
            state
                .rules
                .iter()
                .map(|rule| format!("{} {}{}", rule.path, rule.level.unwrap(), items(rule)))
                .collect::<Vec<_>>()
        };
        assert_eq!(rules(&[&file, &item]), ["/a.rs path #f full"]);
        assert_eq!(rules(&[&item, &file]), ["/a.rs path #f full"]);
        assert_eq!(rules(&[&item, &fold]), ["src/** fold", "/a.rs full #f full"]);
        assert_eq!(
            rules(&[&level("/a.rs", Level::Full), &fold, &file]),
            ["src/** fold", "/a.rs path"]
        );
    }

    #[test]
    fn a_change_that_a_later_one_covers_is_not_in_force() {
        let mut state = State::new(
            String::new(),
            Vec::new(),
            vec![Rule::new("**", LevelRange::exactly(Level::Fold))],
        );
        let file = RuleChange::paths("/src/a.rs", LevelRange::exactly(Level::Full), "");
        let item = RuleChange::item("src/a.rs", "f", Level::Full, "");
        state.apply(&[file.clone(), item.clone()]);
        assert!(state.is_in_force(&file) && state.is_in_force(&item));
        for glob in ["src/**", "/src", "/src/", "**"] {
            let mut covered = state.clone();
            covered.apply(&[RuleChange::paths(glob, LevelRange::exactly(Level::Fold), "")]);
            assert!(!covered.is_in_force(&file) && !covered.is_in_force(&item), "{glob}");
            covered.apply(std::slice::from_ref(&item));
            assert!(covered.is_in_force(&item), "{glob}");
        }
    }

    #[test]
    fn the_saving_counts_from_the_third_turn() {
        let mut state = State::new(String::new(), Vec::new(), Vec::new());
        state.traffic =
            (1..=4).map(|turn| TurnTokens { turn, stable: 10, own: 100, reply: 5 }).collect();
        assert_eq!(state.saving(), Saving { sent: 220, with_history: 110 + 210 + 110 + 315 });
    }
}
