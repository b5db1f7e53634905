//! The work of the tools, independent of the protocol: arguments in, a result out. Between calls
//! only the plans of their caller are stored.

#![expect(clippy::disallowed_methods, reason = "the rim: finds the folders that a caller names")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard};

use repo_map::plan::{Rule, exact_glob};
use repo_map::{
    FlightPlan, HiddenPaths, LevelRange, Options, Replay, ReplayOutcome, RuleLayers, unmatched,
};
use rmcp::model::JsonObject;

use super::answer::{Limit, ToolAnswer, said_of};
use super::call::{ToolCall, refused};
use super::explained::{self, ExplainedSite};
use super::known::KnownSites;
use super::missing::{check_items, check_reach, no_path};
use super::named::{NamedPlan, inside, named_plan};
use super::plans::{
    Plans, SiteForGoal, check_site, drifted, give_plan, hiding_as_here, site_facts,
};
use super::sites::{Sites, is_address};
use super::tools::Abilities;
use super::{CallFound, CallRefused, CallSite, CallSpend, Explorer, Watch, tools};
use crate::app::source::documents::Documents;
use crate::app::source::reading::SiteReading;
use crate::money::pico_usd::PicoUsd;
use crate::run::state::Feedback;
use crate::run::stop::Stop;
use crate::run::terrain::Terrain as _;
use crate::terrain::repo::Repository;
use crate::terrain::site::DocumentTerrain;

/// A repository, the sites that may be read, and the options of every call.
pub(crate) struct Tools {
    /// The canonical path of the repository's folder.
    root: PathBuf,
    /// The plan with the files of the repository, the tokenizer, and the default size of results.
    base: FlightPlan,
    options: Options,
    explorer: Arc<dyn Explorer<DocumentTerrain>>,
    /// The purse of the caller.
    purse: Option<String>,
    sites: Arc<Sites>,
    known: Arc<KnownSites>,
    /// The plans of this caller.
    plans: Plans,
}

impl Tools {
    /// Makes tools for the repository at `root` and some sites. `base` has the files of the
    /// repository, the tokenizer and the default size of results; `options` has the cache and the
    /// use of git.
    ///
    /// # Errors
    /// If there is no such folder.
    pub(crate) fn new(
        root: &Path,
        base: FlightPlan,
        options: Options,
        explorer: Box<dyn Explorer<DocumentTerrain>>,
        sites: Sites,
    ) -> repo_map::Result<Tools> {
        let canonical = root
            .canonicalize()
            .map_err(|source| repo_map::Error::Io { path: root.to_owned(), source })?;
        if !canonical.is_dir() {
            return Err(repo_map::Error::NotAFolder { path: root.to_owned() });
        }
        Ok(Tools {
            root: canonical,
            base,
            options,
            explorer: Arc::from(explorer),
            purse: None,
            sites: Arc::new(sites),
            known: Arc::default(),
            plans: Plans::default(),
        })
    }

    /// Adds what callers can ask.
    pub(crate) fn with_knowledge(self, known: KnownSites) -> Tools {
        Tools { known: Arc::new(known), ..self }
    }

    /// Returns the same tools for another caller with a purse of its own, without the plans of this
    /// one.
    #[cfg(feature = "serve")]
    pub(super) fn for_another(&self, purse: Option<&str>) -> Tools {
        Tools {
            root: self.root.clone(),
            base: self.base.clone(),
            options: self.options.clone(),
            explorer: Arc::clone(&self.explorer),
            purse: purse.map(str::to_owned),
            sites: Arc::clone(&self.sites),
            known: Arc::clone(&self.known),
            plans: Plans::default(),
        }
    }

    /// Returns what is left of the limit in USD; `None` if nothing is ever spent.
    #[cfg(feature = "serve")]
    pub(super) fn left(&self) -> Option<PicoUsd> {
        self.explorer.left()
    }

    /// Returns what the descriptions of the tools depend on.
    pub(super) fn abilities(&self) -> Abilities {
        Abilities {
            asks_model: self.explorer.left().is_some(),
            tokens: self.base.context.tokens,
            origins: self.sites.names(),
            max_requests: self.sites.max_requests(),
            knowledges: self.known.names(),
            known_sites: self.known.with_origins(),
        }
    }

