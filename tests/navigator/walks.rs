//! Walks: pages one at a time, steps that are reserved and never repeated, answers that stand in
//! extracts.

use std::path::Path;

use navigator::walk::action::WalkAction;
use navigator::walk::extract::extract_of;
use navigator::walk::pilot::asked::ModelWalker;
use navigator::walk::pilot::offline::OfflineWalker;
use navigator::walk::pilot::view::view;
use navigator::walk::pilot::{WalkDecision, WalkPilot, WalkTurn};
use navigator::walk::report::WalkReport;
use navigator::walk::session::EffectAnswer;
use navigator::walk::state::WalkState;
use navigator::walk::steps::limits::WalkLimits;
use navigator::walk::steps::observer::WalkObserver;
use navigator::walk::steps::{Walked, walk};
use navigator::{
    Effect, EffectLedger, Ledger, ModelLimits, PicoUsd, Price, Projection, SitePages, SiteSession,
    Spend, Stop,
};
use serde_json::{Value, json};
use test_support::{Repo, repo};

use crate::page_server::{PageServer, page, status};
use crate::scripted_model::Scripted;

pub(crate) const GOAL: &str = "coolant capacity of the 2012 Averon";

/// A manual with a tree of folders inside one page, whose list items are not closed.
pub(crate) const MANUAL: &str = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1>
<ul><li><a href='2011.html'>2011 Averon</a><li><a href='2012.html'>2012 Averon</a>
<li><a href='http://elsewhere.example/'>Elsewhere</a></ul>
=== 2011.html
<!doctype html><title>2011 Averon</title><h1>2011 Averon</h1><ul>
<li class=li-folder><a name='Cooling/'>Cooling</a><ul><li><a href='c11.html'>Capacity</a></ul></ul>
=== 2012.html
<!doctype html><title>2012 Averon</title><h1>2012 Averon</h1><ul>
<li class=li-folder><a name='Brakes/'>Brakes</a><ul><li><a href='b12.html'>Capacity</a></ul>
<li class=li-folder><a name='Cooling/'>Cooling</a><ul><li><a href='c12.html'>Capacity</a></ul></ul>
=== c11.html
<!doctype html><title>Capacity</title><h1>Capacity</h1><p>Coolant of the 2011 Averon: 7.1 L
=== c12.html
<!doctype html><title>Capacity</title><h1>Capacity</h1><p>Coolant of the 2012 Averon: 9.5 L
=== b12.html
<!doctype html><title>Capacity</title><h1>Capacity</h1><p>Brake fluid: 0.8 L
";

pub(crate) fn manual() -> Repo {
    repo(MANUAL)
}

pub(crate) fn session(manual: &Path) -> SiteSession {
    SiteSession::new(SitePages::folder(manual), "file:///index.html").unwrap()
}

/// Takes actions from a list.
pub(crate) struct Listed(pub(crate) Vec<WalkAction>);

impl WalkPilot for Listed {
    fn name(&self) -> &str {
        "test/listed"
    }

    fn purse(&self) -> Spend {
        Spend::default()
    }

    fn prepare(&mut self, _turn: &WalkTurn<'_>) -> Result<Projection, Stop> {
        Ok(Projection::default())
    }

    fn decide(&mut self, _turn: &WalkTurn<'_>) -> Result<WalkDecision, Stop> {
        if self.0.is_empty() {
            return Err(Stop::StoppedByPerson);
        }
        Ok(WalkDecision { actions: vec![self.0.remove(0)], ..WalkDecision::default() })
    }
}

/// Keeps complaints, and answers questions about effects with a fixed word.
#[derive(Default)]
struct Heard {
    complaints: Vec<String>,
    asked: Vec<Effect>,
    allows: bool,
}

impl WalkObserver for Heard {
    fn complaint(&mut self, complaint: &str) {
        self.complaints.push(complaint.to_owned());
    }

    fn approve(&mut self, _step: &str, effect: &Effect) -> EffectAnswer {
        self.asked.push(effect.clone());
        if self.allows { EffectAnswer::Yes } else { EffectAnswer::No }
    }
}

