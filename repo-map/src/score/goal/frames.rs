//! The frames of stack traces in a goal, and other places of code with a line.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::score::goal::template::regex;
use crate::score::goal::value::Frame;

/// The most text before a place, or after it, that is read for the function, in bytes. A frame has
/// two lines at most.
const LONGEST_FRAME: usize = 2_000;

static PYTHON_FRAME: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"File "([^"\n]+)", line (\d+)(?:, in ([\w.]+))?"#));
/// Matches `a.rs:1:2`, `f (a.js:1:2)`, `pkg.C.m(C.java:1)`, `a.cs:line 1`, `a.cpp(1)`, `a.ts(1,2)`,
/// `a.php on line 1`, `a.py#L1`.
static OTHER_FRAME: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:([\w.$<>]+) ?\()?([\w@./\\+-]+\.[A-Za-z][A-Za-z+]{0,4})(?::(?:line )?|\(|#L|,? (?:on |at )?line )(\d+)",
    )
});

/// Matches what gdb and the sanitizers write before a place: `#0  0x1f in f (a=1) at `.
static BEFORE_IN_C: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^\s*#\d+\s+(?:0x[0-9a-f]+ in (.+?)(?: ?\(.*\)(?: const)?)?|(\S.*?) \(.*\))(?: at)?\s*$")
});
/// Matches what .NET writes before a place: `at Ns.C.M(String a) in `.
static BEFORE_IN_CSHARP: LazyLock<Regex> = LazyLock::new(|| regex(r"\bat (\S+?)\(.*\) in "));
/// Matches what Ruby writes after a place: ``:in `m'``, `:in 'C#m'`.
static AFTER_IN_RUBY: LazyLock<Regex> = LazyLock::new(|| regex(r"^:in [`']([^'\n]+)'"));
/// Matches the line above a place in Rust: `  12: a::b::f`.
static ABOVE_IN_RUST: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(\S.*)$"));
/// Matches a frame of PHP with the function that its line calls: `#0 /a.php(1): C->m()`.
static CALL_IN_PHP: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*#\d+ (?:\S+\(\d+\)|\[internal function\]): ([^(\n]+)\("));
/// Matches the method that a class of the C# compiler is made for: `<M>d__5.MoveNext`.
static MADE_BY_CSHARP: LazyLock<Regex> = LazyLock::new(|| regex(r"<(\w+)>[a-z]__"));

/// Returns the stack frames, innermost first. Python prints the innermost frame last, other
/// languages print it first.
pub(super) fn frames(text: &str) -> Vec<Frame> {
    let python = |found: regex::Captures<'_>| {
        let function = found.get(3).map(|function| function.as_str().to_owned());
        Some(Frame { path: with_slashes(&found[1]), line: found[2].parse().ok()?, function })
    };
    let mut all: Vec<Frame> = PYTHON_FRAME.captures_iter(text).filter_map(python).collect();
    all.reverse();
    let other = |found: regex::Captures<'_>| {
        let path = with_slashes(&found[2]);
        let line = found[3].parse().ok()?;
        let Some(call) = found.get(1) else {
            let function = function_around(text, found.get(2)?.start()..found.get(0)?.end());
            return Some(Frame { path, line, function });
        };
        let mut names: Vec<&str> = call.as_str().split('.').collect();
        let function = names.pop().map(str::to_owned);
        names.pop();
        // A Java frame names the package, whose folders its file is in.
        let in_package = !names.is_empty() && path.ends_with(".java") && !path.contains('/');
        let path = if in_package { format!("{}/{path}", names.join("/")) } else { path };
        Some(Frame { path, line, function })
    };
    all.extend(OTHER_FRAME.captures_iter(text).filter_map(other));
    let mut frames: Vec<Frame> = Vec::new();
    for frame in all {
        if frames.len() < 100 && !frames.contains(&frame) {
            frames.push(frame);
        }
    }
    frames
}

