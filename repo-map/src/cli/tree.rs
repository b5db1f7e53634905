//! `repo-map tree`: folders with their tokens at each level, as a drawing.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Serialize;

use crate::cli::args::{TableFormat, TreeArgs, TreeShape};
use crate::cli::output::{nothing_found, say, write_out};
use crate::exit::Exit;
use crate::level::Level;
use crate::report::prices::{PathPrice, prices};
use crate::text::sanitize::Sanitized;

/// The levels with a column, the widest first.
const COLUMNS: [Level; 4] = [Level::Full, Level::Interface, Level::Outline, Level::Path];
/// The length of the bar of the whole repository, in characters.
const BAR: u64 = 24;
/// The children of a folder smaller than one part in this number of the repository share one line.
const SMALL: u64 = 100;

/// Prints the tree.
pub(super) fn run(args: TreeArgs) -> Result<Exit> {
    let (plan, options) = args.request.plan(&args.path, None)?;
    let repo = args.request.open(&args.path, &plan, &options)?;
    if repo.n_files() == 0 {
        say(nothing_found(&args.path));
    }
    write_out(None, &tree_text(&prices(&repo), &args.shape)?)?;
    repo.save_cache();
    Ok(Exit::Finished)
}

/// Draws a tree of prices.
///
/// # Errors
/// When it cannot be serialized.
pub fn tree_text(prices: &[PathPrice], shape: &TreeShape) -> Result<Sanitized> {
    let root = Node::of(prices);
    let mut out = String::new();
    match shape.format {
        TableFormat::Text => {
            let widths =
                COLUMNS.map(|level| level.as_str().len().max(root.at(level).to_string().len()));
            for (level, width) in COLUMNS.iter().zip(widths) {
                out.push_str(&format!("{:>width$}  ", level.as_str()));
            }
            out.push_str(&format!(
                "{:<bar$}  of full: █ outline ▓ interface ░ the rest\n",
                "",
                bar = BAR as usize
            ));
            let drawing = Drawing {
                whole: root.at(Level::Full).max(1),
                widths,
                depth: shape.depth,
                with_files: shape.files,
                all: shape.all,
            };
            drawing.line(&root, "./", "", &mut out);
            drawing.children(&root, 1, "", &mut out);
        }
        TableFormat::Json => root.lines("", shape.depth, shape.files, &mut out)?,
    }
    Ok(out.into())
}

/// A folder, or a file where there are no children.
#[derive(Default)]
struct Node {
    files: usize,
    tokens: BTreeMap<Level, u64>,
    children: BTreeMap<String, Node>,
}

/// A folder or a file as a line of JSON.
#[derive(Serialize)]
struct TreeLine<'a> {
    path: &'a str,
    files: usize,
    tokens: &'a BTreeMap<Level, u64>,
}

impl Node {
    /// Adds the prices of files up from folder to folder. A file without text costs its path at
    /// every level.
    fn of(prices: &[PathPrice]) -> Node {
        let mut root = Node::default();
        for price in prices.iter().filter(|price| !price.path.ends_with('/')) {
            let at_path = price.tokens.get(&Level::Path).copied().unwrap_or(0);
            let of_level =
                |level: Level| u64::from(price.tokens.get(&level).copied().unwrap_or(at_path));
            let mut node = &mut root;
            let mut parts = price.path.split_inclusive('/');
            loop {
                node.files += 1;
                for level in COLUMNS {
                    *node.tokens.entry(level).or_default() += of_level(level);
                }
                match parts.next() {
                    Some(part) => node = node.children.entry(part.to_owned()).or_default(),
                    None => break,
                }
            }
        }
        root
    }

    fn at(&self, level: Level) -> u64 {
        self.tokens.get(&level).copied().unwrap_or(0)
    }

    fn is_file(&self) -> bool {
        self.children.is_empty()
    }

