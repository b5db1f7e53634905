//! Callers of a server, each with a purse of its own.

use navigator::PicoUsd;
use serde_json::json;
use test_support::{sealed, service};

use crate::engines::{as_flag, on_each_store};
use crate::http_server::{HttpServer, bearer};
use crate::machines::{Billed, finalized, hostile};
use crate::server::Server;

#[test]
fn each_caller_spends_from_its_own_purse() {
    on_each_store(|store| {
        let limit = PicoUsd(2_000_000_000_000);
        store.create_purse("rich", limit).unwrap();
        store.create_purse("poor", PicoUsd(1)).unwrap();
        let place = as_flag(store.place());
        let (provider, repo) = (Server::answering(|_| finalized()), service());
        let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
        let callers = navigator.home().join("callers.toml");
        let callers = callers.to_str().unwrap();
        let token = |name: &str, purse: &str| {
            let args = ["serve", "token", name, "--purse", purse, "--callers", callers];
            let ran = navigator.run(repo.path(), &args);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            ran.stdout.trim_end().to_owned()
        };
        let (ada, ben) = (token("ada", "rich"), token("ben", "poor"));
        let url = format!("{}/v1", provider.url());
        let flags = [
            "--callers",
            callers,
            "--model",
            "openai/test",
            "--base-url",
            &url,
            "--price-in",
            "1",
            "--price-out",
            "5",
            "--budget",
            "1.50",
            "--store",
            &place,
        ];
        let server = HttpServer::of(repo.path(), &flags);
        let explore_within = |token: &str, tokens: u32| {
            let body = json!({ "goal": "where is a session refreshed?", "tokens": tokens });
            server.call(&bearer(token), "explore", &body)
        };
        let explore = |token: &str| explore_within(token, 600);
        let answer = explore(&ada);
        assert_eq!(answer.status, 200, "{answer:?}");
        let (spent, asked) = (store.purse("rich").unwrap().spent, provider.received().len());
        assert!(spent > PicoUsd(0) && asked > 0);
        let answer = explore(&ben);
        assert_eq!(answer.status, 200, "{answer:?}");
        let note = answer.json()["note"].as_str().unwrap().to_owned();
        assert!(note.starts_with("stopped at the limit of the purse `poor`"), "{note}");
        assert!(note.ends_with("spent $0.00, $0.00 left of the purse `poor`"), "{note}");
        // The reason stands where there is room for little else.
        let short = explore_within(&ben, 40).json();
        assert!(short["note"].as_str().unwrap().starts_with("purse limit"), "{short}");
        assert_eq!(provider.received().len(), asked, "nothing is sent that nobody pays");
        assert_eq!(store.purse("rich").unwrap().spent, spent);

        let wrong = token("eve", "gone");
        assert!(!wrong.is_empty());
        let ran = navigator.run(repo.path(), &[&["serve"], &flags[..]].concat());
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(
            ran.stderr
                .contains("--callers: for the purse `gone` of a caller: there is no purse `gone`"),
            "{}",
            ran.stderr
        );
    });
}

#[test]
fn many_callers_and_a_hostile_provider_never_pass_a_limit() {
    const CALLERS: usize = 16;
    on_each_store(|store| {
        let (budget, limit) = (PicoUsd(400_000_000_000), PicoUsd(150_000_000_000));
        let purses = ["a", "b", "c", "d"];
        purses.iter().for_each(|purse| store.create_purse(purse, limit).unwrap());
        let (place, billed) = (as_flag(store.place()), Billed::default());
        let (provider, repo) = (hostile(&billed), service());
        let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
        let file = navigator.home().join("callers.toml");
        let file = file.to_str().unwrap();
        let token = |n: usize| {
            let name = format!("caller-{n}");
            let args = ["serve", "token", &name, "--purse", purses[n % 4], "--callers", file];
            navigator.run(repo.path(), &args).stdout.trim_end().to_owned()
        };
        let tokens: Vec<String> = (0..CALLERS).map(token).collect();
        let args = ["serve", "token", "eye", "--scope", "metrics", "--callers", file];
        let eye = navigator.run(repo.path(), &args).stdout.trim_end().to_owned();
        let url = format!("{}/v1", provider.url());
        let flags = [
            ["--callers", file, "--store", &place, "--model", "openai/test", "--base-url", &url],
            ["--price-in", "1", "--price-out", "5", "--budget", "0.40", "--max-turns", "3"],
        ];
        let flags = [flags.as_flattened(), &["--at-once", "8"]].concat();
        let server = HttpServer::of(repo.path(), &flags);
        for size in [300, 600, 900] {
            let body = json!({ "goal": "where is a session refreshed?", "tokens": size });
            let begin = |token: &String| server.begin(&bearer(token), "explore", &body);
            let calls: Vec<_> = tokens.iter().map(begin).collect();
            for mut call in calls {
                let answer = call.reply().unwrap();
                assert_eq!(answer.status, 200, "{answer:?}");
            }
        }
        let text = server.ask("GET", "/metrics", &bearer(&eye), "").body;
        let left = text.lines().find_map(|line| line.strip_prefix("navigator_spend_left_usd "));
        let left: PicoUsd = left.unwrap().parse().unwrap();
        let purses = store.purses().unwrap();
        let sum = |of: fn(&navigator::store::PurseState) -> PicoUsd| {
            purses.iter().map(of).fold(PicoUsd(0), PicoUsd::plus)
        };
        let spent = PicoUsd(budget.0 - left.0);
        assert_eq!(sum(|purse| purse.held), PicoUsd(0), "all calls have ended: {purses:?}");
        assert_eq!(sum(|purse| purse.spent), spent, "the server and the purses count the same");
        assert!(purses.iter().all(|purse| purse.spent <= limit), "{purses:?}");
        let billed = PicoUsd(*billed.lock().unwrap());
        assert!(billed <= spent, "{billed} was billed, {spent} is counted");
        // The callers wanted more than there was.
        assert!(left < PicoUsd(100_000_000_000), "{left} of {budget}");
    });
}
