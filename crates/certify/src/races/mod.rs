//! Certificates that no two accesses race, whatever loops and threads do: facts that hold whenever control is somewhere.
//! One line each, things numbered from 0 in their order:
//!
//! ```text
//! threadproof races 1
//! about WHAT words                 for people
//! thread PARENT                    a thread, started by PARENT or by a thread that it led to (-: the first one)
//! point THREAD RANK                a moment of a thread, between two instructions; no way leads to a smaller rank
//! object KIND [N]                  variable, constant or function; `local T`: each instance of thread T has its own;
//!                                  `made P`: made anew each time control leaves point P; `outside`
//! value PLACE…                     where a pointer may point; a place is OBJECT BASE STRIDE
//! escaped OBJECT…                  objects that more threads than one can come to
//! leads OBJECT OBJECT              the first may hold a pointer to the second
//! held P OBJECT AT MODE BYTES      at point P its thread holds the lock there (w: alone, r: with others)
//! alive P THREAD…                  threads that this one has started, or these, that may run at point P
//! inside P                         point P is inside an atomic section
//! left T THREAD…                   threads that T has started, or these, that may run when T ends
//! before T THREAD…                 threads that may run when T is started, of those that its starter has started
//!
//! entry T P                        a thread begins at P
//! go P Q                           control goes from P to Q
//! take P Q V MODE KIND             … and takes the lock at V (m: mutex, w: read-write lock, s: spin lock)
//! give P Q R V KIND                … and has given back the lock at V, which it began to do at R
//! reset P Q V KIND                 … and makes it a free one
//! again P Q R V                    … and holds at Q what it held at R; it gave the mutex at V back and took it again
//! access P Q V LEN HOW             … and reads (r) or writes (w; n: perhaps a number that no free lock begins with) LEN
//!                                  bytes (-: all); upper case: atomically
//! lock P Q V LEN HOW               the same, as a part of what the functions of locks do
//! text P Q V…                      … and may read all that is there, and that this leads to in two steps
//! start P Q T V                    … and starts thread T, whose id is the address V
//! join P Q V                       … and waits for the thread whose id is V
//! section P Q                      … and enters or leaves an atomic section; what Q says is not checked
//! over T P                         thread T ends at P
//! detach V                         a thread with this id may be one that nobody waits for
//! end
//! ```
//!
//! # What is checked
//!
//! The facts hold at the entries of threads, and along every way from a point to the next. Two accesses that may be to
//! one byte, of which one writes and not both are atomic, are in threads one of which is over before the other begins,
//! or hold one lock, one of them alone. A lock counts if it is one object, if nobody writes over it while others run, if it is
//! used as one kind of lock at one place, and if who gives it back holds it.
//!
//! # What is trusted
//!
//! That the points and the ways between them, and what they do, are those of the program; where values point, what leads to
//! what, and which points are inside of atomic sections.

mod facts;
mod offset;
mod rules;

use crate::lines::{Lines, Words};
use crate::rejected::{Failure, Rejected, Why};
use facts::Facts;
use std::io::BufRead;

/// What an accepted file is about.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct RaceSummary {
    pub about: Vec<(String, String)>,
    pub threads: u64,
    pub points: u64,
    pub accesses: u64,
    /// Pairs of accesses that were looked at.
    pub pairs: u64,
}

pub(crate) const MAGIC: &str = "threadproof races";
const VERSION: &str = "1";

/// A part of a certificate that is about races, line by line.
#[derive(Default)]
pub(crate) struct RacesChecker {
    facts: Facts,
    summary: RaceSummary,
}

impl RacesChecker {
    pub fn line(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        self.facts.line(kind, words)
    }

    /// All facts are there: whether they hold, and are enough.
    pub fn check(&mut self) -> Result<(), Why> {
        self.summary = std::mem::take(&mut self.facts).check()?;
        Ok(())
    }

    pub fn summary(self) -> RaceSummary {
        self.summary
    }
}

/// Checks a certificate about races.
pub fn check_races(input: impl BufRead) -> Result<RaceSummary, Failure> {
    let mut lines = Lines::new(input);
    let mut checker = RacesChecker::default();
    let mut ended = false;
    while lines.advance()? {
        let number = lines.number;
        let reject = |why| Failure::Rejected(Rejected { line: number, lemma: None, why });
        let mut words = lines.words().map_err(reject)?;
        let Some(kind) = words.word() else { continue };
        if number == 1 {
            let rest = words.text();
            match format!("{kind} {rest}").strip_prefix(MAGIC).map(str::trim) {
                Some(VERSION) => continue,
                Some(version) => return Err(reject(Why::Version(version.to_owned()))),
                None => return Err(Failure::NotACertificate),
            }
        }
        if ended {
            return Err(reject(Why::Misplaced(kind.to_owned())));
        }
        ended = kind == "end";
        let line = if ended { checker.check() } else { checker.line(kind, &mut words) };
        line.and_then(|()| words.end()).map_err(reject)?;
    }
    match (lines.number, ended) {
        (0, _) => Err(Failure::NotACertificate),
        (line, false) => Err(Failure::Rejected(Rejected { line, lemma: None, why: Why::CutOff })),
        _ => Ok(checker.summary()),
    }
}
