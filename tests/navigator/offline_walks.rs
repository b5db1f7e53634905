//! Walks without a model that go by links alone: when they end, what they take, and which pages
//! they leave.

use navigator::walk::pilot::offline::OfflineWalker;
use navigator::walk::report::WalkReport;
use navigator::walk::state::WalkState;
use navigator::walk::steps::limits::WalkLimits;
use navigator::walk::steps::{Walked, walk};
use navigator::{EffectLedger, Stop};
use test_support::repo;

use crate::walks::{results, session};

#[test]
fn a_walk_that_would_go_on_without_its_limit_of_steps_has_not_finished() {
    let manual = repo(
        "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1>
<p>All that a workshop needs to know of a car, its coolant, its brakes and its lights, in the order
of the parts. <ul><li><a href='a.html'>Coolant capacity</a></ul>
=== a.html
<!doctype html><title>Coolant capacity</title><h1>Coolant capacity</h1><p>It takes 9.5 L.
",
    );
    let goal = "coolant capacity";
    let limits = |steps| WalkLimits { steps, ..WalkLimits::default() };
    let mut session = session(manual.path()).by_links_alone();
    let mut walk_on = |state: WalkState, steps| {
        let mut pilot = OfflineWalker::default();
        let effects = EffectLedger::default();
        walk(&mut session, goal, state, &mut pilot, &limits(steps), effects, &mut ()).unwrap()
    };
    let first = walk_on(WalkState::first(), 1);
    let report = WalkReport::of(&first, goal);
    assert_eq!((first.stop.as_str(), report.success), ("step_limit", false));
    assert!(report.content.contains("in the order"), "{}", report.content);
    let second = walk_on(first.state, 5);
    let report = WalkReport::of(&second, goal);
    assert_eq!((second.stop.as_str(), report.success), ("finished", true));
    assert!(report.content.contains("9.5 L"), "{}", report.content);
}

/// A manual whose best page by its words is not the one that the goal names.
const SETTINGS: &str = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1><ul>
<li><a href='a.html'>Default values of the cache timeout</a><li><a href='z.html'>Index</a>
<li><a href='1'>Oil</a><li><a href='2'>Tyres</a><li><a href='3'>Brakes</a><li><a href='4'>Doors</a>
<li><a href='5'>Seats</a><li><a href='6'>Lamps</a><li><a href='7'>Pipes</a>
<li><a href='8'>Belts</a></ul>
=== a.html
<!doctype html><title>Cache timeout</title><h1>Cache timeout</h1>
<p>The default value of the timeout of the cache is 300 seconds.
";
const INDEX: &str = "=== z.html
<!doctype html><title>Index</title><h1>Index</h1><ul><li><a href='k.html'>KeepAliveTimeout</a></ul>
=== k.html
<!doctype html><title>Keep-alive</title><h1>Keep-alive</h1>
<p>KeepAliveTimeout is 5 seconds by default.
";

fn walked_through(pages: &str, goal: &str) -> Walked {
    let manual = repo(pages);
    let mut pilot = OfflineWalker::default();
    let (state, effects) = (WalkState::first(), EffectLedger::default());
    let limits = WalkLimits::default();
    let mut session = session(manual.path()).by_links_alone();
    walk(&mut session, goal, state, &mut pilot, &limits, effects, &mut ()).unwrap()
}

#[test]
fn a_walk_goes_on_to_the_name_of_code_that_the_goal_has() {
    let goal = "what is the default value of KeepAliveTimeout";
    let found = walked_through(&format!("{SETTINGS}{INDEX}"), goal);
    let report = WalkReport::of(&found, goal);
    assert_eq!((found.stop, report.url.as_str()), (Stop::Finished, "file:///k.html"));
    // Without that page the best one is delivered, and is no answer.
    let lost = walked_through(SETTINGS, goal);
    let report = WalkReport::of(&lost, goal);
    let why = "no page that was read has `KeepAliveTimeout`".to_owned();
    assert_eq!((lost.stop, report.success), (Stop::GivenUp(why), false));
    assert!(report.content.contains("300 seconds"), "{}", report.content);
    assert_eq!(report.missing, ["KeepAliveTimeout"]);
    assert!(report.confidence < 0.7, "{}", report.confidence);
}

