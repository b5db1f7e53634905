//! What is read out of a goal: names, paths, stack traces, messages, addresses, words of any
//! script.

use insta::assert_snapshot;
use serde_json::Value;
use test_support::{Repo, repo};

use crate::run;

/// One file a language. Lines of code stand where the stack traces below say.
const SHOP: &str = "\
=== app/models/user_session.py
class UserSession:
    def refresh_token(self, now):
        if self.issued > now:
            raise ValueError('token was issued in the future')
        self.issued = now
=== app/views.py
def show_profile(request):
    return request.session.name
=== lib/shop/basket.rb
class Basket
  def checkout!(visitor)
    raise EmptyBasket, 'nothing to pay for' if @lines.empty?
  end
end
=== server/handler.go
package server

func (h *Handler) ServeHTTP(w Writer, r *Request) {
	h.Routes.Find(r.URL)
}
=== src/main/java/com/shop/OrderService.java
package com.shop;

class OrderService {
  Receipt placeOrder(Order order) {
    return warehouse.reserve(order);
  }
}
=== src/net/retry_policy.rs
/// How long to wait before the next attempt.
pub struct RetryPolicy {
    pub delays: Vec<u64>,
}

impl RetryPolicy {
    pub fn next_delay(&self, attempt: usize) -> u64 {
        self.delays[attempt]
    }
}
=== src/net/http2_stream.rs
pub fn parse_frame_header(bytes: &[u8]) -> usize {
    bytes.len()
}
=== web/components/LoginForm.tsx
export function LoginForm(props: Props) {
  return <form onSubmit={props.send} />;
}
=== Shop/InvoicePrinter.cs
class InvoicePrinter {
    void PrintAll(Queue queue) { queue.Clear(); }
}
=== docs/größe.md
# Größe

Wie groß ein Paket sein darf.
";

fn shop() -> Repo {
    repo(SHOP)
}

/// Path and parts of the files of a goal, the best first; none where nothing matches.
fn ranked(repo: &Repo, goal: &str) -> Vec<(String, Value)> {
    let ran = run(repo, &["rank", "--format", "json", "--goal", goal]);
    if ran.code == 4 {
        return Vec::new();
    }
    assert_eq!(ran.code, 0, "{goal}: {}", ran.stderr);
    let file = |line: &str| {
        let mut file: Value = serde_json::from_str(line).unwrap();
        (file["path"].as_str().unwrap().to_owned(), file["parts"].take())
    };
    ran.stdout.lines().map(file).collect()
}

/// The first file of each goal, with what of it the goal quotes.
fn first_of(goals: &[&str]) -> String {
    let shop = shop();
    let mut page = String::new();
    for goal in goals {
        let ranked = ranked(&shop, goal);
        let Some((path, parts)) = ranked.first() else {
            page.push_str(&format!("{goal:?}\n  nothing\n"));
            continue;
        };
        let quoted: Vec<String> = ["definitions", "path", "phrase", "trace"]
            .iter()
            .filter_map(|part| Some(format!(" {part} {:.2}", parts[part].as_f64()?)))
            .collect();
        page.push_str(&format!("{goal:?}\n  {path}{}\n", quoted.concat()));
    }
    page
}

