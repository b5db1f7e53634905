//! Many instances on some threads: pieces of work are taken from a queue, outcomes come back as
//! they are ready.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use anyhow::Result;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::checkout::{self, Origin};
use crate::instance::Instance;
use crate::measure::{BenchTask, Measured, measure};
use crate::pack::Sizes;

/// The most instances of one repository that one thread takes at a time.
const N_A_PIECE: usize = 15;

/// Where a run finds its trees, and what it measures of them.
#[derive(Debug)]
pub(crate) struct BenchRun {
    /// The folder of checkouts and git directories.
    pub(crate) folder: PathBuf,
    /// Trees made of git directories go here, one for each thread and repository.
    pub(crate) work: PathBuf,
    pub(crate) jobs: usize,
    pub(crate) task: BenchTask,
}

/// What became of an instance.
pub(crate) type Done<'a> = (&'a Instance, Result<Option<Measured>>);

impl BenchRun {
    /// Measures every instance; `see` is given each when it is ready, `None` for one without a
    /// checkout.
    pub(crate) fn measure_all<'a>(
        &self,
        instances: &'a [Instance],
        mut see: impl FnMut(Done<'a>) -> Result<()>,
    ) -> Result<()> {
        let queue = Mutex::new(pieces(instances));
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for worker in 0..self.jobs {
                let (queue, sender) = (&queue, sender.clone());
                scope.spawn(move || self.work(worker, queue, &sender));
            }
            drop(sender);
            receiver.into_iter().try_for_each(&mut see)
        })
    }

    fn work<'a>(
        &self,
        worker: usize,
        queue: &Mutex<VecDeque<Vec<&'a Instance>>>,
        sender: &mpsc::Sender<Done<'a>>,
    ) {
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        while let Some(piece) = next() {
            let mut sizes = Sizes::default();
            for instance in piece {
                let done = match &pool {
                    Ok(pool) => self.one(worker, pool, instance, &mut sizes),
                    Err(error) => Err(anyhow::anyhow!("cannot start a thread: {error}")),
                };
                // Nobody listens any more: the run has ended with an error.
                if sender.send((instance, done)).is_err() {
                    return;
                }
            }
        }
    }

    fn one(
        &self,
        worker: usize,
        pool: &ThreadPool,
        instance: &Instance,
        sizes: &mut Sizes,
    ) -> Result<Option<Measured>> {
        let tree = match checkout::origin(&self.folder, instance) {
            None => return Ok(None),
            Some(Origin::Tree(tree)) => tree,
            Some(Origin::GitDir(git_dir)) => {
                let tree = tree_of(&self.work, worker, instance);
                checkout::check_out(&git_dir, &instance.base_commit, &tree)?;
                tree
            }
        };
        pool.install(|| measure(instance, &tree, &self.task, sizes)).map(Some)
    }
}

fn tree_of(work: &Path, worker: usize, instance: &Instance) -> PathBuf {
    work.join(worker.to_string()).join(instance.gitdir.replace('/', "+"))
}

