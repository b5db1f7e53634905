//! The values that a manual holds. Within a vehicle each value stands on one page, and the same
//! page of another year has another value.

use crate::kind::LeafKind;
use crate::random::number;
use crate::vehicle::Vehicle;

/// From one leaf of a kind to the next, and from one year to the next. Neither shares a factor with
/// the number of values of a kind, so that values repeat only after all of them were used.
const STRIDE: u64 = 37;
const YEAR: u64 = 131;

const PLACES: [&str; 8] = [
    "Behind the left kick panel",
    "Under the right front seat",
    "On the firewall",
    "At the rear of the engine bay",
    "Behind the glove compartment",
    "Under the battery tray",
    "Inside the left rear quarter panel",
    "On the right inner fender",
];
const NEIGHBOURS: [&str; 8] = [
    "above the main harness",
    "below the wiper linkage",
    "beside the brown junction block",
    "to the left of the grommet",
    "in front of the blower case",
    "behind the plastic cover",
    "next to the ground stud",
    "between the two support ribs",
];
const FASTENINGS: [&str; 8] = [
    "held by one screw",
    "clipped to a bracket",
    "on a slotted rail",
    "in a rubber sleeve",
    "held by two push pins",
    "taped to the loom",
    "on a riveted plate",
    "under a metal strap",
];
const ACTIONS: [&str; 8] = [
    "Loosen the upper fastener by two turns",
    "Mark both halves with paint",
    "Push the locking tab inward",
    "Turn the unit toward the firewall",
    "Support the weight with a wooden block",
    "Lift the rear edge first",
    "Press the retaining ring together",
    "Pull the carrier straight out",
];
const CONDITIONS: [&str; 8] = [
    "before the lower fastener is touched",
    "while a helper holds the bracket",
    "until it stops against the rib",
    "with the front wheels straight ahead",
    "after the pressure has gone",
    "without bending the shield",
    "as soon as the clip lets go",
    "with the harness still in place",
];
const ENDINGS: [&str; 8] = [
    "and discard the old seal",
    "and keep the shims in order",
    "and cover the opening",
    "and note the length of each bolt",
    "and clean the seat with a dry cloth",
    "and wait until it is cold",
    "and oil the new ring lightly",
    "and renew the lock plate",
];

/// Returns the number of different values of a kind.
fn n_values(kind: LeafKind) -> u64 {
    match kind {
        LeafKind::Torque | LeafKind::FluidType | LeafKind::TestValue => 900,
        LeafKind::Connector | LeafKind::Bulletin => 900,
        LeafKind::Specification => 800,
        LeafKind::Capacity => 70,
        LeafKind::Adjustment => 90,
        LeafKind::Location | LeafKind::Procedure => 512,
        LeafKind::Description => 1,
    }
}

/// Returns the value that the page of a leaf holds, by the number of leaves of its kind before it.
pub(crate) fn value(seed: u64, vehicle: &Vehicle, kind: LeafKind, nth: usize) -> String {
    let words = ["values", kind.question_type(), vehicle.make, &vehicle.model];
    let steps = STRIDE * nth as u64 + YEAR * u64::from(vehicle.year);
    let at = (number(seed, &words) % n_values(kind) + steps) % n_values(kind);
    // A length stays a length in another year.
    let is_even = nth.is_multiple_of(2);
    match kind {
        LeafKind::Torque => format!("{} N·m", tenths(100 + at)),
        LeafKind::Specification if is_even => format!("{} kPa", 200 + at),
        LeafKind::Specification => format!("{} mm", tenths(100 + at)),
        LeafKind::Capacity => format!("{} L", tenths(30 + at)),
        LeafKind::FluidType => {
            format!("Norvex grade {}-{}", 100 + at, ["S", "T", "W"][at as usize % 3])
        }
        LeafKind::TestValue if is_even => format!("{} kΩ", hundredths(100 + at)),
        LeafKind::TestValue => format!("{} V", hundredths(100 + at)),
        LeafKind::Connector => format!("C{}", 100 + at),
        LeafKind::Bulletin => format!("{:02}-{}", vehicle.year % 100, 100 + at),
        LeafKind::Adjustment => format!("0.{} mm", 10 + at),
        LeafKind::Location => of_three(at, [&PLACES, &NEIGHBOURS, &FASTENINGS], ", "),
        LeafKind::Procedure => of_three(at, [&ACTIONS, &CONDITIONS, &ENDINGS], " "),
        LeafKind::Description => String::new(),
    }
}

fn tenths(n: u64) -> String {
    format!("{}.{}", n / 10, n % 10)
}

fn hundredths(n: u64) -> String {
    format!("{}.{:02}", n / 100, n % 100)
}

/// Joins one of each of three lists of eight.
fn of_three(at: u64, lists: [&[&str; 8]; 3], between: &str) -> String {
    let part = |nth: usize| lists[nth][(at >> (3 * nth)) as usize % 8];
    [part(0), part(1), part(2)].join(between)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn values_repeat_neither_within_a_vehicle_nor_in_another_year() {
        let of = |year| Vehicle { make: "Averon", year, model: "Kestin".to_owned() };
        for kind in LeafKind::ASKED {
            let n = n_values(kind) as usize;
            let values: BTreeSet<String> =
                (0..n).map(|nth| value(1, &of(2005), kind, nth)).collect();
            assert_eq!(values.len(), n, "{kind:?}");
            let years: BTreeSet<String> =
                (2005..2010).map(|year| value(1, &of(year), kind, 7)).collect();
            assert_eq!(years.len(), 5, "{kind:?}");
        }
    }
}
