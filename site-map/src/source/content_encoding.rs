//! Content encodings of bodies: gzip, deflate, br and zstd, with a limit on the decoded size.
//!
//! The HTTP client could decode too. Decoding here counts the bytes that travel, serves recordings
//! of other tools, and needs no compressor and no C library.

use std::io::{self, Read};

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

/// The largest number of encodings of one body; servers use one.
const MAX_ENCODINGS: usize = 2;
/// The largest window of zstd in HTTP (RFC 9659).
const ZSTD_WINDOW: u64 = 8 << 20;

/// The largest body of a record that is read, and its largest decoded size.
pub(super) const MAX_BODY: usize = 128 << 20;

/// Why a body cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DecodeError {
    /// The decoded body is larger than the limit.
    #[error("the decoded body is larger than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The encoding is unknown.
    #[error("the encoding `{encoding}` is unknown")]
    Unknown {
        /// The encoding as declared.
        encoding: String,
    },
    /// The body is not what its encoding says, or is cut.
    #[error("the body is not valid {encoding}: {message}")]
    Damaged {
        /// The encoding as declared.
        encoding: String,
        /// The decoder's message.
        message: String,
    },
}

/// Decodes a body by the value of its `Content-Encoding`.
///
/// # Errors
/// If the encoding is unknown, the body is damaged, or the decoded body exceeds the limit.
pub(crate) fn decode(body: Vec<u8>, encodings: &str, limit: usize) -> Result<Vec<u8>, DecodeError> {
    let names = encodings.split(',').map(|name| name.trim().to_ascii_lowercase());
    let names: Vec<String> =
        names.filter(|name| !matches!(name.as_str(), "" | "identity" | "none")).collect();
    if names.len() > MAX_ENCODINGS {
        return Err(DecodeError::Unknown { encoding: encodings.to_owned() });
    }
    let mut body = body;
    // The last encoding was applied last.
    for name in names.iter().rev() {
        body = decode_one(&body, name, limit)?;
    }
    if body.len() > limit { Err(DecodeError::TooLarge { limit }) } else { Ok(body) }
}

fn decode_one(body: &[u8], encoding: &str, limit: usize) -> Result<Vec<u8>, DecodeError> {
    let damaged = |error: &dyn std::fmt::Display| DecodeError::Damaged {
        encoding: encoding.to_owned(),
        message: error.to_string(),
    };
    // Some servers declare an encoding of an empty body, as of a redirect.
    if body.is_empty() {
        return Ok(Vec::new());
    }
    let decoded = match encoding {
        "gzip" | "x-gzip" => read_up_to(MultiGzDecoder::new(body), limit),
        "deflate" => read_up_to(ZlibDecoder::new(body), limit),
        "br" => read_up_to(brotli_decompressor::Decompressor::new(body, 8 << 10), limit),
        "zstd" => {
            let decoder = StreamingDecoder::new_with_max_window_size(body, ZSTD_WINDOW);
            read_up_to(decoder.map_err(|error| damaged(&error))?, limit)
        }
        _ => return Err(DecodeError::Unknown { encoding: encoding.to_owned() }),
    };
    let decoded = decoded.map_err(|error| damaged(&error))?;
    if decoded.len() > limit { Err(DecodeError::TooLarge { limit }) } else { Ok(decoded) }
}

/// Reads one byte more than the limit at most.
fn read_up_to(reader: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};

    use super::*;

    const HELLO_BR: &[u8] = &[0x0b, 0x02, 0x80, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x03];
    const HELLO_ZSTD: &[u8] = &[
        0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x29, 0x00, 0x00, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0xa3,
        0x6d, 0x9f, 0x88,
    ];

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn each_encoding_is_decoded() {
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(b"hello").unwrap();
        for (body, encodings) in [
            (gzip(b"hello"), "gzip"),
            (gzip(b"hello"), " X-GZIP"),
            ([gzip(b"hel"), gzip(b"lo")].concat(), "gzip"),
            (zlib.finish().unwrap(), "deflate"),
            (HELLO_BR.to_vec(), "br"),
            (HELLO_ZSTD.to_vec(), "zstd"),
            (gzip(HELLO_BR), "br, gzip"),
            (b"hello".to_vec(), "identity"),
            (b"hello".to_vec(), ""),
        ] {
            assert_eq!(decode(body, encodings, 9).as_deref(), Ok(&b"hello"[..]), "{encodings}");
        }
        assert_eq!(decode(Vec::new(), "gzip", 5), Ok(Vec::new()));
    }

    #[test]
    fn a_bomb_ends_at_the_limit() {
        let bomb = gzip(&vec![0; 10 << 20]);
        assert!(bomb.len() < 20_000, "{}", bomb.len());
        let limit = 1 << 20;
        assert_eq!(decode(bomb.clone(), "gzip", limit), Err(DecodeError::TooLarge { limit }));
        assert_eq!(decode(gzip(&bomb), "gzip, gzip", limit), Err(DecodeError::TooLarge { limit }));
        assert_eq!(decode(vec![0; 6], "", 5), Err(DecodeError::TooLarge { limit: 5 }));
    }

    #[test]
    fn what_cannot_be_decoded_is_an_error() {
        let cut = |body: &[u8]| body[..body.len() - 3].to_vec();
        for (body, encodings) in [
            (b"<html>".to_vec(), "gzip"),
            (cut(&gzip(b"hello")), "gzip"),
            (cut(HELLO_BR), "br"),
            (HELLO_ZSTD[..10].to_vec(), "zstd"),
            (b"<html>".to_vec(), "zstd"),
        ] {
            let error = decode(body, encodings, 100).unwrap_err();
            assert!(matches!(error, DecodeError::Damaged { .. }), "{encodings}: {error}");
        }
        for encodings in ["compress", "gzip, gzip, gzip"] {
            let error = decode(b"x".to_vec(), encodings, 100).unwrap_err();
            assert!(matches!(error, DecodeError::Unknown { .. }), "{error}");
        }
    }
}
