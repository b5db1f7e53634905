//! Secrets of well-known formats are replaced before anything is outlined or counted, so that sizes stay true.
//!
//! The replacement names the rule: `[masked: github-token]`. Only formats that carry their own mark are listed; a rule
//! that guesses from entropy would eat hashes and test data. The formats are those the vendors document.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex, RegexBuilder};

/// The name of this rule set in plans. It changes when a rule does, because masked text is part of the map.
pub const RULE_SET: &str = "secrets-1";

const RULES: &[(&str, &str)] = &[
    ("private-key", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?su:.)*?-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"),
    ("aws-access-key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    ("github-token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b"),
    ("gitlab-token", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{20,64}"),
    ("slack-token", r"\bxox[abeoprs]-(?:[A-Za-z0-9]+-){1,4}[A-Za-z0-9]{16,}"),
    ("slack-webhook", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9+/]{40,}"),
    ("stripe-key", r"\b[sr]k_(?:live|prod)_[A-Za-z0-9]{16,}"),
    ("google-api-key", r"\bAIza[A-Za-z0-9_-]{35}\b"),
    ("google-oauth-secret", r"\bGOCSPX-[A-Za-z0-9_-]{28}\b"),
    ("anthropic-key", r"\bsk-ant-[a-z0-9]+-[A-Za-z0-9_-]{32,}"),
    ("openai-key", r"\bsk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})"),
    ("huggingface-token", r"\bhf_[A-Za-z]{34}\b"),
    ("npm-token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi-token", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    ("cargo-token", r"\bcio[A-Za-z0-9]{32}\b"),
    ("sendgrid-key", r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b"),
    ("twilio-key", r"\bSK[0-9a-f]{32}\b"),
    ("digitalocean-token", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    ("shopify-token", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    ("telegram-token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    ("azure-storage-key", r"AccountKey=[A-Za-z0-9+/]{86}=="),
    ("age-key", r"\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b"),
    ("vault-token", r"\bhv[sb]\.[A-Za-z0-9_-]{24,}"),
    ("json-web-token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}"),
];

static ANY_SECRET: LazyLock<Regex> = LazyLock::new(|| {
    let alternatives: Vec<String> = RULES.iter().map(|(_, pattern)| format!("({pattern})")).collect();
    // ASCII classes: the formats are ASCII, and the automaton stays small and fast.
    let regex = RegexBuilder::new(&alternatives.join("|")).unicode(false).size_limit(64 << 20).build();
    regex.expect("the patterns above are valid")
});

/// The text with its secrets replaced, and how many there were. Line breaks inside a secret are kept, so that line
/// numbers stay true.
pub(crate) fn mask(text: &str) -> (Cow<'_, str>, u32) {
    let mut count = 0;
    let masked = ANY_SECRET.replace_all(text, |found: &Captures<'_>| {
        count += 1;
        let rule = (0..RULES.len()).find(|rule| found.get(rule + 1).is_some()).unwrap_or(0);
        let line_breaks = found[0].bytes().filter(|byte| *byte == b'\n').count();
        format!("[masked: {}]{}", RULES[rule].0, "\n".repeat(line_breaks))
    });
    (masked, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_named_and_the_rest_is_untouched() {
        let token = format!("ghp_{}", "a1B2".repeat(9));
        let text = format!("token = \"{token}\"\nhash = \"{}\"\n", "0f".repeat(20));
        let (masked, count) = mask(&text);
        assert_eq!(masked, format!("token = \"[masked: github-token]\"\nhash = \"{}\"\n", "0f".repeat(20)));
        assert_eq!(count, 1);
    }

    #[test]
    fn a_private_key_keeps_its_lines() {
        let text = format!("a\n-----BEGIN RSA {0}-----\nMIIE\nabc\n-----END RSA {0}-----\nb\n", "PRIVATE KEY");
        let (masked, count) = mask(&text);
        assert_eq!(masked, "a\n[masked: private-key]\n\n\n\nb\n");
        assert_eq!(count, 1);
    }

    #[test]
    fn text_without_secrets_is_borrowed() {
        assert!(matches!(mask("let key = load_key();"), (Cow::Borrowed(_), 0)));
    }
}
