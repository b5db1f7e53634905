//! A web server on this machine that answers by a function, faults included, and keeps what it was
//! asked.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use url::Url;

/// What a request is answered with.
#[derive(Debug, Clone)]
pub(crate) enum PageAnswer {
    /// Status, headers beside the length, body.
    Whole(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// These bytes, and the end of the connection.
    Raw(Vec<u8>),
    /// The head of a page, then a byte at a time without end.
    Drip,
    /// The head of a page, then as much as the client takes.
    Endless,
    /// Nothing, until the client leaves.
    Silence,
    /// A page, as soon as so many requests wait for one.
    Together(Arc<AtomicUsize>, usize),
}

/// A page.
pub(crate) fn page(body: &str) -> PageAnswer {
    PageAnswer::Whole(200, vec![("Content-Type", "text/html".to_owned())], body.into())
}

/// A plain text.
pub(crate) fn text(body: &str) -> PageAnswer {
    PageAnswer::Whole(200, vec![("Content-Type", "text/plain".to_owned())], body.into())
}

/// A status with a short text.
pub(crate) fn status(status: u16) -> PageAnswer {
    PageAnswer::Whole(status, Vec::new(), format!("status {status}").into())
}

/// A redirect.
pub(crate) fn redirect(location: &str) -> PageAnswer {
    PageAnswer::Whole(302, vec![("Location", location.to_owned())], Vec::new())
}

/// A page of links.
pub(crate) fn links(hrefs: &[&str]) -> PageAnswer {
    let links: String = hrefs.iter().map(|href| format!("<a href=\"{href}\">x</a>\n")).collect();
    page(&format!("<html>{links}"))
}

/// What a client asked: the path with its query, and the head.
#[derive(Debug, Clone)]
pub(crate) struct PageRequest {
    pub(crate) path: String,
    pub(crate) head: String,
}

type PageAnswers = Box<dyn FnMut(&PageRequest) -> PageAnswer + Send>;

struct ServerState {
    answers: Mutex<PageAnswers>,
    received: Mutex<Vec<PageRequest>>,
    is_over: AtomicBool,
}

/// A running server, ended when dropped.
pub(crate) struct PageServer {
    address: SocketAddr,
    state: Arc<ServerState>,
    listening: Option<JoinHandle<()>>,
}

impl PageServer {
    /// A server that answers each path by this function.
    pub(crate) fn start(
        mut answers: impl FnMut(&str) -> PageAnswer + Send + 'static,
    ) -> PageServer {
        PageServer::answering(move |request| answers(&request.path))
    }

    /// A server that answers each request by this function.
    pub(crate) fn answering(
        answers: impl FnMut(&PageRequest) -> PageAnswer + Send + 'static,
    ) -> PageServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(ServerState {
            answers: Mutex::new(Box::new(answers)),
            received: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let listening = thread::spawn({
            let state = Arc::clone(&state);
            move || listen(&listener, &state)
        });
        PageServer { address, state, listening: Some(listening) }
    }

    /// A server of pages by path; other paths are 404.
    pub(crate) fn of(pages: Vec<(&'static str, PageAnswer)>) -> PageServer {
        PageServer::start(move |path| {
            let found = pages.iter().find(|(one, _)| *one == path);
            found.map_or_else(|| status(404), |(_, answer)| answer.clone())
        })
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    /// The port.
    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// What was asked so far.
    pub(crate) fn received(&self) -> Vec<PageRequest> {
        self.state.received.lock().unwrap().clone()
    }

    /// The paths that were asked so far, without `/robots.txt`.
    pub(crate) fn paths(&self) -> Vec<String> {
        let paths = self.received().into_iter().map(|request| request.path);
        paths.filter(|path| path != "/robots.txt").collect()
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::SeqCst);
        // Wakes the listener.
        drop(TcpStream::connect(self.address));
        if let Some(listening) = self.listening.take() {
            let ended = listening.join();
            assert!(ended.is_ok() || thread::panicking(), "the server failed");
        }
    }
}

fn listen(listener: &TcpListener, state: &Arc<ServerState>) {
    let mut connections = Vec::new();
    for stream in listener.incoming() {
        if state.is_over.load(Ordering::SeqCst) {
            break;
        }
        let (stream, state) = (stream.unwrap(), Arc::clone(state));
        connections.push(thread::spawn(move || serve(stream, &state)));
    }
    for connection in connections {
        connection.join().unwrap();
    }
}

/// One request and its answer. A client that leaves early is what some tests are about.
fn serve(mut stream: TcpStream, state: &ServerState) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).is_ok_and(|n| n > 0) {
            continue;
        }
        return;
    }
    let path = head.split(' ').nth(1).unwrap().to_owned();
    assert!(head.starts_with("GET "), "{head}");
    let request = PageRequest { path, head };
    state.received.lock().unwrap().push(request.clone());
    let answer = (state.answers.lock().unwrap())(&request);
    let ok = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n";
    let mut send = |bytes: &[u8]| stream.write_all(bytes).is_ok();
    match answer {
        PageAnswer::Whole(status, headers, body) => {
            let headers: String =
                headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let head = format!(
                "HTTP/1.1 {status} Said\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            send(&[head.as_bytes(), &body].concat());
        }
        PageAnswer::Raw(bytes) => {
            send(&bytes);
        }
        PageAnswer::Drip => {
            send(ok);
            while is_open(state) && send(b" ") {}
        }
        PageAnswer::Endless => {
            send(ok);
            while is_open(state) && send(&[b' '; 1 << 16]) {}
        }
        PageAnswer::Silence => while is_open(state) {},
        PageAnswer::Together(n_waiting, n_wanted) => {
            n_waiting.fetch_add(1, Ordering::SeqCst);
            while n_waiting.load(Ordering::SeqCst) < n_wanted && is_open(state) {}
            send(ok);
        }
    }
}

/// Waits a moment; `false` at the end of the test.
fn is_open(state: &ServerState) -> bool {
    thread::sleep(Duration::from_millis(10));
    !state.is_over.load(Ordering::SeqCst)
}
