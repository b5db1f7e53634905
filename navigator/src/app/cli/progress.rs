//! Progress messages on standard error during a run.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use repo_map::cli::{CommandFailure, fail, paced, say, watcher};
use repo_map::{Exit, Judged, Progress, ProgressSink, Sanitized};
use serde_json::{Value, json};

use super::advice::{advised, stop_line};
use super::listing::DocumentRun;
use crate::app::run_folder;
use crate::app::source::documents::RunSource;
use crate::app::source::site_report::SiteReport;
use crate::model::endpoint::ModelEndpoint;
use crate::money::effect::{Effect, SentField};
use crate::money::pico_usd::PicoUsd;
use crate::shared::n_of;

use crate::run::explore::Exploration;
use crate::run::observer::{Checkpoint, EffectQuestion};
use crate::run::plan::Change as _;
use crate::run::report::TurnReport;
use crate::run::stop::Stop;
use crate::run::terrain::Terrain;
use crate::run::text::one_line;
use crate::terrain::site::DocumentTerrain;
use crate::walk::report::WalkReport;
use crate::walk::screen::Screen;
use crate::walk::state::PathStep;
use crate::walk::steps::observer::WalkCheckpoint;

/// The maximum number of problems with files that are told one by one.
const MOST_PROBLEMS: usize = 3;

/// How much of a turn is reported as it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnDetail {
    /// The whole Turn Report, for a person who decides on the next turn.
    Full,
    /// One line.
    Line,
    /// Nothing: all turns get one line at the end.
    Together,
}

/// What a step of a walk would do, and waits for an answer.
pub(super) struct StepQuestion<'a> {
    pub(super) step: &'a str,
    pub(super) effect: &'a Effect,
    /// The text around its control, where others have the same name.
    pub(super) beside: Option<&'a str>,
    /// What its request would send.
    pub(super) fields: &'a [SentField],
}

/// The sink of progress messages: lines for people, JSON for scripts, or nothing.
#[derive(Clone, Copy)]
pub(super) struct Tell {
    pub(super) quiet: bool,
    pub(super) events: bool,
}

impl Tell {
    pub(super) fn started(
        &self,
        target: Option<&ModelEndpoint>,
        limit: Option<PicoUsd>,
        purse: Option<&str>,
        is_local: bool,
    ) {
        let named = limit.map_or_else(
            || format!("limit {} (`--budget` sets it)", PicoUsd::DEFAULT_LIMIT),
            |limit| format!("limit {limit}"),
        );
        let line = match target {
            None => format!(
                "offline pilot: no model,{} no cost; `--model PROVIDER/NAME` asks a model, \
                 `navigator models` lists them",
                if is_local { " no network," } else { "" }
            ),
            Some(target) => {
                let price = match &target.prices_as_of {
                    _ if target.price.is_free() => "costs nothing".to_owned(),
                    Some(day) => format!("{named}, prices of {day}"),
                    None => format!("{named}, price given by hand"),
                };
                format!("{} at {}: {price}", target.name, target.base_url)
            }
        };
        self.line(&line);
        if let Some(purse) = purse {
            self.line(&format!("paid from the purse `{purse}` too"));
        }
        if let Some(why) = target.and_then(ModelEndpoint::soft_hold) {
            self.line(&format!("the limit is soft: {why}"));
        }
        if let Some(assumed) = target.filter(|target| target.is_window_assumed) {
            self.line(&format!(
                "the window of {} is unknown; {} tokens are assumed (`--window` sets it)",
                assumed.name, assumed.window
            ));
        }
        self.event(&json!({
            "event": "started",
            "pilot": target.map_or("offline", |target| target.name.as_str()),
            "limit_pico_usd": limit.unwrap_or(PicoUsd::DEFAULT_LIMIT),
            "soft": target.and_then(ModelEndpoint::soft_hold),
            "purse": purse,
        }));
    }

    /// Reports what came of reading a site.
    pub(super) fn read(&self, report: &SiteReport) {
        report.lines().iter().for_each(|line| self.line(line));
        self.event(&json!({ "event": "read", "site": report }));
    }

