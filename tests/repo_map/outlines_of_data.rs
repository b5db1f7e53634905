//! Items of markup, configuration and queries: headings, keys, rules, tables, stages.
//!
//! Long: a source and its items for each language.

use insta::assert_snapshot;

use crate::outlines_of_scripts::{items, tried};

#[test]
fn markdown_headings_are_told_from_what_only_looks_like_one() {
    let text = r#"---
title: front matter
# no heading
---
# One
#No heading without a blank
    # Nor in a block of code
```sh
# Nor in a fence
```
<!-- # Nor in a comment -->
## Two ##
### Three with `code` and [a link](https://a.example)
Text
---
Under
=====
####### Nor with seven
###### Six
* * *
| a | b |
|---|---|
| # | 1 |
"#;
    assert_snapshot!(tried("a.md", text), @"
    === outline
    One
        Two
            Three with `code` and a link
        Text
    Under
        Six
    === interface
    # One
    #No heading without a blank
        # Nor in a block of code
    ```sh
    # Nor in a fence
    ``` …
    ## Two ##
    ### Three with `code` and [a link](https://a.example)
    Text
    ---
    Under
    =====
    ####### Nor with seven
    ###### Six …
    === items
    heading One (unmarked, lines 5-15, documented)
    heading One.Two (unmarked, lines 12-13)
    heading One.Two.Three with `code` and [a link](https://a.example) (unmarked, lines 13-13)
    heading One.Text (unmarked, lines 14-15)
    heading Under (unmarked, lines 16-23, documented)
    heading Under.Six (unmarked, lines 19-23)
    ");
}

#[test]
fn headings_of_markdown_in_html_are_items() {
    let text = "<h1 align=\"center\">\n  <a href=\"https://a\">Shop</a> and till\n</h1>\n\n\
                Sells things to people.\n\n## Usage\n\n<h2>Licence</h2>\n\nMIT.\n";
    assert_snapshot!(tried("a.md", text), @r#"
    === outline
    Shop and till
        Usage
        Licence
    === interface
    <h1 align="center">
      <a href="https://a">Shop</a> and till
    </h1>
    Sells things to people.
    ## Usage
    <h2>Licence</h2>
    MIT.
    === items
    heading Shop and till (unmarked, lines 1-11, documented)
    heading Shop and till.Usage (unmarked, lines 7-7)
    heading Shop and till.Licence (unmarked, lines 9-11, documented)
    "#);
}

#[test]
fn a_heading_of_markdown_within_one_in_html_is_the_heading() {
    let text = "<h1>\n\nShop\n====\n\n</h1>\n\nSells.\n";
    assert_snapshot!(items("a.md", text), @"heading Shop (unmarked, lines 3-8, documented)");
}

#[test]
fn markdown_levels_may_be_skipped() {
    let text = "### Third\n# First\n#### Fourth\n## Second\n###### Sixth\n### Third\n";
    assert_snapshot!(items("a.md", text), @"
    heading Third (unmarked, lines 1-1)
    heading First (unmarked, lines 2-6)
    heading First.Fourth (unmarked, lines 3-3)
    heading First.Second (unmarked, lines 4-6)
    heading First.Second.Sixth (unmarked, lines 5-5)
    heading First.Second.Third (unmarked, lines 6-6)
    ");
}

#[test]
fn yaml_keys_nest_down_to_lists_and_text() {
    let text = r#"
%YAML 1.2
---
"on": { push: { branches: [main] }, pull_request: }
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Test
        run: |
          key: not one
          cargo test
  deploy: &deploy
    needs: [build]
    env: { <<: *base, "A B": 1 }
...
---
other document: true
- broken
"#;
    assert_snapshot!(tried("ci.yml", text), @r#"
    === outline
    on
        push
            branches
        pull_request
    jobs
      build
        runs-on
        steps
      deploy
        needs
        env
    other document
    === interface
    "on": { push: { branches: [main] }, pull_request: }
    jobs:
      build:
        runs-on: ubuntu-latest
        steps: …
      deploy: &deploy
        needs: [build]
        env: { <<: *base, "A B": 1 }
    other document: true
    === items
    key on (unmarked, lines 4-4)
    key on.push (unmarked, lines 4-4)
    key on.push.branches (unmarked, lines 4-4)
    key on.pull_request (unmarked, lines 4-4)
    key jobs (unmarked, lines 5-16)
    key jobs.build (unmarked, lines 6-13)
    key jobs.build.runs-on (unmarked, lines 7-7)
    key jobs.build.steps (unmarked, lines 8-13)
    key jobs.deploy (unmarked, lines 14-16)
    key jobs.deploy.needs (unmarked, lines 15-15)
    key jobs.deploy.env (unmarked, lines 16-16)
    key other document (unmarked, lines 19-19)
    "#);
}

#[test]
fn toml_tables_have_the_keys_below_them() {
    let text = r#"
top = 1
a.b.c = "dotted"
[package]
name = "shop" # with a comment
"quoted.key" = true
[package.metadata.docs]
all-features = true
[[bin]]
name = "one"
[[bin]]
name = "two"
[bin.inner]
x = { y = { z = 1 } }
[dependencies]
serde = { version = "1", features = [
    "derive",
] }
text = '''
[not.a.table]
'''
"#;
    assert_snapshot!(tried("a.toml", text), @r#"
    === outline
    top
    a.b.c
    [package]
    name
    quoted.key
    [package.metadata.docs]
    all-features
    [[bin]]
    name
    [[bin]]
    name
    [bin.inner]
    x
    [dependencies]
    serde
    text
    === interface
    top = 1
    a.b.c = "dotted"
    [package]
    name = "shop" # with a comment
    "quoted.key" = true
    [package.metadata.docs]
    all-features = true
    [[bin]]
    name = "one"
    [[bin]]
    name = "two"
    [bin.inner]
    x = { y = { z = 1 } }
    [dependencies]
    serde = { … }
    text = …
    === items
    key top (unmarked, lines 2-2)
    key a.b.c (unmarked, lines 3-3)
    key package (unmarked, lines 4-6)
    key package.name (unmarked, lines 5-5)
    key package.quoted.key (unmarked, lines 6-6)
    key package.metadata.docs (unmarked, lines 7-8)
    key package.metadata.docs.all-features (unmarked, lines 8-8)
    key bin (unmarked, lines 9-10)
    key bin.name (unmarked, lines 10-10)
    key bin@2 (unmarked, lines 11-12)
    key bin.name@2 (unmarked, lines 12-12)
    key bin.inner (unmarked, lines 13-14)
    key bin.inner.x (unmarked, lines 14-14)
    key dependencies (unmarked, lines 15-21)
    key dependencies.serde (unmarked, lines 16-18)
    key dependencies.text (unmarked, lines 19-21)
    "#);
}

#[test]
fn json_keys_nest_and_members_of_lists_are_no_items() {
    let text = r#"{
  "name": "shop",
  "scripts": { "test": "jest", "build": { "x": { "y": { "z": 1 } } } },
  "files": ["a", { "b": 1 }],
  "": 0,
  "with \"quotes\"": null
}
"#;
    assert_snapshot!(tried("package.json", text), @r#"
    === outline
      name
      scripts
          test
          build
              x
      files
      "with \"quotes\""
    === interface
      "name": "shop"
      "scripts": {
          "test": "jest"
          "build": {
              "x": { … }
          }
      }
      "files": ["a", { "b": 1 }]
      "with \"quotes\"": null
    === items
    key name (unmarked, lines 2-2)
    key scripts (unmarked, lines 3-3)
    key scripts.test (unmarked, lines 3-3)
    key scripts.build (unmarked, lines 3-3)
    key scripts.build.x (unmarked, lines 3-3)
    key files (unmarked, lines 4-4)
    key "with \"quotes\"" (unmarked, lines 6-6)
    "#);
    assert_snapshot!(items("list.json", "[{ \"a\": 1 }, [2], 3]\n"), @"");
}

#[test]
fn html_elements_with_an_id_and_headings_are_items() {
    let text = r##"<!doctype html>
<title>Shop</title>
<body id="top">
  <h1>The <b>shop</b></h1>
  <section id=cart class="wide"><h2>Cart</h2><p id="note">text</p></section>
  <!-- <div id="commented"></div> -->
  <script>document.write('<div id="written"></div>');</script>
  <template id="row"><td id="cell"></td></template>
  <my-element id="custom"></my-element>
  <img id="logo" src="a.png">
  <a href="#cart">no id</a>
"##;
    assert_snapshot!(tried("index.html", text), @r#"
    === outline
    title
    top
      The <b>shop</b>
      cart
          Cart
          note
      script
      row
          cell
      custom
      logo
    === interface
    <title>Shop</title>
    <body id="top">
      <h1>The <b>shop</b></h1>
      <section id=cart class="wide">
          <h2>Cart</h2>
          <p id="note"> …
      <!-- <div id="commented"></div> -->
      <script> …
      <template id="row">
          <td id="cell"> …
      <my-element id="custom"> …
      <img id="logo" src="a.png">
    === items
    element title (unmarked, lines 2-2)
    element top (unmarked, lines 3-11)
    heading top.The <b>shop</b> (unmarked, lines 4-4)
    element top.cart (unmarked, lines 5-5)
    heading top.cart.Cart (unmarked, lines 5-5)
    element top.cart.note (unmarked, lines 5-5)
    element top.script (unmarked, lines 6-7, documented)
    element top.row (unmarked, lines 8-8)
    element top.row.cell (unmarked, lines 8-8)
    element top.custom (unmarked, lines 9-9)
    element top.logo (unmarked, lines 10-10)
    "#);
}

#[test]
fn css_rules_nest_in_what_holds_them() {
    let text = r#"
:root { --gap: 1rem; color: black }
a, b > c:not(.d)::before { margin: 0 }
.card {
  &:hover { color: red }
  @media (width > 40em) { padding: 1rem; .title { color: blue } }
}
@media print { .card { display: none } }
@keyframes spin { to { rotate: 1turn } }
@layer base { html { margin: 0 } }
@container card (width > 1px) { p { margin: 0 } }
/* .commented { } */
"#;
    assert_snapshot!(tried("a.css", text), @"
    === outline
    :root
        property --gap
    a, b > c:not(.d)::before
    .card
      &:hover
      @media (width > 40em)
          .title
    @media print
        .card
    @keyframes spin
    @layer base
        html
    @container card (width > 1px)
        p
    === interface
    :root {
        --gap: 1rem;
    }
    a, b > c:not(.d)::before { … }
    .card {
      &:hover { … }
      @media (width > 40em) {
          .title { … }
      }
    }
    @media print {
        .card { … }
    }
    @keyframes spin { … }
    @layer base {
        html { … }
    }
    @container card (width > 1px) {
        p { … }
    }
    === items
    rule :root (unmarked, lines 2-2)
    property :root.--gap (unmarked, lines 2-2)
    rule a, b > c:not(.d)::before (unmarked, lines 3-3)
    rule .card (unmarked, lines 4-7)
    rule .card.&:hover (unmarked, lines 5-5)
    rule .card.@media (width > 40em) (unmarked, lines 6-6)
    rule .card.@media (width > 40em)..title (unmarked, lines 6-6)
    rule @media print (unmarked, lines 8-8)
    rule @media print..card (unmarked, lines 8-8)
    rule @keyframes spin (unmarked, lines 9-9)
    rule @layer base (unmarked, lines 10-10)
    rule @layer base.html (unmarked, lines 10-10)
    rule @container card (width > 1px) (unmarked, lines 11-11)
    rule @container card (width > 1px).p (unmarked, lines 11-11)
    ");
}

#[test]
fn sql_statements_in_the_text_of_a_function_are_no_items() {
    let text = r#"
CREATE TABLE shop.carts (id serial PRIMARY KEY, owner text, CONSTRAINT one UNIQUE (owner));
CREATE OR REPLACE FUNCTION refill(n int) RETURNS void AS $$
BEGIN
  CREATE TABLE not_one (id int);
END;
$$ LANGUAGE plpgsql;
CREATE VIEW totals AS WITH t AS (SELECT 1) SELECT * FROM t;
create temp table "Mixed Case" (a int);
ALTER TABLE shop.carts ADD COLUMN note text;
-- CREATE TABLE commented (id int);
CREATE INDEX CONCURRENTLY IF NOT EXISTS by_owner ON shop.carts USING btree (lower(owner));
INSERT INTO shop.carts VALUES (1, 'CREATE TABLE quoted (id int);');
DROP TABLE old;
"#;
    assert_snapshot!(tried("a.sql", text), @r#"
    === outline
    table shop.carts
    fn refill
    view totals
    table Mixed Case
    object by_owner
    === interface
    CREATE TABLE shop.carts (id serial PRIMARY KEY, owner text, CONSTRAINT one UNIQUE (owner))
    CREATE OR REPLACE FUNCTION refill(n int) RETURNS void …
    CREATE VIEW totals AS …
    create temp table "Mixed Case" (a int)
    -- CREATE TABLE commented (id int);
    CREATE INDEX CONCURRENTLY IF NOT EXISTS by_owner ON shop.carts USING btree (lower(owner))
    === items
    table shop.carts (unmarked, lines 2-2)
    function refill (unmarked, lines 3-7)
    view totals (unmarked, lines 8-8)
    table Mixed Case (unmarked, lines 9-9)
    object by_owner (unmarked, lines 11-12, documented)
    "#);
}

#[test]
fn protobuf_messages_nest_and_services_have_calls() {
    let text = r#"
syntax = "proto2";
package shop.v1;
message Cart {
  required int64 id = 1;
  repeated group Line = 2 { optional string name = 3; }
  oneof payer { User user = 4; string guest = 5; }
  map<string, Price> prices = 6;
  message Price { enum Currency { EUR = 0; USD = 1; } optional Currency currency = 1; }
  extensions 100 to max;
}
extend Cart { optional string note = 100; }
service Carts {
  rpc Get(GetRequest) returns (Cart);
  rpc Watch(stream GetRequest) returns (stream Cart) { option deprecated = true; }
}
// message Commented {}
"#;
    assert_snapshot!(tried("a.proto", text), @"
    === outline
    message Cart
      message Price
          enum Currency
    impl Cart
    service Carts
      rpc Get
      rpc Watch
    === interface
    message Cart {
      required int64 id = 1;
      repeated group Line = 2 { optional string name = 3; }
      oneof payer { User user = 4; string guest = 5; }
      map<string, Price> prices = 6;
      message Price { enum Currency { EUR = 0; USD = 1; } optional Currency currency = 1; }
      extensions 100 to max;
    }
    extend Cart { optional string note = 100; }
    service Carts {
      rpc Get(GetRequest) returns (Cart);
      rpc Watch(stream GetRequest) returns (stream Cart) { option deprecated = true; }
    }
    === items
    message Cart (unmarked, lines 4-11)
    message Cart.Price (unmarked, lines 9-9)
    enum Cart.Price.Currency (unmarked, lines 9-9)
    impl Cart@2 (unmarked, lines 12-12)
    service Carts (unmarked, lines 13-16)
    rpc Carts.Get (unmarked, lines 14-14)
    rpc Carts.Watch (unmarked, lines 15-15)
    ");
}

#[test]
fn makefile_targets_and_variables_are_items_and_recipes_are_not() {
    let text = "
.PHONY: all test
VERSION ?= 1.0
FILES != ls
define RECIPE
not: one
endef
all: build test ## All of it
build/%.o: %.c | build
\tgcc -c $< -o $@
test:: all
\t@echo not: this
EXTRA = 1
ifdef DEBUG
debug: CFLAGS += -g
debug: all
endif
one two: three
$(BIN): all ; cp $< $@
export PATH
";
    assert_snapshot!(tried("Makefile", text), @"
    === outline
    var VERSION
    var FILES
    var RECIPE
    all
    build/%.o
    test
    var EXTRA
    var debug: CFLAGS
    debug
    one two
    $(BIN)
    === interface
    VERSION ?= 1.0
    FILES != ls
    define RECIPE …
    all: build test ## All of it
    build/%.o: %.c | build …
    test:: all …
    EXTRA = 1
    debug: CFLAGS += -g
    debug: all
    one two: three
    $(BIN): all …
    === items
    variable VERSION (unmarked, lines 3-3)
    variable FILES (unmarked, lines 4-4)
    variable RECIPE (unmarked, lines 5-7)
    target all (unmarked, lines 8-8)
    target build/%.o (unmarked, lines 9-10)
    target test (unmarked, lines 11-12)
    variable EXTRA (unmarked, lines 13-13)
    variable debug: CFLAGS (unmarked, lines 15-15)
    target debug (unmarked, lines 16-16)
    target one two (unmarked, lines 18-18)
    target $(BIN) (unmarked, lines 19-19)
    ");
}

#[test]
fn dockerfile_stages_hold_what_is_done_in_them() {
    let text = r#"# syntax=docker/dockerfile:1
ARG BASE=alpine
FROM --platform=$BUILDPLATFORM rust:1 AS build
WORKDIR /src
RUN <<END
FROM not-a-stage
END
RUN cargo build \
    --release
FROM ${BASE}:3
ENV A=1 B="two words"
COPY --from=build /src/target/release/shop /usr/bin/
ENTRYPOINT ["shop"]
FROM scratch
"#;
    assert_snapshot!(tried("Dockerfile", text), @r#"
    === outline
    ARG BASE
    FROM --platform=$BUILDPLATFORM rust:1 AS build
    WORKDIR /src
    RUN <<END
    RUN cargo build \
    FROM ${BASE}:3
    ENV A
    COPY --from=build /src/target/release/shop /usr/bin/
    ENTRYPOINT ["shop"]
    FROM scratch
    === interface
    # syntax=docker/dockerfile:1
    ARG BASE=alpine
    FROM --platform=$BUILDPLATFORM rust:1 AS build
    WORKDIR /src
    RUN <<END …
    RUN cargo build \ …
    FROM ${BASE}:3
    ENV A=1 B="two words"
    COPY --from=build /src/target/release/shop /usr/bin/
    ENTRYPOINT ["shop"]
    FROM scratch
    === items
    instruction ARG BASE (unmarked, lines 1-2, documented)
    instruction FROM --platform=$BUILDPLATFORM rust:1 AS build (unmarked, lines 3-3)
    instruction WORKDIR /src (unmarked, lines 4-4)
    instruction RUN <<END (unmarked, lines 5-7)
    instruction RUN cargo build \ (unmarked, lines 8-9)
    instruction FROM ${BASE}:3 (unmarked, lines 10-10)
    instruction ENV A (unmarked, lines 11-11)
    instruction COPY --from=build /src/target/release/shop /usr/bin/ (unmarked, lines 12-12)
    instruction ENTRYPOINT ["shop"] (unmarked, lines 13-13)
    instruction FROM scratch (unmarked, lines 14-14)
    "#);
}

#[test]
fn an_empty_file_of_any_language_has_no_items() {
    let paths = "a.rs a.py a.js a.ts a.tsx a.go a.java a.c a.cpp a.cs a.rb a.php a.kt a.swift \
        a.scala a.hs a.ml a.mli a.lua a.ex a.sh a.zig a.sql a.proto a.css a.html a.yaml a.toml \
        a.json a.md Makefile Dockerfile";
    for path in paths.split(' ') {
        for text in ["", "\n", " \n\t\n", "\u{feff}"] {
            assert_eq!(items(path, text), "", "{path} {text:?}");
        }
    }
}
