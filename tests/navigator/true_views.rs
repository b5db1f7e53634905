//! Every statement of a view holds of the context of that turn: simulated runs with random
//! decisions over small repositories, random budgets and windows. Each function of a repository has
//! a marker in its body, so that the text of the context itself says what it has in full.
//!
//! Long: one reader of a view, statement by statement.

use std::collections::{BTreeMap, BTreeSet};

use navigator::repo::{RepoView, ShiftCause};
use navigator::{
    Action, Briefing, Decision, Limits, Pilot, Repository, RuleChange, State, Stop, Terrain, Turn,
    View, offline_rules,
};
use repo_map::plan::{Rule, exact_glob, exact_path};
use repo_map::{FlightPlan, Level, LevelRange, Options, RepoMap, Tokenizer};
use test_support::{Dice, Repo, repo};

use crate::explore;

const N_RUNS: u64 = 56;
const N_TURNS: u32 = 20;

/// A generated repository: its text, and the marker of each function by file and address.
struct Generated {
    text: String,
    markers: BTreeMap<String, BTreeMap<String, String>>,
}

const WORDS: [&str; 8] =
    ["session", "refresh", "token", "color", "header", "parse", "expires", "cookie"];

fn generated(dice: &mut Dice) -> Generated {
    let mut all = Generated { text: String::new(), markers: BTreeMap::new() };
    for file in 0..3 + dice.roll(5) {
        let folder = ["src/", "src/web/", "tests/", ""][dice.roll(4) as usize];
        let path = format!("{folder}{}_{file}.py", WORDS[dice.roll(8) as usize]);
        all.text += &format!("=== {path}\n\"\"\"Part {file}.\"\"\"\nimport os\n\n");
        let markers = all.markers.entry(path).or_default();
        let mut function = |indent: &str, name: String, address: String, dice: &mut Dice| {
            let marker = format!("marker_{file}_{}", address.replace(['.', '@'], "_"));
            let word = WORDS[dice.roll(8) as usize];
            let rest = format!("{indent}    {word} = now + 3600\n").repeat(dice.roll(12) as usize);
            markers.insert(address, marker.clone());
            format!(
                "{indent}def {name}(now, {word}=0):\n{indent}    \"\"\"Handles the {word}.\"\"\"\n\
                 {rest}{indent}    return \"{marker}.\"\n\n"
            )
        };
        let mut text = String::new();
        for class in 0..dice.roll(3) {
            text +=
                &format!("class Kind{file}{class}:\n    \"\"\"A kind.\"\"\"\n    limit = 1\n\n");
            for n in 0..1 + dice.roll(3) {
                let name = format!("method_{file}_{class}_{n}");
                let address = format!("Kind{file}{class}.{name}");
                text += &function("    ", name, address, dice);
            }
        }
        for n in 0..dice.roll(4) {
            let name = format!("call_{file}_{n}");
            text += &function("", name.clone(), name, dice);
        }
        if dice.roll(2) == 0 {
            for nth in 1..3 {
                let name = format!("twice_{file}");
                text += &function("", name.clone(), format!("{name}@{nth}"), dice);
            }
        }
        all.text += &text;
    }
    all.text += "=== README.md\nSessions for a web service.\n=== data/colors.json\n{\"red\": 1}\n";
    all
}

/// Decides at random, and checks each view on the way.
struct Roller<'g> {
    dice: Dice,
    generated: &'g Generated,
    before: Option<RepoMap>,
    n_views: u32,
    n_cut: u32,
}

impl Pilot<Repository> for Roller<'_> {
    fn name(&self) -> &str {
        "roller"
    }

    fn decide(&mut self, turn: &mut Turn<'_, Repository>) -> Result<Decision<Vec<Rule>>, Stop> {
        let size = 300 + self.dice.roll(1_500) as u32;
        let view = RepoView::of(turn, size).unwrap();
        let sent = Repository::view(turn, size).unwrap();
        self.n_views += 1;
        self.n_cut += u32::from(view.excerpt.is_some());
        let reader =
            Reader { generated: self.generated, before: self.before.as_ref(), size, view: &view };
        reader.check(turn, &sent, self.dice.roll(1_000));
        self.before = Some(turn.map.clone());
        if self.dice.roll(15) == 0 {
            let complaints = vec!["the answer was empty".to_owned()];
            return Ok(Decision { complaints, ..Decision::default() });
        }
        let changes = (0..1 + self.dice.roll(4)).map(|_| self.change()).collect();
        Ok(Action::UpdateFlightPlan { changes, reasoning: "a roll".to_owned() }.into())
    }
}

