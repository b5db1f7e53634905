//! Arguments of a map → a plan, options and an opened repository.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::args::{RequestArgs, add_levels, without_dot};
use crate::cli::input::{add_languages, check_stdin, plan_name, read_plan, read_text};
use crate::cli::output::{first_of, say};
use crate::cli::watch::watcher;
use crate::level::{Level, LevelRange};
use crate::plan::{self, FlightPlan, Format, Rule, exact_glob, exact_path};
use crate::report::unmatched::{self, HiddenPaths};
use crate::source::scan::FileId;
use crate::text::counts::counted;
use crate::{Error, Judged, Options};

/// The maximum size of a list of paths to focus on, in bytes.
const MAX_PATHS_BYTES: u64 = 1 << 20;

impl RequestArgs {
    /// Returns the plan with the given options applied, and the other options. Options win over the
    /// plan, the plan over defaults.
    pub(super) fn plan(
        &self,
        root: &Path,
        format: Option<Format>,
    ) -> Result<(FlightPlan, Options)> {
        check_stdin(&[
            self.plan.as_ref(),
            self.shared.goal.goal_file.as_ref(),
            self.focus_from.as_ref(),
        ])?;
        let mut focus = self.focus.clone();
        if let Some(file) = &self.focus_from {
            let text = read_text("the paths", file, MAX_PATHS_BYTES)?;
            focus.extend(
                text.lines()
                    .map(str::trim)
                    .filter(|path| !path.is_empty())
                    .map(|path| exact_glob(without_dot(path))),
            );
        }
        let mut plan = match &self.plan {
            Some(path) => read_plan(path, root)?,
            None => FlightPlan::default(),
        };
        add_languages("repo-map", &mut plan, root);
        self.shared.apply(&mut plan)?;
        plan.context.format = format.unwrap_or(plan.context.format);
        self.add_rules(&mut plan)?;
        let options = Options {
            cache: self.shared.read.cache(),
            watcher: watcher(),
            focus,
            diff: self.shared.diff.clone(),
            history: !self.shared.read.no_history,
            stdout: FileId::of_stdout(),
            ..Options::default()
        };
        Ok((plan, options))
    }

    /// Returns the files that are read beside the plan: the goal, and the paths in focus.
    pub(super) fn files(&self) -> Vec<&Path> {
        let files = [&self.shared.goal.goal_file, &self.focus_from];
        files.into_iter().flatten().map(PathBuf::as_path).collect()
    }

    /// Adds the rules of options to those of a plan.
    fn add_rules(&self, plan: &mut FlightPlan) -> Result<()> {
        for (flag, globs) in [("--include", &self.include), ("--exclude", &self.exclude)] {
            for glob in globs {
                plan::check_glob(glob).map_err(|error| Error::rule(flag, error))?;
            }
        }
        let rules = plan::bounds(std::mem::take(&mut plan.rules), &self.include, &[]);
        plan.rules = rules;
        let excluded = |glob: &String| Rule::new(glob, LevelRange::exactly(Level::Exclude));
        let excluded: Vec<Rule> = self.exclude.iter().map(excluded).collect();
        add_levels(plan, &[&self.levels[..], &excluded].concat());
        Ok(())
    }

    /// Opens the repository for a plan made by [`RequestArgs::plan`], and checks the options
    /// against it.
    pub(super) fn open(&self, root: &Path, plan: &FlightPlan, options: &Options) -> Result<Judged> {
        for glob in &options.focus {
            plan::check_glob(glob).map_err(|error| Error::rule("--focus", error))?;
        }
        let repo = crate::open(root, plan, options)?;
        for rule in &self.levels {
            check_flag(&repo, "--level", rule)?;
        }
        for (flag, globs) in [("--include", &self.include), ("--focus", &self.focus)] {
            for glob in globs {
                check_flag(&repo, flag, &Rule::new(glob, LevelRange::ANY))?;
            }
        }
        for glob in &self.exclude {
            check_excluded(&repo, glob)?;
        }
        if let Some(file) = &self.plan {
            // What options name is checked above.
            let of_plan = plan.rules.iter().filter(|rule| !self.exclude.contains(&rule.path));
            if let Some(idle) = unmatched::idle_rules(&repo, of_plan)? {
                say(format!("repo-map: {}: {idle}", plan_name(file)));
            }
        }
        // A list of changed files contains removed ones.
        let listed = &options.focus[self.focus.len()..];
        let missing: Vec<String> = unmatched::without_match(repo.tree(), listed)?
            .into_iter()
            .filter_map(exact_path)
            .collect();
        if !missing.is_empty() {
            let n = counted(listed.len(), "path is", "paths are");
            say(format!(
                "repo-map: --focus-from: {} of {n} not there (gone, hidden or ignored): {}",
                missing.len(),
                first_of(&missing)
            ));
        }
        Ok(repo)
    }
}

/// Checks the rule of an option against a repository: a rule without effect is a mistake.
///
/// # Errors
/// When it matches nothing; the error suggests similar names.
pub fn check_flag(repo: &Judged, flag: &str, rule: &Rule) -> Result<()> {
    match unmatched::unmatched(repo, rule, &HiddenPaths::default())? {
        Some(unmatched) => {
            let flags = if unmatched.is_hidden { " (try `--no-ignore`, `--hidden`)" } else { "" };
            let message = unmatched.message + flags;
            Err(Error::Plan { file: flag.to_owned(), line: None, message }.into())
        }
        None => Ok(()),
    }
}

/// Checks a glob of `--exclude`: one that is misspelt would show files that should be hidden. That
/// the scan hides them already is only said.
fn check_excluded(repo: &Judged, glob: &str) -> Result<()> {
    let rule = Rule::new(glob, LevelRange::ANY);
    match unmatched::unmatched(repo, &rule, &HiddenPaths::default())? {
        Some(unmatched) if unmatched.is_hidden => {
            say(format!("repo-map: --exclude: {}", unmatched.message));
        }
        Some(_) => check_flag(repo, "--exclude", &rule)?,
        None => {}
    }
    Ok(())
}
