//! Captures → items, joined by position: doc comments and attributes belong to the item below them,
//! wrappers (decorators, `export`, templates) widen it, and items nest by containment.
//!
//! The syntax tree is never walked node by node, so the work is linear in the number of captures.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::outline::asciidoc;
use crate::outline::capture::{Captured, Captures, LeadingKind, trimmed};
use crate::outline::exports::mark_exports;
use crate::outline::html_headings::without_tags;
use crate::outline::item::{Item, ItemKind, LineStarts, MAX_ITEMS, Outline};
use crate::outline::language::Language;
use crate::outline::macros;
use crate::outline::names::{tidy_name, visibility};
use crate::outline::prose;
use crate::outline::regions::add_text_between;
use crate::outline::rst;
use crate::outline::spans::{clip, continue_item, drop_asides, end_sections, first_block};
use crate::outline::trouble::Trouble;

/// Keys of configuration files are items down to this depth (1 is the top).
const KEY_DEPTH: usize = 3;
/// A type longer than this many bytes has a body even where its members are its signature: level
/// interface elides it, and no budget has to hold all or nothing of it.
const LONG_TYPE: usize = 3_000;
/// A function longer than this many bytes, a third of which are functions and types within it, is a
/// container of those: a module, or a constructor of closures.
const LONG_FUNCTION: usize = 8_000;
/// The longest qualified name that another one begins with, in bytes: of what nests deeper, names
/// begin with the end of it.
const MAX_AROUND: usize = 1_000;

pub(super) fn assemble(language: &Language, mut captures: Captures, text: &str) -> Outline {
    let mut found = take_items(&mut captures, text);
    mark_members(language, &mut found, std::mem::take(&mut captures.visibilities));
    let containers = containers_of_functions(&found);

    let line_starts = LineStarts::of(text);
    let file = CapturedFile { language, captures: &captures, text, line_starts: &line_starts };
    let mut outline = Outline::default();
    let mut open: Vec<(usize, Range<usize>)> = Vec::new();
    let mut seen: HashMap<String, u32> = HashMap::new();
    for item in found {
        while open.last().is_some_and(|(_, node)| node.end <= item.node.start) {
            open.pop();
        }
        let parent = open.last().map(|(position, _)| *position);
        let is_name = |name: &String| !macros::is_keyword(language, name);
        let Some(name) = name_of(language, &item, text).filter(is_name) else { continue };
        if item.continues
            && let Some(before) = outline
                .items
                .last_mut()
                .filter(|before| before.parent == parent && before.name == name)
        {
            continue_item(before, &item.node, &line_starts);
            continue;
        }
        if let Some((parent, around)) = open.last() {
            let is_shown = || containers.contains(around) && is_definition(&item);
            let is_local = outline.items[*parent].kind.hides_nested();
            if is_local && item.kind != ItemKind::Snippet && !is_shown() {
                continue;
            }
            if item.kind == ItemKind::Key && open.len() >= KEY_DEPTH {
                continue;
            }
        }
        if outline.items.len() == MAX_ITEMS {
            outline.trouble = Some(Trouble::TooManyItems);
            break;
        }
        let around = parent.map(|parent| outline.items[parent].qualified.as_str());
        let qualified = match around.or_else(|| item.owner.clone().map(|owner| &text[owner])) {
            Some(around) => format!("{}{}{name}", end_of(around), language.separator),
            None => name.clone(),
        };
        let nth = *seen.entry(qualified.clone()).and_modify(|nth| *nth += 1).or_insert(1);
        if let Some(parent) = parent {
            outline.items[parent].holds(item.kind);
        }
        open.push((outline.items.len(), item.node.clone()));
        let mut around = open.iter().rev().nth(1).map_or(0..text.len(), |(_, node)| node.clone());
        // Items are in the order of the text, so an item's comments and attributes start after the
        // item before it.
        around.start = around.start.max(outline.items.last().map_or(0, |before| before.span.start));
        outline.items.push(file.place(item, name, qualified, nth, parent, around));
    }
    clip(&mut outline.items, text, &line_starts);
    outline.doc = first_block(captures.file_doc, text).filter(|doc| {
        // JavaScript names the types of other files in comments.
        let names_types = text[doc.clone()].starts_with("/** @import");
        let is_apart = |first: &Item| doc.end <= first.span.start || doc.start >= first.span.end;
        !names_types && outline.items.first().is_none_or(is_apart)
    });
    describe(language, &mut outline, text);
    add_text_between(language, &mut outline, text, &line_starts);
    outline
}

