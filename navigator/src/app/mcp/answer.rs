//! The result of a call, limited to the caller's tokens: a text, and a last line with its size and
//! omissions.

use repo_map::{Conflict, Level, RepoMap, Sanitized, Tokenizer};

use crate::run::stop::Stop;

/// The maximum size of a result in tokens, and the tokenizer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    pub(super) tokens: u32,
    pub(super) tokenizer: Tokenizer,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolAnswer {
    /// An unchanged map, or other text.
    pub(crate) text: Sanitized,
    /// The last line; empty if there is no space for it.
    pub(crate) line: Sanitized,
    /// The text is an error message.
    pub(crate) is_error: bool,
}

/// The usual size of the last line, in tokens.
const LINE_TOKENS: u32 = 80;

impl Limit {
    /// Returns the tokens for a map besides its last line, which takes at most a fourth of a small
    /// limit.
    pub(super) fn of_map(self) -> u32 {
        self.tokens - LINE_TOKENS.min(self.tokens / 4)
    }

    /// Returns the smallest limit that leaves this many tokens for a map.
    fn for_map(self, tokens: u32) -> u32 {
        (tokens..=tokens.saturating_add(LINE_TOKENS))
            .find(|more| Limit { tokens: *more, ..self }.of_map() >= tokens)
            .unwrap_or(u32::MAX)
    }

    fn count(self, text: &str) -> u32 {
        self.tokenizer.count(text)
    }

    /// Reports whether a text fits unchanged.
    pub(super) fn holds(self, text: &str) -> bool {
        self.count(text) <= self.tokens
    }

    /// Returns a text unchanged, with as many remarks as fit, most important first.
    pub(super) fn answer(self, text: Sanitized, said: &[String]) -> ToolAnswer {
        self.answer_with(text, Sanitized::default(), said)
    }

    /// Returns what an exploration that ended early found, with the reason, and as many remarks as
    /// fit. The reason stands in full, or in a word; where there is no room for either, the text
    /// gives way.
    pub(super) fn stopped(self, text: Sanitized, stop: &Stop, said: &[String]) -> ToolAnswer {
        let forms = [stop.line(), stop.as_str().replace('_', " ")];
        let within = |room: u32| {
            let forms = forms.iter().map(|form| Sanitized::line(form));
            forms.into_iter().find(|form| self.count(form) <= room)
        };
        match within(self.tokens.saturating_sub(self.count(&text))) {
            Some(reason) => self.answer_with(text, reason, said),
            None => {
                self.answer_with(Sanitized::default(), within(self.tokens).unwrap_or_default(), &[])
            }
        }
    }

    /// Adds as many remarks as fit to a line that fits.
    fn answer_with(self, text: Sanitized, mut line: Sanitized, said: &[String]) -> ToolAnswer {
        let left = self.tokens.saturating_sub(self.count(&text));
        for one in said {
            let longer = Sanitized::line(&if line.is_empty() {
                one.clone()
            } else {
                format!("{line}; {one}")
            });
            if self.count(&longer) <= left {
                line = longer;
            }
        }
        // If nothing fits, the result is an error.
        let is_error = text.is_empty() && line.is_empty();
        ToolAnswer { text, line, is_error }
    }

    /// Returns a text, cut if it does not fit, with remarks.
    pub(super) fn cut_answer(self, text: &str, said: &[String]) -> ToolAnswer {
        let text = Limit { tokens: self.of_map(), ..self }.cut(text);
        self.answer(text, said)
    }

    /// Returns an error message with the way out.
    pub(super) fn error(self, message: &str) -> ToolAnswer {
        ToolAnswer { text: self.cut(message), line: Sanitized::default(), is_error: true }
    }

    /// Cuts a text to the lines that fit, or to a part of the first line, and marks the cut.
    pub(super) fn cut(self, text: &str) -> Sanitized {
        let text = Sanitized::text(text);
        if self.holds(&text) {
            return text;
        }
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let with_mark = |n: usize| {
            Sanitized::text(&format!(
                "{}… {} lines more (raise `tokens`)\n",
                lines[..n].concat(),
                lines.len() - n
            ))
        };
        // More lines have more tokens, except for the number in the mark.
        let mut n = most(lines.len() - 1, |n| self.holds(&with_mark(n)));
        while n > 0 && !self.holds(&with_mark(n)) {
            n -= 1;
        }
        if n > 0 {
            return with_mark(n);
        }
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let with_mark = |n: usize| Sanitized::text(&format!("{}…", &text[..ends[n]]));
        let mut n = most(ends.len() - 1, |n| self.holds(&with_mark(n)));
        while n > 0 && !self.holds(&with_mark(n)) {
            n -= 1;
        }
        if self.holds(&with_mark(n)) { with_mark(n) } else { Sanitized::default() }
    }
}

