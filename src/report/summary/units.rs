//! Numbers as a person reads them.

/// Writes a number with separators: `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a number of things: `1 error`, `2,000 errors`.
pub(crate) fn several(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

pub(crate) fn dollars(cost: f64) -> String {
    if cost >= 1.0 {
        format!("${cost:.2}")
    } else if cost == 0.0 || cost >= 0.00005 {
        format!("${cost:.4}")
    } else {
        "under $0.0001".to_owned()
    }
}

pub(crate) fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0 => format!("{ms} ms"),
        1..60 => format!("{seconds}.{} s", ms % 1000 / 100),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", grouped(seconds / 3600), seconds / 60 % 60),
    }
}

/// Writes a share: never 0 or 100 % when it is only almost that.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let per_mille = u128::from(part) * 1000 / u128::from(whole.max(1));
    match per_mille {
        0 if part > 0 => "under 0.1 %".to_owned(),
        _ => format!("{}.{} %", per_mille / 10, per_mille % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(several(1, "error"), "1 error");
        assert_eq!(dollars(0.0677), "$0.0677");
        assert_eq!(dollars(12.3456), "$12.35");
        assert_eq!(dollars(0.00001), "under $0.0001");
        assert_eq!(dollars(0.0), "$0.0000");
        assert_eq!(duration(420), "420 ms");
        assert_eq!(duration(11_900), "11.9 s");
        assert_eq!(duration(185_000), "3 min 5 s");
        assert_eq!(duration(3_720_000), "1 h 2 min");
        assert_eq!(percent(9_999, 10_000), "99.9 %");
        assert_eq!(percent(1, 10_000), "under 0.1 %");
        assert_eq!(percent(5, 5), "100.0 %");
    }
}
