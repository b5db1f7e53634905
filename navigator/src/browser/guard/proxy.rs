//! A forward proxy of our own on the loopback: all traffic of the browser passes it. Plain HTTP is
//! judged request by request; a tunnel is opened to allowed hosts only, for TLS. It resolves names
//! itself and connects to addresses that were checked.

#![expect(clippy::disallowed_methods, reason = "the rim: sockets")]

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use url::Url;

use crate::browser::guard::attempt::WireLayer;
use crate::browser::guard::judge::WireGuard;
use crate::browser::guard::message::{MessageHead, RequestHead, read_head};
use crate::browser::guard::request::WireRequest;
use crate::browser::guard::sockets::{ProxySockets, SharedSocket};
use crate::browser::guard::web_socket::address_of;

/// The number of connections at a time. Chromium opens 32 to a proxy by itself.
const CONNECTIONS: usize = 256;
/// The largest body of a request.
const LARGEST_BODY: u64 = 64 << 20;
/// The first byte that a client of TLS sends.
const TLS_HANDSHAKE: u8 = 0x16;
/// What is shown in the place of a method where a page wants a WebSocket.
const WEB_SOCKET: &str = "WEBSOCKET";
/// The reason that it gets none.
const NO_WEB_SOCKET: &str = "it would become a WebSocket";
const CONNECT: Duration = Duration::from_secs(15);
/// The time without a byte after which a connection is closed.
const IDLE: Duration = Duration::from_secs(300);

/// A running proxy. Dropping it closes it.
#[derive(Debug)]
pub(crate) struct GuardProxy {
    address: SocketAddr,
    sockets: ProxySockets,
}

impl GuardProxy {
    /// Opens a port on the loopback and serves it.
    pub(crate) fn start(guard: WireGuard) -> io::Result<GuardProxy> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let sockets = ProxySockets::default();
        let wire = ProxyWire { guard, sockets: sockets.clone() };
        thread::spawn(move || accept(&listener, &wire));
        Ok(GuardProxy { address, sockets })
    }

    /// Returns the address of the proxy.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns its sockets, which can be closed while it is used.
    pub(crate) fn sockets(&self) -> ProxySockets {
        self.sockets.clone()
    }
}

impl Drop for GuardProxy {
    fn drop(&mut self) {
        self.sockets.close();
        // The thread waits for a connection: this one ends it.
        let _ = TcpStream::connect_timeout(&self.address, CONNECT);
    }
}

/// What all connections share.
#[derive(Debug, Clone)]
struct ProxyWire {
    guard: WireGuard,
    sockets: ProxySockets,
}

