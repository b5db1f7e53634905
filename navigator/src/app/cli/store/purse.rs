//! `navigator purse`: limits of spend that many runs share.

use anyhow::Result;
use chrono::DateTime;
use repo_map::cli::{Exit, TableFormat, say};
use serde::Serialize;

use crate::app::cli::lists::print_rows;
use crate::app::cli::store::args::{
    PurseArgs, PurseCommand, PurseLimitArgs, PurseReleaseArgs, PurseShowArgs,
};
use crate::app::cli::store::store_of;
use crate::app::settings::usage;
use crate::money::pico_usd::PicoUsd;
use crate::store::{HeldReservation, PurseState, Store};

/// Runs a command, and returns the exit code.
pub(in crate::app::cli) fn run(args: &PurseArgs) -> Result<Exit> {
    match &args.command {
        PurseCommand::Create(args) => create(args),
        PurseCommand::Change(args) => change(args),
        PurseCommand::Show(args) => show(args),
        PurseCommand::Release(args) => release(args),
    }
}

fn limit_of(args: &PurseLimitArgs) -> Result<PicoUsd> {
    args.limit.parse().map_err(|error: crate::Error| usage("--limit", error.to_string()))
}

fn create(args: &PurseLimitArgs) -> Result<Exit> {
    let limit = limit_of(args)?;
    let mut store = store_of(&args.place)?;
    store.create_purse(&args.name, limit)?;
    say(format!(
        "navigator: created the purse {} of {limit} in {} (`--purse {}` spends from it)",
        args.name,
        store.place(),
        args.name
    ));
    Ok(Exit::Finished)
}

fn change(args: &PurseLimitArgs) -> Result<Exit> {
    let limit = limit_of(args)?;
    let mut store = store_of(&args.place)?;
    store.change_purse(&args.name, limit)?;
    let left = store.purse(&args.name)?.left();
    say(format!("navigator: the purse {} has a limit of {limit}, {left} is left", args.name));
    Ok(Exit::Finished)
}

/// A purse in a table.
#[derive(Serialize)]
struct PurseRow {
    purse: String,
    limit_pico_usd: PicoUsd,
    spent_pico_usd: PicoUsd,
    held_pico_usd: PicoUsd,
    left_pico_usd: PicoUsd,
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<Vec<HeldRow>>,
}

/// A reservation in a table.
#[derive(Serialize)]
struct HeldRow {
    run: String,
    call: u32,
    reserved_pico_usd: PicoUsd,
    /// In seconds since 1970.
    since: i64,
    holder: String,
}

fn show(args: &PurseShowArgs) -> Result<Exit> {
    let mut store = store_of(&args.table.place)?;
    let Some(name) = &args.name else {
        let purses = store.purses()?;
        return print_purses(args.table.format, purses.into_iter().map(|one| row(one, None)));
    };
    let purse = store.purse(name)?;
    let held = held_rows(&mut store, name)?;
    let format = args.table.format;
    if format == TableFormat::Json {
        return print_purses(format, [row(purse, Some(held))]);
    }
    print_purses(format, [row(purse, None)])?;
    if held.is_empty() {
        return Ok(Exit::Finished);
    }
    let cells = |row: &HeldRow| {
        vec![
            row.run.clone(),
            row.call.to_string(),
            row.reserved_pico_usd.to_string(),
            time_of(row.since),
            row.holder.clone(),
        ]
    };
    print_rows(
        format,
        &["run", "call", "held", "since", "holder"],
        held.iter().map(cells).collect(),
        &held,
    )
}

fn held_rows(store: &mut Store, name: &str) -> Result<Vec<HeldRow>> {
    let row = |one: HeldReservation| HeldRow {
        run: one.run,
        call: one.call,
        reserved_pico_usd: one.reserved,
        since: one.since,
        holder: one.holder,
    };
    Ok(store.held(name)?.into_iter().map(row).collect())
}

fn row(purse: PurseState, held: Option<Vec<HeldRow>>) -> PurseRow {
    PurseRow {
        left_pico_usd: purse.left(),
        purse: purse.name,
        limit_pico_usd: purse.limit,
        spent_pico_usd: purse.spent,
        held_pico_usd: purse.held,
        held,
    }
}

fn print_purses(format: TableFormat, rows: impl IntoIterator<Item = PurseRow>) -> Result<Exit> {
    let rows: Vec<PurseRow> = rows.into_iter().collect();
    let cells = |row: &PurseRow| {
        vec![
            row.purse.clone(),
            row.limit_pico_usd.to_string(),
            row.spent_pico_usd.to_string(),
            row.held_pico_usd.to_string(),
            row.left_pico_usd.to_string(),
        ]
    };
    print_rows(
        format,
        &["purse", "limit", "spent", "held", "left"],
        rows.iter().map(cells).collect(),
        &rows,
    )
}

/// Returns a time in seconds since 1970 for people.
fn time_of(seconds: i64) -> String {
    DateTime::from_timestamp(seconds, 0).map_or_else(
        || seconds.to_string(),
        |time| time.format("%Y-%m-%d %H:%M:%S UTC").to_string(),
    )
}

fn release(args: &PurseReleaseArgs) -> Result<Exit> {
    let mut store = store_of(&args.place)?;
    let amount = store.release(&args.name, &args.run, args.as_spent)?;
    let left = store.purse(&args.name)?.left();
    let how = if args.as_spent { "counted as spent" } else { "given back" };
    say(format!("navigator: {amount} is {how}; {left} of the purse {} is left", args.name));
    Ok(Exit::Finished)
}
