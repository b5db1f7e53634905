//! The program: serves a manual on this machine, writes one to a folder, or prints questions.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand, ValueEnum};
use manual::{Manual, TreeForm, questions};

mod serve;
mod write;

/// A workshop manual that no one wrote, and questions with answers.
#[derive(Debug, Parser)]
struct ManualArgs {
    #[command(subcommand)]
    command: ManualCommand,
}

#[derive(Debug, Subcommand)]
enum ManualCommand {
    /// Serve the manual on 127.0.0.1 until the program is ended.
    Serve {
        #[command(flatten)]
        which: WhichManual,
        /// The port; 0 takes a free one.
        #[arg(long, default_value_t = 0)]
        port: u16,
    },
    /// Write the manual to a folder.
    Write {
        #[command(flatten)]
        which: WhichManual,
        /// The folder; it is made if it is missing.
        folder: PathBuf,
        /// Write the pages of so many vehicles; lists name all of them.
        #[arg(long, default_value_t = 1)]
        vehicles: usize,
    },
    /// Print questions, a JSON object a line.
    Questions {
        #[command(flatten)]
        which: WhichManual,
        /// The number of questions.
        #[arg(short = 'n', long, default_value_t = 200)]
        number: usize,
    },
}

/// Which manual.
#[derive(Debug, Args)]
struct WhichManual {
    /// What all names and values depend on.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How the tree of a vehicle is drawn.
    #[arg(long, value_enum, default_value_t = FormArg::Tree)]
    form: FormArg,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormArg {
    /// All folders of a vehicle in one page.
    Tree,
    /// A page for each folder.
    Folders,
}

impl WhichManual {
    fn manual(&self) -> Manual {
        let form = match self.form {
            FormArg::Tree => TreeForm::Tree,
            FormArg::Folders => TreeForm::Folders,
        };
        Manual::new(self.seed, form)
    }
}

fn main() -> ExitCode {
    match run(&ManualArgs::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            serve::say(&format!("manual: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: &ManualCommand) -> Result<()> {
    match command {
        ManualCommand::Serve { which, port } => serve::serve(&which.manual(), *port),
        ManualCommand::Write { which, folder, vehicles } => {
            write::write(&which.manual(), folder, *vehicles)
        }
        ManualCommand::Questions { which, number } => {
            let questions = questions::of(&which.manual(), *number);
            write::print_lines(questions.iter().map(serde_json::to_string))
        }
    }
}
