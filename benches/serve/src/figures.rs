//! What the callers saw, as a table, and the limits that were passed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use crate::BenchArgs;
use crate::callers::{Peaks, Sample};

/// The table, and what must not be.
pub(crate) struct Report {
    pub(crate) text: String,
    pub(crate) passed: Vec<String>,
}

const MINUTE: Duration = Duration::from_secs(60);

/// Whether a kind of request may have a status.
fn is_expected(kind: &str, status: Option<u16>) -> bool {
    match (kind, status) {
        // A body that is too large is not read to its end, so its sender may get a broken
        // connection instead of the status.
        ("large body", Some(413) | None) => true,
        ("no token", Some(401)) | ("agent", Some(200)) => true,
        ("bad arguments", Some(422 | 429 | 503)) => true,
        ("explain" | "explore" | "knowledge" | "map", Some(200 | 429 | 503)) => true,
        _ => false,
    }
}

pub(crate) fn report(args: &BenchArgs, samples: &[Sample], peaks: &Peaks) -> Report {
    let mut text = String::new();
    let kinds: BTreeSet<&str> = samples.iter().map(|sample| sample.kind).collect();
    let _ =
        writeln!(text, "{:<14} {:>7} {:>9} {:>9}  statuses", "request", "n", "p50 ms", "p99 ms");
    for kind in kinds {
        let of_kind: Vec<&Sample> = samples.iter().filter(|sample| sample.kind == kind).collect();
        let mut statuses: BTreeMap<String, usize> = BTreeMap::new();
        for sample in &of_kind {
            let status =
                sample.status.map_or("no response".to_owned(), |status| status.to_string());
            *statuses.entry(status).or_default() += 1;
        }
        let statuses: Vec<String> =
            statuses.iter().map(|(status, n)| format!("{status}: {n}")).collect();
        let answered = |sample: &&&Sample| !matches!(sample.status, Some(429 | 503) | None);
        let mut times: Vec<u128> = of_kind
            .iter()
            .filter(answered)
            .map(|sample| (sample.answered - sample.sent).as_millis())
            .collect();
        times.sort_unstable();
        let [p50, p99] = [50, 99].map(|part| quantile(&times, part));
        let n = of_kind.len();
        let _ = writeln!(text, "{kind:<14} {n:>7} {p50:>9} {p99:>9}  {}", statuses.join(", "));
    }
    let answered = samples.iter().filter(|sample| sample.status == Some(200)).count();
    let time = samples.iter().map(|sample| sample.answered).max().unwrap_or_default();
    let each_second = answered as f64 / time.as_secs_f64().max(1.0);
    let _ = writeln!(text, "\nanswered: {answered}, {each_second:.1} a second");
    let (tenth, memory) = (peaks.memory.len().div_ceil(10), &peaks.memory);
    let most = |part: &[u64]| part.iter().max().copied().unwrap_or(0) / 1024;
    let (first, last) = (&memory[..tenth], &memory[memory.len() - tenth..]);
    let _ = writeln!(
        text,
        "memory: {} MiB in the first tenth, {} in the last, {} at most",
        most(first),
        most(last),
        peaks.most_memory / 1024
    );
    let _ = writeln!(text, "at most {} calls ran and {} waited", peaks.running, peaks.waiting);
    Report { text, passed: passed(args, samples, peaks) }
}

fn quantile(sorted: &[u128], part: usize) -> u128 {
    sorted
        .get((sorted.len() * part / 100).min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or(0)
}

/// The limits that were passed, and responses that nobody expects.
fn passed(args: &BenchArgs, samples: &[Sample], peaks: &Peaks) -> Vec<String> {
    let mut passed = Vec::new();
    if peaks.running > args.at_once as u64 || peaks.waiting > args.max_waiting as u64 {
        passed.push(format!("{} ran, {} waited", peaks.running, peaks.waiting));
    }
    let unexpected: BTreeSet<String> = samples
        .iter()
        .filter(|sample| !is_expected(sample.kind, sample.status))
        .map(|sample| format!("{}: {:?}", sample.kind, sample.status))
        .collect();
    passed.extend(unexpected);
    for caller in 0..args.callers {
        // A call was admitted between these two times, so those inside of a minute were admitted in
        // it. Over the protocol for agents a refusal has no status.
        let mut admitted: Vec<&Sample> = samples
            .iter()
            .filter(|sample| sample.caller == caller && sample.kind != "agent")
            .filter(|sample| matches!(sample.status, Some(200 | 422)))
            .collect();
        admitted.sort_by_key(|sample| sample.sent);
        for (at, first) in admitted.iter().enumerate() {
            let inside = |sample: &&&Sample| sample.answered < first.sent + MINUTE;
            let n = admitted[at..].iter().filter(inside).count();
            if n > args.rate as usize {
                passed.push(format!("caller {caller}: {n} calls in a minute"));
                break;
            }
        }
    }
    passed
}
