//! A shop whose pages the server makes: categories, products, search, a cart, a checkout in three
//! steps, an account. Who a visitor is stands in a cookie.

mod frame;
mod pages;
mod purchase;
mod stock;
mod tours;
mod visitor;

use std::collections::BTreeMap;

use super::AppSite;
use super::http::{HttpAnswer, HttpForm, HttpRequest};
pub(super) use tours::tours;
use visitor::{Delivery, PostalAddress, ShopOrder, Visitor};

/// All screens; the first is at the address of the shop.
pub(super) const SCREENS: &[&str] = &[
    "front",
    "category",
    "product",
    "search",
    "search-empty",
    "cart-empty",
    "cart",
    "checkout-address",
    "checkout-delivery",
    "checkout-payment",
    "confirmation",
    "login",
    "account",
    "orders",
    "order",
    "account-address",
    "about",
    "missing",
];

/// The one account, as its owner knows it.
const EMAIL: &str = "anna@example.com";
const PASSWORD: &str = "larch-and-linseed";

/// The state of the shop.
pub(super) struct Shop {
    visitors: BTreeMap<String, Visitor>,
    orders: Vec<ShopOrder>,
    /// The address of the account.
    home: PostalAddress,
}

impl Shop {
    pub(super) fn new() -> Self {
        let home = PostalAddress {
            name: "Anna Berg".to_owned(),
            street: "Quarry Lane 4".to_owned(),
            postcode: "2100".to_owned(),
            town: "Copenhagen".to_owned(),
            country: "Denmark".to_owned(),
        };
        let order = |number, lines: &[(usize, usize)], delivery, placed| ShopOrder {
            number,
            lines: lines.to_vec(),
            address: home.clone(),
            delivery,
            placed,
            is_of_account: true,
        };
        let orders = vec![
            order(1001, &[(7, 1), (19, 2)], Delivery::Standard, "12 January 2026"),
            order(1002, &[(28, 1)], Delivery::Express, "3 March 2026"),
            order(1003, &[(10, 1), (12, 4), (34, 2)], Delivery::Collect, "21 April 2026"),
        ];
        Self { visitors: BTreeMap::new(), orders, home }
    }

    /// The page of an address.
    fn page(&mut self, request: &HttpRequest, visitor: &mut Visitor) -> HttpAnswer {
        let parts: Vec<&str> = request.path.split('/').filter(|part| !part.is_empty()).collect();
        let number = |text: &str| text.parse::<usize>().ok();
        match parts[..] {
            [] => pages::front(visitor),
            ["category", slug] => {
                let page = number(request.parameter("page")).unwrap_or(1);
                pages::category(visitor, slug, page, request.parameter("sort"))
            }
            ["product", n] => match number(n).and_then(stock::product) {
                Some(product) => pages::product(visitor, &product),
                None => pages::missing(visitor),
            },
            ["search"] => pages::search(visitor, request.parameter("q")),
            ["cart"] => purchase::cart(visitor),
            ["checkout", step] => self.checkout(visitor, step),
            ["thank-you", n] => match number(n).and_then(|n| self.order(n)) {
                Some(order) => purchase::confirmation(visitor, order),
                None => pages::missing(visitor),
            },
            ["login"] if visitor.is_known => HttpAnswer::see("/account"),
            ["login"] => pages::login(visitor, "", None),
            ["account", ..] if !visitor.is_known => HttpAnswer::see("/login"),
            ["account"] => pages::account(visitor, &self.home),
            ["account", "address"] => pages::account_address(visitor, &self.home, None),
            ["account", "orders"] => pages::orders(visitor, &self.orders),
            ["account", "orders", n] => match number(n).and_then(|n| self.order(n)) {
                Some(order) if order.is_of_account => pages::order(visitor, order),
                Some(_) | None => pages::missing(visitor),
            },
            ["about"] => pages::about(visitor),
            _ => pages::missing(visitor),
        }
    }

    /// A step of the checkout, which begins with the address.
    fn checkout(&self, visitor: &mut Visitor, step: &str) -> HttpAnswer {
        if visitor.cart.is_empty() {
            return HttpAnswer::see("/cart");
        }
        match (step, &visitor.address, visitor.delivery) {
            ("address", Some(address), _) => purchase::address(visitor, &address.clone(), None),
            ("address", None, _) if visitor.is_known => {
                purchase::address(visitor, &self.home, None)
            }
            ("address", None, _) => purchase::address(visitor, &PostalAddress::default(), None),
            ("delivery" | "payment", None, _) => HttpAnswer::see("/checkout/address"),
            ("delivery", Some(_), _) => purchase::delivery(visitor),
            ("payment", Some(_), None) => HttpAnswer::see("/checkout/delivery"),
            ("payment", Some(_), Some(delivery)) => purchase::payment(visitor, delivery, None),
            _ => pages::missing(visitor),
        }
    }

