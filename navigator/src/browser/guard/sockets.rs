//! The open sockets of the proxy, so that one hand can end them all.

use std::collections::BTreeMap;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};

use crate::browser::protocol::locked;

/// The sockets of a proxy, on both sides. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProxySockets {
    open: Arc<Mutex<OpenSockets>>,
}

#[derive(Debug, Default)]
struct OpenSockets {
    is_closed: bool,
    last: u64,
    by_number: BTreeMap<u64, TcpStream>,
}

/// A socket that the proxy can end. Dropped with the connection that it is of.
#[derive(Debug)]
pub(super) struct SharedSocket {
    sockets: ProxySockets,
    number: u64,
}

impl ProxySockets {
    /// Takes up a socket; an error if the proxy is closed.
    pub(super) fn share(&self, socket: &TcpStream) -> io::Result<SharedSocket> {
        let socket = socket.try_clone()?;
        let mut open = locked(&self.open);
        if open.is_closed {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        open.last += 1;
        let number = open.last;
        open.by_number.insert(number, socket);
        Ok(SharedSocket { sockets: self.clone(), number })
    }

    /// Ends all connections and tunnels, now and for good.
    pub(crate) fn close(&self) {
        locked(&self.open).is_closed = true;
        self.end();
    }

    /// Ends the connections and tunnels that are open now, idle ones and uploads too.
    pub(super) fn end(&self) {
        for (_, socket) in std::mem::take(&mut locked(&self.open).by_number) {
            // One that the other side has ended already is shut.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }

    pub(super) fn are_closed(&self) -> bool {
        locked(&self.open).is_closed
    }
}

impl Drop for SharedSocket {
    fn drop(&mut self) {
        locked(&self.sockets.open).by_number.remove(&self.number);
    }
}
