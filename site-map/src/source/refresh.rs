//! Pages that only send their reader on: `<meta http-equiv="refresh" content="0; url=…">`.

use std::sync::LazyLock;

use scraper::{Html, Selector};

/// How far the element can lie from the start of a page, in bytes.
const PRESCAN: usize = 16 << 10;
/// The longest delay of a redirect, in seconds. A page that is shown for longer is a page.
const MAX_DELAY: u32 = 10;

static META: LazyLock<Selector> =
    LazyLock::new(|| Selector::parse("meta[http-equiv][content]").expect("a valid selector"));

/// Returns where the head of a page sends its reader, as it stands there. What stands in scripts,
/// comments and `noscript` sends nobody.
pub(super) fn refresh_target(body: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&body[..body.len().min(PRESCAN)]);
    if !head.to_ascii_lowercase().contains("refresh") {
        return None;
    }
    let html = Html::parse_document(&head);
    let is_refresh = |name: &str| name.trim().eq_ignore_ascii_case("refresh");
    html.select(&META)
        .filter(|meta| meta.attr("http-equiv").is_some_and(is_refresh))
        .find_map(|meta| target_of(meta.attr("content")?))
}

/// Reads `0; url=target`, as browsers do: the name is optional, and so are quotes.
fn target_of(content: &str) -> Option<String> {
    let content = content.trim_start();
    let end = content.find(|c: char| !c.is_ascii_digit()).unwrap_or(content.len());
    let delay: u32 = content[..end].parse().ok()?;
    let rest = content[end..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let rest = rest.trim_start().trim_start_matches([';', ',']).trim_start();
    let named = rest.get(..3).filter(|name| name.eq_ignore_ascii_case("url"));
    let named = named.and_then(|_| rest[3..].trim_start().strip_prefix('='));
    let target = named.unwrap_or(rest).trim();
    let quoted = target.strip_prefix(['"', '\'']).and_then(|rest| rest.split(['"', '\'']).next());
    let target = quoted.unwrap_or(target).trim();
    (delay <= MAX_DELAY && !target.is_empty()).then(|| target.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_is_read_as_browsers_read_it() {
        let check = |content: &str, target: Option<&str>| {
            assert_eq!(target_of(content).as_deref(), target, "{content}");
        };
        check("0; url=api/index.html", Some("api/index.html"));
        check(" 5.5;URL = 'a b.html' ", Some("a b.html"));
        check("0,index.html", Some("index.html"));
        check("10 url=\"x?url=y\"", Some("x?url=y"));
        check("11; url=late.html", None);
        check("300", None);
        check("; url=x", None);
    }

    #[test]
    fn only_an_element_of_the_page_sends_its_reader_on() {
        let meta = "<meta content='0; url=b.html' HTTP-EQUIV=Refresh>";
        let check = |page: String, target: Option<&str>| {
            assert_eq!(refresh_target(page.as_bytes()).as_deref(), target, "{page}");
        };
        check(format!("<html><head>{meta}</head>Moved."), Some("b.html"));
        check(format!("<noscript>{meta}</noscript>"), None);
        check(format!("<!-- {meta} --><script>'{meta}'</script>"), None);
        check(format!("{}{meta}", " ".repeat(PRESCAN)), None);
    }
}
