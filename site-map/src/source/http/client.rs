//! One request and its response: the only file that opens a socket.
//!
//! It follows no redirects, hides no retries, keeps no cookies of servers and asks no environment
//! for a proxy.

#![expect(clippy::disallowed_methods, reason = "the rim: the only socket")]

use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::future;
use std::io::Read;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use reqwest::Proxy;
use reqwest::blocking::{Client, RequestBuilder, Response as Incoming};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, COOKIE, HeaderValue,
    IF_MODIFIED_SINCE, IF_NONE_MATCH,
};
use url::Url;

use crate::source::content_encoding::{DecodeError, decode};
use crate::source::http::cookies::Cookies;
use crate::source::http::error::FetchError;
use crate::source::http::headers::GivenHeaders;
use crate::source::http::options::FetchOptions;
use crate::source::response::{Response, page_headers};

/// The name in the header `User-Agent`.
pub const USER_AGENT: &str =
    concat!("site-map/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")");
/// The time limit for a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// What the TLS library says of a server that answers in plain text.
const NO_TLS: &str = "InvalidContentType";
/// What [`decode`] reads; `deflate` is left out, since servers disagree about its form.
const ACCEPTED_ENCODINGS: &str = "gzip, br, zstd";
const ACCEPT_PAGES: &str = "text/html,application/xhtml+xml,text/*;q=0.8,*/*;q=0.1";

/// The limits of one response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResponseLimits {
    /// The largest body, before and after decoding.
    pub(crate) body: u64,
    /// The bytes that the run may still receive.
    pub(crate) remaining: u64,
    /// From the first byte sent to the last byte received.
    pub(crate) time: Duration,
    /// Keep the beginning of a larger body, of any type.
    pub(crate) is_beginning_enough: bool,
}

/// A client that connects only to addresses that were checked.
#[derive(Debug, Clone)]
pub(crate) struct PinnedClient {
    client: Client,
    hosts: Arc<PinnedHosts>,
    cookies: Cookies,
    headers: GivenHeaders,
}

/// The addresses of host names that were checked: the only DNS of the client, so that a name
/// cannot lead elsewhere after its check.
#[derive(Debug, Default)]
struct PinnedHosts(Mutex<BTreeMap<String, Vec<IpAddr>>>);

impl Resolve for PinnedHosts {
    fn resolve(&self, name: Name) -> Resolving {
        let hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = hosts.get(name.as_str()).map(|addresses| {
            // The port of the address takes the place of 0.
            let addresses: Vec<SocketAddr> =
                addresses.iter().map(|address| SocketAddr::new(*address, 0)).collect();
            Box::new(addresses.into_iter()) as Addrs
        });
        Box::pin(future::ready(found.ok_or_else(|| "the host was not checked".into())))
    }
}

