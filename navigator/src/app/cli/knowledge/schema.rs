//! The JSON schemas of knowledges, of questions and of answers.

use schemars::generate::SchemaSettings;
use schemars::{Schema, schema_for};

use crate::app::cli::knowledge::args::SchemaWord;
use crate::knowledge::ask::question::{AgentInstruction, AgentResponse};
use crate::knowledge::model::Knowledge;

/// Returns a schema.
pub(in crate::app::cli) fn schema_of(word: SchemaWord) -> Schema {
    match word {
        SchemaWord::Knowledge => schema_for!(Knowledge),
        SchemaWord::Question => schema_for!(AgentInstruction),
        // A field that is left out where it is empty is not required of what is written.
        SchemaWord::Answer => SchemaSettings::default()
            .for_serialize()
            .into_generator()
            .into_root_schema_for::<AgentResponse>(),
    }
}
