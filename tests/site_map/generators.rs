//! Pages of tools that write manuals, as their rows in the table of generators have them.

use insta::assert_snapshot;
use site_map::page::BlockKind;

use crate::markup::text;

/// The Markdown of a page whose tool is named in its head.
pub(crate) fn page_of(generator: &str, body: &str) -> String {
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

#[test]
fn functions_in_the_tables_of_postgresql_are_sections() {
    let html = "<div class=sect1 id=S><h2 class=title>9.4. Strings</h2><div class=table id=T>
        <table class=table><thead><tr><th class=func_table_entry><p class=func_signature>Function
        </p><p>Description</p></th></tr></thead><tbody><tr><td class=func_table_entry>
        <p class=func_signature><a id=i1 class=indexterm></a><code class=function>ascii</code> (
        <code>text</code> ) → <code>integer</code></p><p>Returns the code.</p>
        <p><code>ascii('x')</code> → <code>120</code></p></td></tr><tr><td class=func_table_entry>
        <p class=func_signature><a id=i2></a><code class=function>btrim</code> ( <code>text</code> )
        </p><p class=func_signature><code class=function>btrim</code> ( <code>bytea</code> )</p>
        <p>Removes blanks.</p></td></tr></tbody></table></div><p>See also 9.5.</p></div>";
    assert_snapshot!(page_of("DocBook XSL Stylesheets Vsnapshot", html), @"
    ## 9.4. Strings

    ### ascii

    `ascii ( text ) → integer`
    Returns the code.

    `ascii('x')` → `120`

    ### btrim

    `btrim ( text )`
    `btrim ( bytea )`
    Removes blanks.

    See also 9.5.
    ");
    let html = format!("<meta name=generator content='DocBook XSL'><body>{html}</body>");
    let page = crate::pages::page(&html);
    assert_eq!(page.blocks.last().and_then(|last| last.resumes), Some(3));
}

#[test]
fn the_page_of_a_part_of_docbook_has_its_chapters_and_a_chapter_does_not_repeat_its_own() {
    let toc = "<div class=toc><p><b>Table of Contents</b></p><dl class=toc><dt><a href=a.html>1. \
               Pumps</a></dt><dt><a href=b.html>2. Valves</a></dt></dl></div>";
    let of = |kind: &str| {
        let html = format!("<div class={kind}><h1 class=title>Fluids</h1>{toc}</div>");
        page_of("DocBook XSL Stylesheets V1.79.1", &html)
    };
    assert_snapshot!(of("part"), @"
    # Fluids

    1. Pumps

    2. Valves
    ");
    assert_snapshot!(of("chapter"), @"# Fluids");
}

#[test]
fn a_drawing_is_its_words() {
    let html = "<h1>CREATE INDEX</h1><p>In full:</p><svg><text>CREATE</text><path/><text>INDEX\
                </text></svg><p>It has <svg><title>i</title></svg> uses.</p>";
    assert_snapshot!(page_of("none", html), @"
    # CREATE INDEX

    In full:

    [image: CREATE INDEX]

    It has uses.
    ");
}

#[test]
fn notes_of_docbook_are_no_sections() {
    let html = "<div class=section><h2 class=title>Limiting</h2><p>Case counts.</p>
        <div class=note><h3 class=title>Note</h3><p>Quote the sign.</p></div>
        <p>A pattern describes strings.</p>
        <div class=warning><table><tr><td rowspan=2><img alt='[Warning]'></td><th>Warning</th></tr>
        <tr><td><p>It is slow.</p></td></tr></table></div></div>";
    assert_snapshot!(page_of("DocBook XSL Stylesheets V1.79.1", html), @"
    ## Limiting

    Case counts.

    Note:
    Quote the sign.

    A pattern describes strings.

    Warning:
    It is slow.
    ");
}

#[test]
fn definitions_of_texinfo_are_named_after_what_they_define() {
    let html = "<h4>Hashing</h4><dl class=def><dt id=index-hash>
        <span class=category>procedure: </span><span><strong>hash</strong> <em>key [modulus]</em>
        <a href='#index-hash' class=copiable-anchor> &para;</a></span></dt><dd><p>Hashes.</p></dd>
        </dl><dl class=def><dt id=index-method><span class=category>System variable: </span><span>
        <strong>method</strong></span></dt><dd><p>The method.</p></dd></dl>";
    assert_snapshot!(page_of("makeinfo", html), @"
    #### Hashing

    ##### hash

    `procedure: hash key [modulus]`
    Hashes.

    ##### method

    `System variable: method`
    The method.
    ");
}

#[test]
fn nim_has_its_definitions_in_parts_with_fragments() {
    let html = "<div class=document id=documentId><div class=container>
        <h1 class=title>std/sorting</h1><div class=row><div class='three columns'>Dark Mode</div>
        <div class='nine columns' id=content><p>It sorts.</p><div class=section id=7><h1>Types</h1>
        <dl class=item><div id=SortOrder><dt><pre><a href='#SortOrder'><span class=Identifier
        >SortOrder</span></a> = <span>enum</span>\n  Descending, Ascending</pre></dt>
        <dd>An order. <a class=link-seesrc href=x>Source</a></dd></div>
        <div id='*,int'><dt><pre>proc <a href='#*,int'><span class=Identifier>`*`</span></a>\
        (x: int) {.<span class=pragmadots>..</span><span class=pragmawrap>inline</span>.}</pre></dt>
        <dd>Flips it.</dd></div></dl></div></div></div></div></div>";
    assert_snapshot!(page_of("", html), @"
    # std/sorting

    It sorts.

    # Types

    ## SortOrder

    ```
    SortOrder = enum
      Descending, Ascending
    ```

    An order.

    ## `*`

    `` proc `*`(x: int) {.inline.} ``
    Flips it.
    ");
    let book = "<div class=document id=documentId><div class=container><h1 class=title>Tour</h1>
        <div class=row><p>It is short.</p></div></div></div>";
    assert_snapshot!(page_of("", book), @"
    # Tour

    It is short.
    ");
}

#[test]
fn methods_of_crystal_are_sections() {
    let html = "<div class=sidebar>Menu</div><div class=main-content>
        <h1 class=type-name><span class=kind>class</span> Array</h1>
        <p>Inherited: <a href='Object.html#dup' class=tooltip><span>dup</span> dup</a></p>
        <h2>Constructor Detail</h2><div class=entry-detail id='new(size:Int)-class-method'>
        <div class=signature>def self.<strong>new</strong>(size : <a href='Int.html'>Int</a>)
        <a class=method-permalink href='#new(size:Int)-class-method'>#</a></div>
        <div class=doc><p>Creates an array.</p></div></div></div>";
    assert_snapshot!(page_of("Crystal Docs 1.6.0", html), @"
    # class Array

    Inherited: dup

    ## Constructor Detail

    ### new

    `def self.new(size : Int)`
    Creates an array.
    ");
    let page =
        crate::pages::page(&format!("<meta name=generator content='Crystal Docs 1.6.0'>{html}"));
    let anchors = page.blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Heading(heading) if heading.title == "new" => Some(&heading.anchors[..]),
        _ => None,
    });
    assert_eq!(anchors, Some(&["new(size:Int)-class-method".to_owned()][..]));
}

#[test]
fn libreoffice_shows_one_of_several_hidden_texts() {
    let html = "<header id=TopLeftHeader>Help</header>
        <div id=DisplayArea itemprop=softwareHelp><h1>Find Bar</h1><div class=tip>
        <div class=noteicon><img alt=tip></div><div class=notetext><p>Press <span
        class=switchinline><span hidden=true id=MAC1 class=MAC>Command</span><span hidden=true
        id=default1>Ctrl</span></span>+F.</p></div></div></div>";
    assert_snapshot!(page_of("", html), @"
    # Find Bar

    tip:
    Press Ctrl+F.
    ");
}

#[test]
fn a_page_of_node_begins_with_its_module_and_its_histories_are_behind() {
    let html = "<body class='alt apidoc'><div id=content><div id=column2><ul><li>Menu</ul></div>
        <div id=column1><header class=header><h1>Node.js documentation</h1>
        <div id=gtoc><ul><li>Index</ul></div></header><details id=toc><ul><li>Path</ul></details>
        <div id=apicontent><h2>Path</h2><p>It has utilities.</p><h3>path.sep</h3>
        <div class=api_metadata><details class=changelog><summary>History</summary>
        <table><tr><th>Version<th>Changes<tr><td>v6.0.0<td>It throws.</table></details></div>
        <ul><li>Returns: a string</ul><p>The separator.</p><h3>path.win32</h3></div></div></div>";
    assert_snapshot!(text(html), @"
    # Path

    It has utilities.

    ### path.sep

    - Returns: a string

    The separator.

    History

    | Version | Changes |
    |---|---|
    | v6.0.0 | It throws. |

    ### path.win32
    ");
}

#[test]
fn panels_of_latex2html_and_texi2html_are_no_content() {
    let html = "<div class=navigation><!--Navigation Panel--><a href=n2.html><img alt=next></a>
        <b>Next:</b> <a href=n2.html>Normal</a></div><h4>Frequency</h4><p>It counts.</p>";
    assert_snapshot!(page_of("LaTeX2HTML v2022.2", html), @"
    #### Frequency

    It counts.
    ");
    let html = "<div id=main><table class=nav_table><tr><td>[<a href=a>Top</a>]</td></tr></table>
        <h3>Formatting</h3><p>Run it.</p><div id=footer>We welcome your aid.</div></div>
        <div id=tocframe><h4>Guide</h4></div>";
    assert_snapshot!(page_of("texi2html 1.82", html), @"
    ### Formatting

    Run it.
    ");
}

#[test]
fn examples_of_the_ada_manual_are_code() {
    let html = "<div><a href=toc.html><img alt=Contents></a></div><h1>Units</h1>
        <div class=Examples><b>package</b>&nbsp;IO&nbsp;<b>is</b><BR>
        &nbsp;&nbsp;&nbsp;<b>procedure</b>&nbsp;Put(R&nbsp;:\nRational);<BR>
        <b>end</b>&nbsp;IO;</div><div class=Normal>It is a unit.</div>";
    assert_snapshot!(page_of("Arm_Form.Exe, Ada Reference Manual generator", html), @"
    # Units

    ```
    package IO is
       procedure Put(R : Rational);
    end IO;
    ```

    It is a unit.
    ");
}

#[test]
fn the_contents_of_docbook_stay_where_they_say_what_pages_are_for() {
    let toc = |purpose: &str| {
        format!(
            "<div class=toc><p><b>Table of Contents</b></p><dl class=toc>
             <dt><span class=chapter><a href=a.html>Utilities</a></span></dt><dd><dl><dt>
             <span class=refentrytitle><a href=b.html>Base64</a></span>{purpose}</dt></dl></dd>
             </dl></div>"
        )
    };
    let body = |purpose: &str| {
        format!(
            "<table class=navigation><tr><td></td><td><a href=index.html><img alt=Home></a></td>
             </tr></table><div class=chapter><h1 class=title>GLib</h1>{}</div>
             <div class=footer><hr>Generated by GTK-Doc V1.33.1</div>",
            toc(purpose)
        )
    };
    let of = |purpose: &str| page_of("DocBook XSL Stylesheets V1.79.1", &body(purpose));
    assert_eq!(of(""), "# GLib");
    assert_snapshot!(of("<span class=refpurpose> — encodes data</span>"), @"
    # GLib

    - Utilities
      - Base64 — encodes data
    ");
}

#[test]
fn definitions_of_scribble_are_sections_and_its_tables_are_code() {
    let html = "<html><head><link rel=stylesheet href='../scribble.css'></head><body>
        <div class=tocset>Contents</div><div class=maincolumn><div class=main>
        <div class=navsettop>prev</div><h5>4.4.1<tt>&nbsp;</tt>Selectors</h5><p>
        <div class=SIntrapara><blockquote class=SVInsetFlow><table class='boxed RBoxed'><tr><td>
        <blockquote class=SubFlow><div class='RBackgroundLabel SIEHidden'><p>procedure</p></div>
        <p class=RForeground>(<a name='(def._string-ref)'></a><span class=RktSym>
        <a href=x class='RktValDef RktValLink'>string-ref</a></span><span class=hspace>&nbsp;</span>
        <span class=RktVar>k</span>) &rarr; char?</p></blockquote></td></tr>
        <tr><td><span class=hspace>&nbsp;&nbsp;</span>k : natural?</td></tr></table></blockquote>
        </div><div class=SIntrapara>Returns a character.</div></p><p>Example:</p>
        <blockquote class=SCodeFlow><table class=RktBlk><tr><td>(define (f x)</td></tr><tr><td>\
        <span class=hspace>&nbsp;&nbsp;</span>(g x))</td></tr><tr><td><p>#t</p></td></tr></table>
        </blockquote></div></div></body></html>";
    assert_snapshot!(text(html), @"
    ##### 4.4.1 Selectors

    ###### string-ref

    `( string-ref k) → char?`
    k : natural?

    Returns a character.

    Example:

    ```
    (define (f x)
      (g x))
    #t
    ```
    ");
}

#[test]
fn a_tag_before_a_predicate_is_no_part_of_its_name() {
    let html = "<h2>Control</h2><dl class=latex><dt class=pubdef><span class=pred-tag>[ISO]</span>\
        <a id='halt/1'><strong>halt</strong>(<var>+Status</var>)</a></dt><dd class=defbody>
        Ends the process.</dd></dl>";
    assert_snapshot!(page_of("", html), @"
    ## Control

    ### halt

    `[ISO] halt(+Status)`
    Ends the process.
    ");
}

#[test]
fn keywords_of_haproxy_are_sections() {
    let html = "<div id=sidebar>Keyboard navigation</div><div id=page-wrapper>
        <h2 id='chapter-3.1'><small><a href='#3.1'>3.1.</a></small> Security</h2>
        <a class=anchor name='3-ca-base'></a><div class=keyword><b><a class=anchor name=ca-base></a>
        <a href='#3.1-ca-base'>ca-base</a></b> <span>&lt;dir&gt;</span></div>
        <pre class=text>Assigns a directory\nto certificates.</pre></div>";
    assert_snapshot!(page_of("", html), @"
    ## 3.1. Security

    ### ca-base

    `ca-base <dir>`

    ```
    Assigns a directory
    to certificates.
    ```
    ");
}

#[test]
fn signatures_of_gapdoc_are_code() {
    let html = "<div class=chlinktop>Goto Chapter</div><h5>43.2-1 OrbitPerms</h5>
        <div class=func><table class=func><tr><td class=tdleft><code class=func>&#8227; OrbitPerms\
        </code>( <var>perms</var> )</td><td class=tdright>(&nbsp;function&nbsp;)</td></tr></table>
        </div><p>returns the orbit.</p>";
    assert_snapshot!(page_of("GAPDoc2HTML", html), @"
    ##### 43.2-1 OrbitPerms

    ```
    ‣ OrbitPerms( perms ) ( function )
    ```

    returns the orbit.
    ");
}

#[test]
fn doxygen_has_links_to_more_and_numbers_of_overloads_that_say_nothing() {
    let html = "<div class=header><div class=headertitle><div class=title>Point</div></div></div>
        <div class=contents><p>A point. <a href='#details'>More...</a></p>
        <table class=memberdecls><tr class=inherit_header><td colspan=2><img src=closed.png alt='-'>
        From Base</td></tr><tr><td class=mdescLeft>&nbsp;</td><td class=mdescRight>Moves a
        <a class=el href=p.html>Point</a>. <a href='#a1'>More...</a><br></td></tr></table>
        <h2 class=memtitle><span class=permalink><a href='#a1'>x</a></span>move()
        <span class=overload>[1/2]</span></h2><div class=memproto>void move ()</div></div>";
    assert_snapshot!(page_of("Doxygen 1.9.4", &format!("<div id=doc-content>{html}</div>")), @"
    # Point

    A point.

    |  |  |
    |---|---|
    | From Base |  |
    |  | Moves a Point. |

    ## move

    `void move ()`
    ");
}

#[test]
fn members_of_scaladoc_are_named_and_have_one_comment() {
    let html = "<body class=type><div id=definition><h1>Vector</h1></div>
        <h4 id=signature class=signature><span class=modifier_kind><span class=modifier>final
        </span><span class=kind>class</span></span> <span class=symbol>
        <span class=name>Vector</span><span class=tparams>[<span name=A>+A</span>]</span></span>
        </h4>
        <div id=comment class=fullcommenttop><p>A sequence.</p></div><div id=template>
        <div id=allMembers><h3>Value Members</h3><ol><li><a id='apply(i:Int):A'></a>
        <h4 class=signature><span class=kind>def</span> <span class=symbol><a href=x>
        <span class=name>apply</span></a>(i: Int): A</span></h4>
        <p class='shortcomment cmt'>Selects.</p><div class=fullcomment><div class='comment cmt'>
        <p>Selects. It is fast.</p></div></div></li><li><h4 class=signature>def <span class=symbol>
        <span class=implicit>+</span>(b: B)</span></h4><p class=shortcomment>Adds.</p></li></ol>
        </div></div></body>";
    assert_snapshot!(text(html), @"
    # Vector

    ## Vector

    `final class Vector[+A]`
    A sequence.

    ### Value Members

    #### apply

    `def apply(i: Int): A`
    Selects. It is fast.

    #### +

    `def +(b: B)`
    Adds.
    ");
}
