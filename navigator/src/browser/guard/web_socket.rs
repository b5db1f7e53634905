//! The address of a WebSocket that was refused: `no_web_sockets.js` makes a page ask for a host
//! that tells it.

use url::Url;

/// What the names of these hosts end with. No server has such a name.
const HOST: &str = "websockets.invalid";

/// Returns the address that a page wanted a WebSocket to, by the host that it asked for: without
/// its query, and cut. `None` if the host is another one. A page can make such a host up, which is
/// refused as well.
pub(super) fn address_of(host: &str) -> Option<Url> {
    let labels = host.strip_suffix(HOST)?;
    let digits: Vec<u8> = labels.bytes().filter(|byte| *byte != b'.').collect();
    let code = |two: &[u8]| u8::from_str_radix(str::from_utf8(two).ok()?, 16).ok();
    let address: Option<Vec<u8>> = digits.chunks(2).map(code).collect();
    let address = address.and_then(|address| String::from_utf8(address).ok());
    let mut address = address.and_then(|address| Url::parse(&address).ok());
    for (plain, scheme) in [("http", "ws"), ("https", "wss")] {
        if let Some(address) = address.as_mut().filter(|address| address.scheme() == plain) {
            *address = Url::parse(&address.as_str().replacen(plain, scheme, 1)).ok()?;
        }
    }
    // A name that tells nothing is that of any WebSocket.
    address.or_else(|| Url::parse(&format!("wss://{HOST}/")).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_that_is_asked_for_tells_the_address() {
        let told = |host: &str| address_of(host).map(|address| address.to_string());
        // `wss://a.example:1/ch` and `at`.
        let host = "7773733a2f2f612e6578616d706c653a312f6368.6174.websockets.invalid";
        assert_eq!(told(host).as_deref(), Some("wss://a.example:1/chat"));
        // `http://a/`: a page may write it so.
        assert_eq!(told("687474703a2f2f612f.websockets.invalid").as_deref(), Some("ws://a/"));
        for unknown in ["websockets.invalid", "zz.websockets.invalid", "7.websockets.invalid"] {
            assert_eq!(told(unknown).as_deref(), Some("wss://websockets.invalid/"), "{unknown}");
        }
        assert_eq!(told("a.example"), None);
    }
}
