//! Parts of certificates that show that no two accesses race, whatever loops and threads do, by facts at program
//! points. One line each, numbered from 0 in their order.
//!
//! What there is:
//!
//! ```text
//! thread PARENT                    a thread, started by PARENT or by other instances of itself (-: the first one)
//! point THREAD RANK                a program point of a thread; no edge leads to a smaller rank
//! object KIND [N] ALIGN            variable, constant or function; `local T`: each instance of thread T has its own;
//!                                  `made P`: allocated each time control leaves point P; `outside`. Its address is a
//!                                  multiple of ALIGN
//! ```
//!
//! Claims:
//!
//! ```text
//! set KIND PLACE…                  where a value may point, numbered from 1 (0: it is a number). A place is OBJECT
//!                                  BASE STRIDE; KIND is whole, or part: it may be part of an address
//! register R SET                   what a register may hold; without such a line, a number
//! cell OBJECT BASE STRIDE LEN SET  what memory may hold there
//! escaped OBJECT…                  objects that more threads than one can reach
//! held P OBJECT AT MODE BYTES      at point P its thread holds the lock there (w: exclusively, r: shared)
//! tried P R OBJECT AT MODE BYTES   … if register R is 0
//! near P FORM AT MODE BYTES V      at point P its thread holds the lock AT bytes from the address FORM; V points to it
//! alive P THREAD…                  descendants of its thread that may run at point P
//! inside P COUNT                   point P is inside at least COUNT atomic sections
//! left T THREAD…                   descendants of T that may run when T ends
//! before T THREAD…                 descendants of the starter of T that may run when it starts T
//! ```
//!
//! What the program does with addresses. An operand V is a register, `&OBJECT+OFFSET`, `&OBJECT` (some place in it), or
//! `-` for a number:
//!
//! ```text
//! copy R V                         R may be V
//! move R V BYTES                   R is V moved by BYTES (-: by an unknown number)
//! index R V SCALE                  R is V moved by a multiple of SCALE
//! part R V                         R is computed from V in another way
//! mask R V N, tag R V N            R is V & N; V | N or V ^ N
//! subtract R V W                   R is V - W
//! load R V LEN                     R is what the LEN bytes at V hold (-: all of it)
//! store V LEN W                    the bytes at V become W
//! store-part V LEN W               … or something that is computed from W
//! fill V W                         somewhere in the object at V, bytes become something that is computed from W
//! transfer V W LEN                 LEN bytes (-: unknown) are copied from W to V
//! number V…                        V decides something: it must be a number
//! whole V…                         V is followed, or compared with a number, or with a value of the same origin: it
//!                                  must not be part of an address
//! equal V W, order V W             V and W are compared
//! pair V W                         … and one of them may be a number that was guessed
//! calls V FUNCTION…                one of these functions is called through V
//! formats V OBJECT AT …            V is one of these formats, none of which stores something
//! ```
//!
//! What else it does. A line with a lock or an access may end with FORM AT: its operand is AT bytes from the address
//! that FORM stands for, which a function has computed from certain registers:
//!
//! ```text
//! entry T P                        a thread begins at P
//! go P Q                           control goes from P to Q
//! take P Q V MODE KIND             … and takes the lock at V (m: mutex, w: read-write lock, s: spin lock)
//! try P Q V MODE KIND R            … and has taken it if register R is 0
//! zero P Q R                       … and register R is 0
//! give P Q R V KIND                … and has released the lock at V, by a call from point R
//! reset P Q V KIND                 … and initialises the lock at V, which is then free
//! again P Q R V                    … and holds at Q what it held at point R; it released and retook the mutex at V
//! renew P Q FORM…                  … and assigns registers that these forms are computed from
//! anew P Q FORM…                   … and returns from a function that may be recursive, and has these forms
//! access P Q V LEN HOW             … and reads (r) or writes (w; n: perhaps a number that is no initial state of a
//!                                  lock; e: frees the object) LEN bytes (-: all); upper case: atomically
//! lock P Q V LEN HOW               the same, in the implementation of locks
//! text P Q V…                      … and may read all that V points to, and what is reachable from there in two steps
//! start P Q T V                    … and starts thread T, whose id is the address V
//! join P Q V                       … and joins the thread whose id is V
//! create V P…                      a call that allocates an id, starts one thread with it and stores it where V
//!                                  points; it writes and starts at these points
//! join-range P Q V SCALE E A B     … and has joined the ids at I * SCALE bytes from V, for all I from A to B - 1, in a
//!                                  loop of the function that begins at E
//! join-alike P Q V SCALE E CREATE  … for all I of a loop that made this call once for each I, and stored its id there
//! enter P Q, leave P Q             … and enters or leaves an atomic section
//! over T P                         thread T ends at P
//! detach V                         a thread with this id may be detached
//! end
//! ```
//!
//! # What is checked
//!
//! The sets are closed under the statements about addresses (`pointers`). The other claims hold at the entries of
//! threads, and along every edge. The escaped objects are closed under what memory holds. Two accesses that may be to
//! one byte, of which one writes and not both are atomic, are in one thread, or ordered by the start or the join of a
//! thread, or hold one lock, one of them exclusively: a known lock, or one near the common address. A lock counts if it
//! is not overwritten while other threads run, if it is used as one kind of lock at one place, and if only a thread
//! that holds it releases it. A loop that joins threads counts if only the calls that start them write to its array.
//!
//! # What is trusted
//!
//! That the threads, points, objects and statements, the edges between points and the forms of operands are those of
//! the program. This includes the range of a loop that joins threads, and that functions of `models/thread.c`, which
//! look up threads by their addresses, behave the same for every memory layout. As in the analysis, pointers
//! stay in their objects, and a number that equals an address by chance is noticed only where the sets say that it is a
//! number (`pair`). There, sets that are too large can hide it: `pointers` says how.

