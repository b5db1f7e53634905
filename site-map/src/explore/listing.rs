//! What a site lists for programs: sitemaps (sitemaps.org; XML or text, also compressed) and
//! `llms.txt` (llmstxt.org). They are evidence of addresses, and no pages.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use quick_xml::Reader;
use quick_xml::events::Event;
use url::Url;

use crate::address::{link_target, page_address};
use crate::source::response::Response;

/// The largest list after decompression, in bytes: what comes after is not read.
const MAX_LIST: u64 = 20 << 20;
/// The largest number of pages of a list that count.
const MAX_LISTED: usize = 20_000;
/// What a gzip file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// How a text in UTF-8 may begin.
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// What a list has.
#[derive(Debug, Default)]
pub(super) struct SiteListing {
    pub(super) pages: Vec<ListedPage>,
    /// Further lists: a sitemap of sitemaps has nothing else.
    pub(super) lists: Vec<Url>,
}

/// A page of a list: what is known of it before it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPage {
    /// The address.
    pub address: Url,
    /// What it is called.
    pub title: String,
    /// What else is said of it.
    pub notes: String,
    /// The heading that it stands under.
    pub heading: String,
}

/// Reads a sitemap, as far as it is one.
pub(super) fn sitemap(response: &Response) -> SiteListing {
    let text = unpacked(&response.body);
    let mut listing = SiteListing::default();
    if !text.trim_start().starts_with('<') {
        let addresses = text.lines().filter_map(|line| page_address(line).ok());
        listing.pages = addresses.map(ListedPage::of).take(MAX_LISTED).collect();
        return listing;
    }
    let mut reader = Reader::from_str(&text);
    let mut is_of_sitemap = false;
    let mut address: Option<String> = None;
    // A list that breaks off has what stands before.
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Eof => break,
            Event::Start(tag) if tag.local_name().as_ref() == b"sitemap" => is_of_sitemap = true,
            Event::Start(tag) if tag.local_name().as_ref() == b"url" => is_of_sitemap = false,
            // Images and videos of a page have addresses with a prefix.
            Event::Start(tag) if tag.name().as_ref() == b"loc" => address = Some(String::new()),
            Event::End(tag) if tag.name().as_ref() == b"loc" => {
                let address = address.take().and_then(|text| page_address(&text).ok());
                match is_of_sitemap {
                    true => listing.lists.extend(address),
                    false => listing.pages.extend(address.map(ListedPage::of)),
                }
            }
            event => address.iter_mut().for_each(|address| address.push_str(&text_of(&event))),
        }
        if listing.pages.len() + listing.lists.len() >= MAX_LISTED {
            break;
        }
    }
    listing
}

/// Reads the links of an `llms.txt`, with what is said of them.
pub(super) fn llms_txt(response: &Response) -> SiteListing {
    let text = unpacked(&response.body);
    let mut heading = "";
    let mut pages = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(title) = line.strip_prefix("## ") {
            heading = title;
        }
        let link = line.split_once('[').and_then(|(_, rest)| rest.split_once("]("));
        let link = link.and_then(|(title, rest)| Some((title, rest.split_once(')')?)));
        let Some((title, (href, notes))) = link else { continue };
        if let Some((address, _)) = link_target(&response.address, href) {
            let (title, notes) = (title.to_owned(), notes.to_owned());
            pages.push(ListedPage { address, title, notes, heading: heading.to_owned() });
        }
    }
    pages.truncate(MAX_LISTED);
    SiteListing { pages, lists: Vec::new() }
}

impl ListedPage {
    /// A page of which only the address is known.
    fn of(address: Url) -> ListedPage {
        ListedPage { address, title: String::new(), notes: String::new(), heading: String::new() }
    }
}

/// Returns the text of a list, as far as it can be decompressed.
fn unpacked(body: &[u8]) -> String {
    let mut bytes = Vec::new();
    let text = match body.starts_with(&GZIP) {
        true => {
            // What was read before an error counts.
            let _ = MultiGzDecoder::new(body).take(MAX_LIST).read_to_end(&mut bytes);
            bytes.as_slice()
        }
        false => body,
    };
    String::from_utf8_lossy(text.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(text)).into_owned()
}

fn text_of(event: &Event<'_>) -> String {
    match event {
        Event::Text(text) => String::from_utf8_lossy(text).into_owned(),
        Event::CData(text) => String::from_utf8_lossy(text).into_owned(),
        Event::GeneralRef(name) => match (name.resolve_char_ref(), &**name) {
            (Ok(Some(c)), _) => c.to_string(),
            (_, b"amp") => "&".to_owned(),
            (_, b"apos") => "'".to_owned(),
            (_, b"quot") => "\"".to_owned(),
            (_, b"lt") => "<".to_owned(),
            (_, b"gt") => ">".to_owned(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}
