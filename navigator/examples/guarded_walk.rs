//! A walk in a browser whose guard asks this program: one address may be posted to, all else is
//! refused and printed.
//!
//! `cargo run -p repo-navigator --example guarded_walk -- ADDRESS GOAL POST-ADDRESS`

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example takes arguments and prints what it made"
)]

use std::collections::BTreeSet;
use std::error::Error;

use navigator::browser::guard::judge::WireGuard;
use navigator::browser::guard::policy::WirePolicy;
use navigator::browser::launch::{Browser, BrowserOptions};
use navigator::walk::pilot::offline::OfflineWalker;
use navigator::walk::session::EffectAnswer;
use navigator::walk::state::WalkState;
use navigator::walk::steps::limits::WalkLimits;
use navigator::walk::steps::observer::WalkObserver;
use navigator::walk::steps::{Walked, walk};
use navigator::walk::words::WarningWords;
use navigator::{BrowserSession, BrowserWalk, Effect, EffectLedger};
use url::Url;

/// Answers for a user: yes to what is sent to one path, no to everything else.
#[derive(Debug, Default)]
pub(crate) struct OneAddress {
    pub(crate) host: String,
    pub(crate) path: String,
    /// What was refused.
    pub(crate) refused: Vec<String>,
}

impl WalkObserver for OneAddress {
    fn approve(&mut self, step: &str, effect: &Effect) -> EffectAnswer {
        match effect {
            // `what` is the method, the path, and the names of the fields: never their values.
            Effect::Sends { host, what }
                if *host == self.host && what.starts_with(&format!("POST {} ", self.path)) =>
            {
                EffectAnswer::Yes
            }
            _ => {
                self.refused.push(format!("{step} {effect}"));
                EffectAnswer::No
            }
        }
    }
}

/// Walks from an address towards a goal, in a browser that sends nothing without a yes.
pub(crate) fn operate(
    start: Url,
    goal: &str,
    answers: &mut OneAddress,
) -> Result<Walked, Box<dyn Error>> {
    // Reading from the first page's host leaves by itself.
    let guard = WireGuard::new(WirePolicy::nothing().with_named(&start), None);
    let browser = Browser::launch(&BrowserOptions::default(), guard)?;
    browser.guard().limit_requests(100);
    let mut session = BrowserSession::new(
        browser,
        BrowserWalk {
            start,
            named_hosts: BTreeSet::new(),
            words: WarningWords::default(),
            files: Vec::new(),
            recording: None,
        },
    );
    let (mut pilot, limits) = (OfflineWalker::default(), WalkLimits::default());
    let (state, effects) = (WalkState::first(), EffectLedger::default());
    Ok(walk(&mut session, goal, state, &mut pilot, &limits, effects, answers)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, goal, post] = arguments.as_slice() else {
        return Err("give an address, a goal, and the address that may be posted to".into());
    };
    let post: Url = post.parse()?;
    // The host with its port: another port is another server.
    let host = post[url::Position::BeforeHost..url::Position::AfterPort].to_owned();
    let mut answers = OneAddress { host, path: post.path().to_owned(), refused: Vec::new() };
    let walked = operate(address.parse()?, goal, &mut answers)?;
    for step in &walked.state.path {
        println!("{} → {}", step.action, step.result);
    }
    answers.refused.iter().for_each(|refused| println!("refused: {refused}"));
    Ok(())
}
