//! The page as text for a model, within a number of tokens: what helps most with the goal is
//! shown, the rest is counted.

mod sections;

use std::collections::BTreeSet;

use crate::run::text::one_line;
use crate::shared::{Sanitized, Tokenizer};
use crate::walk::pilot::evidence::{WalkGoal, evidence_words};
use crate::walk::pilot::promise::host_in;
use crate::walk::screen::{EntryKind, Screen, ScreenEntry};

/// The largest size of a view, in tokens, where nothing else is set.
pub const VIEW_TOKENS: u32 = 1_500;
/// The smallest size of a view, in tokens: with less it shows nothing to decide by.
pub const LEAST_VIEW_TOKENS: u32 = 200;
/// The share of the text in a view with entries, in percent.
const OF_TEXT: u32 = 50;
/// The share of the text of a live page, in percent: it has the controls.
const OF_LIVE_TEXT: u32 = 75;
/// The share of entries in closed folders, in percent.
const OF_FOLDERS: u32 = 25;
/// The share of menus, in percent.
const OF_MENUS: u32 = 10;
/// The number of entries in closed folders that are shown whatever their words, and the largest
/// number of those that are told apart by words.
const FEW: usize = 40;
/// The share of the best match that an entry in a closed folder needs.
const NEAR: f64 = 0.6;
/// The share of the goal that a match has at least if nothing else need be seen beside it.
const GOOD: f64 = 0.5;
/// The size of the line that says how many entries or sections are left out, in tokens.
const LAST_LINE: u32 = 16;
/// The longest label, in characters.
const MAX_LABEL: usize = 160;
/// The longest address, in characters.
const MAX_ADDRESS: usize = 300;

/// Returns what a model sees of a page: at most `tokens` tokens.
pub fn view(screen: &Screen, goal: &str, tokens: u32) -> Sanitized {
    let goal = WalkGoal::of(goal);
    let way = screen.ways();
    let words: Vec<BTreeSet<String>> =
        screen.entries.iter().map(|entry| evidence_words(&way(entry).join(" "))).collect();
    let weights = goal.weighed(&words);
    let share = |(at, words): (usize, &BTreeSet<String>)| {
        (at, weights.share_of_place(words, &screen.entries[at].label))
    };
    let scored: Vec<(usize, f64)> = words.iter().enumerate().map(share).collect();
    let mut page = ViewText::new(tokens, screen.focused());
    page.line(&format!("Here: {}", one_line(&screen.place().join(" › "), MAX_ADDRESS)));
    page.line(&format!("Address: {}", one_line(&screen.address, MAX_ADDRESS)));
    screen.notes.iter().for_each(|note| page.line(&format!("({})", one_line(note, MAX_LABEL))));
    if !screen.selected.is_empty() {
        page.line(&format!("(selected: '{}')", one_line(&screen.selected, MAX_LABEL)));
    }
    let room = page.left();
    let text = match (screen.entries.is_empty(), screen.is_live) {
        (true, _) => room,
        (false, true) => room * OF_LIVE_TEXT / 100,
        (false, false) => room * OF_TEXT / 100,
    };
    page.sections(screen, &goal.equal(), text);
    // What the text shows needs no place in a list.
    let seen = std::mem::take(&mut page.seen);
    let group = |test: &dyn Fn(&ScreenEntry) -> bool| -> Vec<(usize, f64)> {
        let scored = scored.iter().copied().filter(|(at, _)| !seen.contains(&(at + 1)));
        scored.filter(|(at, _)| test(&screen.entries[*at])).collect()
    };
    let deep = group(&|entry| !entry.folders.is_empty());
    let hits = best_hits(screen, &deep);
    let menu = group(&|entry| !entry.is_content);
    let deep_room = if hits.is_empty() { 0 } else { room * OF_FOLDERS / 100 };
    let menu_room = if menu.is_empty() { 0 } else { room * OF_MENUS / 100 };
    let here = group(&|entry| entry.is_content && entry.folders.is_empty());
    let own = page.left().saturating_sub(deep_room + menu_room);
    let head = if screen.is_live { "More controls:" } else { "To click:" };
    page.entries(head, screen, &here, own);
    let own = page.left().saturating_sub(menu_room);
    page.folders(screen, &hits, own, deep.len());
    page.entries("Menus:", screen, &menu, page.left());
    page.finish()
}

