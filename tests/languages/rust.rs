// Copyright: nobody in particular.

//! Sessions and their tokens.
//!
//! The second paragraph of the file's documentation.

#![allow(dead_code)]

use std::fmt;

pub mod store;
mod inner {
    //! What only this file needs.
    //! On two lines.

    /// A helper.
    pub(super) fn help() {}

    pub(in crate::inner) struct Hidden;
}

/// How long a session lives, in seconds.
pub const LIFETIME: u64 = 3_600;
pub(crate) static NAMES: &[&str] = &[
    "alpha", "beta", "gamma",
    "delta",
];

/// Who a session belongs to.
pub type Owner<'a> = std::borrow::Cow<'a, str>;

/// A session.
///
/// It has a token.
#[derive(Debug, Clone)]
// The order of fields is part of the format.
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Session<'a, T = ()>
where
    T: Clone,
{
    /// Whose it is.
    pub owner: Owner<'a>,
    token: Option<T>,
}

/** What became of a session. */
#[non_exhaustive]
pub enum State {
    /// Alive.
    Alive { since: u64 },
    Dead = 2,
}

pub union Bits { int: u32, float: f32 }

/// Gives out tokens.
pub trait Issuer: Send + Sync {
    /// What a token is.
    type Token: Clone;
    const SIZE: usize;

    /// Issues one.
    fn issue(&mut self, for_whom: &str) -> Result<Self::Token, fmt::Error>;

    #[must_use]
    fn size(&self) -> usize {
        Self::SIZE
    }
}

impl<'a, T> Session<'a, T>
where
    T: Clone + 'a,
{
    const START: u64 = 0;

    /// Refreshes the session.
    #[inline] // it is called often
    pub async fn refresh<F>(
        &mut self,
        clock: impl Fn() -> u64,
        done: F,
    ) -> Result<T, fmt::Error>
    where
        F: FnOnce(&T) -> bool,
    {
        fn local() {}
        todo!()
    }

    fn expire(self) {}
}

impl fmt::Display for Session<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str("session") }
}

unsafe extern "C" {
    /// Foreign.
    pub fn getpid() -> i32;
    static environ: *const u8;
}

/// Makes a session.
#[macro_export]
macro_rules! session {
    ($owner:expr) => { Session { owner: $owner.into(), token: None } };
}

thread_local! {
    static CURRENT: u8 = 0;
}

// Not documentation.
pub fn survivor() {}

pub fn broken(x: u8 -> {
