//! `navigator store`: the store of a team, and the runs and knowledges in it.

#![expect(clippy::disallowed_methods, reason = "the rim: files that go into and out of a store")]

pub(super) mod args;
pub(super) mod purse;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use repo_map::Sanitized;
use repo_map::cli::{Access, Exit, replace_file, say, write_file, write_out};
use serde::Serialize;

use crate::app::cli::knowledge::file::text;
use crate::app::cli::knowledge::sources::open;
use crate::app::cli::lists::print_rows;
use crate::app::cli::store::args::{
    StoreAddArgs, StoreArgs, StoreCommand, StoreExportArgs, StoreFlag, StoreGetArgs,
    StoreImportArgs, StoreRemoveArgs, StoreTableArgs,
};
use crate::app::run_folder::{ASKED, FILES, LOCK, find, new_folder};
use crate::app::settings::{ModelArgs, Settings, store_place, usage};
use crate::shared::n_of;
use crate::store::{Store, StoredFile, StoredKind};

/// The file of a knowledge in the store.
const KNOWLEDGE: &str = "knowledge.json";
/// The largest export that is read, in bytes.
const LARGEST_EXPORT: u64 = 4 << 30;

/// Runs a command, and returns the exit code.
pub(super) fn run(args: &StoreArgs) -> Result<Exit> {
    match &args.command {
        StoreCommand::Init(args) => init(&args.place),
        StoreCommand::Migrate(args) => migrate(&args.place),
        StoreCommand::Status(args) => status(args),
        StoreCommand::List(args) => list(args),
        StoreCommand::Add(args) => add(args),
        StoreCommand::Get(args) => get(args),
        StoreCommand::Remove(args) => remove(args),
        StoreCommand::Export(args) => export(args),
        StoreCommand::Import(args) => import(args),
    }
}

/// Names the store of a flag, or that of the settings.
pub(super) fn store_of(flag: &StoreFlag) -> Result<Store> {
    let flags = ModelArgs { store: flag.store.clone(), ..ModelArgs::default() };
    Ok(Store::at(store_place(&Settings::read(&flags, None, None)?)?))
}

fn init(flag: &StoreFlag) -> Result<Exit> {
    let mut store = store_of(flag)?;
    let found = store.init()?;
    let known = store.version()?.known;
    let done = match found {
        None => format!("made the store {}, format {known}", store.place()),
        Some(found) if found < known => migrated(&store, found, known),
        Some(_) => format!("the store {} is there, format {known}", store.place()),
    };
    say(format!("navigator: {done}"));
    Ok(Exit::Finished)
}

fn migrate(flag: &StoreFlag) -> Result<Exit> {
    let mut store = store_of(flag)?;
    let found = store.migrate()?;
    let known = store.version()?.known;
    let done = match found < known {
        true => migrated(&store, found, known),
        false => format!("the store {} has format {known} already", store.place()),
    };
    say(format!("navigator: {done}"));
    Ok(Exit::Finished)
}

fn migrated(store: &Store, found: i64, known: i64) -> String {
    format!("changed the store {} from format {found} to {known}", store.place())
}

/// What `store status` says.
#[derive(Serialize)]
struct StatusRow {
    store: String,
    format: i64,
    /// The format of this program.
    known: i64,
    purses: Option<usize>,
    runs: Option<usize>,
    knowledges: Option<usize>,
    bytes: Option<u64>,
}

fn status(args: &StoreTableArgs) -> Result<Exit> {
    let mut store = store_of(&args.place)?;
    let version = store.version()?;
    let mut row = StatusRow {
        store: store.place().to_string(),
        format: version.found,
        known: version.known,
        purses: None,
        runs: None,
        knowledges: None,
        bytes: None,
    };
    // What another format has cannot be counted.
    if version.found == version.known {
        let folders = store.folders()?;
        let n = |kind| Some(folders.iter().filter(|folder| folder.kind == kind).count());
        row.purses = Some(store.purses()?.len());
        (row.runs, row.knowledges) = (n(StoredKind::Run), n(StoredKind::Knowledge));
        row.bytes = Some(folders.iter().map(|folder| folder.n_bytes).sum());
    }
    let count = |n: Option<usize>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let cells = vec![
        row.store.clone(),
        row.format.to_string(),
        count(row.purses),
        count(row.runs),
        count(row.knowledges),
        row.bytes.map_or_else(|| "-".to_owned(), |n| n.to_string()),
    ];
    let head = ["store", "format", "purses", "runs", "knowledges", "bytes"];
    print_rows(args.format, &head, vec![cells], &[row])?;
    if version.found != version.known {
        let known = version.known;
        say(format!("navigator: this program uses format {known} (`navigator store migrate`)"));
    }
    Ok(Exit::Finished)
}

/// A line of `store list`.
#[derive(Serialize)]
struct FolderRow {
    kind: &'static str,
    name: String,
    files: u64,
    bytes: u64,
}

fn list(args: &StoreTableArgs) -> Result<Exit> {
    let folders = store_of(&args.place)?.folders()?;
    let rows: Vec<FolderRow> = folders
        .into_iter()
        .map(|folder| FolderRow {
            kind: folder.kind.as_str(),
            name: folder.name,
            files: folder.n_files,
            bytes: folder.n_bytes,
        })
        .collect();
    let cells = |row: &FolderRow| {
        vec![row.kind.to_owned(), row.name.clone(), row.files.to_string(), row.bytes.to_string()]
    };
    print_rows(
        args.format,
        &["kind", "name", "files", "bytes"],
        rows.iter().map(cells).collect(),
        &rows,
    )
}