#[test]
fn another_number_is_no_answer() {
    let rows: String = (1..40).map(|n| format!("<tr><td>{n}<td>{} EUR", 3 * n)).collect();
    let page = format!(
        "=== index.html
<!doctype html><title>Items</title><h1>Items</h1><p>What each item costs, for all that we sell.
<table><tr><th>Item<th>Cost{rows}</table>
"
    );
    let found = walked_through(&page, "what does item 21 cost");
    assert_eq!(found.stop, Stop::Finished);
    // A cost of 63 is no item 63.
    for number in ["63", "240"] {
        let goal = format!("what does item {number} cost");
        let lost = walked_through(&page, &goal);
        let why = format!("no page that was read has `{number}`");
        assert_eq!(lost.stop, Stop::GivenUp(why));
        let report = WalkReport::of(&lost, &goal);
        assert!(report.missing == [number] && report.confidence < 1.0, "{report:?}");
    }
}

#[test]
fn a_place_that_is_called_as_the_goal_names_it_is_read_though_it_promises_less() {
    let pages = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1><ul>
<li><a href='a.html'>Handling of values that functions return</a><li><a href='z.html'>Index</a>
</ul>
=== a.html
<!doctype html><title>Values</title><h1>Values</h1>
<p>What happens to values that functions return: they are handled and sent.
=== z.html
<!doctype html><title>Index</title><h1>Index</h1><ul><li><a href='k.html'>run_first()</a></ul>
=== k.html
<!doctype html><title>Hooks</title><h1>Hooks</h1>
<p>If run_first gives a value, functions that handle others are not called.
";
    let goal = "what happens to values that handling functions return in run_first";
    let found = walked_through(pages, goal);
    let report = WalkReport::of(&found, goal);
    assert_eq!((found.stop, report.url.as_str()), (Stop::Finished, "file:///k.html"));
}

#[test]
fn an_index_is_read_where_the_rarest_word_is_missing() {
    let pages = format!("{SETTINGS}{INDEX}").replace("KeepAliveTimeout", "Dishwasher timeout");
    let goal = "default dishwasher timeout";
    let found = walked_through(&pages, goal);
    let report = WalkReport::of(&found, goal);
    assert_eq!((found.stop, report.url.as_str()), (Stop::Finished, "file:///k.html"));
}

#[test]
fn a_topic_and_a_page_of_another_host_are_no_index_of_the_site() {
    let others = "<a href='k.html'>Sitemaps</a><li><a href='https://other.example/'>Sitemap</a>";
    let pages = format!("{SETTINGS}{INDEX}").replace("<a href='z.html'>Index</a>", others);
    let goal = "default dishwasher timeout";
    let walked = walked_through(&pages, goal);
    let report = WalkReport::of(&walked, goal);
    let why = "the best text that was read lacks `dishwasher`".to_owned();
    assert_eq!((walked.stop, report.url.as_str()), (Stop::GivenUp(why), "file:///a.html"));
}

#[test]
fn a_walk_through_a_folder_takes_no_step_to_another_host() {
    let pages = SETTINGS.replace("href='1'", "href='https://other.example/'");
    let walked = walked_through(&pages.replace("Oil", "Default cache timeout"), "cache timeout");
    assert_eq!(results(&walked), ["page 'Cache timeout'", "extracted 78 characters"]);
}

#[test]
fn of_a_long_question_the_best_page_is_taken_when_it_is_read() {
    let goal = "my workshop has a red car whose lamps go dark whenever I open the doors, since \
        last winter, although the belts were renewed and the brakes checked by a friend of mine; \
        what is the default value of the cache timeout?";
    let walked = walked_through(SETTINGS, goal);
    let report = WalkReport::of(&walked, goal);
    assert_eq!((walked.stop, report.url.as_str()), (Stop::Finished, "file:///a.html"));
}

