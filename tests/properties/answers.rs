//! What holds of any text that a model answers with.

use navigator::repo::overview_rules;
use navigator::{Action, Reply, Repository, RuleTarget, State, answer};
use repo_map::plan::Rule;
use repo_map::{FlightPlan, Level, Options, RuleLayers, cost};

/// What answers are made of. Control characters of a text stand for these, so that random texts
/// come near to answers.
const PIECES: [&str; 33] = [
    "{\"action\": \"update_flight_plan\", \"changes\": [",
    "{\"action\": \"finalize_context\", \"summary\": \"s\", \"focus\": [",
    "{\"path\": \"",
    "\", \"level\": \"",
    "\", \"why\": \"w\"}, ",
    "body",
    "full",
    "exclude",
    "outline",
    "{\"path\": \"src/session.rs\", \"level\": \"full\", \"why\": \"w\"}",
    "\t",
    "\n",
    "{\"path\": \"src/color.rs\", \"level\": \"exclude\"}",
    "{\"path\": \"src/http.rs#answer\", \"level\": \"full\"}",
    "\r",
    "{\"path\": \"**\", \"level\": \"interface\"}",
    "]}",
    "\"}]}",
    "src/",
    "session.rs",
    "color.rs#mix",
    "*",
    "{a,b}",
    "[!a]",
    "\\\\",
    "\\u0000",
    "#",
    "- src/ (4 files: rs 4)",
    "```json\n",
    "{\"action\": \"",
    "{\"changes\": [",
    "null, ",
    ", ",
];

/// The text with its control characters replaced by pieces of answers.
pub(crate) fn pieced(text: &str) -> String {
    test_support::random::pieced(text, &PIECES)
}

/// A repository, a person's rules for it, and what they leave of the levels of its files.
pub(crate) struct Bounded {
    _folder: test_support::Repo,
    repo: Repository,
    plan: FlightPlan,
}

impl Bounded {
    pub(crate) fn new() -> Bounded {
        let folder = test_support::service();
        let rules = "{path: src/session.rs, level: ..outline}, {path: src/color.rs, level: full}, \
            {path: src/http.rs, level: exclude}";
        let yaml = format!(
            "version: 1\ngoal: where is a session refreshed?\ncontext: {{tokens: 2000}}\nrules: \
             [{rules}]"
        );
        let plan = FlightPlan::from_yaml("bounds", &yaml).unwrap();
        let repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
        Bounded { _folder: folder, repo, plan }
    }

    /// An answer gives changes that name what is there and stay within the person's rules, and few
    /// short complaints.
    pub(crate) fn hold(&mut self, text: &str) {
        let mut state = State::new("boundary".into(), self.plan.rules.clone(), overview_rules());
        let reply = Reply { text: text.to_owned(), ..Reply::default() };
        let decision = answer::read(&reply, &mut self.repo, &state);
        assert!(decision.action.is_some() || !decision.complaints.is_empty(), "nothing came of it");
        assert!(decision.complaints.len() <= 110, "{} complaints", decision.complaints.len());
        for complaint in &decision.complaints {
            assert!(complaint.chars().count() <= 1_000, "a long complaint: {complaint}");
        }
        let Some(Action::UpdateFlightPlan { changes, .. }) = decision.action else { return };
        for change in &changes {
            assert!(change.why.chars().count() <= 2_000);
            match &change.target {
                RuleTarget::Paths(..) => assert!(
                    cost::reach(self.repo.repo().tree(), &change.rule(), &[]).unwrap().n_files > 0,
                    "{}",
                    change.name()
                ),
                RuleTarget::Item(path, item) => {
                    assert!(cost::has_item(self.repo.repo(), path, &item.name), "{}", change.name())
                }
            }
        }
        state.apply(&changes);
        for (at, rule) in state.rules.iter().enumerate() {
            assert!(
                !state.rules[..at].iter().any(|earlier| earlier.path == rule.path),
                "two rules for {} after {changes:?}",
                rule.path
            );
        }
        let plan = FlightPlan { rules: state.rules.clone(), ..self.plan.clone() };
        assert_eq!(FlightPlan::from_yaml("state", &plan.to_yaml()).unwrap(), plan);
        let map = self
            .repo
            .repo()
            .map(RuleLayers { person: &self.plan.rules, pilot: &state.rules })
            .unwrap();
        for file in &map.files {
            let highest = file.items.iter().map(|item| item.level).fold(file.level, Level::max);
            let is_kept = match file.path.as_str() {
                "src/session.rs" => highest <= Level::Outline,
                "src/color.rs" => file.level == Level::Full,
                "src/http.rs" => highest == Level::Exclude,
                _ => true,
            };
            assert!(is_kept, "{} is at {highest} after {changes:?}", file.path);
        }
    }

    /// In one answer a named item wins over its file, and over a glob that covers it, whatever
    /// their order; also where a part of the answer is in force already. `levels` are those of the
    /// paths and of the item.
    pub(crate) fn hold_item(&mut self, paths: &str, levels: (&str, &str), in_force: &[usize]) {
        const ITEM: (&str, &str) = ("tests/session.rs", "a_session_can_be_refreshed");
        let change = |path: &str, level: &str| {
            format!("{{\"path\": \"{path}\", \"level\": \"{level}\", \"why\": \"w\"}}")
        };
        let changes =
            [change(paths, levels.0), change(&format!("{}#{}", ITEM.0, ITEM.1), levels.1)];
        let [file_first, item_first] = [[0, 1], [1, 0]].map(|order| {
            let mut state =
                State::new("boundary".into(), self.plan.rules.clone(), overview_rules());
            let mut answer = |state: &mut State<Vec<Rule>>, changes: Vec<String>| {
                let text = format!(
                    "{{\"action\": \"update_flight_plan\", \"changes\": [{}]}}",
                    changes.join(", ")
                );
                let decision =
                    answer::read(&Reply { text, ..Reply::default() }, &mut self.repo, state);
                if let Some(Action::UpdateFlightPlan { changes, .. }) = decision.action {
                    state.apply(&changes);
                }
            };
            answer(&mut state, in_force.iter().map(|at| changes[*at].clone()).collect());
            answer(&mut state, order.map(|at| changes[at].clone()).to_vec());
            state.rules
        });
        assert_eq!(file_first, item_first, "{paths} {levels:?} {in_force:?}");
        let map = self
            .repo
            .repo()
            .map(RuleLayers { person: &self.plan.rules, pilot: &item_first })
            .unwrap();
        let shown = cost::shown(self.repo.repo(), ITEM.0, Some(ITEM.1), &map).unwrap().unwrap();
        // Nothing below its name is shown of an item.
        let asked = levels.1.parse().unwrap();
        assert!(
            shown == asked || asked == Level::Exclude && shown < Level::Outline,
            "{paths} {levels:?} {in_force:?}: at {shown}"
        );
    }
}
