//! Bytes through the pipes: live, whole, and when somebody stops reading.

use std::io::Read as _;
use std::time::Duration;

use crate::support::{Folder, Wrap};

#[test]
fn an_event_is_there_while_the_child_waits() {
    // The child goes on only when we have seen its first line.
    let script = "echo one; read answer; echo \"$answer\"; read answer; printf 'three'";
    let mut run = Wrap::sh(&[], script).with_stdin().start();
    assert_eq!(run.event(), "one");
    run.say(b"two\n");
    assert_eq!(run.event(), "two");
    let ended = run.finish();
    assert_eq!(ended.texts(), ["three"], "the rest without a line feed");
    assert_eq!(ended.status, 0);
}

#[test]
fn standard_input_reaches_the_child_byte_for_byte_and_so_does_its_end() {
    let folder = Folder::new();
    let copy = folder.path("copy");
    let bytes: Vec<u8> = (0..=255).cycle().take(1 << 20).collect();
    let script = "cat > \"$COPY\"; echo end";
    let mut run = Wrap::sh(&[], script).env("COPY", &copy).with_stdin().start();
    run.say(&bytes);
    run.close_stdin();
    assert_eq!(run.event(), "end");
    assert_eq!(run.finish().status, 0);
    assert!(std::fs::read(copy).unwrap() == bytes);
    // No standard input at all is an end, too.
    assert_eq!(Wrap::sh(&[], "cat; echo end").run().texts(), ["end"]);
}

#[test]
fn standard_error_is_the_childs_own() {
    let ended = Wrap::sh(&[], "echo out; echo err >&2; printf '\\033[1mx' >&2").run();
    assert_eq!(ended.texts(), ["out"]);
    assert_eq!(ended.stderr, "err\n\u{1b}[1mx");
}

#[test]
fn there_is_no_terminal_between() {
    let ended = Wrap::sh(&[], "test -t 1 || echo pipe").run();
    assert_eq!(ended.texts(), ["pipe"]);
}

#[test]
fn a_slow_reader_gets_every_line() {
    const LINES: usize = 200_000;
    let script = format!("seq {LINES}; exit 5");
    let mut run = Wrap::sh(&["-p", "none", "--no-source"], &script).start();
    let mut out = run.out.take().unwrap();
    let (mut text, mut piece) = (Vec::new(), vec![0; 128 << 10]);
    loop {
        let count = out.read(&mut piece).unwrap();
        if count == 0 {
            break;
        }
        text.extend_from_slice(&piece[..count]);
        std::thread::sleep(Duration::from_millis(1));
    }
    let text = String::from_utf8(text).unwrap();
    for (at, line) in text.lines().take(LINES).enumerate() {
        let number = at + 1;
        assert!(
            line.starts_with(&format!(r#"{{"type":"raw","payload":{{"text":"{number}""#)),
            "{line}"
        );
    }
    assert_eq!(text.lines().count(), LINES + 1, "and the end");
    assert_eq!(run.finish().status, 5);
}

#[test]
fn a_reader_that_leaves_costs_the_child_nothing() {
    let folder = Folder::new();
    let (mark, tee) = (folder.path("mark"), folder.path("tee"));
    let script = "seq 100000; echo last; touch \"$MARK\"; exit 4";
    let mut run = Wrap::sh(&["--tee", tee.to_str().unwrap()], script).env("MARK", &mark).start();
    assert_eq!(run.event(), "1");
    run.close_stdout();
    let ended = run.finish();
    assert_eq!((ended.status, ended.stderr.as_str()), (4, ""));
    assert!(mark.exists());
    let tee = std::fs::read_to_string(tee).unwrap();
    assert_eq!(tee.lines().count(), 100_001);
    assert!(tee.ends_with("100000\nlast\n"));
}

#[test]
fn the_input_is_copied_as_it_came() {
    let folder = Folder::new();
    let (tee, out) = (folder.path("tee"), folder.path("out"));
    let options = ["--tee", tee.to_str().unwrap(), "-o", out.to_str().unwrap()];
    let ended = Wrap::sh(&options, "printf 'a\\r\\n\\377\\000b'").run();
    assert!(ended.events.is_empty());
    assert_eq!(std::fs::read(tee).unwrap(), b"a\r\n\xff\0b");
    assert_eq!(std::fs::read_to_string(out).unwrap().lines().count(), 3);
}

#[cfg(target_os = "linux")]
#[test]
fn events_that_cannot_be_written_are_our_failure_but_the_child_finishes() {
    let folder = Folder::new();
    for option in ["-o", "--tee"] {
        let mark = folder.path(option);
        let script = "seq 20000; touch \"$MARK\"; exit 0";
        let ended = Wrap::sh(&[option, "/dev/full"], script).env("MARK", &mark).run();
        assert_eq!(ended.status, 125, "{option}");
        assert!(ended.stderr.starts_with("agentnorm: cannot write the "), "{}", ended.stderr);
        assert!(mark.exists());
    }
}
