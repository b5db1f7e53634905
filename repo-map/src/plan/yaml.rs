//! Plans as YAML: reading, with errors that name file, line and field, and writing.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};
use crate::outline::languages::Languages;
use crate::plan::flight_plan::FlightPlan;
use crate::text::sanitize::Sanitized;
use crate::text::suggest::nearest;

/// The maximum size of a plan, in bytes; checked before it is parsed.
pub(crate) const MAX_PLAN_BYTES: u64 = 8 << 20;

impl FlightPlan {
    /// Reads a plan file.
    ///
    /// # Errors
    /// [`Error::Plan`] with file, line and field when the plan cannot be read or is invalid.
    #[expect(clippy::disallowed_methods, reason = "the one place where a plan comes from disk")]
    pub fn read(path: &Path) -> Result<FlightPlan> {
        let file = path.display().to_string();
        let mut text = Vec::new();
        let open = fs::File::open(path)
            .and_then(|plan| plan.take(MAX_PLAN_BYTES + 1).read_to_end(&mut text));
        open.map_err(|source| Error::Plan {
            file: file.clone(),
            line: None,
            message: format!("cannot be read: {source}"),
        })?;
        if text.len() as u64 > MAX_PLAN_BYTES {
            let message = format!("too large for a plan (at most {MAX_PLAN_BYTES} bytes)");
            return Err(Error::Plan { file, line: None, message });
        }
        match String::from_utf8(text) {
            Ok(text) => FlightPlan::from_yaml(&file, &text),
            Err(_) => Err(Error::Plan { file, line: None, message: "not UTF-8 text".to_owned() }),
        }
    }

    /// Reads a plan from text; `file` is the name used in errors.
    ///
    /// # Errors
    /// [`Error::Plan`] with file, line and field.
    pub fn from_yaml(file: &str, yaml: &str) -> Result<FlightPlan> {
        // Some editors begin a text with the mark of its byte order.
        let yaml = yaml.strip_prefix('\u{feff}').unwrap_or(yaml);
        if yaml.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
            let message = "the plan is empty (the least is `version: 1`)".to_owned();
            return Err(Error::Plan { file: file.to_owned(), line: None, message });
        }
        if let Some(message) = costly(yaml) {
            return Err(Error::Plan {
                file: file.to_owned(),
                line: None,
                message: message.to_owned(),
            });
        }
        let plan: FlightPlan =
            serde_path_to_error::deserialize(serde_yaml::Deserializer::from_str(yaml))
                .map_err(|error| plan_error(file, yaml, &error))?;
        for (position, rule) in plan.rules.iter().enumerate() {
            let missing = match (&rule.level, rule.items.as_deref()) {
                (None, None) => "a rule needs a `level`, or `items`",
                (None, Some([])) => {
                    "`items` is empty, and a rule needs a `level` or an item (`items: [{name: \
                     main, level: full}]`)"
                }
                (Some(_), _) | (None, Some(_)) => continue,
            };
            return Err(Error::Plan {
                file: file.to_owned(),
                line: Some(line_of_entry(yaml, "rules", position)),
                message: format!("rules[{position}]: {missing}"),
            });
        }
        plan.languages_in_force().map_err(|(position, message)| Error::Plan {
            file: file.to_owned(),
            line: Some(line_of_entry(yaml, "languages", position)),
            message,
        })?;
        Ok(plan)
    }

    /// Returns the languages, with the plan's changes.
    pub(crate) fn languages_in_force(&self) -> std::result::Result<Languages, (usize, String)> {
        Languages::new(&self.languages)
            .map_err(|(position, message)| (position, format!("languages[{position}].{message}")))
    }

    /// Returns the plan as YAML: the same bytes for the same plan.
    pub fn to_yaml(&self) -> Sanitized {
        Sanitized::yaml(self)
    }

    /// Reports whether a run wrote this plan.
    pub fn is_flown(&self) -> bool {
        self.provenance.is_some()
    }
}

