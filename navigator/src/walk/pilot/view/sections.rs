//! The sections in a view: their titles, and the text of the best ones.

use super::{LAST_LINE, MAX_LABEL, ViewText};
use crate::run::text::one_line;
use crate::shared::{Sanitized, n_of};
use crate::walk::extract::{MAX_EXTRACT_TOKENS, price_of};
use crate::walk::pilot::evidence::{GoalWeights, evidence_words};
use crate::walk::screen::marks;
use crate::walk::screen::{Screen, ScreenSection};

/// What controls in a line of a live page count beside the words of a goal.
const OF_CONTROLS: f64 = 0.2;
/// The longest line of a live page, in characters.
const MAX_LIVE_LINE: usize = 1_200;
/// What stands for lines that are left out.
const GAP: &str = "…";
/// How what is folded is opened.
const OPENS: &str =
    "(`…`: cut; `extract` with the number or words of the title of a section reads it)";
/// The highest price that the sections without a place are added up to, in tokens.
const MAX_PRICE_OF_REST: u32 = 10_000;
/// The share of titles in the text, in percent: they tell what can be taken. A live page is
/// operated, and has few.
const OF_TITLES: u32 = 40;
const OF_LIVE_TITLES: u32 = 20;
/// The room with less of which a section shows nothing of its text, in tokens.
const LEAST_TEXT: u32 = 24;

/// What is shown of a section below its heading.
struct SectionBody {
    lines: Vec<Sanitized>,
    /// Nothing of it is left out.
    is_whole: bool,
}

/// A section in a view.
struct ShownSection {
    /// The position of the section.
    at: usize,
    /// Its number and title.
    title: String,
    /// The same, with a mark if text is left out.
    head: Sanitized,
    body: SectionBody,
}

impl ViewText {
    /// Adds sections in the order of the page: the titles of those with most of the goal, and the
    /// text of the first of these.
    pub(super) fn sections(&mut self, screen: &Screen, goal: &GoalWeights, room: u32) {
        let opens =
            Some(Sanitized::line(OPENS)).filter(|line| self.price(line) + LAST_LINE <= room);
        let of_opens = opens.as_ref().map_or(0, |line| self.price(line));
        let mut left = room.saturating_sub(of_opens + LAST_LINE);
        let mut ranked = ranked_sections(screen, goal);
        let of_titles = left * if screen.is_live { OF_LIVE_TITLES } else { OF_TITLES } / 100;
        let mut shown: Vec<ShownSection> = Vec::new();
        let of_texts = left.saturating_sub(of_titles);
        for at in &ranked {
            let section = &screen.sections[*at];
            let title = marks::numbered(&section.title, self.focused);
            let title = format!("[S{}] {}", at + 1, one_line(&title, MAX_LABEL));
            // What stands above the first heading has no title.
            let title = title.trim_end().to_owned();
            let body = SectionBody { lines: Vec::new(), is_whole: section.text.is_empty() };
            let head = match body.is_whole {
                true => Sanitized::line(&title),
                false => Sanitized::line(&format!("{title} {GAP}")),
            };
            let price = self.price(&head);
            // The best one may have a long title.
            let own = if shown.is_empty() { left } else { left.saturating_sub(of_texts) };
            if price > own {
                break;
            }
            left -= price;
            shown.push(ShownSection { at: *at, title, head, body });
        }
        left = self.texts(screen, goal, &mut shown, left);
        let rest = ranked.split_off(shown.len());
        shown.sort_by_key(|one| one.at);
        let has_folds = !rest.is_empty() || shown.iter().any(|one| !one.body.is_whole);
        left += LAST_LINE + if has_folds { 0 } else { of_opens };
        self.used += room.saturating_sub(left);
        let lines = shown.into_iter().flat_map(|one| [vec![one.head], one.body.lines].concat());
        self.lines.extend(lines);
        self.lines.extend(opens.filter(|_| has_folds));
        if !rest.is_empty() {
            let price = self.price_of_all(screen, &rest);
            self.line(&format!("{GAP} {}, {price}", n_of(rest.len(), "more section")));
        }
    }