/// Returns the end of the name of what is around an item, as far as the item's own name has it.
fn end_of(around: &str) -> &str {
    let mut starts = around.len().saturating_sub(MAX_AROUND)..;
    starts.find_map(|start| around.get(start..)).unwrap_or_default()
}

/// Takes what is an item out of the captures, each node once.
fn take_items(captures: &mut Captures, text: &str) -> Vec<Captured> {
    let mut found = std::mem::take(&mut captures.found);
    merge_same_nodes(&mut found);
    drop_asides(&mut found, std::mem::take(&mut captures.asides));
    end_sections(&mut found, text);
    keep_details(found, text)
}

/// Keeps the members of types that are too long to be shown whole, with the comment behind them on
/// their line, and drops those of others, of members, and of what else stands in a type. A file of
/// so many that its other items would have no room keeps none.
fn keep_details(all: Vec<Captured>, text: &str) -> Vec<Captured> {
    let mut found: Vec<Captured> = Vec::with_capacity(all.len());
    // The items around this place, by position.
    let mut around: Vec<usize> = Vec::new();
    let mut end_of_member = 0;
    for mut item in all {
        while around.pop_if(|at| found[*at].node.end <= item.node.start).is_some() {}
        if let Some(block) = item.detail.clone() {
            let is_nested = item.node.start < end_of_member;
            end_of_member = end_of_member.max(item.node.end);
            let is_long = |holder: &Captured| {
                holder.kind.is_type() && holder.node.len() > LONG_TYPE && holder.may_hold(&block)
            };
            let long = around.last().filter(|at| is_long(&found[**at]));
            let Some(at) = long.filter(|_| !is_nested) else { continue };
            found[*at].hold(block);
            item.node.end = end_of_line_behind(item.node.end, text);
        }
        around.push(found.len());
        found.push(item);
    }
    if found.len() > MAX_ITEMS {
        found.retain(|item| item.detail.is_none());
    }
    found
}

/// Returns the end of the line of a member that ends here, if only a separator and a comment stand
/// behind it: `int age; /* in seconds */`.
fn end_of_line_behind(end: usize, text: &str) -> usize {
    let line = text[end..].lines().next().unwrap_or_default();
    let separator = line.len() - line.trim_start_matches([';', ',']).len();
    let comment = line[separator..].trim();
    let is_whole = comment.starts_with("//")
        || comment.starts_with("/*") && comment.find("*/") == Some(comment.len() - "*/".len());
    end + if is_whole { line.trim_end().len() } else { separator }
}

/// Gives the members of types the visibility of the marker above them, unless they have their own.
fn mark_members(language: &Language, found: &mut [Captured], mut markers: Vec<Range<usize>>) {
    if markers.is_empty() {
        return;
    }
    markers.sort_by_key(|marker| marker.start);
    let mut markers = markers.into_iter().peekable();
    // The items around this place, each with the last marker that stands straight in it.
    let mut open: Vec<(Range<usize>, Option<Range<usize>>)> = Vec::new();
    for item in found {
        while let Some(marker) = markers.next_if(|marker| marker.start < item.node.start) {
            open.retain(|(node, _)| node.end > marker.start);
            if let Some((_, last)) = open.last_mut() {
                *last = Some(marker);
            }
        }
        open.retain(|(node, _)| node.end > item.node.start);
        // Ruby hides methods alone.
        let is_method = item.kind.is_function() || item.kind == ItemKind::Property;
        let is_hidden = language.name != "ruby" || is_method;
        let above = open.last().and_then(|(_, marker)| marker.clone()).filter(|_| is_hidden);
        item.visibility = item.visibility.take().or(above);
        open.push((item.node.clone(), None));
    }
}

/// Describes the headings of prose, and marks what a module of Haskell exports.
fn describe(language: &Language, outline: &mut Outline, text: &str) {
    match language.name {
        "asciidoc" | "rdoc" => prose::describe(outline, text, asciidoc::first_prose, &["----"]),
        "haskell" => mark_exports(outline, text),
        "markdown" => prose::describe(outline, text, prose::first_prose, &["```", "~~~"]),
        "rst" => prose::describe(outline, text, rst::first_prose, &[]),
        _ => {}
    }
}

/// Merges the captures that several patterns made of one node.
fn merge_same_nodes(found: &mut Vec<Captured>) {
    found.sort_by_key(|item| (item.node.start, std::cmp::Reverse(item.node.end), item.pattern));
    found.dedup_by(|later, earlier| {
        let same = later.node == earlier.node;
        if same {
            earlier.merge(std::mem::replace(later, Captured::new(later.kind, 0..0, 0)));
        }
        same
    });
}

