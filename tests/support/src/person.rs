//! A person at a terminal: the program's standard input and standard error are one, its standard
//! output is not.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::{Ran, ran};

/// Longer than any program waits before it asks.
const LONG: Duration = Duration::from_secs(60);

/// A key that a person presses to go down in a list.
pub const DOWN: &str = "\x1b[B";

/// Somebody who reads what the terminal shows, and types.
#[derive(Debug)]
pub struct Person {
    program: Child,
    terminal: File,
    shows: Receiver<Vec<u8>>,
    /// What the terminal has shown so far.
    shown: String,
    /// Where the person reads on.
    read: usize,
}

impl Person {
    /// Starts a program at a terminal of 200 columns and no colors.
    ///
    /// # Panics
    /// When there is no terminal to be had, or the program does not start.
    pub fn before(mut command: Command) -> Person {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).expect("a terminal to open");
        unlockpt(&master).expect("a terminal to open");
        let name = ptsname(&master, Vec::new()).expect("the terminal's name");
        let name = name.into_string().expect("the terminal's name in letters");
        let size = Winsize { ws_row: 50, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("the size of a terminal");
        let end = || File::options().read(true).write(true).open(&name).expect("its other end");
        command.stdin(end()).stderr(end()).stdout(Stdio::piped());
        let program =
            command.env("TERM", "xterm").env("NO_COLOR", "1").spawn().expect("the program starts");
        // The command's ends of the terminal would keep it open.
        drop(command);
        let terminal = File::from(master);
        let (sender, shows) = mpsc::channel();
        let mut reading = terminal.try_clone().expect("the terminal twice");
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // A terminal whose other end is closed is an error to read.
            while let Ok(n @ 1..) = reading.read(&mut bytes) {
                if sender.send(bytes[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Person { program, terminal, shows, shown: String::new(), read: 0 }
    }

    /// Waits until the terminal shows a text, after the one that was seen last.
    ///
    /// # Panics
    /// When it does not within a minute.
    pub fn sees(&mut self, text: &str) {
        loop {
            if let Some(at) = self.shown[self.read..].find(text) {
                self.read += at + text.len();
                return;
            }
            match self.shows.recv_timeout(LONG) {
                Ok(more) => self.shown += &String::from_utf8_lossy(&more),
                Err(_) => panic!("no {text:?} after {} bytes of {:?}", self.read, self.shown),
            }
        }
    }

    /// Types keys.
    ///
    /// # Panics
    /// When the terminal is closed.
    pub fn types(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).expect("a terminal to type at");
    }

    /// Waits for the end of the program. Standard error is what the terminal showed.
    ///
    /// # Panics
    /// When it does not end within a minute.
    pub fn leaves(mut self) -> Ran {
        let mut stdout = Vec::new();
        let mut output = self.program.stdout.take().expect("standard output is a pipe");
        let (sender, ended) = mpsc::channel();
        thread::spawn(move || {
            let read = output.read_to_end(&mut stdout);
            // Nobody may listen any more.
            let _ = sender.send(read.map(|_| stdout));
        });
        let Ok(Ok(stdout)) = ended.recv_timeout(LONG) else {
            panic!("it does not end: {:?}", self.shown_so_far())
        };
        let status = self.program.wait().expect("the program ends");
        let stderr = self.shown_so_far().into_bytes();
        ran(Output { status, stdout, stderr })
    }

    fn shown_so_far(&mut self) -> String {
        let more = self.shows.try_iter().map(|more| String::from_utf8_lossy(&more).into_owned());
        self.shown.extend(more);
        self.shown.clone()
    }
}

impl Drop for Person {
    /// A test that fails leaves nobody waiting.
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
