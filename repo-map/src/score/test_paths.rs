//! Paths of tests: by the names of folders and files in many languages.

const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "testdata",
    "test-data",
    "test_data",
    "testing",
    "spec",
    "specs",
    "e2e",
    "fixtures",
    "__snapshots__",
    "snapshots",
    "ui_test",
    "ui_tests",
    "ui-tests",
    "__mocks__",
    "testcases",
    "testfixtures",
    "fuzz",
    "fuzz_targets",
    "mock",
    "mocks",
];
const CODE_SUFFIXES_OF_TESTS: &[&str] = &[
    "_test", "_tests", "_spec", ".test", ".tests", ".spec", ".e2e", "-test", ".test-d", "Test",
    "Tests",
];

/// What tests of any language use, as folders and files are called, without signs between words.
const HELPERS: &[&str] = &["testhelper", "testhelpers", "testsupport", "testutil", "testutils"];
/// Files of Go with what its tests use, which other packages may use in theirs: the tests
/// themselves end with `_test`.
const HELPERS_OF_GO: &[&str] = &["testing", "mock", "mocks"];
/// Words that end with `test` and are not about tests of the project.
const NO_TESTS: &[&str] = &[
    "abtest",
    "attest",
    "backtest",
    "contest",
    "gotest",
    "latest",
    "loadtest",
    "pentest",
    "protest",
    "speedtest",
    "unittest",
];

/// Perl has its tests in `t`, and so has git. What has such a folder for Python says `test_`.
const TESTS_OF_PERL: &[&str] = &["t", "pm", "pl", "sh", "txt"];

/// Reports whether a path is that of a test or of what tests use; `folders` are its folders in
/// lower case.
pub(super) fn is_test(path: &str, folders: &[String]) -> bool {
    let (as_written, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    if as_written.split('/').any(is_named_for_tests) {
        return true;
    }
    let lower = stem.to_ascii_lowercase();
    // Headers for users are no tests: `include/gtest/gtest-death-test.h`.
    let is_for_users = folders.iter().any(|folder| folder == "include");
    let by_name = lower.starts_with("test_")
        || lower == "tests"
        || lower == "test"
        || lower == "conftest"
        || !is_for_users && CODE_SUFFIXES_OF_TESTS.iter().any(|suffix| stem.ends_with(suffix));
    let is_package_of_go =
        || lower.split('_').next().is_some_and(|first| is_helper(first, HELPERS_OF_GO));
    let of_go = extension == "go"
        && (is_package_of_go() || folders.iter().any(|folder| is_of_tests_in_go(folder)));
    let of_helpers = is_helper(&lower, &[]) || folders.iter().any(|one| is_helper(one, &[]));
    let of_perl = folders.first().is_some_and(|first| first == "t" || first == "xt")
        && TESTS_OF_PERL.contains(&extension);
    // `django/test/` and `numpy/testing/` are libraries for tests. So a folder of exactly that name
    // directly below a top-level one does not count for Python; at the top, or in the plural, it
    // does. `actionpack/test/` of Rails and `googletest/test/` have tests.
    // So does one with `src/main` below it, by which Maven and Kotlin tell libraries from tests.
    let is_of_library = folders.windows(2).any(|two| two[0] == "src" && two[1].ends_with("main"));
    let by_folder = folders.iter().enumerate().any(|(depth, folder)| {
        let is_of_one = folder.ends_with("-test") || folder == "test" || folder == "testing";
        let is_of_tests = TEST_FOLDERS.contains(&folder.as_str())
            || ["-test", "-tests", ".tests", "-test-support", "-testing-support"]
                .iter()
                .any(|end| folder.ends_with(end));
        is_of_tests
            && !(is_of_library && is_of_one)
            && !(extension == "py"
                && depth == 1
                && folders.len() == 2
                && matches!(folder.as_str(), "test" | "testing"))
    });
    // What a program for tests reads: `retry.caddyfiletest`.
    let by_extension = is_of_tests_in_go(extension);
    by_name || by_extension || of_go || of_helpers || of_perl || by_folder
}

/// Reports whether a name in lower case is that of what tests use, or one of some others.
fn is_helper(name: &str, others: &[&str]) -> bool {
    HELPERS.contains(&&*name.replace(['_', '-'], "")) || others.contains(&name)
}

/// Reports whether a package of Go is for tests by its name, as `httptest` and `shoptest` are.
fn is_of_tests_in_go(folder: &str) -> bool {
    folder.len() > "test".len() && folder.ends_with("test") && !NO_TESTS.contains(&folder)
}

/// Reports whether the name of a folder ends with the word for tests, as those of .NET, Java and
/// Kotlin do: `UnitTests`, `Shop.Tests`, `androidTest`.
fn is_named_for_tests(folder: &str) -> bool {
    let before = folder.strip_suffix("Tests").or_else(|| folder.strip_suffix("Test"));
    before.is_some_and(|before| before.ends_with(|c: char| c.is_lowercase() || c == '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_tests_are_known_by_their_names() {
        for (path, expected) in [
            ("fuzz/fuzz_targets/glob.rs", true),
            ("caddytest/integration/retry.caddyfiletest", true),
            ("notes/latest", false),
            ("shop-testing-support/src/main/kotlin/shop/Till.kt", true),
            ("shop-testing/src/main/kotlin/shop/Till.kt", false),
        ] {
            let (folders, _) = path.rsplit_once('/').unwrap();
            let folders: Vec<String> = folders.split('/').map(str::to_owned).collect();
            assert_eq!(is_test(path, &folders), expected, "{path}");
        }
    }

    #[test]
    fn helpers_of_tests_in_go_are_known_by_their_names() {
        for (path, expected) in [
            ("testing.go", true),
            ("testing_batch.go", true),
            ("mock_store.go", true),
            ("tester.go", false),
            ("flask/testing.py", false),
        ] {
            assert_eq!(is_test(path, &[]), expected, "{path}");
        }
    }
}
