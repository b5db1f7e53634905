//! Converts a panic over one file into a value: one bad file is a line of the report, not the end
//! of a run.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of `work`, or `None` when it panics. The panic message is dropped, because a
/// line of progress may be on standard error; panics elsewhere are reported as before.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                before(panic);
            }
        }));
    });
    let was_quiet = IS_QUIET.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    IS_QUIET.set(was_quiet);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_value() {
        assert_eq!(catch_panic(|| 1), Some(1));
        assert_eq!(catch_panic(|| panic!("said by the quiet one")), None::<()>);
    }

    #[test]
    #[ignore = "fails on purpose; run by the test below"]
    fn one_is_quiet_and_one_is_not() {
        catch_panic(|| panic!("said by the quiet one"));
        panic!("said by the loud one");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test runs another in a process of its own")]
    fn its_message_goes_nowhere() {
        let test = std::process::Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "outline::catch_panic::tests::one_is_quiet_and_one_is_not",
                "--ignored",
                "--nocapture",
            ])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&test.stderr);
        assert!(said.contains("the loud one") && !said.contains("the quiet one"), "{said}");
    }
}
