//! The parts of `repo-map` that the rest of this crate uses without knowing a terrain: sanitized
//! text, tokens, levels, exit codes, the cancel token, words, counts and beginnings of texts, the
//! words of goals, the roles of pages, and helpers of the command line. A test checks that no other
//! part of `repo-map` is used outside of `terrain/`, `app/cli/` and `app/mcp/`.

#[cfg(feature = "cli")]
pub(crate) use repo_map::Error as UsageError;
#[cfg(feature = "cli")]
pub(crate) use repo_map::cli::{Access, replace_file, say, sync_folder, tokens};
#[cfg(feature = "browser")]
pub(crate) use repo_map::cut_trimmed;
pub(crate) use repo_map::role::Role;
pub(crate) use repo_map::{
    CancelToken, Exit, Level, Sanitized, Tokenizer, TopicTerm, cut, findable_words, idf,
    lower_words, n_of, spaced_words, suggest, topic_terms,
};
