//! Which code uses an item: by the name that others call it by, and no word of the language.

use repo_map::{FlightPlan, Options, RuleLayers, callees};
use test_support::{Repo, repo};

use crate::run;

/// A repository with these files, and others that have no part in it.
fn with_others(texts: &str) -> Repo {
    let other = |n| format!("=== other{n}.py\ndef part{n}(a):\n    return a + {n}\n");
    repo(&(texts.to_owned() + &(0..6).map(other).collect::<String>()))
}

/// The item that uses another one and matches the goal, by `explain`.
fn user_of(repo: &Repo, item: &str) -> String {
    let explained = run(repo, &["explain", item, "--goal", "refund customer"]).stdout;
    let line = explained.lines().find(|line| line.starts_with("  used ")).unwrap_or_default();
    line.split_whitespace().nth(4).unwrap_or_default().to_owned()
}

/// The address of an item, its definition, and a call of it.
const CALLS: &[(&str, &str, &str)] = &[
    (
        "l.rb#Ledger.self.settle_amount",
        "class Ledger\n  def self.settle_amount(v)\n    v * 2\n  end\nend\n",
        "Ledger.settle_amount(o)",
    ),
    (
        "l.rb#Ledger.settle_amount!",
        "class Ledger\n  def settle_amount!(v)\n    v * 2\n  end\nend\n",
        "o.settle_amount!(1)",
    ),
    (
        "l.rb#Ledger.settle_amount?",
        "class Ledger\n  def settle_amount?\n    true\n  end\nend\n",
        "o.settle_amount?",
    ),
    (
        "l.rb#Ledger.settle_amount=",
        "class Ledger\n  def settle_amount=(v)\n    @v = v\n  end\nend\n",
        "o.settle_amount = 3",
    ),
    (
        "l.rb#Ledger.:settle_amount",
        "class Ledger < Row\n  scope :settle_amount, ->(v) { where(v: v) }\nend\n",
        "Ledger.settle_amount(o)",
    ),
    (
        "l.kt#Int.settleAmount",
        "fun Int.settleAmount(): Int { return this * 2 }\n",
        "o.settleAmount()",
    ),
    (
        "l.kt#List<Int>.settleAmount",
        "fun List<Int>.settleAmount(): Int { return 2 }\n",
        "o.settleAmount()",
    ),
    (
        "l.cpp#Ledger::settleAmount",
        "int Ledger::settleAmount(int v) {\n  return v * 2;\n}\n",
        "o->settleAmount(1)",
    ),
    (
        "l.lua#M.settle_amount",
        "local M = {}\nfunction M.settle_amount(v)\n  return v * 2\nend\nreturn M\n",
        "l.settle_amount(o)",
    ),
    (
        "l.lua#T:settle_amount",
        "local T = {}\nfunction T:settle_amount(v)\n  return v * 2\nend\nreturn T\n",
        "o:settle_amount(1)",
    ),
    (
        "l.js#Ledger.prototype.settleAmount",
        "Ledger.prototype.settleAmount = function (v) {\n  return v * 2;\n};\n",
        "o.settleAmount(1)",
    ),
];

#[test]
fn an_item_is_used_by_the_last_word_of_its_name() {
    for (item, defined, call) in CALLS {
        let path = item.split('#').next().unwrap_or_default();
        let (user, text) = match path {
            "l.rb" => ("c.rb", format!("def refund_customer(o)\n  {call}\nend\n")),
            "l.kt" => ("c.kt", format!("fun refund_customer(o: Int): Int {{ return {call} }}\n")),
            "l.lua" => ("c.lua", format!("function refund_customer(o)\n  return {call}\nend\n")),
            "l.js" => ("c.js", format!("function refund_customer(o) {{\n  return {call};\n}}\n")),
            _ => ("c.cpp", format!("int refund_customer(Ledger* o) {{\n  return {call};\n}}\n")),
        };
        let shop = with_others(&format!("=== {path}\n{defined}=== {user}\n{text}"));
        assert_eq!(user_of(&shop, item), format!("{user}#refund_customer"), "{item}");
    }
}

#[test]
fn tests_in_a_file_lead_to_nothing_that_they_use() {
    let ledger = "=== ledger.rs\npub fn settle_amount(v: u32) -> u32 {\n    v * 2\n}\n";
    let caller = "=== bank.rs\n/// Refund a customer.\npub fn refund_customer(v: u32) -> u32 {\n    \
                  settle_amount(v)\n}\n";
    let in_tests = format!(
        "=== bank.rs\npub fn bank() -> u32 {{\n    1\n}}\n\n#[cfg(test)]\nmod tests {{\n{}}}\n",
        caller.replace("=== bank.rs\n", "")
    );
    for (text, user) in [(caller, "bank.rs#refund_customer"), (&in_tests, "")] {
        let shop = with_others(&format!("{ledger}{text}"));
        assert_eq!(user_of(&shop, "ledger.rs#settle_amount"), user, "{text}");
    }
}

