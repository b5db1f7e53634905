//! The rate of a caller: no minute has more calls than allowed.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

/// The calls of one caller in the last minute.
#[derive(Default)]
pub(super) struct CallRate {
    /// When they came, oldest first.
    times: VecDeque<Instant>,
}

impl CallRate {
    /// Counts a call, of which any minute may have so many.
    ///
    /// # Errors
    /// If it is one too many: the time until the next one may come. It does not count then.
    pub(super) fn count(
        &mut self,
        now: Instant,
        per_minute: Option<NonZeroU32>,
    ) -> Result<(), Duration> {
        let Some(most) = per_minute else { return Ok(()) };
        let is_over = |time: &Instant| now.saturating_duration_since(*time) >= MINUTE;
        while self.times.front().is_some_and(is_over) {
            self.times.pop_front();
        }
        // After a reload there may be more calls than are allowed now: the wait is for the last of
        // those that are too many.
        let n_over = self.times.len().checked_sub(most.get() as usize);
        match n_over.and_then(|n| self.times.get(n)) {
            Some(oldest) => Err(MINUTE.saturating_sub(now.saturating_duration_since(*oldest))),
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
        let (mut rate, three) = (CallRate::default(), NonZeroU32::new(3));
        let mut admitted = Vec::new();
        // A call each 7 seconds, for ten minutes.
        for second in (0..600).step_by(7) {
            match rate.count(start + Duration::from_secs(second), three) {
                Ok(()) => admitted.push(second),
                Err(wait) => {
                    // At the time that was named the next one may come.
                    let mut later = CallRate { times: rate.times.clone() };
                    let then = start + Duration::from_secs(second) + wait;
                    assert_eq!(later.count(then, three), Ok(()));
                }
            }
        }
        assert_eq!(admitted[..5], [0, 7, 14, 63, 70]);
        assert!(admitted.windows(4).all(|calls| calls[3] - calls[0] >= 60), "{admitted:?}");
        let mut unlimited = CallRate::default();
        assert!((0..1_000).all(|_| unlimited.count(start, None).is_ok()));
    }

    #[test]
    fn a_lower_rate_counts_the_calls_before_it() {
        let (start, at) = (Instant::now(), Duration::from_secs);
        let mut rate = CallRate::default();
        assert!((0..4).all(|n| rate.count(start + at(n), NonZeroU32::new(5)).is_ok()));
        let two = NonZeroU32::new(2);
        // The calls at 2 and 3 seconds are as many as may be: the one at 2 has to be over.
        assert_eq!(rate.count(start + at(10), two), Err(at(52)));
        assert_eq!(rate.count(start + at(62), two), Ok(()));
    }
}
