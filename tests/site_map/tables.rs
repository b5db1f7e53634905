//! Tables of values, and those that only place what is in them.

use insta::assert_snapshot;

use crate::markup::text;

#[test]
fn cells_stand_in_their_columns() {
    let html = "<table><caption>Eras</caption>
        <tr><th>Calendar</th><th>Field</th><th>Value</th></tr>
        <tr><td rowspan=2>Gregorian</td><td>ERA</td><td>0</td></tr><tr><td>YEAR</td><td>1</td></tr>
        <tr><td colspan=2>Buddhist</td><td>2</td></tr></table>";
    assert_snapshot!(text(html), @"
    Eras

    | Calendar | Field | Value |
    |---|---|---|
    | Gregorian | ERA | 0 |
    |  | YEAR | 1 |
    | Buddhist |  | 2 |
    ");
    // A cell ends with its part of the table.
    let parts = "<table><tbody><tr><td>insert</td><td rowspan=3>(1)</td></tr></tbody>
        <tbody><tr><td>erase</td><td>(2)</td></tr></tbody></table>";
    assert_snapshot!(text(parts), @"
    |  |  |
    |---|---|
    | insert | (1) |
    | erase | (2) |
    ");
    // One that is empty only keeps others apart.
    let apart = "<table><tr><td>Text</td><td><p>&nbsp;</p></td><td>The message.</td></tr>
        <tr><td>Flags</td><td></td><td></td><td>in</td></tr></table>";
    assert_snapshot!(text(apart), @"
    |  |  |  |
    |---|---|---|
    | Text | The message. |  |
    | Flags |  | in |
    ");
    let layout = "<table role=presentation><tr><td>Left <b>side</b></td>
        <td><h2>Right</h2>Text.</td></tr></table>
        <table><tr><td>Outer</td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>
        <div class=tip><table><tr><td rowspan=2><img alt='[Tip]'></td><th>Tip</th></tr>
        <tr><td><p>Save often.</p></td></tr></table></div>";
    assert_snapshot!(text(layout), @"
    Left side

    ## Right

    Text.

    Outer

    |  |  |
    |---|---|
    | a | b |

    [image: Tip]

    Tip

    Save often.
    ");
}

#[test]
fn a_table_whose_cells_are_sections_is_layout() {
    let html = "<table><tr><td><h2>Module memory</h2></td></tr></table>
        <table><tr><td>Menu<ul><li>Parser</li><li>Tree</li></ul></td></tr>
        <tr><td><p>It allocates.</p><h3>Functions</h3><pre>void *alloc(int n);</pre>
        <p>Returns memory.</p></td></tr></table>";
    assert_snapshot!(text(html), @"
    ## Module memory

    Menu

    - Parser
    - Tree

    It allocates.

    ### Functions

    ```
    void *alloc(int n);
    ```

    Returns memory.
    ");
}

#[test]
fn a_row_that_is_a_heading_begins_a_section() {
    let html = "<table><tr><td colspan=2><h2>Public Functions</h2></td></tr>
        <tr><td>void</td><td>clear ()</td></tr><tr><td>int</td><td>size ()</td></tr>
        <tr><td colspan=2><h2>Friends</h2></td></tr><tr><td>class</td><td>Node</td></tr></table>
        <table><tr><td>Top</td><td><img alt=Up></td></tr></table>";
    assert_snapshot!(text(html), @"
    ## Public Functions

    |  |  |
    |---|---|
    | void | clear () |
    | int | size () |

    ## Friends

    |  |  |
    |---|---|
    | class | Node |

    |  |  |
    |---|---|
    | Top | [image: Up] |
    ");
}

#[test]
fn a_cell_with_code_is_a_cell() {
    let html = "<table><tr><td><h4>Operation</h4></td><td>Type</td></tr>
        <tr><td><pre><code>int + int</code></pre></td><td>int</td></tr>
        <tr><td><pre>float + int\nint + float</pre></td><td><ul><li>float<li>real</ul></td></tr>
        </table>
        <table><tr><td>Before</td><td>After</td></tr>
        <tr><td><pre>if a:\n    b()</pre></td><td><pre>c()</pre></td></tr></table>";
    assert_snapshot!(text(html), @"
    |  |  |
    |---|---|
    | **Operation** | Type |
    | `int + int` | int |
    | `float + int` `int + float` | - float - real |

    Before

    After

    ```
    if a:
        b()
    ```

    ```
    c()
    ```
    ");
}

#[test]
fn a_column_of_code_is_code_of_several_lines() {
    let html = "<table><tr><td><p><tt>function Trim(</tt></p></td></tr>
        <tr><td><p><tt>&nbsp;&nbsp;const S:\nstring</tt></p></td></tr>
        <tr><td><p><tt><span>):string;<br><br>function Trim(</span></tt></p></td></tr></table>
        <table><tr><td><code>a</code> is</td></tr><tr><td><code>b</code></td></tr></table>";
    assert_snapshot!(text(html), @"
    ```
    function Trim(
      const S: string
    ):string;

    function Trim(
    ```

    `a` is
    `b`
    ");
}

#[test]
fn a_table_takes_no_more_than_its_cells() {
    // One long row and many short ones are not filled up to their product.
    let (row, rows) = ("<td>a".repeat(2_000), "<tr><td>b".repeat(2_000));
    let ragged = text(&format!("<table><tr>{row}{rows}</table>"));
    assert!(ragged.len() < 50_000, "{}", ragged.len());
    assert_eq!((ragged.matches('a').count(), ragged.matches('b').count()), (2_000, 2_000));
    let spans = text(&format!("<table>{}</table>", "<tr><td colspan=1000>c<td>d".repeat(1_000)));
    assert!(spans.len() < 200_000, "{}", spans.len());
}

#[test]
fn the_fields_of_docutils_are_no_table() {
    let html = "<table class='docutils field-list'><tr class=field>
        <th class=field-name>Returns:</th><td class=field-body>the number of bytes</td></tr>
        <tr class=field><th class=field-name colspan=2>Directive Options:</th></tr>
        <tr class=field><td>&nbsp;</td><td class=field-body><ul><li>align</li><li>name</li></ul>
        </td></tr></table>";
    assert_snapshot!(text(html), @"
    Returns:
    the number of bytes

    Directive Options:

    - align
    - name
    ");
}

#[test]
fn rows_with_more_than_words_are_terms_below_their_header() {
    let html = "<table><tr><th>Option</th><th>Meaning</th></tr>
        <tr><td><a href=a.html><code>-a</code></a></td><td>All.<pre>cmd -a\nsecond</pre></td></tr>
        <tr><td><p>-b</p></td><td>Both.</td></tr></table>
        <table><tr><th>Name</th><th>Value</th></tr>
        <tr><td>x<ul><li>y<li>z</ul></td><td><table><tr><td>1</td><td>2</td></tr></table></td></tr>
        </table>";
    assert_snapshot!(text(html), @"
    Option

    Meaning

    -a:
    All.

    ```
    cmd -a
    second
    ```

    -b:
    Both.

    Name:
    x

    - y
    - z

    Value:

    |  |  |
    |---|---|
    | 1 | 2 |
    ");
}

#[test]
fn rows_of_code_are_told_apart_by_the_names_of_their_columns() {
    let page = |table: &str| {
        text(&format!(
            "<meta name=generator content='Doxygen 1.9'><div id=doc-content><div class=contents>\
             <table>{table}</table></div></div>"
        ))
    };
    let code = |lines: &[&str]| {
        let line = |line: &&str| format!("<div class=line>{line}</div>\n");
        format!("<div class=fragment>{}</div>", lines.iter().map(line).collect::<String>())
    };
    // Code of one line is a word of its row.
    let modules = format!(
        "<tr><th>Module</th><th>Header</th></tr><tr><td>Core</td><td>{}</td></tr>\
         <tr><td></td><td>{}</td></tr>",
        code(&["#include &lt;Core&gt;"]),
        code(&["#include &lt;All&gt;"]),
    );
    assert_snapshot!(page(&modules), @"
    | Module | Header |
    |---|---|
    | Core | `#include <Core>` |
    |  | `#include <All>` |
    ");
    let row = |name: &str, one: &str, two: &str| {
        format!(
            "<tr><td>{name}</td><td>{}</td><td>{}</td></tr>",
            code(&[one, "f();"]),
            code(&[two])
        )
    };
    let kinds = format!(
        "<tr><th></th><th>Row</th><th>Table</th></tr>{}{}",
        row("Make", "Row r;", "Table t;"),
        row("Fill", "r = 1;", "t = 1;"),
    );
    assert_snapshot!(page(&kinds), @"
    Make:

    Row:

    ```
    Row r;
    f();
    ```

    Table:

    ```
    Table t;
    ```

    Fill:

    Row:

    ```
    r = 1;
    f();
    ```

    Table:

    ```
    t = 1;
    ```
    ");
    let output = format!(
        "<tr><th>Example</th><th>Output</th></tr><tr><td>{}</td><td>{}</td></tr>",
        code(&["int a = 1;", "print(a);"]),
        code(&["1", "2"]),
    );
    assert_snapshot!(page(&output), @"
    Example:

    ```
    int a = 1;
    print(a);
    ```

    Output:

    ```
    1
    2
    ```
    ");
    // Without a header the first cells tell what a row is about.
    let plain = format!(
        "<tr><td>Open</td><td>{}</td></tr><tr><td>Shut</td><td>{}</td></tr>",
        code(&["a();", "b();"]),
        code(&["c();"]),
    );
    assert_snapshot!(page(&plain), @"
    Open:

    ```
    a();
    b();
    ```

    Shut:

    ```
    c();
    ```
    ");
}

#[test]
fn cells_of_links_alone_are_a_list() {
    let html = "<meta name=generator content=makeinfo><h1>Shell</h1><table class=menu>\
        <tr><td><a href=a.html>1 Intro</a></td><td>&nbsp;</td><td></td></tr>\
        <tr><td><a href=b.html>2 Files</a></td><td>&nbsp;</td><td></td></tr>\
        <tr><td><a href=c.html>3 Jobs</a></td><td>&nbsp;</td><td></td></tr>\
        <tr><th colspan=3><pre class=menu-comment>\n\n&mdash; Details &mdash;\n\nFiles\n</pre></th>\
        </tr><tr><td><a href=d.html>2.1 Names</a></td><td>&nbsp;</td><td></td></tr></table>";
    assert_snapshot!(text(html), @"
    # Shell

    - 1 Intro
    - 2 Files
    - 3 Jobs

    ## — Details — Files

    - 2.1 Names
    ");
}
