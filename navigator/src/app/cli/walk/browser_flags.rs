//! The flags of a walk in a browser, and its start.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use site_map::address::host_of;
use site_map::source::recording::RecordingWriter;
use url::Url;

use crate::app::cli::walk::LIVE_PAGES;
use crate::app::cli::walk::run::permits_of;
use crate::app::cli::walk::secret_flags::{file_of, secrets};
use crate::app::settings::usage;
use crate::browser::error::BrowserError;
use crate::browser::guard::judge::WireGuard;
use crate::browser::guard::policy::{AllowRule, WirePolicy};
use crate::browser::guard::security_log::SecurityLog;
use crate::browser::launch::{Browser, BrowserOptions};
use crate::money::effect::{Effect, EffectKind, Permit};
use crate::terrain::browser::{BrowserSession, BrowserWalk};
use crate::walk::words::WarningWords;

/// The flags of a walk in a browser.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Browser")]
pub(in crate::app::cli) struct BrowserFlags {
    /// Show the window of the browser.
    #[arg(long, requires = LIVE_PAGES)]
    headed: bool,
    /// Use this browser: a path, or a name on the PATH. [default: `NAVIGATOR_BROWSER`, else
    /// chromium, chromium-browser, google-chrome, google-chrome-stable or chrome]
    #[arg(long, requires = LIVE_PAGES, value_name = "PROGRAM")]
    chromium: Option<PathBuf>,
    /// Ask before a control with this word in its name is pressed, as with delete, pay and others.
    /// Repeatable.
    #[arg(long, requires = LIVE_PAGES, value_name = "WORD")]
    warn: Vec<String>,
    /// A file that a page may be given. Repeatable.
    #[arg(long, requires = LIVE_PAGES, value_name = "FILE")]
    upload: Vec<PathBuf>,
    /// A value that the pilot types by its name alone, of a variable (`NAME=env:VAR`) or of the
    /// first line of a file (`NAME=file:PATH`). It goes to the first page's origin alone, or to
    /// those named after it (`NAME=env:VAR@https://login.example`). Repeatable.
    #[arg(long, requires = LIVE_PAGES, value_name = "SECRET")]
    secret: Vec<String>,
}

impl BrowserFlags {
    /// Returns the files that are read: those that pages may be given, and those of secrets.
    pub(in crate::app::cli) fn files(&self) -> impl Iterator<Item = &Path> {
        let secrets = self.secret.iter().filter_map(|flag| file_of(flag));
        self.upload.iter().map(PathBuf::as_path).chain(secrets)
    }

    /// Starts a browser behind its guard; opens no page.
    pub(in crate::app::cli) fn session(
        &self,
        start: &Url,
        rules: BrowserRules,
        log: &Path,
        recording: RecordingWriter,
    ) -> Result<BrowserSession> {
        if let Some(none) = self.upload.iter().find(|file| !file.is_file()) {
            return Err(usage("--upload", format!("there is no file `{}`", none.display())));
        }
        let policy = WirePolicy::nothing().with_named(start);
        let policy = policy.with_secrets(secrets(&self.secret, start)?);
        let policy = rules.hosts.iter().fold(policy, |policy, host| policy.with_host(host));
        let policy = rules.requests.into_iter().fold(policy, WirePolicy::with_rule);
        let guard = WireGuard::new(policy, Some(SecurityLog::open(log)?));
        let options = BrowserOptions {
            program: self.chromium.clone(),
            is_headed: self.headed,
            ..BrowserOptions::default()
        };
        let browser = Browser::launch(&options, guard)?;
        let files = self.upload.iter().map(std::path::absolute);
        let walk = BrowserWalk {
            start: start.clone(),
            named_hosts: rules.hosts,
            words: WarningWords::default().with(self.warn.iter().cloned()),
            files: files.collect::<std::io::Result<_>>()?,
            recording: Some(recording),
        };
        Ok(BrowserSession::new(browser, walk))
    }
}

/// What `--allow` says to a browser.
pub(in crate::app::cli) struct BrowserRules {
    /// Requests that leave without a question.
    requests: Vec<AllowRule>,
    /// Hosts that may be read from.
    hosts: BTreeSet<String>,
    /// The permits of effects.
    pub(in crate::app::cli) permits: Vec<Permit>,
}

impl BrowserRules {
    /// Reads the values of `--allow`.
    pub(in crate::app::cli) fn of(allow: &[String]) -> Result<BrowserRules> {
        let is_rule = |text: &&String| text.starts_with(|c: char| c.is_ascii_uppercase());
        let (rules, permits): (Vec<&String>, Vec<&String>) = allow.iter().partition(is_rule);
        let requests: Result<Vec<AllowRule>, BrowserError> =
            rules.into_iter().map(|text| text.parse()).collect();
        let requests = requests.map_err(|error| usage("--allow", error.to_string()))?;
        let permits = permits_of(permits)?;
        let hosts = permits.iter().filter(|permit| permit.kind == EffectKind::Reads);
        let hosts = hosts.map(|permit| permit.origin.clone()).collect();
        Ok(BrowserRules { requests, hosts, permits })
    }

    /// Checks that the values allow something of a walk from an address.
    pub(in crate::app::cli) fn check(&self, start: &Url, is_in_browser: bool) -> Result<()> {
        if let (Some(rule), false) = (self.requests.first(), is_in_browser) {
            let message = format!(
                "`{rule}` allows nothing: without `--browser` a walk sends no such request"
            );
            return Err(usage("--allow", message));
        }
        let host = start.host_str().unwrap_or_default();
        let with_port = host_of(start);
        let lacks_port = |permit: &Permit| {
            permit.kind == EffectKind::Sends && permit.origin == host && host != with_port
        };
        if self.permits.iter().any(lacks_port) {
            let message = format!(
                "`sends:{host}` is for the usual port, and the first page has another one \
                 (`sends:{with_port}`)"
            );
            return Err(usage("--allow", message));
        }
        let of_browser = |permit: &&Permit| permit.kind != EffectKind::Reads;
        if let (Some(permit), false) = (self.permits.iter().find(of_browser), is_in_browser) {
            let message =
                format!("`{permit}` allows nothing: without `--browser` a walk only reads");
            return Err(usage("--allow", message));
        }
        Ok(())
    }

    /// Reports whether what a step was refused may happen now.
    pub(in crate::app::cli) fn may_allow(&self, effect: &Effect) -> bool {
        // Where a rule names a text beside the control, the step says whether it is there.
        let may_be = |permit: &Permit| permit.allows(effect, permit.beside.as_deref());
        self.permits.iter().any(may_be) || self.requests.iter().any(|rule| rule.may_allow(effect))
    }
}