impl Roller<'_> {
    fn change(&mut self) -> RuleChange {
        let level = Level::ALL[self.dice.roll(6) as usize];
        let files: Vec<&String> = self.generated.markers.keys().collect();
        let path = files[self.dice.roll(files.len() as u64) as usize];
        let items: Vec<&String> = self.generated.markers[path].keys().collect();
        match self.dice.roll(5) {
            0 => {
                let glob = ["src/**", "tests/**", "**", "src/web/"][self.dice.roll(4) as usize];
                RuleChange::paths(glob, LevelRange::exactly(level), "a roll")
            }
            1 => RuleChange::paths(exact_glob(path), LevelRange::exactly(level), "a roll"),
            _ if items.is_empty() => {
                RuleChange::paths("/README.md", LevelRange::exactly(level), "a roll")
            }
            _ => {
                let level =
                    if matches!(level, Level::Fold | Level::Path) { Level::Full } else { level };
                let name = items[self.dice.roll(items.len() as u64) as usize];
                // A name without its number addresses both items of that name.
                let bare = name.split('@').next().unwrap();
                let name = if self.dice.roll(2) == 0 { bare } else { name };
                RuleChange::item(path.clone(), name, level, "a roll")
            }
        }
    }
}

/// Reads a view and compares it with the context.
struct Reader<'a> {
    generated: &'a Generated,
    before: Option<&'a RepoMap>,
    size: u32,
    view: &'a RepoView,
}

/// The part of a map's text for one file; empty if it has none.
fn section<'t>(text: &'t str, path: &str) -> &'t str {
    let is_head = |line: &str| line.starts_with("## ") || line.starts_with("- ");
    let mut at = 0;
    let mut start = None;
    for line in text.split_inclusive('\n') {
        if let Some(start) = start.filter(|_| is_head(line)) {
            return &text[start..at];
        }
        let named = line.strip_prefix("## ").or_else(|| line.strip_prefix("- "));
        let of_path = named.and_then(|rest| rest.strip_prefix(path));
        let ends = of_path.is_some_and(|rest| rest == "\n" || rest.starts_with(" ("));
        if is_head(line) && ends {
            start = Some(at);
        }
        at += line.len();
    }
    start.map_or("", |start| &text[start..])
}

/// The level of a function, read from the text of a context.
fn level_in(text: &str, path: &str, address: &str, marker: &str) -> Level {
    let section = section(text, path);
    let name = address.rsplit('.').next().unwrap().split('@').next().unwrap();
    if section.contains(&format!("\"{marker}.\"")) {
        return Level::Full;
    }
    let n_signatures = section.matches(&format!("def {name}(")).count();
    let n_names = section.lines().filter(|line| line.trim() == format!("fn {name}")).count();
    // Of two functions of a name the text does not tell which one is named.
    match (address.contains('@'), n_signatures, n_names) {
        (false, 0, 0) => Level::Exclude,
        (false, 0, _) => Level::Outline,
        (false, ..) => Level::Interface,
        (true, ..) => Level::Path,
    }
}

