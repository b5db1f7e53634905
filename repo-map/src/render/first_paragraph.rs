//! The first paragraph of a doc comment: the part of it that level interface shows.

use std::ops::Range;

/// Less text than this after the first paragraph, in bytes, is shown too: a mark costs as much.
const SHORT_REST: usize = 40;

/// The cut of a doc comment after its first paragraph.
pub(super) struct DocCut {
    /// The end of the last line before the cut.
    pub(super) kept: usize,
    /// The line in the place of the rest.
    pub(super) mark: String,
    /// The start of the line after the cut; the end of the comment when it ends in the cut.
    pub(super) resumes: usize,
}

/// The form of a comment: how its lines begin and end.
enum Form {
    /// Each line begins with the mark.
    Lines(char),
    /// Begins with the opener and ends with the closer.
    Block { opener: &'static str, closer: &'static str },
}

/// Returns the length in bytes of what level interface shows of a comment.
pub(crate) fn length_of_intro(doc: Option<&Range<usize>>, text: &str) -> u32 {
    let end = |doc| cut(text, doc, "").map_or(doc.end, |cut| cut.kept);
    doc.map_or(0, |doc| end(doc).saturating_sub(doc.start) as u32)
}

/// Returns the cut of a comment; `None` if its first paragraph is nearly all of it.
pub(super) fn cut(text: &str, doc: &Range<usize>, mark: &str) -> Option<DocCut> {
    let comment = text.get(doc.clone())?;
    let form = form(comment)?;
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut at = doc.start;
    for line in comment.split('\n') {
        lines.push((at, line));
        at += line.len() + 1;
    }
    let contents: Vec<&str> =
        lines.iter().enumerate().map(|(nth, (_, line))| form.content(line, nth == 0)).collect();
    let first = contents.iter().position(|content| !content.is_empty())?;
    let ends = |content: &&str| content.is_empty() || is_section(content);
    let last = first + contents[first + 1..].iter().position(ends)?;
    let rest = &contents[last + 1..];
    if rest.iter().map(|content| content.len()).sum::<usize>() < SHORT_REST {
        return None;
    }
    let next = last + 1 + rest.iter().position(|content| !content.is_empty())?;
    // What stands before the words of a line: its indentation and the mark of the comment.
    let (_, line) = lines[next];
    let prefix = &line[..line.find(contents[next])?];
    let (kept, mut mark) =
        (lines[last].0 + lines[last].1.trim_end().len(), format!("{prefix}{mark}"));
    let mut resumes = doc.end;
    if let Form::Block { closer, .. } = form {
        let (start, line) = lines[lines.len() - 1];
        // What follows the comment may be counted to it, such as a further attribute.
        if !line.trim_end().ends_with(closer) {
            return None;
        }
        if contents[lines.len() - 1].is_empty() {
            resumes = start;
        } else {
            mark.push(' ');
            mark.push_str(closer);
        }
    }
    let is_followed = || !text[doc.end..].split('\n').next().unwrap_or("").trim().is_empty();
    (resumes < doc.end || !is_followed()).then_some(DocCut { kept, mark, resumes })
}

fn form(comment: &str) -> Option<Form> {
    let first = comment.lines().next()?.trim_start();
    let blocks = [("/*", "*/"), ("(*", "*)"), ("{-", "-}")];
    if let Some((opener, closer)) = blocks.into_iter().find(|(opener, _)| first.starts_with(opener))
    {
        return Some(Form::Block { opener, closer });
    }
    if let Some(quotes) = ["\"\"\"", "'''"].into_iter().find(|quotes| first.contains(quotes)) {
        return Some(Form::Block { opener: quotes, closer: quotes });
    }
    let mark = first.chars().next().filter(|mark| "/#-;%".contains(*mark))?;
    let is_comment = |line: &str| line.trim().is_empty() || line.trim_start().starts_with(mark);
    comment.lines().all(is_comment).then_some(Form::Lines(mark))
}

impl Form {
    /// Returns the words of a line.
    fn content<'a>(&self, line: &'a str, is_first: bool) -> &'a str {
        match self {
            Form::Lines(mark) => line.trim_start().trim_start_matches([*mark, '!']).trim(),
            Form::Block { opener, closer } => {
                let line = match line.split_once(opener).filter(|_| is_first) {
                    Some((_, rest)) => rest,
                    None => line,
                };
                let line = line.trim();
                let line = line.strip_suffix(closer).unwrap_or(line);
                match *opener {
                    "/*" | "(*" => line.trim_start_matches(['*', '!']).trim(),
                    _ => line.trim(),
                }
            }
        }
    }
}

/// Elements of C#'s documentation that follow the summary, or end a paragraph.
const ELEMENTS: &[&str] = &[
    "/para",
    "/summary",
    "example",
    "exception",
    "param",
    "remarks",
    "returns",
    "seealso",
    "typeparam",
    "value",
];
/// Elements of HTML that begin a block: Javadoc has them in the place of empty lines.
const BLOCKS: &[&str] =
    &["blockquote", "dl", "h1", "h2", "h3", "h4", "hr", "img", "ol", "p", "pre", "table", "ul"];

/// Reports whether a line begins a part of its own: `@param`, `\return`, `:raises:`, `<p>`. A
/// Sphinx role (``:class:`Matrix` ``) is a word of a sentence.
fn is_section(content: &str) -> bool {
    if let Some(element) = content.strip_prefix('<') {
        let name = element.split([' ', '>']).next().unwrap_or(element);
        return ELEMENTS.contains(&name) || BLOCKS.contains(&name.trim_end_matches('/'));
    }
    let word = content.strip_prefix(['@', '\\', ':']).unwrap_or("");
    let is_role = content.starts_with(':') && {
        let name = word.trim_start_matches(|c: char| c.is_alphanumeric() || ":._+-".contains(c));
        name.starts_with('`') && word[..word.len() - name.len()].ends_with(':')
    };
    word.starts_with(|first: char| first.is_ascii_alphabetic()) && !is_role
}
