; Headings are read from the lines of the text, without a grammar (`src/outline/asciidoc.rs`).
