use super::*;
use crate::json::Doc;

/// A watch with a clock of its own, in seconds.
struct Clock {
    watch: Watch,
    now: u64,
}

fn watch(rules: Rules) -> Clock {
    Clock { watch: Watch::new(rules).unwrap(), now: 0 }
}

#[expect(clippy::unnecessary_wraps, reason = "each rule is optional")]
fn seconds(n: u64) -> Option<Duration> {
    Some(Duration::from_secs(n))
}

impl Clock {
    /// An event at the time of now, its payload without the outer braces.
    fn event(&mut self, kind: EventType, payload: &str) -> &mut Self {
        let mut doc = Doc::default();
        let json = format!("{{{payload}}}");
        let payload = doc.parse(&json).unwrap();
        self.watch.event(kind, payload, Duration::from_secs(self.now));
        self
    }

    fn says(&mut self) -> &mut Self {
        self.event(EventType::Message, r#""role":"assistant","text":"x""#)
    }

    fn calls(&mut self, id: &str, input: &str) -> &mut Self {
        let payload = format!(r#""callId":"{id}","name":"Bash","input":"{input}""#);
        self.event(EventType::ToolCall, &payload)
    }

    fn answers(&mut self, id: &str) -> &mut Self {
        self.event(EventType::ToolResult, &format!(r#""callId":"{id}""#))
    }

    /// Lets so many seconds pass.
    fn wait(&mut self, time: u64) -> &mut Self {
        self.now += time;
        self
    }

    fn broken(&self) -> Option<&'static str> {
        self.watch.tick(Duration::from_secs(self.now)).as_ref().map(Limit::reason)
    }

    fn next(&self) -> Option<u64> {
        self.watch.next(Duration::from_secs(self.now)).map(|time| time.as_secs())
    }
}

#[test]
fn nothing_is_watched_where_nothing_is_asked_for() {
    assert!(Watch::new(Rules::default()).is_none());
    assert!(!Rules { heartbeat: seconds(1), ..Rules::default() }.limit());
}

#[test]
fn all_of_it_has_its_time() {
    let mut clock = watch(Rules { timeout: seconds(10), ..Rules::default() });
    clock.wait(9).says();
    assert_eq!((clock.broken(), clock.next()), (None, Some(1)));
    assert_eq!(clock.wait(1).says().broken(), Some("timeout"));
}

#[test]
fn what_is_no_progress_does_not_stop_the_idle_clock() {
    let mut clock = watch(Rules { idle: seconds(10), ..Rules::default() });
    clock.wait(3).says();
    let no_progress = [
        (EventType::Notice, r#""level":"warning","code":"retry""#),
        (EventType::Raw, r#""json":{"type":"ping"}"#),
        (EventType::Usage, r#""scope":"call","inputTokens":3"#),
        (EventType::Message, r#""role":"assistant","text":"API Error","synthetic":true"#),
    ];
    for (kind, payload) in no_progress {
        clock.wait(2).event(kind, payload);
        assert_eq!(clock.broken(), None);
    }
    assert_eq!(clock.next(), Some(2));
    assert_eq!(clock.wait(2).broken(), Some("idle"));
    for kind in [
        EventType::Message,
        EventType::Thinking,
        EventType::Delta,
        EventType::ToolResult,
        EventType::Plan,
    ] {
        let mut clock = watch(Rules { idle: seconds(10), ..Rules::default() });
        assert_eq!(clock.wait(9).event(kind, "").wait(9).broken(), None, "{kind}");
        assert_eq!(clock.wait(1).broken(), Some("idle"), "{kind}");
    }
}

#[test]
fn the_idle_clock_stands_while_a_call_is_open_or_background_work_runs() {
    let mut clock = watch(Rules { idle: seconds(10), ..Rules::default() });
    clock.calls("a", "").calls("b", "").wait(100);
    assert_eq!((clock.broken(), clock.next()), (None, None));
    assert_eq!(clock.answers("b").wait(100).broken(), None);
    clock.answers("a").wait(9);
    assert_eq!((clock.broken(), clock.next()), (None, Some(1)));
    clock.event(EventType::SessionBackground, r#""tasks":[{"taskId":"t"}]"#);
    assert_eq!(clock.wait(100).broken(), None);
    clock.event(EventType::SessionBackground, r#""tasks":[]"#);
    assert_eq!(clock.wait(9).broken(), None);
    assert_eq!(clock.wait(1).broken(), Some("idle"));
}

#[test]
fn calls_are_closed_by_what_shows_that_they_are_over() {
    let idle = Rules { idle: seconds(10), ..Rules::default() };
    // Its harness tells no result, but the model goes on in another message.
    let mut clock = watch(idle);
    clock.event(EventType::ToolCall, r#""callId":"a","messageId":"m1""#);
    clock.event(EventType::Thinking, r#""messageId":"m1""#);
    assert_eq!(clock.wait(10).broken(), None);
    clock.event(EventType::Message, r#""role":"assistant","messageId":"s","parentCallId":"a""#);
    clock.event(EventType::Message, r#""role":"user","messageId":"m2""#);
    assert_eq!(clock.wait(10).broken(), None);
    clock.event(EventType::Message, r#""role":"assistant","messageId":"m2""#);
    assert_eq!(clock.wait(10).broken(), Some("idle"));
    // The session ended over it.
    let mut clock = watch(idle);
    clock.calls("a", "").event(EventType::SessionEnded, r#""status":"failed""#);
    assert_eq!(clock.wait(10).broken(), Some("idle"));
}

#[test]
fn a_call_has_its_time_however_many_are_open() {
    let mut clock = watch(Rules { tool: seconds(10), ..Rules::default() });
    clock.calls("a", "").wait(6).calls("b", "").wait(3);
    assert_eq!((clock.broken(), clock.next()), (None, Some(1)));
    clock.answers("a").wait(6);
    assert_eq!((clock.broken(), clock.next()), (None, Some(1)));
    assert_eq!(clock.wait(1).broken(), Some("tool_timeout"));
    assert_eq!(clock.answers("b").broken(), None);
}

#[test]
fn a_model_call_is_counted_once() {
    let turns = |most| watch(Rules { turns: Some(most), ..Rules::default() });
    // Parts of one answer, two calls at once, and then the next answer.
    let mut clock = turns(1);
    clock.event(EventType::Thinking, "").says().calls("a", "").calls("b", "");
    clock.answers("a").answers("b");
    assert_eq!(clock.broken(), None);
    assert_eq!(clock.says().broken(), Some("max_turns"));
    // One message, whose tools run while it is still written.
    let mut clock = turns(1);
    clock.event(EventType::ToolCall, r#""callId":"a","messageId":"m""#).answers("a");
    clock.event(EventType::ToolCall, r#""callId":"b","messageId":"m""#);
    assert_eq!(clock.broken(), None);
    // By its usage, which comes in pieces.
    let mut clock = turns(1);
    for _ in 0..3 {
        clock.event(EventType::Usage, r#""scope":"call","messageId":"m""#);
    }
    assert_eq!(clock.broken(), None);
    clock.event(EventType::Usage, r#""scope":"call","messageId":"n""#);
    assert_eq!(clock.broken(), Some("max_turns"));
    // The harness counts more of them.
    let mut clock = turns(3);
    clock.says().watch.spend(Spent { turns: Some(4), ..Spent::default() });
    assert_eq!(clock.broken(), Some("max_turns"));
    // A subagent's are counted, too; those that are interleaved are not counted more often.
    let mut clock = turns(2);
    for _ in 0..3 {
        clock.says();
        clock.event(EventType::Message, r#""role":"assistant","parentCallId":"p""#);
    }
    assert_eq!(clock.broken(), None);
}

#[test]
fn what_was_spent_may_reach_the_limit_but_not_pass_it() {
    let mut clock = watch(Rules { tokens: Some(100), cost: Some(0.5), ..Rules::default() });
    assert_eq!(clock.broken(), None);
    let spent = |tokens, cost| Spent { tokens: Some(tokens), cost: Some(cost), turns: None };
    for (tokens, cost, reason) in
        [(100, 0.5, None), (101, 0.5, Some("max_tokens")), (100, 0.51, Some("max_cost"))]
    {
        clock.watch.spend(spent(tokens, cost));
        assert_eq!(clock.broken(), reason);
    }
}

#[test]
fn only_the_same_call_in_a_row_is_a_repeat() {
    let repeats = || watch(Rules { repeats: Some(3), ..Rules::default() });
    let mut clock = repeats();
    for (id, input) in [("1", "x"), ("2", "x"), ("3", "y"), ("4", "x"), ("5", "x")] {
        clock.calls(id, input).answers(id);
        assert_eq!(clock.broken(), None);
    }
    assert_eq!(clock.calls("6", "x").broken(), Some("max_repeats"));
    // One call that is told more than once.
    let mut clock = repeats();
    clock.calls("1", "x").calls("1", "x").calls("1", "x");
    assert_eq!(clock.broken(), None);
    // Calls that have no ids.
    let mut clock = repeats();
    for _ in 0..3 {
        clock.event(EventType::ToolCall, r#""name":"Bash","input":"x""#);
    }
    assert_eq!(clock.broken(), Some("max_repeats"));
    // What is behind the clip may differ.
    let mut clock = repeats();
    for id in 0..5 {
        let payload = format!(r#""callId":"{id}","name":"Bash","input":"x","truncated":true"#);
        clock.event(EventType::ToolCall, &payload);
    }
    assert_eq!(clock.broken(), None);
}

#[test]
fn a_process_that_was_stopped_is_not_blamed_for_it() {
    let mut clock = watch(Rules { idle: seconds(10), tool: seconds(10), ..Rules::default() });
    clock.calls("a", "").wait(1000).watch.resume(Duration::from_secs(1000));
    assert_eq!(clock.broken(), None);
    clock.answers("a").wait(9);
    assert_eq!(clock.broken(), None);
    assert_eq!(clock.wait(1).broken(), Some("idle"));
}

#[test]
fn time_in_which_nobody_listened_does_not_count() {
    let mut clock = watch(Rules { idle: seconds(10), tool: seconds(20), ..Rules::default() });
    clock.wait(8).watch.pause(Duration::from_secs(6), Duration::from_secs(8));
    assert_eq!((clock.broken(), clock.next()), (None, Some(8)));
    // No time is given twice.
    clock.watch.pause(Duration::from_secs(100), Duration::from_secs(8));
    assert_eq!(clock.wait(10).broken(), Some("idle"));
    clock.calls("a", "").wait(15);
    let now = Duration::from_secs(clock.now);
    clock.watch.pause(Duration::from_secs(5), now);
    assert_eq!(clock.wait(9).broken(), None);
    assert_eq!(clock.wait(1).broken(), Some("tool_timeout"));
}

#[test]
fn a_heartbeat_says_what_is_open() {
    let mut clock = watch(Rules { heartbeat: seconds(60), ..Rules::default() });
    let beat = |clock: &mut Clock| {
        let now = Duration::from_secs(clock.now);
        clock.watch.heartbeat(now)
    };
    assert_eq!(beat(clock.wait(59)), None);
    assert_eq!(
        beat(clock.wait(1)).as_deref(),
        Some("1 min, no call is open; no progress for 1 min")
    );
    assert_eq!(beat(&mut clock), None);
    clock.event(
        EventType::ToolCall,
        r#""callId":"a","name":"Bash","target":"cargo\u001b[31m test\n::error::x""#,
    );
    assert_eq!(
        beat(clock.wait(80)).as_deref(),
        Some("2 min 20 s, Bash open for 1 min 20 s: cargo [31m test ::error::x")
    );
    clock.calls("b", "");
    assert_eq!(
        beat(clock.wait(60)).as_deref(),
        Some("3 min 20 s, Bash open for 2 min 20 s (and 1 more): cargo [31m test ::error::x")
    );
    clock.answers("a").answers("b").event(EventType::SessionBackground, r#""tasks":[{}]"#);
    clock.watch.show(Duration::from_secs(clock.now));
    assert_eq!(beat(clock.wait(59)), None);
    assert_eq!(beat(clock.wait(1)).as_deref(), Some("4 min 20 s, background work runs"));
    assert_eq!(clock.next(), Some(60));
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut clock = watch(Rules { tool: seconds(10), ..Rules::default() });
    let long = "x".repeat(10_000);
    for id in 0..300 {
        let payload = format!(
            r#""callId":"{id}{long}","name":"{long}","target":"{long}","parentCallId":"{id}""#
        );
        clock.event(EventType::ToolCall, &payload);
        clock.event(EventType::Usage, &format!(r#""scope":"call","messageId":"{id}{long}""#));
    }
    assert_eq!(clock.watch.open.len(), crate::limits::MAX_WATCHED_CALLS);
    assert!(clock.watch.open.oldest().unwrap().what.len() < 1_000);
}

#[test]
fn a_limit_that_could_not_act_is_refused() {
    use Protocol as P;
    let tokens = Rules { tokens: Some(1), ..Rules::default() };
    let cost = Rules { cost: Some(1.0), ..Rules::default() };
    let idle = Rules { idle: seconds(1), ..Rules::default() };
    let tool = Rules { tool: seconds(1), ..Rules::default() };
    assert!(idle.warn(P::Opencode, None).unwrap().contains("counts for --idle-timeout"));
    assert!(idle.warn(P::ClaudeJson, Some("json")).unwrap().contains("as json"));
    let quiet = Rules { timeout: seconds(1), heartbeat: seconds(1), ..Rules::default() };
    assert_eq!((idle.warn(P::Codex, None), quiet.warn(P::ClaudeJson, Some("json"))), (None, None));
    for (rules, protocol, refused) in [
        (tokens, P::Codex, None),
        (tokens, P::Jsonl, None),
        (cost, P::ClaudeJson, None),
        (cost, P::Codex, Some("--max-cost would never act: codex does not state its costs")),
        (tokens, P::Auto, Some("--max-tokens needs to know the dialect")),
        (tokens, P::None, Some("--max-tokens would never act")),
        (idle, P::Auto, None),
        (idle, P::None, Some("--idle-timeout needs a dialect")),
        (Rules { timeout: seconds(1), ..Rules::default() }, P::None, None),
        (tool, P::Opencode, Some("--tool-timeout would never act")),
        (tool, P::Vibe, None),
        (idle, P::Opencode, None),
    ] {
        let words = rules.refuse(protocol).err();
        match refused {
            None => assert_eq!(words, None, "{protocol}"),
            Some(start) => assert!(words.as_ref().unwrap().starts_with(start), "{words:?}"),
        }
    }
}

/// In the recordings, calls and results stand on one line where the row says so, and else do not.
#[test]
fn who_tells_its_calls_late_is_known() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    for protocol in Protocol::ALL {
        let Ok(cases) = std::fs::read_dir(format!("{fixtures}/{protocol}")) else { continue };
        let (mut results, mut late) = (0, 0);
        for case in cases {
            let text = std::fs::read_to_string(case.unwrap().path().join("expected.jsonl"));
            let text = text.unwrap_or_default();
            let mut calls = std::collections::BTreeMap::new();
            for line in text.lines() {
                let event: serde_json::Value = serde_json::from_str(line).unwrap();
                let id = event["payload"]["callId"].as_str().unwrap_or_default().to_owned();
                if event["type"] == "tool.call" {
                    calls.insert(id, event["line"].as_u64());
                } else if event["type"] == "tool.result"
                    && let Some(at) = calls.remove(&id)
                {
                    results += 1;
                    late += usize::from(at == event["line"].as_u64());
                }
            }
        }
        // An array of records is one line, so a few prove nothing.
        if results >= 10 {
            assert_eq!(late == results, protocol.dialect().late_calls, "{protocol}");
        }
    }
}

#[test]
fn a_rate_limit_counts_where_it_is_the_last_error() {
    let said = |notices: &[&str]| {
        let (mut rate, mut doc) = (RateLimit::default(), Doc::default());
        for notice in notices {
            rate.event(EventType::Notice, doc.parse(notice).unwrap());
        }
        rate.word()
    };
    let limit = r#"{"level":"error","code":"rate_limit"}"#;
    let when =
        r#"{"level":"info","code":"rate_limit","limit":{"resetsAt":"2030-01-30T21:46:40.000Z"}}"#;
    let other = r#"{"level":"error","code":"error"}"#;
    let retry = r#"{"level":"warning","code":"retry"}"#;
    assert_eq!(said(&[]), None);
    assert_eq!(said(&[limit, other]), None);
    assert_eq!(said(&[when]), None);
    let word = said(&[other, limit, retry]).unwrap();
    assert!(word.ends_with("did not say when it is lifted"), "{word}");
    let word = said(&[when, limit]).unwrap();
    assert!(word.ends_with("which is lifted at 2030-01-30T21:46:40.000Z"), "{word}");
}

#[test]
fn times_are_said_as_people_say_them() {
    for (millis, words) in [
        (200, "200 ms"),
        (1_000, "1 s"),
        (1_550, "1.5 s"),
        (60_000, "1 min"),
        (200_000, "3 min 20 s"),
        (7_500_000, "2 h 5 min"),
        (7_200_000, "2 h"),
        (90_000_000, "1 d 1 h"),
    ] {
        assert_eq!(duration(Duration::from_millis(millis)), words);
    }
    assert_eq!(tame(&"ä".repeat(500)).chars().count(), crate::limits::MAX_WATCHED_TEXT + 1);
    assert_eq!(tame(" a\u{202e}b\r\n"), "a b");
}
