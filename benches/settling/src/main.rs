//! The time from a click to a settled view: ours, and Playwright's own waiting, on the same pages
//! of the loopback in one run. A view is right if it has what the click leads to.
#![expect(clippy::disallowed_methods, reason = "it measures time, serves a page and runs a script")]

mod late;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Parser;
use navigator::browser::guard::judge::WireGuard;
use navigator::browser::guard::policy::WirePolicy;
use navigator::browser::launch::{Browser, BrowserOptions};
use navigator::walk::pilot::view::{VIEW_TOKENS, view};
use navigator::walk::session::{Move, WalkSession as _};
use navigator::walk::words::WarningWords;
use navigator::{BrowserSession, BrowserWalk, CancelToken, Deadline};
use repo_map::cli::{say, write_out};
use serde_json::{Value, json};
use test_support::apps::{App, AppKind};
use url::Url;

use crate::late::LatePage;

/// The script that does the same with Playwright.
const PLAYWRIGHT: &str = include_str!("clicks.py");

/// Measure the time from a click to a settled view. Needs a Chromium, and a Python with the package
/// `playwright` for the other side.
#[derive(Debug, Parser)]
struct SettlingArgs {
    /// The Python that has `playwright`.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// The browser of both sides.
    #[arg(long, default_value = "/usr/bin/chromium")]
    chromium: PathBuf,
    /// How often each row of clicks is made.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// Clicks on the pages of one site, in a circle: what is clicked, and what is there afterwards.
struct ClickRow {
    name: &'static str,
    address: String,
    clicks: &'static [(&'static str, &'static str)],
}

/// The pages of a shop, each made by its server.
const SHOP: &[(&str, &str)] = &[
    ("Kitchen", "Tea kettle"),
    ("Cart", "Your cart is empty"),
    ("About us", "ironmonger"),
    ("Log in", "Password"),
    ("Lighting", "Floor lamp"),
];
/// The screens of a tracker, made by script at one address.
const TRACKER: &[(&str, &str)] = &[
    ("Settings", "Display name"),
    ("Notifications", "Digest"),
    ("Labels", "New label"),
    ("Issues", "Search issues"),
    ("New issue", "Assign it to me"),
    ("Cancel", "Search issues"),
];
/// A page that shows what it asks for after some time.
const LATE: &[(&str, &str)] = &[("Load", "loaded once"), ("Load", "loaded twice")];

fn main() -> ExitCode {
    match run(&SettlingArgs::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(format!("settling: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(args: &SettlingArgs) -> Result<()> {
    let (shop, tracker) = (App::start(AppKind::Shop), App::start(AppKind::Tracker));
    let late = LatePage::start()?;
    let rows = [
        ClickRow { name: "pages of a server", address: shop.address(), clicks: SHOP },
        ClickRow { name: "screens by script", address: tracker.address(), clicks: TRACKER },
        ClickRow { name: "data after 400 ms", address: late.address(), clicks: LATE },
    ];
    let mut page =
        "| clicks | way | n | right | median ms | 90 % ms |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for row in &rows {
        let ways = [("navigator".to_owned(), ours(args, row)?)];
        for (way, times) in ways.into_iter().chain(playwright(args, row)?) {
            page.push_str(&line(row.name, &way, times));
        }
    }
    write_out(None, &page.into())?;
    Ok(())
}

/// The milliseconds of each click, and whether its view was right.
type ClickTimes = Vec<(f64, bool)>;

fn line(row: &str, way: &str, times: ClickTimes) -> String {
    let n_right = times.iter().filter(|(_, is_right)| *is_right).count();
    let mut ms: Vec<f64> = times.iter().map(|(ms, _)| *ms).collect();
    ms.sort_by(f64::total_cmp);
    let at = |share: f64| ms.get((share * (ms.len() - 1) as f64) as usize).copied().unwrap_or(0.0);
    format!("| {row} | {way} | {} | {n_right} | {:.0} | {:.0} |\n", ms.len(), at(0.5), at(0.9))
}

/// Clicks in our own browser, behind its guard, and draws the view of each page.
fn ours(args: &SettlingArgs, row: &ClickRow) -> Result<ClickTimes> {
    let start: Url = row.address.parse()?;
    let guard = WireGuard::new(WirePolicy::nothing().with_named(&start), None);
    let options =
        BrowserOptions { program: Some(args.chromium.clone()), ..BrowserOptions::default() };
    let walk = BrowserWalk {
        start,
        named_hosts: BTreeSet::new(),
        words: WarningWords::none(),
        files: Vec::new(),
        recording: None,
    };
    let mut session = BrowserSession::new(Browser::launch(&options, guard)?, walk);
    let deadline = Deadline::new(None, CancelToken::new());
    ensure!(session.go(&Move::Start, &deadline)?.is_done(), "{} does not open", row.address);
    let mut times = ClickTimes::new();
    for (label, after) in (0..args.rounds).flat_map(|_| row.clicks) {
        let entries = &session.screen().entries;
        let is_it = |label: &str, one: &str| one == label || one.starts_with(&format!("{label} "));
        let at = entries.iter().position(|one| is_it(label, &one.label) && !one.is("covered"));
        let at = at.with_context(|| format!("{}: no `{label}`", row.name))?;
        let begun = Instant::now();
        session.go(&Move::Click(at + 1), &deadline)?;
        let shown = view(session.screen(), after, VIEW_TOKENS).to_string();
        times.push((begun.elapsed().as_secs_f64() * 1e3, shown.contains(after)));
    }
    Ok(times)
}

/// Has Playwright click the same.
fn playwright(args: &SettlingArgs, row: &ClickRow) -> Result<Vec<(String, ClickTimes)>> {
    let asked = json!({
        "address": row.address,
        "clicks": row.clicks,
        "rounds": args.rounds,
        "chromium": args.chromium,
    });
    let done = Command::new(&args.python).args(["-c", PLAYWRIGHT, &asked.to_string()]).output()?;
    if !done.status.success() {
        bail!("playwright: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    let found: Vec<(String, Vec<Value>)> = serde_json::from_slice(&done.stdout)?;
    let times = |times: Vec<Value>| {
        let of = |one: &Value| Some((one[0].as_f64()?, one[1].as_bool()?));
        let times = times.iter().map(|one| of(one).context("a time and a yes or no"));
        times.collect::<Result<ClickTimes>>()
    };
    found.into_iter().map(|(way, one)| Ok((way, times(one)?))).collect()
}
