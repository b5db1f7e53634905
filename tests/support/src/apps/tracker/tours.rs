//! Tours of the tracker.

use super::super::tour::Deed::{Check, Click, Fill, Press, Select};
use super::super::tour::{Tour, to};

/// All tours.
pub(in super::super) fn tours() -> Vec<Tour> {
    vec![triage(), new_issues(), what_is_found(), settings(), tidying_up()]
}

/// Issues are read, answered, assigned, closed.
fn triage() -> Tour {
    vec![
        to("issue", Click("Export hangs on large ledgers")),
        to("issue", Fill("Add a comment", "Could you send the ledger?")),
        to("issue", Click("Comment")),
        to("issue", Select("Priority", "Normal")),
        to("issues", Click("Back to issues")),
        to("issue", Click("Dark theme for the reports")),
        to("dialog-assign", Click("Assign to…")),
        to("issue", Click("Jun Watanabe")),
        to("dialog-assign", Click("Assign to…")),
        to("issue", Click("Nobody")),
        to("dialog-assign", Click("Assign to…")),
        to("issue", Click("Cancel")),
        to("issue", Click("Close issue")),
        to("issues", Click("Back to issues")),
        to("issues", Click("Closed")),
        to("issue", Click("Print view cuts the last column")),
        to("issue", Click("Reopen issue")),
        to("issues", Click("Back to issues")),
        to("issues", Click("Mine")),
        to("issue", Click("Monthly summary arrives twice")),
        to("dialog-assign", Click("Assign to…")),
        to("issue", Press("Escape")),
        to("issues", Click("Issues")),
        to("issues", Click("Open")),
    ]
}

/// Issues are made; one of them without a title at first.
fn new_issues() -> Tour {
    vec![
        to("dialog-new", Click("New issue")),
        to("dialog-new", Click("Create")),
        to("dialog-new", Fill("Title", "Backups are never deleted")),
        to("dialog-new", Fill("Description", "The disk was full on Monday.")),
        to("dialog-new", Select("Priority", "High")),
        to("issue", Click("Create")),
        to("dialog-assign", Click("Assign to…")),
        to("issue", Click("Tomás Ruiz")),
        to("issues", Click("Back to issues")),
        to("dialog-new", Click("New issue")),
        to("dialog-new", Fill("Title", "A draft that is not kept")),
        to("issues", Click("Cancel")),
        to("issues", Click("Mine")),
        to("dialog-new", Click("New issue")),
        to("issues", Press("Escape")),
        to("dialog-new", Click("New issue")),
        to("dialog-new", Fill("Title", "Ask before a period is locked")),
        to("dialog-new", Check("Assign it to me")),
        to("issue", Click("Create")),
        to("issue", Fill("Add a comment", "For the next release.")),
        to("issue", Click("Comment")),
        to("issues", Click("Issues")),
        to("issue", Click("Ask before a period is locked")),
        to("issues", Click("Back to issues")),
    ]
}

/// Searches that find something, and searches that find nothing.
fn what_is_found() -> Tour {
    vec![
        to("issues", Fill("Search issues", "zebra")),
        to("issues-empty", Press("Enter")),
        to("issues-empty", Click("Closed")),
        to("issues", Click("Clear search")),
        to("issues", Fill("Search issues", "import")),
        to("issues", Press("Enter")),
        to("issue", Click("Totals are not refreshed after an import")),
        to("issues", Click("Back to issues")),
        to("issues-empty", Click("Mine")),
        to("issues", Click("Clear search")),
        to("issues", Fill("Search issues", "payroll")),
        to("issues-empty", Press("Enter")),
        to("dialog-new", Click("New issue")),
        to("issues-empty", Click("Cancel")),
        to("user-menu", Click("Mira Okafor")),
        to("issues", Click("Issues assigned to you")),
        to("issues", Click("Closed")),
        to("issues", Fill("Search issues", "franc")),
        to("issues-empty", Press("Enter")),
        to("issues", Click("Open")),
        to("issue", Click("Currency symbols overlap the amount")),
        to("issues", Click("Issues")),
    ]
}

/// All tabs of the settings, from the header and from the user's menu.
fn settings() -> Tour {
    vec![
        to("settings-profile", Click("Settings")),
        to("settings-profile", Fill("Display name", "Mira O.")),
        to("settings-profile", Select("Time zone", "Tokyo")),
        to("settings-profile", Click("Save profile")),
        to("settings-notifications", Click("Notifications")),
        to("settings-notifications", Check("Mail me what I am assigned")),
        to("settings-notifications", Select("Digest", "Daily")),
        to("settings-notifications", Click("Save notifications")),
        to("settings-labels", Click("Labels")),
        to("settings-labels", Fill("New label", "payroll")),
        to("settings-labels", Click("Add label")),
        to("settings-labels", Click("Remove label mail")),
        to("settings-profile", Click("Profile")),
        to("settings-labels", Click("Labels")),
        to("settings-labels", Click("Remove label design")),
        to("user-menu", Click("Mira Okafor")),
        to("settings-notifications", Click("Notification settings")),
        to("settings-notifications", Check("Mail me new comments")),
        to("settings-notifications", Click("Save notifications")),
        to("user-menu", Click("Mira Okafor")),
        to("settings-profile", Click("Your profile")),
        to("settings-profile", Select("Time zone", "Berlin")),
        to("settings-profile", Click("Save profile")),
        to("issues", Click("Issues")),
        to("user-menu", Click("Mira Okafor")),
        to("issues", Click("Switch theme")),
        to("settings-profile", Click("Settings")),
        to("settings-notifications", Click("Notifications")),
        to("user-menu", Click("Mira Okafor")),
        to("settings-notifications", Press("Escape")),
        to("settings-labels", Click("Labels")),
        to("issues", Click("Issues")),
        to("issue", Click("Keyboard shortcut for a new entry")),
        to("user-menu", Click("Mira Okafor")),
        to("issue", Click("Mira Okafor")),
    ]
}

/// Issues are deleted, some after a second thought.
fn tidying_up() -> Tour {
    vec![
        to("issue", Click("Import statements of the cooperative bank")),
        to("dialog-delete", Click("Delete issue")),
        to("issue", Click("Cancel")),
        to("dialog-delete", Click("Delete issue")),
        to("issue", Press("Escape")),
        to("issues", Click("Back to issues")),
        to("issue", Click("Audit log shows the wrong day")),
        to("issue", Select("Priority", "Low")),
        to("dialog-assign", Click("Assign to…")),
        to("issue", Click("Tomás Ruiz")),
        to("dialog-delete", Click("Delete issue")),
        to("issues", Click("Delete")),
        to("issues", Click("Closed")),
        to("issue", Click("Rename accounts in place")),
        to("dialog-delete", Click("Delete issue")),
        to("issues", Click("Delete")),
        to("issues", Fill("Search issues", "password")),
        to("issues", Press("Enter")),
        to("issue", Click("Log-in fails after a password change")),
        to("dialog-delete", Click("Delete issue")),
        to("issues-empty", Click("Delete")),
        to("issues", Click("Clear search")),
    ]
}
