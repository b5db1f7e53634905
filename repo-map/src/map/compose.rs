//! The text of a selection: the blocks of files and folders in map order, and what is said of the
//! rest.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::fit::folders::{Folders, Low};
use crate::fit::{self, Shown};
use crate::level::Level;
use crate::map::{Part, PartKind};
use crate::outline::Outline;
use crate::outline::languages::Languages;
use crate::render::{self, Page, Style};
use crate::score::index::IndexEntry;
use crate::source::scan::{self, Tree};
use crate::text::sanitize::{Gate, Sanitized};

/// A level for every file, as it is rendered.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub(crate) shown: Vec<Shown>,
    pub(crate) marks: Vec<Option<&'static str>>,
    /// The level that was asked for and did not fit.
    pub(crate) was: Vec<Option<Level>>,
}

pub(crate) struct Rendered {
    pub(crate) text: Sanitized,
    pub(crate) parts: Vec<Part>,
    pub(crate) tokens: u32,
    pub(crate) selection: Selection,
    /// The bytes of every file shown above level path.
    pub(crate) digests: BTreeMap<String, blake3::Hash>,
    pub(crate) n_masked: u32,
    pub(crate) n_invisible: u32,
    /// The lines whose text is shown, by position of the file.
    pub(crate) spans: BTreeMap<usize, Vec<(u32, u32)>>,
}

/// What a selection is drawn from.
#[derive(Clone, Copy)]
pub(crate) struct Canvas<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) folders: &'a Folders,
    pub(crate) languages: &'a Languages,
    /// What is known in depth already; what is not is found out again.
    pub(crate) entries: &'a BTreeMap<usize, IndexEntry>,
    pub(crate) style: Style,
    pub(crate) gate: Gate,
}

