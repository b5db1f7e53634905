//! The lines of a view for a model: what changed, the files that matter, prices, marks of an
//! excerpt. Whether they are true is the matter of `true_views.rs`.

use navigator::{
    Action, Briefing, Decision, Limits, Pilot, Repository, RuleChange, State, Stop, Turn,
    offline_rules,
};
use repo_map::plan::{Rule, exact_glob};
use repo_map::{FlightPlan, Level, LevelRange, Options};
use test_support::repo;

use crate::explore;

/// What a view says in one turn.
struct TurnSaid {
    changed: String,
    map: String,
    list: String,
    found: Vec<String>,
}

/// Makes changes from a list, and keeps the views.
struct ViewKeeper {
    size: u32,
    answers: Vec<Vec<RuleChange>>,
    said: Vec<TurnSaid>,
}

impl Pilot<Repository> for ViewKeeper {
    fn name(&self) -> &str {
        "reader"
    }

    fn decide(&mut self, turn: &mut Turn<'_, Repository>) -> Result<Decision<Vec<Rule>>, Stop> {
        let view = Repository::view(turn, self.size).unwrap();
        self.said.push(TurnSaid {
            changed: view.changed.as_str().to_owned(),
            map: view.map.as_str().to_owned(),
            list: view.prices.as_str().to_owned(),
            found: Repository::find(turn, "refresh").unwrap(),
        });
        if self.answers.is_empty() {
            let (summary, focus) = ("done".to_owned(), Vec::new());
            return Ok(Action::FinalizeContext { changes: Vec::new(), summary, focus }.into());
        }
        let changes = self.answers.remove(0);
        Ok(Action::UpdateFlightPlan { changes, reasoning: String::new() }.into())
    }
}

/// A repository in which a class has a getter and a setter of one name, and calls two others.
const SESSIONS: &str = "\
=== src/session.py
from store import save
import clock

def expired(session):
    \"\"\"Reports whether a session has expired.\"\"\"
    if session.expires is None:
        return False
    return session.expires < clock.now() - session.tolerance

class Session:
    \"\"\"A session of one user.\"\"\"

    @property
    def token(self):
        \"\"\"The token of the session.\"\"\"
        value = self._token or ''
        return value.strip().lower()

    @token.setter
    def token(self, value):
        \"\"\"Sets the token of the session.\"\"\"
        self._token = value.strip().lower()
        self.changed = True

    def refresh(self, now):
        \"\"\"Refreshes the session.\"\"\"
        if expired(self):
            raise ValueError('the session has expired and cannot be refreshed')
        self.expires = now + 3600
        save(self)

    def close(self):
        \"\"\"Closes the session.\"\"\"
        self.expires = None
        self.token = ''
        save(self)
=== src/store.py
def save(session):
    \"\"\"Saves a session.\"\"\"
    with open('sessions', 'a') as file:
        file.write(session.token)
        file.write(str(session.expires))
        file.flush()

def load(name):
    \"\"\"Loads a session.\"\"\"
    with open('sessions') as file:
        lines = [line for line in file if line.startswith(name)]
        return lines[-1] if lines else None
=== src/clock.py
import time

def now():
    \"\"\"The time at which a session is refreshed.\"\"\"
    return int(time.time())
=== src/header.py
def refresh(response, session):
    \"\"\"Writes the session into the header of a response.\"\"\"
    response['cookie'] = session.token
    response['expires'] = str(session.expires)
    return response
=== src/report.py
def report(log):
    \"\"\"Reports the log.\"\"\"
    return [line for line in log if line]
=== tests/test_session.py
from session import Session

def test_refresh():
    session = Session()
    session.refresh(0)
    assert session.expires == 3600
";

/// The views of a run with these changes in a context and in views of a size.
fn views(tokens: u32, fill: &str, size: u32, answers: Vec<Vec<RuleChange>>) -> Vec<TurnSaid> {
    let files = repo(SESSIONS);
    let yaml = format!(
        "version: 1\ngoal: where is a session refreshed?\ncontext: {{tokens: {tokens}, fill: \
         {fill}}}\n"
    );
    let plan = FlightPlan::from_yaml("plan", &yaml).unwrap();
    let options = Options { history: false, ..Options::default() };
    let mut terrain = Repository::open(files.path(), plan.clone(), &options).unwrap();
    let limits = Limits::default();
    let rules = offline_rules(&mut terrain, &limits).unwrap();
    let state = State::new("b0undary".into(), plan.rules.clone(), rules);
    let mut pilot = ViewKeeper { size, answers, said: Vec::new() };
    explore(&mut terrain, state, &mut pilot, &limits, &mut ()).unwrap();
    pilot.said
}

fn item(path: &str, name: &str, level: Level) -> RuleChange {
    RuleChange::item(path, name, level, "")
}

fn file(path: &str, level: Level) -> RuleChange {
    RuleChange::paths(exact_glob(path), LevelRange::exactly(level), "")
}

