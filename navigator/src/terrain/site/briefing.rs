//! The briefing for documents: that of a repository, and for a site with a server the pages that
//! can be visited, and what came of visits.

use repo_map::plan::range_of;
use repo_map::{Level, RepoMap, Tokenizer, cost};
use serde_json::{Value, json};
use site_map::Result;

use super::documents::{DocumentTerrain, SiteVisits, of_rules};
use super::known::KnownPage;
use super::plan::{DocumentChange, DocumentPlan, PageVisit};
use crate::pilot::answer::text;
use crate::pilot::briefing::{Briefing, Complaint, ReadChange, View};
use crate::pilot::prompt::object;
use crate::run::decision_log::EffectOutcome;
use crate::run::pilot::Turn;
use crate::run::plan::Change as _;
use crate::run::text::one_line;
use crate::shared::{Sanitized, n_of};
use crate::terrain::repo::Repository;

/// The largest number of unread pages in a view.
const MAX_LISTED: usize = 20;
/// The part of a view for them, in percent.
const LIST_SHARE: u32 = 15;
/// The largest number of unread pages for one search.
const MAX_FOUND: usize = 5;
/// The longest line about a visit, in characters.
const MAX_LINE: usize = 400;

impl Briefing for DocumentTerrain {
    const TURN: &'static str = Repository::TURN;

    fn instructions(&self) -> &'static str {
        self.repository.instructions()
    }

    fn more_instructions(&self) -> &'static str {
        match self.visits {
            Some(_) => include_str!("prompts/visits.md"),
            None => "",
        }
    }

    fn change_schema(&self) -> Value {
        let mut schema = self.repository.change_schema();
        if let (Some(_), Some(forms)) = (&self.visits, schema["anyOf"].as_array_mut()) {
            let text = json!({ "type": "string" });
            forms.push(object(json!({ "visit": text, "why": text })));
        }
        schema
    }

    fn view(turn: &mut Turn<'_, DocumentTerrain>, tokens: u32) -> Result<View> {
        let more = more(turn, tokens * LIST_SHARE / 100)?;
        let n_more = Tokenizer::default().count(&more);
        let view =
            in_repository(turn, |turn| Repository::view(turn, tokens.saturating_sub(n_more)))?;
        Ok(View { more, tokens: view.tokens + n_more, ..view })
    }

    /// Searches what was read, and the words of links to what was not.
    fn find(turn: &mut Turn<'_, DocumentTerrain>, name: &str) -> Result<Vec<String>> {
        let mut lines = in_repository(turn, |turn| Repository::find(turn, name))?;
        let known = turn.terrain.visits.iter().flat_map(|visits| visits.known.pages());
        let bounds = &turn.state.bounds;
        let found = known.filter(|page| page.has(name) && is_allowed(page, bounds));
        lines.extend(found.take(MAX_FOUND).map(|page| format!("not read: {}", page.text())));
        Ok(lines)
    }

    fn bound_lines(bounds: &DocumentPlan) -> Vec<String> {
        Repository::bound_lines(&bounds.0)
    }

    fn read_change(
        &mut self,
        said: &Value,
        bounds: &DocumentPlan,
    ) -> std::result::Result<ReadChange<DocumentChange>, Complaint> {
        if said.get("visit").is_some() {
            return Ok(self.read_visit(said, bounds)?.into());
        }
        let path = text(said, "path");
        let unread = self.visits.as_ref().and_then(|visits| visits.known.page(&path));
        if let Some(page) = unread.filter(|_| !self.repo().has_path(&path)) {
            let name = &page.name;
            return Err(format!("`{name}` was not read: visit it before you set its level").into());
        }
        let ReadChange { change, note } = self.repository.read_change(said, &bounds.0)?;
        Ok(ReadChange { change: change.into(), note })
    }

    fn read_focus(&self, said: &str) -> std::result::Result<String, Complaint> {
        self.repository.read_focus(said)
    }

    fn beyond(&self, change: &DocumentChange, bounds: &DocumentPlan) -> Option<String> {
        self.repository.beyond(change.level()?, &bounds.0)
    }
}

impl DocumentTerrain {
    /// Reads a visit, and checks that a link leads to its page.
    fn read_visit(
        &self,
        said: &Value,
        bounds: &DocumentPlan,
    ) -> std::result::Result<DocumentChange, String> {
        let Some(visits) = &self.visits else {
            return Err("no page can be visited: there is no server".to_owned());
        };
        let name = text(said, "visit");
        if name.is_empty() {
            return Err(format!(
                "`visit` is the path of one page: {}",
                one_line(&said.to_string(), 120)
            ));
        }
        let page = visits.known.find(&name)?;
        if !is_allowed(page, bounds) {
            return Err(format!("the person's rules keep `{}` out", page.name));
        }
        Ok(DocumentChange::Visit(PageVisit::new(page.name.clone(), text(said, "why"))))
    }
}

