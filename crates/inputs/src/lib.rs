//! Finds inputs of a program that nothing executed so far speaks for.
//!
//! An execution with certain inputs speaks for all inputs by which everything is decided in the same way: a *class*
//! (`tp_machine::Symbols`). Each class is a conjunction of terms over the inputs that have certain values. Its negation goes to the SAT
//! solver as one clause; a model of all of them is of a class that is new, and when there is none, every input is in
//! some class.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_explore::{Given, Other};
use tp_ir::Width;
use tp_machine::{Decision, Symbol, Symbols};
use tp_solver::{Blaster, Cadical, Lit, Outcome, Sat, Terms};

/// The classes so far.
pub struct Classes {
    terms: Terms,
    blaster: Blaster<Cadical>,
    /// The solver's terms of symbols, by number.
    translated: Vec<tp_solver::Term>,
}

impl Classes {
    /// Raising the flag ends a search, without an answer.
    pub fn new(stop: Arc<AtomicBool>) -> Classes {
        let mut sat = Cadical::new();
        sat.stop_when(stop);
        Classes { terms: Terms::new(), blaster: Blaster::new(sat), translated: Vec::new() }
    }

    /// Symbols are translated in the order of their numbers, so that parts come first.
    fn term(&mut self, symbols: &Symbols, symbol: Symbol) -> tp_solver::Term {
        while self.translated.len() <= symbol.index() {
            let Some(next) = symbols.nth(self.translated.len()) else { break };
            let term = self.translate(symbols, next);
            self.translated.push(term);
        }
        self.translated[symbol.index()]
    }

    fn translate(&mut self, symbols: &Symbols, symbol: Symbol) -> tp_solver::Term {
        use tp_machine::Term;
        let part = |s: Symbol| self.translated[s.index()];
        let (term, width) = symbols.term(symbol);
        match term {
            Term::Input(_) => self.terms.variable(width),
            Term::Constant(value) => self.terms.constant(width, value as u128),
            Term::Binary(op, a, b) => self.terms.binary(op, part(a), part(b)),
            Term::Compare(op, a, b) => self.terms.compare(op, part(a), part(b)),
            Term::Truncate(a) => self.terms.extract(part(a), 0, width),
            Term::ZeroExtend(a) => self.terms.zero_extend(part(a), width),
            Term::SignExtend(a) => self.terms.sign_extend(part(a), width),
            Term::Select(cond, a, b) => self.terms.ite(part(cond), part(a), part(b)),
            Term::Byte(a, number) => self.terms.extract(part(a), 8 * number, Width::W8),
            Term::Join(low, high) => self.terms.concat(part(high), part(low)),
        }
    }

    /// One of the decisions must be another.
    fn exclude(&mut self, symbols: &Symbols, decisions: &[Decision]) {
        let mut clause: Vec<Lit> = Vec::with_capacity(decisions.len());
        for decision in decisions {
            let term = self.term(symbols, decision.symbol);
            let value = self.terms.constant(self.terms.width(term), decision.value as u128);
            let differs = self.terms.ne(term, value);
            match self.terms.as_const(differs) {
                Some(0) => {}
                _ => clause.push(self.blaster.literal(&self.terms, differs)),
            }
        }
        self.blaster.sat_mut().add_clause(&clause);
    }

    fn inputs(&mut self, symbols: &Symbols) -> Option<Given> {
        let mut model = self.blaster.model()?;
        let mut given = Given::new();
        for (key, symbol) in symbols.inputs() {
            let term = self.term(symbols, *symbol);
            given.insert(*key, model.value(&self.terms, term));
        }
        Some(given)
    }
}

impl tp_explore::Solver for Classes {
    fn other(&mut self, symbols: &Symbols, decisions: &[Decision]) -> Other {
        self.exclude(symbols, decisions);
        match self.blaster.sat_mut().solve(&[]) {
            Ok(Outcome::Sat) => match self.inputs(symbols) {
                Some(given) => Other::Inputs(given),
                None => Other::Unknown("the solver has no values for the inputs".to_owned()),
            },
            Ok(Outcome::Unsat) => Other::None,
            Ok(Outcome::Unknown) => Other::Unknown("stopped".to_owned()),
            Err(fault) => Other::Unknown(format!("the solver cannot go on: {fault}")),
        }
    }
}
