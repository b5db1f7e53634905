//! The flags that lift a limit, or go on: what the command adds to the line of a stop.

use crate::run::stop::Stop;

/// Returns the line of a stop, with the flag that lifts its limit.
pub(super) fn stop_line(stop: &Stop) -> String {
    advised(&stop.line(), stop)
}

/// Returns a line for a stop, with the flag that lifts its limit.
pub(super) fn advised(line: &str, stop: &Stop) -> String {
    match of_stop(stop) {
        Some(advice) => format!("{line} ({advice})"),
        None => line.to_owned(),
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
        Stop::BrowserEnded(_) => Some("`--resume` goes on with a new browser"),
        Stop::UnusableAnswers(_) => Some("try another `--model`"),
        _ => None,
    }
}
