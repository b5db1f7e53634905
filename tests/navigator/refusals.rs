//! Wishes that do not fit: each is refused alone, with its price and what the others leave.

use navigator::decision_log::ActionKind;
use navigator::{Refusal, Stop, state};
use repo_map::plan::Rule;
use repo_map::{Level, cost};

use crate::decisions::{asked, finalize, fly_over, level, open, section, update};
use crate::service;

/// A repository with a file of more worth than any other that fits no budget of these tests.
fn with_large_file() -> test_support::Repo {
    let folder = service();
    let line = "    pub fn refresh_session(&mut self) { self.session.refresh(self.now); }\n";
    let text = format!("impl Session {{\n{}}}\n", line.repeat(200));
    folder.write("src/refresh.rs", text.as_bytes());
    folder
}

#[test]
fn a_change_that_does_not_fit_is_refused_alone_with_its_price_and_the_run_goes_on() {
    let folder = with_large_file();
    let last = finalize(&["src/refresh.rs full", "src/color.rs full"]);
    let found = fly_over(
        &folder,
        400,
        vec![update(&["src/session.rs#Session::refresh full"]), last, finalize(&[])],
    );
    let entry = &found.state.log[1];
    assert_eq!(entry.action, ActionKind::UpdateFlightPlan);
    assert_eq!(entry.paths, ["src/color.rs"]);
    let [refusal] = &entry.refused[..] else { panic!("one refusal: {:?}", entry.refused) };
    assert!(refusal.tokens > 400 && refusal.left < 400, "{refusal:?}");
    assert_eq!(
        refusal.line(),
        format!(
            "`src/refresh.rs` full: refused, it needs {} tokens, and the other wishes and the lines \
             of folders leave {}; the other changes were made",
            refusal.tokens, refusal.left
        )
    );
    assert!(entry.complaints[0].starts_with("not finalized"), "{:?}", entry.complaints);
    assert_eq!(level(&found, "src/color.rs"), Level::Full);
    assert!(found.map.text.contains("self.expires = now + 3600;"), "{}", found.map.text);
    assert_eq!(found.stop, Stop::TokenLimit, "not all that was wanted is in");
    assert!(found.summary.contains("`src/refresh.rs` full: refused"), "{}", found.summary);
    let kept = state::from_json::<Vec<Rule>>(&state::to_json(&found.state)).unwrap();
    assert_eq!(kept, found.state);
}

#[test]
fn a_pilot_that_no_longer_asks_for_what_was_refused_has_all_that_it_wanted() {
    let decisions = vec![update(&["src/refresh.rs full"]), finalize(&["src/color.rs full"])];
    let found = fly_over(&with_large_file(), 400, decisions);
    assert_eq!(found.state.log[0].refused.len(), 1);
    assert_eq!(found.stop, Stop::Finished, "{:?}", found.state.log[1]);
}

#[test]
fn of_wishes_that_do_not_fit_together_the_first_are_kept_and_folders_come_last() {
    let folder = service();
    let tokens = 180;
    let files = ["tests/session.rs", "src/http.rs", "src/session.rs", "README.md"];
    for from in 0..files.len() {
        let mut order = files.to_vec();
        order.rotate_left(from);
        let mut said = vec!["src/ interface".to_owned()];
        said.extend(order.iter().map(|file| format!("{file} full")));
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        let found = fly_over(&folder, tokens, vec![update(&said)]);
        let entry = &found.state.log[0];
        assert!(!entry.refused.is_empty(), "{order:?}");
        assert_eq!(level(&found, order[0]), Level::Full, "{order:?}");
        for change in &entry.changes {
            assert!(change.name() == "src/" || level(&found, &change.name()) == Level::Full);
        }
    }
}

#[test]
fn a_numbered_item_is_lowered_beside_its_name_in_full_and_makes_room_first() {
    let folder = with_large_file();
    folder
        .write("src/mixes.py", b"def mix(): return 1\ndef mix(): return 2\ndef mix(): return 3\n");
    let wide = update(&["src/mixes.py#mix full"]);
    let narrow = finalize(&["src/mixes.py#mix full", "src/mixes.py#mix [@2 full] outline"]);
    let found = fly_over(&folder, 400, vec![wide, narrow]);
    assert_eq!(found.stop, Stop::Finished, "{:?}", found.state.log);
    let text = &found.map.text;
    assert!(text.contains("return 1") && text.contains("return 3"), "{text}");
    assert!(!text.contains("return 2"), "{text}");
}

#[test]
fn what_a_refused_item_needs_is_more_than_its_file_leaves() {
    let folder = with_large_file();
    let items: Vec<String> =
        (1..=30).map(|nth| format!("src/refresh.rs#Session::refresh_session@{nth} full")).collect();
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    let (first, rest) = items.split_at(15);
    let found = fly_over(&folder, 400, vec![update(first), update(rest)]);
    let refused: Vec<&Refusal<Vec<Rule>>> =
        found.state.log.iter().flat_map(|entry| &entry.refused).collect();
    assert!(!refused.is_empty());
    for refusal in refused {
        assert!(refusal.tokens > refusal.left && refusal.tokens < 40, "{}", refusal.line());
    }
}

#[test]
fn a_refused_change_stays_in_the_view_until_its_name_is_changed() {
    let folder = with_large_file();
    let answers = vec![
        update(&["src/refresh.rs full"]),
        update(&["README.md full"]),
        update(&["src/refresh.rs path"]),
        finalize(&[]),
    ];
    let (requests, _) = asked(open(&folder, 400), answers);
    let refused: Vec<Vec<&str>> =
        requests.iter().map(|request| section(request, "Your changes that did not fit:")).collect();
    let [before, fresh, earlier, after] = &refused[..] else { panic!("{refused:?}") };
    assert!(before.is_empty() && after.is_empty(), "{refused:?}");
    let [fresh] = fresh[..] else { panic!("{fresh:?}") };
    let (said, left) =
        fresh.split_once(", and the other wishes and the lines of folders leave ").unwrap();
    assert!(left.ends_with("; the other changes were made"), "{left}");
    // What was left then is not what is left now.
    let said = said.replace("refused, ", "refused earlier, ");
    assert_eq!(earlier[..], [format!("{said}; name it again if you still want it")]);
}

#[test]
fn a_type_that_does_not_fit_takes_neither_its_file_nor_its_items_down() {
    let folder = with_large_file();
    let named = ["src/refresh.rs#Session full", "src/refresh.rs#Session::refresh_session@2 full"];
    let found = fly_over(&folder, 400, vec![update(&named)]);
    let entry = &found.state.log[0];
    assert_eq!((entry.changes.len(), entry.refused.len()), (1, 1), "{:?}", entry.refused);
    let (repo, _) = open(&folder, 400);
    let shown =
        |item| cost::shown(repo.repo(), "src/refresh.rs", Some(item), &found.map).unwrap().unwrap();
    assert_eq!(shown("Session::refresh_session@2"), Level::Full);
    assert!(shown("Session::refresh_session") < Level::Full, "of all with the name, the lowest");
}
