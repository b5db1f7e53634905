//! Events of a browser, and who listens to them: a queue for each listener, bounded in events and
//! in bytes. A listener can hear several sessions.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

/// The number of events that wait for a listener; later ones are lost to it, which it can see.
const WAITING_EVENTS: usize = 16_384;
/// The size of their messages, in bytes.
const WAITING_BYTES: usize = 64 << 20;

/// An event of a browser.
#[derive(Debug, Clone, PartialEq)]
pub struct BrowserEvent {
    /// The session; `None` is the browser itself.
    pub session: Option<String>,
    /// The name, for example `Page.loadEventFired`.
    pub method: String,
    /// Its values.
    pub params: Value,
}

/// One that listens to events of sessions.
#[derive(Debug)]
pub(crate) struct EventListener {
    /// The names of the events.
    methods: BTreeSet<String>,
    /// Events with the sizes of their messages.
    sender: SyncSender<(BrowserEvent, usize)>,
    waiting: Arc<WaitingEvents>,
}

/// What waits for a listener.
#[derive(Debug, Default)]
struct WaitingEvents {
    /// The sessions whose events are heard.
    sessions: Mutex<BTreeSet<Option<String>>>,
    n_bytes: AtomicUsize,
    /// Whether there was no place for one.
    has_lost: AtomicBool,
}

/// The events of a session that a listener named, in order, from the moment of listening.
#[derive(Debug)]
pub struct BrowserEvents {
    receiver: Receiver<(BrowserEvent, usize)>,
    waiting: Arc<WaitingEvents>,
}

impl WaitingEvents {
    fn sessions(&self) -> MutexGuard<'_, BTreeSet<Option<String>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BrowserEvents {
    /// Listens to the same events of one more session from now on.
    pub(crate) fn hear_also(&self, session: &str) {
        self.waiting.sessions().insert(Some(session.to_owned()));
    }

    /// Listens to a session no more.
    pub(crate) fn hear_no_more(&self, session: &str) {
        self.waiting.sessions().remove(&Some(session.to_owned()));
    }

    /// Waits for the next event; `None` when none came within the time, or the browser has ended.
    pub fn next_within(&self, time: Duration) -> Option<BrowserEvent> {
        self.receiver.recv_timeout(time).ok().map(|taken| self.taken(taken))
    }

    /// Returns the next event that is there already.
    pub fn next_now(&self) -> Option<BrowserEvent> {
        self.receiver.try_recv().ok().map(|taken| self.taken(taken))
    }

    /// Reports whether events were lost since the last call: too many waited.
    pub fn has_lost(&self) -> bool {
        self.waiting.has_lost.swap(false, Ordering::SeqCst)
    }

    fn taken(&self, (event, n_bytes): (BrowserEvent, usize)) -> BrowserEvent {
        self.waiting.n_bytes.fetch_sub(n_bytes, Ordering::SeqCst);
        event
    }
}

impl EventListener {
    /// Makes a listener to events of a session, by their names, and what it hears.
    pub(crate) fn new(session: Option<&str>, methods: &[&str]) -> (EventListener, BrowserEvents) {
        let (sender, receiver) = sync_channel(WAITING_EVENTS);
        let waiting = Arc::new(WaitingEvents::default());
        waiting.sessions().insert(session.map(str::to_owned));
        let listener = EventListener {
            methods: methods.iter().map(|method| (*method).to_owned()).collect(),
            sender,
            waiting: Arc::clone(&waiting),
        };
        (listener, BrowserEvents { receiver, waiting })
    }

    /// Queues an event that was named; reports whether anybody listens still.
    pub(crate) fn hears(&self, event: &BrowserEvent, n_bytes: usize) -> bool {
        if !self.methods.contains(&event.method)
            || !self.waiting.sessions().contains(&event.session)
        {
            return true;
        }
        let n_waiting = self.waiting.n_bytes.fetch_add(n_bytes, Ordering::SeqCst);
        let sent = if n_waiting < WAITING_BYTES {
            self.sender.try_send((event.clone(), n_bytes))
        } else {
            Err(TrySendError::Full((event.clone(), n_bytes)))
        };
        if sent.is_err() {
            self.waiting.n_bytes.fetch_sub(n_bytes, Ordering::SeqCst);
            self.waiting.has_lost.store(true, Ordering::SeqCst);
        }
        !matches!(sent, Err(TrySendError::Disconnected(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_listener_hears_the_sessions_that_it_named() {
        let (listener, events) = EventListener::new(Some("a"), &["A.x"]);
        let of = |session: &str| BrowserEvent {
            session: Some(session.to_owned()),
            method: "A.x".to_owned(),
            params: Value::Null,
        };
        events.hear_also("b");
        let all_hear =
            |sessions: &[&str]| sessions.iter().all(|session| listener.hears(&of(session), 1));
        assert!(all_hear(&["a", "b", "c"]));
        events.hear_no_more("a");
        assert!(all_hear(&["a", "b"]));
        let heard = std::iter::from_fn(|| events.next_now()).filter_map(|event| event.session);
        assert_eq!(heard.collect::<Vec<_>>(), ["a", "b", "b"]);
    }

    #[test]
    fn events_that_nobody_takes_are_lost_which_is_said_once() {
        let (listener, events) = EventListener::new(None, &["A.x"]);
        let method = "A.x".to_owned();
        let event = BrowserEvent { session: None, method, params: Value::Null };
        assert!(listener.hears(&event, WAITING_BYTES));
        assert!(!events.has_lost());
        assert!(listener.hears(&event, 1));
        assert!(events.has_lost() && !events.has_lost());
        assert_eq!((events.next_now(), events.next_now()), (Some(event.clone()), None));
        assert!((0..=WAITING_EVENTS).all(|_| listener.hears(&event, 1)));
        assert!(events.has_lost());
        drop(events);
        assert!(!listener.hears(&event, 1));
    }
}
