//! Pages to look around in, and those of the account.

use super::super::http::{HttpAnswer, escaped};
use super::frame::{address_fields, address_lines, alert, card, page, table};
use super::stock::{CATEGORIES, ShopProduct, euros, product as product_of, products};
use super::visitor::{PostalAddress, ShopOrder, Visitor, sum};

/// How many products a page of a category shows.
const N_A_PAGE: usize = 6;

/// The front page; its offers change with each visit.
pub(super) fn front(visitor: &mut Visitor) -> HttpAnswer {
    visitor.n_fronts += 1;
    let first = visitor.n_fronts * 7;
    let offers: String =
        (0..4).filter_map(|n| product_of((first + n * 9) % 40 + 1)).map(|one| card(&one)).collect();
    let deal = product_of((first + 4) % 40 + 1).map_or(String::new(), |deal| {
        let price = euros(deal.price);
        format!(
            "<section class=\"deal\"><h2>Deal of the day</h2><p>{}, only {price}. {}.</p>\
                 <a href=\"/product/{}\">See the deal</a></section>",
            deal.name, deal.blurb, deal.number
        )
    });
    let main = format!(
        "<h1>Good things for house and garden</h1>{deal}\
         <h2>Picked for you</h2><ul class=\"cards\">{offers}</ul>"
    );
    page(visitor, "front", "Good things for house and garden", &main)
}

/// A page of a category.
pub(super) fn category(visitor: &mut Visitor, slug: &str, n: usize, sort: &str) -> HttpAnswer {
    let Some(at) = CATEGORIES.iter().position(|(one, _, _)| *one == slug) else {
        return missing(visitor);
    };
    let (_, name, line) = CATEGORIES[at];
    let mut all: Vec<ShopProduct> = products().filter(|one| one.category() == at).collect();
    match sort {
        "price" => all.sort_by_key(|one| one.price),
        "name" => all.sort_by_key(|one| one.name),
        _ => {}
    }
    let n_pages = all.len().div_ceil(N_A_PAGE);
    if n == 0 || n > n_pages {
        return missing(visitor);
    }
    let cards: String = all.chunks(N_A_PAGE).nth(n - 1).into_iter().flatten().map(card).collect();
    let link = |to: usize, text: &str| {
        format!("<a href=\"/category/{slug}?page={to}&amp;sort={}\">{text}</a>", escaped(sort))
    };
    let back = if n > 1 { link(n - 1, "Previous page") } else { String::new() };
    let on = if n < n_pages { link(n + 1, "Next page") } else { String::new() };
    let options: String = [("", "Our order"), ("price", "Price"), ("name", "Name")]
        .iter()
        .map(|(value, label)| {
            let selected = if *value == sort { " selected" } else { "" };
            format!("<option value=\"{value}\"{selected}>{label}</option>")
        })
        .collect();
    let main = format!(
        "<h1>{name}</h1><p>{line} {} products.</p>\
         <form action=\"/category/{slug}\"><label for=\"sort\">Sort by</label>\
         <select id=\"sort\" name=\"sort\">{options}</select> <button>Sort</button></form>\
         <ul class=\"cards\">{cards}</ul>\
         <div class=\"pages\">{back}<span>Page {n} of {n_pages}</span>{on}</div>",
        all.len()
    );
    page(visitor, "category", name, &main)
}

/// A product: with details for some, with reviews for others.
pub(super) fn product(visitor: &mut Visitor, product: &ShopProduct) -> HttpAnswer {
    let ShopProduct { number, name, price, stock, blurb } = *product;
    let (slug, category, _) = CATEGORIES[product.category()];
    let colours = match number % 3 {
        0 => {
            "<p><label for=\"colour\">Colour</label><select id=\"colour\" name=\"colour\">\
             <option>Natural</option><option>Black</option><option>Green</option></select></p>"
        }
        _ => "",
    };
    let offer = match stock {
        0 => "<p class=\"out\">Sold out. We expect more next month.</p>".to_owned(),
        _ => format!(
            "<p>{}</p><form method=\"post\" action=\"/cart/add\">\
             <input type=\"hidden\" name=\"product\" value=\"{number}\">{colours}\
             <p><label for=\"quantity\">Quantity</label>\
             <input id=\"quantity\" name=\"quantity\" type=\"number\" value=\"1\" min=\"1\"></p>\
             <button class=\"main-button\">Add to cart</button></form>",
            if stock < 4 { format!("Only {stock} left") } else { format!("{stock} in stock") }
        ),
    };
    let details = match number % 2 {
        0 => format!(
            "<h2>Details</h2><table><tr><th>Article</th><td>HS-{:04}</td></tr><tr><th>Weight</th>\
             <td>{} g</td></tr><tr><th>Warranty</th><td>{} years</td></tr></table>",
            number * 37,
            120 + number * 55,
            number % 4 + 1
        ),
        _ => String::new(),
    };
    let voices = [
        "Does what it should.",
        "A present for my father. He loves it.",
        "Sturdy.",
        "Came a day late, but well packed.",
    ];
    let reviews: String = (0..number % 5)
        .map(|n| format!("<li>{} – {} of 5</li>", voices[(number + n) % 4], 5 - (number + n) % 3))
        .collect();
    let reviews = match reviews.as_str() {
        "" => "<p>No reviews yet.</p>".to_owned(),
        reviews => format!("<ul>{reviews}</ul>"),
    };
    let more: String = [1, 3, 11]
        .iter()
        .filter_map(|n| product_of((number + n) % 40 + 1))
        .map(|one| card(&one))
        .collect();
    let (hue, price) = (number * 47 % 360, euros(price));
    let main = format!(
        "<p><a href=\"/category/{slug}\">Back to {category}</a></p><div class=\"columns\">\
         <span class=\"picture large\" role=\"img\" aria-label=\"{name}\" style=\"--hue:{hue}\">\
         </span><div><h1>{name}</h1><p class=\"price\">{price}</p><p>{blurb}.</p>\
         {offer}</div></div>\
         {details}<h2>Reviews</h2>{reviews}\
         <h2>You may also like</h2><ul class=\"cards\">{more}</ul>"
    );
    page(visitor, "product", name, &main)
}