/// Returns the long functions of which functions and types are a third and more.
fn containers_of_functions(found: &[Captured]) -> HashSet<Range<usize>> {
    let mut containers = HashSet::new();
    for (at, outer) in found.iter().enumerate() {
        let node = &outer.node;
        if !outer.kind.is_function() || node.len() <= LONG_FUNCTION {
            continue;
        }
        let mut end = node.start;
        let mut n_bytes = 0;
        for inner in found[at + 1..].iter().take_while(|inner| inner.node.start < node.end) {
            if is_definition(inner) && inner.node.start >= end {
                end = inner.node.end;
                n_bytes += inner.node.len();
            }
        }
        if 3 * n_bytes >= node.len() {
            containers.insert(node.clone());
        }
    }
    containers
}

/// Reports whether an item is a function or a type with a body.
fn is_definition(item: &Captured) -> bool {
    item.body.is_some() && (item.kind.is_function() || item.kind.is_type())
}

/// Returns the name as it is stored. A snippet without a name is named by its text.
fn name_of(language: &Language, item: &Captured, text: &str) -> Option<String> {
    let snippet = || (item.kind == ItemKind::Snippet).then(|| item.node.clone());
    let name = &text[item.name.clone().or_else(snippet)?];
    let is_html = language.name == "markdown" && text[item.node.start..].starts_with("<h");
    let name = if is_html { Cow::Owned(without_tags(name)) } else { Cow::Borrowed(name) };
    Some(tidy_name(item.kind, &name)).filter(|name| !name.is_empty())
}

/// What does not change within a file while its items are placed.
struct CapturedFile<'f> {
    language: &'f Language,
    captures: &'f Captures,
    text: &'f str,
    line_starts: &'f LineStarts,
}

