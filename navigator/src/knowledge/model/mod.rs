//! A knowledge as it is stored.

pub mod feature;
pub mod places;
pub mod shared_text;
pub mod template;
pub(in crate::knowledge) mod transition_key;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::knowledge::model::feature::{Feature, feature_words};
use crate::knowledge::model::shared_text::SharedText;
use crate::knowledge::model::template::AddressTemplate;
use crate::walk::known::KnownPlace;
use crate::walk::screen::field_rules::FieldRules;

/// The format version of stored knowledge.
pub const VERSION: u32 = 1;
/// The action that returns to the page before.
pub const GO_BACK: &str = "go_back";
/// The action that opens an address.
pub const NAVIGATE: &str = "navigate";

/// What is known of a site. Made of recordings; the same recordings give the same bytes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Knowledge {
    /// The format version.
    pub version: u32,
    /// The digest of the rest of its file; empty where it is in none.
    #[serde(default)]
    pub digest: String,
    /// The recordings that it is made of.
    #[serde(default)]
    pub records: Vec<KnownRecord>,
    /// From which score a screen is recognised by its features.
    #[serde(default)]
    pub thresholds: Thresholds,
    /// From which score a screen is recognised by a text of the page.
    #[serde(default)]
    pub text_thresholds: Thresholds,
    /// The screens, in the order of their identifiers.
    pub screens: Vec<KnownScreen>,
    /// What leads from one screen to another, as it was seen.
    #[serde(default)]
    pub transitions: Vec<Transition>,
    /// Whole ways that were walked to an end.
    #[serde(default)]
    pub tasks: Vec<KnownTask>,
    /// What a model proposed and nobody has seen yet.
    #[serde(default)]
    pub inferred: Vec<InferredTransition>,
    /// The pages that were seen or linked to, in the order of their addresses.
    #[serde(default)]
    pub places: Vec<KnownPlace>,
}

/// A recording that a knowledge is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnownRecord {
    /// The name of its folder or file.
    pub name: String,
    /// The digest of its content.
    pub digest: String,
    /// The number of its screens.
    pub n_screens: usize,
    /// Where it lies on the machine that made the knowledge; not in what is exported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// From which score a screen is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Thresholds {
    /// The lowest score, between 0 and 1.
    pub score: f64,
    /// The least difference to the score of the next screen.
    pub margin: f64,
}

impl Default for Thresholds {
    /// Returns the thresholds of a knowledge that has too few screens to set its own.
    fn default() -> Thresholds {
        Thresholds { score: 0.6, margin: 0.05 }
    }
}

/// The kinds of content of screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContentType {
    /// A screen of an application or a site, as it was seen.
    WebUi,
    /// Text about something.
    Documentation,
    /// What was said in a video.
    VideoTranscript,
    /// The description of an interface for programs.
    ApiDocs,
    /// Not known.
    #[default]
    Unknown,
}

/// A screen: pages and states that look alike and do the same.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct KnownScreen {
    /// The identifier.
    pub screen_id: String,
    /// The name, for people.
    pub name: String,
    /// The kind of content.
    #[serde(default)]
    pub content_type: ContentType,
    /// The screen can be recognised and navigated to.
    #[serde(default)]
    pub is_actionable: bool,
    /// Regular expressions for its addresses.
    #[serde(default)]
    pub url_patterns: Vec<String>,
    /// What shows that it is the current screen, in the words of other agents.
    #[serde(default)]
    pub state_signature: StateSignature,
    /// The templates of its addresses.
    #[serde(default)]
    pub templates: Vec<AddressTemplate>,
    /// Addresses that it was seen under, the first ones.
    #[serde(default)]
    pub addresses: Vec<KnownAddress>,
    /// What it is recognised by.
    #[serde(default)]
    pub features: Vec<KnownFeature>,
    /// What can be done on it.
    #[serde(default)]
    pub actions: Vec<KnownAction>,
    /// Its forms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<KnownForm>,
    /// The number of actions that are left out, since there are too many.
    #[serde(default)]
    pub n_more_actions: usize,
    /// The words that say what it is for: headings, and names of fields and buttons.
    #[serde(default)]
    pub business_words: Vec<String>,
    /// The number of times that it was seen.
    #[serde(default)]
    pub times_seen: u32,
    /// Where it was seen: positions of recordings, from 0.
    #[serde(default)]
    pub seen_in: Vec<usize>,
}

