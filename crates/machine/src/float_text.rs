//! Floating-point numbers as text, as C's `printf` and `strtod` have it.

/// `conversion` is one of `f e g a F E G A`; `precision` below 0 means the default; `alternate` is the flag `#`.
pub fn format(value: f64, conversion: u8, precision: i32, alternate: bool) -> String {
    let upper = conversion.is_ascii_uppercase();
    let kind = conversion.to_ascii_lowercase();
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let magnitude = value.abs();
    let body = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        "inf".to_owned()
    } else {
        let digits = if precision < 0 { 6 } else { precision.min(4096) as usize };
        match kind {
            b'e' => exponential(magnitude, digits, alternate),
            b'g' => general(magnitude, digits, alternate),
            b'a' => hexadecimal(magnitude, precision, alternate),
            _ => {
                let dot = if alternate && digits == 0 { "." } else { "" };
                format!("{magnitude:.digits$}{dot}")
            }
        }
    };
    let text = format!("{sign}{body}");
    if upper { text.to_ascii_uppercase() } else { text }
}

/// The digits and the decimal exponent of a number rounded to `digits` after the point.
fn scientific(magnitude: f64, digits: usize) -> (String, i32) {
    let text = format!("{magnitude:.digits$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_owned(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

fn with_exponent(mantissa: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

fn exponential(magnitude: f64, digits: usize, alternate: bool) -> String {
    let (mut mantissa, exponent) = scientific(magnitude, digits);
    if alternate && digits == 0 {
        mantissa.push('.');
    }
    with_exponent(&mantissa, exponent)
}

fn general(magnitude: f64, digits: usize, alternate: bool) -> String {
    let significant = digits.max(1);
    let (mantissa, exponent) = scientific(magnitude, significant - 1);
    let strip = |text: String| match (alternate, text.contains('.')) {
        (true, false) => text + ".",
        (true, true) | (false, false) => text,
        (false, true) => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
    };
    if exponent < -4 || exponent >= significant as i32 {
        with_exponent(&strip(mantissa), exponent)
    } else {
        let after = (significant as i32 - 1 - exponent).max(0) as usize;
        strip(format!("{magnitude:.after$}"))
    }
}

fn hexadecimal(magnitude: f64, precision: i32, alternate: bool) -> String {
    let bits = magnitude.to_bits();
    let raw_exponent = (bits >> 52) as i32 & 0x7ff;
    let mut fraction = bits & ((1 << 52) - 1);
    let (mut lead, exponent) = match (raw_exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, raw_exponent - 1023),
    };
    let mut digits = 13;
    if (0..13).contains(&precision) {
        // Round to nearest, halves to even.
        let drop = 4 * (13 - precision as u32);
        let whole = (lead << 52) | fraction;
        let (kept, rest, half) = (whole >> drop, whole & ((1 << drop) - 1), 1u64 << (drop - 1));
        let rounded = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
        let shifted = rounded << drop;
        lead = shifted >> 52;
        fraction = shifted & ((1 << 52) - 1);
        digits = precision as usize;
    }
    let mut text = format!("{fraction:013x}");
    text.truncate(digits);
    if precision < 0 {
        text = text.trim_end_matches('0').to_owned();
    } else if precision > 13 {
        text.push_str(&"0".repeat(precision.min(4096) as usize - 13));
    }
    let dot = if text.is_empty() && !alternate { "" } else { "." };
    format!("0x{lead}{dot}{text}p{exponent:+}")
}

/// The number at the start of `text` and how many bytes it takes, 0 when there is none.
pub fn parse(text: &[u8]) -> (f64, usize) {
    let blanks = text.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0x0b).count();
    let rest = &text[blanks..];
    let (negative, sign) = match rest.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    };
    let body = &rest[sign..];
    let (magnitude, used) =
        special(body).or_else(|| hexadecimal_number(body)).unwrap_or_else(|| decimal_number(body));
    if used == 0 {
        return (0.0, 0);
    }
    (if negative { -magnitude } else { magnitude }, blanks + sign + used)
}

fn special(body: &[u8]) -> Option<(f64, usize)> {
    let starts = |word: &[u8]| body.len() >= word.len() && body[..word.len()].eq_ignore_ascii_case(word);
    if starts(b"infinity") {
        Some((f64::INFINITY, 8))
    } else if starts(b"inf") {
        Some((f64::INFINITY, 3))
    } else if starts(b"nan") {
        // `nan(letters, digits and underscores)`, if it is closed.
        let inside = count(body, 4, |b| b.is_ascii_alphanumeric() || *b == b'_');
        let has_more = body.get(3) == Some(&b'(') && body.get(4 + inside) == Some(&b')');
        Some((f64::NAN, if has_more { 5 + inside } else { 3 }))
    } else {
        None
    }
}

fn count(body: &[u8], from: usize, is: fn(&u8) -> bool) -> usize {
    body[from.min(body.len())..].iter().take_while(|b| is(b)).count()
}