#[test]
fn a_stack_trace_of_any_language_leads_to_its_file() {
    assert_snapshot!(
        first_of(&[
            "crash\nTraceback (most recent call last):\n  File \
             \"/srv/app/models/user_session.py\", line 4, in refresh_token\nKeyError",
            "crash\n  File \"C:\\srv\\app\\models\\user_session.py\", line 4, in refresh_token",
            "crash\nthread 'main' panicked at src/net/retry_policy.rs:8:9:\nindex out of bounds",
            "crash\n    at render (webpack:///./web/components/LoginForm.tsx:2:10)",
            "crash\n    at render (/app/node_modules/react/index.js:9:1)\n    at LoginForm \
             (/app/web/components/LoginForm.tsx:2:10)",
            "crash\ngoroutine 1 [running]:\nmain.x(0xc000)\n\t/build/server/handler.go:4 +0x1d",
            "crash\n\tat com.shop.OrderService.placeOrder(OrderService.java:5)",
            "crash\n/srv/lib/shop/basket.rb:3:in `checkout!'",
            // Its frames have no colon before the number: they count as paths alone.
            "crash\n   at Shop.InvoicePrinter.PrintAll() in C:\\src\\Shop\\InvoicePrinter.cs:line 2",
        ]),
        @r#"
    "crash\nTraceback (most recent call last):\n  File \"/srv/app/models/user_session.py\", line 4, in refresh_token\nKeyError"
      app/models/user_session.py definitions 1.00 path 1.00 trace 1.00
    "crash\n  File \"C:\\srv\\app\\models\\user_session.py\", line 4, in refresh_token"
      app/models/user_session.py definitions 1.00 path 1.00 trace 1.00
    "crash\nthread 'main' panicked at src/net/retry_policy.rs:8:9:\nindex out of bounds"
      src/net/retry_policy.rs path 1.00 trace 1.00
    "crash\n    at render (webpack:///./web/components/LoginForm.tsx:2:10)"
      web/components/LoginForm.tsx definitions 1.00 path 1.00 trace 1.00
    "crash\n    at render (/app/node_modules/react/index.js:9:1)\n    at LoginForm (/app/web/components/LoginForm.tsx:2:10)"
      web/components/LoginForm.tsx definitions 1.00 path 1.00 trace 1.00
    "crash\ngoroutine 1 [running]:\nmain.x(0xc000)\n\t/build/server/handler.go:4 +0x1d"
      server/handler.go path 1.00 trace 1.00
    "crash\n\tat com.shop.OrderService.placeOrder(OrderService.java:5)"
      src/main/java/com/shop/OrderService.java definitions 1.00 path 1.00 trace 1.00
    "crash\n/srv/lib/shop/basket.rb:3:in `checkout!'"
      lib/shop/basket.rb definitions 1.00 path 1.00 trace 1.00
    "crash\n   at Shop.InvoicePrinter.PrintAll() in C:\\src\\Shop\\InvoicePrinter.cs:line 2"
      Shop/InvoicePrinter.cs definitions 1.00 path 1.00 trace 1.00
    "#
    );
}

#[test]
fn the_innermost_frame_counts_most_in_the_order_of_its_language() {
    let trace = |goal: &str| -> Vec<(String, f64)> {
        let mut files: Vec<(String, f64)> = ranked(&shop(), goal)
            .into_iter()
            .filter_map(|(path, parts)| Some((path, parts["trace"].as_f64()?)))
            .filter(|(_, value)| *value > 0.0)
            .collect();
        files.sort_by(|a, b| b.1.total_cmp(&a.1));
        files
    };
    let of = |files: &[(String, f64)]| -> Vec<String> {
        files.iter().map(|(path, _)| path.clone()).collect()
    };
    let python = trace(
        "crash\n  File \"/srv/app/views.py\", line 2, in show_profile\n  File \
         \"/srv/app/models/user_session.py\", line 4, in refresh_token\n",
    );
    assert_eq!(of(&python), ["app/models/user_session.py", "app/views.py"]);
    let node = trace(
        "crash\n    at a (/srv/app/views.py:2:1)\n    at b \
         (/srv/app/models/user_session.py:4:1)\n",
    );
    assert_eq!(of(&node), ["app/views.py", "app/models/user_session.py"]);
    assert!(python[0].1 > python[1].1 && node[0].1 > node[1].1, "{python:?} {node:?}");
}

