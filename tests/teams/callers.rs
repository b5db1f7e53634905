//! Callers of a server, each with a purse of its own.

use navigator::PicoUsd;
use serde_json::json;
use test_support::{sealed, service};

use crate::engines::{as_flag, on_each_store};
use crate::http_server::{HttpServer, bearer, request};
use crate::machines::finalized;
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
        let explore = |token: &str| {
            let body = json!({ "goal": "where is a session refreshed?", "tokens": 600 });
            let asked = request("POST", "/v1/tools/explore", &bearer(token), &body.to_string());
            let mut connection = server.connect();
            connection.send(&asked);
            connection.reply().unwrap()
        };
        let answer = explore(&ada);
        assert_eq!(answer.status, 200, "{answer:?}");
        let (spent, asked) = (store.purse("rich").unwrap().spent, provider.received().len());
        assert!(spent > PicoUsd(0) && asked > 0);
        let answer = explore(&ben);
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(answer.body.contains("limit of the purse `poor`"), "{}", answer.body);
        assert_eq!(provider.received().len(), asked, "nothing is sent that nobody pays");
        assert_eq!(store.purse("rich").unwrap().spent, spent);

        let wrong = token("eve", "gone");
        assert!(!wrong.is_empty());
        let ran = navigator.run(repo.path(), &[&["serve"], &flags[..]].concat());
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(
            ran.stderr.contains("--callers: there is no purse `gone` in the store"),
            "{}",
            ran.stderr
        );
    });
}