mod facts;
mod joins;
mod near;
mod offset;
mod pairs;
mod pointers;
mod read;
mod rules;

use crate::lines::{Lines, Words};
use crate::rejected::{CertificateError, Rejected, Why};
use facts::Facts;
use std::io::BufRead;

/// What an accepted part consists of.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct RaceSummary {
    pub threads: u64,
    pub points: u64,
    pub accesses: u64,
    /// Pairs of accesses that were compared.
    pub pairs: u64,
}

/// A part of a certificate that is about races, line by line.
pub(crate) struct RacesChecker {
    facts: Facts,
    summary: RaceSummary,
}

impl Default for RacesChecker {
    fn default() -> RacesChecker {
        RacesChecker { facts: Facts::new(), summary: RaceSummary::default() }
    }
}

impl RacesChecker {
    pub fn line(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        self.facts.line(kind, words)
    }

    /// Checks, after the last line, that the facts hold and are enough.
    pub fn check(&mut self) -> Result<(), Why> {
        self.summary = std::mem::replace(&mut self.facts, Facts::new()).check()?;
        Ok(())
    }

    pub fn summary(self) -> RaceSummary {
        self.summary
    }
}

/// Checks the lines of a part about races without the rest of a file.
pub fn check_races(input: impl BufRead) -> Result<RaceSummary, CertificateError> {
    let mut lines = Lines::new(input);
    let mut checker = RacesChecker::default();
    let mut ended = false;
    while lines.advance()? {
        let number = lines.number;
        let reject = |why| CertificateError::Rejected(Rejected { line: number, lemma: None, why });
        let mut words = lines.words().map_err(reject)?;
        let Some(kind) = words.word() else { continue };
        if ended {
            return Err(reject(Why::Misplaced(kind.to_owned())));
        }
        ended = kind == "end";
        let line = if ended { checker.check() } else { checker.line(kind, &mut words) };
        line.and_then(|()| words.end()).map_err(reject)?;
    }
    match ended {
        true => Ok(checker.summary()),
        false => {
            Err(CertificateError::Rejected(Rejected { line: lines.number, lemma: None, why: Why::CutOff }))
        }
    }
}
