//! Under-approximation and widening: the recorded schedules, a few at first (Cordeiro and Fischer, ICSE 2011, §3.4, after
//! Grumberg, Lerda, Strichman and Theobald, POPL 2005).
//!
//! The first question allows one thread in each context: main, then the others in the order of their creation, and so on
//! round and round. If there is an execution, it is one. If there is none, and the proof does not use these restrictions,
//! there is none at all. Otherwise the restrictions that the proof uses are dropped, and the question is asked again. The
//! paper reads them off a proof; here they are assumptions, and the solver names those that failed. What it has learnt
//! stays, and so do the schedules that were allowed for one goal when it comes to the next.

use crate::counted::Counted;
use crate::encode::Formula;
use crate::engine::Halt;
use crate::record::{Recorded, Recorder};
use std::sync::atomic::AtomicBool;
use tp_events::Query;
use tp_solver::{Lit, Sat};

pub(crate) struct Widener {
    pub recorder: Recorder,
    /// These threads do not get these contexts.
    excluded: Vec<Lit>,
    /// Questions to the SAT solver.
    pub iterations: u64,
}

impl Widener {
    /// `None`: stopped.
    pub fn new(
        formula: &mut Formula,
        query: &mut Query<'_>,
        counted: &Counted,
        stop: &AtomicBool,
    ) -> Option<Widener> {
        // Where only one thread is allowed, its context may have to stay empty.
        let strict = formula.blaster.sat_mut().new_var();
        let recorder = Recorder::new(formula, query, counted, Some(strict), stop)?;
        let mut excluded = Vec::new();
        for (i, turns) in recorder.turns().enumerate() {
            let threads: Vec<Lit> = turns.iter().copied().flatten().collect();
            let others = threads.iter().enumerate().filter(|(thread, _)| *thread != i % threads.len());
            excluded.extend(others.map(|(_, &turn)| !turn));
        }
        Some(Widener { recorder, excluded, iterations: 0 })
    }

    /// Whether there is an execution with these goals.
    pub fn solve(&mut self, formula: &mut Formula, goals: &[Lit]) -> Result<Option<Recorded>, Halt> {
        loop {
            self.iterations += 1;
            let assumptions: Vec<Lit> = goals.iter().chain(&self.excluded).copied().collect();
            let found = self.recorder.solve(formula, &assumptions)?;
            if found.is_some() {
                return Ok(found);
            }
            let before = self.excluded.len();
            let sat = formula.blaster.sat_mut();
            self.excluded.retain(|&exclusion| !sat.failed(exclusion));
            if self.excluded.len() == before {
                return Ok(None);
            }
        }
    }
}
