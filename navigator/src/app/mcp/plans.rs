//! The plans of a session by name, and their output to callers.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use repo_map::plan::{Invisible, Masking, Scan};
use repo_map::scan::{self, ScanOptions};
use repo_map::{Drift, FlightPlan, RepoMap, Sanitized, SiteFacts};
use url::Url;

use super::CallRefused;
use super::answer::{Limit, ToolAnswer};
use crate::app::source::reading::SiteReading;

/// The plan of a call, with its name.
#[derive(Clone)]
pub(super) struct KeptPlan {
    pub(super) name: String,
    pub(super) plan: FlightPlan,
    pub(super) summary: Option<Sanitized>,
    /// The site that it is a plan of; `None` for the repository.
    pub(super) site: Option<Arc<SiteReading>>,
}

/// A site that was read, and the goal that it was read for.
pub(super) type SiteForGoal = (Arc<SiteReading>, Option<Sanitized>);

/// The maximum number of stored plans; the oldest are dropped.
const MOST_PLANS: usize = 64;
/// The number of digits in a plan's name: enough to distinguish the plans of a session.
const NAME_DIGITS: usize = 8;

/// The plans of a session.
#[derive(Default)]
pub(super) struct Plans(Mutex<Vec<KeptPlan>>);

impl Plans {
    fn lock(&self) -> MutexGuard<'_, Vec<KeptPlan>> {
        // A panic elsewhere leaves the list of entries valid.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds a plan by name.
    pub(super) fn named(&self, name: &str) -> Option<KeptPlan> {
        self.lock().iter().find(|kept| kept.name == name).cloned()
    }

    /// Finds the site of a flown plan among those that were read in this session.
    pub(super) fn site_of(&self, plan: &FlightPlan) -> Option<Arc<SiteReading>> {
        let site = site_facts(plan)?;
        let plans = self.lock();
        let same = plans.iter().find(|kept| site_facts(&kept.plan) == Some(site))?;
        same.site.clone()
    }

    /// Finds the last site of this session that an address belongs to, with the goal that it was
    /// read for.
    pub(super) fn of_address(&self, address: &Url) -> Option<SiteForGoal> {
        let plans = self.lock();
        let site = |kept: &KeptPlan| {
            let site = kept.site.as_ref()?;
            let has_it = site.scope().is_ok_and(|scope| scope.contains(address));
            has_it.then(|| (Arc::clone(site), kept.plan.goal.clone()))
        };
        plans.iter().rev().find_map(site)
    }

    /// Stores the plan of a map. Its name is the start of the map's digest, so that the same call
    /// gets the same name.
    pub(super) fn keep(
        &self,
        map: &RepoMap,
        summary: Option<Sanitized>,
        site: Option<Arc<SiteReading>>,
    ) -> String {
        let digest = map
            .flown
            .provenance
            .as_ref()
            .map(|provenance| provenance.map.digest.as_str())
            .unwrap_or_default();
        let name: String = digest.chars().take(NAME_DIGITS).collect();
        let mut plans = self.lock();
        let before = plans.iter().position(|kept| kept.name == name).map(|at| plans.remove(at));
        let summary = summary.or(before.and_then(|before| before.summary));
        plans.push(KeptPlan { name: name.clone(), plan: map.flown.clone(), summary, site });
        if plans.len() > MOST_PLANS {
            plans.remove(0);
        }
        name
    }
}

/// Checks that a plan does not extend the files that the server's operator allowed: the plan
/// may have come with the repository.
pub(super) fn admit(plan: &FlightPlan, base: &FlightPlan) -> Result<(), CallRefused> {
    let (asked, allowed) = (&plan.scan, &base.scan);
    let beyond = [
        (asked.hidden && !allowed.hidden, "hidden: true", "--hidden"),
        (asked.no_ignore && !allowed.no_ignore, "no_ignore: true", "--no-ignore"),
        (asked.mask == Masking::Off && allowed.mask != Masking::Off, "mask: off", "--no-mask"),
        (
            asked.invisible == Invisible::Kept && allowed.invisible != Invisible::Kept,
            "invisible: kept",
            "--keep-invisible",
        ),
    ];
    match beyond.into_iter().find(|(is_beyond, ..)| *is_beyond) {
        Some((_, field, flag)) => Err(CallRefused(format!(
            "plan: `scan: {{{field}}}` is not allowed here (it takes a server started with \
             `{flag}`)"
        ))),
        None => Ok(()),
    }
}

/// Returns a plan without the paths that the ignore rules of this machine hide: a plan that was
/// flown elsewhere, or written to find their names, has rules of its own.
///
/// # Errors
/// If the folder cannot be read.
pub(super) fn hiding_as_here(plan: FlightPlan, root: &Path) -> repo_map::Result<FlightPlan> {
    let Scan { hidden, no_ignore, .. } = plan.scan;
    let Some(outside) = plan.scan.outside else { return Ok(plan) };
    let here = scan::walk(root, &ScanOptions { hidden, no_ignore, ..ScanOptions::default() })?;
    let outside: BTreeSet<String> = outside.into_iter().chain(here.outside).collect();
    let scan = Scan { outside: Some(outside.into_iter().collect()), ..plan.scan };
    Ok(FlightPlan { scan, ..plan })
}

/// Returns the site that a plan was flown over; `None` for a repository.
pub(super) fn site_facts(plan: &FlightPlan) -> Option<&SiteFacts> {
    plan.provenance.as_ref()?.site.as_ref()
}

/// Checks that the pages of a plan of a site are at hand.
pub(super) fn check_site(
    pages: Option<&SiteReading>,
    of_plan: Option<&SiteFacts>,
) -> Result<(), CallRefused> {
    let Some(SiteFacts { address, recording, .. }) = of_plan.filter(|_| pages.is_none()) else {
        return Ok(());
    };
    Err(CallRefused(format!(
        "plan: it is of the site at {address}, and its recording (digest {recording}) was not made \
         in this session (`explore` of the address makes another one)"
    )))
}

/// Returns the YAML of a plan: whole, or without the fields that only a replay needs.
pub(super) fn give_plan(plan: &FlightPlan, limit: Limit) -> Result<ToolAnswer, CallRefused> {
    let whole = plan.to_yaml();
    if limit.holds(&whole) {
        return Ok(limit.answer(whole, &["the flown plan".to_owned()]));
    }
    let n_tokens = limit.tokenizer.count(&whole);
    let mut scan = plan.scan.clone();
    scan.outside = None;
    let rules = FlightPlan { provenance: None, scan, ..plan.clone() }.to_yaml();
    let said = format!("without provenance, for `map`; the flown plan has {n_tokens} tokens");
    let beside_a_line = Limit { tokens: limit.of_map(), ..limit };
    if beside_a_line.holds(&rules) {
        return Ok(limit.answer(rules, &[said]));
    }
    Err(CallRefused(format!(
        "the plan has {n_tokens} tokens, {} without provenance: raise `tokens` from {}, or name \
         the plan",
        limit.tokenizer.count(&rules),
        limit.tokens
    )))
}

/// Lists the paths that prevent a replay, with the way out.
pub(super) fn drifted(drift: &Drift) -> String {
    let mut out = "drifted: the repository is not the one the plan was flown over; `explore` or \
        `map` shows it as it is now\n"
        .to_owned();
    out.extend(drift.lines().into_iter().map(|line| format!("{line}\n")));
    out.extend(drift.hint().map(|hint| format!("{hint}\n")));
    out
}
