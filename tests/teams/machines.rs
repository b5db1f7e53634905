//! Many processes, two stores, one provider that does what it wants: the purse is never passed, and
//! nothing spent is forgotten.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use navigator::PicoUsd;
use navigator::ledger::{self, LedgerLine};
use navigator::store::{Store, StorePlace};
use serde_json::{Value, json};
use test_support::{Dice, Repo, Sealed, sealed, service};

use crate::engines::{PostgresServer, as_flag, on_each_store};
use crate::server::{Answer, Received, Server, status};

/// The price of the input and output of the model, in pico-USD a token.
const PRICE: (u64, u64) = (1_000_000, 5_000_000);
const PROCESSES: usize = 32;

/// What the provider has billed so far, in pico-USD, at the worst that each request allowed.
pub(crate) type Billed = Arc<Mutex<u64>>;

/// A provider of many tempers. It bills what it reports; where it reports nothing, all that the
/// request allowed.
pub(crate) fn hostile(billed: &Billed) -> Server {
    let (mut dice, billed) = (Dice(11), Arc::clone(billed));
    Server::answering(move |request| {
        if request.method != "POST" {
            return status(404, "");
        }
        let (answer, cost) = answer(&mut dice, request);
        *billed.lock().unwrap() += cost;
        answer
    })
}

fn answer(dice: &mut Dice, request: &Received) -> (Answer, u64) {
    let body = request.json();
    let most = body["max_completion_tokens"].as_u64().or(body["max_tokens"].as_u64()).unwrap();
    let input = request.body.len() as u64;
    let worst = input * PRICE.0 + most * PRICE.1;
    let output = dice.roll(most + 1);
    let cost = input / 4 * PRICE.0 + output * PRICE.1;
    match dice.roll(11) {
        0 | 1 => (said(&change(), usage(input / 4, output)), cost),
        2 => (said(&done(), usage(input / 4, output)), cost),
        3 => (said("no JSON at all", usage(input / 4, output)), cost),
        4 => (said(&done(), Value::Null), worst),
        5 => (said(&done(), usage(input, most)), worst),
        6 => (Answer::Cut("{\"id\":".to_owned()), worst),
        7 => (Answer::HalfStatusLine, worst),
        8 => (status(500, "broken"), worst),
        9 => (Answer::Whole(429, vec![("retry-after", "0".to_owned())], String::new()), 0),
        _ => (said(&change(), json!({ "prompt_tokens": "many" })), worst),
    }
}

fn said(text: &str, usage: Value) -> Answer {
    let message = json!({ "role": "assistant", "content": text });
    let choice = json!({ "index": 0, "finish_reason": "stop", "message": message });
    let reply = json!({
        "id": "1", "object": "chat.completion", "created": 1, "model": "test",
        "choices": [choice], "usage": usage,
    });
    status(200, &reply.to_string())
}

fn usage(input: u64, output: u64) -> Value {
    json!({
        "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
    })
}

/// The answer of a model that has enough.
pub(crate) fn finalized() -> Answer {
    said(&done(), usage(1_000, 100))
}

fn change() -> String {
    let change = json!({ "path": "src/http.rs", "level": "full", "why": "it answers" });
    json!({
        "reasoning": "look closer", "action": "update_flight_plan", "changes": [change],
        "summary": "", "focus": [],
    })
    .to_string()
}

fn done() -> String {
    let focus = json!([{ "path": "src/session.rs", "why": "sessions are refreshed here" }]);
    json!({
        "reasoning": "enough", "action": "finalize_context", "changes": [],
        "summary": "the session", "focus": focus,
    })
    .to_string()
}

/// What one team has: a store, a provider, a repository, and a home for each process.
struct Team {
    place: String,
    provider: Server,
    billed: Billed,
    repo: Repo,
    navigator: Sealed,
}

impl Team {
    fn new(place: &StorePlace) -> Team {
        let billed = Billed::default();
        Team {
            place: as_flag(place),
            provider: hostile(&billed),
            billed,
            repo: service(),
            navigator: sealed(env!("CARGO_BIN_EXE_navigator")),
        }
    }

    fn run(&self, n: usize) -> PathBuf {
        self.navigator.home().join(format!("run-{n:02}"))
    }

