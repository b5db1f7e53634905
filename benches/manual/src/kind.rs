//! The kinds of leaves, and which of them a component has.

/// What a leaf is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeafKind {
    /// How tight a bolt is.
    Torque,
    /// A length or a pressure.
    Specification,
    /// How much of a fluid there is.
    Capacity,
    /// Which fluid it is.
    FluidType,
    /// Where the component is.
    Location,
    /// How it is replaced.
    Procedure,
    /// What is measured on one that works.
    TestValue,
    /// How it is connected.
    Connector,
    /// A bulletin of the maker.
    Bulletin,
    /// How it works; nobody asks.
    Description,
    /// What it is set to.
    Adjustment,
}

use LeafKind::{
    Adjustment, Bulletin, Capacity, Connector, Description, FluidType, Location, Procedure,
    Specification, TestValue, Torque,
};

impl LeafKind {
    /// The kinds that questions ask for.
    pub const ASKED: [LeafKind; 10] = [
        Specification,
        Location,
        Procedure,
        Capacity,
        Torque,
        FluidType,
        Bulletin,
        Connector,
        TestValue,
        Adjustment,
    ];

    /// Returns the name of a leaf.
    pub fn label(self) -> &'static str {
        match self {
            Torque | Specification => "Specifications",
            Capacity => "Capacity Specifications",
            FluidType => "Fluid Type Specifications",
            Location => "Locations",
            Procedure => "Service and Repair",
            TestValue => "Testing and Inspection",
            Connector => "Diagrams",
            Bulletin => "Technical Service Bulletins",
            Description => "Description and Operation",
            Adjustment => "Adjustments",
        }
    }

    /// Returns the name of the icon beside a leaf.
    pub(crate) fn icon(self) -> String {
        let label = match self {
            Capacity | FluidType => Torque.label(),
            _ => self.label(),
        };
        label.to_ascii_lowercase().replace(' ', "-")
    }

    /// Returns the name of a type of question.
    pub fn question_type(self) -> &'static str {
        match self {
            Torque => "torque",
            Specification => "specification",
            Capacity => "capacity",
            FluidType => "fluid type",
            Location => "location",
            Procedure => "procedure",
            TestValue => "test value",
            Connector => "connector",
            Bulletin => "bulletin",
            Description => "description",
            Adjustment => "adjustment",
        }
    }

    /// Reports whether the leaf stands in a folder of specifications.
    pub(crate) fn is_in_specifications(self) -> bool {
        matches!(self, Capacity | FluidType)
    }
}

/// Returns the kinds of leaves that a class of components has; `None` for an unknown class.
pub(crate) fn kinds_of(class: &str) -> Option<&'static [LeafKind]> {
    Some(match class {
        "part" => &[Torque, Location, Procedure, Bulletin, Description],
        "fluid" => &[Capacity, FluidType, Procedure, Bulletin, Description],
        "adjusted" => &[Specification, Adjustment, Procedure, Bulletin, Description],
        "sensor" => &[Location, Procedure, TestValue, Connector, Torque, Description],
        "switch" | "relay" => &[Location, Procedure, TestValue, Connector, Description],
        "module" => &[Location, Procedure, TestValue, Connector, Bulletin, Description],
        "actuator" => &[Location, Procedure, TestValue, Connector, Torque, Description],
        "note" => &[Procedure, Description],
        _ => return None,
    })
}
