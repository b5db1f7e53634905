//! The plan of a run in the form that a person reads and edits: a Flight Plan.

use repo_map::plan::Rule;
use repo_map::{FlightPlan, Sanitized};

use crate::app::terminal::PlanText;
use crate::run::observer::Directive;
use crate::run::state::State;
use crate::terrain::site::DocumentPlan;

const EDIT_HELP: &str = "\
# The plan as it stands: the person's rules first, then the pilot's. The last match wins.
# A rule you add or change becomes yours: a bound that the pilot cannot pass. A rule you remove \
is gone.
";

impl PlanText<DocumentPlan> for FlightPlan {
    fn help(&self) -> &'static str {
        EDIT_HELP
    }

    fn text(&self, state: &State<DocumentPlan>) -> Sanitized {
        let rules = state.bounds.0.iter().chain(&state.rules.0).cloned().collect();
        FlightPlan { rules, ..self.clone() }.to_yaml()
    }

    fn read_edited(
        &self,
        text: &str,
        state: &State<DocumentPlan>,
    ) -> Result<Directive<DocumentPlan>, String> {
        let edited =
            FlightPlan::from_yaml("edited-plan.yaml", text).map_err(|error| error.to_string())?;
        if edited.goal != self.goal || edited.context != self.context || edited.scan != self.scan {
            return Err(
                "edited-plan.yaml: goal, context and scan hold for the whole run; only `rules` \
            can be edited here"
                    .to_owned(),
            );
        }
        let (rules, bounds): (Vec<Rule>, Vec<Rule>) = edited
            .rules
            .into_iter()
            .partition(|rule| state.rules.0.contains(rule) && !state.bounds.0.contains(rule));
        Ok(Directive::Edit { bounds: DocumentPlan(bounds), rules: DocumentPlan(rules) })
    }
}

#[cfg(test)]
mod tests {
    use repo_map::{Level, LevelRange};

    use super::*;

    fn rule(path: &str, level: Level) -> Rule {
        Rule::new(path, LevelRange::exactly(level))
    }

    #[test]
    fn what_a_person_changes_becomes_theirs_and_the_rest_stays_whose_it_was() {
        let plan = FlightPlan { goal: Some("the goal".into()), ..FlightPlan::default() };
        let bound = rule("secrets/**", Level::Exclude);
        // The pilot may have requested a level that was already a bound.
        let rules = vec![rule("/a.rs", Level::Full), bound.clone(), rule("/b.rs", Level::Path)];
        let (bounds, rules) = (DocumentPlan(vec![bound.clone()]), DocumentPlan(rules));
        let state = State::new(String::new(), bounds, rules);
        let edited = plan
            .text(&state)
            .replace("path: /b.rs\n  level: path", "path: /b.rs\n  level: outline");
        let wish = plan.read_edited(&format!("{EDIT_HELP}{edited}"), &state).unwrap();
        let Directive::Edit { bounds, rules } = wish else { panic!("an edit") };
        assert_eq!(bounds.0, [bound.clone(), bound, rule("/b.rs", Level::Outline)]);
        assert_eq!(rules.0, [rule("/a.rs", Level::Full)]);
    }

    #[test]
    fn only_rules_can_be_edited_and_errors_name_the_place() {
        let plan = FlightPlan { goal: Some("the goal".into()), ..FlightPlan::default() };
        let rules = DocumentPlan(vec![rule("/a.rs", Level::Full)]);
        let state = State::new(String::new(), DocumentPlan::default(), rules);
        let text = plan.text(&state);
        let other_goal =
            plan.read_edited(&text.replace("the goal", "another"), &state).unwrap_err();
        assert!(other_goal.contains("only `rules` can be edited here"), "{other_goal}");
        let wrong =
            plan.read_edited(&text.replace("level: full", "level: ful"), &state).unwrap_err();
        assert!(
            wrong.contains("rules[0].level") && wrong.contains("did you mean `full`"),
            "{wrong}"
        );
    }
}