    /// Starts one process.
    fn start(&self, n: usize) -> Child {
        let url = format!("{}/v1", self.provider.url());
        let out = self.run(n);
        self.navigator
            .command(self.repo.path())
            .args(["explore", "--goal", "where is a session refreshed?", "--tokens", "400"])
            .args(["--model", "openai/test", "--base-url", &url, "--price-in", "1"])
            .args(["--price-out", "5", "--budget", "0.20", "--max-turns", "3", "--no-cache"])
            .args(["--purse", "team", "--store", &self.place, "--quiet", "--out"])
            .arg(&out)
            .env("OPENAI_API_KEY", "sk-test")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Starts all processes, eight at once, kills every fourth, and waits for the others.
    /// `meanwhile` is done after the first eight.
    fn explore(&self, meanwhile: impl FnOnce()) -> Vec<(usize, i32, String)> {
        const AT_ONCE: usize = 8;
        let mut meanwhile = Some(meanwhile);
        let mut ended = Vec::new();
        for group in (0..PROCESSES).collect::<Vec<_>>().chunks(AT_ONCE) {
            let mut children: Vec<(usize, Child)> =
                group.iter().map(|n| (*n, self.start(*n))).collect();
            // A process is killed as soon as it has reserved, in the middle of its first call.
            for (n, child) in children.iter_mut().filter(|(n, _)| n % 4 == 3) {
                self.wait_for_a_reservation(*n, child);
                let _ = child.kill();
            }
            if let Some(meanwhile) = meanwhile.take() {
                meanwhile();
            }
            for (n, child) in children {
                let done = child.wait_with_output().unwrap();
                let said = String::from_utf8_lossy(&done.stderr).into_owned();
                ended.push((n, done.status.code().unwrap_or(-1), said));
            }
        }
        ended
    }

    fn wait_for_a_reservation(&self, n: usize, child: &mut Child) {
        let ledger = self.run(n).join("ledger.jsonl");
        while child.try_wait().unwrap().is_none() {
            if fs::read_to_string(&ledger).is_ok_and(|text| text.contains("\"reserved\"")) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The spend of each run by its own ledger.
    fn spent(&self) -> Vec<PicoUsd> {
        (0..PROCESSES).map(|n| ledger::spent(&lines(&self.run(n)))).collect()
    }

    /// Asserts that the purse holds what the runs and the provider say.
    fn audit(&self, store: &mut Store, limit: PicoUsd) {
        let purse = store.purse("team").unwrap();
        let counted = purse.spent.plus(purse.held);
        let by_runs = self.spent().into_iter().fold(PicoUsd(0), PicoUsd::plus);
        let billed = PicoUsd(*self.billed.lock().unwrap());
        assert!(counted <= limit, "{counted} of {limit}");
        assert!(by_runs <= counted, "the runs spent {by_runs}, the purse knows {counted}");
        assert!(billed <= counted, "{billed} was billed, the purse knows {counted}");
        let held = store.held("team").unwrap();
        let sum = held.iter().fold(PicoUsd(0), |sum, one| sum.plus(one.reserved));
        assert_eq!(sum, purse.held);
    }
}

fn lines(run: &Path) -> Vec<LedgerLine> {
    let text = fs::read_to_string(run.join("ledger.jsonl")).unwrap_or_default();
    ledger::lines(&text).unwrap()
}

/// The identifier of a run in its purse.
fn identifier(run: &Path) -> Option<String> {
    lines(run).iter().find_map(|line| match line {
        LedgerLine::Opened { purse: Some(account), .. } => Some(account.run.clone()),
        _ => None,
    })
}

#[test]
fn thirty_two_processes_and_a_hostile_provider_never_pass_a_purse() {
    on_each_store(|store| {
        let limit = PicoUsd(20_000_000_000_000);
        store.create_purse("team", limit).unwrap();
        let team = Team::new(store.place());
        let ended = team.explore(|| ());
        team.audit(store, limit);
        let killed: Vec<usize> =
            ended.iter().filter(|(_, code, _)| *code == -1).map(|(n, ..)| *n).collect();
        assert!(!killed.is_empty(), "no process was killed in time: {ended:?}");
        for (n, code, said) in ended.iter().filter(|(_, code, _)| *code != -1) {
            // Finished, limit of turns, provider failed or gave unusable answers.
            assert!([0, 6, 10].contains(code), "process {n}: {code}, {said}");
        }
        // What the ended runs reserved is settled; what the killed ones hold has their name.
        for held in store.held("team").unwrap() {
            let of_killed =
                killed.iter().any(|n| identifier(&team.run(*n)).as_ref() == Some(&held.run));
            assert!(of_killed, "{held:?}");
            assert!(held.holder.contains("run-"), "{held:?}");
        }
        // A killed run that goes on settles what it held.
        let n = killed[0];
        let resumed = team
            .navigator
            .command(team.repo.path())
            .args(["explore", "--quiet", "--resume"])
            .arg(team.run(n))
            .env("OPENAI_API_KEY", "sk-test")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&resumed.stderr);
        assert!([Some(0), Some(6), Some(10)].contains(&resumed.status.code()), "{said}");
        let own = identifier(&team.run(n)).unwrap();
        assert!(store.held("team").unwrap().iter().all(|held| held.run != own));
        team.audit(store, limit);
    });
}

#[test]
fn a_purse_that_is_short_stops_each_process_before_its_call() {
    on_each_store(|store| {
        // Enough for some calls of all that are wanted.
        let limit = PicoUsd(300_000_000_000);
        store.create_purse("team", limit).unwrap();
        let team = Team::new(store.place());
        let ended = team.explore(|| ());
        team.audit(store, limit);
        let stopped: Vec<&str> = ended
            .iter()
            .filter(|(_, code, _)| *code == 5)
            .map(|(.., said)| said.as_str())
            .collect();
        assert!(stopped.len() > PROCESSES / 4, "{ended:?}");
    });
}

#[test]
fn a_database_that_is_killed_and_comes_back_forgets_nothing() {
    let Some(server) = PostgresServer::start() else { return };
    let place = server.new_database();
    let mut store = Store::at(place.clone());
    store.init().unwrap();
    let limit = PicoUsd(20_000_000_000_000);
    store.create_purse("team", limit).unwrap();
    let team = Team::new(&place);
    let ended = team.explore(|| {
        server.kill();
        thread::sleep(Duration::from_millis(500));
        server.begin();
    });
    team.audit(&mut store, limit);
    let finished = ended.iter().filter(|(_, code, _)| [0, 6, 10].contains(code)).count();
    assert!(finished >= PROCESSES / 2, "most runs outlast the restart: {ended:?}");
}

#[test]
fn while_the_store_is_away_nothing_is_spent() {
    let Some(server) = PostgresServer::start() else { return };
    let place = server.new_database();
    let mut store = Store::at(place.clone());
    store.init().unwrap();
    store.create_purse("team", PicoUsd(20_000_000_000_000)).unwrap();
    let team = Team::new(&place);
    server.kill();
    let ended = team.start(0).wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(
        said.contains("--purse: the store postgres://") && said.contains("does not answer"),
        "{said}"
    );
    assert!(team.provider.received().is_empty());
}

#[test]
fn the_first_lines_of_a_paid_run_name_its_purse() {
    let (provider, repo) = (Server::answering(|_| finalized()), service());
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let place = navigator.home().join("team.db");
    let mut store = Store::at(StorePlace::File(place.clone()));
    store.init().unwrap();
    store.create_purse("team", PicoUsd(2_000_000_000_000)).unwrap();
    let url = format!("{}/v1", provider.url());
    let explore = |more: &[&str]| {
        let done = navigator
            .command(repo.path())
            .args(["explore", "--goal", "where is a session refreshed?", "--tokens", "400"])
            .args(["--model", "openai/test", "--base-url", &url, "--price-in", "1"])
            .args(["--price-out", "5", "--no-cache", "--store", place.to_str().unwrap()])
            .args(more)
            .env("OPENAI_API_KEY", "sk-test")
            .output()
            .unwrap();
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    let said = explore(&["--purse", "team"]);
    assert_eq!(said.lines().nth(1), Some("navigator: paid from the purse `team` too"), "{said}");
    let said = explore(&["--purse", "team", "--events"]);
    let started: Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    assert_eq!(started["purse"], "team", "{said}");
    assert!(!explore(&[]).contains("purse"));
}
