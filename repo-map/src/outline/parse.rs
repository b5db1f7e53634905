//! Text → syntax tree: the only user of parsers.
//!
//! The parsers are C. `parse_limits` rejects texts known to make one abort or take quadratic time,
//! and the steps of a parser are counted and limited. A parser that neither ends nor makes a
//! counted step runs in a thread that can be abandoned.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::outline::language::Language;
use crate::outline::worker::{Lost, Pulse, StallLimit, Workers};

/// The size in bytes of the pieces in which a parser gets its text, so that the pieces it reads can
/// be counted.
const PIECE: usize = 4 << 10;

/// The time without a piece or a step after which a parser is in a loop: a working one makes
/// thousands of steps a second.
const STALL_LIMIT: StallLimit = StallLimit { slice: Duration::from_millis(100), slices: 100 };

static PARSERS: LazyLock<Workers> = LazyLock::new(Workers::new);

/// The reason for a missing syntax tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoTree {
    /// The parser exceeded the work allowed for the size of the text.
    Stopped,
    /// The parser was abandoned.
    Lost(Lost),
}

/// Returns a text for the parser, ending with a line break. A scanner that looks for the end of a
/// word or a line need not check for the end of the text, and some do not: that of Kotlin loops for
/// ever after `@X`.
pub(crate) fn ended(text: &str) -> Arc<String> {
    let mut ended = String::with_capacity(text.len() + 1);
    ended.push_str(text);
    if !text.ends_with('\n') {
        ended.push('\n');
    }
    Arc::new(ended)
}

/// Parses a text made by [`ended`].
pub(crate) fn parse(language: &Language, text: &Arc<String>) -> Result<Tree, NoTree> {
    let (grammar, its) = (language.grammar(), Arc::clone(text));
    let digest = || {
        blake3::Hasher::new()
            .update(language.name.as_bytes())
            .update(b"\0")
            .update(text.as_bytes())
            .finalize()
    };
    let work = move |pulse: &Pulse| {
        #[cfg(test)]
        hanging::hang(&its);
        parse_counted(&grammar, &its, pulse)
    };
    #[cfg(test)]
    let stall_limit = hanging::stall_limit(text);
    #[cfg(not(test))]
    let stall_limit = STALL_LIMIT;
    PARSERS.run(stall_limit, digest, work).map_err(NoTree::Lost)?.ok_or(NoTree::Stopped)
}

/// Parses a text, with a limit on the work that depends on its size, so that the same file always
/// gives the same outline; `None` at the limit. Files that people write take half of the steps at
/// most, and some grammars never end on odd input. Steps do not include how far a scanner looks
/// ahead, pieces do: some check at every token whether a bracket is closed before the end of the
/// file.
fn parse_counted(grammar: &tree_sitter::Language, text: &str, pulse: &Pulse) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let mut steps_left = 2_000 + text.len() / 20;
    let pieces_left = Cell::new(200 + text.len() / 64);
    let mut go_on = |_: &ParseState| {
        steps_left = steps_left.saturating_sub(1);
        if steps_left == 0 || pieces_left.get() == 0 {
            return ControlFlow::Break(());
        }
        pulse.beat();
        ControlFlow::Continue(())
    };
    let end = Cell::new(None);
    let mut read = |at: usize, _| {
        let left = pieces_left.get().saturating_sub(1);
        pieces_left.set(left);
        if left > 0 {
            pulse.beat();
            return text.as_bytes().get(at..text.len().min(at + PIECE)).unwrap_or_default();
        }
        // Reads past the end return a line break.
        if end.replace(Some(at + 1)) == Some(at) { b"" } else { b"\n" }
    };
    let tree = parser.parse_with_options(
        &mut read,
        None,
        Some(ParseOptions::new().progress_callback(&mut go_on)),
    );
    tree.filter(|_| pieces_left.get() > 0)
}

/// A parser that hangs without a fault of a grammar.
#[cfg(test)]
pub(crate) mod hanging {
    use super::*;

    /// The word in a text that makes the parser loop; the time limit for it is shorter.
    pub(crate) const WORD: &str = "never_ending";

    /// Forgets the hung texts, as a new process would, and returns the number of abandoned threads.
    pub(crate) fn forget() -> usize {
        PARSERS.forget()
    }

    pub(super) fn hang(text: &str) {
        while text.contains(WORD) {
            std::thread::park();
        }
    }

    pub(super) fn stall_limit(text: &str) -> StallLimit {
        if text.contains(WORD) {
            StallLimit { slice: Duration::from_millis(1), slices: 3 }
        } else {
            STALL_LIMIT
        }
    }
}
