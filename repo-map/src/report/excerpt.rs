//! An excerpt of a map, for a reader with less room: it draws nothing that the map does not show,
//! and marks names with the level at which the map has the item.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::error::Result;
use crate::fit;
use crate::fit::folders::Low;
use crate::level::Level;
use crate::map::corpus::Corpus;
use crate::map::items::{addresses, as_shown, base_choice, item_levels, pinned};
use crate::map::judged::Judged;
use crate::map::{FileReport, RepoMap};
use crate::outline::Outline;
use crate::plan::ItemRule;
use crate::render::{self, Choice, Page, PageNotes, Style};
use crate::source::scan;
use crate::text::sanitize::Sanitized;

/// The note on a file of which an excerpt leaves something out.
const CUT: &str = "cut";
/// The end of the line that counts hidden items: other items are in the map, if only by name.
const NOT_IN_CONTEXT: &str = ", not in the context";
/// The maximum number of full items that a line names.
const MOST_NAMED: usize = 12;

/// What an excerpt draws of one file of a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExcerptOf {
    /// One line, with the names of items that the map shows in full.
    Line,
    /// The names of the items that the map shows, and these of its bodies and signatures.
    Items(BTreeSet<String>),
    /// What the map draws, with numbers on names that several items have.
    Whole,
}

/// The parts of a file that an excerpt may draw, with their sizes in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExcerptSizes {
    /// The size as one line.
    pub line: u32,
    /// The size with the names of all items; `None` if the map shows no items of it.
    pub names: Option<u32>,
    /// The size as in the map.
    pub whole: u32,
    /// The bodies and signatures that can be drawn one by one, best first.
    pub bodies: Vec<ExcerptBody>,
}

/// A body or signature of a map, with its size in tokens beyond the item's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExcerptBody {
    /// The item's address.
    pub name: String,
    /// The size in tokens.
    pub tokens: u32,
    /// The score in millionths of the best item's.
    pub worth: u32,
}

/// Draws an excerpt of a map: these files of those that it shows, and lines of folders in at most
/// `for_folders` tokens, those nearest to the root first. Returns the text and its size in tokens.
///
/// # Errors
/// If the map is of another tree.
pub fn excerpt(
    judged: &Judged,
    map: &RepoMap,
    files: &BTreeMap<String, ExcerptOf>,
    for_folders: u32,
) -> Result<(Sanitized, u32)> {
    judged.check_map(map)?;
    let style = judged.style();
    let mut placed = folder_lines_within(judged, map, for_folders);
    for (path, cut) in files {
        let Some(file) = judged.position(path) else { continue };
        if map.files[file].level >= Level::Path {
            let place = (u8::from(!judged.tree().is_start(path)), file, 2);
            placed.push((place, Drawn::of(judged, map, file).text(cut)));
        }
    }
    placed.sort();
    let header = std::iter::once(render::header(judged.tree().kind(), style).to_owned());
    let blocks = header.chain(placed.into_iter().map(|(_, text)| text));
    let text: String = blocks.chain([render::footer(&[], style)]).collect();
    let tokens = style.tokenizer.count(&text);
    Ok((Sanitized::made_of_documents(text), tokens))
}

/// Returns the sizes of the parts of a file that an excerpt may draw; `None` if the map does not
/// show the file.
///
/// # Errors
/// If the map is of another tree.
pub fn sizes(judged: &Judged, map: &RepoMap, path: &str) -> Result<Option<ExcerptSizes>> {
    let Some(file) = judged.position(path) else { return Ok(None) };
    if judged.report_in(map, file)?.level < Level::Path {
        return Ok(None);
    }
    Ok(Some(Drawn::of(judged, map, file).sizes()))
}

/// The size of the lines of folders, in tokens.
///
/// # Errors
/// If the map is of another tree.
pub fn folder_tokens(judged: &Judged, map: &RepoMap) -> Result<u32> {
    judged.check_map(map)?;
    let lines = folder_lines(judged, map);
    Ok(lines.iter().map(|(_, line)| judged.style().tokenizer.count(line)).sum())
}

/// The position of a block: the start of a site, then by its first file, folders before files.
type BlockPlace = (u8, usize, u8);

/// Returns the lines of folders that fit, those nearest to the root first, in the order of the map.
fn folder_lines_within(judged: &Judged, map: &RepoMap, tokens: u32) -> Vec<(BlockPlace, String)> {
    let mut lines = folder_lines(judged, map);
    lines.sort_by_key(|(place, line)| (line.matches('/').count(), *place));
    let mut total = 0;
    let n_fitting = lines.iter().take_while(|(_, line)| {
        total += judged.style().tokenizer.count(line);
        total <= tokens
    });
    let n_fitting = n_fitting.count();
    lines.truncate(n_fitting);
    lines.sort();
    lines
}

