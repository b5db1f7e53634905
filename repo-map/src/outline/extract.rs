//! Text → outline: parses the text, runs the query, assembles the captures.
//!
//! Source that does not parse is input, not an error: the readable part is returned.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use tree_sitter::{Query, Tree};

use crate::outline::asciidoc;
use crate::outline::assemble::assemble;
use crate::outline::capture::{Captured, Captures, capture};
use crate::outline::catch_panic::catch_panic;
use crate::outline::grammar::{self, Grammar};
use crate::outline::html_headings;
use crate::outline::item::{LineStarts, Outline};
use crate::outline::language::{self, Language};
use crate::outline::macros;
use crate::outline::parse;
use crate::outline::parse_limits;
use crate::outline::parts::end_behind;
use crate::outline::rst;
use crate::outline::trouble::Trouble;

/// The maximum number of unparsed bytes that is not reported as trouble, unless they are in whole
/// lines.
const SMALL_LOSS: usize = 1_000;
/// The number of lines of an error among which a whole one is looked for.
const LOOKED_AT: u32 = 20;

/// Returns the outline of `text` in `language`.
pub fn outline(language: &'static Language, text: &str) -> Outline {
    outline_with(language, language.compiled_query(), text)
}

/// Returns the outline of `text` by the caller's query, for trying out a new query file.
pub(crate) fn outline_with(language: &Language, query: &Query, text: &str) -> Outline {
    catch_panic(|| contained(language, query, text)).unwrap_or(without_items(Trouble::Failed))
}

fn without_items(trouble: Trouble) -> Outline {
    Outline { trouble: Some(trouble), ..Outline::default() }
}

fn contained(language: &Language, query: &Query, text: &str) -> Outline {
    let mut captures = Captures::default();
    let (mut lost, mut n_parsed, mut is_stopped) = (LostText::default(), 0, false);
    for part in parse_limits::parts(language, text) {
        let goes_on = part.end < text.len();
        match captured(language, query, &text[part.clone()], goes_on) {
            Ok(of_part) => {
                let n_before = captures.found.len();
                captures.append(of_part.captures, part.start);
                let new = captures.found[n_before..].iter_mut();
                let is_open = |item: &&mut Captured| item.is_open && !item.kind.hides_nested();
                for item in new.filter(|item| goes_on && is_open(item)) {
                    item.end_at(end_behind(text, item.node.start, part.end));
                }
                lost.n_bytes += of_part.lost.n_bytes;
                lost.has_line |= of_part.lost.has_line;
                n_parsed += of_part.n_parsed;
                is_stopped |= of_part.is_stopped;
            }
            Err(why) => return without_items(why),
        }
    }
    let mut outline = assemble(language, captures, text);
    outline.trouble = match outline.trouble {
        _ if is_stopped => Some(Trouble::Stopped),
        None if lost.is_much_of(n_parsed) => Some(Trouble::Broken),
        // What is left of a part of Markdown is the rest of one block, which has no headings.
        None if n_parsed < text.len() && language.name != "markdown" => Some(Trouble::Cut),
        trouble => trouble,
    };
    outline
}

/// The captures in one part of a text.
struct PartCaptures {
    captures: Captures,
    /// The number of bytes that were parsed, and those that the parser could not read.
    n_parsed: usize,
    lost: LostText,
    is_stopped: bool,
}

/// The text that a parser could not read.
#[derive(Default)]
struct LostText {
    n_bytes: usize,
    /// Whether an error covers a whole line.
    has_line: bool,
}

impl LostText {
    fn is_much_of(&self, n_parsed: usize) -> bool {
        self.n_bytes > n_parsed / 4 && (self.has_line || self.n_bytes > SMALL_LOSS)
    }
}

