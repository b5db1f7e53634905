//! Inside TLS the proxy sees hosts only: requests are held in the browser alone.

use navigator::browser::launch::Browser;
use navigator::browser::session::Tab;
use serde_json::json;

use super::wire_server::{WireServer, html, redirect};
use super::{LONG, evaluated, guard, launched, stopped, visit};

const SEND: &str = "const send = (path, body) =>
    fetch(path, { method: 'POST', body }).then(() => true, () => false);";

fn server() -> WireServer {
    WireServer::start_tls(|_| {
        Box::new(|path| match path {
            "/page" => Some(html(&format!("<script>{SEND}</script>"))),
            "/moved" => Some(redirect(307, "/orders")),
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
    let socket = |url: &str| {
        let url = url.replace("https", "wss");
        format!(
            "new Promise(end => {{ const socket = new WebSocket('{url}'); \
             socket.onopen = socket.onclose = () => end(1) }})"
        )
    };
    let read = format!("fetch('{}', {{ mode: 'no-cors' }}).catch(() => 1)", foreign.url("/read"));
    assert_eq!(evaluated(&tab, &read), Ok(1.into()));
    assert_eq!(evaluated(&tab, &socket(&foreign.url("/socket"))), Ok(1.into()));
    assert_eq!(foreign.arrived(), []);
    // A secure WebSocket to an allowed host is not held today: SECURITY.md says so.
    assert_eq!(evaluated(&tab, &socket(&server.url("/socket"))), Ok(1.into()));
    server.wait_for("GET /socket");
}
