//! Definitions: what their sections have, and how they are named.

use std::fs;

use insta::assert_snapshot;
use test_support::sealed;

use crate::markup::text;

#[test]
fn headings_in_a_definition_stand_below_it() {
    let html = "<h1>Sorting</h1><h2>Functions</h2><dl><dt><a name=sort></a>sort(list)</dt>
        <dd><p>Sorts.</p><h3>Usage:</h3><pre>sort(a)</pre><h4>Notes</h4><p>It is stable.</p>
        <dl><dt id=order>order</dt><dd>How.</dd></dl></dd>
        <dt id=swap>swap(a, b)</dt><dd>Swaps.</dd></dl><h3>See also</h3><p>Lists.</p>
        <h6>Deep</h6><dl><dt id=f>f()</dt><dd><h2>Usage</h2><p>Calls.</p></dd></dl>";
    assert_snapshot!(text(html), @"
    # Sorting

    ## Functions

    ### sort

    `sort(list)`
    Sorts.

    #### Usage:

    ```
    sort(a)
    ```

    ##### Notes

    It is stable.

    ###### order

    How.

    ### swap

    `swap(a, b)`
    Swaps.

    ### See also

    Lists.

    ###### Deep

    ###### f

    `f()`

    **Usage**

    Calls.
    ");
}

#[test]
fn names_in_a_large_list_are_sections() {
    let list = |n: usize, words: usize| {
        let text = "It is read by the shell. ".repeat(words);
        let term = |at| format!("<dt><span><code>VAR_{at}</code></span></dt><dd>{text}</dd>");
        format!("<h2>Variables</h2><dl>{}</dl>", (0..n).map(term).collect::<String>())
    };
    let headings = |html: &str| text(html).lines().filter(|one| one.starts_with("###")).count();
    assert_eq!(headings(&list(8, 40)), 8);
    assert_eq!(headings(&list(8, 40).replace("<code>", "").replace("</code>", "")), 8);
    // A short list, one of few terms, and one of sentences are read as a whole.
    assert_eq!(headings(&list(8, 2)), 0);
    assert_eq!(headings(&list(3, 400)), 0);
    let sentence = format!("</span> {}</dt>", "is read by the shell ".repeat(5));
    assert_eq!(headings(&list(8, 40).replace("</span></dt>", &sentence)), 0);
}

#[test]
fn terms_beside_and_above_sections_are_sections() {
    let html = "<h1>Builtins</h1><dl><dt id=autoload><tt>autoload</tt> [ <var>name</var> ]</dt>
        <dd>Loads.</dd><dt><tt>dirs</tt> [ <tt>-c</tt> ]</dt><dd>Lists.<dl><dt><tt>-c</tt></dt>
        <dd>Clears.</dd></dl></dd></dl>
        <h1>Commands</h1><dl><dt>commit to the server</dt><dd><p>Sends.</p>
        <dl><dt>--no-rebase</dt><dd>Leaves it.</dd></dl></dd>
        <dt>log (short)</dt><dd>Shows.</dd></dl>
        <h1>Notes</h1><dl><dt>one</dt><dd>First.</dd></dl>";
    assert_snapshot!(text(html), @"
    # Builtins

    ## autoload

    `autoload [ name ]`
    Loads.

    ## dirs

    `dirs [ -c ]`
    Lists.

    ### -c

    Clears.

    # Commands

    ## commit to the server

    Sends.

    ### --no-rebase

    Leaves it.

    ## log (short)

    Shows.

    # Notes

    one:
    First.
    ");
}

#[test]
fn parameters_in_a_large_list_are_sections() {
    let text_of = "It is handed to the driver. ".repeat(30);
    let page = |n: usize, is_list: bool| {
        let items = (0..n).map(|at| match is_list {
            true => format!(
                "<li><p><span id=open.{at}></span><strong>arg_{at}=None</strong><a class=headerlink
                href='#x'>¶</a> – {text_of}</p></li>"
            ),
            false => format!(
                "<dt><strong>arg_{at}</strong><span class=classifier>list of (int)</span></dt>
                <dd>{text_of}</dd>"
            ),
        });
        let items: String = items.collect();
        let list = if is_list { format!("<ul>{items}</ul>") } else { format!("<dl>{items}</dl>") };
        format!(
            "<h1>Files</h1><dl><dt id=open>open(**kw)</dt><dd><p>Opens.</p>
            <dl class=field-list><dt>Parameters</dt><dd>{list}</dd><dt>Returns</dt>
            <dd>A file.</dd></dl></dd><dt id=close>close()</dt><dd>Ends.</dd></dl>"
        )
    };
    let shape = |page: &str| {
        let page = text(page);
        let lines = page.lines().filter(|line| !line.is_empty());
        let short: Vec<String> = lines.map(|line| line.chars().take(30).collect()).collect();
        short[..9].iter().chain(&short[short.len() - 5..]).cloned().collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(shape(&page(8, true)), @"
    # Files
    ## open
    `open(**kw)`
    Opens.
    Parameters:
    #### arg_0
    arg_0=None – It is handed to t
    #### arg_1
    arg_1=None – It is handed to t
    Returns:
    A file.
    ## close
    `close()`
    Ends.
    ");
    assert_snapshot!(shape(&page(8, false)), @"
    # Files
    ## open
    `open(**kw)`
    Opens.
    Parameters:
    #### arg_0
    `arg_0 : list of (int)`
    It is handed to the driver. It
    #### arg_1
    Returns:
    A file.
    ## close
    `close()`
    Ends.
    ");
    // A short list is read as a whole, and so is one whose items are sentences.
    assert!(!text(&page(7, true)).contains("# arg_"));
    assert!(!text(&page(8, true).replace(" – ", " is ")).contains("# arg_"));
}

#[test]
fn a_hidden_group_of_terms_is_hidden() {
    let html = "<dl><div><dt>key</dt><dd>A name.</dd></div>
        <div hidden><dt>old key</dt><dd>SECRET</dd></div></dl>";
    assert_snapshot!(text(html), @"
    key:
    A name.
    ");
}

#[test]
fn a_list_of_terms_alone_takes_one_pass() {
    let terms: String = (0..20_000).map(|n| format!("<dt>term {n}\n")).collect();
    let read = text(&format!("<dl>{terms}<dt>last<dd>its meaning</dl>"));
    assert!(read.contains("term 19999") && read.ends_with("its meaning"), "{}", &read[..200]);
}

#[test]
fn lines_of_a_term_are_signatures_each() {
    let html = "<h1>Solving</h1><dl><dt><a name=solve></a>Function: <b>solve</b> (expr, x)<br>
        <b>solve</b> (expr)<br></dt><dd>Solves.</dd></dl>";
    assert_snapshot!(text(html), @"
    # Solving

    ## solve

    `Function: solve (expr, x)`
    `solve (expr)`
    Solves.
    ");
}

#[test]
fn the_name_of_an_operator_is_whole_and_can_be_quoted() {
    let place = tempfile::tempdir().unwrap();
    let row = |signature: &str, says: &str| {
        format!(
            "<tr><td class=func_table_entry><p class=func_signature>{signature}</p>
            <p>{says}</p></td></tr>"
        )
    };
    let rows = [
        row("inet &lt;&lt; inet → boolean", "Is it below?"),
        row("inet &lt;&lt;= inet → boolean", "Is it below or equal?"),
        row("json #&gt; text[] → json", "Extracts by a path."),
        row("json #&gt; integer → json", "Extracts by a place."),
        row("jsonb - text[] → jsonb", "Deletes keys."),
    ];
    let html = format!(
        "<html><head><meta name=generator content='DocBook XSL Stylesheets'></head><body>
        <div class=sect1><h2 class=title>Operators</h2><table>{}</table></div></body></html>",
        rows.concat()
    );
    fs::write(place.path().join("index.html"), html).unwrap();
    let program = sealed(env!("CARGO_BIN_EXE_site-map"));
    let page = program.run(place.path(), &["page", "index.html", "--format", "markdown"]);
    let names: Vec<&str> =
        page.stdout.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    let expected = [
        "inet << inet → boolean",
        "inet <<= inet → boolean",
        "json #> text[] → json",
        "json #> integer → json",
        "jsonb - text[] → jsonb",
    ];
    assert_eq!(names, expected, "{}", page.stdout);
    for name in expected {
        let rule = format!("index.html#{name}=full");
        let arguments = [".", "--level", "**=path", "--level", &rule, "--plan-out", "plan.yaml"];
        let map = program.run(place.path(), &arguments);
        assert!(map.stdout.contains(&format!("### {name}\n")), "{rule}\n{}", map.stdout);
        assert_eq!(map.stdout.matches("### ").count(), 1, "{rule}\n{}", map.stdout);
        let again = program.run(place.path(), &[".", "--plan", "plan.yaml"]);
        assert_eq!(again.stdout, map.stdout, "{rule}");
    }
}
