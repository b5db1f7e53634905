//! The kinds of question, and how manuals head the answers to them.

/// How manuals head the answers to a kind of question: how words of the question begin, and words
/// of the headings, in normal form. Any one of them is enough.
const KINDS: [(&[&str], &[&str]); 9] = [
    (&["where ", "in which place", "in what place"], &["location", "position"]),
    (&["how much", "how many", "capacity", "capacities"], &["capacity", "quantity", "amount"]),
    // `How to use …` asks for no work with tools.
    (
        &[
            "what are the steps",
            "how do i change ",
            "how can i change ",
            "how to change ",
            "replace",
            "remove",
            "install",
            "take out",
            "repair",
            "renew",
        ],
        &["procedure", "service", "repair", "replacement", "removal", "installation"],
    ),
    (&["how hard", "torque", "tighten", "wrench"], &["torque", "specification"]),
    (&["should i buy", "what sort", "which sort", "what kind", "what type"], &["type"]),
    (&["known trouble", "notice", "bulletin", "recall"], &["bulletin", "notice", "recall"]),
    (
        &["plug ", "plugs ", "connector", "wire ", "wires ", "wiring", "pin ", "pins "],
        &["diagram", "connector", "wiring"],
    ),
    (&["measure", "meter show", "test "], &["testing", "inspection", "test", "diagnosis"]),
    (&["how far", "which gap", "adjust"], &["adjustment", "clearance"]),
];
/// Where values stand that none of the kinds above names.
const VALUES: (&[&str], &[&str]) =
    (&["value", "reading", "specif"], &["specification", "reference", "data"]);

/// Returns the headings of the kinds of question that a goal is, those of a kind together.
pub(super) fn kinds_of(goal: &str) -> Vec<&'static [&'static str]> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '\'';
    let words = goal.to_lowercase();
    let words = words.split(|c| !is_letter(c)).filter(|word| !word.is_empty());
    let text = words.fold(" ".to_owned(), |text, word| text + word + " ");
    // A word of a question may go on: `replaced`.
    let asks = |(questions, _): &&(&[&str], &[&str])| {
        questions.iter().any(|question| text.contains(&format!(" {question}")))
    };
    let mut kinds: Vec<&'static [&'static str]> =
        KINDS.iter().filter(asks).map(|(_, headings)| *headings).collect();
    if kinds.is_empty() && asks(&&VALUES) {
        kinds.push(VALUES.1);
    }
    kinds
}

/// Returns the words that head the answers to each kind of question.
pub(super) fn headings_by_kind() -> impl Iterator<Item = &'static [&'static str]> {
    KINDS.iter().chain([&VALUES]).map(|(_, headings)| *headings)
}

/// Returns the words that head the answers to any kind of question.
pub(super) fn headings() -> impl Iterator<Item = &'static str> {
    headings_by_kind().flatten().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_asked_for_by_whole_words() {
        assert_eq!(kinds_of("What is the latest version of the plugin?").len(), 0);
        assert_eq!(kinds_of("wireless networks spin up").len(), 0);
        assert_eq!(kinds_of("Which plug is it?").len(), 1);
        assert_eq!(kinds_of("the filter is replaced").len(), 1);
    }
}
