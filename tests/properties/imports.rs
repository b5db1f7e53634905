//! What holds of any text that is imported as a knowledge.

use navigator::knowledge::ask::query::KnowledgeBase;
use navigator::knowledge::ask::question::AgentInstruction;
use navigator::knowledge::import::import;
use serde_json::json;

/// What knowledges of others are made of. Control characters of a text stand for these.
const PIECES: [&str; 32] = [
    "{\"screens\": [",
    "{\"screen_id\": \"a\", \"name\": \"A\", ",
    "{\"screen_id\": \"b\", \"name\": \"B\", ",
    "\"content_type\": \"web_ui\", \"is_actionable\": true, ",
    "\"state_signature\": {\"required_indicators\": [\"Save\", \"Cancel\"], ",
    "\"url_patterns\": [\"/a/.*\"]}, ",
    "\"url_patterns\": [\"(a+)+$\", \".*\"]}, ",
    "\"url_patterns\": [\"http://10.0.0.1/x\", \"[\"]}, ",
    "\"available_browser_use_actions\": [{\"tool\": \"scroll\", \"params\": {}, ",
    "\t",
    "\n",
    "\"element_label\": \"Save\"}], ",
    "\"transitions\": [{\"from\": \"a\", \"to\": \"b\", \"action\": \"open\"}], ",
    "\r",
    "\"business_function\": \"orders\"",
    "}",
    "]}",
    ", ",
    "null",
    "[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":",
    "1e999",
    "-0",
    "\"\\ud800\"",
    "\"\\u001b[31m\"",
    "\"\u{202e}\"",
    "true",
    "\"tasks\": [{\"task_id\": \"t\", \"steps\": [\"open\"]}], ",
    "\"before\": ",
    "[",
    "]",
    "\"\"",
];

/// The text with its control characters replaced by pieces of knowledges.
pub(crate) fn pieced(text: &str) -> String {
    test_support::random::pieced(text, &PIECES)
}

/// A text is a knowledge, the same each time, of which every question gets an answer; or an error
/// that is short.
pub(crate) fn hold(text: &str) {
    let read = || import("others", "0".repeat(32), text, |_| true);
    match read() {
        Err(message) => {
            assert!(!message.is_empty() && message.len() < 2_000, "{} bytes", message.len());
        }
        Ok(imported) => {
            let said: usize = imported.not_taken.iter().map(|one| one.what.len()).sum();
            assert!(said < 20_000, "{said} bytes");
            let knowledge = imported.knowledge;
            let json = serde_json::to_string(&knowledge).unwrap();
            assert_eq!(serde_json::to_string(&read().unwrap().knowledge).unwrap(), json);
            assert!(!json.contains('\u{202e}') && !json.contains("\\u001b"), "{json}");
            let base = KnowledgeBase::new(&knowledge);
            for kind in ["navigate_to_screen", "find_screen", "get_actions", "fill_action_gaps"] {
                let question: AgentInstruction =
                    serde_json::from_value(json!({ "instruction_type": kind, "target": "A" }))
                        .unwrap();
                base.ask(&question);
            }
        }
    }
}
