//! Trees in proportion to real ones, the same on every machine: a dozen files a folder, several
//! languages, files from one kilobyte on of which half as many are twice as large, imports of files
//! that stand before, a few files that are no text.

use std::fs;

use tempfile::TempDir;
use test_support::Dice;

/// How files of a language are written. In templates `%w` is a name, `%t` the name of a type, `%s`
/// a sentence, `%n` a number.
struct Language {
    extension: &'static str,
    /// The row is taken when a roll of 100 is less than this and not less than the row's before.
    below: u64,
    /// Around the path of the imported file, and between its folders.
    import: (&'static str, &'static str, &'static str),
    open: &'static str,
    /// Some lines between.
    line: &'static str,
    close: &'static str,
}

const LANGUAGES: &[Language] = &[
    Language {
        extension: "py",
        below: 26,
        import: ("from ", ".", " import handle"),
        open: "\n\ndef %w(%w, %w=%n):\n    \"\"\"%s\"\"\"\n",
        line: "    %w = self.%w(%w, %w[%n])  # %s\n",
        close: "    return %w\n",
    },
    Language {
        extension: "c",
        below: 42,
        import: ("#include \"", "/", ".c\""),
        open: "\n/* %s */\nstatic int %w(struct %w *%w, const char *%w)\n{\n",
        line: "\tif (%w->%w > %n && %w(%w, 0x%n))\n\t\treturn -%w;\n",
        close: "\treturn %n;\n}\n",
    },
    Language {
        extension: "ts",
        below: 56,
        import: ("import { handle } from '", "/", "';"),
        open: "\n/** %s */\nexport class %t {\n  private %w: %t[] = [];\n\n  %w(%w: string, %w?: \
            number): %t | null {\n",
        line: "    const %w = this.%w(%w => %w.%w + %n);\n",
        close: "    return null;\n  }\n}\n",
    },
    Language {
        extension: "rs",
        below: 68,
        import: ("use crate::", "::", "::handle;"),
        open: "\n/// %s\npub fn %w(%w: &str, %w: &[%t]) -> Option<usize> {\n",
        line: "    let %w = %w.%w(|%w| %w.%w() > %n)?;\n",
        close: "    Some(%n)\n}\n",
    },
    Language {
        extension: "go",
        below: 78,
        import: ("import \"", "/", "\""),
        open: "\n// %s\nfunc (%w *%t) %t(%w string, %w int) error {\n",
        line: "\tif err := %w.%t(%w, %n); err != nil {\n\t\treturn err\n\t}\n",
        close: "\treturn nil\n}\n",
    },
    Language {
        extension: "java",
        below: 86,
        import: ("import ", ".", ";"),
        open: "\n/** %s */\nclass %t {\n    public int %w(String %w, %t %w) {\n",
        line: "        int %w = %w.%w(%w, %n);\n",
        close: "        return %n;\n    }\n}\n",
    },
    Language {
        extension: "md",
        below: 92,
        import: ("See ", "/", "."),
        open: "\n## %t %w\n\n%s ",
        line: "%s %s\n",
        close: "\n```sh\n%w --%w %n\n```\n",
    },
    Language {
        extension: "yaml",
        below: 95,
        import: ("# ", "/", ""),
        open: "\n%w_%n:\n",
        line: "  - %w: %w\n    %w: %n\n",
        close: "",
    },
    Language {
        extension: "txt",
        below: 98,
        import: ("", "/", ""),
        open: "\n%s ",
        line: "%s\n",
        close: "",
    },
    // A zero byte: this is no text.
    Language {
        extension: "bin",
        below: 100,
        import: ("", "/", ""),
        open: "\0%n",
        line: "\u{1}%n\u{2}%w",
        close: "\0",
    },
];

/// Early words are frequent, late ones rare.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "value", "name", "node", "index", "state", "list", "file", "path", "type", "data", "size", "item", "key", "count", "line", "text",
    "user", "form", "field", "buffer", "offset", "query", "model", "event", "queue", "cache", "page", "block", "device", "driver", "lock",
    "table", "column", "row", "request", "response", "header", "client", "server", "socket", "packet", "frame", "route", "handler", "error",
    "result", "option", "config", "token", "parser", "scanner", "lexer", "symbol", "scope", "module", "import", "export", "worker", "task",
    "timer", "clock", "session", "cookie", "login", "password", "permission", "group", "admin", "filter", "search", "sort", "merge", "split",
    "encode", "decode", "compress", "digest", "signature", "secret", "address", "region", "interrupt", "register", "bitmap", "inode", "mount",
    "journal", "replica", "snapshot", "rollback", "migration", "schema", "locale", "currency", "calendar", "gradient", "texture", "shader",
];