fn walked(pilot: &mut dyn WalkPilot, limits: &WalkLimits, heard: &mut Heard) -> Walked {
    let manual = manual();
    let state = WalkState::first();
    let mut session = session(manual.path());
    walk(&mut session, GOAL, state, pilot, limits, EffectLedger::default(), heard).unwrap()
}

pub(crate) fn click(number: usize) -> WalkAction {
    WalkAction::Click { number, label: String::new() }
}

pub(crate) fn results(walked: &Walked) -> Vec<&str> {
    walked.state.path.iter().map(|step| step.result.as_str()).collect()
}

#[test]
fn without_a_model_the_right_one_of_two_twins_is_found() {
    let walked =
        walked(&mut OfflineWalker::default(), &WalkLimits::default(), &mut Heard::default());
    let report = WalkReport::of(&walked, GOAL);
    assert_eq!((walked.stop, report.steps_taken), (Stop::Finished, 3));
    assert!(report.content.contains("9.5 L"), "{}", report.content);
    assert_eq!(report.url, "file:///c12.html");
    assert_eq!(report.confidence, 1.0);
}

#[test]
fn a_folder_opens_in_place_and_back_leaves_it_first() {
    let mut heard = Heard::default();
    let steps = vec![click(2), click(2), WalkAction::Back, WalkAction::Back, WalkAction::Back];
    let walked = walked(&mut Listed(steps), &WalkLimits::default(), &mut heard);
    assert_eq!(
        results(&walked),
        [
            "page '2012 Averon', which only leads on",
            "opened the folder 'Cooling'",
            "left the folder 'Cooling'",
            "back on 'Manual'",
            "this is the first page",
        ]
    );
    assert_eq!(walked.state.path[1].address, "file:///2012.html");
}

#[test]
fn a_step_that_was_taken_on_the_same_page_is_refused() {
    let mut heard = Heard::default();
    let again = vec![click(1), WalkAction::Back, click(1), click(1), click(1)];
    let walked = walked(&mut Listed(again), &WalkLimits::default(), &mut heard);
    assert_eq!(walked.state.n_steps(), 2);
    assert!(matches!(walked.stop, Stop::UnusableAnswers(_)), "{:?}", walked.stop);
    assert!(
        heard.complaints[0].contains("was done on this page before"),
        "{heard:?}",
        heard = heard.complaints
    );
}

#[test]
fn an_answer_stands_in_an_extract_or_is_refused() {
    let finish = |answer: &str, citations: &[&str]| WalkAction::Finish {
        answer: answer.to_owned(),
        citations: citations.iter().map(|words| (*words).to_owned()).collect(),
    };
    let mut heard = Heard::default();
    let steps = vec![
        click(2),
        finish("9.5 L", &[]),
        click(4),
        finish("9.5 L", &[]),
        WalkAction::Extract { sections: Vec::new() },
        finish("It holds 7.1 L", &["7.1 L"]),
        finish("It holds 9.5 L", &["averon:  9.5 L"]),
    ];
    let walked = walked(&mut Listed(steps), &WalkLimits::default(), &mut heard);
    assert_eq!(walked.stop, Stop::Finished, "{:?}", heard.complaints);
    assert_eq!(heard.complaints.len(), 3);
    assert!(heard.complaints[2].starts_with("`7.1 L` stands in no extract"));
    let report = WalkReport::of(&walked, GOAL);
    assert_eq!(report.answer.as_deref(), Some("It holds 9.5 L"));
    assert_eq!(report.content, "# Capacity\n\nCoolant of the 2012 Averon: 9.5 L");
}

