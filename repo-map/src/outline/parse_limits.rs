//! Limits on parser input: rejects text that makes a parser take quadratic time or abort the
//! process.
//!
//! The parsers are C. A panic can be caught, but a failed assertion in C ends the process, and no
//! limit on their steps prevents it. So the bytes of a text are checked for known causes before it
//! is parsed. Where a check cannot be exact it rejects too much, by limits that files written by
//! people do not approach.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::outline::language::Language;
use crate::outline::parsed_length::{MAX_PARSED, head, most_parsed};
use crate::outline::parts::{code_parts, markdown_parts};

/// The maximum nesting. The time of error recovery grows with the square of the depth, and each
/// unmatched closing bracket is an error.
const MAX_NESTING: usize = 1_000;
/// The maximum number of comments at the beginning. A query that takes them as one description
/// compares each with all before it.
const MAX_COMMENTS: usize = 2_000;
/// The maximum number of indentations. Python's scanner stores the indentations around a line in a
/// kilobyte, two bytes each, and up to 255 strings.
const MAX_INDENTATIONS: usize = 300;
/// The maximum number of columns in which YAML collections begin. Its scanner stores four bytes for
/// each collection around a line, and two collections can begin in one column.
const MAX_COLUMNS: usize = 100;
/// The maximum length of a here-document's word: Ruby's scanner stores it in one byte. Everything
/// open takes up to a kilobyte, and exactly one byte more aborts: five bytes for each string within
/// a string, four and the word for each here-document.
const MAX_HEREDOC_WORD: usize = 255;
const MAX_HEREDOCS: usize = 700;
const MAX_NESTING_OF_STRINGS: usize = 60;

/// The limit for the total cost of chains: the length of each beyond the first links, added up at
/// every link.
const MAX_COST: usize = 2 << 20;
const FREE_LINKS: usize = 100;
/// The length of a tag that is read to its end.
const LONG_TAG: usize = 2_000;
/// The white space between two tags that is looked through.
const MAX_GAP: usize = 200;

/// Returns the parts of a text that are parsed one by one. Those of code begin where functions can
/// stand without what is around them.
pub(crate) fn parts(language: &Language, text: &str) -> Vec<Range<usize>> {
    match language.name {
        "markdown" => markdown_parts(text, MAX_PARSED),
        "elixir" | "ruby" => code_parts(text, most_parsed(language), true),
        "c" | "cpp" | "go" | "javascript" | "kotlin" | "lua" | "rust" | "swift" | "tsx"
        | "typescript" | "zig" => code_parts(text, most_parsed(language), false),
        _ => std::iter::once(0..text.len()).collect(),
    }
}

/// Returns the head of a text that is parsed: all of it, except the rest of a very long text, and
/// except the text after an over-long row of words and operators. Of such a row (`a|b|c`, `!!!!`,
/// `x<y<z`) a parser makes a deep tree; at every error in it, such as an early end of the text,
/// time and memory grow with the square of the depth.
pub(crate) fn parsable<'a>(language: &Language, text: &'a str) -> &'a str {
    let text = head(language, text);
    let ends: &[u8] = match language.name {
        "dockerfile" | "html" | "json" | "markdown" | "toml" | "yaml" => return text,
        "c" | "cpp" | "csharp" | "css" | "java" | "php" | "protobuf" | "rust" | "zig" => b";,{})]",
        "ocaml" | "ocaml-interface" => b"\n{})]",
        _ => b"\n;,{})]",
    };
    let has_tags = matches!(language.name, "javascript" | "tsx");
    &text[..within_limits(text.as_bytes(), ends, has_tags)]
}

