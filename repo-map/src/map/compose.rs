//! Composes the text of a selection: the blocks of files and folders in map order, header and
//! footer.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::fit::folders::{FoldLine, Folders, Low};
use crate::fit::{self, Shown};
use crate::level::Level;
use crate::map::repo_map::and_more;
use crate::map::{Part, PartKind};
use crate::outline::Outline;
use crate::outline::languages::Languages;
use crate::render::{self, Page, Style};
use crate::score::index::IndexEntry;
use crate::source::scan::{self, SiteFacts, Source, Tree};
use crate::text::mask;
use crate::text::sanitize::{Gate, Sanitized};

/// A level for every file, in the form for rendering.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub(crate) shown: Vec<Shown>,
    pub(crate) marks: Vec<Option<&'static str>>,
    /// The level that a rule requested and that did not fit.
    pub(crate) requested: Vec<Option<Level>>,
}

pub(crate) struct Rendered {
    pub(crate) text: Sanitized,
    pub(crate) parts: Vec<Part>,
    pub(crate) tokens: u32,
    pub(crate) selection: Selection,
    /// The digests of every file shown above level path.
    pub(crate) digests: BTreeMap<String, blake3::Hash>,
    pub(crate) n_masked: u32,
    pub(crate) n_invisible: u32,
    /// The lines whose text is shown, by position of the file.
    pub(crate) spans: BTreeMap<usize, Vec<(u32, u32)>>,
}

/// The inputs from which a selection is rendered.
#[derive(Clone, Copy)]
pub(crate) struct Canvas<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) folders: &'a Folders,
    pub(crate) languages: &'a Languages,
    /// The known index entries; missing outlines are made again.
    pub(crate) entries: &'a [Option<&'a IndexEntry>],
    pub(crate) style: Style,
    pub(crate) gate: Gate,
}

/// Renders a selection: a pure function of the files' bytes, the selection and the budget.
pub(crate) fn draw(canvas: Canvas<'_>, selection: Selection, budget: u32) -> Rendered {
    let Canvas { tree, .. } = canvas;
    let files: Vec<usize> =
        (0..tree.files.len()).filter(|file| selection.shown[*file].low() == Low::Shown).collect();
    let blocks: Vec<FileBlock> =
        files.par_iter().map(|file| canvas.block(*file, &selection)).collect();
    let n_masked = blocks.iter().map(|block| block.n_masked).sum();
    let n_invisible = blocks.iter().map(|block| block.n_invisible).sum();
    let digests = blocks
        .iter()
        .filter_map(|block| Some((tree.files[block.file].path.clone(), block.digest?)));
    let digests = digests.collect();
    let mut placed = canvas.fold_lines(&selection);
    let mut spans = BTreeMap::new();
    for block in blocks {
        placed.push(canvas.placed(block.file, &block.texts));
        spans.insert(block.file, block.spans);
    }
    placed.sort_by(|a, b| a.place.cmp(&b.place).then_with(|| a.part.path.cmp(&b.part.path)));
    let body = placed.into_iter().map(|placed| (placed.part, placed.text)).collect();
    let all = canvas.within_budget(body, &selection, budget);
    let tokens = size(&all) as u32;
    let text = Sanitized::made_of_documents(all.iter().map(|(_, text)| text.as_str()).collect());
    let parts = all.into_iter().map(|(part, _)| part).collect();
    Rendered { text, parts, tokens, selection, digests, n_masked, n_invisible, spans }
}

/// The text of one file in blocks, with its facts.
#[derive(Default)]
struct FileBlock {
    file: usize,
    texts: Vec<String>,
    /// The digest, if the file was read.
    digest: Option<blake3::Hash>,
    n_masked: u32,
    n_invisible: u32,
    spans: Vec<(u32, u32)>,
}

/// A block of the map with its position: the start of a site, then by its first file, folders
/// before files.
struct PlacedPart {
    place: (u8, usize, u8),
    part: Part,
    text: String,
}

