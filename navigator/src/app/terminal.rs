//! The terminal of the person: asks for the next step, shows map and plan, opens an editor.

#![expect(clippy::disallowed_methods, reason = "the rim: runs an editor on a file")]

use std::env;
use std::fmt;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use inquire::error::InquireResult;
use inquire::{InquireError, Select, Text};

use crate::model::retry::Retries;
use crate::run::deadline::POLL;
use crate::run::observer::{Checkpoint, Directive, EffectQuestion};
use crate::run::plan::Change as _;
use crate::run::plan::Plan;
use crate::run::report::next_line;
use crate::run::state::State;
use crate::run::terrain::{Terrain, TerrainMap};
use crate::shared::{CancelToken, Sanitized, say};

/// Reports whether there is a person to ask: standard input and standard error are a terminal.
/// Standard output may be a file.
pub(crate) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// The choices before a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TurnChoice {
    Continue,
    Accept,
    StopHere,
    Feedback,
    ShowMap,
    ShowPlan,
    EditPlan,
    Quit,
}

impl fmt::Display for TurnChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TurnChoice::Continue => "continue",
            TurnChoice::Accept => "accept: print the context and end",
            TurnChoice::StopHere => "stop here: print the context so far and end",
            TurnChoice::Feedback => "feedback: tell the pilot something",
            TurnChoice::ShowMap => "show map",
            TurnChoice::ShowPlan => "show plan",
            TurnChoice::EditPlan => "edit plan",
            TurnChoice::Quit => "quit without output",
        })
    }
}

/// Formats the position of the run and the cost of the next turn as a sentence.
fn checkpoint_line<T: Terrain>(checkpoint: &Checkpoint<'_, T>) -> String {
    let map = format!("Map: {} of {} tokens.", checkpoint.map.tokens(), checkpoint.map.budget());
    match checkpoint.projection {
        Some(next) => {
            format!("{map} {}", next_line(next, checkpoint.purse, Retries::default().attempts))
        }
        None => map,
    }
}

/// Formats the question before an effect.
fn effect_line<T: Terrain>(question: &EffectQuestion<'_, T>) -> String {
    format!("`{}` {}. Allow it?", question.change.name(), question.effect)
}

/// Asks the person to approve an effect. A closed terminal, and any key but a yes, is a no.
pub(crate) fn approve<T: Terrain>(
    question: &EffectQuestion<'_, T>,
    interrupted: &CancelToken,
) -> bool {
    let choices = vec!["no", "yes, once"];
    matches!(choose_effect(effect_line(question), choices, interrupted), Ok("yes, once"))
}

const KEYS: &str = "arrows move, enter chooses, ctrl-c ends with the context so far";

/// The form of a plan that a person reads and edits.
pub(crate) trait PlanText<P: Plan> {
    /// Returns the help text above the plan in an editor.
    fn help(&self) -> &'static str;

    /// Returns the current plan: the person's bounds, then the pilot's rules.
    fn text(&self, state: &State<P>) -> Sanitized;

    /// Reads an edited plan. Existing rules keep their owner; new ones belong to the person.
    ///
    /// # Errors
    /// A sentence, if it cannot be used.
    fn read_edited(&self, text: &str, state: &State<P>) -> Result<Directive<P>, String>;
}

/// Asks the person for the next step. A closed terminal is an interrupt.
pub(crate) fn ask<T: Terrain>(
    checkpoint: &Checkpoint<'_, T>,
    plan: &dyn PlanText<T::Plan>,
    scratch: &Path,
    interrupted: &CancelToken,
) -> Directive<T::Plan> {
    let first = if checkpoint.projection.is_some() {
        [TurnChoice::Continue, TurnChoice::StopHere].as_slice()
    } else {
        &[TurnChoice::Accept]
    };
    let rest = [
        TurnChoice::Feedback,
        TurnChoice::ShowMap,
        TurnChoice::ShowPlan,
        TurnChoice::EditPlan,
        TurnChoice::Quit,
    ];
    let choices: Vec<TurnChoice> = first.iter().copied().chain(rest).collect();
    loop {
        say(textwrap::fill(&checkpoint_line(checkpoint), textwrap::termwidth()));
        let question = if checkpoint.projection.is_some() {
            "Go on?"
        } else {
            "The pilot has finalized. Take it?"
        };
        match choose(question.to_owned(), choices.clone(), interrupted) {
            Ok(TurnChoice::Continue | TurnChoice::Accept) => return Directive::GoOn,
            Ok(TurnChoice::StopHere) => return Directive::StopHere,
            Ok(TurnChoice::Quit) => return Directive::Quit,
            Ok(TurnChoice::Feedback) => match feedback(interrupted) {
                Ok(Some(text)) => return Directive::Feedback(text),
                Ok(None) => {}
                Err(_) => return Directive::Interrupt,
            },
            Ok(TurnChoice::ShowMap) => show(checkpoint.map.text()),
            Ok(TurnChoice::ShowPlan) => show(&plan.text(checkpoint.state)),
            Ok(TurnChoice::EditPlan) => {
                if let Some(edited) = edit(checkpoint.state, plan, scratch, interrupted) {
                    return edited;
                }
            }
            // Esc does not undo earlier answers.
            Err(InquireError::OperationCanceled) => {}
            Err(_) => return Directive::Interrupt,
        }
    }
}