/// Returns the reason to reject a text before it is parsed: the parser's time grows with the square
/// of the nesting, and aliases multiply its memory.
fn costly(yaml: &str) -> Option<&'static str> {
    const MOST_NESTING: usize = 1_000;
    const MOST_ALIASES: usize = 1_000;
    let (mut depth, mut deepest) = (0usize, 0usize);
    for byte in yaml.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    let is_alias = |word: &&str| {
        let name = word
            .trim_start_matches(['[', '{', ',', '-'])
            .strip_prefix('*')
            .map(|name| name.trim_end_matches([',', ']', '}']));
        name.is_some_and(|name| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        })
    };
    let aliases = yaml.split_whitespace().filter(is_alias).count();
    if deepest > MOST_NESTING {
        Some("nested too deep for a plan (at most 1000 brackets)")
    } else if aliases > MOST_ALIASES {
        Some(
            "too many YAML aliases for a plan (at most 1000; globs that begin with `*` need \
             quotes)",
        )
    } else {
        None
    }
}

/// Returns the line on which an entry of a list begins. For a list that is not in block style,
/// returns the line that names the list, or the first.
fn line_of_entry(yaml: &str, list: &str, position: usize) -> usize {
    let begins = yaml.lines().position(|line| line.starts_with(list));
    let begin = begins.or_else(|| yaml.lines().position(|line| line.contains(list))).unwrap_or(0);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_its = |(_, line): &(usize, &str)| line.is_empty() || line.starts_with([' ', '-', '#']);
    let lines = yaml.lines().enumerate().skip(begin + 1).take_while(is_its);
    let mut dashes = lines.filter(|(_, line)| line.trim_start().starts_with("- ")).peekable();
    let width = dashes.peek().map(|(_, line)| indent(line));
    let entry = dashes.filter(|(_, line)| Some(indent(line)) == width).nth(position);
    1 + entry.map_or(begin, |(at, _)| at)
}

/// Converts serde's message: puts the place in front, as in all messages here, and adds the nearest
/// known field for an unknown one.
fn plan_error(
    file: &str,
    yaml: &str,
    error: &serde_path_to_error::Error<serde_yaml::Error>,
) -> Error {
    let inner = error.inner();
    let mut message = inner.to_string();
    if let Some(at) = message.rfind(" at line ") {
        message.truncate(at);
    }
    let field = error.path().to_string();
    // The parser's own messages begin with a path, which ends at the mapping around the field.
    if let Some((place, rest)) = message.split_once(": ")
        && (field.starts_with(place) || place.starts_with(&field))
    {
        message = rest.to_owned();
    }
    if let Some(hint) = unknown_field_hint(&message) {
        message.push_str(&format!(" (did you mean `{hint}`?)"));
    }
    if field != "." {
        message = format!("{field}: {message}");
    }
    let line = inner.location().map(|location| line_of_field(yaml, location.line(), &field));
    Error::Plan { file: file.to_owned(), line, message }
}

/// Returns the line of a field. The parser places an error at the mapping that holds the field; the
/// field itself is at or below that line. At the end of a text it names the line after the last,
/// and YAML has line breaks that editors do not count.
fn line_of_field(yaml: &str, from: usize, field: &str) -> usize {
    let key = format!("{}:", field.rsplit('.').next().unwrap_or(field));
    let is_here = |line: &str| line.trim_start().trim_start_matches("- ").starts_with(&key);
    let below = yaml.lines().skip(from.saturating_sub(1)).take(50).position(is_here);
    below.map_or(from, |below| from + below).min(yaml.lines().count())
}

