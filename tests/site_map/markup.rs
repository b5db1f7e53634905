//! How markup is written as Markdown: what stands in a line, code, lists, tables, notes.

use insta::assert_snapshot;

use crate::pages::page;

/// The Markdown of the blocks. A library that reads it as an oracle has no raised text, no fragment
/// of code that is no `pre`, and counts the items of lists in another way.
pub(crate) fn text(html: &str) -> String {
    let blocks: Vec<String> = page(html).blocks.into_iter().map(|block| block.text).collect();
    blocks.join("\n\n")
}

#[test]
fn what_is_no_block_stays_in_its_line() {
    let html = "<h1>Locks</h1><p>An <acronym>MVCC</acronym> model, a <strike>lock</strike> of
        <my-term>ours</my-term>, a-&shy;b.</p><p>From -2<sup>31</sup>, 2<sup>n-1</sup>,
        H<sub>2</sub>O, the 1<sup>st</sup>, noted<sup><a href=#f1>1</a></sup>,
        <code>a<sub>i</sub></code>,
        <math alttext='x^2'><msup><mi>x</mi><mn>2</mn></msup></math>,
        <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>.</p>";
    assert_snapshot!(text(html), @"
    # Locks

    An MVCC model, a ~~lock~~ of ours, a-b.

    From -2^31, 2^(n-1), H_2O, the 1st, noted[1], `a_i`, x^2, 漢(kan).
    ");
}

#[test]
fn terms_have_their_types_and_options_are_sections() {
    let html = "<h1>Options</h1><dl><dt><strong>weight</strong><span class=classifier>float</span>
        </dt><dd>Of an edge.</dd><dt>node <span class=classifier-delimiter>:</span>
        <span class=classifier>int</span></dt><dd>One.</dd></dl>
        <dl><dt>-n</dt><dt>--[no-]run</dt><dd><p>Changes nothing.</p></dd>
        <dt>--depth &lt;n&gt;</dt><dd><p>A shallow copy.</p></dd><dt>-5 to 0</dt>
        <dd>Cold.</dd></dl>";
    assert_snapshot!(text(html), @"
    # Options

    weight : float:
    Of an edge.

    node : int:
    One.

    ## -n, --[no-]run

    Changes nothing.

    ## --depth <n>

    A shallow copy.

    -5 to 0:
    Cold.
    ");
}

#[test]
fn what_a_reader_opens_first_is_hidden() {
    let html = "<h1>Page</h1><dialog><p>Accept all cookies</p></dialog><dialog open><p>Saved.</p>
        </dialog><canvas>No canvas</canvas><video src=v.mp4>No video</video><p>Text.</p>";
    assert_snapshot!(text(html), @"
    # Page

    Saved.

    Text.
    ");
}

#[test]
fn code_keeps_its_lines() {
    let html = "<pre>one<br>two <span>three</span></pre><p><code>a<br>b</code></p>
        <pre><div>first</div>\n<div>second</div>\n\n<span>third</span></pre>";
    assert_snapshot!(text(html), @"
    ```
    one
    two three
    ```

    `a`
    `b`

    ```
    first
    second

    third
    ```
    ");
    let beside_numbers = "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre></td>
        <td><pre>def f(x):\n    return 1 | x</pre></td></tr></table>";
    assert_snapshot!(text(beside_numbers), @"
    ```
    def f(x):
        return 1 | x
    ```
    ");
    let of_doxygen = "<html><head><meta name=generator content='Doxygen 1.9'></head><body>
        <div id=doc-content><div class=header><div class=headertitle><div class=title>Matrices
        <div class=ingroups>Dense</div></div></div></div><div class=contents>
        <div class=fragment><div class=line>int main()</div>\n<div class=line>{ }</div>\n</div>
        <h2 class=memtitle>row()</h2><div class=memproto>
        <table class=memname>
          <tr>
            <td>Row row</td><td>(</td><td>int&nbsp;</td><td>i,</td>
          </tr>
          <tr><td></td><td></td><td>int&nbsp;</td><td>j</td><td>)</td></tr>
        </table></div></div></div></body></html>";
    assert_snapshot!(text(of_doxygen), @"
    # Matrices

    ```
    int main()
    { }
    ```

    ## row

    `Row row (int i, int j)`
    ");
}

#[test]
fn items_with_headings_are_sections() {
    let html = "<html><head><meta name=generator content='javadoc/17'></head><body><main>
        <h1>Class Text</h1><ul class=summary-list><li><section><h2>Method Summary</h2>
        <div class='summary-table three-column-summary'>
        <div class='table-header col-first'>Type</div>
        <div class='table-header col-second'>Method</div>
        <div class='table-header col-last'>Description</div>
        <div class=col-first>int</div><div class=col-second>size()</div>
        <div class=col-last>Counts.</div></div></section></li>
        <li><section><h2>Method Details</h2><ul class=member-list><li>
        <section class=detail id='size()'><h3>size</h3>
        <div class=member-signature>public int size()</div>
        <div class=block>Counts the letters.</div></section></li></ul></section></li></ul>
        </main></body></html>";
    assert_snapshot!(text(html), @"
    # Class Text

    ## Method Summary

    | Type | Method | Description |
    |---|---|---|
    | int | size() | Counts. |

    ## Method Details

    ### size

    ```
    public int size()
    ```

    Counts the letters.
    ");
}

#[test]
fn signatures_of_haddock_are_definitions() {
    let html = "<html><head><script src='haddock-bundle.min.js'></script></head><body>
        <div id=package-header>base</div><div id=content><div id=module-header>Data.List</div>
        <div id=interface><h1>Functions</h1><div class=top><p class=src>
        <a id='v:sort' class=def>sort</a> :: [a] -&gt; [a]
        <a href='src/x.html' class=link>Source</a>
        <a href='#v:sort' class=selflink>#</a></p><div class=doc><p>Sorts.</p></div></div>
        </div></div></body></html>";
    assert_snapshot!(text(html), @"
    Data.List

    # Functions

    ## sort

    `sort :: [a] -> [a]`
    Sorts.
    ");
}

#[test]
fn blocks_of_an_item_stay_apart_and_in_it() {
    let html = "<ol start=9><li><p>Stop it.</p><p>Wait.</p></li>
        <li>Run:<pre>go\nnow</pre>Then look.</li><li value=20><ul><li>a</li></ul></li></ol>
        <blockquote><p>One.</p><p>Two.</p></blockquote>
        <ul><li><input type=checkbox disabled checked> done</li>
        <li><input type=checkbox disabled> open</li></ul>";
    assert_snapshot!(text(html), @"
    9. Stop it.

       Wait.
    10. Run:
        ```
        go
        now
        ```
        Then look.
    20. - a

    > One.
    >
    > Two.

    - [x] done
    - [ ] open
    ");
    let plain =
        "<p>1. no list</p><p>- no item</p><p>&gt; no quote</p><p>2022. A year</p><p>1.5 mm</p>";
    assert_snapshot!(text(plain), @r"
    1\. no list

    \- no item

    \> no quote

    2022\. A year

    1.5 mm
    ");
}

#[test]
fn notes_beside_the_text_are_content_and_menus_are_none() {
    let html = "<p>The limit is 5.</p><aside class=footnote><p>Since 3.2.</p></aside>
        <aside class=starlight-aside>Take <a href=b>care</a> of the lock.</aside>
        <aside><a href=a>Start</a> <a href=b>Next page</a></aside>
        <aside class=toc-drawer>On this page</aside>";
    assert_snapshot!(text(html), @"
    The limit is 5.

    Since 3.2.

    Take care of the lock.
    ");
}

#[test]
fn the_content_is_around_all_its_parts() {
    let articles = "<h1>News</h1><article>First text.</article><article>Second text.</article>";
    assert_snapshot!(text(articles), @"
    # News

    First text.

    Second text.
    ");
    let listing = "<h1>Setup</h1><p>Write this file, and then start the server again.</p>
        <div class=listingblock><div class=content><pre>a = 1</pre></div></div>";
    assert_snapshot!(text(listing), @"
    # Setup

    Write this file, and then start the server again.

    ```
    a = 1
    ```
    ");
    let beside_a_menu = "<div id=menu>Home</div>
        <div class=content><h1>Setup</h1><p>Write a file.</p></div>";
    assert_snapshot!(text(beside_a_menu), @"
    # Setup

    Write a file.
    ");
}

#[test]
fn the_name_of_the_site_as_first_heading_is_not_the_title() {
    let check = |title: &str, headings: &str, expected: &str| {
        let html = format!("<title>{title}</title>{headings}<p>Text.</p>");
        assert_eq!(page(&html).title, expected);
    };
    let below = "<h1>Node documentation</h1><h2>File system</h2>";
    check("File system | Node Documentation", below, "File system");
    check("Node Documentation | File system", below, "Node documentation");
    check("Files | Node documentation", below, "Node documentation");
    check("Node documentation", below, "Node documentation");
}

#[test]
fn headings_may_be_marked_as_anchors_or_be_a_button_or_a_picture() {
    let html = "<h1>Help</h1><h2 class=anchor id=a>Install<a class=anchor href=#a>link</a></h2>
        <p>Run it.</p><h2><button>How is it reset?</button></h2><p>Hold the key.</p>
        <h2>Start <button>Copy</button></h2><p>Press the key.</p>
        <h2><img alt='Safety'></h2><p>Wear gloves.</p>";
    assert_snapshot!(text(html), @"
    # Help

    ## Install

    Run it.

    ## How is it reset?

    Hold the key.

    ## Start

    Press the key.

    ## Safety

    Wear gloves.
    ");
}

#[test]
fn nobody_sees_a_hidden_part_of_a_block() {
    let html = "<ul><li>a<li hidden>SECRET</ul><ol><li>b<li style='display:none'>SECRET</ol>
        <table><tr><th>c<th>d<tr hidden><td>SECRET<td>SECRET<tr><td>e<td hidden>SECRET</table>
        <dl><dt>f<dd>g<dt hidden>SECRET<dd hidden>SECRET</dl>";
    let page = page(html);
    assert!(page.blocks.iter().all(|block| !block.text.contains("SECRET")), "{page:?}");
    assert_eq!(page.n_hidden_parts, 6);
}

#[test]
fn a_rule_that_is_a_value_makes_no_heading() {
    let html = "<dl><dt>Default<dd>-<dt>Assign<dd>=</dl>
        <table><tr><td>Unset<tr><td>-</table>";
    assert_snapshot!(text(html), @r"
    Default:
    \-

    Assign:
    \=

    Unset
    \-
    ");
}

#[test]
fn links_of_headings_and_terms_are_content() {
    let html = "<h1>Posts</h1><h2><a href=a.html>First</a><a href=#x>#</a></h2><p>Text.</p>
        <dl><dt><a href=b.html>Second</a><dd>Text.</dl>";
    let links = page(html).links;
    let links: Vec<(&str, Option<usize>)> = links
        .iter()
        .filter(|link| link.is_content)
        .map(|link| (link.target.path(), link.under))
        .collect();
    assert_eq!(links, [("/3/library/a.html", Some(1)), ("/3/library/b.html", Some(1))]);
}

#[test]
fn a_form_that_does_not_say_where_is_sent_to_its_page() {
    let html = "<base href=/other/><form method=post><input name=a></form>";
    let page = page(html);
    assert_eq!(page.forms[0].action.as_ref(), Some(&page.address));
}

#[test]
fn a_term_may_be_a_heading_and_a_group_of_terms_have_a_fragment() {
    let html = "<dl><dt><a name=4></a><h1>4. Operators</h1></dt><dd><p>There are many.</p>
        <dl><dt><a name=4.1></a><h2>4.1. Arithmetic</h2></dt><dd><p>They count.</p>
        <dl><div id=add><dt>add(a, b)</dt><dd>Adds.</dd></div></dl></dd></dl></dd></dl>";
    assert_snapshot!(text(html), @"
    # 4. Operators

    There are many.

    ## 4.1. Arithmetic

    They count.

    ### add

    `add(a, b)`
    Adds.
    ");
}

#[test]
fn what_is_no_item_of_a_list_is_read_as_what_it_is() {
    let html = "<ul>Loose text<li>one</li><ul><li>nested</ul><pre>line 1\n  line 2</pre>
        <div><li>two</li><li>three</li></div><div hidden><li>SECRET</div></ul>
        <ol><li>first</li><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>
        <li>second <b>of</li><li>third</b></li></ol>";
    assert_snapshot!(text(html), @"
    Loose text

    - one
      - nested

    ```
    line 1
      line 2
    ```

    - two
    - three

    1. first

    | A | B |
    |---|---|
    | 1 | 2 |

    2. second of
    3. third
    ");
}

#[test]
fn code_straight_in_a_list_of_definitions_keeps_its_lines() {
    let html = "<dl>Loose text<dt>term</dt><dd>It is short.</dd><pre>x\n  y</pre>
        <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></dl>";
    assert_snapshot!(text(html), @"
    Loose text

    term:
    It is short.

    ```
    x
      y
    ```

    | A | B |
    |---|---|
    | 1 | 2 |
    ");
}

#[test]
fn digits_beside_each_other_are_one_number() {
    let html = "<p>At least <math><mn>1</mn><msup><mn>0</mn><mn>3</mn></msup></math> or
        <math><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></math>.</p>
        <noframes><body>See the <a href=b.html>plain page</a>.</body></noframes>";
    assert_eq!(text(html).trim(), "At least 10^3 or x^2 3.");
}

#[test]
fn formulas_without_tex_stand_on_one_line() {
    let html = "<h1>Size of <math><msup><mi>x</mi><mn>2</mn></msup></math></h1><p>
        <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>,
        <math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow>
        <msqrt><mi>y</mi></msqrt></mfrac></math>,
        <math><msub><mi>a</mi><mi>i</mi></msub></math>,
        <math><msup><mrow><mo>(</mo><mi>a</mi><mi>b</mi><mo>)</mo></mrow>
        <mrow><mo>-</mo><mn>1</mn></mrow></msup></math>,
        <math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi>
        </munderover><mn>2</mn><mo>&InvisibleTimes;</mo><mroot><mi>z</mi><mn>3</mn></mroot></math>,
        <math><mtable><mtr><mtd>1</mtd><mtd>0</mtd></mtr><mtr><mtd>0</mtd><mtd>1</mtd></mtr>
        </mtable></math>.</p>";
    assert_snapshot!(text(html), @"
    # Size of x^2

    1/2, (a+1)/sqrt(y), a_i, (ab)^(-1), ∑_(i=0)^n 2 z^(1/3), [1, 0; 0, 1].
    ");
}
