//! A clock that only waits move, and a DNS of a few names.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::Duration;

use site_map::source::http::fetcher::Fetcher;
use site_map::source::http::options::FetchOptions;
use site_map::source::http::platform::Platform;
use url::Url;

/// A platform whose waits take no time.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScriptedPlatform {
    now: Rc<Cell<Duration>>,
    waits: Rc<RefCell<Vec<u64>>>,
    names: Rc<RefCell<BTreeMap<&'static str, Vec<IpAddr>>>>,
}

impl ScriptedPlatform {
    /// The waits so far, in milliseconds.
    pub(crate) fn waits(&self) -> Vec<u64> {
        self.waits.borrow().clone()
    }

    /// Adds a name, or changes its addresses.
    pub(crate) fn name(&self, host: &'static str, addresses: &[&str]) {
        let addresses = addresses.iter().map(|one| one.parse().unwrap()).collect();
        self.names.borrow_mut().insert(host, addresses);
    }
}

impl Platform for ScriptedPlatform {
    fn now(&self) -> Duration {
        self.now.get()
    }

    fn sleep(&self, time: Duration) {
        self.now.set(self.now.get() + time);
        self.waits.borrow_mut().push(time.as_millis().try_into().unwrap());
    }

    fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = self.names.borrow().get(host).cloned();
        found.ok_or_else(|| io::Error::other("no such name"))
    }
}

/// Options for a server on this machine, which the person named.
pub(crate) fn options(url: &Url) -> FetchOptions {
    FetchOptions { delay: Duration::ZERO, ..FetchOptions::of(url) }
}

/// A fetcher whose waits take no time.
pub(crate) fn fetcher(options: FetchOptions) -> (Fetcher<ScriptedPlatform>, ScriptedPlatform) {
    let platform = ScriptedPlatform::default();
    (Fetcher::on(platform.clone(), options).unwrap(), platform)
}
