//! What the page of a leaf says below its heading.

use crate::components::COMPONENTS;
use crate::kind::LeafKind;
use crate::random::{number, one_of};
use crate::tree::ManualLeaf;
use crate::values::value;
use crate::vehicle::Vehicle;

/// Sentences without a value.
const NOTES: [&str; 12] = [
    "Work on a level floor and keep the vehicle from rolling.",
    "Disconnect the negative cable before any electric part is removed.",
    "Parts that were exposed to heat stay hot for a long time.",
    "Threads must be clean and dry unless this manual says otherwise.",
    "Do not use force. A part that does not move is held by a hidden fastener.",
    "Keep dirt away from open lines, and close them with plugs.",
    "Fasteners with a patch of adhesive are used once.",
    "Wear eye protection while springs are under load.",
    "Read all of this page before the work begins.",
    "The illustration may differ from the vehicle in details.",
    "Vehicles with optional equipment may have additional brackets here.",
    "Collect old fluids and hand them in where they are recycled.",
];
const COMPLAINTS: [&str; 6] = [
    "Rattle at idle",
    "Moisture inside the housing",
    "Intermittent loss of function",
    "Squeak when cold",
    "Early wear",
    "Warning lamp without a fault",
];
const WORKINGS: [&str; 4] = [
    "transfers load from one side to the other and gives a little when it is cold",
    "is watched all the time; when its signal fails, a fixed value takes its place",
    "works only while the engine runs, and rests in its closed position",
    "is made of two halves that are pressed together and cannot be repaired",
];

/// The parts of a page that differ from vehicle to vehicle.
pub(crate) struct LeafPlace<'p> {
    pub(crate) seed: u64,
    pub(crate) vehicle: &'p Vehicle,
    pub(crate) path: &'p [String],
    pub(crate) leaf: ManualLeaf,
}

impl LeafPlace<'_> {
    /// Returns the name of the component.
    pub(crate) fn component(&self) -> &'static str {
        COMPONENTS[self.leaf.component].label()
    }

    /// Returns the value that this page holds, and no other page of the vehicle.
    pub(crate) fn value(&self) -> String {
        value(self.seed, self.vehicle, self.leaf.kind, self.leaf.nth)
    }

    /// Returns the page as HTML, without its heading.
    pub(crate) fn html(&self) -> String {
        let mut html = self.fact();
        for nth in 0..1 + self.chance("notes") % 3 {
            let place = self.path.join("/");
            let words = ["note", &nth.to_string(), self.vehicle.make, &self.vehicle.model, &place];
            html += &format!("<br><br>\n&nbsp;&nbsp;{}", one_of(&NOTES, self.seed, &words));
        }
        html
    }

    /// Returns the image of a page of images.
    pub(crate) fn images(&self) -> String {
        let n = 1 + self.chance("images") % 3;
        let image = |nth| {
            format!(
                "<img class=\"big-img\" src=\"/images/{}-{nth}.png\"><br>\n",
                self.chance("image") % 100_000
            )
        };
        (0..n).map(image).collect()
    }

    fn chance(&self, name: &str) -> u64 {
        number(self.seed, &[name, self.vehicle.make, &self.vehicle.model, &self.path.join("/")])
    }

    fn fact(&self) -> String {
        let (value, name) = (self.value(), self.component());
        match self.leaf.kind {
            LeafKind::Torque => self.rows("Tightening torque", &value),
            LeafKind::Specification if value.ends_with("kPa") => {
                self.rows("Pressure, engine warm", &value)
            }
            LeafKind::Specification => self.rows("Length, standard", &value),
            LeafKind::Capacity => self.rows("Amount with filter or hoses", &value),
            LeafKind::FluidType => self.rows("Recommended product", &value),
            LeafKind::TestValue if value.ends_with('V') => {
                self.rows("Between the terminals, key on", &value)
            }
            LeafKind::TestValue => self.rows("Between the terminals, unplugged", &value),
            LeafKind::Adjustment => self.rows("Set to", &value),
            LeafKind::Location => format!("{value}."),
            LeafKind::Procedure => format!(
                "<b>REMOVAL</b><ol><li>Gain access to the {name}.<li>{value}.<li>Remove the \
                 {name}.</ol><b>INSTALLATION</b><ol><li>Install in reverse order.<li>Check that \
                 it works.</ol>"
            ),
            LeafKind::Connector => format!(
                "<img class=\"big-img\" src=\"/images/{}.png\"><br>\nConnector {value}, seen from \
                 the harness side.<table><tr><th>Cavity<th>Color<tr><td>A<td>Black / White\
                 <tr><td>B<td>Gray</table>",
                self.chance("image") % 100_000
            ),
            LeafKind::Bulletin => format!(
                "Bulletin No.: {value}<br>\nSubject: {name} - {}<br>\nAffected vehicles get the \
                 revised part at the next visit.",
                one_of(&COMPLAINTS, self.seed, &["complaint", name])
            ),
            LeafKind::Description => {
                format!("The {name} {}.", one_of(&WORKINGS, self.seed, &["working", name]))
            }
        }
    }

    /// Returns a value with its name: as text on some pages, as a table on others.
    fn rows(&self, name: &str, value: &str) -> String {
        let component = self.component();
        match self.chance("table") % 2 {
            0 => format!("{component}<br>\n&nbsp;&nbsp;&nbsp;&nbsp;{name}&nbsp;..... {value}"),
            _ => format!(
                "<table border=1><tr><th>Application<th>{name}<th>Notes\
                 <tr><td>{component}<td>{value}<td>All</table>"
            ),
        }
    }
}
