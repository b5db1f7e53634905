//! Values that a person keeps off the command line: `env:VAR` and `file:PATH`.

#![expect(clippy::disallowed_methods, reason = "the rim: reads values from files and variables")]

use std::path::Path;
use std::{env, fs};

/// Where a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValuePlace<'f> {
    /// A variable of the environment.
    Variable(&'f str),
    /// The first line of a file.
    File(&'f str),
}

/// Why a value cannot be read. It says nothing of the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadValue {
    place: String,
    why: String,
}

impl UnreadValue {
    /// Returns the message; what the value is for stands behind the place, such as
    /// `` of the secret `pw` ``.
    pub fn message(&self, of: &str) -> String {
        let UnreadValue { place, why } = self;
        match of.is_empty() {
            true => format!("{place}{why}"),
            false => format!("{place} {of}{why}"),
        }
    }
}

impl<'f> ValuePlace<'f> {
    /// Reads `env:VAR` or `file:PATH`; `None` for another text.
    pub fn of(text: &'f str) -> Option<ValuePlace<'f>> {
        match text.split_once(':')? {
            (_, "") => None,
            ("env", variable) => Some(ValuePlace::Variable(variable)),
            ("file", path) => Some(ValuePlace::File(path)),
            _ => None,
        }
    }

    /// Returns the file that has the value, if one has.
    pub fn file(self) -> Option<&'f Path> {
        match self {
            ValuePlace::Variable(_) => None,
            ValuePlace::File(path) => Some(Path::new(path)),
        }
    }

    /// Returns the value as it stands, of a file without the end of its line. Spaces may be part of
    /// a password.
    ///
    /// # Errors
    /// If the variable is not set, the file cannot be read, or one of them is not UTF-8.
    pub fn read(self) -> Result<String, UnreadValue> {
        match self {
            ValuePlace::Variable(variable) => match env::var(variable) {
                Ok(value) => Ok(value),
                Err(error) => {
                    let why = match error {
                        env::VarError::NotPresent => " is not set",
                        env::VarError::NotUnicode(_) => " is not UTF-8",
                    };
                    let place = format!("the variable `{variable}`");
                    Err(UnreadValue { place, why: why.to_owned() })
                }
            },
            ValuePlace::File(path) => match fs::read_to_string(path) {
                Ok(text) => Ok(text.lines().next().unwrap_or_default().to_owned()),
                Err(error) => {
                    let place = format!("the file `{path}`");
                    Err(UnreadValue { place, why: format!(": {error}") })
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_the_first_line_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("value");
        let place = format!("file:{}", file.display());
        for (text, value) in
            [("a b", "a b"), (" a \r\nno more\n", " a "), ("", ""), ("\nsecond line\n", "")]
        {
            fs::write(&file, text).unwrap();
            assert_eq!(ValuePlace::of(&place).unwrap().read().unwrap(), value, "{text:?}");
        }
    }

    #[test]
    fn a_value_that_cannot_be_read_is_named_by_its_place() {
        let message = |text: &str, of: &str| {
            let place = ValuePlace::of(text).unwrap();
            place.read().unwrap_err().message(of)
        };
        let missing = "the variable `NO_SUCH_VARIABLE` is not set";
        assert_eq!(message("env:NO_SUCH_VARIABLE", ""), missing);
        let of_secret = "the file `/nowhere/pw` of the secret `pw`: ";
        assert!(message("file:/nowhere/pw", "of the secret `pw`").starts_with(of_secret));
        for text in ["env:", "file:", "sekret", "http://a", ""] {
            assert_eq!(ValuePlace::of(text), None, "{text}");
        }
    }
}
