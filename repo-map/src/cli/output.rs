//! Output: text on standard output, messages for people on standard error.
//!
//! Nothing else in the crate writes to either.

#![expect(clippy::disallowed_methods, reason = "the rim: writes to the standard streams")]

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use crate::cli::clipboard;
use crate::cli::whole::write_file;
use crate::exit::Exit;
use crate::plan::FlightPlan;
use crate::text::counts::{counted, n_of};
use crate::text::sanitize::Sanitized;
use crate::{ChangedFiles, Drift, Error, Judged};

/// Why a command failed.
#[derive(Debug)]
pub struct CommandFailure {
    /// The exit code.
    pub exit: Exit,
    /// The error, its causes, and what mends it.
    pub message: Sanitized,
}

impl CommandFailure {
    /// Returns how a program ends with an error; `None` if that is a closed pipe, which is success.
    /// `exit_of` knows the exit codes of causes.
    pub fn of(
        error: &anyhow::Error,
        exit_of: impl Fn(&(dyn std::error::Error + 'static)) -> Option<Exit>,
    ) -> Option<CommandFailure> {
        let is_closed = error.chain().any(|cause| {
            let cause = cause.downcast_ref::<io::Error>();
            cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
        });
        if is_closed {
            return None;
        }
        let advice = advice_of(error).map_or(String::new(), |advice| format!(" ({advice})"));
        let exit_of_cause = |cause: &(dyn std::error::Error + 'static)| {
            exit_of(cause).or_else(|| cause.downcast_ref().map(Error::exit_of_io))
        };
        let exit = error.chain().find_map(exit_of_cause).unwrap_or(Exit::Error);
        Some(CommandFailure { exit, message: format!("{error:#}{advice}").into() })
    }
}

/// Prints a failure in the form of all programs, and returns its exit code.
pub fn fail(program: &str, failure: Option<CommandFailure>) -> ExitCode {
    let Some(CommandFailure { exit, message }) = failure else { return Exit::Finished.into() };
    say(format!("{program}: {message}"));
    exit.into()
}

/// Returns the flags and commands that mend an error of the library.
fn advice_of(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| match cause.downcast_ref()? {
        Error::NotAFolder { .. } => Some(
            "give the repository's folder; `--focus` or `--level` select files in it".to_owned(),
        ),
        Error::BareRepository { .. } => {
            Some("map a folder that `git worktree add` or `git clone` makes of it".to_owned())
        }
        Error::NotFlown { .. } => Some(
            "fly it first with `navigator explore --plan`, then replay the plan that leaves"
                .to_owned(),
        ),
        _ => None,
    })
}

/// Prints a line on standard error. A closed standard error does not end the run.
pub fn say(line: impl Into<Sanitized>) {
    let _ = writeln!(io::stderr(), "{}", line.into());
}

/// Returns the first paths on one line, with the number of the others.
pub(super) fn first_of(paths: &[String]) -> String {
    const MOST: usize = 10;
    let more =
        if paths.len() > MOST { format!(", {} more", paths.len() - MOST) } else { String::new() };
    format!("{}{more}", paths[..paths.len().min(MOST)].join(", "))
}

/// Returns the message about changes since a revision: the number of files, and the deleted paths.
pub fn changed_since(revision: &str, changed: &ChangedFiles<'_>) -> String {
    let deleted = format!("{} deleted", n_of(changed.gone.len(), "file"));
    if changed.n_files + changed.n_left_out == 0 && !changed.gone.is_empty() {
        return format!("{deleted} since {revision}: {}", first_of(changed.gone));
    }
    let mut message = match changed.n_files {
        0 if changed.n_left_out > 0 => format!("no file of the map changed since {revision}"),
        0 => format!("nothing changed since {revision}"),
        n => format!("{} changed since {revision}", n_of(n, "file")),
    };
    if changed.n_left_out > 0 {
        let files = counted(changed.n_left_out, "changed file is", "changed files are");
        message.push_str(&format!("; {files} hidden or ignored (`--hidden`, `--no-ignore`)"));
    }
    if !changed.gone.is_empty() {
        message.push_str(&format!("; {deleted}: {}", first_of(changed.gone)));
    }
    message
}

/// Returns the message about a repository without files.
pub fn nothing_found(path: &Path) -> String {
    format!(
        "no files found in {} (ignore rules may hide them: `--no-ignore`, `--hidden`)",
        path.display()
    )
}

/// Returns the message about a goal without matches. `instead` says what is shown.
pub(super) fn nothing_matches(instead: &str) -> String {
    format!("nothing matches the goal; {instead} (try identifiers from the code, or a path)")
}

/// Returns the exit code of a command that scores files for the goal of `plan`, and prints a
/// message if nothing matches.
pub(super) fn relevance(repo: &Judged, plan: &FlightPlan, instead: &str) -> Exit {
    if repo.has_evidence() {
        return Exit::Finished;
    }
    if plan.goal.is_some() {
        say(format!("repo-map: {}", nothing_matches(instead)));
    }
    Exit::NothingRelevant
}

/// Prints the paths that prevent a replay: all that the map shows, the first of the others.
pub fn say_drift(program: &str, drift: &Drift, root: &Path) {
    say(format!("{program}: drifted"));
    drift.lines().into_iter().for_each(|line| say(format!("  {line}")));
    if let Some(hint) = drift.hint() {
        say(format!("{program}: {hint}"));
    }
    if let Some(folder) = &drift.folder {
        let folder = if root == Path::new(".") { PathBuf::from(folder) } else { root.join(folder) };
        say(format!(
            "{program}: the plan was flown over another folder (did you mean `{}`?)",
            folder.display()
        ));
    }
}

/// Writes a text to the clipboard, to a file, or to standard output.
///
/// # Errors
/// When it cannot be written.
pub fn deliver(
    program: &str,
    output: Option<&Path>,
    to_clipboard: bool,
    text: &Sanitized,
) -> Result<()> {
    if to_clipboard {
        let way = clipboard::copy(text)?;
        say(format!("{program}: copied to the clipboard by {way}"));
        return Ok(());
    }
    write_out(output, text)
}

/// Writes to the file, or to standard output if there is none.
///
/// # Errors
/// When it cannot be written.
pub fn write_out(output: Option<&Path>, text: &Sanitized) -> Result<()> {
    match output {
        Some(path) if path != Path::new("-") => write_file(path, text),
        _ => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(text.as_bytes())?;
            Ok(stdout.flush()?)
        }
    }
}

/// Reports whether a person sees only standard error, since the text goes to a file or a program:
/// then a summary helps.
pub(super) fn only_lines_are_seen(output: Option<&Path>) -> bool {
    io::stderr().is_terminal() && (output.is_some() || !io::stdout().is_terminal())
}
