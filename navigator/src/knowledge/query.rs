//! What other agents ask of a knowledge. A query answers; it never acts.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::knowledge::dialect::{ActionWords, Dialect};
use crate::knowledge::feature::words_of;
use crate::knowledge::model::{
    EffectClass, Knowledge, KnownAction, KnownScreen, KnownTask, StateSignature,
};
use crate::knowledge::recognise::{Evidence, Recogniser, Recognition};
use crate::knowledge::route::{RouteEnd, RouteStep, Routes};

/// The number of names that a message suggests.
const MAX_NEAR: usize = 3;
/// The confidence in what was seen once; more sightings add to it.
const ONCE: f64 = 0.8;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InstructionType {
    /// The way to a screen.
    NavigateToScreen,
    /// The steps of a task.
    ExecuteTask,
    /// Which screen a page is.
    FindScreen,
    /// What can be done on a screen.
    GetActions,
    /// What a screen is for.
    GetScreenContext,
}

/// A question of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentInstruction {
    /// What is asked.
    pub instruction_type: InstructionType,
    /// The screen, task or address that it is about: an identifier, or words of its name.
    #[serde(default)]
    pub target: String,
    /// What the agent knows of its browser.
    #[serde(default)]
    pub context: AgentContext,
    /// The words that the actions are written in.
    #[serde(default)]
    pub dialect: Dialect,
}

/// What an agent knows of its browser.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct AgentContext {
    /// The address of its page.
    #[serde(default)]
    pub current_url: Option<String>,
    /// The screen that it is on, by its identifier.
    #[serde(default)]
    pub current_screen_id: Option<String>,
    /// A text of its page: an accessibility snapshot, a list of elements, or the words of the page.
    #[serde(default)]
    pub dom_summary: Option<String>,
    /// Values of fields, by their names or by those of the parameters of a task.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
}

/// An answer to an agent.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct AgentResponse {
    /// The question was answered.
    pub success: bool,
    /// What to do, in order.
    pub actions: Vec<AgentAction>,
    /// What is seen afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_result: Option<ExpectedResult>,
    /// The answer to a question that asks for no actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// An action that an agent can run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentAction {
    /// The name of the tool.
    pub tool: &'static str,
    /// Its parameters.
    pub params: Value,
    /// The action in words.
    pub description: String,
    /// How sure it is, between 0 and 1: how often it was seen.
    pub confidence: f64,
    /// The screen that it is taken on; `None` before the first one.
    pub screen_id: Option<String>,
    /// What it does to the world, as far as it was seen.
    pub effect: EffectClass,
}

/// What is seen after the actions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpectedResult {
    /// The screen.
    pub screen_id: String,
    /// What shows it.
    pub verification: StateSignature,
}

impl AgentResponse {
    fn failed(error: impl fmt::Display) -> AgentResponse {
        AgentResponse { error: Some(error.to_string()), ..AgentResponse::default() }
    }

    fn of(result: Value) -> AgentResponse {
        AgentResponse { success: true, result: Some(result), ..AgentResponse::default() }
    }
}

/// A knowledge that can be asked. Opening it prepares what questions need.
#[derive(Debug)]
pub struct KnowledgeBase<'k> {
    knowledge: &'k Knowledge,
    recogniser: Recogniser<'k>,
    routes: Routes<'k>,
}

impl<'k> KnowledgeBase<'k> {
    /// Prepares a knowledge.
    pub fn new(knowledge: &'k Knowledge) -> KnowledgeBase<'k> {
        KnowledgeBase {
            knowledge,
            recogniser: Recogniser::new(knowledge),
            routes: Routes::new(knowledge),
        }
    }

    /// Returns the recogniser of its screens.
    pub fn recogniser(&self) -> &Recogniser<'k> {
        &self.recogniser
    }

