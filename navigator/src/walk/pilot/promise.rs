//! What the places promise that a walk could go to, for the pilot without a model.

use std::collections::BTreeSet;

use crate::money::effect::Effect;
use crate::walk::action::WalkAction;
use crate::walk::pilot::WalkTurn;
use crate::walk::pilot::evidence::{GoalWeights, evidence_words};
use crate::walk::pilot::phrases::is_boilerplate;
use crate::walk::pilot::release_notes;
use crate::walk::pilot::worth::EPSILON;
use crate::walk::screen::{EntryKind, ScreenEntry};
use crate::walk::session::destroys;
use crate::walk::state::{PathStep, RefusedStep};

/// What the words of a way count whose name any site has.
const OF_BOILERPLATE: f64 = 0.25;
/// What an index is called.
const INDEXES: [&str; 4] = ["content", "index", "toc", "sitemap"];
/// What an index of a site is called too, before words of [`OF_INDEXES`]: `List of directives`.
const LIST_OF: &str = "list of ";
/// What stands beside that in the name of an index of a whole site. `Indexes` alone may be a topic.
const OF_INDEXES: [&str; 22] = [
    "a",
    "alphabetical",
    "book",
    "command",
    "concept",
    "directive",
    "full",
    "function",
    "general",
    "global",
    "keyword",
    "main",
    "master",
    "module",
    "of",
    "option",
    "subject",
    "symbol",
    "table",
    "the",
    "variable",
    "z",
];

/// A place that the walk could go to.
pub(super) struct Promise {
    pub(super) share: f64,
    /// The number of words of the way.
    n_words: usize,
    /// It leads on from the content, and not from a menu.
    is_content: bool,
    is_index: bool,
    /// It is called like an index of the site, and not of something in it: within a page it lists
    /// what that page has.
    pub(super) is_whole_index: bool,
    /// It is on the host of the page.
    pub(super) is_of_host: bool,
    /// It is a tab of the page: what it shows has no address.
    pub(super) is_tab: bool,
    /// It is called as on any site: `Next`, `Up`, `About`.
    is_boilerplate: bool,
    pub(super) action: WalkAction,
    pub(super) way: String,
}

