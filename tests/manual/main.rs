//! The generated manual has the shape that it is said to have, and its questions one answer each.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests run the program")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use manual::{LeafContent, LeafKind, Manual, TreeForm, Vehicle, questions};

const SEEDS: [u64; 2] = [1, 20];
const FORMS: [TreeForm; 2] = [TreeForm::Tree, TreeForm::Folders];

/// The text of a page between its first heading and its end.
fn content(page: &str) -> &str {
    let (_, below) = page.split_once("</h1>").unwrap();
    below.split_once("<div class=\"footer\">").unwrap().0
}

fn percent(n: usize, of: usize) -> usize {
    (100 * n + of / 2) / of
}

#[test]
fn a_manual_has_its_shape() {
    for seed in SEEDS {
        let manual = Manual::new(seed, TreeForm::Tree);
        let vehicles = manual.vehicles();
        let mut models: BTreeMap<(&str, u16), usize> = BTreeMap::new();
        for vehicle in &vehicles {
            *models.entry((vehicle.make, vehicle.year)).or_default() += 1;
        }
        assert_eq!(models.len(), 6 * 5);
        assert!(models.values().all(|n| (3..=5).contains(n)), "{models:?}");

        for vehicle in vehicles.iter().step_by(17) {
            let tree = manual.tree(vehicle);
            let leaves: Vec<_> = tree.leaves().map(|(_, _, leaf)| leaf).collect();
            assert!((700..=1_200).contains(&leaves.len()), "{}", leaves.len());
            assert_eq!(tree.children(None).len(), 12);
            let depths: BTreeSet<usize> =
                tree.leaves().map(|(_, node, _)| node.path.len()).collect();
            assert_eq!(depths, BTreeSet::from([3, 4, 5, 6, 7, 8]));
            let kinds: BTreeSet<&str> = leaves.iter().map(|leaf| leaf.kind.label()).collect();
            assert_eq!(kinds.len(), 8 + 2, "two of specifications are in a folder of that name");

            let mut parents: BTreeMap<&str, BTreeSet<&[String]>> = BTreeMap::new();
            for (_, node, _) in tree.leaves().filter(|(_, node, _)| node.path.len() > 3) {
                let folder = &node.path[..node.path.len() - 1];
                parents
                    .entry(folder.last().unwrap())
                    .or_default()
                    .insert(&folder[..folder.len() - 1]);
            }
            parents.remove("Specifications");
            let twice = parents.values().filter(|places| places.len() > 1).count();
            assert!((10..=20).contains(&percent(twice, parents.len())), "{twice}");

            let n = |is: fn(&LeafContent) -> bool| {
                percent(leaves.iter().filter(|leaf| is(&leaf.content)).count(), leaves.len())
            };
            assert!((1..=5).contains(&n(|one| *one == LeafContent::Empty)));
            assert!((1..=4).contains(&n(|one| matches!(one, LeafContent::Reference(_)))));
            assert!((2..=9).contains(&n(|one| *one == LeafContent::Images)));
            let size = manual.page(&manual.tree_address(vehicle)).unwrap().len();
            assert!((200_000..300_000).contains(&size), "{size}");
        }
    }
}

#[test]
fn every_link_of_every_page_leads_to_a_page() {
    for (form, folder_page) in
        [(TreeForm::Tree, ""), (TreeForm::Folders, ""), (TreeForm::Folders, "index.html")]
    {
        let manual = Manual { folder_page, ..Manual::new(1, form) };
        let vehicle = &manual.vehicles()[40];
        let mut pages = manual.pages(vehicle);
        for address in ["/", "/about.html", "/Averon/", "/Averon/2007/"] {
            pages.push((address.to_owned(), manual.page(address).unwrap()));
        }
        let known: BTreeSet<&str> = pages.iter().map(|(address, _)| address.as_str()).collect();
        assert_eq!(known.len(), pages.len());
        let mut checked: BTreeSet<String> = BTreeSet::new();
        for (address, page) in &pages {
            assert!(page.contains("class=\"banner\""), "{address}");
            for link in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                let target = joined(address, link.split('#').next().unwrap());
                let page = target.strip_suffix(folder_page).unwrap_or(&target);
                let is_far = target.ends_with(".zip") || known.contains(page);
                if !is_far && checked.insert(target.clone()) {
                    assert!(manual.page(&target).is_some(), "{address}: {link} is {target}");
                }
            }
        }
        let some = pages.iter().step_by(97);
        some.for_each(|(address, page)| assert_eq!(manual.page(address).as_ref(), Some(page)));
    }
    let manual = Manual::new(1, TreeForm::Tree);
    for address in ["", "x", "/nowhere/", "/Averon", "/Averon/2007/pages/1.html", "/%FF/", "//"] {
        assert_eq!(manual.page(address), None, "{address}");
    }
}

