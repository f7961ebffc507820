//! Reads words, numbers, names and strings from one line.

use super::error::{ParseError, Problem};
use crate::print::{is_name_part, is_name_start};
use crate::{Type, Width};
use std::borrow::Cow;

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// Longer words are cut in messages.
const SHOWN: usize = 40;

#[derive(Clone)]
pub(super) struct Cursor<'a> {
    line: u32,
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(line: u32, text: &'a str) -> Cursor<'a> {
        Cursor { line, text, at: 0 }
    }

    pub(super) fn error(&self, problem: Problem) -> ParseError {
        ParseError { line: self.line, column: self.at as u32 + 1, problem }
    }

    pub(super) fn expected<T>(&self, what: &'static str) -> Result<T> {
        Err(self.error(Problem::Expected(what)))
    }

    pub(super) fn unknown<T>(&self, what: &'static str, word: &str) -> Result<T> {
        let word = word.chars().take(SHOWN).collect::<String>().into();
        Err(self.error(Problem::UnknownWord { what, word }))
    }

    pub(super) fn undefined<T>(&self, what: &'static str, name: &str) -> Result<T> {
        let name = name.chars().take(SHOWN).collect::<String>().into();
        Err(self.error(Problem::Undefined { what, name }))
    }

    fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    pub(super) fn skip_blanks(&mut self) {
        self.at += self.rest().iter().take_while(|c| c.is_ascii_whitespace()).count();
    }

    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.text.len()
    }

    pub(super) fn end(&mut self) -> Result<()> {
        if self.is_at_end() { Ok(()) } else { self.expected("the end of the line") }
    }

    /// Takes `mark` if it comes next, blanks aside.
    pub(super) fn eat(&mut self, mark: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(mark.as_bytes());
        if found {
            self.at += mark.len();
        }
        found
    }

    /// `@` and a blank begin a place; `@x` is a global.
    pub(super) fn eat_place_mark(&mut self) -> bool {
        self.eat("@ ")
    }

    pub(super) fn is_at_place_or_end(&mut self) -> bool {
        self.is_at_end() || self.rest().starts_with(b"@ ")
    }

    pub(super) fn expect(&mut self, mark: &'static str) -> Result<()> {
        if self.eat(mark) { Ok(()) } else { self.expected(mark) }
    }

    /// A run of the characters for which `part` holds, right here.
    fn run(&mut self, part: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        self.at += self.rest().iter().take_while(|c| c.is_ascii() && part(**c)).count();
        &self.text[start..self.at]
    }

    /// The next word; empty if there is none.
    pub(super) fn word(&mut self) -> &'a str {
        self.skip_blanks();
        if self.peek().is_some_and(is_name_start) { self.run(is_name_part) } else { "" }
    }

    /// A word that may have `-` in it.
    pub(super) fn dashed_word(&mut self) -> &'a str {
        self.skip_blanks();
        self.run(|c| is_name_part(c) || c == b'-')
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let start = self.at;
        let found = self.word() == word;
        if !found {
            self.at = start;
        }
        found
    }

    /// Looks a word up with `find`.
    pub(super) fn find_word<T>(&mut self, what: &'static str, find: impl Fn(&str) -> Option<T>) -> Result<T> {
        let start = self.clone();
        let word = self.word();
        match find(word) {
            Some(found) => Ok(found),
            None if word.is_empty() => self.expected(what),
            None => start.unknown(what, word),
        }
    }

    pub(super) fn digits(&mut self) -> &'a str {
        self.skip_blanks();
        self.run(|c| c.is_ascii_digit())
    }

    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Result<T> {
        let start = self.clone();
        let digits = self.digits();
        if digits.is_empty() {
            return start.expected("a number");
        }
        digits.parse().map_err(|_| start.error(Problem::NumberRange))
    }

    /// A number that is a handle: below 2^31, because `Operand` uses the top bit.
    pub(super) fn index(&mut self) -> Result<u32> {
        let start = self.clone();
        match self.number()? {
            n if n < 1 << 31 => Ok(n),
            _ => Err(start.error(Problem::NumberRange)),
        }
    }

    /// A word made of `prefix` and a number, such as `type3`; `None`, with nothing consumed, if something else follows.
    pub(super) fn eat_handle(&mut self, prefix: &str) -> Option<u32> {
        let start = self.at;
        let number = self.word().strip_prefix(prefix).and_then(|n| n.parse().ok()).filter(|n| *n < 1 << 31);
        if number.is_none() {
            self.at = start;
        }
        number
    }

    pub(super) fn handle(&mut self, prefix: &'static str) -> Result<u32> {
        match self.eat_handle(prefix) {
            Some(number) => Ok(number),
            None => self.expected(prefix),
        }
    }

    pub(super) fn is_quote_next(&mut self) -> bool {
        self.skip_blanks();
        self.peek() == Some(b'"')
    }

    /// The bytes of a quoted string.
    pub(super) fn string(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        self.expect("\"")?;
        loop {
            let Some(c) = self.peek() else { return self.expected("\"") };
            self.at += 1;
            match c {
                b'"' => return Ok(()),
                b'\\' => {
                    let digit = |i: usize| self.rest().get(i).and_then(|c| (*c as char).to_digit(16));
                    let (Some(high), Some(low)) = (digit(0), digit(1)) else {
                        return Err(self.error(Problem::BadString));
                    };
                    bytes.push((high * 16 + low) as u8);
                    self.at += 2;
                }
                _ => bytes.push(c),
            }
        }
    }

    pub(super) fn text(&mut self) -> Result<Box<str>> {
        self.skip_blanks();
        let start = self.clone();
        let mut bytes = Vec::new();
        self.string(&mut bytes)?;
        let text = String::from_utf8(bytes).map_err(|_| start.error(Problem::BadString))?;
        Ok(text.into())
    }

    /// A name, quoted or not.
    pub(super) fn name(&mut self) -> Result<Cow<'a, str>> {
        if self.is_quote_next() {
            return Ok(Cow::Owned(self.text()?.into()));
        }
        match self.word() {
            "" => self.expected("a name"),
            name => Ok(Cow::Borrowed(name)),
        }
    }

    /// `%3` or `%x.3`.
    pub(super) fn reg(&mut self) -> Result<(u32, Option<Cow<'a, str>>)> {
        self.expect("%")?;
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Ok((self.index()?, None));
        }
        if self.is_quote_next() {
            let name = self.name()?;
            self.expect(".")?;
            return Ok((self.index()?, Some(name)));
        }
        let start = self.clone();
        match self.word().rsplit_once('.') {
            Some((name, number)) if !name.is_empty() => match number.parse() {
                Ok(number) if number < 1 << 31 => Ok((number, Some(Cow::Borrowed(name)))),
                _ => Err(start.error(Problem::NumberRange)),
            },
            _ => start.expected("a register, as in `%3` or `%x.3`"),
        }
    }

    pub(super) fn ty(&mut self) -> Result<Type> {
        self.find_word("a type", find_type)
    }

    pub(super) fn width(&mut self) -> Result<Width> {
        self.find_word("an integer type", |word| match find_type(word)? {
            Type::Int(width) => Some(width),
            _ => None,
        })
    }

    /// The characters of a number in any notation.
    pub(super) fn literal(&mut self) -> &'a str {
        self.skip_blanks();
        self.run(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'+' | b'-'))
    }
}

pub(super) fn find_type(word: &str) -> Option<Type> {
    match word {
        "ptr" => Some(Type::Ptr),
        "f32" => Some(Type::F32),
        "f64" => Some(Type::F64),
        _ => Width::new(word.strip_prefix('i')?.parse().ok()?).map(Type::Int),
    }
}
