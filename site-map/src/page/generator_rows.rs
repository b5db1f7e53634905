//! The table of documentation tools: how their pages are known, and what is their own.

/// A structure that an element of any name can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    /// A heading of rank 1 that is no `h1`.
    Heading,
    /// A heading below the section or the definition that it stands in, and no `h2` to `h6`.
    Subheading,
    /// The signature of a definition that is no `dt`.
    Definition,
    /// The name in a signature.
    Name,
    /// The whole signature of the definition before it, whose name alone stands there.
    Signature,
    /// Code that is no `pre`.
    Code,
    /// Code whose lines only `br` ends.
    CodeWithBreaks,
    /// A table that is no `table`: cells in a row, those of the header first.
    Grid,
    /// The title of a note, which begins its paragraph: `Note:`.
    Lead,
    /// What only places its content, whatever its name says.
    Layout,
    /// What stands at the head of a section and is read at its end: its history.
    Postscript,
}

/// A documentation tool: how its pages are known, and where their content is.
#[derive(Debug)]
pub(super) struct GeneratorRow {
    /// The name, as reports give it.
    pub(super) name: &'static str,
    /// A page is of this tool if one of these matches.
    pub(super) marks: &'static str,
    /// The same for elements that stand beside one another in this order, with others between them.
    pub(super) marks_in_order: &'static [&'static [&'static str]],
    /// Where the content is; the first that matches counts.
    pub(super) main: &'static [&'static str],
    /// Where the content may be, if the most of it is there.
    pub(super) perhaps: &'static [&'static str],
    /// What is no content inside of it.
    pub(super) noise: &'static str,
    /// What is no content if most of its text is links, besides any `aside`.
    pub(super) menus: &'static str,
    /// What a script shows, though it is hidden without.
    pub(super) unhidden: Option<&'static str>,
    /// What is a structure of the content though its name says nothing.
    pub(super) structures: &'static [(Structure, &'static str)],
}

/// What a row has where it says nothing else.
const ANY: GeneratorRow = GeneratorRow {
    name: "",
    marks: "",
    marks_in_order: &[],
    main: &[],
    perhaps: &[],
    noise: "",
    menus: "",
    unhidden: None,
    structures: &[],
};

