//! A scanned repository or site: the run over it, or the first request of a dry run.

use std::sync::{Arc, Mutex};

use anyhow::{Result, bail};
use repo_map::cli::{Exit, say, write_out};

use crate::app::cli::advice::stop_line;
use crate::app::cli::explore::session::explored::Explored;
use crate::app::cli::explore::session::settled::Session;
use crate::app::cli::listing::DocumentRun;
use crate::app::cli::observer::CliObserver;
use crate::app::cli::progress::TurnDetail;
use crate::app::cli::recording::Story;
use crate::app::cli::visits;
use crate::app::run_folder::RECORDING;
use crate::app::source::site_report::section;
use crate::model::remote::Remote;
use crate::money::effect_ledger::EffectLedger;
use crate::money::ledger::{Journal, LedgerLine};
use crate::navigator::Navigator;
use crate::pilot::offline::{OfflinePilot, offline_rules};
use crate::run::explore::Limits;
use crate::run::pilot::Pilot;
use crate::run::state::State;
use crate::run::stop::Stop;
use crate::run::terrain::Terrain as _;
use crate::terrain::repo::path_rules;
use crate::terrain::site::{DocumentPlan, DocumentTerrain};

/// A scanned repository with the session.
pub(in crate::app::cli) struct Scanned<'a> {
    pub(super) session: Session<'a>,
    pub(super) terrain: DocumentTerrain,
    /// No file was read: the map is the overview.
    pub(super) is_unread: bool,
    pub(super) remote: Option<Remote>,
}

