//! Which screen a page is: measured by leaving recordings out, on pages of the generated manual and
//! on those of MiniWoB too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Write as _, stderr};
use std::path::PathBuf;
use std::time::Duration;

use manual::{Manual, TreeForm, Vehicle, file_of};
use navigator::knowledge::build::sighting::ScreenSighting;
use navigator::knowledge::build::{BuiltKnowledge, SeenSite, build};
use navigator::knowledge::evidence::Evidence;
use navigator::knowledge::model::KnownRecord;
use navigator::knowledge::model::feature::features_of;
use navigator::knowledge::recognise::Recogniser;
use navigator::knowledge::recognise::rule::recognise_by_rule;
use navigator::walk::action::ControlOperation;
use navigator::walk::session::{Move, WalkSession as _};
use navigator::walk::words::WarningWords;
use navigator::{BrowserSession, BrowserWalk, CancelToken, Deadline, SitePages, SiteSession};
use serde_json::json;
use url::Url;

use super::accessibility::snapshot_of;
use super::{guard, launched};
use crate::page_server::{PageAnswer, PageServer, page, status};

/// Right, wrong and missing answers.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct AnswerCounts {
    pub(super) right: usize,
    pub(super) wrong: usize,
    pub(super) missing: usize,
    /// Answers where there is none: the screen was never seen before.
    pub(super) invented: usize,
    pub(super) unknown: usize,
}

impl AnswerCounts {
    fn add(&mut self, answer: Option<&str>, right: Option<&str>) {
        match (answer, right) {
            (Some(answer), Some(right)) if answer == right => self.right += 1,
            (Some(_), Some(_)) => self.wrong += 1,
            (None, Some(_)) => self.missing += 1,
            (Some(_), None) => self.invented += 1,
            (None, None) => self.unknown += 1,
        }
    }

    pub(super) fn f1(&self) -> f64 {
        let n_answers = (self.right + self.wrong + self.invented) as f64;
        let precision = self.right as f64 / n_answers.max(1.0);
        let recall = self.right as f64 / (self.right + self.wrong + self.missing) as f64;
        2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE)
    }
}

/// Returns what the screens of a knowledge are called: each as most of its sightings.
pub(super) fn called<'t, T: AsRef<str>>(
    screen_ids: &'t [String],
    truth: &'t [T],
) -> BTreeMap<&'t str, &'t str> {
    let mut names: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (id, name) in screen_ids.iter().zip(truth) {
        *names.entry(id).or_default().entry(name.as_ref()).or_default() += 1;
    }
    let most = |names: BTreeMap<&'t str, usize>| Some(names.into_iter().max_by_key(|(_, n)| *n)?.0);
    names.into_iter().filter_map(|(id, names)| Some((id, most(names)?))).collect()
}

/// Leaves one tour out, makes a knowledge of the others, and asks it for each screen of the one
/// that was left out: by what our browser sees, by the accessibility snapshot that another agent
/// has, and by the rule of older agents.
fn leave_out(
    seen: &SeenSite,
    (truth, texts): (&[String], &[String]),
    out: usize,
    counts: &mut [AnswerCounts; 3],
) {
    let mut known = SeenSite { records: seen.records.clone(), ..SeenSite::default() };
    let mut names = Vec::new();
    for (sighting, name) in seen.sightings.iter().zip(truth) {
        if sighting.record != out {
            known.sightings.push(sighting.clone());
            names.push(name.as_str());
        }
    }
    let BuiltKnowledge { knowledge, screen_ids } = build(known);
    let recogniser = Recogniser::new(&knowledge);
    let called = called(&screen_ids, &names);
    for ((sighting, name), text) in seen.sightings.iter().zip(truth).zip(texts) {
        if sighting.record != out {
            continue;
        }
        let right = names.contains(&name.as_str()).then_some(name.as_str());
        let screen = &sighting.screen;
        let by_features = Evidence::of_features(&screen.address, features_of(screen));
        let by_text = Evidence::of_text(Some(&screen.address), Some(text));
        let found = [
            recogniser.recognise(&by_features),
            recogniser.recognise(&by_text),
            recognise_by_rule(&knowledge, &screen.address, text),
        ];
        for (counts, found) in counts.iter_mut().zip(&found) {
            let answer = found.screen_id.as_deref().map(|id| called[id]);
            counts.add(answer, right);
        }
    }
}

/// Leaves each recording out in turn. `texts` has what another agent has of each sighting.
pub(super) fn each_left_out(
    seen: &SeenSite,
    truth: &[String],
    texts: &[String],
) -> [AnswerCounts; 3] {
    let mut counts = [AnswerCounts::default(); 3];
    for out in 0..seen.records.len() {
        leave_out(seen, (truth, texts), out, &mut counts);
    }
    counts
}

