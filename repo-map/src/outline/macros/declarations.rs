//! Macros in declarations: `API int f();`, `void f() NOEXCEPT {`, `template <ENABLE_IF(x)>`.
//!
//! A declaration is a type and a name, so of three words in a row one is a macro. Names without
//! lower-case letters are taken for macros where a declaration has no other place for them.

use std::collections::HashSet;
use std::ops::Range;

use crate::outline::macros::Blanking;
use crate::outline::macros::code::CodeTokens;
use crate::outline::macros::tokens::{Token, TokenKind};
use crate::outline::macros::vocabulary::{
    HEADS, SPECIFIERS, TRAILERS, TYPES, is_reserved, is_upper,
};

/// The maximum number of tokens in the size of an array.
const MAX_SIZE: usize = 12;

/// The maximum number of macro calls between one and the declaration that it belongs to.
const MAX_CALLS: usize = 16;

/// The macros in the declarations of a text.
pub(super) struct Declarations {
    pub(super) edits: Vec<Blanking>,
    pub(super) attributes: Vec<Range<usize>>,
}

impl Declarations {
    /// Finds the macros; `tokens` are those of the text.
    pub(super) fn find(text: &str, tokens: &[Token], is_c: bool) -> Declarations {
        let mut scanner = Scanner {
            code: CodeTokens::of(text, tokens),
            is_c,
            types: HashSet::new(),
            found: Declarations { edits: Vec::new(), attributes: Vec::new() },
        };
        scanner.scan();
        scanner.found
    }
}

struct Scanner<'a> {
    code: CodeTokens<'a>,
    is_c: bool,
    /// The names of types so far: a call of one declares a constructor.
    types: HashSet<&'a str>,
    found: Declarations,
}

impl<'a> Scanner<'a> {
    fn scan(&mut self) {
        let mut at = 0;
        let mut begins = true;
        while at < self.code.len() {
            let next = if begins { self.specifiers(at) } else { self.trailing(at) };
            let next = next.max(at + 1);
            begins = [b';', b'{', b'}', b':'].into_iter().any(|mark| self.code.is(next - 1, mark));
            at = next;
        }
    }

    /// Reads a declaration from its first word to its name and blanks macros. Returns the position
    /// after what it read.
    fn specifiers(&mut self, from: usize) -> usize {
        let mut at = from;
        while let Some(word) = self.code.word(at) {
            match word {
                "template" if self.code.is(at + 1, b'<') => match self.template(at + 1) {
                    Some(end) => at = end,
                    None => return at + 1,
                },
                "class" | "struct" | "union" | "enum" => return self.type_head(at + 1),
                "requires" => match self.constraint(at + 1) {
                    Some(end) => at = end,
                    None => return at + 1,
                },
                "extern" if self.code.kind(at + 1) == Some(TokenKind::Literal) => at += 2,
                "alignas" | "__attribute__" | "__declspec" => match self.code.closing(at + 1) {
                    Some(close) => {
                        // No grammar takes one between `typedef` and the type.
                        if at > from && self.code.word(at - 1) == Some("typedef") {
                            self.blank(at..close + 1, "", false);
                        }
                        at = close + 1;
                    }
                    None => return at + 1,
                },
                _ if SPECIFIERS.contains(&word) => at += 1,
                _ if TYPES.contains(&word) => return self.after_type(at + 1),
                _ if is_reserved(word) => return at + 1,
                _ => match self.macro_at(at, from) {
                    Some(end) => at = end,
                    None => return self.after_type(at + 1),
                },
            }
        }
        at
    }

