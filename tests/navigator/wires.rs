//! Models behind servers: each wire format as it is published, and every way a server can answer
//! badly, through the whole loop and down to the pico-dollar. The servers are threads on this
//! machine.
//!
//! Long: five wire formats, each with its requests and replies.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use navigator::EndpointRequest;
use navigator::decision_log::ActionKind;
use navigator::ledger::{self, Basis, Bound, LedgerLine};
use navigator::price::Rates;
use navigator::{
    Focus, Ledger, Limits, LogEntry, Model, ModelEndpoint, ModelLimits, ModelPilot, PicoUsd, Price,
    Prices, Remote, Repository, Request, Retries, RuleChange, Secret, State, Stop, Usage, Wire,
    offline_rules,
};
use repo_map::plan::Rule;
use repo_map::{Fill, FlightPlan, Level, LevelRange, Options, Tokenizer};
use serde_json::{Value, json};
use test_support::{Ran, Repo, ran, sealed};

use crate::server::{Answer, Received, Server, status};
use crate::{explore, service};

const KEY: &str = "sk-planted-Zq7Xw2Vu9Ts4Rp6N";
const OUTPUT: u32 = 2_048;

// --- a run against a server

/// A run that is about to be flown.
struct Run<'a> {
    server: &'a Server,
    target: ModelEndpoint,
    key: Option<&'static str>,
    /// The budget of the map.
    tokens: u32,
    call_time: Duration,
    limits: Limits,
    spend: PicoUsd,
    retries: Retries,
}

/// A run that was flown.
struct Flown {
    stop: Stop,
    state: State<Vec<Rule>>,
    spent: PicoUsd,
    ledger: Vec<LedgerLine>,
    /// What it said while it waited.
    told: Vec<String>,
    requests: Vec<Received>,
}

/// A call, as the ledger has it.
#[derive(Debug, PartialEq)]
struct Call {
    bound: Bound,
    usage: Option<Usage>,
    spent: PicoUsd,
    basis: Basis,
    breach: bool,
    why: Option<String>,
}

impl<'a> Run<'a> {
    /// A run that asks a server of one's own, which speaks Chat Completions at a price given by
    /// hand.
    fn of(server: &'a Server) -> Run<'a> {
        Run::at(server, own(server, Wire::Chat))
    }

    fn at(server: &'a Server, target: ModelEndpoint) -> Run<'a> {
        let retries = Retries {
            attempts: 3,
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_millis(500),
        };
        let limits = Limits { turns: 3, ..Limits::default() };
        Run {
            server,
            target,
            key: None,
            tokens: 2_000,
            call_time: Duration::from_secs(20),
            limits,
            spend: PicoUsd::DEFAULT_LIMIT,
            retries,
        }
    }

    fn fly(self) -> Flown {
        self.fly_over(&service())
    }

    fn fly_over(self, folder: &Repo) -> Flown {
        let mut plan = FlightPlan {
            goal: Some("where is a session refreshed?".into()),
            ..FlightPlan::default()
        };
        plan.context.tokens = self.tokens;
        plan.context.fill = Fill::All;
        let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
        let rules = offline_rules(&mut repo, &Limits::default()).unwrap();
        let state = State::new("boundary".into(), Vec::new(), rules);

        let (mut journal, mut told) = (Vec::new(), Vec::new());
        let terms = ModelLimits {
            window: self.target.window,
            output_tokens: OUTPUT,
            least_output_tokens: 1_024,
            retries: self.retries,
        };
        let ledger = Ledger::new(self.spend, self.target.price.clone(), &[], &mut journal);
        let remote = Remote::new(self.target, self.key.map(Secret::new), self.call_time).unwrap();
        let mut pilot = ModelPilot::new(
            Box::new(remote),
            ledger,
            terms,
            Box::new(|line| told.push(line.to_owned())),
        );
        let found = explore(&mut repo, state, &mut pilot, &self.limits, &mut ()).unwrap();
        drop(pilot);
        let ledger = ledger::lines(&(journal.join("\n") + "\n")).unwrap();
        let requests = self.server.received();
        Flown {
            stop: found.stop,
            state: found.state,
            spent: found.purse.spent_pico_usd,
            ledger,
            told,
            requests,
        }
    }
}

impl Flown {
    /// Reservations with their settlements.
    fn calls(&self) -> Vec<Call> {
        let pair = |pair: &[LedgerLine]| match pair {
            [
                LedgerLine::Reserved { bound, .. },
                LedgerLine::Settled { usage, spent_pico_usd, basis, breach, why, .. },
            ] => Call {
                bound: *bound,
                usage: *usage,
                spent: *spent_pico_usd,
                basis: *basis,
                breach: *breach,
                why: why.clone(),
            },
            other => panic!("a reservation and its settlement, not {other:?}"),
        };
        let calls: Vec<Call> = self.ledger.chunks(2).map(pair).collect();
        assert_eq!(
            self.spent.0,
            calls.iter().map(|call| call.spent.0).sum::<u64>(),
            "the purse is the sum of the ledger"
        );
        assert_eq!(self.requests.len(), calls.len(), "each call was reserved for");
        calls
    }

    /// What became of the money of each call: billed by report, kept as reserved, or free.
    fn money(&self) -> Vec<&'static str> {
        let word = |call: &Call| match (call.basis, call.usage, call.breach) {
            (Basis::Provider, Some(_), false) => "billed",
            (Basis::Bound, None, false)
                if call.spent == call.bound.reserved_pico_usd && call.spent.0 > 0 =>
            {
                "kept"
            }
            (Basis::NotBilled, None, false) if call.spent.0 == 0 => "free",
            _ => panic!("not as any call should be settled: {call:?}"),
        };
        self.calls().iter().map(word).collect()
    }

    fn actions(&self) -> Vec<&'static str> {
        let costs =
            self.state.log.iter().fold(PicoUsd(0), |sum, entry| sum.plus(entry.cost_pico_usd));
        assert_eq!(costs, self.spent, "the costs of the log add up to the ledger's");
        self.state.log.iter().map(|entry| entry.action.as_str()).collect()
    }
}

/// What is written of a complaint in the request that follows.
fn complaints_in(request: &Received) -> Vec<String> {
    let body = request.json();
    let turn = body["messages"][1]["content"].as_str().unwrap();
    let (_, after) =
        turn.split_once("Wrong with your last answer, or not as you asked:\n").unwrap_or(("", ""));
    after.lines().map_while(|line| line.strip_prefix("- ")).map(str::to_owned).collect()
}

/// Prices that tell each kind of token apart.
fn apart() -> Price {
    let rates = Rates {
        input: PicoUsd(3_000_001),
        cached: PicoUsd(300_007),
        cache_write: PicoUsd(3_750_011),
        cache_write_1h: PicoUsd(6_000_013),
        output: PicoUsd(15_000_017),
    };
    Price { rates, tiers: Vec::new() }
}

fn flat() -> Price {
    Price::flat(PicoUsd(2_000_003), PicoUsd(8_000_009))
}

/// A server of one's own.
fn own(server: &Server, wire: Wire) -> ModelEndpoint {
    let asked = EndpointRequest {
        model: "openai/x".into(),
        base_url: Some(server.url()),
        wire: Some(wire),
        price: Some(flat()),
        window: Some(16_384),
        ..EndpointRequest::default()
    };
    ModelEndpoint::new(&asked, &Prices::bundled()).unwrap()
}

/// What would be the vendor's own server, but for its address.
fn vendors(server: &Server, model: &str, wire: Wire, base: &str) -> ModelEndpoint {
    let asked = EndpointRequest {
        model: model.into(),
        wire: Some(wire),
        price: Some(apart()),
        ..EndpointRequest::default()
    };
    let mut target = ModelEndpoint::new(&asked, &Prices::bundled()).unwrap();
    assert!(target.is_vendor);
    target.base_url = format!("{}{base}", server.url());
    target
}

// --- what models say

fn update(path: &str, level: &str) -> String {
    let change = json!({ "path": path, "level": level, "why": "it matters" });
    json!({ "reasoning": "look closer", "action": "update_flight_plan", "changes": [change], "summary": "", "focus": [] }).to_string()
}

fn done() -> String {
    let focus = json!([{ "path": "src/session.rs", "why": "sessions are refreshed here" }]);
    json!({ "reasoning": "enough", "action": "finalize_context", "changes": [], "summary": "the session", "focus": focus }).to_string()
}