#[test]
fn another_host_is_read_only_with_a_yes() {
    let server = PageServer::start(|path| match path {
        "/" => page(
            "<h1>Start</h1><a href='http://localhost:1/'>Elsewhere</a>
             <a href='http://127.0.0.1:1/'>Another port</a>",
        ),
        _ => status(404),
    });
    let folder = repo("");
    let walk_to = |allows: bool| {
        let recording = folder.path().join(format!("{allows}.warc.gz"));
        let recording = site_map::source::recording::RecordingWriter::create(&recording).unwrap();
        let options = site_map::source::http::options::FetchOptions {
            delay: std::time::Duration::ZERO,
            retries: 0,
            ..site_map::source::http::options::FetchOptions::of(&server.url("/"))
        };
        let pages = SitePages::live(options, recording).unwrap();
        let mut session = SiteSession::new(pages, server.url("/").as_str()).unwrap();
        let mut heard = Heard { allows, ..Heard::default() };
        let state = WalkState::first();
        let limits = WalkLimits::default();
        let mut pilot = Listed(vec![click(1), click(2)]);
        let effects = EffectLedger::default();
        let walked =
            walk(&mut session, GOAL, state, &mut pilot, &limits, effects, &mut heard).unwrap();
        let reads = |host: &str| Effect::Reads { host: host.to_owned() };
        assert_eq!(heard.asked, [reads("localhost:1"), reads("127.0.0.1:1")]);
        (results(&walked).join(""), heard.complaints.join(""))
    };
    let (steps, complaint) = walk_to(false);
    assert_eq!(steps, "");
    assert!(complaint.contains("reads from `localhost:1`"), "{complaint}");
    assert!(complaint.contains("reads from `127.0.0.1:1`"), "{complaint}");
    // A yes does not open private networks.
    let (steps, _) = walk_to(true);
    assert!(steps.contains("private"), "{steps}");
}

/// A session on a server, which keeps its answers in a folder.
pub(crate) fn live_session(start: &url::Url, folder: &Repo) -> SiteSession {
    let recording = folder.path().join("r.warc.gz");
    let recording = site_map::source::recording::RecordingWriter::create(&recording).unwrap();
    let options = site_map::source::http::options::FetchOptions {
        delay: std::time::Duration::ZERO,
        ..site_map::source::http::options::FetchOptions::of(start)
    };
    let pages = SitePages::live(options, recording).unwrap();
    SiteSession::new(pages, start.as_str()).unwrap()
}

#[test]
fn the_offline_pilot_leaves_a_host_that_was_refused_and_goes_on() {
    let mut heard = Heard::default();
    let server = PageServer::start(|path| match path {
        "/" => page(
            "<h1>Manual</h1><a href='http://localhost:1/'>Coolant capacity of the 2012 Averon</a>
             <a href='http://localhost:1/b'>Coolant capacity of the Averon</a>
             <a href=c.html>Coolant</a>",
        ),
        "/c.html" => page("<h1>Coolant</h1><p>The capacity of the 2012 Averon is 9.5 L."),
        _ => status(404),
    });
    let folder = repo("");
    let mut session = live_session(&server.url("/"), &folder);
    let (state, limits) = (WalkState::first(), WalkLimits::default());
    let (mut pilot, effects) = (OfflineWalker::default(), EffectLedger::default());
    let walked = walk(&mut session, GOAL, state, &mut pilot, &limits, effects, &mut heard).unwrap();
    assert_eq!(walked.stop, Stop::Finished);
    assert_eq!(heard.asked, [Effect::Reads { host: "localhost:1".to_owned() }], "once");
    assert!(walked.state.extracts[0].text.contains("9.5 L"));
}

#[test]
fn a_walk_that_only_wants_what_is_refused_says_so() {
    let mut heard = Heard::default();
    let server = PageServer::start(|path| match path {
        "/" => page("<h1>Start</h1><a href='http://localhost:1/'>Elsewhere</a>"),
        _ => status(404),
    });
    let folder = repo("");
    let mut session = live_session(&server.url("/"), &folder);
    let mut pilot = Listed(vec![click(1), click(1), click(1)]);
    let (state, limits) = (WalkState::first(), WalkLimits::default());
    let effects = EffectLedger::default();
    let walked = walk(&mut session, GOAL, state, &mut pilot, &limits, effects, &mut heard).unwrap();
    assert!(matches!(walked.stop, Stop::EffectRefused(_)), "{:?}", walked.stop);
}

