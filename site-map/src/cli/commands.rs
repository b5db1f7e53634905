//! The commands: a map, a tree, explanations, one page, links.

use std::path::Path;

use anyhow::Result;
use repo_map::cli::{
    Absence, Exit, OutputFormat, TableFormat, check_distinct, check_flag, deliver, explain_all,
    first_given, plan_name, say, say_drift, sizes, tree_text, watcher, write_file, write_out,
};
use repo_map::html::PageInput;
use repo_map::plan::Rule;
use repo_map::report::json::{self, MapReport};
use repo_map::report::prices::prices;
use repo_map::suggest::did_you_mean;
use repo_map::{
    Error, FlightPlan, Format, Judged, Options, Replay, ReplayOutcome, RuleLayers, Sanitized,
    explain, html, unmatched,
};
use serde::Serialize;

use crate::Site;
use crate::cli::args::{
    LinksArgs, PageArgs, PageFormat, SiteExplainArgs, SiteMapArgs, SiteRequest, SiteTreeArgs,
};
use crate::cli::masked::{masked, masked_lines};
use crate::cli::source::{self, OpenedSite};
use crate::page::WebPage;
use crate::site::markdown;

/// The tool that makes the maps, with its version.
const TOOL: &str = concat!("site-map ", env!("CARGO_PKG_VERSION"));

/// Makes the map and delivers it, or replays a flown plan.
pub(super) fn map(args: &SiteMapArgs) -> Result<Exit> {
    let mut plan = args.request.plan()?;
    if let (true, Some(flag)) = (plan.is_flown(), beyond_replay(args)) {
        let message = "a flown plan is replayed as it is (leave the flag out, or give a plan that \
                       was not flown)"
            .to_owned();
        return Err(Error::Plan { file: flag.to_owned(), line: None, message }.into());
    }
    plan.context.format = match args.format {
        Some(OutputFormat::Markdown) => Format::Markdown,
        Some(OutputFormat::Xml) => Format::Xml,
        Some(OutputFormat::Json) | None => plan.context.format,
    };
    let outputs = [
        ("--output", args.output.as_deref()),
        ("--plan-out", args.plan_out.as_deref()),
        ("--report", args.report.as_deref()),
    ];
    let source = args.source.as_deref().unwrap_or(".");
    let recording = args.request.fetch.recording.as_deref();
    let recording = [("--recording", recording)];
    let read: Vec<&Path> = [Path::new(source)].into_iter().chain(args.request.read()).collect();
    check_distinct(&[&outputs[..], &recording].concat(), args.request.plan.as_deref(), &read)?;
    let opened = open_site(source, &args.request, &plan)?;
    let site = &opened.site;
    if plan.is_flown() {
        return replay(args, site, &plan);
    }
    let judged = judged(&opened, &args.request, &plan)?;
    let output = args.output.as_deref();
    let as_json = args.format == Some(OutputFormat::Json);
    if args.sizes {
        write_out(output, &sizes(&prices(&judged), as_json)?)?;
        judged.save_cache();
        return Ok(opened.exit(Exit::Finished));
    }
    let layers = RuleLayers { person: &plan.rules, pilot: &[] };
    let map = judged.map(layers)?;
    for problem in judged.problems() {
        say(format!("site-map: {problem}"));
    }
    if let Some(conflict) = &map.conflict {
        say(format!("site-map: {}", conflict.message));
    }
    for lacking in [map.lacking(), unmatched::closed_items(&judged)?].into_iter().flatten() {
        say(format!("site-map: {lacking}"));
    }
    if let Some(path) = &args.plan_out {
        write_file(path, &map.flown.to_yaml())?;
    }
    if let Some(path) = &args.report {
        write_file(path, &html::page(&judged, &map, layers, &page_input(&opened))?)?;
    }
    let text = match as_json {
        true => {
            let report = json::map_report(&judged, &map)?;
            &Sanitized::json_pretty(&MapReport { tool: TOOL, ..report })?
        }
        false => &map.text,
    };
    deliver("site-map", output, args.copy, text)?;
    judged.save_cache();
    if map.conflict.is_some() {
        return Ok(Exit::Conflict);
    }
    Ok(opened.exit(relevance(&judged, &plan)))
}