#[test]
fn a_text_with_too_little_of_a_short_goal_is_no_answer() {
    let goal = "default jackhammer of a typewriter in a dishwasher";
    let walked = walked_through(SETTINGS, goal);
    let why = "the best text that was read lacks `dishwasher`, `jackhammer`, `typewriter`";
    assert_eq!(walked.stop, Stop::GivenUp(why.to_owned()));
    let report = WalkReport::of(&walked, goal);
    assert!(!report.success && report.content.contains("300 seconds"), "{}", report.content);
}

#[test]
fn a_text_that_has_less_than_half_of_the_goal_is_not_the_end() {
    let heater = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1><ul>
<li><a href='a.html'>Coolant pump</a><li><a href='b.html'>Heater hose</a></ul>
=== a.html
<!doctype html><title>Coolant pump</title><h1>Coolant pump</h1><p>Drain the pump once a year.
";
    let hose = "=== b.html
<!doctype html><title>Heater hose</title><h1>Heater hose</h1>
<p>Drain the coolant from the pump, then open the clamp of the rear hose.
";
    let goal = "drain coolant pump heater hose rear clamp";
    let found = walked_through(&format!("{heater}{hose}"), goal);
    let report = WalkReport::of(&found, goal);
    assert_eq!((found.stop, report.url.as_str()), (Stop::Finished, "file:///b.html"));
    let lost = walked_through(heater, goal);
    let why = "the best text that was read lacks `clamp`, `heater`, `hose`, `rear`";
    assert_eq!(lost.stop, Stop::GivenUp(why.to_owned()));
    let report = WalkReport::of(&lost, goal);
    assert_eq!((report.success, report.confidence), (false, 0.43));
}

#[test]
fn a_text_whose_place_alone_has_the_goal_is_not_the_end() {
    let pages = "=== index.html
<!doctype html><title>Manuals</title><h1>Manuals</h1><a href='k.html'>2005 Averon Kestin</a>
=== k.html
<!doctype html><title>2005 Averon Kestin</title><div class='breadcrumb'>
<a href='index.html'>Manuals</a> &gt; 2005 Averon Kestin</div>
<h1>2005 Averon Kestin</h1><ul><li><a href='h.html'>Horn</a></ul>
=== h.html
<!doctype html><title>Horn</title><div class='breadcrumb'><a href='index.html'>Manuals</a> &gt;
<a href='k.html'>2005 Averon Kestin</a> &gt; Horn</div><h1>Horn</h1><p>It is below the bumper.
";
    let walk = |goal: &str| walked_through(pages, goal);
    let why = "the best text that was read lacks `door`, `striker`";
    let lost = walk("door striker of a 2005 Averon Kestin");
    assert_eq!(lost.stop, Stop::GivenUp(why.to_owned()));
    assert_eq!(walk("horn of a 2005 Averon Kestin").stop, Stop::Finished);
}

#[test]
fn words_that_meet_in_code_alone_are_not_the_end() {
    let script = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1><ul>
<li><a href='a.html'>Daily backups</a><li><a href='b.html'>Backups that stopped halfway</a></ul>
=== a.html
<!doctype html><title>Daily backups</title><h1>Daily backups</h1><p>It makes a backup each day.
<pre>trap 'echo Backup interrupted, see what happens' TERM</pre>
";
    let prose = "=== b.html
<!doctype html><title>Stopped halfway</title><h1>Stopped halfway</h1>
<p>A backup that was interrupted goes on where it was.
";
    let goal = "what happens with an interrupted backup";
    let found = walked_through(&format!("{script}{prose}"), goal);
    let report = WalkReport::of(&found, goal);
    assert_eq!((found.stop, report.url.as_str()), (Stop::Finished, "file:///b.html"));
    let lost = walked_through(script, goal);
    let why = "the words of the goal stand apart in the best text that was read";
    assert_eq!(lost.stop, Stop::GivenUp(why.to_owned()));
    let named = "what happens with an interrupted backup after `trap`";
    assert_eq!(walked_through(script, named).stop, Stop::Finished);
}

