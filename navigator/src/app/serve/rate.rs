//! The rate of a caller: no minute has more calls than allowed.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

/// The calls of one caller in the last minute.
pub(super) struct CallRate {
    per_minute: Option<NonZeroU32>,
    /// When they came, oldest first.
    times: VecDeque<Instant>,
}

impl CallRate {
    pub(super) fn new(per_minute: Option<NonZeroU32>) -> CallRate {
        CallRate { per_minute, times: VecDeque::new() }
    }

    /// Counts a call.
    ///
    /// # Errors
    /// If it is one too many: the time until the next one may come. It does not count then.
    pub(super) fn count(&mut self, now: Instant) -> Result<(), Duration> {
        let Some(most) = self.per_minute else { return Ok(()) };
        let is_over = |time: &Instant| now.saturating_duration_since(*time) >= MINUTE;
        while self.times.front().is_some_and(is_over) {
            self.times.pop_front();
        }
        match self.times.front() {
            Some(oldest) if self.times.len() >= most.get() as usize => {
                Err(MINUTE.saturating_sub(now.saturating_duration_since(*oldest)))
            }
            _ => {
                self.times.push_back(now);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "a time to count from")]

    use super::*;

    #[test]
    fn no_minute_has_more_calls_than_allowed() {
        let start = Instant::now();
        let mut rate = CallRate::new(NonZeroU32::new(3));
        let mut admitted = Vec::new();
        // A call each 7 seconds, for ten minutes.
        for second in (0..600).step_by(7) {
            match rate.count(start + Duration::from_secs(second)) {
                Ok(()) => admitted.push(second),
                Err(wait) => {
                    // At the time that was named the next one may come.
                    let mut later =
                        CallRate { per_minute: rate.per_minute, times: rate.times.clone() };
                    assert_eq!(later.count(start + Duration::from_secs(second) + wait), Ok(()));
                }
            }
        }
        assert_eq!(admitted[..5], [0, 7, 14, 63, 70]);
        assert!(admitted.windows(4).all(|calls| calls[3] - calls[0] >= 60), "{admitted:?}");
        let mut unlimited = CallRate::new(None);
        assert!((0..1_000).all(|_| unlimited.count(start).is_ok()));
    }
}
