//! A part of the kind `order`, from its first line to its last. `format` says what each line means.

use crate::clauses::Clauses;
use crate::lines::Words;
use crate::literals::{Literal, Names};
use crate::order::{Candidate, Lemma, Structure};
use crate::rejected::Why;

/// What an accepted part consists of.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct OrderSummary {
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
}

/// The sections of a part, in their order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Section {
    #[default]
    Goals,
    Program,
    Orders,
    Proof,
    End,
}

#[derive(Default)]
pub(crate) struct ProofChecker {
    /// The section that the last line was in.
    section: Section,
    names: Names,
    structure: Structure,
    clauses: Clauses,
    /// The lemma that is being proved.
    lemma: Option<Lemma>,
    goal: Vec<Literal>,
    summary: OrderSummary,
    // Buffers, reused from line to line.
    literals: Vec<i32>,
    nodes: Vec<u32>,
    hints: Vec<u64>,
}

impl ProofChecker {
    /// Checks a line. `true`: it is the last one, and everything is proved.
    pub fn line(&mut self, kind: &str, words: &mut Words<'_>) -> Result<bool, Why> {
        self.enter(section_of(kind)?, kind)?;
        match kind {
            "goal" => self.goal(words),
            "thread" | "before" | "read" | "candidate" | "order" => self.structure(kind, words),
            "clause" => self.input(words),
            "lemma" => self.begin_lemma(words),
            "step" => self.step(words),
            "end" if !self.clauses.has_empty() => Err(Why::NothingShown),
            "end" => Ok(()),
            _ => self.derive(kind, words),
        }?;
        Ok(self.section == Section::End)
    }

    /// Checks that a line is allowed here.
    fn enter(&mut self, section: Section, kind: &str) -> Result<(), Why> {
        if self.section > section {
            return Err(Why::Misplaced(kind.to_owned()));
        }
        match &self.lemma {
            Some(_) if !is_in_lemma(kind) => return Err(Why::WithoutCycle),
            None if is_in_lemma(kind) => return Err(Why::NoLemma),
            _ => {}
        }
        if self.section == Section::Goals && section > Section::Goals {
            // One of the goals is reached: this is what has to be refuted.
            self.clauses.add(&self.goal);
        }
        self.section = section;
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
        // Goals, reads and clauses all come before the orders: a new variable occurs in none of them.
        if self.names.is_known(literal) {
            return Err(Why::NotFresh(literal));
        }
        let literal = self.names.literal(literal);
        self.structure.add_order(literal, words.number("a node")?, words.number("a second node")?)
    }

    /// The literals of a clause, whose number is checked.
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

    /// The lemma that the last line belongs to.
    pub fn lemma(&self) -> Option<u64> {
        self.lemma.as_ref().map(|l| l.number)
    }

    pub fn summary(self) -> OrderSummary {
        let s = &self.structure;
        let (threads, nodes, reads, orders) = (s.threads(), s.nodes(), s.reads(), s.orders());
        OrderSummary { threads, nodes, reads, orders, ..self.summary }
    }
}

fn section_of(kind: &str) -> Result<Section, Why> {
    Ok(match kind {
        "goal" => Section::Goals,
        "thread" | "before" | "read" | "candidate" | "clause" => Section::Program,
        "order" => Section::Orders,
        "lemma" | "step" => Section::Proof,
        "end" => Section::End,
        _ if is_in_lemma(kind) => Section::Proof,
        _ => return Err(Why::UnknownLine(kind.to_owned())),
    })
}

fn is_in_lemma(kind: &str) -> bool {
    matches!(kind, "sees" | "ordered" | "earlier" | "later" | "cycle")
}

/// Reads and clauses are numbered consecutively, so that a lost line is noticed.
fn in_turn(words: &mut Words<'_>, expected: u64) -> Result<(), Why> {
    match words.number("its number")? {
        found if found == expected => Ok(()),
        found => Err(Why::WrongNumber { found, expected }),
    }
}
