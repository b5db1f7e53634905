//! Masking of secrets in well-known formats. It runs before outlines and counts are made, so that
//! sizes match the masked text.
//!
//! The replacement names the rule: `[masked: github-token]`. The rules list only formats with a
//! recognisable prefix or keyword; a rule based on entropy would also mask hashes and test data.
//! The formats are those that vendors document and public scanners agree on.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::{Regex, RegexBuilder};

use crate::text::mask_rules::RULES;

/// The name of this rule set in plans. Masked text is part of the map, so a changed rule needs a
/// new name.
pub(crate) const RULE_SET: &str = "secrets-3";

/// How the text that replaces a secret begins; the name of the rule and a bracket end it. A change
/// needs a new [`RULE_SET`].
pub(crate) const REPLACEMENT_START: &str = "[masked: ";

/// A pattern of all replacements, for regular expressions.
pub(crate) fn replacement_pattern() -> String {
    format!(r"{}[a-z0-9-]+\]", regex::escape(REPLACEMENT_START))
}

/// The marks of all rules, and for each mark the position of its rule.
static MARKS: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let (rules, marks): (Vec<usize>, Vec<&str>) = RULES
        .iter()
        .enumerate()
        .flat_map(|(rule, (_, marks, _))| marks.split(' ').map(move |mark| (rule, mark)))
        .unzip();
    let automaton = AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(marks);
    (automaton.expect("the marks are few"), rules)
});

/// The compiled patterns of the rules. Each is compiled when one of its marks is first seen,
/// because most never are.
static PATTERNS: [OnceLock<Regex>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];

/// Placeholders in the place of secrets: crosses (`ghp_xxxxxxxx`), the alphabet, the vendors'
/// examples (`AKIA…EXAMPLE`), words (`your-password`). A key block contains spaces, so its letters
/// cannot match.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    const RUN: &str = r"x{6}|0{10}|123456789|abcdefgh|\.{3}";
    const WORD: &str = "access|admin|api|change|example|fake|here|insert|key|me|my|\
                        pass(?:w(?:or)?d)?|postgres|pwd|root|secret|some|\
                        test|the|this|token|user|your?";
    let placeholder = format!(
        r"(?i)^\S*(?:{RUN})\S*$|(?-i)EXAMPLE$|^(?i:(?:{WORD})(?:[-_.]|%[0-9a-f]{{2}})?)+[0-9]{{0,3}}$|^[*]+$"
    );
    Regex::new(&placeholder).expect("the pattern above is valid")
});

/// Replaces the secrets of a text; returns the text and the number of secrets. Line breaks inside a
/// secret are kept, so that line numbers do not change.
pub(crate) fn mask(text: &str) -> (Cow<'_, str>, u32) {
    // Most texts are names and contain no mark.
    if !MARKS.0.is_match(text) {
        return (Cow::Borrowed(text), 0);
    }
    let secrets = secrets(text);
    if secrets.is_empty() {
        return (Cow::Borrowed(text), 0);
    }
    let mut masked = String::with_capacity(text.len());
    let mut copied = 0;
    for (secret, rule) in &secrets {
        masked.push_str(&text[copied..secret.start]);
        masked.push_str(&format!("{REPLACEMENT_START}{}]", RULES[*rule].0));
        masked.extend(text[secret.clone()].chars().filter(|letter| *letter == '\n'));
        copied = secret.end;
    }
    masked.push_str(&text[copied..]);
    (Cow::Owned(masked), secrets.len() as u32)
}

/// Returns the byte ranges of secrets, in order, each with the position of the rule that names it.
/// Where rules overlap, the one that begins first names the combined range.
fn secrets(text: &str) -> Vec<(Range<usize>, usize)> {
    let (marks, rule_of) = &*MARKS;
    let mut has_mark = [false; RULES.len()];
    for mark in marks.find_overlapping_iter(text) {
        has_mark[rule_of[mark.pattern().as_usize()]] = true;
    }
    let mut secrets = Vec::new();
    for rule in (0..RULES.len()).filter(|rule| has_mark[*rule]) {
        for found in pattern(rule).captures_iter(text) {
            let secret = found.get(1).unwrap_or_else(|| found.get_match());
            if !PLACEHOLDER.is_match(secret.as_str()) {
                secrets.push((secret.range(), rule));
            }
        }
    }
    secrets.sort_by_key(|(secret, rule)| (secret.start, *rule));
    secrets.dedup_by(|(next, _), (secret, _)| {
        let overlap = next.start < secret.end;
        if overlap {
            secret.end = secret.end.max(next.end);
        }
        overlap
    });
    secrets
}

