//! `navigator serve`: the tools for many callers over HTTP, and tokens for them.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use clap::{Args, Subcommand, ValueEnum};
use repo_map::Sanitized;
use repo_map::cli::{Exit, say, write_out};

use super::mcp::{McpArgs, opened};
use crate::app::mcp::Toolbox;
use crate::app::serve::{
    CallGate, CallLimits, CallScope, CallerEntry, Callers, CallersReader, ConnectionLimits,
    CurrentCallers, HostNames, RequestLimits, Service, check_name, new_token, serve,
};
use crate::app::settings::usage;
#[cfg(feature = "store")]
use crate::app::settings::{Settings, store_place};
#[cfg(feature = "store")]
use crate::store::Store;

const OF_THE_SERVER: &str = "\
With --model, --budget is the limit for the lifetime of the server; a call can only lower it.
The limits of a site hold for each call; a call can only lower --max-requests.
Without --model no model is used: a model in the settings is ignored.

Exit codes:
  0    ended by a signal
  1    error
  2    usage, refused price";

#[derive(Debug, Args)]
#[command(after_help = OF_THE_SERVER, args_conflicts_with_subcommands = true)]
pub(super) struct ServeArgs {
    #[command(subcommand)]
    command: Option<ServeCommand>,
    #[command(flatten)]
    tools: McpArgs,
    /// Listen at this address; port 0 takes a free one. Without --callers it must be of the
    /// loopback.
    #[arg(
        help_heading = "Server",
        long,
        value_name = "ADDR:PORT",
        default_value = "127.0.0.1:7878"
    )]
    listen: SocketAddr,
    /// Admit only the callers of this file, by their tokens (`navigator serve token` adds one).
    /// SIGHUP has it read again.
    #[arg(help_heading = "Server", long, value_name = "FILE")]
    callers: Option<PathBuf>,
    /// Answer to this name too, as in `https://NAME/mcp`. Repeatable.
    #[arg(help_heading = "Server", long, value_name = "NAME")]
    host: Vec<String>,
    /// Let pages of this origin call, such as `https://chat.example`. Repeatable.
    #[arg(help_heading = "Server", long, value_name = "ORIGIN", value_parser = origin)]
    origin: Vec<String>,
    /// Number of calls that run at once.
    #[arg(help_heading = "Server", long, value_name = "N", default_value = "2")]
    at_once: NonZeroU32,
    /// Number of calls that wait for them; more are refused.
    #[arg(help_heading = "Server", long, value_name = "N", default_value_t = 64)]
    max_waiting: u32,
    /// Maximum time of a call with its wait, in seconds.
    #[arg(help_heading = "Server", long, value_name = "SECONDS", default_value = "300")]
    call_time: NonZeroU32,
    /// Maximum size of the body of a request, in bytes.
    #[arg(help_heading = "Server", long, value_name = "BYTES", default_value_t = 4 << 20)]
    max_body: u32,
    /// Number of open connections; more wait.
    #[arg(help_heading = "Server", long, value_name = "N", default_value = "256")]
    max_connections: NonZeroU32,
    /// Maximum time to read the head of a request, and its body, in seconds.
    #[arg(help_heading = "Server", long, value_name = "SECONDS", default_value = "10")]
    read_time: NonZeroU32,
    /// Maximum time in which a client reads nothing of a response, in seconds.
    #[arg(help_heading = "Server", long, value_name = "SECONDS", default_value = "30")]
    write_time: NonZeroU32,
    /// Time that calls in flight have when the server ends, in seconds.
    #[arg(help_heading = "Server", long, value_name = "SECONDS", default_value_t = 30)]
    grace: u32,
    /// Print no line for each call.
    #[arg(help_heading = "Server", short, long)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum ServeCommand {
    /// Make a token for a caller. It is printed once; its entry has a digest of it alone.
    Token(TokenArgs),
}

#[derive(Debug, Args)]
struct TokenArgs {
    /// The name of the caller, for the log.
    name: String,
    /// Allow these tools (or the figures of the server). Repeatable. [default: map, explore,
    /// knowledge]
    #[arg(long, value_enum, value_name = "SCOPE")]
    scope: Vec<CallScope>,
    /// Maximum number of calls in a minute.
    #[arg(long, value_name = "N", default_value = "60")]
    rate: NonZeroU32,
    /// Let this purse pay for its explorations (`navigator purse`).
    #[cfg(feature = "store")]
    #[arg(long, value_name = "NAME")]
    purse: Option<String>,
    /// Add the entry to this file instead of printing it on standard error.
    #[arg(long, value_name = "FILE")]
    callers: Option<PathBuf>,
}

impl ValueEnum for CallScope {
    fn value_variants<'a>() -> &'a [CallScope] {
        &CallScope::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(self.as_str().into())
    }
}

