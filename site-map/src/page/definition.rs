//! The name of what a signature defines.

/// The longest name of a definition, in characters.
const MAX_NAME: usize = 80;
/// How much of a signature is looked at for the end of its name, in characters: each sign is
/// compared with the words around it.
const LOOKED_AT: usize = 200;

/// Returns the name of what a signature defines, by its text and the fragment that leads to it:
/// `json.dump` for `json.dump(obj, fp)`, the whole name where the text has only its last part.
pub(super) fn name_of(signature: &str, anchor: Option<&str>) -> String {
    // `opt.quiet` leads to the option `-q, --quiet`.
    let anchor = anchor.filter(|_| !signature.starts_with('-'));
    let named = anchor.and_then(|anchor| last_part(anchor, signature));
    let last = named.unwrap_or_else(|| by_text(signature));
    if last.is_empty() {
        return signature.chars().take(MAX_NAME).collect();
    }
    let whole = anchor.filter(|anchor| {
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
        let kinds = [
            "method.",
            "tymethod.",
            "fn.",
            "struct.",
            "variant.",
            "structfield.",
            "associatedtype.",
            "associatedconstant.",
        ];
        let is_kind = kinds.iter().any(|kind| anchor.starts_with(kind));
        !is_kind
            && anchor.chars().all(is_path)
            && anchor.len() > last.len()
            && (anchor.ends_with(&format!(".{last}")) || anchor.ends_with(&format!("::{last}")))
    });
    let name = whole.map_or_else(|| last, str::to_owned);
    name.chars().take(MAX_NAME).collect()
}

/// Returns the last part of a fragment, if the signature has it as a word.
fn last_part(anchor: &str, signature: &str) -> Option<String> {
    let last = anchor.rsplit(['.', ':']).next().unwrap_or(anchor);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_in = signature.split(|c| !is_name(c)).any(|word| word == last);
    // The end of a number (`since: 2.0.00`) is no name.
    let begins = last.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_in && begins && last.chars().all(is_name)).then(|| last.to_owned())
}

/// Returns the name that stands before the parameters.
fn by_text(signature: &str) -> String {
    if let Some(name) = operator(signature) {
        return name.to_owned();
    }
    let kinds = ["class ", "exception "];
    let signature = without_template(signature);
    let signature = match signature.split_once(": ") {
        Some((name, _)) if !name.contains(['(', ' ']) => name,
        _ => signature,
    };
    let Some((before, _)) = signature.split_once('(') else {
        let before = signature[..end_of_name(signature)].trim();
        return kinds
            .iter()
            .find_map(|kind| before.strip_prefix(kind))
            .unwrap_or(before)
            .to_owned();
    };
    // `\copy { table [ (columns) ] | (query) }`: what may follow it.
    if let Some(at) = before.find(" {").or_else(|| before.find(" [")) {
        return before[..at].trim().to_owned();
    }
    // `SHARE UPDATE EXCLUSIVE (ShareUpdateExclusiveLock)`: a remark, and no parameters.
    if before.trim().contains(' ') && !before.contains(char::is_lowercase) {
        return before.trim().to_owned();
    }
    // `then<T, F>`: type parameters are no part of a name at its end.
    let before = match before.find('<').filter(|_| before.ends_with('>')) {
        Some(at) => &before[..at],
        None => before,
    };
    let last = before.split_whitespace().next_back().unwrap_or_default();
    last.trim_matches(['*', '&']).to_owned()
}

/// Returns where the name ends in a signature without parameters: before its type (`since: 2.0`),
/// its value (`--depth=N`) or what may follow it (`--tags[=N]`).
fn end_of_name(signature: &str) -> usize {
    // `inet <<= inet → boolean`: the name of an operator is all that it works on.
    if signature.contains('→') {
        return signature.len();
    }
    let looked_at = signature.char_indices().nth(LOOKED_AT).map_or(signature.len(), |(at, _)| at);
    let (whole, signature) = (signature.len(), &signature[..looked_at]);
    // `--[no-]tags` is a name.
    let start = signature.find("[no-]").map_or(0, |at| at + "[no-]".len());
    let is_sign = |c: char| c.is_ascii_punctuation() && !matches!(c, '_' | '"' | '\'' | '`');
    let ends = |at: usize| {
        let (before, after) = (&signature[..at], &signature[at + 1..]);
        let is_first = before.ends_with(char::is_whitespace) || before.is_empty();
        match signature.as_bytes()[at] {
            // `text[]` is a type.
            b'[' => !after.starts_with(']'),
            // `Octave:some-warning`, `${name:-word}` and `std::vector` are whole.
            b':' => !after.starts_with(|c: char| !c.is_whitespace()) && !before.ends_with(':'),
            // `a == b` is an operator, `a = b` a value.
            _ => {
                let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
                let rest = after.split(char::is_whitespace).next().unwrap_or_default();
                let is_alone = is_first && rest.is_empty();
                is_alone || !word.chars().chain(rest.chars()).all(is_sign)
            }
        }
    };
    let signs = signature[start..].match_indices([':', '=', '[']).map(|(at, _)| start + at);
    signs.into_iter().find(|at| ends(*at)).unwrap_or(whole)
}

