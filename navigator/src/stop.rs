//! Every way an exploration ends: an exit code, a line for people, a word for machines.

use repo_map::cli::Exit;

/// Why an exploration ended. Each delivers the best context so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The pilot finalized.
    Finished,
    /// Nothing in the repository speaks of the goal.
    NothingRelevant,
    /// The turns are used up.
    TurnLimit,
    /// The time is used up.
    TimeLimit,
    /// The person pressed Ctrl-C.
    Interrupted,
}

impl Stop {
    /// The word for machines.
    pub fn as_str(self) -> &'static str {
        match self {
            Stop::Finished => "finished",
            Stop::NothingRelevant => "nothing_relevant",
            Stop::TurnLimit => "turn_limit",
            Stop::TimeLimit => "time_limit",
            Stop::Interrupted => "interrupted",
        }
    }

    /// The line for people.
    pub fn line(self) -> &'static str {
        match self {
            Stop::Finished => "finished",
            Stop::NothingRelevant => {
                "nothing in this repository speaks of the goal; the context shows it from above (use words of the code, or name a path)"
            }
            Stop::TurnLimit => "stopped at the turn limit; this is the best context so far (raise `--max-turns`)",
            Stop::TimeLimit => "stopped at the time limit; this is the best context so far (raise `--max-time`)",
            Stop::Interrupted => "interrupted; this is the best context so far",
        }
    }

    /// The exit code.
    pub fn exit(self) -> Exit {
        match self {
            Stop::Finished => Exit::Finished,
            Stop::NothingRelevant => Exit::NothingRelevant,
            Stop::TurnLimit | Stop::TimeLimit => Exit::TurnOrTimeLimit,
            Stop::Interrupted => Exit::Interrupted,
        }
    }
}
