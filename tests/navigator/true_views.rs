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
use repo_map::plan::{ItemRule, Rule, exact_glob, exact_path};
use repo_map::{
    FileReport, Fill, FlightPlan, ItemCost, Level, LevelRange, Options, RepoMap, RuleLayers,
    RuleOrigin, Tokenizer, cost,
};
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
        let mut calls: Vec<String> = Vec::new();
        let mut function = |indent: &str, name: String, address: String, dice: &mut Dice| {
            let marker = format!("marker_{file}_{}", address.replace(['.', '@'], "_"));
            let word = WORDS[dice.roll(8) as usize];
            let rest = format!("{indent}    {word} = now + 3600\n").repeat(dice.roll(12) as usize);
            let call = calls.get(dice.roll(6) as usize);
            let rest =
                call.map(|call| format!("{indent}    {call}(now)\n")).unwrap_or_default() + &rest;
            if indent.is_empty() {
                calls.push(name.clone());
            }
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
    /// The kinds of statements that views made.
    kinds: BTreeSet<&'static str>,
}

/// A part of each kind of statement, all of which the runs must bring about.
const KINDS: [&str; 17] = [
    "fell below your wish",
    "rose as asked",
    "fell as asked",
    "made room",
    "fell without a wish",
    "filled in without a wish",
    " more, not in the context",
    " [full]",
    " [interface]",
    " [@2",
    ", did not fit",
    "  in full: ",
    "  interface frees: ",
    "  of one name: ",
    "Used by what is in full: ",
    "Your wishes cost ",
    " stay free by ",
];

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
        let said = [sent.changed.as_str(), sent.map.as_str(), sent.prices.as_str()].concat();
        self.kinds.extend(KINDS.into_iter().filter(|kind| said.contains(kind)));
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
        let level = Level::ALL[self.dice.roll(7) as usize];
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
                // A name without its number addresses both items of that name, a class its methods.
                let bare = name.split('@').next().unwrap();
                let class = name.split('.').next().unwrap();
                let name = [name, bare, class][self.dice.roll(3) as usize];
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

/// Reports whether a map has an item at level body, of which the text says no less than all.
fn is_at_body(map: &RepoMap, path: &str, name: &str) -> bool {
    let file = map.files.iter().find(|file| file.path == path).unwrap();
    let own = file.items.iter().find(|item| item.name == name).map(|item| item.level);
    own.unwrap_or(file.level) == Level::Body
}

