//! Pages of tools that write manuals, as their rows in the table of generators have them.

use insta::assert_snapshot;

use crate::markup::text;

/// The Markdown of a page whose tool is named in its head.
fn page_of(generator: &str, body: &str) -> String {
    let head = format!("<head><meta name=generator content='{generator}'></head>");
    text(&format!("<html>{head}<body>{body}</body></html>"))
}

#[test]
fn asciidoc_has_the_name_of_a_command_before_the_content() {
    let html = "<div id=header><h1>git-am(1) Manual Page</h1><h2>NAME</h2>
        <div class=sectionbody><p>git-am - Apply a series of patches</p></div></div>
        <div id=content><div class=sect1><h2 id=_options>OPTIONS</h2>
        <div class=admonitionblock><table><tr><td class=icon><div class=title>Note</div></td>
        <td class=content>There are many.</td></tr></table></div>
        <div class='admonitionblock tip'><table><tr><td class=icon>
        <i class='fa icon-tip' title=Tip></i></td><td class=content>Take one.</td></tr></table>
        </div></div></div><div id=footer>Last updated 2024-05-31</div>";
    assert_snapshot!(page_of("AsciiDoc 10.2.0", html), @"
    # git-am(1) Manual Page

    ## NAME

    git-am - Apply a series of patches

    ## OPTIONS

    Note:
    There are many.

    Tip:
    Take one.
    ");
}
