//! What a control without words looks like: its shape, its colour, its size.

use super::dom::{Dom, DomNode};

/// Colours that people name, as red, green, blue.
const COLOURS: [(&str, [u8; 3]); 20] = [
    ("black", [0, 0, 0]),
    ("white", [255, 255, 255]),
    ("gray", [128, 128, 128]),
    ("silver", [192, 192, 192]),
    ("red", [255, 0, 0]),
    ("maroon", [128, 0, 0]),
    ("orange", [255, 165, 0]),
    ("yellow", [255, 255, 0]),
    ("olive", [128, 128, 0]),
    ("lime", [0, 255, 0]),
    ("green", [0, 128, 0]),
    ("cyan (aqua)", [0, 255, 255]),
    ("teal", [0, 128, 128]),
    ("blue", [0, 0, 255]),
    ("navy", [0, 0, 128]),
    ("magenta", [255, 0, 255]),
    ("purple", [128, 0, 128]),
    ("pink", [255, 192, 203]),
    ("brown", [139, 69, 19]),
    ("beige", [245, 245, 220]),
];
/// The end of the range of each hue, in degrees, and what people name it.
const HUES: [(f64, &str); 9] = [
    (15.0, "red"),
    (45.0, "orange"),
    (70.0, "yellow"),
    (165.0, "green"),
    (195.0, "cyan (aqua)"),
    (260.0, "blue"),
    (290.0, "purple"),
    (345.0, "magenta"),
    (360.0, "red"),
];
/// The least difference of the parts of a colour that has a hue.
const LEAST_RANGE: f64 = 120.0;
/// The least of its greatest part.
const LEAST_BRIGHT: f64 = 160.0;
/// The most words of a class that a name takes.
const MAX_WORDS: usize = 4;

/// Returns what an element looks like, in words.
pub(super) fn looks_of(dom: &Dom<'_>, node: usize) -> String {
    let element = &dom.nodes[node];
    let area = element.drawn.as_ref().map(|drawn| drawn.area).unwrap_or_default();
    let size = format!("{:.0}×{:.0}", area.width(), area.height());
    let marks = ["class", "id"].into_iter().filter_map(|name| element.attribute(name));
    let marks = class_words(marks.collect::<Vec<_>>().join(" ").as_str());
    let n_points = element.attribute("points").map(|points| {
        points.split(|c: char| c == ',' || c.is_whitespace()).filter(|one| !one.is_empty()).count()
            / 2
    });
    let shape = match element.tag() {
        "polygon" if n_points == Some(3) => "triangle",
        "rect" => "rectangle",
        "circle" | "ellipse" | "polygon" | "line" | "path" | "polyline" | "canvas" | "img"
        | "svg" | "text" => element.tag(),
        _ if marks.is_empty() => "box",
        _ => "",
    };
    let parts = [shape.to_owned(), marks, colour_of(element), size];
    let mut words: Vec<&str> = Vec::new();
    for word in parts.iter().flat_map(|part| part.split_whitespace()) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    // A drawing says by places what belongs together.
    let around = std::iter::successors(element.parent, |at| dom.nodes[*at].parent);
    let drawing = around.map(|at| &dom.nodes[at]).find(|node| node.tag() == "svg");
    let place = drawing.and_then(|node| node.drawn.as_ref()).map(|drawn| {
        let (across, down) = (area.left - drawn.area.left, area.top - drawn.area.top);
        let middle = (across + area.width() / 2.0, down + area.height() / 2.0);
        format!("at {:.0},{:.0}", middle.0, middle.1)
    });
    words.extend(place.as_deref());
    words.join(" ")
}

fn class_words(marks: &str) -> String {
    let words = marks.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
    let words = words.filter(|word| word.chars().any(char::is_alphabetic));
    words.take(MAX_WORDS).collect::<Vec<_>>().join(" ")
}

/// Returns the name of the colour of an element; empty if it has none of its own.
pub(super) fn colour_of(element: &DomNode<'_>) -> String {
    let is_shape = matches!(
        element.tag(),
        "circle" | "ellipse" | "rect" | "polygon" | "line" | "path" | "polyline" | "text"
    );
    let style = if is_shape { "fill" } else { "background-color" };
    colour_name(element.style(style)).unwrap_or_default()
}

/// Returns the nearest name of `rgb(…)`, with the colour itself if it is another one; `None` for
/// one that lets all through.
fn colour_name(colour: &str) -> Option<String> {
    let inside = colour.strip_prefix("rgb")?.trim_start_matches('a').trim_matches(['(', ')']);
    let mut parts = inside.split(',').map(|part| part.trim().parse::<f64>().unwrap_or_default());
    let rgb = [parts.next()?, parts.next()?, parts.next()?];
    if parts.next().is_some_and(|opacity| opacity < 0.1) {
        return None;
    }
    let distance = |known: &[u8; 3]| -> u64 {
        let squares = known.iter().zip(rgb).map(|(one, other)| (f64::from(*one) - other).powi(2));
        squares.sum::<f64>() as u64
    };
    let (name, nearest) = COLOURS.iter().min_by_key(|(_, known)| distance(known))?;
    let [red, green, blue] = rgb.map(|part| part.clamp(0.0, 255.0) as u8);
    if distance(nearest) == 0 {
        return Some((*name).to_owned());
    }
    let name = name_of_hue(rgb).unwrap_or(name);
    Some(format!("{name} #{red:02x}{green:02x}{blue:02x}"))
}

/// Returns the name of the hue of a colour; `None` for one that is nearly grey, dark or pale, whose
/// nearest name is the better one.
fn name_of_hue([red, green, blue]: [f64; 3]) -> Option<&'static str> {
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    let range = most - least;
    if range < LEAST_RANGE || most < LEAST_BRIGHT {
        return None;
    }
    // https://www.w3.org/TR/css-color-4/#rgb-to-hsl
    let sixth = if most == red {
        ((green - blue) / range).rem_euclid(6.0)
    } else if most == green {
        (blue - red) / range + 2.0
    } else {
        (red - green) / range + 4.0
    };
    let hue = sixth * 60.0;
    HUES.iter().find(|(end, _)| hue < *end).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_the_nearest_name() {
        for (colour, name) in [
            ("rgb(255, 0, 0)", Some("red")),
            ("rgba(250, 250, 250, 0.9)", Some("white #fafafa")),
            ("rgb(66, 134, 244)", Some("blue #4286f4")),
            ("rgb(66, 244, 125)", Some("green #42f47d")),
            ("rgb(100, 20, 10)", Some("maroon #64140a")),
            ("rgba(0, 0, 0, 0)", None),
            ("none", None),
        ] {
            assert_eq!(colour_name(colour).as_deref(), name, "{colour}");
        }
    }
}
