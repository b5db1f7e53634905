//! What the shop sells: five categories of eight products each, of which no two are alike.

/// A category: the end of its address, its name, a line about it.
pub(super) const CATEGORIES: [(&str, &str, &str); 5] = [
    ("tools", "Tools", "For the bench and the building site."),
    ("garden", "Garden", "From the first seed to the last leaf."),
    ("kitchen", "Kitchen", "Things that are used every day, and last."),
    ("lighting", "Lighting", "Lamps and lights for inside and out."),
    ("storage", "Storage", "A place for everything."),
];

/// A product of the shop; its number is its place in the list, from 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShopProduct {
    pub(super) number: usize,
    pub(super) name: &'static str,
    /// Cents.
    pub(super) price: usize,
    /// Pieces.
    pub(super) stock: usize,
    pub(super) blurb: &'static str,
}

impl ShopProduct {
    /// The category, by its place in the list.
    pub(super) fn category(&self) -> usize {
        (self.number - 1) / 8
    }
}

/// A product by its number.
pub(super) fn product(number: usize) -> Option<ShopProduct> {
    let (name, price, stock, blurb) = *STOCK.get(number.checked_sub(1)?)?;
    Some(ShopProduct { number, name, price, stock, blurb })
}

/// All products, by their numbers.
pub(super) fn products() -> impl Iterator<Item = ShopProduct> {
    (1..=STOCK.len()).filter_map(product)
}

/// A price as it is shown.
pub(super) fn euros(cents: usize) -> String {
    format!("€{}.{:02}", cents / 100, cents % 100)
}

/// Name, price in cents, pieces in stock, a line of description.
const STOCK: [(&str, usize, usize, &str); 40] = [
    ("Claw hammer", 1890, 24, "A balanced head on an ash handle"),
    ("Cordless drill", 8900, 6, "Eighteen volts and two speeds, with a charger"),
    ("Spirit level", 1450, 31, "Three vials in a milled frame of 60 cm"),
    ("Hand saw", 2275, 0, "A coarse blade for green wood and beams"),
    ("Screwdriver set", 2690, 18, "Nine drivers from slotted to star"),
    ("Adjustable spanner", 1640, 2, "Opens to 34 mm"),
    ("Tape measure", 795, 55, "Five metres, with a brake and a belt clip"),
    ("Bench vice", 7350, 4, "Cast iron jaws of 125 mm"),
    ("Watering can", 2150, 12, "Nine litres with a brass rose"),
    ("Pruning shears", 2890, 20, "Forged blades that can be replaced"),
    ("Garden fork", 3420, 7, "Four tines of carbon steel"),
    ("Seed tray", 650, 80, "Forty cells and a clear lid"),
    ("Wheelbarrow", 11900, 3, "A tub of 90 litres on a solid tyre"),
    ("Leaf rake", 1980, 0, "A fan of spring steel, 45 cm wide"),
    ("Garden hose", 3990, 15, "Twenty metres with a nozzle"),
    ("Compost bin", 6400, 5, "Larch boards, 300 litres"),
    ("Cast iron pan", 4590, 9, "Seasoned with linseed oil, 26 cm"),
    ("Bread knife", 3150, 14, "A wavy blade of 22 cm"),
    ("Mixing bowl", 1280, 33, "Stoneware with a spout"),
    ("Pepper mill", 2990, 11, "A ceramic grinder in beech"),
    ("Chopping board", 2480, 1, "End grain oak with a groove"),
    ("Tea kettle", 5200, 8, "Whistles when the water boils"),
    ("Rolling pin", 1150, 26, "Maple, without handles"),
    ("Kitchen scale", 3690, 0, "Weighs up to five kilograms"),
    ("Desk lamp", 6900, 10, "An arm with three joints"),
    ("Floor lamp", 12900, 2, "A linen shade on an oak tripod"),
    ("Pendant light", 8450, 6, "Spun aluminium on two metres of cord"),
    ("Head torch", 2790, 40, "Runs for thirty hours"),
    ("String lights", 1990, 22, "Twenty bulbs for the terrace"),
    ("Night light", 890, 48, "Glows when the room is dark"),
    ("Work light", 5450, 5, "Four thousand lumens on a stand"),
    ("Candle lantern", 2350, 13, "Galvanised steel and glass"),
    ("Tool chest", 14900, 3, "Five drawers that can be locked"),
    ("Wall hooks", 990, 70, "Six hooks and their screws"),
    ("Shoe rack", 4290, 9, "Three shelves of bamboo"),
    ("Storage crate", 1790, 37, "Stacks with others of its kind"),
    ("Pegboard", 3350, 0, "Steel panel with twelve hooks"),
    ("Jar set", 2650, 16, "Four glass jars with cork lids"),
    ("Laundry basket", 3850, 4, "Willow with a cotton lining"),
    ("Shelf bracket", 1250, 60, "A pair that carries forty kilograms"),
];