/// The path that a link of a page leads to.
fn joined(address: &str, link: &str) -> String {
    let mut parts: Vec<&str> = address.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn an_answer_stands_on_one_page_of_a_vehicle_and_is_the_same_in_both_forms() {
    for (seed, n) in [(1, 200), (20, 50)] {
        let [of_tree, of_folders] = FORMS.map(|form| Manual::new(seed, form));
        let vehicles: BTreeMap<String, Vehicle> =
            of_tree.vehicles().into_iter().map(|one| (one.name(), one)).collect();
        let asked = questions::of(&of_tree, n);
        let in_folders = questions::of(&of_folders, n);
        let mut by_vehicle: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, question) in asked.iter().enumerate() {
            by_vehicle.entry(&question.vehicle).or_default().push(at);
            let page = of_tree.page(&question.distractor.address).unwrap();
            assert!(content(&page).contains(&question.distractor.answer), "{question:?}");
            assert_ne!(question.distractor.answer, question.answer);
            assert!(of_tree.page(&question.start).is_some());
            let other = &in_folders[at];
            assert_eq!((&other.answer, &other.path), (&question.answer, &question.path));
        }
        for (name, at) in by_vehicle {
            for (manual, questions) in [(&of_tree, &asked), (&of_folders, &in_folders)] {
                let pages = manual.pages(&vehicles[name]);
                for question in at.iter().map(|at| &questions[*at]) {
                    let having = pages.iter().filter(|(_, page)| page.contains(&question.answer));
                    let having: Vec<&str> = having.map(|(address, _)| address.as_str()).collect();
                    assert_eq!(having, [&question.address], "{question:?}");
                }
            }
        }
    }
}

#[test]
fn questions_are_of_ten_types_and_in_words_of_people() {
    let manual = Manual::new(1, TreeForm::Tree);
    let asked = questions::of(&manual, 200);
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    for question in &asked {
        *types.entry(question.kind).or_default() += 1;
    }
    assert_eq!(types.len(), LeafKind::ASKED.len());
    assert!(types.values().all(|n| *n == 20), "{types:?}");
    assert_eq!(asked.iter().filter(|one| one.start == "/").count(), 100);
    let says_a_name = |one: &&questions::ManualQuestion| {
        let question = one.question.to_lowercase();
        one.path[2..].iter().any(|name| question.contains(&name.to_lowercase()))
    };
    assert!(asked.iter().filter(says_a_name).count() <= 100);
    let places: BTreeSet<&str> = asked.iter().map(|one| one.address.as_str()).collect();
    assert_eq!(places.len(), 200, "no question is asked twice");
    assert_eq!(asked, questions::of(&manual, 200));
    assert_ne!(asked, questions::of(&Manual::new(2, TreeForm::Tree), 200));
}

#[test]
fn the_program_prints_writes_and_serves() {
    let program = || Command::new(env!("CARGO_BIN_EXE_manual"));
    let printed = program().args(["questions", "--seed", "3", "-n", "10"]).output().unwrap();
    let lines = String::from_utf8(printed.stdout).unwrap();
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!((lines.lines().count(), &first["type"]), (10, &"specification".into()));

    let folder = tempfile::tempdir().unwrap();
    let written = program().args(["write", "--form", "folders"]).arg(folder.path()).status();
    assert!(written.unwrap().success());
    let manual = Manual { folder_page: "index.html", ..Manual::new(1, TreeForm::Folders) };
    for (address, page) in manual.pages(&manual.vehicles()[0]).iter().step_by(101) {
        let file = folder.path().join(manual::file_of(address));
        assert_eq!(&fs::read_to_string(file).unwrap(), page);
    }

    let mut serving = program().arg("serve").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(serving.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let host = line.trim().strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
    let get = |path: &str| {
        let mut stream = TcpStream::connect(&host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let (home, missing) = (get("/"), get("/nowhere"));
    serving.kill().unwrap();
    serving.wait().unwrap();
    assert!(home.starts_with("HTTP/1.1 200 OK\r\n") && home.contains("Choose a make"), "{home}");
    assert!(missing.starts_with("HTTP/1.1 404 "), "{missing}");
}
