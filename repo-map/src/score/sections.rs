//! What a section of prose and a key of a manifest are worth without a goal.

use crate::outline::{Item, Outline};

/// The number of headings around a section of the start of a site from which on it counts less: the
/// title, and that of a part.
const PARTS: usize = 3;

/// The length of a usual section of a README, in bytes.
const SECTION: f64 = 600.0;

/// What the chapters about releases are called: they are long lists, and nothing to begin with.
const OF_RELEASES: &[&str] = &["changelog", "change log", "release notes", "release history"];

/// A section of the page that a site begins with: a chapter of its table of contents counts as much
/// as the first one, and more than what is in it.
pub(super) fn of_start(outline: &Outline, at: usize) -> f64 {
    let n_around = ancestry(outline, at).count() - 1;
    let is_of_releases = |item: &Item| OF_RELEASES.contains(&&*item.title.to_lowercase());
    let of_title = if ancestry(outline, at).any(is_of_releases) { 0.1 } else { 1.0 };
    of_title * libm::pow(0.8, n_around.saturating_sub(PARTS) as f64)
}

/// What sections are called that say nothing about the project.
const USELESS: &[&str] = &[
    "licen",
    "contribut",
    "sponsor",
    "changelog",
    "change log",
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
    "supporting",
    "roadmap",
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
    "used by",
    "real-world",
    "real world",
    "who use",
    "enterprise",
    "support us",
    "support the",
    "commercial support",
    "help and",
    "getting help",
    "get help",
    "testimonial",
];

/// The number of sections before another one that are looked at for those that say nothing.
const FIRST_SECTIONS: usize = 50;

/// A section of a README: the first ones say what the project is and how to use it.
pub(super) fn of_section(outline: &Outline, at: usize) -> f64 {
    const USEFUL: &[&str] = &[
        "install", "usage", "use", "start", "quick", "example", "feature", "build", "compil",
        "running", "getting",
    ];
    let item = &outline.items[at];
    let is_alone = || outline.items.iter().filter(|item| item.parent.is_none()).count() == 1;
    let is_title = at == 0 && (item.has_children || is_alone());
    let titles: Vec<String> = ancestry(outline, at).map(|item| item.title.to_lowercase()).collect();
    // A heading that is one link out of the project is that of a sponsor.
    let is_link = item.name.starts_with('[') && item.name.ends_with(')');
    let leads_out = is_link && item.name.contains("](http") && !is_title;
    // A second section about building is one about its problems.
    let is_first = |word: &str| {
        !outline.items[..at].iter().any(|item| item.title.to_lowercase().contains(word))
    };
    let is_useful = || USEFUL.iter().any(|word| titles[0].contains(word) && is_first(word));
    // A long text counts as several sections.
    let nth = (at as f64).max(before(outline, at) as f64 / SECTION);
    let place = 1.0 / (1.0 + nth / 4.0);
    let length = item.body.as_ref().map_or(0.0, |body| body.len() as f64);
    let of_length = libm::sqrt((SECTION / length).min(1.0));
    match () {
        () if is_title => 1.0,
        () if leads_out => 0.05 * place,
        () if is_useless(outline, at) => 0.2 * place,
        // Tables of numbers, which a newcomer believes or reads later.
        () if titles.iter().any(|title| title.contains("benchmark")) => 0.3 * of_length * place,
        () if at == 0 => 1.0,
        () if is_useful() => of_length * (1.3 / (1.0 + nth / 6.0)).min(0.9),
        () => 0.8 * of_length * place,
    }
}

/// Reports whether a section, or one around it, says nothing about the project. The title of the
/// document is no title of a section.
fn is_useless(outline: &Outline, at: usize) -> bool {
    let titles: Vec<String> = ancestry(outline, at).map(|item| item.title.to_lowercase()).collect();
    titles.iter().enumerate().any(|(nth, title)| {
        (nth == 0 || nth + 1 < titles.len()) && USELESS.iter().any(|word| title.contains(word))
    })
}

/// Returns the number of bytes from the first heading to a section, without those of sections that
/// say nothing: sponsors and badges may come first.
fn before(outline: &Outline, at: usize) -> usize {
    let start = outline.items[at].span.start;
    let (mut n_aside, mut end) = (outline.items[0].span.start, 0);
    for (nth, item) in outline.items[..at].iter().enumerate().take(FIRST_SECTIONS) {
        let is_title = nth == 0 && item.has_children;
        if item.span.start >= end && !is_title && is_useless(outline, nth) {
            end = item.span.end.min(start);
            n_aside += end - item.span.start;
        }
    }
    start - n_aside
}

/// A key of a manifest: what the package is, what it depends on, what it runs.
pub(super) fn of_key(outline: &Outline, at: usize) -> f64 {
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
        "metadata",
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
        // Where each of them lies says less than what the package runs and depends on.
        () if names[1..].iter().any(|name| is(name, &["exports", "typesversions"])) => 0.1,
        () if is(own, WHAT) && names.len() <= 2 => 1.0,
        () if is(own, USED) => 0.8,
        () if names.len() == 2 && top == "scripts" => 0.45,
        () if names.len() == 2 && is(top, USED) && !is(top, &["package", "project"]) => 0.6,
        () => 0.3,
    }
}

/// Returns the item and those around it, from the inside out.
pub(super) fn ancestry(outline: &Outline, at: usize) -> impl Iterator<Item = &Item> {
    std::iter::successors(Some(at), |at| outline.items[*at].parent).map(|at| &outline.items[at])
}
