//! The part of a source line that a caret points at: the identifier, number, string or operator that starts at a column.

use std::ops::Range;

/// The bytes of the token at `column` (counted in bytes from 1, as compilers do). `None` when the line ends before it.
pub fn token_at(line: &str, column: u32) -> Option<Range<usize>> {
    let start = (column as usize).checked_sub(1)?;
    let rest = line.get(start..)?;
    let first = rest.chars().next()?;
    let length = match first {
        '"' | '\'' => quoted(rest, first),
        c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        c if c.is_whitespace() => 1,
        c => operator(rest).unwrap_or(c.len_utf8()),
    };
    Some(start..start + length)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The literal up to its closing quote, or to the end of the line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}

/// The longest operator of C that the text starts with.
fn operator(rest: &str) -> Option<usize> {
    const OPERATORS: [&str; 22] = [
        "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
        "*=", "/=", "%=", "&=", "|=", "^=",
    ];
    OPERATORS.iter().find(|o| rest.starts_with(**o)).map(|o| o.len())
}

#[cfg(test)]
mod tests {
    use super::token_at;

    fn check(line: &str, column: u32, expect: Option<&str>) {
        assert_eq!(token_at(line, column).map(|r| &line[r]), expect, "{line:?} at {column}");
    }

    #[test]
    fn tokens() {
        check("    balance = balance - amount;", 5, Some("balance"));
        check("    balance = balance - amount;", 23, Some("-"));
        check("p->next", 2, Some("->"));
        check("x <<= 3;", 3, Some("<<="));
        check("puts(\"a \\\" b\");", 6, Some("\"a \\\" b\""));
        check("puts(\"open", 6, Some("\"open"));
        check("a$b;", 1, Some("a$b"));
        check("a  b", 2, Some(" "));
        check("grüße = 1", 1, Some("grüße"));
    }

    #[test]
    fn places_that_are_not_there() {
        check("x", 0, None);
        check("x", 2, None);
        check("", 1, None);
        check("ü", 2, None);
        check("x", u32::MAX, None);
    }
}
