//! Screens whose addresses differ by a word, `/category/tools` and `/category/garden`, or by their
//! query: they are one where they are built alike.

use std::collections::{BTreeMap, BTreeSet};

use crate::knowledge::model::feature::{Feature, FeatureKind};
use crate::knowledge::model::template::AddressTemplate;

/// The share of what two screens have of their own that both have, at least.
const BUILT_ALIKE: f64 = 0.8;
/// The same of all that two screens have, where they lie below words of one kind: the same screen
/// is there for each of these, and some of its controls are named after the word.
const BUILT_ALIKE_IN_TREES: f64 = 0.6;
/// The least weight of what both have of their own: pages that share the frame of the site alone
/// are not alike, and two buttons are no more than chance.
const SHARED: f64 = 2.4;
/// A feature that more than this share of all places has is of the frame of the site.
const OF_FRAME: f64 = 0.5;
/// So is one that this share of the screens of a place has, on average over all places: a site that
/// is one folder has a frame, too.
const EVERYWHERE: f64 = 0.9;
/// Of so few pages nothing can be said.
const FEW_PAGES: usize = 3;
/// The fewest pages that lie below two words of a path if the words are of one kind.
const LIKE_PAGES: usize = 2;
/// The largest number of others that a screen or a word is compared with.
const MAX_COMPARED: usize = 50;
/// The share of its sightings in which a screen has a feature of its own.
const STABLE: f64 = 0.5;

/// Sightings of a screen, and the templates of their addresses.
#[derive(Debug, Clone)]
pub(super) struct SightingFamily {
    /// The positions of the sightings, in order.
    pub(super) members: Vec<usize>,
    /// The templates.
    pub(super) templates: Vec<AddressTemplate>,
    /// In how many of the sightings each feature was.
    pub(super) n_with: BTreeMap<Feature, usize>,
}

impl SightingFamily {
    fn has(&self, feature: &Feature) -> bool {
        let n = self.n_with.get(feature).copied().unwrap_or(0);
        n as f64 >= STABLE * self.members.len() as f64 && n > 0
    }

    fn stable(&self) -> impl Iterator<Item = &Feature> {
        self.n_with.keys().filter(|feature| self.has(feature))
    }

    fn of_kind(&self, kind: FeatureKind) -> impl Iterator<Item = &Feature> {
        self.stable().filter(move |feature| feature.kind == kind)
    }

    fn join(&mut self, other: SightingFamily, templates: Vec<AddressTemplate>) {
        self.members.extend(other.members);
        self.members.sort_unstable();
        for (feature, n) in other.n_with {
            *self.n_with.entry(feature).or_default() += n;
        }
        self.templates = templates;
    }
}

/// Joins screens that are built alike and whose addresses differ by the query, or by a word of the
/// path. The word is left out of their templates then.
pub(super) fn families_of(screens: Vec<SightingFamily>) -> Vec<SightingFamily> {
    let own = OwnFeatures::of(&screens);
    let mut families = joined(screens, |template| vec![(template.without_query(), None)], &own);
    loop {
        let n = families.len();
        let trees = LikeTrees::of(&families);
        families = joined(
            families,
            |template| {
                let path = template.without_query();
                let wider = |part| Some((path.without_part(part)?, trees.with(&path, part)));
                (0..path.parts().len()).filter_map(wider).collect()
            },
            &own,
        );
        if families.len() == n {
            return families;
        }
    }
}

/// A template with more parts left out, and the tree of the word that was left out, if there are
/// others like it.
type WiderTemplate = (AddressTemplate, Option<TreeNumber>);

/// Joins what is alike among screens for which one of the wider templates is the same.
fn joined(
    screens: Vec<SightingFamily>,
    wider: impl Fn(&AddressTemplate) -> Vec<WiderTemplate>,
    own: &OwnFeatures,
) -> Vec<SightingFamily> {
    let mut places: BTreeMap<WiderTemplate, Vec<usize>> = BTreeMap::new();
    for (at, screen) in screens.iter().enumerate() {
        let mut all: Vec<WiderTemplate> = screen.templates.iter().flat_map(&wider).collect();
        // A word with a tree like that of others may be one of those without, too.
        all.extend(all.clone().into_iter().map(|(template, _)| (template, None)));
        all.sort_unstable();
        all.dedup();
        all.into_iter().for_each(|wide| places.entry(wide).or_default().push(at));
    }
    // The templates with most screens first: of two words that differ, it is the one that varies.
    let mut places: Vec<(WiderTemplate, Vec<usize>)> = places.into_iter().collect();
    places.retain(|(_, screens)| screens.len() > 1);
    places.sort_by(|a, b| {
        (b.0.1.is_some(), b.1.len()).cmp(&(a.0.1.is_some(), a.1.len())).then(a.0.cmp(&b.0))
    });
    let mut left: Vec<Option<SightingFamily>> = screens.into_iter().map(Some).collect();
    for ((wide, tree), members) in places {
        let mut kept: Vec<usize> = Vec::new();
        for at in members {
            let Some(screen) = &left[at] else { continue };
            let alike = kept.iter().take(MAX_COMPARED).copied().find(|first| {
                left[*first]
                    .as_ref()
                    .is_some_and(|first| own.are_alike(first, screen, tree.is_some()))
            });
            match alike {
                Some(first) => {
                    let Some(screen) = left[at].take() else { continue };
                    if let Some(family) = &mut left[first] {
                        let templates = templates_of(&wide, &family.templates, &screen.templates);
                        family.join(screen, templates);
                    }
                }
                None => kept.push(at),
            }
        }
    }
    left.into_iter().flatten().collect()
}