    pub(super) fn scanned(&self, repo: &Judged, source: &RunSource) {
        let problems: Vec<String> = repo.problems().iter().map(ToString::to_string).collect();
        problems.iter().take(MOST_PROBLEMS).for_each(|problem| self.line(problem));
        if let Some(n_more @ 1..) = problems.len().checked_sub(MOST_PROBLEMS) {
            let more = n_of(n_more, "more problem");
            self.line(&format!("{more} with files (`--format json` lists them)"));
        }
        self.line(&format!("scanned {}", n_of(repo.n_files(), repo.tree().kind().noun())));
        if let RunSource::Folder(folder) = source
            && is_of_pages(repo)
        {
            self.line(&format!(
                "most files are HTML, and are read as source code: `file://{}` reads them as the \
                 pages of a site",
                folder.display()
            ));
        }
        self.event(&json!({ "event": "scanned", "files": repo.n_files(), "problems": problems }));
    }

    /// Returns a progress sink for the scan: a transient line for people, one event per second for
    /// scripts.
    pub(super) fn watcher(self) -> Option<ProgressSink> {
        const A_SECOND: Duration = Duration::from_secs(1);
        let tell = move |Progress { stage, done, known, of }, left: Option<Duration>| {
            let left = left.map(|left| left.as_secs());
            self.event(&json!({
                "event": "scanning",
                "stage": stage.as_str(),
                "done": done,
                "known": known,
                "of": of,
                "seconds_left": left,
            }));
        };
        match (self.events, self.quiet) {
            (true, _) => Some(paced(A_SECOND, tell, || ())),
            (false, true) => None,
            (false, false) => watcher(),
        }
    }

    /// Returns a progress sink for the pages of a site: a transient line for people alone.
    pub(super) fn reader_watcher(self) -> Option<ProgressSink> {
        if self.quiet || self.events { None } else { watcher() }
    }

    pub(super) fn projected<T: Terrain>(&self, checkpoint: &Checkpoint<'_, T>) {
        let Some(next) = checkpoint.projection else { return };
        let turn = checkpoint.state.turns + 1;
        if next.request_tokens > 0 {
            let cost = match next.at_most_pico_usd {
                PicoUsd(0) => String::new(),
                at_most => format!(
                    ", about {}, at most {} a call; {} left",
                    next.projected_pico_usd.rounded(),
                    at_most.rounded(),
                    checkpoint.purse.left().rounded_down()
                ),
            };
            self.line(&format!("turn {turn}: asking with {} tokens{cost}", next.request_tokens));
        }
        self.event(&json!({
            "event": "projected",
            "step": turn,
            "projection": next,
            "left_pico_usd": checkpoint.purse.left(),
        }));
    }

    /// Reports an effect that was refused because there was no person to ask.
    pub(super) fn refused<T: Terrain>(&self, question: &EffectQuestion<'_, T>) {
        let (change, effect) = (question.change.name(), question.effect);
        self.line(&format!(
            "`{change}` was refused: it {effect}, and there is no terminal to ask at"
        ));
        self.event(&json!({ "event": "refused", "change": change, "does": effect }));
    }

    /// Asks the program that reads the events.
    pub(super) fn question(&self, id: u64, asked: &StepQuestion<'_>) {
        let StepQuestion { step, effect, beside, fields } = asked;
        let row = beside.map_or_else(String::new, |beside| format!(" beside '{beside}'"));
        let mut event = json!({
            "event": "question",
            "id": id,
            "step": step,
            "does": effect,
            "fields": fields,
            "text": format!("`{step}` {effect}{row}"),
        });
        if let Some(beside) = beside {
            event["beside"] = json!(beside);
        }
        self.event(&event);
    }

    pub(super) fn waiting(&self, line: &str) {
        self.line(line);
        self.event(&json!({ "event": "waiting", "message": line }));
    }

