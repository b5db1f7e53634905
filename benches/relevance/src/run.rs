//! Many instances on some threads: pieces of work are taken from a queue, outcomes come back as they are ready.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use anyhow::Result;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::checkout::{self, Origin};
use crate::instance::Instance;
use crate::measure::{Measured, Task, measure};
use crate::pack::Sizes;

/// The most instances of one repository that one thread takes at a time.
const N_A_PIECE: usize = 15;

/// Where a run finds its trees, and what it measures of them.
#[derive(Debug)]
pub(crate) struct Run {
    /// The folder of checkouts and git directories.
    pub(crate) folder: PathBuf,
    /// Trees made of git directories go here, one for each thread and repository.
    pub(crate) work: PathBuf,
    pub(crate) jobs: usize,
    pub(crate) task: Task,
}

/// What became of an instance.
pub(crate) type Done<'a> = (&'a Instance, Result<Option<Measured>>);

impl Run {
    /// Measures every instance; `see` is given each when it is ready, `None` for one without a checkout.
    pub(crate) fn measure_all<'a>(&self, instances: &'a [Instance], mut see: impl FnMut(Done<'a>) -> Result<()>) -> Result<()> {
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

    fn work<'a>(&self, worker: usize, queue: &Mutex<VecDeque<Vec<&'a Instance>>>, sender: &mpsc::Sender<Done<'a>>) {
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

    fn one(&self, worker: usize, pool: &ThreadPool, instance: &Instance, sizes: &mut Sizes) -> Result<Option<Measured>> {
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
    use super::*;
    use crate::instance::tests::instance;

    #[test]
    fn a_piece_is_of_one_repository() {
        let of = |id: usize, gitdir: &str| instance(&format!(r#""instance_id": "i-{id:02}", "gitdir": "{gitdir}""#));
        let instances: Vec<Instance> = (0..20).map(|id| of(id, if id % 5 == 0 { "a/repo" } else { "b/repo" })).collect();
        let pieces = pieces(&instances);
        let lengths: Vec<(&str, usize)> = pieces.iter().map(|piece| (piece[0].gitdir.as_str(), piece.len())).collect();
        assert_eq!(lengths, [("a/repo", 4), ("b/repo", 15), ("b/repo", 1)]);
    }
}