impl Canvas<'_> {
    fn block(&self, file: usize, selection: &Selection) -> FileBlock {
        match &selection.shown[file] {
            Shown::Exclude | Shown::Fold => FileBlock { file, ..FileBlock::default() },
            Shown::Path => {
                FileBlock { file, texts: self.path_line(file, selection), ..FileBlock::default() }
            }
            Shown::Items(_) | Shown::Full => self.block_of_text(file, selection),
        }
    }

    fn path_line(&self, file: usize, selection: &Selection) -> Vec<String> {
        let path = &self.tree.files[file].path;
        vec![render::path_line(path, self.tree.title(path), selection.marks[file], self.style)]
    }

    fn block_of_text(&self, file: usize, selection: &Selection) -> FileBlock {
        let (path, style) = (&self.tree.files[file].path, self.style);
        let shown = &selection.shown[file];
        let source = scan::read(&self.tree.files[file], self.gate);
        let language = self.languages.of(path, &source);
        let outline = match shown {
            Shown::Items(_) => self.outline(file, &source),
            // Files shown in full need no outline.
            _ => Cow::Owned(Outline::default()),
        };
        let page = Page::new(path, language, &source.text, &outline);
        let (texts, spans) = match shown {
            Shown::Items(choice) if choice.items.len() == outline.items.len() => {
                (page.partial(choice, style), page.shown_lines(choice))
            }
            // The file changed after its items were chosen.
            Shown::Items(_) => (self.path_line(file, selection), Vec::new()),
            _ => (vec![page.full(style)], page.all_lines()),
        };
        let n_shown = |mark: &str| texts.iter().map(|text| text.matches(mark).count() as u32).sum();
        FileBlock {
            n_masked: source.n_masked.min(n_shown(mask::REPLACEMENT_START)),
            n_invisible: source.n_invisible.min(n_shown("\\u{")),
            digest: Some(source.digest),
            file,
            texts,
            spans,
        }
    }

    /// Returns the known outline, or makes it.
    fn outline(&self, file: usize, source: &Source) -> Cow<'_, Outline> {
        let known = self.entries.get(file).copied().flatten();
        match known.filter(|entry| entry.is_of(source)) {
            Some(entry) => Cow::Borrowed(&entry.depth.outline),
            None => Cow::Owned(self.languages.outline_of(&self.tree.files[file].path, source).1),
        }
    }

    /// Returns the lines for folders, each at the position of its first file.
    fn fold_lines(&self, selection: &Selection) -> Vec<PlacedPart> {
        let Canvas { tree, folders, style, .. } = *self;
        let low: Vec<Low> = selection.shown.iter().map(Shown::low).collect();
        let placed = |line: FoldLine| {
            let text = fit::fold_text(tree, folders, line, &low, style);
            let folder = &folders.list[line.folder];
            let kind = if line.is_whole { PartKind::Folder } else { PartKind::RestOfFolder };
            let tokens = style.tokenizer.count(&text);
            PlacedPart {
                place: (1, folder.files.start, u8::from(line.is_whole)),
                part: Part { kind, path: folder.path.clone(), tokens },
                text,
            }
        };
        folders.lines(&low).into_iter().map(placed).collect()
    }

    fn placed(&self, file: usize, texts: &[String]) -> PlacedPart {
        let path = self.tree.files[file].path.clone();
        let tokens = texts.iter().map(|text| self.style.tokenizer.count(text)).sum();
        let place = (u8::from(!self.tree.is_start(&path)), file, 2);
        let part = Part { kind: PartKind::File, path, tokens };
        PlacedPart { place, part, text: texts.concat() }
    }

    /// Adds header and footer to the body, as far as the budget allows.
    fn within_budget(
        &self,
        mut body: Vec<(Part, String)>,
        selection: &Selection,
        budget: u32,
    ) -> Vec<(Part, String)> {
        let Canvas { tree, style, .. } = *self;
        // A file that grew while it was read must not push the map over its budget.
        while size(&body) > u64::from(budget) {
            body.pop();
        }
        let rim = |kind, text: String| {
            (Part { kind, path: String::new(), tokens: style.tokenizer.count(&text) }, text)
        };
        let header = rim(PartKind::Header, render::header(tree.kind(), style).to_owned());
        let lines = footer_lines(tree, &selection.shown, &selection.requested, budget);
        let footer = rim(PartKind::Footer, render::footer(&lines, style));
        // Drop the footer first, then the header.
        let least = rim(PartKind::Footer, render::footer(&[], style));
        let fits = |footer: &(Part, String)| {
            size(&body) + u64::from(header.0.tokens) + u64::from(footer.0.tokens)
                <= u64::from(budget)
        };
        // A map without a body has its full footer or no footer.
        let footers = if body.is_empty() { vec![footer] } else { vec![footer, least] };
        let footer = footers.into_iter().find(fits).filter(|_| !tree.files.is_empty());
        if let Some(footer) = footer {
            body.insert(0, header);
            body.push(footer);
        }
        body.retain(|(_, text)| !text.is_empty());
        body
    }
}

