//! Under-approximation and widening: the recorded schedules, a few at first (Cordeiro and Fischer, ICSE 2011, §3.4, after
//! Grumberg, Lerda, Strichman and Theobald, POPL 2005).
//!
//! The first question allows one thread in each context: main, then the others in the order of their creation, and so on
//! round and round. If there is an execution, it is one. If there is none, and the proof does not use these restrictions,
//! there is none at all. Otherwise the restrictions that the proof uses are dropped, and the question is asked again. The
//! paper reads them off a proof; here they are assumptions, and the solver names those that failed. What it has learnt
//! stays, and so do the schedules that were allowed for one goal when it comes to the next.
//!
//! Each proof may need only one more restriction, and there are as many as threads times contexts. So after a while a context
//! whose restrictions fail is opened to all threads, and later all contexts are.

use crate::counted::Counted;
use crate::encode::Formula;
use crate::engine::Halt;
use crate::record::{Recorded, Recorder};
use std::sync::atomic::AtomicBool;
use tp_events::Query;
use tp_solver::{Lit, Sat};

/// Questions for one goal after which whole contexts are opened, and after which all of them are.
const OPENS_CONTEXTS: u64 = 16;
const OPENS_ALL: u64 = 48;

pub(crate) struct Widener {
    pub recorder: Recorder,
    /// By context: a thread that does not get it.
    excluded: Vec<(usize, Lit)>,
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
            excluded.extend(others.map(|(_, &turn)| (i, !turn)));
        }
        Some(Widener { recorder, excluded, iterations: 0 })
    }

    /// Whether there is an execution with these goals.
    pub fn solve(&mut self, formula: &mut Formula, goals: &[Lit]) -> Result<Option<Recorded>, Halt> {
        for question in 1.. {
            self.iterations += 1;
            let excluded = self.excluded.iter().map(|(_, exclusion)| *exclusion);
            let assumptions: Vec<Lit> = goals.iter().copied().chain(excluded).collect();
            let found = self.recorder.solve(formula, &assumptions)?;
            if found.is_some() {
                return Ok(found);
            }
            let sat = formula.blaster.sat_mut();
            let failed: Vec<(usize, Lit)> =
                self.excluded.iter().copied().filter(|(_, exclusion)| sat.failed(*exclusion)).collect();
            if failed.is_empty() {
                return Ok(None);
            }
            match question {
                OPENS_ALL.. => self.excluded.clear(),
                OPENS_CONTEXTS.. => self.excluded.retain(|(i, _)| failed.iter().all(|(j, _)| i != j)),
                _ => self.excluded.retain(|exclusion| !failed.contains(exclusion)),
            }
        }
        Err(Halt::Stopped)
    }
}