/// What a search finds in names and descriptions.
pub(super) fn search(visitor: &mut Visitor, query: &str) -> HttpAnswer {
    let word = query.trim().to_lowercase();
    let is_found = |one: &ShopProduct| {
        !word.is_empty() && format!("{} {}", one.name, one.blurb).to_lowercase().contains(&word)
    };
    let found: Vec<ShopProduct> = products().filter(is_found).collect();
    let shown = escaped(query);
    if found.is_empty() {
        let main = format!(
            "<h1>Nothing found</h1><p>We have nothing for “{shown}”. Check the spelling, or look \
             around in <a href=\"/category/tools\">our tools</a>.</p>"
        );
        return page(visitor, "search-empty", "Nothing found", &main);
    }
    let cards: String = found.iter().map(card).collect();
    let main = format!(
        "<h1>Results for “{shown}”</h1><p>{} found</p><ul class=\"cards\">{cards}</ul>",
        found.len()
    );
    page(visitor, "search", &format!("Results for {query}"), &main)
}

/// The form to log in.
pub(super) fn login(visitor: &mut Visitor, email: &str, complaint: Option<&str>) -> HttpAnswer {
    let main = format!(
        "<h1>Welcome back</h1>{}<form method=\"post\" action=\"/login\">\
         <p><label for=\"email\">E-mail</label>\
         <input id=\"email\" type=\"email\" name=\"email\" value=\"{}\" autocomplete=\"email\"></p>\
         <p><label for=\"password\">Password</label>\
         <input id=\"password\" type=\"password\" name=\"password\"></p>\
         <button class=\"main-button\">Sign in</button></form>",
        alert(complaint),
        escaped(email)
    );
    page(visitor, "login", "Log in", &main)
}

/// The account.
pub(super) fn account(visitor: &mut Visitor, home: &PostalAddress) -> HttpAnswer {
    let main = format!(
        "<h1>Hello, {}</h1><div class=\"columns\"><section><h2>Orders</h2>\
         <p>See what you bought.</p><a href=\"/account/orders\">My orders</a></section>\
         <section><h2>Address</h2>{}\
         <a href=\"/account/address\">Change address</a></section></div>",
        escaped(&home.name),
        address_lines(home)
    );
    page(visitor, "account", "My account", &main)
}

/// The form to change the address of the account.
pub(super) fn account_address(
    visitor: &mut Visitor,
    home: &PostalAddress,
    complaint: Option<&str>,
) -> HttpAnswer {
    let main = format!(
        "<h1>Change address</h1>{}<form method=\"post\" action=\"/account/address\">{}\
         <button class=\"main-button\">Save address</button> \
         <a href=\"/account\">Cancel</a></form>",
        alert(complaint),
        address_fields(home)
    );
    page(visitor, "account-address", "Change address", &main)
}

/// The orders of the account, the newest first.
pub(super) fn orders(visitor: &mut Visitor, orders: &[ShopOrder]) -> HttpAnswer {
    let rows: String = orders
        .iter()
        .rev()
        .filter(|order| order.is_of_account)
        .map(|order| {
            let sum = euros(sum(&order.lines) + order.delivery.told().2);
            let ShopOrder { number, placed, .. } = order;
            format!(
                "<tr><td><a href=\"/account/orders/{number}\">Order {number}</a></td>\
                 <td>{placed}</td><td>{sum}</td></tr>"
            )
        })
        .collect();
    let main = format!(
        "<p><a href=\"/account\">Back to my account</a></p><h1>My orders</h1><table><thead>\
         <tr><th>Order</th><th>Placed</th><th>Total</th></tr></thead><tbody>{rows}</tbody></table>"
    );
    page(visitor, "orders", "My orders", &main)
}

/// An order of the account.
pub(super) fn order(visitor: &mut Visitor, order: &ShopOrder) -> HttpAnswer {
    let (_, label, price) = order.delivery.told();
    let main = format!(
        "<p><a href=\"/account/orders\">Back to my orders</a></p><h1>Order {}</h1>\
         <p>Placed: {}</p>{}<h2>Delivered to</h2>{}",
        order.number,
        order.placed,
        table(&order.lines, (label, price)),
        address_lines(&order.address)
    );
    page(visitor, "order", &format!("Order {}", order.number), &main)
}

/// About the shop.
pub(super) fn about(visitor: &mut Visitor) -> HttpAnswer {
    let main = "<h1>About Hearth &amp; Shed</h1>\
        <p>We opened in 1974 as an ironmonger by the harbour. Today nine of us test everything \
        that we sell, and repair most of it.</p><h2>Visit us</h2>\
        <p>Harbour Street 12, by the old crane. <a href=\"/workshop\">See our workshop</a>.</p>\
        <h2>Write to us</h2><p><a href=\"mailto:hello@example.com\">hello@example.com</a></p>";
    page(visitor, "about", "About us", main)
}

/// What is not there.
pub(super) fn missing(visitor: &mut Visitor) -> HttpAnswer {
    let main = "<h1>We cannot find this page</h1><p>It may have moved. \
        <a href=\"/\">Go to the front page</a> or search for a product.</p>";
    let page = page(visitor, "missing", "Page not found", main);
    HttpAnswer { status: "404 Not Found", ..page }
}
