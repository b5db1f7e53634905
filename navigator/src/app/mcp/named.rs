//! What a caller names of the repository's folder: paths, and plans by name, by text or by file.

#![expect(clippy::disallowed_methods, reason = "the rim: finds the plans that a caller names")]

use std::path::{Component, Path};
use std::sync::Arc;

use repo_map::{FlightPlan, Sanitized};

use super::CallRefused;
use super::call::refused;
use super::plans::{KeptPlan, Plans, admit};
use crate::app::source::reading::SiteReading;

/// A plan named by a caller.
pub(super) struct NamedPlan {
    pub(super) name: String,
    pub(super) plan: FlightPlan,
    /// Its file in the notation of maps; not part of the repository.
    pub(super) own: Option<String>,
    pub(super) summary: Option<Sanitized>,
    pub(super) site: Option<Arc<SiteReading>>,
}

/// Returns the path of a file or folder of the repository in the notation of maps; empty for
/// the repository itself. The check is lexical.
pub(super) fn inside(root: &Path, name: &str, path: &str) -> Result<String, CallRefused> {
    let given = Path::new(path.trim());
    let outside = || {
        refused(
            name,
            format!(
                "`{path}` is outside of the repository (paths are relative to its folder, \
                 without `..`)"
            ),
        )
    };
    let within =
        if given.is_absolute() { given.strip_prefix(root).map_err(|_| outside())? } else { given };
    let mut parts = Vec::new();
    for part in within.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str().ok_or_else(outside)?),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(outside());
            }
        }
    }
    Ok(parts.join("/"))
}

/// Reads a plan by its name, its text or its file.
pub(super) fn named_plan(
    text: &str,
    root: &Path,
    base: &FlightPlan,
    plans: &Plans,
) -> Result<NamedPlan, CallRefused> {
    let text = text.trim();
    if let Some(KeptPlan { name, plan, summary, site }) = plans.named(text) {
        return Ok(NamedPlan { name, plan, own: None, summary, site });
    }
    let is_yaml = text.contains('\n') || text.contains("version:") || text.contains("\"version\"");
    let named = if is_yaml {
        NamedPlan {
            name: "plan".to_owned(),
            plan: FlightPlan::from_yaml("plan", text)?,
            own: None,
            summary: None,
            site: None,
        }
    } else {
        let path = inside(root, "plan", text)?;
        let unknown = || {
            format!(
                "no plan of this session is called `{text}`, and no file (the same `explore` \
                 leaves the same plan; or give its YAML)"
            )
        };
        // A link may lead anywhere, so the target of the link is checked.
        let file = root.join(&path).canonicalize().map_err(|_| refused("plan", unknown()))?;
        if !file.starts_with(root) || !file.is_file() {
            return Err(refused("plan", format!("`{text}` is no file in the repository")));
        }
        // A parse error may quote the file, including secrets and files hidden by ignore rules.
        if !["yaml", "yml", "json"]
            .iter()
            .any(|end| file.extension().is_some_and(|extension| extension == *end))
        {
            return Err(refused(
                "plan",
                format!("`{text}` is no plan (plans end with .yaml, .yml or .json)"),
            ));
        }
        let wrong = |error: repo_map::Error| {
            let line = if let repo_map::Error::Plan { line: Some(line), .. } = error {
                format!(":{line}")
            } else {
                String::new()
            };
            refused(
                "plan",
                format!("{path}{line} does not hold as a plan (`repo-map check {path}` says why)"),
            )
        };
        let plan = FlightPlan::read(&file).map_err(wrong)?;
        NamedPlan { name: path.clone(), plan, own: Some(path), summary: None, site: None }
    };
    admit(&named.plan, base)?;
    let site = plans.site_of(&named.plan);
    Ok(NamedPlan { site, ..named })
}