/// Opens the site that an argument names, for the goal of a plan.
pub(super) fn open_site(
    source: &str,
    request: &SiteRequest,
    plan: &FlightPlan,
) -> Result<OpenedSite> {
    source::open_site(source, &request.fetch, plan, request.cache().as_ref())
}

fn page_input(opened: &OpenedSite) -> PageInput {
    let facts = opened.limits.clone();
    PageInput { command: "site-map".to_owned(), facts, ..PageInput::default() }
}

/// Scores the pages, and checks the options against them.
pub(super) fn judged(
    opened: &OpenedSite,
    request: &SiteRequest,
    plan: &FlightPlan,
) -> Result<Judged> {
    let options = Options { cache: request.cache(), watcher: watcher(), ..Options::default() };
    let judged = opened.site.judged(plan, &options)?;
    let wrong = |flag: &str, message| {
        anyhow::Error::from(Error::Plan { file: flag.to_owned(), line: None, message })
    };
    let levels = request.levels.iter().map(|rule| ("--level", rule));
    let excludes = request.exclude.iter().map(|rule| ("--exclude", rule));
    for (flag, rule) in levels.chain(excludes) {
        // Pages that were not read for it are on no map.
        if opened.has_left_out(rule) {
            continue;
        }
        if let Some(message) = opened.site.left_out_by(rule)? {
            return Err(wrong(flag, message));
        }
        if let Err(error) = check_flag(&judged, flag, rule) {
            return Err(opened.unread_by(rule)?.map_or(error, |message| wrong(flag, message)));
        }
    }
    say_idle(opened, &judged, request, plan)?;
    Ok(judged)
}

/// Says which rules of the plan's file match nothing, or only pages that are left out.
fn say_idle(
    opened: &OpenedSite,
    judged: &Judged,
    request: &SiteRequest,
    plan: &FlightPlan,
) -> Result<()> {
    let Some(file) = &request.plan else { return Ok(()) };
    let is_flag = |rule: &&Rule| request.levels.contains(rule) || request.exclude.contains(rule);
    let mut of_map = Vec::new();
    for rule in plan.rules.iter().filter(|rule| !is_flag(rule)) {
        match opened.site.left_out_by(rule)? {
            Some(message) => say(format!("site-map: {}: {message}", plan_name(file))),
            None if !opened.has_left_out(rule) => of_map.push(rule),
            None => {}
        }
    }
    if let Some(idle) = unmatched::idle_rules(judged, of_map)? {
        say(format!("site-map: {}: {idle}", plan_name(file)));
    }
    Ok(())
}

pub(super) fn relevance(judged: &Judged, plan: &FlightPlan) -> Exit {
    if judged.has_evidence() {
        return Exit::Finished;
    }
    if plan.goal.is_some() {
        say("site-map: nothing on this site matches the goal".to_owned());
    }
    Exit::NothingRelevant
}

/// Returns a given option that a replay cannot honour.
fn beyond_replay(args: &SiteMapArgs) -> Option<&'static str> {
    let given = first_given(&[
        (args.sizes, "--sizes"),
        (args.format.is_some(), "--format"),
        (args.plan_out.is_some(), "--plan-out"),
        (args.report.is_some(), "--report"),
    ]);
    given.or_else(|| args.request.given())
}

fn replay(args: &SiteMapArgs, site: &Site, plan: &FlightPlan) -> Result<Exit> {
    let file = args.request.plan.as_deref().map(plan_name).unwrap_or_default();
    let tree = site.tree(&plan.rules)?;
    match Replay::of(plan).over(&tree).named(&file).run()?.outcome {
        ReplayOutcome::Identical { text, .. } => {
            deliver("site-map", args.output.as_deref(), args.copy, &text)?;
            Ok(Exit::Finished)
        }
        ReplayOutcome::ShownIdentical(drift) | ReplayOutcome::Drifted(drift) => {
            say_drift("site-map", &drift, Path::new("."));
            Ok(Exit::Drifted)
        }
        ReplayOutcome::Impossible(why) => {
            say(format!("site-map: impossible: {why}"));
            Ok(Exit::Impossible)
        }
    }
}