#[test]
fn a_path_is_found_however_it_is_written() {
    assert_snapshot!(
        first_of(&[
            "see lib/shop/basket.rb",
            "see ./lib/shop/basket.rb.",
            "see `lib/shop/basket.rb`, please",
            "see lib\\shop\\basket.rb",
            "see basket.rb",
            "see shop/basket.rb",
            "see lib/shop/",
            "see basket.rb:3",
            "see https://github.com/acme/shop/blob/main/lib/shop/basket.rb#L3",
            "see https://gitlab.com/acme/shop/-/blob/v1.2/lib/shop/basket.rb",
            "see https://shop.example/lib/shop/basket.rb",
            "see LIB/SHOP/BASKET.RB",
        ]),
        @r#"
    "see lib/shop/basket.rb"
      lib/shop/basket.rb path 1.00
    "see ./lib/shop/basket.rb."
      lib/shop/basket.rb path 1.00
    "see `lib/shop/basket.rb`, please"
      lib/shop/basket.rb path 1.00
    "see lib\\shop\\basket.rb"
      lib/shop/basket.rb path 1.00
    "see basket.rb"
      lib/shop/basket.rb path 1.00
    "see shop/basket.rb"
      lib/shop/basket.rb path 1.00
    "see lib/shop/"
      lib/shop/basket.rb
    "see basket.rb:3"
      lib/shop/basket.rb path 1.00 trace 1.00
    "see https://github.com/acme/shop/blob/main/lib/shop/basket.rb#L3"
      lib/shop/basket.rb path 1.00 trace 1.00
    "see https://gitlab.com/acme/shop/-/blob/v1.2/lib/shop/basket.rb"
      lib/shop/basket.rb path 1.00
    "see https://shop.example/lib/shop/basket.rb"
      nothing
    "see LIB/SHOP/BASKET.RB"
      lib/shop/basket.rb
    "#
    );
}

#[test]
fn an_identifier_leads_to_where_it_is_defined() {
    assert_snapshot!(
        first_of(&[
            "RetryPolicy is wrong",
            "wrong\n`next_delay` panics",
            "OrderService.placeOrder loses orders",
            "UserSession#refresh_token",
            "RetryPolicy::next_delay(7)",
            "checkout! fails",
            "retrypolicy is wrong",
            "refreshToken is called twice",
            "show-profile",
            "PRINT_ALL",
        ]),
        @r#"
    "RetryPolicy is wrong"
      src/net/retry_policy.rs definitions 1.00
    "wrong\n`next_delay` panics"
      src/net/retry_policy.rs definitions 1.00 phrase 1.00
    "OrderService.placeOrder loses orders"
      src/main/java/com/shop/OrderService.java definitions 1.00
    "UserSession#refresh_token"
      app/models/user_session.py definitions 1.00
    "RetryPolicy::next_delay(7)"
      src/net/retry_policy.rs definitions 1.00
    "checkout! fails"
      lib/shop/basket.rb definitions 1.00
    "retrypolicy is wrong"
      src/net/retry_policy.rs
    "refreshToken is called twice"
      app/models/user_session.py
    "show-profile"
      app/views.py
    "PRINT_ALL"
      Shop/InvoicePrinter.cs
    "#
    );
}

#[test]
fn words_meet_inside_of_identifiers_and_in_the_plural() {
    assert_snapshot!(
        first_of(&[
            "delays between attempts",
            "the frame header",
            "frames have headers",
            "login forms",
            "print invoices",
            "http2",
            "HTTP stream",
            "policies",
        ]),
        @r#"
    "delays between attempts"
      src/net/retry_policy.rs
    "the frame header"
      src/net/http2_stream.rs
    "frames have headers"
      src/net/http2_stream.rs
    "login forms"
      web/components/LoginForm.tsx
    "print invoices"
      Shop/InvoicePrinter.cs
    "http2"
      src/net/http2_stream.rs
    "HTTP stream"
      src/net/http2_stream.rs
    "policies"
      src/net/retry_policy.rs
    "#
    );
}

#[test]
fn a_message_is_found_word_for_word() {
    assert_snapshot!(
        first_of(&[
            "broken\nValueError: token was issued in the future",
            "broken\nit says \"nothing to pay for\" at the end",
            "broken\nerror: nothing to pay for",
            "broken\nit says 'token was issued in the past'",
        ]),
        @r#"
    "broken\nValueError: token was issued in the future"
      app/models/user_session.py phrase 1.00
    "broken\nit says \"nothing to pay for\" at the end"
      lib/shop/basket.rb phrase 1.00
    "broken\nerror: nothing to pay for"
      lib/shop/basket.rb phrase 1.00
    "broken\nit says 'token was issued in the past'"
      app/models/user_session.py phrase 1.00
    "#
    );
}

#[test]
fn a_pasted_message_leads_to_the_one_file_that_has_it() {
    let repo = repo(concat!(
        "=== src/block.c\n/* An error if the device has no space left. */\n",
        "int write_block(device *device);\n",
        "=== src/io.c\nvoid flush(int fd) {\n",
        "    fail(70, \"Write error : cannot write block : %s\", strerror(errno));\n}\n",
    ));
    let message = "tool: error 70 : Write error : cannot write block : No space left on device";
    let first = |goal: &str| ranked(&repo, goal)[0].0.clone();
    assert_eq!(first(message), "src/io.c");
    // Below other words it is one sign of many.
    assert_eq!(first(&format!("Which device has no space left?\n\n{message}")), "src/block.c");
}

