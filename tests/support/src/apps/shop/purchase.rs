//! Pages on the way to an order: the cart, the three steps of the checkout, the confirmation.

use super::super::http::{HttpAnswer, escaped};
use super::frame::{address_fields, address_lines, alert, page, table};
use super::stock::{euros, product};
use super::visitor::{Delivery, PostalAddress, ShopOrder, Visitor, sum};

/// The cart, which is another screen when it is empty.
pub(super) fn cart(visitor: &mut Visitor) -> HttpAnswer {
    if visitor.cart.is_empty() {
        let main = "<h1>Your cart is empty</h1><p>Have a look at our \
            <a href=\"/category/kitchen\">kitchen things</a> or start at the \
            <a href=\"/\">front page</a>.</p>";
        return page(visitor, "cart-empty", "Your cart", main);
    }
    let mut rows = String::new();
    let mut removals = String::new();
    for (number, n) in &visitor.cart {
        let Some(product) = product(*number) else { continue };
        let (name, price) = (product.name, euros(product.price * n));
        rows += &format!(
            "<tr><td><a href=\"/product/{number}\">{name}</a></td>\
             <td><input type=\"number\" name=\"quantity-{number}\" value=\"{n}\" min=\"1\" \
             aria-label=\"Quantity of {name}\"></td><td>{price}</td>\
             <td><button form=\"remove-{number}\" aria-label=\"Remove {name}\">Remove</button>\
             </td></tr>"
        );
        removals += &format!(
            "<form id=\"remove-{number}\" method=\"post\" action=\"/cart/remove\">\
             <input type=\"hidden\" name=\"product\" value=\"{number}\"></form>"
        );
    }
    let main = format!(
        "<h1>Your cart</h1>{removals}<form method=\"post\" action=\"/cart/update\"><table><thead>\
         <tr><th>Product</th><th>Quantity</th><th>Price</th><th></th></tr></thead>\
         <tbody>{rows}</tbody></table><p>Sum: {}</p><button>Update cart</button></form>\
         <p><a class=\"main-button\" href=\"/checkout/address\">Go to checkout</a></p>",
        euros(sum(&visitor.cart))
    );
    page(visitor, "cart", "Your cart", &main)
}

/// The steps of the checkout, with the one at hand.
fn steps(now: usize) -> String {
    let step = |(n, name): (usize, &str)| match n == now {
        true => format!("<li class=\"now\" aria-current=\"step\">{name}</li>"),
        false => format!("<li>{name}</li>"),
    };
    let steps: String =
        ["Address", "Delivery", "Payment"].into_iter().enumerate().map(step).collect();
    format!("<ol class=\"steps\">{steps}</ol>")
}

/// First step: the address.
pub(super) fn address(
    visitor: &mut Visitor,
    address: &PostalAddress,
    complaint: Option<&str>,
) -> HttpAnswer {
    let main = format!(
        "<h1>Checkout</h1>{}<h2>Where do we send it?</h2>{}\
         <form method=\"post\" action=\"/checkout/address\">{}\
         <button class=\"main-button\">Continue to delivery</button></form>\
         <p><a href=\"/cart\">Back to the cart</a></p>",
        steps(0),
        alert(complaint),
        address_fields(address)
    );
    page(visitor, "checkout-address", "Checkout", &main)
}

/// Second step: the kind of delivery.
pub(super) fn delivery(visitor: &mut Visitor) -> HttpAnswer {
    let chosen = visitor.delivery.unwrap_or(Delivery::Standard);
    let choices: String = Delivery::ALL
        .into_iter()
        .map(|one| {
            let (value, label, price) = one.told();
            let checked = if one == chosen { " checked" } else { "" };
            format!(
                "<p class=\"choice\"><input type=\"radio\" name=\"delivery\" id=\"{value}\" \
                 value=\"{value}\"{checked}> <label for=\"{value}\">{label}</label> {}</p>",
                euros(price)
            )
        })
        .collect();
    let to = visitor.address.as_ref().map_or(String::new(), address_lines);
    let main = format!(
        "<h1>Checkout</h1>{}<form method=\"post\" action=\"/checkout/delivery\">\
         <fieldset><legend>How do we send it?</legend>{choices}</fieldset>\
         <button class=\"main-button\">Continue to payment</button></form>\
         <h2>To</h2>{to}<p><a href=\"/checkout/address\">Edit address</a></p>",
        steps(1)
    );
    page(visitor, "checkout-delivery", "Checkout", &main)
}

/// Third step: the payment.
pub(super) fn payment(
    visitor: &mut Visitor,
    delivery: Delivery,
    complaint: Option<&str>,
) -> HttpAnswer {
    let (_, label, price) = delivery.told();
    let main = format!(
        "<h1>Checkout</h1>{}<div class=\"columns\">\
         <form method=\"post\" action=\"/checkout/payment\">{}\
         <p><label>Name on card <input name=\"holder\" autocomplete=\"cc-name\"></label></p>\
         <p><label>Card number <input name=\"card\" inputmode=\"numeric\"></label></p>\
         <p><label>Valid until <input name=\"until\" placeholder=\"MM/YY\"></label></p>\
         <p><label>Security code <input name=\"code\" type=\"password\"></label></p>\
         <p class=\"choice\"><label><input type=\"checkbox\" name=\"terms\"> \
         I accept the terms of sale</label></p>\
         <button class=\"main-button\">Place order</button></form>\
         <section><h2>Your order</h2>{}\
         <p><a href=\"/checkout/delivery\">Edit delivery</a></p></section></div>",
        steps(2),
        alert(complaint),
        table(&visitor.cart, (label, price))
    );
    page(visitor, "checkout-payment", "Checkout", &main)
}

/// The order is placed.
pub(super) fn confirmation(visitor: &mut Visitor, order: &ShopOrder) -> HttpAnswer {
    let (_, label, price) = order.delivery.told();
    let main = format!(
        "<h1>Thank you, {}!</h1><p>Your order has the number <strong>{}</strong>. We sent you an \
         e-mail.</p>{}<p><a href=\"/\">Continue shopping</a></p>",
        escaped(&order.address.name),
        order.number,
        table(&order.lines, (label, price))
    );
    page(visitor, "confirmation", "Thank you", &main)
}