/// The text of a view, as far as it is written.
struct ViewText {
    tokenizer: Tokenizer,
    most: u32,
    used: u32,
    lines: Vec<Sanitized>,
    /// The numbers of the controls in the text.
    seen: BTreeSet<usize>,
    /// The number of the control that has the focus.
    focused: Option<usize>,
}

impl ViewText {
    fn new(most: u32, focused: Option<usize>) -> ViewText {
        let tokenizer = Tokenizer::default();
        ViewText { tokenizer, most, used: 0, lines: Vec::new(), seen: BTreeSet::new(), focused }
    }

    fn left(&self) -> u32 {
        self.most.saturating_sub(self.used)
    }

    fn price(&self, line: &Sanitized) -> u32 {
        self.tokenizer.count(line) + 1
    }

    /// Adds a line, if there is room for it.
    fn line(&mut self, text: &str) {
        let line = Sanitized::line(text);
        let price = self.price(&line);
        if price <= self.left() {
            self.used += price;
            self.lines.push(line);
        }
    }

    /// Adds a list of entries: all, or those with most of the goal, in the order of the page.
    fn entries(&mut self, head: &str, screen: &Screen, group: &[(usize, f64)], room: u32) {
        if group.is_empty() {
            return;
        }
        let head = Sanitized::line(head);
        // The last line says how many are left out.
        let mut left = room.saturating_sub(self.price(&head) + LAST_LINE);
        let mut chosen: Vec<(usize, Sanitized)> = Vec::new();
        for (at, _) in ranked(group) {
            let entry = &screen.entries[at];
            let elsewhere = elsewhere(screen, entry).map(|host| format!(" (on {host})"));
            let elsewhere = elsewhere.unwrap_or_default();
            let line = Sanitized::line(&format!("{}{elsewhere}", entry_line(at + 1, entry)));
            let price = self.price(&line);
            if price > left {
                break;
            }
            left -= price;
            chosen.push((at, line));
        }
        chosen.sort_by_key(|(at, _)| *at);
        let n_more = group.len() - chosen.len();
        self.list(head, chosen.into_iter().map(|(_, line)| line).collect(), n_more);
    }

    /// Adds entries of closed folders, those of one folder on one line: the folders with most of
    /// the goal first.
    fn folders(&mut self, screen: &Screen, hits: &[(usize, f64)], room: u32, n_all: usize) {
        if hits.is_empty() {
            return;
        }
        let head = Sanitized::line("In closed folders, best first:");
        let mut left = room.saturating_sub(self.price(&head) + LAST_LINE);
        let mut folders: Vec<(&[String], Vec<usize>)> = Vec::new();
        for (at, _) in ranked(hits) {
            let folder = screen.entries[at].folders.as_slice();
            match folders.iter_mut().find(|(known, _)| *known == folder) {
                Some((_, inside)) => inside.push(at),
                None => folders.push((folder, vec![at])),
            }
        }
        let mut lines = Vec::new();
        let mut n_shown = 0;
        for (folder, inside) in folders {
            let named = inside.iter().map(|at| {
                let entry = &screen.entries[*at];
                format!("[{}] {}{}", at + 1, one_line(&entry.label, MAX_LABEL), entry.mark())
            });
            let named: Vec<String> = named.collect();
            let folder = one_line(&folder.join(" › "), MAX_LABEL);
            let line = Sanitized::line(&format!("{folder}/: {}", named.join(", ")));
            let price = self.price(&line);
            if price > left {
                break;
            }
            left -= price;
            n_shown += inside.len();
            lines.push(line);
        }
        self.list(head, lines, n_all - n_shown);
    }

    /// Adds a heading with lines, and how many entries are left out.
    fn list(&mut self, head: Sanitized, lines: Vec<Sanitized>, n_more: usize) {
        if !lines.is_empty() {
            self.used += self.price(&head);
            self.used += lines.iter().map(|line| self.price(line)).sum::<u32>();
            self.lines.push(head);
            self.lines.extend(lines);
        }
        if n_more > 0 {
            self.line(&format!("… {n_more} more; click one by its words"));
        }
    }

    /// Returns the text. Lines are taken off the end if their sum was too small an estimate.
    fn finish(mut self) -> Sanitized {
        loop {
            let text = Sanitized::lines(self.lines.iter().cloned());
            if self.tokenizer.count(&text) <= self.most || self.lines.pop().is_none() {
                return text;
            }
        }
    }
}

