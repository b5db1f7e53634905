//! The blocks of one file: its frame, its items at each level, its full text.
//!
//! Fences and escapes depend on a file's whole text, never on the part that is shown, so that the
//! price of one item does not change with its neighbours.

mod shown_lines;

use std::borrow::Cow;
use std::ops::Range;

use crate::level::Level;
use crate::outline::language::Language;
use crate::outline::{Item, ItemKind, LineStarts, Outline};
use crate::plan::Format;
use crate::render::choice::{Choice, ancestors, is_covered, n_hidden, shown_children};
use crate::render::first_paragraph::{self, DocCut};
use crate::render::group::{with_keyword, without_indentation};
use crate::render::indents::{INDENT, indents_of_names};
use crate::render::price::{FilePrice, GapPrice, ItemPrice, gap};
use crate::render::style::{Style, at_a_joint, attribute, escape, fence};

/// The mark in the place of text that a level leaves out.
const ELISION: &str = "…";
/// The longest text behind the bracket of a type that is printed with it, in bytes.
const LONGEST_BEHIND: usize = 80;

/// A file to be rendered.
pub(crate) struct Page<'a> {
    path: &'a str,
    language: Option<&'static Language>,
    text: &'a str,
    outline: &'a Outline,
    fence: String,
    lines: LineStarts,
    /// The white space before the name of each item at level outline.
    indents: Vec<String>,
}

/// Notes on a file of which a part is rendered. By default there are none.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageNotes {
    /// The note on the file.
    pub(crate) file: String,
    /// The notes on items drawn by name, by position. Items beyond the end have none.
    pub(crate) items: Vec<Option<String>>,
    /// The end of the line that counts hidden items.
    pub(crate) gap: &'static str,
}