/// How an answer ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Whole,
    Cut,
    Refused,
}

/// A reply in the vendor's whole form.
fn reply(wire: Wire, text: &str, end: End, usage: &Value) -> Value {
    let refused = end == End::Refused;
    match wire {
        Wire::Messages => json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m-1",
            "content": [{ "type": "thinking", "thinking": "{\"action\": \"no\"}", "signature": "s" }, { "type": "text", "text": text }],
            "stop_reason": match end { End::Whole => "end_turn", End::Cut => "max_tokens", End::Refused => "refusal" },
            "stop_sequence": null, "usage": usage,
        }),
        Wire::Responses => {
            let part = if refused {
                json!({ "type": "refusal", "refusal": text })
            } else {
                json!({ "type": "output_text", "text": text, "annotations": [] })
            };
            let details = if end == End::Cut {
                json!({ "reason": "max_output_tokens" })
            } else {
                Value::Null
            };
            json!({
                "id": "resp_1", "object": "response", "created_at": 1, "model": "m-1", "error": null, "service_tier": "default",
                "status": if end == End::Cut { "incomplete" } else { "completed" }, "incomplete_details": details,
                "output": [
                    { "id": "rs_1", "type": "reasoning", "summary": [] },
                    { "id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part] },
                ],
                "usage": usage,
            })
        }
        Wire::Chat => json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m-1", "service_tier": "default",
            "choices": [{
                "index": 0, "logprobs": null,
                "message": {
                    "role": "assistant",
                    "content": if refused { Value::Null } else { json!(text) },
                    "refusal": if refused { json!(text) } else { Value::Null },
                },
                "finish_reason": if end == End::Cut { "length" } else { "stop" },
            }],
            "usage": usage,
        }),
        Wire::Gemini => json!({
            "candidates": [{
                "index": 0,
                "content": { "role": "model", "parts": [{ "text": "{\"action\": \"no\"}", "thought": true }, { "text": text }] },
                "finishReason": match end { End::Whole => "STOP", End::Cut => "MAX_TOKENS", End::Refused => "SAFETY" },
            }],
            "usageMetadata": usage, "modelVersion": "m-1", "responseId": "r1",
        }),
        Wire::Ollama => {
            let mut reply = json!({
                "model": "m-1", "created_at": "2026-11-21T00:00:00Z", "message": { "role": "assistant", "content": text, "thinking": "hm" },
                "done": true, "done_reason": if end == End::Cut { "length" } else { "stop" }, "total_duration": 1, "eval_duration": 1,
            });
            reply.as_object_mut().unwrap().extend(usage.as_object().unwrap().clone());
            reply
        }
    }
}

/// A usage that every kind of reply can report.
fn plain_usage(wire: Wire) -> Value {
    match wire {
        Wire::Messages | Wire::Responses => json!({ "input_tokens": 1_000, "output_tokens": 100 }),
        Wire::Chat => {
            json!({ "prompt_tokens": 1_000, "completion_tokens": 100, "total_tokens": 1_100 })
        }
        Wire::Gemini => {
            json!({ "promptTokenCount": 1_000, "candidatesTokenCount": 100, "totalTokenCount": 1_100 })
        }
        Wire::Ollama => json!({ "prompt_eval_count": 1_000, "eval_count": 100 }),
    }
}

/// An answer of a server that speaks Chat Completions.
fn said(text: &str) -> Answer {
    said_by(Wire::Chat, text, End::Whole)
}

fn said_by(wire: Wire, text: &str, end: End) -> Answer {
    status(200, &reply(wire, text, end, &plain_usage(wire)).to_string())
}

fn finalized() -> Answer {
    said(&done())
}

// --- requests as they are published

/// Holds a value to a shape, and says where it departs from it. In a shape a field with `?` may be
/// missing, no other field may be there, a list has at least one of its element, `=a|b` is one of
/// these words, and true, false and numbers are themselves.
fn fits(shape: &Value, value: &Value, at: &str) {
    match (shape, value) {
        (Value::Object(fields), Value::Object(values)) => {
            for (field, shape) in fields {
                let name = field.trim_end_matches('?');
                match values.get(name) {
                    Some(value) => fits(shape, value, &format!("{at}.{name}")),
                    None => assert!(field.ends_with('?'), "{at}.{name} is missing"),
                }
            }
            for name in values.keys() {
                assert!(
                    fields.contains_key(name) || fields.contains_key(&format!("{name}?")),
                    "{at}.{name} is no field"
                );
            }
        }
        (Value::Array(shapes), Value::Array(values)) => {
            assert!(!values.is_empty(), "{at} is empty");
            values.iter().for_each(|value| fits(&shapes[0], value, at));
        }
        (Value::String(kind), value) => {
            assert!(is_kind(kind, value), "{at} is {value}, not {kind}")
        }
        (shape, value) => assert_eq!(value, shape, "{at}"),
    }
}

fn is_kind(kind: &str, value: &Value) -> bool {
    match kind {
        "text" => value.as_str().is_some_and(|text| !text.is_empty()),
        "count" => value.as_u64().is_some_and(|count| count > 0),
        "name" => value.as_str().is_some_and(|name| {
            (1..=64).contains(&name.len())
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        }),
        "schema" => is_strict(value),
        "schema without sizes" => is_strict(value) && !value.to_string().contains("maxItems"),
        words => value.as_str().is_some_and(|word| {
            words.strip_prefix('=').is_some_and(|words| words.split('|').any(|one| one == word))
        }),
    }
}

/// Whether a JSON schema keeps to what strict modes take: every field required, no other allowed.
fn is_strict(schema: &Value) -> bool {
    match schema["type"].as_str() {
        Some("object") => {
            let (Some(fields), Some(required)) =
                (schema["properties"].as_object(), schema["required"].as_array())
            else {
                return false;
            };
            schema["additionalProperties"] == json!(false)
                && fields.keys().eq(required.iter().filter_map(Value::as_str))
                && fields.values().all(is_strict)
        }
        Some("array") => is_strict(&schema["items"]),
        Some("string") => schema.get("enum").is_none_or(|words| {
            words.as_array().is_some_and(|words| words.iter().all(Value::is_string))
        }),
        // Kinds of elements, which strict modes tell apart by their first fields.
        None => schema["anyOf"].as_array().is_some_and(|kinds| {
            let first = |kind: &Value| kind["required"][0].as_str().map(str::to_owned);
            let firsts: BTreeSet<_> = kinds.iter().map(first).collect();
            firsts.len() == kinds.len() && kinds.iter().all(is_strict)
        }),
        _ => false,
    }
}

