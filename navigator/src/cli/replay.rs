//! `navigator replay`: a flown plan, or a run, back to its bytes.

use std::path::PathBuf;

use anyhow::{Result, bail};
use repo_map::Replay;
use repo_map::cli::{Exit, deliver, path_within, read_plan, say, say_drift, write_out};
use repo_map::scan::FileId;

use super::ReplayArgs;
use crate::run_folder;

/// Replays, and gives the exit code.
pub(super) fn run(args: &ReplayArgs) -> Result<Exit> {
    let (file, root) = flown(args)?;
    let plan = read_plan(&file)?;
    let own = [Some(&file), args.output.as_ref()];
    let ignored: Vec<String> = own.into_iter().flatten().filter_map(|file| path_within(&root, file)).collect();
    let name = file.display().to_string();
    match repo_map::replay(&root, &name, &plan, &ignored, FileId::of_stdout())? {
        Replay::Identical { text, .. } => {
            match args.check {
                true => write_out(None, "identical\n")?,
                false => deliver("navigator", args.output.as_deref(), args.copy, &text)?,
            }
            Ok(Exit::Finished)
        }
        Replay::Drifted(drift) => {
            say_drift("navigator", &drift);
            if args.allow_drift {
                let map = repo_map::refit(&root, &plan, &ignored, FileId::of_stdout())?;
                deliver("navigator", args.output.as_deref(), args.copy, &map.text)?;
                say(&format!("navigator: fitted again: {} of {} tokens, the plan's levels as ceilings", map.tokens, map.budget));
                return Ok(Exit::Finished);
            }
            if args.check {
                write_out(None, "drifted\n")?;
            } else {
                say("navigator: no context printed (`--allow-drift` fits again with the plan's levels as ceilings)");
            }
            Ok(Exit::Drifted)
        }
        Replay::Impossible(why) => {
            say(&format!("navigator: impossible: {why}"));
            if args.check {
                write_out(None, "impossible\n")?;
            }
            Ok(Exit::Impossible)
        }
    }
}

/// The plan's file and the repository's folder: those of a run, where one is named and no file has that name.
fn flown(args: &ReplayArgs) -> Result<(PathBuf, PathBuf)> {
    let here = || args.path.clone().unwrap_or_else(|| PathBuf::from("."));
    if args.plan.is_file() || args.plan.as_os_str() == "-" {
        return Ok((args.plan.clone(), here()));
    }
    let name = args.plan.to_str().unwrap_or_default();
    let folder = match run_folder::find(name) {
        Ok(folder) => folder,
        Err(error) if name.parse::<u32>().is_ok() => return Err(error),
        // A name that looks like a file's was meant as one.
        Err(_) => return Ok((args.plan.clone(), here())),
    };
    if !folder.join(run_folder::PLAN).is_file() {
        bail!("run {name} has left no context yet (`navigator explore --resume {name}` goes on with it)");
    }
    let root = match &args.path {
        Some(path) => path.clone(),
        None => run_folder::root_of(&folder)?,
    };
    Ok((folder.join(run_folder::PLAN), root))
}
