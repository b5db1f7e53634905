//! The server as a child process: its repository, a knowledge, and a token for each caller.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

use crate::BenchArgs;

/// The number of pages of the site that the knowledge is of.
const PAGES: usize = 60;

/// A running server.
pub(crate) struct Server {
    child: Child,
    address: String,
    /// The token of each caller; the last is of the one that collects figures.
    pub(crate) tokens: Vec<String>,
    _folder: TempDir,
}

/// A response: its status and its body.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: String,
}

fn itself() -> Result<Command> {
    Ok(Command::new(std::env::current_exe().context("finding this program")?))
}

impl Server {
    pub(crate) fn start(args: &BenchArgs) -> Result<Server> {
        let folder = tempfile::tempdir()?;
        let knowledge = knowledge(&folder)?;
        let callers = folder.path().join("callers.toml");
        let mut tokens = Vec::new();
        for at in 0..=args.callers {
            let (name, rate) = (format!("caller-{at}"), args.rate.to_string());
            let mut token = itself()?;
            token.args(["serve", "token", &name, "--rate", &rate, "--callers"]).arg(&callers);
            if at == args.callers {
                token.args(["--scope", "metrics"]);
            }
            let made = token.output()?;
            ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
            tokens.push(String::from_utf8(made.stdout)?.trim_end().to_owned());
        }
        let mut command = itself()?;
        command.args(["serve", "--listen", "127.0.0.1:0", "--quiet", "--callers"]).arg(&callers);
        command.arg("--knowledge").arg(&knowledge);
        command.args(["--at-once", &args.at_once.to_string()]);
        command.args(["--max-waiting", &args.max_waiting.to_string()]);
        command.arg(&args.path);
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let mut stderr = BufReader::new(child.stderr.take().context("its standard error")?);
        let mut line = String::new();
        let address = loop {
            line.clear();
            ensure!(stderr.read_line(&mut line)? > 0, "the server did not start");
            if let Some((_, rest)) = line.split_once("listening at http://") {
                break rest.split(' ').next().unwrap_or_default().to_owned();
            }
        };
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        Ok(Server { child, address, tokens, _folder: folder })
    }

    /// The response to a request over a connection of its own.
    pub(crate) fn ask(
        &self,
        token: &str,
        method: &str,
        path: &str,
        body: &str,
    ) -> Result<Response> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(400)))?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        )?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        let (head, body) = text.split_once("\r\n\r\n").context("a response without a head")?;
        let status = head.split(' ').nth(1).context("a response without a status")?.parse()?;
        Ok(Response { status, body: body.to_owned() })
    }

    /// The memory that the server holds, in KiB, and the most it held; 0 where the system does not
    /// say.
    pub(crate) fn memory(&self) -> (u64, u64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
        };
        (field("VmRSS:"), field("VmHWM:"))
    }

    /// Ends the server by a signal; returns its exit code.
    pub(crate) fn end(mut self) -> Result<Option<i32>> {
        Command::new("kill").args(["-s", "TERM", &self.child.id().to_string()]).status()?;
        Ok(self.child.wait()?.code())
    }
}

/// Makes a knowledge of a small site.
fn knowledge(folder: &TempDir) -> Result<std::path::PathBuf> {
    let site = folder.path().join("site");
    std::fs::create_dir(&site)?;
    let mut index = "<title>Orders</title><h1>Orders</h1>".to_owned();
    for at in 0..PAGES {
        write!(index, "<a href=order{at}.html>Order {at}</a> ")?;
        let next = (at + 1) % PAGES;
        let page = format!(
            "<title>Order {at}</title><h1>Order {at}</h1><p>Sent on day {at}.\
             <a href=index.html>Orders</a> <a href=order{next}.html>Next order</a>"
        );
        std::fs::write(site.join(format!("order{at}.html")), page)?;
    }
    std::fs::write(site.join("index.html"), index)?;
    let file = folder.path().join("orders.json");
    let address = format!("file://{}", site.display());
    let built = itself()?.args(["knowledge", "build", &address, "-o"]).arg(&file).output()?;
    ensure!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Ok(file)
}
