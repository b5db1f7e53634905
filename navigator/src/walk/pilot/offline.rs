//! The pilot of a walk without a model: the best evidence first, with backtracking.
//!
//! It clicks what leads to most words of the goal, takes the section with most of them, and ends
//! when no other place that it has seen promises more.

use crate::money::pico_usd::PicoUsd;
use crate::run::pilot::{Projection, Spend};
use crate::run::stop::Stop;
use crate::walk::action::WalkAction;
use crate::walk::confidence::{Confidence, share_by_itself};
use crate::walk::outcome::StepOutcome;
use crate::walk::pilot::choice::WalkChoice;
use crate::walk::pilot::evidence::evidence_words;
use crate::walk::pilot::literal::{LiteralStep, literal_step};
use crate::walk::pilot::loading::{next_part, scroll_first, wait_first};
use crate::walk::pilot::orders::GoalOrders;
use crate::walk::pilot::promise::{Promise, best_promise};
use crate::walk::pilot::release_notes;
use crate::walk::pilot::search::{FoundPage, WalkSearch};
use crate::walk::pilot::worth::{
    EPSILON, Measure, TakenText, Worth, answer_of, best_extract, is_of_other_kind,
};
use crate::walk::pilot::{WalkDecision, WalkPilot, WalkTurn};
use crate::walk::state::{PageExtract, PathStep, before};
use crate::walk::statements::statements;

/// The pilot of a walk without a model.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfflineWalker {
    limit: PicoUsd,
}

impl OfflineWalker {
    /// Makes a pilot that reports a limit of spend, of which it uses nothing.
    pub fn new(limit: PicoUsd) -> OfflineWalker {
        OfflineWalker { limit }
    }
}

impl WalkPilot for OfflineWalker {
    fn name(&self) -> &str {
        "offline"
    }

    fn purse(&self) -> Spend {
        Spend { limit_pico_usd: self.limit, ..Spend::default() }
    }

    fn prepare(&mut self, _turn: &WalkTurn<'_>) -> Result<Projection, Stop> {
        Ok(Projection::default())
    }

    fn decide(&mut self, turn: &WalkTurn<'_>) -> Result<WalkDecision, Stop> {
        let goal = GoalOrders::of(turn.goal);
        let LiteralStep { action, why, lacks, is_asked, is_in_other_rows } =
            match turn.screen.is_live {
                true => literal_step(&goal, turn),
                false => LiteralStep::default(),
            };
        let state = turn.state;
        let is_refused = |step: &PathStep| !step.refused.is_empty() && step.is_of_goal;
        if state.path.last().is_some_and(is_refused)
            || action.as_ref().is_some_and(|action| state.has_refused(action))
        {
            return Ok(
                WalkChoice::to_give_up("what the goal asks for was refused".to_owned()).into()
            );
        }
        // What a dialog of the page asked was refused with it, if that is all that the goal says.
        let asked = state.path.last().filter(|step| turn.screen.has_asked && step.is_of_goal);
        if let (Some(step), None) = (asked, &action) {
            let why = format!("the answer to a dialog is no: `{}`: {}", step.action, step.result);
            return Ok(WalkChoice::to_give_up(why).into());
        }
        // What comes after it would be done without it.
        if let Some(step) =
            state.path.last().filter(|step| step.is_of_goal && !step.outcome.is_done())
        {
            return Ok(WalkChoice::to_give_up(format!("`{}`: {}", step.action, step.result)).into());
        }
        let is_of_goal = action.is_some();
        let named = |action| WalkChoice { action, why: why.to_owned(), evidence: 1.0 };
        let choice = match action {
            Some(action) => named(action),
            None => carried_out(&goal, turn)
                .filter(|_| lacks.is_empty())
                .or_else(|| wait_first(turn))
                .or_else(|| next_part(turn).filter(|_| is_in_other_rows))
                .unwrap_or_else(|| scroll_first(turn, choose(turn))),
        };
        let is_at_end = choice.evidence <= EPSILON || is_asked && !lacks.is_empty();
        Ok(match is_at_end {
            true => at_the_end(turn, choice, &lacks).into(),
            false => WalkDecision { is_of_goal, is_guess: !is_of_goal, ..choice.into() },
        })
    }
}

/// Why walks are given up.
const NO_WORDS: &str = "no page that was seen has words of the goal in its text";
const DISAGREE: &str = "links lead to other pages than the search of the site";