/// Asks the person for words to the pilot; `None` if there are none.
///
/// # Errors
/// If the terminal was closed, or the run interrupted.
pub(crate) fn feedback(interrupted: &CancelToken) -> InquireResult<Option<String>> {
    match watched(interrupted, || Text::new("Feedback:").prompt()) {
        Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Err(InquireError::OperationCanceled) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Lets the person choose.
///
/// # Errors
/// If the person leaves the question, or the terminal was closed.
pub(crate) fn choose<T: fmt::Display + Send + 'static>(
    question: String,
    choices: Vec<T>,
    interrupted: &CancelToken,
) -> InquireResult<T> {
    let page = choices.len();
    watched(interrupted, move || {
        Select::new(&question, choices)
            .with_page_size(page)
            .without_filtering()
            .with_help_message(KEYS)
            .prompt()
    })
}

/// Lets the person choose whether an effect may happen. Ctrl-C, which the question reads as a key,
/// interrupts the run.
///
/// # Errors
/// If the person leaves the question, or the terminal was closed.
pub(crate) fn choose_effect<T: fmt::Display + Send + 'static>(
    question: String,
    choices: Vec<T>,
    interrupted: &CancelToken,
) -> InquireResult<T> {
    let chosen = choose(question, choices, interrupted);
    if matches!(chosen, Err(InquireError::OperationInterrupted)) {
        interrupted.cancel();
    }
    chosen
}

/// Runs a prompt that ends when the run is interrupted. It waits for keys in its own thread,
/// because it would wait forever for keys of a closed terminal.
fn watched<T: Send + 'static>(
    interrupted: &CancelToken,
    prompt: impl FnOnce() -> InquireResult<T> + Send + 'static,
) -> InquireResult<T> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || drop(send.send(prompt())));
    loop {
        match receive.recv_timeout(POLL) {
            Ok(answered) => return answered,
            Err(RecvTimeoutError::Timeout) if !interrupted.is_cancelled() => {}
            Err(_) => {
                // The prompt could not restore the terminal. For a closed terminal the error does
                // not matter.
                let _ = crossterm::terminal::disable_raw_mode();
                return Err(InquireError::OperationInterrupted);
            }
        }
    }
}

/// Shows a text in the person's pager, or prints it.
pub(crate) fn show(text: &Sanitized) {
    let pager = env::var("PAGER")
        .ok()
        .filter(|pager| !pager.is_empty())
        .unwrap_or_else(|| "less".to_owned());
    // The pager writes to the terminal even if standard output is a file: that file is for the
    // context.
    let shown =
        command(&pager).stdin(Stdio::piped()).stdout(io::stderr()).spawn().and_then(|mut child| {
            if let Some(mut stdin) = child.stdin.take() {
                // A pager may be left before it has read everything.
                let _ = stdin.write_all(text.as_bytes());
            }
            child.wait()
        });
    if !shown.is_ok_and(|status| status.success()) {
        say(text.clone());
    }
}

/// Builds a command from a line that may contain arguments.
fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}

/// Opens the plan in the person's editor, until it can be read or the person gives up.
fn edit<P: Plan>(
    state: &State<P>,
    plan: &dyn PlanText<P>,
    scratch: &Path,
    interrupted: &CancelToken,
) -> Option<Directive<P>> {
    let editor = ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| env::var(name).ok().filter(|editor| !editor.is_empty()));
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    let before = format!("{}{}", plan.help(), plan.text(state));
    // A file with a unique name, readable by the user only, and removed on return.
    let made = tempfile::Builder::new().prefix(".plan-").suffix(".yaml").tempfile_in(scratch);
    let written =
        made.and_then(|mut file| file.write_all(before.as_bytes()).map(|()| file.into_temp_path()));
    let file = match written {
        Ok(file) => file,
        Err(error) => {
            say(format!("the plan cannot be written into {}: {error}", scratch.display()));
            return None;
        }
    };
    loop {
        match command(&editor).arg(&*file).stdout(io::stderr()).status() {
            Ok(status) if status.success() => {}
            Ok(status) => {
                say(format!("`{editor}` ended with {status}; the plan stays as it was"));
                return None;
            }
            Err(error) => {
                say(format!(
                    "`{editor}` cannot be run: {error} (set EDITOR); the plan stays as it was"
                ));
                return None;
            }
        }
        let text = fs::read_to_string(&file).unwrap_or_default();
        if text == before {
            say("nothing was changed");
            return None;
        }
        match plan.read_edited(&text, state) {
            Ok(edited) => return Some(edited),
            Err(message) => say(message),
        }
        let question = "The plan cannot be used.".to_owned();
        let again = choose(question, vec!["edit again", "drop the changes"], interrupted);
        if matches!(again, Err(InquireError::OperationInterrupted)) {
            return Some(Directive::Interrupt);
        }
        if !matches!(again, Ok("edit again")) {
            return None;
        }
    }
}
