//! Changes a text at random, mostly by whole words so that much of it still makes sense.

use super::rng::Rng;

const NASTY: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "-",
    "255",
    "4294967295",
    "2147483648",
    "18446744073709551616",
    "0x",
    "0xffff",
    "1e999",
    "nan",
    "\"",
    "\"\"",
    "\\",
    "\\zz",
    "{",
    "}",
    "(",
    ")",
    ",",
    ":",
    "@",
    "@ ",
    "&",
    "%",
    "%0",
    "%x.1",
    "%2147483647",
    "#0",
    "bb0",
    "bb1",
    "bb4000000000",
    "i1",
    "i0",
    "i128",
    "i129",
    "f32",
    "f64",
    "ptr",
    "null",
    "true",
    "const0",
    "place0",
    "type0",
    "zeros 67108865",
    "zeros 3",
    "plain",
    "seq_cst",
    "checked",
    "private",
    "é",
    "\u{2028}",
    "\n",
    "...",
    "->",
    "unassigned %7: i8",
    "program LP64 entry &f",
    "func &x() {",
    "}\n}",
    "constants",
    "places 0:0:0",
    "inlined",
];

/// Words, numbers, blanks and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (token, tail) = rest.split_at(end);
        tokens.push(token);
        rest = tail;
    }
    tokens
}

pub fn damage(text: &str, rng: &mut Rng) -> String {
    let mut tokens = tokens(text);
    for _ in 0..1 + rng.below(3) {
        let (at, other) = (rng.below(tokens.len()), rng.below(tokens.len()));
        match rng.below(8) {
            0 => {
                tokens.remove(at);
            }
            1 => tokens.insert(at, rng.pick(NASTY)),
            2 => tokens[at] = rng.pick(NASTY),
            3 => tokens.swap(at, other),
            4 => tokens.truncate(at + 1),
            5 => {
                // Duplicates or removes a line.
                let start = tokens[..at].iter().rposition(|t| *t == "\n").map_or(0, |i| i + 1);
                let end = tokens[at..].iter().position(|t| *t == "\n").map_or(tokens.len(), |i| at + i + 1);
                let line: Vec<&str> = tokens.drain(start..end).collect();
                if rng.chance(2) {
                    tokens.splice(start..start, line.iter().chain(&line).copied());
                }
            }
            // A text in which one word replaces another is most likely to parse.
            _ => tokens[at] = tokens[other],
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}
