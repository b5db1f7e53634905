//! Titles, subsections, neighbours and boxes beside the text, as documentation tools write them.

use insta::assert_snapshot;

use crate::generators::page_of;
use crate::markup::text;

#[test]
fn publican_is_docbook_with_navigation_of_its_own() {
    let html = "<p id=title><a href=x><img alt='Product Site'></a></p>
        <ul class='docnav top'><li class=previous><a href=a.html>Prev</a></li>
        <li class=home>The Handbook</li></ul>
        <div class=chapter><div class=titlepage><h1 class=title>8. Locales</h1></div>
        <div class=toc><dl class=toc><dt><a href='#keys'>8.1. Keys</a></dt></dl></div>
        <div class=para>Text is read in a language.</div>
        <div class=sidebar><div class=titlepage><div><p class=title><strong><em>TOOL</em> locale
        </strong></p></div></div><div class=para>It lists the variables.</div>
        <div class=para>See its page.</div></div></div>
        <ul class=docnav><li class=next><a href=b.html><strong>Next</strong>8.2.</a></li></ul>";
    let page = page_of("publican v4.3.2", html);
    assert_snapshot!(page, @"
    # 8. Locales

    Text is read in a language.

    TOOL locale:
    It lists the variables.

    See its page.
    ");
    assert_eq!(page_of("", html), page, "known by its navigation");
}

#[test]
fn a_box_beside_the_text_is_content_and_a_menu_there_is_none() {
    let html = "<h1>Locks</h1><div class=sidebar><a href=a>Home</a> <a href=b>News</a></div>
        <p>Take one.</p><div class=sidebar>A lock is released at the <a href=c>end</a>.</div>";
    assert_snapshot!(text(html), @"
    # Locks

    Take one.

    A lock is released at the end.
    ");
}

#[test]
fn a_page_of_haddock_is_called_as_its_module() {
    let html = "<title>Data.Maybe</title><div id=package-header><span class=caption>base</span>
        </div><div id=content><div id=module-header><table class=info><tr><th>License</th>
        <td>BSD</td></tr></table><p class=caption>Data.Maybe</p></div><div id=description>
        <p class=caption>Description</p><div class=doc><p>The type.</p></div></div>
        <div id=interface><h1>Documentation</h1><div class=top><p class=src><a id='v:maybe'
        class=def>maybe</a> :: b</p><div class=doc><p>Takes a default.</p></div></div></div></div>";
    assert_snapshot!(text(html), @"
    |  |  |
    |---|---|
    | License | BSD |

    # Data.Maybe

    Description

    The type.

    # Documentation

    ## maybe

    `maybe :: b`
    Takes a default.
    ");
    assert_eq!(crate::pages::page(html).title, "Data.Maybe");
}

#[test]
fn neighbours_of_a_page_of_pydata_are_no_content() {
    let html = "<main role=main><h1>moment</h1><p>It is one.</p><div class=prev-next-area>
        <a class=left-prev href=a.html><p class=prev-next-subtitle>previous</p>
        <p class=prev-next-title>kurtosis</p></a></div></main>
        <div class=documentwrapper></div>";
    assert_snapshot!(text(html), @"
    # moment

    It is one.
    ");
}

#[test]
fn rubrics_of_sphinx_are_sections_of_what_they_stand_in() {
    let html = "<div class=documentwrapper><div class=body role=main><section id=stats>
        <h1>stats</h1><p class=rubric id=why>Why</p><p>To count.</p>
        <dl class='py class'><dt id=stats.Norm>class stats.Norm()</dt><dd><p>A curve.</p>
        <p class=rubric>Notes</p><p>It is even.</p><p class=rubric>Examples</p><pre>Norm()</pre>
        <dl class='py method'><dt id=stats.Norm.pdf>pdf(x)</dt><dd><p>The density.</p>
        <p class=rubric>Notes</p><p>It is slow.</p></dd></dl></dd></dl>
        <p>All is said.</p></section></div></div>";
    let page = crate::pages::page(html);
    assert_snapshot!(text(html), @"
    # stats

    ## Why

    To count.

    ## stats.Norm

    `class stats.Norm()`
    A curve.

    ### Notes

    It is even.

    ### Examples

    ```
    Norm()
    ```

    ### stats.Norm.pdf

    `pdf(x)`
    The density.

    #### Notes

    It is slow.

    All is said.
    ");
    assert_eq!(page.blocks.last().and_then(|last| last.resumes), Some(2));
    let item =
        text("<div class=documentwrapper role=main><ul><li><p class=rubric>A</p>b</ul></div>");
    assert_snapshot!(item, @"
    - **A**

      b
    ");
}

#[test]
fn man2html_is_known_by_its_index_alone() {
    let html = "<h1>PRIVOXY</h1>Section: (8)<br>Updated: 2012<br><a href='#index'>Index</a><hr>
        <a name=lbAB>&nbsp;</a><h2>NAME</h2>privoxy - a proxy<p><hr><a name=index>&nbsp;</a>
        <h2>Index</h2><dl><dt><a href='#lbAB'>NAME</a><dd></dl><hr>This was created.";
    assert_snapshot!(text(html), @"
    # PRIVOXY

    Section: (8)
    Updated: 2012

    ## NAME

    privoxy - a proxy

    This was created.
    ");
}

#[test]
fn members_of_doxygen_stand_below_the_section_of_their_kind() {
    let html = "<div id=MSearchSelectWindow></div><div class=header><div class=headertitle>
        <div class=title>dfile.c</div></div></div><div class=contents>
        <h2 class=groupheader>Macro Documentation</h2><a id=a3></a>
        <h2 class=memtitle><span class=permalink><a href='#a3'>&#9670;</a></span>nulldup</h2>
        <div class=memitem><div class=memproto>#define nulldup(s)</div></div>
        <h2 class=groupheader>Function Documentation</h2><a id=a4></a>
        <h2 class=memtitle><span class=permalink><a href='#a4'>&#9670;</a></span>NC_open()</h2>
        <div class=memitem><div class=memdoc><p>Opens it.</p></div></div></div>";
    assert_snapshot!(text(html), @"
    # dfile.c

    ## Macro Documentation

    ### nulldup

    `#define nulldup(s)`

    ## Function Documentation

    ### NC_open

    `NC_open()`
    Opens it.
    ");
    let blocks = crate::pages::page(html).blocks;
    let site_map::page::BlockKind::Heading(title) = &blocks[0].kind else { unreachable!() };
    assert_eq!(title.anchors, [""; 0]);
}
