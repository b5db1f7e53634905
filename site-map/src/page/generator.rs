//! What a page of a tool has: its content, its noise and its structures, by the table of tools and
//! by what all pages have in common. A page of an unknown tool works by structure alone.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use scraper::{ElementRef, Html, Selector};

use crate::page::element::{is_heading, plain_text, selector};
use crate::page::generator_rows::{GENERATORS, GeneratorRow, Structure};

/// The titles of notes on any page.
const LEADS: &str = ".admonition-title";
/// What is no content on any page.
const NOISE: &str = "script, style, noscript, noframes, template, svg:not(:has(text)), nav, \
    footer, aside[class*=toc], aside[class*=nav], aside[class*=sidebar-], \
    aside[class*='-sidebar'], button, .linenos, .lineno, .listing_lines, iframe, object, \
    [role=navigation], [role=search], [role=contentinfo], [role=banner], .breadcrumbs, \
    .breadcrumb, .skip-link, .sr-only, .visually-hidden, .dropdown-menu, a.anchor, span.anchor, \
    .copybutton, .clip-button, .pagination, .toc-mobile, canvas, video, audio";
/// What is no content on any page if most of its text is links.
const MENUS: &str = "aside";
/// What stands beside the text and belongs to it, though it may be a link alone.
static NOTE: LazyLock<Selector> = LazyLock::new(|| selector(".admonition, [role=note]"));
/// The most children of a heading that is one button: each of many would be compared with all.
const MAX_IN_HEADING: usize = 50;
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
    marks: Option<Selector>,
    marks_in_order: Vec<Vec<Selector>>,
    pub(super) main: Vec<Selector>,
    pub(super) perhaps: Vec<Selector>,
    noise: Selector,
    menus: Selector,
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
            marks: (!row.marks.is_empty()).then(|| compiled(row.marks)),
            marks_in_order: row
                .marks_in_order
                .iter()
                .map(|marks| marks.iter().map(|one| compiled(one)).collect())
                .collect(),
            main: row.main.iter().map(|one| compiled(one)).collect(),
            perhaps: row.perhaps.iter().map(|one| compiled(one)).collect(),
            noise: compiled([NOISE, row.noise].join(", ").trim_end_matches(", ")),
            menus: compiled([MENUS, row.menus].join(", ").trim_end_matches(", ")),
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
        let is_of = |one: &&Generator| {
            one.marks.as_ref().is_some_and(|marks| html.select(marks).next().is_some())
                || one.marks_in_order.iter().any(|marks| stand_in_order(html, marks))
        };
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
            || self.menus.matches(&element) && !NOTE.matches(&element) && is_menu(element)
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

/// Reports whether elements of all these kinds stand beside one another in this order, in one pass.
/// A selector with `~` looks back at all that stands before each element.
fn stand_in_order(html: &Html, marks: &[Selector]) -> bool {
    let Some((first, rest)) = marks.split_first() else { return false };
    let Some(first) = html.select(first).next() else { return false };
    let mut beside = first.next_siblings().filter_map(ElementRef::wrap);
    rest.iter().all(|mark| beside.any(|one| mark.matches(&one)))
}

/// Reports whether an element is a button that is all of a heading, and opens what stands below.
fn is_heading_button(element: ElementRef<'_>) -> bool {
    let is_button = element.value().name() == "button";
    let around = element.parent().and_then(ElementRef::wrap).filter(|_| is_button);
    around.is_some_and(|around| {
        is_heading(around)
            && around.children().nth(MAX_IN_HEADING).is_none()
            && plain_text(around) == plain_text(element)
    })
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

    #[test]
    fn no_mark_looks_back_at_all_that_stands_before_it() {
        for row in &GENERATORS {
            assert!(!row.marks.contains('~'), "{}", row.name);
        }
        let of = |html: &str| Generator::of(&Html::parse_document(html)).row.name;
        assert_eq!(of("<h1>A</h1><p>b</p><a href='#index'>I</a><a href=b>B</a>"), "man2html");
        assert_eq!(of("<a href='#index'>I</a><a href=b>B</a><h1>A</h1>"), "plain");
        assert_eq!(
            of("<div id=page-header></div><div id=path></div><p id=page-content>"),
            "Apache"
        );
        assert_eq!(of("<div id=page-header></div><p id=page-content></p><p id=path>"), "plain");
    }

    #[test]
    fn a_heading_of_many_parts_is_no_button() {
        let is_noise = |n_more: usize| {
            let html = format!("<h2><button>Open</button>{}</h2>", "<i></i>".repeat(n_more));
            let html = Html::parse_document(&html);
            let button = html.select(&selector("button")).next().unwrap();
            Generator::of(&html).is_noise(button)
        };
        assert_eq!([1, 49, 50].map(is_noise), [false, false, true]);
    }
}
