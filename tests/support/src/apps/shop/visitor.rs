//! A visitor of the shop: the cart, what was said in the checkout; and orders.

use super::super::http::HttpForm;
use super::stock;

/// What the shop keeps of one visitor, until it stops.
#[derive(Debug, Default)]
pub(super) struct Visitor {
    /// Numbers of products and how many of each, in the order of their coming.
    pub(super) cart: Vec<(usize, usize)>,
    /// Whether the visitor has logged in.
    pub(super) is_known: bool,
    /// What the next page says at its top, once.
    pub(super) notice: Option<String>,
    pub(super) address: Option<PostalAddress>,
    pub(super) delivery: Option<Delivery>,
    /// How often the front page was shown: its offers change.
    pub(super) n_fronts: usize,
}

impl Visitor {
    /// Puts a product into the cart, if it can be had.
    pub(super) fn put(&mut self, number: usize, n: usize) {
        let Some(product) = stock::product(number).filter(|product| product.stock > 0) else {
            self.notice = Some("This product is sold out.".to_owned());
            return;
        };
        let n = n.clamp(1, 99);
        match self.cart.iter_mut().find(|(one, _)| *one == number) {
            Some((_, count)) => *count += n,
            None => self.cart.push((number, n)),
        }
        self.notice = Some(format!("{} was added to your cart.", product.name));
    }

    /// Takes a product out of the cart.
    pub(super) fn take_out(&mut self, number: usize) {
        self.cart.retain(|(one, _)| *one != number);
        let name = stock::product(number).map_or("It", |product| product.name);
        self.notice = Some(format!("{name} was removed."));
    }
}

/// Where a parcel goes.
#[derive(Debug, Clone, Default)]
pub(super) struct PostalAddress {
    pub(super) name: String,
    pub(super) street: String,
    pub(super) postcode: String,
    pub(super) town: String,
    pub(super) country: String,
}

impl PostalAddress {
    /// The address that a form says.
    pub(super) fn of(form: &HttpForm) -> Self {
        let field = |name| form.field(name).to_owned();
        Self {
            name: field("name"),
            street: field("street"),
            postcode: field("postcode"),
            town: field("town"),
            country: field("country"),
        }
    }

    /// What is wrong with it.
    pub(super) fn complaint(&self) -> Option<&'static str> {
        let is_number = self.postcode.bytes().all(|byte| byte.is_ascii_digit());
        match () {
            () if self.name.is_empty() => Some("Please enter your name."),
            () if self.street.is_empty() => Some("Please enter a street."),
            () if self.postcode.is_empty() || !is_number => Some("Please enter a valid postcode."),
            () if self.town.is_empty() => Some("Please enter a town."),
            () => None,
        }
    }
}

/// How a parcel comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delivery {
    Standard,
    Express,
    Collect,
}

impl Delivery {
    pub(super) const ALL: [Self; 3] = [Self::Standard, Self::Express, Self::Collect];

    /// The value in the form, the label, the price in cents.
    pub(super) fn told(self) -> (&'static str, &'static str, usize) {
        match self {
            Self::Standard => ("standard", "Standard delivery, 3 to 5 days", 490),
            Self::Express => ("express", "Express delivery, next day", 1290),
            Self::Collect => ("collect", "Collect from the shop", 0),
        }
    }

    /// By the value in the form; standard when there is none.
    pub(super) fn of(value: &str) -> Self {
        Self::ALL.into_iter().find(|one| one.told().0 == value).unwrap_or(Self::Standard)
    }
}

/// An order that was placed.
#[derive(Debug)]
pub(super) struct ShopOrder {
    pub(super) number: usize,
    /// Numbers of products and how many of each.
    pub(super) lines: Vec<(usize, usize)>,
    pub(super) address: PostalAddress,
    pub(super) delivery: Delivery,
    /// The day.
    pub(super) placed: &'static str,
    /// Whether it was placed by the account, or else by a guest.
    pub(super) is_of_account: bool,
}

/// The price of lines of products, in cents.
pub(super) fn sum(lines: &[(usize, usize)]) -> usize {
    let price = |number| stock::product(number).map_or(0, |product| product.price);
    lines.iter().map(|(number, n)| price(*number) * n).sum()
}
