//! What the pilot without a model decides, with what speaks for it.

use crate::walk::action::WalkAction;
use crate::walk::pilot::WalkDecision;
use crate::walk::pilot::promise::Promise;
use crate::walk::pilot::worth::TakenText;
use crate::walk::state::PathStep;

/// What to do next.
pub(super) struct WalkChoice {
    pub(super) action: WalkAction,
    pub(super) why: String,
    /// The share of the goal that speaks for it.
    pub(super) evidence: f64,
}

impl WalkChoice {
    pub(super) fn to_go(to: Promise) -> WalkChoice {
        let why = format!("`{}` has {:.0} % of the goal", to.way, 100.0 * to.share);
        WalkChoice { action: to.action, why, evidence: to.share }
    }

    pub(super) fn to_finish(taken: &TakenText<'_>, why: String) -> WalkChoice {
        let text = &taken.extract.text;
        let action = WalkAction::Finish { answer: text.clone(), citations: vec![text.clone()] };
        WalkChoice { action, why, evidence: taken.worth.share }
    }

    /// Ends a walk that did what the goal says.
    pub(super) fn done(step: &PathStep) -> WalkChoice {
        let answer = format!("{}: {}", step.action, step.result);
        let action = WalkAction::Finish { answer, citations: Vec::new() };
        WalkChoice { action, why: "what the goal names was done".to_owned(), evidence: 1.0 }
    }

    pub(super) fn to_give_up(reason: String) -> WalkChoice {
        WalkChoice {
            action: WalkAction::GiveUp { reason: reason.clone() },
            why: reason,
            evidence: 0.0,
        }
    }
}

impl From<WalkChoice> for WalkDecision {
    fn from(WalkChoice { action, why, .. }: WalkChoice) -> WalkDecision {
        WalkDecision { actions: vec![action], why, is_guess: true, ..WalkDecision::default() }
    }
}
