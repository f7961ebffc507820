//! A SAT solver that leaves a proof: CaDiCaL without theories, watched by a tracer.
//!
//! CaDiCaL chooses the numbers of clauses, with its own between ours: a clause that it simplifies when it is added gets
//! a second number. The tracer records what every number stands for. At the end only what the empty clause depends on
//! is kept, which is a small part of what was learned.

use crate::clauses::Clauses;
use crate::sat::{Lit, SatResult};
use cadical_sys::{CaDiCal, ProofTracer, Status, Terminator};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a step of a proof rests on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Premise {
    /// A clause that was added, by its index in the order of adding, from 0.
    Given(u32),
    /// An earlier step, by its index, from 0.
    Step(u32),
}

/// A clause that follows by reverse unit propagation: with its literals false, each premise forces one literal, and the
/// last premise is violated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofStep {
    pub clause: Vec<Lit>,
    pub premises: Vec<Premise>,
}

/// Why clauses have no model. Its last clause is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The added clauses that it depends on, in the order of adding.
    pub given: Vec<u32>,
    pub steps: Vec<ProofStep>,
}

pub struct Prover {
    solver: CaDiCal,
    trace: Rc<RefCell<Trace>>,
    /// The largest variable of a clause.
    variables: i32,
    is_sat: bool,
    buffer: Vec<i32>,
}

impl Prover {
    pub fn new(stop: Arc<AtomicBool>) -> Prover {
        let mut solver = CaDiCal::new();
        let trace = Rc::new(RefCell::new(Trace::default()));
        // Most formulas here have no model: searching for one first does not pay, and makes the proof longer.
        solver.configure("unsat");
        solver.set("lucky", 0);
        // Bounded variable addition defines new variables, and its steps do not follow from the clauses.
        solver.set("factor", 0);
        solver.connect_proof_tracer1(trace.clone(), true, false);
        solver.connect_terminator(Flag(stop));
        Prover { solver, trace, variables: 0, is_sat: false, buffer: Vec::new() }
    }

    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.is_sat = false;
        self.trace.borrow_mut().next_given();
        self.buffer.clear();
        self.buffer.extend(clause.iter().map(|l| l.to_dimacs()));
        self.variables = self.buffer.iter().fold(self.variables, |most, l| most.max(l.abs()));
        self.solver.clause6(&self.buffer);
    }

    pub fn solve(&mut self) -> SatResult {
        let outcome = match self.solver.solve() {
            Status::SATISFIABLE => SatResult::Sat,
            Status::UNSATISFIABLE => SatResult::Unsat,
            Status::UNKNOWN => SatResult::Unknown,
        };
        self.is_sat = outcome == SatResult::Sat;
        outcome
    }

    /// Whether the literal is true in the model; a variable that is in no clause is false.
    pub fn value(&mut self, lit: Lit) -> bool {
        let var = lit.positive().to_dimacs();
        let positive = self.is_sat && var <= self.variables && self.solver.val(var) > 0;
        positive != lit.is_negative()
    }

    /// The proof, once the answer was `Unsat`. `None`: there is none, or one that is not complete.
    pub fn refutation(&self) -> Option<Refutation> {
        self.trace.borrow().refutation()
    }
}

struct Flag(Arc<AtomicBool>);

impl Terminator for Flag {
    fn terminated(&mut self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Copy, Clone)]
enum Origin {
    Given(u32),
    /// Its index among the derived clauses.
    Derived(u32),
}

#[derive(Default)]
struct Trace {
    /// By CaDiCaL's number of a clause; few numbers are unused.
    origins: Vec<Option<Origin>>,
    given: u32,
    derived: Clauses,
    premises: Vec<i64>,
    /// By derived clause: where its premises end.
    ends: Vec<usize>,
    /// The number of the empty clause.
    empty: Option<i64>,
    /// A step does not follow by unit propagation, or a number is not known.
    is_broken: bool,
}

