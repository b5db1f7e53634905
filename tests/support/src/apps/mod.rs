//! Web applications as people build them, on the loopback, for tests of what is known of screens:
//! a shop, a tracker of issues, a form in steps. The server knows which screen is on show, and
//! tours lead through all of them.

mod http;
mod shop;
mod tour;
mod tracker;
mod wizard;

use std::io::BufReader;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use http::{HttpAnswer, HttpRequest};
pub use tour::{Deed, Tour, TourStep};

/// How long a connection may be idle.
const IDLE: Duration = Duration::from_secs(10);

/// Which application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppKind {
    /// A shop whose pages the server makes: many addresses, forms, a cookie.
    Shop,
    /// A tracker of issues, made by script at one address that never changes.
    Tracker,
    /// A form of five steps, or six, made by script at one address.
    Wizard,
}

impl AppKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Shop, Self::Tracker, Self::Wizard];

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shop => "shop",
            Self::Tracker => "tracker",
            Self::Wizard => "wizard",
        }
    }

    /// The names of all screens.
    pub fn screens(self) -> &'static [&'static str] {
        match self {
            Self::Shop => shop::SCREENS,
            Self::Tracker => tracker::SCREENS,
            Self::Wizard => wizard::SCREENS,
        }
    }

    /// The screen at the address, where each tour begins.
    pub fn start_screen(self) -> &'static str {
        self.screens()[0]
    }

    /// Tours that show each screen three times or more.
    pub fn tours(self) -> Vec<Tour> {
        match self {
            Self::Shop => shop::tours(),
            Self::Tracker => tracker::tours(),
            Self::Wizard => wizard::tours(),
        }
    }

    fn site(self) -> Box<dyn AppSite> {
        match self {
            Self::Shop => Box::new(shop::Shop::new()),
            Self::Tracker => Box::new(tracker::Tracker::new()),
            Self::Wizard => Box::new(wizard::Wizard::new()),
        }
    }
}

/// What an application answers, by the state that it keeps.
trait AppSite: Send {
    fn answer(&mut self, request: &HttpRequest) -> HttpAnswer;
}

/// An application that is served until this is dropped; its state begins the same each time.
pub struct App {
    kind: AppKind,
    address: SocketAddr,
    state: Arc<Mutex<AppState>>,
    listening: Option<JoinHandle<()>>,
}

/// The application's state, and what was seen of its use.
struct AppState {
    site: Box<dyn AppSite>,
    at: String,
    sent: Vec<String>,
    n_requests: u64,
    is_stopped: bool,
}

impl App {
    /// Serves an application at a free port of the loopback.
    ///
    /// # Panics
    /// When no port can be listened at.
    pub fn start(kind: AppKind) -> Self {
        Self::start_at(kind, 0)
    }

    /// Serves an application at a port of the loopback.
    ///
    /// # Panics
    /// When the port cannot be listened at.
    pub fn start_at(kind: AppKind, port: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).expect("a port to listen at");
        let address = listener.local_addr().expect("a listener has an address");
        let state = AppState {
            site: kind.site(),
            at: String::new(),
            sent: Vec::new(),
            n_requests: 0,
            is_stopped: false,
        };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        let listening = thread::spawn(move || {
            for stream in listener.incoming() {
                if locked(&shared).is_stopped {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let shared = Arc::clone(&shared);
                // A client that breaks off is its own affair.
                thread::spawn(move || drop(answer(&stream, &shared)));
            }
        });
        Self { kind, address, state, listening: Some(listening) }
    }

    /// The address of the start screen.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The name of the screen on show; empty before the first.
    ///
    /// Of the shop this is the page last answered. The scripts of the others say it by a request,
    /// right after the screen has changed: who asks at once may see the screen before.
    pub fn at(&self) -> String {
        locked(&self.state).at.clone()
    }

    /// Takes back all that visitors changed.
    pub fn begin_anew(&self) {
        locked(&self.state).site = self.kind.site();
    }

    /// The names of all screens.
    pub fn screens(&self) -> &'static [&'static str] {
        self.kind.screens()
    }

    /// Each request that may change something, in order: method, path and, if it has one, body.
    pub fn sent(&self) -> Vec<String> {
        locked(&self.state).sent.clone()
    }

    /// The number of requests so far, without those by which scripts say which screen is on show.
    pub fn n_requests(&self) -> u64 {
        locked(&self.state).n_requests
    }

    /// Waits until the application stops, which it does not by itself.
    pub fn wait(mut self) {
        if let Some(listening) = self.listening.take() {
            drop(listening.join());
        }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        locked(&self.state).is_stopped = true;
        // The listener wakes, sees that it is over, and closes its port.
        drop(TcpStream::connect(self.address));
        if let Some(listening) = self.listening.take() {
            drop(listening.join());
        }
    }
}

/// The state, also after a request that failed.
fn locked(state: &Mutex<AppState>) -> MutexGuard<'_, AppState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers one request; browsers open another connection for the next.
fn answer(mut stream: &TcpStream, state: &Mutex<AppState>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    let Some(request) = HttpRequest::read(&mut BufReader::new(stream))? else { return Ok(()) };
    let answer = {
        let mut state = locked(state);
        if state.is_stopped {
            return Ok(());
        }
        state.n_requests += u64::from(!request.path.starts_with("/at/"));
        if !matches!(request.method.as_str(), "GET" | "HEAD") {
            let line = format!("{} {} {}", request.method, request.path, request.body);
            state.sent.push(line.trim_end().to_owned());
        }
        let answer = state.site.answer(&request);
        if let Some(at) = &answer.at {
            state.at.clone_from(at);
        }
        answer
    };
    answer.write(&mut stream)
}

