//! Writes the tables of `text/vocabulary` once, when the package is built: the tokens of the exact
//! tokenizers, and the classes of characters. To build them at each start took most of the time of
//! a small map.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use regex_syntax::hir::{Class, HirKind};
use tiktoken_rs::CoreBPE;

#[path = "src/text/vocabulary/layout.rs"]
mod layout;

use layout::{BLOCKS, PAGE, class};

#[expect(clippy::disallowed_methods, reason = "a build script writes files")]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/text/vocabulary/layout.rs");
    let folder = std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    let folder = Path::new(&folder);
    let vocabularies =
        [("o200k_base", tiktoken_rs::o200k_base()?), ("cl100k_base", tiktoken_rs::cl100k_base()?)];
    for (name, vocabulary) in vocabularies {
        let (index, entries) = table(&tokens(&vocabulary))?;
        std::fs::write(folder.join(format!("{name}.index")), index)?;
        std::fs::write(folder.join(format!("{name}.entries")), entries)?;
    }
    std::fs::write(folder.join("classes"), classes()?)?;
    Ok(())
}

/// Returns the tokens of a vocabulary; the position of each is its rank.
fn tokens(vocabulary: &CoreBPE) -> Vec<Vec<u8>> {
    // A gap follows, then the special tokens, which count as plain text.
    (0..).map_while(|rank| vocabulary.decode_bytes(&[rank]).ok()).collect()
}

/// Returns the index and the entries of a table.
fn table(tokens: &[Vec<u8>]) -> Result<(Vec<u8>, Vec<u8>), Box<dyn Error>> {
    let bits = tokens.len().ilog2() + 1;
    let mut buckets = vec![Vec::new(); 1 << bits];
    for (rank, token) in tokens.iter().enumerate() {
        buckets[layout::bucket(token, bits)].push((u32::try_from(rank)?, token));
    }
    let mut index = Vec::new();
    let mut entries = Vec::new();
    for bucket in buckets {
        index.extend(u32::try_from(entries.len())?.to_le_bytes());
        for (rank, token) in bucket {
            entries.push(u8::try_from(token.len())?);
            entries.extend(&rank.to_le_bytes()[..3]);
            entries.extend(token);
        }
    }
    index.extend(u32::try_from(entries.len())?.to_le_bytes());
    Ok((index, entries))
}

/// Returns the table of the characters' classes.
fn classes() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut classes = vec![class::OTHER; BLOCKS * PAGE];
    for (pattern, class) in [
        (r"[\p{Lu}\p{Lt}]", class::UPPER),
        (r"\p{Ll}", class::LOWER),
        (r"[\p{Lm}\p{Lo}]", class::CASELESS),
        (r"\p{M}", class::MARK),
        (r"\p{N}", class::NUMBER),
        (r"[\s--[\r\n]]", class::SPACE),
        (r"[\r\n]", class::NEWLINE),
    ] {
        let parsed = regex_syntax::parse(pattern)?;
        let HirKind::Class(Class::Unicode(characters)) = parsed.kind() else {
            return Err(format!("`{pattern}` is not a class of characters").into());
        };
        for range in characters.ranges() {
            classes[range.start() as usize..=range.end() as usize].fill(class);
        }
    }
    let mut blocks = Vec::with_capacity(BLOCKS);
    let mut pages = Vec::new();
    let mut known = HashMap::new();
    for page in classes.chunks(PAGE) {
        let next = u8::try_from(known.len())?;
        let number = *known.entry(page).or_insert(next);
        if number == next {
            pages.extend(page);
        }
        blocks.push(number);
    }
    Ok([blocks, pages].concat())
}
