//! Many callers at once against `navigator serve`: throughput, times, memory, and whether anything
//! passes a limit. The server is this program itself, started a second time.

#![allow(clippy::disallowed_methods, reason = "a benchmark starts programs and reads the clock")]

mod callers;
mod figures;
mod server;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Parser;
use repo_map::cli::{say, write_out};

use callers::Load;
use server::Server;

/// Let many callers ask a server for maps, contexts, explanations and knowledge, and print
/// throughput, times, memory and errors. Fails if anything passes a limit.
#[derive(Debug, Parser)]
struct BenchArgs {
    /// The repository that is served.
    #[arg(default_value = ".")]
    path: PathBuf,
    /// How long they ask, in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The number of callers.
    #[arg(long, default_value_t = 64)]
    callers: usize,
    /// The number of calls that run at once.
    #[arg(long, default_value_t = 2)]
    at_once: usize,
    /// The number of calls that wait.
    #[arg(long, default_value_t = 48)]
    max_waiting: usize,
    /// The maximum number of calls of each caller in a minute.
    #[arg(long, default_value_t = 120)]
    rate: u32,
}

fn main() -> ExitCode {
    if std::env::args().nth(1).is_some_and(|arg| arg == "serve" || arg == "knowledge") {
        return navigator::cli::main();
    }
    match run(&BenchArgs::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(format!("serve: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(args: &BenchArgs) -> Result<()> {
    let server = Server::start(args)?;
    let load = Load { server: &server, end: Instant::now() + Duration::from_secs(args.seconds) };
    let (samples, peaks) = load.run(args.callers)?;
    let code = server.end()?;
    let report = figures::report(args, &samples, &peaks);
    write_out(None, &report.text.as_str().into())?;
    ensure!(code == Some(0), "the server ended with {code:?}");
    ensure!(report.passed.is_empty(), "limits were passed: {}", report.passed.join("; "));
    Ok(())
}
