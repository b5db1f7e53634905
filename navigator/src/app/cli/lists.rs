//! `navigator runs`, `models` and `config`: tables for people, JSON lines for programs.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use repo_map::Sanitized;
use repo_map::cli::{Exit, TableFormat, say, write_out};

use super::listing::{Listing, list};
use super::{ConfigArgs, ListArgs, ModelsArgs};
use crate::app::settings::{self, ModelArgs, Settings};
use crate::model::provider::{PROVIDERS, Provider};
use crate::money::pico_usd::PicoUsd;

/// Prints the stored runs.
pub(super) fn runs(args: &ListArgs) -> Result<Exit> {
    let runs = list()?;
    let row = |run: &Listing| {
        let tokens = run.tokens.map_or_else(|| "-".to_owned(), |tokens| tokens.to_string());
        vec![
            run.run.clone(),
            run.limit
                .as_ref()
                .map_or_else(|| run.stop.clone(), |limit| format!("{} at {limit}", run.stop)),
            run.pilot.clone(),
            run.turns.to_string(),
            tokens,
            run.spent_pico_usd.rounded(),
            run.root.clone(),
            run.goal.clone(),
        ]
    };
    print_rows(
        args.format,
        &["run", "stop", "pilot", "turns", "tokens", "spent", "repository", "goal"],
        runs.iter().map(row).collect(),
        &runs,
    )
}

/// A model in the list of models.
#[derive(serde::Serialize)]
struct ModelRow {
    model: String,
    price_in_usd: String,
    price_out_usd: String,
    /// The prices of larger requests, with their thresholds.
    tiers: String,
    context_window: Option<u32>,
    key: String,
    note: String,
}

/// Prints the models of the price list.
pub(super) fn models(args: &ModelsArgs) -> Result<Exit> {
    let model = ModelArgs { prices: args.prices.clone(), ..ModelArgs::default() };
    let prices = Settings::read(&model, None, None)?.prices()?;
    let per_million = |rate: PicoUsd| PicoUsd(rate.0.saturating_mul(1_000_000)).to_string();
    let rows: Vec<ModelRow> = prices
        .models
        .iter()
        .map(|listed| {
            let provider = PROVIDERS.iter().find(|provider| provider.name == listed.provider);
            let keys: Vec<String> = provider
                .map_or(&[][..], |provider| provider.keys)
                .iter()
                .map(|key| (*key).to_owned())
                .collect();
            let key = match (provider.is_some_and(Provider::is_local), settings::key(&keys)) {
                (true, _) => "not needed".to_owned(),
                (false, Some(_)) => "yes".to_owned(),
                (false, None) => format!("no ({})", keys.join(", ")),
            };
            let tier = |(above, rates): &(u64, crate::money::price::Rates)| {
                format!(">{above}: {}/{}", per_million(rates.input), per_million(rates.output))
            };
            let ends = listed.ends.as_ref().map(|day| format!("ends {day}"));
            let notes: Vec<String> = listed.note.clone().into_iter().chain(ends).collect();
            ModelRow {
                model: format!("{}/{}", listed.provider, listed.name),
                price_in_usd: per_million(listed.price.rates.input),
                price_out_usd: per_million(listed.price.rates.output),
                tiers: listed.price.tiers.iter().map(tier).collect::<Vec<_>>().join(" "),
                context_window: listed.context_window,
                key,
                note: notes.join("; "),
            }
        })
        .filter(|row| row.model.contains(&args.filter))
        .collect();
    if rows.is_empty() {
        bail!(
            "no listed model has `{}` in its name (`--price-in`, `--price-out` and `--free` price \
             others)",
            args.filter
        );
    }
    let row = |row: &ModelRow| {
        let window = row.context_window.map_or_else(|| "-".to_owned(), |window| window.to_string());
        let notes: Vec<&str> = [row.tiers.as_str(), row.note.as_str()]
            .into_iter()
            .filter(|note| !note.is_empty())
            .collect();
        vec![
            row.model.clone(),
            row.price_in_usd.clone(),
            row.price_out_usd.clone(),
            window,
            row.key.clone(),
            notes.join("; "),
        ]
    };
    let head = ["model", "input", "output", "window", "key", "notes"];
    let exit = print_rows(args.format, &head, rows.iter().map(row).collect(), &rows)?;
    say(format!(
        "navigator: USD per million tokens, as listed on {}; other models with `--price-in` and \
         `--price-out`, own servers with `--free`",
        prices.as_of
    ));
    Ok(exit)
}

/// Prints the settings in force.
pub(super) fn config(args: &ConfigArgs) -> Result<Exit> {
    let settings = Settings::read(&args.model, None, None)?;
    #[derive(serde::Serialize)]
    struct SettingRow {
        setting: &'static str,
        value: String,
        from: String,
    }
    let rows: Vec<SettingRow> = settings
        .table()
        .into_iter()
        .map(|(setting, value, from)| SettingRow { setting, value, from })
        .collect();
    let row = |row: &SettingRow| vec![row.setting.to_owned(), row.value.clone(), row.from.clone()];
    let exit = print_rows(
        args.format,
        &["setting", "value", "from"],
        rows.iter().map(row).collect(),
        &rows,
    )?;
    match &settings.file {
        Some(file) if file.is_file() => say(format!("navigator: the file is {}", file.display())),
        Some(file) => say(format!("navigator: there is no {}", file.display())),
        None => {}
    }
    // Report wrong values here, before the first exploration does.
    settings.target()?;
    settings.budget()?;
    settings.times()?;
    settings.max_turns()?;
    settings.tokens()?;
    Ok(exit)
}

/// Prints an aligned table for people, or JSON lines for programs.
pub(super) fn print_rows<T: serde::Serialize>(
    format: TableFormat,
    head: &[&str],
    rows: Vec<Vec<String>>,
    items: &[T],
) -> Result<Exit> {
    let mut out = String::new();
    if format == TableFormat::Json {
        write_out(None, &Sanitized::json_lines(items)?)?;
    } else {
        let head = head.iter().map(|name| (*name).to_owned()).collect();
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        let widths: BTreeMap<usize, usize> = (0..rows[0].len())
            .map(|at| (at, rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0)))
            .collect();
        for row in &rows {
            let cells: Vec<String> = row
                .iter()
                .enumerate()
                .map(|(at, cell)| format!("{cell:<width$}", width = widths[&at]))
                .collect();
            out.push_str(cells.join("  ").trim_end());
            out.push('\n');
        }
        write_out(None, &out.into())?;
    }
    Ok(Exit::Finished)
}