/// Returns the host that a link to another host leads to, unless its label says it.
fn elsewhere<'s>(screen: &Screen, entry: &'s ScreenEntry) -> Option<&'s str> {
    let host = host_in(entry.target.as_deref()?)?;
    let is_other = Some(host) != host_in(&screen.address) && !entry.label.contains(host);
    is_other.then_some(host)
}

/// Returns an entry on one line.
fn entry_line(number: usize, entry: &ScreenEntry) -> String {
    let label = one_line(&entry.label, MAX_LABEL);
    let Some(control) = &entry.control else {
        return format!("[{number}] {label}{}", entry.mark());
    };
    let mut line = format!("[{number} {}] {label}", entry.kind.as_str());
    let value = control.value.iter().map(|value| format!(" = \"{}\"", one_line(value, MAX_LABEL)));
    let states = control.states.iter().filter(|state| *state != "off screen");
    let states = states.map(|state| format!(", {state}"));
    let beside = control.beside.iter().map(|text| format!(" ({})", one_line(text, MAX_LABEL)));
    line.extend(value.chain(states).chain(beside));
    line
}

/// Returns the entries with the highest scores first, those of one score in the order of the page.
fn ranked(group: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut ranked = group.to_vec();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked
}

/// Returns the entries of closed folders that are worth a place: all of a few, else those near the
/// best match, because one common word is in too many. Of more than a few, those that no worse
/// match equals are left. Unless the best is good, the folders one step further in tell what there
/// is.
fn best_hits(screen: &Screen, deep: &[(usize, f64)]) -> Vec<(usize, f64)> {
    if deep.len() <= FEW {
        return deep.to_vec();
    }
    let deep = ranked(deep);
    let best = deep.first().map_or(0.0, |(_, share)| *share);
    let is_near = |(_, share): &&(usize, f64)| *share > 0.0 && *share >= NEAR * best;
    let mut hits: Vec<(usize, f64)> = deep.iter().take_while(is_near).copied().collect();
    if let Some((_, first_of_rest)) = hits.get(FEW).copied() {
        hits.retain(|(_, share)| *share > first_of_rest);
    }
    if hits.is_empty() || best < GOOD {
        let is_next = |(at, _): &(usize, f64)| {
            let entry = &screen.entries[*at];
            entry.kind == EntryKind::Folder && entry.folders.len() == 1
        };
        let rest = deep[hits.len()..].iter().copied();
        hits.extend(rest.filter(is_next));
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_that_are_too_many_give_way_to_folders() {
        let within = |folders: &[&str], kind, label: &str| ScreenEntry {
            folders: folders.iter().map(|name| (*name).to_owned()).collect(),
            ..ScreenEntry::new(kind, label)
        };
        let parts = ["Brakes", "Engine", "Lighting"];
        let folders =
            parts.map(|part| within(&[part], EntryKind::Folder, &format!("{part} parts")));
        let deep = |part: &str, n: usize| -> Vec<ScreenEntry> {
            let leaf = |at| {
                within(
                    &[part, &format!("{part} parts"), &format!("Part {at}")],
                    EntryKind::Link,
                    "Bulletins",
                )
            };
            (0..n).map(leaf).collect()
        };
        let screen = |n_brakes: usize, n_others: usize| Screen {
            entries: [folders.to_vec(), deep("Brakes", n_brakes), deep("Engine", n_others)]
                .concat(),
            ..Screen::default()
        };
        let seen = |screen: &Screen, goal: &str| view(screen, goal, 1_500).into_string();
        let few = seen(&screen(9, 90), "bulletin: free travel below the foot pushing brakes");
        assert!(few.contains("Brakes › Brakes parts › Part 8/: [12] Bulletins"), "{few}");
        assert!(
            few.contains("Lighting/: [3] Lighting parts/") && !few.contains("Engine parts ›"),
            "{few}"
        );
        assert!(few.contains("… 90 more"), "{few}");
        let weak = seen(&screen(9, 90), "change the brakes beneath that unknown gearbox lever");
        assert!(weak.contains("[12] Bulletins") && weak.contains("[3] Lighting parts/"), "{weak}");
        for goal in ["a bulletin", "what is there?"] {
            let none = seen(&screen(0, 90), goal);
            assert!(
                none.contains("Lighting/: [3] Lighting parts/") && !none.contains("Bulletins"),
                "{none}"
            );
        }
    }
}
