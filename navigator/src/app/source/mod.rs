//! What a command is about: a repository, or a site of pages from a folder, a recording or a
//! server.

pub(crate) mod documents;
pub(crate) mod site;
