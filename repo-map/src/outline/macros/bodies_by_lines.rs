//! The bodies of shell functions and of Haskell equations, by the lines on which they begin and
//! end: both are written so that the indentation shows it.

use std::ops::Range;

use crate::outline::macros::{Blanking, Body};

/// A shell function whose end was not read yet.
struct OpenFunction<'a> {
    /// Its opening brace.
    brace: usize,
    indent: &'a str,
    /// Where the text that is not of a function within it goes on.
    rest: usize,
    edits: Vec<Blanking>,
}

impl OpenFunction<'_> {
    /// Leaves out the text before `end`.
    fn leave_out(&mut self, end: usize) {
        let by = if self.edits.is_empty() { " :" } else { "" };
        if self.rest + by.len() <= end {
            self.edits.push(Blanking { by, ..Blanking::blank(self.rest..end) });
            self.rest = end;
        }
    }
}

/// Returns the bodies of shell functions that end with a brace below the beginning of their line,
/// or on it. Without its body a function still has the functions within it. The shells that extend
/// the grammar (zsh) do so within functions mostly.
pub(super) fn bodies_of_shell(text: &str) -> Vec<Body> {
    let mut bodies = Vec::new();
    let mut open: Vec<OpenFunction<'_>> = Vec::new();
    // The line before, where it may be the head of a function.
    let mut before = 0..0;
    let mut here_document: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let code = line.trim_end();
        let words = code.trim_start();
        if let Some(end) = here_document {
            here_document = Some(end).filter(|end| words != *end);
            continue;
        }
        here_document = here_document_of(words);
        let indent = &code[..code.len() - words.len()];
        let is_end_of = |function: &OpenFunction<'_>| {
            function.indent == indent && code.strip_prefix(indent).is_some_and(ends_body)
        };
        if let Some(nth) = open.iter().rposition(is_end_of) {
            open.truncate(nth + 1);
            let Some(mut function) = open.pop() else { continue };
            let end = begin + indent.len();
            function.leave_out(end);
            bodies.push(Body { range: function.brace..end + 1, edits: function.edits });
            if let Some(around) = open.last_mut() {
                around.rest = begin + code.len();
            }
            continue;
        }
        let head = std::mem::replace(&mut before, begin..begin + code.len());
        let Some(brace) = code.find('{').map(|brace| begin + brace) else { continue };
        let head = if words == "{" { head } else { begin..brace };
        if !is_shell_head(text[head.clone()].trim()) {
            continue;
        }
        // One that is not further right does not lie within: the end of the other was missed.
        while open.pop_if(|around| around.indent.len() >= indent.len()).is_some() {}
        if let Some(around) = open.last_mut() {
            around.leave_out(head.start);
        }
        let mut function = OpenFunction { brace, indent, rest: brace + 1, edits: Vec::new() };
        if brace + 1 == begin + code.len() {
            open.push(function);
        } else if code.ends_with('}') {
            let end = begin + code.len() - 1;
            function.leave_out(end);
            bodies.push(Body { range: brace..end + 1, edits: function.edits });
            if let Some(around) = open.last_mut() {
                around.rest = begin + code.len();
            }
        }
    }
    bodies.sort_by_key(|body| body.range.start);
    bodies
}

/// Returns the word that ends the here-document that a line begins: `<<EOF`, `<<-'EOF'`.
fn here_document_of(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("<<").filter(|_| !line.starts_with('#'))?;
    let word = rest.trim_start_matches('-').trim_start();
    let word = word.trim_start_matches(['\'', '"', '\\']);
    let end = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
    let is_word = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_word.then_some(&word[..end])
}

/// Reports whether a line after its indentation is the end of a body: `}`, `} 2>/dev/null`.
fn ends_body(line: &str) -> bool {
    line.strip_prefix('}').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ';', '#']))
}

/// Reports whether the text before a brace is `name()`, `function name`, or `function name other()`
/// of zsh.
fn is_shell_head(head: &str) -> bool {
    let (names, has_mark) = match head.strip_prefix("function ") {
        Some(names) => (names.trim_end().strip_suffix("()").unwrap_or(names), true),
        None => (head.strip_suffix("()").unwrap_or(""), false),
    };
    let is_name = |name: &str| {
        !name.starts_with('-') && name.chars().all(|c| c.is_alphanumeric() || "_-:.+@".contains(c))
    };
    let mut words = names.split_whitespace();
    words.next().is_some_and(is_name) && words.all(|name| has_mark && is_name(name))
}