impl PinnedClient {
    /// Prepares a client; sends nothing.
    pub(crate) fn new(options: &FetchOptions) -> Result<PinnedClient, FetchError> {
        static CRYPTO: Once = Once::new();
        CRYPTO.call_once(|| {
            // If the embedding program has installed a provider already, that one stays.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let hosts = Arc::new(PinnedHosts::default());
        let unusable = |error: reqwest::Error| FetchError::Client { message: root_cause(&error) };
        let mut builder = Client::builder()
            .dns_resolver(Arc::clone(&hosts))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate()
            .connect_timeout(CONNECT)
            .pool_max_idle_per_host(options.concurrency)
            .user_agent(USER_AGENT);
        if let Some(proxy) = &options.proxy {
            builder = builder.proxy(Proxy::all(proxy.as_str()).map_err(unusable)?);
        }
        let client = builder.build().map_err(unusable)?;
        let cookies = options.cookies.clone();
        let headers = options.headers.clone().hiding(cookies.values());
        Ok(PinnedClient { client, hosts, cookies, headers })
    }

    /// Reports whether a host name has checked addresses.
    pub(crate) fn is_pinned(&self, host: &str) -> bool {
        self.hosts.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(host)
    }

    /// Sets the addresses of a host name.
    pub(crate) fn pin(&self, host: &str, addresses: Vec<IpAddr>) {
        let mut hosts = self.hosts.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.insert(host.to_owned(), addresses);
    }

    /// Forgets the addresses of a host name.
    pub(crate) fn unpin(&self, host: &str) {
        self.hosts.0.lock().unwrap_or_else(PoisonError::into_inner).remove(host);
    }

    /// Sends one GET and reads its response; with a known response, only if the page has changed
    /// since. Adds the bytes of the body, as they travelled, to
    /// `received`, which grows by the remaining bytes at most.
    pub(crate) fn get(
        &self,
        address: &Url,
        known: Option<&Response>,
        limits: ResponseLimits,
        received: &mut u64,
    ) -> Result<Response, FetchError> {
        let start = Instant::now();
        let request = self.request(address, known).timeout(limits.time);
        let incoming = request.send().map_err(|error| {
            if error.is_connect() {
                let server = address.origin().ascii_serialization();
                let mut message = root_cause(&error);
                if message.contains(NO_TLS) {
                    message = "it speaks no TLS; try `http://`".to_owned();
                }
                FetchError::Unreachable { server, message }
            } else if error.is_timeout() {
                FetchError::Deadline { time: limits.time }
            } else {
                FetchError::Broken { message: format!("no response: {}", root_cause(&error)) }
            }
        })?;
        let status = incoming.status().as_u16();
        let text = |name| header_text(&incoming, name);
        if let Some(content_type) = text(CONTENT_TYPE.as_str())
            && incoming.status().is_success()
            && !limits.is_beginning_enough
            && !may_have_page(&content_type)
        {
            let content_type = self.headers.scrub_text(content_type);
            return Err(FetchError::NoPage { content_type });
        }
        let encoding = text(CONTENT_ENCODING.as_str()).unwrap_or_default();
        let headers = incoming
            .headers()
            .iter()
            .map(|(name, value)| {
                let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
                (name.as_str().to_owned(), self.headers.scrub_text(value))
            })
            .collect();
        let body = read_body(incoming, limits, start, received)?;
        let limit = usize::try_from(limits.body).unwrap_or(usize::MAX);
        let body = decode(body, &encoding, limit).map_err(|error| match error {
            DecodeError::TooLarge { .. } => FetchError::TooLarge { limit: limits.body },
            error => FetchError::Encoding { message: error.to_string() },
        })?;
        let body = self.headers.scrub(body);
        Ok(Response { address: address.clone(), status, headers: page_headers(headers), body })
    }

    fn request(&self, address: &Url, known: Option<&Response>) -> RequestBuilder {
        let mut request = self
            .client
            .get(address.clone())
            .header(ACCEPT, ACCEPT_PAGES)
            .header(ACCEPT_ENCODING, ACCEPTED_ENCODINGS);
        if let Some(cookies) = self.cookies_of(address) {
            request = request.header(COOKIE, cookies);
        }
        for (name, value) in self.headers.of(address) {
            request = request.header(name, value);
        }
        for (header, validator) in [(IF_NONE_MATCH, "etag"), (IF_MODIFIED_SINCE, "last-modified")] {
            if let Some(value) = known.and_then(|known| known.header(validator)) {
                request = request.header(header, value);
            }
        }
        request
    }

    /// Returns the cookies of a request, those of the file first.
    fn cookies_of(&self, address: &Url) -> Option<HeaderValue> {
        let of_file = self.cookies.header(address);
        let all: Vec<&[u8]> = of_file
            .iter()
            .chain(self.headers.cookies_of(address))
            .map(HeaderValue::as_bytes)
            .collect();
        let mut value = HeaderValue::from_bytes(&all.join(&b"; "[..])).ok()?;
        value.set_sensitive(true);
        (!all.is_empty()).then_some(value)
    }
}

fn header_text(incoming: &Incoming, name: &str) -> Option<String> {
    incoming.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// Reports whether an answer of a declared type may have a page. Servers declare odd types, so any
/// text may be one, of JSON too; links that declare such types are judged by `promises_page`.
fn may_have_page(content_type: &str) -> bool {
    let content_type = content_type.trim_start().to_ascii_lowercase();
    let is_of = |kind: &str| content_type.starts_with(kind);
    let is_media = ["image/", "audio/", "video/", "font/", "model/"].into_iter().any(is_of);
    let is_application = is_of("application/");
    let is_text = ["xml", "html", "json", "text", "javascript", "yaml"]
        .into_iter()
        .any(|part| content_type.contains(part));
    !is_media && (!is_application || is_text)
}

fn read_body(
    incoming: Incoming,
    limits: ResponseLimits,
    start: Instant,
    received: &mut u64,
) -> Result<Vec<u8>, FetchError> {
    let declared = incoming.content_length();
    let too_large = FetchError::TooLarge { limit: limits.body };
    let used_up = FetchError::MaxBytes { limit: *received + limits.remaining };
    if !limits.is_beginning_enough && declared.is_some_and(|length| length > limits.body) {
        return Err(too_large);
    }
    // One byte more than the limit shows that the body is larger.
    let allowed = limits.remaining.min(limits.body.saturating_add(1));
    let mut body = Vec::new();
    let mut incoming = incoming.take(allowed);
    let mut buffer = vec![0; 64 << 10];
    loop {
        let n = match incoming.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(_) if start.elapsed() >= limits.time => {
                return Err(FetchError::Deadline { time: limits.time });
            }
            Err(error) => {
                let message = match declared {
                    Some(length) => {
                        format!("the body ends after {} of {length} bytes", body.len())
                    }
                    None => format!("the body is cut: {}", root_cause(&error)),
                };
                return Err(FetchError::Broken { message });
            }
        };
        *received += n as u64;
        body.extend_from_slice(&buffer[..n]);
        if start.elapsed() >= limits.time {
            return Err(FetchError::Deadline { time: limits.time });
        }
    }
    let n = body.len() as u64;
    if n > limits.body && !limits.is_beginning_enough {
        return Err(too_large);
    }
    if n == limits.remaining && declared != Some(n) {
        return Err(used_up);
    }
    body.truncate(usize::try_from(limits.body).unwrap_or(usize::MAX));
    Ok(body)
}

/// Returns the message of the first cause; those above it repeat the address.
fn root_cause(error: &(dyn StdError + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