/// Returns the name of an operator of C++: `operator()`, `operator>`, `operator bool`.
fn operator(signature: &str) -> Option<&str> {
    let word = "operator";
    let begins = |at: usize| !signature[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let (start, _) = signature.match_indices(word).find(|(at, _)| begins(*at))?;
    let after = &signature[start + word.len()..];
    let sign = after.trim_start();
    let is_sign = sign.starts_with(|c: char| c.is_ascii_punctuation() && c != '_' && c != ',');
    let is_type = after.len() > sign.len() && sign.starts_with(char::is_alphabetic);
    let from = start + word.len() + after.len() - sign.len();
    let end = match sign.starts_with("()") {
        true => from + "()".len(),
        false => from + sign.find('(').filter(|at| *at > 0)?,
    };
    (is_sign || is_type).then(|| signature[start..end].trim_end())
}

/// Returns a signature without the type parameters before it: `template<class T> T get(…)`.
fn without_template(signature: &str) -> &str {
    let Some(parameters) = signature.strip_prefix("template").map(str::trim_start) else {
        return signature;
    };
    let mut n_open = 0;
    let end = parameters.find(|c| {
        n_open += i32::from(c == '<') - i32::from(c == '>');
        n_open == 0
    });
    match end.filter(|end| *end > 0) {
        Some(end) => parameters[end + 1..].trim_start(),
        None => signature,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_signature_is_named_by_its_beginning() {
        let signs = "=".repeat(1_000_000);
        assert_eq!(name_of(&signs, None), "=".repeat(MAX_NAME));
        assert_eq!(name_of(&format!("depth = {signs}"), None), "depth");
    }

    #[test]
    fn a_definition_is_named_by_its_signature_and_its_anchor() {
        for (signature, anchor, name) in [
            ("json.dump(obj, fp, *, indent=None)", "json.dump", "json.dump"),
            ("default(o)", "json.JSONEncoder.default", "json.JSONEncoder.default"),
            ("class collections.OrderedDict([items])", "x", "collections.OrderedDict"),
            ("exception KeyError", "KeyError", "KeyError"),
            ("pub fn push(&mut self, value: T)", "method.push", "push"),
            ("pub fn then<T, F>(self, f: F) -> Option<T>", "x", "then"),
            ("pub fn get<I>(&self, index: I)", "method.get", "get"),
            ("sys.argv", "sys.argv", "sys.argv"),
            ("abstract base class", "term-abstract-base-class", "abstract base class"),
            ("--verbose", "cmdoption-verbose", "--verbose"),
            ("--[no-]tags[=N]", "x", "--[no-]tags"),
            ("--depth=N", "x", "--depth"),
            ("size = 3", "x", "size"),
            ("a >>= b", "x", "a >>= b"),
            ("inet <<= inet → boolean", "x", "inet <<= inet → boolean"),
            ("json #> text[] → json", "x", "json #> text[] → json"),
            ("date = date → boolean", "x", "date = date → boolean"),
            ("text IS [NOT] NORMALIZED → boolean", "x", "text IS [NOT] NORMALIZED → boolean"),
            ("jsonb ?| text[]", "x", "jsonb ?| text[]"),
            ("std::vector", "x", "std::vector"),
            ("std::vector<T>::push_back(T &&value)", "a9", "std::vector<T>::push_back"),
            ("template<class T> bool operator>(T a, T b)", "x", "operator>"),
            ("result_type operator()();", "x", "operator()"),
            ("template<class T> operator std::pair<T, T>() const", "x", "operator std::pair<T, T>"),
            ("template<class A, class B = X<A>> void swap<A>(A a)", "x", "swap"),
            ("operator(a, b)", "x", "operator"),
            ("template(name)", "x", "template"),
            ("since: 2.0.00", "since:-2.0.00", "since"),
            ("()", "x", "()"),
            ("Octave:array-as-logical", "x", "Octave:array-as-logical"),
            ("${lc:<string>}", "x", "${lc:<string>}"),
            ("callback: string | function, def. [](0x0)", "x", "callback"),
            ("ROW EXCLUSIVE (RowExclusiveLock)", "x", "ROW EXCLUSIVE"),
            ("\\copy { table [ (column [, ...]) ] | (query) }", "x", "\\copy"),
            ("int printf (const char *template)", "x", "printf"),
            ("-q, --quiet", "opt.quiet", "-q, --quiet"),
            ("--trace-children=<yes|no>", "opt.trace-children", "--trace-children"),
        ] {
            assert_eq!(name_of(signature, Some(anchor)), name);
        }
    }
}
