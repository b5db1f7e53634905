//! The queue of those who write to a file of SQLite: first come, first served.
//!
//! SQLite lets any of those who wait go first, so one may wait for seconds while another goes again
//! and again. Here everyone passes the locks of two files beside the database. The first of the
//! queue holds `queue` while it waits for `turn`; all others wait for `queue`, and the system wakes
//! them in the order in which they came. One that had its turn is last again. Locks end with their
//! process, however it ends. Only fairness depends on them: SQLite's own locks keep two from
//! writing at once.

#![expect(clippy::disallowed_methods, reason = "the rim: locks files")]

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The turn of one who writes; it ends when the value is dropped.
pub(super) struct WriterTurn {
    /// `None` where there is no queue: a file system without locks, or files of another user.
    _held: Option<File>,
}

/// The turn did not come in time.
pub(super) struct NoTurn;

/// Waits for the turn to write to the database at `path`, at most so long.
///
/// # Errors
/// If the turn does not come in time.
pub(super) fn turn(path: &Path, most: Duration) -> Result<WriterTurn, NoTurn> {
    let Ok((queue, turn)) = files(path) else { return Ok(WriterTurn { _held: None }) };
    let is_first = queue.try_lock().is_ok();
    if is_first && turn.try_lock().is_ok() {
        return Ok(WriterTurn { _held: Some(turn) });
    }
    let (send, receive) = mpsc::sync_channel(1);
    // A wait for a lock has no end of its own, so another thread does it. One that comes too late
    // gives up what it got, since nobody receives it.
    let wait = move || {
        let got = if is_first { Ok(()) } else { queue.lock() }.and_then(|()| turn.lock());
        drop(queue);
        got.map(|()| drop(send.send(turn)))
    };
    if thread::Builder::new().spawn(wait).is_err() {
        return Ok(WriterTurn { _held: None });
    }
    match receive.recv_timeout(most) {
        Ok(turn) => Ok(WriterTurn { _held: Some(turn) }),
        Err(RecvTimeoutError::Timeout) => Err(NoTurn),
        // The system refused the lock.
        Err(RecvTimeoutError::Disconnected) => Ok(WriterTurn { _held: None }),
    }
}

/// Opens the files of the queue, for their user alone.
fn files(path: &Path) -> io::Result<(File, File)> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let open = |end: &str| {
        let mut name = OsString::from(path);
        name.push(end);
        options.open(name)
    };
    Ok((open("-queue")?, open("-turn")?))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn one_that_had_its_turn_is_behind_those_who_wait() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("team.db");
        let order = Mutex::new(Vec::new());
        let (path, order) = (&path, &order);
        let first = turn(path, LONG).ok().unwrap();
        thread::scope(|scope| {
            scope.spawn(move || {
                let _turn = turn(path, LONG).ok().unwrap();
                order.lock().unwrap().push("the one who waited");
            });
            // The other holds the queue when it waits for the turn.
            let (queue, _) = files(path).unwrap();
            while queue.try_lock().is_ok() {
                queue.unlock().unwrap();
                thread::yield_now();
            }
            drop(first);
            let _turn = turn(path, LONG).ok().unwrap();
            order.lock().unwrap().push("the one who had it");
        });
        assert_eq!(*order.lock().unwrap(), ["the one who waited", "the one who had it"]);
    }

    #[test]
    fn a_turn_that_does_not_end_is_not_waited_for_and_a_late_one_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("team.db");
        let held = turn(&path, LONG).ok().unwrap();
        assert!(turn(&path, Duration::ZERO).is_err());
        drop(held);
        assert!(turn(&path, LONG).is_ok());
    }
}
