//! A model server on this machine: it answers from a script, one answer a request, or by a
//! function, and keeps what it was asked.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use navigator::CancelToken;
use serde_json::Value;

/// How long a connection that gives nothing more waits before it looks whether the test is over.
const PACE: Duration = Duration::from_millis(10);

/// What a request is answered with.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// A whole reply: status, headers beyond those of length and type, body.
    Whole(u16, Vec<(&'static str, String)>, String),
    /// The head of a success, then a byte at a time without end.
    Slow,
    /// The head of a success and this much of a body that should go on.
    Cut(String),
    /// The beginning of a status line.
    HalfStatusLine,
    /// A success of so many bytes, which begin with this text.
    Large(usize, String),
    /// Nothing, with the connection left open.
    Silence,
}

/// A reply of this status.
pub(crate) fn status(status: u16, body: &str) -> Answer {
    Answer::Whole(status, Vec::new(), body.to_owned())
}

/// What a client sent.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Names in lower case, in the order sent.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// What comes next for a request.
type Answers = Box<dyn FnMut(&Received) -> Answer + Send>;

/// What the threads of a server share.
struct Shared {
    answers: Mutex<Answers>,
    received: Mutex<Vec<Received>>,
    is_over: AtomicBool,
    /// Cancelled by the first request.
    was_asked: CancelToken,
}

/// A running server, ended when dropped.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// A server that answers by the script, and with status 418 after its end.
    pub(crate) fn start(script: Vec<Answer>) -> Server {
        let mut script = script.into_iter();
        Server::answering(move |_| {
            script.next().unwrap_or_else(|| status(418, "the script has ended"))
        })
    }

    /// A server that answers each request by this function.
    pub(crate) fn answering(answers: impl FnMut(&Received) -> Answer + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            answers: Mutex::new(Box::new(answers)),
            received: Mutex::default(),
            is_over: AtomicBool::new(false),
            was_asked: CancelToken::new(),
        });
        let listening = thread::spawn({
            let shared = Arc::clone(&shared);
            move || listen(&listener, &shared)
        });
        Server { address, shared, listening: Some(listening) }
    }

    /// Its address, without a path.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All that was asked so far.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.shared.received.lock().unwrap().clone()
    }

    /// Cancelled as soon as a request is there.
    pub(crate) fn was_asked(&self) -> CancelToken {
        self.shared.was_asked.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // Wakes the listener; what it answers does not matter any more.
        drop(TcpStream::connect(self.address));
        if let Some(listening) = self.listening.take() {
            let ended = listening.join();
            assert!(ended.is_ok() || thread::panicking(), "the server failed");
        }
    }
}

/// Each connection has a thread of its own, so that one that is kept waiting does not keep the next
/// one out.
fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut connections = Vec::new();
    for stream in listener.incoming() {
        if shared.is_over.load(Ordering::SeqCst) {
            break;
        }
        let (stream, shared) = (stream.unwrap(), Arc::clone(shared));
        connections.push(thread::spawn(move || serve(stream, &shared)));
    }
    for connection in connections {
        connection.join().unwrap();
    }
}

/// One request and its answer. A client that leaves early is what some tests are about.
fn serve(mut stream: TcpStream, shared: &Shared) {
    let Some(received) = receive(&mut stream, shared) else { return };
    let answer = {
        let answer = (shared.answers.lock().unwrap())(&received);
        shared.received.lock().unwrap().push(received);
        answer
    };
    shared.was_asked.cancel();
    let _ = match answer {
        Answer::Whole(status, headers, body) => {
            let headers: String =
                headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let length = body.len();
            stream.write_all(
                format!(
                    "HTTP/1.1 {status} Said\r\ncontent-type: \
                     application/json\r\n{headers}content-length: {length}\r\nconnection: \
                     close\r\n\r\n{body}"
                )
                .as_bytes(),
            )
        }
        Answer::Cut(part) => {
            stream.write_all(format!("{}{part}", head(part.len() + 1_000)).as_bytes())
        }
        Answer::HalfStatusLine => stream.write_all(b"HTTP/1.1 20"),
        Answer::Large(length, beginning) => {
            stream.write_all(head(length).as_bytes()).and_then(|()| {
                stream.write_all(beginning.as_bytes())?;
                stream.write_all(&vec![b' '; length - beginning.len()])
            })
        }
        Answer::Slow => stream
            .write_all(head(1_000_000).as_bytes())
            .map(|()| while is_waiting(&mut stream, shared) && stream.write_all(b" ").is_ok() {}),
        Answer::Silence => {
            while is_waiting(&mut stream, shared) {}
            Ok(())
        }
    };
}

fn head(length: usize) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: \
         {length}\r\nconnection: close\r\n\r\n"
    )
}

/// Waits a moment: whether the client is still there, and the test not over.
fn is_waiting(stream: &mut TcpStream, shared: &Shared) -> bool {
    !shared.is_over.load(Ordering::SeqCst) && read(stream, &mut [0]) != Some(0)
}

/// Reads what comes within a moment: none where nothing does, 0 bytes where the client has left.
fn read(stream: &mut TcpStream, buffer: &mut [u8]) -> Option<usize> {
    match stream.set_read_timeout(Some(PACE)).and_then(|()| stream.read(buffer)) {
        Ok(n) => Some(n),
        Err(error) => match error.kind() {
            // A process that was stopped and goes on finds its waits with a time limit interrupted.
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => None,
            _ => Some(0),
        },
    }
}

/// Reads a request to the end that its length says; none where the client left before.
fn receive(stream: &mut TcpStream, shared: &Shared) -> Option<Received> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 64 << 10];
    while !shared.is_over.load(Ordering::SeqCst) {
        if let Some(received) = whole(&bytes) {
            return Some(received);
        }
        match read(stream, &mut buffer) {
            Some(0) => return None,
            Some(n) => bytes.extend_from_slice(&buffer[..n]),
            None => {}
        }
    }
    None
}

/// A request, once all of it is there.
fn whole(bytes: &[u8]) -> Option<Received> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .map_or(0, |(_, length)| length.parse().unwrap());
    let body = bytes.get(end + 4..end + 4 + length)?;
    Some(Received {
        method: first.next()?.to_owned(),
        path: first.next()?.to_owned(),
        headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    })
}
