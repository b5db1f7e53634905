//! Takes the steps of a recorded walk again in its recording, and finds the first one that leads or
//! extracts something else.

use crate::run::deadline::Deadline;
use crate::walk::action::WalkAction;
use crate::walk::extract::extract_of;
use crate::walk::session::{Move, WalkSession};
use crate::walk::state::WalkState;

/// Takes the steps of a state again, and reports the first one that leads or extracts something
/// else: its number, 0 for the first page.
///
/// # Errors
/// If the world cannot be used.
pub fn retrace<S: WalkSession>(
    session: &mut S,
    state: &mut WalkState,
    deadline: &Deadline,
) -> Result<Option<usize>, S::Error> {
    if state.start.is_empty() {
        return Ok(None);
    }
    session.go(&Move::Start, deadline)?;
    if session.screen().digest() != state.start {
        return Ok(Some(0));
    }
    state.look(session.screen());
    let mut n_extracts = 0;
    for at in 0..state.path.len() {
        let step = state.path[at].clone();
        let is_same = match (&step.action, Move::of(&step.action)) {
            (_, Some(to)) if !step.is_shown && step.refused.is_empty() => {
                state.fail(session.screen(), &to);
                true
            }
            _ if !step.is_shown => true,
            (WalkAction::Extract { sections }, _) => {
                n_extracts += 1;
                state.extracts.get(n_extracts - 1) == Some(&extract_of(session.screen(), sections))
            }
            (_, Some(to)) => session.go(&to, deadline)?.is_shown,
            (_, None) => true,
        };
        if !is_same || session.screen().digest() != step.after {
            return Ok(Some(at + 1));
        }
        state.look(session.screen());
        state.know(&step.found);
    }
    Ok(None)
}
