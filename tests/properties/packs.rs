//! What holds of a cache whatever its packs hold.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use repo_map::cache::Cache;
use repo_map::{FlightPlan, Options, RuleLayers};
use test_support::{Repo, repo};

/// What a pack begins with is followed by the digest of its version; the digest of all before ends
/// it.
const HEAD: usize = 8 + SUM;
const SUM: usize = 32;

const GOAL: &str =
    "Session.refresh fails with \"token has expired\" when the clock of `HTTPSession` is late";

const PLANS: [&str; 3] = [
    "context: {tokens: 300}",
    "rules: [{path: '**', level: interface}]",
    "context: {tokens: 150, format: xml, line_numbers: true}",
];

/// A repository, and a cache that knows all about it.
pub(crate) struct Kept {
    repo: Repo,
    cache: tempfile::TempDir,
    packs: Vec<(PathBuf, Vec<u8>)>,
    /// Plans, and the maps they give without a goal and with one.
    right: Vec<(&'static str, [String; 2])>,
}

impl Kept {
    pub(crate) fn new() -> Kept {
        let repo = repo(
            "\
=== src/session.py
\"\"\"Sessions.\"\"\"
from src.clock import Clock

class HTTPSession:
    \"\"\"Über HTTP.\"\"\"
    def refresh(self):
        # Late?
        if self.late():
            raise ValueError(\"token has expired\")

class Session(HTTPSession):
    sessions = []
=== src/clock.rs
//! Clocks — all of them.

/// Late or not.
pub struct Clock { pub at: u64 }

impl Clock {
    /// Whether it is late.
    pub(crate) fn late(&self) -> bool { self.at > 0 }
}
=== docs/tokens.md
# Tokens
A token has expired when the clock says so.
## Sessions
Refresh them.
",
        );
        // A file that changed just now could change again unseen, and is read again.
        thread::sleep(Duration::from_millis(3_100));
        let mut kept = Kept {
            repo,
            cache: tempfile::tempdir().unwrap(),
            packs: Vec::new(),
            right: Vec::new(),
        };
        kept.right = PLANS.iter().map(|yaml| (*yaml, kept.maps(yaml))).collect();
        let folder = fs::read_dir(kept.cache.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.is_dir())
            .unwrap();
        let packs = ["words", "imports", "outlines"].map(|name| folder.join(name));
        kept.packs = packs.map(|path| (path.clone(), fs::read(path).unwrap())).into();
        kept
    }

    /// The first byte names a pack; the second a plan, and whether the others stand in the place of
    /// that pack, or say what becomes of it, and whether its checksum is put right then, and the
    /// place of its index.
    pub(crate) fn hold(&self, bytes: &[u8]) {
        let [pack, kind, rest @ ..] = bytes else { return };
        for (path, whole) in &self.packs {
            fs::write(path, whole).unwrap();
        }
        let (path, whole) = &self.packs[usize::from(*pack) % self.packs.len()];
        let (spoilt, is_whole) = match kind % 4 {
            0 => (rest.to_vec(), false),
            1 => (mutated(whole, rest), false),
            2 => (summed(mutated(unsummed(whole), rest)), true),
            _ => (summed(indexed(mutated(unsummed(whole), rest), unsummed(whole))), true),
        };
        fs::write(path, &spoilt).unwrap();
        let (yaml, right) = &self.right[usize::from(*kind / 4) % self.right.len()];
        let maps = self.maps(yaml);
        // With the right checksum anything may be said, but it is only said.
        assert!(is_whole || maps == *right, "{}", maps[0]);
    }

    fn maps(&self, yaml: &str) -> [String; 2] {
        [Some(GOAL), None].map(|goal| self.map(yaml, goal))
    }

    fn map(&self, yaml: &str, goal: Option<&str>) -> String {
        let mut plan = FlightPlan::from_yaml("plan", &format!("version: 1\n{yaml}")).unwrap();
        plan.goal = goal.map(Into::into);
        plan.scan.outside = Some(Vec::new());
        let options = Options {
            history: false,
            cache: Some(Cache::at(self.cache.path())),
            ..Options::default()
        };
        let opened = repo_map::open(self.repo.path(), &plan, &options).unwrap();
        let layers = RuleLayers { person: &plan.rules, pilot: &[] };
        let map = opened.map(layers).unwrap();
        assert!(map.tokens <= plan.context.tokens);
        for file in &map.files {
            repo_map::cost::file_costs(&opened, &file.path, &map, 5).unwrap();
            opened.neighbours(&file.path);
            repo_map::unmatched::similar_items(&opened, &file.path, "refrehs");
        }
        repo_map::explain::explain(&opened, "src/session.py", layers).unwrap();
        opened.save_cache();
        let ranking: Vec<String> =
            opened.ranking().into_iter().map(|(path, worth)| format!("{path} {worth:?}")).collect();
        format!("{}\n{}\n{}", map.text, map.flown.to_yaml(), ranking.join("\n"))
    }
}

/// Four bytes say what happens next, and where.
fn mutated(pack: &[u8], steps: &[u8]) -> Vec<u8> {
    let mut pack = pack.to_vec();
    for step in steps.chunks_exact(4) {
        let [what, high, low, n] = *step else { continue };
        let Some(room) = pack.len().checked_sub(HEAD).filter(|room| *room > 0) else { break };
        let at = HEAD + usize::from(u16::from_be_bytes([high, low])) % room;
        let to = pack.len().min(at + usize::from(n));
        match what % 8 {
            0 => pack[at] ^= 1 << (n % 8),
            1 => pack[at] = n,
            2 => pack.insert(at, n),
            3 => drop(pack.drain(at..to)),
            4 => pack.truncate(at),
            // The largest numbers, as they are packed.
            5 => drop(pack.splice(at..=at, [0xff, 0xff, 0xff, 0xff, 0x0f])),
            6 => drop(
                pack.splice(at..=at, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
            ),
            _ => {
                let some = pack[at..to].to_vec();
                pack.splice(at..at, some);
            }
        }
    }
    pack
}

fn unsummed(pack: &[u8]) -> &[u8] {
    &pack[..pack.len() - SUM]
}

/// The index, which ends a pack but for its own place, is as long as it was.
fn indexed(mut pack: Vec<u8>, before: &[u8]) -> Vec<u8> {
    let (rest, at) = before.split_last_chunk::<8>().unwrap();
    let len = rest.len() as u64 - u64::from_le_bytes(*at);
    if let Some((rest, at)) = pack.split_last_chunk_mut::<8>() {
        *at = (rest.len() as u64).saturating_sub(len).to_le_bytes();
    }
    pack
}

fn summed(mut pack: Vec<u8>) -> Vec<u8> {
    let sum = blake3::hash(&pack);
    pack.extend_from_slice(sum.as_bytes());
    pack
}
