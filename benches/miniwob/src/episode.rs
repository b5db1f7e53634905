//! One episode: a task, a seed, at most so many steps, and the reward that the page gives.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use navigator::browser::guard::judge::WireGuard;
use navigator::browser::guard::policy::WirePolicy;
use navigator::browser::launch::{Browser, BrowserOptions};
use navigator::browser::session::Tab;
use navigator::walk::action::ControlOperation;
use navigator::walk::pilot::WalkPilot;
use navigator::walk::pilot::asked::ModelWalker;
use navigator::walk::pilot::offline::OfflineWalker;
use navigator::walk::pilot::view::view;
use navigator::walk::session::{Move, WalkSession as _};
use navigator::walk::state::{WalkState, WalkTokens};
use navigator::walk::steps::limits::WalkLimits;
use navigator::walk::steps::observer::{WalkCheckpoint, WalkDirective, WalkObserver};
use navigator::walk::steps::walk;
use navigator::walk::words::WarningWords;
use navigator::{
    BrowserSession, BrowserWalk, CancelToken, Deadline, EffectLedger, EndpointRequest, Ledger,
    ModelEndpoint, ModelLimits, PicoUsd, Price, Prices, Remote,
};
use serde::Serialize;
use serde_json::{Value, json};
use url::Url;

use crate::MiniwobArgs;

/// The deadline of a call to the page.
const CALL: Duration = Duration::from_secs(20);
/// The deadline of a call to a model.
const MODEL_CALL: Duration = Duration::from_secs(600);

/// What came of an episode.
#[derive(Debug, Serialize)]
pub(crate) struct Episode {
    task: String,
    seed: u32,
    goal: String,
    /// The number of controls on the first screen, the page's own frame aside.
    n_controls: usize,
    steps: Vec<String>,
    /// The reward without regard to time; success is above 0.
    reward: f64,
    is_done: bool,
    stop: String,
    input_tokens: u64,
    output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<String>,
}

impl Episode {
    pub(crate) fn is_success(&self) -> bool {
        self.reward > 0.0
    }
}

/// Ends the walk when the page says that the task has ended.
struct UntilDone(Tab);

impl WalkObserver for UntilDone {
    fn next(&mut self, _checkpoint: &WalkCheckpoint<'_>) -> WalkDirective {
        let is_done = evaluated(&self.0, "WOB_DONE_GLOBAL");
        match is_done.is_ok_and(|value| value == json!(true)) {
            true => WalkDirective::StopHere,
            false => WalkDirective::GoOn,
        }
    }
}

/// Plays one episode in a browser of its own.
pub(crate) fn play(args: &MiniwobArgs, address: &str, task: &str, seed: u32) -> Result<Episode> {
    let start: Url = format!("{address}miniwob/{task}.html").parse()?;
    let guard = WireGuard::new(WirePolicy::nothing().with_named(&start), None);
    let options = BrowserOptions { program: args.chromium.clone(), ..BrowserOptions::default() };
    let browser = Browser::launch(&options, guard)?;
    let walk_of = BrowserWalk {
        start,
        named_hosts: BTreeSet::new(),
        // The tasks delete and submit what is theirs.
        words: WarningWords::none(),
        files: Vec::new(),
        recording: None,
    };
    let mut session = BrowserSession::new(browser, walk_of);
    let deadline = Deadline::new(None, CancelToken::new());
    let moved = session.go(&Move::Start, &deadline)?;
    if !moved.is_done() {
        bail!("{}", moved.result);
    }
    let tab = session.browser().tabs().into_iter().next().context("there is no tab")?;
    let begin = format!(
        "Math.seedrandom({seed}); core.EPISODE_MAX_TIME = 1000000; core.startEpisodeReal(); \
         core.getUtterance()"
    );
    let goal = evaluated(&tab, &begin)?;
    // Some tasks state their goal as an object of fields, with the sentence among them.
    let goal = goal["utterance"].as_str().or(goal.as_str()).unwrap_or_default().to_owned();
    // The page is seen anew.
    let look = Move::Operate(0, ControlOperation::Press { keys: "Shift".to_owned() });
    session.go(&look, &deadline)?;
    let screen = session.screen();
    let n_controls = screen.entries.len();
    let shown = view(screen, &goal, args.view_tokens).to_string();
    let mut episode = Episode {
        task: task.to_owned(),
        seed,
        goal,
        n_controls,
        steps: Vec::new(),
        reward: 0.0,
        is_done: false,
        stop: String::new(),
        input_tokens: 0,
        output_tokens: 0,
        view: Some(shown),
    };
    if args.look {
        return Ok(episode);
    }
    episode.view = None;
    let state = WalkState { start: screen.digest(), ..WalkState::first() };
    let limits = WalkLimits {
        steps: args.steps,
        turns: 2 * args.steps,
        view_tokens: args.view_tokens,
        time: args.max_time.map(Duration::from_secs),
        ..WalkLimits::default()
    };
    let mut journal = Vec::new();
    let mut pilot = pilot(args, &mut journal)?;
    let mut observer = UntilDone(tab.clone());
    let effects = EffectLedger::default();
    let walked =
        walk(&mut session, &episode.goal, state, pilot.as_mut(), &limits, effects, &mut observer)?;
    episode.reward = evaluated(&tab, "WOB_RAW_REWARD_GLOBAL")?.as_f64().unwrap_or_default();
    episode.is_done = evaluated(&tab, "WOB_DONE_GLOBAL")? == json!(true);
    let WalkTokens { input, output } = walked.state.tokens;
    (episode.input_tokens, episode.output_tokens) = (input, output);
    episode.stop = walked.stop.as_str().to_owned();
    let steps = walked.state.path.iter().map(|step| format!("{} → {}", step.action, step.result));
    episode.steps = steps.collect();
    Ok(episode)
}

fn pilot<'j>(
    args: &MiniwobArgs,
    journal: &'j mut dyn navigator::Journal,
) -> Result<Box<dyn WalkPilot + 'j>> {
    let Some(model) = &args.model else { return Ok(Box::new(OfflineWalker::default())) };
    let asked = EndpointRequest {
        model: model.clone(),
        base_url: args.base_url.clone(),
        wire: None,
        price: Some(Price::default()),
        key_env: None,
        window: Some(32_768),
    };
    let target = ModelEndpoint::new(&asked, &Prices::bundled())?;
    let limits = ModelLimits::of(&target);
    let remote = Remote::new(target, None, MODEL_CALL)?;
    let ledger = Ledger::new(PicoUsd::default(), Price::default(), &[], journal);
    Ok(Box::new(ModelWalker::new(Box::new(remote), ledger, limits, Box::new(|_| ()))))
}

fn evaluated(tab: &Tab, expression: &str) -> Result<Value> {
    let params = json!({ "expression": expression, "returnByValue": true });
    Ok(tab.call("Runtime.evaluate", params, CALL)?["result"]["value"].take())
}
