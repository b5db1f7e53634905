//! Pages that are larger than others: they are shown within little memory, or said to be too large.

use std::process::Stdio;
use std::sync::{Arc, OnceLock};

use navigator::browser::process::find_browser;
use navigator::walk::pilot::view::view;
use navigator::walk::session::Move;
use serde_json::json;
use test_support::{ran, repo, sealed};

use super::walks::open;
use super::{guard, launched};
use crate::page_server::{PageServer, page};
use crate::runs::{flags, says};
use crate::server::Server;

/// A page that makes so many bytes of what nobody sees, and its first link.
fn page_with_hidden(n_bytes: usize) -> String {
    format!(
        "<title>Large</title><p>words</p><script>
        document.body.dataset.long = 'x'.repeat({n_bytes});</script>"
    )
}

#[test]
fn a_page_that_is_too_large_is_said_and_the_walk_goes_back() {
    let first = "<title>First</title><h1>First</h1><a href=/large>Large</a>".to_owned();
    let Some(mut page) = open(vec![("/", first), ("/large", page_with_hidden(70 << 20))]) else {
        return;
    };
    assert_eq!(page.click("Large"), "page 'Large'");
    let why = "the page is too large to show: what the browser tells of it has more than 64 MiB";
    assert_eq!(page.screen().notes, [why]);
    assert!(page.screen().sections.is_empty() && page.screen().entries.is_empty());
    assert!(page.text().contains(&format!("({why})")), "{}", page.text());
    assert_eq!(page.go(Move::Back), "back on 'First'");
    assert_eq!(page.screen().entries.len(), 1);
}

#[test]
fn a_page_of_thirty_megabytes_is_shown_within_its_view() {
    let first = "<title>First</title><h1>First</h1><a href=/large>Large</a>".to_owned();
    let large = "<title>Large</title><h1>Large</h1><script>
        for (let n = 0; n < 300; n++) {
            const part = document.createElement('p');
            part.textContent = `Part ${n}. ` + 'word '.repeat(21000);
            document.body.append(part);
        }
        const last = document.createElement('p');
        last.textContent = 'The coolant capacity is 7.3 litres.';
        document.body.append(last);</script>"
        .to_owned();
    let Some(mut page) = open(vec![("/", first), ("/large", large)]) else { return };
    // A busy machine looks at it before all of it is there.
    assert!(page.click("Large").starts_with("page 'Large'"));
    let n_text: usize = page.screen().sections.iter().map(|section| section.text.len()).sum();
    assert!(n_text > 30_000_000, "{n_text}");
    let text = view(page.screen(), "coolant capacity", 1_500).to_string();
    let tokens = repo_map::Tokenizer::default().count(&text);
    assert!(tokens <= 1_500, "{tokens}");
    assert!(text.contains("The coolant capacity is 7.3 litres."), "{text}");
    assert_eq!(page.go(Move::Back), "back on 'First'");
}

/// A page like that of a type in the manual of a library: 40 000 nodes with attributes and styles.
#[cfg(target_os = "linux")]
#[test]
fn a_page_of_forty_thousand_nodes_is_walked_within_100_megabytes() {
    let Some(browser) = launched(guard(&[])) else { return };
    drop(browser);
    let rows: String = (0..5_000)
        .map(|n| {
            format!(
                "<section id='method.m{n}' class='method'><h4><a class='fn' href='#method.m{n}' \
                 title='method'>m{n}</a><span>(&amp;self)</span></h4><p>Text {n}.</p></section>"
            )
        })
        .collect();
    let html = format!("<title>Type</title><style>p {{ color: #123 }}</style>{rows}");
    let server = PageServer::start(move |_| page(&html));
    let process = Arc::new(OnceLock::<u32>::new());
    let asked = Arc::clone(&process);
    let peaks = Arc::new(OnceLock::<u64>::new());
    let peak = Arc::clone(&peaks);
    let model = Server::answering(move |_| {
        let most = most_memory(*asked.wait());
        let _ = peak.set(most);
        says(&json!({ "reasoning": "r", "action": "finish", "answer": "done" }), 10, 10)
    });
    let (navigator, at, start) =
        (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""), server.url("/").to_string());
    let chromium = find_browser(None).unwrap();
    let child = navigator
        .command(at.path())
        .args(["browse", &start, "--browser", "--chromium"])
        .arg(chromium)
        .args(["--goal", "what does m4999 do?", "--out", "run"])
        .args(flags(&model))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    process.set(child.id()).unwrap();
    let walked = ran(child.wait_with_output().unwrap());
    let peak = peaks.get().copied().unwrap_or_else(|| panic!("{}", walked.stderr));
    assert!((10_000..100_000).contains(&peak), "{peak} KB");
}

/// The most memory that a process has had, in kilobytes.
#[cfg(target_os = "linux")]
fn most_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
