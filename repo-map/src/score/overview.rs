//! The scores of items without a goal: the map is then an overview for a newcomer.
//!
//! In code the public surface counts: types before functions before helpers, by how many files use
//! a name. In a README the first sections count, in a manifest the keys that say what a package is,
//! what it depends on and what it runs. Each further item of a file counts less, so that no file
//! takes the budget of the others.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::outline::{Item, ItemKind, Outline, Visibility};
use crate::score::copies;
use crate::score::families::family;
use crate::score::graph::Graph;
use crate::score::index::IndexEntry;
use crate::score::landmark::Landmark;
use crate::score::role::Role;
use crate::score::sections::{ancestry, of_key, of_section, of_start};
use crate::score::surface::{HEADERS, has_extension, is_index};
use crate::score::words;

/// The number of bytes of a signature with its comment that costs an item nothing; longer ones are
/// worth less, since a newcomer reads many signatures rather than one manual.
const SHORT: f64 = 480.0;
/// The factor for an item that is marked deprecated.
const DEPRECATED: f64 = 0.2;
/// The factor for a destructor, and for a function that the compiler writes or that is deleted.
const GIVEN: f64 = 0.2;
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
pub(crate) fn item_scores(
    files: &BTreeMap<usize, OverviewFile<'_>>,
    graph: &Graph,
) -> BTreeMap<usize, Vec<f64>> {
    let usage = NameUsage::of(files, graph);
    let has_headers = files.values().any(|file| has_extension(file.path, HEADERS));
    let of_file = |at: usize, file: &OverviewFile<'_>| {
        let usage_of = |name: &str| usage.of_name(at, name);
        let outline = &file.entry.depth.outline;
        let end = end_of_header(file.path, outline);
        let is_marked = outline.items.iter().any(|item| item.visibility == Visibility::Public);
        let lengths: Vec<f64> =
            (0..outline.items.len()).map(|at| of_length(file.entry, at)).collect();
        let one = |(at, item): (usize, &Item)| match (file.landmark, item.kind) {
            (Some(Landmark::Readme), ItemKind::Heading) => of_section(outline, at),
            (Some(Landmark::Start), ItemKind::Heading) => of_start(outline, at),
            (Some(Landmark::Manifest), ItemKind::Key) => of_key(outline, at),
            (Some(Landmark::Entry), ItemKind::Imports | ItemKind::Object) if is_re_export(item) => {
                RE_EXPORTS
            }
            _ => {
                let surface = of_kind(item.kind)
                    * of_visibility(file.path, outline, at, is_marked)
                    * of_language(file.path, item, has_headers)
                    * end.map_or(1.0, |end| of_place_in_header(item, end));
                let factor = match outline.is_test(at) {
                    true => 0.1,
                    false if file.entry.is_deprecated(at) => DEPRECATED * lengths[at],
                    // The compiler knows what they do, and so does the reader.
                    false if item.is_given || item.name.starts_with('~') => GIVEN,
                    false => lengths[at],
                };
                let use_of_name = 0.4 + 0.6 * usage_of(item.used_name());
                use_of_name * surface * factor * usage.of_export(item)
            }
        };
        let mut scores: Vec<f64> = outline.items.iter().enumerate().map(one).collect();
        raise_types(&mut scores, outline, &lengths);
        let crowded = match file.landmark {
            // The sections of a README count by their place already, and those of the start of a
            // site are its table of contents.
            Some(Landmark::Readme | Landmark::Start) => scores,
            Some(Landmark::Guide | Landmark::Manifest | Landmark::Entry) | None => {
                crowded(scores, outline)
            }
        };
        crowded.into_iter().map(|score| score.min(1.0) * file.score).collect()
    };
    let mut scores = files.iter().map(|(at, file)| (*at, of_file(*at, file))).collect();
    lower_repeated(&mut scores, files);
    copies::lower(|file| files[&file].entry, &mut scores);
    scores
}

/// The least worth of a type as a part of that of its best method, if its signature is short.
const BEFORE_METHODS: f64 = 1.1;

