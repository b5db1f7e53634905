//! Waiting for what a step says will come.

use std::time::Duration;

use super::gesture::GestureResult;
use super::live::LiveTab;
use super::tabs::LOOK;
use crate::browser::secrets::store::SecretStore;
use crate::browser::snapshot::ScreenPage;
use crate::run::deadline::Deadline;
use crate::shared::CancelToken;

/// The longest wait for a text or a change.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Waits until a text is there; without one, until anything differs from a page. A request that
/// waits for a person ends it: the page shows nothing until it is answered.
pub(super) fn wait_for(
    tab: &mut LiveTab,
    before: &ScreenPage,
    secrets: &SecretStore,
    text: &str,
    deadline: &Deadline,
) -> GestureResult {
    let longest = deadline.left().map_or(LONGEST_WAIT, |left| left.min(LONGEST_WAIT));
    let clock = Deadline::new(Some(longest), CancelToken::new());
    loop {
        let page = tab.capture()?.masked(secrets);
        let is_asked = tab.is_asked();
        let is_there = match text {
            "" => is_asked || !page.shows_same(before),
            text => page.has_text(text),
        };
        if is_there {
            return Ok(Ok(()));
        }
        if is_asked {
            return Ok(Err(format!("`{text}` was not there when a request had to be asked about")));
        }
        if clock.expired().is_some() || deadline.expired().is_some() {
            let seconds = longest.as_secs();
            return Ok(Err(match text {
                "" => format!("nothing changed within {seconds} s"),
                text => format!("`{text}` did not appear within {seconds} s"),
            }));
        }
        tab.watch.wait(LOOK);
    }
}