    /// Blanks the word before a type or a name if it is a macro. Returns the position after it.
    fn macro_at(&mut self, at: usize, from: usize) -> Option<usize> {
        let name = self.code.word(at)?;
        if self.code.is(at + 1, b'(') {
            return self.macro_call(at, from, name);
        }
        // `TRY { … }`
        if self.code.is(at + 1, b'{') && is_upper(name) && name.ends_with("TRY") {
            self.blank(at..at + 1, "", false);
            return Some(at + 1);
        }
        if self.code.is(at + 1, b'~') && self.code.word(at + 2).is_some() {
            self.blank(at..at + 1, "", true);
            return Some(at + 1);
        }
        let is_alone = is_upper(name) && self.code.begins_line(at) && self.code.begins_line(at + 1);
        if is_alone && (at == from || self.code.word(at + 1).is_some()) {
            let belongs = self.code.word(at + 1).is_some_and(|next| next != "namespace")
                && !name.contains("BEGIN")
                && !name.contains("END");
            self.blank(at..at + 1, "", belongs);
            return Some(at + 1);
        }
        let next = self.code.word(at + 1)?;
        let is_macro = match next {
            // `API const Type *name`; in `TYPE const name` the name is the last word.
            "const" | "volatile" => {
                let end = self.code.after_pointers(self.code.after_name(at + 2));
                let is_third = self.code.word(end).is_some_and(|third| !is_reserved(third));
                is_upper(name) && self.code.word(at + 2).is_some() && is_third
            }
            "operator" => self.code.word(at + 2).is_some_and(|to| !matches!(to, "new" | "delete")),
            _ if SPECIFIERS.contains(&next) || TYPES.contains(&next) || HEADS.contains(&next) => {
                true
            }
            "__attribute__" | "__declspec" | "alignas" => true,
            _ if is_reserved(next) => return None,
            _ => self.is_before_type(at),
        };
        if is_macro {
            self.blank(at..at + 1, "", true);
        }
        is_macro.then_some(at + 1)
    }

    /// Blanks a macro call before a declaration or in the place of one; `from` is the first word of
    /// the declaration. Returns the position after the call.
    fn macro_call(&mut self, at: usize, from: usize, name: &'a str) -> Option<usize> {
        let end = self.code.closing(at + 1)? + 1;
        if !is_upper(name) || self.types.contains(name) {
            return None;
        }
        let is_statement = self.code.is(end, b';');
        let catches = self.code.is(end, b'{') && name.contains("CATCH");
        if !is_statement && !catches {
            let next = self.code.word(end)?;
            if is_reserved(next) && next != "operator" {
                return None;
            }
        }
        // `EXPORT(int) f(void)`, `ATOMIC(int) gauge;`: the type is in the macro.
        // `MAKE(a)`, `MAKE(b)`, and a declaration: the second is no function.
        let close = self.code.closing(end + 1).filter(|_| self.is_c);
        let is_call = |close| self.code.word(close + 1).is_some();
        let is_upper_next = self.code.word(end).is_some_and(is_upper);
        let is_of_function = close.is_some_and(|close| !(is_upper_next && is_call(close)));
        let is_of_variable = [b';', b'=', b'['].iter().any(|mark| self.code.is(end + 1, *mark));
        let is_type = self.code.word(end).is_some() && (is_of_function || is_of_variable);
        // A member goes with its semicolon: two alone are no members.
        let is_member = is_statement
            && at
                .checked_sub(1)
                .is_some_and(|before| self.code.is(before, b'{') || self.code.is(before, b';'));
        // `static THREAD(run);`
        let is_specified = is_statement
            && at > from
            && (from..at).all(|one| self.code.word(one).is_some_and(|w| SPECIFIERS.contains(&w)));
        let first = if is_specified { from } else { at };
        let last = end + usize::from(is_member || is_specified);
        let belongs = !is_statement && !catches && self.leads_on(end);
        self.blank(first..last, if is_type { "int" } else { "" }, belongs);
        Some(end)
    }

    /// Reports whether what stands before a position leads on to a declaration, with other calls
    /// of macros between them: no blank line parts them.
    fn leads_on(&self, from: usize) -> bool {
        let mut at = from;
        for _ in 0..MAX_CALLS {
            if self.code.is_apart(at) {
                return false;
            }
            let is_macro = self.code.word(at).is_some_and(is_upper);
            match self.code.closing(at + 1).filter(|_| is_macro) {
                Some(close) => at = close + 1,
                None => return true,
            }
        }
        true
    }

