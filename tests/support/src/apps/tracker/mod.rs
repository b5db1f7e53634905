//! A tracker of issues: one address, everything by script; the server keeps issues and settings.

mod tours;

use serde_json::{Value, json};

use super::http::{HttpAnswer, HttpRequest};
use super::{AppSite, reported};
pub(super) use tours::tours;

/// All screens; the first is at the address of the tracker.
pub(super) const SCREENS: &[&str] = &[
    "issues",
    "issues-empty",
    "issue",
    "dialog-new",
    "dialog-delete",
    "dialog-assign",
    "settings-profile",
    "settings-notifications",
    "settings-labels",
    "user-menu",
];

/// Who uses the tracker.
const USER: &str = "Mira Okafor";

/// The state of the tracker.
pub(super) struct Tracker {
    /// Objects with `id`, `title`, `body`, `state`, `priority`, `labels`, `assignee`, `author`,
    /// `opened` and `comments`.
    issues: Vec<Value>,
    settings: Value,
    /// The number of the next issue.
    next: u64,
}

impl Tracker {
    pub(super) fn new() -> Self {
        let issues = serde_json::from_str(include_str!("issues.json")).expect("a list of issues");
        let settings = json!({
            "name": USER,
            "zone": "Lagos",
            "onComment": true,
            "onAssign": false,
            "digest": "Weekly",
            "labels": ["bug", "design", "export", "idea", "import", "mail", "search"],
        });
        Self { issues, settings, next: 124 }
    }

    /// The issues of a filter (`open`, `closed`, or `mine`: open and assigned to the user) that
    /// contain a text in title or description.
    fn list(&self, filter: &str, query: &str) -> Vec<&Value> {
        let query = query.to_lowercase();
        let contains = |issue: &Value, key: &str| {
            issue[key].as_str().is_some_and(|text| text.to_lowercase().contains(&query))
        };
        let passes = |issue: &&Value| match filter {
            "mine" => issue["state"] == "open" && issue["assignee"] == USER,
            state => issue["state"] == state,
        };
        let issues = self.issues.iter().filter(passes);
        issues.filter(|issue| contains(issue, "title") || contains(issue, "body")).collect()
    }

    fn place(&self, id: &str) -> Option<usize> {
        let id: u64 = id.parse().ok()?;
        self.issues.iter().position(|issue| issue["id"] == id)
    }

    /// A new issue, the first of the list.
    fn create(&mut self, wanted: &Value) -> Value {
        let issue = json!({
            "id": self.next,
            "title": wanted["title"],
            "body": wanted["body"],
            "state": "open",
            "priority": wanted["priority"],
            "labels": [],
            "assignee": if wanted["mine"] == true { json!(USER) } else { Value::Null },
            "author": USER,
            "opened": "today",
            "comments": [],
        });
        self.next += 1;
        self.issues.insert(0, issue.clone());
        issue
    }

    /// Changes a part of an issue: a comment more, or another value.
    fn change(&mut self, at: usize, part: &str, wanted: &Value) -> Option<Value> {
        let issue = &mut self.issues[at];
        match part {
            "comments" => {
                let comment = json!({"author": USER, "when": "just now", "text": wanted["text"]});
                issue["comments"].as_array_mut()?.push(comment);
            }
            "assignee" | "priority" | "state" => issue[part] = wanted[part].clone(),
            _ => return None,
        }
        Some(issue.clone())
    }

    /// What the interface for the script answers; none when there is no such thing.
    fn call(&mut self, request: &HttpRequest) -> Option<HttpAnswer> {
        let data = |value: &Value| HttpAnswer::of("application/json", value.to_string());
        let parts: Vec<&str> = request.path.split('/').skip(2).collect();
        let wanted: Value = serde_json::from_str(&request.body).unwrap_or_default();
        Some(match (request.method.as_str(), &parts[..]) {
            ("GET", ["issues"]) => {
                data(&json!(self.list(request.parameter("filter"), request.parameter("q"))))
            }
            ("POST", ["issues"]) => data(&self.create(&wanted)),
            ("GET", ["issues", id]) => data(&self.issues[self.place(id)?]),
            ("DELETE", ["issues", id]) => {
                let at = self.place(id)?;
                self.issues.remove(at);
                HttpAnswer::nothing()
            }
            ("POST", ["issues", id, part]) => data(&self.change(self.place(id)?, part, &wanted)?),
            ("GET", ["settings"]) => data(&self.settings),
            ("POST", ["settings"]) => {
                for (key, value) in wanted.as_object()? {
                    self.settings[key] = value.clone();
                }
                data(&self.settings)
            }
            _ => return None,
        })
    }
}

impl AppSite for Tracker {
    fn answer(&mut self, request: &HttpRequest) -> HttpAnswer {
        match request.path.as_str() {
            "/" => HttpAnswer::of("text/html; charset=utf-8", include_str!("tracker.html")),
            "/tracker.js" => {
                HttpAnswer::of("text/javascript; charset=utf-8", include_str!("tracker.js"))
            }
            "/tracker.css" => HttpAnswer::of("text/css", include_str!("tracker.css")),
            path if path.starts_with("/api/") => {
                self.call(request).unwrap_or_else(HttpAnswer::missing)
            }
            _ => reported(request, SCREENS).unwrap_or_else(HttpAnswer::missing),
        }
    }
}
