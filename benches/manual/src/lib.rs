//! A workshop manual that no one wrote, to test walks through trees of pages: makes, years, models,
//! and a tree of folders for each vehicle, in one page or in a page for each folder.
//!
//! Everything depends on a seed. No page is stored: [`Manual::page`] makes any page from its
//! address, and [`questions::of`] asks for values that stand on one page of a vehicle alone.
//!
//! ```
//! use manual::{TreeForm, Manual};
//!
//! let manual = Manual::new(1, TreeForm::Tree);
//! let vehicle = &manual.vehicles()[0];
//! let page = manual.page(&manual.vehicle_address(vehicle)).unwrap();
//! assert!(page.contains("Repair and Diagnosis"));
//! ```

mod address;
mod components;
mod content;
mod frame;
mod kind;
mod pages;
pub mod questions;
mod random;
mod tree;
mod values;
mod vehicle;

pub use address::file_of;
pub use kind::LeafKind;
pub use pages::{Manual, TreeForm};
pub use tree::{LeafContent, ManualLeaf, ManualNode, ManualTree};
pub use vehicle::Vehicle;