fn unknown_field_hint(message: &str) -> Option<String> {
    let (_, rest) = message
        .split_once("unknown field `")
        .or_else(|| message.split_once("unknown variant `"))?;
    let (field, expected) = rest.split_once('`')?;
    let candidates: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let known = match field {
        "pattern" | "glob" | "paths" | "file" => {
            candidates.iter().find(|candidate| **candidate == "path").copied()
        }
        "reason" | "comment" => candidates.iter().find(|candidate| **candidate == "why").copied(),
        "budget" | "max_tokens" => {
            candidates.iter().find(|candidate| **candidate == "tokens").copied()
        }
        _ => None,
    };
    known.or_else(|| nearest(field, candidates)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(yaml: &str) -> String {
        FlightPlan::from_yaml("review.yaml", yaml).unwrap_err().to_string()
    }

    #[test]
    fn an_error_names_file_line_field_and_the_nearest_right_word() {
        assert_eq!(
            error(
                "version: 1\nrules:\n- path: src\n  level: full\n- path: docs\n  level: \
                 signatures\n"
            ),
            "review.yaml:6: rules[1].level: `signatures` is not a level (did you mean `interface`?)"
        );
        assert_eq!(
            error("version: 1\ncontxt:\n  tokens: 3\n"),
            "review.yaml:2: contxt: unknown field `contxt`, expected one of `version`, `goal`, \
             `context`, `scan`, `languages`, `rules`, `provenance` (did you mean `context`?)"
        );
        assert_eq!(
            error("version: 1\nrules:\n- path: ''\n  level: full\n"),
            "review.yaml:3: rules[0].path: an empty glob matches nothing (`**` matches every path)"
        );
        assert_eq!(
            error("version: 1\nrules:\n- path: 'a[b'\n  level: full\n"),
            "review.yaml:3: rules[0].path: `a[b` is not a valid glob: unclosed character class; \
             missing ']'"
        );
        assert_eq!(error("\u{feff}version: 1\nx: 1\n"), error("version: 1\nx: 1\n"));
        assert_eq!(
            error("# nothing\n\n"),
            "review.yaml: the plan is empty (the least is `version: 1`)"
        );
        assert_eq!(
            error("version: 1\nrules:\n  - path: a\n    level: full\n  - path: b\n"),
            "review.yaml:5: rules[1]: a rule needs a `level`, or `items`"
        );
        assert_eq!(
            error("version: 1\nrules:\n- {path: a, items: []}\n"),
            "review.yaml:3: rules[0]: `items` is empty, and a rule needs a `level` or an item \
             (`items: [{name: main, level: full}]`)"
        );
        assert_eq!(
            error("- path: src\n  level: full\n"),
            "review.yaml:1: invalid type: sequence, expected a plan: fields and their values, \
             `version: 1` among them"
        );
        assert_eq!(
            error("version: 1\nrules:\n- src=full\n"),
            "review.yaml:3: rules[0]: invalid type: string \"src=full\", expected a rule: a \
             `path` and a `level`"
        );
        assert_eq!(
            error("version: 3\n"),
            "review.yaml:1: version: this tool reads plans of version 1, not 3"
        );
    }

    #[test]
    fn tokens_are_spelt_as_on_the_command_line() {
        let tokens = |text: &str| {
            let yaml = format!("version: 1\ncontext:\n  tokens: {text}\n");
            FlightPlan::from_yaml("p", &yaml).map(|plan| plan.context.tokens)
        };
        for text in ["8000", "8k", "'8K'", "8_000"] {
            assert_eq!(tokens(text).unwrap(), 8_000, "{text}");
        }
        let refused = |text: &str| tokens(text).unwrap_err().to_string();
        assert_eq!(
            refused("many"),
            "p:3: context.tokens: `many` is not a number of tokens (`8000`, `8k`)"
        );
        assert_eq!(refused("-5"), "p:3: context.tokens: `-5` is not a whole number of tokens");
        assert_eq!(
            refused("[8]"),
            "p:3: context.tokens: invalid type: sequence, expected a number of tokens (`8000`, \
             `8k`)"
        );
    }

    #[test]
    fn a_yaml_bomb_and_deep_nesting_are_refused() {
        let mut bomb = String::from("version: 1\ngoal: &a0 lol\n");
        for layer in 1..12 {
            let references = vec![format!("*a{}", layer - 1); 10].join(", ");
            bomb.push_str(&format!("x{layer}: &a{layer} [{references}]\n"));
        }
        assert!(error(&bomb).starts_with("review.yaml"), "{}", error(&bomb));
        assert!(
            error(&format!("version: 1\nrules: {}", "[".repeat(20_000))).starts_with("review.yaml")
        );
    }

    #[test]
    fn a_plan_written_out_and_read_back_is_the_same_plan() {
        let yaml = "version: 1\ngoal: |\n  two\n  lines\ncontext: {tokens: 200, tokenizer: \
            bytes/4, format: xml}\n\
                    rules:\n- {path: src, level: outline..full, why: because, items: [{name: \
                    'a::b@2', level: full}]}\n";
        let plan = FlightPlan::from_yaml("p", yaml).unwrap();
        assert_eq!(FlightPlan::from_yaml("p", &plan.to_yaml()).unwrap(), plan);
    }
}
