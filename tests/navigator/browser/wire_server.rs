//! A server on the loopback that keeps all that arrives, and sockets that nothing may reach.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustls::{ServerConnection, StreamOwned};

/// A request that arrived: `POST /sent/x`, and its body.
pub(super) type Arrived = (String, String);

/// What a path answers with: lines of the head, and the body.
pub(super) type Answers = Box<dyn Fn(&str) -> Option<(String, String)> + Send + Sync>;

/// A server that counts.
pub(super) struct WireServer {
    scheme: &'static str,
    pub(super) port: u16,
    arrived: Arc<Mutex<Vec<Arrived>>>,
    /// All lines of all heads.
    heads: Arc<Mutex<String>>,
}

impl WireServer {
    /// Serves answers, made once the port is known; all other paths are empty pages.
    pub(super) fn start(answers: impl FnOnce(u16) -> Answers) -> WireServer {
        WireServer::start_with(answers, |client| client)
    }

    /// The same inside TLS.
    pub(super) fn start_tls(answers: impl FnOnce(u16) -> Answers) -> WireServer {
        let config = super::certificate::config();
        let mut server = WireServer::start_with(answers, move |client| {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            StreamOwned::new(connection, client)
        });
        server.scheme = "https";
        server
    }

    fn start_with<S: Read + Write>(
        answers: impl FnOnce(u16) -> Answers,
        wrapped: impl Fn(TcpStream) -> S + Clone + Send + 'static,
    ) -> WireServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let answers = Arc::new(answers(port));
        let arrived: Arc<Mutex<Vec<Arrived>>> = Arc::default();
        let heads: Arc<Mutex<String>> = Arc::default();
        let (counting, keeping) = (Arc::clone(&arrived), Arc::clone(&heads));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (answers, arrived) = (Arc::clone(&answers), Arc::clone(&counting));
                let (wrapped, heads) = (wrapped.clone(), Arc::clone(&keeping));
                thread::spawn(move || {
                    let mut client = BufReader::new(wrapped(client));
                    while serve(&mut client, &answers, &arrived, &heads).is_some() {}
                });
            }
        });
        WireServer { scheme: "http", port, arrived, heads }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}://127.0.0.1:{}{path}", self.scheme, self.port)
    }

    /// What arrived so far.
    pub(super) fn arrived(&self) -> Vec<Arrived> {
        self.arrived.lock().unwrap().clone()
    }

    /// The heads of all that arrived so far.
    pub(super) fn heads(&self) -> String {
        self.heads.lock().unwrap().clone()
    }

    /// What arrived so far and is no GET, HEAD or OPTIONS.
    pub(super) fn sent(&self) -> Vec<Arrived> {
        let reads = |(line, _): &Arrived| {
            ["GET ", "HEAD ", "OPTIONS "].iter().any(|method| line.starts_with(method))
        };
        self.arrived().into_iter().filter(|one| !reads(one)).collect()
    }

    /// Waits until a request has arrived.
    pub(super) fn wait_for(&self, line: &str) {
        let is_there = || self.arrived().iter().any(|(one, _)| one == line);
        assert!(within(Duration::from_secs(20), is_there), "no {line}: {:?}", self.arrived());
    }
}

/// Waits until something holds; `false` if it does not in time.
pub(super) fn within(time: Duration, holds: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !holds() {
        if start.elapsed() > time {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Serves one request of a connection; `None` at its end.
fn serve(
    incoming: &mut BufReader<impl Read + Write>,
    answers: &Answers,
    arrived: &Mutex<Vec<Arrived>>,
    heads: &Mutex<String>,
) -> Option<()> {
    let mut first = String::new();
    incoming.read_line(&mut first).ok().filter(|n| *n > 0)?;
    let mut length = 0;
    heads.lock().unwrap().push_str(&first);
    loop {
        let mut line = String::new();
        if incoming.read_line(&mut line).is_err() || line.trim().is_empty() {
            break;
        }
        heads.lock().unwrap().push_str(&line);
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    incoming.read_exact(&mut body).unwrap();
    let words: Vec<&str> = first.split(' ').collect();
    let line = format!("{} {}", words[0], words.get(1).unwrap_or(&""));
    arrived.lock().unwrap().push((line, String::from_utf8_lossy(&body).into_owned()));
    let empty = || ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n".to_owned(), String::new());
    let path = words.get(1).copied().unwrap_or_default();
    let (head, body) = answers(path).unwrap_or_else(empty);
    let answer = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    // A page may have gone in between.
    incoming.get_mut().write_all(answer.as_bytes()).ok()?;
    incoming.get_mut().flush().ok()
}

/// An answer with a type.
pub(super) fn of_type(content_type: &str, body: String) -> (String, String) {
    (format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n"), body)
}

/// A page.
pub(super) fn html(body: &str) -> (String, String) {
    let icon = "<link rel=icon href='data:,'>";
    of_type("text/html", format!("<!doctype html><title>t</title>{icon}<body>{body}</body>"))
}

/// A redirect that keeps method and body.
pub(super) fn redirect(status: u16, to: &str) -> (String, String) {
    (format!("HTTP/1.1 {status} Moved\r\nLocation: {to}\r\n"), String::new())
}

/// A UDP socket that nothing may reach.
pub(super) struct UdpTrap(UdpSocket);

impl UdpTrap {
    pub(super) fn open() -> UdpTrap {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_nonblocking(true).unwrap();
        UdpTrap(socket)
    }

    pub(super) fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    pub(super) fn has_caught(&self) -> bool {
        self.0.recv(&mut [0; 2048]).is_ok()
    }
}