#[test]
fn words_of_a_language_are_no_uses() {
    let php = |call: &str| format!("=== c.php\n<?php\nfunction refundCustomer($o) {{ {call} }}\n");
    let php_method = |name: &str| {
        format!("=== l.php\n<?php\nclass Ledger {{\n  function {name}() {{ return 2; }}\n}}\n")
    };
    let kotlin = "=== l.kt\nclass Ledger {\n  fun get(): Int { return 2 }\n}\n=== c.kt\n";
    let python = "=== l.py\nclass Ledger:\n    def list(self):\n        return 2\n=== c.py\n";
    for (texts, item, caller) in [
        (php_method("class") + &php("return Ledger::class;"), "l.php#Ledger::class", ""),
        (
            php_method("class") + &php("return $o->class();"),
            "l.php#Ledger::class",
            "c.php#refundCustomer",
        ),
        (php_method("new") + &php("return new Refund($o);"), "l.php#Ledger::new", ""),
        (
            php_method("new") + &php("return Ledger::new($o);"),
            "l.php#Ledger::new",
            "c.php#refundCustomer",
        ),
        (format!("{kotlin}val refundCustomer: Int\n  get() = 2\n"), "l.kt#Ledger.get", ""),
        (
            format!("{kotlin}fun refundCustomer(o: Ledger): Int {{ return o.get() }}\n"),
            "l.kt#Ledger.get",
            "c.kt#refundCustomer",
        ),
        (format!("{python}def refund_customer(o: list):\n    return 2\n"), "l.py#Ledger.list", ""),
        (
            format!("{python}def refund_customer(o):\n    return o.list()\n"),
            "l.py#Ledger.list",
            "c.py#refund_customer",
        ),
    ] {
        assert_eq!(user_of(&with_others(&texts), item), caller, "{texts}");
    }
}

#[test]
fn a_name_that_many_files_have_or_several_define_is_no_callee() {
    let refund = "import ledger\nimport bank\n\ndef refund_customer(o):\n    o.get(1)\n    \
        settle_amount(o)\n    close_account(o)\n    return o.run(2)\n";
    let function = |name: &str| format!("def {name}(o):\n    o.paid = True\n    return o\n\n");
    let ledger = ["settle_amount", "close_account", "get", "run"].map(function).concat();
    let bank = function("close_account");
    let other =
        |n| format!("=== o{n}.py\ndef part_{n}(a):\n    a.get({n})\n    return a.run({n})\n");
    let others: String = (0..12).map(other).collect();
    let shop =
        repo(&format!("=== refund.py\n{refund}=== ledger.py\n{ledger}=== bank.py\n{bank}{others}"));
    let plan = FlightPlan { goal: Some("refund customer part".into()), ..FlightPlan::default() };
    let judged = repo_map::open(shop.path(), &plan, &Options::default()).unwrap();
    let map = judged.map(RuleLayers::default()).unwrap();
    let callees = callees::callees(&judged, &[("refund.py", "refund_customer")], &map).unwrap();
    let named = callees.iter().map(|one| format!("{}#{}", one.path, one.item.name));
    assert_eq!(named.collect::<Vec<_>>(), ["ledger.py#settle_amount"]);
}

/// The first file of a ranking without a goal.
fn first(texts: &str) -> String {
    let ranked = run(&repo(texts), &["rank", "--no-history", "--format", "json", "-n", "1"]).stdout;
    let file: serde_json::Value = serde_json::from_str(&ranked).unwrap();
    file["path"].as_str().unwrap().to_owned()
}

#[test]
fn style_sheets_and_data_use_no_code_and_are_not_used_by_it() {
    let code = "\
=== app/tally.rb
class Tally
end
=== app/voucher.rb
class Voucher
end
=== app/till.rb
class Till
  def pay
    Voucher.new
  end
end
";
    assert_eq!(first(code), "app/voucher.rb");
    for (path, text) in [
        ("app/style.css", ".Tally { top: 0 }\n.b .Tally, .Tally > .c { top: 1px }\n"),
        ("app/words.json", "{\"Tally\": \"Tally\", \"All of the Tally\": \"Tally\"}\n"),
    ] {
        assert_eq!(first(&format!("{code}=== {path}\n{text}")), "app/voucher.rb", "{path}");
    }
    let words = repo(&format!("{code}=== app/words.json\n{{\"Voucher\": 1}}\n"));
    let explained = run(&words, &["explain", "app/words.json"]).stdout;
    assert!(!explained.contains("app/till.rb"), "{explained}");
}
