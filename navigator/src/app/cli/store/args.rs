//! The arguments of `navigator store` and `navigator purse`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use repo_map::cli::TableFormat;

use crate::store::StoredKind;

/// What the commands of a store need. The exit codes of a run do not fit.
const OF_A_STORE: &str = "\
Exit codes:
  0    done
  1    error: the store does not answer, or refuses
  2    usage";

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct StoreArgs {
    #[command(subcommand)]
    pub(in crate::app::cli) command: StoreCommand,
}

/// The place of the store.
#[derive(Debug, Clone, Default, Args)]
pub(in crate::app::cli) struct StoreFlag {
    /// Use the store at this place: a file, or `postgres://USER@HOST/DATABASE` (the password in
    /// `PGPASSWORD`). [default: a file in the state directory]
    #[arg(long, value_name = "PLACE")]
    pub(in crate::app::cli) store: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(in crate::app::cli) enum StoreCommand {
    /// Make the store. One that is there is brought to the format of this program.
    Init(StorePlaceArgs),
    /// Bring the store of an earlier version to the format of this program.
    Migrate(StorePlaceArgs),
    /// Show the store's place, its format, and what it has.
    Status(StoreTableArgs),
    /// List the runs and knowledges of the store.
    List(StoreTableArgs),
    /// Add a run (its number or folder) or a knowledge (its file).
    Add(StoreAddArgs),
    /// Write a run into a new folder, or a knowledge into a file.
    Get(StoreGetArgs),
    /// Remove a run or a knowledge.
    Remove(StoreRemoveArgs),
    /// Export all that the store has as lines of JSON: purses, reservations, runs, knowledges.
    Export(StoreExportArgs),
    /// Import an export into an empty store, of either engine.
    Import(StoreImportArgs),
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct StorePlaceArgs {
    #[command(flatten)]
    pub(in crate::app::cli) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct StoreTableArgs {
    #[command(flatten)]
    pub(in crate::app::cli) place: StoreFlag,
    /// Output format: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(in crate::app::cli) format: TableFormat,
}

/// The kind of what is added or fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::app::cli) enum KindArg {
    // Comments, not help texts: with help for each value clap prints the whole page in its long
    // form.
    Run,
    Knowledge,
}

impl From<KindArg> for StoredKind {
    fn from(kind: KindArg) -> StoredKind {
        match kind {
            KindArg::Run => StoredKind::Run,
            KindArg::Knowledge => StoredKind::Knowledge,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct StoreAddArgs {
    /// What it is.
    pub(in crate::app::cli) kind: KindArg,
    /// The number or folder of a run, or the file of a knowledge.
    pub(in crate::app::cli) source: PathBuf,
    /// Set the name in the store. [default: the name of the folder or file]
    #[arg(long, value_name = "NAME")]
    pub(in crate::app::cli) name: Option<String>,
    /// Put it in the place of one of the same name.
    #[arg(long)]
    pub(in crate::app::cli) replace: bool,
    #[command(flatten)]
    pub(in crate::app::cli) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct StoreGetArgs {
    /// What it is.
    pub(in crate::app::cli) kind: KindArg,
    /// Its name in the store.
    pub(in crate::app::cli) name: String,
    /// Write to this new folder (run) or file (knowledge). [default: the name]
    #[arg(short, long, value_name = "PATH")]
    pub(in crate::app::cli) output: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::app::cli) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct StoreRemoveArgs {
    /// What it is.
    pub(in crate::app::cli) kind: KindArg,
    /// Its name in the store.
    pub(in crate::app::cli) name: String,
    #[command(flatten)]
    pub(in crate::app::cli) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct StoreExportArgs {
    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::app::cli) output: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::app::cli) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct StoreImportArgs {
    /// The file of the export.
    pub(in crate::app::cli) file: PathBuf,
    #[command(flatten)]
    pub(in crate::app::cli) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct PurseArgs {
    #[command(subcommand)]
    pub(in crate::app::cli) command: PurseCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::app::cli) enum PurseCommand {
    /// Create a purse: a limit of spend that runs with `--purse NAME` share.
    Create(PurseLimitArgs),
    /// Set another limit.
    Change(PurseLimitArgs),
    /// Show all purses, or one with the reservations that it holds.
    Show(PurseShowArgs),
    /// Give back what a run holds that will not go on. If it goes on after all, its own settlement
    /// counts.
    Release(PurseReleaseArgs),
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct PurseLimitArgs {
    /// The name of the purse.
    pub(in crate::app::cli) name: String,
    /// The limit of spend, in USD.
    #[arg(long, value_name = "USD", allow_hyphen_values = true)]
    pub(in crate::app::cli) limit: String,
    #[command(flatten)]
    pub(in crate::app::cli) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct PurseShowArgs {
    /// The name of a purse. [default: all]
    pub(in crate::app::cli) name: Option<String>,
    #[command(flatten)]
    pub(in crate::app::cli) table: StoreTableArgs,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(in crate::app::cli) struct PurseReleaseArgs {
    /// The name of the purse.
    pub(in crate::app::cli) name: String,
    /// The identifier of the run, as `navigator purse show NAME` prints it.
    pub(in crate::app::cli) run: String,
    /// Count what it holds as spent: its call may have been answered.
    #[arg(long)]
    pub(in crate::app::cli) as_spent: bool,
    #[command(flatten)]
    pub(in crate::app::cli) place: StoreFlag,
}