    /// Reports a failure to store the run; an error only if the run must not be lost.
    pub(super) fn kept<T>(&self, may_be_lost: bool, done: Result<T>) -> Result<Option<T>> {
        match done {
            Err(error) if may_be_lost => {
                self.waiting(&format!(
                    "the run is not kept: {error:#} (`--out DIR` keeps it elsewhere)"
                ));
                Ok(None)
            }
            done => done.map(Some),
        }
    }

    pub(super) fn turn(&self, report: &TurnReport, detail: TurnDetail) {
        match detail {
            TurnDetail::Full => say(report.text(textwrap::termwidth())),
            TurnDetail::Line => self.line(&report.line()),
            TurnDetail::Together => {}
        }
        self.event(&json!(report));
    }

    /// Reports several turns on one line: where the first one looked, and the size of the last map.
    pub(super) fn turns(&self, reports: &[TurnReport]) {
        match reports {
            [] => {}
            [only] => self.line(&only.line()),
            [first, .., last] => self.line(&format!(
                "turns {} to {} (`-v` prints each): {}; {}",
                first.step,
                last.step,
                last.size(),
                first.reasoning
            )),
        }
    }

    pub(super) fn ended(
        &self,
        found: &Exploration<DocumentTerrain>,
        plan_out: Option<&PathBuf>,
        folder: Option<&DocumentRun>,
        (is_site, limit): (bool, Option<&str>),
    ) {
        if self.quiet && matches!(found.stop.exit(), Exit::ProviderFailed | Exit::Error) {
            say(format!("navigator: {}", stop_line(&found.stop)));
        }
        match &found.map.conflict {
            // It is the reason for the exit code.
            Some(conflict) if self.quiet && !self.events => {
                say(format!("navigator: {}", conflict.message));
            }
            Some(conflict) => self.line(&conflict.message),
            None => {}
        }
        if found.map.n_masked > 0 {
            self.line(&format!("secrets masked: {} (`--no-mask` shows them)", found.map.n_masked));
        }
        if found.map.n_invisible > 0 {
            let n = found.map.n_invisible;
            self.line(&format!(
                "invisible characters written out: {n} (`--keep-invisible` leaves them as they are)"
            ));
        }
        let unused = found.map.unused().filter(|_| found.map.conflict.is_none());
        if let Some(unused) = unused {
            self.line(&unused);
        }
        let spent = found.purse.spent_pico_usd;
        let ending = match (&found.map.conflict, &found.stop, limit) {
            (Some(_), Stop::Finished, _) => "this is the best effort".into(),
            // It is the reason for the exit code.
            (None, Stop::Finished, Some(limit)) => format!("finished at the limit `{limit}`"),
            (_, stop, _) => stop_line(stop),
        };
        self.line(&format!(
            "{ending}: {} of {} tokens, {}",
            found.map.tokens,
            found.map.budget,
            spent.rounded()
        ));
        let name = folder.map(DocumentRun::name);
        let plan = match plan_out.cloned() {
            // A plan alone does not say where the pages are.
            Some(plan) if is_site => name.or(Some(plan)),
            plan => plan.or(name),
        };
        if let Some(plan) = plan.filter(|_| found.stop != Stop::Quit) {
            self.line(&format!("replay it: navigator replay {}", plan.display()));
        }
        let plan = plan_out.cloned().or_else(|| Some(folder?.path.join(run_folder::PLAN)));
        let shown = |path: &Path| Sanitized::line(&path.display().to_string());
        self.event(&json!({
            "event": "ended",
            "stop": found.stop.as_str(),
            "stop_line": found.stop.line(),
            "tokens": found.map.tokens,
            "budget": found.map.budget,
            "masked": found.map.n_masked,
            "invisible": found.map.n_invisible,
            "conflict": found.map.conflict.as_ref().map(|conflict| &conflict.message),
            "purse": found.purse,
            "saving": found.state.saving(),
            "plan": plan.map(|path| shown(&path)),
            "folder": folder.map(|folder| shown(&folder.path)),
        }));
    }

