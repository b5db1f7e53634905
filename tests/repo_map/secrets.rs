//! Every rule of the mask, through the program: a secret of its form goes, and the text that comes
//! nearest to that form stays.
//!
//! Samples are drawn when the test runs, from the forms below: no text here looks like a key.

use insta::assert_snapshot;
use test_support::{Dice, repo};

use crate::run;

/// The rule, the form of a secret, and the nearest form that is none. `<hex:32>` stands for 32
/// letters of a class.
const FORMS: &[(&str, &str, &str)] = &[
    ("age-key", "AGE-SECRET-KEY-1<cap:58>", "AGE-SECRET-KEY-1<cap:57>"),
    // Clouds.
    ("aws-access-key", "AKIA<base32:16>", "AKIA<base32:15>"),
    ("aws-access-key", "ASIA<base32:16>", "ASIA<base32:17>"),
    ("aws-bedrock-key", "ABSK<word:109>", "ABSK<word:108>"),
    (
        "aws-bedrock-key",
        "bedrock-api-key-YmVkcm9jay<word:16>",
        "bedrock-api-key-YmVkcm9jay<word:15>",
    ),
    ("google-api-key", "AIza<word:35>", "AIza<word:34>"),
    ("google-api-key", "AQ.Ab8RN6<word:44>", "AQ.Ab8RN6<word:43>"),
    ("google-oauth-token", "ya29.<word:30>", "ya29.<word:29>"),
    ("google-oauth-token", "GOCSPX-<word:28>", "GOCSPX-<word:27>"),
    ("azure-client-secret", "<word:3>8Q~<word:33>", "<word:3>8Q~<word:30>"),
    ("azure-key", "<word:52>JQQJ99<word:26>", "<word:52>JQQJ99<word:25>"),
    ("azure-devops-token", "<word:76>AZDO<word:4>", "<word:75>AZDO<word:4>"),
    ("alibaba-access-key", "LTAI<word:20>", "LTAI<word:16>"),
    ("tencent-access-key", "AKID<word:32>", "AKID<word:31>"),
    ("yandex-token", "AQVN<word:36>", "AQVN<word:34>"),
    ("yandex-token", "t1.<word:40>.<word:86>", "t1.<word:40>.<word:85>"),
    ("digitalocean-token", "dop_v1_<hex:64>", "dop_v1_<hex:63>"),
    ("heroku-key", "HRKU-AA<word:58>", "HRKU-AA<word:57>"),
    ("cloudflare-key", "v1.0-<hex:24>-<hex:146>", "v1.0-<hex:24>-<hex:145>"),
    ("fly-token", "FlyV1 fm2_<word:100>", "FlyV1 fm2_<word:90>"),
    ("vercel-token", "vcp_<word:56>", "vcx_<word:56>"),
    ("netlify-token", "nfp_<word:36>", "nfp_<word:37>"),
    ("render-key", "rnd_<word:28>", "rnd_<word:27>"),
    ("supabase-key", "sbp_<low:40>", "sbp_<low:39>"),
    ("supabase-key", "sb_secret_<word:31>", "sb_publishable_<word:31>"),
    ("neon-key", "napi_<word:64>", "napi_<word:63>"),
    ("planetscale-token", "pscale_tkn_<word:43>", "pscale_key_<word:43>"),
    ("mongodb-atlas-secret", "mdb_sa_sk_<word:40>", "mdb_sa_id_<word:40>"),
    ("cockroach-key", "CCDB1_<word:22>_<word:40>", "CCDB1_<word:22>_<word:39>"),
    ("clickhouse-key", "4b1d<word:38>", "4b1d<word:37>"),
    ("elastic-key", "essu_<word:60>", "essu_<word:59>"),
    ("astra-token", "AstraCS:<word:24>:<hex:40>", "AstraCS:<word:19>"),
    ("databricks-token", "dapi<hex:32>-2", "dapi<hex:31>-2"),
    // Forges, packages, builds, infrastructure.
    ("github-token", "ghp_<word:36>", "ghp_<word:35>"),
    ("github-token", "ghs_<word:36>", "ghz_<word:36>"),
    ("github-token", "github_pat_<word:22>_<word:59>", "github_pat_<word:22>_<word:36>"),
    ("gitlab-token", "glpat-<word:20>", "glpat-<word:19>"),
    ("gitlab-token", "glrt-<word:20>", "glrt_<word:20>"),
    ("gitlab-token", "gldt-<word:20>", "gldt-<word:19>"),
    ("gitlab-token", "glagent-<word:50>", "glagents-<word:50>"),
    ("gitlab-token", "GR1348941<word:20>", "GR1348941<word:19>"),
    ("bitbucket-token", "ATBB<word:32>", "ATBB<word:31>"),
    ("bitbucket-token", "ATCTT3<word:100>", "ATCTT3<word:99>"),
    ("npm-token", "npm_<word:36>", "npm_<word:37>"),
    ("pypi-token", "pypi-AgE<word:50>", "pypi-AgE<word:49>"),
    ("rubygems-key", "rubygems_<hex:48>", "rubygems_<hex:47>"),
    ("cargo-token", "cio<word:32>", "cio<word:31>"),
    ("nuget-key", "oy2k<low:42>", "oy2z<low:42>"),
    ("clojars-token", "CLOJARS_<low:60>", "CLOJARS_<low:59>"),
    ("docker-token", "dckr_pat_<word:27>", "dckr_pat_<word:26>"),
    ("docker-token", "SWMTKN-1-<word:50>-<word:25>", "SWMTKN-1-<word:39>"),
    ("artifactory-token", "AKCp<word:69>", "AKCp<word:67>"),
    ("artifactory-token", "cmVmd<word:59>", "cmVmd<word:58>"),
    ("cloudsmith-key", "csa_<hex:30><word:6>", "csa_<hex:30><word:5>"),
    ("circleci-token", "CCIPAT_<word:22>_<low:40>", "CCIPAT_<word:22>_<low:39>"),
    ("buildkite-token", "bkua_<word:40>", "bkuu_<word:40>"),
    ("harness-token", "pat.<word:22>.<hex:24>.<word:20>", "pat.<word:22>.<hex:23>.<word:20>"),
    ("octopus-key", "API-<cap:26>", "API-<cap:25>"),
    ("sonar-token", "squ_<hex:40>", "squ_<hex:39>"),
    ("segment-token", "sgp_<word:64>", "sgp_<word:63>"),
    ("sourcegraph-token", "sgp_local_<hex:40>", "sgp_local_<hex:39>"),
    ("terraform-token", "<word:14>.atlasv1.<word:60>", "<word:14>.atlasv2.<word:60>"),
    ("vault-token", "hvs.<word:24>", "hvs.<word:23>"),
    ("pulumi-token", "pul-<hex:40>", "pul-<hex:41>"),
    ("doppler-token", "dp.pt.<word:43>", "dp.px.<word:43>"),
    ("one-password-token", "ops_eyJ<word:200>", "ops_eyJ<word:199>"),
    (
        "one-password-key",
        "A3-<cap:6>-<cap:11>-<cap:5>-<cap:5>-<cap:5>",
        "A3-<cap:6>-<cap:10>-<cap:5>-<cap:5>-<cap:5>",
    ),
    ("tailscale-key", "tskey-auth-<word:12>-<word:16>", "tskey-auth-<word:12>-<word:15>"),
    ("openshift-token", "sha256~<word:43>", "sha256:<word:43>"),
    ("prefect-key", "pnu_<word:36>", "pnu_<word:35>"),
    ("scalingo-token", "tk-us-<word:48>", "tk-eu-<word:48>"),
    ("deno-token", "ddp_<word:36>", "ddx_<word:36>"),
    // What watches.
    ("grafana-token", "glsa_<word:32>_<hex:8>", "glsa_<word:32>_<hex:7>"),
    ("grafana-token", "glc_<word:40>", "glc_<word:39>"),
    ("sentry-token", "sntrys_eyJ<word:20>_<word:43>", "sntrys_eyJ<word:20>_<word:42>"),
    ("sentry-token", "sntryu_<hex:64>", "sntryu_<hex:63>"),
    ("new-relic-key", "NRAK-<cap:27>", "NRAK-<cap:26>"),
    ("new-relic-key", "NRJS-<hex:19>", "NRJS-<hex:18>"),
    ("dynatrace-token", "dt0c01.<word:24>.<word:64>", "dt0c01.<word:24>.<word:63>"),
    ("posthog-key", "phx_<word:43>", "phc_<word:43>"),
    // Models.
    ("anthropic-key", "sk-ant-api03-<word:93>", "sk-ant-api03-<word:31>"),
    ("openai-key", "sk-proj-<word:48>", "sk-prod-<word:48>"),
    ("openai-key", "sk-<word:20>T3BlbkFJ<word:20>", "sk-<word:20>T3BlbkFJ<word:19>"),
    ("openrouter-key", "sk-or-v1-<hex:64>", "sk-or-v2-<hex:64>"),
    ("model-key", "sk-<word:48>", "sk-<word:47>"),
    ("model-key", "sk-<hex:32>", "sk-<hex:31>"),
    ("huggingface-token", "hf_<letter:34>", "hf_<letter:33>"),
    ("groq-key", "gsk_<word:52>", "gsk_<word:51>"),
    ("xai-key", "xai-<word:80>", "xai-<word:69>"),
    ("nvidia-key", "nvapi-<word:64>", "nvapi-<word:59>"),
    ("perplexity-key", "pplx-<word:48>", "pplx-<word:47>"),
    ("cerebras-key", "csk-<low:48>", "csk-<low:47>"),
    ("replicate-token", "r8_<word:37>", "r8_<word:36>"),
    ("together-key", "tgp_v1_<word:43>", "tgp_v2_<word:43>"),
    ("elevenlabs-key", "sk_<hex:48>", "sk_<hex:47>"),
    ("langsmith-key", "lsv2_pt_<hex:32>_<hex:10>", "lsv2_pt_<hex:32>_<hex:9>"),
    ("pinecone-key", "pcsk_<word:6>_<word:63>", "pcsk_<word:4>_<word:63>"),
    ("wandb-key", "wandb_v1_<word:77>", "wandb_v1_<word:76>"),
    ("cursor-key", "key_<hex:64>", "key_<hex:63>"),
    ("runpod-key", "rpa_<cap:40><low:6>", "rpa_<cap:40><low:5>"),
    // Talk, mail, work.
    ("slack-token", "xoxb-<digit:11>-<word:24>", "xoxb-<digit:5>-<word:24>"),
    ("slack-token", "xoxa-2-<word:12>", "xoxa-2-<word:7>"),
    ("slack-token", "xoxe.xoxp-1-<word:100>", "xoxe.xoxp-1-<word:99>"),
    ("slack-token", "xapp-1-<cap:11>-<digit:13>-<low:64>", "xapp-1-<cap:11>-<digit:13>-<low:31>"),
    ("slack-webhook", "hooks.slack.com/services/<word:44>", "hooks.slack.com/services/<word:39>"),
    (
        "discord-webhook",
        "discord.com/api/webhooks/<digit:18>/<word:68>",
        "discord.com/api/webhooks/<digit:16>/<word:68>",
    ),
    (
        "teams-webhook",
        ".webhook.office.com/webhookb2/<low:73>/IncomingWebhook/<low:32>/<low:36>",
        ".webhook.office.com/webhookb2/<low:73>/IncomingWebhook/<low:31>/<low:36>",
    ),
    ("telegram-token", "<digit:9>:AA<word:33>", "<digit:9>:AA<word:32>"),
    ("sendgrid-key", "SG.<word:22>.<word:43>", "SG.<word:22>.<word:42>"),
    ("mailchimp-key", "<hex:32>-us12", "<hex:32>-us123"),
    ("mailgun-key", "key-<hex:32>", "key-<hex:31>"),
    ("mailersend-token", "mlsn.<word:40>", "mlsn.<word:39>"),
    ("brevo-key", "xkeysib-<hex:64>-<word:16>", "xkeysib-<hex:64>-<word:15>"),
    ("twilio-key", "SK<hex:32>", "SK<hex:33>"),
    ("onesignal-key", "os_v2_app_<low32:103>", "os_v2_app_<low32:102>"),
    ("airtable-token", "pat<word:14>.<hex:64>", "pat<word:14>.<hex:63>"),
    ("notion-token", "ntn_<digit:11><word:35>", "ntn_<digit:11><word:34>"),
    ("notion-token", "secret_<word:43>", "secret_<word:42>"),
    ("linear-key", "lin_api_<word:40>", "lin_api_<word:39>"),
    ("figma-token", "figd_<word:40>", "figx_<word:40>"),
    ("postman-key", "PMAK-<hex:24>-<hex:34>", "PMAK-<hex:24>-<hex:33>"),
    ("contentful-token", "CFPAT-<word:43>", "CFPAT-<word:42>"),
    ("typeform-token", "tfp_<word:44>", "tfp_<word:39>"),
    (
        "hubspot-token",
        "pat-na1-<hex:8>-<hex:4>-<hex:4>-<hex:4>-<hex:12>",
        "pat-na1-<hex:8>-<hex:4>-<hex:4>-<hex:4>-<hex:11>",
    ),
    ("trello-token", "ATTA<hex:64>", "ATTA<hex:63>"),
    ("clickup-token", "pk_<digit:8>_<cap:32>", "pk_<digit:8>_<cap:31>"),
    ("klaviyo-key", "pk_<word:34>", "pk_<word:33>"),
    ("readme-key", "rdme_<low:70>", "rdme_<low:69>"),
    ("frameio-token", "fio-u-<word:64>", "fio-u-<word:63>"),
    ("dropbox-token", "sl.u.<word:130>", "sl.u.<word:127>"),
    ("salesforce-token", "00D<word:15>!<word:80>", "00D<word:16>!<word:80>"),
    ("facebook-token", "EAAC<word:100>", "EAAC<word:99>"),
    ("twitter-token", "AAAAAAAAAAAAAAAAAAA<word:20>%2B<word:40>", "AAAAAAAAAAAAAAAAAAA<word:61>"),
    ("pinterest-token", "pina_<word:40>", "pina_<word:39>"),
    ("adobe-secret", "p8e-<word:32>", "p8e-<word:31>"),
    ("apify-token", "apify_api_<word:36>", "apify_api_<word:33>"),
    ("adafruit-key", "aio_<word:28>", "aio_<word:27>"),
    ("maxmind-key", "<word:6>_<word:29>_mmk", "<word:6>_<word:28>_mmk"),
    ("mapbox-token", "sk.eyJ<word:60>.<word:22>", "pk.eyJ<word:60>.<word:22>"),
    // Money.
    ("stripe-key", "sk_live_<word:24>", "sk_live_<word:15>"),
    ("stripe-key", "rk_test_<word:24>", "pk_test_<word:24>"),
    ("webhook-secret", "whsec_<word:32>", "whsec_<word:31>"),
    ("square-token", "sq0atp-<word:22>", "sq0atp-<word:21>"),
    ("square-token", "EAAA<word:60>", "EAAA<word:59>"),
    (
        "paypal-token",
        "access_token$production$<low:16>$<hex:32>",
        "access_token$production$<low:15>$<hex:32>",
    ),
    (
        "plaid-token",
        "access-sandbox-<hex:8>-<hex:4>-<hex:4>-<hex:4>-<hex:12>",
        "public-sandbox-<hex:8>-<hex:4>-<hex:4>-<hex:4>-<hex:12>",
    ),
    ("flutterwave-key", "FLWSECK_TEST-<low:32>-X", "FLWPUBK_TEST-<low:32>-X"),
    ("razorpay-key", "rzp_live_<word:14>", "rzp_test_<word:14>"),
    ("polar-token", "polar_oat_<word:30>", "polar_oat_<word:19>"),
    (
        "paddle-key",
        "pdl_live_apikey_<low:26>_<word:22>_<word:3>",
        "pdl_live_apikey_<low:26>_<word:22>_<word:4>",
    ),
    ("shopify-token", "shpat_<hex:32>", "shpat_<hex:31>"),
    ("easypost-key", "EZAK<word:54>", "EZAK<word:53>"),
    ("shippo-token", "shippo_live_<hex:40>", "shippo_live_<hex:39>"),
    ("lob-key", "live_<hex:35>", "live_<hex:34>"),
    ("duffel-token", "duffel_test_<word:43>", "duffel_test_<word:42>"),
    // Any issuer.
    ("json-web-token", "eyJ<word:20>.eyJ<word:30>.<word:43>", "eyJ<word:20>.eyJ<word:30>"),
];

