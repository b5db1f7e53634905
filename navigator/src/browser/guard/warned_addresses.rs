//! Addresses that warn: a GET to one of them may do what its words say, and is asked about.

use std::fmt;
use std::sync::Arc;

use url::Url;

/// Whether an address warns.
type AddressTest = dyn Fn(&Url) -> bool + Send + Sync;

/// Which addresses warn in a step, as the walk judges them; by default none.
#[derive(Clone, Default)]
pub(crate) struct WarnedAddresses {
    warns: Option<Arc<AddressTest>>,
    /// The step presses or moves something on the page.
    pub(crate) operates: bool,
}

impl WarnedAddresses {
    /// The addresses that a judgement is true of.
    pub(crate) fn new(warns: impl Fn(&Url) -> bool + Send + Sync + 'static) -> WarnedAddresses {
        WarnedAddresses { warns: Some(Arc::new(warns)), operates: false }
    }

    /// Takes note of whether the step presses or moves something on the page.
    #[must_use]
    pub(crate) fn operating(self, operates: bool) -> WarnedAddresses {
        WarnedAddresses { operates, ..self }
    }

    /// Reports whether an address warns.
    pub(crate) fn has(&self, address: &Url) -> bool {
        self.warns.as_ref().is_some_and(|warns| warns(address))
    }
}

impl fmt::Debug for WarnedAddresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.warns.is_some() { "by words" } else { "none" })
    }
}
