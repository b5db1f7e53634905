//! Addresses of this machine and of private networks, in what others wrote.

use std::iter::Peekable;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::Chars;

use url::{Host, Url};

/// Decides whether an address lies in the public Internet.
pub(super) type IsPublic = fn(IpAddr) -> bool;

/// A part of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PatternPart {
    Letter(char),
    /// Text that varies.
    Varying,
    /// The beginning or the end of the text.
    Edge,
    Open,
    Or,
    Close,
}

/// What can stand at a place of a pattern. Where branches of a group differ, the later one holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum HostPlace {
    /// A path: the host is before it.
    Path,
    /// The rest of a host, or its port.
    Rest,
    /// Anything, since nothing says yet where the host begins.
    Any,
    /// A host.
    Host,
}

/// Returns the first private host that an address names. An address can name others in its query,
/// and a template is no whole address: it is read as a pattern too.
pub(super) fn private_in_address(address: &str, is_public: IsPublic) -> Option<String> {
    let url = Url::parse(address).ok();
    let host = url.as_ref().and_then(Url::host).filter(|host| is_private(host, is_public));
    host.map(|host| host.to_string())
        .or_else(|| private_in_pattern(&regex::escape(address), is_public))
}

/// Returns the first private host that a pattern names. What a pattern builds of parts that vary is
/// not told.
pub(super) fn private_in_pattern(pattern: &str, is_public: IsPublic) -> Option<String> {
    let mut place = HostPlace::Any;
    let mut name = String::new();
    // Where each open group begins, and the place after its branches so far.
    let mut groups: Vec<(HostPlace, HostPlace)> = Vec::new();
    let mut before = PatternPart::Edge;
    for part in parts_of(pattern) {
        if let PatternPart::Letter(c) = part
            && is_of_name(c, &name)
        {
            name.push(c.to_ascii_lowercase());
            before = part;
            continue;
        }
        if !name.is_empty() {
            let is_whole = matches!(part, PatternPart::Letter(_) | PatternPart::Edge);
            let private = private_name(&name, place, is_whole, is_public);
            if private.is_some() {
                return private;
            }
            name.clear();
            place = if place == HostPlace::Host { HostPlace::Rest } else { place };
        }
        place = match (part, place) {
            (PatternPart::Letter('/'), _) if before == part => HostPlace::Host,
            (PatternPart::Letter('/' | '?' | '#'), HostPlace::Host | HostPlace::Rest) => {
                HostPlace::Path
            }
            (PatternPart::Letter('@'), HostPlace::Rest) => HostPlace::Host,
            (PatternPart::Letter(_) | PatternPart::Varying, HostPlace::Host) => HostPlace::Rest,
            (PatternPart::Open, _) => {
                groups.push((place, HostPlace::Path));
                place
            }
            (PatternPart::Or, _) => match groups.last_mut() {
                Some((begin, end)) => {
                    *end = place.max(*end);
                    *begin
                }
                None => HostPlace::Any,
            },
            (PatternPart::Close, _) => groups.pop().map_or(place, |(_, end)| place.max(end)),
            _ => place,
        };
        before = part;
    }
    None
}

/// Reports whether a character goes on with the name of a host. An IPv6 address has colons, but in
/// brackets alone.
fn is_of_name(c: char, name: &str) -> bool {
    match name.starts_with('[') && !name.ends_with(']') {
        true => c.is_ascii_hexdigit() || matches!(c, ':' | '.' | ']'),
        false => c.is_alphanumeric() || ".-_%".contains(c) || (c == '[' && name.is_empty()),
    }
}

/// Returns the private host that a name is, at its place.
fn private_name(
    name: &str,
    place: HostPlace,
    is_whole: bool,
    is_public: IsPublic,
) -> Option<String> {
    let bare = name.trim_matches('.');
    let host = Host::parse(bare).ok();
    let is_sure = |ip: &Ipv4Addr| place == HostPlace::Host && (is_whole || ip.octets()[0] != 0);
    let n_dots = bare.matches('.').count();
    let host = match (place, host) {
        (HostPlace::Path, _) => None,
        // `10.` before numbers that vary.
        (HostPlace::Host, Some(Host::Ipv4(_))) if name.ends_with('.') && n_dots < 3 => {
            Host::parse(&format!("{bare}{}", ".0".repeat(3 - n_dots))).ok()
        }
        // A number in a path is no host.
        (_, Some(Host::Ipv4(ip))) if n_dots == 3 || is_sure(&ip) => Some(Host::Ipv4(ip)),
        (_, Some(Host::Ipv4(_)) | None) => None,
        // A name with its dot before it: what varies is a part of it.
        (_, Some(Host::Domain(_))) => Some(Host::Domain(name.trim_end_matches('.').to_owned())),
        (_, host) => host,
    };
    host.filter(|host| is_private(host, is_public)).map(|_| bare.to_owned())
}