/// The number of a group of trees that are alike.
type TreeNumber = usize;

/// The words of paths below which the same pages lie: `/ada/posts` and `/ada/photos` for `ada`,
/// `/ben/posts` and `/ben/photos` for `ben`. Such a word varies, whatever its pages say.
struct LikeTrees(BTreeMap<(AddressTemplate, usize), TreeNumber>);

impl LikeTrees {
    fn of(screens: &[SightingFamily]) -> LikeTrees {
        // For each place of a word, what lies below each word there.
        let mut places: BTreeMap<(String, usize), BTreeMap<AddressTemplate, BTreeSet<String>>> =
            BTreeMap::new();
        let paths = screens.iter().flat_map(|screen| &screen.templates);
        let paths: BTreeSet<AddressTemplate> = paths.map(AddressTemplate::without_query).collect();
        for path in &paths {
            let parts = path.parts();
            for at in 1..parts.len().saturating_sub(1) {
                let (before, word) = (path.up_to(at), path.up_to(at + 1));
                let below = parts[at + 1..].join("/");
                let words = places.entry((before.to_string(), at)).or_default();
                words.entry(word).or_default().insert(below);
            }
        }
        let mut trees = BTreeMap::new();
        for (number, ((_, at), words)) in places.into_iter().enumerate() {
            let words: Vec<(AddressTemplate, BTreeSet<String>)> = words.into_iter().collect();
            let are_like = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
                let n = one.intersection(other).count();
                n >= LIKE_PAGES && 2 * n >= one.len().min(other.len())
            };
            for (word, below) in &words {
                let others = words.iter().filter(|(other, _)| other != word).take(MAX_COMPARED);
                if others.into_iter().any(|(_, other)| are_like(below, other)) {
                    trees.insert((word.clone(), at), number);
                }
            }
        }
        LikeTrees(trees)
    }

    /// Returns the trees that are like the one of a word of a path, by the word's position.
    fn with(&self, path: &AddressTemplate, part: usize) -> Option<TreeNumber> {
        self.0.get(&(path.up_to(part + 1), part)).copied()
    }
}