/// What shows that a screen is the current one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct StateSignature {
    /// What must be there.
    #[serde(default)]
    pub required_indicators: Vec<Indicator>,
}

/// One thing that shows that a screen is the current one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Indicator {
    /// `dom_contains` or `url_matches`.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// The text that the page contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The regular expression that the address matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Where the text stands, as a CSS selector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// An address of a screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnownAddress {
    /// The address.
    pub address: SharedText,
    /// The title of the page.
    pub title: SharedText,
    /// Opening the address showed the screen.
    pub opens: bool,
    /// What it came from first: the position of a record, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<usize>,
}

/// A feature of a screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnownFeature {
    /// The feature.
    #[serde(flatten)]
    pub feature: Feature,
    /// The share of the times that it was there, between 0 and 1.
    pub share: f64,
}

/// Something that can be done on a screen.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct KnownAction {
    /// The identifier, unique within the knowledge.
    pub action_id: SharedText,
    /// `click`, `input`, `select_dropdown`, …: the kind of action.
    pub action_type: SharedText,
    /// The role of the control: `button`, `link`, …
    #[serde(default)]
    pub role: SharedText,
    /// What people call the control; of a link to one of many, what they all lead to.
    pub name: SharedText,
    /// The heading above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
    /// The text beside it, where several controls have its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    /// The name of one of many controls that it stands for, as it was seen first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<SharedText>,
    /// The label has a count at its end at times: `Cart 2` for `Cart`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_count: bool,
    /// The template of the addresses that it leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leads_to: Option<AddressTemplate>,
    /// The choices of a list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What holds for its value: `required`, `read only`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// What a field takes, as far as all of its sightings agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<FieldRules>,
    /// What is written, chosen or opened, where others say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The number of times that the screen had it; 0 where nobody counted.
    #[serde(default)]
    pub times_there: u32,
    /// The number of times that it was done.
    #[serde(default)]
    pub times_done: u32,
    /// What it does to the world, as far as it was seen.
    #[serde(default)]
    pub effect: EffectClass,
    /// What it and its place on the screen came from first: the position of a record, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<usize>,
}

/// A form of a screen. Its actions are named by their identifiers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct KnownForm {
    /// What people call it, or the heading above it; empty if there is neither.
    pub name: String,
    /// What takes a value.
    #[serde(default)]
    pub fields: Vec<String>,
    /// What sends it.
    #[serde(default)]
    pub sent_by: Vec<String>,
    /// What it came from first: the position of a record, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<usize>,
}

/// What an action does to the world.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// It was never done.
    #[default]
    Unknown,
    /// Nothing was sent.
    None,
    /// It reads: a page is fetched.
    Reads,
    /// It sends something, or would have.
    Sends,
    /// Its name warns: delete, pay, …
    Destroys,
}

/// What leads from one screen to another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Transition {
    /// The screen before.
    pub from_screen_id: SharedText,
    /// The screen after.
    pub to_screen_id: SharedText,
    /// The action; `None` where two screens followed each other and nobody saw why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_id: Option<SharedText>,
    /// What was written or chosen, as it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The name of the control that was used, where the action stands for many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<SharedText>,
    /// What was written and chosen on the screen before, without leaving it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prepared: Vec<Preparation>,
    /// The address before it, where the action stands for many: only this page may have the
    /// control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_address: Option<SharedText>,
    /// The address after it.
    pub address: SharedText,
    /// The number of times that it was seen.
    pub times_seen: u32,
    /// Where it was seen last: the position of a recording, and the number of the step.
    pub last_seen: (usize, u32),
    /// The control has a name that the walk wrote itself: another walk may not find it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_own_data: bool,
    /// Each time it led back to the screen before this one, as what closes a menu does: where it
    /// leads depends on the way there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub returns: bool,
}

