//! Texts that a knowledge has many times: identifiers, names and addresses.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

thread_local! {
    /// The texts so far of the knowledge that is being read.
    static READ: RefCell<Option<HashSet<SharedText>>> = const { RefCell::new(None) };
}

/// A text whose copies are one in memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, JsonSchema)]
#[schemars(transparent)]
pub struct SharedText(Arc<str>);

impl SharedText {
    /// Runs what reads a knowledge. Equal texts that it reads are one in memory.
    pub fn share<T>(read: impl FnOnce() -> T) -> T {
        READ.set(Some(HashSet::new()));
        let value = read();
        READ.set(None);
        value
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn read(text: &str) -> SharedText {
        READ.with_borrow_mut(|read| {
            let Some(read) = read else { return text.into() };
            if let Some(known) = read.get(text) {
                return known.clone();
            }
            let new = SharedText::from(text);
            read.insert(new.clone());
            new
        })
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for SharedText {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> SharedText {
        SharedText(text.into())
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> SharedText {
        SharedText(text.into())
    }
}

impl PartialEq<str> for SharedText {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl PartialEq<&str> for SharedText {
    fn eq(&self, other: &&str) -> bool {
        &*self.0 == *other
    }
}

impl PartialEq<String> for SharedText {
    fn eq(&self, other: &String) -> bool {
        *self.0 == **other
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for SharedText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for SharedText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SharedText, D::Error> {
        struct TextVisitor;

        impl Visitor<'_> for TextVisitor {
            type Value = SharedText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<SharedText, E> {
                Ok(SharedText::read(text))
            }
        }

        deserializer.deserialize_str(TextVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_that_are_read_together_are_one_in_memory() {
        let read = || serde_json::from_str::<Vec<SharedText>>(r#"["a", "b", "a"]"#).unwrap();
        let is_one = |texts: &[SharedText]| Arc::ptr_eq(&texts[0].0, &texts[2].0);
        let shared = SharedText::share(read);
        assert_eq!(shared, ["a", "b", "a"]);
        assert!(is_one(&shared) && !is_one(&read()));
    }
}
