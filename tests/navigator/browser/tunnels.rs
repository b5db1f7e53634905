//! Inside TLS the proxy sees hosts only: requests are held in the browser alone.

use navigator::browser::launch::Browser;
use navigator::browser::session::Tab;
use serde_json::json;

use super::wire_server::{WireServer, html, redirect, within};
use super::{LONG, evaluated, guard, launched, stopped, visit};

const SEND: &str = "const send = (path, body) =>
    fetch(path, { method: 'POST', body }).then(() => true, () => false);";

/// Sends without end.
const STORM: &str = "<script>setInterval(() => {
    navigator.sendBeacon('/beacon', 'x');
    fetch('/kept', { method: 'POST', body: 'x', keepalive: true }).catch(() => 0);
    fetch('/read');
}, 1)</script>";

fn server() -> WireServer {
    WireServer::start_tls(|_| {
        Box::new(|path| match path {
            "/page" => Some(html(&format!("<script>{SEND}{HELPERS}</script>"))),
            "/moved" => Some(redirect(307, "/orders")),
            "/storm" => Some(html(STORM)),
            _ => None,
        })
    })
}

/// Opens a page whose certificate is trusted by this tab alone.
fn opened_tls(browser: &Browser, url: &str) -> Tab {
    let tab = browser.open_tab(LONG).unwrap();
    tab.call("Security.setIgnoreCertificateErrors", json!({ "ignore": true }), LONG).unwrap();
    visit(&tab, url);
    tab
}

#[test]
fn inside_tls_a_request_needs_a_permit_as_well() {
    let server = server();
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened_tls(&browser, &server.url("/page"));
    for path in ["/orders", "/moved"] {
        let send = format!("send('{path}', 'a=1')");
        assert_eq!(evaluated(&tab, &send), Ok(false.into()));
        browser.guard().permit(&stopped(&browser).request);
        assert_eq!(evaluated(&tab, &send), Ok((path == "/orders").into()));
        assert_eq!(evaluated(&tab, &send), Ok(false.into()));
        browser.guard().revoke_permits();
        browser.guard().tried();
    }
    let sent: Vec<String> = server.sent().into_iter().map(|(line, _)| line).collect();
    assert_eq!(sent, ["POST /orders", "POST /moved"]);
}

#[test]
fn no_tunnel_leads_to_another_host_or_port() {
    let (server, foreign) = (server(), server());
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened_tls(&browser, &server.url("/page"));
    let read = format!("fetch('{}', {{ mode: 'no-cors' }}).catch(() => 1)", foreign.url("/read"));
    assert_eq!(evaluated(&tab, &read), Ok(1.into()));
    assert_eq!(
        evaluated(&tab, &format!("opened(WebSocket, '{}')", foreign.url("/"))),
        Ok(0.into())
    );
    assert_eq!(foreign.arrived(), []);
}

#[test]
fn what_is_held_when_a_browser_ends_is_not_sent() {
    let server = server();
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let _tab = opened_tls(&browser, &server.url("/storm"));
    server.wait_for("GET /read");
    assert!(within(LONG, || !browser.guard().tried().attempts.is_empty()));
    drop(browser);
    assert_eq!(server.sent(), []);
}

#[test]
fn what_is_held_of_a_frame_that_goes_is_not_sent() {
    let server = server();
    let other = format!("https://localhost:{}/", server.port);
    let Some(browser) = launched(guard(&[&server.url("/"), &other])) else { return };
    let tab = opened_tls(&browser, &server.url("/page"));
    for _ in 0..20 {
        let source = json!(format!("{other}storm"));
        evaluated(&tab, &format!("frame().src = {source}")).unwrap();
        browser.guard().tried();
        let has_frame = || tab.frames().iter().any(|(frame, _)| frame.url.ends_with("/storm"));
        assert!(within(LONG, has_frame));
        assert!(within(LONG, || !browser.guard().tried().attempts.is_empty()));
        evaluated(&tab, "document.querySelector('iframe').remove()").unwrap();
    }
    // What was let go has arrived before this.
    assert_eq!(evaluated(&tab, "fetch('/last').then(() => 1)"), Ok(1.into()));
    assert_eq!(server.sent(), []);
}

/// Ways to a WebSocket to the page's own host, which the proxy would not see.
const SOCKETS: [&str; 8] = [
    "opened(WebSocket, SOCKET)",
    "opened(WebSocket.prototype.constructor, SOCKET)",
    "opened(class extends WebSocket {}, SOCKET)",
    "opened(Object.getPrototypeOf(class extends WebSocket {}), SOCKET)",
    "opened(frame().contentWindow.WebSocket, SOCKET)",
    "opened(frame('<p>x').contentWindow.WebSocket, SOCKET)",
    "(Reflect.construct = (native, given) => new native(SOCKET), opened(WebSocket, SOCKET))",
    "inWorker(`(${opened})(WebSocket, '${SOCKET}').then(postMessage)`)",
];

const HELPERS: &str = r#"
    const SOCKET = 'wss://' + location.host + '/socket';
    const opened = (Made, url) => new Promise(end => {
        const socket = new Made(url.replace('https', 'wss'));
        socket.onopen = () => end(1);
        socket.onerror = () => end(0);
    });
    const frame = text => document.body.appendChild(Object.assign(
        document.createElement('iframe'), text ? { srcdoc: text } : {}));
    const inWorker = text => new Promise(end => {
        new Worker(URL.createObjectURL(new Blob([text]))).onmessage = event => end(event.data);
    });"#;

#[test]
fn no_web_socket_leaves_through_a_tunnel() {
    let server = server();
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened_tls(&browser, &server.url("/page"));
    for socket in SOCKETS {
        assert_eq!(evaluated(&tab, socket), Ok(0.into()), "{socket}");
        let stopped = browser.guard().tried().attempts;
        let stopped: Vec<String> =
            stopped.iter().map(|one| format!("{:?}: {}", one.request, one.reason)).collect();
        assert_eq!(stopped, ["wss WEBSOCKET /socket: it would become a WebSocket"], "{socket}");
    }
    assert_eq!(server.arrived(), [("GET /page".to_owned(), String::new())]);
}
