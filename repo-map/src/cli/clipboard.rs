//! Writes to the clipboard through the system's program for it, or through the terminal.

#![expect(
    clippy::disallowed_methods,
    reason = "the rim: runs the clipboard program, writes to the terminal"
)]

use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The maximum size in bytes for a terminal: terminals drop a larger text or print it.
const MOST_BY_TERMINAL: usize = 74_994;

/// The programs that read the clipboard's text from standard input, and the environment variable
/// that shows that one can work.
const PROGRAMS: [(&str, &[&str], Option<&str>); 6] = [
    ("pbcopy", &[], None),
    ("wl-copy", &[], Some("WAYLAND_DISPLAY")),
    ("xclip", &["-selection", "clipboard"], Some("DISPLAY")),
    ("xsel", &["--clipboard", "--input"], Some("DISPLAY")),
    ("termux-clipboard-set", &[], Some("TERMUX_VERSION")),
    ("clip.exe", &[], None),
];

/// Copies a text to the clipboard; returns the name of the way used.
///
/// # Errors
/// When no way works.
pub(super) fn copy(text: &str) -> Result<&'static str> {
    let has = |variable: &str| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    for (program, args, _) in PROGRAMS.iter().filter(|(_, _, needs)| needs.is_none_or(has)) {
        if by_program(program, args, text).unwrap_or(false) {
            return Ok(program);
        }
    }
    // OSC 52 also works over ssh: it sets the clipboard of the user's own machine.
    if io::stderr().is_terminal() && text.len() <= MOST_BY_TERMINAL {
        let mut terminal = io::stderr().lock();
        write!(terminal, "\x1b]52;c;{}\x07", STANDARD.encode(text))?;
        terminal.flush()?;
        return Ok("the terminal");
    }
    bail!(
        "no clipboard can be reached (pbcopy, wl-copy, xclip, xsel and clip.exe do not work here; \
         pipe the output instead)"
    )
}

/// Runs a program with the text; reports whether it exists and accepted the text.
fn by_program(program: &str, args: &[&str], text: &str) -> io::Result<bool> {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes())?;
    }
    Ok(child.wait()?.success())
}
