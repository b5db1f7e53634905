//! What the rest of this crate takes from `repo-map` though it knows no terrain: text that has
//! passed the gate, tokens, levels, exit codes, the cancel token, and the helpers of a command
//! line. A test holds that nothing else of `repo-map` is used outside of `terrain/repo/`,
//! `app/cli/` and `app/mcp/`.

#[cfg(feature = "cli")]
pub(crate) use repo_map::Error as UsageError;
#[cfg(feature = "cli")]
pub(crate) use repo_map::cli::{Access, replace_file, say, sync_folder, tokens};
#[cfg(feature = "models")]
pub(crate) use repo_map::suggest;
pub(crate) use repo_map::{CancelToken, Exit, Level, Sanitized, Tokenizer};