/// The answer to a script that says which screen it shows, by `GET /at/NAME`.
fn reported(request: &HttpRequest, screens: &[&str]) -> Option<HttpAnswer> {
    let name = request.path.strip_prefix("/at/")?;
    Some(match screens.contains(&name) {
        true => HttpAnswer { at: Some(name.to_owned()), ..HttpAnswer::nothing() },
        false => HttpAnswer::missing(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::{Read as _, Write as _};

    use super::*;

    /// What an application answers, head and body.
    fn ask(app: &App, request: &str, headers: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(app.address).unwrap();
        let length = body.len();
        let request =
            format!("{request} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn the_shop_knows_a_visitor_by_a_cookie_and_leads_from_a_form_to_the_next_page() {
        let shop = App::start(AppKind::Shop);
        assert_eq!(shop.at(), "");
        let product = ask(&shop, "GET /product/17", "", "");
        assert!(product.contains("<h1>Cast iron pan</h1>"), "{product}");
        assert_eq!(shop.at(), "product");
        let cookie = product.split("Set-Cookie: ").nth(1).unwrap().split(';').next().unwrap();
        let cookie = format!("Cookie: {cookie}\r\n");

        let added = ask(&shop, "POST /cart/add", &cookie, "product=17&quantity=2");
        assert!(added.starts_with("HTTP/1.1 303 See Other\r\n"), "{added}");
        assert!(added.contains("\r\nLocation: /cart\r\n") && !added.contains("Set-Cookie"));
        assert_eq!(shop.at(), "product", "a redirection shows nothing");
        let cart = ask(&shop, "GET /cart", &cookie, "");
        assert!(cart.contains("Sum: €91.80"), "{cart}");
        assert_eq!(shop.at(), "cart");

        ask(&shop, "GET /cart", "", "");
        assert_eq!(shop.at(), "cart-empty", "another visitor has another cart");
        assert_eq!(shop.sent(), ["POST /cart/add product=17&quantity=2"]);
    }

    #[test]
    fn what_is_not_there_is_a_screen_with_the_status_404() {
        let shop = App::start(AppKind::Shop);
        for path in ["/careers", "/product/41", "/category/tools?page=3", "/thank-you/7"] {
            let answer = ask(&shop, &format!("GET {path}"), "", "");
            assert!(answer.starts_with("HTTP/1.1 404 Not Found\r\n"), "{path}: {answer}");
            assert_eq!(shop.at(), "missing");
        }
    }

    #[test]
    fn a_text_that_was_typed_is_escaped_in_the_page() {
        let shop = App::start(AppKind::Shop);
        let answer = ask(&shop, "GET /search?q=%3Cb%3Eoak", "", "");
        assert!(answer.contains("“&lt;b&gt;oak”") && !answer.contains("<b>oak"), "{answer}");
    }

    #[test]
    fn a_script_says_which_of_its_screens_is_on_show() {
        let wizard = App::start(AppKind::Wizard);
        ask(&wizard, "GET /at/vehicle", "", "");
        assert_eq!(wizard.at(), "vehicle");
        assert!(ask(&wizard, "GET /at/elsewhere", "", "").starts_with("HTTP/1.1 404"));
        assert_eq!(wizard.at(), "vehicle");
    }

    #[test]
    fn what_is_sent_to_the_tracker_changes_it_until_it_stops() {
        let list = "GET /api/issues?filter=mine&q=summary";
        let tracker = App::start(AppKind::Tracker);
        let before = ask(&tracker, list, "", "");
        assert!(before.contains("Monthly summary arrives twice"), "{before}");
        ask(&tracker, "POST /api/issues/115/comments", "", r#"{"text": "Gone."}"#);
        assert!(ask(&tracker, "GET /api/issues/115", "", "").contains("Gone."));
        ask(&tracker, "DELETE /api/issues/115", "", "");
        assert!(ask(&tracker, list, "", "").ends_with("\r\n\r\n[]"));
        assert_eq!(
            tracker.sent(),
            [r#"POST /api/issues/115/comments {"text": "Gone."}"#, "DELETE /api/issues/115"]
        );
        let address = tracker.address;
        drop(tracker);
        assert!(TcpStream::connect(address).is_err(), "the port is closed");
        assert_eq!(ask(&App::start(AppKind::Tracker), list, "", ""), before);
    }

    #[test]
    fn tours_lead_to_each_screen_three_times_and_to_no_other() {
        for kind in AppKind::ALL {
            let mut n_of: BTreeMap<&str, usize> =
                kind.screens().iter().map(|name| (*name, 0)).collect();
            for tour in kind.tours() {
                let mut before = "";
                let start = kind.start_screen();
                for at in [start].into_iter().chain(tour.iter().map(|step| step.at)) {
                    let n = n_of.get_mut(at).unwrap_or_else(|| panic!("{at} is no screen"));
                    *n += usize::from(at != before);
                    before = at;
                }
            }
            n_of.retain(|_, n| *n < 3);
            assert_eq!(n_of, BTreeMap::new(), "{}", kind.name());
        }
    }
}