/// Raises each type above its best method: methods say little before their type does.
fn raise_types(scores: &mut [f64], outline: &Outline, lengths: &[f64]) {
    let types: HashMap<&str, usize> = outline
        .items
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, item)| item.kind.is_type() && item.kind != ItemKind::Impl)
        .map(|(at, item)| (item.qualified.as_str(), at))
        .collect();
    for at in (0..outline.items.len()).rev() {
        let item = &outline.items[at];
        let around = item.qualified.strip_suffix(item.name.as_str()).unwrap_or_default();
        let of_type = types.get(around.trim_end_matches(['.', ':', '#'])).copied();
        if let Some(of_type) = of_type.filter(|of_type| *of_type != at) {
            let least = scores[at] * BEFORE_METHODS * lengths[of_type];
            scores[of_type] = scores[of_type].max(least.min(1.0));
        }
    }
}

/// The factor for a definition that another file shows with the same signature, and for a type of
/// which it shows another one, such as that for another platform.
const SAME: f64 = 0.15;
const SAME_NAME: f64 = 0.5;
/// What a doc comment adds to a definition beside another one of the same name.
const DOCUMENTED: f64 = 1.5;

/// Lowers the definitions that only repeat what another file defines, with their members.
fn lower_repeated(
    scores: &mut BTreeMap<usize, Vec<f64>>,
    files: &BTreeMap<usize, OverviewFile<'_>>,
) {
    let mut best: HashMap<(ItemKind, &str), (f64, usize, usize)> = HashMap::new();
    for (file, scores) in &*scores {
        let outline = &files[file].entry.depth.outline;
        for (at, item) in outline.items.iter().enumerate() {
            if definition_around(outline, at) == Some(at) {
                let is_documented = if item.doc.is_some() { DOCUMENTED } else { 1.0 };
                let own = (scores[at] * is_documented, *file, at);
                let best = best.entry((item.kind, &item.qualified)).or_insert(own);
                // Equal ones stay with the first file.
                if own.0 > best.0 {
                    *best = own;
                }
            }
        }
    }
    for (file, scores) in scores {
        let outline = &files[file].entry.depth.outline;
        for (at, score) in scores.iter_mut().enumerate() {
            let Some(around) = definition_around(outline, at) else { continue };
            let item = &outline.items[around];
            let Some((_, in_file, other)) = best.get(&(item.kind, &*item.qualified)) else {
                continue;
            };
            // The parts of a type have different members.
            if in_file == file || item.is_part && around != at {
                continue;
            }
            let other = &files[in_file].entry.depth.outline.items[*other];
            let lengths = |item: &Item| {
                (item.head.len(), item.doc.as_ref().map(|doc| doc.len()), item.span.len())
            };
            match lengths(item) == lengths(other) {
                true => *score *= SAME,
                false if item.kind.is_type() => *score *= SAME_NAME,
                false => {}
            }
        }
    }
}

/// Returns the outermost type or function around an item, or the item itself; `None` for keys,
/// headings, and what is in many files.
fn definition_around(outline: &Outline, at: usize) -> Option<usize> {
    let is_definition = |item: &Item| {
        let is_code = item.kind.is_type() && item.kind != ItemKind::Impl
            || matches!(item.kind, ItemKind::Function | ItemKind::Method);
        is_code && item.name != "main"
    };
    std::iter::successors(Some(at), |at| outline.items[*at].parent)
        .filter(|at| is_definition(&outline.items[*at]))
        .last()
}

/// The worth of a short list of re-exports in an entry point.
const RE_EXPORTS: f64 = 0.7;

/// Reports whether imports hand on what they import, by their first line, and are a short list; in
/// CommonJS an object does.
fn is_re_export(item: &Item) -> bool {
    let marks = [" pub use ", " from ."];
    let hands_on = match item.kind {
        ItemKind::Object => item.name == "module.exports",
        _ => marks.iter().any(|mark| item.title.contains(mark)),
    };
    hands_on && item.span.len() <= SHORT as usize
}

/// The factor for what an entry point names: the index of a package lists its public surface.
const EXPORTED: f64 = 1.15;

/// The factor for what the code in the README uses, and the most files that define such a name: one
/// that more define may be that of another one.
const SHOWN: f64 = 1.3;
const MOST_OF_SHOWN: usize = 4;

/// The number of files that use and that define each name.
struct NameUsage<'a> {
    users: HashMap<&'a str, u32>,
    definers: BTreeMap<&'a str, Vec<usize>>,
    /// The number of importers that use a name which several files define, by each of these files
    /// that is a module of JavaScript: others cannot mean it.
    importers: HashMap<(usize, &'a str), u32>,
    /// The names in entry points that define little themselves.
    exported: HashSet<&'a str>,
    /// The names in the code of the README.
    shown: HashSet<&'a str>,
    /// The number of files that use any name.
    most: f64,
}

