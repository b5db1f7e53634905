//! Addresses of pages: one spelling for each, and the part of the web that a run is about.

use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::error::{Error, Result};

/// Query parameters that name a session or a campaign, and never a page.
const NO_PAGE: [&str; 9] = [
    "jsessionid",
    "phpsessid",
    "sessionid",
    "session_id",
    "sid",
    "aspsessionid",
    "fbclid",
    "gclid",
    "cfid",
];
/// How the names of files end that are no pages.
const NO_PAGE_ENDINGS: [&str; 60] = [
    "7z", "apk", "avi", "avif", "bmp", "bz2", "deb", "dmg", "doc", "docx", "eot", "eps", "epub",
    "exe", "flac", "gif", "gz", "ico", "iso", "jar", "jpeg", "jpg", "m4a", "mkv", "mobi", "mov",
    "mp3", "mp4", "msi", "odp", "ods", "odt", "ogg", "ogv", "otf", "pdf", "png", "ppt", "pptx",
    "ps", "rar", "rpm", "svg", "tar", "tgz", "tif", "tiff", "ttf", "war", "wav", "webm", "webp",
    "whl", "woff", "woff2", "xls", "xlsx", "xz", "zip", "zst",
];
/// The longest address that is kept, in bytes; web servers commonly refuse longer ones.
const MAX_ADDRESS: usize = 8_000;

/// The scheme of the pages of a folder.
pub(crate) const FILE: &str = "file";
/// What the page of a folder is called, and one whose path is also the path of others.
pub(crate) const FOLDER_PAGE: &str = "index.html";

/// Parses an address and gives it the one spelling that is compared and stored: no fragment, no
/// session or campaign parameters, no user name.
///
/// # Errors
/// If it is no address, or none of `http`, `https` and `file`.
pub fn page_address(text: &str) -> Result<Url> {
    let url = Url::parse(text.trim())
        .map_err(|error| Error::address(text, format!("{error} (`https://host/path` is one)")))?;
    normal(url).ok_or_else(|| Error::address(text, "only http, https and file have pages"))
}

/// Returns what a text has to begin with to be the address that it looks like: `docs.example/3/`,
/// `http:/docs.example`, `localhost:8000`. `None` for addresses, and for what looks like none.
pub fn lacking_scheme(text: &str) -> Option<&'static str> {
    if text.contains("://") {
        return None;
    }
    let schemes = [("http:/", "http://"), ("https:/", "https://"), ("file:/", "file://")];
    let begun = schemes.into_iter().find(|(begun, _)| text.starts_with(begun));
    let (host, has_path) = text.split_once('/').map_or((text, false), |(host, _)| (host, true));
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    let has_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    // A name alone may be that of a file.
    let is_host = has_path && name.contains('.') || has_port || host.starts_with("www.");
    let is_here = name == "localhost" || name.starts_with("127.");
    let scheme = if is_here { "http://" } else { "https://" };
    let looks_like_host = is_host && !name.is_empty() && !name.starts_with('.');
    begun.map(|(_, whole)| whole).or(looks_like_host.then_some(scheme))
}

/// Returns the target of a link, in the spelling of [`page_address`], and its fragment. `None` for
/// links that lead to no page (`mailto:`, `javascript:`, `data:`), that are too long, or that lead
/// from a server to files of its reader.
pub fn link_target(base: &Url, href: &str) -> Option<(Url, Option<String>)> {
    if href.len() > MAX_ADDRESS {
        return None;
    }
    let target = base.join(href.trim()).ok()?;
    if target.scheme() == FILE && base.scheme() != FILE {
        return None;
    }
    let fragment = target.fragment().filter(|fragment| !fragment.is_empty()).map(decoded);
    normal(target).map(|target| (target, fragment))
}

/// Reports whether the last part of a path ends like a file that is no page: an archive, an image,
/// a document of another kind. A wiki has pages with such names in a namespace: `File:Engine.png`.
/// A folder has compressed pages: `page.html.gz`.
pub fn is_other_file(address: &Url) -> bool {
    let last = address.path().rsplit('/').next().unwrap_or_default();
    let Some((name, ending)) = last.rsplit_once('.') else { return false };
    let is_compressed_page = address.scheme() == FILE && ending.eq_ignore_ascii_case("gz") && {
        let inner = name.rsplit_once('.').map_or("", |(_, inner)| inner);
        ["htm", "html", "xhtml"].iter().any(|page| inner.eq_ignore_ascii_case(page))
    };
    let is_in_namespace = name.contains(':') || name.to_ascii_lowercase().contains("%3a");
    !is_in_namespace
        && !is_compressed_page
        && NO_PAGE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str())
}