fn with_slashes(path: &str) -> String {
    path.replace('\\', "/")
}

/// Returns the text before a place, as far as a frame may begin.
fn before(text: &str, place: usize) -> &str {
    let from = place.saturating_sub(LONGEST_FRAME);
    let start = (from..place).find(|start| text.is_char_boundary(*start));
    &text[start.unwrap_or(place)..place]
}

/// Returns the text after a place, as far as a frame may end.
fn after(text: &str, place: usize) -> &str {
    let to = text.len().min(place + LONGEST_FRAME);
    let end = (place..=to).rfind(|end| text.is_char_boundary(*end));
    &text[place..end.unwrap_or(place)]
}

/// Returns the function of a place, from the text around the place as traces write it.
fn function_around(text: &str, place: Range<usize>) -> Option<String> {
    let before = before(text, place.start);
    let (above, before) = before.rsplit_once('\n').unwrap_or(("", before));
    let mut below = after(text, place.end).lines();
    let after = below.next().unwrap_or_default();
    let path = &text[place.clone()];
    if let Some(found) = AFTER_IN_RUBY.captures(after) {
        return simple_name(&found[1]);
    }
    if let Some(found) = BEFORE_IN_C.captures(before).or_else(|| BEFORE_IN_CSHARP.captures(before))
    {
        return simple_name(found.iter().skip(1).flatten().next()?.as_str());
    }
    if path.contains(".php") {
        // A frame names the function that its line calls, so the next one has that of the line.
        let next = below.find(|line| line.trim() != "Stack trace:")?;
        return simple_name(&CALL_IN_PHP.captures(next)?[1]);
    }
    let above = above.lines().next_back()?;
    match before.trim() {
        "at" => {
            let found = BEFORE_IN_C.captures(above).or_else(|| ABOVE_IN_RUST.captures(above))?;
            simple_name(found.iter().skip(1).flatten().next()?.as_str())
        }
        "" if path.contains(".go:") => {
            let call = above.trim().trim_start_matches("created by ");
            simple_name(call.split(" in goroutine").next()?)
        }
        _ => None,
    }
}

/// Returns the bare name of a function: `reverseProxy` of `proxy.(*Handler).reverseProxy(0x1f)`.
/// A closure has the name of the function around it.
fn simple_name(call: &str) -> Option<String> {
    if let Some(found) = MADE_BY_CSHARP.captures(call) {
        return Some(found[1].to_owned());
    }
    let mut depth = 0_usize;
    let is_outside = |c: &char| {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                // What was between brackets separates names.
                return true;
            }
            _ => {}
        }
        depth == 0
    };
    let plain: String = call.chars().filter(is_outside).collect();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '?' | '!' | '=');
    plain.split(|c| !is_part(c)).rfind(|part| is_function(part)).map(str::to_owned)
}

