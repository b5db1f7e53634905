//! Money: whatever a model and its provider do, no reservation passes the limit and nothing spent
//! is forgotten.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use navigator::ledger::{self, Basis, Bound, CallOutcome, LedgerLine};
use navigator::repo::overview_rules;
use navigator::{
    Deadline, Failure, Journal, Ledger, Limits, Model, ModelLimits, ModelPilot, PicoUsd, Price,
    Projection, Reply, Repository, Request, Retries, State, Stop, Usage, offline_rules,
};
use repo_map::{FlightPlan, Options};
use test_support::Dice;

use crate::{explore, service};

/// A journal that two can read, and that may stop working.
#[derive(Clone, Default)]
struct Shared {
    lines: Arc<Mutex<Vec<String>>>,
    fails_after: Option<usize>,
}

impl Journal for Shared {
    fn write(&mut self, line: &str) -> io::Result<()> {
        if self.fails_after.is_some_and(|n| self.lines.lock().unwrap().len() >= n) {
            return Err(io::Error::other("the disk is full"));
        }
        self.lines.lock().unwrap().push(line.to_owned());
        Ok(())
    }
}

impl Shared {
    fn read(&self) -> Vec<LedgerLine> {
        ledger::lines(
            &self.lines.lock().unwrap().iter().map(|line| format!("{line}\n")).collect::<String>(),
        )
        .unwrap()
    }
}

/// A provider that does what it wants, and remembers what it really billed.
struct Hostile {
    dice: Dice,
    price: Price,
    output_tokens: Arc<Mutex<u32>>,
    billed: Arc<Mutex<u64>>,
}

impl Hostile {
    fn usage(&mut self, body: &str) -> Usage {
        let input = body.len() as u64;
        let output = u64::from(*self.output_tokens.lock().unwrap());
        let honest = Usage {
            input_tokens: input / 4,
            output_tokens: self.dice.roll(output + 1),
            ..Usage::default()
        };
        match self.dice.roll(12) {
            0 => Usage { output_tokens: output + 1, ..honest },
            1 => Usage { input_tokens: u64::MAX, cached_tokens: u64::MAX, ..honest },
            2 => Usage { input_tokens: 0, output_tokens: 0, ..honest },
            3 => Usage { cached_tokens: input / 4, cache_write_tokens: input / 4, ..honest },
            4 => Usage { input_tokens: input * 40, ..honest },
            _ => honest,
        }
    }

    fn text(&mut self) -> String {
        let texts = [
            r#"{"action": "update_flight_plan", "reasoning": "r", "changes": [{"path": "a.rs", "level": "full", "why": "w"}]}"#,
            r#"{"action": "update_flight_plan", "reasoning": "r", "changes": [{"path": "b.rs#answer", "level": "full", "why": "w"}]}"#,
            r#"{"action": "update_flight_plan", "reasoning": "r", "changes": [{"path": "no/such.rs", "level": "full", "why": "w"}]}"#,
            r#"{"action": "finalize_context", "summary": "s", "focus": [{"path": "a.rs", "why": "w"}]}"#,
            r#"{"action": "update_flight_plan", "changes": 7}"#,
            r#"{"action": ["#,
            "I would rather not say.",
            "",
        ];
        texts[self.dice.roll(texts.len() as u64) as usize].to_owned()
    }
}

impl Model for Hostile {
    fn name(&self) -> &str {
        "hostile/provider"
    }

    fn body(&self, request: &Request) -> String {
        *self.output_tokens.lock().unwrap() = request.output_tokens;
        format!("{}{}", request.stable, request.turn)
    }