/// Returns the start of the chain that exceeds the cost limit, or the length of the text. A line
/// break does not end a chain after an operator, and always ends it before a directive, where it is
/// not mere white space, and between tags.
fn within_limits(text: &[u8], ends: &[u8], has_tags: bool) -> usize {
    let lines_end = ends.contains(&b'\n');
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let (mut links, mut cost, mut begin) = (0_usize, 0, 0);
    let mut before = b'\n';
    let mut string = 0..0;
    let mut knows_strings = has_tags;
    for (at, byte) in text.iter().copied().enumerate() {
        if at < string.end {
            continue;
        }
        match byte {
            b'\n' => knows_strings = has_tags && !text[..at].ends_with(b"\\"),
            b'"' | b'\'' | b'`' if knows_strings => match plain_string(&text[at..]) {
                Some(length) => string = at..at + length,
                None => knows_strings = false,
            },
            _ => {}
        }
        let is_end = match byte {
            b' ' | b'\t' => continue,
            b'\n' if lines_end => {
                !is_operator(before) || has_tags && is_between_tags(text, at, before)
            }
            b'\n' => text.get(at + 1) == Some(&b'#'),
            _ => ends.contains(&byte),
        };
        if is_end {
            (links, begin) = (0, at + 1);
            before = byte;
            continue;
        }
        let goes_on = at > 0 && is_word(byte) && is_word(text[at - 1]);
        // Comments contain drawn lines.
        let is_drawn = at > 0 && byte == text[at - 1] && matches!(byte, b'/' | b'=' | b'#');
        if byte == b'\n' || goes_on || is_drawn {
            continue;
        }
        before = byte;
        links += 1;
        cost += links.saturating_sub(FREE_LINKS);
        if cost > MAX_COST {
            return begin;
        }
    }
    text.len()
}

fn is_operator(byte: u8) -> bool {
    b"|<>&!~*+-?:=^%/@.([$#\\".contains(&byte)
}

/// Returns the length of a string of JavaScript that holds only such text as the path of an image
/// (`"M12 5v-.5"`): one token, not a chain. It is known to be a string if all quotes before it on
/// its line belong to such strings: from within a comment, a template or a regular expression that
/// the line begins in or opens, none of these characters leads back to code.
fn plain_string(text: &[u8]) -> Option<usize> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" .,-:_+%".contains(byte);
    let inside = text.strip_prefix(b"\"")?;
    let length = inside.iter().take_while(|byte| is_plain(byte)).count();
    (inside.get(length) == Some(&b'"')).then_some(length + 2)
}

/// Reports whether a line break stands behind a tag (`<a />`) and before another (`<b>`, `</b>`):
/// the elements in an element are a list in the syntax tree, however many they are.
fn is_between_tags(text: &[u8], at: usize, before: u8) -> bool {
    let mut ahead = text[at..].iter().take(MAX_GAP);
    before == b'>' && ahead.find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<')
}

/// Reports whether a text is nested too deeply for its parser.
pub(crate) fn is_too_deep(language: &Language, text: &str) -> bool {
    let text = text.as_bytes();
    let nesting = match language.name {
        "bash" => nesting_of_shell(text),
        _ => nesting_of_brackets(text),
    };
    nesting > MAX_NESTING
        || match language.name {
            "html" => {
                nesting_of_tags(text, false).max(memchr::memmem::find_iter(text, b"< ").count())
                    > MAX_NESTING
            }
            "javascript" | "tsx" => nesting_of_tags(text, true) > MAX_NESTING,
            "bash" => lines_of_comment(text, b"#") > MAX_COMMENTS,
            "lua" => lines_of_comment(text, b"--") > MAX_COMMENTS,
            "python" => indentations(text) > MAX_INDENTATIONS,
            "yaml" => columns(text) > MAX_COLUMNS,
            "ruby" => {
                let (longest, open) = heredocs(text);
                longest > MAX_HEREDOC_WORD
                    || open > MAX_HEREDOCS
                    || nesting_of_brackets(text).min(interpolations(text)) > MAX_NESTING_OF_STRINGS
            }
            _ => false,
        }
}

/// Returns the maximum depth of brackets, or the number of unmatched closing ones if that is
/// greater. Strings and comments count as code.
fn nesting_of_brackets(text: &[u8]) -> usize {
    let mut brackets = Brackets::default();
    text.iter().for_each(|byte| brackets.read(*byte));
    brackets.nesting()
}

