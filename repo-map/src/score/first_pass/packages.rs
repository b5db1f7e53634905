//! The name that a file gives to its package, by which other files import it.

/// Returns the name of the package that a file says it is of: of a `go.mod` that of its module,
/// with which the imports of its packages begin.
pub(super) fn package(path: &str, bytes: &[u8]) -> Option<String> {
    if !is_go_module(path) {
        return None;
    }
    let lines = bytes.split(|byte| *byte == b'\n');
    let name =
        lines.map(|line| line.trim_ascii()).find_map(|line| line.strip_prefix(b"module "))?;
    let name = std::str::from_utf8(name).ok()?.split("//").next()?;
    Some(name.trim().trim_matches('"').to_owned()).filter(|name| !name.is_empty())
}

/// Reports whether a file names a module of Go.
pub(crate) fn is_go_module(path: &str) -> bool {
    path.rsplit('/').next() == Some("go.mod")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_of_go_has_a_name() {
        let module = "// The service.\nmodule x.org/a/v3 // v3\n\nrequire x.org/b v1.0.0\n";
        assert_eq!(package("sub/go.mod", module.as_bytes()).as_deref(), Some("x.org/a/v3"));
    }
}