/// Takes all sightings of a screen out in turn, and asks a knowledge of the rest for each of them:
/// every answer is invented.
pub(super) fn each_never_seen(seen: &SeenSite, truth: &[String]) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    for name in truth.iter().collect::<BTreeSet<_>>() {
        let (own, rest): (Vec<_>, Vec<_>) =
            seen.sightings.iter().zip(truth).partition(|(_, one)| *one == name);
        let sightings = rest.into_iter().map(|(sighting, _)| sighting.clone()).collect();
        let records = seen.records.clone();
        let knowledge = build(SeenSite { records, sightings, ..SeenSite::default() }).knowledge;
        let recogniser = Recogniser::new(&knowledge);
        for (sighting, _) in own {
            let screen = &sighting.screen;
            let evidence = Evidence::of_features(&screen.address, features_of(screen));
            counts.add(recogniser.recognise(&evidence).screen_id.as_deref(), None);
        }
    }
    let _ = writeln!(stderr(), "never seen: {counts:?}");
    counts
}

/// Adds counts up.
pub(super) fn sum(all: &mut [AnswerCounts; 3], more: &[AnswerCounts; 3]) {
    for (all, more) in all.iter_mut().zip(more) {
        all.right += more.right;
        all.wrong += more.wrong;
        all.missing += more.missing;
        all.invented += more.invented;
        all.unknown += more.unknown;
    }
}

/// Prints a line for each way to recognise.
pub(super) fn print_counts(name: &str, counts: &[AnswerCounts; 3]) {
    for (way, one) in
        ["what our browser sees", "address and snapshot", "older rule"].iter().zip(counts)
    {
        let _ = writeln!(stderr(), "{name}: {way}: {one:?}, F1 {:.3}", one.f1());
    }
}

pub(super) fn record(number: usize) -> KnownRecord {
    let name = format!("recording {number}");
    KnownRecord { digest: name.clone(), name, n_screens: 0, source: None }
}

/// Takes note of a page of a vehicle, by what kind of page it is.
fn look(seen: &mut SeenSite, truth: &mut Vec<String>, page: (&str, &str, &str)) {
    let (address, html, kind) = page;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(file_of(address));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, html).unwrap();
    let place = Url::from_file_path(PathBuf::from("/").join(file_of(address))).unwrap();
    let mut session = SiteSession::new(SitePages::folder(folder.path()), place.as_str()).unwrap();
    let moved = session.go(&Move::Start, &Deadline::new(None, CancelToken::new())).unwrap();
    assert!(moved.is_done(), "{address}: {}", moved.result);
    let number = seen.records.len() - 1;
    seen.sightings.push(ScreenSighting::new(number, session.screen().clone(), true));
    truth.push(kind.to_owned());
}

/// The pages of a vehicle and those above it, with their kinds; some of the leaves.
fn pages_of(manual: &Manual, vehicle: &Vehicle) -> Vec<(String, String, &'static str)> {
    let above = ["/".to_owned(), format!("/{}/", vehicle.make)];
    let year = format!("/{}/{}/", vehicle.make, vehicle.year);
    let above = above.into_iter().chain([year]).zip(["home", "make", "year"]);
    let mut pages: Vec<(String, String, &str)> = above
        .map(|(address, kind)| {
            let html = manual.page(&address).unwrap();
            (address, html, kind)
        })
        .collect();
    let own = manual.pages(vehicle);
    let step = own.len() / 60;
    let kinds = ["vehicle", "labor", "tree"];
    for (at, (address, html)) in own.into_iter().enumerate() {
        if at < kinds.len() || at % step == 0 {
            pages.push((address, html, kinds.get(at).copied().unwrap_or("leaf")));
        }
    }
    pages
}

/// Opens a page in a browser; `None` if this machine has none.
pub(super) fn opened(start: Url) -> Option<BrowserSession> {
    let browser = launched(guard(&[start.as_str()]))?;
    let walk = BrowserWalk {
        start,
        named_hosts: BTreeSet::new(),
        words: WarningWords::none(),
        files: Vec::new(),
        recording: None,
    };
    let mut session = BrowserSession::new(browser, walk);
    let deadline = Deadline::new(None, CancelToken::new());
    assert!(session.go(&Move::Start, &deadline).unwrap().is_done());
    Some(session)
}

