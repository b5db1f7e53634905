//! What documentation tools have in common, and what is their own: rows in a table. A page of an
//! unknown tool works by structure alone.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use scraper::{ElementRef, Html, Selector};

use crate::page::element::{is_heading, plain_text, selector};

/// A structure that an element of any name can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    /// A heading of rank 1 that is no `h1`.
    Heading,
    /// The signature of a definition that is no `dt`.
    Definition,
    /// The name in a signature.
    Name,
    /// Code that is no `pre`.
    Code,
    /// Code whose lines only `br` ends.
    CodeWithBreaks,
    /// A table that is no `table`: cells in a row, those of the header first.
    Grid,
    /// The title of a note, which begins its paragraph: `Note:`.
    Lead,
    /// What stands at the head of a section and is read at its end: its history.
    Postscript,
}

/// A documentation tool: how its pages are known, and where their content is.
#[derive(Debug)]
pub(super) struct GeneratorRow {
    /// The name, as reports give it.
    pub(super) name: &'static str,
    /// A page is of this tool if one of these matches.
    marks: &'static str,
    /// Where the content is; the first that matches counts.
    main: &'static [&'static str],
    /// Where the content may be, if the most of it is there.
    perhaps: &'static [&'static str],
    /// What is no content inside of it.
    pub(super) noise: &'static str,
    /// What a script shows, though it is hidden without.
    unhidden: Option<&'static str>,
    /// What is a structure of the content though its name says nothing.
    structures: &'static [(Structure, &'static str)],
}

/// What a row has where it says nothing else.
const ANY: GeneratorRow = GeneratorRow {
    name: "",
    marks: "",
    main: &[],
    perhaps: &[],
    noise: "",
    unhidden: None,
    structures: &[],
};

/// The tools, the more specific first.
const GENERATORS: [GeneratorRow; 22] = [
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
        noise: ".nav-wrapper, .buttons",
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
        marks: "meta[name=generator][content^=javadoc], \
            meta[name=dc\\.created] ~ link[href$='stylesheet.css'], .topNav > a[name^=navbar]",
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
        marks: "meta[name=generator][content^=Doxygen], meta[name=Generator][content^=Doxygen]",
        main: &["#doc-content", ".contents"],
        noise: ".summary, .permalink, .memSeparator, #nav-path, .navpath, .ttc, \
            .ingroups",
        structures: &[
            (Structure::Heading, ".headertitle > .title"),
            (Structure::Code, ".fragment, .memproto"),
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
        marks: "meta[name=generator][content*=DocBook], div.navheader, div.navfooter",
        main: &["#docContent", "body"],
        // A table of contents may say what each page is for. The last two are of GTK-Doc.
        noise: ".navheader, .navfooter, .toc:not(:has(.refpurpose)), .toc > p, .titlepage > hr, \
            table.navigation, body > .footer, \
            :is(.note, .tip, .warning, .caution, .important) > table img",
        structures: &[(
            Structure::Lead,
            ":is(.note, .tip, .warning, .caution, .important) > .title, \
                :is(.note, .tip, .warning, .caution, .important) > table th",
        )],
        ..ANY
    },
    GeneratorRow {
        name: "Haddock",
        marks: "script[src^='haddock-bundle'], meta[name=generator][content^=Haddock], \
            #package-header + #content > #module-header",
        main: &["#content"],
        noise: ".link, .selflink, #table-of-contents, #synopsis, .instance.details .src",
        structures: &[(Structure::Definition, ".top > .src")],
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
        structures: &[(Structure::Name, "dt > .category ~ span > strong, dt .def-name")],
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
            .viewcode-link, .versionmodified + .pre",
        ..ANY
    },
    GeneratorRow {
        name: "plain",
        marks: "html",
        main: &["main", "[role=main]", "#content", "#main-content", "#main"],
        perhaps: &["body > article", "div.main", "div.content", "article"],
        noise: ".headerlink, .sidebar, .navbar",
        ..ANY
    },
];

