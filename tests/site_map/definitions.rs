//! Definitions: what their sections have, and how they are named.

use insta::assert_snapshot;

use crate::markup::text;

#[test]
fn headings_in_a_definition_stand_below_it() {
    let html = "<h1>Sorting</h1><h2>Functions</h2><dl><dt><a name=sort></a>sort(list)</dt>
        <dd><p>Sorts.</p><h3>Usage:</h3><pre>sort(a)</pre><h4>Notes</h4><p>It is stable.</p>
        <dl><dt id=order>order</dt><dd>How.</dd></dl></dd>
        <dt id=swap>swap(a, b)</dt><dd>Swaps.</dd></dl><h3>See also</h3><p>Lists.</p>
        <h6>Deep</h6><dl><dt id=f>f()</dt><dd><h2>Usage</h2><p>Calls.</p></dd></dl>";
    assert_snapshot!(text(html), @"");
}
