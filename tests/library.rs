//! The library: typed events, the iterator, what is not lost.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "this is a test")]

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use agentnorm::event::{Event, Level, Message, Since, ToolCall};
use agentnorm::{Emitter, EventType, Normalizer, Options, Protocol, SourcedEvent};
use serde_json::{Value, json};

/// The files of that name in the folders of the fixtures, with their protocols.
fn fixtures(name: &str) -> Vec<(Protocol, PathBuf)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut found = Vec::new();
    for protocol in Protocol::ALL {
        let Ok(cases) = fs::read_dir(fixtures.join(protocol.name())) else { continue };
        let files = cases.map(|case| case.unwrap().path().join(name)).filter(|file| file.exists());
        found.extend(files.map(|file| (*protocol, file)));
    }
    found
}

#[test]
fn every_event_reads_and_writes_as_the_same_json() {
    let (mut events, mut unknown, mut left) = (0, 0, Vec::new());
    for (protocol, file) in fixtures("expected.jsonl") {
        for line in fs::read_to_string(&file).unwrap().lines() {
            // Half a surrogate pair and a depth over 125 are more than serde_json reads.
            let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
            let record: SourcedEvent = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_value(&record).unwrap(), value, "{}", file.display());
            let event: Event = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(&event).unwrap()["payload"], value["payload"]);
            assert_eq!(event, record.event);
            events += 1;
            unknown += usize::from(matches!(event, Event::Other(_)));
            let payload: Option<Value> = match &event {
                Event::Message(message) => Some(json!(message.other)),
                Event::ToolCall(call) => Some(json!(call.other)),
                Event::ToolResult(result) => Some(json!(result.other)),
                Event::CallUsage(usage) => Some(json!(usage.other)),
                Event::SessionUsage(usage) => Some(json!(usage.other)),
                Event::SessionEnded(end) => Some(json!(end.other)),
                Event::Notice(notice) => Some(json!(notice.other)),
                Event::Delta(delta) => Some(json!(delta.other)),
                _ => None,
            };
            // A harness that speaks the vocabulary itself may say what it likes.
            let own = matches!(protocol, Protocol::Jsonl | Protocol::Agentnorm | Protocol::Auto);
            if !own && payload.is_some_and(|other| other != json!({})) {
                left.push(line.to_owned());
            }
        }
    }
    assert!(events > 5_000, "{events}");
    assert!(unknown < 20, "{unknown}");
    assert_eq!(left, Vec::<String>::new(), "keys that no field holds");
}

#[test]
fn read_gives_what_the_command_prints() {
    let mut compared = 0;
    for (protocol, file) in fixtures("input.jsonl") {
        let case = file.parent().unwrap();
        // A specification's cases show parts of the records.
        let is_spec = case.file_name().unwrap().to_str().unwrap().starts_with("spec-");
        if is_spec || case.join("args").exists() {
            continue;
        }
        let expected = fs::read_to_string(case.join("expected.jsonl")).unwrap();
        let stream = Slow(fs::File::open(&file).unwrap(), 0);
        let events = agentnorm::read(stream, Options::new(protocol)).map(Result::unwrap);
        let printed: Vec<String> =
            events.map(|event| serde_json::to_string(&event).unwrap()).collect();
        assert_eq!(printed.len(), expected.lines().count(), "{}", file.display());
        for (printed, expected) in printed.iter().zip(expected.lines()) {
            if printed != expected {
                // A number may be spelled in another way.
                let [printed, expected] =
                    [printed, expected].map(|text| serde_json::from_str::<Value>(text).unwrap());
                assert_eq!(printed, expected, "{}", file.display());
            }
        }
        compared += 1;
    }
    assert!(compared > 150, "{compared}");
}

/// Reads a little at a time, and is interrupted each second time.
struct Slow<R>(R, usize);

impl<R: Read> Read for Slow<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.1 += 1;
        if self.1.is_multiple_of(2) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = to.len().min(5_000);
        self.0.read(&mut to[..most])
    }
}

#[test]
fn an_event_comes_before_more_is_read() {
    struct Once(bool);
    impl Read for Once {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0, "the first line was there already");
            self.0 = true;
            let line = b"one\ntwo\nth";
            to[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }
    let mut events = agentnorm::read(Once(false), Options::new(Protocol::None));
    for line in 1..=2 {
        assert_eq!(events.next().unwrap().unwrap().line, Some(line));
    }
}

#[test]
fn an_error_of_reading_ends_the_stream_and_loses_nothing() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let stream = b"one\ntwo".chain(Broken);
    let events: Vec<_> = agentnorm::read(stream, Options::new(Protocol::None)).collect();
    assert_eq!(events.len(), 3);
    assert_eq!(events[1].as_ref().unwrap_err().to_string(), "broken");
    let Event::RawText(raw) = &events[2].as_ref().unwrap().event else { panic!() };
    assert!(raw.unterminated);
    assert_eq!(raw.text.as_deref(), Some("two"));
}

