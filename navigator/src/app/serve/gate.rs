//! The gate that each call passes: scope, rate, a place among those that run or wait, and a time.
//! A call ends in a line of the log and in the figures, whatever its end.

#![expect(clippy::disallowed_methods, reason = "the rim: reads the clock for rates and times")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::request::Parts;
use repo_map::Sanitized;
use repo_map::cli::say;
use rmcp::ErrorData;
use rmcp::model::{Extensions, Tool};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::callers::{CallScope, Callers, ServerCaller};
use super::metrics::{Figures, Gauges};
use super::rate::CallRate;
use super::refusal::CallRefusal;
use crate::app::mcp::{CallRunner, NamedCall, ToolAnswer, Toolbox};

/// The limits of calls.
#[derive(Debug, Clone)]
pub(crate) struct CallLimits {
    /// The number of calls that run at once.
    pub(crate) at_once: usize,
    /// The number of calls that wait for them.
    pub(crate) waiting: usize,
    /// The maximum time of a call, with its wait.
    pub(crate) time: Duration,
}

/// The time that a call which was ended has to give what it found.
const LAST_WORD: Duration = Duration::from_secs(5);

/// Admits the calls of all callers.
pub(crate) struct CallGate {
    toolbox: Toolbox,
    limits: CallLimits,
    /// Permits for calls that run.
    at_once: Arc<Semaphore>,
    /// Permits for calls that run or wait.
    places: Arc<Semaphore>,
    /// What each caller has, by name.
    desks: Mutex<BTreeMap<String, Desk>>,
    pub(super) figures: Figures,
    is_quiet: bool,
}

/// What a caller has: tools that keep its plans, and its rate.
struct Desk {
    toolbox: Toolbox,
    /// The purse that the tools pay from.
    purse: Option<String>,
    rate: CallRate,
}

impl CallGate {
    pub(crate) fn new(toolbox: Toolbox, limits: CallLimits, is_quiet: bool) -> CallGate {
        CallGate {
            toolbox,
            at_once: Arc::new(Semaphore::new(limits.at_once)),
            places: Arc::new(Semaphore::new(limits.at_once + limits.waiting)),
            limits,
            desks: Mutex::default(),
            figures: Figures::default(),
            is_quiet,
        }
    }

    /// Returns the tools that a caller may call.
    pub(super) fn tools_of(&self, caller: &ServerCaller) -> Vec<Tool> {
        let may = |tool: &&Tool| caller.scopes.contains(&CallScope::of_tool(&tool.name));
        self.toolbox.descriptions().iter().filter(may).cloned().collect()
    }

    /// Returns what is so at this moment.
    pub(super) fn gauges(&self) -> Gauges {
        let taken = |all: usize, left: &Semaphore| all - left.available_permits().min(all);
        let running = taken(self.limits.at_once, &self.at_once);
        let inside = taken(self.limits.at_once + self.limits.waiting, &self.places);
        Gauges { running, waiting: inside.saturating_sub(running), left: self.toolbox.left() }
    }

    /// Runs a call. When the future is dropped, the call is cancelled.
    pub(super) async fn call(
        &self,
        caller: &ServerCaller,
        call: NamedCall,
    ) -> Result<ToolAnswer, CallRefusal> {
        let tool = self.toolbox.find(&call.tool).map_err(CallRefusal::Tool)?;
        let mut ending = CallEnd::new(self, caller, tool);
        let done = self.admit(caller, tool, call).await;
        ending.outcome = match &done {
            Ok(answer) if answer.is_error => "error",
            Ok(_) => "answered",
            Err(refusal) => {
                self.figures.count_refused(refusal.reason());
                refusal.reason()
            }
        };
        done
    }

