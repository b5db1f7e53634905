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

/// The most origins of a knowledge that callers are told.
const MAX_ORIGINS: usize = 3;

/// Knowledges by their names.
#[derive(Default)]
pub(crate) struct KnownSites(Vec<KnownSite>);

struct KnownSite {
    name: String,
    /// The origins that it is about, in words.
    origins: String,
    base: KnowledgeBase<'static>,
}

impl KnownSites {
    /// Prepares knowledges with their names.
    ///
    /// # Errors
    /// The name that two of them have.
    pub(crate) fn new(
        knowledges: impl IntoIterator<Item = (String, Knowledge)>,
    ) -> Result<KnownSites, String> {
        let mut known: Vec<KnownSite> = Vec::new();
        for (name, mut knowledge) in knowledges {
            if known.iter().any(|other| other.name == name) {
                return Err(name);
            }
            let mut origins = knowledge.sites();
            origins.truncate(MAX_ORIGINS);
            let origins = origins.join(", ");
            // Only walks ask for places.
            knowledge.places = Vec::new();
            // The rest is needed as long as the server runs.
            let base = KnowledgeBase::new(Box::leak(Box::new(knowledge)));
            known.push(KnownSite { name, origins, base });
        }
        Ok(KnownSites(known))
    }

    /// Returns the names.
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|known| known.name.clone()).collect()
    }

    /// Returns the names with the origins that each is about: `shop (https://shop.example)`.
    pub(super) fn with_origins(&self) -> String {
        let named = self.0.iter().map(|known| match known.origins.as_str() {
            "" => known.name.clone(),
            origins => format!("{} ({origins})", known.name),
        });
        named.collect::<Vec<_>>().join(", ")
    }

    /// Answers a question as JSON, whole or not at all: half a way leads elsewhere.
    pub(super) fn ask(&self, call: &ToolCall, limit: Limit) -> Result<ToolAnswer, CallRefused> {
        let name = call.text("knowledge")?;
        let named = match (name, self.0.as_slice()) {
            (None, [only]) => Ok(only),
            (None, _) => Err("name one of the knowledges"),
            (Some(name), all) => {
                all.iter().find(|known| known.name == name).ok_or("there is no such knowledge")
            }
        };
        let KnownSite { base, .. } = named.map_err(|why| {
            let names = self.names().join(", ");
            refused("knowledge", format!("{why} ({names})"))
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
