//! The text between the items at the top of a file is an item of its own.

use insta::assert_snapshot;
use test_support::repo;

use crate::outlines_of_scripts::{items, tried};
use crate::{fly, map, run};

const APP: &str = r#"=== app.py
"""The application."""
import os
from flask import (
    Flask,
)

app = Flask(__name__)
app.register(os.environ["HOME"])
signals.connect(
    app,
)

def index():
    return "hello"

try:
    import fast
except ImportError:
    pass

if __name__ == "__main__":
    app.run()
"#;

fn text_of_app() -> &'static str {
    APP.split_once("\n").unwrap().1
}

#[test]
fn text_between_items_is_an_item_and_imports_are_none() {
    assert_snapshot!(tried("app.py", text_of_app()), @r#"
    === outline
    var app
    fn index
    === interface
    """The application."""
    app = Flask(__name__)
    def index(): …
    === items
    imports (imports) (unmarked, lines 2-5)
    variable app (unmarked, lines 7-7)
    region (module) (unmarked, lines 8-11)
    function index (unmarked, lines 13-14)
    region (module)@2 (unmarked, lines 21-22)
    "#);
}

#[test]
fn a_region_is_addressed_by_its_number_and_shown_whole() {
    let repo = repo(APP);
    let rules = |level: &str| {
        format!(
            "context: {{tokens: 2000}}\nrules:\n- {{path: app.py, level: path, items: [{{name: \
             '(module)@2', level: {level}}}]}}\n"
        )
    };
    assert_snapshot!(map(&repo, &rules("full")).text.as_str(), @r#"
    # Repository map
    ## app.py
    ```python
    if __name__ == "__main__":
        app.run()
    … 2 more
    ```
    "#);
    assert_snapshot!(map(&repo, &rules("outline")).text.as_str(), @r#"
    # Repository map
    ## app.py
    ```python
    (module) if __name__ == "__main__":
    … 2 more
    ```
    "#);
}

#[test]
fn statements_of_scripts_are_regions_and_named_functions_in_them_items() {
    let text = r#"'use strict';
const http = require('http');
const app = express();

app.use(logger());
defineGetter(req, 'ip', function ip() {
  return this.socket.address;
});

function start() { app.listen(80); }

start();
"#;
    assert_snapshot!(items("a.js", text), @"
    imports (imports) (unmarked, lines 2-2)
    constant app (unmarked, lines 3-3)
    region (module) (unmarked, lines 5-5)
    function ip (unmarked, lines 6-8)
    function start (unmarked, lines 10-10)
    region (module)@2 (unmarked, lines 12-12)
    ");
}

/// A file whose function is four times as long as its imports, and one whose function is not.
const CALLS: &str = r#"=== long.py
import json

from app import fetch

def load(address):
    """Return the value behind an address."""
    answer = fetch(address)
    answer.raise_for_status()
    value = json.loads(answer.text)
    return value["result"]

def other():
    return None
=== short.py
import json

from app import fetch

def load(address):
    return json.loads(fetch(address))

def other():
    return None
"#;

#[test]
fn an_item_in_full_brings_the_imports_that_are_cheap_beside_it() {
    let repo = repo(CALLS);
    let rules = "context: {tokens: 2000}\nrules:\n- {path: '*.py', level: path, items: [{name: \
                 load, level: full}]}\n";
    let map = map(&repo, rules);
    assert_snapshot!(map.text.as_str(), @r#"
    # Repository map
    ## long.py
    ```python
    import json

    from app import fetch
    def load(address):
        """Return the value behind an address."""
        answer = fetch(address)
        answer.raise_for_status()
        value = json.loads(answer.text)
        return value["result"]
    … 1 more
    ```
    ## short.py
    ```python
    def load(address):
        return json.loads(fetch(address))
    … 1 more
    ```
    "#);
}

#[test]
fn a_rule_keeps_the_imports_out_and_a_flown_plan_rebuilds_them() {
    let repo = repo(CALLS);
    let rules = |imports: &str| {
        format!(
            "context: {{tokens: 2000}}\nrules:\n- {{path: long.py, level: path, items: [{{name: \
             load, level: full}}{imports}]}}\n"
        )
    };
    let without = map(&repo, &rules(", {name: (imports), level: exclude}"));
    assert!(!without.text.as_str().contains("import"), "{}", without.text.as_str());
    let with = map(&repo, &rules(""));
    assert!(with.text.as_str().contains("from app import fetch"), "{}", with.text.as_str());
    assert_eq!(fly(&repo, &with.flown).text.as_str(), with.text.as_str());
}

#[test]
fn comments_of_several_lines_are_no_text() {
    let ruby = "require \"a\"\n\n=begin\nNot code at all.\n=end\n\nrun(1)\n\ndef a\nend\n";
    assert_snapshot!(items("a.rb", ruby), @"
    imports (imports) (unmarked, lines 1-1)
    region (module) (unmarked, lines 7-7)
    function a (unmarked, lines 9-10)
    ");
    let lua = "--[[ A note\nof two lines. ]]\n--[==[\nNot code [[ at all ]]\n]==]\n\nrun(1)\n\n\
               function a()\nend\n";
    assert_snapshot!(items("a.lua", lua), @"
    region (module) (unmarked, lines 7-7)
    function a (unmarked, lines 9-10)
    ");
    let python = "def a():\n    pass\n\n\"\"\"\nNot code at all.\n\"\"\"\n\nrun(1)\n";
    assert_snapshot!(items("a.py", python), @"
    function a (unmarked, lines 1-2)
    region (module) (unmarked, lines 8-8)
    ");
}

#[test]
fn statements_in_classes_of_ruby_can_be_shown_without_the_class() {
    let filler: String =
        (0..40).map(|at| format!("    def part{at}(x)\n      x + {at}\n    end\n\n")).collect();
    let repo = repo(&format!(
        "=== base.rb\nmodule Web\n  class Base\n{filler}    set :port, 4567\n    \
         set :session_secret, SecureRandom.hex(64)\n\n    private\n\n    def last; end\n  end\nend\n"
    ));
    let goal = ["--goal", "set :session_secret SecureRandom.hex(64)", "--tokens", "300"];
    let map = run(&repo, &goal).stdout;
    assert!(map.contains("    set :session_secret, SecureRandom.hex(64)"), "{map}");
    assert!(!map.contains("x + 3"), "{map}");
    let named = run(
        &repo,
        &["--level", "base.rb=path", "--level", "base.rb#Web.Base.(module)=full", "--fill", "none"],
    );
    assert!(named.stdout.contains("set :port, 4567\n"), "{}", named.stdout);
    assert!(!named.stdout.contains("private"), "{}", named.stdout);
}