#[test]
fn a_stored_record_that_is_passed_on_is_an_event() {
    let stored = json!({
        "type": "message",
        "payload": {"role": "user", "text": "Hi", "truncated": false, "mood": "good"},
        "line": 4, "time": "2026-11-30T11:31:37.357Z", "host": "ci-7",
    });
    let stream = stored.to_string() + "\n";
    for protocol in [Protocol::Auto, Protocol::Agentnorm] {
        let mut seen = Vec::new();
        let mut normalizer = Normalizer::new(Options::new(protocol));
        normalizer.push(stream.as_bytes(), &mut |line| {
            seen.extend(line.events().map(|(kind, payload)| {
                let payload: Value = serde_json::from_slice(payload).unwrap();
                (kind, payload, line.line, line.time.map(str::to_owned))
            }));
        });
        let time = "2026-11-30T11:31:37.357Z".to_owned();
        let expected = (EventType::Message, stored["payload"].clone(), Some(4), Some(time));
        assert_eq!(seen, [expected]);

        let mut events = agentnorm::read(stream.as_bytes(), Options::new(protocol));
        let event = events.next().unwrap().unwrap();
        assert_eq!(event.other["host"], "ci-7");
        let Event::Message(message) = &event.event else { panic!() };
        assert_eq!(message.other["mood"], "good");
        assert_eq!(serde_json::to_value(&event).unwrap(), stored);
        assert!(events.next().is_none());
    }
}

#[track_caller]
fn same(payload: &Value, kind: &str) -> Event {
    let record = json!({"type": kind, "payload": payload});
    let event: Event = serde_json::from_value(record.clone()).unwrap();
    assert_eq!(serde_json::to_value(&event).unwrap(), record);
    event
}

#[test]
fn what_no_field_holds_survives() {
    let call = same(&json!({"callId": 5, "name": null, "later": [1]}), "tool.call");
    let Event::ToolCall(call) = call else { panic!() };
    assert_eq!((call.call_id, call.name, call.input, call.truncated), (None, None, None, false));
    assert_eq!(call.other["callId"], 5);

    let plan = same(&json!({"steps": [{"text": "a"}, "b"]}), "plan");
    let Event::Plan(plan) = plan else { panic!() };
    assert!(plan.steps.is_empty());

    same(
        &json!({"role": "user", "replay": false, "attachments": [], "truncated": null}),
        "message",
    );
    same(&json!({"scope": "turn", "inputTokens": 5}), "usage");
    same(
        &json!({"scope": "call", "inputTokens": 1e300, "costUsd": 9_007_199_254_740_993_u64}),
        "usage",
    );
    same(&json!({"level": "fatal", "code": "x", "retry": {}}), "notice");
    same(&json!({"text": "x"}), "raw");
    same(&json!({"json": null}), "raw");
    same(&json!({}), "delta");
    let event = same(&json!([1]), "news");
    assert_eq!((event.name(), event.kind()), ("news", None));
    same(&json!("Hi"), "message");
    assert!(serde_json::from_str::<Event>("{}").is_err());

    let notice = same(&json!({"level": "error", "code": "retry", "message": null}), "notice");
    let Event::Notice(notice) = notice else { panic!() };
    assert_eq!(notice.level, Some(Level::Error));
    let usage = json!({"scope": "session", "costUsd": 1, "durationMs": 1.5, "cumulative": "process",
        "models": {"m": {"inputTokens": 3}}, "parentCallId": "p"});
    let Event::SessionUsage(usage) = same(&usage, "usage") else { panic!() };
    assert_eq!((usage.cost_usd, usage.duration_ms), (Some(1.0), Some(1.5)));
    assert_eq!(usage.cumulative, Some(Since::Process));
    assert_eq!(usage.models["m"].input_tokens, Some(3));
    assert_eq!(usage.parent_call_id.as_deref(), Some("p"));
}

#[test]
fn an_event_that_is_made_has_its_core_keys() {
    let mut call = ToolCall::default();
    call.name = Some("Bash".to_owned());
    let payload = json!({"callId": null, "name": "Bash", "input": null, "truncated": false});
    assert_eq!(Event::from(call).payload(), payload);
    // A field that was set after reading counts, not what was read.
    let mut message: Message = serde_json::from_value(json!({"text": 5})).unwrap();
    message.text = Some("five".to_owned());
    assert_eq!(serde_json::to_value(&message).unwrap(), json!({"text": "five"}));
}

/// Keeps what is written where others see it, and fails when it is full.
struct Shared<'a>(&'a std::cell::RefCell<Vec<u8>>, usize);

impl Write for Shared<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.borrow().len() + bytes.len() > self.1 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_emitter_loses_nothing() {
    let emit = |out, budget: Option<u64>| {
        let mut emitter = Emitter::new(out).source(false).budget(budget);
        let mut normalizer = Normalizer::new(Options::new(Protocol::None));
        normalizer.push(b"one\ntwo\n", &mut |line| emitter.write(line));
        emitter
    };
    let out = std::cell::RefCell::new(Vec::new());
    drop(emit(Shared(&out, 1_000), Some(1)));
    let dropped = out.take();
    let text = String::from_utf8(dropped.clone()).unwrap();
    assert!(text.contains("one") && text.contains("1 line was not normalized"), "{text}");
    emit(Shared(&out, 1_000), Some(1)).finish().unwrap();
    assert_eq!(out.take(), dropped);
    let full = emit(Shared(&out, 10), None).finish().map(drop);
    assert_eq!(full.unwrap_err().kind(), io::ErrorKind::StorageFull);
}