/// Parses one part of a text, behind which the text may go on.
fn captured(
    language: &Language,
    query: &Query,
    text: &str,
    goes_on: bool,
) -> Result<PartCaptures, Trouble> {
    let headings = match language.name {
        "asciidoc" => Some(asciidoc::headings(text)),
        "rdoc" => Some(asciidoc::headings_of_rdoc(text)),
        "rst" => Some(rst::headings(text)),
        _ => None,
    };
    if let Some(captures) = headings {
        let lost = LostText::default();
        return Ok(PartCaptures { captures, n_parsed: text.len(), lost, is_stopped: false });
    }
    if let Some(Grammar { code, rules }) = grammar::read(language, text) {
        let c = language::named("c").ok_or(Trouble::Failed)?;
        let mut part = captured(c, query, &code, goes_on)?;
        part.captures.found.extend(rules);
        return Ok(part);
    }
    if parse_limits::is_too_deep(language, text) {
        return Err(Trouble::TooDeep);
    }
    let head = parse_limits::parsable(language, text);
    let prepared = macros::prepare(language, head);
    let mut parsed = Cow::Borrowed(prepared.as_ref().map_or(head, |prepared| &prepared.text));
    if goes_on || head.len() < text.len() {
        let closing = macros::closing(language, &parsed);
        parsed.to_mut().push_str(&closing);
    }
    let parsed = parse::ended(&parsed);
    let tree = parse::parse(language, &parsed)?;
    let (tree, parsed) = without_lost_bodies(language, tree, parsed);
    let (mut captures, is_stopped) = capture(query, &tree, &parsed, head.len());
    if language.name == "markdown" {
        captures.found.extend(html_headings::headings(head));
    }
    captures.add_attributes(prepared.map(|prepared| prepared.attributes).unwrap_or_default());
    Ok(PartCaptures { captures, n_parsed: head.len(), lost: lost(&tree, &parsed), is_stopped })
}

/// Parses a text again without the bodies of functions whose end the parser missed. One expression
/// that a grammar cannot read, such as a macro among strings, costs that end, and then the function
/// takes in those after it. The new tree counts if less is lost in it.
fn without_lost_bodies(language: &Language, tree: Tree, text: Arc<String>) -> (Tree, Arc<String>) {
    if !tree.root_node().has_error() {
        return (tree, text);
    }
    let is_lost = |body: &macros::Body| {
        let range = &body.range;
        let node = tree.root_node().descendant_for_byte_range(range.start, range.end);
        node.is_none_or(|node| node.byte_range() != *range)
    };
    let mut bodies = macros::bodies(language, &text);
    bodies.retain(is_lost);
    if bodies.is_empty() {
        return (tree, text);
    }
    let again = parse::ended(&macros::without_bodies(&text, &bodies));
    match parse::parse(language, &again) {
        Ok(without) if lost(&without, &again).n_bytes <= lost(&tree, &text).n_bytes => {
            (without, again)
        }
        Ok(_) | Err(_) => (tree, text),
    }
}

/// Returns the text that the parser could not read: that of error nodes outside of the nodes it
/// recognised within them. It visits only the parts of the tree that contain errors.
fn lost(tree: &Tree, text: &str) -> LostText {
    let mut lost = LostText::default();
    if !tree.root_node().has_error() {
        return lost;
    }
    let mut cursor = tree.walk();
    let lines = LineStarts::of(text);
    // For each node on the way down, whether it is an error.
    let mut around = vec![false];
    loop {
        let node = cursor.node();
        let is_leaf = node.child_count() == 0;
        if is_leaf && (node.is_error() || around.last() == Some(&true)) {
            lost.n_bytes += node.byte_range().len();
        }
        if node.is_error() && !lost.has_line {
            lost.has_line = covers_line(text, &lines, node.byte_range());
        }
        if node.has_error() && cursor.goto_first_child() {
            around.push(node.is_error());
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return lost;
            }
            around.pop();
        }
    }
}

