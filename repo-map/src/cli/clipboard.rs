//! The clipboard, by the program that this system has for it, or by the terminal itself.

#![expect(
    clippy::disallowed_methods,
    reason = "the rim: runs the clipboard program, writes to the terminal"
)]

use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Terminals forget what is larger than this, or show it.
const MOST_BY_TERMINAL: usize = 74_994;

/// The programs that take a clipboard's text on standard input, and the variable that says that one
/// can.
const PROGRAMS: [(&str, &[&str], Option<&str>); 6] = [
    ("pbcopy", &[], None),
    ("wl-copy", &[], Some("WAYLAND_DISPLAY")),
    ("xclip", &["-selection", "clipboard"], Some("DISPLAY")),
    ("xsel", &["--clipboard", "--input"], Some("DISPLAY")),
    ("termux-clipboard-set", &[], Some("TERMUX_VERSION")),
    ("clip.exe", &[], None),
];

/// Puts a text on the clipboard, and says by which way.
///
/// # Errors
/// When there is no way to one.
pub(super) fn copy(text: &str) -> Result<&'static str> {
    let has = |variable: &str| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    for (program, args, _) in PROGRAMS.iter().filter(|(_, _, needs)| needs.is_none_or(has)) {
        if by_program(program, args, text).unwrap_or(false) {
            return Ok(program);
        }
    }
    // OSC 52: also over ssh, where the clipboard is that of the machine in front of the person.
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

/// Whether the program is there and took the text.
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
