//! Documents as a terrain: a repository, or the pages of a site, of which more can be read while
//! its server is at hand.

use std::collections::BTreeMap;

use repo_map::plan::Rule;
use repo_map::{Document, FlightPlan, Judged, Options, RepoMap};
use site_map::address::host_of;
use site_map::site::open;
use site_map::{Error, Result, Site};
use url::Url;

use super::known::{KnownPages, failed_pages, tokens_of};
use super::plan::{DocumentChange, DocumentPlan, PageVisit};
use super::server::SiteServer;
use crate::money::effect::{Effect, Resources};
use crate::run::action::{Focus, FreeTokens};
use crate::run::admission::{Admission, Fall, Refusal};
use crate::run::deadline::Deadline;
use crate::run::plan::Plan as _;
use crate::run::state::State;
use crate::run::terrain::{Applied, Candidate, Nouns, Terrain};
use crate::run::text::one_line;
use crate::shared::{Sanitized, n_of};
use crate::terrain::repo::{Repository, RuleChange};

/// The longest title and the longest reason in a result, in characters.
const MAX_WORDS: usize = 160;

/// The documents of a repository or of a site. Pages that are only known from links can be visited
/// while there is a server.
#[derive(Debug)]
pub struct DocumentTerrain {
    pub(super) repository: Repository,
    pub(super) visits: Option<SiteVisits>,
    /// The words to score by, if they are not the goal alone.
    words: Option<String>,
}

/// What visits need.
#[derive(Debug)]
pub(super) struct SiteVisits {
    server: SiteServer,
    site: Site,
    pub(super) known: KnownPages,
    /// The pages that could not be read, by name, with the reasons.
    failed: BTreeMap<String, String>,
    /// The options by which the pages are opened again.
    options: Options,
}

impl DocumentTerrain {
    /// Takes documents that do not grow.
    pub fn over(repository: Repository) -> DocumentTerrain {
        DocumentTerrain { repository, visits: None, words: None }
    }

    /// Lets a pilot visit pages: those that links of the server's recording lead to. `failed` has
    /// the addresses that could not be read before, with the reasons.
    ///
    /// # Errors
    /// If the recording cannot be read.
    pub fn connect(
        &mut self,
        server: SiteServer,
        failed: impl IntoIterator<Item = (String, String)>,
        options: Options,
    ) -> Result<()> {
        let site = open::recording(server.recording(), server.scope().start().as_str())?;
        let failed = failed_pages(&site, failed);
        let known = KnownPages::of(server.read_site(&site), self.words(), &failed)?;
        self.visits = Some(SiteVisits { server, site, known, failed, options });
        Ok(())
    }

    /// Returns the plan.
    pub fn plan(&self) -> &FlightPlan {
        self.repository.plan()
    }

    /// Returns the documents.
    pub fn repo(&self) -> &Judged {
        self.repository.repo()
    }

    /// Returns the site as it is now, if pages of it can be visited.
    pub fn site(&self) -> Option<&Site> {
        self.visits.as_ref().map(|visits| &visits.site)
    }

    /// Returns the number of pages that are only known from links, if some can be visited.
    pub fn n_unread(&self) -> Option<usize> {
        self.visits.as_ref().map(|visits| visits.known.n_unread())
    }

    fn words(&self) -> &str {
        self.words.as_deref().unwrap_or_else(|| self.repository.goal())
    }

    /// Opens the pages again after more was read.
    fn open_again(&mut self) -> Result<()> {
        let words = self.words().to_owned();
        let Some(visits) = &mut self.visits else { return Ok(()) };
        let recording = visits.server.recording();
        visits.site = open::recording(recording, visits.server.scope().start().as_str())?;
        let judged = visits.site.judged(self.repository.plan(), &visits.options)?;
        visits.known = visits.known_for(&words)?;
        self.repository.replace(judged);
        if self.words.is_some() {
            self.repository.set_goal(&words)?;
        }
        Ok(())
    }

