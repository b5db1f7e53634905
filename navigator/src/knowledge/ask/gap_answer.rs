//! What nobody has done yet, as agents are told.

use std::collections::BTreeSet;

use serde_json::json;

use crate::knowledge::ask::answer::{ActionWriter, DoneStep, confidence};
use crate::knowledge::ask::question::{AgentInstruction, AgentResponse};
use crate::knowledge::gaps::{GapActions, gaps_with};
use crate::knowledge::model::Knowledge;

/// The most gaps of an answer: an agent tries one after the other, and asks again.
const MAX_GAPS: usize = 500;

/// Returns what nobody has done yet, on a screen or anywhere, to be tried.
pub(super) fn gap_answer(
    knowledge: &Knowledge,
    of_screen: Option<&str>,
    question: &AgentInstruction,
) -> AgentResponse {
    let to_try = GapActions::of(knowledge);
    let mut gaps = gaps_with(&to_try);
    gaps.retain(|gap| of_screen.is_none_or(|asked| asked == gap.screen_id));
    let n_more = gaps.len().saturating_sub(MAX_GAPS);
    gaps.truncate(MAX_GAPS);
    let mut writer = ActionWriter::new(question);
    let mut said = BTreeSet::new();
    for gap in &gaps {
        for action in to_try.of_gap(gap) {
            // What may lead to a known screen may be a gap of its own.
            if !said.insert((&gap.screen_id, &action.action_id)) {
                continue;
            }
            writer.offer(&DoneStep {
                screen_id: &gap.screen_id,
                action_id: &action.action_id,
                action: Some(action),
                value: None,
                label: None,
                confidence: confidence(0),
                may_lead_to: &[],
            });
        }
    }
    if n_more > 0 {
        let reason = format!(
            "an answer lists {MAX_GAPS} gaps at most: name a screen by `target`, or try these and \
             ask again"
        );
        writer.leave_out(reason, n_more, None);
    }
    AgentResponse { result: Some(json!({ "gaps": gaps })), ..writer.answer(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_the_first_gaps_and_says_how_many_more_there_are() {
        let action = |at: usize| {
            let id = format!("more {at:03}");
            json!({ "action_id": id, "action_type": "click", "role": "button", "name": id })
        };
        let knowledge: Knowledge = serde_json::from_value(json!({
            "version": 1,
            "screens": [{
                "screen_id": "list", "name": "list", "content_type": "web_ui",
                "is_actionable": true, "actions": (0..503).map(action).collect::<Vec<_>>(),
            }],
        }))
        .unwrap();
        let question = json!({ "instruction_type": "fill_action_gaps" });
        let answer = gap_answer(&knowledge, None, &serde_json::from_value(question).unwrap());
        assert_eq!((answer.actions.len(), answer.left_out[0].n_actions), (500, 3));
        assert_eq!(answer.result.unwrap()["gaps"].as_array().unwrap().len(), 500);
    }
}
