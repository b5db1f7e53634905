//! Lists that load more when they are scrolled.

use serde_json::Value;
use test_support::{Ran, repo, sealed};

use super::wire_server::{WireServer, html};
use super::{guard, launched};

/// A list of 60 items, 20 at a time.
const LIST: &str = "<title>Catalogue</title><h1>Catalogue</h1><p>All items with their prices.
    <div id=list></div><script>
    let n = 0;
    const more = () => {
        for (const end = Math.min(n + 20, 60); n < end;) {
            const item = document.createElement('p');
            item.style.height = '60px';
            item.textContent = `Item ${++n} costs ${3 * n} EUR.`;
            list.append(item);
        }
    };
    more();
    const isAtEnd = () => innerHeight + scrollY > document.body.scrollHeight - 50;
    addEventListener('scroll', () => isAtEnd() && more());
    </script>";

fn walked(goal: &str) -> (Ran, Value) {
    let server = WireServer::start(|_| Box::new(|path| (path == "/").then(|| html(LIST))));
    let (at, navigator) = (repo(""), sealed(env!("CARGO_BIN_EXE_navigator")));
    let url = server.url("/");
    let args = ["browse", &url, "--browser", "--goal", goal, "--format", "json"];
    let ran = navigator.run(at.path(), &args);
    let report = serde_json::from_str(&ran.stdout);
    let report = report.unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    (ran, report)
}

#[test]
fn a_list_is_scrolled_until_it_has_the_item_or_nothing_new_comes() {
    if launched(guard(&[])).is_none() {
        return;
    }
    let scrolls = |report: &Value| {
        let path = report["path_taken"].as_array().unwrap().clone();
        path.iter().filter(|step| step["action"] == "scroll bottom").count()
    };
    let (first, report) = walked("what does item 17 cost");
    assert_eq!((first.code, scrolls(&report)), (0, 0), "{report:#}");
    let (later, report) = walked("what does item 57 cost");
    let content = report["content"].as_str().unwrap();
    assert!(later.code == 0 && content.contains("Item 57 costs 171 EUR."), "{report:#}");
    assert_eq!(report["path_taken"][1]["why"], "more may load below");
    // Item 20 costs 60 EUR, and is no item of that number.
    let (never, report) = walked("what does item 600 cost");
    assert_eq!((never.code, &report["success"]), (4, &false.into()), "{report:#}");
    assert!(never.stderr.contains("no page that was read has `600`"), "{}", never.stderr);
    assert!((2..6).contains(&scrolls(&report)), "{report:#}");
    let told = report["path_taken"].to_string();
    assert!(told.contains("more loads on scrolling"), "{report:#}");
}
