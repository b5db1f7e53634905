//! Maps a repository by a cache of any bytes, and of packs spoilt with and without their checksums.

#![no_main]

#[path = "../../tests/properties/packs.rs"]
mod packs;

use std::sync::LazyLock;

static KEPT: LazyLock<packs::Kept> = LazyLock::new(packs::Kept::new);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| KEPT.hold(bytes));