/// A wire format: what may be asked in it, and what its counts mean.
struct Published {
    wire: Wire,
    /// A model of the vendor's, the path of the vendor's address, and that of the call.
    vendor: (&'static str, &'static str, &'static str),
    /// The path of a call to a server of one's own.
    own_path: &'static str,
    /// The header of the key with its value, and others that must be there.
    key: (&'static str, String),
    headers: &'static [(&'static str, &'static str)],
    /// What a request may have. The terms that keep the listed price stand in it as they must be.
    shape: Value,
    /// The same for a server of one's own, which may not know what only the vendor does.
    own_shape: Value,
    /// What two turns report, and what that is in kinds of tokens that do not overlap.
    usages: [(Value, Usage); 2],
}

impl Published {
    fn check(&self) {
        let (model, base, path) = self.vendor;
        let server = self.server();
        let run =
            Run { key: Some(KEY), ..Run::at(&server, vendors(&server, model, self.wire, base)) };
        let name = model.split_once('/').unwrap().1;
        self.check_run(&run.fly(), &apart(), |request| {
            self.check_request(request, path, &self.shape);
            assert_eq!(request.header(self.key.0), Some(self.key.1.as_str()));
            assert!(!request.body.contains(KEY) && !request.path.contains(KEY));
            assert!(self.wire == Wire::Gemini || request.json()["model"] == name);
        });

        let server = self.server();
        self.check_run(&Run::at(&server, own(&server, self.wire)).fly(), &flat(), |request| {
            self.check_request(request, self.own_path, &self.own_shape);
            assert_eq!(request.header(self.key.0), None);
        });
    }

    fn server(&self) -> Server {
        let [(first, _), (second, _)] = &self.usages;
        let texts = [(update("src/color.rs", "exclude"), first), (done(), second)];
        Server::start(
            texts
                .map(|(text, usage)| {
                    status(200, &reply(self.wire, &text, End::Whole, usage).to_string())
                })
                .to_vec(),
        )
    }

    fn check_request(&self, request: &Received, path: &str, shape: &Value) {
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", path));
        fits(shape, &request.json(), "body");
        let usual = [
            "accept",
            "accept-encoding",
            "connection",
            "content-length",
            "content-type",
            "host",
            "user-agent",
        ];
        for (name, value) in &request.headers {
            let is_known = usual.contains(&name.as_str())
                || *name == self.key.0
                || self.headers.iter().any(|(known, _)| known == name);
            assert!(is_known, "the header {name}: {value}");
        }
        for (name, value) in [("content-type", "application/json")].iter().chain(self.headers) {
            assert_eq!(request.header(name), Some(*value), "{name}");
        }
    }

    fn check_run(&self, flown: &Flown, price: &Price, check_request: impl Fn(&Received)) {
        flown.requests.iter().for_each(check_request);
        let costs = self.usages.each_ref().map(|(_, usage)| price.of(usage));
        let entry =
            |step, action, path: &str, reasoning: &str, tokens: (u32, u32), cost_pico_usd| {
                LogEntry {
                    step,
                    action,
                    paths: vec![path.into()],
                    changes: Vec::new(),
                    refused: Vec::new(),
                    fell: Vec::new(),
                    find: Vec::new(),
                    free: None,
                    held: None,
                    focus: Vec::new(),
                    effects: Vec::new(),
                    edit: None,
                    reasoning: reasoning.into(),
                    complaints: Vec::new(),
                    tokens_before: tokens.0,
                    tokens_after: tokens.1,
                    cost_pico_usd,
                }
            };
        let [before, after] = [flown.state.log[0].tokens_before, flown.state.log[0].tokens_after];
        assert!(after < before);
        let changes = vec![RuleChange::paths(
            "/src/color.rs",
            LevelRange::exactly(Level::Exclude),
            "it matters",
        )];
        let focus = vec![Focus {
            path: "src/session.rs".into(),
            why: "sessions are refreshed here".into(),
        }];
        let log = [
            LogEntry {
                changes,
                ..entry(
                    1,
                    ActionKind::UpdateFlightPlan,
                    "src/color.rs",
                    "look closer",
                    (before, after),
                    costs[0],
                )
            },
            LogEntry {
                focus,
                ..entry(
                    2,
                    ActionKind::FinalizeContext,
                    "src/session.rs",
                    "the session",
                    (after, after),
                    costs[1],
                )
            },
        ];
        assert_eq!(
            (&flown.stop, &flown.state.log[..], &flown.told[..]),
            (&Stop::Finished, &log[..], &[][..])
        );
        self.check_calls(flown, price);
        assert_eq!((flown.spent, flown.calls().len()), (costs[0].plus(costs[1]), 2));
    }

    /// Each call is reserved at its highest cost and settled by the provider's usage.
    fn check_calls(&self, flown: &Flown, price: &Price) {
        let calls = flown.calls();
        for (call, (_, usage)) in calls.iter().zip(&self.usages) {
            let settled = Call {
                bound: call.bound,
                usage: Some(*usage),
                spent: price.of(usage),
                basis: Basis::Provider,
                breach: false,
                why: None,
            };
            assert_eq!(*call, settled);
        }
        for (call, request) in calls.iter().zip(&flown.requests) {
            assert!(
                call.bound.input_tokens >= request.body.len() as u64,
                "bytes bound the tokens of a request"
            );
            assert_eq!(call.bound.output_tokens, u64::from(OUTPUT));
            assert_eq!(
                call.bound.reserved_pico_usd,
                price.at_most(call.bound.input_tokens, call.bound.output_tokens)
            );
        }
    }
}

fn usage(input: u64, cached: u64, written: u64, output: u64, reasoning: u64) -> Usage {
    Usage {
        input_tokens: input,
        cached_tokens: cached,
        cache_write_tokens: written,
        cache_write_1h_tokens: 0,
        output_tokens: output,
        reasoning_tokens: reasoning,
    }
}

#[test]
fn messages_are_asked_as_published_and_settled_as_reported() {
    let shape = |service_tier: Value| {
        let mut shape = json!({
            "model": "text",
            "max_tokens": "count",
            "system": [{ "type": "=text", "text": "text", "cache_control?": { "type": "=ephemeral" } }],
            "messages": [{ "role": "=user|assistant", "content": [{ "type": "=text", "text": "text" }] }],
            "output_config": { "format": { "type": "=json_schema", "schema": "schema without sizes" }, "effort?": "=low|medium|high|max" },
        });
        shape.as_object_mut().unwrap().extend(service_tier.as_object().unwrap().clone());
        shape
    };
    let first = json!({
        "input_tokens": 1_201, "cache_creation_input_tokens": 508, "cache_read_input_tokens": 803, "output_tokens": 211,
        "cache_creation": { "ephemeral_5m_input_tokens": 407, "ephemeral_1h_input_tokens": 101 },
        "output_tokens_details": { "thinking_tokens": 97 }, "service_tier": "standard", "speed": "standard", "inference_geo": "global",
    });
    let second = json!({ "input_tokens": 3, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 1_999, "output_tokens": 5 });
    Published {
        wire: Wire::Messages,
        vendor: ("anthropic/claude-haiku-5-5", "/v1", "/v1/messages"),
        own_path: "/v1/messages",
        key: ("x-api-key", KEY.into()),
        headers: &[("anthropic-version", "2023-06-01")],
        shape: shape(json!({ "service_tier": "=standard_only", "inference_geo": "=global" })),
        own_shape: shape(json!({})),
        usages: [
            (first, Usage { cache_write_1h_tokens: 101, ..usage(1_201, 803, 407, 211, 97) }),
            (second, usage(3, 1_999, 0, 5, 0)),
        ],
    }
    .check();
}

#[test]
fn responses_are_asked_as_published_and_settled_as_reported() {
    let shape = |terms: Value| {
        let mut shape = json!({
            "model": "text",
            "instructions": "text",
            "input": [{ "type?": "=message", "role": "=user", "content": [{ "type": "=input_text", "text": "text" }] }],
            "max_output_tokens": "count",
            "store": false,
            "truncation": "=disabled",
            "text": { "format": { "type": "=json_schema", "name": "name", "schema": "schema", "strict": true } },
        });
        shape.as_object_mut().unwrap().extend(terms.as_object().unwrap().clone());
        shape
    };
    let first = json!({
        "input_tokens": 2_411, "input_tokens_details": { "cached_tokens": 803, "cache_write_tokens": 407 },
        "output_tokens": 211, "output_tokens_details": { "reasoning_tokens": 97 }, "total_tokens": 2_622,
    });
    let second = json!({ "input_tokens": 2_002, "output_tokens": 5, "total_tokens": 2_007 });
    Published {
        wire: Wire::Responses,
        vendor: ("openai/gpt-5.4-mini", "/v1", "/v1/responses"),
        own_path: "/v1/responses",
        key: ("authorization", format!("Bearer {KEY}")),
        headers: &[],
        shape: shape(json!({ "service_tier": "=default", "reasoning": { "effort": "=none|low|medium|high|max" } })),
        own_shape: shape(json!({})),
        usages: [(first, usage(1_201, 803, 407, 211, 97)), (second, usage(2_002, 0, 0, 5, 0))],
    }
    .check();
}

#[test]
fn chat_completions_are_asked_as_published_and_settled_as_reported() {
    let shape = |terms: Value| {
        let mut shape = json!({
            "model": "text",
            "messages": [{ "role": "=system|user|assistant", "content": "text" }],
            "response_format": { "type": "=json_schema", "json_schema": { "name": "name", "strict": true, "schema": "schema" } },
        });
        shape.as_object_mut().unwrap().extend(terms.as_object().unwrap().clone());
        shape
    };
    let first = json!({
        "prompt_tokens": 2_411, "prompt_tokens_details": { "cached_tokens": 803, "cache_write_tokens": 407 },
        "completion_tokens": 211, "completion_tokens_details": { "reasoning_tokens": 97, "rejected_prediction_tokens": 0 },
        "total_tokens": 2_622,
    });
    // Some servers leave reasoning out of the completion: then the sum counts.
    let second = json!({ "prompt_tokens": 2_002, "completion_tokens": 5, "total_tokens": 2_050, "prompt_cache_hit_tokens": 2_000 });
    let terms = json!({
        "max_completion_tokens": "count", "service_tier": "=default", "store": false, "reasoning_effort": "=none|low|medium|high|max",
    });
    Published {
        wire: Wire::Chat,
        vendor: ("openai/gpt-5.4-mini", "/v1", "/v1/chat/completions"),
        own_path: "/v1/chat/completions",
        key: ("authorization", format!("Bearer {KEY}")),
        headers: &[],
        shape: shape(terms),
        own_shape: shape(json!({ "max_tokens": "count" })),
        usages: [(first, usage(1_201, 803, 407, 211, 97)), (second, usage(2, 2_000, 0, 48, 0))],
    }
    .check();
}

#[test]
fn gemini_is_asked_as_published_and_settled_as_reported() {
    let shape = |thinking: Value| {
        let mut shape = json!({
            "systemInstruction": { "parts": [{ "text": "text" }] },
            "contents": [{ "role": "=user|model", "parts": [{ "text": "text" }] }],
            "generationConfig": {
                "maxOutputTokens": "count", "candidateCount": 1, "responseMimeType": "=application/json", "responseJsonSchema": "schema",
            },
        });
        shape["generationConfig"]
            .as_object_mut()
            .unwrap()
            .extend(thinking.as_object().unwrap().clone());
        shape
    };
    let first = json!({
        "promptTokenCount": 2_004, "cachedContentTokenCount": 803, "candidatesTokenCount": 114, "thoughtsTokenCount": 97,
        "totalTokenCount": 2_215,
    });
    // Without a sum the thoughts count all the same.
    let second = json!({ "promptTokenCount": 2_002, "toolUsePromptTokenCount": 7, "candidatesTokenCount": 5, "thoughtsTokenCount": 3 });
    Published {
        wire: Wire::Gemini,
        vendor: (
            "google/gemini-3.8-flash",
            "/v1beta",
            "/v1beta/models/gemini-3.8-flash:generateContent",
        ),
        own_path: "/v1beta/models/x:generateContent",
        key: ("x-goog-api-key", KEY.into()),
        headers: &[],
        shape: shape(json!({ "thinkingConfig": { "thinkingLevel": "=low|medium|high" } })),
        own_shape: shape(json!({})),
        usages: [(first, usage(1_201, 803, 0, 211, 97)), (second, usage(2_009, 0, 0, 8, 3))],
    }
    .check();
}

#[test]
fn ollama_is_asked_as_published_and_settled_as_reported() {
    let shape = json!({
        "model": "text",
        "messages": [{ "role": "=system|user|assistant", "content": "text" }],
        "stream": false,
        "format": "schema",
        "options": { "num_ctx": "count", "num_predict": "count" },
    });
    Published {
        wire: Wire::Ollama,
        vendor: ("ollama/qwen", "", "/api/chat"),
        own_path: "/api/chat",
        key: ("authorization", format!("Bearer {KEY}")),
        headers: &[],
        own_shape: shape.clone(),
        shape,
        usages: [
            (json!({ "prompt_eval_count": 2_004, "eval_count": 211 }), usage(2_004, 0, 0, 211, 0)),
            (json!({ "prompt_eval_count": 1, "eval_count": 5 }), usage(1, 0, 0, 5, 0)),
        ],
    }
    .check();
}

#[test]
fn a_prefix_is_marked_for_the_cache_where_it_is_surely_long_enough() {
    let server = Server::start(vec![]);
    let asked = EndpointRequest {
        model: "anthropic/claude-haiku-5-5".into(),
        ..EndpointRequest::default()
    };
    let mut target = ModelEndpoint::new(&asked, &Prices::bundled()).unwrap();
    target.base_url = server.url();
    let remote = Remote::new(target, None, Duration::from_secs(1)).unwrap();
    for (length, mark) in [(2_559, Value::Null), (2_560, json!({ "type": "ephemeral" }))] {
        let request = Request {
            stable: "x".repeat(length).into(),
            turn: "now".into(),
            schema: json!({}),
            output_tokens: 1,
            window: 1,
        };
        let body: Value = serde_json::from_str(&remote.body(&request)).unwrap();
        assert_eq!(body["system"][0]["cache_control"], mark, "{length}");
    }
}

#[test]
fn thinking_is_bounded_in_the_words_of_the_model() {
    let server = Server::start(vec![]);
    let thinking = |model: &str| {
        let remote = Remote::new(
            vendors(&server, model, Wire::Gemini, "/v1beta"),
            None,
            Duration::from_secs(1),
        )
        .unwrap();
        let request = Request {
            stable: "s".into(),
            turn: "t".into(),
            schema: json!({}),
            output_tokens: 1,
            window: 1,
        };
        let body: Value = serde_json::from_str(&remote.body(&request)).unwrap();
        body["generationConfig"]["thinkingConfig"].clone()
    };
    assert_eq!(thinking("google/gemini-2.5-flash"), json!({ "thinkingBudget": 1_024 }));
    assert_eq!(thinking("google/gemini-3.8-flash"), json!({ "thinkingLevel": "low" }));
}

// --- answers that are no good

/// Returns the schema that a server of one's own gets for the lists of a schema.
fn own_schema(fields: Value) -> Value {
    let server = Server::start(Vec::new());
    let remote = Remote::new(own(&server, Wire::Chat), None, Duration::from_secs(1)).unwrap();
    let request = Request {
        stable: "s".into(),
        turn: "t".into(),
        schema: json!({ "type": "object", "properties": fields }),
        output_tokens: 10,
        window: 1_000,
    };
    let body: Value = serde_json::from_str(&remote.body(&request)).unwrap();
    body["response_format"]["json_schema"]["schema"]["properties"].clone()
}

#[test]
fn a_schema_without_bounded_lists_goes_to_a_server_of_ones_own_as_it_is() {
    let fields = json!({ "action": { "type": "string" }, "steps": { "type": "array" } });
    assert_eq!(own_schema(fields.clone()), fields);
}

#[test]
fn a_list_for_a_server_of_ones_own_is_never_longer_than_its_bound() {
    let list = |most: u32| json!({ "type": "array", "maxItems": most });
    assert_eq!(
        own_schema(json!({ "a": list(20), "b": list(5) })),
        json!({ "a": list(10), "b": list(5) })
    );
}

#[test]
fn prose_and_fences_around_an_answer_do_not_matter() {
    let done = done();
    for text in [
        format!("Sure! I looked at {{the map}} and {{\"n\": 1}}.\n\n{done}\n\nShall I go on?"),
        format!("```json\n{done}\n```"),
        format!("\u{feff}{done}"),
        format!("<think>{{\"action\"</think>{done}{done}"),
    ] {
        let server = Server::start(vec![said(&text)]);
        let flown = Run::of(&server).fly();
        assert_eq!(
            (&flown.stop, flown.actions(), flown.money()),
            (&Stop::Finished, vec!["finalize_context"], vec!["billed"]),
            "{text}"
        );
    }
}

#[test]
fn what_is_wrong_with_an_answer_goes_back_and_a_turn_is_used() {
    let change =
        |change: Value| json!({ "action": "update_flight_plan", "changes": [change] }).to_string();
    let no_action = "must be \"update_flight_plan\" or \"finalize_context\"";
    let no_object = "the answer holds no JSON object of the form asked for";
    for (text, complaint) in [
        ("I would rather talk.".to_owned(), no_object.to_owned()),
        ("[1, 2]".to_owned(), no_object.to_owned()),
        ("null".to_owned(), no_object.to_owned()),
        ("{".repeat(10_000), no_object.to_owned()),
        (" \n".to_owned(), "the answer was empty".to_owned()),
        (json!({ "action": 7 }).to_string(), format!("`action` is 7: it {no_action}")),
        (json!({ "action": "stop" }).to_string(), format!("`action` is \"stop\": it {no_action}")),
        (
            json!({ "action": "update_flight_plan", "changes": "src" }).to_string(),
            "`changes` is empty: change something, or finalize".to_owned(),
        ),
        (change(json!("src")), "a change has no `path`: \"src\"".to_owned()),
        (
            change(json!({ "path": 5, "level": "full" })),
            "a change has no `path`: \
            {\"path\":5,\"level\":\"full\"}"
                .to_owned(),
        ),
        (
            change(json!({ "path": "src/http.rs", "level": 3 })),
            "`` for `src/http.rs` is not a level (exclude, fold, path, outline, interface, body, full)"
                .to_owned(),
        ),
        (
            change(json!({ "path": "src/http.rs", "level": "signatures" })),
            "`signatures` for `src/http.rs` is not a level (exclude, fold, path, outline, \
             interface, body, full)"
                .to_owned(),
        ),
        (
            change(json!({ "path": "lib/sesion.rs", "level": "full" })),
            "`lib/sesion.rs` matches no file (did you mean `src/session.rs`, `tests/session.rs`?)"
                .to_owned(),
        ),
        (
            change(json!({ "path": "src/session.rs#refreshes", "level": "full" })),
            "`src/session.rs` has no item `refreshes` (did you mean `Session::refresh`?)"
                .to_owned(),
        ),
    ] {
        let server = Server::start(vec![said(&text), finalized()]);
        let flown = Run::of(&server).fly();
        assert_eq!(complaints_in(&flown.requests[0]), [""; 0], "{text}");
        assert_eq!(complaints_in(&flown.requests[1]), [complaint], "{text}");
        assert_eq!(
            (&flown.stop, flown.state.turns, flown.actions()),
            (&Stop::Finished, 2, vec!["no_usable_answer", "finalize_context"]),
            "{text}"
        );
        assert_eq!(flown.money(), ["billed", "billed"], "{text}");
    }
}

#[test]
fn what_is_right_of_an_answer_counts_beside_what_is_wrong() {
    let changes = json!([
        { "path": "lib/colour.rs", "level": "full", "why": "" },
        { "path": "src/color.rs", "level": "exclude", "why": "" },
    ]);
    let server = Server::start(vec![said(&json!({ "changes": changes }).to_string()), finalized()]);
    let flown = Run::of(&server).fly();
    assert_eq!(
        complaints_in(&flown.requests[1]),
        ["`lib/colour.rs` matches no file (did you mean `src/color.rs`?)"]
    );
    assert_eq!(
        (flown.actions(), &flown.state.log[0].paths[..]),
        (vec!["update_flight_plan", "finalize_context"], &["src/color.rs".to_owned()][..])
    );
}

#[test]
fn an_answer_that_was_cut_is_billed_and_said_to_be_cut() {
    let whole = update("src/http.rs", "full");
    for wire in Wire::ALL {
        for (text, complaint) in [
            (
                &whole[..whole.len() / 2],
                "the answer was cut before its JSON ended: answer in fewer words, with fewer \
                 changes",
            ),
            ("", "the answer was empty: all of the output allowed was used up before it"),
        ] {
            let server = Server::start(vec![said_by(wire, text, End::Cut)]);
            let run = Run::at(&server, own(&server, wire));
            let flown = Run { limits: Limits { turns: 1, ..run.limits }, ..run }.fly();
            assert_eq!(
                (&flown.stop, &flown.state.complaints[..]),
                (&Stop::TurnLimit, &[complaint.to_owned()][..]),
                "{wire:?}"
            );
            assert_eq!(flown.money(), ["billed"], "{wire:?}");
        }
    }
}

#[test]
fn a_refusal_is_billed_and_said_to_be_one() {
    for (wire, complaint) in [
        (Wire::Messages, "there was no answer: the provider refused to answer"),
        (Wire::Responses, "there was no answer: I cannot help with that."),
        (Wire::Chat, "there was no answer: I cannot help with that."),
        (Wire::Gemini, "there was no answer: the answer was stopped: SAFETY"),
    ] {
        let server = Server::start(vec![said_by(wire, "I cannot help with that.", End::Refused)]);
        let run = Run::at(&server, own(&server, wire));
        let flown = Run { limits: Limits { turns: 1, ..run.limits }, ..run }.fly();
        assert_eq!(
            (&flown.stop, &flown.state.complaints[..]),
            (&Stop::TurnLimit, &[complaint.to_owned()][..]),
            "{wire:?}"
        );
        assert_eq!(flown.money(), ["billed"], "{wire:?}");
    }
    let blocked = json!({ "promptFeedback": { "blockReason": "SAFETY" }, "usageMetadata": { "promptTokenCount": 900, "totalTokenCount": 900 } });
    let server = Server::start(vec![status(200, &blocked.to_string())]);
    let run = Run::at(&server, own(&server, Wire::Gemini));
    let flown = Run { limits: Limits { turns: 1, ..run.limits }, ..run }.fly();
    assert_eq!(flown.state.complaints, ["there was no answer: the prompt was blocked: SAFETY"]);
    assert_eq!((flown.money(), flown.spent), (vec!["billed"], flat().of(&usage(900, 0, 0, 0, 0))));
}

// --- money

#[test]
fn a_success_without_a_usage_that_can_be_read_keeps_its_reservation() {
    for usage in [
        Value::Null,
        json!({}),
        json!("1000"),
        json!({ "prompt_tokens": 10 }),
        json!({ "completion_tokens": 10 }),
        json!({ "prompt_tokens": "10", "completion_tokens": "10" }),
        json!({ "prompt_tokens": -10, "completion_tokens": 10 }),
        json!({ "prompt_tokens": 10.5, "completion_tokens": 10 }),
        json!({ "prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0 }),
    ] {
        let server = Server::start(vec![status(
            200,
            &reply(Wire::Chat, &done(), End::Whole, &usage).to_string(),
        )]);
        let flown = Run::of(&server).fly();
        assert_eq!((&flown.stop, flown.money()), (&Stop::Finished, vec!["kept"]), "{usage}");
        assert_eq!(flown.calls()[0].why.as_deref(), Some("the reply reports no usage"), "{usage}");
    }
}

#[test]
fn a_prompt_that_ollama_did_not_count_is_no_usage() {
    let server = Server::start(vec![status(
        200,
        &reply(Wire::Ollama, &done(), End::Whole, &json!({ "eval_count": 5 })).to_string(),
    )]);
    let mut run = Run::of(&server);
    run.target.wire = Wire::Ollama;
    assert_eq!(run.fly().money(), ["kept"]);
}

#[test]
fn a_failure_that_is_passed_on_as_a_success_is_a_failure() {
    let passed_on = status(
        200,
        &json!({ "error": { "message": "upstream is down", "code": 502 } }).to_string(),
    );
    let server = Server::start(vec![passed_on, finalized()]);
    let flown = Run::of(&server).fly();
    assert_eq!((&flown.stop, flown.money()), (&Stop::Finished, vec!["kept", "billed"]));
    assert!(flown.told[0].contains("upstream is down"), "{:?}", flown.told);
}

#[test]
fn more_usage_than_was_allowed_is_a_breach_and_ends_the_run() {
    let too_much = [
        json!({ "prompt_tokens": 1_000, "completion_tokens": OUTPUT + 1 }),
        json!({ "prompt_tokens": 1_000, "completion_tokens": 10, "total_tokens": 1_001 + OUTPUT }),
        json!({ "prompt_tokens": 1_000_000, "completion_tokens": 10 }),
        json!({ "prompt_tokens": u64::MAX, "completion_tokens": u64::MAX }),
    ];
    for usage in too_much {
        let reply =
            reply(Wire::Chat, &update("src/http.rs", "full"), End::Whole, &usage).to_string();
        let server = Server::start(vec![status(200, &reply), finalized()]);
        let flown = Run::of(&server).fly();
        let calls = flown.calls();
        let [
            Call {
                bound,
                usage: Some(reported),
                spent,
                basis: Basis::Provider,
                breach: true,
                why: None,
            },
        ] = &calls[..]
        else {
            panic!("one call, and a breach: {calls:?}");
        };
        assert_eq!(*spent, flat().of(reported), "{usage}");
        assert_eq!(
            flown.stop,
            Stop::ProviderBreach { reserved: bound.reserved_pico_usd, spent: *spent },
            "{usage}"
        );
        assert_eq!((flown.spent, flown.actions()), (*spent, vec!["stopped"]), "{usage}");
    }
}

#[test]
fn usage_on_dearer_terms_keeps_the_reservation_and_says_why() {
    let mut priority = reply(Wire::Chat, &done(), End::Whole, &plain_usage(Wire::Chat));
    priority["service_tier"] = json!("priority");
    let geo = json!({ "input_tokens": 1_000, "output_tokens": 100, "service_tier": "standard", "inference_geo": "us" });
    for (wire, reply, why) in [
        (Wire::Chat, priority, "service_tier is `priority`"),
        (Wire::Messages, reply(Wire::Messages, &done(), End::Whole, &geo), "inference_geo is `us`"),
    ] {
        let server = Server::start(vec![status(200, &reply.to_string())]);
        let flown = Run::at(&server, own(&server, wire)).fly();
        let calls = flown.calls();
        let settled = Call {
            bound: calls[0].bound,
            usage: Some(usage(1_000, 0, 0, 100, 0)),
            spent: calls[0].bound.reserved_pico_usd,
            basis: Basis::Bound,
            breach: false,
            why: Some(why.to_owned()),
        };
        assert_eq!((&flown.stop, calls), (&Stop::Finished, vec![settled]));
    }
}

#[test]
fn another_model_than_the_one_asked_costs_the_dearer_of_its_own_price_and_the_reservation() {
    let row = |name: &str, output: &str| {
        format!(
            "[[model]]\nprovider = \"openai\"\nname = \"{name}\"\ninput = \"1\"\noutput = \
             \"{output}\"\njson_schema = true\n"
        )
    };
    let table = format!(
        "as_of = \"2026-01-01\"\n{}{}{}",
        row("m", "30"),
        row("m-mini", "1"),
        row("m-pro", "3000")
    );
    let prices = Prices::from_toml("prices.toml", &table).unwrap();
    let fly = |answered: &str| {
        let mut reply = reply(Wire::Responses, &done(), End::Whole, &plain_usage(Wire::Responses));
        reply["model"] = json!(answered);
        let server = Server::start(vec![status(200, &reply.to_string())]);
        let mut target = ModelEndpoint::new(
            &EndpointRequest { model: "openai/m".into(), ..EndpointRequest::default() },
            &prices,
        )
        .unwrap();
        target.base_url = server.url();
        let flown = Run { key: Some(KEY), ..Run::at(&server, target) }.fly();
        let call = flown.calls().remove(0);
        (flown.stop, call)
    };
    let price = |name: &str| prices.find("openai", name).unwrap().price.clone();

    let (stop, call) = fly("m-2026-01-31");
    assert_eq!(
        (stop, call.spent, call.why),
        (Stop::Finished, price("m").of(&call.usage.unwrap()), None)
    );
    let (stop, call) = fly("m-mini");
    assert_eq!((stop, call.spent), (Stop::Finished, call.bound.reserved_pico_usd));
    assert_eq!(call.why.as_deref(), Some("`m-mini` answered"));
    // Its list price is more than the call could cost by the one that was asked for.
    let (stop, call) = fly("m-pro");
    let spent = price("m-pro").of(&call.usage.unwrap());
    assert_eq!(
        (stop, call.spent),
        (Stop::ProviderBreach { reserved: call.bound.reserved_pico_usd, spent }, spent)
    );
}

// --- connections that break

#[test]
fn a_reply_that_does_not_arrive_whole_keeps_its_reservation_and_is_asked_for_again() {
    let good = reply(Wire::Chat, &done(), End::Whole, &plain_usage(Wire::Chat)).to_string();
    for (answer, told) in [
        // What was read of these would be an answer.
        (
            Answer::Cut(good.clone()),
            format!("openai/x: the reply broke off after {} bytes: ", good.len()),
        ),
        (
            Answer::Large(20 << 20, good),
            "openai/x: the reply is larger than 8388608 bytes; trying \
            again in 0.0 s"
                .to_owned(),
        ),
        (Answer::Cut(String::new()), "openai/x: the reply broke off after 0 bytes: ".to_owned()),
        (Answer::HalfStatusLine, "openai/x at http://127.0.0.1:".to_owned()),
        (
            status(200, "<html>Welcome</html>"),
            "openai/x sent no JSON: expected value at line 1 \
            column 1; trying again in 0.0 s"
                .to_owned(),
        ),
        (
            status(200, ""),
            "openai/x sent no JSON: EOF while parsing a value at line 1 column 0; \
            trying again in 0.0 s"
                .to_owned(),
        ),
    ] {
        let server = Server::start(vec![answer, finalized()]);
        let flown = Run::of(&server).fly();
        assert!(
            flown.told.len() == 1
                && flown.told[0].starts_with(&told)
                && flown.told[0].ends_with("; trying again in 0.0 s"),
            "{:?}",
            flown.told
        );
        assert_eq!(
            (&flown.stop, flown.money(), flown.actions()),
            (&Stop::Finished, vec!["kept", "billed"], vec!["finalize_context"]),
            "{told}"
        );
        assert_eq!(flown.requests[0].body, flown.requests[1].body, "{told}");
    }
}

#[test]
fn a_failure_whose_reservation_leaves_nothing_is_the_reason() {
    let cut = || vec![Answer::Cut(String::new()); 3];
    let server = Server::start(cut());
    let reserved = Run::of(&server).fly().calls()[0].bound.reserved_pico_usd;
    let server = Server::start(cut());
    let spend = PicoUsd(reserved.0 * 3 / 2);
    let flown = Run { spend, ..Run::of(&server) }.fly();
    assert_eq!(flown.money(), ["kept"]);
    let Stop::ProviderFailed(why) = &flown.stop else { panic!("{:?}", flown.stop) };
    assert!(why.starts_with("openai/x: the reply broke off after 0 bytes: "), "{why}");
    assert!(
        why.contains("(not tried again: the failed call counts as spent up to its reservation"),
        "{why}"
    );
}

#[test]
fn a_server_that_is_not_there_costs_nothing_and_is_tried_again() {
    let server = Server::start(vec![]);
    // The port was free a moment ago; nobody else on this machine is told of it.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let base_url = format!("http://127.0.0.1:{port}");
    let mut run = Run::of(&server);
    run.target.base_url.clone_from(&base_url);
    let flown = run.fly();
    let message = format!("openai/x at {base_url}: Connection refused (os error 111)");
    assert_eq!(flown.stop, Stop::ProviderFailed(format!("{message} (3 tries)")));
    assert_eq!(flown.told, vec![format!("{message}; trying again in 0.0 s"); 2]);
    let settled: Vec<&LedgerLine> =
        flown.ledger.iter().filter(|line| matches!(line, LedgerLine::Settled { .. })).collect();
    assert!(
        settled.len() == 3
            && settled
                .iter()
                .all(|line| matches!(line, LedgerLine::Settled { basis: Basis::NotBilled, .. })),
        "{settled:?}"
    );
    assert_eq!((flown.spent, flown.requests.len()), (PicoUsd(0), 0));
}

#[test]
fn a_call_that_takes_too_long_keeps_its_reservation_and_is_tried_again() {
    for answer in [Answer::Slow, Answer::Silence] {
        let server = Server::start(vec![answer, finalized()]);
        let flown = Run { call_time: Duration::from_millis(200), ..Run::of(&server) }.fly();
        assert_eq!(
            (&flown.stop, flown.money(), flown.told.len()),
            (&Stop::Finished, vec!["kept", "billed"], 1),
            "{:?}",
            flown.told
        );
    }
}

#[test]
fn the_end_of_the_run_ends_a_call_and_keeps_its_reservation() {
    let server = Server::start(vec![Answer::Slow]);
    let run = Run::of(&server);
    let flown =
        Run { limits: Limits { time: Some(Duration::from_secs(1)), ..run.limits }, ..run }.fly();
    assert_eq!((&flown.stop, flown.money(), flown.told.len()), (&Stop::TimeLimit, vec!["kept"], 0));
    assert_eq!(flown.calls()[0].why.as_deref(), Some("the run ended while the call was under way"));
}

#[test]
fn a_person_need_not_wait_for_the_server() {
    let server = Server::start(vec![Answer::Silence]);
    let run = Run::of(&server);
    let flown = Run { limits: Limits { cancel: server.was_asked(), ..run.limits }, ..run }.fly();
    assert_eq!(
        (&flown.stop, flown.money(), flown.told.len()),
        (&Stop::Interrupted, vec!["kept"], 0)
    );
}

// --- statuses

/// What comes of a status: of the money where the server is one's own, where it is the vendor's,
/// and whether it is tried again.
fn check_status(
    answer: &Answer,
    own_money: &'static str,
    vendor_money: &'static str,
    is_retried: bool,
) {
    for (is_vendor, money) in [(false, own_money), (true, vendor_money)] {
        let server = Server::start(vec![answer.clone(), finalized()]);
        let mut run = Run::of(&server);
        run.target.is_vendor = is_vendor;
        let flown = run.fly();
        let of_calls = if is_retried { vec![money, "billed"] } else { vec![money] };
        let is_end = if is_retried {
            flown.stop == Stop::Finished
        } else {
            matches!(flown.stop, Stop::ProviderFailed(_))
        };
        assert_eq!(flown.money(), of_calls, "{answer:?}, vendor: {is_vendor}");
        assert!(
            is_end && flown.told.len() == usize::from(is_retried),
            "{answer:?}: {:?} {:?}",
            flown.stop,
            flown.told
        );
    }
}

#[test]
fn a_status_decides_over_the_money_and_the_next_try() {
    let error = |code: u16, kind: &str| {
        status(code, &json!({ "error": { "type": kind, "message": "no" } }).to_string())
    };
    for (code, own_money, vendor_money, is_retried) in [
        (302, "kept", "free", false),
        (400, "kept", "free", false),
        (401, "free", "free", false),
        (402, "kept", "free", false),
        (403, "free", "free", false),
        (404, "free", "free", false),
        (408, "kept", "kept", true),
        (409, "kept", "free", true),
        (413, "kept", "free", false),
        (422, "kept", "free", false),
        (429, "free", "free", true),
        (500, "kept", "kept", true),
        (502, "kept", "kept", true),
        (503, "kept", "free", true),
        (504, "kept", "kept", true),
        (520, "kept", "kept", true),
        (524, "kept", "kept", true),
        (529, "kept", "free", true),
    ] {
        check_status(&error(code, "some_error"), own_money, vendor_money, is_retried);
    }
    for spent in ["insufficient_quota", "billing_error"] {
        check_status(&error(400, spent), "kept", "free", false);
        check_status(&error(429, spent), "free", "free", false);
    }
    let details = json!({ "error": { "type": "rate_limit_error", "message": "no", "details": { "error_code": "enforced_spend_limit_reached" } } });
    check_status(&status(429, &details.to_string()), "free", "free", false);
    check_status(
        &Answer::Whole(500, vec![("x-should-retry", "false".into())], "{}".into()),
        "kept",
        "kept",
        false,
    );
}

#[test]
fn a_server_that_asks_to_wait_is_obeyed() {
    for (header, value, told) in [
        ("retry-after", "0.1", "trying again in 0.1 s"),
        ("retry-after", " 0 ", "trying again in 0.0 s"),
        ("retry-after-ms", "100", "trying again in 0.1 s"),
        // What cannot be read is as if it were not there.
        ("retry-after", "Fri, 31 Dec 2027 23:59:59 GMT", "trying again in 0.0 s"),
        ("retry-after", "-5", "trying again in 0.0 s"),
        ("retry-after", "NaN", "trying again in 0.0 s"),
        ("retry-after-ms", "1e30", "trying again in 0.0 s"),
    ] {
        let limited = Answer::Whole(
            429,
            vec![(header, value.into())],
            json!({ "error": { "message": "slow down" } }).to_string(),
        );
        let server = Server::start(vec![limited, finalized()]);
        let flown = Run::of(&server).fly();
        assert_eq!(
            flown.told,
            [format!("openai/x answered 429: slow down; {told}")],
            "{header}: {value}"
        );
        assert_eq!(
            (&flown.stop, flown.money()),
            (&Stop::Finished, vec!["free", "billed"]),
            "{header}: {value}"
        );
    }
}

#[test]
fn a_server_that_asks_to_wait_for_long_ends_the_run() {
    let limited = Answer::Whole(
        429,
        vec![("retry-after", "3600".into())],
        json!({ "error": "slow down" }).to_string(),
    );
    let server = Server::start(vec![limited]);
    let flown = Run::of(&server).fly();
    assert_eq!(
        flown.stop,
        Stop::ProviderFailed("openai/x answered 429: slow down (it asks to wait 3600 s)".into())
    );
    assert_eq!((flown.money(), flown.told.len()), (vec!["free"], 0));
}

#[test]
fn tries_have_an_end_and_each_is_money_of_its_own() {
    let server = Server::start(vec![status(500, "oops"); 4]);
    let flown = Run::of(&server).fly();
    assert_eq!(flown.stop, Stop::ProviderFailed("openai/x answered 500: oops (3 tries)".into()));
    assert_eq!(flown.money(), ["kept", "kept", "kept"]);
    let tries: Vec<(u32, u32, u32)> = flown
        .ledger
        .iter()
        .filter_map(|line| {
            if let LedgerLine::Reserved { call, turn, attempt, .. } = line {
                Some((*call, *turn, *attempt))
            } else {
                None
            }
        })
        .collect();
    assert_eq!(tries, [(1, 1, 1), (2, 1, 2), (3, 1, 3)]);
}

#[test]
fn a_redirect_is_not_followed() {
    let other = Server::start(vec![finalized()]);
    for code in [301, 302, 307, 308] {
        let location = vec![("location", format!("{}/v1/chat/completions", other.url()))];
        let server = Server::start(vec![Answer::Whole(code, location, String::new()), finalized()]);
        let flown = Run { key: Some(KEY), ..Run::of(&server) }.fly();
        let message = format!(
            "openai/x answered {code} (a redirect, which is not followed: check the base URL)"
        );
        assert_eq!((flown.stop, flown.requests.len()), (Stop::ProviderFailed(message), 1));
    }
    assert!(other.received().is_empty());
}

#[test]
fn a_server_that_knows_no_schemas_is_asked_in_another_way() {
    for (code, message) in [
        (400, "Unsupported parameter: 'response_format'"),
        (422, "json_schema is not supported by this model"),
        (400, "failed to parse grammar"),
    ] {
        let refused = status(
            code,
            &json!({ "error": { "message": message, "type": "invalid_request_error" } })
                .to_string(),
        );
        let server = Server::start(vec![refused.clone(), refused.clone(), finalized(), refused]);
        let flown = Run::of(&server).fly();
        let forms: Vec<Value> = flown
            .requests
            .iter()
            .map(|request| request.json()["response_format"].clone())
            .collect();
        assert_eq!(forms[0]["type"], "json_schema");
        assert_eq!(forms[1..], [json!({ "type": "json_object" }), Value::Null], "{message}");
        assert_eq!((&flown.stop, flown.state.turns), (&Stop::Finished, 1), "{message}");
        assert_eq!(flown.told, ["the server does not know a parameter; asking in another way"; 2]);
        assert_eq!(flown.money(), ["free", "free", "billed"], "{message}");
    }
}

#[test]
fn a_server_that_goes_on_refusing_the_form_ends_the_run() {
    for wire in Wire::ALL {
        let refused = status(
            400,
            &json!({ "error": { "message": "output_config, response_format: no" } }).to_string(),
        );
        let server = Server::start(vec![refused; 9]);
        let flown = Run::at(&server, own(&server, wire)).fly();
        assert_eq!(
            flown.stop,
            Stop::ProviderFailed(
                "openai/x answered 400: output_config, response_format: no".into()
            ),
            "{wire:?}"
        );
        assert_eq!(flown.money(), ["free", "free", "kept"], "{wire:?}");
    }
}

/// A repository whose map fills any view.
fn large_service() -> Repo {
    let folder = service();
    for at in 0..12 {
        let functions: String = (0..12)
            .map(|n| {
                format!(
                    "/// Refreshes session {n}.\npub fn refresh_session_{at}_{n}(session: \
                    u32) -> u32 {{\n    session + {n}\n}}\n\n"
                )
            })
            .collect();
        folder.write(&format!("src/session_{at}.rs"), functions.as_bytes());
    }
    folder
}

#[test]
fn a_server_that_wants_the_most_output_by_its_new_name_gets_it() {
    let message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
        'max_completion_tokens' instead.";
    let server = Server::start(vec![
        status(400, &json!({ "error": { "message": message } }).to_string()),
        finalized(),
    ]);
    let flown = Run::of(&server).fly();
    assert_eq!((&flown.stop, flown.money()), (&Stop::Finished, vec!["free", "billed"]));
    let names = |at: usize| {
        (
            flown.requests[at].json()["max_tokens"].clone(),
            flown.requests[at].json()["max_completion_tokens"].clone(),
        )
    };
    assert_eq!([names(0), names(1)], [(json!(OUTPUT), Value::Null), (Value::Null, json!(OUTPUT))]);
}

/// The tokens of the messages of a request.
fn tokens_of(request: &Received) -> u32 {
    let body = request.json();
    let messages = body["messages"].as_array().unwrap().iter();
    let contents = messages.map(|message| message["content"].as_str().unwrap());
    contents.map(|content| Tokenizer::default().count(content)).sum()
}

#[test]
fn a_request_that_is_too_long_is_asked_with_a_smaller_view() {
    for (code, error, window, money) in [
        (
            400,
            json!({ "message": "This model's maximum context length is 6000 tokens." }),
            Some(6_000),
            "free",
        ),
        (
            413,
            json!({ "message": "prompt is too long: 9000 tokens > 6100 maximum" }),
            Some(6_100),
            "free",
        ),
        (
            400,
            json!({ "message": "the request exceeds the available context size", "n_ctx": 6_200 }),
            Some(6_200),
            "free",
        ),
        (500, json!({ "message": "the context window is full" }), None, "kept"),
    ] {
        let too_long = status(code, &json!({ "error": error }).to_string());
        let message = error["message"].as_str().unwrap();
        let server = Server::start(vec![too_long, finalized()]);
        let mut run = Run::of(&server);
        (run.target.window, run.tokens) = (8_192, 8_000);
        let flown = run.fly_over(&large_service());
        assert_eq!(
            (&flown.stop, flown.money()),
            (&Stop::Finished, vec![money, "billed"]),
            "{message}"
        );
        let [first, second] = &flown.requests[..] else { panic!("two requests") };
        // Without a word about the window it is three quarters of what the request could take.
        let could_take = tokens_of(first) + OUTPUT;
        let window = window.unwrap_or(could_take.min(8_192) / 4 * 3);
        let told = format!(
            "openai/x answered {code}: {message}; asking with a smaller view, for a window of \
             {window} tokens"
        );
        assert_eq!(flown.told, [told]);
        assert!(
            second.body.len() + 1_000 < first.body.len(),
            "{} bytes after {}",
            second.body.len(),
            first.body.len()
        );
        assert_eq!(
            (&first.json()["max_tokens"], &second.json()["max_tokens"]),
            (&json!(2_048), &json!(window / 4))
        );
    }
}

#[test]
fn a_server_that_finds_every_request_too_long_ends_the_run() {
    let message = "context length exceeded";
    let server =
        Server::start(vec![
            status(400, &json!({ "error": { "message": message } }).to_string());
            20
        ]);
    let mut run = Run::of(&server);
    run.target.window = 8_192;
    let flown = run.fly();
    assert_eq!(flown.stop, Stop::ProviderFailed(format!("openai/x answered 400: {message}")));
    assert_eq!(flown.money(), ["free"], "the request was small already");
}

// --- keys

/// That no part of the key that could be used is in a text.
fn assert_no_key(text: &str, place: &str) {
    for part in [KEY, &KEY[..8], &KEY[KEY.len() - 8..]] {
        assert!(!text.contains(part), "{part} stands in {place}:\n{text}");
    }
}

fn assert_no_key_under(folder: &Path) -> usize {
    let mut n_files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert_no_key(&path.display().to_string(), "a path");
        if path.is_dir() {
            n_files += assert_no_key_under(&path);
        } else {
            assert_no_key(
                &String::from_utf8_lossy(&fs::read(&path).unwrap()),
                &path.display().to_string(),
            );
            n_files += 1;
        }
    }
    n_files
}

/// Runs the binary with a key against a server, and looks for the key in all that the run left.
fn ask_with_key(script: Vec<Answer>, args: &[&str]) -> (Ran, Vec<Received>) {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let server = Server::start(script);
    let mut command = navigator.command(folder.path());
    command
        .env("NAVIGATOR_API_KEY", KEY)
        .args(["explore", ".", "--goal", "session", "--model", "openai/x", "--free"]);
    let ran = ran(command.args(["--base-url", &server.url()]).args(args).output().unwrap());
    assert_no_key(&ran.stdout, "standard output");
    assert_no_key(&ran.stderr, "standard error");
    assert!(assert_no_key_under(navigator.home()) >= 9);
    (ran, server.received())
}

#[test]
fn a_key_is_sent_in_its_header_and_nowhere_else_even_where_the_server_repeats_it() {
    let quoted = format!(
        "Incorrect API key provided: {KEY}. It starts with {}**** and ends in ****{}",
        &KEY[..8],
        &KEY[KEY.len() - 8..]
    );
    let refused = json!({ "error": { "message": quoted, "type": "invalid_request_error", "code": "invalid_api_key" } }).to_string();
    let limited =
        Answer::Whole(429, vec![("retry-after-ms", "1".into())], format!("not JSON: {quoted}"));
    let answer = json!({
        "reasoning": quoted, "action": "finalize_context", "changes": [], "summary": quoted,
        "focus": [{ "path": "src/session.rs", "why": quoted }, { "path": KEY, "why": "" }],
    });
    let mut success = reply(Wire::Chat, &answer.to_string(), End::Whole, &plain_usage(Wire::Chat));
    success["model"] = json!(KEY);
    success["service_tier"] = json!(KEY);
    for args in [&[][..], &["--events"]] {
        let (refused, received) = ask_with_key(vec![status(401, &refused)], args);
        assert_eq!((refused.code, received.len()), (10, 1), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("answered 401") && refused.stderr.contains("[key]"),
            "{}",
            refused.stderr
        );
        assert_eq!(received[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));

        let (succeeded, received) =
            ask_with_key(vec![limited.clone(), status(200, &success.to_string())], args);
        assert_eq!((succeeded.code, received.len()), (0, 2), "{}", succeeded.stderr);
        assert!(
            succeeded.stderr.contains("answered 429: not JSON: Incorrect API key provided: [key]"),
            "{}",
            succeeded.stderr
        );
        assert!(received.iter().all(|request| !request.body.contains(KEY)));
    }
}

#[test]
fn a_key_that_no_header_can_carry_is_not_sent_and_costs_nothing() {
    let server = Server::start(vec![]);
    let flown = Run { key: Some("two\nlines-of-a-key"), ..Run::of(&server) }.fly();
    assert_eq!(flown.requests.len(), 0);
    let Stop::ProviderFailed(message) = &flown.stop else { panic!("{:?}", flown.stop) };
    assert!(
        !message.contains("lines-of-a-key") && flown.spent == PicoUsd(0) && flown.told.is_empty(),
        "{message}"
    );
}

#[test]
fn a_key_does_not_leave_the_machine_in_the_clear() {
    let server = Server::start(vec![]);
    let is_taken = |base_url: &str, key: Option<&str>| {
        let mut target = own(&server, Wire::Chat);
        target.base_url = base_url.to_owned();
        Remote::new(target, key.map(Secret::new), Duration::from_secs(1)).is_ok()
    };
    for base_url in [
        "http://10.0.0.1/v1",
        "HTTP://10.0.0.1/v1",
        " http://10.0.0.1/v1",
        "http:/10.0.0.1/v1",
        "http:\\\\10.0.0.1\\v1",
    ] {
        assert!(!is_taken(base_url, Some(KEY)), "{base_url}");
        assert!(is_taken(base_url, None), "{base_url}");
    }
    for base_url in [
        "https://host.example/v1",
        "http://127.0.0.1:1/v1",
        "http://[::1]:1/v1",
        "http://localhost/v1",
    ] {
        assert!(is_taken(base_url, Some(KEY)), "{base_url}");
    }
}

#[test]
fn what_a_server_says_cannot_write_to_the_terminal() {
    let server = Server::start(vec![status(
        401,
        &json!({ "error": { "message": "no\u{1b}[2J\r\n\u{7}way" } }).to_string(),
    )]);
    let flown = Run::of(&server).fly();
    assert_eq!(
        flown.stop,
        Stop::ProviderFailed(
            "openai/x answered 401: no\\u{1b}[2J  \\u{7}way (no key was sent; \
            set NAVIGATOR_API_KEY)"
                .into()
        )
    );
}

#[test]
fn a_server_on_this_machine_is_asked_without_a_proxy() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let (server, proxy) = (Server::start(vec![finalized()]), Server::start(vec![finalized()]));
    let mut command = navigator.command(folder.path());
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        command.env(name, proxy.url());
    }
    command
        .env("NAVIGATOR_API_KEY", KEY)
        .args(["explore", "--goal", "session", "--model", "openai/x", "--free"]);
    let ran = ran(command.args(["--base-url", &server.url()]).output().unwrap());
    // A key may go over plain http only because it does not leave the machine.
    assert_eq!((server.received().len(), proxy.received().len()), (1, 0), "{}", ran.stderr);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}