    /// Calls a tool: the only entry point. Errors are results too, with the same limit.
    pub(super) fn call(
        &self,
        tool: &str,
        known: &[&str],
        fields: JsonObject,
        watch: &Watch,
    ) -> ToolAnswer {
        let default =
            Limit { tokens: self.base.context.tokens, tokenizer: self.base.context.tokenizer };
        let call = match ToolCall::new(tool, known, fields) {
            Ok(call) => call,
            Err(CallRefused(message)) => return default.error(&message),
        };
        let limit = match call.tokens() {
            Ok(tokens) => Limit { tokens: tokens.unwrap_or(default.tokens), ..default },
            Err(CallRefused(message)) => return default.error(&message),
        };
        let done = match tool {
            "explore" => self.explore(&call, limit, watch),
            "map" => self.map(&call, limit, watch),
            "explain" => self.explain(&call, limit, watch),
            "ask_knowledge" => self.known.ask(&call, limit),
            _ => self.replay(&call, limit),
        };
        done.unwrap_or_else(|CallRefused(message)| limit.error(&message))
    }

    fn explore(
        &self,
        call: &ToolCall,
        limit: Limit,
        watch: &Watch,
    ) -> Result<ToolAnswer, CallRefused> {
        let goal = call.needed("goal")?;
        let mut include = call.globs("include")?;
        if let Some(path) = call.text("path")?.filter(|path| !is_address(path)) {
            if !include.is_empty() {
                return Err(CallRefused(
                    "give `path` or `include`, not both (a path is a glob too: `src/**/*.py`)"
                        .to_owned(),
                ));
            }
            include.extend(
                Some(inside(&self.root, "path", path)?)
                    .filter(|path| !path.is_empty())
                    .map(|path| exact_glob(&path)),
            );
        }
        let mut plan = self.base.clone();
        plan.goal = call.goal()?;
        plan.context.tokens = limit.of_map();
        plan.context.fill = call.fill()?.unwrap_or(plan.context.fill);
        let exclude = call.globs("exclude")?;
        plan.rules = repo_map::plan::bounds(Vec::new(), &include, &exclude);
        let spend = CallSpend { budget: call.budget()?, purse: self.purse.clone() };
        // With a model, visits may follow.
        let keeps_back = self.explorer.left().is_some();
        let (mut site, turn) =
            self.read_site(call, (Some(goal), &plan.rules), keeps_back, watch)?.unzip();
        let _turn = turn.filter(|_| keeps_back);
        let terrain = self.open(site.as_ref(), &mut plan, &[], watch)?;
        let mut terrain = DocumentTerrain::over(terrain);
        let repo = terrain.repo();
        check_reach(
            repo,
            &include.iter().map(|glob| Rule::new(glob, LevelRange::ANY)).collect::<Vec<_>>(),
        )?;
        // A misspelled glob would show what should be hidden.
        let is_left_out =
            |glob: &&String| site.as_ref().is_some_and(|site| site.report.has_left_out(glob));
        let hidden = HiddenPaths::default();
        for glob in exclude.iter().filter(|glob| !is_left_out(glob)) {
            let rule = Rule::new(glob, LevelRange::ANY);
            if let Some(unmatched) = unmatched::unmatched(repo, &rule, &hidden)?
                && !unmatched.is_hidden
            {
                return Err(refused("exclude", unmatched.message));
            }
        }
        let mut state = terrain.first_state();
        state
            .feedback
            .extend(call.text("feedback")?.map(|text| Feedback { after: 0, text: text.into() }));
        let options = self.options(watch);
        let of_call = site.as_mut().map(|reading| CallSite { reading, options });
        let CallFound { found, purse_left } =
            self.explorer.explore(&mut terrain, state, spend, of_call, watch)?;
        terrain.repo().save_cache();
        let site = site.map(Arc::new);
        let name = self.plans.keep(&found.map, Some(found.summary), site.clone());
        let mut said = said_of(&found.map, limit, &name);
        said.extend(site.iter().flat_map(|site| self.sites.said_of(site)));
        if let Some(left) = self.explorer.left() {
            let spent = found.purse.spent_pico_usd.rounded();
            said.push(format!("spent {spent}, {}", self.left_for_caller(left, purse_left)));
        }
        Ok(match &found.stop {
            Stop::Finished | Stop::TokenLimit => limit.answer(found.map.text, &said),
            // The caller must not mistake what there is for an answer to its goal.
            stop => limit.stopped(found.map.text, stop, &said),
        })
    }

    /// Returns what a caller can still spend: what is left of the server's limit, or of its own
    /// purse where that is less.
    fn left_for_caller(&self, of_server: PicoUsd, of_purse: Option<PicoUsd>) -> String {
        match (of_purse.filter(|left| *left < of_server), &self.purse) {
            (Some(left), Some(purse)) => {
                format!("{} left of the purse `{purse}`", left.rounded_down())
            }
            _ => format!("{} left", of_server.rounded_down()),
        }
    }

