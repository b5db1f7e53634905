//! The sections in a view: their titles, and the text of the best ones.

use super::{LAST_LINE, MAX_LABEL, ViewText};
use crate::run::text::{n_of, one_line};
use crate::shared::Sanitized;
use crate::walk::extract::{MAX_EXTRACT_TOKENS, price_of};
use crate::walk::pilot::evidence::{GoalWeights, words_of};
use crate::walk::screen::marks;
use crate::walk::screen::{Screen, ScreenSection};

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

/// What is shown of a section below its heading.
struct SectionBody {
    lines: Vec<Sanitized>,
    /// Nothing of it is left out.
    is_whole: bool,
}

impl ViewText {
    /// Adds sections: those with most of the goal first, in the order of the page.
    pub(super) fn sections(&mut self, screen: &Screen, goal: &GoalWeights, room: u32) {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::pilot::evidence::WalkGoal;

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
