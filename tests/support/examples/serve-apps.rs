//! Serves each of the web applications at a port of the loopback, for a person with a browser.
//!
//! ```text
//! cargo run -p test-support --example serve-apps -- 8001
//! ```
//!
//! The ports begin at the number that is given; without one they are any that are free.

use test_support::apps::{App, AppKind};

#[expect(clippy::disallowed_methods, reason = "a program reads its arguments")]
#[expect(clippy::print_stdout, reason = "callers read the addresses")]
fn main() {
    let first = match std::env::args().nth(1).map(|port| port.parse::<u16>()) {
        Some(Ok(port)) => Some(port),
        Some(Err(_)) => panic!("the first port is a number below 65536"),
        None => None,
    };
    let port = |n| first.map_or(0, |first| first.saturating_add(n));
    let apps: Vec<App> = (0..)
        .zip(AppKind::ALL)
        .map(|(n, kind)| {
            let app = App::start_at(kind, port(n));
            println!("{} {}", kind.name(), app.address());
            app
        })
        .collect();
    apps.into_iter().for_each(App::wait);
}
