//! Finds inputs of a program that no execution so far covers.
//!
//! An execution covers all inputs that satisfy its path condition: a *class* (`tp_machine::Symbols`). A path condition
//! is a conjunction of constraints, terms over the inputs that have certain values. Its negation goes to the SAT solver
//! as one clause. A model of all these clauses is an input of a new class; if there is none, every input is in an
//! explored class.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_explore::{Given, Incomplete, NextClass};
use tp_machine::{PathConstraint, Symbols};
use tp_solver::{Blaster, Cadical, Lit, Sat, SatResult};

/// The classes explored so far.
pub struct Classes {
    blaster: Blaster<Cadical>,
}

impl Classes {
    /// Raising `stop` ends a search without an answer.
    pub fn new(stop: Arc<AtomicBool>) -> Classes {
        let mut sat = Cadical::new();
        sat.stop_when(stop);
        Classes { blaster: Blaster::new(sat) }
    }

    /// Adds the clause that one of the constraints is broken.
    fn exclude(&mut self, symbols: &mut Symbols, constraints: &[PathConstraint]) {
        let mut clause: Vec<Lit> = Vec::with_capacity(constraints.len());
        for &constraint in constraints {
            let broken = symbols.broken(constraint);
            match symbols.terms().as_const(broken) {
                Some(0) => {}
                _ => clause.push(self.blaster.literal(symbols.terms(), broken)),
            }
        }
        self.blaster.sat_mut().add_clause(&clause);
    }

    fn inputs(&mut self, symbols: &Symbols) -> Option<Given> {
        let mut model = self.blaster.model()?;
        let value = |(key, term)| (key, model.value(symbols.terms(), term));
        Some(symbols.inputs().iter().copied().map(value).collect())
    }
}

impl tp_explore::Solver for Classes {
    fn other(&mut self, symbols: &mut Symbols, constraints: &[PathConstraint]) -> NextClass {
        self.exclude(symbols, constraints);
        match self.blaster.sat_mut().solve(&[]) {
            Ok(SatResult::Sat) => match self.inputs(symbols) {
                Some(given) => NextClass::Inputs(given),
                None => NextClass::Unknown(Incomplete::Solver("no values for the inputs".to_owned())),
            },
            Ok(SatResult::Unsat) => NextClass::None,
            Ok(SatResult::Unknown) => NextClass::Unknown(Incomplete::Stopped),
            Err(fault) => NextClass::Unknown(Incomplete::Solver(fault.to_string())),
        }
    }
}
