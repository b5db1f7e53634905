//! Words that warn and are nouns too: `order` in `Sort order`, `drop` in `Drop shadows`. A link
//! that only reads is let through if no such word commands in its name and its address.

/// A word that commands in some names, and is a noun in others. What is listed makes it a noun;
/// beside anything else it commands.
#[derive(Debug)]
pub(super) struct NounWord {
    pub(super) word: &'static str,
    /// The words after it.
    after: &'static [&'static str],
    /// The words before it.
    before: &'static [&'static str],
    /// What a query gives it: `?order=asc`.
    values: &'static [&'static str],
}

/// What manuals and shops write beside such words. `Order book`, `Drop zone` and `Reset PIN` are
/// left out: they may command.
pub(super) const NOUN_WORDS: [NounWord; 7] = [
    NounWord {
        word: "checkout",
        after: &["flow", "process"],
        before: &["git", "svn"],
        values: &[],
    },
    NounWord {
        word: "drop",
        after: &[
            "cap", "caps", "ceiling", "down", "downs", "effect", "effects", "height", "rate",
            "rates", "shadow", "shadows", "shipper", "shipping", "size", "target", "targets",
        ],
        before: &["drag", "pressure", "temperature", "voltage"],
        values: &[],
    },
    NounWord {
        word: "format",
        after: &[
            "characters",
            "conversion",
            "conversions",
            "definition",
            "description",
            "descriptions",
            "examples",
            "function",
            "functions",
            "guide",
            "identifiers",
            "of",
            "options",
            "overview",
            "reference",
            "specification",
            "specifications",
            "specifier",
            "specifiers",
            "string",
            "strings",
            "support",
            "syntax",
            "types",
            "versions",
        ],
        before: &[
            "address",
            "archive",
            "audio",
            "bibtex",
            "binary",
            "bundle",
            "cache",
            "citation",
            "color",
            "colour",
            "column",
            "config",
            "configuration",
            "container",
            "csv",
            "currency",
            "data",
            "date",
            "datetime",
            "document",
            "dump",
            "error",
            "event",
            "exchange",
            "export",
            "field",
            "file",
            "font",
            "html",
            "image",
            "import",
            "index",
            "input",
            "interchange",
            "json",
            "line",
            "list",
            "locale",
            "log",
            "markdown",
            "message",
            "metadata",
            "name",
            "number",
            "numeric",
            "object",
            "output",
            "package",
            "page",
            "paper",
            "pdf",
            "phone",
            "photo",
            "picture",
            "pixel",
            "plain",
            "query",
            "record",
            "report",
            "request",
            "response",
            "row",
            "schema",
            "serialization",
            "source",
            "storage",
            "string",
            "table",
            "text",
            "time",
            "timestamp",
            "url",
            "video",
            "wire",
            "xml",
            "yaml",
            "zip",
        ],
        values: &[
            "atom", "bibtex", "csv", "docx", "epub", "html", "jpg", "json", "latex", "markdown",
            "md", "mp3", "odt", "pdf", "plain", "png", "raw", "ris", "rss", "rst", "svg", "text",
            "txt", "xlsx", "xml", "yaml",
        ],
    },
    NounWord {
        word: "order",
        after: &[
            "by",
            "details",
            "flow",
            "form",
            "forms",
            "fulfillment",
            "fulfilment",
            "history",
            "lifecycle",
            "list",
            "lists",
            "management",
            "matters",
            "notation",
            "of",
            "processing",
            "relation",
            "relations",
            "states",
            "statistics",
            "status",
            "summary",
            "theory",
            "tracking",
            "types",
        ],
        before: &[
            "alphabetic",
            "alphabetical",
            "ascending",
            "assembly",
            "bit",
            "boot",
            "byte",
            "call",
            "chronological",
            "collation",
            "column",
            "cylinder",
            "default",
            "descending",
            "display",
            "document",
            "drawing",
            "element",
            "evaluation",
            "execution",
            "field",
            "firing",
            "first",
            "focus",
            "higher",
            "initialization",
            "insertion",
            "installation",
            "item",
            "iteration",
            "key",
            "lexical",
            "lexicographic",
            "lexicographical",
            "list",
            "load",
            "loading",
            "logical",
            "lookup",
            "memory",
            "menu",
            "natural",
            "numeric",
            "numerical",
            "operation",
            "page",
            "paint",
            "painting",
            "parameter",
            "partial",
            "precedence",
            "random",
            "reading",
            "rendering",
            "resolution",
            "reverse",
            "row",
            "search",
            "second",
            "section",
            "sort",
            "sorted",
            "sorting",
            "source",
            "stacking",
            "startup",
            "tab",
            "third",
            "tightening",
            "total",
            "traversal",
            "wire",
            "word",
            "z",
        ],
        values: &[
            "alphabetical",
            "asc",
            "ascending",
            "created",
            "date",
            "default",
            "desc",
            "descending",
            "id",
            "name",
            "newest",
            "oldest",
            "popularity",
            "price",
            "random",
            "rating",
            "relevance",
            "size",
            "title",
            "updated",
        ],
    },
    NounWord { word: "purchase", after: &["agreement", "history"], before: &[], values: &[] },
    NounWord {
        word: "reset",
        after: &["button", "buttons", "procedure", "procedures", "signal", "vector", "vectors"],
        before: &["css", "git"],
        values: &[],
    },
    NounWord {
        word: "transfer",
        after: &[
            "case",
            "encoding",
            "encodings",
            "function",
            "functions",
            "learning",
            "mode",
            "modes",
            "protocol",
            "protocols",
            "rate",
            "rates",
            "speed",
            "speeds",
            "syntax",
        ],
        before: &["data", "energy", "file", "heat", "mass", "state"],
        values: &[],
    },
];

