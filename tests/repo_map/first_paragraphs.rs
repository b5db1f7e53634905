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

#[test]
fn a_comment_of_one_line_in_a_body_does_not_swallow_the_mark_for_the_rest() {
    let text = "pub mod a { //! Types.\n    pub struct A;\n}\n\nmod b {\n    //! More types.\n\
                \n    mod c {\n        //! Inner.\n        fn d() {}\n    }\n}\n";
    let repo = test_support::repo("");
    repo.write("a.rs", text.as_bytes());
    let rules = "rules: [{path: a.rs, items: [{name: a, level: interface}, {name: b, level: \
                 interface}, {name: c, level: interface}]}]";
    assert_snapshot!(crate::map(&repo, rules).text, @"
    # Repository map
    ## a.rs
    ```rust
    pub mod a { //! Types.
        … }
    mod b {
        //! More types.
        mod c {
            //! Inner.
            … }
    }
    … 2 more
    ```
    ");
}

#[test]
fn a_comment_behind_a_body_stands_behind_the_mark_for_it() {
    let ocaml = r#"
let rec factorial n =
  if n = 0 then 1 else n * factorial (n - 1)
(** Returns the product. *)

module M = struct
  let x = 1
end
(** Holds x. *)
"#;
    assert_snapshot!(interface("a.ml", ocaml), @"
    === interface
    let rec factorial n = …
    (** Returns the product. *)
    module M =
      let x = 1
    (** Holds x. *)
    ");
    let haskell = r#"
total :: Int -> Int
total x = case x of
  0 -> 1
  _ -> x
-- ^ Adds.
"#;
    assert_snapshot!(interface("a.hs", haskell), @"
    === interface
    total :: Int -> Int …
    -- ^ Adds.
    ");
}

#[test]
fn a_role_at_the_start_of_a_line_is_a_word_of_its_sentence() {
    let python = r#"
def solve(a):
    """Solves a system with the given
    :class:`Matrix` and
    :py:meth:`Matrix.inverse` of it.

    :param a: the matrix, which has to be a square one with a determinant
    """
    return a
"#;
    assert_snapshot!(interface("a.py", python), @r#"
    === interface
    def solve(a):
        """Solves a system with the given
        :class:`Matrix` and
        :py:meth:`Matrix.inverse` of it.
        …
        """ …
    "#);
}

#[test]
fn the_summary_of_a_documentation_in_xml_is_its_interface() {
    let text = r#"
public class Context
{
    /// <summary>Begins tracking the entity, in the state Added.</summary>
    /// <remarks>
    ///     <para>To set the state of only a single entity, use its entry.</para>
    /// </remarks>
    /// <param name="entity">The entity to add.</param>
    public void Add(T entity) { Run(); }

    /// <summary>
    ///     <para>
    ///         The entry of <see cref="Add" />.
    ///     </para>
    ///     <para>It is there until the context is disposed.</para>
    /// </summary>
    public Entry Find(T entity) { return Run(); }

    /// <summary>
    ///     Short.
    /// </summary>
    public void Short() { Run(); }
}
"#;
    assert_snapshot!(interface("A.cs", text), @"
    === interface
    public class Context {
        /// <summary>Begins tracking the entity, in the state Added.</summary>
        /// …
        public void Add(T entity) { … }
        /// <summary>
        ///     <para>
        ///         The entry of <see cref=\"Add\" />.
        ///     …
        public Entry Find(T entity) { … }
        /// <summary>
        ///     Short.
        /// </summary>
        public void Short() { … }
    }
    ");
}

#[test]
fn an_element_of_html_that_begins_a_block_ends_the_first_paragraph() {
    let text = r#"
public class Flow {
    /**
     * Calls the {@code action} for each item, in the order in which
     * <em>all</em> of them come.
     * <p>
     * <img width="640" src="https://flow.example/each.png" alt="">
     * <dl>
     *  <dt>Scheduler:</dt>
     *  <dd>None.</dd>
     * </dl>
     */
    public void each(Action action) { run(action); }

    /** Closes it.
     * <p>It can be closed again, and then nothing happens at all. */
    public void close() { run(null); }
}
"#;
    assert_snapshot!(interface("Flow.java", text), @"
    === interface
    public class Flow {
        /**
         * Calls the {@code action} for each item, in the order in which
         * <em>all</em> of them come.
         * …
         */
        public void each(Action action) { … }
        /** Closes it.
         * … */
        public void close() { … }
    }
    ");
}

#[test]
fn the_comment_of_a_package_stands_above_its_clause_and_not_above_an_item() {
    let text = "
// Package gate decides who may pass.
package gate

type Feature string

// Open opens it.
func Open(name Feature) error { return run(name) }
";
    assert_snapshot!(interface("gate.go", text), @"
    === interface
    ⋮
    // Package gate decides who may pass.
    package gate
    type Feature string
    ⋮
    // Open opens it.
    func Open(name Feature) error { … }
    ");
}

#[test]
fn a_private_method_whose_name_begins_with_a_hash_is_no_directive() {
    let text = "
export class Batch {
    /** Goes through the tree. */
    #traverse(root) {
        return root.children.map((child) => this.#traverse(child));
    }
}
";
    assert_snapshot!(interface("batch.js", text), @"
    === interface
    export class Batch {
        /** Goes through the tree. */
        #traverse(root) { … }
    }
    ");
}

#[test]
fn attributes_around_a_doc_of_elixir_are_no_part_of_it() {
    let text = r#"
defmodule A do
  @doc """
  Opens the file at a path.

  The caller closes it when it is done with all of its lines.
  """
  @doc since: "1.4.0"
  @deprecated "Use open/2"
  def open(path), do: path

  @doc guard: true
  @doc """
  Tells whether a file is open.

  A file that was never opened is not, and neither is a closed one.
  """
  defguard is_open(file) when file.open
end
"#;
    assert_snapshot!(interface("a.ex", text), @r#"
    === interface
    defmodule A
      @doc """
      Opens the file at a path.
      …
      """
      @doc since: "1.4.0"
      @deprecated "Use open/2"
      def open(path), do: …
      @doc guard: true
      @doc """
      Tells whether a file is open.
      …
      """
      defguard is_open(file) when file.open
    "#);
}

const OPENER: &str = "=== a.rs
/// Opens the file at a path.
///
/// # Errors
/// When the file is missing, or is no file at all.
pub fn open(path: &Path) -> File {
    File::at(path)
}

/// Closes it.
pub fn close(file: File) {
    drop(file);
}
";

#[test]
fn level_body_has_the_body_and_the_first_paragraph_of_the_comment_above() {
    let text = |level: &str| {
        let rules = format!("rules: [{{path: a.rs, level: '{level}'}}]");
        crate::map(&test_support::repo(OPENER), &rules).text.into_string()
    };
    assert_snapshot!(text("body"), @"
    # Repository map
    ## a.rs
    ```rust
    ⋮
    /// Opens the file at a path.
    /// …
    pub fn open(path: &Path) -> File {
        File::at(path)
    }
    ⋮
    /// Closes it.
    pub fn close(file: File) {
        drop(file);
    }
    ```
    ");
    assert!(text("full").contains("/// # Errors"));
}

#[test]
fn the_fit_shows_bodies_without_the_rest_of_long_comments_and_a_rule_shows_all_of_it() {
    let line = "/// When the file is missing, or is no file at all.\n";
    let repo = test_support::repo(&OPENER.replace(line, &line.repeat(40)));
    let text = |tokens: u32, rules: &str| {
        let plan = format!("goal: open a file\ncontext: {{tokens: {tokens}}}\n{rules}");
        crate::map(&repo, &plan).text.into_string()
    };
    let fitted = text(200, "");
    assert!(fitted.contains("/// …\npub fn open(path: &Path) -> File {\n    File::at"), "{fitted}");
    let rule = "rules: [{path: a.rs, items: [{name: open, level: full}]}]";
    let asked = text(1_000, rule);
    assert_eq!(asked.matches("/// When the file is missing").count(), 40, "{asked}");
}

#[test]
fn an_item_without_a_body_has_the_first_paragraph_of_a_long_comment_too() {
    let opener = OPENER.replace("(path: &Path) -> File {\n    File::at(path)\n}", "(path: &Path);");
    let line = "/// When the file is missing, or is no file at all.\n";
    let repo = test_support::repo(&opener.replace(line, &line.repeat(40)));
    let text = |tokens: u32, rules: &str| {
        let plan = format!("goal: open a file\ncontext: {{tokens: {tokens}}}\n{rules}");
        crate::map(&repo, &plan).text.into_string()
    };
    let cut = "/// Opens the file at a path.\n/// …\npub fn open(path: &Path);";
    let fitted = text(200, "");
    assert!(fitted.contains(cut), "{fitted}");
    let body = text(1_000, "rules: [{path: a.rs, level: body}]");
    assert!(body.contains(cut), "{body}");
    assert!(text(1_000, "rules: [{path: a.rs, level: full}]").contains("/// # Errors"));
}