impl<'a> Scanned<'a> {
    /// Runs until the pilot finalizes, a limit is reached or the person ends the run.
    pub(in crate::app::cli) fn run(mut self) -> Result<Explored<'a>> {
        let state = self.first_state()?;
        let (lines, journal) = self.begin(&state)?;
        // Money and effects share one journal.
        let journal: Arc<Mutex<Box<dyn Journal>>> = Arc::new(Mutex::new(journal));
        let mut effects = EffectLedger::new(&lines, Box::new(Arc::clone(&journal)));
        self.connect(&mut effects)?;
        let Scanned { mut session, mut terrain, remote, .. } = self;
        let Session { args, setup, tell, .. } = &session;
        let limit = setup.limit();
        let mut for_money = Arc::clone(&journal);
        let run = session.folder.as_ref().map(DocumentRun::name);
        let ledger = setup.ledger(limit, &lines, &mut for_money, run.as_deref());
        let mut pilot: Box<dyn Pilot<DocumentTerrain> + '_> = match remote {
            Some(remote) => Box::new(setup.pilot(remote, ledger?, *tell)?),
            None => {
                tell.kept(session.may_be_lost, ledger)?;
                Box::new(OfflinePilot::new(limit))
            }
        };
        let limits = session.limits(terrain.n_unread().is_some());
        let mut observer = CliObserver {
            tell,
            folder: session.folder.as_ref(),
            is_free: setup.target.is_none(),
            plan: &session.task.plan,
            interactive: args.interactive,
            detail: match setup.target {
                _ if args.interactive => TurnDetail::Full,
                None if !args.verbose => TurnDetail::Together,
                _ => TurnDetail::Line,
            },
            turns: Vec::new(),
            asked_before: false,
            interrupted: &session.cancel,
            story: args.report.as_ref().map(|_| Story::default()),
        };
        let mut found = Navigator::new(&mut terrain)
            .from_state(state)
            .limits(limits)
            .effects(effects)
            .observer(&mut observer)
            .explore(pilot.as_mut())?;
        tell.turns(&observer.turns);
        let (story, pilot) = (observer.story, pilot.name().to_owned());
        if let Some(site) = &session.task.site {
            let after = site.after(&found.state.log, found.used, terrain.n_unread());
            if after != *site {
                tell.read(&after);
            }
            session.task.site = Some(after);
        }
        let left_out = terrain.site().map_or(session.left_out.take(), |site| site.left_out());
        let about = section(session.task.site.as_ref(), left_out.as_deref());
        found.summary = format!("{}{about}", found.summary).into();
        Ok(Explored { session, terrain, found, story, pilot, lines })
    }

    /// Returns the state before the first turn.
    fn first_state(&mut self) -> Result<State<DocumentPlan>> {
        Ok(match &self.session.task.state {
            Some(state) => state.clone(),
            None if self.is_unread => {
                State { rules: DocumentPlan(path_rules()), ..self.terrain.first_state() }
            }
            None if self.remote.is_some() => {
                let limits =
                    Limits { turns: Limits::default().turns, ..self.session.limits(false) };
                let rules = offline_rules(&mut self.terrain, &limits)?;
                State { rules, ..self.terrain.first_state() }
            }
            None => self.terrain.first_state(),
        })
    }

    /// Writes the request and the initial state of the run, and opens its ledger. A run without a
    /// folder cannot spend money.
    fn begin(
        &mut self,
        state: &State<DocumentPlan>,
    ) -> Result<(Vec<LedgerLine>, Box<dyn Journal>)> {
        let Session { task, tell, folder, may_be_lost, recording, has_begun, .. } =
            &mut self.session;
        let begun = folder.as_ref().map(|folder| {
            let recording = recording.as_ref().map(|kept| kept.path().join(RECORDING));
            let is_new = task.state.is_none() && !*has_begun;
            folder.begin(&task.asked(&state.rules.0)?, state, recording.as_deref(), is_new)?;
            folder.ledger()
        });
        let begun = begun.transpose();
        if let Some(folder) = folder.take_if(|_| begun.is_err()) {
            folder.give_up();
        }
        let kept = tell.kept(*may_be_lost, begun)?.flatten();
        Ok(kept.unwrap_or_else(|| (Vec::new(), Box::new(Vec::new()))))
    }

    /// Lets the model visit pages of a site behind an address, if there is one.
    fn connect(&mut self, effects: &mut EffectLedger<'_>) -> Result<()> {
        let Scanned { session, terrain, remote, .. } = self;
        let (options, fetcher) = (session.options(), session.fetcher.take());
        let Session { task, folder, recording, .. } = session;
        let place = match (&*folder, &*recording) {
            (Some(folder), _) => folder.path.join(RECORDING),
            (None, Some(kept)) => kept.path().join(RECORDING),
            (None, None) => return Ok(()),
        };
        let (Some(_), Some(site)) = (&remote, &task.site) else { return Ok(()) };
        visits::connect(terrain, (task, site), fetcher, &place, effects, options)?;
        folder.as_ref().map_or(Ok(()), DocumentRun::own_recording)
    }

    /// Prints the first request for a person. Sends nothing.
    pub(in crate::app::cli) fn dry_run(mut self) -> Result<Exit> {
        let state = self.first_state()?;
        let mut effects = EffectLedger::default();
        self.connect(&mut effects)?;
        let Scanned { session, mut terrain, remote, .. } = self;
        let mut journal = Vec::new();
        let ledger = session.setup.ledger(session.setup.limit(), &[], &mut journal, None)?;
        let Some(remote) = remote else { bail!("there is no model to ask") };
        let mut pilot = session.setup.pilot(remote, ledger, session.tell)?;
        let resources = session.limits(terrain.n_unread().is_some()).resources;
        let limits = Limits {
            turns: session.setup.turns,
            resources: resources.left(effects.used()),
            ..Limits::default()
        };
        let seen = Navigator::new(&mut terrain)
            .from_state(state)
            .limits(limits)
            .preview(|turn| pilot.first_request(turn))?;
        terrain.repo().save_cache();
        match seen {
            Ok((request, body, bound)) => {
                write_out(None, &request.stable)?;
                write_out(None, &"\n".into())?;
                write_out(None, &request.turn)?;
                say(format!(
                    "navigator: nothing was sent to {}: a request of {} bytes, about {}, at most \
                     {} ({} tokens of input and {} of output)",
                    Pilot::<DocumentTerrain>::name(&pilot),
                    body.len(),
                    bound.projected_pico_usd.rounded(),
                    bound.reserved_pico_usd.rounded(),
                    bound.input_tokens,
                    bound.output_tokens
                ));
                Ok(Exit::Finished)
            }
            Err(Stop::SpendLimit { needed, left }) => {
                let (needed, left) = (needed.rounded(), left.rounded_down());
                say(format!(
                    "navigator: no request would be sent: it could cost {needed}, the limit is \
                     {left} (raise `--budget`)"
                ));
                Ok(Exit::SpendLimit)
            }
            Err(stop) => {
                say(format!("navigator: no request would be sent: {}", stop_line(&stop)));
                Ok(stop.exit())
            }
        }
    }
}
