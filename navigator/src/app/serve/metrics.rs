//! The figures of a server in the text form of Prometheus. They name tools and outcomes: nothing of
//! a goal, a caller or a token.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::money::pico_usd::PicoUsd;

/// The bounds of the histogram, in seconds.
const BOUNDS: [f64; 10] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0];

/// What was counted since the start.
#[derive(Default)]
pub(super) struct Figures(Mutex<CountedCalls>);

#[derive(Default)]
struct CountedCalls {
    /// Calls by tool and outcome.
    calls: BTreeMap<(String, &'static str), u64>,
    /// The times of calls by tool.
    seconds: BTreeMap<String, TimeHistogram>,
    /// Requests and calls that were refused, by reason.
    refused: BTreeMap<&'static str, u64>,
}

#[derive(Default)]
struct TimeHistogram {
    /// The number of calls that took at most each of the bounds.
    within: [u64; BOUNDS.len()],
    calls: u64,
    time: Duration,
}

/// What is so at this moment.
pub(super) struct Gauges {
    pub(super) running: usize,
    pub(super) waiting: usize,
    /// What is left of the limit in USD; `None` if nothing is ever spent.
    pub(super) left: Option<PicoUsd>,
}

impl Figures {
    fn lock(&self) -> MutexGuard<'_, CountedCalls> {
        // A panic elsewhere leaves numbers valid.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call that ended.
    pub(super) fn count_call(&self, tool: &str, outcome: &'static str, time: Duration) {
        let mut counted = self.lock();
        *counted.calls.entry((tool.to_owned(), outcome)).or_default() += 1;
        let seconds = counted.seconds.entry(tool.to_owned()).or_default();
        for (bound, within) in BOUNDS.iter().zip(&mut seconds.within) {
            *within += u64::from(time.as_secs_f64() <= *bound);
        }
        seconds.calls += 1;
        seconds.time += time;
    }

    /// Counts a request or a call that was refused.
    pub(super) fn count_refused(&self, reason: &'static str) {
        *self.lock().refused.entry(reason).or_default() += 1;
    }

    /// Returns all figures.
    pub(super) fn text(&self, now: &Gauges) -> String {
        let counted = self.lock();
        let mut out = String::new();
        begin(&mut out, "calls_total", "counter", "Calls by tool and outcome.");
        for ((tool, outcome), n) in &counted.calls {
            line(&mut out, "calls_total", &format!("tool=\"{tool}\",outcome=\"{outcome}\""), n);
        }
        begin(&mut out, "call_seconds", "histogram", "Time of calls, with the wait for others.");
        for (tool, seconds) in &counted.seconds {
            for (bound, within) in BOUNDS.iter().zip(&seconds.within) {
                let labels = format!("tool=\"{tool}\",le=\"{bound}\"");
                line(&mut out, "call_seconds_bucket", &labels, within);
            }
            let all = format!("tool=\"{tool}\",le=\"+Inf\"");
            line(&mut out, "call_seconds_bucket", &all, seconds.calls);
            let labels = format!("tool=\"{tool}\"");
            line(&mut out, "call_seconds_sum", &labels, seconds.time.as_secs_f64());
            line(&mut out, "call_seconds_count", &labels, seconds.calls);
        }
        begin(&mut out, "refused_total", "counter", "Refused requests and calls by reason.");
        for (reason, n) in &counted.refused {
            line(&mut out, "refused_total", &format!("reason=\"{reason}\""), n);
        }
        begin(&mut out, "calls_running", "gauge", "Calls that are at work.");
        line(&mut out, "calls_running", "", now.running);
        begin(&mut out, "calls_waiting", "gauge", "Calls that wait for others.");
        line(&mut out, "calls_waiting", "", now.waiting);
        if let Some(left) = now.left {
            begin(&mut out, "spend_left_usd", "gauge", "What is left of the limit of spend.");
            line(&mut out, "spend_left_usd", "", usd(left));
        }
        out
    }
}

/// Returns an amount as a plain decimal number, exactly.
fn usd(amount: PicoUsd) -> String {
    amount.to_string().trim_start_matches('$').to_owned()
}

fn begin(out: &mut String, name: &str, kind: &str, help: &str) {
    let _ = write!(out, "# HELP navigator_{name} {help}\n# TYPE navigator_{name} {kind}\n");
}

fn line(out: &mut String, name: &str, labels: &str, value: impl std::fmt::Display) {
    let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
    let _ = writeln!(out, "navigator_{name}{labels} {value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_in_the_text_form_of_prometheus() {
        let figures = Figures::default();
        figures.count_call("map", "answered", Duration::from_millis(20));
        figures.count_call("map", "answered", Duration::from_millis(2_500));
        figures.count_call("map", "time", Duration::from_secs(400));
        figures.count_refused("rate");
        let left = Some(PicoUsd(493_000_000_000));
        let text = figures.text(&Gauges { running: 2, waiting: 5, left });
        insta::assert_snapshot!(text, @r#"
        # HELP navigator_calls_total Calls by tool and outcome.
        # TYPE navigator_calls_total counter
        navigator_calls_total{tool="map",outcome="answered"} 2
        navigator_calls_total{tool="map",outcome="time"} 1
        # HELP navigator_call_seconds Time of calls, with the wait for others.
        # TYPE navigator_call_seconds histogram
        navigator_call_seconds_bucket{tool="map",le="0.01"} 0
        navigator_call_seconds_bucket{tool="map",le="0.03"} 1
        navigator_call_seconds_bucket{tool="map",le="0.1"} 1
        navigator_call_seconds_bucket{tool="map",le="0.3"} 1
        navigator_call_seconds_bucket{tool="map",le="1"} 1
        navigator_call_seconds_bucket{tool="map",le="3"} 2
        navigator_call_seconds_bucket{tool="map",le="10"} 2
        navigator_call_seconds_bucket{tool="map",le="30"} 2
        navigator_call_seconds_bucket{tool="map",le="100"} 2
        navigator_call_seconds_bucket{tool="map",le="300"} 2
        navigator_call_seconds_bucket{tool="map",le="+Inf"} 3
        navigator_call_seconds_sum{tool="map"} 402.52
        navigator_call_seconds_count{tool="map"} 3
        # HELP navigator_refused_total Refused requests and calls by reason.
        # TYPE navigator_refused_total counter
        navigator_refused_total{reason="rate"} 1
        # HELP navigator_calls_running Calls that are at work.
        # TYPE navigator_calls_running gauge
        navigator_calls_running 2
        # HELP navigator_calls_waiting Calls that wait for others.
        # TYPE navigator_calls_waiting gauge
        navigator_calls_waiting 5
        # HELP navigator_spend_left_usd What is left of the limit of spend.
        # TYPE navigator_spend_left_usd gauge
        navigator_spend_left_usd 0.493
        "#);
    }
}
