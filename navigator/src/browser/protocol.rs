//! The DevTools protocol over a pipe: JSON messages that end with a zero byte.
//!
//! A connection has two threads: one reads messages and hands them on, one writes, so that no
//! caller waits for a browser that does not read. Every call has a deadline. Answers are read by
//! their callers, events are [`Value`]s, so that a new field or event of a browser breaks nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{BufReader, Read};
use std::sync::mpsc::{RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::browser::devtools_message::{
    CallAnswer, CallFailure, LARGEST_MESSAGE, MessageContent, ReadMessage, read_message,
    write_messages,
};
use crate::browser::error::BrowserError;
use crate::browser::events::{BrowserEvent, BrowserEvents, EventListener};
use crate::browser::process::DevToolsPipe;

/// Calls that the browser answers itself: a page that has crashed is loaded again.
const WITHOUT_PAGE: [&str; 3] =
    ["Page.getNavigationHistory", "Page.navigate", "Page.navigateToHistoryEntry"];

/// How often a call looks whether something else is to be done first.
const SLICE: Duration = Duration::from_millis(50);

/// The code of an error: the session of the call is gone.
const NO_SUCH_SESSION: i64 = -32001;

/// The answer to a call.
pub(crate) type CallResult = Result<CallAnswer, BrowserError>;

/// Receives each event in the thread that reads, before listeners do. It must not wait.
pub(crate) type EventHandler = Box<dyn FnMut(&Connection, &BrowserEvent) + Send>;

/// Is called once, before the pipe to the browser closes: a browser whose pipe closes lets go what
/// it holds.
pub(crate) type EndHandler = Box<dyn FnOnce() + Send>;

/// The one that waits for the answer to a call.
enum Waiter {
    Caller(SyncSender<CallResult>),
    /// Goes on in the thread that reads. It must not wait.
    Continuation(Box<dyn FnOnce(CallResult) + Send>),
}

struct PendingCall {
    session: Option<String>,
    method: String,
    waiter: Waiter,
}

#[derive(Default)]
struct ConnectionState {
    last_id: u64,
    pending: BTreeMap<u64, PendingCall>,
    /// The sessions whose page has crashed. Calls to them would have no answer.
    crashed: BTreeSet<String>,
    listeners: Vec<EventListener>,
    /// Set once the browser has ended.
    end: Option<BrowserError>,
}

/// A connection to a browser. Clones are the same connection.
#[derive(Clone)]
pub(crate) struct Connection {
    state: Arc<Mutex<ConnectionState>>,
    outgoing: Arc<Mutex<Option<Sender<Vec<u8>>>>>,
    before_end: Arc<Mutex<Option<EndHandler>>>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connection")
    }
}

impl Connection {
    /// Starts the threads that read and write.
    pub(crate) fn start(
        pipe: DevToolsPipe,
        handler: EventHandler,
        before_end: EndHandler,
    ) -> Connection {
        let (outgoing, to_write) = channel();
        let connection = Connection {
            state: Arc::default(),
            outgoing: Arc::new(Mutex::new(Some(outgoing))),
            before_end: Arc::new(Mutex::new(Some(before_end))),
        };
        let writing = connection.clone();
        let mut to_browser = pipe.to_browser;
        thread::spawn(move || {
            if let Err(error) = write_messages(&mut to_browser, &to_write) {
                writing.end(&BrowserError::Ended { message: error.to_string() });
            }
        });
        let reading = connection.clone();
        thread::spawn(move || reading.read(pipe.from_browser, handler));
        connection
    }

    /// Calls a method and waits for its answer, at most until the deadline.
    pub(crate) fn call(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        deadline: Duration,
    ) -> Result<Value, BrowserError> {
        let (sender, receiver) = sync_channel(1);
        let id = self.send(session, method, params, Waiter::Caller(sender));
        match receiver.recv_timeout(deadline) {
            Ok(result) => read_answer(method, result?),
            Err(RecvTimeoutError::Timeout) => {
                locked(&self.state).pending.remove(&id);
                Err(BrowserError::Deadline { method: method.to_owned(), deadline })
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.reason()),
        }
    }