/// Reports whether the person's rules let a page be shown.
fn is_allowed(page: &KnownPage, bounds: &DocumentPlan) -> bool {
    bounds.0.is_empty()
        || range_of(&bounds.0, &page.name).is_none_or(|range| range.ceiling >= Level::Path)
}

/// Calls a function with the turn as the repository's views know it.
fn in_repository<R>(
    turn: &mut Turn<'_, DocumentTerrain>,
    act: impl FnOnce(&mut Turn<'_, Repository>) -> R,
) -> R {
    let state = of_rules(turn.state);
    act(&mut Turn {
        step: turn.step,
        goal: turn.goal,
        map: turn.map,
        map_before: turn.map_before,
        candidates: turn.candidates,
        state: &state,
        turns_left: turn.turns_left,
        resources_left: turn.resources_left,
        terrain: &mut turn.terrain.repository,
        deadline: turn.deadline,
    })
}

/// Lists what came of the last visits, and the pages that can be visited, in at most about so many
/// tokens.
fn more(turn: &Turn<'_, DocumentTerrain>, tokens: u32) -> Result<Sanitized> {
    let Some(visits) = &turn.terrain.visits else { return Ok(Sanitized::default()) };
    let boundary = &turn.state.boundary;
    let fenced = |head: &str, lines: &str, end: &str| {
        format!("{head}:\n{boundary}\n{lines}{boundary}\n{end}\n")
    };
    let mut out = String::new();
    let visited = visited(turn)?;
    if !visited.is_empty() {
        out += &fenced("Pages that you asked for in your last answer", &visited, "");
    }
    let has_requests = turn.resources_left.requests.is_none_or(|n| n > 0);
    if !has_requests {
        out += "No requests are left: no page can be visited.\n\n";
        return Ok(out.into());
    }
    let (lines, n_listed, n_all) = unread(visits, &turn.state.bounds, tokens);
    if n_all == 0 {
        out += "All pages that links lead to were read.\n\n";
        return Ok(out.into());
    }
    let left = turn.resources_left.requests.map(|n| {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        format!(", {} left", n_of(n, "request"))
    });
    let head = format!(
        "Pages that were not read, best first (a visit costs a request{})",
        left.unwrap_or_default()
    );
    let end = match n_all - n_listed {
        0 => String::new(),
        n => format!("{} not listed; `find` searches them.\n", n_of(n, "more page")),
    };
    out += &fenced(&head, &lines, &end);
    Ok(out.into())
}

/// Lists the unread pages that promise most, and counts them all.
fn unread(visits: &SiteVisits, bounds: &DocumentPlan, tokens: u32) -> (String, usize, usize) {
    let tokenizer = Tokenizer::default();
    let (mut lines, mut n_listed, mut left) = (String::new(), 0, tokens);
    let pages: Vec<_> =
        visits.known.pages().iter().filter(|page| is_allowed(page, bounds)).collect();
    for page in pages.iter().take(MAX_LISTED) {
        let line = format!("{}\n", page.text());
        let size = tokenizer.count(&line);
        if size > left && n_listed > 0 {
            break;
        }
        (left, n_listed) = (left.saturating_sub(size), n_listed + 1);
        lines += &line;
    }
    (lines, n_listed, pages.len())
}

/// Says what came of the visits of the last answer.
fn visited(turn: &Turn<'_, DocumentTerrain>) -> Result<String> {
    let mut lines = String::new();
    let Some(entry) = turn.state.log.iter().rev().find(|entry| entry.action.is_turn()) else {
        return Ok(lines);
    };
    for effect in &entry.effects {
        let done = entry.changes.iter().find_map(|change| match change {
            DocumentChange::Visit(visit) if change.name() == effect.change => Some(visit),
            _ => None,
        });
        let line = match (effect.outcome, done) {
            (EffectOutcome::Done, Some(visit)) => {
                format!("{}: {}{}", visit.name, effect.result, levels(turn, visit)?)
            }
            (EffectOutcome::Failed, _) => {
                let name = effect.change.trim_start_matches("visit ");
                format!("{name}: could not be read, {}", effect.result)
            }
            // The complaints say why it was refused.
            _ => continue,
        };
        lines += &one_line(&line, MAX_LINE);
        lines.push('\n');
    }
    Ok(lines)
}

/// Says what the context has of a page that was visited, and what more of it costs.
fn levels(turn: &Turn<'_, DocumentTerrain>, visit: &PageVisit) -> Result<String> {
    let Some(page) = &visit.page else { return Ok(String::new()) };
    let map: &RepoMap = turn.map;
    let Some(costs) = cost::file_costs(turn.terrain.repo(), page, map, 0)? else {
        return Ok(String::new());
    };
    let other = costs.prices.iter().filter(|(level, _)| *level > Level::Path);
    let prices: Vec<String> = other.map(|(level, n)| format!("{level} {n}")).collect();
    let now = costs.level;
    Ok(match prices.is_empty() {
        true => format!("; now {now}"),
        false => format!("; now {now}, by level {}", prices.join(", ")),
    })
}