impl<'a> NameUsage<'a> {
    fn of(files: &BTreeMap<usize, OverviewFile<'a>>, graph: &Graph) -> NameUsage<'a> {
        let mut users: HashMap<&str, u32> = HashMap::new();
        let mut definers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut exported = HashSet::new();
        let mut shown = HashSet::new();
        for (at, file) in files {
            if file.landmark == Some(Landmark::Entry) && is_index(file.entry) {
                let own = file.entry.names();
                let names = file.entry.depth.identifiers.iter().map(|(word, _)| word.as_str());
                exported.extend(names.filter(|name| !own.contains(name)));
            }
            if file.landmark == Some(Landmark::Readme) {
                shown.extend(file.entry.shown_names());
            }
            let is_prose = Role::of(file.path).is_prose();
            let words = file.entry.depth.identifiers.iter();
            for (word, _) in
                words.filter(|(word, _)| !is_prose || words::looks_like_identifier(word))
            {
                *users.entry(word.as_str()).or_default() += 1;
            }
            // A type in several parts has one definer, that of its main part.
            let parts = || file.entry.parts();
            let is_other = |name: &str| parts().any(|one| one == (name, false));
            for name in file.entry.names().into_iter().filter(|name| !is_other(name)) {
                definers.entry(name).or_default().push(*at);
            }
        }
        let importers = importers(files, graph, &definers);
        let is_user = |file: &&OverviewFile<'_>| {
            !file.entry.depth.identifiers.is_empty() && !Role::of(file.path).is_prose()
        };
        let most = (files.values().filter(is_user).count() as f64).max(2.0);
        NameUsage { users, definers, importers, exported, shown, most }
    }

    fn of_export(&self, item: &Item) -> f64 {
        let name = item.used_name();
        let is_exported = item.parent.is_none() && self.exported.contains(name);
        let is_code = item.name == name && (item.kind.is_type() || item.kind.is_function());
        let is_shown = is_code
            && self.shown.contains(name)
            && self.definers.get(name).is_none_or(|files| files.len() <= MOST_OF_SHOWN);
        (if is_exported { EXPORTED } else { 1.0 }) * (if is_shown { SHOWN } else { 1.0 })
    }

    /// Returns the use of a name that a file defines, between 0 and 1. One that many files define
    /// tells less of each.
    fn of_name(&self, file: usize, name: &str) -> f64 {
        let importers = self.importers.get(&(file, name));
        let users = importers.or_else(|| self.users.get(name)).copied().unwrap_or(1);
        let definers = self.definers.get(name).map_or(1.0, |files| files.len() as f64);
        libm::log1p(f64::from(users) / libm::sqrt(definers)) / libm::log1p(self.most)
    }
}

/// Returns for each name that several files define, and for each of these that is a module of
/// JavaScript which others import, how many of its importers use the name.
fn importers<'a>(
    files: &BTreeMap<usize, OverviewFile<'a>>,
    graph: &Graph,
    definers: &BTreeMap<&'a str, Vec<usize>>,
) -> HashMap<(usize, &'a str), u32> {
    let is_module = |file: usize| family(files[&file].path) == Some("javascript");
    // A method is called on a value, whose type no import names.
    let is_on_top = |file: usize, name: &str| {
        let items = &files[&file].entry.depth.outline.items;
        items.iter().filter(|item| item.used_name() == name).all(|item| {
            item.parent.is_none() && (item.kind == ItemKind::Function || item.kind.is_type())
        })
    };
    let imported: HashSet<usize> =
        files.keys().flat_map(|file| graph.imports_of(*file)).map(|(to, _)| *to as usize).collect();
    let mut shared: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (name, definers) in definers.iter().filter(|(_, definers)| definers.len() > 1) {
        for file in definers.iter().filter(|file| imported.contains(file) && is_module(**file)) {
            if is_on_top(*file, name) {
                shared.entry(*file).or_default().push(name);
            }
        }
    }
    // A file that defines a name counts as one that uses it.
    let mut importers: HashMap<(usize, &str), u32> = HashMap::new();
    for (file, names) in &shared {
        importers.extend(names.iter().map(|name| ((*file, *name), 1)));
    }
    for (user, file) in files {
        let words = &file.entry.depth.identifiers;
        let uses = |name: &str| words.binary_search_by(|(word, _)| (**word).cmp(name)).is_ok();
        for target in graph.imports_of(*user).iter().map(|(target, _)| *target as usize) {
            for name in shared.get(&target).into_iter().flatten().filter(|name| uses(name)) {
                *importers.entry((target, name)).or_default() += 1;
            }
        }
    }
    importers
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
        ItemKind::Block | ItemKind::Imports | ItemKind::Region => 0.0,
    }
}

