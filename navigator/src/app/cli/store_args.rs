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
pub(super) struct StoreArgs {
    #[command(subcommand)]
    pub(super) command: StoreCommand,
}

/// The place of the store.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct StoreFlag {
    /// Use the store at this place: a file, or `postgres://USER@HOST/DATABASE` (the password in
    /// `PGPASSWORD`). [default: a file in the state directory]
    #[arg(long, value_name = "PLACE")]
    pub(super) store: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(super) enum StoreCommand {
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
pub(super) struct StorePlaceArgs {
    #[command(flatten)]
    pub(super) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(super) struct StoreTableArgs {
    #[command(flatten)]
    pub(super) place: StoreFlag,
    /// Output format: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(super) format: TableFormat,
}

/// The kind of what is added or fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum KindArg {
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
pub(super) struct StoreAddArgs {
    /// What it is.
    pub(super) kind: KindArg,
    /// The number or folder of a run, or the file of a knowledge.
    pub(super) source: PathBuf,
    /// Set the name in the store. [default: the name of the folder or file]
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Put it in the place of one of the same name.
    #[arg(long)]
    pub(super) replace: bool,
    #[command(flatten)]
    pub(super) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(super) struct StoreGetArgs {
    /// What it is.
    pub(super) kind: KindArg,
    /// Its name in the store.
    pub(super) name: String,
    /// Write to this new folder (run) or file (knowledge). [default: the name]
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(super) struct StoreRemoveArgs {
    /// What it is.
    pub(super) kind: KindArg,
    /// Its name in the store.
    pub(super) name: String,
    #[command(flatten)]
    pub(super) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(super) struct StoreExportArgs {
    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(super) struct StoreImportArgs {
    /// The file of the export.
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(super) struct PurseArgs {
    #[command(subcommand)]
    pub(super) command: PurseCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum PurseCommand {
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
pub(super) struct PurseLimitArgs {
    /// The name of the purse.
    pub(super) name: String,
    /// The limit of spend, in USD.
    #[arg(long, value_name = "USD", allow_hyphen_values = true)]
    pub(super) limit: String,
    #[command(flatten)]
    pub(super) place: StoreFlag,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(super) struct PurseShowArgs {
    /// The name of a purse. [default: all]
    pub(super) name: Option<String>,
    #[command(flatten)]
    pub(super) table: StoreTableArgs,
}

#[derive(Debug, Args)]
#[command(after_help = OF_A_STORE)]
pub(super) struct PurseReleaseArgs {
    /// The name of the purse.
    pub(super) name: String,
    /// The identifier of the run, as `navigator purse show NAME` prints it.
    pub(super) run: String,
    /// Count what it holds as spent: its call may have been answered.
    #[arg(long)]
    pub(super) as_spent: bool,
    #[command(flatten)]
    pub(super) place: StoreFlag,
}