    /// Adds the texts of sections to their titles, best first, as far as there is room. Returns
    /// what is left of it.
    fn texts(
        &mut self,
        screen: &Screen,
        goal: &GoalWeights,
        shown: &mut [ShownSection],
        mut left: u32,
    ) -> u32 {
        let sections: Vec<&ScreenSection> =
            shown.iter().map(|one| &screen.sections[one.at]).collect();
        for (nth, (one, section)) in shown.iter_mut().zip(&sections).enumerate() {
            if left < LEAST_TEXT {
                break;
            }
            if one.body.is_whole {
                continue;
            }
            let price = self.price_of(screen, section);
            let cut = Sanitized::line(&format!("{} {GAP} {price}", one.title));
            let of_price = self.price(&cut) - self.price(&one.head).min(self.price(&cut));
            let own = match screen.is_live {
                true => left,
                // What the next ones do not need is added to two thirds.
                false => {
                    let next = sections[nth + 1..].iter().take(2);
                    let next =
                        next.map(|one| price_of(screen, one, self.tokenizer).unwrap_or(left)).sum();
                    left.saturating_sub(next).max(left * 2 / 3)
                }
            };
            let own = own.saturating_sub(of_price);
            let body = match screen.is_live {
                false => self.text_within(section, own),
                true => self.best_within(section, goal, own),
            };
            left -= body.lines.iter().map(|line| self.price(line)).sum::<u32>().min(left);
            let head = match body.is_whole {
                true => Sanitized::line(&one.title),
                false => cut,
            };
            left = (left + self.price(&one.head)).saturating_sub(self.price(&head));
            (one.head, one.body) = (head, body);
        }
        left
    }

    /// Returns what it costs to take a section, in words.
    fn price_of(&self, screen: &Screen, section: &ScreenSection) -> String {
        match price_of(screen, section, self.tokenizer) {
            Some(tokens) => n_of(tokens, "token"),
            None => format!("over {MAX_EXTRACT_TOKENS} tokens"),
        }
    }

    fn price_of_all(&self, screen: &Screen, sections: &[usize]) -> String {
        let mut sum = 0;
        for at in sections {
            match price_of(screen, &screen.sections[*at], self.tokenizer) {
                Some(tokens) => sum += tokens,
                None => return format!("over {} tokens", sum + MAX_EXTRACT_TOKENS),
            }
            if sum > MAX_PRICE_OF_REST {
                return format!("over {MAX_PRICE_OF_REST} tokens");
            }
        }
        n_of(sum, "token")
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
            goal.share(&evidence_words(line)) + if has_controls { OF_CONTROLS } else { 0.0 }
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

/// Returns the sections with most of the goal first; before all others the one that a link led to.
fn ranked_sections(screen: &Screen, goal: &GoalWeights) -> Vec<usize> {
    let share = |section: &ScreenSection| {
        goal.share(&evidence_words(&section.title)) + goal.share(&evidence_words(&section.text))
    };
    let shares: Vec<f64> = screen.sections.iter().map(share).collect();
    let mut ranked: Vec<usize> = (0..shares.len()).collect();
    let is_other = |at: &usize| screen.led_to != Some(*at);
    ranked.sort_by(|a, b| {
        is_other(a).cmp(&is_other(b)).then(shares[*b].total_cmp(&shares[*a])).then(a.cmp(b))
    });
    ranked
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
        let price = |sections: &[ScreenSection]| {
            let screen = Screen { sections: sections.to_vec(), ..Screen::default() };
            page.price_of_all(&screen, &(0..sections.len()).collect::<Vec<_>>())
        };
        assert!(price(&[section(90)]).ends_with(" tokens"));
        assert_eq!(price(&[section(4_500)]), "over 4000 tokens");
        assert!(price(&[section(1_000), section(4_500)]).starts_with("over 50"));
    }

    #[test]
    fn titles_are_shown_before_texts_and_the_one_that_a_link_led_to_first() {
        let section = |at: usize| ScreenSection {
            title: format!("Part {at}"),
            level: 2,
            text: format!("{}\n", if at == 1 { "the revoked task" } else { "a line" }).repeat(200),
        };
        let sections: Vec<ScreenSection> = (1..9).map(section).collect();
        let screen = |led_to| Screen { sections: sections.clone(), led_to, ..Screen::default() };
        let shown = |screen: &Screen| {
            let mut page = ViewText::new(500, None);
            page.sections(screen, &WalkGoal::of("revoked task").equal(), 500);
            Sanitized::lines(page.lines).into_string()
        };
        let text = shown(&screen(None));
        assert!((1..9).all(|at| text.contains(&format!("[S{at}] Part {at} …"))), "{text}");
        let lines = |text: &str, line: &str| text.lines().filter(|one| *one == line).count();
        assert!(lines(&text, "the revoked task") > lines(&text, "a line"), "{text}");
        assert!(lines(&text, "a line") > 10, "a second section has text: {text}");
        let text = shown(&screen(Some(6)));
        let of_seventh = text.split("[S7] Part 7").nth(1).unwrap();
        assert!(lines(of_seventh, "a line") > lines(&text, "the revoked task"), "{text}");
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
