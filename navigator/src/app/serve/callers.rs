//! Who may call the server: names, scopes and rates, found by the digest of a token. A token itself
//! is stored nowhere.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CallScope {
    /// `map`, `explain` and `replay`: what the repository has, at no cost.
    Map,
    /// `explore`, which may spend money.
    Explore,
    /// `ask_knowledge`.
    Knowledge,
    /// The figures of the server, for a program that collects them.
    Metrics,
}

impl CallScope {
    pub(crate) const ALL: [CallScope; 4] =
        [CallScope::Map, CallScope::Explore, CallScope::Knowledge, CallScope::Metrics];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            CallScope::Map => "map",
            CallScope::Explore => "explore",
            CallScope::Knowledge => "knowledge",
            CallScope::Metrics => "metrics",
        }
    }

    /// Returns the scope that a tool needs.
    pub(super) fn of_tool(tool: &str) -> CallScope {
        match tool {
            "explore" => CallScope::Explore,
            "ask_knowledge" => CallScope::Knowledge,
            _ => CallScope::Map,
        }
    }
}

/// Someone who calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerCaller {
    pub(crate) name: String,
    pub(crate) scopes: BTreeSet<CallScope>,
    /// The maximum number of calls in any minute; `None` without a limit.
    pub(crate) per_minute: Option<NonZeroU32>,
    /// The purse that pays for its explorations.
    pub(crate) purse: Option<String>,
}

/// The entry of a caller in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallerEntry {
    pub(crate) name: String,
    /// The BLAKE3 digest of the token, in hexadecimal digits.
    pub(crate) digest: String,
    pub(crate) scopes: BTreeSet<CallScope>,
    pub(crate) per_minute: NonZeroU32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) purse: Option<String>,
}

/// A file of callers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CallerFile {
    #[serde(default)]
    caller: Vec<CallerEntry>,
}

impl CallerEntry {
    /// Returns the entry as a table of a file.
    pub(crate) fn to_toml(&self) -> String {
        let file = CallerFile { caller: vec![self.clone()] };
        toml::to_string(&file).expect("texts and numbers can be written")
    }
}

/// A caller for each digest of a token.
type ByDigest = Vec<(blake3::Hash, Arc<ServerCaller>)>;

/// Those who may call.
pub(crate) enum Callers {
    /// Any program of this machine: the server listens on the loopback alone.
    Local(Arc<ServerCaller>),
    ByToken(ByDigest),
}

/// The callers of now. A reload puts others in their place, all at once.
pub(crate) struct CurrentCallers(Mutex<Arc<Callers>>);

impl CurrentCallers {
    pub(crate) fn new(callers: Callers) -> CurrentCallers {
        CurrentCallers(Mutex::new(Arc::new(callers)))
    }

    pub(super) fn get(&self) -> Arc<Callers> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn replace(&self, callers: Callers) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(callers);
    }
}

/// The request has no token, or one that nobody has.
pub(super) struct NoCaller {
    pub(super) has_token: bool,
}

impl Callers {
    /// Lets every program of this machine call without a token.
    pub(crate) fn local() -> Callers {
        Callers::Local(Arc::new(ServerCaller {
            name: "local".to_owned(),
            scopes: CallScope::ALL.into(),
            per_minute: None,
            purse: None,
        }))
    }

    /// Reads the text of a file of callers.
    ///
    /// # Errors
    /// What is wrong, with the name of the caller or the line.
    pub(crate) fn of_file(text: &str) -> Result<Callers, String> {
        let file: CallerFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut callers = ByDigest::new();
        for entry in file.caller {
            let name = entry.name.clone();
            let (digest, caller) =
                checked(entry).map_err(|why| format!("caller `{name}`: {why}"))?;
            if callers.iter().any(|(other, _)| *other == digest) {
                return Err(format!("caller `{name}`: another one has the same digest"));
            }
            if callers.iter().any(|(_, other)| other.name == name) {
                return Err(format!("two callers are called `{name}`: rename one"));
            }
            callers.push((digest, Arc::new(caller)));
        }
        match callers.is_empty() {
            true => Err("it has no caller (`navigator serve token NAME --callers FILE` adds one)"
                .to_owned()),
            false => Ok(Callers::ByToken(callers)),
        }
    }

    /// Returns the callers of a file.
    fn named(&self) -> impl Iterator<Item = &ServerCaller> {
        let callers = match self {
            Callers::Local(_) => &[][..],
            Callers::ByToken(callers) => callers,
        };
        callers.iter().map(|(_, caller)| &**caller)
    }

    /// Returns the names of the callers of a file.
    pub(super) fn names(&self) -> BTreeSet<&str> {
        self.named().map(|caller| caller.name.as_str()).collect()
    }

    /// Returns the names of the purses that pay for calls.
    #[cfg(feature = "store")]
    pub(crate) fn purses(&self) -> BTreeSet<&str> {
        self.named().filter_map(|caller| caller.purse.as_deref()).collect()
    }

