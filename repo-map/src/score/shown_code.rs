//! The code that a README shows: what the users of a project call.

/// Reports whether a file is called as the document that describes a project.
fn is_readme(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.len() >= 6 && name.is_char_boundary(6) && name[..6].eq_ignore_ascii_case("readme")
}

/// Returns the lines of code in a README; none of another file.
pub(super) fn shown_code(path: &str, text: &str) -> String {
    let lines = lines_of_code(text).filter(|_| is_readme(path));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns the lines of code in a page of prose: between fences, or indented below a line that ends
/// with two colons.
fn lines_of_code(text: &str) -> impl Iterator<Item = &str> {
    let (mut is_fenced, mut is_indented) = (false, false);
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        let is_below = line.starts_with([' ', '\t']);
        is_indented = match line.trim().is_empty() || is_below {
            true => is_indented,
            false => line.starts_with(".. code") || line.ends_with("::"),
        };
        !is_fence && (is_fenced || is_indented && is_below)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stands_between_fences_or_below_two_colons() {
        let text = "# Shop\n\n```js\nlet cart = open();\n```\n- an item\n    of a list\n";
        assert_eq!(lines_of_code(text).collect::<Vec<_>>(), ["let cart = open();"]);
        let text = "Usage::\n\n    cart = open()\n\nText.\n\n    a quote\n";
        assert_eq!(lines_of_code(text).collect::<Vec<_>>(), ["    cart = open()"]);
        assert!(is_readme("a/Readme.rst") && !is_readme("read.md"));
    }
}
