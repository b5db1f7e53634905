//! The shortest known way from one screen to another.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use crate::knowledge::ask::step_cost::{ABSENT, cost_of};
use crate::knowledge::dialect::KINDS;
use crate::knowledge::model::template::AddressTemplate;
use crate::knowledge::model::{Knowledge, KnownAction, KnownScreen, Transition};

/// The cost of beginning again by opening an address: a page that was open is lost.
const OPEN: u64 = 15;
/// What a control costs more that led to other screens too; less the more often it led here. To
/// fill a form again is better than to fail in one case of two: with half of it 2 of 101 ways fail.
const UNSURE: u64 = 300;

/// The maximum number of pairs of ways through a page that are looked at: a file of 200 000
/// transitions can have 10¹⁰.
const MAX_PAIRS: usize = 2_000_000;

/// A step of a way.
#[derive(Debug, Clone, PartialEq)]
pub enum RouteStep<'k> {
    /// Opens an address.
    Open {
        /// The address.
        address: &'k str,
        /// The screen that it shows.
        to: &'k KnownScreen,
    },
    /// Takes a transition.
    Take {
        /// The transition.
        transition: &'k Transition,
        /// The screen before.
        from: &'k KnownScreen,
        /// What is done; `None` for what no control does, as pressing a key.
        action: Option<&'k KnownAction>,
        /// Other screens that the action has led to.
        may_lead_to: Vec<&'k str>,
    },
}

impl<'k> RouteStep<'k> {
    /// Returns the names of the controls that the step uses; each may be given a value.
    pub(super) fn fields(&self) -> Vec<&'k str> {
        let RouteStep::Take { transition, from, action, .. } = self else { return Vec::new() };
        let prepared = transition.prepared.iter().filter_map(|one| from.action(&one.action_id));
        prepared.chain(*action).map(|action| action.name.as_str()).collect()
    }
}

/// Where a way ends.
#[derive(Debug, Clone, Copy)]
pub struct RouteEnd<'a> {
    /// The screen.
    pub screen_id: &'a str,
    /// The address, where the screen stands for many.
    pub address: Option<&'a str>,
}

/// The transitions of a knowledge, by the screen that they begin on.
#[derive(Debug)]
pub struct Routes<'k> {
    knowledge: &'k Knowledge,
    places: HashMap<&'k str, usize>,
    ways: Vec<KnownWay<'k>>,
    /// For each screen, the ways that begin on it.
    from: Vec<Vec<WayNumber>>,
    /// For each screen, the ways that lead from it to the one page of a screen that has a control,
    /// each with the way by that control. There are many more of these pairs than ways.
    through: Vec<Vec<(WayNumber, WayNumber)>>,
    ends: Vec<ControlEnds<'k>>,
}

/// The position of a way.
type WayNumber = u32;

/// A transition with what a search needs of it.
#[derive(Debug, Clone, Copy)]
struct KnownWay<'k> {
    transition: &'k Transition,
    /// The page that has its control, where its screen has several.
    page: Option<&'k str>,
    /// The positions of the screens before and after it.
    ends_at: (usize, usize),
    /// Its cost, without what is unsure.
    cost: u64,
    /// The position of what its control has led to.
    control: Option<usize>,
}

/// Where a control has led.
#[derive(Debug)]
struct ControlEnds<'k> {
    /// The screen that it is on; `None` of a link.
    screen: Option<&'k str>,
    /// The screens, and how often.
    times: BTreeMap<&'k str, u64>,
    /// It always led back to the screen before: the screens are all that lie before this one.
    returns: bool,
}

