//! A response: what a server, a file or a recording gives for an address.

use std::collections::BTreeSet;

use url::Url;

use crate::address::link_target;
use crate::source::content_encoding::{MAX_BODY, decode};
use crate::source::refresh::refresh_target;
use crate::source::sniff::begins_as_html;

/// The path of the rules for robots, which are recorded too.
pub(crate) const ROBOTS: &str = "/robots.txt";
/// The largest number of redirects from an address to its page.
pub const MAX_REDIRECTS: usize = 10;
/// How the reason of a page begins that failed with a status.
const FAILED: &str = "status ";
/// Headers of the transfer, not of the page: a [`Response`] has the decoded body.
const TRANSFER_HEADERS: [&str; 4] =
    ["connection", CONTENT_ENCODING, "content-length", "transfer-encoding"];

/// The header that a response has only where its body could not be decoded.
const CONTENT_ENCODING: &str = "content-encoding";

/// A response to one request, as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The address that was asked, in the spelling of
    /// [`page_address`](crate::address::page_address).
    pub address: Url,
    /// The status: 200 for a file.
    pub status: u16,
    /// Names in lower case, in the order received.
    pub headers: Vec<(String, String)>,
    /// The body without transfer and content encodings.
    pub body: Vec<u8>,
}

impl Response {
    /// Returns the value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    /// Returns the address that a redirect leads to: by its status, or by a page that only sends
    /// its reader on.
    pub fn redirect(&self) -> Option<Url> {
        if self.is_html() {
            return self.refresh();
        }
        let is_redirect = matches!(self.status, 301 | 302 | 303 | 307 | 308);
        let location = self.header("location").filter(|_| is_redirect)?;
        link_target(&self.address, location).map(|(target, _)| target)
    }

    /// Reports whether the body is a page that is read: HTML that sends its reader nowhere else.
    pub fn is_page(&self) -> bool {
        self.is_html() && self.refresh().is_none()
    }

    /// Reports whether the body is declared as XHTML, where any element may close itself.
    pub(crate) fn is_xhtml(&self) -> bool {
        let declared = self.header("content-type").unwrap_or_default();
        declared.to_ascii_lowercase().contains("application/xhtml+xml")
    }

    /// Returns the other page that a page sends its reader to.
    fn refresh(&self) -> Option<Url> {
        let (target, _) = link_target(&self.address, &refresh_target(&self.body)?)?;
        (target != self.address).then_some(target)
    }

    /// Returns the encoding of a body that could not be decoded, or has more than 128 MiB when it
    /// is. The body is empty then.
    pub fn damaged_encoding(&self) -> Option<&str> {
        self.header(CONTENT_ENCODING)
    }

    /// Decodes the body by the value of its `Content-Encoding`. One that cannot be decoded is left
    /// out, and the header that names its encoding stays.
    pub(crate) fn decoded(mut self, encoding: &str) -> Response {
        self.body = decode(self.body, encoding, MAX_BODY).unwrap_or_else(|_| {
            self.headers.push((CONTENT_ENCODING.to_owned(), encoding.to_owned()));
            Vec::new()
        });
        self
    }

    /// Reports whether the body is HTML by its declared type, or by its beginning. The rules for
    /// robots are none, whatever a server sends in their place.
    pub(crate) fn is_html(&self) -> bool {
        let declared = self.header("content-type").unwrap_or_default().to_ascii_lowercase();
        let is_declared = declared.contains("text/html") || declared.contains("xhtml");
        let is_html = is_declared || declared.is_empty() && begins_as_html(&self.body);
        let is_whole = (200..300).contains(&self.status) && self.damaged_encoding().is_none();
        is_whole && is_html && self.address.path() != ROBOTS
    }
}

/// Returns the addresses of rules for robots among some, and those that they redirect to, by what
/// was answered. A page is none: some servers redirect all that they lack to their first page.
pub(crate) fn robots_among<'a>(
    addresses: impl Iterator<Item = &'a Url>,
    answer: impl Fn(&Url) -> Option<Response>,
) -> BTreeSet<Url> {
    let mut robots = BTreeSet::new();
    for address in addresses.filter(|address| address.path() == ROBOTS) {
        let mut next = Some(address.clone());
        while let Some(address) = next.take().filter(|address| !robots.contains(address)) {
            let answer = answer(&address);
            if !answer.as_ref().is_some_and(Response::is_html) {
                next = answer.and_then(|answer| answer.redirect());
                robots.insert(address);
            }
        }
    }
    robots
}

/// Says that a page failed with a status.
pub fn failed_status(status: u16) -> String {
    format!("{FAILED}{status}")
}

/// Returns what lets a page be read, by why it failed: the flag for a server that asks who reads
/// it.
pub fn way_in(reason: &str) -> Option<&'static str> {
    let status = reason.strip_prefix(FAILED)?.split(' ').next();
    status.and_then(|status| status.parse().ok()).is_some_and(asks_who_reads).then_some(
        "`--header 'Name: value'` sends the token or the cookie that a server asks for, to the \
         scheme, host and port of the address alone; nothing keeps it, so `--resume` takes it anew",
    )
}

/// Returns why a page failed, with what lets it be read.
pub fn with_way_in(reason: String) -> String {
    match way_in(&reason) {
        Some(way) => format!("{reason} ({way})"),
        None => reason,
    }
}

/// Reports whether a status is that of a server that asks who reads a page.
pub(crate) fn asks_who_reads(status: u16) -> bool {
    matches!(status, 401 | 403)
}

/// Returns the headers of the page, without those of the transfer.
pub(crate) fn page_headers(headers: Vec<(String, String)>) -> Vec<(String, String)> {
    let is_of_page = |(name, _): &(String, String)| !TRANSFER_HEADERS.contains(&name.as_str());
    headers.into_iter().filter(is_of_page).collect()
}
