//! The lines outside of files: header, footer, paths, folders.

use crate::plan::Format;
use crate::render::style::{Style, attribute};
use crate::source::location::DocumentKind;

/// The mark of a file at level path whose language has no outline although one was requested.
pub(crate) const NO_OUTLINE: &str = "no outline";

/// Renders the line of a file at level path.
pub(crate) fn path_line(
    path: &str,
    title: Option<&str>,
    mark: Option<&str>,
    style: Style,
) -> String {
    match style.format {
        Format::Markdown => {
            let title = title.map(|title| format!(": {title}")).unwrap_or_default();
            let mark = mark.map(|mark| format!(" ({mark})")).unwrap_or_default();
            format!("- {path}{title}{mark}\n")
        }
        Format::Xml => {
            let fields = [("path", Some(path)), ("title", title), ("mark", mark)];
            let written = fields
                .into_iter()
                .filter_map(|(name, value)| Some(format!(" {name}=\"{}\"", attribute(value?))));
            format!("<file{}/>\n", written.collect::<String>())
        }
    }
}

/// Renders the line of a folded directory. It depends on paths alone, so that an edit to a file
/// inside cannot change it.
pub(crate) fn fold_line(
    folder: &str,
    n_files: usize,
    types: &str,
    kind: DocumentKind,
    style: Style,
) -> String {
    match style.format {
        // Pages are of one type.
        Format::Markdown if kind == DocumentKind::Page => {
            format!("- {folder} ({})\n", kind.count(n_files))
        }
        Format::Markdown => format!("- {folder} ({}: {types})\n", kind.count(n_files)),
        Format::Xml => format!(
            "<folder path=\"{}\" files=\"{n_files}\" types=\"{}\"/>\n",
            attribute(folder),
            attribute(types)
        ),
    }
}

/// Renders the line of folded files beside shown ones.
pub(crate) fn rest_of_folder_line(
    folder: &str,
    n_files: usize,
    kind: DocumentKind,
    style: Style,
) -> String {
    match style.format {
        Format::Markdown => format!("- {folder} +{}\n", kind.count(n_files)),
        Format::Xml => format!("<folder path=\"{}\" more=\"{n_files}\"/>\n", attribute(folder)),
    }
}

/// Returns the first block of a map.
pub(crate) fn header(kind: DocumentKind, style: Style) -> &'static str {
    match (style.format, kind) {
        (Format::Markdown, DocumentKind::File) => "# Repository map\n",
        (Format::Markdown, DocumentKind::Page) => "# Site map\n",
        (Format::Xml, _) => "<map>\n",
    }
}

/// Renders the last block of a map: the summary of the paths left out.
pub(crate) fn footer(lines: &[String], style: Style) -> String {
    match style.format {
        Format::Markdown if lines.is_empty() => String::new(),
        Format::Markdown => format!("## Left out\n{}", lines.concat()),
        Format::Xml if lines.is_empty() => "</map>\n".to_owned(),
        Format::Xml => format!("<left-out>\n{}</left-out>\n</map>\n", attribute(&lines.concat())),
    }
}
