//! A page that asks its server for a text at each click, which takes its time.

use std::io::{BufRead as _, BufReader, Result, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// How long the server takes.
const DELAY: Duration = Duration::from_millis(400);
const PAGE: &str = "<!doctype html><title>Late</title><h1>Late</h1><button>Load</button><p></p>
<script>
let n = 0;
document.querySelector('button').onclick = async () => {
  const text = await (await fetch('/text')).text();
  document.querySelector('p').textContent = text + (++n % 2 ? ' once' : ' twice');
};
</script>";

/// The page, served until the program ends.
pub(crate) struct LatePage(SocketAddr);

impl LatePage {
    /// Serves the page at a free port of the loopback.
    pub(crate) fn start() -> Result<LatePage> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that breaks off is its own affair.
                thread::spawn(move || drop(answer(&stream)));
            }
        });
        Ok(LatePage(address))
    }

    /// The address of the page.
    pub(crate) fn address(&self) -> String {
        format!("http://{}/", self.0)
    }
}

fn answer(mut stream: &TcpStream) -> Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let (kind, body) = match first.split(' ').nth(1) {
        Some("/") => ("text/html", PAGE),
        Some("/text") => {
            thread::sleep(DELAY);
            ("text/plain", "loaded")
        }
        _ => ("text/plain", ""),
    };
    let n = body.len();
    let head = format!("Content-Type: {kind}\r\nContent-Length: {n}\r\nConnection: close\r\n\r\n");
    write!(stream, "HTTP/1.1 200 OK\r\n{head}{body}")
}
