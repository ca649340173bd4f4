//! Arguments that were clipped: JSON that stops somewhere.

/// Closes JSON that stops somewhere, where it last made sense; a string value is kept as far as it goes.
pub(super) fn close_json(torn: &str) -> Option<String> {
    let mut open: Vec<u8> = Vec::new();
    // Where the text may be cut, and how many containers are open there.
    let mut safe: Option<(usize, usize)> = None;
    let mut value = true;
    let mut at = 0;
    let bytes = torn.as_bytes();
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => {
                open.push(if *byte == b'{' { b'}' } else { b']' });
                value = *byte == b'[';
                safe = Some((at + 1, open.len()));
            }
            b'}' | b']' => {
                open.pop();
                safe = Some((at + 1, open.len()));
            }
            b'"' => match string_end(bytes, at + 1) {
                Ok(end) => {
                    at = end;
                    if value {
                        safe = Some((end + 1, open.len()));
                    }
                }
                Err(end) => {
                    if !value {
                        break;
                    }
                    let kept = torn.get(..end)?;
                    return Some(close(&format!("{kept}\""), &open, open.len()));
                }
            },
            b':' => value = true,
            b',' => value = open.last() == Some(&b']'),
            _ => {}
        }
        at += 1;
    }
    let (end, depth) = safe?;
    Some(close(torn.get(..end)?, &open, depth))
}

fn close(kept: &str, open: &[u8], depth: usize) -> String {
    let mut closed = kept.to_owned();
    closed.extend(open.iter().take(depth).rev().map(|byte| char::from(*byte)));
    closed
}

/// Finds the string's closing quote; where it has none, the end of its last whole character.
fn string_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return Ok(at),
            b'\\' => {
                let length = if bytes.get(at + 1) == Some(&b'u') { 6 } else { 2 };
                if at + length > bytes.len() {
                    return Err(at);
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    Err(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_start_of_an_object_can_be_read() {
        let whole =
            r#"{"path":"a\u00e9\n","edits":[{"old":"x\"y","n":12,"t":true},["é"]],"last":null}"#;
        for (end, _) in whole.char_indices().skip(1) {
            let closed = close_json(whole.split_at(end).0).unwrap();
            let value = serde_json::from_str::<serde_json::Value>(&closed);
            assert!(value.is_ok(), "{end}: {closed}");
        }
        assert_eq!(close_json(r#"{"path":"src/ma"#).unwrap(), r#"{"path":"src/ma"}"#);
        assert_eq!(close_json(r#"{"path":"a","con"#).unwrap(), r#"{"path":"a"}"#);
        assert_eq!(close_json("ls -l"), None);
    }
}
