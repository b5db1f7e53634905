//! What was seen, in order: the screens of a recording, and the steps between them.

use std::collections::BTreeSet;

use crate::knowledge::model::EffectClass;
use crate::knowledge::model::feature::{Feature, features_of};
use crate::knowledge::model::template::{AddressTemplate, is_masked};
use crate::walk::action::WalkAction;
use crate::walk::screen::Screen;

/// A screen as it was seen once.
#[derive(Debug, Clone)]
pub struct ScreenSighting {
    /// The position of its recording.
    pub record: usize,
    /// The screen.
    pub screen: Screen,
    /// The template of its address.
    pub template: AddressTemplate,
    /// What it is recognised by.
    pub features: BTreeSet<Feature>,
    /// It was shown by opening its address.
    pub is_opened: bool,
}

/// A step between two screens that were seen.
#[derive(Debug, Clone)]
pub struct SeenStep {
    /// The position of the screen before among all that were seen.
    pub from: usize,
    /// The position of the screen after.
    pub to: usize,
    /// What was done.
    pub action: WalkAction,
    /// Its number in the walk, from 1.
    pub number: u32,
    /// What it did to the world.
    pub effect: EffectClass,
}

impl ScreenSighting {
    /// Takes note of a screen.
    pub fn new(record: usize, screen: Screen, is_opened: bool) -> ScreenSighting {
        let template = AddressTemplate::of(&screen.address).unwrap_or_else(|| {
            let Ok(template) = screen.address.parse();
            template
        });
        let features = features_of(&screen);
        let is_opened = is_opened && !is_masked(&screen.address);
        ScreenSighting { record, screen, template, features, is_opened }
    }
}

/// A walk that reached its goal.
#[derive(Debug, Clone)]
pub struct SeenTask {
    /// The position of its recording.
    pub record: usize,
    /// The goal.
    pub goal: String,
    /// The positions of its steps among all that were seen.
    pub steps: std::ops::Range<usize>,
}
