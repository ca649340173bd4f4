//! What a call's output says in its fixed forms, and its text.
//!
//! ```text
//! exec_command, 0.129 to 0.171   Chunk ID: a8\nWall time: 0.0 seconds\nProcess exited with code 0\n…Output:\n…
//! shell_command, apply_patch     Exit code: 3\nWall time: 0 seconds\nOutput:\n…
//! 0.20, 0.42                     {"output":"…","metadata":{"exit_code":3,"duration_seconds":0.0}}
//! an interrupted call            Wall time: 2.1 seconds\naborted by user
//! exec, wait (0.144)             Script completed\nWall time 0.1 seconds\nOutput:\n…
//! ```

use crate::adapter::embedded;
use crate::format::event::Attachment;
use crate::format::write::{Name, Text};
use crate::json::{self, Doc, Kind, Number, Value};

/// A header is no longer than this.
const HEADER: usize = 600;

/// What an output states beside its text.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Stated {
    pub(super) exit_code: Option<i64>,
    pub(super) duration: Option<Number>,
    pub(super) aborted: bool,
    /// The state of a script: `completed`, `failed`, or that it runs on in this cell.
    pub(super) script: Option<Script>,
}

/// The state of a script.
#[derive(Debug, PartialEq)]
pub(super) enum Script {
    Completed,
    Failed,
    Running(String),
}

/// Reads the fixed forms off an output.
pub(super) fn stated(output: Value<'_>) -> Stated {
    let first = match output.kind() {
        Kind::Array => output.elements().next().unwrap_or(Value::MISSING).get("text"),
        _ => output,
    };
    let Some(text) = first.str() else { return Stated::default() };
    if text.raw().starts_with('{') {
        return metadata(&text.decode()).map_or_else(Stated::default, |(_, stated)| stated);
    }
    let end = (0..=text.raw().len().min(HEADER)).rev().find(|at| text.raw().is_char_boundary(*at));
    header(text.raw().get(..end.unwrap_or(0)).unwrap_or_default())
}

/// Reads a header, which is written as the inside of a JSON string.
fn header(raw: &str) -> Stated {
    const STARTS: [&str; 4] = ["Chunk ID: ", "Wall time: ", "Exit code: ", "Script "];
    let mut stated = Stated::default();
    if !STARTS.iter().any(|start| raw.starts_with(start)) {
        return stated;
    }
    for (at, line) in raw.split("\\n").enumerate() {
        let exited = if at == 0 { line.strip_prefix("Exit code: ") } else { None };
        let exited = exited.or_else(|| line.strip_prefix("Process exited with code "));
        let time = line.strip_prefix("Wall time: ").or_else(|| line.strip_prefix("Wall time "));
        if let Some(code) = exited {
            stated.exit_code = code.parse().ok();
        } else if let Some(time) = time.and_then(|time| time.strip_suffix(" seconds")) {
            stated.duration = time.parse().ok().and_then(seconds);
        } else if line == "aborted by user" {
            stated.aborted = stated.duration.is_some();
        } else if at == 0 {
            stated.script = script(line);
        } else if line == "Output:" {
            break;
        }
    }
    stated
}

fn script(line: &str) -> Option<Script> {
    match line.strip_prefix("Script ")? {
        "completed" => Some(Script::Completed),
        "failed" => Some(Script::Failed),
        running => Some(Script::Running(running.strip_prefix("running with cell ID ")?.to_owned())),
    }
}

/// The older form: the text, and what stands beside it.
fn metadata(json: &str) -> Option<(String, Stated)> {
    let mut doc = Doc::default();
    let [output, metadata] = doc.parse(json)?.pick(["output", "metadata"]);
    let [exit_code, duration] = metadata.pick(["exit_code", "duration_seconds"]);
    let stated = Stated {
        exit_code: exit_code.i64(),
        duration: duration.f64().and_then(seconds),
        ..Stated::default()
    };
    metadata.is_object().then_some(())?;
    Some((output.owned()?, stated))
}