/// Length of an exponent `[eEpP][+-]digits` at `from`; 0 when there is none.
fn exponent_len(body: &[u8], from: usize, letter: u8) -> usize {
    if body.get(from).map(u8::to_ascii_lowercase) != Some(letter) {
        return 0;
    }
    let sign = usize::from(matches!(body.get(from + 1), Some(b'+' | b'-')));
    match count(body, from + 1 + sign, u8::is_ascii_digit) {
        0 => 0,
        digits => 1 + sign + digits,
    }
}

fn decimal_number(body: &[u8]) -> (f64, usize) {
    let whole = count(body, 0, u8::is_ascii_digit);
    let mut end = whole;
    if body.get(whole) == Some(&b'.') {
        let fraction = count(body, whole + 1, u8::is_ascii_digit);
        if whole + fraction > 0 {
            end = whole + 1 + fraction;
        }
    }
    if end == 0 {
        return (0.0, 0);
    }
    end += exponent_len(body, end, b'e');
    let value = std::str::from_utf8(&body[..end]).ok().and_then(|s| s.parse().ok()).unwrap_or(0.0);
    (value, end)
}

fn hexadecimal_number(body: &[u8]) -> Option<(f64, usize)> {
    if !body.starts_with(b"0x") && !body.starts_with(b"0X") {
        return None;
    }
    let whole = count(body, 2, u8::is_ascii_hexdigit);
    let mut end = 2 + whole;
    let mut fraction = 0;
    if body.get(end) == Some(&b'.') {
        fraction = count(body, end + 1, u8::is_ascii_hexdigit);
        if whole + fraction > 0 {
            end += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return None;
    }
    let mut value = 0.0f64;
    for digit in body[2..end].iter().filter(|b| **b != b'.') {
        value = value * 16.0 + (*digit as char).to_digit(16).unwrap_or(0) as f64;
    }
    let len = exponent_len(body, end, b'p');
    let exponent = std::str::from_utf8(&body[end..end + len]).ok().and_then(|s| s.get(1..));
    let is_negative = exponent.is_some_and(|digits| digits.starts_with('-'));
    let huge = if is_negative { -HUGE } else { HUGE };
    let exponent = exponent.filter(|digits| !digits.is_empty()).map_or(0, |s| s.parse().unwrap_or(huge));
    let exponent = exponent.clamp(-HUGE, HUGE) - 4 * fraction as i32;
    // In two halves: the smallest numbers are smaller than the inverse of the largest.
    let half = exponent / 2;
    Some((value * 2f64.powi(half) * 2f64.powi(exponent - half), end + len))
}

/// Beyond every exponent that a number can have.
const HUGE: i32 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_as_printf_does() {
        let rows: &[(f64, u8, i32, &str)] = &[
            (3.0, b'f', -1, "3.000000"),
            (-0.5, b'f', 0, "-0"),
            (1e10, b'g', -1, "1e+10"),
            (100000.0, b'g', -1, "100000"),
            (1000000.0, b'g', -1, "1e+06"),
            (0.0001, b'g', -1, "0.0001"),
            (0.00001, b'g', -1, "1e-05"),
            (0.1, b'e', 2, "1.00e-01"),
            (0.0, b'g', -1, "0"),
            (1.0, b'a', -1, "0x1p+0"),
            (0.1, b'a', -1, "0x1.999999999999ap-4"),
            (1.999, b'a', 1, "0x2.0p+0"),
            (f64::INFINITY, b'F', -1, "INF"),
            (123456789.0, b'g', 3, "1.23e+08"),
            (2.5, b'f', 0, "2"),
            (0.3, b'f', 20, "0.29999999999999998890"),
        ];
        for &(value, conversion, precision, expect) in rows {
            assert_eq!(format(value, conversion, precision, false), expect);
        }
    }

    #[test]
    fn the_alternate_form_keeps_the_point() {
        let rows: &[(f64, u8, i32, &str)] = &[
            (100.0, b'g', -1, "100.000"),
            (100.0, b'g', 3, "100."),
            (5.0, b'g', 0, "5."),
            (1e9, b'g', 1, "1.e+09"),
        ];
        for &(value, conversion, precision, expect) in rows {
            assert_eq!(format(value, conversion, precision, true), expect);
        }
    }

    #[test]
    fn parses_as_strtod_does() {
        let rows: &[(&str, f64, usize)] = &[
            ("  12.5xyz", 12.5, 6),
            ("-1e3", -1000.0, 4),
            ("1e", 1.0, 1),
            (".5", 0.5, 2),
            (".", 0.0, 0),
            ("0x1.8p1", 3.0, 7),
            ("0xg", 0.0, 1),
            ("inf", f64::INFINITY, 3),
            ("abc", 0.0, 0),
        ];
        for &(text, value, used) in rows {
            assert_eq!(parse(text.as_bytes()), (value, used), "{text}");
        }
    }
}
