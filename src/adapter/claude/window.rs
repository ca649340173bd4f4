//! What the name of a Claude model says.

/// The context window of a Claude model in tokens, read off its name: `[1m]` asks for the long one,
/// the families from 5 on (and Opus 4.8) have it, every other Claude model has 200,000. Nothing for
/// a name that is no Claude model's.
pub(super) fn of(name: &str) -> Option<u64> {
    // A cloud's name for the model has the provider and the region in front.
    let (_, model) = name.split_once("claude-")?;
    let mut words = model.split(['-', '.', '@', '[', ':']);
    let family = words.next().unwrap_or_default();
    let mut number = || words.next().and_then(|word| word.parse::<u32>().ok());
    // Before 4 the number stood in front of the family: `claude-3-5-haiku-20241022`.
    let major = number().filter(|_| family.parse::<u32>().is_err()).unwrap_or_default();
    // A date behind the major number is no minor number.
    let minor = number().filter(|minor| *minor < 100).unwrap_or_default();
    let long = model.ends_with("[1m]") || major >= 5 || (family, major, minor) == ("opus", 4, 8);
    Some(if long { 1_000_000 } else { 200_000 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_read_off_the_name() {
        for (name, window) in [
            ("claude-sonnet-5", Some(1_000_000)),
            ("claude-opus-5-5", Some(1_000_000)),
            ("claude-haiku-5-5", Some(1_000_000)),
            ("claude-opus-4-8", Some(1_000_000)),
            ("claude-opus-4-8[1m]", Some(1_000_000)),
            ("claude-sonnet-4-5[1m]", Some(1_000_000)),
            ("claude-sonnet-4-5", Some(200_000)),
            ("claude-sonnet-4-20250514", Some(200_000)),
            ("claude-3-5-haiku-20241022", Some(200_000)),
            ("claude-3-7-sonnet", Some(200_000)),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", Some(200_000)),
            ("claude-", Some(200_000)),
            ("gpt-5", None),
            ("", None),
        ] {
            assert_eq!(of(name), window, "{name}");
        }
    }
}
