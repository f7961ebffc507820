//! A whole file, from its first line to its last. `format` says what each line means.

use crate::clauses::Clauses;
use crate::format::{MAGIC, VERSION};
use crate::lines::{Lines, Words};
use crate::literals::{Literal, Names};
use crate::order::{Candidate, Lemma, Structure};
use crate::races::{self, RaceSummary, check_races};
use crate::rejected::{Failure, Rejected, Why};
use std::io::BufRead;

/// What an accepted file is about.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Summary {
    /// As the file says; not checked.
    pub verdict: String,
    pub about: Vec<(String, String)>,
    /// What was shown never to happen, in the words of the file.
    pub goals: Vec<String>,
    pub clauses: u64,
    pub threads: u64,
    pub nodes: u64,
    pub reads: u64,
    /// Names for the order of two nodes.
    pub orders: u64,
    pub lemmas: u64,
    pub steps: u64,
    /// It is about races, and nothing of the above is there but what it is about.
    pub races: Option<RaceSummary>,
}

/// Checks a certificate, in time that grows with its length and with nothing else; one about races, also with the number of
/// pairs of accesses to one object.
pub fn check(mut input: impl BufRead) -> Result<Summary, Failure> {
    if input.fill_buf()?.starts_with(races::MAGIC.as_bytes()) {
        let races = check_races(input)?;
        let (about, verdict) = (races.about.clone(), "safe".to_owned());
        return Ok(Summary { about, verdict, races: Some(races), ..Summary::default() });
    }
    let mut lines = Lines::new(input);
    let mut checker = Checker::default();
    while lines.advance()? {
        if lines.number == 1 && !lines.words().is_ok_and(is_certificate) {
            return Err(Failure::NotACertificate);
        }
        if let Err(why) = lines.words().and_then(|words| checker.line(words)) {
            return Err(rejected(lines.number, &checker, why));
        }
    }
    match checker.part {
        None => Err(Failure::NotACertificate),
        Some(Part::End) => Ok(checker.summary()),
        Some(_) => Err(rejected(lines.number, &checker, Why::CutOff)),
    }
}

fn rejected(line: u64, checker: &Checker, why: Why) -> Failure {
    let lemma = checker.lemma.as_ref().map(|l| l.number);
    Failure::Rejected(Rejected { line, lemma, why })
}

fn is_certificate(mut words: Words<'_>) -> bool {
    MAGIC.split(' ').all(|word| words.word() == Some(word))
}

/// The parts of a file, in their order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Version,
    About,
    Goals,
    Program,
    Orders,
    Proof,
    End,
}

#[derive(Default)]
struct Checker {
    /// The part that the last line was in.
    part: Option<Part>,
    names: Names,
    structure: Structure,
    clauses: Clauses,
    /// The lemma that is being shown.
    lemma: Option<Lemma>,
    goal: Vec<Literal>,
    summary: Summary,
    // Used again from line to line.
    literals: Vec<i32>,
    nodes: Vec<u32>,
    hints: Vec<u64>,
}

impl Checker {
    fn line(&mut self, mut words: Words<'_>) -> Result<(), Why> {
        let Some(kind) = words.word() else { return Ok(()) };
        self.enter(part_of(kind)?, kind)?;
        match kind {
            "threadproof" => Checker::version(&mut words),
            "about" | "verdict" => self.about(kind, &mut words),
            "goal" => self.goal(&mut words),
            "thread" | "before" | "read" | "candidate" | "order" => self.structure(kind, &mut words),
            "clause" => self.input(&mut words),
            "lemma" => self.begin_lemma(&mut words),
            "step" => self.step(&mut words),
            "end" if !self.clauses.has_empty() => Err(Why::NothingShown),
            "end" => Ok(()),
            _ => self.derive(kind, &mut words),
        }?;
        words.end()
    }

    /// Whether a line can stand here.
    fn enter(&mut self, part: Part, kind: &str) -> Result<(), Why> {
        let is_again = self.part == Some(part) && matches!(part, Part::Version | Part::End);
        if self.part > Some(part) || is_again || self.part.is_none() && part != Part::Version {
            return Err(Why::Misplaced(kind.to_owned()));
        }
        match &self.lemma {
            Some(_) if !is_in_lemma(kind) => return Err(Why::WithoutCycle),
            None if is_in_lemma(kind) => return Err(Why::NoLemma),
            _ => {}
        }
        if self.part < Some(Part::Goals) && part >= Part::Goals && self.summary.verdict.is_empty() {
            return Err(Why::Missing("a line `verdict`"));
        }
        if self.part <= Some(Part::Goals) && part > Part::Goals {
            // One of the goals is reached: this is what has to be refuted.
            self.clauses.add(&self.goal);
        }
        self.part = Some(part);
        Ok(())
    }

    fn version(words: &mut Words<'_>) -> Result<(), Why> {
        let rest = words.text();
        // The words of `MAGIC` were looked at already.
        let version = rest.split_once(' ').map_or("", |(_, version)| version);
        if version == VERSION { Ok(()) } else { Err(Why::Version(version.to_owned())) }
    }

