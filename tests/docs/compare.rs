//! What a page says a command prints, beside what it printed.

/// Stands for what is left out.
const LEFT_OUT: &str = "…";

/// Whether the page tells the truth.
pub(crate) fn matches(expected: &[String], printed: &[String]) -> bool {
    let Some((first, rest)) = expected.split_first() else { return printed.is_empty() };
    if first == LEFT_OUT {
        return (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]));
    }
    printed.first().is_some_and(|line| matches_line(first, line)) && matches(rest, &printed[1..])
}

fn matches_line(expected: &str, printed: &str) -> bool {
    expected == printed
        || expected.strip_suffix(LEFT_OUT).is_some_and(|start| printed.starts_with(start))
}

/// Where the page is wrong first, as a line of what it says, and in words.
pub(crate) fn difference(expected: &[String], printed: &[String]) -> (usize, String) {
    // The most lines of the page that are true so far.
    let n_true = (0..=expected.len())
        .rev()
        .find(|n| (0..=printed.len()).any(|so_far| matches(&expected[..*n], &printed[..so_far])));
    let n_true = n_true.unwrap_or(0);
    let so_far = (0..=printed.len())
        .find(|so_far| matches(&expected[..n_true], &printed[..*so_far]))
        .unwrap_or(0);
    let line = |lines: &[String], at: usize| {
        lines.get(at).map_or("nothing more".to_owned(), |line| format!("`{line}`"))
    };
    (
        n_true,
        format!("the page says {}, it printed {}", line(expected, n_true), line(printed, so_far)),
    )
}

/// What the page should say instead, as much cut short as it was.
pub(crate) fn rewrite(expected: &[String], printed: &[String]) -> Vec<String> {
    let is_left_out = |line: &String| line == LEFT_OUT;
    let n_left_out = |lines: &[String]| lines.iter().filter(|line| is_left_out(line)).count();
    let pieces: Vec<&[String]> = expected.split(is_left_out).collect();
    // A map has `…` of its own: as many as before means that nothing was left out.
    if pieces.len() == 1 || n_left_out(expected) == n_left_out(printed) {
        return printed.iter().map(|line| as_before(expected, line)).collect();
    }
    let mut lines = Vec::new();
    let mut at = 0;
    for (number, piece) in pieces.iter().enumerate() {
        let start = if number == 0 {
            0
        } else {
            lines.push(LEFT_OUT.to_owned());
            let left = &printed[at..];
            let found = piece
                .first()
                .and_then(|first| left.iter().position(|line| matches_line(first, line)));
            if number + 1 == pieces.len() {
                printed.len().saturating_sub(piece.len()).max(at)
            } else {
                at + found.unwrap_or(0)
            }
        };
        let end = (start + piece.len()).min(printed.len());
        lines.extend(printed[start..end].iter().map(|line| as_before(piece, line)));
        at = end;
    }
    lines
}

/// The line as the page had it, where it had its beginning.
fn as_before(expected: &[String], printed: &str) -> String {
    let cut = expected.iter().find(|line| {
        line.len() > LEFT_OUT.len() && line.ends_with(LEFT_OUT) && matches_line(line, printed)
    });
    cut.map_or_else(|| printed.to_owned(), Clone::clone)
}

#[test]
fn what_is_left_out_may_be_anything() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let is = |expected: &str, printed: &str| matches(&lines(expected), &lines(printed));
    assert!(is("a\n…\nd", "a\nb\nc\nd") && is("a\n…", "a") && is("one t…", "one two"));
    assert!(!is("a\n…\nd", "a\nb\nc") && !is("", "a") && !is("a", "") && !is("a\nb", "a\nb\nc"));
    let wrong = difference(&lines("a\nb\nd"), &lines("a\nb\nc"));
    assert_eq!(wrong, (2, "the page says `d`, it printed `c`".to_owned()));
    assert_eq!(
        difference(&lines("a"), &lines("a\nb")),
        (1, "the page says nothing more, it printed `b`".to_owned())
    );
    assert_eq!(rewrite(&lines("a\n…\nd"), &lines("A\nb\nc\nD")), lines("A\n…\nD"));
    assert_eq!(
        rewrite(&lines("x\none t…"), &lines("y\none two\nthree")),
        lines("y\none t…\nthree")
    );
    assert_eq!(rewrite(&lines("a\n…\nb"), &lines("A\n…\nB\nC")), lines("A\n…\nB\nC"));
}