/// Instances of one repository, in their order, at most [`N_A_PIECE`] a piece.
fn pieces(instances: &[Instance]) -> VecDeque<Vec<&Instance>> {
    let mut sorted: Vec<&Instance> = instances.iter().collect();
    sorted.sort_by_key(|instance| (&instance.gitdir, &instance.instance_id));
    let by_repo = sorted.chunk_by(|a, b| a.gitdir == b.gitdir);
    by_repo.flat_map(|repo| repo.chunks(N_A_PIECE)).map(<[_]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::instance::tests::instance;
    use crate::score::{AtBudget, GoldPlaces, Packed, Share};

    #[test]
    fn a_piece_is_of_one_repository() {
        let of = |id: usize, gitdir: &str| {
            instance(&format!(r#""instance_id": "i-{id:02}", "gitdir": "{gitdir}""#))
        };
        let instances: Vec<Instance> =
            (0..20).map(|id| of(id, if id % 5 == 0 { "a/repo" } else { "b/repo" })).collect();
        let pieces = pieces(&instances);
        let lengths: Vec<(&str, usize)> =
            pieces.iter().map(|piece| (piece[0].gitdir.as_str(), piece.len())).collect();
        assert_eq!(lengths, [("a/repo", 4), ("b/repo", 15), ("b/repo", 1)]);
    }

    /// Runs git on a folder of ours, and gives what it says.
    #[expect(clippy::disallowed_methods, reason = "a test makes repositories")]
    fn git(folder: &Path, args: &[&str]) -> String {
        let mut git = Command::new("git");
        git.env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .current_dir(folder);
        let output = git
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(args)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn commit(folder: &Path) -> String {
        git(folder, &["add", "-A"]);
        git(folder, &["commit", "-q", "-m", "lamp: a step"]);
        git(folder, &["rev-parse", "HEAD"])
    }

    #[test]
    fn an_instance_is_measured_in_the_tree_of_its_commit() {
        let folder = test_support::repo(concat!(
            "=== o+a/repo/src/lamp.py\nfrom switch import is_on\n\n",
            "class Lamp:\n    def __init__(self):\n        self.power = 40\n\n",
            "    def light(self):\n        return self.power if is_on() else 0\n",
            "=== o+a/repo/src/switch.py\ndef is_on():\n    return True\n\ndef is_off():\n    \
             return False\n",
            "=== o+a/repo/src/other.py\ndef unrelated():\n    pass\n",
            "=== o+a/repo/tests/test_lamp.py\ndef test_lamp():\n    assert Lamp().light()\n",
        ));
        let mirror = folder.path().join("o+a/repo");
        git(&mirror, &["init", "-q"]);
        let before = commit(&mirror);
        folder.write("o+a/repo/src/lamp.py", b"");
        folder.write("o+a/repo/src/new.py", b"def light():\n    return 1\n");
        let after = commit(&mirror);
        let gold = r#""gold_files": ["src/lamp.py", "src/gone.py"], "gold_functions": ["src/lamp.py:Lamp.light", "src/lamp.py:Lamp.__init__"],
            "gold_function_spans": {"src/lamp.py:Lamp.light": [7, 8], "src/lamp.py:Lamp.__init__": [4, 5]}, "gold_edits": {"src/lamp.py": [[8, 9], [1, 1]]},
            "language": "python", "goal": "the lamp does not light although the switch is on""#;
        let instances = [
            instance(&format!(r#"{gold}, "base_commit": "{before}""#)),
            instance(&format!(
                r#"{gold}, "base_commit": "{after}", "instance_id": "a-2", "gold_files": ["src/new.py"]"#
            )),
            instance(r#""instance_id": "b-1", "gitdir": "o+b/repo""#),
        ];
        let work = tempfile::tempdir().unwrap();
        let task = BenchTask { budgets: vec![40, 1_000], with_history: true, rank_only: false };
        let run = BenchRun {
            folder: folder.path().to_owned(),
            work: work.path().to_owned(),
            jobs: 1,
            task,
        };
        let mut outcomes = Vec::new();
        let see = |(_, done): Done<'_>| {
            outcomes.push(done?.map(|measured| measured.outcome));
            Ok(())
        };
        run.measure_all(&instances, see).unwrap();

        let share = |part, of| Share { part, of };
        let packed = |files, functions| Packed { files, functions };
        let first = outcomes[0].clone().unwrap();
        assert_eq!(first.files, GoldPlaces::of(["gone", "lamp"], ["lamp"]));
        assert_eq!(first.functions, GoldPlaces::of(["Lamp", "Lamp.light"], ["Lamp.light", "Lamp"]));
        assert_eq!(first.bm25, first.files);
        let large = AtBudget {
            tokens: 1_000,
            used: first.budgets[1].used,
            files: share(1, 2),
            functions: share(2, 2),
            edits: share(2, 2),
            precision: share(1, 2),
            // The lamp has a neighbour: it imports the switch, and the test says its name.
            nearness: share(2, 2),
            bm25: packed(share(1, 2), share(2, 2)),
            oracle: packed(share(1, 2), share(2, 2)),
        };
        let small = AtBudget {
            tokens: 40,
            used: 40,
            functions: share(0, 2),
            edits: share(0, 2),
            precision: share(0, 0),
            nearness: share(0, 0),
            ..large
        };
        assert_eq!(first.budgets, [small, large]);
        // In the second tree the lamp is empty, though its name still says it, and a new file gives
        // light.
        assert_eq!(outcomes[1].as_ref().unwrap().files, GoldPlaces::of(["new"], ["lamp", "new"]));
        assert_eq!(outcomes[2], None);

        assert_knows_only(&work.path().join("0/o+a+repo"), after);
    }

    /// Asserts that a tree is at the commit, clean, and names nothing that came later.
    fn assert_knows_only(tree: &Path, commit: String) {
        let known = [
            git(tree, &["rev-parse", "HEAD"]),
            git(tree, &["for-each-ref"]),
            git(tree, &["reflog"]),
            git(tree, &["status", "--porcelain"]),
        ];
        assert_eq!(known, [commit, "".into(), "".into(), "".into()]);
    }
}