fn add(args: &StoreAddArgs) -> Result<Exit> {
    let kind = StoredKind::from(args.kind);
    let (own, files) = match kind {
        StoredKind::Run => run_files(&args.source)?,
        StoredKind::Knowledge => knowledge_file(&args.source)?,
    };
    let name = args.name.clone().unwrap_or(own);
    let mut store = store_of(&args.place)?;
    store.add_files(kind, &name, &files, args.replace)?;
    say(format!("navigator: added the {kind} {name} to {}", store.place()));
    Ok(Exit::Finished)
}

/// Returns the name of a run and its files.
fn run_files(source: &Path) -> Result<(String, Vec<StoredFile>)> {
    let folder = find(&source.display().to_string())?;
    if !folder.join(ASKED).is_file() {
        bail!("{} is not the folder of a run", folder.display());
    }
    let mut files = Vec::new();
    for name in FILES.into_iter().filter(|name| *name != LOCK) {
        match fs::read(folder.join(name)) {
            Ok(bytes) => files.push(StoredFile { name: name.to_owned(), bytes }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("reading {name}")),
        }
    }
    Ok((stem(&folder), files))
}

/// Returns the name of a knowledge and its file. One that is damaged is made again of its
/// recordings, or refused.
fn knowledge_file(source: &Path) -> Result<(String, Vec<StoredFile>)> {
    let bytes = text(open(source)?)?.into_string().into_bytes();
    Ok((stem(source), vec![StoredFile { name: KNOWLEDGE.to_owned(), bytes }]))
}

/// Returns the name of a folder, or that of a file without its extension.
fn stem(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = if whole.is_dir() { whole.file_name() } else { whole.file_stem() };
    name.unwrap_or_default().to_string_lossy().into_owned()
}

fn get(args: &StoreGetArgs) -> Result<Exit> {
    let kind = StoredKind::from(args.kind);
    let files = store_of(&args.place)?.files(kind, &args.name)?;
    let own = match kind {
        StoredKind::Run => args.name.clone(),
        StoredKind::Knowledge => format!("{}.json", args.name),
    };
    let output = args.output.clone().unwrap_or_else(|| PathBuf::from(own));
    match kind {
        StoredKind::Run => write_run(&output, &files)?,
        StoredKind::Knowledge => {
            let bytes = files.into_iter().next().map(|file| file.bytes).unwrap_or_default();
            let text = String::from_utf8(bytes).context("the knowledge is no text")?;
            write_file(&output, &Sanitized::text(&text))?;
        }
    }
    say(format!("navigator: wrote the {kind} {} to {}", args.name, output.display()));
    Ok(Exit::Finished)
}

/// Writes the files of a run into a folder that is new, as they were.
fn write_run(output: &Path, files: &[StoredFile]) -> Result<()> {
    if output.exists() {
        return Err(usage(
            "--output",
            format!("{} is there already (name a new folder)", output.display()),
        ));
    }
    new_folder(output).with_context(|| format!("making the folder {}", output.display()))?;
    for file in files.iter().filter(|file| FILES.contains(&file.name.as_str())) {
        replace_file(&output.join(&file.name), Access::Private, &file.bytes)
            .with_context(|| format!("writing {}", file.name))?;
    }
    Ok(())
}

fn remove(args: &StoreRemoveArgs) -> Result<Exit> {
    let kind = StoredKind::from(args.kind);
    let mut store = store_of(&args.place)?;
    store.remove_files(kind, &args.name)?;
    say(format!("navigator: removed the {kind} {} from {}", args.name, store.place()));
    Ok(Exit::Finished)
}

fn export(args: &StoreExportArgs) -> Result<Exit> {
    let mut store = store_of(&args.place)?;
    let mut n = 0;
    match &args.output {
        None => store.export(&mut |line| {
            n += 1;
            write_out(None, &Sanitized::lines([line.clone()])).map_err(io::Error::other)
        })?,
        Some(path) => {
            // Whole or not at all: beside its place first.
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))
                .with_context(|| format!("writing beside {}", path.display()))?;
            store.export(&mut |line| {
                n += 1;
                writeln!(file, "{line}")
            })?;
            file.flush()?;
            file.persist(path).with_context(|| format!("writing {}", path.display()))?;
        }
    }
    say(format!("navigator: exported {}", n_of(n, "line")));
    Ok(Exit::Finished)
}

fn import(args: &StoreImportArgs) -> Result<Exit> {
    let reading = || format!("reading {}", args.file.display());
    if fs::metadata(&args.file).with_context(reading)?.len() > LARGEST_EXPORT {
        bail!("{} is larger than {} GiB", args.file.display(), LARGEST_EXPORT >> 30);
    }
    let text = fs::read_to_string(&args.file).with_context(reading)?;
    let mut store = store_of(&args.place)?;
    let n = store.import(&text)?;
    say(format!("navigator: imported {} into {}", n_of(n, "line"), store.place()));
    Ok(Exit::Finished)
}
