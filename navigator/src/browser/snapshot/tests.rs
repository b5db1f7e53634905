//! A page with each kind of control, as Chromium gave it (`fixtures/controls.html`).

use std::collections::BTreeMap;

use serde_json::json;

use super::{ControlState, FrameCapture, PageSnapshot, ScreenFacts, ScreenPage};

fn capture(snapshot: &str) -> FrameCapture {
    let snapshot: Option<PageSnapshot> = serde_json::from_str(snapshot).unwrap();
    let snapshot = snapshot.unwrap_or_default();
    FrameCapture { session: 0, snapshot, frames: BTreeMap::new() }
}

fn screen() -> ScreenPage {
    ScreenPage::of(&capture(include_str!("fixtures/controls.json")), (1280.0, 800.0))
}

#[test]
fn each_kind_of_control_is_a_mark_in_the_text() {
    let html = screen().html();
    let body = html.split("<body>").nth(1).unwrap().split("</body>").next().unwrap();
    let lines = body.replace("&quot;", "'").replace("⟧ ", "⟧\n").replace('>', ">\n");
    let lines: Vec<&str> = lines.lines().filter(|line| line.contains('⟦')).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    ⟦1 link 'Home'⟧</a>
    ⟦2 link 'About'⟧</a>
    ⟦3 link 'a link'⟧</a>
      ⟦4 field 'Name' = 'Ada', required⟧
     ⟦5 field 'Mail'⟧
     ⟦6 field 'Password', filled⟧
     ⟦7 checkbox 'Send news', checked⟧
     ⟦8 radio 'Monthly'⟧
     ⟦9 radio 'Yearly', checked⟧
    Country  ⟦10 select = 'Peru' of 'France', 'Peru', 'Mars'⟧
     ⟦11 field 'Notes' = 'two lines'⟧
     ⟦12 slider 'Volume' = '4'⟧
     ⟦13 file 'Avatar'⟧
     ⟦14 button 'Save'⟧
     ⟦15 button 'Delete', disabled⟧
     ⟦16 button 'Submit'⟧
     ⟦17 button 'Remove'⟧
     ⟦18 button 'Remove'⟧
     ⟦19 item 'one'⟧
     ⟦20 item 'two'⟧
     ⟦21 item 'Card with text'⟧
     ⟦22 tab 'First', selected⟧
     ⟦23 tab 'Second'⟧
     ⟦24 item 'icon trash 5×19'⟧
     ⟦25 field 'Editor' = 'draft'⟧
     ⟦26 button 'More', collapsed⟧
    shadow  ⟦27 button 'Deep'⟧
     ⟦28 canvas 'canvas 100×50'⟧
     ⟦29 item 'circle red 20×20 at 20,20'⟧
     ⟦30 button 'Under', covered⟧
    In a frame  ⟦31 button 'Inner'⟧
     ⟦32 button 'Scrolled'⟧
     ⟦33 button 'Far'⟧
     ⟦34 button 'OK'⟧
    ");
}

#[test]
fn what_nobody_sees_is_counted_and_not_shown() {
    let screen = screen();
    for hidden in ["hidden words", "faint", "for screen readers", "secret123", "<style"] {
        assert!(!screen.html().contains(hidden), "{hidden}");
    }
    assert_eq!((screen.facts.n_hidden, screen.facts.n_hidden_controls), (40, 1));
    assert_eq!(screen.html().matches("<script").count(), 1);
}

#[test]
fn the_facts_are_read_as_they_were_written() {
    let screen = screen();
    assert_eq!(ScreenFacts::of(screen.html().as_bytes()), Some(screen.facts.clone()));
    assert_eq!(screen.places.len(), screen.facts.controls.len());
    let [first, second] = ["Bolt", "Nut"].map(|beside| {
        let is_it = |control: &&super::PageControl| control.beside.as_deref() == Some(beside);
        screen.facts.controls.iter().find(is_it).map(|control| control.name.as_str())
    });
    assert_eq!((first, second), (Some("Remove"), Some("Remove")));
}

#[test]
fn a_form_has_its_fields_and_what_sends_it() {
    let facts = screen().facts;
    let [form] = &facts.forms[..] else { panic!("{:?}", facts.forms) };
    let names = |numbers: &[usize]| {
        let names = numbers.iter().map(|number| facts.controls[number - 1].name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        (form.name.as_str(), names(&form.fields), names(&form.sent_by)),
        (
            "",
            "Name, Mail, Password, Send news, Monthly, Yearly, , Notes, Volume, Avatar".to_owned(),
            "Save, Delete, Submit".to_owned(),
        )
    );
}

#[test]
fn any_answer_of_a_browser_makes_a_screen() {
    for snapshot in [
        "null",
        "{}",
        r#"{"documents": [{"nodes": {"nodeName": [1], "parentIndex": [7]}}], "strings": []}"#,
        r#"{"documents": [{"nodes": {"nodeName": [0, 0], "parentIndex": [-1, 1],
            "nodeType": [1, 3], "attributes": [[0], [0, 9]]}, "layout": {"nodeIndex": [0, 5]}}],
            "strings": ["A"]}"#,
    ] {
        let screen = ScreenPage::of(&capture(snapshot), (800.0, 600.0));
        assert!(screen.html().starts_with("<!doctype html>"), "{snapshot}");
    }
}

/// A page of nothing but buttons with the same name, as Chromium would give it.
fn page_of_buttons(n: usize) -> FrameCapture {
    let (mut names, mut kinds, mut parents) = (vec![0, 1, 2], vec![9, 1, 1], vec![-1, 0, 1]);
    let (mut values, mut bounds) = (vec![-1, -1, -1], vec![[0, 0, 1280, 4_000_000]; 3]);
    for button in 0..i64::try_from(n).unwrap() {
        let parent = i64::try_from(names.len()).unwrap();
        names.extend([3, 4]);
        kinds.extend([1, 3]);
        parents.extend([2, parent]);
        values.extend([-1, 5]);
        let bound = [30 * (button % 40), 30 * (button / 40), 25, 20];
        bounds.extend([bound, bound]);
    }
    let indices: Vec<usize> = (0..names.len()).collect();
    // The display and the visibility.
    let styles = vec![[6, 7]; names.len()];
    let snapshot = json!({
        "strings": ["#document", "HTML", "BODY", "BUTTON", "#text", "x", "block", "visible"],
        "documents": [{
            "nodes": {
                "nodeName": names, "nodeType": kinds, "parentIndex": parents, "nodeValue": values,
                "backendNodeId": indices,
            },
            "layout": {
                "nodeIndex": indices, "bounds": bounds, "styles": styles, "paintOrders": indices,
            },
        }],
    });
    capture(&snapshot.to_string())
}

/// Work that grows with the square of a page would take minutes here.
#[test]
fn a_page_of_very_many_controls_is_read() {
    let screen = ScreenPage::of(&page_of_buttons(50_000), (1280.0, 800.0));
    let controls = &screen.facts.controls;
    assert_eq!(controls.len(), 50_000);
    assert!(controls.iter().all(|one| one.name == "x" && one.beside.is_none()));
    assert!(!controls.iter().any(|one| one.is(ControlState::Covered)));
}
