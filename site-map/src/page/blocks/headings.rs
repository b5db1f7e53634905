//! Headings and definitions, which begin sections.

use std::collections::HashSet;

use ego_tree::NodeRef;
use scraper::{ElementRef, Node};

use super::BlockWriter;
use super::terms::{
    has_sections, is_option, is_prose, is_reference, name_beside_type, name_of_item,
};
use crate::address::decoded;
use crate::page::element::{NEAR, anchors_in, is_heading, is_mark, is_of_lines, plain_text};
use crate::page::generator_rows::Structure;
use crate::page::model::{BlockKind, PageBlock, PageHeading};
use crate::page::tree::MAX_RANK;
use crate::page::{definition, markdown};

/// The longest title that is made of several names, in bytes.
const MAX_NAMES: usize = 80;
/// The longest name of an entry of an index beside its links, in characters: each has it.
const MAX_ENTRY: usize = 300;

/// What stands in a list of definitions.
struct ListPart<'h> {
    node: NodeRef<'h, Node>,
    /// The fragment that leads to the group that it stands in.
    around: Option<&'h str>,
    /// A description stands after it.
    is_explained: bool,
}

impl BlockWriter<'_> {
    pub(super) fn heading(&mut self, element: ElementRef<'_>) {
        let rank = element.value().name().strip_prefix('h').and_then(|rank| rank.parse().ok());
        self.heading_of(element, rank.unwrap_or(1));
    }

    /// Writes an element as a heading of this level.
    pub(super) fn heading_of(&mut self, element: ElementRef<'_>, level: u8) {
        self.flush_leads();
        let title = self.words_or_picture(element);
        if title.is_empty() {
            return;
        }
        let mut anchors: Vec<String> = element.attr("id").map(decoded).into_iter().collect();
        anchors.extend(self.waiting_anchors());
        let inside = element.descendent_elements().skip(1);
        anchors.extend(
            inside.filter_map(|one| one.attr("id").or_else(|| one.attr("name"))).map(decoded),
        );
        if level + self.lowered <= self.below {
            self.lowered = self.below + 1 - level;
        }
        let level = level + self.lowered;
        self.section = if self.below > 0 { level - self.n_around.min(level) } else { level };
        let is_definition = element.value().classes().any(|class| class == "code-header");
        if is_definition {
            self.define(&title, None, anchors, level.min(MAX_RANK));
        } else if level > MAX_RANK {
            // No rank is left below the definition.
            self.push(BlockKind::Paragraph, format!("**{title}**"));
        } else {
            self.title(title, anchors, level, false);
        }
        self.links_in(element);
    }

    /// Writes an element as a heading below the section or the definition around this place. The
    /// next one stands beside it.
    pub(super) fn subheading(&mut self, element: ElementRef<'_>) {
        self.flush_leads();
        let title = self.words_or_picture(element);
        if title.is_empty() {
            return;
        }
        let mut anchors = anchors_in(element);
        anchors.extend(self.waiting_anchors());
        match self.level_below() {
            level @ ..=MAX_RANK => self.title(title, anchors, level, false),
            _ => self.push(BlockKind::Paragraph, format!("**{title}**")),
        }
        self.links_in(element);
    }

    /// Returns the level below the section and the definitions around this place. They may be more
    /// than there are levels.
    pub(super) fn level_below(&self) -> u8 {
        (self.section + 1).saturating_add(self.n_around)
    }

    /// Takes the nearest fragments of what stands before or around this place.
    fn waiting_anchors(&mut self) -> impl Iterator<Item = String> {
        self.waiting.drain(..).rev().take(NEAR)
    }

    /// Writes the title of a note, which the paragraph after it begins with.
    pub(super) fn lead(&mut self, element: ElementRef<'_>) {
        self.flush_leads();
        let title = self.words_or_picture(element);
        if !title.is_empty() {
            self.leads.push(format!("{}:", title.trim_end_matches(':')));
        }
    }

    fn words_or_picture(&mut self, element: ElementRef<'_>) -> String {
        let words = self.words(element);
        if words.is_empty() { picture_of(element) } else { words }
    }

    pub(super) fn title(
        &mut self,
        title: String,
        mut anchors: Vec<String>,
        level: u8,
        is_definition: bool,
    ) {
        if self.n_parts_around > 0 {
            self.push(BlockKind::Paragraph, format!("**{title}**"));
            return;
        }
        let mut seen = HashSet::new();
        anchors.retain(|anchor| seen.insert(anchor.clone()));
        let text = format!("{} {title}", "#".repeat(usize::from(level)));
        let heading = PageHeading { level, title, anchors, is_definition };
        self.push(BlockKind::Heading(heading), text);
    }

    /// Writes the name of a definition, which its signature may mark; the signature begins the
    /// paragraph after it.
    fn define(&mut self, signature: &str, marked: Option<String>, anchors: Vec<String>, level: u8) {
        let anchor = anchors.first().map(String::as_str);
        let name = marked.unwrap_or_else(|| definition::name_of(signature, anchor));
        if name != signature {
            self.leads.push(markdown::code(signature));
        }
        self.title(name, anchors, level, true);
    }

    /// Writes a signature that is no `dt` as the name of a definition.
    pub(super) fn definition(&mut self, element: ElementRef<'_>) {
        self.flush();
        let level = (self.section + 1).min(MAX_RANK);
        let signature = self.words(element);
        if signature.is_empty() {
            return;
        }
        let mut anchors = anchors_in(element);
        anchors.extend(self.waiting_anchors());
        // One text below several signatures is of all of them.
        let before = element.prev_siblings().find_map(ElementRef::wrap);
        let is_one_more =
            before.is_some_and(|one| self.generator.structure(one) == Some(Structure::Definition));
        if !is_one_more || !self.join_definition(&signature, &anchors) {
            self.flush_leads();
            let name = self.generator.name_in(element);
            self.define(&signature, name, anchors, level);
        }
    }

    /// Writes the whole signature of the definition that was just written, in the place of the
    /// shorter one of its title; without one before it, as code.
    pub(super) fn signature(&mut self, element: ElementRef<'_>) {
        self.flush();
        let last = self.written.blocks.last().map(|block| &block.kind);
        match last {
            Some(BlockKind::Heading(heading)) if heading.is_definition => {
                let signature = self.words(element);
                let signature = signature.replace("( ", "(").replace(" )", ")").replace(" ,", ",");
                self.leads.clear();
                self.leads.push(markdown::code(&signature));
            }
            _ => self.code(element),
        }
    }

    /// Writes what only places its content. What follows a table of definitions is none of theirs.
    pub(super) fn layout(&mut self, element: ElementRef<'_>) {
        let last = self.last_heading;
        self.block(element);
        if element.value().name() == "table" && self.last_heading != last {
            self.flush_leads();
            self.ended = Some((self.section + 1).min(MAX_RANK));
        }
    }

    pub(super) fn definitions(&mut self, list: ElementRef<'_>) {
        self.flush_leads();
        let level = self.level_below().min(MAX_RANK);
        let is_reference = is_reference(list) || has_sections(list, self.n_around);
        let mut has_section = false;
        let (mut is_after_name, mut is_after_heading) = (false, false);
        for part in self.parts_in(list) {
            let Some(child) = ElementRef::wrap(part.node) else {
                part.node.value().as_text().into_iter().for_each(|text| self.text(text));
                continue;
            };
            if !self.shows(child) {
                continue;
            }
            let is_term = child.value().name() == "dt";
            if is_term && is_entry(child) {
                self.entry(child);
                (is_after_name, is_after_heading) = (false, false);
            } else if is_term && child.descendent_elements().any(is_heading) {
                self.block(child);
                (is_after_name, is_after_heading) = (false, true);
            } else if is_term {
                let last = self.last_heading;
                is_after_name = self.term(child, &part, level, is_after_name, is_reference);
                has_section |= self.last_heading != last;
                is_after_heading = false;
                self.links_in(child);
            } else {
                let around = (self.below, self.lowered, self.section);
                if has_section {
                    (self.below, self.lowered) = (level, 0);
                }
                let n_around = self.n_around;
                self.n_around = n_around.saturating_add(u8::from(!is_after_heading));
                // Code and tables may stand straight in the list.
                match child.value().name() {
                    "dd" => self.write(child),
                    _ => self.element(child),
                }
                self.flush();
                self.n_around = n_around;
                if has_section {
                    (self.below, self.lowered, self.section) = around;
                }
                is_after_name = false;
            }
        }
        self.flush_leads();
        if has_section {
            self.ended = Some(level);
        }
    }

    /// Writes the items of a list of names, each as a section.
    pub(super) fn list_of_names(&mut self, list: ElementRef<'_>) {
        self.flush_leads();
        let level = self.level_below().min(MAX_RANK);
        let around = (self.below, self.lowered, self.section);
        for item in list.child_elements().filter(|one| one.value().name() == "li") {
            let Some(name) = name_of_item(item).filter(|_| self.shows(item)) else { continue };
            let title = definition::name_of(&self.words(name), None);
            let mut anchors: Vec<String> = item.attr("id").map(decoded).into_iter().collect();
            anchors.extend(name.prev_siblings().filter_map(ElementRef::wrap).flat_map(anchors_in));
            self.title(title, anchors, level, true);
            (self.below, self.lowered) = (level, 0);
            let n_around = self.n_around;
            self.n_around = n_around.saturating_add(1);
            self.write(item);
            self.flush_leads();
            self.n_around = n_around;
            (self.below, self.lowered, self.section) = around;
        }
        self.ended = Some(level);
    }

    /// Returns what stands in a list of definitions, and in the groups of its parts.
    fn parts_in<'h>(&mut self, list: ElementRef<'h>) -> Vec<ListPart<'h>> {
        let is_part = |one: ElementRef<'_>| matches!(one.value().name(), "dt" | "dd");
        let is_group =
            |one: &ElementRef<'_>| one.value().name() == "div" && one.child_elements().any(is_part);
        let mut parts = Vec::new();
        for part in list_parts(list, None) {
            match ElementRef::wrap(part.node).filter(is_group) {
                Some(group) if self.shows(group) => {
                    parts.extend(list_parts(group, group.attr("id")));
                }
                Some(_) => {}
                None => parts.push(part),
            }
        }
        parts
    }

    /// Writes an entry of an index: all of it is the words of its links.
    fn entry(&mut self, term: ElementRef<'_>) {
        self.flush_leads();
        let words = self.words(term);
        if words.is_empty() {
            return;
        }
        let name: String = words_before_links(term).chars().take(MAX_ENTRY).collect();
        let is_link = |one: &ElementRef<'_>| one.value().name() == "a" && !is_mark(*one);
        for link in term.descendent_elements().filter(is_link) {
            let n_links = self.written.links.len();
            self.keep_link(link);
            for link in &mut self.written.links[n_links..] {
                link.text = format!("{name}, {}", link.text);
            }
        }
        self.plain.add_linked(&words);
        self.push(BlockKind::Paragraph, markdown::paragraph(&words));
    }

    /// Writes a term of a list of definitions, as a section if something can lead to it or if the
    /// list is a reference; reports whether it is one, which the next term may be another signature
    /// of.
    fn term(
        &mut self,
        term: ElementRef<'_>,
        part: &ListPart<'_>,
        level: u8,
        is_after_name: bool,
        is_of_reference: bool,
    ) -> bool {
        let mut anchors = anchors_in(term);
        anchors.extend(part.around.map(decoded));
        // Texinfo has a colon where what is defined has no kind.
        let signature = self.words(term).trim_start_matches(": ").to_owned();
        let is_section = is_of_reference || !anchors.is_empty() || is_option(&signature);
        if !is_section || signature.is_empty() || self.n_parts_around > 0 {
            self.flush_leads();
            if !signature.is_empty() {
                let mark = if part.is_explained { ":" } else { "" };
                self.leads.push(format!("{}{mark}", signature.trim_end_matches(':')));
            }
            return false;
        }
        let marked = self.generator.name_in(term).or_else(|| name_beside_type(term));
        let is_title = anchors.is_empty() && is_prose(term);
        let marked =
            marked.or_else(|| is_title.then(|| signature.trim_end_matches(':').to_owned()));
        if let Some(code) = term.descendent_elements().find(|one| is_of_lines(*one)) {
            self.flush_leads();
            let anchor = anchors.first().map(String::as_str);
            let name = marked.unwrap_or_else(|| definition::name_of(&signature, anchor));
            self.title(name, anchors, level, true);
            self.code(code);
            return false;
        }
        let mut signatures = self.signatures_of(term, signature).into_iter();
        let first = signatures.next().unwrap_or_default();
        if !is_after_name || !self.join_definition(&first, &anchors) {
            self.flush_leads();
            self.define(&first, marked, anchors, level);
        }
        for further in signatures {
            self.join_definition(&further, &[]);
        }
        true
    }

    /// Returns the signatures of a term that is a section: Texinfo breaks the line between them.
    fn signatures_of(&mut self, term: ElementRef<'_>, whole: String) -> Vec<String> {
        if term.descendent_elements().all(|one| one.value().name() != "br") {
            return vec![whole];
        }
        let mut text = String::new();
        self.lines_with_breaks(term, &mut text);
        let lines = text.lines().map(|line| line.trim_matches([' ', ':', '¶', '§']).to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// Adds one more signature to the definition that was just written.
    pub(super) fn join_definition(&mut self, signature: &str, anchors: &[String]) -> bool {
        let Some(PageBlock { kind: BlockKind::Heading(heading), text, .. }) =
            self.written.blocks.last_mut()
        else {
            return false;
        };
        heading.anchors.extend(anchors.iter().cloned());
        let name = definition::name_of(signature, None);
        // `-p, --prune`: readers look for either.
        let is_short = heading.title.len() + name.len() <= MAX_NAMES;
        let is_named = is_short && is_option(&heading.title) && is_option(&name);
        if !is_named || !self.leads.is_empty() || name != signature {
            // A name that is its own signature has no line of its own yet.
            if self.leads.is_empty() {
                self.leads.push(markdown::code(&heading.title));
            }
            self.leads.push(markdown::code(signature));
        }
        if is_named {
            heading.title.push_str(&format!(", {name}"));
            text.push_str(&format!(", {name}"));
        }
        true
    }
}

/// Reports whether a term is an entry of an index: DocBook marks it by its fragment, or it is a few
/// words, a comma and links, and nothing explains it.
fn is_entry(term: ElementRef<'_>) -> bool {
    if term.attr("id").is_some_and(|id| id.starts_with("ientry-")) {
        return true;
    }
    let next = term.next_siblings().find_map(ElementRef::wrap);
    let is_list =
        |one: ElementRef<'_>| one.child_elements().all(|part| part.value().name() == "dl");
    let is_explained = next.is_some_and(|one| one.value().name() == "dd" && !is_list(one));
    let children = || term.child_elements();
    let are_links = children().all(|one| one.value().name() == "a" && one.attr("href").is_some());
    let begins = term.text().next().unwrap_or_default().trim_end();
    !is_explained && are_links && children().next().is_some() && begins.ends_with(',')
}

/// Returns the words of an entry of an index that stand before its links.
fn words_before_links(term: ElementRef<'_>) -> String {
    let nodes = term
        .children()
        .take_while(|node| node.value().as_element().is_none_or(|element| element.name() != "a"));
    let text = nodes.map(|node| match (node.value().as_text(), ElementRef::wrap(node)) {
        (Some(text), _) => text.to_string(),
        (None, Some(element)) => plain_text(element),
        (None, None) => String::new(),
    });
    let text: String = text.collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches(',').to_owned()
}

/// Returns the parts of a list or of a group in it, in one pass: a list may have many terms.
fn list_parts<'h>(around: ElementRef<'h>, id: Option<&'h str>) -> Vec<ListPart<'h>> {
    let mut is_explained = false;
    let part = |node: NodeRef<'h, Node>| {
        let part = ListPart { node, around: id, is_explained };
        is_explained |= ElementRef::wrap(node).is_some_and(|one| one.value().name() == "dd");
        part
    };
    let mut parts: Vec<ListPart<'h>> = around.children().rev().map(part).collect();
    parts.reverse();
    parts
}

/// Returns what the first picture in an element shows. A sign of a font has a title.
fn picture_of(element: ElementRef<'_>) -> String {
    let shows = element.descendent_elements().find_map(|one| match one.value().name() {
        "img" => one.attr("alt"),
        "i" => one.attr("title"),
        _ => None,
    });
    let shows = shows.unwrap_or_default();
    shows.split_whitespace().collect::<Vec<_>>().join(" ")
}
