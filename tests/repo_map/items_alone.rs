//! A rule that only names items shows those items.

use repo_map::{FlightPlan, Level, Options, RuleLayers};

#[test]
fn items_are_shown_alone_where_no_rule_gives_the_file_a_level() {
    let folder = test_support::repo(
        "=== a.py\ndef one():\n    return 1\n\ndef two():\n    return 2\n=== b.py\nx = 1\n",
    );
    let yaml = "version: 1\nscan: {outside: []}\nrules: [{path: a.py, items: [{name: two, level: \
        full}]}]\n";
    let plan = FlightPlan::from_yaml("items", yaml).unwrap();
    let repo = repo_map::open(folder.path(), &plan, &Options::default()).unwrap();
    let map = repo.map(RuleLayers { person: &plan.rules, pilot: &[] }).unwrap();
    insta::assert_snapshot!(map.text, @"
    # Repository map
    - ./ +1 file
    ## a.py
    ```python
    def two():
        return 2
    … 1 more
    ```
    ## Left out
    Folded: 1 file.
    ");
    assert_eq!(map.files[0].level, Level::Path);
}

#[test]
fn a_file_in_full_stays_so_beside_items_of_it() {
    let folder = test_support::repo(
        "=== a.py\nimport os\n\nclass A:\n    \"\"\"All.\"\"\"\n    def one(self):\n        \
         return 1\n\n    def two(self):\n        return 2\n",
    );
    let text = |items: &str| {
        let yaml = format!(
            "version: 1\nscan: {{outside: []}}\nrules: [{{path: a.py, level: full, items: \
             [{items}]}}]\n"
        );
        let plan = FlightPlan::from_yaml("items", &yaml).unwrap();
        let repo = repo_map::open(folder.path(), &plan, &Options::default()).unwrap();
        let map = repo.map(RuleLayers { person: &plan.rules, pilot: &[] }).unwrap();
        assert_eq!(map.conflict, None);
        map.text
    };
    assert!(text("{name: one, level: full}").contains("## a.py (full)"));
    let but_for_one = text("{name: one, level: outline}");
    assert!(
        but_for_one.contains("return 2")
            && but_for_one.contains("fn one")
            && !but_for_one.contains("return 1"),
        "{but_for_one}"
    );
}

#[test]
fn the_rule_of_an_item_is_named_where_it_has_one() {
    let repo =
        test_support::repo("=== a.py\ndef one():\n    return 1\n\ndef two():\n    return 2\n");
    repo.write(
        "p.yaml",
        b"version: 1\nrules:\n- {path: '**', level: outline}\n- {path: a.py, items: [{name: one, \
          level: interface}, {name: two, level: full}]}\n",
    );
    let rule = |target: &str| {
        let args = ["explain", target, "--plan", "p.yaml", "--format", "json"];
        let ran = crate::run(&repo, &args);
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        json["rule"].as_str().unwrap().to_owned()
    };
    let rules = ["a.py", "a.py#one", "a.py#two"].map(rule);
    assert_eq!(rules, ["rules[0]", "rules[1].items[0]", "rules[1].items[1]"]);
}
