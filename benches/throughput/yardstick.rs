//! What the filter is measured against, on the same file and in the same run.

use std::fs::File;
use std::io::{self, Read as _, Write};

use json_escape_simd::escape_into;
use memchr::memchr_iter;

/// The floor: split lines, check UTF-8, escape each line once into a JSON string, write it twice.
/// There is no parsing: nothing that prints each line's source with two events can do less.
pub fn floor(path: &str) -> io::Result<()> {
    let mut escaped = Vec::new();
    lines(path, |line, out| {
        if let Ok(text) = simdutf8::basic::from_utf8(line) {
            escaped.clear();
            escape_into(text, &mut escaped);
            for _ in 0..2 {
                out.extend_from_slice(b"{\"source\":");
                out.extend_from_slice(&escaped);
                out.extend_from_slice(b"}\n");
            }
        }
    })
}

/// The plain way in Rust: each line into a `serde_json::Value`, and the value and line out again.
pub fn value(path: &str) -> io::Result<()> {
    lines(path, |line, out| {
        if let Ok(value) = serde_json::from_slice::<serde_json::Value>(line) {
            let record = serde_json::json!({
                "type": value["type"],
                "payload": value["message"],
                "source": String::from_utf8_lossy(line),
            });
            // Writing to memory cannot fail.
            let _ = serde_json::to_writer(&mut *out, &record);
            out.push(b'\n');
        }
    })
}

fn lines(path: &str, mut each: impl FnMut(&[u8], &mut Vec<u8>)) -> io::Result<()> {
    const READ: usize = 1 << 20;
    let mut file = File::open(path)?;
    let mut stdout = io::stdout();
    let (mut buf, mut end, mut out) = (vec![0; READ], 0, Vec::with_capacity(READ * 3));
    loop {
        if end == buf.len() {
            buf.resize(buf.len() * 2, 0);
        }
        let count = file.read(&mut buf[end..])?;
        let scan = end;
        end += count;
        let mut start = 0;
        for at in memchr_iter(b'\n', &buf[scan..end]) {
            each(&buf[start..scan + at], &mut out);
            start = scan + at + 1;
        }
        stdout.write_all(&out)?;
        out.clear();
        buf.copy_within(start..end, 0);
        end -= start;
        if count == 0 {
            return stdout.flush();
        }
    }
}