/// The tools, the more specific first.
pub(super) const GENERATORS: [GeneratorRow; 37] = [
    GeneratorRow {
        name: "rustdoc",
        marks: "meta[name=generator][content=rustdoc], body.rustdoc, rustdoc-search",
        main: &["#main-content", "main"],
        noise: ".src, .srclink, .rightside, .out-of-band, .sidebar, .sub-heading, #copy-path, \
            .collapse-toggle, rustdoc-toolbar, .hideme, .test-arrow, \
            .example-wrap > .button-holder, .where.fmt-newline ~ .since, .tooltip",
        ..ANY
    },
    GeneratorRow {
        name: "mdBook",
        marks: "#mdbook-help-container, #mdbook-content, #mdbook-sidebar, \
            body > #body-container > #page-wrapper, #page-wrapper nav#sidebar",
        main: &["#mdbook-content main", "#content main", "main"],
        // Lines of a program that a reader sees after a click.
        noise: ".nav-wrapper, .buttons, code .boring",
        ..ANY
    },
    GeneratorRow {
        name: "Docusaurus",
        marks: "meta[name=generator][content^=Docusaurus], #__docusaurus",
        main: &[".theme-doc-markdown", "article", "main"],
        noise: ".theme-doc-breadcrumbs, .theme-doc-toc-mobile, .pagination-nav, \
            .theme-doc-footer, .hash-link",
        // A click opens them: the texts behind a summary, and all tabs but the first.
        unhidden: Some("details > div, [role=tabpanel]"),
        ..ANY
    },
    GeneratorRow {
        name: "MkDocs",
        marks: "meta[name=generator][content^=mkdocs], .md-content, .md-container",
        main: &["article.md-content__inner", ".md-content", "div[role=main]"],
        noise: ".md-source-file, .md-content__button, .md-feedback",
        ..ANY
    },
    GeneratorRow {
        name: "Javadoc",
        marks: "meta[name=generator][content^=javadoc], .topNav > a[name^=navbar]",
        marks_in_order: &[&["meta[name=dc\\.created]", "link[href$='stylesheet.css']"]],
        main: &["main", ".contentContainer", "body"],
        noise: ".header-navigation, .sub-nav, .copy, .table-tabs, .topNav, .bottomNav, .subNav",
        structures: &[
            (
                Structure::Code,
                ".member-signature, .type-signature, .package-signature, .module-signature",
            ),
            (Structure::Grid, ".summary-table"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "Doxygen",
        // A page with a head of its own says nothing of its tool.
        marks: "meta[name=generator][content^=Doxygen], meta[name=Generator][content^=Doxygen], \
            div.header > div.headertitle > div.title, h2.memtitle",
        main: &["#doc-content", "div.header, div.contents", ".contents"],
        noise: "#top, #titlearea, .summary, address.footer, .permalink, .memSeparator, #nav-path, \
            .navpath, .ttc, .ingroups, .memtitle > .overload, .mdescRight > a:not([class]), \
            .directory > .levels, .directory .arrow, .directory .icona, \
            .contents > p > a[href='#details'], #MSearchSelectWindow, #MSearchResultsWindow",
        structures: &[
            (Structure::Heading, ".headertitle > .title"),
            // It has the rank of the section that it stands in.
            (Structure::Definition, ".memtitle"),
            (Structure::Signature, ".memproto"),
            (Structure::Code, ".fragment"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "TypeDoc",
        marks: "meta[name=generator][content^=typedoc], .tsd-page-title",
        main: &[".col-content", ".col-8"],
        noise: ".tsd-breadcrumb, .tsd-anchor-icon, .tsd-sources",
        ..ANY
    },
    GeneratorRow {
        name: "godoc",
        marks: "meta[name=generator][content^=godoc], .UnitDoc, #pkg-overview, #pkg-index",
        main: &[".UnitDoc", ".Documentation", "#page", "main"],
        noise: ".UnitReadme-expandLink, .Documentation-source, .UnitFiles",
        ..ANY
    },
    GeneratorRow {
        name: "Hugo",
        marks: "meta[name=generator][content^=Hugo], .td-content, .td-main",
        main: &[".td-content", "article", "main"],
        noise: ".td-page-meta, .td-heading-self-link, .feedback--answer, .article-meta",
        ..ANY
    },
    GeneratorRow {
        name: "MediaWiki",
        marks: "meta[name=generator][content^=MediaWiki], body.mediawiki, #mw-content-text",
        main: &["#mw-content-text", "#bodyContent", "#content"],
        noise: ".mw-editsection, .editsection, .toc, #toc, .navbox, .noprint, .printfooter, \
            .catlinks, .t-navbar, .coliru-btn, .t-example-live-link, .mw-jump-link, \
            .reflist .mw-cite-backlink, .mw-empty-elt, .t-mark-rev-inl, #siteSub, #contentSub",
        ..ANY
    },
    GeneratorRow {
        name: "AsciiDoc",
        marks: "meta[name=generator][content^=AsciiDoc], \
            meta[name=generator][content^=Asciidoctor]",
        // The title of the document and the name of a command stand before the content.
        main: &["body"],
        noise: "#toc, #footer",
        structures: &[(Structure::Lead, ".admonitionblock > table td.icon")],
        ..ANY
    },
    GeneratorRow {
        name: "Node.js",
        marks: "body.apidoc #apicontent",
        main: &["#apicontent"],
        structures: &[
            (
                Structure::Heading,
                "#apicontent > h2:first-child, #apicontent > section:first-child > h2:first-child",
            ),
            (Structure::Postscript, ".api_metadata"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "DocBook",
        // DSSSL writes names in capitals.
        // Publican names itself alone, and has navigation of its own.
        marks: "meta[name=generator i][content*=DocBook], div[class=navheader i], \
            div[class=navfooter i], meta[name=generator i][content^=publican i], ul.docnav",
        main: &["#docContent", "body"],
        // A table of contents may say what each page is for; that of the whole is what its first
        // page is for, and that of a part is all that its page has. Then come those of GTK-Doc,
        // Boost, Valgrind and Publican.
        noise: "[class=navheader i], [class=navfooter i], \
            .toc:not(:has(.refpurpose), :is(.book, .set, .article, .part) > .toc, dl), .toc > p, \
            :is(.list-of-tables, .list-of-figures, .list-of-examples, .list-of-equations), \
            .titlepage > hr, div.TOC:not(:is(.BOOK, .SET, .ARTICLE) > .TOC), \
            table.navigation, body > .footer, .spirit-nav, .copyright-footer, table.nav, \
            :is(.note, .tip, .warning, .caution, .important) > table img, th.func_table_entry, \
            .docnav, p#title",
        structures: &[
            // The functions of PostgreSQL.
            (Structure::Layout, "table:has(td.func_table_entry)"),
            (Structure::Definition, "td.func_table_entry > .func_signature"),
            (Structure::Name, "td.func_table_entry > .func_signature > .function"),
            (
                Structure::Lead,
                ":is(.note, .tip, .warning, .caution, .important, .sidebar) > .title, \
                    :is(.note, .tip, .warning, .caution, .important) > table th, \
                    .sidebar > .titlepage .title",
            ),
            // The members of a class of Boost.
            (Structure::Definition, "ol > li.listitem > pre.literallayout:has(a[name])"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "Haddock",
        marks: "script[src^='haddock-bundle'], meta[name=generator][content^=Haddock], \
            #package-header + #content > #module-header",
        main: &["#content"],
        noise: ".link, .selflink, #table-of-contents, #synopsis, .instance.details .src",
        structures: &[
            (Structure::Heading, "#module-header > .caption"),
            (Structure::Definition, ".top > .src"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "Ada manual",
        marks: "meta[name=generator i][content^='Arm_Form']",
        main: &["body"],
        noise: "div:has(> a > img[alt=Contents])",
        structures: &[(Structure::CodeWithBreaks, "div[class$=Examples]")],
        ..ANY
    },
    GeneratorRow {
        name: "Crystal",
        marks: "meta[name=generator][content^='Crystal Docs']",
        main: &[".main-content"],
        noise: ".tooltip > span",
        structures: &[
            (Structure::Definition, ".entry-detail > .signature"),
            (Structure::Name, ".entry-detail > .signature > strong"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "Nim",
        marks: "#documentId.document > .container > h1.title",
        main: &["#documentId > .container"],
        noise: ".three.columns, .link-seesrc, .footer, .pragmadots",
        structures: &[(Structure::Name, "dt > pre > a > .Identifier")],
        ..ANY
    },
    GeneratorRow {
        name: "LaTeX2HTML",
        marks: "meta[name=generator i][content^=LaTeX2HTML]",
        main: &["body"],
        noise: ".navigation",
        ..ANY
    },
    GeneratorRow {
        name: "LibreOffice",
        marks: "#DisplayArea[itemprop=softwareHelp]",
        main: &["#DisplayArea"],
        // One of several texts, by the system that the reader has.
        unhidden: Some(":is(.switch, .switchinline) > [id^=default]"),
        structures: &[(Structure::Lead, ".noteicon")],
        ..ANY
    },
    GeneratorRow {
        name: "Texinfo",
        marks: "meta[name=generator i][content=makeinfo], \
            meta[name=generator i][content^=texi2any], meta[name=generator i][content^=texi2html]",
        main: &["body"],
        noise: ".header, .nav-panel, .nav_table, .copiable-link, #tocframe, #footer",
        structures: &[
            (Structure::Name, "dt > .category ~ span > strong, dt .def-name"),
            (Structure::Subheading, "pre.menu-comment"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "haproxy-dconv",
        marks: "div.keyword > b > a.anchor",
        main: &["#page-wrapper"],
        structures: &[(Structure::Definition, "div.keyword"), (Structure::Name, "div.keyword > b")],
        ..ANY
    },
    GeneratorRow {
        name: "GAPDoc",
        marks: "meta[name=generator][content^=GAPDoc]",
        main: &["body"],
        noise: ".chlinktop, .chlinkprevnexttop, .chlinkprevnextbot, .chlinkbot, .foot",
        structures: &[(Structure::Code, "div.func")],
        ..ANY
    },
    GeneratorRow {
        name: "Scaladoc",
        marks: "#template #allMembers, body.type > #definition",
        main: &["body"],
        // The short comment is the beginning of the full one, which a click opens.
        noise: "#mbrsel, .permalink, #owner, .morelinks, .shortcomment:has(+ .fullcomment), \
            #footer, #tooltip, #definition > a, #definition > img",
        structures: &[
            (Structure::Code, ".full-signature-block h4.signature"),
            (Structure::Definition, "h4.signature"),
            (Structure::Name, "h4.signature .symbol .name, h4.signature .symbol > .implicit"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "Scribble",
        marks: "link[href$='scribble.css'], script[src$='scribble-common.js']",
        main: &[".maincolumn > .main"],
        noise: ".navsettop, .navsetbottom, .RBackgroundLabel",
        structures: &[
            (Structure::Definition, ".RForeground"),
            (Structure::Name, ".RForeground .RktValDef, .RForeground .RktStxDef"),
            (Structure::Code, ".RktBlk"),
            (Structure::Layout, "blockquote, .RBoxed"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "SWI-Prolog",
        marks: "dt.pubdef, dt.multidef",
        main: &["body"],
        noise: ".toc, .navigate",
        structures: &[(Structure::Name, "dt.pubdef > a > strong, dt.multidef > a > strong")],
        ..ANY
    },
    GeneratorRow {
        name: "gi-docgen",
        marks_in_order: &[&["#body-wrapper > nav.sidebar", "#main"]],
        main: &["#main"],
        noise: ".anchor, .md-anchor, .srclink",
        // What the page is about: a class, a method, a signal.
        structures: &[(Structure::Lead, "#main > header > h3")],
        ..ANY
    },
    GeneratorRow {
        name: "Erlang/OTP",
        marks: "link[href$='otp_doc.css']",
        main: &["#content"],
        noise: ".title-anchors, .footer",
        structures: &[
            (Structure::Definition, ".func-head, h4.data-type-name"),
            // Its rank is above that of the function that the types are of.
            (Structure::Lead, ".func-types-title, :is(.note, .warning, .do, .dont) > .label"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "YARD",
        marks: "a.full_list_link, .method_details > h3.signature",
        main: &["#content"],
        // A click shows the code of a method, with the numbers of its lines.
        noise: ".source_code, .summary_toggle, .showSource",
        structures: &[
            (Structure::Definition, ".method_details > h3.signature"),
            (Structure::Name, "h3.signature > strong, h3.signature > .overload > strong"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "RDoc",
        marks: "link[href$='rdoc.css'], script[src$='darkfish.js']",
        main: &["main", "#documentation"],
        // A click shows the code of a method.
        noise: ".method-source-code, .method-click-advice, .method-controls",
        structures: &[
            (Structure::Definition, ".method-heading"),
            (Structure::Name, ".method-heading .method-name"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "QDoc",
        marks: "#qtdocheader",
        main: &[".mainContent"],
        noise: ".sidebar",
        structures: &[
            (Structure::Definition, "h3.fn"),
            (Structure::Name, "h3.fn > .name, h3.fn > code > .name"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "pydoctor",
        marks: "meta[name=generator][content^=pydoctor]",
        main: &["body"],
        noise: ".sourceLink, .headerLink, .categoryHeader, #showPrivate, #current-docs-container",
        structures: &[
            (Structure::Definition, ".functionHeader"),
            (Structure::Name, ".functionHeader .py-defname"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "FPDoc",
        marks: "link[href$='fpdoc.css']",
        main: &["body"],
        // The places of the unit above the title, and those of a class below.
        noise: "table.bar, h1 + p:has(> a[onclick])",
        ..ANY
    },
    GeneratorRow {
        name: "man2html",
        // Beside the link to the index is one to other manual pages, or none.
        marks_in_order: &[
            &["body > h1", "a[href='#index'] + a"],
            &["body > h1", "a[href='#index']", "a[name=index] + h2"],
        ],
        main: &["body"],
        // The sections are named once more at the end.
        noise: "a[href='#index'], a[href='#index'] + a, a[name=index] + h2, \
            a[name=index] + h2 + dl",
        ..ANY
    },
    GeneratorRow {
        name: "Apache",
        marks_in_order: &[&["#page-header", "#path", "#page-content"]],
        main: &["#page-content"],
        noise: ".toplang, .bottomlang, .top, #quickview",
        structures: &[(Structure::Lead, ":is(.note, .warning, .example) > h3")],
        ..ANY
    },
    GeneratorRow {
        name: "Exim",
        marks: "[class^=docbook_]",
        main: &["#chapter", "#content"],
        noise: ".previous_page, .next_page, .toc_page",
        structures: &[
            (
                Structure::Definition,
                "table:has(tr:only-child > td:first-child:nth-last-child(4) > .docbook_option)",
            ),
            (Structure::Name, "td:first-child > .docbook_option"),
        ],
        ..ANY
    },
    GeneratorRow {
        name: "Sphinx",
        marks: "div.sphinxsidebar, link[href*='_static/pygments.css'], \
            link[href*='_static/basic.css'], div.documentwrapper, \
            script[src*='_static/documentation_options.js']",
        main: &["[role=main]", "div.body", "#yui-main", "article", "#content"],
        noise: ".headerlink, .viewcode-back, \
            .toctree-l3, .contents.topic, .related, .sphinxsidebar, \
            .viewcode-link, .versionmodified + .pre, .prev-next-area, .prev-next-footer",
        // The parts of a docstring: `Notes`, `Examples`.
        structures: &[(Structure::Subheading, "p.rubric")],
        ..ANY
    },
    GeneratorRow {
        name: "plain",
        marks: "html",
        main: &["main", "[role=main]", "#content", "#main-content", "#main"],
        perhaps: &["body > article", "div.main", "div.content", "article"],
        // The last one is the table of contents of a manual page in Perl's markup.
        noise: ".headerlink, .navbar, ul#index:has(+ h1)",
        // A box beside the text is content otherwise.
        menus: ".sidebar",
        ..ANY
    },
];
