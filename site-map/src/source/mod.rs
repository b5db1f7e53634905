//! Where pages come from: responses of a server, files of a folder, records of a recording.

pub mod folder;
pub mod recording;
pub mod response;
mod warc;