/// Seconds as milliseconds.
pub(super) fn seconds(seconds: f64) -> Option<Number> {
    let millis = (seconds * 1000.0).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    (0.0..1e15).contains(&millis).then_some(Number::Int(millis as u64))
}

/// An output's text, and the images in it.
pub(super) fn text(output: Value<'_>) -> (Option<Text<'_>>, Vec<Attachment<'_>>) {
    match output.kind() {
        Kind::Missing | Kind::Null => (None, Vec::new()),
        Kind::String => {
            let json = output.str().filter(|text| text.raw().starts_with('{'));
            let inner = json.and_then(|json| metadata(&json.decode()));
            (inner.map_or_else(|| Text::of(output), |(text, _)| Some(text.into())), Vec::new())
        }
        Kind::Array => blocks(output),
        _ => (Some(json::compact(output.text()).into()), Vec::new()),
    }
}

/// The blocks of the Responses API: `{"type":"input_text","text":…}`, `{"type":"input_image","image_url":…}`.
/// What is encrypted is for machines only.
pub(super) fn blocks(list: Value<'_>) -> (Option<Text<'_>>, Vec<Attachment<'_>>) {
    let mut written = String::new();
    let mut attachments = Vec::new();
    for block in list.elements().filter(|block| !block.get("type").is("encrypted_content")) {
        if !written.is_empty() {
            written.push_str("\\n");
        }
        if let Some(text) = block.get("text").str() {
            written.push_str(text.raw());
        } else if let Some((attachment, line)) = embedded::attachment(block) {
            json::push_escaped(&mut written, &line);
            attachments.push(attachment);
        } else {
            json::push_escaped(&mut written, &embedded::legible(block, &mut attachments));
        }
    }
    (Some(Text::written(written)), attachments)
}

/// An image by its address, which most often is all of it.
pub(super) fn image(address: Value<'_>) -> Attachment<'static> {
    let address = address.decode().unwrap_or_default();
    let Some((kind, data)) = embedded::data_url(&address) else { return Attachment::default() };
    let media_type = Some(Name::from(kind.to_owned())).filter(|_| !kind.is_empty());
    Attachment { media_type, bytes: Some(embedded::base64_size(data)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Stated {
        let mut doc = Doc::default();
        stated(doc.parse(json).unwrap())
    }

    #[test]
    fn each_fixed_form_is_read() {
        let exited = read(
            r#""Chunk ID: a8\nWall time: 0.0014 seconds\nProcess exited with code 7\nOutput:\nExit code: 9\n""#,
        );
        assert_eq!((exited.exit_code, exited.duration), (Some(7), Some(Number::Int(1))));
        assert_eq!(read(r#""Exit code: 3\nWall time: 0 seconds\nOutput:\nx""#).exit_code, Some(3));
        let old =
            read(r#""{\"output\":\"\",\"metadata\":{\"exit_code\":3,\"duration_seconds\":1.5}}""#);
        assert_eq!((old.exit_code, old.duration), (Some(3), Some(Number::Int(1500))));
        let aborted = read(r#""Wall time: 2.1 seconds\naborted by user""#);
        assert_eq!((aborted.exit_code, aborted.aborted), (None, true));
        assert_eq!(
            read(r#"[{"type":"input_text","text":"Script failed\nWall time 0.1 seconds\n"}]"#)
                .script,
            Some(Script::Failed)
        );
        let running =
            read(r#""Script running with cell ID 12\nWall time 10.0 seconds\nOutput:\n""#);
        assert_eq!(running.script, Some(Script::Running("12".to_owned())));
    }

    #[test]
    fn what_a_command_printed_is_no_statement() {
        for text in [
            "Output:\\nProcess exited with code 1",
            "make: Exit code: 1",
            "Wall time: soon\\naborted by user",
            "Chunk ID: 1\\nOutput:\\nProcess exited with code 1",
            "\\nExit code: 1",
        ] {
            assert_eq!(read(&format!("\"{text}\"")), Stated::default(), "{text}");
        }
    }
}
