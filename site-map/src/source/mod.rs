//! Where pages come from: responses of a server, files of a folder, records of a recording.

mod content_encoding;
pub mod folder;
#[cfg(feature = "http")]
pub mod http;
mod record_index;
mod record_search;
pub mod recording;
mod refresh;
pub mod response;
mod sniff;
mod warc;