impl<'a> Page<'a> {
    pub(crate) fn new(
        path: &'a str,
        language: Option<&'static Language>,
        text: &'a str,
        outline: &'a Outline,
    ) -> Page<'a> {
        let mut page = Page {
            path,
            language,
            text,
            outline,
            // A title without its links may have more back-ticks in a row than the text.
            fence: fence(
                std::iter::once(text).chain(outline.items.iter().map(|item| item.title.as_str())),
            ),
            lines: LineStarts::of(text),
            indents: Vec::new(),
        };
        page.indents = indents_of_names(outline, |at| page.indentation(at));
        page
    }

    pub(crate) fn price(&self, style: Style) -> FilePrice {
        let count = |block: &str| style.tokenizer.count(block);
        let (open, close) = self.frame(style, "");
        let items = (0..self.outline.items.len())
            .map(|at| {
                let (closed, _) = self.item_interface(at, false, style);
                let (opened, tail) = self.item_interface(at, true, style);
                let same = closed == opened;
                let closed = count(&closed);
                let full = count(&self.item_full(at, style));
                let is_cut = self.cut_in(self.doc_above(at)).is_some();
                ItemPrice {
                    outline: count(&self.item_outline(at, None, style)),
                    closed,
                    open: if same {
                        closed
                    } else {
                        count(&opened) + if tail.is_empty() { 0 } else { count(&tail) }
                    },
                    body: if is_cut { count(&self.item_body(at, style)) } else { full },
                    full,
                }
            })
            .collect();
        FilePrice {
            full: count(&self.full(style)),
            frame: count(&open) + count(&close),
            gap: GapPrice::counted(count),
            doc: self.doc(style).map_or(0, |doc| count(&doc)),
            items,
        }
    }

    /// Renders the whole text, unchanged.
    pub(crate) fn full(&self, style: Style) -> String {
        let (open, close) = self.frame(style, "full");
        let numbered = self.source(0..self.text.trim_end_matches('\n').len(), style);
        let line_break = if numbered.is_empty() { "" } else { "\n" };
        format!("{open}{numbered}{line_break}{close}")
    }

    /// Renders the chosen items, one block each, between the two blocks of the frame.
    pub(crate) fn partial(&self, choice: &Choice, style: Style) -> Vec<String> {
        self.partial_noted(choice, &PageNotes::default(), style)
    }

    /// Renders the chosen items with notes.
    pub(crate) fn partial_noted(
        &self,
        choice: &Choice,
        notes: &PageNotes,
        style: Style,
    ) -> Vec<String> {
        let (open, close) = self.frame(style, &notes.file);
        let mut blocks = vec![open];
        if choice.doc {
            blocks.extend(self.doc(style));
        }
        let mut tails: Vec<(usize, String)> = Vec::new();
        let shown_children = shown_children(self.outline, choice);
        for (at, shows_children) in shown_children.into_iter().enumerate() {
            while tails.last().is_some_and(|(container, _)| !self.is_within(at, *container)) {
                blocks.extend(tails.pop().map(|(_, tail)| tail));
            }
            if is_covered(self.outline, choice, at) {
                continue;
            }
            match choice.items[at] {
                Level::Outline => {
                    let note = notes.items.get(at).and_then(Option::as_deref);
                    blocks.push(self.item_outline(at, note, style));
                }
                Level::Interface => {
                    let (head, tail) = self.item_interface(at, shows_children, style);
                    blocks.push(head);
                    if !tail.is_empty() {
                        tails.push((at, tail));
                    }
                }
                Level::Body => blocks.push(self.item_body(at, style)),
                Level::Full => blocks.push(self.item_full(at, style)),
                Level::Exclude | Level::Fold | Level::Path => {}
            }
        }
        blocks.extend(tails.into_iter().rev().map(|(_, tail)| tail));
        let n_hidden = n_hidden(self.outline, choice);
        if n_hidden > 0 {
            blocks.push(gap(n_hidden, notes.gap));
        }
        blocks.push(close);
        blocks
    }

    /// Returns the cut of a doc comment after its first paragraph, if much of it follows.
    fn cut_in(&self, doc: Option<&Range<usize>>) -> Option<DocCut> {
        first_paragraph::cut(self.text, doc?, ELISION)
    }

    fn is_within(&self, item: usize, container: usize) -> bool {
        ancestors(self.outline, item).any(|ancestor| ancestor == container)
    }

    fn frame(&self, style: Style, level: &str) -> (String, String) {
        match style.format {
            Format::Markdown => {
                let language = self.language.map_or("", |language| language.fence);
                let level = if level.is_empty() { String::new() } else { format!(" ({level})") };
                (
                    format!("## {}{level}\n{}{language}\n", self.path, self.fence),
                    format!("{}\n", self.fence),
                )
            }
            Format::Xml => {
                let level =
                    if level.is_empty() { String::new() } else { format!(" level=\"{level}\"") };
                (
                    format!("<file path=\"{}\"{level}><![CDATA[\n", attribute(self.path)),
                    "]]></file>\n".to_owned(),
                )
            }
        }
    }

    /// Renders the comment that describes the whole file; in Go with the package clause below it,
    /// or it would be that of the next item.
    fn doc(&self, style: Style) -> Option<String> {
        let doc = self.outline.doc.clone()?;
        let behind = self.text[doc.end..].trim_start();
        let is_clause = self.language.is_some_and(|language| language.name == "go")
            && behind.starts_with("package ");
        let clause = behind.lines().next().filter(|_| is_clause);
        let start = self.text.len() - behind.len();
        let clause = clause.map_or_else(String::new, |clause| {
            format!("{}\n", self.source(start..start + clause.len(), style))
        });
        Some(at_a_joint(format!("{}\n{clause}", self.source_cut(Some(&doc), doc.clone(), style))))
    }

    /// Renders the item at level outline: kind and name, indented by its nesting, and a note.
    fn item_outline(&self, at: usize, note: Option<&str>, style: Style) -> String {
        let item = &self.outline.items[at];
        let label = item.label();
        let gap = if label.is_empty() { "" } else { " " };
        let number = if style.line_numbers { format!("{}: ", item.lines.0) } else { String::new() };
        let title = escape(&item.title, style);
        let note = note.map(|note| format!(" [{note}]")).unwrap_or_default();
        let indent = &self.indents[at];
        at_a_joint(format!("{number}{indent}{label}{gap}{title}{note}\n"))
    }

    /// Renders the item at level full: its text, unchanged but for the group around it.
    fn item_full(&self, at: usize, style: Style) -> String {
        let source = self.source(self.outline.items[at].span.clone(), style);
        self.whole_item(at, source, style)
    }

    /// Renders the item at level body: its text, of the doc comment above it the first paragraph.
    fn item_body(&self, at: usize, style: Style) -> String {
        let source =
            self.source_cut(self.doc_above(at), self.outline.items[at].span.clone(), style);
        self.whole_item(at, source, style)
    }

    /// Renders an item with its body, as if it stood alone where it stands in a group.
    fn whole_item(&self, at: usize, source: String, style: Style) -> String {
        let item = &self.outline.items[at];
        let source = with_keyword(self.language, item, self.text, item.span.end, source);
        let indentation = self.indentation(at);
        // Blocks stand apart in their function.
        let place = match item.kind {
            ItemKind::Block => {
                format!("{indentation}{ELISION} lines {}-{}\n", item.lines.0, item.lines.1)
            }
            _ => String::new(),
        };
        let block = format!("{place}{}\n", self.item_source(at, &source, style));
        at_a_joint(without_indentation(self.language, item, &indentation, &block).into_owned())
    }

    /// Returns the doc comment above an item of code: one in a body is a part of it.
    fn doc_above(&self, at: usize) -> Option<&'a Range<usize>> {
        let item = &self.outline.items[at];
        let code_start = item.body.as_ref().map_or(item.span.end, |body| body.start);
        let doc = item.doc.as_ref().filter(|_| item.kind != ItemKind::Heading)?;
        Some(doc).filter(|doc| doc.end <= code_start)
    }

    /// Renders the item at level interface: signature and the first paragraph of the doc comment,
    /// the body elided. Returns the text before its nested items and the text after.
    fn item_interface(&self, at: usize, children_shown: bool, style: Style) -> (String, String) {
        let (block, tail) = self.indented_interface(at, children_shown, style);
        let (item, indentation) = (&self.outline.items[at], self.indentation(at));
        let joint = |part: &str| {
            at_a_joint(without_indentation(self.language, item, &indentation, part).into_owned())
        };
        (joint(&block), joint(&tail))
    }

    /// Renders it as it is indented in the text.
    fn indented_interface(
        &self,
        at: usize,
        children_shown: bool,
        style: Style,
    ) -> (String, String) {
        let item = &self.outline.items[at];
        let is_around = item.has_children || self.outline.has_blocks(at);
        let Some(body) = &item.body else {
            let source = self.signature_source(at, item.span.clone(), style);
            return (format!("{}\n", self.item_source(at, &source, style)), String::new());
        };
        let head = self.signature_source(at, item.head.clone(), style);
        let mut block = self.item_source(at, &head, style);
        let (open, close) = brackets(&self.text[body.clone()]);
        let doc = item.doc.as_ref().filter(|doc| doc.start >= item.head.end);
        let inner_doc = doc.filter(|doc| body.start <= doc.start && doc.end <= body.end);
        let doc_behind = doc.filter(|doc| doc.start >= body.end);
        let is_open = inner_doc.is_some() && !open.is_empty();
        if is_open {
            block.push(' ');
            block.push_str(open);
        }
        let (mut hidden, mut gap) = (body.clone(), self.gap_before_body(at));
        if let Some(doc) = doc.filter(|_| doc_behind.is_none()) {
            block.push_str(&self.doc_below(doc, style));
            hidden = hidden.start.max(doc.end)..hidden.end.max(doc.end);
            // Text behind a comment of one line would be part of it.
            if item.kind.is_code() && ends_with_line_comment(&self.text[doc.clone()]) {
                gap = format!("\n{}{INDENT}", self.indentation(at));
            }
        }
        let inside = self.text[body.clone()].trim_end_matches([';', ',']).trim_end_matches(close);
        // Between them are the initialisers of a constructor: its body is not all that it does.
        let between = self.text.get(item.head.end..body.start).unwrap_or_default();
        let hides = inside[open.len()..].trim().len() + between.trim().len() > 0;
        let is_empty = !open.is_empty() && !hides;
        let close = self.close_of(item, body, close, doc_behind.is_some());
        let mut tail = String::new();
        if children_shown && is_around {
            if self.hides_text_before_children(at) {
                block.push_str(&format!(" {ELISION}"));
            }
            if !open.is_empty() {
                if !is_open {
                    block.push_str(&gap);
                    block.push_str(open);
                }
                let indentation = self.indentation(at);
                let number =
                    if style.line_numbers { format!("{}: ", item.lines.1) } else { String::new() };
                tail = format!("{number}{indentation}{close}");
            }
        } else if is_open {
            block.push_str(&format!("{gap}{ELISION} {close}"));
        } else if is_empty {
            block.push_str(&format!("{gap}{open}{close}"));
        } else if !open.is_empty() {
            block.push_str(&format!("{gap}{open} {ELISION} {close}"));
        } else if !self.text[hidden].trim().is_empty() {
            block.push_str(&format!("{gap}{ELISION}"));
        }
        match doc_behind.map(|doc| self.doc_below(doc, style)) {
            // What separates it from a closing bracket.
            Some(doc) if children_shown && is_around && tail.is_empty() => {
                tail.push_str(&doc[1..]);
            }
            Some(doc) if children_shown && is_around => tail.push_str(&doc),
            Some(doc) => block.push_str(&doc),
            None => {}
        }
        block.push('\n');
        if !tail.is_empty() {
            tail.push('\n');
        }
        (block, tail)
    }

    /// Returns the bracket that closes a body, with what a type has behind it, on one line: the
    /// name of `typedef struct { … } name;`, and `& Hooks> {}`.
    fn close_of(&self, item: &Item, body: &Range<usize>, close: &str, has_doc: bool) -> String {
        let behind = self.text.get(body.end..item.span.end).unwrap_or_default();
        let behind = behind.trim_matches(|c: char| c == ';' || c.is_whitespace());
        let words: Vec<&str> = behind.split_whitespace().collect();
        let has_comment = words.iter().any(|word| word.starts_with("//"));
        let is_shown = item.kind.is_type() && !close.is_empty() && !has_doc && !has_comment;
        match is_shown && !words.is_empty() && behind.len() <= LONGEST_BEHIND {
            true => format!("{close} {}", words.join(" ")),
            false => close.to_owned(),
        }
    }

    /// Returns what stands between a signature and the bracket of its body. A directive of the
    /// preprocessor has its line to itself, unless it is the signature; elsewhere `#` begins names.
    fn gap_before_body(&self, at: usize) -> String {
        let item = &self.outline.items[at];
        let head = &self.text[item.head.clone()];
        let is_c = |language: &Language| matches!(language.name, "c" | "cpp" | "csharp");
        let has_directives = self.language.is_some_and(is_c) && item.kind != ItemKind::Macro;
        match head.trim_end().rsplit_once('\n').filter(|_| has_directives) {
            Some((_, last)) if last.trim_start().starts_with('#') => {
                format!("\n{}", self.indentation(at))
            }
            _ => " ".to_owned(),
        }
    }

    /// Renders the source of a signature and the doc comment above it.
    fn signature_source(&self, at: usize, range: Range<usize>, style: Style) -> String {
        let (item, end) = (&self.outline.items[at], range.end);
        let source = self.source_cut(item.doc.as_ref(), range, style);
        with_keyword(self.language, item, self.text, end, source)
    }

    /// Renders a doc comment below a signature or a body: on its own line or behind it, as in the
    /// text.
    fn doc_below(&self, doc: &Range<usize>, style: Style) -> String {
        let line_start = self.text[..doc.start].rfind('\n').map_or(0, |at| at + 1);
        if self.text[line_start..doc.start].trim().is_empty() {
            format!("\n{}", self.source_cut(Some(doc), line_start..doc.end, style))
        } else {
            format!(" {}", escape(&self.text[doc.clone()], style))
        }
    }

    /// Reports whether a section has text between what is shown of it and its first subheading.
    fn hides_text_before_children(&self, at: usize) -> bool {
        let item = &self.outline.items[at];
        let shown = item.doc.as_ref().map_or(0, |doc| doc.end).max(item.head.end);
        let first = self.outline.items[at + 1..].iter().find(|child| child.parent == Some(at));
        let hidden = first.and_then(|first| self.text.get(shown..first.span.start));
        item.kind == ItemKind::Heading
            && hidden.is_some_and(|hidden| hidden.contains(char::is_alphanumeric))
    }

    /// Returns the white space before the item on its first line; generated where other code
    /// precedes it there.
    fn indentation(&self, at: usize) -> Cow<'a, str> {
        let start = self.outline.items[at].span.start;
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let before = &self.text[line_start..start];
        if before.trim().is_empty() {
            Cow::Borrowed(before)
        } else {
            self.indentation_within_parent(at)
        }
    }

    fn indentation_within_parent(&self, at: usize) -> Cow<'a, str> {
        match self.outline.items[at].parent {
            Some(parent) => Cow::Owned(format!("{}{INDENT}", self.indentation(parent))),
            None => Cow::Borrowed(""),
        }
    }

    /// Indents rendered source text that begins an item.
    fn item_source(&self, at: usize, source: &str, style: Style) -> String {
        let indentation = self.indentation(at);
        match source.split_once(": ").filter(|_| style.line_numbers) {
            Some((number, source)) => format!("{number}: {indentation}{source}"),
            None => format!("{indentation}{source}"),
        }
    }

    /// Renders source text with the first paragraph of a doc comment in it instead of all of it.
    fn source_cut(&self, doc: Option<&Range<usize>>, range: Range<usize>, style: Style) -> String {
        let doc = doc.filter(|doc| range.start <= doc.start && doc.end <= range.end);
        let Some(cut) = self.cut_in(doc) else {
            return self.source(range, style);
        };
        let DocCut { kept, mark, resumes } = cut;
        let mut source = self.source(range.start..kept, style);
        source.push('\n');
        source.push_str(&escape(&mark, style));
        let rest = &self.text[resumes..range.end];
        // A comment that ends in the cut has only white space behind it on its line.
        let starts_line = self.text[..resumes].ends_with('\n');
        let start = if starts_line { Some(0) } else { rest.find('\n').map(|at| at + 1) };
        if let Some(start) = start.filter(|start| *start < rest.len()) {
            source.push('\n');
            source.push_str(&self.source(resumes + start..range.end, style));
        }
        source
    }

    /// Renders source text: escaped for the format, its lines numbered on request.
    fn source(&self, range: Range<usize>, style: Style) -> String {
        let text = escape(&self.text[range.clone()], style);
        if !style.line_numbers || text.is_empty() {
            return text.into_owned();
        }
        let first = self.lines.line(range.start);
        let numbered: Vec<String> = text
            .split('\n')
            .zip(first..)
            .map(|(line, number)| format!("{number}: {line}"))
            .collect();
        numbered.join("\n")
    }
}

/// Reports whether a comment ends with its line.
fn ends_with_line_comment(comment: &str) -> bool {
    let last = comment.lines().next_back().unwrap_or_default().trim_start();
    ["//", "--", "#", ";", "%"].iter().any(|mark| last.starts_with(mark))
}

/// Returns the opening and closing bracket of a body, where it has a pair.
fn brackets(body: &str) -> (&'static str, &'static str) {
    let pairs = [("{", "}"), ("(", ")"), ("[", "]")];
    let body = body.trim_end_matches([';', ',']);
    let around = |(open, close): &(&str, &str)| {
        body.len() > 1 && body.starts_with(open) && body.ends_with(close)
    };
    pairs.into_iter().find(around).filter(|_| !body.starts_with("{%")).unwrap_or(("", ""))
}
