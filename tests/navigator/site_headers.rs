//! Headers that a site asks for: they open it, and nothing keeps them.

use std::fs;
use std::path::Path;

use site_map::Response;
use site_map::source::recording::Recording;
use test_support::{Sealed, repo, sealed};

use crate::page_server::{PageServer, page, status};

fn navigator() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_navigator"))
}

/// The content of all files below a folder, those of a recording decoded.
fn all_text(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &all_text(&path);
            continue;
        }
        text += &String::from_utf8_lossy(&fs::read(&path).unwrap());
        if path.extension().is_some_and(|one| one == "gz") {
            for response in Recording::open(&path).unwrap().responses() {
                let Response { address, headers, body, .. } = response.unwrap();
                text += &format!("{address} {headers:?} {}", String::from_utf8_lossy(&body));
            }
        }
    }
    text
}

#[test]
fn a_header_opens_a_site_and_no_run_keeps_it() {
    const TOKEN: &str = "sekret-0123456789";
    let server = PageServer::answering(|request| {
        let is_known = request.head.contains(&format!("x-key: {TOKEN}\r\n"));
        match request.path.as_str() {
            "/robots.txt" => status(404),
            _ if !is_known => status(403),
            "/m/" => page(&format!("<h1>Manual of {TOKEN}</h1><a href=t>Timeouts of requests</a>")),
            _ => page(&format!("<h1>Timeouts</h1><p>The timeout of {TOKEN} is 9.")),
        }
    });
    let (navigator, at) = (navigator(), repo(""));
    let site = server.url("/m/").to_string();
    let way = "`--header 'Name: value'` sends the token or the cookie";
    let header = format!("X-Key: {TOKEN}");
    let flags = [site.as_str(), "--delay", "0", "--goal", "timeout of requests", "--out"];
    let mut said = String::new();
    for (command, out) in [("explore", "explored"), ("browse", "walked")] {
        let strange = navigator.run(at.path(), &[&[command][..], &flags, &[out]].concat());
        assert_eq!(strange.code, 13, "{}", strange.stderr);
        assert!(strange.stderr.contains(way), "{}", strange.stderr);
        let known = [&[command][..], &flags, &[out, "--header", header.as_str()]].concat();
        let known = navigator.run(at.path(), &known);
        assert_eq!(known.code, 0, "{}", known.stderr);
        assert!(known.stdout.contains("[masked: header]"), "{}", known.stdout);
        said += &(known.stdout + &known.stderr);
    }
    let live = ["replay", "explored", "--live", "--delay", "0"];
    let strange = navigator.run(at.path(), &live);
    assert!(strange.stderr.contains(way), "{}", strange.stderr);
    let known = navigator.run(at.path(), &[&live[..], &["--header", header.as_str()]].concat());
    assert_eq!(known.code, 0, "{}", known.stderr);
    let resumed =
        ["browse", "--resume", "walked", "--max-steps", "20", "--header", header.as_str()];
    said += &navigator.run(at.path(), &resumed).stderr;
    said += &all_text(at.path());
    said += &all_text(navigator.home());
    assert!(!said.contains(TOKEN), "{said}");

    for (args, message) in [
        (&["explore", site.as_str(), "--goal", "x", "--header", "X-Key=sekret"][..], "is no value"),
        (&["explore", ".", "--goal", "x", "--header", "X-Key: sekret"][..], "no request is sent"),
        (
            &["browse", site.as_str(), "--goal", "x", "--header", "Host: sekret"][..],
            "the connection",
        ),
    ] {
        let refused = navigator.run(at.path(), args);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
        assert!(!refused.stderr.contains("sekret"), "{}", refused.stderr);
    }
}

#[cfg(feature = "mcp")]
#[test]
fn a_server_for_agents_sends_headers_to_its_only_origin() {
    let (navigator, at) = (navigator(), repo(""));
    for (allow, message) in [
        (&["reads:a.example"][..], "it goes to one scheme, host and port"),
        (
            &["reads:https://a.example", "reads:https://b.example"][..],
            "it goes to one scheme, host",
        ),
        (&[][..], "no address is allowed"),
    ] {
        let allow = allow.iter().flat_map(|one| ["--allow", *one]);
        let args: Vec<&str> = ["mcp", "--header", "X: y"].into_iter().chain(allow).collect();
        let refused = navigator.run(at.path(), &args);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
}