/// Returns the templates of two screens together: each of them, or where it lies on the wider one,
/// that, with its query.
fn templates_of(
    wide: &AddressTemplate,
    one: &[AddressTemplate],
    other: &[AddressTemplate],
) -> Vec<AddressTemplate> {
    let widened = |template: &AddressTemplate| {
        let path = template.without_query();
        match wide.covers(&path) {
            true => template.with_path_of(wide),
            false => template.clone(),
        }
    };
    let mut all: Vec<AddressTemplate> = one.iter().chain(other).map(widened).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What screens have beside the frame of the site.
struct OwnFeatures {
    /// The features of the frame.
    frame: BTreeSet<Feature>,
}

impl OwnFeatures {
    fn of(screens: &[SightingFamily]) -> OwnFeatures {
        // Screens below one folder are one place.
        let mut places: BTreeMap<AddressTemplate, Vec<&SightingFamily>> = BTreeMap::new();
        for screen in screens {
            let place = screen.templates.first().map(AddressTemplate::folder);
            places.entry(place.unwrap_or_default()).or_default().push(screen);
        }
        // In how many places each feature is, and its shares of the screens there together.
        let mut spread: BTreeMap<&Feature, (usize, f64)> = BTreeMap::new();
        for place in places.values() {
            let mut n_with: BTreeMap<&Feature, usize> = BTreeMap::new();
            for feature in place.iter().flat_map(|screen| screen.stable()) {
                *n_with.entry(feature).or_default() += 1;
            }
            for (feature, n) in n_with {
                let (n_places, share) = spread.entry(feature).or_default();
                *n_places += 1;
                *share += n as f64 / place.len() as f64;
            }
        }
        let n = places.len() as f64;
        // A site of few places has no frame that could be told from them.
        let is_of_most = |n_with: usize| n_with > 2 && n_with as f64 > OF_FRAME * n;
        let pages: BTreeSet<AddressTemplate> = screens
            .iter()
            .flat_map(|screen| &screen.templates)
            .map(AddressTemplate::without_query)
            .collect();
        let is_everywhere = |share: f64| pages.len() > FEW_PAGES && share >= EVERYWHERE * n;
        let is_of_frame =
            |one: &(&Feature, (usize, f64))| is_of_most(one.1.0) || is_everywhere(one.1.1);
        let frame = spread.into_iter().filter(is_of_frame);
        OwnFeatures { frame: frame.map(|(feature, _)| feature.clone()).collect() }
    }

    /// Returns how much a feature says of what a screen is built of; nothing if it is of the frame.
    fn weight(&self, feature: &Feature) -> f64 {
        if self.frame.contains(feature) { 0.0 } else { feature.kind.weight() }
    }

    /// Reports whether two screens are built alike: of the controls that are their own, nearly all
    /// are those of the other, and these weigh so much at least. Below words of one kind the frame
    /// counts, too: what all these words have below them may be the screen itself.
    fn are_alike(&self, one: &SightingFamily, other: &SightingFamily, is_in_trees: bool) -> bool {
        if !one.of_kind(FeatureKind::State).eq(other.of_kind(FeatureKind::State)) {
            return false;
        }
        let weight = |feature: &Feature| match is_in_trees {
            true => feature.kind.weight(),
            false => self.weight(feature),
        };
        let own = |screen: &SightingFamily, is_wanted: &dyn Fn(&Feature) -> bool| -> f64 {
            let built = screen.stable().filter(|feature| feature.kind.is_built());
            built.filter(|feature| is_wanted(feature)).map(weight).sum()
        };
        let both = own(one, &|feature| other.has(feature));
        let alone =
            own(one, &|feature| !other.has(feature)) + own(other, &|feature| !one.has(feature));
        let (shared, share) =
            if is_in_trees { (0.0, BUILT_ALIKE_IN_TREES) } else { (SHARED, BUILT_ALIKE) };
        both >= shared && both >= share * (both + alone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A screen that was seen once, with its buttons and its heading.
    fn screen(at: usize, address: &str, buttons: &[&str], heading: &str) -> SightingFamily {
        let feature = |kind, words: &str| Feature { kind, words: words.to_owned() };
        let buttons = buttons.iter().map(|words| feature(FeatureKind::Button, words));
        let features = buttons.chain([feature(FeatureKind::Heading, heading)]);
        SightingFamily {
            members: vec![at],
            templates: AddressTemplate::of(address).into_iter().collect(),
            n_with: features.map(|feature| (feature, 1)).collect(),
        }
    }

    fn templates(screens: Vec<SightingFamily>) -> Vec<Vec<String>> {
        let families = families_of(screens).into_iter();
        families.map(|family| family.templates.iter().map(ToString::to_string).collect()).collect()
    }

    #[test]
    fn pages_that_differ_by_a_word_are_one_screen_if_they_have_the_same_controls() {
        let sorts = ["sort", "filter", "compare"];
        let found = templates(vec![
            screen(0, "http://a.example/category/tools", &sorts, "tools"),
            screen(1, "http://a.example/category/garden?page=2", &sorts, "garden"),
            screen(
                2,
                "http://a.example/category/returns",
                &["print", "ask for a label"],
                "returns",
            ),
            screen(3, "http://a.example/about", &[], "about"),
            screen(4, "http://a.example/contact", &[], "about"),
        ]);
        let expected: [&[&str]; 4] = [
            &["http://a.example/category/{}", "http://a.example/category/{}?page={}"],
            &["http://a.example/category/returns"],
            &["http://a.example/about"],
            &["http://a.example/contact"],
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_all_pages_of_one_folder_have_is_its_frame() {
        let frame = ["menu", "search", "theme"];
        let page = |at, name: &str| screen(at, &format!("http://a.example/{name}"), &frame, name);
        let names = ["index.html", "install.html", "questions.html", "license.html"];
        let book: Vec<SightingFamily> = (0..).zip(names).map(|(at, name)| page(at, name)).collect();
        assert_eq!(templates(book).len(), names.len());
    }

    #[test]
    fn what_all_words_of_one_kind_have_below_them_is_not_their_frame() {
        let page = |at, word: &str, name: &str, buttons: &[&str]| {
            screen(at, &format!("http://a.example/{word}/{name}.html"), buttons, word)
        };
        let words = ["ada", "ben", "cleo", "dora"];
        let pages = words.iter().zip((0..).step_by(2)).flat_map(|(word, at)| {
            let map = ["show", "sort", "find", "mark", "open", word];
            [page(at, word, "map", &map), page(at + 1, word, "run", &["go", "stop"])]
        });
        let expected: [&[&str]; 2] =
            [&["http://a.example/{}/map.html"], &["http://a.example/{}/run.html"]];
        assert_eq!(templates(pages.collect()), expected);
    }

    #[test]
    fn words_below_which_the_same_pages_lie_vary_whatever_these_say() {
        let page = |at, address: &str| screen(at, &format!("http://a.example/{address}"), &[], "x");
        let found = templates(vec![
            page(0, "ada/posts"),
            page(1, "ada/photos"),
            page(2, "ben/posts"),
            page(3, "ben/photos"),
            page(4, "help/contact"),
        ]);
        let expected: [&[&str]; 3] = [
            &["http://a.example/{}/posts"],
            &["http://a.example/{}/photos"],
            &["http://a.example/help/contact"],
        ];
        assert_eq!(found, expected);
    }
}
