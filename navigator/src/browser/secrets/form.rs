//! What a field made of a secret that was typed into it. The page chooses that, so little of it
//! is masked: the secret with signs between its characters, or its beginning.

/// The most characters that a form has beside those of the value.
const MOST_BESIDE: usize = 64;

/// What a field has after a secret was typed into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldForm {
    /// The whole secret, in a form of the field's own: `4111 1111 …`.
    Whole,
    /// Its beginning alone.
    Beginning,
    /// Something else.
    Other,
}

/// Says what a text of a field is of a value. A form has the characters of the value in their
/// order, but for spaces and hyphens, and at most as many others. The case of letters does not
/// count.
pub(super) fn form_of(value: &str, text: &str) -> FieldForm {
    let (value, text) = (value.to_lowercase(), text.to_lowercase());
    let n_value = value.chars().count();
    let n_beside = text.chars().count().saturating_sub(n_value);
    let mut left = text.chars();
    let is_there = |c: char| left.any(|one| one == c);
    let mut kept = value.chars().filter(|c| !c.is_whitespace() && *c != '-');
    if n_beside <= n_value.min(MOST_BESIDE) && kept.all(is_there) {
        FieldForm::Whole
    } else if !text.is_empty() && value.starts_with(&text) {
        FieldForm::Beginning
    } else {
        FieldForm::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_all_characters_in_order_and_few_others() {
        use FieldForm::{Beginning, Other, Whole};
        for (value, text, expected) in [
            ("4111111111111111", "4111 1111 1111 1111", Whole),
            ("4111 1111-1111", "411111111111", Whole),
            ("de89370400440532", "DE89 3704 0044 0532", Whole),
            ("hunter2hunter2", "hunter2h", Beginning),
            ("hunter2", "Delete account", Other),
            ("hunter2", "hunter2 and whatever the page likes", Other),
            ("hunter2", "2retnuh", Other),
            ("hunter2", "", Other),
        ] {
            assert_eq!(form_of(value, text), expected, "{text}");
        }
        let long = "a".repeat(1_000);
        assert_eq!(form_of(&long, &long.replace('a', "a\\")), Other);
    }
}