#[test]
fn a_file_stands_once_in_what_changed_and_filler_makes_room_in_one_count() {
    let answers = vec![
        vec![item("src/store.py", "load", Level::Full), file("src/clock.py", Level::Full)],
        vec![
            item("src/session.py", "Session", Level::Full),
            item("src/store.py", "load", Level::Outline),
            item("src/store.py", "save", Level::Full),
        ],
        vec![item("src/session.py", "Session.close", Level::Interface)],
    ];
    let said = views(272, "all", 2_000, answers);
    let changed: Vec<&str> = said.iter().map(|said| said.changed.as_str()).collect();
    insta::assert_snapshot!(changed.join("---\n"), @"
    ---
    What changed since your last answer:
    b0undary
    src/store.py: 18 for items: 1 outline to 57 for items: 1 full, 1 outline; rose as asked, now \
    full: load
    made room: 37 tokens of src/session.py with the body of Session.token@1
    filled in without a wish: 5 tokens of src/report.py
    b0undary

    ---
    What changed since your last answer:
    b0undary
    src/session.py: 128 for items: 3 full, 1 interface, 3 outline to 177 for items: 6 full, 1 \
    outline; rose as asked, now full: Session, Session.token@1, Session.close, Session.token@2; 1 \
    item made room with the body of expired
    src/store.py: 57 for items: 1 full, 1 outline to 25 for items: 1 interface, 1 outline; rose as \
    asked, now interface: save; fell as asked, no longer full: load
    made room: 16 tokens of tests/test_session.py, 13 tokens of src/header.py, 5 tokens of \
    src/report.py
    b0undary

    ---
    What changed since your last answer:
    b0undary
    src/session.py: 177 for items: 6 full, 1 outline to 162 for items: 4 full, 2 interface, 1 \
    outline; fell as asked, no longer full: Session, Session.close
    filled in without a wish: 5 tokens of src/header.py, 5 tokens of src/report.py
    b0undary
    ");
}

#[test]
fn a_file_that_is_folded_or_kept_at_its_path_falls_as_asked() {
    let folder = RuleChange::paths("/src/", LevelRange::exactly(Level::Fold), "");
    let files = [Level::Path, Level::Fold, Level::Exclude].map(|to| file("src/session.py", to));
    for change in std::iter::once(folder).chain(files) {
        let said = views(272, "all", 2_000, vec![vec![change]]);
        let line = said[1].changed.lines().find(|line| line.starts_with("src/session.py: "));
        let line = line.unwrap();
        assert!(line.contains(" for items: "), "{line}");
        assert!(line.contains("; fell as asked, no longer full: "), "{line}");
        assert!(!line.contains("fell below"), "{line}");
    }
}

#[test]
fn files_that_a_folder_s_change_moves_alike_share_a_line() {
    let folder = |to| vec![RuleChange::paths("/src/", LevelRange::exactly(to), "")];
    let answers = vec![folder(Level::Fold), folder(Level::Path)];
    let said = views(400, "none", 2_000, answers);
    let line = said[2].changed.lines().find(|line| line.starts_with("src/: "));
    assert_eq!(line, Some("src/: 5 files, fold to path, rose as asked, 26 tokens"));
}

#[test]
fn what_a_folder_s_fold_takes_from_a_file_with_a_named_item_falls_as_asked() {
    let folder = RuleChange::paths("/src/", LevelRange::exactly(Level::Fold), "");
    let named = item("src/session.py", "Session.close", Level::Full);
    let said = views(272, "none", 2_000, vec![vec![folder, named]]);
    let line = said[1].changed.lines().find(|line| line.starts_with("src/session.py: ")).unwrap();
    assert!(line.contains("; fell as asked, no longer full: "), "{line}");
    assert!(!said[1].changed.contains("without a wish"), "{}", said[1].changed);
    assert!(!said[1].changed.contains("made room"), "{}", said[1].changed);
}

#[test]
fn a_list_has_prices_both_ways_and_what_the_focus_uses() {
    let said =
        views(500, "near", 2_500, vec![vec![item("src/session.py", "Session", Level::Full)]]);
    assert!(!said[0].list.contains("wish"), "{}", said[0].list);
    insta::assert_snapshot!(said[0].list, @r"
    src/session.py: now full 215; or outline 32, interface 103; 1.00 words items
    src/clock.py: now full 36; or outline 14, interface 26; 0.80 words items
    src/header.py: now fold; or outline 13, interface 29, full 54; 0.38 words folder
      in full: #refresh 42
    src/store.py: now fold; or outline 16, interface 33, full 97; 0.33 words folder
      in full: #load 44
    tests/test_session.py: now fold; or outline 15, interface 16, full 43; 0.15 words name
      in full: #test_refresh 25
    src/report.py: now fold; or outline 13, interface 21, full 33; 0.08 folder
      in full: #report 21
    Used by what is in full: src/store.py#save 41
    216 tokens stay free by `fill: near`: next is src/header.py, evidence 0.38, and `near` wants 0.54; 2 more files with less
    ");
    insta::assert_snapshot!(said[1].list, @r"
    src/session.py: now 213 for items: 7 full; or outline 32, interface 103, full 215; 1.00 words items
      as asked: #Session full
    src/clock.py: now full 36; or outline 14, interface 26; 0.80 words items
    src/header.py: now fold; or outline 13, interface 29, full 54; 0.38 words folder
      in full: #refresh 42
    src/store.py: now fold; or outline 16, interface 33, full 97; 0.33 words folder
      in full: #load 44
    tests/test_session.py: now fold; or outline 15, interface 16, full 43; 0.15 words name
      in full: #test_refresh 25
    src/report.py: now fold; or outline 13, interface 21, full 33; 0.08 folder
      in full: #report 21
    Used by what is in full: src/store.py#save 41
    Your wishes cost 179 of 500 tokens.
    218 tokens stay free by `fill: near`: next is src/header.py, evidence 0.38, and `near` wants 0.54; 2 more files with less
    ");
}

#[test]
fn a_wish_for_something_inside_opens_what_is_around_it() {
    let answers = vec![
        vec![item("src/session.py", "Session", Level::Full)],
        vec![item("src/session.py", "Session.close", Level::Interface)],
    ];
    let said = views(2_000, "near", 3_000, answers);
    let wishes: Vec<&str> = said[2].list.lines().filter(|line| line.starts_with("  ")).collect();
    insta::assert_snapshot!(wishes.join("\n"), @r"
    as asked: #Session.close interface
    #Session: now interface; asked full, wishes for its items lower it
    ");
}

#[test]
fn what_stays_free_names_the_next_file_and_its_evidence() {
    for fill in ["near", "none"] {
        let answers = vec![vec![item("src/session.py", "Session.refresh", Level::Full)]];
        let said = views(3_000, fill, 3_000, answers);
        let free: Vec<&str> =
            said[1].list.lines().filter(|line| line.contains(" stay free ")).collect();
        match fill {
            "near" => {
                insta::assert_snapshot!(free.join("\n"), @"2718 tokens stay free by `fill: near`: next is src/header.py, evidence 0.38, and `near` wants 0.54; 2 more files with less")
            }
            _ => {
                insta::assert_snapshot!(free.join("\n"), @"2726 tokens stay free by `fill: none`: next is src/header.py, evidence 0.38; 2 more files with less")
            }
        }
    }
}

#[test]
fn an_excerpt_marks_names_with_the_level_in_the_context_and_their_numbers() {
    let answers = vec![
        vec![item("src/session.py", "Session.token", Level::Interface)],
        vec![
            item("src/session.py", "Session.token@1", Level::Full),
            item("src/session.py", "Session.token@2", Level::Outline),
        ],
        vec![file("src/session.py", Level::Full), file("src/store.py", Level::Full)],
    ];
    let said = views(800, "all", 100, answers);
    // What is cut, and how: the text of files that are whole says nothing about that.
    let is_of_excerpt =
        |line: &&str| line.starts_with("## ") || line.starts_with("- ") || line.ends_with("full]");
    let excerpt = |said: &TurnSaid| {
        let lines = said.map.lines().filter(is_of_excerpt);
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let maps: Vec<String> = said.iter().map(excerpt).collect();
    insta::assert_snapshot!(maps.join("---\n"), @"
    ## src/clock.py (full)
    ## src/header.py (full)
    ## src/report.py (full)
    ## src/session.py (full, cut)
    fn expired [full]
    class Session [full]
        property token [@1 full]
        fn token [@2 full]
        fn refresh [full]
        fn close [full]
    ## src/store.py (full)
    - tests/test_session.py (full, 43 tokens)
    ---
    ## src/clock.py (full, cut)
    fn now [full]
    ## src/header.py (full, cut)
    fn refresh [full]
    ## src/session.py
    ## src/store.py (full, cut)
    fn save [full]
    fn load [full]
    ## tests/test_session.py (full)
    ---
    ## src/clock.py (full)
    ## src/header.py (full, cut)
    fn refresh [full]
    ## src/session.py
    ## src/store.py (full, cut)
    fn save [full]
    fn load [full]
    ---
    ## src/clock.py (full)
    ## src/header.py (full)
    ## src/report.py (full)
    ## src/session.py (full, cut)
    fn expired [full]
    class Session [full]
        property token [@1 full]
        fn token [@2 full]
        fn refresh [full]
        fn close [full]
    ## src/store.py (full)
    - tests/test_session.py (full, 43 tokens)
    ");
}

#[test]
fn a_search_lists_what_is_not_there_in_full_first() {
    let said = views(600, "near", 2_000, vec![vec![file("src/session.py", Level::Full)]]);
    insta::assert_snapshot!(said[1].found.join("\n"), @r"
    src/header.py#refresh: now exclude; interface 19, full 42
    tests/test_session.py#test_refresh: now exclude; interface 5, full 25
    src/session.py#Session.refresh: now full; interface 15, full 48
    ");
}
