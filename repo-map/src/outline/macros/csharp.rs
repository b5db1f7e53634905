//! C# that the grammar does not know: blocks of extension members, and operators that assign.

use crate::outline::macros::Blanking;
use crate::outline::macros::code::CodeTokens;
use crate::outline::macros::tokens::TokenKind;

/// What stands for the receiver of an extension block, as long as that.
const RECEIVER: &str = "________________________________________________________________________";

/// Makes an interface of each `extension<T>(List<T> list) {`, whose name is the receiver, and the
/// query an extension of an interface with such a name.
pub(super) fn extension_blocks(code: &CodeTokens<'_>) -> Vec<Blanking> {
    let of_block = |at: usize| {
        let begins = at > 0 && [b'{', b'}', b';', b']'].iter().any(|mark| code.is(at - 1, *mark));
        if !begins || code.word(at) != Some("extension") {
            return None;
        }
        let open = match code.is(at + 1, b'<') {
            true => code.closing_angle(at + 1)? + 1,
            false => at + 1,
        };
        let close = code.closing(open).filter(|close| *close > open + 1)?;
        let has_block = code.is(close + 1, b'{') || code.word(close + 1) == Some("where");
        let receiver = code.range(open + 1..close);
        let name = RECEIVER.get(..receiver.len()).filter(|_| has_block)?;
        let parameters = code.range(at + 1..close + 1);
        let keyword =
            Blanking { range: code.range(at..at + 1), by: "interface", joins_lines: false };
        let name = Blanking { range: receiver, by: name, joins_lines: true };
        Some([keyword, Blanking { range: parameters, by: "", joins_lines: true }, name])
    };
    (0..code.len()).filter_map(of_block).flatten().collect()
}

/// Replaces operators that assign (`operator +=`) by others of their length.
pub(super) fn assigning_operators(code: &CodeTokens<'_>) -> Vec<Blanking> {
    let of_operator = |at: usize| {
        let is_named = matches!(code.word(at), Some("operator" | "checked"));
        let marks = (at + 1..code.len()).take_while(|mark| !code.is(*mark, b'(')).take(4).count();
        let range = code.range(at + 1..at + 1 + marks.max(1));
        let is_mark = |at: usize| matches!(code.kind(at), Some(TokenKind::Mark(_)));
        let is_marks = (at + 1..at + 1 + marks).all(is_mark) && range.len() == marks;
        let is_comparison = marks == 2 && b"=!<>".iter().any(|mark| code.is(at + 1, *mark));
        let assigns = is_named && is_marks && code.is(at + marks, b'=') && !is_comparison;
        let by = match marks {
            2 => "++",
            3 => ">>>",
            _ => return None,
        };
        assigns.then_some(Blanking { range, by, joins_lines: false })
    };
    (0..code.len().saturating_sub(1)).filter_map(of_operator).collect()
}