    /// Calls a method and waits for its answer, at most until the deadline, or until something else
    /// is to be done first: `None`.
    pub(crate) fn call_unless<T: DeserializeOwned + Default>(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        deadline: Duration,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<T>, BrowserError> {
        let (sender, receiver) = sync_channel(1);
        let id = self.send(session, method, params, Waiter::Caller(sender));
        let mut left = deadline;
        loop {
            match receiver.recv_timeout(left.min(SLICE)) {
                Ok(result) => return read_answer(method, result?).map(Some),
                Err(RecvTimeoutError::Disconnected) => return Err(self.reason()),
                Err(RecvTimeoutError::Timeout) => left = left.saturating_sub(SLICE),
            }
            let has_time = !left.is_zero();
            if has_time && !is_over() {
                continue;
            }
            locked(&self.state).pending.remove(&id);
            return match has_time {
                true => Ok(None),
                false => Err(BrowserError::Deadline { method: method.to_owned(), deadline }),
            };
        }
    }

    /// Calls a method; its answer goes to a continuation, in the thread that reads.
    pub(crate) fn call_then(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        then: impl FnOnce(CallResult) + Send + 'static,
    ) {
        self.send(session, method, params, Waiter::Continuation(Box::new(then)));
    }

    /// Calls a method whose answer does not matter.
    pub(crate) fn post(&self, session: Option<&str>, method: &str, params: Value) {
        self.call_then(session, method, params, |_| ());
    }

    /// Listens to events of a session, by their names; of the browser itself with `None`.
    pub(crate) fn listen(&self, session: Option<&str>, methods: &[&str]) -> BrowserEvents {
        let (listener, events) = EventListener::new(session, methods);
        let mut state = locked(&self.state);
        if state.end.is_none() {
            state.listeners.push(listener);
        }
        events
    }

    /// Marks the page of a session as crashed: calls that wait for it fail now, later ones at once.
    pub(crate) fn crash(&self, session: &str) {
        locked(&self.state).crashed.insert(session.to_owned());
        self.fail_calls(session, &BrowserError::Crashed);
    }

    /// Takes the mark of a crash away: the page was loaded anew, or its session is gone.
    pub(crate) fn forget_crash(&self, session: &str) {
        locked(&self.state).crashed.remove(session);
    }

    /// Fails the calls that wait for a session.
    pub(crate) fn fail_calls(&self, session: &str, reason: &BrowserError) {
        let mut state = locked(&self.state);
        let of_session = |call: &PendingCall| call.session.as_deref() == Some(session);
        let (failed, kept) =
            std::mem::take(&mut state.pending)
                .into_iter()
                .partition::<BTreeMap<u64, PendingCall>, _>(|(_, call)| of_session(call));
        state.pending = kept;
        drop(state);
        for call in failed.into_values() {
            call.answer(Err(reason.clone()));
        }
    }

    /// Reports whether the browser has ended.
    pub(crate) fn has_ended(&self) -> bool {
        locked(&self.state).end.is_some()
    }

    /// Closes the pipe to the browser, which then ends by itself.
    pub(crate) fn close(&self) {
        self.end(&BrowserError::Ended { message: "it was closed".to_owned() });
    }

    fn reason(&self) -> BrowserError {
        let reason = locked(&self.state).end.clone();
        reason.unwrap_or_else(|| BrowserError::Ended { message: "its pipe closed".to_owned() })
    }

    /// Queues a message and returns its number. What cannot be sent is answered with an error.
    fn send(&self, session: Option<&str>, method: &str, params: Value, waiter: Waiter) -> u64 {
        let call =
            PendingCall { session: session.map(str::to_owned), method: method.to_owned(), waiter };
        let mut state = locked(&self.state);
        state.last_id += 1;
        let id = state.last_id;
        let has_crashed = session.is_some_and(|session| state.crashed.contains(session))
            && !WITHOUT_PAGE.contains(&method);
        let crash = has_crashed.then_some(BrowserError::Crashed);
        if let Some(error) = state.end.clone().or(crash) {
            drop(state);
            call.answer(Err(error));
            return id;
        }
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        state.pending.insert(id, call);
        // Queued under the lock, so that messages leave in the order of their numbers.
        if let Some(outgoing) = &*locked(&self.outgoing) {
            // Without a writer the connection has ended, and `end` answers the call.
            let _ = outgoing.send(message.to_string().into_bytes());
        }
        id
    }

    fn read(&self, from_browser: Box<dyn Read + Send>, mut handler: EventHandler) {
        let mut from_browser = BufReader::with_capacity(1 << 16, from_browser);
        // Drops before the pipe: if a handler panics, nobody answers what the browser holds.
        let ending = EndOfReading(self.clone());
        let reason = loop {
            match read_message(&mut from_browser, LARGEST_MESSAGE) {
                Ok(Some(message)) => self.take(message, &mut handler),
                Ok(None) => break "its pipe closed".to_owned(),
                Err(error) => break error.to_string(),
            }
        };
        ending.0.end(&BrowserError::Ended { message: reason });
    }

    /// Takes one message: the answer to a call, or an event.
    fn take(&self, message: ReadMessage, handler: &mut EventHandler) {
        let event = match message.content {
            MessageContent::Answer(id, answer) => {
                let call = locked(&self.state).pending.remove(&id);
                if let Some(call) = call {
                    let result = answer.map_err(|failure| call.error(failure));
                    call.answer(result);
                }
                return;
            }
            MessageContent::Event(session, method, params) => {
                BrowserEvent { session, method, params }
            }
        };
        handler(self, &event);
        let mut state = locked(&self.state);
        state.listeners.retain(|listener| listener.hears(&event, message.n_bytes));
    }

    /// Ends the connection: all waiting calls fail now, later ones at once.
    fn end(&self, reason: &BrowserError) {
        // Locked until it is done: a second caller must not close the pipe before.
        let mut before_end = locked(&self.before_end);
        if let Some(before_end) = before_end.take() {
            before_end();
        }
        drop(before_end);
        let mut state = locked(&self.state);
        state.end.get_or_insert_with(|| reason.clone());
        state.listeners.clear();
        let calls = std::mem::take(&mut state.pending);
        // The thread that writes ends with its queue, and closes the pipe.
        locked(&self.outgoing).take();
        drop(state);
        for call in calls.into_values() {
            call.answer(Err(reason.clone()));
        }
    }
}

/// Ends a connection with the thread that reads.
struct EndOfReading(Connection);

impl Drop for EndOfReading {
    fn drop(&mut self) {
        self.0.end(&BrowserError::Ended { message: "nobody reads its messages".to_owned() });
    }
}

impl PendingCall {
    fn error(&self, failure: CallFailure) -> BrowserError {
        let method = self.method.clone();
        match failure {
            CallFailure::Refused(Some(NO_SUCH_SESSION), _) => BrowserError::Closed,
            CallFailure::Refused(_, message) => BrowserError::Refused { method, message },
            CallFailure::TooLarge => BrowserError::TooLarge { largest: LARGEST_MESSAGE },
        }
    }