    fn about(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        if kind == "verdict" {
            self.summary.verdict = words.text();
        } else {
            let what = words.word().ok_or(Why::Missing("what it is about"))?;
            self.summary.about.push((what.to_owned(), words.text()));
        }
        Ok(())
    }

    fn goal(&mut self, words: &mut Words<'_>) -> Result<(), Why> {
        let literal = words.literal_or_none("a literal")?.ok_or(Why::Missing("a literal"))?;
        self.goal.push(self.names.literal(literal));
        self.summary.goals.push(words.text());
        Ok(())
    }

    fn structure(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        match kind {
            "thread" => {
                words.numbers(&mut self.nodes)?;
                self.structure.add_thread(&self.nodes)
            }
            "before" => self.structure.add_before(words.number("a node")?, words.number("a second node")?),
            "read" => {
                in_turn(words, self.structure.reads() + 1)?;
                self.structure.add_read(words.number("a node")?)
            }
            "candidate" => {
                let write = words.number("a node")?;
                let reads_from = words.literal_or_none("the reads-from literal")?;
                let active = words.literal_or_none("the literal of the write")?;
                let mut named = |number: Option<i32>| number.map(|n| (self.names.literal(n), n));
                let (reads_from, active) = (named(reads_from), named(active));
                self.structure.add_candidate(Candidate { write, reads_from, active })
            }
            _ => self.order(words),
        }
    }

    fn order(&mut self, words: &mut Words<'_>) -> Result<(), Why> {
        let literal = words.literal_or_none("a literal")?.ok_or(Why::Missing("a literal"))?;
        // Goals, reads and clauses are above, and cannot follow: nothing of the program speaks of it.
        if self.names.is_known(literal) {
            return Err(Why::NotFresh(literal));
        }
        let literal = self.names.literal(literal);
        self.structure.add_order(literal, words.number("a node")?, words.number("a second node")?)
    }

    /// The number of a clause, and its literals.
    fn clause(&mut self, words: &mut Words<'_>) -> Result<Vec<Literal>, Why> {
        in_turn(words, self.clauses.count())?;
        words.literals(&mut self.literals)?;
        Ok(self.literals.iter().map(|&l| self.names.literal(l)).collect())
    }

    fn input(&mut self, words: &mut Words<'_>) -> Result<(), Why> {
        let clause = self.clause(words)?;
        self.clauses.add(&clause);
        self.summary.clauses += 1;
        Ok(())
    }

    fn begin_lemma(&mut self, words: &mut Words<'_>) -> Result<(), Why> {
        let clause = self.clause(words)?;
        self.lemma = Some(Lemma::new(self.clauses.count(), clause));
        self.summary.lemmas += 1;
        Ok(())
    }

    /// A line below a lemma; the cycle is its last.
    fn derive(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        let (Some(lemma), s) = (&mut self.lemma, &self.structure) else { return Err(Why::NoLemma) };
        match kind {
            "sees" => lemma.sees(s, words.number("a read")?, words.number("a candidate")?),
            "ordered" => {
                let number = words.literal_or_none("a literal")?.ok_or(Why::Missing("a literal"))?;
                lemma.ordered(s, self.names.literal(number), number)
            }
            "cycle" => {
                words.numbers(&mut self.nodes)?;
                lemma.cycle(s, &self.nodes)?;
                self.clauses.add(&lemma.clause);
                self.lemma = None;
                Ok(())
            }
            _ => {
                let read = words.number("a read")?;
                let (seen, other) = (words.number("a candidate")?, words.number("a second candidate")?);
                words.colon()?;
                words.numbers(&mut self.nodes)?;
                match kind {
                    "earlier" => lemma.earlier(s, read, seen, other, &self.nodes),
                    _ => lemma.later(s, read, seen, other, &self.nodes),
                }
            }
        }
    }

    fn step(&mut self, words: &mut Words<'_>) -> Result<(), Why> {
        let clause = self.clause(words)?;
        words.numbers(&mut self.hints)?;
        self.clauses.follows(&clause, &self.hints)?;
        self.clauses.add(&clause);
        self.summary.steps += 1;
        Ok(())
    }

    fn summary(self) -> Summary {
        let s = &self.structure;
        let (threads, nodes, reads, orders) = (s.threads(), s.nodes(), s.reads(), s.orders());
        Summary { threads, nodes, reads, orders, ..self.summary }
    }
}

fn part_of(kind: &str) -> Result<Part, Why> {
    Ok(match kind {
        "threadproof" => Part::Version,
        "about" | "verdict" => Part::About,
        "goal" => Part::Goals,
        "thread" | "before" | "read" | "candidate" | "clause" => Part::Program,
        "order" => Part::Orders,
        "lemma" | "step" => Part::Proof,
        "end" => Part::End,
        _ if is_in_lemma(kind) => Part::Proof,
        _ => return Err(Why::UnknownLine(kind.to_owned())),
    })
}

fn is_in_lemma(kind: &str) -> bool {
    matches!(kind, "sees" | "ordered" | "earlier" | "later" | "cycle")
}

/// Things are numbered one by one, so that a line that was lost is noticed.
fn in_turn(words: &mut Words<'_>, expected: u64) -> Result<(), Why> {
    match words.number("its number")? {
        found if found == expected => Ok(()),
        found => Err(Why::WrongNumber { found, expected }),
    }
}
