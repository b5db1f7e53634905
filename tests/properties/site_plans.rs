//! What holds of any text that is read as the plan of a site.

use repo_map::{FlightPlan, Options, Replay, ReplayOutcome, RuleLayers, Tokenizer};
use site_map::Response;
use site_map::site::open;

/// What such plans are made of. Control characters of a text stand for these.
const PIECES: [&str; 32] = [
    "version: 1\n",
    "goal: where is the second page\n",
    "context: {tokens: 60, tokenizer: bytes/4}\n",
    "context: {tokens: 200, format: xml}\n",
    "scan: {mask: 'off'}\n",
    "rules:\n",
    "- path: index.html\n",
    "- path: /other.html\n",
    "\n",
    "\t",
    "- path: '**'\n",
    "- path: \"http://h/m/index.html#part\"\n",
    "  level: full\n",
    "\r",
    "  level: interface..\n",
    "  level: exclude\n",
    "  items:\n",
    "  - name: First part\n",
    "  - name: 'Other@2'\n",
    "    level: full\n",
    "  why: a page says so\n",
    "provenance:\n",
    "  tool: x\n  map: {tokens: 1, digest: '00'}\n",
    "  tree: {files: 2, digest: '00', paths: ''}\n",
    "  site: {address: 'http://h/m/', recording: '00'}\n",
    "  site: {address: 'javascript:x', recording: '00'}\n",
    "  files: {index.html: '00'}\n",
    "- path: '/[a-z]*.{html,htm}'\n",
    "{",
    "}",
    "'",
    ": ",
];

/// The text with its control characters replaced by pieces of plans.
pub(crate) fn pieced(text: &str) -> String {
    test_support::random::pieced(text, &PIECES)
}

fn response(name: &str, body: &str) -> Response {
    Response {
        address: format!("http://h/m/{name}").parse().unwrap(),
        status: 200,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        body: body.as_bytes().to_vec(),
    }
}

fn responses() -> Vec<Response> {
    vec![
        response(
            "index.html",
            "<title>First</title><h1>First</h1><p>One.<h2 id=part>First part</h2><p>Two \
             <a href=other.html>Other</a><h2>Empty</h2>",
        ),
        response("other.html", "<title>Other</title><h1>Other</h1><p>A.<h1>Other</h1><p>B."),
    ]
}

/// A plan of a site gives a map within its budget, of the size that it says, whose own plan
/// rebuilds it; the plan itself replays or says what differs, and never without end. Returns the
/// map, if the plan gives one.
pub(crate) fn hold(text: &str) -> Option<String> {
    let plan = FlightPlan::from_yaml("plan.yaml", text).ok()?;
    let site = || open::responses(responses(), "h").unwrap();
    let tree = site().tree(&plan.rules).unwrap();
    // Whatever it gives, it ends, with a result or an error.
    let _any = Replay::of(&plan).over(&tree).run();

    let judged = site().judged(&plan, &Options::default()).ok()?;
    let rules = RuleLayers { person: &plan.rules, pilot: &[] };
    let map = judged.map(rules).ok()?;
    assert!(map.tokens <= plan.context.tokens, "{} of {}", map.tokens, plan.context.tokens);
    // The estimate is defined as the sum of its parts.
    let counted = match plan.context.tokenizer {
        Tokenizer::BytesDiv4 => map.parts.iter().map(|part| part.tokens).sum(),
        tokenizer => tokenizer.count(&map.text),
    };
    assert_eq!(counted, map.tokens);
    let flown = FlightPlan::from_yaml("flown.yaml", &map.flown.to_yaml()).unwrap();
    match Replay::of(&flown).over(&tree).run().unwrap().outcome {
        ReplayOutcome::Identical { text, .. } => {
            assert_eq!(text, map.text);
            Some(text.to_string())
        }
        other => panic!("{other:?}\n{}\n{}", map.flown.to_yaml(), map.text),
    }
}
