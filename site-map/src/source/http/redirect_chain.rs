//! A chain of redirects: it ends at a limit, and where it is a loop.

use url::Url;

use crate::source::http::error::FetchError;

/// The addresses that redirects led over, in their order: the first one was asked for.
#[derive(Debug, Clone)]
pub struct RedirectChain {
    before: Vec<Url>,
    last: Url,
}

impl RedirectChain {
    /// Begins at an address.
    pub fn of(address: Url) -> RedirectChain {
        RedirectChain { before: Vec::new(), last: address }
    }

    /// Returns the address that was asked for.
    pub fn first(&self) -> &Url {
        self.before.first().unwrap_or(&self.last)
    }

    /// Returns the address that the redirects lead to so far.
    pub fn last(&self) -> &Url {
        &self.last
    }

    /// Reports whether an address is in the chain.
    pub fn has(&self, address: &Url) -> bool {
        *address == self.last || self.before.contains(address)
    }

    /// Follows a redirect of the last address.
    ///
    /// # Errors
    /// If it leads back, or is one more than `limit`.
    pub fn follow(&mut self, target: Url, limit: usize) -> Result<(), FetchError> {
        if self.has(&target) {
            return Err(FetchError::RedirectLoop);
        }
        if self.before.len() >= limit {
            return Err(FetchError::Redirects { limit });
        }
        self.before.push(std::mem::replace(&mut self.last, target));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_ends_at_its_limit_and_where_it_is_a_loop() {
        let at = |path: &str| Url::parse("http://a/").unwrap().join(path).unwrap();
        let mut chain = RedirectChain::of(at("1"));
        assert_eq!(chain.follow(at("1"), 2), Err(FetchError::RedirectLoop));
        assert_eq!(chain.follow(at("2"), 2), Ok(()));
        assert_eq!(chain.follow(at("1"), 2), Err(FetchError::RedirectLoop));
        assert_eq!(chain.follow(at("3"), 2), Ok(()));
        assert_eq!(chain.follow(at("4"), 2), Err(FetchError::Redirects { limit: 2 }));
        assert_eq!((chain.first(), chain.last()), (&at("1"), &at("3")));
    }
}
