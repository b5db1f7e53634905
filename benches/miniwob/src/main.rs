//! MiniWoB++ by the protocol of BrowserGym: 10 steps an episode, no time limit, success is a raw
//! reward above 0. The pages come from the Python package `miniwob` and are no part of this one.

mod episode;
mod serve;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;
use repo_map::Sanitized;
use repo_map::cli::{say, write_out};

/// Run episodes of MiniWoB++ and print one JSON line for each: the goal, the controls seen, the
/// steps, the reward.
#[derive(Debug, Parser)]
struct MiniwobArgs {
    /// The folder `miniwob/html` of the unpacked package.
    folder: PathBuf,
    /// Only the task of this name. Repeatable.
    #[arg(long)]
    task: Vec<String>,
    /// The seeds of each task.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    seeds: Vec<u32>,
    /// The most steps of an episode.
    #[arg(long, default_value_t = 10)]
    steps: u32,
    /// The longest time of an episode, in seconds.
    #[arg(long)]
    max_time: Option<u64>,
    /// The largest view, in tokens.
    #[arg(long, default_value_t = 1_500)]
    view_tokens: u32,
    /// Name the browser.
    #[arg(long)]
    chromium: Option<PathBuf>,
    /// Look at the first screen only: the view, and how many controls it has.
    #[arg(long)]
    look: bool,
    /// Ask a model at this address (`http://127.0.0.1:8080/v1`); without it, nobody is asked.
    #[arg(long, requires = "model")]
    base_url: Option<String>,
    /// The name of the model.
    #[arg(long)]
    model: Option<String>,
}

fn main() -> ExitCode {
    match run(&MiniwobArgs::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(format!("miniwob: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(args: &MiniwobArgs) -> Result<()> {
    let tasks = serve::tasks(&args.folder).context("listing the tasks")?;
    let is_wanted = |task: &&String| args.task.is_empty() || args.task.contains(task);
    let tasks: Vec<&String> = tasks.iter().filter(is_wanted).collect();
    let address = serve::start(&args.folder)?;
    let (mut n_done, mut n_all) = (0, 0);
    for task in tasks {
        for seed in &args.seeds {
            let played = episode::play(args, &address, task, *seed);
            let line = match &played {
                Ok(episode) => serde_json::to_string(episode)?,
                Err(error) => {
                    serde_json::json!({ "task": task, "seed": seed, "error": format!("{error:#}") })
                        .to_string()
                }
            };
            write_out(None, &Sanitized::line(&line))?;
            write_out(None, &"\n".into())?;
            n_done += u32::from(played.is_ok_and(|episode| episode.is_success()));
            n_all += 1;
        }
    }
    say(format!("miniwob: {n_done} of {n_all} episodes"));
    Ok(())
}