/// Reads an origin: a scheme and a host, with a port where it has one.
fn origin(text: &str) -> Result<String, String> {
    let origin = url::Url::parse(text).map(|url| url.origin().ascii_serialization());
    match origin {
        Ok(origin) if origin == text.to_ascii_lowercase() => Ok(origin),
        Ok(origin) if origin != "null" => Err(format!("did you mean `{origin}`?")),
        _ => Err("an origin is a scheme and a host (`https://chat.example`)".to_owned()),
    }
}

/// Serves until a signal, or makes a token.
pub(super) fn run(args: &ServeArgs) -> Result<Exit> {
    if let Some(ServeCommand::Token(args)) = &args.command {
        return token(args);
    }
    let reader = args.callers.clone().map(|file| callers_reader(file, args)).transpose()?;
    let callers = reader.as_ref().map_or_else(|| Ok(Callers::local()), |read| read())?;
    if !callers.need_tokens() && !args.listen.ip().is_loopback() {
        let message = format!(
            "`{}` can be reached from other machines, and there are no tokens (`--callers FILE` \
             names a file of them, `navigator serve token NAME --callers FILE` makes one)",
            args.listen
        );
        return Err(usage("--listen", message));
    }
    let toolbox = Toolbox::new(opened(&args.tools)?);
    let listener = TcpListener::bind(args.listen)
        .with_context(|| format!("listening at {} (`--listen` names another)", args.listen))?;
    let address = listener.local_addr().context("listening")?;
    let seconds = |n: NonZeroU32| Duration::from_secs(n.get().into());
    let limits = CallLimits {
        at_once: args.at_once.get() as usize,
        waiting: args.max_waiting as usize,
        time: seconds(args.call_time),
    };
    let service = Service {
        gate: Arc::new(CallGate::new(toolbox, limits, args.quiet)),
        callers: CurrentCallers::new(callers),
        hosts: HostNames::new(address.ip(), &args.host, &args.origin),
        limits: RequestLimits { body: args.max_body as usize, read: seconds(args.read_time) },
    };
    let limits = ConnectionLimits {
        open: args.max_connections.get() as usize,
        head: seconds(args.read_time),
        write: seconds(args.write_time),
        grace: Duration::from_secs(args.grace.into()),
    };
    serve(listener, service, &limits, reader)?;
    say("navigator: ended");
    Ok(Exit::Finished)
}

/// Returns what reads the file of callers, now and at each reload.
fn callers_reader(file: PathBuf, args: &ServeArgs) -> Result<CallersReader> {
    #[cfg(feature = "store")]
    let settings = Settings::read(&args.tools.model, None, None)?;
    #[cfg(not(feature = "store"))]
    let _ = args;
    Ok(Arc::new(move || {
        let callers = read_callers(&file)?;
        #[cfg(feature = "store")]
        check_purses(&settings, &callers)?;
        Ok(callers)
    }))
}

/// Checks that the purses of callers are there now, so that no call has to fail.
#[cfg(feature = "store")]
fn check_purses(settings: &Settings, callers: &Callers) -> Result<()> {
    let purses = callers.purses();
    if purses.is_empty() {
        return Ok(());
    }
    let mut store = Store::at(store_place(settings)?);
    for purse in purses {
        store.purse(purse).map_err(|error| match error.is_away() {
            true => error.into(),
            false => usage("--callers", format!("for the purse `{purse}` of a caller: {error}")),
        })?;
    }
    Ok(())
}

fn read_callers(file: &Path) -> Result<Callers> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    Callers::of_file(&text).map_err(|why| usage("--callers", format!("{}: {why}", file.display())))
}

/// Makes a token and its entry.
fn token(args: &TokenArgs) -> Result<Exit> {
    check_name(&args.name).map_err(|why| usage("NAME", why))?;
    let token = new_token()?;
    let scopes = match args.scope.is_empty() {
        true => [CallScope::Map, CallScope::Explore, CallScope::Knowledge].into(),
        false => args.scope.iter().copied().collect(),
    };
    let entry = CallerEntry {
        name: args.name.clone(),
        digest: blake3::hash(token.as_bytes()).to_hex().to_string(),
        scopes,
        per_minute: args.rate,
        #[cfg(feature = "store")]
        purse: args.purse.clone(),
        #[cfg(not(feature = "store"))]
        purse: None,
    };
    match &args.callers {
        Some(file) => add(file, &entry).with_context(|| format!("adding to {}", file.display()))?,
        None => say(format!("an entry for the file of `--callers`:\n\n{}", entry.to_toml())),
    }
    write_out(None, &Sanitized::text(&format!("{token}\n")))?;
    Ok(Exit::Finished)
}

/// Adds an entry to a file, which is good afterwards.
fn add(file: &Path, entry: &CallerEntry) -> Result<()> {
    let before = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error.into()),
    };
    let gap = if before.is_empty() { "" } else { "\n" };
    let added = format!("{gap}{}", entry.to_toml());
    Callers::of_file(&format!("{before}{added}")).map_err(|why| anyhow!(why))?;
    let mut open = OpenOptions::new();
    let mut file = open.create(true).append(true).open(file)?;
    Ok(file.write_all(added.as_bytes())?)
}
