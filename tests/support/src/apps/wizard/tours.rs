//! Tours of the form in steps.

use super::super::tour::Deed::{Check, Click, Fill, Press, Select};
use super::super::tour::{Tour, to};

/// All tours.
pub(in super::super) fn tours() -> Vec<Tour> {
    vec![own_car(), company_van(), change_of_mind()]
}

/// Somebody's own car, with mistakes in two steps.
fn own_car() -> Tour {
    vec![
        to("person", Click("Next")),
        to("person", Fill("Full name", "Maya Osei")),
        to("person", Fill("E-mail", "maya.example.com")),
        to("person", Click("Next")),
        to("person", Fill("E-mail", "maya@example.com")),
        to("vehicle", Click("Next")),
        to("vehicle", Click("Next")),
        to("vehicle", Fill("Number plate", "EL 2041")),
        to("vehicle", Check("My own")),
        to("permit", Click("Next")),
        to("permit", Select("Zone", "Harbour")),
        to("permit", Click("Next")),
        to("permit", Check("One year")),
        to("contact", Click("Next")),
        to("contact", Check("Remind me by e-mail")),
        to("summary", Click("Next")),
        to("summary", Click("Send")),
        to("summary", Check("All of this is true")),
        to("done", Click("Send")),
        to("person", Click("Apply for another permit")),
    ]
}

/// A company's electric van: one step more.
fn company_van() -> Tour {
    vec![
        to("person", Fill("Full name", "Piotr Zalewski")),
        to("person", Fill("E-mail", "fleet@example.net")),
        to("person", Fill("Phone (optional)", "0555 998")),
        to("vehicle", Press("Enter")),
        to("vehicle", Fill("Number plate", "KA 77120")),
        to("vehicle", Check("A company's")),
        to("vehicle", Check("It is an electric vehicle")),
        to("company", Click("Next")),
        to("company", Fill("Company name", "Zalewski Tiles")),
        to("company", Fill("Registration number", "12")),
        to("company", Click("Next")),
        to("company", Fill("Registration number", "120044")),
        to("permit", Click("Next")),
        to("company", Click("Back")),
        to("company", Fill("Company name", "Zalewski & Sons")),
        to("permit", Click("Next")),
        to("permit", Select("Zone", "Station")),
        to("permit", Check("Six months")),
        to("contact", Click("Next")),
        to("contact", Check("Remind me by text message")),
        to("contact", Select("Language of letters", "Polish")),
        to("summary", Click("Next")),
        to("company", Click("Change the company")),
        to("company", Press("Tab")),
        to("permit", Click("Next")),
        to("contact", Click("Next")),
        to("permit", Click("Back")),
        to("permit", Check("One month")),
        to("contact", Click("Next")),
        to("summary", Click("Next")),
        to("summary", Check("All of this is true")),
        to("done", Click("Send")),
    ]
}

/// A rented car that turns out to be a company's, and another application after it.
fn change_of_mind() -> Tour {
    vec![
        to("person", Fill("Full name", "Lin Chen")),
        to("person", Fill("E-mail", "lin@example.org")),
        to("vehicle", Click("Next")),
        to("vehicle", Fill("Number plate", "plate")),
        to("vehicle", Check("Rented")),
        to("vehicle", Click("Next")),
        to("vehicle", Fill("Number plate", "NO 318")),
        to("permit", Click("Next")),
        to("vehicle", Click("Back")),
        to("vehicle", Check("A company's")),
        to("company", Click("Next")),
        to("vehicle", Click("Back")),
        to("person", Click("Back")),
        to("vehicle", Click("Next")),
        to("vehicle", Check("My own")),
        to("permit", Click("Next")),
        to("permit", Select("Zone", "Old town")),
        to("permit", Check("One month")),
        to("contact", Click("Next")),
        to("summary", Click("Next")),
        to("person", Click("Change about you")),
        to("person", Fill("Full name", "Lin Mei Chen")),
        to("vehicle", Click("Next")),
        to("permit", Click("Next")),
        to("contact", Click("Next")),
        to("summary", Click("Next")),
        to("permit", Click("Change the permit")),
        to("permit", Select("Zone", "University")),
        to("contact", Click("Next")),
        to("permit", Click("Back")),
        to("contact", Click("Next")),
        to("summary", Click("Next")),
        to("contact", Click("Change reminders")),
        to("summary", Click("Next")),
        to("vehicle", Click("Change your vehicle")),
        to("permit", Click("Next")),
        to("contact", Click("Next")),
        to("summary", Click("Next")),
        to("contact", Click("Back")),
        to("summary", Click("Next")),
        to("summary", Check("All of this is true")),
        to("done", Click("Send")),
        to("person", Click("Apply for another permit")),
        to("person", Click("Next")),
    ]
}
