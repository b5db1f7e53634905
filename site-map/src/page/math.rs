//! Formulas of MathML, on one line.

use scraper::{ElementRef, Node};

use crate::page::element::plain_text;
use crate::page::parse::MAX_DEPTH;

/// Returns a formula as its author has it in TeX, else in signs on one line: `x^2`, `1/2`.
pub(super) fn formula(math: ElementRef<'_>) -> String {
    let source = |one: &ElementRef<'_>| one.attr("encoding") == Some("application/x-tex");
    let annotation = math.descendent_elements().find(source).map(plain_text);
    let written = math.attr("alttext").map(str::to_owned).or(annotation);
    written.unwrap_or_else(|| linear(math, 0))
}

/// Returns a part of a formula on one line.
fn linear(part: ElementRef<'_>, depth: usize) -> String {
    if depth == MAX_DEPTH {
        return plain_text(part);
    }
    let inside = |separator: &str| {
        let (mut row, mut last) = (String::new(), 0);
        for child in part.children() {
            let text = match child.value() {
                Node::Text(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
                _ => ElementRef::wrap(child).map_or_else(String::new, |one| linear(one, depth + 1)),
            };
            if text.is_empty() {
                continue;
            }
            let is_apart = separator.is_empty() && runs_together(&row[last..], &text);
            row.push_str(if is_apart { " " } else { "" });
            row.push_str(if row.is_empty() { "" } else { separator });
            last = row.len();
            row.push_str(&text);
        }
        row
    };
    let parts: Vec<ElementRef<'_>> = part.child_elements().collect();
    let operand = |at: usize| operand(parts[at], depth + 1);
    match (part.value().name(), parts.len()) {
        ("mfrac", 2) => format!("{}/{}", operand(0), operand(1)),
        ("msup" | "mover", 2) => format!("{}^{}", operand(0), operand(1)),
        ("msub" | "munder", 2) => format!("{}_{}", operand(0), operand(1)),
        ("msubsup" | "munderover", 3) => {
            format!("{}_{}^{}", operand(0), operand(1), operand(2))
        }
        ("msqrt", _) => format!("sqrt({})", inside("")),
        ("mroot", 2) => format!("{}^(1/{})", operand(0), operand(1)),
        ("mtable", _) => format!("[{}]", inside("; ")),
        ("mtr", _) => inside(", "),
        ("mspace", _) => " ".to_owned(),
        ("annotation" | "annotation-xml", _) => String::new(),
        // Signs for what is not written: to apply a function, to multiply.
        ("mo", _) => inside("").replace(['\u{2061}', '\u{2062}', '\u{2063}', '\u{2064}'], ""),
        _ => inside(""),
    }
}

/// Returns what a sign is applied to, in parentheses where that has more than one part.
fn operand(part: ElementRef<'_>, depth: usize) -> String {
    let text = linear(part, depth);
    let is_token =
        |one: &ElementRef<'_>| matches!(one.value().name(), "mi" | "mn" | "mo" | "mtext");
    let is_one =
        part.descendent_elements().filter(is_token).nth(1).is_none() && !text.contains(' ');
    if is_one || is_in_parentheses(&text) { text } else { format!("({text})") }
}

/// Reports whether a part would be read as a part of an operand before it: `x^2` and `y`. Digits
/// that follow each other are one number, `1` and `0^2`.
fn runs_together(before: &str, after: &str) -> bool {
    let is_operation = |text: &str| text.contains(['^', '_', '/']);
    let is_number = before.ends_with(|c: char| c.is_ascii_digit())
        && after.starts_with(|c: char| c.is_ascii_digit())
        && !is_operation(before);
    !is_number
        && before.ends_with(char::is_alphanumeric)
        && after.starts_with(char::is_alphanumeric)
        && (is_operation(before) || is_operation(after))
}

/// Reports whether the first sign of a text is a parenthesis that its last one closes.
fn is_in_parentheses(text: &str) -> bool {
    let mut n_open = 0;
    let end = text.find(|c| {
        n_open += i32::from(c == '(') - i32::from(c == ')');
        n_open == 0
    });
    end.is_some_and(|end| end > 0 && end + 1 == text.len())
}