#[test]
fn links_to_other_hosts_that_were_only_tried_do_not_end_a_walk() {
    let mut heard = Heard::default();
    let links = ["a", "b", "c", "d"].map(|host| {
        format!("<a href='http://{host}.example/'>Coolant capacity of the 2012 Averon</a>")
    });
    let start = format!(
        "<h1>Start</h1><p>Cars.</p>{}<a href='http://e.example/'>Tyres</a>
         <a href=c.html>Colours</a>",
        links.concat()
    );
    let server = PageServer::start(move |path| match path {
        "/" => page(&start),
        "/c.html" => page("<h1>Colours</h1><p>It comes in red."),
        _ => status(404),
    });
    let folder = repo("");
    let mut session = live_session(&server.url("/"), &folder);
    let (state, limits) = (WalkState::first(), WalkLimits::default());
    let (mut pilot, effects) = (OfflineWalker::default(), EffectLedger::default());
    let walked = walk(&mut session, GOAL, state, &mut pilot, &limits, effects, &mut heard).unwrap();
    let why = "no page that was seen has words of the goal in its text";
    assert_eq!(walked.stop, Stop::GivenUp(why.into()));
    assert_eq!((walked.stop.exit() as u8, heard.asked.len()), (4, 4));
    // A host that the goal names is wanted.
    let folder = repo("");
    let mut session = live_session(&server.url("/"), &folder);
    let (state, effects) = (WalkState::first(), EffectLedger::default());
    let goal = "coolant capacity at a.example";
    let walked = walk(&mut session, goal, state, &mut pilot, &limits, effects, &mut heard).unwrap();
    assert_eq!(walked.stop.exit() as u8, 12);
}

#[test]
fn the_limit_of_steps_is_held_and_what_was_taken_is_delivered() {
    let mut heard = Heard::default();
    let limits = WalkLimits { steps: 3, ..WalkLimits::default() };
    let all = WalkAction::Extract { sections: Vec::new() };
    let steps = vec![click(2), click(4), all, WalkAction::Back, WalkAction::Back];
    let walked = walked(&mut Listed(steps), &limits, &mut heard);
    assert_eq!((walked.stop.as_str(), walked.state.n_steps()), ("step_limit", 3));
    let report = WalkReport::of(&walked, GOAL);
    assert!(!report.success && report.content.contains("9.5 L"));
    assert!(report.error.contains("stopped at the step limit"), "{}", report.error);
}

fn asked(answers: Vec<Value>) -> (Walked, Vec<navigator::Request>, Vec<String>) {
    let model = Scripted { answers, asked: Default::default() };
    let requests = model.asked.clone();
    let mut journal: Vec<String> = Vec::new();
    let ledger = Ledger::new(PicoUsd::DEFAULT_LIMIT, Price::default(), &[], &mut journal);
    let mut pilot =
        ModelWalker::new(Box::new(model), ledger, ModelLimits::default(), Box::new(|_| {}));
    let mut heard = Heard::default();
    let walked = walked(&mut pilot, &WalkLimits::default(), &mut heard);
    drop(pilot);
    let requests = requests.lock().unwrap().clone();
    (walked, requests, heard.complaints)
}

#[test]
fn a_model_sees_the_page_and_the_path_and_never_an_earlier_page() {
    let (walked, requests, complaints) = asked(vec![
        json!({ "reasoning": "the year", "action": "click", "target": "2012 averon" }),
        json!({ "reasoning": "the folder", "action": "click", "target": 4 }),
        json!({ "reasoning": "here", "action": "extract", "sections": [1], "answer": "9.5 L" }),
    ]);
    assert_eq!(walked.stop, Stop::Finished, "{complaints:?}");
    assert_eq!(walked.state.n_steps(), 3);
    let last = requests.last().unwrap().turn.to_string();
    assert!(last.contains("2. click 4 'Capacity' → page 'Capacity'"), "{last}");
    assert!(last.contains("Coolant of the 2012 Averon: 9.5 L"), "{last}");
    assert!(!last.contains("2011"), "the first page is not seen any more: {last}");
    let second = requests[1].turn.to_string();
    assert!(second.contains("Cooling/: [4] Capacity"), "{second}");
    let lists = ["sections", "citations"].map(|list| &requests[1].schema["properties"][list]);
    assert!(lists.iter().all(|list| list["maxItems"] == 20), "{lists:?}");
}