/// Returns the same of a shell script, where the bracket behind each label of a `case` opens none.
fn nesting_of_shell(text: &[u8]) -> usize {
    let mut brackets = Brackets::default();
    // The depth of brackets in which each open `case` is.
    let mut cases: Vec<usize> = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        let n_words = |word: &[u8]| {
            let words = line.split(|byte| byte.is_ascii_whitespace() || *byte == b';');
            words.filter(|other| *other == word).count()
        };
        let n_opened = n_words(b"case");
        let is_in_case = n_opened > 0 || cases.last() == Some(&brackets.depth);
        let label = end_of_label(line).filter(|_| is_in_case);
        let read = line.iter().enumerate().filter(|(at, _)| label != Some(*at));
        read.for_each(|(_, byte)| brackets.read(*byte));
        cases.extend(std::iter::repeat_n(brackets.depth, n_opened));
        cases.truncate(cases.len().saturating_sub(n_words(b"esac")));
    }
    brackets.nesting()
}

/// Returns the position of the bracket behind a label at the start of a line.
fn end_of_label(line: &[u8]) -> Option<usize> {
    let first = line.iter().position(|byte| matches!(byte, b'(' | b')'))?;
    (line[first] == b')' && !line[..first].trim_ascii().is_empty()).then_some(first)
}

/// The brackets of a text that is read.
#[derive(Default)]
struct Brackets {
    depth: usize,
    deepest: usize,
    /// The number of closing brackets without an opening one.
    stray: usize,
}

impl Brackets {
    fn read(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' | b'{' => {
                self.depth += 1;
                self.deepest = self.deepest.max(self.depth);
            }
            b')' | b']' | b'}' if self.depth == 0 => self.stray += 1,
            b')' | b']' | b'}' => self.depth -= 1,
            _ => {}
        }
    }

    fn nesting(&self) -> usize {
        self.deepest.max(self.stray)
    }
}

/// Returns the number of interpolations that may contain a string, an upper bound on those open at
/// once: one of plain words, such as `#{name.size}`, contains none.
fn interpolations(text: &[u8]) -> usize {
    let is_plain =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@' | b':');
    let may_nest = |at: &usize| {
        let inside = &text[at + 2..];
        inside.get(inside.iter().take_while(is_plain).count()) != Some(&b'}')
    };
    memchr::memmem::find_iter(text, b"#{").filter(may_nest).count()
}

/// Elements that need no end tag do not nest, nor in JSX those that end in their tag.
fn nesting_of_tags(text: &[u8], is_jsx: bool) -> usize {
    const WITHOUT_END: &[&[u8]] = &[
        b"area", b"base", b"br", b"col", b"dd", b"dt", b"embed", b"hr", b"img", b"input", b"li",
        b"link", b"meta", b"option", b"p", b"source", b"td", b"th", b"tr", b"track", b"wbr",
    ];
    let (mut depth, mut deepest): (usize, usize) = (0, 0);
    for at in memchr::memchr_iter(b'<', text) {
        let rest = &text[at + 1..];
        if rest.first() == Some(&b'/') {
            depth = depth.saturating_sub(1);
            continue;
        }
        let name =
            &rest[..rest.iter().take(20).take_while(|byte| byte.is_ascii_alphanumeric()).count()];
        let has_end = !WITHOUT_END.contains(&name.to_ascii_lowercase().as_slice());
        let is_whole = is_jsx && ends_in_itself(&rest[name.len()..]);
        if !name.is_empty() && has_end && !is_whole {
            depth += 1;
            deepest = deepest.max(depth);
        }
    }
    deepest
}

/// Reports whether a tag of JSX, of which this is the rest, ends with `/>`. Where strings in braces
/// or a comment make that unsure, it does not.
fn ends_in_itself(tag: &[u8]) -> bool {
    let (mut quote, mut depth, mut before) = (None, 0_usize, b' ');
    for byte in tag.iter().copied().take(LONG_TAG) {
        match (byte, quote) {
            (_, Some(open)) => quote = quote.filter(|_| byte != open),
            (b'>', None) if depth == 0 => return before == b'/',
            (b'"' | b'\'', None) if depth == 0 => quote = Some(byte),
            (b'{', None) => depth += 1,
            (b'}', None) if depth > 0 => depth -= 1,
            (b'"' | b'\'' | b'`' | b'<' | b'}', None) => return false,
            (_, None) if before == b'/' => return false,
            (_, None) => {}
        }
        before = byte;
    }
    false
}