/// The letters of a class.
fn letters(class: &str) -> String {
    let (capitals, small, digits) =
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789");
    match class {
        "digit" => digits.to_owned(),
        "hex" => format!("{digits}abcdef"),
        "base32" => format!("{capitals}234567"),
        "low32" => format!("{small}234567"),
        "cap" => format!("{capitals}{digits}"),
        "low" => format!("{small}{digits}"),
        "letter" => format!("{capitals}{small}"),
        "word" => format!("{capitals}{small}{digits}"),
        other => panic!("`{other}` is no class of letters"),
    }
}

/// A text of a form.
fn sample(form: &str, dice: &mut Dice) -> String {
    let mut parts = form.split('<');
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let (class, after) = part.split_once('>').unwrap();
        let (class, n) = class.split_once(':').unwrap();
        let letters = letters(class);
        for _ in 0..n.parse::<u32>().unwrap() {
            let at = dice.roll(letters.len() as u64) as usize;
            text.push_str(&letters[at..=at]);
        }
        text.push_str(after);
    }
    text
}

/// The lines of a file as a map in full shows them, and how many secrets the report counts.
fn shown(lines: &[String]) -> (Vec<String>, u64) {
    let repo = repo("");
    repo.write("keys.txt", (lines.join("\n") + "\n").as_bytes());
    let args = ["--level", "**=full", "--tokens", "100k", "--format", "json"];
    let report: serde_json::Value = serde_json::from_str(&run(&repo, &args).stdout).unwrap();
    let map = report["map"].as_str().unwrap();
    let (_, text) = map.split_once("```\n").unwrap();
    let (text, _) = text.split_once("\n```").unwrap();
    (text.lines().map(str::to_owned).collect(), report["masked"].as_u64().unwrap())
}

