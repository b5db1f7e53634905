//! The tools of one caller with their descriptions. Their work runs in threads that may block.

use std::sync::Arc;

use repo_map::{CancelToken, Sanitized};
use rmcp::model::{JsonObject, Tool};

use super::answer::ToolAnswer;
use super::{Tools, Watch, tools};
#[cfg(feature = "serve")]
use crate::money::pico_usd::PicoUsd;

/// The tools of one caller, with their descriptions.
#[derive(Clone)]
pub(crate) struct Toolbox {
    work: Arc<Tools>,
    descriptions: Arc<[Tool]>,
}

/// A call as a client sends it.
pub(crate) struct NamedCall {
    /// The name of the tool.
    pub(crate) tool: String,
    pub(crate) arguments: JsonObject,
    pub(crate) watch: Watch,
}

impl Toolbox {
    pub(crate) fn new(work: Tools) -> Toolbox {
        Toolbox { descriptions: tools::tools(&work.abilities()).into(), work: Arc::new(work) }
    }

    /// Returns the same tools for another caller, who sees nothing of what this one does. `purse`
    /// pays for its explorations too.
    #[cfg(feature = "serve")]
    pub(crate) fn for_another(&self, purse: Option<&str>) -> Toolbox {
        Toolbox { work: Arc::new(self.work.for_another(purse)), ..self.clone() }
    }

    /// Returns what is left of the limit in USD; `None` if nothing is ever spent.
    #[cfg(feature = "serve")]
    pub(crate) fn left(&self) -> Option<PicoUsd> {
        self.work.left()
    }

    /// Returns the descriptions of all tools.
    pub(crate) fn descriptions(&self) -> &[Tool] {
        &self.descriptions
    }

    /// Finds a tool by the name that a client gave.
    ///
    /// # Errors
    /// There is none: a message with the names of those there are.
    pub(crate) fn find(&self, name: &str) -> Result<&Tool, String> {
        self.descriptions.iter().find(|tool| tool.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.descriptions.iter().map(|tool| &*tool.name).collect();
            format!("no tool `{}` ({})", Sanitized::line(name), names.join(", "))
        })
    }

    /// Runs a call in a thread that may block; returns `None` if it panicked. The thread holds
    /// `permit` until its work ends. When the future is dropped, the work is cancelled.
    pub(crate) async fn run(
        &self,
        tool: &Tool,
        call: NamedCall,
        permit: impl Send + 'static,
    ) -> Option<ToolAnswer> {
        let _dropped = CancelOnDrop(call.watch.cancel.clone());
        let (work, tool) = (Arc::clone(&self.work), tool.clone());
        blocking(move || {
            let _permit = permit;
            let known: Vec<&str> = tool.input_schema["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, _)| name.as_str())
                .collect();
            work.call(&tool.name, &known, call.arguments, &call.watch)
        })
        .await
    }
}

/// Cancels work that nobody waits for any longer.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Runs a blocking function; returns `None` if it panicked.
async fn blocking(work: impl FnOnce() -> ToolAnswer + Send + 'static) -> Option<ToolAnswer> {
    tokio::task::spawn_blocking(work).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_no_answer() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert_eq!(runtime.block_on(blocking(|| panic!("a parser gave up"))), None);
    }
}
