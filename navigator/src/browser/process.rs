//! Chromium as a child process: where it lies, how it is started, and how it ends. It has a
//! temporary profile, a pipe for DevTools on descriptors 3 and 4, and no open port. It ends when
//! the pipe closes, so it does not outlive this process, however that one ends.

#![expect(clippy::disallowed_methods, reason = "the rim: processes, the environment, the profile")]

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::browser::error::BrowserError;

/// The names of the program on the `PATH`.
const NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The variable of the environment that names the program.
pub const VARIABLE: &str = "NAVIGATOR_BROWSER";

/// The variables that the browser inherits. All others stay here: keys of models are among them.
const INHERITED: [&str; 10] = [
    "PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "FONTCONFIG_PATH",
    "LD_LIBRARY_PATH",
];

/// The time that an ending browser gets before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// The interval at which the end is looked for.
const POLL: Duration = Duration::from_millis(10);

/// How the folders of profiles begin.
const PROFILE: &str = "navigator-browser-";
/// The time after which a run has made the lock of its profile.
const STARTED: Duration = Duration::from_secs(60);
/// A file in a profile that its owner holds locked. The lock ends with the owner, so a profile
/// without one is left over from a run that was killed.
const LOCK: &str = "navigator.lock";

/// A running browser. Dropping it ends the browser and removes its profile.
#[derive(Debug)]
pub(crate) struct BrowserProcess {
    child: Child,
    errors: File,
    is_sandboxed: bool,
    _lock: File,
    /// The profile. It is taken only when dropped, after the child.
    profile: Option<TempDir>,
}

/// The ends of the pipe that are ours.
pub(crate) struct DevToolsPipe {
    /// The messages of the browser.
    pub(crate) from_browser: Box<dyn Read + Send>,
    /// Messages to the browser.
    pub(crate) to_browser: Box<dyn Write + Send>,
}

/// Finds the browser: the named one, else the one that the environment names, else one of the
/// `PATH`.
///
/// # Errors
/// If there is none.
pub fn find_browser(named: Option<&Path>) -> Result<PathBuf, BrowserError> {
    let of_environment = || env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let on_path =
        |name: &Path| folders.iter().map(|one| one.join(name)).find(|program| program.is_file());
    if let Some(program) = named.map(Path::to_owned).or_else(|| of_environment().map(Into::into)) {
        let is_name = program.components().count() == 1;
        return match on_path(&program).filter(|_| is_name) {
            Some(found) => Ok(found),
            None if program.is_file() => Ok(program),
            None => Err(BrowserError::NoProgram { program }),
        };
    }
    NAMES.iter().find_map(|name| on_path(name.as_ref())).ok_or(BrowserError::NotFound)
}

impl BrowserProcess {
    /// Starts a browser with flags. Root cannot use Chromium's own sandbox; for root, and only for
    /// root, it is switched off.
    pub(crate) fn start(
        program: &Path,
        flags: &[String],
    ) -> Result<(BrowserProcess, DevToolsPipe), BrowserError> {
        let failed = |error: std::io::Error| BrowserError::Launch { message: error.to_string() };
        let profile = tempfile::Builder::new().prefix(PROFILE).tempdir().map_err(failed)?;
        let lock = locked_file(profile.path()).map_err(failed)?;
        remove_left_profiles(&env::temp_dir(), profile.path());
        let is_root = owner_of(profile.path()) == Some(0);
        let errors = tempfile::tempfile().map_err(failed)?;
        let mut command = Command::new(program);
        command
            .arg("--remote-debugging-pipe")
            .arg(flag("--user-data-dir=", profile.path()))
            .args(flags)
            .args(is_root.then_some("--no-sandbox"))
            .env_clear()
            .envs(inherited(profile.path()))
            .current_dir(profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors.try_clone().map_err(failed)?);
        let (child, pipe) = spawn(command)?;
        let process = BrowserProcess {
            child,
            errors,
            is_sandboxed: !is_root,
            _lock: lock,
            profile: Some(profile),
        };
        Ok((process, pipe))
    }

    /// Returns the id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Reports whether the browser uses its sandbox.
    pub(crate) fn is_sandboxed(&self) -> bool {
        self.is_sandboxed
    }

