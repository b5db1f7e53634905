//! What all pages of the shop have: the head, the menu, the footer; and parts of several pages.

use super::super::http::{HttpAnswer, escaped};
use super::stock::{CATEGORIES, ShopProduct, euros};
use super::visitor::{PostalAddress, Visitor};

/// A page: its screen, its title, what stands between menu and footer. Tells the notice.
pub(super) fn page(visitor: &mut Visitor, at: &str, title: &str, main: &str) -> HttpAnswer {
    let notice = visitor.notice.take().map_or(String::new(), |notice| {
        format!("<div class=\"notice\" role=\"status\">{}</div>", escaped(&notice))
    });
    let n: usize = visitor.cart.iter().map(|(_, n)| n).sum();
    let count = match n {
        0 => String::new(),
        n => format!(" <span class=\"count\">{n}</span>"),
    };
    let account = match visitor.is_known {
        true => {
            "<a href=\"/account\">My account</a>\
             <form method=\"post\" action=\"/logout\"><button>Log out</button></form>"
        }
        false => "<a href=\"/login\">Log in</a>",
    };
    let menu: String = CATEGORIES
        .iter()
        .map(|(slug, name, _)| format!("<li><a href=\"/category/{slug}\">{name}</a></li>"))
        .collect();
    let title = escaped(title);
    let body = format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} – Hearth &amp; Shed</title>
<link rel="stylesheet" href="/shop.css">
<script>
// A page out of the browser's memory would show an old cart.
addEventListener("pageshow", event => {{ if (event.persisted) location.reload(); }});
</script>
</head>
<body>
<header class="top">
<a class="logo" href="/">Hearth &amp; Shed</a>
<form class="search" role="search" action="/search">
<input type="search" name="q" placeholder="What are you looking for?" aria-label="Search products">
<button>Search</button>
</form>
<div class="you">{account}<a href="/cart">Cart{count}</a></div>
</header>
<nav aria-label="Categories"><ul>{menu}</ul></nav>
{notice}
<main>
{main}
</main>
<footer>
<p>Hearth &amp; Shed, Harbour Street 12. Open Monday to Saturday, 9 to 18.</p>
<ul>
<li><a href="/about">About us</a></li>
<li><a href="/account/orders">Track an order</a></li>
<li><a href="/gift-cards">Gift cards</a></li>
<li><a href="/careers">Careers</a></li>
</ul>
</footer>
</body>
</html>
"#
    );
    HttpAnswer::page(at, body)
}

/// A product in a list.
pub(super) fn card(product: &ShopProduct) -> String {
    let ShopProduct { number, name, price, .. } = product;
    let offer = match product.stock {
        0 => "<span class=\"out\">Sold out</span>".to_owned(),
        _ => format!(
            "<form method=\"post\" action=\"/cart/add\">\
             <input type=\"hidden\" name=\"product\" value=\"{number}\">\
             <button class=\"quick\">Quick add</button></form>"
        ),
    };
    let (price, hue) = (euros(*price), number * 47 % 360);
    format!(
        "<li class=\"card\"><a href=\"/product/{number}\" aria-hidden=\"true\" tabindex=\"-1\">\
         <span class=\"picture\" style=\"--hue:{hue}\"></span></a>\
         <h3><a href=\"/product/{number}\">{name}</a></h3>\
         <p class=\"price\">{price}</p>{offer}</li>"
    )
}

/// The lines of a cart or an order, with a sum.
pub(super) fn table(lines: &[(usize, usize)], delivery: (&str, usize)) -> String {
    let mut rows = String::new();
    for (number, n) in lines {
        let Some(product) = super::stock::product(*number) else { continue };
        let price = euros(product.price * n);
        rows += &format!("<tr><td>{}</td><td>{n}</td><td>{price}</td></tr>", product.name);
    }
    let (label, price) = delivery;
    let sum = euros(super::visitor::sum(lines) + price);
    format!(
        "<table><thead><tr><th>Product</th><th>Quantity</th><th>Price</th></tr></thead>\
         <tbody>{rows}</tbody><tfoot><tr><td colspan=\"2\">{label}</td><td>{}</td></tr>\
         <tr><th colspan=\"2\">Total</th><td>{sum}</td></tr></tfoot></table>",
        euros(price)
    )
}

/// The fields of an address, filled.
pub(super) fn address_fields(address: &PostalAddress) -> String {
    let field = |name: &str, label: &str, value: &str| {
        format!(
            "<p><label for=\"{name}\">{label}</label>\
             <input id=\"{name}\" name=\"{name}\" value=\"{}\"></p>",
            escaped(value)
        )
    };
    let countries: String = ["Denmark", "Germany", "Norway", "Sweden"]
        .iter()
        .map(|country| {
            let selected = if **country == address.country { " selected" } else { "" };
            format!("<option{selected}>{country}</option>")
        })
        .collect();
    [
        field("name", "Full name", &address.name),
        field("street", "Street and number", &address.street),
        field("postcode", "Postcode", &address.postcode),
        field("town", "Town", &address.town),
        format!(
            "<p><label for=\"country\">Country</label>\
             <select id=\"country\" name=\"country\">{countries}</select></p>"
        ),
    ]
    .concat()
}

/// A complaint about what was sent.
pub(super) fn alert(complaint: Option<&str>) -> String {
    complaint.map_or(String::new(), |complaint| {
        format!("<p class=\"alert\" role=\"alert\">{complaint}</p>")
    })
}

/// An address as lines.
pub(super) fn address_lines(address: &PostalAddress) -> String {
    let PostalAddress { name, street, postcode, town, country } = address;
    let lines = [name.clone(), street.clone(), format!("{postcode} {town}"), country.clone()];
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    format!("<address>{}</address>", lines.join("<br>"))
}