/// Reports whether an error covers all words of a line. It looks at the first lines of the error.
fn covers_line(text: &str, lines: &LineStarts, error: Range<usize>) -> bool {
    let first = lines.line(error.start);
    let begin = lines.start(first).unwrap_or(error.start);
    let is_begun = !text[begin..error.start].trim().is_empty();
    let first = first + u32::from(is_begun);
    (first..first + LOOKED_AT).any(|line| {
        let Some(start) = lines.start(line).filter(|start| *start < error.end) else {
            return false;
        };
        let end = lines.start(line + 1).unwrap_or(text.len());
        let is_ended = error.end >= end || text[error.end..end].trim().is_empty();
        is_ended && text[start..end].contains(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::item::{Item, Visibility};

    /// Ruby's scanner has one kilobyte for open strings, and its parser aborts the process when one
    /// byte more is needed.
    #[test]
    fn ruby_with_too_much_open_at_once_is_not_parsed() {
        let words = format!("x(<<{0}, <<{0}, <<{0}, <<{1})\n", "A".repeat(255), "B".repeat(242));
        let strings = format!("x(<<TEXT) {}", "\"#{".repeat(300));
        let language = crate::outline::language::named("ruby").unwrap();
        for text in [words, strings] {
            assert_eq!(outline(language, &text).trouble, Some(Trouble::TooDeep));
        }
        let many = "f(<<~RUBY).g do |a|\n  text\nRUBY\nend\n".repeat(1_000);
        assert_eq!(outline(language, &many).trouble, None);
    }

    #[test]
    fn the_names_of_items_that_nest_deeply_are_bounded() {
        let name = |n: usize| format!("{}{n}", "m".repeat(100));
        let open: String = (0..50).map(|n| format!("mod {} {{\n", name(n))).collect();
        let text = format!("{open}fn a() {{}}\nfn a() {{}}\n{}", "}\n".repeat(50));
        let outline = outline(crate::outline::language::named("rust").unwrap(), &text);
        let [.., one, other] = &outline.items[..] else { panic!("{:?}", outline.items.len()) };
        assert!(one.qualified.ends_with(&format!("::{}::{}::a", name(48), name(49))));
        assert_eq!((one.qualified.len(), one.nth, other.nth), (1_003, 1, 2));
        assert_eq!(one.qualified, other.qualified);
    }

    #[test]
    fn headings_around_a_very_long_list_are_items() {
        let list = "- a field of a class\n".repeat(40_000);
        let language = crate::outline::language::named("markdown").unwrap();
        let outline = outline(language, &format!("# Fields\n\n{list}\n# Uses\n\nNone.\n"));
        let names: Vec<&str> = outline.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!((names, outline.trouble), (vec!["Fields", "Uses"], None));
    }

    #[test]
    fn headings_in_quotes_and_lists_are_no_sections() {
        let text = "# A\n\n> # Q\n\n## B\n\n- item\n\n  # In item\n\n## C\n\n> Q\n> ===\n\n# D\n";
        let outline = outline(crate::outline::language::named("markdown").unwrap(), text);
        let sections = outline.items.iter().map(|item| (item.qualified.as_str(), item.lines));
        assert_eq!(
            sections.collect::<Vec<_>>(),
            [("A", (1, 14)), ("A.B", (5, 9)), ("A.C", (11, 14)), ("D", (16, 16))]
        );
    }

    #[test]
    fn labels_of_a_case_are_no_nesting() {
        let arms = "        app,$1)\n            cmd=\"$(echo a)\"\n            ;;\n".repeat(1_200);
        let text = format!("_app() {{\n    case \"$cmd\" in\n{arms}    esac\n}}\n");
        let language = crate::outline::language::named("bash").unwrap();
        assert_eq!(outline(language, &text).trouble, None);
        for text in [")\n".repeat(1_200), format!("case a in\n{}", ")\n".repeat(1_200))] {
            assert_eq!(outline(language, &text).trouble, Some(Trouble::TooDeep));
        }
    }

    #[test]
    fn what_a_grammar_cannot_read_in_a_function_costs_no_other() {
        let shell = "a() {\n  case $1 in\n    x) [[ \"$1\" = (http|https)://* ]] && {\n        \
                     1=\"$(f \"${1:a}\")\" || return 1 }\n      ;;\n  esac\n}\n\n\
                     function b() {\n  ${=d} $@\n}\n\ne() {\n  f\n}\n";
        let haskell = "f :: Addr# -> Int\nf p =\n  case g p of\n    0x65#Word8 -> 1\n    \
                       _ -> 2\n\nh :: Int\nh = 0x2F {-/-} ~ [ a, b ]\n\n\
                       i :: Int -> Int\ni x\n  | x > 1 = 2\n";
        for (name, text, names, lines) in [
            ("bash", shell, vec!["a", "b", "e"], vec![(1, 7), (9, 11), (13, 15)]),
            ("haskell", haskell, vec!["f", "h", "i"], vec![(1, 5), (7, 8), (10, 12)]),
        ] {
            let outline = outline(crate::outline::language::named(name).unwrap(), text);
            let found = outline.items.iter().map(|item| item.name.as_str());
            assert_eq!(found.collect::<Vec<_>>(), names);
            let found = outline.items.iter().map(|item| item.lines);
            assert_eq!(found.collect::<Vec<_>>(), lines);
        }
    }

    #[test]
    fn signatures_that_begin_with_type_parameters_end_the_member_above() {
        let text = "export interface A<S> {\n  <P extends L<S>>(\n    p: P,\n  ): T<S, P>\n  \
                    <P extends L<S>>(p: P, t?: number): T<S, P>\n}\n\nexport interface B {\n  \
                    c?: true\n}\n";
        let outline = outline(crate::outline::language::named("typescript").unwrap(), text);
        let found = outline.items.iter().map(|item| (item.name.as_str(), item.lines));
        assert_eq!(found.collect::<Vec<_>>(), [("A", (1, 6)), ("B", (8, 10))]);
    }

    #[test]
    fn members_have_the_visibility_of_the_marker_above_them() {
        let cpp = "class A : B {\n  int a;\n  void b();\n public:\n  void c();\n  struct S {\n    \
                   void d();\n   private:\n    void e();\n  };\n  void f();\n protected:\n  \
                   void g() {}\n};\nvoid h();\nstruct T { void i(); };\n";
        let ruby = "class A\n  def a; end\n  class_methods do\n    private\n    def b; end\n  \
                    end\n  def c; end\n  private\n  def d; end\n  class E\n    def f; end\n  \
                    end\n  def g; end\n  public\n  def h; end\nend\n";
        for (name, text, private) in
            [("cpp", cpp, vec!["a", "b", "e", "g"]), ("ruby", ruby, vec!["d", "g"])]
        {
            let outline = outline(crate::outline::language::named(name).unwrap(), text);
            let is_private = |item: &&Item| item.visibility == Visibility::Private;
            let found = outline.items.iter().filter(is_private).map(|item| item.name.as_str());
            assert_eq!(found.collect::<Vec<_>>(), private);
        }
    }

    #[test]
    fn a_line_lost_of_a_short_text_is_said() {
        for (name, text, trouble) in [
            ("json", "{\n\"a\": 1,\nthis is no JSON at all\n}\n", Some(Trouble::Broken)),
            ("json", "{\n\"a\": 1,\n\"this\": \"is JSON\",\n}\n", None),
            ("kotlin", "fun f(): Int = 1 +\nfun g(): Int = 2\nclass D\nclass E\n", None),
        ] {
            let language = crate::outline::language::named(name).unwrap();
            assert_eq!(outline(language, text).trouble, trouble, "{text}");
        }
    }

    #[test]
    fn text_nested_deep_is_not_parsed_and_says_so() {
        for (language, text) in [
            ("json", "[".repeat(200_000)),
            ("python", "(".repeat(200_000)),
            ("html", "<div>".repeat(40_000)),
        ] {
            let language = crate::outline::language::named(language).unwrap();
            let outline = outline(language, &text);
            assert_eq!(
                (outline.items.len(), outline.trouble),
                (0, Some(Trouble::TooDeep)),
                "{}",
                language.name
            );
        }
    }
}