#[test]
fn a_secret_of_every_form_is_masked_by_the_rule_of_its_name() {
    let mut dice = Dice(1);
    let lines: Vec<String> = FORMS
        .iter()
        .map(|(_, form, _)| format!("{form}: \"{}\"", sample(form, &mut dice)))
        .collect();
    let expected: Vec<String> =
        FORMS.iter().map(|(rule, form, _)| format!("{form}: \"[masked: {rule}]\"")).collect();
    assert_eq!(shown(&lines), (expected, FORMS.len() as u64));
}

#[test]
fn what_comes_nearest_to_a_secret_stays() {
    let mut dice = Dice(2);
    let lines: Vec<String> = FORMS
        .iter()
        .map(|(_, _, form)| format!("{form}: \"{}\"", sample(form, &mut dice)))
        .collect();
    assert_eq!(shown(&lines), (lines.clone(), 0));
}

#[test]
fn of_a_secret_that_is_known_by_its_place_only_the_secret_goes() {
    let mut dice = Dice(3);
    let mut sample = |form: &str| sample(form, &mut dice);
    let lines = [
        format!("AccountName=a;AccountKey={}==;Suffix=b", sample("<word:86>")),
        format!("Endpoint=sb://a/;SharedAccessKey={}=", sample("<word:43>")),
        format!("postgres://app:{}@db.internal:5432/app", sample("<word:16>")),
        format!("postgres://app:{}@db.internal:5432/app", sample("<word:7>")),
        format!("curl -H 'Authorization: Bearer {}' https://a.example", sample("<word:32>")),
        format!("curl -H 'Authorization: Digest {}' https://a.example", sample("<word:32>")),
        format!("AUTHORIZATION = \"Basic {}\"", sample("<word:24>")),
        format!("aws_secret_access_key = {}", sample("<word:40>")),
        format!("aws_secret_access_key = {}", sample("<word:39>")),
        format!("aws_session_token = {}==", sample("<word:120>")),
        format!("SECRET_KEY = \"{}\"", sample("<word:30>")),
        format!("SECRET_KEY = \"{}\"", sample("<word:19>")),
        format!("SECRET_KEY={}", sample("<word:32>")),
        format!("key = 'django-insecure-{}'", sample("<word:50>")),
        format!("machine api.internal login robot password {}", sample("<word:12>")),
        "machine learning needs a password to be guessed".to_owned(),
    ];
    let (shown, masked) = shown(&lines);
    let stayed = |at: usize| shown[at] == lines[at];
    assert_eq!((masked, [3, 5, 8, 11, 15].map(stayed)), (11, [true; 5]));
    let masked: Vec<&str> =
        shown.iter().filter(|line| line.contains("[masked: ")).map(String::as_str).collect();
    assert_snapshot!(masked.join("\n"), @r#"
    AccountName=a;AccountKey=[masked: azure-storage-key];Suffix=b
    Endpoint=sb://a/;SharedAccessKey=[masked: azure-storage-key]
    postgres://app:[masked: url-password]@db.internal:5432/app
    curl -H 'Authorization: Bearer [masked: authorization]' https://a.example
    AUTHORIZATION = "Basic [masked: authorization]"
    aws_secret_access_key = [masked: aws-secret-key]
    aws_session_token = [masked: aws-session-token]
    SECRET_KEY = "[masked: secret-key]"
    SECRET_KEY=[masked: secret-key]
    key = 'django-insecure-[masked: secret-key]'
    machine api.internal login robot password [masked: netrc-password]
    "#);
}

#[test]
fn a_key_block_goes_whole_and_the_lines_after_it_keep_their_numbers() {
    let mut dice = Dice(4);
    let mut row = || sample("<word:64>", &mut dice);
    let private = "PRIVATE";
    let block = format!(
        "before\n-----BEGIN RSA {private} KEY-----\n{}\n{}\n-----END RSA {private} KEY-----\nafter",
        row(),
        row()
    );
    let putty = format!(
        "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n{}\nPrivate-MAC: {}\nlast",
        row(),
        sample("<hex:64>", &mut Dice(5))
    );
    let repo = repo("");
    repo.write("keys.txt", format!("{block}\n{putty}\n").as_bytes());
    let map = run(&repo, &["--level", "**=full", "--line-numbers"]);
    assert_snapshot!(map.stdout, @"
    # Repository map
    ## keys.txt (full)
    ```
    1: before
    2: [masked: private-key]
    3: 
    4: 
    5: 
    6: after
    7: [masked: putty-key]
    8: 
    9: 
    10: 
    11: last
    ```
    ");
}

#[test]
fn no_mask_shows_what_the_mask_hides_and_says_so_nowhere_else() {
    let secret = sample("ghp_<word:36>", &mut Dice(6));
    let repo = repo(&format!("=== keys.txt\ntoken = {secret}\n"));
    let map = |more: &[&str]| run(&repo, &[&["--level", "**=full"], more].concat()).stdout;
    assert_snapshot!(map(&[]), @"
    # Repository map
    ## keys.txt (full)
    ```
    token = [masked: github-token]
    ```
    ");
    assert_eq!(map(&["--no-mask"]), map(&[]).replace("[masked: github-token]", &secret));
}

#[test]
fn a_goal_and_the_name_of_a_file_are_masked_too() {
    let secret = sample("ghp_<word:36>", &mut Dice(7));
    let repo = repo(&format!("=== {secret}.txt\nplain\n=== a.txt\nplain text\n"));
    assert_snapshot!(run(&repo, &["--level", "**=path"]).stdout, @"
    # Repository map
    - [masked: github-token].txt
    - a.txt
    ");
    let goal = format!("plain text of {secret}");
    let report = run(&repo, &["--goal", &goal, "--format", "json", "--no-mask"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(report["goal"], "plain text of [masked: github-token]");
}