/// Returns what to do where nothing in sight has a word of the goal: a goal that is done needs no
/// text of a page, and one that a form cannot be sent for is not to be had.
fn at_the_end(turn: &WalkTurn<'_>, choice: WalkChoice, lacks: &[String]) -> WalkChoice {
    if !lacks.is_empty() {
        let fields = lacks.iter().map(|label| format!("`{label}`")).collect::<Vec<_>>().join(", ");
        let is_secret = lacks.iter().any(|label| label.to_lowercase().contains("password"));
        let secret = if is_secret { "; give a password as a secret" } else { "" };
        return WalkChoice::to_give_up(format!(
            "the form needs {fields}, and the goal gives nothing for it (`name Ada`, or words in \
             quotes{secret})"
        ));
    }
    let Some(step) = last_named(turn) else { return choice };
    if step.outcome == StepOutcome::Nothing {
        return WalkChoice::to_give_up(format!(
            "`{}` changed nothing that can be seen",
            step.action
        ));
    }
    let action = WalkAction::Extract { sections: Vec::new() };
    let is_new = !turn.state.has_tried(&before(turn.screen, &action), &action);
    if turn.state.has_operated() {
        // What was opened after something was done is what the goal wants to see.
        let has_text = turn.screen.sections.iter().any(|section| !section.text.is_empty());
        return match is_opened(turn, step) && is_new && has_text && turn.steps_left > 1 {
            true => {
                WalkChoice { action, why: "the goal opens this page".to_owned(), evidence: 1.0 }
            }
            false => WalkChoice::done(step),
        };
    }
    // A page that was only opened is what the walk is about, if it has words of the goal.
    let words: Vec<&str> = turn.screen.place().into_iter().collect();
    let texts = turn.screen.sections.iter().flat_map(|one| [one.title.as_str(), one.text.as_str()]);
    let text = words.into_iter().chain(texts).collect::<Vec<_>>().join(" ");
    let evidence = Measure::of(turn).weights.share(&evidence_words(&text));
    match is_new && evidence > EPSILON {
        true => WalkChoice { action, why: "the goal names this page".to_owned(), evidence },
        false => choice,
    }
}

/// Reports whether a step opened the page that is there.
fn is_opened(turn: &WalkTurn<'_>, step: &PathStep) -> bool {
    step.opened.is_some() && step.address == turn.screen.address
}

/// Ends a walk whose last step is the last thing that the goal says to do. A page that it opened is
/// looked at first.
fn carried_out(goal: &GoalOrders<'_>, turn: &WalkTurn<'_>) -> Option<WalkChoice> {
    let step = turn.state.path.last()?;
    let is_whole = matches!(&step.action, WalkAction::Extract { sections } if sections.is_empty());
    if is_whole && turn.state.has_operated() {
        return last_named(turn).map(WalkChoice::done);
    }
    let has_acted = step.operates() && step.is_of_goal;
    let (WalkAction::Click { label, .. } | WalkAction::Operate { label, .. }) = &step.action else {
        return None;
    };
    let at = goal.find(label).or_else(|| Some(goal.spread_name(label)?.at))?;
    // What is written is seldom all: a form is sent.
    let is_fill =
        matches!(&step.action, WalkAction::Operate { operation, .. } if operation.writes());
    (has_acted && !is_fill && goal.is_last(at)).then(|| WalkChoice::done(step))
}

/// Returns the last step that was taken because the goal names it.
fn last_named<'t>(turn: &'t WalkTurn<'_>) -> Option<&'t PathStep> {
    turn.state.path.iter().rfind(|step| step.outcome.is_done() && step.is_of_goal)
}

/// The smallest share of the goal that is worth an extract while there are other places.
const LEAST_SHARE: f64 = 0.34;
/// The same in words: no page has a third of a question of thirty words.
///
/// Measured on 45 questions about Django as a forum has them, over a server, 15 steps: the walk
/// ends with the page that answers in 13.3 % in place of 2.2 %, after 8.6 steps in place of 13.8.
const LEAST_WORDS: f64 = 3.0;
/// How much more a place has to promise than this page has, to leave it without an extract. A way
/// back costs a step too.
const TO_LEAVE: f64 = 0.25;

