//! From text to a tree of elements, bounded in depth.

use html5ever::driver::{ParseOpts, parse_document};
use html5ever::tendril::{StrTendril, TendrilSink as _};
use scraper::{Html, HtmlTreeSink};

/// The deepest nesting that is read; browsers stop nesting at 512.
pub(super) const MAX_DEPTH: usize = 512;
/// How much is parsed between two looks at the depth, in bytes. Parsing a piece costs at most its
/// elements times the depth.
const PIECE: usize = 8 << 10;

/// Parses a page, up to the place where it is nested too deeply; the second value says whether all
/// of it was parsed.
pub(super) fn parsed(text: &str) -> (Html, bool) {
    let mut parser = parse_document(HtmlTreeSink::new(Html::new_document()), ParseOpts::default());
    let mut rest = text;
    let mut n_nodes = 0;
    while !rest.is_empty() {
        let mut end = PIECE.min(rest.len());
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        // Where the page is cut, no half of a tag stays as text.
        end = rest[..end].rfind('>').map_or(end, |at| at + 1);
        let (piece, tail) = rest.split_at(end);
        parser.process(StrTendril::from_slice(piece));
        rest = tail;
        let html = parser.tokenizer.sink.sink.0.borrow();
        if depth(&html, n_nodes) > MAX_DEPTH {
            break;
        }
        n_nodes = html.tree.values().len();
    }
    let is_whole = rest.is_empty();
    (parser.finish(), is_whole)
}

/// Returns the depth of the deepest node that was made after the first `n_nodes`. The last one says
/// little: what follows `</body>` stands above what is open still.
fn depth(html: &Html, n_nodes: usize) -> usize {
    let new = html.tree.values().len() - n_nodes;
    html.tree.nodes().rev().take(new).map(|node| node.ancestors().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_nested_elements_are_cut() {
        let (html, is_whole) = parsed(&"<div>".repeat(1_000_000));
        assert!(!is_whole);
        assert!(html.tree.values().len() < 10_000);
        let (html, _) = parsed(&format!("<p>text</p>{}lost", "<div id=x>".repeat(100_000)));
        let texts: Vec<&str> = html.root_element().text().collect();
        assert_eq!(texts, ["text"], "no half of a tag is a text");
        assert!(parsed("<ul><li>a<li>b</ul>").1);
    }

    #[test]
    fn what_stands_above_does_not_hide_the_depth() {
        let nested = "<div>".repeat(1_600) + "</body>";
        let piece = format!("{nested}<!--{}-->", "x".repeat(PIECE - nested.len() - 7));
        assert!(!parsed(&piece.repeat(100)).1);
    }
}