    /// Reads a page, and tells what came of it.
    fn visit(&mut self, visit: &mut PageVisit, deadline: &Deadline) -> Result<Applied> {
        let words = self.words().to_owned();
        let Some(visits) = &mut self.visits else { return Ok(failed("there is no server")) };
        let known = &visits.known;
        let page = match known.find(&visit.name) {
            Ok(page) => page,
            // Another visit of the same answer led to it.
            Err(reason) => return Ok(failed(&reason)),
        };
        let (read, used) = visits.server.read(&page.address, known.scope(), deadline)?;
        let address = match read.page {
            Ok(address) => address,
            Err(reason) => {
                let reason = one_line(&Sanitized::line(&reason), MAX_WORDS);
                if read.is_limit {
                    // The page may still be read: by this run when it goes on.
                    let complaints = vec![format!("`{}` was not read: {reason}", visit.name)];
                    return Ok(Applied { used, complaints, ..Applied::default() });
                }
                visits.failed.insert(visit.name.clone(), reason.clone());
                visits.known = visits.known_for(&words)?;
                return Ok(Applied { used, ..failed(&reason) });
            }
        };
        let before = names(&visits.site);
        let n_before = visits.known.pages().len();
        self.open_again()?;
        let Some(visits) = &self.visits else { return Ok(failed("there is no server")) };
        let after = names(&visits.site);
        visit.page = after.get(&address).cloned();
        visit.renamed = renamed(&before, &after);
        let n_new = (visits.known.pages().len() + 1).saturating_sub(n_before);
        let result = visits.result(&address, visit, n_new);
        Ok(Applied { is_done: true, used, result, complaints: Vec::new() })
    }
}

impl SiteVisits {
    /// Finds what the pages that were read say of others.
    fn known_for(&self, words: &str) -> Result<KnownPages> {
        KnownPages::of(self.server.read_site(&self.site), words, &self.failed)
    }

    /// Says what a visit brought.
    fn result(&self, address: &Url, visit: &PageVisit, n_new: usize) -> String {
        let page = self.site.pages.iter().find(|page| page.address == *address);
        let mut result = match (page, &visit.page) {
            (Some(page), Some(name)) => {
                let title = one_line(&Sanitized::line(&page.title), MAX_WORDS);
                let moved =
                    if *name == visit.name { String::new() } else { format!(", it is `{name}`") };
                format!("\"{title}\", about {} tokens{moved}", tokens_of(page.markdown.len()))
            }
            _ => {
                let mut left_out = self.site.left_out_pages();
                match left_out.find(|(page, _)| *page == address) {
                    Some((_, cause)) => format!("it {cause}"),
                    None => "it is on no map".to_owned(),
                }
            }
        };
        if n_new > 0 {
            result += &format!(", links to {}", n_of(n_new, "new page"));
        }
        result
    }
}

fn failed(why: &str) -> Applied {
    Applied { result: why.to_owned(), ..Applied::default() }
}

/// Returns the names of the pages of a site, by address; a twin has that of the page that says the
/// same.
fn names(site: &Site) -> BTreeMap<Url, String> {
    let pages =
        site.pages.iter().map(|page| (page.address.clone(), Document::map_name(&page.name)));
    let twins = site.twins.iter().map(|(twin, name)| (twin.clone(), Document::map_name(name)));
    twins.chain(pages).collect()
}

/// Returns the new names of pages that have another name than before.
fn renamed(
    before: &BTreeMap<Url, String>,
    after: &BTreeMap<Url, String>,
) -> BTreeMap<String, String> {
    let renamed = before.iter().filter_map(|(address, old)| {
        let new = after.get(address).filter(|new| *new != old)?;
        Some((old.clone(), new.clone()))
    });
    renamed.collect()
}

/// Returns the state as the repository's views and reports know it.
pub(super) fn of_rules(state: &State<DocumentPlan>) -> State<Vec<Rule>> {
    State::new(state.boundary.clone(), state.bounds.0.clone(), state.rules.0.clone())
}

fn levels_of(changes: &[DocumentChange]) -> Vec<RuleChange> {
    changes.iter().filter_map(DocumentChange::level).cloned().collect()
}

impl Terrain for DocumentTerrain {
    type Plan = DocumentPlan;
    type Map = RepoMap;
    type Error = Error;

    const NOUNS: Nouns = Repository::NOUNS;

    fn nouns(&self) -> Nouns {
        self.repository.nouns()
    }

    fn goal(&self) -> &str {
        self.repository.goal()
    }

    fn bounds(&self) -> DocumentPlan {
        DocumentPlan(self.repository.bounds())
    }

