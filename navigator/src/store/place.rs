//! Where a store is: a file, or the address of a PostgreSQL server.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::error::StoreError;

/// The place of a store.
#[derive(Clone, PartialEq, Eq)]
pub enum StorePlace {
    /// A file of SQLite.
    File(PathBuf),
    /// The address of a PostgreSQL server and a database: `postgres://USER@HOST/DATABASE`.
    Server(String),
}

impl FromStr for StorePlace {
    type Err = StoreError;

    /// Reads a path, or an address that begins with `postgres://` or `postgresql://`.
    fn from_str(text: &str) -> Result<StorePlace, StoreError> {
        let wrong = |message: &str| StoreError::Place {
            place: without_password(text),
            message: message.to_owned(),
        };
        match text.split_once("://") {
            Some(("postgres" | "postgresql", _)) => Ok(StorePlace::Server(text.to_owned())),
            Some(_) => Err(wrong("name a file, or `postgres://USER@HOST/DATABASE`")),
            None if text.trim().is_empty() => Err(wrong("the name of the file is empty")),
            None => Ok(StorePlace::File(PathBuf::from(text))),
        }
    }
}

impl fmt::Display for StorePlace {
    /// Formats the place without a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StorePlace::File(path) => write!(f, "{}", path.display()),
            StorePlace::Server(address) => f.write_str(&without_password(address)),
        }
    }
}

impl fmt::Debug for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StorePlace({self})")
    }
}

/// Returns an address without the password of its user and without parameters that hold one.
fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let authority = match authority.rsplit_once('@') {
        Some((user, host)) => {
            format!("{}@{host}", user.split_once(':').map_or(user, |(user, _)| user))
        }
        None => authority.to_owned(),
    };
    let kept: Vec<&str> = query
        .split('&')
        .filter(|one| !one.is_empty() && !one.to_ascii_lowercase().starts_with("password"))
        .collect();
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    format!("{scheme}://{authority}{path}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        let shown = |text: &str| text.parse::<StorePlace>().unwrap().to_string();
        assert_eq!(shown("postgres://ann:s3@cret@db/team"), "postgres://ann@db/team");
        assert_eq!(
            shown("postgresql://db/team?password=x&sslmode=require"),
            "postgresql://db/team?sslmode=require"
        );
        assert_eq!(shown("postgres://ann@db:5433/team"), "postgres://ann@db:5433/team");
        assert_eq!(shown("team.db"), "team.db");
        assert_eq!(
            "mysql://u:p@db/team".parse::<StorePlace>().unwrap_err().to_string(),
            "`mysql://u@db/team` is no store: name a file, or `postgres://USER@HOST/DATABASE`"
        );
    }
}
