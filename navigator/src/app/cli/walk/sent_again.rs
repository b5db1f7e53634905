//! What a walk in a browser has sent is not sent again without a yes.

use std::fs;
use std::path::Path;

use anyhow::Result;
use repo_map::CancelToken;
use repo_map::cli::say;

use crate::app::cli::walk::run::WalkRun;
use crate::app::run_folder::SECURITY_LOG;
use crate::app::settings::usage;
use crate::app::terminal;
use crate::browser::guard::sent::{SentStep, sent_steps};
use crate::run::text::one_line;
use crate::walk::state::WalkState;

/// The most steps that are named.
const MAX_NAMED: usize = 3;
/// The longest request that is named, in characters.
const MAX_REQUEST: usize = 200;

/// Returns what the steps of a walk have sent; `None` if nothing tells.
pub(in crate::app::cli) fn sent_of(folder: &Path, state: &WalkState) -> Option<Vec<SentStep>> {
    let log = fs::read_to_string(folder.join(SECURITY_LOG)).ok()?;
    Some(sent_steps(&log, &state.id()))
}

/// Reports whether the steps of a walk may be taken again, up to where it goes on: none has sent
/// anything, or the person says yes. It is given as it is stored, and as it goes on.
///
/// # Errors
/// If one has, and there is nobody to ask; or if nothing tells what was sent.
pub(in crate::app::cli) fn may(
    folder: &WalkRun,
    (stored, state): (&WalkState, &WalkState),
    interactive: bool,
    cancel: &CancelToken,
) -> Result<bool> {
    let name = folder.name();
    let Some(mut sent) = sent_of(&folder.path, state) else {
        let message = format!(
            "the walk has no readable `{SECURITY_LOG}`, so it is not known what it has sent (begin \
             a new walk, or take its steps again nevertheless with `--send-again`)"
        );
        return Err(usage("--resume", message));
    };
    sent.retain(|one| is_ahead(one, state));
    let Some(told) = told(&sent, stored) else { return Ok(true) };
    if !interactive {
        let message = format!(
            "{told}: this is not sent again without a yes (`--send-again` or `--interactive`, with \
             what `--allow` allowed; `navigator replay {}` prints what the walk has)",
            name.display()
        );
        return Err(usage("--resume", message));
    }
    let question = format!("{told}. Take it again, and send it again where that is allowed?");
    let may = matches!(terminal::choose(question, vec!["no", "yes"], cancel), Ok("yes"));
    if !may {
        let name = name.display();
        say(format!("navigator: nothing was sent (`navigator replay {name}` prints the walk)"));
    }
    Ok(may)
}

/// Tells what steps of a walk have sent; `None` if they sent nothing.
pub(in crate::app::cli) fn told(sent: &[SentStep], state: &WalkState) -> Option<String> {
    let lines = sent.iter().take(MAX_NAMED).map(|one| line(one, state));
    let mut told = lines.collect::<Vec<_>>().join("; ");
    if let Some(more @ 1..) = sent.len().checked_sub(MAX_NAMED) {
        told += &format!("; and {more} more");
    }
    (!told.is_empty()).then_some(told)
}

/// Reports whether going on can send what a step has sent: it is a step of the path, or one that
/// was begun and is not in the path, which the pilot may well take again.
pub(in crate::app::cli) fn is_ahead(sent: &SentStep, state: &WalkState) -> bool {
    match (sent.step as usize).checked_sub(1).map(|at| state.path.get(at)) {
        Some(Some(step)) => {
            crate::shared::Sanitized::line(&step.action.to_string()).as_ref() == sent.action
        }
        Some(None) | None => true,
    }
}

fn line(sent: &SentStep, state: &WalkState) -> String {
    let requests = one_line(&sent.requests.join(", "), MAX_REQUEST);
    match sent.step {
        0 => format!("the first page sent {requests}"),
        step if step > state.n_steps() => {
            format!("step {step} (`{}`), which was cut short, sent {requests}", sent.action)
        }
        step => format!("step {step} (`{}`) sent {requests}", sent.action),
    }
}