    fn overview(&self) -> DocumentPlan {
        DocumentPlan(self.repository.overview())
    }

    fn map(
        &mut self,
        bounds: &DocumentPlan,
        plan: &DocumentPlan,
        tokens: Option<u32>,
    ) -> Result<RepoMap> {
        Ok(self.repository.map(&bounds.0, &plan.0, tokens)?)
    }

    fn use_free_tokens(&mut self, free: FreeTokens) {
        self.repository.use_free_tokens(free);
    }

    fn shown(&self, map: &RepoMap) -> Option<DocumentPlan> {
        self.repository.shown(map).map(DocumentPlan)
    }

    fn hold(&mut self, shown: Option<DocumentPlan>) {
        self.repository.hold(shown.map(|shown| shown.0));
    }

    fn deliver(&self, map: RepoMap, focus: &[Focus]) -> RepoMap {
        self.repository.deliver(map, focus)
    }

    fn candidates(&self, map: &RepoMap, bounds: &DocumentPlan) -> Vec<Candidate> {
        self.repository.candidates(map, &bounds.0)
    }

    fn is_relevant(&self, bounds: &DocumentPlan) -> bool {
        self.repository.is_relevant(&bounds.0)
    }

    fn set_goal(&mut self, words: &str) -> Result<()> {
        self.repository.set_goal(words)?;
        self.words = Some(words.to_owned());
        if let Some(visits) = &mut self.visits {
            visits.known = visits.known_for(words)?;
        }
        Ok(())
    }

    fn open(&self, candidate: &Candidate, why: String) -> DocumentChange {
        self.repository.open(candidate, why).into()
    }

    fn close_rest(&self) -> Option<DocumentChange> {
        self.repository.close_rest().map(DocumentChange::from)
    }

    fn effect(&self, change: &DocumentChange) -> Effect {
        let DocumentChange::Visit(_) = change else { return Effect::None };
        self.visits.as_ref().map_or(Effect::None, |visits| Effect::Reads {
            host: host_of(visits.known.scope().start()),
        })
    }

    fn needs(&self, change: &DocumentChange) -> Resources {
        match (change, &self.visits) {
            (DocumentChange::Visit(_), Some(visits)) => visits.server.needs(),
            _ => Resources::default(),
        }
    }

    fn can_do_without(&self, change: &DocumentChange) -> bool {
        matches!(change, DocumentChange::Visit(_))
    }

    fn apply(&mut self, change: &mut DocumentChange, deadline: &Deadline) -> Result<Applied> {
        match change {
            DocumentChange::Visit(visit) => self.visit(visit, deadline),
            DocumentChange::Level(_) => Ok(Applied { is_done: true, ..Applied::default() }),
        }
    }

    /// Visits need no tokens: what they opened is for the fit.
    fn admit(
        &mut self,
        bounds: &DocumentPlan,
        plan: &DocumentPlan,
        changes: Vec<DocumentChange>,
    ) -> Result<Admission<DocumentPlan>> {
        let (visits, levels): (Vec<DocumentChange>, Vec<DocumentChange>) =
            changes.into_iter().partition(|change| change.level().is_none());
        let mut plan = plan.clone();
        plan.take(&visits);
        let admission = self.repository.admit(&bounds.0, &plan.0, levels_of(&levels))?;
        let admitted = admission.changes.into_iter().map(DocumentChange::from);
        let refused = admission.refused.into_iter().map(|refusal| Refusal {
            change: refusal.change.into(),
            wish: refusal.wish,
            tokens: refusal.tokens,
            left: refusal.left,
        });
        Ok(Admission {
            changes: visits.into_iter().chain(admitted).collect(),
            refused: refused.collect(),
        })
    }

    fn fallen(before: &RepoMap, after: &RepoMap, changes: &[DocumentChange]) -> Vec<Fall> {
        Repository::fallen(before, after, &levels_of(changes))
    }

    fn left_out(map: &RepoMap, state: &State<DocumentPlan>) -> String {
        Repository::left_out(map, &of_rules(state))
    }

    fn why_hidden(name: &str, map: &RepoMap, state: &State<DocumentPlan>) -> String {
        Repository::why_hidden(name, map, &of_rules(state))
    }
}
