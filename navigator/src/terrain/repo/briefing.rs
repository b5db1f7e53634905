//! The briefing for a repository: views, rules and replies for a model. The prompts are files in
//! `prompts/`, so that people can read and change them.

use repo_map::find::{self, Definition, FoundDefinitions};
use repo_map::plan::Rule;
use repo_map::{DocumentKind, Judged, Level, RepoMap};
use serde_json::{Value, json};

use super::answer::{self, ChangeReader};
use super::{Repository, RuleChange, view};
use crate::pilot::briefing::{Briefing, Complaint, ReadChange, View};
use crate::pilot::prompt::object;
use crate::run::pilot::Turn;
use crate::run::terrain::Terrain as _;

/// The maximum number of the person's rules in a request.
const MOST_BOUNDS: usize = 20;

impl Briefing for Repository {
    const TURN: &'static str = include_str!("prompts/turn.md");

    fn instructions(&self) -> &'static str {
        match self.repo().tree().kind() {
            DocumentKind::File => include_str!("prompts/pilot.md"),
            DocumentKind::Page => include_str!("prompts/site.md"),
        }
    }

    fn change_schema(&self) -> Value {
        let text = json!({ "type": "string" });
        let levels = Level::ALL.map(Level::as_str);
        let level = json!({ "type": "string", "enum": levels });
        let change = object(json!({ "path": text, "level": level, "why": text }));
        json!({ "anyOf": [change, object(json!({ "find": text }))] })
    }

    fn view(turn: &mut Turn<'_, Repository>, tokens: u32) -> repo_map::Result<View> {
        view::view(turn, tokens)
    }

    fn find(turn: &mut Turn<'_, Repository>, name: &str) -> repo_map::Result<Vec<String>> {
        find_lines(&turn.terrain.repo, name, turn.map, &turn.state.bounds)
    }

    fn bound_lines(bounds: &Vec<Rule>) -> Vec<String> {
        let line = |rule: &Rule| {
            let level = rule.level.map(|level| format!(" {level}")).unwrap_or_default();
            let items: Vec<String> = rule
                .items
                .iter()
                .flatten()
                .map(|item| format!(" #{} {}", item.name, item.level))
                .collect();
            format!("{}:{level}{}", rule.path, items.concat())
        };
        let mut lines: Vec<String> = bounds.iter().rev().take(MOST_BOUNDS).map(line).collect();
        lines.reverse();
        lines
    }

    fn read_change(
        &mut self,
        said: &Value,
        bounds: &Vec<Rule>,
    ) -> Result<ReadChange<RuleChange>, Complaint> {
        let (repo, nouns) = (&self.repo, self.nouns());
        Ok(ChangeReader { repo, nouns, bounds }.read(said)?)
    }

    fn read_focus(&self, said: &str) -> Result<String, Complaint> {
        Ok(answer::read_focus(said, &self.repo, self.nouns())?)
    }

    fn beyond(&self, change: &RuleChange, bounds: &Vec<Rule>) -> Option<String> {
        answer::beyond(change, &self.repo, self.nouns().place, bounds)
    }
}

/// The maximum number of lines for one search.
const MOST_FOUND: usize = 10;

/// Returns what has a name, with levels and prices, what is not there in full first; or where it
/// stands in a text, and the nearest names.
fn find_lines(
    repo: &Judged,
    name: &str,
    map: &RepoMap,
    bounds: &[Rule],
) -> repo_map::Result<Vec<String>> {
    let FoundDefinitions { mut definitions, nearest, mentions } =
        find::find(repo, name, map, bounds)?;
    if definitions.is_empty() && !(nearest.is_empty() && mentions.is_empty()) {
        let place = |(path, item): &(String, Option<String>)| match item {
            Some(item) => format!("{path}#{item}"),
            None => path.clone(),
        };
        let places: Vec<String> = mentions.iter().map(place).collect();
        let mut line = match places.is_empty() {
            true => "nothing has this name".to_owned(),
            false => format!("no definition of this name; text in {}", places.join(", ")),
        };
        if !nearest.is_empty() {
            line += &format!("; the nearest are {}", nearest.join(", "));
        }
        return Ok(vec![line]);
    }
    definitions.sort_by_key(|one| one.level >= Level::Body);
    let line = |one: &Definition| {
        let Definition { path, item, level, interface, full } = one;
        format!("{path}#{item}: now {level}; interface {interface}, full {full}")
    };
    let mut lines: Vec<String> = definitions.iter().take(MOST_FOUND).map(line).collect();
    if definitions.len() > MOST_FOUND {
        lines.push(format!("{} more", definitions.len() - MOST_FOUND));
    }
    Ok(lines)
}