/// Returns the way on that promises most of those that `may_be` one: an entry of this page, or a
/// place seen before.
pub(super) fn best_promise(
    turn: &WalkTurn<'_>,
    weights: &GoalWeights,
    may_be: impl Fn(&Promise) -> bool,
) -> Option<Promise> {
    let screen = turn.screen;
    let been = been(turn);
    let host = host_in(&screen.address);
    let promise = |way: Vec<String>, target: &str, is_content: bool, action: WalkAction| {
        let words = evidence_words(&way.join(" "));
        let last = way.last().map(String::as_str).unwrap_or_default();
        let (is_index, is_boilerplate) = (is_index(last), is_boilerplate(last));
        let part = if is_boilerplate { OF_BOILERPLATE } else { 1.0 };
        let part = part * release_notes::factor(turn.goal, target);
        let share = part * weights.share_of_place(&words, last);
        let (n_words, way) = (words.len(), way.join(" › "));
        Promise {
            share,
            n_words,
            is_content,
            is_index,
            is_whole_index: is_whole_index(last) && !target.contains('#'),
            is_of_host: host_in(target) == host,
            is_tab: false,
            is_boilerplate,
            action,
            way,
        }
    };
    let tried = tried_here(turn);
    let way_here = screen.ways();
    // A link of a menu stands below the heading of each page, which says nothing of it.
    let way = |entry: &ScreenEntry, target: &str| match turn.state.seen.get(target) {
        Some(first) if first.last() == Some(&entry.label) => first.clone(),
        _ => way_here(entry),
    };
    let here = screen.entries.iter().zip(1..).filter_map(|(entry, number)| {
        // A folder is opened by what lies in it: its pages are entries themselves.
        let is_page = entry.kind == EntryKind::Link && entry.is_page;
        let target = entry.target.as_deref().filter(|_| is_page)?;
        let page = target.split('#').next().unwrap_or(target);
        let is_new = !been.contains(target) && !been.contains(page) && !tried.contains(&number);
        let is_new = is_new && !is_refused(turn, target, &entry.label);
        let action = WalkAction::Click { number, label: entry.label.clone() };
        is_new.then(|| promise(way(entry, target), target, entry.is_content, action))
    });
    let tabs = unread_tabs(turn).filter(|(_, number)| !tried.contains(number));
    let tabs = tabs.map(|(entry, number)| {
        let action = WalkAction::Click { number, label: entry.label.clone() };
        // What stands above a tab stands above the others, too.
        let way = vec![entry.label.clone()];
        Promise { is_tab: true, ..promise(way, &screen.address, true, action) }
    });
    // Without a word of the goal a tab is no way on.
    let here = here.chain(tabs.filter(|tab| tab.share > EPSILON));
    let seen = turn.state.seen.iter().filter(|(address, way)| {
        let page = address.split('#').next().unwrap_or(address);
        let label = way.last().map(String::as_str).unwrap_or_default();
        !been.contains(address.as_str())
            && !been.contains(page)
            && !is_refused(turn, address, label)
    });
    let seen = seen.map(|(address, way)| {
        promise(way.clone(), address, false, WalkAction::Open { address: address.clone() })
    });
    // Nobody is asked about another host for a link that has nothing of the goal.
    let may_lead = |one: &Promise| (one.is_of_host || one.share > EPSILON) && may_be(one);
    let here = best_of(here.filter(may_lead));
    let elsewhere = best_of(seen.filter(may_lead));
    match (here, elsewhere) {
        // The way on from here is shorter to tell.
        (Some(here), Some(there)) if there.share > here.share + EPSILON => Some(there),
        (Some(here), _) => Some(here),
        (None, there) => there,
    }
}

/// Returns the addresses where the walk was, where it could not go, and where it is not to.
fn been<'t>(turn: &WalkTurn<'t>) -> BTreeSet<&'t str> {
    let (screen, path) = (turn.screen, &turn.state.path);
    let mut been: BTreeSet<&str> = path.iter().map(|step| step.address.as_str()).collect();
    been.insert(screen.address.as_str());
    been.extend(path.iter().filter_map(|step| match &step.action {
        WalkAction::Open { address } => Some(address.as_str()),
        _ => None,
    }));
    been.extend(turn.state.failed.iter().chain(&turn.state.left_out).map(String::as_str));
    been
}

/// Returns the numbers of the entries that were clicked on the same screen.
fn tried_here(turn: &WalkTurn<'_>) -> BTreeSet<usize> {
    let digest = turn.screen.digest();
    let here = turn.state.path.iter().filter(|step| step.before == digest);
    let numbers = here.filter_map(|step| match step.action {
        WalkAction::Click { number, .. } => Some(number),
        _ => None,
    });
    numbers.collect()
}

/// Returns the tabs of a live page that were not pressed, with their numbers. A tab that is a link
/// is none: it leads elsewhere.
fn unread_tabs<'t>(turn: &WalkTurn<'t>) -> impl Iterator<Item = (&'t ScreenEntry, usize)> {
    let WalkTurn { screen, state, .. } = *turn;
    let page = |address: &str| address.split('#').next().unwrap_or_default().to_owned();
    let was_pressed = move |action: &WalkAction| {
        let is_same = |step: &PathStep| match (&step.action, action) {
            (WalkAction::Click { label, .. }, WalkAction::Click { label: own, .. }) => {
                label == own && page(&step.address) == page(&screen.address)
            }
            _ => false,
        };
        state.has_refused(action) || state.path.iter().any(is_same)
    };
    screen.entries.iter().zip(1..).filter(move |(entry, number)| {
        let action = WalkAction::Click { number: *number, label: entry.label.clone() };
        entry.kind == EntryKind::Tab
            && entry.target.is_none()
            && !["selected", "disabled", "covered"].iter().any(|state| entry.is(state))
            && !was_pressed(&action)
    })
}

