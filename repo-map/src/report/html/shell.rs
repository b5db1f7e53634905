//! The page around a document: built-in markup, styles and script, and a policy under which nothing
//! else runs or loads.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// One script, so that its parts share definitions and the page has no globals.
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("page/elements.js"),
    include_str!("page/tools.js"),
    include_str!("page/tree.js"),
    include_str!("page/turns.js"),
    include_str!("page/treemap.js"),
    include_str!("page/slider.js"),
    include_str!("page/file.js"),
    include_str!("page/ranking.js"),
    include_str!("page/decisions.js"),
    include_str!("page/left-out.js"),
    include_str!("page/start.js"),
    "})();\n"
);

/// Returns the size of a page without its document, in bytes.
pub(crate) fn bytes() -> usize {
    filled("").len()
}

/// Returns the page of a document, which must be JSON that is safe in HTML.
pub(crate) fn filled(document: &str) -> String {
    with_parts(PAGE, STYLE, SCRIPT, document)
}

/// Returns another page of a document in the same style: its markup has the same marks, and its
/// script begins with the same elements.
pub(crate) fn other(markup: &str, style: &str, script: &str, document: &str) -> String {
    let elements = include_str!("page/elements.js");
    let script = format!("(() => {{\n\"use strict\";\n{elements}{script}}})();\n");
    with_parts(markup, &format!("{STYLE}{style}"), &script, document)
}

fn with_parts(markup: &str, style: &str, script: &str, document: &str) -> String {
    // The policy names the digests of the built-in style and script: any other script or style
    // would not run, and nothing is loaded.
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'",
        hash(script),
        hash(style)
    );
    let mut page = String::with_capacity(
        markup.len() + style.len() + script.len() + document.len() + policy.len(),
    );
    let mut rest = markup;
    // The parts are in the template in this order; inserted text is never searched.
    for (mark, part) in [
        ("@POLICY@", policy.as_str()),
        ("@STYLE@", style),
        ("@DOCUMENT@", document),
        ("@SCRIPT@", script),
    ] {
        if let Some((before, after)) = rest.split_once(mark) {
            page.push_str(before);
            page.push_str(part);
            rest = after;
        }
    }
    page.push_str(rest);
    page
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_has_room_for_every_part_once_and_in_order() {
        let page = filled("{}");
        assert!(
            !page.contains("@POLICY@")
                && !page.contains("@STYLE@")
                && !page.contains("@DOCUMENT@")
                && !page.contains("@SCRIPT@")
        );
        assert!(page.contains(">{}</script>"), "the document stands alone in its element");
    }

    #[test]
    fn nothing_of_ours_ends_its_element_early() {
        assert!(
            !SCRIPT.contains("</script") && !SCRIPT.contains("<!--") && !STYLE.contains("</style")
        );
    }
}