    fn answer(self, result: CallResult) {
        match self.waiter {
            // A caller whose deadline has passed is gone.
            Waiter::Caller(sender) => drop(sender.send(result)),
            Waiter::Continuation(then) => then(result),
        }
    }
}

/// Reads an answer, in the thread of its caller.
fn read_answer<T: DeserializeOwned + Default>(
    method: &str,
    answer: CallAnswer,
) -> Result<T, BrowserError> {
    let message = "the answer cannot be read".to_owned();
    answer.read().ok_or_else(|| BrowserError::Refused { method: method.to_owned(), message })
}

/// Locks a value. A thread that panicked while it held the lock leaves a whole value: nothing here
/// is changed in more than one step.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufRead as _, Write as _};

    use super::*;

    const SOON: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(20);

    /// A connection to a browser that this test plays.
    fn connected() -> (Connection, BufReader<io::PipeReader>, io::PipeWriter) {
        let (theirs, to_browser) = io::pipe().unwrap();
        let (from_browser, ours) = io::pipe().unwrap();
        let pipe =
            DevToolsPipe { from_browser: Box::new(from_browser), to_browser: Box::new(to_browser) };
        let connection = Connection::start(pipe, Box::new(|_, _| ()), Box::new(|| ()));
        (connection, BufReader::new(theirs), ours)
    }

    fn next_call(calls: &mut BufReader<io::PipeReader>) -> Value {
        let mut call = Vec::new();
        calls.read_until(0, &mut call).unwrap();
        serde_json::from_slice(&call[..call.len() - 1]).unwrap()
    }

    fn say(browser: &mut io::PipeWriter, message: &str) {
        browser.write_all(format!("{message}\0").as_bytes()).unwrap();
    }