/// Decodes the percent-encoding of a fragment or a path; what is no UTF-8 is kept as it is.
pub fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Into::into)
}

fn normal(mut url: Url) -> Option<Url> {
    if !matches!(url.scheme(), "http" | "https" | "file") || url.as_str().len() > MAX_ADDRESS {
        return None;
    }
    url.set_fragment(None);
    // A folder of files has no other page.
    if url.scheme() == FILE && url.path().ends_with('/') {
        let path = format!("{}{FOLDER_PAGE}", url.path());
        url.set_path(&path);
    }
    if !url.username().is_empty() || url.password().is_some() {
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
    }
    if let Some(at) = url.path().to_ascii_lowercase().find(";jsessionid=") {
        let path = url.path()[..at].to_owned();
        url.set_path(&path);
    }
    if let Some(query) = url.query() {
        let is_page = |pair: &&str| {
            let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
            !pair.is_empty() && !NO_PAGE.contains(&name.as_str()) && !name.starts_with("utm_")
        };
        let kept: Vec<&str> = query.split('&').filter(is_page).collect();
        let kept = kept.join("&");
        url.set_query(Some(kept.as_str()).filter(|kept| !kept.is_empty()));
    }
    Some(url)
}

/// The part of the web that a run may read: an origin, and the paths below a folder of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    start: Url,
    prefix: String,
}

impl Scope {
    /// The origin of the start, and the paths that begin with a prefix: the folder of the start,
    /// if none is given.
    pub fn of(start: &Url, prefix: Option<&str>) -> Scope {
        let path = start.path();
        let folder = || &path[..=path.rfind('/').unwrap_or(0).min(path.len().saturating_sub(1))];
        Scope { start: start.clone(), prefix: prefix.unwrap_or_else(folder).to_owned() }
    }

    /// The address that the run began with.
    pub fn start(&self) -> &Url {
        &self.start
    }

    /// The path that addresses begin with.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Reports whether an address is within the scope.
    pub fn contains(&self, address: &Url) -> bool {
        is_same_origin(address, &self.start) && address.path().starts_with(&self.prefix)
    }

    /// Returns the name of an address on a map: the path below the prefix, and for addresses out of
    /// the scope the host and the whole path. Names are not unique.
    pub(crate) fn name(&self, address: &Url) -> String {
        let path = address.path();
        let below = path.strip_prefix(&self.prefix).filter(|_| self.contains(address));
        let host = address.host_str().unwrap_or("local");
        let below = below.map_or_else(|| format!("{host}{path}"), str::to_owned);
        let query = address.query().map(|query| format!("?{query}")).unwrap_or_default();
        let text = below + &query.replace('/', "%2F");
        let parts = text.split('/').map(|part| decoded(part).replace('/', "%2F"));
        let is_name = |part: &String| !matches!(part.as_str(), "" | "." | "..");
        let mut parts: Vec<String> = parts.filter(is_name).collect();
        if text.is_empty() || text.ends_with('/') {
            parts.push(FOLDER_PAGE.to_owned());
        }
        parts.join("/")
    }
}

