//! Sections of preformatted text: an RFC, a page of `man` or the help of an editor is one `pre`.

use scraper::{ElementRef, Node};

use super::{BlockWriter, is_break_hint};
use crate::address::decoded;
use crate::page::element::is_block;
use crate::page::markdown;
use crate::page::model::BlockKind;
use crate::page::parse::MAX_DEPTH;
use crate::page::tree::MAX_RANK;

/// The fewest lines of a text whose sections only bold lines or only fragments begin.
const MIN_LINES: usize = 12;
const MIN_LINES_WITH_ANCHORS: usize = 60;
/// The fewest sections of such a text.
const MIN_SECTIONS: usize = 3;
/// The fewest lines of a section, on average: a listing has a fragment for each line of code.
const LINES_PER_SECTION: usize = 4;
/// The longest line that is a heading, in bytes.
const MAX_TITLE: usize = 100;

/// The shortest line that is a rule, in bytes.
const MIN_RULE: usize = 20;

/// A line of preformatted text.
#[derive(Default)]
struct PreLine {
    text: String,
    /// The fragments that lead here.
    anchors: Vec<String>,
    /// The level, if an element says that the line is a heading.
    level: Option<u8>,
    /// How many bytes of it are bold.
    n_bold: usize,
}

/// What stands around a place in the text.
#[derive(Clone, Copy, Default)]
struct PrePlace {
    is_bold: bool,
    level: Option<u8>,
    depth: usize,
}

impl BlockWriter<'_> {
    /// Writes preformatted text that has sections; reports whether it has.
    pub(super) fn preformatted(&mut self, element: ElementRef<'_>) -> bool {
        let has_block = element
            .descendent_elements()
            .skip(1)
            .any(|one| is_block(one.value().name()) && level_of(one).is_none());
        if self.n_parts_around > 0 || self.below > 0 || has_block {
            return false;
        }
        let mut lines = vec![PreLine::default()];
        self.pre_lines(element, PrePlace::default(), &mut lines);
        let heads = heads(&lines);
        let Some(&first) = heads.first() else { return false };
        self.pre_text(&lines[..first]);
        let level = (self.section + 1).clamp(2, MAX_RANK);
        // A rule above a heading sets a chapter apart from its parts.
        let below_rule = |head: usize| {
            let mut above = lines[..head].iter().rev().filter(|line| !line.text.trim().is_empty());
            above.next().is_some_and(PreLine::is_rule)
        };
        let is_chapter: Vec<bool> = heads.iter().map(|head| below_rule(*head)).collect();
        let has_chapters = is_chapter.contains(&true);
        for (nth, &head) in heads.iter().enumerate() {
            let end = heads.get(nth + 1).copied().unwrap_or(lines.len());
            let line = &mut lines[head];
            let (title, anchors) = (line.title(), std::mem::take(&mut line.anchors));
            self.flush_leads();
            let is_part = has_chapters && !is_chapter[nth];
            let below = (level + u8::from(is_part)).min(MAX_RANK);
            self.title(title, anchors, line.level.unwrap_or(below), false);
            self.pre_text(&lines[head + 1..end]);
        }
        self.links_in(element);
        true
    }

    fn pre_lines(&mut self, element: ElementRef<'_>, place: PrePlace, lines: &mut Vec<PreLine>) {
        for child in element.children() {
            if let Node::Text(text) = child.value() {
                add(text, place, lines);
            }
            let Some(child) = ElementRef::wrap(child) else { continue };
            let name = child.value().name();
            if place.depth == MAX_DEPTH || !self.generator.shows(child) {
                continue;
            }
            if name == "br" {
                lines.push(PreLine::default());
            }
            let anchor = child.attr("id").or_else(|| child.attr("name"));
            if let (Some(anchor), Some(line)) = (anchor, lines.last_mut()) {
                line.anchors
                    .extend([anchor].into_iter().filter(|one| !one.is_empty()).map(decoded));
            }
            let inside = PrePlace {
                is_bold: place.is_bold || matches!(name, "b" | "strong"),
                level: place.level.or_else(|| level_of(child)),
                depth: place.depth + 1,
            };
            self.pre_lines(child, inside, lines);
        }
    }

    /// Writes some lines as they stand, without the indentation and the rules around all of them.
    fn pre_text(&mut self, lines: &[PreLine]) {
        let is_blank = |line: &&PreLine| line.text.trim().is_empty() || line.is_rule();
        let n_before = lines.iter().take_while(is_blank).count();
        let lines = &lines[n_before..];
        let n_after = lines.iter().rev().take_while(is_blank).count();
        let lines = &lines[..lines.len() - n_after];
        if !lines.is_empty() {
            let of_line =
                |line: &PreLine| line.text.len() - line.text.trim_start_matches(' ').len();
            let filled = lines.iter().filter(|line| !line.text.trim().is_empty());
            let indent = filled.map(of_line).min().unwrap_or(0);
            let texts: Vec<&str> = lines
                .iter()
                .map(|line| line.text.get(indent..).unwrap_or_default().trim_end())
                .collect();
            self.flush_leads();
            self.push(BlockKind::Code, markdown::fenced(&texts.join("\n"), ""));
        }
    }
}

