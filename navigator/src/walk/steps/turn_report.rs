//! The Turn Report of a walk, for the person who chooses the next turn.

use crate::money::pico_usd::PicoUsd;
use crate::run::pilot::{Projection, Spend};
use crate::run::report::ResourceReport;
#[cfg(feature = "cli")]
use crate::run::report::{cost_line, rows_text};

/// What a turn of a walk did. Its texts have passed the gate.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkTurnReport {
    /// The turn, from 1.
    pub turn: u32,
    /// The pilot's reason.
    pub why: String,
    /// The steps with their results: `click 1 'Orders' → page 'Orders'`.
    pub steps: Vec<String>,
    /// What was wrong with the answer of the pilot.
    pub complaints: Vec<String>,
    /// The questions of the turn with their answers.
    pub asked: Vec<String>,
    /// The place after it, and its address.
    pub place: String,
    /// The cost of the turn.
    pub cost_pico_usd: PicoUsd,
    /// The projected cost of the turn.
    pub projection: Projection,
    /// The whole spend so far, and the limit.
    pub purse: Spend,
    /// The requests, bytes and steps used so far, and their limits.
    pub resources: ResourceReport,
}

impl WalkTurnReport {
    /// Formats the report in lines of at most `width` columns and never more than 100.
    #[cfg(feature = "cli")]
    pub fn text(&self, width: usize) -> String {
        let mut rows = Vec::new();
        if !self.why.is_empty() {
            rows.push(("why", self.why.replace('\n', " ")));
        }
        let lists = [("did", &self.steps), ("problem", &self.complaints), ("asked", &self.asked)];
        for (head, lines) in lists {
            rows.extend(lines.iter().map(|line| (head, line.clone())));
        }
        rows.push(("page", self.place.clone()));
        if self.projection.view_tokens > 0 {
            rows.push(("view", format!("{} tokens", self.projection.view_tokens)));
        }
        rows.push(("used", self.resources.line()));
        let cost = cost_line(self.cost_pico_usd, self.projection, self.purse);
        rows.extend(cost.map(|cost| ("cost", cost)));
        rows_text(&format!("Turn {}", self.turn), rows, width)
    }
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;
    use crate::money::effect::{ResourceLimits, Resources};

    #[test]
    fn a_report_says_what_was_done_and_what_it_cost() {
        let report = WalkTurnReport {
            turn: 2,
            why: "the goal names it".to_owned(),
            steps: vec!["click 3 'Send' → sent to a.example: POST /orders".to_owned()],
            complaints: Vec::new(),
            asked: vec!["`click 3 'Send'` sends POST /orders to `a.example`: yes".to_owned()],
            place: "Shop › Cart (http://a.example/cart)".to_owned(),
            cost_pico_usd: PicoUsd(1_000_000_000),
            projection: Projection {
                projected_pico_usd: PicoUsd(2_000_000_000),
                view_tokens: 800,
                ..Projection::default()
            },
            purse: Spend {
                limit_pico_usd: PicoUsd(500_000_000_000),
                spent_pico_usd: PicoUsd(3_000_000_000),
                calls: 2,
            },
            resources: ResourceReport {
                used: Resources { requests: 4, bytes: 900, steps: 2 },
                limits: ResourceLimits { requests: Some(40), bytes: None, steps: Some(15) },
            },
        };
        insta::assert_snapshot!(report.text(60), @r"
        Turn 2
          why      the goal names it
          did      click 3 'Send' → sent to a.example: POST /orders
          asked    `click 3 'Send'` sends POST /orders to
                   `a.example`: yes
          page     Shop › Cart (http://a.example/cart)
          view     800 tokens
          used     4 requests of 40, 900 bytes, 2 steps of 15
          cost     $0.001 (projected $0.002); $0.003 of $0.50 spent,
                   $0.497 left
        ");
    }
}