/// The confidence from which on a text is an answer.
///
/// Measured on 200 questions about a generated manual and 45 about Django, in the words of a forum:
/// of the walks that ended with less, 2 of 14 had the answer; of those with 0.5 to 0.6, 20 of 31.
const LEAST_CONFIDENCE: f64 = 0.5;
/// The fewest words of a goal that an answer with code has together in its prose, if the goal has
/// as many.
const LEAST_OF_SHORT: f64 = 2.0;
/// The words of a long question from which on a text that has them together is an answer.
const LEAST_TOGETHER: f64 = 4.0;
/// The share of the goal from which on a text is an answer, of what the outermost names of its
/// place leave open.
///
/// Measured on 200 questions about a generated manual: with less it had the answer in none of 63
/// walks where each folder has a page, and in one of 3 where a page has all folders.
const LEAST_BY_ITSELF: f64 = 0.3;
/// The largest number of words of a terse goal: each of them tells much.
const TERSE: usize = 5;
/// The share of a terse goal in one statement, and its confidence, of which an answer has one: of
/// three words two may meet anywhere.
///
/// Measured on 93 walks through eight manuals, goals of two to five words: of those that end with
/// an answer 11 are wrong in place of 38, and 21 right in place of 20.
const LEAST_STATED: f64 = 0.7;
const LEAST_SURE: f64 = 0.8;
/// What a place promises at least, beside the best text that was read, where that is no answer.
const LEAST_PROMISE: f64 = 0.5;

/// The share of the goal in the names of a place that makes a search needless.
const LEAST_NAMED: f64 = 0.5;
/// The number of places that were seen from which on an answer is searched for, too.
const MANY_PLACES: usize = 20;
/// The steps that are kept for a search: it, and two for each of two pages.
const OF_SEARCH: u32 = 5;

/// Goes by the names of links, and searches the site before the walk ends.
fn choose(turn: &WalkTurn<'_>) -> WalkChoice {
    let measure = Measure::of(turn);
    let search = WalkSearch::of(turn);
    if let Some(search) = search.as_ref().filter(|search| search.has_found()) {
        return after_search(turn, &measure, search);
    }
    let choice = go_by_names(turn, &measure);
    let is_over = match choice.action {
        // Of a few pages links say enough.
        WalkAction::Finish { .. } => turn.state.seen.len() >= MANY_PLACES,
        WalkAction::GiveUp { .. } => true,
        _ => turn.steps_left <= OF_SEARCH,
    };
    // To search, to open a page and to take it.
    let can_search = turn.can_search && turn.steps_left > 2 && !measure.knows_site;
    if search.is_some() || !is_over || !can_search || is_named_by_place(turn, &measure) {
        return choice;
    }
    let action = WalkAction::Search { words: measure.topic };
    WalkChoice { action, why: "links say too little of pages".to_owned(), evidence: 1.0 }
}

/// Reports whether the names of the place of the best text have much of a goal that is not terse,
/// or has a number: links say what pages are about.
fn is_named_by_place(turn: &WalkTurn<'_>, measure: &Measure) -> bool {
    let share = |taken: TakenText<'_>| {
        let place = by_way(turn, measure, taken.extract).place;
        measure.goal.equal().share(&evidence_words(&place.join(" ")))
    };
    (measure.goal.n_words() > TERSE || has_number(&measure.topic))
        && best_extract(turn, measure).is_some_and(|taken| share(taken) >= LEAST_NAMED)
}

/// Reports whether a goal has a number.
fn has_number(topic: &str) -> bool {
    topic.contains(|c: char| c.is_ascii_digit())
}

/// Returns an extract, for a goal with a number with the names of the way to its page: a page may
/// not say of which year or model it is, where the way there does.
fn by_way(turn: &WalkTurn<'_>, measure: &Measure, extract: &PageExtract) -> PageExtract {
    let way = turn.state.seen.get(&extract.address).filter(|_| has_number(&measure.topic));
    let place = way.into_iter().flatten().chain(&extract.place).cloned().collect();
    PageExtract { place, ..extract.clone() }
}

/// Looks at the pages that a search found. A text of the best one is an answer if there is no doubt
/// of it, and links had led to its page as well.
///
/// Measured on 96 goals about twelve manuals, on which it was chosen: by links alone 28 walks end
/// with an answer, 5 with the right text and 8 more on the right page; with both ways 12, 4 and 5.
fn after_search(turn: &WalkTurn<'_>, measure: &Measure, search: &WalkSearch<'_>) -> WalkChoice {
    let mut reason = None;
    for page in search.pages(turn, measure) {
        let extract = match page {
            FoundPage::Ahead(action, why) => return WalkChoice { action, why, evidence: 1.0 },
            FoundPage::Taken(extract) => extract,
        };
        if reason.is_some() {
            continue;
        }
        let taken = measure.taken(extract);
        reason = doubt(turn, measure, &taken);
        if reason.is_none() && !taken.worth.is_unnamed && search.agrees(extract) {
            let why = "links and the search lead to this page".to_owned();
            return WalkChoice::to_finish(&taken, why);
        }
        reason = reason.or_else(|| Some(DISAGREE.to_owned()));
    }
    match go_by_names(turn, measure) {
        choice @ WalkChoice { action: WalkAction::GiveUp { .. }, .. } => choice,
        _ => WalkChoice::to_give_up(reason.unwrap_or_else(|| NO_WORDS.to_owned())),
    }
}

