//! Output for installation: completions, manual pages, and the facts of this build.

#![expect(clippy::disallowed_methods, reason = "the rim: writes manual pages")]

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Args, CommandFactory};

use crate::cli::output::write_out;
use crate::exit::Exit;
use crate::outline::language;
use crate::text::sanitize::Sanitized;

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    shell: clap_complete::Shell,
}

/// The arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write one page per command into this folder, instead of printing the first page.
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Prints the completions of a program for a shell.
///
/// # Errors
/// When standard output cannot be written.
pub fn completions<Program: CommandFactory>(args: &CompletionsArgs) -> Result<Exit> {
    let mut command = Program::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    write_out(None, &Sanitized::text(&String::from_utf8_lossy(&script)))?;
    Ok(Exit::Finished)
}

/// Prints the manual page of a program, or writes those of all its commands.
///
/// # Errors
/// When they cannot be written.
pub fn man<Program: CommandFactory>(args: &ManArgs) -> Result<Exit> {
    let command = Program::command().disable_help_subcommand(true);
    match &args.folder {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            write_out(None, &Sanitized::text(&String::from_utf8_lossy(&page)))?;
        }
        Some(folder) => {
            fs::create_dir_all(folder)
                .with_context(|| format!("making the folder {}", folder.display()))?;
            clap_mangen::generate_to(command, folder)
                .with_context(|| format!("writing pages into {}", folder.display()))?;
        }
    }
    Ok(Exit::Finished)
}

/// Returns the version with the facts of this build, for `--version`; `-V` prints the version
/// alone.
pub fn long_version() -> String {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    format!(
        "{}\n{}-{}, {profile} build\n{} languages, tokenizers {}, secrets {}\nplans of version {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        language::all().len(),
        crate::Tokenizer::ALL.map(crate::Tokenizer::as_str).join(" "),
        crate::text::mask::RULE_SET,
        crate::plan::VERSION,
    )
}
