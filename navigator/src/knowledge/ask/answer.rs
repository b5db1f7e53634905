//! The actions of an answer, as other agents run them.

use crate::knowledge::ask::question::{
    AgentAction, AgentInstruction, AgentResponse, ExpectedResult, LeftOutActions,
};
use crate::knowledge::ask::route::RouteStep;
use crate::knowledge::dialect::ActionWords;
use crate::knowledge::evidence::element_list::numbers_of;
use crate::knowledge::model::feature::feature_words;
use crate::knowledge::model::{EffectClass, KnownAction, KnownScreen};

/// The number of actions that are named of those that are left out for one reason.
const MAX_NAMED: usize = 5;
/// The number of reasons that an answer names; a file of others can have one for each action.
const MAX_REASONS: usize = 20;
/// What stands for all further reasons.
const OTHER_REASONS: &str = "other reasons";
/// The confidence in what was seen once; more sightings add to it.
pub(super) const ONCE: f64 = 0.8;

/// Returns how sure something is that was seen so often.
pub(super) fn confidence(times: u32) -> f64 {
    if times == 0 {
        return 0.5;
    }
    let sure = 1.0 - (1.0 - ONCE) / f64::from(times);
    (sure * 100.0).round() / 100.0
}

/// A step to write as an action.
pub(super) struct DoneStep<'a> {
    pub(super) screen_id: &'a str,
    pub(super) action_id: &'a str,
    pub(super) action: Option<&'a KnownAction>,
    pub(super) value: Option<String>,
    pub(super) label: Option<&'a str>,
    pub(super) confidence: f64,
    pub(super) may_lead_to: &'a [&'a str],
}

/// Writes the actions of an answer.
pub(super) struct ActionWriter<'a> {
    question: &'a AgentInstruction,
    /// The numbers and labels of the elements that the agent has sent.
    elements: Vec<(u64, &'a str)>,
    actions: Vec<AgentAction>,
    left_out: Vec<LeftOutActions>,
}