/// Returns the host of an address, with a port that is not the usual one of its scheme: another
/// port is another server. Empty for an address without a host.
pub fn host_of(address: &Url) -> String {
    let host = address.host_str().unwrap_or_default();
    address.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Reports whether two addresses have the same scheme, host and port.
pub fn is_same_origin(one: &Url, other: &Url) -> bool {
    one.scheme() == other.scheme()
        && one.host_str() == other.host_str()
        && one.port_or_known_default() == other.port_or_known_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, normal: &str) {
        assert_eq!(page_address(text).unwrap().as_str(), normal);
    }

    #[test]
    fn the_host_of_an_address_has_its_port_unless_that_is_usual() {
        for (address, host) in [
            ("https://A.example:443/b?c=http://d/", "a.example"),
            ("http://ada:x@a.example:8080#b", "a.example:8080"),
            ("http://[0:0::1]:80", "[::1]"),
            ("https://b\u{fc}cher.example", "xn--bcher-kva.example"),
            ("file:///a", ""),
            ("mailto:a", ""),
        ] {
            assert_eq!(host_of(&Url::parse(address).unwrap()), host, "{address}");
        }
    }

    #[test]
    fn a_server_links_to_no_file_of_its_reader() {
        let target = |base: &str| {
            let target = link_target(&Url::parse(base).unwrap(), "file:///usr/share/doc/a.html");
            target.map(|(target, _)| target.to_string())
        };
        assert_eq!(target("http://a/b/"), None);
        assert_eq!(target("file:///c.html").as_deref(), Some("file:///usr/share/doc/a.html"));
    }

    #[test]
    fn an_address_has_one_spelling() {
        check("HTTPS://Docs.Example:443/3/#part", "https://docs.example/3/");
        check("http://a/x;jsessionid=9F?b=1&utm_source=z&PHPSESSID=3", "http://a/x?b=1");
        check("http://user:secret@a/?sid=4", "http://a/");
        check("http://a/b/../c/./d", "http://a/c/d");
        check("file:///a/", "file:///a/index.html");
        assert!(page_address("ftp://a/").is_err());
        assert!(
            page_address("docs.example").unwrap_err().to_string().contains("https://host/path")
        );
    }

    #[test]
    fn an_address_without_its_beginning_is_told_what_it_lacks() {
        for (text, lacks) in [
            ("docs.example/3/", Some("https://")),
            ("http:/docs.example", Some("http://")),
            ("file:/home/manual", Some("file://")),
            ("localhost:8000", Some("http://")),
            ("127.0.0.1:8000/3/", Some("http://")),
            ("www.docs.example", Some("https://")),
            ("docs.example:8443", Some("https://")),
            ("C:manual", None),
            ("https://docs.example/", None),
            ("./a.b/c", None),
            ("manual.warc.gz", None),
            ("target/doc", None),
        ] {
            assert_eq!(lacking_scheme(text), lacks, "{text}");
        }
    }

    #[test]
    fn links_to_no_page_are_none() {
        let base = page_address("http://a/b/c.html").unwrap();
        for href in ["javascript:void(0)", "mailto:a@b", "data:text/html,x", "http://", "tel:1"] {
            assert_eq!(link_target(&base, href), None, "{href}");
        }
        let (target, fragment) = link_target(&base, "../d.html?x=1#caf%C3%A9").unwrap();
        assert_eq!((target.as_str(), fragment.as_deref()), ("http://a/d.html?x=1", Some("café")));
    }

    #[test]
    fn files_that_are_no_pages_are_known_by_their_endings() {
        assert!(NO_PAGE_ENDINGS.is_sorted());
        for (path, is_other) in [
            ("a/manual.tar.gz", true),
            ("a/Manual.PDF?download=1", true),
            ("logo.png", true),
            ("releases/1.2", false),
            ("node.js", false),
            ("manual.pdf/", false),
            ("manual.pdf.html", false),
            ("zip", false),
            ("wiki/File:Engine.png", false),
            ("wiki/File%3AEngine.png", false),
            ("page.html.gz", true),
        ] {
            let address = page_address(&format!("http://a/{path}")).unwrap();
            assert_eq!(is_other_file(&address), is_other, "{path}");
        }
        for (path, is_other) in [("page.html.gz", false), ("a/page.HTM.gz", false), ("a.gz", true)]
        {
            let address = page_address(&format!("file:///{path}")).unwrap();
            assert_eq!(is_other_file(&address), is_other, "{path}");
        }
    }

    #[test]
    fn a_scope_is_an_origin_and_a_folder() {
        let scope = Scope::of(&page_address("http://a:8000/3/index.html").unwrap(), None);
        for (address, is_in) in [
            ("http://a:8000/3/x/y", true),
            ("http://a:8000/2/x", false),
            ("http://a/3/x", false),
            ("https://a:8000/3/x", false),
        ] {
            assert_eq!(scope.contains(&page_address(address).unwrap()), is_in, "{address}");
        }
    }
}