/// What has to lead to one screen: a link to one address, wherever it is; another control, or a
/// key of a name, on its screen. Where it led to several, that depends on more than the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ControlKey<'k> {
    Link(&'k AddressTemplate),
    OnScreen(&'k str, &'k str, Option<&'k str>),
}

/// Returns what has to lead to one screen by a transition; `None` where each page has its own.
fn control_of<'k>(from: &'k KnownScreen, transition: &'k Transition) -> Option<ControlKey<'k>> {
    let action_id = transition.action_id.as_deref()?;
    let action = from.action(action_id);
    match action.and_then(|action| action.leads_to.as_ref()) {
        Some(template) if template.has_parameters() => None,
        Some(template) => Some(ControlKey::Link(template)),
        None if transition.prepared.is_empty() => {
            let key = transition.value.as_deref().filter(|_| action.is_none());
            Some(ControlKey::OnScreen(&from.screen_id, action_id, key))
        }
        None => None,
    }
}

/// Reports whether it is known how an action is taken: by a control of its screen, or by none, as
/// the press of a key.
fn can_take(screen: &KnownScreen, action_id: &str) -> bool {
    screen.action(action_id).is_some() || KINDS.contains(&action_id)
}

/// A way that was found, back to front.
#[derive(Debug, Clone, Copy)]
enum Reached<'k> {
    Here,
    Opened(&'k str),
    /// By a transition on the one page that has its control, which was opened.
    OnOpened(&'k str, WayNumber),
    By(WayNumber),
    /// By two transitions, through a page of another screen.
    Through(WayNumber, WayNumber),
}

impl<'k> Routes<'k> {
    /// Prepares the transitions of a knowledge. What returns to the page before is none: where that
    /// leads depends on the way there.
    pub fn new(knowledge: &'k Knowledge) -> Routes<'k> {
        let screens = &knowledge.screens;
        let places: HashMap<&str, usize> =
            screens.iter().map(|screen| screen.screen_id.as_str()).zip(0..).collect();
        let mut controls: HashMap<ControlKey<'_>, usize> = HashMap::new();
        let mut ends: Vec<ControlEnds<'_>> = Vec::new();
        let mut before: HashMap<&str, BTreeMap<&str, u64>> = HashMap::new();
        let mut to_page: HashMap<(&str, &str), Vec<WayNumber>> = HashMap::new();
        let mut ways: Vec<KnownWay<'_>> = Vec::new();
        let mut from: Vec<Vec<WayNumber>> = vec![Vec::new(); screens.len()];
        for transition in knowledge.transitions.iter().filter(|one| one.is_repeatable()) {
            let (start, to) =
                (transition.from_screen_id.as_str(), transition.to_screen_id.as_str());
            let (Some(at), Some(to_at)) = (places.get(start), places.get(to)) else { continue };
            if !transition.actions().all(|id| can_take(&screens[*at], id)) {
                continue;
            }
            let times = u64::from(transition.times_seen);
            let control = control_of(&screens[*at], transition).map(|control| {
                let screen = match control {
                    ControlKey::Link(_) => None,
                    ControlKey::OnScreen(screen, ..) => Some(screen),
                };
                let number = *controls.entry(control).or_insert_with(|| {
                    // A link leads to its address.
                    let returns = screen.is_some();
                    ends.push(ControlEnds { screen, times: BTreeMap::new(), returns });
                    ends.len() - 1
                });
                *ends[number].times.entry(to).or_default() += times;
                ends[number].returns &= transition.returns;
                number
            });
            let cost = cost_of(&screens[*at], transition);
            let Ok(number) = WayNumber::try_from(ways.len()) else { break };
            let page = transition.from_address.as_deref();
            let page = page.filter(|_| screens[*at].addresses.len() > 1);
            ways.push(KnownWay { transition, page, ends_at: (*at, *to_at), cost, control });
            from[*at].push(number);
            to_page.entry((to, &transition.address)).or_default().push(number);
            if !transition.returns {
                *before.entry(to).or_default().entry(start).or_default() += times;
            }
        }
        for ends in ends.iter_mut().filter(|ends| ends.returns) {
            let around = ends.screen.and_then(|screen| before.get(screen));
            for (from, times) in around.into_iter().flatten() {
                let known = ends.times.entry(*from).or_default();
                *known = (*known).max(*times);
            }
        }
        let pairs = from.iter().flatten().flat_map(|last| {
            let KnownWay { transition, page, ends_at: (page_at, _), .. } = ways[*last as usize];
            let page = page.map(|page| (transition.from_screen_id.as_str(), page));
            let to_page = page.and_then(|page| to_page.get(&page)).into_iter().flatten();
            to_page.map(move |first| (page_at, *first, *last))
        });
        let mut through = vec![Vec::new(); from.len()];
        for (page_at, first, last) in pairs.take(MAX_PAIRS) {
            let (at, _) = ways[first as usize].ends_at;
            through[at].extend((at != page_at).then_some((first, last)));
        }
        Routes { knowledge, places, ways, from, through, ends }
    }

    /// Returns the way from a screen, or from nowhere, to an end; `None` if none is known. The way
    /// from a screen to itself has no steps.
    pub fn find(&self, start: Option<&str>, end: RouteEnd<'_>) -> Option<Vec<RouteStep<'k>>> {
        let screens = &self.knowledge.screens;
        let goal = *self.places.get(end.screen_id)?;
        let start = start.and_then(|id| self.places.get(id).copied());
        let mut best: Vec<Option<(u64, Reached<'k>)>> = vec![None; screens.len()];
        let mut todo = BinaryHeap::new();
        let reach = |todo: &mut BinaryHeap<Reverse<(u64, usize)>>,
                     best: &mut Vec<Option<(u64, Reached<'k>)>>,
                     at: usize,
                     cost: u64,
                     how: Reached<'k>| {
            if best[at].is_none_or(|(known, _)| cost < known) {
                best[at] = Some((cost, how));
                todo.push(Reverse((cost, at)));
            }
        };
        for (at, screen) in screens.iter().enumerate() {
            if let Some(address) = opening(screen, (at == goal).then_some(end.address).flatten()) {
                reach(&mut todo, &mut best, at, OPEN, Reached::Opened(address));
            }
        }
        if let Some(at) = start.filter(|at| *at != goal || end.address.is_none()) {
            reach(&mut todo, &mut best, at, 0, Reached::Here);
        }
        let leads_there = |way: &KnownWay<'_>, under: Option<usize>| {
            let to = way.ends_at.1;
            let is_page = end.address.is_none_or(|one| way.transition.address == one);
            (to != goal || is_page) && under.is_none_or(|under| under == to || !self.returns(way))
        };
        for (way, number) in self.ways.iter().zip(0..).filter(|(way, _)| leads_there(way, None)) {
            let page = way.page.and_then(|page| opening(&screens[way.ends_at.0], Some(page)));
            if let Some(page) = page {
                let cost = OPEN + self.cost(way, None);
                reach(&mut todo, &mut best, way.ends_at.1, cost, Reached::OnOpened(page, number));
            }
        }
        while let Some(Reverse((cost, at))) = todo.pop() {
            if best[at].is_some_and(|(known, _)| known < cost) {
                continue;
            }
            if at == goal {
                return Some(self.steps(&best, goal));
            }
            let under = best[at].and_then(|(_, how)| self.under(how));
            for number in &self.from[at] {
                let way = self.way(*number);
                if !leads_there(way, under) {
                    continue;
                }
                let is_on_page = match (way.page, best[at]) {
                    (Some(page), Some((_, Reached::Opened(address)))) => page == address,
                    (Some(_), _) => false,
                    (None, _) => true,
                };
                let absent = if is_on_page { 0 } else { ABSENT };
                let cost = cost + absent + self.cost(way, under);
                reach(&mut todo, &mut best, way.ends_at.1, cost, Reached::By(*number));
            }
            for (first, last) in &self.through[at] {
                let how = Reached::Through(*first, *last);
                let (first, last) = (self.way(*first), self.way(*last));
                if leads_there(last, Some(at)) {
                    let cost = cost + self.cost(first, under) + self.cost(last, Some(at));
                    reach(&mut todo, &mut best, last.ends_at.1, cost, how);
                }
            }
        }
        None
    }

    /// Returns the screen that a way comes from; `None` where it begins, or has returned.
    fn under(&self, how: Reached<'k>) -> Option<usize> {
        let last = match how {
            Reached::Here | Reached::Opened(_) => return None,
            Reached::OnOpened(_, last) | Reached::By(last) | Reached::Through(_, last) => {
                self.way(last)
            }
        };
        (!self.returns(last)).then_some(last.ends_at.0)
    }

    fn way(&self, number: WayNumber) -> &KnownWay<'k> {
        &self.ways[number as usize]
    }

    /// Reports whether a transition leads back to the screen before.
    fn returns(&self, way: &KnownWay<'_>) -> bool {
        way.control.is_some_and(|number| self.ends[number].returns)
    }

    /// Returns the cost of a step on a screen that the way comes to from the one `under` it.
    fn cost(&self, way: &KnownWay<'_>, under: Option<usize>) -> u64 {
        let unsure = self.unsure_ends(way, under).map_or(0, |ends| {
            let all: u64 = ends.times.values().sum();
            let here = ends.times.get(way.transition.to_screen_id.as_str()).unwrap_or(&0);
            UNSURE * (all - here) / all.max(1)
        });
        way.cost + unsure
    }

    /// Returns where the control of a transition leads, unless the way there decides it.
    fn unsure_ends(&self, way: &KnownWay<'_>, under: Option<usize>) -> Option<&ControlEnds<'k>> {
        let ends = &self.ends[way.control?];
        (!ends.returns || under.is_none()).then_some(ends)
    }

    fn steps(&self, best: &[Option<(u64, Reached<'k>)>], goal: usize) -> Vec<RouteStep<'k>> {
        let mut steps = Vec::new();
        let mut at = goal;
        let under_of = |at: usize| best[at].and_then(|(_, how)| self.under(how));
        while let Some((_, how)) = best[at] {
            match how {
                Reached::Here => break,
                Reached::Opened(address) => {
                    steps.push(RouteStep::Open { address, to: &self.knowledge.screens[at] });
                    break;
                }
                Reached::OnOpened(address, way) => {
                    let way = self.way(way);
                    let to = &self.knowledge.screens[way.ends_at.0];
                    steps.extend([self.take(way, None), RouteStep::Open { address, to }]);
                    break;
                }
                Reached::By(way) => {
                    let way = self.way(way);
                    at = way.ends_at.0;
                    steps.push(self.take(way, under_of(at)));
                }
                Reached::Through(first, last) => {
                    let (first, last) = (self.way(first), self.way(last));
                    at = first.ends_at.0;
                    steps.extend([self.take(last, Some(at)), self.take(first, under_of(at))]);
                }
            }
        }
        steps.reverse();
        steps
    }

    fn take(&self, way: &KnownWay<'k>, under: Option<usize>) -> RouteStep<'k> {
        let (transition, from) = (way.transition, &self.knowledge.screens[way.ends_at.0]);
        let action = transition.action_id.as_deref().and_then(|id| from.action(id));
        let ends = self.unsure_ends(way, under);
        let ends = ends.into_iter().flat_map(|ends| ends.times.keys().copied());
        let may_lead_to = ends.filter(|end| transition.to_screen_id != *end).collect();
        RouteStep::Take { transition, from, action, may_lead_to }
    }
}

/// Returns an address that shows a screen when it is opened; `wanted` itself, if it is named.
fn opening<'k>(screen: &'k KnownScreen, wanted: Option<&str>) -> Option<&'k str> {
    let mut open = screen.addresses.iter().filter(|one| one.opens && screen.is_used());
    let found = match wanted {
        Some(wanted) => open.find(|one| one.address == wanted),
        None => open.next(),
    };
    found.map(|one| one.address.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A form that opens at its first page. Back leads from the third page to one of two.
    fn form(n_fields: usize) -> Knowledge {
        let click = |id: &str| json!({ "action_id": id, "action_type": "click", "name": id });
        let screen = |id: &str, actions: Vec<serde_json::Value>, opens: bool| {
            let address = format!("http://a.example/{id}");
            json!({
                "screen_id": id, "name": id, "content_type": "web_ui", "is_actionable": true,
                "addresses": [{ "address": address, "title": id, "opens": opens }],
                "actions": actions, "times_seen": 4,
            })
        };
        let leads = |from: &str, id: &str, to: &str, prepared: Vec<serde_json::Value>| {
            json!({
                "from_screen_id": from, "action_id": id, "to_screen_id": to, "prepared": prepared,
                "address": format!("http://a.example/{to}"), "times_seen": 2, "last_seen": [0, 1],
            })
        };
        let filled = (0..n_fields).map(|_| json!({ "action_id": "fill", "value": "x" })).collect();
        serde_json::from_value(json!({
            "version": 1,
            "screens": [
                screen("first", vec![click("next"), click("fill")], true),
                screen("company", vec![], false),
                screen("person", vec![], false),
                screen("third", vec![click("back")], false),
            ],
            "transitions": [
                leads("first", "next", "company", filled),
                leads("third", "back", "company", vec![]),
                leads("third", "back", "person", vec![]),
            ],
        }))
        .unwrap()
    }

    #[test]
    fn a_control_that_led_to_two_screens_is_avoided_or_said() {
        let way = |n_fields: usize| {
            let knowledge = form(n_fields);
            let end = RouteEnd { screen_id: "company", address: None };
            let steps = Routes::new(&knowledge).find(Some("third"), end).unwrap();
            let told = steps.iter().map(|step| match step {
                RouteStep::Open { address, .. } => (*address).to_owned(),
                RouteStep::Take { may_lead_to, .. } => format!("or to {may_lead_to:?}"),
            });
            told.collect::<Vec<String>>()
        };
        assert_eq!(way(2), ["http://a.example/first", "or to []"], "the form is filled again");
        assert_eq!(way(40), ["or to [\"person\"]"], "the form is too long");
    }

    /// A menu that opens over two pages, and that something closes over the first.
    fn menu(closes: &str) -> Knowledge {
        let button =
            |name: &str| json!({ "action_id": name, "action_type": "click", "name": name });
        let screen = |id: &str, action: &str, opens: bool| {
            let address = format!("http://a.example/{id}");
            json!({
                "screen_id": id, "name": id, "content_type": "web_ui", "is_actionable": true,
                "addresses": [{ "address": address, "title": id, "opens": opens }],
                "actions": [button(action), button("go")], "times_seen": 4,
            })
        };
        let leads = |from: &str, id: &str, to: &str| {
            json!({
                "from_screen_id": from, "action_id": id, "to_screen_id": to,
                "address": format!("http://a.example/{to}"), "times_seen": 1, "last_seen": [0, 1],
                "returns": id == closes,
            })
        };
        serde_json::from_value(json!({
            "version": 1,
            "screens": [
                screen("list", "menu", true),
                screen("settings", "menu", true),
                screen("menu", "close", false),
                screen("help", "menu", false),
            ],
            "transitions": [
                leads("list", "menu", "menu"),
                leads("settings", "menu", "menu"),
                leads("menu", closes, "list"),
                leads("list", "go", "help"),
            ],
        }))
        .unwrap()
    }

    #[test]
    fn what_closes_a_menu_leads_to_the_page_under_it() {
        let way = |knowledge: &Knowledge, from: &str, to: &str| {
            let end = RouteEnd { screen_id: to, address: None };
            let steps = Routes::new(knowledge).find(Some(from), end).unwrap();
            let told = steps.iter().map(|step| match step {
                RouteStep::Open { to, .. } => format!("open {}", to.name),
                RouteStep::Take { transition, may_lead_to, .. } => {
                    format!("{} {may_lead_to:?}", transition.action_id.as_deref().unwrap())
                }
            });
            told.collect::<Vec<String>>()
        };
        // A button does, or a key, which is no control of the screen.
        for closes in ["close", "send_keys"] {
            let mut knowledge = menu(closes);
            assert_eq!(way(&knowledge, "menu", "help"), ["open list", "go []"]);
            let from_settings = way(&knowledge, "settings", "help");
            assert_eq!(from_settings, ["open list", "go []"], "{closes}");
            for screen in &mut knowledge.screens {
                screen.addresses.iter_mut().for_each(|address| address.opens = false);
            }
            let closing = format!("{closes} [\"settings\"]");
            assert_eq!(way(&knowledge, "menu", "help"), [closing.as_str(), "go []"]);
            knowledge.transitions.retain(|way| way.from_screen_id != "settings");
            let closing = format!("{closes} []");
            let found = way(&knowledge, "menu", "help");
            assert_eq!(found, [closing.as_str(), "go []"], "it opens over one page");
        }
    }
}