/// The titles of notes on any page.
const LEADS: &str = ".admonition-title";
/// What is no content on any page.
const NOISE: &str = "script, style, noscript, template, svg, nav, footer, \
    aside[class*=toc], aside[class*=nav], aside[class*=sidebar-], aside[class*='-sidebar'], \
    button, .linenos, .lineno, .listing_lines, iframe, object, [role=navigation], [role=search], \
    [role=contentinfo], [role=banner], .breadcrumbs, .breadcrumb, .skip-link, .sr-only, \
    .visually-hidden, .dropdown-menu, a.anchor, span.anchor, .copybutton, .clip-button, \
    .pagination, .toc-mobile, canvas, video, audio";
/// What stands beside the text and belongs to it, though it may be a link alone.
static NOTE: LazyLock<Selector> = LazyLock::new(|| selector(".admonition, [role=note]"));
/// How far outside of the page nothing is seen, in any unit.
const FAR_OUTSIDE: f64 = -900.0;
/// Values that say nothing of the colour itself.
const NO_COLOURS: [&str; 5] = ["", "inherit", "initial", "unset", "revert"];
/// What a reader of the page does not see, besides what a style hides. Counted, never shown.
const HIDDEN: &str = "[hidden]:not([hidden='until-found']), [aria-hidden=true], dialog:not([open])";

/// A row whose selectors are compiled.
#[derive(Debug)]
pub(super) struct Generator {
    pub(super) row: &'static GeneratorRow,
    marks: Selector,
    pub(super) main: Vec<Selector>,
    pub(super) perhaps: Vec<Selector>,
    noise: Selector,
    hidden: Selector,
    unhidden: Option<Selector>,
    structures: Vec<(Structure, Selector)>,
}

static TABLE: LazyLock<Vec<Generator>> = LazyLock::new(|| {
    let compiled = |selector: &str| Selector::parse(selector).expect("a test compiles every row");
    GENERATORS
        .iter()
        .map(|row| Generator {
            row,
            marks: compiled(row.marks),
            main: row.main.iter().map(|one| compiled(one)).collect(),
            perhaps: row.perhaps.iter().map(|one| compiled(one)).collect(),
            noise: compiled([NOISE, row.noise].join(", ").trim_end_matches(", ")),
            hidden: compiled(HIDDEN),
            unhidden: row.unhidden.map(compiled),
            structures: [(Structure::Lead, LEADS)]
                .iter()
                .chain(row.structures)
                .map(|(kind, one)| (*kind, compiled(one)))
                .collect(),
        })
        .collect()
});

impl Generator {
    /// Returns the tool that made a page; the last row matches every page.
    pub(super) fn of(html: &Html) -> &'static Generator {
        let is_of = |one: &&Generator| html.select(&one.marks).next().is_some();
        TABLE.iter().find(is_of).unwrap_or(&TABLE[TABLE.len() - 1])
    }

    /// Reports whether a reader of the page does not see an element, if the one around it is shown.
    pub(super) fn is_hidden(&self, element: ElementRef<'_>) -> bool {
        let hides = self.hidden.matches(&element) || element.attr("style").is_some_and(hides);
        hides && !self.unhidden.as_ref().is_some_and(|one| one.matches(&element))
    }

    /// Reports whether an element is no content.
    pub(super) fn is_noise(&self, element: ElementRef<'_>) -> bool {
        self.noise.matches(&element) && !is_heading_button(element)
            || element.value().name() == "aside" && !NOTE.matches(&element) && is_menu(element)
    }

    /// Returns the name that a signature marks as such.
    pub(super) fn name_in(&self, signature: ElementRef<'_>) -> Option<String> {
        let is_name = |one: &ElementRef<'_>| self.structure(*one) == Some(Structure::Name);
        let name = signature.descendent_elements().find(is_name).map(plain_text)?;
        Some(name).filter(|name| !name.is_empty())
    }

    /// Returns what an element is though its name does not say so.
    pub(super) fn structure(&self, element: ElementRef<'_>) -> Option<Structure> {
        let found = self.structures.iter().find(|(_, one)| one.matches(&element));
        found.map(|(structure, _)| *structure)
    }

    /// Reports whether an element is content that a reader sees, if the one around it is.
    pub(super) fn shows(&self, element: ElementRef<'_>) -> bool {
        !self.is_hidden(element) && !self.is_noise(element)
    }
}