#[test]
#[ignore = "measures: two minutes in a debug build"]
fn pages_of_vehicles_that_were_never_seen_are_recognised() {
    let mut manual = Manual::new(1, TreeForm::Tree);
    manual.folder_page = "index.html";
    let (mut seen, mut truth) = (SeenSite::default(), Vec::new());
    let vehicles = manual.vehicles();
    let makes: BTreeSet<&str> = vehicles.iter().map(|vehicle| vehicle.make).collect();
    let of_makes = makes.into_iter().take(3).flat_map(|make| {
        let own: Vec<&Vehicle> = vehicles.iter().filter(|one| one.make == make).collect();
        [own[own.len() / 3], own[2 * own.len() / 3]]
    });
    let served = Manual { folder_page: "index.html", ..Manual::new(1, TreeForm::Tree) };
    let server = PageServer::start(move |path| match served.page(path) {
        Some(html) => page(&html),
        None => status(404),
    });
    let Some(mut session) = opened(server.url("/")) else { return };
    let origin = server.url("").origin().ascii_serialization();
    let mut texts = Vec::new();
    for (number, vehicle) in of_makes.enumerate() {
        seen.records.push(record(number));
        for (address, html, kind) in &pages_of(&manual, vehicle) {
            look(&mut seen, &mut truth, (address, html, kind));
            let deadline = Deadline::new(None, CancelToken::new());
            let open = Move::Open(server.url(address).into());
            assert!(session.go(&open, &deadline).unwrap().is_done(), "{address}");
            let text = snapshot_of(&session.browser().tabs()[0]);
            texts.push(text.replace(&origin, "file://"));
        }
    }
    let counts = each_left_out(&seen, &truth, &texts);
    print_counts("manual", &counts);
    for ours in &counts[..2] {
        assert_eq!((ours.wrong, ours.invented), (0, 0), "{counts:?}");
    }
    assert!(counts[0].f1() >= 0.97 && counts[1].f1() >= 0.95, "{counts:?}");
    assert_eq!(each_never_seen(&seen, &truth).invented, 0);
}

/// Serves the files of a folder.
pub(super) fn served(folder: PathBuf) -> PageServer {
    PageServer::start(move |path| {
        let path = path.split('?').next().unwrap_or_default();
        let Ok(body) = fs::read(folder.join(path.trim_start_matches('/'))) else {
            return status(404);
        };
        let kind = match path.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript",
            Some("css") => "text/css",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        };
        PageAnswer::Whole(200, vec![("Content-Type", kind.to_owned())], body)
    })
}

/// Pages of MiniWoB from the folder `miniwob/html` of its package, which `MINIWOB` names. A task
/// that says it is the same application as another, by its title, is the same screen.
#[test]
#[ignore = "measures: needs MINIWOB, and a browser for minutes"]
fn tasks_are_recognised_over_seeds() {
    let Ok(folder) = std::env::var("MINIWOB").map(PathBuf::from) else { return };
    let pages = fs::read_dir(folder.join("miniwob")).unwrap();
    let mut pages: Vec<String> = pages
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".html"))
        .collect();
    pages.sort();
    let server = served(folder);
    let seeds = [1, 2, 3];
    let (mut seen, mut truth, mut texts) = (SeenSite::default(), Vec::new(), Vec::new());
    seen.records = seeds.map(record).into();
    let deadline = Deadline::new(None, CancelToken::new());
    for page in pages {
        let Some(mut session) = opened(server.url(&format!("/miniwob/{page}"))) else { return };
        let tab = session.browser().tabs().remove(0);
        for (number, seed) in seeds.iter().enumerate() {
            let begin = format!(
                "try {{ core.endEpisode(0) }} catch {{}} WOB_DONE_GLOBAL = false; \
                 Math.seedrandom({seed}); core.EPISODE_MAX_TIME = 1e6; core.startEpisodeReal(); 1"
            );
            let params = json!({ "expression": begin, "returnByValue": true });
            tab.call("Runtime.evaluate", params, Duration::from_secs(20)).unwrap();
            let keys = "Shift".to_owned();
            let look = Move::Operate(0, ControlOperation::Press { keys });
            session.go(&look, &deadline).unwrap();
            let screen = session.screen().clone();
            truth.push(screen.title.clone());
            texts.push(snapshot_of(&tab));
            seen.sightings.push(ScreenSighting::new(number, screen, true));
        }
    }
    let counts = each_left_out(&seen, &truth, &texts);
    print_counts("MiniWoB", &counts);
    for ours in &counts[..2] {
        assert_eq!((ours.wrong, ours.invented), (0, 0), "{counts:?}");
    }
    assert!(counts[0].f1() >= 0.97 && counts[1].f1() >= 0.95, "{counts:?}");
    assert_eq!(each_never_seen(&seen, &truth).invented, 0);
}
