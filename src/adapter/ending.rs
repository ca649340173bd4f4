//! What an end record says of how it went, apart from its dialect's own words for it.

use crate::format::write::Text;
use crate::json::Value;

/// Whether an end record says in one of the keys that harnesses have for it that the turn failed. It
/// wins over any other word of the record.
pub(super) fn says_failed(record: Value<'_>) -> bool {
    let [is_error, is_error_too, success, error, status] =
        record.pick(["is_error", "isError", "success", "error", "status"]);
    let words = ["failed", "failure", "error", "cancelled", "canceled", "aborted", "interrupted"];
    let why = error.is_true() || error.is_object() || (error.is_string() && !error.is(""));
    is_error.is_true()
        || is_error_too.is_true()
        || success.bool() == Some(false)
        || why
        || words.iter().any(|word| status.is(word))
}

/// What an end record says of its error: a text, or an object with a message.
pub(super) fn error(record: Value<'_>) -> Option<Text<'_>> {
    let error = record.get("error");
    Text::filled(error).or_else(|| Text::filled(error.get("message")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    #[test]
    fn any_key_that_says_so_counts() {
        let mut doc = Doc::default();
        for (record, failed) in [
            (r#"{"is_error":true,"subtype":"success"}"#, true),
            (r#"{"isError":true,"status":"completed"}"#, true),
            (r#"{"success":false}"#, true),
            (r#"{"error":{"message":"x"}}"#, true),
            (r#"{"error":"x"}"#, true),
            (r#"{"status":"failed"}"#, true),
            (r#"{"error":null,"is_error":false,"success":true,"status":"completed"}"#, false),
            (r#"{"error":""}"#, false),
            ("{}", false),
        ] {
            assert_eq!(says_failed(doc.parse(record).unwrap()), failed, "{record}");
        }
    }
}
