//! What holds of any bytes that a server sends as a page, and of the map of a site of such pages.

use repo_map::{FlightPlan, Options, Replay, ReplayOutcome, RuleLayers, Tokenizer};
use site_map::{Response, WebPage};

/// What pages are made of. Control characters of a text stand for these, so that random texts come
/// near to pages.
const PIECES: [&str; 32] = [
    "<!doctype html><html lang=en><head><title>",
    "</title><body><main>",
    "<h1 id=a>",
    "</h1>",
    "<h2>Two <a class=headerlink href=#b>¶</a></h2>",
    "<p>",
    "<ul><li>",
    "<li class=li-folder><a>Folder</a><ul>",
    "</ul>",
    "\t",
    "\n",
    "<table><tr><th>Name<th>Value<tr><td>a<td>b</table>",
    "<table><tr><td rowspan=99999999 colspan=99999999>",
    "\r",
    "<pre><code class=language-rust>fn a() {}\n",
    "</pre>",
    "<dl><dt id=f>f(x)<dd>Text.",
    "<a href=\"other.html#x\">other</a>",
    "<a href=\"javascript:x\">",
    "<nav><a href=/>home</a></nav>",
    "<img alt=\"x\" src=a.png>",
    "<base href=\"//h/x/\">",
    "<meta charset=utf-16>",
    "<form><input name=q><select><option>a",
    "<script>if (a < b) {</script>",
    "<!--",
    "&#x202e;&lt;&unknown;",
    "<details><summary>",
    "<div><div><div><div>",
    "```\n# x\n| a |",
    "</body></html>",
    "<template><p>",
];

/// The text with its control characters replaced by pieces of pages.
pub(crate) fn pieced(text: &str) -> String {
    test_support::random::pieced(text, &PIECES)
}

fn response(name: &str, body: &[u8]) -> Response {
    Response {
        address: format!("http://h/m/{name}").parse().unwrap(),
        status: 200,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        body: body.to_vec(),
    }
}

/// A page is the same each time it is read; the map of a site with it fits its budget, has the size
/// that it says, and replays to the same bytes.
pub(crate) fn hold(body: &[u8]) {
    let page = response("index.html", body);
    let (once, again) = (WebPage::of(&page), WebPage::of(&page));
    assert_eq!(format!("{once:?}"), format!("{again:?}"));

    let site = || {
        let other = response("other.html", b"<html><title>Other</title><h1>Other</h1><p>Text.");
        site_map::site::open::responses(vec![page.clone(), other], "h").unwrap()
    };
    let goal = Some("what is the value of the other folder?".into());
    let mut plan = FlightPlan { goal, ..FlightPlan::default() };
    plan.context.tokens = 40 + body.len() as u32 % 400;
    let judged = site().judged(&plan, &Options::default()).unwrap();
    let map = judged.map(RuleLayers::default()).unwrap();
    assert!(map.tokens <= plan.context.tokens, "{} of {}", map.tokens, plan.context.tokens);
    assert_eq!(Tokenizer::default().count(&map.text), map.tokens);

    let flown = FlightPlan::from_yaml("flown.yaml", &map.flown.to_yaml()).unwrap();
    let tree = site().tree(&flown.rules).unwrap();
    match Replay::of(&flown).over(&tree).run().unwrap().outcome {
        ReplayOutcome::Identical { text, .. } => assert_eq!(text, map.text),
        other => panic!("{other:?}\n{}\n{}", map.flown.to_yaml(), map.text),
    }
}
