//! Clauses, and whether one follows from others by unit propagation: it is assumed to be false, each hint forces one
//! more literal, and the last one is violated.

use crate::literals::Literal;
use crate::rejected::Why;

#[derive(Default)]
pub(crate) struct Clauses {
    literals: Vec<Literal>,
    /// By clause: where its literals end.
    ends: Vec<usize>,
    /// By literal: the step in which it was last false.
    is_false: Vec<u64>,
    step: u64,
    has_empty: bool,
}

impl Clauses {
    pub fn count(&self) -> u64 {
        self.ends.len() as u64
    }

    /// Whether the empty clause is among them: they are unsatisfiable.
    pub fn has_empty(&self) -> bool {
        self.has_empty
    }

    /// Adds a clause; its number is the count of those before it.
    pub fn add(&mut self, clause: &[Literal]) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
        self.has_empty |= clause.is_empty();
    }

    fn get(&self, number: u64) -> Option<&[Literal]> {
        let at = usize::try_from(number).ok()?;
        let end = *self.ends.get(at)?;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        Some(&self.literals[start..end])
    }

    fn set_false(&mut self, literal: Literal) {
        if self.is_false.len() <= literal.index() {
            self.is_false.resize(literal.index() + 1, 0);
        }
        self.is_false[literal.index()] = self.step;
    }

    fn is_false(&self, literal: Literal) -> bool {
        self.is_false.get(literal.index()) == Some(&self.step)
    }

    /// Whether the clause, which gets the next number, follows from those that the hints name.
    pub fn follows(&mut self, clause: &[Literal], hints: &[u64]) -> Result<(), Why> {
        let step = self.count();
        self.step += 1;
        clause.iter().for_each(|&l| self.set_false(l));
        for &hint in hints {
            let mut open = self.get(hint).ok_or(Why::NoClause(hint))?.iter().filter(|l| !self.is_false(**l));
            let Some(&forced) = open.next() else { return Ok(()) };
            if open.any(|&l| l != forced) {
                return Err(Why::NotUnit { step, hint });
            }
            self.set_false(!forced);
        }
        Err(Why::NoContradiction(step))
    }
}
