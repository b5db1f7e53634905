//! The scores of items without a goal: the map is then an overview for a newcomer.
//!
//! In code the public surface counts: types before functions before helpers, by how many files use
//! a name. In a README the first sections count, in a manifest the keys that say what a package is,
//! what it depends on and what it runs. Each further item of a file counts less, so that no file
//! takes the budget of the others.

use std::collections::{BTreeMap, HashMap};

use crate::outline::{Item, ItemKind, Outline, Visibility};
use crate::score::index::IndexEntry;
use crate::score::landmark::Landmark;

/// The number of bytes of a signature with its comment that costs an item nothing; longer ones are
/// worth less, since a newcomer reads many signatures rather than one manual.
const SHORT: f64 = 480.0;
/// The number of items of a file after which the next one counts a third.
const CROWD: f64 = 8.0;

/// A file that was judged in depth: its path, its index entry, its score between 0 and 1.
pub(crate) struct OverviewFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) entry: &'a IndexEntry,
    pub(crate) score: f64,
    pub(crate) landmark: Option<Landmark>,
}

/// Returns the score of every item, between 0 and 1, by file and position.
pub(crate) fn item_scores(files: &BTreeMap<usize, OverviewFile<'_>>) -> BTreeMap<usize, Vec<f64>> {
    let usage = NameUsage::of(files);
    let has_headers = files.values().any(|file| has_extension(file.path, HEADERS));
    let of_file = |file: &OverviewFile<'_>| {
        let outline = &file.entry.depth.outline;
        let is_marked = outline.items.iter().any(|item| item.visibility == Visibility::Public);
        let one = |(at, item): (usize, &Item)| match (file.landmark, item.kind) {
            (Some(Landmark::Readme), ItemKind::Heading) => of_section(outline, at),
            (Some(Landmark::Manifest), ItemKind::Key) => of_key(outline, at),
            _ => {
                let surface = of_kind(item.kind)
                    * of_visibility(file.path, outline, at, is_marked)
                    * of_language(file.path, item, has_headers);
                let factor = if outline.is_test(at) { 0.1 } else { of_length(item) };
                (0.4 + 0.6 * usage.of_name(&item.name)) * surface * factor
            }
        };
        let scores = outline.items.iter().enumerate().map(one).collect();
        let crowded = match file.landmark {
            // The sections of a README count by their place already.
            Some(Landmark::Readme) => scores,
            Some(Landmark::Manifest | Landmark::Entry) | None => crowded(scores, outline),
        };
        crowded.into_iter().map(|score| score * file.score).collect()
    };
    files.iter().map(|(at, file)| (*at, of_file(file))).collect()
}

/// The number of files that use and that define each name.
struct NameUsage<'a> {
    users: HashMap<&'a str, u32>,
    definers: HashMap<&'a str, u32>,
    most: f64,
}

