//! What other agents ask of a knowledge. A query answers; it never acts.

use serde_json::json;

use crate::knowledge::ask::answer::{ActionWriter, DoneStep, ONCE, confidence, opening_unseen};
use crate::knowledge::ask::context::context_of;
use crate::knowledge::ask::gap_answer::gap_answer;
use crate::knowledge::ask::question::{
    AgentContext, AgentInstruction, AgentResponse, InstructionType,
};
use crate::knowledge::ask::route::{RouteEnd, RouteStep, Routes};
use crate::knowledge::evidence::Evidence;
use crate::knowledge::model::feature::feature_words;
use crate::knowledge::model::{Knowledge, KnownScreen, KnownTask};
use crate::knowledge::recognise::{Recogniser, Recognition};
use crate::run::text::one_line;
use crate::shared::suggest;

/// The number of names that a message suggests.
const MAX_NEAR: usize = 3;
/// The longest goal of a task that a message has, in characters.
const MAX_GOAL: usize = 60;

/// A screen that has words of a target.
struct NamedScreen<'k> {
    score: u32,
    screen: &'k KnownScreen,
    /// The page that is meant, where the screen stands for many.
    address: Option<&'k str>,
}

/// The page of a screen that a target means, where the screen stands for many.
#[derive(Debug, Clone, Copy)]
enum TargetPage<'t> {
    /// Any of them.
    Any,
    /// The one at an address.
    Seen(&'t str),
    /// One that the knowledge does not have, at an address like theirs.
    Unseen(&'t str),
}

/// A knowledge that can be asked. Opening it prepares what questions need.
#[derive(Debug)]
pub struct KnowledgeBase<'k> {
    knowledge: &'k Knowledge,
    recogniser: Recogniser<'k>,
    routes: Routes<'k>,
}

impl<'k> KnowledgeBase<'k> {
    /// Prepares a knowledge.
    pub fn new(knowledge: &'k Knowledge) -> KnowledgeBase<'k> {
        KnowledgeBase {
            knowledge,
            recogniser: Recogniser::new(knowledge),
            routes: Routes::new(knowledge),
        }
    }

    /// Returns the recogniser of its screens.
    pub fn recogniser(&self) -> &Recogniser<'k> {
        &self.recogniser
    }

