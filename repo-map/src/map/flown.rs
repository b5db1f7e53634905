//! The flown plan of a map: exact levels, and the provenance.

use crate::fit::folders::Folders;
use crate::level::{Level, LevelRange};
use crate::map::FileReport;
use crate::map::compose::Rendered;
use crate::map::corpus::Corpus;
use crate::map::fill::MapBudget;
use crate::plan::{Context, FlightPlan, ItemRule, MapFacts, Provenance, Rule, exact_glob};
use crate::source::scan::{PageFacts, Tree};

/// The name and version of this tool in provenance.
pub(crate) const TOOL: &str = concat!("repo-map ", env!("CARGO_PKG_VERSION"));

/// Returns the plan that rebuilds a map: exact levels, and the provenance.
pub(crate) fn plan_of(
    corpus: &Corpus,
    files: &[FileReport],
    rendered: &Rendered,
    budget: MapBudget,
) -> FlightPlan {
    let Corpus { plan, tree, folders, .. } = corpus;
    let Rendered { text, tokens, digests, .. } = rendered;
    let mut scan = plan.scan.clone();
    scan.outside = Some(tree.outside.clone());
    FlightPlan {
        version: crate::plan::VERSION,
        goal: plan.goal.clone(),
        context: Context { tokens: budget.tokens, fill: budget.fill, ..plan.context.clone() },
        scan,
        languages: plan.languages.clone(),
        rules: exact_rules(folders, files),
        provenance: Some(Provenance {
            tool: TOOL.to_owned(),
            map: MapFacts {
                tokens: *tokens,
                digest: blake3::hash(text.as_bytes()).to_hex().to_string(),
            },
            tree: corpus.tree_facts().clone(),
            site: tree.site.clone(),
            pages: page_facts(tree, files),
            files: digests
                .iter()
                .map(|(path, digest)| (path.clone(), digest.to_hex().to_string()))
                .collect(),
        }),
    }
}

/// Returns what a map says of pages beside their text: the titles of those that it shows by their
/// paths alone.
fn page_facts(tree: &Tree, files: &[FileReport]) -> PageFacts {
    let start = tree.pages.start.clone();
    let of_path = files.iter().filter(|file| file.level == Level::Path);
    let titles = of_path.filter_map(|file| {
        let title = tree.title(&file.path)?;
        Some((file.path.clone(), title.to_owned()))
    });
    PageFacts { start, titles: titles.collect() }
}

/// Returns rules that give every path exactly its level: a rule for a folder where the level
/// changes, then one rule per file.
fn exact_rules(folders: &Folders, files: &[FileReport]) -> Vec<Rule> {
    let sums = |level: Level| -> Vec<usize> {
        let counts = files.iter().scan(0, |sum, file| {
            *sum += usize::from(file.level == level);
            Some(*sum)
        });
        std::iter::once(0).chain(counts).collect()
    };
    let (folded, excluded) = (sums(Level::Fold), sums(Level::Exclude));
    let mut rules = Vec::new();
    let mut exceptions = Vec::new();
    let mut inherited: Vec<Option<Level>> = vec![None; folders.list.len()];
    for (at, folder) in folders.list.iter().enumerate() {
        let n = |sums: &[usize]| sums[folder.files.end] - sums[folder.files.start];
        let direct =
            |level: Level| folder.direct.iter().filter(|file| files[**file].level == level).count();
        let level = match (n(&folded), n(&excluded)) {
            (0, 0) => inherited[at],
            (_, 0) => Some(Level::Fold),
            (0, _) => Some(Level::Exclude),
            _ => match (direct(Level::Fold), direct(Level::Exclude)) {
                (0, 0) => inherited[at].or(Some(Level::Exclude)),
                (folded, excluded) if folded >= excluded => Some(Level::Fold),
                _ => Some(Level::Exclude),
            },
        };
        // The first rule covers every path, so that a plan defines the level of paths it does not
        // name.
        let level = if at == 0 { level.or(Some(Level::Exclude)) } else { level };
        if let Some(level) = level.filter(|level| inherited[at] != Some(*level)) {
            let glob = if at == 0 {
                "**".to_owned()
            } else {
                format!("{}/**", exact_glob(folder.path.trim_end_matches('/')))
            };
            rules.push(Rule::new(glob, LevelRange::exactly(level)));
        }
        for child in &folder.folders {
            inherited[*child] = level;
        }
        exceptions
            .extend(folder.direct.iter().copied().filter(|file| Some(files[*file].level) != level));
    }
    exceptions.sort_unstable();
    rules.extend(exceptions.into_iter().map(|at| {
        let file = &files[at];
        let items = file
            .items
            .iter()
            .map(|item| ItemRule { name: item.name.clone(), level: item.level })
            .collect::<Vec<_>>();
        Rule {
            path: exact_glob(&file.path),
            level: Some(LevelRange::exactly(file.level)),
            items: (!items.is_empty()).then_some(items),
            why: None,
            requested: file.requested,
            mark: file.mark.filter(|_| file.level == Level::Path).map(str::to_owned),
        }
    }));
    rules
}
