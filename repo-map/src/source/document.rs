//! Documents in memory: a tree without a folder.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::source::location::{DocumentKind, Location};
use crate::source::scan::{FileEntry, Tree, map_order, notation, notation_of_git, sort_entries};

/// A document in memory: a page, a section of a manual, an unwritten file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The name, relative and unique, with `/` between its parts: `guide/install.md`. The extension
    /// determines the language.
    pub path: String,
    /// The content.
    pub bytes: Arc<[u8]>,
    /// A page of a site: Markdown and documentation, whatever its name says.
    pub is_page: bool,
}

impl Document {
    /// Makes a document from its name and content.
    pub fn new(path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Document {
        Document { path: path.into(), bytes: bytes.into(), is_page: false }
    }

    /// Makes a page of a site from its name and its Markdown. The name may be the path of an
    /// address: `library/json.html`.
    pub fn page(path: impl Into<String>, markdown: impl Into<Arc<[u8]>>) -> Document {
        Document { is_page: true, ..Document::new(path, markdown) }
    }

    /// Returns the name of a document as maps write it: secrets masked, invisible characters
    /// written out.
    pub fn map_name(name: &str) -> String {
        notation_of_git(name.as_bytes())
    }
}

impl Tree {
    /// Makes a tree of documents in memory. It includes all of them: ignore rules do not apply.
    /// Names are sanitized like names of files.
    ///
    /// # Errors
    /// If a name is absolute, leads outside, is given twice, or is also the name of a folder.
    pub fn of_documents(mut documents: Vec<Document>) -> Result<Tree> {
        documents.sort_by(|a, b| map_order(&a.path, &b.path));
        check_names(&documents)?;
        let mut files: Vec<FileEntry> = documents.into_iter().map(FileEntry::of_document).collect();
        sort_entries(&mut files);
        Ok(Tree { files, ..Tree::default() })
    }

    /// Returns what its documents are; the first one decides.
    pub fn kind(&self) -> DocumentKind {
        match self.files.first() {
            Some(first) if first.is_page() => DocumentKind::Page,
            _ => DocumentKind::File,
        }
    }

    /// Returns the tree without these paths, given in map notation.
    pub(crate) fn without(mut self, ignored: &[String]) -> Tree {
        let ignored: BTreeSet<&str> = ignored.iter().map(String::as_str).collect();
        self.files.retain(|file| !ignored.contains(file.path.as_str()));
        self
    }

    /// Returns the position of a file, by its name in map notation or as given.
    pub(crate) fn position(&self, path: &str) -> Option<usize> {
        let at = |path: &str| self.files.binary_search_by(|file| map_order(&file.path, path)).ok();
        at(path).or_else(|| at(&notation(Path::new(path), false)))
    }
}

impl FileEntry {
    fn of_document(document: Document) -> FileEntry {
        FileEntry {
            path: Document::map_name(&document.path),
            bytes: document.bytes.len() as u64,
            location: match document.is_page {
                true => Location::Page(document.bytes),
                false => Location::Memory(document.bytes),
            },
            is_link: false,
            leads_to: None,
            id: None,
            stamp: None,
        }
    }
}

#[cfg(test)]
impl Tree {
    /// Makes a tree of files of one byte.
    pub(crate) fn of_paths(paths: &[&str]) -> Tree {
        let document = |path: &&str| Document::new(*path, *b"x");
        Tree::of_documents(paths.iter().map(document).collect()).expect("the paths are names")
    }
}

/// Checks that the names could be those of files in one folder tree.
fn check_names(documents: &[Document]) -> Result<()> {
    let mut names = BTreeSet::new();
    for Document { path, .. } in documents {
        if path.starts_with('/') {
            let message = "is absolute (names are relative: `guide/install.md`)";
            return Err(Error::document(path, message));
        }
        if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
            let message = "has a part that is no name (`.`, `..` or nothing)";
            return Err(Error::document(path, message));
        }
        if !names.insert(path.as_str()) {
            return Err(Error::document(path, "is given twice"));
        }
    }
    for path in &names {
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        if let Some(folder) = folders.find(|folder| names.contains(folder)) {
            let message = format!("stands in `{folder}`, which is a document and no folder");
            return Err(Error::document(path, &message));
        }
    }
    Ok(())
}