impl Reader<'_> {
    fn check(&self, turn: &mut Turn<'_, Repository>, sent: &View, roll: u64) {
        let text = turn.map.text.as_str();
        assert_eq!(sent.map, self.view.map);
        assert_eq!(sent.prices.as_str(), self.view.list_text());
        self.excerpt(text, sent);
        self.list(turn, sent);
        self.every_wish_and_best_file_has_a_line(turn, sent);
        self.shifts(turn, sent);
        self.one_price(turn, roll);
        let tokenizer = Tokenizer::default();
        let lists = tokenizer.count(&sent.prices) + tokenizer.count(&sent.changed);
        let most = self.size.max(lists + 300) + 60;
        assert!(sent.tokens <= most, "{} > {most}", sent.tokens);
    }

    fn marker(&self, path: &str, address: &str) -> Option<&str> {
        self.generated.markers.get(path)?.get(address).map(String::as_str)
    }

    /// The level of an item in a text; `None` for a class, a variable, or one of two of a name.
    fn level(&self, text: &str, path: &str, address: &str) -> Option<Level> {
        let level = level_in(text, path, address, self.marker(path, address)?);
        (level != Level::Path).then_some(level)
    }

    fn assert_level(&self, text: &str, path: &str, address: &str, said: Level) {
        match self.level(text, path, address) {
            Some(level) => assert_eq!(level, said, "{path}#{address} in\n{text}"),
            // One of two of a name that the text does not have in full.
            None if self.marker(path, address).is_some() => assert_ne!(said, Level::Full),
            None => {}
        }
    }

    /// Nothing is drawn that the context has not, and every note is true.
    fn excerpt(&self, text: &str, sent: &View) {
        let map = sent.map.as_str();
        let Some(drawn) = &self.view.excerpt else {
            return assert_eq!((map, sent.cut_to), (text, None));
        };
        assert!(sent.cut_to.is_some());
        for (path, markers) in &self.generated.markers {
            let (is, of) = (section(map, path), section(text, path));
            assert!(is.is_empty() || !of.is_empty(), "{path} is not in the context\n{map}\n{text}");
            assert_eq!(drawn.contains_key(path), !is.is_empty());
            let is_whole = of.starts_with(&format!("## {path} (full)"));
            let says_whole = is.contains(&format!("{path} (full in the context"));
            assert!(!says_whole || is_whole, "{is}\n{of}");
            for (address, marker) in markers {
                let name = address.rsplit('.').next().unwrap().split('@').next().unwrap();
                let level = self.level(text, path, address);
                let body = format!("\"{marker}.\"");
                assert!(!is.contains(&body) || of.contains(&body), "{marker}\n{map}\n{text}");
                let has_line =
                    |note: &str| is.lines().any(|line| line.trim() == format!("fn {name}{note}"));
                // A name that occurs twice does not tell which one a line is about.
                let Some(level) = level.filter(|_| !address.contains('@')) else { continue };
                assert!(!has_line(" (full in the context)") || level == Level::Full);
                let is_signature = has_line(" (signature in the context)");
                assert!(!is_signature || level == Level::Interface, "{address}\n{is}\n{of}");
                let class = address.split_once('.').map(|(class, _)| class).unwrap_or("");
                let is_within =
                    says_whole || is.contains(&format!("class {class} (full in the context)"));
                let wanted = if is_within { Level::Full } else { Level::Outline };
                assert!(!has_line("") || level == wanted, "{address} {level}\n{is}\n{of}");
                let has_signature = is.contains(&format!("def {name}("));
                assert!(!has_signature || level >= Level::Interface, "{is}\n{of}");
            }
            self.line(text, path, is);
        }
    }

    /// A file drawn as a line names what is full.
    fn line(&self, text: &str, path: &str, is: &str) {
        let note =
            is.strip_prefix(&format!("- {path} (")).and_then(|rest| rest.strip_suffix(")\n"));
        let Some(note) = note.filter(|note| note.contains(" in the context; ")) else { return };
        let full: BTreeSet<&str> = note
            .split("; ")
            .filter_map(|part| part.strip_prefix("full in the context: "))
            .flat_map(|names| names.split(", "))
            .collect();
        for address in self.generated.markers[path].keys() {
            let class = address.split('.').next().unwrap();
            let is_named = full.contains(address.as_str()) || full.contains(class);
            if let Some(level) = self.level(text, path, address) {
                let is_beyond = full.iter().any(|name| name.ends_with(" more"));
                assert_eq!(is_named, level == Level::Full && (is_named || !is_beyond), "{is}");
            }
        }
    }

    /// The lines of files, read as text.
    fn list(&self, turn: &mut Turn<'_, Repository>, sent: &View) {
        let text = turn.map.text.as_str().to_owned();
        let ample =
            turn.terrain.map(&turn.state.bounds, &turn.state.rules, Some(1_000_000)).unwrap();
        let mut path = "";
        for line in sent.prices.lines() {
            if let Some(fillers) = line.strip_prefix("Also in the context, without a wish: ") {
                self.fillers(turn, fillers);
            } else if let Some(met) = line.strip_prefix("  as asked: ") {
                for item in met.split(", ") {
                    let (name, level) = item[1..].rsplit_once(' ').unwrap();
                    self.assert_level(&text, path, name, level.parse().unwrap());
                }
            } else if let Some(offers) = line.strip_prefix("  in full: ") {
                for offer in offers.split(", ") {
                    let (name, _) = offer[1..].rsplit_once(' ').unwrap();
                    assert_ne!(self.level(&text, path, name), Some(Level::Full), "{line}");
                }
            } else if let Some(item) = line.strip_prefix("  #") {
                let (name, said) = item.split_once(": now ").unwrap();
                let (level, wish) = said.split_once("; ").unwrap();
                self.assert_level(&text, path, name, level.parse().unwrap());
                let ample = self.level(ample.text.as_str(), path, name);
                if let Some(ample) = ample {
                    assert_outcome(wish, level.parse().unwrap(), ample, line);
                }
            } else {
                let said;
                (path, said) = line.split_once(": now ").unwrap();
                self.file(turn.map, &ample, path, said, &turn.state.rules);
            }
        }
    }

    /// One line about a file.
    fn file(&self, map: &RepoMap, ample: &RepoMap, path: &str, said: &str, rules: &[Rule]) {
        let file = map.files.iter().find(|file| file.path == path).unwrap();
        let (now, rest) = said.split_once("; ").unwrap_or((said, ""));
        if let Some((tokens, counts)) = now.split_once(" for items: ") {
            assert_eq!(tokens, file.tokens.to_string(), "{path} {said}");
            assert!(!file.items.is_empty());
            let n_full = counts.split(", ").find_map(|part| part.strip_suffix(" full"));
            let n_bodies = self.generated.markers[path]
                .values()
                .filter(|marker| map.text.contains(&format!("\"{marker}.\"")))
                .count();
            let n_full: usize = n_full.unwrap_or("0").parse().unwrap();
            assert!(n_full >= n_bodies && (n_bodies > 0 || n_full <= 2), "{said}\n{}", map.text);
        } else {
            let (level, tokens) = now.split_once(' ').unwrap_or((now, ""));
            let level: Level = level.parse().unwrap();
            assert_eq!((level, file.items.is_empty()), (file.level, true), "{path} {said}");
            assert!(tokens.is_empty() || tokens == file.tokens.to_string());
            let is_drawn = !section(map.text.as_str(), path).is_empty();
            assert_eq!(is_drawn, level >= Level::Path, "{path} {said}\n{}", map.text);
        }
        for wish in rest.split("; ").filter(|part| part.starts_with("asked ")) {
            let ample = ample.files.iter().find(|one| one.path == path).unwrap();
            if file.items.is_empty() && ample.items.is_empty() {
                let said = format!("{path} {said} {rules:?}");
                assert_outcome(wish, file.level, ample.level, &said);
            }
        }
    }

    fn fillers(&self, turn: &Turn<'_, Repository>, said: &str) {
        for filler in said.split(", ").filter(|filler| !filler.contains(" more file")) {
            let (path, tokens) = filler.rsplit_once(' ').unwrap();
            let file = turn.map.files.iter().find(|file| file.path == path).unwrap();
            assert!(file.level >= Level::Path && tokens == file.tokens.to_string(), "{said}");
            let names_it = |rule: &&Rule| {
                exact_path(&rule.path).as_deref() == Some(path)
                    && (rule.items.is_some()
                        || rule.level.is_some_and(|level| level.floor == level.ceiling))
            };
            assert!(!turn.state.rules.iter().any(|rule| names_it(&rule)), "{said}");
        }
    }

    fn every_wish_and_best_file_has_a_line(&self, turn: &Turn<'_, Repository>, sent: &View) {
        let has_line =
            |path: &str| sent.prices.lines().any(|line| line.starts_with(&format!("{path}: now ")));
        for rule in &turn.state.rules {
            let is_exact = rule.level.is_some_and(|level| level.floor == level.ceiling);
            match exact_path(&rule.path) {
                Some(path) if is_exact || rule.items.is_some() => {
                    let is_file = turn.map.files.iter().any(|file| file.path == path);
                    assert!(!is_file || has_line(&path), "{path}");
                }
                None if is_exact => {
                    assert!(sent.asked.iter().any(|line| line.starts_with(&rule.path)));
                }
                _ => {}
            }
        }
        for best in turn.candidates.iter().filter(|one| one.score > 0.0).take(10) {
            assert!(has_line(&best.name), "{}", best.name);
        }
    }

    /// What rose and fell, against the texts of both contexts.
    fn shifts(&self, turn: &Turn<'_, Repository>, sent: &View) {
        let Some(before) = self.before else {
            return assert_eq!(sent.changed, "");
        };
        let (was, is) = (before.text.as_str(), turn.map.text.as_str());
        let lines: Vec<(&str, &str)> = sent
            .changed
            .lines()
            .filter_map(|line| {
                let mut parts = ShiftCause::ALL.into_iter().map(|cause| cause.as_str());
                let cause = parts.find(|cause| line.starts_with(&format!("{cause}: ")))?;
                Some((cause, &line[cause.len() + 2..]))
            })
            .collect();
        for (cause, line) in &lines {
            let Some((path, said)) = line.split_once(": ") else { continue };
            for part in said.split("; ").skip(1) {
                let Some((when, names)) = part.split_once(": ") else { continue };
                let (when, level) = when.rsplit_once(' ').unwrap();
                let text = if when == "now" { is } else { was };
                assert_eq!(when == "now", cause.starts_with("rose") || cause.starts_with("filled"));
                for name in names.split(", ").filter(|name| !name.ends_with(" more")) {
                    self.assert_level(text, path, name, level.parse().unwrap());
                }
            }
        }
        for (path, markers) in &self.generated.markers {
            let differs = |marker: &String| {
                let body = format!("\"{marker}.\"");
                was.contains(&body) != is.contains(&body)
            };
            let is_said = lines.iter().any(|(_, line)| {
                line.starts_with(&format!("{path}: ")) || line.ends_with(" more files")
            });
            assert!(is_said || !markers.values().any(differs), "{path}\n{}", sent.changed);
        }
    }

    /// One of the prices, against a map of that file at that level.
    fn one_price(&self, turn: &mut Turn<'_, Repository>, roll: u64) {
        let priced: Vec<_> =
            self.view.files.iter().filter(|file| !file.prices.is_empty()).collect();
        let Some(file) = priced.get(roll as usize % priced.len().max(1)) else { return };
        let (level, tokens) = file.prices[roll as usize % file.prices.len()];
        let rules = vec![Rule::new(exact_glob(&file.path), LevelRange::exactly(level))];
        let map = turn.terrain.map(&Vec::new(), &rules, Some(1_000_000)).unwrap();
        let alone = map.files.iter().find(|one| one.path == file.path).unwrap();
        assert_eq!((alone.level, alone.tokens), (level, tokens), "{}", file.path);
    }
}

