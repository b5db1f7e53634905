//! How many reservations a second one purse takes, from one process and from many, on both engines.
//!
//! Each worker has a connection of its own, and reserves and settles one call after the other. The
//! physical limit of a file is printed beside it: appends of one line, each written to the disk.

#![allow(clippy::disallowed_methods, reason = "a benchmark measures time and writes files")]

use std::fs::File;
use std::io::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Parser;
use navigator::store::{Store, StorePlace, StoredPurse};
use navigator::{PicoUsd, Purse as _, PurseAccount};
use repo_map::cli::say;

/// Measure a purse: reservations and settlements a second, by the number of workers.
#[derive(Debug, Parser)]
struct PursesArgs {
    /// The store, which is made if there is none: a file, or `postgres://USER@HOST/DATABASE`.
    store: StorePlace,
    /// Measure for so many seconds with each number of workers.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// The numbers of workers.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 8, 32])]
    workers: Vec<usize>,
}

fn main() -> Result<()> {
    let args = PursesArgs::parse();
    let time = Duration::from_secs(args.seconds);
    let mut store = Store::at(args.store.clone());
    store.init()?;
    say(format!("limit of this disk: {} synced appends a second", appends(time)?));
    for workers in args.workers {
        // A name that no earlier measurement used.
        let name = format!("bench-{workers}-{}", store.purses()?.len());
        store.create_purse(&name, PicoUsd(1_000_000_000_000_000))?;
        let began = Instant::now();
        let mut waits = measured(&args.store, &name, workers, time)?;
        // Longer than asked for where a worker waited for others at the end.
        let took = began.elapsed().as_secs_f64();
        let purse = store.purse(&name)?;
        ensure!(purse.held == PicoUsd(0) && purse.spent.0 == waits.len() as u64, "money is lost");
        waits.sort_unstable();
        let at = |part: usize| waits[(waits.len() - 1) * part / 100].as_secs_f64() * 1_000.0;
        say(format!(
            "{workers} workers: {:.0} calls a second, each reserved and settled; median {:.1} ms, \
             p99 {:.1} ms, longest {:.1} ms",
            waits.len() as f64 / took,
            at(50),
            at(99),
            at(100)
        ));
    }
    Ok(())
}

/// Reserves and settles with so many workers, and returns how long each call took.
fn measured(
    place: &StorePlace,
    name: &str,
    workers: usize,
    time: Duration,
) -> Result<Vec<Duration>> {
    let work = |worker: usize| -> Result<Vec<Duration>> {
        let run = format!("w{worker}");
        let account = PurseAccount { purse: name.to_owned(), run };
        let mut purse = StoredPurse::open(Store::at(place.clone()), account, "bench".to_owned())?;
        let (began, mut waits) = (Instant::now(), Vec::new());
        while began.elapsed() < time {
            let call = u32::try_from(waits.len())? + 1;
            let before = Instant::now();
            let reserved = purse.reserve(call, PicoUsd(1_000));
            ensure!(reserved.is_ok(), "{reserved:?}");
            purse.settle(call, PicoUsd(1));
            waits.push(before.elapsed());
        }
        Ok(waits)
    };
    thread::scope(|scope| {
        let work = &work;
        let all: Vec<_> = (0..workers).map(|one| scope.spawn(move || work(one))).collect();
        let mut waits = Vec::new();
        for one in all {
            waits.extend(one.join().expect("a worker does not panic")?);
        }
        Ok(waits)
    })
}

/// Returns how many lines a second can be appended to a file, each written to the disk.
fn appends(time: Duration) -> Result<u64> {
    let folder = std::env::temp_dir().join(format!("purses-{}", std::process::id()));
    let mut file = File::create(&folder)?;
    let (began, mut n) = (Instant::now(), 0);
    while began.elapsed() < time {
        file.write_all(b"{\"event\":\"reserved\"}\n")?;
        file.sync_data()?;
        n += 1;
    }
    std::fs::remove_file(&folder)?;
    Ok(n / time.as_secs().max(1))
}
