//! A page of the documentation and its fenced blocks.

use std::fs;
use std::ops::Range;
use std::path::Path;

/// A page, cut into blocks.
pub(crate) struct Page {
    /// Its path in the repository.
    pub(crate) name: String,
    lines: Vec<String>,
    pub(crate) blocks: Vec<Block>,
}

/// A fenced block.
pub(crate) struct Block {
    /// What stands behind the fence, cut at commas.
    info: Vec<String>,
    /// The line of the fence, from 1.
    pub(crate) line: usize,
    /// How many backticks the fence has.
    fence: usize,
    /// What stands between the fences.
    pub(crate) lines: Vec<String>,
}

/// A command of a `console` block.
pub(crate) struct Command {
    /// What is given to the shell.
    pub(crate) text: String,
    /// What the page says it prints.
    pub(crate) expected: Vec<String>,
    /// Where that stands: indexes of the page's lines.
    pub(crate) lines: Range<usize>,
}

impl Page {
    pub(crate) fn read(root: &Path, name: String) -> Page {
        let lines: Vec<String> =
            fs::read_to_string(root.join(&name)).unwrap().lines().map(str::to_owned).collect();
        let blocks = blocks(&name, &lines);
        Page { name, lines, blocks }
    }

    /// Its text with other lines in some places.
    pub(crate) fn with(&self, mut rewritten: Vec<(Range<usize>, Vec<String>)>) -> String {
        let mut lines = self.lines.clone();
        rewritten.sort_by_key(|(range, _)| (range.start, range.end));
        for (range, new) in rewritten.iter().rev() {
            lines.splice(range.clone(), new.iter().cloned());
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn blocks(name: &str, lines: &[String]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = lines.iter().enumerate();
    while let Some((at, line)) = lines.next() {
        let info = line.trim_start_matches('`');
        let fence = line.len() - info.len();
        if fence < 3 {
            continue;
        }
        let is_end = |line: &str| line.len() >= fence && line.chars().all(|one| one == '`');
        let mut inside = Vec::new();
        loop {
            let Some((_, line)) = lines.next() else {
                panic!("{name}:{}: the block has no end", at + 1)
            };
            if is_end(line) {
                break;
            }
            inside.push(line.clone());
        }
        blocks.push(Block {
            info: info.split(',').map(|part| part.trim().to_owned()).collect(),
            line: at + 1,
            fence,
            lines: inside,
        });
    }
    blocks
}

impl Block {
    pub(crate) fn language(&self) -> &str {
        &self.info[0]
    }

    pub(crate) fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Other fences, where these lines could end the block.
    pub(crate) fn longer_fences(
        &self,
        inside: &[String],
    ) -> Option<[(Range<usize>, Vec<String>); 2]> {
        let longest =
            inside.iter().map(|line| line.len() - line.trim_start_matches('`').len()).max()?;
        let (fence, end) = ("`".repeat(longest + 1), self.line + self.lines.len());
        let opening = format!("{fence}{}", self.info.join(","));
        (longest >= self.fence)
            .then(|| [(self.line - 1..self.line, vec![opening]), (end..end + 1, vec![fence])])
    }

    /// The file that it is, if it is one.
    pub(crate) fn file(&self) -> Option<&str> {
        self.info.iter().find_map(|part| part.strip_prefix("file="))
    }

    fn is_command(&self) -> bool {
        ["sh", "console"].contains(&self.language()) && self.file().is_none()
    }

    pub(crate) fn is_not_run(&self) -> bool {
        self.is_command() && self.info.iter().any(|part| part == "norun")
    }

    pub(crate) fn is_run(&self) -> bool {
        self.is_command() && !self.is_not_run()
    }

    /// The commands of a `console` block.
    pub(crate) fn commands(&self) -> Vec<Command> {
        let mut commands: Vec<Command> = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            // `line` is that of the fence, from 1: the index of the line below it.
            let index = self.line + at;
            if let Some(text) = line.strip_prefix("$ ") {
                commands.push(Command {
                    text: text.to_owned(),
                    expected: Vec::new(),
                    lines: index + 1..index + 1,
                });
                continue;
            }
            let Some(command) = commands.last_mut() else {
                panic!("line {index}: a console block begins with a command")
            };
            match line.strip_prefix("> ") {
                Some(more) if command.expected.is_empty() => {
                    command.text.push('\n');
                    command.text.push_str(more);
                    command.lines = index + 1..index + 1;
                }
                _ => {
                    command.expected.push(line.clone());
                    command.lines.end = index + 1;
                }
            }
        }
        commands
    }
}
