//! A form in five steps by script, or six for a company's vehicle; the server takes it at the end.

mod tours;

use serde_json::json;

use super::http::{HttpAnswer, HttpRequest};
use super::{AppSite, reported};
pub(super) use tours::tours;

/// All screens; the first is at the address of the form.
pub(super) const SCREENS: &[&str] =
    &["person", "vehicle", "company", "permit", "contact", "summary", "done"];

/// The state of the form's server.
pub(super) struct Wizard {
    n_taken: u32,
}

impl Wizard {
    pub(super) fn new() -> Self {
        Self { n_taken: 0 }
    }

    /// Takes an application, and gives it a number that nobody else has.
    fn take(&mut self) -> HttpAnswer {
        self.n_taken += 1;
        let reference = format!("EP-{:05}", 20_417 + 131 * self.n_taken);
        HttpAnswer::of("application/json", json!({ "reference": reference }).to_string())
    }
}

impl AppSite for Wizard {
    fn answer(&mut self, request: &HttpRequest) -> HttpAnswer {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/") => HttpAnswer::of("text/html; charset=utf-8", include_str!("wizard.html")),
            ("GET", "/wizard.js") => {
                HttpAnswer::of("text/javascript; charset=utf-8", include_str!("wizard.js"))
            }
            ("GET", "/wizard.css") => HttpAnswer::of("text/css", include_str!("wizard.css")),
            ("POST", "/api/submit") => self.take(),
            _ => reported(request, SCREENS).unwrap_or_else(HttpAnswer::missing),
        }
    }
}
