//! A purse beside the limit of a run: the ledger of each call reserves in both.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use navigator::ledger::{self, Bound, CallOutcome, LedgerLine, Refused};
use navigator::{Ledger, PicoUsd, Price, Purse, PurseAccount, PurseRefusal, SharedLimit, Usage};
use test_support::Dice;

/// A journal that outlives a process.
type Lines = Arc<Mutex<Vec<String>>>;

fn read(journal: &Lines) -> Vec<LedgerLine> {
    let lines: String = journal.lock().unwrap().iter().map(|line| format!("{line}\n")).collect();
    ledger::lines(&lines).unwrap()
}

/// A purse in memory, with a limit, that can be away.
#[derive(Debug, Clone, Default)]
struct Shop(Arc<Mutex<ShopState>>);

#[derive(Debug, Default)]
struct ShopState {
    account: Option<PurseAccount>,
    limit: u64,
    is_away: bool,
    /// What each call holds or has spent.
    calls: BTreeMap<u32, (u64, bool)>,
}

impl Shop {
    fn of(limit: u64) -> Shop {
        let account = PurseAccount { purse: "team".into(), run: "r1".into() };
        let state = ShopState { account: Some(account), limit, ..ShopState::default() };
        Shop(Arc::new(Mutex::new(state)))
    }

    fn sum(&self) -> u64 {
        self.0.lock().unwrap().calls.values().map(|(amount, _)| amount).sum()
    }
}

/// A purse of the shop, as one process uses it.
#[derive(Debug)]
struct ShopPurse {
    shop: Shop,
    account: PurseAccount,
}

impl ShopPurse {
    fn of(shop: &Shop) -> Box<ShopPurse> {
        let account = shop.0.lock().unwrap().account.clone().unwrap();
        Box::new(ShopPurse { shop: shop.clone(), account })
    }
}

impl Purse for ShopPurse {
    fn account(&self) -> &PurseAccount {
        &self.account
    }

    fn left(&self) -> PicoUsd {
        let limit = self.shop.0.lock().unwrap().limit;
        PicoUsd(limit.saturating_sub(self.shop.sum()))
    }

    fn reserve(&mut self, call: u32, amount: PicoUsd) -> Result<(), PurseRefusal> {
        if self.shop.0.lock().unwrap().is_away {
            return Err(PurseRefusal::Away("it is closed".into()));
        }
        self.shop.0.lock().unwrap().calls.remove(&call);
        if amount > self.left() {
            return Err(PurseRefusal::Limit { left: self.left() });
        }
        self.shop.0.lock().unwrap().calls.insert(call, (amount.0, false));
        Ok(())
    }

    fn settle(&mut self, call: u32, spent: PicoUsd) {
        self.shop.0.lock().unwrap().calls.insert(call, (spent.0, true));
    }
}

fn bound_of(tokens: u64) -> Bound {
    Bound { input_tokens: tokens, reserved_pico_usd: PicoUsd(tokens), ..Bound::default() }
}

fn used(tokens: u64) -> CallOutcome {
    CallOutcome::Reported(Usage { input_tokens: tokens, ..Usage::default() })
}

#[test]
fn a_call_is_reserved_in_the_purse_too_and_the_lesser_remainder_counts() {
    let (shop, price) = (Shop::of(100), Price::flat(PicoUsd(1), PicoUsd(1)));
    let mut journal = Lines::default();
    let mut ledger =
        Ledger::new(PicoUsd(150), price, &[], &mut journal).with_purse(ShopPurse::of(&shop));
    assert_eq!(ledger.left(), PicoUsd(100), "the purse has less than the limit");
    ledger.reserve(1, 1, bound_of(80)).unwrap();
    assert_eq!((shop.sum(), ledger.left()), (80, PicoUsd(20)));
    ledger.settle(&used(30), None).unwrap();
    assert_eq!((shop.sum(), ledger.left()), (30, PicoUsd(70)));

    let refused = ledger.reserve(2, 1, bound_of(90)).unwrap_err();
    assert!(
        matches!(&refused, Refused::PurseLimit { purse, needed: PicoUsd(90), left: PicoUsd(70) }
            if purse == "team"),
        "{refused:?}"
    );
    shop.0.lock().unwrap().limit = 1_000;
    let refused = ledger.reserve(2, 1, bound_of(130)).unwrap_err();
    assert!(
        matches!(refused, Refused::Limit { needed: PicoUsd(130), left: PicoUsd(120) }),
        "the limit of the run holds beside the purse: {refused:?}"
    );
    shop.0.lock().unwrap().is_away = true;
    let refused = ledger.reserve(2, 1, bound_of(1)).unwrap_err();
    assert!(matches!(&refused, Refused::PurseAway(why) if why == "it is closed"), "{refused:?}");
    assert_eq!(ledger.n_calls(), 1, "nothing that was refused is a call");
}

