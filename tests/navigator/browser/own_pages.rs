//! Which screen a page of this project is, measured by leaving recordings out: of its book, and of
//! the reports that its programs write.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use navigator::knowledge::build::SeenSite;
use navigator::knowledge::build::sighting::ScreenSighting;
use navigator::walk::action::ControlOperation;
use navigator::walk::screen::EntryKind;
use navigator::walk::session::{Move, WalkSession as _};
use navigator::{BrowserSession, CancelToken, Deadline};

use super::accessibility::snapshot_of;
use super::recognition::{
    AnswerCounts, each_left_out, each_never_seen, opened, print_counts, record, served, sum,
};

/// What is done on a page, and the screen that it leads to; `None` for the same one.
type PageDeed = (EntryKind, &'static str, Option<&'static str>);

// As with an open menu of an application, what it covers is not what the screen is.
const OF_BOOK: &[PageDeed] = &[
    (EntryKind::Button, "Change theme", Some("menu of themes")),
    (EntryKind::Button, "Toggle Searchbar", None),
];
const OF_REPORTS: &[PageDeed] = &[
    (EntryKind::Button, "Dark mode", None),
    (EntryKind::Radio, "in the map", None),
    (EntryKind::Field, "Find a screen", None),
];

/// What pages of a folder are called, and what records them; `None` if there is no browser.
type PageKind = (&'static str, fn(PathBuf) -> Option<OwnPages>);

/// The recordings of the pages of a folder.
struct OwnPages {
    seen: SeenSite,
    truth: Vec<String>,
    texts: Vec<String>,
    /// The numbers of a linear congruential generator: the same pages each time.
    random: usize,
}

impl OwnPages {
    fn new() -> OwnPages {
        OwnPages { seen: SeenSite::default(), truth: vec![], texts: vec![], random: 7 }
    }

    fn next(&mut self, n: usize) -> usize {
        self.random = self.random.wrapping_mul(1_103_515_245).wrapping_add(12_345) % (1 << 31);
        (self.random >> 8) % n
    }

    /// Opens pages, and does on each something that it has.
    fn record(
        &mut self,
        session: &mut BrowserSession,
        pages: &[(String, String)],
        deeds: &[PageDeed],
    ) {
        let number = self.seen.records.len();
        self.seen.records.push(record(number));
        for (address, name) in pages {
            let deadline = Deadline::new(None, CancelToken::new());
            let moved = session.go(&Move::Open(address.clone()), &deadline).unwrap();
            assert!(moved.is_done(), "{address}: {}", moved.result);
            self.look(session, name);
            let (before, after) = deeds.split_at(self.next(deeds.len()));
            for (kind, label, screen) in after.iter().chain(before) {
                let entries = &session.screen().entries;
                let found = entries.iter().position(|one| {
                    one.kind == *kind && one.label.starts_with(label) && !one.is("covered")
                });
                let Some(number) = found.map(|at| at + 1) else { continue };
                let step = match kind {
                    EntryKind::Field => {
                        let text = "torque".to_owned();
                        Move::Operate(number, ControlOperation::Fill { text })
                    }
                    _ => Move::Click(number),
                };
                if session.go(&step, &deadline).unwrap().is_done() {
                    self.look(session, screen.unwrap_or(name));
                    break;
                }
            }
        }
    }

    fn look(&mut self, session: &mut BrowserSession, name: &str) {
        let number = self.seen.records.len() - 1;
        self.seen.sightings.push(ScreenSighting::new(number, session.screen().clone(), true));
        self.truth.push(name.to_owned());
        self.texts.push(snapshot_of(&session.browser().tabs()[0]));
    }

    /// Leaves each recording out, and all sightings of each screen. Returns both counts.
    fn measure(&self, name: &str) -> ([AnswerCounts; 3], AnswerCounts) {
        let counts = each_left_out(&self.seen, &self.truth, &self.texts);
        print_counts(name, &counts);
        (counts, each_never_seen(&self.seen, &self.truth))
    }
}

/// Records the book: each recording has some of its chapters, which are a screen each. A chapter
/// under two addresses, as the first one and the index are, is one screen: while it is known under
/// one of them, it is no page that was never seen.
fn of_book(folder: PathBuf) -> Option<OwnPages> {
    let names = fs::read_dir(&folder).unwrap().map(|one| one.unwrap().file_name());
    let names = names.map(|one| one.into_string().unwrap());
    // Those are all chapters in one, a part of each chapter, and the page of what is missing.
    let is_chapter = |name: &String| {
        name.ends_with(".html") && !["print.html", "toc.html", "404.html"].contains(&name.as_str())
    };
    let mut names: Vec<String> = names.filter(is_chapter).collect();
    names.sort();
    let mut of_bytes: BTreeMap<Vec<u8>, String> = BTreeMap::new();
    let screens: Vec<String> = names
        .iter()
        .map(|name| {
            let first = of_bytes.entry(fs::read(folder.join(name)).unwrap());
            first.or_insert_with(|| name.clone()).clone()
        })
        .collect();
    let server = served(folder);
    let mut session = opened(server.url("/index.html"))?;
    let mut own = OwnPages::new();
    for _ in 0..5 {
        let chosen: Vec<(String, String)> = (0..15)
            .map(|_| {
                let at = own.next(names.len());
                (server.url(&format!("/{}", names[at])).into(), screens[at].clone())
            })
            .collect();
        own.record(&mut session, &chosen, OF_BOOK);
    }
    Some(own)
}

/// Records the reports: each recording has those on one part of the project and one site.
fn of_reports(folder: PathBuf) -> Option<OwnPages> {
    let parts = fs::read_dir(&folder).unwrap().map(|one| one.unwrap().file_name());
    let mut parts: Vec<String> = parts.map(|one| one.into_string().unwrap()).collect();
    parts.sort();
    let kinds = ["map", "run", "site", "knowledge"];
    let server = served(folder);
    let mut session = opened(server.url(&format!("/{}/map.html", parts[0])))?;
    let mut own = OwnPages::new();
    for part in parts {
        let address = |kind: &str| server.url(&format!("/{part}/{kind}.html")).into();
        let pages = kinds.map(|kind| (address(kind), kind.to_owned()));
        own.record(&mut session, &pages, OF_REPORTS);
    }
    Some(own)
}

/// The pages lie in a folder that `benches/knowledge/own-pages` writes, and `OWN_PAGES` names.
#[test]
#[ignore = "measures: needs OWN_PAGES, and a browser for minutes"]
fn pages_of_this_project_are_recognised() {
    let Ok(folder) = std::env::var("OWN_PAGES").map(PathBuf::from) else { return };
    let mut all = [AnswerCounts::default(); 3];
    let mut invented = 0;
    let kinds: [PageKind; 2] = [("reports", of_reports), ("book", of_book)];
    for (name, recorded) in kinds {
        let Some(own) = recorded(folder.join(name)) else { return };
        let (counts, never_seen) = own.measure(name);
        assert!(counts[..2].iter().all(|ours| ours.f1() >= 0.97), "{name}: {counts:?}");
        sum(&mut all, &counts);
        invented += never_seen.invented;
    }
    print_counts("own pages", &all);
    for ours in &all[..2] {
        assert_eq!((ours.wrong, ours.invented), (0, 0), "{all:?}");
    }
    assert_eq!(invented, 0);
}
