//! A walk in a browser, from its recording: the same screens, without a browser.

use site_map::source::recording::{Recording, RecordingWriter};
use url::Url;

use super::error::BrowserWalkError;
use super::screen::{number_of_screen, page_of_screen, screen_of};
use crate::money::effect::{Effect, Resources};
use crate::run::deadline::Deadline;
use crate::terrain::site::masked_address;
use crate::walk::screen::Screen;
use crate::walk::session::{Move, Moved, WalkSession};

/// The screens of a recording: each move shows the next one.
#[derive(Debug)]
pub struct RecordedScreens {
    recording: Recording,
    /// The addresses of the screens, in order.
    addresses: Vec<Url>,
    n_shown: usize,
    screen: Screen,
}

impl RecordedScreens {
    /// Takes the screens of a recording; `None` if it has none.
    pub fn new(recording: Recording) -> Option<RecordedScreens> {
        let mut numbered: Vec<(usize, Url)> = recording
            .addresses()
            .filter_map(|(address, _)| {
                let address = Url::parse(address).ok()?;
                Some((number_of_screen(&address)?, address))
            })
            .collect();
        numbered.sort_unstable();
        let addresses: Vec<Url> = numbered.into_iter().map(|(_, address)| address).collect();
        let screen = Screen::default();
        (!addresses.is_empty()).then_some(RecordedScreens {
            recording,
            addresses,
            n_shown: 0,
            screen,
        })
    }

    /// Returns the number of screens.
    pub fn n_screens(&self) -> usize {
        self.addresses.len()
    }

    /// Returns the address that the walk began at: the named one, which a stored walk has with its
    /// secrets masked. The first screen has them, if it is of the same page.
    pub fn start(&self, named: &str) -> String {
        let first = self.addresses.first().map(page_of_screen);
        let is_named = |first: &Url| masked_address(first.as_str()) == masked_address(named);
        first.filter(is_named).map_or_else(|| named.to_owned(), String::from)
    }

    /// Copies the first screens to another recording.
    ///
    /// # Errors
    /// If one recording cannot be read, or the other not be written.
    pub fn copy_first(&self, n: usize, to: &mut RecordingWriter) -> Result<(), BrowserWalkError> {
        for address in self.addresses.iter().take(n) {
            if let Some(response) = self.recording.response(address)? {
                to.append(&response)?;
            }
        }
        Ok(())
    }
}

impl WalkSession for RecordedScreens {
    type Error = BrowserWalkError;

    fn screen(&self) -> &Screen {
        &self.screen
    }

    fn effect(&self, _step: &Move) -> Effect {
        Effect::None
    }

    fn is_named(&self, _host: &str) -> bool {
        true
    }

    fn needs(&self, _step: &Move) -> Resources {
        Resources::default()
    }

    fn go(&mut self, _step: &Move, _deadline: &Deadline) -> Result<Moved, BrowserWalkError> {
        let next = self.addresses.get(self.n_shown);
        let response = match next {
            Some(address) => self.recording.response(address)?,
            None => None,
        };
        let Some(response) = response else {
            let result = "the recording ends here".to_owned();
            return Ok(Moved { result, ..Moved::default() });
        };
        self.n_shown += 1;
        self.screen = screen_of(&response);
        Ok(Moved::done("as recorded".to_owned()))
    }
}