    /// Returns the ways between its screens.
    pub fn routes(&self) -> &Routes<'k> {
        &self.routes
    }

    /// Answers a question.
    pub fn ask(&self, question: &AgentInstruction) -> AgentResponse {
        let answer = match question.instruction_type {
            InstructionType::NavigateToScreen => self.navigate(question),
            InstructionType::ExecuteTask => self.task(question),
            InstructionType::FindScreen => self.find(question),
            InstructionType::GetActions => self.actions(question),
            InstructionType::GetScreenContext => self.context(question),
        };
        answer.unwrap_or_else(AgentResponse::failed)
    }

    /// Recognises the page that an agent is on.
    pub fn recognise(&self, context: &AgentContext) -> Recognition {
        let address = context.current_url.as_deref();
        self.recogniser.recognise(&Evidence::of_text(address, context.dom_summary.as_deref()))
    }

    /// Returns the screen that an agent is on; `None` if it says nothing of it or it is unknown.
    fn current(&self, context: &AgentContext) -> Result<Option<&'k KnownScreen>, String> {
        if let Some(id) = &context.current_screen_id {
            let screen = self.knowledge.screen(id);
            return screen.map(Some).ok_or_else(|| self.no_screen(id));
        }
        let found = self.recognise(context).screen_id;
        Ok(found.and_then(|id| self.knowledge.screen(&id)))
    }

    fn navigate(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        let current = self.current(&question.context)?;
        let (target, address) = self.target(&question.target)?;
        if !target.is_used() {
            return Err(format!(
                "`{}` is {} and no screen of an application: it cannot be navigated to",
                target.screen_id,
                content_word(target)
            ));
        }
        let end = RouteEnd { screen_id: &target.screen_id, address };
        let start = current.map(|screen| screen.screen_id.as_str());
        let steps = self.routes.find(start, end).ok_or_else(|| {
            let from = start.map_or("an address that opens".to_owned(), |id| format!("`{id}`"));
            format!(
                "no way from {from} to `{}` was seen (`fill_action_gaps` can look for one)",
                target.screen_id
            )
        })?;
        let mut writer = ActionWriter::new(question);
        for step in &steps {
            writer.step(step)?;
        }
        Ok(writer.answer(Some(target)))
    }

    fn task(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        let task = self.task_named(&question.target)?;
        let current = self.current(&question.context)?;
        let mut writer = ActionWriter::new(question);
        if let Some(start) = &task.start_screen_id
            && current.is_none_or(|screen| screen.screen_id != *start)
        {
            let from = current.map(|screen| screen.screen_id.as_str());
            let end = RouteEnd { screen_id: start, address: None };
            let way = self.routes.find(from, end);
            let way = way.ok_or_else(|| format!("no way to the first screen, `{start}`"))?;
            for step in &way {
                writer.step(step)?;
            }
        }
        for step in &task.steps {
            let screen = self.knowledge.screen(&step.screen_id);
            let action = screen.and_then(|screen| screen.action(&step.action_id));
            let value = writer.parameter(step.parameter.as_deref(), step.value.as_deref());
            let done = DoneStep {
                screen_id: &step.screen_id,
                action_id: &step.action_id,
                action,
                value,
                label: step.label.as_deref(),
                confidence: ONCE,
            };
            writer.write(&done)?;
        }
        let end = task.end_screen_id.as_deref().and_then(|id| self.knowledge.screen(id));
        Ok(writer.answer(end))
    }

    fn find(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        let context = &question.context;
        if context.current_url.is_some() || context.dom_summary.is_some() {
            let found = self.recognise(context);
            let error = found.screen_id.is_none().then(|| found.reason.clone());
            return Ok(AgentResponse {
                success: found.screen_id.is_some(),
                result: Some(json!(found)),
                error,
                ..AgentResponse::default()
            });
        }
        let (screen, _) = self.target(&question.target)?;
        Ok(AgentResponse::of(json!({ "screen_id": screen.screen_id, "name": screen.name })))
    }

    /// Returns the screen that a question is about: the one it names, else the current one.
    fn about(&self, question: &AgentInstruction) -> Result<&'k KnownScreen, String> {
        if !question.target.trim().is_empty() {
            return Ok(self.target(&question.target)?.0);
        }
        let current = self.current(&question.context)?;
        current.ok_or_else(|| {
            "the current screen is not known: name one by `target`, or send `current_url` and \
             `dom_summary`"
                .to_owned()
        })
    }

    fn actions(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        let screen = self.about(question)?;
        let mut writer = ActionWriter::new(question);
        for action in &screen.actions {
            // What an agent cannot do is no choice for it.
            let _ = writer.write(&DoneStep {
                screen_id: &screen.screen_id,
                action_id: &action.action_id,
                action: Some(action),
                value: None,
                label: None,
                confidence: confidence(action.times_done),
            });
        }
        Ok(AgentResponse { expected_result: None, ..writer.answer(Some(screen)) })
    }

    fn context(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        let screen = self.about(question)?;
        let leads_to: Vec<Value> = self
            .knowledge
            .transitions
            .iter()
            .filter(|one| one.from_screen_id == screen.screen_id && one.is_repeatable())
            .map(|one| json!({ "screen_id": one.to_screen_id, "by": one.action_id }))
            .collect();
        let fields: Vec<Value> = screen
            .actions
            .iter()
            .filter(|one| !matches!(one.role.as_str(), "link" | "button" | "item" | "tab"))
            .map(|one| {
                json!({
                    "name": one.name,
                    "role": one.role,
                    "options": one.options,
                    "constraints": one.constraints,
                    "under": one.under,
                })
            })
            .collect();
        Ok(AgentResponse::of(json!({
            "screen_id": screen.screen_id,
            "name": screen.name,
            "content_type": screen.content_type,
            "is_actionable": screen.is_actionable,
            "business_words": screen.business_words,
            "fields": fields,
            "leads_to": leads_to,
            "addresses": screen.addresses,
            "state_signature": screen.state_signature,
            "times_seen": screen.times_seen,
        })))
    }

    /// Returns the screen that a target names: by its identifier, an address, or words.
    fn target<'t>(&self, target: &'t str) -> Result<(&'k KnownScreen, Option<&'t str>), String> {
        let target = target.trim();
        if let Some(screen) = self.knowledge.screen(target) {
            return Ok((screen, None));
        }
        if target.contains("://") {
            let found = self.recogniser.recognise(&Evidence::of_text(Some(target), None));
            let screen = found.screen_id.as_deref().and_then(|id| self.knowledge.screen(id));
            let known = screen.filter(|one| one.addresses.iter().any(|at| at.address == target));
            return screen
                .map(|screen| (screen, known.map(|_| target)))
                .ok_or_else(|| format!("`{target}`: {}", found.reason));
        }
        let scored = self.by_words(target);
        match scored.as_slice() {
            [(best, screen), rest @ ..] if rest.first().is_none_or(|(next, _)| next < best) => {
                Ok((screen, None))
            }
            [] => Err(self.no_screen(target)),
            several => {
                let names: Vec<String> = several
                    .iter()
                    .take(MAX_NEAR)
                    .map(|(_, one)| format!("`{}`", one.screen_id))
                    .collect();
                Err(format!("`{target}` fits several screens: {}", names.join(", ")))
            }
        }
    }

    /// Returns the screens that have words of a target, the best ones first: the share of the words
    /// in the name, in thousandths, and of those in headings and controls at half the value.
    fn by_words(&self, target: &str) -> Vec<(u32, &'k KnownScreen)> {
        let wanted = words_of(target);
        let wanted: Vec<&str> = wanted.split(' ').filter(|word| !word.is_empty()).collect();
        let share = |text: &str| {
            let words = words_of(text);
            let words: Vec<&str> = words.split(' ').collect();
            let n = wanted.iter().filter(|word| words.contains(word)).count();
            // Of two names with the words, the shorter one says less else.
            1000.0 * n as f64 / wanted.len().max(1) as f64 - (words.len() as f64).min(50.0)
        };
        let mut scored: Vec<(u32, &KnownScreen)> = self
            .knowledge
            .screens
            .iter()
            .filter_map(|screen| {
                let of_name = share(&screen.name);
                let rest = screen.business_words.iter().map(|words| share(words) / 2.0);
                let best = rest.fold(of_name, f64::max);
                (best > 200.0).then_some((best as u32, screen))
            })
            .collect();
        scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.screen_id.cmp(&b.1.screen_id)));
        scored
    }

    fn no_screen(&self, name: &str) -> String {
        let near: Vec<String> = self
            .by_words(name)
            .iter()
            .take(MAX_NEAR)
            .map(|(_, screen)| format!("`{}`", screen.screen_id))
            .collect();
        match near.is_empty() {
            true => format!("there is no screen `{name}`"),
            false => format!("there is no screen `{name}`; near it: {}", near.join(", ")),
        }
    }

    fn task_named(&self, name: &str) -> Result<&'k KnownTask, String> {
        let tasks = &self.knowledge.tasks;
        if let Some(task) = tasks.iter().find(|task| task.task_id == name) {
            return Ok(task);
        }
        let wanted = words_of(name);
        let found: Vec<&KnownTask> =
            tasks.iter().filter(|task| words_of(&task.name) == wanted).collect();
        match found.as_slice() {
            [one] => Ok(one),
            [] => {
                let names: Vec<String> =
                    tasks.iter().take(MAX_NEAR).map(|one| format!("`{}`", one.task_id)).collect();
                let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                Err(format!("there is no task `{name}` (known: {known})"))
            }
            _ => Err(format!("`{name}` is the name of {} tasks: use an identifier", found.len())),
        }
    }
}

