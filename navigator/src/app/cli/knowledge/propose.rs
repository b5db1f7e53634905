//! `navigator knowledge propose`: a model says where the actions may lead that nobody has taken.
//! What it says is kept apart in the knowledge; `navigator browse --fill-gaps` tries it.

use std::path::absolute;

use anyhow::{Result, bail};
use repo_map::CancelToken;
use repo_map::cli::{Exit, say, write_out};

use crate::app::cli::advice::stop_line;
use crate::app::cli::knowledge::args::ProposeArgs;
use crate::app::cli::knowledge::file::write;
use crate::app::cli::knowledge::proposal_run::{ProposalRequest, ProposalRun, ProposalState};
use crate::app::cli::observer::watch_for_interrupt;
use crate::app::cli::progress::Tell;
use crate::app::cli::task::Setup;
use crate::app::settings::{Settings, usage};
use crate::knowledge::gaps::proposal::add_proposals;
use crate::knowledge::gaps::proposer::{GapProposals, GapProposer};
use crate::knowledge::model::Knowledge;
use crate::model::remote::Remote;
use crate::money::ledger::Ledger;
use crate::pilot::model_pilot::ModelLimits;
use crate::run::deadline::Deadline;
use crate::run::state::boundary;
use crate::run::stop::Stop;
use crate::shared::n_of;

/// Asks, and returns the exit code.
pub(in crate::app::cli) fn propose(args: &ProposeArgs, mut knowledge: Knowledge) -> Result<Exit> {
    let settings = Settings::read(&args.model, None, None)?;
    let mut setup = Setup::of(&settings, args.dry_run)?;
    let (Some(remote), Some(target)) = (setup.remote.take(), &setup.target) else {
        return Err(usage(
            "propose",
            "there is no model to ask (`--model PROVIDER/NAME` names one)".to_owned(),
        ));
    };
    let limits = ModelLimits::of(target);
    let tell = Tell { quiet: args.quiet, events: false };
    if args.dry_run {
        return dry_run(&knowledge, (remote, limits), &setup, tell);
    }
    let Some(output) = &args.output else { bail!("no output (`-o FILE` names one)") };
    let folder = match &args.out {
        Some(path) => ProposalRun::at(path)?,
        None => ProposalRun::create()?,
    };
    let request = ProposalRequest { knowledge: absolute(&args.file)?, settings: settings.values() };
    folder.begin(&request, &ProposalState::default(), None, true)?;
    let (lines, mut journal) = folder.ledger()?;
    tell.started(setup.target.as_ref(), setup.limit, setup.purse(), false);
    let ledger = setup.ledger(setup.limit(), &lines, journal.as_mut(), Some(&folder.name()))?;
    let mut proposer = proposer(remote, ledger, limits, tell);
    let cancel = CancelToken::new();
    watch_for_interrupt(&cancel, tell);
    let deadline = Deadline::new(setup.time, cancel);
    let found = proposer.propose(&knowledge, &boundary(), setup.turns, &deadline);
    let spent = proposer.purse().spent_pico_usd;
    let GapProposals { taken, refused, n_asked, n_requests, stop } = found;
    let n_refused = refused.len();
    let said = format!(
        "{} about {}: {} kept, {n_refused} refused, {}",
        n_of(n_requests, "request"),
        n_of(n_asked, "untried action"),
        n_of(taken.len(), "proposal"),
        spent.rounded()
    );
    let stop = stop.unwrap_or(Stop::Finished);
    let state = ProposalState {
        turns: n_requests,
        proposed: taken.clone(),
        refused,
        ended: Some(stop.as_str().to_owned()),
    };
    folder.leave(&[], &state)?;
    // A run that asked nothing leaves the knowledge as it is.
    if n_requests > 0 || stop == Stop::Finished {
        add_proposals(&mut knowledge, taken);
        write(output, knowledge)?;
    }
    for why in state.refused.iter().filter(|_| !args.quiet) {
        say(format!("navigator: refused: {why}"));
    }
    say(format!("navigator: {said}"));
    if stop != Stop::Finished {
        say(format!("navigator: {}", stop_line(&stop)));
    }
    Ok(stop.exit())
}

fn proposer<'j>(
    remote: Remote,
    ledger: Ledger<'j>,
    limits: ModelLimits,
    tell: Tell,
) -> GapProposer<'j> {
    let waiting = Box::new(move |line: &str| tell.waiting(line));
    GapProposer::new(Box::new(remote), ledger, limits, waiting)
}

/// Prints the first request, and sends nothing.
fn dry_run(
    knowledge: &Knowledge,
    (remote, limits): (Remote, ModelLimits),
    setup: &Setup,
    tell: Tell,
) -> Result<Exit> {
    let mut journal = Vec::new();
    let ledger = setup.ledger(setup.limit(), &[], &mut journal, None)?;
    let proposer = proposer(remote, ledger, limits, tell);
    match proposer.first_request(knowledge, &boundary()) {
        Ok(None) => {
            say("navigator: nothing would be asked: every action was taken");
            Ok(Exit::Finished)
        }
        Ok(Some((request, body, bound))) => {
            write_out(None, &request.stable)?;
            write_out(None, &"\n".into())?;
            write_out(None, &request.turn)?;
            say(format!(
                "navigator: nothing was sent to {}: a request of {} bytes, at most {} ({} tokens \
                 of input and {} of output)",
                proposer.name(),
                body.len(),
                bound.reserved_pico_usd.rounded(),
                bound.input_tokens,
                bound.output_tokens
            ));
            Ok(Exit::Finished)
        }
        Err(stop) => {
            say(format!("navigator: no request would be sent: {}", stop_line(&stop)));
            Ok(stop.exit())
        }
    }
}
