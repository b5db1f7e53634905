//! The verbs that goals begin what is to be done with.

/// What a verb says to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderVerb {
    /// To press something.
    Press,
    /// To open something.
    Open,
    /// To open something in order to read it.
    Show,
    /// To read something.
    Read,
    /// To write a value into a field: `enter 8:04 PM as the time`.
    Write,
    /// To give a file.
    Give,
    /// To do something that a control is for.
    Do,
}

const PRESSES: &[&str] = &["click", "hit", "press", "tap"];
const OPENS: &[&str] = &["choose", "follow", "go", "navigate", "open", "select", "visit"];
const SHOWS: &[&str] = &["find", "list", "see", "show", "view"];
const READS: &[&str] = &["get", "look", "read", "search", "tell"];
const WRITES: &[&str] = &["enter", "put", "type", "write"];
const GIVES: &[&str] = &["attach", "send", "submit", "upload"];
const DOES: &[&str] = &[
    "add",
    "apply",
    "archive",
    "book",
    "buy",
    "cancel",
    "change",
    "check",
    "clear",
    "close",
    "copy",
    "create",
    "delete",
    "disable",
    "download",
    "drag",
    "edit",
    "enable",
    "export",
    "fill",
    "filter",
    "import",
    "install",
    "join",
    "log",
    "login",
    "mark",
    "move",
    "order",
    "pay",
    "play",
    "print",
    "register",
    "remove",
    "rename",
    "reply",
    "reset",
    "restore",
    "run",
    "save",
    "set",
    "share",
    "sign",
    "signin",
    "sort",
    "start",
    "stop",
    "subscribe",
    "switch",
    "turn",
    "uncheck",
    "undo",
    "unsubscribe",
    "update",
];

impl OrderVerb {
    const ALL: [OrderVerb; 7] = [
        OrderVerb::Press,
        OrderVerb::Open,
        OrderVerb::Show,
        OrderVerb::Read,
        OrderVerb::Write,
        OrderVerb::Give,
        OrderVerb::Do,
    ];

    /// Returns the verbs that say so.
    pub(crate) fn words(self) -> &'static [&'static str] {
        match self {
            OrderVerb::Press => PRESSES,
            OrderVerb::Open => OPENS,
            OrderVerb::Show => SHOWS,
            OrderVerb::Read => READS,
            OrderVerb::Write => WRITES,
            OrderVerb::Give => GIVES,
            OrderVerb::Do => DOES,
        }
    }

    /// Returns what a word in lower case says to do; `None` of one that is no such verb.
    pub(crate) fn of(word: &str) -> Option<OrderVerb> {
        OrderVerb::ALL.into_iter().find(|verb| verb.words().contains(&word))
    }

    /// Reports whether what stands behind it is to be opened or pressed.
    pub(crate) fn opens(self) -> bool {
        matches!(self, OrderVerb::Press | OrderVerb::Open | OrderVerb::Show)
    }

    /// Reports whether it wants to know something, and not to have it done.
    pub(crate) fn reads(self) -> bool {
        matches!(self, OrderVerb::Show | OrderVerb::Read)
    }
}