impl<'a> ActionWriter<'a> {
    pub(super) fn new(question: &'a AgentInstruction) -> ActionWriter<'a> {
        let text = question.context.dom_summary.as_deref();
        let elements = text.map(numbers_of).unwrap_or_default();
        ActionWriter { question, elements, actions: Vec::new(), left_out: Vec::new() }
    }

    /// Writes one of several choices. What the agent cannot do is no choice for it, and is said.
    pub(super) fn offer(&mut self, done: &DoneStep<'_>) {
        if let Err(reason) = self.write_from(done, true) {
            self.leave_out(reason, 1, Some(done.action_id));
        }
    }

    /// Says that the answer lacks actions.
    pub(super) fn leave_out(&mut self, reason: String, n_actions: usize, action_id: Option<&str>) {
        let place = |reason: &str| self.left_out.iter().position(|one| one.reason == reason);
        let is_known = self.left_out.len() < MAX_REASONS || place(&reason).is_some();
        let reason = if is_known { reason } else { OTHER_REASONS.to_owned() };
        let at = place(&reason).unwrap_or_else(|| {
            self.left_out.push(LeftOutActions { reason, n_actions: 0, action_ids: Vec::new() });
            self.left_out.len() - 1
        });
        let left_out = &mut self.left_out[at];
        left_out.n_actions += n_actions;
        let room = MAX_NAMED - left_out.action_ids.len();
        left_out.action_ids.extend(action_id.into_iter().take(room).map(str::to_owned));
    }

    pub(super) fn answer(self, end: Option<&KnownScreen>) -> AgentResponse {
        AgentResponse {
            success: true,
            actions: self.actions,
            left_out: self.left_out,
            expected_result: end.map(|screen| ExpectedResult {
                screen_id: screen.screen_id.clone(),
                verification: screen.state_signature.clone(),
            }),
            ..AgentResponse::default()
        }
    }

    /// Returns the value of a parameter: the one of the question, else the one that was seen.
    pub(super) fn parameter(&self, name: Option<&str>, seen: Option<&str>) -> Option<String> {
        let given = name.and_then(|name| {
            let wanted = feature_words(name);
            let parameters = &self.question.context.parameters;
            parameters
                .iter()
                .find(|(key, _)| feature_words(key) == wanted)
                .map(|(_, value)| value.clone())
        });
        given.or_else(|| seen.map(str::to_owned))
    }

    pub(super) fn step(&mut self, step: &RouteStep<'_>) -> Result<(), String> {
        match step {
            RouteStep::Open { address, to } => {
                let description = format!("Open {address}, which shows {}", to.name);
                self.open(address, description, confidence(to.times_seen))
            }
            RouteStep::Take { transition, from, action, may_lead_to } => {
                for prepared in &transition.prepared {
                    let action = from.action(&prepared.action_id);
                    let name = action.map(|one| one.name.as_str());
                    self.write(&DoneStep {
                        screen_id: &from.screen_id,
                        action_id: &prepared.action_id,
                        action,
                        value: self.parameter(name, prepared.value.as_deref()),
                        label: None,
                        confidence: confidence(transition.times_seen),
                        may_lead_to: &[],
                    })?;
                }
                self.write(&DoneStep {
                    screen_id: &from.screen_id,
                    action_id: transition.action_id.as_deref().unwrap_or_default(),
                    action: *action,
                    value: self.parameter(
                        action.map(|one| one.name.as_str()),
                        transition.value.as_deref(),
                    ),
                    label: transition.label.as_deref(),
                    confidence: confidence(transition.times_seen),
                    may_lead_to,
                })
            }
        }
    }

    /// Writes the opening of an address.
    pub(super) fn open(
        &mut self,
        address: &str,
        description: String,
        confidence: f64,
    ) -> Result<(), String> {
        let action =
            ActionWords { kind: "navigate", value: Some(address), ..ActionWords::default() };
        let call = self.question.dialect.call(&action)?;
        self.actions.push(AgentAction {
            tool: call.tool,
            params: call.params,
            description,
            confidence,
            screen_id: None,
            effect: EffectClass::Reads,
            may_lead_to: Vec::new(),
        });
        Ok(())
    }

    /// Writes the next step of a way.
    pub(super) fn write(&mut self, done: &DoneStep<'_>) -> Result<(), String> {
        self.write_from(done, self.actions.is_empty())
    }

    /// Writes an action, of the state that the agent has sent or of a later one.
    fn write_from(&mut self, done: &DoneStep<'_>, is_first: bool) -> Result<(), String> {
        let known = done.action.map(|one| one.example.as_deref().unwrap_or(&one.name));
        let name = done.label.or(known).unwrap_or_default();
        let has_count = done.action.is_some_and(|one| one.has_count);
        let role = done.action.map_or("", |one| one.role.as_str());
        let words = ActionWords {
            kind: done.action.map_or(done.action_id, |one| one.action_type.as_str()),
            role,
            name,
            has_count,
            under: done.action.and_then(|one| one.under.as_deref()),
            beside: done.action.and_then(|one| one.beside.as_deref()),
            value: done.value.as_deref(),
            // The numbers of a state hold until the first action.
            index: is_first.then(|| self.index(name, has_count)).flatten(),
        };
        let call = self.question.dialect.call(&words)?;
        let value = done.value.as_ref().map(|value| format!(" with '{value}'")).unwrap_or_default();
        let role = if role.is_empty() { String::new() } else { format!(" {role} '{name}'") };
        let caveat = call.caveat.map(|caveat| format!(" ({caveat})")).unwrap_or_default();
        self.actions.push(AgentAction {
            tool: call.tool,
            params: call.params,
            description: format!("{}{role}{value}{caveat}", words.kind),
            confidence: done.confidence,
            screen_id: Some(done.screen_id.to_owned()),
            effect: done.action.map_or(EffectClass::Unknown, |one| one.effect),
            may_lead_to: done.may_lead_to.iter().map(|id| (*id).to_owned()).collect(),
        });
        Ok(())
    }

    /// Returns the number that the agent's list of elements has for a control, if only one element
    /// has its name.
    fn index(&self, name: &str, has_count: bool) -> Option<u64> {
        let wanted = feature_words(name);
        let name_in = |text: &str| {
            let words = feature_words(text);
            match words.strip_suffix(" #").filter(|_| has_count) {
                Some(name) => name.to_owned(),
                None => words,
            }
        };
        let mut found = self.elements.iter().filter(|(_, label)| name_in(label) == wanted);
        let (number, _) = found.next()?;
        found.next().is_none().then_some(*number)
    }
}

/// Answers with opening an address that the knowledge does not have: no other page is meant.
pub(super) fn opening_unseen(
    question: &AgentInstruction,
    address: &str,
    to: &KnownScreen,
) -> Result<AgentResponse, String> {
    if !to.addresses.iter().any(|one| one.opens) {
        return Err(format!(
            "the knowledge does not have `{address}`, and no address was seen to open `{}`",
            to.screen_id
        ));
    }
    let mut writer = ActionWriter::new(question);
    let name = &to.name;
    let why = format!("Open {address}, which was not seen; pages like it show {name}");
    writer.open(address, why, confidence(0))?;
    Ok(writer.answer(Some(to)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reasons_beyond_the_first_are_counted_as_one() {
        let question = json!({ "instruction_type": "get_actions" });
        let question = serde_json::from_value(question).unwrap();
        let mut writer = ActionWriter::new(&question);
        for at in (0..1_000).chain([3]) {
            writer.leave_out(format!("reason {at}"), 1, Some("a"));
        }
        let left_out = writer.answer(None).left_out;
        let said: Vec<(&str, usize)> =
            left_out.iter().map(|one| (one.reason.as_str(), one.n_actions)).collect();
        assert_eq!(said.len(), MAX_REASONS + 1);
        assert_eq!((said[3], said[MAX_REASONS]), (("reason 3", 2), (OTHER_REASONS, 980)));
        assert_eq!(left_out[MAX_REASONS].action_ids.len(), MAX_NAMED);
    }
}
