//! The callers: each asks one thing after the other until the end. Some of what they send is to be
//! refused.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use serde_json::json;

use crate::server::Server;

/// A call or a request, and what came of it.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) caller: usize,
    pub(crate) kind: &'static str,
    /// When it was sent and answered, since the start.
    pub(crate) sent: Duration,
    pub(crate) answered: Duration,
    /// The status; `None` if the connection failed.
    pub(crate) status: Option<u16>,
}

/// The most that was seen of the server.
#[derive(Debug, Default)]
pub(crate) struct Peaks {
    pub(crate) running: u64,
    pub(crate) waiting: u64,
    /// Its memory in the first and in the last tenth of the time, and its maximum, in KiB.
    pub(crate) memory: Vec<u64>,
    pub(crate) most_memory: u64,
}

pub(crate) struct Load<'a> {
    pub(crate) server: &'a Server,
    pub(crate) end: Instant,
}

const GOALS: [&str; 4] = [
    "where are secrets masked before text leaves the program?",
    "how is the spend of a call reserved and settled?",
    "the lock of the run folder is not released",
    "parse limits for a grammar that recovers slowly",
];

/// What a caller asks, by turn: the path and the body.
fn asked(turn: usize) -> (&'static str, &'static str, String) {
    let goal = GOALS[turn % GOALS.len()];
    let order = format!("order_{}", turn % 60);
    match turn % 16 {
        0 => ("explore", "/v1/tools/explore", json!({ "goal": goal, "tokens": 4_000 }).to_string()),
        4 => (
            "explain",
            "/v1/tools/explain",
            json!({ "path": "README.md", "goal": goal }).to_string(),
        ),
        8 => (
            "map",
            "/v1/tools/map",
            json!({ "levels": { "docs": "path" }, "tokens": 2_000 }).to_string(),
        ),
        12 => ("agent", "/mcp", agent(&order)),
        5 => ("bad arguments", "/v1/tools/map", json!({ "level": 1 }).to_string()),
        9 => ("large body", "/v1/tools/map", format!("\"{}\"", "x".repeat(5 << 20))),
        _ => ("knowledge", "/v1/tools/ask_knowledge", question(&order).to_string()),
    }
}

fn question(target: &str) -> serde_json::Value {
    json!({ "instruction_type": "navigate_to_screen", "target": target })
}

fn agent(target: &str) -> String {
    let params = json!({ "name": "ask_knowledge", "arguments": question(target) });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
}

impl Load<'_> {
    /// Lets all callers ask, while one watches the server.
    pub(crate) fn run(&self, callers: usize) -> Result<(Vec<Sample>, Peaks)> {
        let (start, is_over) = (Instant::now(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let watching = scope.spawn(|| self.watch(&is_over));
            let asking: Vec<_> = (0..callers)
                .map(|caller| scope.spawn(move || self.ask_on(caller, start)))
                .collect();
            let broke = |_| anyhow!("a caller panicked");
            let samples: Result<Vec<_>> =
                asking.into_iter().map(|one| one.join().map_err(broke)).collect();
            is_over.store(true, Ordering::SeqCst);
            let peaks = watching.join().map_err(broke)??;
            Ok((samples?.concat(), peaks))
        })
    }

    fn ask_on(&self, caller: usize, start: Instant) -> Vec<Sample> {
        let mut samples = Vec::new();
        let mut turn = caller;
        while Instant::now() < self.end {
            let (kind, path, body) = asked(turn);
            let is_stranger = turn % 50 == 49 && kind != "large body";
            let kind = if is_stranger { "no token" } else { kind };
            let token = if is_stranger { "nobody" } else { self.server.tokens[caller].as_str() };
            let sent = start.elapsed();
            let status = self.server.ask(token, "POST", path, &body).map(|reply| reply.status).ok();
            samples.push(Sample { caller, kind, sent, answered: start.elapsed(), status });
            if matches!(status, Some(429 | 503)) {
                std::thread::sleep(Duration::from_millis(500));
            }
            turn += 1;
        }
        samples
    }

    /// Reads the figures of the server until the end.
    fn watch(&self, is_over: &AtomicBool) -> Result<Peaks> {
        let mut peaks = Peaks::default();
        let token = self.server.tokens.last().map_or("", String::as_str);
        while !is_over.load(Ordering::SeqCst) {
            let text = self.server.ask(token, "GET", "/metrics", "")?.body;
            let figure = |name: &str| -> u64 {
                let line = text.lines().find_map(|line| line.strip_prefix(name));
                line.and_then(|value| value.trim().parse().ok()).unwrap_or(0)
            };
            peaks.running = peaks.running.max(figure("navigator_calls_running "));
            peaks.waiting = peaks.waiting.max(figure("navigator_calls_waiting "));
            let (memory, most) = self.server.memory();
            peaks.memory.push(memory);
            peaks.most_memory = most;
            std::thread::sleep(Duration::from_millis(250));
        }
        Ok(peaks)
    }
}
