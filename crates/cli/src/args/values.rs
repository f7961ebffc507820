//! Values of options that are more than a word: schedulers, sizes of memory, files.

use std::path::PathBuf;
use std::str::FromStr;
use tp_frontend::{FileContents, GivenFile};
use tp_machine::ContextBound;

/// The most bytes of input that a file can have.
const MOST_BYTES: u32 = 1 << 20;

/// `NAME=PATH` or `NAME=?N`.
pub fn given_file(text: &str) -> Result<GivenFile, String> {
    let (name, contents) = text
        .split_once('=')
        .filter(|(name, path)| !name.is_empty() && !path.is_empty())
        .ok_or_else(|| "it has the form NAME=PATH or NAME=?N".to_owned())?;
    let contents = match contents.strip_prefix('?') {
        None => FileContents::Of(PathBuf::from(contents)),
        Some(size) => match size.parse() {
            Ok(size @ 0..=MOST_BYTES) => FileContents::Any(size),
            _ => return Err(format!("the number of bytes is one from 0 to {MOST_BYTES}")),
        },
    };
    Ok(GivenFile { name: name.to_owned(), contents })
}

/// A number of context switches, or `auto`.
pub fn context_bound(text: &str) -> Result<ContextBound, String> {
    match text.parse() {
        Ok(most) => Ok(ContextBound::AtMost(most)),
        Err(_) if text == "auto" => Ok(ContextBound::Auto),
        Err(_) => Err("it is a number of context switches, or `auto`".to_owned()),
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Scheduler {
    /// Random and PCT in turn.
    Mixed,
    Random,
    Pct {
        depth: u32,
    },
    RoundRobin,
}

impl FromStr for Scheduler {
    type Err = String;

    fn from_str(text: &str) -> Result<Scheduler, String> {
        match text.split_once(':') {
            None if text == "mixed" => Ok(Scheduler::Mixed),
            None if text == "random" => Ok(Scheduler::Random),
            None if text == "rr" => Ok(Scheduler::RoundRobin),
            Some(("pct", depth)) => match depth.parse() {
                Ok(depth @ 1..=1000) => Ok(Scheduler::Pct { depth }),
                _ => Err("the depth of pct is a number from 1 to 1000".to_owned()),
            },
            _ => Err("it is one of mixed, random, pct:DEPTH, rr".to_owned()),
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MemorySize(pub u64);

impl FromStr for MemorySize {
    type Err = String;

    fn from_str(text: &str) -> Result<MemorySize, String> {
        let (digits, unit) = match text.char_indices().last() {
            Some((i, c)) if c.is_ascii_alphabetic() => (&text[..i], c.to_ascii_uppercase()),
            _ => (text, 'B'),
        };
        let shift = match unit {
            'B' => 0,
            'K' => 10,
            'M' => 20,
            'G' => 30,
            _ => return Err("the units are K, M and G".to_owned()),
        };
        let number: u64 =
            digits.parse().map_err(|_| "it is a number of bytes, or one with K, M or G".to_owned())?;
        number.checked_mul(1 << shift).map(MemorySize).ok_or_else(|| "it is too large".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let check = |text: &str, expect: Option<u64>| {
            assert_eq!(text.parse::<MemorySize>().ok().map(|s| s.0), expect, "{text}");
        };
        check("4096", Some(4096));
        check("2k", Some(2048));
        check("1G", Some(1 << 30));
        check("G", None);
        check("1T", None);
        check("-1", None);
        check("", None);
        check("99999999999999G", None);
    }

    #[test]
    fn files() {
        let check = |text: &str, expect: Option<(&str, FileContents)>| {
            let expect = expect.map(|(name, contents)| GivenFile { name: name.to_owned(), contents });
            assert_eq!(given_file(text).ok(), expect, "{text}");
        };
        check("a=b/c", Some(("a", FileContents::Of("b/c".into()))));
        check("a=?4", Some(("a", FileContents::Any(4))));
        check("a=b=c", Some(("a", FileContents::Of("b=c".into()))));
        check("a", None);
        check("=b", None);
        check("a=", None);
        check("a=?x", None);
        check("a=?99999999", None);
    }

    #[test]
    fn schedulers() {
        let check = |text: &str, expect: Option<Scheduler>| assert_eq!(text.parse().ok(), expect, "{text}");
        check("mixed", Some(Scheduler::Mixed));
        check("random", Some(Scheduler::Random));
        check("rr", Some(Scheduler::RoundRobin));
        check("pct:3", Some(Scheduler::Pct { depth: 3 }));
        check("pct", None);
        check("pct:0", None);
        check("random:1", None);
    }
}
