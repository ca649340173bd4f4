//! A call's arguments, which the format wants as an object.

use serde_json::{Map, Value as Json};

/// Reads a call's input. What is no object is the only key of one.
pub(super) fn read(input: Option<&str>) -> Map<String, Json> {
    let Some(input) = input else { return Map::new() };
    match serde_json::from_str(input) {
        Ok(Json::Object(arguments)) => arguments,
        _ => Map::from_iter([("input".to_owned(), Json::from(input))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_an_object_whatever_the_input_is() {
        let read = |input| Json::Object(read(input)).to_string();
        assert_eq!(read(None), "{}");
        assert_eq!(read(Some(r#"{"b":1,"a":[]}"#)), r#"{"b":1,"a":[]}"#);
        assert_eq!(read(Some("ls -l")), r#"{"input":"ls -l"}"#);
        assert_eq!(read(Some("[1]")), r#"{"input":"[1]"}"#);
        assert_eq!(read(Some(r#"{"cut":"of"#)), r#"{"input":"{\"cut\":\"of"}"#);
    }
}