/// What was done on a screen before it was left.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Preparation {
    /// The action.
    pub action_id: String,
    /// What was written or chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// A way that was walked to an end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnownTask {
    /// The identifier.
    pub task_id: String,
    /// What it is for: the goal of the walk.
    pub name: String,
    /// The screen that it begins on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_screen_id: Option<String>,
    /// Its steps.
    pub steps: Vec<TaskStep>,
    /// What can be given: the name of the field, and the value that was used.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// The screen that it ends on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_screen_id: Option<String>,
    /// The recording that it was seen in, by its position.
    #[serde(default)]
    pub seen_in: usize,
}

/// A step of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskStep {
    /// The screen that it is taken on.
    pub screen_id: String,
    /// The action.
    pub action_id: String,
    /// What was written or chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The name of the parameter that takes the place of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// The name of the control, where the action stands for many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The screen after it.
    pub to_screen_id: String,
}

/// A transition that a model proposed. It is tried before it counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InferredTransition {
    /// The screen before.
    pub from_screen_id: String,
    /// The screen after, as it is believed.
    pub to_screen_id: String,
    /// The action.
    pub action_id: String,
    /// What has to be written and chosen first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prepared: Vec<Preparation>,
    /// How sure the model is, above 0.6 and at most 1.
    pub confidence: f64,
    /// Why.
    pub reasoning: String,
}

impl Knowledge {
    /// Reports whether it is made of a recording, by the recording's digest.
    pub fn has_record(&self, digest: &str) -> bool {
        self.records.iter().any(|record| record.digest == digest)
    }

    /// Returns the name of a record by its position; `None` where it is not known.
    pub fn record_name(&self, record: Option<usize>) -> Option<&str> {
        self.records.get(record?).map(|record| record.name.as_str())
    }

    /// Returns the origins of its screens, in order.
    pub fn sites(&self) -> Vec<String> {
        let addresses = self.screens.iter().flat_map(|screen| &screen.addresses);
        let origins = addresses.filter_map(|one| {
            let origin = url::Url::parse(&one.address).ok()?.origin();
            Some(if origin.is_tuple() { origin.ascii_serialization() } else { "file:".to_owned() })
        });
        let mut sites: Vec<String> = origins.collect();
        sites.sort_unstable();
        sites.dedup();
        sites
    }

    /// Returns a task by its identifier.
    pub fn task(&self, id: &str) -> Option<&KnownTask> {
        self.tasks.iter().find(|task| task.task_id == id)
    }

    /// Returns a screen by its identifier.
    pub fn screen(&self, id: &str) -> Option<&KnownScreen> {
        self.screens.iter().find(|screen| screen.screen_id == id)
    }
}

impl KnownAction {
    /// Keeps of what a field takes what another sighting says too. One that says nothing of it is
    /// of a recording that does not tell.
    pub(super) fn agree(&mut self, rules: Option<FieldRules>) {
        match (&mut self.rules, rules) {
            (Some(own), Some(other)) => own.keep_common(other),
            (own @ None, other) => *own = other,
            (Some(_), None) => {}
        }
    }
}

impl Transition {
    /// Reports whether the transition leads to the same screen from any page of the one before.
    /// What returns to the page before does not, and what nobody saw the cause of cannot be done
    /// again.
    pub fn is_repeatable(&self) -> bool {
        self.action_id.as_deref().is_some_and(|id| id != GO_BACK && id != NAVIGATE)
    }

    /// Returns the screens before and after it.
    pub fn ends(&self) -> (&str, &str) {
        (&self.from_screen_id, &self.to_screen_id)
    }

    /// Returns the actions that it takes, the last one last.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        let prepared = self.prepared.iter().map(|one| one.action_id.as_str());
        prepared.chain(self.action_id.as_deref())
    }
}

impl KnownScreen {
    /// Reports whether the screen can be recognised and navigated to.
    pub fn is_used(&self) -> bool {
        self.is_actionable && self.content_type == ContentType::WebUi
    }

    /// Reports whether the screen had the control of an action at least half of the times.
    pub fn keeps(&self, action_id: &str) -> bool {
        let Some(action) = self.action(action_id) else { return false };
        let name = feature_words(&action.name);
        self.features.iter().any(|one| one.share >= 0.5 && one.feature.words == name)
    }

    /// Returns an action by its identifier.
    pub fn action(&self, id: &str) -> Option<&KnownAction> {
        self.actions.iter().find(|action| action.action_id == id)
    }
}
