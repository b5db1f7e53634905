//! The vehicles of a manual: makes, years, models. None of them was ever built.

use crate::random::{number, shuffle};

const N_MAKES: usize = 6;
const N_YEARS: u16 = 5;
/// How many models a make has at most; each year has at least three of them.
const N_MODELS: usize = 5;

const MAKES: [&str; 12] = [
    "Averon",
    "Brixley",
    "Caldmore",
    "Dovrane",
    "Estrel",
    "Fennick",
    "Galvor",
    "Harrant Truck",
    "Istren",
    "Jorvel",
    "Kelmoor",
    "Lanscar Truck",
];
const MODELS: [&str; 40] = [
    "Kestin", "Odalis", "Pellan", "Quorrel", "Rindal", "Sevrin", "Tarsk", "Ulvane", "Vantreo",
    "Wexlow", "Yarrin", "Zephon", "Belisk", "Corvane", "Drummel", "Elwick", "Farrant", "Gantrell",
    "Hollin", "Isker", "Jessom", "Kantor", "Lorrick", "Mossart", "Nerrin", "Ostley", "Parvis",
    "Quennet", "Rossiter", "Solvane", "Torrel", "Umbrin", "Velloc", "Warrick", "Xanlor", "Yelvert",
    "Zorrin", "Ambrel", "Bastow", "Cresson",
];
const ENGINES: [&str; 6] =
    ["L4-1.6L", "L4-2.0L", "L6-3.0L", "V6-3.7L", "V8-4.6L", "L4-2.4L DSL Turbo"];

/// A model of a make in a year.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vehicle {
    /// The make.
    pub make: &'static str,
    /// The model year.
    pub year: u16,
    /// The model with its engine.
    pub model: String,
}

impl Vehicle {
    /// Returns how people call it: `2009 Averon Kestin V6-3.7L`.
    pub fn name(&self) -> String {
        format!("{} {} {}", self.year, self.make, self.model)
    }

    /// Returns the same model a year later, else a year earlier, if it was sold then.
    pub fn neighbour(&self, vehicles: &[Vehicle]) -> Option<Vehicle> {
        [self.year + 1, self.year - 1].into_iter().find_map(|year| {
            let other = Vehicle { year, ..self.clone() };
            vehicles.contains(&other).then_some(other)
        })
    }
}

/// Returns the makes of a manual, sorted.
pub(crate) fn makes(seed: u64) -> Vec<&'static str> {
    let mut makes = MAKES.to_vec();
    shuffle(&mut makes, seed, |make| (*make).to_owned());
    makes.truncate(N_MAKES);
    makes.sort_unstable();
    makes
}

/// Returns the first model year.
fn first_year(seed: u64) -> u16 {
    2003 + (number(seed, &["first year"]) % 5) as u16
}

/// Returns all vehicles, sorted.
pub(crate) fn vehicles(seed: u64) -> Vec<Vehicle> {
    let mut models = MODELS.to_vec();
    shuffle(&mut models, seed, |model| (*model).to_owned());
    let mut vehicles = Vec::new();
    for (make, models) in makes(seed).into_iter().zip(models.chunks(N_MODELS)) {
        for year in (0..N_YEARS).map(|nth| first_year(seed) + nth) {
            let mut offered = models.to_vec();
            shuffle(&mut offered, seed, |model| format!("{model} {year}"));
            let n = 3 + (number(seed, &["models", make, &year.to_string()]) % 3) as usize;
            vehicles.extend(offered.into_iter().take(n).map(|model| {
                let engine = ENGINES[(number(seed, &["engine", model]) % 6) as usize];
                Vehicle { make, year, model: format!("{model} {engine}") }
            }));
        }
    }
    vehicles.sort();
    vehicles
}
