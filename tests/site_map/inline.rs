//! What stands in a line: spaces, code, quotes, deleted text.

use insta::assert_snapshot;

use crate::markup::text;

#[test]
fn spaces_that_do_not_break_stay_in_code() {
    let html = "<p>Use&nbsp; <code>'a&nbsp;&nbsp;b'   c</code>.</p>
        <pre><div>if x:</div>&nbsp;&nbsp;<span>y</span><div>z</div></pre>
        <table><tr><td>1</td><td><code>p&nbsp;&nbsp;q</code></td></tr></table>";
    assert_snapshot!(text(html), @"
    Use `'a  b' c`.

    ```
    if x:
      y
    z
    ```

    |  |  |
    |---|---|
    | 1 | `p  q` |
    ");
}

#[test]
fn lines_of_code_in_a_cell_stay_apart() {
    let html = "<table><tr><td><code>f(x)<br>&nbsp;g(y  z)</code></td><td>a</td></tr>
        <tr><td><code>h(\nx)</code></td><td>b</td></tr></table>";
    assert_snapshot!(text(html), @"
    |  |  |
    |---|---|
    | `f(x)` `g(y z)` | a |
    | `h( x)` | b |
    ");
}

#[test]
fn quotes_are_quoted_and_deleted_text_is_marked() {
    let html = "<p>He says <q>go</q>. <del>It is fast.</del> It was <s>5</s> 6.</p>
        <del><p>Old.</p></del>";
    assert_snapshot!(text(html), @r#"
    He says "go". ~~It is fast.~~ It was ~~5~~ 6.

    Old.
    "#);
}