/// Reports whether the walk may not open an address: its host was refused, or the link because of
/// what it destroys. A folder has no hosts.
fn is_refused(turn: &WalkTurn<'_>, address: &str, label: &str) -> bool {
    let is_outside = turn.screen.address.starts_with("file:") && !address.starts_with("file:");
    let is_so = |refused: &RefusedStep| match &refused.effect {
        Effect::Reads { host } => host_in(address) == Some(host),
        Effect::Destroys { .. } => {
            refused.target.as_deref() == Some(address) || refused.effect == destroys(label)
        }
        Effect::Sends { .. } | Effect::None => false,
    };
    is_outside || turn.state.refused.iter().any(is_so)
}

/// Returns the host of an address of a screen, as effects name it. Such an address was parsed once,
/// so its usual port is gone and its host is in small letters.
pub(super) fn host_in(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    Some(authority.rsplit_once('@').map_or(authority, |(_, host)| host))
}

/// Returns the promise with most of the goal; of equals an index, which names what other pages
/// hide, then one that is not called as on any site, then the one with the fewest words, the first
/// one of these.
fn best_of(promises: impl Iterator<Item = Promise>) -> Option<Promise> {
    promises.reduce(|best, next| {
        let is_equal = (next.share - best.share).abs() <= EPSILON;
        let rank = |one: &Promise, other: &Promise| {
            (one.is_whole_index, one.is_index, !one.is_boilerplate, one.is_content, other.n_words)
        };
        let of_equals = rank(&next, &best) > rank(&best, &next);
        let is_better = next.share > best.share + EPSILON || is_equal && of_equals;
        if is_better { next } else { best }
    })
}

/// Reports whether a label is that of an index.
fn is_index(label: &str) -> bool {
    let words = evidence_words(label);
    INDEXES.iter().any(|index| words.contains(*index))
}

/// Reports whether a label is that of an index, and has no other words.
fn is_whole_index(label: &str) -> bool {
    let label = label.to_lowercase();
    let rest = label.trim().strip_prefix(LIST_OF);
    let words = rest.unwrap_or(&label).split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let mut words = words.map(|word| word.strip_suffix('s').unwrap_or(word));
    (rest.is_some() || is_index(&label))
        && words.all(|word| INDEXES.contains(&word) || OF_INDEXES.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_of_the_whole_site_has_no_other_words() {
        for label in ["Contents", "Index of commands", "List of Directives", "A-Z index"] {
            assert!(is_whole_index(label), "{label}");
        }
        for label in ["Lists", "List of colours", "List functions", "Indexes", "Indexes and tables"]
        {
            assert!(!is_whole_index(label), "{label}");
        }
    }

    #[test]
    fn the_host_of_an_address_has_its_port() {
        assert_eq!(host_in("https://a.example/b:1"), Some("a.example"));
        assert_eq!(host_in("http://ada@a.example:8080?b"), Some("a.example:8080"));
        assert_eq!(host_in("http://[::1]"), Some("[::1]"));
        assert_eq!(host_in("mailto:a"), None);
    }

    #[test]
    fn the_host_of_a_screen_is_the_one_that_effects_name() {
        // The same as in the tests of site-map, whose function names the hosts of effects.
        for (written, host) in [
            ("https://A.example:443/b?c=http://d/", "a.example"),
            ("http://ada:x@a.example:8080#b", "a.example:8080"),
            ("http://[0:0::1]:80", "[::1]"),
            ("https://b\u{fc}cher.example", "xn--bcher-kva.example"),
        ] {
            let address = url::Url::parse(written).unwrap();
            assert_eq!(host_in(address.as_str()), Some(host), "{written}");
        }
    }
}