/// Goes where the names of links promise most, and ends where no place promises more.
fn go_by_names(turn: &WalkTurn<'_>, measure: &Measure) -> WalkChoice {
    let taken = best_extract(turn, measure);
    let next = best_promise(turn, &measure.weights, |_| true);
    let is_last = turn.steps_left <= 1;
    let promised = next.as_ref().map_or(0.0, |next| next.share);
    let had = taken.as_ref().map_or(0.0, |taken| taken.worth.value);
    if let Some((Worth { share, value, .. }, section)) = answer_of(turn.screen, measure) {
        let action = WalkAction::Extract { sections: vec![section] };
        let is_new = !turn.state.has_tried(&before(turn.screen, &action), &action);
        // The best pages of a known site are known: others that promise no more are no better.
        let is_best = measure.knows_site && share > promised - EPSILON;
        let least = LEAST_SHARE.min(LEAST_WORDS / measure.goal.n_words().max(1) as f64);
        let is_enough = share >= least || is_best || next.is_none() || is_last;
        // After the last step nothing can be taken of another place.
        // The name of a tab is in the text; what it is about stands behind it.
        let to_leave = if next.as_ref().is_some_and(|next| next.is_tab) { 0.0 } else { TO_LEAVE };
        let is_worth_leaving = !is_last && share <= promised - to_leave;
        if is_new && is_enough && value > had + EPSILON && !is_worth_leaving {
            let why = format!("this section has {:.0} % of the goal", 100.0 * share);
            return WalkChoice { action, why, evidence: share };
        }
    }
    // Of places on a known site that promise the same, another one is looked at as long as the last
    // one was better.
    let last = turn.state.path.last();
    let was_better = last.is_some_and(|step| matches!(step.action, WalkAction::Extract { .. }));
    let looks_on = measure.knows_site && was_better && promised > had - EPSILON;
    // What has no word of the goal is no answer to it.
    let taken = taken.filter(|taken| taken.worth.value > EPSILON);
    let doubt = taken.as_ref().and_then(|taken| doubt(turn, measure, taken));
    let goes_on = doubt.is_some() && promised > LEAST_PROMISE * had;
    let is_over = next.is_none() || promised <= had + EPSILON && !looks_on && !goes_on;
    match (taken.filter(|_| is_over), next) {
        (Some(taken), _) => at_the_best(turn, measure, taken, doubt),
        (None, Some(next)) => WalkChoice::to_go(next),
        (None, None) => WalkChoice::to_give_up(NO_WORDS.to_owned()),
    }
}

/// Returns what to do where no place that was seen promises more than what was taken. Where that
/// lacks what the goal is about, a place may be named so, or an index may name the place. With a
/// doubt it is no answer.
fn at_the_best(
    turn: &WalkTurn<'_>,
    measure: &Measure,
    taken: TakenText<'_>,
    doubt: Option<String>,
) -> WalkChoice {
    let TakenText { worth, extract } = &taken;
    let text = &extract.text;
    let has_name = |one: &Promise| one.is_of_host && measure.goal.is_named_in(&one.way);
    if worth.is_unnamed
        && let Some(named) = best_promise(turn, &measure.weights, has_name)
    {
        let why = format!("`{}` has a name of the goal", named.way);
        return WalkChoice { action: named.action, why, evidence: worth.share };
    }
    if worth.is_lacking
        && let Some(index) =
            best_promise(turn, &measure.weights, |one| one.is_whole_index && one.is_of_host)
    {
        let why = format!("`{}` may name what the goal is about", index.way);
        return WalkChoice { action: index.action, why, evidence: worth.share };
    }
    if worth.is_unnamed {
        let mut names = measure.goal.missing_names(text);
        names.extend(measure.goal.missing_numbers(text));
        let names = names.join("`, `");
        let is_cut = turn.state.extracts.iter().any(|extract| !extract.left_out.is_empty());
        let read = if is_cut { "text that was taken" } else { "page that was read" };
        return WalkChoice::to_give_up(format!("no {read} has `{names}`"));
    }
    if let Some(doubt) = doubt {
        return WalkChoice::to_give_up(doubt);
    }
    WalkChoice::to_finish(&taken, "no place that was seen promises more".to_owned())
}

