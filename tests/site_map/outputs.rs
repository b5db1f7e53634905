//! Outputs of the program beside what it reads, and flags beside a flown plan.

use std::fs;

use crate::program::{answer, folder, program};
use crate::server::PageServer;

#[test]
fn an_output_takes_the_place_of_nothing_that_is_read_and_a_flown_plan_of_no_flag() {
    let (server, program, place) = (PageServer::start(answer), program(), folder());
    let start = server.url("/m/").to_string();
    let run = |args: &[&str]| program.run(place.path(), args);
    let missing = run(&[&start, "--recording", "missing/m.warc.gz", "--delay", "0"]);
    assert_eq!((missing.code, server.received().len()), (2, 0), "{}", missing.stderr);
    let gone = server.url("/gone").to_string();
    for _ in 0..2 {
        let nothing = run(&[&gone, "--recording", "n.warc.gz", "--delay", "0"]);
        assert!(nothing.stderr.contains("status 404"), "{}", nothing.stderr);
    }
    run(&["record", &start, "-o", "m.warc.gz", "--delay", "0"]);
    let bytes = fs::read(place.path().join("m.warc.gz")).unwrap();
    let refused = run(&["m.warc.gz", "-o", "m.warc.gz"]);
    assert_eq!(refused.code, 2);
    let why = "site-map: --output: m.warc.gz is read by this command; name another file\n";
    assert_eq!(refused.stderr, why);
    assert_eq!(fs::read(place.path().join("m.warc.gz")).unwrap(), bytes);
    for given in ["X-Key=file:key.txt", "@key.txt"] {
        let refused = run(&[&start, "--header", given, "-o", "key.txt"]);
        let why = "site-map: --output: key.txt is read by this command; name another file\n";
        assert_eq!((refused.code, refused.stderr.as_str()), (2, why));
    }
    run(&["m.warc.gz", "--plan-out", "plan.yaml", "-o", "map.md"]);
    for flag in [&["--tokens", "90"][..], &["--no-mask"], &["--sizes"], &["--level", "**=path"]] {
        let refused = run(&[&["m.warc.gz", "--plan", "plan.yaml"], flag].concat());
        let why = format!("site-map: {}: a flown plan is replayed as it is", flag[0]);
        assert!(refused.code == 2 && refused.stderr.starts_with(&why), "{}", refused.stderr);
    }
    assert_eq!(run(&["m.warc.gz", "--plan", "plan.yaml"]).code, 0);
}

#[test]
fn what_is_named_and_not_there_is_a_mistake_of_the_command_line() {
    let (program, place) = (program(), folder());
    for args in [
        &["nowhere"][..],
        &["file://nowhere"],
        &["nowhere.warc.gz"],
        &["rank", "nowhere"],
        &["links", "nowhere", "a.html"],
        &["page", "nowhere.html"],
        &["diff", "nowhere.warc.gz", "nowhere"],
        &[".", "--plan", "nowhere.yaml"],
        &[".", "--goal-file", "nowhere"],
        &[".", "-o", "nowhere/map.md"],
        &["http://127.0.0.1:9/", "--cookies", "nowhere"],
        &["record", "http://127.0.0.1:9/", "-o", "nowhere/m.warc.gz"],
    ] {
        let ran = program.run(place.path(), args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("nowhere"), "{}", ran.stderr);
    }
}