/// In a file that marks what is public, the rest is not, nor is what lies in something private. Go
/// writes public names with a capital.
fn of_visibility(path: &str, outline: &Outline, at: usize, is_marked: bool) -> f64 {
    let item = &outline.items[at];
    // A method of a type that is not public is none either.
    let is_small = item.qualified.split('.').any(|name| name.starts_with(char::is_lowercase));
    match item.visibility {
        _ if ancestry(outline, at).any(is_internal) => 0.5,
        _ if path.ends_with(".go") && is_small => 0.5,
        Visibility::Unmarked if is_marked && item.parent.is_none() => 0.7,
        // A language calls them, not a reader.
        _ if OF_EVERY_TYPE.contains(&item.name.as_str()) => 0.5,
        Visibility::Unmarked if item.name.starts_with("__") && item.name != "__init__" => 0.5,
        Visibility::Private | Visibility::Unmarked | Visibility::Public => 1.0,
    }
}

/// Reports whether an item and what it holds are for the code around it alone: it is private, or a
/// namespace of internals, or `std`, in which a project only specialises what it did not make.
fn is_internal(item: &Item) -> bool {
    let is_of_internals = || {
        let last = item.name.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        item.kind == ItemKind::Namespace && INTERNALS.contains(&&*last.to_lowercase())
    };
    item.visibility == Visibility::Private || is_of_internals()
}

const INTERNALS: &[&str] = &["detail", "details", "impl", "internal", "internals", "std"];

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

const IMPLEMENTATIONS: &[&str] = &["c", "cc", "cpp", "cxx", "m", "mm"];

/// In C and its kin the surface is in the headers.
fn of_language(path: &str, item: &Item, has_headers: bool) -> f64 {
    let is_inside = has_headers && has_extension(path, IMPLEMENTATIONS) && item.name != "main";
    if is_inside { 0.5 } else { 1.0 }
}

/// The part of a header of C after which an item is worth half of the first one.
const HALF_IN_HEADER: f64 = 0.33;

/// A header of C begins with what most programs call and ends with what is for experts or may
/// change. One of C++ often begins with the helpers of its templates.
fn of_place_in_header(item: &Item, end: usize) -> f64 {
    1.0 / (1.0 + item.span.start as f64 / end as f64 / HALF_IN_HEADER)
}

/// Returns where the items of a header of C end; `None` for other files.
fn end_of_header(path: &str, outline: &Outline) -> Option<usize> {
    let is_of_cpp = |item: &Item| matches!(item.kind, ItemKind::Class | ItemKind::Namespace);
    let is_header = has_extension(path, &["h"]) && !outline.items.iter().any(is_of_cpp);
    outline.items.iter().map(|item| item.span.end).max().filter(|_| is_header)
}

/// A signature longer than [`SHORT`], with the part of its comment that is shown beside it, has the
/// value of a short one at its price.
fn of_length(entry: &IndexEntry, at: usize) -> f64 {
    let item = &entry.depth.outline.items[at];
    let whole =
        item.doc.as_ref().map_or(0, |doc| doc.end - doc.start.max(item.head.end).min(doc.end));
    let length = (item.head.len() + whole.min(entry.depth.intros[at] as usize)) as f64;
    if length > SHORT { libm::sqrt(libm::sqrt(SHORT / length)) } else { 1.0 }
}

/// Lets each further item of a file, best first, count less. An item counts less again where it
/// only repeats the name of another one: of several overloads the first with a comment counts.
fn crowded(mut scores: Vec<f64>, outline: &Outline) -> Vec<f64> {
    let mut documented: HashMap<&str, usize> = HashMap::new();
    for (at, item) in outline.items.iter().enumerate().filter(|(_, item)| item.doc.is_some()) {
        documented.entry(&item.qualified).or_insert(at);
    }
    for (at, (score, item)) in scores.iter_mut().zip(&outline.items).enumerate() {
        let is_main = match documented.get(item.qualified.as_str()) {
            Some(main) => *main == at || item.nth <= 1 && outline.items[*main].kind != item.kind,
            None => item.nth <= 1,
        };
        if !is_main {
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