#[test]
fn a_goal_without_a_word_of_code_finds_nothing() {
    assert_snapshot!(
        first_of(&["   ", "?!", "...", "the and of", "123 456", "a", "https://shop.example/a"]),
        @r#"
    "   "
      app/views.py
    "?!"
      nothing
    "..."
      nothing
    "the and of"
      nothing
    "123 456"
      nothing
    "a"
      nothing
    "https://shop.example/a"
      nothing
    "#
    );
}

#[test]
fn words_of_any_script_are_words() {
    assert_snapshot!(
        first_of(&[
            "Größe",
            "wie groß darf ein Paket sein?",
            "修复 RetryPolicy 的错误",
            "ошибка в placeOrder",
            "エラー: LoginForm が表示されない",
            "ничего такого нет",
        ]),
        @r#"
    "Größe"
      docs/größe.md definitions 1.00
    "wie groß darf ein Paket sein?"
      docs/größe.md
    "修复 RetryPolicy 的错误"
      src/net/retry_policy.rs definitions 1.00
    "ошибка в placeOrder"
      src/main/java/com/shop/OrderService.java definitions 1.00
    "エラー: LoginForm が表示されない"
      web/components/LoginForm.tsx definitions 1.00
    "ничего такого нет"
      nothing
    "#
    );
}

#[test]
fn what_stands_in_the_title_counts_more_than_what_stands_below() {
    let shop = shop();
    let first = |goal: &str| ranked(&shop, goal)[0].0.clone();
    let below = "\nit happens with the basket of a visitor";
    assert_eq!(first(&format!("the delay before an attempt{below}")), "src/net/retry_policy.rs");
    let below = "\nit happens with the delay before an attempt";
    assert_eq!(first(&format!("the basket of a visitor{below}")), "lib/shop/basket.rb");
}

#[test]
fn what_a_template_asks_of_a_reporter_finds_nothing() {
    let shop = shop();
    for noise in [
        "<!-- the login form of the invoice printer -->",
        "- [ ] I have read what the login form says",
        "## Environment\nlogin form: LoginForm\ninvoice printer",
        "### System information\nlogin form",
        "| login | form |",
        "https://example.org/login/form/LoginForm",
        "login form: 1.2.3",
    ] {
        let goal = format!("next_delay\n{noise}\n");
        let files = ranked(&shop, &goal);
        let (_, parts) =
            files.iter().find(|(path, _)| path == "web/components/LoginForm.tsx").unwrap();
        assert_eq!(parts.get("words"), None, "{noise}: {parts}");
    }
}

#[test]
fn a_section_after_the_environment_counts_again() {
    let goal = "crash\n## Environment\nlogin form\n## More\nthe invoice printer\n";
    let files = ranked(&shop(), goal);
    let words = |path: &str| {
        let (_, parts) = files.iter().find(|(one, _)| one == path).unwrap();
        parts["words"].as_f64().unwrap_or(0.0)
    };
    assert_eq!(
        (words("Shop/InvoicePrinter.cs"), words("web/components/LoginForm.tsx")),
        (1.0, 0.0)
    );
}

#[test]
fn a_goal_file_is_the_same_goal() {
    let shop = shop();
    let goals = repo("");
    let goal = "placeOrder\nloses orders: `RetryPolicy`\n";
    let file = goals.write("goal.txt", goal.as_bytes());
    let by_file = run(&shop, &["rank", "--goal-file", file.to_str().unwrap()]);
    let by_flag = run(&shop, &["rank", "--goal", goal]);
    assert_eq!((by_file.code, by_file.stdout), (0, by_flag.stdout));
    let none = run(&shop, &["rank", "--goal-file", "nowhere.txt"]);
    assert_eq!((none.code, none.stdout.as_str()), (2, ""));
    assert_snapshot!(none.stderr, @"repo-map: reading the goal from nowhere.txt: No such file or \
        directory (os error 2)");
}
