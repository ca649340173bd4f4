//! Text in a page of Markdown that is no Markdown.

use std::fmt::Write as _;

/// A width of nothing, between what would otherwise name somebody or something.
pub(crate) const BREAK: &str = "&#8203;";

/// Spells a text so that nothing in it is Markdown or HTML, leads anywhere or names anybody.
pub(crate) fn literal(text: &str) -> String {
    let mut safe = spelled(text);
    // What names somebody, or an issue, is looked for when all is read.
    for (sign, next) in [('@', char::is_alphanumeric as fn(char) -> bool), ('#', char::is_numeric)]
    {
        let sign = format!("&#{};", u32::from(sign));
        let mut parts = safe.split(&sign);
        let mut joined = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let gap = if part.starts_with(next) { BREAK } else { "" };
            joined = joined + &sign + gap + part;
        }
        safe = joined;
    }
    safe
}

/// Spells a text so that nothing in it is Markdown or HTML; where it stands in code, it names nobody.
pub(crate) fn spelled(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let leads = match c {
            ':' => rest.as_str().starts_with("//"),
            '.' => ends_like(&safe, "www"),
            _ => false,
        };
        let names =
            c == '-' && ends_like(&safe, "gh") && rest.as_str().starts_with(char::is_numeric);
        if c == '\n' {
            safe.push(' ');
        } else if leads || c.is_ascii_punctuation() && !".,:;/'\"%?()+-={}^".contains(c) {
            // What stands before an address of mail would become a part of the link.
            let word = safe.rsplit(' ').next().unwrap_or_default();
            let scheme = c == '@' && word.contains(':');
            // Writing to memory cannot fail.
            let _ = write!(safe, "&#{};{}", u32::from(c), if scheme { BREAK } else { "" });
        } else {
            safe.push(c);
            safe.push_str(if names { BREAK } else { "" });
        }
    }
    safe
}

fn ends_like(text: &str, word: &str) -> bool {
    let start = text.len().checked_sub(word.len());
    start.and_then(|start| text.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(literal("*a* <b> `c` [d]"), "&#42;a&#42; &#60;b&#62; &#96;c&#96; &#91;d&#93;");
        assert_eq!(
            literal("a@b.test @x #4 # 4 GH-3"),
            "a&#64;&#8203;b.test &#64;&#8203;x &#35;&#8203;4 &#35; 4 GH-&#8203;3"
        );
        assert_eq!(
            literal("https://x.test www.x.test a.b"),
            "https&#58;//x.test www&#46;x.test a.b"
        );
        assert_eq!(spelled("@x"), "&#64;x");
    }
}
