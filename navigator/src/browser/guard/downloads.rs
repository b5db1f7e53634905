//! Downloads of pages: the browser refuses each, and it is reported.

use std::sync::{Arc, Mutex};

use url::Url;

use crate::browser::events::BrowserEvent;
use crate::browser::guard::judge::WireGuard;
use crate::browser::guard::request::WireRequest;
use crate::browser::guard::security_log::SecurityEvent;
use crate::browser::protocol::locked;

/// The number of downloads that are kept; more are only logged.
const KEPT_DOWNLOADS: usize = 50;

/// The addresses of downloads since they were last taken. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct RefusedDownloads {
    addresses: Arc<Mutex<Vec<String>>>,
}

impl RefusedDownloads {
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut locked(&self.addresses))
    }

    /// Takes note of a download. Runs in the thread that reads.
    pub(crate) fn note(&self, guard: &WireGuard, event: &BrowserEvent) {
        if event.method != "Browser.downloadWillBegin" {
            return;
        }
        let url = event.params["url"].as_str().and_then(|url| Url::parse(url).ok());
        let origin = url.as_ref().map(|url| url.origin().ascii_serialization());
        let origin = origin.unwrap_or_default();
        let mut addresses = locked(&self.addresses);
        if addresses.len() < KEPT_DOWNLOADS {
            addresses.push(match url {
                Some(url) if url.has_host() => {
                    let request = WireRequest::new("GET", url, "", Some(&[]));
                    origin.clone() + &request.carrying(&guard.secrets(), &[]).path()
                }
                // Such an address is the content itself, or a number.
                Some(url) => format!("a `{}:` address", url.scheme()),
                None => "an unknown address".to_owned(),
            });
        }
        guard.write(&SecurityEvent::Download { origin });
    }
}