    async fn admit(
        &self,
        caller: &ServerCaller,
        tool: &Tool,
        call: NamedCall,
    ) -> Result<ToolAnswer, CallRefusal> {
        let scope = CallScope::of_tool(&tool.name);
        if !caller.scopes.contains(&scope) {
            return Err(CallRefusal::Scope(scope));
        }
        let toolbox = self.count(caller)?;
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| CallRefusal::Busy)?;
        let cancel = call.watch.cancel.clone();
        let mut work = std::pin::pin!(async {
            let turn = Arc::clone(&self.at_once).acquire_owned().await;
            toolbox.run(tool, call, (place, turn)).await.ok_or(CallRefusal::Broke)
        });
        if let Ok(done) = timeout(self.limits.time, &mut work).await {
            return done;
        }
        cancel.cancel();
        match timeout(LAST_WORD, work).await {
            Ok(Ok(answer)) if !answer.is_error => Ok(answer),
            _ => Err(CallRefusal::Time(self.limits.time)),
        }
    }

    /// Counts a call of a caller, and returns its tools.
    fn count(&self, caller: &ServerCaller) -> Result<Toolbox, CallRefusal> {
        let mut desks = self.desks();
        let new_tools = || self.toolbox.for_another(caller.purse.as_deref());
        let desk = desks.entry(caller.name.clone()).or_insert_with(|| Desk {
            toolbox: new_tools(),
            purse: caller.purse.clone(),
            rate: CallRate::default(),
        });
        // A reload may have given the caller another purse.
        if desk.purse != caller.purse {
            (desk.toolbox, desk.purse) = (new_tools(), caller.purse.clone());
        }
        desk.rate.count(Instant::now(), caller.per_minute).map_err(CallRefusal::Rate)?;
        Ok(desk.toolbox.clone())
    }

    /// Drops what callers have who may not call any more: another one may get their name.
    pub(super) fn keep_desks(&self, callers: &Callers) {
        let names = callers.names();
        self.desks().retain(|name, _| names.contains(name.as_str()));
    }

    fn desks(&self) -> MutexGuard<'_, BTreeMap<String, Desk>> {
        // A panic elsewhere leaves the desks valid.
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a call, told when it is dropped.
struct CallEnd<'a> {
    gate: &'a CallGate,
    caller: &'a str,
    tool: &'a str,
    began: Instant,
    outcome: &'static str,
}

impl<'a> CallEnd<'a> {
    fn new(gate: &'a CallGate, caller: &'a ServerCaller, tool: &'a Tool) -> CallEnd<'a> {
        // A call that is dropped before its end has another outcome.
        let (caller, tool) = (caller.name.as_str(), &*tool.name);
        CallEnd { gate, caller, tool, began: Instant::now(), outcome: "cancelled" }
    }
}

impl Drop for CallEnd<'_> {
    fn drop(&mut self) {
        let CallEnd { gate, caller, tool, outcome, .. } = self;
        let time = self.began.elapsed();
        gate.figures.count_call(tool, outcome, time);
        if !gate.is_quiet {
            say(format!("navigator: {caller} {tool} {outcome} {:.3} s", time.as_secs_f64()));
        }
    }
}

/// Calls by the protocol for agents. A refusal is a result with an error, as of a tool: clients
/// show that to their model, and some end at a status that they do not expect.
impl CallRunner for CallGate {
    fn tools(&self, request: &Extensions) -> Vec<Tool> {
        sender(request).map(|caller| self.tools_of(caller)).unwrap_or_default()
    }

    async fn run(&self, call: NamedCall, request: &Extensions) -> Result<ToolAnswer, ErrorData> {
        let no_sender =
            || ErrorData::internal_error("the sender of the request is not known", None);
        let caller = sender(request).ok_or_else(no_sender)?;
        match self.call(caller, call).await {
            Ok(answer) => Ok(answer),
            Err(CallRefusal::Tool(message)) => Err(ErrorData::invalid_params(message, None)),
            Err(refusal) => Ok(ToolAnswer {
                text: refusal.message().into(),
                line: Sanitized::default(),
                is_error: true,
            }),
        }
    }
}

/// Returns the sender of a request, which was found by its token.
fn sender(request: &Extensions) -> Option<&ServerCaller> {
    request.get::<Parts>()?.extensions.get::<Arc<ServerCaller>>().map(|caller| &**caller)
}