fn size(parts: &[(Part, String)]) -> u64 {
    parts.iter().map(|(part, _)| u64::from(part.tokens)).sum()
}

/// Returns the footer: what was requested and did not fit, and the location of the remaining files.
/// It is short, because it costs tokens; the JSON report has every path.
pub(crate) fn footer_lines(
    tree: &Tree,
    shown: &[Shown],
    requested: &[Option<Level>],
    budget: u32,
) -> Vec<String> {
    let most = (budget / 400).clamp(1, 12) as usize;
    let mut lines = Vec::new();
    let demoted: Vec<usize> = (0..shown.len())
        .filter(|file| requested[*file].is_some() && shown[*file].low() == Low::Shown)
        .collect();
    if !demoted.is_empty() {
        let name = |file: &usize| {
            format!(
                "{} (asked {})",
                tree.files[*file].path,
                requested[*file].unwrap_or(Level::Full)
            )
        };
        let named: Vec<String> = demoted.iter().take(most).map(name).collect();
        lines.push(format!("Demoted: {}{}.\n", named.join(", "), and_more(demoted.len(), most)));
    }
    let n_folded = shown.iter().filter(|shown| **shown == Shown::Fold).count();
    if n_folded > 0 {
        lines.push(format!("Folded: {}.\n", tree.kind().count(n_folded)));
    }
    let mut by_folder: BTreeMap<&str, usize> = BTreeMap::new();
    for (file, _) in tree.files.iter().zip(shown).filter(|(_, shown)| **shown == Shown::Exclude) {
        let folder =
            file.path.split_once('/').map_or("./", |(first, _)| &file.path[..=first.len()]);
        *by_folder.entry(folder).or_default() += 1;
    }
    if !by_folder.is_empty() {
        let n: usize = by_folder.values().sum();
        let mut by_folder: Vec<(&str, usize)> = by_folder.into_iter().collect();
        by_folder.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let named: Vec<String> =
            by_folder.iter().take(most).map(|(folder, n)| format!("{folder} {n}")).collect();
        lines.push(format!(
            "Not shown: {} ({}{}).\n",
            tree.kind().count(n),
            named.join(", "),
            and_more(by_folder.len(), most)
        ));
    }
    if let Some(SiteFacts { unread, .. }) = &tree.site
        && !unread.is_empty()
    {
        let named = &unread.named[..most.min(unread.named.len())];
        lines.push(format!(
            "Not read: {}, known from links ({}{}).\n",
            tree.kind().count(unread.pages),
            named.join(", "),
            and_more(unread.pages, named.len())
        ));
    }
    lines
}
