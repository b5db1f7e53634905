//! The engines that each test runs on: SQLite in a temporary folder, and a PostgreSQL server on a
//! socket of its own, started once for all tests of this program.

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use navigator::store::{Store, StorePlace};
use tempfile::TempDir;

/// Runs a test on both engines, with the place of a store that does not exist yet.
pub(crate) fn on_each_engine(test: impl Fn(&StorePlace)) {
    let folder = tempfile::tempdir().unwrap();
    test(&StorePlace::File(folder.path().join("team.db")));
    if let Some(server) = PostgresServer::shared() {
        test(&server.new_database());
    }
}

/// Runs a test on both engines, with a store that was made.
pub(crate) fn on_each_store(test: impl Fn(&mut Store)) {
    on_each_engine(|place| {
        let mut store = Store::at(place.clone());
        store.init().unwrap();
        test(&mut store);
    });
}

/// A place as the command line takes it.
pub(crate) fn as_flag(place: &StorePlace) -> String {
    match place {
        StorePlace::File(path) => path.display().to_string(),
        StorePlace::Server(address) => address.clone(),
    }
}

/// A PostgreSQL server with its data in a temporary folder.
pub(crate) struct PostgresServer {
    folder: PathBuf,
    programs: PathBuf,
    /// Ends the server when this process ends, however it ends.
    running: Mutex<Option<Child>>,
    n_databases: AtomicU32,
    /// Removed when the value is dropped; a shared server's is removed by its own shell.
    _owned: Option<TempDir>,
}

impl PostgresServer {
    /// The server that all tests share; `None`, and a line for the person, without PostgreSQL.
    fn shared() -> Option<&'static PostgresServer> {
        static SHARED: OnceLock<Option<PostgresServer>> = OnceLock::new();
        SHARED.get_or_init(PostgresServer::start).as_ref()
    }

    /// Starts a server of its own; `None`, and a line for the person, without PostgreSQL.
    pub(crate) fn start() -> Option<PostgresServer> {
        let Some(programs) = programs() else {
            let missing = "PostgreSQL is not installed (Debian: `apt-get install postgresql`)";
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            // Past the capture of the test harness, which shows nothing of tests that pass.
            let _ = writeln!(std::io::stderr(), "NOT CHECKED: {missing}");
            return None;
        };
        // A path of a socket has at most 107 bytes, so the folder is near the root.
        let owned = tempfile::Builder::new().prefix("pg-").tempdir_in("/tmp").unwrap();
        let folder = owned.path().to_owned();
        if is_root() {
            let done = Command::new("chown").arg("postgres").arg(&folder).status().unwrap();
            assert!(done.success(), "PostgreSQL does not run as root, and has no user of its own");
        }
        let server = PostgresServer {
            folder,
            programs,
            running: Mutex::default(),
            n_databases: AtomicU32::new(0),
            _owned: Some(owned),
        };
        server.program("initdb", &["-A", "trust", "-U", "navigator", "--no-sync", "-D", "data"]);
        server.begin();
        Some(server)
    }

    /// Runs a program of PostgreSQL to its end.
    fn program(&self, name: &str, args: &[&str]) {
        self.run(&self.programs.join(name), args);
    }

    /// Runs a program as the server's user, in its folder.
    pub(crate) fn run(&self, program: &Path, args: &[&str]) {
        let done = self.command(program).args(args).output().unwrap();
        assert!(
            done.status.success(),
            "{}: {}{}",
            program.display(),
            String::from_utf8_lossy(&done.stdout),
            String::from_utf8_lossy(&done.stderr)
        );
    }

    /// A command as a user that PostgreSQL accepts, in the server's folder.
    fn command(&self, program: &Path) -> Command {
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]);
            command.arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(&self.folder).env("LC_ALL", "C.UTF-8");
        command
    }

    /// Starts the server on its socket alone, and waits until it answers.
    pub(crate) fn begin(&self) {
        self.begin_with(&[("listen_addresses", ""), ("port", "5432")]);
    }

    /// Starts the server with some settings, `port` among them, and waits until it answers.
    pub(crate) fn begin_with(&self, settings: &[(&str, &str)]) {
        // The shell ends the server by the signal that it reads. When its input ends, so has this
        // process, however it ended, and nobody needs the folder any more.
        let script = "\"$0\" -D data -k \"$PWD\" -c fsync=off -c max_connections=100 \"$@\" \
                      >log 2>&1 & server=$!; read -r signal; kill -${signal:-QUIT} $server; \
                      wait $server; rm -f data/postmaster.pid .s.PGSQL.*; \
                      [ -n \"$signal\" ] || rm -rf \"$PWD\"";
        let (mut flags, mut port) = (Vec::new(), "");
        for (name, value) in settings {
            flags.extend(["-c".to_owned(), format!("{name}={value}")]);
            port = if *name == "port" { value } else { port };
        }
        // What the server before has said is not about this one.
        let _ = std::fs::remove_file(self.folder.join("log"));
        let child = self
            .command(Path::new("sh"))
            .args(["-c", script])
            .arg(self.programs.join("postgres"))
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        *self.running.lock().unwrap() = Some(child);
        while !self.accepts(port) {
            // The processes of a server that was killed may outlive it for a moment.
            let log = self.log();
            if log.contains("is still in use") {
                self.kill();
                return self.begin_with(settings);
            }
            // What it says to others: `the database system is not yet accepting connections`.
            let is_early = |line: &str| line.contains("the database system is");
            let has_failed = |line: &str| line.contains("FATAL:") && !is_early(line);
            assert!(!log.lines().any(has_failed), "{log}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Reports whether the server takes connections. One that starts up has its socket already.
    fn accepts(&self, port: &str) -> bool {
        let socket = self.folder.join(format!(".s.PGSQL.{port}"));
        let is_ready = || {
            let mut ask = self.command(&self.programs.join("pg_isready"));
            ask.args(["-q", "-U", "navigator", "-d", "postgres", "-p", port]);
            ask.arg("-h").arg(&self.folder);
            ask.status().unwrap().success()
        };
        UnixStream::connect(&socket).is_ok() && is_ready()
    }

    /// Kills the server, as a power failure would.
    pub(crate) fn kill(&self) {
        self.end("KILL");
    }

    /// Ends the server as an operator does.
    pub(crate) fn stop(&self) {
        self.end("INT");
    }

    fn end(&self, signal: &str) {
        let Some(mut child) = self.running.lock().unwrap().take() else { return };
        writeln!(child.stdin.take().unwrap(), "{signal}").unwrap();
        child.wait().unwrap();
    }

    /// The folder of the server.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// The address of a database that is new.
    pub(crate) fn new_database(&self) -> StorePlace {
        let name = format!("team{}", self.n_databases.fetch_add(1, Ordering::Relaxed));
        let folder = self.folder.display().to_string();
        self.program("createdb", &["-h", &folder, "-U", "navigator", &name]);
        let host = folder.replace('/', "%2F");
        StorePlace::Server(format!("postgres://navigator@{host}/{name}"))
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The folder of the newest PostgreSQL's programs, as Debian and others lay them.
fn programs() -> Option<PathBuf> {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = debian.map(|entry| entry.path().join("bin")).collect();
    folders.sort();
    folders.reverse();
    folders.extend(std::env::split_paths(&on_path));
    folders.into_iter().find(|folder| folder.join("initdb").is_file())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.trim_ascii() == b"0"
}