    #[test]
    fn answers_reach_their_calls_in_any_order() {
        let (connection, mut calls, mut browser) = connected();
        let second = {
            let connection = connection.clone();
            let (sent, first_is_sent) = channel();
            let first = thread::spawn(move || {
                sent.send(()).unwrap();
                connection.call(Some("s"), "A.one", json!({ "n": 1 }), LONG)
            });
            first_is_sent.recv().unwrap();
            let call = next_call(&mut calls);
            let expected =
                json!({ "id": 1, "method": "A.one", "params": { "n": 1 }, "sessionId": "s" });
            assert_eq!(call, expected);
            first
        };
        let third = {
            let connection = connection.clone();
            thread::spawn(move || connection.call(None, "A.two", json!({}), LONG))
        };
        assert_eq!(next_call(&mut calls)["id"], 2);
        say(&mut browser, "no json");
        say(&mut browser, r#"{"id":2,"error":{"code":-1,"message":"no"}}"#);
        say(&mut browser, r#"{"id":1,"result":{"a":1}}"#);
        assert_eq!(second.join().unwrap(), Ok(json!({ "a": 1 })));
        let refused = BrowserError::Refused { method: "A.two".into(), message: "no".into() };
        assert_eq!(third.join().unwrap(), Err(refused));
    }

    #[test]
    fn a_silent_browser_costs_the_deadline_and_an_ended_one_nothing() {
        let (connection, calls, browser) = connected();
        let silent = connection.call(None, "A.b", json!({}), SOON);
        assert_eq!(silent, Err(BrowserError::Deadline { method: "A.b".into(), deadline: SOON }));
        drop((calls, browser));
        let ended = connection.call(None, "A.b", json!({}), LONG).unwrap_err();
        assert!(ended.is_of_browser(), "{ended}");
    }

    #[test]
    fn a_crashed_page_ends_its_calls_and_no_others() {
        let (connection, _calls, _browser) = connected();
        let waiting = {
            let connection = connection.clone();
            thread::spawn(move || connection.call(Some("a"), "A.b", json!({}), LONG))
        };
        while locked(&connection.state).pending.is_empty() {
            thread::yield_now();
        }
        connection.crash("a");
        assert_eq!(waiting.join().unwrap(), Err(BrowserError::Crashed));
        let again = connection.call(Some("a"), "A.b", json!({}), LONG);
        assert_eq!(again, Err(BrowserError::Crashed));
        let other = connection.call(Some("b"), "A.b", json!({}), SOON);
        assert!(matches!(other, Err(BrowserError::Deadline { .. })));
    }

    #[test]
    fn what_is_to_be_done_before_the_pipe_closes_is_done_even_if_a_handler_panics() {
        let (mut theirs, to_browser) = io::pipe().unwrap();
        let (from_browser, mut ours) = io::pipe().unwrap();
        let pipe =
            DevToolsPipe { from_browser: Box::new(from_browser), to_browser: Box::new(to_browser) };
        let (ends, ended) = channel();
        let before_end = Box::new(move || ends.send(()).unwrap());
        let panics = Box::new(|_: &Connection, _: &BrowserEvent| panic!("a handler failed"));
        let connection = Connection::start(pipe, panics, before_end);
        say(&mut ours, r#"{"method":"A.x"}"#);
        assert_eq!(theirs.read(&mut [0]).unwrap(), 0);
        assert_eq!(ended.try_recv(), Ok(()));
        assert!(connection.has_ended());
    }

    #[test]
    fn a_crashed_page_can_be_left() {
        let (connection, mut calls, mut browser) = connected();
        connection.crash("a");
        let navigation =
            thread::spawn(move || connection.call(Some("a"), "Page.navigate", json!({}), LONG));
        assert_eq!(next_call(&mut calls)["method"], "Page.navigate");
        say(&mut browser, r#"{"id":1,"result":{"frameId":"f"}}"#);
        assert_eq!(navigation.join().unwrap(), Ok(json!({ "frameId": "f" })));
    }

    #[test]
    fn events_reach_the_listeners_that_named_them() {
        let (connection, _calls, mut browser) = connected();
        let events = connection.listen(Some("a"), &["A.y"]);
        say(&mut browser, r#"{"method":"A.y","params":{},"sessionId":"b"}"#);
        say(&mut browser, r#"{"method":"A.x","params":{},"sessionId":"a"}"#);
        say(&mut browser, r#"{"method":"A.y","params":{"n":1},"sessionId":"a"}"#);
        let event = events.next_within(LONG).unwrap();
        assert_eq!((event.method.as_str(), &event.params), ("A.y", &json!({ "n": 1 })));
        drop(browser);
        assert_eq!((events.next_within(LONG), events.has_lost()), (None, false));
    }
}