    /// Returns the last lines that the browser wrote to its error stream.
    pub(crate) fn last_errors(&mut self) -> String {
        const TAIL: usize = 600;
        let mut bytes = Vec::new();
        let n = self.errors.metadata().map_or(0, |metadata| metadata.len());
        let start = SeekFrom::Start(n.saturating_sub(TAIL as u64));
        let read = self
            .errors
            .seek(start)
            .and_then(|_| (&self.errors).take(TAIL as u64).read_to_end(&mut bytes));
        match read {
            Ok(_) => String::from_utf8_lossy(&bytes).trim().replace('\n', " | "),
            Err(error) => error.to_string(),
        }
    }

    /// Waits for the end of the browser, which was asked to end, and kills it when it takes too
    /// long.
    fn end(&mut self) {
        let start = Instant::now();
        while start.elapsed() < GRACE {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(POLL),
                Ok(Some(_)) | Err(_) => return,
            }
        }
        // It may have ended by itself in between.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        self.end();
        let Some(profile) = self.profile.take() else { return };
        // The processes of pages end a moment after their parent, and write until then.
        let path = profile.keep();
        let start = Instant::now();
        while fs::remove_dir_all(&path).is_err() && path.exists() && start.elapsed() < GRACE {
            thread::sleep(POLL);
        }
    }
}

/// Makes the lock of a profile. It has its name once it is locked: before, another run would take
/// the profile for one that was left.
fn locked_file(profile: &Path) -> std::io::Result<File> {
    let new = profile.join("navigator.lock.new");
    let lock = File::create_new(&new)?;
    lock.lock()?;
    fs::rename(new, profile.join(LOCK))?;
    Ok(lock)
}

