//! The text of a page in sections, without what its entries say.

use std::collections::BTreeMap;
use std::ops::Bound;

use site_map::page::{BlockKind, PageBlock, PageLink, WebPage};

use crate::run::text::one_line;
use crate::shared::Sanitized;
use crate::walk::screen::ScreenSection;

/// The longest name of an entry, a section or a place, in characters.
const MAX_NAME: usize = 300;
/// The signs that stand between links and say nothing. Others, such as a check mark, are values.
const SEPARATORS: &str = "|/\\,;:.·•»«›‹→←–—-()>";
/// How a picture stands in the text.
const PICTURE: &str = "[image: ";

/// The text of a page.
pub(super) struct ScreenText {
    pub(super) sections: Vec<ScreenSection>,
    /// It says something beside links and headings.
    pub(super) has_data: bool,
}

impl ScreenText {
    /// Takes the blocks of a page that say something beside its entries, but for those that are
    /// `left_out` by their position.
    pub(super) fn of(page: &WebPage, left_out: &dyn Fn(usize) -> bool) -> ScreenText {
        let links = links_by_heading(page);
        let mut text = ScreenText { sections: Vec::new(), has_data: false };
        let mut heading = None;
        for (at, block) in page.blocks.iter().enumerate() {
            if let BlockKind::Heading(one) = &block.kind {
                heading = Some(at);
                text.sections.push(ScreenSection {
                    title: name(&one.title),
                    level: one.level,
                    text: String::new(),
                });
                continue;
            }
            if let Some(level) = block.resumes {
                text.resume(level);
            }
            let is_tree = page.trees.binary_search_by_key(&at, |tree| tree.block).is_ok();
            let links = links.get(&heading);
            let is_linked = || links.is_some_and(|links| links.are_all_of(block));
            if !is_tree && !left_out(at) && !is_linked() {
                text.add(block, links.is_some());
            }
        }
        text
    }

    /// Goes on with the section around those of a level, after what stands within it.
    fn resume(&mut self, level: u8) {
        let around = self.sections.iter().rfind(|section| section.level < level);
        let (title, level) =
            around.map_or((String::new(), 0), |section| (section.title.clone(), section.level));
        self.sections.push(ScreenSection { title, level, text: String::new() });
    }

    fn add(&mut self, block: &PageBlock, is_beside_links: bool) {
        let text = Sanitized::text(&block.text).into_string();
        if text.trim().is_empty() {
            return;
        }
        if self.sections.is_empty() {
            self.sections.push(ScreenSection {
                title: String::new(),
                level: 0,
                text: String::new(),
            });
        }
        let last = self.sections.len() - 1;
        let section = &mut self.sections[last].text;
        section.push_str(if section.is_empty() { "" } else { "\n\n" });
        section.push_str(&text);
        // `See also` says something only where no link follows.
        self.has_data |= (block.is_data || !is_beside_links) && !block.only_lists_links();
    }
}

/// Returns a name on one line, sanitized.
pub(in crate::terrain) fn name(text: &str) -> String {
    one_line(Sanitized::line(text.trim()).as_ref(), MAX_NAME)
}

/// Returns how many blocks stand above the title of a page: what all pages begin with, if anything.
pub(super) fn n_above_title(page: &WebPage) -> usize {
    let headings = page.blocks.iter().enumerate().filter_map(|(at, block)| match &block.kind {
        BlockKind::Heading(heading) => Some((at, heading)),
        _ => None,
    });
    let first = headings.into_iter().next().filter(|(_, heading)| heading.title == page.title);
    first.map_or(0, |(at, _)| at)
}

/// Reports whether a link leads to its own page. Those are no entries.
pub(super) fn is_own(link: &PageLink, page: &WebPage) -> bool {
    link.target == page.address
}

/// The words of the links below one heading, with how many links have them.
#[derive(Default)]
struct LinkWords(BTreeMap<String, usize>);

/// Returns the words of the links that are entries, by the heading that they stand under.
fn links_by_heading(page: &WebPage) -> BTreeMap<Option<usize>, LinkWords> {
    let mut links: BTreeMap<Option<usize>, LinkWords> = BTreeMap::new();
    for link in page.links.iter().filter(|link| link.is_content && !is_own(link, page)) {
        let words = plain(&name(&link.text));
        let words = words.trim_start_matches(is_separator);
        if !words.is_empty() {
            *links.entry(link.under).or_default().0.entry(words.to_owned()).or_default() += 1;
        }
    }
    links
}

impl LinkWords {
    /// Reports whether a block consists of links, as the entries have them.
    fn are_all_of(&self, block: &PageBlock) -> bool {
        // The heads of its columns are data, too: of a table the rows decide.
        let is_table = matches!(block.kind, BlockKind::Table);
        if block.is_data && !is_table {
            return false;
        }
        let text = Sanitized::text(&block.text).into_string();
        let n_heads = if is_table && text.starts_with('|') { 2 } else { 0 };
        let mut used = BTreeMap::new();
        text.lines().skip(n_heads).all(|line| {
            let line = line.trim_start();
            let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_item = matches!(block.kind, BlockKind::List) && rest.starts_with(". ");
            self.are_all_in(&plain(if is_item { rest } else { line }), &mut used)
        })
    }

    /// Reports whether a line consists of links, each of which is `used` once.
    fn are_all_in<'w>(&'w self, line: &str, used: &mut BTreeMap<&'w str, usize>) -> bool {
        let mut rest = line.trim_start_matches(is_separator);
        while !rest.is_empty() {
            // A link may have a picture before its words, or have nothing else.
            let picture = rest.strip_prefix(PICTURE).and_then(|shows| shows.split_once(']'));
            let (alone, before) = match picture {
                Some((shows, after)) => {
                    (self.at(shows).filter(|(words, _)| *words == shows), after)
                }
                None => (None, rest),
            };
            let before = before.trim_start_matches(is_separator);
            let Some((words, n_links)) = alone.or_else(|| self.at(before)) else { return false };
            let n_used = used.entry(words).or_default();
            *n_used += 1;
            if *n_used > n_links {
                return false;
            }
            rest = if alone.is_some() { before } else { &before[words.len()..] };
            rest = rest.trim_start_matches(is_separator);
        }
        true
    }

    /// Returns the longest words of links that a text begins with, and how many links have them.
    fn at(&self, text: &str) -> Option<(&str, usize)> {
        let mut end = text.len();
        loop {
            let until = (Bound::Unbounded, Bound::Included(&text[..end]));
            let (words, n_links) = self.0.range::<str, _>(until).next_back()?;
            let same = words.chars().zip(text.chars()).take_while(|(one, other)| one == other);
            let same: usize = same.map(|(c, _)| c.len_utf8()).sum();
            if same == words.len() {
                return Some((words, *n_links));
            }
            // Shorter ones have at most this in common with both.
            end = same;
        }
    }
}

/// Returns the words of a text without marks for code, on one line.
fn plain(text: &str) -> String {
    let text = text.replace(['`', '\\'], "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || SEPARATORS.contains(c)
}