/// What a wish is said to have come to, against the level with an ample budget.
fn assert_outcome(wish: &str, now: Level, ample: Level, line: &str) {
    let wish = wish.strip_prefix("asked ").unwrap();
    let (asked, outcome) = wish.split_once(", ").unwrap_or((wish, ""));
    let asked: Level = asked.parse().unwrap();
    match outcome {
        "" => assert_eq!(now, asked, "{line}"),
        "did not fit" => assert!(now < asked && ample >= asked, "{line}: ample {ample}"),
        "shown with what it lies in" => assert!(now > asked, "{line}"),
        _ => assert_ne!(now, asked, "{line}"),
    }
}

fn bounds(dice: &mut Dice) -> &'static str {
    match dice.roll(4) {
        0 => "[{path: tests, level: fold}]",
        1 => "[{path: src/web, level: exclude..interface}]",
        2 => "[{path: 'src/*', level: path..full}]",
        _ => "[]",
    }
}

fn run(seed: u64) -> (u32, u32) {
    let mut dice = Dice(seed);
    let generated = generated(&mut dice);
    let files: Repo = repo(&generated.text);
    let yaml = format!(
        "version: 1\ngoal: where is a session refreshed and its token parsed?\ncontext: {{tokens: \
         {}}}\nrules: {}\n",
        60 + dice.roll(2_500),
        bounds(&mut dice)
    );
    let plan = FlightPlan::from_yaml("plan", &yaml).unwrap();
    let options = Options { history: false, ..Options::default() };
    let mut terrain = Repository::open(files.path(), plan.clone(), &options).unwrap();
    let limits = Limits { turns: N_TURNS, ..Limits::default() };
    let rules = offline_rules(&mut terrain, &limits).unwrap();
    let state = State::new("b0undary".into(), plan.rules.clone(), rules);
    let mut pilot = Roller { dice, generated: &generated, before: None, n_views: 0, n_cut: 0 };
    explore(&mut terrain, state, &mut pilot, &limits, &mut ()).unwrap();
    (pilot.n_views, pilot.n_cut)
}

#[test]
fn no_statement_of_a_view_contradicts_the_context() {
    let runs: Vec<(u32, u32)> = (0..N_RUNS).map(run).collect();
    let n_views: u32 = runs.iter().map(|(n, _)| n).sum();
    let n_cut: u32 = runs.iter().map(|(_, n)| n).sum();
    assert!(n_views >= 1_000 && n_cut >= 200, "{n_cut} of {n_views} views are excerpts");
}
