//! Reads the files that arguments name: plans, goals, lists of paths, query files, standard input.

#![expect(clippy::disallowed_methods, reason = "the rim: reads goals and plans")]

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::Error;
use crate::cli::output::say;
use crate::outline::language_files;
use crate::outline::languages::{LanguageRule, Languages};
use crate::plan::{self, FlightPlan};
use crate::source::cache::Cache;
use crate::source::scan;
use crate::text::sanitize::Gate;

/// The maximum size of a goal, in bytes.
pub(super) const MAX_GOAL_BYTES: u64 = 1 << 20;

/// Reads a text from a file, or from standard input if the file is `-`. `what` names it in errors.
pub(super) fn read_text(what: &str, file: &Path, most: u64) -> Result<String> {
    let mut text = Vec::new();
    if file == Path::new("-") {
        io::stdin()
            .take(most + 1)
            .read_to_end(&mut text)
            .with_context(|| format!("reading {what} from standard input"))?;
    } else {
        let read = fs::File::open(file).and_then(|open| open.take(most + 1).read_to_end(&mut text));
        read.with_context(|| format!("reading {what} from {}", file.display()))?;
    }
    if text.len() as u64 > most {
        bail!("{what} is too large (at most {most} bytes)");
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Reads a plan from a file, from standard input if the file is `-`, or by name: a single word is a
/// plan in the user's folder or in the repository at `root`, else a file. A plan found by name
/// outside the user's folder must not extend what is read of the repository.
///
/// # Errors
/// As [`FlightPlan::read`].
pub fn read_plan(file: &Path, root: &Path) -> Result<FlightPlan> {
    if file == Path::new("-") {
        let text = read_text("the plan", file, plan::MAX_PLAN_BYTES)?;
        return Ok(FlightPlan::from_yaml(&plan_name(file), &text)?);
    }
    if !is_word(file) {
        return Ok(FlightPlan::read(file)?);
    }
    let name = file.display();
    let error = |message: String| Error::Plan { file: name.to_string(), line: None, message };
    let places = places_of_word(file, root);
    let Some(found) = places.iter().find(|place| place.is_file()) else {
        let looked: Vec<String> = places
            .iter()
            .filter(|place| place.as_path() != file)
            .map(|place| place.display().to_string())
            .collect();
        return Err(
            error(format!("no plan of this name (looked for {})", looked.join(" and "))).into()
        );
    };
    let plan = FlightPlan::read(found)?;
    if own_plan(file).as_ref() == Some(found) {
        return Ok(plan);
    }
    let has_own_rules = plan.scan.outside.is_some() && !plan.is_flown();
    let reads_more = plan.scan.hidden || plan.scan.no_ignore || has_own_rules;
    if reads_more || plan.scan.gate() != Gate::default() {
        let message = format!(
            "scan: {} reads more of the repository than the defaults, which a plan found by its \
             name must not (`--plan {}` allows it)",
            found.display(),
            Path::new(".").join(found).display()
        );
        return Err(error(message).into());
    }
    Ok(plan)
}

/// Returns the name of a plan in messages.
pub fn plan_name(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() }
}

/// Returns the path of the file that holds a plan, in the notation of a repository's maps; `None`
/// when it is outside of that repository, or the plan is standard input.
pub fn plan_within(root: &Path, plan: &Path) -> Option<String> {
    match plan {
        plan if plan == Path::new("-") => None,
        plan if is_word(plan) => {
            let places = places_of_word(plan, root);
            path_within(root, places.iter().find(|place| place.is_file())?)
        }
        plan => path_within(root, plan),
    }
}

/// Reports whether a plan is given by a single word, which is searched for.
fn is_word(plan: &Path) -> bool {
    plan.components().count() == 1 && plan.extension().is_none()
}

fn own_plan(word: &Path) -> Option<PathBuf> {
    Some(user_folder()?.join(format!("plans/{}.yaml", word.display())))
}

/// Returns the files that may hold the plan of this name, in the order of search.
fn places_of_word(word: &Path, root: &Path) -> Vec<PathBuf> {
    let kept = root.join(format!(".repo-map/plans/{}.yaml", word.display()));
    own_plan(word).into_iter().chain([kept, word.to_owned()]).collect()
}

/// Returns the folder of the user's plans and query files.
fn user_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("repo-map"))
}

/// Checks that at most one of these files is standard input, which can be read only once.
///
/// # Errors
/// When more than one of these files is `-`.
pub fn check_stdin(files: &[Option<&PathBuf>]) -> Result<()> {
    if files.iter().flatten().filter(|file| file.as_path() == Path::new("-")).count() > 1 {
        let message =
            "standard input can be read only once (`-` is given more than once)".to_owned();
        return Err(Error::Plan { file: "command line".to_owned(), line: None, message }.into());
    }
    Ok(())
}

/// Reads a goal from an option, a file, or standard input.
///
/// # Errors
/// When the file cannot be read, or is too large for a goal.
pub fn read_goal(goal: Option<&str>, file: Option<&Path>) -> Result<Option<String>> {
    match file {
        None => Ok(goal.map(str::to_owned)),
        Some(file) => Ok(Some(read_text("the goal", file, MAX_GOAL_BYTES)?.trim().to_owned())),
    }
}

/// Inserts the query files of the user and of the repository at `root` before the plan's languages.
/// A flown plan already contains them.
pub fn add_languages(program: &str, plan: &mut FlightPlan, root: &Path) {
    if plan.is_flown() {
        return;
    }
    let own = user_folder().map(|folder| folder.join("languages"));
    let of_repository = root.join(language_files::IN_REPOSITORY);
    let folders: Vec<&Path> = own.iter().chain([&of_repository]).map(PathBuf::as_path).collect();
    let (mut found, problems) = language_files::read(&folders);
    problems.iter().for_each(|problem| say(format!("{program}: {problem}")));
    found.retain(|rule| !plan.languages.contains(rule));
    let all: Vec<LanguageRule> = found.iter().chain(&plan.languages).cloned().collect();
    if !plan.languages.is_empty()
        && let Err((_, message)) = Languages::new(&all)
    {
        say(format!(
            "{program}: query files ignored, they conflict with the plan's languages: {message}"
        ));
        return;
    }
    plan.languages.splice(0..0, found);
}

/// Returns a file's path in the notation of a repository's maps; `None` when it is outside of that
/// repository.
pub fn path_within(root: &Path, file: &Path) -> Option<String> {
    let root = root.canonicalize().ok()?;
    let folder =
        file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = folder.canonicalize().ok()?.join(file.file_name()?);
    Some(scan::notation(file.strip_prefix(&root).ok()?, false))
}

/// The cache of this user: where `REPO_MAP_CACHE` says, else among those of all programs. `None`
/// without a home.
pub fn user_cache() -> Option<Cache> {
    use etcetera::BaseStrategy;
    let named =
        std::env::var_os("REPO_MAP_CACHE").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let folder = named
        .or_else(|| Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("repo-map")))?;
    Some(Cache::at(folder))
}