impl<'a> NameUsage<'a> {
    fn of(files: &BTreeMap<usize, OverviewFile<'a>>) -> NameUsage<'a> {
        let (mut users, mut definers) = (HashMap::new(), HashMap::new());
        for file in files.values() {
            for (word, _) in &file.entry.depth.identifiers {
                *users.entry(word.as_str()).or_default() += 1;
            }
            for name in file.entry.names() {
                *definers.entry(name).or_default() += 1;
            }
        }
        let most = f64::from(users.values().copied().max().unwrap_or(1)).max(2.0);
        NameUsage { users, definers, most }
    }

    /// Returns the use of a name, between 0 and 1. One that many files define tells less of each.
    fn of_name(&self, name: &str) -> f64 {
        let users = f64::from(self.users.get(name).copied().unwrap_or(1));
        let definers = f64::from(self.definers.get(name).copied().unwrap_or(1));
        libm::log1p(users / libm::sqrt(definers)) / libm::log1p(self.most)
    }
}

fn of_kind(kind: ItemKind) -> f64 {
    match kind {
        ItemKind::Class
        | ItemKind::Enum
        | ItemKind::Interface
        | ItemKind::Object
        | ItemKind::Service
        | ItemKind::Struct
        | ItemKind::Table
        | ItemKind::Trait
        | ItemKind::Union => 1.0,
        ItemKind::Function
        | ItemKind::Message
        | ItemKind::Module
        | ItemKind::Namespace
        | ItemKind::Rpc
        | ItemKind::Heading
        | ItemKind::Type
        | ItemKind::View => 0.9,
        ItemKind::Constructor | ItemKind::Method | ItemKind::Target => 0.8,
        ItemKind::Impl | ItemKind::Property | ItemKind::Key | ItemKind::Element => 0.6,
        ItemKind::Constant
        | ItemKind::Field
        | ItemKind::Variant
        | ItemKind::Instruction
        | ItemKind::Macro
        | ItemKind::Rule
        | ItemKind::Snippet
        | ItemKind::Variable => 0.5,
        ItemKind::Test => 0.1,
        ItemKind::Imports | ItemKind::Region => 0.0,
    }
}

/// In a file that marks what is public, the rest is not, nor is what lies in something private. Go
/// writes public names with a capital.
fn of_visibility(path: &str, outline: &Outline, at: usize, is_marked: bool) -> f64 {
    let item = &outline.items[at];
    let is_small = item.name.starts_with(char::is_lowercase);
    let is_private = |item: &Item| item.visibility == Visibility::Private;
    match item.visibility {
        _ if ancestry(outline, at).any(is_private) => 0.5,
        Visibility::Unmarked if path.ends_with(".go") && is_small => 0.5,
        Visibility::Unmarked if is_marked && item.parent.is_none() => 0.7,
        // A language calls them, not a reader.
        _ if OF_EVERY_TYPE.contains(&item.name.as_str()) => 0.5,
        Visibility::Unmarked if item.name.starts_with("__") && item.name != "__init__" => 0.5,
        Visibility::Private | Visibility::Unmarked | Visibility::Public => 1.0,
    }
}

const OF_EVERY_TYPE: &[&str] = &[
    "toString",
    "ToString",
    "equals",
    "Equals",
    "hashCode",
    "GetHashCode",
    "String",
    "to_s",
    "inspect",
    "fmt",
    "clone",
    "close",
    "Close",
    "Dispose",
];

const HEADERS: &[&str] = &["h", "hh", "hpp", "hxx"];
const IMPLEMENTATIONS: &[&str] = &["c", "cc", "cpp", "cxx", "m", "mm"];

/// In C and its kin the surface is in the headers.
fn of_language(path: &str, item: &Item, has_headers: bool) -> f64 {
    let is_inside = has_headers && has_extension(path, IMPLEMENTATIONS) && item.name != "main";
    if is_inside { 0.5 } else { 1.0 }
}

fn has_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// A signature longer than [`SHORT`] has the value of a short one at its price.
fn of_length(item: &Item) -> f64 {
    let doc =
        item.doc.as_ref().map_or(0, |doc| doc.end - doc.start.max(item.head.end).min(doc.end));
    let length = (item.head.len() + doc) as f64;
    if length > SHORT { libm::sqrt(libm::sqrt(SHORT / length)) } else { 1.0 }
}

/// Lets each further item of a file, best first, count less. An item counts less again where it
/// only repeats the name before it: the second of several overloads.
fn crowded(mut scores: Vec<f64>, outline: &Outline) -> Vec<f64> {
    for (score, item) in scores.iter_mut().zip(&outline.items) {
        if item.nth > 1 {
            *score *= 0.6;
        }
    }
    let mut order: Vec<usize> =
        (0..scores.len()).filter(|at| !outline.items[*at].kind.is_member()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    for (place, at) in order.into_iter().enumerate() {
        scores[at] /= libm::sqrt(1.0 + place as f64 / CROWD);
    }
    scores
}

/// A section of a README: the first ones say what the project is and how to use it.
fn of_section(outline: &Outline, at: usize) -> f64 {
    const USEFUL: &[&str] = &["install", "usage", "use", "start", "quick", "example", "feature"];
    const USELESS: &[&str] = &[
        "licen",
        "contribut",
        "sponsor",
        "changelog",
        "thank",
        "acknowledg",
        "contents",
        "donat",
        "backer",
        "conduct",
        "credit",
        "author",
        "badge",
        "people",
        "communit",
        "supporter",
        "maintainer",
        "team",
        "version",
        "release",
        "security",
        "publication",
        "projects using",
        "disclaimer",
        "now available",
        "touch",
        "question",
    ];
    let title = outline.items[at].name.to_lowercase();
    let mentions = |words: &[&str]| words.iter().any(|word| title.contains(word));
    let place = 1.0 / (1.0 + at as f64 / 4.0);
    match () {
        () if mentions(USELESS) => 0.2 * place,
        () if at == 0 => 1.0,
        () if mentions(USEFUL) => (1.3 * place).min(0.9),
        () => 0.8 * place,
    }
}

/// A key of a manifest: what the package is, what it depends on, what it runs.
fn of_key(outline: &Outline, at: usize) -> f64 {
    const WHAT: &[&str] = &["name", "description", "module", "summary"];
    const USED: &[&str] = &[
        "package",
        "project",
        "workspace",
        "members",
        "workspaces",
        "packages",
        "dependencies",
        "require",
        "bin",
        "main",
        "exports",
        "scripts",
        "entry-points",
        "types",
        "lib",
        "go",
        "requires-python",
        "rust-version",
        "engines",
        "features",
        "autoload",
    ];
    const ASIDE: &[&str] = &[
        "dev-dependencies",
        "devdependencies",
        "require-dev",
        "build-dependencies",
        "tool",
        "dependency-groups",
        "optional-dependencies",
        "profile",
        "lints",
        "patch",
        "badges",
        "keywords",
        "classifiers",
        "authors",
        "author",
        "contributors",
        "maintainers",
        "funding",
        "support",
        "suggest",
        "autoload-dev",
        "license-files",
        "urls",
        "build-system",
        "files",
    ];
    let names: Vec<String> = ancestry(outline, at).map(|item| item.name.to_lowercase()).collect();
    let is =
        |name: &String, known: &[&str]| name.split(['.', ' ']).any(|part| known.contains(&part));
    let (own, top) = (&names[0], &names[names.len() - 1]);
    match () {
        () if names.iter().any(|name| is(name, ASIDE)) => 0.1,
        () if is(own, WHAT) && names.len() <= 2 => 1.0,
        () if is(own, USED) => 0.8,
        () if names.len() == 2 && top == "scripts" => 0.45,
        () if names.len() == 2 && is(top, USED) && !is(top, &["package", "project"]) => 0.6,
        () => 0.3,
    }
}

/// Returns the item and those around it, from the inside out.
fn ancestry(outline: &Outline, at: usize) -> impl Iterator<Item = &Item> {
    std::iter::successors(Some(at), |at| outline.items[*at].parent).map(|at| &outline.items[at])
}