fn is_private<S: AsRef<str>>(host: &Host<S>, is_public: IsPublic) -> bool {
    match host {
        Host::Ipv4(ip) => !is_public(IpAddr::V4(*ip)),
        Host::Ipv6(ip) => !is_public(IpAddr::V6(*ip)),
        Host::Domain(name) => {
            let name = name.as_ref().trim_end_matches('.');
            name == "localhost"
                || [".localhost", ".local", ".internal"].iter().any(|end| name.ends_with(end))
        }
    }
}

/// Takes a pattern apart.
fn parts_of(pattern: &str) -> Vec<PatternPart> {
    let mut parts = Vec::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let part = match c {
            '\\' => escaped(&mut chars),
            '[' => {
                let class = class_in(&mut chars);
                let mut inner = class.trim_start_matches('\\').chars();
                match (inner.next(), inner.next()) {
                    (Some(c), None) => PatternPart::Letter(c),
                    // As a class it says nothing: its writer meant an address.
                    _ if class.parse::<Ipv6Addr>().is_ok() => {
                        parts.extend(format!("[{class}").chars().map(PatternPart::Letter));
                        PatternPart::Letter(']')
                    }
                    _ => PatternPart::Varying,
                }
            }
            '(' if chars.next_if_eq(&'?').is_some() => {
                // A name or flags; those alone are no group.
                match chars.by_ref().find(|c| ":>)".contains(*c)) {
                    Some(')') | None => continue,
                    Some(_) => PatternPart::Open,
                }
            }
            '(' => PatternPart::Open,
            '|' => PatternPart::Or,
            ')' => PatternPart::Close,
            '^' | '$' => PatternPart::Edge,
            '?' => continue,
            '{' => {
                chars.by_ref().find(|c| *c == '}');
                PatternPart::Varying
            }
            '.' if chars.peek().is_some_and(|next| "*+?{".contains(*next)) => PatternPart::Varying,
            '*' | '+' => PatternPart::Varying,
            c => PatternPart::Letter(c),
        };
        parts.push(part);
    }
    parts.push(PatternPart::Edge);
    parts
}

/// Returns what an escape stands for: a character, a class, or a place.
fn escaped(chars: &mut Peekable<Chars<'_>>) -> PatternPart {
    let Some(c) = chars.next() else { return PatternPart::Varying };
    let n_digits = match c {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        'A' | 'z' | 'b' => return PatternPart::Edge,
        c if c.is_alphanumeric() => return PatternPart::Varying,
        c => return PatternPart::Letter(c),
    };
    let digits: String = match chars.next_if_eq(&'{') {
        Some(_) => chars.by_ref().take_while(|c| *c != '}').collect(),
        None => chars.by_ref().take(n_digits).collect(),
    };
    let c = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
    c.map_or(PatternPart::Varying, PatternPart::Letter)
}

