//! A manual on the loopback: a server that answers GET, and makes each page when it is asked.

#![expect(clippy::disallowed_methods, reason = "the rim: listens on the loopback")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use manual::Manual;

/// The longest line of a request, and the largest number of lines.
const MAX_LINE: u64 = 16 << 10;
const MAX_LINES: usize = 100;
/// How long a connection may be idle.
const IDLE: Duration = Duration::from_secs(10);

/// Serves a manual until the program is ended, and prints its address.
#[expect(clippy::print_stdout, reason = "callers read the address")]
pub(crate) fn serve(manual: &Manual, port: u16) -> Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", port))
        .with_context(|| format!("listening on 127.0.0.1:{port}"))?;
    println!("http://{}/", listener.local_addr()?);
    let manual = Arc::new(manual.clone());
    for stream in listener.incoming() {
        let (stream, manual) = (stream?, Arc::clone(&manual));
        // A client that breaks off is its own affair.
        thread::spawn(move || drop(answer_all(stream, &manual)));
    }
    Ok(())
}

/// Answers the requests of a connection.
fn answer_all(mut stream: TcpStream, manual: &Manual) -> std::io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let mut head = Vec::new();
        for _ in 0..MAX_LINES {
            let mut line = String::new();
            (&mut reader).take(MAX_LINE).read_line(&mut line)?;
            match line.trim_end() {
                "" => break,
                line => head.push(line.to_owned()),
            }
        }
        let Some(request) = head.first() else { return Ok(()) };
        let mut words = request.split(' ');
        let (method, path) = (words.next(), words.next().unwrap_or_default());
        let page = manual.page(path).filter(|_| matches!(method, Some("GET" | "HEAD")));
        let (status, body) = match page {
            Some(page) => ("200 OK", page),
            None => ("404 Not Found", "no such page\n".to_owned()),
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        )?;
        if method != Some("HEAD") {
            stream.write_all(body.as_bytes())?;
        }
    }
}

/// Says something on standard error.
#[expect(clippy::print_stderr, reason = "the program's own messages")]
pub(crate) fn say(message: &str) {
    eprintln!("{message}");
}