#[test]
fn a_text_of_another_kind_than_the_question_is_not_the_end() {
    let pages = |kind: &str| {
        format!(
            "=== index.html
<!doctype html><title>Horn</title><h1>Horn</h1><ul><li><a href='a.html'>{kind}</a>
<li><a href='b.html'>Testing and Inspection</a></ul>
=== a.html
<!doctype html><title>Horn switch</title><h1>Horn switch: {kind}</h1>
<p>The horn switch is below the bumper, beside the horn.
=== b.html
<!doctype html><title>Lamps</title><h1>Lamps: Testing and Inspection</h1><p>They are bright.
"
        )
    };
    let goal = "which plug goes to the horn switch";
    let lost = walked_through(&pages("Locations"), goal);
    let why = "the best text that was read lacks `goes`, `plug`";
    assert_eq!(lost.stop, Stop::GivenUp(why.to_owned()));
    assert!(WalkReport::of(&lost, goal).content.contains("below the bumper"));
    // A site that does not head its pages so has no word for the kind.
    let long = "which plug goes to the horn switch that is beside the horn, below the bumper, and \
                has a horn beside it";
    for (kind, is_answer) in [("Locations", false), ("Bumper", true), ("Diagrams", true)] {
        let stop = walked_through(&pages(kind), long).stop;
        assert_eq!(stop == Stop::Finished, is_answer, "{kind} {stop:?}");
    }
}

#[test]
fn the_notes_of_a_release_come_after_other_pages() {
    let pages = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1><ul>
<li><a href='changes.html'>Exclude folders</a>
<li><a href='patterns.html'>Exclude folders</a></ul>
=== changes.html
<!doctype html><title>Changes</title><h1>Exclude folders</h1><p>To exclude folders was mended.
=== patterns.html
<!doctype html><title>Patterns</title><h1>Exclude folders</h1><p>To exclude folders, name them.
";
    let url = |goal: &str| WalkReport::of(&walked_through(pages, goal), goal).url;
    assert_eq!(url("how do I exclude folders"), "file:///patterns.html");
    assert_eq!(url("exclude folders, release notes"), "file:///changes.html");
    let (changes, _) = pages.split_once("=== patterns.html").unwrap();
    let why = "the best text that was read is of the notes of a release";
    let lost = walked_through(changes, "how do I exclude folders");
    assert_eq!(lost.stop, Stop::GivenUp(why.to_owned()));
}

#[test]
fn a_number_in_an_index_has_the_term_that_it_stands_beside() {
    let pages = "=== index.html
<!doctype html><title>Index</title><h1>Index</h1><ul><li>tables, <a href='a.html'>8.1</a>
<li>vacuuming, <a href='b.html'>9.4</a><li>views, <a href='c.html'>9.5</a></ul>
=== a.html
<!doctype html><title>Rows</title><h1>Rows</h1><p>They are in tables.
=== b.html
<!doctype html><title>Space</title><h1>Space</h1><p>Vacuuming frees it.
=== c.html
<!doctype html><title>Queries</title><h1>Queries</h1><p>They have names.
";
    let walked = walked_through(pages, "vacuuming");
    assert_eq!(results(&walked), ["page 'Space'", "extracted 28 characters"]);
}

#[test]
fn a_link_of_a_menu_has_nothing_of_the_heading_above_it() {
    let pages = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1>
<ul><li><a href='d.html'>Download</a><li><a href='a.html'>Constraints of a column</a></ul>
=== a.html
<!doctype html><title>Constraints</title><h1>Constraints</h1>
<p>They hold for each row. <a href='c.html'>Case folding</a><h2>Unique column</h2>
<p><a href='d.html'>Download</a>
=== c.html
<!doctype html><title>Case folding</title><h1>Case folding</h1><p>A unique column without case.
=== d.html
<!doctype html><title>Download</title><h1>Download</h1><p>Take it.
";
    let walked = walked_through(pages, "a column that is unique without case");
    assert_eq!(
        results(&walked),
        ["page 'Constraints'", "page 'Case folding'", "extracted 45 characters"]
    );
}