/// The text of a selection: a pure function of the files' bytes, the selection and the budget.
pub(crate) fn draw(canvas: Canvas<'_>, selection: &Selection, budget: u32) -> Rendered {
    let Canvas { tree, folders, languages, entries, style, gate } = canvas;
    #[derive(Default)]
    struct Block {
        file: usize,
        blocks: Vec<String>,
        digest: Option<blake3::Hash>,
        n_masked: u32,
        n_invisible: u32,
        spans: Vec<(u32, u32)>,
    }
    let files: Vec<usize> =
        (0..tree.files.len()).filter(|file| selection.shown[*file].low() == Low::Shown).collect();
    let blocks: Vec<Block> = files
        .par_iter()
        .map(|file| {
            let path = &tree.files[*file].path;
            let line = || vec![render::path_line(path, selection.marks[*file], style)];
            match &selection.shown[*file] {
                Shown::Exclude | Shown::Fold => Block { file: *file, ..Block::default() },
                Shown::Path => Block { file: *file, blocks: line(), ..Block::default() },
                shown @ (Shown::Items(_) | Shown::Full) => {
                    let source = scan::read(&tree.files[*file], gate);
                    let language = languages.of(path, &source);
                    let known = entries.get(file).filter(|entry| entry.is_of(&source));
                    let outline = match (shown, known) {
                        (Shown::Items(_), Some(entry)) => Cow::Borrowed(&entry.depth.outline),
                        (Shown::Items(_), None) => {
                            Cow::Owned(languages.outline_of(path, &source).1)
                        }
                        // Whole files are shown as they are.
                        _ => Cow::Owned(Outline::default()),
                    };
                    let page = Page::new(path, language, &source.text, &outline);
                    let (blocks, spans) = match shown {
                        Shown::Items(choice) if choice.items.len() == outline.items.len() => {
                            (page.partial(choice, style), page.shown_lines(choice))
                        }
                        // The file changed since its items were chosen.
                        Shown::Items(_) => (line(), Vec::new()),
                        _ => (vec![page.full(style)], page.all_lines()),
                    };
                    let n_shown = |mark: &str| {
                        blocks.iter().map(|block| block.matches(mark).count() as u32).sum()
                    };
                    let n_masked = source.n_masked.min(n_shown("[masked: "));
                    let n_invisible = source.n_invisible.min(n_shown("\\u{"));
                    Block {
                        file: *file,
                        blocks,
                        digest: Some(source.digest),
                        n_masked,
                        n_invisible,
                        spans,
                    }
                }
            }
        })
        .collect();

    let low: Vec<Low> = selection.shown.iter().map(Shown::low).collect();
    // Lines for folders stand where their first file would.
    let mut placed: Vec<((usize, u8), Part, String)> = Vec::new();
    for line in folders.lines(&low) {
        let text = fit::fold_text(tree, folders, line, &low, style);
        let folder = &folders.list[line.folder];
        let kind = if line.is_whole { PartKind::Folder } else { PartKind::RestOfFolder };
        let tokens = style.tokenizer.count(&text);
        placed.push((
            (folder.files.start, u8::from(line.is_whole)),
            Part { kind, path: folder.path.clone(), tokens },
            text,
        ));
    }
    let mut digests = BTreeMap::new();
    let (mut n_masked, mut n_invisible) = (0, 0);
    let mut spans = BTreeMap::new();
    for block in blocks {
        spans.insert(block.file, block.spans);
        let path = tree.files[block.file].path.clone();
        let tokens = block.blocks.iter().map(|block| style.tokenizer.count(block)).sum();
        if let Some(digest) = block.digest {
            digests.insert(path.clone(), digest);
        }
        n_masked += block.n_masked;
        n_invisible += block.n_invisible;
        placed.push((
            (block.file, 2),
            Part { kind: PartKind::File, path, tokens },
            block.blocks.concat(),
        ));
    }
    placed.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.path.cmp(&b.1.path)));

    let mut body: Vec<(Part, String)> =
        placed.into_iter().map(|(_, part, text)| (part, text)).collect();
    // A file that grew while it was read must not take the map over its budget.
    while size(&body) > u64::from(budget) {
        body.pop();
    }
    let rim = |kind, text: String| {
        (Part { kind, path: String::new(), tokens: style.tokenizer.count(&text) }, text)
    };
    let header = rim(PartKind::Header, render::header(style).to_owned());
    let footer = rim(
        PartKind::Footer,
        render::footer(&footer_lines(tree, &selection.shown, &selection.was, budget), style),
    );
    // First the footer goes, then the header.
    let least = rim(PartKind::Footer, render::footer(&[], style));
    let fits = |footer: &(Part, String)| {
        size(&body) + u64::from(header.0.tokens) + u64::from(footer.0.tokens) <= u64::from(budget)
    };
    // A map of nothing says what is not in it, or says nothing.
    let footers = if body.is_empty() { vec![footer] } else { vec![footer, least] };
    let mut all = body.clone();
    if let Some(footer) = footers.into_iter().find(fits).filter(|_| !tree.files.is_empty()) {
        all.insert(0, header);
        all.push(footer);
    }
    all.retain(|(_, text)| !text.is_empty());
    let tokens = size(&all) as u32;
    let text = Sanitized::made_of_documents(all.iter().map(|(_, text)| text.as_str()).collect());
    let parts = all.into_iter().map(|(part, _)| part).collect();
    Rendered {
        text,
        parts,
        tokens,
        selection: selection.clone(),
        digests,
        n_masked,
        n_invisible,
        spans,
    }
}

fn size(parts: &[(Part, String)]) -> u64 {
    parts.iter().map(|(part, _)| u64::from(part.tokens)).sum()
}

/// What is not in the map: what was asked for and did not fit, and where the rest of the files are.
/// Short, because it is paid for; the JSON report has every path.
pub(crate) fn footer_lines(
    tree: &Tree,
    shown: &[Shown],
    was: &[Option<Level>],
    budget: u32,
) -> Vec<String> {
    let most = (budget / 400).clamp(1, 12) as usize;
    let mut lines = Vec::new();
    let demoted: Vec<usize> = (0..shown.len())
        .filter(|file| was[*file].is_some() && shown[*file].low() == Low::Shown)
        .collect();
    if !demoted.is_empty() {
        let name = |file: &usize| {
            format!("{} (asked {})", tree.files[*file].path, was[*file].unwrap_or(Level::Full))
        };
        let named: Vec<String> = demoted.iter().take(most).map(name).collect();
        lines.push(format!("Demoted: {}{}.\n", named.join(", "), and_more(demoted.len(), most)));
    }
    let n_folded = shown.iter().filter(|shown| **shown == Shown::Fold).count();
    if n_folded > 0 {
        lines.push(format!("Folded: {}.\n", n_of_files(n_folded)));
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
            n_of_files(n),
            named.join(", "),
            and_more(by_folder.len(), most)
        ));
    }
    lines
}

fn n_of_files(n: usize) -> String {
    if n == 1 { "1 file".to_owned() } else { format!("{n} files") }
}

fn and_more(n: usize, most: usize) -> String {
    if n > most { format!(", {} more", n - most) } else { String::new() }
}
