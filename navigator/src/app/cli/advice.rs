//! The flags that lift a limit: what the command adds to the line of a stop.

use crate::run::stop::Stop;

/// Returns the line of a stop, with the flag that lifts its limit.
pub(super) fn stop_line(stop: &Stop) -> String {
    let line = stop.line();
    match of_stop(stop) {
        Some(advice) => format!("{line} ({advice})"),
        None => line,
    }
}

fn of_stop(stop: &Stop) -> Option<&'static str> {
    match stop {
        Stop::TokenLimit => Some("raise `--tokens`"),
        Stop::SpendLimit { .. } => Some("raise `--budget`"),
        Stop::PurseLimit { .. } => Some("`navigator purse change` raises it"),
        Stop::PurseAway(_) => Some("`--resume` goes on when it answers"),
        Stop::TurnLimit => Some("raise `--max-turns`"),
        Stop::TimeLimit => Some("raise `--max-time`"),
        Stop::UnusableAnswers(_) => Some("try another `--model`"),
        _ => None,
    }
}
