//! The lines of a file that are shown whole.

use std::ops::Range;

use crate::level::Level;
use crate::outline::{ItemKind, joined_lines};
use crate::render::choice::{Choice, is_covered};
use crate::render::page::{Page, brackets};

impl Page<'_> {
    /// Returns the ranges of lines, first and last, that [`Page::partial`] shows whole, in order.
    /// Excluded are outline lines made from a name, lines cut by the elision, and the closing
    /// bracket of an item.
    pub(crate) fn shown_lines(&self, choice: &Choice) -> Vec<(u32, u32)> {
        let doc = self.outline.doc.as_ref().filter(|_| choice.doc);
        let doc = doc.into_iter().flat_map(|doc| {
            let last = self.lines.line(doc.end.saturating_sub(1).max(doc.start));
            self.without_cut(Some(doc), (self.lines.line(doc.start), last))
        });
        let items =
            (0..self.outline.items.len()).filter(|at| !is_covered(self.outline, choice, *at));
        let items = items.flat_map(|at| match choice.items[at] {
            Level::Body => self.without_cut(self.doc_above(at), self.outline.items[at].lines),
            Level::Full => vec![self.outline.items[at].lines],
            Level::Interface => {
                let doc = self.outline.items[at].doc.as_ref();
                let lines = self.interface_lines(at).into_iter();
                lines.flat_map(|lines| self.without_cut(doc, lines)).collect()
            }
            Level::Exclude | Level::Fold | Level::Path | Level::Outline => Vec::new(),
        });
        joined_lines(doc.chain(items).collect())
    }

    /// Returns the range of the file's lines.
    pub(crate) fn all_lines(&self) -> Vec<(u32, u32)> {
        let n_lines = self.text.lines().count() as u32;
        if n_lines == 0 { Vec::new() } else { vec![(1, n_lines)] }
    }

    /// Returns the lines of the signature and the doc comment; none when the first line itself
    /// continues into the elided text.
    fn interface_lines(&self, at: usize) -> Vec<(u32, u32)> {
        let item = &self.outline.items[at];
        let Some(body) = &item.body else { return vec![item.lines] };
        let (open, close) = brackets(&self.text[body.clone()]);
        let doc = item.doc.as_ref().filter(|doc| doc.end <= body.end);
        let shown = doc.map_or(0, |doc| doc.end).max(body.start + open.len());
        let end = body.start
            + self.text[body.clone()].trim_end_matches([';', ',']).trim_end_matches(close).len();
        let rest = self.text.get(shown..end).unwrap_or("");
        let elided = rest.trim_start();
        let last = match elided.is_empty() {
            true => item.lines.1,
            false => self
                .lines
                .line(shown.saturating_sub(1))
                .min(self.lines.line(end - elided.len()) - 1),
        };
        // The description of a section may stand below badges, which are not shown.
        let is_below = |doc: &&Range<usize>| {
            let between = self.text.get(item.head.end..doc.start).unwrap_or_default();
            item.kind == ItemKind::Heading && !between.trim().is_empty()
        };
        match doc.filter(is_below) {
            Some(doc) => {
                let head = self.lines.line(item.head.end.saturating_sub(1));
                vec![(item.lines.0, head), (self.lines.line(doc.start), last)]
            }
            None if last >= item.lines.0 => vec![(item.lines.0, last)],
            None => Vec::new(),
        }
    }

    /// Returns the parts of some lines before and after the cut of a doc comment among them.
    fn without_cut(&self, doc: Option<&Range<usize>>, lines: (u32, u32)) -> Vec<(u32, u32)> {
        let Some(cut) = self.cut_in(doc) else {
            return vec![lines];
        };
        let last = self.lines.line(cut.kept.saturating_sub(1));
        let after = self.lines.line(cut.resumes.saturating_sub(1)) + 1;
        let parts = [(lines.0, lines.1.min(last)), (lines.0.max(after), lines.1)];
        parts.into_iter().filter(|(first, last)| first <= last).collect()
    }
}
