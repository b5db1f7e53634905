//! Questions of other agents, and the answers to them.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::knowledge::dialect::AgentDialect;
use crate::knowledge::model::{EffectClass, StateSignature};
use crate::shared::Sanitized;

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
    /// What nobody has tried yet, on a screen or anywhere: to be tried, and seen.
    FillActionGaps,
}

impl InstructionType {
    /// All of them.
    pub const ALL: [InstructionType; 6] = [
        InstructionType::NavigateToScreen,
        InstructionType::ExecuteTask,
        InstructionType::FindScreen,
        InstructionType::GetActions,
        InstructionType::GetScreenContext,
        InstructionType::FillActionGaps,
    ];

    /// Returns the word of questions.
    pub fn as_str(self) -> &'static str {
        match self {
            InstructionType::NavigateToScreen => "navigate_to_screen",
            InstructionType::ExecuteTask => "execute_task",
            InstructionType::FindScreen => "find_screen",
            InstructionType::GetActions => "get_actions",
            InstructionType::GetScreenContext => "get_screen_context",
            InstructionType::FillActionGaps => "fill_action_gaps",
        }
    }
}

/// A question of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
    pub dialect: AgentDialect,
}

/// What an agent knows of its browser.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with what you know of your browser")]
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
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
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
    /// Actions that are known and stand in no line of `actions`, with the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutActions>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Actions that an answer does not have, for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOutActions {
    /// Why.
    pub reason: String,
    /// How many they are.
    pub n_actions: usize,
    /// The first of them, by their identifiers.
    pub action_ids: Vec<String>,
}

/// An action that an agent can run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
    /// Other screens that it has led to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub may_lead_to: Vec<String>,
}

/// What is seen after the actions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ExpectedResult {
    /// The screen.
    pub screen_id: String,
    /// What shows it.
    pub verification: StateSignature,
}

impl AgentResponse {
    pub(super) fn failed(error: impl fmt::Display) -> AgentResponse {
        // It names what the caller named.
        let error = Sanitized::line(&error.to_string()).into_string();
        AgentResponse { error: Some(error), ..AgentResponse::default() }
    }

    pub(super) fn of(result: Value) -> AgentResponse {
        AgentResponse { success: true, result: Some(result), ..AgentResponse::default() }
    }
}