/// A tree of `n` files, gone when dropped.
pub(crate) fn tree(n: usize) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    let mut dice = Dice(1);
    // The paths there are of each language, without extensions.
    let mut known: Vec<Vec<String>> = LANGUAGES.iter().map(|_| Vec::new()).collect();
    for at in 0..n {
        let folder = folder(at / 12);
        fs::create_dir_all(root.path().join(&folder)).unwrap();
        let roll = dice.roll(100);
        let row = LANGUAGES.iter().position(|language| roll < language.below).unwrap();
        let path = format!("{folder}/{}_{at}", word(&mut dice));
        let text = text(&LANGUAGES[row], &known[row], &mut dice);
        fs::write(root.path().join(format!("{path}.{}", LANGUAGES[row].extension)), text).unwrap();
        known[row].push(path);
    }
    root
}

/// The path of a folder: the digits of its number to base eight, in words.
fn folder(mut number: usize) -> String {
    let mut path = "src".to_owned();
    while number > 0 {
        path = format!("{path}/{}", WORDS[8 + number % 8]);
        number /= 8;
    }
    path
}

fn text(language: &Language, known: &[String], dice: &mut Dice) -> String {
    let mut text = String::new();
    let (before, between, after) = language.import;
    for _ in 0..dice.roll(6).min(known.len() as u64) {
        let path = &known[skewed(dice, known.len())];
        text.push_str(&format!("{before}{}{after}\n", path.replace('/', between)));
    }
    let size = size(dice);
    while text.len() < size {
        fill(language.open, dice, &mut text);
        for _ in 0..=dice.roll(12) {
            fill(language.line, dice, &mut text);
        }
        fill(language.close, dice, &mut text);
    }
    text
}

/// From one kilobyte to about sixty.
fn size(dice: &mut Dice) -> usize {
    let mut size = 1 << 10;
    while size < 32 << 10 && dice.roll(2) == 0 {
        size *= 2;
    }
    size + dice.roll(size as u64) as usize
}

fn fill(template: &str, dice: &mut Dice, text: &mut String) {
    let mut parts = template.split('%');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (mark, rest) = part.split_at(1);
        match mark {
            "w" => text.push_str(&format!("{}_{}", word(dice), word(dice))),
            "t" => [word(dice), word(dice)].iter().for_each(|word| {
                text.push_str(&format!("{}{}", word[..1].to_uppercase(), &word[1..]))
            }),
            "s" => text.push_str(&format!(
                "The {} of a {} has {} and {}.",
                word(dice),
                word(dice),
                word(dice),
                word(dice)
            )),
            "n" => text.push_str(&dice.roll(1000).to_string()),
            mark => unreachable!("%{mark} in a template"),
        }
        text.push_str(rest);
    }
}

fn word(dice: &mut Dice) -> &'static str {
    WORDS[skewed(dice, WORDS.len())]
}

/// A position below `n`, rather a low one than a high one.
fn skewed(dice: &mut Dice, n: usize) -> usize {
    let below = dice.roll(n as u64) + 1;
    dice.roll(below) as usize
}
