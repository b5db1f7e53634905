//! How a pilot names a secret in a text that it types: `{{secret:NAME}}`. The value stands in its
//! place in the browser alone.

const BEGIN: &str = "{{secret:";
const END: &str = "}}";

/// Returns the placeholder of a secret.
pub(crate) fn placeholder(name: &str) -> String {
    format!("{BEGIN}{name}{END}")
}

/// Reports whether a text can be the name of a secret.
#[cfg(feature = "browser")]
pub(crate) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !text.is_empty() && text.bytes().all(is_plain)
}

/// Returns the names in the placeholders of a text, in order.
pub(crate) fn names_in(text: &str) -> Vec<&str> {
    let after = text.split(BEGIN).skip(1);
    after.filter_map(|rest| rest.split_once(END)).map(|(name, _)| name.trim()).collect()
}

/// Returns a text with values in the place of its placeholders; those of unknown names stay.
#[cfg(feature = "browser")]
pub(crate) fn filled(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(BEGIN) {
        let (before, after) = rest.split_at(at);
        filled.push_str(before);
        let named = after[BEGIN.len()..].split_once(END);
        let found = named.and_then(|(name, rest)| Some((value(name.trim())?, rest)));
        rest = match found {
            Some((value, rest)) => {
                filled.push_str(&value);
                rest
            }
            None => {
                filled.push_str(BEGIN);
                &after[BEGIN.len()..]
            }
        };
    }
    filled + rest
}

/// Returns what is wrong with the names in a text; `None` if all are known.
pub(crate) fn unknown_name(text: &str, known: &[String]) -> Option<String> {
    let unknown = names_in(text).into_iter().find(|name| !known.iter().any(|one| one == name))?;
    let all: Vec<String> = known.iter().map(|name| format!("`{}`", placeholder(name))).collect();
    Some(match all.as_slice() {
        [] => format!("there is no secret `{unknown}`: the person gave none"),
        all => format!("there is no secret `{unknown}` (there is {})", all.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_unknown_ones_are_named_with_the_known_ones() {
        let known = ["user".to_owned(), "pw".to_owned()];
        assert_eq!(names_in("{{secret:user}}:{{secret: pw }} {{secret:x"), ["user", "pw"]);
        assert_eq!(unknown_name("a {{secret:pw}}", &known), None);
        assert_eq!(
            unknown_name("{{secret:pass}}", &known).unwrap(),
            "there is no secret `pass` (there is `{{secret:user}}`, `{{secret:pw}}`)"
        );
    }

    #[cfg(feature = "browser")]
    #[test]
    fn values_stand_in_the_place_of_placeholders_once() {
        let value = |name: &str| (name == "a").then(|| "{{secret:a}}".to_owned());
        assert_eq!(filled("x {{secret:a}} {{secret:b}}", value), "x {{secret:a}} {{secret:b}}");
        assert_eq!(filled("{{secret:a}}!", |_| Some("v".to_owned())), "v!");
    }
}