fn accept(listener: &TcpListener, wire: &ProxyWire) {
    let n_open = Arc::new(AtomicUsize::new(0));
    for client in listener.incoming() {
        if wire.sockets.are_closed() {
            return;
        }
        // A connection that is gone before it is taken is nobody's loss.
        let Ok(client) = client else { continue };
        if n_open.fetch_add(1, Ordering::SeqCst) >= CONNECTIONS {
            n_open.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let (wire, n_open) = (wire.clone(), Arc::clone(&n_open));
        thread::spawn(move || {
            // What breaks here is seen by the browser: its request fails.
            let _ = serve(client, &wire);
            n_open.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

/// Serves one connection: one request, or one tunnel.
fn serve(client: TcpStream, wire: &ProxyWire) -> io::Result<()> {
    let _shared = wire.sockets.share(&client)?;
    client.set_read_timeout(Some(IDLE))?;
    client.set_write_timeout(Some(IDLE))?;
    let mut incoming = BufReader::new(client.try_clone()?);
    let Some(bytes) = read_head(&mut incoming)? else { return Ok(()) };
    let Some(head) = RequestHead::parse(&bytes) else { return refuse(&client, 400) };
    if head.method == "CONNECT" {
        tunnel(client, &mut incoming, wire, &head.target)
    } else {
        forward(client, &mut incoming, wire, &head)
    }
}

fn tunnel(
    mut client: TcpStream,
    incoming: &mut BufReader<TcpStream>,
    wire: &ProxyWire,
    target: &str,
) -> io::Result<()> {
    let guard = &wire.guard;
    // As an address of TLS, so that the host and the port have one spelling.
    let url = Url::parse(&format!("https://{target}/"));
    let Ok(url) = url else { return refuse(&client, 400) };
    let (host, port) = (url.host_str().unwrap_or_default(), url.port().unwrap_or(443));
    if let Some(address) = address_of(host) {
        let request = WireRequest::new(WEB_SOCKET, address, "", Some(&[]));
        let request = request.carrying(&guard.secrets(), &[]);
        // A page wanted it, as it wants what is held in the browser.
        guard.stopped(&request, WireLayer::Browser, NO_WEB_SOCKET);
        return refuse(&client, 403);
    }
    let request = WireRequest::new("CONNECT", url.clone(), "", Some(&[]));
    if !guard.may_open_tunnel(host, port) {
        guard.stopped(&request, WireLayer::Proxy, "no tunnel to this host");
        return refuse(&client, 403);
    }
    let Some((mut server, _shared)) = connect(wire, host, port) else {
        guard.stopped(&request, WireLayer::Proxy, "no allowed address answers");
        return refuse(&client, 502);
    };
    client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
    // A WebSocket without TLS to a port of TLS would be text that anybody can read.
    let first = incoming.fill_buf()?;
    if first.first() != Some(&TLS_HANDSHAKE) {
        guard.stopped(&request, WireLayer::Proxy, "the tunnel does not carry TLS");
        return client.shutdown(Shutdown::Both);
    }
    server.write_all(first)?;
    let (mut from_client, mut to_server) = (client.try_clone()?, server.try_clone()?);
    let upward = thread::spawn(move || {
        let _ = io::copy(&mut from_client, &mut to_server);
        let _ = to_server.shutdown(Shutdown::Write);
    });
    let mut response = BufReader::new(server.try_clone()?);
    let _ = pump(wire, &request, &mut response, &mut client);
    let _ = client.shutdown(Shutdown::Both);
    let _ = server.shutdown(Shutdown::Both);
    let _ = upward.join();
    Ok(())
}

fn forward(
    client: TcpStream,
    incoming: &mut BufReader<TcpStream>,
    wire: &ProxyWire,
    head: &RequestHead,
) -> io::Result<()> {
    let guard = &wire.guard;
    let url = Url::parse(&head.target).ok().filter(|url| url.scheme() == "http");
    let Some(url) = url else { return refuse(&client, 400) };
    let content_type = head.header("content-type").unwrap_or_default();
    let (secrets, lines) = (guard.secrets(), head.lines());
    let length = head.body_length().filter(|length| *length <= LARGEST_BODY);
    let Some(length) = length else {
        let request = WireRequest::new(&head.method, url, content_type, None);
        let request = request.carrying(&secrets, &[&lines]);
        guard.stopped(&request, WireLayer::Proxy, "its body cannot be measured");
        return refuse(&client, 403);
    };
    let mut body = Vec::new();
    incoming.take(length).read_to_end(&mut body)?;
    if body.len() as u64 != length {
        return Ok(());
    }
    let request = WireRequest::new(&head.method, url, content_type, Some(&body));
    let request = request.carrying(&secrets, &[&lines, &body]);
    if head.has("upgrade") {
        guard.stopped(&request, WireLayer::Proxy, NO_WEB_SOCKET);
        return refuse(&client, 403);
    }
    if !guard.may_leave(&request) {
        return refuse(&client, 403);
    }
    let host = request.url.host_str().unwrap_or_default();
    let port = request.url.port().unwrap_or(80);
    let Some((mut server, _shared)) = connect(wire, host, port) else {
        guard.stopped(&request, WireLayer::Proxy, "no allowed address answers");
        return refuse(&client, 502);
    };
    server.write_all(&head.to_server(&request.url))?;
    server.write_all(&body)?;
    respond(client, &server, wire, &request)
}

/// Hands a response on, with `Connection: close`: each request has a connection of its own.
fn respond(
    mut client: TcpStream,
    server: &TcpStream,
    wire: &ProxyWire,
    request: &WireRequest,
) -> io::Result<()> {
    let mut response = BufReader::new(server.try_clone()?);
    let head = loop {
        let Some(bytes) = read_head(&mut response)? else { return refuse(&client, 502) };
        let Some(head) = MessageHead::parse(&bytes) else { return refuse(&client, 502) };
        match head.status {
            101 => return refuse(&client, 502),
            // A note before the response.
            100..200 => {}
            _ => break head,
        }
    };
    client.write_all(&head.to_client())?;
    let has_body = request.method != "HEAD" && head.status != 204 && head.status != 304;
    match head.body_length {
        _ if !has_body => {}
        Some(length) => pump(wire, request, &mut response.take(length), &mut client)?,
        None => pump(wire, request, &mut response, &mut client)?,
    }
    client.shutdown(Shutdown::Both)
}

/// Copies as bytes arrive, up to the limit of the guard, which ends all connections: an event must
/// not wait in a buffer for the next one.
fn pump(
    wire: &ProxyWire,
    request: &WireRequest,
    from: &mut impl BufRead,
    to: &mut impl Write,
) -> io::Result<()> {
    loop {
        let bytes = from.fill_buf()?;
        if bytes.is_empty() {
            return Ok(());
        }
        if !wire.guard.receives(request, bytes.len() as u64) {
            wire.sockets.end();
            return Ok(());
        }
        to.write_all(bytes)?;
        let taken = bytes.len();
        from.consume(taken);
    }
}

/// Connects to the first address of a host that the guard lets through and that answers.
fn connect(wire: &ProxyWire, host: &str, port: u16) -> Option<(TcpStream, SharedSocket)> {
    // An address of IPv6 has brackets in a URL.
    let name = host.trim_start_matches('[').trim_end_matches(']');
    let addresses = (name, port).to_socket_addrs().ok()?;
    let mut allowed = addresses.filter(|address| wire.guard.may_connect(host, address.ip()));
    let server = allowed.find_map(|one| TcpStream::connect_timeout(&one, CONNECT).ok())?;
    let shared = wire.sockets.share(&server).ok()?;
    server.set_read_timeout(Some(IDLE)).ok()?;
    server.set_write_timeout(Some(IDLE)).ok()?;
    Some((server, shared))
}

fn refuse(mut client: &TcpStream, status: u16) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status} Refused by the guard\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    client.write_all(head.as_bytes())?;
    client.shutdown(Shutdown::Write)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browser::guard::policy::WirePolicy;

    /// Opens a tunnel to a server, sends bytes through it, and returns what arrives.
    fn sent_through_a_tunnel(bytes: &[u8], is_allowed: bool) -> (String, Vec<u8>) {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let host = server.local_addr().unwrap().to_string();
        let named = format!("https://{host}/").parse().unwrap();
        let policy = WirePolicy::nothing();
        let policy = if is_allowed { policy.with_named(&named) } else { policy };
        let proxy = GuardProxy::start(WireGuard::new(policy, None)).unwrap();
        let mut client = TcpStream::connect(proxy.address()).unwrap();
        client.write_all(format!("CONNECT {host} HTTP/1.1\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        let mut incoming = BufReader::new(client.try_clone().unwrap());
        incoming.read_line(&mut answer).unwrap();
        let mut arrived = Vec::new();
        if is_allowed {
            let (mut taken, _) = server.accept().unwrap();
            client.write_all(bytes).unwrap();
            client.shutdown(Shutdown::Write).unwrap();
            taken.read_to_end(&mut arrived).unwrap();
        }
        (answer.trim().to_owned(), arrived)
    }

    /// Opens a tunnel to a server, and returns both ends of it.
    fn open_tunnel(proxy: &GuardProxy, server: &TcpListener) -> (TcpStream, TcpStream) {
        let host = server.local_addr().unwrap();
        let mut client = TcpStream::connect(proxy.address()).unwrap();
        client.write_all(format!("CONNECT {host} HTTP/1.1\r\n\r\n").as_bytes()).unwrap();
        let mut incoming = BufReader::new(client.try_clone().unwrap());
        assert!(read_head(&mut incoming).unwrap().is_some());
        client.write_all(&[TLS_HANDSHAKE, 3, 1, 0]).unwrap();
        let (mut taken, _) = server.accept().unwrap();
        taken.read_exact(&mut [0; 4]).unwrap();
        (client, taken)
    }

    #[test]
    fn a_closed_proxy_ends_its_tunnels_and_opens_no_others() {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let host = server.local_addr().unwrap().to_string();
        let named = format!("https://{host}/").parse().unwrap();
        let guard = WireGuard::new(WirePolicy::nothing().with_named(&named), None);
        let proxy = GuardProxy::start(guard).unwrap();
        let (mut client, mut taken) = open_tunnel(&proxy, &server);

        proxy.sockets().close();
        let mut rest = Vec::new();
        // The socket is shut, or was reset when this was written to it.
        let _ = client.write_all(b"sent after the end");
        assert_eq!((taken.read_to_end(&mut rest).unwrap(), rest), (0, Vec::new()));
        let mut late = TcpStream::connect(proxy.address()).unwrap();
        let _ = late.write_all(format!("CONNECT {host} HTTP/1.1\r\n\r\n").as_bytes());
        let mut answer = [0];
        assert!(!late.read(&mut answer).is_ok_and(|n| n > 0));
    }

    #[test]
    fn an_answer_without_end_ends_with_all_connections_at_the_limit_of_bytes() {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let url = format!("http://{}/", server.local_addr().unwrap());
        let named = [url.parse().unwrap(), url.replace("http", "https").parse().unwrap()];
        let policy = WirePolicy::nothing().with_named(&named[0]).with_named(&named[1]);
        let guard = WireGuard::new(policy, None);
        guard.limit_bytes(100_000);
        let proxy = GuardProxy::start(guard.clone()).unwrap();
        let (_client, mut idle) = open_tunnel(&proxy, &server);
        let sending = thread::spawn(move || {
            let (mut taken, _) = server.accept().unwrap();
            read_head(&mut BufReader::new(taken.try_clone().unwrap())).unwrap();
            taken.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
            while taken.write_all(&[b'x'; 1_000]).is_ok() {}
        });
        let read = || {
            let mut client = TcpStream::connect(proxy.address()).unwrap();
            client.write_all(format!("GET {url} HTTP/1.1\r\n\r\n").as_bytes()).unwrap();
            let mut all = Vec::new();
            // A connection that is reset has ended as well.
            let _ = client.read_to_end(&mut all);
            String::from_utf8(all).unwrap()
        };
        let n = read().len();
        assert!((50_000..120_000).contains(&n), "{n}");
        sending.join().unwrap();
        let mut rest = Vec::new();
        assert_eq!((idle.read_to_end(&mut rest).unwrap(), rest), (0, Vec::new()));
        assert!(read().starts_with("HTTP/1.1 403 "));
        let reasons: Vec<String> =
            guard.refused().attempts.into_iter().map(|one| one.reason).collect();
        assert_eq!(reasons, ["the limit of bytes is reached"; 2]);
        assert!((100_000..110_000).contains(&guard.n_bytes()), "{}", guard.n_bytes());
    }

    /// Sends bytes to a proxy as a browser would, and returns the status that it answers with, what
    /// reached the server, and why the proxy refused it.
    fn sent_as_a_request(bytes: impl Fn(&str) -> String) -> (String, Vec<u8>, Vec<String>) {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let url = format!("http://{}", server.local_addr().unwrap());
        let start: Url = url.parse().unwrap();
        let rule = format!("POST:{url}/x").parse().unwrap();
        let policy = WirePolicy::nothing().with_named(&start).with_rule(rule);
        let guard = WireGuard::new(policy, None);
        let proxy = GuardProxy::start(guard.clone()).unwrap();
        let mut client = TcpStream::connect(proxy.address()).unwrap();
        client.write_all(bytes(&url).as_bytes()).unwrap();
        client.shutdown(Shutdown::Write).unwrap();
        let serving = thread::spawn(move || {
            let (mut taken, _) = server.accept().unwrap();
            // The proxy keeps its side open for the answer: what comes at once is all.
            let mut arrived = vec![0; 1_000];
            let n = taken.read(&mut arrived).unwrap();
            let rest = "HTTP/1.1 204 x\r\n\r\n";
            let _ = taken.write_all(rest.as_bytes());
            arrived.truncate(n);
            let _ = taken.read_to_end(&mut arrived);
            arrived
        });
        let mut answer = String::new();
        // A connection that is reset has ended as well.
        let _ = client.read_to_string(&mut answer);
        let status = answer.split(' ').nth(1).unwrap_or_default().to_owned();
        // One that was refused never came: this ends the wait for it.
        if status != "204" {
            drop(TcpStream::connect(start.socket_addrs(|| None).unwrap()[0]).unwrap());
        }
        let reasons = guard.refused().attempts.into_iter().map(|one| one.reason).collect();
        (status, serving.join().unwrap(), reasons)
    }

    #[test]
    fn what_follows_a_request_reaches_nobody() {
        let (status, arrived, _) = sent_as_a_request(|url| {
            format!(
                "POST {url}/x HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\nab\
                 POST {url}/y HTTP/1.1\r\nContent-Length: 2\r\n\r\ncd"
            )
        });
        let arrived = String::from_utf8(arrived).unwrap();
        assert_eq!(status, "204");
        assert!(arrived.starts_with("POST /x HTTP/1.1\r\nHost: 127.0.0.1:"), "{arrived}");
        assert!(arrived.ends_with("content-length: 2\r\nconnection: close\r\n\r\nab"), "{arrived}");
    }

    #[test]
    fn a_body_whose_end_is_a_matter_of_opinion_reaches_nobody() {
        let chunks =
            ["2\r\nab\r\n0\r\n\r\n", "+2\r\nab\r\n0\r\n\r\n", "0x2;a=b\r\nab\r\n0\r\n\r\n"];
        let heads = [
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: xchunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 2",
            "Content-Length: +2",
            "Content-Length: 2\r\nContent-Length: 3",
        ];
        for (head, body) in heads.iter().flat_map(|head| chunks.map(|body| (head, body))) {
            let (status, arrived, reasons) =
                sent_as_a_request(|url| format!("POST {url}/x HTTP/1.1\r\n{head}\r\n\r\n{body}"));
            assert_eq!((status.as_str(), arrived.as_slice()), ("403", &[][..]), "{head} {body}");
            assert_eq!(reasons, ["its body cannot be measured"]);
        }
        let folded = "Content-Length: 2\r\nA: b\r\n Transfer-Encoding: chunked";
        let (status, arrived, _) =
            sent_as_a_request(|url| format!("POST {url}/x HTTP/1.1\r\n{folded}\r\n\r\nab"));
        assert_eq!((status.as_str(), arrived.as_slice()), ("400", &[][..]));
    }

    #[test]
    fn a_tunnel_carries_tls_to_allowed_hosts_and_nothing_else() {
        let hello = [TLS_HANDSHAKE, 3, 1, 0];
        let opened = "HTTP/1.1 200 Connection established";
        assert_eq!(sent_through_a_tunnel(&hello, true), (opened.to_owned(), hello.to_vec()));
        assert_eq!(sent_through_a_tunnel(b"GET / HTTP", true), (opened.to_owned(), Vec::new()));
        let refused = "HTTP/1.1 403 Refused by the guard";
        assert_eq!(sent_through_a_tunnel(&hello, false), (refused.to_owned(), Vec::new()));
    }
}
