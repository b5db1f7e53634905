//! A running `navigator serve`, and a plain HTTP client for it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};
use test_support::{Sealed, sealed};

/// How long a test waits for what must come: only a broken server takes it.
const HANG: Duration = Duration::from_secs(120);

/// A server on the loopback, ended when dropped.
pub(crate) struct HttpServer {
    /// Its home, with what it keeps.
    pub(crate) home: Sealed,
    pub(crate) address: SocketAddr,
    child: Child,
    lines: Receiver<String>,
}

/// A response, read.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// By their names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Status and reason, for refusals.
    pub(crate) fn refused(&self) -> (u16, String) {
        (self.status, self.json()["reason"].as_str().unwrap_or_default().to_owned())
    }

    fn read(stream: &mut TcpStream) -> Option<Reply> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let status = line.split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let mut body = Vec::new();
        match headers.get("content-length") {
            Some(length) => {
                body.resize(length.parse().unwrap(), 0);
                reader.read_exact(&mut body).ok()?;
            }
            None => drop(reader.read_to_end(&mut body)),
        }
        Some(Reply { status, headers, body: String::from_utf8(body).unwrap() })
    }
}

/// An open connection.
pub(crate) struct Connection(TcpStream);

impl Connection {
    /// Sends bytes as they are. A server that has closed the connection does not get them.
    pub(crate) fn send(&mut self, bytes: &str) {
        let _ = self.0.write_all(bytes.as_bytes());
    }

    /// The next response; `None` if the connection ends before one.
    pub(crate) fn reply(&mut self) -> Option<Reply> {
        Reply::read(&mut self.0)
    }
}

/// A request with a JSON body.
pub(crate) fn request(method: &str, path: &str, headers: &str, body: &str) -> String {
    let host = if headers.contains("Host:") { "" } else { "Host: localhost\r\n" };
    let kind = if headers.contains("Content-Type:") || body.is_empty() {
        ""
    } else {
        "Content-Type: application/json\r\n"
    };
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\n{host}{kind}{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

/// The header of a token.
pub(crate) fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

impl HttpServer {
    /// Starts a server for a folder at a free port.
    pub(crate) fn of(folder: &Path, flags: &[&str]) -> HttpServer {
        let home = sealed(env!("CARGO_BIN_EXE_navigator"));
        let mut command = home.command(folder);
        command.args(["serve", "--listen", "127.0.0.1:0", "--no-history", "--no-cache"]);
        let mut child = command.args(flags).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (tell, lines) = channel();
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let _ = tell.send(line);
            }
        });
        let unknown = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut server = HttpServer { home, address: unknown, child, lines };
        let line = server.line_with("listening at http://");
        let (_, rest) = line.split_once("http://").unwrap();
        server.address = rest.split(' ').next().unwrap().parse().unwrap();
        server
    }

    /// Waits for a line of the log, and returns it.
    pub(crate) fn line_with(&self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(HANG);
            let line = line.unwrap_or_else(|_| panic!("no line with `{text}`"));
            if line.contains(text) {
                return line;
            }
        }
    }

    pub(crate) fn connect(&self) -> Connection {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        Connection(stream)
    }

    /// The response to a request.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Reply {
        let mut connection = self.connect();
        connection.send(&request(method, path, &format!("{headers}Connection: close\r\n"), body));
        connection.reply().unwrap_or_else(|| panic!("no response to {method} {path}"))
    }

    /// The response to a call of a tool.
    pub(crate) fn call(&self, headers: &str, tool: &str, arguments: &Value) -> Reply {
        self.ask("POST", &format!("/v1/tools/{tool}"), headers, &arguments.to_string())
    }

    /// Begins a call of a tool, and leaves its response to be read.
    pub(crate) fn begin(&self, headers: &str, tool: &str, arguments: &Value) -> Connection {
        let mut connection = self.connect();
        let path = format!("/v1/tools/{tool}");
        connection.send(&request("POST", &path, headers, &arguments.to_string()));
        connection
    }

    /// The result of a call over the protocol for agents, in one request.
    pub(crate) fn agent(&self, headers: &str, tool: &str, arguments: &Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let reply = self.post_mcp(headers, &call);
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()
    }

    /// The response to a message of the protocol for agents.
    pub(crate) fn post_mcp(&self, headers: &str, message: &Value) -> Reply {
        let headers = format!("{headers}Accept: application/json, text/event-stream\r\n");
        self.ask("POST", "/mcp", &headers, &message.to_string())
    }

    /// A figure of the server; 0 if it has none.
    pub(crate) fn figure(&self, headers: &str, name: &str) -> u64 {
        let text = self.ask("GET", "/metrics", headers, "").body;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0, |value| value.parse().unwrap())
    }

    /// Waits until a figure has a value.
    pub(crate) fn until_figure(&self, headers: &str, name: &str, value: u64) {
        while self.figure(headers, name) != value {
            std::thread::yield_now();
        }
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits for the end; returns the exit code and the lines that were not read.
    pub(crate) fn ended(mut self) -> (Option<i32>, Vec<String>) {
        let code = self.child.wait().unwrap().code();
        (code, self.lines.iter().collect())
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
