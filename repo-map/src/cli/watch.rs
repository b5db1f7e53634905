//! Prints the progress of a run on the terminal.

#![expect(clippy::disallowed_methods, reason = "the rim: reads the clock, writes to the terminal")]

use std::io::{self, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::source::progress::{Progress, ProgressSink, Stage};

/// The time of a stage before its progress is printed.
const SOON: Duration = Duration::from_secs(1);

/// The time between two updates of the progress line.
const REFRESH: Duration = Duration::from_millis(100);

/// Returns a sink that shows progress at the terminal, on one line that is erased at the end;
/// `None` without a terminal.
pub fn watcher() -> Option<ProgressSink> {
    use std::io::IsTerminal;
    io::stderr().is_terminal().then(|| {
        paced(REFRESH, |progress, left| eprint(&progress_line(progress, left)), || eprint(""))
    })
}

/// Returns a sink that calls `report` at most once each `pace`, and not in the first second of a
/// stage, with the time the stage has left where it is known. It calls `end` when a stage ends that
/// was reported. A stage that runs beside another is reported after its end.
pub fn paced(
    pace: Duration,
    report: impl Fn(Progress, Option<Duration>) + Send + Sync + 'static,
    end: impl Fn() + Send + Sync + 'static,
) -> ProgressSink {
    struct ProgressLine {
        stage: Option<Stage>,
        since: Instant,
        last: Option<Instant>,
    }
    let line = Mutex::new(ProgressLine { stage: None, since: Instant::now(), last: None });
    ProgressSink::new(move |progress| {
        let is_end = progress.of == Some(progress.done);
        // While another thread reports, this report can be skipped, but for the end of a stage.
        let held = if is_end { line.lock().ok() } else { line.try_lock().ok() };
        let Some(mut line) = held else { return };
        match line.stage {
            Some(stage) if stage != progress.stage => return,
            Some(_) => {}
            None => {
                line.stage = Some(progress.stage);
                line.since = Instant::now();
            }
        }
        if is_end {
            if line.last.take().is_some() {
                end();
            }
            line.stage = None;
            return;
        }
        let passed = line.since.elapsed();
        if passed >= SOON && line.last.is_none_or(|last| last.elapsed() >= pace) {
            line.last = Some(Instant::now());
            let left = progress.of.map(|of| {
                passed
                    .mul_f64(of.saturating_sub(progress.done) as f64 / progress.done.max(1) as f64)
            });
            report(progress, left);
        }
    })
}

fn progress_line(progress: Progress, left: Option<Duration>) -> String {
    let Progress { stage, done, known, of } = progress;
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    let known = if known > 0 { format!(", {known} known") } else { String::new() };
    let left = left.map_or_else(String::new, |left| format!(", {} s left", left.as_secs() + 1));
    let what = if stage == Stage::History { "commits" } else { "files" };
    format!("{}: {done}{of} {what}{known}{left}", stage.as_str())
}

/// Replaces the last line of the terminal.
fn eprint(line: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush());
}
