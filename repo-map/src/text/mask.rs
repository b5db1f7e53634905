//! Secrets of well-known formats are replaced before anything is outlined or counted, so that sizes stay true.
//!
//! The replacement names the rule: `[masked: github-token]`. Only formats that carry their own mark are listed; a rule
//! that guesses from entropy would eat hashes and test data. The formats are those that vendors document and that public
//! scanners agree on.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::{Regex, RegexBuilder};

/// The name of this rule set in plans. It changes when a rule does, because masked text is part of the map.
pub(crate) const RULE_SET: &str = "secrets-3";

/// Name, marks, pattern. A text that holds none of the marks has nothing for the pattern. The first group of a pattern
/// is the secret, and the rest is what it is known by; a pattern without a group is all secret.
// One rule a line, however long, so that a change of one shows as one.
#[rustfmt::skip]
const RULES: &[(&str, &str, &str)] = &[
    ("private-key", "-----BEGIN", r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?su:.)*?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"),
    ("putty-key", "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-[23]: (?su:.)*?Private-MAC: [0-9a-f]{40,64}"),
    ("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}\b"),
    // Clouds.
    ("aws-access-key", "AKIA ASIA ABIA ACCA", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    ("aws-bedrock-key", "ABSK bedrock-api-key-", r"\b(?:ABSK[A-Za-z0-9+/]{109,269}={0,2}|bedrock-api-key-YmVkcm9jay[A-Za-z0-9+/]{16,}={0,2})"),
    ("google-api-key", "AIza AQ.Ab8RN6", r"\b(?:AIza[\w-]{34}(?:\w\b|-\B)|AQ\.Ab8RN6[\w-]{44})"),
    ("google-oauth-token", "ya29. GOCSPX-", r"\b(?:ya29\.[\w-]{30,}|GOCSPX-[\w-]{28})"),
    ("azure-storage-key", "AccountKey= SharedAccessKey=", r"\b(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{43,86}={1,2})"),
    ("azure-client-secret", "Q~", r"[\w~.]{3}[0-9]Q~[\w~.-]{31,34}"),
    ("azure-key", "JQQJ99", r"\b[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}\b"),
    ("azure-devops-token", "AZDO", r"\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b"),
    ("alibaba-access-key", "LTAI", r"\bLTAI[A-Za-z0-9]{17,21}\b"),
    ("tencent-access-key", "AKID", r"\bAKID[A-Za-z0-9]{32}\b"),
    ("yandex-token", "AQVN t1.", r"\b(?:AQVN[\w-]{35,38}|t1\.[\w-]{30,}={0,2}\.[\w-]{86}={0,2})"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    ("heroku-key", "HRKU-AA", r"\bHRKU-AA[\w-]{58}"),
    ("cloudflare-key", "v1.0-", r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}\b"),
    ("fly-token", "FlyV1", r"\bFlyV1 [\w+/=,-]{100,}"),
    ("vercel-token", "vca_ vcc_ vci_ vck_ vcp_ vcr_", r"\bvc[aciprk]_[\w-]{56}"),
    ("netlify-token", "nfb_ nfc_ nfo_ nfp_ nfu_", r"\bnf[bcopu]_[A-Za-z0-9]{36}\b"),
    ("render-key", "rnd_", r"\brnd_[A-Za-z0-9]{28}\b"),
    ("supabase-key", "sbp_ sb_secret_", r"\b(?:sbp_(?:v0_)?[0-9a-z_-]{40}|sb_secret_[\w-]{31})"),
    ("neon-key", "napi_", r"\bnapi_[A-Za-z0-9]{64}\b"),
    ("planetscale-token", "pscale_", r"\bpscale_(?:pw|tkn|oauth)_[\w=.-]{32,64}"),
    ("mongodb-atlas-secret", "mdb_sa_sk_", r"\bmdb_sa_sk_[\w-]{40}"),
    ("cockroach-key", "CCDB1_", r"\bCCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}\b"),
    ("clickhouse-key", "4b1d", r"\b4b1d[A-Za-z0-9]{38}\b"),
    ("elastic-key", "essu_", r"\bessu_[\w-]{60,}={0,2}"),
    ("astra-token", "AstraCS:", r"\bAstraCS:[A-Za-z0-9:]{20,}"),
    ("databricks-token", "dapi", r"\bdapi[0-9a-f]{32}(?:-[0-9])?\b"),
    // Forges, packages, builds, infrastructure.
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b"),
    ("gitlab-token", "glpat- glrt- glrtr-", r"gl(?:pat|rtr?)-[\w-]{20,300}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?"),
    ("gitlab-token", "gldt- glcbt- glptt- glft- glimt- glwt-", r"gl(?:dt|cbt|ptt|ft|imt|wt)-[\w-]{20,64}"),
    ("gitlab-token", "gloas- glsoat- glffct- glagent- GR1348941", r"gl(?:oas|soat|ffct|agent)-[\w-]{20,64}|\bGR1348941[\w-]{20}"),
    ("bitbucket-token", "ATBB ATATT3 ATCTT3", r"\b(?:ATBB[A-Za-z0-9]{32}\b|AT[AC]TT3[\w=-]{100,})"),
    ("npm-token", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi-token", "pypi-AgE", r"pypi-AgE[\w-]{50,}"),
    ("rubygems-key", "rubygems_", r"\brubygems_[0-9a-f]{48}\b"),
    ("cargo-token", "cio", r"\bcio[A-Za-z0-9]{32}\b"),
    ("nuget-key", "oy2", r"\boy2[a-p][a-z0-9]{42}\b"),
    ("clojars-token", "CLOJARS_", r"\bCLOJARS_[0-9a-z]{60}\b"),
    ("docker-token", "dckr_pat_ dckr_oat_ SWMTKN-1- SWMKEY-1-", r"\b(?:dckr_[po]at_[\w-]{27,32}|SWM(?:TKN|KEY)-1-[A-Za-z0-9+/-]{40,})"),
    ("artifactory-token", "AKCp cmVmd", r"\b(?:AKCp[A-Za-z0-9]{68,70}|cmVmd[A-Za-z0-9]{59})\b"),
    ("cloudsmith-key", "csa_", r"\bcsa_[0-9a-f]{30}[A-Za-z0-9]{6}\b"),
    ("circleci-token", "CCIPAT_ CCIPRJ_", r"\bCCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[0-9a-z]{40}\b"),
    ("buildkite-token", "bkua_ bkaa_ bkaj_ bkar_ bkct_ bkpt_ bkpat_ bkps_", r"\bbk(?:ua|aa|aj|ar|ct|pt|pat|ps)_[\w-]{40,340}"),
    ("harness-token", "pat. sat.", r"\b[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}\b"),
    ("octopus-key", "API-", r"\bAPI-[A-Z0-9]{26}\b"),
    ("sonar-token", "sqa_ sqp_ squ_", r"\bsq[apu]_[0-9a-f]{40}\b"),
    ("segment-token", "sgp_", r"\bsgp_[A-Za-z0-9]{64}\b"),
    ("sourcegraph-token", "sgp_", r"\bsgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}\b"),
    ("terraform-token", ".atlasv1.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
    ("vault-token", "hvb. hvs. hvr.", r"\bhv[bsr]\.[\w-]{24,}"),
    ("pulumi-token", "pul-", r"\bpul-[0-9a-f]{40}\b"),
    ("doppler-token", "dp.", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}\b"),
    ("one-password-token", "ops_eyJ", r"\bops_eyJ[A-Za-z0-9+/]{200,}={0,3}"),
    ("one-password-key", "A3-", r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b"),
    ("tailscale-key", "tskey-", r"\btskey-[a-z]+-[A-Za-z0-9]{10,}-[A-Za-z0-9]{16,}"),
    ("openshift-token", "sha256~", r"\bsha256~[\w-]{43}"),
    ("prefect-key", "pnu_", r"\bpnu_[A-Za-z0-9]{36}\b"),
    ("scalingo-token", "tk-us-", r"\btk-us-[\w-]{48}"),
    ("deno-token", "ddp_ ddw_", r"\bdd[pw]_[A-Za-z0-9]{36}\b"),
    // What watches.
    ("grafana-token", "glsa_ glc_ eyJrIjoi", r"\b(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}\b|(?:glc_|eyJrIjoi)[A-Za-z0-9+/]{40,}={0,2})"),
    ("sentry-token", "sntrys_ sntryu_", r"\bsntry(?:s_eyJ[A-Za-z0-9+/]{20,}={0,2}_[A-Za-z0-9+/]{43}|u_[0-9a-f]{64})"),
    ("new-relic-key", "NRAK- NRII- NRJS-", r"\bNR(?:AK-[A-Za-z0-9]{27}|II-[\w-]{32}|JS-[0-9a-f]{19})"),
    ("dynatrace-token", "dt0", r"\bdt0[a-z][0-9]{2}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}\b"),
    ("posthog-key", "phx_", r"\bphx_[\w-]{41,49}"),
    // Models.
    ("anthropic-key", "sk-ant-", r"\bsk-ant-[a-z0-9]+-[\w-]{32,}"),
    ("openai-key", "sk-", r"\bsk-(?:(?:proj|svcacct|admin)-[\w-]{32,}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})"),
    ("openrouter-key", "sk-or-v1-", r"\bsk-or-v1-[0-9a-f]{64}\b"),
    // DeepSeek, Kimi, Stability and others have taken OpenAI's prefix, without its mark in the middle.
    ("model-key", "sk-", r"\bsk-(?:[A-Za-z0-9]{48}|[0-9a-f]{32}|api-[\w-]{119})\b"),
    ("huggingface-token", "hf_ api_org_", r"\b(?:hf|api_org)_[A-Za-z]{34}\b"),
    ("groq-key", "gsk_", r"\bgsk_[A-Za-z0-9]{52}\b"),
    ("xai-key", "xai-", r"\bxai-[\w-]{70,}"),
    ("nvidia-key", "nvapi-", r"\bnvapi-[\w-]{60,70}"),
    ("perplexity-key", "pplx-", r"\bpplx-[A-Za-z0-9]{48}\b"),
    ("cerebras-key", "csk-", r"\bcsk-[a-z0-9]{48}\b"),
    ("replicate-token", "r8_", r"\br8_[A-Za-z0-9]{37}\b"),
    ("together-key", "tgp_v1_", r"\btgp_v1_[\w-]{43}"),
    ("elevenlabs-key", "sk_", r"\bsk_[0-9a-f]{48}\b"),
    ("langsmith-key", "lsv2_", r"\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\b"),
    ("pinecone-key", "pcsk_", r"\bpcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{63}\b"),
    ("wandb-key", "wandb_v1_", r"\bwandb_v1_[A-Za-z0-9_]{77}"),
    ("cursor-key", "key_", r"\bkey_[0-9a-f]{64}\b"),
    ("runpod-key", "rpa_", r"\brpa_[A-Z0-9]{40}[A-Za-z0-9]{6}\b"),
    // Talk, mail, work.
    ("slack-token", "xoxa- xoxb- xoxc- xoxo- xoxp- xoxr- xoxs-", r"xox[abcoprs]-[0-9]{6,}-[A-Za-z0-9-]{10,}"),
    ("slack-token", "xoxa- xoxr- xoxd-", r"xox[ar]-(?:[0-9]-)?[A-Za-z0-9]{8,48}\b|xoxd-[\w%/+-]{100,}"),
    ("slack-token", "xoxe", r"xoxe(?:\.xox[bp])?-(?:[0-9]-[A-Za-z0-9]{100,}|(?:[0-9]+-){3}[A-Za-z0-9]{28,})"),
    ("slack-token", "xapp-", r"\bxapp-[0-9]-[A-Z0-9]+-[0-9]+-[0-9a-z]{32,}"),
    ("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,}"),
    ("discord-webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[\w-]{60,}"),
    ("teams-webhook", ".webhook.office.com", r"\.webhook\.office\.com/webhookb2/[0-9a-z@-]{73}/IncomingWebhook/[0-9a-z]{32}/[0-9a-z-]{36}"),
    ("telegram-token", ":AA", r"\b[0-9]{8,10}:AA[\w-]{32}(?:\w\b|-\B)"),
    ("sendgrid-key", "SG.", r"\bSG\.[\w-]{22}\.[\w-]{43}"),
    ("mailchimp-key", "-us", r"\b[0-9a-f]{32}-us[0-9]{1,2}\b"),
    ("mailgun-key", "key-", r"\bkey-[0-9a-f]{32}\b"),
    ("mailersend-token", "mlsn.", r"\bmlsn\.[A-Za-z0-9]{40,}"),
    ("brevo-key", "xkeysib-", r"\bxkeysib-[0-9a-fA-F]{64}-[A-Za-z0-9]{16}\b"),
    ("twilio-key", "SK", r"\bSK[0-9a-f]{32}\b"),
    ("onesignal-key", "os_v2_", r"\bos_v2_(?:app|org)_[a-z2-7]{103}\b"),
    ("airtable-token", "pat", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    ("notion-token", "ntn_ secret_", r"\b(?:ntn_[0-9]{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43})\b"),
    ("linear-key", "lin_api_ lin_oauth_", r"\blin_(?:api|oauth)_[A-Za-z0-9]{40,64}\b"),
    ("figma-token", "figd_ figo_ figr_", r"\bfig[dor]_[\w-]{38,42}"),
    ("postman-key", "PMAK-", r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b"),
    ("contentful-token", "CFPAT-", r"\bCFPAT-[\w-]{43}"),
    ("typeform-token", "tfp_", r"\btfp_[\w.=-]{40,60}"),
    ("hubspot-token", "pat-", r"\bpat-(?:na|eu)[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"),
    ("trello-token", "ATTA", r"\bATTA[0-9a-f]{64,72}\b"),
    ("clickup-token", "pk_", r"\bpk_[0-9]{8,9}_[A-Z0-9]{32}\b"),
    ("klaviyo-key", "pk_", r"\bpk_[0-9A-Za-z]{34}\b"),
    ("readme-key", "rdme_", r"\brdme_[0-9a-z]{70}\b"),
    ("frameio-token", "fio-u-", r"\bfio-u-[\w=-]{64}"),
    ("dropbox-token", "sl.", r"\bsl\.(?:u\.)?[\w-]{130,}"),
    ("salesforce-token", "00D", r"\b00D[A-Za-z0-9]{12,15}![A-Za-z0-9._-]{80,}"),
    ("facebook-token", "EAA", r"\bEAA[A-Z][A-Za-z0-9]{100,}\b"),
    ("twitter-token", "AAAAAAAAAAAAAAAAAAA", r"\bA{19}[A-Za-z0-9]+%(?:2[BF]|3D)[A-Za-z0-9%]{30,}"),
    ("pinterest-token", "pina_", r"\bpina_[\w-]{40,}"),
    ("adobe-secret", "p8e-", r"\bp8e-[\w-]{32}"),
    ("apify-token", "apify_api_", r"\bapify_api_[A-Za-z0-9]{34,38}\b"),
    ("adafruit-key", "aio_", r"\baio_[A-Za-z0-9]{28}\b"),
    ("maxmind-key", "_mmk", r"\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b"),
    ("mapbox-token", "sk.eyJ", r"\bsk\.eyJ[\w-]{50,}\.[\w-]{22}"),
    // Money.
    ("stripe-key", "sk_live_ sk_prod_ sk_test_ rk_live_ rk_prod_ rk_test_", r"\b[sr]k_(?:live|prod|test)_[A-Za-z0-9]{16,}"),
    ("webhook-secret", "whsec_", r"\bwhsec_[A-Za-z0-9+/]{32,}={0,2}"),
    ("square-token", "sq0atp- sq0csp- EAAA", r"\b(?:sq0(?:atp|csp)-[\w-]{22,}|EAAA[\w-]{60}\b)"),
    ("paypal-token", "access_token$", r"\baccess_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}\b"),
    ("plaid-token", "access-", r"\baccess-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"),
    ("flutterwave-key", "FLWSECK", r"\bFLWSECK(?:_TEST)?-[0-9a-z]{12,}(?:-X)?\b"),
    ("razorpay-key", "rzp_live_", r"\brzp_live_[A-Za-z0-9]{14}\b"),
    ("polar-token", "polar_", r"\bpolar_(?:at|oat|pat)_[\w-]{20,}"),
    ("paddle-key", "pdl_live_ pdl_sdbx_", r"\bpdl_(?:live|sdbx)_apikey_[0-9a-z]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}\b"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", r"\bshp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32}\b"),
    ("easypost-key", "EZAK EZTK", r"\bEZ[AT]K[A-Za-z0-9]{54}\b"),
    ("shippo-token", "shippo_", r"\bshippo_(?:live|test)_[0-9a-fA-F]{40}\b"),
    ("lob-key", "live_ test_", r"\b(?:live|test)_[0-9a-f]{35}\b"),
    ("duffel-token", "duffel_", r"\bduffel_(?:live|test)_[\w=-]{43}"),
    // Any issuer.
    ("json-web-token", "eyJ", r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}"),
    // What stands for a secret wherever it is written: the group is the secret.
    ("url-password", "://", r"://[\w.+%~-]*:([\w.+%~!*,;=&^-]{8,})@"),
    ("authorization", "uthorization UTHORIZATION", r#"(?:[Aa]uthorization|AUTHORIZATION)[ \t"'`\\:=,>()\[\]]{1,10}(?:[Bb]earer|[Bb]asic|[Tt]oken) ([\w.~+/=-]{16,})"#),
    // What its name says is a secret.
    ("aws-secret-key", "aws_secret AWS_SECRET ecretAccessKey", r#"(?:aws_secret_(?:access_)?key|AWS_SECRET_(?:ACCESS_)?KEY|[sS]ecretAccessKey)["'\]]{0,2}[ \t]{0,8}[:=]>?[ \t]{0,8}["']?([A-Za-z0-9/+]{40})(?:[\s"'`,;&)\]}]|$)"#),
    ("aws-session-token", "aws_session_token AWS_SESSION_TOKEN essionToken", r#"(?:aws_session_token|AWS_SESSION_TOKEN|[sS]essionToken)["'\]]{0,2}[ \t]{0,8}[:=]>?[ \t]{0,8}["']?([A-Za-z0-9/+]{100,}={0,2})"#),
    ("secret-key", "SECRET_KEY", r#"SECRET_KEY["'\]]{0,2}(?::[ \t]{0,8}\w{1,16})?[ \t]{0,8}[:=,][ \t]{0,8}(?:default[ \t]{0,8}=[ \t]{0,8})?[rb]?["']([\w!@#$%^&*()=+.~/:;,?|-]{20,200})["']"#),
    ("secret-key", "SECRET_KEY=", r"SECRET_KEY=([A-Za-z0-9+/]{32,}={0,2})"),
    ("secret-key", "django-insecure-", r"\bdjango-insecure-([\w!@#$%^&*()=+-]{50})"),
    ("netrc-password", "machine", r"\bmachine\s{1,8}[!-~]{1,255}\s{1,8}(?:(?:login|account)\s{1,8}[!-~]{1,255}\s{1,8}){0,2}password\s{1,8}([\w.+%~!*,=^@#$?/-]{4,})"),
];

/// The marks of all rules, and the rule that each belongs to.
static MARKS: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let (rules, marks): (Vec<usize>, Vec<&str>) =
        RULES.iter().enumerate().flat_map(|(rule, (_, marks, _))| marks.split(' ').map(move |mark| (rule, mark))).unzip();
    let automaton = AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(marks);
    (automaton.expect("the marks are few"), rules)
});

/// The patterns of the rules, each compiled when a mark of it is first seen: most never are.
static PATTERNS: [OnceLock<Regex>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];

/// What stands where a secret would: crosses (`ghp_xxxxxxxx`), the alphabet, the vendors' examples (`AKIA…EXAMPLE`), words
/// (`your-password`). A key block has spaces, so no letters in it can look like these.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    const RUN: &str = r"x{6}|0{10}|123456789|abcdefgh|\.{3}";
    const WORD: &str = "access|admin|api|change|example|fake|here|insert|key|me|my|pass(?:w(?:or)?d)?|postgres|pwd|root|secret|some|\
                        test|the|this|token|user|your?";
    let placeholder = format!(r"(?i)^\S*(?:{RUN})\S*$|(?-i)EXAMPLE$|^(?i:(?:{WORD})(?:[-_.]|%[0-9a-f]{{2}})?)+[0-9]{{0,3}}$|^[*]+$");
    Regex::new(&placeholder).expect("the pattern above is valid")
});

/// The text with its secrets replaced, and how many there were. Line breaks inside a secret are kept, so that line
/// numbers stay true.
pub(crate) fn mask(text: &str) -> (Cow<'_, str>, u32) {
    // Most texts are names, and hold no mark at all.
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
        masked.push_str(&format!("[masked: {}]", RULES[*rule].0));
        masked.extend(text[secret.clone()].chars().filter(|letter| *letter == '\n'));
        copied = secret.end;
    }
    masked.push_str(&text[copied..]);
    (Cow::Owned(masked), secrets.len() as u32)
}

/// Where the secrets of a text are and the rule that names each, in order. Where rules overlap, the one that begins first
/// names what they cover together.
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
    // ASCII classes: the formats are ASCII, and the automata stay small and fast.
    let compiled = || RegexBuilder::new(RULES[rule].2).unicode(false).build().expect("the patterns above are valid");
    PATTERNS[rule].get_or_init(compiled)
}

#[cfg(test)]
mod tests {
    use regex_syntax::hir::{Class, Hir, HirKind};

    use super::*;

    /// A text that a pattern describes. Each round has other letters and takes another of what the pattern lets choose.
    fn sample(pattern: &Hir, round: usize, chance: &mut u32) -> String {
        match pattern.kind() {
            HirKind::Empty | HirKind::Look(_) => String::new(),
            HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).unwrap(),
            HirKind::Class(Class::Bytes(class)) => {
                let letters: Vec<u8> = class.iter().flat_map(|range| range.start()..=range.end()).collect();
                *chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                char::from(letters[(*chance >> 16) as usize % letters.len()]).to_string()
            }
            HirKind::Class(Class::Unicode(_)) => "\n".to_owned(),
            HirKind::Repetition(repeated) => (0..repeated.min).map(|_| sample(&repeated.sub, round, chance)).collect(),
            HirKind::Capture(group) => sample(&group.sub, round, chance),
            HirKind::Concat(parts) => parts.iter().map(|part| sample(part, round, chance)).collect(),
            HirKind::Alternation(parts) => sample(&parts[round % parts.len()], round, chance),
        }
    }

    #[test]
    fn every_format_is_masked_wherever_it_stands() {
        let mut chance = 7;
        for (rule, (name, _, format)) in RULES.iter().enumerate() {
            let described = regex_syntax::ParserBuilder::new().unicode(false).build().parse(format).unwrap();
            for round in 0..20 {
                let found = sample(&described, round, &mut chance);
                let secret = pattern(rule).captures(&found).map(|groups| groups.get(1).unwrap_or(groups.get_match()).as_str().to_owned());
                let secret = secret.unwrap_or_else(|| panic!("{name} does not match {found}"));
                for (before, after) in
                    [("", ""), ("", "\nb\n"), ("a\n", ""), ("a = \"", "\";\n"), ("a: '", "'"), ("https://a.b/c?d=", "&e=f")]
                {
                    let expected = found.replace(&secret, &format!("[masked: {name}]"));
                    let (masked, count) = mask_owned(&format!("{before}{found}{after}"));
                    assert_eq!((masked, count), (format!("{before}{expected}{after}"), 1), "{found}");
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
        let url = format!("DATABASE_URL=postgres://app:{password}@db.internal:5432/app?sslmode=require");
        assert_eq!(mask_owned(&url).0, "DATABASE_URL=postgres://app:[masked: url-password]@db.internal:5432/app?sslmode=require");
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
            assert_eq!(mask_owned(&format!("{before}{secret}{after}")).0, format!("{before}[masked: aws-secret-key]{after}"));
        }
        let django = "SECRET_KEY = 'django-insecure-8v#k!2@x$w^q&z*(m)-_=+7h3'";
        assert_eq!(mask_owned(django).0, "SECRET_KEY = '[masked: secret-key]'");
        for other in ["SECRET_KEY: str = ", "SECRET_KEY = os.environ.get(\"SECRET_KEY\", ", "config(\"SECRET_KEY\", default="] {
            let masked = mask_owned(&format!("{other}\"8v#k!2@x$w^q&z*(m)-_=+7h3\")")).0;
            assert_eq!(masked, format!("{other}\"[masked: secret-key]\")"));
        }
        let unquoted = format!("SECRET_KEY=django-insecure-{}\n", "8v#k!2@x$w".repeat(5));
        assert_eq!(mask_owned(&unquoted).0, "SECRET_KEY=django-insecure-[masked: secret-key]\n");
        assert_eq!(mask_owned("machine h password correct-horse9").0, "machine h password [masked: netrc-password]");
        let netrc = "machine api.internal\n  login robot\n  password correct-horse9\n";
        assert_eq!(mask_owned(netrc).0, "machine api.internal\n  login robot\n  password [masked: netrc-password]\n");
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
        assert_eq!(mask_owned(&format!("https://bot:{token}@host/a.git")), ("https://bot:[masked: github-token]@host/a.git".to_owned(), 1));
    }

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