/// Draws the folders of a site.
pub(super) fn tree(args: &SiteTreeArgs) -> Result<Exit> {
    let plan = args.request.plan()?;
    let opened = open_site(&args.source, &args.request, &plan)?;
    let judged = judged(&opened, &args.request, &plan)?;
    write_out(None, &tree_text(&prices(&judged), &args.shape)?)?;
    judged.save_cache();
    Ok(opened.exit(Exit::Finished))
}

/// Prints the explanation of each page.
pub(super) fn explain(args: &SiteExplainArgs) -> Result<Exit> {
    let plan = args.request.plan()?;
    let opened = open_site(&args.source, &args.request, &plan)?;
    let judged = judged(&opened, &args.request, &plan)?;
    let absence = |judged: &Judged, target: &str| absence(&opened, judged, target);
    explain_all("site-map", &judged, &args.targets, (&plan.rules, args.format), absence)?;
    judged.save_cache();
    Ok(opened.exit(relevance(&judged, &plan)))
}

/// Says which page or which section of it is not there, and why or the nearest ones.
fn absence(opened: &OpenedSite, judged: &Judged, target: &str) -> Absence {
    match explain::split_target(judged, target) {
        (page, Some(section)) if judged.has_path(page) => {
            let near = unmatched::similar_items(judged, page, section);
            let hint = match near.is_empty() {
                true => format!(" (`site-map explain SITE {page}` lists them)"),
                false => did_you_mean(&near),
            };
            Absence::Unknown(format!("`{page}` has no section `{section}`{hint}"))
        }
        (page, _) => opened.missing_page(page).map_or_else(
            || {
                let near = did_you_mean(&unmatched::paths_like(judged.tree(), page));
                Absence::Unknown(format!("`{page}` is not a page of this site{near}"))
            },
            Absence::Reason,
        ),
    }
}

/// The model of a page with what follows from it.
#[derive(Serialize)]
struct PageLine<'p> {
    #[serde(flatten)]
    page: &'p WebPage,
    has_data: bool,
}

/// Prints the model of one page, or its text.
pub(super) fn page(args: &PageArgs) -> Result<Exit> {
    let page = WebPage::of(&source::page_of(&args.page, &args.connection)?);
    let text = match args.format {
        PageFormat::Json => {
            let line = PageLine { page: &page, has_data: page.has_data() };
            Sanitized::json_pretty(&masked(&line)?)?
        }
        PageFormat::Markdown => Sanitized::text(&markdown(page)),
    };
    write_out(None, &text)?;
    Ok(Exit::Finished)
}

/// A link between two pages.
#[derive(Serialize)]
struct LinkLine {
    from: String,
    to: String,
}

/// Prints links.
pub(super) fn links(args: &LinksArgs) -> Result<Exit> {
    let plan = FlightPlan::default();
    let opened = source::open_site(&args.source, &args.fetch, &plan, args.cache().as_ref())?;
    let site = &opened.site;
    if let Some(page) = args.page.as_ref().filter(|page| site.page(page).is_none()) {
        let unknown =
            || format!("`{page}` is not a page of this site (`site-map rank` lists them)");
        let message = opened.missing_page(page).unwrap_or_else(unknown);
        return Err(Error::Rule { place: "links", message }.into());
    }
    let links = site.links().into_iter().map(|(from, to)| LinkLine { from, to });
    let links = links.filter(|link| args.page.as_ref().is_none_or(|page| link.from == *page));
    let out = match args.format {
        TableFormat::Json => masked_lines(links)?,
        TableFormat::Text => {
            links.map(|link| format!("{} -> {}\n", link.from, link.to)).collect::<String>().into()
        }
    };
    write_out(None, &out)?;
    Ok(opened.exit(Exit::Finished))
}
