//! Knowledges of sites that callers may ask. They are read when the server starts.

use repo_map::Sanitized;
use serde_json::Value;

use super::CallRefused;
use super::answer::{Limit, ToolAnswer};
use super::call::{MAX_SHOWN, ToolCall, refused};
use crate::knowledge::ask::query::KnowledgeBase;
use crate::knowledge::ask::question::{AgentInstruction, InstructionType};
use crate::knowledge::model::Knowledge;
use crate::run::text::one_line;
use crate::shared::suggest;

/// Knowledges by their names.
#[derive(Default)]
pub(crate) struct KnownSites(Vec<(String, KnowledgeBase<'static>)>);

impl KnownSites {
    /// Prepares knowledges with their names.
    ///
    /// # Errors
    /// The name that two of them have.
    pub(crate) fn new(
        knowledges: impl IntoIterator<Item = (String, Knowledge)>,
    ) -> Result<KnownSites, String> {
        let mut known: Vec<(String, KnowledgeBase<'static>)> = Vec::new();
        for (name, mut knowledge) in knowledges {
            if known.iter().any(|(other, _)| *other == name) {
                return Err(name);
            }
            // Only walks ask for places.
            knowledge.places = Vec::new();
            // The rest is needed as long as the server runs.
            known.push((name, KnowledgeBase::new(Box::leak(Box::new(knowledge)))));
        }
        Ok(KnownSites(known))
    }

    /// Returns the names.
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Answers a question as JSON, whole or not at all: half a way leads elsewhere.
    pub(super) fn ask(&self, call: &ToolCall, limit: Limit) -> Result<ToolAnswer, CallRefused> {
        let name = call.text("knowledge")?;
        let (_, base) = match name {
            None => self.0.first(),
            Some(name) => self.0.iter().find(|(known, _)| known == name),
        }
        .ok_or_else(|| {
            let names = self.names().join(", ");
            refused("knowledge", format!("there is no such knowledge ({names})"))
        })?;
        let answer = base.ask(&question_of(call)?);
        let text = Sanitized::json_lines([&answer])?;
        let n_tokens = limit.tokenizer.count(&text);
        if n_tokens > limit.tokens {
            return Err(CallRefused(format!(
                "the answer has {n_tokens} tokens: raise `tokens` from {}",
                limit.tokens
            )));
        }
        Ok(ToolAnswer { text, line: Sanitized::default(), is_error: !answer.success })
    }
}

/// Reads the question of a call. Its type may be written as the command line writes it.
fn question_of(call: &ToolCall) -> Result<AgentInstruction, CallRefused> {
    let asked = call.needed("instruction_type")?.replace('-', "_");
    let words = InstructionType::ALL.map(InstructionType::as_str);
    if !words.contains(&asked.as_str()) {
        let near = suggest::did_you_mean(&suggest::similar(&asked, words));
        let (asked, words) = (one_line(&asked, MAX_SHOWN), words.join(", "));
        return Err(refused("instruction_type", format!("`{asked}` is none of {words}{near}")));
    }
    let mut fields = call.fields_without(&["knowledge", "tokens"]);
    fields.insert("instruction_type".to_owned(), asked.into());
    serde_path_to_error::deserialize(Value::Object(fields))
        .map_err(|error| refused(&error.path().to_string(), error.inner()))
}