impl Trace {
    fn next_given(&mut self) {
        self.given += 1;
    }

    fn origin(&self, number: i64) -> Option<Origin> {
        self.origins.get(usize::try_from(number).ok()?).copied().flatten()
    }

    fn name(&mut self, number: i64, origin: Origin) {
        let Ok(at) = usize::try_from(number) else {
            self.is_broken = true;
            return;
        };
        if self.origins.len() <= at {
            self.origins.resize(at + 1, None);
        }
        self.origins[at] = Some(origin);
    }

    fn premises(&self, derived: u32) -> &[i64] {
        let at = derived as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.premises[start..self.ends[at]]
    }

    fn refutation(&self) -> Option<Refutation> {
        if self.is_broken {
            return None;
        }
        let end = self.origin(self.empty?)?;
        let (given, derived) = self.needed(end)?;
        let mut places = vec![0; derived.len()];
        let mut steps = Vec::new();
        for (i, _) in derived.iter().enumerate().filter(|(_, needed)| **needed) {
            let premise = |&number: &i64| {
                Some(match self.origin(number)? {
                    Origin::Given(at) => Premise::Given(at),
                    Origin::Derived(at) => Premise::Step(places[at as usize]),
                })
            };
            let premises = self.premises(i as u32).iter().map(premise).collect::<Option<Vec<_>>>()?;
            places[i] = steps.len() as u32;
            steps.push(ProofStep { clause: self.derived.get(i)?.to_vec(), premises });
        }
        let given = (0..).zip(given).filter(|(_, needed)| *needed).map(|(i, _)| i).collect();
        Some(Refutation { given, steps })
    }

    /// Which of the added and of the derived clauses a clause depends on, itself included.
    fn needed(&self, end: Origin) -> Option<(Vec<bool>, Vec<bool>)> {
        let (mut given, mut derived) = (vec![false; self.given as usize], vec![false; self.derived.len()]);
        let mut note = |origin: Origin, derived: &mut Vec<bool>| match origin {
            Origin::Given(at) => given[at as usize] = true,
            Origin::Derived(at) => derived[at as usize] = true,
        };
        note(end, &mut derived);
        // Premises are older than the clauses derived from them.
        for i in (0..self.derived.len()).rev() {
            if derived[i] {
                for &number in self.premises(i as u32) {
                    note(self.origin(number)?, &mut derived);
                }
            }
        }
        Some((given, derived))
    }
}

impl ProofTracer for Trace {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        // A clause that CaDiCaL restores keeps its number.
        if restored {
            self.is_broken |= self.origin(id).is_none();
            return;
        }
        self.is_broken |= self.given == 0;
        self.name(id, Origin::Given(self.given.saturating_sub(1)));
        if clause.is_empty() {
            self.empty = Some(id);
        }
    }

    fn add_derived_clause(&mut self, id: i64, _: bool, witness: i32, clause: &[i32], antecedents: &[i64]) {
        self.is_broken |= witness != 0;
        self.name(id, Origin::Derived(self.derived.len() as u32));
        self.derived.push(clause.iter().filter_map(|&l| Lit::from_dimacs(l)));
        self.premises.extend_from_slice(antecedents);
        self.ends.push(self.premises.len());
        if clause.is_empty() && self.empty.is_none() {
            self.empty = Some(id);
        }
    }

    fn delete_clause(&mut self, _id: i64, _redundant: bool, _clause: &[i32]) {}
    fn weaken_minus(&mut self, _id: i64, _clause: &[i32]) {}
    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
    fn add_assumption(&mut self, _lit: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _id: i64, _clause: &[i32], _antecedents: &[i64]) {}
    fn conclude_sat(&mut self, _conclusion_type: i32, _model: &[i32]) {}
    fn conclude_unsat(&mut self, _conclusion_type: i32, _clause_ids: &[i64]) {}
    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}