    /// Reports what kept a command from its end, and returns the exit code.
    pub(super) fn failed(&self, failure: Option<CommandFailure>) -> ExitCode {
        if let (true, Some(CommandFailure { exit, message })) = (self.events, &failure) {
            self.event(&json!({ "event": "failed", "code": *exit as i32, "message": **message }));
            return (*exit).into();
        }
        fail("navigator", failure)
    }

    /// Reports the cost of the next turn of a walk.
    pub(super) fn next_step(&self, checkpoint: &WalkCheckpoint<'_>) {
        let next = checkpoint.projection;
        if next.request_tokens == 0 {
            return;
        }
        self.event(&json!({
            "event": "projected",
            "step": checkpoint.state.turns + 1,
            "projection": next,
            "left_pico_usd": checkpoint.purse.left(),
        }));
    }

    /// Reports a step of a walk.
    pub(super) fn step(&self, step: &PathStep, screen: &Screen, is_shown: bool) {
        if is_shown {
            self.line(&format!("{} → {}", step.action, step.result));
        }
        self.event(&json!({
            "event": "step",
            "action": step.action.to_string(),
            "result": step.result,
            "is_done": step.outcome.is_done(),
            "outcome": step.outcome.as_str(),
            "why": step.why,
            "url": step.address,
            "place": screen.place(),
        }));
    }

    /// Reports the end of a walk.
    pub(super) fn walked(&self, report: &WalkReport, stop: &Stop, run: Option<PathBuf>) {
        let (steps, requests) = (report.steps_taken, report.resources.requests);
        let stop_line = advised(&report.stop_line, stop);
        // A guess is told as one.
        let lacks = match &report.missing[..] {
            [] => String::new(),
            words => format!(" (says nothing of `{}`)", words.join("`, `")),
        };
        // What is no answer holds for nothing, and what was done is no text.
        let confidence = match stop {
            Stop::GivenUp(_) => String::new(),
            _ if report.extracts.is_empty() => String::new(),
            _ => format!(" confidence {:.2}{lacks},", report.confidence),
        };
        self.line(&format!(
            "{stop_line}: {}, {},{}{confidence} {}",
            n_of(steps, "step"),
            n_of(requests, "request"),
            report.guard.counts().iter().map(|count| format!(" {count},")).collect::<String>(),
            report.cost_pico_usd.rounded()
        ));
        if let Some(run) = &run {
            self.line(&format!("replay it: navigator replay {}", run.display()));
        }
        if self.quiet && !report.success {
            say(format!("navigator: {stop_line}"));
        }
        self.event(&json!({
            "event": "ended",
            "stop": report.stop,
            "stop_line": report.stop_line,
            "success": report.success,
            "steps_taken": steps,
            "resources": report.resources,
            "questions": report.guard.n_questions,
            "stopped_requests": report.guard.n_stopped,
            "tokens_used": report.tokens_used,
            "confidence": report.confidence,
            "missing": report.missing,
            "cost_pico_usd": report.cost_pico_usd,
            "run": run.map(|run| Sanitized::line(&run.display().to_string())),
        }));
    }

    pub(super) fn line(&self, line: &str) {
        if self.quiet || self.events {
            return;
        }
        if !io::stderr().is_terminal() {
            return say(format!("navigator: {line}"));
        }
        // Two lines of the terminal are enough for progress; the summary has the whole text.
        let width = textwrap::termwidth();
        let line = one_line(line, 2 * width.saturating_sub(12));
        say(textwrap::fill(
            &line,
            textwrap::Options::new(width)
                .initial_indent("navigator: ")
                .subsequent_indent("           "),
        ));
    }

    fn event(&self, event: &Value) {
        if let (true, Ok(event)) = (self.events, Sanitized::json(event)) {
            say(event);
        }
    }
}

/// Reports whether most files of a repository are pages.
fn is_of_pages(repo: &Judged) -> bool {
    let is_page = |path: &str| path.ends_with(".html") || path.ends_with(".htm");
    let n_pages = repo.tree().files.iter().filter(|file| is_page(&file.path)).count();
    2 * n_pages > repo.n_files()
}
