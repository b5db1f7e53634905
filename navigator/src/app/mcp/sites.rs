//! Sites for callers: addresses of the origins that the flags of the server allow, read within its
//! limits.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use repo_map::plan::Rule;
use url::Url;

use super::call::refused;
use super::{CallRefused, Watch};
use crate::app::source::origins::AllowedOrigins;
use crate::app::source::reading::{SiteReading, named_address};
use crate::app::source::site::SiteFlags;
use crate::run::deadline::Deadline;

/// The sites that callers may read.
pub(crate) struct Sites {
    origins: AllowedOrigins,
    /// The limits of each call.
    flags: SiteFlags,
    /// The maximum time of a call.
    time: Option<Duration>,
    /// Held while a site is read: a server gets one request at a time.
    turn: Mutex<()>,
}

impl Sites {
    /// Makes the sites of a server with these flags.
    pub(crate) fn new(origins: AllowedOrigins, flags: SiteFlags, time: Option<Duration>) -> Sites {
        Sites { origins, flags, time, turn: Mutex::default() }
    }

    /// Returns the allowed origins for descriptions; `None` if no site may be read.
    pub(super) fn names(&self) -> Option<String> {
        (!self.origins.is_empty()).then(|| self.origins.names())
    }

    /// Returns the limit of requests of a call that names none.
    pub(super) fn max_requests(&self) -> u64 {
        self.flags.max_requests()
    }

    /// Returns the page that a caller names by its address, with or without a section behind `#`.
    pub(super) fn address(&self, text: &str) -> Result<Url, CallRefused> {
        let source = self.origins.source(text).map_err(|why| refused("path", why))?;
        let address = named_address(&source.place().display().to_string());
        address.map_err(|error| refused("path", error))
    }

    /// Reads the pages behind an address that promise most for a goal; without a goal breadth
    /// first. `max_requests` can lower the server's limit but not raise it. `keeps_back` leaves
    /// half of the limits for visits. No other call reads a site while the guard is held.
    pub(super) fn read(
        &self,
        address: &str,
        (goal, rules): (&str, &[Rule]),
        max_requests: Option<u64>,
        keeps_back: bool,
        watch: &Watch,
    ) -> Result<(SiteReading, MutexGuard<'_, ()>), CallRefused> {
        let source = self.origins.source(address).map_err(|why| refused("path", why))?;
        self.flags.check_scope(&source).map_err(|why| refused("path", why))?;
        let flags = self.flags.at_most(max_requests);
        let cancelled = || CallRefused("cancelled while a site was read".to_owned());
        let turn = watch.wait_for(&self.turn).ok_or_else(cancelled)?;
        let deadline = Deadline::new(self.time, watch.cancel.clone());
        let reading =
            SiteReading::of(source, (goal, rules), &flags, keeps_back, deadline, |line| {
                watch.say(line)
            })?;
        if watch.is_cancelled() { Err(cancelled()) } else { Ok((reading, turn)) }
    }

    /// Returns what came of a reading, in the words of callers.
    pub(super) fn said_of(&self, reading: &SiteReading) -> Vec<String> {
        reading.report.lines_for(|flag| {
            let is_lowered = reading.report.max_requests() < self.flags.max_requests();
            match flag {
                "--max-requests" if is_lowered => "`max_requests` reads more".to_owned(),
                flag => format!("the server's `{flag}` ends it"),
            }
        })
    }
}

/// Reports whether an argument is an address, not a path.
pub(super) fn is_address(path: &str) -> bool {
    path.contains("://")
}
