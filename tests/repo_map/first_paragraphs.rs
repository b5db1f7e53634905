//! Level interface shows the first paragraph of a doc comment, and a mark for the rest.

use insta::assert_snapshot;

use crate::outlines_of_scripts::tried;

fn interface(path: &str, text: &str) -> String {
    let all = tried(path, text);
    let from = all.find("=== interface").unwrap();
    all[from..].split("=== items").next().unwrap().to_owned()
}

#[test]
fn the_first_paragraph_of_a_doc_comment_is_its_interface() {
    let rust = r#"
/// Opens the file
/// at a path.
///
/// # Errors
/// When the file is missing, or is no file at all.
pub fn open(path: &Path) -> File { todo() }

/// A shape.
///
/// Shapes have corners and sides, and some of them a name.
pub struct Shape { pub corners: u32 }

/// Short.
///
/// So is this.
pub fn short() { todo() }
"#;
    assert_snapshot!(interface("a.rs", rust), @"
    === interface
    ⋮
    /// Opens the file
    /// at a path.
    /// …
    pub fn open(path: &Path) -> File { … }
    ⋮
    /// A shape.
    /// …
    pub struct Shape { pub corners: u32 }
    ⋮
    /// Short.
    ///
    /// So is this.
    pub fn short() { … }
    ");
    let java = r#"
/**
 * Opens the file at a path.
 * @param path the path, absolute or relative to the folder of the process
 * @return the open file
 */
class Opener { void open() { run(); } }
"#;
    assert_snapshot!(interface("A.java", java), @"
    === interface
    ⋮
    /**
     * Opens the file at a path.
     * …
     */
    class Opener {
        void open() { … }
    }
    ");
    let python = r#"
def open(path):
    """Opens the file at a path.

    Parameters
    ----------
    path : str
        The path, absolute or relative to the folder of the process.
    """
    return _open(path)

def close(file):
    """Closes the file.

    Whoever reads it at the same time gets an error from then on."""
    return _close(file)
"#;
    assert_snapshot!(interface("a.py", python), @r#"
    === interface
    def open(path):
        """Opens the file at a path.
        …
        """ …
    def close(file):
        """Closes the file.
        … """ …
    "#);
    let go = r#"
package a

// Open opens the file at a path.
//
// The caller closes the file when it is done with all of its lines.
func Open(path string) *File { return nil }
"#;
    assert_snapshot!(interface("a.go", go), @"
    === interface
    ⋮
    // Open opens the file at a path.
    // …
    func Open(path string) *File { … }
    ");
}
