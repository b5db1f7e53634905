//! Applications that are walked in a real browser, with the name of the screen after each step.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use navigator::browser::guard::judge::WireGuard;
use navigator::browser::guard::policy::WirePolicy;
use navigator::knowledge::ask::query::KnowledgeBase;
use navigator::knowledge::ask::question::{AgentContext, AgentInstruction, InstructionType};
use navigator::knowledge::build::SeenSite;
use navigator::knowledge::build::sighting::{ScreenSighting, SeenStep};
use navigator::knowledge::dialect::AgentDialect;
use navigator::knowledge::evidence::Evidence;
use navigator::knowledge::model::feature::features_of;
use navigator::knowledge::model::{EffectClass, KnownRecord};
use navigator::walk::action::{ControlOperation, WalkAction};
use navigator::walk::screen::Screen;
use navigator::walk::session::{EffectAnswer, Move, WalkSession as _};
use navigator::walk::words::WarningWords;
use navigator::{BrowserSession, BrowserWalk, CancelToken, Deadline};
use test_support::apps::{App, AppKind, Deed};

use super::accessibility::snapshot_of;
use super::launched;

/// How long a page may take to say where it is.
const PATIENCE: Duration = Duration::from_secs(5);

/// An application in a browser.
pub(super) struct LiveApp<'a> {
    pub(super) app: &'a App,
    pub(super) session: BrowserSession,
    /// The field that was filled last, where keys go.
    focus: usize,
}

/// Opens an application; `None` if this machine has no browser.
pub(super) fn open(app: &App) -> Option<LiveApp<'_>> {
    let start = app.address();
    let origin = start.trim_end_matches('/');
    let policy = ["POST", "DELETE"]
        .iter()
        .fold(WirePolicy::nothing().with_named(&start.parse().unwrap()), |policy, method| {
            policy.with_rule(format!("{method}:{origin}/").parse().unwrap())
        });
    let browser = launched(WireGuard::new(policy, None))?;
    let walk = BrowserWalk {
        start: start.parse().unwrap(),
        named_hosts: BTreeSet::new(),
        words: WarningWords::none(),
        files: Vec::new(),
        recording: None,
    };
    let mut live = LiveApp { app, session: BrowserSession::new(browser, walk), focus: 0 };
    assert!(live.go(&Move::Start).0);
    Some(live)
}