    fn map(&self, call: &ToolCall, limit: Limit, watch: &Watch) -> Result<ToolAnswer, CallRefused> {
        let levels = call.levels()?;
        if let Some(path) = call.text("path")?.filter(|path| !is_address(path)) {
            return Err(refused("path", format!("`{path}` is no address (`levels` names paths)")));
        }
        let named = call.text("plan")?.map(|text| self.plan(text)).transpose()?;
        let own: Vec<String> = named.iter().filter_map(|named| named.own.clone()).collect();
        let of_plan = named.as_ref().and_then(|named| named.site.clone());
        let of_site = named.as_ref().and_then(|named| site_facts(&named.plan)).cloned();
        let tokens = call.tokens()?;
        let mut plan = self.base.clone();
        plan.context.tokens = limit.of_map();
        if let Some(NamedPlan { plan: given, .. }) = named {
            plan.goal = given.goal;
            plan.rules = given.rules;
            // A plan's own budget is the default, but cannot raise the limit.
            if tokens.is_none() {
                plan.context.tokens = plan.context.tokens.min(given.context.tokens);
            }
            plan.context.format = given.context.format;
            plan.context.line_numbers |= given.context.line_numbers;
            plan.context.fill = given.context.fill;
            plan.scan.ignored = given.scan.ignored;
            plan.languages.extend(
                given.languages.into_iter().filter(|rule| !self.base.languages.contains(rule)),
            );
        }
        plan.goal = call.goal()?.or(plan.goal);
        plan.context.fill = call.fill()?.unwrap_or(plan.context.fill);
        // Paths without a level are folded, as in a plan: callers pay only for what they asked.
        plan.rules.extend(levels.iter().cloned());
        let read = self.read_site(call, (plan.goal.as_deref(), &plan.rules), false, watch)?;
        let read = read.map(|(reading, _)| Arc::new(reading));
        let site = read.clone().or(of_plan);
        check_site(site.as_deref(), of_site.as_ref())?;
        let terrain = self.open(site.as_deref(), &mut plan, &own, watch)?;
        let repo = terrain.repo();
        check_reach(repo, &levels)?;
        check_items(repo, &plan, &levels)?;
        let map = repo.map(RuleLayers { person: &plan.rules, pilot: &[] })?;
        repo.save_cache();
        let name = self.plans.keep(&map, None, site);
        let mut said = said_of(&map, limit, &name);
        said.extend(read.iter().flat_map(|read| self.sites.said_of(read)));
        Ok(limit.answer(map.text, &said))
    }

    fn explain(
        &self,
        call: &ToolCall,
        limit: Limit,
        watch: &Watch,
    ) -> Result<ToolAnswer, CallRefused> {
        let target = call.needed("path")?;
        let mut plan = FlightPlan { goal: call.goal()?, ..self.base.clone() };
        let of_map = format!("in a map of {} tokens", plan.context.tokens);
        let named = call.text("plan")?.map(|text| self.plan(text)).transpose()?;
        if let Some((reading, goal)) = self.site_of(target, named)? {
            plan.goal = plan.goal.or(goal);
            let goal = plan.goal.clone();
            let documents = reading.documents()?;
            let terrain = self.open_site(&documents, &mut plan, watch)?;
            let site =
                ExplainedSite { reading: &reading, documents: &documents, goal: goal.as_ref() };
            let (text, is_on_map) = explained::of_page(&site, terrain.repo(), target)?;
            let mut said = self.sites.said_of(&reading);
            said.splice(..0, is_on_map.then_some(of_map));
            return Ok(limit.cut_answer(&text, &said));
        }
        let (path, item) =
            target.split_once('#').map_or((target, None), |(path, item)| (path, Some(item)));
        let path = inside(&self.root, "path", path)?;
        let terrain = self.open(None, &mut plan, &[], watch)?;
        let repo = terrain.repo();
        let target = item.map_or_else(|| path.clone(), |item| format!("{path}#{item}"));
        let text = explained::of_file(repo, &target)?
            .ok_or_else(|| refused("path", no_path(repo, &path)))?;
        repo.save_cache();
        Ok(limit.cut_answer(&text, &[of_map]))
    }

    /// Returns the site of this session that has the page a caller asks about, and the goal that it
    /// was read for; `None` if the caller asks about the repository. Sends nothing.
    fn site_of(
        &self,
        target: &str,
        named: Option<NamedPlan>,
    ) -> Result<Option<SiteForGoal>, CallRefused> {
        let address = is_address(target).then(|| self.sites.address(target)).transpose()?;
        match (named, address) {
            (Some(named), _) => {
                check_site(named.site.as_deref(), site_facts(&named.plan))?;
                let not_of_site = "it is of the repository, whose paths need no plan here";
                let site = named.site.ok_or_else(|| refused("plan", not_of_site))?;
                Ok(Some((site, named.plan.goal)))
            }
            (None, None) => Ok(None),
            (None, Some(address)) => {
                let unread = || {
                    let message = "no site was read in this session that has it (`explore` or \
                                   `map` of an address reads the pages behind it)";
                    refused("path", message)
                };
                self.plans.of_address(&address).ok_or_else(unread).map(Some)
            }
        }
    }