    /// Reports whether a request needs a token.
    pub(crate) fn need_tokens(&self) -> bool {
        matches!(self, Callers::ByToken(_))
    }

    /// Returns the caller with a token. This is the only place where one is looked up.
    pub(super) fn find(&self, token: Option<&str>) -> Result<Arc<ServerCaller>, NoCaller> {
        match self {
            Callers::Local(caller) => Ok(Arc::clone(caller)),
            Callers::ByToken(callers) => {
                let no_one = NoCaller { has_token: token.is_some() };
                let digest = blake3::hash(token.unwrap_or_default().as_bytes());
                // Digests are compared in constant time, and always all of them.
                let found =
                    callers.iter().fold(None, |found, (own, caller)| match *own == digest {
                        true => Some(caller),
                        false => found,
                    });
                found.cloned().ok_or(no_one)
            }
        }
    }
}

/// Checks an entry.
fn checked(entry: CallerEntry) -> Result<(blake3::Hash, ServerCaller), String> {
    check_name(&entry.name)?;
    let digest = blake3::Hash::from_hex(&entry.digest)
        .map_err(|_| "`digest` is not 64 hexadecimal digits".to_owned())?;
    if entry.scopes.is_empty() {
        return Err("it has no scope (`scopes = [\"map\"]`)".to_owned());
    }
    if let Some(purse) = entry.purse.as_ref().filter(|_| !cfg!(feature = "store")) {
        return Err(format!(
            "`purse = \"{purse}\"`: this program was built without the feature `store`"
        ));
    }
    let CallerEntry { name, scopes, per_minute, purse, .. } = entry;
    Ok((digest, ServerCaller { name, scopes, per_minute: Some(per_minute), purse }))
}

/// Checks a name: it stands in lines of the log.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
    match !name.is_empty() && name.len() <= 64 && name.chars().all(is_plain) {
        true => Ok(()),
        false => Err("a name has at most 64 letters, digits and `-_.@`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, token: &str) -> CallerEntry {
        CallerEntry {
            name: name.to_owned(),
            digest: blake3::hash(token.as_bytes()).to_hex().to_string(),
            scopes: [CallScope::Map, CallScope::Explore].into(),
            per_minute: NonZeroU32::new(60).unwrap(),
            purse: None,
        }
    }

    fn error(text: &str) -> String {
        Callers::of_file(text).err().unwrap()
    }

    #[test]
    fn a_caller_is_found_by_its_token_alone() {
        let (ada, ben) = (entry("ada", "one"), entry("ben", "two"));
        let callers = Callers::of_file(&(ada.to_toml() + &ben.to_toml())).unwrap();
        for (token, name) in [("one", "ada"), ("two", "ben")] {
            assert_eq!(callers.find(Some(token)).ok().unwrap().name, name);
        }
        for token in [Some("three"), Some(""), Some(ada.digest.as_str()), None] {
            let no_one = callers.find(token).err().unwrap();
            assert_eq!(no_one.has_token, token.is_some());
        }
        assert!(Callers::local().find(None).is_ok());
    }

    #[test]
    fn an_error_names_the_caller() {
        let mut ada = entry("ada", "one");
        let with = |change: &dyn Fn(&mut CallerEntry)| {
            let mut entry = ada.clone();
            change(&mut entry);
            error(&entry.to_toml())
        };
        let said = [
            error(""),
            error(&ada.to_toml().repeat(2)),
            error(&(ada.to_toml() + &entry("ada", "two").to_toml())),
            with(&|ada| ada.digest = "12".to_owned()),
            with(&|ada| ada.scopes.clear()),
            with(&|ada| ada.name = "ada lovelace".to_owned()),
        ];
        insta::assert_snapshot!(said.join("\n"), @r#"
        it has no caller (`navigator serve token NAME --callers FILE` adds one)
        caller `ada`: another one has the same digest
        two callers are called `ada`: rename one
        caller `ada`: `digest` is not 64 hexadecimal digits
        caller `ada`: it has no scope (`scopes = ["map"]`)
        caller `ada lovelace`: a name has at most 64 letters, digits and `-_.@`
        "#);
        ada.purse = Some("team".to_owned());
        let with_purse = Callers::of_file(&ada.to_toml());
        #[cfg(feature = "store")]
        assert_eq!(with_purse.ok().unwrap().purses(), BTreeSet::from(["team"]));
        #[cfg(not(feature = "store"))]
        assert!(with_purse.err().unwrap().contains("without the feature `store`"));
        let misspelt = ada.to_toml().replace("\"map\"", "\"maps\"");
        assert!(error(&misspelt).contains("unknown variant `maps`"), "{}", error(&misspelt));
        let zero = ada.to_toml().replace("per_minute = 60", "per_minute = 0");
        assert!(error(&zero).contains("nonzero"), "{}", error(&zero));
    }
}
