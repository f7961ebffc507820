//! The words of a file, line by line. However large the file is, only one line of it is in memory.

use crate::rejected::{CertificateError, Why};
use std::io::{BufRead, Read};
use std::str::{FromStr, SplitAsciiWhitespace};

/// No line of a certificate comes near this; a file without line ends should not fill the memory.
const LONGEST: u64 = 1 << 28;

pub(crate) struct Lines<R> {
    input: R,
    /// The number of the last line that was read, from 1.
    pub number: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines { input, number: 0, buffer: Vec::new() }
    }

    /// Goes to the next line. `false`: there is none.
    pub fn advance(&mut self) -> Result<bool, CertificateError> {
        self.buffer.clear();
        let count = self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.buffer)?;
        self.number += u64::from(count > 0);
        Ok(count > 0)
    }

    /// The words of the current line.
    pub fn words(&self) -> Result<Words<'_>, Why> {
        if self.buffer.len() as u64 == LONGEST {
            return Err(Why::LineTooLong);
        }
        let text = std::str::from_utf8(&self.buffer).map_err(|_| Why::NotText)?;
        Ok(Words { rest: text.split_ascii_whitespace() })
    }
}

pub(crate) struct Words<'a> {
    rest: SplitAsciiWhitespace<'a>,
}

impl<'a> Words<'a> {
    pub fn word(&mut self) -> Option<&'a str> {
        self.rest.next()
    }

    /// Everything that is left, with single blanks.
    pub fn text(&mut self) -> String {
        self.rest.by_ref().collect::<Vec<_>>().join(" ")
    }

    pub fn number<T: FromStr>(&mut self, what: &'static str) -> Result<T, Why> {
        let word = self.rest.next().ok_or(Why::Missing(what))?;
        parse(word)
    }

    /// A number; `-` where there is none.
    pub fn number_or_none<T: FromStr>(&mut self, what: &'static str) -> Result<Option<T>, Why> {
        match self.rest.next().ok_or(Why::Missing(what))? {
            "-" => Ok(None),
            word => parse(word).map(Some),
        }
    }

    /// A literal; `-` where there is none.
    pub fn literal_or_none(&mut self, what: &'static str) -> Result<Option<i32>, Why> {
        match self.rest.next().ok_or(Why::Missing(what))? {
            "-" => Ok(None),
            word => literal(word).map(Some),
        }
    }

    /// The literals up to the colon or the end.
    pub fn literals(&mut self, into: &mut Vec<i32>) -> Result<(), Why> {
        into.clear();
        for word in self.rest.by_ref().take_while(|w| *w != ":") {
            into.push(literal(word)?);
        }
        Ok(())
    }

    /// All numbers that are left.
    pub fn numbers<T: FromStr>(&mut self, into: &mut Vec<T>) -> Result<(), Why> {
        into.clear();
        for word in self.rest.by_ref() {
            into.push(parse(word)?);
        }
        Ok(())
    }

    pub fn colon(&mut self) -> Result<(), Why> {
        match self.rest.next() {
            Some(":") => Ok(()),
            _ => Err(Why::Missing("`:`")),
        }
    }

    pub fn end(&mut self) -> Result<(), Why> {
        self.rest.next().map_or(Ok(()), |word| Err(Why::Surplus(word.to_owned())))
    }
}

fn parse<T: FromStr>(word: &str) -> Result<T, Why> {
    word.parse().map_err(|_| Why::NotANumber(word.to_owned()))
}

fn literal(word: &str) -> Result<i32, Why> {
    match parse(word)? {
        0 | i32::MIN => Err(Why::NotANumber(word.to_owned())),
        literal => Ok(literal),
    }
}
