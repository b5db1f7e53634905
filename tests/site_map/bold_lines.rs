//! Short bold lines that begin sections.

use insta::assert_snapshot;

use crate::markup::text;

#[test]
fn bold_lines_are_the_headings_of_a_page_without() {
    let html = "<center><h2><b>Logging</b></h2></center><p><b>Note</b>: it is long.</p>
        <p>
        <b>Files</b><br>
        They are many.<pre>/var/log</pre>
        <p><a name=fmt><b>The <code>xferlog</code> Format</b></a></p><p>It is old.</p>
        <p><a name=faq>\n<b>Questions</b><br>\n<b>Why</b>?</a></p>";
    assert_snapshot!(text(html), @"
    ## Logging

    Note: it is long.

    ### Files

    They are many.

    ```
    /var/log
    ```

    ### The xferlog Format

    It is old.

    ### Questions

    Why?
    ");
    let labels = "<h1>Ports</h1><p><b>Example</b><br>80</p><p><b>Input</b><br>81</p>
        <p><b>Example</b><br>82</p><p><b>Output:</b><br>82</p><p><b>Bold</b><br>83</p>";
    assert!(!text(labels).contains("##"));
    let example = |n: u8| format!("<div><p><b>Example {n}. Text</b></p><pre>x</pre></div>");
    let examples = format!("<h1>Types</h1>{}{}{}", example(1), example(2), example(3));
    assert!(!text(&examples).contains("##"));
}

#[test]
fn bold_lines_that_links_lead_to_are_headings_of_any_page() {
    let questions = ["How?", "Why?", "When?"].map(|question| {
        format!("<p><a id={question}><b>{question}</b></a><br>So.</p><p><b>Note</b><br>N.</p>")
    });
    let html = format!("<h1>FAQ</h1><h2>For Users</h2>{}", questions.concat());
    assert_snapshot!(text(&html), @"
    # FAQ

    ## For Users

    ### How?

    So.

    Note
    N.

    ### Why?

    So.

    Note
    N.

    ### When?

    So.

    Note
    N.
    ");
}
