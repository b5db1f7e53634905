//! A rule that only names items shows those items.

use repo_map::{FlightPlan, Layers, Level, Options, Repo};

#[test]
fn items_are_shown_alone_where_no_rule_gives_the_file_a_level() {
    let folder = test_support::repo("=== a.py\ndef one():\n    return 1\n\ndef two():\n    return 2\n=== b.py\nx = 1\n");
    let yaml = "version: 1\nscan: {outside: []}\nrules: [{path: a.py, items: [{name: two, level: full}]}]\n";
    let plan = FlightPlan::from_yaml("items", yaml).unwrap();
    let mut repo = Repo::open(folder.path(), &plan, &Options::default()).unwrap();
    let map = repo.map(Layers { person: &plan.rules, pilot: &[] }).unwrap();
    insta::assert_snapshot!(map.text, @"
    # Repository map
    - ./ +1 file
    ## a.py
    ```python
    def two():
        return 2
    …
    ```
    ## Left out
    Folded: 1 file.
    ");
    assert_eq!(map.files[0].level, Level::Path);
}