    fn send(&mut self, body: &str, _deadline: &Deadline) -> Result<Reply, Failure> {
        let most =
            self.price.at_most(body.len() as u64, u64::from(*self.output_tokens.lock().unwrap()));
        let unknown = if most.0 == 0 { 0 } else { self.dice.roll(most.0.saturating_add(1)) };
        let bill = |cost: u64| {
            let mut billed = self.billed.lock().unwrap();
            *billed = billed.saturating_add(cost);
        };
        let message = || "no".to_owned();
        match self.dice.roll(14) {
            0 => {
                bill(unknown);
                Err(Failure::Transient { message: message(), retry_after: None, not_billed: false })
            }
            1 => Err(Failure::Transient {
                message: message(),
                retry_after: Some(Duration::ZERO),
                not_billed: true,
            }),
            2 => {
                bill(unknown);
                Err(Failure::Permanent { message: message(), not_billed: false })
            }
            3 => Err(Failure::TooLong { message: message(), window: None, not_billed: true }),
            4 => Err(Failure::UnsupportedFormat { message: message(), not_billed: true }),
            5 => {
                bill(unknown);
                Err(Failure::Interrupted)
            }
            6 => {
                bill(unknown);
                Ok(Reply { text: self.text(), ..Reply::default() })
            }
            roll => {
                let usage = self.usage(body);
                let cost = self.price.of(&usage).0;
                let mut billed = self.billed.lock().unwrap();
                *billed = billed.saturating_add(cost);
                drop(billed);
                let repriced = (roll == 7).then(|| "service_tier is `priority`".to_owned());
                Ok(Reply { text: self.text(), usage: Some(usage), repriced, ..Reply::default() })
            }
        }
    }
}

/// Goes through a ledger as an auditor would, knowing nothing but its lines. Returns what was
/// spent.
fn audit(lines: &[LedgerLine], limit: PicoUsd) -> u64 {
    let mut spent = 0_u64;
    let mut open: BTreeMap<u32, u64> = BTreeMap::new();
    let mut breached = false;
    for line in lines {
        match line {
            LedgerLine::EffectReserved { .. } | LedgerLine::EffectSettled { .. } => {
                panic!("a repository has no effects")
            }
            LedgerLine::Opened { .. } => {}
            LedgerLine::Reserved { call, bound, .. } => {
                assert!(
                    !breached,
                    "a call was sent after the provider had billed beyond its maximum"
                );
                let reserved = bound.reserved_pico_usd.0;
                let all = open.values().sum::<u64>().saturating_add(spent).saturating_add(reserved);
                assert!(
                    all <= limit.0,
                    "call {call} was reserved for past the limit: {all} of {}",
                    limit.0
                );
                assert!(open.insert(*call, reserved).is_none());
            }
            LedgerLine::Settled {
                call, spent_pico_usd, basis, breach, reported_pico_usd, ..
            } => {
                let reserved = open.remove(call).expect("what is settled was reserved");
                spent = spent.saturating_add(spent_pico_usd.0);
                assert!(
                    *breach || spent_pico_usd.0 <= reserved,
                    "call {call} cost more than reserved and is no breach"
                );
                breached |= breach;
                match basis {
                    Basis::Provider => assert_eq!(reported_pico_usd.as_ref(), Some(spent_pico_usd)),
                    Basis::Bound => assert!(spent_pico_usd.0 >= reserved),
                    Basis::NotBilled => assert_eq!(spent_pico_usd.0, 0),
                }
            }
        }
    }
    assert!(breached || spent.saturating_add(open.values().sum()) <= limit.0);
    spent.saturating_add(open.values().sum())
}