#[test]
fn a_page_that_failed_is_not_opened_again() {
    let pages = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1>
<ul><li><a href='gone.html#a'>Coolant capacity</a><li><a href='b.html'>Coolant</a></ul>
=== b.html
<!doctype html><title>Coolant</title><h1>Coolant</h1>
<p>It cools the engine, is green, and has to be drained every four years. For the rest see
<a href='gone.html'>Coolant capacity</a>
";
    let walked = walked_through(pages, "coolant capacity");
    assert_eq!(
        results(&walked),
        ["the folder has no such page", "page 'Coolant'", "extracted 115 characters"]
    );
}

#[test]
fn of_sections_that_the_title_makes_equal_the_own_heading_decides() {
    let pages = "=== index.html
<!doctype html><title>Custom tags and filters</title><h1>Custom tags and filters</h1>
<h2>Writing custom tags</h2><p>A tag is a function that is compiled.
<h2>Writing custom filters</h2><p>It takes a value, and returns one.
";
    let goal = "how do I write a custom filter";
    let report = WalkReport::of(&walked_through(pages, goal), goal);
    assert!(report.content.contains("takes a value"), "{}", report.content);
}

#[test]
fn a_sentence_about_something_else_is_no_answer_to_a_terse_goal() {
    let mention = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1><ul><li><a href='a.html'>Prune</a>
<li><a href='b.html'>Backups that stopped</a></ul>
=== a.html
<!doctype html><title>Prune</title><h1>Prune</h1>
<p>It removes old archives, and what interrupted backups leave behind.
";
    let answer = "=== b.html
<!doctype html><title>Questions</title><h1>Questions</h1><h2>When a backup is interrupted</h2>
<p>The next one goes on where it was.
";
    let goal = "interrupted backup";
    let found = walked_through(&format!("{mention}{answer}"), goal);
    let report = WalkReport::of(&found, goal);
    assert_eq!((found.stop, report.url.as_str()), (Stop::Finished, "file:///b.html"));
    let lost = walked_through(mention, goal);
    let why = "the best text that was read only mentions what the goal is about";
    assert_eq!(lost.stop, Stop::GivenUp(why.to_owned()));
    assert!(WalkReport::of(&lost, goal).content.contains("leave behind"));
}

#[test]
fn two_of_four_words_are_no_answer_to_a_terse_goal() {
    let pages = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1><ul><li><a href='a.html'>Quick time</a></ul>
=== a.html
<!doctype html><title>Quick time</title><h1>Quick time</h1><p>It finds what links to a player.
";
    let lost = walked_through(pages, "enable link time optimization");
    let why = "the best text that was read lacks `enable`, `optimization`";
    assert_eq!(lost.stop, Stop::GivenUp(why.to_owned()));
}

#[test]
fn the_index_of_the_site_comes_before_a_page_about_indexes() {
    let pages = "=== index.html
<!doctype html><title>Manual</title><h1>Manual</h1><ul>
<li><a href='a.html'>Index access methods</a><li><a href='p.html#contents'>Contents</a>
<li><a href='z.html'>Index</a></ul>
=== a.html
<!doctype html><title>Index access methods</title><h1>Index access methods</h1><p>Of trees.
=== p.html
<!doctype html><title>Part</title><h1>Part</h1><h2 id='contents'>Contents</h2><p>Of a part.
=== z.html
<!doctype html><title>Index</title><h1>Index</h1><ul><li><a href='k.html'>vacuuming</a></ul>
=== k.html
<!doctype html><title>Vacuuming</title><h1>Vacuuming</h1><p>It frees space.
";
    let walked = walked_through(pages, "vacuuming");
    assert_eq!(
        results(&walked),
        ["page 'Index', which only leads on", "page 'Vacuuming'", "extracted 28 characters"]
    );
}

#[test]
fn what_follows_a_form_is_of_the_section_around_it() {
    let pages = "=== index.html
<!doctype html><title>Limits</title><h1>Limits</h1><p>All of them.
<form action='/find'><input name=q></form><p>A table has 2000 columns at most.
";
    let goal = "columns of a table";
    let report = WalkReport::of(&walked_through(pages, goal), goal);
    assert_eq!(report.breadcrumb.last().map(String::as_str), Some("Limits"));
    assert!(report.content.contains("2000"), "{}", report.content);
}
