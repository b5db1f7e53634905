//! XHTML for a parser of HTML, which takes `<script/>` for a tag that something must close.

use std::borrow::Cow;

/// Elements that have no content, so that HTML closes them too.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// What is no element, and where it ends.
const OTHERS: [(&str, &str); 3] = [("<!--", "-->"), CDATA, ("<?", "?>")];
/// Text whose signs need no escapes; HTML takes it for a comment.
const CDATA: (&str, &str) = ("<![CDATA[", "]]>");

/// Gives each element that closes itself an end tag, and text that is not escaped its escapes.
pub(super) fn as_html(text: &str) -> Cow<'_, str> {
    if !text.contains("/>") && !text.contains(CDATA.0) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let Some(end) = end_of(rest) else { break };
        let (tag, after) = rest.split_at(end);
        let unescaped = tag.strip_prefix(CDATA.0).and_then(|text| text.strip_suffix(CDATA.1));
        match tag.strip_suffix("/>").filter(|_| !is_other(tag)) {
            Some(open) if !VOID.contains(&name_of(tag)) => {
                out.push_str(&format!("{open}></{}>", name_of(tag)));
            }
            _ => match unescaped {
                Some(text) => out.push_str(&text.replace('&', "&amp;").replace('<', "&lt;")),
                None => out.push_str(tag),
            },
        }
        rest = after;
    }
    out.push_str(rest);
    out.into()
}

fn is_other(tag: &str) -> bool {
    OTHERS.iter().any(|(start, _)| tag.starts_with(start))
}

/// Returns where a tag ends, or what is no element. A quoted value may have a `>`.
fn end_of(text: &str) -> Option<usize> {
    if let Some((_, end)) = OTHERS.iter().find(|(start, _)| text.starts_with(start)) {
        return text.find(end).map(|at| at + end.len());
    }
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            (b'>', None) => return Some(at + 1),
            (b'"' | b'\'', None) => quote = Some(byte),
            _ if quote == Some(byte) => quote = None,
            _ => {}
        }
    }
    None
}

fn name_of(tag: &str) -> &str {
    let name = &tag[1..];
    &name[..name.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>')).unwrap_or(name.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_close_themselves_get_an_end_tag_and_text_its_escapes() {
        let check = |text: &str, expected: &str| assert_eq!(as_html(text), expected);
        check("<script src='a>b'/><p>a<br/>b</p>", "<script src='a>b'></script><p>a<br/>b</p>");
        check("<a id=\"x\" />text", "<a id=\"x\" ></a>text");
        check("<!-- <p/> --><?x <p/>?>", "<!-- <p/> --><?x <p/>?>");
        check("<p><![CDATA[a<p/> && b]]></p>", "<p>a&lt;p/> &amp;&amp; b</p>");
        check("a < b <p title='/>", "a < b <p title='/>");
    }
}
