//! What counts of a model's answer about the gaps of a knowledge: where an action may lead that
//! nobody has taken. A proposal is no fact. It names what the knowledge has, and is kept apart
//! until a walk has tried it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::knowledge::gaps::UntriedAction;
use crate::knowledge::gaps::gap_question::takes_value;
use crate::knowledge::model::{EffectClass, InferredTransition, Knowledge, Preparation};
use crate::model::request::Reply;
use crate::pilot::answer::object_with;
use crate::run::text::one_line;
use crate::shared::Sanitized;

/// A proposal counts from above this confidence on.
pub const LEAST_CONFIDENCE: f64 = 0.6;
/// The longest reason that is kept, in characters.
const MAX_REASON: usize = 300;
/// The longest value of a field, in characters.
const MAX_VALUE: usize = 200;
/// The number of proposals that are read of a reply: not every server holds a model to the schema.
const MAX_READ: usize = 200;

/// What came of a reply.
#[derive(Debug, Default, PartialEq)]
pub struct ReadProposals {
    /// The proposals that name what the knowledge has.
    pub taken: Vec<InferredTransition>,
    /// Why the others do not count, one line each.
    pub refused: Vec<String>,
}

/// Reads a reply to a question about some actions. Only a pair of screen and action that was asked
/// about counts, with a known screen as its end.
pub fn read_proposals(
    reply: &Reply,
    knowledge: &Knowledge,
    asked: &[UntriedAction<'_>],
) -> ReadProposals {
    let mut read = ReadProposals::default();
    let said = match (&reply.refusal, object_with(&reply.text, &["proposals"])) {
        (Some(refusal), _) => {
            read.refused.push(one_line(&format!("there was no answer: {refusal}"), MAX_REASON));
            return read;
        }
        (None, None) => {
            let why = if reply.is_cut { "was cut" } else { "has no `proposals`" };
            read.refused.push(format!("the answer {why}"));
            return read;
        }
        (None, Some(said)) => said,
    };
    let proposals = said["proposals"].as_array().map(Vec::as_slice).unwrap_or_default();
    for proposal in proposals.iter().take(MAX_READ) {
        match checked(proposal, knowledge, asked) {
            Ok(one) if read.taken.iter().any(|known| is_same(known, &one)) => {
                read.refused.push(format!("`{}` twice", one.action_id));
            }
            Ok(one) => read.taken.push(one),
            Err(why) => read.refused.push(one_line(&why, MAX_REASON)),
        }
    }
    read
}

/// Reports whether two proposals are about one action of one screen.
fn is_same(one: &InferredTransition, other: &InferredTransition) -> bool {
    (&one.from_screen_id, &one.action_id) == (&other.from_screen_id, &other.action_id)
}

fn checked(
    proposal: &Value,
    knowledge: &Knowledge,
    asked: &[UntriedAction<'_>],
) -> Result<InferredTransition, String> {
    let text = |name: &str| proposal[name].as_str().unwrap_or_default().trim();
    let (from, action_id, to) = (text("from_screen_id"), text("action_id"), text("to_screen_id"));
    let is_asked =
        |one: &&UntriedAction<'_>| one.screen_id == from && one.action.action_id == action_id;
    let Some(asked) = asked.iter().find(is_asked) else {
        return Err(format!("nobody asked about `{action_id}` on `{from}`"));
    };
    if asked.action.effect == EffectClass::Destroys {
        return Err(format!("`{action_id}` destroys something"));
    }
    let end = knowledge.screen(to).filter(|screen| screen.is_used());
    if end.is_none() || to == from {
        return Err(format!("`{action_id}` leads to `{to}`, which is no other known screen"));
    }
    let confidence = proposal["confidence"].as_f64().unwrap_or_default();
    if !(confidence > LEAST_CONFIDENCE && confidence <= 1.0) {
        return Err(format!("`{action_id}`: a confidence of {confidence} does not count"));
    }
    let screen = knowledge.screen(from);
    let mut prepared = Vec::new();
    for one in proposal["values"].as_array().into_iter().flatten() {
        let field = one["action_id"].as_str().unwrap_or_default();
        let value = one["value"].as_str().unwrap_or_default();
        let known = screen.and_then(|screen| screen.action(field));
        if !known.is_some_and(takes_value) || value.chars().count() > MAX_VALUE {
            return Err(format!("`{action_id}` needs `{field}`, which is no field of `{from}`"));
        }
        prepared.push(Preparation {
            action_id: field.to_owned(),
            value: Some(Sanitized::line(value).into_string()).filter(|value| !value.is_empty()),
        });
    }
    Ok(InferredTransition {
        from_screen_id: from.to_owned(),
        to_screen_id: to.to_owned(),
        action_id: action_id.to_owned(),
        prepared,
        confidence: (confidence * 100.0).round() / 100.0,
        reasoning: one_line(text("reasoning"), MAX_REASON),
    })
}

/// Adds proposals to those of a knowledge. A newer one on the same action counts, and of several
/// new ones the surest.
pub fn add_proposals(knowledge: &mut Knowledge, new: Vec<InferredTransition>) {
    knowledge.inferred.retain(|old| !new.iter().any(|one| is_same(one, old)));
    knowledge.inferred.extend(new);
    knowledge.inferred.sort_by(|a, b| {
        let action = |one: &InferredTransition| (one.from_screen_id.clone(), one.action_id.clone());
        let rest = |one: &InferredTransition| (one.to_screen_id.clone(), one.reasoning.clone());
        (action(a).cmp(&action(b)))
            .then(b.confidence.total_cmp(&a.confidence))
            .then_with(|| rest(a).cmp(&rest(b)))
    });
    knowledge.inferred.dedup_by(|a, b| is_same(a, b));
}

/// Takes over the proposals that an earlier knowledge of the site had, without those that were
/// tried: where an action led is a fact now, whether it led where it was said to or not.
pub fn keep_untried(knowledge: &mut Knowledge, earlier: Vec<InferredTransition>) {
    let seen: BTreeSet<(&str, &str)> = knowledge
        .transitions
        .iter()
        .filter_map(|one| Some((one.from_screen_id.as_str(), one.action_id.as_deref()?)))
        .collect();
    let is_open = |one: &InferredTransition| {
        let from = knowledge.screen(&one.from_screen_id);
        from.is_some_and(|screen| screen.action(&one.action_id).is_some())
            && knowledge.screen(&one.to_screen_id).is_some()
            && !seen.contains(&(one.from_screen_id.as_str(), one.action_id.as_str()))
    };
    let open = earlier.into_iter().filter(is_open).collect();
    add_proposals(knowledge, open);
}
