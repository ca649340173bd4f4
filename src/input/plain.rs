//! Compressed and UTF-16 input, read as the plain text that it stands for.

use std::io::{self, Cursor, Read};

use encoding_rs_io::DecodeReaderBytes;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The forms that are known by their first bytes. No JSON line and no text of an agent begins with one.
const FORMS: [(&[u8], Form); 4] = [
    (&[0x1f, 0x8b], Form::Gzip),
    (&[0x28, 0xb5, 0x2f, 0xfd], Form::Zstd),
    (&[0xff, 0xfe], Form::Utf16),
    (&[0xfe, 0xff], Form::Utf16),
];

/// How many bytes of decompressed zstd are made at a time.
const STEP: usize = 128 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Gzip,
    Zstd,
    Utf16,
}

/// Reads `input` as plain UTF-8: gzip (several members too), zstd (several frames too) and UTF-16 with a
/// BOM are decoded, everything else is passed on as it comes. A compressed file may hold UTF-16.
///
/// What the first bytes say is found out at the first read, and no read waits for more than it needs:
/// a live stream is not held back.
pub(crate) fn plain<'a>(input: impl Read + 'a) -> impl Read + 'a {
    Plain::New(Some(Box::new(input)))
}

enum Plain<'a> {
    /// Nothing was read so far.
    New(Option<Box<dyn Read + 'a>>),
    Known(Box<dyn Read + 'a>),
}

impl Read for Plain<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if let Plain::New(input) = self {
            let Some(mut input) = input.take() else { return Ok(0) };
            let mut head = Vec::new();
            let form = sniff(&mut input, &mut head);
            *self = match form {
                Ok(Head::Begins(form)) => {
                    Plain::Known(decoded(form, Cursor::new(head).chain(input)))
                }
                // The end is not asked for twice: on a terminal it would not come again.
                Ok(Head::Whole) => Plain::Known(Box::new(Cursor::new(head))),
                // The error may pass (an interrupt, nothing there yet): what was read is kept.
                Err(error) => {
                    *self = Plain::New(Some(Box::new(Cursor::new(head).chain(input))));
                    return Err(error);
                }
            };
        }
        match self {
            Plain::Known(input) => input.read(buf),
            Plain::New(_) => Ok(0),
        }
    }
}

fn decoded<'a>(form: Option<Form>, input: impl Read + 'a) -> Box<dyn Read + 'a> {
    match form {
        None => Box::new(input),
        Some(Form::Gzip) => Box::new(plain(MultiGzDecoder::new(input))),
        Some(Form::Zstd) => Box::new(plain(Zstd::new(input))),
        Some(Form::Utf16) => Box::new(DecodeReaderBytes::new(input)),
    }
}

/// What the first bytes are.
enum Head {
    /// Something of this form, or plain, begins with them.
    Begins(Option<Form>),
    /// They are all of the input.
    Whole,
}

/// Reads as many bytes into `head` as it takes to tell the form.
fn sniff(input: &mut impl Read, head: &mut Vec<u8>) -> io::Result<Head> {
    loop {
        let mut open = false;
        for (magic, form) in FORMS {
            if head.starts_with(magic) {
                return Ok(Head::Begins(Some(form)));
            }
            open |= magic.starts_with(head);
        }
        if !open {
            return Ok(Head::Begins(None));
        }
        let mut byte = [0];
        if input.read(&mut byte)? == 0 {
            return Ok(Head::Whole);
        }
        head.extend(byte);
    }
}

/// The frames of a zstd file, one behind the other.
struct Zstd<R> {
    input: R,
    decoder: FrameDecoder,
    /// Whether a frame has begun and not ended.
    inside: bool,
}

impl<R: Read> Zstd<R> {
    fn new(input: R) -> Self {
        Self { input, decoder: FrameDecoder::new(), inside: false }
    }

    /// Begins the next frame; false at the end of the input.
    fn next_frame(&mut self) -> io::Result<bool> {
        loop {
            let mut first = [0];
            if self.input.read(&mut first)? == 0 {
                return Ok(false);
            }
            match self.decoder.init((&first[..]).chain(&mut self.input)) {
                Ok(()) => {
                    self.inside = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut (&mut self.input).take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        }
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.inside && !self.next_frame()? {
                return Ok(0);
            }
            let count = self.decoder.read(buf)?;
            if count > 0 {
                return Ok(count);
            }
            if self.decoder.is_finished() {
                self.inside = false;
            } else {
                self.decoder
                    .decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBytes(STEP))
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const TEXT: &str = "{\"a\":\"é\"}\n{\"b\":\"🦀\"}\n";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() }).collect()
    }

    /// A reader that gives a byte at a time.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let count = buf.len().min(1);
            (&mut self.0).take(count as u64).read(buf)
        }
    }

    fn read(input: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        plain(input).read_to_end(&mut out).unwrap();
        let mut dripped = Vec::new();
        plain(Drip(input)).read_to_end(&mut dripped).unwrap();
        assert_eq!(out, dripped);
        out
    }

    #[test]
    fn each_form_is_read_like_the_plain_one() {
        for (name, input) in [
            ("plain", TEXT.as_bytes().to_vec()),
            ("gzip", gzip(TEXT.as_bytes())),
            ("zstd", zstd(TEXT.as_bytes())),
            ("UTF-16 LE", utf16(TEXT, false)),
            ("UTF-16 BE", utf16(TEXT, true)),
            ("UTF-16 in gzip", gzip(&utf16(TEXT, false))),
        ] {
            assert_eq!(String::from_utf8_lossy(&read(&input)), TEXT, "{name}");
        }
        let skippable = vec![0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        assert_eq!(read(&[zstd(b"a"), skippable, zstd(b"b")].concat()), b"ab");
        assert_eq!(read(&[gzip(b"a"), gzip(b"b")].concat()), b"ab");
    }

    #[test]
    fn what_only_begins_like_a_form_is_passed_on() {
        for input in
            [&b""[..], b"\x1f", b"\x1f{}", b"(", b"(\xb5\x2f", b"\xff", b"\xef\xbb\xbf{}\n"]
        {
            assert_eq!(read(input), input);
        }
    }

    #[test]
    fn a_torn_file_gives_what_it_holds_and_an_error() {
        let whole = gzip(TEXT.repeat(1000).as_bytes());
        let mut out = Vec::new();
        let torn = whole.get(..whole.len() / 2).unwrap();
        assert!(plain(torn).read_to_end(&mut out).is_err());
        assert!(!out.is_empty());
    }
}