    fn replay(&self, call: &ToolCall, limit: Limit) -> Result<ToolAnswer, CallRefused> {
        let give = call.word("give", &tools::GIVEN)?;
        let named = self.plan(call.needed("plan")?)?;
        if !named.plan.is_flown() {
            return Err(refused(
                "plan",
                format!(
                    "`{}` is not a flown plan: `map` draws it, and leaves one that can be replayed",
                    named.name
                ),
            ));
        }
        let too_large = |what: &str, tokens: u32| {
            CallRefused(format!(
                "the {what} has {tokens} tokens: raise `tokens` from {}",
                limit.tokens
            ))
        };
        let count = |text: &str| limit.tokenizer.count(text);
        check_site(named.site.as_deref(), site_facts(&named.plan))?;
        let pages = match &named.site {
            Some(site) => site.documents()?.pages(&named.plan)?,
            None => None,
        };
        let own = Vec::from_iter(named.own);
        let plan = match &pages {
            Some(_) => named.plan.clone(),
            None => hiding_as_here(named.plan.clone(), &self.root)?,
        };
        let replay = match &pages {
            Some(pages) => Replay::of(&plan).over(pages),
            None => Replay::of(&plan).at(&self.root),
        };
        match give {
            "plan" => Ok(give_plan(&named.plan, limit)?),
            "summary" => {
                let missing = || {
                    CallRefused(format!(
                        "`{}` has no summary: only a plan that `explore` left in this session has \
                         one",
                        named.name
                    ))
                };
                Ok(limit.cut_answer(&named.summary.ok_or_else(missing)?, &[]))
            }
            _ => match replay.named(&named.name).ignoring(&own).run()?.outcome {
                ReplayOutcome::Identical { text, .. } if !limit.holds(&text) => {
                    Err(too_large("map", count(&text)))
                }
                ReplayOutcome::Identical { text, tokens } => Ok(limit.answer(
                    text,
                    &["identical".to_owned(), format!("{tokens} of {} tokens", limit.tokens)],
                )),
                ReplayOutcome::ShownIdentical(drift) | ReplayOutcome::Drifted(drift) => {
                    Err(CallRefused(drifted(&drift)))
                }
                ReplayOutcome::Impossible(why) => Err(CallRefused(format!("impossible: {why}"))),
            },
        }
    }

    /// Reads the site whose address a call has; `None` if it has none.
    fn read_site(
        &self,
        call: &ToolCall,
        (goal, rules): (Option<&str>, &[Rule]),
        keeps_back: bool,
        watch: &Watch,
    ) -> Result<Option<(SiteReading, MutexGuard<'_, ()>)>, CallRefused> {
        let max_requests = call.max_requests()?;
        let path = call.text("path")?;
        let Some(address) = path.filter(|path| is_address(path)) else {
            return match max_requests {
                Some(_) => Err(refused("max_requests", "no request is sent without an address")),
                None => Ok(None),
            };
        };
        let goal = goal.unwrap_or_default();
        self.sites.read(address, (goal, rules), max_requests, keeps_back, watch).map(Some)
    }

    fn options(&self, watch: &Watch) -> Options {
        let (watcher, cancel) = (watch.watcher(), watch.cancel.clone());
        Options { watcher, cancel, ..self.options.clone() }
    }

    /// Opens the pages of a site. The repository's own languages do not hold for them.
    fn open_site(
        &self,
        pages: &Documents,
        plan: &mut FlightPlan,
        watch: &Watch,
    ) -> Result<Repository, CallRefused> {
        plan.languages.clear();
        Ok(pages.open(plan.clone(), &self.options(watch))?)
    }

    /// Opens a site that was read, or the current repository.
    fn open(
        &self,
        site: Option<&SiteReading>,
        plan: &mut FlightPlan,
        own: &[String],
        watch: &Watch,
    ) -> Result<Repository, CallRefused> {
        if let Some(site) = site {
            return self.open_site(&site.documents()?, plan, watch);
        }
        let options = Options { ignored: own.to_vec(), ..self.options(watch) };
        let terrain = Repository::open(&self.root, plan.clone(), &options)?;
        match terrain.repo().n_files() {
            0 => Err(CallRefused(
                "the repository has no files, or ignore rules hide them".to_owned(),
            )),
            _ => Ok(terrain),
        }
    }

    /// Reads a plan by its name, its text or its file.
    fn plan(&self, text: &str) -> Result<NamedPlan, CallRefused> {
        named_plan(text, &self.root, &self.base, &self.plans)
    }
}
