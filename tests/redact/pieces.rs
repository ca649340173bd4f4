//! A secret that is cut in pieces.

use agentnorm::{Protocol, Redaction};
use serde_json::Value;

use crate::corpus::Corpus;
use crate::streams::{STREAMS, Stream};
use crate::support::{leak, read, redaction};

/// What the deltas of a stream make together, and the whole text.
fn told(records: &str) -> (String, Option<String>) {
    let (mut joined, mut whole) = (String::new(), None);
    for record in records.lines() {
        let record: Value = serde_json::from_str(record).expect(record);
        let payload = &record["payload"];
        match record["type"].as_str().unwrap() {
            "delta" => {
                if payload["reset"] == true {
                    joined.clear();
                }
                joined.push_str(payload["text"].as_str().unwrap());
            }
            "message" => whole = payload["text"].as_str().map(str::to_owned),
            "tool.call" if whole.is_none() => whole = payload["input"].as_str().map(str::to_owned),
            "tool.result" => whole = payload["output"].as_str().map(str::to_owned),
            _ => {}
        }
    }
    (joined, whole)
}

fn cut<'t>(text: &'t str, cuts: &[usize]) -> Vec<&'t str> {
    let mut from = 0;
    let mut pieces = Vec::new();
    for to in cuts.iter().copied().chain([text.len()]) {
        pieces.push(&text[from..to]);
        from = to;
    }
    pieces
}

fn holds(
    stream: &Stream,
    redaction: &Redaction,
    kind: &str,
    text: &str,
    secret: &str,
    cuts: &[usize],
) {
    let pieces = cut(text, cuts);
    let input = (stream.print)(&pieces).join("\n") + "\n";
    let records = read(stream.protocol(), input.as_bytes(), Some(redaction));
    let about = format!("{} {kind} {pieces:?}\n{records}", stream.name);
    if let Some(run) = leak(&records, secret) {
        panic!("{run} leaks: {about}");
    }
    let (joined, whole) = told(&records);
    assert!(joined.contains("[redacted:"), "{about}");
    assert_eq!(Some(&joined), whole.as_ref(), "{about}");
    // Everything stands in the sources, too: what is read of them is the same.
    if stream.proves_itself() {
        assert_eq!(read(Protocol::Auto, records.as_bytes(), None), records, "{about}");
        assert_eq!(read(Protocol::Auto, records.as_bytes(), Some(redaction)), records, "{about}");
    }
}

#[test]
fn the_pieces_of_every_dialect_join_to_the_redacted_whole() {
    let redaction = redaction();
    let all = Corpus::new(11).every_kind();
    for (number, stream) in STREAMS.iter().enumerate() {
        let mut rng = Corpus::new(number as u64);
        for made in &all {
            let text = format!("so: {} and on.", made.text);
            let from = text.find(&made.secret).unwrap();
            let mut places = vec![
                from + 1,
                from + 3,
                from + made.secret.len() / 2,
                from + made.secret.len() - 1,
                from + made.secret.len(),
            ];
            places.push(rng.range(1..from + 1));
            for place in places {
                holds(stream, &redaction, made.kind, &text, &made.secret, &[place]);
            }
            let mut cuts = [
                rng.range(1..text.len()),
                rng.range(1..text.len()),
                rng.range(from..from + made.secret.len()),
            ];
            cuts.sort_unstable();
            holds(stream, &redaction, made.kind, &text, &made.secret, &cuts);
        }
    }
}

#[test]
fn every_cut_of_a_token_over_two_and_three_pieces() {
    let redaction = redaction();
    let all = Corpus::new(12).every_kind();
    let made = &all[0];
    let text = format!("a {} b", made.text);
    for stream in STREAMS {
        for first in (1..text.len()).step_by(2) {
            holds(stream, &redaction, made.kind, &text, &made.secret, &[first]);
            let second = (first * 7 + 5) % text.len();
            let mut cuts = [first, second.max(1)];
            cuts.sort_unstable();
            holds(stream, &redaction, made.kind, &text, &made.secret, &cuts);
        }
    }
}

/// A tail that became nothing comes in the line that ends the text.
#[test]
fn what_was_held_back_in_vain_comes_with_the_end() {
    let redaction = redaction();
    for stream in STREAMS.iter().filter(|stream| stream.proves_itself()) {
        for end in ["sk", "the password", "the token: ", "gh", "https://user:x"] {
            let text = format!("this is {end}");
            let input = (stream.print)(&[&text[..6], &text[6..]]).join("\n") + "\n";
            let records = read(stream.protocol(), input.as_bytes(), Some(&redaction));
            let (joined, whole) = told(&records);
            assert_eq!(Some(&joined), whole.as_ref(), "{}\n{records}", stream.name);
            assert!(joined.contains(end), "{}\n{records}", stream.name);
            assert_eq!(read(Protocol::Auto, records.as_bytes(), None), records);
            let again = read(Protocol::Auto, records.as_bytes(), Some(&redaction));
            assert_eq!(again, records, "{}: twice is once", stream.name);
        }
    }
    assert_eq!(redaction.report(), None);
}

/// A stream that ends in the middle of a text.
#[test]
fn the_end_of_the_stream_ends_the_texts() {
    let redaction = redaction();
    let token = Corpus::new(3).every_kind().swap_remove(0).secret;
    for stream in STREAMS {
        let text = format!("it is {token}");
        let pieces = [&text[..12], &text[12..], ""];
        let lines = (stream.print)(&pieces[..2]);
        let last = lines
            .iter()
            .rposition(|line| line.contains(&token[token.len() - 6..]) && !line.contains(&token));
        // Where the line holds the whole text so far, it ends with the one before the whole.
        let keep = last.map_or(lines.len() - 1, |last| last + 1);
        let input = lines[..keep].join("\n");
        let records = read(stream.protocol(), input.as_bytes(), Some(&redaction));
        assert_eq!(leak(&records, &token), None, "{}\n{records}", stream.name);
    }
}