/// Returns why a text is no answer: too little of the goal stands together in it, or the names of
/// its place have most of that, or it is of another kind or of the notes of a release, or, of a
/// short goal, it lacks the rare words, or, of a terse one, little stands in one statement or a
/// sentence about something else mentions it. A goal whose steps were taken needs no text.
fn doubt(turn: &WalkTurn<'_>, measure: &Measure, taken: &TakenText<'_>) -> Option<String> {
    let is_question = measure.looks_for_names && last_named(turn).is_none();
    if !is_question {
        return None;
    }
    if release_notes::factor(&measure.topic, &taken.extract.address) < 1.0 {
        return Some("the best text that was read is of the notes of a release".to_owned());
    }
    let n_words = measure.goal.n_words().max(1) as f64;
    let Confidence { value, missing, .. } = Confidence::of(&measure.topic, &[taken.extract], false);
    let by_itself = share_by_itself(&measure.goal, taken.extract);
    let is_too_little =
        |share: f64, least: f64| share < least && (share * n_words).round() < LEAST_TOGETHER;
    let has_little =
        is_too_little(value, LEAST_CONFIDENCE) || is_too_little(by_itself, LEAST_BY_ITSELF);
    let text = &taken.extract.text;
    let has_code = measure.goal.evidence_of(text).len() < text.len();
    let is_pair = has_code && n_words >= LEAST_OF_SHORT;
    let has_one = is_pair && (value * n_words).round() < LEAST_OF_SHORT;
    let is_short = n_words <= LEAST_WORDS / LEAST_SHARE;
    let lacks_rare = is_short && taken.worth.share < LEAST_SHARE;
    let is_terse = measure.goal.n_words() <= TERSE;
    let is_apart = is_terse && is_scattered(turn, measure, taken.extract);
    let is_other = is_of_other_kind(turn, measure, taken.extract);
    let is_mention = is_terse && is_mention(turn, measure, taken.extract);
    let has_doubt = has_little || has_one || lacks_rare || is_apart || is_other || is_mention;
    has_doubt.then(|| match &missing[..] {
        [] if is_other => "the best text that was read answers another kind of question".to_owned(),
        [] if is_mention => {
            "the best text that was read only mentions what the goal is about".to_owned()
        }
        [] => "the words of the goal stand apart in the best text that was read".to_owned(),
        words => format!("the best text that was read lacks `{}`", words.join("`, `")),
    })
}

/// Reports whether little of the goal stands in one statement of a text, with the names of its
/// place, and in the link that leads to it.
fn is_scattered(turn: &WalkTurn<'_>, measure: &Measure, extract: &PageExtract) -> bool {
    let link = turn.state.seen.get(&extract.address).and_then(|way| way.last());
    if link.is_some_and(|link| measure.goal.equal().share(&evidence_words(link)) >= LEAST_STATED) {
        return false;
    }
    let extract = by_way(turn, measure, extract);
    let Confidence { value, stated, .. } = Confidence::of(&measure.topic, &[&extract], false);
    stated < LEAST_STATED && value < LEAST_SURE
}

/// The maximum number of words of a term on a line of its own, and of a sentence that is about what
/// it names.
const OF_TERM: usize = 4;
const OF_SHORT_SENTENCE: usize = 8;

/// Reports whether no heading, term, row or short sentence of a text has words of the goal, nor the
/// link that leads to it: its words stand in a sentence about something else.
fn is_mention(turn: &WalkTurn<'_>, measure: &Measure, extract: &PageExtract) -> bool {
    let is_term = |line: &str| line.ends_with(':') && line.split_whitespace().count() <= OF_TERM;
    let is_name = |line: &&str| line.starts_with(['#', '|']) || is_term(line);
    let headings = extract.text.lines().map(str::trim).filter(is_name);
    let link = turn.state.seen.get(&extract.address).and_then(|way| way.last());
    let names = extract.place.iter().chain(link).map(String::as_str).chain(headings);
    let weights = measure.goal.equal();
    let is_short = |one: &String| one.split_whitespace().count() <= OF_SHORT_SENTENCE;
    weights.share(&evidence_words(&names.collect::<Vec<_>>().join("\n"))) == 0.0
        && !statements(&extract.text)
            .iter()
            .any(|one| is_short(one) && weights.share(&evidence_words(one)) >= LEAST_STATED)
}