#[test]
fn a_resumed_run_tells_the_purse_what_its_last_call_came_to() {
    let (shop, price) = (Shop::of(100), Price::flat(PicoUsd(1), PicoUsd(1)));
    let mut journal = Lines::default();
    let kept = Arc::clone(&journal);
    let (mut second, mut third) = (Arc::clone(&kept), Arc::clone(&kept));
    {
        let mut ledger = Ledger::new(PicoUsd(100), price.clone(), &[], &mut journal)
            .with_purse(ShopPurse::of(&shop));
        ledger.reserve(1, 1, bound_of(60)).unwrap();
        // The process dies here.
    }
    let lines = read(&kept);
    let mut ledger = Ledger::new(PicoUsd(100), price.clone(), &lines, &mut second)
        .with_purse(ShopPurse::of(&shop));
    assert_eq!(shop.0.lock().unwrap().calls[&1], (60, true), "a call without an answer is spent");
    ledger.reserve(2, 1, bound_of(40)).unwrap();
    ledger.settle(&used(10), None).unwrap();
    assert_eq!((shop.sum(), ledger.spent()), (70, PicoUsd(70)));

    // A crash after the line and before the purse was told.
    shop.0.lock().unwrap().calls.insert(2, (40, false));
    let lines = read(&kept);
    let ledger =
        Ledger::new(PicoUsd(100), price, &lines, &mut third).with_purse(ShopPurse::of(&shop));
    assert_eq!((shop.sum(), ledger.spent()), (70, PicoUsd(70)));
}

#[test]
fn a_ledger_with_a_purse_is_refused_by_programs_that_know_none() {
    let account = PurseAccount { purse: "team".into(), run: "r1".into() };
    let opened = |purse| LedgerLine::Opened {
        pilot: "offline".into(),
        limit_pico_usd: PicoUsd(1),
        prices_as_of: None,
        price: Price::default(),
        hold: "hard".into(),
        purse,
    };
    let mut journal: Vec<String> = Vec::new();
    {
        let mut ledger = Ledger::new(PicoUsd(1), Price::default(), &[], &mut journal);
        ledger.note(&opened(None)).unwrap();
        ledger.note(&opened(Some(account))).unwrap();
    }
    assert!(journal[0].starts_with(r#"{"version":1,"#) && !journal[0].contains("purse"));
    assert!(journal[1].starts_with(r#"{"version":3,"#) && journal[1].contains(r#""run":"r1""#));
}

#[test]
fn runs_at_the_same_time_never_pass_the_limit_that_they_share() {
    const RUNS: u64 = 8;
    let (limit, price) = (20_000, Price::flat(PicoUsd(1), PicoUsd(1)));
    let shared = SharedLimit::new(PicoUsd(limit));
    // What the provider could bill at this moment: what it has billed, and all that is under way.
    let owed = Mutex::new(0_u64);
    let run = |seed: u64| {
        let mut journal: Vec<String> = Vec::new();
        let mut ledger =
            Ledger::new(PicoUsd(limit), price.clone(), &[], &mut journal).within(shared.clone());
        let mut dice = Dice(seed);
        let mut n_refused = 0;
        while n_refused < 20 {
            let most = 1 + dice.roll(200);
            // Counted before the reservation, or after the settlement, it could pass unjustly.
            if let Err(refused) = ledger.reserve(1, 1, bound_of(most)) {
                assert!(matches!(refused, Refused::Limit { .. }), "{refused:?}");
                n_refused += 1;
                continue;
            }
            let now = {
                let mut owed = owed.lock().unwrap();
                *owed += most;
                *owed
            };
            assert!(now <= limit, "{now} of {limit}");
            std::thread::yield_now();
            let (outcome, cost) = match dice.roll(4) {
                0 => (used(most), most),
                1 => (CallOutcome::NotBilled("refused".into()), 0),
                2 => (CallOutcome::Unknown("cut off".into()), most),
                _ => (used(most / 2), most / 2),
            };
            *owed.lock().unwrap() -= most - cost;
            // A call that is never settled keeps its reservation.
            if cost < most || dice.roll(2) == 0 {
                ledger.settle(&outcome, None).unwrap();
            }
        }
    };
    let run = &run;
    std::thread::scope(|scope| (0..RUNS).for_each(|n| drop(scope.spawn(move || run(n + 1)))));
    let owed = *owed.lock().unwrap();
    assert_eq!(shared.left(), PicoUsd(limit - owed));
    assert!(owed > limit * 3 / 4, "the runs used what there was: {owed}");
}

#[test]
fn what_was_not_sent_is_given_back_to_the_shared_limit() {
    let (shop, price) = (Shop::of(10), Price::flat(PicoUsd(1), PicoUsd(1)));
    let shared = SharedLimit::new(PicoUsd(100));
    let (mut first, mut second) = (Lines::default(), Lines::default());
    let mut poor = Ledger::new(PicoUsd(100), price.clone(), &[], &mut first)
        .within(shared.clone())
        .with_purse(ShopPurse::of(&shop));
    assert!(matches!(poor.reserve(1, 1, bound_of(50)), Err(Refused::PurseLimit { .. })));
    assert_eq!(shared.left(), PicoUsd(100));
    poor.reserve(1, 1, bound_of(5)).unwrap();
    assert_eq!((shared.left(), poor.left()), (PicoUsd(95), PicoUsd(5)));

    // A provider that bills more than its maximum ends all runs.
    poor.settle(&used(7), None).unwrap();
    let mut rich = Ledger::new(PicoUsd(100), price, &[], &mut second).within(shared.clone());
    assert_eq!((shared.left(), rich.left()), (PicoUsd(0), PicoUsd(0)));
    let refused = rich.reserve(1, 1, bound_of(1)).unwrap_err();
    assert!(matches!(refused, Refused::Limit { left: PicoUsd(0), .. }), "{refused:?}");
}