#[test]
fn a_section_can_be_taken_by_words_of_its_title() {
    let (walked, _, complaints) = asked(vec![
        json!({ "action": "click", "target": "2012 averon" }),
        json!({ "action": "click", "target": 4 }),
        json!({ "action": "extract", "target": "capac", "answer": "9.5 L" }),
    ]);
    assert_eq!(walked.stop, Stop::Finished, "{complaints:?}");
    let taken = &walked.state.path.last().unwrap().action;
    assert_eq!(*taken, WalkAction::Extract { sections: vec![1] });
}

#[test]
fn the_section_that_a_link_led_to_is_shown_before_those_with_words_of_the_goal() {
    let coolant = "The coolant capacity of the 2012 Averon is told elsewhere. ".repeat(200);
    let folder = repo(&format!(
        "=== index.html\n<!doctype html><h1>Manual</h1><a href='all.html#oil'>Oil</a>\n\
         === all.html\n<!doctype html><h1>All</h1><h2>Coolant capacity</h2><p>{coolant}\n\
         <h2 id=oil>Oil</h2><p>{}\n",
        "Oil is changed each year. ".repeat(200)
    ));
    let mut session = session(folder.path());
    let actions = vec![WalkAction::Click { number: 1, label: "Oil".to_owned() }];
    let (state, limits) = (WalkState::first(), WalkLimits { steps: 1, ..WalkLimits::default() });
    let effects = EffectLedger::default();
    walk(&mut session, GOAL, state, &mut Listed(actions), &limits, effects, &mut ()).unwrap();
    let screen = navigator::walk::session::WalkSession::screen(&session);
    let view = view(screen, GOAL, 400).into_string();
    assert!(view.contains("(the link leads to the section 'Oil')"), "{view}");
    let n = |words: &str| view.matches(words).count();
    assert!(n("Oil is changed") > n("capacity of the 2012 Averon"), "{view}");
}

#[test]
fn what_pages_say_stands_within_the_boundary_alone() {
    let (walked, requests, complaints) = asked(vec![
        json!({ "action": "click", "target": "2012 averon" }),
        json!({ "action": "click", "target": "Cooling" }),
        json!({ "action": "click", "target": "Averon Torque" }),
        json!({ "action": "give_up", "answer": "no" }),
    ]);
    assert!(complaints[0].contains("`Averon Torque`"), "{complaints:?}");
    let last = requests.last().unwrap().turn.to_string();
    let fence = format!("---- {}\n", walked.state.boundary);
    let (outside, inside): (Vec<_>, Vec<_>) =
        last.split(&fence).enumerate().partition(|(at, _)| at % 2 == 0);
    let text = |parts: Vec<(usize, &str)>| parts.into_iter().map(|(_, part)| part).collect();
    let (outside, inside): (String, String) = (text(outside), text(inside));
    assert!(outside.contains("Wrong with your last answer:"), "{last}");
    for name in ["1. click 2 '2012 Averon'", "`Averon Torque`", "Capacity"] {
        assert!(inside.contains(name), "{name}: {last}");
    }
    for name in ["Averon", "Torque", "Cooling", "Capacity"] {
        assert!(!outside.contains(name), "{name}: {last}");
    }
}

