//! A certificate as data, and how it is written. A file has a head, one or more parts that are checked one by one, and
//! a last line. Its lines are words and numbers separated by blanks, in this order:
//!
//! ```text
//! threadproof certificate 2
//! about WHAT words               for people: the program, the properties that were checked …
//! verdict words                  the answer that the file proves
//! part order words               a part of the kind below, and what it shows, for people
//! …
//! part races words               a part that holds facts of an analysis; `races` says how it is written
//! …
//! complete                       there are no more parts
//! ```
//!
//! A part of the kind `order` is about steps of threads and their order:
//!
//! ```text
//! goal LITERAL words             something that is shown never to happen; clause 0 is "one of the goals happens"
//! thread NODE…                   the nodes of a thread, in program order
//! before NODE NODE               the first is before the second
//! read R NODE                    a read, numbered from 1, and its node
//! candidate NODE FROM ACTIVE     a write to the same place, numbered from 1 for each read: its node; the literal that
//!                                the read sees it (-: never); the literal that the write happens (-: always)
//! clause N LITERAL…              a clause, numbered from 1; lemmas and steps continue the numbers
//! order LITERAL NODE NODE        a name for "the first is before the second"
//!
//! lemma N LITERAL…               a clause that holds, since if all its literals were false …
//! sees R CANDIDATE               … the read sees this candidate, so that this write is before the read
//! ordered LITERAL                … an order literal is true, so that its nodes are in this order
//! earlier R SEEN OTHER : NODE…   … the read sees one candidate, another happens and is before the read, by this path:
//!                                the other is before the one that is seen
//! later R SEEN OTHER : NODE…     … the read sees one candidate, another happens and is after that, by this path: the
//!                                other is after the read
//! cycle NODE…                    … and each of these is before the next; the first and the last are the same
//! step N LITERAL… : N…           a clause that follows: with its literals false, each of the clauses named after the
//!                                colon forces a literal, and the last is violated
//! end
//! ```
//!
//! Lemmas and steps may come in any order in which a clause comes before the steps that name it. The part is proved
//! when the empty clause is among them. Literals, nodes and clauses of different parts are unrelated.

use std::io::{self, Write};

/// The first line: these words, and the version.
pub(crate) const MAGIC: &str = "threadproof certificate";
pub(crate) const VERSION: &str = "2";

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Certificate {
    pub about: Vec<(String, String)>,
    pub verdict: String,
    pub parts: Vec<Part>,
}

/// Something that is proved by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What is shown, for people.
    pub shows: String,
    pub kind: PartKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// None of the goals is reached in any execution.
    Order { goals: Vec<Goal>, proof: Proof },
    /// No two accesses race: the lines that `races` describes, the last of them `end`.
    Races(String),
}

/// What is shown never to happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    pub literal: i32,
    pub what: String,
}

/// Everything below the goals.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Proof {
    pub threads: Vec<Vec<u32>>,
    pub before: Vec<(u32, u32)>,
    pub reads: Vec<Read>,
    pub clauses: Vec<Vec<i32>>,
    pub orders: Vec<OrderLiteral>,
    /// They come before all steps.
    pub lemmas: Vec<Lemma>,
    pub steps: Vec<RupStep>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    pub node: u32,
    pub candidates: Vec<Candidate>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub write: u32,
    pub reads_from: Option<i32>,
    pub active: Option<i32>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct OrderLiteral {
    pub literal: i32,
    pub first: u32,
    pub second: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lemma {
    pub clause: Vec<i32>,
    pub derivation: Vec<Derivation>,
    pub cycle: Vec<u32>,
}

/// How an order is derived. Reads and candidates are numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Derivation {
    Sees { read: u32, seen: u32 },
    Ordered { literal: i32 },
    Earlier { read: u32, seen: u32, other: u32, path: Vec<u32> },
    Later { read: u32, seen: u32, other: u32, path: Vec<u32> },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RupStep {
    pub clause: Vec<i32>,
    /// Numbers of clauses: 0 for the goal, then `clauses`, `lemmas` and `steps`.
    pub hints: Vec<u32>,
}

impl Certificate {
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{MAGIC} {VERSION}")?;
        for (what, words) in &self.about {
            writeln!(out, "about {what} {}", one_line(words))?;
        }
        writeln!(out, "verdict {}", one_line(&self.verdict))?;
        self.parts.iter().try_for_each(|part| part.write(out))?;
        writeln!(out, "complete")
    }
}

impl Part {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let shows = one_line(&self.shows);
        match &self.kind {
            PartKind::Order { goals, proof } => {
                writeln!(out, "part order {shows}")?;
                for Goal { literal, what } in goals {
                    writeln!(out, "goal {literal} {}", one_line(what))?;
                }
                proof.write(out)?;
                writeln!(out, "end")
            }
            PartKind::Races(lines) => {
                writeln!(out, "part races {shows}")?;
                out.write_all(lines.as_bytes())
            }
        }
    }
}

impl Proof {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.write_structure(out)?;
        let mut numbers = 1u64..;
        let mut number = || numbers.next().unwrap_or_default();
        for clause in &self.clauses {
            write!(out, "clause {}", number())?;
            list(out, clause)?;
            writeln!(out)?;
        }
        for OrderLiteral { literal, first, second } in &self.orders {
            writeln!(out, "order {literal} {first} {second}")?;
        }
        for lemma in &self.lemmas {
            write!(out, "lemma {}", number())?;
            list(out, &lemma.clause)?;
            writeln!(out)?;
            lemma.derivation.iter().try_for_each(|d| d.write(out))?;
            write!(out, "cycle")?;
            list(out, &lemma.cycle)?;
            writeln!(out)?;
        }
        for step in &self.steps {
            write!(out, "step {}", number())?;
            list(out, &step.clause)?;
            write!(out, " :")?;
            list(out, &step.hints)?;
            writeln!(out)?;
        }
        Ok(())
    }

    fn write_structure(&self, out: &mut impl Write) -> io::Result<()> {
        for thread in &self.threads {
            write!(out, "thread")?;
            list(out, thread)?;
            writeln!(out)?;
        }
        for (a, b) in &self.before {
            writeln!(out, "before {a} {b}")?;
        }
        for (number, read) in (1..).zip(&self.reads) {
            writeln!(out, "read {number} {}", read.node)?;
            for Candidate { write, reads_from, active } in &read.candidates {
                let word = |literal: &Option<i32>| literal.map_or("-".to_owned(), |l| l.to_string());
                writeln!(out, "candidate {write} {} {}", word(reads_from), word(active))?;
            }
        }
        Ok(())
    }
}

impl Derivation {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Derivation::Sees { read, seen } => write!(out, "sees {read} {seen}")?,
            Derivation::Ordered { literal } => write!(out, "ordered {literal}")?,
            Derivation::Earlier { read, seen, other, path } => {
                write!(out, "earlier {read} {seen} {other} :")?;
                list(out, path)?;
            }
            Derivation::Later { read, seen, other, path } => {
                write!(out, "later {read} {seen} {other} :")?;
                list(out, path)?;
            }
        }
        writeln!(out)
    }
}

fn list<T: std::fmt::Display>(out: &mut impl Write, numbers: &[T]) -> io::Result<()> {
    numbers.iter().try_for_each(|n| write!(out, " {n}"))
}

/// Names of files can contain line breaks.
fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