/// Reports whether an excerpt draws a file as the context does.
fn is_uncut(is: &str, of: &str) -> bool {
    !is.lines().next().is_some_and(|line| line.ends_with(" (cut)") || line.ends_with(", cut)"))
        && is == of
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
        // No function here has a comment above it: its body is all of it.
        let said = if said == Level::Body { Level::Full } else { said };
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
            let says_whole = [" (full, cut)", " (full, "].iter().any(|note| {
                is.lines().next().is_some_and(|line| line.contains(&format!("{path}{note}")))
            });
            assert!(!says_whole || is_whole, "{is}\n{of}");
            for (address, marker) in markers {
                let (named, number) = address.split_once('@').unwrap_or((address, ""));
                let name = named.rsplit('.').next().unwrap();
                let level = self.level(text, path, address);
                let body = format!("\"{marker}.\"");
                assert!(!is.contains(&body) || of.contains(&body), "{marker}\n{map}\n{text}");
                let has_line =
                    |mark: &str| is.lines().any(|line| line.trim() == format!("fn {name}{mark}"));
                if !number.is_empty() && !is_uncut(is, of) {
                    // Of two of a name the mark has the number that a wish needs.
                    assert!(!has_line("") && !has_line(" [full]"), "{address}\n{is}");
                    let is_full = of.contains(&body);
                    assert!(!has_line(&format!(" [@{number} full]")) || is_full, "{is}\n{of}");
                    assert!(!has_line(&format!(" [@{number}]")) || !is_full, "{is}\n{of}");
                }
                let Some(level) = level.filter(|_| number.is_empty()) else { continue };
                assert!(!has_line(" [full]") || level == Level::Full, "{address}\n{is}\n{of}");
                let is_signature = has_line(" [interface]");
                assert!(!is_signature || level == Level::Interface, "{address}\n{is}\n{of}");
                assert!(!has_line("") || level == Level::Outline, "{address} {level}\n{is}\n{of}");
                let has_signature = is.contains(&format!("def {name}("));
                assert!(!has_signature || level >= Level::Interface, "{is}\n{of}");
            }
            self.hidden(text, path, is);
            self.line(text, path, is);
        }
    }

    /// A count of hidden items covers every function that the context does not have.
    fn hidden(&self, text: &str, path: &str, is: &str) {
        let count = is.lines().find_map(|line| {
            line.strip_prefix("… ")?.strip_suffix(" more, not in the context")?.parse().ok()
        });
        let absent = |address: &&String| self.level(text, path, address) == Some(Level::Exclude);
        let n_absent = self.generated.markers[path].keys().filter(absent).count();
        assert!(count.is_none_or(|n: usize| n >= n_absent), "{n_absent}\n{is}");
    }

    /// A file drawn as a line names what has its body.
    fn line(&self, text: &str, path: &str, is: &str) {
        let note =
            is.strip_prefix(&format!("- {path} (")).and_then(|rest| rest.strip_suffix(")\n"));
        let Some(note) = note.filter(|note| note.contains(" tokens; ")) else { return };
        let full: BTreeSet<&str> = note
            .split("; ")
            .filter_map(|part| part.strip_prefix("full: ").or(part.strip_prefix("body: ")))
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
        let has_wishes = turn.state.rules.iter().any(|rule| {
            rule.items.is_some() || rule.level.is_some_and(|level| level.floor == level.ceiling)
        });
        assert_eq!(sent.prices.contains("Your wishes cost "), has_wishes, "{}", sent.prices);
        assert!(has_wishes || !sent.prices.contains("wish"), "{}", sent.prices);
        let mut path = "";
        for line in sent.prices.lines() {
            let without_wish = if has_wishes { ", without a wish" } else { "" };
            if let Some(fillers) = line.strip_prefix("Also in the context") {
                let fillers = fillers.strip_prefix(without_wish).unwrap();
                self.fillers(turn, fillers.strip_prefix(": ").unwrap());
            } else if let Some(used) = line.strip_prefix("Used by what is in full: ") {
                self.used(turn, used);
            } else if let Some(cost) = line.strip_prefix("Your wishes cost ") {
                self.wish_cost(turn, cost);
            } else if line.contains(" tokens stay free by `fill: near`: ") {
                self.left_free(turn, line);
            } else if let Some(freed) = line.strip_prefix("  interface frees: ") {
                for item in freed.split(", ") {
                    let (name, freed) = item[1..].rsplit_once(' ').unwrap();
                    self.freed(turn, path, name, freed.parse().unwrap());
                }
            } else if let Some(twins) = line.strip_prefix("  of one name: ") {
                for item in twins.split(", ") {
                    let (name, level) = item[1..].rsplit_once(' ').unwrap();
                    self.assert_level(&text, path, name, level.parse().unwrap());
                    let shown = cost::shown(turn.terrain.repo(), path, Some(name), turn.map);
                    assert_eq!(shown.unwrap().unwrap().to_string(), level, "{line}");
                }
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
                let ample = match self.marker(path, name) {
                    Some(_) => self.level(ample.text.as_str(), path, name),
                    None => Some(self.level_of_class(turn, path, name, &ample)),
                };
                if let Some(ample) = ample {
                    let rules = &turn.state.rules;
                    let said = format!("{line} {rules:?} {:?}\n{text}", turn.state.bounds);
                    assert_outcome(wish, level.parse().unwrap(), ample, &said);
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
            let of = |level: &str| {
                let n = counts.split(", ").find_map(|part| part.strip_suffix(level));
                n.map_or(0, |n| n.parse::<usize>().unwrap())
            };
            let n_full = of(" full") + of(" body");
            let n_bodies = self.generated.markers[path]
                .values()
                .filter(|marker| map.text.contains(&format!("\"{marker}.\"")))
                .count();
            // The imports, and the attribute of each of two classes, are no bodies.
            assert!(n_full >= n_bodies && (n_bodies > 0 || n_full <= 3), "{said}\n{}", map.text);
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

    /// The level of a class in an ample context. A class that a wish inside it opens is there at
    /// most by its header.
    fn level_of_class(
        &self,
        turn: &Turn<'_, Repository>,
        path: &str,
        name: &str,
        ample: &RepoMap,
    ) -> Level {
        let shown = |map| cost::shown(turn.terrain.repo(), path, Some(name), map).unwrap().unwrap();
        let items = turn.state.rules.iter().flat_map(|rule| rule.items.iter().flatten());
        let is_inside = |item: &&ItemRule| item.name.starts_with(&format!("{name}."));
        let is_opened = items.filter(is_inside).any(|item| item.level < Level::Full);
        match shown(ample) {
            Level::Interface if is_opened && shown(turn.map) < Level::Interface => Level::Full,
            level => level,
        }
    }

    /// Definitions that something in full uses.
    fn used(&self, turn: &Turn<'_, Repository>, said: &str) {
        for one in said.split(", ") {
            let (name, full) = one.rsplit_once(' ').unwrap();
            let (path, item) = name.split_once('#').unwrap();
            let text = turn.map.text.as_str();
            assert_ne!(self.level(text, path, item), Some(Level::Full), "{said}");
            let (name, n_calls) =
                (item.split('@').next().unwrap(), |what: &str| text.matches(what).count());
            assert!(n_calls(&format!("{name}(now)")) > 0, "{said}\n{text}");
            let costs = cost::items_shown(turn.terrain.repo(), path, turn.map).unwrap();
            let cost = costs.iter().find(|cost| cost.name == item).unwrap();
            assert_eq!(cost.full.to_string(), full, "{said}");
        }
    }

    /// The tokens of the wishes, against a map of nothing else.
    fn wish_cost(&self, turn: &Turn<'_, Repository>, said: &str) {
        let (tokens, budget) = said.strip_suffix(" tokens.").unwrap().split_once(" of ").unwrap();
        assert_eq!(budget, turn.map.budget.to_string());
        let tokens: u32 = tokens.parse().unwrap();
        let layers = RuleLayers { person: &turn.state.bounds, pilot: &turn.state.rules };
        let alone = turn.terrain.repo().map_filled(layers, turn.map.budget, Fill::None).unwrap();
        let is_wish = |item: &ItemRule| item.level > Level::Exclude;
        let is_named = |file: &&FileReport| {
            turn.state.rules.iter().any(|rule| {
                let is_exact = rule.level.is_some_and(|level| level.floor == level.ceiling);
                exact_path(&rule.path).as_deref() == Some(&file.path)
                    && (is_exact || rule.items.iter().flatten().any(is_wish))
            })
        };
        let named: u32 = alone.files.iter().filter(is_named).map(|file| file.tokens).sum();
        assert!(named <= tokens && tokens <= alone.tokens, "{named} {tokens} {}", alone.tokens);
    }

    /// The tokens that stay free, and the next file.
    fn left_free(&self, turn: &Turn<'_, Repository>, line: &str) {
        let (free, rest) = line.split_once(" tokens stay free by `fill: near`: next is ").unwrap();
        assert_eq!(free, (turn.map.budget - turn.map.tokens).to_string(), "{line}");
        let (path, rest) = rest.split_once(", evidence ").unwrap();
        let (score, rest) = rest.split_once(", and `near` wants ").unwrap();
        let (needs, n_more) = rest.split_once("; ").unwrap_or((rest, "0 "));
        let (score, needs): (f64, f64) = (score.parse().unwrap(), needs.parse().unwrap());
        let weak = || turn.map.files.iter().filter(|file| file.is_weaker());
        assert!(score < needs && weak().all(|file| f64::from(file.worth) / 1e6 <= score + 0.005));
        assert_eq!(n_more.split(' ').next().unwrap(), (weak().count() - 1).to_string());
        assert_eq!(section(turn.map.text.as_str(), path), "", "{line}");
    }

    /// What lowering an item frees, against two maps of what is there.
    fn freed(&self, turn: &mut Turn<'_, Repository>, path: &str, name: &str, freed: u32) {
        let shown = cost::items_shown(turn.terrain.repo(), path, turn.map).unwrap();
        let is_in_full = |item: &ItemCost| {
            let outer = |one: &&ItemCost| Some(&one.name) == item.container.as_ref();
            shown.iter().find(outer).is_some_and(|outer| outer.level >= Level::Body)
        };
        let mut tokens = |level: Level| {
            let mut rule = Rule::new(exact_glob(path), LevelRange::ANY);
            rule.level = Some(LevelRange { floor: Level::Exclude, ceiling: Level::Path });
            let items = shown.iter().filter(|one| one.level >= Level::Outline && !is_in_full(one));
            let level_of = |one: &ItemCost| if one.name == name { level } else { one.level };
            let items = items.map(|one| ItemRule { name: one.name.clone(), level: level_of(one) });
            rule.items = Some(items.collect());
            let map = turn.terrain.map(&Vec::new(), &vec![rule], Some(1_000_000)).unwrap();
            map.files.iter().find(|file| file.path == path).unwrap().tokens
        };
        let level = shown.iter().find(|one| one.name == name).unwrap().level;
        assert_eq!(tokens(level) - tokens(Level::Interface), freed, "{path}#{name}");
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
        let report = |map: &RepoMap, path: &str| {
            map.files.iter().find(|file| file.path == path).cloned().expect("a file has a report")
        };
        let mut said: BTreeSet<&str> = BTreeSet::new();
        let mut has_more = false;
        let lines = sent.changed.lines().filter(|line| {
            *line != "b0undary" && !line.starts_with("What changed") && !line.is_empty()
        });
        for line in lines.filter(|line| !line.starts_with("The context did not change")) {
            if line.starts_with("… ") {
                has_more = true;
                continue;
            }
            let (head, rest) = line.split_once(": ").unwrap();
            if ["made room", "fell without a wish", "filled in without a wish"].contains(&head) {
                for part in rest.split(", ") {
                    let (tokens, path) = part.split_once(" tokens of ").unwrap();
                    let (path, bodies) = split_bodies(path);
                    for name in bodies {
                        self.assert_level(was, path, name, Level::Full);
                        assert!(self.level(is, path, name).is_none_or(|is| is < Level::Full));
                    }
                    if path.ends_with(" more file") || path.ends_with(" more files") {
                        has_more = true;
                        continue;
                    }
                    assert!(said.insert(path), "{path} stands twice\n{}", sent.changed);
                    let (was, is) = (report(before, path).tokens, report(turn.map, path).tokens);
                    assert_eq!(tokens, was.abs_diff(is).to_string(), "{line}");
                    assert_eq!(head.starts_with("filled"), is >= was, "{line}");
                }
                continue;
            }
            if let Some((n, rest)) = rest.split_once(" files, ") {
                let (levels, rest) = rest.split_once(", ").unwrap();
                let (from, to) = levels.split_once(" to ").unwrap();
                let (cause, _) = rest.rsplit_once(", ").unwrap();
                assert!(CAUSES.contains(&cause), "{line}");
                let moved = self.view.shifts.iter().flatten().filter(|shift| {
                    let levels = (shift.before.level.as_str(), shift.after.level.as_str());
                    let glob = shift.glob.as_deref().unwrap_or_default().trim_matches('/');
                    let is_it = levels == (from, to) && glob == head.trim_end_matches('/');
                    is_it && said.insert(&shift.path)
                });
                assert_eq!(moved.count().to_string(), n, "{line}");
                continue;
            }
            assert!(said.insert(head), "{head} stands twice\n{}", sent.changed);
            let (shown, causes) = rest.split_once(" to ").unwrap();
            let has_parts = causes.contains("; ");
            let (now, causes) =
                if has_parts { causes.split_once("; ") } else { causes.rsplit_once(", ") }.unwrap();
            assert_shown(shown, &report(before, head));
            assert_shown(now, &report(turn.map, head));
            if has_parts {
                let maps = (before, turn.map);
                causes.split("; ").for_each(|part| self.shifted_items(maps, head, part));
            } else {
                assert!(CAUSES.contains(&causes), "{line}");
            }
        }
        for (path, markers) in &self.generated.markers {
            let differs = |marker: &String| {
                let body = format!("\"{marker}.\"");
                was.contains(&body) != is.contains(&body)
            };
            let is_said = has_more || said.contains(path.as_str());
            assert!(is_said || !markers.values().any(differs), "{path}\n{}", sent.changed);
        }
        self.causes(turn);
    }

    /// One part of a line about a file that differs.
    fn shifted_items(&self, maps: (&RepoMap, &RepoMap), path: &str, part: &str) {
        let (was, is) = (maps.0.text.as_str(), maps.1.text.as_str());
        if CAUSES.contains(&part) {
            return;
        }
        let Some((cause, names)) = part.split_once(": ") else {
            let (part, bodies) = split_bodies(part);
            for name in bodies {
                self.assert_level(was, path, name, Level::Full);
            }
            let (n, rest) = part.split_once(' ').unwrap();
            let cause = rest.trim_start_matches("items ").trim_start_matches("item ");
            assert!(CAUSES.contains(&cause) && n.parse::<usize>().unwrap() > 0, "{part}");
            return;
        };
        let (cause, when) = cause.split_once(", ").unwrap();
        let (when, level) = when.rsplit_once(' ').unwrap();
        assert!(CAUSES.contains(&cause), "{part}");
        assert_eq!(when == "now", cause.starts_with("rose"), "{part}");
        let names = names.split(", ").take_while(|name| !name.starts_with("… "));
        for name in names {
            let (text, other) = if when == "now" { (is, maps.0) } else { (was, maps.1) };
            let level: Level = level.parse().unwrap();
            self.assert_level(text, path, name, level);
            if let Some(said) = self.level(&other.text, path, name) {
                assert!(said < level || is_at_body(other, path, name), "{path} {part}");
            }
        }
    }

    /// The cause of each difference, against the wishes in force.
    fn causes(&self, turn: &Turn<'_, Repository>) {
        for shift in self.view.shifts.iter().flatten() {
            let report = turn.map.files.iter().find(|file| file.path == shift.path).unwrap();
            let rule = match report.rule {
                Some(RuleOrigin::Pilot(at)) => turn.state.rules[at].level,
                _ => None,
            };
            let of_file = rule.filter(|level| level.floor == level.ceiling);
            let alone = LevelRange { floor: Level::Exclude, ceiling: Level::Path };
            let asks_no_items =
                of_file.is_some_and(|level| level.ceiling < Level::Outline) || rule == Some(alone);
            let items: BTreeMap<&str, Level> = turn
                .state
                .rules
                .iter()
                .filter(|rule| exact_path(&rule.path).as_deref() == Some(&shift.path))
                .flat_map(|rule| rule.items.iter().flatten())
                .map(|item| (item.name.as_str(), item.level))
                .collect();
            for (name, item) in &shift.items {
                let bare = name.split('@').next().unwrap();
                let own = items.get(name.as_str()).or(items.get(bare)).copied();
                let has_risen = item.to > item.from;
                let wish = own.or_else(|| items.get(name.split_once('.')?.0).copied());
                if asks_no_items && wish.is_none() {
                    let cause =
                        if has_risen { ShiftCause::FilledIn } else { ShiftCause::FellAsAsked };
                    assert_eq!(item.cause, cause, "{name} {item:?}");
                }
                let is_asked = wish == Some(Level::Full) && item.from < Level::Full;
                assert!(!has_risen || !is_asked || item.cause == ShiftCause::RoseAsAsked, "{name}");
                let is_wish_lost = !has_risen && own.is_some_and(|own| own > item.to);
                let is_said = [ShiftCause::Lost, ShiftCause::FellAsAsked].contains(&item.cause);
                assert!(!is_wish_lost || is_said, "{name} {item:?}");
            }
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

/// The words for what made a file or item differ.
const CAUSES: [&str; 6] = [
    "fell below your wish",
    "rose as asked",
    "fell as asked",
    "made room",
    "fell without a wish",
    "filled in without a wish",
];

/// What is said of a file in a context, against its report.
/// Splits what is said of a file from the bodies named behind it.
fn split_bodies(said: &str) -> (&str, Vec<&str>) {
    let ends = [" with the body of ", " with the bodies of "];
    let Some((said, names)) = ends.iter().find_map(|end| said.split_once(end)) else {
        return (said, Vec::new());
    };
    (said, names.split(" and ").filter(|name| !name.ends_with(" more")).collect())
}

fn assert_shown(said: &str, file: &FileReport) {
    let tokens = file.tokens.to_string();
    if let Some((said, _)) = said.split_once(" for items: ") {
        return assert_eq!((said, file.items.is_empty()), (&*tokens, false), "{}", file.path);
    }
    let (level, said) = said.split_once(' ').unwrap_or((said, &tokens));
    let level: Level = level.parse().unwrap();
    assert_eq!((level, said, true), (file.level, &*tokens, file.items.is_empty()), "{}", file.path);
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

fn run(seed: u64) -> (u32, u32, BTreeSet<&'static str>) {
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
    let mut pilot = Roller {
        dice,
        generated: &generated,
        before: None,
        n_views: 0,
        n_cut: 0,
        kinds: BTreeSet::new(),
    };
    explore(&mut terrain, state, &mut pilot, &limits, &mut ()).unwrap();
    (pilot.n_views, pilot.n_cut, pilot.kinds)
}

#[test]
fn no_statement_of_a_view_contradicts_the_context() {
    let runs: Vec<_> = (0..N_RUNS).map(run).collect();
    let n_views: u32 = runs.iter().map(|(n, ..)| n).sum();
    let n_cut: u32 = runs.iter().map(|(_, n, _)| n).sum();
    assert!(n_views >= 1_000 && n_cut >= 200, "{n_cut} of {n_views} views are excerpts");
    let kinds: BTreeSet<&str> = runs.iter().flat_map(|(.., kinds)| kinds).copied().collect();
    let missing: Vec<&str> = KINDS.into_iter().filter(|kind| !kinds.contains(kind)).collect();
    assert!(missing.is_empty(), "no view says {missing:?}");
}