    /// Returns the ways between its screens.
    pub fn routes(&self) -> &Routes<'k> {
        &self.routes
    }

    /// Answers a question.
    pub fn ask(&self, question: &AgentInstruction) -> AgentResponse {
        let answer = match question.instruction_type {
            InstructionType::NavigateToScreen => self.navigate(question),
            InstructionType::ExecuteTask => self.task(question),
            InstructionType::FindScreen => self.find(question),
            InstructionType::GetActions => self.actions(question),
            InstructionType::GetScreenContext => self.context(question),
            InstructionType::FillActionGaps => self.gaps(question),
        };
        answer.unwrap_or_else(AgentResponse::failed)
    }

    /// Recognises the page that an agent is on.
    pub fn recognise(&self, context: &AgentContext) -> Recognition {
        let address = context.current_url.as_deref();
        self.recogniser.recognise(&Evidence::of_text(address, context.dom_summary.as_deref()))
    }

    /// Returns the screen that an agent is on; `None` if it says nothing of it or it is unknown.
    fn current(&self, context: &AgentContext) -> Result<Option<&'k KnownScreen>, String> {
        if let Some(id) = &context.current_screen_id {
            let screen = self.knowledge.screen(id);
            return screen.map(Some).ok_or_else(|| self.no_screen(id));
        }
        let found = self.recognise(context).screen_id;
        Ok(found.and_then(|id| self.knowledge.screen(&id)))
    }

    fn navigate(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        let current = self.current(&question.context)?;
        let (target, page) = self.target(&question.target)?;
        if !target.is_used() {
            return Err(format!(
                "`{}` is {} and no screen of an application: it cannot be navigated to",
                target.screen_id,
                content_word(target)
            ));
        }
        let address = match page {
            TargetPage::Any => None,
            TargetPage::Seen(address) => Some(address),
            TargetPage::Unseen(address) => return opening_unseen(question, address, target),
        };
        let end = RouteEnd { screen_id: &target.screen_id, address };
        let start = current.map(|screen| screen.screen_id.as_str());
        let steps = self.routes.find(start, end).ok_or_else(|| {
            let from = start.map_or("an address that opens".to_owned(), |id| format!("`{id}`"));
            format!(
                "no way from {from} to `{}` was seen (`fill_action_gaps` can look for one)",
                target.screen_id
            )
        })?;
        let mut writer = ActionWriter::new(question);
        for step in &steps {
            writer.step(step)?;
        }
        Ok(writer.answer(Some(target)))
    }

    fn task(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        let task = self.task_named(&question.target)?;
        let current = self.current(&question.context)?;
        let mut writer = ActionWriter::new(question);
        if let Some(start) = &task.start_screen_id
            && current.is_none_or(|screen| screen.screen_id != *start)
        {
            let from = current.map(|screen| screen.screen_id.as_str());
            let end = RouteEnd { screen_id: start, address: None };
            let way = self.routes.find(from, end);
            let way = way.ok_or_else(|| format!("no way to the first screen, `{start}`"))?;
            check_parameters(question, task, &way)?;
            for step in &way {
                writer.step(step)?;
            }
        } else {
            check_parameters(question, task, &[])?;
        }
        for step in &task.steps {
            let screen = self.knowledge.screen(&step.screen_id);
            let action = screen.and_then(|screen| screen.action(&step.action_id));
            let value = writer.parameter(step.parameter.as_deref(), step.value.as_deref());
            let done = DoneStep {
                screen_id: &step.screen_id,
                action_id: &step.action_id,
                action,
                value,
                label: step.label.as_deref(),
                confidence: ONCE,
                may_lead_to: &[],
            };
            writer.write(&done)?;
        }
        let end = task.end_screen_id.as_deref().and_then(|id| self.knowledge.screen(id));
        Ok(writer.answer(end))
    }

    fn find(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        let context = &question.context;
        if context.current_url.is_some() || context.dom_summary.is_some() {
            let found = self.recognise(context);
            let error = found.screen_id.is_none().then(|| found.reason.clone());
            return Ok(AgentResponse {
                success: found.screen_id.is_some(),
                result: Some(json!(found)),
                error,
                ..AgentResponse::default()
            });
        }
        if question.target.trim().is_empty() {
            return Err("nothing says which screen: send `current_url` or `dom_summary`, or name \
                        one by `target`"
                .to_owned());
        }
        let (screen, _) = self.target(&question.target)?;
        Ok(AgentResponse::of(json!({ "screen_id": screen.screen_id, "name": screen.name })))
    }

    /// Returns the screen that a question is about: the one it names, else the current one.
    fn about(&self, question: &AgentInstruction) -> Result<&'k KnownScreen, String> {
        if !question.target.trim().is_empty() {
            return Ok(self.target(&question.target)?.0);
        }
        let current = self.current(&question.context)?;
        current.ok_or_else(|| {
            "the current screen is not known: name one by `target`, or send `current_url` and \
             `dom_summary`"
                .to_owned()
        })
    }

    fn actions(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        let screen = self.about(question)?;
        let mut writer = ActionWriter::new(question);
        for action in &screen.actions {
            writer.offer(&DoneStep {
                screen_id: &screen.screen_id,
                action_id: &action.action_id,
                action: Some(action),
                value: action.value.clone(),
                label: None,
                confidence: confidence(action.times_done),
                may_lead_to: &[],
            });
        }
        if screen.n_more_actions > 0 {
            let reason = "the screen has more actions than the knowledge keeps".to_owned();
            writer.leave_out(reason, screen.n_more_actions, None);
        }
        Ok(writer.answer(None))
    }

    fn context(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        Ok(AgentResponse::of(context_of(self.knowledge, self.about(question)?)))
    }

    /// Returns what nobody has done yet, to be tried.
    fn gaps(&self, question: &AgentInstruction) -> Result<AgentResponse, String> {
        let of_screen = match question.target.trim() {
            "" => None,
            target => Some(self.target(target)?.0.screen_id.as_str()),
        };
        Ok(gap_answer(self.knowledge, of_screen, question))
    }

    /// Returns the screen that a target names: by its identifier, an address, or words.
    fn target<'t>(&self, target: &'t str) -> Result<(&'k KnownScreen, TargetPage<'t>), String>
    where
        'k: 't,
    {
        let target = target.trim();
        if let Some(screen) = self.knowledge.screen(target) {
            return Ok((screen, TargetPage::Any));
        }
        if target.contains("://") {
            let found = self.recogniser.recognise(&Evidence::of_text(Some(target), None));
            let screen = found.screen_id.as_deref().and_then(|id| self.knowledge.screen(id));
            let screen = screen.ok_or_else(|| format!("`{target}`: {}", found.reason))?;
            let page = match screen.addresses.iter().any(|at| at.address == target) {
                true => TargetPage::Seen(target),
                // What others wrote names a screen by patterns.
                false if screen.addresses.is_empty() => TargetPage::Any,
                false => TargetPage::Unseen(target),
            };
            return Ok((screen, page));
        }
        let scored = self.by_words(target);
        match scored.as_slice() {
            [best, rest @ ..] if rest.first().is_none_or(|next| next.score < best.score) => {
                Ok((best.screen, best.address.map_or(TargetPage::Any, TargetPage::Seen)))
            }
            [] => Err(self.no_screen(target)),
            several => {
                let names: Vec<String> = several
                    .iter()
                    .take(MAX_NEAR)
                    .map(|one| format!("`{}`", one.screen.screen_id))
                    .collect();
                Err(format!("`{target}` fits several screens: {}", names.join(", ")))
            }
        }
    }

    /// Returns the screens that have words of a target, the best ones first: the share of the words
    /// in the name, or in the title of one of many pages, in thousandths, and of those in headings
    /// and controls at half the value.
    fn by_words(&self, target: &str) -> Vec<NamedScreen<'k>> {
        let wanted = feature_words(target);
        let wanted: Vec<&str> = wanted.split(' ').filter(|word| !word.is_empty()).collect();
        let share = |text: &str| {
            let words = feature_words(text);
            let words: Vec<&str> = words.split(' ').collect();
            let n = wanted.iter().filter(|word| words.contains(word)).count();
            // Of two names with the words, the shorter one says less else.
            1000.0 * n as f64 / wanted.len().max(1) as f64 - (words.len() as f64).min(50.0)
        };
        let scored = self.knowledge.screens.iter().filter_map(|screen| {
            let of_name = share(&screen.name);
            let rest = screen.business_words.iter().map(|words| share(words) / 2.0);
            let best = rest.fold(of_name, f64::max);
            let pages = screen.addresses.iter().filter(|one| one.opens && one.title != screen.name);
            let pages = pages.map(|one| (share(&one.title), one.address.as_str()));
            // Of pages with one title the first is meant no more than the others.
            let page = pages.rev().max_by(|a, b| a.0.total_cmp(&b.0));
            let page = page.filter(|(share, _)| *share > best && screen.addresses.len() > 1);
            let best = page.map_or(best, |(share, _)| share);
            let address = page.map(|(_, address)| address);
            (best > 200.0).then_some(NamedScreen { score: best as u32, screen, address })
        });
        let mut scored: Vec<NamedScreen<'k>> = scored.collect();
        scored.sort_by(|a, b| {
            b.score.cmp(&a.score).then(a.screen.screen_id.cmp(&b.screen.screen_id))
        });
        scored
    }

    fn no_screen(&self, name: &str) -> String {
        let near: Vec<String> = self
            .by_words(name)
            .iter()
            .take(MAX_NEAR)
            .map(|one| format!("`{}`", one.screen.screen_id))
            .collect();
        let names = self.knowledge.screens.iter().map(|screen| screen.screen_id.as_str());
        match near.is_empty() {
            true => {
                let similar = suggest::did_you_mean(&suggest::similar(name, names));
                format!("there is no screen `{name}`{similar}")
            }
            false => format!("there is no screen `{name}`; near it: {}", near.join(", ")),
        }
    }

    fn task_named(&self, name: &str) -> Result<&'k KnownTask, String> {
        let tasks = &self.knowledge.tasks;
        if let Some(task) = tasks.iter().find(|task| task.task_id == name) {
            return Ok(task);
        }
        let wanted = feature_words(name);
        let found: Vec<&KnownTask> =
            tasks.iter().filter(|task| feature_words(&task.name) == wanted).collect();
        match found.as_slice() {
            [one] => return Ok(one),
            [] => {}
            _ => return Err(format!("`{name}` is the name of several tasks: {}", named(&found))),
        }
        // Each word, or its beginning, stands in the goal or the identifier.
        let has_words = |task: &&KnownTask| {
            let text = format!("{} {}", feature_words(&task.name), feature_words(&task.task_id));
            let words: Vec<&str> = text.split(' ').collect();
            let has = |word: &str| words.iter().any(|one| one.starts_with(word));
            !wanted.is_empty() && wanted.split(' ').all(has)
        };
        let near: Vec<&KnownTask> = tasks.iter().filter(has_words).collect();
        match near.as_slice() {
            [one] => Ok(one),
            [] => {
                let all: Vec<&KnownTask> = tasks.iter().collect();
                Err(format!("there is no task `{name}` (known: {})", named(&all)))
            }
            _ => Err(format!("`{name}` fits several tasks: {}", named(&near))),
        }
    }
}