#[test]
fn what_a_model_makes_up_is_a_complaint() {
    let (walked, _, complaints) = asked(vec![
        json!({ "action": "open", "target": "file:///etc/passwd" }),
        json!({ "action": "click", "target": "Torque" }),
        json!({ "action": "dance", "target": "" }),
    ]);
    assert!(matches!(walked.stop, Stop::UnusableAnswers(_)));
    assert_eq!(walked.state.n_steps(), 0);
    assert_eq!(complaints.len(), 3);
    assert!(complaints[0].contains("only addresses of links are opened"), "{complaints:?}");
    assert!(complaints[1].contains("nothing on this page is called `Torque`"), "{complaints:?}");
    assert!(complaints[2].contains("must be one of click, back"), "{complaints:?}");
}

#[test]
fn a_view_has_at_most_its_tokens_whatever_the_page() {
    let tokens = |text: &str| repo_map::Tokenizer::default().count(text);
    let links: String =
        (0..20_000).map(|n| format!("<li><a href='p{n}.html'>entry {n} of coolant</a>")).collect();
    let text = "A long text about the coolant of a car. ".repeat(5_000);
    let html = format!("<h1>All</h1><p>{text}</p><h2>More</h2><ul>{links}</ul>");
    let folder = repo(&format!("=== index.html\n<!doctype html>{html}\n"));
    let mut session = session(folder.path());
    let limits = WalkLimits { steps: 0, ..WalkLimits::default() };
    let (state, effects) = (WalkState::first(), EffectLedger::default());
    walk(&mut session, GOAL, state, &mut Listed(vec![]), &limits, effects, &mut ()).unwrap();
    for most in [200, 500, 1_500, 6_000] {
        let view = view(navigator::walk::session::WalkSession::screen(&session), GOAL, most);
        let n = tokens(&view);
        assert!(n <= most && n > most / 2, "{n} of {most}:\n{view}");
        assert!(view.contains("more; click one by its words"), "{view}");
        assert!(view.contains("[S1] All … over 4000 tokens\n"), "{view}");
        assert!(view.contains("`extract` with the number or words of the title"), "{view}");
    }
}

#[test]
fn a_fold_of_a_view_has_the_price_that_its_extract_takes() {
    let section = |n: usize| format!("<h2>Part {n}</h2><p>{}</p>", "coolant level ".repeat(40 * n));
    let html = format!("<h1>All</h1><p>Short.</p>{}", (1..40).map(section).collect::<String>());
    let folder = repo(&format!("=== index.html\n<!doctype html>{html}\n"));
    let mut session = session(folder.path());
    let limits = WalkLimits { steps: 0, ..WalkLimits::default() };
    let (state, effects) = (WalkState::first(), EffectLedger::default());
    walk(&mut session, GOAL, state, &mut Listed(vec![]), &limits, effects, &mut ()).unwrap();
    let screen = navigator::walk::session::WalkSession::screen(&session);
    let tokenizer = repo_map::Tokenizer::default();
    let tokens_of = |number: usize| tokenizer.count(&extract_of(screen, &[number]).text);
    for most in [300, 1_000, 4_000] {
        let view = view(screen, "part 7", most).to_string();
        assert!(tokenizer.count(&view) <= most, "{view}");
        let folds = view.lines().filter_map(|line| {
            let (head, price) = line.strip_prefix("[S")?.split_once(" … ")?;
            Some((head.split_once(']')?.0.parse().ok()?, price.to_owned()))
        });
        let folds: Vec<(usize, String)> = folds.collect();
        assert!(!folds.is_empty(), "{view}");
        for (number, price) in folds {
            assert_eq!(price, format!("{} tokens", tokens_of(number)), "{view}");
        }
        let n_heads = view.lines().filter(|line| line.starts_with("[S")).count();
        let n_rest = screen.sections.len() - n_heads;
        let rest = format!("… {n_rest} more sections, ");
        assert_eq!(view.contains(&rest), n_rest > 0, "{rest}: {view}");
    }
    let whole = view(screen, "part 7", 100_000).to_string();
    assert!(!whole.contains("tokens") && whole.contains("Part 39"), "what is whole has no price");
}
