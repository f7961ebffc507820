//! A whole file: its head, its parts, and its last line. `format` says what each line means.

use crate::format::{MAGIC, VERSION};
use crate::lines::{Lines, Words};
use crate::proof::{OrderSummary, ProofChecker};
use crate::races::{RaceSummary, RacesChecker};
use crate::rejected::{CertificateError, Rejected, Why};
use std::io::BufRead;

/// What an accepted file is about.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct CertificateSummary {
    /// As the file says; not checked.
    pub verdict: String,
    pub about: Vec<(String, String)>,
    pub parts: Vec<PartSummary>,
}

/// An accepted part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartSummary {
    /// As the file says; not checked.
    pub shows: String,
    pub counts: Counts,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counts {
    Order(OrderSummary),
    Races(RaceSummary),
}

/// Checks a certificate. The time depends on its length only and, for a part about races, on the number of pairs of
/// accesses to one object.
pub fn check(input: impl BufRead) -> Result<CertificateSummary, CertificateError> {
    let mut lines = Lines::new(input);
    let mut file = File::default();
    while lines.advance()? {
        if lines.number == 1 && !lines.words().is_ok_and(is_certificate) {
            return Err(CertificateError::NotACertificate);
        }
        let line = lines.words().and_then(|mut words| {
            file.line(&mut words)?;
            words.end()
        });
        line.map_err(|why| rejected(lines.number, &file, why))?;
    }
    match file.place {
        _ if lines.number == 0 => Err(CertificateError::NotACertificate),
        Place::Complete => Ok(file.summary),
        _ => Err(rejected(lines.number, &file, Why::CutOff)),
    }
}

fn rejected(line: u64, file: &File, why: Why) -> CertificateError {
    let lemma = match &file.place {
        Place::Order(_, checker) => checker.lemma(),
        _ => None,
    };
    CertificateError::Rejected(Rejected { line, lemma, why })
}

fn is_certificate(mut words: Words<'_>) -> bool {
    MAGIC.split(' ').all(|word| words.word() == Some(word))
}

/// Where the next line belongs. A part comes with what it shows.
#[derive(Default)]
enum Place {
    #[default]
    Version,
    Head,
    /// After the head, between parts.
    Parts,
    Order(String, Box<ProofChecker>),
    Races(String, Box<RacesChecker>),
    Complete,
}

#[derive(Default)]
struct File {
    place: Place,
    summary: CertificateSummary,
}

impl File {
    fn line(&mut self, words: &mut Words<'_>) -> Result<(), Why> {
        let Some(kind) = words.word() else { return Ok(()) };
        match &mut self.place {
            Place::Version => version(words).map(|()| self.place = Place::Head),
            Place::Order(_, checker) => {
                if checker.line(kind, words)? {
                    self.end_part();
                }
                Ok(())
            }
            Place::Races(_, checker) => match kind {
                "end" => {
                    checker.check()?;
                    self.end_part();
                    Ok(())
                }
                _ => checker.line(kind, words),
            },
            Place::Head | Place::Parts => self.outside(kind, words),
            Place::Complete => Err(Why::Misplaced(kind.to_owned())),
        }
    }

    /// A line that belongs to no part.
    fn outside(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        let is_head = matches!(self.place, Place::Head);
        match kind {
            "about" if is_head => {
                let what = words.word().ok_or(Why::Missing("what it is about"))?;
                self.summary.about.push((what.to_owned(), words.text()));
            }
            "verdict" if is_head => self.summary.verdict = words.text(),
            "part" | "complete" if self.summary.verdict.is_empty() => {
                return Err(Why::Missing("a line `verdict`"));
            }
            "part" => self.place = part(words)?,
            "complete" if is_head => return Err(Why::Missing("a part")),
            "complete" => self.place = Place::Complete,
            "about" | "verdict" | "end" => return Err(Why::Misplaced(kind.to_owned())),
            _ => return Err(Why::UnknownLine(kind.to_owned())),
        }
        Ok(())
    }

    fn end_part(&mut self) {
        let part = match std::mem::replace(&mut self.place, Place::Parts) {
            Place::Order(shows, checker) => (shows, Counts::Order(checker.summary())),
            Place::Races(shows, checker) => (shows, Counts::Races(checker.summary())),
            Place::Version | Place::Head | Place::Parts | Place::Complete => return,
        };
        let (shows, counts) = part;
        self.summary.parts.push(PartSummary { shows, counts });
    }
}

fn version(words: &mut Words<'_>) -> Result<(), Why> {
    let rest = words.text();
    // The words of `MAGIC` were checked already.
    let version = rest.split_once(' ').map_or("", |(_, version)| version);
    if version == VERSION { Ok(()) } else { Err(Why::Version(version.to_owned())) }
}

fn part(words: &mut Words<'_>) -> Result<Place, Why> {
    match words.word().ok_or(Why::Missing("the kind of the part"))? {
        "order" => Ok(Place::Order(words.text(), Box::default())),
        "races" => Ok(Place::Races(words.text(), Box::default())),
        other => Err(Why::UnknownPart(other.to_owned())),
    }
}
