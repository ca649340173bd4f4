//! What end records have in common.

use crate::json::Value;

/// Tells whether an end record is marked as a failure, whatever its key for it: a failure wins over what
/// else it says. Prose is no mark.
pub(super) fn says_failed(end: Value<'_>) -> bool {
    let [failed, is_error, success, status, error] =
        end.pick(["isError", "is_error", "success", "status", "error"]);
    failed.is_true()
        || is_error.is_true()
        || success.bool() == Some(false)
        || ["failed", "failure", "error"].iter().any(|word| status.is(word))
        || error.is_object()
        || error.filled().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    #[test]
    fn any_mark_is_enough_and_its_absence_is_none() {
        for (end, failed) in [
            (r#"{"isError":true}"#, true),
            (r#"{"is_error":true,"subtype":"success"}"#, true),
            (r#"{"success":false}"#, true),
            (r#"{"status":"failed"}"#, true),
            (r#"{"error":{"message":"m"}}"#, true),
            (r#"{"error":"m"}"#, true),
            (r#"{"isError":false,"success":true,"status":"completed","error":null}"#, false),
            (r#"{"error":"","result":"It failed."}"#, false),
            ("{}", false),
        ] {
            let mut doc = Doc::default();
            assert_eq!(says_failed(doc.parse(end).unwrap()), failed, "{end}");
        }
    }
}