/// Returns the equations of Haskell that begin at the left edge, each with what follows its `=` or
/// its first guard.
pub(super) fn bodies_of_haskell(text: &str) -> Vec<Body> {
    let mut bodies = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let (mut at, mut depth) = (0, 0);
    for line in text.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let code = line.trim_end();
        let is_comment = depth > 0 || code.trim_start().starts_with("--");
        depth += code.matches("{-").count();
        depth = depth.saturating_sub(code.matches("-}").count());
        if !code.is_empty() && !code.starts_with([' ', '\t']) {
            bodies.extend(open.take().and_then(|range| equation(text, range)));
            let is_begun = !is_comment && code.starts_with(|c: char| c.is_lowercase() || c == '_');
            open = is_begun.then_some(begin..begin + code.len());
        } else if let Some(open) = open.as_mut().filter(|_| !is_comment && !code.is_empty()) {
            open.end = begin + code.len();
        }
    }
    bodies.extend(open.and_then(|range| equation(text, range)));
    bodies
}

/// Returns an equation of Haskell with what comes after its `=` or first guard; `None` for a
/// signature, a declaration, or one that is short.
fn equation(text: &str, range: Range<usize>) -> Option<Body> {
    const DECLARATIONS: &[&str] = &[
        "class", "data", "default", "deriving", "foreign", "import", "infix", "infixl", "infixr",
        "instance", "module", "newtype", "pattern", "type",
    ];
    let code = &text[range.clone()];
    let first = code.split(|c: char| c.is_whitespace()).next()?;
    if DECLARATIONS.contains(&first) {
        return None;
    }
    let is_symbol = |byte: u8| b"!#$%&*+./<=>?@\\^|-~:".contains(&byte);
    let bytes = code.as_bytes();
    let (mut depth, mut quote) = (0_i32, false);
    let mut found = None;
    for (at, byte) in bytes.iter().copied().enumerate() {
        let is_alone = || {
            !at.checked_sub(1).is_some_and(|before| is_symbol(bytes[before]))
                && !bytes.get(at + 1).copied().is_some_and(is_symbol)
        };
        match byte {
            // The character `'"'` begins no string.
            b'"' if !matches!(at.checked_sub(1).map(|at| bytes[at]), Some(b'\\' | b'\'')) => {
                quote = !quote;
            }
            _ if quote => {}
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'=' | b'|' if depth == 0 && is_alone() => {
                found = Some(at);
                break;
            }
            b':' if depth == 0 && bytes.get(at + 1) == Some(&b':') => return None,
            _ => {}
        }
    }
    let start = range.start + found?;
    // `= (0 … )` has the place of the last character for its end.
    let last = range.end - code.chars().next_back()?.len_utf8();
    (last > start + 4).then(|| Body {
        edits: vec![
            Blanking { by: "= (0", ..Blanking::blank(start..last) },
            Blanking { by: ")", ..Blanking::blank(last..range.end) },
        ],
        range,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::macros::without_bodies;

    #[test]
    fn a_body_of_a_shell_function_ends_below_its_beginning() {
        let text = "f() {\n  if x {\n    g\n  }\n}\nfunction a::b c() {\n  {\n}\n\
                    echo {\n}\nif x; then\n  h-1 () {\n    :\n  } 2>&1\nfi\n";
        let bodies = bodies_of_shell(text);
        let shown: Vec<&str> = bodies.iter().map(|body| &text[body.range.clone()]).collect();
        assert_eq!(shown, ["{\n  if x {\n    g\n  }\n}", "{\n  {\n}", "{\n    :\n  }"]);
        assert!(
            without_bodies("f() {\n  x y\n}\n", &bodies_of_shell("f() {\n  x y\n}\n"))
                .starts_with("f() { :")
        );
    }

    #[test]
    fn a_here_document_has_no_functions() {
        let text = "f() {\n  cat <<-'TEXT'\n}\ng() {\n\tTEXT\n  h <<< x\n}\nf() {\ng() {\n}\n";
        let bodies = bodies_of_shell(text);
        let starts: Vec<usize> = bodies.iter().map(|body| body.range.start).collect();
        assert_eq!(starts, [text.find('{').unwrap(), text.rfind('{').unwrap()]);
    }

    #[test]
    fn an_equation_of_haskell_ends_before_the_next_line_at_the_edge() {
        let text = "f :: a -> b\nf (A = x) y\n  | x == y = 1\n  | otherwise = 2\n  where\n\n    \
                    z = 1\n\n-- Next.\ng = \"a=b\" ++ c\n{-\nh = 123456\n-}\ntype A = Int Int\n";
        let bodies = bodies_of_haskell(text);
        let without = without_bodies(text, &bodies);
        assert_eq!(without.len(), text.len());
        let words: Vec<&str> = without.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "f :: a -> b f (A = x) y = (0 ) -- Next. g = (0 ) {- h = 123456 -} type A = Int Int"
        );
    }
}