/// Removes the profiles of our runs that were killed. `own` is a profile that was just made.
fn remove_left_profiles(folder: &Path, own: &Path) {
    let (Ok(entries), Some(us)) = (fs::read_dir(folder), owner_of(own)) else { return };
    for entry in entries.flatten() {
        let (path, lock) = (entry.path(), entry.path().join(LOCK));
        // Anybody can make a folder of this name, and only its owner what lies in it.
        if path == own || !is_profile_name(&entry.file_name()) || owner_of(&path) != Some(us) {
            continue;
        }
        let is_left = match is_file(&lock) {
            true => File::open(&lock).is_ok_and(|lock| lock.try_lock().is_ok()),
            // A profile whose lock is not made yet belongs to a run that just starts. Another one
            // was removed before the last processes of its browser had ended, which made it again.
            false => age(&path).is_some_and(|age| age > STARTED) && is_of_browser(&path),
        };
        if is_left {
            // One that is removed by another run stays no longer anyway.
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Reports whether a folder has the name of a profile.
fn is_profile_name(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(PROFILE));
    random.is_some_and(|random| random.chars().all(char::is_alphanumeric))
}

/// Reports whether a folder is empty, or has what a browser writes when it ends.
fn is_of_browser(folder: &Path) -> bool {
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    is_file(&folder.join("Local State")) || is_empty()
}

/// Returns the time since something was made in a folder, or removed from it.
fn age(folder: &Path) -> Option<Duration> {
    fs::symlink_metadata(folder).ok()?.modified().ok()?.elapsed().ok()
}

/// Reports whether there is a file, and no link or pipe, which would be waited for.
fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

#[cfg(unix)]
fn spawn(mut command: Command) -> Result<(Child, DevToolsPipe), BrowserError> {
    use std::os::unix::process::CommandExt;

    use command_fds::{CommandFdExt, FdMapping};

    let failed = |error: std::io::Error| BrowserError::Launch { message: error.to_string() };
    let (theirs_in, to_browser) = std::io::pipe().map_err(failed)?;
    let (from_browser, theirs_out) = std::io::pipe().map_err(failed)?;
    command
        // Ctrl-C at the terminal is ours: the run ends first, and the browser with it.
        .process_group(0)
        .fd_mappings(vec![
            FdMapping { parent_fd: theirs_in.into(), child_fd: 3 },
            FdMapping { parent_fd: theirs_out.into(), child_fd: 4 },
        ])
        .map_err(|error| BrowserError::Launch { message: error.to_string() })?;
    // The command holds the child's ends of the pipe: they close here with it.
    let child = command.spawn().map_err(failed)?;
    let pipe =
        DevToolsPipe { from_browser: Box::new(from_browser), to_browser: Box::new(to_browser) };
    Ok((child, pipe))
}

#[cfg(not(unix))]
fn spawn(_command: Command) -> Result<(Child, DevToolsPipe), BrowserError> {
    Err(BrowserError::Unsupported)
}

/// Returns the user that owns a folder, which is no link. What this process makes is its own.
#[cfg(unix)]
fn owner_of(folder: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::symlink_metadata(folder).ok().filter(fs::Metadata::is_dir)?;
    Some(metadata.uid())
}

#[cfg(not(unix))]
fn owner_of(_folder: &Path) -> Option<u32> {
    None
}

fn flag(name: &str, path: &Path) -> OsString {
    let mut flag = OsString::from(name);
    flag.push(path);
    flag
}

/// The environment of the browser. Its home is the profile, so that it reads and writes nothing in
/// the home of the person.
fn inherited(profile: &Path) -> Vec<(OsString, OsString)> {
    let xauthority = env::var_os("XAUTHORITY").or_else(|| {
        let home = env::var_os("HOME")?;
        Some(Path::new(&home).join(".Xauthority").into_os_string())
    });
    let named = INHERITED.iter().filter_map(|name| Some(((*name).into(), env::var_os(name)?)));
    let home = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]
        .map(|name| (OsString::from(name), profile.as_os_str().to_owned()));
    named.chain(home).chain(xauthority.map(|path| ("XAUTHORITY".into(), path))).collect()
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn a_browser_that_is_missing_is_an_error_that_names_it() {
        let named = Path::new("/nowhere/chromium");
        let error = find_browser(Some(named)).unwrap_err();
        assert_eq!(error.to_string(), "there is no browser at `/nowhere/chromium`");
        // A name is one of the `PATH`, as a shell takes it.
        assert!(find_browser(Some("sh".as_ref())).is_ok_and(|program| program.is_absolute()));
    }

    #[test]
    fn a_profile_is_never_taken_for_one_that_was_left_while_its_run_starts() {
        let folder = tempfile::tempdir().unwrap();
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let looked = folder.path().to_owned();
        let other = thread::spawn(move || {
            while stopped.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
                remove_left_profiles(&looked, &looked);
            }
        });
        let locks: Vec<File> = (0..300)
            .map(|n| {
                let profile = folder.path().join(format!("{PROFILE}{n}"));
                fs::create_dir(&profile).unwrap();
                locked_file(&profile).unwrap()
            })
            .collect();
        drop(stop);
        other.join().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), locks.len());
    }

    #[cfg(unix)]
    #[test]
    fn profiles_that_were_left_are_removed_and_nothing_else_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(format!("{PROFILE}{name}"));
        for name in ["left", "pipe", "used", "new", "old"] {
            fs::create_dir(at(name)).unwrap();
        }
        // A browser that ended late made it again.
        let times = fs::FileTimes::new().set_modified(SystemTime::now() - 2 * STARTED);
        File::open(at("old")).unwrap().set_times(times).unwrap();
        fs::write(at("left").join(LOCK), "").unwrap();
        let used = File::create(at("used").join(LOCK)).unwrap();
        used.lock().unwrap();
        let pipe = at("pipe").join(LOCK);
        assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join(LOCK), "").unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), at("link")).unwrap();

        let (ends, ended) = std::sync::mpsc::channel();
        let (looked, own) = (folder.path().to_owned(), at("new"));
        thread::spawn(move || {
            remove_left_profiles(&looked, &own);
            ends.send(()).unwrap();
        });
        assert_eq!(ended.recv_timeout(Duration::from_secs(20)), Ok(()));
        let names = ["left", "pipe", "used", "new", "link", "old"];
        let is_there = names.map(|name| at(name).exists());
        assert_eq!(is_there, [false, true, true, true, true, false]);
        assert!(elsewhere.path().join(LOCK).exists());
    }
}
