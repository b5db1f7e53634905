//! The request of a walk: what the flags say, or what a stored walk was asked.

use std::path::{PathBuf, absolute};

use anyhow::Result;
use repo_map::Sanitized;
use repo_map::cli::{check_stdin, read_goal};
use site_map::address::page_address;

use crate::app::cli::browse::args::BrowseArgs;
use crate::app::cli::knowledge::sources::open;
use crate::app::cli::walk::run::{WalkRequest, WalkRun, start_of};
use crate::app::settings::{Settings, usage};
use crate::app::source::documents::RunSource;
use crate::knowledge::model::places::places_for;
use crate::walk::known::KnownPlace;
use crate::walk::pilot::view::VIEW_TOKENS;
use crate::walk::state::WalkState;
use crate::walk::steps::limits::DEFAULT_STEPS;

/// Returns the request of a new walk, with its first state and the settings in force.
pub(in crate::app::cli) fn new_request(
    args: &BrowseArgs,
) -> Result<(WalkRequest, WalkState, Settings)> {
    let Some(site) = &args.site else {
        return Err(usage(
            "browse",
            "no site (give an address, a recording, or `file://FOLDER`)".to_owned(),
        ));
    };
    let source = RunSource::of(site)?;
    if !matches!(source, RunSource::Address(_)) {
        args.server.check(&source)?;
    }
    let answers = args.ask_on_stdin.then(|| PathBuf::from("-"));
    check_stdin(&[answers.as_ref(), args.goal_file.as_ref()])?;
    let goal = match args.knowledge.as_ref().filter(|_| args.fill_gaps) {
        Some(file) => Some(format!("fill the gaps of {}", file.display())),
        None => read_goal(args.goal.as_deref(), args.goal_file.as_deref())?,
    };
    let goal = goal.unwrap_or_default();
    if goal.trim().is_empty() {
        return Err(usage(
            "browse",
            "no goal (give `--goal TEXT` or `--goal-file FILE`)".to_owned(),
        ));
    }
    let settings = Settings::read(&args.model, None, None)?;
    let request = WalkRequest {
        site: source.absolute()?,
        start: args.start.as_ref().map(|start| Sanitized::line(start).into_string()),
        goal: Sanitized::text(goal.trim()).into_string(),
        max_steps: args.max_steps.unwrap_or(DEFAULT_STEPS),
        view_tokens: args.view_tokens.unwrap_or(VIEW_TOKENS),
        is_in_browser: is_in_browser(args, &source)?,
        gaps_of: args.knowledge.as_deref().filter(|_| args.fill_gaps).map(absolute).transpose()?,
        no_search: args.no_search,
        server: args.server.clone(),
        settings: settings.values(),
    };
    let state = WalkState { known: known_of(args, &source, &request)?, ..WalkState::first() };
    Ok((request, state, settings))
}

/// Returns what a knowledge has for the goal.
fn known_of(
    args: &BrowseArgs,
    source: &RunSource,
    request: &WalkRequest,
) -> Result<Vec<KnownPlace>> {
    let Some(file) = args.knowledge.as_ref().filter(|_| !args.fill_gaps) else {
        return Ok(Vec::new());
    };
    let site = page_address(&start_of(source, request)?)?;
    Ok(places_for(&open(file)?.places, &request.goal, &site))
}

/// Reports whether the walk is in a browser.
fn is_in_browser(args: &BrowseArgs, source: &RunSource) -> Result<bool> {
    #[cfg(feature = "browser")]
    if args.browser {
        if !matches!(source, RunSource::Address(_)) {
            return Err(usage("--browser", "a browser opens an address alone".to_owned()));
        }
        args.server.check_in_browser()?;
        return Ok(true);
    }
    let _ = (args, source);
    Ok(false)
}

/// Returns the request of a walk that goes on, with its state and the settings in force.
pub(in crate::app::cli) fn resumed_request(
    args: &BrowseArgs,
    folder: &WalkRun,
) -> Result<(WalkRequest, WalkState, Settings)> {
    let (mut request, mut state) = folder.resume()?;
    let has_finished = state.ended.as_ref().is_some_and(|end| end.answer.is_some());
    if has_finished {
        let name = folder.name();
        let message = format!(
            "walk {0} has finished (`navigator replay {0}` prints its result)",
            name.display()
        );
        return Err(usage("--resume", message));
    }
    state.n_unusable = 0;
    let settings = Settings::read(&args.model, None, Some(&request.settings))?;
    request.max_steps = args.max_steps.unwrap_or(request.max_steps);
    request.view_tokens = args.view_tokens.unwrap_or(request.view_tokens);
    request.no_search |= args.no_search;
    request.server = args.server.over(&request.server);
    Ok((request, state, settings))
}