/// Returns the greatest number up to `end` for which a monotone condition holds.
fn most(end: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if holds(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// Returns remarks on a map: its size, its omissions, and the name of the plan that rebuilds it.
pub(super) fn said_of(map: &RepoMap, limit: Limit, plan: &str) -> Vec<String> {
    let count = |is_so: fn(&repo_map::FileReport) -> bool| {
        map.files.iter().filter(|file| is_so(file)).count()
    };
    let folded = count(|file| file.level == Level::Fold);
    let hidden = count(|file| file.level == Level::Exclude);
    let short = count(|file| file.requested.is_some());
    let mut left_out: Vec<String> = Vec::new();
    for (n, what) in
        [(folded, "folded"), (hidden, "not shown"), (short, "below the level that was asked")]
    {
        left_out.extend((n > 0).then(|| format!("{n} {what}")));
    }
    let left_out = if left_out.is_empty() { "nothing".to_owned() } else { left_out.join(", ") };
    let in_callers_words =
        |conflict: &Conflict| conflict.message_for(limit.tokens, limit.for_map(conflict.needed));
    let mut said: Vec<String> = map.conflict.iter().map(in_callers_words).collect();
    said.extend(map.lacking());
    said.push(format!("{} of {} tokens", map.tokens, limit.tokens));
    said.push(format!("left out of {} files: {left_out}", map.files.len()));
    said.push(format!("plan {plan}"));
    said.extend((map.n_masked > 0).then(|| format!("secrets masked: {}", map.n_masked)));
    said.extend(
        (map.n_invisible > 0)
            .then(|| format!("invisible characters written out: {}", map.n_invisible)),
    );
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_larger_than_its_limit() {
        let lines: String = (0..40)
            .map(|at| format!("line {at}: naïve façades, ünïcödé, `code()` and words\n"))
            .collect();
        for text in ["", "one", "ein größeres Wort ".repeat(60).as_str(), lines.as_str()] {
            for tokens in (0..200).chain([500, 2_000]) {
                for tokenizer in Tokenizer::ALL {
                    let limit = Limit { tokens, tokenizer };
                    assert!(limit.holds(&limit.cut(text)), "{tokens} {text}");
                    let answer = limit
                        .cut_answer(text, &["a long thing to say".to_owned(), "short".to_owned()]);
                    assert!(
                        tokenizer.count(&answer.text) + tokenizer.count(&answer.line) <= tokens,
                        "{tokens} {answer:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_reason_of_an_early_end_stands_from_four_tokens_on() {
        let left = crate::money::pico_usd::PicoUsd(0);
        let stops = [
            Stop::SpendLimit { needed: left, left },
            Stop::PurseLimit { purse: "team-a".to_owned(), needed: left, left },
            Stop::TimeLimit,
        ];
        let said = ["plan-1".to_owned(), "much more could be told here".to_owned()];
        for (stop, tokens) in stops.iter().flat_map(|stop| (4..300).map(move |n| (stop, n))) {
            let limit = Limit { tokens, tokenizer: Tokenizer::O200kBase };
            let map =
                Limit { tokens: limit.of_map(), ..limit }.cut(&"a line of a map\n".repeat(99));
            let ToolAnswer { text, line, is_error } = limit.stopped(map, stop, &said);
            let word = stop.as_str().replace('_', " ");
            assert!(line.contains(&stop.line()) || line.contains(&word), "{tokens}: {line}");
            assert!(limit.count(&text) + limit.count(&line) <= tokens && !is_error, "{tokens}");
            // With some room the map stands too, and with more the whole reason.
            assert!(tokens < 16 || !text.is_empty(), "{tokens}");
            assert!(tokens < 200 || line.starts_with(&stop.line()), "{tokens}: {line}");
        }
    }

    #[test]
    fn the_limit_for_a_map_is_the_least_that_leaves_it_enough() {
        for tokens in 0..1_000 {
            let limit = Limit { tokens, tokenizer: Tokenizer::O200kBase };
            let enough = Limit { tokens: limit.for_map(tokens), ..limit };
            assert!(
                enough.of_map() >= tokens
                    && (tokens == 0
                        || Limit { tokens: enough.tokens - 1, ..limit }.of_map() < tokens),
                "{tokens}"
            );
        }
    }

    #[test]
    fn what_is_cut_says_so() {
        let limit = Limit { tokens: 14, tokenizer: Tokenizer::O200kBase };
        assert_eq!(
            limit.cut("alpha\nbeta\ngamma\ndelta\nalpha\nbeta\ngamma\ndelta\n"),
            "alpha\nbeta\n… 6 lines more (raise `tokens`)\n"
        );
    }
}