impl CapturedFile<'_> {
    /// Makes an item of what was captured, with what stands around it.
    fn place(
        &self,
        item: Captured,
        name: String,
        qualified: String,
        nth: u32,
        parent: Option<usize>,
        around: Range<usize>,
    ) -> Item {
        let CapturedFile { language, text, line_starts, .. } = *self;
        let visibility = visibility(language, &name, item.visibility.clone().map(|at| &text[at]));
        let (start, end) = self.widen(&item.node, &around);
        let (start, doc_above) = self.draw_leading(start, around.start);
        let node_end = end;
        let doc = item.doc.or(doc_above).or_else(|| self.doc_below(end));
        let end = doc.as_ref().map_or(end, |doc| end.max(doc.end));
        let body = item.body.filter(|body| body.start < node_end).or_else(|| {
            let rest = item.signature_end?..node_end;
            (!text[rest.clone()].trim().is_empty()).then(|| trimmed(text, rest))
        });
        let body = body.or_else(|| long_body(item.kind, &item.node, text));
        let head_end =
            item.signature_end.or(body.as_ref().map(|body| body.start)).unwrap_or(node_end);
        let head = start..(start + text[start..head_end.max(start)].trim_end().len());
        let title = match item.of_trait {
            None if item.owner.is_some() => qualified.clone(),
            Some(of_trait) => format!("{} for {name}", tidy_name(item.kind, &text[of_trait])),
            // A table is read as one by its brackets: `[[bench]]`.
            None if language.name == "toml" && text[item.node.start..].starts_with('[') => {
                text[item.node.start..head.end.max(item.node.start)].to_owned()
            }
            None => name.clone(),
        };
        let is_given = language.name == "cpp" && body.is_none() && is_given(&text[head.clone()]);
        let words = text[item.node.start..head.end.max(item.node.start)].split_whitespace();
        let is_part = language.name == "csharp"
            && item.kind.is_type()
            && words.take_while(|word| !word.starts_with(&*name)).any(|word| word == "partial");
        Item {
            name,
            qualified,
            nth,
            title,
            kind: item.kind,
            visibility,
            lines: (line_starts.line(start), line_starts.line(end.max(start + 1) - 1)),
            span: start..end,
            head,
            doc,
            body,
            parent,
            has_children: false,
            has_badges: false,
            is_given,
            is_part,
        }
    }

    /// Widens an item by its wrappers. Decorators, `export` and templates wrap the node they end
    /// with; a semicolon may follow. The wrapper of an outer item is not used.
    fn widen(&self, node: &Range<usize>, around: &Range<usize>) -> (usize, usize) {
        let text = self.text;
        let mut range = node.clone();
        loop {
            let after_semicolon = match text[range.end..].trim_start().strip_prefix(';') {
                Some(rest) => text.len() - rest.len(),
                None => range.end,
            };
            let wider = [range.end, after_semicolon].into_iter().find_map(|end| {
                let starts = self.captures.wrappers.get(&end)?;
                starts
                    .iter()
                    .copied()
                    .filter(|start| *start < range.start && *start >= around.start)
                    .max()
                    .map(|start| start..end)
            });
            match wider {
                Some(wider) => range = wider,
                None => return (range.start, range.end),
            }
        }
    }

    /// Extends an item by the comments and attributes directly above it. The search ends at a blank
    /// line that neither an attribute nor a comment for tools may stand above, at code on the
    /// comment's own line, and at `from`.
    fn draw_leading(&self, start: usize, from: usize) -> (usize, Option<Range<usize>>) {
        let text = self.text;
        let mut start = start;
        let mut doc: Option<Range<usize>> = None;
        loop {
            let above = text[..start].trim_end();
            let gap = &text[above.len()..start];
            let Some(leading) = self.captures.leading.get(&above.len()) else { break };
            let own_line =
                text[..leading.start].bytes().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
            let starts_its_line = matches!(own_line, None | Some(b'\n'));
            let n_breaks = gap.bytes().filter(|byte| *byte == b'\n').count();
            // An attribute may share its line with the item, a comment may not follow code.
            let is_comment = leading.kind == LeadingKind::Comment;
            let is_apart = match leading.kind {
                LeadingKind::AttributeApart => false,
                LeadingKind::Comment if n_breaks == 2 => {
                    !is_doc_apart(&text[..leading.start], &above[leading.start..])
                }
                _ => n_breaks > 1,
            };
            if is_apart || (is_comment && !starts_its_line) || leading.start < from {
                break;
            }
            if is_comment {
                doc = Some(leading.start..doc.map_or(above.len(), |doc| doc.end));
            }
            start = leading.start;
        }
        (start, doc)
    }

    /// Returns the comment directly below an item as its doc comment, when no code follows it
    /// directly: only a blank line or the end of the enclosing node.
    fn doc_below(&self, end: usize) -> Option<Range<usize>> {
        let text = self.text;
        let n_line_breaks = |gap: &str| gap.bytes().filter(|byte| *byte == b'\n').count();
        let after = &text[end..];
        let start = end + (after.len() - after.trim_start().len());
        let doc_end = *self.captures.below.get(&start)?;
        let rest = &text[doc_end..];
        let next = rest.trim_start();
        let stands_alone = n_line_breaks(&rest[..rest.len() - next.len()]) > 1
            || next.is_empty()
            || ["end", "}", ")", "]"].iter().any(|closer| next.starts_with(closer));
        let same_line = n_line_breaks(&text[end..start]) == 0;
        (same_line || n_line_breaks(&text[end..start]) == 1 && stands_alone)
            .then_some(start..doc_end)
    }
}

/// Reports whether a signature ends with `= default` or `= delete`.
fn is_given(head: &str) -> bool {
    let head = head.trim_end_matches(';').trim_end();
    let rest = ["default", "delete"].iter().find_map(|word| head.strip_suffix(word));
    rest.is_some_and(|rest| rest.trim_end().ends_with('='))
}

/// Returns the part in braces of a long type.
fn long_body(kind: ItemKind, node: &Range<usize>, text: &str) -> Option<Range<usize>> {
    if !kind.is_type() || node.len() <= LONG_TYPE {
        return None;
    }
    let own = &text[node.clone()];
    let (open, close) = (own.find('{')?, own.rfind('}')?);
    (open > 0 && open < close).then_some(node.start + open..node.start + close + 1)
}

/// Tags of comments that describe a file, a group or a thing without code, and no item below them.
const OF_NO_ITEM: &[&str] = &[
    "@addtogroup",
    "@callback",
    "@copyright",
    "@defgroup",
    "@file",
    "@import",
    "@license",
    "@module",
    "@name",
    "@overview",
    "@package",
    "@typedef",
];

/// Reports whether a comment describes the item below it, with a blank line between them, as the
/// tools for JSDoc, Javadoc and Doxygen read it. The first comment of a file describes the file.
fn is_doc_apart(before: &str, comment: &str) -> bool {
    comment.starts_with("/**")
        && !comment.starts_with("/***")
        && comment.ends_with("*/")
        && !before.trim().is_empty()
        && !OF_NO_ITEM.iter().any(|tag| comment.contains(tag))
}
