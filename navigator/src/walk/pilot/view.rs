//! The page as text for a model, within a number of tokens: what helps most with the goal is
//! shown, the rest is counted.

use std::collections::BTreeSet;

use crate::run::text::{n_of, one_line};
use crate::shared::{Sanitized, Tokenizer};
use crate::walk::extract::{MAX_EXTRACT_TOKENS, price_of};
use crate::walk::pilot::evidence::{GoalWeights, WalkGoal, words_of};
use crate::walk::screen::marks;
use crate::walk::screen::{EntryKind, Screen, ScreenEntry, ScreenSection};

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
/// What controls in a line of a live page count beside the words of a goal.
const OF_CONTROLS: f64 = 0.2;
/// The longest line of a live page, in characters.
const MAX_LIVE_LINE: usize = 1_200;
/// What stands for lines that are left out.
const GAP: &str = "…";
/// How what is folded is opened.
const OPENS: &str = "(`… N tokens`: cut; `extract` with the number of the section reads it)";
/// The highest price that the sections without a place are added up to, in tokens.
const MAX_PRICE_OF_REST: u32 = 10_000;
/// The longest label, in characters.
const MAX_LABEL: usize = 160;
/// The longest address, in characters.
const MAX_ADDRESS: usize = 300;

/// Returns what a model sees of a page: at most `tokens` tokens.
pub fn view(screen: &Screen, goal: &str, tokens: u32) -> Sanitized {
    let goal = WalkGoal::of(goal);
    let way = screen.ways();
    let words: Vec<BTreeSet<String>> =
        screen.entries.iter().map(|entry| words_of(&way(entry).join(" "))).collect();
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

/// What is shown of a section below its heading.
struct SectionBody {
    lines: Vec<Sanitized>,
    /// Nothing of it is left out.
    is_whole: bool,
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

    /// Adds sections: those with most of the goal first, in the order of the page.
    fn sections(&mut self, screen: &Screen, goal: &GoalWeights, room: u32) {
        let share = |section: &ScreenSection| {
            goal.share(&words_of(&section.title)) + goal.share(&words_of(&section.text))
        };
        let shares: Vec<f64> = screen.sections.iter().map(share).collect();
        let mut ranked: Vec<usize> = (0..shares.len()).collect();
        ranked.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]).then(a.cmp(b)));
        // Headings tell what a page is about; they get a fifth, and their text the rest.
        let opens =
            Some(Sanitized::line(OPENS)).filter(|line| self.price(line) + LAST_LINE <= room);
        let of_opens = opens.as_ref().map_or(0, |line| self.price(line));
        let mut left = room.saturating_sub(of_opens + LAST_LINE);
        let mut shown: Vec<(usize, Vec<Sanitized>)> = Vec::new();
        let mut has_folds = false;
        for at in &ranked {
            let section = &screen.sections[*at];
            let title = marks::numbered(&section.title, self.focused);
            let whole = format!("[S{}] {}", at + 1, one_line(&title, MAX_LABEL));
            let folded = Sanitized::line(&format!("{whole} {GAP} {}", self.price_of(section)));
            let price = self.price(&folded);
            if price > left {
                break;
            }
            left -= price;
            let body = match (left * 5 > room, screen.is_live) {
                (false, _) => SectionBody { is_whole: section.text.is_empty(), lines: Vec::new() },
                (true, false) => self.text_within(section, left),
                (true, true) => self.best_within(section, goal, left),
            };
            left -= body.lines.iter().map(|line| self.price(line)).sum::<u32>().min(left);
            let head = if body.is_whole { Sanitized::line(&whole) } else { folded };
            left += price.saturating_sub(self.price(&head));
            has_folds |= !body.is_whole;
            shown.push((*at, [vec![head], body.lines].concat()));
        }
        let rest = ranked.split_off(shown.len());
        shown.sort_by_key(|(at, _)| *at);
        has_folds |= !rest.is_empty();
        left += LAST_LINE + if has_folds { 0 } else { of_opens };
        self.used += room.saturating_sub(left);
        self.lines.extend(shown.into_iter().flat_map(|(_, lines)| lines));
        self.lines.extend(opens.filter(|_| has_folds));
        if !rest.is_empty() {
            let price = self.price_of_all(rest.iter().map(|at| &screen.sections[*at]));
            self.line(&format!("{GAP} {}, {price}", n_of(rest.len(), "more section")));
        }
    }

    /// Returns what it costs to take a section, in words.
    fn price_of(&self, section: &ScreenSection) -> String {
        match price_of(section, self.tokenizer) {
            Some(tokens) => n_of(tokens as usize, "token"),
            None => format!("over {MAX_EXTRACT_TOKENS} tokens"),
        }
    }

    fn price_of_all<'s>(&self, sections: impl Iterator<Item = &'s ScreenSection>) -> String {
        let mut sum = 0;
        for section in sections {
            match price_of(section, self.tokenizer) {
                Some(tokens) => sum += tokens,
                None => return format!("over {} tokens", sum + MAX_EXTRACT_TOKENS),
            }
            if sum > MAX_PRICE_OF_REST {
                return format!("over {MAX_PRICE_OF_REST} tokens");
            }
        }
        n_of(sum as usize, "token")
    }

    /// Returns the lines of a section of a live page that have room: those with most of the goal
    /// and with controls first, in the order of the page.
    fn best_within(
        &mut self,
        section: &ScreenSection,
        goal: &GoalWeights,
        room: u32,
    ) -> SectionBody {
        let lines: Vec<&str> =
            section.text.lines().filter(|line| !line.trim().is_empty()).collect();
        let score = |line: &str| {
            let has_controls = !marks::numbers(line).is_empty();
            goal.share(&words_of(line)) + if has_controls { OF_CONTROLS } else { 0.0 }
        };
        let mut ranked: Vec<(f64, usize)> =
            lines.iter().enumerate().map(|(at, line)| (score(line), at)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut left = room;
        let mut n_whole = 0;
        let mut chosen: Vec<(usize, Sanitized)> = Vec::new();
        for (_, at) in ranked {
            let line = Sanitized::line(&one_line(
                &marks::numbered(lines[at], self.focused),
                MAX_LIVE_LINE,
            ));
            // A line that stands apart has a line before it that says so.
            let price = self.price(&line) + self.price(&GAP.into());
            if price > left {
                break;
            }
            left -= price;
            // A mark that was cut off is not seen.
            if line.as_ref().chars().count() >= lines[at].chars().count() {
                self.seen.extend(marks::numbers(lines[at]));
                n_whole += 1;
            }
            chosen.push((at, line));
        }
        chosen.sort_by_key(|(at, _)| *at);
        let mut next = 0;
        let mut shown = Vec::new();
        for (at, line) in chosen {
            if at > next {
                shown.push(GAP.into());
            }
            next = at + 1;
            shown.push(line);
        }
        if next < lines.len() && left > 0 {
            shown.push(GAP.into());
        }
        SectionBody { lines: shown, is_whole: n_whole == lines.len() }
    }

    /// Returns the first lines of a section that have room, the last one cut.
    fn text_within(&self, section: &ScreenSection, room: u32) -> SectionBody {
        let mut lines = Vec::new();
        let mut left = room;
        for line in section.text.lines().filter(|line| !line.trim().is_empty()) {
            let whole = Sanitized::line(line);
            let price = self.price(&whole);
            if price <= left {
                left -= price;
                lines.push(whole);
                continue;
            }
            // A token has about three characters, in most languages fewer than four.
            let cut = Sanitized::line(&one_line(line, left.saturating_sub(4) as usize * 3));
            if left > 8 && self.price(&cut) <= left {
                lines.push(cut);
            }
            return SectionBody { lines, is_whole: false };
        }
        SectionBody { lines, is_whole: true }
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
            let line = Sanitized::line(&entry_line(at + 1, &screen.entries[at]));
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
    fn what_has_no_place_has_the_price_that_is_known() {
        let section = |n: usize| ScreenSection {
            title: "Part".to_owned(),
            level: 2,
            text: "word ".repeat(n),
        };
        let page = ViewText::new(100, None);
        let price = |sections: &[ScreenSection]| page.price_of_all(sections.iter());
        assert!(price(&[section(90)]).ends_with(" tokens"));
        assert_eq!(price(&[section(4_500)]), "over 4000 tokens");
        assert!(price(&[section(1_000), section(4_500)]).starts_with("over 50"));
    }

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

    #[test]
    fn the_text_of_a_view_takes_no_more_than_its_room() {
        let section = |at: usize| ScreenSection {
            title: format!("Part {at}"),
            level: 2,
            text: "a line of the text\n".repeat(40 * at),
        };
        for is_live in [false, true] {
            let sections = (1..9).map(section).collect();
            let screen = Screen { sections, is_live, ..Screen::default() };
            let goal = WalkGoal::of("line").equal();
            for room in 0..300 {
                let mut page = ViewText::new(room, None);
                page.sections(&screen, &goal, room);
                let sum: u32 = page.lines.iter().map(|line| page.price(line)).sum();
                assert!(sum <= page.used && page.used <= room, "{sum} of {room}: {:?}", page.lines);
            }
        }
    }
}