/// Runs of the loop against a hostile provider, each of a seed of its own. Returns how often each
/// end came.
fn hostile_runs(seeds: std::ops::Range<u64>) -> BTreeMap<&'static str, u32> {
    let folder = test_support::repo("=== a.rs\nfn refresh() {}\n=== b.rs\nfn answer() {}\n");
    let mut plan = FlightPlan { goal: Some("refresh".into()), ..FlightPlan::default() };
    plan.context.tokens = 200;
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let mut stops: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in seeds {
        let mut dice = Dice(seed);
        let price = Price::flat(PicoUsd(dice.roll(20_000_000)), PicoUsd(dice.roll(50_000_000)));
        let digits = 10 + dice.roll(32);
        let limit = PicoUsd(dice.roll(1 << digits));
        let fails_after = (dice.roll(20) == 0).then(|| dice.roll(6) as usize);
        let mut journal = Shared { fails_after, ..Shared::default() };
        let kept = journal.clone();
        let billed = Arc::new(Mutex::new(0));
        let model = Hostile {
            dice,
            price: price.clone(),
            output_tokens: Arc::default(),
            billed: Arc::clone(&billed),
        };
        let retries =
            Retries { attempts: 3, first_wait: Duration::ZERO, longest_wait: Duration::ZERO };
        let terms = ModelLimits {
            window: 32_000,
            output_tokens: 2_048,
            least_output_tokens: 1_024,
            retries,
        };
        let ledger = Ledger::new(limit, price, &[], &mut journal);
        let mut pilot = ModelPilot::new(Box::new(model), ledger, terms, Box::new(|_| ()));
        let state = State::new("boundary".into(), Vec::new(), overview_rules());
        let limits = Limits { turns: 3, ..Limits::default() };
        let found = explore(&mut repo, state, &mut pilot, &limits, &mut ()).unwrap();
        assert!(
            found.map.tokens <= 200 && !found.map.text.is_empty(),
            "seed {seed}: the best so far is delivered"
        );
        *stops.entry(found.stop.as_str()).or_default() += 1;
        let logged =
            found.state.log.iter().fold(PicoUsd(0), |sum, entry| sum.plus(entry.cost_pico_usd));
        assert_eq!(
            logged, found.purse.spent_pico_usd,
            "seed {seed}: the costs of the log add up to the ledger's"
        );
        let spent = audit(&kept.read(), limit);
        let known = found.purse.spent_pico_usd.0;
        let billed = *billed.lock().unwrap();
        assert!(known >= billed, "seed {seed}: {known} was recorded, {billed} was billed");
        // Where the journal failed, the file has a reservation in place of the last settlement, and
        // the run ended at once.
        assert!(
            spent == known || fails_after.is_some() && found.stop.as_str() == "ledger_failed",
            "seed {seed}: {spent}, {known}"
        );
    }
    stops
}

#[test]
fn whatever_replies_come_no_reservation_passes_the_limit_and_no_money_is_forgotten() {
    const RUNS: u64 = 20_000;
    let stops = std::thread::scope(|scope| {
        let other = scope.spawn(|| hostile_runs(0..RUNS / 2));
        let mut stops = hostile_runs(RUNS / 2..RUNS);
        for (stop, n) in other.join().unwrap() {
            *stops.entry(stop).or_default() += n;
        }
        stops
    });
    // Every end that money and providers can bring about was among them.
    let ends = [
        "finished",
        "spend_limit",
        "turn_limit",
        "provider_failed",
        "unusable_answers",
        "provider_breach",
        "ledger_failed",
    ];
    for stop in ends {
        assert!(stops.contains_key(stop), "no run ended with {stop}: {stops:?}");
    }
    assert_eq!(u64::from(stops.values().sum::<u32>()), RUNS);
}

/// Steps of a run's money, for every order of which the ledger must hold.
#[derive(Debug, Clone, Copy)]
enum Step {
    Reserve(u64),
    Settle(u64),
    SettleUnknown,
    SettleNotBilled,
    SettleTwice(u64),
    Crash,
    /// The process dies while it writes: the last line is torn.
    CrashTorn,
}