    fn lines(&self, path: &str, depth: usize, with_files: bool, out: &mut String) -> Result<()> {
        let named = if path.is_empty() { "./" } else { path };
        out.push_str(&Sanitized::json(&TreeLine {
            path: named,
            files: self.files,
            tokens: &self.tokens,
        })?);
        out.push('\n');
        if depth > 0 {
            for (name, child) in
                self.children.iter().filter(|(_, child)| with_files || !child.is_file())
            {
                child.lines(&format!("{path}{name}"), depth - 1, with_files, out)?;
            }
        }
        Ok(())
    }
}

struct Drawing {
    /// The tokens of the whole repository at level full.
    whole: u64,
    widths: [usize; 4],
    depth: usize,
    with_files: bool,
    all: bool,
}

impl Drawing {
    fn line(&self, node: &Node, name: &str, branch: &str, out: &mut String) {
        for (level, width) in COLUMNS.iter().zip(self.widths) {
            out.push_str(&format!("{:>width$}  ", node.at(*level)));
        }
        let files = match node.files {
            _ if node.is_file() => String::new(),
            1 => "  1 file".to_owned(),
            n => format!("  {n} files"),
        };
        out.push_str(&format!("{}  {branch}{}{files}\n", self.bar(node), name));
    }

    fn children(&self, node: &Node, depth: usize, branch: &str, out: &mut String) {
        if depth > self.depth {
            return;
        }
        let mut children: Vec<(&str, &Node)> =
            node.children.iter().map(|(name, child)| (name.as_str(), child)).collect();
        children.retain(|(_, child)| self.with_files || !child.is_file());
        children.sort_by(|a, b| b.1.at(Level::Full).cmp(&a.1.at(Level::Full)).then(a.0.cmp(b.0)));
        let is_small = |child: &Node| !self.all && child.at(Level::Full) * SMALL < self.whole;
        // A line for a single small child would be no shorter than the child's own.
        let n_small = children.iter().filter(|(_, child)| is_small(child)).count();
        let small =
            if n_small > 1 { children.split_off(children.len() - n_small) } else { Vec::new() };
        let n = children.len();
        for (at, (name, child)) in children.into_iter().enumerate() {
            let is_last = at + 1 == n && small.is_empty();
            self.line(
                child,
                name,
                &format!("{branch}{}", if is_last { "└─ " } else { "├─ " }),
                out,
            );
            self.children(
                child,
                depth + 1,
                &format!("{branch}{}", if is_last { "   " } else { "│  " }),
                out,
            );
        }
        if !small.is_empty() {
            let rest = small.iter().fold(
                Node {
                    children: BTreeMap::from([(String::new(), Node::default())]),
                    ..Node::default()
                },
                sum,
            );
            self.line(&rest, &format!("{n_small} more"), &format!("{branch}└─ "), out);
        }
    }

    /// Returns a bar: its length is the price at level full, its darkest part the price at level
    /// outline.
    fn bar(&self, node: &Node) -> String {
        let full = node.at(Level::Full).max(node.at(Level::Interface));
        let cells =
            |tokens: u64| (tokens.min(full) * BAR * 2).div_ceil(self.whole * 2).min(BAR) as usize;
        let (outline, interface, full) =
            (cells(node.at(Level::Outline)), cells(node.at(Level::Interface)), cells(full));
        let mut bar = "█".repeat(outline);
        bar.push_str(&"▓".repeat(interface.saturating_sub(outline)));
        bar.push_str(&"░".repeat(full.saturating_sub(interface.max(outline))));
        let drawn = outline.max(interface).max(full);
        format!("{bar}{}", " ".repeat((BAR as usize).saturating_sub(drawn)))
    }
}

fn sum(mut rest: Node, (_, child): &(&str, &Node)) -> Node {
    rest.files += child.files;
    for (level, tokens) in &child.tokens {
        *rest.tokens.entry(*level).or_default() += tokens;
    }
    rest
}
