//! Addresses that warn: a GET to one of them may do what its words say, and is asked about.

use std::fmt;
use std::sync::Arc;

use url::Url;

/// Whether an address warns.
type AddressTest = dyn Fn(&Url) -> bool + Send + Sync;

/// Which addresses warn, as the walk judges them; by default none.
#[derive(Clone, Default)]
pub(crate) struct WarnedAddresses(Option<Arc<AddressTest>>);

impl WarnedAddresses {
    /// The addresses that a judgement is true of.
    pub(crate) fn new(warns: impl Fn(&Url) -> bool + Send + Sync + 'static) -> WarnedAddresses {
        WarnedAddresses(Some(Arc::new(warns)))
    }

    /// Reports whether an address warns.
    pub(crate) fn has(&self, address: &Url) -> bool {
        self.0.as_ref().is_some_and(|warns| warns(address))
    }
}

impl fmt::Debug for WarnedAddresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "by words" } else { "none" })
    }
}
