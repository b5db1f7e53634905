//! Choices that depend on a seed and on names alone, so that any page can be made at any time.

/// Returns a number for these words.
pub(crate) fn number(seed: u64, words: &[&str]) -> u64 {
    // FNV-1a, with a byte between the words that no text has, and the end of SplitMix64.
    let mut state = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in words.iter().flat_map(|word| word.bytes().chain([0xff])) {
        state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// Returns one of some things.
pub(crate) fn one_of<'t, T: ?Sized>(things: &[&'t T], seed: u64, words: &[&str]) -> &'t T {
    things[(number(seed, words) % things.len() as u64) as usize]
}

/// Reports whether something that happens so often happens here.
pub(crate) fn happens(percent: u64, seed: u64, words: &[&str]) -> bool {
    number(seed, words) % 100 < percent
}

/// Sorts by chance.
pub(crate) fn shuffle<T>(things: &mut [T], seed: u64, name: impl Fn(&T) -> String) {
    things.sort_by_cached_key(|thing| {
        let name = name(thing);
        (number(seed, &["order", &name]), name)
    });
}