impl LiveApp<'_> {
    pub(super) fn screen(&self) -> &Screen {
        self.session.screen()
    }

    /// Returns the accessibility snapshot of the page.
    fn snapshot(&mut self) -> String {
        snapshot_of(&self.session.browser().tabs()[0])
    }

    /// Makes a move, with a yes to every question; reports whether it was done, and what came of
    /// it.
    pub(super) fn go(&mut self, step: &Move) -> (bool, String) {
        let deadline = Deadline::new(None, CancelToken::new());
        let mut moved = self.session.go(step, &deadline).unwrap();
        let (mut is_done, mut result) = (moved.is_done(), moved.result.clone());
        while moved.question.is_some() {
            moved = self.session.answer(EffectAnswer::Yes, &deadline).unwrap();
            is_done |= moved.is_done();
            result = format!("{result}; {}", moved.result);
        }
        (is_done, result)
    }

    /// Waits until the application says that it shows a screen.
    pub(super) fn is_at(&self, screen: &str) -> bool {
        let begun = Instant::now();
        while self.app.at() != screen && begun.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(20));
        }
        self.app.at() == screen
    }

    /// Returns the action of a deed on the current screen.
    fn action(&mut self, deed: Deed) -> WalkAction {
        let focus = std::mem::take(&mut self.focus);
        let operate = |number: usize, label: &str, operation| WalkAction::Operate {
            number,
            label: label.to_owned(),
            operation,
        };
        match deed {
            Deed::Click(label) => {
                WalkAction::Click { number: self.number(label), label: label.to_owned() }
            }
            Deed::Fill(label, text) => {
                self.focus = self.number(label);
                operate(self.focus, label, ControlOperation::Fill { text: text.to_owned() })
            }
            Deed::Select(label, option) => {
                let options = vec![option.to_owned()];
                operate(self.number(label), label, ControlOperation::Select { options })
            }
            Deed::Check(label) => {
                operate(self.number(label), label, ControlOperation::Check { on: true })
            }
            Deed::Press(keys) => {
                let keys = keys.to_owned();
                operate(focus, "", ControlOperation::Press { keys })
            }
            Deed::Back => WalkAction::Back,
        }
    }

    /// Goes the way from a screen, or from nowhere, to another, as the knowledge says it.
    pub(super) fn follow(
        &mut self,
        base: &KnowledgeBase<'_>,
        from: Option<&str>,
        to: &str,
    ) -> Result<(), String> {
        let context =
            AgentContext { current_screen_id: from.map(str::to_owned), ..AgentContext::default() };
        let answer = base.ask(&AgentInstruction {
            instruction_type: InstructionType::NavigateToScreen,
            target: to.to_owned(),
            context,
            dialect: AgentDialect::Walk,
        });
        if let Some(error) = answer.error {
            return Err(error);
        }
        for action in &answer.actions {
            let target = action.params["target"].as_str().unwrap_or_default();
            let value = action.params["value"].as_str().unwrap_or_default();
            let step = self.move_of_call(action.tool, target, value)?;
            let (is_done, result) = self.go(&step);
            if !is_done {
                return Err(format!("{}: {result}", action.description));
            }
        }
        let screen = self.screen();
        let evidence = Evidence::of_features(&screen.address, features_of(screen));
        let found = base.recogniser().recognise(&evidence);
        match found.candidates.first() {
            Some(best) if best.screen_id == to => Ok(()),
            _ => Err(format!("after {:?}: {:?}", answer.actions, found.candidates)),
        }
    }

    fn move_of_call(&self, tool: &str, target: &str, value: &str) -> Result<Move, String> {
        let number = || self.numbered(target).ok_or_else(|| format!("no `{target}` here"));
        Ok(match tool {
            "open" => Move::Open(target.to_owned()),
            "click" => Move::Click(number()?),
            "fill" => Move::Operate(number()?, ControlOperation::Fill { text: value.to_owned() }),
            "check" => Move::Operate(number()?, ControlOperation::Check { on: true }),
            "select" => {
                let options = value.lines().map(str::to_owned).collect();
                Move::Operate(number()?, ControlOperation::Select { options })
            }
            "press" => {
                let number = if target.is_empty() { 0 } else { number()? };
                Move::Operate(number, ControlOperation::Press { keys: value.to_owned() })
            }
            other => return Err(format!("`{other}` is no step of a walk")),
        })
    }

    fn number(&self, label: &str) -> usize {
        let labels = || self.screen().entries.iter().map(|entry| &entry.label).collect::<Vec<_>>();
        self.numbered(label).unwrap_or_else(|| panic!("no `{label}` among {:?}", labels()))
    }

    fn numbered(&self, label: &str) -> Option<usize> {
        let entries = &self.screen().entries;
        let free = |at: &usize| !entries[*at].is("covered");
        let named = |at: &usize| entries[*at].label == label;
        let found = (0..entries.len()).find(|at| named(at) && free(at));
        // A label can say more than its control: a note in a field's label.
        let found = found.or_else(|| {
            (0..entries.len()).find(|at| entries[*at].label.starts_with(label) && free(at))
        });
        found.map(|at| at + 1)
    }
}

/// Returns the move of an action.
pub(super) fn move_of(action: &WalkAction) -> Move {
    match action {
        WalkAction::Click { number, .. } => Move::Click(*number),
        WalkAction::Operate { number, operation, .. } => Move::Operate(*number, operation.clone()),
        WalkAction::Back => Move::Back,
        WalkAction::Open { address } => Move::Open(address.clone()),
        _ => unreachable!("a tour takes steps only"),
    }
}

/// What the tours of an application show, with the name of the screen and the accessibility
/// snapshot of each sighting; `None` without a browser.
pub(super) fn toured(app: &App, kind: AppKind) -> Option<(SeenSite, Vec<String>, Vec<String>)> {
    let mut seen = SeenSite::default();
    let (mut truth, mut snapshots) = (Vec::new(), Vec::new());
    for (record, tour) in kind.tours().into_iter().enumerate() {
        let mut live = open(app)?;
        assert!(live.is_at(kind.start_screen()));
        seen.records.push(KnownRecord {
            name: format!("{} {record}", kind.name()),
            digest: format!("{}{record:08}", kind.name()),
            n_screens: 0,
            source: None,
        });
        seen.sightings.push(ScreenSighting::new(record, live.screen().clone(), true));
        truth.push(kind.start_screen().to_owned());
        snapshots.push(live.snapshot());
        for (step, number) in tour.into_iter().zip(1..) {
            let from = seen.sightings.len() - 1;
            let action = live.action(step.deed);
            let (is_done, result) = live.go(&move_of(&action));
            let is_there = live.is_at(step.at);
            assert!(
                is_there,
                "{} {number} {:?}: {} and not {}: {is_done} {result}",
                kind.name(),
                step.deed,
                live.app.at(),
                step.at
            );
            if !is_done {
                continue;
            }
            let sends = result.contains("sent to ");
            seen.sightings.push(ScreenSighting::new(record, live.screen().clone(), false));
            truth.push(step.at.to_owned());
            snapshots.push(live.snapshot());
            let effect = if sends { EffectClass::Sends } else { EffectClass::Reads };
            seen.steps.push(SeenStep { from, to: from + 1, action, number, effect });
        }
    }
    Some((seen, truth, snapshots))
}
