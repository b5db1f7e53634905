//! Effects as data: what a change does to the world besides the map, who allowed it, and what it
//! may use up.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::shared::n_of;

/// The effect of a change outside the map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// No effect.
    None,
    /// Reads from a host.
    Reads {
        /// The host.
        host: String,
    },
    /// Sends data to a host.
    Sends {
        /// The host.
        host: String,
        /// The data sent, in words.
        what: String,
    },
    /// Destroys something.
    Destroys {
        /// The thing destroyed, in words.
        what: String,
    },
}

impl Effect {
    /// Returns the permit for exactly this kind of effect on exactly this origin; `None` for no
    /// effect.
    pub fn permit(&self) -> Option<Permit> {
        let (kind, origin) = match self {
            Effect::None => return None,
            Effect::Reads { host } => (EffectKind::Reads, host),
            Effect::Sends { host, .. } => (EffectKind::Sends, host),
            Effect::Destroys { what } => (EffectKind::Destroys, what),
        };
        Some(Permit { kind, origin: origin.clone(), beside: None })
    }
}

impl fmt::Display for Effect {
    /// Writes the effect as a predicate: `does nothing`, `reads from …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::None => f.write_str("does nothing"),
            Effect::Reads { host } => write!(f, "reads from `{host}`"),
            Effect::Sends { host, what } => write!(f, "sends {what} to `{host}`"),
            Effect::Destroys { what } => write!(f, "destroys `{what}`"),
        }
    }
}

/// A field of a request that is asked about, for the person who answers: text that has passed the
/// gate, cut, with secrets masked. It is kept nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SentField {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

impl fmt::Display for SentField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = '{}'", self.name, self.value)
    }
}

/// The kinds of effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EffectKind {
    /// Reading from a host.
    Reads,
    /// Sending to a host.
    Sends,
    /// Destroying something.
    Destroys,
}

/// Allows one kind of effect on one origin, without a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    /// The kind.
    pub kind: EffectKind,
    /// The host; of what is destroyed its name.
    pub origin: String,
    /// The text that stands beside the control of what is destroyed; `None` allows any.
    pub beside: Option<String>,
}

/// What stands between the name and the text beside it.
const BESIDE: &str = " beside ";

impl Permit {
    /// Reports whether it allows an effect, of a control with a text beside it that no other one
    /// has.
    pub fn allows(&self, effect: &Effect, beside: Option<&str>) -> bool {
        let is_there = self.beside.is_none() || self.beside.as_deref() == beside;
        is_there
            && effect
                .permit()
                .is_some_and(|one| (one.kind, one.origin) == (self.kind, self.origin.clone()))
    }
}

impl fmt::Display for Permit {
    /// Writes the permit as [`FromStr`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            EffectKind::Reads => "reads",
            EffectKind::Sends => "sends",
            EffectKind::Destroys => "destroys",
        };
        write!(f, "{kind}:{}", self.origin)?;
        self.beside.as_ref().map_or(Ok(()), |text| write!(f, "{BESIDE}{text}"))
    }
}

impl FromStr for Permit {
    type Err = Error;

    /// `reads:HOST`, `sends:HOST`, `destroys:NAME` or `destroys:NAME beside TEXT`.
    fn from_str(text: &str) -> Result<Permit, Error> {
        let wrong = || Error::Permit { text: text.to_owned() };
        let (kind, origin) = text.split_once(':').ok_or_else(wrong)?;
        let kind = match kind {
            "reads" => EffectKind::Reads,
            "sends" => EffectKind::Sends,
            "destroys" => EffectKind::Destroys,
            _ => return Err(wrong()),
        };
        // What is sent is permitted by host alone: an address would permit nothing.
        let is_address = kind == EffectKind::Sends && origin.contains('/');
        if origin.is_empty() || is_address {
            return Err(wrong());
        }
        let (name, beside) = match origin.split_once(BESIDE) {
            Some((name, text)) if kind == EffectKind::Destroys => (name, Some(text.to_owned())),
            _ => (origin, None),
        };
        Ok(Permit { kind, origin: name.to_owned(), beside })
    }
}

/// Resources that effects use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Resources {
    /// The number of requests.
    pub requests: u64,
    /// Bytes received.
    pub bytes: u64,
    /// The number of steps: actions taken one after the other.
    pub steps: u64,
}

impl Resources {
    pub(crate) fn plus(self, other: Resources) -> Resources {
        Resources {
            requests: self.requests.saturating_add(other.requests),
            bytes: self.bytes.saturating_add(other.bytes),
            steps: self.steps.saturating_add(other.steps),
        }
    }
}

/// Upper limits of the resources of a run; `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ResourceLimits {
    /// The maximum number of requests.
    pub requests: Option<u64>,
    /// The maximum number of bytes received.
    pub bytes: Option<u64>,
    /// The maximum number of steps.
    pub steps: Option<u64>,
}

impl ResourceLimits {
    /// Returns the limits less the resources used.
    pub(crate) fn left(&self, used: Resources) -> ResourceLimits {
        let left = |limit: Option<u64>, used: u64| limit.map(|limit| limit.saturating_sub(used));
        ResourceLimits {
            requests: left(self.requests, used.requests),
            bytes: left(self.bytes, used.bytes),
            steps: left(self.steps, used.steps),
        }
    }

    /// Names the limited resources, for example `2 requests` when `self` is what remains.
    pub(crate) fn words(&self) -> Vec<String> {
        let word = |left: Option<u64>, one: &str| left.map(|n| n_of(n, one));
        let words =
            [word(self.requests, "request"), word(self.bytes, "byte"), word(self.steps, "step")];
        words.into_iter().flatten().collect()
    }
}
