//! The form of the text, with its fences and escapes.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::plan::{Context, Format};
use crate::text::tokens::Tokenizer;

/// The line put first where a block would begin with a slash.
const JOINT: &str = "⋮\n";

/// The form of the text, and the tokenizer that counts it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Style {
    pub(crate) format: Format,
    pub(crate) tokenizer: Tokenizer,
    pub(crate) line_numbers: bool,
}

impl From<&Context> for Style {
    fn from(context: &Context) -> Style {
        Style {
            format: context.format,
            tokenizer: context.tokenizer,
            line_numbers: context.line_numbers,
        }
    }
}

/// Returns a fence that none of the texts can close.
pub(super) fn fence<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let longest = texts.map(longest_run).max().unwrap_or(0);
    "`".repeat(3.max(longest + 1))
}

/// Returns the length of the longest run of back-ticks.
fn longest_run(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

pub(super) fn escape(text: &str, style: Style) -> Cow<'_, str> {
    match style.format {
        Format::Xml if text.contains("]]>") => Cow::Owned(text.replace("]]>", "]]]]><![CDATA[>")),
        Format::Markdown | Format::Xml => Cow::Borrowed(text),
    }
}

pub(super) fn attribute(text: &str) -> Cow<'_, str> {
    if text.contains(['&', '<', '>', '"']) {
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;");
        Cow::Owned(text)
    } else {
        Cow::Borrowed(text)
    }
}

pub(super) fn at_a_joint(block: String) -> String {
    if block.starts_with(['/', '\n']) { format!("{JOINT}{block}") } else { block }
}