fn pattern(rule: usize) -> &'static Regex {
    // ASCII classes, because the formats are ASCII: the automata stay small and fast.
    let compiled = || {
        RegexBuilder::new(RULES[rule].2)
            .unicode(false)
            .build()
            .expect("the patterns above are valid")
    };
    PATTERNS[rule].get_or_init(compiled)
}

#[cfg(test)]
mod tests {
    use regex_syntax::hir::{Class, Hir, HirKind};

    use super::*;

    /// Returns a text that matches a pattern. Each round uses other letters and another
    /// alternative.
    fn sample(pattern: &Hir, round: usize, chance: &mut u32) -> String {
        match pattern.kind() {
            HirKind::Empty | HirKind::Look(_) => String::new(),
            HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).unwrap(),
            HirKind::Class(Class::Bytes(class)) => {
                let letters: Vec<u8> =
                    class.iter().flat_map(|range| range.start()..=range.end()).collect();
                *chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                char::from(letters[(*chance >> 16) as usize % letters.len()]).to_string()
            }
            HirKind::Class(Class::Unicode(_)) => "\n".to_owned(),
            HirKind::Repetition(repeated) => {
                (0..repeated.min).map(|_| sample(&repeated.sub, round, chance)).collect()
            }
            HirKind::Capture(group) => sample(&group.sub, round, chance),
            HirKind::Concat(parts) => {
                parts.iter().map(|part| sample(part, round, chance)).collect()
            }
            HirKind::Alternation(parts) => sample(&parts[round % parts.len()], round, chance),
        }
    }

    #[test]
    fn every_format_is_masked_wherever_it_stands() {
        let mut chance = 7;
        for (rule, (name, _, format)) in RULES.iter().enumerate() {
            let described =
                regex_syntax::ParserBuilder::new().unicode(false).build().parse(format).unwrap();
            for round in 0..20 {
                let found = sample(&described, round, &mut chance);
                let secret = pattern(rule)
                    .captures(&found)
                    .map(|groups| groups.get(1).unwrap_or(groups.get_match()).as_str().to_owned());
                let secret = secret.unwrap_or_else(|| panic!("{name} does not match {found}"));
                for (before, after) in [
                    ("", ""),
                    ("", "\nb\n"),
                    ("a\n", ""),
                    ("a = \"", "\";\n"),
                    ("a: '", "'"),
                    ("https://a.b/c?d=", "&e=f"),
                ] {
                    let expected = found.replace(&secret, &format!("[masked: {name}]"));
                    let (masked, count) = mask_owned(&format!("{before}{found}{after}"));
                    assert_eq!(
                        (masked, count),
                        (format!("{before}{expected}{after}"), 1),
                        "{found}"
                    );
                }
            }
        }
    }

    fn mask_owned(text: &str) -> (String, u32) {
        let (masked, count) = mask(text);
        (masked.into_owned(), count)
    }

    #[test]
    fn what_only_looks_like_a_secret_stays() {
        let hash = "0f".repeat(20);
        let letters = "a1B2".repeat(12);
        let placeholders = [
            format!("sha1 = \"{hash}\""),
            format!("\"integrity\": \"sha512-{letters}==\""),
            "id: 0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f".to_owned(),
            format!("task-{letters}"),
            format!("disk_{letters}"),
            format!("ghp_{}", "x".repeat(36)),
            format!("AKIA{}EXAMPLE", "Q2T7Q2T7Q"),
            format!("sk_test_{}", "1234567890abcdefgh"),
            "postgres://user:password@host/db".to_owned(),
            "postgres://user:${DATABASE_PASSWORD}@host/db".to_owned(),
            "postgres://user:<the-password>@host/db".to_owned(),
            "postgres://user:********@host/db".to_owned(),
            "https://your-user:your_secret_token@host".to_owned(),
            "http://localhost:8080/users@example.com".to_owned(),
            "git clone ssh://git@host:2222/some-repository".to_owned(),
            "Authorization: Bearer ${{ secrets.GITHUB_TOKEN }}".to_owned(),
            "Authorization: Bearer YOUR_ACCESS_TOKEN_HERE".to_owned(),
            "Authorization: Basic authentication".to_owned(),
            "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----".to_owned(),
        ];
        for text in placeholders {
            assert_eq!(mask_owned(&text), (text, 0));
        }
    }

    #[test]
    fn of_a_url_and_a_header_only_the_secret_goes() {
        let password = "hunter2-hunter2";
        let url =
            format!("DATABASE_URL=postgres://app:{password}@db.internal:5432/app?sslmode=require");
        assert_eq!(
            mask_owned(&url).0,
            "DATABASE_URL=postgres://app:[masked: \
             url-password]@db.internal:5432/app?sslmode=require"
        );
        let header = format!("-H \"Authorization: Bearer {}\"", "0a1b".repeat(5));
        assert_eq!(mask_owned(&header).0, "-H \"Authorization: Bearer [masked: authorization]\"");
    }

    #[test]
    fn a_secret_is_known_by_its_name_too() {
        let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzz123";
        for (before, after) in [
            ("aws_secret_access_key = ", ""),
            ("AWS_SECRET_ACCESS_KEY=", "\n"),
            ("\"SecretAccessKey\": \"", "\","),
            ("export AWS_SECRET_KEY='", "'"),
        ] {
            assert_eq!(
                mask_owned(&format!("{before}{secret}{after}")).0,
                format!("{before}[masked: aws-secret-key]{after}")
            );
        }
        let django = "SECRET_KEY = 'django-insecure-8v#k!2@x$w^q&z*(m)-_=+7h3'";
        assert_eq!(mask_owned(django).0, "SECRET_KEY = '[masked: secret-key]'");
        for other in [
            "SECRET_KEY: str = ",
            "SECRET_KEY = os.environ.get(\"SECRET_KEY\", ",
            "config(\"SECRET_KEY\", default=",
        ] {
            let masked = mask_owned(&format!("{other}\"8v#k!2@x$w^q&z*(m)-_=+7h3\")")).0;
            assert_eq!(masked, format!("{other}\"[masked: secret-key]\")"));
        }
        let unquoted = format!("SECRET_KEY=django-insecure-{}\n", "8v#k!2@x$w".repeat(5));
        assert_eq!(mask_owned(&unquoted).0, "SECRET_KEY=django-insecure-[masked: secret-key]\n");
        assert_eq!(
            mask_owned("machine h password correct-horse9").0,
            "machine h password [masked: netrc-password]"
        );
        let netrc = "machine api.internal\n  login robot\n  password correct-horse9\n";
        assert_eq!(
            mask_owned(netrc).0,
            "machine api.internal\n  login robot\n  password [masked: netrc-password]\n"
        );
        for code in [
            "SECRET_KEY = os.environ['SECRET_KEY']",
            "SECRET_KEY = \"${DJANGO_SECRET_KEY_OF_PRODUCTION}\"",
            "SECRET_KEY: 'your-secret-key'",
        ] {
            assert_eq!(mask_owned(code), (code.to_owned(), 0));
        }
    }

    #[test]
    fn a_secret_that_two_rules_see_is_one() {
        let token = format!("ghp_{}", "a1B2".repeat(9));
        assert_eq!(
            mask_owned(&format!("https://bot:{token}@host/a.git")),
            ("https://bot:[masked: github-token]@host/a.git".to_owned(), 1)
        );
    }

    #[test]
    fn secrets_are_named_and_the_rest_is_untouched() {
        let token = format!("ghp_{}", "a1B2".repeat(9));
        let text = format!("token = \"{token}\"\nhash = \"{}\"\n", "0f".repeat(20));
        let (masked, count) = mask(&text);
        assert_eq!(
            masked,
            format!("token = \"[masked: github-token]\"\nhash = \"{}\"\n", "0f".repeat(20))
        );
        assert_eq!(count, 1);
    }

    #[test]
    fn a_private_key_keeps_its_lines() {
        let text = format!(
            "a\n-----BEGIN RSA {0}-----\nMIIE\nabc\n-----END RSA {0}-----\nb\n",
            "PRIVATE KEY"
        );
        let (masked, count) = mask(&text);
        assert_eq!(masked, "a\n[masked: private-key]\n\n\n\nb\n");
        assert_eq!(count, 1);
    }

    #[test]
    fn text_without_secrets_is_borrowed() {
        assert!(matches!(mask("let key = load_key();"), (Cow::Borrowed(_), 0)));
    }
}
