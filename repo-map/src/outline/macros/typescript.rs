//! Members of TypeScript types that end with their line: a type ends there, and what begins with
//! `<` on the next one is a signature, but its grammar goes on with arguments of the type.

use crate::outline::macros::Blanking;

/// Ends the member before each signature that begins with its type parameters: `<T>(value: T): U`.
pub(super) fn members_before_signatures(text: &str) -> Vec<Blanking> {
    let mut edits = Vec::new();
    // The end of the last line of code, where it may be that of a member.
    let mut before: Option<usize> = None;
    let mut at = 0;
    let mut is_comment = false;
    for line in text.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let words = line.trim();
        is_comment |= words.starts_with("/*");
        if is_comment {
            is_comment = !words.contains("*/");
            continue;
        }
        if words.is_empty() || words.starts_with("//") {
            continue;
        }
        if let Some(end) = before.filter(|_| begins_signature(words)) {
            edits.push(Blanking { range: end..end + 1, by: ";", joins_lines: true });
        }
        let code = line.split(" //").next().unwrap_or(line).trim_end();
        let is_end = |c: char| c.is_alphanumeric() || "_$>])}'\"`".contains(c);
        let may_end = code.ends_with(is_end) && !code.ends_with("=>") && !code.contains("function");
        // A line end or a space follows, unless the text ends here.
        before = (may_end && code.len() < line.len()).then_some(begin + code.len());
    }
    edits
}

/// Reports whether a line begins with type parameters and a parenthesis, or with `<` alone. An
/// element of JSX is closed.
fn begins_signature(words: &str) -> bool {
    let Some(rest) = words.strip_prefix('<') else { return false };
    if rest.is_empty() {
        return true;
    }
    if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_') || rest.contains("</") {
        return false;
    }
    let mut depth = 1;
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '=' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return rest[at + 1..].starts_with('(');
        }
        before = c;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_below_a_member_ends_it() {
        let check = |text: &str, expected: &str| {
            let edits = members_before_signatures(text);
            assert_eq!(crate::outline::macros::edited(text, &edits), expected);
        };
        check(
            "a(): T<S>\n  <P extends L<S>>(p: P): T\n",
            "a(): T<S>;  <P extends L<S>>(p: P): T\n",
        );
        check("a: T // one\n\n/**\n * Two.\n */\n<\n", "a: T;// one\n\n/**\n * Two.\n */\n<\n");
        for kept in [
            "interface A {\n  <P>(p: P): T\n",
            "a: T;\n<P>(p: P): T\n",
            "const a =\n  <T>(b)\n",
            "<i>a</i>\n<b>(b)</b>\n",
            "<A>\n  <B>\n",
            "export function f\n  <T>(t: T) {}\n",
        ] {
            check(kept, kept);
        }
    }
}
