//! Whether a content is HTML by its beginning, as browsers tell it (the standard "MIME Sniffing").

/// How much of a content is looked at, in bytes.
pub(super) const LOOKED_AT_FOR_HTML: u64 = 1_445;
/// What HTML begins with, in lower case; a space or `>` follows.
const STARTS: [&str; 17] = [
    "<!doctype html",
    "<html",
    "<head",
    "<script",
    "<iframe",
    "<h1",
    "<div",
    "<font",
    "<table",
    "<a",
    "<style",
    "<title",
    "<b",
    "<body",
    "<br",
    "<p",
    "<!--",
];
/// The mark of UTF-8, and the declaration of XML, which pages in XHTML have before their root.
const MARK: &[u8] = b"\xef\xbb\xbf";
const XML: (&[u8], &[u8]) = (b"<?xml", b"?>");

/// Reports whether a content begins as HTML does.
pub(super) fn begins_as_html(content: &[u8]) -> bool {
    let content = trimmed(content.strip_prefix(MARK).unwrap_or(content));
    let after_xml = content.strip_prefix(XML.0).and_then(|rest| {
        let end = rest.windows(XML.1.len()).position(|two| two == XML.1)?;
        Some(trimmed(&rest[end + XML.1.len()..]))
    });
    // Other documents in XML may have any of these elements.
    let starts = if after_xml.is_some() { &STARTS[..2] } else { &STARTS };
    let content = after_xml.unwrap_or(content);
    starts.iter().any(|start| {
        let begin = content.get(..start.len()).unwrap_or_default();
        let next = content.get(start.len());
        begin.eq_ignore_ascii_case(start.as_bytes()) && matches!(next, Some(b' ' | b'>'))
    })
}

fn trimmed(content: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ');
    let begin = content.iter().position(|byte| !is_space(byte)).unwrap_or(content.len());
    &content[begin..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_known_by_its_beginning() {
        for (content, is_html) in [
            ("<!DOCTYPE html>", true),
            ("\u{feff}\r\n\t <HTML lang=de>", true),
            ("<!-- made by a tool --><html>", true),
            ("<p>", true),
            ("<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0'>", true),
            ("<?xml version='1.0'?><a >", false),
            ("<?xml version='1.0'?><rss>", false),
            ("<?php echo '<html>';", false),
            ("<!DOCTYPE html", false),
            ("<pre>", false),
            ("#!/bin/sh\n<html>", false),
            ("<b", false),
            ("", false),
        ] {
            assert_eq!(begins_as_html(content.as_bytes()), is_html, "{content}");
        }
    }
}
