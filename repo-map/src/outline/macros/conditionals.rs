//! `#if` groups that split a declaration. A grammar reads each branch as whole declarations, so of
//! such a group one branch is left and its directives are blanked.

use std::ops::Range;

use crate::outline::macros::Blanking;
use crate::outline::macros::tokens::{Conditional, Token, TokenKind};

/// The longest branch, in bytes, that is blanked. Longer ones are no part of a declaration.
const MAX_BRANCH: usize = 4_000;

/// The groups of a text that split declarations.
pub(super) struct Conditionals {
    pub(super) edits: Vec<Blanking>,
    /// Their first lines: one may stand between a doc comment and its item.
    pub(super) attributes: Vec<Range<usize>>,
}

/// An open `#if`.
struct ConditionalGroup {
    /// The positions of its directives.
    directives: Vec<usize>,
    /// The brackets that each branch opens and does not close: braces and parentheses.
    open: Vec<(i32, i32)>,
    /// Whether it begins inside a declaration.
    is_inside: bool,
}

/// Blanks the groups that split declarations, and removes their tokens. In C# no macro stands
/// alone, so a branch that ends within a declaration splits it too.
pub(super) fn blank_conditionals(
    text: &str,
    tokens: &mut Vec<Token>,
    has_macros: bool,
) -> Conditionals {
    let mut attributes: Vec<Range<usize>> = Vec::new();
    let mut blanked: Vec<Range<usize>> = Vec::new();
    let mut groups: Vec<ConditionalGroup> = Vec::new();
    let mut before: Option<usize> = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Conditional(Conditional::If) => groups.push(ConditionalGroup {
                directives: vec![at],
                open: vec![(0, 0)],
                is_inside: is_inside(text, tokens, before, at, has_macros),
            }),
            TokenKind::Conditional(Conditional::Else) => {
                if let Some(group) = groups.last_mut() {
                    group.directives.push(at);
                    group.open.push((0, 0));
                }
            }
            TokenKind::Conditional(Conditional::End) => {
                let Some(mut group) = groups.pop() else { continue };
                group.directives.push(at);
                group.is_inside |= match has_macros {
                    true => group.has_template_alone(text, tokens),
                    false => group.has_open_end(tokens),
                };
                group.is_inside |= group.goes_on(text, tokens, has_macros);
                let n_blanked = blanked.len();
                let open = group.close(tokens, &mut blanked);
                if blanked.len() > n_blanked {
                    let Range { start, end } = tokens[group.directives[0]].range.clone();
                    attributes.push(start..start + text[start..end].trim_end().len());
                }
                if let Some(around) = groups.last_mut().and_then(|group| group.open.last_mut()) {
                    *around = (around.0 + open.0, around.1 + open.1);
                }
            }
            TokenKind::Conditional(Conditional::Other) => {}
            kind => {
                before = Some(at);
                let open = match kind {
                    TokenKind::Mark(b'{') => (1, 0),
                    TokenKind::Mark(b'}') => (-1, 0),
                    TokenKind::Mark(b'(') => (0, 1),
                    TokenKind::Mark(b')') => (0, -1),
                    _ => continue,
                };
                if let Some(around) = groups.last_mut().and_then(|group| group.open.last_mut()) {
                    *around = (around.0 + open.0, around.1 + open.1);
                }
            }
        }
    }
    blanked.sort_by_key(|range| (range.start, range.end));
    let mut drop_until = 0;
    let mut ranges = blanked.iter().peekable();
    tokens.retain(|token| {
        while let Some(range) = ranges.next_if(|range| range.start <= token.range.start) {
            drop_until = drop_until.max(range.end);
        }
        token.range.start >= drop_until
    });
    Conditionals { edits: blanked.into_iter().map(Blanking::blank).collect(), attributes }
}

