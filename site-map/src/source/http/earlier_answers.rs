//! What a server answered before, to a run that goes on.

use std::collections::BTreeSet;

use url::Url;

use crate::source::http::error::is_momentary;
use crate::source::http::options::FetchOptions;
use crate::source::recording::Recording;
use crate::source::response::Response;

/// What a server answered before, to a run that goes on.
#[derive(Debug)]
pub(super) struct EarlierAnswers {
    recording: Recording,
    /// The addresses whose requests were counted.
    counted: BTreeSet<Url>,
    /// The bytes of the bodies that were used. A recording does not say how many travelled.
    pub(super) n_bytes: u64,
}

impl EarlierAnswers {
    pub(super) fn of(recording: Recording) -> EarlierAnswers {
        EarlierAnswers { recording, counted: BTreeSet::new(), n_bytes: 0 }
    }

    /// Returns the number of requests for an address.
    pub(super) fn times(&self, address: &Url) -> u64 {
        self.recording.times(address)
    }

    /// Returns the number of requests for an address, the first time alone.
    pub(super) fn count(&mut self, address: &Url) -> u64 {
        if self.counted.insert(address.clone()) { self.times(address) } else { 0 }
    }

    /// Reports whether an address is not asked for again: it failed for no moment, or as often as
    /// it may. A server that asked who reads may know it now.
    pub(super) fn is_final(&self, address: &Url, options: &FetchOptions) -> bool {
        let Some(status) = self.recording.status(address) else { return false };
        !options.ask_again(status)
            || is_momentary(status) && self.times(address) > u64::from(options.retries)
    }

    /// Returns the answer of an address; `None` if it is asked for again.
    pub(super) fn response(&mut self, address: &Url, options: &FetchOptions) -> Option<Response> {
        let response = self.is_final(address, options).then(|| self.recording.response(address));
        let response = response?.ok()??;
        self.n_bytes += response.body.len() as u64;
        Some(response)
    }
}