/// What begins a question, which tells of what it names: `How to delete a branch`.
const QUESTIONS: [&str; 5] = ["how", "what", "where", "which", "why"];

/// A word of a text in lower case, with the signs between it and the word before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TextWord {
    pub(super) gap: String,
    pub(super) word: String,
    /// The position of the word that begins the row of joined words which this one is of.
    pub(super) begin: usize,
}

impl TextWord {
    /// Reports whether the word goes on with what stands before it, as in `sort-order` and
    /// `sortOrder`; another sign begins a name of its own.
    pub(super) fn is_joined(&self) -> bool {
        self.gap.chars().all(|c| c.is_whitespace() || "-_'’`\"“”".contains(c))
    }
}

/// What a text is, in which words warn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkText {
    /// The name of a link, or its tooltip.
    Name,
    /// What follows the host in its address.
    Address,
}

/// Reports whether the words at a place tell of something and command nothing: they are named in a
/// question or as a piece of code, or they are a word that is a noun there.
pub(super) fn is_told(text: &[TextWord], at: usize, n_words: usize, kind: LinkText) -> bool {
    let begin = text[at].begin;
    if begin < at && QUESTIONS.contains(&text[begin].word.as_str()) {
        return true;
    }
    if kind == LinkText::Name && is_of_code(text, at, n_words) {
        return true;
    }
    let noun = NOUN_WORDS.iter().find(|noun| n_words == 1 && noun.word == text[at].word);
    noun.is_some_and(|noun| noun.is_at(text, at))
}

/// Reports whether words are a piece of code: `os.remove`, `delete()`. `1.Order now` is none.
fn is_of_code(text: &[TextWord], at: usize, n_words: usize) -> bool {
    let next = text.get(at + n_words);
    let is_part = matches!(text[at].gap.as_str(), "." | "::")
        && at > 0
        && text[at - 1].word.starts_with(char::is_alphabetic)
        && next.is_none_or(|next| !next.gap.starts_with(char::is_whitespace));
    is_part || next.is_some_and(|next| next.gap.starts_with("()"))
}

impl NounWord {
    fn is_at(&self, text: &[TextWord], at: usize) -> bool {
        let word = |place: usize| text.get(place).map(|one| one.word.as_str());
        let has =
            |words: &[&str], place: usize| word(place).is_some_and(|one| words.contains(&one));
        let next = text.get(at + 1);
        let goes_on = next.is_some_and(TextWord::is_joined);
        let is_set = next.is_some_and(|next| next.gap.starts_with('='));
        let follows = at > 0 && text[at].is_joined();
        // `Drag and drop`; its sign `&` joins nothing else.
        let is_dragged = self.word == "drop"
            && (follows && at > 1 && has(&["and", "n"], at - 1) && has(&["drag"], at - 2)
                || at > 0 && text[at].gap.trim() == "&" && has(&["drag"], at - 1));
        goes_on && has(self.after, at + 1)
            || is_set && has(self.values, at + 1)
            || follows && has(self.before, at - 1)
            || is_dragged
    }
}
