//! Data that stands among texts: images, sounds, documents, resources of MCP servers. It never becomes
//! text, or it would use up what a text may say: an attachment tells its type and size, and a short line
//! stands where it stood.

use std::borrow::Cow;

use crate::format::event::Attachment;
use crate::format::write::Name;
use crate::json::{self, Kind, Str, Value};

/// What a block of a content is.
#[derive(Debug)]
pub(super) enum Part<'a> {
    /// A text: that of a text block or of a resource, or a bare string.
    Text(Value<'a>),
    /// Data, and the line that stands for it.
    Attached(Attachment<'a>, String),
    /// A line that stands for what is elsewhere: a link.
    Line(String),
    /// Something else.
    Other,
}

/// What a block of a content is.
pub(super) fn part(block: Value<'_>) -> Part<'_> {
    if block.is_string() {
        return Part::Text(block);
    }
    let [kind, text, resource, source] = block.pick(["type", "text", "resource", "source"]);
    if kind.is("text") && text.is_string() {
        return Part::Text(text);
    }
    let text = resource.get("text");
    if kind.is("resource") && text.is_string() {
        return Part::Text(text);
    }
    // A document of Anthropic's API that is written out.
    let [form, text] = source.pick(["type", "data"]);
    if form.is("text") && text.is_string() {
        return Part::Text(text);
    }
    if let Some((attachment, line)) = attachment(block) {
        return Part::Attached(attachment, line);
    }
    let [uri, title, name] = block.pick(["uri", "title", "name"]);
    if kind.is("resource_link") && uri.is_string() {
        let words = [title, name].into_iter().find_map(Name::filled);
        let uri = uri.decode().unwrap_or_default();
        return Part::Line(match words {
            Some(words) => format!("[link {}, {uri}]", words.text()),
            None => format!("[link {uri}]"),
        });
    }
    Part::Other
}

/// A block that holds data, and the line that stands for it in a text.
///
/// Anthropic's form is `{"type":"image","source":{"media_type":…,"data":…}}`, MCP's
/// `{"type":"image","mimeType":…,"data":…}` and `{"type":"resource","resource":{"mimeType":…,"blob":…}}`,
/// that of `OpenAI` has an address that starts with `data:`, Google's is `{"inlineData":{"mimeType":…,"data":…}}`.
pub(super) fn attachment(block: Value<'_>) -> Option<(Attachment<'_>, String)> {
    let [kind, inline, inline_snake] = block.pick(["type", "inlineData", "inline_data"]);
    let inline = if inline.is_object() { inline } else { inline_snake };
    let kind = kind.decode().unwrap_or_default();
    let (word, proven) = match &*kind {
        "image" => ("image", true),
        "document" => ("document", true),
        "audio" => ("audio", true),
        "input_image" | "image_url" => ("image", false),
        "input_audio" => ("audio", false),
        "video" => ("video", false),
        "resource" => ("resource", false),
        "file" | "input_file" | "media" => ("file", false),
        _ if inline.is_object() => ("", false),
        _ => return None,
    };
    let data = data(block, inline);
    if !proven && data.bytes.is_none() {
        return None;
    }
    let name = data.mime.as_ref().map(Name::text).unwrap_or_default();
    let word = match word {
        "" => name.split_once('/').map(|(word, _)| word).unwrap_or_default(),
        word => word,
    };
    let word = if matches!(word, "" | "application" | "text") { "file" } else { word };
    let line = match (name.is_empty(), data.bytes) {
        (false, Some(bytes)) => format!("[{word} {name}, {bytes} bytes]"),
        (false, None) => format!("[{word} {name}]"),
        (true, Some(bytes)) => format!("[{word}, {bytes} bytes]"),
        (true, None) => format!("[{word}]"),
    };
    drop(name);
    Some((Attachment { media_type: data.mime, bytes: data.bytes }, line))
}

/// What a block says of its data.
struct Data<'a> {
    mime: Option<Name<'a>>,
    bytes: Option<u64>,
}

fn data<'a>(block: Value<'a>, inline: Value<'a>) -> Data<'a> {
    let places = [
        block.get("source"),
        block.get("resource"),
        block.get("input_audio"),
        block.get("image_url"),
        block.get("file"),
        inline,
        block,
    ];
    let (mut mime, mut bytes) = (None, None);
    for place in places {
        // An address in place of an object.
        let address = if place.is_string() { place } else { Value::MISSING };
        let types =
            ["media_type", "mimeType", "mediaType", "mime_type", "mime"].map(|k| place.get(k));
        mime = mime.or_else(|| types.into_iter().find_map(Name::filled));
        let stated = ["data", "blob", "file_data", "url", "image"].map(|key| place.get(key));
        for text in stated.into_iter().chain([address]).filter_map(Value::str) {
            if let Some((stated, data)) = data_url(text.raw()) {
                mime = mime.or_else(|| Some(Name::from(stated.to_owned())));
                bytes = bytes.or_else(|| Some(base64_size(data)));
            }
        }
        let [data, blob] = place.pick(["data", "blob"]);
        let plain = data.str().or_else(|| blob.str());
        bytes = bytes.or_else(|| plain.map(|data| base64_size(data.raw())));
    }
    Data { mime, bytes }
}

/// The type and the data of an address that holds its data.
pub(super) fn data_url(address: &str) -> Option<(&str, &str)> {
    let (head, data) = address.strip_prefix("data:")?.split_once(',')?;
    Some((head.split(';').next().unwrap_or_default(), data))
}

/// How many bytes a base64 text stands for.
pub(super) fn base64_size(data: &str) -> u64 {
    let digits = data.trim_end_matches('=').len() as u64;
    digits * 3 / 4
}

/// How deep the objects are that data is looked for in.
const DEPTH: u32 = 24;

/// The JSON of `value` without insignificant white space, and without what only a machine can read:
/// ciphertext is left out, and the line of an attachment stands for its data.
pub(super) fn legible<'a>(value: Value<'a>, attachments: &mut Vec<Attachment<'a>>) -> Cow<'a, str> {
    let text = value.text();
    // Data is never short: most values are passed on without being looked at.
    let may = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    let machine =
        ["\"encrypted_", "\"data\"", "\"blob\"", "data:", "\"file_data\""].into_iter().any(may);
    if !machine {
        return json::compact(text);
    }
    let mut out = String::new();
    let found = attachments.len();
    let cut = write(value, DEPTH, &mut out, attachments);
    if cut || attachments.len() > found { out.into() } else { json::compact(text) }
}

/// Writes a value; returns whether something was left out.
fn write<'a>(
    value: Value<'a>,
    depth: u32,
    out: &mut String,
    attachments: &mut Vec<Attachment<'a>>,
) -> bool {
    let mut cut = false;
    match value.kind() {
        Kind::Array if depth > 0 => {
            out.push('[');
            for (at, element) in value.elements().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                cut |= write(element, depth - 1, out, attachments);
            }
            out.push(']');
        }
        Kind::Object if depth > 0 => {
            if let Some((attachment, line)) = attachment(value).filter(|(a, _)| a.bytes.is_some()) {
                attachments.push(attachment);
                out.push('"');
                json::push_escaped(out, &line);
                out.push('"');
                return true;
            }
            out.push('{');
            let mut first = true;
            for (key, member) in value.members() {
                if is_ciphertext(key) {
                    cut = true;
                    continue;
                }
                if !std::mem::take(&mut first) {
                    out.push(',');
                }
                out.push('"');
                out.push_str(key.raw());
                out.push_str("\":");
                cut |= write(member, depth - 1, out, attachments);
            }
            out.push('}');
        }
        _ => out.push_str(&json::compact(value.text())),
    }
    cut
}

/// Whether what stands under the key is for the model's API alone.
fn is_ciphertext(key: Str<'_>) -> bool {
    matches!(key.raw(), "encrypted_content" | "encrypted_index" | "encrypted_stdout")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    #[test]
    fn base64_is_measured_without_decoding() {
        for (data, bytes) in [("", 0), ("QQ==", 1), ("QUI=", 2), ("QUJD", 3), ("QUJDRA==", 4)] {
            assert_eq!(base64_size(data), bytes);
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep =
            format!("{}{{\"encrypted_content\":1}}{}", "[".repeat(100_000), "]".repeat(100_000));
        let mut doc = Doc::default();
        assert_eq!(legible(doc.parse(&deep).unwrap(), &mut Vec::new()), deep);
    }
}