/// Reports whether a directive stands inside a declaration or an expression, by the token before
/// it and the line that token stands on.
fn is_inside(
    text: &str,
    tokens: &[Token],
    before: Option<usize>,
    at: usize,
    has_macros: bool,
) -> bool {
    let Some(last) = before else { return false };
    let before = &tokens[last];
    match before.kind {
        TokenKind::Mark(b')') => !has_macros,
        // The colon before the initialisers of a constructor, not that behind a label.
        TokenKind::Mark(b':') if has_macros && last > 0 => {
            tokens[last - 1].kind == TokenKind::Mark(b')')
        }
        TokenKind::Mark(b';' | b'{' | b'}' | b':' | b'>') => false,
        TokenKind::Mark(_) | TokenKind::Scope | TokenKind::Arrow => true,
        // A macro alone on its line may be a declaration of its own.
        TokenKind::Word => {
            let line = text[..before.range.start].rfind('\n').map_or(0, |at| at + 1);
            let is_alone = text[line..before.range.start].trim().is_empty();
            let word = &text[before.range.clone()];
            (!is_alone || word.bytes().any(|byte| byte.is_ascii_lowercase()))
                && text[before.range.end..tokens[at].range.start].trim().is_empty()
        }
        TokenKind::Literal | TokenKind::Conditional(_) => false,
    }
}

/// Reports whether the branch between two directives ends within a declaration.
fn ends_open(tokens: &[Token], directives: &[usize]) -> bool {
    let last = tokens[directives[0] + 1..directives[1]]
        .iter()
        .rfind(|token| !matches!(token.kind, TokenKind::Conditional(_)));
    last.is_some_and(|last| !matches!(last.kind, TokenKind::Mark(b';' | b'{' | b'}' | b':')))
}

impl ConditionalGroup {
    /// Reports whether a branch ends within a declaration: `[Attribute]`, `public`, `: Base`.
    fn has_open_end(&self, tokens: &[Token]) -> bool {
        self.directives.windows(2).any(|pair| ends_open(tokens, pair))
    }

    /// Reports whether its first branch has only what stands before a declaration:
    /// `template <typename T> requires Coin<T>`.
    fn has_template_alone(&self, text: &str, tokens: &[Token]) -> bool {
        let first = tokens[self.directives[0]..].get(1);
        first.is_some_and(|first| &text[first.range.clone()] == "template")
            && ends_open(tokens, &self.directives[..2])
    }

    /// Reports whether its first branch goes on with a list, such as that of initialisers, with
    /// the statement before it (`else if (b) {}`), or with the head of a function (`noexcept`).
    fn goes_on(&self, text: &str, tokens: &[Token], has_macros: bool) -> bool {
        let first = tokens[self.directives[0]..].get(1);
        first.is_some_and(|first| match first.kind {
            TokenKind::Mark(b',') => has_macros,
            TokenKind::Word => match &text[first.range.clone()] {
                "catch" | "else" | "finally" => true,
                "final" | "noexcept" | "override" => has_macros,
                _ => false,
            },
            _ => false,
        })
    }

    /// Blanks what a grammar cannot read of the group. Returns the brackets that stay open.
    fn close(&self, tokens: &[Token], blanked: &mut Vec<Range<usize>>) -> (i32, i32) {
        let is_closed = self.open.iter().all(|open| *open == (0, 0));
        if is_closed && !self.is_inside {
            return (0, 0);
        }
        let branches: Vec<Range<usize>> = self
            .directives
            .windows(2)
            .map(|pair| tokens[pair[0]].range.end..tokens[pair[1]].range.start)
            .collect();
        // A branch without its opposite, such as `extern "C" {`, has its other half elsewhere.
        let kept = match &self.open[..] {
            [open] if *open == (0, 0) => Some(0),
            [_] => None,
            // Where every branch opens something, the last one is the general case: the first is
            // often that of one platform.
            open => Some(open.iter().position(|open| *open == (0, 0)).unwrap_or(open.len() - 1)),
        };
        let is_dropped =
            |(at, branch): (usize, &Range<usize>)| (Some(at) != kept).then_some(branch.clone());
        let dropped: Vec<Range<usize>> =
            branches.iter().enumerate().filter_map(is_dropped).collect();
        if dropped.iter().any(|branch| branch.len() > MAX_BRANCH) {
            return self.open[0];
        }
        blanked.extend(self.directives.iter().map(|at| tokens[*at].range.clone()));
        blanked.extend(dropped);
        kept.map_or((0, 0), |kept| self.open[kept])
    }
}