fn folder_lines(judged: &Judged, map: &RepoMap) -> Vec<(BlockPlace, String)> {
    let Corpus { tree, folders, .. } = judged.corpus();
    let low = |file: &FileReport| match file.level {
        Level::Exclude => Low::Exclude,
        Level::Fold => Low::Fold,
        Level::Path | Level::Outline | Level::Interface | Level::Body | Level::Full => Low::Shown,
    };
    let low: Vec<Low> = map.files.iter().map(low).collect();
    let drawn: BTreeSet<&str> = map.parts.iter().map(|part| part.path.as_str()).collect();
    let lines = folders.lines(&low).into_iter();
    lines
        .filter(|line| drawn.contains(folders.list[line.folder].path.as_str()))
        .map(|line| {
            let text = fit::fold_text(tree, folders, line, &low, judged.style());
            ((1, folders.list[line.folder].files.start, u8::from(line.is_whole)), text)
        })
        .collect()
}

/// A file that a map shows, with what the map draws of it.
struct Drawn<'a> {
    judged: &'a Judged,
    report: &'a FileReport,
    file: usize,
    outline: &'a Outline,
    /// The levels of items as a reader sees them.
    levels: Vec<Level>,
    addresses: Vec<String>,
}

impl<'a> Drawn<'a> {
    fn of(judged: &'a Judged, map: &'a RepoMap, file: usize) -> Drawn<'a> {
        let outline = &judged.priced(file).depth.outline;
        let report = &map.files[file];
        let levels = as_shown(outline, item_levels(outline, report));
        Drawn { judged, report, file, outline, levels, addresses: addresses(outline) }
    }

    fn style(&self) -> Style {
        self.judged.style()
    }

    fn count(&self, text: &str) -> u32 {
        self.style().tokenizer.count(text)
    }

    fn sizes(&self) -> ExcerptSizes {
        let entry = self.judged.priced(self.file);
        let worth = self.judged.item_worth(self.file, entry);
        let body = |at: usize| {
            let price = entry.price().items[at];
            let tokens = match self.levels[at] {
                Level::Body => price.body,
                Level::Full => price.full,
                _ => price.open.max(price.closed),
            };
            ExcerptBody {
                name: self.addresses[at].clone(),
                tokens,
                worth: worth.map_or(0, |worth| worth[at]),
            }
        };
        let mut bodies: Vec<ExcerptBody> =
            (0..self.levels.len()).filter(|at| self.is_body(*at)).map(body).collect();
        bodies.sort_by_key(|body| std::cmp::Reverse(body.worth));
        let has_items = self.levels.iter().any(|level| *level >= Level::Outline);
        let names = has_items.then(|| self.count(&self.text(&ExcerptOf::Items(BTreeSet::new()))));
        ExcerptSizes {
            line: self.count(&self.text(&ExcerptOf::Line)),
            names,
            whole: self.count(&self.text(&ExcerptOf::Whole)),
            bodies,
        }
    }

    /// Reports whether an item's text can be drawn on its own. Of an item with nested ones in full,
    /// those are drawn.
    fn is_body(&self, at: usize) -> bool {
        match self.levels[at] {
            Level::Body | Level::Full => !self.outline.items[at].has_children,
            Level::Interface => true,
            Level::Exclude | Level::Fold | Level::Path | Level::Outline => false,
        }
    }

    fn text(&self, cut: &ExcerptOf) -> String {
        match cut {
            ExcerptOf::Line => self.line(),
            ExcerptOf::Items(bodies) => self.items(bodies),
            ExcerptOf::Whole => self.whole(),
        }
    }

    fn path(&self) -> &'a str {
        &self.report.path
    }

    fn line(&self) -> String {
        let is_line = self.report.level == Level::Path && self.report.items.is_empty();
        let note = (!is_line).then(|| self.note());
        let title = self.judged.tree().title(self.path()).filter(|_| is_line);
        render::path_line(self.path(), title, note.as_deref().or(self.report.mark), self.style())
    }

    /// Says what the map shows of the file.
    fn note(&self) -> String {
        let tokens = self.report.tokens;
        if self.report.level == Level::Full {
            return format!("{}, {tokens} tokens", Level::Full);
        }
        let of = |level: Level| (0..self.levels.len()).filter(move |at| self.levels[*at] == level);
        let is_outermost = |at: &usize| {
            self.outline.items[*at].parent.is_none_or(|parent| self.levels[parent] < Level::Body)
        };
        let mut parts = vec![format!("{tokens} tokens")];
        for level in [Level::Full, Level::Body] {
            let names: Vec<&str> =
                of(level).filter(is_outermost).map(|at| self.addresses[at].as_str()).collect();
            if names.is_empty() {
                continue;
            }
            let (first, rest) = names.split_at(names.len().min(MOST_NAMED));
            let more =
                if rest.is_empty() { String::new() } else { format!(", … {} more", rest.len()) };
            parts.push(format!("{level}: {}{more}", first.join(", ")));
        }
        parts.extend([Level::Interface, Level::Outline].into_iter().filter_map(|level| {
            let n = of(level).count();
            (n > 0).then(|| format!("{n} {level}"))
        }));
        parts.join("; ")
    }

    fn items(&self, bodies: &BTreeSet<String>) -> String {
        let n_items = self.levels.len();
        let mut choice = Choice { items: vec![Level::Exclude; n_items], doc: false };
        let mut notes = PageNotes { items: vec![None; n_items], ..PageNotes::default() };
        for (at, level) in self.levels.iter().copied().enumerate() {
            let parent = self.outline.items[at].parent;
            let is_whole_around = self.report.level == Level::Full
                || parent.is_some_and(|parent| self.levels[parent] >= Level::Body);
            if level < Level::Outline {
                continue;
            }
            if bodies.contains(&self.addresses[at]) && self.is_body(at) {
                choice.items[at] = level;
            } else if !(is_whole_around && self.outline.items[at].kind.is_member()) {
                choice.items[at] = Level::Outline;
                notes.items[at] = self.mark(at);
            }
        }
        // A container that the map shows by name has no signature here either.
        let levels = self.levels.iter().copied().enumerate();
        let by_name: Vec<(usize, Level)> =
            levels.filter(|(_, level)| *level < Level::Interface).collect();
        choice.name_containers(self.outline, &by_name);
        notes.file = match self.report.level {
            Level::Full => format!("{}, {CUT}", Level::Full),
            _ if choice.items == self.levels => String::new(),
            _ => CUT.to_owned(),
        };
        notes.gap = NOT_IN_CONTEXT;
        self.rendered(|page, style| page.partial_noted(&choice, &notes, style).concat())
    }

    /// Returns the mark of an item drawn by name: its number among those of its name, and the level
    /// at which the map has it if that is more.
    fn mark(&self, at: usize) -> Option<String> {
        let level = Some(self.levels[at]).filter(|level| *level > Level::Outline);
        let parts = [self.number(at), level.map(|level| level.to_string())];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Returns the number of an item among those of its name, as its address has it.
    fn number(&self, at: usize) -> Option<String> {
        let end = self.addresses[at].strip_prefix(self.outline.items[at].qualified.as_str());
        end.filter(|end| !end.is_empty()).map(str::to_owned)
    }

    /// Draws what the map draws, as a replay does, with numbers.
    fn whole(&self) -> String {
        if self.report.level == Level::Full {
            return self.rendered(|page, style| page.full(style));
        }
        if self.report.level == Level::Path && self.report.items.is_empty() {
            return self.line();
        }
        let items: Vec<ItemRule> = self
            .report
            .items
            .iter()
            .map(|item| ItemRule { name: item.name.clone(), level: item.level })
            .collect();
        let mut choice = base_choice(self.outline, self.report.level);
        for (item, level) in pinned(self.outline, &items) {
            choice.items[item] = level;
        }
        let by_name = |at: usize| choice.items[at] == Level::Outline;
        let number = |at: usize| self.number(at).filter(|_| by_name(at));
        let items = (0..choice.items.len()).map(number).collect();
        let notes = PageNotes { items, ..PageNotes::default() };
        self.rendered(|page, style| page.partial_noted(&choice, &notes, style).concat())
    }

    /// Renders the text of the file. One that changed since it was outlined is a line.
    fn rendered(&self, draw: impl Fn(&Page<'_>, Style) -> String) -> String {
        let corpus = self.judged.corpus();
        let source = scan::read(&corpus.tree.files[self.file], corpus.gate());
        if !self.judged.priced(self.file).is_of(&source) {
            return self.line();
        }
        let language = corpus.languages.of(self.path(), &source);
        draw(&Page::new(self.path(), language, &source.text, self.outline), self.style())
    }
}
