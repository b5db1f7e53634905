//! What a command is about: a repository, or a site of pages from a folder, a recording or a
//! server.

pub(crate) mod documents;
#[cfg(feature = "mcp")]
pub(crate) mod origins;
#[cfg(feature = "mcp")]
pub(crate) mod reading;
pub(crate) mod site;
pub(crate) mod site_report;