/// Returns what a class has, up to its closing bracket.
fn class_in(chars: &mut Peekable<Chars<'_>>) -> String {
    let mut class = String::new();
    let mut depth = 1;
    while let Some(c) = chars.next() {
        match c {
            '\\' => class.extend([Some(c), chars.next()].into_iter().flatten()),
            '[' => {
                depth += 1;
                class.push(c);
            }
            // The first one is one of the class.
            ']' if class.is_empty() || class == "^" => class.push(c),
            ']' if depth == 1 => break,
            c => {
                depth -= i32::from(c == ']');
                class.push(c);
            }
        }
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_public(ip: IpAddr) -> bool {
        match ip {
            IpAddr::V4(ip) => !(ip.is_private() || ip.is_loopback() || ip.is_link_local()),
            IpAddr::V6(ip) => match ip.to_ipv4_mapped() {
                Some(ip) => is_public(IpAddr::V4(ip)),
                None => !(ip.is_loopback() || ip.is_unique_local()),
            },
        }
    }

    #[test]
    fn private_hosts_are_found_wherever_a_host_can_stand() {
        for (pattern, host) in [
            (r"^http://10\.0\.0\.7/admin", "10.0.0.7"),
            (r"^http(s)?://10\.0\.0\.7/x", "10.0.0.7"),
            (r"^(http|https)://127\.0\.0\.1/x", "127.0.0.1"),
            (r".*://192\.168\.1\.1/x", "192.168.1.1"),
            (r"//169\.254\.169\.254/latest", "169.254.169.254"),
            (r"10\.0\.0\.7/x", "10.0.0.7"),
            (r"^https?://(10\.0\.0\.7)/x", "10.0.0.7"),
            (r"^https?://(?:app\.ex|10\.0\.0\.7)(:\d+)?/x", "10.0.0.7"),
            (r"^(?i)(https?://)?10[.]0.0\x2e7$", "10.0.0.7"),
            (r"^https?://10\.0\.0\.\d+/", "10.0.0"),
            (r"^https?://192\.168\..*", "192.168"),
            (r"^https?://172\.16\..*", "172.16"),
            (r"^https?:\/\/user:pw@10\.0\.0\.7\/", "10.0.0.7"),
            (r"^https://app\.ex/x|//10\.0\.0\.7/", "10.0.0.7"),
            (r"^https://app\.ex/\?to=http://10\.0\.0\.7/", "10.0.0.7"),
            (r"^http://\[::1\]:8080/", "[::1]"),
            (r"^http://[::1]/", "[::1]"),
            (r".*\[fd00::1\].*", "[fd00::1]"),
            (r"^http://\[::ffff:10\.0\.0\.7\]/", "[::ffff:10.0.0.7]"),
            (r"^http://2130706433/", "2130706433"),
            (r"^http://0x7f000001/", "0x7f000001"),
            (r"^http://0x7f\.1:80", "0x7f.1"),
            (r"^http://0177\.0\.0\.1$", "0177.0.0.1"),
            (r"^https?://LOCALHOST(:\d+)?/", "localhost"),
            (r"^https?://.*\.localhost/", "localhost"),
            (r"^https?://printer\.local/", "printer.local"),
            (r"^https?://[a-z]+\.internal\./", "internal"),
            (r".*/localhost:3000/", "localhost"),
        ] {
            assert_eq!(private_in_pattern(pattern, is_public).as_deref(), Some(host), "{pattern}");
        }
    }

    #[test]
    fn ordinary_patterns_name_no_private_host() {
        for pattern in [
            r"^https://app\.ex/v1\.2\.3\.4/",
            r"^https://app\.ex/docs/10\.0\.0\.7/",
            r"^https?://[^/]+/10\.0\.0\.7/",
            r"^https://app\.ex/(edit|localhost)$",
            r"^https://(www\.)?app\.ex(:8080)?/orders/\d+$",
            r"^https://(1|2)\.app\.ex/",
            r"^https://app\d+\.ex/orders/17",
            r".*/orders/17/items/2130706433",
            r"^https://8\.8\.8\.8/",
            r"^https://localhost\.example/",
            r"^https://internal\.example/local",
            r".*/dashboard.*",
            r"^https://\[2606:4700::1111\]/",
        ] {
            assert_eq!(private_in_pattern(pattern, is_public), None, "{pattern}");
        }
    }

    #[test]
    fn an_address_names_the_host_that_a_browser_would_open() {
        for (address, host) in [
            (r"http:\\10.0.0.7\x", "10.0.0.7"),
            ("http:10.0.0.7", "10.0.0.7"),
            ("http://%31%30.0.0.7/", "10.0.0.7"),
            ("http://0x7f.1/", "127.0.0.1"),
            ("http://app.local./", "app.local."),
            ("http://10.0.0.{}/x", "10.0.0"),
            ("//169.254.169.254/", "169.254.169.254"),
            ("10.0.0.7/{}", "10.0.0.7"),
        ] {
            assert_eq!(private_in_address(address, is_public).as_deref(), Some(host), "{address}");
        }
        for address in ["https://app.ex/10.0.0.7?q=a+b", "/orders/{}", "", "https://app.ex:80/"] {
            assert_eq!(private_in_address(address, is_public), None, "{address}");
        }
    }
}