    /// What a form does that was sent.
    fn sent(&mut self, path: &str, form: &HttpForm, visitor: &mut Visitor) -> HttpAnswer {
        match path {
            "/cart/add" => {
                let number = form.field("product").parse().unwrap_or_default();
                visitor.put(number, form.field("quantity").parse().unwrap_or(1));
                HttpAnswer::see("/cart")
            }
            "/cart/remove" => {
                let number = form.field("product").parse().unwrap_or_default();
                visitor.take_out(number);
                HttpAnswer::see("/cart")
            }
            "/cart/update" => {
                for line in &mut visitor.cart {
                    let wanted = form.field(&format!("quantity-{}", line.0));
                    line.1 = wanted.parse().unwrap_or(line.1).clamp(1, 99);
                }
                visitor.notice = Some("Your cart was updated.".to_owned());
                HttpAnswer::see("/cart")
            }
            "/checkout/address" => {
                let address = PostalAddress::of(form);
                if let Some(complaint) = address.complaint() {
                    return purchase::address(visitor, &address, Some(complaint));
                }
                visitor.address = Some(address);
                HttpAnswer::see("/checkout/delivery")
            }
            "/checkout/delivery" => {
                visitor.delivery = Some(Delivery::of(form.field("delivery")));
                HttpAnswer::see("/checkout/payment")
            }
            "/checkout/payment" => self.pay(form, visitor),
            "/login" => {
                let (email, password) = (form.field("email"), form.field("password"));
                if email == EMAIL && password == PASSWORD {
                    visitor.is_known = true;
                    return HttpAnswer::see("/account");
                }
                pages::login(visitor, email, Some("The e-mail or the password is wrong."))
            }
            "/logout" => {
                visitor.is_known = false;
                visitor.notice = Some("You are logged out.".to_owned());
                HttpAnswer::see("/")
            }
            "/account/address" if visitor.is_known => {
                let address = PostalAddress::of(form);
                if let Some(complaint) = address.complaint() {
                    return pages::account_address(visitor, &address, Some(complaint));
                }
                self.home = address;
                visitor.notice = Some("Your address was saved.".to_owned());
                HttpAnswer::see("/account")
            }
            _ => pages::missing(visitor),
        }
    }

    /// The last step of the checkout.
    fn pay(&mut self, form: &HttpForm, visitor: &mut Visitor) -> HttpAnswer {
        let (Some(address), Some(delivery)) = (visitor.address.clone(), visitor.delivery) else {
            return HttpAnswer::see("/checkout/address");
        };
        if visitor.cart.is_empty() {
            return HttpAnswer::see("/cart");
        }
        let card = form.field("card").replace(' ', "");
        if card.len() != 16 || !card.bytes().all(|byte| byte.is_ascii_digit()) {
            let complaint = "Please check the card number: it has 16 digits.";
            return purchase::payment(visitor, delivery, Some(complaint));
        }
        if form.field("terms").is_empty() {
            let complaint = "Please accept the terms of sale.";
            return purchase::payment(visitor, delivery, Some(complaint));
        }
        let number = 1001 + self.orders.len();
        self.orders.push(ShopOrder {
            number,
            lines: std::mem::take(&mut visitor.cart),
            address,
            delivery,
            placed: "today",
            is_of_account: visitor.is_known,
        });
        (visitor.address, visitor.delivery) = (None, None);
        HttpAnswer::see(&format!("/thank-you/{number}"))
    }

    fn order(&self, number: usize) -> Option<&ShopOrder> {
        self.orders.iter().find(|order| order.number == number)
    }
}

impl AppSite for Shop {
    fn answer(&mut self, request: &HttpRequest) -> HttpAnswer {
        match request.path.as_str() {
            "/shop.css" => return HttpAnswer::of("text/css", include_str!("shop.css")),
            "/favicon.ico" => return HttpAnswer::nothing(),
            _ => {}
        }
        let known = request.cookie("session").filter(|name| self.visitors.contains_key(*name));
        let name = known.map(str::to_owned);
        let is_new = name.is_none();
        let name = name.unwrap_or_else(|| format!("v{:05}", 40_917 + 7 * self.visitors.len()));
        let mut visitor = self.visitors.remove(&name).unwrap_or_default();
        let answer = match request.method.as_str() {
            "POST" => self.sent(&request.path, &request.form(), &mut visitor),
            _ => self.page(request, &mut visitor),
        };
        self.visitors.insert(name.clone(), visitor);
        match is_new {
            true => {
                let cookie = format!("session={name}; Path=/; HttpOnly; SameSite=Lax");
                answer.with("Set-Cookie", cookie)
            }
            false => answer,
        }
    }
}