    /// Returns the position after the expression of `requires`.
    fn constraint(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            at = match self.code.closing(at) {
                Some(close) => close + 1,
                None => self.code.word(at).map(|_| self.code.after_name(at))?,
            };
            let joins = |mark: u8| self.code.is(at, mark) && self.code.is(at + 1, mark);
            if !joins(b'&') && !joins(b'|') {
                return Some(at);
            }
            at += 2;
        }
    }

    /// Reports whether the word at a position stands before a type and a name. The word after it is
    /// a word too.
    fn is_before_type(&self, at: usize) -> bool {
        let is_upper_at = |at: usize| self.code.word(at).is_some_and(is_upper);
        let end = self.code.after_name(at + 1);
        if self.code.is(end, b'(') {
            // `API Type::Type(`, `API Type() : field(0) {` construct; `Type name(` does not.
            return is_upper_at(at)
                && self.code.word(at + 1).is_some_and(|name| self.types.contains(name))
                || self.is_constructor(at + 1, end);
        }
        let end = self.code.after_pointers(end);
        match self.code.word(end) {
            // `Type name GUARDED_BY(lock)`, `Type API name(`
            Some(third) if is_upper(third) && !is_upper_at(at) => false,
            Some(_)
                if self.code.word(at + 2).is_some() && is_upper_at(at + 1) && !is_upper_at(at) =>
            {
                // `force_inline API Type name(`
                let end = self.code.after_pointers(self.code.after_name(end));
                self.code.word(end).is_some_and(|fourth| !is_reserved(fourth) && !is_upper(fourth))
            }
            Some("operator") => true,
            Some(third) => !is_reserved(third),
            None => false,
        }
    }

    fn is_constructor(&self, name: usize, open: usize) -> bool {
        let last = self.code.word(open - 1);
        if open >= name + 3 && last.is_some() && last == self.code.word(open - 3) {
            return true;
        }
        let Some(mut end) = self.code.closing(open).map(|close| close + 1) else { return false };
        while self.code.word(end) == Some("noexcept") {
            end += 1;
        }
        self.code.is(end, b':') && self.code.word(end + 1).is_some()
    }

    /// Blanks the macros between a type and its name, and those after a name. `at` is the position
    /// after a word of the type.
    fn after_type(&mut self, at: usize) -> usize {
        let mut at = self.code.after_pointers(self.code.after_name(at - 1));
        while self.code.word(at).is_some_and(|word| TYPES.contains(&word)) {
            at = self.code.after_pointers(at + 1);
        }
        if self.is_of_convention(at) {
            self.blank(at + 1..at + 2, "", false);
            return at + 2;
        }
        while let (Some(word), Some(next)) = (self.code.word(at), self.code.word(at + 1)) {
            let is_macro = is_upper(word) || !is_upper(next) && self.code.is(at + 2, b'(');
            if is_reserved(word) || is_reserved(next) || !is_macro {
                break;
            }
            self.blank(at..at + 1, "", false);
            at += 1;
        }
        // `f OF((int a));`, `sizes[2] GUARDED_BY(lock);`
        let after_name = self.after_array(at + 1);
        if let (Some(_), Some(word)) = (self.code.word(at), self.code.word(after_name))
            && is_upper(word)
            && let Some(close) = self.code.closing(after_name + 1)
        {
            let at = after_name - 1;
            let has_parameters =
                self.code.is(at + 3, b'(') && self.code.closing(at + 3) == Some(close - 1);
            if has_parameters {
                self.blank(at + 1..at + 3, "", false);
                self.blank(close..close + 1, "", false);
            } else if self.code.is(close + 1, b';') || self.code.is(close + 1, b'=') {
                self.blank(at + 1..close + 1, "", false);
            }
            return close;
        }
        at
    }

    /// Reports whether a pointer to a function has a calling convention before it:
    /// `DWORD (WINAPI *name)(`.
    fn is_of_convention(&self, at: usize) -> bool {
        let is_named = |word: &str| is_upper(word) || word.starts_with("__");
        self.code.is(at, b'(')
            && self.code.word(at + 1).is_some_and(is_named)
            && self.code.is(at + 2, b'*')
            && self.code.word(at + 3).is_some()
            && self.code.is(at + 4, b')')
            && self.code.is(at + 5, b'(')
    }

    /// Returns the position after the sizes of an array.
    fn after_array(&self, from: usize) -> usize {
        let mut at = from;
        while self.code.is(at, b'[')
            && let Some(close) = (at..at + MAX_SIZE).find(|at| self.code.is(*at, b']'))
        {
            at = close + 1;
        }
        at
    }

    /// Blanks a macro behind the parameters of a function. Returns the position to go on at.
    fn trailing(&mut self, at: usize) -> usize {
        let follows = |before: usize| {
            self.code.is(before, b')')
                || self.code.word(before).is_some_and(|word| TRAILERS.contains(&word))
        };
        if !self.code.word(at).is_some_and(is_upper) {
            return at + 1;
        }
        // `if CONSTEXPR (…)`
        let is_of_if = self.code.word(at - 1) == Some("if") && self.code.is(at + 1, b'(');
        if is_of_if || self.follows_parameter(at) {
            self.blank(at..at + 1, "", false);
            return at + 1;
        }
        if !follows(at - 1) {
            return at + 1;
        }
        let end = if self.code.is(at + 1, b'(') {
            match self.code.closing(at + 1) {
                Some(close) => close + 1,
                None => return at + 1,
            }
        } else {
            at + 1
        };
        let is_defaulted = || matches!(self.code.word(end + 1), Some("default" | "delete"));
        let ends = self.code.is(end, b'{')
            || self.code.is(end, b';')
            || self.code.is(end, b'=') && is_defaulted()
            // `A(int n) EXCLUDES(lock) : n_(n) {`
            || self.code.is(end, b':') && self.code.word(end + 1).is_some()
            || self.code.kind(end) == Some(TokenKind::Arrow)
            || self.code.word(end).is_some_and(|word| TRAILERS.contains(&word) || is_upper(word));
        if ends {
            self.blank(at..end, "", false);
        }
        end
    }

    /// Reports whether the word at a position stands behind the name of a parameter: `Type x API)`.
    fn follows_parameter(&self, at: usize) -> bool {
        let is_name = |word: &str| {
            !is_upper(word)
                && !is_reserved(word)
                && !SPECIFIERS.contains(&word)
                && !TYPES.contains(&word)
                && !HEADS.contains(&word)
        };
        if !self.code.is(at + 1, b')') && !self.code.is(at + 1, b',') || at < 2 {
            return false;
        }
        let of_type = match self.code.word(at - 2) {
            Some(word) => is_name(word) || TYPES.contains(&word),
            None => [b'*', b'&', b'>'].into_iter().any(|mark| self.code.is(at - 2, mark)),
        };
        of_type && self.code.word(at - 1).is_some_and(is_name)
    }

    /// Blanks the macros before the name of a type. Returns the position to go on at.
    fn type_head(&mut self, from: usize) -> usize {
        let mut at = from;
        if matches!(self.code.word(at), Some("class" | "struct")) {
            at += 1;
        }
        let attribute = self.after_attributes(at);
        let has_attribute = attribute > at;
        at = attribute;
        let mut macros = Vec::new();
        while let Some(word) = self.code.word(at) {
            let end = match self.code.is(at + 1, b'(') {
                true => self.code.closing(at + 1).map_or(at + 1, |close| close + 1),
                false => at + 1,
            };
            if matches!(word, "alignas" | "__attribute__" | "__declspec") {
                if has_attribute {
                    self.blank(at..end, "", false);
                }
                at = end;
                continue;
            }
            let names = self.code.word(end).is_some_and(|next| next != "final");
            if !names || !is_upper(word) {
                break;
            }
            macros.push(at..end);
            at = end;
        }
        // `struct FOO bar;` declares a variable.
        let end = self.code.after_name(at);
        let defines = self.code.is(end, b'{') || self.code.is(end, b':');
        if defines || self.code.word(end) == Some("final") {
            macros.into_iter().for_each(|range| self.blank(range, "", false));
        }
        self.types.extend(self.code.word(at));
        at
    }

    /// Returns the position after `[[nodiscard]]`; the grammar takes either those or `alignas(16)`.
    fn after_attributes(&self, from: usize) -> usize {
        let mut at = from;
        while self.code.is(at, b'[') && self.code.is(at + 1, b'[') {
            let is_end = |end: &usize| self.code.is(*end, b']') && self.code.is(*end + 1, b']');
            let Some(end) = (at..self.code.len().min(at + MAX_SIZE)).find(is_end) else { break };
            at = end + 2;
        }
        at
    }

    /// Reads the parameters of a template and replaces macro calls among them. Returns the position
    /// after `>`.
    fn template(&mut self, open: usize) -> Option<usize> {
        let close = self.code.closing_angle(open)?;
        let mut at = open + 1;
        while at < close {
            let begins = self.code.is(at - 1, b'<') || self.code.is(at - 1, b',');
            if begins
                && self.code.word(at).is_some_and(is_upper)
                && let Some(end) = self.code.closing(at + 1).filter(|end| *end < close)
            {
                self.blank(at..end + 1, "int", false);
                at = end;
            }
            at += 1;
        }
        Some(close + 1)
    }

    fn blank(&mut self, tokens: Range<usize>, by: &'static str, is_attribute: bool) {
        let range = self.code.range(tokens);
        if is_attribute {
            self.found.attributes.push(range.clone());
        }
        self.found.edits.push(Blanking { range, by, joins_lines: false });
    }
}