impl PreLine {
    /// The words of a heading; the help of Vim has its fragments between stars.
    fn title(&self) -> String {
        let words = self.text.split_whitespace().map(|word| {
            let between = word.strip_prefix('*').and_then(|word| word.strip_suffix('*'));
            between.filter(|word| !word.is_empty()).unwrap_or(word)
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn is_rule(&self) -> bool {
        self.text.trim_end().len() >= MIN_RULE && markdown::is_rule(self.text.trim_end())
    }

    fn is_heading(&self) -> bool {
        self.level.is_some() && self.says_something()
    }

    /// Reports whether all of the line is bold and nothing stands before it.
    fn is_bold(&self) -> bool {
        let text = self.text.trim_end();
        self.n_bold >= text.len() && !text.starts_with(char::is_whitespace) && self.is_title()
    }

    fn is_title(&self) -> bool {
        self.text.len() <= MAX_TITLE && self.says_something()
    }

    fn says_something(&self) -> bool {
        self.text.contains(char::is_alphabetic)
    }
}

/// Returns the positions of the lines that begin sections: headings, else bold lines above indented
/// text, else lines that links can lead to.
fn heads(lines: &[PreLine]) -> Vec<usize> {
    let all = |is: &dyn Fn(usize) -> bool| -> Vec<usize> {
        (0..lines.len()).filter(|at| is(*at)).collect()
    };
    let headings = all(&|at| lines[at].is_heading());
    if !headings.is_empty() {
        return headings;
    }
    let is_indented = |at: usize| {
        let mut after = lines[at + 1..].iter().filter(|line| !line.text.trim().is_empty());
        after.next().is_some_and(|line| line.text.starts_with([' ', '\t']))
    };
    let are_sections = |heads: &[usize], min_lines: usize| {
        heads.len() >= MIN_SECTIONS
            && lines.len() >= min_lines
            && lines.len() >= LINES_PER_SECTION * heads.len()
    };
    let bold = all(&|at| lines[at].is_bold() && is_indented(at));
    if are_sections(&bold, MIN_LINES) {
        return bold;
    }
    let named = all(&|at| !lines[at].anchors.is_empty() && lines[at].is_title());
    if are_sections(&named, MIN_LINES_WITH_ANCHORS) { named } else { Vec::new() }
}

/// Adds a text to the last line, and the lines that it begins.
fn add(text: &str, place: PrePlace, lines: &mut Vec<PreLine>) {
    for (nth, part) in text.split('\n').enumerate() {
        if nth > 0 {
            lines.push(PreLine::default());
        }
        let Some(line) = lines.last_mut() else { return };
        let start = line.text.len();
        line.text.extend(part.chars().filter(|c| *c != '\r' && !is_break_hint(*c)).map(
            |c| match c {
                '\u{a0}' => ' ',
                c => c,
            },
        ));
        if part.contains(|c: char| !c.is_whitespace()) {
            line.n_bold += if place.is_bold { line.text.len() - start } else { 0 };
            line.level = line.level.or(place.level);
        }
    }
}

/// Returns the level of a heading within preformatted text: RFCs name it in a class.
fn level_of(element: ElementRef<'_>) -> Option<u8> {
    let name = element.value().name();
    let of_class = element.value().classes().filter(|_| name == "span");
    [name].into_iter().chain(of_class).find_map(|name| match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    })
}
