//! What holds of any text that is read as a plan.

use repo_map::{Error, FlightPlan};

/// What plans are made of. Control characters of a text stand for these, so that random texts come
/// near to plans.
const PIECES: [&str; 31] = [
    "version: 1\n",
    "goal: ",
    "context: {tokens: 10, tokenizer: bytes/4, format: xml}\n",
    "context:\n  tokens: ",
    "  line_numbers: true\n",
    "scan: {hidden: true, mask: 'off', ignored: [a], outside: []}\n",
    "scan:\n  no_ignore: ",
    "rules:\n",
    "- path: ",
    "\t",
    "\n",
    "  level: ",
    "full\n",
    "\r\n",
    "outline..full\n",
    "  items:\n  - name: ",
    "    level: interface\n",
    "  items: []\n",
    "  why: ",
    "  was: full\n",
    "  mark: binary\n",
    "provenance: {tool: a, map: {tokens: 1, digest: b}, tree: {files: 1, digest: c, paths: d}, \
     files: {a: b}}\n",
    "|\n  ",
    "&a ",
    "*a ",
    "!!str ",
    "{path: '**', level: path..}\n",
    "'",
    "\"\\u2028\\x85\"",
    "? ",
    "<<: ",
];

/// The text with its control characters replaced by pieces of plans.
pub(crate) fn pieced(text: &str) -> String {
    test_support::random::pieced(text, &PIECES)
}

/// A text is a plan, which is the same once written and read again, or an error that says where.
pub(crate) fn hold(text: &str) {
    match FlightPlan::from_yaml("plan.yaml", text) {
        Ok(plan) => {
            let written = plan.to_yaml();
            let again = FlightPlan::from_yaml("written.yaml", &written)
                .unwrap_or_else(|error| panic!("{error}\n{written}\n{plan:#?}"));
            assert_eq!(again, plan, "{written}");
            assert_eq!(again.to_yaml(), written);
        }
        Err(Error::Plan { file, line, message }) => {
            assert_eq!(file, "plan.yaml");
            let of_the_whole = [
                "the plan is empty",
                "nested too deep",
                "too many YAML aliases",
                "deserializing from YAML containing more",
            ];
            let is_of_the_whole = of_the_whole.iter().any(|whole| message.starts_with(whole));
            let is_placed = line.is_some_and(|line| (1..=text.lines().count()).contains(&line));
            assert!(is_placed || line.is_none() && is_of_the_whole, "line {line:?}: {message}");
        }
        Err(error) => panic!("{error}"),
    }
}
