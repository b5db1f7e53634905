//! The plan of documents whose number can grow: rules, and changes that are a change of level or a
//! visit to a page.

use std::collections::BTreeMap;

use repo_map::plan::{Rule, exact_glob, exact_path};
use repo_map::{Level, LevelRange};
use serde::{Deserialize, Serialize};

use crate::run::plan::{Change, Plan};
use crate::terrain::repo::RuleChange;

/// The rules of a map of documents, which a pilot changes. It is stored as these rules alone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocumentPlan(pub Vec<Rule>);

/// A change of the map, or a visit to a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DocumentChange {
    /// Read a page that is only known from links.
    Visit(PageVisit),
    /// Change a level.
    Level(RuleChange),
}

/// A visit to a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageVisit {
    /// The name that the page would have on the map.
    #[serde(rename = "visit")]
    pub name: String,
    /// The reason.
    pub why: String,
    /// The name of the page that came of it; `None` if the map shows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// New names of pages that were known: a page whose name became that of a folder, or that says
    /// the same as the new one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub renamed: BTreeMap<String, String>,
}

impl PageVisit {
    /// Makes a visit that did not happen yet.
    pub fn new(name: impl Into<String>, why: impl Into<String>) -> PageVisit {
        PageVisit { name: name.into(), why: why.into(), page: None, renamed: BTreeMap::new() }
    }

    /// Returns the change that leaves the level of the new page to the fit.
    fn opened(&self) -> Option<RuleChange> {
        let any = LevelRange { floor: Level::Exclude, ceiling: Level::Full };
        let page = self.page.as_ref()?;
        Some(RuleChange::paths(exact_glob(page), any, &*self.why))
    }
}

impl Plan for DocumentPlan {
    type Change = DocumentChange;

    /// Takes the changes of levels as rules do. A page that was visited is open to the fit, unless
    /// the same answer sets its level.
    fn take(&mut self, changes: &[DocumentChange]) {
        let mut rules = Vec::new();
        for change in changes {
            if let DocumentChange::Visit(visit) = change {
                rename(&mut self.0, &visit.renamed);
                rules.extend(visit.opened());
            }
        }
        rules.extend(changes.iter().filter_map(DocumentChange::level).cloned());
        self.0.take(&rules);
    }

    fn holds(&self, change: &DocumentChange) -> bool {
        change.level().is_some_and(|change| self.0.holds(change))
    }

    fn opened(&self) -> Vec<String> {
        self.0.opened()
    }

    fn added_since(&self, earlier: &DocumentPlan) -> Vec<String> {
        self.0.added_since(&earlier.0)
    }
}

/// Gives the rules of renamed pages their new names.
fn rename(rules: &mut [Rule], renamed: &BTreeMap<String, String>) {
    for rule in rules {
        if let Some(new) = exact_path(&rule.path).and_then(|path| renamed.get(&path)) {
            rule.path = exact_glob(new);
        }
    }
}

impl DocumentChange {
    /// Returns the change of level, if it is one.
    pub fn level(&self) -> Option<&RuleChange> {
        match self {
            DocumentChange::Level(change) => Some(change),
            DocumentChange::Visit(_) => None,
        }
    }
}

impl From<RuleChange> for DocumentChange {
    fn from(change: RuleChange) -> DocumentChange {
        DocumentChange::Level(change)
    }
}

impl Change for DocumentChange {
    fn name(&self) -> String {
        match self {
            DocumentChange::Visit(visit) => format!("visit {}", visit.name),
            DocumentChange::Level(change) => change.name(),
        }
    }

    fn is_about_same(&self, other: &DocumentChange) -> bool {
        match (self, other) {
            (DocumentChange::Visit(one), DocumentChange::Visit(other)) => one.name == other.name,
            (DocumentChange::Level(one), DocumentChange::Level(other)) => one.is_about_same(other),
            _ => false,
        }
    }

    fn does_same(&self, other: &DocumentChange) -> bool {
        match (self, other) {
            (DocumentChange::Visit(one), DocumentChange::Visit(other)) => one.name == other.name,
            (DocumentChange::Level(one), DocumentChange::Level(other)) => one.does_same(other),
            _ => false,
        }
    }

    fn asks_for(&self) -> Option<(String, String)> {
        self.level()?.asks_for()
    }

    /// What a visit shows is for the fit to decide.
    fn is_exact(&self) -> bool {
        self.level().is_some_and(Change::is_exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_is_logged_beside_changes_of_levels_and_read_back() {
        let level = RuleChange::paths("/a.html", LevelRange::exactly(Level::Full), "it answers");
        let visit = PageVisit { page: Some("g/b.html".into()), ..PageVisit::new("b", "more") };
        for change in [DocumentChange::Level(level), DocumentChange::Visit(visit)] {
            let text = serde_json::to_string(&change).unwrap();
            assert_eq!(serde_json::from_str::<DocumentChange>(&text).unwrap(), change, "{text}");
        }
    }

    #[test]
    fn a_visited_page_is_open_and_a_renamed_one_keeps_its_level() {
        let full = |path: &str| Rule::new(path, LevelRange::exactly(Level::Full));
        let mut plan = DocumentPlan(vec![full("/g")]);
        let renamed = BTreeMap::from([("g".to_owned(), "g/index.html".to_owned())]);
        let visit = PageVisit { page: Some("g/b".into()), renamed, ..PageVisit::new("g/b", "") };
        plan.take(&[DocumentChange::Visit(visit)]);
        let shown: Vec<String> = plan
            .0
            .iter()
            .map(|rule| format!("{} {}", rule.path, rule.level.unwrap_or(LevelRange::ANY)))
            .collect();
        assert_eq!(shown, ["/g/index.html full", "/g/b exclude..full"]);
    }
}