/// Reports whether a part of a qualified name is that of a function, and not of a closure, a hash
/// or a constructor.
fn is_function(part: &str) -> bool {
    let is_number = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
    let is_closure = ["", "func", "gowrap", "deferwrap"]
        .iter()
        .filter_map(|prefix| part.strip_prefix(prefix))
        .any(|rest| !rest.is_empty() && is_number(rest));
    let is_hash = part.len() == 17
        && part.strip_prefix('h').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()));
    !is_closure && !is_hash && !matches!(part, "" | "ctor" | "cctor" | "fm")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_every_language_are_read() {
        let one = |text: &str| {
            let frame = frames(text).into_iter().next()?;
            Some((frame.path, frame.line, frame.function.unwrap_or_default()))
        };
        for (text, path, line, function) in [
            ("  File \"/srv/a/x.py\", line 12, in save", "/srv/a/x.py", 12, "save"),
            ("   3: at src/x.rs:12:5", "src/x.rs", 12, ""),
            ("at com.shop.cart.Cart.add(Cart.java:12)", "com/shop/cart/Cart.java", 12, "add"),
            ("    at Cart.add (/srv/lib/x.js:12:3)", "/srv/lib/x.js", 12, "add"),
            ("    at file:///srv/lib/x.mjs:12:3", "///srv/lib/x.mjs", 12, ""),
            ("\t/go/src/x.go:12 +0x1d", "/go/src/x.go", 12, ""),
            ("at A.B() in C:\\src\\X.cs:line 12", "/src/X.cs", 12, "B"),
            ("src/x.c:12:5: error: no", "src/x.c", 12, ""),
            ("see fix #3 of src/x.c:12", "src/x.c", 12, ""),
            ("src\\x.cpp(12): error C2065", "src/x.cpp", 12, ""),
            ("src/x.ts(12,5): error TS2304", "src/x.ts", 12, ""),
            ("thrown in /srv/x.php on line 12", "/srv/x.php", 12, ""),
            ("see lib/x.py#L12", "lib/x.py", 12, ""),
        ] {
            let expected = (path.to_owned(), line, function.to_owned());
            assert_eq!(one(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_log_in_one_line_is_read_place_by_place() {
        let line = "é at A.B(int x) in C:\\src\\X.cs:line 12 ".repeat(10_000);
        let frame = &frames(&line)[0];
        assert_eq!((frame.path.as_str(), frame.function.as_deref()), ("/src/X.cs", Some("B")));
    }

    #[test]
    fn the_function_of_a_frame_stands_around_its_place() {
        for (text, functions) in [
            (
                "goroutine 1 [running]:\nshop/cart.(*Cart).redeem(0xc000, {0x1, 0x2})\n\t\
                 /srv/cart.go:12 +0x1d\nmain.main.func1.2()\n\t/srv/main.go:3\ncreated by \
                 net/http.(*Server).Serve in goroutine 7\n\t/go/server.go:9 +0x4",
                ["redeem", "main", "Serve"].as_slice(),
            ),
            (
                "#0  0x00005581 in cart_redeem (cart=0x0, name=\"a (b)\") at cart.c:12\n\
                 #1  main (argc=1) at main.c:3\n\
                 #2  0x1f in shop::Cart<int>::add (this=0x0)\n    at cart.cc:7",
                &["cart_redeem", "main", "add"],
            ),
            (
                "    #0 0x4f in cart_redeem /srv/cart.c:12:5\n    #1 0x5a in shop::Cart::add(int, \
                 char const*) const /srv/cart.cc:3:1",
                &["cart_redeem", "add"],
            ),
            (
                "  12: shop::cart::redeem\n             at ./src/cart.rs:10:5\n  13:     0x55 - \
                 <shop::Cart as core::Add>::add::{{closure}}::h0123456789abcdef\n             at \
                 ./src/add.rs:3:1",
                &["redeem", "add"],
            ),
            (
                "   at Shop.Cart.Redeem(String name) in /srv/Cart.cs:line 42\n   at \
                 Shop.Cart.<Pay>d__5.MoveNext() in /srv/Pay.cs:line 7\n   at \
                 Shop.Cart..ctor(Int32 n) in C:\\my shop\\Cart.cs:line 3",
                &["Redeem", "Pay", "Cart"],
            ),
            (
                "cart.rb:12:in `redeem!'\ncart.rb:3:in 'Shop::Cart#add'\npay.rb:4:in `block (2 \
                 levels) in pay'",
                &["redeem!", "add", "pay"],
            ),
            // A frame of PHP names what its line calls: the line itself is in the next function.
            (
                "Error: no in /srv/Cart.php:12\nStack trace:\n#0 /srv/Pay.php(42): \
                 Shop\\Cart->redeem('a')\n#1 /srv/index.php(3): pay()\n#2 {main}",
                &["redeem", "pay", ""],
            ),
        ] {
            let found: Vec<String> =
                frames(text).into_iter().map(|frame| frame.function.unwrap_or_default()).collect();
            assert_eq!(found, functions, "{text}");
        }
    }
}