/// Names the first of some tasks: identifier and goal.
fn named(tasks: &[&KnownTask]) -> String {
    let name =
        |task: &&KnownTask| format!("`{}` ({})", task.task_id, one_line(&task.name, MAX_GOAL));
    let mut names: Vec<String> = tasks.iter().map(name).collect();
    // Tasks stand by the records that they come from, whose names say nothing to a reader.
    names.sort();
    names.truncate(MAX_NEAR);
    match tasks.len().checked_sub(MAX_NEAR) {
        Some(n_more @ 1..) => names.push(format!("{n_more} more")),
        _ if tasks.is_empty() => names.push("none".to_owned()),
        _ => {}
    }
    names.join(", ")
}

/// Checks that each value of a question is for a parameter of a task, or for a field on the way to
/// its first screen.
fn check_parameters(
    question: &AgentInstruction,
    task: &KnownTask,
    way: &[RouteStep<'_>],
) -> Result<(), String> {
    let fields = way.iter().flat_map(RouteStep::fields);
    let known: Vec<String> =
        task.parameters.keys().map(String::as_str).chain(fields).map(feature_words).collect();
    let mut given = question.context.parameters.keys();
    let Some(unknown) = given.find(|name| !known.contains(&feature_words(name))) else {
        return Ok(());
    };
    let names: Vec<String> = task.parameters.keys().map(|name| format!("`{name}`")).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Err(format!("the task `{}` has no parameter `{unknown}` (known: {names})", task.task_id))
}

fn content_word(screen: &KnownScreen) -> String {
    let word = json!(screen.content_type);
    word.as_str().unwrap_or_default().replace('_', " ")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn form() -> Knowledge {
        let action = |name: &str, kind: &str, role: &str| {
            let id = name;
            json!({ "action_id": id, "action_type": kind, "role": role, "name": name })
        };
        serde_json::from_value(json!({
            "version": 1,
            "screens": [{
                "screen_id": "form", "name": "form", "content_type": "web_ui",
                "is_actionable": true, "actions": [
                    action("Agree", "check", "checkbox"), action("File", "click", "menu item"),
                    action("Inbox", "click", "tree item"), action("Save", "click", "button"),
                    action("Chart", "click", "canvas"), action("Street", "input", "field"),
                ],
            }],
        }))
        .unwrap()
    }

    fn ask(instruction: &str) -> AgentResponse {
        let question = json!({
            "instruction_type": instruction, "target": "form", "dialect": "browser-use",
        });
        KnowledgeBase::new(&form()).ask(&serde_json::from_value(question).unwrap())
    }

    #[test]
    fn fields_are_the_controls_that_take_a_value() {
        let fields = ask("get_screen_context").result.unwrap()["fields"].clone();
        let names: Vec<&Value> =
            fields.as_array().unwrap().iter().map(|one| &one["name"]).collect();
        assert_eq!(names, ["Agree", "Street"]);
    }

    #[test]
    fn a_form_has_its_fields_and_what_sends_it() {
        let mut knowledge = form();
        let known = json!({
            "name": "Address", "fields": ["Street", "Agree"], "sent_by": ["Save"],
        });
        knowledge.screens[0].forms.push(serde_json::from_value(known).unwrap());
        knowledge.screens[0].actions[5].constraints.push("required".to_owned());
        let question = json!({ "instruction_type": "get_screen_context", "target": "form" });
        let question = serde_json::from_value(question).unwrap();
        let answer = KnowledgeBase::new(&knowledge).ask(&question).result.unwrap();
        let field = |name: &str, role: &str, constraints: Value| {
            json!({
                "action_id": name, "name": name, "role": role, "options": [],
                "constraints": constraints, "rules": null, "under": null,
            })
        };
        let fields =
            [field("Street", "field", json!(["required"])), field("Agree", "checkbox", json!([]))];
        let save = json!({
            "action_id": "Save", "name": "Save", "role": "button", "effect": "unknown",
        });
        let expected = json!([{ "name": "Address", "fields": fields, "sent_by": [save] }]);
        assert_eq!(answer["forms"], expected);
    }

    #[test]
    fn an_action_says_what_its_tool_does_not_do() {
        let first = &ask("get_actions").actions[0];
        let said = "check checkbox 'Agree' (only if it is not checked: it clicks)";
        assert_eq!((first.tool, first.description.as_str()), ("click", said));
    }

    #[test]
    fn an_action_without_a_counterpart_is_left_out_and_said() {
        let mut knowledge = form();
        for (id, kind) in [("a", "drag_drop"), ("b", "drag_drop"), ("c", "fly")] {
            let action = json!({ "action_id": id, "action_type": kind, "name": id });
            knowledge.screens[0].actions.push(serde_json::from_value(action).unwrap());
        }
        knowledge.screens[0].n_more_actions = 7;
        let question = json!({
            "instruction_type": "get_actions", "target": "form", "dialect": "browser-use",
        });
        let question = serde_json::from_value(question).unwrap();
        let answer = KnowledgeBase::new(&knowledge).ask(&question);
        assert_eq!(answer.actions.len(), 6);
        let said = json!(answer.left_out);
        let expected = json!([
            {
                "reason": "`drag_drop` has no counterpart in browser-use: it only clicks",
                "n_actions": 2, "action_ids": ["a", "b"],
            },
            { "reason": "`fly` is no kind of action", "n_actions": 1, "action_ids": ["c"] },
            {
                "reason": "the screen has more actions than the knowledge keeps",
                "n_actions": 7, "action_ids": [],
            },
        ]);
        assert_eq!(said, expected);
    }
}
