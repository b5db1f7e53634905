//! A manual as files, and lines on standard output.

#![expect(clippy::disallowed_methods, reason = "the rim: writes files")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};
use manual::Manual;

/// Writes the pages of some vehicles, and those above them. Links to folders name their page,
/// because files have no server that does.
pub(crate) fn write(manual: &Manual, folder: &Path, n_vehicles: usize) -> Result<()> {
    let manual = Manual { folder_page: "index.html", ..manual.clone() };
    let vehicles = manual.vehicles();
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    let mut add =
        |address: &str| pages.extend(manual.page(address).map(|page| (address.to_owned(), page)));
    add("/about.html");
    for vehicle in vehicles.iter().take(n_vehicles) {
        let address = manual.vehicle_address(vehicle);
        let above = address.match_indices('/').map(|(at, _)| &address[..=at]);
        above.for_each(&mut add);
    }
    for vehicle in vehicles.iter().take(n_vehicles) {
        pages.extend(manual.pages(vehicle));
    }
    for (address, page) in &pages {
        let file = folder.join(manual::file_of(address));
        let parent = file.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        fs::write(&file, page).with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Prints lines; a reader that has enough is no error.
pub(crate) fn print_lines(lines: impl Iterator<Item = serde_json::Result<String>>) -> Result<()> {
    let mut out = std::io::stdout().lock();
    for line in lines {
        match writeln!(out, "{}", line?) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
    }
    Ok(())
}
