//! Tours: what a person does in an application, step by step, and the screen after each step.

/// One thing that a person does, by the labels that a person reads. The label names exactly one
/// control of the screen; while a dialog is open, of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Clicks a link, a button, a tab, a row.
    Click(&'static str),
    /// Replaces the text of a field, and stays in it: the label and the text.
    Fill(&'static str, &'static str),
    /// Chooses an option of a list: the label of the list and that of the option.
    Select(&'static str, &'static str),
    /// Ticks a box or chooses a radio button.
    Check(&'static str),
    /// Presses a key, by its name in the DOM, where the focus is.
    Press(&'static str),
    /// Goes back, as by the browser's button.
    Back,
}

/// A step of a tour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TourStep {
    /// What is done.
    pub deed: Deed,
    /// The name of the screen that is on show after it.
    pub at: &'static str,
}

/// The steps of a tour, which begins at the address of an application.
///
/// Tours stand alone, each with an application of its own; or one follows the other in the same
/// application, each with a browser of its own.
pub type Tour = Vec<TourStep>;

/// A part of a tour: what is done on the way to a screen (the screen stays), and what leads there.
pub(super) fn to(at: &'static str, deed: Deed) -> TourStep {
    TourStep { deed, at }
}