/// Reports whether an element is a button that is all of a heading, and opens what stands below.
fn is_heading_button(element: ElementRef<'_>) -> bool {
    let is_button = element.value().name() == "button";
    let heading = element.parent().and_then(ElementRef::wrap).filter(|one| is_heading(*one));
    heading.is_some_and(|heading| is_button && plain_text(heading) == plain_text(element))
}

/// Reports whether most of the text of an element is links: what stands beside the text is content
/// otherwise, a note or an example.
fn is_menu(element: ElementRef<'_>) -> bool {
    let length = |element: ElementRef<'_>| plain_text(element).len();
    let links = element.descendent_elements().filter(|one| one.value().name() == "a");
    2 * links.map(length).sum::<usize>() > length(element)
}

/// Reports whether the declarations of a style hide an element: it is not drawn, has no size, lies
/// far outside of the page, or has the colour of its ground.
fn hides(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    let declared: BTreeMap<&str, &str> = style
        .split(';')
        .filter_map(|declaration| declaration.split_once(':'))
        .map(|(name, value)| (name.trim(), value.trim_end_matches("!important").trim()))
        .collect();
    let of = |name: &str| declared.get(name).copied().unwrap_or_default();
    let is_zero = |name: &str| number(of(name)) == Some(0.0);
    let is_far = |name: &&str| number(of(name)).is_some_and(|number| number <= FAR_OUTSIDE);
    let clips = of("overflow") == "hidden";
    // The ground shows in the letters of such a text.
    let is_cut_out = ["background-clip", "-webkit-background-clip"].map(of).contains(&"text");
    let colour = of("color");
    let is_of_ground = !NO_COLOURS.contains(&colour)
        && [of("background-color"), of("background")].contains(&colour);
    of("display") == "none"
        || matches!(of("visibility"), "hidden" | "collapse")
        || ["opacity", "font-size"].into_iter().any(is_zero)
        || clips && ["height", "max-height", "width"].into_iter().any(is_zero)
        || ["left", "right", "top", "text-indent"].iter().any(is_far)
        || of("clip-path").starts_with("inset(100%")
        || of("transform").starts_with("scale(0)")
        || !is_cut_out && (matches!(colour, "transparent" | "rgba(0,0,0,0)") || is_of_ground)
}

/// Returns the number of a value such as `-9999px`, `0` or `1.5em`.
fn number(value: &str) -> Option<f64> {
    value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_hides_by_its_values() {
        for hidden in [
            "display:none",
            "color: red; DISPLAY : None !important",
            "visibility: hidden",
            "opacity:0",
            "opacity: 0",
            "opacity: 0.0 ; x",
            "font-size: 0px",
            "position:absolute;left:-9999px",
            "text-indent: -1000em",
            "height:0;overflow:hidden",
            "max-height: 0px; overflow: hidden",
            "clip-path:inset(100%)",
            "transform:scale(0)",
            "color:#fff;background:#FFF",
            "color: transparent",
        ] {
            assert!(hides(hidden), "{hidden}");
        }
        for shown in [
            "opacity:0.9",
            "font-size:0.875rem",
            "fill-opacity:0",
            "display:block",
            "",
            "opacity",
            "margin-left:-20px",
            "height:0",
            "overflow:hidden",
            "color:#fff;background:#000",
            "color: inherit; background: inherit",
            "background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent",
            "position:absolute;left:50%;margin-left:-500px;width:1000px",
            "transform: scale(0.5)",
        ] {
            assert!(!hides(shown), "{shown}");
        }
    }

    #[test]
    fn every_row_compiles_and_the_last_one_matches_anything() {
        assert_eq!(TABLE.len(), GENERATORS.len());
        assert_eq!(Generator::of(&Html::parse_document("")).row.name, "plain");
    }
}