/// Returns how sure something is that was seen so often.
fn confidence(times: u32) -> f64 {
    if times == 0 {
        return 0.5;
    }
    let sure = 1.0 - (1.0 - ONCE) / f64::from(times);
    (sure * 100.0).round() / 100.0
}

fn content_word(screen: &KnownScreen) -> String {
    let word = json!(screen.content_type);
    word.as_str().unwrap_or_default().replace('_', " ")
}

/// A step to write as an action.
struct DoneStep<'a> {
    screen_id: &'a str,
    action_id: &'a str,
    action: Option<&'a KnownAction>,
    value: Option<String>,
    label: Option<&'a str>,
    confidence: f64,
}

/// Writes the actions of an answer.
struct ActionWriter<'a> {
    question: &'a AgentInstruction,
    actions: Vec<AgentAction>,
}

impl<'a> ActionWriter<'a> {
    fn new(question: &'a AgentInstruction) -> ActionWriter<'a> {
        ActionWriter { question, actions: Vec::new() }
    }

    fn answer(self, end: Option<&KnownScreen>) -> AgentResponse {
        AgentResponse {
            success: true,
            actions: self.actions,
            expected_result: end.map(|screen| ExpectedResult {
                screen_id: screen.screen_id.clone(),
                verification: screen.state_signature.clone(),
            }),
            ..AgentResponse::default()
        }
    }

    /// Returns the value of a parameter: the one of the question, else the one that was seen.
    fn parameter(&self, name: Option<&str>, seen: Option<&str>) -> Option<String> {
        let given = name.and_then(|name| {
            let wanted = words_of(name);
            let parameters = &self.question.context.parameters;
            parameters
                .iter()
                .find(|(key, _)| words_of(key) == wanted)
                .map(|(_, value)| value.clone())
        });
        given.or_else(|| seen.map(str::to_owned))
    }

    fn step(&mut self, step: &RouteStep<'_>) -> Result<(), String> {
        match step {
            RouteStep::Open { address, to } => {
                let action = ActionWords {
                    kind: "navigate",
                    value: Some(address),
                    ..ActionWords::default()
                };
                let call = self.question.dialect.call(&action)?;
                self.actions.push(AgentAction {
                    tool: call.tool,
                    params: call.params,
                    description: format!("Open {address}, which shows {}", to.name),
                    confidence: confidence(to.times_seen),
                    screen_id: None,
                    effect: EffectClass::Reads,
                });
                Ok(())
            }
            RouteStep::Take { transition, from, action } => {
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
                })
            }
        }
    }

    fn write(&mut self, done: &DoneStep<'_>) -> Result<(), String> {
        let name = done.label.or(done.action.map(|one| one.name.as_str())).unwrap_or_default();
        let is_first = self.actions.is_empty();
        let role = done.action.map_or("", |one| one.role.as_str());
        let words = ActionWords {
            kind: done.action.map_or(done.action_id, |one| one.action_type.as_str()),
            role,
            name,
            under: done.action.and_then(|one| one.under.as_deref()),
            beside: done.action.and_then(|one| one.beside.as_deref()),
            value: done.value.as_deref(),
            // The numbers of a state hold until the first action.
            index: is_first.then(|| self.index(name)).flatten(),
        };
        let call = self.question.dialect.call(&words)?;
        let value = done.value.as_ref().map(|value| format!(" with '{value}'")).unwrap_or_default();
        let role = if role.is_empty() { String::new() } else { format!(" {role} '{name}'") };
        self.actions.push(AgentAction {
            tool: call.tool,
            params: call.params,
            description: format!("{}{role}{value}", words.kind),
            confidence: done.confidence,
            screen_id: Some(done.screen_id.to_owned()),
            effect: done.action.map_or(EffectClass::Unknown, |one| one.effect),
        });
        Ok(())
    }

    /// Returns the number that the agent's list of elements has for a control, if only one element
    /// has its name: `[33]<button>Save</button>`.
    fn index(&self, name: &str) -> Option<u64> {
        let wanted = words_of(name);
        let lines = self.question.context.dom_summary.as_deref()?.lines();
        let mut found = lines.filter_map(|line| {
            let (number, rest) = line.split_once('[')?.1.split_once(']')?;
            let text = rest.split('>').next_back().filter(|text| !text.trim().is_empty());
            let text = text.unwrap_or(rest).trim_end_matches("/>");
            (words_of(text) == wanted).then(|| number.trim_start_matches('*').parse().ok())?
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}