#[test]
fn the_ledger_holds_in_every_order_of_reserving_settling_failing_and_crashing() {
    const STEPS: [Step; 9] = [
        Step::Reserve(40),
        Step::Reserve(100),
        Step::Settle(0),
        Step::Settle(40),
        Step::SettleUnknown,
        Step::SettleNotBilled,
        Step::SettleTwice(30),
        Step::Crash,
        Step::CrashTorn,
    ];
    const DEPTH: u32 = 5;
    const LIMIT: PicoUsd = PicoUsd(100);
    let price = Price::flat(PicoUsd(1), PicoUsd(1));
    for order in 0..STEPS.len().pow(DEPTH) {
        let steps: Vec<Step> =
            (0..DEPTH).map(|at| STEPS[order / STEPS.len().pow(at) % STEPS.len()]).collect();
        let mut journal = Shared::default();
        let kept = journal.clone();
        let mut ledger = Ledger::new(LIMIT, price.clone(), &[], &mut journal);
        // What a provider could have billed at most, told by nothing but the steps.
        let mut worst = 0;
        let mut in_flight = 0;
        for step in &steps {
            match *step {
                Step::Reserve(tokens) => {
                    let bound = Bound {
                        input_tokens: tokens,
                        reserved_pico_usd: PicoUsd(tokens),
                        ..Bound::default()
                    };
                    worst += std::mem::take(&mut in_flight);
                    in_flight = if ledger.reserve(1, 1, bound).is_ok() { tokens } else { 0 };
                }
                Step::Settle(tokens) | Step::SettleTwice(tokens) => {
                    let usage =
                        CallOutcome::Reported(Usage { input_tokens: tokens, ..Usage::default() });
                    ledger.settle(&usage, None).unwrap();
                    if matches!(step, Step::SettleTwice(_)) {
                        ledger.settle(&usage, None).unwrap();
                    }
                    worst += if in_flight > 0 { tokens } else { 0 };
                    in_flight = 0;
                }
                Step::SettleUnknown => {
                    ledger.settle(&CallOutcome::Unknown("cut".into()), None).unwrap();
                    worst += std::mem::take(&mut in_flight);
                }
                Step::SettleNotBilled => {
                    ledger.settle(&CallOutcome::NotBilled("429".into()), None).unwrap();
                    in_flight = 0;
                }
                Step::Crash | Step::CrashTorn => {
                    drop(ledger);
                    let mut text: String =
                        kept.lines.lock().unwrap().iter().map(|line| format!("{line}\n")).collect();
                    if matches!(step, Step::CrashTorn) {
                        text.push_str("{\"event\":\"reserved\",\"call\":");
                    }
                    let lines = ledger::lines(&text).unwrap();
                    worst += std::mem::take(&mut in_flight);
                    ledger = Ledger::new(LIMIT, price.clone(), &lines, &mut journal);
                }
            }
            assert_eq!(ledger.spent().0, worst + in_flight, "{steps:?}");
        }
        drop(ledger);
        let lines = kept.read();
        if !steps.iter().any(|step| matches!(step, Step::Settle(40))) {
            assert_eq!(audit(&lines, LIMIT), worst + in_flight, "{steps:?}");
        }
    }
}

#[test]
fn a_ledger_with_an_unreadable_line_in_its_middle_is_refused() {
    let text = "{\"event\":\"settled\"}\n{\"event\":\"opened\"}\n";
    assert!(
        ledger::lines(text).unwrap_err().to_string().starts_with("line 1: "),
        "{:?}",
        ledger::lines(text)
    );
}

#[test]
fn a_limit_too_small_for_any_view_ends_before_the_first_call() {
    let folder = service();
    let plan =
        FlightPlan { goal: Some("where is a session refreshed?".into()), ..FlightPlan::default() };
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let mut journal = Vec::new();
    let price = Price::flat(PicoUsd(1_000_000), PicoUsd(5_000_000));
    let model = Hostile {
        dice: Dice(1),
        price: price.clone(),
        output_tokens: Arc::default(),
        billed: Arc::default(),
    };
    let ledger = Ledger::new(PicoUsd(100_000_000), price, &[], &mut journal);
    let terms = ModelLimits {
        window: 200_000,
        output_tokens: 2_048,
        least_output_tokens: 1_024,
        retries: Retries::default(),
    };
    let mut pilot = ModelPilot::new(Box::new(model), ledger, terms, Box::new(|_| ()));
    let rules = offline_rules(&mut repo, &Limits::default()).unwrap();
    let state = State::new("boundary".into(), Vec::new(), rules);
    let found = explore(&mut repo, state, &mut pilot, &Limits::default(), &mut ()).unwrap();
    assert!(matches!(found.stop, Stop::SpendLimit { .. }), "{:?}", found.stop);
    assert_eq!((found.purse.calls, found.state.turns), (0, 0));
    assert!(
        found.map.text.contains("pub fn refresh(&mut self, now: u64) -> Result<(), Expired> {"),
        "the offline pilot's context"
    );
    drop(pilot);
    assert_eq!(journal, Vec::<String>::new());
    assert_eq!(Projection::default().at_most_pico_usd, PicoUsd(0));
}