/// Returns the number of comment lines at the beginning of a text plus the brackets in them: a
/// comment may end within its line.
fn lines_of_comment(text: &[u8], mark: &[u8]) -> usize {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_start);
    lines
        .take_while(|line| line.is_empty() || line.starts_with(mark))
        .map(|line| 1 + memchr::memchr_iter(b'[', line).count())
        .sum()
}

/// Returns the number of different indentations of a text's lines: an upper bound on those open at
/// once, since each is deeper than the one around it. After a backslash at the end of a line its
/// white space continues on the next line, as in the scanner.
fn indentations(text: &[u8]) -> usize {
    let mut widths = BTreeSet::new();
    let mut width = Some(0_u16);
    for (at, byte) in text.iter().enumerate() {
        width = match (byte, width) {
            (b'\n', Some(width)) if at > 0 && text[at - 1] == b'\\' => Some(width),
            (b'\n', _) => Some(0),
            (b' ', Some(width)) => Some(width.wrapping_add(1)),
            (b'\t', Some(width)) => Some(width.wrapping_add(8)),
            (b'\\', Some(width)) => Some(width),
            (_, Some(width)) => {
                widths.insert(width);
                None
            }
            (_, None) => None,
        };
    }
    widths.len()
}

/// Returns the number of columns in which a YAML collection begins: that of the first mark of a
/// line, and those after `-`, `?` and `:`.
fn columns(text: &[u8]) -> usize {
    let mut columns = BTreeSet::new();
    for line in text.split(|byte| *byte == b'\n') {
        let mut at = blanks(line);
        columns.insert(at);
        while let [b'-' | b'?' | b':', b' ' | b'\t', ..] = line[at..] {
            at += 1 + blanks(&line[at + 1..]);
            columns.insert(at);
        }
    }
    columns.len()
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Returns the length of the longest here-document word, and the maximum number of bytes for those
/// open at once. A here-document ends at a line with its word, if no text behind its start can
/// continue the line. Without such a line it takes the rest of the text, where only an
/// interpolation can start another; so does text that only looks like one (`1 << 5`).
fn heredocs(text: &[u8]) -> (usize, usize) {
    let lines = || text.split_inclusive(|byte| *byte == b'\n');
    let last: HashMap<&[u8], usize> =
        lines().enumerate().map(|(at, line)| (line.trim_ascii(), at)).collect();
    let has_nested = |line: &[u8]| {
        memchr::memmem::find(line, b"#{")
            .is_some_and(|at| memchr::memmem::find(&line[at..], b"<<").is_some())
    };
    let may_nest = lines().any(has_nested);
    let (mut longest, mut kept, mut most) = (0, 0, 0);
    let mut open: Vec<&[u8]> = Vec::new();
    let mut begin = 0;
    for (nth, line) in lines().enumerate() {
        let mut of_line = 0;
        if let Some(ended) = open.iter().position(|word| *word == line.trim_ascii()) {
            kept -= 4 + open.swap_remove(ended).len();
        }
        for at in memchr::memmem::find_iter(line, b"<<") {
            let (word, rest) = heredoc_word(&text[begin + at + 2..]);
            if word.is_empty() {
                continue;
            }
            kept += 4 + word.len();
            longest = longest.max(word.len());
            // What comes does not matter, and a line may have many.
            if kept > MAX_HEREDOCS {
                return (longest, kept);
            }
            let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
            if ends_its_line(rest) {
                match last.get(word).is_some_and(|last| *last > nth) || may_nest {
                    true => open.push(word),
                    false => of_line += 4 + word.len(),
                }
            }
        }
        most = most.max(kept);
        kept -= of_line;
        begin += line.len();
    }
    (longest, most)
}

/// Reports whether the rest of a line is complete: its strings are closed, and no part of it
/// continues on the next line.
fn ends_its_line(rest: &[u8]) -> bool {
    let is_plain =
        |byte: &u8| byte.is_ascii_alphanumeric() || b" \t\r_.,:;()[]{}|&!=<>+*~-'\"".contains(byte);
    let is_closed = |quote: u8| memchr::memchr_iter(quote, rest).count().is_multiple_of(2);
    rest.iter().all(is_plain) && is_closed(b'\'') && is_closed(b'"')
}

/// Returns the word after `<<`, up to its quote or of letters and digits, and the text after it. A
/// quote that is not closed on its line begins none: `macros` blanks such a `<<`.
fn heredoc_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.strip_prefix(b"-").or(text.strip_prefix(b"~")).unwrap_or(text);
    match text {
        [quote @ (b'\'' | b'"' | b'`'), text @ ..] => {
            match text.iter().position(|byte| byte == quote || *byte == b'\n') {
                Some(end) if text[end] == *quote => (&text[..end], &text[end + 1..]),
                _ => (&[], text),
            }
        }
        _ => {
            let goes_on =
                |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
            text.split_at(text.iter().take_while(goes_on).count())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_page_is_not_a_deep_one() {
        let page = "<p>one<br><ul><li>two<li>three</ul>".repeat(2_000);
        assert!(nesting_of_tags(page.as_bytes(), false) < 10);
        let icons = "<g><path d=\"M1/2>\" a={b > {}} /><B.C e='<'/></g>".repeat(2_000);
        assert!(nesting_of_tags(icons.as_bytes(), true) < 10);
        for open in ["<a b='/>'>", "<a b={'}/>'}>", "<a /* '*/><b c='/>", "<a b={<c/>}>", "<a / >"]
        {
            assert!(nesting_of_tags(open.repeat(2_000).as_bytes(), true) >= 2_000, "{open}");
        }
    }

    #[test]
    fn what_scanners_keep_is_counted() {
        assert_eq!(indentations(b"a\n    b\n\tc\n        d\n  \\\n  e\n"), 3);
        assert_eq!(columns(b"a:\n- b\n- - ? c\n  d: - e\n"), 4);
        assert_eq!(heredocs(b"a << 1; b <<~EOS; c <<-'END OF IT'\n"), (9, 20));
        for line in [
            "out<<\"<li>item 1</li>\"\n",
            "C = 1<<5\n",
            "expect_offense(<<~RUBY, 'example.rb')\n  x\nRUBY\n",
        ] {
            assert!(heredocs(line.repeat(200).as_bytes()).1 < 30, "{line}");
        }
        assert!(heredocs("\" <<WORD, \"\n".repeat(200).as_bytes()).1 > MAX_HEREDOCS);
        assert!(heredocs("#{<<WORD\n".repeat(200).as_bytes()).1 > MAX_HEREDOCS);
        assert_eq!(heredocs(b"f(<<~A, 'b')\nA\ng(<<~B)\nb\n B\ng(<<~B).c\nb\n B\n"), (1, 5));
    }

    #[test]
    fn here_documents_of_one_long_line_are_counted_up_to_the_limit() {
        assert_eq!(heredocs("<<a ".repeat(125_000).as_bytes()), (1, 705));
    }

    #[test]
    fn tags_and_the_paths_of_images_are_no_chain() {
        let path = "M12.5-3.5v.5-1.5".repeat(150);
        let icon = format!(
            "f(\n  <g>\n    <path a=\"{path}\" />\n{}  </g>,\n);\n",
            "    <b />\n".repeat(40)
        );
        let icons = format!("export const A = {icon}").repeat(20);
        let tsx = crate::outline::language::named("tsx").unwrap();
        assert_eq!(parsable(tsx, &icons).len(), icons.len());
        for chain in [
            format!("a = {};\n", "a.b-".repeat(3_000)),
            format!("a = '\"' + {}\"\";\n", "a.b-".repeat(3_000)),
            format!("a = `\n\"` + {}\"\";\n", "a.b-".repeat(3_000)),
            format!("a = \"\\\n\" + {}\"\";\n", "a.b-".repeat(3_000)),
            format!("a = /\"/ + {}\"\";\n", "a.b-".repeat(3_000)),
            format!("a = {};\n", "a >\n".repeat(3_000)),
        ] {
            assert!(parsable(tsx, &chain).len() < chain.len(), "{}", &chain[..20]);
        }
    }
}
